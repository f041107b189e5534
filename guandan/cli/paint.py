"""Cards and moves in colour and columns."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.text import Text

import guandan as gd

__all__ = ["by_rank", "columns", "in_level_order", "kind_word", "paint", "paint_move"]

JOKERS = ("SB", "HR")
MARGIN = len(" 3  ")
GAP = "   "


def kind_word(kind: int) -> str:
    """Return the word of a kind of move."""
    return gd.Kind(kind).name.lower()


def in_level_order(cards: Iterable[str], level: str) -> list[str]:
    """Return cards in the order of kinds as the rank of the level rises above the ace."""
    # They come in the order of kinds, the jokers last; those stay above the level.
    return sorted(cards, key=lambda card: (card in JOKERS, card[1] == level))


def by_rank(cards: Iterable[str], level: str) -> list[list[str]]:
    """Return cards in level order, those of each rank together."""
    ordered = groupby(
        in_level_order(cards, level), key=lambda card: card if card in JOKERS else card[1]
    )
    return [list(group) for _, group in ordered]


def columns(block: list[gd.Move], level: str, width: int) -> Iterator[Text]:
    """Yield the lines of one kind of move: each key once, its moves beside it in columns."""
    cells = [(move.rank, paint(move.cards, level, "*")) for move in block]
    size = max(len(cell) for _, cell in cells) + len(GAP)
    fitting = max(1, (width + len(GAP) - MARGIN) // size)
    for key, group in groupby(cells, key=lambda cell: cell[0]):
        row = [cell for _, cell in group if cell]
        for start in range(0, len(row), fitting):
            line = Text(f" {key}  " if start == 0 else " " * MARGIN)
            for cell in row[start : start + fitting]:
                line.append_text(cell).append(" " * (size - len(cell)))
            line.rstrip()
            yield line


def paint(cards: Iterable[str], level: str, star: str = "") -> Text:
    """Return cards in the colours of their suits; the wilds are underlined, a star follows them."""
    wild = "H" + level
    painted = Text()
    for card in cards:
        painted.append(" " if painted else "")
        painted.append(card, card_style(card, wild))
        painted.append(star if card == wild else "")
    return painted


def paint_move(move: gd.Move, level: str) -> Text:
    """Return a move's text with its cards in colour and the wilds marked."""
    painted = Text(" ".join(str(move).split()[:2]))  # kind and key; a pass is one word
    return painted.append(" ").append_text(paint(move.cards, level, "*")) if move.cards else painted


def card_style(card: str, wild: str) -> str:
    """Return the style of a card: red suits red, jokers and wilds bold, wilds underlined."""
    emphasis = "bold underline" if card == wild else "bold" if card in JOKERS else ""
    return f"{emphasis} red" if card[0] in "HD" else emphasis

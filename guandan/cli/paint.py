"""Cards and moves in colour and columns."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.text import Text

import guandan as gd

__all__ = ["columns", "in_level_order", "kind_word", "paint"]

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


def card_style(card: str, wild: str) -> str:
    """Return the style of a card: red suits red, jokers and wilds bold, wilds underlined."""
    emphasis = "bold underline" if card == wild else "bold" if card in JOKERS else ""
    return f"{emphasis} red" if card[0] in "HD" else emphasis

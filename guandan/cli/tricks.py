"""Play trick by trick: who played what, in words and in colour."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

import guandan as gd
from guandan.cli.diagram import PLACES, SIDE_STYLES
from guandan.cli.paint import paint_move
from guandan.endgame import loses_turn

__all__ = [
    "GAP",
    "SKIP",
    "Play",
    "in_lines",
    "play_on",
    "play_text",
    "start_of",
    "trick_rows",
    "tricks",
]

GAP = "  "
SKIP = "skip"  # for a pass in a record of moves: of a seat that has lost its turn


class Play(NamedTuple):
    """A move, who made it, and what is to be said of it: the place that it gave him, or more."""

    seat: int
    move: gd.Move
    note: str


def start_of(state: gd.State) -> gd.State:
    """Return the state with which a history begins."""
    start = state.copy()
    for _ in state.history:
        start.pop()
    return start


def play_on(state: gd.State, move: gd.Move) -> None:
    """Play a move of a history; a seat that led and passed had lost its turn."""
    if loses_turn(state, move):
        state.skip()
    else:
        state.push(move)


def tricks(
    start: gd.State, moves: Iterable[gd.Move], notes: Mapping[int, str] | None = None
) -> Iterator[list[Play]]:
    """Yield the tricks of moves from a state on; `notes` has more to say of some, by index."""
    at = start.copy()
    trick: list[Play] = []
    led = False  # lost turns come before the lead and are of the same trick
    for index, move in enumerate(moves):
        if led and at.table is None:
            yield trick
            trick = []
        led = at.table is not None or move.size > 0
        seat, n_out = at.turn, len(at.out)
        assert seat is not None
        play_on(at, move)
        place = PLACES[n_out] if len(at.out) > n_out else ""
        trick.append(Play(seat, move, place or (notes or {}).get(index, "")))
    if trick:
        yield trick


def trick_rows(
    found: Sequence[Sequence[Play]], level: str, width: int
) -> Iterator[tuple[str, Text]]:
    """Yield the names of tricks and their plays in colour, both to stand in a line of a width."""
    room = width - len(f"trick {len(found)}{GAP}")
    for number, trick in enumerate(found, 1):
        yield f"trick {number}", in_lines((play_text(play, level) for play in trick), room)


def in_lines(texts: Iterable[Text], room: int) -> Text:
    """Return texts side by side, in as many lines of a width as they take."""
    lines = [Text()]
    for text in texts:
        if lines[-1] and len(lines[-1]) + len(GAP) + len(text) > room:
            lines.append(Text())
        lines[-1].append(GAP if lines[-1] else "").append_text(text)
    return Text("\n").join(lines)


def play_text(play: Play, level: str) -> Text:
    """Return a move after its seat, in colour, with what is to be said of it."""
    text = Text.assemble((f"{play.seat} ", SIDE_STYLES[play.seat % 2]))
    text.append_text(paint_move(play.move, level) if play.move.cards else Text("pass", "dim"))
    if not play.note:
        return text
    return text.append(f" ({play.note})", "bold" if play.note in PLACES else "")

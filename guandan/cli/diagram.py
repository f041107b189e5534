"""The picture of a state: four hands around a table."""

from io import StringIO
from itertools import zip_longest

import rich.box
from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

import guandan as gd
from guandan.cli.paint import by_rank, kind_word, paint

__all__ = ["NARROWEST", "PLACES", "SIDE_STYLES", "plain_lines", "print_picture"]

NARROWEST = 72  # a narrower terminal breaks lines, but no card is lost
WIDEST = 88
PLACES = ("first", "second", "third", "last")
SIDE_STYLES = ("bold cyan", "bold magenta")


def print_picture(console: Console, state: gd.State) -> None:
    """Print the picture of a state in colour, and a blank line."""
    console.width = min(max(console.width, NARROWEST), WIDEST)
    console.print(picture(state), "")


def plain_lines(state: gd.State) -> list[str]:
    """Return the lines of the picture without colour, for what is no terminal."""
    console = Console(file=StringIO(), width=NARROWEST - len("# "), color_system=None)
    with console.capture() as capture:
        console.print(picture(state, rich.box.ASCII))
    return [line.rstrip() for line in capture.get().splitlines()]


def picture(state: gd.State, box: rich.box.Box = rich.box.ROUNDED) -> RenderableType:
    """Return the hands of a state around what is on the table, seat 0 at the bottom.

    The turn goes round against the clock: seat 1 sits on the right.
    """
    left, right = side_hand(state, 3), side_hand(state, 1)
    width = max(len(line) for line in (*left, *right))
    middle = Table.grid(expand=True)
    middle.add_column(width=width, no_wrap=True)
    middle.add_column(ratio=1, vertical="middle")
    middle.add_column(width=width, no_wrap=True)
    centre = Panel(table_lines(state), box=box, padding=(0, 2), expand=False)
    middle.add_row(Group(*left), Align.center(centre), Group(*right))
    return Group(across_hand(state, 2), "", middle, "", across_hand(state, 0))


def across_hand(state: gd.State, seat: int) -> RenderableType:
    """Return the hand of a seat at the top or the bottom: its ranks side by side."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for row in zip_longest(*by_rank(state.hands[seat], state.level)):
        grid.add_row(*(paint([card], state.level, "*") if card else "" for card in row))
    name, held = heading(state, seat)
    title = Text("  ").join([name, held])
    return Group(Align.center(title), Align.center(grid))


def side_hand(state: gd.State, seat: int) -> list[Text]:
    """Return the lines of the hand of a seat at the side: its ranks one below the other."""
    stacks = by_rank(state.hands[seat], state.level)
    return [*heading(state, seat), *(paint(stack, state.level, "*") for stack in stacks)]


def heading(state: gd.State, seat: int) -> tuple[Text, Text]:
    """Return the name of a seat with what it is about, and its side with what it holds."""
    name = Text(f"seat {seat}", SIDE_STYLES[seat % 2])
    if seat == state.turn:
        name.append("  ").append("to move", "reverse")
    elif place := place_of(state, seat):
        name.append(f"  {place}", "bold")
    elif has_passed(state, seat):
        name.append("  passed")
    held = len(state.hands[seat])
    cards = f"  {held} card{'' if held == 1 else 's'}" if held else ""
    return name, Text(f"side {seat % 2}{cards}")


def place_of(state: gd.State, seat: int) -> str:
    """Return the place that a seat has reached, if any."""
    if seat in state.out:
        return PLACES[state.out.index(seat)]
    return PLACES[-1] if state.is_over else ""


def has_passed(state: gd.State, seat: int) -> bool:
    """Whether a seat that holds cards has passed since the table was played."""
    if state.owner is None or state.turn is None or seat == state.owner:
        return False
    return (seat - state.owner) % 4 < (state.turn - state.owner) % 4


def table_lines(state: gd.State) -> Text:
    """Return what lies between the hands: the level, the move to beat, who is to move."""
    level = state.level
    wild = "H" + level
    lines = [Text(f"level {level}", "bold reverse")]
    shown = [*state.hands, *([state.table.cards] if state.table else [])]
    if any(cards.count(wild) for cards in shown):
        lines.append(Text.assemble("wild ", paint([wild], level, "*")))
    lines.append(Text())
    if state.payoff is not None:
        lines += [Text("the deal is over"), Text(f"payoff {state.payoff:+d} for side 0", "bold")]
    elif state.table is None:
        lines.append(Text(f"seat {state.turn} leads"))
    else:
        lines.append(Text(f"seat {state.owner} played"))
        lines.append(Text(f"{kind_word(state.table.kind)} {state.table.rank}", "bold"))
        if len(state.table.cards):
            lines.append(paint(state.table.cards, level, "*"))
        lines += [Text(), Text(f"seat {state.turn} to reply")]
    return Text("\n", justify="center").join(lines)

"""The command `review`: what the plays of a record lost."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import guandan as gd
from guandan.cli.command import (
    FileWords,
    Json,
    Nodes,
    RulesName,
    Seconds,
    StateCommand,
    TableMb,
    check_limits,
    file_of,
    one_line_errors,
    read_lines,
    read_rules,
    title,
)
from guandan.cli.paint import paint_move
from guandan.cli.tricks import start_of

__all__ = ["commands"]

MOST_BEST = 3  # of the best moves that a review shows in a line
HEADINGS = ("ply", "seat", "before", "after", "lost", "move", "best")

commands = typer.Typer()


@commands.command(
    cls=StateCommand,
    epilog="""\b
Examples:
  guandan review record.txt
  guandan review record.txt --seconds 10 --json
""",
)
@one_line_errors()
def review(
    file: FileWords = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    table_mb: TableMb = 256,
    rules: RulesName = "jiangsu2023",
    as_json: Json = False,
) -> None:
    """Review a record: what each play lost, and what was best instead.

    FILE holds a state's text and then the moves that were played from there, one a
    line, each as text or as cards alone; empty lines and lines with # are left
    out. A lone - is standard input.

    The values before and after a play are level steps for the side that made it.
    What a limit leaves open is shown as bounds and marked with a question mark; the
    limits are for each search, of which there are two a play.
    """
    check_limits(nodes, seconds)
    name = file_of(file, "one with a state, then a move on each line")
    state = read_record(name, read_rules(rules))
    plays = gd.review(state, nodes=nodes, seconds=seconds, table_mb=table_mb)
    if as_json:
        objects = list(map(play_object, plays))
        typer.echo(json.dumps({"state": str(start_of(state)), "plays": objects}))
        return
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal:
        print_plays(console, plays, state.level)
    else:
        typer.echo(f"# {start_of(state)}")
        print_play_lines(plays)
    for line in losses(plays):
        console.print(line if console.is_terminal else f"# {line}")


def read_record(name: str, rules: gd.Rules) -> gd.State:
    """Return the state at the end of a record, with its history."""
    lines = read_lines(name)
    if not lines:
        raise ValueError(f"{title(name)} is empty: want a state, then a move on each line")
    state: gd.State | None = None
    for place, text in lines:
        try:
            if state is None:
                state = gd.State.parse(text, rules=rules)
            else:
                state.push(text)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
    assert state is not None
    return state


def play_object(play: gd.Review) -> dict[str, Any]:
    """Return what --json prints of a play."""
    names = ("ply", "seat", "move", "before", "after", "loss", "best", "proven")
    bounds = ("before_lower", "before_upper", "after_lower", "after_upper")
    found = {name: getattr(play, name) for name in (*names, *bounds)}
    return {**found, "move": str(play.move), "best": list(map(str, play.best))}


def bounds_text(value: float | None, lower: float, upper: float) -> str:
    """Return a value, or bounds marked as such."""
    return f"{value:+g}" if value is not None else f"{lower:+g}..{upper:+g}?"


def play_cells(play: gd.Review) -> list[str]:
    """Return what a line says of a play before its move."""
    return [
        str(play.ply),
        str(play.seat),
        bounds_text(play.before, play.before_lower, play.before_upper),
        bounds_text(play.after, play.after_lower, play.after_upper),
        "?" if play.loss is None else f"{play.loss:g}" if play.loss else "-",
    ]


def best_instead(play: gd.Review) -> tuple[Sequence[gd.Move], str]:
    """Return some of the best moves where a play was not known to be one, and how many more."""
    if play.loss == 0:
        return (), ""
    more = len(play.best) - MOST_BEST
    return play.best[:MOST_BEST], f" and {more} more" if more > 0 else ""


def print_plays(console: Console, plays: Sequence[gd.Review], level: str) -> None:
    """Print a line for each play, in colour where it lost something or is not proven."""
    table = Table(*HEADINGS, box=None, padding=(0, 2, 0, 0), header_style="bold")
    for play in plays:
        *cells, loss = play_cells(play)
        best, more = best_instead(play)
        table.add_row(
            *cells,
            Text(loss, "bold red" if play.loss else "" if play.proven else "yellow"),
            paint_move(play.move, level),
            Text("; ").join(paint_move(move, level) for move in best).append(more),
        )
    console.print(table, soft_wrap=False)


def print_play_lines(plays: Sequence[gd.Review]) -> None:
    """Print a line for each play, in columns with two spaces between."""
    rows = [list(HEADINGS)]
    for play in plays:
        best, more = best_instead(play)
        rows.append([*play_cells(play), str(play.move), "; ".join(map(str, best)) + more])
    rows[0][0] = "# " + rows[0][0]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def losses(plays: Sequence[gd.Review]) -> Iterator[str]:
    """Yield in words what each side lost, and how many plays are not proven."""
    for side in (0, 1):
        lost = [play.loss for play in plays if play.seat % 2 == side and play.loss]
        yield f"side {side} lost {sum(lost):g} in {len(lost)} play{'' if len(lost) == 1 else 's'}"
    if unproven := sum(not play.proven for play in plays):
        yield f"{unproven} of {len(plays)} plays are not proven"

"""The command `review`: what plays lost, of a state's record or of a match's."""

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import guandan as gd
from guandan.cli.command import (
    FileWords,
    Json,
    Nodes,
    Seconds,
    StateCommand,
    TableMb,
    check_limits,
    check_number,
    file_of,
    lines_of,
    one_line_errors,
    read_bytes,
    read_rules,
    title,
)
from guandan.cli.history import DealSummary, Recorded, read_match
from guandan.cli.paint import paint_move
from guandan.cli.progress import progress_bar
from guandan.cli.tricks import SKIP, play_on, start_of

__all__ = ["commands"]

MOST_BEST = 3  # of the best moves that a review shows in a line
HEADINGS = ("ply", "seat", "before", "after", "lost", "move", "best")
CARDS = 24  # so many at most in all hands take parts of a second as a rule
# An extra deal is over once the first is out.
FIRST_OUT = {(side, place): 1 - 2 * side for side in (0, 1) for place in (2, 3, 4)}

commands = typer.Typer()


@commands.command(
    cls=StateCommand,
    epilog="""\b
Examples:
  guandan review record.txt
  guandan review record.txt --seconds 10 --json
  guandan review m.jsonl --cards 16
""",
)
@one_line_errors()
def review(
    file: FileWords = None,
    cards: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Review the deals of a match from where at most N cards are left in all hands; "
            f"{CARDS} if not given.",
            show_default=False,
        ),
    ] = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    table_mb: TableMb = 256,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The rules of a state's record, a preset or a .toml or .json file; jiangsu2023 "
            "if not given. guandan replay --deal says which.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Review a record: what each play lost, and what was best instead.

    FILE holds a state's text and then the moves that were played from there, one a
    line, each as text or as cards alone, or as skip where a seat lost its turn;
    empty lines and lines with # are left out. Or it is what guandan match --record
    writes. A lone - is standard input.

    The values before and after a play are level steps for the side that made it.
    What a limit leaves open is shown as bounds and marked with a question mark; the
    limits are for each search, of which there are two a play.

    Of a match only the plays that lost something are shown, --json apart; plies are
    counted from the first lead of their deal, without what was taken back. An extra
    deal is worth +1 to the side that is first and -1 to the other. Turns that were
    lost are no plays.
    """
    check_limits(nodes, seconds)
    name = file_of(file, "one with a state, then a move on each line, or the record of a match")
    data = read_bytes(name)
    reviewed = partial(gd.review, nodes=nodes, seconds=seconds, table_mb=table_mb)
    if data.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
        if rules is not None:
            raise ValueError("--rules is for a state's record: that of a match has its own")
        most = CARDS if cards is None else cards
        check_number("--cards", most, 0, 108)
        review_match(read_match(name, data), most, reviewed, as_json)
        return
    if cards is not None:
        raise ValueError("--cards is for the record of a match: a state is where the review begins")
    state, lost = read_record(name, data, read_rules(rules or "jiangsu2023"))
    plays = [play for play in reviewed(state) if play.ply not in lost]
    if as_json:
        objects = list(map(play_object, plays))
        typer.echo(json.dumps({"state": str(start_of(state)), "plays": objects}))
        return
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal:
        print_plays(console, plays, state.level)
    else:
        typer.echo(f"# {start_of(state)}")
        print_rows([HEADINGS, *map(play_row, plays)])
    print_losses(console, plays)


def read_record(name: str, data: bytes, rules: gd.Rules) -> tuple[gd.State, set[int]]:
    """Return the state at the end of a record, with its history, and the plies of turns lost."""
    lines = lines_of(name, data)
    if not lines:
        raise ValueError(f"{title(name)} is empty: want a state, then a move on each line")
    state: gd.State | None = None
    lost = set()
    for place, text in lines:
        try:
            if state is None:
                state = gd.State.parse(text, rules=rules)
            elif text == SKIP:
                state.skip()
                lost.add(len(state.history))
            else:
                state.push(text)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
    assert state is not None
    return state, lost


# The record of a match


class Ending(NamedTuple):
    """The end of a deal: where its review begins, None where no play is left, and its plays."""

    deal: DealSummary
    left: int  # cards in all hands at the very end
    start: gd.State | None
    plays: list[gd.Review]


def review_match(
    found: Recorded, cards: int, reviewed: Callable[..., list[gd.Review]], as_json: bool
) -> None:
    """Review the deals of a match, and print what was found of each as soon as it is there."""
    console = Console(highlight=False, soft_wrap=True)
    endings = []
    deals = found.deals()
    with progress_bar(len(deals), "deals") as advance:
        for deal in deals:
            endings.append(review_deal(found, deal, cards, reviewed))
            if not as_json:
                print_ending(console, endings[-1])
            advance(1)
    plays = [play for ending in endings for play in ending.plays]
    if as_json:
        result = {
            "cards": cards,
            "deals": list(map(ending_object, endings)),
            "lost": [sum(lost_by(plays, side)) for side in (0, 1)],
            "not_proven": sum(not play.proven for play in plays),
        }
        typer.echo(json.dumps(result))
    else:
        print_losses(console, plays)
    found.end()


def review_deal(
    found: Recorded, deal: DealSummary, cards: int, reviewed: Callable[..., list[gd.Review]]
) -> Ending:
    """Review the end of a deal, its plies counted from the first lead."""
    if not deal.stands:
        return Ending(deal, held(deal.dealt), None, [])
    state = found.match.deals[deal.number - 1]
    at, n_before = end_of(state, cards)
    if not at.history:
        return Ending(deal, held(state), None, [])
    plays = reviewed(at, utility=FIRST_OUT if deal.is_extra else None)
    counted = [replace(play, ply=play.ply + n_before) for play in plays]
    lost = {ply for ply, one in enumerate(deal.stands, 1) if one.is_lost}
    chosen = [play for play in counted if play.ply not in lost]
    return Ending(deal, held(state), start_of(at) if chosen else None, chosen)


def end_of(state: gd.State, cards: int) -> tuple[gd.State, int]:
    """Return a state with its history from so few cards on, and the number of moves before."""
    at = start_of(state)
    moves = list(state.history)
    n_before = 0
    while n_before < len(moves) and held(at) > cards:
        play_on(at, moves[n_before])
        n_before += 1
    at = at.copy(history=False)
    for move in moves[n_before:]:
        play_on(at, move)
    return at, n_before


def held(state: gd.State) -> int:
    """Return how many cards are in all hands."""
    return sum(map(len, state.hands))


def has_lost(play: gd.Review) -> bool:
    """Whether a play is known to have lost something, if not how much."""
    return play.before_lower > play.after_upper


def print_ending(console: Console, ending: Ending) -> None:
    """Print what a deal is about, and its plays that lost something."""
    deal, left, start, plays = ending
    lost = list(filter(has_lost, plays))
    name = f"deal {deal.number}, level {deal.dealt.level}"
    if start is None:
        said = f"{left} card{'' if left == 1 else 's'} at its end, nothing to review"
    else:
        said = f"{len(lost)} of {len(plays)} plays from ply {plays[0].ply} on lost something"
    if console.is_terminal:
        console.print(Text.assemble((name, "bold"), f": {said}"))
        if lost:
            print_plays(console, lost, deal.dealt.level)
        return
    typer.echo(f"# {name}: {said}")
    if lost:
        rows = ((str(deal.number), *play_row(play)) for play in lost)
        print_rows([("deal", *HEADINGS), *rows])


def ending_object(ending: Ending) -> dict[str, Any]:
    """Return what --json prints of a deal."""
    return {
        "deal": ending.deal.number,
        "level": ending.deal.dealt.level,
        "state": None if ending.start is None else str(ending.start),
        "plays": list(map(play_object, ending.plays)),
    }


# Plays


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


def play_row(play: gd.Review) -> tuple[str, ...]:
    """Return what a line says of a play, as plain text."""
    best, more = best_instead(play)
    return *play_cells(play), str(play.move), "; ".join(map(str, best)) + more


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    """Print lines in columns with two spaces between, the headings after a #."""
    headings, *others = rows
    table = [(f"# {headings[0]}", *headings[1:]), *others]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def lost_by(plays: Sequence[gd.Review], side: int) -> list[float]:
    """Return what a side lost, by each play that is known to have lost something."""
    return [play.loss for play in plays if play.seat % 2 == side and play.loss]


def losses(plays: Sequence[gd.Review]) -> Iterator[str]:
    """Yield in words what each side lost, and how many plays are not proven."""
    for side in (0, 1):
        lost = lost_by(plays, side)
        yield f"side {side} lost {sum(lost):g} in {len(lost)} play{'' if len(lost) == 1 else 's'}"
    if unproven := sum(not play.proven for play in plays):
        yield f"{unproven} of {len(plays)} plays are not proven"


def print_losses(console: Console, plays: Sequence[gd.Review]) -> None:
    """Print what was lost in all."""
    for line in losses(plays):
        console.print(line if console.is_terminal else f"# {line}")

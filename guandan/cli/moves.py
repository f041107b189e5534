"""The commands `moves`, `readings` and `split`: what a hand can play, what cards can be."""

import json
from collections import Counter
from itertools import groupby
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

import guandan as gd
from guandan.cli.command import Cards, Json, Level, RulesName, one_line_errors, read_rules
from guandan.cli.paint import columns, in_level_order, kind_word, paint, paint_move

__all__ = ["commands"]

commands = typer.Typer()

Deal = Annotated[
    int | None,
    typer.Option(metavar="SEED", help="Take the hand of a seeded deal.", show_default=False),
]
Seat = Annotated[
    int | None,
    typer.Option(
        metavar="SEAT",
        help="The seat whose hand it is, 0 to 3; 0 if not given.",
        show_default=False,
    ),
]


@commands.command(
    epilog="""\b
Examples:
  guandan moves "S3 C3 D3 H2 H2 SB HR" --level 2
  guandan moves "S3 C3 D3 H2 H2 SB HR" --beat "pair K"
  guandan moves --deal 7 --seat 0 --json
  FORCE_COLOR=1 guandan moves --deal 7 | less -R
"""
)
@one_line_errors()
def moves(
    cards: Cards = None,
    level: Level = "2",
    beat: Annotated[
        str | None,
        typer.Option(
            metavar="MOVE",
            help="List the pass and what beats this move; its cards may be left out.",
            show_default=False,
        ),
    ] = None,
    suits: Annotated[
        str,
        typer.Option(
            metavar="all|flush|one",
            help="Which sets of cards are different moves: all of them; flush, those that differ "
            "when all cards are open; one for each set of ranks.",
        ),
    ] = "all",
    rules: RulesName = "jiangsu2023",
    deal: Deal = None,
    seat: Seat = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number.")] = False,
    as_json: Json = False,
) -> None:
    """List the moves of a hand: its leads, or with --beat its replies.

    CARDS is a text such as "S3 HT SB HR", quoted or not; --deal takes its place.

    A terminal shows the moves of each kind in columns, after the key by which they compare.
    Anything else gets one move a line, as --beat reads it; all other lines begin with #.
    """
    hand = read_hand(cards, deal, seat)
    options: dict[str, Any] = {
        "level": level,
        "beat": beat,
        "suits": suits,
        "rules": read_rules(rules),
    }
    if count:
        number = gd.count_moves(hand, **options)
        typer.echo(json.dumps({"count": number}) if as_json else number)
        return
    listed = gd.legal_moves(hand, **options)
    if as_json:
        texts = [str(move) for move in listed]
        typer.echo(json.dumps({"moves": texts, "count": len(texts), "kinds": kind_counts(listed)}))
        return
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal:
        print_columns(console, hand, level, beat, listed)
    else:
        print_lines(hand, level, beat, listed)


@commands.command(
    epilog="""\b
Example:
  guandan readings "S4 C5 D6 S7 H2" --level 2
"""
)
@one_line_errors()
def readings(
    cards: Cards = None,
    level: Level = "2",
    rules: RulesName = "jiangsu2023",
    as_json: Json = False,
) -> None:
    """List every move that the CARDS together can be."""
    if not cards:
        raise ValueError('give the cards, such as "S4 C5 D6 S7 H2"')
    found = gd.readings(" ".join(cards), level, read_rules(rules))
    if as_json:
        typer.echo(json.dumps({"readings": [str(move) for move in found]}))
        return
    console = Console(highlight=False, soft_wrap=True)
    for move in found:
        console.print(f"{kind_word(move.kind)} {move.rank}", paint(move.cards, level))
    if not found:
        console.print(f"Together these cards are no move at level {level}.")


@commands.command(
    epilog="""\b
Examples:
  guandan split "S3 C4 D5 S6 S7 S8 C8 D8 C9 D9 H2 SB" --level 2
  guandan split --deal 7 --all --bombs apart
"""
)
@one_line_errors()
def split(
    cards: Cards = None,
    level: Level = "2",
    rules: RulesName = "jiangsu2023",
    bombs: Annotated[
        str,
        typer.Option(
            metavar="count|apart",
            help="Whether bombs count as plays; apart: only where all else is equal.",
        ),
    ] = "count",
    every: Annotated[bool, typer.Option("--all", help="List all best splits.")] = False,
    limit: Annotated[
        int, typer.Option(metavar="N", help="With --all, the most splits to list.")
    ] = 1000,
    deal: Deal = None,
    seat: Seat = None,
    as_json: Json = False,
) -> None:
    """Split a hand into the fewest plays.

    CARDS is a text such as "S3 HT SB HR", quoted or not; --deal takes its place.

    Each play is a line, as moves --beat reads it; without colours all other lines begin with #.
    """
    hand = read_hand(cards, deal, seat)
    options: dict[str, Any] = {"level": level, "rules": read_rules(rules), "bombs": bombs}
    if every:
        found = gd.best_splits(hand, limit=limit, **options)
    else:
        found = gd.Splits((gd.fewest_plays(hand, **options),), complete=True)
    if as_json:
        typer.echo(json.dumps(split_fields(found, every)))
    else:
        print_splits(Console(highlight=False, soft_wrap=True), hand, level, found, every)


def split_fields(found: gd.Splits, every: bool) -> dict[str, Any]:
    """Return what splits are as JSON: of all, or of the one."""
    first = found.splits[0]
    lists = [[str(move) for move in one.moves] for one in found.splits]
    fields: dict[str, Any] = {"count": first.count, "cost": first.cost}
    if not every:
        return fields | {"moves": lists[0]}
    return fields | {"splits": lists, "complete": found.complete}


def print_splits(
    console: Console, hand: gd.Hand, level: str, found: gd.Splits, every: bool
) -> None:
    """Print the plays of splits, one a line, and above them how many they are."""
    mark = "" if console.is_terminal else "# "
    first = found.splits[0]
    apart = first.count - first.cost
    console.print(f"{mark}level {level}, {len(hand)} cards:", paint(hand, level))
    console.print(f"{mark}plays: {first.count}" + (f", {apart} of them bombs" if apart else ""))
    for number, one in enumerate(found.splits, 1):
        if every:
            console.print(f"{mark}split {number}")
        for move in one.moves:
            console.print(paint_move(move, level) if console.is_terminal else str(move))
    if not found.complete:
        console.print(f"{mark}there are more: --limit")


def read_hand(cards: list[str] | None, deal: int | None, seat: int | None) -> gd.Hand:
    """Return the hand of the arguments: of the cards, or of a seat of a deal."""
    if cards and deal is not None:
        raise ValueError("give the cards of a hand or --deal, not both")
    if deal is None:
        if seat is not None:
            raise ValueError("--seat is a seat of a deal: give --deal too")
        if not cards:
            raise ValueError('give the cards of a hand, such as "S3 C3 H2", or --deal SEED')
        return gd.Hand(" ".join(cards))
    if seat not in (None, 0, 1, 2, 3):
        raise ValueError(f"there is no seat {seat}: want 0, 1, 2 or 3")
    return gd.deal_hands(deal)[seat or 0]


def kind_counts(listed: gd.MoveList) -> dict[str, int]:
    """Return how many moves there are of each kind, in list order."""
    return {kind_word(kind): n for kind, n in Counter(listed.kinds.tolist()).items()}


def print_lines(hand: gd.Hand, level: str, beat: str | None, listed: gd.MoveList) -> None:
    """Print each move's text on a line, and the rest on lines that begin with #."""
    typer.echo(f"# level {level}, {len(hand)} cards: {hand}")
    if beat:
        typer.echo(f"# to beat: {beat}")
    for kind, group in groupby(listed, key=lambda move: move.kind):
        texts = [str(move) for move in group]
        typer.echo("\n".join([f"# {kind_word(kind)}: {len(texts)}", *texts]))
    typer.echo(f"# total: {len(listed)}")


def print_columns(
    console: Console, hand: gd.Hand, level: str, beat: str | None, listed: gd.MoveList
) -> None:
    """Print the moves of each kind in columns, with the hand above and the total below."""
    console.print(f"level {level}, {len(hand)} cards")
    console.print(paint(in_level_order(hand, level), level), soft_wrap=False)
    if hand.count("H" + level):
        console.print("* marks a wild:", paint(["H" + level], level))
    if beat:
        console.print("to beat:", beat)
    for kind, group in groupby(listed, key=lambda move: move.kind):
        block = list(group)
        console.print(Text.assemble("\n", (kind_word(kind), "bold"), f"  {len(block)}"))
        for line in columns(block, level, console.width):
            console.print(line)
    console.print(Text.assemble("\n", ("total", "bold"), f"  {len(listed)}"))

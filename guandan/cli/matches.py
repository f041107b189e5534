"""The commands `match` and `replay`: matches between random movers, and records of matches."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import guandan as gd
from guandan.cli.command import (
    FileWords,
    Json,
    RulesName,
    check_number,
    file_of,
    one_line_errors,
    read_bytes,
    read_rules,
    writing,
)
from guandan.cli.diagram import NARROWEST, SIDE_STYLES
from guandan.cli.history import (
    DealSummary,
    Recorded,
    going_on_text,
    header_text,
    read_match,
    result_text,
    split_deals,
    summaries,
    words,
)
from guandan.cli.paint import in_level_order, paint
from guandan.cli.rules import preset_of
from guandan.cli.tricks import GAP, SKIP, in_lines, play_text, start_of, tricks
from guandan.ending import tie_of
from guandan.record import Dealt, Entry, Event, Header, Played, Result, Returned
from guandan.tribute import Tribute

__all__ = ["commands"]

HEADINGS = ("deal", "level", "declarers", "leader", "order", "levels", "moves", "tribute")
# The tribute, which may be long, has the rest of a line.
WIDTHS = [len("0 2 1 3" if heading == "order" else heading) for heading in HEADINGS[:-1]]
PLAIN_WIDTHS = [len("# deal"), *WIDTHS[1:]]

commands = typer.Typer()


@commands.command(
    epilog="""\b
Examples:
  guandan match --seed 3
  guandan match --seed 3 --rules seed000 --record m.jsonl
  guandan match --deals 4 --json
"""
)
@one_line_errors()
def match(
    seed: Annotated[
        int, typer.Option(metavar="SEED", help="The seed of the deals and of all choices.")
    ] = 0,
    rules: RulesName = "jiangsu2023",
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="End after N deals: the higher level wins.", show_default=False
        ),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write the match to a new file as well.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a match by random choices, and show it deal by deal.

    Each choice is as likely as the others: moves, and what is paid and returned. A
    seed gives the same match each time.

    Each deal has a line: its level, the side that declares, the seat that led, the
    order of going out, both levels after it, that of side 0 first, how many moves
    were made, passes too, and the tribute. "3>0 SA, back D3" is an ace of spades
    paid by seat 3 to seat 0, and a three of diamonds returned; a dash is none. But
    on a terminal all other lines begin with #.
    """
    check_number("--seed", seed, 0, 2**64 - 1)
    chosen = read_rules(rules)
    if deals is not None:
        check_number("--deals", deals, 1, 100_000)
        chosen = chosen.replace(match_end=("deals", deals, tie_of(chosen)))
    with writing(record):
        played = gd.Match(chosen, seed, record=record)
    found = summaries(play_deals(played, record))
    header = played.header
    if as_json:
        shown = list(found)
        typer.echo(json.dumps(match_object(header, shown, played.result)))
        return
    console = Console(highlight=False)
    print_deals(console, header, found)
    assert played.result is not None
    say(console, result_text(played.result))


@commands.command(
    epilog="""\b
Examples:
  guandan replay m.jsonl
  guandan replay m.jsonl --deal 2
  guandan replay m.jsonl --json
"""
)
@one_line_errors()
def replay(
    file: FileWords = None,
    deal: Annotated[
        int | None,
        typer.Option(metavar="N", help="Show all of the N-th deal.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the record of a match deal by deal, or all of one deal.

    FILE is what guandan match --record writes; a lone - is standard input. The
    lines are those of guandan match. A record is checked: of one that is damaged,
    all is shown that comes before the damaged line, then an error.

    With --deal come the hands as they were dealt, tribute, returns and every trick,
    with what players had to say of how many cards they had left. In what is not for
    a terminal the state at the first lead and the moves stand as in a state's
    record, for guandan review; all other lines begin with #, plays that were taken
    back too. One of them says which --rules to give it: a preset, or a file, whose
    lines follow.
    """
    name = file_of(file, "the record of a match")
    found = read_match(name, read_bytes(name))
    shown = found.deals()
    if deal is not None:
        show_deal(found, shown, deal, as_json)
    elif as_json:
        typer.echo(json.dumps(match_object(found.header, shown, found.result)))
    else:
        console = Console(highlight=False)
        print_deals(console, found.header, shown)
        if found.result is not None:
            say(console, result_text(found.result))
        elif found.error is None:
            say(console, f"not over: {going_on_text(found.match)}")
    found.end()


# Matches at random


def play_deals(match: gd.Match, record: str | None) -> Iterator[tuple[Entry, ...]]:
    """Play a match by random choices, and yield what is about each deal as it ends."""
    rng = random.Random(match.seed)
    start = 0
    while match.result is None:
        number = match.deal_number
        with writing(record):
            while match.result is None and match.deal_number == number:
                seat = rng.choice(match.to_act)
                options = match.options(seat)
                match.act(options[rng.randrange(len(options))], seat)
        deal = next(split_deals(match.history[start:]))
        start += len(deal)
        yield deal


def say(console: Console, text: str) -> None:
    """Print what is not data."""
    if console.is_terminal:
        console.print(Text(text, "bold"))
    else:
        typer.echo(f"# {text}")


# Deals in lines


def tribute_text(deal: DealSummary) -> Text:
    """Return what was paid and returned before a deal."""
    if deal.event("resist"):
        return Text("resisted")
    level = deal.dealt.level
    returns = {(back.receiver, back.giver): back.card for back in deal.only(Returned)}
    gifts = []
    for payer, receiver, card in deal.only(Tribute):
        gift = Text(f"{payer}>{receiver} ").append_text(paint([card], level))
        if back := returns.get((payer, receiver)):
            gift.append(", back ").append_text(paint([back], level))
        gifts.append(gift)
    return Text("; ").join(gifts) if gifts else Text("-")


def seats_text(seats: Iterable[int]) -> Text:
    """Return seats in the colours of their sides."""
    return Text(" ").join(Text(str(seat), SIDE_STYLES[seat % 2]) for seat in seats) or Text("-")


def deal_cells(deal: DealSummary) -> list[Text]:
    """Return what a line says of a deal."""
    side = deal.declarers
    return [
        Text(str(deal.number)),
        Text(deal.dealt.level),
        Text("-") if side is None else Text(str(side), SIDE_STYLES[side]),
        seats_text([] if deal.leader is None else [deal.leader]),
        seats_text(deal.order),
        Text("-" if deal.levels is None else " ".join(deal.levels)),
        Text(str(len(deal.stands))),
        tribute_text(deal),
    ]


def print_deals(console: Console, header: Header, deals: Iterable[DealSummary]) -> None:
    """Print how a match began, and a line for each deal as soon as it is there."""
    console.width = max(console.width, NARROWEST)
    say(console, header_text(header))
    mark = "" if console.is_terminal else "# "
    print_cells(console, [Text(heading, "bold") for heading in (mark + HEADINGS[0], *HEADINGS[1:])])
    for deal in deals:
        print_cells(console, deal_cells(deal))
        for event in deal.calls:
            say(console, f"deal {deal.number}: {words(event)}")


def print_cells(console: Console, cells: Sequence[Text]) -> None:
    """Print the cells of a line in columns; the last is broken where a terminal is narrow."""
    if not console.is_terminal:
        *row, last = (cell.plain for cell in cells)
        typer.echo(GAP.join([*map(str.ljust, row, PLAIN_WIDTHS), last]))
        return
    grid = Table.grid(padding=(0, len(GAP), 0, 0))
    for width in WIDTHS:
        grid.add_column(width=width)
    grid.add_row(*cells)
    console.print(grid)


# One deal in full


def show_deal(found: Recorded, deals: Sequence[DealSummary], number: int, as_json: bool) -> None:
    """Print all of a deal."""
    if number > len(deals):
        found.end()
    check_number("--deal", number, 1, len(deals))
    deal = deals[number - 1]
    # Before the first lead there is no state to show, nor is there one before a damaged line.
    start = start_of(found.match.deals[number - 1]) if deal.only(Played) else None
    if as_json:
        typer.echo(json.dumps(full_object(deal, start if deal.stands else None)))
        return
    console = Console(highlight=False)
    if console.is_terminal:
        print_deal(console, deal, start)
    else:
        typer.echo("\n".join(deal_lines(deal, start, found.header.rules)))


def deal_text(deal: DealSummary) -> str:
    """Return a heading for a deal."""
    who = "nobody" if deal.declarers is None else f"side {deal.declarers}"
    return f"deal {deal.number}, level {deal.dealt.level}, {who} declares"


def deal_lines(deal: DealSummary, start: gd.State | None, rules: gd.Rules) -> Iterator[str]:
    """Yield a deal as a record that guandan review reads, the rest in words after #."""
    yield f"# {deal_text(deal)}"
    moves = {} if start is None else dict(move_lines(start, deal))
    if moves:
        yield from rules_lines(rules)
    for place, entry in enumerate(deal.entries):
        if place in moves:
            yield from moves[place]
        elif isinstance(entry, Played):
            yield f"# seat {entry.seat} plays {entry.move}, {deal.gone[place].said}"
        elif isinstance(entry, Dealt):
            for seat, hand in enumerate(deal.dealt.hands):
                yield f"# seat {seat}  {' '.join(in_level_order(hand, deal.dealt.level))}"
        elif entry[0] != "taken_back" or deal.denier(place) is None:  # that it is denied was said
            yield f"# {words(entry)}"


def rules_lines(rules: gd.Rules) -> Iterator[str]:
    """Yield what guandan review must be told of the rules, after #."""
    if name := preset_of(rules):
        yield f"# rules {name}: for guandan review - --rules {name}"
        return
    yield "# rules of no preset: for guandan review - --rules r.toml, with these lines in r.toml"
    for line in rules.to_toml().splitlines():
        yield f"#   {line}"


def move_lines(start: gd.State, deal: DealSummary) -> Iterator[tuple[int, list[str]]]:
    """Yield where each move is, and its lines: also the state before it, and a trick's number."""
    lines = [str(start)]
    left = iter(deal.stands)
    for number, trick in enumerate(tricks(start, (one.move for one in deal.stands)), 1):
        seats = " ".join(str(play.seat) for play in trick)
        lines.append(f"# trick {number}, seats {seats}")
        for play in trick:
            place, _, move, is_lost = next(left)
            lines.append(SKIP if is_lost else str(move))
            if play.note:
                lines.append(f"# seat {play.seat} is {play.note}")
            yield place, lines
            lines = []


def print_deal(console: Console, deal: DealSummary, start: gd.State | None) -> None:
    """Print a deal in colour: the hands as dealt, the tribute, and trick by trick what followed."""
    level = deal.dealt.level
    say(console, deal_text(deal))
    if extra := deal.event("extra_deal"):
        say(console, words(extra))
    grid = Table.grid(padding=(0, len(GAP), 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    for seat, hand in enumerate(deal.dealt.hands):
        name = Text(f"seat {seat}", SIDE_STYLES[seat % 2])
        grid.add_row(name, paint(in_level_order(hand, level), level, "*"))
    if turned := deal.event("turned"):
        card = paint([str(turned.detail)], level)
        grid.add_row("leader", Text.assemble(f"seat {turned.seat}, ", card, " is turned up"))
    else:
        grid.add_row("tribute", tribute_text(deal))
    for row in play_rows(deal, start, console.width):
        grid.add_row(*row)
    grid.add_row("order", seats_text(deal.order))
    if deal.levels is not None:
        grid.add_row("levels", " ".join(deal.levels))
    for result in deal.only(Result):
        grid.add_row("result", result_text(result))
    console.print(grid)


def play_rows(deal: DealSummary, start: gd.State | None, width: int) -> Iterator[tuple[str, Text]]:
    """Yield the rows of tricks, with plays that went back, and of calls, each in its place."""
    plays = {} if start is None else numbered_plays(deal, start)
    room = width - len(f"trick {max((number for number, _ in plays.values()), default=0)}{GAP}")
    calls = deal.calls
    row: list[Text] = []
    name, last = "", 0
    for place, entry in enumerate(deal.entries):
        number, text = plays.get(place, (last, None))
        is_call = entry in calls
        if row and (is_call or number != last):
            yield name, in_lines(row, room)
            name, row = "", []
        if is_call:
            yield "referee", Text(words(entry))
        if number != last:
            name, last = f"trick {number}", number
        if text is not None:
            row.append(text)
    if row:
        yield name, in_lines(row, room)


def numbered_plays(deal: DealSummary, start: gd.State) -> dict[int, tuple[int, Text]]:
    """Return each move, also what went back, after its trick's number, by where its entry is."""
    level = start.level
    shown = {}
    left = iter(deal.stands)
    moves = [one.move for one in deal.stands]
    for number, trick in enumerate(tricks(start, moves, notes_on(deal)), 1):
        for play in trick:
            shown[next(left).place] = number, play_text(play, level)
    for place, (moves_then, note, _) in deal.gone.items():
        *before, trick = tricks(start, moves_then)
        text = play_text(trick[-1]._replace(note=note), level)
        text.stylize("strike")
        shown[place] = len(before) + 1, text
    return shown


def counts_said(deal: DealSummary) -> dict[int, int]:
    """Return how many cards a seat said it had left after a move, by where the move is."""
    said: dict[int, int] = {}
    last = 0
    for place, entry in enumerate(deal.entries):
        if isinstance(entry, Played):
            last = place
        elif isinstance(entry, Event) and entry.name == "left":
            said[last] = int(entry.detail or 0)
    return said


def notes_on(deal: DealSummary) -> dict[int, str]:
    """Return what is to be said of moves: cards that are left, turns that are lost."""
    said = counts_said(deal)
    return {
        index: "turn lost" if one.is_lost else f"{said[one.place]} left"
        for index, one in enumerate(deal.stands)
        if one.is_lost or one.place in said
    }


# JSON


def match_object(
    header: Header, deals: Iterable[DealSummary], result: Result | None
) -> dict[str, Any]:
    """Return what --json prints of a match."""
    return {
        "seed": header.dealer.seed,
        "rules": header.rules.changes(),
        "deals": list(map(deal_object, deals)),
        "result": None if result is None else result._asdict(),
    }


def deal_object(deal: DealSummary) -> dict[str, Any]:
    """Return what --json prints of a deal."""
    turned = deal.event("turned")
    return {
        "deal": deal.number,
        "level": deal.dealt.level,
        "declarers": deal.declarers,
        "turned": None if turned is None else turned.detail,
        "resisted": deal.event("resist") is not None,
        "tributes": [tribute._asdict() for tribute in deal.only(Tribute)],
        "returns": [back._asdict() for back in deal.only(Returned)],
        "leader": deal.leader,
        "order": deal.order,
        "levels": deal.levels,
        "moves": len(deal.stands),
        "events": [list(event) for event in deal.calls],
    }


def full_object(deal: DealSummary, start: gd.State | None) -> dict[str, Any]:
    """Return what --json prints of a deal in full."""
    said = counts_said(deal)
    return {
        **deal_object(deal),
        "hands": list(map(str, deal.dealt.hands)),
        "state": None if start is None else str(start),
        "plays": [
            {"seat": seat, "move": str(move), "left": said.get(place), "turn_lost": is_lost}
            for place, seat, move, is_lost in deal.stands
        ],
    }

"""The commands `deal`, `perft` and `simulate`: deals shown, counted and played out."""

import json
from itertools import zip_longest
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

import guandan as gd
from guandan.cli.command import (
    EXAMPLE,
    Json,
    RulesName,
    StateCommand,
    StateWords,
    check_number,
    one_line_errors,
    per_second,
    read_lines,
    read_rules,
)
from guandan.cli.diagram import plain_lines, print_picture
from guandan.cli.paint import paint_move
from guandan.cli.progress import progress_bar

__all__ = ["commands"]

CHUNK = 8192  # deals of a thread in one call: a small part of a second
PERCENTILES = (50, 90, 99)
NAME_WIDTH = len("legal moves per decision")
NUMBER_WIDTH = 8

Seed = Annotated[
    int | None,
    typer.Option(metavar="SEED", help="Take a seeded deal in place of STATE.", show_default=False),
]
DealLevel = Annotated[
    str | None,
    typer.Option(
        metavar="RANK", help="The level of that deal; 2 if not given.", show_default=False
    ),
]

commands = typer.Typer()


@commands.command(
    cls=StateCommand,
    epilog="""\b
Examples:
  guandan deal --seed 7 --level 2
  guandan deal "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"
  guandan deal --seed 7 --json
  guandan deal --seed 7 | guandan perft - --depth 2
""",
)
@one_line_errors()
def deal(
    state: StateWords = None,
    seed: Seed = None,
    level: DealLevel = None,
    rules: RulesName = "jiangsu2023",
    as_json: Json = False,
) -> None:
    """Show a deal: four hands round a table, and what is to beat.

    STATE is a state's text: four hands, level, turn, table, seats out; --seed
    takes its place. A lone - reads it from standard input.

    Seat 0 is at the bottom, seat 1 on the right: the turn goes against the clock.
    The cards of a rank stand together, the ranks rise up to the level and the
    jokers. The state's text comes last; in what is not for a terminal all other
    lines begin with #.
    """
    shown = read_state(state, seed, level, rules)
    if as_json:
        typer.echo(json.dumps(deal_object(shown)))
        return
    console = Console(highlight=False)
    if console.is_terminal:
        print_picture(console, shown)
    else:
        typer.echo("\n".join(f"# {line}".rstrip() for line in plain_lines(shown)))
    typer.echo(str(shown))


@commands.command(
    cls=StateCommand,
    epilog="""\b
Examples:
  guandan perft "S3C3/S4/HR/D2 5 0 - -" --depth 4
  guandan perft --seed 7 --level 2 --depth 2
  guandan perft --seed 7 --json
""",
)
@one_line_errors()
def perft(
    state: StateWords = None,
    depth: Annotated[
        int, typer.Option(metavar="N", help="The number of moves, passes included.")
    ] = 3,
    seed: Seed = None,
    level: DealLevel = None,
    rules: RulesName = "jiangsu2023",
    as_json: Json = False,
) -> None:
    """Count the sequences of --depth legal moves, split by the first.

    STATE is a state's text: four hands, level, turn, table, seats out; --seed
    takes its place. A lone - reads it from standard input.

    Sequences that the end of the deal cuts short do not count. The nodes are the
    positions after 1 to --depth moves. In what is not for a terminal all lines
    but those of the split begin with #.
    """
    check_number("--depth", depth, 0, 1000)
    root = read_state(state, seed, level, rules)
    start = perf_counter()
    counts, nodes = split(root, depth)
    seconds = perf_counter() - start
    total = sum(counts.values()) if depth else 1
    if as_json:
        texts = {str(move): count for move, count in counts.items()}
        result = {"total": total, "split": texts, "nodes": nodes, "seconds": seconds}
        typer.echo(json.dumps({**result, "depth": depth}))
        return
    speed = f"{seconds:.4f} s, {per_second(nodes, seconds):,.0f} nodes/s"
    console = Console(highlight=False, soft_wrap=True)
    if console.is_terminal:
        print_split(console, counts, root.level)
        console.print(Text.assemble(("total", "bold"), f"  {total:,}"))
        console.print(Text.assemble(("nodes", "bold"), f"  {nodes:,} in {speed}"))
    else:
        typer.echo(f"# depth {depth} from {root}")
        for move, count in counts.items():
            typer.echo(f"{move}: {count}")
        typer.echo(f"# total: {total}\n# nodes: {nodes} in {speed}")


@commands.command(
    epilog="""\b
Examples:
  guandan simulate --deals 100000 --seed 1
  guandan simulate --deals 20000 --level A --threads 2
  guandan simulate --deals 20000 --json
"""
)
@one_line_errors()
def simulate(
    deals: Annotated[int, typer.Option(metavar="N", help="The number of deals.")] = 100_000,
    seed: Annotated[
        int, typer.Option(metavar="SEED", help="The first deal's seed; each next adds one.")
    ] = 0,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="RANK",
            help="The level of all deals; if not given, each seed draws one.",
            show_default=False,
        ),
    ] = None,
    rules: RulesName = "jiangsu2023",
    threads: Annotated[int, typer.Option(metavar="N", help="The number of threads.")] = 1,
    as_json: Json = False,
) -> None:
    """Play deals to their ends by random legal moves, and sum them up.

    Each legal move is as likely as the others. A decision is a turn whose list of
    moves is not the pass alone; any other turn is a forced pass. Leads and
    replies are the decisions, openings the first leads of the deals. The payoff
    is the level steps of side 0, seats 0 and 2.

    All but the times depends on the deals alone, not on the number of threads.
    """
    check_number("--deals", deals, 1, 10**12)
    check_number("--threads", threads, 1, 1024)
    check_number("--seed", seed, 0, 2**64 - deals)
    played = play_deals(range(seed, seed + deals), level, read_rules(rules), threads)
    if as_json:
        typer.echo(json.dumps(played))
        return
    console = Console(highlight=False)
    seeds = f"seeds {seed} to {seed + deals - 1}" if deals > 1 else f"seed {seed}"
    at = f"level {level}" if level else "levels drawn by the seeds"
    console.print(f"{seeds}, {at}, rules {rules}")
    console.print()
    print_played(console, played)


# States as they are given


def read_state(
    words: list[str] | None, seed: int | None, level: str | None, rules: str
) -> gd.State:
    """Return the state of the arguments: of a text, of standard input, or dealt by a seed."""
    chosen = read_rules(rules)
    if words and seed is not None:
        raise ValueError("give a state or --seed, not both")
    if seed is not None:
        return gd.State.deal("2" if level is None else level, seed, rules=chosen)
    if level is not None:
        raise ValueError("--level is that of a deal by --seed: a state's text has its own")
    if not words:
        raise ValueError(f'give a state, such as "{EXAMPLE}", or --seed SEED')
    text = read_input() if words == ["-"] else " ".join(words).strip()
    return gd.State.parse(text, rules=chosen)


def read_input() -> str:
    """Return the one line of standard input that does not begin with #."""
    found = read_lines("-")
    if len(found) != 1:
        raise ValueError(f"standard input holds {len(found)} states: want one, on a line")
    [(_, text)] = found
    return text


# deal


def deal_object(state: gd.State) -> dict[str, Any]:
    """Return what --json prints of a state."""
    return {
        "state": str(state),
        "level": state.level,
        "turn": state.turn,
        "table": None if state.table is None else str(state.table),
        "owner": state.owner,
        "out": list(state.out),
        "hands": [str(hand) for hand in state.hands],
        "counts": [len(hand) for hand in state.hands],
    }


# perft


def split(root: gd.State, depth: int) -> tuple[dict[gd.Move, int], int]:
    """Return how many sequences of `depth` moves begin with each move, and the nodes of all."""
    moves = root.legal_moves() if depth and not root.is_over else ()
    state = root.copy()
    counts: dict[gd.Move, int] = {}
    nodes = 0
    with progress_bar(len(moves), "first moves") as advance:
        for move in moves:
            state.push(move)
            for left in range(depth):
                counts[move] = state.perft(left)
                nodes += counts[move]
                if not counts[move]:
                    break  # the deal is over before: there is nothing further down
            state.pop()
            advance(1)
    return counts, nodes


def print_split(console: Console, counts: dict[gd.Move, int], level: str) -> None:
    """Print each first move in colour with its count."""
    texts = [paint_move(move, level) for move in counts]
    width = max(map(len, texts), default=0)
    digits = max((len(f"{count:,}") for count in counts.values()), default=0)
    for text, count in zip(texts, counts.values(), strict=True):
        text.pad_right(width - len(text))
        console.print(text.append(f"  {count:>{digits},}"))


# simulate


def play_deals(seeds: range, level: str | None, rules: gd.Rules, threads: int) -> dict[str, Any]:
    """Play one deal for each seed and return what --json prints."""
    payoffs = dict.fromkeys(sorted({*rules.steps, *(-n for n in rules.steps)}, reverse=True), 0)
    tally = gd.Tally()
    turns = decisions = 0
    start = perf_counter()
    with progress_bar(len(seeds), "deals") as advance:
        for first in range(0, len(seeds), CHUNK * threads):
            chunk = seeds[first : first + CHUNK * threads]
            played = gd.playouts(chunk, level=level, rules=rules, threads=threads, tally=tally)
            turns += int(played.lengths.sum())
            decisions += int(played.decisions.sum())
            for payoff in payoffs:
                payoffs[payoff] += int((played.payoffs == payoff).sum())
            advance(len(chunk))
    seconds = perf_counter() - start
    return {
        "deals": len(seeds),
        "decisions": decisions,
        "forced_passes": turns - decisions,
        "deals_per_second": per_second(len(seeds), seconds),
        "decisions_per_second": per_second(decisions, seconds),
        "seconds": seconds,
        "payoffs": {str(payoff): n / len(seeds) for payoff, n in payoffs.items()},
        "legal_moves": {
            "all": spread(tally.leads + tally.replies),
            "leads": spread(tally.leads),
            "replies": spread(tally.replies),
            "openings": spread(tally.openings),
        },
    }


def spread(histogram: NDArray[np.int64]) -> dict[str, float | int | None]:
    """Return mean, percentiles and maximum of a histogram; None for each where it is empty.

    A percentile is the smallest value with at least that share at or below it.
    """
    sums = histogram.cumsum()
    total = int(sums[-1])
    if not total:
        return dict.fromkeys(["mean", *(f"p{share}" for share in PERCENTILES), "max"])
    found: dict[str, float | int | None] = {
        "mean": int((histogram * np.arange(len(histogram))).sum()) / total
    }
    for share in PERCENTILES:
        found[f"p{share}"] = int((sums * 100 >= total * share).argmax())
    found["max"] = int(histogram.nonzero()[0][-1])
    return found


def print_table(console: Console, *rows: list[str]) -> None:
    """Print a name and numbers in each row, the first row in bold."""
    sizes = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    for row in rows:
        numbers = zip(row[1:], sizes[1:], strict=False)
        line = row[0].ljust(NAME_WIDTH)
        line += "".join(number.rjust(max(size + 2, NUMBER_WIDTH)) for number, size in numbers)
        console.print(line, style="bold" if row is rows[0] else "")


def print_played(console: Console, played: dict[str, Any]) -> None:
    """Print what `play_deals` returns."""
    print_table(
        console,
        ["", "number", "a second"],
        *(
            [name, f"{played[name]:,}", f"{played[f'{name}_per_second']:,.0f}"]
            for name in ("deals", "decisions")
        ),
        ["forced passes", f"{played['forced_passes']:,}"],
        ["seconds", f"{played['seconds']:.2f}"],
    )
    console.print()
    print_table(
        console,
        ["payoff for side 0", *(f"{int(payoff):+d}" for payoff in played["payoffs"])],
        ["share of deals", *(f"{share:.1%}" for share in played["payoffs"].values())],
    )
    console.print()
    rows = played["legal_moves"]
    print_table(
        console,
        ["legal moves per decision", *rows["all"]],
        *([name, *map(number_text, numbers.values())] for name, numbers in rows.items()),
    )


def number_text(number: float | None) -> str:
    """Return a number to read, a dash where there is none."""
    if number is None:
        return "-"
    return f"{number:,.1f}" if isinstance(number, float) else f"{number:,}"

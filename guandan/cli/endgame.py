"""The commands `solve` and `review`: endgames solved, records of play reviewed."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

import guandan as gd
from guandan.cli.command import (
    EXAMPLE,
    Json,
    Preset,
    StateCommand,
    StateWords,
    check_number,
    is_file,
    one_line_errors,
    per_second,
    read_lines,
    title,
)
from guandan.cli.diagram import PLACES, SIDE_STYLES
from guandan.cli.paint import paint_move
from guandan.cli.progress import progress_bar

__all__ = ["commands"]

CHUNK = 32  # states of a thread in one call: so many at most are lost to an interrupt
MOST_BEST = 3  # of the best moves that a review shows in a line
HEADINGS = ("ply", "seat", "before", "after", "lost", "move", "best")
REACHED = {True: "yes", False: "no", None: "open"}

Nodes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Stop a search at so many nodes.", show_default=False),
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="S", help="Stop a search after so many seconds.", show_default=False),
]
TableMb = Annotated[
    float, typer.Option("--table-mb", metavar="MIB", help="The most memory of a thread's table.")
]

commands = typer.Typer()


class Solved(NamedTuple):
    """A state of the arguments with what was found: its solution, and if wanted its moves."""

    place: str
    found: gd.Solution | Exception
    rated: list[gd.RatedMove] | None


@commands.command(
    cls=StateCommand,
    epilog="""\b
Examples:
  guandan solve "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -"
  guandan solve "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -" --all
  guandan solve states.txt --seconds 10 --threads 2 --json
  guandan solve "S3C3S9/S4/HR/D7 2 0 - -" | guandan review -
""",
)
@one_line_errors()
def solve(
    state: StateWords = None,
    every: Annotated[
        bool, typer.Option("--all", help="Show the value of every legal move, best first.")
    ] = False,
    target: Annotated[
        float | None,
        typer.Option(
            metavar="K",
            help="Ask only whether the side to move gets K level steps or more.",
            show_default=False,
        ),
    ] = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    threads: Annotated[
        int, typer.Option(metavar="N", help="The number of threads, for a file of states.")
    ] = 1,
    table_mb: TableMb = 256,
    rules: Preset = "jiangsu2023",
    as_json: Json = False,
) -> None:
    """Solve an endgame with open cards: its value and a best line.

    STATE is a state's text: four hands, level, turn, table, seats out; or it is a
    file of states, one a line, lines with # left out; a lone - is standard input.

    Values are level steps for the side to move: +3 to +1 if it makes the first
    player, by the place of its other one, -1 to -3 if not. What a limit leaves
    open is said with bounds; the limits are for each state, and with --all once
    more for its moves.

    Of one state a terminal shows the line trick by trick. Anything else gets the
    state and the moves of the line, which guandan review reads, or with --all every
    move with its value; all other lines begin with #. Of several states each has a
    line: value, state and best move, two spaces between; with --json, an object.
    """
    check_limits(nodes, seconds)
    check_number("--threads", threads, 1, 1024)
    if every and target is not None:
        raise ValueError("--target asks less than --all: give one of them")
    if every and threads > 1:
        raise ValueError("--all works on one thread")
    given = read_states(state or [])
    chosen = gd.Rules.preset(rules)
    if every:
        results = rate_all(given, chosen, gd.Solver(table_mb), nodes, seconds)
    else:
        solve_many = partial(
            gd.solve_many,
            threads=threads,
            nodes=nodes,
            seconds=seconds,
            table_mb=table_mb,
            target=target,
            rules=chosen,
        )
        results = solve_all(given, solve_many, CHUNK * threads)
    if len(given) == 1:
        [solved] = results
        print_one(solved, target, as_json)
    else:
        print_several(results, len(given), target, as_json)


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
    file: Annotated[list[str] | None, typer.Argument(metavar="FILE", hidden=True)] = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    table_mb: TableMb = 256,
    rules: Preset = "jiangsu2023",
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
    if not file or not is_file(file):
        what = f"{' '.join(file)!r:.60} is no file" if file else "give a file"
        raise ValueError(f"{what}: want one with a state, then a move on each line")
    state = read_record(file[0], gd.Rules.preset(rules))
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


# Arguments


def check_limits(nodes: int | None, seconds: float | None) -> None:
    """Raise ValueError for a limit that is negative or none."""
    if nodes is not None:
        check_number("--nodes", nodes, 0, 10**18)
    if seconds is not None:
        check_number("--seconds", seconds, 0, 10**9)


def read_states(words: list[str]) -> list[tuple[str, str]]:
    """Return the texts of the states of the arguments, each after the name of its place."""
    if not words:
        raise ValueError(f'give a state, such as "{EXAMPLE}", or a file of states')
    if is_file(words):
        given = read_lines(words[0])
        if not given:
            raise ValueError(f"{title(words[0])} holds no states")
        return given
    text = " ".join(words).strip()
    if not text.count(" "):
        raise ValueError(f'{text!r:.60} is neither a file nor a state, such as "{EXAMPLE}"')
    return [("", text)]


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


def start_of(state: gd.State) -> gd.State:
    """Return the state with which a history begins."""
    start = state.copy()
    for _ in state.history:
        start.pop()
    return start


# solve


def solve_all(
    given: Sequence[tuple[str, str]], solve_many: Callable[..., list[gd.Solution]], chunk: int
) -> Iterator[Solved]:
    """Solve states, some at a time, and give what was found of each."""
    with progress_bar(len(given), "states") as advance:
        for first in range(0, len(given), chunk):
            places, texts = zip(*given[first : first + chunk], strict=True)
            errors: dict[int, Exception] = {}
            try:
                found = solve_many(texts, progress=lambda done, total: advance(1))
            except gd.SolveError as error:
                errors, found = error.errors, error.solutions
            for i, place in enumerate(places):
                yield Solved(place, errors.get(i) or found[i], None)


def rate_all(
    given: Sequence[tuple[str, str]],
    rules: gd.Rules,
    solver: gd.Solver,
    nodes: int | None,
    seconds: float | None,
) -> Iterator[Solved]:
    """Solve states and rate all their moves, and give what was found of each."""
    with progress_bar(len(given), "states") as advance:
        for place, text in given:
            try:
                state = gd.State.parse(text, rules=rules)
                if nodes is not None:  # what they come to must not depend on other states
                    solver.clear()
                found = solver.solve(state, nodes, seconds)
                yield Solved(place, found, solver.rate_moves(state, "exact", nodes, seconds))
            except ValueError as error:
                yield Solved(place, error, None)
            advance(1)


def print_one(solved: Solved, target: float | None, as_json: bool) -> None:
    """Print all that was found of the only state."""
    found = solved.found
    if isinstance(found, Exception):
        raise ValueError(f"{solved.place}: {found}" if solved.place else str(found))
    if as_json:
        typer.echo(json.dumps(solution_object(found, target, solved.rated)))
        return
    console = Console(highlight=False)
    if console.is_terminal:
        print_solution(console, found, target, solved.rated)
    else:
        print_record(found, target, solved.rated)


def print_several(
    results: Iterator[Solved], number: int, target: float | None, as_json: bool
) -> None:
    """Print a line for each state, and errors on standard error; these make the status 2."""
    n_proven = nodes = n_errors = 0
    seconds = 0.0
    for place, found, rated in results:
        if isinstance(found, Exception):
            typer.echo(f"guandan: {place}: {found}", err=True)
            n_errors += 1
            continue
        n_proven += found.proven
        nodes += found.nodes
        seconds += found.seconds
        if as_json:
            typer.echo(json.dumps(solution_object(found, target, rated)))
            continue
        answer = value_text(found) if target is None else REACHED[found.reached]
        typer.echo(f"{answer:<6}  {found.state}  {found.best or '-'}")
        for one in rated or ():
            typer.echo(f"  {one.move}: {rated_text(one)}")
    if not as_json:
        typer.echo(f"# {number} states, {n_proven} proven, {n_errors} with errors")
        typer.echo(f"# {speed_text(nodes, seconds)}")
    if n_errors:
        raise typer.Exit(2)


def solution_object(
    found: gd.Solution, target: float | None, rated: list[gd.RatedMove] | None
) -> dict[str, Any]:
    """Return what --json prints of a solution."""
    result: dict[str, Any] = {
        "state": found.state,
        "value": found.value,
        "payoff": found.payoff,
        "best": None if found.best is None else str(found.best),
        "line": list(map(str, found.line)),
        "lower": found.lower,
        "upper": found.upper,
        "proven": found.proven,
        "nodes": found.nodes,
        "seconds": found.seconds,
    }
    if target is not None:
        result |= {"target": target, "reached": found.reached}
    if rated is not None:
        result["moves"] = [{**one._asdict(), "move": str(one.move)} for one in rated]
    return result


def value_text(found: gd.Solution | gd.RatedMove) -> str:
    """Return a value, or its bounds where it is not known."""
    if found.value is not None:
        return f"{found.value:+g}"
    return f"{found.lower:+g}..{found.upper:+g}"


def rated_text(one: gd.RatedMove) -> str:
    """Return the value of a move, marked where it is not known."""
    return value_text(one) if one.proven else f"{value_text(one)} not proven"


def speed_text(nodes: int, seconds: float) -> str:
    """Return what a search took."""
    return f"{nodes:,} nodes in {seconds:.4f} s, {per_second(nodes, seconds):,.0f} nodes/s"


def answers(found: gd.Solution, target: float | None) -> Iterator[tuple[str, str]]:
    """Yield what was asked and the answer, in words."""
    side = (start(found).turn or 0) % 2
    if target is not None:
        reached = {True: "reached", False: "not reached", None: "not decided"}
        yield "target", f"{target:+g} for side {side}: {reached[found.reached]}"
    if found.value is not None:
        yield "value", f"{found.value:+g} for side {side}{outcome_text(found)}"
    else:
        first = side if found.lower > 0 else 1 - side if found.upper < 0 else None
        known = "" if first is None else f": side {first} first"
        open_by = "" if found.proven else ", not proven"
        bounds = f"{found.lower:+g} to {found.upper:+g}"
        yield "value", f"{bounds} for side {side}{known}{open_by}"


def outcome_text(found: gd.Solution) -> str:
    """Return in words what a line ends in, if it does end."""
    at = start(found)
    for move in found.line:
        at.push(move)
    if at.order is None:
        return ""
    first, *others = at.order
    place = PLACES[1 + others.index(first ^ 2)]
    return f": side {first % 2} first, its other player {place}"


def start(found: gd.Solution) -> gd.State:
    """Return the state that was solved."""
    return gd.State.parse(found.state, rules=found.rules)


class Play(NamedTuple):
    """A move of a line, who made it, and the place that it gave him."""

    seat: int
    move: gd.Move
    place: str


def tricks(found: gd.Solution) -> Iterator[list[Play]]:
    """Yield the tricks of a line."""
    at = start(found)
    trick: list[Play] = []
    for move in found.line:
        if at.table is None and trick:
            yield trick
            trick = []
        seat, n_out = at.turn, len(at.out)
        assert seat is not None
        at.push(move)
        trick.append(Play(seat, move, PLACES[n_out] if len(at.out) > n_out else ""))
    if trick:
        yield trick


def print_record(
    found: gd.Solution, target: float | None, rated: list[gd.RatedMove] | None
) -> None:
    """Print the state and the moves of the line, or every move; the rest after #."""
    typer.echo(found.state)
    for what, answer in answers(found, target):
        typer.echo(f"# {what} {answer}")
    if found.best is not None:
        typer.echo(f"# best {found.best}")
    if rated is None:
        for number, trick in enumerate(tricks(found), 1):
            typer.echo(f"# trick {number}, from seat {trick[0].seat}")
            typer.echo("\n".join(str(play.move) for play in trick))
    for one in rated or ():
        typer.echo(f"{one.move}: {rated_text(one)}")
    typer.echo(f"# {speed_text(found.nodes, found.seconds)}")


def print_solution(
    console: Console,
    found: gd.Solution,
    target: float | None,
    rated: list[gd.RatedMove] | None,
) -> None:
    """Print what was found of a state: in words, trick by trick, move by move."""
    level = start(found).level
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    for what, answer in answers(found, target):
        proven = "  proven" if what == "value" and found.value is not None else ""
        grid.add_row(what, Text.assemble(answer, (proven, "green")))
    if found.best is not None:
        grid.add_row("best", paint_move(found.best, level))
    grid.add_row("nodes", speed_text(found.nodes, found.seconds))
    for number, trick in enumerate(tricks(found), 1):
        if number == 1:
            grid.add_row()
        grid.add_row(f"trick {number}", Text("  ").join(play_text(play, level) for play in trick))
    console.print(grid)
    if rated is not None:
        console.print()
        width = max(len(rated_text(one)) for one in rated)
        for one in rated:
            value = Text(f"{rated_text(one):<{width}}  ", "" if one.proven else "yellow")
            console.print(value.append_text(paint_move(one.move, level)))


def play_text(play: Play, level: str) -> Text:
    """Return a move after its seat, in colour, with the place that it gave."""
    text = Text.assemble((f"{play.seat} ", SIDE_STYLES[play.seat % 2]))
    text.append_text(paint_move(play.move, level) if play.move.cards else Text("pass", "dim"))
    return text.append(f" ({play.place})", "bold") if play.place else text


# review


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

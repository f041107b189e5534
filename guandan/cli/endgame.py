"""The command `solve`: the values of endgames, of one or of a file of them."""

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
    Nodes,
    RulesName,
    Seconds,
    StateCommand,
    StateWords,
    TableMb,
    check_limits,
    check_number,
    is_file,
    one_line_errors,
    per_second,
    read_lines,
    read_rules,
    title,
)
from guandan.cli.diagram import PLACES
from guandan.cli.paint import paint_move
from guandan.cli.progress import progress_bar
from guandan.cli.tricks import trick_rows, tricks

__all__ = ["commands"]

CHUNK = 32  # states of a thread in one call: so many at most are lost to an interrupt
REACHED = {True: "yes", False: "no", None: "open"}

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
    rules: RulesName = "jiangsu2023",
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
    chosen = read_rules(rules)
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


# Arguments


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
        for number, trick in enumerate(tricks(start(found), found.line), 1):
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
    if found.line:
        grid.add_row()
    for row in trick_rows(list(tricks(start(found), found.line)), level, console.width):
        grid.add_row(*row)
    console.print(grid)
    if rated is not None:
        console.print()
        width = max(len(rated_text(one)) for one in rated)
        for one in rated:
            value = Text(f"{rated_text(one):<{width}}  ", "" if one.proven else "yellow")
            console.print(value.append_text(paint_move(one.move, level)))

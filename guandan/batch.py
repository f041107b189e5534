"""Many endgames solved in one call: on several threads, or wherever an executor takes them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock
from time import sleep
from typing import Any

from guandan.cards import read_int, shorten
from guandan.endgame import Solution, Solver, read_limits
from guandan.errors import SolveError
from guandan.rules import Rules, read_rules
from guandan.scale import Scale, Utility, read_number
from guandan.state import State

__all__ = ["solve_many"]

WAIT = 0.05  # seconds between looks for an interrupt, which Windows does not let end a wait


def solve_many(
    states: Iterable[State | str],
    threads: int = 1,
    nodes: int | None = None,
    seconds: float | None = None,
    table_mb: float = 64,
    target: float | None = None,
    utility: Utility | None = None,
    rules: Rules | None = None,
    progress: Callable[[int, int], object] | None = None,
    map: Callable[..., Iterable[Any]] | None = None,
    chunksize: int = 16,
) -> list[Solution]:
    """Solve many states, each a State or a state's text, and return their solutions in order.

    Each of the `threads` has a table of `table_mb` of its own. The limits are for each state, and
    `rules` for those given as texts; `target` and `utility` are as in `solve`. `progress` is called
    in this thread as states are done, with their number and that of all.

    `map` is used instead of threads: any executor's, or one like the built-in. It gets a function
    that can be pickled and parts of `chunksize` states; what Ctrl-C does is then its own affair.

    States that cannot be solved raise SolveError when all others are done: it has their errors by
    index and all solutions. Other errors are as in `solve`, and raised at once.

    >>> texts = ["S3C3S9/S4/HR/D7 2 0 - -", "S3/S4/S5 2 0 - -"]
    >>> [solution.value for solution in solve_many(texts[:1])]
    [3]
    >>> solve_many(texts)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    guandan.errors.SolveError: 1 of 2 states cannot be solved: [1] 'S3/S4/S5 2 0 - -' has 2...
    """
    given = read_states(states)
    n_threads = read_int("threads", threads, 1)
    size = read_int("chunksize", chunksize, 1)
    if map is not None and n_threads > 1:
        raise ValueError(f"threads={threads}: give threads or a map, not both")
    read_rules(rules)
    tell = read_progress(progress)
    read_map(map)
    read_limits(nodes, seconds)
    Scale.of(Rules(), utility)
    options = {
        "nodes": nodes,
        "seconds": seconds,
        "target": None if target is None else read_number("target", target),
        "utility": None if utility is None else dict(utility),
    }
    results: list[Solution | Exception] = []
    if map is not None:
        work = partial(solve_part, rules=rules, table_mb=table_mb, options=options)
        for part in map(work, parts_of(given, size)):
            results += part
            tell(len(results), len(given))
    elif min(n_threads, len(given)) > 1:
        solvers = [Solver(table_mb) for _ in range(min(n_threads, len(given)))]
        solve_one = partial(attempt, rules=rules, options=options)
        results = in_threads(solve_one, given, solvers, progress)
    else:
        solver = Solver(table_mb)
        for one in given:
            results.append(attempt(solver, one, rules, options))
            tell(len(results), len(given))
    solutions = [None if isinstance(result, Exception) else result for result in results]
    errors = {i: result for i, result in enumerate(results) if isinstance(result, Exception)}
    if errors:
        raise SolveError(errors, solutions)
    return [solution for solution in solutions if solution is not None]


def attempt(
    solver: Solver, given: State | str, rules: Rules | None, options: dict[str, Any]
) -> Solution | Exception:
    """Return a state's solution, or the error that there is in the state."""
    try:
        state = State.parse(given, rules) if isinstance(given, str) else given
        if options["nodes"] is not None:
            solver.clear()  # what a limit leaves open must not depend on the states before
        return solver.solve(state, **options)
    except (TypeError, ValueError) as error:
        return error.with_traceback(None)


def solve_part(
    part: Sequence[State | str], rules: Rules | None, table_mb: float, options: dict[str, Any]
) -> list[Solution | Exception]:
    """Solve some states of many, perhaps in another process."""
    solver = Solver(table_mb)
    return [attempt(solver, given, rules, options) for given in part]


def parts_of(given: Sequence[State | str], size: int) -> Iterator[list[State | str]]:
    """Give the states in parts, without their histories: they are of no use elsewhere."""
    for start in range(0, len(given), size):
        part = given[start : start + size]
        yield [one.copy(history=False) if isinstance(one, State) else one for one in part]


def in_threads(
    work: Callable[[Solver, Any], Any],
    given: Sequence[Any],
    solvers: Sequence[Solver],
    progress: Callable[[int, int], object] | None = None,
) -> list[Any]:
    """Do work for each thing given, with a thread for each solver; return the results in order.

    What interrupts the wait stops all solvers.
    """
    # A tenth of the package's import time.
    from concurrent.futures import Future, ThreadPoolExecutor

    results: list[Any] = [None] * len(given)
    todo = iter(range(len(given)))
    busy: set[Solver] = set()
    taking = Lock()
    news: SimpleQueue[Future[None] | None] = SimpleQueue()

    def take(solver: Solver) -> int | None:
        with taking:
            i = next(todo, None)
            (busy.discard if i is None else busy.add)(solver)
        return i

    def run(solver: Solver) -> None:
        try:
            while (i := take(solver)) is not None:
                results[i] = work(solver, given[i])
                if progress is not None:
                    news.put(None)
        finally:
            busy.discard(solver)

    with ThreadPoolExecutor(len(solvers)) as pool:
        try:
            for solver in solvers:
                pool.submit(run, solver).add_done_callback(news.put)
            done = ended = 0
            while ended < len(solvers):
                with suppress(Empty):
                    run_or_state = news.get(timeout=WAIT)
                    if run_or_state is not None:
                        run_or_state.result()
                        ended += 1
                    elif progress is not None:
                        done += 1
                        progress(done, len(given))
        finally:
            with taking:
                todo = iter(())
            # Again and again: a solver that took a state just now may not have begun with it.
            while busy:
                for solver in solvers:
                    solver.stop()
                sleep(WAIT)
    return results


# Arguments


def read_progress(progress: Callable[[int, int], object] | None) -> Callable[[int, int], object]:
    """Return what is told how much is done."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress={shorten(progress)}: want a function of two numbers, or None")
    return (lambda done, total: None) if progress is None else progress


def read_map(map: Callable[..., Iterable[Any]] | None) -> Callable[..., Iterable[Any]] | None:
    """Return what is used like the built-in map, if anything is."""
    if map is not None and not callable(map):
        raise TypeError(f"map={shorten(map)}: want that of an executor, or None")
    return map


def read_states(states: Iterable[State | str]) -> list[State | str]:
    """Return states as a list."""
    if isinstance(states, (str, State)) or not isinstance(states, Iterable):
        raise TypeError(f"states: want States or their texts, got {shorten(states)}")
    return list(states)

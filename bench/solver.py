"""Time the endgame solver on positions of many sizes, one thread, each with a fresh table.

Run as `python bench/solver.py` with names of files of `endings/`, or without for all. Times are
processor times of one call each; a position that the limit stops counts as a failure and with the
time that it took. Values that are known are asserted.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

from endings import Ending, endings

import guandan as gd

FRESH = (24, 32, 36, 40, 44)
PLAYED = [f"playout{cards}" for cards in (24, 32, 40)] + [f"fresh{cards}" for cards in FRESH]
DECK = [f"deck4x{each}" for each in (6, 7, 8)]


class Run(NamedTuple):
    """What solving a position took, and whether a limit stopped it."""

    seconds: float
    nodes: int
    stopped: bool


def value(ending: Ending, limit: float) -> Run:
    """Find a value."""
    start = time.thread_time()
    found = gd.solve(ending.state, seconds=limit)
    passed = time.thread_time() - start
    known = ending.value
    assert known is None or found.lower <= known <= found.upper, ending
    return Run(passed, found.nodes, not found.proven)


def sign(ending: Ending, limit: float) -> Run:
    """Find who is first."""
    start = time.thread_time()
    found = gd.solve(ending.state, seconds=limit, target=1)
    passed = time.thread_time() - start
    known = ending.value
    assert known is None or found.reached is None or found.reached == (known > 0), ending
    return Run(passed, found.nodes, not found.proven)


def every_move(ending: Ending, limit: float) -> Run:
    """Find the value of every move."""
    start = time.thread_time()
    rated = gd.rate_moves(ending.state, seconds=limit)
    passed = time.thread_time() - start
    best = max(move.lower for move in rated)
    proven = all(move.proven for move in rated)
    assert ending.value is None or not proven or best == ending.value, ending
    return Run(passed, 0, not proven)


def every_sign(ending: Ending, limit: float) -> Run:
    """Find of every move who is first then."""
    start = time.thread_time()
    rated = gd.rate_moves(ending.state, "sign", seconds=limit)
    passed = time.thread_time() - start
    proven = all(move.proven for move in rated)
    if ending.value is not None and proven:
        assert any(move.lower > 0 for move in rated) == (ending.value > 0), ending
    return Run(passed, 0, not proven)


def report(name: str, runs: list[Run]) -> None:
    """Print a row."""
    times = sorted(run.seconds * 1e3 for run in runs)
    nodes = sorted(run.nodes for run in runs)
    n = len(runs)
    columns = [
        f"{name:24}",
        *(f"{times[n * part // 100]:9.2f}" for part in (50, 90, 99)),
        f"{times[-1]:9.0f} {sum(times) / n:9.2f}",
        f"{share(runs, 1):6.0%} {share(runs, 10):6.0%} {sum(run.stopped for run in runs):4}",
        f"{nodes[n // 2]:12,} {sum(nodes) / sum(times) / 1e3:6.1f}",
    ]
    print(" ".join(columns), flush=True)


def share(runs: list[Run], seconds: float) -> float:
    """Return the share of positions that were solved in so many seconds."""
    return sum(not run.stopped and run.seconds <= seconds for run in runs) / len(runs)


def main() -> None:
    """Time what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=[*PLAYED, *DECK], help="files of endings/")
    parser.add_argument("--limit", type=float, default=10.5, help="seconds for each position")
    parser.add_argument("--first", type=int, help="only so many positions of each file")
    arguments = parser.parse_args()
    tasks: dict[str, Callable[[Ending, float], Run]] = {"value": value, "sign": sign}
    small = {**tasks, "every move": every_move, "every sign": every_sign}
    print(f"{'':24} median ms      90 %      99 %   greatest      mean", end=" ")
    print("<= 1 s <=10 s stop median nodes    M/s")
    solved = 0
    for name in arguments.files:
        positions = endings(name)[: arguments.first]
        for task, solve in (small if name == "playout24" else tasks).items():
            runs = [solve(ending, arguments.limit) for ending in positions]
            report(f"{name} {task}", runs)
            if task == "value" and name.startswith("fresh") and share(runs, 1) >= 0.9:
                solved = max(solved, int(name[5:]))
    if solved:
        print(f"C90@1s: {solved}")


if __name__ == "__main__":
    main()

"""Compare two threads of random deals and of solved endings with two processes side by side.

Run as `python bench/threads.py`. Both do the same work, in turns; a round is as long as the slower
of two. Prints the ratios of work per second, threads to processes: the medians of rounds.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import guandan as gd

DEALS = 200_000
TIMES = 6  # that each ending is solved by each half
ROUNDS = 9
HERE = Path(__file__).parent
ONE_PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
import threads
work = getattr(threads, sys.argv[2])
work(int(sys.argv[3]), 1)
print(flush=True)
sys.stdin.readline()
print(work(int(sys.argv[3]), 1), flush=True)
"""


def play(half: int, threads: int) -> int:
    """Play half of the deals, or all with two threads; return the number of decisions."""
    seeds = range(half, DEALS, 2) if threads == 1 else range(DEALS)
    return int(gd.playouts(seeds, threads=threads).decisions.sum())


def solve(half: int, threads: int) -> int:
    """Solve endings, twice as many with two threads; return the sum of their payoffs.

    With a limit of nodes each ending has a fresh table.
    """
    lines = (HERE / "endings" / "fresh24.txt").read_text("utf-8").splitlines()
    states = [line.rsplit(" ", 1)[0] for line in lines] * TIMES * threads
    solutions = gd.solve_many(states, nodes=10**9, threads=threads)
    return int(sum(solution.payoff or 0 for solution in solutions))


def time_processes(work: Callable[[int, int], int]) -> tuple[float, int]:
    """Seconds until two processes have done half the work each, and their answers' sum."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", ONE_PROCESS, str(HERE), work.__name__, str(half)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for half in (0, 1)
    ]
    pipes = [(worker.stdin, worker.stdout) for worker in workers]
    answer = 0
    for _, output in pipes:
        assert output is not None
        output.readline()
    start = time.perf_counter()
    for orders, _ in pipes:
        assert orders is not None
        orders.write("go\n")
        orders.flush()
    for _, output in pipes:
        assert output is not None
        answer += int(output.readline())
    seconds = time.perf_counter() - start
    for worker in workers:
        worker.communicate()
    return seconds, answer


def time_threads(work: Callable[[int, int], int]) -> tuple[float, int]:
    """Seconds until two threads have done the work, and their answer."""
    start = time.perf_counter()
    answer = work(0, 2)
    return time.perf_counter() - start, answer


def main() -> None:
    """Time both in turns and print the ratios."""
    for name, work in {"random deals": play, "endings": solve}.items():
        ratios = []
        for _ in range(ROUNDS):
            processes, answer = time_processes(work)
            threads, same = time_threads(work)
            assert answer == same
            ratios.append(processes / threads)
        print(f"{name}: two threads {statistics.median(ratios):.2f} of two processes", end=" ")
        print(f"(from {min(ratios):.2f} to {max(ratios):.2f})", flush=True)


if __name__ == "__main__":
    main()

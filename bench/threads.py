"""Compare two threads of playouts with two processes of one thread each, side by side.

Run as `python bench/threads.py`. Both play the same deals, in turns; a round is as long as the
slower of two. Prints the ratio of deals per second, threads to processes: the median of rounds.
"""

import statistics
import subprocess
import sys
import time

import guandan as gd

DEALS = 200_000
ROUNDS = 9
ONE_PROCESS = f"""
import sys, guandan as gd
gd.playouts(range(1000))
print(flush=True)
sys.stdin.readline()
print(int(gd.playouts(range(int(sys.argv[1]), {DEALS}, 2)).decisions.sum()), flush=True)
"""


def time_processes() -> tuple[float, int]:
    """Seconds until two processes have played half the deals each, and their decisions."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", ONE_PROCESS, str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for first in (0, 1)
    ]
    pipes = [(worker.stdin, worker.stdout) for worker in workers]
    decisions = 0
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
        decisions += int(output.readline())
    seconds = time.perf_counter() - start
    for worker in workers:
        worker.communicate()
    return seconds, decisions


def time_threads() -> tuple[float, int]:
    """Seconds until two threads have played the deals, and their decisions."""
    start = time.perf_counter()
    decisions = int(gd.playouts(range(DEALS), threads=2).decisions.sum())
    return time.perf_counter() - start, decisions


def main() -> None:
    """Time both in turns and print the ratio."""
    ratios = []
    for _ in range(ROUNDS):
        processes, decisions = time_processes()
        threads, same = time_threads()
        assert decisions == same
        ratios.append(processes / threads)
    print(f"two threads: {statistics.median(ratios):.2f} of two processes", end=" ")
    print(f"(from {min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()

"""Whole matches to time: choice by choice from Python, and played out by the kernels.

Run as `python bench/matches.py`: prints how fast the deals of matches played out are in units of
deals that are dealt and played out one by one, both from Python and timed in turns.
"""

import random
import statistics
import time
from collections.abc import Callable

import guandan as gd

SEED = 1
MATCHES = 200
DEALS = 2_705  # of so many matches played out
WINS = 88  # of side 0 among them
WON_DEALS = 1_343  # of side 0, where as many are played one by one
CHOICES = 1_294  # of a match played by play_in_python


def playouts() -> int:
    """Play a match out again and again; return how often side 0 won."""
    match = gd.Match(seed=SEED)
    return sum(match.playout(seed).winner == 0 for seed in range(MATCHES))


def deals() -> int:
    """Deal and play as many deals one by one; return how often side 0 won."""
    return sum(gd.State.deal("7", seed).playout(seed) > 0 for seed in range(DEALS))


def play_in_python() -> int:
    """Play a match by random choices among its options; return how many they were."""
    rng = random.Random(SEED)
    match = gd.Match(seed=SEED)
    choices = 0
    while match.phase != "over":
        seat = match.to_act[0]
        options = match.options(seat)
        match.act(options[int(rng.random() * len(options))], seat)
        choices += 1
    return choices


def seconds(call: Callable[[], int]) -> float:
    """Time a call on the processor."""
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    """Print the ratio, the median of many turns."""
    ratios = [seconds(deals) / seconds(playouts) for _ in range(100)]
    print(f"deals of matches, in units of deals one by one: {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()

"""Let bots play many deals under every preset of rules, and stop at an illegal choice.

Run as `python tests/soak_bots.py --deals 5000 --seed 1 Greedy Random`: each deal is played twice.
"""

import argparse

import guandan as gd
from guandan.cli.arena import read_bot


def main() -> None:
    """Play, and print a line for each preset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name in gd.Rules.presets():
        found = gd.arena.compare(
            read_bot(given.first),
            read_bot(given.second),
            given.deals,
            seed=given.seed,
            rules=gd.Rules.preset(name),
        )
        wins, steps = found.wins, found.steps
        print(f"{name}: wins {wins.mean:.4f}, steps {steps.mean:+.3f}", flush=True)


if __name__ == "__main__":
    main()

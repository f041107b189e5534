"""Solve many random endings and compare each with minimax over all its lines of play.

Run as `python tests/soak_endings.py --endings 100000 --seed 1 --cards 8 16`. The endings are plain
and rich in combos, under all kinds of rules, steps and utilities; every other is searched by some
of the techniques only, some with a tiny table, and of one in four every move is rated. Larger
endings are drawn seldom: the reference takes a second for one of 16 cards. At last a SHA-256 over
the values is printed.
"""

import argparse
import hashlib
import random
from collections.abc import Mapping
from typing import Any

import reference_deal as ref_deal
import reference_endgame as ref_endgame
from endings import DRAWS, SWITCHES
from positions import played

import guandan as gd
from guandan.search import Search

STEPS = [(3, 2, 1), (4, 2, 1), (1, 1, 1), (2, 5, 1)]
ALL = Search(1).techniques
PROOFS = 1
SHRINKS_BY = 0.55  # how much rarer an ending of one card more is


def ranked(utility: Mapping[ref_deal.Result, float]) -> tuple[list[int], list[float]]:
    """Give the rank of each result's value, and the values by rank."""
    values = sorted(set(utility.values()))
    return [values.index(utility[result]) for result in ref_deal.RESULTS], values


def utility_for(rng: random.Random, steps: ref_deal.Steps) -> dict[ref_deal.Result, float]:
    """Give the steps as a utility, or numbers that no rules give."""
    if rng.random() < 0.2:
        return {result: rng.randint(-3, 3) for result in ref_deal.RESULTS}
    return ref_endgame.in_steps(steps)


def name(move: gd.Move) -> ref_deal.Move:
    """Give a move as the reference has it."""
    return ref_deal.parse_move(str(move))


def check(seed: int, fewest: int, most: int) -> float:
    """Compare one ending and return its value."""
    rng = random.Random(seed)
    sizes = range(fewest, most + 1)
    (cards,) = rng.choices(sizes, [SHRINKS_BY**size for size in sizes])
    switches, steps = rng.choice(SWITCHES), rng.choice(STEPS)
    lead: Any = rng.choice(["partner", "next"])
    text = rng.choice(DRAWS)(rng, cards, switches)
    rules = gd.Rules(steps=steps, lead_after_out=lead, **switches._asdict())
    state = gd.State.parse(text, rules)
    utility = utility_for(rng, steps)
    deal = ref_deal.parse_deal(text, lead, steps, **switches._asdict())
    tree = ref_endgame.Tree(deal, utility)
    ranks, values = ranked(utility)
    first = rng.randint(1, max(1, len(values) - 1))

    # Without a table of some size a search may go through all lines of play, one after the other.
    is_small = cards <= 12
    search = Search(rng.choice([1, 0.001]) if is_small else 1)
    if rng.random() < 0.5:
        search.techniques = rng.randint(0, ALL) | (0 if is_small else PROOFS)
    low, high, line, _ = search.solve(state, ranks, first, 0, len(values) - 1, None, None)
    about = f"{state!r}, utility {utility}, techniques {search.techniques}, seed {seed}"
    assert low == high, about
    assert values[low] == tree.value(deal), about
    out = played(state, line).out
    assert utility[ref_deal.result(out)] == values[low], f"{line}: {about}"
    if rng.random() < 0.25:
        ratings, _, _ = search.rate(state, ranks, first, "exact", None, None)
        rated = {name(move): (values[low], values[high]) for move, low, high in ratings}
        right = {
            move: (tree.value(after), tree.value(after))
            for move, after in ref_deal.positions_after(deal).items()
        }
        assert rated == right, f"{rated}, not {right}: {about}"
    return values[low]


def main() -> None:
    """Check the endings that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endings", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, nargs=2, default=(8, 12), metavar=("FEWEST", "MOST"))
    arguments = parser.parse_args()
    digest = hashlib.sha256()
    for number in range(arguments.endings):
        value = check(arguments.seed + number, *arguments.cards)
        digest.update(f"{value} ".encode())
        if number % 1000 == 999:
            print(f"{number + 1} endings agree", flush=True)
    sizes = " to ".join(map(str, arguments.cards))
    print(f"{arguments.endings} endings of {sizes} cards: passed; sha256 {digest.hexdigest()}")


if __name__ == "__main__":
    main()

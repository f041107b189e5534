"""Play many random deals, under all kinds of rules, and print a SHA-256 over what came of them.

Run as `python tests/soak_deals.py --deals 100000 --seed 1`. Most deals are played by `playouts`;
one in a hundred move by move through State, with every move taken back, texts read again and
perft in between. The digest depends on the arguments alone: two builds that play alike print the
same. In a build with checks every position of the latter is checked.
"""

import argparse
import hashlib
import random
from collections.abc import Iterator

import numpy as np

import guandan as gd

LEVELS = "23456789TJQKA"
RULES = [
    gd.Rules(),
    gd.Rules(straight_reading="low", lead_after_out="next"),
    gd.Rules(straight_flush_downgrade="other_suit", level_full_house_by_wilds=False),
    gd.Rules(straight_flush_downgrade="forbid", bomb_max=8, full_house_joker_pair=False),
]
STEP_BY_STEP = 100


def deal_by_step(seed: int) -> Iterator[int]:
    """Play a deal through State and take it back; give the key of each position."""
    rng = random.Random(seed)
    state = gd.State.deal(LEVELS[seed % 13], seed, rules=RULES[seed % len(RULES)])
    keys = [state.key]
    while not state.is_over:
        moves = state.legal_moves()
        move = moves[rng.randrange(len(moves))]
        if rng.random() < 0.3:
            again = gd.State.parse(str(state), state.rules)
            assert again == state
            assert again.push(str(move)) == move
            assert str(again.copy()) == str(again)
        state.push(move)
        keys.append(state.key)
        if rng.random() < 0.05:
            sequences = state.perft(2)
            assert state.is_over or sequences or state.perft(1)
            yield sequences
    yield from keys
    while keys:
        assert state.key == keys.pop()
        if keys:
            state.pop()


def soak(deals: int, seed: int, threads: int) -> str:
    """Play the deals and return the digest."""
    digest = hashlib.sha256()
    for place, rules in enumerate(RULES):
        seeds = range(seed + place, seed + deals, len(RULES))
        tally = gd.Tally()
        for array in gd.playouts(seeds, rules=rules, threads=threads, tally=tally):
            digest.update(array.tobytes())
        for array in (tally.leads, tally.replies, tally.openings):
            digest.update(array.tobytes())
    for one in range(seed, seed + deals, STEP_BY_STEP):
        digest.update(np.array([*deal_by_step(one)], np.uint64).tobytes())
    return digest.hexdigest()


def main() -> None:
    """Soak as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    digest = soak(args.deals, args.seed, args.threads)
    print(f"{args.deals} deals from seed {args.seed}: sha256 {digest}")


if __name__ == "__main__":
    main()

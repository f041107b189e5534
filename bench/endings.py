"""Positions for timing the solver: where they come from, and their values.

`endings/*.txt` hold a position a line, a state's text and its value for the side to move, "?" where
it is not known yet. The playout files are given; `python bench/endings.py` prints the others again
from their seeds, without values.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import guandan as gd

FOLDER = Path(__file__).parent / "endings"
LEVELS = "23456789TJQKA"
NOISE = 0.15  # the share of moves drawn at random
BOMBS = 0.4  # the share of turns on which a bomb is played where it alone beats the table
SPLITS = 0.35  # the same for replies that break a group
SPREAD = 4  # sizes that a file of endings holds: its own and the three below


class Ending(NamedTuple):
    """A position and its value for the side to move, None where it is not known."""

    state: gd.State
    value: int | None


def endings(name: str) -> list[Ending]:
    """Read a file of positions."""
    found = []
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            text, value = line.rsplit(" ", 1)
            found.append(Ending(gd.State.parse(text), None if value == "?" else int(value)))
    return found


def played_out(cards: int, seed: int) -> Iterator[gd.State]:
    """Give positions of whole deals played greedily with some noise: a lead, nobody out.

    The longest lead goes first and of those the lowest; the lowest reply, bombs and replies that
    break a group seldom.
    """
    while True:
        rng = random.Random(seed)
        state = gd.State.deal(LEVELS[seed % 13], seed)
        seed += 1
        left = sum(map(len, state.hands))
        while not state.out and left > cards - SPREAD:
            if state.table is None and left <= cards:
                yield gd.State.parse(str(state))
                break
            left -= state.push(greedy(rng, state)).size


def greedy(rng: random.Random, state: gd.State) -> gd.Move:
    """Choose a move: one that breaks no group, if there is any."""
    moves = state.legal_moves(suits="one")
    if rng.random() < NOISE:
        return moves[rng.randrange(len(moves))]
    assert state.turn is not None
    ranks = ranks_of(state.hands[state.turn])
    plain = [move for move in moves if gd.Kind.PASS < move.kind < gd.Kind.BOMB4]
    whole = [move for move in plain if not breaks(move, ranks)]
    if state.table is None:
        return max(whole or plain, key=lambda move: move.size, default=moves[0])
    if whole or (plain and rng.random() < SPLITS):
        return (whole or plain)[0]
    bombs = [move for move in moves if move.kind >= gd.Kind.BOMB4]
    return bombs[0] if bombs and rng.random() < BOMBS else moves[0]


def ranks_of(hand: gd.Hand) -> Counter[str]:
    """Count the cards of each rank."""
    return Counter(card[1] for card in hand)


def breaks(move: gd.Move, ranks: Counter[str]) -> bool:
    """Tell whether a move leaves cards of a rank of which it takes some."""
    return any(count < ranks[rank] for rank, count in ranks_of(move.cards).items())


def from_deck(each: int, seed: int) -> Iterator[gd.State]:
    """Give leads of seat 0 with so many cards in each hand, drawn from a whole deck."""
    while True:
        rng = random.Random(seed)
        cards = rng.sample([*gd.CARDS] * 2, 4 * each)
        hands = [cards[seat * each : (seat + 1) * each] for seat in range(4)]
        yield gd.State(hands, level=rng.choice(LEVELS), turn=0)
        seed += 1


def main() -> None:
    """Write the files that seeds give."""
    sources = {f"fresh{cards}": played_out(cards, 10_000 * cards) for cards in (24, 32, 36, 40, 44)}
    sources |= {f"deck4x{each}": from_deck(each, 10_000 * each) for each in (6, 7, 8)}
    for name, source in sources.items():
        lines = [f"{next(source)} ?\n" for _ in range(60)]
        (FOLDER / f"{name}.txt").write_text("".join(lines), "utf-8")
        print(name, file=sys.stderr)


if __name__ == "__main__":
    main()

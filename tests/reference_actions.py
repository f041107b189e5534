"""The 393 abstract actions in slow, plain Python: the oracle of ids and masks.

It spells every action as a text, block after block, and finds that of a move from its cards.
"""

from collections.abc import Iterable

import reference as ref

RANKS = ref.NATURAL_RANKS
RUNS = {"straight": RANKS[3:], "tube": RANKS[1:], "plate": RANKS}

ACTIONS = [
    "pass",
    *(f"{kind} {rank}" for kind in ("single", "pair") for rank in ref.RANKS),
    *(f"triple {rank}" for rank in RANKS),
    *(f"full_house {rank} {pair}" for rank in RANKS for pair in ref.RANKS if pair != rank),
    *(f"{kind} {top}" for kind, tops in RUNS.items() for top in tops),
    *(f"bomb{size} {rank}" for rank in RANKS for size in range(4, 11)),
    *(f"straight_flush {top} {suit}" for top in RANKS[3:] for suit in ref.SUITS),
    "joker_bomb",
]


def action(move: ref.Move, level: str) -> int:
    """Give the id of a move's action."""
    kind, rank, cards = move
    naturals = [card for card in cards if card != ref.wild_of(level)]
    words = [kind, rank]
    if kind in ("pass", "joker_bomb"):
        words = [kind]
    if kind == "straight_flush":
        words.append(ref.SUITS[naturals[0] % 4])
    if kind == "full_house":
        others = [ref.RANKS[ref.rank_of(card)] for card in naturals]
        pairs = [other for other in others if other != rank]
        # Two wilds are the greatest pair that there can be.
        words.append(pairs[0] if pairs else greatest_but(rank, level))
    return ACTIONS.index(" ".join(words))


def greatest_but(rank: str, level: str) -> str:
    """Give the greatest rank of a level that is no joker and not some rank."""
    order = sorted(RANKS, key=lambda other: ref.key_order(other, level, "pair"))
    return [other for other in order if other != rank][-1]


def actions(moves: Iterable[ref.Move], level: str) -> set[int]:
    """Give the ids of some moves."""
    return {action(move, level) for move in moves}


def value_left(hand: Iterable[int], move: ref.Move, level: str) -> tuple[int, int]:
    """Give how many live cards a move leaves in a hand, wilds included, and how many wilds."""
    rest = list(hand)
    for card in move[2]:
        rest.remove(card)
    wild = ref.wild_of(level)
    alive = ref.live(rest, level) | {wild}
    return sum(card in alive for card in rest), rest.count(wild)

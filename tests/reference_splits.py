"""Splits of a hand into plays in slow, plain Python: the oracle of the differential tests.

A split is any set of leads that together are the hand; `best` tries all.
"""

from collections.abc import Iterable, Mapping
from functools import cache

import reference as ref

Cost = tuple[int, int]
Cards = tuple[int, ...]
Name = tuple[object, ...]
Part = tuple[Name, Cost, Cards]
BOMBS = set(ref.KINDS[ref.KINDS.index("bomb4") :])


def price(kind: str, bombs: str, weights: Mapping[str, int]) -> Cost:
    """Give what a play of a kind costs: its weight, then one play."""
    return weights.get(kind, 0 if bombs == "apart" and kind in BOMBS else 1), 1


def name(move: ref.Move, level: str) -> Name:
    """Give what tells moves apart: kind, rank, wilds, ranks, the suit of straight flushes."""
    kind, rank, cards = move
    naturals = [card for card in cards if card != ref.wild_of(level)]
    suit = naturals[0] % 4 if kind == "straight_flush" else None
    return kind, rank, len(cards) - len(naturals), tuple(sorted(map(ref.rank_of, naturals))), suit


def without(hand: Cards, cards: Cards) -> Cards | None:
    """Give a hand without some cards, None if it lacks one."""
    rest = list(hand)
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)


def best(
    hand: Iterable[int],
    level: str,
    switches: ref.Switches = ref.DEFAULT,
    bombs: str = "count",
    weights: Mapping[str, int] | None = None,
) -> tuple[Cost, set[tuple[Name, ...]]]:
    """Find the least cost of a hand's splits, and the names of the moves of all that have it."""
    whole = tuple(sorted(hand))
    parts: dict[int, list[Part]] = {}
    for move in ref.leads(whole, level, switches):
        part = name(move, level), price(move[0], bombs, weights or {}), move[2]
        parts.setdefault(min(move[2]), []).append(part)

    @cache
    def split(rest: Cards) -> tuple[Cost, frozenset[tuple[Name, ...]]]:
        if not rest:
            return (0, 0), frozenset({()})
        least: Cost | None = None
        found: set[tuple[Name, ...]] = set()
        # The lowest card is in some play.
        for called, (weight, play), cards in parts[rest[0]]:
            left = without(rest, cards)
            if left is None:
                continue
            (more, plays), ways = split(left)
            cost = weight + more, play + plays
            if least is None or cost < least:
                least, found = cost, set()
            if cost == least:
                found |= {tuple(sorted((*way, called), key=repr)) for way in ways}
        assert least is not None
        return least, frozenset(found)

    cost, ways = split(whole)
    return cost, set(ways)

"""Worlds in slow, plain Python: all ways to deal the unseen cards, and which can have been."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import comb, prod

import reference_tribute as ref

import guandan as gd

Hands = tuple[gd.Hand, ...]
Belief = Sequence[Sequence[float]]


def assignments(seen: gd.Observation) -> dict[Hands, int]:
    """Give all hands, and to how many assignments of cards each belongs, copies told apart."""
    cards = list(seen.unseen_hand)
    hidden = [(seen.seat + step) % 4 for step in (1, 2, 3)]
    sizes = [seen.left[seat] for seat in hidden]
    places = set(range(len(cards)))
    counted: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for first in combinations(sorted(places), sizes[0]):
        rest = places - set(first)
        for second in combinations(sorted(rest), sizes[1]):
            held = first, second, sorted(rest - set(second))
            counted[tuple(tuple(cards[place] for place in hand) for hand in held)] += 1
    found = {}
    for dealt, n in counted.items():
        hands = [seen.hand] * 4
        for seat, held_cards in zip(hidden, dealt, strict=True):
            hands[seat] = gd.Hand(held_cards)
        found[tuple(hands)] = n
    return found


def agrees(seen: gd.Observation, hands: Sequence[gd.Hand]) -> bool:
    """Tell whether hands can have come of the tributes and returns of a deal seen from its start.

    Plays, returns and tributes are taken back, and each is then asked whether it was allowed.
    """
    try:
        held = [hand + played for hand, played in zip(hands, seen.played, strict=True)]
        for giver, receiver, card in seen.returns:
            held[receiver] -= gd.Hand(card)
            held[giver] += gd.Hand(card)
        for giver, receiver, card in seen.returns:
            received = next(paid for _, to, paid in seen.tributes if to == giver)
            to_partner = (giver - receiver) % 2 == 0
            allowed = ref.returnable(held[giver], seen.level, to_partner, seen.rules, received)
            if card not in allowed:
                return False
        for payer, receiver, card in seen.tributes:
            held[receiver] -= gd.Hand(card)
            held[payer] += gd.Hand(card)
    except gd.StateError:  # a card that is not there, or a third copy
        return False
    jokers = sum(held[payer].count("HR") for payer, _, _ in seen.tributes)
    if jokers == 2 and seen.rules.resist == "forced":
        return False
    return all(card in ref.payable(held[payer], seen.level) for payer, _, card in seen.tributes)


def dealt_ways(seen: gd.Observation, hands: Hands, card: str) -> int:
    """Count the ways to deal the copies of a card, told apart, and to play them, that end so.

    A gift takes any copy that the giver has; of two copies either may be played first.
    """
    played = [hand.count(card) for hand in seen.played]
    ends = [hand.count(card) + n for hand, n in zip(hands, played, strict=True)]
    found = 0
    for owners in product(range(4), repeat=sum(ends)):
        holders = list(owners)
        for giver, receiver, given in (*seen.tributes, *seen.returns):
            if given == card and giver in holders:
                holders[holders.index(giver)] = receiver
            elif given == card:
                holders = []
        if holders and [holders.count(seat) for seat in range(4)] == ends:
            found += prod(map(comb, ends, played))
    return found


def ways(seen: gd.Observation) -> dict[Hands, int]:
    """Give the worlds that can have been, and how many deals, copies told apart, came to each."""
    found = assignments(seen)
    if not seen.tributes:
        return found
    return {
        hands: prod(dealt_ways(seen, hands, card) for card in set(seen.unseen_hand))
        for hands in found
        if agrees(seen, hands)
    }


def chances(seen: gd.Observation, found: dict[Hands, int], belief: Belief) -> dict[Hands, float]:
    """Give the chance of each world under a belief."""
    parts = {hands: n * weight(seen, hands, belief) for hands, n in found.items()}
    return {hands: part / sum(parts.values()) for hands, part in parts.items() if part}


def weight(seen: gd.Observation, hands: Hands, belief: Belief) -> float:
    """Give the product of the weights of hidden cards."""
    return prod(
        belief[seat][gd.CARDS.index(card)]
        for seat, hand in enumerate(hands)
        for card in hand
        if seat != seen.seat
    )

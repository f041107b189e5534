"""Tribute and return in slow, plain Python, by what single cards beat: the oracle for gifts."""

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, get_args

import guandan as gd
from guandan import rules as fields

Order = Sequence[int]
# Who acts next of some seats, and what he chooses of his options.
Chooser = Callable[[dict[int, Sequence[str]]], tuple[int, str]]


# All orders in which a deal can end; after a double the last two are in ascending seat number.
ORDERS = [
    order
    for order in itertools.permutations(range(4))
    if order[0] % 2 != order[1] % 2 or order[2] < order[3]
]


def drawn_fields(rng: random.Random) -> dict[str, Any]:
    """Draw what rules say of tribute and returns."""
    return {
        "resist": rng.choice(get_args(fields.Resist)),
        "double_tribute_pairing": rng.choice(get_args(fields.Pairing)),
        "tribute_tie_pairing": rng.choice(get_args(fields.TiePairing)),
        "tribute_tie_leader": rng.choice(get_args(fields.TieLeader)),
        "return_to_opponent": rng.choice(get_args(fields.Returnable)),
        "return_to_partner": rng.choice(get_args(fields.Returnable)),
        "return_level_card": rng.random() < 0.5,
        "return_when_none": rng.choice(get_args(fields.WhenNone)),
        "return_same_card": rng.random() < 0.5,
    }


def singles(cards: gd.Hand, level: str) -> dict[str, gd.Move]:
    """Give the kinds of card in a hand, each with the single that it makes."""
    return {card: gd.readings([card], level)[0] for card in cards}


def payers(order: Order) -> list[int]:
    """Give the seats that owe tribute."""
    first, second, _, last = order
    return [(first + 1) % 4, (first + 3) % 4] if second == (first + 2) % 4 else [last]


def can_resist(hands: Sequence[gd.Hand], order: Order) -> bool:
    """Give whether both big jokers are with those who owe tribute."""
    return sum(hands[seat].count("HR") for seat in payers(order)) == 2


def payable(hand: gd.Hand, level: str) -> list[str]:
    """Give the kinds of the highest rank, wilds excepted."""
    moves = {card: move for card, move in singles(hand, level).items() if card != f"H{level}"}
    highest = reduce(lambda one, two: two if two.beats(one, level) else one, moves.values())
    return [card for card, move in moves.items() if move.rank == highest.rank]


def returnable(
    hand: gd.Hand, level: str, to_partner: bool, rules: gd.Rules, received: str
) -> list[str]:
    """Give the kinds that a receiver may return."""
    moves = singles(hand, level)
    if not rules.return_same_card and hand.count(received) == 1 and len(moves) > 1:
        del moves[received]
    which = rules.return_to_partner if to_partner else rules.return_to_opponent
    fits = {
        "ten_or_less": lambda rank: (
            rank in "23456789T" and (rules.return_level_card or rank != level)
        ),
        "below_level": lambda rank: rank not in (level, "B", "R"),
        "any": lambda rank: True,
    }[which]
    found = [card for card, move in moves.items() if fits(move.rank)]
    if found or rules.return_when_none == "any":
        return found or list(moves)
    lowest = reduce(lambda one, two: two if one.beats(two, level) else one, moves.values())
    return [card for card, move in moves.items() if move.rank == lowest.rank]


def pair(
    order: Order, paid: Mapping[int, str], level: str, rules: gd.Rules
) -> tuple[list[int], int]:
    """Give the payers, that to the first at the beginning, and the leader."""
    if len(paid) == 1:
        return list(paid), next(iter(paid))
    following, previous = payers(order)
    one, two = (gd.readings([paid[seat]], level)[0] for seat in (following, previous))
    higher = following if one.beats(two, level) else previous if two.beats(one, level) else None
    if rules.double_tribute_pairing == "by_seat":
        to_first = following
    elif higher is not None:
        to_first = higher
    elif rules.tribute_tie_pairing == "clockwise":
        to_first = following
    else:
        to_first = next(iter(paid))
    tie_leaders = {
        "payer_to_first": to_first,
        "next_of_first": following,
        "previous_of_first": previous,
        "last": order[3],
    }
    leader = tie_leaders[rules.tribute_tie_leader] if higher is None else higher
    return [to_first, previous if to_first == following else following], leader


def chosen(options: dict[int, list[str]], choose: Chooser) -> dict[int, str]:
    """Let the seats choose, in any order; who has no choice has chosen."""
    found = {seat: cards[0] for seat, cards in options.items() if len(cards) == 1}
    due = {seat: cards for seat, cards in options.items() if len(cards) > 1}
    while due:
        seat, card = choose(dict(due))
        del due[seat]
        found[seat] = card
    return found


def exchange(
    hands: Sequence[gd.Hand], order: Order, level: str, rules: gd.Rules, choose: Chooser
) -> dict[str, Any]:
    """Go through tribute and return; give what an Exchange has in its properties then."""
    held = list(hands)
    if can_resist(held, order):
        resists = {payers(order)[0]: ["resist", "pay"]}
        if rules.resist == "forced" or choose(resists)[1] == "resist":
            return {"tributes": (), "returns": (), "hands": tuple(held), "leader": order[0]}
    paid = chosen({seat: payable(held[seat], level) for seat in payers(order)}, choose)
    seats, leader = pair(order, paid, level, rules)
    receivers = dict(zip(seats, order, strict=False))
    for payer, receiver in receivers.items():
        held[payer] -= gd.Hand(paid[payer])
        held[receiver] += gd.Hand(paid[payer])
    options = {
        receiver: returnable(held[receiver], level, (payer - receiver) % 2 == 0, rules, paid[payer])
        for payer, receiver in receivers.items()
    }
    returned = chosen(options, choose)
    for payer, receiver in receivers.items():
        held[receiver] -= gd.Hand(returned[receiver])
        held[payer] += gd.Hand(returned[receiver])
    return {
        "tributes": tuple((payer, receivers[payer], card) for payer, card in paid.items()),
        "returns": tuple((seat, payer, returned[seat]) for payer, seat in receivers.items()),
        "hands": tuple(held),
        "leader": leader,
    }

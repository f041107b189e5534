"""The kernel of tribute and return against plain Python, choice by choice."""

import pickle
import random
from collections.abc import Sequence
from typing import Any

import pytest
import reference_tribute as ref

import guandan as gd
from guandan.gifts import Exchange, owing, pairing, payable_cards, resists, returnable_cards

LEVELS = "23456789TJQKA"
PRESETS = [gd.Rules.preset(name) for name in gd.Rules.presets()]


def random_hands(rng: random.Random) -> tuple[gd.Hand, ...]:
    """Deal all cards: evenly, or so that some seats have most of the high ones."""
    skew = rng.choice([0, 0, 30, 90])
    deck = sorted(range(108), key=lambda card: card // 2 * skew / 54 + rng.random() * 54)
    parts = [deck[place : place + 27] for place in (0, 27, 54, 81)]
    rng.shuffle(parts)
    return tuple(gd.Hand([card // 2 for card in part]) for part in parts)


def run(exchange: Exchange, choose: ref.Chooser) -> list[str]:
    """Go through an exchange; give its stages."""
    stages = [exchange.stage]
    while exchange.choices:
        exchange.choose(*choose(dict(exchange.choices)))
        stages.append(exchange.stage)
    return stages


def by_lot(seed: int, asked: list[dict[int, Sequence[str]]]) -> ref.Chooser:
    """Give a chooser that draws, and writes down what it has been asked."""
    rng = random.Random(seed)

    def choose(options: dict[int, Sequence[str]]) -> tuple[int, str]:
        asked.append({seat: tuple(cards) for seat, cards in options.items()})
        seat = rng.choice(list(options))
        return seat, rng.choice(options[seat])

    return choose


@pytest.mark.parametrize("rules", [*PRESETS, None], ids=str)
def test_exchanges_are_those_of_the_reference(rules: gd.Rules | None) -> None:
    rng = random.Random(1)
    found: set[Any] = set()
    for seed in range(400):
        level, order = rng.choice(LEVELS), rng.choice(ref.ORDERS)
        hands, law = random_hands(rng), rules or gd.Rules(**ref.drawn_fields(rng))
        asked: tuple[list[Any], list[Any]] = ([], [])
        want = ref.exchange(hands, order, level, law, by_lot(seed, asked[0]))
        exchange = Exchange(hands, order, level, law)
        stages = run(exchange, by_lot(seed, asked[1]))
        assert {name: getattr(exchange, name) for name in want} == want
        assert asked[0] == asked[1]
        assert stages[-1] == "done"
        assert exchange.resisted == (want["tributes"] == ())
        assert len(exchange.hands[0]) == 27
        found.add((exchange.resisted, len(want["tributes"])))
        found |= set(stages)
    assert found >= {(True, 0), (False, 1), (False, 2), "tribute", "return"}
    assert ("resist" in found) == (rules is None or rules.resist == "optional")


def test_parts_are_those_of_the_reference() -> None:
    rng = random.Random(2)
    for _ in range(3000):
        level, order = rng.choice(LEVELS), rng.choice(ref.ORDERS)
        hands, rules = random_hands(rng), gd.Rules(**ref.drawn_fields(rng))
        assert list(owing(order)) == ref.payers(order)
        assert resists(hands, order) is ref.can_resist(hands, order)
        part = gd.Hand(rng.sample(list(hands[0]), rng.randint(3, 27)))
        assert list(payable_cards(part, level)) == ref.payable(part, level)
        received = rng.choice(list(part))
        for to_partner in (False, True):
            cards = returnable_cards(part, level, to_partner, rules, received)
            assert list(cards) == ref.returnable(part, level, to_partner, rules, received)
        seats = ref.payers(order)
        rng.shuffle(seats)
        paid = {seat: rng.choice(ref.payable(hands[seat], level)) for seat in seats}
        pairs, leader = pairing(order, paid, level, rules)
        assert ([payer for payer, _ in pairs], leader) == ref.pair(order, paid, level, rules)
        assert [receiver for _, receiver in pairs] == list(order[: len(paid)])


def test_nothing_is_seen_before_all_have_chosen() -> None:
    hands = [gd.Hand(text) for text in ("S3 C3", "SA CA S2", "S4 C4", "DA HA C2")]
    exchange = Exchange(hands, (0, 2, 1, 3), "5", gd.Rules())
    assert exchange.choices == {1: ("SA", "CA"), 3: ("HA", "DA")}
    other = exchange.copy()
    other.choose(1, "SA")
    exchange.choose(3, "DA")
    assert (exchange.stage, exchange.tributes, exchange.hands) == ("tribute", (), tuple(hands))
    assert (exchange.choices, exchange.chosen) == ({1: ("SA", "CA")}, {3: "DA"})
    assert (other.choices, other.chosen) == ({3: ("HA", "DA")}, {1: "SA"})
    again = pickle.loads(pickle.dumps(exchange))
    assert (again.choices, again.chosen) == (exchange.choices, exchange.chosen)
    exchange.choose(1, "CA")
    assert exchange.tributes == ((3, 2, "DA"), (1, 0, "CA"))
    assert (exchange.stage, exchange.chosen) == ("return", {})
    exchange.choose(0, "C3")
    assert (exchange.returns, exchange.chosen) == ((), {0: "C3"})
    exchange.choose(2, "S4")
    assert exchange.returns == ((0, 1, "C3"), (2, 3, "S4"))
    assert (exchange.stage, exchange.choices, exchange.leader) == ("done", {}, 1)

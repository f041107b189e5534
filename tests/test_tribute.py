"""What is paid and returned between two deals: sections 5 and 7 of the rules."""

import dataclasses
import itertools
import pickle
import random
from collections.abc import Iterator
from typing import Any, get_args

import pytest
import reference as ref
from hypothesis import given
from hypothesis import strategies as st
from recorded import cases
from reference_tribute import ORDERS

import guandan as gd
from guandan import rules as fields
from guandan.tribute import (
    Payment,
    TributePlan,
    can_resist,
    pair,
    payable,
    payers,
    returnable,
    tribute_plan,
)

LEVELS = "23456789TJQKA"
DOUBLE = (0, 2, 1, 3)
LOW = ["S3", "H3", "C3", "D3"]  # a card for each seat that decides nothing at the levels below
TIES = [
    gd.Rules(
        double_tribute_pairing=pairing, tribute_tie_pairing=tie_pairing, tribute_tie_leader=leader
    )
    for pairing in get_args(fields.Pairing)
    for tie_pairing in get_args(fields.TiePairing)
    for leader in get_args(fields.TieLeader)
]
RETURNS = [
    gd.Rules(
        return_to_opponent=to_opponent,
        return_to_partner=to_partner,
        return_level_card=level_card,
        return_when_none=when_none,
        return_same_card=same_card,
    )
    for to_opponent in get_args(fields.Returnable)
    for to_partner in get_args(fields.Returnable)
    for level_card in (False, True)
    for when_none in get_args(fields.WhenNone)
    for same_card in (False, True)
]


# --- The recorded cases ---


def hands_of(case: dict[str, Any]) -> list[str]:
    """Build the four hands of a case around the cards that it gives."""
    hands = list(LOW)
    for seat, card in case.get("tribute_cards", {}).items():
        hands[int(seat)] += " " + card
    for seat, jokers in case.get("big_jokers_by_seat", {}).items():
        hands[int(seat)] += " HR" * jokers
    return hands


@pytest.mark.parametrize("case", cases("tribute: "))
def test_payable_cases(case: dict[str, Any]) -> None:
    assert sorted(payable(gd.Hand(case["cards"]), case["level"])) == sorted(case["expected"])


@pytest.mark.parametrize("case", cases("tribute_plan"))
def test_tribute_plan_cases(case: dict[str, Any]) -> None:
    rules, expected = gd.Rules.preset(case["rules"]), case["expected"]
    plan = tribute_plan(hands_of(case), case["level"], case["finish_order"], rules)
    payments = [{"from": payer, "to": receiver} for payer, receiver, _ in plan.payments]
    assert plan.resisted is expected.get("resisted", False)
    assert plan.leader == expected["leader"]
    assert payments == expected.get("payments", [])
    if "returns" in expected:
        returns = [{"from": receiver, "to": payer} for payer, receiver, _ in plan.payments]
        assert returns == expected["returns"]
    for payment in plan.payments:
        assert payment.cards == payable(hands_of(case)[payment.payer], case["level"])


@pytest.mark.parametrize("case", cases("return: "))
def test_returnable_cases(case: dict[str, Any]) -> None:
    to_partner = "to partner" in case["question"]
    rules = gd.Rules.preset(case["rules"])
    found = returnable(gd.Hand(case["cards"]), case["level"], to_partner, rules)
    assert sorted(found) == sorted(case["expected"])


def test_the_cases_are_found() -> None:
    found = [len(cases(question)) for question in ("tribute: ", "tribute_plan", "return: ")]
    assert found == [4, 10, 6]
    assert len(cases("tribute", "return")) == sum(found)


# --- Who pays ---


def test_who_pays() -> None:
    for order in ORDERS:
        first, second, third, last = order
        if first % 2 == second % 2:
            assert set(payers(order)) == {third, last}
            assert payers(order)[0] == (first + 1) % 4
        else:
            assert payers(order) == (last,)


def test_a_last_pays_his_partner() -> None:
    plan = tribute_plan(["SA", "SK", "SQ", "SJ"], "2", order=(0, 1, 3, 2))
    assert plan.payments == (Payment(payer=2, receiver=0, cards=("SQ",)),)
    assert plan.leader == 2


# --- Who resists ---


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2), (3, 0, 2, 1)])
def test_who_resists(order: tuple[int, ...]) -> None:
    # Each joker with every seat: two for one payer, one each for two, or one out of their reach.
    for holders in itertools.combinations_with_replacement(range(4), 2):
        hands = list(LOW)
        for seat in holders:
            hands[seat] += " HR"
        paying = {1, 3} if order == DOUBLE else {order[3]}
        assert can_resist(hands, order) is (set(holders) <= paying)
        plan = tribute_plan(hands, "5", order)
        assert plan.resisted is can_resist(hands, order)
        if plan.resisted:
            assert plan == TributePlan(resisted=True, payments=(), leader=order[0])
        else:
            assert {payment.payer for payment in plan.payments} == paying


def test_only_big_jokers_resist() -> None:
    assert not can_resist(["S3", "S4", "S5", "SB SB HR"], (0, 1, 2, 3))


HOLDING = ["S3", "HR SK", "S5", "HR SA"]


@pytest.mark.parametrize("rules", [None, gd.Rules.preset("opengd")])
def test_resisting_is_forced(rules: gd.Rules | None) -> None:
    assert tribute_plan(HOLDING, "2", DOUBLE, rules).resisted
    with pytest.raises(ValueError, match=r"resist=False: .* both big jokers .* want True"):
        tribute_plan(HOLDING, "2", DOUBLE, rules, resist=False)


def test_resisting_is_optional() -> None:
    rules = gd.Rules.preset("seed002")
    resisted = TributePlan(resisted=True, payments=(), leader=0)
    assert tribute_plan(HOLDING, "2", DOUBLE, rules) == resisted
    assert tribute_plan(HOLDING, "2", DOUBLE, rules, resist=False) == TributePlan(
        resisted=False, payments=(Payment(1, 0, ("HR",)), Payment(3, 2, ("HR",))), leader=1
    )
    single = ["S3", "S4", "S5", "HR HR"]
    assert tribute_plan(single, "2", (0, 1, 2, 3), rules).resisted
    assert tribute_plan(single, "2", (0, 1, 2, 3), rules, resist=False) == TributePlan(
        resisted=False, payments=(Payment(3, 0, ("HR",)),), leader=3
    )


@pytest.mark.parametrize("resist", ["forced", "optional"])
@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 2, 3)])
def test_who_cannot_resist_pays(resist: Any, order: tuple[int, ...]) -> None:
    hands, rules = ["HR", "SK HR", "S5", "SA"], gd.Rules(resist=resist)
    plans = [tribute_plan(hands, "2", order, rules, resist=choice) for choice in (True, False)]
    assert plans[0] == plans[1]
    assert plans[0].payments


# --- What is paid ---


@pytest.mark.parametrize(
    ("hand", "level", "expected"),
    [
        ("HR SB S2 SA", "2", ["HR"]),
        ("HR HR SA", "2", ["HR"]),
        ("SB SB S2 SA", "2", ["SB"]),
        ("S2 H2 C2 SA", "2", ["S2", "C2"]),
        ("H2 H2 SA CA CA HA SK", "2", ["SA", "HA", "CA"]),
        ("H2 S3", "2", ["S3"]),
        ("H2 S2 SA", "A", ["SA"]),
        ("HA HA SK S2", "A", ["SK"]),
        ("DT D9 HT", "9", ["D9"]),
    ],
)
def test_what_is_payable(hand: str, level: str, expected: list[str]) -> None:
    assert payable(hand, level) == payable(gd.Hand(hand), level) == tuple(expected)


def value(card: str, level: str) -> int:
    """Give a number that compares as the card does as a single: section 1."""
    return 13 if card[1] == level else (*LEVELS, "level", "B", "R").index(card[1])


small_hands = st.lists(st.sampled_from(gd.CARDS + gd.CARDS), min_size=1, max_size=28).filter(
    lambda cards: all(cards.count(card) <= 2 for card in cards)
)
levels = st.sampled_from(LEVELS)


@given(small_hands, levels)
def test_payable_is_the_highest_but_for_wilds(cards: list[str], level: str) -> None:
    natural = [card for card in cards if card != "H" + level]
    if not natural:
        with pytest.raises(gd.StateError, match="not wild"):
            payable(gd.Hand(cards), level)
        return
    expected = [
        card
        for card in ref.CARDS
        if card in natural and all(value(card, level) >= value(one, level) for one in natural)
    ]
    assert payable(gd.Hand(cards), level) == tuple(expected)


# --- Who receives, and who leads ---


def paid_pairs(
    order: tuple[int, ...], paid: dict[int, str], level: str, rules: gd.Rules
) -> Iterator[tuple[set[tuple[int, int]], int]]:
    """Try every way to pair two payers with the winners and every leader; give what the law allows.

    Sections 5 and 7, sentence by sentence.
    """
    first, second = order[:2]
    following, previous = (first + 1) % 4, (first + 3) % 4
    worth = {seat: value(card, level) for seat, card in paid.items()}
    tie = worth[following] == worth[previous]
    for to_first, to_second in itertools.permutations((following, previous)):
        if rules.double_tribute_pairing == "by_seat":
            # Each loser pays the seat before him.
            allowed = first == (to_first - 1) % 4 and second == (to_second - 1) % 4
        elif not tie:
            allowed = worth[to_first] > worth[to_second]
        elif rules.tribute_tie_pairing == "clockwise":
            allowed = to_first == following
        else:
            allowed = to_first == next(iter(paid))
        for leader in range(4):
            leads = {
                "payer_to_first": leader == to_first,
                "next_of_first": leader == following,
                "previous_of_first": leader == previous,
                "last": leader == order[3],
            }[rules.tribute_tie_leader]
            if allowed and (leads if tie else worth.get(leader) == max(worth.values())):
                yield {(to_first, first), (to_second, second)}, leader


@pytest.mark.parametrize("rules", TIES, ids=repr)
def test_pairs_of_all_seatings(rules: gd.Rules) -> None:
    doubles = [order for order in ORDERS if order[0] % 2 == order[1] % 2]
    pairs = [("SK", "SA"), ("SA", "SK"), ("SA", "CA"), ("S5", "SA"), ("SB", "SB"), ("SB", "HR")]
    for order, cards, acted in itertools.product(doubles, pairs, (1, -1)):
        paid = dict(list(zip(payers(order), cards, strict=True))[::acted])
        ((expected, expected_leader),) = paid_pairs(order, paid, "5", rules)
        tributes, leader = pair(order, paid, "5", rules)
        assert {(payer, receiver) for payer, receiver, _ in tributes} == expected
        assert [one.receiver for one in tributes] == list(order[:2])
        assert {one.payer: one.card for one in tributes} == paid
        assert leader == expected_leader


# By hand, for the order 0 2 1 3: who pays the first when 1 acts first and when 3 does, and who
# leads then; of equal cards.
TIED = {
    ("by_card", "clockwise", "payer_to_first"): ((1, 1), (1, 1)),
    ("by_card", "clockwise", "next_of_first"): ((1, 1), (1, 1)),
    ("by_card", "clockwise", "previous_of_first"): ((1, 3), (1, 3)),
    ("by_card", "clockwise", "last"): ((1, 3), (1, 3)),
    ("by_card", "first_paid", "payer_to_first"): ((1, 1), (3, 3)),
    ("by_card", "first_paid", "next_of_first"): ((1, 1), (3, 1)),
    ("by_card", "first_paid", "previous_of_first"): ((1, 3), (3, 3)),
    ("by_card", "first_paid", "last"): ((1, 3), (3, 3)),
    ("by_seat", "clockwise", "payer_to_first"): ((1, 1), (1, 1)),
    ("by_seat", "first_paid", "payer_to_first"): ((1, 1), (1, 1)),
    ("by_seat", "first_paid", "previous_of_first"): ((1, 3), (1, 3)),
}


@pytest.mark.parametrize("names", TIED, ids=str)
def test_equal_cards(names: tuple[Any, Any, Any]) -> None:
    pairing, tie_pairing, tie_leader = names
    rules = gd.Rules(
        double_tribute_pairing=pairing,
        tribute_tie_pairing=tie_pairing,
        tribute_tie_leader=tie_leader,
    )
    for paid, (to_first, leader) in zip(
        ({1: "SA", 3: "CA"}, {3: "CA", 1: "SA"}), TIED[names], strict=True
    ):
        expected = [(to_first, 0, paid[to_first]), (4 - to_first, 2, paid[4 - to_first])]
        assert pair(DOUBLE, paid, "5", rules) == (expected, leader)


def test_last_of_a_double_is_read_from_the_order() -> None:
    rules = gd.Rules(tribute_tie_leader="last")
    assert pair((1, 3, 0, 2), {0: "SA", 2: "CA"}, "5", rules)[1] == 2
    assert pair((0, 2, 1, 3), {1: "SA", 3: "CA"}, "5", rules)[1] == 3
    with pytest.raises(ValueError, match="ascending seat number"):
        pair((1, 3, 2, 0), {0: "SA", 2: "CA"}, "5", rules)


def test_unequal_cards() -> None:
    for paid in ({1: "SK", 3: "SA"}, {3: "SA", 1: "SK"}):
        assert pair(DOUBLE, paid, "5") == ([(3, 0, "SA"), (1, 2, "SK")], 3)
        by_seat = gd.Rules(double_tribute_pairing="by_seat", tribute_tie_leader="next_of_first")
        assert pair(DOUBLE, paid, "5", by_seat) == ([(1, 0, "SK"), (3, 2, "SA")], 3)
    # The level decides which card is the greater.
    assert pair(DOUBLE, {1: "SK", 3: "SA"}, "K") == ([(1, 0, "SK"), (3, 2, "SA")], 1)


@pytest.mark.parametrize("rules", TIES, ids=repr)
def test_a_single_tribute_is_the_same_under_all_rules(rules: gd.Rules) -> None:
    assert pair((0, 1, 2, 3), {3: "SA"}, "5", rules) == ([(3, 0, "SA")], 3)
    assert pair((0, 1, 3, 2), {2: "SA"}, "5", rules) == ([(2, 0, "SA")], 2)


# --- The whole plan ---


@given(
    st.integers(0, 2**32),
    levels,
    st.sampled_from(ORDERS),
    st.sampled_from([*TIES, *map(gd.Rules.preset, gd.Rules.presets())]),
)
def test_the_plan_is_made_of_its_parts(
    seed: int, level: str, order: tuple[int, ...], rules: gd.Rules
) -> None:
    hands = gd.deal_hands(seed)
    plan = tribute_plan(hands, level, order, rules)
    assert plan.resisted is can_resist(hands, order)
    if plan.resisted:
        assert (plan.payments, plan.leader) == ((), order[0])
        return
    assert [payment.receiver for payment in plan.payments] == list(order[: len(plan.payments)])
    assert {payment.payer for payment in plan.payments} == set(payers(order))
    for payment in plan.payments:
        assert payment.cards == payable(hands[payment.payer], level)
    # Whichever cards the payers choose, in seat order, what they pay goes as planned.
    cards = [payable(hands[seat], level) for seat in payers(order)]
    for chosen in itertools.product(*cards):
        tributes, leader = pair(order, dict(zip(payers(order), chosen, strict=True)), level, rules)
        assert [one[:2] for one in tributes] == [one[:2] for one in plan.payments]
        assert leader == plan.leader


def turned(plan: TributePlan, by: int) -> TributePlan:
    """Give a plan with all seats turned."""
    return TributePlan(
        resisted=plan.resisted,
        payments=tuple(
            Payment((one.payer + by) % 4, (one.receiver + by) % 4, one.cards)
            for one in plan.payments
        ),
        leader=(plan.leader + by) % 4,
    )


@pytest.mark.parametrize("rules", TIES, ids=repr)
def test_turning_the_seats_turns_the_plan(rules: gd.Rules) -> None:
    rng = random.Random(3)
    deals: list[tuple[gd.Hand, ...]] = [gd.deal_hands(rng.getrandbits(32)) for _ in range(4)]
    deals += [tuple(map(gd.Hand, hands)) for hands in (["S3", "SA", "S4", "CA"], HOLDING)]
    for hands, order, by in itertools.product(deals, ORDERS, (1, 2, 3)):
        other_hands = [hands[(seat - by) % 4] for seat in range(4)]
        other_order = [(seat + by) % 4 for seat in order]
        if tuple(other_order) not in ORDERS:
            if rules.tribute_tie_leader == "last":
                continue  # another seat is the last of the four then
            other_order[2:] = sorted(other_order[2:])
        plan = tribute_plan(hands, "5", order, rules)
        assert tribute_plan(other_hands, "5", other_order, rules) == turned(plan, by)


def test_a_tie_is_paid_in_seat_order() -> None:
    rules = gd.Rules(tribute_tie_pairing="first_paid")
    hands = ["SA", "S3", "CA", "S4"]
    plan = tribute_plan(hands, "5", (3, 1, 0, 2), rules)
    assert [payment[:2] for payment in plan.payments] == [(0, 3), (2, 1)]
    plan = tribute_plan(hands, "5", (1, 3, 0, 2), rules)
    assert [payment[:2] for payment in plan.payments] == [(2, 1), (0, 3)]


def test_a_plan_does_not_change() -> None:
    plan = tribute_plan(LOW, "5", DOUBLE)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert len({plan, tribute_plan(LOW, "5", list(DOUBLE))}) == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.leader = 2  # type: ignore[misc]


# --- What is returned ---


HAND = "S3 S5 H5 D8 ST HT SJ DA SB HR"


@pytest.mark.parametrize(
    ("rule", "level_card", "expected"),
    [
        ("ten_or_less", False, "S3 D8 ST HT"),
        ("ten_or_less", True, "S3 S5 H5 D8 ST HT"),
        ("below_level", False, "S3 D8 ST HT SJ DA"),
        ("below_level", True, "S3 D8 ST HT SJ DA"),
        ("any", False, HAND),
        ("any", True, HAND),
    ],
)
def test_what_is_returnable(rule: Any, level_card: bool, expected: str) -> None:
    for to_partner, field in ((True, "return_to_partner"), (False, "return_to_opponent")):
        rules = gd.Rules(return_level_card=level_card).replace(**{field: rule})
        assert returnable(HAND, "5", to_partner, rules) == expected.split()
        default = "S3 S5 H5 D8 ST HT" if level_card else "S3 D8 ST HT"
        assert returnable(HAND, "5", not to_partner, rules) == default.split()


def test_a_level_above_ten_is_not_ten_or_less() -> None:
    rules = gd.Rules(return_level_card=True)
    assert returnable("S3 SJ HJ", "J", False, rules) == ["S3"]
    assert returnable("S3 S5", "J", False, rules) == ["S3", "S5"]


@pytest.mark.parametrize(
    ("hand", "level", "lowest"),
    [
        ("SQ DJ CJ CJ HR", "5", "CJ DJ"),
        ("SA S5 H5 SB", "5", "SA"),
        ("S5 H5 H5 SB", "5", "S5 H5"),
        ("SJ HJ DK", "J", "DK"),
        ("SB SB HR", "5", "SB"),
        ("HR", "5", "HR"),
    ],
)
def test_with_nothing_that_may_be_returned(hand: str, level: str, lowest: str) -> None:
    assert returnable(hand, level, False) == lowest.split()
    every = list(dict.fromkeys(hand.split()))
    rules = gd.Rules(return_when_none="any")
    assert sorted(returnable(hand, level, True, rules)) == sorted(every)


def test_with_nothing_below_the_level() -> None:
    rules = gd.Rules(return_to_partner="below_level")
    assert returnable("S5 H5 SB HR", "5", True, rules) == ["S5", "H5"]


SAME, OTHER = gd.Rules(return_same_card=True), gd.Rules(return_same_card=False)


@pytest.mark.parametrize(
    ("rules", "hand", "received", "expected"),
    [
        (OTHER, "S3 S8 DA", "S8", "S3"),
        (SAME, "S3 S8 DA", "S8", "S3 S8"),
        # Of two copies one was his own.
        (OTHER, "S3 S8 S8 DA", "S8", "S3 S8"),
        # Another suit is another kind of card.
        (OTHER, "S3 S8 C8 DA", "S8", "S3 C8"),
        (OTHER, "S3 S8 DA", "DA", "S3 S8"),
        (OTHER, "S3 S8 DA", None, "S3 S8"),
        # Nothing but the received card may go back: the choice is among the others.
        (OTHER, "S8 DA DQ HR", "S8", "DQ"),
        (SAME, "S8 DA DQ HR", "S8", "S8"),
        (OTHER.replace(return_when_none="any"), "S8 DA DQ HR", "S8", "DQ DA HR"),
        # The received card is of the lowest rank.
        (OTHER, "SJ DA DQ", "SJ", "DQ"),
        (OTHER, "SJ CJ DA DQ", "SJ", "CJ"),
        (OTHER, "SJ SJ DA DQ", "SJ", "SJ"),
        (SAME, "SJ DA DQ", "SJ", "SJ"),
        (OTHER.replace(return_when_none="any"), "SJ DA DQ", "SJ", "DQ DA"),
        (OTHER.replace(return_when_none="any"), "SJ SJ DA DQ", "SJ", "SJ DQ DA"),
        (OTHER.replace(return_to_opponent="any"), "S3 DA HR", "HR", "S3 DA"),
        # Nothing else is left.
        (OTHER, "DA", "DA", "DA"),
        (OTHER.replace(return_when_none="any"), "DA", "DA", "DA"),
        (OTHER, "DA DA", "DA", "DA"),
    ],
)
def test_the_received_card(rules: gd.Rules, hand: str, received: str | None, expected: str) -> None:
    assert returnable(hand, "5", False, rules, received) == expected.split()


def returned(
    cards: list[str], level: str, to_partner: bool, rules: gd.Rules, received: str | None
) -> list[str]:
    """Go through the kinds of card and say of each why it may or may not be returned."""
    others = list(cards)
    if received is not None and not rules.return_same_card and others.count(received) == 1:
        others.remove(received)
    if not others:
        others = list(cards)
    rule = rules.return_to_partner if to_partner else rules.return_to_opponent
    allowed = []
    for card in others:
        number = ref.NUMBERS[card] // 4 + 2  # 15 and more for jokers
        of_level = card[1] == level
        if rule == "ten_or_less":
            fits = number <= 10 and (not of_level or rules.return_level_card)
        elif rule == "below_level":
            fits = number <= 14 and not of_level
        else:
            fits = True
        if fits:
            allowed.append(card)
    if not allowed and rules.return_when_none == "lowest":
        lowest = min(value(card, level) for card in others)
        allowed = [card for card in others if value(card, level) == lowest]
    return sorted(set(allowed or others), key=ref.CARDS.index)


high_hands = st.lists(
    st.sampled_from([c for c in gd.CARDS if c[1] in "TJQABR"]), min_size=1, max_size=6
).filter(lambda cards: all(cards.count(c) <= 2 for c in cards))


@given(
    st.one_of(small_hands, high_hands), levels, st.booleans(), st.sampled_from(RETURNS), st.data()
)
def test_returnable_is_as_said(
    cards: list[str], level: str, to_partner: bool, rules: gd.Rules, data: st.DataObject
) -> None:
    received = data.draw(st.none() | st.sampled_from(cards))
    found = returnable(gd.Hand(cards), level, to_partner, rules, received)
    assert found == returned(cards, level, to_partner, rules, received)
    assert found
    assert set(found) <= set(cards)


# --- Bad input ---


@pytest.mark.parametrize(
    ("order", "error", "said"),
    [
        ((0, 1, 2), ValueError, "order=(0, 1, 2): want each of the seats 0 to 3 once"),
        ((0, 1, 2, 2), ValueError, "order=(0, 1, 2, 2): want each of the seats 0 to 3 once"),
        ((1, 2, 3, 4), ValueError, "order=(1, 2, 3, 4): want each"),
        ([0, 1, 2, 3, 0], ValueError, "order=[0, 1, 2, 3, 0]: want each"),
        ((0, 1, 2, 3.0), TypeError, "order=(0, 1, 2, 3.0): want four seats"),
        ("0123", TypeError, "order='0123': want four seats"),
        (None, TypeError, "order=None: want four seats"),
        ({0, 1, 2, 3}, TypeError, "order={0, 1, 2, 3}: want four seats"),
    ],
)
def test_no_order(order: Any, error: type[Exception], said: str) -> None:
    for call in (
        lambda: tribute_plan(LOW, "5", order),
        lambda: payers(order),
        lambda: can_resist(LOW, order),
        lambda: pair(order, {3: "SA"}, "5"),
    ):
        with pytest.raises(error) as caught:
            call()
        assert said in str(caught.value)


@pytest.mark.parametrize(
    ("hands", "error", "said"),
    [
        (LOW[:3], gd.StateError, "3 hands: want those of seats 0 to 3"),
        ([*LOW, "S4"], gd.StateError, "5 hands: want those of seats 0 to 3"),
        ("S3/S4/S5/S6", TypeError, "hands='S3/S4/S5/S6': want those of seats 0 to 3"),
        (gd.Hand("S3 S4 S5 S6"), TypeError, "want those of seats 0 to 3"),
        (None, TypeError, "hands=None: want those of seats 0 to 3"),
        (["S3", "S4", "", "S6"], gd.StateError, "seat 2 holds no cards"),
        (["S3", "S4", "S5", "10"], gd.NotationError, "seat 3: '10' is not a card"),
        (["S3 S3 S3", "S4", "S5", "S6"], gd.StateError, "seat 0: 3 copies of S3"),
        (["S3", "S4 HR", "S5 HR", "S6 HR"], gd.StateError, "3 copies of HR, two decks hold 2"),
    ],
)
def test_no_hands(hands: Any, error: type[Exception], said: str) -> None:
    for call in (lambda: tribute_plan(hands, "5", DOUBLE), lambda: can_resist(hands, DOUBLE)):
        with pytest.raises(error) as caught:
            call()
        assert said in str(caught.value)


@pytest.mark.parametrize(
    ("level", "said"),
    [(5, 'write "5"'), ("10", 'write "T"'), ("B", "a level is one of"), (None, "")],
)
def test_no_level(level: Any, said: str) -> None:
    for call in (
        lambda: tribute_plan(LOW, level, DOUBLE),
        lambda: tribute_plan(HOLDING, level, DOUBLE),
        lambda: pair(DOUBLE, {1: "SA", 3: "CA"}, level),
        lambda: payable("", level),
        lambda: payable("S3", level),
        lambda: returnable("", level, False),
        lambda: returnable("S3", level, False),
    ):
        with pytest.raises(gd.NotationError, match=f"{level!r} is not a level: .*{said}"):
            call()


@pytest.mark.parametrize("rules", ["pagat", {}, 0])
def test_no_rules(rules: Any) -> None:
    for call in (
        lambda: tribute_plan(LOW, "5", DOUBLE, rules),
        lambda: tribute_plan(HOLDING, "5", DOUBLE, rules),
        lambda: pair(DOUBLE, {1: "SA", 3: "CA"}, "5", rules),
        lambda: returnable("S3", "5", False, rules),
    ):
        with pytest.raises(TypeError, match=f"want a Rules, .* got {rules!r}"):
            call()


@pytest.mark.parametrize(
    ("paid", "error", "said"),
    [
        (
            {1: "SA"},
            ValueError,
            "paid={1: 'SA'}: want a card of seat 1 and of seat 3, and no other",
        ),
        ({}, ValueError, "want a card of seat 1 and of seat 3"),
        ({1: "SA", 2: "SK"}, ValueError, "want a card of seat 1 and of seat 3"),
        ({1: "SA", 3: "SK", 0: "SQ"}, ValueError, "want a card of seat 1 and of seat 3"),
        (["SA", "SK"], TypeError, "paid=['SA', 'SK']: want a mapping with a card of seat 1"),
        ({1: "SA", 3: "10"}, gd.NotationError, "'10' is not a card"),
        ({1: "SA", 3: "SA SK"}, gd.NotationError, "is not a card"),
        ({1: "SA", 3: "H5"}, gd.IllegalMoveError, "seat 3 cannot pay H5: it is wild at level 5"),
    ],
)
def test_nothing_that_can_be_paid(paid: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        pair(DOUBLE, paid, "5")
    assert said in str(caught.value)


@pytest.mark.parametrize("hand", ["", "H5", "H5 H5"])
def test_nothing_to_pay(hand: str) -> None:
    with pytest.raises(gd.StateError, match=f"'{hand}': want a hand with a card .* not wild"):
        payable(hand, "5")


@pytest.mark.parametrize("received", ["S4", "C3", "HR"])
def test_received_is_not_in_the_hand(received: str) -> None:
    for rules in (SAME, OTHER):
        with pytest.raises(ValueError, match=f"received='{received}': want .* the hand, S3 S5"):
            returnable("S3 S5", "5", False, rules, received)


def test_nothing_to_return() -> None:
    with pytest.raises(gd.StateError, match="'': want a hand with a card to return"):
        returnable("", "5", False)
    with pytest.raises(gd.NotationError, match="'10' is not a card"):
        returnable("S3", "5", False, None, "10")


@pytest.mark.parametrize("flag", ["yes", 1, None])
def test_what_is_neither_true_nor_false(flag: Any) -> None:
    with pytest.raises(TypeError, match=f"resist={flag!r}: want True or False"):
        tribute_plan(LOW, "5", DOUBLE, resist=flag)
    with pytest.raises(TypeError, match=f"to_partner={flag!r}: want True or False"):
        returnable("S3", "5", flag)

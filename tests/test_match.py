"""Whole matches: phases, choices, what is forced, what is hidden, and how they end."""

import copy
import hashlib
import math
import pickle
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import rows

import guandan as gd
from guandan.record import Dealt, Entry, Event, Played, Result, Returned
from guandan.tribute import Tribute

DECKS = gd.Hand.from_counts([2] * 54)
DOUBLE = (0, 2, 1, 3)  # an order by which seats 1 and 3 pay
DECLARED = gd.Standing(levels=("5", "2"), declarers=0)


def entries(match: gd.Match, kind: type[Entry]) -> list[Any]:
    """Return what of one kind the history has."""
    return [entry for entry in match.history if isinstance(entry, kind)]


def events(match: gd.Match, name: str) -> list[Event]:
    """Return the events of a name."""
    return [event for event in entries(match, Event) if event.name == name]


def play_deal(match: gd.Match, rng: random.Random) -> None:
    """Play at random until another deal is dealt, or the match is over."""
    number = match.deal_number
    while match.deal_number == number and match.phase != "over":
        act_at_random(match, rng)


def act_at_random(match: gd.Match, rng: random.Random) -> None:
    """Let one of the seats that must act do anything."""
    seat = rng.choice(match.to_act)
    match.act(rng.choice(match.options(seat)), seat)


def hands_with(*some: str, level: str = "5") -> list[gd.Hand]:
    """Return four hands of 27 with some cards each.

    Seats 1 and 3 are filled up with the lowest cards of other ranks, then the rest.
    """
    held = [gd.Hand(cards) for cards in some]
    left = DECKS
    for hand in held:
        left -= hand
    asked = {card[1] for hand in held for card in hand} | {level, "B", "R"}
    rest = sorted(left, key=lambda card: (card[1] in asked, gd.CARDS.index(card)))
    for seat in (1, 3, 0, 2):
        n = 27 - len(held[seat])
        held[seat] += gd.Hand(rest[:n])
        rest = rest[n:]
    return held


def match_with(*hands: str, **arguments: Any) -> gd.Match:
    """Return a match whose first deal, at level 5 after a double, has some cards in each hand."""
    given: dict[str, Any] = {"standing": DECLARED, "order": DOUBLE, **arguments}
    return gd.Match(deals=[hands_with(*hands)], **given)


# --- Random matches ---


def check_play(match: gd.Match) -> None:
    """Check what holds before each move."""
    state = match.state
    assert state is not None
    assert match.to_act == (state.turn,)
    assert match.level == state.level == match.standing.level
    assert state.rules == match.rules
    assert match.hands == state.hands


def check_deal(match: gd.Match) -> None:
    """Check a deal at its first lead against what has been paid for it."""
    dealt = max(i for i, entry in enumerate(match.history) if isinstance(entry, Dealt))
    paid = match.history[dealt + 1 :]
    at = gd.State.parse(match.history[dealt].state, match.rules)
    assert all(len(hand) == 27 for hand in (*at.hands, *match.hands))
    assert sum(match.hands[1:], match.hands[0]) == DECKS
    state = match.state
    assert state is not None
    if match.declarers is None:
        turned = events(match, "turned")
        assert len(turned) == 1
        assert turned[0].seat == state.turn
        assert turned[0].detail in match.hands[turned[0].seat or 0]
        assert paid == ()
        return
    order = tuple(map(int, str(events(match, "order")[-1].detail).split()))
    plan = gd.tribute_plan(at.hands, match.level, order, match.rules)
    tributes = [entry for entry in paid if isinstance(entry, Tribute)]
    returns = [entry for entry in paid if isinstance(entry, Returned)]
    if plan.resisted and not tributes:
        assert state.turn == order[0]
        assert paid[0].name == "resist"
        return
    if plan.resisted:
        plan = gd.tribute_plan(at.hands, match.level, order, match.rules, resist=False)
    is_tie = len({card[1] if card != "HR" else "R" for *_, card in tributes}) == 1
    if not (is_tie and match.rules.tribute_tie_pairing == "first_paid"):
        assert state.turn == plan.leader
        assert sorted((payer, receiver) for payer, receiver, _ in tributes) == sorted(
            (payment.payer, payment.receiver) for payment in plan.payments
        )
    for payer, _, card in tributes:
        assert card in {payment.payer: payment.cards for payment in plan.payments}[payer]
    assert {(r.giver, r.receiver) for r in returns} == {(t.receiver, t.payer) for t in tributes}


@pytest.mark.parametrize("name", gd.Rules.presets())
@pytest.mark.parametrize("seed", range(4))
def test_random_matches(name: str, seed: int) -> None:
    rules = gd.Rules.preset(name)
    if name == "seed001":
        rules = rules.replace(match_end=("deals", 9, "first_to_reach"))
    rng = random.Random(f"{name} {seed}")
    match = gd.Match(rules, seed=seed)
    seen = 0
    while match.phase != "over":
        assert match.deal_number <= 500
        if match.phase == "play":
            check_play(match)
            if match.deal_number > seen:
                seen = match.deal_number
                check_deal(match)
        act_at_random(match, rng)
    assert match.to_act == ()
    assert match.result == match.history[-1]
    assert [event.detail for event in events(match, "levels")][-1] == " ".join(match.levels)
    assert len(match.deals) == match.deal_number == len(entries(match, Dealt))
    moves = [move for state in match.deals for move in state.history]
    assert moves == [entry.move for entry in entries(match, Played)]
    standing = gd.Standing()
    for state in match.deals:
        assert state.level == standing.level
        assert state.order is not None
        standing = standing.after(state.order, rules)
    assert standing == match.standing
    assert match.result is not None
    if match.result.reason == "ace":
        assert match.result.winner == standing.winner


def test_a_match_is_that_of_its_seed() -> None:
    one, two = gd.Match(seed=5), gd.Match(seed=5)
    for match in (one, two):
        play_deal(match, random.Random(1))
    assert one.history == two.history
    assert gd.Match(seed=6).hands != gd.Match(seed=5).hands != one.hands
    assert gd.Match().hands != gd.Match().hands
    # The choices of the first deal do not touch the cards of the second.
    other = gd.Match(seed=5)
    play_deal(other, random.Random(2))
    assert entries(other, Dealt)[1].state.split()[0] == entries(one, Dealt)[1].state.split()[0]


def test_the_first_leader_holds_the_card_turned_up() -> None:
    leaders = set()
    for seed in range(200):
        match = gd.Match(seed=seed)
        (turned,) = events(match, "turned")
        card = str(turned.detail)
        assert card not in ("SB", "HR", "H2")
        assert turned.seat == match.to_act[0]
        assert card in match.hands[turned.seat]
        leaders.add((turned.seat, card))
    assert {seat for seat, _ in leaders} == {0, 1, 2, 3}
    assert len({card for _, card in leaders}) > 40


# --- Tribute and return ---


def test_a_tribute_that_is_forced_happens_by_itself() -> None:
    match = match_with("S3", "SK", "S4", "SA")
    assert match.phase == "return"
    assert [entry for entry in match.history if isinstance(entry, Tribute)] == [
        Tribute(1, 2, "SK"),
        Tribute(3, 0, "SA"),
    ]
    assert "SA" in match.hands[0]
    assert [len(hand) for hand in match.hands] == [28, 26, 28, 26]


def test_payers_choose_among_equal_cards() -> None:
    match = match_with("S3", "SA CA", "S4", "DA HA", rules=gd.Rules())
    assert match.phase == "tribute"
    assert match.state is None
    assert set(match.to_act) == {1, 3}
    assert match.options(1) == ("SA", "CA")
    assert match.options(3) == ("HA", "DA")
    with pytest.raises(ValueError, match="seat None: to act is 1 or 3"):
        match.options()
    with pytest.raises(gd.IllegalMoveError, match="DA: seat 1 may choose SA, CA"):
        match.act("DA", 1)
    with pytest.raises(ValueError, match="seat 0: to act is 1 or 3"):
        match.act("S3", 0)
    before = match.history
    match.act("HA", 3)
    assert match.history == before
    assert match.to_act == (1,)
    match.act("CA")
    assert entries(match, Tribute) == [Tribute(3, 2, "HA"), Tribute(1, 0, "CA")]


@pytest.mark.parametrize(("acting", "first"), [((1, 3), 1), ((3, 1), 3)])
def test_who_pays_first(acting: Sequence[int], first: int) -> None:
    rules = gd.Rules.preset("seed002")
    match = match_with("S3", "SA CA", "S4", "DA HA", rules=rules)
    for seat in acting:
        match.act(match.options(seat)[0], seat)
    assert entries(match, Tribute)[0][:2] == (first, 0)
    assert entries(match, Tribute)[1][1] == 2


def test_returns_are_hidden_until_both_are_given() -> None:
    match = match_with("S3 C3", "SK", "S4 C4", "SA")
    assert match.to_act == (0, 2) or set(match.to_act) == {0, 2}
    before, hands = match.history, match.hands
    match.act("C3", 0)
    assert match.history == before
    assert match.hands == hands
    assert match.to_act == (2,)
    match.act("S4")
    assert entries(match, Returned) == [Returned(0, 3, "C3"), Returned(2, 1, "S4")]
    assert match.phase == "play"
    assert match.to_act == (3,)
    assert all(len(hand) == 27 for hand in match.hands)


def test_a_return_without_choice_happens_by_itself() -> None:
    # Seat 0 holds no ten or less: it may return a card of its lowest rank, and there is one.
    high = " ".join(f"{suit}{rank}" for rank in "QKA" for suit in "SHCD" for _ in range(2))
    match = gd.Match(
        deals=[hands_with(f"{high} SJ SB SB", "HR", "", "HR", level="2")],
        standing=gd.Standing(levels=("2", "2"), declarers=0),
        order=(0, 1, 2, 3),
    )
    paid = entries(match, Tribute)
    assert [entry.receiver for entry in paid] == [0]
    assert [entry.card for entry in entries(match, Returned)] == ["SJ"]
    assert match.to_act == (3,)


def test_both_big_jokers_resist() -> None:
    match = match_with("S3", "HR", "S4", "HR")
    assert match.phase == "play"
    assert match.to_act == (0,)
    assert events(match, "resist") == [Event("resist", 1)]
    assert not entries(match, Tribute)


@pytest.mark.parametrize(
    ("order", "asked"), [((0, 2, 1, 3), 1), ((2, 0, 1, 3), 3), ((0, 1, 2, 3), 3)]
)
@pytest.mark.parametrize("choice", ["resist", "pay"])
def test_resisting_may_be_a_choice(order: tuple[int, ...], asked: int, choice: str) -> None:
    rules = gd.Rules.preset("seed002")
    match = match_with("S3", "SA", "S4", "HR HR", rules=rules, order=order)
    assert match.to_act == (asked,)
    assert match.options() == ("resist", "pay")
    with pytest.raises(gd.IllegalMoveError, match=f"HR: seat {asked} may choose resist, pay"):
        match.act("HR")
    assert match.act(choice) == choice
    assert events(match, choice) == [Event(choice, asked)]
    if choice == "resist":
        assert match.to_act == (order[0],)
        assert match.phase == "play"
    else:
        assert "HR" in [entry.card for entry in entries(match, Tribute)]


def test_a_single_tribute_goes_to_the_first() -> None:
    for order, payer in (((0, 1, 2, 3), 3), ((0, 1, 3, 2), 2), ((0, 3, 2, 1), 1)):
        match = match_with("S3 HR", "HR", "DA", "CA", order=order)
        while match.phase != "play":
            match.act(match.options()[0])
        assert [entry[:2] for entry in entries(match, Tribute)] == [(payer, 0)]
        assert match.to_act == (payer,)


# --- What may be asked ---


def test_reports_by_the_rules() -> None:
    rng = random.Random(4)
    for name, threshold, unasked, on_asking in (
        ("jiangsu2023", 10, True, False),
        ("seed000", 10, False, True),
        ("seed001", 6, True, True),
        ("njupt1006", 27, True, True),
    ):
        match = gd.Match(gd.Rules.preset(name), seed=4)
        while match.deal_number == 1:
            state = match.state
            assert state is not None
            for seat, hand in enumerate(state.hands):
                told = match.report(seat, (seat + 1) % 4)
                assert told == (len(hand) if on_asking and len(hand) <= threshold else None)
            act_at_random(match, rng)
        at = match.deals[0]
        for _ in match.deals[0].history:
            at.pop()
        told = []
        for move in match.deals[0].history:
            seat = at.turn
            at.push(move)
            left = len(at.hands[seat or 0])
            if unasked and move.size and 0 < left <= threshold:
                told.append(Event("left", seat, left))
        assert events(match, "left")[: len(told)] == told
        assert bool(told) == unasked


@pytest.mark.parametrize(
    ("seat", "asker", "said"), [(4, 0, "seat=4"), (0, -1, "asker=-1"), ("0", 1, "seat='0'")]
)
def test_reports_of_no_seat(seat: Any, asker: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        gd.Match(seed=1).report(seat, asker)


def test_cards_alone_are_read_by_the_rules() -> None:
    hands = hands_with("S4 C5 D6 S7 H2", "", "", "")
    start = gd.State(hands, level="2", turn=0)
    low = gd.Match(gd.Rules.preset("seed000"), deals=[start])
    assert str(low.default_reading("S4 C5 D6 S7 H2")) == "straight 7 H2 S4 C5 D6 S7"
    assert low.state == gd.State(hands, level="2", turn=0, rules=low.rules)
    ask = gd.Match(deals=[start])
    with pytest.raises(gd.AmbiguousMoveError):
        ask.default_reading("S4 C5 D6 S7 H2")
    with pytest.raises(ValueError, match="the phase is tribute"):
        match_with("S3", "SA CA", "S4", "DA HA").default_reading("S3")


def test_two_seats_have_the_same_time() -> None:
    now = [0.0]
    match = match_with(
        *("S3", "SA CA", "S4", "DA HA"), rules=gd.Rules.preset("seed001"), clock=lambda: now[0]
    )
    while match.phase == "tribute":
        match.act(match.options(match.to_act[0])[0], match.to_act[0])
    for at, seat, overrun in ((39.0, 0, 0.0), (75.0, 2, 35.0)):
        now[0] = at
        assert (match.phase, match.seconds, match.overrun) == ("return", 40, overrun)
        match.act(match.options(seat)[0], seat)
    assert (match.phase, match.overrun) == ("play", 0.0)
    now[0] += 31.0
    assert match.overrun == 1.0


def test_time_for_a_move() -> None:
    now = [100.0]
    match = match_with("S3", "SA CA", "S4", "DA HA", clock=lambda: now[0])
    assert (match.phase, match.seconds, match.overrun) == ("tribute", 20, 0.0)
    now[0] += 21.5
    assert match.overrun == 1.5
    match.act("SA", 1)
    match.act("DA", 3)
    assert (match.phase, match.seconds, match.overrun) == ("return", 40, 0.0)
    while match.phase == "return":
        seat = match.to_act[0]
        match.act(match.options(seat)[0], seat)
    assert match.seconds == 40
    match.act(match.options()[0])
    assert match.seconds == 20
    now[0] += 30
    assert match.overrun == 10
    assert gd.Match(gd.Rules.preset("seed000"), seed=1).seconds is None
    assert gd.Match(gd.Rules.preset("seed000"), seed=1).overrun == 0


# --- Given deals ---


def dealt(seed: int) -> gd.State:
    """Return a seeded deal."""
    return gd.State.deal("2", seed=seed)


def test_given_deals_with_seats_exchanged() -> None:
    rng = random.Random(8)
    given = [dealt(seed) for seed in range(3)]
    one = gd.Match(deals=given)
    turned = [(state.hands[1:] + state.hands[:1]) for state in given]
    two = gd.Match(deals=[gd.State(turned[0], level="2", turn=3), *turned[1:]])
    assert one.to_act == (given[0].turn,)
    assert two.to_act == (3,)
    for match, hands in ((one, [state.hands for state in given]), (two, turned)):
        for number in range(3):
            found = entries(match, Dealt)[number].state
            assert gd.State.parse(found).hands == tuple(hands[number])
            play_deal(match, rng)
        assert match.result is not None
        assert match.result.reason == "deals"
        assert match.result.winner == match.standing.ahead("draw")


def test_given_deals_that_there_are_not() -> None:
    hands = list(dealt(1).hands)
    for deals, said in (
        ([], "deals: want one or more"),
        ([hands[:3]], "deal 1: want the hands of four seats, got 3"),
        ([dealt(1), [*hands[:3], hands[3] - gd.Hand(list(hands[3])[:1])]], "deal 2: want 27 cards"),
        ([[hands[0], hands[0], hands[1], hands[2]]], "deal 1: want two of each card, there are"),
    ):
        with pytest.raises(ValueError, match=said):
            gd.Match(deals=deals)


# --- The end ---


def ended(
    rules: gd.Rules, seeds: Sequence[int], **arguments: Any
) -> Iterator[tuple[gd.Match, Result]]:
    """Play matches to their ends."""
    for seed in seeds:
        match = gd.Match(rules, seed=seed, **arguments)
        rng = random.Random(seed)
        while match.phase != "over":
            act_at_random(match, rng)
        assert match.result is not None
        yield match, match.result


def test_a_match_of_so_many_deals() -> None:
    draws = 0
    for match, result in ended(gd.Rules(match_end=("deals", 2, "draw")), range(30)):
        assert match.deal_number == 2
        assert result.reason == "deals"
        assert result.winner == match.standing.ahead("draw")
        assert result.levels == match.levels
        draws += result.winner is None
    assert draws


def test_an_extra_deal_ends_at_its_first_out() -> None:
    extra = 0
    for match, result in ended(gd.Rules(match_end=("deals", 2, "extra_deal")), range(30)):
        if match.levels[0] != match.levels[1]:
            assert (match.deal_number, result.reason) == (2, "deals")
            continue
        extra += 1
        assert (match.deal_number, result.reason) == (3, "extra_deal")
        last = match.deals[-1]
        assert len(last.out) == 1
        assert result.winner == last.out[0] % 2
        assert len(events(match, "turned")) == 2
        assert events(match, "extra_deal") == [Event("extra_deal")]
    assert extra


def test_who_reached_the_level_first() -> None:
    rules = gd.Rules(match_end=("deals", 2, "first_to_reach"))
    for match, result in ended(rules, range(20)):
        assert result.winner == match.standing.ahead("first_to_reach")
        if match.levels[0] == match.levels[1]:
            assert match.deals[0].order is not None
            assert result.winner == match.deals[0].order[0] % 2


def test_a_deal_that_was_dealt_in_time_is_finished() -> None:
    now = [0.0]
    match = gd.Match(gd.Rules.preset("seed001"), seed=2, clock=lambda: now[0])
    rng = random.Random(2)
    now[0] = 60 * 60 - 0.5
    play_deal(match, rng)
    assert match.deal_number == 2
    now[0] = 60 * 60 + 0.5
    while match.phase != "over":
        assert match.deal_number == 2
        act_at_random(match, rng)
    assert match.result is not None
    assert match.result.reason == "minutes"
    assert match.result.winner == match.standing.ahead("first_to_reach")
    assert events(match, "time_up") == [Event("time_up")]


def test_falls_may_end_in_a_draw() -> None:
    rules = gd.Rules(ace_failures=(1, "any", "K"), win_at_ace="double", falls_draw=2)
    results = [result for _, result in ended(rules, range(12))]
    drawn = [result for result in results if result.reason == "falls"]
    assert drawn
    assert all(result.winner is None and result.scores == (13, 13) for result in drawn)


def test_nothing_follows_the_end() -> None:
    match, _ = next(ended(gd.Rules(match_end=("deals", 1, "draw")), [1]))
    before = match.history
    for call in (match.options, lambda: match.act("pass"), lambda: match.act("pass", 0)):
        with pytest.raises(ValueError, match="the match is over, nobody is to act"):
            call()
    assert match.history == before


# --- Arguments ---


def test_a_match_from_a_standing() -> None:
    standing = gd.Standing(levels=("A", "9"), declarers=0)
    match = gd.Match(seed=1, standing=standing, order=(2, 1, 0, 3))
    assert (match.level, match.levels, match.declarers) == ("A", ("A", "9"), 0)
    assert match.phase in ("return", "play")
    assert [entry.payer for entry in entries(match, Tribute)] == [3]
    fresh = gd.Match(seed=1, standing=standing)
    assert fresh.phase == "play"
    assert events(fresh, "turned")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"rules": "seed000"}, TypeError, "rules: want a Rules"),
        ({"standing": gd.Standing(winner=1)}, ValueError, "want a match that goes on"),
        ({"order": (0, 2, 1, 3)}, ValueError, "want the declarers' first at its beginning"),
        ({"order": (0, 1), "standing": DECLARED}, ValueError, "each of the seats"),
        ({"order": (1, 3, 0, 2), "standing": DECLARED}, ValueError, "they are side 0"),
    ],
)
def test_matches_that_cannot_be(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        gd.Match(seed=1, **arguments)


@pytest.mark.parametrize("seed", [True, 1.5, math.nan, "abc", [1], -1, 2**64, b"x"])
def test_seeds_that_are_none(seed: Any, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(ValueError, match="seed="):
        gd.Match(seed=seed, record=path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"clock": None}, TypeError, "clock=None: want a function"),
        ({"record": []}, TypeError, r"record=\[\]: want the path of a file"),
        ({"record": 1}, TypeError, "record=1: want the path of a file"),
        ({"record": True}, TypeError, "record=True: want the path of a file"),
        ({"record": b"x"}, TypeError, "record=b'x': want the path of a file"),
    ],
)
def test_clocks_and_paths_that_are_none(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        gd.Match(seed=1, **arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"clock": None}, TypeError, "clock=None: want a function"),
        ({"elapsed": "x"}, TypeError, "elapsed='x': want seconds"),
        ({"elapsed": None}, TypeError, "elapsed=None: want seconds"),
        ({"elapsed": True}, TypeError, "elapsed=True: want seconds"),
        ({"elapsed": math.nan}, ValueError, "elapsed=nan: want seconds, 0 or more"),
        ({"elapsed": math.inf}, ValueError, "elapsed=inf: want seconds, 0 or more"),
        ({"elapsed": -1}, ValueError, "elapsed=-1: want seconds, 0 or more"),
        ({"record": 5}, TypeError, "record=5: want the path of a file, or as bytes"),
        ({"record": []}, TypeError, r"record=\[\]: want the path of a file, or as bytes"),
        ({"record": None}, TypeError, "record=None: want the path of a file, or as bytes"),
        ({"record": b"{}\n", "resume": True}, TypeError, "resume: want the path of a file"),
    ],
)
def test_loads_that_cannot_be(arguments: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        gd.Match.load(**{"record": b"{}\n", **arguments})


@pytest.mark.parametrize("seed", [True, None, 1.5, "1", -1, 2**64])
def test_playouts_of_no_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match=f"seed={seed!r}: want an int"):
        gd.Match(seed=3).playout(seed)


def test_numbers_of_numpy_are_seats_and_seeds(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = gd.Match(seed=np.int64(3), record=path)
    match.act(match.options(np.uint8(3))[0], np.int64(3))
    assert gd.Match.load(path).history == match.history
    assert type(match.seed) is type(match.history[-1].seat) is int


@pytest.mark.parametrize("seat", [3.0, "3", True, None, -1, [3]])
def test_seats_that_are_none_change_nothing(seat: Any) -> None:
    for match in (gd.Match(seed=3), match_with("S3", "SA CA", "S4", "DA HA")):
        if seat is None and match.phase == "play":
            continue
        before, acting = match.history, match.to_act
        choice = match.options(acting[0])[0]
        with pytest.raises(ValueError, match="to act is"):
            match.options(seat)
        with pytest.raises(ValueError, match="to act is"):
            match.act(choice, seat)
        assert (match.history, match.to_act) == (before, acting)


def test_a_clock_that_fails_changes_nothing() -> None:
    ticks = iter([0.0])
    match = gd.Match(seed=3, clock=lambda: next(ticks))
    before = match.history
    with pytest.raises(StopIteration):
        match.act(match.options()[0])
    assert match.history == before
    assert match.state == gd.Match(seed=3).state


def test_a_deal_of_hands_alone_is_led_by_the_seed() -> None:
    hands = gd.deal_hands(1)
    leaders = {gd.Match(seed=seed, deals=[hands]).to_act for seed in range(40)}
    assert leaders == {(0,), (1,), (2,), (3,)}
    assert len({gd.Match(deals=[hands]).to_act for _ in range(60)}) > 1


def test_what_a_seed_deals() -> None:
    """The recipe of the docstring, written once more."""
    match = gd.Match(seed=3)

    def draw(what: str) -> int:
        return int.from_bytes(hashlib.sha256(f"3 1 {what}".encode()).digest()[:8], "big")

    assert match.hands == gd.deal_hands(draw("deal"))
    place = next(
        place
        for tries in range(99)
        if (place := draw(f"card {tries}") % 108) < 104 and gd.CARDS[place // 2] != "H2"
    )
    card = gd.CARDS[place // 2]
    holders = [seat for seat in range(4) for _ in range(match.hands[seat].count(card))]
    assert match.history[0] == Event("turned", holders[place % 2], card)


def test_copies_go_their_own_way() -> None:
    match = gd.Match(seed=3, clock=time.monotonic)
    play_deal(match, random.Random(3))
    for again in (
        match.copy(),
        copy.copy(match),
        copy.deepcopy(match),
        pickle.loads(pickle.dumps(match)),
    ):
        before = match.history
        assert again.history == before
        assert again.state == match.state
        assert again.to_act == match.to_act
        play_deal(again, random.Random(1))
        assert match.history == before
        assert again.history[: len(before)] == before
        assert again.deal_number == match.deal_number + 1 == 3


def test_a_match_shows_where_it_stands() -> None:
    assert repr(gd.Match(seed=3)) == "<Match of seed 3, deal 1 at level 2, play, seat 3 to act>"
    match = match_with("S3", "SA CA", "S4", "DA HA", seed=1)
    assert repr(match) == "<Match of seed 1, deal 1 at level 5, tribute, seat 1 and 3 to act>"
    for name in ("rules", "seed", "phase", "state"):
        with pytest.raises(AttributeError):
            setattr(match, name, None)


def test_an_extra_deal_is_one_of_those_given() -> None:
    rules = gd.Rules(match_end=("deals", 2, "extra_deal"))
    extra = 0
    for seed in range(30):
        given = [dealt(100 * seed + number) for number in range(3)]
        match = gd.Match(rules, deals=given, seed=1)
        rng = random.Random(seed)
        while match.phase != "over":
            if match.deal_number == 3:
                assert match.declarers is None
            act_at_random(match, rng)
        assert match.result is not None
        if match.result.reason == "extra_deal":
            extra += 1
            assert gd.State.parse(entries(match, Dealt)[2].state).hands == given[2].hands
            assert match.deals[2].history[0].size
            place = match.history.index(Event("extra_deal"))
            assert match.history[place + 1] == entries(match, Dealt)[2]
    assert extra


def test_given_deals_run_out_under_a_limit_of_time() -> None:
    match = gd.Match(gd.Rules.preset("seed001"), deals=[dealt(1)])
    play_deal(match, random.Random(1))
    assert match.result is not None
    assert match.result.reason == "deals"
    assert not events(match, "time_up")


# --- What the texts say of a deal ---


def test_recorded_questions_about_play() -> None:
    asked = {row["question"]: row["expected"] for row in rows("cases.jsonl")}
    lead = gd.State.parse("S3S5/S4/H8/D2 5 0 - -")
    assert lead.is_legal("pass") == asked["may the leader pass?"]
    state = gd.State.parse("S9SQ/DT/D2D3/SJSK 5 0 - -")
    for move in ("S9", "DT", "pass", "pass"):  # seats 2 and 3 pass on the ten
        state.push(move)
    state.push("SQ")
    assert state.turn == 2
    state.push("pass")
    question = "may a player who passed earlier in the trick play later in it?"
    assert state.is_legal("SK") == asked[question]


def test_recorded_questions_about_card_counts() -> None:
    for row in rows("cases.jsonl"):
        found = re.fullmatch(
            r"(?:must|asked with|must answer card count at) ?(announce)? ?(?:unasked )?"
            r"(?:at )?(\d+) left.*",
            row["question"],
        )
        if found is None:
            continue
        rules = gd.Rules.preset(row["rules"])
        threshold, unasked, on_asking = rules.report_cards
        says = unasked if found[1] else on_asking
        assert (says and int(found[2]) <= threshold) == row["expected"], row["id"]


def test_a_move_that_is_none_changes_nothing() -> None:
    match = gd.Match(seed=3)
    before = (match.history, match.hands)
    for choice, error in (("pass", gd.IllegalMoveError), ("hello", gd.NotationError)):
        with pytest.raises(error):
            match.act(choice)
    state = match.state
    assert state is not None
    state.push(match.options()[0])
    assert (match.history, match.hands) == before

"""Observations: what a seat knows, and that nothing hidden leaks."""

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import reference_features as ref
from test_match import match_with
from test_state import LEVELS, RULES

import guandan as gd
from guandan.observation import Observation, before_play
from guandan.tribute import Tribute

DECKS = gd.Hand.from_counts([2] * 54)
STANDING = gd.Standing(levels=("5", "9"), declarers=1)


def deals(seed: int, n: int = 1) -> Iterator[tuple[gd.State, list[ref.Play]]]:
    """Every position of some deals played at random by some rules, and the moves so far."""
    rng = random.Random(seed)
    for _ in range(n):
        state = gd.State.deal(rng.choice(LEVELS), rng.getrandbits(64), rules=rng.choice(RULES))
        plays: list[ref.Play] = []
        yield state, plays
        while state.turn is not None:
            seat = state.turn
            plays.append((seat, str(state.push(rng.choice(state.legal_moves())))))
            yield state, plays


def spread_anew(state: gd.State, seat: int, rng: random.Random) -> gd.State:
    """The same deal from its beginning, but for how the unplayed cards of others are spread."""
    moves = state.history
    start = state.copy()
    while start.history:
        start.pop()
    hands = list(state.hands)
    hidden = [card for other in range(4) if other != seat for card in hands[other]]
    rng.shuffle(hidden)
    spread = []
    for other, hand in enumerate(start.hands):
        if other == seat:
            spread.append(hand)
            continue
        held = len(hands[other])
        spread.append(hand - hands[other] + gd.Hand(hidden[:held]))
        del hidden[:held]
    again = gd.State(spread, level=start.level, turn=start.turn, rules=start.rules)
    for move in moves:
        again.push(move)
    return again


def seen_by(state: gd.State, seat: int) -> Observation:
    """An observation, with what a match tells."""
    given = [(1, 0, "SA"), (3, 2, "HK")]
    return state.observe(seat).in_match(STANDING, given, [(0, 1, "S3")])


@pytest.mark.parametrize("seed", range(4))
def test_observations_are_what_has_been_seen(seed: int) -> None:
    for state, plays in deals(seed):
        for seat in range(4):
            seen = state.observe(seat)
            want = ref.see(state, seat, plays)
            assert (seen.seat, seen.level, seen.levels) == (seat, state.level, want.levels)
            assert (seen.hand, list(seen.unseen_hand)) == (
                state.hands[seat],
                sorted(want.others, key=gd.CARDS.index),
            )
            assert seen.unseen.tolist() == ref.counts(want.others)
            assert seen.unseen.dtype == np.uint8
            assert (seen.turn, seen.table, seen.owner) == (state.turn, state.table, state.owner)
            assert (seen.out, seen.left) == (state.out, tuple(want.left))
            assert seen.rules == state.rules
            assert seen.standing is None
            assert (seen.tributes, seen.returns) == ((), ())
            assert [(mover, str(move)) for mover, move in seen.plays] == plays
            assert tuple(move for _, move in seen.plays) == state.history
            assert [list(map(str, hand)) for hand in seen.played] == [
                sorted(want.played(other), key=gd.CARDS.index) for other in range(4)
            ]
            assert [move and str(move) for move in seen.last] == list(map(want.last, range(4)))
            if seat == state.turn:
                assert seen.legal_moves() == state.legal_moves()
                assert seen.legal_moves("one") == state.legal_moves("one")
            else:
                assert len(seen.legal_moves()) == 0


@pytest.mark.parametrize("seed", range(4))
def test_unseen_is_what_neither_the_hand_nor_the_plays_have(seed: int) -> None:
    for state, _ in deals(seed):
        for seat in range(4):
            seen = state.observe(seat)
            rest = DECKS - seen.hand
            for played in seen.played:
                rest -= played
            assert seen.unseen_hand == rest
            assert sum(seen.left) == len(seen.hand) + len(rest)


def alike(seed: int) -> Iterator[tuple[Observation, Observation]]:
    """What seats see in random deals and in others that differ only in hidden cards."""
    rng = random.Random(seed)
    differ = 0
    for place, (state, _) in enumerate(deals(seed)):
        for seat in range(4) if place % 8 == 0 else ():
            try:
                other = spread_anew(state, seat, rng)
            except gd.StateError:  # a third copy of a card in one hand
                continue
            differ += other != state
            yield state.observe(seat), other.observe(seat)
            yield seen_by(state, seat), seen_by(other, seat)
    assert differ > 8


@pytest.mark.parametrize("seed", range(8))
def test_nothing_hidden_leaks(seed: int) -> None:
    for one, two in alike(seed):
        assert one == two
        assert hash(one) == hash(two)
        assert repr(one) == repr(two)
        assert pickle.dumps(one) == pickle.dumps(two)


def test_a_seat_sees_what_differs_elsewhere() -> None:
    state = gd.State.deal("2", 7)
    seen = state.observe(0)
    assert seen == state.observe(0) != state.observe(1)
    assert seen != gd.State.deal("3", 7).observe(0)
    assert seen != gd.State.deal("2", 7, turn=0).observe(0)
    assert seen != gd.State.deal("2", 7, rules=gd.Rules(steps=(9, 5, 2))).observe(0)
    assert seen != seen.in_match(STANDING)
    assert seen.in_match(STANDING, [(1, 0, "SA")]) != seen.in_match(STANDING, [(1, 0, "HA")])
    assert seen != "an observation"
    assert len({seen, state.observe(0), state.observe(1)}) == 2


def test_moves_that_come_to_the_same_are_told_apart() -> None:
    one, two = (gd.State(["S3 S4 S5", "S6", "S7", "S8"], level="2", turn=0) for _ in range(2))
    for state, moves in (one, "34"), (two, "43"):
        for rank in moves:
            state.push(f"single {rank} S{rank}")
            for _ in range(3):
                state.push("pass")
    assert one == two
    assert one.observe(1) != two.observe(1)


@pytest.mark.parametrize("seed", range(4))
def test_pickles_and_copies_are_equal(seed: int) -> None:
    for place, (state, _) in enumerate(deals(seed)):
        if place % 16 == 0 or state.is_over:
            for seat in range(4):
                for seen in state.observe(seat), seen_by(state, seat):
                    for again in pickle.loads(pickle.dumps(seen)), copy.deepcopy(seen):
                        assert again == seen
                        assert hash(again) == hash(seen)
                        assert repr(again) == repr(seen)
                        assert again.legal_moves() == seen.legal_moves()


def test_an_observation_stays_as_it_is() -> None:
    state = gd.State.deal("2", 7)
    first = state.observe(0)
    state.push(state.legal_moves()[0])
    assert first == gd.State.deal("2", 7).observe(0)
    after = state.observe(0)
    state.pop()
    assert state.observe(0) == first != after


def test_a_state_in_mid_deal_has_lost_its_plays() -> None:
    state = gd.State.parse("S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2:S2D2 2")
    seen = state.observe(0)
    assert (str(seen.table), seen.owner, seen.out) == ("pair 2 S2 D2", 3, (2,))
    assert (seen.plays, seen.last) == ((), (None,) * 4)
    assert seen.played == (gd.Hand(),) * 4
    assert seen.unseen_hand == gd.Hand("SB HR C2 C2 H3")
    assert seen.left == (3, 2, 0, 3)
    assert repr(seen) == "<Observation of seat 0: 3 cards at level 7, turn 0, 0 moves known>"


def test_a_table_without_cards() -> None:
    state = gd.State.parse("S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2")
    assert str(state.observe(0).table) == "pair 2"
    assert state.observe(0).legal_moves() == state.legal_moves()


def test_a_decided_deal() -> None:
    state = gd.State(["S3", "S4", "S5", "S6"], level="2", turn=0)
    for move in "single 3 S3", "pass", "single 5 S5":
        state.push(move)
    seen = state.observe(2)
    assert (seen.turn, seen.table, seen.owner, seen.out) == (None, None, None, (0, 2))
    assert seen.hand == gd.Hand()
    assert len(seen.legal_moves()) == 0


# --- In a match ---


def test_what_a_match_tells() -> None:
    seen = gd.State.deal("9", 7).observe(2)
    told = seen.in_match(STANDING, [Tribute(3, 0, "SA"), Tribute(1, 2, "HK")], [(2, 1, "S3")])
    assert (told.standing, told.levels) == (STANDING, ("5", "9"))
    assert told.tributes == (Tribute(1, 2, "HK"), Tribute(3, 0, "SA"))
    assert told.returns == ((2, 1, "S3"),)
    assert (told.hand, told.turn) == (seen.hand, seen.turn)
    assert told.in_match(None).levels == ("9", "9")
    assert told.in_match(None) == seen


def test_before_play() -> None:
    first, second, *others = gd.deal_hands(7)
    card = gd.Hand([next(iter(second))])
    hands = [first + card, second - card, *others]
    seen = before_play(hands, "9", 0, RULES[1])
    assert (seen.hand, seen.unseen_hand) == (hands[0], DECKS - hands[0])
    assert (seen.left, seen.level, seen.rules) == ((28, 26, 27, 27), "9", RULES[1])
    assert (seen.turn, seen.table, seen.owner, seen.out, seen.plays) == (None, None, None, (), ())
    assert pickle.loads(pickle.dumps(seen)) == seen
    again = [hands[0], *reversed(hands[2:]), hands[1]]
    assert before_play(again, "9", 0, RULES[1]) != seen  # another seat holds 26
    again = [hands[0], hands[1], *reversed(hands[2:])]
    assert before_play(again, "9", 0, RULES[1]) == seen
    with pytest.raises(gd.StateError, match="seat 0 holds 54 of 54 cards"):
        before_play([first + second, gd.Hand(), gd.Hand(), gd.Hand()], "9", 0, RULES[0])
    with pytest.raises(gd.StateError, match="more than twice"):
        before_play([DECKS, card, first, second], "9", 0, RULES[0])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((STANDING, [(0, 0, "S3")]), ValueError, "tributes: .*another seat"),
        ((STANDING, (), [(0, 1, "S3"), (0, 3, "S4")]), ValueError, "returns: .*one card of each"),
        ((STANDING, [(0, "S3")]), ValueError, "tuple of giver, receiver and card"),
        ((STANDING, [(0, None, "S3")]), ValueError, "tuple of giver, receiver and card"),
        ((STANDING, ["031"]), ValueError, "tuple of giver, receiver and card"),
        ((STANDING, [(0, 4, "S3")]), gd.StateError, "receiver 4 is no seat"),
        ((STANDING, [("1", 0, "S3")]), TypeError, "giver '1' is no seat"),
        ((STANDING, [(1, 0, "S1")]), gd.NotationError, "'S1' is not a card"),
        (("5",), TypeError, "want a Standing or None, got '5'"),
    ],
)
def test_what_a_match_cannot_tell(arguments: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gd.State.deal("2", 7).observe(0).in_match(*arguments)


def test_matches_show_gifts_to_all_when_they_are_shown() -> None:
    rng = random.Random(5)
    match = gd.Match(seed=5)
    phases: set[tuple[str, int]] = set()
    while match.deal_number < 9 and match.phase != "over":
        views = [match.observe(seat) for seat in range(4)]
        phases.add((match.phase, len(views[0].tributes)))
        begun = match.phase == "play"
        for seat, seen in enumerate(views):
            assert (seen.hand, seen.level) == (match.hands[seat], match.level)
            assert (seen.standing, seen.levels) == (match.standing, match.levels)
            assert seen.turn == (match.to_act[0] if begun else None)
            assert (seen.tributes, seen.returns) == (views[0].tributes, views[0].returns)
            assert len(seen.returns) == (len(seen.tributes) if begun else 0)
            assert begun or seen.plays == ()
            if seat == seen.turn:
                assert seen.legal_moves() == match.options()
            else:
                assert len(seen.legal_moves()) == 0
        seat = rng.choice(match.to_act)
        match.act(rng.choice(match.options(seat)), seat)
    assert phases >= {("play", 0), ("play", 1), ("play", 2), ("tribute", 0), ("return", 1)}


def test_a_choice_that_is_not_shown_yet_is_hidden() -> None:
    views = {}
    for card in "SA", "CA":
        match = match_with("SB SB HR HR", "SA CA", "", "HA DA")
        match.act(card, 1)
        views[card] = [match.observe(seat) for seat in range(4)]
        assert all(seen.tributes == () for seen in views[card])
        match.act("HA", 3)
        paid = {(payer, paid) for payer, _, paid in match.observe(2).tributes}
        assert paid == {(1, card), (3, "HA")}
    assert views["SA"] == views["CA"]


# --- What is refused ---


@pytest.mark.parametrize(
    ("seat", "error", "words"),
    [
        (4, gd.StateError, "seat 4 is no seat: want 0, 1, 2 or 3"),
        (-1, gd.StateError, "seat -1 is no seat: want 0, 1, 2 or 3"),
        ("0", TypeError, "seat '0' is no seat: want 0, 1, 2 or 3"),
        (None, TypeError, "seat None is no seat: want 0, 1, 2 or 3"),
    ],
)
def test_seats_that_are_none(seat: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        gd.State.deal("2", 7).observe(seat)
    with pytest.raises(error, match=words):
        gd.Match(seed=3).observe(seat)


def test_an_observation_is_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match="made by State"):
        gd.Observation()
    with pytest.raises(AttributeError):
        gd.State.deal("2", 7).observe(0).hand = gd.Hand()  # type: ignore[misc]

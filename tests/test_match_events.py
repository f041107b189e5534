"""A referee's events in whole matches: rulings carried out, records, and what follows."""

import copy
import json
import pickle
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guandan as gd
from guandan.record import Dealt, Event, Played, Result
from guandan.referee import Points, Referee, Ruling
from guandan.standing import Standing
from guandan.tribute import Tribute

CONDUCTS = ("jiangsu2023", "seed000", "seed001", "seed002")
DECKS = gd.Hand.from_counts([2] * 54)
PASS = gd.Move.parse("pass")
DECLARED = Standing(levels=("5", "2"), declarers=0)
DOUBLE = (0, 2, 1, 3)


# --- Helpers ---


def match_of(conduct: str, seed: int = 3, **arguments: Any) -> gd.Match:
    """Begin a match by a text with events."""
    return gd.Match(gd.Rules.preset(conduct), seed=seed, **arguments)


def act_at_random(match: gd.Match, rng: random.Random) -> None:
    """Let one of the seats that must act do anything."""
    seat = rng.choice(match.to_act)
    match.act(rng.choice(match.options(seat)), seat)


def play_on(match: gd.Match, rng: random.Random, choices: int) -> None:
    """Play so many choices at random."""
    for _ in range(choices):
        if match.phase != "over":
            act_at_random(match, rng)


def play_to(match: gd.Match, rng: random.Random, test: Callable[[gd.Match], bool]) -> gd.Match:
    """Play at random up to where a test holds."""
    while not test(match):
        assert match.phase != "over"
        act_at_random(match, rng)
    return match


def seat_on_turn(match: gd.Match) -> int:
    """Give the one seat that must act."""
    (seat,) = match.to_act
    return seat


def lead(match: gd.Match) -> None:
    """Play a single that can be beaten."""
    single = next(move for move in match.options() if move.size == 1)  # type: ignore[union-attr]
    match.act(single)


def events(match: gd.Match, name: str) -> list[Event]:
    """Give the events of a name."""
    return [one for one in match.history if isinstance(one, Event) and one.name == name]


def view(match: gd.Match) -> list[Any]:
    """Give all that can be seen of a match."""
    options = [list(match.options(seat)) for seat in match.to_act]
    names = ("phase", "to_act", "hands", "state", "deals", "standing", "level", "declarers")
    more = ("deal_number", "referee", "points", "deniable", "result", "history", "seconds")
    return [options, *(getattr(match, name) for name in (*names, *more))]


def refused(match: gd.Match, said: str, *arguments: Any, **named: Any) -> None:
    """Check that an event is refused, and that nothing is changed."""
    before = view(match)
    with pytest.raises(ValueError, match=said):
        match.event(*arguments, **named)
    assert view(match) == before


def replayed(state: gd.State) -> gd.State:
    """Give a state whose moves are taken back and made again."""
    again = state.copy()
    for _ in state.history:
        again.pop()
    for move in state.history:
        if move.size or again.table is not None:
            again.push(move)
        else:
            again.skip()
    return again


def check(match: gd.Match) -> None:
    """Check what holds at any time."""
    if match.state is None:
        assert sum(match.hands[1:], match.hands[0]) == DECKS
    else:
        cards = [card for move in match.state.history for card in move.cards or ()]
        assert sum(match.hands[1:], match.hands[0]) + gd.Hand(cards) == DECKS
        assert match.state.hands == match.hands
        assert replayed(match.state) == match.state
        assert match.state.history == match.deals[-1].history
    assert match.level == match.standing.level or match.phase == "over"
    assert (match.result is None) == (match.phase != "over") == bool(match.to_act)
    assert [event.seat for event in events(match, "skipped")] == [
        before.seat
        for before, after in zip(match.history, match.history[1:], strict=False)
        if isinstance(after, Event) and after.name == "skipped"
        if isinstance(before, Played) and before.move == PASS
    ]
    lost = owed(match)
    assert match._course.lost == lost
    # Whose turn it is has none to lose, unless its play was taken back.
    for seat in match.to_act if match.phase == "play" else ():
        assert not lost[seat] or Event("taken_back", seat) in [
            entry._replace(detail=None) for entry in match.history if isinstance(entry, Event)
        ]


def owed(match: gd.Match) -> tuple[int, ...]:
    """Give the turns that are to be lost in this deal, as the history tells."""
    owing = [0] * 4
    made: list[list[Any]] = []
    for entry in match.history:
        match entry:
            case Dealt():
                owing, made = [0] * 4, []
            case Played(seat, _):
                made.append([seat, 0])
            case Event("lost_turn", int(seat)):
                owing[seat] += 1
            case Event("deny", _):
                owing[made[-1][0]] += 1
            case Event("skipped", int(seat)):
                owing[seat] -= 1
                made[-1][1] = 1
            case Event("taken_back", _, int(number)):
                for seat, forced in made[-number:]:
                    owing[seat] += forced
                del made[-number:]
    return tuple(owing)


def same(one: gd.Match, two: gd.Match) -> bool:
    """Whether two matches have come to the same."""
    return view(one) == view(two)


# --- Turns that are lost ---


@pytest.mark.parametrize("conduct", ["seed000", "seed001"])
def test_a_seat_that_leads_loses_its_turn(conduct: str) -> None:
    match = match_of(conduct)
    before = match.hands
    seat = seat_on_turn(match)
    assert match.event("lost_turn", seat) == (Ruling("skip_turn", seat),)
    assert match.history[-3:] == (
        Event("lost_turn", seat),
        Played(seat, PASS),
        Event("skipped", seat),
    )
    assert match.to_act == ((seat + 1) % 4,)
    assert match.hands == before
    state = match.state
    assert state is not None
    assert (state.table, state.owner, state.history) == (None, None, (PASS,))
    # The next one leads, and may not pass.
    with pytest.raises(gd.IllegalMoveError, match="leads and may not pass"):
        match.act("pass")
    check(match)


def test_a_seat_that_is_to_reply_loses_its_turn() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    lead(match)
    match.event("lost_turn", (leader + 1) % 4)
    assert match.to_act == ((leader + 2) % 4,)
    state = match.state
    assert state is not None
    assert state.owner == leader
    check(match)


def test_a_turn_is_lost_when_it_comes() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    later = (leader + 2) % 4
    match.event("lost_turn", later)
    assert match.history[-1] == Event("lost_turn", later)
    assert match.to_act == (leader,)
    lead(match)
    assert match.to_act == ((leader + 1) % 4,)
    match.act("pass")
    assert match.to_act == ((leader + 3) % 4,)
    assert match.history[-2:] == (Played(later, PASS), Event("skipped", later))
    # The turn after that is its own.
    match.act("pass")
    lead(match)
    match.act("pass")
    assert match.to_act == (later,)
    check(match)


def test_turns_that_are_lost_may_end_a_trick() -> None:
    match = match_of("seed001")
    leader = seat_on_turn(match)
    for seat in range(4):
        if seat != leader:
            match.event("lost_turn", seat)
    lead(match)
    state = match.state
    assert state is not None
    assert (state.turn, state.table) == (leader, None)
    assert len(events(match, "skipped")) == 3


def test_each_event_loses_a_turn() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    for _ in range(3):
        match.event("lost_turn", (leader + 1) % 4)
    for _ in range(3):
        lead(match)
        assert match.to_act == ((leader + 2) % 4,)
        match.act("pass")
        match.act("pass")
        assert match.to_act == (leader,)
    lead(match)
    assert match.to_act == ((leader + 1) % 4,)


def test_everybody_may_lose_the_lead() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    for number in range(1, 5):
        match.event("lost_turn", (leader + 4 - number) % 4)
    assert match.to_act == (leader,)
    assert [event.seat for event in events(match, "skipped")] == [
        (leader + number) % 4 for number in range(4)
    ]


def test_turns_that_are_left_end_with_the_deal() -> None:
    match = match_of("seed000", seed=4)
    rng = random.Random(4)
    play_to(match, rng, lambda match: len(match.hands[match.to_act[0]]) < 3)
    number = match.deal_number
    state = match.state
    assert state is not None
    seat = next(seat for seat in range(4) if seat not in (*state.out, *match.to_act))
    for _ in range(30):
        match.event("lost_turn", seat)
    play_to(match, rng, lambda match: match.deal_number > number)
    assert match._course.lost == (0, 0, 0, 0)
    check(match)


def test_who_is_out_has_no_turn_to_lose() -> None:
    match = play_to(
        match_of("seed000"), random.Random(1), lambda match: bool(match.state and match.state.out)
    )
    assert match.state is not None
    (seat,) = match.state.out
    refused(match, f"name='lost_turn', seat={seat}: want a seat still in", "lost_turn", seat)


# --- Plays that are taken back ---


@pytest.mark.parametrize("conduct", ["seed000", "seed001"])
def test_a_play_is_taken_back_with_all_after_it(conduct: str) -> None:
    match = match_of(conduct)
    leader = seat_on_turn(match)
    hands = match.hands
    lead(match)
    match.act("pass")
    match.act("pass")
    before = match.history
    assert match.event("misreport", leader) == (Ruling("take_back", leader),)
    assert match.history == (
        *before,
        Event("misreport", leader),
        Event("taken_back", leader, 3),
    )
    assert (match.hands, match.to_act) == (hands, (leader,))
    assert match.state is not None
    assert match.state.history == ()
    refused(match, f"seat={leader}: want a seat that has played", "misreport", leader)
    lead(match)
    check(match)


def test_a_pass_is_no_play() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    lead(match)
    match.act("pass")
    refused(match, "want a seat that has played in this deal", "misreport", (leader + 1) % 4)
    match.event("misreport", leader)
    assert match.to_act == (leader,)


def test_plays_of_the_deal_before_stay() -> None:
    match = match_of("seed000")
    rng = random.Random(2)
    play_to(match, rng, lambda match: match.deal_number == 2 and match.phase == "play")
    for seat in range(4):
        refused(match, "want a seat that has played in this deal", "misreport", seat)


def test_a_seat_that_was_out_plays_again() -> None:
    match = match_of("seed001", seed=8)
    rng = random.Random(8)
    play_to(match, rng, lambda match: bool(match.state and match.state.out))
    assert match.state is not None
    (seat,) = match.state.out
    match.event("misreport", seat)
    assert match.state.out == ()
    assert match.to_act == (seat,)
    assert match.hands[seat]
    check(match)
    play_to(match, rng, lambda match: match.deal_number == 2)


def test_turns_that_were_lost_since_are_lost_again() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    second = (leader + 1) % 4
    lead(match)
    match.event("lost_turn", second)
    assert match.to_act == ((leader + 2) % 4,)
    match.event("misreport", leader)
    assert match.to_act == (leader,)
    lead(match)
    assert match.to_act == ((leader + 2) % 4,)
    assert len(events(match, "skipped")) == 2
    check(match)


def test_who_has_a_play_taken_back_plays_before_he_loses_a_turn() -> None:
    match = match_of("seed000")
    leader = seat_on_turn(match)
    lead(match)
    match.event("lost_turn", leader)
    match.event("misreport", leader)
    assert match.to_act == (leader,)
    # An event of another changes nothing of that.
    match.event("lost_turn", (leader + 2) % 4)
    assert match.to_act == (leader,)
    lead(match)
    match.act("pass")
    match.act("pass")
    # He has won the trick, and loses the lead.
    assert match.to_act == ((leader + 1) % 4,)
    check(match)


def test_counts_are_said_once_more_after_a_play_is_taken_back() -> None:
    match = match_of("seed001", seed=2)
    rng = random.Random(2)
    play_to(match, rng, lambda match: bool(events(match, "left")))
    (left,) = events(match, "left")
    assert left.seat is not None
    match.event("misreport", left.seat)
    held = len(match.hands[left.seat])
    move = next(move for move in match.options() if move.size)  # type: ignore[union-attr]
    match.act(move)
    after = held - move.size  # type: ignore[union-attr]
    assert (events(match, "left")[-1] == Event("left", left.seat, after)) == (0 < after <= 6)


def test_misreports_come_to_fouls_and_the_end() -> None:
    match = match_of("seed001")
    seat = seat_on_turn(match)
    for number in range(1, 5):
        lead(match)
        rulings = match.event("misreport", seat)
        assert [ruling.kind for ruling in rulings] == ["take_back", "match_lost"][
            : 2 if number == 4 else 1
        ]
    assert match.result == Result(1 - seat % 2, "referee", ("2", "2"), None)
    assert match.state is not None
    assert match.state.history == ()
    check(match)


# --- Plays that are denied ---


def watched(seed: int = 3) -> tuple[gd.Match, int]:
    """Give a match in which the seat that leads has come to a violation."""
    match = match_of("jiangsu2023", seed=seed)
    leader = seat_on_turn(match)
    assert match.event("warning", leader) == ()
    assert match.event("warning", leader) == (Ruling("may_deny", leader),)
    assert match.deniable is None
    return match, leader


def test_the_next_seat_denies_a_lead() -> None:
    match, leader = watched()
    hands = match.hands
    move = match.act(match.options()[0])
    assert match.deniable == leader
    with pytest.raises(ValueError, match=f"seat {leader}: to act is"):
        match.deny(leader)
    assert match.deny((leader + 1) % 4) == move
    assert match.hands == hands
    assert match.history[-4:] == (
        Event("deny", (leader + 1) % 4),
        Event("taken_back", leader, 1),
        Played(leader, PASS),
        Event("skipped", leader),
    )
    assert match.to_act == ((leader + 1) % 4,)
    assert match.state is not None
    assert match.state.table is None
    # The right is used up.
    match.act(match.options()[0])
    assert match.deniable is None
    check(match)


def test_a_reply_that_is_denied_is_a_pass() -> None:
    match, leader = watched()
    second = (leader + 1) % 4
    match.event("violation", second)
    lead(match)
    assert match.deniable == leader
    move = next(move for move in match.options() if move.size == 1)  # type: ignore[union-attr]
    match.act(move)
    assert match.deniable == second
    match.deny()
    assert match.state is not None
    assert (match.state.owner, match.state.turn) == (leader, (leader + 2) % 4)
    check(match)


def test_a_right_that_is_not_used_lapses() -> None:
    match, leader = watched()
    lead(match)
    match.act("pass")
    assert match.deniable is None
    before = view(match)
    with pytest.raises(ValueError, match=r"seat \d may deny no play: want one after a violation"):
        match.deny()
    assert view(match) == before
    match.act("pass")
    match.act("pass")
    lead(match)
    assert match.to_act != (leader,)
    assert match.deniable is None


def test_a_pass_leaves_the_right() -> None:
    match = match_of("jiangsu2023")
    leader = seat_on_turn(match)
    second = (leader + 1) % 4
    match.event("violation", second)
    lead(match)
    match.act("pass")
    assert match.deniable is None
    match.act("pass")
    match.act("pass")
    lead(match)
    move = next(move for move in match.options() if move.size)  # type: ignore[union-attr]
    match.act(move)
    assert match.deniable == second
    # An event that is no ruling leaves it too.
    match.event("warning", leader)
    assert match.deny() == move


def test_a_right_lasts_into_the_next_deal() -> None:
    rng = random.Random(5)
    match = match_of("jiangsu2023", seed=5)
    play_to(match, rng, lambda match: bool(match.state and match.state.out))
    assert match.state is not None
    (seat,) = match.state.out
    match.event("violation", seat)
    play_to(match, rng, lambda match: match.deal_number == 2 and match.phase == "play")
    play_to(match, rng, lambda match: match.deniable is not None)
    assert match.deniable == seat
    assert isinstance(match.history[-1], Played)


def test_a_play_that_ends_the_deal_is_not_denied() -> None:
    ended = 0
    for seed in range(12):
        rng = random.Random(seed)
        match = match_of("jiangsu2023", seed=seed)
        play_to(match, rng, lambda match: sum(map(len, match.hands)) < 40)
        for seat in range(4):
            match.event("violation", seat)
        number = match.deal_number
        while match.deal_number == number:
            assert match.phase == "play"
            act_at_random(match, rng)
        assert match.deniable is None
        ended += 1
        if match.phase == "play":
            with pytest.raises(ValueError, match="may deny no play"):
                match.deny()
    assert ended


def test_nothing_is_denied_between_deals_and_after_the_end() -> None:
    rng = random.Random(1)
    match = play_to(match_of("jiangsu2023"), rng, lambda match: match.phase == "return")
    match.event("violation", 0)  # which is for his next play
    with pytest.raises(ValueError, match=r"may deny no play|to act is"):
        match.deny(match.to_act[0])
    match.event("forfeit", 1)
    with pytest.raises(ValueError, match="the match is over"):
        match.deny()


# --- Points ---


def test_points_go_by_deals_and_events() -> None:
    match = match_of("seed002", seed=6)
    rng = random.Random(6)
    points, standing = Points(), Standing()
    number = 1
    while match.phase != "over":
        if rng.random() < 0.02:
            seat = rng.randrange(4)
            (ruling,) = match.event("quit", seat)
            assert ruling == Ruling("points", seat, "quit")
            points = points.after_event("quit", seat, match.level)
            assert match.points == points
        act_at_random(match, rng)
        if match.deal_number > number or match.phase == "over":
            order = match.deals[number - 1].order
            assert order is not None
            after = standing.after(order, match.rules)
            points = points.after_deal(standing, after, order)
            standing, number = after, match.deal_number
        assert match.points == points
    assert match.standing == standing
    assert any(points.totals)


@pytest.mark.parametrize(
    ("name", "calls", "totals"),
    [
        ("grabbed", [1, 1, 1], (0, -1, 0, 0)),
        ("miscount", [0, 1, 3], (-1, -1, -1, -1)),
        ("illegal_signal", [2] * 5, (0, 0, -1, 0)),
        ("dropped", [3, 3], (0, 0, 0, -8)),
    ],
)
@pytest.mark.parametrize("phase", ["tribute", "return", "play"])
def test_points_in_every_phase(
    name: str, calls: list[int], totals: tuple[int, ...], phase: str
) -> None:
    match = at_phase("seed002", phase)
    before = match.points
    assert before is not None
    options = match.to_act
    for seat in calls:
        match.event(name, seat)
    assert match.points is not None
    changes = zip(match.points.totals, before.totals, strict=True)
    assert tuple(now - then for now, then in changes) == totals
    assert (match.phase, match.to_act) == (phase, options)


def test_other_texts_have_no_points() -> None:
    for conduct in CONDUCTS:
        assert (match_of(conduct).points is None) == (conduct != "seed002")


# --- Deals that are lost ---


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("name", ["grave", "foul"])
def test_a_foul_loses_the_deal(name: str, seat: int) -> None:
    for leader in ((seat + 1) % 4, (seat + 3) % 4):
        match = match_of("jiangsu2023")
        play_on(match, random.Random(1), 20)
        assert match.event(name, seat, leader) == (Ruling("deal_lost", seat),)
        side = leader % 2
        order = (leader, (leader + 2) % 4, 1 - side, 3 - side)
        assert match.standing == Standing().after(order)
        assert match.levels[side] == "5"
        assert (match.deal_number, match.phase, match.to_act) == (2, "play", (leader,))
        assert (match.declarers, match.level) == (side, "5")
        assert not [entry for entry in match.history if isinstance(entry, Tribute)]
        assert match.history[-4:-1] == (
            Event(name, seat, leader),
            Event("order", leader, " ".join(map(str, order))),
            Event("levels", None, " ".join(match.levels)),
        )
        check(match)
        # After that deal tribute is paid again.
        rng = random.Random(2)
        play_to(match, rng, lambda match: match.deal_number == 3)
        assert match.phase != "play" or events(match, "resist") or tributes(match)


def tributes(match: gd.Match) -> list[Tribute]:
    """Give what was paid."""
    return [entry for entry in match.history if isinstance(entry, Tribute)]


def test_the_order_of_a_deal_that_is_lost_keeps_who_was_out() -> None:
    seen = set()
    for seed in range(30):
        match = match_of("jiangsu2023", seed=seed)
        play_to(match, random.Random(seed), lambda match: bool(match.state and match.state.out))
        assert match.state is not None
        (first,) = match.state.out
        for seat in range(4):
            for leader in ((seat + 1) % 4, (seat + 3) % 4):
                lost = match.copy()
                lost.event("foul", seat, leader)
                order = tuple(map(int, str(events(lost, "order")[0].detail).split()))
                won_first = first % 2 != seat % 2
                seen.add(won_first)
                assert order[0] == (first if won_first else leader)
                assert order[1] == (order[0] + 2) % 4
                assert order[2:] == (seat % 2, seat % 2 + 2)
                assert lost.to_act == (leader,)
    assert seen == {True, False}


def test_who_leads_after_a_deal_that_is_lost_is_asked_for() -> None:
    match = match_of("jiangsu2023")
    for leader in (None, 0, 2, 4, -1, "1", True, 1.0):
        refused(match, "leader=.*: want 1 or 3, who leads the next deal", "foul", 0, leader=leader)
    refused(match, "leader=1: want None, 'warning' loses no deal", "warning", 0, leader=1)
    refused(match, "leader=0: want None, 'forfeit' loses no deal", "forfeit", 0, leader=0)
    match.event("foul", 0, 3)
    refused(match, "leader=1: want None, 'foul' loses no deal now", "foul", 2, leader=1)
    match.event("foul", 2)
    assert match.phase == "over"


def test_violations_come_to_a_foul() -> None:
    match = match_of("jiangsu2023")
    for _ in range(3):
        match.event("warning", 2)
    refused(match, "want 1 or 3", "warning", 2)
    assert match.event("warning", 2, 1) == (Ruling("deal_lost", 2),)
    assert match.referee == Referee(
        warnings=(0, 0, 4, 0), violations=(0, 0, 2, 0), fouls=(0, 0, 1, 0)
    )


def test_a_deal_that_is_lost_may_win_the_match() -> None:
    standing = Standing(levels=("A", "K"), declarers=0)
    match = match_of("jiangsu2023", standing=standing)
    match.event("foul", 1, 2)
    assert match.result == Result(0, "ace", ("A", "K"), (15, 11))
    check(match)
    # The other side does not win at a level that is not its own.
    match = match_of("jiangsu2023", standing=standing)
    match.event("foul", 0, 3)
    assert match.levels == ("A", "A")
    assert (match.phase, match.to_act) == ("play", (3,))


def test_a_deal_that_is_lost_may_be_the_last() -> None:
    rules = gd.Rules(match_end=("deals", 1, "draw"))
    match = gd.Match(rules, seed=1)
    match.event("grave", 0, 1)
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (1, "deals")


# --- Deals that are void ---


@pytest.mark.parametrize("seat", range(4))
def test_hidden_cards_make_a_deal_void(seat: int) -> None:
    match = match_of("seed002")
    play_on(match, random.Random(1), 20)
    other = 1 - seat % 2
    assert match.event("hidden_cards", seat) == (Ruling("deal_void", seat),)
    assert match.standing == Standing().after_void(other)
    assert match.levels[other] == match.level == "3"
    assert (match.deal_number, match.phase, match.declarers) == (2, "play", other)
    assert match.to_act == ((seat + 1) % 4,)
    assert match.points == Points()
    assert match.history[-4:-1] == (
        Event("hidden_cards", seat),
        Event("void", seat),
        Event("levels", None, " ".join(match.levels)),
    )
    assert match.deals[0].order is None
    check(match)


def test_the_third_hidden_cards_lose_the_match() -> None:
    match = match_of("seed002")
    match.event("hidden_cards", 0)
    match.event("hidden_cards", 1)
    match.event("hidden_cards", 2)
    assert match.levels == ("3", "4")
    match.event("hidden_cards", 0)
    assert match.result == Result(1, "referee", ("3", "4"), (0, 28))
    check(match)


def test_nobody_wins_by_a_void_deal() -> None:
    match = match_of("seed002", standing=Standing(levels=("A", "K"), declarers=0))
    match.event("hidden_cards", 1)
    assert (match.levels, match.level, match.declarers) == (("A", "K"), "A", 0)
    match.event("hidden_cards", 0)
    assert (match.levels, match.level, match.declarers) == (("A", "A"), "A", 1)
    assert match.phase == "play"


def test_a_void_deal_is_one_of_so_many() -> None:
    rules = gd.Rules.preset("seed002").replace(match_end=("deals", 1, "draw"))
    match = gd.Match(rules, seed=1)
    match.event("hidden_cards", 0)
    assert match.result == Result(1, "deals", ("2", "3"), (13, 15))


def extra_deal(conduct: str) -> gd.Match:
    """Give a match in its extra deal."""
    rules = gd.Rules.preset(conduct).replace(match_end=("deals", 2, "extra_deal"))
    for seed in range(100):
        match = gd.Match(rules, seed=seed)
        rng = random.Random(seed)
        while match.deal_number < 3 and match.phase != "over":
            act_at_random(match, rng)
        if match.phase != "over":
            return match
    raise AssertionError


@pytest.mark.parametrize(
    ("conduct", "arguments"), [("jiangsu2023", ("foul", 0, 1)), ("seed002", ("hidden_cards", 0))]
)
def test_an_extra_deal_is_won_by_the_other_side(conduct: str, arguments: Any) -> None:
    match = extra_deal(conduct)
    levels = match.levels
    match.event(*arguments)
    assert match.result is not None
    assert match.result[:3] == (1, "extra_deal", levels)
    check(match)


def test_turns_are_lost_in_an_extra_deal() -> None:
    match = extra_deal("seed000")
    leader = seat_on_turn(match)
    match.event("lost_turn", leader)
    assert match.to_act == ((leader + 1) % 4,)
    lead(match)
    match.event("misreport", (leader + 1) % 4)
    for seed in range(8):
        assert match.playout(seed).reason == "extra_deal"
    play_to(match, random.Random(1), lambda match: match.phase == "over")


# --- Matches that are lost ---


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    ("conduct", "early", "late"),
    [
        ("jiangsu2023", (17, 0), (17, 0)),
        ("seed001", None, None),
        ("seed002", (28, 0), (20, 0)),
    ],
)
def test_a_forfeit_loses_the_match(conduct: str, early: Any, late: Any, seat: int) -> None:
    winner = 1 - seat % 2

    def result(scores: Any) -> Result:
        by_side = scores if scores is None or winner == 0 else scores[::-1]
        return Result(winner, "referee", ("2", "2"), by_side)

    match = match_of(conduct)
    (ruling,) = match.event("forfeit", seat)
    assert ruling.kind == "match_lost"
    assert match.result == match.history[-1] == result(early)
    match = match_of(conduct)
    lead(match)
    match.event("forfeit", seat)
    assert match.result == result(late)
    assert (match.phase, match.to_act, match.seconds) == ("over", (), None)
    check(match)


def test_without_scores_of_its_own_a_ruling_is_by_the_table() -> None:
    rules = gd.Rules.preset("seed001").replace(score_table=13)
    match = gd.Match(rules, seed=1, standing=Standing(levels=("9", "4"), declarers=0))
    match.event("forfeit", 0)
    assert match.result == Result(1, "referee", ("9", "4"), (13, 13))
    match = gd.Match(rules, seed=1, standing=Standing(levels=("9", "4"), declarers=0))
    match.event("forfeit", 1)
    assert match.result == Result(0, "referee", ("9", "4"), (18, 8))


def test_nothing_follows_the_end() -> None:
    for conduct in CONDUCTS:
        if conduct == "seed000":
            continue
        match = match_of(conduct)
        match.event("forfeit", 0)
        for name in match.referee.events:
            refused(match, f"name='{name}': the match is over", name, 1)
        with pytest.raises(ValueError, match="the match is over"):
            match.act("pass")


# --- Phases ---


def at_phase(conduct: str, phase: str) -> gd.Match:
    """Give a match in a phase, in its second deal or later."""
    rules = gd.Rules.preset(conduct)
    for seed in range(200):
        match = gd.Match(rules, seed=seed)
        rng = random.Random(seed)
        while match.phase != "over" and match.deal_number < 5:
            if match.phase == phase and match.deal_number > 1:
                return match
            act_at_random(match, rng)
    raise AssertionError


# What can be called in tribute and return: all but rulings on a deal.
IN_PLAY = {"lost_turn", "misreport", "foul", "grave", "hidden_cards"}


@pytest.mark.parametrize("phase", ["tribute", "return", "play"])
@pytest.mark.parametrize("conduct", CONDUCTS)
def test_every_event_in_every_phase(conduct: str, phase: str) -> None:
    for name in Referee(conduct=conduct).events:  # type: ignore[arg-type]
        match = at_phase(conduct, phase)
        if phase == "play":
            play_on(match, random.Random(1), 6)
        seat = seat_of_play(match)
        leader = (seat + 1) % 4 if name in ("foul", "grave") and conduct == "jiangsu2023" else None
        if phase != "play" and (name in IN_PLAY and (conduct, name) != ("seed001", "foul")):
            refused(match, f"want a deal in play, the phase is {phase}", name, seat, leader=leader)
            continue
        rulings = match.event(name, seat, leader)
        assert all(ruling.seat == seat for ruling in rulings)
        assert Event(name, seat, leader) in match.history
        check(match)
        again = pickle.loads(pickle.dumps(match))
        for one in (match.copy(), copy.deepcopy(match), again):
            assert same(one, match)
            assert one.playout(3) == match.playout(3)
            play_to(one, random.Random(1), lambda match: match.phase == "over")


def seat_of_play(match: gd.Match) -> int:
    """Give a seat that has played in this deal, any where there is none."""
    state = match.state
    if state is None:
        return 2
    return next(seat for seat in (0, 1, 2, 3) if len(match.hands[seat]) < 27)


@pytest.mark.parametrize("conduct", ["none", *CONDUCTS])
def test_events_that_there_are_not(conduct: Any) -> None:
    match = gd.Match(gd.Rules(conduct=conduct), seed=1)
    refused(match, "name='nonsense': events of conduct", "nonsense", 0)
    assert match.referee == Referee(conduct=conduct)
    for name in match.referee.events:
        for seat in (4, -1, None, "0", True):
            refused(match, "seat=.*: want one of 0, 1, 2, 3", name, seat)


def test_a_match_has_begun_once_a_deal_has_been_counted() -> None:
    later = Standing(levels=("9", "5"), declarers=0, deals=8)
    match = match_of("seed002", 1, standing=later, order=(0, 1, 2, 3))
    match.event("forfeit", 0)
    assert match.result is not None
    assert match.result.scores == (0, 20)
    void = match_of("seed002", 1)
    void.event("hidden_cards", 1)
    assert void.standing.deals == 1
    void.event("forfeit", 0)
    assert void.result is not None
    assert void.result.scores == (0, 20)


def test_a_match_goes_on_at_the_most_deals_that_are_counted() -> None:
    standing = Standing(levels=("5", "5"), deals=10**9)
    match = match_of("seed002", 1, standing=standing)
    play_to(match, random.Random(1), lambda match: match.deal_number == 2)
    assert match.standing.deals == 10**9
    assert match.points is not None
    assert any(match.points.totals)


def test_no_leader_is_wanted_where_no_deal_can_follow(tmp_path: Path) -> None:
    foul = gd.Rules(conduct="jiangsu2023")
    at_ace = Standing(levels=("A", "2"), declarers=0, deals=9)
    last: tuple[tuple[str, dict[str, Any]], ...] = (
        ("deals", {"rules": foul.replace(match_end=("deals", 1, "draw"))}),
        ("deals", {"rules": foul, "deals": [gd.State.deal("2", seed=1)]}),
        ("ace", {"rules": foul, "standing": at_ace}),
    )
    for number, (reason, arguments) in enumerate(last):
        path = tmp_path / str(number)
        match = gd.Match(seed=3, record=path, **arguments)
        named = match.copy()
        with pytest.raises(ValueError, match="leader=1: want 0 or 2"):
            match.event("foul", 1, 1)
        match.event("foul", 1)
        assert match.result is not None
        assert (match.result.winner, match.result.reason) == (0, reason)
        assert match.points is None
        assert gd.Match.load(path).history == match.history
        named.event("foul", 1, 2)
        assert named.result == match.result


def test_no_leader_is_wanted_in_an_extra_deal_nor_before_one() -> None:
    rules = gd.Rules(conduct="jiangsu2023", match_end=("deals", 1, "extra_deal"))
    standing = Standing(levels=("2", "5"), declarers=0)
    match = gd.Match(rules, seed=3, standing=standing)
    match.event("foul", 1)
    assert (match.deal_number, match.levels, match.result) == (2, ("5", "5"), None)
    again = match.copy()
    match.event("foul", 0)
    assert match.result is not None
    assert (match.result.winner, match.result.reason) == (1, "extra_deal")
    with pytest.raises(ValueError, match="leader=2: want 1 or 3"):
        again.event("foul", 0, 2)


def test_numbers_of_numpy_are_seats() -> None:
    rules = gd.Rules.preset("jiangsu2023")
    match = gd.Match(rules, seed=3)
    other = match.copy()
    match.event("foul", np.int64(0), np.uint8(1))
    other.event("foul", 0, 1)
    assert match.history == other.history
    assert all(type(one) is int for one in events(match, "foul")[0][1:])
    assert match.referee == other.referee
    assert match.report(np.int64(0), np.int64(1)) is None
    seat = seat_on_turn(match)
    match.event("violation", (seat - 1) % 4)
    with pytest.raises(ValueError, match="may deny no play"):
        match.deny(np.int64(seat))
    with pytest.raises(ValueError, match="leader=True: want 1 or 3"):
        gd.Match(rules, seed=3).event("foul", 2, True)


def test_a_clock_that_fails_changes_nothing() -> None:
    ticks = iter([0.0])
    match = match_of("seed000", clock=lambda: next(ticks))
    before = match.history
    with pytest.raises(StopIteration):
        match.event("lost_turn", seat_on_turn(match))
    assert (match.history, match.referee) == (before, Referee(conduct="seed000"))
    assert match.to_act == match_of("seed000").to_act


def test_who_must_act_has_the_time_that_he_had() -> None:
    now = [0.0]
    match = match_of("seed001", clock=lambda: now[0])
    leader = seat_on_turn(match)
    now[0] = 35.0
    match.event("foul", leader)
    match.event("lost_turn", (leader + 1) % 4)
    assert match.overrun == 5.0 - (match.seconds or 0) + 30
    match.event("lost_turn", leader)
    assert match.overrun == 0.0


def test_time_is_up_after_a_deal_that_is_lost(tmp_path: Path) -> None:
    rules = gd.Rules(match_end=("minutes", 10, "first_to_reach"))
    for conduct, arguments in (("jiangsu2023", ("foul", 0, 1)), ("seed002", ("hidden_cards", 0))):
        now = [0.0]
        path = tmp_path / conduct
        match = gd.Match(
            rules.replace(conduct=conduct), seed=2, clock=lambda now=now: now[0], record=path
        )
        play_on(match, random.Random(1), 9)
        now[0] = 601.0
        match.event(*arguments)
        assert match.result is not None
        assert (match.result.reason, match.result.winner) == ("minutes", 1)
        assert same(gd.Match.load(path), match)


# --- Records ---


def test_what_events_look_like(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = match_of("jiangsu2023", record=path)
    match.event("warning", 3)
    match.event("grave", 2, 1)
    lines = path.read_text("utf-8").splitlines()
    assert lines[3:7] == [
        '{"event": ["warning", 3]}',
        '{"event": ["grave", 2, 1]}',
        '{"event": ["order", 1, "1 3 0 2"]}',
        '{"event": ["levels", null, "2 5"]}',
    ]
    assert json.loads(lines[0])["rules"] == {}


def random_match(
    conduct: str, seed: int, path: Path | None = None, most: int = 10**9
) -> Iterator[gd.Match]:
    """Play a match at random, with random events; give it after each choice or event."""
    rng = random.Random(f"{conduct} {seed}")
    rules = gd.Rules.preset(conduct).replace(match_end="at_ace")
    if rng.random() < 0.3:
        rules = rules.replace(match_end=("deals", rng.randint(1, 4), "extra_deal"))
    match = gd.Match(rules, seed=seed, record=path)
    # A match lost at once would be short: what loses one is rare.
    names = [name for name in match.referee.events if name != "forfeit" or rng.random() < 0.1]
    rate = rng.choice((0.003, 0.02, 0.1))
    yield match
    while match.phase != "over" and most:
        most -= 1
        if match.deniable is not None and rng.random() < 0.5:
            match.deny()
        elif rng.random() < rate:
            name, seat = rng.choice(names), rng.randrange(4)
            if name in ("foul", "hidden_cards", "grave") and rng.random() < 0.8:
                continue
            leader = rng.choice((None, None, *range(4)))
            before = match.history
            try:
                match.event(name, seat, leader)
            except ValueError:
                assert match.history == before
        else:
            act_at_random(match, rng)
        yield match


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_random_matches_with_events(conduct: str, tmp_path: Path) -> None:
    kinds = set()
    for seed in range(7):
        path = tmp_path / f"{seed}.jsonl"
        before: tuple[Any, ...] = ()
        for number, match in enumerate(random_match(conduct, seed, path)):
            history = match.history
            assert history[: len(before)] == before
            before = history
            if number % 7 == 0 or match.phase == "over":
                check(match)
            if number % 150 == 3:
                assert same(pickle.loads(pickle.dumps(match)), match)
                assert same(match.copy(), match)
                assert match.playout(number) == match.copy().playout(number)
        kinds |= {entry.name for entry in match.history if isinstance(entry, Event)}
        assert match.deal_number >= len(match.deals) >= match.deal_number - 1
        assert same(gd.Match.load(path), match)
    assert (
        kinds
        >= {
            "jiangsu2023": {"deny", "taken_back", "skipped", "foul"},
            "seed000": {"taken_back", "skipped"},
            "seed001": {"taken_back", "skipped"},
            "seed002": {"void"},
        }[conduct]
    )


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(CONDUCTS), st.integers(0, 10**6), st.integers(0, 400))
def test_copies_in_any_state_go_on_alike(conduct: str, seed: int, most: int) -> None:
    *_, match = random_match(conduct, seed, most=most)
    check(match)
    again = pickle.loads(pickle.dumps(match))
    other = match.copy()
    assert match.playout(seed) == again.playout(seed) == other.playout(seed)
    for one in (again, other):
        play_on(one, random.Random(seed), 60)
    assert same(again, other)
    check(again)


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_a_record_with_events_cut_after_any_line(conduct: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    for seed in range(100):
        path.unlink(missing_ok=True)
        *_, match = random_match(conduct, seed, path, 130)
        if len({entry.name for entry in match.history if isinstance(entry, Event)}) > 6:
            break
    lines = path.read_bytes().splitlines(keepends=True)
    for end in range(2, len(lines)):
        path.write_bytes(b"".join(lines[:end]))
        again = gd.Match.load(path, resume=True)
        assert again.history[: end - 1] == match.history[: end - 1]
        written = path.read_bytes()
        assert written.startswith(b"".join(lines[:end]))
        assert written.count(b"\n") == len(again.history) + 1
    # It goes on in the same file.
    play_on(again, random.Random(1), 40)
    assert same(gd.Match.load(path), again)


def edits(match: gd.Match, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Give lines that are not those of a record, by their numbers from 0."""
    for number, line in enumerate(lines):
        value = json.loads(line).get("event")
        if value is None:
            continue
        name, seat, *more = value
        wrong = [[name, seat, 9], [name, seat, "x"], ["nonsense", seat, *more]]
        if name not in ("order", "levels"):
            wrong.append([name, None if seat is not None else 0, *more])
        if name in ("taken_back", "skipped", "void", "deny", "left"):
            wrong.append([name, (seat + 1) % 4, *more])
        for other in wrong:
            if other != value:
                yield number, json.dumps({"event": other}) + "\n"


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_an_event_that_is_edited_is_found(conduct: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    *_, match = random_match(conduct, 1, path, 100)
    for seat in range(4):
        if match.phase == "over":
            break
        for name in match.referee.events:
            try:
                match.event(name, seat, (seat + 1) % 4 if name in ("foul", "grave") else None)
            except ValueError:
                continue
    lines = path.read_text("utf-8").splitlines(keepends=True)
    found = 0
    for number, line in edits(match, lines):
        path.write_text("".join([*lines[:number], line, *lines[number + 1 :]]), "utf-8")
        with pytest.raises(gd.RecordError) as error:
            gd.Match.load(path)
        assert error.value.line == number + 1
        assert error.value.match.history[: number - 1] == match.history[: number - 1]
        found += 1
    assert found > 20


def test_passes_of_lost_turns_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match = match_of("seed000", record=path)
    leader = seat_on_turn(match)
    match.event("lost_turn", leader)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    assert json.loads(lines[4]) == {"seat": leader, "move": "pass"}
    assert json.loads(lines[5]) == {"event": ["skipped", leader]}
    for number, line in (
        (4, f'{{"seat": {(leader + 1) % 4}, "move": "pass"}}\n'),
        (3, f'{{"event": ["lost_turn", {(leader + 2) % 4}]}}\n'),
    ):
        path.write_text("".join([*lines[:number], line, *lines[number + 1 :]]), "utf-8")
        with pytest.raises(gd.RecordError, match=r"the match has|out of place|to act|may not"):
            gd.Match.load(path)
    # What the match did by itself may be missing at the end, and comes back.
    path.write_text("".join(lines[:4]), "utf-8")
    assert same(gd.Match.load(path), match)
    assert re.search("pass", path.read_text("utf-8")) is None

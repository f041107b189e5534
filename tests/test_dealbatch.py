"""Many deals at once: in step with States and Matches played one by one."""

import copy
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lots import LEVELS, RULES, Lots, any_rules, choose
from reference_rng import Rng, dealt

import guandan as gd
from guandan import features
from guandan.gifts import Exchange
from guandan.match import Match
from guandan.record import Header

NO_SEAT, NO_SIDE, NO_MATCH = 4, 2, -1
PRESETS: Any = ("danzero_like", "planes")


def kept(batch: gd.DealBatch) -> Any:
    """Give all of a batch."""
    return batch.__reduce__()[1]


def only_pass(state: gd.State) -> bool:
    """Tell whether the seat to move can do nothing but pass."""
    return state.table is not None and len(state.legal_moves()) == 1


SEED = 5


def drawn_order(rng: Rng) -> list[int]:
    """Draw an order that a deal can end in."""
    seats = [0, 1, 2, 3]
    for place in (3, 2, 1):
        other = rng.below(place + 1)
        seats[place], seats[other] = seats[other], seats[place]
    first, second, *others = seats
    return [first, second, *(sorted(others) if abs(first - second) == 2 else others)]


class Alone:
    """A place of deals by themselves, played by States."""

    def __init__(
        self, number: int, rules: gd.Rules, level: str | None, auto_pass: bool, after: Any = None
    ) -> None:
        self.rng = Rng.stream(SEED, number)
        self.rules, self.level, self.auto_pass, self.after = rules, level, auto_pass, after
        self.payoff, self.winner, self.order = 0, NO_MATCH, (0, 0, 0, 0)
        self.deal()

    def deal(self) -> None:
        """Deal by the next seed."""
        self.seed = self.rng.bits()
        rng = Rng(self.seed)
        dealt(rng)
        rng.below(4)
        level = self.level or LEVELS[rng.below(13)]
        self.state = gd.State.deal(level, self.seed, rules=self.rules)
        self.gifts: Any = ((), ())
        order = drawn_order(self.rng) if self.after == "drawn" else self.after
        if order == "last":
            order = self.order if any(self.order) else None
        if order is None:
            return
        exchange = Exchange(self.state.hands, order, level, self.rules)
        while exchange.stage != "done":
            seat = choose(self.rng, [*exchange.choices])
            exchange.choose(seat, choose(self.rng, exchange.choices[seat]))
        self.gifts = exchange.tributes, exchange.returns
        self.state = gd.State(exchange.hands, level=level, turn=exchange.leader, rules=self.rules)

    def see(self) -> gd.Observation:
        """Observe as the turn does."""
        assert self.state.turn is not None
        return self.state.observe(self.state.turn).in_match(None, *self.gifts)

    def play(self, move: gd.Move) -> bool:
        """Play a move and what is forced; tell whether it has ended the deal."""
        self.payoff, self.last, self.last_gifts = 0, self.state, (None, *self.gifts)
        self.state.push(move)
        while self.auto_pass and not self.state.is_over and only_pass(self.state):
            self.state.push("pass")
        if not self.state.is_over:
            return False
        assert self.state.payoff is not None
        assert self.state.order is not None
        self.payoff, self.order = self.state.payoff, self.state.order
        self.deal()
        return True


class InMatch:
    """A place of matches, played by Match."""

    def __init__(self, number: int, rules: gd.Rules, auto_pass: bool) -> None:
        self.rng = Rng.stream(SEED, number)
        self.rules, self.auto_pass = rules, auto_pass
        self.order = (0, 0, 0, 0)
        self.begin()

    def begin(self) -> None:
        """Begin a match of the generator's deals."""
        lots: Any = Lots(self.rng, None)
        self.match = Match.__new__(Match)
        self.match._begin(Header(self.rules, lots, gd.Standing(), None), lambda: 0.0)
        self.payoff, self.winner = 0, NO_MATCH

    @property
    def state(self) -> gd.State:
        """The deal in play."""
        assert self.match.state is not None
        return self.match.state

    def see(self) -> gd.Observation:
        """Observe as the turn does."""
        return self.match.observe(self.match.to_act[0])

    def play(self, move: gd.Move) -> bool:
        """Play a move and what is forced; tell whether it has ended the deal."""
        number, extra = self.match.deal_number, self.match._is_extra
        state = self.last = self.state.copy()
        seen = self.see()
        self.last_gifts = seen.standing, seen.tributes, seen.returns
        state.push(move)
        self.match.act(move)
        self.payoff, self.winner = 0, NO_MATCH
        while self.match.phase in ("tribute", "return"):
            seat = choose(self.rng, self.match.to_act)
            self.match.act(choose(self.rng, self.match.options(seat)), seat)
        if self.match.phase != "over" and self.match.deal_number == number:
            if self.auto_pass and only_pass(self.state):
                return self.play(self.state.legal_moves()[0])
            return False
        if extra:
            first = state.out[0]
            self.order = (first, *sorted({0, 1, 2, 3} - {first}))  # type: ignore[assignment]
        else:
            assert state.order is not None
            assert state.payoff is not None
            self.order, payoff = state.order, state.payoff
        result = self.match.result
        if result is not None:
            self.begin()
            self.winner = NO_SIDE if result.winner is None else result.winner
        self.payoff = 0 if extra else payoff
        return True


def compare(batch: gd.DealBatch, places: list[Any], rng: random.Random) -> gd.MoveBatch:
    """Hold what a batch tells to its places."""
    states = [place.state for place in places]
    listed = batch.legal()
    masks = batch.masks()
    actions = batch.actions()
    for place, state in enumerate(states):
        assert listed[place] == state.legal_moves()
        assert listed[place].level == state.level
        assert (masks[place] == gd.action_mask(state)).all()
    ids = [actions.ids[a:b].tolist() for a, b in pairwise(actions.offsets)]
    assert ids == [np.flatnonzero(mask).tolist() for mask in masks]
    assert batch.turns.tolist() == [state.turn for state in states]
    assert batch.levels.tolist() == [LEVELS.index(state.level) for state in states]
    assert batch.left.tolist() == [[len(hand) for hand in state.hands] for state in states]
    assert batch.hands.tolist() == [[list(hand.planes) for hand in s.hands] for s in states]
    assert batch.lengths.tolist() == [len(state.history) for state in states]
    owners = [NO_SEAT if state.owner is None else state.owner for state in states]
    assert batch.owners.tolist() == owners
    turns = batch.hands[np.arange(batch.n), batch.turns]
    other = gd.legal_moves_batch(turns, batch.levels, batch.beats, rules=batch.rules)
    assert (other.records == listed.records).all()
    chosen = rng.randrange(batch.n)
    assert (str(batch.state(chosen)), batch.state(chosen).rules) == (
        str(states[chosen]),
        batch.rules,
    )
    assert batch.state(chosen).history == states[chosen].history
    assert batch.observation(chosen) == places[chosen].see()
    for preset in PRESETS:
        seen = batch.observe(preset=preset)
        for place in range(batch.n):
            assert (seen[place] == features.observation(places[place].see(), preset)).all()
    return listed


def play(
    batch: gd.DealBatch, places: list[Any], step: int, rng: random.Random
) -> tuple[gd.DealBatch, int]:
    """Play a step with both and compare them; return the batch, and how many deals ended."""
    listed = compare(batch, places, rng)
    if step % 3 == 0:
        choices = [rng.randrange(len(moves)) for moves in listed]
        moves = [listed[place][choice] for place, choice in enumerate(choices)]
    else:
        choices = [rng.choice(np.flatnonzero(mask).tolist()) for mask in batch.masks()]
        moves = [
            gd.expand(place.state, choice)[0] for place, choice in zip(places, choices, strict=True)
        ]
    if step % 2:
        batch = batch.copy()
    batch.step(np.array(choices, rng.choice("hqLI")), ids=step % 3 != 0)
    ends = [place.play(move) for place, move in zip(places, moves, strict=True)]
    assert batch.ended.tolist() == ends
    assert batch.payoffs.tolist() == [place.payoff for place in places]
    assert batch.orders.tolist() == [list(place.order) for place in places]
    assert batch.winners.tolist() == [place.winner for place in places]
    if step % 4 < 2:
        batch = pickle.loads(pickle.dumps(batch))
    for number, (ended, place) in enumerate(zip(ends, places, strict=True)):
        if ended:
            with pytest.raises(TypeError, match="seat None is no seat"):
                batch.observation(number, ended=True)
            seat = step % 4
            assert batch.state(number, ended=True) == place.last
            assert batch.state(number, ended=True).history == place.last.history
            seen = place.last.observe(seat).in_match(*place.last_gifts)
            assert batch.observation(number, seat, ended=True) == seen
        else:
            with pytest.raises(ValueError, match=f"deal {number}: the last step has not ended"):
                batch.state(number, ended=True)
    return batch, sum(ends)


def play_deals(
    n: int,
    rules: gd.Rules,
    level: str | None,
    auto_pass: bool,
    rng: random.Random,
    after: Any = None,
) -> None:
    """Play deals by themselves in step until five have ended."""
    batch = gd.DealBatch(n, rules, SEED, level=level, auto_pass=auto_pass, after=after)
    by_place = after if isinstance(after, list) else [after] * n
    places = [Alone(number, rules, level, auto_pass, by_place[number]) for number in range(n)]
    ended = step = 0
    while ended < 5:
        assert batch.deal_seeds.tolist() == [place.seed for place in places]
        batch, ends = play(batch, places, step, rng)
        step, ended = step + 1, ended + ends
    assert (batch.side_levels == batch.levels[:, None]).all()
    assert (batch.declarers == NO_SIDE).all()
    assert batch.standing(0) is None


def play_matches(rules: gd.Rules, auto_pass: bool, rng: random.Random, deals: int) -> set[int]:
    """Play matches in step until so many deals have ended; return who won."""
    batch = gd.DealBatch(2, rules, SEED, matches=True, auto_pass=auto_pass)
    places = [InMatch(number, rules, auto_pass) for number in range(2)]
    winners = set()
    ended = step = 0
    while ended < deals:
        batch, ends = play(batch, places, step, rng)
        step, ended = step + 1, ended + ends
        winners |= set(batch.winners.tolist())
        matches = [place.match for place in places]
        assert [batch.standing(place) for place in range(2)] == [m.standing for m in matches]
        assert batch.side_levels.tolist() == [
            [LEVELS.index(level) for level in match.levels] for match in matches
        ]
        assert batch.declarers.tolist() == [
            NO_SIDE if match.declarers is None else match.declarers for match in matches
        ]
    assert not batch.deal_seeds.any()
    return winners


@pytest.mark.parametrize("auto_pass", [True, False])
@pytest.mark.parametrize("name", gd.Rules.presets())
def test_deals_by_themselves(name: str, auto_pass: bool) -> None:
    rng = random.Random(name)
    play_deals(3, gd.Rules.preset(name), rng.choice((*LEVELS, None)), auto_pass, rng)


def test_one_deal() -> None:
    play_deals(1, gd.Rules(), None, True, random.Random(1))


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "after", ["drawn", "last", (0, 2, 1, 3), [(0, 1, 2, 3), (1, 3, 0, 2), (3, 0, 1, 2)]], ids=str
)
def test_tribute_before_deals_by_themselves(name: str, after: Any) -> None:
    rng = random.Random(name)
    play_deals(3, RULES[name], rng.choice((*LEVELS, None)), True, rng, after)


def test_orders_in_arrays() -> None:
    orders = [[0, 2, 1, 3], [3, 1, 0, 2]] * 2
    given_ = [orders, np.array(orders), np.array(orders, np.uint8), [np.array(o) for o in orders]]
    given_ += [tuple(map(tuple, orders))]
    batches = [gd.DealBatch(4, seed=SEED, after=after) for after in given_]
    assert all(kept(batch) == kept(batches[0]) for batch in batches)
    ends = [gd.DealBatch(4, seed=SEED, after=after) for after in (orders[0], np.array(orders[0]))]
    assert kept(ends[0]) == kept(ends[1]) != kept(batches[0])
    in_turn = [gd.DealBatch(4, seed=SEED, after=after) for after in (range(4), [range(4)] * 4)]
    assert kept(in_turn[0]) == kept(in_turn[1])
    payers = [{payer for payer, _, _ in ends[0].observation(deal).tributes} for deal in range(4)]
    assert {1, 3} in payers
    assert all(seats in (set(), {1, 3}) for seats in payers)


def test_orders_that_are_drawn() -> None:
    # A third of all shuffles has two partners at its head, who get two cards.
    paid = [len(gd.DealBatch(1, seed=n, after="drawn").observation(0).tributes) for n in range(600)]
    assert 130 < paid.count(2) < 220
    assert 300 < paid.count(1) < 430


def test_what_a_seat_knows() -> None:
    batch = gd.DealBatch(2, seed=3, after=(0, 2, 1, 3), level="5")
    for _ in range(20):
        batch.step([0, 0])
    first, other = batch.observation(-2), batch.observation(0, np.int64(3))
    assert (first.seat, other.seat) == (batch.turns[0], 3)
    assert first.tributes == other.tributes
    assert first.plays == other.plays
    assert gd.features.observation(first).tolist() == batch.observe()[0].tolist()
    assert gd.worlds(other, 3, seed=1)
    with pytest.raises(gd.StateError, match="seat 4 is no seat"):
        batch.observation(0, 4)


@pytest.mark.parametrize("auto_pass", [True, False])
@pytest.mark.parametrize("name", RULES)
def test_matches(name: str, auto_pass: bool) -> None:
    winners = play_matches(RULES[name], auto_pass, random.Random(name), 6)
    assert NO_MATCH in winners
    assert len(winners) > 1 or not name.startswith("2 deals")


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_matches_under_any_rules(seed: int) -> None:
    rng = random.Random(seed)
    play_matches(any_rules(rng), rng.random() < 0.5, rng, 5)


def test_levels_by_place() -> None:
    levels: list[Any] = [["2", "A", "T"], np.array([0, 12, 8], np.uint8)]
    for level in levels:
        batch = gd.DealBatch(3, seed=1, level=level)
        ended = 0
        while ended < 6:
            assert batch.levels.tolist() == [0, 12, 8]
            batch.step(np.zeros(3, np.int64))
            ended += batch.ended.sum()


# --- Ways to the same ---


def choices(batch: gd.DealBatch, step: int) -> Any:
    """Give a place in each list, or an id for each deal where the step is odd."""
    sizes = np.diff(batch.actions().offsets if step % 2 else batch.legal().offsets)
    places = step * 7919 % sizes
    ids, offsets = batch.actions()
    return ids[offsets[:-1] + places] if step % 2 else places


@pytest.mark.parametrize("matches", [False, True])
def test_threads_change_nothing(matches: bool) -> None:
    batches = [gd.DealBatch(1000, seed=3, threads=n, matches=matches) for n in (1, 2, 3)]
    first = batches[0]
    for step in range(200):
        listed = [batch.legal() for batch in batches]
        assert all(np.array_equal(other.records, listed[0].records) for other in listed[1:])
        assert all(np.array_equal(batch.masks(), first.masks()) for batch in batches[1:])
        assert all(np.array_equal(batch.observe(), first.observe()) for batch in batches[1:])
        chosen = choices(first, step)
        for batch in batches:
            batch.step(chosen, step % 2 == 1)
        assert all(kept(batch)[1:] == kept(first)[1:] for batch in batches[1:])
    assert [batch.threads for batch in batches] == [1, 2, 3]
    refused = np.zeros(1000, np.int64)
    refused[[400, 900]] = -1
    for batch in batches:
        with pytest.raises(IndexError, match="of deal 400 has"):
            batch.step(refused)


def test_places_of_a_larger_batch() -> None:
    small, large = gd.DealBatch(2, seed=9), gd.DealBatch(5, seed=9)
    assert (small.hands == large.hands[:2]).all()
    assert (small.hands != gd.DealBatch(2, seed=10).hands).any()


def test_lists_in_an_array_of_the_callers() -> None:
    batch, other = gd.DealBatch(4, seed=1), gd.DealBatch(4, seed=1)
    out = np.zeros((20000, 2), np.uint64)
    for step in range(200):
        listed = batch.legal(out)
        assert np.array_equal(listed.records, other.legal().records)
        assert np.shares_memory(listed.records, out)
        chosen = step * 7919 % np.diff(listed.offsets)
        out[:] = 99  # nothing is taken from there
        batch.step(chosen)
        other.step(chosen)
        assert kept(batch) == kept(other)


PROPERTIES = (
    *("turns", "levels", "beats", "owners", "hands", "left", "lengths", "deal_seeds", "ended"),
    *("payoffs", "orders", "winners", "side_levels", "declarers"),
)


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("matches", [False, True])
def test_arrays_are_the_callers_own(n: int, matches: bool) -> None:
    batch = gd.DealBatch(n, seed=1, matches=matches)
    while not batch.ended.any():
        before = {name: getattr(batch, name) for name in PROPERTIES}
        copies = {name: values.copy() for name, values in before.items()}
        batch.step(np.zeros(n, int))
        assert all((before[name] == copies[name]).all() for name in PROPERTIES)
    all_of_it = kept(batch)
    for name in PROPERTIES:
        getattr(batch, name)[:] = 1
    assert kept(batch) == all_of_it


def test_lists_stay_as_they_are() -> None:
    batch = gd.DealBatch(4, seed=1)
    listed = batch.legal()
    before = listed.records.copy()
    for _ in range(50):
        batch.step(np.zeros(4, int))
        batch.legal()
    assert np.array_equal(listed.records, before)
    assert not listed.records.flags.writeable


def test_pickles_and_copies() -> None:
    batch = gd.DealBatch(5, gd.Rules.preset("opengd"), 3, 2, matches=True)
    for step in range(150):
        batch.step(choices(batch, step), step % 2 == 1)
    copies = [pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)]
    for made in copies:
        assert kept(made) == kept(batch)
        assert (made.n, made.seed, made.threads, made.rules) == (5, 3, 2, batch.rules)
    for step in range(150):
        chosen = choices(batch, step)
        for each in (batch, *copies):
            each.step(chosen, step % 2 == 1)
    assert all(kept(made) == kept(batch) for made in copies)
    restore, (asked, *parts) = batch.__reduce__()
    for i, part in enumerate(parts):
        with pytest.raises(ValueError, match="another version"):
            restore(asked, *parts[:i], part[:-1], *parts[i + 1 :])
    *places, pasts = parts
    with pytest.raises(ValueError, match="another version"):
        restore(asked, *places, [pasts[0] + b"x", *pasts[1:]])


def test_repr() -> None:
    assert repr(gd.DealBatch(2, seed=7)) == "<DealBatch of 2 deals, seed 7>"
    assert repr(gd.DealBatch(2, matches=True)) == "<DealBatch of 2 deals of matches, seed 0>"


# --- Errors ---


def test_errors_change_nothing() -> None:
    batch = gd.DealBatch(3, seed=1, level="2")
    batch.step([0, 0, 0])
    before = kept(batch)
    sizes = np.diff(batch.legal().offsets).tolist()
    calls: list[tuple[Any, bool, type[Exception], str]] = [
        ([0, sizes[1], 0], False, IndexError, f"choices.1. is {sizes[1]}: seat . of deal 1 has "),
        ([0, 0, -1], False, IndexError, "choices.2. is -1: seat . of deal 2 has .* want 0 to"),
        (np.array([2**63, 0, 0], np.uint64), False, IndexError, f"is {2**63}"),
        ([0, 2, 392], True, gd.IllegalMoveError, "deal . has the actions 0, "),
        ([393, 0, 0], True, gd.IllegalMoveError, "choices.0. is 393: seat . of deal 0 has the"),
        ([-1, 0, 0], True, gd.IllegalMoveError, "choices.0. is -1"),
        ([0, 0], False, ValueError, r"want 3 ints, one for each deal, got int64 of shape \(2,\)"),
        ([[0, 0, 0]], False, ValueError, r"shape \(1, 3\)"),
        ([0.0, 0, 0], False, ValueError, "got float64"),
        ([True, False, False], False, ValueError, "got bool"),
        (["0", "0", "0"], False, ValueError, "want 3 ints"),
        (None, False, ValueError, "want 3 ints"),
        (0, False, ValueError, "want 3 ints"),
    ]
    for given_, ids, error, words in calls:
        with pytest.raises(error, match=words):
            batch.step(given_, ids)
        assert kept(batch) == before
    with pytest.raises(gd.IllegalMoveError):
        batch.step_ids([392, 392, 392])
    with pytest.raises(TypeError, match="ids='no': want True or False"):
        batch.step([0, 0, 0], ids="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ended=1: want True or False"):
        batch.state(0, ended=1)  # type: ignore[arg-type]
    assert kept(batch) == before


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"n": 0}, ValueError, "n=0: want an int from 1 to 2147483647"),
        ({"n": True}, TypeError, "n=True: want an int"),
        ({"n": 2.0}, TypeError, "n=2.0: want an int from 1"),
        ({"threads": 0}, ValueError, "threads=0: want an int from 1"),
        ({"seed": -1}, ValueError, "seed"),
        ({"level": "1"}, gd.NotationError, "level"),
        ({"level": ["2", "1"]}, gd.NotationError, r"level\[1\]"),
        ({"level": ["2"]}, ValueError, "want one for each of 2"),
        ({"level": np.array([0, 13], np.uint8)}, ValueError, r"level\[1\] is 13"),
        ({"level": np.array([0, 1])}, ValueError, "got int64"),
        ({"level": "2", "matches": True}, ValueError, "level: matches have their own"),
        ({"after": "last", "matches": True}, ValueError, "after: matches have their own"),
        ({"after": "first"}, ValueError, "after='first': want the order of four seats .* 2 such"),
        ({"after": (0, 2, 1)}, ValueError, r"after=\(0, 2, 1\): want the order"),
        ({"after": (0, 2, 3, 1)}, ValueError, r"after=.* want \(0, 2, 1, 3\), after a double"),
        ({"after": (0, 1, 1, 2)}, ValueError, "after=.* each of the seats 0 to 3 once"),
        ({"after": [(0, 1, 2, 3), None]}, TypeError, r"after\[1\]=None: want four seats"),
        ({"after": np.zeros((2, 4))}, TypeError, r"after\[0\]=.* want four seats"),
        ({"after": np.array(3)}, ValueError, "after=array.* want the order of four seats"),
        ({"after": b"0213"}, ValueError, "after=b'0213': want the order of four seats"),
        ({"after": (True, 2, False, 3)}, ValueError, "after=.* want the order of four seats"),
        ({"after": ["drawn"] * 2}, TypeError, r"after\[0\]='drawn': want four seats"),
        ({"n": 2**63}, ValueError, "n=9223372036854775808: want an int from 1 to"),
        ({"threads": 2**31}, ValueError, "threads=2147483648: want an int from 1 to"),
        ({"matches": 1}, TypeError, "matches=1: want True or False"),
        ({"auto_pass": "no"}, TypeError, "auto_pass='no': want True or False"),
        ({"rules": "opengd"}, TypeError, "rules: want a Rules"),
    ],
)
def test_arguments_that_are_none(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        gd.DealBatch(**{"n": 2, **arguments})


def test_arrays_that_do_not_fit() -> None:
    batch = gd.DealBatch(2)
    with pytest.raises(ValueError, match="out: 1 rows are too few, these deals need"):
        batch.legal(np.zeros((1, 2), np.uint64))
    with pytest.raises(ValueError, match="out: want a uint64"):
        batch.legal(np.zeros((9, 2)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="out: want a bool or uint8"):
        batch.masks(np.zeros((3, 393), np.bool_))
    with pytest.raises(ValueError, match=r"out: want a uint8 array of shape \(2, 513\)"):
        batch.observe(np.zeros((2, 4314), np.uint8))
    with pytest.raises(ValueError, match="preset 'x': want 'danzero_like' or 'planes'"):
        batch.observe(preset="x")  # type: ignore[arg-type]
    for call in (batch.state, batch.standing, batch.observation):
        for deal in (2, -3):
            with pytest.raises(IndexError, match=f"deal {deal} of a batch of 2"):
                call(deal)
        with pytest.raises(TypeError, match=r"deal=1\.0: want an int"):
            call(1.0)
    with pytest.raises(TypeError, match="begins once"):
        batch.__init__(3)  # type: ignore[misc]
    assert batch.state(-1) == batch.state(1)


def test_arrays_that_fit() -> None:
    batch = gd.DealBatch(2, seed=4)
    masks = np.full((2, 393), 7, np.uint8)
    seen = np.full((2, 513), 7, np.uint8)
    assert batch.masks(masks) is masks
    assert batch.observe(seen) is seen
    assert (masks == batch.masks()).all()
    assert (seen == batch.observe()).all()


def test_calls_of_several_threads() -> None:
    batch = gd.DealBatch(600, seed=2, threads=2)

    def work(number: int) -> int:
        done = 0
        for step in range(100):
            try:
                batch.step(choices(batch, step + number), (step + number) % 2 == 1)
                done += 1
            except (IndexError, gd.IllegalMoveError):  # another has moved in between
                pass
            batch.observe()
        return done

    with ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(work, range(3))) > 0
    for deal in range(0, 600, 50):
        state = batch.state(deal)
        assert gd.State.parse(str(state)) == state
        assert batch.legal()[deal] == state.legal_moves()


def test_the_offsets_of_a_list_cannot_be_written():
    batch = gd.DealBatch(4, seed=1)
    for offsets in (batch.legal().offsets, gd.legal_moves_batch(batch.hands[:, 0], "2").offsets):
        with pytest.raises(ValueError, match="read-only"):
            offsets[0] = 2000


def test_a_call_from_within_a_call_is_refused(monkeypatch):
    whole, batch = gd.DealBatch(1024, seed=1), gd.DealBatch(1024, seed=1, threads=4)
    submit, said = ThreadPoolExecutor.submit, []

    def calling(self, *arguments):
        with pytest.raises(RuntimeError, match="this batch is at work") as error:
            batch.step(np.zeros(1024, np.int64))
        said.append(error)
        return submit(self, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", calling)
    batch.step(np.zeros(1024, np.int64))
    whole.step(np.zeros(1024, np.int64))
    assert said
    assert (batch.hands == whole.hands).all()


@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_what_interrupts_threads_comes_when_all_deals_have_moved(monkeypatch, fails_at):
    whole, batch = gd.DealBatch(1024, seed=1), gd.DealBatch(1024, seed=1, threads=4)
    submit, calls = ThreadPoolExecutor.submit, [0]

    def interrupted(self, *arguments):
        calls[0] += 1
        run = submit(self, *arguments)
        if calls[0] == fails_at:
            raise KeyboardInterrupt
        return run

    choices = np.zeros(1024, np.int64)
    whole.step(choices)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.masks()
    calls[0] = -3  # that of choosing is done, and of playing interrupted
    with pytest.raises(KeyboardInterrupt):
        batch.step(choices)
    assert (batch.hands == whole.hands).all()
    assert (batch.masks() == whole.masks()).all()

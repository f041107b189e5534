"""Random play: the same as by hand, whatever the number of threads."""

import itertools
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from reference_rng import Rng, dealt

import guandan as gd

LEVELS = "23456789TJQKA"


def by_hand(state: gd.State, rng: Rng) -> tuple[int, int, list[tuple[str, int]]]:
    """Play a deal out: payoff, length, and each decision with its number of moves."""
    state = state.copy(history=False)
    length = 0
    decisions = []
    while not state.is_over:
        moves = state.legal_moves()
        if state.table is None or len(moves) > 1:
            decisions.append(("replies" if state.table else "leads", len(moves)))
        state.push(moves[rng.below(len(moves)) if len(moves) > 1 else 0])
        length += 1
    assert state.payoff is not None
    return state.payoff, length, decisions


def test_deals_of_seeds_are_those_played_by_hand() -> None:
    tally = gd.Tally()
    rules = gd.Rules.preset("seed000")
    got = gd.playouts(range(100, 130, 2), level="7", rules=rules, tally=tally)
    want = [
        by_hand(gd.State.deal("7", seed, rules=rules), Rng.stream(seed, 0))
        for seed in range(100, 130, 2)
    ]
    assert got.payoffs.tolist() == [payoff for payoff, _, _ in want]
    assert got.lengths.tolist() == [length for _, length, _ in want]
    assert got.decisions.tolist() == [len(decisions) for _, _, decisions in want]
    assert (got.payoffs.dtype, got.lengths.dtype, got.decisions.dtype) == ("int8", "u2", "u2")
    counts = Counter(itertools.chain.from_iterable(decisions for _, _, decisions in want))
    openings = Counter(decisions[0][1] for _, _, decisions in want)
    for name in ("leads", "replies"):
        array = getattr(tally, name)
        assert {n: array[n] for n in np.flatnonzero(array)} == {
            n: times for (kind, n), times in counts.items() if kind == name
        }
    assert {n: tally.openings[n] for n in np.flatnonzero(tally.openings)} == openings


def test_states_go_on_with_the_seed() -> None:
    rng = random.Random(1)
    states = []
    for seed in range(12):
        state = gd.State.deal(rng.choice(LEVELS), seed, rules=gd.Rules(steps=(9, 5, 2)))
        for _ in range(rng.randrange(150)):
            if not state.is_over:
                state.push(rng.choice(state.legal_moves()))
        states.append(state)
    before = [str(state) for state in states]
    got = gd.playouts(iter(states), seed=5)
    want = [by_hand(state, Rng.stream(5, i)) for i, state in enumerate(states)]
    assert got.payoffs.tolist() == [payoff for payoff, _, _ in want]
    assert got.lengths.tolist() == [length for _, length, _ in want]
    assert [str(state) for state in states] == before
    assert [state.playout(5) for state in states[:1]] == got.payoffs[:1].tolist()


def test_a_seed_draws_turn_and_level_after_its_hands() -> None:
    tally = gd.Tally()
    got = gd.playouts(range(40), tally=tally)
    for seed in range(40):
        rng = Rng(seed)
        hands = [[gd.CARDS[card] for card in hand] for hand in dealt(rng)]
        turn, level = rng.below(4), LEVELS[rng.below(13)]
        state = gd.State(hands, level=level, turn=turn)
        assert state == gd.State.deal(level, seed)
        payoff, length, decisions = by_hand(state, Rng.stream(seed, 0))
        assert [array[seed] for array in got] == [payoff, length, len(decisions)]
        tally.openings[decisions[0][1]] -= 1
    assert not tally.openings.any()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    seeds = range(2**64 - 3000, 2**64)
    tally, other = gd.Tally(), gd.Tally()
    one = gd.playouts(seeds, tally=tally)
    many = gd.playouts(seeds, threads=threads, tally=other)
    for a, b in zip(one, many, strict=True):
        assert np.array_equal(a, b)
    for name in ("leads", "replies", "openings"):
        assert np.array_equal(getattr(tally, name), getattr(other, name))
    states = [gd.State.deal("2", seed) for seed in range(600)]
    for a, b in zip(
        gd.playouts(states, seed=1), gd.playouts(states, seed=1, threads=threads), strict=True
    ):
        assert np.array_equal(a, b)


def test_parts_of_a_range_make_the_whole() -> None:
    whole = gd.playouts(range(50))
    tally, parts = gd.Tally(), gd.Tally()
    gd.playouts(range(50), tally=tally)
    for first in range(0, 50, 7):
        part = gd.playouts(range(first, min(50, first + 7)), tally=parts)
        assert np.array_equal(part.payoffs, whole.payoffs[first : first + 7])
    assert np.array_equal(tally.replies, parts.replies)
    assert gd.playouts(range(49, -1, -1)).payoffs.tolist() == whole.payoffs.tolist()[::-1]


def test_random_play_is_as_known() -> None:
    # Of 300,000 deals at levels that the seeds draw: mean 23.2 moves, half of the decisions at most
    # 4, nine tenths 27, all but one in a hundred 393; 73.2 decisions a deal.
    tally = gd.Tally()
    got = gd.playouts(range(3000), tally=tally)
    assert 72.5 < got.decisions.mean() < 74.5
    counts = tally.leads + tally.replies
    assert counts.sum() == got.decisions.sum()
    assert 22.5 < (counts * np.arange(len(counts))).sum() / counts.sum() < 24
    shares = np.cumsum(counts) / counts.sum()
    assert np.searchsorted(shares, 0.5) == 4
    assert np.searchsorted(shares, 0.9) in (26, 27)
    assert 380 < np.searchsorted(shares, 0.99) < 430
    assert abs(got.payoffs.mean()) < 0.15
    assert set(got.payoffs.tolist()) == {-3, -2, -1, 1, 2, 3}


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_it_and_adds_nothing(threads: int, alarm: Callable[[], None]) -> None:
    tally = gd.Tally()
    alarm()
    with pytest.raises(KeyboardInterrupt):
        # Minutes, if it were not interrupted.
        gd.playouts(range(5 * 10**7), threads=threads, tally=tally)
    assert not tally.leads.any()
    assert not tally.openings.any()


def test_an_interrupt_ends_perft(alarm: Callable[[], None]) -> None:
    state = gd.State.deal("2", 7)
    before = str(state)
    alarm()
    with pytest.raises(KeyboardInterrupt):
        state.perft(9)
    assert str(state) == before


def test_a_tally_may_be_shared() -> None:
    tally, want = gd.Tally(), gd.Tally()
    with ThreadPoolExecutor(8) as pool:
        for i in range(40):
            pool.submit(gd.playouts, range(i, i + 3), tally=tally)
    for i in range(40):
        gd.playouts(range(i, i + 3), tally=want)
    assert np.array_equal(tally.leads, want.leads)
    assert np.array_equal(tally.openings, want.openings)


def test_more_threads_than_deals() -> None:
    got = gd.playouts(range(600), threads=2**40)
    assert np.array_equal(got.payoffs, gd.playouts(range(600)).payoffs)


def test_no_deals() -> None:
    assert [array.shape for array in gd.playouts(range(0))] == [(0,)] * 3
    assert [array.shape for array in gd.playouts([], seed=1, threads=3)] == [(0,)] * 3


def test_a_deal_that_is_over() -> None:
    over = gd.State.parse("-/S4/-/S7 2 - - 02")
    got = gd.playouts([over], seed=1)
    assert [array.tolist() for array in got] == [[3], [0], [0]]
    assert over.playout(1) == 3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"deals": range(-1, 5)}, ValueError, "seed=-1: want an int from 0"),
        ({"deals": range(2**64 - 1, 2**64 + 1)}, ValueError, "seed=18446744073709551616: want"),
        ({"deals": range(5), "threads": 0}, ValueError, "threads=0: want an int, 1 or more"),
        ({"deals": range(5), "seed": 1}, ValueError, "seed: a range of seeds needs no other"),
        ({"deals": range(5), "level": "B"}, gd.NotationError, "'B' is not a level"),
        ({"deals": range(5), "rules": "pagat"}, TypeError, "rules: want a Rules"),
        ({"deals": range(5), "tally": {}}, TypeError, "tally: want a Tally"),
        ({"deals": []}, ValueError, "seed: states need one"),
        ({"deals": [7], "seed": 1}, TypeError, r"deals\[0\]: want a State, got 7"),
        ({"deals": 7, "seed": 1}, TypeError, "deals: want a range of seeds, or States, got 7"),
        (
            {"deals": [1, 2]},
            TypeError,
            r"deals\[0\]: want a State, got 1; seeds are given as a range",
        ),
        ({"deals": gd.State.deal("2", 7), "seed": 1}, TypeError, "or States, got State.parse"),
        ({"deals": range(2**64)}, ValueError, "too many to keep what comes of them"),
        ({"deals": [], "seed": 1, "rules": gd.Rules()}, ValueError, "states have their own"),
        ({"deals": [], "seed": 1, "level": "2"}, ValueError, "states have their own"),
    ],
    ids=str,
)
def test_playouts_that_cannot_be(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gd.playouts(**arguments)

"""Moves rated over sampled worlds: against ratings of single worlds, limits, threads, stopping."""

import random
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from endings import random_ending, turned

import guandan as gd

EXAMPLE = "S3C3S9/S4/HR/D7 2 0 - -"
FLAGSHIP = "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -"
PLAYED = Path(__file__).parents[1] / "bench" / "endings" / "playout24.txt"


def endings(seed: int, n: int, cards: int) -> list[gd.State]:
    """Random endings with somebody to move."""
    rng = random.Random(seed)
    states = [gd.State.parse(random_ending(rng, cards)) for _ in range(3 * n)]
    return [state for state in states if state.turn is not None][:n]


def twelve() -> list[gd.State]:
    """Endings of 21 to 24 cards."""
    lines = [line for line in PLAYED.read_text("utf-8").splitlines() if line[0] != "#"]
    return [gd.State.parse(line.rsplit(" ", 1)[0]) for line in lines[:12]]


def seen_by_turn(state: gd.State) -> gd.Observation:
    """What the seat to move sees."""
    assert state.turn is not None
    return state.observe(state.turn)


def slowly(state: gd.State, samples: int, **options: Any) -> dict[str, list[float]]:
    """The value of each move in each world, by rate_moves."""
    values: dict[str, list[float]] = {}
    for world in gd.worlds(seen_by_turn(state), samples, seed=3):
        for rated in gd.rate_moves(world, **options):
            assert rated.value is not None
            values.setdefault(str(rated.move), []).append(rated.value)
    return values


def everything(found: gd.Analysis) -> list[tuple[gd.Move, gd.AnalysedMove]]:
    """All legal moves, each with what tells of it."""
    return [(move, one) for one in found.moves for move in (one.move, *one.alike)]


@pytest.mark.parametrize("state", endings(1, 12, 10), ids=str)
def test_moves_are_rated_as_in_every_world(state: gd.State) -> None:
    values = slowly(state, 25)
    found = gd.analyse(seen_by_turn(state), 25, seed=3, confidence=None)
    assert (found.samples, found.stopped_early) == (25, False)
    assert found.best == found.moves[0].move
    assert {str(move) for move, _ in everything(found)} == values.keys()
    assert len(everything(found)) == len(state.legal_moves())
    for move, one in everything(found):
        of_move = values[str(move)]
        mean = sum(of_move) / 25
        assert one.mean == one.lower == one.upper == pytest.approx(mean)
        deviation = sqrt(sum((value - mean) ** 2 for value in of_move) / 24)
        assert one.error == pytest.approx(deviation / 5)
        assert one.chances == {value: of_move.count(value) / 25 for value in set(of_move)}
        assert list(one.chances) == sorted(one.chances, reverse=True)
        assert (one.proven, one.unproven) == (25, 0)
        assert found.find(move) is one
    means = [one.lower for one in found.moves]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("state", endings(2, 12, 10), ids=str)
def test_signs(state: gd.State) -> None:
    values = slowly(state, 25)
    found = gd.analyse(seen_by_turn(state), 25, seed=3, objective="sign", confidence=None)
    for move, one in everything(found):
        signs = [1 if value > 0 else -1 for value in values[str(move)]]
        assert one.mean == pytest.approx(sum(signs) / 25)


def test_utilities() -> None:
    first = {(side, place): 1 - side for side in (0, 1) for place in (2, 3, 4)}
    for state in endings(3, 6, 10):
        seen = seen_by_turn(state)
        side = seen.seat % 2
        steps = gd.analyse(seen, 30, confidence=None)
        told = gd.analyse(seen, 30, confidence=None, utility=first)
        signs = gd.analyse(seen, 30, confidence=None, utility=first, objective="sign")
        for move, one in everything(steps):
            won = sum(chance for payoff, chance in one.chances.items() if payoff > 0)
            assert told.find(move).mean == pytest.approx(won if side == 0 else won - 1)
            # Side 1 gets 0 at best, which is not above it.
            assert signs.find(move).mean == pytest.approx(2 * won - 1 if side == 0 else -1)


@pytest.mark.parametrize("state", endings(4, 8, 12), ids=str)
def test_turned_seats_find_the_same(state: gd.State) -> None:
    again = gd.State.parse(turned(str(state), 1), state.rules)
    assert again.turn != state.turn
    one = gd.analyse(seen_by_turn(state), 20, confidence=None)
    other = gd.analyse(seen_by_turn(again), 20, confidence=None)
    # Hidden hands follow the own one: the same worlds, turned.
    assert replace(one, seconds=0) == replace(other, seconds=0)


def test_a_single_world_is_that_of_rate_moves() -> None:
    for text in (EXAMPLE, FLAGSHIP, "S3S4/S5/HR/D7C7 2 3 - -"):
        state = gd.State.parse(text)
        belief = np.array([hand.counts() for hand in state.hands], float)
        found = gd.analyse(seen_by_turn(state), 40, weights=belief)
        rated = {one.move: one.value for one in gd.rate_moves(state)}
        assert {move: one.mean for move, one in everything(found)} == rated
        assert all(one.error == 0 for one in found.moves)
    assert gd.analyse(seen_by_turn(state), 1).moves[0].error is None


def test_a_world_without_other_cards() -> None:
    seen = gd.State.parse("S3S4/S5/-/- 2 0 - 23").observe(0)
    found = gd.analyse(seen, 5)
    assert {str(one.move): one.mean for one in found.moves} == {
        str(one.move): one.value for one in gd.rate_moves(gd.State.parse("S3S4/S5/-/- 2 0 - 23"))
    }


@pytest.mark.parametrize("text", [EXAMPLE, FLAGSHIP])
def test_alike_moves_are_those_of_suits_flush_at_least(text: str) -> None:
    state = gd.State.parse(text)
    found = gd.analyse(seen_by_turn(state), 2)
    assert {one.move for one in found.moves} <= set(state.legal_moves())
    assert len(found.moves) <= len(state.legal_moves(suits="flush"))
    assert [move for move, _ in everything(found) if move not in state.legal_moves()] == []


# --- Limits and threads ---


@pytest.mark.parametrize("options", [{}, {"nodes": 40}, {"nodes": 0}, {"objective": "sign"}])
def test_threads_do_not_matter(options: dict[str, Any]) -> None:
    for state in twelve()[:2]:
        found = [
            gd.analyse(seen_by_turn(state), 45, threads=n, table_mb=4, **options) for n in (1, 2, 3)
        ]
        assert found[0] == found[1] == found[2]
        assert found[0] == gd.analyse(seen_by_turn(state), 45, table_mb=64, **options)


@pytest.mark.parametrize("objective", ["steps", "sign"])
def test_bounds_hold_the_means(objective: Any) -> None:
    unproven = 0
    for state in twelve()[:4]:
        seen = seen_by_turn(state)
        exact = gd.analyse(seen, 20, objective=objective)
        assert all(one.unproven == 0 for one in exact.moves)
        for nodes in (0, 1, 30, 300):
            limited = gd.analyse(seen, 20, nodes=nodes, objective=objective)
            assert limited.samples == 20
            for move, one in everything(limited):
                mean = exact.find(move).mean
                assert mean is not None
                assert one.lower <= mean <= one.upper
                assert one.proven + one.unproven == 20
                assert sum(one.chances.values()) == pytest.approx(one.proven / 20)
                assert (one.mean is None) == (one.error is None) == (one.unproven > 0)
                unproven += one.unproven
    assert unproven > 1000


def test_a_budget_of_seconds() -> None:
    seen = gd.State.deal("2", 7, turn=0).observe(0)
    none = gd.analyse(seen, 50, seconds=0)
    assert none.samples == 1
    assert not none.stopped_early
    assert all((one.lower, one.upper, one.unproven) == (-3, 3, 1) for one in none.moves)
    for threads in (1, 2):
        some = gd.analyse(seen, 10**6, seconds=0.3, threads=threads, confidence=None, table_mb=8)
        assert 1 <= some.samples < 10
        assert some.seconds < 5
    assert gd.analyse(gd.State.parse(EXAMPLE).observe(0), 50, seconds=1e9).samples == 20


# --- Stopping ---


def test_early_stops_agree_with_all_samples() -> None:
    stopped = 0
    for state in twelve():
        seen = seen_by_turn(state)
        early = gd.analyse(seen, 160, objective="sign")
        full = gd.analyse(seen, 160, objective="sign", confidence=None)
        assert full.samples == 160
        if early.stopped_early:
            stopped += 1
            assert early.samples % 20 == 0
            assert early.samples < 160
            assert early.best == full.best
            again = gd.analyse(seen, early.samples, objective="sign", confidence=None)
            assert again.moves == early.moves
        else:
            assert early == full
    assert stopped >= 2


def test_lesser_confidence_stops_sooner() -> None:
    for state in twelve()[:4]:
        seen = seen_by_turn(state)
        made = [
            gd.analyse(seen, 100, objective="sign", confidence=one).samples
            for one in (0.5, 0.99, 0.9999999, None)
        ]
        assert made == sorted(made)


def test_a_move_without_another_needs_no_more_worlds() -> None:
    state = gd.State.parse("S3/S4S4/S5/S6 2 0 - -")
    assert gd.analyse(state.observe(0), 100).samples == 20
    two = gd.State.parse("S3S3/S4/S5/S6 2 0 - -")
    found = gd.analyse(two.observe(0), 15)
    assert (found.samples, found.stopped_early) == (15, False)


# --- Errors ---


def test_arguments() -> None:
    seen = gd.State.parse(EXAMPLE).observe(0)
    for wrong, error, message in [
        ({"obs": gd.State.parse(EXAMPLE)}, TypeError, "obs: want an Observation"),
        ({"obs": gd.State.parse(EXAMPLE).observe(1)}, gd.StateError, "it is the turn of seat 0"),
        ({"samples": 0}, ValueError, "samples=0"),
        ({"samples": 1.5}, TypeError, "samples"),
        ({"threads": 0}, ValueError, "threads=0"),
        ({"nodes": -1}, ValueError, "nodes=-1"),
        ({"seconds": -1}, ValueError, "seconds=-1"),
        ({"objective": "value"}, ValueError, 'want "steps" or "sign"'),
        ({"confidence": 0.1}, ValueError, "confidence=0.1"),
        ({"confidence": 1}, ValueError, "confidence=1"),
        ({"weights": np.zeros((4, 54))}, ValueError, "weights"),
        ({"utility": {}}, ValueError, "utility"),
        ({"seed": -1}, ValueError, "seed"),
        ({"table_mb": 0}, ValueError, "table_mb"),
    ]:
        arguments: dict[str, Any] = {"obs": seen, **wrong}
        with pytest.raises(error, match=message):
            gd.analyse(**arguments)
    over = gd.State.parse("-/S4/-/HR 2 - - 02")
    with pytest.raises(gd.StateError, match="nobody has the turn"):
        gd.analyse(over.observe(1))
    with pytest.raises(ValueError, match="want a legal move"):
        gd.analyse(seen).find(gd.Move.parse("single 4 S4"))

"""Bots against each other: duplicate deals, intervals, records, errors."""

from concurrent.futures import ProcessPoolExecutor
from math import isnan
from multiprocessing import get_context
from pathlib import Path
from random import Random as Rng

import numpy as np
import pytest

import guandan as gd
from guandan.arena import Comparison, compare, spread
from guandan.bots import Random


class First:
    """Plays the first move of a list; keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[gd.Observation] = []

    def choose(self, obs, moves, rng):
        self.seen.append(obs)
        assert obs.turn == obs.seat
        assert list(moves) == list(obs.legal_moves())
        return moves[0]


class Last:
    def choose(self, obs, moves, rng):
        return str(moves[-1])


class Broken:
    def choose(self, obs, moves, rng):
        raise OSError("no such file")


class Wrong:
    def choose(self, obs, moves, rng):
        return "joker_bomb"


def coins(rng: np.random.Generator, plays: int, chance: float) -> Comparison:
    """A comparison whose plays are the throws of a coin: 3 steps for heads, 1 lost for tails."""
    heads = rng.random((plays // 2, 2)) < chance
    return Comparison(np.where(heads, 3, -1).astype(np.int8))


@pytest.mark.parametrize("chance", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("plays", [40, 400])
def test_intervals_hold_a_known_coin_in_95_of_100_samples(chance, plays):
    rng = np.random.default_rng(plays)
    found = [coins(rng, plays, chance) for _ in range(2000)]
    steps = np.mean([one.steps.low <= 4 * chance - 1 <= one.steps.high for one in found])
    wins = np.mean([one.wins.low <= chance <= one.wins.high for one in found])
    assert 0.93 < wins < 0.98
    # Student's interval is short where nearly all of few throws are the same.
    assert steps > (0.80 if chance == 0.95 and plays == 40 else 0.92)
    assert steps < 0.975


def test_pairs_that_cancel_out_leave_no_doubt():
    pairs = np.array([[2, -2], [-1, 1], [3, -3]] * 4, np.int8)
    assert Comparison(pairs).steps == (0, 0, 0)


def test_intervals_are_of_pairs_not_of_plays():
    once = np.random.default_rng(5).choice([-1, 2], (200, 1)).astype(np.int8)
    doubled, single = Comparison(np.repeat(once, 2, axis=1)), Comparison(once)
    for name in ("steps", "wins"):
        assert getattr(doubled, name) == pytest.approx(getattr(single, name))


def test_a_bot_that_always_wins_may_still_lose_some():
    wins = Comparison(np.full((50, 2), 3, np.int8)).wins
    assert wins.mean == 1
    assert wins.high == pytest.approx(1)
    assert 0.9 < wins.low < 0.95


@pytest.mark.parametrize("deals", [0, 1, 9])
def test_too_few_deals_have_no_interval(deals):
    found = Comparison(np.ones((deals, 2), np.int8))
    for estimate in (found.steps, found.wins):
        assert isnan(estimate.low)
        assert isnan(estimate.high)
        assert isnan(estimate.mean) == (deals == 0)


# Quantiles of Student's t at 97.5 %, from printed tables.
@pytest.mark.parametrize(("n", "quantile"), [(8, 2.365), (11, 2.228), (31, 2.042), (121, 1.980)])
def test_spread_is_students(n, quantile):
    assert spread(n) == pytest.approx(quantile, rel=0.01)


def test_the_same_cards_are_played_twice_with_seats_exchanged():
    one, other = First(), First()
    compare(one, other, deals=3, seed=8, level="9")

    def first_hands(bot):
        return [obs.hand for obs in bot.seen if len(obs.hand) == 27 and not obs.plays]

    assert sorted(map(str, first_hands(one) + first_hands(other))) == sorted(
        2 * [str(hand) for hand in set(first_hands(one) + first_hands(other))]
    )
    assert {obs.level for obs in one.seen} == {"9"}
    assert {obs.seat for obs in one.seen} == {0, 1, 2, 3}


def test_bots_exchanged_give_the_same_plays():
    there = compare(Random(), Last(), deals=15, seed=4).payoffs
    back = compare(Last(), Random(), deals=15, seed=4).payoffs
    assert (there == -back[:, ::-1]).all()
    assert there.any()


def test_a_bot_comes_to_nothing_against_itself():
    found = compare(Random(), Random(), deals=10, seed=2)
    assert (found.payoffs.sum(axis=1) == 0).all()


def test_seeds_and_levels_matter():
    default = compare(Random(), Last(), deals=20, seed=1).payoffs
    assert (default == compare(Random(), Last(), deals=20, seed=1).payoffs).all()
    assert (default[:5] == compare(Random(), Last(), deals=5, seed=1).payoffs).all()
    assert (default != compare(Random(), Last(), deals=20, seed=2).payoffs).any()
    assert (default != compare(Random(), Last(), deals=20, seed=1, level="K").payoffs).any()


def test_payoffs_follow_the_rules_steps():
    steps = gd.Rules().replace(steps=(4, 2, 1))
    payoffs = compare(Random(), Last(), deals=30, seed=3, rules=steps).payoffs
    assert set(np.abs(payoffs).ravel()) == {4, 2, 1}


def test_processes_change_nothing():
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = compare(Random(), Random(), deals=9, seed=6, map=pool.map)
    assert (found.payoffs == compare(Random(), Random(), deals=9, seed=6).payoffs).all()


def test_progress_is_told_deal_by_deal():
    told: list[tuple[int, int]] = []
    compare(Random(), Random(), deals=6, progress=lambda *numbers: told.append(numbers))
    assert told == [(done, 6) for done in range(1, 7)]


def test_records_are_matches(tmp_path: Path):
    folder = tmp_path / "plays"
    found = compare(Random(), Last(), deals=2, seed=5, record=folder, level="T")
    names = ["1-first.jsonl", "1-second.jsonl", "2-first.jsonl", "2-second.jsonl"]
    assert sorted(path.name for path in folder.iterdir()) == names
    matches = [gd.Match.load(folder / name) for name in names]
    payoffs = [
        match.deals[0].payoff * sign for match, sign in zip(matches, (1, -1) * 2, strict=True)
    ]
    assert payoffs == found.payoffs.ravel().tolist()
    assert all(match.level == "T" for match in matches)
    with pytest.raises(FileExistsError):
        compare(Random(), Last(), deals=1, record=folder)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"first": Random}, TypeError, "first: want a bot"),
        ({"second": None}, TypeError, "second: want a bot"),
        ({"deals": -1}, ValueError, "deals"),
        ({"seed": "x"}, ValueError, "seed"),
        ({"rules": "pagat"}, TypeError, "rules"),
        ({"level": "23"}, gd.NotationError, "'23' is not a level"),
        ({"second": Wrong()}, gd.IllegalMoveError, r"Wrong, seat \d of deal 1"),
        ({"second": Broken()}, gd.BotError, r"Broken, seat \d of deal 1: OSError: no such file"),
    ],
)
def test_what_cannot_be_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        compare(**{"first": Random(), "second": Random(), "deals": 1, **arguments})


def test_random_draws_from_the_generator():
    state = gd.State.deal("2", 7)
    obs, moves = state.observe(state.turn), state.legal_moves()
    drawn = {Random().choose(obs, moves, Rng(seed)) for seed in range(40)}
    assert len(drawn) > 30
    assert Random().choose(obs, moves, Rng(1)) == Random().choose(obs, moves, Rng(1))

"""Worlds sampled, and moves rated over them; each bench asserts its answer."""

from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd

N = 10_000
PLAYED = Path(__file__).parent / "endings" / "playout24.txt"
# Over all moves that differ, the worlds in which one wins; and the means of best moves.
WON = [213, 297, 96, 500, 714, 134, 200, 109, 329, 196, 817, 568]
MEANS = [0.8, 0.15, -0.95, 1.55, 2.0, -1.05, 1.75, -0.3, 1.45, -0.8, 2.2, 1.8]


def twelve() -> list[gd.State]:
    """Endings of 21 to 24 cards."""
    lines = [line for line in PLAYED.read_text("utf-8").splitlines() if line[0] != "#"]
    return [gd.State.parse(line.rsplit(" ", 1)[0]) for line in lines[:12]]


def belief() -> np.ndarray:
    """Weights that differ in all seats and kinds."""
    return np.random.default_rng(1).random((4, 54))


@pytest.mark.parametrize("weighted", [False, True])
def bench_planes(benchmark: BenchmarkFixture, weighted: bool) -> None:
    seen = gd.State.deal("2", 7).observe(0)
    weights = belief() if weighted else None
    planes = benchmark(lambda: gd.worlds(seen, N, 1, weights).planes)
    assert (np.bitwise_count(planes).sum(axis=2) == 27).all()
    assert (planes[7] == gd.worlds(seen, 8, 1, weights).planes[7]).all()


def bench_states(benchmark: BenchmarkFixture) -> None:
    seen = gd.State.deal("2", 7).observe(0)
    made = benchmark(lambda: list(gd.worlds(seen, 1000, 1)))
    assert all(state.observe(0) == seen for state in made)


def bench_signs(benchmark: BenchmarkFixture) -> None:
    """The sign of every move in 100 worlds of each ending."""
    seen = [state.observe(state.turn or 0) for state in twelve()]
    found = benchmark(lambda: [gd.analyse(one, objective="sign", confidence=None) for one in seen])
    assert all(one.samples == 100 and not one.moves[0].unproven for one in found)
    won = [sum(one.chances.get(1, 0) for one in all_of.moves) for all_of in found]
    assert [round(100 * number) for number in won] == WON


def bench_steps(benchmark: BenchmarkFixture) -> None:
    """The value of every move in 20 worlds of each ending."""
    seen = [state.observe(state.turn or 0) for state in twelve()]
    found = benchmark(lambda: [gd.analyse(one, samples=20) for one in seen])
    assert [one.moves[0].mean for one in found] == MEANS

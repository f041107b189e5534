"""Observations and features of 1,024 positions of random deals; each bench asserts its answer."""

import random
from functools import cache
from types import ModuleType
from typing import Literal

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd

LEVELS = "23456789TJQKA"
PRESETS: list[Literal["danzero_like", "planes"]] = ["danzero_like", "planes"]


@cache
def positions() -> list[gd.State]:
    """Positions of as many deals, played by low moves: one in eight of the hands has a wild."""
    rng = random.Random(1)
    found = []
    for seed in range(1024):
        state = gd.State.deal(rng.choice(LEVELS), seed)
        for _ in range(rng.randrange(100)):
            moves = state.legal_moves()
            state.push(moves[rng.randrange(min(4, len(moves)))])
            if state.is_over:
                state.pop()
                break
        found.append(state)
    return found


def observed() -> list[gd.Observation]:
    """What the seats to move see there."""
    return [state.observe(state.turn or 0) for state in positions()]


def bench_observe(benchmark: BenchmarkFixture) -> None:
    states = positions()
    assert sum(map(len, (seen.hand for seen in benchmark(observed)))) == sum(
        len(state.hands[state.turn or 0]) for state in states
    )


@pytest.mark.parametrize("preset", PRESETS)
def bench_write(
    benchmark: BenchmarkFixture, loops: ModuleType, preset: Literal["danzero_like", "planes"]
) -> None:
    seen = observed()
    want = np.array([gd.features.observation(one, preset) for one in seen])
    out = np.zeros_like(want)
    views = loops.Views(seen)
    write = views.write_planes if preset == "planes" else views.write_observations
    assert benchmark(write, out) == len(seen)
    assert (out == want).all()


@pytest.mark.parametrize("preset", PRESETS)
def bench_observation(
    benchmark: BenchmarkFixture, preset: Literal["danzero_like", "planes"]
) -> None:
    seen = observed()[0]
    out = gd.features.observation(seen, preset)
    assert benchmark(gd.features.observation, seen, preset, out) is out


def bench_moves(benchmark: BenchmarkFixture) -> None:
    moves = gd.State.deal("2", 7).legal_moves()
    out = np.zeros((len(moves), 54), np.uint8)
    assert (benchmark(gd.features.moves, moves, out) == moves.counts()).all()

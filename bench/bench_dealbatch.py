"""Many deals at once, in a learner's loops; each bench asserts how many deals have ended."""

from collections.abc import Callable

import dealbatch
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd


def copied() -> tuple[tuple[gd.DealBatch], dict[str, int]]:
    """Copy the deals that have begun, for one round."""
    return (dealbatch.begun().copy(),), {}


@pytest.mark.parametrize("play", dealbatch.ENDED)
def bench_step(benchmark: BenchmarkFixture, play: Callable[[gd.DealBatch], int]) -> None:
    assert benchmark.pedantic(play, setup=copied, rounds=10) == dealbatch.ENDED[play]


def bench_observe(benchmark: BenchmarkFixture) -> None:
    batch = dealbatch.begun()
    out = np.zeros((batch.n, 513), np.uint8)
    assert benchmark(batch.observe, out) is out
    seats = [batch.state(deal).observe(turn) for deal, turn in enumerate(batch.turns.tolist())]
    assert (out == [gd.features.observation(seen) for seen in seats]).all()

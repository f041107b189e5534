"""Lists, counts and draws of 4,096 hands a round; each bench asserts how many moves there are."""

from types import ModuleType

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from workload import KEYS, MASKED, workload

import guandan as gd

KINDS = ["leads", *KEYS]
SIZES = [27, 12]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def bench_list(benchmark: BenchmarkFixture, loops: ModuleType, kind: str, size: int) -> None:
    work = workload(kind, size)
    assert benchmark(loops.list_moves, *work.arrays) == work.moves


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def bench_count(benchmark: BenchmarkFixture, loops: ModuleType, kind: str, size: int) -> None:
    work = workload(kind, size)
    assert benchmark(loops.count_moves, *work.arrays) == work.moves


@pytest.mark.parametrize("size", SIZES)
def bench_count_and_nth(benchmark: BenchmarkFixture, loops: ModuleType, size: int) -> None:
    work = workload("leads", size)
    drawn = benchmark(loops.pick_moves, *work.arrays, 7)
    hands = zip(work.hands, work.level_texts, strict=True)
    assert drawn == loops.xor_of_drawn([gd.legal_moves(*hand).records for hand in hands], 7)


@pytest.mark.parametrize("size", SIZES)
def bench_mask(benchmark: BenchmarkFixture, loops: ModuleType, size: int) -> None:
    work = workload("leads", size)
    hands = zip(work.hands, work.level_texts, strict=True)
    ids = [set(gd.legal_moves(*hand, suits="one").action_ids) for hand in hands]
    flags = sum(place % len(gd.ACTIONS) in held for place, held in enumerate(ids))
    assert benchmark(loops.mask_actions, *work.arrays) == flags == MASKED[size]


@pytest.mark.parametrize("suits", ["flush", "one"])
def bench_list_suits(benchmark: BenchmarkFixture, suits: str) -> None:
    work = workload("leads", 27)
    batch = benchmark(gd.legal_moves_batch, work.planes, work.levels, suits=suits)
    hands = zip(work.hands, work.level_texts, strict=True)
    assert len(batch.records) == sum(gd.count_moves(*hand, suits=suits) for hand in hands)


@pytest.mark.parametrize("size", SIZES)
def bench_legal_moves(benchmark: BenchmarkFixture, size: int) -> None:
    work = workload("leads", size)
    hands = list(zip(work.hands, work.level_texts, strict=True))

    def list_all() -> int:
        return sum(len(gd.legal_moves(hand, level)) for hand, level in hands)

    assert benchmark(list_all) == work.moves


def bench_legal_moves_batch(benchmark: BenchmarkFixture) -> None:
    work = workload("leads", 27)
    out = np.empty((1 << 18, 2), np.uint64)
    parts = [slice(start, start + 64) for start in range(0, len(work.planes), 64)]
    calls = [(work.planes[part], work.levels[part]) for part in parts]

    def list_all() -> int:
        return sum(int(gd.legal_moves_batch(*call, out=out).offsets[64]) for call in calls)

    assert benchmark(list_all) == work.moves

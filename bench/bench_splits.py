"""Fewest plays of 1,024 hands of 27 cards with 0, 1 or 2 wilds; each bench asserts its answer."""

from functools import cache

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from workload import LEVELS, dealt

import guandan as gd

HANDS = 1024
# How many plays the hands need in all, by their wilds; tests hold counts to the rules.
PLAYS = {0: 8143, 1: 6733, 2: 5860}
NO_BOMBS = 4843  # of the plays with two wilds where bombs do not count
SPLITS = 26466  # best ones of 128 hands with two wilds
AFTER_LEADS = 62391  # plays that 9,413 leads of 16 of these hands leave


@cache
def hands(wilds: int) -> list[tuple[gd.Hand, str]]:
    """The first hands of hands4096.txt, with just so many wilds in the place of other cards."""
    found = []
    for level, cards in zip(*dealt(), strict=True):
        wild = "H" + LEVELS[level]
        naturals = [card for card in cards if card != wild]
        if len(naturals) + wilds >= 27:
            hand = gd.Hand([*naturals[: 27 - wilds], *[wild] * wilds])
            found.append((hand, LEVELS[level]))
    return found[:HANDS]


@pytest.mark.parametrize("wilds", PLAYS)
def bench_batch(benchmark: BenchmarkFixture, wilds: int) -> None:
    planes = np.array([hand.planes for hand, _ in hands(wilds)], np.uint64)
    levels = [level for _, level in hands(wilds)]
    assert benchmark(gd.fewest_plays_batch, planes, levels).sum() == PLAYS[wilds]


def bench_fewest_plays(benchmark: BenchmarkFixture) -> None:
    def count_all() -> int:
        return sum(gd.fewest_plays(*hand).count for hand in hands(2))

    assert benchmark(count_all) == PLAYS[2]


def bench_bombs_apart(benchmark: BenchmarkFixture) -> None:
    def cost_all() -> int:
        return sum(gd.fewest_plays(*hand, bombs="apart").cost for hand in hands(2))

    assert benchmark(cost_all) == NO_BOMBS


def bench_best_splits(benchmark: BenchmarkFixture) -> None:
    def list_all() -> int:
        return sum(len(gd.best_splits(*hand).splits) for hand in hands(2)[:128])

    assert benchmark(list_all) == SPLITS


def bench_leads_rated(benchmark: BenchmarkFixture) -> None:
    left = []
    for hand, level in hands(2)[:16]:
        moves = gd.legal_moves(hand, level, suits="one")
        rests = [(hand - move.cards).planes for move in moves]
        left.append((np.array(rests, np.uint64), level))

    def count_all() -> int:
        return sum(int(gd.fewest_plays_batch(*rests).sum()) for rests in left)

    assert benchmark(count_all) == AFTER_LEADS

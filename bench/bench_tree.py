"""Deals in play: random play, counting, moves to and fro; each bench asserts its answer."""

import pytest
import tree
from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd


def bench_playouts(benchmark: BenchmarkFixture) -> None:
    deals = tree.deals()
    got = benchmark(gd.playouts, deals, seed=tree.SEED)
    assert got.decisions.sum() == tree.DECISIONS
    assert [deal.playout(tree.SEED) for deal in deals[:1]] == got.payoffs[:1].tolist()


def bench_playouts_of_seeds(benchmark: BenchmarkFixture) -> None:
    got = benchmark(gd.playouts, range(1024))
    assert got.decisions.sum() == tree.DECISIONS_OF_SEEDS


def bench_perft(benchmark: BenchmarkFixture) -> None:
    assert benchmark(tree.perft_of_openings) == tree.SEQUENCES


def bench_python_loop(benchmark: BenchmarkFixture) -> None:
    assert benchmark(tree.play_in_python) == tree.PLAYED


def bench_push_and_pop(benchmark: BenchmarkFixture) -> None:
    state = gd.State.parse(tree.OPENING)
    benchmark(tree.push_and_pop, state, state.legal_moves()[tree.MOVE])
    assert str(state) == tree.OPENING


@pytest.mark.parametrize("history", [True, False])
def bench_copy(benchmark: BenchmarkFixture, history: bool) -> None:
    state = gd.State.parse(tree.OPENING)
    state.push(state.legal_moves()[tree.MOVE])
    assert benchmark(state.copy, history=history) == state

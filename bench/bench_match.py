"""Whole matches, and what lies between two deals; each bench asserts its answer."""

import matches
from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd

HANDS = gd.deal_hands(6)
ORDER = (0, 2, 1, 3)


def bench_choices(benchmark: BenchmarkFixture) -> None:
    assert benchmark(matches.play_in_python) == matches.CHOICES


def bench_match_playouts(benchmark: BenchmarkFixture) -> None:
    assert benchmark(matches.playouts) == matches.WINS


def bench_as_many_deals(benchmark: BenchmarkFixture) -> None:
    assert benchmark(matches.deals) == matches.WON_DEALS


def bench_tribute_plan(benchmark: BenchmarkFixture) -> None:
    plan = benchmark(gd.tribute_plan, HANDS, "5", ORDER)
    assert [payment[:2] for payment in plan.payments] == [(1, 0), (3, 2)]


def bench_returnable(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(gd.returnable, HANDS[0], "5", to_partner=False)) == 14


def bench_standing_after(benchmark: BenchmarkFixture) -> None:
    standing = gd.Standing(levels=("5", "3"), declarers=0)
    assert benchmark(standing.after, ORDER).levels == ("8", "3")

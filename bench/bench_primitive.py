"""What is done once a card, a move or a hand."""

from pytest_benchmark.fixture import BenchmarkFixture

import guandan as gd

HAND = "H2 H2 S3 C3 D3 S4 D4 H5 C6 D7 SB HR"


def bench_hand_from_text(benchmark: BenchmarkFixture) -> None:
    assert str(benchmark(gd.Hand, HAND)) == HAND


def bench_hand_to_text(benchmark: BenchmarkFixture) -> None:
    assert benchmark(str, gd.Hand(HAND)) == HAND


def bench_move_from_text(benchmark: BenchmarkFixture) -> None:
    assert benchmark(gd.Move.parse, "pair 3 S3 H2").size == 2


def bench_beats(benchmark: BenchmarkFixture) -> None:
    move, table = gd.Move.parse("bomb4 3"), gd.Move.parse("straight A")
    assert benchmark(move.beats, table, "2") is True


def bench_readings(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(gd.readings, gd.Hand("S7 C7 S8 C8 H2 H2"), "2")) == 3


def bench_deal(benchmark: BenchmarkFixture) -> None:
    assert sum(map(len, benchmark(gd.deal_hands, 7))) == 108

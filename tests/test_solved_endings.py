"""What holds of every solved ending, also of those too large for minimax."""

import random
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from endings import DRAWS, random_ending, suits_swapped, turned
from positions import values_of
from recorded import rows

import guandan as gd

RULES = [gd.Rules(), gd.Rules(lead_after_out="next"), gd.Rules(steps=(4, 2, 1))]


def drawn(seed: int, number: int, cards: int) -> list[str]:
    """Draw endings of up to so many cards, half of them rich."""
    rng = random.Random(seed)
    return [DRAWS[place % 2](rng, rng.randint(8, cards)) for place in range(number)]


def solved(text: str, rules: gd.Rules, **limits: Any) -> gd.Solution:
    """Solve a text under some rules."""
    return gd.solve(gd.State.parse(text, rules), **limits)


@pytest.mark.parametrize("row", rows("counterexamples.jsonl"), ids=lambda row: row["about"])
def test_counterexamples(row: dict[str, Any]) -> None:
    state = gd.State.parse(row["state"])
    assert state.turn == 0
    if row["value"] is not None:
        assert gd.solve(state).value == row["value"]
    rated = {move.move: move.value for move in gd.rate_moves(state)}
    for move, value in values_of(row).items():
        assert rated[move] == value


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_turned_and_swapped_endings(rules: gd.Rules) -> None:
    """Seats turned by one change sides, suits of a hand swapped change nothing."""
    rng = random.Random(3)
    for text in drawn(1, 150, 24):
        payoff = solved(text, rules).payoff
        assert payoff is not None
        assert solved(suits_swapped(rng, text), rules).payoff == payoff
        for by in (1, 2, 3):
            assert solved(turned(text, by), rules).payoff == (-payoff if by % 2 else payoff)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_lines_and_ratings(rules: gd.Rules) -> None:
    """The line is legal, keeps its value and ends in it; the best rated move has the value."""
    for text in drawn(2, 150, 24):
        state = gd.State.parse(text, rules)
        solution = gd.solve(state)
        assert solution.best == solution.line[0]
        solver = gd.Solver(table_mb=16)
        best = solver.rate_moves(state, "best")
        assert best[0].value == solution.value
        assert solution.best in [move.move for move in best if move.value == solution.value]
        for move in solution.line:
            assert solver.solve(state).payoff == solution.payoff
            state.push(move)
        assert state.payoff == solution.payoff


def test_every_mode_of_rating_agrees() -> None:
    for text in drawn(3, 100, 22):
        state = gd.State.parse(text)
        exact = {rated.move: rated.value for rated in gd.rate_moves(state)}
        top = max(value for value in exact.values() if value is not None)
        for rated in gd.rate_moves(state, "best"):
            assert (rated.value == top) == (exact[rated.move] == top)
        for rated in gd.rate_moves(state, "sign"):
            value = exact[rated.move]
            assert value is not None
            assert rated.lower <= value <= rated.upper
            assert (rated.lower > 0) == (value > 0)


def test_tables_of_all_sizes_and_warm_ones() -> None:
    """Neither the size of the table nor what was solved before changes a value."""
    warm, tiny = gd.Solver(table_mb=256), gd.Solver(table_mb=1)
    texts = drawn(4, 250, 26)
    values = [solved(text, RULES[0]).value for text in texts]
    for solver in (warm, tiny):
        assert [solver.solve(gd.State.parse(text)).value for text in texts] == values
        assert [solver.solve(gd.State.parse(text)).value for text in texts[::-1]] == values[::-1]


def test_limits() -> None:
    """Limited bounds hold the value, and with a fresh table come out the same again."""
    for text in drawn(5, 100, 24):
        value = solved(text, RULES[0]).value
        assert value is not None
        for nodes in (0, 1, 10, 100, 1000, 10_000):
            limited = solved(text, RULES[0], nodes=nodes)
            assert limited.lower <= value <= limited.upper
            assert limited.proven == (limited.lower == limited.upper)
            assert limited.nodes <= nodes
            assert limited == solved(text, RULES[0], nodes=nodes)


def test_threads() -> None:
    states = [gd.State.parse(text) for text in drawn(6, 200, 22)]
    alone = gd.solve_many(states)
    assert [found.value for found in gd.solve_many(states, threads=3)] == [
        found.value for found in alone
    ]
    limited = gd.solve_many(states, nodes=50)
    assert not all(found.proven for found in limited)
    assert gd.solve_many(states, threads=3, nodes=50) == limited
    assert gd.solve_many(states, nodes=50, map=map, chunksize=7) == limited


@pytest.mark.parametrize("text", [*drawn(7, 6, 14)])
def test_a_second_searcher_agrees(text: str) -> None:
    assert solved(text, RULES[0]).verify() > 0


@pytest.mark.parametrize(
    "text",
    [
        # Hands that can make runs: positions are told apart by the numbers of hands.
        "H6C6S8H8S9H9C9HQDA/S5D7D9SJSJHJCJHQ/C2D2H5H5S6H6C8C9D9HTDJDJCQ/C5SKDKDK K 3 - -",
        # None can: proofs are kept as patterns, whose table has grown by then.
        "S2H2S5S7S9HJCK/C2H4D5C7C9CJDK/D3S6H7D9SQSA/C3H6D7HTDQHA 8 0 - -",
    ],
)
def test_a_cleared_solver_is_as_new(text: str) -> None:
    state = gd.State.parse(text)
    alone = gd.solve(state, nodes=20_000, table_mb=1)
    solver = gd.Solver(table_mb=1)
    for other in drawn(8, 5, 24):
        solver.solve(gd.State.parse(other))
        solver.clear()
        assert solver.solve(state, nodes=20_000) == alone
        solver.clear()


@pytest.mark.parametrize("seed", range(3))
def test_hands_that_fill_the_room(seed: int) -> None:
    """What large hands leave in a Solver keeps no small ending from being solved."""
    rng = random.Random(seed)
    solver = gd.Solver(table_mb=8)
    for text in drawn(seed, 6, 20):
        solver.solve(gd.State.parse(random_ending(rng, 50)), nodes=300)
        assert solver.solve(gd.State.parse(text)).value == solved(text, RULES[0]).value


def test_a_long_hand_is_no_hindrance() -> None:
    text = "C9H9HRCKS4SQH2DQS7D7S2D9SBS2S5DACQH6S8CJCKD4C3C2D3/S9HA/HJ/DJHR 6 0 - -"
    assert solved(text, RULES[0]).value == 3


def test_a_solver_in_use_says_so() -> None:
    solver = gd.Solver(table_mb=8)
    state = gd.State.deal(level="2", seed=7)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.solve, state)
        sleep(0.3)
        with pytest.raises(RuntimeError, match="one thread at a time"):
            solver.solve(state, nodes=1)
        solver.stop()
        assert not running.result(timeout=20).proven


def test_a_stop_ends_a_whole_review() -> None:
    state = gd.State.deal(level="2", seed=7)
    for _ in range(6):
        state.push(state.legal_moves()[0])
    solver = gd.Solver(table_mb=8)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(solver.review, state)
        sleep(0.2)
        solver.stop()
        assert not any(play.proven for play in running.result(timeout=20))


def test_no_time_takes_no_node() -> None:
    state = gd.State.parse(drawn(1, 1, 20)[0])
    assert gd.solve(state, seconds=0).nodes == 0

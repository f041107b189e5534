"""Endgames: what is promised of solutions, rated moves and reviews, whatever the search does."""

import math
import pickle
import random
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
from positions import endgame, played, values_of
from recorded import rows

import guandan as gd
from guandan.endgame import MOST_SPARE_MB, SPARE

ROWS = rows("endgames.jsonl")
SMALL = [row for row in ROWS if sum(len(hand.split()) for hand in row["hands"]) <= 11]
FEW = SMALL[::4]
OUTCOMES = [(side, place) for side in (0, 1) for place in (2, 3, 4)]
FLAGSHIP = "S3C3D3S4D4S6SQDQ/SJDJ/H3/S7 2 0 - -"
LOST = "S3C3S9/S4/HR/D7 2 0 - -"  # leading a 3 costs four steps
OVER = "-/-/-/S2 9 - - 102"
# Minutes and more for any search.
LONG = [gd.State.deal("2", seed) for seed in range(4)]


def worth(state: gd.State, utility: Mapping[tuple[int, int], float] | None) -> float:
    """What a deal that is over is worth to side 0."""
    assert state.order is not None
    assert state.payoff is not None
    first = state.order[0]
    place = state.order.index((first + 2) % 4) + 1
    return state.payoff if utility is None else utility[first % 2, place]


def minimax(state: gd.State, utility: Mapping[tuple[int, int], float] | None = None) -> float:
    """The value for side 0, by looking at everything."""
    known: dict[str, float] = {}

    def value(at: gd.State) -> float:
        if at.turn is None:
            return worth(at, utility)
        if str(at) not in known:
            found = []
            for move in at.legal_moves():
                at.push(move)
                found.append(value(at))
                at.pop()
            known[str(at)] = (max if at.turn % 2 == 0 else min)(found)
        return known[str(at)]

    return value(state.copy())


def mover(state: gd.State) -> int:
    """1 where side 0 is to move, -1 where side 1 is: turns values for one into the other's."""
    assert state.turn is not None
    return -1 if state.turn % 2 else 1


def random_record(rng: random.Random, row: dict[str, Any], moves: int | None = None) -> gd.State:
    """A position of a row, gone on with at random."""
    state = endgame(row)
    while not state.is_over and (moves is None or len(state.history) < moves):
        state.push(rng.choice(state.legal_moves()))
    return state


def name(row: dict[str, Any]) -> str:
    return str(endgame(row))


# --- solve ---


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_recorded_values(row: dict[str, Any]) -> None:
    state = endgame(row)
    before = str(state), state.history
    found = gd.solve(state)
    assert (found.value, found.lower, found.upper) == (row["value"],) * 3
    assert found.proven
    assert found.reached is None
    assert found.payoff == row["value"] * mover(state)
    assert found.best == found.line[0]
    assert played(state, found.line).payoff == found.payoff
    assert found.nodes >= 0
    assert found.seconds > 0
    assert (found.state, found.rules) == (str(state), state.rules)
    assert (str(state), state.history) == before
    rated = gd.rate_moves(state)
    assert {one.move: one.value for one in rated} == values_of(row)
    assert rated[0].value == row["value"]
    assert found.best in [one.move for one in rated if one.value == row["value"]]


def test_the_line_keeps_the_value() -> None:
    solver = gd.Solver(table_mb=16)
    for row in FEW[::3]:
        state = endgame(row)
        found = solver.solve(state)
        for move in found.line[:-1]:
            state.push(move)
            assert solver.solve(state).payoff == found.payoff


@pytest.mark.parametrize("steps", [(12, 5, 1), (3, 3, 1), (1, 1, 1), (1, 2, 3)])
def test_other_steps(steps: tuple[int, int, int]) -> None:
    for row in FEW[::2]:
        state = endgame(row, steps=steps)
        found = gd.solve(state)
        assert found.payoff == minimax(state)
        assert found.value in {*steps, *(-n for n in steps)}
        assert played(state, found.line).payoff == found.payoff


@pytest.mark.parametrize("seed", range(4))
def test_a_utility_replaces_the_steps(seed: int) -> None:
    rng = random.Random(seed)
    for row in rng.sample(FEW, 10):
        state = endgame(row)
        # Few numbers, so that some are equal; no order of the outcomes is better than another.
        utility = {outcome: rng.choice([-1, 0, 0.25, 2]) for outcome in OUTCOMES}
        found = gd.solve(state, utility=utility)
        assert found.payoff == minimax(state, utility)
        assert found.value == found.payoff * mover(state)
        assert found.value is not None
        assert math.copysign(1, found.value) == 1 or found.value < 0
        assert worth(played(state, found.line), utility) == found.payoff
        rated = gd.rate_moves(state, utility=utility)
        assert rated[0].value == found.value
        for one in rated:
            after = played(state, (one.move,))
            assert one.value == minimax(after, utility) * mover(state)
        for target in (-1, 0, 0.1, 2):
            reached = gd.solve(state, target=target, utility=utility).reached
            assert reached is (found.value >= target)


def test_a_utility_of_one_number() -> None:
    state = gd.State.parse(FLAGSHIP)
    found = gd.solve(state, utility=dict.fromkeys(OUTCOMES, 5))
    assert (found.value, found.proven) == (5, True)
    assert played(state, found.line).is_over
    assert [one.value for one in gd.rate_moves(state, utility=dict.fromkeys(OUTCOMES, 5))] == (
        [5] * len(state.legal_moves())
    )


@pytest.mark.parametrize(
    "number", [np.uint8(3), np.int64(3), np.float32(3), Fraction(3), True + 2], ids=repr
)
def test_numbers_of_a_utility(number: Any) -> None:
    state = gd.State.parse("S4/S3C3S9/S5/HR 2 1 - -")
    utility = dict.fromkeys(OUTCOMES, number)
    found = gd.solve(state, utility=utility)
    assert (found.payoff, found.value) == (3, -3)
    assert type(found.value) in (int, float)


@pytest.mark.parametrize("row", FEW, ids=name)
def test_a_target_is_decided(row: dict[str, Any]) -> None:
    state = endgame(row)
    for target in (-99, -3, -2.5, -1, 0, 1, 2, 3, 4):
        found = gd.solve(state, target=target)
        assert found.reached is (row["value"] >= target)
        assert found.proven
        assert found.lower <= row["value"] <= found.upper
        assert found.lower >= target if found.reached else found.upper < target
        if found.value is not None:
            assert found.lower == found.upper == found.value
        assert found.line == ()
        if found.reached and found.best is not None:
            after = played(state, (found.best,))
            worth_after = minimax(after) * mover(state)
            assert worth_after >= target


def test_a_target_that_the_seats_out_decide_takes_no_node() -> None:
    state = gd.State.parse("-/S4S5/S6C7/S7 2 2 - 0")
    for target, reached in ((1, True), (4, False), (-1, True)):
        found = gd.solve(state, target=target, nodes=0)
        assert (found.reached, found.proven, found.nodes) == (reached, True, 0)
        assert (found.lower, found.upper) == (1, 3)


# --- Limits ---


@pytest.mark.parametrize("row", FEW[::2], ids=name)
def test_limited_bounds_hold_the_value(row: dict[str, Any]) -> None:
    state = endgame(row)
    for nodes in (0, 1, 2, 3, 5, 10, 20, 50, 200, 1000):
        found = gd.solve(state, nodes=nodes)
        assert found.lower <= row["value"] <= found.upper
        assert found.proven is (found.value is not None) is (found.lower == found.upper)
        assert found.proven or not found.line
        assert (found.payoff is None) is (found.value is None)
        assert found == gd.solve(state, nodes=nodes)
        for target in (-2, 1, 3):
            asked = gd.solve(state, nodes=nodes, target=target)
            assert asked.reached in (None, row["value"] >= target)
            assert asked.proven is (asked.reached is not None)
            assert asked.lower <= row["value"] <= asked.upper


@pytest.mark.parametrize("mode", ["exact", "best", "sign"])
@pytest.mark.parametrize("row", FEW[::3], ids=name)
def test_rated_moves(row: dict[str, Any], mode: Any) -> None:
    state = endgame(row)
    values = values_of(row)
    for nodes in (None, 0, 1, 5, 30, 200, 2000):
        rated = gd.rate_moves(state, mode, nodes=nodes)
        assert sorted(str(one.move) for one in rated) == sorted(map(str, values))
        assert rated == sorted(rated, key=lambda one: (-one.lower, -one.upper))
        for one in rated:
            value = values[one.move]
            assert one.lower <= value <= one.upper
            assert one.value in (None, value)
            assert (one.value is None) is (one.lower != one.upper)
            if nodes is None:
                assert one.proven
            if mode == "exact":
                assert one.proven is (one.value is not None)
            if mode == "sign":
                assert one.proven is (one.lower > 0 or one.upper <= 0)
            if mode == "best" and one.proven:
                assert one.value is not None or one.upper <= rated[0].lower
        if nodes is None and mode == "best":
            assert rated[0].value == row["value"]


def test_the_sign_of_a_utility_is_that_of_the_number() -> None:
    state = gd.State.parse(FLAGSHIP)
    for low, high, above in ((0, 5, True), (0, 0, False), (-2, -1, False), (1, 2, True)):
        utility = {(side, place): low if side else high for side, place in OUTCOMES}
        best = gd.rate_moves(state, "sign", utility=utility)[0]
        assert best.proven
        assert (best.lower > 0) is above


def test_limits_of_time() -> None:
    start = time.perf_counter()
    found = gd.solve(LONG[0], seconds=0.1)
    assert time.perf_counter() - start < 5
    assert not found.proven
    assert (found.value, found.payoff, found.best, found.line) == (None, None, None, ())
    assert -3 <= found.lower < found.upper <= 3
    small = gd.State.parse(LOST)
    assert gd.solve(small, seconds=math.inf, nodes=10**400).value == 3
    assert gd.solve(small, seconds=10**400, target=10**400).reached is False
    assert not gd.solve(LONG[0], seconds=0).proven


def test_bounds_by_the_seats_out() -> None:
    for text, bounds in (
        ("-/S4S5/S6C7/S7C8 2 2 - 0", (1, 3)),
        ("-/-/S6C7/S7C8 2 2 - 01", (1, 2)),
        ("-/-/S6C7/S7C8 2 3 - 10", (1, 2)),
        ("S3S4/-/S6C7/S7C8 2 0 - 1", (-3, -1)),
    ):
        found = gd.solve(gd.State.parse(text), nodes=0)
        assert (found.lower, found.upper) == bounds


# --- Solvers ---


def test_a_warm_table_changes_no_value() -> None:
    solver = gd.Solver(table_mb=1)
    rng = random.Random(3)
    for row in rng.sample(SMALL, 30):
        state = endgame(row)
        assert solver.solve(state).value == row["value"]
        rules = gd.Rules(lead_after_out=row["lead_after_out"], steps=(5, 4, 1))
        other = gd.State.parse(str(state), rules)
        assert solver.solve(other).payoff == minimax(other)
        utility = {outcome: rng.choice([0, 1, 2]) for outcome in OUTCOMES}
        assert solver.solve(state, utility=utility).payoff == minimax(state, utility)
        assert max(one.lower for one in solver.rate_moves(state)) == row["value"]
        if rng.random() < 0.2:
            solver.clear()


def test_calls_share_memory_and_nothing_else() -> None:
    endings = [endgame(row) for row in ROWS[:20]]
    solved = [gd.Solver(table_mb=2).solve(state) for state in endings]
    with ThreadPoolExecutor(4) as threads:
        assert [gd.solve(state, table_mb=2) for state in endings] == solved
        assert list(threads.map(lambda state: gd.solve(state, table_mb=2), endings)) == solved
    with pytest.raises(ValueError, match="nodes"):
        gd.solve(STATE, nodes=-1)
    assert gd.solve(STATE) == gd.Solver(table_mb=64).solve(STATE)
    gd.solve(gd.State.deal("2", seed=1), nodes=100_000)
    assert sum(solver.memory_mb for solver in SPARE) <= len(SPARE) * MOST_SPARE_MB


def test_a_solver_tells_its_memory() -> None:
    solver = gd.Solver(table_mb=1)
    fresh = solver.memory_mb
    solver.solve(gd.State.deal("2", seed=1), nodes=20_000)
    assert 0 < fresh < solver.memory_mb < 1 + 64


def test_stop_ends_a_call_as_a_limit_does() -> None:
    solver = gd.Solver(table_mb=4)
    timer = threading.Timer(0.2, solver.stop)
    timer.start()
    found = solver.solve(LONG[0])
    timer.join()
    assert not found.proven
    assert solver.solve(gd.State.parse(LOST)).value == 3


# --- solve_many ---


def test_many_are_solved_in_order() -> None:
    states = [endgame(row) for row in SMALL]
    want = [row["value"] for row in SMALL]
    for arguments in ({}, {"threads": 3}, {"map": map}, {"map": map, "chunksize": 1}):
        calls: list[tuple[int, int]] = []

        def tell(done: int, total: int, calls: list[tuple[int, int]] = calls) -> None:
            calls.append((done, total))

        found = gd.solve_many(states, table_mb=4, progress=tell, **arguments)
        assert [one.value for one in found] == want
        assert [one.state for one in found] == list(map(str, states))
        every = 16 if arguments == {"map": map} else 1
        numbers = [*range(every, len(states), every), len(states)]
        assert calls == [(number, len(states)) for number in numbers]


def test_many_as_texts_under_rules() -> None:
    rules = gd.Rules(steps=(9, 5, 2))
    found = gd.solve_many([FLAGSHIP, gd.State.parse(FLAGSHIP)], rules=rules)
    assert [one.value for one in found] == [2, 1]
    assert [one.rules for one in found] == [rules, gd.Rules()]
    [found_one] = gd.solve_many(iter([FLAGSHIP]), target=2)
    assert found_one.reached is False
    [found_one] = gd.solve_many([FLAGSHIP], nodes=1)
    assert not found_one.proven
    assert gd.solve_many([]) == gd.solve_many([], threads=3) == gd.solve_many([], map=map) == []


@pytest.mark.parametrize(
    "arguments", [{}, {"threads": 2}, {"map": map}, {"map": map, "chunksize": 1}]
)
def test_bad_states_are_reported_and_lose_nothing(arguments: dict[str, Any]) -> None:
    states: list[Any] = [LOST, "S3", gd.State.parse(OVER), FLAGSHIP, None, "S3/S3/S3/S4 2 0 - -"]
    with pytest.raises(gd.SolveError) as caught:
        gd.solve_many(states, **arguments)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert {i: type(one) for i, one in error.errors.items()} == {
            1: gd.NotationError,
            2: gd.StateError,
            4: TypeError,
            5: gd.StateError,
        }
        assert [one and one.value for one in error.solutions] == [3, None, None, 1, None, None]
        assert str(error).startswith("4 of 6 states cannot be solved: [1] 'S3' has 0 slashes")
        assert str(error).endswith("; and 1 more")


def test_a_pool_of_processes_can_do_it() -> None:
    states = [endgame(row) for row in SMALL[:20]]
    # Not forked: this process may have threads.
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = gd.solve_many([*states, LOST], map=pool.map, chunksize=3)
    assert [one.value for one in found] == [*(row["value"] for row in SMALL[:20]), 3]
    with ThreadPoolExecutor(2) as threads:
        again = gd.solve_many(states, map=threads.map, table_mb=1)
    assert [one.value for one in again] == [one.value for one in found[:-1]]


def test_an_error_of_progress_ends_it() -> None:
    def fail(done: int, total: int) -> None:
        raise RuntimeError("enough")

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="enough"):
            gd.solve_many([LOST, LOST, *LONG], threads=threads, progress=fail)


CALLS: list[Callable[[], object]] = [
    lambda: gd.solve(LONG[0]),
    lambda: gd.rate_moves(LONG[0]),
    lambda: gd.review(played(LONG[0], (LONG[0].legal_moves()[0],))),
    lambda: gd.solve_many(LONG),
    lambda: gd.solve_many(LONG, threads=2),
    lambda: gd.solve_many(LONG, threads=4),
]


@pytest.mark.parametrize("call", range(len(CALLS)))
def test_an_interrupt_ends_it_within_a_second(call: int, alarm: Callable[[], None]) -> None:
    alarm()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        CALLS[call]()
    assert time.perf_counter() - start < 1.1


# --- review ---


@pytest.mark.parametrize("row", FEW[::2], ids=name)
def test_a_review_is_as_solve_at_each_ply(row: dict[str, Any]) -> None:
    state = random_record(random.Random(name(row)), row)
    assert state.is_over
    before = str(state), state.history
    plays = gd.review(state)
    assert (str(state), state.history) == before
    assert [play.move for play in plays] == list(state.history)
    at = endgame(row)
    for ply, play in enumerate(plays, 1):
        assert (play.ply, play.seat) == (ply, at.turn)
        values = {one.move: one.value for one in gd.rate_moves(at)}
        value = gd.solve(at).value
        assert (play.before, play.before_lower, play.before_upper) == (value,) * 3
        assert (play.after, play.after_lower, play.after_upper) == (values[play.move],) * 3
        assert value is not None
        assert play.loss == value - (values[play.move] or 0)
        assert play.best == tuple(move for move in at.legal_moves() if values[move] == value)
        assert (play.loss == 0) is (play.move in play.best)
        assert play.proven
        at.push(play.move)


def test_a_review_of_a_deal_in_play() -> None:
    state = gd.State.parse(LOST)
    assert gd.review(state) == []
    state.push("S3")
    state.push("pass")
    first, second = gd.review(state)
    assert (first.before, first.after, first.loss) == (3, -1, 4)
    assert first.best == (gd.Move.parse("single 9 S9"), gd.Move.parse("pair 3 S3 C3"))
    assert second.before == 1
    assert gd.review(gd.State.parse(OVER)) == []


@pytest.mark.parametrize("row", FEW[::3], ids=name)
def test_a_review_leaves_out_leads_that_were_lost(row: dict[str, Any]) -> None:
    rng = random.Random(name(row))
    state = endgame(row)
    leads = []
    while not state.is_over:
        if state.table is None and rng.random() < 0.5:
            leads.append(len(state.history) + 1)
            state.skip()
        else:
            state.push(rng.choice(state.legal_moves()))
    for nodes in (None, 0, 10):
        plays = gd.review(state, nodes=nodes)
        kept = [ply for ply in range(1, len(state.history) + 1) if ply not in leads]
        assert [play.ply for play in plays] == kept
        at = endgame(row)
        found = {play.ply: play for play in plays}
        for ply, move in enumerate(state.history, 1):
            if ply in leads:
                at.skip()
                continue
            value = gd.solve(at).value
            assert value is not None
            assert found[ply].before_lower <= value <= found[ply].before_upper
            assert nodes is not None or found[ply].before == value
            at.push(move)


def test_a_review_by_a_utility() -> None:
    state = gd.State.parse(LOST)
    state.push("S3")
    utility = {(side, place): 1 - side for side, place in OUTCOMES}
    [play] = gd.review(state, utility=utility)
    assert (play.before, play.after, play.loss) == (1, 0, 1)


@pytest.mark.parametrize("row", FEW[::4], ids=name)
def test_a_limited_review_is_honest(row: dict[str, Any]) -> None:
    state = random_record(random.Random(name(row)), row)
    exact = gd.review(state)
    for nodes in (0, 1, 3, 10, 40, 300):
        plays = gd.review(state, nodes=nodes)
        assert plays[-1].after == exact[-1].after
        for play, full in zip(plays, exact, strict=True):
            assert play.before_lower <= (full.before or 0) <= play.before_upper
            assert play.after_lower <= (full.after or 0) <= play.after_upper
            assert play.before in (None, full.before)
            assert play.after in (None, full.after)
            assert play.loss in (None, full.loss)
            assert (play.loss is None) is (play.before is None or play.after is None)
            assert set(play.best) <= set(full.best)
            assert not play.proven or play == full


# --- verify ---


@pytest.mark.parametrize("row", SMALL[::8], ids=name)
def test_solutions_are_verified(row: dict[str, Any]) -> None:
    state = endgame(row)
    found = gd.solve(state)
    n_checked = found.verify()
    assert n_checked > 0
    assert pickle.loads(pickle.dumps(found)).verify() == n_checked
    for nodes in (0, 5, 20):
        gd.solve(state, nodes=nodes).verify(table_mb=1)
    for target in (-1, 1, 3):
        gd.solve(state, target=target).verify()
    gd.solve(state, utility={outcome: sum(outcome) % 3 for outcome in OUTCOMES}).verify()


@pytest.mark.parametrize("row", SMALL[::8], ids=name)
def test_a_claim_that_is_wrong_fails(row: dict[str, Any]) -> None:
    state = endgame(row)
    found = gd.solve(state)
    assert found.value is not None
    for wrong in {-3, -2, -1, 1, 2, 3} - {found.value}:
        changed = replace(found, value=wrong, lower=wrong, upper=wrong, payoff=wrong * mover(state))
        with pytest.raises(gd.ProofError, match="the line does not end with payoff"):
            changed.verify()
        bounds = replace(found, value=None, payoff=None, line=(), best=None)
        lower, upper = (wrong, 3) if wrong > found.value else (-3, wrong)
        with pytest.raises(gd.ProofError, match="does not get what is claimed"):
            replace(bounds, lower=lower, upper=upper).verify()


def test_a_solution_that_is_spoilt_fails() -> None:
    found = gd.solve(gd.State.parse(FLAGSHIP))
    for changes in (
        {"payoff": -1},
        {"payoff": None},
        {"lower": -1},
        {"upper": 2},
        {"line": found.line[1:]},
        {"value": None},
        {"lower": 0.5, "upper": 0.5},
        {"value": None, "payoff": None, "line": (), "lower": 3, "upper": -3},
    ):
        with pytest.raises(gd.ProofError):
            replace(found, **changes).verify()
    assert not issubclass(gd.ProofError, ValueError)


# --- Errors ---

STATE = gd.State.parse(LOST)
ASK: Any = gd.solve
LACKING = dict.fromkeys(OUTCOMES[:-1], 1)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: gd.solve(gd.State.parse(OVER)), gd.StateError, "the deal is over"),
        (lambda: gd.rate_moves(gd.State.parse(OVER)), gd.StateError, "the deal is over"),
        (lambda: ASK(LOST), TypeError, "state: want a State, such as State.parse"),
        (lambda: gd.review(None), TypeError, "state: want a State"),  # type: ignore[arg-type]
        (lambda: gd.solve(STATE, nodes=-1), ValueError, "nodes=-1: want an int, 0 or more"),
        (lambda: ASK(STATE, nodes=1.5), TypeError, "nodes=1.5: want"),
        (lambda: ASK(STATE, nodes="9"), TypeError, "nodes='9': want"),
        (lambda: gd.solve(STATE, seconds=-0.1), ValueError, "seconds=-0.1: want 0 or more, None"),
        (lambda: gd.solve(STATE, seconds=math.nan), ValueError, "seconds=nan: want"),
        (lambda: ASK(STATE, seconds="1"), TypeError, "seconds='1': want a number"),
        (lambda: gd.review(STATE, nodes=-1), ValueError, "nodes=-1"),
        (lambda: gd.rate_moves(STATE, seconds=-1), ValueError, "seconds=-1"),
        (lambda: gd.solve(STATE, table_mb=0), ValueError, "table_mb"),
        (lambda: gd.solve(STATE, table_mb=10**9), ValueError, "table_mb"),
        (lambda: gd.Solver(math.nan), ValueError, "table_mb"),
        (lambda: gd.Solver(-5), ValueError, "table_mb"),
        (lambda: gd.solve(STATE, target=math.nan), ValueError, "target=nan: want a finite"),
        (lambda: ASK(STATE, target="1"), TypeError, "target='1': want a number"),
        (lambda: ASK(STATE, utility=[1]), TypeError, "utility: want a mapping"),
        (lambda: ASK(STATE, utility=LACKING), ValueError, r"utility lacks \(1, 4\): want"),
        (
            lambda: ASK(STATE, utility={**LACKING, (1, 4): 1, (0, 1): 2}),
            *(ValueError, r"utility has \(0, 1\): want the six keys \(0, 2\), "),
        ),
        (
            lambda: ASK(STATE, utility={**LACKING, (1, 4): "x"}),
            *(TypeError, r"utility\[\(1, 4\)\]='x': want a number"),
        ),
        (
            lambda: ASK(STATE, utility={**LACKING, (1, 4): math.inf}),
            *(ValueError, r"utility\[\(1, 4\)\]=inf: want a finite number"),
        ),
        (lambda: gd.rate_moves(STATE, "all"), ValueError, "mode='all': want one of 'exact', "),  # type: ignore[arg-type]
        (lambda: gd.solve_many(LOST), TypeError, "states: want States or their texts"),
        (lambda: gd.solve_many(STATE), TypeError, "states: want"),  # type: ignore[arg-type]
        (lambda: gd.solve_many(7), TypeError, "states: want"),  # type: ignore[arg-type]
        (lambda: gd.solve_many([], threads=0), ValueError, "threads=0: want an int, 1 or more"),
        (lambda: gd.solve_many([], threads=2.5), TypeError, "threads=2.5: want"),  # type: ignore[arg-type]
        (lambda: gd.solve_many([], chunksize=0), ValueError, "chunksize=0: want an int, 1 or more"),
        (lambda: gd.solve_many([], threads=2, map=map), ValueError, "threads=2: give threads or"),
        (lambda: gd.solve_many([], nodes=-1), ValueError, "nodes=-1"),
        (lambda: gd.solve_many([], seconds=-1), ValueError, "seconds=-1"),
        (lambda: gd.solve_many([LOST], table_mb=0), ValueError, "table_mb"),
        (lambda: gd.solve_many([LOST, LOST], threads=2, table_mb=0), ValueError, "table_mb"),
        (lambda: gd.solve_many([LOST], map=map, table_mb=0), ValueError, "table_mb"),
        (lambda: gd.solve_many([LOST], target=math.nan), ValueError, "target=nan"),
        (lambda: gd.solve_many([LOST], utility=LACKING), ValueError, "utility lacks"),
        (lambda: gd.solve_many([LOST], rules="opengd"), TypeError, "rules: want a Rules"),  # type: ignore[arg-type]
    ],
)
def test_errors(call: Callable[[], object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said) as caught:
        call()
    assert type(caught.value) is error

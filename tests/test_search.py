"""The exact search: recorded endings, and nothing that prunes or merges changes a value."""

from typing import Any

import pytest
from positions import endgame
from recorded import rows

import guandan as gd
from guandan.search import Search

# The outcomes' ranks under the steps 3, 2, 1, and the steps of each rank.
RANKS = (5, 4, 3, 0, 1, 2)
STEPS = (-3, -2, -1, 1, 2, 3)
SIGN = 3
ALL = 511
TECHNIQUES = (
    *("proofs", "squeeze", "sure leads", "sure replies", "losers"),
    *("cutoffs", "glances", "forced passes", "dropped suits"),
)
ENDGAMES = rows("endgames.jsonl")


def payoff(row: dict[str, Any]) -> int:
    """Give the recorded value of an ending for side 0."""
    value: int = row["value"]
    return -value if row["turn"] & 1 else value


def steps(search: Search, state: gd.State) -> int:
    """Solve a state for side 0."""
    low, high, line, _ = search.solve(state, RANKS, SIGN, 0, 5, None, None)
    assert low == high
    played = state.copy()
    for move in line:
        played.push(move)
    assert played.payoff == STEPS[low]
    return STEPS[low]


def test_recorded_endings() -> None:
    """Each recorded ending has its value, by a line to the end of the deal."""
    for row in ENDGAMES:
        assert steps(Search(1), endgame(row)) == payoff(row), row


@pytest.mark.parametrize("left_out", range(len(TECHNIQUES)), ids=TECHNIQUES.__getitem__)
def test_each_technique_can_be_left_out(left_out: int) -> None:
    """No value rests on a single technique."""
    for row in ENDGAMES:
        search = Search(1)
        search.techniques = ALL & ~(1 << left_out)
        assert steps(search, endgame(row)) == payoff(row), row


def test_all_techniques_can_be_left_out() -> None:
    """Plain search without any of them finds the values too."""
    for row in ENDGAMES[::4]:
        search = Search(1)
        search.techniques = 0
        assert steps(search, endgame(row)) == payoff(row), row


@pytest.mark.parametrize("mode", ["exact", "best", "sign"])
def test_recorded_moves(mode: str) -> None:
    """Each move of a recorded ending has its value, as far as the mode asks."""
    search = Search(1)
    for row in ENDGAMES:
        state = endgame(row)
        side = -1 if row["turn"] & 1 else 1
        ratings, _ = search.rate(state, RANKS, SIGN, mode, None, None)
        assert [move for move, _, _ in ratings] == list(state.legal_moves())
        values = [row["moves"][name(move)] for move, _, _ in ratings]
        assert len(values) == len(row["moves"])
        for (_, *ranks), value in zip(ratings, values, strict=True):
            low, high = sorted(side * STEPS[rank] for rank in ranks)
            assert low <= value <= high
            if mode == "exact":
                assert low == high
            elif mode == "best":
                assert low == high if value == max(values) else high < max(values)
            else:
                assert low * high > 0


def name(move: gd.Move) -> str:
    """Give a move's text with its cards in the order of their texts."""
    if move.kind == gd.Kind.PASS:
        return "pass"
    return " ".join([move.kind.name.lower(), move.rank, *sorted(move.cards)])

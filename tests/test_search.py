"""The exact search: recorded endings, and nothing that prunes or merges changes a value."""

import random
from typing import Any

import pytest
from positions import endgame, played, values_of
from recorded import rows

import guandan as gd
from guandan.search import Search

# The outcomes' ranks under the steps 3, 2, 1, and the steps of each rank.
RANKS = (5, 4, 3, 0, 1, 2)
STEPS = (-3, -2, -1, 1, 2, 3)
SIGN = 3
ALL = Search(1).techniques
PATTERNS = 512
TECHNIQUES = (
    *("proofs", "squeeze", "sure leads", "sure replies", "losers"),
    *("cutoffs", "glances", "forced passes", "dropped suits", "patterns"),
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
    assert played(state, line).payoff == STEPS[low]
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
        ratings, _, _ = search.rate(state, RANKS, SIGN, mode, None, None)
        assert [move for move, _, _ in ratings] == list(state.legal_moves())
        values = values_of(row)
        assert len(values) == len(ratings)
        for move, *ranks in ratings:
            value = values[move]
            low, high = sorted(side * STEPS[rank] for rank in ranks)
            assert low <= value <= high
            if mode == "exact":
                assert low == high
            elif mode == "best":
                assert low == high if value == row["value"] else high < row["value"]
            else:
                assert low * high > 0


RULES = (
    gd.Rules(),
    gd.Rules(full_house_joker_pair=False),
    gd.Rules(level_full_house_by_wilds=False, lead_after_out="next"),
)


def groups(rng: random.Random) -> list[list[int]]:
    """Give hands as sizes of groups: of a few ranks, then small and big jokers, then wilds."""
    hands = [rng.choices([1, 2, 3, 4], [5, 4, 3, 1], k=rng.randint(2, 4)) for _ in range(4)]
    for extra in (2, 2, 2):
        given = [0, 0, 0, 0]
        for _ in range(rng.choice([0, 0, 1, extra])):
            given[rng.randrange(4)] += 1
        for hand, n in zip(hands, given, strict=True):
            hand.append(n)
    return hands


def placed(rng: random.Random, hands: list[list[int]], level: str, rules: gd.Rules) -> gd.State:
    """Give each group a rank, in any order: all such states have groups of the same sizes."""
    left = {rank: list("SHCDSHCD") for rank in "23456789TJQKA"}
    left[level] = list("SCDSCD")
    texts = []
    for *sizes, small, big, wilds in hands:
        text = "SB" * small + "HR" * big + ("H" + level) * wilds
        free = set(left)
        for size in sizes:
            rank = rng.choice(sorted(rank for rank in free if len(left[rank]) >= size))
            free.remove(rank)
            rng.shuffle(left[rank])
            text += "".join(left[rank].pop() + rank for _ in range(size))
        texts.append(text)
    return gd.State(texts, level=level, turn=rng.randrange(4), rules=rules)


def test_what_one_order_of_ranks_has_shown_holds_for_another() -> None:
    """States of one shape are worth the same by a table warm from others as by none."""
    nodes = [0, 0]
    for seed in range(60):
        rng = random.Random(seed)
        hands, level, rules = groups(rng), rng.choice("27A"), RULES[seed % len(RULES)]
        while sum(map(sum, hands)) > 24:
            hands = groups(rng)
        warm = Search(0.01 if seed % 4 == 0 else 1)
        for _ in range(20):
            state = placed(rng, hands, level, rules)
            fresh = Search(1)
            fresh.techniques = ALL & ~PATTERNS
            low, high, _, fewer = warm.solve(state, RANKS, SIGN, 0, 5, None, None)
            known, _, _, more = fresh.solve(state, RANKS, SIGN, 0, 5, None, None)
            assert (low, high) == (known, known), (state, seed)
            nodes[0] += fewer
            nodes[1] += more
    assert nodes[0] < nodes[1]


@pytest.mark.parametrize("seed", [6, 28, 30])
def test_moves_are_told_apart_where_the_room_for_hands_ends(seed: int) -> None:
    search = Search(1)
    for deal in range(245):
        search.rate(gd.State.deal("6", deal), RANKS, SIGN, "exact", 0, None)
    rng = random.Random(seed)
    held = 0
    while (before := search.memory) >= held:
        held = before
        cards = rng.sample([card for card in gd.CARDS if card[1] in "3459K6A"] * 2, 15)
        hands = [cards[:12], cards[12:13], cards[13:14], cards[14:]]
        state = gd.State(hands, level="6", turn=0)
        rated = search.rate(state, RANKS, SIGN, "exact", None, None)[0]
        assert rated == Search(1).rate(state, RANKS, SIGN, "exact", None, None)[0]

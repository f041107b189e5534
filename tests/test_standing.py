"""Where a match stands after each of its deals, who is ahead, and what it scores."""

import copy
import dataclasses
import itertools
import pickle
import random
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
import reference_match as ref
from hypothesis import given
from hypothesis import strategies as st
from recorded import cases
from reference_tribute import ORDERS

import guandan as gd
from guandan.standing import Standing, score

LEVELS = "23456789TJQKA"
PRESETS = gd.Rules.presets()
NAMES: dict[str, Any] = {"Standing": Standing}

# Orders by what they are to side 0.
DOUBLE, SECOND_LAST, FIRST_LAST = (0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2)
DOUBLED = (1, 3, 0, 2)
STREAKS = gd.Rules(streaks=True)


# --- Helpers ---


def played(
    orders: Iterable[Sequence[int]], rules: gd.Rules | None = None, **fields: Any
) -> Standing:
    """Give the standing after some deals, from one with some fields."""
    standing = Standing(**fields)
    for order in orders:
        standing = standing.after(order, rules)
    return standing


def at_ace(order: Sequence[int], rules: gd.Rules, **fields: Any) -> Standing:
    """Give the standing after a deal of side 0 at A, where side 1 has level 9."""
    return Standing(levels=("A", "9"), declarers=0, **fields).after(order, rules)


def turned(standing: Standing) -> Standing:
    """Give the standing with each seat's place taken by his partner."""
    return dataclasses.replace(
        standing,
        **{
            name: getattr(standing, name)[2:] + getattr(standing, name)[:2]
            for name in ("first_streaks", "last_streaks")
        },
    )


def exchanged(standing: Standing) -> Standing:
    """Give the standing with seats 0 and 1, and 2 and 3, in each other's places."""

    def other(name: str, value: Any) -> Any:
        if name in ("declarers", "winner"):
            return None if value is None else 1 - value
        if isinstance(value, tuple):
            return tuple(value[one ^ 1] for one in range(len(value)))
        return value

    return Standing(
        **{name: other(name, value) for name, value in dataclasses.asdict(standing).items()}
    )


def order_of(seats: Iterable[int]) -> tuple[int, ...]:
    """Give seats as an order: two who are last together ascend."""
    first, second, *rest = seats
    return (first, second, *(sorted(rest) if first % 2 == second % 2 else rest))


# --- Strategies ---

counts = st.integers(0, 5)
by_side = st.tuples(counts, counts)
by_seat = st.tuples(counts, counts, counts, counts)
some_rules = st.builds(
    gd.Rules,
    steps=st.tuples(*[st.integers(1, 12) | st.integers(1, 4)] * 3),
    win_at_ace=st.sampled_from(["not_last", "double"]),
    ace_failures=st.none()
    | st.tuples(
        st.integers(1, 4), st.sampled_from(["any", "won_last"]), st.sampled_from(LEVELS[:-1])
    ),
    falls_draw=st.none() | st.integers(1, 3),
    streaks=st.booleans(),
    score_table=st.sampled_from(["off", 13, 14]),
)
orders = st.sampled_from(ORDERS)
# Of few orders, so that streaks come about.
sequences = st.lists(orders, min_size=1, max_size=3).flatmap(
    lambda few: st.lists(st.sampled_from(few) | orders, max_size=40)
)


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    """Draw the standing of a match that goes on, such as may come about or not."""
    declarers = draw(st.sampled_from([None, 0, 1]))
    level = st.sampled_from(LEVELS) | st.sampled_from("23KA")
    levels = (draw(level), draw(level))
    deals = draw(st.integers(0, 30))
    since = st.integers(0, deals)
    return Standing(
        levels=levels if declarers is not None else levels[:1] * 2,
        declarers=declarers,
        deals=deals,
        since=(draw(since), draw(since)),
        failures=draw(by_side),
        falls=draw(by_side),
        first_streaks=draw(by_seat),
        last_streaks=draw(by_seat),
        double_streaks=draw(by_side),
        debts=draw(by_side),
    )


# --- The start ---


def test_a_match_starts_at_2_without_declarers() -> None:
    standing = Standing()
    assert dataclasses.asdict(standing) == ref.fields_of(ref.Match(), gd.Rules())
    assert (standing.level, standing.numbers, standing.is_over) == ("2", (2, 2), False)
    assert repr(standing) == "Standing()"


def test_the_level_is_that_of_the_declarers() -> None:
    assert Standing(levels=("5", "J"), declarers=0).level == "5"
    assert Standing(levels=("5", "J"), declarers=1).level == "J"
    assert Standing(levels=("8", "8")).level == "8"


@pytest.mark.parametrize("level", LEVELS)
def test_numbers_of_levels(level: str) -> None:
    assert Standing(levels=(level, "2"), declarers=1).numbers == (LEVELS.index(level) + 2, 2)


# --- Recorded cases ---


@pytest.mark.parametrize("row", cases("level_up"))
def test_recorded_levels(row: dict[str, Any]) -> None:
    before = Standing(
        levels=row["levels_before"],
        declarers=row["declaring_team"],
        failures=row.get("a_fails_before", (0, 0)),
    )
    after = before.after(row["finish_order"], gd.Rules.preset(row["rules"]))
    found = {
        "levels": list(after.levels),
        "next_level": after.level,
        "match_won": after.winner is not None,
        "a_fails": list(after.failures),
    }
    assert before.level == row["level"]
    assert {name: found[name] for name in row["expected"]} == row["expected"]


@pytest.mark.parametrize("row", cases("bonus", "penalty"))
def test_recorded_rewards_and_penalties(row: dict[str, Any]) -> None:
    bonus = row["question"].startswith("bonus")
    order, moved = (SECOND_LAST, 0) if bonus else (DOUBLED, 0)
    before = Standing(
        levels=(row["level"], row["level"]),
        declarers=0,
        first_streaks=(2, 0, 0, 0) if bonus else (0, 0, 0, 0),
        double_streaks=(0, 0) if bonus else (2, 0),
    )
    rules = gd.Rules.preset(row["rules"])
    with_, without = (before.after(order, one) for one in (rules, rules.replace(streaks=False)))
    extra = with_.numbers[moved] - without.numbers[moved]
    assert extra == row["expected"]["extra_levels"]
    assert with_.numbers[1 - moved] == without.numbers[1 - moved]


@pytest.mark.parametrize("row", cases("score for", "level difference"))
def test_recorded_scores(row: dict[str, Any]) -> None:
    rules = gd.Rules.preset(row["rules"])
    expected = dict(row["expected"])
    if "diff" in row:
        standing = Standing(levels=("7", LEVELS[5 - row["diff"]]), declarers=1)
    else:
        standing = Standing(levels=("K", "A"), declarers=1).after((1, 0, 3, 2), rules)
        assert standing.numbers[1] - standing.numbers[0] == expected.pop("diff")
    scores = score(standing, rules)
    assert scores is not None
    assert {"winner": max(scores), "loser": min(scores)} == expected
    assert scores.index(max(scores)) == standing.ahead("draw")


# --- The second implementation ---


def compare(orders: Iterable[Sequence[int]], rules: gd.Rules, levels: Sequence[int]) -> Standing:
    """Play a match in both, from some levels of which side 0 declares, to its end."""
    match = ref.Match(level=list(levels), declarers=0)
    standing = Standing(levels=tuple(LEVELS[one - 2] for one in levels), declarers=0)  # type: ignore[arg-type]
    for order in orders:
        if standing.is_over:
            break
        ref.play(match, tuple(order), rules)
        standing = standing.after(order, rules)
        assert dataclasses.asdict(standing) == ref.fields_of(match, rules), (match.orders, rules)
        assert score(standing, rules) == ref.scores_of(match, rules), (match.orders, rules)
    return standing


@pytest.mark.parametrize("name", PRESETS)
@given(orders=sequences, levels=st.tuples(st.integers(2, 14), st.integers(2, 14)))
def test_reference_under_presets(
    name: str, orders: list[tuple[int, ...]], levels: tuple[int, int]
) -> None:
    compare(orders, gd.Rules.preset(name), levels)


@given(sequences, some_rules, st.tuples(st.integers(2, 14), st.integers(2, 14)))
def test_reference_under_any_rules(
    orders: list[tuple[int, ...]], rules: gd.Rules, levels: tuple[int, int]
) -> None:
    compare(orders, rules, levels)


def test_reference_in_matches_of_all_kinds() -> None:
    rng = random.Random(1)
    found = set()
    for _ in range(400):
        failures: Any = [None, (1, "any", "2"), (2, "won_last", "Q"), (3, "any", "5")]
        rules = gd.Rules(
            steps=rng.choice([(3, 2, 1), (4, 2, 1), (1, 12, 3)]),
            win_at_ace=rng.choice(["not_last", "double"]),
            ace_failures=rng.choice(failures),
            falls_draw=rng.choice([None, 1, 2]),
            streaks=rng.random() < 0.7,
            score_table=rng.choice(["off", 13, 14]),
        )
        few = rng.sample(ORDERS, 3)
        orders = [rng.choice(few if rng.random() < 0.9 else ORDERS) for _ in range(40)]
        end = compare(orders, rules, (rng.randint(2, 14), rng.randint(2, 14)))
        found |= {(name, value) for name, value in dataclasses.asdict(end).items() if name in ENDS}
        found |= {
            ("fell", max(end.falls) > 0 and not end.drawn),
            ("indebted", max(end.debts) > 0),
            ("long first", max(end.first_streaks) > 4),
            ("long last", max(end.last_streaks) > 4),
            ("long double", max(end.double_streaks) > 4),
        }
    assert found == {(name, value) for name, values in ENDS.items() for value in values}


# What some of those matches must come to.
ENDS: dict[str, tuple[Any, ...]] = {
    "declarers": (0, 1),
    "winner": (None, 0, 1),
    "past_ace": (0, 1, 2),
    "drawn": (False, True),
    "fell": (False, True),
    "indebted": (False, True),
    "long first": (False, True),
    "long last": (False, True),
    "long double": (False, True),
}


# --- Steps ---


def test_there_are_twenty_orders() -> None:
    assert len(ORDERS) == 20
    for order in ORDERS:
        assert Standing().after(order).declarers == order[0] % 2


@pytest.mark.parametrize(
    ("order", "steps"), [(DOUBLE, 5), (SECOND_LAST, 3), (FIRST_LAST, 1)], ids=str
)
def test_steps(order: tuple[int, ...], steps: int) -> None:
    rules = gd.Rules(steps=(5, 3, 1))
    assert Standing().after(order, rules).numbers == (2 + steps, 2)
    # A first with the other seat of the side, and with side 1.
    assert Standing().after(order_of(seat ^ 2 for seat in order), rules).numbers == (2 + steps, 2)
    assert Standing().after(order_of(seat ^ 1 for seat in order), rules).numbers == (2, 2 + steps)


def test_the_steps_of_presets() -> None:
    for name in PRESETS:
        rules = gd.Rules.preset(name)
        top = 6 if name == "pagat" else 5
        levels = [
            Standing().after(one, rules).numbers[0] for one in (DOUBLE, SECOND_LAST, FIRST_LAST)
        ]
        assert levels == [top, 4, 3]


def test_default_rules() -> None:
    assert Standing().after(DOUBLE) == Standing().after(DOUBLE, gd.Rules.preset("jiangsu2023"))


def test_no_level_is_passed_that_must_be_played() -> None:
    for levels, after in (
        (("K", "4"), "A"),
        (("Q", "4"), "A"),
        (("J", "4"), "A"),
        (("T", "4"), "K"),
    ):
        standing = Standing(levels=levels, declarers=0).after(DOUBLE)
        assert (standing.levels, standing.winner, standing.level) == ((after, "4"), None, after)
    # The losers' side rises by nothing, and declares no more.
    standing = Standing(levels=("K", "4"), declarers=0).after(DOUBLED)
    assert (standing.levels, standing.level, standing.declarers) == (("K", "7"), "7", 1)


def test_deals_are_counted_and_when_levels_changed() -> None:
    standing = played([DOUBLE, DOUBLE, DOUBLED, DOUBLE])
    assert (standing.deals, standing.since) == (4, (4, 3))
    # A rise of nothing, at A.
    standing = Standing(levels=("A", "9"), declarers=1, deals=7, since=(5, 7)).after(DOUBLE)
    assert (standing.deals, standing.since) == (8, (5, 7))
    # A fall counts as well.
    standing = at_ace(DOUBLED, gd.Rules(ace_failures=(1, "any", "2")), deals=7, since=(5, 3))
    assert standing.since == (8, 8)
    # One that is undone within a deal does not.
    before = Standing(levels=("5", "2"), declarers=0, last_streaks=(0, 0, 2, 0), since=(1, 0))
    assert before.after(FIRST_LAST, STREAKS).since == (1, 0)


# --- At A ---


@pytest.mark.parametrize(
    ("win", "order", "won"),
    [
        ("not_last", DOUBLE, True),
        ("not_last", SECOND_LAST, True),
        ("not_last", FIRST_LAST, False),
        ("not_last", DOUBLED, False),
        ("not_last", (1, 0, 3, 2), False),
        ("not_last", (1, 0, 2, 3), False),
        ("double", DOUBLE, True),
        ("double", SECOND_LAST, False),
        ("double", FIRST_LAST, False),
        ("double", DOUBLED, False),
    ],
)
def test_who_wins_at_ace(win: Any, order: tuple[int, ...], won: bool) -> None:
    standing = at_ace(order, gd.Rules(win_at_ace=win))
    assert standing.winner == (0 if won else None)
    assert standing.is_over == won
    assert standing.past_ace == won
    assert standing.levels[0] == "A"
    assert standing.numbers[0] == (15 if won else 14)


def test_only_declarers_at_ace_win() -> None:
    # Side 0 has A, but the deal is played at 9; then at A.
    standing = Standing(levels=("A", "9"), declarers=1).after(DOUBLE)
    assert (standing.winner, standing.level) == (None, "A")
    assert standing.after(DOUBLE).winner == 0
    # Both at A: it counts who declares.
    assert Standing(levels=("A", "A"), declarers=1).after(DOUBLE).winner is None
    assert Standing(levels=("A", "A"), declarers=1).after(DOUBLED).winner == 1
    # Nobody does on a first deal.
    assert Standing(levels=("A", "A")).after(DOUBLE).winner is None


def test_a_match_that_is_over_takes_no_deal() -> None:
    won = at_ace(DOUBLE, gd.Rules())
    drawn = Standing(levels=("A", "9"), declarers=0, drawn=True)
    for standing, how in ((won, "won by side 0"), (drawn, "drawn")):
        for order in ORDERS:
            with pytest.raises(ValueError, match=f"want no more deals, the match is {how}"):
                standing.after(order)
    assert won == at_ace(DOUBLE, gd.Rules())


@pytest.mark.parametrize(
    ("which", "order", "failed"),
    [
        ("any", FIRST_LAST, True),
        ("any", DOUBLED, True),
        ("any", (1, 0, 3, 2), True),
        ("any", (3, 0, 2, 1), True),
        ("won_last", FIRST_LAST, True),
        ("won_last", (2, 3, 1, 0), True),
        ("won_last", DOUBLED, False),
        ("won_last", (1, 0, 3, 2), False),
        ("won_last", (3, 0, 2, 1), False),
    ],
)
def test_which_failures_at_ace_count(which: Any, order: tuple[int, ...], failed: bool) -> None:
    assert at_ace(order, gd.Rules(ace_failures=(4, which, "2"))).failures == (failed, 0)
    fallen = at_ace(order, gd.Rules(ace_failures=(1, which, "7")))
    assert fallen.levels[0] == ("7" if failed else "A")
    assert (fallen.falls, fallen.failures) == ((failed, 0), (0, 0))


def test_a_win_for_a_double_only_fails_otherwise() -> None:
    rules = gd.Rules(win_at_ace="double", ace_failures=(2, "any", "2"))
    assert at_ace(SECOND_LAST, rules).failures == (1, 0)
    rules = rules.replace(ace_failures=(2, "won_last", "2"))
    assert at_ace(SECOND_LAST, rules).failures == (0, 0)
    assert at_ace(FIRST_LAST, rules).failures == (1, 0)


def test_only_declarers_at_ace_fail() -> None:
    rules = gd.Rules(ace_failures=(1, "any", "2"))
    for before in (
        Standing(levels=("A", "9"), declarers=1),
        Standing(levels=("K", "A"), declarers=0),
        Standing(levels=("A", "A")),
    ):
        for order in ORDERS:
            after = before.after(order, rules)
            assert (after.falls, after.failures, after.winner) == ((0, 0), (0, 0), None)


def test_failures_count_in_total_and_start_again() -> None:
    rules = gd.Rules(ace_failures=(3, "any", "2"))
    lost, back = (1, 0, 2, 3), DOUBLE  # side 1 rises by 1 and then loses the lead at once
    standing = Standing(levels=("A", "2"), declarers=0)
    for failures, declares in (((1, 0), 1), ((1, 0), 0), ((2, 0), 1), ((2, 0), 0)):
        standing = standing.after(lost if declares else back, rules)
        assert (standing.failures, standing.declarers) == (failures, declares)
        assert (standing.levels[0], standing.falls) == ("A", (0, 0))
    standing = standing.after(lost, rules)
    assert (standing.levels, standing.failures, standing.falls) == (("2", "5"), (0, 0), (1, 0))


def test_who_falls_is_first_and_falls_all_the_same() -> None:
    # The next deal is played at the level that is fallen to.
    standing = at_ace(FIRST_LAST, gd.Rules(ace_failures=(1, "any", "5")))
    assert (standing.levels, standing.declarers, standing.level) == (("5", "9"), 0, "5")


def test_no_failures_are_counted_where_nobody_falls() -> None:
    standing = at_ace(DOUBLED, gd.Rules(), failures=(1, 0))
    assert (standing.failures, standing.falls) == ((1, 0), (0, 0))


def test_falls_of_presets() -> None:
    def failures_to_fall(name: str, order: tuple[int, ...]) -> int | None:
        for failures in range(10):
            after = at_ace(order, gd.Rules.preset(name), failures=(failures, 0))
            if after.levels[0] != "A":
                assert after.levels[0] == "2"
                return failures + 1
        return None

    found = {
        name: (failures_to_fall(name, DOUBLED), failures_to_fall(name, FIRST_LAST))
        for name in PRESETS
    }
    falls = {"seed003": (3, 3), "njupt1006": (2, 2), "opengd": (None, 4), "pagat": (3, 3)}
    assert found == {name: falls.get(name, (None, None)) for name in PRESETS}


def test_falls_draw() -> None:
    rules = gd.Rules(ace_failures=(1, "any", "2"), falls_draw=3)
    for falls in ((1, 0), (1, 2), (0, 2)):
        after = at_ace(DOUBLED, rules, falls=falls)
        assert (after.falls, after.drawn) == ((falls[0] + 1, falls[1]), False)
    after = at_ace(DOUBLED, rules, falls=(2, 0))
    assert (after.drawn, after.is_over, after.winner) == (True, True, None)
    assert (after.levels, after.level, after.ahead("first_to_reach")) == (("2", "Q"), "Q", None)
    # By falls of one side alone, and never without the field.
    assert not at_ace(DOUBLED, rules.replace(falls_draw=None), falls=(99, 0)).drawn
    # Before a win nothing is drawn.
    assert at_ace(DOUBLE, rules, falls=(2, 2)).winner == 0


# --- Streaks ---


def test_a_third_first_is_rewarded() -> None:
    # Seat 0 first with a partner last: 1 step each, then 1 and 2 and 3 levels more.
    order = (0, 1, 2, 3)
    numbers = [
        played([order] * n, gd.Rules(streaks=True, steps=(1, 1, 1))).numbers[0] for n in range(7)
    ]
    assert numbers == [2, 3, 4, 6, 9, 13, 14]
    # Not the side's: another seat was first in between.
    orders = [(0, 1, 2, 3), (0, 1, 2, 3), (2, 1, 0, 3)]
    standing = played(orders, gd.Rules(streaks=True, steps=(1, 1, 1)))
    assert (standing.numbers[0], standing.first_streaks) == (5, (0, 0, 1, 0))


def test_a_third_last_is_punished() -> None:
    order = (0, 1, 2, 3)  # seat 3 last
    after = [
        played([order] * n, STREAKS, levels=("2", "T"), declarers=0).numbers[1] for n in range(6)
    ]
    assert after == [10, 10, 10, 9, 7, 4]
    # One who is last though his partner is first falls from what his side has risen to.
    before = Standing(levels=("5", "2"), declarers=0, last_streaks=(0, 0, 3, 0))
    assert before.after(FIRST_LAST, STREAKS).levels == ("4", "2")


def test_a_third_double_is_punished_by_one_more() -> None:
    # The winners alternate, so that no bonus comes in; the levels are those of the losers.
    after = [
        played([(0, 2, 1, 3), (2, 0, 1, 3)] * n, STREAKS, levels=("2", "K"), declarers=0)
        for n in range(3)
    ]
    assert [one.numbers[1] for one in after] == [13, 13, 13 - 2 - 3]
    assert after[2].double_streaks == (0, 4)
    assert after[2].last_streaks == (0, 4, 0, 4)


def test_a_side_falls_by_the_largest_fall_that_is_due() -> None:
    def fall(**streaks: Any) -> int:
        before = Standing(levels=("J", "2"), declarers=0, **streaks)
        return 11 - before.after(DOUBLED, STREAKS).numbers[0]

    assert fall(double_streaks=(1, 0), last_streaks=(1, 0, 1, 0)) == 0
    assert fall(double_streaks=(2, 0), last_streaks=(2, 0, 2, 0)) == 2
    assert fall(double_streaks=(1, 0), last_streaks=(2, 0, 1, 0)) == 1
    assert fall(double_streaks=(1, 0), last_streaks=(2, 0, 3, 0)) == 2
    assert fall(double_streaks=(2, 0), last_streaks=(6, 0, 2, 0)) == 5
    assert fall(double_streaks=(6, 0), last_streaks=(6, 0, 6, 0)) == 6


def test_streaks_end_and_are_not_reset_by_a_reward() -> None:
    before = Standing(first_streaks=(4, 3, 2, 1), last_streaks=(4, 3, 2, 1), double_streaks=(3, 4))
    after = before.after((2, 1, 0, 3), STREAKS)
    assert after.first_streaks == (0, 0, 3, 0)
    assert after.last_streaks == (0, 0, 0, 2)
    assert after.double_streaks == (0, 0)
    after = before.after(DOUBLED, STREAKS)
    assert after.first_streaks == (0, 4, 0, 0)
    assert after.last_streaks == (5, 0, 3, 0)
    assert after.double_streaks == (4, 0)


def test_a_debt_is_what_cannot_be_fallen_below_2() -> None:
    before = Standing(levels=("3", "4"), declarers=0, double_streaks=(3, 0))  # a fall of 3
    after = before.after(DOUBLED, STREAKS)
    assert (after.levels, after.debts) == (("2", "7"), (2, 0))
    # A debt grows.
    after = dataclasses.replace(after, double_streaks=(2, 0)).after(DOUBLED, STREAKS)
    assert (after.levels[0], after.debts) == ("2", (4, 0))
    # It is taken from the rises of its side, as far as they go.
    after = after.after((0, 2, 1, 3), STREAKS)
    assert (after.levels[0], after.debts) == ("2", (1, 0))
    assert after.since == (1, 2)
    after = after.after((2, 0, 1, 3), STREAKS)
    assert (after.levels[0], after.debts) == ("4", (0, 0))


def test_a_debt_is_taken_from_the_bonus_too_and_before_the_fall() -> None:
    # Steps 1 and a bonus of 2, less 2; then a fall of 1, back to 2.
    before = Standing(
        debts=(2, 0), first_streaks=(3, 0, 0, 0), last_streaks=(0, 0, 2, 0), declarers=0
    )
    after = before.after(FIRST_LAST, STREAKS)
    assert (after.levels, after.debts) == (("2", "2"), (0, 0))
    # The rise pays the old debt; the fall makes a new one.
    after = dataclasses.replace(before, debts=(3, 0)).after(FIRST_LAST, STREAKS)
    assert (after.levels, after.debts) == (("2", "2"), (1, 0))


def test_a_side_at_ace_does_not_fall() -> None:
    for before in (
        Standing(levels=("A", "3"), declarers=1, double_streaks=(9, 0)),
        Standing(levels=("A", "3"), declarers=0, double_streaks=(9, 0)),
    ):
        after = before.after(DOUBLED, STREAKS)
        assert (after.levels, after.debts) == (("A", "6"), (0, 0))
    # Nor one that has just come there; one below does.
    for level, falls_to in (("K", "A"), ("Q", "T")):
        before = Standing(levels=(level, "3"), declarers=0, last_streaks=(0, 0, 4, 0))
        assert before.after(FIRST_LAST, STREAKS).levels[0] == falls_to


def test_a_fall_at_ace_is_none_of_streaks() -> None:
    # The side falls to where failures make it fall, and by no streak from there.
    rules = gd.Rules(streaks=True, ace_failures=(1, "any", "2"))
    after = at_ace(DOUBLED, rules, double_streaks=(4, 0))
    assert (after.levels, after.debts, after.falls) == (("2", "Q"), (0, 0), (1, 0))
    # A fall of streaks is none of those that may draw a match.
    before = Standing(levels=("9", "9"), declarers=0, double_streaks=(4, 0))
    after = before.after(DOUBLED, rules.replace(falls_draw=1))
    assert (after.levels, after.falls, after.drawn) == (("5", "Q"), (0, 0), False)


def test_the_deal_that_wins_makes_the_losers_fall() -> None:
    after = at_ace(DOUBLE, STREAKS, double_streaks=(0, 2))
    assert (after.winner, after.levels, score(after, STREAKS)) == (0, ("A", "7"), (21, 5))


def test_streaks_are_not_counted_where_they_are_worth_nothing() -> None:
    before = Standing(first_streaks=(2, 0, 0, 0), last_streaks=(0, 2, 0, 2), double_streaks=(0, 2))
    after = before.after(DOUBLE, gd.Rules())
    assert after.numbers == (5, 2)
    assert (after.first_streaks, after.last_streaks) == (before.first_streaks, before.last_streaks)
    assert after.double_streaks == before.double_streaks


# --- Properties ---


@given(standings(), orders, some_rules)
def test_after_any_deal(before: Standing, order: tuple[int, ...], rules: gd.Rules) -> None:
    text = repr(before)
    after = before.after(order, rules)
    assert repr(before) == text
    assert set(after.levels) <= set(LEVELS)
    assert after.declarers == order[0] % 2
    assert after.level == after.levels[order[0] % 2]
    assert after.deals == before.deals + 1
    for side in (0, 1):
        changed = after.levels[side] != before.levels[side]
        assert after.since[side] == (after.deals if changed else before.since[side])
    if rules.ace_failures is None:
        assert (after.failures, after.falls) == (before.failures, before.falls)
    if after.drawn or after.falls != before.falls:
        assert before.level == "A" == before.levels[before.declarers or 0]
        assert sum(after.falls) == sum(before.falls) + 1
    if after.winner is not None:
        assert after.winner == before.declarers == order[0] % 2
        assert after.levels[after.winner] == before.level == "A"
        assert not after.drawn
    if rules.falls_draw is None:
        assert not after.drawn
    if not rules.streaks and after.falls == before.falls:
        assert all(new >= old for new, old in zip(after.numbers, before.numbers, strict=True))


@given(standings(), orders, some_rules)
def test_partners_change_seats(before: Standing, order: tuple[int, ...], rules: gd.Rules) -> None:
    after = before.after(order, rules)
    other = turned(before).after(order_of(seat ^ 2 for seat in order), rules)
    assert other == turned(after)
    assert score(other, rules) == score(after, rules)


@given(standings(), orders, some_rules)
def test_sides_change_seats(before: Standing, order: tuple[int, ...], rules: gd.Rules) -> None:
    after = before.after(order, rules)
    other = exchanged(before).after(order_of(seat ^ 1 for seat in order), rules)
    assert other == exchanged(after)
    first, second = score(after, rules) or (0, 0)
    assert (score(other, rules) or (0, 0)) == (second, first)
    for tie in ("first_to_reach", "draw", "extra_deal"):
        mine, theirs = after.ahead(tie), other.ahead(tie)
        assert theirs == (None if mine is None else 1 - mine)


@given(sequences, some_rules)
def test_along_a_match(orders: list[tuple[int, ...]], rules: gd.Rules) -> None:
    standing = Standing()
    for order in orders:
        if standing.is_over:
            break
        standing = standing.after(order, rules)
        for side in (0, 1):
            # Who owes levels has none to give.
            assert standing.debts[side] == 0 or standing.levels[side] == "2"
            assert standing.double_streaks[side] <= min(standing.last_streaks[side::2])
        if not rules.streaks:
            assert standing.debts == standing.double_streaks == (0, 0)
        if rules.ace_failures is not None:
            assert max(standing.failures) < rules.ace_failures[0]
        if rules.falls_draw is not None:
            assert (max(standing.falls) == rules.falls_draw) == standing.drawn


def test_counts_stop_far_out() -> None:
    most = 10**9
    text = f"deals={most + 1}: want an int, 0 or more, at most {most}"
    with pytest.raises(ValueError, match=text):
        Standing(deals=most + 1)
    before = Standing(
        levels=("2", "3"),
        declarers=1,
        deals=most,
        since=(most, 7),
        last_streaks=(most, 0, most, 0),
        double_streaks=(most, 0),
        first_streaks=(0, most, 0, 0),
        debts=(most, most),
    )
    after = before.after(DOUBLED, STREAKS)
    assert dataclasses.replace(after) == after
    assert (after.deals, after.since) == (most, (most, most))
    assert (after.first_streaks[1], after.last_streaks[0]) == (most, most)
    assert (after.levels, after.debts) == (("2", "4"), (most, 0))
    failing = gd.Rules(ace_failures=(1, "any", "2"), falls_draw=1000)
    assert at_ace(DOUBLED, failing, falls=(most, 0), failures=(most, 0)).falls == (most, 0)


# --- Deals that are void ---


@given(standings(), st.sampled_from([0, 1]))
def test_after_a_void_deal(before: Standing, side: int) -> None:
    after = before.after_void(side)
    match = ref.Match(
        level=list(before.numbers), declarers=before.declarers, changed=list(before.since)
    )
    match.voids, match.debt = before.deals, list(before.debts)
    ref.void(match, side)
    expected = ref.fields_of(match, gd.Rules())
    changed = ("levels", "declarers", "deals", "since", "debts")
    assert {name: getattr(after, name) for name in changed} == {
        name: expected[name] for name in changed
    }
    assert dataclasses.replace(after, **{name: getattr(before, name) for name in changed}) == before
    assert (after.level, after.is_over) == (after.levels[side], False)


@given(st.lists(orders | st.sampled_from([0, 1]), max_size=30), some_rules)
def test_void_deals_among_others(deals: list[Any], rules: gd.Rules) -> None:
    standing, match = Standing(), ref.Match()
    for deal in deals:
        if standing.is_over:
            break
        if isinstance(deal, int):
            standing = standing.after_void(deal)
            ref.void(match, deal)
        else:
            standing = standing.after(deal, rules)
            ref.play(match, deal, rules)
        assert dataclasses.asdict(standing) == ref.fields_of(match, rules)


def test_nobody_wins_by_a_void_deal() -> None:
    standing = Standing(levels=("A", "K"), declarers=0, deals=4)
    for side, levels in ((0, ("A", "K")), (1, ("A", "A"))):
        after = standing.after_void(side)
        assert (after.levels, after.level, after.declarers) == (levels, "A", side)
        assert after.winner is None
        assert after.since == ((0, 0), (0, 5))[side]


@pytest.mark.parametrize("side", [None, 2, -1, True, "0", 1.0])
def test_void_deals_of_no_side(side: Any) -> None:
    with pytest.raises(ValueError, match=r"side=.*: want 0 or 1"):
        Standing().after_void(side)


def test_no_deal_is_void_after_the_end() -> None:
    for fields in ({"winner": 1}, {"drawn": True}):
        with pytest.raises(ValueError, match="side=0: want no more deals, the match is"):
            Standing(**fields).after_void(0)


# --- Who is ahead ---


@pytest.mark.parametrize("tie", ["first_to_reach", "draw", "extra_deal"])
def test_the_higher_level_is_ahead(tie: Any) -> None:
    for first, second in itertools.permutations(LEVELS, 2):
        standing = Standing(levels=(first, second), declarers=0, since=(9, 1))
        assert standing.ahead(tie) == (0 if LEVELS.index(first) > LEVELS.index(second) else 1)
    # A match that is won is won.
    assert Standing(levels=("3", "9"), declarers=0, winner=0).ahead(tie) == 0
    assert Standing(levels=("A", "A"), declarers=1, winner=1, past_ace=1).ahead(tie) == 1
    assert Standing(levels=("3", "9"), declarers=0, drawn=True).ahead(tie) is None


@pytest.mark.parametrize(
    ("since", "ahead"), [((4, 9), 0), ((9, 4), 1), ((4, 4), None), ((0, 0), None), ((0, 7), 0)]
)
def test_at_equal_levels_the_tie_decides(since: tuple[int, int], ahead: int | None) -> None:
    standing = Standing(levels=("6", "6"), declarers=1, since=since)
    assert standing.ahead("first_to_reach") == ahead
    assert standing.ahead("draw") is standing.ahead("extra_deal") is None


def test_first_to_reach_in_play() -> None:
    assert Standing().ahead("first_to_reach") is None
    level = played([FIRST_LAST, DOUBLED, FIRST_LAST, FIRST_LAST])
    assert (level.levels, level.since) == (("5", "5"), (4, 2))
    assert level.ahead("first_to_reach") == 1
    # Who has fallen to 2 came there after who has never left it.
    rules = gd.Rules(ace_failures=(1, "any", "2"))
    fallen = played([FIRST_LAST], rules, levels=("A", "2"), declarers=0)
    assert (fallen.levels, fallen.ahead("first_to_reach")) == (("2", "2"), 1)


@pytest.mark.parametrize("tie", ["coin", None, 0, "", ["draw"]])
def test_ties_that_there_are_not(tie: Any) -> None:
    with pytest.raises(ValueError, match="tie=") as error:
        Standing().ahead(tie)
    assert str(error.value) == (f"tie={tie!r}: want one of 'first_to_reach', 'draw', 'extra_deal'")


# --- Scores ---


@pytest.mark.parametrize(("table", "base"), [(13, 13), (14, 14)])
def test_scores_by_level_difference(table: Any, base: int) -> None:
    rules = gd.Rules(score_table=table)
    for first, second in itertools.product(LEVELS, repeat=2):
        ahead = LEVELS.index(first) - LEVELS.index(second)
        standing = Standing(levels=(first, second), declarers=0)
        assert score(standing, rules) == (base + ahead, base - ahead)
        assert score(standing, rules.replace(score_table="off")) is None


@pytest.mark.parametrize(
    ("table", "order", "number", "scores"),
    [
        (13, DOUBLE, 15, (26, 0)),
        (13, SECOND_LAST, 15, (26, 0)),
        (14, SECOND_LAST, 15, (27, 1)),
        (14, DOUBLE, 16, (28, 0)),
        ("off", DOUBLE, 15, None),
    ],
)
def test_scores_of_a_match_won_at_ace(
    table: Any, order: tuple[int, ...], number: int, scores: tuple[int, int] | None
) -> None:
    rules = gd.Rules(score_table=table)
    won = Standing(levels=("A", "2"), declarers=0).after(order, rules)
    assert (won.numbers, score(won, rules)) == ((number, 2), scores)
    won = Standing(levels=("2", "A"), declarers=1).after(order_of(s ^ 1 for s in order), rules)
    assert (won.numbers, score(won, rules)) == ((2, number), scores and scores[::-1])


def test_a_score_is_never_below_nothing() -> None:
    table = gd.Rules(score_table=14)
    won = Standing(levels=("A", "2"), declarers=0).after(DOUBLE, table)
    assert score(won, gd.Rules(score_table=13)) == (26, 0)
    won = Standing(levels=("2", "A"), declarers=1).after(DOUBLED, table)
    assert score(won, gd.Rules(score_table=13)) == (0, 26)


def test_a_draw_and_equal_levels_score_the_base() -> None:
    assert score(Standing()) == score(Standing(levels=("8", "8"), declarers=1)) == (13, 13)
    drawn = Standing(levels=("2", "J"), declarers=1, drawn=True)
    assert score(drawn) == (13, 13)
    assert score(drawn, gd.Rules.preset("seed002")) == (14, 14)
    assert score(drawn, gd.Rules.preset("njupt1006")) is None


def test_a_winner_may_be_given() -> None:
    standing = Standing(levels=("9", "7"), declarers=0)
    assert score(standing) == score(standing, winner=0) == (15, 11)
    # Who wins from behind, as by a forfeit, has no less than who loses.
    assert score(standing, winner=1) == (13, 13)
    assert score(Standing(levels=("7", "9"), declarers=0), winner=0) == (13, 13)
    assert score(Standing(), winner=1) == (13, 13)
    # So has the winner of a standing.
    behind = dataclasses.replace(standing, winner=1)
    assert score(behind) == score(behind, winner=1) == (13, 13)
    won = at_ace(DOUBLE, gd.Rules())
    assert score(won, winner=0) == score(won) == (19, 7)


def test_winners_that_cannot_be_given() -> None:
    won = at_ace(DOUBLE, gd.Rules())
    drawn = Standing(drawn=True)
    for rules in (None, gd.Rules(score_table="off")):
        with pytest.raises(ValueError, match="winner=1: want 0, who has won"):
            score(won, rules, winner=1)
        with pytest.raises(ValueError, match="winner=0: want None, the match is drawn"):
            score(drawn, rules, winner=0)
        for winner in (2, -1, True, "0"):
            with pytest.raises(ValueError, match=f"winner={winner!r}: want one of None, 0, 1"):
                score(Standing(), rules, winner=winner)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="standing: want a Standing, got None"):
        score(None)  # type: ignore[arg-type]


# --- Values ---


def test_standings_do_not_change() -> None:
    standing = Standing()
    assert standing.after(DOUBLE).levels == ("5", "2")
    assert standing == Standing()
    with pytest.raises(dataclasses.FrozenInstanceError):
        standing.deals = 1  # type: ignore[misc]
    with pytest.raises(TypeError, match="positional"):
        Standing(("2", "2"))  # type: ignore[call-arg]
    assert len({Standing(), Standing(levels=("2", "2")), Standing(deals=1)}) == 2


@given(standings(), orders, some_rules)
def test_standings_are_remade(before: Standing, order: tuple[int, ...], rules: gd.Rules) -> None:
    after = before.after(order, rules)
    lists: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in dataclasses.asdict(after).items()
    }
    for other in (
        eval(repr(after), NAMES),
        Standing(**dataclasses.asdict(after)),
        Standing(**lists),
        pickle.loads(pickle.dumps(after)),
        copy.deepcopy(after),
    ):
        assert other == after
        assert (hash(other), repr(other)) == (hash(after), repr(after))


@pytest.mark.parametrize(
    ("field", "value", "want"),
    [
        ("levels", ("2", "1"), "two levels by side, each one of '2', '3', '4', '5', '6', "),
        ("levels", (2, 2), "two levels by side, each one of '2', "),
        ("levels", ("2", "B"), "two levels by side"),
        ("levels", ("2", ""), "two levels by side"),
        ("levels", ("2", "23"), "two levels by side"),
        ("levels", ("2",), "two levels by side"),
        ("levels", ("2", "2", "2"), "two levels by side"),
        ("levels", "22", "two levels by side"),
        ("levels", None, "two levels by side"),
        ("declarers", 2, "one of None, 0, 1"),
        ("declarers", -1, "one of None, 0, 1"),
        ("declarers", False, "one of None, 0, 1"),
        ("winner", 2, "one of None, 0, 1"),
        ("winner", True, "one of None, 0, 1"),
        ("deals", -1, "an int, 0 or more"),
        ("deals", 1.0, "an int, 0 or more"),
        ("deals", None, "an int, 0 or more"),
        *(
            (name, value, "two ints by side, each 0 or more")
            for name in ("since", "failures", "falls", "double_streaks", "debts")
            for value in ((0, -1), (0,), (0, 0, 0), (0, True), (0.0, 0), 0, None, "00")
        ),
        *(
            (name, value, "four ints by seat, each 0 or more")
            for name in ("first_streaks", "last_streaks")
            for value in ((0, 0, 0, -1), (0, 0), (0, 0, 0, None), 0, None)
        ),
        ("past_ace", 3, "one of 0, 1, 2"),
        ("past_ace", True, "one of 0, 1, 2"),
        ("drawn", None, "one of True, False"),
        ("drawn", 1, "one of True, False"),
    ],
)
def test_values_that_there_are_not(field: str, value: Any, want: str) -> None:
    with pytest.raises(ValueError, match=field) as error:
        Standing(**{field: value})
    assert str(error.value).startswith(f"{field}={value!r}: want {want}")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"levels": ("5", "2")},
            "declarers=None: want side 0 or 1 where levels differ, as ('5', '2') do",
        ),
        ({"winner": 1, "drawn": True}, "winner=1: want None for a match that is drawn"),
        ({"past_ace": 1}, "past_ace=1: want 0 where no winner has level A"),
        (
            {"past_ace": 2, "winner": 1, "levels": ("A", "K"), "declarers": 0},
            "past_ace=2: want 0 where no winner has level A",
        ),
    ],
)
def test_fields_that_cannot_be_together(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Standing(**fields)


def test_messages_of_huge_values_are_short() -> None:
    for call in (
        lambda: Standing(levels="2" * 10**6),  # type: ignore[arg-type]
        lambda: Standing().after([0] * 10**6),
        lambda: Standing().ahead("x" * 10**6),  # type: ignore[arg-type]
        lambda: score(Standing(), winner="x" * 10**6),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="want") as error:
            call()
        assert len(str(error.value)) < 250


# --- Orders and rules that there are not ---


@pytest.mark.parametrize(
    "order",
    [(0, 1, 2), (0, 1, 2, 2), (1, 2, 3, 4), (0, 1, 2, 3, 0), (-1, 0, 1, 2), ()],
)
def test_orders_that_there_are_not(order: Any) -> None:
    with pytest.raises(ValueError, match="order=") as error:
        Standing().after(order)
    assert str(error.value) == f"order={order!r}: want each of the seats 0 to 3 once"


@pytest.mark.parametrize("order", [None, 3, "0123", (0, 1, 2, None), (0.0, 1.0, 2.0, 3.0)])
def test_orders_of_other_types(order: Any) -> None:
    with pytest.raises(TypeError, match="order=") as error:
        Standing().after(order)
    assert str(error.value) == f"order={order!r:}: want four seats, such as (0, 2, 1, 3)"


def test_last_together_are_in_ascending_order() -> None:
    for order in itertools.permutations(range(4)):
        if order in ORDERS:
            continue
        right = order_of(order)
        message = f"order={order}: want {right}, after a double the last two are in ascending"
        with pytest.raises(ValueError, match=re.escape(message)):
            Standing().after(order)
        assert Standing().after(right).numbers in {(5, 2), (2, 5)}


def test_orders_may_be_lists_arrays_and_those_of_states() -> None:
    state = gd.State.parse("S3/S4/-/C4 2 0 - 2")
    state.push("S3")
    assert state.order == (2, 0, 1, 3)
    after = Standing().after((2, 0, 1, 3))
    same: list[Any] = [[2, 0, 1, 3], np.array([2, 0, 1, 3], np.uint8), state.order]
    for order in same:
        assert Standing().after(order) == after
        assert type(Standing().after(order).declarers) is int


@pytest.mark.parametrize("rules", ["seed000", 0, gd.Rules, {"streaks": True}])
def test_rules_of_other_types(rules: Any) -> None:
    for call in (
        lambda: Standing().after(DOUBLE, rules),
        lambda: score(Standing(), rules),
    ):
        with pytest.raises(TypeError, match="rules: want a Rules, such as"):
            call()

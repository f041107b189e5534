"""Each field of Rules does something: for every value a case whose outcome is another one."""

from collections.abc import Callable
from typing import Any

import pytest
from test_rules import VALUES

import guandan as gd
from guandan.referee import Referee
from guandan.tribute import pair

DOUBLE = (0, 2, 1, 3)
ACE = gd.Standing(levels=("A", "9"), declarers=0)
HAND = "S3 D8 CT DJ SA S5 H5 SB"  # at level 5
HIGH = "DJ SQ DK"


def kinds(cards: str, rules: gd.Rules) -> list[str]:
    """Return what cards can be at level 2."""
    return [str(move) for move in gd.readings(cards, "2", rules=rules)]


def reading(cards: str, rules: gd.Rules) -> str:
    """Return what cards shown alone are, or that they must be named."""
    rest = "SKSASQ 2 0 - -"
    state = gd.State.parse(f"{cards.replace(' ', '')}/S8/S9/{rest}", rules)
    try:
        return str(state.push(cards))
    except gd.AmbiguousMoveError:
        return "ask"


def leader_after_out(rules: gd.Rules) -> int | None:
    """Return who leads where the first goes out and nobody beats him."""
    state = gd.State.parse("SA/S3S4/S5S6/S7S8 2 0 - -", rules)
    for move in ("SA", "pass", "pass", "pass"):
        state.push(move)
    return state.turn


def plan(one: str, three: str, rules: gd.Rules, order: tuple[int, ...] = DOUBLE) -> Any:
    """Return who pays whom and who leads, after a double."""
    found = gd.tribute_plan(["S3", one, "S4", three], "5", order, rules)
    return [(payment.payer, payment.receiver) for payment in found.payments], found.leader


def resist(rules: gd.Rules) -> bool:
    """Return whether a side that holds both big jokers may pay."""
    try:
        return not gd.tribute_plan(["S3", "HR", "S4", "HR"], "5", DOUBLE, rules, False).resisted
    except ValueError:
        return False


def after_deals(
    rules: gd.Rules, *orders: tuple[int, ...], standing: gd.Standing = ACE
) -> gd.Standing:
    """Return where a match stands after some deals, the first at level A."""
    for order in orders:
        standing = standing.after(order, rules)
    return standing


def drawn_after(rules: gd.Rules) -> int:
    """Return how many falls of a side end a match without winner."""
    rules = rules.replace(ace_failures=(1, "any", "K"), win_at_ace="double")
    standing = gd.Standing(levels=("A", "2"), declarers=0)
    for deal in range(200):
        if standing.drawn:
            return deal
        # First and third: no win at A, and one level up from K.
        standing = standing.after((0, 1, 2, 3), rules)
    return 0


def reports(rules: gd.Rules) -> list[Any]:
    """Return what is said of hands of 27 cards and of fewer."""
    match = gd.Match(rules, seed=1)
    said: list[Any] = [match.report(0, 1)]
    while match.deal_number == 1:
        match.act(match.options()[-1])
        said.append(match.report(0, 1))
    return [*said, *(entry for entry in match.history if "left" in entry)]


def end_of(rules: gd.Rules) -> Any:
    """Return how a match of long deals ends, levels equal after the second."""
    now = [0.0]
    match = gd.Match(rules, seed=11, clock=lambda: now[0])
    number = 1
    while match.phase != "over" and match.deal_number < 12:
        seat = match.to_act[0]
        match.act(match.options(seat)[-1], seat)
        if match.deal_number > number:
            number = match.deal_number
            now[0] += 1000
    return match.deal_number, match.result and match.result.reason


def times(rules: gd.Rules) -> list[int | None]:
    """Return the times for each choice of some deals."""
    match = gd.Match(rules, seed=9)
    found = []
    while match.deal_number < 6:
        found.append(match.seconds)
        seat = match.to_act[0]
        match.act(match.options(seat)[-1], seat)
    return found


def forfeit(rules: gd.Rules) -> Any:
    """Return what a forfeit costs a side, or that the referee knows none."""
    try:
        return Referee(conduct=rules.conduct).call("forfeit", 0)[1]
    except ValueError:
        return "unknown"


OUTCOMES: dict[str, Callable[[gd.Rules], Any]] = {
    "straight_flush_downgrade": lambda rules: [
        kinds(cards, rules) for cards in ("H4 H5 H6 H7 H2", "S4 S5 S6 S7 H2")
    ],
    "level_full_house_by_wilds": lambda rules: kinds("S2 C2 D2 H2 H2", rules),
    "full_house_joker_pair": lambda rules: kinds("S3 C3 D3 SB SB", rules),
    "bomb_max": lambda rules: [
        kinds(cards, rules)
        for cards in ("S3 S3 H3 H3 C3 C3 D3 D3 H2", "S3 S3 H3 H3 C3 C3 D3 D3 H2 H2")
    ],
    "straight_reading": lambda rules: reading("S4 C5 D6 S7 H2", rules),
    "full_house_reading": lambda rules: reading("S3 C3 S4 C4 H2", rules),
    "lead_after_out": leader_after_out,
    "resist": resist,
    "double_tribute_pairing": lambda rules: plan("SK", "SA", rules),
    "tribute_tie_pairing": lambda rules: pair(DOUBLE, {3: "SA", 1: "CA"}, "5", rules),
    "tribute_tie_leader": lambda rules: [
        pair(order, paid, "5", rules.replace(tribute_tie_pairing="first_paid"))[1]
        for order, paid in (
            (DOUBLE, {3: "SA", 1: "CA"}),
            ((2, 0, 1, 3), {1: "SA", 3: "CA"}),
            ((2, 0, 1, 3), {3: "SA", 1: "CA"}),
        )
    ],
    "return_to_opponent": lambda rules: gd.returnable(HAND, "5", False, rules),
    "return_to_partner": lambda rules: gd.returnable(HAND, "5", True, rules),
    "return_level_card": lambda rules: gd.returnable(HAND, "5", False, rules),
    "return_when_none": lambda rules: gd.returnable(HIGH, "5", False, rules),
    "return_same_card": lambda rules: gd.returnable(HAND, "5", False, rules, "D8"),
    "steps": lambda rules: [
        gd.Standing().after(order, rules).levels for order in (DOUBLE, (0, 1, 2, 3), (0, 1, 3, 2))
    ],
    "win_at_ace": lambda rules: ACE.after((0, 1, 2, 3), rules).winner,
    "ace_failures": lambda rules: [
        [after_deals(rules, *[order] * n).levels for n in range(1, 5)]
        for order in ((1, 0, 3, 2), (0, 1, 3, 2))
    ],
    "falls_draw": drawn_after,
    "streaks": lambda rules: after_deals(rules, *[(1, 3, 0, 2)] * 3, standing=gd.Standing()).levels,
    "report_cards": reports,
    "match_end": end_of,
    "score_table": lambda rules: gd.score(after_deals(rules, DOUBLE), rules),
    "seconds": times,
    "conduct": forfeit,
}


def test_every_field_has_a_case() -> None:
    assert OUTCOMES.keys() == VALUES.keys()


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field in VALUES for value in VALUES[field][1:]]
)
def test_what_differs_has_another_outcome(field: str, value: Any) -> None:
    outcome = OUTCOMES[field]
    assert outcome(gd.Rules(**{field: value})) != outcome(gd.Rules())

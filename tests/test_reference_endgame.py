"""The values of endings in the reference against the test data and every line of play."""

import random
from itertools import product
from typing import Any

import endings
import pytest
import reference as ref
import reference_deal as ref_deal
import reference_endgame as ref_endgame
from recorded import deal_of, rows
from reference_deal import parse_move as move


def by_play(deal: ref_deal.Deal, utility: ref_endgame.Utility) -> float:
    """The value for side 0 by playing all moves of all positions, met before or not."""
    if deal.is_over:
        return utility[ref_deal.result(deal.out)]
    best = min if deal.turn in (1, 3) else max
    return best(by_play(after, utility) for after in ref_deal.positions_after(deal).values())


def size(deal: ref_deal.Deal) -> int:
    return sum(map(len, deal.hands))


# --- The test data ---


@pytest.mark.parametrize("cards", range(2, 18))
def test_endgames(cards: int, endgame_cards: int) -> None:
    if cards > endgame_cards:
        pytest.skip("as --endgame-cards says")
    same_size = [row for row in rows("endgames.jsonl") if size(deal_of(row)) == cards]
    assert same_size
    for row in same_size:
        deal = deal_of(row)
        sign = -1 if deal.turn in (1, 3) else 1
        found = {one: sign * value for one, value in ref_endgame.values(deal).items()}
        assert found == {move(text): value for text, value in row["moves"].items()}, row
        if cards < 12:
            assert sign * ref_endgame.value(deal) == row["value"], row
        assert max(found.values()) == row["value"], row


@pytest.mark.parametrize("row", rows("counterexamples.jsonl"), ids=lambda row: row["about"])
def test_counterexamples(row: dict[str, Any], endgame_cards: int) -> None:
    deal = ref_deal.parse_deal(row["state"])
    assert ref_deal.problems(deal) == []
    after = ref_deal.positions_after(deal)
    positions = [(after[move(text)], value) for text, value in row["moves"].items()]
    if row["value"] is not None:
        positions.append((deal, row["value"]))
    if max(size(position) for position, _ in positions) > endgame_cards:
        pytest.skip("as --endgame-cards says")
    for position, value in positions:
        assert ref_endgame.value(position) == value


# --- Every line of play ---

RULES = [
    *product(["partner", "next"], [(3, 2, 1), (4, 2, 1)], [ref.DEFAULT]),
    ("partner", (1, 12, 5), ref.Switches("forbid", False, False, 8)),
]


@pytest.mark.parametrize(("rule", "steps", "switches"), RULES, ids=str)
@pytest.mark.parametrize("draw", endings.DRAWS)
def test_values_are_those_by_play(
    draw: Any, rule: Any, steps: ref_deal.Steps, switches: ref.Switches
) -> None:
    rng = random.Random(1)
    payoffs = ref_endgame.in_steps(steps)
    for place in range(60):
        text = draw(rng, 2 + place % 6, switches)
        deal = ref_deal.parse_deal(text, rule, steps, **switches._asdict())
        utility = {result: rng.uniform(-1, 1) for result in ref_deal.RESULTS}
        for given, wanted in ((None, payoffs), (utility, utility)):
            found = {
                one: by_play(after, wanted) for one, after in ref_deal.positions_after(deal).items()
            }
            assert ref_endgame.values(deal, given) == found, text
            best = min if deal.turn in (1, 3) else max
            assert ref_endgame.value(deal, given) == best(found.values()), text


def test_a_deal_that_is_over_has_its_payoff() -> None:
    deal = ref_deal.parse_deal("-/S3/-/S4S5 2 - - 20", steps=(4, 2, 1))
    assert ref_endgame.value(deal) == deal.payoff() == 4
    assert ref_endgame.value(deal, {(0, 2): 0.5}) == 0.5
    assert ref_endgame.values(deal) == {}

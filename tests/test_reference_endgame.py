"""The reference's values of endings against the test data and known positions."""

from typing import Any

import pytest
import reference_deal as ref_deal
import reference_endgame as ref_endgame
from recorded import deal_of, rows
from reference_deal import parse_move as move


def by_play(deal: ref_deal.Deal, utility: ref_endgame.Utility) -> float:
    """The value by playing every move of every position, met before or not."""
    if deal.is_over:
        return utility[ref_deal.result(deal.out)]
    best = min if deal.turn in (1, 3) else max
    return best(by_play(after, utility) for after in following(deal).values())


def following(deal: ref_deal.Deal) -> dict[ref_deal.Move, ref_deal.Deal]:
    found = {}
    for one in deal.moves():
        found[one] = deal.copy()
        found[one].play(one)
    return found


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
    after = following(deal)
    positions = [(after[move(text)], value) for text, value in row["moves"].items()]
    if row["value"] is not None:
        positions.append((deal, row["value"]))
    if max(size(position) for position, _ in positions) > endgame_cards:
        pytest.skip("as --endgame-cards says")
    for position, value in positions:
        assert ref_endgame.value(position) == value

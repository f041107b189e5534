"""The random endings of other tests: that they are sound, mixed, and worth what they should be."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import endings
import pytest
import reference as ref
import reference_deal as ref_deal
import reference_endgame as ref_endgame

import guandan as gd

Draw = Callable[..., str]
KINDS = list(gd.Kind)[1:]


@cache
def drawn(draw: Draw, number: int, most: int, switches: ref.Switches = ref.DEFAULT) -> list[str]:
    """Some endings of a seed, of all numbers of cards up to one."""
    rng = random.Random(1)
    return [draw(rng, 2 + place % (most - 1), switches) for place in range(number)]


def value(text: str, rule: ref_deal.LeadAfterOut = "partner") -> float:
    return ref_endgame.value(ref_deal.parse_deal(text, rule, (9, 5, 2)))


# --- What is drawn ---


@pytest.mark.parametrize("draw", endings.DRAWS)
@pytest.mark.parametrize("switches", endings.SWITCHES, ids=str)
def test_endings_can_be_read(draw: Draw, switches: ref.Switches) -> None:
    rules = gd.Rules(**switches._asdict())
    for place, text in enumerate(drawn(draw, 90, 31, switches)):
        state = gd.State.parse(text, rules)
        assert str(state) == text
        assert sum(map(len, state.hands)) == 2 + place % 30
        assert not state.is_over


@pytest.mark.parametrize("draw", endings.DRAWS)
def test_a_seed_gives_the_same_again(draw: Draw) -> None:
    once, again = ([draw(random.Random(seed), 12) for seed in range(30)] for _ in range(2))
    assert once == again


@pytest.mark.parametrize("draw", endings.DRAWS)
def test_tables_and_seats_are_mixed(draw: Draw) -> None:
    states = [gd.State.parse(text) for text in drawn(draw, 800, 16)]
    tables = Counter(state.table.kind if state.table else None for state in states)
    assert set(tables) == {None, *KINDS}
    assert 300 < tables[None] < 500
    owners_out = Counter((len(state.out), state.owner in state.out) for state in states)
    assert set(owners_out) == {(0, False), (1, False), (1, True), (2, False), (2, True)}
    assert min(owners_out.values()) > 10
    assert {(state.turn, state.level) for state in states} == {
        (seat, level) for seat in range(4) for level in ref.NATURAL_RANKS
    }


def wilds(state: gd.State) -> int:
    """The most wilds of a hand."""
    return max(hand.count("H" + state.level) for hand in state.hands)


def test_hands_are_mixed() -> None:
    plain, rich = (
        [gd.State.parse(text) for text in drawn(draw, 800, 16)] for draw in endings.DRAWS
    )
    assert set(map(wilds, plain)) == {0, 1, 2}
    for number in range(3):
        assert sum(wilds(state) == number for state in rich) > 40
    held = Counter(
        kind
        for state in rich
        for kind in {
            move.kind
            for hand in state.hands
            if len(hand)
            for move in gd.legal_moves(hand, level=state.level)
        }
    )
    assert set(held) == set(KINDS)
    assert all(count > 30 for kind, count in held.items() if kind < gd.Kind.BOMB8)
    assert any(len(hand) > 8 for state in plain + rich for hand in state.hands)


# --- What they are worth ---


@pytest.mark.parametrize("draw", endings.DRAWS)
@pytest.mark.parametrize("rule", ["partner", "next"])
def test_turned_and_swapped_endings_are_worth_the_same(
    draw: Draw, rule: ref_deal.LeadAfterOut
) -> None:
    rng = random.Random(2)
    swaps = 0
    for text in drawn(draw, 100, 10):
        swapped = endings.suits_swapped(rng, text)
        turned = [endings.turned(text, by) for by in range(4)]
        assert turned[0] == text
        for other in [swapped, *turned]:
            gd.State.parse(other)
        swaps += swapped != text
        worth = value(text, rule)
        assert value(swapped, rule) == worth
        assert [value(other, rule) for other in turned] == [worth, -worth, worth, -worth]
    assert swaps > 70


def test_hands_swap_suits_each_for_itself() -> None:
    rng = random.Random(3)
    text = "S3C4D5H6/S3C4D5H6/SB/HR 2 0 2:straight_flush:7 -"
    found = {endings.suits_swapped(rng, text) for _ in range(250)}
    assert len(found) == 36
    for other in found:
        first, second, *rest = other.split("/")
        for hand in (first, second):
            assert sorted(hand[1::2]) == ["3", "4", "5", "6"]
            assert "H6" in hand
        assert rest == text.split("/")[2:]
    # Both copies of these cards are in one hand: the other cannot take a suit of theirs.
    for _ in range(20):
        assert gd.State.parse(endings.suits_swapped(rng, "S3S3C3C3/D3D3H3/SB/HR 2 0 - -"))

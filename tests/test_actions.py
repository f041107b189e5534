"""Ids of abstract actions, masks of them, and the moves that one stands for."""

import pickle
import random
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_actions as oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from positions import state
from test_movegen import LEVELS, SWITCHES, as_tuple, beats, can_be_beaten, hands, keys_of

import guandan as gd

N = 393
SUITS: list[Any] = ["all", "flush", "one"]


def flagged(mask: NDArray[Any]) -> set[int]:
    """The ids that a mask flags; its other items are 0."""
    assert mask.shape == (N,)
    assert set(mask.tolist()) <= {0, 1}
    return set(np.flatnonzero(mask).tolist())


def mask_of(hand: Any, level: str, beat: tuple[str, str] | None, rules: gd.Rules) -> set[int]:
    """The ids that the batch call flags for one hand."""
    table = gd.Move.parse(" ".join(beat)) if beat else None
    row = [[table.kind, "23456789TJQKABR-".index(table.rank)] if table else [0, 15]]
    planes = np.array([gd.Hand(hand).planes], np.uint64)
    return flagged(gd.action_masks(planes, [level], np.array(row, np.uint8), rules)[0])


def random_hand(rng: random.Random) -> tuple[list[int], str]:
    """A hand of 1 to 27 cards: of all cards, or of few ranks or suits; often with wilds."""
    level = rng.choice(LEVELS)
    suits = rng.choice([range(4), range(4), [rng.randrange(4)], [0, 1], [1, 3]])
    ranks = rng.sample(range(13), rng.choice([13, 13, 7, 4, 2]))
    deck = 2 * [rank * 4 + suit for rank in ranks for suit in suits]
    wild = ref.wild_of(level)
    deck += rng.choice([[], [52, 53], [52, 52, 53, 53]])
    deck = [card for card in deck if card != wild]
    hand = rng.sample(deck, min(len(deck), rng.randint(1, 27)))
    return [*hand[: 27 - 2], *[wild] * rng.choice([0, 0, 1, 2])], level


# --- The actions ---


def test_actions_are_those_of_the_reference() -> None:
    assert [str(action) for action in gd.ACTIONS] == oracle.ACTIONS
    assert [action.id for action in gd.ACTIONS] == list(range(N))
    assert len(oracle.ACTIONS) == N


def test_blocks_begin_where_learners_have_them() -> None:
    begins: dict[str, int] = {}
    for action in gd.ACTIONS:
        word = "bomb" if action.kind.name.startswith("BOMB") else action.kind.name.lower()
        begins.setdefault(word, action.id)
    assert list(begins.values()) == [0, 1, 16, 31, 44, 226, 236, 248, 261, 352, 392]


def test_an_action_says_what_it_is() -> None:
    full_house = gd.ACTIONS[44 + 12 * 14 + 13]
    assert full_house == gd.Action(225, gd.Kind.FULL_HOUSE, "A", "R", None)
    assert gd.ACTIONS[261 + 7 * 12 + 6] == gd.Action(351, gd.Kind.BOMB10, "A", None, None)
    assert gd.ACTIONS[353] == gd.Action(353, gd.Kind.STRAIGHT_FLUSH, "5", None, "H")
    assert [gd.ACTIONS[place].size for place in (0, 1, 44, 236, 351, 392)] == [0, 1, 5, 6, 10, 4]
    assert pickle.loads(pickle.dumps(gd.ACTIONS)) == gd.ACTIONS


# --- Ids ---


@given(hands(), st.sampled_from(SUITS))
def test_ids_of_lists(hand: tuple[list[int], str], suits: Any) -> None:
    moves = gd.legal_moves(*hand, suits=suits)
    ids = moves.action_ids
    assert (ids.dtype, ids.shape, moves.level) == (np.uint16, (len(moves),), hand[1])
    assert ids.tolist() == [oracle.action(as_tuple(move), hand[1]) for move in moves]
    assert ids.tolist() == [gd.action_id(move, hand[1]) for move in moves]
    for move, place in zip(moves, ids, strict=True):
        action = gd.ACTIONS[place]
        assert (action.kind, action.rank, action.size) == (move.kind, move.rank, move.size)


def test_parts_and_copies_of_a_list_have_its_ids() -> None:
    moves = gd.legal_moves("S9 C9 D9 H5 H5 S4 S5 S6 S7 S8", "5")
    ids = moves.action_ids
    assert (moves[3:].action_ids == ids[3:]).all()
    assert (moves[::-2].action_ids == ids[::-2]).all()
    assert (moves[ids > 40].action_ids == ids[ids > 40]).all()
    assert (pickle.loads(pickle.dumps(moves)).action_ids == ids).all()
    assert moves[:0].action_ids.shape == moves[[]].action_ids.shape == (0,)


def test_ids_of_a_batch() -> None:
    rng = random.Random(7)
    dealt = [random_hand(rng) for _ in range(50)]
    planes = np.array([gd.Hand(hand).planes for hand, _ in dealt], np.uint64)
    batch = gd.legal_moves_batch(planes, [level for _, level in dealt])
    want = [gd.legal_moves(*hand).action_ids for hand in dealt]
    for copied in (batch, pickle.loads(pickle.dumps(batch))):
        assert copied.action_ids.dtype == np.uint16
        assert (copied.action_ids == np.concatenate(want)).all()
        assert [moves.level for moves in copied] == [level for _, level in dealt]
        assert all((moves.action_ids == ids).all() for moves, ids in zip(copied, want, strict=True))
    empty = gd.legal_moves_batch(np.zeros((0, 2), np.uint64), "2")
    assert empty.action_ids.shape == (0,)


def test_records_that_are_written_over_have_no_ids() -> None:
    out = np.zeros((100, 2), np.uint64)
    planes = np.array([gd.Hand("S3 C3").planes], np.uint64)
    batch = gd.legal_moves_batch(planes, "2", out=out)
    for record in ((17 << 56, 0), (1 << 56, 15 << 56), (10 << 56 | 2, 4 << 56)):
        out[0] = record
        for moves in (batch, batch[0]):
            with pytest.raises(gd.StateError, match="a record is no move"):
                _ = moves.action_ids


@pytest.mark.parametrize(
    ("move", "level", "want"),
    [
        ("pass", "2", "pass"),
        ("single 2 H2", "2", "single 2"),
        ("single R", "2", "single R"),
        ("bomb9 3", "2", "bomb9 3"),
        ("straight 5", "2", "straight 5"),
        ("full_house 9 S9 C9 D9 SB SB", "2", "full_house 9 B"),
        ("full_house 9 S9 C9 D9 HR HR", "2", "full_house 9 R"),
        ("full_house 9 S9 C9 H2 H2 S4", "2", "full_house 9 4"),
        ("full_house 4 S9 C9 H2 H2 S4", "2", "full_house 4 9"),
        ("full_house 9 S9 C9 D9 H2 H2", "2", "full_house 9 2"),
        ("full_house 9 S9 C9 D9 H2 S2", "2", "full_house 9 2"),
        ("full_house 9 S9 C9 D9 H9 H9", "9", "full_house 9 A"),
        ("full_house A SA CA DA HA HA", "A", "full_house A K"),
        ("straight_flush 5 H2 H2 H3 HA H4", "2", "straight_flush 5 H"),
        ("straight_flush A H2 H2 DT DJ DQ", "2", "straight_flush A D"),
    ],
)
def test_the_id_of_a_move(move: str, level: str, want: str) -> None:
    assert str(gd.ACTIONS[gd.action_id(move, level)]) == want
    assert gd.action_id(gd.Move.parse(move), level) == gd.action_id(move, level)


@pytest.mark.parametrize(
    ("move", "level", "error", "says"),
    [
        ("full_house 9", "2", gd.IllegalMoveError, "lacks its cards, which say its pair"),
        ("straight_flush 9", "2", gd.IllegalMoveError, "lacks its cards, which say its suit"),
        ("pair 3 S3 C4", "2", gd.IllegalMoveError, "pair 3 S3 C4 cannot be"),
        ("bomb9 2", "2", gd.IllegalMoveError, "bomb9 2 cannot be"),
        ("pair 3", "1", gd.NotationError, "'1' is not a level"),
        ("bomb", "2", gd.NotationError, "bomb"),
        (44, "2", gd.NotationError, "44"),
    ],
)
def test_moves_without_an_id(move: Any, level: str, error: type[ValueError], says: str) -> None:
    with pytest.raises(error, match=says):
        gd.action_id(move, level)


# --- Masks ---


@settings(max_examples=400)
@given(hands(), st.none() | beats(), st.sampled_from(SWITCHES))
def test_masks_are_the_ids_of_the_rules(
    hand: tuple[list[int], str], beat: tuple[str, str] | None, switches: ref.Switches
) -> None:
    cards, level = hand
    if beat and not can_be_beaten(*beat, level, switches):
        beat = None
    moves = ref.leads(cards, level, switches)
    want = oracle.actions(moves, level)
    if beat:
        want = {0} | oracle.actions(ref.replies(cards, level, beat, switches), level)
    assert mask_of(cards, level, beat, gd.Rules(**switches._asdict())) == want


@pytest.mark.parametrize("seed", range(150))
def test_masks_are_the_ids_of_lists(seed: int) -> None:
    rng = random.Random(seed)
    cards, level = random_hand(rng)
    switches = rng.choice(SWITCHES)
    rules = gd.Rules(**switches._asdict())
    for kind in (None, *ref.KINDS[1:]):
        beat = (kind, rng.choice(keys_of(kind))) if kind else None
        if beat and not can_be_beaten(*beat, level, switches):
            continue
        for suits in SUITS:
            text = " ".join(beat) if beat else None
            moves = gd.legal_moves(cards, level, text, suits, rules)
            assert mask_of(cards, level, beat, rules) == set(moves.action_ids.tolist())


@pytest.mark.parametrize("level", LEVELS)
def test_masks_where_a_switch_matters(level: str) -> None:
    wild, rank = ref.wild_of(level), LEVELS.index(level)
    naturals = [[4 * rank + suit for suit in (0, 2, 3)]]
    naturals += [[4 * r + suit for r in run] for run in ref.runs(5) for suit in range(4)]
    naturals += [[*run, 4 * LEVELS.index(level) + 2] for run in naturals[1:]]
    for hand in naturals:
        for wilds in range(3):
            cards = [card for card in hand if card != wild] + [wild] * wilds + [52, 52]
            for switches in SWITCHES:
                rules = gd.Rules(**switches._asdict())
                want = set(gd.legal_moves(cards, level, rules=rules).action_ids.tolist())
                assert mask_of(cards, level, None, rules) == want


def test_the_mask_of_all_cards() -> None:
    for level in LEVELS:
        actions = mask_of([*range(54), *range(54)], level, None, gd.Rules())
        # No pass; no bombs of nine and ten of the level rank, whose two wilds are among its eight.
        lacking = [f"bomb{size} {level}" for size in (9, 10)]
        assert actions == set(range(1, N)) - {oracle.ACTIONS.index(text) for text in lacking}


def test_masks_of_states_through_a_deal() -> None:
    for seed in range(5):
        deal = gd.State.deal("2", seed, rules=gd.Rules(straight_flush_downgrade="forbid"))
        rng = random.Random(seed)
        while not deal.is_over:
            moves = deal.legal_moves()
            assert flagged(gd.action_mask(deal)) == set(moves.action_ids.tolist())
            deal.push(rng.choice(moves))
        assert not gd.action_mask(deal).any()
        assert deal.legal_moves().action_ids.shape == (0,)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8])
def test_masks_into_an_array(dtype: Any) -> None:
    lead = state(["S3 C3", "S4", "D9", "SB"])
    out = np.full((3, N), 1, dtype)
    mask = gd.action_mask(lead, out=out[1])
    assert np.shares_memory(mask, out)
    assert flagged(mask) == {2, 17}
    assert out[0].all()
    assert out[2].all()
    planes = np.array([gd.Hand(cards).planes for cards in ("S3 C3", "S4", "SB")], np.uint64)
    assert gd.action_masks(planes, "2", out=out) is out
    assert [flagged(row) for row in out] == [{2, 17}, {3}, {14}]
    assert gd.action_masks(planes[:0], "2").shape == (0, N)
    assert (gd.action_mask(lead).dtype, gd.action_masks(planes, "2").dtype) == (bool, bool)


@pytest.mark.parametrize(
    ("out", "says"),
    [
        (np.zeros((1, N + 1), np.uint8), r"out: want a bool or uint8 array of shape \(1, 393\)"),
        (np.zeros((2, N), np.uint8), r"got uint8 of shape \(2, 393\)"),
        (np.zeros(N, np.uint8), r"got uint8 of shape \(393,\)"),
        (np.zeros((1, N), np.int8), "got int8"),
        (np.zeros((1, N), np.uint64), "got uint64"),
        (np.zeros((1, 2 * N), np.uint8)[:, ::2], "want a contiguous"),
        (bytearray(N), "got bytearray"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_arrays_that_are_no_masks(out: Any, says: str) -> None:
    planes = np.array([gd.Hand("S3").planes], np.uint64)
    with pytest.raises(ValueError, match=says):
        gd.action_masks(planes, "2", out=out)
    one = out[0] if getattr(out, "ndim", 0) == 2 and len(out) == 1 else out[::2]
    with pytest.raises(ValueError, match="out: want a"):
        gd.action_mask(state(), out=one)


def test_an_array_that_cannot_be_written() -> None:
    out = np.zeros((1, N), np.bool_)
    out.flags.writeable = False
    planes = np.array([gd.Hand("S3").planes], np.uint64)
    with pytest.raises(ValueError, match="that can be written"):
        gd.action_masks(planes, "2", out=out)
    with pytest.raises(ValueError, match="that can be written"):
        gd.action_mask(state(), out=out[0])


def test_hands_that_have_no_mask() -> None:
    planes = np.array([gd.Hand("S3").planes, (0, 0)], np.uint64)
    out = np.ones((2, N), np.uint8)
    with pytest.raises(gd.StateError, match=r"planes\[1\]: an empty hand"):
        gd.action_masks(planes, "2", out=out)
    with pytest.raises(gd.NotationError, match="is not a level"):
        gd.action_masks(planes[:1], "1", out=out[:1])
    with pytest.raises(gd.NotationError, match=r"beats\[0\] is \[17, 0\]"):
        gd.action_masks(planes[:1], "2", np.array([[17, 0]], np.uint8))
    with pytest.raises(TypeError, match="rules: want a Rules"):
        gd.action_masks(planes[:1], "2", rules="opengd")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        gd.action_mask("S3")  # type: ignore[call-overload]
    assert out.all()


# --- The moves of an action ---


def deals_in_play(seed: int) -> gd.State:
    """A deal in play after some random moves."""
    rng = random.Random(seed)
    rules = gd.Rules(**rng.choice(SWITCHES)._asdict())
    deal = gd.State.deal(rng.choice(LEVELS), seed, rules=rules)
    for _ in range(rng.randrange(60)):
        if not deal.is_over:
            deal.push(rng.choice(deal.legal_moves("one")))
    return deal if not deal.is_over else deals_in_play(seed + 1000)


@pytest.mark.parametrize("seed", range(40))
def test_the_moves_of_all_actions_are_the_list(seed: int) -> None:
    deal = deals_in_play(seed)
    level = deal.level
    hand = [gd.CARDS.index(card) for card in deal.hands[deal.turn or 0]]
    for suits in SUITS:
        listed = deal.legal_moves(suits)
        places = {move: place for place, move in enumerate(listed)}
        found: list[gd.Move] = []
        for action in flagged(gd.action_mask(deal)):
            moves = gd.expand(deal, action, suits)
            assert set(moves.action_ids.tolist()) == {action}
            assert moves.level == level
            found += moves
            if len(hand) < 16 or suits == "one":
                order = [
                    (*(-n for n in oracle.value_left(hand, as_tuple(move), level)), places[move])
                    for move in moves
                ]
                assert order == sorted(order)
        assert len(found) == len(listed)
        assert set(found) == set(listed)


def test_the_best_move_of_an_action_comes_first() -> None:
    lead = state(["S3 C3 D3 S4 S5 S6 S7 H2 C9 D9", *["S8", "S9", "ST"]])
    pairs = gd.expand(lead, gd.action_id("pair 3", "2"), suits="all")
    # Five spades and the wild stay, then four and the wild or five, then four.
    assert list(map(str, pairs)) == [
        *("pair 3 C3 D3", "pair 3 S3 C3", "pair 3 S3 D3", "pair 3 H2 C3", "pair 3 H2 D3"),
        "pair 3 H2 S3",
    ]
    assert str(gd.expand(lead, gd.action_id("pair 9", "2"))[0]) == "pair 9 C9 D9"


def test_actions_without_a_move() -> None:
    lead = state(["S3 C3", "S4", "D9", "SB"])
    with pytest.raises(gd.IllegalMoveError, match="action 0, pass: seat 0 has no such legal move"):
        gd.expand(lead, 0)
    with pytest.raises(gd.IllegalMoveError, match="action 44, full_house 2 3: seat 0"):
        gd.expand(lead, np.int64(44))
    for place in (-1, N, 10**30):
        with pytest.raises(
            IndexError, match=f"action {str(place)[:9]}.*: want an id from 0 to 392"
        ):
            gd.expand(lead, place)
    with pytest.raises(ValueError, match="suits 'two': want \"all\""):
        gd.expand(lead, 2, suits="two")  # type: ignore[arg-type]
    for place in ("2", 2.0, None):
        with pytest.raises(TypeError):
            gd.expand(lead, place)  # type: ignore[arg-type]
    lead.push("pair 3 S3 C3")
    for _ in range(2):
        assert list(map(str, gd.expand(lead, 0))) == ["pass"]
        lead.push("pass")
    while not lead.is_over:
        lead.push(lead.legal_moves()[-1])
    with pytest.raises(gd.IllegalMoveError, match="action 1, single 2: the deal is over"):
        gd.expand(lead, 1)


@pytest.mark.parametrize("suits", ["all", "flush"])
@pytest.mark.parametrize(
    ("hand", "level", "action"),
    [
        # A straight flush in a later window than the straight's.
        ("H4 H5 H6 H7 H8 H9 D5 D6 D8", "4", 229),
        ("S3 S4 S5 S6 S7 S8 S9 ST H2 C5 C6", "2", 228),
    ],
)
def test_straights_are_listed_beside_straight_flushes_of_other_windows(hand, level, action, suits):
    state = gd.State([hand, "S2", "C2", "D2"], level=level, turn=0)
    moves = state.legal_moves(suits)
    expected = set(moves[moves.action_ids == action])
    assert expected
    assert set(gd.expand(state, action, suits=suits)) == expected

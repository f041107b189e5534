"""Lists of moves as sequences and arrays, and the calls that make them."""

import copy
import gc
import itertools
import pickle
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import reference as ref
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import guandan as gd

LEVELS = "23456789TJQKA"
RANKS = LEVELS + "BR-"
SUITS = ("all", "flush", "one")
FULL = (1 << 54) - 1
ALL_108 = gd.Hand.from_counts([2] * 54)
RULES = [None, gd.Rules.preset("opengd"), gd.Rules(straight_flush_downgrade="forbid", bomb_max=8)]
BEATS = [
    *(None, "single 3", "single R", "pair A", "triple 7", "full_house 4", "straight 6", "tube 5"),
    *("plate 4", "bomb4 3", "bomb5 9", "straight_flush 7", "bomb8 A", "joker_bomb"),
]

hands = st.lists(st.integers(0, 53), min_size=1, max_size=14).map(
    lambda kinds: gd.Hand([kind for i, kind in enumerate(kinds) if kinds[:i].count(kind) < 2])
)
leads = st.builds(gd.legal_moves, hands, st.sampled_from(LEVELS))


@pytest.fixture(scope="module")
def moves() -> gd.MoveList:
    return gd.legal_moves("S3 C3 C3 S4 D4 H2 H2 SB SB HR HR", level="2")


# --- One hand ---


def test_the_list_of_a_small_hand() -> None:
    assert list(map(str, gd.legal_moves("S3 C3 H2", level="2"))) == [
        *("single 3 S3", "single 3 C3", "single 2 H2"),
        *("pair 3 S3 C3", "pair 3 H2 S3", "pair 3 H2 C3", "triple 3 H2 S3 C3"),
    ]
    replies = gd.legal_moves("S3 C3 H2", level="2", beat="pair 3 S3 H2")
    assert list(map(str, replies)) == ["pass"]


@pytest.mark.parametrize("form", [str, list, lambda hand: [ref.NUMBERS[card] for card in hand]])
def test_forms_of_hand_and_beat(form: Any) -> None:
    hand = gd.Hand("S3 C3 C3 S4 D4 H2 H2 SB SB HR HR")
    for beat in ("pair 3 S3 D3", "pair 3"):
        want = gd.legal_moves(hand, "2", beat=gd.Move.parse("pair 3"))
        assert gd.legal_moves(form(hand), level="2", beat=beat) == want
        assert gd.legal_moves(form(hand), level="2", beat=gd.Move.parse(beat)) == want
        assert gd.count_moves(form(hand), level="2", beat=beat) == len(want)
        assert gd.nth_move(form(hand), level="2", index=1, beat=beat) == want[1]


@given(hands, st.sampled_from(LEVELS), st.sampled_from(BEATS), st.sampled_from(SUITS))
def test_count_and_nth_agree_with_the_list(
    hand: gd.Hand, level: str, beat: str | None, suits: Any
) -> None:
    for rules in RULES:
        options: dict[str, Any] = {"beat": beat, "suits": suits, "rules": rules}
        listed = gd.legal_moves(hand, level, **options)
        assert gd.count_moves(hand, level, **options) == len(listed)
        for place in {0, 1, len(listed) // 2, len(listed) - 1} & set(range(len(listed))):
            assert gd.nth_move(hand, level, place, **options) == listed[place]
        for place in (-1, len(listed)):
            with pytest.raises(IndexError, match=f"index {place} of {len(listed)} moves"):
                gd.nth_move(hand, level, place, **options)


@pytest.mark.parametrize("suits", SUITS)
@pytest.mark.parametrize("level", ["2", "9", "A"])
def test_all_108_cards(level: str, suits: Any) -> None:
    listed = gd.legal_moves(ALL_108, level, suits=suits)
    assert len(listed) == gd.count_moves(ALL_108, level, suits=suits) == len(set(listed))
    assert str(listed[-1]) == "joker_bomb - SB SB HR HR"
    for beat in BEATS[1:]:
        replies = gd.legal_moves(ALL_108, level, beat=beat, suits=suits)
        assert len(replies) == gd.count_moves(ALL_108, level, beat=beat, suits=suits)
        assert str(replies[0]) == "pass"


def test_the_exact_list_of_all_cards_has_135032_moves() -> None:
    assert gd.count_moves(ALL_108, "2") == 135032


# --- Sequences ---


def form(array: NDArray[Any]) -> tuple[str, tuple[int, ...]]:
    return array.dtype.name, array.shape


@given(leads)
def test_arrays_are_those_of_the_moves(moves: gd.MoveList) -> None:
    n = len(moves)
    assert form(moves.kinds) == ("uint8", (n,))
    assert form(moves.ranks) == ("uint8", (n,))
    assert form(moves.planes) == ("uint64", (n, 2))
    assert form(moves.records) == ("uint64", (n, 2))
    assert form(moves.counts()) == ("uint8", (n, 54))
    listed = list(moves)
    assert len(listed) == n
    assert moves.kinds.tolist() == [move.kind for move in listed]
    assert [RANKS[code] for code in moves.ranks] == [move.rank for move in listed]
    assert [tuple(row) for row in moves.planes.tolist()] == [move.cards.planes for move in listed]
    assert (moves.counts() == [move.cards.counts() for move in listed]).all()
    tags = moves.records >> np.uint64(56)
    assert (tags == np.column_stack([moves.kinds, moves.ranks])).all()
    assert (moves.records & np.uint64(FULL) == moves.planes).all()


@given(leads, st.data())
def test_indexing_is_that_of_a_list(moves: gd.MoveList, data: st.DataObject) -> None:
    listed, n = list(moves), len(moves)
    place = data.draw(st.integers(-n, n - 1))
    assert moves[place] == listed[place] == moves[np.int64(place)]
    cut = data.draw(st.slices(n))
    assert list(moves[cut]) == listed[cut]
    mask = np.random.default_rng(data.draw(st.integers(0, 99))).random(n) < 0.5
    chosen = list(itertools.compress(listed, mask))
    places = data.draw(st.lists(st.integers(-n, n - 1)))
    for key, want in [
        (mask, chosen),
        (mask.tolist(), chosen),
        (places, [listed[i] for i in places]),
        (np.array(places, np.int16), [listed[i] for i in places]),
        (slice(-(10**30), 10**30), listed),
        (slice(None, None, -1), listed[::-1]),
        (slice(n, 0), []),
    ]:
        part = moves[key]
        assert type(part) is gd.MoveList
        assert list(part) == want
        assert part.records.tolist() == [moves.records[listed.index(m)].tolist() for m in want]


def test_index_and_in(moves: gd.MoveList) -> None:
    for place, move in enumerate(moves):
        assert moves.index(move) == moves.index(str(move)) == place
        assert move in moves
        assert str(move) in moves
    for absent in ("pass", "single 3", "single 5 S5", "single 3 D3"):
        assert absent not in moves
        assert gd.Move.parse(absent) not in moves
        with pytest.raises(gd.IllegalMoveError, match=f"{absent} is not one of these"):
            moves.index(absent)
    wrongs: list[Any] = ["bomb 9", "", 5, None, b"pass", np.uint64(3)]
    for wrong in wrongs:
        with pytest.raises(gd.NotationError):
            moves.index(wrong)
        with pytest.raises(gd.NotationError):
            assert wrong in moves
    assert list(reversed(moves)) == list(moves)[::-1]


@pytest.mark.parametrize(
    "place", [10**6, -(10**6), [10**6], np.array([-(10**6)]), [0.5], [True], ["a"]]
)
def test_places_that_there_are_not(moves: gd.MoveList, place: Any) -> None:
    with pytest.raises(IndexError):
        moves[place]


@pytest.mark.parametrize("place", [1.0, "0", None, (0, 0), {}, ...])
def test_places_of_other_types(moves: gd.MoveList, place: Any) -> None:
    with pytest.raises(TypeError):
        moves[place]


@pytest.mark.parametrize("place", [np.array(0), np.array([[0]]), [[0]]])
def test_places_of_other_shapes(moves: gd.MoveList, place: Any) -> None:
    with pytest.raises((IndexError, ValueError)):
        moves[place]


@pytest.mark.parametrize("place", [2**63, -(2**70)])
def test_huge_places(moves: gd.MoveList, place: int) -> None:
    with pytest.raises(IndexError):
        moves[place]
    with pytest.raises(IndexError):
        gd.legal_moves_batch(ONE, "2")[place]


def test_equality_and_copies(moves: gd.MoveList) -> None:
    for other in (
        gd.legal_moves("S3 C3 C3 S4 D4 H2 H2 SB SB HR HR", level="2"),
        moves[:],
        moves[list(range(len(moves)))],
        copy.copy(moves),
        copy.deepcopy(moves),
        pickle.loads(pickle.dumps(moves)),
    ):
        assert other == moves
        assert list(other) == list(moves)
    assert moves != moves[1:]
    assert moves != moves[::-1]
    assert moves[0:0] == moves[5:5] == pickle.loads(pickle.dumps(moves[:0]))
    assert moves != list(moves)
    with pytest.raises(TypeError, match="unhashable"):
        hash(moves)
    with pytest.raises(TypeError, match="legal_moves"):
        gd.MoveList()
    assert repr(moves[:2]) == "<MoveList of 2 moves: single 3 S3, single 3 C3>"
    assert (
        repr(moves)
        == f"<MoveList of {len(moves)} moves: single 3 S3, single 3 C3, single 4 S4, ...>"
    )


@pytest.mark.parametrize("cls", [gd.Hand, gd.Move, gd.MoveList])
def test_classes_are_final(cls: type) -> None:
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (cls,), {})


def test_empty_lists(moves: gd.MoveList) -> None:
    for empty in (moves[:0], moves[[]], moves[np.zeros(len(moves), bool)], moves[3:3][::2]):
        assert (len(empty), list(empty), empty.kinds.shape) == (0, [], (0,))
        assert empty.records.shape == empty.planes.shape == (0, 2)
        assert empty.counts().shape == (0, 54)
        assert "pass" not in empty
        with pytest.raises(IndexError):
            empty[0]


def view_of(buffer: Any) -> memoryview:
    return memoryview(buffer)


def test_views_keep_the_records_alive() -> None:
    want = list(gd.legal_moves(ALL_108, "2")[1000:1010])
    listed = gd.legal_moves(ALL_108, "2")
    part = listed[500:2000][500:510]
    rows = listed.records[1000:1010]
    buffer = view_of(listed)
    one = listed[1000]
    del listed
    gc.collect()
    # Freed memory would be taken and overwritten by these.
    trash = [np.full((135032, 2), 7, np.uint64) for _ in range(4)]
    assert list(part) == want
    assert rows.tolist() == part.records.tolist()
    assert buffer[1000, 0] == rows[0, 0]
    assert one == want[0]
    del trash


def test_records_are_read_only(moves: gd.MoveList) -> None:
    rows = moves.records
    assert not rows.flags.writeable
    assert np.shares_memory(rows, moves.records)
    assert np.shares_memory(rows, moves[2:9].records)
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 0
    with pytest.raises(ValueError, match=r"WRITEABLE|writeable"):
        rows.flags.writeable = True
    for array in (moves.kinds, moves.ranks, moves.planes, moves.counts()):
        array[:] = 0
    assert list(map(str, moves[:1])) == ["single 3 S3"]
    view = view_of(moves)
    assert (view.readonly, view.format) == (True, "Q")
    assert (view.shape, view.strides) == ((len(moves), 2), (16, 8))
    assert bytes(view) == rows.tobytes()


# --- What cannot be listed ---


def first_move(hand: Any, level: str, beat: Any = None) -> gd.Move:
    return gd.nth_move(hand, level, 0, beat=beat)


CALLS: tuple[Any, ...] = (gd.legal_moves, gd.count_moves, first_move)


def test_an_empty_hand_has_no_moves() -> None:
    hands: list[Any] = ["", gd.Hand(), []]
    for call, hand in itertools.product(CALLS, hands):
        with pytest.raises(gd.StateError, match="an empty hand has no moves"):
            call(hand, "2")


@pytest.mark.parametrize(
    ("beat", "error", "says"),
    [
        ("pass", gd.NotationError, "leave `beat` out"),
        ("", gd.NotationError, "empty"),
        ("bomb 9", gd.NotationError, "bomb4 to bomb10"),
        ("straight 4", gd.NotationError, "its keys are 5 6 7"),
        ("S3", gd.NotationError, "the kinds are"),
        ("pair 3 S3", gd.NotationError, "a pair has 2 cards, not 1"),
        ("bomb9 2", gd.IllegalMoveError, "bomb9 2 cannot be: at level 2 a bomb of 2 has at most 8"),
        ("bomb10 2", gd.IllegalMoveError, "bomb10 2 cannot be"),
        ("pair 3 S3 C4", gd.IllegalMoveError, "pair 3 S3 C4"),
        ("pair B SB HR", gd.IllegalMoveError, "pair B SB HR"),
        ("pair B SB H2", gd.IllegalMoveError, "pair B H2 SB"),
        ("single 3 H2", gd.IllegalMoveError, "single 3 H2"),
        ("straight 7 S3 S4 S5 S6 S7", gd.IllegalMoveError, "straight 7"),
        ("straight_flush 7 S3 S4 S5 S6 C7", gd.IllegalMoveError, "straight_flush 7"),
        ("straight 9 S4 C5 D6 S7 H2", gd.IllegalMoveError, "straight 9"),
        ("bomb4 2 S2 C2 D3 H2", gd.IllegalMoveError, "bomb4 2"),
    ],
)
def test_beats_that_cannot_be(beat: str, error: type[ValueError], says: str) -> None:
    for call in CALLS:
        with pytest.raises(error) as caught:
            call("S3", "2", beat=beat)
        assert type(caught.value) is error
        assert says in str(caught.value)
    try:
        move = gd.Move.parse(beat)
    except gd.NotationError:
        return
    with pytest.raises(error):
        gd.legal_moves("S3", "2", beat=move)


def test_what_can_be_depends_on_level_and_rules() -> None:
    assert len(gd.legal_moves("S3", "2", beat="bomb10 3")) == 1
    assert len(gd.legal_moves("S3", "2", beat="bomb8 2")) == 1
    assert len(gd.legal_moves("S3", "3", beat="bomb9 2")) == 1
    for kind in ("bomb9", "bomb10"):
        with pytest.raises(gd.IllegalMoveError, match=f"{kind} 3 cannot be"):
            gd.legal_moves("S3", "2", beat=f"{kind} 3", rules=gd.Rules(bomb_max=8))
    run = "straight 8 S4 S5 S6 S7 H2"
    assert len(gd.legal_moves("S3", "2", beat=run)) == 1
    with pytest.raises(gd.IllegalMoveError):
        gd.legal_moves("S3", "2", beat=run, rules=gd.Rules(straight_flush_downgrade="forbid"))


@pytest.mark.parametrize(
    "suits",
    ["some", "ALL", "", None, 0, b"all", ["all"], {}, "x" * 10**6],
    ids=lambda s: repr(s)[:9],
)
def test_other_suits(suits: Any) -> None:
    for call in (
        lambda: gd.legal_moves("S3", "2", suits=suits),
        lambda: gd.count_moves("S3", "2", suits=suits),
        lambda: gd.nth_move("S3", "2", 0, suits=suits),
        lambda: gd.legal_moves_batch(rows_of([gd.Hand("S3")]), "2", suits=suits),
    ):
        with pytest.raises(ValueError, match='want "all", "flush" or "one"') as error:
            call()
        assert len(str(error.value)) < 100


@pytest.mark.parametrize("index", [1.0, "0", None, [0]])
def test_indices_of_other_types(index: Any) -> None:
    with pytest.raises(TypeError):
        gd.nth_move("S3", "2", index)


# --- Many hands ---


def rows_of(many: list[gd.Hand]) -> NDArray[np.uint64]:
    return np.array([hand.planes for hand in many], np.uint64).reshape(-1, 2)


def codes_of(beats: Sequence[str | None]) -> NDArray[np.uint8]:
    moves = [gd.Move.parse(beat or "pass") for beat in beats]
    return np.array([(move.kind, RANKS.index(move.rank)) for move in moves], np.uint8).reshape(
        -1, 2
    )


def mixed_hands(seed: int, n: int) -> list[gd.Hand]:
    rng = np.random.default_rng(seed)
    decks = np.repeat(np.arange(54), 2)
    sizes = rng.integers(1, 28, n)
    return [gd.Hand(rng.choice(decks, size, replace=False)) for size in sizes]


HANDS = mixed_hands(seed=5, n=150)
LEVEL_OF_EACH = [LEVELS[i % 13] for i in range(len(HANDS))]
BEAT_OF_EACH = [BEATS[i % len(BEATS)] for i in range(len(HANDS))]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("suits", SUITS)
@pytest.mark.parametrize("leads", [True, False])
def test_a_batch_is_its_rows(leads: bool, suits: Any, rules: gd.Rules | None) -> None:
    planes = rows_of(HANDS)
    beats = None if leads else codes_of(BEAT_OF_EACH)
    want = [
        gd.legal_moves(hand, level, beat=None if leads else beat, suits=suits, rules=rules)
        for hand, level, beat in zip(HANDS, LEVEL_OF_EACH, BEAT_OF_EACH, strict=True)
    ]
    levels = np.array([LEVELS.index(level) for level in LEVEL_OF_EACH], np.uint8)
    for threads in (1, 2, 3, 4, 999):
        batch = gd.legal_moves_batch(planes, levels, beats, suits, rules, threads)
        assert len(batch) == len(HANDS)
        assert batch.offsets.dtype == np.int64
        assert batch.offsets.tolist() == [0, *itertools.accumulate(map(len, want))]
        assert all(batch[i] == moves for i, moves in enumerate(want))
        assert batch.records.tolist() == [row for moves in want for row in moves.records.tolist()]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_levels_of_a_batch(n: int) -> None:
    planes = rows_of(HANDS[:n])
    codes = np.array([LEVELS.index(level) for level in LEVEL_OF_EACH[:n]], np.uint8)
    want = [gd.legal_moves(*pair) for pair in zip(HANDS[:n], LEVEL_OF_EACH, strict=False)]
    forms: list[Any] = [
        LEVEL_OF_EACH[:n],
        tuple(LEVEL_OF_EACH[:n]),
        codes,
        np.repeat(codes, 2)[::2],
    ]
    for levels in forms:
        assert list(gd.legal_moves_batch(planes, levels)) == want
    same = [gd.legal_moves(hand, "9") for hand in HANDS[:n]]
    forms = ["9", ["9"] * n, np.full(n, 7, np.uint8)]
    for levels in forms:
        assert list(gd.legal_moves_batch(planes, levels)) == same


def test_arrays_of_a_batch() -> None:
    batch = gd.legal_moves_batch(rows_of(HANDS[:9]), "2")
    total = int(batch.offsets[-1])
    flat = [move for moves in batch for move in moves]
    assert batch.kinds.tolist() == [move.kind for move in flat]
    assert [RANKS[code] for code in batch.ranks] == [move.rank for move in flat]
    assert batch.planes.tolist() == [list(move.cards.planes) for move in flat]
    assert batch.counts().shape == (total, 54)
    assert batch.records.shape == (total, 2)
    assert repr(batch) == f"<MoveBatch of 9 hands, {total} moves>"
    assert list(batch[-1]) == list(batch[8]) == list(batch[np.int64(8)])
    for place in (9, -10):
        with pytest.raises(IndexError, match=f"hand {place} of a batch of 9"):
            batch[place]
    for wrong in ("0", None, 1.0, slice(2)):
        with pytest.raises(TypeError):
            batch[wrong]  # type: ignore[index]
    again = pickle.loads(pickle.dumps(batch))
    assert list(again) == list(batch)
    assert not batch.records.flags.writeable
    with pytest.raises(AttributeError):
        batch.offsets = batch.offsets[1:]  # type: ignore[misc]
    with pytest.raises(TypeError, match="legal_moves_batch"):
        gd.MoveBatch()


def test_a_list_of_a_batch_keeps_the_records_alive() -> None:
    one = gd.legal_moves_batch(rows_of([ALL_108, HANDS[0]]), "2")[1]
    gc.collect()
    trash = [np.full((135032, 2), 7, np.uint64) for _ in range(4)]
    assert one == gd.legal_moves(HANDS[0], "2")
    del trash


@pytest.mark.parametrize("threads", [1, 3])
def test_no_hands(threads: int) -> None:
    none = np.empty((0, 2), np.uint64)
    forms: list[Any] = ["2", [], np.empty(0, np.uint8)]
    outs = [None, np.empty((0, 2), np.uint64), np.empty((9, 2), np.uint64)]
    for levels, beats, out in itertools.product(forms, [None, np.empty((0, 2), np.uint8)], outs):
        batch = gd.legal_moves_batch(none, levels, beats, threads=threads, out=out)
        assert (len(batch), list(batch), batch.offsets.tolist()) == (0, [], [0])
        assert batch.records.shape == (0, 2)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("spare", [0, 1, 3, 4, 5, 1000])
def test_out(spare: int, threads: int) -> None:
    planes = rows_of(HANDS)
    want = gd.legal_moves_batch(planes, "2")
    total = len(want.records)
    whole = np.full((total + spare + 8, 2), 0xABCD, np.uint64)
    out = whole[: total + spare]
    for _ in range(2):
        batch = gd.legal_moves_batch(planes, "2", threads=threads, out=out)
        assert np.shares_memory(batch.records, out)
        assert (out[:total] == want.records).all()
        assert (whole[total + spare :] == 0xABCD).all()
        assert list(batch) == list(want)
    small = gd.legal_moves_batch(planes[:3], "2", threads=threads, out=out)
    assert list(small) == list(want)[:3]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_planes_that_are_not_contiguous(n: int) -> None:
    planes = rows_of(HANDS[: 2 * n])
    want = [gd.legal_moves(hand, "2") for hand in HANDS[: 2 * n]]
    turned = np.asfortranarray(planes)
    frozen = planes.copy()
    frozen.flags.writeable = False
    for given_planes, moves in [
        (planes[::2], want[::2]),
        (planes[::-1], want[::-1]),
        (turned, want),
        (frozen, want),
    ]:
        assert list(gd.legal_moves_batch(given_planes, "2")) == moves
    beats = np.asfortranarray(codes_of(["pair 3"] * 2 * n))
    want = [gd.legal_moves(hand, "2", beat="pair 3") for hand in HANDS[: 2 * n]]
    assert list(gd.legal_moves_batch(planes, "2", beats)) == want


def test_planes_that_are_not_aligned() -> None:
    planes = rows_of(HANDS[:9])
    shifted = np.frombuffer(b"\0" + planes.tobytes(), np.uint64, offset=1).reshape(-1, 2)
    assert not shifted.flags.aligned
    assert list(gd.legal_moves_batch(shifted, "2")) == list(gd.legal_moves_batch(planes, "2"))


# --- Arrays that cannot be ---

ONE = rows_of([gd.Hand("S3 C3")])
TWO = rows_of([gd.Hand("S3 C3"), gd.Hand("HR HR")])


@pytest.mark.parametrize(
    ("planes", "have"),
    [
        (ONE.astype(np.int64), "int64 of shape (1, 2)"),
        (ONE.astype(np.uint32), "uint32"),
        (ONE.astype(float), "float64"),
        (ONE.astype(object), "object"),
        (ONE.astype(">u8"), ">u8"),
        (ONE[0], "(2,)"),
        (ONE[None], "(1, 1, 2)"),
        (np.zeros((2, 3), np.uint64), "(2, 3)"),
        (np.zeros((2, 0), np.uint64), "(2, 0)"),
        (np.uint64(3), "3"),
        (ONE.tolist(), "[[80, 0]]"),
        ("S3", "'S3'"),
        (gd.Hand("S3"), 'Hand("S3")'),
        (None, "None"),
        (ONE.tobytes(), "b'P"),
        (view_of(ONE), "<memory"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_planes_of_other_types(planes: Any, have: str) -> None:
    with pytest.raises(ValueError, match=r"planes: want a uint64 array of shape \(n, 2\)") as error:
        gd.legal_moves_batch(planes, "2")
    assert have in str(error.value)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ((0, 0), "planes[1]: an empty hand has no moves"),
        ((1 << 54, 0), "planes[1]: bits above the 54 kinds of card are set"),
        ((1 | 1 << 63, 0), "planes[1]: bits above"),
        ((1, 1 | 1 << 60), "planes[1]: bits above"),
        ((1, 3), "planes[1]: H2 is in the plane of second copies alone"),
        ((0, 1), "planes[1]: S2 is in the plane of second copies alone"),
    ],
)
def test_planes_that_no_hand_has(row: tuple[int, int], says: str) -> None:
    out = np.zeros((100, 2), np.uint64)
    with pytest.raises(gd.StateError) as error:
        gd.legal_moves_batch(np.array([(16, 0), row], np.uint64), "2", out=out)
    assert says in str(error.value)
    assert not out.any()


@pytest.mark.parametrize(
    ("levels", "error", "says"),
    [
        (["2"], ValueError, "levels: want one for each of 2, got 1"),
        (["2"] * 3, ValueError, "levels: want one for each of 2, got 3"),
        ([], ValueError, "levels: want one for each of 2, got 0"),
        ("23", gd.NotationError, "'23' is not a level"),
        (["2", "10"], gd.NotationError, "'10' is not a level"),
        (["2", 3], gd.NotationError, 'write "3"'),
        (2, gd.NotationError, 'write "2"'),
        (None, gd.NotationError, "None is not a level"),
        ({"2", "3"}, gd.NotationError, "is not a level"),
        (
            np.array([2, 13], np.uint8),
            gd.NotationError,
            "levels[1] is 13: want a rank code from 0 to 12",
        ),
        (np.array([255, 2], np.uint8), gd.NotationError, "levels[0] is 255"),
        (np.array([2], np.uint8), ValueError, "levels: want a uint8 array of shape (2,)"),
        (np.array([2, 3]), ValueError, "levels: want a uint8 array of shape (2,), got int64"),
        (np.array([2, 3], np.int8), ValueError, "got int8"),
        (np.array([[2, 3]], np.uint8), ValueError, "got uint8 of shape (1, 2)"),
        (np.array(["2", "3"]), ValueError, "levels: want a uint8 array of shape (2,)"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_levels_that_cannot_be(levels: Any, error: type[ValueError], says: str) -> None:
    with pytest.raises(error) as caught:
        gd.legal_moves_batch(TWO, levels)
    assert type(caught.value) is error
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("beat", "error", "says"),
    [
        ((17, 3), gd.NotationError, "beats[1] is [17, 3]"),
        ((255, 255), gd.NotationError, "beats[1] is [255, 255]"),
        ((1, 15), gd.NotationError, "beats[1] is [1, 15]"),
        ((1, 16), gd.NotationError, "beats[1] is [1, 16]"),
        ((1, 32), gd.NotationError, "beats[1] is [1, 32]"),
        ((3, 13), gd.NotationError, "beats[1] is [3, 13]"),
        ((5, 2), gd.NotationError, "beats[1] is [5, 2]"),
        ((6, 0), gd.NotationError, "beats[1] is [6, 0]"),
        ((10, 2), gd.NotationError, "beats[1] is [10, 2]"),
        ((16, 0), gd.NotationError, "beats[1] is [16, 0]"),
        ((14, 0), gd.IllegalMoveError, "beats[1]: bomb9 2 cannot be"),
    ],
)
def test_beats_of_a_batch_that_cannot_be(
    beat: tuple[int, int], error: type[ValueError], says: str
) -> None:
    out = np.zeros((100, 2), np.uint64)
    with pytest.raises(error) as caught:
        gd.legal_moves_batch(TWO, "2", np.array([(0, 15), beat], np.uint8), out=out)
    assert says in str(caught.value)
    assert not out.any()


@pytest.mark.parametrize(
    "beats",
    [
        np.zeros((1, 2), np.uint8),
        np.zeros((2, 3), np.uint8),
        np.zeros(4, np.uint8),
        np.zeros((2, 2), np.int64),
        np.zeros((0, 2), np.uint8),
        ["pair 3", "pair 3"],
        "pair 3",
        [[0, 0], [0, 0]],
        gd.Move.parse("pair 3"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_beats_of_other_types(beats: Any) -> None:
    with pytest.raises(ValueError, match=r"beats: want a uint8 array of shape \(2, 2\)"):
        gd.legal_moves_batch(TWO, "2", beats)


def test_a_lead_has_any_rank() -> None:
    want = list(gd.legal_moves_batch(TWO, "2"))
    for rank in (0, 15, 255):
        assert list(gd.legal_moves_batch(TWO, "2", np.array([(0, rank)] * 2, np.uint8))) == want


def read_only(rows: int) -> NDArray[np.uint64]:
    array = np.zeros((rows, 2), np.uint64)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "says"),
    [
        (np.zeros((4, 2), np.uint64), "out: 4 rows are too few, these hands need 5"),
        (np.zeros((0, 2), np.uint64), "out: 0 rows are too few, these hands need 5"),
        (np.zeros((99, 2), np.int64), "out: want a uint64 array of shape (n, 2), got int64"),
        (np.zeros((99, 2), float), "got float64"),
        (np.zeros((99, 3), np.uint64), "got uint64 of shape (99, 3)"),
        (np.zeros(99, np.uint64), "got uint64 of shape (99,)"),
        (np.zeros((99, 4), np.uint64)[:, ::2], "out: want a contiguous, aligned array"),
        (np.zeros((99, 2), np.uint64)[::2], "out: want a contiguous, aligned array"),
        (np.zeros((2, 99), np.uint64).T, "out: want a contiguous, aligned array"),
        (read_only(99), "out: want a contiguous, aligned array"),
        ([], "out: want a uint64 array"),
        (bytearray(999), "out: want a uint64 array"),
        (5, "out: want a uint64 array"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_outs_that_cannot_be(out: Any, says: str) -> None:
    with pytest.raises(ValueError, match="out: ") as error:
        gd.legal_moves_batch(TWO, "2", out=out)
    assert says in str(error.value)
    assert not np.any(np.asarray(out).ravel()[:50] != np.asarray(out).ravel()[:1])


@pytest.mark.parametrize("threads", [0, -1])
def test_too_few_threads(threads: int) -> None:
    with pytest.raises(ValueError, match=f"threads={threads}: want an int, 1 or more"):
        gd.legal_moves_batch(TWO, "2", threads=threads)


@pytest.mark.parametrize("threads", [1.0, "2", None])
def test_threads_of_other_types(threads: Any) -> None:
    with pytest.raises(TypeError):
        gd.legal_moves_batch(TWO, "2", threads=threads)


# --- What must not end the process ---

# Each may raise what it likes, but no SystemError, and what is asserted must hold.
PRELUDE = """
import io, sys
import numpy as np
import guandan as gd
one = np.array([[1, 0]], np.uint64)
deals = np.array([hand.planes for seed in range(100) for hand in gd.deal_hands(seed)], np.uint64)
none = np.full((1, 2), 2**64 - 1, np.uint64)
try:
    {}
except (AssertionError, SystemError):
    raise
except Exception:
    pass
"""

ROBUST = {
    "offsets written over": """
batch = gd.legal_moves_batch(deals, "2")
batch.offsets[1] = 10**9
assert len(batch[0]) <= len(batch.records)""",
    "pickled records of no move": """
moves = gd.legal_moves("S3", "2")
build, _ = moves.__reduce__()
assert type(build(none)[0].kind) is gd.Kind""",
    "dates as planes": """
gd.legal_moves_batch(np.zeros((1, 2), "M8[s]"), "2")""",
    "out written over": """
out = np.zeros((9, 2), np.uint64)
batch = gd.legal_moves_batch(one, "2", out=out)
out[:] = 2**64 - 1
assert type(batch[0][0].kind) is gd.Kind""",
    "out over planes": """
both = np.zeros((2 * 10**6, 2), np.uint64)
both[:400] = deals
batch = gd.legal_moves_batch(both[:400], "2", out=both)
assert list(batch) == list(gd.legal_moves_batch(deals, "2"))""",
    "switches below zero": """
gd.count_moves("S3", "2", rules=type("Switched", (), {"switches": -1})())""",
    "a million slices": """
moves = gd.legal_moves("S3 C3", "2")
for _ in range(10**6):
    moves = moves[0:]
del moves""",
    "written into": """
moves = gd.legal_moves("S3 C3", "2")
before = bytes(moves)
try:
    io.BytesIO(b"x" * 48).readinto(moves)
finally:
    assert bytes(moves) == before""",
    "a list without init": """
moves = gd.MoveList.__new__(gd.MoveList)
assert (list(moves), list(moves[0:]), moves == moves, len(moves.counts())) == ([], [], True, 0)""",
    "a move without init": """
move = gd.Move.__new__(gd.Move)
print(move, move.kind, move.rank, hash(move), move.cards)""",
    "a list of many": """
moves = gd.legal_moves(gd.Hand.from_counts([2] * 54), "2")
assert all(gd.Move.parse(str(move)) == move for move in moves[::1000])""",
}


@pytest.mark.parametrize("name", ROBUST)
def test_nothing_ends_the_process(name: str) -> None:
    code = PRELUDE.replace("{}", ROBUST[name].strip().replace("\n", "\n    "))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_out_that_is_too_small_is_left_as_it_was() -> None:
    hands = [hand for seed in range(20) for hand in gd.deal_hands(seed)]
    planes = np.tile(np.array([hand.planes for hand in hands], np.uint64), (4, 1))
    total = len(gd.legal_moves_batch(planes, "5").records)
    out = np.full((total - 1, 2), 7, np.uint64)
    for threads in (1, 2):
        with pytest.raises(ValueError, match=f"rows are too few, these hands need {total}"):
            gd.legal_moves_batch(planes, "5", out=out, threads=threads)
        assert (out == 7).all()

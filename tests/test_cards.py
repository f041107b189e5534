"""Kinds of card, hands and their text, and seeded deals."""

import contextlib
import copy
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_rng as plain
from hypothesis import given
from hypothesis import strategies as st

import guandan as gd

CARDS = gd.CARDS
FULL = (1 << 54) - 1
LEVELS = "2 3 4 5 6 7 8 9 T J Q K A"
NAMES: dict[str, Any] = {}
exec("from guandan import *", NAMES)

halves = st.integers(0, FULL)
hands = st.builds(lambda a, b: gd.Hand.from_planes(a, a & b), halves, halves)


def bag(hand: gd.Hand) -> Counter[str]:
    return Counter(list(hand))


def test_cards_are_numbered_by_rank_then_suit() -> None:
    ranks, suits = "23456789TJQKA", "SHCD"
    assert len(CARDS) == 54
    for number, card in enumerate(CARDS[:52]):
        assert card == suits[number % 4] + ranks[number // 4]
    assert CARDS[52:] == ("SB", "HR")


# --- Making hands ---


@pytest.mark.parametrize(
    "cards",
    [
        "S3 C3 H2 H2 HR",
        "S3C3H2H2HR",
        "HR H2C3 \t S3\nH2 ",
        ["S3", "C3", "H2", "H2", "HR"],
        ("HR", 4, 6, 1, 1),
        {53: None, 6: None, 4: None, "H2": None, 1: None},
        (card for card in [1, 1, 4, 6, 53]),
        np.array([53, 1, 4, 1, 6], np.uint8),
        np.array(["S3", "C3", "H2", "H2", "HR"]),
        gd.Hand("S3 C3 H2 H2 HR"),
    ],
    ids=lambda cards: type(cards).__name__,
)
def test_hand_of_a_text_or_an_iterable(cards: Any) -> None:
    hand = gd.Hand(cards)
    assert str(hand) == "H2 H2 S3 C3 HR"
    assert list(hand) == ["H2", "H2", "S3", "C3", "HR"]
    assert hand.planes == (1 << 1 | 1 << 4 | 1 << 6 | 1 << 53, 1 << 1)
    assert (len(hand), hand.count("H2"), hand.count(4), hand.count("SA")) == (5, 2, 1, 0)
    assert "C3" in hand
    assert 53 in hand
    assert "SB" not in hand


def test_the_empty_hand() -> None:
    for hand in (gd.Hand(), gd.Hand(""), gd.Hand(" "), gd.Hand([]), gd.Hand("S3") - gd.Hand("S3")):
        assert (len(hand), str(hand), list(hand), hand.planes) == (0, "", [], (0, 0))
        assert repr(hand) == 'Hand("")'
        assert not hand


@given(hands)
def test_a_hand_is_remade_from_all_its_forms(hand: gd.Hand) -> None:
    counts = hand.counts()
    assert counts.dtype == np.uint8
    assert counts.shape == (54,)
    assert {CARDS[kind]: n for kind, n in enumerate(counts) if n} == bag(hand)
    assert [CARDS.index(card) for card in hand] == sorted(map(CARDS.index, hand))
    assert len(hand) == counts.sum() == len(list(hand))
    for other in (
        gd.Hand(str(hand)),
        gd.Hand(str(hand).replace(" ", "")),
        gd.Hand(hand),
        gd.Hand(reversed(list(hand))),
        gd.Hand.from_counts(counts),
        gd.Hand.from_counts(counts.tolist()),
        gd.Hand.from_planes(*hand.planes),
        eval(repr(hand), NAMES),
        pickle.loads(pickle.dumps(hand)),
        copy.copy(hand),
        copy.deepcopy(hand),
    ):
        assert type(other) is gd.Hand
        assert other == hand
        assert hash(other) == hash(hand)


def test_all_108_cards() -> None:
    decks = gd.Hand.from_counts([2] * 54)
    assert len(decks) == 108
    assert decks.planes == (FULL, FULL)
    assert gd.Hand([*CARDS, *CARDS]) == gd.Hand([*range(54), *range(54)]) == decks


def test_counts_are_the_callers() -> None:
    hand = gd.Hand("S2")
    hand.counts()[:] = 9
    assert hand == gd.Hand("S2")


# --- Multisets ---


@given(hands, hands)
def test_operators_are_those_of_multisets(a: gd.Hand, b: gd.Hand) -> None:
    assert (a == b, a != b) == (bag(a) == bag(b), bag(a) != bag(b))
    assert (a <= b, a < b) == (bag(a) <= bag(b), bag(a) < bag(b))
    assert (a >= b, a > b) == (bag(a) >= bag(b), bag(a) > bag(b))
    common = gd.Hand.from_planes(a.planes[0] & b.planes[0], a.planes[1] & b.planes[1])
    rest = a - common
    assert bag(rest) == bag(a) - bag(common)
    assert rest + common == common + rest == a
    if max((bag(a) + bag(b)).values(), default=0) > 2:
        with pytest.raises(gd.StateError, match="more than twice"):
            a + b
    else:
        assert bag(a + b) == bag(a) + bag(b)
    if not b <= a:
        with pytest.raises(gd.StateError, match="does not hold all of"):
            a - b


def test_a_hand_is_no_other_type() -> None:
    hand = gd.Hand("S3")
    assert hand != "S3"
    assert hand != ["S3"]
    for wrong in ("S3", ["S3"], 4, None):
        with pytest.raises(TypeError):
            hand + wrong  # type: ignore[operator]
        with pytest.raises(TypeError):
            wrong - hand  # type: ignore[operator]
        with pytest.raises(TypeError):
            assert hand <= wrong  # type: ignore[operator]


def test_a_hand_does_not_change() -> None:
    hand = gd.Hand("S3")
    with pytest.raises(AttributeError):
        hand.cards = 5  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        hand.planes = (0, 0)  # type: ignore[misc]
    assert {hand: 1}[gd.Hand([4])] == 1


def test_a_hand_does_not_change_when_made_again() -> None:
    hand = gd.Hand("S3")
    with contextlib.suppress(TypeError):
        hand.__init__("C3")
    assert hand == gd.Hand("S3")


def test_texts_of_numpy() -> None:
    cards = np.array(["S3 C3", "2"])
    assert gd.Hand(cards[0]) == gd.Hand("S3 C3")
    assert gd.Move.parse("pair 2 S2 H2").wilds(cards[1]) == 1


# --- What is no hand ---

NO_CARD = [
    ("s3", "'s3'", '"S3"'),
    ("3S", "'3S'", '"S3"'),
    ("AS", "'AS'", '"SA"'),
    ("sa", "'sa'", '"SA"'),
    ("♠A", "'♠A'", '"SA"'),
    ("A♥", "'A♥'", '"HA"'),
    ("10", "'10'", '"ST"'),
    ("S10", "'S10'", '"ST"'),
    ("10S", "'10S'", '"ST"'),
    ("S1", "'S1'", "S H C D"),
    ("X9", "'X9'", "S H C D"),
    ("B", "'B'", '"SB"'),
    ("joker", "'joker'", '"HR"'),
    ("S3 C", "'C'", "S H C D"),
    ("S3, C3", "','", "S H C D"),
    ("S3 \N{FULLWIDTH LATIN CAPITAL LETTER S}4", "4'", "S H C D"),
    ("S3\0", "x00'", "S H C D"),
    ("-", "'-'", "S H C D"),
    ([""], "''", "S H C D"),
    (["S3 C3"], "'S3 C3'", "is not a card"),
    (["S3", "c3"], "'c3'", '"C3"'),
    ([54], "54", "0 to 53"),
    ([-1], "-1", "0 to 53"),
    ([3.0], "3.0", "0 to 53"),
    ([None], "None", "0 to 53"),
    ([b"S3"], "b'S3'", "0 to 53"),
    ([["S3"]], "['S3']", "0 to 53"),
    (b"S3", "b'S3'", "give a text"),
    (7, "7 is not a hand", '"S3 C3 HR"'),
    (1.5, "1.5 is not a hand", '"S3 C3 HR"'),
    (None, "None is not a hand", '"S3 C3 HR"'),
]


@pytest.mark.parametrize(("cards", "names", "hint"), NO_CARD, ids=repr)
def test_no_card(cards: Any, names: str, hint: str) -> None:
    for make in (
        gd.Hand,
        lambda cards: gd.legal_moves(cards, "2"),
        lambda cards: gd.readings(cards, "2"),
    ):
        with pytest.raises(gd.NotationError) as error:
            make(cards)
        assert names in str(error.value)
        assert hint in str(error.value)


@pytest.mark.parametrize("card", ["10", "s3", "S3 C3", 54, -1, None, 4.0, b"S3"])
def test_no_card_to_count(card: Any) -> None:
    with pytest.raises(gd.NotationError):
        gd.Hand("S3").count(card)
    with pytest.raises(gd.NotationError):
        assert card in gd.Hand("S3")


def test_too_many_copies() -> None:
    for make in (gd.Hand, lambda cards: gd.readings(cards, "2")):
        with pytest.raises(gd.StateError) as error:
            make("S3 S3 C4 S3 C4 C4 C4")
        assert error.value.problems == (
            "3 copies of S3, two decks hold 2",
            "4 copies of C4, two decks hold 2",
        )
        assert str(error.value) == "; ".join(error.value.problems)
        assert pickle.loads(pickle.dumps(error.value)).problems == error.value.problems


@pytest.mark.parametrize(
    "text",
    ["X" * 10**6, "S3" * 10**6, "S3 " * 10**6 + "x", "\ud800" * 10**6],
    ids=["letters", "cards", "spaced cards", "surrogates"],
)
def test_messages_of_huge_texts_are_short(text: Any) -> None:
    forms = [text, [text], [[text]], [text.encode("utf-8", "replace")], {text: 1}]
    for form in forms:
        with pytest.raises((gd.NotationError, gd.StateError)) as error:
            gd.Hand(form)
        assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    "number", [10**4000, 10**5000, -(10**4000)], ids=["+4000", "+5000", "-4000"]
)
def test_messages_of_huge_numbers_are_short(number: int) -> None:
    with pytest.raises(gd.NotationError) as error:
        gd.Hand([number])
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("counts", [[0] * 53, [0] * 55, [], [-1] + [0] * 53, np.zeros(53, int)])
def test_no_counts(counts: Any) -> None:
    with pytest.raises(ValueError, match="want 54 numbers of 0 to 2"):
        gd.Hand.from_counts(counts)


def test_counts_above_two() -> None:
    with pytest.raises(gd.StateError, match="3 copies of S2"):
        gd.Hand.from_counts([3] + [0] * 53)


@pytest.mark.parametrize("counts", [np.zeros(54), "abc", 7, None, [None] * 54])
def test_counts_of_other_types(counts: Any) -> None:
    with pytest.raises(TypeError):
        gd.Hand.from_counts(counts)


@pytest.mark.parametrize(
    ("once", "twice", "says"),
    [
        (0, 1, "S2 is in the plane of second copies alone"),
        (1 << 54, 0, "above the 54 kinds"),
        (1, 1 << 63, "above the 54 kinds"),
        (-1, 0, "-1 is not a plane"),
        (0, 1 << 64, "18446744073709551616 is not a plane"),
    ],
)
def test_no_planes(once: int, twice: int, says: str) -> None:
    with pytest.raises(gd.StateError, match=says):
        gd.Hand.from_planes(once, twice)


# --- Levels ---


@pytest.mark.parametrize(
    ("level", "hint"),
    [
        ("1", LEVELS),
        ("10", '"T"'),
        ("j", '"J"'),
        ("B", LEVELS),
        ("", LEVELS),
        ("23", LEVELS),
        (" 2", LEVELS),
        ("2" * 10**6, LEVELS),
        (b"2" * 10**6, LEVELS),
        (2, 'levels are texts, write "2"'),
        (10, 'levels are texts, write "T"'),
        (14, 'levels are texts, write "A"'),
        (0, LEVELS),
        (True, LEVELS),
        (None, LEVELS),
        (b"2", LEVELS),
        (["2"], LEVELS),
        (2.0, LEVELS),
        ({}, LEVELS),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_no_level(level: Any, hint: str) -> None:
    calls = (
        lambda: gd.legal_moves("S3", level),
        lambda: gd.count_moves("S3", level),
        lambda: gd.nth_move("S3", level, 0),
        lambda: gd.readings("S3", level),
        lambda: gd.Move.parse("single 3").beats("single 4", level),
        lambda: gd.Move.parse("single 3").wilds(level),
    )
    for call in calls:
        with pytest.raises(gd.NotationError) as error:
            call()
        assert repr(level)[:20] in str(error.value)
        assert hint in str(error.value)
        assert len(str(error.value)) < 200


# --- Deals ---


GOLDEN = {
    0: (
        "S2 C2 H3 C3 S4 C4 D4 C5 C5 H6 D6 S7 C8 C8 H9 D9 ST HT CT SJ HJ SQ DQ SK CA SB HR",
        "H2 D3 H4 C4 S5 H5 H5 S6 C7 D7 D8 S9 S9 D9 ST SJ HJ CJ DJ DJ HQ CQ DQ HK HK CK HA",
        "S2 H2 D2 S3 S3 H3 C3 D3 S4 H4 D5 S6 S7 H7 C7 S8 H8 H9 C9 C9 DT DT CQ HA DA DA HR",
        "C2 D2 D4 S5 D5 H6 C6 C6 D6 H7 D7 S8 H8 D8 HT CT CJ SQ HQ SK CK DK DK SA SA CA SB",
    ),
    7: (
        "D2 S4 H4 C5 D5 S6 H6 D6 D6 S7 C7 D7 D7 S8 C8 D8 C9 ST CT DT DT CQ DQ SA HA DA SB",
        "S2 S2 C2 S3 D3 D4 D4 D5 S6 H6 C6 C7 S9 C9 D9 HT DJ SQ SK HK CK CK DK DA SB HR HR",
        "C2 D2 S3 H3 C3 S4 C4 S5 S5 C5 C6 S7 H7 S8 H9 D9 ST HJ HJ CJ CJ HQ DQ SK HK SA CA",
        "H2 H2 H3 C3 D3 H4 C4 H5 H5 H7 H8 H8 C8 D8 S9 H9 HT CT SJ SJ DJ SQ HQ CQ DK HA CA",
    ),
}


@pytest.mark.parametrize("seed", GOLDEN)
def test_a_seed_is_a_contract(seed: int) -> None:
    assert tuple(map(str, gd.deal_hands(seed))) == GOLDEN[seed]


@given(st.integers(0, 2**64 - 1))
def test_deals(seed: int) -> None:
    dealt = gd.deal_hands(seed)
    assert isinstance(dealt, tuple)
    assert [[ref.NUMBERS[card] for card in hand] for hand in dealt] == plain.dealt(plain.Rng(seed))
    assert [len(hand) for hand in dealt] == [27] * 4
    assert sum((bag(hand) for hand in dealt), Counter()) == Counter([*CARDS, *CARDS])
    assert gd.deal_hands(np.uint64(seed)) == dealt


@pytest.mark.parametrize("seed", [-1, 2**64, 10**30])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=rf"seed={seed}: want an int from 0 to 2\*\*64 - 1"):
        gd.deal_hands(seed)


@pytest.mark.parametrize("seed", [None, "7", 7.0, b"7"])
def test_seeds_of_other_types(seed: Any) -> None:
    with pytest.raises(TypeError):
        gd.deal_hands(seed)

"""Kinds of move, moves and their text, readings, and what beats what."""

import copy
import itertools
import pickle
import random
from collections.abc import Iterator
from typing import Any, get_args

import pytest
import reference as ref
from hypothesis import given
from hypothesis import strategies as st

import guandan as gd

LEVELS = "23456789TJQKA"
NAMES: dict[str, Any] = {}
exec("from guandan import *", NAMES)

# The keys of each kind, lowest first, and its number of cards: rules, section 2.
KINDS = {
    "single": (LEVELS + "BR", 1),
    "pair": (LEVELS + "BR", 2),
    "triple": (LEVELS, 3),
    "full_house": (LEVELS, 5),
    "straight": (LEVELS[3:], 5),
    "tube": (LEVELS[1:], 6),
    "plate": (LEVELS, 6),
    "bomb4": (LEVELS, 4),
    "bomb5": (LEVELS, 5),
    "straight_flush": (LEVELS[3:], 5),
    "bomb6": (LEVELS, 6),
    "bomb7": (LEVELS, 7),
    "bomb8": (LEVELS, 8),
    "bomb9": (LEVELS, 9),
    "bomb10": (LEVELS, 10),
    "joker_bomb": ("-", 4),
}
BARE = [(kind, key) for kind, (keys, _) in KINDS.items() for key in keys]
SWITCHES = [
    ref.Switches(*values)
    for values in itertools.product(
        get_args(ref.Downgrade), (True, False), (True, False), (8, 9, 10)
    )
]
RULES = [(gd.Rules(**switches._asdict()), switches) for switches in SWITCHES]


def test_kinds() -> None:
    assert [kind.name.lower() for kind in gd.Kind] == ["pass", *KINDS]
    assert [int(kind) for kind in gd.Kind] == list(range(17))
    bombs = {kind.name.lower() for kind in gd.Kind if kind >= gd.Kind.BOMB4}
    assert bombs == {kind for kind in KINDS if "bomb" in kind or kind == "straight_flush"}
    numbers: list[Any] = [17, -1, 255, None, "pair"]
    for number in numbers:
        with pytest.raises(ValueError, match=f"{number!r} is not a valid Kind"):
            gd.Kind(number)


# --- Text ---


def rebuilt(move: gd.Move) -> list[gd.Move]:
    """Remake a move in every way there is."""
    return [
        gd.Move.parse(str(move)),
        eval(repr(move), NAMES),
        pickle.loads(pickle.dumps(move)),
        copy.copy(move),
        copy.deepcopy(move),
    ]


def test_kind_and_key_alone() -> None:
    for kind, key in BARE:
        move = gd.Move.parse(f"{kind} {key}")
        assert str(move) == f"{kind} {key}"
        assert repr(move) == f'Move.parse("{kind} {key}")'
        assert move.kind is gd.Kind[kind.upper()]
        assert (move.rank, move.size, move.cards) == (key, KINDS[kind][1], gd.Hand())
        assert move.wilds("2") == 0
        for other in rebuilt(move):
            assert other == move
            assert hash(other) == hash(move)
    assert len({gd.Move.parse(f"{kind} {key}") for kind, key in BARE}) == len(BARE)


def test_pass() -> None:
    move = gd.Move.parse("pass")
    assert (move.kind, move.rank, move.size, move.cards) == (gd.Kind.PASS, "-", 0, gd.Hand())
    assert (str(move), repr(move)) == ("pass", 'Move.parse("pass")')
    assert rebuilt(move) == [move] * 5
    assert gd.Move.parse(" pass\n") == move


def test_joker_bomb() -> None:
    move = gd.Move.parse("joker_bomb")
    assert move == gd.Move.parse("joker_bomb -")
    assert str(move) == "joker_bomb -"
    assert str(gd.Move.parse("joker_bomb - HR HR SB SB")) == "joker_bomb - SB SB HR HR"


@st.composite
def spelled_moves(draw: st.DrawFn) -> tuple[str, str, list[str], str]:
    """Draw a kind, a key, so many cards, and a text of them."""
    kind, key = draw(st.sampled_from(BARE))
    decks = st.sampled_from([*ref.CARDS, *ref.CARDS])
    size = KINDS[kind][1]
    cards = draw(
        st.lists(decks, min_size=size, max_size=size).filter(
            lambda cards: all(cards.count(card) <= 2 for card in cards)
        )
    )
    between = draw(st.sampled_from([" ", "", "  ", "\t"]))
    return kind, key, cards, f"{kind} {key} {between.join(cards)}"


@given(spelled_moves(), st.sampled_from(LEVELS))
def test_cards(spelled: tuple[str, str, list[str], str], level: str) -> None:
    kind, key, cards, text = spelled
    move = gd.Move.parse(text)
    assert str(move) == f"{kind} {key} {gd.Hand(cards)}"
    assert (move.kind, move.rank, move.size) == (gd.Kind[kind.upper()], key, len(cards))
    assert move.cards == gd.Hand(cards)
    assert move.wilds(level) == cards.count("H" + level)
    assert move != gd.Move.parse(f"{kind} {key}")
    for other in rebuilt(move):
        assert other == move
        assert hash(other) == hash(move)
        assert str(other) == str(move)


def test_moves_are_the_same_when_kind_key_and_cards_are() -> None:
    moves = [
        *("pair 3 S3 C3", "pair 4 S3 C3", "pair 3 S3 D3", "pair 3", "triple 3 S3 C3 D3"),
        *("bomb5 9 S9 C9 D9 H2 H2", "full_house 9 S9 C9 D9 H2 H2"),
    ]
    for a, b in itertools.product(moves, moves):
        assert (gd.Move.parse(a) == gd.Move.parse(b)) == (a == b)
    assert gd.Move.parse("pair 3 C3S3") == gd.Move.parse("pair 3 S3 C3")
    assert gd.Move.parse("pair 3 S3 C3") != "pair 3 S3 C3"


def test_a_move_is_made_from_text() -> None:
    with pytest.raises(TypeError, match=r"Move\.parse"):
        gd.Move()
    with pytest.raises(AttributeError):
        gd.Move.parse("pair 3").rank = "4"  # type: ignore[misc]


def test_the_likely_mistake_gets_the_hint() -> None:
    with pytest.raises(TypeError, match=r"Move\.parse"):
        gd.Move("pair 3 S3 C3")  # type: ignore[arg-type]


def test_a_move_without_init_is_the_pass() -> None:
    assert gd.Move.__new__(gd.Move) == gd.Move.parse("pass")


NO_MOVE = [
    ("", "empty", '"pass"'),
    (" \n", "empty", '"pass"'),
    ("bomb 9", "'bomb'", "bomb4 to bomb10"),
    ("bomb3 9", "'bomb3'", "bomb4 bomb5"),
    ("bomb11 9", "'bomb11'", "bomb9 bomb10"),
    ("Pair 3", "'Pair'", '"pair"'),
    ("PASS", "'PASS'", '"pass"'),
    ("full house 3", "'full'", "full_house"),
    ("S3 C3", "'S3'", "the kinds are pass single pair"),
    ("pair", "'pair' lacks its key", '"pair 2"'),
    ("straight", "'straight' lacks its key", '"straight 5"'),
    ("pair 10", "'10'", "write T"),
    ("pair t", "'t'", "2 3 4 5 6 7 8 9 T J Q K A B R"),
    ("pair -", "'-'", "2 3 4 5 6 7 8 9 T J Q K A B R"),
    ("pair S3", "'S3'", "2 3 4 5 6 7 8 9 T J Q K A B R"),
    ("triple B", "'B'", "2 3 4 5 6 7 8 9 T J Q K A"),
    ("full_house R", "'R'", "2 3 4 5 6 7 8 9 T J Q K A"),
    ("straight 4", "'4'", "5 6 7 8 9 T J Q K A"),
    ("straight_flush 2", "'2'", "5 6 7 8 9 T J Q K A"),
    ("tube 2", "'2'", "3 4 5 6 7 8 9 T J Q K A"),
    ("bomb4 B", "'B'", "2 3 4 5 6 7 8 9 T J Q K A"),
    ("joker_bomb R", "'R'", "-"),
    ("joker_bomb SB SB HR HR", "'SB'", "-"),
    ("pass -", "'pass -'", '"pass"'),
    ("pass S3", "'pass S3'", 'write "pass"'),
    ("pair 3 S3", "'pair 3 S3'", "2"),
    ("pair 3 S3 C3 D3", "'pair 3 S3 C3 D3'", "2"),
    ("pair 3 10 10", "'10'", '"ST"'),
    ("pair 3 s3 c3", "'s3'", '"S3"'),
    ("pair 3 pair", "'pair'", "S H C D"),
    (b"pair 3", "b'pair 3'", '"pair 3 S3 C3"'),
    (5, "5", '"pair 3 S3 C3"'),
    (None, "None", '"pair 3 S3 C3"'),
    (["pair 3"], "['pair 3']", '"pair 3 S3 C3"'),
    (1.5, "1.5", '"pair 3 S3 C3"'),
    ({}, "{}", '"pair 3 S3 C3"'),
]


@pytest.mark.parametrize(("text", "names", "hint"), NO_MOVE, ids=lambda value: repr(value)[:30])
def test_no_move(text: Any, names: str, hint: str) -> None:
    calls: list[Any] = [gd.Move.parse, lambda text: gd.Move.parse("pass").beats(text, "2")]
    if text is not None:
        calls.append(lambda text: gd.legal_moves("S3", "2", beat=text))
        calls.append(lambda text: gd.count_moves("S3", "2", beat=text))
    for call in calls:
        with pytest.raises(gd.NotationError) as error:
            call(text)
        assert names in str(error.value)
        assert hint in str(error.value)


def test_too_many_copies_in_a_move() -> None:
    with pytest.raises(gd.StateError, match="3 copies of S3"):
        gd.Move.parse("triple 3 S3 S3 S3")


@pytest.mark.parametrize("start", ["", "pair ", "pair 3 ", "pass ", "single 3 S3 "])
@pytest.mark.parametrize("rest", ["x", "S3", "S3 ", "\ud800", " x"])
def test_messages_of_huge_texts_are_short(start: str, rest: str) -> None:
    with pytest.raises((gd.NotationError, gd.StateError)) as error:
        gd.Move.parse(start + rest * 10**6)
    assert len(str(error.value)) < 250


@given(st.text() | st.lists(st.sampled_from([*KINDS, *LEVELS, *ref.CARDS, "-", ""])).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        move = gd.Move.parse(text)
    except (gd.NotationError, gd.StateError):
        return
    assert gd.Move.parse(str(move)) == move


# --- What beats what ---


@pytest.mark.parametrize("level", LEVELS)
def test_beats(level: str) -> None:
    moves = [(gd.Move.parse(" ".join(reading)), reading) for reading in BARE]
    for (a, reading_a), (b, reading_b) in itertools.product(moves, moves):
        assert a.beats(b, level) == ref.beats(reading_a, reading_b, level), (a, b)


def test_beats_reads_text_and_ignores_cards() -> None:
    move = gd.Move.parse("pair 2 S2 H2")
    assert move.beats("pair A", level="2")
    assert not move.beats("pair A SA SA", level="3")
    assert not move.beats(move, level="2")


def test_a_pass_neither_beats_nor_is_beaten() -> None:
    nothing = gd.Move.parse("pass")
    for reading in BARE:
        move = gd.Move.parse(" ".join(reading))
        assert not move.beats(nothing, "2")
        assert not nothing.beats(move, "2")
    assert not nothing.beats(nothing, "2")


# --- Readings ---


def selections(n: int, seed: int) -> Iterator[tuple[list[int], str]]:
    """Draw selections that are mostly combos or nearly so, each with a level."""
    rng = random.Random(seed)
    for _ in range(n):
        level = rng.choice(LEVELS)
        kind = rng.choice(ref.KINDS[1:]).replace("straight_flush", "straight")
        groups = rng.choice([groups for shape, _, groups in ref.SHAPES if shape == kind])
        suits = rng.choice([[0], [1], [0, 1], [0, 1, 2, 3]])
        cards: list[int] = []
        for rank in (rank for rank, size in groups for _ in range(size)):
            kinds = [52, 53] if rank > 12 else [rank * 4 + suit for suit in range(4)]
            card = rank + 39 if rank > 12 else rank * 4 + rng.choice(suits)
            if rng.random() < 0.25:
                card = ref.wild_of(level)
            elif rng.random() < 0.04:
                card = rng.randrange(54)
            # A third copy becomes another card of the rank.
            cards += [other for other in (card, *kinds) if cards.count(other) < 2][:1]
        yield cards, level


def test_readings() -> None:
    found = set()
    for cards, level in selections(3000, seed=1):
        hand = gd.Hand(cards)
        for rules, switches in RULES:
            moves = gd.readings(hand, level, rules=rules)
            readings = [(move.kind.name.lower(), move.rank) for move in moves]
            assert set(readings) == ref.readings(cards, level, switches), (hand, level, rules)
            assert all(move.cards == hand for move in moves)
            order = [
                (move.kind, ref.key_order(move.rank, level, kind))
                for move, (kind, _) in zip(moves, readings, strict=True)
            ]
            assert order == sorted(set(order)), (hand, level, rules)
            found |= set(readings)
    assert found == set(BARE)


@pytest.mark.parametrize(
    ("cards", "level", "want"),
    [
        ("", "2", []),
        ("S3 C4", "2", []),
        ("SB HR", "2", []),
        ("HR H2", "2", []),
        ("H2", "2", ["single 2 H2"]),
        ("H2 H2", "2", ["pair 2 H2 H2"]),
        ("S9 C9 D9 H2 H2", "2", ["full_house 9 H2 H2 S9 C9 D9", "bomb5 9 H2 H2 S9 C9 D9"]),
        ("S4 C5 D6 S7 H2", "2", ["straight 7 H2 S4 C5 D6 S7", "straight 8 H2 S4 C5 D6 S7"]),
        (
            "S7 C7 S8 C8 H2 H2",
            "2",
            [f"{move} H2 H2 S7 C7 S8 C8" for move in ("tube 8", "tube 9", "plate 8")],
        ),
        ("S2 C2 D2 H2 H2", "2", ["full_house 2 S2 H2 H2 C2 D2", "bomb5 2 S2 H2 H2 C2 D2"]),
        ("SA S2 S3 S4 S5", "7", ["straight_flush 5 S2 S3 S4 S5 SA"]),
        ("SQ SK SA S2 C3", "7", []),
        ("SB SB HR HR", "2", ["joker_bomb - SB SB HR HR"]),
        ("S2 S2 S3 S3 S4 S4 S5 S5 S6 S6 S7", "2", []),
    ],
)
def test_readings_of_the_rules(cards: str, level: str, want: list[str]) -> None:
    for form in (cards, gd.Hand(cards), cards.split()):
        assert list(map(str, gd.readings(form, level))) == want


def test_all_cards_make_nothing() -> None:
    assert gd.readings(gd.Hand.from_counts([2] * 54), "2") == []


@pytest.mark.parametrize("rules", ["opengd", 0, gd.Rules, {"bomb_max": 8}, True])
def test_rules_of_other_types(rules: Any) -> None:
    for call in (gd.readings, gd.legal_moves, gd.count_moves):
        with pytest.raises(TypeError, match="rules: want a Rules"):
            call("S3", "2", rules=rules)


class Switched:
    """Has switches, but is no Rules."""

    def __init__(self, switches: int) -> None:
        self.switches = switches


@pytest.mark.parametrize("switches", [64, 256, 768, 1 << 40])
def test_switches_that_there_are_not(switches: int) -> None:
    rules: Any = Switched(switches)
    with pytest.raises((TypeError, ValueError)):
        gd.readings("S3", "2", rules=rules)

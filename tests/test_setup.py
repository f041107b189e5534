"""Positions as they are given: what can be wrong with them, their text, and what errors leave."""

import contextlib
import copy
import itertools
import json
import pickle
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_deal as ref_deal

import guandan as gd

ENDGAMES = Path(__file__).parent / "data" / "endgames.jsonl"
LEVELS = "23456789TJQKA"
EXAMPLE = "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2"
HANDS = ["S3", "S4", "S5", "S6"]
# Four hands of 26 cards, an odd card apart.
LARGE = [ref.CARDS[0:26], ref.CARDS[26:52], ref.CARDS[0:26], ref.CARDS[26:52]]
LARGE_TEXT = "/".join("".join(hand) for hand in LARGE)


def state(hands: Any = HANDS, **arguments: Any) -> gd.State:
    return gd.State(hands, **{"level": "2", "turn": 0, **arguments})


def attempt(make: Callable[..., gd.State], *arguments: Any, **named: Any) -> gd.State | ValueError:
    """The position, or the error of the package that is raised instead; others pass through."""
    try:
        return make(*arguments, **named)
    except (gd.NotationError, gd.StateError) as error:
        return error


def problems(text: str, **rules: Any) -> tuple[str, ...]:
    """All that is wrong with a readable text."""
    found = attempt(gd.State.parse, text, gd.Rules(**rules))
    if isinstance(found, gd.State):
        return ()
    assert isinstance(found, gd.StateError)
    assert str(found) == "; ".join(found.problems)
    return found.problems


def walk(
    seed: int, rules: gd.Rules | None = None, deals: int = 1, suits: Any = "one"
) -> Iterator[gd.State]:
    """Every position of some deals played at random; the states are not copies."""
    rng = random.Random(seed)
    for _ in range(deals):
        deal = gd.State.deal(rng.choice(LEVELS), rng.getrandbits(64), rules=rules)
        yield deal
        while not deal.is_over:
            deal.push(rng.choice(deal.legal_moves(suits)))
            yield deal


# --- What is wrong, one by one ---


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("S3S3S3/S4/S5/S6 2 0 - -", "3 copies of S3 (seat 0), two decks hold 2"),
        ("S3S3/S4/S5S3/S6 2 0 - -", "3 copies of S3 (seat 0, seat 2), two decks hold 2"),
        ("HRHR/HR/HR/S6 2 0 - -", "4 copies of HR (seat 0, seat 1, seat 2), two decks hold 2"),
        (
            "S3/S3/S5/S6 2 0 3:single:3:S3 -",
            "3 copies of S3 (seat 0, seat 1, the table), two decks hold 2",
        ),
        (
            "S4/S3/S5/S6 2 0 3:pair:3:S3S3 -",
            "3 copies of S3 (seat 1, the table), two decks hold 2",
        ),
        (f"{LARGE_TEXT}SBSB 2 0 - -", "seat 3 holds 28 cards, 27 are dealt"),
        ("S3/S4/S5/S6 2 0 - 1", "seat 1 is in out, but holds cards"),
        ("S3/-/S5/S6 2 0 - -", "seat 1 holds no cards, but is not in out"),
        ("-/-/-/- 2 - - 012", "seat 3 holds no cards, but is not in out"),
        ("S3/-/S5/S6 2 0 - 11", "seat 1 is 2 times in out"),
        (
            "-/S4/-/- 2 - - 023",
            "seat 3 is in out, but with seats 0 and 2 out the deal was over",
        ),
        ("S3/-/S5/S6 2 1 - 1", "it is the turn of seat 1, which is out"),
        ("S3/S4/S5/S6 2 - - -", "there is no turn, but the deal is not over"),
        ("-/S4/S5/S6 2 - - 0", "there is no turn, but the deal is not over"),
        ("-/-/S5/S6 2 - - 01", "there is no turn, but the deal is not over"),
        ("-/S4/-/S6 2 1 - 02", "with seats 0 and 2 out the deal is over: no turn, no table"),
        ("S3/-/S4/- 2 0 - 31", "with seats 3 and 1 out the deal is over: no turn, no table"),
        ("-/-/-/S6 2 3 - 012", "with seats 0 and 1 and 2 out the deal is over: no turn, no table"),
        (
            "-/S4/-/S6 2 - 2:single:9 02",
            "with seats 0 and 2 out the deal is over: no turn, no table",
        ),
        ("S3/S4/S5/S6 2 0 0:single:9 -", "seat 0 owns the table and cannot have the turn"),
        ("-/-/S5/S6 2 2 0:single:9 01", "seat 0 owns the table, but seats ran out after it"),
        (
            f"{LARGE_TEXT} 2 0 3:pair:R -",
            "seat 3 holds 26 cards and owns a table of 2, 27 are dealt",
        ),
        ("HR/HR/S5/S6 2 0 3:pair:R -", "the cards in no hand do not make the table's pair R"),
        (
            "HR/S4/S5/S6 2 0 3:joker_bomb:- -",
            "the cards in no hand do not make the table's joker_bomb -",
        ),
        (
            "S3/S4/S5/S6 2 0 3:pair:9:S9CT -",
            "pair 9 S9 CT cannot be: at level 2 these cards make no move",
        ),
        (
            "S3/S4/S5/S6 2 0 3:pair:T:S9C9 -",
            "pair T S9 C9 cannot be: at level 2 these cards make pair 9",
        ),
        (
            "S3/S4/S5/S6 9 0 3:bomb9:9 -",
            "bomb9 9 cannot be: at level 9 a bomb of 9 has at most 8 cards",
        ),
    ],
)
def test_each_problem_alone(text: str, problem: str) -> None:
    assert problems(text) == (problem,)


@pytest.mark.parametrize(
    ("table", "rules", "problem"),
    [
        ("bomb10:9", {}, None),
        ("bomb9:9", {"bomb_max": 9}, None),
        (
            "bomb10:9",
            {"bomb_max": 9},
            "bomb10 9 cannot be: by these rules a bomb of 9 has at most 9 cards",
        ),
        (
            "bomb9:9",
            {"bomb_max": 8},
            "bomb9 9 cannot be: by these rules a bomb of 9 has at most 8 cards",
        ),
        ("straight:6:H2S3S4S5S6", {}, None),
        (
            "straight:6:H2S3S4S5S6",
            {"straight_flush_downgrade": "forbid"},
            "straight 6 H2 S3 S4 S5 S6 cannot be: at level 2 these cards make "
            "straight_flush 6, straight_flush 7",
        ),
        ("full_house:3:S3C3D3SBSB", {}, None),
        (
            "full_house:3:S3C3D3SBSB",
            {"full_house_joker_pair": False},
            "full_house 3 S3 C3 D3 SB SB cannot be: at level 2 these cards make no move",
        ),
    ],
)
def test_the_table_is_one_of_the_rules(
    table: str, rules: dict[str, Any], problem: str | None
) -> None:
    assert problems(f"S3/S4/S5/S6 2 0 3:{table} -", **rules) == ((problem,) if problem else ())


def test_an_owner_or_a_table_alone() -> None:
    # No text can say so.
    with pytest.raises(gd.StateError) as error:
        state(table="pair 9 S9 C9")
    assert error.value.problems == ("pair 9 S9 C9 is on the table, but no seat owns it",)
    with pytest.raises(gd.StateError) as error:
        state(owner=3)
    assert error.value.problems == ("seat 3 owns the table, but nothing is on it",)


# --- Several problems together ---


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "S3S3S3/-/H9H9H9H9/S6 2 1 1:single:9 3",
            [
                "3 copies of S3 (seat 0), two decks hold 2",
                "4 copies of H9 (seat 2), two decks hold 2",
                "seat 1 holds no cards, but is not in out",
                "seat 3 is in out, but holds cards",
                "seat 1 owns the table and cannot have the turn",
            ],
        ),
        (
            # What is wrong with `out` itself hides nothing else that is.
            "S3/-/S5/- 2 0 1:single:9 1111",
            ["seat 1 is 4 times in out", "seat 3 holds no cards, but is not in out"],
        ),
        (
            "-/-/-/S6 2 2 - 0231",
            [
                "seat 3 is in out, but with seats 0 and 2 out the deal was over",
                "seat 1 is in out, but with seats 0 and 2 out the deal was over",
                "seat 3 is in out, but holds cards",
                "with seats 0 and 2 out the deal is over: no turn, no table",
                "it is the turn of seat 2, which is out",
            ],
        ),
        (
            "-/S3/-/S3 2 2 0:pair:9:S9D8 02",
            [
                "with seats 0 and 2 out the deal is over: no turn, no table",
                "it is the turn of seat 2, which is out",
                "seat 0 owns the table, but seats ran out after it",
                "pair 9 D8 S9 cannot be: at level 2 these cards make no move",
            ],
        ),
        (
            LARGE_TEXT.replace("DA/", "DASB/", 1) + "HRHR 2 - 1:plate:3 -",
            [
                "seat 3 holds 28 cards, 27 are dealt",
                "there is no turn, but the deal is not over",
                "seat 1 holds 27 cards and owns a table of 6, 27 are dealt",
                "the cards in no hand do not make the table's plate 3",
            ],
        ),
    ],
)
def test_all_problems_are_listed(text: str, found: list[str]) -> None:
    assert list(problems(text)) == found


def test_state_errors_keep_their_problems_through_pickling() -> None:
    with pytest.raises(gd.StateError) as error:
        state(["", "S3", "S3S3", "S4"], turn=None)
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.problems) == (str(error.value), error.value.problems)
    assert len(again.problems) == 3


# --- Arguments ---


@pytest.mark.parametrize("seat", [-1, 4, 255, 256, 1 << 32, 1 << 64, -(1 << 200)])
def test_seats_out_of_range(seat: int) -> None:
    shown = str(seat) if seat > -(1 << 199) else "an int of 201 bits"
    for argument in ("turn", "owner"):
        with pytest.raises(gd.StateError, match=f"^{argument} {shown} is no seat: want 0, 1, 2 or"):
            state(table="single 9", **{"owner": 3, argument: seat})
    with pytest.raises(gd.StateError, match=f"^out: {shown} is no seat: want 0, 1, 2 or 3"):
        state(out=[seat])


@pytest.mark.parametrize(
    "hands",
    [
        *([], HANDS[:3], [*HANDS, "S7"], iter(HANDS[1:])),
        # One hand, which is no sequence of four even where it has four cards.
        *("S3", "S3S4", b"S3S4", "S3/S4/S5/S6", gd.Hand("S3"), gd.Hand("S3 S4 S5 S6")),
    ],
)
def test_hands_that_are_not_four(hands: Any) -> None:
    with pytest.raises(gd.StateError, match="want the hands of seats 0 to 3, one by one"):
        state(hands)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hands": [*HANDS[:3], "S10"]}, gd.NotationError, r"seat 3: 'S10' .* write \"ST\""),
        ({"hands": [3, *HANDS[1:]]}, gd.NotationError, "seat 0: 3 is not a hand: give a text"),
        ({"hands": [None, *HANDS[1:]]}, gd.NotationError, "seat 0: None is not a hand"),
        ({"hands": [b"S3", *HANDS[1:]]}, gd.NotationError, "seat 0: b'S3' is not a hand"),
        ({"hands": ["S3", [54], *HANDS[2:]]}, gd.NotationError, "seat 1: 54 is not a kind of card"),
        ({"level": 2}, gd.NotationError, 'levels are texts, write "2"'),
        ({"level": "10"}, gd.NotationError, 'write "T"'),
        ({"level": "B"}, gd.NotationError, "'B' is not a level: a level is one of 2 3 4"),
        ({"level": None}, gd.NotationError, "None is not a level"),
        ({"table": "pass", "owner": 1}, gd.NotationError, "a pass is no table: .* None"),
        ({"table": "bomb 9", "owner": 1}, gd.NotationError, "say its size: bomb4 to bomb10"),
        ({"table": ("pair", "9"), "owner": 1}, gd.NotationError, "is not a move's text, such as"),
        ({"table": "pair 9 S9 S9 S9", "owner": 1}, gd.StateError, "3 copies of S9"),
        ({"hands": None}, TypeError, "not iterable"),
        ({"turn": "0"}, TypeError, "integer"),
        ({"turn": 1.0}, TypeError, "integer"),
        ({"owner": "1", "table": "pair 9"}, TypeError, "integer"),
        ({"out": ["0"]}, TypeError, "integer"),
        ({"out": [None]}, TypeError, "integer"),
        ({"out": None}, TypeError, "not iterable"),
        ({"rules": "opengd"}, TypeError, "want a Rules, such as .* got 'opengd'"),
    ],
)
def test_arguments_that_cannot_be_read(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        state(**arguments)


def test_arguments_have_many_forms() -> None:
    class Text(str):
        pass

    want = gd.State.parse("S3S4/H9SB/-/C2C2 7 0 3:pair:9 2")
    hand = gd.Hand("S3 S4")
    one: dict[str, Any] = {"level": "7", "turn": 0, "table": "pair 9", "owner": 3, "out": [2]}
    first: Any
    for first in (hand, "S4 S3", ["S4", "S3"], [8, 4], iter([4, 8]), np.array([4, 8]), {4, "S4"}):
        assert gd.State([first, "SBH9", "", ("C2", 2)], **one) == want
    others = {
        "level": Text("7"),
        "turn": np.int64(0),
        "table": gd.Move.parse("pair 9 S9 C9"),
        "owner": np.uint8(3),
        "out": iter([np.int8(2)]),
        "rules": gd.Rules(),
    }
    for name, value in others.items():
        hands: Any = iter([hand, "H9SB", gd.Hand(), "C2C2"])
        assert gd.State(hands, **{**one, name: value}) == want
    assert gd.State.parse(Text(str(want))) == want
    given = gd.State(["S3", "S4", "S5", "S6"], level="2", turn=np.int64(1))
    assert type(given.turn) is int


def test_errors_of_the_arguments_own_pass_through() -> None:
    def broken() -> Iterator[int]:
        yield 0
        raise KeyError("mine")

    class Broken:
        def __index__(self) -> int:
            raise KeyError("mine")

    cases: list[dict[str, Any]] = [{"out": broken()}, {"turn": Broken()}, {"hands": broken()}]
    for arguments in cases:
        with pytest.raises(KeyError, match="mine"):
            state(**arguments)


# --- Text ---


def test_positions_of_played_deals_round_trip() -> None:
    names = ["jiangsu2023", "seed000", "opengd", "pagat"]
    tables = set()
    for seed, rules in enumerate(map(gd.Rules.preset, names)):
        for played in walk(seed, rules, deals=12):
            text = str(played)
            again = gd.State.parse(text, rules=rules)
            assert again == played
            assert again.key == played.key
            assert str(again) == text
            assert again.table == played.table
            assert again.history == ()
            assert repr(again) == repr(played)
            if played.table is not None:
                assert len(played.table.cards) == played.table.size
                tables.add(played.table.kind)
    assert tables >= set(gd.Kind) - {
        gd.Kind.PASS,
        *list(gd.Kind)[gd.Kind.BOMB8 : gd.Kind.JOKER_BOMB],
    }


def test_repr_evaluates_back() -> None:
    names = {"State": gd.State, "Rules": gd.Rules}
    for rules in map(gd.Rules.preset, gd.Rules.presets()):
        one = gd.State.parse(EXAMPLE, rules)
        assert eval(repr(one), names) == one
        assert eval(repr(one), names).rules == rules


def test_order_of_cards_and_spaces_are_free() -> None:
    rng = random.Random(3)
    for played in itertools.islice(walk(3, deals=4), 0, None, 5):
        text = str(played)
        *hands, rest = text.split("/")
        last, level, turn, table, out = rest.split()
        if table.count(":") == 3:
            head, _, cards = table.rpartition(":")
            table = f"{head}:{loose(cards, rng)}"
        mixed = "/".join(f" {loose(hand, rng)} " for hand in [*hands, last])
        again = gd.State.parse(f"{mixed} {level}  {turn} {table}\t{out}\n")
        assert (str(again), again.table) == (text, played.table)


def loose(cards: str, rng: random.Random) -> str:
    """The same cards in another order, with spaces here and there."""
    texts = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    rng.shuffle(texts)
    return "".join(text + rng.choice(["", "", " ", "  "]) for text in texts).strip()


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        EXAMPLE.replace("pair:2", "pair:2:S2D2"),
        "S3/S4/S5/S6 2 0 3:joker_bomb:- -",
        "S3/S4/S5/S6 2 0 3:joker_bomb:-:SBSBHRHR -",
        "S3/S4/S5/S6 2 0 3:bomb10:9:H2H2S9S9H9H9C9C9D9D9 -",
        "S3/S4/S5/S6 2 0 3:straight:5:S2S3C4S5SA -",
        "-/S4/S5/S6 2 1 0:single:R:HR 0",
        "-/S4/-/S6 2 - - 20",
        "-/-/-/S6 2 - - 012",
        "S6/-/-/- A - - 231",
        f"{LARGE_TEXT} A 3 - -",
    ],
)
def test_text_round_trips(text: str) -> None:
    assert str(gd.State.parse(text)) == text


def test_a_joker_bomb_may_leave_its_key_out() -> None:
    text = "S3/S4/S5/S6 2 0 3:joker_bomb -"
    assert str(gd.State.parse(text)) == text.replace("bomb", "bomb:-")


def test_what_a_text_does_not_carry() -> None:
    one = gd.State.parse(EXAMPLE)
    assert one != gd.State.parse(EXAMPLE, gd.Rules(bomb_max=9))
    assert str(one) == str(gd.State.parse(EXAMPLE, gd.Rules(bomb_max=9)))
    one.push("pass")
    assert gd.State.parse(str(one)) == one
    assert gd.State.parse(str(one)).history == ()


MALFORMED = [
    ("", "'' has 0 slashes, want 3"),
    ("pair 3 S3 C3", "'pair 3 S3 C3' has 0 slashes, want 3 .* such as S4S5D9/SBHR"),
    ("S3/S4/S5 2 0 - -", "has 2 slashes, want 3"),
    ("S3/S4/S5/S6/S7 2 0 - -", "has 4 slashes, want 3"),
    ("/" * 10000, "/ \\.\\.\\. has 10000 slashes"),
    ("///", "has 0 words after the hands"),
    ("S3/S4/S5/S6", "has 0 words after the hands, want level, turn, table and out: such as S4S5"),
    ("S3/S4/S5/S6 2 0 -", "has 3 words after the hands"),
    ("S3/S4/S5/S6 0 - -", "has 3 words after the hands"),
    ("S3/S4/S5/ 2 0 - -", "has 3 words after the hands"),
    ("/S4/S5/S6 2 0 - -", 'seat 0: a hand without cards is written "-"'),
    ("S3/ /S5/S6 2 0 - -", 'seat 1: a hand without cards is written "-"'),
    ("--/S4/S5/S6 2 0 - -", "seat 0: '--' is not a card"),
    ("S3/S4/S5/- S6 2 0 - -", "seat 3: '-' is not a card"),
    ("S3/S4/S5S/S6 2 0 - -", "seat 2: 'S' is not a card"),
    ("S3/S4/s5/S6 2 0 - -", "seat 2: 's5' is not a card: write \"S5\""),
    ("S3/4S/S5/S6 2 0 - -", "seat 1: '4S' is not a card: write \"S4\""),
    ("♠3/S4/S5/S6 2 0 - -", "seat 0: '♠3' is not a card: write \"S3\""),
    ("S10/S4/S5/S6 2 0 - -", "seat 0: 'S10' is not a card: write \"ST\""),
    ("S3/S4/S5/S10 2 0 - -", "seat 3: 'S10' is not a card: write \"ST\""),
    ("BJ/S4/S5/S6 2 0 - -", 'seat 0: .*the small joker is "SB", the big one "HR"'),
    ("S3/S4/S5/S6 10 0 - -", "'10' is not a level: write \"T\""),
    ("S3/S4/S5/S6 j 0 - -", "'j' is not a level: write \"J\""),
    ("S3/S4/S5/S6 1 0 - -", "'1' is not a level: a level is one of 2 3 4"),
    ("S3/S4/S5/S6 - 0 - -", "'-' is not a level: a level is one of 2 3 4"),
    ("S3/S4/S5/S6 2 4 - -", "turn '4': want a seat, 0 to 3, or \"-\" for none"),
    ("S3/S4/S5/S6 2 -1 - -", "turn '-1': want a seat"),
    ("S3/S4/S5/S6 2 00 - -", "turn '00': want a seat"),
    ("S3/S4/S5/S6 2 ０ - -", "turn '０': want a seat"),
    ("S3/S4/S5/S6 2 None - -", "turn 'None': want a seat"),
    ("S3/S4/S5/S6 2 0 - 4", "out '4': want a seat"),
    ("S3/S4/S5/S6 2 0 - 0,1", "out ',': want a seat"),
    ("S3/S4/S5/S6 2 0 - --", "out '-': want a seat"),
    ("S3/S4/S5/S6 2 0 - 0 1", "table '- 0': want seat:kind:key or seat:kind:key:cards, or \"-\""),
    ("S3/S4/S5/S6 2 0 - - -", "table '- -': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 -- -", "table '--': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1 -", "table '1': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 pair:9 -", "table 'pair': want a seat"),
    ("S3/S4/S5/S6 2 0 4:pair:9 -", "table '4': want a seat"),
    ("S3/S4/S5/S6 2 0 1: -", "table '1:': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1::pair:9 -", "table '1::pair:9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9: -", "table '1:pair:9:': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9:C9 -", "table '1:pair:9:S9:C9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair 9 -", "table '1:pair 9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pair:9 S9 C9 -", "table '1:pair:9 S9 C9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1 :pair:9 -", "table '1 :pair:9': want seat:kind:key"),
    ("S3/S4/S5/S6 2 0 1:pass -", "a pass is no table"),
    ("S3/S4/S5/S6 2 0 1:pair -", "'pair' lacks its key: write such as \"pair 2\""),
    ("S3/S4/S5/S6 2 0 1:pair:x -", "'x' is not a key of a pair: its keys are 2 3"),
    ("S3/S4/S5/S6 2 0 1:pair:10 -", "'10' is not a key of a pair: write T for the ten"),
    ("S3/S4/S5/S6 2 0 1:Pair:9 -", "'Pair' is not a kind of move: write \"pair\""),
    ("S3/S4/S5/S6 2 0 1:bomb:9 -", "'bomb' is not a kind of move: say its size"),
    ("S3/S4/S5/S6 2 0 1:straight:4 -", "'4' is not a key of a straight: its keys are 5 6"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9 -", "'pair 9 S9' has 1 cards, a pair has 2"),
    ("S3/S4/S5/S6 2 0 1:pair:9:S9x9 -", "'x9' is not a card"),
    ("S3/S4/S5/S6 2 0 1:joker_bomb:SBSBHRHR -", "'SBSBHRHR' is not a key of a joker_bomb"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed_text(text: str, message: str) -> None:
    with pytest.raises(gd.NotationError, match=message) as error:
        gd.State.parse(text)
    # However long the text is, the message can be read.
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("text", [None, 5, b"S3/S4/S5/S6 2 0 - -", ["S3"], gd.Hand("S3")])
def test_what_is_no_text(text: Any) -> None:
    with pytest.raises(gd.NotationError, match="is not a state's text, such as S4S5D9/SBHR/-/C2C2"):
        gd.State.parse(text)


# --- Mutated lines ---


def lines() -> list[str]:
    """Texts of positions to be mutated: of whole deals, endgames and finished deals."""
    found = [str(one) for one in walk(8, deals=3, suits="all")][::3]
    rows = [json.loads(line) for line in ENDGAMES.read_text("utf-8").splitlines()]
    for row in rows:
        kind, key, owner = row["table"] or (None, None, None)
        table = f"{owner}:{kind}:{key}" if kind else "-"
        hands = "/".join(hand.replace(" ", "") or "-" for hand in row["hands"])
        out = "".join(map(str, row["out"])) or "-"
        found.append(f"{hands} {row['level']} {row['turn']} {table} {out}")
    # Short texts, where a change is more often still a position.
    small = ["S3/H4/C5/D6", "S3S3/SB/HR/H2", "-/S4/S5/-"]
    for hands, table, level in itertools.product(small, ["-", "0:single:9", "0:pair:9:H9D9"], "2A"):
        out, turn = ("03", "1") if hands[0] == "-" else ("-", "1")
        found.append(
            f"{hands} {level} {turn} {table} {out}".replace("0:", "0:" if out == "-" else "3:")
        )
    return [*found, "-/S4/-/S6 2 - - 20", "S6/-/-/- A - - 231", EXAMPLE]


TOKENS = [
    *(
        "S3",
        "H2",
        "SB",
        "HR",
        "S10",
        "BJ",
        "♠3",
        "S",
        "2",
        "T",
        "10",
        "B",
        "0",
        "1",
        "3",
        "4",
        "01",
    ),
    *("-", "/", ":", " ", "pair", "single:9", "0:pair:9", "pass", "bomb", "bomb10:9", "joker_bomb"),
    *("\0", "\n", "\u2003", "\ud800", "é", "０", "٣", "\U0001f0a1", "None", "[]", "%s", "{}", "\\"),
]


def delete(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice([1, 1, 2, 3]) :]


def insert(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text) + 1)
    return text[:start] + rng.choice(TOKENS) + text[start:]


def put(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + rng.choice(TOKENS) + text[start + rng.choice([1, 2]) :]


def swap(text: str, rng: random.Random) -> str:
    shuffled = list(text)
    one, other = rng.choices(range(len(text)), k=2)
    shuffled[one], shuffled[other] = text[other], text[one]
    return "".join(shuffled)


def swap_words(text: str, rng: random.Random) -> str:
    words = re.split(r"([/ :])", text)
    one, other = rng.choices(range(len(words)), k=2)
    words[one], words[other] = words[other], words[one]
    return "".join(words)


def repeat(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    size = rng.choice([1, 2, 2, 4, 8])
    return text[: start + size] + text[start:]


def change_card(text: str, rng: random.Random) -> str:
    """Another card, mostly one of the same text, in the place of one or before it."""
    places = [card.start() for card in re.finditer("[SHCD][2-9TJQKA]|SB|HR", text)]
    if not places:
        return text
    place, other = rng.choices(places, k=2)
    card = rng.choice([text[other : other + 2], rng.choice(ref.CARDS)])
    return text[:place] + card + text[place + rng.choice([0, 2]) :]


def change_sign(text: str, rng: random.Random) -> str:
    """Another digit or rank in the place of one."""
    places = [place for place, sign in enumerate(text) if sign in "0123456789TJQKA"]
    place = rng.choice(places or [0])
    return text[:place] + rng.choice("0123456789TJQKA-") + text[place + 1 :]


def replace_word(text: str, rng: random.Random) -> str:
    words = text.split(" ")
    words[rng.randrange(len(words))] = rng.choice([*TOKENS, *"0123-"])
    return " ".join(words)


MUTATIONS = [
    *(delete, insert, put, swap, swap_words, repeat, replace_word),
    *(change_card, change_card, change_card, change_sign, change_sign),
]


def signs(text: str) -> list[str]:
    """What a text says, whatever the order of the cards: its signs that are no separators."""
    return sorted(sign for sign in text if sign != "-" and not sign.isspace())


def holds(one: gd.State) -> bool:
    """Whether the reference finds nothing wrong, the table's cards included."""
    deal = ref_deal.parse_deal(str(one))
    shown = [ref.NUMBERS[card] for card in one.table.cards] if one.table else []
    if shown and deal.table not in ref.readings(shown, one.level):
        return False
    held = list(itertools.chain(shown, *deal.hands))
    return max(map(held.count, held)) <= 2 and not ref_deal.problems(deal)


def test_mutated_lines() -> None:
    rng = random.Random(20)
    sources = lines()
    outcomes = {"State": 0, "NotationError": 0, "StateError": 0}
    for _ in range(10_000):
        source = text = rng.choice(sources)
        for _ in range(rng.choice([1, 1, 1, 2, 2, 4])):
            text = rng.choice(MUTATIONS)(text or "-", rng)
        one = attempt(gd.State.parse, text)
        outcomes[type(one).__name__] += 1
        assert str(one)
        if isinstance(one, ValueError):
            continue
        where = f"{source!r} -> {text!r}"
        # Nothing has been lost, added or moved to another hand.
        full = re.sub(r"(joker_bomb)(?=\s)", r"\1:", text)  # the key, a dash, may be missing
        assert signs(str(one)) == signs(full), where
        for part, hand in zip(text.split("/")[:3], one.hands, strict=False):
            assert signs(part) == signs(str(hand)), where
        again = gd.State.parse(str(one))
        assert (again, str(again)) == (one, str(one)), where
        assert holds(one), where
    # Every outcome is common, or the lines are not worth their name.
    assert min(outcomes.values()) > 500, outcomes


@pytest.mark.parametrize(
    "text",
    [
        "S3" * 100_000 + "/S4/S5/S6 2 0 - -",
        "S3/S4/S5/S6 2 0 - -" + " " * 100_000,
        "S3/S4/S5/" + "S6 " * 100_000 + "2 0 - -",
        "S3/S4/S5/S6 " + "2 " * 100_000,
        "S3/S4/S5/S6 2 0 - " + "0" * 100_000,
        "S3/S4/S5/S6 2 " + "0" * 100_000 + " - -",
        "S3/S4/S5/S6 2 0 3:pair:9:" + "S9" * 100_000 + " -",
        "S3/S4/S5/S6 2 0 " + "3:" * 100_000 + "pair:9 -",
        "x" * 1_000_000,
        "/" * 1_000_000,
    ],
)
def test_huge_text(text: str) -> None:
    one = attempt(gd.State.parse, text)
    if isinstance(one, gd.State):
        assert str(one) == text.strip()
    else:
        assert len(str(one)) < 250


# --- Agreement with the reference ---


def set_up(rng: random.Random) -> dict[str, Any]:
    """The arguments of a position, most of them near one that a deal can come to."""
    level = rng.choice(LEVELS)
    deck = rng.sample([*range(54)] * 2, 108)
    # Of nearly all cards few tables can be made.
    most = rng.choice([1, 1, 2, 4, 10, 27, 27])
    hands = [deck[27 * seat :][: rng.randint((most + 1) // 2, most)] for seat in range(4)]
    out = rng.sample(range(4), rng.choice([0, 0, 0, 1, 1, 2, 2, 3]))
    for seat in out:
        hands[seat] = []
    left = [seat for seat in range(4) if seat not in out]
    over = ref_deal.decided(out)
    turn = None if over else rng.choice(left)
    owner = table = None
    if not over and rng.random() < 0.7:
        owner = rng.choice([seat for seat in [*left, *out[-1:]] if seat != turn] or left)
        table = rng.choice(ref.SHAPES)[:2]
        if table[0] == "straight" and rng.random() < 0.5:
            table = ("straight_flush", table[1])
    for _ in range(rng.choice([0, 0, 1, 1, 1, 2, 3])):
        change = rng.randrange(8)
        if change == 0:
            hands[rng.randrange(4)].append(rng.choice(deck))
        elif change == 1:
            hands[rng.randrange(4)] = []
        elif change == 2:
            out = rng.choices(range(4), k=rng.randint(0, 4))
        elif change == 3:
            out = out[1:] + out[:1]
        elif change == 4:
            turn = rng.choice([None, 0, 1, 2, 3])
        elif change == 5:
            owner = rng.choice([None, 0, 1, 2, 3])
        elif change == 6:
            table = None if table else ("single", "9")
        else:
            hands[rng.randrange(4)] += rng.sample(deck, 4)
    return {
        "hands": hands,
        "level": level,
        "turn": turn,
        "owner": owner,
        "out": out,
        "table": table,
    }


def test_positions_are_refused_when_the_reference_finds_problems() -> None:
    rng = random.Random(5)
    refused = 0
    n = 2500
    for _ in range(n):
        given = set_up(rng)
        switches = ref.Switches(
            straight_flush_downgrade=rng.choice(["any", "other_suit", "forbid"]),
            level_full_house_by_wilds=rng.random() < 0.5,
            full_house_joker_pair=rng.random() < 0.5,
            bomb_max=rng.choice([8, 9, 10]),
        )
        want = ref_deal.problems(ref_deal.Deal(**given, switches=switches))
        refused += bool(want)
        rules = gd.Rules(**switches._asdict())
        table = given["table"] and " ".join(given["table"])
        one = attempt(gd.State, **{**given, "table": table, "rules": rules})
        assert isinstance(one, gd.StateError) == bool(want), (given, switches, want, one)
        if not want:
            assert str(one) == ref_deal.text(ref_deal.Deal(**given))
    assert n / 4 < refused < n * 3 / 4


def test_tables_with_cards_are_those_of_the_reference() -> None:
    rng = random.Random(6)
    refused = 0
    n = 1000
    for _ in range(n):
        level = rng.choice(LEVELS)
        wild = ref.wild_of(level)
        # Four or five cards of few ranks and a wild or two: many make something.
        few = rng.sample(range(13), 2)
        cards = [rng.choice(few) * 4 + rng.randrange(4) for _ in range(5)]
        if rng.random() < 0.4:
            bottom = rng.randrange(9)
            suits = rng.choice([[1], [3], [0, 1, 2, 3]])
            cards = [rank * 4 + rng.choice(suits) for rank in range(bottom, bottom + 5)]
        cards = [wild if rng.random() < 0.2 else card for card in cards]
        cards = [card for card in cards if cards.count(card) < 3][: rng.choice([1, 2, 5, 5, 5, 5])]
        some = sorted(ref.readings(cards, level)) or [("single", "3")]
        table = rng.choice([*some, rng.choice(some)])
        if ref_deal.size_of(table[0]) != len(cards):
            continue
        hands = [[card] for card in rng.sample(range(54), 4)]
        switches = ref.Switches(
            straight_flush_downgrade=rng.choice(["any", "other_suit", "forbid"])
        )
        held = list(itertools.chain(cards, *hands))
        made = table in ref.readings(cards, level, switches)
        want = made and max(map(held.count, held)) <= 2
        refused += not want
        text = f"{table[0]} {table[1]} {' '.join(ref.CARDS[card] for card in cards)}"
        rules = gd.Rules(**switches._asdict())
        one = attempt(gd.State, hands, level=level, turn=0, table=text, owner=3, rules=rules)
        assert isinstance(one, gd.State if want else gd.StateError), (text, level, switches, one)
        if isinstance(one, gd.State):
            assert one.table == gd.Move.parse(text)
    assert 0 < refused < n


# --- Nothing is changed by an error ---


def snapshot(one: gd.State) -> tuple[Any, ...]:
    return str(one), one.key, one.history, one.table, one.legal_moves(), one.copy()


def refused(
    one: gd.State, move: Any, error: type[Exception] = gd.IllegalMoveError, legal: bool = False
) -> str:
    """The message with which a move is refused; nothing is changed by it."""
    before = snapshot(one)
    with pytest.raises(error) as caught:
        one.push(move)
    assert type(caught.value) is error
    if issubclass(error, gd.IllegalMoveError | gd.AmbiguousMoveError):
        assert one.is_legal(move) is legal
    assert snapshot(one) == before
    return str(caught.value)


def begun(text: str, *moves: str, **rules: Any) -> gd.State:
    """A position with a history."""
    one = gd.State.parse(text, gd.Rules(**rules))
    for move in moves:
        one.push(move)
    return one


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("pass", "seat 1 leads and may not pass"),
        ("S9", "S9: seat 1 lacks S9"),
        ("S5 S9 HR", "S5 S9 HR: seat 1 lacks S9 HR"),
        ("S5 S5", "S5 S5: seat 1 lacks S5"),
        ("single 9 S9", "single 9 S9: seat 1 lacks S9"),
        ("pair 5 S5 S5", "pair 5 S5 S5: seat 1 lacks S5"),
        ("pair 5 S5 C6", "pair 5 S5 C6 cannot be: at level 2 these cards make no move"),
        ("single 6 S5", "single 6 S5 cannot be: at level 2 these cards make single 5"),
        ("straight 8 S5 C6 S7 S8 C9", "straight 8 S5 C6 S7 S8 C9 cannot be: .* make straight 9"),
        ("S5 C6", "S5 C6 make no move at level 2"),
        ("single 5", "single 5 lacks its cards: say which are played"),
        ("joker_bomb", "joker_bomb - lacks its cards: say which are played"),
        ("bomb10 5", "bomb10 5 lacks its cards: say which are played"),
    ],
)
def test_illegal_leads(move: str, message: str) -> None:
    one = begun("S3S3/S5C6S7S8C9H5/HR/S6 2 1 - -", "H5", "pass", "pass", "pass")
    assert (one.turn, one.table) == (1, None)
    text = refused(one, move)
    assert re.search(f"^{message}$", text)
    if " " in move and move[0].islower():
        assert refused(one, gd.Move.parse(move)) == text


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("single 3 S3", "single 3 S3 does not beat the single 5 on the table"),
        ("S3", "single 3 S3 does not beat the single 5 on the table"),
        ("single 5 C5", "single 5 C5 does not beat the single 5 on the table"),
        ("pair 9 S9 C9", "pair 9 S9 C9 does not beat the single 5 on the table"),
        ("S9 C9", "pair 9 S9 C9 does not beat the single 5 on the table"),
        ("single 9", "single 9 lacks its cards: say which are played"),
        ("HR", "HR: seat 2 lacks HR"),
    ],
)
def test_illegal_replies(move: str, message: str) -> None:
    one = begun("S3/S5S6/S3C5S9C9/S6 2 1 - -", "S5")
    assert refused(one, move) == message


@pytest.mark.parametrize("move", ["pass", "S4", "single 4 S4", "single 4", "S9"])
def test_no_move_when_the_deal_is_over(move: str) -> None:
    one = begun("S3/S4S4/S5/S6 2 0 - -", "S3", "pass", "S5")
    assert one.is_over
    assert refused(one, move) == f"{move}: the deal is over"


@pytest.mark.parametrize(
    ("text", "cards", "rules", "message"),
    [
        (
            "S4C5D6S7H2/S3/S3/S9 2 0 - -",
            "S4 C5 D6 S7 H2",
            {},
            "H2 S4 C5 D6 S7 can be several moves, say which: "
            "straight 7 H2 S4 C5 D6 S7, straight 8 H2 S4 C5 D6 S7",
        ),
        (
            "S9C9D9H2H2/S3/S3/S8 2 0 - -",
            "S9C9D9H2H2",
            # No rule chooses between kinds.
            {"straight_reading": "low", "full_house_reading": "low"},
            "H2 H2 S9 C9 D9 can be several moves, say which: "
            "full_house 9 H2 H2 S9 C9 D9, bomb5 9 H2 H2 S9 C9 D9",
        ),
        (
            "S7C7S8C8H2H2/S3/S3/S9 2 0 - -",
            "H2 H2 S7 C7 S8 C8",
            {"straight_reading": "high"},
            "H2 H2 S7 C7 S8 C8 can be several moves, say which: tube 8 H2 H2 S7 C7 S8 C8, "
            "tube 9 H2 H2 S7 C7 S8 C8, plate 8 H2 H2 S7 C7 S8 C8",
        ),
        (
            # The readings that do not beat the table are not among them.
            "S7C7S8C8H2H2/S3/S3/S9 2 0 3:tube:6 -",
            ["S7", "C7", "S8", "C8", "H2", "H2"],
            {},
            "H2 H2 S7 C7 S8 C8 can be several moves, say which: "
            "tube 8 H2 H2 S7 C7 S8 C8, tube 9 H2 H2 S7 C7 S8 C8",
        ),
    ],
)
def test_ambiguous_cards(text: str, cards: Any, rules: dict[str, Any], message: str) -> None:
    one = begun(text, **rules)
    assert refused(one, cards, gd.AmbiguousMoveError) == message
    for reading in message.partition("which: ")[2].split(", "):
        again = one.copy()
        assert str(again.push(reading)) == reading


@pytest.mark.parametrize(
    ("move", "error", "message"),
    [
        ("", gd.NotationError, 'an empty text is no move: write "pass", or such as'),
        ("  ", gd.NotationError, "an empty text is no move"),
        ([], gd.NotationError, 'no cards are no move: to pass write "pass"'),
        (gd.Hand(), gd.NotationError, 'no cards are no move: to pass write "pass"'),
        ("PASS", gd.NotationError, "'PASS' is not a kind of move: write \"pass\""),
        ("pass S3", gd.NotationError, "'S3' is not a key of a pass"),
        ("Single 3 S3", gd.NotationError, "'Single' is not a kind of move: write \"single\""),
        ("single", gd.NotationError, "'single' lacks its key: write such as \"single 2\""),
        ("single 10 ST", gd.NotationError, "write T for the ten"),
        ("single 3 S3 C3", gd.NotationError, "has 2 cards, a single has 1"),
        ("bomb 3", gd.NotationError, "'bomb' is not a kind of move: say its size"),
        ("S10", gd.NotationError, "'S10' is not a card: write \"ST\""),
        ("♠3", gd.NotationError, "'♠3' is not a card: write \"S3\""),
        ("\ud800", gd.NotationError, "is not a card"),
        ("x" * 100_000, gd.NotationError, "is not a kind of move"),
        (["S3", 54], gd.NotationError, "54 is not a kind of card: they are 0 to 53"),
        (None, gd.NotationError, "None is not a hand"),
        (3, gd.NotationError, "3 is not a hand"),
        (b"S3", gd.NotationError, "b'S3' is not a hand"),
        ("S3S3S3", gd.StateError, "3 copies of S3, two decks hold 2"),
        ("triple 3 S3S3S3", gd.StateError, "3 copies of S3, two decks hold 2"),
    ],
)
def test_unreadable_moves(move: Any, error: type[Exception], message: str) -> None:
    one = begun("S3S4/S5S6/S3/S6 2 0 - -", "S3")
    assert message in refused(one, move, error)


def test_no_text_raises_anything_but_the_errors_of_the_package() -> None:
    rng = random.Random(9)
    errors = (gd.NotationError, gd.StateError, gd.IllegalMoveError, gd.AmbiguousMoveError)
    one = begun("S3S4H2/S5C5S6C6H2/S3/S6 2 0 - -", "S3")
    before = snapshot(one)
    moves = ["pass", "S5", "S5 H2", "pair 5 S5 C5", "tube 6 S5 C5 S6 C6 H2 H2", "bomb4 5"]
    for _ in range(3000):
        move = rng.choice(moves)
        for _ in range(rng.choice([1, 1, 2, 3])):
            move = rng.choice(MUTATIONS)(move or "-", rng)
        with contextlib.suppress(*errors):
            assert one.push(move) == one.history[-1]
            one.pop()
        assert snapshot(one) == before


# --- What a State is given from outside ---


def test_a_state_that_is_set_up_anew() -> None:
    one = begun("S3S4/S5S6/S3/S6 2 0 - -", "S3")
    before = snapshot(one)
    with pytest.raises(gd.StateError):
        one.__init__(["S3"], level="2", turn=0)
    assert snapshot(one) == before
    one.__init__(HANDS, level="2", turn=0)
    assert (one, one.history, one.table) == (state(), (), None)


def test_moves_that_change_the_state_while_they_are_read() -> None:
    one = begun("S3S4S5/S6S7/S8/S9 2 0 - -")

    def playing(*cards: str) -> Iterator[str]:
        yield cards[0]
        one.push("S4")
        yield from cards[1:]

    # The turn is then that of seat 1.
    with pytest.raises(gd.IllegalMoveError, match="S3: seat 1 lacks S3"):
        one.push(playing("S3"))
    assert (str(one), len(one.history)) == ("S3S5/S6S7/S8/S9 2 1 0:single:4:S4 -", 1)
    one.pop()
    one.push(playing("S6"))
    assert [str(move) for move in one.history] == ["single 4 S4", "single 6 S6"]


COPIES: list[Callable[[gd.State], gd.State]] = [
    gd.State.copy,
    copy.copy,
    copy.deepcopy,
    *(
        lambda one, protocol=protocol: pickle.loads(pickle.dumps(one, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ),
]


@pytest.mark.parametrize("make", COPIES)
def test_copies_half_way_go_their_own_way(make: Callable[[gd.State], gd.State]) -> None:
    # The table's cards at the start are known, and are to be known again after the pops.
    rules = gd.Rules.preset("seed000")
    one = gd.State.parse("S3S4/S5S6/S8SB/S6 2 0 3:single:2:H2 -", rules)
    for move in ("pass", "pass", "SB", "pass", "pass"):
        one.push(move)
        other = make(one)
        assert snapshot(other)[:-1] == snapshot(one)[:-1]
        assert other.rules == rules
        while other.history:
            other.pop()
        assert str(other) == "S3S4/S5S6/S8SB/S6 2 0 3:single:2:H2 -"
    assert len(one.history) == 5
    with pytest.raises(IndexError, match="no move has been played"):
        other.pop()
    assert str(other) == "S3S4/S5S6/S8SB/S6 2 0 3:single:2:H2 -"


def test_long_histories() -> None:
    # The room of the history grows in steps; a copy has just the room it needs.
    for seed in range(5):
        texts = []
        for one in walk(seed):
            texts.append(str(one))
            if len(texts) % 16 == 0:
                one = one.copy()
        other = pickle.loads(pickle.dumps(one))
        assert (other, other.history) == (one, one.history)
        for text in reversed(texts):
            assert (str(one), str(other)) == (text, text)
            if one.history:
                assert one.pop() == other.pop()
        assert len(texts) > 70

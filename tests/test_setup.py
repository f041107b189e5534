"""Positions as they are given by arguments: what can be wrong with them."""

import itertools
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_deal as ref_deal
from positions import HANDS, LARGE_TEXT, attempt, problems, state

import guandan as gd

LEVELS = "23456789TJQKA"


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
        ("-/-/-/S6 2 3 - 012", "with seats 0, 1 and 2 out the deal is over: no turn, no table"),
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
        ({"hands": None}, TypeError, "hands None: want those of seats 0 to 3"),
        ({"turn": "0"}, TypeError, "turn '0' is no seat: want 0"),
        ({"turn": 1.0}, TypeError, "turn 1.0 is no seat"),
        ({"owner": "1", "table": "pair 9"}, TypeError, "owner '1' is no seat"),
        ({"out": ["0"]}, TypeError, "out: '0' is no seat"),
        ({"out": [None]}, TypeError, "out: None is no seat"),
        ({"out": None}, TypeError, "out None: want the seats that are out"),
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

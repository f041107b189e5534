"""Moves that are refused, and that nothing is changed by it."""

import contextlib
import copy
import pickle
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mutations import MUTATIONS
from positions import HANDS, state
from test_state import walk

import guandan as gd

LEVELS = "23456789TJQKA"


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
        ("pass S3", gd.NotationError, "'pass S3': a pass has no key"),
        ("Single 3 S3", gd.NotationError, "'Single' is not a kind of move: write \"single\""),
        ("single", gd.NotationError, "'single' lacks its key: write such as \"single 2\""),
        ("single 10 ST", gd.NotationError, "write T for the ten"),
        ("single 3 S3 C3", gd.NotationError, "a single has 1 card, not 2"),
        ("bomb 3", gd.NotationError, "'bomb' is not a kind of move: say its size"),
        ("S10", gd.NotationError, "'S10' is not a card: write \"ST\""),
        ("♠3", gd.NotationError, "'♠3' is not a card: write \"S3\""),
        ("\ud800", gd.NotationError, "is not a card"),
        ("x" * 100_000, gd.NotationError, "is not a kind of move"),
        (["S3", 54], gd.NotationError, "54 is not a kind of card: they are 0 to 53"),
        (None, gd.NotationError, "None is no move: give a Move"),
        (3, gd.NotationError, "3 is no move: give a Move"),
        (b"S3", gd.NotationError, "b'S3' is no move: give a Move"),
        ("S3S3S3", gd.IllegalMoveError, "3 copies of S3, two decks hold 2"),
        ("triple 3 S3S3S3", gd.IllegalMoveError, "3 copies of S3, two decks hold 2"),
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

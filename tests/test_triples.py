"""Moves and cards as the AI platforms write them, and back."""

import json
import random
import re
from typing import Any

import pytest

import guandan as gd
from guandan.triples import (
    from_cards,
    from_return,
    from_tribute,
    from_triple,
    to_cards,
    to_return,
    to_tribute,
    to_triple,
)

LEVELS = "23456789TJQKA"
# One of each kind, and both ends of each run: a level, a move and its action.
PAIRS: list[tuple[str, str, list[Any]]] = [
    ("2", "pass", ["PASS", "PASS", "PASS"]),
    ("2", "single 5 D5", ["Single", "5", ["D5"]]),
    ("2", "single 2 H2", ["Single", "2", ["H2"]]),
    ("2", "single B SB", ["Single", "B", ["SB"]]),
    ("2", "single R HR", ["Single", "R", ["HR"]]),
    ("9", "pair 4 H4 C4", ["Pair", "4", ["H4", "C4"]]),
    ("9", "pair 4 C4 H9", ["Pair", "4", ["C4", "H9"]]),
    ("9", "pair 9 H9 H9", ["Pair", "9", ["H9", "H9"]]),
    ("9", "pair R HR HR", ["Pair", "R", ["HR", "HR"]]),
    ("9", "triple T HT CT DT", ["Trips", "T", ["HT", "CT", "DT"]]),
    ("2", "full_house K S6 C6 SK CK H2", ["ThreeWithTwo", "K", ["H2", "S6", "C6", "SK", "CK"]]),
    ("2", "full_house 6 S6 C6 SK CK H2", ["ThreeWithTwo", "6", ["H2", "S6", "C6", "SK", "CK"]]),
    ("2", "full_house 3 S3 C3 D3 SB SB", ["ThreeWithTwo", "3", ["S3", "C3", "D3", "SB", "SB"]]),
    ("7", "straight 5 SA C2 S3 S4 S5", ["Straight", "A", ["C2", "S3", "S4", "S5", "SA"]]),
    ("7", "straight 6 C2 S3 S4 S5 S6", ["Straight", "2", ["C2", "S3", "S4", "S5", "S6"]]),
    ("7", "straight A CT SJ SQ SK SA", ["Straight", "T", ["CT", "SJ", "SQ", "SK", "SA"]]),
    ("2", "straight 7 H2 S4 C5 D6 S7", ["Straight", "3", ["H2", "S4", "C5", "D6", "S7"]]),
    ("2", "straight 8 H2 S4 C5 D6 S7", ["Straight", "4", ["H2", "S4", "C5", "D6", "S7"]]),
    ("7", "tube 3 SA CA S2 C2 S3 C3", ["ThreePair", "A", ["S2", "C2", "S3", "C3", "SA", "CA"]]),
    ("7", "tube 4 S2 C2 S3 C3 S4 C4", ["ThreePair", "2", ["S2", "C2", "S3", "C3", "S4", "C4"]]),
    ("7", "tube A SQ CQ SK CK SA CA", ["ThreePair", "Q", ["SQ", "CQ", "SK", "CK", "SA", "CA"]]),
    ("2", "tube 8 H2 H2 S7 C7 S8 C8", ["ThreePair", "6", ["H2", "H2", "S7", "C7", "S8", "C8"]]),
    ("2", "tube 9 H2 H2 S7 C7 S8 C8", ["ThreePair", "7", ["H2", "H2", "S7", "C7", "S8", "C8"]]),
    ("2", "plate 8 H2 H2 S7 C7 S8 C8", ["TwoTrips", "7", ["H2", "H2", "S7", "C7", "S8", "C8"]]),
    ("7", "plate 2 SA CA DA S2 C2 D2", ["TwoTrips", "A", ["S2", "C2", "D2", "SA", "CA", "DA"]]),
    ("7", "plate 3 S2 C2 D2 S3 C3 D3", ["TwoTrips", "2", ["S2", "C2", "D2", "S3", "C3", "D3"]]),
    ("7", "plate A SK CK DK SA CA DA", ["TwoTrips", "K", ["SK", "CK", "DK", "SA", "CA", "DA"]]),
    (
        "7",
        "straight_flush 5 CA C2 C3 C4 C5",
        ["StraightFlush", "A", ["C2", "C3", "C4", "C5", "CA"]],
    ),
    (
        "7",
        "straight_flush A CT CJ CQ CK CA",
        ["StraightFlush", "T", ["CT", "CJ", "CQ", "CK", "CA"]],
    ),
    (
        "3",
        "straight_flush 8 H3 C5 C6 C7 C8",
        ["StraightFlush", "4", ["H3", "C5", "C6", "C7", "C8"]],
    ),
    ("3", "straight 8 H3 C5 C6 C7 C8", ["Straight", "4", ["H3", "C5", "C6", "C7", "C8"]]),
    ("2", "full_house 9 H2 H2 S9 C9 D9", ["ThreeWithTwo", "9", ["H2", "H2", "S9", "C9", "D9"]]),
    ("2", "bomb5 9 H2 H2 S9 C9 D9", ["Bomb", "9", ["H2", "H2", "S9", "C9", "D9"]]),
    ("2", "bomb4 9 H2 S9 C9 D9", ["Bomb", "9", ["H2", "S9", "C9", "D9"]]),
    (
        "2",
        "bomb10 9 H2 H2 S9 S9 H9 H9 C9 C9 D9 D9",
        ["Bomb", "9", ["H2", "H2", "S9", "S9", "H9", "H9", "C9", "C9", "D9", "D9"]],
    ),
    ("2", "joker_bomb - SB SB HR HR", ["FourKings", "B", ["SB", "SB", "HR", "HR"]]),
]


@pytest.mark.parametrize(("level", "text", "triple"), PAIRS, ids=[text for _, text, _ in PAIRS])
def test_a_move_and_its_action(level: str, text: str, triple: list[Any]) -> None:
    move = gd.Move.parse(text)
    assert to_triple(move) == triple
    assert from_triple(triple, level) == from_triple(triple) == move
    assert from_triple(tuple(triple), level) == move
    if move.cards:
        # The order of cards is the sender's.
        assert from_triple([*triple[:2], triple[2][::-1]], level) == move


def test_every_kind_is_here() -> None:
    kinds = {gd.Move.parse(text).kind for _, text, _ in PAIRS}
    assert kinds >= set(gd.Kind) - {gd.Kind[f"BOMB{size}"] for size in range(5, 10)}


def drawn_hands(n: int) -> list[tuple[gd.Hand, str]]:
    """Draw hands of many sizes, every level as often, with more wilds than chance gives."""
    rng = random.Random(11)
    hands = []
    for i in range(n):
        level = LEVELS[i % 13]
        deck = [*gd.CARDS, *gd.CARDS]
        deck.remove(f"H{level}")
        deck.remove(f"H{level}")
        wilds = [f"H{level}"] * rng.choice((0, 1, 1, 2))
        # Few ranks, so that there are bombs and plates.
        low = rng.randrange(13)
        near = [card for card in deck if card[1] in "23456789TJQKA23456"[low : low + 6]]
        cards = rng.sample(near if rng.random() < 0.6 else deck, rng.randint(1, 13))
        hands.append((gd.Hand([*cards, *wilds]), level))
    # The largest bombs, which chance does not give.
    for level, rank in zip(LEVELS, LEVELS[5:] + LEVELS[:5], strict=True):
        nines = [suit + rank for suit in "SHCD"] * 2
        hands.append((gd.Hand([*nines, f"H{level}", f"H{level}", *["SB", "HR"] * 2]), level))
    return hands


def test_every_move_of_many_hands_is_read_back() -> None:
    """Leads and replies of three thousand hands; no two moves have one action."""
    rng = random.Random(12)
    kinds = set()
    for hand, level in drawn_hands(3000):
        leads = gd.legal_moves(hand, level)
        moves = [*leads, *gd.legal_moves(hand, level, beat=rng.choice(leads))]
        kinds |= {move.kind for move in moves}
        written: dict[str, gd.Move] = {}
        for move in moves:
            text = json.dumps(to_triple(move))
            assert from_triple(json.loads(text), level) == move
            assert written.setdefault(text, move) == move
    assert kinds == set(gd.Kind)


def test_the_rank_of_a_natural_run_is_its_lowest_card() -> None:
    for hand, level in drawn_hands(300):
        for move in gd.legal_moves(hand, level):
            word, rank, cards = to_triple(move)
            if word not in ("Straight", "StraightFlush", "ThreePair", "TwoTrips"):
                continue
            if move.wilds(level):
                continue
            ranks = {card[1] for card in cards}
            low = min(ranks, key=LEVELS.index)
            assert rank == ("A" if {"A", "2"} <= ranks else low)


@pytest.mark.parametrize(
    ("triple", "said"),
    [
        (None, "want [type, rank, cards]"),
        ([None, None, None], "want [type, rank, cards]"),
        ("PASS", "want [type, rank, cards]"),
        (["Single", "5"], "want [type, rank, cards]"),
        ([["Single"], "5", ["D5"]], "want [type, rank, cards]"),
        (["PASS", "5", ["D5"]], 'a pass is ["PASS", "PASS", "PASS"]'),
        (["PASS", "PASS", ["D5"]], 'a pass is ["PASS", "PASS", "PASS"]'),
        (["single", "5", ["D5"]], "'single' is not a type of move: there are Single Pair Trips"),
        (["tribute", "tribute", ["D5"]], "'tribute' is not a type of move"),
        (["Rocket", "B", ["SB", "SB", "HR", "HR"]], "'Rocket' is not a type of move"),
        (["Single", 5, ["D5"]], '5 is not a rank: want a text such as "T"'),
        (["Single", "10", ["DT"]], "'10' is not a rank"),
        (["Single", "", ["DT"]], "'' is not a rank"),
        (["Single", "X", ["D5"]], "'X' is not a key of a single"),
        (["Trips", "B", ["SB", "SB", "SB"]], "3 copies of SB"),
        (["Trips", "B", ["SB", "SB", "HR"]], "'B' is not a key of a triple"),
        (["Single", "5", "D5"], "want a list of cards"),
        (["Single", "5", None], "want a list of cards"),
        (["Single", "5", [5]], "want a list of cards"),
        (["Single", "5", ["5D"]], "'5D' is not a card"),
        (["Single", "5", ["D5 D5"]], "is not a card"),
        (["Single", "5", []], "a Single has 1 card"),
        (["Pair", "5", ["D5"]], "a Pair has 2 cards, not 1"),
        (["Bomb", "5", ["D5", "D5", "S5"]], "a Bomb has 4 to 10 cards, not 3"),
        (["FourKings", "4", ["SB", "SB", "HR", "HR"]], "'4' is not the rank of FourKings"),
        (["Straight", "J", ["SJ", "SQ", "SK", "SA", "C2"]], "no Straight starts at 'J': its ranks"),
        (["ThreePair", "K", ["SK"] * 2], "no ThreePair starts at 'K': its ranks are A 2 3 4 5 6"),
        (["TwoTrips", "B", ["SK"] * 2], "no TwoTrips starts at 'B'"),
    ],
)
def test_actions_that_cannot_be_read(triple: Any, said: str) -> None:
    with pytest.raises((gd.NotationError, gd.StateError), match=re.escape(said)):
        from_triple(triple)


@pytest.mark.parametrize(
    ("triple", "level", "made"),
    [
        (["Pair", "5", ["D5", "S6"]], "2", "no move"),
        (["Pair", "5", ["D5", "H2"]], "3", "no move"),
        (["Single", "5", ["H2"]], "2", "single 2 H2"),
        (["Straight", "2", ["S2", "S3", "S4", "S5", "S6"]], "9", "straight_flush 6"),
        (["StraightFlush", "2", ["C2", "S3", "S4", "S5", "S6"]], "9", "straight 6"),
        (["Straight", "5", ["S4", "C5", "D6", "S7", "H2"]], "2", "straight 7 H2 S4"),
        (["Bomb", "5", ["S5", "C5", "D5", "SB"]], "2", "no move"),
    ],
)
def test_cards_that_do_not_make_the_move(triple: list[Any], level: str, made: str) -> None:
    assert to_triple(from_triple(triple))[:2] == triple[:2]
    with pytest.raises(gd.IllegalMoveError, match=f"at level {level} these cards make {made}"):
        from_triple(triple, level)


def test_rules_decide_what_cards_make() -> None:
    triple = ["ThreeWithTwo", "2", ["S2", "C2", "D2", "H2", "H2"]]
    assert str(from_triple(triple, "2")) == "full_house 2 S2 H2 H2 C2 D2"
    with pytest.raises(gd.IllegalMoveError, match="these cards make bomb5 2"):
        from_triple(triple, "2", gd.Rules.preset("opengd"))
    with pytest.raises(TypeError, match="rules"):
        from_triple(triple, "2", "opengd")  # type: ignore[arg-type]
    with pytest.raises(gd.NotationError, match='levels are texts, write "2"'):
        from_triple(triple, 2)  # type: ignore[arg-type]


def test_other_spellings() -> None:
    plate = ["SK", "CK", "DK", "SA", "CA", "DA"]
    assert from_triple(["TripsPair", "K", plate]) == from_triple(["TwoTrips", "K", plate])
    jokers = ["HR", "SB", "HR", "SB"]
    assert from_triple(["FourKings", "R", jokers]) == from_triple(["FourKings", "B", jokers])
    for rank, cards in (("PASS", []), ("PASS", None), (None, None)):
        assert from_triple(["PASS", rank, cards]) == gd.Move.parse("pass")


def test_moves_that_are_no_action() -> None:
    for text in ("single 5", "straight A", "bomb4 9", "joker_bomb"):
        with pytest.raises(gd.NotationError, match="lacks its cards"):
            to_triple(gd.Move.parse(text))
    with pytest.raises(TypeError, match="'single 5 D5': want a Move"):
        to_triple("single 5 D5")  # type: ignore[arg-type]


def test_hands() -> None:
    for seed in range(50):
        for hand in gd.deal_hands(seed):
            cards = to_cards(hand)
            assert len(cards) == 27
            assert from_cards(json.loads(json.dumps(cards))) == hand
            assert from_cards(cards[::-1]) == hand
    assert from_cards([]) == gd.Hand()
    for other in (None, "S2", ["S2", 3], {"S2": 1}):
        with pytest.raises(gd.NotationError, match="want a list of cards"):
            from_cards(other)
    with pytest.raises(gd.StateError, match="3 copies of S2"):
        from_cards(["S2", "S2", "S2"])


def test_tributes_and_returns() -> None:
    for card in gd.CARDS:
        assert to_tribute(card) == ["tribute", "tribute", [card]]
        assert to_return(card) == ["back", "back", [card]]
        assert from_tribute(to_tribute(card)) == from_return(to_return(card)) == card
    for read, other in ((from_tribute, to_return), (from_return, to_tribute)):
        with pytest.raises(gd.NotationError, match="want"):
            read(other("SA"))
    for triple in (
        ["tribute", "SA", ["SA"]],
        ["tribute", "tribute", []],
        ["tribute", "tribute", ["SA", "SA"]],
        ["tribute", "tribute", "SA"],
        ["tribute", "tribute", ["AS"]],
        ["Single", "A", ["SA"]],
        None,
    ):
        with pytest.raises(gd.NotationError):
            from_tribute(triple)
    with pytest.raises(gd.NotationError, match="'AS' is not a card"):
        to_tribute("AS")

"""The reference rules against the test data, the bare definitions and the examples of the rules."""

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, get_args

import pytest
import reference as ref
from recorded import cases, rows

ALL_SWITCHES = [
    ref.Switches(*values)
    for values in product(get_args(ref.Downgrade), (True, False), (True, False), (8, 9, 10))
]


def reading(text: str) -> ref.Reading:
    kind, rank = text.split()
    return kind, rank


def texts(moves: set[ref.Move]) -> list[str]:
    return sorted(
        " ".join([kind, rank, *sorted(ref.CARDS[card] for card in cards)])
        for kind, rank, cards in moves
    )


def moves_of(
    hand: str, level: str, beat: str | None = None, switches: ref.Switches = ref.DEFAULT
) -> set[ref.Move]:
    if beat is None:
        return ref.leads(ref.parse(hand), level, switches)
    return ref.replies(ref.parse(hand), level, reading(beat), switches)


def readings_of(cards: str, level: str, **switches: Any) -> list[str]:
    found = ref.readings(ref.parse(cards), level, ref.Switches(**switches))
    return sorted(f"{kind} {rank}" for kind, rank in found)


# --- The test data ---


def test_moves() -> None:
    for row in rows("moves.jsonl"):
        moves = moves_of(row["hand"], row["level"], row["beat"])
        kinds = Counter("bomb" if m[0].startswith("bomb") else m[0] for m in moves)
        found = texts(moves)
        assert (len(moves), kinds) == (row["moves"], row["kinds"]), row
        assert found == row.get("lines", found), row
        assert hashlib.sha256("\n".join(found).encode()).hexdigest()[:16] == row["sha"], row


def declared(case: dict[str, Any]) -> ref.Reading:
    kind = case["type"]
    return f"bomb{case['size']}" if kind == "bomb" else kind, case.get("rank", "-")


@pytest.mark.parametrize("case", cases("readings", "following prev"))
def test_readings_cases(case: dict[str, Any]) -> None:
    found = ref.readings(ref.parse("".join(case["cards"])), case["level"])
    if "prev" in case:
        (prev,) = ref.readings(ref.parse("".join(case["prev"])), case["level"])
        found = {a for a in found if ref.beats(a, prev, case["level"])}
    assert found == {declared(expected) for expected in case["expected"]}


@pytest.mark.parametrize("case", cases("beats"))
def test_beats_cases(case: dict[str, Any]) -> None:
    prev = declared(case["prev_decl"])
    assert prev in ref.readings(ref.parse("".join(case["prev"])), case["level"])
    found = ref.readings(ref.parse("".join(case["cards"])), case["level"])
    assert any(ref.beats(a, prev, case["level"]) for a in found) is case["expected"]


@pytest.mark.parametrize("case", cases("default reading"))
def test_default_reading_cases(case: dict[str, Any]) -> None:
    choices = {"seed000": {"straight_reading": "low"}, "seed003": {"full_house_reading": "low"}}
    found = ref.default_reading(
        ref.parse("".join(case["cards"])), case["level"], None, **choices.get(case["rules"], {})
    )
    must_declare = case["expected"] == "must_declare"
    assert found == ("ask" if must_declare else declared(case["expected"]))


# --- Leads against readings ---


def brute_force(hand: list[int], level: str, switches: ref.Switches) -> set[ref.Move]:
    return {
        (*found, cards)
        for size in range(1, len(hand) + 1)
        for cards in set(combinations(sorted(hand), size))
        for found in ref.readings(cards, level, switches)
    }


def small_hands(level: str, rng: random.Random) -> Iterator[list[int]]:
    """Hands of at most eight cards, drawn from all kinds or from few, that combos may meet."""
    wild = ref.wild_of(level)
    for wilds in (0, 1, 2, 2):
        run = rng.choice(ref.runs(5))
        suits = rng.sample(range(4), 2)
        pools = [
            range(54),
            [rank * 4 + suit for rank in run for suit in suits],
            [rank * 4 + suit for rank in {*run[:2], wild // 4} for suit in range(4)] + [52, 53],
        ]
        for pool in pools:
            others = [card for card in pool if card != wild] * 2
            yield [wild] * wilds + rng.sample(others, rng.randint(3, 8 - wilds))


@pytest.mark.parametrize("level", ref.NATURAL_RANKS)
def test_leads_are_the_readings_of_all_selections(level: str) -> None:
    rng = random.Random(level)
    for hand in small_hands(level, rng):
        for switches in [ref.DEFAULT, *rng.sample(ALL_SWITCHES, 5)]:
            assert ref.leads(hand, level, switches) == brute_force(hand, level, switches), hand


@pytest.mark.parametrize(
    "hand",
    [
        "S3 S3 H3 H3 C3 C3 D3 D3 H2 H2",  # bombs of every size
        "S2 S2 C2 C2 D2 D2 H2 H2",  # a bomb of the level rank stops at eight
        "S2 C2 D2 SB SB HR HR H2 H2",
        "H3 H4 H5 H6 C6 HA H2 H2",
        "DT DJ DQ DK DA C9 H2 H2",
    ],
)
def test_leads_with_every_switch(hand: str) -> None:
    cards = ref.parse(hand)
    for switches in ALL_SWITCHES:
        assert ref.leads(cards, "2", switches) == brute_force(cards, "2", switches), switches


# --- Examples of the rules ---


@pytest.mark.parametrize(
    ("level", "cards", "expected"),
    [
        ("2", "S9 C9 D9 H2 H2", "bomb5 9, full_house 9"),
        ("2", "S2 C2 D2 H2 H2", "bomb5 2, full_house 2"),
        ("2", "S9 C9 D9 H9 H2", "bomb5 9"),
        ("2", "S4 C5 D6 S7 H2", "straight 7, straight 8"),
        ("2", "S7 C7 S8 C8 H2 H2", "plate 8, tube 8, tube 9"),
        ("3", "ST SJ SQ SK SA", "straight_flush A"),
        ("2", "SQ CK DA H2 S3", ""),
        ("2", "SJ SQ SK SA H2", "straight A, straight_flush A"),
        ("5", "SA CA D2 C2 D3 H5", "tube 3"),
        ("5", "SA CA DA S2 C2 H5", "plate 2"),
        ("2", "H2", "single 2"),
        ("2", "H2 H2", "pair 2"),
        ("2", "SB H2", ""),
        ("2", "SB HR", ""),
        ("2", "HR HR", "pair R"),
        ("2", "SB SB HR HR", "joker_bomb -"),
        ("2", "S9 H2 H2 HR HR", "full_house 9"),
        ("2", "S9 C9 D9 SB H2", ""),
    ],
)
def test_examples(level: str, cards: str, expected: str) -> None:
    assert ", ".join(readings_of(cards, level)) == expected


@pytest.mark.parametrize(
    ("value", "spades", "hearts", "two_suits"),
    [
        ("any", True, True, True),
        ("other_suit", True, False, True),
        ("forbid", False, False, True),
    ],
)
def test_straight_flush_downgrade(value: str, spades: bool, hearts: bool, two_suits: bool) -> None:
    def straight(cards: str) -> bool:
        return "straight 9" in readings_of(cards, "2", straight_flush_downgrade=value)

    assert straight("S5 S6 S7 S9 H2") is straight("S5 S7 S9 H2 H2") is spades
    assert straight("H5 H6 H7 H9 H2") is straight("H5 H7 H9 H2 H2") is hearts
    assert straight("H5 H6 C7 H9 H2") is two_suits
    assert "straight_flush 9" in readings_of("H5 H6 H7 H9 H2", "2", straight_flush_downgrade=value)


def test_level_full_house_by_wilds() -> None:
    off = {"level_full_house_by_wilds": False}
    assert readings_of("S2 C2 D2 H2 H2", "2", **off) == ["bomb5 2"]
    assert readings_of("S9 C9 D9 H2 H2", "2", **off) == ["bomb5 9", "full_house 9"]
    assert readings_of("S2 C2 S9 H2 H2", "2", **off) == ["full_house 2", "full_house 9"]
    assert readings_of("S2 C2 H2 S9 C9", "2", **off) == ["full_house 2", "full_house 9"]


def test_full_house_joker_pair() -> None:
    off = {"full_house_joker_pair": False}
    assert readings_of("S9 C9 D9 SB SB", "2") == ["full_house 9"]
    assert readings_of("S9 C9 D9 SB SB", "2", **off) == []
    assert readings_of("SB SB", "2", **off) == ["pair B"]


def test_bomb_max() -> None:
    ten = "S3 S3 H3 H3 C3 C3 D3 D3 H2 H2"
    assert readings_of(ten, "2") == ["bomb10 3"]
    assert readings_of(ten, "2", bomb_max=9) == []
    sizes = {kind for kind, _, _ in moves_of(ten, "2", switches=ref.Switches(bomb_max=8))}
    assert {"bomb4", "bomb8"} < sizes
    assert sizes.isdisjoint({"bomb9", "bomb10"})


@pytest.mark.parametrize(
    ("cards", "table", "straight", "full_house", "expected"),
    [
        ("SK SQ", None, "low", "low", None),  # no reading
        ("S4 C5 D6 S7 H2", "straight 8", "low", "low", None),  # none left
        ("S4 C5 D6 S7 H2", "straight 7", "ask", "ask", "straight 8"),  # one left
        ("S4 C5 D6 S7 H2", "straight 6", "ask", "ask", "ask"),
        ("S4 C5 D6 S7 H2", "straight 6", "low", "ask", "straight 7"),
        ("S4 C5 D6 S7 H2", None, "high", "ask", "straight 8"),
        ("SA C3 D4 S5 H2", None, "low", "ask", "straight 5"),  # the ace is low
        ("S4 S5 S6 S7 H2", None, "low", "low", "ask"),  # two kinds
        ("S4 S5 S6 S7 H2", "bomb5 9", "low", "ask", "straight_flush 7"),
        ("S4 S5 S6 S7 H2", "bomb5 9", "high", "ask", "straight_flush 8"),
        ("S4 S5 S6 S7 H2", "bomb5 9", "ask", "low", "ask"),
        ("S3 C3 S4 C4 H2", None, "low", "ask", "ask"),
        ("S3 C3 S4 C4 H2", None, "ask", "low", "full_house 3"),
        ("S3 C3 S4 C4 H2", None, "ask", "high", "full_house 4"),
        ("S2 C2 SA CA H2", None, "ask", "low", "full_house A"),  # keys in level order
        ("S2 C2 SA CA H2", None, "ask", "high", "full_house 2"),
        ("S9 C9 D9 H2 H2", None, "low", "low", "ask"),  # a bomb too
        ("S9 C9 D9 H2 H2", "full_house T", "ask", "ask", "bomb5 9"),
        ("S7 C7 S8 C8 H2 H2", "tube 7", "low", "low", "ask"),  # neither field is for tubes
        ("S7 C7 S8 C8 H2 H2", "tube 8", "ask", "ask", "tube 9"),
    ],
)
def test_default_reading(
    cards: str, table: str | None, straight: Any, full_house: Any, expected: str | None
) -> None:
    against = reading(table) if table else None
    found = ref.default_reading(ref.parse(cards), "2", against, straight, full_house)
    assert found == (reading(expected) if expected and " " in expected else expected)


def test_default_reading_keeps_to_the_switches() -> None:
    forbid = ref.Switches(straight_flush_downgrade="forbid")
    found = ref.default_reading(ref.parse("S4 S5 S6 S8 H2"), "2", None, switches=forbid)
    assert found == ("straight_flush", "8")


def test_bombs_in_order() -> None:
    order = [("single", "R"), ("bomb4", "5"), ("bomb5", "5"), ("straight_flush", "5")]
    order += [(f"bomb{size}", "5") for size in range(6, 11)] + [("joker_bomb", "-")]
    for (i, a), (j, b) in product(enumerate(order), repeat=2):
        assert ref.beats(a, b, "2") is (i > j)


def test_number_of_keys() -> None:
    keys = Counter(kind for kind, _ in {shape[:2] for shape in ref.SHAPES})
    expected = {"single": 15, "pair": 15, "triple": 13, "full_house": 13}
    expected |= {"straight": 10, "tube": 12, "plate": 13, "joker_bomb": 1}
    assert keys == expected | {f"bomb{size}": 13 for size in range(4, 11)}


def test_keys_in_order() -> None:
    def order(ranks: str, kind: str) -> str:
        return "".join(sorted(ranks, key=lambda rank: ref.key_order(rank, "7", kind)))

    for kind in ("single", "pair", "triple", "full_house", "bomb4"):
        assert order("RB7AKQ65432", kind) == "23456QKA7BR"
    for kind in ("straight", "tube", "plate", "straight_flush"):
        assert order("A9876", kind) == "6789A"


# --- Lists shortened by suits ---


def test_live() -> None:
    def live(hand: str) -> str:
        return " ".join(ref.CARDS[card] for card in sorted(ref.live(ref.parse(hand), "2")))

    assert live("S3 S4 S5 S6 D7") == ""
    assert live("S3 S4 S5 S6 D7 H2") == "S3 S4 S5 S6"
    assert live("DA D2 D3 D4 D5 SK SB") == "D2 D3 D4 D5 DA"
    assert live("HA H2 H3 H4 H5 S9") == "H3 H4 H5 HA"
    assert live("HA H3 H4 S9 H2") == ""
    assert live("SQ SA S4 H2 H2") == ""
    assert live("SQ SK SA S2 H2 H2") == "SQ SK SA"


def test_flush_and_one_by_example() -> None:
    hand = ref.parse("S5 S6 S7 S8 S9 C9 D9 C4")
    pairs = {m for m in ref.leads(hand, "2") if m[0] == "pair"}
    assert texts(ref.flush(hand, "2", moves=pairs)) == ["pair 9 C9 D9", "pair 9 C9 S9"]
    assert texts(ref.one(hand, "2", moves=pairs)) == ["pair 9 C9 D9"]
    two_suits = ref.parse("S5 S6 S7 S8 S9 C5 C6 C7 C8 C9")
    kinds = Counter(move[0] for move in ref.one(two_suits, "2"))
    assert (kinds["straight_flush"], kinds["straight"]) == (2, 1)


@pytest.mark.parametrize("shortened", [ref.flush, ref.one])
def test_flush_and_one_by_definition(shortened: Any) -> None:
    rng = random.Random(5)
    for _ in range(40):
        hand = rng.sample([*range(20, 54)] * 2, 12)
        level = rng.choice(ref.NATURAL_RANKS)
        exact = ref.leads(hand, level)
        short = shortened(hand, level)
        assert short <= exact
        # Suits aside, nothing is lost.
        by_rank = [
            {(kind, rank, tuple(map(ref.rank_of, cards))) for kind, rank, cards in moves}
            for moves in (exact, short)
        ]
        assert by_rank[0] == by_rank[1]
        assert shortened(hand, level, moves=short) == short
        assert len(ref.one(hand, level)) <= len(ref.flush(hand, level)) <= len(exact)
        if not ref.live(hand, level):
            assert ref.one(hand, level) == ref.flush(hand, level)

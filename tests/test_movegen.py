"""The kernels' lists, counts and n-th moves against the plain-Python rules of reference.py."""

import itertools
import random

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import cases, rows

import guandan as gd

LEVELS = "23456789TJQKA"
SWITCHES = [
    reference.Switches(*values)
    for values in itertools.product(
        ("any", "other_suit", "forbid"), (True, False), (True, False), (10, 9, 8)
    )
]


def keys_of(kind: str) -> str:
    """The keys a kind of move can have, lowest first."""
    if kind == "joker_bomb":
        return "-"
    if kind in ("single", "pair"):
        return LEVELS + "BR"
    return LEVELS[{"straight": 3, "straight_flush": 3, "tube": 1}.get(kind, 0) :]


def can_be_beaten(kind: str, rank: str, level: str, switches: reference.Switches) -> bool:
    """Whether some cards of the two decks make the kind and rank."""
    if not kind.startswith("bomb"):
        return True
    return int(kind[4:]) <= min(switches.bomb_max, 8 if rank == level else 10)


def as_tuple(move: gd.Move) -> reference.Move:
    """A Move in the reference's form."""
    cards = tuple(gd.CARDS.index(card) for card in move.cards)
    return move.kind.name.lower(), move.rank, cards


def check(
    hand: list[int],
    level: str,
    suits: str = "all",
    switches: reference.Switches = reference.DEFAULT,
    beat: tuple[str, str] | None = None,
) -> None:
    """Compare everything the kernels say of a hand with the reference."""
    wanted = reference.leads(hand, level, switches)
    if suits != "all":
        wanted = getattr(reference, suits)(hand, level, switches, wanted)
    if beat is not None:
        wanted = {move for move in wanted if reference.beats(move[:2], beat, level)}
        wanted.add(("pass", "-", ()))
    arguments = {
        "beat": None if beat is None else " ".join(beat),
        "suits": suits,
        "rules": gd.Rules(**switches._asdict()),
    }
    moves = gd.legal_moves(hand, level, **arguments)
    listed = [as_tuple(move) for move in moves]
    assert len(set(listed)) == len(listed)
    assert set(listed) == wanted
    order = [
        (
            reference.KINDS.index(kind),
            -1 if kind == "pass" else reference.key_order(rank, level, kind),
        )
        for kind, rank, _ in listed
    ]
    assert order == sorted(order)
    assert gd.count_moves(hand, level, **arguments) == len(moves)
    places = range(len(moves))
    for place in places if len(moves) < 50 else random.Random(len(moves)).sample(places, 50):
        assert gd.nth_move(hand, level, place, **arguments) == moves[place]


@st.composite
def hands(draw: st.DrawFn, most: int = 14) -> tuple[list[int], str]:
    """A hand and a level: few ranks or few suits, so that it is rich in combos, and 0-2 wilds."""
    level = draw(st.sampled_from(LEVELS))
    wild = LEVELS.index(level) * 4 + 1
    lowest = draw(st.integers(0, 12))
    width = draw(st.integers(1, 13))
    ranks = [(lowest + i) % 13 for i in range(width)]
    suits = draw(st.sampled_from([(0,), (1,), (0, 1), (2, 3), (0, 1, 2, 3)]))
    kinds = [rank * 4 + suit for rank in ranks for suit in suits if rank * 4 + suit != wild]
    deck = 2 * ([*kinds, 52, 53] if draw(st.booleans()) else kinds)
    naturals = draw(st.permutations(deck))[: draw(st.integers(0, most))]
    wilds = draw(st.integers(0 if naturals else 1, 2))
    return sorted([*naturals, *[wild] * wilds]), level


@st.composite
def beats(draw: st.DrawFn) -> tuple[str, str]:
    """Something to beat, often a bomb."""
    kind = draw(st.sampled_from(reference.KINDS[1:]))
    return kind, draw(st.sampled_from(keys_of(kind)))


@settings(max_examples=600, deadline=None)
@given(hands(), st.sampled_from(["all", "flush", "one"]), st.sampled_from(SWITCHES))
def test_leads(hand: tuple[list[int], str], suits: str, switches: reference.Switches) -> None:
    check(*hand, suits, reference.DEFAULT)
    check(*hand, suits, switches)


@settings(max_examples=600, deadline=None)
@given(hands(), beats(), st.sampled_from(["all", "flush", "one"]), st.sampled_from(SWITCHES))
def test_replies(
    hand: tuple[list[int], str],
    beat: tuple[str, str],
    suits: str,
    switches: reference.Switches,
) -> None:
    for chosen in (reference.DEFAULT, switches):
        if can_be_beaten(*beat, hand[1], chosen):
            check(*hand, suits, chosen, beat)


@pytest.mark.parametrize("seed", range(6))
def test_whole_hands(seed: int) -> None:
    rng = random.Random(seed)
    for hand in gd.deal_hands(seed):
        for level in rng.sample(LEVELS, 4):
            cards = [gd.CARDS.index(card) for card in hand]
            for suits in ("all", "flush", "one"):
                check(cards, level, suits)
            kind = rng.choice(reference.KINDS[1:-1])
            beat = kind, rng.choice(keys_of(kind))
            if can_be_beaten(*beat, level, reference.DEFAULT):
                check(cards, level, beat=beat)


@pytest.mark.parametrize("level", LEVELS)
def test_every_switch_on_hands_where_it_matters(level: str) -> None:
    wild = "H" + level
    rank = LEVELS.index(level)
    rest = "".join(suit + level for suit in "SCD")
    run = LEVELS[min(rank, 8) : min(rank, 8) + 5]
    for cards in (
        f"{rest}{wild}{wild}SBSBHRHR",
        "".join("H" + top for top in run if top != level) + wild + wild,
        "".join("S" + top for top in run) + wild + f"C{run[2]}",
        "".join(2 * (suit + run[0]) for suit in "SCD") + wild + wild,
    ):
        hand = reference.parse(cards)
        if any(hand.count(card) > 2 for card in hand):
            continue
        for switches in SWITCHES:
            for suits in ("all", "flush", "one"):
                check(hand, level, suits, switches)


def test_all_108_cards_by_counting() -> None:
    deck = gd.Hand.from_counts([2] * 54)
    for level in LEVELS:
        moves = gd.legal_moves(deck, level)
        assert len(moves) == gd.count_moves(deck, level) > 100_000
        assert len(set(map(bytes, moves.records))) == len(moves)
        for place in random.Random(level).sample(range(len(moves)), 200):
            assert gd.nth_move(deck, level, place) == moves[place]


def test_recorded_lists() -> None:
    import hashlib

    for vector in rows("moves.jsonl"):
        moves = [
            move
            for move in gd.legal_moves(vector["hand"], vector["level"], vector["beat"])
            if move.size
        ]
        lines = sorted(
            " ".join([move.kind.name.lower(), move.rank, *sorted(move.cards)]) for move in moves
        )
        assert len(lines) == vector["moves"]
        assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == vector["sha"]
        assert lines == vector.get("lines", lines)


def words(reading: dict[str, object]) -> tuple[str, str]:
    """Kind and rank as this package spells them, of a recorded reading."""
    return f"{reading['type']}{reading.get('size', '')}", str(reading.get("rank", "-"))


@pytest.mark.parametrize("case", cases("readings"))
def test_recorded_readings(case: dict[str, object]) -> None:
    found = gd.readings(case["cards"], case["level"], gd.Rules.preset(case["rules"]))
    assert {(move.kind.name.lower(), move.rank) for move in found} == set(
        map(words, case["expected"])
    )


@pytest.mark.parametrize("case", cases("beats"))
def test_recorded_beats(case: dict[str, object]) -> None:
    table = gd.Move.parse(" ".join([*words(case["prev_decl"]), *case["prev"]]))
    rules = gd.Rules.preset(case["rules"])
    replies = gd.legal_moves(case["cards"], case["level"], table, rules=rules)
    assert any(move.size == len(case["cards"]) for move in replies) == case["expected"]

"""Fewest plays and best splits against the plain-Python rules, and what must hold of any hand."""

import copy
import pickle
import random
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_splits as oracle
from test_movegen import LEVELS, SWITCHES, as_tuple

import guandan as gd

JOKERS = [[], [], [52, 53], [52, 52, 53, 53]]
DEFAULT = gd.Rules()


def random_hand(rng: random.Random, most: int) -> tuple[list[int], str]:
    """A hand of few ranks or suits, with up to two wilds, often with jokers or level cards."""
    level = rng.choice(LEVELS)
    wild = ref.wild_of(level)
    suits = rng.choice([range(4), range(4), [rng.randrange(4)], [0, 1], [1, 3]])
    lowest, width = rng.randrange(13), rng.choice([13, 7, 6, 5, 4, 3, 2, 1])
    ranks = {(lowest + i) % 13 for i in range(width)}
    if rng.random() < 0.3:
        ranks.add(LEVELS.index(level))
    deck = [rank * 4 + suit for rank in ranks for suit in suits if rank * 4 + suit != wild]
    deck = 2 * deck + rng.choice(JOKERS)
    wilds = rng.choice([0, 1, 2])
    size = rng.randint(1 - min(wilds, 1), most - wilds)
    return sorted([*rng.sample(deck, min(len(deck), size)), *[wild] * wilds]) or [0], level


def random_weights(rng: random.Random) -> dict[str, int]:
    """Weights of some kinds, or of none."""
    if rng.random() < 0.5:
        return {}
    kinds = rng.sample(ref.KINDS[1:], rng.randint(1, 16))
    return {kind: rng.choice([0, 0, 1, 1, 2, 3, 5]) for kind in kinds}


def names(split: gd.Split, level: str) -> tuple[oracle.Name, ...]:
    """What tells a split from others."""
    return tuple(sorted((oracle.name(as_tuple(move), level) for move in split.moves), key=repr))


def check_split(
    split: gd.Split,
    hand: Any,
    level: str,
    rules: gd.Rules = DEFAULT,
    bombs: str = "count",
    weights: dict[str, int] | None = None,
) -> None:
    """Hold a split to the rules: leads in list order that are the hand, and what they cost."""
    cards: list[str] = []
    for move in split.moves:
        assert move in gd.readings(move.cards, level, rules)
        cards += move.cards
    assert gd.Hand(cards) == gd.Hand(hand)
    kinds = [move.kind for move in split.moves]
    assert kinds == sorted(kinds)
    prices = [oracle.price(kind.name.lower(), bombs, weights or {}) for kind in kinds]
    assert (split.cost, split.count) == tuple(map(sum, zip((0, 0), *prices, strict=True)))


def count_by_batch(hand: gd.Hand, level: str, rules: gd.Rules | None = None) -> int:
    """The number that the batch call gives for one hand."""
    return int(gd.fewest_plays_batch(np.array([hand.planes], np.uint64), level, rules)[0])


# --- Small hands: all splits, by the rules ---


@pytest.mark.parametrize("seed", range(60))
def test_splits_are_those_of_the_reference(seed: int) -> None:
    rng = random.Random(seed)
    for most in [8] * 39 + [11]:
        hand, level = random_hand(rng, most)
        switches = rng.choice([ref.DEFAULT, rng.choice(SWITCHES)])
        rules = gd.Rules(**switches._asdict())
        weights = random_weights(rng)
        bombs: Any = rng.choice(["count", "apart"])
        asked: Any = (hand, level, rules, bombs, weights)
        (cost, count), ways = oracle.best(hand, level, switches, bombs, weights)
        split = gd.fewest_plays(*asked)
        assert (split.cost, split.count) == (cost, count), asked
        check_split(split, *asked)
        assert names(split, level) in ways, asked
        found = gd.best_splits(*asked, limit=100_000)
        assert found.complete
        assert len(found.splits) == len(ways), asked
        assert {names(split, level) for split in found.splits} == ways, asked
        for split in found.splits[:3]:
            check_split(split, *asked)
        plain = oracle.best(hand, level, switches)[0] if weights or bombs == "apart" else (0, count)
        assert count_by_batch(gd.Hand(hand), level, rules) == plain[1]


# By hand: cards, level, what is asked, the plays; where several splits are best, their number.
CASES: list[tuple[str, str, dict[str, Any], int, list[str] | int]] = [
    ("", "2", {}, 0, []),
    ("H2", "2", {}, 1, ["single 2 H2"]),
    ("H2 H2", "2", {}, 1, ["pair 2 H2 H2"]),
    ("SB HR", "2", {}, 2, ["single B SB", "single R HR"]),
    ("SB HR H2 H2", "2", {}, 3, ["single B SB", "single R HR", "pair 2 H2 H2"]),
    ("SB SB HR HR", "2", {}, 1, ["joker_bomb - SB SB HR HR"]),
    ("SB SB HR HR", "2", {"weights": {"joker_bomb": 5}}, 2, ["pair B SB SB", "pair R HR HR"]),
    ("SA S2 C3 S4 S5", "7", {}, 1, ["straight 5 S2 C3 S4 S5 SA"]),
    ("SA S2 S3 S4 S5", "7", {}, 1, ["straight_flush 5 S2 S3 S4 S5 SA"]),
    ("SA CA S2 C2 S3 C3", "7", {}, 1, ["tube 3 S2 C2 S3 C3 SA CA"]),
    ("SA CA HA S2 C2 H2", "7", {}, 1, ["plate 2 S2 H2 C2 SA HA CA"]),
    # Three and two of a rank are no full house; with two wilds they are, but not of the level.
    ("S3 C3 D3 H3 S3", "7", {"weights": {"bomb5": 9}}, 2, 2),
    ("S3 C3 D3 H7 H7", "7", {"weights": {"bomb5": 9}}, 1, ["full_house 3 S3 C3 D3 H7 H7"]),
    ("S7 C7 D7 H7 H7", "7", {"weights": {"bomb5": 9}}, 1, ["full_house 7 S7 H7 H7 C7 D7"]),
    (
        "S7 C7 D7 H7 H7",
        "7",
        {"weights": {"bomb5": 9}, "rules": gd.Rules(level_full_house_by_wilds=False)},
        2,
        5,
    ),
    ("S3 C3 D3 SB SB", "7", {}, 1, ["full_house 3 S3 C3 D3 SB SB"]),
    ("S3 C3 D3 SB SB", "7", {"rules": gd.Rules(full_house_joker_pair=False)}, 2, 1),
    ("S3 S3 H3 H3 C3 C3 D3 D3 H2", "2", {}, 1, 1),
    ("S3 S3 H3 H3 C3 C3 D3 D3 H2", "2", {"rules": gd.Rules(bomb_max=8)}, 2, 8),
    # Bombs apart: more plays, of which fewer are no bombs.
    (
        "S3 C3 D3 S4 C4 D4 S5 C5 D5 H5 SB SB",
        "2",
        {"bombs": "apart"},
        3,
        3,
    ),
    (
        "S3 S4 S5 S6 S7 S8 C8 C9 CT",
        "2",
        {"bombs": "apart"},
        4,
        ["pair 8 S8 C8", "single 9 C9", "single T CT", "straight_flush 7 S3 S4 S5 S6 S7"],
    ),
    # Dear straight flushes: a wild makes two plays of one suit straights, where the rules let it.
    (
        "S3 S4 S5 S6 H2",
        "2",
        {"weights": {"straight_flush": 3}},
        1,
        2,
    ),
    (
        "S3 S4 S5 S6 H2",
        "2",
        {"weights": {"straight_flush": 3}, "rules": gd.Rules(straight_flush_downgrade="forbid")},
        1,
        2,
    ),
]


@pytest.mark.parametrize(("cards", "level", "asked", "count", "want"), CASES)
def test_splits_by_hand(
    cards: str, level: str, asked: dict[str, Any], count: int, want: list[str] | int
) -> None:
    split = gd.fewest_plays(cards, level, **asked)
    found = gd.best_splits(cards, level, **asked)
    assert split.count == count
    if isinstance(want, int):
        assert len(found.splits) == want
    else:
        assert sorted(map(str, split.moves)) == sorted(want)
        assert [sorted(map(str, one.moves)) for one in found.splits] == [sorted(want)]


# --- Hands of 27 ---


def whole_hands(seed: int, n: int) -> list[tuple[gd.Hand, str]]:
    """Random hands of 27 cards with 0 to 2 wilds; every fourth of few ranks."""
    rng = random.Random(seed)
    found = []
    for place in range(n):
        level = rng.choice(LEVELS)
        ranks = LEVELS if place % 4 else rng.sample(LEVELS, rng.randint(4, 7))
        deck = [c for c in gd.CARDS if c != f"H{level}" and (c[1] in ranks or c in ("SB", "HR"))]
        wilds = place % 3
        cards = rng.sample(2 * deck, 27 - wilds)
        found.append((gd.Hand([*cards, *[f"H{level}"] * wilds]), level))
    return found


def greedy(hand: gd.Hand, level: str, rules: gd.Rules) -> int:
    """The plays of who always leads the most cards."""
    plays = 0
    while hand:
        moves = gd.legal_moves(hand, level, suits="one", rules=rules)
        hand -= max(moves, key=lambda move: move.size).cards
        plays += 1
    return plays


@pytest.mark.parametrize("preset", ["jiangsu2023", "opengd"])
@pytest.mark.parametrize("seed", range(3))
def test_whole_hands(seed: int, preset: str) -> None:
    rules = gd.Rules.preset(preset)
    for hand, level in whole_hands(seed, 60):
        split = gd.fewest_plays(hand, level, rules)
        check_split(split, hand, level, rules)
        assert split.count == count_by_batch(hand, level, rules) <= greedy(hand, level, rules)
        apart = gd.fewest_plays(hand, level, rules, bombs="apart")
        check_split(apart, hand, level, rules, "apart")
        assert apart.cost <= split.count <= apart.count
        found = gd.best_splits(hand, level, rules, limit=50)
        listed = {names(one, level) for one in found.splits}
        assert len(listed) == len(found.splits)
        assert names(split, level) in listed or not found.complete
        for one in found.splits:
            check_split(one, hand, level, rules)
            assert one.count == split.count


@pytest.mark.parametrize("seed", range(8))
def test_a_play_lowers_the_count_by_one_at_most_and_some_play_does(seed: int) -> None:
    for hand, level in whole_hands(seed, 4):
        count = gd.fewest_plays(hand, level).count
        moves = gd.legal_moves(hand, level, suits="one")
        planes = np.array([(hand - move.cards).planes for move in moves], np.uint64)
        assert gd.fewest_plays_batch(planes, level).min() == count - 1


def test_suits_count_in_straight_flushes_alone() -> None:
    rng = random.Random(5)
    for hand, level in whole_hands(9, 80):
        # Hearts stay, for the wilds are hearts.
        moved = dict(zip("SCD", rng.sample("SCD", 3), strict=True)) | {"H": "H"}
        cards = [card if card in ("SB", "HR") else moved[card[0]] + card[1] for card in hand]
        for bombs in ("count", "apart"):
            split, other = (gd.fewest_plays(each, level, None, bombs) for each in (hand, cards))
            assert (split.count, split.cost) == (other.count, other.cost)
        both = [gd.best_splits(each, level, limit=100_000) for each in (hand, cards)]
        assert len(both[0].splits) == len(both[1].splits)


def test_weights_of_ones_change_nothing() -> None:
    weights = dict.fromkeys(ref.KINDS[1:], 1)
    for hand, level in whole_hands(2, 40):
        assert gd.fewest_plays(hand, level, weights=weights) == gd.fewest_plays(hand, level)
        doubled = gd.fewest_plays(hand, level, weights={kind: 2 * n for kind, n in weights.items()})
        assert doubled.cost == 2 * doubled.count == 2 * gd.fewest_plays(hand, level).count
        kinds = {kind: 0 if kind >= gd.Kind.BOMB4 else 1 for kind in list(gd.Kind)[1:]}
        assert gd.fewest_plays(hand, level, weights=kinds) == gd.fewest_plays(
            hand, level, bombs="apart"
        )


# --- Values and arguments ---


def test_a_limit_cuts_the_list_off() -> None:
    hand, level = "S3 C3 D3 S4 C4 D4 S5 C5 D5 H5 SB SB", "2"
    found = gd.best_splits(hand, level)
    assert (len(found.splits), found.complete) == (8, True)
    assert gd.best_splits(hand, level, limit=8) == found
    cut = gd.best_splits(hand, level, limit=7)
    assert (cut.splits, cut.complete) == (found.splits[:7], False)


def test_values_do_not_change() -> None:
    split = gd.fewest_plays("S3 C3", "2")
    found = gd.best_splits("S3 C3", "2")
    assert (split, found) == (
        gd.Split(1, 1, (gd.Move.parse("pair 3 S3 C3"),)),
        gd.Splits((split,), True),
    )
    for value in (split, found):
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
        assert hash(value) == hash(copy.deepcopy(value))
    with pytest.raises(FrozenInstanceError):
        split.count = 2  # type: ignore[misc]


def test_a_hand_of_28_and_no_more() -> None:
    cards = [card for card in gd.CARDS if card[1] != "2"][:28]
    assert gd.fewest_plays(cards, "2").count > 0
    for call in (gd.fewest_plays, gd.best_splits):
        with pytest.raises(gd.StateError, match="a hand of 29 cards: 28 can be split at most"):
            call([*cards, "SB"], "2")
    planes = np.array([gd.Hand(cards).planes, gd.Hand([*cards, "SB"]).planes], np.uint64)
    with pytest.raises(gd.StateError, match=r"planes\[1\]: a hand of 29"):
        gd.fewest_plays_batch(planes, "2")


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"bombs": "none"}, ValueError, 'bombs \'none\': want "count" or "apart"'),
        ({"bombs": None}, ValueError, 'want "count" or "apart"'),
        ({"weights": {"bomb": 1}}, ValueError, "'bomb' is no kind of play"),
        ({"weights": {"pass": 1}}, ValueError, "'pass' is no kind of play"),
        ({"weights": {gd.Kind.PASS: 1}}, ValueError, "is no kind of play"),
        ({"weights": {1: 1}}, ValueError, "1 is no kind of play"),
        (
            {"weights": {"pair": -1}},
            ValueError,
            r"'pair'\]=-1: want an int from 0 to 100000",
        ),
        ({"weights": {"pair": 100001}}, ValueError, r"weights\['pair'\]=100001: want"),
        ({"weights": {"pair": 1.5}}, TypeError, r"weights\['pair'\]=1.5: want an int"),
        ({"weights": [("pair", 1)]}, TypeError, "want a mapping"),
        ({"rules": "opengd"}, TypeError, "want a Rules"),
        ({"level": "1"}, gd.NotationError, "'1' is not a level"),
        ({"hand": "S1"}, gd.NotationError, "'S1' is not a card"),
        ({"hand": "S3 S3 S3"}, gd.StateError, "3 copies of S3"),
    ],
)
def test_what_cannot_be_asked(asked: dict[str, Any], error: type[Exception], says: str) -> None:
    for call in (gd.fewest_plays, gd.best_splits):
        with pytest.raises(error, match=says):
            call(**{"hand": "S3", "level": "2"} | asked)


@pytest.mark.parametrize("limit", [0, -1, 1_000_001])
def test_limits_that_cannot_be(limit: int) -> None:
    with pytest.raises(ValueError, match=f"limit={limit}: want an int from 1 to 1000000"):
        gd.best_splits("S3", "2", limit=limit)


def test_great_weights_add_up() -> None:
    hand = gd.deal_hands(7)[0]
    split = gd.fewest_plays(hand, "2", weights=dict.fromkeys(ref.KINDS[1:], 100_000))
    assert split.cost == 100_000 * split.count == 100_000 * gd.fewest_plays(hand, "2").count


# --- Many hands ---


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_batch(threads: int) -> None:
    hands = [*whole_hands(1, 50), (gd.Hand(), "2"), (gd.Hand("S3"), "3")]
    planes = np.array([hand.planes for hand, _ in hands], np.uint64)
    levels = [level for _, level in hands]
    rules = gd.Rules.preset("opengd")
    counts = gd.fewest_plays_batch(planes, levels, rules, threads=threads)
    assert (counts.dtype, counts.shape) == (np.uint8, (52,))
    assert counts.tolist() == [gd.fewest_plays(*hand, rules).count for hand in hands]
    assert gd.fewest_plays_batch(planes[:0], "2", threads=threads).shape == (0,)


def test_a_batch_that_cannot_be() -> None:
    planes = np.array([gd.Hand("S3").planes], np.uint64)
    with pytest.raises(ValueError, match="threads=0: want an int, 1 or more"):
        gd.fewest_plays_batch(planes, "2", threads=0)
    with pytest.raises(ValueError, match="planes: want a uint64 array"):
        gd.fewest_plays_batch(planes.astype(np.int64), "2")  # type: ignore[arg-type]
    with pytest.raises(gd.StateError, match=r"planes\[0\]: S3 is in the plane of second"):
        gd.fewest_plays_batch(np.array([[0, 16]], np.uint64)[:, [0, 1]], "2")
    with pytest.raises(gd.NotationError, match=r"levels\[0\] is 13"):
        gd.fewest_plays_batch(planes, np.array([13], np.uint8))

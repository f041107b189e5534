"""Worlds: the right chances, what tributes tell, and that nothing that is seen is disobeyed."""

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
import pytest
import reference_worlds as ref
from reference_tribute import drawn_fields
from test_match import DECLARED, DOUBLE, match_with
from test_observation import deals

import guandan as gd
from guandan.observation import before_play, restore

SMALL = "S3S4/D9HR/D9DT/SB 2 0 - -"
NONE = np.ones((4, 54))


def hands_of(planes: np.ndarray[Any, Any]) -> list[gd.Hand]:
    """The hands of a world's planes."""
    return [
        gd.Hand.from_counts([int(once >> k & 1) + int(twice >> k & 1) for k in range(54)])
        for once, twice in planes.tolist()
    ]


def check_chances(
    seen: gd.Observation, found: dict[ref.Hands, int], belief: Any = None, n: int = 4000
) -> None:
    """Compare sampled worlds with the chances of all that can have been."""
    want = ref.chances(seen, found, NONE if belief is None else belief)
    sampled = gd.worlds(seen, n, seed=1, weights=belief)
    different, numbers = np.unique(sampled.planes, axis=0, return_counts=True)
    got = Counter({tuple(hands_of(one)): int(k) for one, k in zip(different, numbers, strict=True)})
    assert got.keys() <= want.keys()
    # Rare worlds count together, so that each term is about normal.
    rare = [world for world, chance in want.items() if chance * n < 5]
    terms = [(chance * n, got[world]) for world, chance in want.items() if chance * n >= 5]
    terms.append((sum(want[world] * n for world in rare), sum(got[world] for world in rare)))
    deviation = sum((found - mean) ** 2 / mean for mean, found in terms if mean > 0)
    degrees = len(terms) - 1
    assert deviation <= degrees + 5 * sqrt(2 * degrees) + 8, seen


def late_in_deals(rules: gd.Rules, seed: int, most: int) -> Iterator[gd.Observation]:
    """What seats see late in deals with tribute: low cards go first, so that high ones are left."""
    rng = random.Random(seed)
    match = gd.Match(rules, seed=seed, standing=DECLARED, order=rng.choice([DOUBLE, (0, 1, 3, 2)]))
    while match.deal_number == 1:
        options = match.options(match.to_act[0])
        if match.phase == "play":
            assert match.state is not None
            place = rng.choice([0, 0, -1]) if match.state.table is None else rng.randrange(3)
            match.act(options[min(place, len(options) - 1)])
        else:
            match.act(rng.choice(options), match.to_act[0])
        if match.phase == "play" and match.deal_number == 1:
            for seat in range(4):
                seen = match.observe(seat)
                if seen.unseen.sum() <= most:
                    yield seen


# --- Chances ---


@pytest.mark.parametrize("seat", range(4))
def test_all_assignments_are_alike(seat: int) -> None:
    for text in (
        "S3S3/S4C4C4/S4S5S5/HRHR 2 0 - -",
        "S3S3S7/S4C4C4/S4S5S5/HRHR 2 1 0:single:3 -",
        "S3S4/-/S4S5S5/HRHRSB 2 0 - 1",
        "-/S4S3SB/-/HRHR 2 - - 02",
    ):
        seen = gd.State.parse(text).observe(seat)
        check_chances(seen, ref.ways(seen))


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("seed", range(4))
def test_weights(seat: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen = gd.State.parse("S3S3S7/S4C4C4/S4S5S5/HRHR 2 0 - -").observe(seat)
    belief = rng.random((4, 54)) * (rng.random((4, 54)) < 0.9) + NONE * 1e-3
    found = ref.ways(seen)
    check_chances(seen, found, belief)
    belief[:, ::3] = belief[0, 0]  # of some kinds nothing is believed
    check_chances(seen, found, belief)


@pytest.mark.parametrize("name", gd.Rules.presets())
def test_tributes_late_in_deals(name: str) -> None:
    rng = random.Random(name)
    n_told = 0
    for seed in range(20):
        rules = gd.Rules.preset(name)
        if seed % 2:
            rules = rules.replace(**drawn_fields(rng))
        seen = next(filter(is_telling, late_in_deals(rules, seed, 7)), None)
        if seen is not None:
            found = ref.ways(seen)
            n_told += len(found) < len(ref.assignments(seen))
            check_chances(seen, found, n=1000)
            belief = [[rng.random() for _ in range(54)] for _ in range(4)]
            check_chances(seen, found, belief, n=1000)
    assert n_told > 0


def is_telling(seen: gd.Observation) -> bool:
    """Whether a hidden hand is one of a seat that has paid a card below the jokers."""
    payers = [payer for payer, _, card in seen.tributes if card not in ("SB", "HR")]
    return any(seen.left[payer] > 1 and payer != seen.seat for payer in payers)


def test_weights_of_any_size() -> None:
    seen = gd.State.deal("2", 7).observe(0)
    for weight in (1e-300, 1.5):
        assert (gd.worlds(seen, 20, 1, NONE * weight).planes == gd.worlds(seen, 20, 1).planes).all()
    rng = np.random.default_rng(1)
    belief = rng.random((4, 54))
    scale = np.array([1e-300, 1e-200, 1e300, 5e-324])[:, None]
    # A factor for a whole hand is the same for all worlds.
    for powers in (2.0 ** -np.array([1000, 0, 900, 1000]), 2.0 ** np.array([1000, 0, -900, 7])):
        sampled = gd.worlds(seen, 50, 1, belief * powers[:, None]).planes
        assert (sampled == gd.worlds(seen, 50, 1, belief).planes).all()
    assert len(gd.worlds(seen, 5, 1, np.maximum(belief * scale, 5e-324)).planes) == 5
    hands = gd.State.deal("2", 7).hands
    sure = np.array([hand.counts() for hand in hands]) * 1e-320
    drawn = hands_of(gd.worlds(seen, 1, 1, sure).planes[0])
    assert all(set(one) <= set(two) for one, two in zip(drawn, hands, strict=True))


# --- What tributes tell ---


def test_a_payer_has_nothing_higher_and_a_receiver_what_he_got() -> None:
    match = match_with("S3", "SK H5 H5", "S4", "SA CA", standing=DECLARED)
    while match.phase != "play":
        match.act(match.options(match.to_act[0])[0], match.to_act[0])
    seen = match.observe(0)
    assert {(payer, card[1]) for payer, _, card in seen.tributes} == {(1, "K"), (3, "A")}
    high = {card for card in gd.CARDS if card[1] in "A5BR"} - {"H5"}
    wild = 0
    for world in gd.worlds(seen, 300, 1):
        assert not set(world.hands[1]) & high
        assert "SK" in world.hands[2]
        wild += "H5" in world.hands[1]
    assert wild > 30
    check_world_of(seen)


def test_a_play_of_the_kind_may_be_the_card_that_was_got() -> None:
    match = match_with("S3", "SK", "S4", "SA", standing=DECLARED)
    while match.phase != "play":
        match.act(match.options(match.to_act[0])[0], match.to_act[0])
    held = "SK" in match.hands[2]
    assert held
    while match.to_act != (2,):
        match.act("pass" if match.options()[0].kind == 0 else match.options()[0])
    move = next(move for move in match.options() if str(move) == "single K SK")
    match.act(move)
    got = sum("SK" in world.hands[2] for world in gd.worlds(match.observe(0), 300, 1))
    assert 0 < got < 250


def check_world_of(seen: gd.Observation, n: int = 12) -> None:
    """Check that worlds agree with all that is seen."""
    for world in gd.worlds(seen, n, seed=5):
        again = world.observe(seen.seat)
        for name in ("hand", "level", "turn", "table", "owner", "out", "left", "rules"):
            assert getattr(again, name) == getattr(seen, name), name
        assert again.unseen.tolist() == seen.unseen.tolist()
        assert again.legal_moves() == seen.legal_moves()
        assert world.history == ()
        assert gd.State.parse(str(world), world.rules) == world
        if seen.tributes:
            assert ref.agrees(seen, world.hands)


@pytest.mark.parametrize("seed", range(2))
def test_random_deals(seed: int) -> None:
    for place, (state, _) in enumerate(deals(seed)):
        if place % 5 == 0 or state.turn is None:
            for seat in range(4):
                check_world_of(state.observe(seat))


@pytest.mark.parametrize("name", gd.Rules.presets())
def test_random_matches(name: str) -> None:
    rng = random.Random(name)
    for seed in range(4):
        rules = gd.Rules.preset(name)
        if seed % 3:
            rules = rules.replace(**drawn_fields(rng))
        if name == "seed001":
            rules = rules.replace(match_end=("deals", 9, "first_to_reach"))
        match = gd.Match(rules, seed=seed)
        while match.phase != "over" and match.deal_number < 3:
            if rng.random() < 0.05 or (match.phase != "play" and match.deal_number > 1):
                for seat in range(4):
                    seen = match.observe(seat)
                    assert ref.agrees(seen, match.hands)
                    if match.phase == "play":
                        check_world_of(seen)
                    else:
                        for planes in gd.worlds(seen, 5, 1).planes:
                            assert ref.agrees(seen, hands_of(planes))
            seat = rng.choice(match.to_act)
            match.act(rng.choice(match.options(seat)), seat)


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("rule", ["ten_or_less", "below_level", "any"])
@pytest.mark.parametrize("when_none", ["lowest", "any"])
def test_returns_of_hands_without_low_cards(same: bool, rule: str, when_none: str) -> None:
    rules = gd.Rules(
        return_same_card=same,
        return_to_opponent=rule,
        return_when_none=when_none,  # type: ignore[arg-type]
    )
    high = [f"{suit}{rank}" for rank in "JQKA" for suit in "SHCD" for _ in range(2)][:26]
    match = match_with(" ".join([*high, "SB"]), "", "", "HA CA", rules=rules)
    for choose in range(4):
        one = match.copy()
        while one.phase != "play":
            options = one.options(one.to_act[0])
            one.act(options[min(choose, len(options) - 1)], one.to_act[0])
        for seat in range(4):
            check_world_of(one.observe(seat), 40)


# --- Samples ---


def test_a_sample_depends_on_the_seed_and_its_number_alone() -> None:
    seen = gd.State.deal("2", 7).observe(1)
    for belief in (None, np.random.default_rng(1).random((4, 54))):
        many = gd.worlds(seen, 10_000, 3, belief)
        few = gd.worlds(seen, 10, 3, belief)
        assert (many.planes[:10] == few.planes).all()
        assert (many[7:9000:31].planes == many.planes[7:9000:31]).all()
        assert (many[::-1].planes == many.planes[::-1]).all()
        assert [str(world) for world in many[:3]] == [str(many[place]) for place in range(3)]
        assert hands_of(many.planes[5]) == list(many[5].hands) == list(many[5 - 10_000].hands)
        assert (pickle.loads(pickle.dumps(many[2:9:3])).planes == many[2:9:3].planes).all()
        assert (gd.worlds(seen, 10, 4, belief).planes != few.planes).any()
    assert len(many[5:5]) == len(gd.worlds(seen, 0, 3)[::-1].planes) == 0
    assert not many.planes.flags.writeable
    assert (many.planes.shape, many.planes.dtype) == ((10_000, 4, 2), np.uint64)
    assert (repr(few), few.observation) == ("<Worlds of seat 1: 10>", seen)


def test_before_play_there_are_planes_only() -> None:
    hands = gd.deal_hands(7)
    sampled = gd.worlds(before_play(hands, "2", 0, gd.Rules()), 3, 1)
    assert hands_of(sampled.planes[0])[0] == hands[0]
    with pytest.raises(gd.StateError, match="play has not begun"):
        sampled[0]


def test_what_the_own_hand_leaves_is_known() -> None:
    state = gd.State.parse("S3/S4/-/SB 2 0 - 2")
    assert set(map(str, gd.worlds(state.observe(0), 30, 1))) == {
        "S3/S4/-/SB 2 0 - 2",
        "S3/SB/-/S4 2 0 - 2",
    }


# --- Errors ---


def told(**gifts: Any) -> gd.Observation:
    """What seat 0 sees of a deal at level 5 with some tributes and returns."""
    state = gd.State.deal("5", 7, turn=0)
    return state.observe(0).in_match(None, gifts.get("tributes", ()), gifts.get("returns", ()))


@pytest.mark.parametrize(
    ("gifts", "message"),
    [
        ({"tributes": [(1, 0, "SK")]}, "seat 1 paid SK, but what it got back is not known"),
        ({"tributes": [(1, 0, "H5")], "returns": [(0, 1, "S2")]}, "H5, which is wild"),
        ({"tributes": [(1, 0, "SA")], "returns": [(0, 1, "SQ")]}, "returned SQ, and"),
        (
            {"tributes": [(1, 0, "SK")], "returns": [(0, 1, "S2")]},
            "seat 0 got SK",
        ),
        (
            {"tributes": [(1, 0, "HR"), (3, 2, "HR")], "returns": [(0, 1, "S2"), (2, 3, "S2")]},
            "both big jokers are paid",
        ),
        (
            {"tributes": [(1, 0, "S2"), (3, 2, "S3")], "returns": [(0, 1, "S2"), (2, 3, "S3")]},
            "no deal agrees",
        ),
        ({"tributes": [(1, 2, "S2")], "returns": [(2, 1, "S3")]}, "seat 1 paid S2"),
    ],
)
def test_tributes_that_contradict(gifts: dict[str, Any], message: str) -> None:
    with pytest.raises(gd.StateError, match=message):
        gd.worlds(told(**gifts), 1, 1)


def test_no_more_than_what_contradicts_is_told() -> None:
    seen = told(tributes=[(1, 0, "SA"), (3, 2, "C2")], returns=[(0, 1, "S2"), (2, 3, "D2")])
    with pytest.raises(gd.StateError) as error:
        gd.worlds(seen, 1, 1)
    assert "seat 3 paid C2, and had nothing higher" in str(error.value)
    assert "seat 2" not in str(error.value)


def test_sizes_that_do_not_add_up() -> None:
    seen = gd.State.parse(SMALL).observe(0)
    parts = list(seen.__reduce__()[1])
    parts[8] = (2, 2, 2, 2)
    with pytest.raises(gd.StateError, match=r"seats hold 2, 2, 2, 2 cards: .* 5 are unseen"):
        gd.worlds(restore(*parts), 1, 1)


def test_arguments() -> None:
    seen = gd.State.parse(SMALL).observe(0)
    for wrong, error, message in [
        (lambda: gd.worlds(gd.State.parse(SMALL), 1, 1), TypeError, "obs: want an Observation"),
        (lambda: gd.worlds(seen, -1, 1), ValueError, "n=-1: want an int from 0 to 1000000000"),
        (lambda: gd.worlds(seen, 10**20, 1), ValueError, "n=1000.*: want an int from 0 to"),
        (lambda: gd.worlds(seen, 1.5, 1), TypeError, "n=1.5: want an int"),
        (lambda: gd.worlds(seen, 1, -1), ValueError, "seed"),
        (lambda: gd.worlds(seen, 1, 1, "much"), TypeError, "weights: want numbers"),
        (lambda: gd.worlds(seen, 1, 1, NONE[1:]), ValueError, r"shape \(3, 54\)"),
        (lambda: gd.worlds(seen, 1, 1, -NONE), ValueError, "finite numbers"),
        (lambda: gd.worlds(seen, 1, 1, NONE * np.nan), ValueError, "finite numbers"),
        (lambda: gd.worlds(seen, 1, 1, NONE * 0), ValueError, "nobody may hold D9 DT SB HR"),
        (lambda: gd.worlds(seen, 5, 1)[5], IndexError, "index 5 of 5 worlds"),
        (lambda: gd.worlds(seen, 5, 1)["a"], TypeError, "index='a': want an int"),
        (type(gd.worlds(seen, 5, 1)), TypeError, "made by worlds"),
    ]:
        with pytest.raises(error, match=message):
            wrong()  # type: ignore[operator]
    belief = NONE * 0
    belief[1] = 1  # who has room for two
    with pytest.raises(ValueError, match=r"no deal .* weight above 0"):
        gd.worlds(seen, 1, 1, belief)


def test_second_copies_lie_where_those_of_real_matches_do() -> None:
    rng = random.Random(5)
    standing = gd.Standing(levels=("5", "5"), declarers=1)
    real, said = np.zeros(3), np.zeros(3)
    n = 0
    for seed in range(1500):
        match = gd.Match(seed=seed, standing=standing, order=(1, 0, 3, 2))
        while match.phase != "play":
            [seat] = match.to_act
            match.act(rng.choice(match.options(seat)))
        seen = match.observe(0)
        for payer, receiver, card in seen.tributes:
            if 0 in (payer, receiver) or card in seen.hand:
                continue
            seats = (receiver, payer, ({1, 2, 3} - {payer, receiver}).pop())
            counts = [
                hand.count(card) - (seat == receiver) for seat, hand in enumerate(match.hands)
            ]
            real += [counts[seat] for seat in seats]
            kind = np.uint64(gd.CARDS.index(card))
            planes = gd.worlds(seen, 100, seed).planes
            copies = (planes >> kind & np.uint64(1)).sum(axis=2).mean(axis=0)
            said += [copies[seat] - (seat == receiver) for seat in seats]
            n += 1
    assert n > 900
    assert real.sum() == n
    # Within four standard deviations; without regard to the deal before it were a third each.
    assert (abs(real - said) < 4 * np.sqrt(n * 0.25)).all()
    assert said[1] < 0.17 * n

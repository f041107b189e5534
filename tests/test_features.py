"""Features: against the slow reference, and the document that explains them."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference as ref
import reference_features as ref_features
from test_movegen import as_tuple
from test_observation import STANDING, alike, deals
from test_state import LEVELS, RULES

import guandan as gd
from guandan import features
from guandan.observation import Observation

DOCUMENT = (Path(__file__).parents[1] / "docs" / "features.md").read_text("utf-8")
SIZES = {"danzero_like": 513, "planes": 4314}
Blocks = dict[str, list[int]]


def blocks(array: Any, preset: str) -> Blocks:
    """Cut an array into its blocks."""
    return {name: array[place].tolist() for name, place in features.LAYOUTS[preset].items()}


def leads_of(seen: Observation, by_reference: bool = False) -> list[ref.Move]:
    """All that the hand could lead."""
    if not seen.hand:
        return []
    if by_reference:
        switches = ref.Switches(*(getattr(seen.rules, name) for name in ref.Switches._fields))
        return list(ref.leads(ref.parse(str(seen.hand)), seen.level, switches))
    return list(map(as_tuple, gd.legal_moves(seen.hand, seen.level, rules=seen.rules)))


def close_hand(rng: random.Random, rules: gd.Rules) -> gd.State:
    """A lead of cards of few ranks and suits that are close to each other, most with wilds."""
    level = rng.choice(LEVELS)
    lowest, n_ranks = rng.randrange(13), rng.choice([1, 2, 3, 5, 6])
    ranks = [LEVELS[(lowest + step) % 13] for step in range(n_ranks)]
    suits = rng.sample("SHCD", 4 if n_ranks < 3 else rng.choice([1, 2, 4]))
    deck = [suit + rank for suit in suits for rank in ranks if suit + rank != f"H{level}"] * 2
    deck += rng.choice([[], ["SB", "SB"], ["SB", "HR"]])
    hand = rng.sample(deck, min(len(deck), rng.randint(3, 9)))
    hand += [f"H{level}"] * rng.choice([0, 1, 1, 2])
    others = [card for card in gd.CARDS if card not in hand][:3]
    return gd.State([hand, *others], level=level, turn=0, rules=rules)


def check_planes(seen: Observation, want: ref_features.Seen) -> None:
    """Compare planes with the reference, and what they tell with the observation."""
    got = blocks(features.observation(seen, "planes"), "planes")
    assert got == ref_features.planes(want)
    decoded = ref_features.decode(got)
    for name, value in decoded._asdict().items():
        if name == "unseen":
            assert value == seen.unseen_hand
        elif name == "recent":
            assert value == seen.plays[-ref_features.RECENT :]
        else:
            assert value == getattr(seen, name), name


# --- Against the reference ---


@pytest.mark.parametrize("seed", range(6))
def test_features_of_deals_in_play(seed: int) -> None:
    for place, (state, plays) in enumerate(deals(seed)):
        for seat in range(4):
            seen = state.observe(seat)
            want = ref_features.see(state, seat, plays)
            if (place + seat) % 3 == 0:
                got = blocks(features.observation(seen), "danzero_like")
                assert got == ref_features.danzero_like(want, leads_of(seen))
            if (place + seat) % 5 == 0:
                check_planes(seen, want)


@pytest.mark.parametrize("preset", features.LAYOUTS)
@pytest.mark.parametrize("seed", range(8))
def test_nothing_hidden_leaks(seed: int, preset: Any) -> None:
    for one, two in alike(seed):
        arrays = [features.observation(seen, preset) for seen in (one, two)]
        assert arrays[0].tobytes() == arrays[1].tobytes()


@pytest.mark.parametrize("rules", [*RULES, gd.Rules(straight_flush_downgrade="other_suit")])
def test_flags_of_small_hands(rules: gd.Rules) -> None:
    rng = random.Random(1)
    flags = np.zeros(12, int)
    for _ in range(150):
        seen = close_hand(rng, rules).observe(0)
        got = features.observation(seen)[features.LAYOUTS["danzero_like"]["flags"]]
        leads = leads_of(seen, by_reference=True)
        assert got.tolist() == ref_features.flags(list(seen.hand), seen.level, leads)
        flags += got
    assert 0 < flags.min() <= flags.max() < 150


@pytest.mark.parametrize(
    ("hand", "rules", "held"),
    [
        ("H2", {}, ""),
        ("H2 H2", {}, ""),
        ("H2 S2", {}, "pair"),
        ("H2 SB", {}, ""),
        ("H2 S3 C3 SB SB", {}, "pair triple full_house"),
        ("H2 S3 C3 SB SB", {"full_house_joker_pair": False}, "pair triple"),
        ("H2 S3 C3 S5 C5", {}, "pair triple full_house"),
        ("H2 S3 S4 S5 S6", {}, "pair straight_flush straight"),
        ("H2 S3 S4 S5 S6", {"straight_flush_downgrade": "forbid"}, "pair straight_flush"),
        ("H2 H3 H4 H5 HA", {"straight_flush_downgrade": "other_suit"}, "pair straight_flush"),
        ("H2 H2 S3 S4 S5", {}, "pair"),
        ("H2 SA CA SK CK DQ", {}, "pair triple full_house tube"),
        ("H2 SA CA S2 C2 S3", {}, "pair triple full_house tube"),
        ("H2 SA CA DA SK CK", {}, "pair triple full_house bomb4 plate"),
        ("H2 S3 S3 C3 C3 D3 D3", {}, "pair triple bomb4 bomb5 bomb6 bomb7"),
    ],
)
def test_flags_by_hand(hand: str, rules: dict[str, Any], held: str) -> None:
    state = gd.State([hand, "S7", "S8", "S9"], level="2", turn=0, rules=gd.Rules(**rules))
    flags = features.observation(state.observe(0))[features.LAYOUTS["danzero_like"]["flags"]]
    found = {name for name, flag in zip(features.FLAGS, flags, strict=True) if flag}
    assert found == {"wild", *held.split()}


def test_a_hand_without_a_wild_has_no_flags() -> None:
    state = gd.State(["S2 C2 D2 S3 C3 D3", "S7", "S8", "S9"], level="2", turn=0)
    flags = features.observation(state.observe(0))[features.LAYOUTS["danzero_like"]["flags"]]
    assert flags.sum() == 0


def test_the_flags_of_the_reference() -> None:
    assert list(features.FLAGS) == ["wild", *ref_features.FLAG_KINDS]


def test_states_in_mid_deal() -> None:
    for text in (
        "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2:S2D2 2",
        "S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2",
        "-/S3/-/S4 7 - - 02",
    ):
        state = gd.State.parse(text)
        for seat in range(4):
            seen, want = state.observe(seat), ref_features.see(state, seat)
            got = blocks(features.observation(seen), "danzero_like")
            assert got == ref_features.danzero_like(want, leads_of(seen))
            check_planes(seen, want)


def test_matches() -> None:
    rng = random.Random(2)
    match = gd.Match(seed=2)
    tributes = set()
    while match.deal_number < 5 and match.phase != "over":
        seat = rng.randrange(4)
        seen = match.observe(seat)
        want = ref_features.Seen(
            *(seat, match.level, match.levels, list(seen.hand), list(seen.unseen_hand)),
            *(list(seen.left), seen.turn, seen.table and str(seen.table), seen.owner),
            *(list(seen.out), [(mover, str(move)) for mover, move in seen.plays]),
            *(list(seen.tributes), list(seen.returns)),
        )
        check_planes(seen, want)
        got = blocks(features.observation(seen), "danzero_like")
        assert got == ref_features.danzero_like(want, leads_of(seen))
        tributes.add((len(seen.tributes), len(seen.returns)))
        actor = rng.choice(match.to_act)
        match.act(rng.choice(match.options(actor)), actor)
    assert tributes >= {(0, 0), (1, 0), (1, 1)}


def test_planes_keep_the_last_moves() -> None:
    longest = 0
    for state, plays in deals(3):
        if state.table is None or state.is_over:
            longest = max(longest, len(plays))
    seen = state.observe(0)
    assert longest > 2 * ref_features.RECENT
    decoded = ref_features.decode(blocks(features.observation(seen, "planes"), "planes"))
    assert decoded.recent == seen.plays[-32:]


def test_levels() -> None:
    state = gd.State.deal("9", 7)
    for seat in range(4):
        own, theirs = ("9", "5") if seat % 2 else ("5", "9")
        told = state.observe(seat).in_match(STANDING)
        for array in (
            features.observation(told),
            features.observation(state.observe(seat), levels=STANDING.levels),
        ):
            places = features.LAYOUTS["danzero_like"]
            for name, level in [
                ("level_of_own_side", own),
                ("level_of_opponents", theirs),
                ("level", "9"),
            ]:
                assert array[places[name]].tolist() == ref_features.one_of(level, LEVELS)
        planes = features.observation(state.observe(seat), "planes", levels=["5", "9"])
        assert ref_features.decode(blocks(planes, "planes")).levels == ("5", "9")
        assert state.observe(seat).levels == ("9", "9")


# --- Moves ---


def test_moves() -> None:
    state = gd.State.deal("2", 7)
    listed = state.legal_moves()
    want = np.array([move.cards.counts() for move in listed])
    for given in (listed, list(listed), (str(move) for move in listed)):
        got = features.moves(given)
        assert (got.dtype, got.shape) == (np.uint8, (len(listed), 54))
        assert (got == want).all()
    assert (features.moves(listed[3:40:2]) == want[3:40:2]).all()
    planes = np.array([hand.planes for hand in state.hands], np.uint64)
    batch = gd.legal_moves_batch(planes, "2")
    assert (features.moves(batch) == batch.counts()).all()
    assert features.moves([]).shape == (0, 54)
    assert features.moves(["pass", gd.Move.parse("pair 2")]).sum() == 0


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ("pass", TypeError),
        (7, TypeError),
        ([7], gd.NotationError),
        (["single"], gd.NotationError),
    ],
)
def test_moves_that_are_none(moves: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        features.moves(moves)


# --- Arrays of the caller ---


@pytest.mark.parametrize("preset", features.LAYOUTS)
def test_arrays_of_the_caller(preset: Any) -> None:
    seen = gd.State.deal("2", 7).observe(1)
    want = features.observation(seen, preset)
    assert (want.dtype, want.shape) == (np.uint8, (SIZES[preset],))
    rows = np.full((3, SIZES[preset]), 99, np.uint8)
    row = rows[1]
    assert features.observation(seen, preset, out=row) is row
    assert (rows[1] == want).all()
    assert (rows[[0, 2]] == 99).all()


def test_arrays_of_the_caller_for_moves() -> None:
    listed = gd.State.deal("2", 7).legal_moves()[:5]
    room = np.full((7, 54), 99, np.uint8)
    part = room[1:6]
    assert features.moves(listed, out=part) is part
    assert (part == listed.counts()).all()
    assert (room[[0, 6]] == 99).all()


def locked(shape: Any) -> Any:
    """An array that may not be written."""
    array = np.zeros(shape, np.uint8)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.zeros(513, np.float32), "want a uint8 array of shape .513,., got float32 of shape"),
        (np.zeros(513, np.int8), "got int8 of shape"),
        (np.zeros(512, np.uint8), r"got uint8 of shape \(512,\)"),
        (np.zeros((1, 513), np.uint8), r"got uint8 of shape \(1, 513\)"),
        (np.zeros(1026, np.uint8)[::2], "want a contiguous, aligned array that can be written"),
        (locked(513), "want a contiguous, aligned array that can be written"),
        ([0] * 513, "want a uint8 array"),
        (bytearray(513), "want a uint8 array"),
    ],
)
def test_arrays_that_do_not_fit(out: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"out: .*{words}"):
        features.observation(gd.State.deal("2", 7).observe(0), out=out)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.zeros((2, 54), np.uint8), r"want a uint8 array of shape \(3, 54\)"),
        (np.zeros((4, 54), np.uint8), r"want a uint8 array of shape \(3, 54\)"),
        (np.zeros((3, 55), np.uint8), r"want a uint8 array of shape \(3, 54\)"),
        (np.zeros((3, 54), np.float32), "got float32"),
        (np.zeros((54, 3), np.uint8).T, "want a contiguous, aligned array that can be written"),
        (locked((3, 54)), "want a contiguous, aligned array that can be written"),
    ],
)
def test_arrays_that_do_not_fit_moves(out: Any, words: str) -> None:
    with pytest.raises(ValueError, match=f"out: .*{words}"):
        features.moves(["pass"] * 3, out=out)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"obs": gd.State.deal("2", 7)}, TypeError, "want an Observation, got State.parse"),
        ({"obs": None}, TypeError, "want an Observation, got None"),
        ({"preset": "danzero"}, ValueError, "'danzero': want 'danzero_like' or 'planes'"),
        ({"preset": None}, ValueError, "None: want 'danzero_like' or 'planes'"),
        ({"levels": "29"}, gd.NotationError, "levels: '29': want two level texts, by side"),
        ({"levels": ("2",)}, gd.NotationError, "want two level texts, by side"),
        ({"levels": ("2", "10")}, gd.NotationError, 'write "T"'),
    ],
)
def test_arguments_that_are_none(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    given = {"obs": gd.State.deal("2", 7).observe(0), **arguments}
    with pytest.raises(error, match=words):
        features.observation(**given)


# --- The document ---


def rows(heading: str) -> list[list[str]]:
    """Return the rows of cells of the table below a heading."""
    section = DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("preset", features.LAYOUTS)
def test_the_document_has_every_value(preset: str) -> None:
    places = iter(range(SIZES[preset]))
    names = {}
    for first_to_last, name, *_ in rows(f"`{preset}`"):
        first, last = map(int, first_to_last.split("-"))
        assert all(next(places) == value for value in range(first, last + 1))
        names[name.strip("`")] = slice(first, last + 1)
    assert next(places, None) is None
    assert names == dict(features.LAYOUTS[preset])


def test_the_document_has_every_flag() -> None:
    first = features.LAYOUTS["danzero_like"]["flags"].start
    assert [(int(value), name.strip("`")) for value, name, *_ in rows("Flags")] == [
        (first + place, name) for place, name in enumerate(features.FLAGS)
    ]


def test_the_document_has_the_sizes() -> None:
    sizes = {name: int(n) for name, n in re.findall(r"^\| `(\w+)` \| (\d+) \|", DOCUMENT, re.M)}
    assert sizes == {**SIZES, "moves": 54}

"""What rule texts disagree on, and the switches that the kernels read."""

import copy
import dataclasses
import itertools
import pickle
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import guandan as gd

NAMES: dict[str, Any] = {}
exec("from guandan import *", NAMES)

# The fields that change the combos, each with the default first.
COMBOS: dict[str, tuple[Any, ...]] = {
    "straight_flush_downgrade": ("any", "other_suit", "forbid"),
    "level_full_house_by_wilds": (True, False),
    "full_house_joker_pair": (True, False),
    "bomb_max": (10, 9, 8),
}
# All fields.
VALUES: dict[str, tuple[Any, ...]] = {
    **COMBOS,
    "straight_reading": ("ask", "low", "high"),
    "full_house_reading": ("ask", "low", "high"),
    "lead_after_out": ("partner", "next"),
    "steps": ((3, 2, 1), (4, 2, 1), (1, 12, 1)),
}
# What the texts state otherwise than the default.
CHANGES: dict[str, dict[str, Any]] = {
    "seed000": {"straight_reading": "low", "lead_after_out": "next"},
    "seed001": {"straight_reading": "low"},
    "seed003": {"full_house_reading": "low"},
    "huaian2017": {"full_house_reading": "high"},
    "opengd": {"straight_flush_downgrade": "other_suit", "level_full_house_by_wilds": False},
    "pagat": {"steps": (4, 2, 1)},
}
ALL = [dict(zip(COMBOS, values, strict=True)) for values in itertools.product(*COMBOS.values())]
PRESETS = [
    *("jiangsu2023", "seed000", "seed001", "seed002", "seed003", "huaian2017", "njupt1006"),
    *("opengd", "pagat"),
]


def switches_of_source() -> dict[str, int]:
    """Read the enum of switches in the kernels' source."""
    text = (Path(__file__).parents[1] / "src" / "combos.pxd").read_text("utf-8")
    block = re.search(r"cdef enum Switch:.*\n((?:    .*\n)+)", text)
    assert block
    return {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", block[1])}


def test_the_default_rules_are_jiangsu2023() -> None:
    assert gd.Rules() == gd.Rules.preset("jiangsu2023") == gd.Rules(**ALL[0])
    assert gd.Rules().switches == 0


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    rules = gd.Rules.preset(name)
    changes = {
        field: getattr(rules, field)
        for field, values in VALUES.items()
        if getattr(rules, field) != values[0]
    }
    assert changes == CHANGES.get(name, {})
    assert gd.Rules.preset(name) == rules


@pytest.mark.parametrize("name", ["jiangsu", "Jiangsu2023", "", "seed004", None, 5])
def test_no_preset(name: Any) -> None:
    with pytest.raises(ValueError, match=rf"no preset {name!r}: there are {', '.join(PRESETS)}"):
        gd.Rules.preset(name)


def test_switches_are_those_of_the_kernels() -> None:
    switches = switches_of_source()
    assert len(switches) == 6
    word_of = {
        ("straight_flush_downgrade", "other_suit"): switches["DOWNGRADE_OTHER_SUIT"],
        ("straight_flush_downgrade", "forbid"): switches["DOWNGRADE_FORBID"],
        ("level_full_house_by_wilds", False): switches["NO_LEVEL_FULL_HOUSE"],
        ("full_house_joker_pair", False): switches["NO_JOKER_PAIR"],
        ("bomb_max", 9): switches["BOMB_MAX_9"],
        ("bomb_max", 8): switches["BOMB_MAX_8"],
    }
    for fields in ALL:
        want = sum(word_of.get(item, 0) for item in fields.items())
        assert gd.Rules(**fields).switches == want, fields
    assert len({gd.Rules(**fields).switches for fields in ALL}) == len(ALL)


@pytest.mark.parametrize("fields", ALL, ids=str)
def test_rules_are_remade(fields: dict[str, Any]) -> None:
    rules = gd.Rules(**fields)
    assert dataclasses.asdict(rules) == {**dataclasses.asdict(gd.Rules()), **fields}
    for other in (
        eval(repr(rules), NAMES),
        gd.Rules().replace(**fields),
        rules.replace(),
        rules.replace(bomb_max=9).replace(bomb_max=fields["bomb_max"]),
        pickle.loads(pickle.dumps(rules)),
        copy.deepcopy(rules),
    ):
        assert other == rules
        assert hash(other) == hash(rules)
        assert other.switches == rules.switches


def test_repr_shows_what_differs() -> None:
    assert repr(gd.Rules()) == "Rules()"
    assert repr(gd.Rules(bomb_max=8)) == "Rules(bomb_max=8)"


def test_rules_do_not_change() -> None:
    rules = gd.Rules()
    assert rules.replace(bomb_max=8).bomb_max == 8
    assert rules.bomb_max == 10
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.bomb_max = 9  # type: ignore[misc]
    assert len({gd.Rules(), gd.Rules.preset("seed002"), gd.Rules(bomb_max=8)}) == 2


@pytest.mark.parametrize(
    ("field", "value", "want"),
    [
        ("straight_flush_downgrade", "some", "'any', 'other_suit', 'forbid'"),
        ("straight_flush_downgrade", None, "'any', 'other_suit', 'forbid'"),
        ("straight_flush_downgrade", ["any"], "'any', 'other_suit', 'forbid'"),
        ("level_full_house_by_wilds", 1, "True, False"),
        ("level_full_house_by_wilds", "no", "True, False"),
        ("full_house_joker_pair", None, "True, False"),
        ("bomb_max", 7, "8, 9, 10"),
        ("bomb_max", 11, "8, 9, 10"),
        ("bomb_max", 9.0, "8, 9, 10"),
        ("bomb_max", True, "8, 9, 10"),
        ("bomb_max", "10", "8, 9, 10"),
        ("straight_reading", "lowest", "'ask', 'low', 'high'"),
        ("full_house_reading", True, "'ask', 'low', 'high'"),
        ("lead_after_out", "previous", "'partner', 'next'"),
    ],
)
def test_values_that_there_are_not(field: str, value: Any, want: str) -> None:
    for make in (gd.Rules, gd.Rules().replace):
        with pytest.raises(ValueError, match=field) as error:
            make(**{field: value})
        assert str(error.value) == f"{field}={value!r}: want one of {want}"


@pytest.mark.parametrize(
    "steps",
    [(3, 2), (3, 2, 1, 0), (3, 2, 0), (13, 2, 1), (3, 2, True), (3.0, 2, 1), "321", 3, None],
)
def test_steps_that_there_are_not(steps: Any) -> None:
    for make in (gd.Rules, gd.Rules().replace):
        with pytest.raises(ValueError, match="steps") as error:
            make(steps=steps)
        assert str(error.value) == f"steps={steps!r}: want three ints from 1 to 12"


def test_steps_may_be_a_list() -> None:
    rules = gd.Rules(steps=[4, 2, 1])  # type: ignore[arg-type]
    assert rules == gd.Rules.preset("pagat")
    assert rules.steps == (4, 2, 1)


class Steps(NamedTuple):
    second: int
    third: int
    last: int


def test_equal_rules_have_one_text() -> None:
    rules = gd.Rules(steps=Steps(4, 2, 1))
    assert repr(rules) == repr(gd.Rules.preset("pagat")) == "Rules(steps=(4, 2, 1))"
    assert (
        gd.State.deal("2", 7, rules=rules).key
        == gd.State.deal("2", 7, rules=gd.Rules.preset("pagat")).key
    )


@pytest.mark.parametrize(
    "call",
    [lambda text: gd.Rules.preset(text), lambda text: gd.Rules(straight_flush_downgrade=text)],
    ids=["preset", "field"],
)
def test_messages_of_huge_texts_are_short(call: Any) -> None:
    with pytest.raises(ValueError, match="x") as error:
        call("x" * 10**6)
    assert len(str(error.value)) < 250


def test_fields_that_there_are_not() -> None:
    with pytest.raises(TypeError, match="jokers"):
        gd.Rules(jokers=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="jokers"):
        gd.Rules().replace(jokers=1)
    with pytest.raises(TypeError, match="positional"):
        gd.Rules("any")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="no preset"):
        gd.Rules.preset([])  # type: ignore[arg-type]


# --- What the fields change ---


@pytest.mark.parametrize(
    ("fields", "cards", "lost"),
    [
        (
            {"straight_flush_downgrade": "other_suit"},
            "H4 H5 H6 H7 H2",
            ["straight 7", "straight 8"],
        ),
        ({"straight_flush_downgrade": "other_suit"}, "S4 S5 S6 S7 H2", []),
        ({"straight_flush_downgrade": "forbid"}, "S4 S5 S6 S7 H2", ["straight 7", "straight 8"]),
        ({"straight_flush_downgrade": "forbid"}, "S4 S5 S6 C7 H2", []),
        ({"level_full_house_by_wilds": False}, "S2 C2 D2 H2 H2", ["full_house 2"]),
        ({"level_full_house_by_wilds": False}, "S2 C2 H2 S3 C3", []),
        ({"level_full_house_by_wilds": False}, "S3 C3 D3 H2 H2", []),
        ({"full_house_joker_pair": False}, "S3 C3 D3 SB SB", ["full_house 3"]),
        ({"full_house_joker_pair": False}, "SB SB", []),
        ({"bomb_max": 8}, "S3 S3 H3 H3 C3 C3 D3 D3 H2", ["bomb9 3"]),
        ({"bomb_max": 8}, "S3 S3 H3 H3 C3 C3 D3 H2", []),
        ({"bomb_max": 9}, "S3 S3 H3 H3 C3 C3 D3 D3 H2", []),
        ({"bomb_max": 9}, "S3 S3 H3 H3 C3 C3 D3 D3 H2 H2", ["bomb10 3"]),
    ],
    ids=str,
)
def test_what_a_field_takes_away(fields: dict[str, Any], cards: str, lost: list[str]) -> None:
    rules = gd.Rules(**fields)
    before = gd.readings(cards, "2")
    after = gd.readings(cards, "2", rules=rules)
    gone = [move for move in before if move not in after]
    assert [f"{move.kind.name.lower()} {move.rank}" for move in gone] == lost
    moves = gd.legal_moves(cards, "2", rules=rules)
    whole = [move for move in moves if move.cards == gd.Hand(cards)]
    assert whole == after

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
# All fields, each with the default first.
VALUES: dict[str, tuple[Any, ...]] = {
    **COMBOS,
    "straight_reading": ("ask", "low", "high"),
    "full_house_reading": ("ask", "low", "high"),
    "lead_after_out": ("partner", "next"),
    "resist": ("forced", "optional"),
    "double_tribute_pairing": ("by_card", "by_seat"),
    "tribute_tie_pairing": ("clockwise", "first_paid"),
    "tribute_tie_leader": ("payer_to_first", "next_of_first", "previous_of_first", "last"),
    "return_to_opponent": ("ten_or_less", "below_level", "any"),
    "return_to_partner": ("ten_or_less", "below_level", "any"),
    "return_level_card": (False, True),
    "return_when_none": ("lowest", "any"),
    "return_same_card": (False, True),
    "steps": ((3, 2, 1), (4, 2, 1), (1, 12, 1)),
    "win_at_ace": ("not_last", "double"),
    "ace_failures": (None, (3, "any", "2"), (1, "won_last", "K")),
    "falls_draw": (None, 1, 50),
    "streaks": (False, True),
    "report_cards": ((10, True, False), (1, False, True), (27, True, True)),
    "match_end": (
        "at_ace",
        ("minutes", 60, "first_to_reach"),
        ("deals", 1, "draw"),
        ("deals", 8, "extra_deal"),
    ),
    "score_table": (13, "off", 14),
    "seconds": ((20, 40, 40, 20), (None, None, 40, 20), (None, None, None, None)),
    "conduct": ("jiangsu2023", "seed000", "seed001", "seed002", "none"),
}
# What the texts state otherwise than the default.
UNTIMED = {"score_table": "off", "seconds": (None, None, None, None), "conduct": "none"}
FREE = {"return_to_opponent": "any", "return_to_partner": "any"}
CHANGES: dict[str, dict[str, Any]] = {
    "seed000": {
        **UNTIMED,
        "straight_reading": "low",
        "lead_after_out": "next",
        "tribute_tie_leader": "next_of_first",
        "return_to_opponent": "any",
        "return_to_partner": "below_level",
        "return_same_card": True,
        "streaks": True,
        "report_cards": (10, False, True),
        "conduct": "seed000",
    },
    "seed001": {
        **FREE,
        "straight_reading": "low",
        "tribute_tie_leader": "next_of_first",
        "return_same_card": True,
        "report_cards": (6, True, True),
        "match_end": ("minutes", 60, "first_to_reach"),
        "score_table": "off",
        "seconds": (None, 40, 30, 30),
        "conduct": "seed001",
    },
    "seed002": {
        **UNTIMED,
        **FREE,
        "resist": "optional",
        "tribute_tie_pairing": "first_paid",
        "tribute_tie_leader": "next_of_first",
        "return_same_card": True,
        "score_table": 14,
        "conduct": "seed002",
    },
    "seed003": {
        "full_house_reading": "low",
        "tribute_tie_leader": "previous_of_first",
        "ace_failures": (3, "any", "2"),
        "report_cards": (6, False, True),
        "score_table": "off",
        "seconds": (None, None, 40, 20),
        "conduct": "none",
    },
    "huaian2017": {
        "full_house_reading": "high",
        "return_to_opponent": "any",
        "seconds": (None, None, None, None),
        "conduct": "none",
    },
    "njupt1006": {
        **UNTIMED,
        "win_at_ace": "double",
        "ace_failures": (2, "any", "2"),
        "falls_draw": 50,
        "report_cards": (27, True, True),
    },
    "opengd": {
        **UNTIMED,
        "straight_flush_downgrade": "other_suit",
        "level_full_house_by_wilds": False,
        "double_tribute_pairing": "by_seat",
        "tribute_tie_leader": "last",
        "ace_failures": (4, "won_last", "2"),
        "report_cards": (27, True, True),
    },
    "pagat": {
        **UNTIMED,
        **FREE,
        "steps": (4, 2, 1),
        "ace_failures": (3, "any", "2"),
        "report_cards": (10, False, True),
    },
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
    assert changes == rules.changes() == CHANGES.get(name, {})
    assert gd.Rules.preset(name) == rules


def test_every_field_is_here() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(gd.Rules)}
    assert defaults == {name: values[0] for name, values in VALUES.items()}


def test_sources() -> None:
    for name in PRESETS:
        sources = gd.Rules.sources(name)
        assert sources.keys() == VALUES.keys()
        assert set(sources.values()) <= (
            {"stated", "silent"} if name.startswith("seed") else {"stated", "unknown"}
        )
        # No text says that there is no table, no limit of time and no event of a referee.
        for field in gd.Rules.preset(name).changes().keys() - UNTIMED.keys():
            assert sources[field] == "stated", (name, field)
    assert gd.Rules.sources("seed001")["seconds"] == "stated"
    assert gd.Rules.sources("seed002")["score_table"] == "stated"
    conducts = {name: gd.Rules.sources(name)["conduct"] for name in PRESETS}
    stated = dict.fromkeys(["jiangsu2023", "seed000", "seed001", "seed002"], "stated")
    assert conducts == {**dict.fromkeys(PRESETS, "unknown"), "seed003": "silent", **stated}
    assert set(gd.Rules.sources("jiangsu2023").values()) == {"stated", "unknown"}
    for field in (*list(VALUES)[:3], "return_when_none"):
        assert {gd.Rules.sources(f"seed00{n}")[field] for n in range(4)} == {"silent"}
    with pytest.raises(ValueError, match="no preset"):
        gd.Rules.sources("seed004")


def every_rules() -> list[gd.Rules]:
    """Return all presets, and the default with each field changed."""
    changed = [{name: value} for name, values in VALUES.items() for value in values]
    return [*map(gd.Rules.preset, PRESETS), *(gd.Rules(**fields) for fields in changed)]


@pytest.mark.parametrize("rules", every_rules(), ids=repr)
def test_text_is_read_back(rules: gd.Rules) -> None:
    assert gd.Rules.from_json(rules.to_json()) == rules
    assert gd.Rules.from_toml(rules.to_toml()) == rules
    assert gd.Rules.from_fields(rules.changes()) == rules
    assert gd.Rules.from_fields(dataclasses.asdict(rules)) == rules
    assert eval(repr(rules), NAMES) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_text_over_a_preset() -> None:
    seed003 = gd.Rules.preset("seed003")
    assert gd.Rules.from_json('{"preset": "seed003"}') == seed003
    assert gd.Rules.from_toml("bomb_max = 8\npreset = 'seed003'") == seed003.replace(bomb_max=8)
    no_failures = seed003.replace(ace_failures=None)
    assert gd.Rules.from_toml("preset = 'seed003'\nace_failures = '-'") == no_failures
    assert gd.Rules.from_json('{"seconds": [null, null, 40, 20]}').seconds == (None, None, 40, 20)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "want a JSON object"),
        ("[" * 100_000, "want a JSON object"),
        ('{"preset": "seed9"}', "no preset 'seed9'"),
        ('{"preset": 3}', "no preset 3"),
        ('{"jokers": 1}', "no field 'jokers' of Rules: there are preset, straight_flush_downgrade"),
        ('{"bomb_max": 7}', "bomb_max=7: want one of 8, 9, 10"),
        ('{"bomb_max"', "Expecting"),
    ],
)
def test_text_that_cannot_be_read(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        gd.Rules.from_json(text)


@pytest.mark.parametrize(
    ("field", "value", "want"),
    [
        ("ace_failures", (0, "any", "2"), "None or (failures from 1 to 100, "),
        ("ace_failures", (3, "any", "A"), "level '2' to 'K' to fall to)"),
        ("ace_failures", (3, "any", 2), "None or (failures"),
        ("ace_failures", 3, "None or (failures"),
        ("falls_draw", 0, "None or an int from 1 to 1000"),
        ("falls_draw", True, "None or an int from 1 to 1000"),
        ("report_cards", (0, True, True), "(threshold from 1 to 27, whether unasked, "),
        ("report_cards", (10, 1, 0), "(threshold from 1 to 27, whether unasked, "),
        ("match_end", "minutes", "one of 'at_ace' or ('minutes' or 'deals', how many"),
        ("match_end", ("minutes", 60, "coin"), "one of 'first_to_reach', 'draw', 'extra_deal')"),
        ("score_table", None, "one of 'off', 13, 14"),
        ("score_table", 13.0, "one of 'off', 13, 14"),
        ("seconds", (20, 40, 40), "four ints from 1 to 86400, each or None"),
        ("seconds", (0, 40, 40, 20), "four ints from 1 to 86400, each or None"),
        ("seconds", None, "four ints from 1 to 86400, each or None"),
        ("tribute_tie_leader", "first", "one of 'payer_to_first', 'next_of_first', "),
        ("conduct", "seed003", "one of 'jiangsu2023', 'seed000', 'seed001', 'seed002', 'none'"),
        ("conduct", None, "one of 'jiangsu2023', "),
    ],
)
def test_values_of_a_match_that_there_are_not(field: str, value: Any, want: str) -> None:
    with pytest.raises(ValueError, match=field) as error:
        gd.Rules(**{field: value})
    assert f"{field}={value!r}: want " in str(error.value)
    assert want in str(error.value)


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
    assert len({gd.Rules(), gd.Rules.preset("jiangsu2023"), gd.Rules(bomb_max=8)}) == 2


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
    assert rules == gd.Rules(steps=(4, 2, 1))
    assert rules.steps == (4, 2, 1)


class Steps(NamedTuple):
    second: int
    third: int
    last: int


def test_equal_rules_have_one_text() -> None:
    rules = gd.Rules(steps=Steps(4, 2, 1))
    same = gd.Rules(steps=(4, 2, 1))
    assert repr(rules) == repr(same) == "Rules(steps=(4, 2, 1))"
    assert gd.State.deal("2", 7, rules=rules).key == gd.State.deal("2", 7, rules=same).key


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

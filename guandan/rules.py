"""What published rule texts disagree on: one frozen value, with a preset for each text."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from guandan.cards import shorten
from guandan.presets import PRESETS, SOURCES

__all__ = ["Rules"]

Downgrade = Literal["any", "other_suit", "forbid"]
Reading = Literal["ask", "low", "high"]
Leader = Literal["partner", "next"]
Resist = Literal["forced", "optional"]
Pairing = Literal["by_card", "by_seat"]
TiePairing = Literal["clockwise", "first_paid"]
TieLeader = Literal["payer_to_first", "next_of_first", "previous_of_first", "last"]
Returnable = Literal["ten_or_less", "below_level", "any"]
WhenNone = Literal["lowest", "any"]
Win = Literal["not_last", "double"]
Failure = Literal["any", "won_last"]
Limit = Literal["minutes", "deals"]
Tie = Literal["first_to_reach", "draw", "extra_deal"]
Conduct = Literal["jiangsu2023", "seed000", "seed001", "seed002", "none"]
Source = Literal["stated", "silent", "unknown"]
Seconds = tuple[int | None, int | None, int | None, int | None]

# As `Switch` in combos.pxd; a test holds the two together.
_DOWNGRADE = {"any": 0, "other_suit": 1, "forbid": 2}
_NO_LEVEL_FULL_HOUSE = 4
_NO_JOKER_PAIR = 8
_BOMB_MAX = {10: 0, 9: 16, 8: 32}


# Values


class Check(NamedTuple):
    """What a field takes: in words, and whether a value is that."""

    want: str
    takes: Callable[[object], bool]


def one_of(*values: object) -> Check:
    """Take one of some values; True is not 1."""
    return Check(
        f"one of {', '.join(map(repr, values))}",
        lambda value: any(type(value) is type(one) and value == one for one in values),
    )


def whole(least: int, most: int) -> Check:
    """Take an int."""
    return Check(
        f"an int from {least} to {most}",
        lambda value: type(value) is int and least <= value <= most,
    )


def each(want: str, *checks: Check) -> Check:
    """Take a tuple with a value for each check."""
    return Check(
        want,
        lambda value: (
            type(value) is tuple
            and len(value) == len(checks)
            and all(check.takes(one) for check, one in zip(checks, value, strict=True))
        ),
    )


def either(*checks: Check) -> Check:
    """Take what one of the checks takes."""
    return Check(
        " or ".join(check.want for check in checks),
        lambda value: any(check.takes(value) for check in checks),
    )


def plain(value: object) -> object:
    """Return an int for one of numpy's, else the value."""
    return int(value) if isinstance(value, np.integer) else value


def check_fields(holder: object, checks: Mapping[str, Check]) -> None:
    """Refuse a frozen value with a field that its check does not take."""
    for name, check in checks.items():
        given = getattr(holder, name)
        value = tuple(map(plain, given)) if isinstance(given, (tuple, list)) else plain(given)
        # Of a list, a named tuple or numpy's ints too: equal values have one text.
        object.__setattr__(holder, name, value)
        if not check.takes(value):
            raise ValueError(f"{name}={shorten(given)}: want {check.want}")


def changed_fields(holder: Any) -> dict[str, Any]:
    """Return the fields of a frozen value that differ from their defaults."""
    return {
        field.name: getattr(holder, field.name)
        for field in fields(holder)
        if getattr(holder, field.name) != field.default
    }


def text_of(holder: Any) -> str:
    """Return the text of a frozen value, with the fields that differ from their defaults."""
    shown = ", ".join(f"{name}={value!r}" for name, value in changed_fields(holder).items())
    return f"{type(holder).__name__}({shown})"


_BOOL = one_of(True, False)
_NONE = Check("None", lambda value: value is None)
_SECONDS = either(whole(1, 86400), _NONE)

_CHECKS = {
    "straight_flush_downgrade": one_of(*get_args(Downgrade)),
    "level_full_house_by_wilds": _BOOL,
    "full_house_joker_pair": _BOOL,
    "bomb_max": one_of(8, 9, 10),
    "straight_reading": one_of(*get_args(Reading)),
    "full_house_reading": one_of(*get_args(Reading)),
    "lead_after_out": one_of(*get_args(Leader)),
    "resist": one_of(*get_args(Resist)),
    "double_tribute_pairing": one_of(*get_args(Pairing)),
    "tribute_tie_pairing": one_of(*get_args(TiePairing)),
    "tribute_tie_leader": one_of(*get_args(TieLeader)),
    "return_to_opponent": one_of(*get_args(Returnable)),
    "return_to_partner": one_of(*get_args(Returnable)),
    "return_level_card": _BOOL,
    "return_when_none": one_of(*get_args(WhenNone)),
    "return_same_card": _BOOL,
    "steps": each("three ints from 1 to 12", *[whole(1, 12)] * 3),
    "win_at_ace": one_of(*get_args(Win)),
    "ace_failures": either(
        _NONE,
        each(
            "(failures from 1 to 100, 'any' or 'won_last', level '2' to 'K' to fall to)",
            whole(1, 100),
            one_of(*get_args(Failure)),
            one_of(*"23456789TJQK"),
        ),
    ),
    "falls_draw": either(_NONE, whole(1, 1000)),
    "streaks": _BOOL,
    "report_cards": each(
        "(threshold from 1 to 27, whether unasked, whether on asking)", whole(1, 27), _BOOL, _BOOL
    ),
    "match_end": either(
        one_of("at_ace"),
        each(
            f"('minutes' or 'deals', how many from 1 to 100000, {one_of(*get_args(Tie)).want})",
            one_of(*get_args(Limit)),
            whole(1, 100_000),
            one_of(*get_args(Tie)),
        ),
    ),
    "score_table": one_of("off", 13, 14),
    "seconds": each(
        "four ints from 1 to 86400, each or None: tribute, return, first lead, later plays",
        *[_SECONDS] * 4,
    ),
    "conduct": one_of(*get_args(Conduct)),
}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The points on which rule texts differ; the defaults are the Jiangsu rules of 2023.

    Moves. `straight_flush_downgrade`: whether a run of one suit that a wild completes may also be
    read as a plain straight: `any`; `other_suit`, not when all five cards as printed are hearts;
    `forbid`, not when the natural cards are of one suit. `level_full_house_by_wilds`: whether
    three natural level cards and both wilds are a full house. `full_house_joker_pair`: whether
    the pair of a full house may be jokers. `bomb_max`: the most cards of a bomb of one rank, 8 to
    10. `straight_reading` (straights and straight flushes), `full_house_reading`: what cards
    shown alone are where several keys of one kind are legal: the `low` or `high` one; `ask`, an
    error. `lead_after_out`: who leads where a trick's winner has no cards left: his `partner`, or
    the `next` seat that has.

    Tribute. `resist`: whether who holds both big jokers pays all the same, where it is
    `optional`. `double_tribute_pairing`: the first receives the greater card, `by_card`, or each
    pays the seat before him, `by_seat`. Where both cards are equal, `tribute_tie_pairing`: the
    next seat of the first pays him, `clockwise`, or who paid first, `first_paid`; and
    `tribute_tie_leader` leads. `return_to_opponent`, `return_to_partner`: what may be returned:
    `ten_or_less`, without the level rank unless `return_level_card`; `below_level`, all but
    jokers and the level rank; `any`. `return_when_none`: with no such card, one of the `lowest`
    rank, or `any`. `return_same_card`: whether the kind of card received may go back to who held
    no other.

    Levels. `steps`: those of the side of the first, by its other player's place: second, third
    or last; each 1 to 12. `win_at_ace`: what wins the match at level A: first, and the other
    player `not_last`, or second as well, `double`. `ace_failures`: None, or (n, which, level): at
    its n-th failure at A, of `any` kind or only `won_last`, a side falls to a level.
    `falls_draw`: the match is drawn after so many falls of a side, None for never. `streaks`:
    rewards and penalties for players first or last three deals running. `match_end`: `at_ace`
    alone, or (`minutes` or `deals`, how many, and what decides where levels are equal then:
    `first_to_reach`, `draw`, `extra_deal`). `score_table`: what winner and loser score together,
    halved: 13, 14 or `off`.

    Conduct. `report_cards`: (threshold, whether a player says unasked how many cards are left to
    him once they are so few, whether he must on asking). `seconds`: for tribute, return, first
    lead and later plays, None for no limit. `conduct`: whose table says what a referee's events
    cost, that of `jiangsu2023`, `seed000`, `seed001` or `seed002`, or `none`: see Referee.

    A field that does not have one of its values raises ValueError, which names both.

    >>> Rules.preset("opengd").double_tribute_pairing
    'by_seat'
    >>> Rules(bomb_max=8, steps=(4, 2, 1))
    Rules(bomb_max=8, steps=(4, 2, 1))
    """

    straight_flush_downgrade: Downgrade = "any"
    level_full_house_by_wilds: bool = True
    full_house_joker_pair: bool = True
    bomb_max: int = 10
    straight_reading: Reading = "ask"
    full_house_reading: Reading = "ask"
    lead_after_out: Leader = "partner"
    resist: Resist = "forced"
    double_tribute_pairing: Pairing = "by_card"
    tribute_tie_pairing: TiePairing = "clockwise"
    tribute_tie_leader: TieLeader = "payer_to_first"
    return_to_opponent: Returnable = "ten_or_less"
    return_to_partner: Returnable = "ten_or_less"
    return_level_card: bool = False
    return_when_none: WhenNone = "lowest"
    return_same_card: bool = False
    steps: tuple[int, int, int] = (3, 2, 1)
    win_at_ace: Win = "not_last"
    ace_failures: tuple[int, Failure, str] | None = None
    falls_draw: int | None = None
    streaks: bool = False
    report_cards: tuple[int, bool, bool] = (10, True, False)
    match_end: Literal["at_ace"] | tuple[Limit, int, Tie] = "at_ace"
    score_table: Literal["off", 13, 14] = 13
    seconds: Seconds = (20, 40, 40, 20)
    conduct: Conduct = "jiangsu2023"

    def __post_init__(self) -> None:
        """Refuse a field without one of its values."""
        check_fields(self, _CHECKS)

    @classmethod
    def preset(cls, name: str) -> "Rules":
        """Return the rules of a text by name; another raises ValueError with those there are."""
        if not isinstance(name, str) or name not in PRESETS:
            raise ValueError(f"no preset {shorten(name)}: there are {', '.join(PRESETS)}")
        return cls(**PRESETS[name])

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Return the names of the presets, the default first."""
        return tuple(PRESETS)

    @staticmethod
    def sources(name: str) -> dict[str, Source]:
        """Return for each field of a preset whether its text states it or is silent.

        A text that is silent has the default, or nothing of the kind: no score table, no limits
        of time, no events of a referee. Presets whose text was not at hand are "unknown" where
        they do not differ from the default. The default's own states the events, `conduct`.

        >>> Rules.sources("seed000")["streaks"], Rules.sources("seed000")["bomb_max"]
        ('stated', 'silent')
        """
        Rules.preset(name)
        missing = {"score_table": "off", "seconds": (None,) * 4, "conduct": "none"}
        differing = [field for field, value in PRESETS[name].items() if missing.get(field) != value]
        stated = SOURCES.get(name, differing)
        other: Source = "silent" if name in SOURCES else "unknown"
        return {field.name: "stated" if field.name in stated else other for field in fields(Rules)}

    def replace(self, **changes: Any) -> "Rules":
        """Return the same rules with some fields changed.

        >>> Rules().replace(bomb_max=8)
        Rules(bomb_max=8)
        """
        return replace(self, **changes)

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the default rules.

        >>> Rules.preset("pagat").changes()["steps"]
        (4, 2, 1)
        """
        return changed_fields(self)

    @property
    def switches(self) -> int:
        """The flag word of the kernels; 0 for the default rules."""
        return (
            _DOWNGRADE[self.straight_flush_downgrade]
            | (0 if self.level_full_house_by_wilds else _NO_LEVEL_FULL_HOUSE)
            | (0 if self.full_house_joker_pair else _NO_JOKER_PAIR)
            | _BOMB_MAX[self.bomb_max]
        )

    def __repr__(self) -> str:
        """Show the fields that differ from the default."""
        return text_of(self)

    # Text

    def to_json(self) -> str:
        """Return a JSON object of the fields that differ from the default."""
        return json.dumps(self.changes())

    def to_toml(self) -> str:
        """Return lines of TOML, one for each field that differs from the default; "-" is None.

        >>> print(Rules(bomb_max=8, seconds=(None, None, 40, 20)).to_toml())
        bomb_max = 8
        seconds = ["-", "-", 40, 20]
        """
        # What is a value in JSON is one in TOML, but for null.
        return "\n".join(
            f"{name} = {json.dumps(['-' if one is None else one for one in value])}"
            if isinstance(value, tuple)
            else f"{name} = {json.dumps(value)}"
            for name, value in self.changes().items()
        )

    @classmethod
    def from_json(cls, text: str) -> "Rules":
        """Read a JSON object of fields; see `from_fields`."""
        if not isinstance(text, (str, bytes, bytearray)):
            raise TypeError(f"text={shorten(text)}: want a JSON object of fields of Rules")
        try:
            given = json.loads(text)
        except RecursionError:
            given = None
        if not isinstance(given, dict):
            raise ValueError(f"{shorten(text)}: want a JSON object of fields of Rules")
        return cls.from_fields(given)

    @classmethod
    def from_toml(cls, text: str) -> "Rules":
        """Read lines of TOML; see `from_fields`.

        >>> Rules.from_toml('preset = "pagat"').steps
        (4, 2, 1)
        """
        if not isinstance(text, str):
            raise TypeError(f"text={shorten(text)}: want lines of TOML, fields of Rules")
        return cls.from_fields(tomllib.loads(text))

    @classmethod
    def from_fields(cls, given: Mapping[str, Any]) -> "Rules":
        """Return rules from fields by name, "-" for None, in a list too.

        Those that are not given are as in the preset that "preset" names, or the default. A name
        that is no field raises ValueError, with those that there are.
        """
        if not isinstance(given, Mapping):
            raise TypeError(f"given={shorten(given)}: want a mapping of fields of Rules")
        changes = dict(given)
        rules = cls.preset(changes.pop("preset", "jiangsu2023"))
        unknown = changes.keys() - _CHECKS.keys()
        if unknown:
            raise ValueError(
                f"no field {min(unknown, key=str)!r:.40} of Rules: there are preset, "
                f"{', '.join(_CHECKS)}"
            )
        for name, value in changes.items():
            if isinstance(value, list):
                changes[name] = tuple(None if one == "-" else one for one in value)
            elif value == "-":
                changes[name] = None
        return rules.replace(**changes)


def read_rules(rules: Rules | None) -> Rules:
    """Return rules, the default for None; TypeError for what is none."""
    if rules is None:
        return DEFAULT
    if not isinstance(rules, Rules):
        raise TypeError(
            f'rules: want a Rules, such as Rules.preset("opengd"), got {shorten(rules)}'
        )
    return rules


DEFAULT = Rules()

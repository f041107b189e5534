"""What published rule texts disagree on: one frozen value, with a preset for each text."""

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

__all__ = ["Rules"]

Downgrade = Literal["any", "other_suit", "forbid"]
Reading = Literal["ask", "low", "high"]
Leader = Literal["partner", "next"]

# As `Switch` in combos.pxd; a test holds the two together.
_DOWNGRADE = {"any": 0, "other_suit": 1, "forbid": 2}
_NO_LEVEL_FULL_HOUSE = 4
_NO_JOKER_PAIR = 8
_BOMB_MAX = {10: 0, 9: 16, 8: 32}

_PRESETS: dict[str, dict[str, Any]] = {
    "jiangsu2023": {},
    "seed000": {"straight_reading": "low", "lead_after_out": "next"},
    "seed001": {"straight_reading": "low"},
    "seed002": {},
    "seed003": {"full_house_reading": "low"},
    "huaian2017": {"full_house_reading": "high"},
    "njupt1006": {},
    "opengd": {"straight_flush_downgrade": "other_suit", "level_full_house_by_wilds": False},
    "pagat": {"steps": (4, 2, 1)},
}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The points on which rule texts differ; the defaults are the Jiangsu rules of 2023.

    `straight_flush_downgrade`: whether a run of one suit that a wild completes may also be read
    as a plain straight: `any`; `other_suit`, not when all five cards as printed are hearts;
    `forbid`, not when the natural cards are of one suit.
    `level_full_house_by_wilds`: whether three natural level cards and both wilds are a full house.
    `full_house_joker_pair`: whether the pair of a full house may be jokers.
    `bomb_max`: the most cards of a bomb of one rank, 8 to 10.
    `straight_reading` (straights and straight flushes), `full_house_reading`: what cards shown
    alone are where several keys of one kind are legal: the `low` or `high` one; `ask`, an error.
    `lead_after_out`: who leads where a trick's winner has no cards left: his `partner`, or the
    `next` seat that has.
    `steps`: the level steps of the side of the first, by its other player's place: second, third
    or last; each 1 to 12.

    A field that does not have one of its values raises ValueError.

    >>> Rules.preset("opengd")
    Rules(straight_flush_downgrade='other_suit', level_full_house_by_wilds=False)
    """

    straight_flush_downgrade: Downgrade = "any"
    level_full_house_by_wilds: bool = True
    full_house_joker_pair: bool = True
    bomb_max: int = 10
    straight_reading: Reading = "ask"
    full_house_reading: Reading = "ask"
    lead_after_out: Leader = "partner"
    steps: tuple[int, int, int] = (3, 2, 1)

    def __post_init__(self) -> None:
        """Refuse a field without one of its values."""
        allowed: dict[str, tuple[object, ...]] = {
            "straight_flush_downgrade": get_args(Downgrade),
            "level_full_house_by_wilds": (True, False),
            "full_house_joker_pair": (True, False),
            "bomb_max": (8, 9, 10),
            "straight_reading": get_args(Reading),
            "full_house_reading": get_args(Reading),
            "lead_after_out": get_args(Leader),
        }
        for name, values in allowed.items():
            value = getattr(self, name)
            if not any(type(value) is type(one) and value == one for one in values):
                want = ", ".join(map(repr, values))
                raise ValueError(f"{name}={value!r:.40}: want one of {want}")
        steps: object = self.steps
        numbers = tuple(steps) if isinstance(steps, (tuple, list)) else ()
        if len(numbers) != 3 or not all(type(n) is int and 1 <= n <= 12 for n in numbers):
            raise ValueError(f"steps={steps!r:.40}: want three ints from 1 to 12")
        # Of a list or a named tuple too: equal rules have one text.
        object.__setattr__(self, "steps", numbers)

    @classmethod
    def preset(cls, name: str) -> "Rules":
        """Return the rules of a text by name; another raises ValueError with those there are."""
        if not isinstance(name, str) or name not in _PRESETS:
            raise ValueError(f"no preset {name!r:.40}: there are {', '.join(_PRESETS)}")
        return cls(**_PRESETS[name])

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Return the names of the presets, the default first."""
        return tuple(_PRESETS)

    def replace(self, **changes: Any) -> "Rules":
        """Return the same rules with some fields changed.

        >>> Rules().replace(bomb_max=8)
        Rules(bomb_max=8)
        """
        return replace(self, **changes)

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
        """Show the fields that differ from the defaults."""
        shown = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"Rules({', '.join(shown)})"

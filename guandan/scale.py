"""What the outcomes of a deal are worth to side 0: level steps, or the numbers of a utility."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real

from guandan.cards import shorten
from guandan.rules import Rules
from guandan.state import State

__all__ = ["OUTCOMES", "Scale", "Utility", "for_side", "outcome_of", "read_number"]

Utility = Mapping[tuple[int, int], float]

# The side of the first and the place of his partner, in the order that the search expects.
OUTCOMES = ((0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4))


@dataclass(frozen=True, slots=True)
class Scale:
    """The outcomes' values for side 0, and their ranks: 0 for the least, equal for equal values.

    `values` holds the value of each rank, `ranks` the rank of each of the `OUTCOMES`. A test k
    asks whether the rank of a position is k or more.
    """

    values: tuple[float, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, rules: Rules, utility: Utility | None = None) -> "Scale":
        """Return the scale of the rules' steps, or that of a utility; errors as `solve`."""
        worth = steps_of(rules) if utility is None else read_utility(utility)
        values = tuple(sorted(set(worth)))
        return cls(values, tuple(values.index(value) for value in worth))

    def rank(self, over: State) -> int:
        """Return the rank of a deal that is over."""
        return self.ranks[OUTCOMES.index(outcome_of(over))]

    def test(self, target: float, side: int) -> int:
        """Return the test that decides whether a side's value is a target or more.

        It holds where side 0 reaches the target, and fails where side 1 does.
        """
        if side == 0:
            return bisect_left(self.values, target)
        return next((k for k, value in enumerate(self.values) if -value < target), len(self.values))

    def sign_test(self, side: int) -> int:
        """Return the test that decides whether a side's value is above 0, as `test` does."""
        return (bisect_right if side == 0 else bisect_left)(self.values, 0)

    @property
    def top(self) -> int:
        """The greatest rank."""
        return len(self.values) - 1

    @property
    def first_test(self) -> int:
        """The test that is best made first: whether side 0 gains, or else the middle one."""
        gains = bisect_left(self.values, 0)
        return gains if 0 < gains <= self.top else (self.top + 1) // 2


def steps_of(rules: Rules) -> tuple[float, ...]:
    """Return the level steps for side 0 of each of the `OUTCOMES`."""
    return tuple(rules.steps[place - 2] * (1 if side == 0 else -1) for side, place in OUTCOMES)


def read_utility(utility: Utility) -> tuple[float, ...]:
    """Return the numbers of a utility, checked, one for each of the `OUTCOMES`."""
    if not isinstance(utility, Mapping):
        raise TypeError(
            "utility: want a mapping of (side of the first, place of his partner) to a number for "
            f"side 0, got {shorten(utility)}"
        )
    lacking = [outcome for outcome in OUTCOMES if outcome not in utility]
    other = [key for key in utility if key not in OUTCOMES]
    if lacking or other:
        wrong = f"lacks {lacking[0]}" if lacking else f"has {other[0]!r:.40}"
        raise ValueError(f"utility {wrong}: want the six keys {', '.join(map(str, OUTCOMES))}")
    return tuple(read_number(f"utility{[outcome]}", utility[outcome]) for outcome in OUTCOMES)


def read_number(name: str, number: object) -> float:
    """Return a number as an int or a float; an error for what is neither or has no size."""
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name}={shorten(number)}: want a number")
    # Not as it comes: an unsigned number of numpy has no negative.
    plain = int(number) if isinstance(number, Integral) else float(number)
    if isinstance(plain, float) and not isfinite(plain):
        raise ValueError(f"{name}={shorten(number)}: want a finite number")
    return plain


def outcome_of(over: State) -> tuple[int, int]:
    """Return the side of the first and the place of his partner, 2 to 4, in a deal that is over."""
    order = over.order
    assert order is not None
    return order[0] % 2, order.index(order[0] ^ 2) + 1


def for_side(value: float, side: int) -> float:
    """Return a side's value of what is worth so much to side 0."""
    return value if side == 0 else 0 - value  # no -0.0, which is shown as such

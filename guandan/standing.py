"""Where a match stands between two deals: levels, declarers, what is counted, and its score."""

import operator
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar, get_args

from guandan.cards import CARDS
from guandan.rules import Check, Rules, Tie, each, one_of

__all__ = ["Standing", "score"]

T = TypeVar("T")
Pair = tuple[int, int]  # by side
Seats = tuple[int, int, int, int]

LEVELS = "".join(card[1] for card in CARDS[:52:4])
LEAST, ACE = 2, 14  # the numbers of levels 2 and A
STREAK = 3  # the deals running from which a streak counts
# The farthest place of the first's partner with which declarers win at A.
FARTHEST = {"not_last": 3, "double": 2}

_SIDE = one_of(None, 0, 1)
_COUNT = Check("a count", lambda value: type(value) is int and value >= 0)
_BY_SIDE = each("two ints by side, each 0 or more", *[_COUNT] * 2)
_BY_SEAT = each("four ints by seat, each 0 or more", *[_COUNT] * 4)
_CHECKS = {
    "levels": each(f"two levels by side, each {one_of(*LEVELS).want}", *[one_of(*LEVELS)] * 2),
    "declarers": _SIDE,
    "deals": Check("an int, 0 or more", _COUNT.takes),
    "since": _BY_SIDE,
    "failures": _BY_SIDE,
    "falls": _BY_SIDE,
    "first_streaks": _BY_SEAT,
    "last_streaks": _BY_SEAT,
    "double_streaks": _BY_SIDE,
    "debts": _BY_SIDE,
    "winner": _SIDE,
    "past_ace": one_of(0, 1, 2),
    "drawn": one_of(True, False),
}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where a match stands between two deals; with no arguments, before its first.

    Pairs are by side, fours by seat. `levels`: texts. `declarers`: the side of the last deal's
    first, None before a first deal. `deals`: how many have been counted. `since`: after which of
    them, from 1, the level last changed, 0 for not yet.

    What the rules ask for is counted, all else stays as it is. `ace_failures`: `failures` of a
    side at A since its last fall, and its `falls`. `streaks`: the deals running up to the last
    one in which a seat was first (`first_streaks`) or last (`last_streaks`), or a side last
    together (`double_streaks`); `debts`: the levels that a side could not fall below 2, which
    are taken from its next rises.

    `winner`: the side that has won the match; `past_ace`: how many levels past A that was, 1 for
    a match won at A, 2 by a double under score table 14, 0 for one that was won otherwise.
    `drawn`: the match is over without a winner.

    A field that does not have one of its values raises ValueError, which names both.

    >>> Standing(levels=("A", "9"), declarers=0).level
    'A'
    """

    levels: tuple[str, str] = ("2", "2")
    declarers: int | None = None
    deals: int = 0
    since: Pair = (0, 0)
    failures: Pair = (0, 0)
    falls: Pair = (0, 0)
    first_streaks: Seats = (0, 0, 0, 0)
    last_streaks: Seats = (0, 0, 0, 0)
    double_streaks: Pair = (0, 0)
    debts: Pair = (0, 0)
    winner: int | None = None
    past_ace: int = 0
    drawn: bool = False

    def __post_init__(self) -> None:
        """Refuse a field without one of its values, and fields that cannot be together."""
        for name, check in _CHECKS.items():
            value = given = getattr(self, name)
            if isinstance(given, (tuple, list)):
                # Of a list or a named tuple too: equal standings have one text.
                value = tuple(given)
                object.__setattr__(self, name, value)
            if not check.takes(value):
                raise ValueError(f"{name}={given!r:.40}: want {check.want}")
        if self.declarers is None and self.levels[0] != self.levels[1]:
            raise ValueError(
                f"declarers=None: want side 0 or 1 where levels differ, as {self.levels} do"
            )
        if self.drawn and self.winner is not None:
            raise ValueError(f"winner={self.winner}: want None for a match that is drawn")
        if self.past_ace and (self.winner is None or self.levels[self.winner] != "A"):
            raise ValueError(
                f"past_ace={self.past_ace}: want 0 where no winner has level A; winner="
                f"{self.winner}, levels={self.levels}"
            )

    def __repr__(self) -> str:
        """Show the fields that differ from those of a match before its first deal."""
        shown = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"Standing({', '.join(shown)})"

    @property
    def level(self) -> str:
        """The level of the next deal: the declarers', or both sides' before a first deal."""
        return self.levels[self.declarers or 0]

    @property
    def numbers(self) -> Pair:
        """The level numbers by side: 2 to 14, and `past_ace` more for the winner.

        >>> Standing(levels=("A", "9"), winner=0, past_ace=1, declarers=0).numbers
        (15, 9)
        """
        numbers = pair(map(number_of, self.levels))
        if self.winner is None:
            return numbers
        return put(numbers, self.winner, numbers[self.winner] + self.past_ace)

    @property
    def is_over(self) -> bool:
        """Whether the match is won or drawn."""
        return self.drawn or self.winner is not None

    def after(self, order: Iterable[int], rules: Rules | None = None) -> "Standing":
        """Return where the match stands after one more deal.

        `order` has the seats first, second, third and last, as `State.order`: after a double the
        last two are in ascending seat number, and both are last. The side of the first rises by
        its steps, not past A. Declarers at A win or fail there; where they fall, the level they
        fall to takes the place of any rise. With `streaks`, a bonus is added to the steps and a
        debt is taken from that rise; only then a side falls, unless it is at A.

        Raises ValueError for a match that is over or an order that no deal gives.

        >>> Standing().after((0, 2, 1, 3))
        Standing(levels=('5', '2'), declarers=0, deals=1, since=(1, 0))
        >>> Standing(levels=("A", "9"), declarers=0).after((2, 3, 0, 1)).winner
        0
        """
        seats = read_order(order)
        rules = read_rules(rules)
        if self.is_over:
            how = "drawn" if self.drawn else f"won by side {self.winner}"
            raise ValueError(f"order={order!r:.40}: want no more deals, the match is {how}")
        side, place = seats[0] % 2, partner_place(seats)
        standing, rise, falls = self, rules.steps[place - 2], (0, 0)
        if rules.streaks:
            standing = self._with_streaks(seats)
            rise += worth(max(standing.first_streaks))
            falls = pair(map(standing._fall_due, (0, 1)))
        standing = standing._with_levels(side, rise, falls)
        if self.declarers is not None and self.level == "A":
            if side == self.declarers and place <= FARTHEST[rules.win_at_ace]:
                past_ace = 2 if place == 2 and rules.score_table == 14 else 1
                standing = replace(standing, winner=side, past_ace=past_ace)
            else:
                won_last = side == self.declarers and place == 4
                standing = standing._with_failure(self.declarers, won_last, rules)
        deals = self.deals + 1
        since = pair(
            before if old == new else deals
            for before, old, new in zip(self.since, self.levels, standing.levels, strict=True)
        )
        return replace(standing, deals=deals, since=since)

    def ahead(self, tie: Tie) -> int | None:
        """Return the side that wins if the match ends now, None for neither.

        The winner of a match that is won, otherwise the side at the higher level. Where levels
        are equal, `first_to_reach` gives the side whose last change to that level came earlier;
        where both came after one deal, or neither has changed, and by `draw` and `extra_deal`,
        it is None. So is it for a match that is drawn.

        >>> Standing(levels=("7", "7"), declarers=0, since=(9, 4)).ahead("first_to_reach")
        1
        """
        if tie not in get_args(Tie):
            want = ", ".join(map(repr, get_args(Tie)))
            raise ValueError(f"tie={tie!r:.40}: want one of {want}")
        if self.is_over:
            return self.winner
        first, second = self.numbers
        if first != second:
            return 0 if first > second else 1
        first, second = self.since
        if tie != "first_to_reach" or first == second:
            return None
        return 0 if first < second else 1

    # The clauses of the law, each applied to a standing

    def _with_streaks(self, seats: Seats) -> "Standing":
        """Count who was first, last and last together in a deal."""
        double = partner_place(seats) == 2
        return replace(
            self,
            first_streaks=four(counted(self.first_streaks, seats[:1])),
            last_streaks=four(counted(self.last_streaks, seats[2:] if double else seats[3:])),
            double_streaks=pair(counted(self.double_streaks, [seats[3] % 2] if double else [])),
        )

    def _fall_due(self, side: int) -> int:
        """Return how many levels a side falls by the streaks that the last deal has made."""
        double = self.double_streaks[side]
        # Two last together are punished by one level more than one alone.
        together = worth(double) + 1 if double >= STREAK else 0
        return max(together, *map(worth, self.last_streaks[side::2]))

    def _with_levels(self, side: int, rise: int, falls: Pair) -> "Standing":
        """Let the side of the first rise and declare, then either side fall."""
        (first, first_debt), (second, second_debt) = (
            moved(number_of(level), debt, rise if one == side else 0, fall)
            for one, (level, debt, fall) in enumerate(
                zip(self.levels, self.debts, falls, strict=True)
            )
        )
        return replace(
            self,
            levels=(LEVELS[first - LEAST], LEVELS[second - LEAST]),
            declarers=side,
            debts=(first_debt, second_debt),
        )

    def _with_failure(self, side: int, won_last: bool, rules: Rules) -> "Standing":
        """Count a failure at A, if its kind counts, and let the side fall at its n-th."""
        if rules.ace_failures is None:
            return self
        limit, which, falls_to = rules.ace_failures
        if which == "won_last" and not won_last:
            return self
        failures = self.failures[side] + 1
        if failures < limit:
            return replace(self, failures=put(self.failures, side, failures))
        falls = self.falls[side] + 1
        return replace(
            self,
            levels=put(self.levels, side, falls_to),
            failures=put(self.failures, side, 0),
            falls=put(self.falls, side, falls),
            drawn=rules.falls_draw is not None and falls >= rules.falls_draw,
        )


def score(standing: Standing, rules: Rules | None = None, winner: int | None = None) -> Pair | None:
    """Return what each side scores by `score_table` if the match ends now; None for "off".

    The winner gets the table's base, 13 or 14, and a point more for each level that it is ahead,
    the loser a point less for each; no side has less than 0. The winner is that of the standing,
    else the one given, else the side at the higher level. A draw and equal levels give both sides
    the base, and so does a winner that is not ahead. The rules are those of the match.

    Raises ValueError for a winner that is not the one of a match that is over.

    >>> score(Standing(levels=("A", "K"), declarers=0, winner=0, past_ace=1))
    (15, 11)
    """
    if not isinstance(standing, Standing):
        raise TypeError(f"standing: want a Standing, got {standing!r:.40}")
    base = read_rules(rules).score_table
    if not _SIDE.takes(winner):
        raise ValueError(f"winner={winner!r:.40}: want {_SIDE.want}")
    if standing.is_over and winner not in (None, standing.winner):
        want = "None, the match is drawn" if standing.drawn else f"{standing.winner}, who has won"
        raise ValueError(f"winner={winner}: want {want}")
    if base == "off":
        return None
    first, second = standing.numbers
    ahead = 0 if standing.drawn else first - second
    known = standing.winner if winner is None else winner
    if known is not None:
        ahead = max(ahead, 0) if known == 0 else min(ahead, 0)
    ahead = max(-base, min(ahead, base))
    return base + ahead, base - ahead


# Arguments


def read_order(order: Iterable[int]) -> Seats:
    """Return the order of a deal that is over, checked."""
    try:
        seats = [operator.index(seat) for seat in order]
    except TypeError:
        raise TypeError(f"order={order!r:.40}: want four seats, such as (0, 2, 1, 3)") from None
    if sorted(seats) != [0, 1, 2, 3]:
        raise ValueError(f"order={order!r:.40}: want each of the seats 0 to 3 once")
    first, second, third, last = seats
    if partner_place(seats) == 2 and third > last:
        raise ValueError(
            f"order={order!r:.40}: want {(first, second, last, third)}, after a double the last "
            "two are in ascending seat number"
        )
    return first, second, third, last


def read_rules(rules: Rules | None) -> Rules:
    """Return rules, the default for None; TypeError for what is none."""
    if rules is None:
        return Rules()
    if not isinstance(rules, Rules):
        raise TypeError(f'rules: want a Rules, such as Rules.preset("seed000"), got {rules!r:.40}')
    return rules


# Places, levels and counts


def partner_place(seats: Sequence[int]) -> int:
    """Return the place of the first's partner, 2 to 4; 2 for a double."""
    return seats.index(seats[0] ^ 2) + 1


def number_of(level: str) -> int:
    """Return the number of a level, 2 to 14."""
    return LEVELS.index(level) + LEAST


def moved(number: int, debt: int, rise: int, fall: int) -> Pair:
    """Return a side's level number and debt after a rise and then a fall."""
    number, debt = number + max(rise - debt, 0), max(debt - rise, 0)
    if number >= ACE:
        return ACE, debt
    short = max(LEAST - (number - fall), 0)
    return number - fall + short, debt + short


def counted(streaks: Sequence[int], who: Collection[int]) -> Iterator[int]:
    """Yield the streaks after a deal: one more for those that it concerns, 0 for all others."""
    return (streak + 1 if one in who else 0 for one, streak in enumerate(streaks))


def worth(streak: int) -> int:
    """Return the levels that a player's streak is worth: 1 for three deals, 1 more for each on."""
    return max(streak - STREAK + 1, 0)


def put(values: tuple[T, T], side: int, value: T) -> tuple[T, T]:
    """Return a pair with one side's value changed."""
    first, second = values
    return (value, second) if side == 0 else (first, value)


def pair(values: Iterable[T]) -> tuple[T, T]:
    """Return two values as a tuple."""
    first, second = values
    return first, second


def four(values: Iterable[T]) -> tuple[T, T, T, T]:
    """Return four values as a tuple."""
    first, second, third, fourth = values
    return first, second, third, fourth

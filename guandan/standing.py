"""Where a match stands between two deals: levels, declarers, what is counted, and its score."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from guandan.cards import CARDS, int_of, shorten
from guandan.gifts import read_order
from guandan.ledger import MOST_COUNTED, after, after_void, winner_now
from guandan.rules import (
    Check,
    Rules,
    Tie,
    check_fields,
    each,
    one_of,
    plain,
    read_rules,
    text_of,
    whole,
)

__all__ = ["Standing", "score"]

Pair = tuple[int, int]  # by side
Seats = tuple[int, int, int, int]

LEVELS = "".join(card[1] for card in CARDS[:52:4])
LEAST = 2  # the number of level 2

_SIDE = one_of(None, 0, 1)
_COUNT = whole(0, MOST_COUNTED)
_BY_SIDE = each(f"two ints by side, each 0 or more, at most {MOST_COUNTED}", *[_COUNT] * 2)
_BY_SEAT = each(f"four ints by seat, each 0 or more, at most {MOST_COUNTED}", *[_COUNT] * 4)
_CHECKS = {
    "levels": each(f"two levels by side, each {one_of(*LEVELS).want}", *[one_of(*LEVELS)] * 2),
    "declarers": _SIDE,
    "deals": Check(f"an int, 0 or more, at most {MOST_COUNTED}", _COUNT.takes),
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
        check_fields(self, _CHECKS)
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
        return text_of(self)

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
        first, second = (LEVELS.index(level) + LEAST for level in self.levels)
        return (
            first + (self.past_ace if self.winner == 0 else 0),
            second + (self.past_ace if self.winner == 1 else 0),
        )

    @property
    def is_over(self) -> bool:
        """Whether the match is won or drawn."""
        return self.drawn or self.winner is not None

    def after(self, order: Sequence[int], rules: Rules | None = None) -> "Standing":
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
        self._check_goes_on(f"order={shorten(order)}")
        return known(after(self, seats, rules))

    def after_void(self, side: int) -> "Standing":
        """Return where the match stands after a deal that ends without a result.

        `side`, the one that is not to blame, rises 1 and declares. It is a deal, but no failure at
        A and no part of a streak. A debt is taken from the rise, and there is none past A: nobody
        wins a match so.

        Raises ValueError for a match that is over and what is no side.

        >>> Standing(levels=("5", "9"), declarers=1).after_void(0)
        Standing(levels=('6', '9'), declarers=0, deals=1, since=(1, 0))
        """
        chosen = int_of(side)
        if chosen is None or chosen not in (0, 1):
            raise ValueError(f"side={shorten(side)}: want 0 or 1")
        self._check_goes_on(f"side={side}")
        return known(after_void(self, chosen))

    def _check_goes_on(self, given: str) -> None:
        """Refuse another deal of a match that is over."""
        if self.is_over:
            how = "drawn" if self.drawn else f"won by side {self.winner}"
            raise ValueError(f"{given}: want no more deals, the match is {how}")

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
            raise ValueError(f"tie={shorten(tie)}: want one of {want}")
        return winner_now(self, tie == "first_to_reach")


def known(values: dict[str, Any]) -> Standing:
    """Return a standing with fields of the kernel, which need no check."""
    standing = object.__new__(Standing)
    standing.__dict__.update(values)
    return standing


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
        raise TypeError(f"standing: want a Standing, got {shorten(standing)}")
    base = read_rules(rules).score_table
    if not _SIDE.takes(plain(winner)):
        raise ValueError(f"winner={shorten(winner)}: want {_SIDE.want}")
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

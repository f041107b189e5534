"""What a referee's events cost in a match, and the points that its players win and lose."""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, SupportsIndex, get_args

from guandan.cards import check_bool, read_int, shorten
from guandan.combos import readings
from guandan.gifts import read_order
from guandan.ledger import MOST_COUNTED
from guandan.rules import Conduct, check_fields, each, one_of, text_of, whole
from guandan.standing import LEVELS, Pair, Seats, Standing
from guandan.tribute import payers, read_seat

__all__ = ["Points", "Referee", "Ruling", "title"]

Kind = Literal[
    "skip_turn", "take_back", "may_deny", "points", "deal_lost", "deal_void", "match_lost"
]

MOST = 1_000_000  # of anything that is counted
_COUNTS = each(f"four ints by seat, each from 0 to {MOST}", *[whole(0, MOST)] * 4)
_TOTALS = each(f"four ints by seat, each from -{MOST} to {MOST}", *[whole(-MOST, MOST)] * 4)


class Ruling(NamedTuple):
    """What follows from an event for a seat, to be carried out by a match.

    `kind` is one of these:

    - "skip_turn": the seat's next turn is a pass that it cannot refuse; if it is to lead, the next
      seat still in leads.
    - "take_back": its last play goes back to its hand, and it plays again.
    - "may_deny": the next seat may deny its next play.
    - "points": it loses points for the event that `detail` names; see `Points.after_event`.
    - "deal_lost": the deal ends, and the seat's side is last together. No tribute is paid before
      the next deal, and the referee names the seat of the other side that leads it.
    - "deal_void": the deal ends without a result. The other side rises 1 and declares; the next
      deal is at its level, without tribute.
    - "match_lost": the other side wins the match. `detail` has what each side scores; None leaves
      that to the score table.
    """

    kind: Kind
    seat: int
    detail: Pair | str | None = None


# The table of events

# Which of the events of a name something follows from, by their numbers.
MANY = sys.maxsize
EACH, FROM_SECOND, FROM_THIRD = range(1, MANY), range(2, MANY), range(3, MANY)
ODD, EVEN = range(1, MANY, 2), range(2, MANY, 2)
FIRST, FIRST_TWO, THIRD, FOURTH = range(1, 2), range(1, 3), range(3, 4), range(4, 5)

# Which seats' events are counted together: each that is so many seats from the offender.
SEAT, SIDE, TABLE = 4, 2, 1


class Has(NamedTuple):
    """Some of the events of a name have a ruling."""

    kind: Kind
    numbers: range = EACH
    # What the other side scores by a match that has begun, and by one that has not.
    scores: Pair | None = None


class CountsAs(NamedTuple):
    """Some of the events of a name are another event too."""

    event: str
    numbers: range = EACH


class Clause(NamedTuple):
    """What a text says of the events of a name."""

    follows: tuple[Has | CountsAs, ...]
    noted: str | None = None  # the field of Referee that has their number
    together: int = SEAT


CLAUSES: dict[Conduct, dict[str, Clause]] = {
    "jiangsu2023": {
        "warning": Clause((CountsAs("violation", EVEN),), "warnings"),
        "violation": Clause((Has("may_deny", ODD), CountsAs("foul", EVEN)), "violations"),
        "grave": Clause((CountsAs("foul"),)),
        "foul": Clause((Has("deal_lost", FIRST), Has("match_lost", FROM_SECOND)), "fouls", SIDE),
        "forfeit": Clause((Has("match_lost", scores=(17, 17)),)),
    },
    "seed000": {
        "lost_turn": Clause((Has("skip_turn"),)),
        "misreport": Clause((Has("take_back"),)),
    },
    "seed001": {
        "lost_turn": Clause((Has("skip_turn"),)),
        "misreport": Clause((Has("take_back"), CountsAs("foul", FROM_SECOND)), "misreports"),
        "foul": Clause((Has("match_lost", FROM_THIRD),), "fouls", SIDE),
        "forfeit": Clause((Has("match_lost"),)),
    },
    "seed002": {
        "grabbed": Clause((Has("points", THIRD),), "grabbed"),
        "miscount": Clause((Has("points", THIRD),), "miscounts", TABLE),
        "illegal_signal": Clause((Has("points", FOURTH),), "illegal_signals"),
        "hidden_cards": Clause(
            (Has("deal_void", FIRST_TWO), Has("match_lost", FROM_THIRD, (28, 28))),
            "hidden_cards",
            SIDE,
        ),
        "quit": Clause((Has("points"),)),
        "dropped": Clause((Has("points"),)),
        "forfeit": Clause((Has("match_lost", scores=(20, 28)),)),
    },
    "none": {},
}


# The referee


@dataclass(frozen=True, kw_only=True, repr=False)
class Referee:
    """What a referee has noted in a match so far; with no counts, before its first event.

    `conduct` is that of the rules: whose table says what events cost. The other fields have by
    seat how often an event was called or has followed from others, where the table goes by that.

    The events that `call` takes, by conduct:

    - seed000, seed001: "lost_turn", a wrong play, exposed cards or a play out of turn, skips a
      turn. "misreport", a false number of cards left, is taken back.
    - seed001: a player's first misreport is a warning, each later one a "foul" as well. The third
      foul of a side loses the match, and so does a "forfeit".
    - seed002: the third card "grabbed" by a player costs him points, and so does his fourth
      "illegal_signal"; the third "miscount" of a match costs all four. "hidden_cards" make the
      deal void; the third time of a side loses the match 28 to 0. A "forfeit" loses it 20 to 0, a
      withdrawal before the match 28 to 0. "quit" and "dropped" (off line for two minutes) cost
      points each time.
    - jiangsu2023: every second "warning" of a player is a "violation": the next seat may deny his
      next play. Every second violation of a player is a "foul" instead, and so is a "grave" one,
      which does not count as a violation. A foul loses the deal, the second of a side the match,
      and a "forfeit" the match 17 to 0.
    - none knows no events.

    Ours, where the texts leave it open: what is counted for a player, a side or the table, as just
    said; the "both" who pay for miscounts are both sides; grabbed cards, miscounts and signals
    cost points once in a match, the sixth no more; violations and fouls of jiangsu2023 may be
    called outright; a round of seed001 is one match.

    A field that does not have one of its values raises ValueError, which names both.

    >>> referee, rulings = Referee(conduct="seed001", fouls=(1, 0, 1, 0)).call("foul", 2)
    >>> referee
    Referee(conduct='seed001', fouls=(1, 0, 2, 0))
    >>> rulings
    (Ruling(kind='match_lost', seat=2, detail=None),)
    """

    conduct: Conduct = "jiangsu2023"
    warnings: Seats = (0, 0, 0, 0)
    violations: Seats = (0, 0, 0, 0)
    fouls: Seats = (0, 0, 0, 0)
    misreports: Seats = (0, 0, 0, 0)
    grabbed: Seats = (0, 0, 0, 0)
    miscounts: Seats = (0, 0, 0, 0)
    illegal_signals: Seats = (0, 0, 0, 0)
    hidden_cards: Seats = (0, 0, 0, 0)

    def __post_init__(self) -> None:
        """Refuse a field without one of its values."""
        counts = [field.name for field in fields(self)][1:]
        check_fields(
            self, {"conduct": one_of(*get_args(Conduct)), **dict.fromkeys(counts, _COUNTS)}
        )

    def __repr__(self) -> str:
        """Show the fields that differ from those of a referee who has noted nothing."""
        return text_of(self)

    @property
    def events(self) -> tuple[str, ...]:
        """The names of the events that the conduct knows."""
        return tuple(CLAUSES[self.conduct])

    def call(
        self, name: str, seat: SupportsIndex, begun: bool = True
    ) -> tuple["Referee", tuple[Ruling, ...]]:
        """Return what the referee has noted after an event, and what follows from it.

        `seat` is the offender. `begun` is whether the match has begun: a forfeit before it may
        cost more. The rulings are in the order in which to carry them out; there may be none.

        Raises ValueError for an event that the conduct does not know and a seat that there is not.

        >>> Referee(conduct="seed002").call("forfeit", 1, begun=False)[1]
        (Ruling(kind='match_lost', seat=1, detail=(28, 0)),)
        """
        if name not in self.events:
            known = ", ".join(map(repr, self.events)) or "none"
            raise ValueError(
                f"name={shorten(name)}: events of conduct {self.conduct!r} are {known}"
            )
        seat = read_seat("seat", seat)
        check_bool("begun", begun)
        clause = CLAUSES[self.conduct][name]
        together = range(seat % clause.together, 4, clause.together)
        referee, number = self._noted(clause.noted, seat, together)
        rulings: list[Ruling] = []
        for follows in clause.follows:
            if number not in follows.numbers:
                continue
            match follows:
                case CountsAs(event):
                    referee, more = referee.call(event, seat)
                    rulings += more
                case Has("points"):
                    rulings += (Ruling("points", one, name) for one in together)
                case Has(kind, _, None):
                    rulings.append(Ruling(kind, seat))
                case Has(kind, _, (late, early)):
                    won = late if begun else early
                    rulings.append(Ruling(kind, seat, (won, 0) if seat % 2 else (0, won)))
        return referee, tuple(rulings)

    def _noted(self, name: str | None, seat: int, together: Iterable[int]) -> tuple["Referee", int]:
        """Count an event, and return its number among those that are counted together."""
        if name is None:
            return self, 1
        counts = four(count + (one == seat) for one, count in enumerate(getattr(self, name)))
        changes: dict[str, Any] = {name: counts}
        return replace(self, **changes), sum(counts[one] for one in together)


# Points

WIN = 10  # points for the deal that wins the match
FROZEN = 7  # the last place from which a player's points stay
HIGH = "K"  # the level from which leaving costs more
# What events cost below that level, and from it on.
COSTS: dict[str, Pair] = {
    "quit": (2, 10),
    "dropped": (4, 10),
    "grabbed": (1, 1),
    "miscount": (1, 1),
    "illegal_signal": (1, 1),
}
_EVENT = one_of(*COSTS)
TITLES = ("笨蛋", "坏蛋", "鸡蛋", "活珠", "毛蛋", "铁蛋", "银蛋", "金蛋", "超级掼蛋")
UP_TO = (0, 10, 100, 200, 500, 1000, 2000, 5000)  # the most points of each but the last


@dataclass(frozen=True, kw_only=True, repr=False)
class Points:
    """The points of the four players by the text seed002; with no arguments, before any.

    `totals` are by seat, and may go on from match to match. `lasts` has how often each seat was
    last in this match: both losers of a double are. From a player's seventh last place on, that
    deal's included, nothing changes his points in this match, neither deals nor events.

    A field that does not have one of its values raises ValueError, which names both.

    >>> Points().after_event("quit", 2, "9")
    Points(totals=(0, 0, -2, 0))
    """

    totals: Seats = (0, 0, 0, 0)
    lasts: Seats = (0, 0, 0, 0)

    def __post_init__(self) -> None:
        """Refuse a field without one of its values."""
        check_fields(self, {"totals": _TOTALS, "lasts": _COUNTS})

    def __repr__(self) -> str:
        """Show the fields that are not all 0."""
        return text_of(self)

    def after_deal(self, before: Standing, after: Standing, order: Sequence[int]) -> "Points":
        """Return the points after a deal, by the standings before and after it and its order.

        Each level that the side of the first rises gives its players 1 and costs the others 1.
        The deal that wins the match gives 10 instead, and costs nothing. Ours: what a side cannot
        rise beyond A gives nothing, nor does a fall cost anything, nor a deal that is void.

        Raises ValueError for standings that have no deal of that order between them.

        >>> before = Standing(levels=("T", "9"), declarers=1)
        >>> Points().after_deal(before, before.after((0, 2, 1, 3)), (0, 2, 1, 3))
        Points(totals=(3, -3, 3, -3), lasts=(0, 1, 0, 1))
        """
        for name, given in (("before", before), ("after", after)):
            if not isinstance(given, Standing):
                raise TypeError(f"{name}: want a Standing, got {shorten(given)}")
        seats = read_order(order)
        side = seats[0] % 2
        if (after.deals, after.declarers) != (min(before.deals + 1, MOST_COUNTED), side):
            raise ValueError(
                f"after={after!r:.80}: want what {before!r:.80} comes to by the order {seats}"
            )
        won = after.winner is not None
        rise = WIN if won else max(after.numbers[side] - before.numbers[side], 0)
        cost = 0 if won else rise
        last = payers(seats)  # those who are last pay tribute
        lasts = four(count + (seat in last) for seat, count in enumerate(self.lasts))
        counted = replace(self, lasts=lasts)
        return counted._changed(rise if seat % 2 == side else -cost for seat in range(4))

    def after_event(self, name: str, seat: SupportsIndex, level: str) -> "Points":
        """Return the points after a ruling "points", at the level of the deal.

        `name` is what the ruling's detail says. "quit" costs the seat 2 and "dropped" 4, either
        of them 10 at level K or A; "grabbed", "miscount" and "illegal_signal" cost 1. How often
        they must be called for that is the Referee's to say.

        Raises ValueError for what is no such event, seat or level.
        """
        if not _EVENT.takes(name):
            raise ValueError(f"name={shorten(name)}: want {_EVENT.want}")
        seat = read_seat("seat", seat)
        readings("", level)  # a level that is none
        cost = COSTS[name][LEVELS.index(level) >= LEVELS.index(HIGH)]
        return self._changed(-cost if one == seat else 0 for one in range(4))

    def _changed(self, changes: Iterable[int]) -> "Points":
        """Change the points of those for whom they still change."""
        totals = four(
            total + change if last < FROZEN else total
            for total, change, last in zip(self.totals, changes, self.lasts, strict=True)
        )
        return replace(self, totals=totals)


def four(values: Iterable[int]) -> Seats:
    """Return what four seats have."""
    first, second, third, fourth = values
    return first, second, third, fourth


def title(points: int) -> str:
    """Return the title that the text seed002 gives a player by his points.

    >>> title(0), title(10), title(11), title(5001)
    ('笨蛋', '坏蛋', '鸡蛋', '超级掼蛋')
    """
    return TITLES[bisect_left(UP_TO, read_int("points", points))]

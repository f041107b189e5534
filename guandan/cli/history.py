"""What the history of a match says: a summary of each deal, and everything in words."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import guandan as gd
from guandan.cli.command import title
from guandan.cli.rules import rules_text
from guandan.dealer import HAND_SIZE
from guandan.record import Dealt, Entry, Event, Header, Played, Result, Returned
from guandan.referee import CLAUSES
from guandan.tribute import Tribute

__all__ = [
    "DealSummary",
    "Recorded",
    "going_on_text",
    "header_text",
    "read_match",
    "result_text",
    "split_deals",
    "summaries",
    "words",
]

T = TypeVar("T", bound=Entry)

# The events that come before the deal that they are about.
BEGINNINGS = ("extra_deal", "turned")
# The events that are called: those of referees, and of a seat that denies a play.
CALLS = {"deny"}.union(*CLAUSES.values())


# Deal by deal


class Stands(NamedTuple):
    """A move that was not taken back: where its entry is, and whether it is a turn lost."""

    place: int
    seat: int
    move: gd.Move
    is_lost: bool = False


class Gone(NamedTuple):
    """Moves up to one that was taken back, and what became of it: in short, and in a sentence."""

    moves: tuple[gd.Move, ...]
    note: str
    said: str


@dataclass(frozen=True, kw_only=True)
class DealSummary:
    """One deal of a match: its number, from 1, the side that declares, and what happened in it."""

    number: int
    declarers: int | None
    entries: tuple[Entry, ...]

    def only(self, kind: type[T]) -> list[T]:
        """Return the entries of one kind."""
        return [entry for entry in self.entries if isinstance(entry, kind)]

    def event(self, name: str) -> Event | None:
        """Return the first event of a name."""
        return next((event for event in self.only(Event) if event.name == name), None)

    @property
    def dealt(self) -> gd.State:
        """The hands as dealt, at the level."""
        [dealt] = self.only(Dealt)
        return gd.State.parse(dealt.state)

    @property
    def leader(self) -> int | None:
        """Who led first, None where nobody has."""
        return next((seat for _, seat, move, _ in self.stands if move.size), None)

    @property
    def stands(self) -> list[Stands]:
        """The moves that were not taken back."""
        return self._moves[0]

    @property
    def gone(self) -> dict[int, Gone]:
        """The moves that were taken back, by where their entries are."""
        return self._moves[1]

    def denier(self, place: int) -> int | None:
        """Return the seat that has denied a play which goes back at a place, None for nobody."""
        before = self.entries[place - 1]
        return before.seat if isinstance(before, Event) and before.name == "deny" else None

    @cached_property
    def _moves(self) -> tuple[list[Stands], dict[int, Gone]]:
        """The moves that stand, and those that do not."""
        made: list[Stands] = []
        gone: dict[int, Gone] = {}
        for place, entry in enumerate(self.entries):
            match entry:
                case Played(seat, move):
                    made.append(Stands(place, seat, move))
                case Event("skipped"):
                    made[-1] = made[-1]._replace(is_lost=True)
                case Event("taken_back", _, int(number)):
                    moves = tuple(one.move for one in made)
                    first = len(made) - number
                    for index, one in enumerate(made[first:], first + 1):
                        became = "went back too", "which goes back too"
                        gone[one.place] = Gone(moves[:index], *became)
                    became = "taken back", "and takes it back"
                    if (denier := self.denier(place)) is not None:
                        became = f"denied by seat {denier}", f"and seat {denier} denies it"
                    gone[made[first].place] = Gone(moves[: first + 1], *became)
                    del made[first:]
        return made, gone

    @property
    def calls(self) -> list[Event]:
        """What a referee has called, and plays that were denied."""
        return [event for event in self.only(Event) if event.name in CALLS]

    @property
    def is_extra(self) -> bool:
        """Whether it is an extra deal, which the first out decides."""
        return self.event("extra_deal") is not None

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that have gone out; all four once the deal has been counted by its order."""
        if counted := self.event("order"):
            return tuple(map(int, str(counted.detail).split()))
        played: Counter[int] = Counter()
        out = []
        for _, seat, move, _ in self.stands:
            played[seat] += move.size
            if played[seat] == HAND_SIZE:
                out.append(seat)
        return tuple(out)

    @property
    def levels(self) -> tuple[str, ...] | None:
        """The levels after it by side, None where it does not count: not over, or an extra deal."""
        event = self.event("levels")
        return None if event is None else tuple(str(event.detail).split())


def summaries(
    deals: Iterable[tuple[Entry, ...]], declarers: int | None = None
) -> Iterator[DealSummary]:
    """Sum up deals, given who declares on the first of them."""
    for number, entries in enumerate(deals, 1):
        deal = DealSummary(number=number, declarers=declarers, entries=entries)
        if deal.is_extra:  # a first deal once more: nobody declares
            deal = replace(deal, declarers=None)
        yield deal
        if void := deal.event("void"):
            declarers = 1 - (void.seat or 0) % 2
        elif deal.levels is not None:
            declarers = deal.order[0] % 2


def split_deals(history: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Yield what of a history is about each deal, some of which may come before it is dealt."""
    deal: list[Entry] = []
    for entry in history:
        begins = isinstance(entry, Dealt) or (isinstance(entry, Event) and entry.name in BEGINNINGS)
        if begins and any(isinstance(before, Dealt) for before in deal):
            yield tuple(deal)
            deal = []
        deal.append(entry)
    if any(isinstance(entry, Dealt) for entry in deal):
        yield tuple(deal)


# Records


class Recorded(NamedTuple):
    """A record as far as it is good: what it begins with, the match, and all that happened.

    `error` says what is wrong with the line where that ends, None for nothing.
    """

    header: Header
    match: gd.Match
    history: tuple[Entry, ...]
    error: str | None

    def deals(self) -> list[DealSummary]:
        """Return the deals."""
        return list(summaries(split_deals(self.history), self.header.standing.declarers))

    @property
    def result(self) -> Result | None:
        """The result, None where the record does not come to it."""
        last = self.history[-1] if self.history else None
        return last if isinstance(last, Result) else None

    def end(self) -> None:
        """Raise ValueError for what is wrong, once all else is done."""
        if self.error is not None:
            raise ValueError(self.error)


def read_match(name: str, data: bytes) -> Recorded:
    """Read the record of a match that a file, or standard input, -, held."""
    try:
        match = gd.Match.load(data)
    except gd.RecordError as error:
        said = f"{title(name)}, {error}"
        if error.match is None:
            raise ValueError(said) from None
        # What the match came to by itself is not in the lines before.
        history = error.match.history[: error.line - 2]
        return Recorded(error.match.header, error.match, history, said)
    return Recorded(match.header, match, match.history, None)


# In words


def header_text(header: Header) -> str:
    """Return in words how a match began."""
    seed, given = header.dealer
    deals = f"seed {seed}" if given is None else f"{len(given)} given deals"
    levels = " ".join(header.standing.levels)
    begun = "" if header.standing == gd.Standing() else f", from levels {levels}"
    return f"{deals}, rules {rules_text(header.rules)}{begun}"


def result_text(result: Result) -> str:
    """Return in words how a match ended, and why."""
    winner, reason, levels, scores = result
    tie = "the levels are equal" if winner is None else "it came to its level first"
    by_levels = tie if levels[0] == levels[1] else "its level is higher"
    why = {
        "ace": " at level A",
        "falls": ": a side has fallen from A too often",
        "minutes": f": the time is up, {by_levels}",
        "deals": f": all deals are played, {by_levels}",
        "extra_deal": ": it won the extra deal",
        "referee": ": the referee has ruled so",
    }[reason]
    who = "a draw" if winner is None else f"side {winner} wins"
    scored = "" if scores is None else f"; scores {scores[0]} {scores[1]}"
    return f"{who}{why}; levels {' '.join(levels)}{scored}"


def going_on_text(match: gd.Match) -> str:
    """Return in words where a match is."""
    seats = " and ".join(map(str, match.to_act))
    plural = "s" if len(match.to_act) > 1 else ""
    what = {"play": "move", "tribute": "pay", "return": "return"}[match.phase]
    return f"in deal {match.deal_number} seat{plural} {seats} to {what}"


def words(entry: Entry) -> str:
    """Return in words what happens between moves."""
    match entry:
        case Tribute(payer, receiver, card):
            return f"seat {payer} pays {card} to seat {receiver}"
        case Returned(giver, receiver, card):
            return f"seat {giver} returns {card} to seat {receiver}"
        case Result():
            return result_text(entry)
        case Event("turned", seat, card):
            return f"{card} is turned up: seat {seat} leads"
        case Event("resist"):
            return "the tribute is resisted"
        case Event("pay", seat):
            return f"seat {seat} could resist, and does not"
        case Event("left", seat, count):
            return f"seat {seat} has {count} card{'' if count == 1 else 's'} left"
        case Event("time_up"):
            return "the time is up"
        case Event("extra_deal"):
            return "an extra deal: the side of the first out wins the match"
        case Event("taken_back", seat, int(number)):
            more = f", and {number - 1} more go back" if number > 1 else ""
            return f"seat {seat} takes its play back{more}"
        case Event("skipped", seat):
            return f"seat {seat} has lost its turn"
        case Event("void", int(seat)):
            return f"the deal is void: side {1 - seat % 2} rises 1 and declares"
        case Event("deny", seat):
            return f"seat {seat} denies the play"
        case Event("order" | "levels" as name, _, detail):
            return f"{name} {detail}"
        case Event(name, seat, leader):
            leads = "" if leader is None else f", seat {leader} leads the next deal"
            return f"the referee calls {name} of seat {seat}{leads}"
    raise TypeError(f"{entry!r:.40}: want an entry that is no move")

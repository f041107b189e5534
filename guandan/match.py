"""A whole match as a state machine: deals, tribute and return, play, levels, result."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from os import PathLike
from typing import Any, Literal, SupportsIndex

from guandan.calls import Calls, read_leader
from guandan.cards import Hand, check_bool, shorten
from guandan.combos import Move
from guandan.course import Course
from guandan.dealer import Dealer, Hands, read_given, read_seed
from guandan.ending import (
    by_levels,
    decided,
    drawn_end,
    last_deal,
    limit_of,
    read_clock,
    read_elapsed,
    result_of,
)
from guandan.errors import RecordError
from guandan.gifts import read_order
from guandan.movelist import MoveList
from guandan.observation import Observation
from guandan.record import (
    Entry,
    Event,
    Header,
    Played,
    Record,
    Result,
    Writer,
    line_of,
    read_path,
    read_record,
)
from guandan.referee import Points, Referee, Ruling
from guandan.replay import repeat, replay
from guandan.rounds import Rounds
from guandan.rules import Rules, read_rules
from guandan.standing import Pair, Standing
from guandan.state import State
from guandan.tribute import read_seat, seat_of

__all__ = ["Match"]

Phase = Literal["tribute", "return", "play", "over"]

TIME_UP = Event("time_up")


class Match:
    """A match from its first deal to its result.

    `rules` is a Rules, by default those of Jiangsu 2023. `seed`, from 0 to 2**64 - 1, names all
    deals, and who leads the first; None takes one at random. `deals` are given ones instead, four
    hands or a State each, of which hands and turn are taken; the match ends after the last one. The
    turn of a State leads the first deal and an extra one; of hands, who holds a card drawn by the
    seed. `clock` gives the seconds since some moment, by default the computer's; it is asked once
    for each choice. `record` is the path of a new file to write the match to, as it happens: if the
    program is killed, at most the line being written is lost, and a choice that others do not see
    yet. `standing` and `order`, that of the deal before, let a match begin where another has come
    to; without an order nobody pays tribute on the first deal.

    Who must act is in `to_act`, and what each may do in `options`; `act` does it. What the rules
    force between deals happens by itself; in play every turn is a choice, even if the pass is all
    there is. Two seats that return cards at once do not see each other's. `event` tells what a
    referee has seen, and carries his rulings out. `history` has all that happened, as entries of
    `guandan.record`.

    >>> match = Match(seed=3)
    >>> match.phase, match.level, match.to_act, len(match.options())
    ('play', '2', (3,), 1022)
    >>> match.act(match.options()[0])
    Move.parse("single 4 H4")
    >>> match
    <Match of seed 3, deal 1 at level 2, play, seat 0 to act>
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: SupportsIndex | None = None,
        deals: Iterable[State | Sequence[Hand | str]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        record: str | PathLike[str] | None = None,
        standing: Standing | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        """Begin a match: the first deal is dealt."""
        chosen = read_rules(rules)
        if not (standing is None or isinstance(standing, Standing)):
            raise TypeError(f"standing: want a Standing, got {shorten(standing)}")
        given = None if deals is None else read_given(deals)
        seats = None if order is None else read_order(order)
        drawn = secrets.randbits(63) if seed is None else read_seed(seed)
        path = None if record is None else read_path(record)
        header = Header(chosen, Dealer(drawn, given), standing or Standing(), seats)
        self._begin(header, read_clock(clock))
        self._writer: Writer | None = None if path is None else Writer(path, header)
        self._save()

    def _begin(self, header: Header, clock: Callable[[], float]) -> None:
        """Deal the first deal."""
        self._header = header
        header.check()
        self._rules, self._dealer, self._standing, self._order = header
        self._clock = clock
        self._now = self._begun = clock()
        self._courses: list[Course] = []
        self._history: list[Entry] = []
        self._written = 0
        self._writer = None
        self._result: Result | None = None
        self._is_extra = False
        self._calls = Calls.none_yet(self._rules.conduct)
        self._deal()

    def __repr__(self) -> str:
        """Show where the match stands."""
        text = f"seed {self.seed}, deal {self.deal_number} at level {self.level}, {self.phase}"
        if not self.to_act:
            return f"<Match of {text}>"
        return f"<Match of {text}, seat {' and '.join(map(str, self.to_act))} to act>"

    def copy(self) -> "Match":
        """Return a match that has come to the same, and is not recorded."""
        made = Match.__new__(Match)
        made.__dict__.update(self.__dict__)
        made._course = self._course.copy()
        made._courses = [*self._courses[:-1], made._course]
        made._history = list(self._history)
        made._writer = None
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Match":
        """Return a copy."""
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the record."""
        return {**self.__dict__, "_writer": None}

    # What is known

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._rules

    @property
    def seed(self) -> int:
        """The seed of the deals; see `guandan.dealer.Dealer` for what it gives."""
        return self._dealer.seed

    @property
    def header(self) -> Header:
        """What the match began with: rules, deals, standing and order."""
        return self._header

    @property
    def phase(self) -> Phase:
        """What is going on: "tribute", "return", "play", or "over"."""
        return self._course.stage if self._result is None else "over"

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now, in any order."""
        return self._course.to_act if self._result is None else ()

    @property
    def standing(self) -> Standing:
        """Where the match stood before this deal, or at its end."""
        return self._standing

    @property
    def levels(self) -> tuple[str, str]:
        """The levels of the sides."""
        return self._standing.levels

    @property
    def level(self) -> str:
        """The level of this deal."""
        return self._course.level

    @property
    def declarers(self) -> int | None:
        """The side of the last deal's first, None on the first deal and on an extra one."""
        return None if self._is_extra else self._standing.declarers

    @property
    def deal_number(self) -> int:
        """The number of this deal of the match, from 1."""
        return len(self._courses)

    @property
    def state(self) -> State | None:
        """A copy of the deal in play, None before tribute and returns are done."""
        return self._course.state and self._course.state.copy()

    @property
    def hands(self) -> Hands:
        """The hands of seats 0 to 3, as they are now."""
        return self._course.hands

    @property
    def deals(self) -> tuple[State, ...]:
        """The deals that were played and the one in play, each with its moves.

        What was taken back is in none; a turn that a seat lost is a pass, as `State.skip` makes it.
        """
        return tuple(course.state.copy() for course in self._courses if course.state is not None)

    @property
    def result(self) -> Result | None:
        """How the match ended, None until then."""
        return self._result

    @property
    def history(self) -> tuple[Entry, ...]:
        """All that happened, in order: what all may know, and the hands as dealt."""
        return tuple(self._history)

    @property
    def referee(self) -> Referee:
        """What the referee has noted so far."""
        return self._calls.referee

    @property
    def points(self) -> Points | None:
        """The points of the players in this match, None for a `conduct` that has none."""
        return self._calls.points

    @property
    def deniable(self) -> int | None:
        """The seat whose last play the one to act may `deny`, None for none."""
        return self._calls.deniable

    # What may be asked

    def observe(self, seat: int) -> Observation:
        """Return what a seat knows: its hand, the levels, and what has been shown in this deal.

        Before play nobody has the turn. A choice that is not shown yet is not known, not even to
        the seat that made it. Raises the errors of State.observe.
        """
        return self._course.observe(seat, self._standing)

    def report(self, seat: SupportsIndex, asker: SupportsIndex) -> int | None:
        """Return how many cards a seat has left, where the rules make it say so on asking, or None.

        What it must say unasked is in the history, as an event "left".
        """
        asked, _ = read_seat("seat", seat), read_seat("asker", asker)
        threshold, _, on_asking = self._rules.report_cards
        left = len(self.hands[asked])
        return left if on_asking and left <= threshold else None

    def default_reading(self, cards: Hand | str) -> Move:
        """Return the move that cards shown without a word are now, by the rules' readings.

        Raises the errors of State.push: AmbiguousMoveError where they must be named.
        """
        state = self._course.state
        if self.phase != "play" or state is None:
            raise ValueError(f"the phase is {self.phase}: cards are shown in play")
        return state.copy(history=False).push(cards)

    @property
    def seconds(self) -> int | None:
        """The time that the rules give to those who must act now, None for any time."""
        tribute, giving_back, first_lead, later = self._rules.seconds
        play = later if self._course.has_begun else first_lead
        return {"tribute": tribute, "return": giving_back, "play": play, "over": None}[self.phase]

    @property
    def overrun(self) -> float:
        """The seconds that have passed beyond that time, 0 for none: nobody acts for a seat.

        The time of two seats that must act is the same; what one of them does leaves it to run.
        """
        seconds = self.seconds
        return 0.0 if seconds is None else max(0.0, self._clock() - self._now - seconds)

    # Acting

    def options(self, seat: SupportsIndex | None = None) -> MoveList | tuple[str, ...]:
        """Return what a seat may choose among; the seat may be left out where only one must act.

        In play a MoveList; else cards as texts, or "resist" and "pay" where a side that holds both
        big jokers may resist. A seat that need not act raises ValueError.
        """
        return self._course.options(self._acting(seat))

    def act(self, choice: Move | str, seat: SupportsIndex | None = None) -> Move | str:
        """Do what a seat chooses, one of its options, and return it.

        What the rules force then is done too: when a deal has ended, the next is dealt. Raises
        IllegalMoveError for what is no option, and the errors of State.push; nothing is changed
        then. OSError, where the record cannot be written, comes after the choice is made: its
        lines are tried again with the next one. After a match's last choice, `load` the record with
        `resume`, which writes what follows from the choices in it, and make that one again there
        where it is none of them.
        """
        chosen = self._acting(seat)
        now = self._clock()
        if self._course.exchange is None:
            move = self._course.play(choice)
            self._now = now
            self._follow(chosen, move)
            self._save()
            return move
        gift = self._course.read_gift(choice, chosen)
        if self._course.give(gift, chosen):
            self._now = now
        self._note()
        self._save()
        return gift

    def _follow(self, seat: int, move: Move) -> None:
        """Note what a move has come to, and end the deal where that ends it."""
        self._note()
        self._calls = self._calls.after_move(seat, move.size)
        state = self._course.state
        assert state is not None
        if self._is_extra and state.out:
            self._end(state.out[0] % 2, "extra_deal")
        elif state.order is not None:
            self._count(state.order)

    def _acting(self, seat: SupportsIndex | None) -> int:
        """Return the seat that acts."""
        seats = self.to_act
        if seat is None and len(seats) == 1:
            return seats[0]
        if not seats:
            raise ValueError("the match is over, nobody is to act")
        chosen = seat_of(seat)
        if chosen is None or chosen not in seats:
            raise ValueError(f"seat {shorten(seat)}: to act is {' or '.join(map(str, seats))}")
        return chosen

    def _note(self) -> None:
        """Take what the course of the deal has noted into the history."""
        self._history += self._course.notes
        self._course.notes.clear()

    def _save(self) -> None:
        """Write to the record what is not there yet."""
        if self._writer is None:
            return
        lines = [line_of(entry) for entry in self._history[self._written :]]
        self._written += len(lines)
        self._writer.write(lines)
        if self._result is not None:
            self._writer.close()
            self._writer = None

    # A referee

    def event(
        self, name: str, seat: SupportsIndex, leader: SupportsIndex | None = None
    ) -> tuple[Ruling, ...]:
        """Carry out what follows from what a referee has seen, and return it, maybe nothing.

        The names are those that `referee` knows, by the `conduct` of the rules, and `seat` is the
        offender. `leader` is for the ruling "deal_lost": the seat of the other side that leads the
        next deal, or None where none can follow; that time may be up is no such case. A forfeit
        before any play, in a match that has counted no deal, is one before its beginning.

        Raises ValueError for an event, a seat or a leader that there is not, for a ruling that
        cannot be carried out now, and where the match is over; nothing is changed then. OSError is
        as in `act`.

        Ours, where the texts leave it open:

        - Rulings on a deal are for one in play, after tribute and returns.
        - A turn is lost by a seat that has one in this deal: now, next time, or after those that it
          is to lose already. A play is one of cards; a seat whose play is taken back plays first
          and loses its next turn.
        - A play may be denied until the next seat moves, if it has not ended the deal. Until it is
          made the right lasts, into the next deal too; a pass is no play.
        - In a deal that is lost those of the other side are first and second as they are out, then
          the leader first.
        - After a deal that is void the offender's next seat leads. An extra deal that is lost or
          void is won by the other side. A match that is lost changes neither levels nor points.

        >>> match = Match(Rules.preset("seed000"), seed=3)
        >>> match.event("lost_turn", 3), match.to_act
        ((Ruling(kind='skip_turn', seat=3, detail=None),), (0,))
        """
        if self._result is not None:
            raise ValueError(f"name={shorten(name)}: the match is over, no event follows")
        begun = self._standing.deals > 0 or any(isinstance(one, Played) for one in self._history)
        offender = read_seat("seat", seat)
        calls, rulings = self._calls.after_event(name, offender, self._course, begun)
        loser = next((one.seat for one in rulings if one.kind == "deal_lost"), None)
        may_follow = loser is not None and self._may_follow(loser)
        leads = read_leader(leader, name, loser, may_follow)
        before, self._now = self._now, self._clock()
        self._calls = calls
        self._history.append(Event(name, offender, leads))
        length = len(self._history)
        for ruling in rulings:
            self._carry_out(ruling, leads)
        if len(self._history) == length:  # who must act has the time that he had
            self._now = before
        self._save()
        return rulings

    def _may_follow(self, loser: int) -> bool:
        """Return whether a deal with a leader may follow one that a seat loses."""
        if self._is_extra or limit_of(self._rules, self._dealer, self.deal_number + 1, 0.0):
            return False
        orders = [self._course.order_won_by(seat) for seat in range(4) if (seat - loser) % 2]
        return any(not decided(self._standing.after(order, self._rules)) for order in orders)

    def deny(self, seat: SupportsIndex | None = None) -> Move:
        """Let the seat that must act deny the last play, that of `deniable`, and return it.

        The play goes back, and its seat passes instead; if it led, the next seat still in leads.
        Raises ValueError where there is nothing to deny; nothing is changed then.
        """
        chosen = self._acting(seat)
        offender = self.deniable
        if offender is None:
            raise ValueError(f"seat {chosen} may deny no play: want one after a violation")
        self._now = self._clock()
        self._history.append(Event("deny", chosen))
        move = self._course.take_back(offender)
        self._course.lose_turn(offender)
        self._calls = self._calls.settled()
        self._note()
        self._save()
        return move

    def _carry_out(self, ruling: Ruling, leader: int | None) -> None:
        """Do what a ruling says."""
        other = 1 - ruling.seat % 2
        match ruling:
            case Ruling("skip_turn", seat):
                self._course.lose_turn(seat)
            case Ruling("take_back", seat):
                self._course.take_back(seat)
            case Ruling("deal_lost" | "deal_void") if self._is_extra:
                self._end(other, "extra_deal")
            case Ruling("deal_lost"):
                self._count(self._course.order_won_by(other if leader is None else leader), leader)
            case Ruling("deal_void", seat):
                self._history.append(Event("void", seat))
                self._go_on(self._standing.after_void(other), (seat + 1) % 4)
            case Ruling("match_lost", _, scores):
                self._end(other, "referee", scores if isinstance(scores, tuple) else None)
        self._note()

    # Dealing

    def _deal(self, leader: int | None = None) -> None:
        """Deal, or end the match where its end is due; a leader that is named has no tribute."""
        number = len(self._courses) + 1
        limit = limit_of(self._rules, self._dealer, number, self._now - self._begun)
        if limit is not None and not self._is_extra:
            self._end_on(limit)
            return
        level = self._standing.level
        hands = self._dealer.hands(number)
        order = self._order if leader is None and not self._is_extra else None
        if order is None and leader is None:
            leader = self._dealer.leader(number)
            if leader is None:
                leader, card = self._dealer.turn_up(number, hands, level)
                self._history.append(Event("turned", leader, card))
        self._calls = self._calls.settled()
        self._course = Course(hands, level, self._rules, order, leader or 0)
        self._courses.append(self._course)
        self._note()

    def _count(self, order: tuple[int, ...], leader: int | None = None) -> None:
        """Count a deal by its order, and go on; a leader that is named leads the next one."""
        before, self._order = self._standing, order
        after = before.after(order, self._rules)
        self._calls = self._calls.after_deal(before, after, order)
        self._history.append(Event("order", order[0], " ".join(map(str, order))))
        self._go_on(after, leader)

    def _go_on(self, standing: Standing, leader: int | None) -> None:
        """Go on to the next deal, or end the match."""
        self._standing = standing
        self._history.append(Event("levels", None, " ".join(self.levels)))
        if end := decided(standing):
            self._end(*end)
        else:
            self._deal(leader)

    # The end

    def _end_on(self, limit: str) -> None:
        """End the match by the levels, or deal an extra deal where they are equal."""
        if limit == "minutes":
            self._history.append(TIME_UP)
        end = by_levels(self._rules, self._standing, limit)
        if end is None:
            self._is_extra = True
            self._history.append(Event("extra_deal"))
            self._deal()
        else:
            self._end(*end)

    def _end(self, winner: int | None, reason: str, scores: Pair | None = None) -> None:
        """End the match."""
        self._result = result_of(self._rules, self._standing, (winner, reason), scores)
        self._history.append(self._result)
        self._calls = self._calls.settled()

    # Random play

    def playout(self, seed: SupportsIndex) -> Result:
        """Return how the match ends where all choices from here on are drawn; it stays as it is.

        Of the seats that must act one is drawn, and one of its options, all alike, until the match
        is over. A seed is an int from 0 to 2**64 - 1 and gives the same on every platform. What is
        dealt stays dealt; the hands of the deals to come are drawn by this seed, also where the
        match has given ones: nobody knows them yet. There are as many deals as the match may have,
        but its clock stands still: rules with minutes go on to A. Turns that are to be lost are
        lost, but no play is denied. The result of a match that is over is its own.

        Raises ValueError for another seed, RuntimeError where there is no end in 10,000 deals.

        >>> Match(seed=3).playout(seed=1)
        Result(winner=0, reason='ace', levels=('A', 'A'), scores=(14, 12))
        """
        rounds = Rounds(read_seed(seed), self._rules, self._standing)
        if self._result is not None:
            return self._result
        if self._is_extra:
            winner = rounds.first_out(self._course.state, self._course.lost) % 2
            return result_of(self._rules, self._standing, (winner, "extra_deal"))
        last = last_deal(self._rules, self._dealer)
        deals = None if last is None else last - self.deal_number
        return drawn_end(rounds, self._course, self._rules, deals)

    # Records

    @classmethod
    def load(
        cls,
        record: str | PathLike[str] | bytes,
        clock: Callable[[], float] = time.monotonic,
        elapsed: float = 0.0,
        resume: bool = False,
    ) -> "Match":
        """Replay a record, whole or broken off, and check each line; the match can go on.

        `record` is the path of a file, or what such a file has. `clock` and `elapsed`, the seconds
        that have passed before, count for limits of time from where the record ends. With `resume`
        the match goes on in the same file: a last line that is cut short is dropped from it, and
        what follows from the choices that it has is written.

        Raises RecordError for the first line that is illegal, cut short or edited, with the number
        of the line and the match as the lines before it tell, which can go on too.
        """
        if check_bool("resume", resume) and isinstance(record, bytes):
            raise TypeError("resume: want the path of a file to go on in")
        clock, elapsed = read_clock(clock), read_elapsed(elapsed)
        found = read_record(record)
        match, wrong = cls._replayed(found, elapsed)
        match._clock = clock
        match._now = clock()
        match._begun = match._now - elapsed
        if wrong is None and not (resume and found.is_cut):
            wrong = found.wrong
        if wrong is not None:
            raise RecordError(*wrong, match)
        match._written = len(found.entries)
        is_whole = found.wrong is None and match._written == len(match._history)
        if resume and found.path is not None and not (is_whole and match.phase == "over"):
            match._writer = Writer(found.path, None, found.size)
            match._save()
        return match

    @classmethod
    def _replayed(cls, found: Record, elapsed: float) -> tuple["Match", tuple[int, str] | None]:
        """Do all that a record says up to a line that is wrong; return its number too, and why."""
        entries = found.entries

        def told() -> float:
            """Tell the time: it is up after a deal's last move, its order and the levels."""
            number = len(match._history) + 3
            if number >= len(entries):  # the record no longer tells
                return elapsed
            return inf if entries[number] == TIME_UP else 0.0

        match = cls.__new__(cls)
        try:
            match._begin(found.header, lambda: 0.0)
        except ValueError as error:
            raise RecordError(1, str(error), None) from None
        match._clock = told
        wrong = replay(entries, match._history, lambda entry: repeat(entry, match, match._course))
        if wrong is None:
            return match, None
        place, reason = wrong
        before, _ = cls._replayed(found._replace(entries=entries[:place]), elapsed)
        return before, (place + 2, reason)

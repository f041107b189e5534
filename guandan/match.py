"""A whole match as a state machine: deals, tribute and return, play, levels, result."""

import operator
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from math import inf
from pathlib import Path
from typing import Any, Literal, SupportsIndex

from guandan.cards import Hand
from guandan.combos import Move
from guandan.dealer import HAND_SIZE, Dealer, Hands, read_given, read_seed
from guandan.errors import IllegalMoveError, RecordError
from guandan.gifts import Exchange
from guandan.movelist import MoveList
from guandan.observation import Observation, before_play
from guandan.record import (
    Dealt,
    Entry,
    Event,
    Header,
    Played,
    Record,
    Result,
    Returned,
    Writer,
    line_of,
    read_record,
)
from guandan.rounds import Rounds
from guandan.rules import Rules, Tie, read_rules
from guandan.standing import Standing, known, score
from guandan.state import State
from guandan.tribute import Tribute, payers, read_order

__all__ = ["Match"]

Phase = Literal["tribute", "return", "play", "over"]

End = tuple[int | None, str]  # the side that has won, and why the match ends

TIME_UP = Event("time_up")
MOST_DEALS = 10_000  # of a playout, hundreds of times what a match takes


class Match:
    """A match from its first deal to its result.

    `rules` is a Rules, by default those of Jiangsu 2023. `seed`, from 0 to 2**64 - 1, names all
    deals, and who leads the first; None takes one at random. `deals` are given ones instead, four
    hands or a State each, of which hands and turn are taken; the match ends after the last one. The
    turn of the first one leads it, or who holds a card drawn by the seed. `clock` gives the seconds
    since some moment, by default the computer's; it is asked once for each choice. `record` is the
    path of a new file to write the match to, as it happens: if the program is killed, at most the
    line being written is lost. `standing` and `order`, that of the deal before, let a match begin
    where another has come to; without an order nobody pays tribute on the first deal.

    Who must act is in `to_act`, and what each may do in `options`; `act` does it. What the rules
    force between deals happens by itself; in play every turn is a choice, even if the pass is all
    there is. Two seats that return cards at once do not see each other's. `history` has all that
    happened, as entries of `guandan.record`.

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
        record: str | Path | None = None,
        standing: Standing | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        """Begin a match: the first deal is dealt."""
        chosen = read_rules(rules)
        if not (standing is None or isinstance(standing, Standing)):
            raise TypeError(f"standing: want a Standing, got {standing!r:.40}")
        given = None if deals is None else read_given(deals)
        seats = None if order is None else read_order(order)
        header = Header(chosen, Dealer(read_seed(seed), given), standing or Standing(), seats)
        self._begin(header, clock)
        self._writer: Writer | None = None if record is None else Writer(record, header)
        self._save()

    def _begin(self, header: Header, clock: Callable[[], float]) -> None:
        """Deal the first deal."""
        self._header = header
        self._rules, self._dealer, self._standing, order = header
        if self._standing.is_over:
            raise ValueError(f"standing={self._standing!r}: want a match that goes on")
        if order is not None and self._standing.declarers != order[0] % 2:
            raise ValueError(
                f"order={order!r}: want the declarers' first at its beginning, they are side "
                f"{self._standing.declarers}"
            )
        self._order = order
        self._clock = clock
        self._now = self._begun = clock()
        self._deal_number = 0
        self._deals: list[State] = []
        self._history: list[Entry] = []
        self._written = 0
        self._writer = None
        self._result: Result | None = None
        self._is_extra = False
        self._phase: Phase
        self._deal()

    def __repr__(self) -> str:
        """Show where the match stands."""
        text = f"seed {self.seed}, deal {self._deal_number} at level {self._level}, {self._phase}"
        if not self.to_act:
            return f"<Match of {text}>"
        return f"<Match of {text}, seat {' and '.join(map(str, self.to_act))} to act>"

    def copy(self) -> "Match":
        """Return a match that has come to the same, and is not recorded."""
        made = Match.__new__(Match)
        made.__dict__.update(self.__dict__)
        made._deals = [state.copy() for state in self._deals]
        if made._deals:
            made._state = made._deals[-1]
        made._history = list(self._history)
        if self._phase in ("tribute", "return"):
            made._exchange = self._exchange.copy()
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
        return self._phase

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now, in any order."""
        if self._phase == "play":
            turn = self._state.turn
            return () if turn is None else (turn,)
        return () if self._phase == "over" else tuple(self._exchange.choices)

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
        return self._level

    @property
    def declarers(self) -> int | None:
        """The side of the last deal's first, None on the first deal and on an extra one."""
        return None if self._is_extra else self._standing.declarers

    @property
    def deal_number(self) -> int:
        """The number of this deal of the match, from 1."""
        return self._deal_number

    @property
    def state(self) -> State | None:
        """A copy of the deal in play, None before tribute and returns are done."""
        return self._state.copy() if self._phase in ("play", "over") else None

    @property
    def hands(self) -> Hands:
        """The hands of seats 0 to 3, as they are now."""
        return (self._state if self._phase in ("play", "over") else self._exchange).hands

    @property
    def deals(self) -> tuple[State, ...]:
        """The deals that were played and the one in play, each with its moves."""
        return tuple(state.copy() for state in self._deals)

    @property
    def result(self) -> Result | None:
        """How the match ended, None until then."""
        return self._result

    @property
    def history(self) -> tuple[Entry, ...]:
        """All that happened, in order: what all may know, and the hands as dealt."""
        return tuple(self._history)

    # What may be asked

    def observe(self, seat: int) -> Observation:
        """Return what a seat knows: its hand, the levels, and what has been shown in this deal.

        Before play nobody has the turn. A choice that is not shown yet is not known, not even to
        the seat that made it. Raises the errors of State.observe.
        """
        if self._phase in ("play", "over"):
            seen = self._state.observe(seat)
        else:
            seen = before_play(self.hands, self._level, seat, self._rules)
        shown = list(takewhile(lambda entry: not isinstance(entry, Dealt), reversed(self._history)))
        tributes = [entry for entry in shown if isinstance(entry, Tribute)]
        returns = [entry for entry in shown if isinstance(entry, Returned)]
        return seen.in_match(self._standing, tributes, returns)

    def report(self, seat: int, asker: int) -> int | None:
        """Return how many cards a seat has left, where the rules make it say so on asking, or None.

        What it must say unasked is in the history, as an event "left".
        """
        for name, value in (("seat", seat), ("asker", asker)):
            if type(value) is not int or not 0 <= value <= 3:
                raise ValueError(f"{name}={value!r:.40}: want 0, 1, 2 or 3")
        threshold, _, on_asking = self._rules.report_cards
        left = len(self.hands[seat])
        return left if on_asking and left <= threshold else None

    def default_reading(self, cards: Hand | str) -> Move:
        """Return the move that cards shown without a word are now, by the rules' readings.

        Raises the errors of State.push: AmbiguousMoveError where they must be named.
        """
        if self._phase != "play":
            raise ValueError(f"the phase is {self._phase}: cards are shown in play")
        return self._state.copy(history=False).push(cards)

    @property
    def seconds(self) -> int | None:
        """The time that the rules give to those who must act now, None for any time."""
        tribute, giving_back, first_lead, later = self._rules.seconds
        if self._phase == "play":
            return later if sum(self._left) < 4 * HAND_SIZE else first_lead
        return {"tribute": tribute, "return": giving_back, "over": None}[self._phase]

    @property
    def overrun(self) -> float:
        """The seconds that have passed beyond that time, 0 for none: nobody acts for a seat."""
        seconds = self.seconds
        return 0.0 if seconds is None else max(0.0, self._clock() - self._now - seconds)

    # Acting

    def options(self, seat: SupportsIndex | None = None) -> MoveList | tuple[str, ...]:
        """Return what a seat may choose among; the seat may be left out where only one must act.

        In play a MoveList; else cards as texts, or "resist" and "pay" where a side that holds both
        big jokers may resist. A seat that need not act raises ValueError.
        """
        chosen = self._acting(seat)
        if self._phase == "play":
            return self._state.legal_moves()
        return self._exchange.choices[chosen]

    def act(self, choice: Move | str, seat: SupportsIndex | None = None) -> Move | str:
        """Do what a seat chooses, one of its options, and return it.

        What the rules force then is done too: when a deal has ended, the next is dealt. Raises
        IllegalMoveError for what is no option, and the errors of State.push; nothing is changed
        then. OSError, where the record cannot be written, comes after the choice is made: its
        lines are tried again with the next one.
        """
        chosen = self._acting(seat)
        now = self._clock()
        if self._phase == "play":
            move = self._state.push(choice)
            self._now = now
            self._follow(chosen, move)
            self._save()
            return move
        gift = self._read_choice(choice, chosen)
        self._now = now
        self._take(gift, chosen)
        self._save()
        return gift

    def _acting(self, seat: SupportsIndex | None) -> int:
        """Return the seat that acts."""
        seats = self.to_act
        if seat is None and len(seats) == 1:
            return seats[0]
        if not seats:
            raise ValueError("the match is over, nobody is to act")
        try:
            chosen = -1 if seat is None or isinstance(seat, bool) else operator.index(seat)
        except TypeError:
            chosen = -1
        if chosen not in seats:
            raise ValueError(f"seat {seat!r:.40}: to act is {' or '.join(map(str, seats))}")
        return chosen

    def _read_choice(self, choice: Move | str, seat: int) -> str:
        """Return what a seat chooses between deals."""
        choices = self._exchange.choices[seat]
        if not isinstance(choice, str) or choice not in choices:
            raise IllegalMoveError(f"{choice!s:.40}: seat {seat} may choose {', '.join(choices)}")
        return choice

    def _take(self, choice: str, seat: int) -> None:
        """Take a choice that is made between deals."""
        if choice in ("resist", "pay"):
            self._history.append(Event(choice, seat))
        self._exchange.choose(seat, choice)
        self._show_gifts()

    def _save(self) -> None:
        """Write to the record what is not there yet."""
        if self._writer is None:
            return
        lines = [line_of(entry) for entry in self._history[self._written :]]
        self._written = len(self._history)
        self._writer.write(lines)
        if self._phase == "over":
            self._writer.close()
            self._writer = None

    # Dealing

    def _deal(self) -> None:
        """Deal, or end the match where its end is due."""
        number = self._deal_number + 1
        if not self._is_extra and (limit := self._limit(number)):
            self._end_on(limit)
            return
        self._deal_number = number
        self._level = self._standing.level
        hands = self._dealer.hands(number)
        self._left = [HAND_SIZE] * 4
        if self._order is None or self._is_extra:
            leader = self._dealer.leader(number)
            if leader is None:
                leader, card = self._dealer.turn_up(number, hands, self._level)
                self._history.append(Event("turned", leader, card))
            state = self._state_with(hands, leader)
            self._history.append(Dealt(str(state)))
            self._lead(state)
            return
        self._history.append(Dealt(str(self._state_with(hands, self._order[0]))))
        self._exchange = Exchange(hands, self._order, self._level, self._rules)
        self._n_shown = 0
        if self._exchange.resisted:
            self._history.append(Event("resist", payers(self._order)[0]))
        self._show_gifts()

    def _state_with(self, hands: Hands, leader: int) -> State:
        """Return the deal before its first lead."""
        return State(hands, level=self._level, turn=leader, rules=self._rules)

    # Tribute and return

    def _show_gifts(self) -> None:
        """Note what all may see of tribute and returns by now, and lead once they are done."""
        exchange = self._exchange
        shown: list[Entry] = [Tribute(*gift) for gift in exchange.tributes]
        shown += [Returned(*gift) for gift in exchange.returns]
        self._history += shown[self._n_shown :]
        self._n_shown = len(shown)
        if exchange.stage == "done":
            self._lead(self._state_with(exchange.hands, exchange.leader))
        else:
            self._phase = "return" if exchange.stage == "return" else "tribute"

    # Play

    def _lead(self, state: State) -> None:
        """Begin the play."""
        self._state = state
        self._deals.append(state)
        self._phase = "play"

    def _follow(self, seat: int, move: Move) -> None:
        """Note the move that a seat has made, and end the deal where that ends it."""
        state = self._state
        self._history.append(Played(seat, move))
        left = self._left[seat] = self._left[seat] - move.size
        threshold, unasked, _ = self._rules.report_cards
        if unasked and 0 < left <= threshold and move.size:
            self._history.append(Event("left", seat, left))
        if self._is_extra and state.out:
            self._end(state.out[0] % 2, "extra_deal")
        elif state.is_over:
            self._end_deal()

    def _end_deal(self) -> None:
        """Count the deal, and go on to the next or end the match."""
        order = self._state.order
        assert order is not None
        self._order = order
        self._standing = self._standing.after(order, self._rules)
        self._history.append(Event("order", order[0], " ".join(map(str, order))))
        self._history.append(Event("levels", None, " ".join(self.levels)))
        if self._standing.is_over:
            self._end(*decided(self._standing))
        else:
            self._deal()

    # The end

    @property
    def _last_deal(self) -> int | None:
        """The number of the deal that none but an extra one may follow, None for no limit."""
        limits = [] if self._dealer.given is None else [len(self._dealer.given)]
        match self._rules.match_end:
            case ("deals", deals, _):
                limits.append(deals)
        return min(limits, default=None)

    def _limit(self, number: int) -> str | None:
        """Return why there is no deal of a number, None where there is."""
        last = self._last_deal
        if last is not None and number > last:
            return "deals"
        match self._rules.match_end:
            case ("minutes", minutes, _) if self._now - self._begun > 60 * minutes:
                self._history.append(TIME_UP)
                return "minutes"
        return None

    def _end_on(self, limit: str) -> None:
        """End the match by the levels, or deal an extra deal where they are equal."""
        end = self._by_levels(self._standing, limit)
        if end is None:
            self._is_extra = True
            self._deal()
        else:
            self._end(*end)

    def _by_levels(self, standing: Standing, limit: str) -> End | None:
        """Return the end where no deal may follow, None where an extra deal must."""
        end = self._rules.match_end
        tie: Tie = "draw" if isinstance(end, str) else end[2]
        winner = standing.ahead(tie)
        return None if winner is None and tie == "extra_deal" else (winner, limit)

    def _end(self, winner: int | None, reason: str) -> None:
        """End the match."""
        self._result = self._result_of(self._standing, winner, reason)
        self._history.append(self._result)
        self._phase = "over"

    def _result_of(self, standing: Standing, winner: int | None, reason: str) -> Result:
        """Return the result of the match if it ends so."""
        return Result(winner, reason, standing.levels, score(standing, self._rules, winner))

    # Random play

    def playout(self, seed: SupportsIndex) -> Result:
        """Return how the match ends where all choices from here on are drawn; it stays as it is.

        Of the seats that must act one is drawn, and one of its options, all alike, until the match
        is over. A seed is an int from 0 to 2**64 - 1 and gives the same on every platform. What is
        dealt stays dealt; the hands of the deals to come are drawn by this seed, also where the
        match has given ones: nobody knows them yet. There are as many deals as the match may have,
        but its clock stands still: rules with minutes go on to A. The result of a match that is
        over is its own.

        Raises ValueError for another seed, RuntimeError where there is no end in 10,000 deals.

        >>> Match(seed=3).playout(seed=1)
        Result(winner=0, reason='ace', levels=('A', 'A'), scores=(14, 12))
        """
        rounds = Rounds(seed, self._rules, self._standing)
        if self._result is not None:
            return self._result
        if self._is_extra:
            winner = rounds.first_out(self._state) % 2
            return self._result_of(self._standing, winner, "extra_deal")
        if self._phase == "play":
            rounds.finish(self._state)
        else:
            rounds.finish_after(self._exchange)
        last = self._last_deal
        rounds.go_on(MOST_DEALS if last is None else last - self._deal_number)
        standing = known(rounds.standing)
        if standing.is_over:
            return self._result_of(standing, *decided(standing))
        if last is None:
            raise RuntimeError(f"seed={seed}: nobody has won after {MOST_DEALS} more deals")
        end = self._by_levels(standing, "deals")
        return self._result_of(standing, *(end or (rounds.first_out() % 2, "extra_deal")))

    # Records

    @classmethod
    def load(
        cls,
        record: str | Path | bytes,
        clock: Callable[[], float] = time.monotonic,
        elapsed: float = 0.0,
        resume: bool = False,
    ) -> "Match":
        """Replay a record, whole or broken off, and check each line; the match can go on.

        `record` is the path of a file, or what such a file has. `clock` and `elapsed`, the seconds
        that have passed before, count for limits of time from here on. With `resume` the match goes
        on in the same file, and a last line that is cut short is dropped from it.

        Raises RecordError for the first line that is illegal, cut short or edited, with the number
        of the line and the match as the lines before it tell.
        """
        found = read_record(record)
        match = cls.__new__(cls)
        try:
            match._begin(found.header, lambda: 0.0)
        except ValueError as error:
            raise RecordError(1, str(error), None) from None
        match._repeat_all(found)
        if found.wrong is not None and not (resume and found.is_cut):
            raise RecordError(*found.wrong, match)
        match._clock = clock
        match._now = clock()
        match._begun = match._now - elapsed
        if resume and match._phase != "over":
            if isinstance(record, bytes):
                raise TypeError("resume: want the path of a file to go on in")
            match._writer = Writer(record, None, found.size)
            match._written = len(found.entries)
            match._save()
        return match

    def _repeat_all(self, record: Record) -> None:
        """Do all that a record says; RecordError for what cannot be or is not what comes of it."""
        entries = record.entries
        times_up = {number for number, entry in enumerate(entries) if entry == TIME_UP}
        # Time is up where the record says so: after a deal's last move, its order and the levels.
        self._clock = lambda: inf if len(self._history) + 3 in times_up else 0.0
        checked = 0
        for number, entry in enumerate(entries):
            wrong = None
            try:
                if number >= len(self._history):
                    self._repeat(entry)
            except ValueError as error:
                wrong = number, str(error)
            while wrong is None and checked <= number and checked < len(self._history):
                expected = line_of(self._history[checked])
                if line_of(entries[checked]) != expected:
                    wrong = checked, f"the match has {expected} here"
                checked += 1
            if wrong is not None:
                place, reason = wrong
                before = Match.__new__(Match)
                before._begin(self._header, lambda: 0.0)
                before._repeat_all(record._replace(entries=entries[:place]))
                before._clock = time.monotonic
                raise RecordError(place + 2, reason, before)

    def _repeat(self, entry: Entry) -> None:
        """Do what an entry says that is not in the history yet: somebody's choice."""
        match entry:
            case Played(seat, move) if self._phase == "play":
                self.act(move, seat)
            case Event(("resist" | "pay") as choice, seat):
                self.act(choice, seat)
            case Tribute(seat, _, card) if self._phase == "tribute":
                self._repeat_gift(seat, card)
            case Returned(seat, _, card) if self._phase == "return":
                self._repeat_gift(seat, card)
            case _:
                raise ValueError(f"{line_of(entry)} is out of place in phase {self._phase!r}")

    def _repeat_gift(self, seat: int, card: str) -> None:
        """Let a seat give a card; one that had no choice has given it, and that is shown later."""
        if seat in self._exchange.choices:
            self.act(card, seat)
        elif self._exchange.chosen.get(seat) != card:
            raise ValueError(f"seat {seat} does not give {card} now")


def decided(standing: Standing) -> End:
    """Return the end of a match that is won or drawn."""
    return (None, "falls") if standing.drawn else (standing.winner, "ace")

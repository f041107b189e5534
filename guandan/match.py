"""A whole match as a state machine: deals, tribute and return, play, levels, result."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Literal

from guandan.cards import CARDS, Hand, deal_hands
from guandan.combos import Move
from guandan.errors import IllegalMoveError, RecordError
from guandan.movelist import MoveList
from guandan.record import (
    Dealt,
    Entry,
    Event,
    Header,
    Played,
    Result,
    Returned,
    Writer,
    line_of,
    read_record,
)
from guandan.rules import Rules, Tie
from guandan.standing import Standing, score
from guandan.state import State
from guandan.tribute import Tribute, can_resist, pair, payable, payers, returnable

__all__ = ["Match"]

Phase = Literal["tribute", "return", "play", "over"]
Hands = tuple[Hand, Hand, Hand, Hand]

DECKS = Hand.from_counts([2] * 54)
HAND_SIZE = 27


class Match:
    """A match from its first deal to its result.

    `rules` is a Rules, by default those of Jiangsu 2023. `seed` names all deals, and who leads the
    first; None takes one at random. `deals` are given ones instead, four hands or a State each,
    as many as are to be played; the match ends after the last one. The first leader is the turn
    of the first State, or drawn by the seed. `clock` gives the seconds since some moment; without
    it the match takes the computer's. `record` is the path of a new file to write the match to,
    line by line: if the program is killed, at most the line being written is lost.
    `standing` and `order`, that of the deal before, let a match begin where another has come to;
    without an order nobody pays tribute on the first deal.

    Who must act is in `to_act`, and what each may do in `options`; `act` does it. What the rules
    force between deals happens by itself; in play every turn is a choice, even if the pass is all
    there is. Two seats that return cards at once do not see each other's.

    >>> match = Match(seed=3)
    >>> match.phase, match.level, match.to_act, len(match.options())
    ('play', '2', (3,), 1022)
    >>> match.act(match.options()[0])
    Move.parse("single 4 H4")
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int | None = None,
        deals: Iterable[State | Sequence[Hand]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        record: str | Path | None = None,
        standing: Standing | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        """Begin a match: the first deal is dealt."""
        self.rules = Rules() if rules is None else rules
        if not isinstance(self.rules, Rules):
            raise TypeError(f"rules: want a Rules, got {rules!r:.40}")
        if deals is None and seed is None:
            seed = secrets.randbits(63)
        self.seed = seed
        self._given = None if deals is None else [read_deal(deal) for deal in deals]
        if self._given == []:
            raise ValueError("deals: want one or more")
        self._n_given = len(self._given or ())
        self._clock = clock
        self._begun = self._acted = clock()
        self._standing = Standing() if standing is None else standing
        if self._standing.is_over:
            raise ValueError(f"standing={standing!r}: want a match that goes on")
        self._order = None if order is None else tuple(order)
        if self._order is not None:
            payers(self._order)  # refuses what is no order
            if self._standing.declarers != self._order[0] % 2:
                raise ValueError(
                    f"order={order!r}: want the declarers' first at its beginning, they are side "
                    f"{self._standing.declarers}"
                )
        self._deal_number = 0
        self._deals: list[State] = []
        self._history: list[Entry] = []
        self._result: Result | None = None
        self._is_extra = False
        self._writer = None
        if record is not None:
            n_given = None if deals is None else self._n_given
            header = Header(self.rules, seed, n_given, self._standing, self._order)
            self._writer = Writer(record, header)
        self._deal()

    # What is known

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
        return tuple(self._choices)

    @property
    def standing(self) -> Standing:
        """Where the match stood before this deal."""
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
        """The side of the last deal's first, None on the first deal."""
        return self._standing.declarers

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 1."""
        return self._deal_number

    @property
    def state(self) -> State | None:
        """A copy of the deal in play, None before tribute and returns are done."""
        return self._state.copy() if self._phase in ("play", "over") else None

    @property
    def hands(self) -> Hands:
        """The hands of seats 0 to 3, as they are now."""
        return self._state.hands if self._phase in ("play", "over") else self._hands

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

    def report(self, seat: int, asker: int) -> int | None:
        """Return how many cards a seat has left, where the rules make it say so on asking, or None.

        What it must say unasked is in the history, as an event "left".
        """
        for name, value in (("seat", seat), ("asker", asker)):
            if type(value) is not int or not 0 <= value <= 3:
                raise ValueError(f"{name}={value!r:.40}: want 0, 1, 2 or 3")
        threshold, _, on_asking = self.rules.report_cards
        left = self._left[seat]
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
        tribute, giving_back, first_lead, later = self.rules.seconds
        if self._phase == "play":
            return later if self._state.history else first_lead
        return {"tribute": tribute, "return": giving_back, "over": None}[self._phase]

    @property
    def overrun(self) -> float:
        """The seconds that have passed beyond that time, 0 for none: nobody acts for a seat."""
        seconds = self.seconds
        return 0.0 if seconds is None else max(0.0, self._clock() - self._acted - seconds)

    # Acting

    def options(self, seat: int | None = None) -> MoveList | tuple[str, ...]:
        """Return what a seat may choose among; the seat may be left out where only one must act.

        In play a MoveList; else cards as texts, or "resist" and "pay" where a side that holds both
        big jokers may resist. A seat that need not act raises ValueError.
        """
        chosen = self._acting(seat)
        return self._state.legal_moves() if self._phase == "play" else self._choices[chosen]

    def act(self, choice: Move | str, seat: int | None = None) -> Move | str:
        """Do what a seat chooses, one of its options, and return it.

        What the rules force then is done too: when a deal has ended, the next is dealt. Raises
        IllegalMoveError for what is no option, and the errors of State.push; nothing is changed
        then.
        """
        chosen = self._acting(seat)
        if self._phase == "play":
            return self._play(choice, chosen)
        if choice not in self._choices[chosen]:
            raise IllegalMoveError(
                f"{choice!s:.40}: seat {chosen} may choose {', '.join(self._choices[chosen])}"
            )
        assert isinstance(choice, str)
        del self._choices[chosen]
        if choice in ("resist", "pay"):
            self._add(Event(choice, chosen))
            if choice == "resist":
                self._lead(self._first)
            else:
                self._ask_tribute()
        elif self._phase == "tribute":
            self._cards[chosen] = choice
            self._pay_if_all_have()
        else:
            self._cards[chosen] = choice
            self._return_if_all_have()
        return choice

    def _acting(self, seat: int | None) -> int:
        """Return the seat that acts."""
        seats = self.to_act
        if seat is None and len(seats) == 1:
            return seats[0]
        if seat not in seats or isinstance(seat, bool):
            if not seats:
                raise ValueError("the match is over, nobody is to act")
            raise ValueError(f"seat {seat!r:.40}: to act is {' or '.join(map(str, seats))}")
        return seat

    def _add(self, entry: Entry) -> None:
        """Append to the history and to the record."""
        self._history.append(entry)
        self._acted = self._clock()
        if self._writer is not None:
            self._writer.add(entry)

    # Dealing

    def _deal(self) -> None:
        """Deal, or end the match where its end is due."""
        if self._is_time_up():
            self._end_on_time()
            return
        self._deal_number += 1
        self._level = self._standing.level
        hands, leader = self._next_hands()
        self._hands = hands
        self._left = [HAND_SIZE] * 4
        self._choices: dict[int, tuple[str, ...]] = {}
        is_first = self._order is None or self._is_extra
        if is_first and leader is None:
            leader, card = self._turn_up(hands)
            self._add(Event("turned", leader, card))
        first = leader if is_first else self._first
        assert first is not None
        self._add(Dealt(str(self._state_of(first))))
        if is_first:
            self._lead(first)
            return
        assert self._order is not None
        self._phase: Phase = "tribute"
        if not can_resist(hands, self._order):
            self._ask_tribute()
        elif self.rules.resist == "optional":
            self._choices = {payers(self._order)[0]: ("resist", "pay")}
        else:
            self._add(Event("resist", payers(self._order)[0]))
            self._lead(first)

    def _next_hands(self) -> tuple[Hands, int | None]:
        """Return the hands of this deal, and who leads it if that is given."""
        if self._given is None:
            return deal_hands(self._draw("deal")), None
        if self._deal_number > len(self._given):
            raise ValueError(f"deal {self._deal_number} of {self._n_given} is not recorded")
        return self._given[self._deal_number - 1]

    def _draw(self, what: str) -> int:
        """Draw 64 bits for this deal."""
        text = f"{self.seed} {self._deal_number} {what}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    def _turn_up(self, hands: Hands) -> tuple[int, str]:
        """Draw one of the cards, no joker and no wild, and return its holder and the card."""
        tries = 0
        while True:
            number = self._draw(f"card {tries}") % 108
            card = CARDS[number // 2]
            if number < 104 and card != f"H{self._level}":
                break
            tries += 1
        holders = [seat for seat in range(4) for _ in range(hands[seat].count(card))]
        return holders[number % 2], card

    def _state_of(self, leader: int) -> State:
        """Return the deal before its first lead."""
        return State(self._hands, level=self._level, turn=leader, rules=self.rules)

    # Tribute and return

    @property
    def _first(self) -> int:
        """The first of the last deal."""
        assert self._order is not None
        return self._order[0]

    def _ask_tribute(self) -> None:
        """Let the payers choose; who has no choice has paid."""
        assert self._order is not None
        self._cards: dict[int, str] = {}
        for seat in payers(self._order):
            self._offer(seat, payable(self._hands[seat], self._level))
        self._pay_if_all_have()

    def _offer(self, seat: int, cards: Sequence[str]) -> None:
        """Let a seat choose a card, if there is a choice."""
        if len(cards) == 1:
            self._cards[seat] = cards[0]
        else:
            self._choices[seat] = tuple(cards)

    def _pay_if_all_have(self) -> None:
        """Make the payments, and let the receivers choose what to return."""
        if self._choices:
            return
        assert self._order is not None
        payments, self._leader = pair(self._order, self._cards, self._level, self.rules)
        given = {payer: (receiver, card) for payer, receiver, card in payments}
        for payer, card in self._cards.items():
            self._add(Tribute(payer, given[payer][0], card))
        self._receivers = [(receiver, payer) for payer, receiver, _ in payments]
        self._phase = "return"
        self._cards = {}
        for payer, receiver, card in payments:
            self._move(payer, receiver, card)
            is_partner = (payer - receiver) % 2 == 0
            hand = self._hands[receiver]
            self._offer(receiver, returnable(hand, self._level, is_partner, self.rules, card))
        self._return_if_all_have()

    def _return_if_all_have(self) -> None:
        """Show the returns all at once."""
        if self._choices:
            return
        for giver, receiver in self._receivers:
            self._add(Returned(giver, receiver, self._cards[giver]))
            self._move(giver, receiver, self._cards[giver])
        self._lead(self._leader)

    def _move(self, giver: int, receiver: int, card: str) -> None:
        """Move a card from one hand to another."""
        moved = Hand(card)
        hands = list(self._hands)
        hands[giver] -= moved
        hands[receiver] += moved
        self._hands = (hands[0], hands[1], hands[2], hands[3])

    # Play

    def _lead(self, leader: int) -> None:
        """Begin the play."""
        self._state = self._state_of(leader)
        self._deals.append(self._state)
        self._phase = "play"

    def _play(self, choice: Move | str, seat: int) -> Move:
        """Make a move, and end the deal where that ends it."""
        state = self._state
        move = state.push(choice)
        self._add(Played(seat, move))
        left = self._left[seat] = self._left[seat] - move.size
        threshold, unasked, _ = self.rules.report_cards
        if unasked and 0 < left <= threshold and move.size:
            self._add(Event("left", seat, left))
        if self._is_extra and state.out:
            self._end(state.out[0] % 2, "extra_deal")
        elif state.is_over:
            self._end_deal()
        return move

    def _end_deal(self) -> None:
        """Count the deal, and go on to the next or end the match."""
        order = self._state.order
        assert order is not None
        self._order = order
        self._standing = self._standing.after(order, self.rules)
        self._add(Event("order", order[0], " ".join(map(str, order))))
        self._add(Event("levels", None, " ".join(self.levels)))
        if self._standing.winner is not None:
            self._end(self._standing.winner, "ace")
        elif self._standing.drawn:
            self._end(None, "falls")
        else:
            self._deal()

    # The end

    def _is_time_up(self) -> bool:
        """Whether no deal may follow."""
        if self._is_extra:
            return False
        if self._given is not None and self._deal_number == self._n_given:
            return True
        match self.rules.match_end:
            case ("minutes", minutes, _):
                is_up = self._clock() - self._begun >= 60 * minutes
                if is_up:
                    self._add(Event("time_up"))
                return is_up
            case ("deals", deals, _):
                return self._deal_number == deals
        return False

    def _end_on_time(self) -> None:
        """End the match by the levels, or deal an extra deal where they are equal."""
        limit: str = "deals"
        tie: Tie = "draw"
        if not isinstance(self.rules.match_end, str):
            limit, _, tie = self.rules.match_end
        winner = self._standing.ahead(tie)
        if winner is None and tie == "extra_deal" and self._given is None:
            self._is_extra = True
            self._deal()
        else:
            self._end(winner, limit)

    def _end(self, winner: int | None, reason: str) -> None:
        """End the match."""
        scores = score(self._standing, self.rules, winner)
        self._result = Result(winner, reason, self.levels, scores)
        self._add(self._result)
        self._phase = "over"
        self._choices = {}
        if self._writer is not None:
            self._writer.close()

    # Records

    @classmethod
    def load(cls, path: str | Path) -> "Match":
        """Replay a record, whole or broken off, and check each line; the match can go on.

        Its clock begins anew. Raises RecordError for the first line that is illegal, cut short or
        edited, with the number of the line and the match as it was before it.
        """
        header, entries, wrong = read_record(path)
        given = None
        if header.deals is not None:
            given = [State.parse(entry.state) for entry in entries if isinstance(entry, Dealt)]
        try:
            match = cls(
                *(header.rules, header.seed, given, lambda: 0.0),
                standing=header.standing,
                order=header.order,
            )
        except ValueError as error:
            raise RecordError(1, str(error), None) from None
        match._n_given = header.deals or 0
        match._clock = lambda: match._recorded_time(entries)
        checked = 0
        for number, entry in enumerate(entries):
            try:
                if number >= len(match._history):
                    match._repeat(entry)
            except ValueError as error:
                raise RecordError(number + 2, str(error), match) from None
            while checked <= number and checked < len(match._history):
                if entries[checked] != match._history[checked]:
                    expected = line_of(match._history[checked])
                    raise RecordError(checked + 2, f"the match has {expected} here", match)
                checked += 1
        if wrong is not None:
            raise RecordError(*wrong, match)
        match._clock = time.monotonic
        match._begun = match._acted = time.monotonic()
        return match

    def _recorded_time(self, entries: list[Entry]) -> float:
        """Return a time that is up where a record says so."""
        number = len(self._history)
        return inf if entries[number : number + 1] == [Event("time_up")] else 0.0

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
        if seat in self._choices:
            self.act(card, seat)
        elif self._cards.get(seat) != card:
            raise ValueError(f"seat {seat} does not give {card} now")


def read_deal(deal: State | Sequence[Hand]) -> tuple[Hands, int | None]:
    """Return the hands of a given deal, 27 cards each of two decks, and who leads if it says so."""
    given = deal.hands if isinstance(deal, State) else deal
    hands = tuple(hand if isinstance(hand, Hand) else Hand(hand) for hand in given)
    if len(hands) != 4:
        raise ValueError(f"{deal!r:.40}: want the hands of four seats, got {len(hands)}")
    first, second, third, fourth = hands
    try:
        cards = first + second + third + fourth
    except ValueError as error:
        raise ValueError(f"{deal!r:.40}: {error}") from None
    if {len(hand) for hand in hands} != {HAND_SIZE} or cards != DECKS:
        raise ValueError(f"{deal!r:.40}: want all 108 cards, {HAND_SIZE} in each hand")
    leader = deal.turn if isinstance(deal, State) else None
    return (first, second, third, fourth), leader

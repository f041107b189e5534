"""One deal of a match: what happens from the hands as they are dealt to the end of its play."""

from collections.abc import Sequence
from typing import Literal

from guandan.combos import Move
from guandan.dealer import HAND_SIZE, Hands
from guandan.errors import IllegalMoveError
from guandan.gifts import Exchange
from guandan.movelist import MoveList
from guandan.observation import Observation, before_play
from guandan.record import Dealt, Entry, Event, Played, Returned
from guandan.rules import Rules
from guandan.standing import Standing
from guandan.state import State
from guandan.tribute import Tribute, payers

__all__ = ["Course"]

Made = tuple[int, int, bool]  # a seat, how many cards it has played, whether it had lost its turn


class Course:
    """One deal of a match, choice by choice.

    `order` is that of the deal before, by which tribute is paid; without one `leader` leads. What
    happens is added to `notes`, as entries of a record, for the match to take from there.
    """

    def __init__(
        self,
        hands: Hands,
        level: str,
        rules: Rules,
        order: Sequence[int] | None = None,
        leader: int = 0,
    ) -> None:
        """Deal the hands."""
        self.level = level
        self._rules = rules
        self._state: State | None = None
        self._exchange: Exchange | None = None
        self._shown: list[Tribute | Returned] = []
        self._made: list[Made] = []
        self._left = [HAND_SIZE] * 4
        self._lost = [0] * 4  # turns that each seat is to lose, after the one that it has now
        state = State(hands, level=level, turn=leader if order is None else order[0], rules=rules)
        self.notes: list[Entry] = [Dealt(str(state))]
        if order is None:
            self._state = state
            return
        self._exchange = Exchange(hands, order, level, rules)
        if self._exchange.resisted:
            self.notes.append(Event("resist", payers(order)[0]))
        self._show_gifts(self._exchange)

    def copy(self) -> "Course":
        """Return a copy that goes its own way."""
        made = Course.__new__(Course)
        made.__dict__.update(self.__dict__)
        made._state = self._state and self._state.copy()
        made._exchange = self._exchange and self._exchange.copy()
        for name in ("notes", "_shown", "_made", "_left", "_lost"):
            setattr(made, name, list(getattr(self, name)))
        return made

    @property
    def stage(self) -> Literal["tribute", "return", "play"]:
        """What is going on."""
        if self._exchange is None:
            return "play"
        return "return" if self._exchange.stage == "return" else "tribute"

    @property
    def exchange(self) -> Exchange | None:
        """The tribute and the returns, None once they are done or where there are none."""
        return self._exchange

    @property
    def state(self) -> State | None:
        """The deal in play, None before that."""
        return self._state

    @property
    def lost(self) -> tuple[int, ...]:
        """How many turns each seat is to lose, after the one that it has now."""
        return tuple(self._lost)

    @property
    def hands(self) -> Hands:
        """The hands as they are now."""
        if self._exchange is not None:
            return self._exchange.hands
        assert self._state is not None
        return self._state.hands

    @property
    def has_begun(self) -> bool:
        """Whether cards have been played, and not taken back."""
        return sum(self._left) < 4 * HAND_SIZE

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act now."""
        if self._exchange is not None:
            return tuple(self._exchange.choices)
        assert self._state is not None
        turn = self._state.turn
        return () if turn is None else (turn,)

    def options(self, seat: int) -> MoveList | tuple[str, ...]:
        """Return what a seat that must act may choose among."""
        if self._exchange is not None:
            return self._exchange.choices[seat]
        assert self._state is not None
        return self._state.legal_moves()

    def observe(self, seat: int, standing: Standing) -> Observation:
        """Return what a seat knows, in a match that stands so."""
        if self._state is None:
            seen = before_play(self.hands, self.level, seat, self._rules)
        else:
            seen = self._state.observe(seat)
        tributes = [gift for gift in self._shown if isinstance(gift, Tribute)]
        returns = [gift for gift in self._shown if isinstance(gift, Returned)]
        return seen.in_match(standing, tributes, returns)

    # Tribute and return

    def read_gift(self, choice: Move | str, seat: int) -> str:
        """Return what a seat chooses between deals."""
        assert self._exchange is not None
        choices = self._exchange.choices[seat]
        if not isinstance(choice, str) or choice not in choices:
            raise IllegalMoveError(f"{choice!s:.40}: seat {seat} may choose {', '.join(choices)}")
        return choice

    def give(self, choice: str, seat: int) -> bool:
        """Take a choice that is made between deals; return whether another stage begins then."""
        assert self._exchange is not None
        exchange, stage = self._exchange, self._exchange.stage
        if choice in ("resist", "pay"):
            self.notes.append(Event(choice, seat))
        exchange.choose(seat, choice)
        self._show_gifts(exchange)
        return exchange.stage != stage

    def gives(self, seat: int, card: str) -> bool:
        """Whether a seat, which need not choose, gives a card."""
        return self._exchange is not None and self._exchange.chosen.get(seat) == card

    def _show_gifts(self, exchange: Exchange) -> None:
        """Note what all may see of tribute and returns by now, and lead once they are done."""
        shown: list[Tribute | Returned] = [Tribute(*gift) for gift in exchange.tributes]
        shown += [Returned(*gift) for gift in exchange.returns]
        self.notes += shown[len(self._shown) :]
        self._shown = shown
        if exchange.stage == "done":
            self._exchange = None
            self._state = State(
                exchange.hands, level=self.level, turn=exchange.leader, rules=self._rules
            )

    # Play

    def play(self, choice: Move | str) -> Move:
        """Make a move for the seat to move, and the passes of those who then lose their turns."""
        state = self._state
        assert state is not None
        seat = state.turn
        move = state.push(choice)
        assert seat is not None  # a deal that is over refuses moves
        self._note(seat, move)
        if any(self._lost):
            self._lose_turns(state)
        return move

    def _note(self, seat: int, move: Move, is_forced: bool = False) -> None:
        """Note a move, and what a seat has to say of the cards that are left to it."""
        size = move.size
        self._made.append((seat, size, is_forced))
        self.notes.append(Played(seat, move))
        left = self._left[seat] = self._left[seat] - size
        threshold, unasked, _ = self._rules.report_cards
        if unasked and 0 < left <= threshold and size:
            self.notes.append(Event("left", seat, left))

    # What a referee decides

    def lose_turn(self, seat: int) -> None:
        """Let a seat lose its turn, which may be the one that it has now."""
        state = self._state
        assert state is not None
        self._lost[seat] += 1
        if state.turn == seat:
            self._lose_turns(state)

    def _lose_turns(self, state: State) -> None:
        """Pass for those who lose their turns, up to one who does not."""
        while (seat := state.turn) is not None and self._lost[seat]:
            self._lost[seat] -= 1
            self._note(seat, state.skip(), is_forced=True)
            self.notes.append(Event("skipped", seat))

    def moves_since(self, seat: int) -> int:
        """Return how many moves are as late as a seat's last play of cards, 0 without one."""
        for number, (one, size, _) in enumerate(reversed(self._made), 1):
            if one == seat and size:
                return number
        return 0

    def take_back(self, seat: int) -> Move:
        """Take back a seat's last play, all that came after it too, and return it.

        The seat has its turn once more. Turns that were lost since are to be lost again.
        """
        state = self._state
        assert state is not None
        number = self.moves_since(seat)
        for _ in range(number):
            move = state.pop()
            one, size, is_forced = self._made.pop()
            self._left[one] += size
            self._lost[one] += is_forced
        self.notes.append(Event("taken_back", seat, number))
        return move

    def order_won_by(self, seat: int) -> tuple[int, ...]:
        """Return the order in which a side is first and second: as it is out, then a seat first."""
        assert self._state is not None
        out = self._state.out
        side = (seat, (seat + 2) % 4)
        first, second = sorted(side, key=lambda one: out.index(one) if one in out else len(out))
        return (first, second, *sorted({0, 1, 2, 3} - set(side)))

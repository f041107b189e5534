"""The value of endings in slow, plain Python: the oracle of the endgame solver.

Every line of play is followed to its end; nothing is left out but what has been met before, card
by card. The rules are those of `reference_deal`: here they only become numbers, as a Deal for each
of the positions would take a hundred times as long.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from reference import Move, Reading, beats
from reference_deal import (
    RESULTS,
    SEATS,
    Deal,
    Result,
    Steps,
    combos,
    decided,
    next_turn,
    positions_after,
    result,
)

# What each result is worth to side 0.
Utility = Mapping[Result, float]

known_beats = lru_cache(maxsize=1 << 16)(beats)


def in_steps(steps: Steps) -> dict[Result, float]:
    """Give the steps as a utility."""
    return {(side, place): (1 - 2 * side) * steps[place - 2] for side, place in RESULTS}


def value(deal: Deal, utility: Utility | None = None) -> float:
    """Give what the deal comes to for side 0 when both sides play their best.

    That is its payoff in steps, or what `utility` gives for the side of the first and the place of
    his partner.
    """
    return Tree(deal, utility).value(deal)


def values(deal: Deal, utility: Utility | None = None) -> dict[Move, float]:
    """Give the value for side 0, whoever is to move, after each legal move."""
    tree = Tree(deal, utility)
    return {move: tree.value(after) for move, after in positions_after(deal).items()}


class Standing(NamedTuple):
    """Where a deal stands but for the cards: those in the hands and on the table."""

    turn: int
    owner: int | None
    out: tuple[int, ...]


class Turn(NamedTuple):
    """What the turn of a seat comes to, told in the bits of positions."""

    view: int  # the bits that his moves depend on
    best: Callable[[list[float]], float]
    passed: int | None  # the standing after a pass; None where he leads
    kept: int  # the bits that stay with a pass
    played: int  # the standing after a play that leaves him cards
    emptied: int  # after one that leaves none
    end: float | None  # the value of the latter if it ends the deal


# What plays add to the bits of cards and table: plays that leave the seat cards, and the others.
Plays = tuple[list[int], list[int]]


class Tree:
    """The positions that a deal can come to, and their values for side 0.

    A position is a number. Its lowest bits are the cards that are held, seat by seat; the next ones
    number the reading on the table, all above number the standing. Of two cards alike in a hand the
    second is always played first, so that equal hands have equal bits.
    """

    def __init__(self, deal: Deal, utility: Utility | None = None) -> None:
        """Number all that the hands can play; `utility` is that of `value`."""
        self.deal = deal
        self.utility = utility
        ends = [*accumulate(map(len, deal.hands), initial=0)]
        self.starts = ends[:4]
        self.hands = [(1 << end) - (1 << start) for start, end in pairwise(ends)]
        self.cards = sum(self.hands)
        self.seconds = sum(
            1 << start + place
            for start, hand in zip(self.starts, deal.hands, strict=True)
            for place, card in enumerate(hand)
            if card in hand[:place]
        )
        leads = [combos(tuple(hand), deal.level, deal.switches) for hand in deal.hands]
        readings = [None, deal.table, *(move[:2] for found in leads for move in sorted(found))]
        self.readings: list[Reading | None] = [*dict.fromkeys(readings)]
        self.numbers = {reading: number for number, reading in enumerate(self.readings)}
        self.table_start = ends[4]
        self.standing_start = self.table_start + len(self.readings).bit_length()
        self.table = (1 << self.standing_start) - (1 << self.table_start)
        self.combos = {
            self.hands[seat]: [(move[:2], self.bits(seat, move[2])) for move in leads[seat]]
            for seat in SEATS
        }
        self.standings: list[Standing] = []
        self.turns: dict[int, Turn] = {}
        self.plays: dict[int, Plays] = {}
        self.known: dict[int, float] = {}

    def value(self, deal: Deal) -> float:
        """Give the value of a deal that the first one can come to."""
        if deal.turn is None:
            return self.worth(tuple(deal.out))
        return self.search(
            sum(self.bits(seat, hand) for seat, hand in enumerate(deal.hands))
            + (self.numbers[deal.table] << self.table_start)
            + self.standing(deal.turn, deal.owner, tuple(deal.out))
        )

    def search(self, position: int) -> float:
        """Find the value of a position from those of the positions after it."""
        known = self.known
        number = position >> self.standing_start
        view, best, passed, kept, played, emptied, end = self.turns.get(number) or self.turn_of(
            number
        )
        seen = position & view
        leaving, emptying = self.plays.get(seen) or self.plays_of(seen)
        found = []
        if passed is not None:
            after = (position & kept) + passed
            found.append(known[after] if after in known else self.search(after))
        # A play brings its own table.
        cards = position & self.cards
        for play in leaving:
            after = cards + play + played
            found.append(known[after] if after in known else self.search(after))
        if emptying and end is not None:
            found.append(end)
        else:
            for play in emptying:
                after = cards + play + emptied
                found.append(known[after] if after in known else self.search(after))
        known[position] = chosen = best(found)
        return chosen

    def worth(self, out: tuple[int, ...]) -> float:
        """Give the value of a deal that is over."""
        if self.utility is not None:
            return self.utility[result(out)]
        payoff = replace(self.deal, turn=None, table=None, owner=None, out=list(out)).payoff()
        assert payoff is not None
        return payoff

    # --- Rules as bits ---

    def bits(self, seat: int, cards: Iterable[int]) -> int:
        """Give the bits of some cards of a seat."""
        hand, chosen = self.deal.hands[seat], list(cards)
        return sum(
            1 << self.starts[seat] + hand.index(card) + chosen[:place].count(card)
            for place, card in enumerate(chosen)
        )

    def standing(self, turn: int, owner: int | None, out: tuple[int, ...]) -> int:
        """Give the bits of a standing."""
        standing = Standing(turn, owner, out)
        if standing not in self.standings:
            self.standings.append(standing)
        return self.standings.index(standing) << self.standing_start

    def turn_of(self, number: int) -> Turn:
        """Tell what the turn in a standing comes to."""
        seat, owner, out = self.standings[number]
        rule = self.deal.lead_after_out
        passed, kept = None, self.cards
        if owner is not None:
            following, leads = next_turn(seat, owner, out, rule)
            passed = self.standing(following, None if leads else owner, out)
            if not leads:
                kept += self.table
        following, _ = next_turn(seat, seat, out, rule)
        played = self.standing(following, seat, out)
        end, emptied, then_out = None, 0, (*out, seat)
        if decided(then_out):
            end = self.worth(then_out)
        else:
            following, _ = next_turn(seat, seat, then_out, rule)
            emptied = self.standing(following, seat, then_out)
        best = min if seat % 2 else max
        view = self.hands[seat] + self.table
        self.turns[number] = Turn(view, best, passed, kept, played, emptied, end)
        return self.turns[number]

    def plays_of(self, seen: int) -> Plays:
        """Find the plays from the hand and over the table that a seat sees."""
        hand, table = seen & self.cards, self.readings[seen >> self.table_start]
        leaving, emptying = self.plays[seen] = [], []
        for reading, cards in self.combos_of(hand):
            if table is None or known_beats(reading, table, self.deal.level):
                left = firsts_kept(hand - cards, self.seconds)
                play = left - hand + (self.numbers[reading] << self.table_start)
                (leaving if left else emptying).append(play)
        return leaving, emptying

    def combos_of(self, hand: int) -> list[tuple[Reading, int]]:
        """Find every combo in a hand."""
        if hand not in self.combos:
            # What a hand can play, every larger one can.
            whole = next(whole for whole in self.hands if hand & whole)
            self.combos[hand] = [combo for combo in self.combos[whole] if not combo[1] & ~hand]
        return self.combos[hand]


def firsts_kept(hand: int, seconds: int) -> int:
    """Let the first copy of a card take the place of a second that is left alone."""
    alone = hand & seconds & ~(hand << 1)
    return hand - alone + (alone >> 1)

"""What one seat knows of a deal in play, for Python."""

from collections.abc import Iterable

import numpy as np

from guandan.cards import CARDS
from guandan.errors import NotationError, StateError

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize

from guandan.bits cimport lowest
from guandan.cards cimport (
    N_KINDS_OF_CARD, N_SEATS, Hand, Planes, level_text, read_cards, read_level, shorten,
    size, write_counts,
)
from guandan.combos cimport Move, Table, kind_of, rank_of, switches_of
from guandan.movelist cimport MoveList, list_moves, read_suits
from guandan.setup cimport read_out, read_seat

__all__ = ["Observation", "before_play"]


cdef object seat_of(int seat):
    """A seat's number, None for no seat."""
    return None if seat == NO_SEAT else seat


cdef object move_or_none(const Record* move):
    """A Move, None where no move is known."""
    return Move.wrap(move) if is_known(move) else None


@cython.final
cdef class Observation:
    """What one seat knows of a deal: its own cards, and what all have seen; immutable and hashable.

    Made by `State.observe`, `Match.observe` and `DealBatch.observation`. States that differ only in
    how the hidden cards are spread give equal observations. What happened before a State was made
    is not known: it counts in `unseen` and `left` alone.

    >>> from guandan.state import State
    >>> state = State(["S3 C3", "S4 C4 HR", "D9", "SB"], level="2", turn=0)
    >>> move = state.push("single 3 S3")
    >>> seen = state.observe(1)
    >>> seen.hand, seen.unseen_hand, seen.left, seen.table
    (Hand("S4 C4 HR"), Hand("C3 D9 SB"), (1, 3, 1, 1), Move.parse("single 3 S3"))
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("an Observation is made by State.observe, Match.observe or DealBatch.observation")

    def __dealloc__(self):
        free(self.past)

    @staticmethod
    cdef Observation allocate(Py_ssize_t n_past, object rules):
        """An Observation with room for so many moves, to be entered at once, and an empty View."""
        cdef Observation seen = Observation.__new__(Observation)
        seen.rules = rules
        seen.past = <Play*>malloc((n_past + 1) * sizeof(Play))
        if seen.past == NULL:
            raise MemoryError
        seen.n_past = n_past
        return seen

    cdef void note_past(self) noexcept:
        """Enter the past into the View, as `note` would move by move."""
        cdef Py_ssize_t i
        for i in range(self.n_past):
            keep_played(&self.view, <int>self.past[i].seat, &self.past[i].move)
        for i in range(min(self.n_past, N_RECENT)):
            self.view.recent[i] = self.past[self.n_past - 1 - i].move
            self.view.movers[i] = <uint8_t>self.past[self.n_past - 1 - i].seat

    @property
    def seat(self):
        """The seat that observes."""
        return self.view.seat

    @property
    def hand(self):
        """The cards of that seat, a Hand."""
        return Hand.wrap(self.view.hand)

    @property
    def level(self):
        """The level of the deal, a text."""
        return level_text(self.view.level)

    @property
    def levels(self):
        """The levels of both sides: those of the standing; without one, twice that of the deal."""
        return level_text(self.view.levels[0]), level_text(self.view.levels[1])

    @property
    def turn(self):
        """The seat to move; None when the deal is over, and before its play begins."""
        return seat_of(self.view.turn)

    @property
    def table(self):
        """The Move to beat, with its cards where they are known; None where there is none."""
        return move_or_none(&self.view.table)

    @property
    def owner(self):
        """The seat that played the table; None where there is none."""
        return seat_of(self.view.owner)

    @property
    def out(self):
        """The seats that have run out, in their order, a tuple."""
        return tuple([int(self.view.out[place]) for place in range(self.view.n_out)])

    @property
    def left(self):
        """The numbers of cards that seats 0 to 3 hold."""
        return tuple([int(self.view.left[seat]) for seat in range(N_SEATS)])

    @property
    def plays(self):
        """The moves since the state was made, a tuple of (seat, Move), passes included."""
        return tuple([(int(self.past[i].seat), Move.wrap(&self.past[i].move))
                      for i in range(self.n_past)])

    @property
    def last(self):
        """The last moves of seats 0 to 3, each a Move, a pass too, or None where none is known."""
        return tuple([move_or_none(&self.view.last[seat]) for seat in range(N_SEATS)])

    @property
    def played(self):
        """The cards in the `plays` of seats 0 to 3, a tuple of Hand."""
        return tuple([Hand.wrap(self.view.played[seat]) for seat in range(N_SEATS)])

    @property
    def unseen(self):
        """The copies of each kind of card in the other three hands together, a new uint8 array.

        For a deal from its beginning, what is neither in `hand` nor in `played`. A State made in
        mid-deal has lost earlier plays, and this is what one who saw them would know.
        """
        counts = np.empty(N_KINDS_OF_CARD, np.uint8)
        cdef uint8_t[::1] places = counts
        write_counts(&self.view.unseen, &places[0])
        return counts

    @property
    def unseen_hand(self):
        """The cards of the other three hands together, as one Hand."""
        return Hand.wrap(self.view.unseen)

    @property
    def tributes(self):
        """The tributes paid before the deal, by payer: tuples of payer, receiver and card."""
        return gifts_of(self.view.tributes)

    @property
    def returns(self):
        """The cards given back, by giver: tuples of giver, receiver and card."""
        return gifts_of(self.view.returns)

    def legal_moves(self, suits="all"):
        """List the moves of the seat as `State.legal_moves` does; none where it has not the turn."""
        cdef int options = read_suits(suits) | self.view.options
        cdef const View* view = &self.view
        if view.turn != view.seat:
            return MoveList.allocate(0, view.level)
        return list_moves(&view.hand, view.level, Table(kind_of(&view.table), rank_of(&view.table)),
                          options)

    def in_match(self, standing, tributes=(), returns=()):
        """Return a copy with what a match tells besides: levels, and the cards that changed hands.

        `standing` is a Standing, or None; `tributes` and `returns` are tuples of giver, receiver
        and card, such as Tribute. Raises ValueError for a seat that gives twice or to itself, and
        the errors of `State` for what is no seat or card.
        """
        cdef Observation seen = Observation.allocate(self.n_past, self.rules)
        memcpy(&seen.view, &self.view, sizeof(View))
        memcpy(seen.past, self.past, self.n_past * sizeof(Play))
        seen.standing = standing
        seen.view.levels[0] = seen.view.levels[1] = seen.view.level
        if standing is not None:
            if not hasattr(standing, "levels"):
                raise TypeError(f"standing: want a Standing or None, got {shorten(standing)}")
            read_levels(standing.levels, seen.view.levels)
        read_gifts("tributes", tributes, seen.view.tributes)
        read_gifts("returns", returns, seen.view.returns)
        return seen

    def __eq__(self, other):
        if not isinstance(other, Observation):
            return NotImplemented
        cdef Observation theirs = <Observation>other
        return (not memcmp(&self.view, &theirs.view, sizeof(View))
                and self.n_past == theirs.n_past
                and not memcmp(self.past, theirs.past, self.n_past * sizeof(Play))
                and self.rules == theirs.rules and self.standing == theirs.standing)

    def __hash__(self):
        view = PyBytes_FromStringAndSize(<const char*>&self.view, sizeof(View))
        past = PyBytes_FromStringAndSize(<const char*>self.past, self.n_past * sizeof(Play))
        return hash((view, past, self.rules, self.standing))

    def __repr__(self):
        return (f"<Observation of seat {self.seat}: {size(&self.view.hand)} cards at level "
                f"{self.level}, turn {self.turn}, {self.n_past} moves known>")

    def __reduce__(self):
        return restore, (
            *(self.seat, self.hand, self.unseen_hand, self.level, self.turn, self.table, self.owner),
            *(self.out, self.left, self.plays, self.rules, self.standing, self.tributes, self.returns),
        )


def before_play(hands, level, seat, rules):
    """Return what a seat knows while tributes are paid and given back: nobody has the turn.

    `hands` are those of seats 0 to 3, each a Hand; who has not given a card back yet holds 28.
    Raises StateError for a third copy of a card or a larger hand, and the errors of State.observe.
    """
    first, second, third, fourth = hands
    cards = first + second + third + fourth
    cdef Observation seen = Observation.allocate(0, rules)
    cdef Position position
    cdef int holder
    start(&position, level, rules)
    for holder in range(N_SEATS):
        position.hands[holder] = read_cards(hands[holder])
        if size(&position.hands[holder]) > MOST_LEFT:
            raise StateError(f"seat {holder} holds {len(hands[holder])} of {len(cards)} cards")
    look(&seen.view, &position, read_observer(seat), &seen.view.table)
    return seen


cdef int read_observer(object seat) except -1:
    """The number of a seat that observes."""
    if seat is None:
        raise TypeError("seat None is no seat: want 0, 1, 2 or 3")
    return read_seat("seat", seat)


cdef int start(Position* position, object level, object rules) except -1:
    """Begin a position without cards in which nobody has the turn."""
    memset(position, 0, sizeof(Position))
    position.trick.turn = position.trick.owner = NO_SEAT
    position.level = <uint8_t>read_level(level)
    position.options = <uint16_t>switches_of(rules)
    return 0


def restore(seat, hand, unseen, level, turn, table, owner, out, left, plays, rules, standing,
            tributes, returns):
    """Put a pickled Observation together again."""
    cdef Observation seen = Observation.allocate(len(plays), rules)
    cdef Position position
    cdef View* view = &seen.view
    cdef Move move
    if len(out) > 3 or len(left) != N_SEATS or not all([0 <= n <= MOST_LEFT for n in left]):
        raise ValueError("no Observation has been pickled so")
    start(&position, level, rules)
    look(view, &position, read_observer(seat), &view.table)
    view.hand, view.unseen = read_cards(hand), read_cards(unseen)
    view.turn, view.owner = <uint8_t>read_seat("turn", turn), <uint8_t>read_seat("owner", owner)
    if table is not None:
        move = table
        view.table = move.record
    for other in read_out(out):
        view.out[view.n_out] = other
        view.n_out += 1
    for place in range(N_SEATS):
        view.left[place] = left[place]
    for place, (other, move) in enumerate(plays):
        seen.past[place] = Play(move.record, read_observer(other))
    seen.note_past()
    return seen.in_match(standing, tributes, returns)


cpdef Observation read_observation(object obs):
    """The Observation that an argument is; TypeError for what is none."""
    if not isinstance(obs, Observation):
        raise TypeError(f"obs: want an Observation, got {shorten(obs)}")
    return obs


# What a match tells

cdef tuple gifts_of(const Gift* gifts):
    """The gifts of all seats, as tuples of giver, receiver and card."""
    return tuple([(giver, int(gifts[giver].receiver), CARDS[gifts[giver].card])
                  for giver in range(N_SEATS) if gifts[giver].receiver != NO_SEAT])


cdef int read_gifts(str name, object gifts, Gift* by_giver) except -1:
    """Set the gifts of all seats from tuples of giver, receiver and card."""
    cdef Planes card
    cdef int seat, giver, receiver
    for seat in range(N_SEATS):
        by_giver[seat] = Gift(NO_SEAT, 0)
    if not isinstance(gifts, Iterable):
        raise TypeError(f"{name}={shorten(gifts)}: want tuples of giver, receiver and card")
    for gift in gifts:
        if not isinstance(gift, tuple) or len(gift) != 3 or None in gift[:2]:
            raise ValueError(f"{name}: {shorten(gift)}: want a tuple of giver, receiver and card")
        giver = read_seat(f"{name}: giver", gift[0])
        receiver = read_seat(f"{name}: receiver", gift[1])
        card = read_cards([gift[2]])
        if giver == receiver or by_giver[giver].receiver != NO_SEAT:
            raise ValueError(f"{name}: {shorten(gift)}: want one card of each giver, to another seat")
        by_giver[giver] = Gift(<uint8_t>receiver, <uint8_t>lowest(card.once))
    return 0


cdef int read_levels(object levels, uint8_t* by_side) except -1:
    """Set the levels of both sides from two texts."""
    if not isinstance(levels, (tuple, list)) or len(levels) != 2:
        raise NotationError(f"levels: {shorten(levels)}: want two level texts, by side")
    by_side[0], by_side[1] = read_level(levels[0]), read_level(levels[1])
    return 0

"""The deals of matches: dealt and counted, with tribute and returns between them; played out at random."""

from guandan.cards import CARDS

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

cimport cython
from cpython.exc cimport PyErr_CheckSignals

cimport guandan.movegen as movegen

from guandan.bits cimport lowest, popcount
from guandan.cards cimport (
    DECK_SIZE, N_SEATS, NO_RANK, SMALL_JOKER, Planes, copies, deal, read_level, read_seed, wild_bit,
)
from guandan.combos cimport PASS, Record
from guandan.gifts cimport (
    DONE, PAYING, RESISTING, Choices, Exchange, answer, begin, give,
    read_customs, read_hands,
)
from guandan.ledger cimport advance, fields_of, is_over, level_of, read_ledger, read_terms
from guandan.position cimport NO_SEAT, is_in, pass_on, play, play_out, table_of, write_order
from guandan.rng cimport below, choose, stream
from guandan.state cimport State, apply_rules

__all__ = ["Rounds", "turned_up"]

cdef enum:
    BLOCK = 256                # deals between two looks for signals


# Parts

cdef int holder(const Planes* hands, int number, int level) noexcept nogil:
    """Who holds a card of the whole decks, by its number from 0 to 107; NO_SEAT: it names no leader.

    Jokers and wilds do not. Of the two copies of a kind the even number is that of the lower seat.
    """
    cdef uint64_t kind = <uint64_t>1 << (number >> 1)
    cdef int copy = number & 1
    cdef int seat
    if number >> 1 >= SMALL_JOKER or kind == wild_bit(level):
        return NO_SEAT
    for seat in range(N_SEATS):
        copy -= copies(&hands[seat], kind)
        if copy < 0:
            return seat
    return NO_SEAT


def turned_up(hands, level, number):
    """Return the seat that holds a card of four whole hands, and the card; None: another is drawn."""
    cdef Planes[N_SEATS] held
    cdef int seat
    read_hands(hands, held)
    seat = holder(held, number, read_level(level))
    return None if seat == NO_SEAT else (seat, CARDS[number >> 1])


cdef Law read_law(object rules) except *:
    """What a Rules says of matches."""
    cdef Law law
    memset(&law, 0, sizeof(Law))
    apply_rules(&law.like, rules)
    law.customs = read_customs(rules)
    law.terms = read_terms(rules)
    return law


cdef Position start(const Round* round, const Law* law, const Planes* hands, int leader) noexcept nogil:
    """A deal before its first lead."""
    cdef Position position = law.like
    cdef int seat
    for seat in range(N_SEATS):
        position.hands[seat] = hands[seat]
    position.trick = Trick(<uint8_t>leader, NO_SEAT, PASS, NO_RANK, 0, [0, 0, 0])
    position.level = <uint8_t>level_of(&round.ledger)
    return position


cdef Position deal_first(Round* round, const Law* law) noexcept nogil:
    """Deal where nobody owes tribute: a card that is turned up names the leader."""
    cdef Planes[N_SEATS] hands
    cdef int leader = NO_SEAT
    deal(&round.rng, hands)
    while leader == NO_SEAT:
        leader = holder(hands, <int>below(&round.rng, DECK_SIZE), level_of(&round.ledger))
    return start(round, law, hands, leader)


cdef void deal_next(Round* round, const Law* law, Gifts* gifts) noexcept nogil:
    """Deal after another deal; all that is chosen before play is drawn."""
    deal(&round.rng, gifts.hands)
    exchange(round, law, gifts, round.order, level_of(&round.ledger))


cdef void exchange(
    Round* round, const Law* law, Gifts* gifts, const uint8_t* order, int level
) noexcept nogil:
    """Pay and give back between hands that are dealt; all that is chosen is drawn."""
    memcpy(gifts.order, order, sizeof(gifts.order))
    gifts.level = <uint8_t>level
    begin(gifts, &law.customs)
    choose_gifts(round, law, gifts)


cdef void choose_gifts(Round* round, const Law* law, Gifts* gifts) noexcept nogil:
    """Let all choose that are to choose before a deal."""
    cdef Choices* choices
    cdef uint64_t kinds
    cdef int place, i
    while gifts.stage != DONE:
        if gifts.stage == RESISTING:
            answer(gifts, choose(&round.rng, 2) == 0, &law.customs)
            continue
        choices = &gifts.paid if gifts.stage == PAYING else &gifts.returned
        place = choose(&round.rng, choices.n_due)
        kinds = choices.among[place]
        for i in range(choose(&round.rng, popcount(kinds))):
            kinds &= kinds - 1
        give(gifts, place, lowest(kinds), &law.customs)


cdef void count(Round* round, const Law* law, const Trick* trick) noexcept nogil:
    """Count a deal that is decided."""
    write_order(trick, round.order)
    advance(&round.ledger, round.order, &law.terms)


# Random play

cdef inline bint loses_turn(const Position* position, const int* lost) noexcept nogil:
    """Whether some seat still in has a turn to lose in a deal that goes on."""
    cdef int seat
    if position.trick.turn == NO_SEAT:
        return False
    for seat in range(N_SEATS):
        if lost[seat] and is_in(position, seat):
            return True
    return False


cdef void lose_turns(Position* position, int* lost, Rng* rng) noexcept nogil:
    """Play random moves until all turns are lost that are to be, so many of each seat.

    The seat to move makes its move: its turns are lost from its next one on.
    """
    cdef Record move
    cdef int n
    while loses_turn(position, lost):
        move = movegen.draw(
            &position.hands[position.trick.turn], position.level, table_of(position),
            position.options, rng, &n)
        play(position, &move)
        while position.trick.turn != NO_SEAT and lost[position.trick.turn]:
            lost[position.trick.turn] -= 1
            pass_on(position)


@cython.final
cdef class Rounds:
    """The rest of a match, played at random.

    Who acts next, where several must, and what he does are drawn uniformly by a seed; so are the
    hands of all deals but that in which it begins. The methods are called one after the other:
    `finish` or `finish_after` plays that deal and counts it, `go_on` the next ones; `first_out`
    plays one that is not counted.
    """

    def __init__(self, seed, rules, standing):
        self.round.rng = stream(read_seed(seed), 0)
        self.round.ledger = read_ledger(standing)
        self.law = read_law(rules)

    @property
    def standing(self):
        """The fields of the Standing by now."""
        return fields_of(&self.round.ledger)

    def finish(self, State state not None, lost=(0, 0, 0, 0)):
        """Play a deal from a state to its end, and count it; the state stays as it is.

        `lost` has how many turns each seat is to lose after the one that it has now.
        """
        cdef Position position = state.position
        cdef int[N_SEATS] turns = lost
        with nogil:
            lose_turns(&position, turns, &self.round.rng)
            self.play_out(&position)

    def finish_after(self, Exchange exchange not None):
        """Play a deal from its tribute to its end, and count it; the exchange stays as it is."""
        cdef Gifts gifts = exchange.gifts
        with nogil:
            choose_gifts(&self.round, &self.law, &gifts)
            self.play_after(&gifts)

    def go_on(self, deals):
        """Play so many more deals, fewer where the match is won or drawn."""
        cdef Py_ssize_t left = deals
        while left > 0 and not is_over(&self.round.ledger):
            with nogil:
                self.play_block(min(left, BLOCK))
            left -= BLOCK
            PyErr_CheckSignals()

    def first_out(self, State state=None, lost=(0, 0, 0, 0)):
        """Return who is out first in a deal that is not counted: one in play, or one that is dealt."""
        cdef Position position
        cdef int[N_SEATS] turns = lost
        position = deal_first(&self.round, &self.law) if state is None else state.position
        with nogil:
            lose_turns(&position, turns, &self.round.rng)
            play_out(&position, &self.round.rng, NULL)
        return int(position.trick.out[0])

    cdef void play_out(self, Position* position) noexcept nogil:
        """Play a deal to its end, and count it."""
        play_out(position, &self.round.rng, NULL)
        count(&self.round, &self.law, &position.trick)

    cdef void play_after(self, Gifts* gifts) noexcept nogil:
        """Play a deal to its end once all is given, and count it."""
        cdef Position position = start(&self.round, &self.law, gifts.hands, gifts.leader)
        self.play_out(&position)

    cdef void play_block(self, Py_ssize_t deals) noexcept nogil:
        """Play so many more deals, fewer where the match is won or drawn."""
        cdef Gifts gifts
        cdef Py_ssize_t i
        for i in range(deals):
            deal_next(&self.round, &self.law, &gifts)
            self.play_after(&gifts)
            if is_over(&self.round.ledger):
                return

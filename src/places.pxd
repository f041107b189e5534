"""The places of a batch: at each deal after deal, by itself or in matches, drawn by one generator.

`begin` deals the first deal of a place, `step` plays a move and deals anew where that ends one.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from guandan.cards cimport Planes
from guandan.combos cimport Record
from guandan.ledger cimport Ledger
from guandan.observation cimport Gift, View
from guandan.pasts cimport Past
from guandan.position cimport Position
from guandan.rounds cimport Law, Round

cdef enum:
    UNCOUNTED = -1
    NO_MATCH = -1              # no match has ended
    DRAWN_LEVEL = -1

cdef enum After:               # what deals by themselves follow, and owe tribute for
    AFTER_NONE = 0
    AFTER_GIVEN = 1            # a deal that ended in the order of the place
    AFTER_DRAWN = 2            # in an order that is drawn for each
    AFTER_LAST = 3             # the one that was played there before; the first follows none


cdef struct Plan:              # what all places have in common
    Law law
    int[3] steps
    bint matches
    int after                  # where there are no matches
    bint auto_pass
    Ledger fresh               # before a match's first deal
    int limit                  # deals of a match; 0: as many as it takes
    bint first_to_reach        # who is ahead at that limit where levels are equal
    bint extra_deal            # what follows where nobody is


cdef struct Deal:              # in play at a place, or the one that has just ended there
    Position position
    Ledger ledger              # before it
    Gift[4] tributes
    Gift[4] returns
    Past past


cdef struct Between:           # what a place needs where a deal ends and another begins
    Round round                # the order is that of the last deal that has ended here
    uint64_t deal_seed         # of a deal by itself
    Gift[4] tributes           # by the seat that gives
    Gift[4] returns
    Deal finished              # what the last step has ended, if it has: its plays are still kept
    uint8_t[4] before          # the order in which the deal before ended, AFTER_GIVEN
    int8_t level               # of all deals, or DRAWN_LEVEL


cdef struct Place:             # what each move needs, in 256 bytes: memory is what limits a step
    Position position
    Record shown               # the table with its cards
    Past past                  # of this deal
    Planes[4] played           # in it, by seat
    Record[4] last             # move of each seat, without a bit: none yet
    Between* between
    int n_moves                # of the turn, or UNCOUNTED
    uint8_t extra              # the deal is not counted: who is out first wins the match
    uint8_t ended              # whether the last step has ended a deal,
    int8_t payoff              # what of, and
    int8_t winner              # the side that has won the match with it, NO_SIDE: none, NO_MATCH


cdef inline const Past* last_past(const Place* place) noexcept nogil:
    """The moves of the deal or, where it is new, of the one that has just ended there."""
    return &place.between.finished.past if place.ended else &place.past


cdef Deal in_play(const Place* place) noexcept nogil
cdef void begin(Place* place, const Plan* plan, uint64_t seed, uint64_t number) noexcept nogil
cdef void step(Place* place, const Plan* plan, const Record* move) noexcept nogil
cdef int count_moves(Place* place) noexcept nogil
cdef void see(View* view, const Place* place, const Plan* plan, bint recent) noexcept nogil

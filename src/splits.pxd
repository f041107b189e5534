"""Splits of a whole hand into plays at the least cost, of which the number of plays is one.

`fewest` is for one hand; for many, a Splitter keeps what it has found of cards without runs.
"""

from libc.stdint cimport uint8_t, uint64_t

from guandan.cards cimport Planes
from guandan.combos cimport PLATE, TUBE
from guandan.groups cimport Cards, Groups
from guandan.prices cimport Prices

cdef enum:
    MOST_CARDS = 28            # of a hand: 27, and one received that is not returned yet
    MAX_RUNS = 6               # of so many cards


cdef struct Run:
    uint8_t kind
    uint8_t window             # the lowest step: see holding
    uint8_t suit               # of a straight flush
    uint8_t wilds
    uint8_t[5] at              # wilds at each step


cdef struct Rest:              # what some runs have left of a hand
    Cards cards
    int size
    uint64_t once              # natural cards, while straight flushes are chosen
    uint64_t twice
    uint8_t[16] held           # natural cards by step, the ace at both ends


cdef struct Splitter:
    Groups* groups
    const Prices* prices
    int level
    int switches
    bint flushes               # whether straight flushes are runs of their own: else they are straights
    bint free                  # whether wilds stand in runs beside cards that could
    bint strict                # whether straights must find suits by which they are none of one suit
    int largest                # cards that a bomb can have
    int joker_bounds[3]
    Rest whole
    Rest suited                # what the straight flushes have left
    int below                  # a split costs less
    int n_runs                 # chosen by now
    Run runs[MAX_RUNS]
    bint (*meet)(Splitter*, const Rest*, int) noexcept nogil   # with cards left as groups, and a cost
    void* taker                # of what is met


cdef int fewest(const Planes* hand, int level, int switches) except -1 nogil
cdef int fewest_by(Groups* groups, const Planes* hand, int level, int switches) noexcept nogil
cdef void begin(
    Splitter* splitter, Groups* groups, const Prices* prices, const Planes* hand, int level, int switches
) noexcept nogil
cdef int least_cost(Splitter* splitter) noexcept nogil
cdef bint search(Splitter* splitter) noexcept nogil
cdef bint suit_straights(const Splitter* splitter, bint strict, uint64_t* cards) noexcept nogil


cdef inline int steps_of(int kind) noexcept nogil:
    """How many steps a kind of run has."""
    return 3 if kind == TUBE else 2 if kind == PLATE else 5


cdef inline int each_of(int kind) noexcept nogil:
    """How many cards of each step a kind of run has."""
    return 2 if kind == TUBE else 3 if kind == PLATE else 1

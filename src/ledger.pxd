"""Where a match stands between two deals, as a plain struct: levels and all that is counted.

Levels are rank codes; the fields are those of `Standing`, which says what they are.
"""

from libc.stdint cimport uint8_t

cdef enum:
    NO_SIDE = 2
    MOST = 1_000_000_000       # where counts stop: far from what an int holds


cdef struct Ledger:
    int[2] levels
    int declarers
    int deals
    int[2] since
    int[2] failures
    int[2] falls
    int[4] first_streaks
    int[4] last_streaks
    int[2] double_streaks
    int[2] debts
    int winner
    int past_ace
    bint drawn


cdef struct Terms:             # what rules say of levels, as fields of Rules
    int[3] steps
    int farthest               # place of the first's partner with which declarers win at A
    int failures               # at A that make a side fall; 0: none do
    bint won_last              # only those count
    int falls_to
    int falls_draw             # 0: never
    bint streaks
    bint double_counts_two     # a match won by a double is won by a level more


cdef inline bint is_over(const Ledger* ledger) noexcept nogil:
    """Whether the match is won or drawn."""
    return ledger.drawn or ledger.winner != NO_SIDE


cdef inline int level_of(const Ledger* ledger) noexcept nogil:
    """The level of the next deal."""
    return ledger.levels[0 if ledger.declarers == NO_SIDE else ledger.declarers]


cdef Ledger read_ledger(object standing) except *
cdef dict fields_of(const Ledger* ledger)
cdef Terms read_terms(object rules) except *
cdef int ahead(const Ledger* ledger, bint first_to_reach) noexcept nogil
cdef void advance(Ledger* ledger, const uint8_t* order, const Terms* terms) noexcept nogil

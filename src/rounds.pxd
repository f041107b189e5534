"""The deals of a match one after the other: dealt, with tribute and returns, counted, played at random.

The functions are the parts, for one who plays the deals himself; `Rounds` plays them at random.
"""

from libc.stdint cimport uint8_t

from guandan.cards cimport Planes
from guandan.gifts cimport Customs, Gifts
from guandan.ledger cimport Ledger, Terms
from guandan.position cimport Position, Trick
from guandan.rng cimport Rng


cdef struct Law:               # what rules say of matches
    Position like              # what they say of a position
    Customs customs
    Terms terms


cdef struct Round:             # where a match stands, and what draws its deals
    Rng rng
    Ledger ledger
    uint8_t[4] order           # of the last deal


cdef Law read_law(object rules) except *
cdef int holder(const Planes* hands, int number, int level) noexcept nogil
cdef Position start(const Round* round, const Law* law, const Planes* hands, int leader) noexcept nogil
cdef Position deal_first(Round* round, const Law* law) noexcept nogil
cdef void deal_next(Round* round, const Law* law, Gifts* gifts) noexcept nogil
cdef void exchange(
    Round* round, const Law* law, Gifts* gifts, const uint8_t* order, int level
) noexcept nogil
cdef void choose_gifts(Round* round, const Law* law, Gifts* gifts) noexcept nogil
cdef void count(Round* round, const Law* law, const Trick* trick) noexcept nogil


cdef class Rounds:
    cdef Law law
    cdef Round round

    cdef void play_out(self, Position* position) noexcept nogil
    cdef void play_after(self, Gifts* gifts) noexcept nogil
    cdef void play_block(self, Py_ssize_t deals) noexcept nogil

"""Abstract actions: moves told apart by kind and ranks, not by their suits and wilds, 393 in all.

Each has an id, block after block, ranks in the order 2 3 .. K A B R: the pass, singles, pairs,
triples, full houses (by triple, then pair), straights, tubes, plates (each by window, the one
with the low ace first), bombs (by rank, then size), straight flushes (by window, then suit S H C
D), the joker bomb.
"""

from libc.stdint cimport uint8_t, uint16_t

from guandan.cards cimport Planes
from guandan.combos cimport Record, Table

cdef enum:
    N_ACTIONS = 393
    NO_ACTION = N_ACTIONS          # the id of what is no move


cdef struct Meaning:           # of an id
    uint8_t kind
    uint8_t rank
    uint8_t other              # the rank of a full house's pair, the suit of a straight flush

cdef Meaning[N_ACTIONS] MEANINGS


cdef int id_of(const Record* move, int level) noexcept nogil
cdef bint set_ids(const Record* moves, Py_ssize_t n, int level, uint16_t* ids) noexcept nogil
cdef void set_mask(const Planes* hand, int level, Table table, int options, uint8_t* mask) noexcept nogil

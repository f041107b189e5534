"""The moves of a holding, counted by multiplying list lengths, and the n-th of them."""

from libc.stdint cimport uint16_t

from guandan.combos cimport Record, Table
from guandan.holding cimport Holding


cdef struct Census:
    Table table                # what the moves beat; kind PASS: leads
    int least                  # of the table's kind: the lowest key or window that beats it
    int[4] equal               # by kind: singles, pairs, triples
    uint16_t[4][16] products   # full houses by the triple's step; straights, tubes, plates by window


cdef int take_census(const Holding* holding, Table table, Census* census) noexcept nogil
cdef Record nth_move(const Holding* holding, const Census* census, int index) noexcept nogil

"""The moves of a holding, counted by multiplying list lengths."""

from libc.stdint cimport uint16_t

from guandan.combos cimport Table
from guandan.holding cimport Holding


cdef struct Census:
    Table table                # what the moves beat; kind PASS: leads
    int least                  # of the table's kind: the lowest key or window that beats it
    int[4] equal               # by kind: singles, pairs, triples
    uint16_t[4][16] products   # full houses by the triple's step; straights, tubes, plates by window


cdef int take_census(Holding* holding, Table table, Census* census) noexcept nogil
cdef void count_all_bombs(Holding* holding) noexcept nogil
cdef int count_straight_flushes(const Holding* holding, int first) noexcept nogil

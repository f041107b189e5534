"""The moves of a holding, counted by multiplying list lengths, and the n-th of them."""

from libc.stdint cimport uint16_t

from guandan.combos cimport Record, Table
from guandan.holding cimport Holding

cdef enum:
    BOMBS = 8                  # the section of all bombs, after those of the kinds PASS .. PLATE
    N_SECTIONS = 9


cdef struct Census:
    int[N_SECTIONS] sections   # moves of each kind, the bombs in one, in list order
    int least                  # of the table's kind: the lowest key or window that beats it
    uint16_t[16] full_houses   # by the step of the triple
    uint16_t[16] straights     # by window
    uint16_t[16] tubes
    uint16_t[16] plates


cdef int take_census(const Holding* holding, Table table, Census* census) noexcept nogil
cdef Record nth_move(const Holding* holding, Table table, const Census* census, int index) noexcept nogil

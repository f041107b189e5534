"""The n-th move of a census, and a random one, without listing."""

from guandan.census cimport Census
from guandan.combos cimport Record, Table
from guandan.holding cimport Holding
from guandan.rng cimport Rng


cdef Record nth_move(const Holding* holding, const Census* census, int index) noexcept nogil
cdef Record draw_move(Holding* holding, Table table, Rng* rng, int* n) noexcept nogil

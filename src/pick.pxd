"""The n-th move of a census, without listing."""

from guandan.census cimport Census
from guandan.combos cimport Record
from guandan.holding cimport Holding


cdef Record nth_move(const Holding* holding, const Census* census, int index) noexcept nogil

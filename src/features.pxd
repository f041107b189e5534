"""Observations and moves as arrays for learners; docs/features.md has every value."""

from libc.stdint cimport uint8_t

from guandan.observation cimport View

cdef enum:
    DANZERO_SIZE = 513
    N_PLANES = 51              # 19 and the recent moves
    PLANES_SIZE = 4314


cdef void write_observation(const View* view, uint8_t* out) noexcept nogil
cdef void write_planes(const View* view, uint8_t* out) noexcept nogil

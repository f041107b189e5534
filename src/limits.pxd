"""The limits of a search: nodes, seconds, a stop from elsewhere, signals, and the room for hands."""

from libc.stdint cimport uint64_t

from guandan.frames cimport Prover

cdef void set_limits(Prover* p, uint64_t nodes, double seconds) noexcept nogil
cdef void check_limits(Prover* p) noexcept nogil
cdef bint refill(Prover* p) noexcept nogil

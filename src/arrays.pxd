"""Arrays of the caller's as plain memory: rows of numbers, and many hands in one call, checked."""

from libc.stdint cimport uint8_t

from guandan.cards cimport NO_RANK, Planes
from guandan.combos cimport PASS, Table


cdef class Rows:
    cdef Py_buffer buffer
    cdef void* data
    cdef Py_ssize_t n
    cdef bint copied

    cdef bint take(self, object array, str dtype, int width, Py_ssize_t n, bint writable) except -1
    cdef int copy(self) except -1


cdef class Hands:
    cdef Rows held_planes, held_levels, held_beats
    cdef const Planes* hands
    cdef const uint8_t* levels
    cdef const uint8_t* beats              # NULL: all lead
    cdef int options
    cdef bint may_be_empty
    cdef Py_ssize_t n

    cdef int read(self, object planes, object levels, object beats, int options) except -1
    cdef int refuse(self, Py_ssize_t i) except -1

    cdef inline Table table(self, Py_ssize_t i) noexcept nogil:
        """What hand i is to beat: nothing where there are no rows."""
        if self.beats == NULL:
            return Table(PASS, NO_RANK)
        return Table(self.beats[2 * i], self.beats[2 * i + 1])


cdef Rows rows_of(str name, object array, str dtype, int width, Py_ssize_t n, bint writable)
cdef Rows read_levels(str name, object levels, Py_ssize_t n)

"""Lists of moves as sequences and numpy arrays, over records that stay where the kernel wrote them."""

from libc.stdint cimport uint8_t

from guandan.cards cimport Planes
from guandan.combos cimport Record, Table


cdef class MoveList:
    cdef Record* records_begin
    cdef Py_ssize_t n
    cdef int level_code            # of all moves
    cdef object owner              # of the records; None: this list frees them
    cdef Py_ssize_t[2] shape       # for the buffer protocol
    cdef Py_ssize_t[2] strides

    @staticmethod
    cdef MoveList allocate(Py_ssize_t n, int level)

    @staticmethod
    cdef MoveList view(Record* begin, Py_ssize_t n, int level, object owner)


cdef class MoveBatch:
    cdef MoveList moves
    cdef bytes levels              # the rank codes of the hands' levels
    cdef readonly object offsets
    """Where each hand's moves begin, and the end of the last: int64 of shape (n + 1,)."""

    @staticmethod
    cdef MoveBatch of(MoveList moves, bytes levels, object offsets)


cdef MoveList list_moves(const Planes* hand, int level, Table table, int options)
cdef bint list_within(
    const Planes* hand, int level, Table table, int options, Record* out, Py_ssize_t n, bint spare
) noexcept nogil
cdef int read_suits(object suits) except -1
cdef void write_all_counts(const Record* moves, Py_ssize_t n, uint8_t* counts) noexcept nogil

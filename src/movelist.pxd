"""Lists of moves as sequences and numpy arrays, over records that stay where the kernel wrote them."""

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


cdef MoveList list_moves(const Planes* hand, int level, Table table, int options)
cdef int read_suits(object suits) except -1

"""A deal in play for Python: checked moves, text and history over a Position."""

from libc.stdint cimport uint64_t

from guandan.combos cimport Record
from guandan.position cimport Position, Trick


cdef struct Past:              # what takes a move back
    Record move
    Trick trick
    Record shown


cdef class State:
    cdef Position position
    cdef Record shown          # the table, with its cards where they are known; PASS: none
    cdef Past* past
    cdef Py_ssize_t n_past
    cdef Py_ssize_t room
    cdef uint64_t salt         # of the rules, for keys
    cdef readonly object rules
    """The Rules of the deal."""

    cdef int begin(self, const Position* position, object rules) except -1
    cdef Record read_move(self, object move) except *
    cdef int keep(self, const Record* move) except -1


cpdef State read_state(object state)
cdef object read_rules(object rules)
cdef int apply_rules(Position* position, object rules) except -1
cdef int read_steps(object rules, int* steps) except -1

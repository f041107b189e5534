"""A position as it is given, by arguments or as text, and all that is wrong with it."""

from guandan.cards cimport N_KINDS_OF_CARD, N_SEATS
from guandan.combos cimport Record
from guandan.position cimport Position


cdef struct Setup:
    Py_ssize_t[4][N_KINDS_OF_CARD] counts      # by seat: copies of each kind of card, any number
    int level
    int turn                                   # NO_SEAT: none
    int owner                                  # NO_SEAT: none
    Record table                               # without cards where they are not known; PASS: none
    int options


cdef Setup read_setup(
    object hands, object level, object turn, object table, object owner, int options
) except *
cdef int read_seat(str name, object seat) except -1
cdef tuple read_out(object out)
cdef list problems_of(const Setup* setup, tuple out)
cdef Position position_of(const Setup* setup, tuple out) noexcept
cdef bint is_sound(const Position* position) except -1
cdef dict read_text(object text)
cdef str text_of(const Position* position, const Record* shown)

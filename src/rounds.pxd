"""The deals of a match, played at random one after the other."""

from libc.stdint cimport uint8_t

from guandan.cards cimport Planes
from guandan.gifts cimport Customs, Gifts
from guandan.ledger cimport Ledger, Terms
from guandan.position cimport Position
from guandan.rng cimport Rng


cdef int holder(const Planes* hands, int number, int level) noexcept nogil


cdef class Rounds:
    cdef Rng rng
    cdef Position like         # what the rules say of a position
    cdef Customs customs
    cdef Terms terms
    cdef Ledger ledger
    cdef uint8_t[4] order      # of the last deal

    cdef Position start(self, const Planes* hands, int leader) noexcept nogil
    cdef int turn_up(self, const Planes* hands) noexcept nogil
    cdef void choose_gifts(self, Gifts* gifts) noexcept nogil
    cdef void count(self, Position* position) noexcept nogil
    cdef void play_after(self, Gifts* gifts) noexcept nogil
    cdef void play_block(self, Py_ssize_t deals) noexcept nogil

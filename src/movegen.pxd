"""Leads and replies of a hand: listed into the caller's buffer, counted, and the n-th of them.

The options of each function are a Suits and Switch bits; 0 is the exact list of the default rules.
"""

from guandan.cards cimport Planes
from guandan.combos cimport OVERRUN, SUITS_ALL, SUITS_FLUSH, SUITS_ONE, Record, Table
from guandan.rng cimport Rng


cdef Record* leads(const Planes* hand, int level, int options, Record* out) noexcept nogil
cdef Record* replies(const Planes* hand, int level, Table table, int options, Record* out) noexcept nogil
cdef Record* moves(const Planes* hand, int level, Table table, int options, Record* out) noexcept nogil
cdef int count(const Planes* hand, int level, Table table, int options) noexcept nogil
cdef Record nth(const Planes* hand, int level, Table table, int options, int index) noexcept nogil
cdef Record draw(
    const Planes* hand, int level, Table table, int options, Rng* rng, int* n
) noexcept nogil

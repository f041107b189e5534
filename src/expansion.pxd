"""The moves that an abstract action stands for, and the one of them that keeps most."""

from guandan.cards cimport Planes
from guandan.combos cimport Record, Table

cdef enum:
    MOST_OF_ONE = 128          # moves of an action with suits "one", and what a list needs besides


cdef bint is_answer(int action, Table table, int level) noexcept nogil
cdef Record* list_action(
    const Planes* hand, int level, int options, int action, Record* out
) noexcept nogil
cdef int value_left(const Planes* hand, const Record* move, int level) noexcept nogil
cdef bint best_move(
    const Planes* hand, int level, Table table, int options, int action, Record* move
) noexcept nogil

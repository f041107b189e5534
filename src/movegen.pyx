"""Leads and replies of a hand, put together from the lists of each kind."""

from guandan.cards cimport NO_RANK
from guandan.census cimport Census, take_census
from guandan.combos cimport (
    FULL_HOUSE, PASS, PLATE, SINGLE, STRAIGHT, TRIPLE, TUBE, least_to_beat, tag,
)
from guandan.holding cimport Holding, observe
from guandan.lists cimport (
    Lists, list_all_equal, list_bombs, list_equal, list_full_houses, list_ones, list_plates,
    list_straights, list_threes, list_tubes, list_twos,
)
from guandan.pick cimport nth_move
from guandan.rng cimport choose


cdef Record* leads(const Planes* hand, int level, int options, Record* out) noexcept nogil:
    """Append every lead of a hand in list order and return the end.

    The buffer needs room for `count` records and OVERRUN more. Straights that are dropped again
    need none besides: each is a straight flush, and counted as such further on in the list.
    """
    cdef Holding holding
    cdef Lists lists
    observe(&holding, hand, level, options)
    list_threes(&holding, &lists)
    out = list_all_equal(&holding, &lists, out)
    out = list_full_houses(&holding, &lists, 0, out)
    out = list_straights(&holding, &lists, 0, out)
    out = list_tubes(&holding, &lists, 0, out)
    out = list_plates(&holding, &lists, 0, out)
    return list_bombs(&holding, Table(PASS, NO_RANK), out)


cdef Record* replies(const Planes* hand, int level, Table table, int options, Record* out) noexcept nogil:
    """Append the pass and every move that beats the table, in list order, and return the end.

    The buffer needs room for `count` records and OVERRUN more.
    """
    cdef Holding holding
    cdef Lists lists
    cdef int least = least_to_beat(table, level)
    observe(&holding, hand, level, options)
    out[0] = tag(PASS, NO_RANK)
    out += 1
    if SINGLE <= table.kind <= TRIPLE:
        out = list_equal(&holding, table.kind, least, out)
    elif table.kind == FULL_HOUSE:
        list_threes(&holding, &lists)
        out = list_full_houses(&holding, &lists, least, out)
    elif table.kind == STRAIGHT:
        list_ones(&holding, &lists)
        out = list_straights(&holding, &lists, least, out)
    elif table.kind == TUBE:
        list_twos(&holding, &lists)
        out = list_tubes(&holding, &lists, least, out)
    elif table.kind == PLATE:
        list_threes(&holding, &lists)
        out = list_plates(&holding, &lists, least, out)
    return list_bombs(&holding, table, out)


cdef Record* moves(const Planes* hand, int level, Table table, int options, Record* out) noexcept nogil:
    """Append the leads, or the replies to a table that is not PASS."""
    if table.kind == PASS:
        return leads(hand, level, options, out)
    return replies(hand, level, table, options, out)


cdef int count(const Planes* hand, int level, Table table, int options) noexcept nogil:
    """How many moves `moves` lists."""
    cdef Holding holding
    cdef Census census
    observe(&holding, hand, level, options)
    return take_census(&holding, table, &census)


cdef Record nth(const Planes* hand, int level, Table table, int options, int index) noexcept nogil:
    """The n-th move that `moves` lists, from 0; the index is below `count`."""
    cdef Holding holding
    cdef Census census
    observe(&holding, hand, level, options)
    take_census(&holding, table, &census)
    return nth_move(&holding, &census, index)


cdef Record draw(
    const Planes* hand, int level, Table table, int options, Rng* rng, int* n
) noexcept nogil:
    """A uniform random one of the moves that `moves` lists, `n` of them, by one number drawn, or
    by none where there is no choice."""
    cdef Holding holding
    cdef Census census
    observe(&holding, hand, level, options)
    n[0] = take_census(&holding, table, &census)
    return nth_move(&holding, &census, choose(rng, n[0]))

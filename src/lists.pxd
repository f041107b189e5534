"""The moves of a holding, listed kind by kind into the caller's buffer.

A full house, straight, tube or plate is a low and a high half. Each half is a list by the number
of wilds that stand in it, and the combos are the products of these lists. So the order within one
kind and key is: fewer wilds first, then fewer wilds in the low half, then the low half's cards in
the order of its list, then the high half's.
"""

from libc.stdint cimport uint64_t

from guandan.combos cimport OVERRUN, Record, Table
from guandan.holding cimport Holding, N_STEPS

cdef enum:
    N_PRODUCTS = 512           # all 108 cards need at one time 208 links, 112 high halves, or rings of 366
    MAX_WINDOW = 3200          # all 108 cards make 1024 + 1280 + 640 straights of one window


cdef struct Half:              # of a combo: its lists with 0, 1 and 2 wilds
    const Record* list[3]
    int n[3]


cdef struct Lists:             # what products are made of
    Record* ones[N_STEPS + 1]      # where the subsets of each step begin, one step after another
    Record* twos[N_STEPS + 1]
    Record* threes[N_STEPS]
    Record* links[N_STEPS]         # where the straights' halves of two steps begin, without wilds
    Record* top                    # the free part of products
    Record all_ones[4 * N_STEPS + OVERRUN]
    Record all_twos[10 * N_STEPS + OVERRUN]
    Record all_threes[16 * N_STEPS + OVERRUN]
    Record products[N_PRODUCTS]    # links, high halves, rings


cdef Record* list_equal(const Holding* holding, int kind, int least, Record* out) noexcept nogil
cdef Record* list_all_equal(const Holding* holding, const Lists* lists, Record* out) noexcept nogil
cdef Record* list_full_houses(const Holding* holding, Lists* lists, int least, Record* out) noexcept nogil
cdef Record* list_straights(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil
cdef Record* list_tubes(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil
cdef Record* list_plates(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil
cdef Record* list_bombs(const Holding* holding, Table table, Record* out) noexcept nogil
cdef void list_ones(const Holding* holding, Lists* lists) noexcept nogil
cdef void list_twos(const Holding* holding, Lists* lists) noexcept nogil
cdef void list_threes(const Holding* holding, Lists* lists) noexcept nogil
cdef void list_links(const Holding* holding, Lists* lists, uint64_t windows) noexcept nogil
cdef Record* list_window(const Holding* holding, Lists* lists, int window, Record* out) noexcept nogil
cdef Record* list_straight_flushes(const Holding* holding, int first, Record* out) noexcept nogil

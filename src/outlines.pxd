"""What of a hand counts where nobody can make a run: how many groups it has, of how many cards, in order.

A group is all cards of a rank, or the wilds. It has a place: 0..11 for the ranks in level order, 12
for the level rank, 13 for the wilds, which compare as equal to it, 14 and 15 for the jokers.
"""

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    MOST_GROUPS = 8
    N_PLACES = 16
    LEVEL_PLACE = 12
    WILD_PLACE = 13
    NO_GROUP = 128             # as lanes.h has it

cdef enum:
    SHAPE_BITS = 40            # counts of the groups, then marks
    HAS_SHAPE = 1 << 7         # among the marks; an empty hand has it too


cdef struct Outline:           # of a hand of at most eight groups, a cache line
    uint64_t unused
    uint64_t places            # a byte for each group, one more than its place
    uint8_t[16] group          # by place
    uint8_t[16] below          # how many groups compare lower than a place
    uint8_t[16] up_to          # how many compare no higher than the place before this one


cdef inline int place_of_key(int key) noexcept nogil:
    """The place of a group that a play of one key is made of; of key 12 it may be the next as well."""
    return key + (key > LEVEL_PLACE)


cdef inline int places_of_keys(int keys) noexcept nogil:
    """The places of the groups that plays of some keys may be made of, both as bits."""
    return keys & 0x1fff | (keys & 0x7000) << 1


cdef uint64_t draw_outline(Outline* outline, const uint8_t* counts, int options) noexcept nogil

"""Outlines of hands."""

from libc.string cimport memset

from guandan.combos cimport NO_JOKER_PAIR, NO_LEVEL_FULL_HOUSE

cdef enum:
    LEVEL_COUNT = 12           # indexes of a hand's counts
    JOKER_COUNTS = 13
    WILD_COUNT = 15


cdef inline uint64_t marks_of(const uint8_t* counts, int options) noexcept nogil:
    """What tells hands with the same groups apart, in eight bits.

    Two hands with equal counts, group by group, make the same combos of corresponding groups, if
    there are no runs, but for what these bits say. The wilds are a group of their own and stand for
    others: which one they are follows from their number and from how many groups are jokers, behind
    them. No wild stands for a joker; else a joker, of which there are two, is as any other card,
    but in a joker bomb and where the rules forbid its pair in a full house. Three level cards and
    both wilds may be no full house.
    """
    cdef int small = counts[JOKER_COUNTS], big = counts[JOKER_COUNTS + 1]
    cdef int wilds = counts[WILD_COUNT]
    cdef int marks = HAS_SHAPE | wilds | (small + big == 4) << 2
    if wilds or options & NO_JOKER_PAIR:
        marks |= ((small > 0) + (big > 0)) << 3
    if options & NO_LEVEL_FULL_HOUSE and wilds == 2 and counts[LEVEL_COUNT] > 2:
        marks |= 1 << 5
    return marks


cdef uint64_t draw_outline(Outline* outline, const uint8_t* counts, int options) noexcept nogil:
    """Outline a hand from its counts by rank, in level order, jokers, wilds.

    Its shape is returned, 0 if it has too many groups.
    """
    cdef uint64_t shape = 0
    cdef int place, count, n = 0
    memset(outline, 0, sizeof(Outline))
    for place in range(N_PLACES):
        count = counts[WILD_COUNT if place == WILD_PLACE else place - (place > WILD_PLACE)]
        outline.below[place] = outline.below[LEVEL_PLACE] if place == WILD_PLACE else n
        outline.up_to[place] = n
        outline.group[place] = NO_GROUP
        if count:
            if n == MOST_GROUPS:
                return 0
            shape |= <uint64_t>count << 4 * n
            outline.places |= <uint64_t>(place + 1) << 8 * n
            outline.group[place] = n
            n += 1
    # The wilds compare no higher than the level rank.
    outline.up_to[WILD_PLACE] = outline.up_to[WILD_PLACE + 1]
    return shape | marks_of(counts, options) << 4 * MOST_GROUPS

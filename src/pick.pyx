"""The n-th move of a census, in the order of `lists`: found without listing."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from guandan.bits cimport pop, popcount
from guandan.cards cimport ACE, N_RANKS, NO_RANK, RANK_5, SMALL_JOKER
from guandan.census cimport count_straight_flushes
from guandan.combos cimport (
    DOWNGRADE, FULL_HOUSE, JOKER_BOMB, PAIR, PASS, PLATE, SINGLE, STRAIGHT, STRAIGHT_FLUSH, SUITS_ONE,
    TRIPLE, TUBE, Table, bomb_kind, first_straight_flush, key_of, largest_bomb, rank_at, tag,
)
from guandan.holding cimport (
    ABOVE, POOL, Subsets, counted, flush_place, joined, jokers_from, n_subsets, pair_jokers, shift_of,
    subsets_at, wilds_pair,
)
from guandan.lists cimport (
    MAX_WINDOW, Lists, list_links, list_ones, list_straight_flushes, list_window,
)

cdef extern from "lanes.h" nogil:
    int lanes_sum(const uint8_t* counts, const uint8_t* mask)
    int lanes_total(const uint16_t* counts)
    int lanes_find(const uint16_t* counts, int without, int* index)


# Each `index` counts within ever smaller parts of the list.

cdef inline Record subset(const Holding* holding, int step, int k, int index) noexcept nogil:
    """A subset of k cards of a step."""
    cdef const Subsets* subsets = subsets_at(holding, step)
    cdef Record cards = POOL[subsets.base + subsets.start[k] + index]
    return Record(cards.once << shift_of(step), cards.twice << shift_of(step))


cdef inline Record subset_along(const Holding* holding, int step, int k, int index) noexcept nogil:
    """A subset of k cards in the lists of a step and those after it, one after another."""
    cdef const uint8_t* counts = counted(holding, k)
    while index >= counts[step]:
        index -= counts[step]
        step += 1
    return subset(holding, step, k, index)


cdef inline Record subset_pair(
    const Holding* holding, int a, int k_a, int b, int k_b, int index
) noexcept nogil:
    """One of the products of the subsets of two steps."""
    cdef int n = counted(holding, k_b)[b]
    return joined(subset(holding, a, k_a, index // n), subset(holding, b, k_b, index % n))


cdef int split(
    const Holding* holding, const int* low, const int* high, int* index, int* in_low
) noexcept nogil:
    """Find the part of two halves' combos that an index falls into: return its number of wilds,
    and set how many of them are in the low half and the index in the part."""
    cdef int wilds, n
    for wilds in range(holding.wilds + 1):
        for in_low[0] in range(wilds + 1):
            n = low[in_low[0]] * high[wilds - in_low[0]]
            if index[0] < n:
                return wilds
            index[0] -= n
    return 0                   # not reached: the index is below the sum


cdef inline int find_step(const uint16_t* counts, int level, int more, int* index) noexcept nogil:
    """The step that an index falls into, the level's step last, with `more` than its count; 16
    behind all. The index is then within the step."""
    cdef int last = counts[level + 1] + more
    cdef int step = lanes_find(counts, level + 1, index)
    if step == 16:
        if index[0] < last:
            return level + 1
        index[0] -= last
    return step


cdef Record nth_equal(const Holding* holding, int kind, int least, int index) noexcept nogil:
    """The n-th single, pair or triple with a key of at least `least`."""
    cdef uint64_t jokers = jokers_from(holding, kind, least)
    cdef const uint8_t* ranks = &ABOVE[holding.level][least][0]
    cdef uint16_t[16] counts
    cdef int step, wilds, n
    for step in range(16):
        counts[step] = counted(holding, kind)[step] & ranks[step]
    for wilds in range(1, min(kind - 1, holding.wilds) + 1):
        for step in range(16):
            counts[step] += counted(holding, kind - wilds)[step] & ranks[step]
    step = find_step(counts, holding.level, holding.wilds >= kind and least <= ACE, &index)
    if step < 16:
        wilds = 0
        n = n_subsets(holding, step, kind)
        while index >= n:
            index -= n
            wilds += 1
            n = n_subsets(holding, step, kind - wilds)
        return joined(joined(tag(kind, step - 1), holding.wild[wilds]),
                      subset(holding, step, kind - wilds, index))
    if index:
        jokers &= jokers - 1
    step = pop(&jokers)
    return joined(tag(kind, N_RANKS + step), Record(
        <uint64_t>1 << (SMALL_JOKER + step), <uint64_t>(kind == PAIR) << (SMALL_JOKER + step)))


cdef Record nth_in_ring(const Holding* holding, int step, int k, int index) noexcept nogil:
    """The n-th pair, or single card that a wild makes a pair, beside a full house's triple: from
    the step after the triple's upwards, round past the jokers."""
    cdef const uint8_t* numbers = counted(holding, k)
    cdef uint64_t jokers = 0 if k == 1 else pair_jokers(holding)
    cdef int n_jokers = popcount(jokers)
    cdef uint16_t[16] counts
    cdef int other
    for other in range(16):
        counts[other] = numbers[other] if other > step else 0
    other = lanes_find(counts, 16, &index)
    if other < 16:
        return subset(holding, other, k, index)
    if index < n_jokers:
        if index:
            jokers &= jokers - 1
        return Record(jokers & -jokers, jokers & -jokers)
    return subset_along(holding, 1, k, index - n_jokers)


cdef Record nth_full_house(const Holding* holding, const uint16_t* counts, int index) noexcept nogil:
    """The n-th full house of the counts."""
    cdef const uint8_t* every = ABOVE[holding.level][0]
    cdef int step = find_step(counts, holding.level, 0, &index)
    cdef int in_low, wilds
    cdef int[3] low, high
    cdef Record move
    low[0], low[1], low[2] = holding.threes[step], holding.twos[step], holding.ones[step]
    high[0] = lanes_sum(holding.twos, every) - holding.twos[step] + popcount(pair_jokers(holding))
    high[1] = lanes_sum(holding.ones, every) - holding.ones[step]
    high[2] = wilds_pair(holding, step - 1)
    wilds = split(holding, low, high, &index, &in_low)
    move = joined(tag(FULL_HOUSE, step - 1), holding.wild[wilds])
    move = joined(move, subset(holding, step, 3 - in_low, index // high[wilds - in_low]))
    if wilds - in_low == 2:
        return move
    return joined(move, nth_in_ring(holding, step, 2 - (wilds - in_low), index % high[wilds - in_low]))


cdef int skip_straight_flushes(const Holding* holding, int window, int naturals, int index) noexcept nogil:
    """The place of the n-th straight of a window among all its runs, the one-suit ones included."""
    cdef int suit, flushes = popcount(holding.flush[0] >> 4 * window & 15)
    if index >= naturals - flushes:
        return index + flushes
    for suit in range(4):
        if holding.flush[0] >> (4 * window + suit) & 1:
            index += flush_place(holding, window, suit) <= index
    return index


cdef Record nth_straight_low(const Holding* holding, int window, int wilds, int index) noexcept nogil:
    """The n-th low half of a straight, with so many wilds in it."""
    if wilds == 0:
        return subset_pair(holding, window, 1, window + 1, 1, index)
    return subset_along(holding, window, 1, index) if wilds == 1 else Record(0, 0)


cdef Record nth_straight_high(const Holding* holding, int window, int wilds, int index) noexcept nogil:
    """The n-th high half of a straight, with so many wilds in it."""
    cdef int a = window + 2, b = window + 3, c = window + 4
    cdef int n = holding.ones[b] + holding.ones[c]
    if wilds == 0:
        n = holding.ones[b] * holding.ones[c]
        return joined(subset(holding, a, 1, index // n), subset_pair(holding, b, 1, c, 1, index % n))
    if wilds == 2:
        return subset_along(holding, a, 1, index)
    if index < holding.ones[a] * n:
        return joined(subset(holding, a, 1, index // n), subset_along(holding, b, 1, index % n))
    return subset_pair(holding, b, 1, c, 1, index - holding.ones[a] * n)


cdef Record nth_straight(const Holding* holding, const uint16_t* counts, int index) noexcept nogil:
    """The n-th straight of the counts."""
    cdef int window = lanes_find(counts, 16, &index)
    cdef const uint8_t* n = &holding.ones[window]
    cdef int[3] low, high
    cdef int wilds, in_low
    cdef Record move
    if holding.options & (SUITS_ONE | DOWNGRADE):
        return nth_listed_straight(holding, window, index)
    low[0], low[1], low[2] = n[0] * n[1], n[0] + n[1], 1
    high[0], high[2] = n[2] * n[3] * n[4], n[2] + n[3] + n[4]
    high[1] = n[2] * (n[3] + n[4]) + n[3] * n[4]
    if holding.flush[0] >> 4 * window & 15:
        index = skip_straight_flushes(holding, window, low[0] * high[0], index)
    wilds = split(holding, low, high, &index, &in_low)
    move = joined(tag(STRAIGHT, window + RANK_5), holding.wild[wilds])
    move = joined(move, nth_straight_low(holding, window, in_low, index // high[wilds - in_low]))
    return joined(move, nth_straight_high(holding, window, wilds - in_low, index % high[wilds - in_low]))


cdef Record nth_listed_straight(const Holding* holding, int window, int index) noexcept nogil:
    """The n-th straight of a window whose suits settle whether they are moves at all."""
    cdef Lists lists
    cdef Record[MAX_WINDOW] room
    list_ones(holding, &lists)
    list_links(holding, &lists, <uint64_t>1 << window)
    list_window(holding, &lists, window, room)
    return room[index]


cdef Record nth_tube_high(const Holding* holding, int a, int wilds, int index) noexcept nogil:
    """The n-th high half of a tube, its steps a and a + 1, with so many wilds in it."""
    cdef int b = a + 1
    cdef int n
    if wilds == 0:
        return subset_pair(holding, a, 2, b, 2, index)
    if wilds == 1:
        n = holding.twos[a] * holding.ones[b]
        if index < n:
            return subset_pair(holding, a, 2, b, 1, index)
        return subset_pair(holding, a, 1, b, 2, index - n)
    if index < holding.twos[a]:
        return subset(holding, a, 2, index)
    index -= holding.twos[a]
    n = holding.ones[a] * holding.ones[b]
    if index < n:
        return subset_pair(holding, a, 1, b, 1, index)
    return subset(holding, b, 2, index - n)


cdef Record nth_tube(const Holding* holding, const uint16_t* counts, int index) noexcept nogil:
    """The n-th tube of the counts."""
    cdef int window = lanes_find(counts, 16, &index)
    cdef const uint8_t* n = &holding.ones[window]
    cdef const uint8_t* m = &holding.twos[window]
    cdef int[3] low, high
    cdef int wilds, in_low
    cdef Record move
    low[0], low[1], low[2] = m[0], n[0], 1
    high[0], high[1] = m[1] * m[2], m[1] * n[2] + n[1] * m[2]
    high[2] = m[1] + n[1] * n[2] + m[2]
    wilds = split(holding, low, high, &index, &in_low)
    move = joined(tag(TUBE, window + 1), holding.wild[wilds])
    if in_low < 2:
        move = joined(move, subset(holding, window, 2 - in_low, index // high[wilds - in_low]))
    return joined(move, nth_tube_high(holding, window + 1, wilds - in_low, index % high[wilds - in_low]))


cdef Record nth_plate(const Holding* holding, const uint16_t* counts, int index) noexcept nogil:
    """The n-th plate of the counts."""
    cdef int window = lanes_find(counts, 16, &index)
    cdef int[3] low, high
    cdef int wilds, in_low
    low[0], low[1], low[2] = holding.threes[window], holding.twos[window], holding.ones[window]
    high[0], high[1], high[2] = (holding.threes[window + 1], holding.twos[window + 1],
                                 holding.ones[window + 1])
    wilds = split(holding, low, high, &index, &in_low)
    return joined(joined(tag(PLATE, window), holding.wild[wilds]),
                  subset_pair(holding, window, 3 - in_low, window + 1, 3 - (wilds - in_low), index))


cdef Record nth_bomb(const Holding* holding, Table table, int index) noexcept nogil:
    """The n-th bomb that beats the table."""
    cdef int largest = largest_bomb(holding.options)
    cdef int size, kind, rank, key, wilds, n, first
    cdef Record[1024] flushes
    for size in range(4, largest + 1):
        kind = bomb_kind(size)
        if size == 6 and table.kind <= STRAIGHT_FLUSH:
            first = first_straight_flush(table, holding.level)
            n = count_straight_flushes(holding, first)
            if index < n:
                list_straight_flushes(holding, first, flushes)
                return flushes[index]
            index -= n
        if kind < table.kind:
            continue
        for key in range(key_of(kind, table.rank, holding.level) + 1 if kind == table.kind else 0, N_RANKS):
            rank = rank_at(key, holding.level)
            for wilds in range(max(0, size - 8), holding.wilds + 1):
                n = n_subsets(holding, rank + 1, size - wilds)
                if index < n:
                    return joined(joined(tag(kind, rank), holding.wild[wilds]),
                                  subset(holding, rank + 1, size - wilds, index))
                index -= n
    return joined(tag(JOKER_BOMB, NO_RANK), Record(holding.joker_pairs, holding.joker_pairs))


cdef Record nth_product(const Holding* holding, const Census* census, int kind, int index) noexcept nogil:
    """The n-th full house, straight, tube or plate of the counts."""
    if kind == FULL_HOUSE:
        return nth_full_house(holding, census.products[0], index)
    if kind == STRAIGHT:
        return nth_straight(holding, census.products[STRAIGHT - FULL_HOUSE], index)
    if kind == TUBE:
        return nth_tube(holding, census.products[TUBE - FULL_HOUSE], index)
    return nth_plate(holding, census.products[PLATE - FULL_HOUSE], index)


cdef Record nth_move(const Holding* holding, const Census* census, int index) noexcept nogil:
    """The n-th move of a census, from 0, in list order."""
    cdef int kind, n
    if census.table.kind != PASS:
        if index == 0:
            return tag(PASS, NO_RANK)
        index -= 1
    for kind in range(SINGLE, TRIPLE + 1):
        if index < census.equal[kind]:
            return nth_equal(holding, kind, census.least, index)
        index -= census.equal[kind]
    for kind in range(FULL_HOUSE, PLATE + 1):
        if census.table.kind == PASS or census.table.kind == kind:
            n = lanes_total(census.products[kind - FULL_HOUSE])
            if index < n:
                return nth_product(holding, census, kind, index)
            index -= n
    return nth_bomb(holding, census.table, index)

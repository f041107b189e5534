"""Counting without listing, and the n-th move, both in the order of `lists`."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from guandan.bits cimport pop, popcount
from guandan.cards cimport ACE, N_RANKS, NO_RANK, RANK_5, SMALL_JOKER
from guandan.combos cimport (
    BOMB4, DOWNGRADE, FULL_HOUSE, JOKER_BOMB, PAIR, PASS, PLATE, SINGLE, STRAIGHT, STRAIGHT_FLUSH,
    SUITS, SUITS_ONE, TRIPLE, TUBE, bomb_kind, bomb_size, first_straight_flush, key_of,
    largest_bomb, least_to_beat, rank_at, tag,
)
from guandan.holding cimport (
    ABOVE, AT_LEAST, EXACTLY, PLATE_WINDOWS, POOL, STRAIGHT_WINDOWS, TUBE_WINDOWS, Subsets,
    flush_place, joined, n_subsets, pair_jokers, shift_of, straight_windows, subsets_at, wilds_pair,
)
from guandan.lists cimport (
    MAX_WINDOW, Lists, list_links, list_ones, list_straight_flushes, list_window,
)

cdef extern from "lanes.h" nogil:
    void lanes_look_up(const uint8_t* table, const uint8_t* index, uint8_t* out)
    void lanes_widen(const uint8_t* bytes, int shift, uint16_t* out)
    int lanes_sum(const uint8_t* counts, const uint8_t* mask)
    int lanes_total(const uint16_t* counts)
    int lanes_find(const uint16_t* counts, int* index)


cdef uint16_t[3][16][16] WINDOWS       # of straights, tubes, plates: all bits set from the first on


cdef void fill_windows() noexcept:
    """Fill the table of windows."""
    cdef int kind, first, window
    cdef int[3] ends = [STRAIGHT_WINDOWS, TUBE_WINDOWS, PLATE_WINDOWS]
    for kind in range(3):
        for first in range(16):
            for window in range(16):
                WINDOWS[kind][first][window] = 0xffff if first <= window < ends[kind] else 0


fill_windows()


# Counting by kind

cdef inline const uint8_t* counted(const Holding* holding, int k) noexcept nogil:
    """The numbers of subsets of 1, 2 or 3 cards of each step."""
    return &holding.ones[0] if k == 1 else &holding.twos[0] if k == 2 else &holding.threes[0]


cdef inline uint64_t jokers_from(const Holding* holding, int kind, int least) noexcept nogil:
    """The jokers, bits 0 and 1, that make a single or a pair with a key of at least `least`."""
    cdef uint64_t jokers = holding.jokers if kind == SINGLE else holding.joker_pairs
    return jokers >> SMALL_JOKER & ~<uint64_t>0 << max(0, least - N_RANKS)


cdef struct Sums:              # of the subsets of 1, 2 and 3 cards, over ranks
    int[4] of

cdef inline Sums sum_subsets(const Holding* holding, int least) noexcept nogil:
    """The subsets of the ranks with a key of at least `least`, all together."""
    cdef const uint8_t* ranks = &ABOVE[holding.level][least][0]
    cdef Sums sums
    sums.of[0] = 0
    sums.of[1] = lanes_sum(holding.ones, ranks)
    sums.of[2] = lanes_sum(holding.twos, ranks)
    sums.of[3] = lanes_sum(holding.threes, ranks)
    return sums


cdef inline int count_equal(const Holding* holding, int kind, int least, const Sums* sums) noexcept nogil:
    """Count the singles, pairs or triples with a key of at least `least`; `kind` is a constant."""
    cdef int n = sums.of[kind]
    if holding.wilds > 0:
        n += sums.of[kind - 1]
    if holding.wilds > 1 and kind > 1:
        n += sums.of[kind - 2]
    if kind == TRIPLE:
        return n
    return n + (holding.wilds >= kind and least <= ACE) + popcount(jokers_from(holding, kind, least))


cdef inline uint16_t combos(
    uint16_t low, uint16_t low_1, uint16_t low_2, uint16_t high, uint16_t high_1, uint16_t high_2,
    int wilds
) noexcept nogil:
    """The combos of two halves, from the lengths of their lists with 0, 1 and 2 wilds."""
    cdef uint16_t n = low * high
    if wilds > 0:
        n += low * high_1 + low_1 * high
    if wilds > 1:
        n += low * high_2 + low_1 * high_1 + low_2 * high
    return n


cdef struct Wide:              # the numbers of subsets of each step, and of those 1, 2, .. steps up
    uint16_t[5][16] ones
    uint16_t[3][16] twos
    uint16_t[2][16] threes


cdef inline void widen(const Holding* holding, Wide* wide) noexcept nogil:
    """Copy a holding's numbers of subsets into wide lanes: a copy for each step that a window
    reaches, since a load that overlaps two stores has to wait for both."""
    lanes_widen(holding.ones, 0, wide.ones[0])
    lanes_widen(holding.ones, 1, wide.ones[1])
    lanes_widen(holding.ones, 2, wide.ones[2])
    lanes_widen(holding.ones, 3, wide.ones[3])
    lanes_widen(holding.ones, 4, wide.ones[4])
    lanes_widen(holding.twos, 0, wide.twos[0])
    lanes_widen(holding.twos, 1, wide.twos[1])
    lanes_widen(holding.twos, 2, wide.twos[2])
    lanes_widen(holding.threes, 0, wide.threes[0])
    lanes_widen(holding.threes, 1, wide.threes[1])


cdef inline void count_full_houses(
    const Holding* holding, const Wide* wide, const Sums* sums, int least, int wilds,
    uint16_t* counts
) noexcept nogil:
    """Count the full houses with a key of at least `least`, by the step of the triple."""
    cdef const uint8_t* ranks = &ABOVE[holding.level][least][0]
    cdef uint16_t ones = sums.of[1]
    cdef uint16_t pairs = sums.of[2] + popcount(pair_jokers(holding))
    cdef int step
    for step in range(16):
        counts[step] = combos(wide.threes[0][step], wide.twos[0][step], wide.ones[0][step],
                              pairs - wide.twos[0][step], ones - wide.ones[0][step], 1,
                              wilds) if ranks[step] else 0
    if wilds == 2 and not wilds_pair(holding, holding.level) and ranks[holding.level + 1]:
        counts[holding.level + 1] -= holding.threes[holding.level + 1]


cdef inline void count_straights(
    const Holding* holding, const Wide* wide, int first, int wilds, uint16_t* counts
) noexcept nogil:
    """Count the straights from a window on, by window."""
    cdef const uint16_t* windows = &WINDOWS[STRAIGHT - STRAIGHT][first][0]
    cdef uint64_t flushes = holding.flush[0] & ~<uint64_t>0 << 4 * first
    cdef uint16_t a, b, c, d, e
    cdef int i
    for i in range(16):
        a, b = wide.ones[0][i], wide.ones[1][i]
        c, d, e = wide.ones[2][i], wide.ones[3][i], wide.ones[4][i]
        counts[i] = windows[i] & combos(
            a * b, a + b, 1, c * d * e, c * (d + e) + d * e, c + d + e, wilds)
    while flushes:
        counts[pop(&flushes) >> 2] -= 1


cdef inline void count_tubes(const Wide* wide, int first, int wilds, uint16_t* counts) noexcept nogil:
    """Count the tubes from a window on, by window."""
    cdef const uint16_t* windows = &WINDOWS[TUBE - STRAIGHT][first][0]
    cdef uint16_t b, c, two_b, two_c
    cdef int i
    for i in range(16):
        b, c = wide.ones[1][i], wide.ones[2][i]
        two_b, two_c = wide.twos[1][i], wide.twos[2][i]
        counts[i] = windows[i] & combos(
            wide.twos[0][i], wide.ones[0][i], 1,
            two_b * two_c, two_b * c + b * two_c, two_b + b * c + two_c, wilds)


cdef inline void count_plates(const Wide* wide, int first, int wilds, uint16_t* counts) noexcept nogil:
    """Count the plates from a window on, by window."""
    cdef const uint16_t* windows = &WINDOWS[PLATE - STRAIGHT][first][0]
    cdef int i
    for i in range(16):
        counts[i] = windows[i] & combos(
            wide.threes[0][i], wide.twos[0][i], wide.ones[0][i],
            wide.threes[1][i], wide.twos[1][i], wide.ones[1][i], wilds)


cdef inline void count_products(
    const Holding* holding, const Sums* every, int kind, int least, int wilds, Census* census
) noexcept nogil:
    """Count the products of one kind, or of all for a lead; `wilds` are the holding's, said again
    as a constant, so that the compiler makes loops without branches for 0, 1 and 2."""
    cdef Wide wide
    cdef bint lead = kind == PASS
    widen(holding, &wide)
    if lead or kind == FULL_HOUSE:
        count_full_houses(holding, &wide, every, least, wilds, census.products[0])
    if lead or kind == STRAIGHT:
        count_straights(holding, &wide, least, wilds, census.products[STRAIGHT - FULL_HOUSE])
    if lead or kind == TUBE:
        count_tubes(&wide, least, wilds, census.products[TUBE - FULL_HOUSE])
    if lead or kind == PLATE:
        count_plates(&wide, least, wilds, census.products[PLATE - FULL_HOUSE])


cdef void count_listed_straights(const Holding* holding, int first, uint16_t* counts) noexcept nogil:
    """Count straights whose suits settle whether they are moves at all: by listing them."""
    cdef Lists lists
    cdef Record[MAX_WINDOW] room
    cdef uint64_t windows = straight_windows(holding) & ~<uint64_t>0 << first
    cdef int window
    memset(counts, 0, 16 * sizeof(uint16_t))
    list_ones(holding, &lists)
    list_links(holding, &lists, windows)
    while windows:
        window = pop(&windows)
        counts[window] = <uint16_t>(list_window(holding, &lists, window, room) - room)


# Counting bombs

cdef int count_subsets(const Holding* holding, int k, bint or_more, int least) noexcept nogil:
    """Count the subsets of k cards, or of k or more, of the ranks with a key of at least `least`."""
    cdef uint8_t[16] counts
    cdef const uint8_t* ranks = ABOVE[holding.level][least]
    cdef const Subsets* subsets
    cdef int step, n = 0
    if k > 8:
        return 0
    if not holding.options & SUITS:
        lanes_look_up(&AT_LEAST[k][0] if or_more else &EXACTLY[k][0], holding.mix, counts)
        return lanes_sum(counts, ranks)
    for step in range(1, 14):
        if ranks[step]:
            subsets = subsets_at(holding, step)
            n += subsets.start[9 if or_more else k + 1] - subsets.start[k]
    return n


cdef int count_bombs_of_a_rank(const Holding* holding, int size, bint or_more, int least) noexcept nogil:
    """Count the bombs of a size, or of it and above, of the ranks with a key of at least `least`."""
    cdef int n = count_subsets(holding, size, or_more, least)
    cdef int wilds
    for wilds in range(1, holding.wilds + 1):
        n += count_subsets(holding, size - wilds, or_more, least)
    return n


cdef int count_straight_flushes(const Holding* holding, int first) noexcept nogil:
    """Count the straight flushes from a window on."""
    cdef uint64_t windows = ~<uint64_t>0 << 4 * first
    cdef int full = popcount(holding.flush[0] & windows)
    cdef int lacking_1 = popcount(holding.flush[1] & windows)
    cdef int n = full                  # each with the ways to spare cards for the wilds
    if holding.wilds > 0:
        n += 5 * full + lacking_1
    if holding.wilds > 1:
        n += 10 * full + 4 * lacking_1 + popcount(holding.flush[2] & windows)
    return n


cdef int count_bombs(const Holding* holding, Table table) noexcept nogil:
    """Count the bombs that beat the table."""
    cdef int largest = largest_bomb(holding.options)
    cdef int smallest = 4
    cdef int n = 0
    if table.kind == JOKER_BOMB:
        return 0
    if table.kind == STRAIGHT_FLUSH:
        smallest = 6
    elif table.kind >= BOMB4:
        smallest = bomb_size(table.kind)
        n = count_bombs_of_a_rank(holding, smallest, False,
                                  key_of(table.kind, table.rank, holding.level) + 1)
        smallest += 1
    n += count_bombs_of_a_rank(holding, smallest, True, 0)
    if largest < 10:
        n -= count_bombs_of_a_rank(holding, max(smallest, largest + 1), True, 0)
    if table.kind <= STRAIGHT_FLUSH:
        n += count_straight_flushes(holding, first_straight_flush(table, holding.level))
    return n + (holding.joker_pairs >> SMALL_JOKER == 3)


cdef int take_census(const Holding* holding, Table table, Census* census) noexcept nogil:
    """Count the moves by section and return how many there are, the pass of a reply included."""
    cdef int least = 0, n, i
    cdef bint lead = table.kind == PASS
    cdef Sums sums
    census.table = table
    if not lead and table.kind < BOMB4:
        least = least_to_beat(table, holding.level)
    census.least = least
    if lead or table.kind <= FULL_HOUSE:
        sums = sum_subsets(holding, 0 if table.kind == FULL_HOUSE else least)
    census.equal[SINGLE] = count_equal(holding, SINGLE, least, &sums) if lead or table.kind == SINGLE else 0
    census.equal[PAIR] = count_equal(holding, PAIR, least, &sums) if lead or table.kind == PAIR else 0
    census.equal[TRIPLE] = count_equal(holding, TRIPLE, least, &sums) if lead or table.kind == TRIPLE else 0
    n = census.equal[SINGLE] + census.equal[PAIR] + census.equal[TRIPLE]
    if lead or FULL_HOUSE <= table.kind <= PLATE:
        if holding.wilds == 0:
            count_products(holding, &sums, table.kind, least, 0, census)
        elif holding.wilds == 1:
            count_products(holding, &sums, table.kind, least, 1, census)
        else:
            count_products(holding, &sums, table.kind, least, 2, census)
        if (lead or table.kind == STRAIGHT) and holding.options & (SUITS_ONE | DOWNGRADE):
            count_listed_straights(holding, least, census.products[STRAIGHT - FULL_HOUSE])
    if lead:
        for i in range(16):
            n += <uint16_t>(census.products[0][i] + census.products[1][i]
                            + census.products[2][i] + census.products[3][i])
    elif FULL_HOUSE <= table.kind <= PLATE:
        n += lanes_total(census.products[table.kind - FULL_HOUSE])
    return n + (not lead) + count_bombs(holding, table)


# The n-th move: `index` counts within ever smaller parts of the list

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


cdef inline int find_step(uint16_t* counts, int level, int* index) noexcept nogil:
    """The step that an index falls into, the level's step last; 16 behind all. The index is then
    within the step, and the count of the level's step gone."""
    cdef uint16_t last = counts[level + 1]
    cdef int step
    counts[level + 1] = 0
    step = lanes_find(counts, index)
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
    counts[holding.level + 1] += holding.wilds >= kind and least <= ACE
    step = find_step(counts, holding.level, &index)
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
    other = lanes_find(counts, &index)
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
    cdef uint16_t[16] left
    cdef int in_low, wilds, step
    cdef int[3] low, high
    cdef Record move
    memcpy(left, counts, sizeof(left))
    step = find_step(left, holding.level, &index)
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
    cdef int window = lanes_find(counts, &index)
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
    cdef int window = lanes_find(counts, &index)
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
    cdef int window = lanes_find(counts, &index)
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

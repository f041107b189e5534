"""Counting without listing."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from guandan.bits cimport pop, popcount
from guandan.cards cimport ACE, NO_RANK, SMALL_JOKER
from guandan.combos cimport (
    BOMB4, DOWNGRADE, FULL_HOUSE, JOKER_BOMB, PAIR, PASS, PLATE, SINGLE, STRAIGHT, STRAIGHT_FLUSH,
    SUITS, SUITS_ONE, TRIPLE, TUBE, Record, bomb_size, first_straight_flush, key_of, largest_bomb,
    least_to_beat,
)
from guandan.holding cimport (
    ABOVE, AT_LEAST, EXACTLY, PLATE_WINDOWS, STRAIGHT_WINDOWS, TUBE_WINDOWS, Subsets, jokers_from,
    pair_jokers, straight_windows, subsets_at, wilds_pair,
)
from guandan.lists cimport MAX_WINDOW, Lists, list_links, list_ones, list_window

cdef extern from "lanes.h" nogil:
    void lanes_look_up(const uint8_t* table, const uint8_t* index, uint8_t* out)
    void lanes_widen(const uint8_t* bytes, int shift, uint16_t* out)
    int lanes_sum(const uint8_t* counts, const uint8_t* mask)
    int lanes_total(const uint16_t* counts)


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
    cdef int n = sums.of[kind] + (holding.wilds > 0) * sums.of[kind - 1]
    if kind > 1:
        n += (holding.wilds > 1) * sums.of[kind - 2]
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


cdef inline int count_bombs(Holding* holding, Table table) noexcept nogil:
    """Count the bombs that beat the table: all of them, remembered, where it is none itself."""
    if table.kind >= BOMB4:
        return count_greater_bombs(holding, table)
    if holding.bombs < 0:
        # As count_all_bombs, but in place: a call more makes counting a fresh hand a fifth slower.
        holding.bombs = count_greater_bombs(holding, table)
    return holding.bombs


cdef void count_all_bombs(Holding* holding) noexcept nogil:
    """Set a holding's number of bombs."""
    holding.bombs = count_greater_bombs(holding, Table(PASS, NO_RANK))


cdef int count_greater_bombs(const Holding* holding, Table table) noexcept nogil:
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


cdef inline int count_alone(const Holding* holding, int kind, int least, Census* census) noexcept nogil:
    """Count the singles, pairs or triples of a reply to one; `kind` is a constant."""
    cdef Sums sums = sum_subsets(holding, least)
    census.equal[SINGLE] = census.equal[PAIR] = census.equal[TRIPLE] = 0
    census.equal[kind] = count_equal(holding, kind, least, &sums)
    return census.equal[kind]


cdef inline int count_lead(const Holding* holding, Census* census) noexcept nogil:
    """Count the leads that are no bombs."""
    cdef Sums sums = sum_subsets(holding, 0)
    cdef int i, n = 0
    census.equal[SINGLE] = count_equal(holding, SINGLE, 0, &sums)
    census.equal[PAIR] = count_equal(holding, PAIR, 0, &sums)
    census.equal[TRIPLE] = count_equal(holding, TRIPLE, 0, &sums)
    count_any_products(holding, &sums, PASS, 0, census)
    for i in range(16):
        n += <uint16_t>(census.products[0][i] + census.products[1][i]
                        + census.products[2][i] + census.products[3][i])
    return n + census.equal[SINGLE] + census.equal[PAIR] + census.equal[TRIPLE]


cdef inline void count_any_products(
    const Holding* holding, const Sums* every, int kind, int least, Census* census
) noexcept nogil:
    """Count the products of one kind, or of all for a lead."""
    if holding.wilds == 0:
        count_products(holding, every, kind, least, 0, census)
    elif holding.wilds == 1:
        count_products(holding, every, kind, least, 1, census)
    else:
        count_products(holding, every, kind, least, 2, census)
    if (kind == PASS or kind == STRAIGHT) and holding.options & (SUITS_ONE | DOWNGRADE):
        count_listed_straights(holding, least, census.products[STRAIGHT - FULL_HOUSE])


cdef int take_census(Holding* holding, Table table, Census* census) noexcept nogil:
    """Count the moves by section and return how many there are, the pass of a reply included."""
    cdef int n = count_bombs(holding, table)
    cdef Sums sums
    census.table = table
    if table.kind == PASS:
        census.least = 0
        return n + count_lead(holding, census)
    n += 1
    if table.kind >= BOMB4:
        census.equal[SINGLE] = census.equal[PAIR] = census.equal[TRIPLE] = 0
        return n
    census.least = least_to_beat(table, holding.level)
    if table.kind == SINGLE:
        return n + count_alone(holding, SINGLE, census.least, census)
    if table.kind == PAIR:
        return n + count_alone(holding, PAIR, census.least, census)
    if table.kind == TRIPLE:
        return n + count_alone(holding, TRIPLE, census.least, census)
    sums = sum_subsets(holding, 0)
    census.equal[SINGLE] = census.equal[PAIR] = census.equal[TRIPLE] = 0
    count_any_products(holding, &sums, table.kind, census.least, census)
    return n + lanes_total(census.products[table.kind - FULL_HOUSE])

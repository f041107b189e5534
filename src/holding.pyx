"""The tables of subsets, and a hand sorted by rank for the move generator."""

from libc.string cimport memset

from guandan.bits cimport pop, popcount
from guandan.cards cimport N_RANKS, copies, natural_bits, wild_bit
from guandan.combos cimport SUITS, SUITS_ONE, SINGLE, key_of

cdef extern from "lanes.h" nogil:
    void lanes_nibbles(uint64_t plane, uint8_t* out)
    void lanes_look_up(const uint8_t* table, const uint8_t* index, uint8_t* out)

cdef enum:
    N_STATES = 256             # of a step: the nibbles of the first and of the second plane
    N_LIVE = 16                # of a step: which suits are told apart

cdef Subsets[2][N_LIVE * N_STATES] TABLES      # of SUITS_FLUSH (every suit live: SUITS_ALL), SUITS_ONE
cdef uint8_t[16] COUNT                         # bits of a nibble
cdef uint8_t[16] TRIANGLE                      # of a nibble with c bits: c * (c + 1) / 2
cdef uint8_t[16] HELD                          # cards, by mix


# Tables, filled once at import

cdef bint stands_for_its_class(int once, int twice, int live, int a, int b, bint fewest_live) noexcept:
    """Whether the subset (a, b) of a state is the one that stands for all that differ from it
    only in suits that do not matter: of dead cards the smallest are taken, and with `fewest_live`
    the dead before the live and of the live the smallest."""
    cdef int left = once & ~a | twice & ~b
    cdef int dead_left = left & ~live
    cdef int dead_taken = a & ~live
    cdef int live_left = left & live
    cdef int live_taken = a & live
    if dead_left and dead_taken >> 1 & ~((dead_left & -dead_left) - 1):
        return False           # a greater dead card is taken than one that is left
    if not fewest_live:
        return True
    if dead_left and live_taken:
        return False
    return not (live_left and live_taken >> 1 & ~((live_left & -live_left) - 1))


cdef int fill_subsets(Subsets* subsets, int once, int twice, int live, bint fewest_live, int top) noexcept:
    """Append the subsets of a state to the pool, smaller ones first, and return the pool's new top."""
    cdef int k, a, b
    subsets.base = <uint16_t>top
    for k in range(9):
        subsets.start[k] = <uint8_t>(top - subsets.base)
        for a in range(once + 1):
            for b in range(twice + 1):
                if (a & ~once or b & ~(twice & a) or COUNT[a] + COUNT[b] != k
                        or not stands_for_its_class(once, twice, live, a, b, fewest_live)):
                    continue
                if top < N_SUBSETS:
                    POOL[top] = Record(a, b)
                top += 1
    subsets.start[9] = subsets.start[10] = <uint8_t>(top - subsets.base)
    return top


cdef int fill_tables() except -1:
    """Fill every table of this module."""
    cdef int top = 0
    cdef int mode, live, once, twice, k, mix, c, d, level, rank, key
    cdef const Subsets* plain
    for once in range(16):
        COUNT[once] = <uint8_t>popcount(once)
        TRIANGLE[once] = COUNT[once] * (COUNT[once] + 1) // 2
    for mode in range(2):
        for live in range(N_LIVE - 1, -1, -1):
            for twice in range(16):
                for once in range(16):
                    if twice & ~once:
                        continue
                    if live & ~once and live != N_LIVE - 1:    # a suit not held cannot matter
                        continue
                    top = fill_subsets(&TABLES[mode][live << 8 | twice << 4 | once],
                                       once, twice, live, mode == 1, top)
    if top > N_SUBSETS:
        raise SystemError(f"the pool of subsets needs {top} records")
    for c in range(5):
        for d in range(c + 1):
            mix = c * (c + 1) // 2 + d
            plain = &TABLES[0][(N_LIVE - 1) << 8 | ((1 << d) - 1) << 4 | ((1 << c) - 1)]
            HELD[mix] = <uint8_t>(c + d)
            for k in range(10):
                AT_LEAST[k][mix] = plain.start[9] - plain.start[k]
                EXACTLY[k][mix] = plain.start[min(k + 1, 9)] - plain.start[k]
    memset(ABOVE, 0, sizeof(ABOVE))
    for level in range(13):
        for key in range(-1, 16):
            for rank in range(N_RANKS):
                if key_of(SINGLE, rank, level) > key:
                    ABOVE[level][key + 1][rank + 1] = 255
    memset(EMPTY, 0, sizeof(EMPTY))
    return 0


fill_tables()


# A hand by rank

cdef void find_flush_windows(uint64_t naturals, uint64_t* flush) noexcept nogil:
    """Find the windows of each suit that lack at most two ranks of some natural kinds."""
    cdef int lacking
    cdef uint64_t a = ladder(naturals)
    cdef uint64_t b = a >> 4, c = a >> 8, d = a >> 12, e = a >> 16
    find_windows(a, b, c, d, e, flush)
    for lacking in range(3):
        flush[lacking] &= (<uint64_t>1 << 4 * STRAIGHT_WINDOWS) - 1


cdef uint64_t steps_in(uint64_t windows) noexcept nogil:
    """The kinds, on the ladder, that lie in some windows of a suit: of an ace both its steps."""
    cdef uint64_t low_ace = 15, high_ace = <uint64_t>15 << 52
    windows |= windows << 4 | windows << 8 | windows << 12 | windows << 16
    return windows | (windows & low_ace) << 52 | (windows & high_ace) >> 52


cdef uint64_t live_naturals(const Planes* hand, int level) noexcept nogil:
    """The natural kinds of a hand that lie in a window of their suit lacking no more ranks than wilds."""
    cdef uint64_t[3] flush
    cdef uint64_t wild = wild_bit(level)
    cdef uint64_t naturals = hand.once & natural_bits() & ~wild
    find_flush_windows(naturals, flush)
    return steps_in(lacking_no_more(flush, copies(hand, wild))) >> 4 & naturals


cdef inline void sort_step(Holding* holding, int step, uint64_t live) noexcept nogil:
    """Set the state and the numbers of subsets of a step where suits count only as far as they matter."""
    holding.state[step] |= <uint16_t>((live >> 4 * step & 15) << 8)
    holding.ones[step] = <uint8_t>n_subsets(holding, step, 1)
    holding.twos[step] = <uint8_t>n_subsets(holding, step, 2)
    holding.threes[step] = <uint8_t>n_subsets(holding, step, 3)


cdef inline uint64_t live_steps(const Holding* holding) noexcept nogil:
    """The live natural kinds on the ladder."""
    return steps_in(flush_windows(holding)) & ladder(holding.natural)


cdef void sort_by_suits(Holding* holding) noexcept nogil:
    """Set the states and numbers of subsets where suits count only as far as they matter."""
    cdef uint64_t live = live_steps(holding)
    cdef int step
    holding.subsets = TABLES[holding.options & SUITS_ONE != 0]
    for step in range(16):
        sort_step(holding, step, live)


cdef void observe(Holding* holding, const Planes* hand, int level, int options) noexcept nogil:
    """Sort a hand by rank."""
    cdef uint64_t wild = wild_bit(level)
    cdef uint64_t natural = natural_bits() & ~wild
    cdef uint64_t jokers = <uint64_t>3 << 52
    cdef uint8_t[16] once, twice, mix
    cdef int step
    holding.level = level
    holding.options = options
    holding.bombs = -1
    holding.wilds = copies(hand, wild)
    holding.natural = hand.once & natural
    holding.jokers = hand.once & jokers
    holding.joker_pairs = hand.twice & jokers
    holding.wild[0] = Record(0, 0)
    holding.wild[1] = Record(wild, 0)
    holding.wild[2] = Record(wild, wild)
    find_flush_windows(holding.natural, holding.flush)
    lanes_nibbles(ladder(holding.natural), once)
    lanes_nibbles(ladder(hand.twice & natural), twice)
    lanes_look_up(TRIANGLE, once, mix)
    lanes_look_up(COUNT, twice, holding.mix)
    for step in range(16):
        holding.mix[step] += mix[step]
        holding.state[step] = once[step] | <uint16_t>twice[step] << 4
    lanes_look_up(HELD, holding.mix, holding.held)
    if holding.options & SUITS:
        sort_by_suits(holding)
        return
    holding.subsets = &TABLES[0][(N_LIVE - 1) << 8]
    lanes_look_up(EXACTLY[1], holding.mix, holding.ones)
    lanes_look_up(EXACTLY[2], holding.mix, holding.twos)
    lanes_look_up(EXACTLY[3], holding.mix, holding.threes)


cdef void take_part(Holding* part, const Holding* whole, int options, int steps) noexcept nogil:
    """Leave out the natural cards of other steps, though these keep cards live.

    The whole is sorted without regard to suits, the part as the options say.
    """
    cdef uint64_t live = live_steps(whole)
    cdef uint64_t rest = <uint64_t>steps
    cdef uint64_t kinds = 0
    cdef int step
    part[0] = whole[0]
    part.options = options
    memset(part.state, 0, sizeof(part.state))
    memset(part.mix, 0, sizeof(part.mix))
    memset(part.held, 0, sizeof(part.held))
    memset(part.ones, 0, sizeof(part.ones))
    memset(part.twos, 0, sizeof(part.twos))
    memset(part.threes, 0, sizeof(part.threes))
    if options & SUITS:
        part.subsets = TABLES[options & SUITS_ONE != 0]
    while rest:
        step = pop(&rest)
        kinds |= <uint64_t>15 << shift_of(step)
        part.state[step] = whole.state[step]
        part.mix[step], part.held[step] = whole.mix[step], whole.held[step]
        if options & SUITS:
            sort_step(part, step, live)
        else:
            part.ones[step], part.twos[step] = whole.ones[step], whole.twos[step]
            part.threes[step] = whole.threes[step]
    part.natural &= kinds

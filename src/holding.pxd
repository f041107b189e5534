"""A hand as the move generator sees it: by rank, with its wilds apart.

Ranks stand on a ladder of 14 steps, the ace at both ends: step 0 is the low ace, step r + 1 the
rank r. A window is a run of steps, named by its lowest. The cards of one step can be taken in a
few ways, its subsets; they lie ready in tables, and every combo is put together from them.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from guandan.cards cimport N_RANKS, SMALL_JOKER, Planes
from guandan.combos cimport NO_JOKER_PAIR, NO_LEVEL_FULL_HOUSE, SINGLE, Record

cdef extern from "lanes.h" nogil:
    int lanes_at_least(const uint8_t* counts, int least)

cdef enum:
    N_STEPS = 14
    STRAIGHT_WINDOWS = 10
    TUBE_WINDOWS = 12
    PLATE_WINDOWS = 13
    N_SUBSETS = 15000              # room for all tables of subsets; import fails when they outgrow it


cdef struct Subsets:               # of the cards held at one step, in the pool, the smaller first
    uint16_t base
    uint8_t[14] start              # from base: where those of 0, 1, .. 8 cards start; [9], [10]: the end


cdef struct Holding:
    int level
    int wilds
    int options                    # a Suits and Switch bits
    uint64_t natural               # one copy of each kind that is neither wild nor joker
    uint64_t jokers                # kinds of joker held once, bits 52 and 53
    uint64_t joker_pairs
    Record[3] wild                 # the cards of 0, 1 and 2 wilds
    uint64_t[3] flush              # windows of a suit that lack 0, 1, 2 ranks: bit 4 * window + suit
    int bombs                      # how many there are in all; -1 until they are counted
    const Subsets* subsets         # the table of these options, by state
    uint16_t[16] state             # of each step: its nibbles of both planes, and what suits matter
    uint8_t[16] mix                # of each step: number of kinds and of doubled ones, as one index
    uint8_t[16] held               # cards
    uint8_t[16] ones               # subsets of 1, 2 and 3 cards
    uint8_t[16] twos
    uint8_t[16] threes


cdef Record[N_SUBSETS + 8] POOL                # the subsets of all states, as records of step 1
cdef uint8_t[10][16] EXACTLY                   # number of subsets of k cards, by mix
cdef uint8_t[10][16] AT_LEAST                  # of k cards or more
cdef uint8_t[13][17][16] ABOVE                 # [level][key + 1]: 255 at steps 1..13 with a higher key
cdef Record[4] EMPTY                           # no card, as a list of one


cdef void find_flush_windows(uint64_t naturals, uint64_t* flush) noexcept nogil
cdef void observe(Holding* holding, const Planes* hand, int level, int options) noexcept nogil
cdef void take_part(Holding* part, const Holding* whole, int options, int steps) noexcept nogil
cdef uint64_t live_naturals(const Planes* hand, int level) noexcept nogil


cdef inline const Subsets* subsets_at(const Holding* holding, int step) noexcept nogil:
    """The subsets of a step."""
    return &holding.subsets[holding.state[step]]


cdef inline int n_subsets(const Holding* holding, int step, int k) noexcept nogil:
    """How many subsets of k cards a step has."""
    cdef const Subsets* subsets = subsets_at(holding, step)
    return subsets.start[k + 1] - subsets.start[k]


cdef inline Record joined(Record a, Record b) noexcept nogil:
    """Two parts of one record."""
    return Record(a.once | b.once, a.twice | b.twice)


cdef inline uint64_t ladder(uint64_t plane) noexcept nogil:
    """A plane of natural kinds on the ladder of steps."""
    return plane << 4 | plane >> 48


cdef inline int shift_of(int step) noexcept nogil:
    """Where the kinds of a step begin in a plane."""
    return 4 * step - 4 if step else 48


cdef inline uint64_t window_kinds(int window, int suit) noexcept nogil:
    """The five kinds of a suit in a window of five steps."""
    if window == 0:
        return <uint64_t>0x1111 << suit | <uint64_t>1 << (48 + suit)
    return <uint64_t>0x11111 << (4 * window - 4 + suit)


cdef inline uint64_t ranks_holding(const Holding* holding, int least) noexcept nogil:
    """The ranks of which at least so many natural cards are held, as bits."""
    return <uint64_t>(lanes_at_least(holding.held, least) >> 1)


cdef inline uint64_t ranks_of_kind(const Holding* holding, int kind) noexcept nogil:
    """The ranks of singles, pairs or triples that are no jokers, as bits."""
    cdef uint64_t ranks = ranks_holding(holding, max(1, kind - holding.wilds))
    return ranks | <uint64_t>(holding.wilds >= kind) << holding.level   # wilds alone are of the level


cdef inline uint64_t by_level(uint64_t ranks, int level) noexcept nogil:
    """A set of ranks as places of the level order."""
    cdef uint64_t below = (<uint64_t>1 << level) - 1
    return ranks & below | ranks >> 1 & ~below | (ranks >> level & 1) << 12


cdef inline void find_windows(
    uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t* lacking
) noexcept nogil:
    """Set the places at which just 0, 1 and 2 of five sets lack a member: five bits added in each."""
    cdef uint64_t abc = a ^ b ^ c, ones = abc ^ d ^ e
    cdef uint64_t abc_carry = a & b | c & (a ^ b), de_carry = abc & d | e & (abc ^ d)
    cdef uint64_t fours = abc_carry & de_carry, twos = abc_carry ^ de_carry
    lacking[0] = fours & ones
    lacking[1] = fours & ~ones
    lacking[2] = twos & ones


cdef inline uint64_t pair_jokers(const Holding* holding) noexcept nogil:
    """The jokers held twice that may be the pair of a full house, bits 52 and 53."""
    return 0 if holding.options & NO_JOKER_PAIR else holding.joker_pairs


cdef inline bint wilds_pair(const Holding* holding, int rank) noexcept nogil:
    """Whether two wilds may be the pair of a full house with three natural cards of a rank."""
    return not (rank == holding.level and holding.options & NO_LEVEL_FULL_HOUSE)


cdef inline uint64_t lacking_no_more(const uint64_t* lacking, int wilds) noexcept nogil:
    """The places that lack no more members than there are wilds."""
    cdef uint64_t places = lacking[0]
    if wilds > 0:
        places |= lacking[1]
    if wilds > 1:
        places |= lacking[2]
    return places


cdef inline uint64_t straights_of(const uint8_t* held, int wilds) noexcept nogil:
    """The windows of five steps that lack no more ranks than there are wilds, as bits."""
    cdef uint64_t steps = <uint64_t>lanes_at_least(held, 1)
    cdef uint64_t[3] lacking
    find_windows(steps, steps >> 1, steps >> 2, steps >> 3, steps >> 4, lacking)
    return lacking_no_more(lacking, wilds) & (1 << STRAIGHT_WINDOWS) - 1


cdef inline uint64_t straight_windows(const Holding* holding) noexcept nogil:
    """The windows of five steps that a holding can fill, as bits."""
    return straights_of(holding.held, holding.wilds)


cdef inline uint64_t flush_windows(const Holding* holding) noexcept nogil:
    """The windows of a suit that lack no more ranks than there are wilds: bit 4 * window + suit."""
    return lacking_no_more(holding.flush, holding.wilds)


cdef inline uint64_t tubes_of(const uint8_t* held, int wilds) noexcept nogil:
    """The windows of three steps that lack no more cards of a tube than there are wilds, as bits."""
    cdef uint64_t one = <uint64_t>lanes_at_least(held, 1)
    cdef uint64_t two = <uint64_t>lanes_at_least(held, 2)
    cdef uint64_t full = two & two >> 1 & two >> 2
    if wilds > 0:
        full |= one & two >> 1 & two >> 2 | two & one >> 1 & two >> 2 | two & two >> 1 & one >> 2
    if wilds > 1:
        full |= two & two >> 1 | two & two >> 2 | two >> 1 & two >> 2
        full |= two & one >> 1 & one >> 2 | one & two >> 1 & one >> 2 | one & one >> 1 & two >> 2
    return full & (1 << TUBE_WINDOWS) - 1


cdef inline uint64_t tube_windows(const Holding* holding) noexcept nogil:
    """The windows of three steps that a holding can fill, as bits."""
    return tubes_of(holding.held, holding.wilds)


cdef inline uint64_t plates_of(const uint8_t* held, int wilds) noexcept nogil:
    """The windows of two steps that lack no more cards of a plate than there are wilds, as bits."""
    cdef uint64_t one = <uint64_t>lanes_at_least(held, 1)
    cdef uint64_t two = <uint64_t>lanes_at_least(held, 2)
    cdef uint64_t three = <uint64_t>lanes_at_least(held, 3)
    cdef uint64_t full = three & three >> 1
    if wilds > 0:
        full |= two & three >> 1 | three & two >> 1
    if wilds > 1:
        full |= one & three >> 1 | two & two >> 1 | three & one >> 1
    return full & (1 << PLATE_WINDOWS) - 1


cdef inline uint64_t plate_windows(const Holding* holding) noexcept nogil:
    """The windows of two steps that a holding can fill, as bits."""
    return plates_of(holding.held, holding.wilds)


cdef inline int flush_place(const Holding* holding, int window, int suit) noexcept nogil:
    """The place of a natural straight flush among the straights of a window without wilds."""
    cdef const Subsets* subsets
    cdef const Record* single
    cdef int place = 0, step
    for step in range(window, window + 5):
        subsets = subsets_at(holding, step)
        single = &POOL[subsets.base + subsets.start[1]]
        place *= holding.ones[step]
        while single.once != <uint64_t>1 << suit:
            single += 1
            place += 1
    return place


cdef inline const uint8_t* counted(const Holding* holding, int k) noexcept nogil:
    """The numbers of subsets of 1, 2 or 3 cards of each step."""
    if k == 1:                 # a conditional expression would lose the const
        return &holding.ones[0]
    if k == 2:
        return &holding.twos[0]
    return &holding.threes[0]


cdef inline uint64_t jokers_from(const Holding* holding, int kind, int least) noexcept nogil:
    """The jokers, bits 0 and 1, that make a single or a pair with a key of at least `least`."""
    cdef uint64_t jokers = holding.jokers if kind == SINGLE else holding.joker_pairs
    return jokers >> SMALL_JOKER & ~<uint64_t>0 << max(0, least - N_RANKS)

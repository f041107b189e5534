"""The least that cards cost in plays that are no runs: cards of equal ranks, and jokers.

Only how many ranks hold one card, two, .. eight counts, not which. A full house joins a triple and a
pair of two ranks; of T triples and P pairs, as many join as the fewer are, unless most are of one
rank: with M of both there, T + P - M at the most.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from guandan.prices cimport MAX_EQUAL, Prices

cdef enum:
    N_PLACES = 6 * 3 * 10 * 16     # of partial splits: mixed, wilds, triples, pairs
    N_KEPT = 512                   # answers that are kept, each in the place of its hash


cdef struct Partial:               # some ranks split
    int32_t cost
    uint8_t wilds                  # left
    uint8_t triples
    uint8_t pairs
    uint8_t mixed                  # the most triples and pairs of one rank that has both


cdef struct Cards:                 # whose runs are made, or none
    uint64_t ranks                 # how many ranks hold c cards: nibble c, of 1 to 8
    int wilds
    int jokers[2]                  # small and big ones
    int level_cards                # natural cards of the level


cdef struct Groups:
    const Prices* prices
    bint joker_pairs               # whether jokers may be the pair of a full house
    bint level_pair                # whether two wilds may be the pair beside three cards of the level
    Partial* now                   # the lists of partial splits
    Partial* then
    int n_now
    int n_then
    uint32_t stamp
    uint32_t slots[N_PLACES]       # where a place stands in the list then: stamp << 12 | index
    Partial lists[2][N_PLACES]
    uint64_t keys[N_KEPT]
    int32_t answers[N_KEPT]


cdef Groups* new_groups() noexcept nogil
cdef void set_rules(Groups* groups, const Prices* prices, int switches) noexcept nogil
cdef int group_cost(Groups* groups, const Cards* cards) noexcept nogil
cdef int joker_bound(const Groups* groups, const int* jokers, int count) noexcept nogil


cdef inline int group_bound(const Prices* prices, uint64_t ranks, int wilds, const int* jokers) noexcept nogil:
    """A bound for the cost of ranks and wilds; `jokers` are the three bounds of the jokers."""
    cdef int triples = jokers[0], pairs = jokers[1], both = jokers[2]
    cdef int c = 1, n
    ranks >>= 4
    while ranks:
        n = ranks & 15
        triples += n * prices.low[0][c]
        pairs += n * prices.low[1][c]
        both += n * prices.low[2][c]
        ranks >>= 4
        c += 1
    triples -= prices.gain[0][wilds]
    pairs -= prices.gain[1][wilds]
    both -= prices.gain[2][wilds]
    return max(triples, pairs, (both + 1) >> 1)

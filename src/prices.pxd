"""What plays cost, and how best to split so many cards of one rank where no run takes any.

A cost is a weight and, below it, one play: lower weights win, then fewer plays.
"""

from libc.stdint cimport uint8_t

from guandan.combos cimport N_KINDS

cdef enum:
    PLAY = 128                 # more than the plays of a hand: costs are weight * PLAY + plays
    MAX_WEIGHT = 100000
    MAX_EQUAL = 10             # cards of one rank, wilds among them
    MAX_OPTIONS = 14           # ways to take triples and pairs out of so many


cdef struct Option:            # a split of some cards of one rank
    int cost                   # of all parts, as if no full house were made
    uint8_t triples
    uint8_t pairs
    uint8_t mixed              # triples and pairs together where there are both, else 0


cdef struct Prices:
    int of[N_KINDS]            # what a play of each kind costs
    int saving                 # of a full house, against its triple and its pair; 0 if it is none
    int n_options[MAX_EQUAL + 1]
    Option options[MAX_EQUAL + 1][MAX_OPTIONS]
    int low[3][MAX_EQUAL + 1]  # bounds for so many cards: see lowest_of
    int gain[3][3]             # what 0, 1 and 2 wilds lower such bounds by at most
    int per[MAX_EQUAL + 1]     # the cheapest play by its cards, where bombs have at most so many:
    int cards[MAX_EQUAL + 1]   # what it costs, and of how many cards it is


cdef const Prices* plain_prices(int switches) noexcept nogil
cdef void set_prices(Prices* prices, const int* of, int largest) noexcept nogil
cdef bint read_prices(Prices* prices, object bombs, object weights, int switches) except -1


cdef inline int least_for(const Prices* prices, int n, int largest) noexcept nogil:
    """A bound for n cards in any plays, where bombs have at most so many cards."""
    return (n * prices.per[largest] + prices.cards[largest] - 1) // prices.cards[largest]

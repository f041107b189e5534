"""What tributes and returns tell of the cards that seats hold, by what has been played since."""

from libc.stdint cimport uint64_t

from guandan.cards cimport N_KINDS_OF_CARD, N_SEATS
from guandan.gifts cimport NO_CARD
from guandan.observation cimport Observation, View
from guandan.position cimport NO_SEAT


cdef struct Bounds:            # of the copies that each seat holds, by kind
    int[N_SEATS][N_KINDS_OF_CARD] least
    int[N_SEATS][N_KINDS_OF_CARD] most


cdef inline uint64_t bit(int kind) noexcept nogil:
    """A kind of card as its bit; 0 for NO_CARD."""
    return <uint64_t>1 << kind if kind != NO_CARD else 0


cdef inline bint has_begun(const View* view) noexcept nogil:
    """Whether cards are played, or the deal is over."""
    return view.turn != NO_SEAT or view.n_out > 0


cdef inline bint allows(const Bounds* bounds, int seat, int kind, int n) noexcept nogil:
    """Whether a seat may hold n copies of a kind."""
    return bounds.least[seat][kind] <= n <= bounds.most[seat][kind]


cdef list facts_of(Observation seen)
cdef int read_facts(const View* view, list facts, Bounds* bounds) except -1

"""Kinds of card, hands as two bit planes, and their text.

A kind of card is a number from 0 to 53: rank * 4 + suit with ranks 2 3 .. K A = 0..12 and suits
S H C D = 0..3, then the small joker 52 and the big joker 53.
"""

from libc.stdint cimport uint8_t, uint64_t

from guandan.bits cimport popcount
from guandan.rng cimport Rng

cdef enum:
    N_KINDS_OF_CARD = 54
    N_RANKS = 13
    N_SEATS = 4
    HAND_SIZE = 27
    DECK_SIZE = 108
    SMALL_JOKER = 52
    BIG_JOKER = 53

cdef enum:
    RANK_5 = 3
    ACE = 12
    RANK_BIG = 14          # the rank of the big joker; the small one has the rank below
    NO_RANK = 15           # of a pass and of the joker bomb


cdef struct Planes:
    uint64_t once          # kinds of which there is at least one copy
    uint64_t twice         # kinds of which there are both


cdef inline uint64_t card_bits() noexcept nogil:
    """The bits of all kinds of card; a plane's other ten are free for the kernels."""
    return (<uint64_t>1 << N_KINDS_OF_CARD) - 1


cdef inline uint64_t natural_bits() noexcept nogil:
    """The bits of all kinds of card but the jokers."""
    return (<uint64_t>1 << SMALL_JOKER) - 1


cdef inline uint64_t wild_bit(int level) noexcept nogil:
    """The bit of the wild kind, the heart of the level."""
    return <uint64_t>1 << (4 * level + 1)


cdef inline int copies(const Planes* hand, uint64_t kind) noexcept nogil:
    """How many copies of a kind, given as its bit, a hand holds."""
    return ((hand.once & kind) != 0) + ((hand.twice & kind) != 0)


cdef inline int size(const Planes* hand) noexcept nogil:
    """How many cards a hand holds."""
    return popcount(hand.once) + popcount(hand.twice)


cdef inline bint contains(const Planes* hand, const Planes* part) noexcept nogil:
    """Whether every card of part is in hand."""
    return not (part.once & ~hand.once or part.twice & ~hand.twice)


cdef inline Planes minus(const Planes* hand, const Planes* part) noexcept nogil:
    """A hand without a part that it contains."""
    cdef Planes rest
    rest.once = hand.once & ~part.once | hand.twice & part.once & ~part.twice
    rest.twice = hand.twice & ~part.once
    return rest


cdef inline bint fits(const Planes* hand, const Planes* other) noexcept nogil:
    """Whether two hands together have no kind more than twice."""
    return not (hand.twice & other.once or hand.once & other.twice)


cdef inline Planes plus(const Planes* hand, const Planes* other) noexcept nogil:
    """Two hands that fit together, as one."""
    cdef Planes sum
    sum.once = hand.once | other.once
    sum.twice = hand.twice | other.twice | hand.once & other.once
    return sum


cpdef str shorten(object what)
cpdef object int_of(object number)
cpdef object read_int(str name, object number, object least=*, object most=*, object other=*)
cpdef bint check_bool(str name, object given) except -1
cdef void deal(Rng* rng, Planes* hands) noexcept nogil
cdef void write_counts(const Planes* hand, uint8_t* counts) noexcept nogil
cdef uint64_t read_seed(object seed) except? 0
cdef str card_texts(const Planes* hand, str between)
cdef int count_cards(object cards, Py_ssize_t* counts) except -1
cdef Planes read_cards(object cards) except *
cdef int check_planes(const Planes* planes) except -1
cdef int read_level(object level) except -1
cdef str level_text(int level)


cdef class Hand:
    cdef Planes cards
    cdef bint made

    @staticmethod
    cdef Hand wrap(Planes cards)

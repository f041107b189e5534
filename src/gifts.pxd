"""What is paid and returned between two deals: who pays what to whom, what goes back, who leads.

`begin`, `answer` and `give` lead through the choices of a tribute, for a match and for random play.
"""

from libc.stdint cimport uint8_t, uint64_t

from guandan.cards cimport Planes

cdef enum:
    NO_CARD = 54

cdef enum Returnable:
    TEN_OR_LESS = 0
    BELOW_LEVEL = 1
    ANY_CARD = 2

cdef enum TieLeader:
    PAYER_TO_FIRST = 0
    NEXT_OF_FIRST = 1
    PREVIOUS_OF_FIRST = 2
    LAST = 3

cdef enum Stage:
    RESISTING = 0              # the side that can resist is to say whether it does
    PAYING = 1
    RETURNING = 2
    DONE = 3


cdef struct Customs:           # what rules say of it, as fields of Rules
    bint may_pay               # `resist` is optional
    bint by_seat
    bint first_paid
    uint8_t tie_leader
    uint8_t[2] returnable      # to an opponent, to the partner
    bint level_card
    bint any_when_none
    bint same_card


cdef struct Pairing:
    uint8_t to_first           # the payer whose card the first receives
    uint8_t leader


cdef struct Choices:           # of a card each, by one or two seats
    uint8_t n_due
    uint8_t n_made
    uint8_t[2] due             # the seats still to choose, in the order in which they are asked
    uint8_t[2] made            # those that have chosen, in the order in which they did
    uint64_t[2] among          # what the former may give, as bits
    uint8_t[4] cards           # what the latter give, by seat


cdef struct Gifts:             # what is given before a deal, as far as it is
    Planes[4] hands
    uint8_t[4] order           # of the deal before
    uint8_t level
    uint8_t stage
    uint8_t leader             # once it is known
    uint8_t n                  # of the payments; 0: resisted
    uint8_t[2] payers          # once all have paid, that to the first at its beginning
    Choices paid
    Choices returned


cpdef tuple read_order(object order, str name=*)
cdef int read_hands(object hands, Planes* held) except -1
cdef Customs read_customs(object rules) except *
cdef uint64_t payable(const Planes* hand, int level) noexcept nogil
cdef uint64_t returnable(
    const Planes* hand, int level, bint to_partner, int received, const Customs* customs
) noexcept nogil
cdef int payers(const uint8_t* order, uint8_t* seats) noexcept nogil
cdef bint can_resist(const Planes* hands, const uint8_t* order) noexcept nogil
cdef Pairing paired(
    const uint8_t* order, const uint8_t* cards, int first_paid, int level, const Customs* customs
) noexcept nogil
cdef void begin(Gifts* gifts, const Customs* customs) noexcept nogil
cdef void answer(Gifts* gifts, bint resists, const Customs* customs) noexcept nogil
cdef void give(Gifts* gifts, int place, int card, const Customs* customs) noexcept nogil


cdef class Exchange:
    cdef Gifts gifts
    cdef Customs customs
    cdef tuple begun           # what it was made of, and the choices since: for pickles
    cdef tuple past

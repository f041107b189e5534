"""A deal in play as a plain struct, copied by assignment: playing, undoing, hashing, counting.

`play` and `undo` check nothing and allocate nothing; `is_legal` is the check.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from guandan.cards cimport N_SEATS, NO_RANK, Planes, minus, plus
from guandan.combos cimport PASS, Record, Table, cards_of, kind_of, rank_of
from guandan.rng cimport Rng

cdef enum:
    NO_SEAT = 4


cdef struct Trick:             # what a move changes besides a hand, in eight bytes
    uint8_t turn               # NO_SEAT: the deal is over
    uint8_t owner              # of the table; NO_SEAT: the turn leads
    uint8_t kind               # of the table; PASS: there is none
    uint8_t rank
    uint8_t n_out
    uint8_t[3] out             # the seats that ran out, in that order; 0 beyond n_out


cdef struct Position:          # 80 bytes
    Planes[4] hands
    Trick trick
    uint16_t options           # of movegen
    uint8_t level
    uint8_t lead_next          # who leads for a winner that is out: the next seat in, not the partner


cdef inline Table table_of(const Position* position) noexcept nogil:
    """What the turn has to beat."""
    return Table(position.trick.kind, position.trick.rank)


cdef inline bint is_in(const Position* position, int seat) noexcept nogil:
    """Whether a seat still holds cards."""
    return position.hands[seat].once != 0


cdef inline void clear_table(Trick* trick) noexcept nogil:
    """Leave nothing to beat."""
    trick.owner = NO_SEAT
    trick.kind = PASS
    trick.rank = NO_RANK


cdef inline bint is_decided(const Trick* trick) noexcept nogil:
    """Whether three seats are out, or both seats of one side first and second."""
    return trick.n_out == 3 or trick.n_out == 2 and trick.out[0] ^ trick.out[1] == 2


cdef inline int seat_in_from(const Position* position, int seat) noexcept nogil:
    """The first seat that holds cards from a seat on."""
    while not is_in(position, seat & 3):
        seat += 1
    return seat & 3


cdef inline void pass_on(Position* position) noexcept nogil:
    """Give the turn to the next seat still in, or end the trick where all but its owner have passed."""
    cdef Trick* trick = &position.trick
    cdef int seat = trick.turn + 1 & 3
    while seat != trick.owner:
        if is_in(position, seat):
            trick.turn = <uint8_t>seat
            return
        seat = seat + 1 & 3
    if not is_in(position, seat):
        seat = seat_in_from(position, seat + (1 if position.lead_next else 2))
    trick.turn = <uint8_t>seat
    clear_table(trick)


cdef inline void play(Position* position, const Record* move) noexcept nogil:
    """Play a legal move."""
    cdef Trick* trick = &position.trick
    cdef Planes cards
    if kind_of(move) != PASS:
        cards = cards_of(move)
        position.hands[trick.turn] = minus(&position.hands[trick.turn], &cards)
        trick.owner = trick.turn
        trick.kind = <uint8_t>kind_of(move)
        trick.rank = <uint8_t>rank_of(move)
        if not is_in(position, trick.turn):
            trick.out[trick.n_out] = trick.turn
            trick.n_out += 1
            if is_decided(trick):
                trick.turn = NO_SEAT
                clear_table(trick)
                return
    pass_on(position)


cdef inline void undo(Position* position, const Record* move, Trick before) noexcept nogil:
    """Take the last move back; `before` is the trick as it was."""
    cdef Planes cards = cards_of(move)
    position.hands[before.turn] = plus(&position.hands[before.turn], &cards)
    position.trick = before


cdef inline int partners_place(const uint8_t* out, int n_out) noexcept nogil:
    """The place of the first's partner, by who went out in a decided deal: 1 second, 2 third, 3 last."""
    cdef int place
    for place in range(1, n_out):
        if out[place] ^ out[0] == 2:
            return place
    return 3


cdef inline void write_order(const Trick* trick, uint8_t* order) noexcept nogil:
    """Write the four seats of a decided deal by place; of two last together the lower is third."""
    cdef int n = trick.n_out
    cdef int place, seat
    for place in range(n):
        order[place] = trick.out[place]
    for seat in range(N_SEATS):
        for place in range(trick.n_out):
            if trick.out[place] == seat:
                break
        else:
            order[n] = <uint8_t>seat
            n += 1


cdef inline int payoff(const Trick* trick, const int* steps) noexcept nogil:
    """The level steps of a decided deal for side 0, by the place of the first's partner."""
    cdef int won = steps[partners_place(trick.out, trick.n_out) - 1]
    return -won if trick.out[0] & 1 else won


cdef enum:
    MOST_COUNTED = 65535       # of moves; more are counted as so many


cdef struct Counters:          # decisions by their number of legal moves, up to MOST_COUNTED
    int64_t* leads
    int64_t* replies
    int64_t* openings          # the first move of each deal, if it is a decision; counted above too


cdef struct Course:            # of a deal played out
    int length                 # moves, passes included
    int decisions              # moves whose list was not the pass alone


cdef Position deal_position(uint64_t seed) noexcept nogil
cdef bint is_legal(const Position* position, const Record* move) noexcept nogil
cdef int pass_forced(Position* position) noexcept nogil
cdef uint64_t key(const Position* position) noexcept nogil
cdef uint64_t perft(Position* position, int depth) except? 0xFFFFFFFFFFFFFFFF nogil
cdef Course play_out(Position* position, Rng* rng, const Counters* counters) noexcept nogil

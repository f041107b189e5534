"""What one seat knows of a deal in play, as a plain struct: `look` begins it, `note` keeps it.

Nothing in a View tells how the hidden cards are spread over the other hands.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from guandan.cards cimport N_SEATS, Planes, plus, size
from guandan.combos cimport PASS, Record, cards_of, kind_of
from guandan.position cimport NO_SEAT, Position

cdef enum:
    N_RECENT = 32              # moves, passes included, that a View keeps in their order
    MOST_LEFT = 28             # cards: one more than are dealt until one is given back for a tribute


cdef struct Gift:              # a card of a tribute, or given back for one
    uint8_t receiver           # NO_SEAT: nothing is given
    uint8_t card


cdef struct View:              # records without a bit: no such move is known
    Planes hand                # the seat's own
    Planes unseen              # the other hands together
    Planes[4] played           # by each seat, as far as moves are known
    Record[4] last             # the last move of each seat
    Record table               # with its cards, where they are known
    Record[N_RECENT] recent    # the last moves, the latest first
    uint8_t[N_RECENT] movers   # whose they are
    uint8_t[4] left            # cards
    uint8_t[3] out             # the seats that ran out, in that order; 0 beyond n_out
    uint8_t n_out
    uint8_t owner              # of the table; NO_SEAT: none
    uint8_t turn               # NO_SEAT: the deal is over, or play has not begun
    uint8_t seat
    uint8_t level
    uint8_t[2] levels          # of both sides
    uint16_t options           # of movegen
    Gift[4] tributes           # by the seat that gives
    Gift[4] returns


cdef struct Play:              # a move and whose it is
    Record move
    uint64_t seat


cdef inline bint is_known(const Record* move) noexcept nogil:
    """Whether a record of a View is a move: every move, the pass too, has a bit set."""
    return (move.once | move.twice) != 0


cdef inline void show(View* view, const Position* position, const Record* shown) noexcept nogil:
    """Set what of a View a position tells; `shown` is the table, with its cards where known."""
    cdef int seat
    view.unseen = Planes(0, 0)
    for seat in range(N_SEATS):
        view.left[seat] = <uint8_t>size(&position.hands[seat])
        if seat == view.seat:
            view.hand = position.hands[seat]
        else:
            view.unseen = plus(&view.unseen, &position.hands[seat])
    view.turn = position.trick.turn
    view.owner = position.trick.owner
    view.table = shown[0] if position.trick.kind != PASS else Record(0, 0)
    memcpy(view.out, position.trick.out, sizeof(view.out))
    view.n_out = position.trick.n_out


cdef inline void look(
    View* view, const Position* position, int seat, const Record* shown
) noexcept nogil:
    """Begin the View of a seat that knows of no move before the position."""
    cdef int giver
    memset(view, 0, sizeof(View))          # views are compared byte by byte
    view.seat = <uint8_t>seat
    view.level = view.levels[0] = view.levels[1] = position.level
    view.options = position.options
    for giver in range(N_SEATS):
        view.tributes[giver].receiver = view.returns[giver].receiver = NO_SEAT
    show(view, position, shown)


cdef inline void keep_played(View* view, int seat, const Record* move) noexcept nogil:
    """Enter a move, but for its place among the recent ones."""
    cdef Planes cards = cards_of(move)
    view.played[seat] = plus(&view.played[seat], &cards)
    view.last[seat] = move[0]


cdef inline void note(View* view, int seat, const Record* move) noexcept nogil:
    """Enter a move that follows those known so far; what the position tells is for `show`."""
    keep_played(view, seat, move)
    memmove(&view.recent[1], &view.recent[0], (N_RECENT - 1) * sizeof(Record))
    memmove(&view.movers[1], &view.movers[0], N_RECENT - 1)
    view.recent[0] = move[0]
    view.movers[0] = <uint8_t>seat


cdef class Observation:
    cdef View view
    cdef Play* past
    cdef Py_ssize_t n_past
    cdef readonly object rules
    """The Rules of the deal."""
    cdef readonly object standing
    """Where the match stood before the deal, a Standing; None for a deal by itself."""

    @staticmethod
    cdef Observation allocate(Py_ssize_t n_past, object rules)
    cdef void note_past(self) noexcept


cdef object seat_of(int seat)
cpdef Observation read_observation(object obs)
cdef int read_observer(object seat) except -1
cdef tuple gifts_of(const Gift* gifts)
cdef int read_levels(object levels, uint8_t* by_side) except -1

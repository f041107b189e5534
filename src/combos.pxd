"""Kinds of move, their keys, what beats what, and the readings of a selection of cards."""

from libc.stdint cimport uint64_t

from guandan.bits cimport lowest
from guandan.cards cimport ACE, RANK_5, Planes, card_bits

# Names as in the Python enum Kind; a bomb is a kind >= BOMB4, and bombs compare by number.
cdef enum:
    PASS = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    FULL_HOUSE = 4
    STRAIGHT = 5
    TUBE = 6
    PLATE = 7
    BOMB4 = 8
    BOMB5 = 9
    STRAIGHT_FLUSH = 10
    BOMB6 = 11
    BOMB10 = 15
    JOKER_BOMB = 16
    N_KINDS = 17

# What a rule set changes in the combos, as bits; none set is the default rule set.
cdef enum Switch:
    DOWNGRADE_OTHER_SUIT = 1       # a one-suit run with wilds is no straight if all hearts
    DOWNGRADE_FORBID = 2           # ... if its naturals are of one suit
    NO_LEVEL_FULL_HOUSE = 4        # three natural level cards and both wilds: a bomb only
    NO_JOKER_PAIR = 8              # no joker pair in a full house
    BOMB_MAX_9 = 16
    BOMB_MAX_8 = 32
    DOWNGRADE = DOWNGRADE_OTHER_SUIT | DOWNGRADE_FORBID


# Which sets of cards count as different moves: bits 8 and 9 of the options, below them the switches.
cdef enum Suits:
    SUITS_ALL = 0
    SUITS_FLUSH = 256
    SUITS_ONE = 512
    SUITS = SUITS_FLUSH | SUITS_ONE

cdef enum:
    OVERRUN = 4                    # records that a list may write past its end, into room of the caller's
    SWITCHES_END = 64              # one more than all switches together


cdef struct Record:                # a move: its cards, kind and rank in 16 bytes
    uint64_t once                  # bits 0..53 the first plane, from 56 the kind
    uint64_t twice                 # bits 0..53 the second plane, from 56 the rank

cdef struct Table:                 # what is to be beaten; kind PASS: nothing, the seat leads
    int kind
    int rank

cdef enum:
    TAG_SHIFT = 56
    MAX_READINGS = 8


cdef inline int kind_of(const Record* move) noexcept nogil:
    """The kind of a move."""
    return <int>(move.once >> TAG_SHIFT)


cdef inline int rank_of(const Record* move) noexcept nogil:
    """The rank code of a move."""
    return <int>(move.twice >> TAG_SHIFT)


cdef inline Planes cards_of(const Record* move) noexcept nogil:
    """The cards of a move."""
    return Planes(move.once & card_bits(), move.twice & card_bits())


cdef inline Record tag(int kind, int rank) noexcept nogil:
    """A move's kind and rank without its cards."""
    return Record(<uint64_t>kind << TAG_SHIFT, <uint64_t>rank << TAG_SHIFT)


cdef inline bint same(const Record* a, const Record* b) noexcept nogil:
    """Whether two moves are equal."""
    return a.once == b.once and a.twice == b.twice


cdef inline bint is_run(int kind) noexcept nogil:
    """Whether a kind compares in the natural order of ranks."""
    return STRAIGHT <= kind <= PLATE or kind == STRAIGHT_FLUSH


cdef inline int key_of(int kind, int rank, int level) noexcept nogil:
    """The place of a rank in the order in which moves of its kind compare.

    In level order the twelve other ranks come first, then the level rank 12, the jokers 13 and 14.
    """
    if is_run(kind):
        return rank
    # Without branches: nobody can guess the rank on a table.
    return rank - ((rank > level) & (rank <= ACE)) + (rank == level) * (ACE - rank)


cdef inline int rank_at(int key, int level) noexcept nogil:
    """The rank at a place 0..12 of the level order."""
    return level if key == ACE else key + (key >= level)


cdef inline int least_to_beat(Table table, int level) noexcept nogil:
    """The lowest key that beats a table of its own kind; for runs, the lowest window."""
    cdef int key = key_of(table.kind, table.rank, level)
    if table.kind == STRAIGHT or table.kind == STRAIGHT_FLUSH:
        return key + 1 - RANK_5
    return key if table.kind == TUBE else key + 1


cdef inline int first_straight_flush(Table table, int level) noexcept nogil:
    """The lowest window of the straight flushes that beat a table of at most their kind."""
    return least_to_beat(table, level) if table.kind == STRAIGHT_FLUSH else 0


cdef inline int bomb_size(int kind) noexcept nogil:
    """How many cards a bomb of one rank has."""
    return kind - BOMB4 + 4 - (kind > STRAIGHT_FLUSH)


cdef inline int bomb_kind(int size) noexcept nogil:
    """The kind of a bomb of 4 to 10 cards of one rank."""
    return size - 4 + BOMB4 + (size > 5)


cdef inline int largest_bomb(int switches) noexcept nogil:
    """The most cards that a bomb of one rank may have."""
    return 8 if switches & BOMB_MAX_8 else 9 if switches & BOMB_MAX_9 else 10


cdef inline bint beats(Table move, Table table, int level) noexcept nogil:
    """Whether a kind and rank beats another; a pass neither beats nor is beaten."""
    if move.kind == PASS or table.kind == PASS:
        return False
    if move.kind == table.kind:
        return key_of(move.kind, move.rank, level) > key_of(table.kind, table.rank, level)
    return move.kind >= BOMB4 and move.kind > table.kind


cdef inline bint is_one_suit(uint64_t naturals) noexcept nogil:
    """Whether some natural cards, at least one, are all of one suit."""
    return not naturals & ~(<uint64_t>0x1111111111111 << (lowest(naturals) & 3))


cdef inline bint may_be_straight(uint64_t naturals, bint has_wild, int switches) noexcept nogil:
    """Whether a run of one suit may also be read as a straight."""
    return has_wild and not (switches & DOWNGRADE_FORBID
                             or switches & DOWNGRADE_OTHER_SUIT and lowest(naturals) & 3 == 1)


cdef int read_all(const Planes* cards, int level, int switches, Record* out) noexcept nogil
cdef bint is_reading(const Planes* cards, int level, int switches, Table table) noexcept nogil
cdef bint is_key(int kind, int rank) noexcept nogil
cdef int cards_in(int kind) noexcept nogil
cdef int switches_of(object rules) except -1
cdef Table read_table(object beat, int level, int switches) except *
cdef int check_table(Table table, int level, int switches) except -1


cdef class Move:
    cdef Record record

    @staticmethod
    cdef Move wrap(const Record* record)

"""The hands that a deal can still come to, each once, with their plays: what a search moves between.

Hands are equal here when they agree on jokers, wilds, live cards and the counts by rank of the
rest, as for `suits="flush"`; a play leads from one hand to another by its number.

The pool has room for so many hands and plays. When it is full `is_full` is set, and what has been
asked of it since is void: the search stops without keeping a verdict. The pool is emptied then
(`refill` of prover) and the search starts over with the proofs that it has; numbers mean other
hands from then on, so keys made of them have the pool's `age` in them.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from guandan.cards cimport Planes
from guandan.combos cimport BOMB4, Record, key_of
from guandan.outlines cimport Outline
from guandan.rooms cimport Room

# Kinds that compare with each other by a key: all bombs are one family.
cdef enum:
    FAMILY_BOMB = 7
    N_FAMILIES = 8
    LEAD = 8                   # nothing is to be beaten

cdef enum:
    NO_CARDS = 0               # the number of the empty hand
    WILD_RANK = 15             # after the thirteen ranks in level order and both jokers


cdef enum:
    HAS_RUNS = 1               # it can make a straight, tube, plate or straight flush
    HAS_JOKER_BOMB = 2


cdef struct Play:
    uint32_t rest              # the hand that it leaves
    uint8_t family
    uint8_t key                # the greater beats within a family
    uint8_t size
    uint8_t wilds


cdef struct Subhand:           # 128 bytes, two cache lines; a search reads the first
    uint64_t most              # by family, a byte: one more than its greatest key; 0: it has no such play
    uint16_t[8] keys           # of each family but bombs the keys that it has, as bits
    uint16_t[9] start          # of each family's plays; [8]: the end
    uint16_t unused_first
    uint32_t plays             # where its plays begin in the pool
    uint8_t is_open            # whether all of this line is set; it is when the hand is first asked for
    uint8_t goes_out           # whether one play empties it
    uint8_t traits             # HAS_RUNS, HAS_JOKER_BOMB
    uint8_t size               # cards
    uint8_t least_plays        # no fewer plays empty it
    uint8_t[3] unused
    uint64_t shape             # of its outline; 0: it can make a run, or has too many groups for one
    uint8_t[16] counts         # cards by rank, in level order, jokers, wilds
    Planes live                # natural cards whose suits matter
    Planes cards               # of one hand of those that are equal to this one
    uint64_t[2] unused_too


cdef struct Subhands:
    Subhand* hands             # at the start of a cache line
    Outline* outlines          # of those with a shape, by the same numbers
    Room hands_room
    Room outlines_room
    Play* plays
    uint16_t* orders           # of each hand's plays: in which order to try them as leads
    uint32_t* index            # hands by their hash; NO_CARDS: free
    Record* listed             # room for the moves of a hand
    Play* drafts
    uint64_t* ranked           # and for sorting them
    uint32_t n_hands, room
    uint32_t n_plays, plays_room
    uint32_t index_mask
    uint32_t listed_room
    bint is_full               # a hand found no room: what was asked of it is void
    uint32_t age               # how often the pool was emptied: numbers mean hands of one age
    int level
    int options


cdef inline int family_of(int kind) noexcept nogil:
    """The family of a kind that is no pass."""
    return FAMILY_BOMB if kind >= BOMB4 else kind - 1


cdef inline int key_in_family(int kind, int rank, int level) noexcept nogil:
    """The key of a move within its family."""
    cdef int key = key_of(kind, rank, level)
    return key + 16 * (kind - BOMB4) if kind >= BOMB4 else key


cdef inline Subhand* hand_at(Subhands* pool, uint32_t number) noexcept nogil:
    """A hand with its plays."""
    cdef Subhand* hand = &pool.hands[number]
    if not hand.is_open:
        open_hand(pool, number)
    return hand


cdef inline bint can_beat(const Subhand* hand, int family, int key) noexcept nogil:
    """Whether a hand can beat a table."""
    cdef int bombs = <int>(hand.most >> 56)
    if family == FAMILY_BOMB:
        return bombs > key + 1
    return bombs or hand.keys[family] >> (key + 1)


cdef int make_pool(Subhands* pool, uint32_t room) except -1
cdef void free_pool(Subhands* pool) noexcept nogil
cdef void empty_pool(Subhands* pool, int level, int options) noexcept nogil
cdef uint32_t intern(Subhands* pool, const Planes* cards, const Subhand* parent) noexcept nogil
cdef Play play_from(
    Subhands* pool, const Subhand* hand, const Planes* held, const Record* move
) noexcept nogil
cdef void open_hand(Subhands* pool, uint32_t number) noexcept nogil

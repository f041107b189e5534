"""What a proof has used of the order of ranks: the weakest relations between groups that it needs.

A proof shows that a side, the winner, gets what it wants from a position in which a seat leads and
nobody can make a run. Another position of the same outlines, turn and stage differs from it only
in which groups are higher than which. Let the winner play there as in the proof, each group as the
corresponding one. That works as long as

  - each of his replies beats the table there too: its group must be above that of the table, and
    is, if it is above all groups of the table's owner up to that one: a relation "above";
  - an opponent can reply there with nothing that he could not reply with here: the groups of which
    he could make a combo of the table's family, but too low a one, must not rise above the table's
    group, nor above any of its owner's from there on: a relation "not above".

For all else the order does not matter: leads, passes, bombs on what is no bomb or a smaller one,
who goes out with which cards. Where an opponent has fewer replies there, the proof only has lines
too many. So a proof holds for all positions with its relations. A play of the key of the level
rank may be made of level cards or of wilds: both groups are meant, as they need not be level
elsewhere.

The winner's relations are counted from below and the opponents' from above, so the more a byte
asks for, the greater it is, and of two sets the greater bytes ask for what both do.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from guandan.nodes cimport Node
from guandan.outlines cimport place_of_key, places_of_keys
from guandan.subhands cimport FAMILY_BOMB, Play, Subhand, Subhands, hand_at
from guandan.sureruns cimport Sureruns

cdef extern from "lanes.h" nogil:
    void lanes_raise(uint8_t* row, int bits, int value)
    void lanes_join(uint8_t* rows, const uint8_t* others, int n)
    int lanes_nibbles_within(const uint64_t* nibbles, const uint64_t* most)

cdef enum:
    N_ROWS = 12                # ordered pairs of seats, those from seats of side 0 first
    N_WORDS = 6


cdef struct Relations:
    # Of each place of the first seat, by the second's: one more than the place that it must be
    # above, or 16 minus the lowest that it must not be above; 0: any order will do. First seats
    # on the winner's side have the former, those of the other side the latter.
    uint8_t[N_ROWS][16] rows


# The same by groups instead of places: of how many of the second's groups it must be above, or 8
# minus of how many it may be.
cdef struct Packed:
    uint64_t[N_WORDS] words    # a byte: a group of side 0 in the low half, of side 1 in the high one


cdef struct Allowed:           # the most that a packed set may ask for to hold in a position
    uint64_t[2][N_ROWS] most   # by winner and row


cdef inline bint is_within(const Packed* packed, const Allowed* allowed, int winner) noexcept nogil:
    """Whether a set holds."""
    return lanes_nibbles_within(packed.words, allowed.most[winner])


cdef inline bint is_weaker(const Packed* packed, const Packed* other) noexcept nogil:
    """Whether a set asks for no more than another."""
    cdef uint64_t[N_ROWS] most
    cdef int i
    for i in range(N_WORDS):
        most[i] = other.words[i] & <uint64_t>0x0f0f0f0f0f0f0f0f
        most[i + N_WORDS] = other.words[i] >> 4 & <uint64_t>0x0f0f0f0f0f0f0f0f
    return lanes_nibbles_within(packed.words, most)


cdef inline int row_of(int seat, int other) noexcept nogil:
    """The row of two seats."""
    return 6 * (seat & 1) + 3 * (seat >> 1) + (other - seat & 3) - 1


cdef inline void clear(Relations* set) noexcept nogil:
    """Ask for nothing."""
    memset(set, 0, sizeof(Relations))


cdef inline void join(Relations* set, const Relations* other) noexcept nogil:
    """Add the relations of another set."""
    lanes_join(&set.rows[0][0], &other.rows[0][0], N_ROWS)


cdef int bombs_up_to(const Subhands* pool, const Subhand* hand, int key) noexcept nogil


cdef inline int keys_up_to(const Subhands* pool, const Subhand* hand, int family, int key) noexcept nogil:
    """The keys of a hand's plays of a family that do not beat one of it, as bits; of bombs, of its kind."""
    return hand.keys[family] & (2 << key) - 1 if family != FAMILY_BOMB else bombs_up_to(pool, hand, key)


cdef inline void forbid(
    Relations* set, Subhands* pool, const Node* node, int seat, int owner, int family, int key
) noexcept nogil:
    """A seat that may come to reply must not be able to beat a play with what does not beat it now."""
    cdef int keys = keys_up_to(pool, hand_at(pool, node.hands[seat]), family, key)
    if keys:
        lanes_raise(set.rows[row_of(seat, owner)], places_of_keys(keys), 16 - place_of_key(key & 15))


cdef void forbid_both(Relations* set, Subhands* pool, const Node* node, const Play* play) noexcept nogil
cdef void need_to_beat(Relations* set, const Node* node, const Play* play) noexcept nogil
cdef void need_sure_run(
    Relations* set, Sureruns* memo, Subhands* pool, const Node* node, uint32_t number,
    uint64_t most, int losers
) noexcept nogil
cdef void pack(
    const Relations* set, const Subhands* pool, const uint32_t* hands, int winner, Packed* packed
) noexcept nogil
cdef void unpack(
    const Packed* packed, const Subhands* pool, const uint32_t* hands, int winner, Relations* set
) noexcept nogil
cdef void weigh(const Subhands* pool, const uint32_t* hands, Allowed* allowed) noexcept nogil

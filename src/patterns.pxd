"""Proofs by what they have used of the order of ranks: a second table, for where nobody can make a run.

Positions with the same shapes, turn and stage share a list of patterns: sets of relations, each
with the bound that some proof has shown for all positions that have them. A list is found by all
of what its positions share: no proof rests on a hash.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from guandan.nodes cimport Node
from guandan.outlines cimport HAS_SHAPE, MOST_GROUPS, SHAPE_BITS
from guandan.proofs cimport BUCKET, Key, bucket_of, finish_key
from guandan.relations cimport Packed
from guandan.rooms cimport Room, prefetch
from guandan.subhands cimport Subhands, hand_at


cdef struct Pattern:           # a cache line
    Packed set                 # what a position must have
    uint32_t next              # of its list; 0: none
    uint8_t winner             # the side whose proof it is
    uint8_t rank               # of the value: at least that for side 0, below it for side 1
    uint8_t[10] unused


cdef struct Listed:            # a list, an entry as `spread` has it
    uint64_t[3] words          # what its positions share
    uint32_t first             # the pattern last of use; 0: none is left
    uint16_t stores            # how many patterns were stored so far, never 0
    uint8_t unused
    uint8_t work               # what its dearest proof cost, roughly its logarithm; 0: no list


cdef struct Patterns:
    Listed* lists              # in buckets of four, as proofs are
    Pattern* patterns          # number 0 is none
    Room lists_room
    Room patterns_room
    uint64_t n_buckets         # now
    uint64_t most_buckets      # that fit the room
    uint64_t n_lists
    uint32_t n_patterns        # made so far
    uint32_t patterns_end      # room now
    uint32_t most_patterns     # that fit the room
    uint32_t free              # the first of a list of free ones
    uint64_t clock             # the bucket that gave way last


cdef inline bint write_shapes(Subhands* pool, const Node* node, Key* key) noexcept nogil:
    """Write down what a lead shares with those of its list: shapes, turn, stage.

    False where a hand has no shape: then it is none for this table.
    """
    cdef uint64_t first = hand_at(pool, node.hands[0]).shape
    cdef uint64_t second = hand_at(pool, node.hands[1]).shape
    cdef uint64_t third = hand_at(pool, node.hands[2]).shape
    cdef uint64_t fourth = hand_at(pool, node.hands[3]).shape
    if not first & second & third & fourth & <uint64_t>HAS_SHAPE << 4 * MOST_GROUPS:
        return False
    key.words[0] = first | second << SHAPE_BITS
    key.words[1] = (second >> 64 - SHAPE_BITS | third << 16
                    | <uint64_t>node.turn << 56 | <uint64_t>node.stage << 58)
    key.words[2] = fourth
    finish_key(key)
    return True


cdef inline uint64_t place_of_list(const Patterns* patterns, uint64_t hash) noexcept nogil:
    """Where the bucket of a hash begins."""
    return BUCKET * bucket_of(patterns.n_buckets, hash)


cdef inline void expect_list(const Patterns* patterns, const Key* key) noexcept nogil:
    """Fetch what `find_pattern` will read first."""
    cdef const Listed* bucket = &patterns.lists[place_of_list(patterns, key.hash)]
    prefetch(bucket)
    prefetch(bucket + 2)


cdef int make_patterns(Patterns* patterns, uint64_t room) except -1
cdef void free_patterns(Patterns* patterns) noexcept nogil
cdef void empty_patterns(Patterns* patterns) noexcept nogil
cdef const Pattern* find_pattern(
    Patterns* patterns, const Key* key, const Subhands* pool, const Node* node, int rank, uint16_t* seen
) noexcept nogil
cdef void store_pattern(
    Patterns* patterns, const Key* key, const Packed* set, int winner, int rank, uint64_t work
) noexcept nogil

"""Nodes made from positions, and written down as keys."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from guandan.combos cimport NO_JOKER_PAIR, PASS
from guandan.outcomes cimport stage_of
from guandan.position cimport NO_SEAT
from guandan.proofs cimport finish_key
from guandan.subhands cimport HAS_JOKER_BOMB, HAS_RUNS, Subhand, family_of, intern, key_in_family

cdef extern from "lanes.h" nogil:
    int lanes_squeeze(
        const uint64_t* pack, const uint8_t* first, const uint8_t* second, const uint8_t* third,
        const uint8_t* fourth, bint fixed, uint64_t* out)

# How a key writes a position down.
cdef enum Writing:
    BY_HANDS = 0               # the numbers of hands
    SQUEEZED = 1               # what counts is the order of the ranks held
    IN_PLACE = 2               # squeezed ranks, but level rank, jokers and wilds in their places
    JOKER_BOMB_HELD = 3        # squeezed, and the two highest ranks are the jokers

cdef uint64_t[256] PACK        # for lanes_squeeze
# Two bits that the 48 of a hand leave free: of its 15th and 16th counts, which are at most 2.
cdef uint64_t[4] FREE_BITS = [0, <uint64_t>1 << 44, <uint64_t>1 << 47, <uint64_t>1 << 44 | <uint64_t>1 << 47]


cdef int fill_pack() noexcept:
    """Set the table of places."""
    cdef int held, i, n
    memset(PACK, 0, sizeof(PACK))
    for held in range(256):
        n = 0
        for i in range(8):
            if held >> i & 1:
                PACK[held] |= <uint64_t>(64 + i) << 8 * n
                n += 1
    return 0


fill_pack()


cdef Node node_of(Subhands* pool, const Position* position, bint skips) noexcept nogil:
    """A deal that goes on, as a node; with `skips` seats that must pass are skipped."""
    cdef Node node
    cdef int seat
    for seat in range(4):
        node.hands[seat] = intern(pool, &position.hands[seat], NULL)
    node.turn = position.trick.turn
    node.owner = node.turn if position.trick.owner == NO_SEAT else position.trick.owner
    node.family = LEAD
    node.key = 0
    node.stage = <uint8_t>stage_of(&position.trick)
    node.lead_next = position.lead_next
    node.skips = skips
    if position.trick.kind != PASS:
        node.family = <uint8_t>family_of(position.trick.kind)
        node.key = <uint8_t>key_in_family(position.trick.kind, position.trick.rank, position.level)
        if skips and not can_beat(hand_at(pool, node.hands[node.turn]), node.family, node.key):
            pass_turn(pool, &node)
    return node


cdef void write_key(Subhands* pool, const Node* node, bint squeezes, Key* key) noexcept nogil:
    """Write a lead down so that positions of one value by the same play share a key.

    Where nobody can make a run only the order of the ranks held counts; and while a wild
    lives, or joker pairs are no pairs of a full house, which is the level rank and which the
    jokers. Two jokers of each kind in one hand are a bomb.
    """
    cdef uint64_t[4] hands
    cdef const Subhand* a = hand_at(pool, node.hands[0])
    cdef const Subhand* b = hand_at(pool, node.hands[1])
    cdef const Subhand* c = hand_at(pool, node.hands[2])
    cdef const Subhand* d = hand_at(pool, node.hands[3])
    cdef int traits = a.traits | b.traits | c.traits | d.traits
    cdef int writing = BY_HANDS
    if squeezes and not traits & HAS_RUNS:
        writing = SQUEEZED + lanes_squeeze(
            PACK, a.counts, b.counts, c.counts, d.counts, pool.options & NO_JOKER_PAIR, hands)
        if writing == SQUEEZED and traits & HAS_JOKER_BOMB:
            writing = JOKER_BOMB_HELD
    if writing == BY_HANDS:
        hands = [node.hands[0], node.hands[1], node.hands[2], node.hands[3]]
        hands[0] |= <uint64_t>(pool.age & 0xffffff) << 20      # above a number
    hands[0] |= FREE_BITS[node.turn]
    hands[1] |= FREE_BITS[node.stage & 3]
    hands[2] |= FREE_BITS[node.stage >> 2]
    hands[3] |= FREE_BITS[writing]
    key.words[0] = hands[0] | hands[1] << 48
    key.words[1] = hands[1] >> 16 | hands[2] << 32
    key.words[2] = hands[2] >> 32 | hands[3] << 16
    finish_key(key)

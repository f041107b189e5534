"""A deal in play as the search sees it: hands by number, and what is to be beaten."""

from libc.stdint cimport uint8_t, uint32_t

from guandan.position cimport Position
from guandan.proofs cimport Key
from guandan.subhands cimport (
    FAMILY_BOMB, LEAD, NO_CARDS, Play, Subhands, can_beat, hand_at,
)


cdef struct Node:              # 24 bytes
    uint32_t[4] hands          # their numbers
    uint8_t turn
    uint8_t owner              # of the table; of none: the turn
    uint8_t family             # of the table, LEAD for none
    uint8_t key
    uint8_t stage
    uint8_t lead_next          # as in Position
    uint8_t skips              # whether seats that cannot beat the table are skipped


cdef inline bint beats_table(const Node* node, const Play* play) noexcept nogil:
    """Whether a play beats what is on the table."""
    if play.family == node.family:
        return play.key > node.key
    return play.family == FAMILY_BOMB


cdef inline void end_trick(Node* node) noexcept nogil:
    """Give the lead to the owner of the table, or to who leads for him."""
    cdef int seat = node.owner
    if node.hands[seat] == NO_CARDS:
        seat = seat + 2 & 3
        if node.lead_next:
            seat = node.owner + 1 & 3
            while node.hands[seat] == NO_CARDS:
                seat = seat + 1 & 3
    node.turn = node.owner = <uint8_t>seat
    node.family = LEAD
    node.key = 0


cdef inline void pass_turn(Subhands* pool, Node* node) noexcept nogil:
    """Give the turn to the next seat that can do more than pass, or end the trick."""
    cdef int seat = node.turn + 1 & 3
    while seat != node.owner:
        if node.hands[seat] != NO_CARDS and (
                not node.skips
                or can_beat(hand_at(pool, node.hands[seat]), node.family, node.key)):
            node.turn = <uint8_t>seat
            return
        seat = seat + 1 & 3
    end_trick(node)


cdef Node node_of(Subhands* pool, const Position* position, bint skips) noexcept nogil
cdef void write_key(Subhands* pool, const Node* node, bint squeezes, Key* key) noexcept nogil

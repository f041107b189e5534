"""Relations collected along a proof, and written down by groups."""

from guandan.outlines cimport LEVEL_PLACE, WILD_PLACE, Outline
from guandan.subhands cimport NO_CARDS, hand_at
from guandan.sureruns cimport sure_play

cdef extern from "lanes.h" nogil:
    uint64_t lanes_of_places(const uint8_t* table, uint64_t places)
    uint64_t lanes_pack_above(const uint8_t* row, uint64_t places, const uint8_t* up_to)
    uint64_t lanes_pack_not_above(const uint8_t* row, uint64_t places, const uint8_t* below)
    void lanes_unpack_above(uint64_t packed, uint64_t places, const uint8_t* group, uint8_t* row)
    void lanes_unpack_not_above(uint64_t packed, uint64_t places, const uint8_t* group, uint8_t* row)

cdef uint64_t EIGHTS = <uint64_t>0x0808080808080808
cdef uint64_t LOW_NIBBLES = <uint64_t>0x0f0f0f0f0f0f0f0f

# Collecting

cdef int bombs_up_to(const Subhands* pool, const Subhand* hand, int key) noexcept nogil:
    """The keys of a hand's bombs that do not beat one of their kind, as bits, the kind apart."""
    cdef const Play* play
    cdef int keys = 0, i
    for i in range(hand.start[FAMILY_BOMB], hand.start[FAMILY_BOMB + 1]):
        play = &pool.plays[hand.plays + i]
        if play.key >> 4 == key >> 4 and play.key <= key:
            keys |= 1 << (play.key & 15)
    return keys


cdef void forbid_both(Relations* set, Subhands* pool, const Node* node, const Play* play) noexcept nogil:
    """The opponents of the turn must not be able to beat a play of it."""
    forbid(set, pool, node, node.turn + 1 & 3, node.turn, play.family, play.key)
    forbid(set, pool, node, node.turn + 3 & 3, node.turn, play.family, play.key)


cdef inline void need_above(Relations* set, int seat, int key, int other, int than) noexcept nogil:
    """A group of a seat must stay above another's, each given by a key."""
    cdef uint8_t* row = set.rows[row_of(seat, other)]
    cdef uint8_t value = <uint8_t>(than + 1 + (than >= LEVEL_PLACE))     # of key 12 the wilds' place
    cdef int place = place_of_key(key)
    row[place] = max(row[place], value)
    if place == LEVEL_PLACE:
        row[WILD_PLACE] = max(row[WILD_PLACE], value)


cdef void need_to_beat(Relations* set, const Node* node, const Play* play) noexcept nogil:
    """A winner's play must beat the table."""
    if play.family == node.family and (play.family != FAMILY_BOMB or play.key >> 4 == node.key >> 4):
        need_above(set, node.turn, play.key & 15, node.owner, node.key & 15)


cdef inline void need_control(
    Relations* set, Subhands* pool, const Node* node, const Play* play
) noexcept nogil:
    """A play of the turn must beat all that its opponents have of its family."""
    cdef int seat, keys, than
    for seat in range(node.turn & 1 ^ 1, 4, 2):
        keys = keys_up_to(pool, hand_at(pool, node.hands[seat]), play.family, play.key)
        if keys:
            than = 14
            while not keys >> than:
                than -= 1
            need_above(set, node.turn, play.key & 15, seat, than)


cdef void need_sure_run(
    Relations* set, Sureruns* memo, Subhands* pool, const Node* node, uint32_t number,
    uint64_t most, int losers
) noexcept nogil:
    """Add what the turn needs for a sure run with a hand.

    No opponent must come to beat a play that none of them can beat now. One that takes the lead
    back must beat whatever they may have played, of its family; bombs of more cards they have as
    little elsewhere, and as many plays to go out.
    """
    cdef const Play* play
    cdef bint regains = False
    while number != NO_CARDS and not hand_at(pool, number).goes_out:
        play = sure_play(memo, pool, number, most, losers, &regains)
        if play == NULL:       # the room for hands ran out
            return
        if regains:
            need_control(set, pool, node, play)
            losers -= 1
        else:
            forbid_both(set, pool, node, play)
        number = play.rest


# By groups: one seat after another, given as a constant, so that no loop is left in the end

cdef inline void pack_seat(
    const Relations* set, const Subhands* pool, const uint32_t* hands, int seat, bint wins, uint64_t* bytes
) noexcept nogil:
    """Pack the rows from a seat."""
    cdef uint64_t places = pool.outlines[hands[seat]].places
    cdef int row = row_of(seat, seat + 1), step
    cdef const Outline* other
    for step in range(3):
        other = &pool.outlines[hands[seat + 1 + step & 3]]
        if wins:
            bytes[row + step] = lanes_pack_above(set.rows[row + step], places, other.up_to)
        else:
            bytes[row + step] = lanes_pack_not_above(set.rows[row + step], places, other.below)


cdef void pack(
    const Relations* set, const Subhands* pool, const uint32_t* hands, int winner, Packed* packed
) noexcept nogil:
    """Write a set down by the groups of a position."""
    cdef uint64_t[N_ROWS] bytes
    cdef int i
    if winner:
        pack_seat(set, pool, hands, 0, False, bytes)
        pack_seat(set, pool, hands, 1, True, bytes)
        pack_seat(set, pool, hands, 2, False, bytes)
        pack_seat(set, pool, hands, 3, True, bytes)
    else:
        pack_seat(set, pool, hands, 0, True, bytes)
        pack_seat(set, pool, hands, 1, False, bytes)
        pack_seat(set, pool, hands, 2, True, bytes)
        pack_seat(set, pool, hands, 3, False, bytes)
    for i in range(N_WORDS):
        packed.words[i] = bytes[i] | bytes[i + N_WORDS] << 4


cdef inline void unpack_seat(
    const Packed* packed, const Subhands* pool, const uint32_t* hands, int seat, bint wins, Relations* set
) noexcept nogil:
    """Unpack the rows from a seat."""
    cdef const uint8_t* group = pool.outlines[hands[seat]].group
    cdef int row = row_of(seat, seat + 1), step
    cdef uint64_t bytes, places
    for step in range(3):
        bytes = packed.words[(row + step) % N_WORDS] >> 4 * (seat & 1) & LOW_NIBBLES
        if not bytes:
            continue
        places = pool.outlines[hands[seat + 1 + step & 3]].places
        if wins:
            lanes_unpack_above(bytes, places, group, set.rows[row + step])
        else:
            lanes_unpack_not_above(bytes, places, group, set.rows[row + step])


cdef void unpack(
    const Packed* packed, const Subhands* pool, const uint32_t* hands, int winner, Relations* set
) noexcept nogil:
    """Add a packed set, read by the places of a position."""
    if winner:
        unpack_seat(packed, pool, hands, 0, False, set)
        unpack_seat(packed, pool, hands, 1, True, set)
        unpack_seat(packed, pool, hands, 2, False, set)
        unpack_seat(packed, pool, hands, 3, True, set)
    else:
        unpack_seat(packed, pool, hands, 0, True, set)
        unpack_seat(packed, pool, hands, 1, False, set)
        unpack_seat(packed, pool, hands, 2, True, set)
        unpack_seat(packed, pool, hands, 3, False, set)


cdef inline void weigh_seat(
    const Subhands* pool, const uint32_t* hands, int seat, Allowed* allowed
) noexcept nogil:
    """Find what the rows from a seat may ask for."""
    cdef uint64_t places = pool.outlines[hands[seat]].places, lower
    cdef int row = row_of(seat, seat + 1), step
    for step in range(3):
        lower = lanes_of_places(pool.outlines[hands[seat + 1 + step & 3]].below, places)
        allowed.most[seat & 1][row + step] = lower
        allowed.most[seat & 1 ^ 1][row + step] = EIGHTS - lower


cdef void weigh(const Subhands* pool, const uint32_t* hands, Allowed* allowed) noexcept nogil:
    """Find what packed sets may ask for to hold in a position."""
    weigh_seat(pool, hands, 0, allowed)
    weigh_seat(pool, hands, 1, allowed)
    weigh_seat(pool, hands, 2, allowed)
    weigh_seat(pool, hands, 3, allowed)

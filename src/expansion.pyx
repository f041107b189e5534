"""The moves of one action: listed from those cards of a hand alone that can be in them."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from guandan.actions cimport MEANINGS, Meaning, id_of
from guandan.bits cimport popcount
from guandan.cards cimport ACE, N_RANKS, NO_RANK, RANK_5, SMALL_JOKER, copies, minus, wild_bit
from guandan.combos cimport (
    FULL_HOUSE, PASS, PLATE, STRAIGHT, STRAIGHT_FLUSH, SUITS, SUITS_ONE, TRIPLE, TUBE, beats, cards_of,
    key_of, tag,
)
from guandan.holding cimport Holding, live_naturals, observe, take_part
from guandan.lists cimport (
    Lists, list_bombs, list_equal, list_full_houses, list_ones, list_plates, list_straight_flushes,
    list_straights, list_threes, list_tubes, list_twos,
)

__all__ = []                   # names to cimport only


cdef bint is_answer(int action, Table table, int level) noexcept nogil:
    """Whether an action may follow what is on the table, whoever holds what."""
    cdef Meaning meaning = MEANINGS[action]
    if meaning.kind == PASS or table.kind == PASS:
        return (meaning.kind == PASS) != (table.kind == PASS)
    return beats(Table(meaning.kind, meaning.rank), table, level)


# Lists

cdef inline int first_step(Meaning meaning) noexcept nogil:
    """The lowest step of a run, by its rank; of a kind of one rank its own."""
    if meaning.kind == STRAIGHT or meaning.kind == STRAIGHT_FLUSH:
        return meaning.rank - RANK_5
    return meaning.rank - 1 if meaning.kind == TUBE else meaning.rank


cdef inline int steps_of(Meaning meaning) noexcept nogil:
    """The steps whose natural cards may be in an action, as bits."""
    if meaning.kind == STRAIGHT or meaning.kind == STRAIGHT_FLUSH:
        return 31 << first_step(meaning)
    if meaning.kind == TUBE:
        return 7 << first_step(meaning)
    if meaning.kind == PLATE:
        return 3 << first_step(meaning)
    if meaning.rank > ACE:
        return 0
    if meaning.kind == FULL_HOUSE and meaning.other <= ACE:
        return 2 << meaning.rank | 2 << meaning.other
    return 2 << meaning.rank


cdef inline uint64_t jokers_of(Meaning meaning) noexcept nogil:
    """The jokers that may be in an action."""
    cdef int rank = meaning.other if meaning.kind == FULL_HOUSE else meaning.rank
    if rank == NO_RANK:
        return <uint64_t>3 << SMALL_JOKER
    return <uint64_t>1 << (SMALL_JOKER + rank - N_RANKS) if rank > ACE else 0


cdef Record* list_kind(const Holding* holding, Meaning meaning, Record* out) noexcept nogil:
    """Append the moves of an action's kind, from its rank on."""
    cdef Lists lists
    cdef int kind = meaning.kind
    if kind <= TRIPLE:
        return list_equal(holding, kind, key_of(kind, meaning.rank, holding.level), out)
    if kind == FULL_HOUSE:
        list_threes(holding, &lists)
        return list_full_houses(holding, &lists, key_of(kind, meaning.rank, holding.level), out)
    if kind == STRAIGHT:
        list_ones(holding, &lists)
        return list_straights(holding, &lists, first_step(meaning), out)
    if kind == TUBE:
        list_twos(holding, &lists)
        return list_tubes(holding, &lists, first_step(meaning), out)
    if kind == PLATE:
        list_threes(holding, &lists)
        return list_plates(holding, &lists, first_step(meaning), out)
    if kind == STRAIGHT_FLUSH:
        return list_straight_flushes(holding, first_step(meaning), out)
    return list_bombs(holding, Table(PASS, NO_RANK), out)


cdef Record* list_action(
    const Planes* hand, int level, int options, int action, Record* out
) noexcept nogil:
    """Append the moves of an action, in list order, and return the end.

    The buffer needs room for `movegen.count` leads and OVERRUN more, for MOST_OF_ONE records where
    the options say SUITS_ONE. What they would have to beat is not looked at.
    """
    cdef Meaning meaning = MEANINGS[action]
    cdef Holding whole, holding
    cdef Record* end = out
    cdef Record* move
    cdef int lacking
    cdef uint64_t suits
    if meaning.kind == PASS:
        out[0] = tag(PASS, NO_RANK)
        return out + 1
    observe(&whole, hand, level, options & ~SUITS)
    take_part(&holding, &whole, options, steps_of(meaning))
    holding.jokers &= jokers_of(meaning)
    holding.joker_pairs &= jokers_of(meaning)
    if meaning.kind == STRAIGHT or meaning.kind == STRAIGHT_FLUSH:
        # Straight flushes of another window would be taken out of straights that are not listed.
        suits = 15 if meaning.kind == STRAIGHT else 1 << meaning.other
        for lacking in range(3):
            holding.flush[lacking] &= suits << 4 * first_step(meaning)
    else:
        memset(holding.flush, 0, sizeof(holding.flush))    # for bombs of one rank alone
    move = out
    out = list_kind(&holding, meaning, move)
    while move < out:
        if id_of(move, level) == action:
            end[0] = move[0]
            end += 1
        move += 1
    return end


# The best

cdef int value_left(const Planes* hand, const Record* move, int level) noexcept nogil:
    """A number that is greater the more live cards a move leaves, then the more wilds."""
    cdef Planes cards = cards_of(move)
    cdef Planes rest = minus(hand, &cards)
    cdef Planes live
    cdef int wilds = copies(&rest, wild_bit(level))
    live.once = live_naturals(&rest, level)
    live.twice = live.once & rest.twice
    return 4 * (popcount(live.once) + popcount(live.twice) + wilds) + wilds


cdef bint best_move(
    const Planes* hand, int level, Table table, int options, int action, Record* move
) noexcept nogil:
    """Find the first of what `expand` lists for an action, with suits "one"; False where it is empty."""
    cdef Record[MOST_OF_ONE] room
    cdef Record* end
    cdef Record* other
    cdef int best, value
    if not is_answer(action, table, level):
        return False
    end = list_action(hand, level, options & ~SUITS | SUITS_ONE, action, room)
    if end == room:
        return False
    move[0] = room[0]
    if end == room + 1:
        return True
    best = value_left(hand, move, level)
    other = room + 1
    while other < end:
        value = value_left(hand, other, level)
        if value > best:
            best, move[0] = value, other[0]
        other += 1
    return True

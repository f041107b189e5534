"""Ids of abstract actions: of moves, and of all that a hand has as a mask made without a list."""

from typing import NamedTuple

from guandan.combos import Kind
from guandan.errors import IllegalMoveError

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memset

from guandan.bits cimport lowest, pop
from guandan.cards cimport (
    ACE, N_RANKS, NO_RANK, RANK_5, SMALL_JOKER, card_bits, natural_bits, read_level, wild_bit,
)
from guandan.combos cimport (
    FULL_HOUSE, JOKER_BOMB, N_KINDS, PAIR, PASS, PLATE, SINGLE, STRAIGHT, STRAIGHT_FLUSH,
    TRIPLE, TUBE, Move, bomb_kind, cards_in, first_straight_flush, is_key, key_of,
    kind_of, largest_bomb, least_to_beat, may_be_straight, rank_at, rank_of, read_table,
)
from guandan.holding cimport (
    ABOVE, PLATE_WINDOWS, STRAIGHT_WINDOWS, TUBE_WINDOWS, Holding, flush_windows, jokers_from, ladder,
    observe, pair_jokers, plate_windows, ranks_holding, ranks_of_kind, straight_windows,
    tube_windows, wilds_pair, window_kinds,
)

cdef extern from "lanes.h" nogil:
    int lanes_at_least(const uint8_t* counts, int least)
    void lanes_flags(int bits, uint8_t* out)

__all__ = ["ACTIONS", "Action", "action_id"]

cdef enum:                     # where blocks of ids begin
    SINGLES = 1
    PAIRS = SINGLES + N_RANKS + 2
    TRIPLES = PAIRS + N_RANKS + 2
    FULL_HOUSES = TRIPLES + N_RANKS
    EACH_TRIPLE = N_RANKS - 1 + 2      # pairs
    STRAIGHTS = FULL_HOUSES + N_RANKS * EACH_TRIPLE
    TUBES = STRAIGHTS + STRAIGHT_WINDOWS
    PLATES = TUBES + TUBE_WINDOWS
    BOMBS = PLATES + PLATE_WINDOWS
    EACH_RANK = 7                      # sizes of bombs
    STRAIGHT_FLUSHES = BOMBS + N_RANKS * EACH_RANK
    JOKERS = STRAIGHT_FLUSHES + 4 * STRAIGHT_WINDOWS

cdef int16_t[N_KINDS] FIRST            # the id of a kind with rank code 0, if it had one
cdef uint8_t[N_KINDS] EACH             # ids of each rank
cdef uint8_t[N_KINDS] GREATER          # the sizes of bombs of one rank, from 4 up as bits, above a kind
cdef uint8_t[N_KINDS] EQUAL            # that of the kind itself


cdef int fill_tables() except -1:
    """Fill every table of this module."""
    cdef int kind, rank, bomb
    memset(EACH, 0, sizeof(EACH))
    memset(GREATER, 0, sizeof(GREATER))
    memset(EQUAL, 0, sizeof(EQUAL))
    FIRST[PASS], FIRST[JOKER_BOMB] = 0, JOKERS
    FIRST[SINGLE], FIRST[PAIR], FIRST[TRIPLE] = SINGLES, PAIRS, TRIPLES
    FIRST[FULL_HOUSE], EACH[FULL_HOUSE] = FULL_HOUSES, EACH_TRIPLE
    FIRST[STRAIGHT], FIRST[TUBE], FIRST[PLATE] = STRAIGHTS - RANK_5, TUBES - 1, PLATES
    for kind in (SINGLE, PAIR, TRIPLE, STRAIGHT, TUBE, PLATE):
        EACH[kind] = 1
    FIRST[STRAIGHT_FLUSH], EACH[STRAIGHT_FLUSH] = STRAIGHT_FLUSHES - 4 * RANK_5, 4
    for bomb in range(4, 11):
        FIRST[bomb_kind(bomb)], EACH[bomb_kind(bomb)] = BOMBS + bomb - 4, EACH_RANK
        EQUAL[bomb_kind(bomb)] = <uint8_t>(1 << (bomb - 4))
        for kind in range(bomb_kind(bomb)):
            GREATER[kind] |= <uint8_t>(1 << (bomb - 4))
    for kind in range(N_KINDS):
        for rank in range(NO_RANK + 1):
            if is_key(kind, rank):
                fill_meanings(kind, rank)
    return 0


cdef void fill_meanings(int kind, int rank) noexcept:
    """Enter what the ids of a kind and rank mean."""
    cdef int n = EACH[kind] if kind == FULL_HOUSE or kind == STRAIGHT_FLUSH else 1
    cdef int place, other
    for place in range(n):
        other = place + (kind == FULL_HOUSE and place >= rank)
        MEANINGS[FIRST[kind] + EACH[kind] * rank + place] = Meaning(
            <uint8_t>kind, <uint8_t>rank, <uint8_t>other)


fill_tables()


# Ids

cdef inline int rank_of_wilds(int triple, int level) noexcept nogil:
    """The rank of two wilds beside a triple: the greatest other one."""
    return rank_at(ACE - (triple == level), level)


cdef inline int place_of_pair(int triple, int pair) noexcept nogil:
    """The place of a pair's rank among those that a full house's triple leaves."""
    return pair - (pair > triple)


cdef inline int rank_of_pair(const Record* move, int level) noexcept nogil:
    """The rank of a full house's pair: of its natural cards, or what two wilds are."""
    cdef int triple = rank_of(move)
    cdef uint64_t cards = move.once & card_bits() & ~wild_bit(level) & ~(<uint64_t>15 << 4 * triple)
    cdef int card
    if cards == 0:
        return rank_of_wilds(triple, level)
    card = lowest(cards)
    return card >> 2 if card < SMALL_JOKER else card - SMALL_JOKER + N_RANKS


cdef int id_of(const Record* move, int level) noexcept nogil:
    """The id of a move, or NO_ACTION where a record is none."""
    cdef int kind = kind_of(move), rank = rank_of(move)
    cdef uint64_t naturals
    cdef int action
    if kind >= N_KINDS or not is_key(kind, rank):
        return NO_ACTION
    action = FIRST[kind] + EACH[kind] * rank
    if kind == FULL_HOUSE:
        action += place_of_pair(rank, rank_of_pair(move, level))
    elif kind == STRAIGHT_FLUSH:
        naturals = move.once & natural_bits() & ~wild_bit(level)
        if naturals == 0:
            return NO_ACTION
        action += lowest(naturals) & 3
    return action


cdef bint set_ids(const Record* moves, Py_ssize_t n, int level, uint16_t* ids) noexcept nogil:
    """Write the ids of some moves; False where a record is no move."""
    cdef Py_ssize_t i
    cdef int action
    for i in range(n):
        action = id_of(&moves[i], level)
        if action == NO_ACTION:
            return False
        ids[i] = <uint16_t>action
    return True


# Masks: each section writes 16 flags at a time from its ids on; those behind its last are 0, and
# written again by the next section.

cdef inline uint64_t ranks_from(int level, int least) noexcept nogil:
    """The ranks with a key of at least `least`, as bits; no jokers."""
    return <uint64_t>(lanes_at_least(ABOVE[level][least], 1) >> 1)


cdef inline uint64_t equal_bits(const Holding* holding, int kind, int least) noexcept nogil:
    """The ranks of the singles, pairs or triples with a key of at least `least`, as bits."""
    cdef uint64_t ranks = ranks_of_kind(holding, kind) & ranks_from(holding.level, least)
    return ranks if kind == TRIPLE else ranks | jokers_from(holding, kind, least) << N_RANKS


cdef void flag_full_houses(const Holding* holding, int least, uint8_t* flags) noexcept nogil:
    """Flag the full houses with a key of at least `least`."""
    cdef uint64_t jokers = pair_jokers(holding) >> SMALL_JOKER << N_RANKS
    cdef uint64_t ranks = ranks_from(holding.level, least)
    cdef uint64_t[4] pairs     # the ranks of pairs beside a triple of so many natural cards
    cdef uint64_t row, below
    cdef int level = holding.level
    cdef int rank, held, spare
    pairs[0] = 0
    for held in range(1, 4):
        spare = holding.wilds + held - 3
        pairs[held] = 0 if spare < 0 else ranks_holding(holding, 1 if spare else 2) | jokers
    pairs[3] |= <uint64_t>(holding.wilds == 2) << level
    for rank in range(N_RANKS):
        row = pairs[min(3, holding.held[rank + 1])] & -(ranks >> rank & 1)
        below = (<uint64_t>1 << rank) - 1
        lanes_flags(<int>(row & below | row >> 1 & ~below), flags + EACH_TRIPLE * rank)
    if (holding.wilds == 2 and holding.held[level + 1] >= 3 and ranks >> level & 1
            and wilds_pair(holding, level)):
        flags[EACH_TRIPLE * level + place_of_pair(level, rank_of_wilds(level, level))] = 1


cdef inline uint64_t straight_bits(const Holding* holding) noexcept nogil:
    """The windows that have a straight, as bits: not where all that they hold is of one suit and
    may be no straight."""
    cdef uint64_t windows = straight_windows(holding)
    cdef uint64_t held = ladder(holding.natural)
    cdef uint64_t few
    cdef int window
    held |= held >> 4 | held >> 8 | held >> 12 | held >> 16
    # Two suits of a nibble lie one, two or three bits apart.
    few = held & (held >> 1 & <uint64_t>0x7777777777777777 | held >> 2 & <uint64_t>0x3333333333333333
                  | held >> 3 & <uint64_t>0x1111111111111111)
    few |= few >> 2 & <uint64_t>0x3333333333333333
    few |= few >> 1
    few = ~few & <uint64_t>0x1111111111
    while few:
        window = pop(&few) >> 2
        if windows >> window & 1 and not may_be_straight(
                window_kinds(window, 0) * 15 & holding.natural, holding.wilds > 0, holding.options):
            windows &= ~(<uint64_t>1 << window)
    return windows


cdef inline void flag_runs(const Holding* holding, int kind, int first, uint8_t* flags) noexcept nogil:
    """Flag the straights, tubes or plates from a window on, all of them for a lead, kind PASS."""
    cdef uint64_t runs = 0
    if kind == PASS or kind == STRAIGHT:
        runs |= straight_bits(holding) >> first << first
    if kind == PASS or kind == TUBE:
        runs |= tube_windows(holding) >> first << first + TUBES - STRAIGHTS
    if kind == PASS or kind == PLATE:
        runs |= plate_windows(holding) >> first << first + PLATES - STRAIGHTS
    lanes_flags(<int>runs, flags)
    lanes_flags(<int>(runs >> 16), flags + 16)
    lanes_flags(<int>(runs >> 32), flags + 32)


cdef inline void flag_bombs(const Holding* holding, Table table, uint8_t* flags) noexcept nogil:
    """Flag the bombs of one rank that beat the table."""
    cdef int largest = largest_bomb(holding.options)
    cdef int[2] beating        # the sizes, as bits, of ranks not above the table's and of those above
    cdef uint64_t above = 0
    cdef int rank
    beating[0] = GREATER[table.kind]
    beating[1] = beating[0] | EQUAL[table.kind]
    if EQUAL[table.kind]:
        above = ranks_from(holding.level, key_of(table.kind, table.rank, holding.level) + 1)
    for rank in range(N_RANKS):
        lanes_flags(((1 << min(largest, holding.held[rank + 1] + holding.wilds)) - 1 >> 3)
                    & beating[above >> rank & 1], flags + EACH_RANK * rank)


cdef inline void flag_last(const Holding* holding, Table table, uint8_t* flags) noexcept nogil:
    """Flag the straight flushes and the joker bomb that beat the table."""
    cdef uint64_t last = 0
    if table.kind <= STRAIGHT_FLUSH:
        last = flush_windows(holding) & ~<uint64_t>0 << 4 * first_straight_flush(table, holding.level)
    last |= <uint64_t>(holding.joker_pairs >> SMALL_JOKER == 3 and table.kind != JOKER_BOMB) << (
        JOKERS - STRAIGHT_FLUSHES)
    lanes_flags(<int>last, flags)
    lanes_flags(<int>(last >> 16), flags + 16)
    # Nothing may be written behind the last id.
    lanes_flags(<int>(last >> (JOKERS - STRAIGHT_FLUSHES - 15)), flags + (JOKERS - STRAIGHT_FLUSHES - 15))


cdef void set_mask(const Planes* hand, int level, Table table, int options, uint8_t* mask) noexcept nogil:
    """Set each byte of a mask to 1 where `movegen.moves` has a move of that id, else to 0."""
    cdef Holding holding
    cdef bint lead = table.kind == PASS
    cdef int least = 0 if lead else least_to_beat(table, level)
    cdef uint64_t first = not lead
    observe(&holding, hand, level, options)
    if lead or table.kind == SINGLE:
        first |= equal_bits(&holding, SINGLE, least) << SINGLES
    if lead or table.kind == PAIR:
        first |= equal_bits(&holding, PAIR, least) << PAIRS
    if lead or table.kind == TRIPLE:
        first |= equal_bits(&holding, TRIPLE, least) << TRIPLES
    lanes_flags(<int>first, mask)
    lanes_flags(<int>(first >> 16), mask + 16)
    lanes_flags(<int>(first >> 32), mask + 32)
    if lead or table.kind == FULL_HOUSE:
        flag_full_houses(&holding, least, mask + FULL_HOUSES)
    else:
        memset(mask + FULL_HOUSES, 0, STRAIGHTS - FULL_HOUSES)
    flag_runs(&holding, table.kind, least, mask + STRAIGHTS)
    flag_bombs(&holding, table, mask + BOMBS)
    flag_last(&holding, table, mask + STRAIGHT_FLUSHES)


# For Python

class Action(NamedTuple):
    """An abstract action: what moves have in common that differ in suits and wilds alone.

    `id` is its place in `ACTIONS`; `kind` a Kind, which tells the size of a bomb; `rank` the rank
    that is compared, as that of a Move; `pair` the rank of a full house's pair, `suit` the suit of
    a straight flush, elsewhere None.

    >>> ACTIONS[44], str(ACTIONS[44])
    (Action(id=44, kind=<Kind.FULL_HOUSE: 4>, rank='2', pair='3', suit=None), 'full_house 2 3')
    """

    id: int
    kind: Kind
    rank: str
    pair: str | None
    suit: str | None

    @property
    def size(self):
        """How many cards a move of this action has."""
        return cards_in(self.kind)

    def __str__(self):
        words = [self.kind.name.lower(), self.rank, self.pair, self.suit]
        return " ".join(word for word in words if word is not None and word != "-")


def all_actions():
    """Make every abstract action in the order of their ids."""
    ranks = "23456789TJQKA"
    yield Kind.PASS, "-", None, None
    for kind in (Kind.SINGLE, Kind.PAIR):
        yield from ((kind, rank, None, None) for rank in ranks + "BR")
    yield from ((Kind.TRIPLE, rank, None, None) for rank in ranks)
    yield from ((Kind.FULL_HOUSE, rank, pair, None)
                for rank in ranks for pair in ranks + "BR" if pair != rank)
    for kind, lowest_top in ((Kind.STRAIGHT, "5"), (Kind.TUBE, "3"), (Kind.PLATE, "2")):
        yield from ((kind, rank, None, None) for rank in ranks[ranks.index(lowest_top):])
    bombs = [Kind[f"BOMB{size}"] for size in range(4, 11)]
    yield from ((kind, rank, None, None) for rank in ranks for kind in bombs)
    yield from ((Kind.STRAIGHT_FLUSH, rank, None, suit) for rank in ranks[3:] for suit in "SHCD")
    yield Kind.JOKER_BOMB, "-", None, None


ACTIONS = tuple(Action(place, *action) for place, action in enumerate(all_actions()))


def action_id(move, level):
    """Return the id of a Move's abstract action, or of a move's text, at a level.

    The pair of a full house that two wilds make is of the level, or of the highest other rank
    beside a triple of the level. Cards may be missing but where they say the pair or the suit.
    Raises IllegalMoveError for cards that are not the move and where they are missing so,
    NotationError for text or a level that cannot be read.

    >>> action_id("straight_flush 6 S2 S3 S4 H9 S6", level="9")
    356
    """
    cdef Move given = move if isinstance(move, Move) else Move.parse(move)
    cdef int code = read_level(level)
    cdef int kind = kind_of(&given.record)
    if kind == PASS:
        return 0
    read_table(given, code, 0)
    if (kind == FULL_HOUSE or kind == STRAIGHT_FLUSH) and given.record.once & card_bits() == 0:
        raise IllegalMoveError(f"{given} lacks its cards, which say its "
                               f"{'pair' if kind == FULL_HOUSE else 'suit'}")
    return id_of(&given.record, code)

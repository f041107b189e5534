"""Splits of hands as moves, for Python: a best one, all of them, and counts for many hands."""

from dataclasses import dataclass

import numpy as np

from guandan.errors import StateError

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc

cimport cython

from guandan.arrays cimport Hands, Rows, rows_of
from guandan.cards cimport (
    N_RANKS, NO_RANK, SMALL_JOKER, Planes, minus, read_cards, read_int, read_level, size, wild_bit,
)
from guandan.combos cimport (
    FULL_HOUSE, JOKER_BOMB, PAIR, SINGLE, STRAIGHT, STRAIGHT_FLUSH, Move, Record, bomb_kind,
    is_one_suit, key_of, kind_of, may_be_straight, rank_of, switches_of, tag,
)
from guandan.groups cimport Cards, Groups, group_cost, new_groups
from guandan.holding cimport shift_of
from guandan.prices cimport PLAY, Prices, plain_prices, read_prices
from guandan.splits cimport (
    MAX_RUNS, MOST_CARDS, Rest, Run, Splitter, begin, each_of, fewest_by, least_cost, search, steps_of,
    suit_straights,
)

__all__ = ["Split", "Splits", "best_splits", "fewest_plays", "fewest_plays_batch"]

cdef enum:
    SMALL = 13                 # ranks of jokers, beside the natural ones
    BIG = 14
    WILD = 15                  # no rank: wilds alone
    MOST_SPLITS = 1000000


cdef struct Part:              # cards of one or two ranks, as one play
    uint8_t kind
    uint8_t rank
    uint8_t other              # the rank of a full house's pair, the second one of a joker bomb
    uint8_t n                  # cards of the rank that are no wilds
    uint8_t n_other
    uint8_t wilds


cdef struct Grouping:          # what runs have left, being split into parts
    Splitter* splitter
    int wilds
    uint8_t[16] held           # by rank
    Part parts[MOST_CARDS]
    int n
    bint (*meet)(Grouping*) noexcept nogil     # with all cards in parts; True to stop


# What runs have left

cdef void count_cards_left(const Grouping* grouping, Cards* cards) noexcept nogil:
    """Say how many ranks hold how many cards."""
    cdef int rank
    cards.ranks = 0
    for rank in range(N_RANKS):
        cards.ranks += <uint64_t>(grouping.held[rank] > 0) << 4 * grouping.held[rank]
    cards.wilds = grouping.wilds
    cards.jokers[0], cards.jokers[1] = grouping.held[SMALL], grouping.held[BIG]
    cards.level_cards = grouping.held[grouping.splitter.level]


cdef inline int place_of(const Part* part) noexcept nogil:
    """The place of a part in an order of all parts."""
    return (((part.kind * 16 + part.rank) * 16 + part.other) * 4 + part.wilds) * 4 + part.n_other


cdef bint try_part(Grouping* grouping, Part part, int lowest, int last, int cost) noexcept nogil:
    """Take a part if its cards are there and the rest costs no more than is left; True to stop."""
    cdef Cards cards
    cdef int of = grouping.splitter.prices.of[part.kind]
    if (part.wilds > grouping.wilds or part.n > grouping.held[part.rank]
            or part.n_other > grouping.held[part.other] or place_of(&part) < last or of > cost):
        return False
    grouping.held[part.rank] -= part.n
    grouping.held[part.other] -= part.n_other
    grouping.wilds -= part.wilds
    count_cards_left(grouping, &cards)
    if group_cost(grouping.splitter.groups, &cards) == cost - of:
        grouping.parts[grouping.n] = part
        grouping.n += 1
        if split_groups(grouping, lowest, place_of(&part), cost - of):
            return True                # with all parts where they are
        grouping.n -= 1
    grouping.held[part.rank] += part.n
    grouping.held[part.other] += part.n_other
    grouping.wilds += part.wilds
    return False


cdef bint try_equal(Grouping* grouping, int rank, int last, int cost) noexcept nogil:
    """Take a single, pair, triple or bomb with a card of a rank; True to stop."""
    cdef int most = grouping.splitter.largest if rank < SMALL else 2
    cdef int n, wilds
    for n in range(1, most + 1):
        for wilds in range(min(n, grouping.wilds + 1) if rank < SMALL else 1):
            if try_part(grouping, Part(n if n < 4 else bomb_kind(n), rank, WILD, n - wilds, 0, wilds),
                        rank, last, cost):
                return True
    return False


cdef bint try_full_house(Grouping* grouping, int lowest, int rank, int other, int last, int cost) noexcept nogil:
    """Take a full house of three of a rank and two of another; True to stop."""
    cdef int in_triple, in_pair
    cdef int most = grouping.wilds if other < SMALL else 0
    for in_triple in range(grouping.wilds + 1):
        for in_pair in range(min(1, most) + 1):
            if try_part(grouping, Part(FULL_HOUSE, rank, other, 3 - in_triple, 2 - in_pair,
                                       in_triple + in_pair), lowest, last, cost):
                return True
    return False


cdef bint try_full_houses(Grouping* grouping, int rank, int last, int cost) noexcept nogil:
    """Take a full house with a card of a rank; True to stop."""
    cdef Groups* groups = grouping.splitter.groups
    cdef int other
    for other in range(rank + 1, BIG + 1 if groups.joker_pairs else SMALL):
        if grouping.held[other] == 0:
            continue
        if try_full_house(grouping, rank, rank, other, last, cost):
            return True
        if other < SMALL and try_full_house(grouping, rank, other, rank, last, cost):
            return True
    if grouping.wilds == 2 and (groups.level_pair or rank != grouping.splitter.level):
        return try_part(grouping, Part(FULL_HOUSE, rank, WILD, 3, 0, 2), rank, last, cost)
    return False


cdef bint try_wilds(Grouping* grouping, int last, int cost) noexcept nogil:
    """Take wilds alone; True to stop."""
    cdef int n
    for n in range(1, 3):
        if try_part(grouping, Part(SINGLE if n == 1 else PAIR, WILD, WILD, 0, 0, n), WILD, last, cost):
            return True
    return False


cdef bint split_groups(Grouping* grouping, int before, int last, int cost) noexcept nogil:
    """Split all cards into parts at just this cost, in every way once; True to stop.

    The lowest rank that is left gives the next part one of its cards. Parts for the same rank,
    that `before`, follow each other by their places.
    """
    cdef int rank = 0
    while rank < WILD and grouping.held[rank] == 0:
        rank += 1
    if rank == WILD and grouping.wilds == 0:
        return grouping.meet(grouping)
    if rank != before:
        last = 0
    if rank == WILD:
        return try_wilds(grouping, last, cost)
    if try_equal(grouping, rank, last, cost):
        return True
    if rank < SMALL:
        return try_full_houses(grouping, rank, last, cost)
    return rank == SMALL and try_part(
        grouping, Part(JOKER_BOMB, SMALL, BIG, 2, 2, 0), rank, last, cost)


cdef bint group(Splitter* splitter, const Rest* rest, Grouping* grouping) noexcept nogil:
    """Split what runs have left at the least cost; True to stop."""
    cdef int rank
    grouping.splitter = splitter
    grouping.wilds = rest.cards.wilds
    for rank in range(N_RANKS):
        grouping.held[rank] = rest.held[rank + 1]
    grouping.held[SMALL], grouping.held[BIG] = rest.cards.jokers[0], rest.cards.jokers[1]
    grouping.held[WILD] = 0
    grouping.n = 0
    return split_groups(grouping, WILD, 0, group_cost(splitter.groups, &rest.cards))


# Moves

cdef void take_lowest(Planes* hand, int shift, int n, Record* move) noexcept nogil:
    """Put the n lowest cards of a rank into a move."""
    cdef uint64_t card
    for n in range(n):
        card = hand.once & <uint64_t>15 << shift
        card &= -card
        move.twice |= move.once & card
        move.once |= card
        if hand.twice & card:
            hand.twice &= ~card
        else:
            hand.once &= ~card


cdef void put_wilds(const Splitter* splitter, int n, Record* move) noexcept nogil:
    """Put wilds into a move."""
    if n:
        move.once |= wild_bit(splitter.level)
    if n == 2:
        move.twice |= wild_bit(splitter.level)


cdef Record run_move(const Splitter* splitter, const Run* run, uint64_t cards, Planes* hand) noexcept nogil:
    """The move of a run; `cards` are those of a straight."""
    cdef Record move
    cdef Planes taken
    cdef int i, kind = run.kind, steps = steps_of(run.kind)
    if kind == STRAIGHT_FLUSH:
        cards = 0
        for i in range(5):
            if not run.at[i]:
                cards |= <uint64_t>1 << (shift_of(run.window + i) + run.suit)
    elif kind == STRAIGHT and is_one_suit(cards) and not may_be_straight(
            cards, run.wilds > 0, splitter.switches):
        kind = STRAIGHT_FLUSH
    move = tag(kind, run.window + steps - 2)
    if steps == 5:
        taken = Planes(cards, 0)
        hand[0] = minus(hand, &taken)
        move.once |= cards
    else:
        for i in range(steps):
            take_lowest(hand, shift_of(run.window + i), each_of(kind) - run.at[i], &move)
    put_wilds(splitter, run.wilds, &move)
    return move


cdef Record part_move(const Splitter* splitter, const Part* part, Planes* hand) noexcept nogil:
    """The move of a part."""
    cdef Record move = tag(part.kind, splitter.level if part.rank == WILD
                           else NO_RANK if part.kind == JOKER_BOMB else part.rank)
    take_joker_or_lowest(hand, part.rank, part.n, &move)
    take_joker_or_lowest(hand, part.other, part.n_other, &move)
    put_wilds(splitter, part.wilds, &move)
    return move


cdef void take_joker_or_lowest(Planes* hand, int rank, int n, Record* move) noexcept nogil:
    """Put n cards of a rank or n jokers into a move."""
    cdef uint64_t joker
    if rank == SMALL or rank == BIG:
        joker = <uint64_t>1 << (SMALL_JOKER + rank - SMALL)
        move.once |= joker * (n > 0)
        move.twice |= joker * (n > 1)
    elif n:
        take_lowest(hand, 4 * rank, n, move)


cdef inline bint stands_before(const Record* a, const Record* b, int level) noexcept nogil:
    """Whether a move stands before another in lists, as far as kind and key say."""
    if kind_of(a) != kind_of(b):
        return kind_of(a) < kind_of(b)
    return key_of(kind_of(a), rank_of(a), level) < key_of(kind_of(b), rank_of(b), level)


cdef void write_moves(const Grouping* grouping, Record* out) noexcept nogil:
    """Write the moves of runs and parts, by kind and key."""
    cdef const Splitter* splitter = grouping.splitter
    cdef uint64_t[MAX_RUNS] straights
    cdef Planes hand = Planes(splitter.whole.once, splitter.whole.twice)
    cdef Record move
    cdef int i, place
    # Where straight flushes cost as much as straights, those that must be are made in passing.
    if not suit_straights(splitter, True, straights):
        suit_straights(splitter, False, straights)
    for i in range(splitter.n_runs + grouping.n):
        if i < splitter.n_runs:
            move = run_move(splitter, &splitter.runs[i], straights[i], &hand)
        else:
            move = part_move(splitter, &grouping.parts[i - splitter.n_runs], &hand)
        place = i
        while place > 0 and stands_before(&move, &out[place - 1], splitter.level):
            out[place] = out[place - 1]
            place -= 1
        out[place] = move


# One hand

cdef struct Kept:              # the best split by now
    Splitter splitter
    Rest rest


cdef bint keep(Splitter* splitter, const Rest* rest, int cost) noexcept nogil:
    """Keep the runs of a split, and ask for less from now on."""
    cdef Kept* kept = <Kept*>splitter.taker
    splitter.below = cost
    kept.splitter, kept.rest = splitter[0], rest[0]
    return False


cdef bint stop_here(Grouping* grouping) noexcept nogil:
    """Take the first parts."""
    return True


cdef struct Found:             # moves of all splits, one split after another
    Record* moves
    Py_ssize_t n               # splits
    Py_ssize_t room
    Py_ssize_t limit
    int plays                  # of each split
    bint complete
    bint no_memory


cdef bint add_split(Grouping* grouping) noexcept nogil:
    """Add the moves of a split; True to stop."""
    cdef Found* found = <Found*>grouping.splitter.taker
    cdef Record* moved
    if found.n == found.limit:
        found.complete = False
        return True
    if found.n == found.room:
        found.room = 2 * found.room + 16
        moved = <Record*>realloc(found.moves, found.room * found.plays * sizeof(Record))
        if moved == NULL:
            found.no_memory = True
            return True
        found.moves = moved
    write_moves(grouping, &found.moves[found.n * found.plays])
    found.n += 1
    return False


cdef bint add_splits(Splitter* splitter, const Rest* rest, int cost) noexcept nogil:
    """Add all splits with the same runs; True to stop."""
    cdef Grouping grouping
    grouping.meet = add_split
    return group(splitter, rest, &grouping)


@cython.final
cdef class Question:
    """A hand to split, with what it needs."""

    cdef Prices prices
    cdef Groups* groups
    cdef Splitter splitter
    cdef bint plain                    # whether a play costs one, and no weights are set

    def __cinit__(self):
        self.groups = new_groups()
        if self.groups == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.groups)

    cdef int read(self, object hand, object level, object rules, object bombs, object weights) except -1:
        """Read the arguments that all calls for one hand share."""
        cdef Planes cards = read_cards(hand)
        cdef int code = read_level(level), switches = switches_of(rules)
        check_size(&cards)
        self.plain = read_prices(&self.prices, bombs, weights, switches)
        begin(&self.splitter, self.groups, plain_prices(switches) if self.plain else &self.prices,
              &cards, code, switches)
        return 0

    cdef int plays(self, int cost) noexcept:
        """How many plays a split of some cost has."""
        return cost if self.plain else cost % PLAY

    cdef object split(self, int cost, const Record* moves):
        """A Split of some cost."""
        cdef int n = self.plays(cost)
        weight = n if self.plain else cost // PLAY
        return Split(n, weight, tuple([Move.wrap(&moves[i]) for i in range(n)]))


cdef int check_size(const Planes* cards) except -1:
    """Raise StateError for more cards than are split."""
    if size(cards) > MOST_CARDS:
        raise StateError(f"a hand of {size(cards)} cards: {MOST_CARDS} can be split at most")
    return 0


@dataclass(frozen=True, slots=True)
class Split:
    """A whole hand as plays: how many, what they cost, and a tuple of Move in list order."""

    count: int
    cost: int
    moves: tuple


@dataclass(frozen=True, slots=True)
class Splits:
    """All best splits of a hand, a tuple of Split, and whether they are all or were cut off."""

    splits: tuple
    complete: bool


def fewest_plays(hand, level, rules=None, bombs="count", weights=None):
    """Return a Split of a hand into the fewest plays, each a lead that the rules allow.

    `hand` is a Hand of at most 28 cards or what makes one, `rules` a Rules (default:
    jiangsu2023). With `bombs="apart"` bombs are not counted: they cost 0, other plays 1, and of
    splits that cost the same those with the fewest plays are best. `weights` maps kinds (a Kind or
    its name, such as "bomb4") to what a play of the kind costs instead, an int from 0 to 100000.
    Of several best splits the same one is returned each time.

    Raises StateError for more cards or a third copy of one, NotationError for text that cannot be
    read, ValueError for another `bombs` and for weights that cannot be, TypeError for `rules` or
    `weights` of another type.

    >>> split = fewest_plays("S3 C4 D5 S6 S7 S8 C8 D8 C9 D9 H2 SB", level="2")
    >>> split.count, [str(move) for move in split.moves]
    (3, ['single B SB', 'straight 7 S3 C4 D5 S6 S7', 'plate 9 H2 S8 C8 D8 C9 D9'])
    """
    cdef Question asked = Question.__new__(Question)
    cdef Kept kept
    cdef Grouping grouping
    cdef Record[MOST_CARDS] moves
    asked.read(hand, level, rules, bombs, weights)
    asked.splitter.meet = keep
    asked.splitter.taker = &kept
    search(&asked.splitter)
    grouping.meet = stop_here
    group(&kept.splitter, &kept.rest, &grouping)
    write_moves(&grouping, moves)
    return asked.split(asked.splitter.below, moves)


def best_splits(hand, level, rules=None, bombs="count", weights=None, limit=1000):
    """Return all best Splits of a hand, for the arguments of `fewest_plays`.

    Each is listed once: moves are told apart by kind, rank, wilds and the ranks of the other
    cards, and straight flushes by suit; what differs only in other suits is one. After `limit`
    splits, from 1 to 1000000, the rest is left out and `complete` is False. The order is fixed,
    but may change with a version. Raises ValueError for another limit.

    >>> found = best_splits("S3 C3 H4 D4 S5 C5 D5", level="2")
    >>> for split in found.splits:
    ...     print(*split.moves, sep=", ")
    pair 3 S3 C3, full_house 5 H4 D4 S5 C5 D5
    pair 4 H4 D4, full_house 5 S3 C3 S5 C5 D5
    single 5 D5, tube 5 S3 C3 H4 D4 S5 C5
    """
    cdef Question asked = Question.__new__(Question)
    cdef Found found
    cdef int cost
    most = read_int("limit", limit, 1, MOST_SPLITS)
    asked.read(hand, level, rules, bombs, weights)
    with nogil:
        cost = least_cost(&asked.splitter)
    found = Found(NULL, 0, 0, most, asked.plays(cost), True, False)
    asked.splitter.flushes = asked.splitter.free = asked.splitter.strict = True
    asked.splitter.below = cost + 1
    asked.splitter.meet, asked.splitter.taker = add_splits, &found
    with nogil:
        search(&asked.splitter)
    try:
        if found.no_memory:
            raise MemoryError
        return Splits(tuple([asked.split(cost, &found.moves[i * found.plays])
                             for i in range(found.n)]), found.complete)
    finally:
        free(found.moves)


# Many hands

@cython.final
cdef class Batch(Hands):
    """The hands of one call, and how many plays each needs."""

    cdef Rows held_out
    cdef uint8_t* out

    cdef int count(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """Count the plays of the hands first to last - 1."""
        cdef Groups* groups = new_groups()
        cdef Py_ssize_t i
        if groups == NULL:
            with gil:
                raise MemoryError
        for i in range(first, last):
            self.out[i] = <uint8_t>fewest_by(groups, &self.hands[i], self.levels[i], self.options)
        free(groups)
        return 0

    def run(self, Py_ssize_t first, Py_ssize_t last):
        """Count the plays of the hands first to last - 1 without the GIL."""
        if not 0 <= first <= last <= self.n:
            raise IndexError(f"hands {first} to {last} of {self.n}")
        with nogil:
            self.count(first, last)

    cdef int run_threads(self, int threads) except -1:
        """Count the plays of all hands, in as many pieces as there are threads."""
        from concurrent.futures import ThreadPoolExecutor      # a tenth of the package's import time

        cuts = [self.n * thread // threads for thread in range(1, threads)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(self.run, [0, *cuts], [*cuts, self.n]))
        return 0


def fewest_plays_batch(planes, levels, rules=None, threads=1):
    """Return how many plays many hands need at least, a new uint8 array of shape (n,), without the GIL.

    `planes` and `levels` are those of `legal_moves_batch`, and raise the same errors; but a hand
    may be empty, and needs no play, and a hand of more than 28 cards raises StateError. The result
    does not depend on `threads`.

    >>> hands = np.array([[0b11, 0b01], [0b10011, 0], [0, 0]], np.uint64)
    >>> fewest_plays_batch(hands, levels="5")
    array([1, 2, 0], dtype=uint8)
    """
    cdef Batch batch = Batch.__new__(Batch)
    cdef Py_ssize_t i
    n_threads = read_int("threads", threads, 1)
    batch.may_be_empty = True
    batch.read(planes, levels, None, switches_of(rules))
    for i in range(batch.n):
        try:
            check_size(&batch.hands[i])
        except StateError as error:
            raise StateError(f"planes[{i}]: {error}") from None
    counts = np.empty(batch.n, np.uint8)
    batch.held_out = rows_of("counts", counts, "uint8", 0, batch.n, True)
    batch.out = <uint8_t*>batch.held_out.data
    if n_threads == 1 or batch.n < 2:
        batch.run(0, batch.n)
    else:
        batch.run_threads(min(n_threads, batch.n))
    return counts

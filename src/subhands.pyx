"""Hands interned by what of them matters, and their plays listed and sorted once."""

from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memset

from guandan.bits cimport mixed, popcount
from guandan.cards cimport (
    BIG_JOKER, NO_RANK, SMALL_JOKER, copies, minus, natural_bits, size, wild_bit,
)
from guandan.combos cimport (
    JOKER_BOMB, PASS, SUITS_FLUSH, Table, cards_of, is_run, kind_of, rank_of,
)
from guandan.holding cimport live_naturals
from guandan.movegen cimport count, leads
from guandan.outlines cimport draw_outline
from guandan.rooms cimport free_room, resize

cdef extern from "lanes.h" nogil:
    void lanes_nibbles(uint64_t plane, uint8_t* out)

cdef enum:
    FIRST_INDEX = 1024         # places of a new index
    PLAYS_PER_HAND = 16        # for which there is room; most hands are never opened
    MOST_PLAYS = 60000         # of a hand: they are numbered in 16 bits
    SMALL = 32                 # so many are sorted by insertion
    MOST_RUNS = 64             # of a hand that its plays are sorted by
    FEW_CARDS = 8
    MOST_OF_FEW = 4096         # moves, more than so few cards have: 16 to each subset

cdef uint64_t COUNTED = <uint64_t>0x0111111111111111       # a bit of each count but the wilds'
cdef uint64_t HIGH_BITS = <uint64_t>0x8888888888888888


# Room

cdef int make_pool(Subhands* pool, uint32_t room) except -1:
    """Get room for so many hands; it is touched only as it fills."""
    memset(pool, 0, sizeof(Subhands))
    pool.room = room
    pool.plays_room = PLAYS_PER_HAND * room
    pool.plays = <Play*>malloc(pool.plays_room * sizeof(Play))
    pool.orders = <uint16_t*>malloc(pool.plays_room * sizeof(uint16_t))
    if (not resize(&pool.hands_room, sizeof(Subhand), 0, room * sizeof(Subhand))
            or not resize(&pool.outlines_room, sizeof(Outline), 0, room * sizeof(Outline))
            or pool.plays == NULL or pool.orders == NULL):
        free_pool(pool)
        raise MemoryError
    pool.hands = <Subhand*>pool.hands_room.at
    pool.outlines = <Outline*>pool.outlines_room.at
    return 0


cdef void free_pool(Subhands* pool) noexcept nogil:
    """Give all room back."""
    free_room(&pool.hands_room)
    free_room(&pool.outlines_room)
    free(pool.plays)
    free(pool.orders)
    free(pool.index)
    free(pool.listed)
    free(pool.drafts)
    free(pool.ranked)
    memset(pool, 0, sizeof(Subhands))


cdef void empty_pool(Subhands* pool, int level, int options) noexcept nogil:
    """Forget all hands; the next ones are of a level and options of movegen."""
    free(pool.index)
    pool.index = <uint32_t*>calloc(FIRST_INDEX, sizeof(uint32_t))
    pool.index_mask = FIRST_INDEX - 1
    pool.n_hands = 1
    pool.n_plays = 0
    pool.level = level
    pool.options = options
    pool.is_full = pool.index == NULL
    pool.age += 1
    memset(&pool.hands[NO_CARDS], 0, sizeof(Subhand))
    pool.hands[NO_CARDS].is_open = True
    pool.hands[NO_CARDS].shape = draw_outline(&pool.outlines[NO_CARDS], pool.hands[NO_CARDS].counts, options)


# Hands by what matters

cdef inline uint64_t nibble_counts(uint64_t plane) noexcept nogil:
    """The number of bits of each nibble."""
    plane -= plane >> 1 & <uint64_t>0x5555555555555555
    return (plane & <uint64_t>0x3333333333333333) + (plane >> 2 & <uint64_t>0x3333333333333333)


cdef inline uint64_t counts_of(const Planes* cards, int level) noexcept nogil:
    """The counts of a hand as nibbles: ranks in level order, small and big jokers, wilds."""
    cdef uint64_t wild = wild_bit(level)
    cdef uint64_t naturals = natural_bits() & ~wild
    cdef uint64_t below = (<uint64_t>1 << 4 * level) - 1
    cdef uint64_t ranks = nibble_counts(cards.once & naturals) + nibble_counts(cards.twice & naturals)
    return (ranks & below | ranks >> 4 & ~below & ((<uint64_t>1 << 48) - 1)
            | (ranks >> 4 * level & 15) << 48
            | <uint64_t>copies(cards, <uint64_t>1 << SMALL_JOKER) << 52
            | <uint64_t>copies(cards, <uint64_t>1 << BIG_JOKER) << 56
            | <uint64_t>copies(cards, wild) << 60)


cdef inline uint32_t place_of(uint64_t counts, const Planes* live) noexcept nogil:
    """Where a hand's place in an index of any size begins."""
    return <uint32_t>mixed(counts * <uint64_t>0x9e3779b97f4a7c15 ^ mixed(live.once + 0x1234567 * live.twice))


cdef inline uint64_t nibbles_of(const Subhand* hand) noexcept nogil:
    """The counts of a hand as nibbles."""
    cdef uint64_t nibbles = 0
    cdef int rank
    for rank in range(16):
        nibbles |= <uint64_t>hand.counts[rank] << 4 * rank
    return nibbles


cdef bint grow_index(Subhands* pool) noexcept nogil:
    """Double the index; False where there is no room."""
    cdef uint32_t mask = 2 * pool.index_mask + 1
    cdef uint32_t* index = <uint32_t*>calloc(<size_t>mask + 1, sizeof(uint32_t))
    cdef uint32_t number, place
    if index == NULL:
        return False
    for number in range(1, pool.n_hands):
        place = place_of(nibbles_of(&pool.hands[number]), &pool.hands[number].live) & mask
        while index[place]:
            place = place + 1 & mask
        index[place] = number
    free(pool.index)
    pool.index = index
    pool.index_mask = mask
    return True


cdef uint32_t intern(Subhands* pool, const Planes* cards, const Subhand* parent) noexcept nogil:
    """Return the number of a hand; `parent`, a hand that contains it, saves work, NULL does not."""
    cdef Subhand* hand
    cdef uint64_t counts = counts_of(cards, pool.level)
    cdef uint8_t[16] ranks
    cdef Planes live = Planes(0, 0)
    cdef uint32_t place
    if counts == 0 or pool.is_full:
        return NO_CARDS
    # Live cards only grow fewer as a hand does.
    if parent == NULL or parent.live.once:
        live.once = cards.once & natural_bits() & ~wild_bit(pool.level)
        if pool.options & SUITS_FLUSH:
            live.once = live_naturals(cards, pool.level)
        live.twice = cards.twice & live.once
    lanes_nibbles(counts, ranks)
    place = place_of(counts, &live) & pool.index_mask
    while pool.index[place]:
        hand = &pool.hands[pool.index[place]]
        if (hand.live.once == live.once and hand.live.twice == live.twice
                and (<uint64_t*>hand.counts)[0] == (<uint64_t*>ranks)[0]
                and (<uint64_t*>hand.counts)[1] == (<uint64_t*>ranks)[1]):
            return pool.index[place]
        place = place + 1 & pool.index_mask
    if pool.n_hands == pool.room:
        pool.is_full = True
        return NO_CARDS
    pool.index[place] = pool.n_hands
    hand = &pool.hands[pool.n_hands]
    hand.is_open = False
    hand.live = live
    hand.cards = cards[0]
    (<uint64_t*>hand.counts)[0] = (<uint64_t*>ranks)[0]
    (<uint64_t*>hand.counts)[1] = (<uint64_t*>ranks)[1]
    hand.size = <uint8_t>size(cards)
    pool.n_hands += 1
    if 2 * pool.n_hands > pool.index_mask and not grow_index(pool):
        pool.is_full = True
    return pool.n_hands - 1


# Plays

cdef int by_number(const void* a, const void* b) noexcept nogil:
    """Compare two numbers for qsort."""
    cdef uint64_t x = (<const uint64_t*>a)[0], y = (<const uint64_t*>b)[0]
    return (x > y) - (x < y)


cdef void sort_numbers(uint64_t* numbers, int n) noexcept nogil:
    """Sort numbers, the smallest first."""
    cdef int i, j
    cdef uint64_t number
    if n > SMALL:
        qsort(numbers, n, sizeof(uint64_t), by_number)
        return
    for i in range(1, n):
        number = numbers[i]
        j = i
        while j and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


cdef bint make_listing_room(Subhands* pool, int n) noexcept nogil:
    """Have room to list and sort n moves; False where there is none."""
    if n <= <int>pool.listed_room:
        return True
    free(pool.listed)
    free(pool.drafts)
    free(pool.ranked)
    pool.listed_room = 2 * n + 256
    pool.listed = <Record*>malloc((pool.listed_room + 8) * sizeof(Record))
    pool.drafts = <Play*>malloc(pool.listed_room * sizeof(Play))
    pool.ranked = <uint64_t*>malloc(pool.listed_room * sizeof(uint64_t))
    if pool.listed == NULL or pool.drafts == NULL or pool.ranked == NULL:
        pool.listed_room = 0
    return pool.listed_room > 0


cdef inline int fewest_without_runs(uint64_t counts) noexcept nogil:
    """About the fewest plays that natural cards, given by their counts, take without runs."""
    cdef uint64_t ones = counts & COUNTED
    cdef uint64_t twos = counts >> 1 & COUNTED
    cdef uint64_t fours = (counts >> 2 | counts >> 3) & COUNTED
    cdef int triples = popcount(ones & twos & ~fours)
    cdef int pairs = popcount(twos & ~ones & ~fours)
    return popcount(ones | twos | fours) - min(triples, pairs)


cdef inline int about_fewest(uint64_t counts, const uint64_t* runs, int n_runs) noexcept nogil:
    """About the fewest plays that natural cards take, where one may be a run of some that are given."""
    cdef int fewest = fewest_without_runs(counts), i
    for i in range(n_runs):
        if ((counts | HIGH_BITS) - runs[i] & HIGH_BITS) == HIGH_BITS:      # as many cards of each rank
            fewest = min(fewest, 1 + fewest_without_runs(counts - runs[i]))
    return fewest


cdef int gather_runs(const Subhands* pool, int n, uint64_t* runs) noexcept nogil:
    """Write down the counts of the runs among n listed moves, of no more than MOST_RUNS; return how many."""
    cdef Planes cards
    cdef uint64_t counts
    cdef int i, kept = 0
    for i in range(n):
        if is_run(kind_of(&pool.listed[i])) and kept < MOST_RUNS:
            cards = cards_of(&pool.listed[i])
            counts = counts_of(&cards, pool.level)
            if kept == 0 or runs[kept - 1] != counts:      # the next may differ in suits alone
                runs[kept] = counts
                kept += 1
    return kept


cdef inline uint64_t reply_rank(const Play* play, int wasted, int number) noexcept nogil:
    """A number that sorts plays by family, the best to try first: low ones, without wilds, few plays wasted."""
    cdef int cost = 1 + play.key + 40 * play.wilds + 20 * wasted
    if play.rest == NO_CARDS:
        cost = 0
    return <uint64_t>play.family << 56 | <uint64_t>cost << 32 | <uint64_t>wasted << 16 | number


cdef inline uint64_t lead_rank(const Play* play, int wasted, int number) noexcept nogil:
    """A number that sorts leads, the best to try first: long ones that waste no play, low, bombs last."""
    cdef int score = 20 * play.size - 60 * play.wilds - 2 * play.key - 150 * wasted
    if play.family == FAMILY_BOMB:
        score -= 400
    if play.rest == NO_CARDS:
        score = 10000
    return <uint64_t>(10000 - score) << 32 | number


cdef inline Play play_from(
    Subhands* pool, const Subhand* hand, const Planes* held, const Record* move
) noexcept nogil:
    """A move as a play of a hand whose very cards are given."""
    cdef Planes cards = cards_of(move)
    cdef Planes rest = minus(held, &cards)
    cdef int kind = kind_of(move)
    cdef Play play
    play.rest = intern(pool, &rest, hand)
    play.family = <uint8_t>family_of(kind)
    play.key = <uint8_t>key_in_family(kind, rank_of(move), pool.level)
    play.size = <uint8_t>size(&cards)
    play.wilds = <uint8_t>copies(&cards, wild_bit(pool.level))
    return play


cdef int sort_plays(Subhands* pool, const Subhand* hand, int n) noexcept nogil:
    """Put the n listed moves of a hand into the pool, sorted and each once; return how many.

    A play wastes so many as the rest takes more than the hand did, less the one that is made.
    """
    cdef Play* plays = &pool.plays[pool.n_plays]
    cdef Planes cards
    cdef uint64_t counts = nibbles_of(hand), rest
    cdef uint64_t[MOST_RUNS] runs
    cdef int n_runs = gather_runs(pool, n, runs)
    cdef int fewest = about_fewest(counts, runs, n_runs)
    cdef uint32_t number
    cdef int i, j, wasted, kept = 0
    for i in range(n):
        cards = cards_of(&pool.listed[i])
        pool.drafts[i] = play_from(pool, hand, &hand.cards, &pool.listed[i])
        rest = counts - counts_of(&cards, pool.level)
        wasted = max(0, 1 + about_fewest(rest, runs, n_runs) - fewest)
        pool.ranked[i] = reply_rank(&pool.drafts[i], wasted, i)
    sort_numbers(pool.ranked, n)
    for i in range(n):
        number = <uint32_t>pool.ranked[i] & 0xffff
        plays[kept] = pool.drafts[number]
        # Two moves that differ in a suit may leave equal hands: they are sorted alike.
        j = kept - 1
        while j >= 0 and pool.ranked[j] >> 32 == pool.ranked[i] >> 32:
            if plays[j].rest == plays[kept].rest and plays[j].key == plays[kept].key:
                break
            j -= 1
        else:
            pool.ranked[kept] = pool.ranked[i]
            kept += 1
    return kept


cdef void describe(Subhands* pool, Subhand* hand, int n) noexcept nogil:
    """Set what follows from the plays of a hand."""
    cdef const Play* play
    cdef int i, family = 0, longest = 1
    cdef uint8_t[8] most
    memset(most, 0, sizeof(most))
    for i in range(n):
        play = &pool.plays[pool.n_plays + i]
        while family < play.family:
            family += 1
            hand.start[family] = <uint16_t>i
        if family != FAMILY_BOMB:
            hand.keys[family] |= <uint16_t>(1 << play.key)
        most[family] = max(most[family], <uint8_t>(play.key + 1))
        longest = max(longest, play.size)
        if play.rest == NO_CARDS:
            hand.goes_out = True
    while family < N_FAMILIES:
        family += 1
        hand.start[family] = <uint16_t>n
    for family in range(N_FAMILIES):
        hand.most |= <uint64_t>most[family] << 8 * family
    hand.least_plays = <uint8_t>(1 if hand.goes_out else max(2, (hand.size + longest - 1) // longest))


cdef int traits_of(const Record* moves, int n) noexcept nogil:
    """What some moves show of their hand."""
    cdef int i, traits = 0
    for i in range(n):
        if is_run(kind_of(&moves[i])):
            traits |= HAS_RUNS
        elif kind_of(&moves[i]) == JOKER_BOMB:
            traits |= HAS_JOKER_BOMB
    return traits


cdef void open_hand(Subhands* pool, uint32_t number) noexcept nogil:
    """List the plays of a hand."""
    cdef Subhand* hand = &pool.hands[number]
    cdef int n = MOST_OF_FEW, i
    if hand.size > FEW_CARDS:
        n = count(&hand.cards, pool.level, Table(PASS, NO_RANK), pool.options)
    hand.most = 0
    hand.goes_out = False
    memset(hand.keys, 0, sizeof(hand.keys))
    memset(hand.start, 0, sizeof(hand.start))
    if n > MOST_PLAYS or not make_listing_room(pool, n):
        pool.is_full = True
    if pool.is_full:
        return
    n = <int>(leads(&hand.cards, pool.level, pool.options, pool.listed) - pool.listed)
    if pool.plays_room - pool.n_plays < <uint32_t>n:
        pool.is_full = True
        return
    hand.traits = <uint8_t>traits_of(pool.listed, n)
    hand.shape = 0
    if not hand.traits & HAS_RUNS:
        hand.shape = draw_outline(&pool.outlines[number], hand.counts, pool.options)
    n = sort_plays(pool, hand, n)
    describe(pool, hand, n)
    hand.plays = pool.n_plays
    for i in range(n):
        pool.ranked[i] = lead_rank(&pool.plays[hand.plays + i], pool.ranked[i] >> 16 & 255, i)
    sort_numbers(pool.ranked, n)
    for i in range(n):
        pool.orders[hand.plays + i] = <uint16_t>pool.ranked[i]
    pool.n_plays += n
    hand.is_open = not pool.is_full

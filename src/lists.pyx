"""The moves of a holding, kind by kind."""

from libc.string cimport memmove

from guandan.bits cimport lowest, pop, popcount
from guandan.cards cimport ACE, N_RANKS, NO_RANK, RANK_5, SMALL_JOKER
from guandan.combos cimport (
    DOWNGRADE, FULL_HOUSE, JOKER_BOMB, PAIR, PLATE, SINGLE, STRAIGHT, STRAIGHT_FLUSH, SUITS_ONE,
    TRIPLE, TUBE, bomb_kind, first_straight_flush, is_one_suit, key_of, largest_bomb,
    may_be_straight, rank_at, tag,
)
from guandan.holding cimport (
    EMPTY, POOL, Subsets, by_level, flush_place, flush_windows, joined, pair_jokers, plate_windows,
    ranks_holding, ranks_of_kind, shift_of, straight_windows, subsets_at, tube_windows, wilds_pair, window_kinds,
)

cdef extern from "lanes.h" nogil:
    void lanes_row(void* out, const void* list, int n, uint64_t once, uint64_t twice)
    void lanes_shifted_row(void* out, const void* list, int n, int shift, uint64_t once, uint64_t twice)
    void lanes_short_row(void* out, const void* list, uint64_t once, uint64_t twice)
    void lanes_short_shifted_row(void* out, const void* list, int shift, uint64_t once, uint64_t twice)
    void lanes_short_product(void* out, const void* low, int n_low, const void* high, int n_high)
    void lanes_product(void* out, const void* low, int n_low, const void* high, int n_high,
                       uint64_t once, uint64_t twice)


# Rows

cdef inline Record* row(const Record* list, int n, Record mark, Record* out) noexcept nogil:
    """Append n records of a list, each with a mark of kind, rank and wilds."""
    lanes_row(out, list, n, mark.once, mark.twice)
    return out + n


cdef inline Record* product(
    const Record* low, int n_low, const Record* high, int n_high, Record mark, Record* out
) noexcept nogil:
    """Append every low record joined with every high one, and a mark."""
    if n_low == 0 or n_high == 0:
        return out
    lanes_product(out, low, n_low, high, n_high, mark.once, mark.twice)
    return out + n_low * n_high


cdef inline Record* subsets_row(
    const Holding* holding, int step, int k, Record mark, Record* out
) noexcept nogil:
    """Append the subsets of k cards of a step, each with a mark."""
    cdef const Subsets* subsets = subsets_at(holding, step)
    cdef int n = subsets.start[k + 1] - subsets.start[k]
    if k == 1:                 # one of four suits
        lanes_short_shifted_row(out, &POOL[subsets.base + subsets.start[k]], shift_of(step),
                                mark.once, mark.twice)
        return out + n
    lanes_shifted_row(out, &POOL[subsets.base + subsets.start[k]], n, shift_of(step),
                      mark.once, mark.twice)
    return out + n


cdef inline Record* combine_with_wilds(
    const Holding* holding, const Half* low, const Half* high, Record mark, Record* out
) noexcept nogil:
    """Append the combos of two halves that have wilds."""
    cdef Record more
    if holding.wilds > 0:
        more = joined(mark, holding.wild[1])
        out = product(low.list[0], low.n[0], high.list[1], high.n[1], more, out)
        out = product(low.list[1], low.n[1], high.list[0], high.n[0], more, out)
    if holding.wilds > 1:
        more = joined(mark, holding.wild[2])
        out = product(low.list[0], low.n[0], high.list[2], high.n[2], more, out)
        out = product(low.list[1], low.n[1], high.list[1], high.n[1], more, out)
        out = product(low.list[2], low.n[2], high.list[0], high.n[0], more, out)
    return out


cdef inline Record* combine(
    const Holding* holding, const Half* low, const Half* high, Record mark, Record* out
) noexcept nogil:
    """Append the combos of two halves."""
    out = product(low.list[0], low.n[0], high.list[0], high.n[0], mark, out)
    return combine_with_wilds(holding, low, high, mark, out)


# Cards of one rank

cdef inline Record* equal_row(
    const Holding* holding, const Lists* lists, int step, int k, Record mark, Record* out
) noexcept nogil:
    """Append the subsets of k cards of a step, taken from the lists where there are some."""
    if lists == NULL or k == 0:
        return subsets_row(holding, step, k, mark, out)
    if k == 1:                 # one of four suits
        lanes_short_row(out, lists.ones[step], mark.once, mark.twice)
        return out + holding.ones[step]
    if k == 2:
        return row(lists.twos[step], holding.twos[step], mark, out)
    return row(lists.threes[step], holding.threes[step], mark, out)


cdef inline Record* list_of_kind(
    const Holding* holding, const Lists* lists, int kind, int least, Record* out
) noexcept nogil:
    """Append the singles, pairs or triples with a key of at least `least`; `kind` is a constant."""
    cdef uint64_t keys = by_level(ranks_of_kind(holding, kind), holding.level)
    cdef Record mark
    cdef int key, rank
    keys &= ~<uint64_t>0 << least
    while keys:
        key = pop(&keys)
        rank = rank_at(key, holding.level)
        mark = tag(kind, rank)
        out = equal_row(holding, lists, rank + 1, kind, mark, out)
        if holding.wilds > 0 and (kind > 1 or key == ACE):
            out = equal_row(holding, lists, rank + 1, kind - 1, joined(mark, holding.wild[1]), out)
            if holding.wilds > 1 and (kind > 2 or kind > 1 and key == ACE):
                out = equal_row(holding, lists, rank + 1, kind - 2, joined(mark, holding.wild[2]), out)
    return out


cdef inline Record* list_jokers(uint64_t jokers, int kind, int least, Record* out) noexcept nogil:
    """Append the singles or pairs of jokers with a key of at least `least`."""
    cdef int key
    for key in range(max(least, N_RANKS), N_RANKS + 2):
        if jokers >> (SMALL_JOKER + key - N_RANKS) & 1:
            out[0] = tag(kind, key)
            out[0].once |= <uint64_t>1 << (SMALL_JOKER + key - N_RANKS)
            out[0].twice |= <uint64_t>(kind == PAIR) << (SMALL_JOKER + key - N_RANKS)
            out += 1
    return out


cdef Record* list_equal(const Holding* holding, int kind, int least, Record* out) noexcept nogil:
    """Append the singles, pairs or triples with a key of at least `least`."""
    if kind == SINGLE:
        out = list_of_kind(holding, NULL, SINGLE, least, out)
        return list_jokers(holding.jokers, SINGLE, least, out)
    if kind == PAIR:
        out = list_of_kind(holding, NULL, PAIR, least, out)
        return list_jokers(holding.joker_pairs, PAIR, least, out)
    return list_of_kind(holding, NULL, TRIPLE, least, out)


cdef Record* list_all_equal(const Holding* holding, const Lists* lists, Record* out) noexcept nogil:
    """Append all singles, pairs and triples."""
    out = list_of_kind(holding, lists, SINGLE, 0, out)
    out = list_jokers(holding.jokers, SINGLE, 0, out)
    out = list_of_kind(holding, lists, PAIR, 0, out)
    out = list_jokers(holding.joker_pairs, PAIR, 0, out)
    return list_of_kind(holding, lists, TRIPLE, 0, out)


cdef Record* list_bombs_of_a_rank(
    const Holding* holding, Table table, int smallest, int largest, Record* out
) noexcept nogil:
    """Append the bombs of one rank, of some sizes, that beat the table."""
    cdef uint64_t keys
    cdef Record mark
    cdef int bomb, kind, rank, wilds
    for bomb in range(smallest, largest + 1):
        kind = bomb_kind(bomb)
        if kind < table.kind:
            continue
        keys = by_level(ranks_holding(holding, bomb - holding.wilds), holding.level)
        if keys == 0:
            return out
        if kind == table.kind:
            keys &= ~<uint64_t>1 << key_of(kind, table.rank, holding.level)
        while keys:
            rank = rank_at(pop(&keys), holding.level)
            mark = tag(kind, rank)
            for wilds in range(max(0, bomb - 8), holding.wilds + 1):
                out = subsets_row(holding, rank + 1, bomb - wilds, joined(mark, holding.wild[wilds]), out)
    return out


# Runs of one suit, and the order of bombs

cdef inline Record* list_dropping(uint64_t kinds, int drop, Record mark, Record* out) noexcept nogil:
    """Append the sets of kinds that are left when 0, 1 or 2 of some are dropped, the lowest first."""
    cdef uint64_t first = kinds, second
    if drop == 0:
        out[0] = joined(Record(kinds, 0), mark)
        return out + 1
    while first:
        kinds ^= first & -first
        if drop == 1:
            out[0] = joined(Record(kinds, 0), mark)
            out += 1
        else:
            second = first & first - 1
            while second:
                out[0] = joined(Record(kinds ^ (second & -second), 0), mark)
                out += 1
                second &= second - 1
        kinds |= first & -first
        first &= first - 1
    return out


cdef Record* list_straight_flushes(const Holding* holding, int first, Record* out) noexcept nogil:
    """Append the straight flushes from a window on: by window, wilds, suit and the cards spared."""
    cdef uint64_t windows = flush_windows(holding) & ~<uint64_t>0 << 4 * first
    cdef uint64_t suits, rest, bit
    cdef Record mark
    cdef int window, wilds, lacking
    while windows:
        window = lowest(windows) >> 2
        windows &= ~<uint64_t>15 << 4 * window
        suits = 0
        for wilds in range(holding.wilds + 1):
            mark = joined(tag(STRAIGHT_FLUSH, window + RANK_5), holding.wild[wilds])
            suits |= holding.flush[wilds] & <uint64_t>15 << 4 * window
            rest = suits
            while rest:
                bit = rest & -rest
                lacking = 0 if holding.flush[0] & bit else 1 if holding.flush[1] & bit else 2
                out = list_dropping(window_kinds(window, pop(&rest) & 3) & holding.natural,
                                    wilds - lacking, mark, out)
    return out


cdef Record* list_bombs(const Holding* holding, Table table, Record* out) noexcept nogil:
    """Append the bombs that beat the table, a Table of kind PASS to have them all."""
    out = list_bombs_of_a_rank(holding, table, 4, 5, out)
    if table.kind <= STRAIGHT_FLUSH:
        out = list_straight_flushes(holding, first_straight_flush(table, holding.level), out)
    out = list_bombs_of_a_rank(holding, table, 6, largest_bomb(holding.options), out)
    if holding.joker_pairs >> SMALL_JOKER == 3 and table.kind != JOKER_BOMB:
        out[0] = joined(tag(JOKER_BOMB, NO_RANK), Record(holding.joker_pairs, holding.joker_pairs))
        out += 1
    return out


# What products are made of

cdef inline void list_parts(const Holding* holding, Lists* lists, int most) noexcept nogil:
    """List the subsets of one to `most` cards of each step; `most` is a constant."""
    cdef const Subsets* subsets
    cdef const Record* pool
    cdef Record* ones = lists.all_ones
    cdef Record* twos = lists.all_twos
    cdef Record* threes = lists.all_threes
    cdef int step
    for step in range(N_STEPS):
        subsets = subsets_at(holding, step)
        pool = &POOL[subsets.base]
        lists.ones[step] = ones
        lanes_short_shifted_row(ones, pool + subsets.start[1], shift_of(step), 0, 0)
        ones += holding.ones[step]
        if most > 1:
            lists.twos[step] = twos
            lanes_shifted_row(twos, pool + subsets.start[2], holding.twos[step], shift_of(step), 0, 0)
            twos += holding.twos[step]
        if most > 2:
            lists.threes[step] = threes
            if holding.threes[step]:
                lanes_shifted_row(threes, pool + subsets.start[3], holding.threes[step], shift_of(step), 0, 0)
                threes += holding.threes[step]
    lists.ones[N_STEPS] = ones
    lists.twos[N_STEPS] = twos
    lists.top = lists.products


cdef void list_ones(const Holding* holding, Lists* lists) noexcept nogil:
    """List the single cards of each step."""
    list_parts(holding, lists, 1)


cdef void list_twos(const Holding* holding, Lists* lists) noexcept nogil:
    """List the single cards and the subsets of two cards of each step."""
    list_parts(holding, lists, 2)


cdef void list_threes(const Holding* holding, Lists* lists) noexcept nogil:
    """List the subsets of one, two and three cards of each step."""
    list_parts(holding, lists, 3)


cdef inline void fill(Half* half, int wilds, const Record* list, int n) noexcept nogil:
    """Set the list of a half with so many wilds."""
    half.list[wilds] = list
    half.n[wilds] = n


cdef inline void fill_step(const Holding* holding, const Lists* lists, int step, int cards, Half* half) noexcept nogil:
    """Make a half of two or three cards of one step."""
    if cards == 3:
        fill(half, 0, lists.threes[step], holding.threes[step])
        fill(half, 1, lists.twos[step], holding.twos[step])
        fill(half, 2, lists.ones[step], holding.ones[step])
    else:
        fill(half, 0, lists.twos[step], holding.twos[step])
        fill(half, 1, lists.ones[step], holding.ones[step])
        fill(half, 2, EMPTY, 1)


# Full houses

cdef Record* list_ring(Record** begin, Record** end, uint64_t jokers, Record* out) noexcept nogil:
    """Append a list of steps 1..13, the joker pairs and the list again: what is left of one turn
    round it when a step is left out, is one piece of the ring."""
    out = row(begin[0], <int>(end[0] - begin[0]), EMPTY[0], out)
    while jokers:
        out[0] = Record(jokers & -jokers, jokers & -jokers)
        out += 1
        jokers &= jokers - 1
    return row(begin[0], <int>(end[0] - begin[0]), EMPTY[0], out)


cdef Record* list_full_houses(const Holding* holding, Lists* lists, int least, Record* out) noexcept nogil:
    """Append the full houses with a key of at least `least`.

    The pairs of one triple run upwards from the next rank, round past the jokers.
    """
    cdef uint64_t keys = by_level(ranks_of_kind(holding, TRIPLE), holding.level)
    cdef uint64_t jokers = pair_jokers(holding)
    cdef Half triple, pair
    cdef Record* top = lists.top
    cdef Record* pairs = top
    cdef Record* ones
    cdef int n_pairs = <int>(lists.twos[N_STEPS] - lists.twos[1]) + popcount(jokers)
    cdef int n_ones = 0
    cdef int rank, step
    keys &= ~<uint64_t>0 << least
    if keys == 0:
        return out
    top = list_ring(&lists.twos[1], &lists.twos[N_STEPS], jokers, top)
    ones = top
    if holding.wilds:
        n_ones = <int>(lists.ones[N_STEPS] - lists.ones[1])
        list_ring(&lists.ones[1], &lists.ones[N_STEPS], 0, top)
    while keys:
        rank = rank_at(pop(&keys), holding.level)
        step = rank + 1
        fill_step(holding, lists, step, 3, &triple)
        fill(&pair, 0, pairs + (lists.twos[step + 1] - lists.twos[1]), n_pairs - holding.twos[step])
        if holding.wilds:
            fill(&pair, 1, ones + (lists.ones[step + 1] - lists.ones[1]), n_ones - holding.ones[step])
            fill(&pair, 2, EMPTY, wilds_pair(holding, rank))
        out = combine(holding, &triple, &pair, tag(FULL_HOUSE, rank), out)
    return out


# Runs

cdef inline int n_links(const Holding* holding, int step) noexcept nogil:
    """How many pairs of single cards two steps have."""
    return holding.ones[step] * holding.ones[step + 1]


cdef void list_links(const Holding* holding, Lists* lists, uint64_t windows) noexcept nogil:
    """List the pairs of single cards of two steps that the straights of some windows are made of."""
    cdef int step
    windows |= windows << 3
    while windows:
        step = pop(&windows)
        lists.links[step] = lists.top
        lanes_short_product(lists.top, lists.ones[step], holding.ones[step],
                            lists.ones[step + 1], holding.ones[step + 1])
        lists.top += n_links(holding, step)


cdef Record* drop_straight_flushes(
    const Holding* holding, int window, Record* start, Record* out
) noexcept nogil:
    """Take the straight flushes out of the straights without wilds of a window."""
    cdef int suit
    cdef Record* flush
    for suit in range(3, -1, -1):          # the greatest suit stands last
        if holding.flush[0] >> (4 * window + suit) & 1:
            flush = start + flush_place(holding, window, suit)
            out -= 1
            memmove(flush, flush + 1, (out - flush) * sizeof(Record))
    return out


cdef Record* list_window(const Holding* holding, Lists* lists, int window, Record* out) noexcept nogil:
    """Append the straights of one window."""
    cdef Half low, high
    cdef Record* top = lists.top
    cdef Record* start = out
    cdef Record mark = tag(STRAIGHT, window + RANK_5)
    cdef const Record* second = lists.ones[window + 2]
    cdef const Record* last = lists.links[window + 3]
    cdef int n_second = holding.ones[window + 2]
    cdef int n_last = n_links(holding, window + 3)
    fill(&low, 0, lists.links[window], n_links(holding, window))
    fill(&high, 0, top, n_second * n_last)
    top = product(second, n_second, last, n_last, EMPTY[0], top)
    if holding.wilds:
        fill(&low, 1, lists.ones[window], <int>(lists.ones[window + 2] - lists.ones[window]))
        fill(&low, 2, EMPTY, 1)
        fill(&high, 1, top, n_second * <int>(lists.ones[window + 5] - lists.ones[window + 3]) + n_last)
        top = product(second, n_second, lists.ones[window + 3],
                      <int>(lists.ones[window + 5] - lists.ones[window + 3]), EMPTY[0], top)
        row(last, n_last, EMPTY[0], top)
        fill(&high, 2, second, <int>(lists.ones[window + 5] - lists.ones[window + 2]))
    out = product(low.list[0], low.n[0], high.list[0], high.n[0], mark, out)
    if holding.options & (SUITS_ONE | DOWNGRADE):
        out = combine_with_wilds(holding, &low, &high, mark, out)
        return settle_one_suit(holding, start, out)
    out = drop_straight_flushes(holding, window, start, out)
    return combine_with_wilds(holding, &low, &high, mark, out)


cdef Record* settle_one_suit(const Holding* holding, Record* start, Record* out) noexcept nogil:
    """Drop from a window's straights those of one suit that the rules read otherwise.

    Where one move stands for all suits, the next best takes the place of one that is dropped: the
    last card that has another of its rank beside it changes suit. All cards of these ranks are
    live, since one that is not would have been taken instead.
    """
    cdef Record* end = start
    cdef Record* move
    cdef uint64_t naturals, others, card
    cdef bint keep
    cdef int shift
    cdef Py_ssize_t i
    for i in range(out - start):
        move = &start[i]
        naturals = move.once & holding.natural
        keep = not is_one_suit(naturals) or may_be_straight(
            naturals, move.once & holding.wild[1].once != 0, holding.options)
        end[0] = move[0]
        if not keep and holding.options & SUITS_ONE:
            for shift in range(4 * ACE, -1, -4):
                card = naturals & <uint64_t>15 << shift
                others = holding.natural & <uint64_t>15 << shift & ~card
                if card and others:
                    end.once ^= card | others & -others
                    keep = True
                    break
        end += keep
    return end


cdef Record* list_straights(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil:
    """Append the straights from a window on."""
    cdef uint64_t windows = straight_windows(holding) & ~<uint64_t>0 << first
    cdef Record* top = lists.top
    list_links(holding, lists, windows)
    while windows:
        out = list_window(holding, lists, pop(&windows), out)
    lists.top = top
    return out


cdef Record* list_tubes(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil:
    """Append the tubes from a window on."""
    cdef Half low, high
    cdef Record* top
    cdef uint64_t windows = tube_windows(holding) & ~<uint64_t>0 << first
    cdef int window, a, b
    while windows:
        window = pop(&windows)
        a, b = window + 1, window + 2
        top = lists.top
        fill_step(holding, lists, window, 2, &low)
        fill(&high, 0, top, holding.twos[a] * holding.twos[b])
        top = product(lists.twos[a], holding.twos[a], lists.twos[b], holding.twos[b], EMPTY[0], top)
        if holding.wilds:
            fill(&high, 1, top, holding.twos[a] * holding.ones[b] + holding.ones[a] * holding.twos[b])
            top = product(lists.twos[a], holding.twos[a], lists.ones[b], holding.ones[b], EMPTY[0], top)
            top = product(lists.ones[a], holding.ones[a], lists.twos[b], holding.twos[b], EMPTY[0], top)
            fill(&high, 2, top, holding.twos[a] + holding.ones[a] * holding.ones[b] + holding.twos[b])
            top = row(lists.twos[a], holding.twos[a], EMPTY[0], top)
            top = product(lists.ones[a], holding.ones[a], lists.ones[b], holding.ones[b], EMPTY[0], top)
            row(lists.twos[b], holding.twos[b], EMPTY[0], top)
        out = combine(holding, &low, &high, tag(TUBE, window + 1), out)
    return out


cdef Record* list_plates(const Holding* holding, Lists* lists, int first, Record* out) noexcept nogil:
    """Append the plates from a window on."""
    cdef Half low, high
    cdef uint64_t windows = plate_windows(holding) & ~<uint64_t>0 << first
    cdef int window
    while windows:
        window = pop(&windows)
        fill_step(holding, lists, window, 3, &low)
        fill_step(holding, lists, window + 1, 3, &high)
        out = combine(holding, &low, &high, tag(PLATE, window), out)
    return out

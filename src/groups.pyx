"""The least cost of cards without runs, by adding rank to rank."""

from libc.stdlib cimport calloc
from libc.string cimport memset

from guandan.bits cimport mixed
from guandan.combos cimport JOKER_BOMB, NO_JOKER_PAIR, NO_LEVEL_FULL_HOUSE, PAIR, SINGLE
from guandan.prices cimport Option


cdef Groups* new_groups() noexcept nogil:
    """Memory for the answers, to free; NULL if there is none."""
    return <Groups*>calloc(1, sizeof(Groups))


cdef void set_rules(Groups* groups, const Prices* prices, int switches) noexcept nogil:
    """Forget all answers but those for the same prices and switches."""
    cdef bint joker_pairs = not switches & NO_JOKER_PAIR
    cdef bint level_pair = not switches & NO_LEVEL_FULL_HOUSE
    if groups.prices == prices and groups.joker_pairs == joker_pairs and groups.level_pair == level_pair:
        return
    groups.prices, groups.joker_pairs, groups.level_pair = prices, joker_pairs, level_pair
    memset(groups.keys, 0, sizeof(groups.keys))


# Lists of partial splits

cdef inline void put(Groups* groups, Partial partial) noexcept nogil:
    """Add a partial split to the list then, or keep the cheaper of two alike."""
    cdef int place = ((partial.mixed * 3 + partial.wilds) * 10 + partial.triples) * 16 + partial.pairs
    cdef uint32_t slot = groups.slots[place]
    if slot >> 12 != groups.stamp:
        groups.slots[place] = groups.stamp << 12 | groups.n_then
        groups.then[groups.n_then] = partial
        groups.n_then += 1
    elif partial.cost < groups.then[slot & 4095].cost:
        groups.then[slot & 4095].cost = partial.cost


cdef inline Partial with_option(Partial partial, const Option* option, int wilds) noexcept nogil:
    """A partial split with one more rank, into which so many wilds go."""
    partial.cost += option.cost
    partial.wilds -= wilds
    partial.triples += option.triples
    partial.pairs += option.pairs
    partial.mixed = max(partial.mixed, option.mixed)
    return partial


cdef inline void turn_over(Groups* groups) noexcept nogil:
    """Make the list then the list now, and begin another."""
    cdef Partial* now = groups.now
    groups.now, groups.then = groups.then, now
    groups.n_now, groups.n_then = groups.n_then, 0
    groups.stamp = (groups.stamp + 1) & 0xfffff
    if groups.stamp == 0:
        memset(groups.slots, 0, sizeof(groups.slots))
        groups.stamp = 1


cdef void put_jokers(Groups* groups, const Cards* cards) noexcept nogil:
    """Begin with the jokers: as singles, pairs or a bomb."""
    cdef const Prices* prices = groups.prices
    cdef int small = cards.jokers[0], big = cards.jokers[1], a, b
    cdef Partial partial = Partial(0, cards.wilds, 0, 0, 0)
    for a in range((small == 2) + 1):
        for b in range((big == 2) + 1):
            partial.cost = ((a + b) * prices.of[PAIR]
                            + (small - 2 * a + big - 2 * b) * prices.of[SINGLE])
            partial.pairs = <uint8_t>(a + b if groups.joker_pairs else 0)
            put(groups, partial)
    if small == 2 and big == 2:
        partial.cost, partial.pairs = prices.of[JOKER_BOMB], 0
        put(groups, partial)
    turn_over(groups)


cdef void put_wilds(Groups* groups, bint pair) noexcept nogil:
    """Play wilds alone: as singles, or two as a pair that joins any triple."""
    cdef const Prices* prices = groups.prices
    cdef Partial partial
    cdef int i
    for i in range(groups.n_now):
        put(groups, groups.now[i])
        if groups.now[i].wilds:
            partial = groups.now[i]
            partial.cost += prices.of[SINGLE]
            partial.wilds -= 1
            put(groups, partial)
        if groups.now[i].wilds == 2:
            partial.cost += prices.of[SINGLE]
            partial.wilds = 0
            put(groups, partial)
            if pair:
                partial.cost = groups.now[i].cost + prices.of[PAIR]
                partial.pairs += 1
                put(groups, partial)
    turn_over(groups)


cdef inline void put_options(Groups* groups, Partial partial, int held) noexcept nogil:
    """Add to a partial split each split of one rank, with wilds or without."""
    cdef const Prices* prices = groups.prices
    cdef int wilds, o
    for wilds in range(partial.wilds + 1):
        for o in range(prices.n_options[held + wilds]):
            put(groups, with_option(partial, &prices.options[held + wilds][o], wilds))


cdef void put_rank(Groups* groups, int held) noexcept nogil:
    """Split one rank in every way."""
    cdef int i
    for i in range(groups.n_now):
        put_options(groups, groups.now[i], held)
    turn_over(groups)


cdef void put_level(Groups* groups, int held) noexcept nogil:
    """Split the level's own cards, where two wilds as a pair do not join a triple of them."""
    cdef const Prices* prices = groups.prices
    cdef Option option
    cdef int i, o
    for i in range(groups.n_now):
        put_options(groups, groups.now[i], held)
        if groups.now[i].wilds == 2:
            for o in range(prices.n_options[held]):
                option = prices.options[held][o]
                option.cost += prices.of[PAIR]
                option.pairs += 1
                option.mixed = option.triples + option.pairs if option.triples else 0
                put(groups, with_option(groups.now[i], &option, 2))
    turn_over(groups)


cdef void put_alike(Groups* groups, int held, int n) noexcept nogil:
    """Split n ranks that hold as many cards, for which one split is best where no wild helps."""
    cdef const Prices* prices = groups.prices
    cdef const Option* plain = &prices.options[held][0]
    cdef Partial all_plain, one_less, two_less, partial
    cdef int i, wilds, a, b
    for i in range(groups.n_now):
        partial = groups.now[i]
        two_less = partial             # n may be 1: then it is not used
        two_less.cost += (n - 2) * plain.cost
        two_less.triples += <uint8_t>((n - 2) * plain.triples)
        two_less.pairs += <uint8_t>((n - 2) * plain.pairs)
        one_less = with_option(two_less, plain, 0)
        all_plain = with_option(one_less, plain, 0)
        put(groups, all_plain)
        for wilds in range(1, partial.wilds + 1):
            for a in range(prices.n_options[held + wilds]):
                put(groups, with_option(one_less, &prices.options[held + wilds][a], wilds))
        if partial.wilds == 2 and n > 1:
            for a in range(prices.n_options[held + 1]):
                for b in range(a + 1):
                    put(groups, with_option(with_option(two_less, &prices.options[held + 1][a], 1),
                                            &prices.options[held + 1][b], 1))
    turn_over(groups)


# Costs

cdef int found_cost(Groups* groups, const Cards* cards) noexcept nogil:
    """Find the least cost."""
    cdef const Prices* prices = groups.prices
    cdef uint64_t ranks = cards.ranks
    cdef bint apart = not groups.level_pair and cards.level_cards > 0
    cdef const Partial* end
    cdef int held, n, i, joined, best = -1
    groups.now, groups.then = groups.lists[0], groups.lists[1]
    groups.n_then = 0
    turn_over(groups)
    put_jokers(groups, cards)
    if cards.wilds:
        put_wilds(groups, not apart)
    if apart:
        ranks -= <uint64_t>1 << 4 * cards.level_cards
        put_level(groups, cards.level_cards)
    for held in range(1, 9):
        n = ranks >> 4 * held & 15
        if n and prices.n_options[held] == 1 and not prices.options[held][0].mixed:
            put_alike(groups, held, n)
        else:
            for i in range(n):
                put_rank(groups, held)
    for i in range(groups.n_now):
        end = &groups.now[i]
        joined = min(end.triples, end.pairs)
        if end.mixed:
            joined = min(joined, end.triples + end.pairs - end.mixed)
        if end.wilds == 0 and (best < 0 or end.cost - prices.saving * joined < best):
            best = end.cost - prices.saving * joined
    return best


cdef int group_cost(Groups* groups, const Cards* cards) noexcept nogil:
    """The least cost of some cards without runs."""
    cdef uint64_t key = (cards.ranks & <uint64_t>0xffffffff0 | <uint64_t>1 << 63
                         | <uint64_t>cards.wilds << 36 | <uint64_t>cards.jokers[0] << 38
                         | <uint64_t>cards.jokers[1] << 40)
    cdef int place
    if not groups.level_pair:
        key |= <uint64_t>cards.level_cards << 42
    place = <int>(mixed(key) & (N_KEPT - 1))
    if groups.keys[place] != key:
        groups.answers[place] = found_cost(groups, cards)
        groups.keys[place] = key
    return groups.answers[place]


cdef int joker_bound(const Groups* groups, const int* jokers, int count) noexcept nogil:
    """The least cost of jokers, counted as `lowest_of` counts ranks."""
    cdef const Prices* prices = groups.prices
    cdef int pairs = (jokers[0] == 2) + (jokers[1] == 2), cost, lowest = 0, n
    for n in range(pairs + 1):
        cost = n * prices.of[PAIR] + (jokers[0] + jokers[1] - 2 * n) * prices.of[SINGLE]
        cost = cost * (2 if count == 2 else 1)
        if count and groups.joker_pairs:
            cost -= n * prices.saving
        if n == 0 or cost < lowest:
            lowest = cost
    if pairs == 2:
        lowest = min(lowest, prices.of[JOKER_BOMB] * (2 if count == 2 else 1))
    return lowest

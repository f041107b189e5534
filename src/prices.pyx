"""What plays cost: tables made from the weights of kinds."""

from collections.abc import Mapping

from guandan.combos import Kind

from guandan.cards cimport read_int, shorten
from guandan.combos cimport (
    BOMB4, FULL_HOUSE, PAIR, PASS, SINGLE, TRIPLE, bomb_kind, cards_in, largest_bomb,
)

cdef Prices[11] PLAIN          # every play costs one, by the most cards of a bomb


# Splits of one rank

cdef inline bint is_as_good(const Option* a, const Option* b, int saving) noexcept nogil:
    """Whether a split is never worse than another, whatever full houses the rest offers.

    Each triple or pair that it lacks is one full house less at the most.
    """
    return a.cost + saving * (max(0, b.triples - a.triples) + max(0, b.pairs - a.pairs)) <= b.cost


cdef int drop_options(Option* options, int n, int saving) noexcept nogil:
    """Drop the splits that others are as good as, and return how many are left."""
    cdef int i, j, kept = 0
    cdef bint dropped
    for i in range(n):
        dropped = False
        for j in range(n):
            if (j < kept or j > i) and is_as_good(&options[j], &options[i], saving):
                dropped = True
                break
        if not dropped:
            options[kept] = options[i]
            kept += 1
    return kept


cdef void set_options(Prices* prices, int n, const int* loose) noexcept nogil:
    """Set the splits of n cards of one rank; `loose` is what singles and bombs of so many cost."""
    cdef Option* option
    cdef int triples, pairs, found = 0
    for triples in range(n // 3 + 1):
        for pairs in range((n - 3 * triples) // 2 + 1):
            option = &prices.options[n][found]
            option.cost = (triples * prices.of[TRIPLE] + pairs * prices.of[PAIR]
                           + loose[n - 3 * triples - 2 * pairs])
            option.triples, option.pairs = <uint8_t>triples, <uint8_t>pairs
            option.mixed = <uint8_t>(triples + pairs) if triples and pairs else 0
            found += 1
    prices.n_options[n] = drop_options(prices.options[n], found, prices.saving)


# Bounds

cdef int lowest_of(const Prices* prices, int n, int count) noexcept nogil:
    """The least cost of n cards of one rank if every triple (count 0) or pair (1) saved a full
    house, or twice that if each of both saved half of one (2)."""
    cdef const Option* option
    cdef int i, cost, lowest = 0
    for i in range(prices.n_options[n]):
        option = &prices.options[n][i]
        cost = option.cost * (2 if count == 2 else 1) - prices.saving * (
            (option.triples if count != 1 else 0) + (option.pairs if count != 0 else 0))
        if i == 0 or cost < lowest:
            lowest = cost
    return lowest


cdef void set_bounds(Prices* prices) noexcept nogil:
    """Set the bounds that follow from the splits."""
    cdef int* low
    cdef int count, n
    for count in range(3):
        low = prices.low[count]
        for n in range(MAX_EQUAL + 1):
            low[n] = lowest_of(prices, n, count)
        prices.gain[count][0] = 0
        prices.gain[count][1] = low[0] - low[1]
        for n in range(MAX_EQUAL):
            prices.gain[count][1] = max(prices.gain[count][1], low[n] - low[n + 1])
        prices.gain[count][2] = 2 * prices.gain[count][1]
        for n in range(MAX_EQUAL - 1):
            prices.gain[count][2] = max(prices.gain[count][2], low[n] - low[n + 2])


cdef void set_rates(Prices* prices) noexcept nogil:
    """Find the play that costs least by its cards, with bombs up to each size."""
    cdef int largest, kind, n
    for largest in range(MAX_EQUAL + 1):
        prices.per[largest], prices.cards[largest] = prices.of[SINGLE], 1
        for kind in range(PAIR, N_KINDS):
            n = cards_in(kind)
            if n > max(largest, 6):        # no run and no joker bomb has more cards
                continue
            if prices.of[kind] * prices.cards[largest] < prices.per[largest] * n:
                prices.per[largest], prices.cards[largest] = prices.of[kind], n


cdef void set_prices(Prices* prices, const int* of, int largest) noexcept nogil:
    """Set all tables for what a play of each kind costs and the most cards of a bomb."""
    cdef int[MAX_EQUAL + 1] loose
    cdef int n, bomb
    for n in range(N_KINDS):
        prices.of[n] = of[n]
    prices.saving = max(0, of[TRIPLE] + of[PAIR] - of[FULL_HOUSE])
    loose[0] = 0
    for n in range(MAX_EQUAL + 1):
        if n:
            loose[n] = loose[n - 1] + of[SINGLE]
        for bomb in range(4, min(n, largest) + 1):
            loose[n] = min(loose[n], loose[n - bomb] + of[bomb_kind(bomb)])
        set_options(prices, n, loose)
    set_bounds(prices)
    set_rates(prices)


# Weights

cdef const Prices* plain_prices(int switches) noexcept nogil:
    """The prices where every play costs one, without a weight."""
    return &PLAIN[largest_bomb(switches)]


cdef int fill_plain() except -1:
    """Fill the tables of plain prices."""
    cdef int[N_KINDS] of
    cdef int kind, largest
    for kind in range(N_KINDS):
        of[kind] = 1
    for largest in range(8, MAX_EQUAL + 1):
        set_prices(&PLAIN[largest], of, largest)
    return 0


fill_plain()


cdef int kind_of_name(object name) except -1:
    """The number of a Kind, or of its name in small letters."""
    if isinstance(name, Kind) and name != PASS:
        return name
    for kind in Kind:
        if kind != PASS and isinstance(name, str) and kind.name.lower() == name:
            return kind
    raise ValueError(f'weights: {shorten(name)} is no kind of play: want a Kind or such as "bomb4"')


cdef bint read_prices(Prices* prices, object bombs, object weights, int switches) except -1:
    """Set the prices for the words and weights of a call; True, and nothing set, for plain ones."""
    cdef int[N_KINDS] of
    cdef int kind
    if not isinstance(bombs, str) or bombs not in ("count", "apart"):
        raise ValueError(f'bombs {shorten(bombs)}: want "count" or "apart"')
    if weights is not None and not isinstance(weights, Mapping):
        raise TypeError(f"weights: want a mapping of kinds to ints, got {shorten(weights)}")
    if bombs == "count" and not weights:
        return True
    for kind in range(N_KINDS):
        of[kind] = 1 + PLAY * (kind < BOMB4 or bombs == "count")
    for name, weight in weights.items() if weights else ():
        kind = kind_of_name(name)
        of[kind] = 1 + PLAY * <int>read_int(f"weights[{shorten(name)}]", weight, 0, MAX_WEIGHT)
    set_prices(prices, of, largest_bomb(switches))
    return False

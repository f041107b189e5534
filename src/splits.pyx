"""Splits of a hand: all sets of runs are tried, and what each leaves costs what groups say."""

from libc.stdlib cimport free
from libc.string cimport memset

from guandan.bits cimport lowest, pop, popcount
from guandan.cards cimport (
    ACE, BIG_JOKER, N_RANKS, SMALL_JOKER, copies, natural_bits, size, wild_bit,
)
from guandan.combos cimport (
    BOMB5, FULL_HOUSE, NO_LEVEL_FULL_HOUSE, PLATE, STRAIGHT, STRAIGHT_FLUSH, TUBE, is_one_suit,
    largest_bomb, may_be_straight,
)
from guandan.groups cimport group_bound, group_cost, joker_bound, new_groups, set_rules
from guandan.holding cimport (
    find_flush_windows, lacking_no_more, plates_of, shift_of, straights_of, tubes_of,
)
from guandan.prices cimport least_for, plain_prices

cdef enum:
    N_PHASES = 4               # runs are chosen in this order, so that each set of them comes once
    ROOM = 64                  # for the windows of a phase
    MAX_PATTERNS = 16          # ways to put up to two wilds into a run
    NO_BOUND = 0x3fffffff

cdef int[N_PHASES] KIND_OF_PHASE = [STRAIGHT_FLUSH, STRAIGHT, TUBE, PLATE]
cdef Run[N_PHASES][MAX_PATTERNS] PATTERNS
cdef int[N_PHASES] N_PATTERNS


cdef int fill_patterns() except -1:
    """List for each kind of run where up to two wilds can stand in it."""
    cdef int phase, kind, steps, a, b
    cdef Run run
    for phase in range(N_PHASES):
        kind = KIND_OF_PHASE[phase]
        steps = steps_of(kind)
        N_PATTERNS[phase] = 0
        for a in range(-1, steps):
            for b in range(-1, a + 1):
                if b == a >= 0 and each_of(kind) == 1:
                    continue
                memset(&run, 0, sizeof(run))
                run.kind = <uint8_t>kind
                if a >= 0:
                    run.at[a] += 1
                if b >= 0:
                    run.at[b] += 1
                PATTERNS[phase][N_PATTERNS[phase]] = run
                N_PATTERNS[phase] += 1
    return 0


fill_patterns()


# A hand

cdef void hold(Rest* rest, const Planes* hand, int level) noexcept nogil:
    """Sort a hand by steps."""
    cdef uint64_t natural = natural_bits() & ~wild_bit(level)
    cdef int step
    rest.once, rest.twice = hand.once & natural, hand.twice & natural
    rest.size = size(hand)
    rest.cards.wilds = copies(hand, wild_bit(level))
    rest.cards.jokers[0] = copies(hand, <uint64_t>1 << SMALL_JOKER)
    rest.cards.jokers[1] = copies(hand, <uint64_t>1 << BIG_JOKER)
    rest.cards.ranks = 0
    for step in range(16):
        rest.held[step] = 0
    for step in range(1, N_RANKS + 1):
        rest.held[step] = <uint8_t>(popcount(rest.once >> shift_of(step) & 15)
                                    + popcount(rest.twice >> shift_of(step) & 15))
        rest.cards.ranks += <uint64_t>(rest.held[step] > 0) << 4 * rest.held[step]
    rest.held[0] = rest.held[ACE + 1]
    rest.cards.level_cards = rest.held[level + 1]


cdef void begin(
    Splitter* splitter, Groups* groups, const Prices* prices, const Planes* hand, int level, int switches
) noexcept nogil:
    """Prepare a search of a hand for the least cost."""
    cdef int step
    set_rules(groups, prices, switches)
    splitter.groups, splitter.prices = groups, prices
    splitter.level, splitter.switches = level, switches
    splitter.flushes = prices.of[STRAIGHT_FLUSH] != prices.of[STRAIGHT]
    splitter.strict = prices.of[STRAIGHT_FLUSH] > prices.of[STRAIGHT]
    # A card beside a wild in a run could change places with it, but if that makes a straight flush
    # of a cheaper straight, or puts two wilds beside three level cards that may not be a full house.
    splitter.free = splitter.strict or (
        switches & NO_LEVEL_FULL_HOUSE != 0 and prices.of[BOMB5] > prices.of[FULL_HOUSE])
    hold(&splitter.whole, hand, level)
    splitter.suited = splitter.whole
    splitter.largest = 0
    for step in range(1, N_RANKS + 1):
        splitter.largest = max(splitter.largest, splitter.whole.held[step])
    splitter.largest = min(largest_bomb(switches), splitter.largest + splitter.whole.cards.wilds)
    for step in range(3):
        splitter.joker_bounds[step] = joker_bound(groups, splitter.whole.cards.jokers, step)
    splitter.below = NO_BOUND
    splitter.n_runs = 0


# Runs

cdef inline void take_equal(Rest* rest, int step, int n) noexcept nogil:
    """Take natural cards of one step."""
    cdef int held = rest.held[step]
    rest.cards.ranks -= <uint64_t>1 << 4 * held
    if held > n:
        rest.cards.ranks += <uint64_t>1 << 4 * (held - n)
    rest.held[step] = <uint8_t>(held - n)
    if step == 0:
        rest.held[ACE + 1] = rest.held[0]
    elif step == ACE + 1:
        rest.held[0] = rest.held[ACE + 1]


cdef inline bint take_suited(Rest* rest, int step, int suit) noexcept nogil:
    """Take one card of a suit, if there is one."""
    cdef uint64_t card = <uint64_t>1 << (shift_of(step) + suit)
    if not rest.once & card:
        return False
    if rest.twice & card:
        rest.twice &= ~card
    else:
        rest.once &= ~card
    take_equal(rest, step, 1)
    return True


cdef bint take_run(Rest* rest, Run* run, bint fixed, int level) noexcept nogil:
    """Take the cards of a run; wilds stand as it says if that is fixed, else where cards are lacking."""
    cdef int i, step, n, wilds = 0, each = each_of(run.kind), steps = steps_of(run.kind)
    for i in range(steps):
        step = run.window + i
        n = each - run.at[i] if fixed else min(each, rest.held[step])
        if run.kind == STRAIGHT_FLUSH:
            if n and not take_suited(rest, step, run.suit):
                if fixed:
                    return False
                n = 0
        elif n > rest.held[step]:
            return False
        elif n:
            take_equal(rest, step, n)
        run.at[i] = <uint8_t>(each - n)
        wilds += each - n
    run.wilds = <uint8_t>wilds
    rest.cards.wilds -= wilds
    rest.cards.level_cards = rest.held[level + 1]
    rest.size -= steps * each
    return rest.cards.wilds >= 0


cdef inline uint64_t windows_of(const Rest* rest, int phase) noexcept nogil:
    """The windows of a phase that lack no more than there are wilds, as bits."""
    cdef uint64_t[3] lacking
    if phase == 0:
        find_flush_windows(rest.once, lacking)
        return lacking_no_more(lacking, rest.cards.wilds)
    if phase == 1:
        return straights_of(rest.held, rest.cards.wilds)
    return tubes_of(rest.held, rest.cards.wilds) if phase == 2 else plates_of(rest.held, rest.cards.wilds)


# The search

cdef bint meet_groups(Splitter* splitter, const Rest* rest, int cost) noexcept nogil:
    """End with what is left as groups, where that may cost little enough; True to stop."""
    cdef int bound = group_bound(
        splitter.prices, rest.cards.ranks, rest.cards.wilds, splitter.joker_bounds)
    if cost + bound >= splitter.below:
        return False
    cost += group_cost(splitter.groups, &rest.cards)
    if cost >= splitter.below or splitter.strict and not suit_straights(splitter, True, NULL):
        return False
    return splitter.meet(splitter, rest, cost)


cdef bint extend(Splitter* splitter, const Rest* rest, int first, int pattern, int cost) noexcept nogil:
    """Try all further runs from a place in their order on; True to stop."""
    cdef uint64_t windows
    cdef int phase, window
    if cost + least_for(splitter.prices, rest.size, splitter.largest) >= splitter.below:
        return False
    if first < ROOM:
        splitter.suited = rest[0]
    if meet_groups(splitter, rest, cost):
        return True
    for phase in range(first // ROOM, N_PHASES):
        windows = windows_of(rest, phase)
        if phase == first // ROOM:
            windows &= ~<uint64_t>0 << first % ROOM
        if windows and phase and first < ROOM:
            splitter.suited = rest[0]      # the further straight flushes have gone again
        while windows:
            window = pop(&windows)
            if try_window(splitter, rest, phase, window,
                          pattern if phase * ROOM + window == first else 0, cost):
                return True
    return False


cdef bint try_window(
    Splitter* splitter, const Rest* rest, int phase, int window, int pattern, int cost
) noexcept nogil:
    """Try the runs of a kind in a window, with wilds from a pattern on; True to stop."""
    cdef Run* run = &splitter.runs[splitter.n_runs]
    cdef Rest left
    cdef bint stop = False
    cdef int end = N_PATTERNS[phase] if splitter.free else 1, i
    for i in range(pattern, end):
        left = rest[0]
        run[0] = PATTERNS[phase][i]
        run.window = <uint8_t>(window >> 2 if phase == 0 else window)
        run.suit = <uint8_t>(window & 3)
        if not take_run(&left, run, splitter.free, splitter.level):
            continue
        splitter.n_runs += 1
        stop = extend(splitter, &left, phase * ROOM + window, i, cost + splitter.prices.of[run.kind])
        splitter.n_runs -= 1
        if stop:
            break
    return stop


cdef bint search(Splitter* splitter) noexcept nogil:
    """Meet all splits that cost less than `below`; True if one has said to stop."""
    return extend(splitter, &splitter.whole, 0 if splitter.flushes else ROOM, 0, 0)


cdef bint lower(Splitter* splitter, const Rest* rest, int cost) noexcept nogil:
    """Ask for less from now on."""
    splitter.below = cost
    return False


cdef int least_cost(Splitter* splitter) noexcept nogil:
    """The least cost of all splits."""
    splitter.meet = lower
    search(splitter)
    return splitter.below


cdef int fewest_by(Groups* groups, const Planes* hand, int level, int switches) noexcept nogil:
    """The fewest plays of a hand of at most MOST_CARDS, with memory from other hands."""
    cdef Splitter splitter
    begin(&splitter, groups, plain_prices(switches), hand, level, switches)
    return least_cost(&splitter)


cdef int fewest(const Planes* hand, int level, int switches) except -1 nogil:
    """The fewest plays that empty a hand of at most MOST_CARDS."""
    cdef Groups* groups = new_groups()
    cdef int count
    if groups == NULL:
        with gil:
            raise MemoryError
    count = fewest_by(groups, hand, level, switches)
    free(groups)
    return count


# Suits of straights

cdef inline uint64_t suit_of_lowest(uint64_t cards) noexcept nogil:
    """All kinds of the suit of the lowest of some cards; of none, none."""
    return <uint64_t>0x1111111111111 << (lowest(cards) & 3) if cards else 0


cdef bint suit_step(
    const Splitter* splitter, bint strict, uint64_t* cards, int place, int step, uint64_t once, uint64_t twice
) noexcept nogil:
    """Choose a card for a step of the straight at a place among the runs, and for all after it."""
    cdef const Run* run = &splitter.runs[place]
    cdef uint64_t choices, others, card
    if place == splitter.n_runs:
        return True
    if run.kind != STRAIGHT:
        return suit_step(splitter, strict, cards, place + 1, 0, once, twice)
    if step == 5:
        if strict and is_one_suit(cards[place]) and not may_be_straight(
                cards[place], run.wilds > 0, splitter.switches):
            return False
        return suit_step(splitter, strict, cards, place + 1, 0, once, twice)
    if run.at[step]:
        return suit_step(splitter, strict, cards, place, step + 1, once, twice)
    choices = once & <uint64_t>15 << shift_of(run.window + step)
    while choices:
        others = choices & ~suit_of_lowest(cards[place])       # to break the suit first
        card = others & -others if others else choices & -choices
        choices ^= card
        cards[place] |= card
        if suit_step(splitter, strict, cards, place, step + 1,
                     once & ~(card & ~twice), twice & ~card):
            return True
        cards[place] ^= card
    return False


cdef bint suit_straights(const Splitter* splitter, bint strict, uint64_t* cards) noexcept nogil:
    """Whether all straights chosen find cards; which, by their places among the runs.

    With `strict` none may be of one suit that the rules read as a straight flush alone.
    """
    cdef uint64_t[MAX_RUNS] room
    cdef int place
    if cards == NULL:
        cards = room
    for place in range(splitter.n_runs):
        cards[place] = 0
    return suit_step(splitter, strict, cards, 0, 0, splitter.suited.once, splitter.suited.twice)

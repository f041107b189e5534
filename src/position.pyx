"""Positions: dealt by a seed, hashed, counted to a depth, and played out at random."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from cpython.exc cimport PyErr_CheckSignals

cimport guandan.movegen as movegen
from guandan.cards cimport N_RANKS, contains, deal
from guandan.combos cimport beats, is_reading
from guandan.census cimport Census, count_all_bombs, take_census
from guandan.holding cimport Holding, observe
from guandan.movegen cimport OVERRUN
from guandan.pick cimport nth_move
from guandan.rng cimport below, choose


cdef Position deal_position(uint64_t seed) noexcept nogil:
    """Deal four hands; the same generator then draws the turn and after it the level."""
    cdef Rng rng = Rng(seed)
    cdef Position position
    deal(&rng, position.hands)
    position.trick = Trick(<uint8_t>below(&rng, N_SEATS), NO_SEAT, PASS, NO_RANK, 0, [0, 0, 0])
    position.level = <uint8_t>below(&rng, N_RANKS)
    position.options = 0
    position.lead_next = False
    return position


# Moves

cdef bint is_legal(const Position* position, const Record* move) noexcept nogil:
    """Whether the turn may play a move: the check that `play` leaves out."""
    cdef Table played = Table(kind_of(move), rank_of(move))
    cdef Table table = table_of(position)
    cdef Planes cards = cards_of(move)
    if position.trick.turn == NO_SEAT:
        return False
    if played.kind == PASS:
        return table.kind != PASS
    if cards.once == 0 or not contains(&position.hands[position.trick.turn], &cards):
        return False
    if table.kind != PASS and not beats(played, table, position.level):
        return False
    return is_reading(&cards, position.level, position.options, played)


cdef int pass_forced(Position* position) noexcept nogil:
    """Pass for each seat that can do nothing else, up to one that can; return how many passed."""
    cdef int passed = 0
    while position.trick.kind != PASS and movegen.count(
            &position.hands[position.trick.turn], position.level, table_of(position),
            position.options) == 1:
        pass_on(position)
        passed += 1
    return passed


# Keys

cdef inline uint64_t mix(uint64_t hash, uint64_t word) noexcept nogil:
    """Take a word into a hash, much as the finalizer of SplitMix64 does."""
    hash = (hash ^ word) * <uint64_t>0xBF58476D1CE4E5B9ULL
    return hash ^ hash >> 29


cdef uint64_t key(const Position* position) noexcept nogil:
    """Hash all of a position: equal positions have equal keys, on every platform."""
    cdef const Trick* trick = &position.trick
    cdef uint64_t once = 0
    cdef uint64_t twice = 0
    cdef uint64_t rest = 0
    cdef int seat
    # Two chains, which a processor works on at the same time.
    for seat in range(N_SEATS):
        once = mix(once, position.hands[seat].once)
        twice = mix(twice, position.hands[seat].twice)
    for seat in range(3):
        rest = rest << 2 | trick.out[seat]
    rest = rest << 2 | trick.n_out
    rest = rest << 3 | trick.turn
    rest = rest << 3 | trick.owner
    rest = rest << 5 | trick.kind
    rest = rest << 4 | trick.rank
    rest = rest << 4 | position.level
    rest = rest << 1 | position.lead_next
    rest = rest << 16 | position.options
    once = mix(mix(once, rest), twice + <uint64_t>0x9E3779B97F4A7C15ULL)
    once *= <uint64_t>0x94D049BB133111EBULL
    return once ^ once >> 31


# Sequences of moves

cdef enum:
    PATIENCE = 1 << 20         # moves between two looks for signals, each of which takes the GIL


cdef uint64_t perft(Position* position, int depth) except? 0xFFFFFFFFFFFFFFFF nogil:
    """Count the sequences of exactly `depth` moves; the position is the same afterwards.

    Raises what a signal raises, and MemoryError; the position is then anywhere below.
    """
    cdef int patience = PATIENCE
    return count_below(position, depth, &patience) if depth > 0 else 1


cdef uint64_t count_below(Position* position, int depth, int* patience) except? 0xFFFFFFFFFFFFFFFF nogil:
    """Count the sequences of at least one move, looking for signals now and then."""
    cdef const Planes* hand = &position.hands[position.trick.turn]
    cdef Table table = table_of(position)
    cdef uint64_t total = 0
    cdef Record* moves
    cdef int n
    if position.trick.turn == NO_SEAT:
        return 0
    n = movegen.count(hand, position.level, table, position.options)
    if depth == 1:
        return n
    patience[0] -= n
    if patience[0] < 0:
        patience[0] = PATIENCE
        with gil:
            PyErr_CheckSignals()
    moves = <Record*>malloc((n + OVERRUN) * sizeof(Record))
    if moves == NULL:
        with gil:
            raise MemoryError
    movegen.moves(hand, position.level, table, position.options, moves)
    try:
        total = count_below_each(position, moves, n, depth - 1, patience)
    finally:
        free(moves)
    return total


cdef uint64_t count_below_each(
    Position* position, const Record* moves, int n, int depth, int* patience
) except? 0xFFFFFFFFFFFFFFFF nogil:
    """Count the sequences after each of some moves, all together."""
    cdef Trick before = position.trick
    cdef Trick last = before
    cdef uint64_t total = 0
    cdef uint64_t below_last = 0
    cdef int i
    for i in range(n):
        play(position, &moves[i])
        # The next seat's hand is as it was: how many moves it has depends on the table alone.
        if depth > 1 or i == 0 or memcmp(&position.trick, &last, sizeof(Trick)):
            last = position.trick
            below_last = count_below(position, depth, patience)
        undo(position, &moves[i], before)
        total += below_last
    return total


cdef inline void sort_hand(const Position* position, int seat, Holding* holding) noexcept nogil:
    """Sort a seat's hand and count its bombs, which it will be asked for until it plays again."""
    observe(holding, &position.hands[seat], position.level, position.options)
    count_all_bombs(holding)


cdef Course play_out(Position* position, Rng* rng, const Counters* counters) noexcept nogil:
    """Play uniform random moves to the end of the deal."""
    cdef Course course = Course(0, 0)
    cdef Holding[4] holdings
    cdef Census census
    cdef Record move
    cdef bint leads
    cdef int n, seat
    for seat in range(N_SEATS):
        sort_hand(position, seat, &holdings[seat])
    while position.trick.turn != NO_SEAT:
        seat = position.trick.turn
        leads = position.trick.kind == PASS
        n = take_census(&holdings[seat], table_of(position), &census)
        course.length += 1
        if n == 1 and not leads:
            pass_on(position)
            continue
        if counters != NULL:
            count_decision(counters, n, leads, course.length == 1)
        course.decisions += 1
        move = nth_move(&holdings[seat], &census, choose(rng, n))
        play(position, &move)
        if kind_of(&move) != PASS:
            sort_hand(position, seat, &holdings[seat])
    return course


cdef inline void count_decision(const Counters* counters, int n, bint leads, bint first) noexcept nogil:
    """Enter a decision among n moves."""
    cdef int place = min(n, MOST_COUNTED)
    (counters.leads if leads else counters.replies)[place] += 1
    if first:
        counters.openings[place] += 1

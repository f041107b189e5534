"""Bounds by tests from the sign outwards, lines and ratings by tests of the known value."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

cimport cython

from guandan.cards cimport Planes
from guandan.combos cimport OVERRUN, PASS, Move, Record, kind_of
from guandan.movegen cimport count, moves
from guandan.frames cimport NO_PLAY, PASS_PLAY, Prover, play_at
from guandan.limits cimport refill, set_limits
from guandan.nodes cimport Node, node_of
from guandan.outcomes cimport HOLDS, N_OUTCOMES, OPEN, outcome_of, outcomes_at, stage_of, test_for
from guandan.position cimport NO_SEAT, Position, play, table_of
from guandan.prover cimport (
    FORCED_PASSES, empty_prover, free_prover, make_prover, memory_of, prove,
    settling_play,
)
from guandan.state cimport State
from guandan.subhands cimport N_FAMILIES, Play, Subhand, intern, play_from

__all__ = ["Search"]

cdef extern from "Python.h":
    void* PyErr_Occurred() noexcept

cdef enum:
    LINE_ROOM = 512            # more than the longest deal
    N_HANDS = 1 << 17          # interned at most

cdef double FOREVER = 1e18


cdef struct Bounds:            # of a value's rank
    int low
    int high


cdef inline Bounds intersection(Bounds a, Bounds b) noexcept nogil:
    """Bounds that say what both say."""
    return Bounds(max(a.low, b.low), min(a.high, b.high))


cdef struct Rated:             # moves that leave equal positions
    Record move                # the first of them
    Play play
    Bounds bounds


cdef enum:
    EXACT = 0
    BEST = 1
    SIGN = 2

cdef dict MODES = {"exact": EXACT, "best": BEST, "sign": SIGN}


@cython.final
cdef class Search:
    """Tables of proofs and patterns and the search over them, for one thread at a time.

    `table_mb` MiB at most are taken by the tables, half by each, and less than 64 more by all else.
    """

    cdef Prover prover
    cdef uint8_t[N_OUTCOMES] ranks         # of the outcomes' values
    cdef bint stop_asked
    cdef bint is_busy
    cdef int level, options, lead_next     # of what is kept; level -1: nothing is

    def __cinit__(self, table_mb):
        make_prover(&self.prover, <uint64_t>(table_mb * (1 << 20)), N_HANDS)
        self.prover.stop = &self.stop_asked
        self.level = -1

    def __dealloc__(self):
        free_prover(&self.prover)

    def clear(self):
        """Forget all proofs."""
        self.level = -1

    def begin(self):
        """Hold earlier stops for done with: what follows is a new call."""
        self.stop_asked = False

    def stop(self):
        """End the running call, and those before the next `begin`, as a limit does; from another thread."""
        self.stop_asked = True

    @property
    def memory(self):
        """The bytes that have been used and are still held."""
        return memory_of(&self.prover)

    @property
    def techniques(self):
        """What may prune, merge or order, as bits; for tests."""
        return self.prover.techniques

    @techniques.setter
    def techniques(self, int techniques):
        self.prover.techniques = techniques
        self.level = -1

    cdef int prepare(self, State state, object ranks, object nodes, object seconds) except -1:
        """Take ranks and limits, and forget what other rules, levels or ranks have proven."""
        cdef uint8_t[N_OUTCOMES] wanted
        cdef const Position* position = &state.position
        cdef int i
        if self.is_busy:
            raise RuntimeError("it is solving already: a Solver is for one thread at a time")
        for i in range(N_OUTCOMES):
            wanted[i] = ranks[i]
        if (self.level != position.level or self.options != position.options
                or self.lead_next != position.lead_next or self.prover.hands.is_full
                or memcmp(wanted, self.ranks, sizeof(wanted))):
            empty_prover(&self.prover, position)
            self.level = position.level
            self.options = position.options
            self.lead_next = position.lead_next
            for i in range(N_OUTCOMES):
                self.ranks[i] = wanted[i]
            self.prover.top_rank = max(ranks)
        set_limits(&self.prover, min(nodes, 2**64 - 1) if nodes is not None else 2**64 - 1,
                   seconds if seconds is not None else FOREVER)
        if self.stop_asked:
            self.prover.stopped = True
        self.is_busy = True
        return 0

    cdef int finish(self) except -1:
        """End a call that was prepared; raise what a signal has left while no Python code ran."""
        self.is_busy = False
        return -1 if PyErr_Occurred() != NULL else 0

    cdef void ask(self, int rank) noexcept nogil:
        """Set the test whether the value's rank is at least so high."""
        cdef int outcome, wins = 0
        for outcome in range(N_OUTCOMES):
            wins |= (self.ranks[outcome] >= rank) << outcome
        self.prover.test = test_for(wins)
        self.prover.rank = rank

    cdef Bounds range_of(self, const Position* position) noexcept nogil:
        """The ranks that the seats that are out leave open."""
        cdef Bounds bounds = Bounds(255, 0)
        cdef int outcomes, outcome
        if position.trick.turn == NO_SEAT:
            outcomes = 1 << outcome_of(&position.trick)
        else:
            outcomes = outcomes_at(stage_of(&position.trick))
        for outcome in range(N_OUTCOMES):
            if outcomes >> outcome & 1:
                bounds.low = min(bounds.low, self.ranks[outcome])
                bounds.high = max(bounds.high, self.ranks[outcome])
        return bounds

    cdef Node node_of(self, const Position* position) noexcept nogil:
        """A deal that goes on, as a node."""
        return node_of(&self.prover.hands, position, self.prover.techniques & FORCED_PASSES)

    cdef bint starts_over(self, const Position* position, Node* node) noexcept nogil:
        """Make room for hands and the node anew, where a search stopped for want of it."""
        if not refill(&self.prover):
            return False
        node[0] = self.node_of(position)
        return True

    cdef Bounds narrow(self, const Position* position, int first, Bounds bounds) noexcept nogil:
        """Test the value's rank between bounds, from the test for `first` outwards."""
        cdef Node node
        cdef int rank = first, verdict
        bounds = intersection(bounds, self.range_of(position))
        if bounds.low >= bounds.high:
            return bounds
        node = self.node_of(position)
        while bounds.low < bounds.high:
            if not bounds.low < rank <= bounds.high:
                rank = bounds.low + 1 if bounds.low >= first else bounds.high
            self.ask(rank)
            verdict = prove(&self.prover, &node)
            while verdict == OPEN and self.starts_over(position, &node):
                verdict = prove(&self.prover, &node)
            if verdict == OPEN:
                break
            if verdict == HOLDS:
                bounds.low = rank
            else:
                bounds.high = rank - 1
        return bounds

    cdef Bounds narrow_once(self, const Position* position, int rank, Bounds bounds) noexcept nogil:
        """Test once whether the value's rank is at least so high, where the bounds leave that open."""
        cdef Bounds asked
        bounds = intersection(bounds, self.range_of(position))
        if not bounds.low < rank <= bounds.high:
            return bounds
        asked = self.narrow(position, rank, Bounds(rank - 1, rank))
        if asked.low == rank:
            bounds.low = rank
        elif asked.high < rank:
            bounds.high = rank - 1
        return bounds

    cdef bint find_move(self, const Position* position, int rank, Record* move) noexcept nogil:
        """Find a move by which the turn wins the test for a rank, as it can; False where stopped."""
        cdef Bounds open = self.range_of(position)
        cdef int n = count(&position.hands[position.trick.turn], position.level, table_of(position),
                           self.prover.hands.options)
        cdef Record* found = <Record*>malloc((n + OVERRUN) * sizeof(Record))
        cdef Record* end
        cdef Node node
        cdef int number
        if found == NULL:
            return False
        end = moves(&position.hands[position.trick.turn], position.level, table_of(position),
                    self.prover.hands.options, found)
        move[0] = found[0]
        number = PASS_PLAY if n == 1 or not open.low < rank <= open.high else NO_PLAY
        if number == NO_PLAY:
            self.ask(rank)
            node = self.node_of(position)
            number = settling_play(&self.prover, &node)
            while number == NO_PLAY and self.starts_over(position, &node):
                number = settling_play(&self.prover, &node)
            if number < NO_PLAY:
                self.match(position, &node, number, found, end, move)
        free(found)
        return number != NO_PLAY

    cdef void match(
        self, const Position* position, const Node* node, int number, const Record* found,
        const Record* end, Record* move
    ) noexcept nogil:
        """Find the first of some moves that is a play of the turn's hand, given by its number."""
        cdef const Subhand* hand = &self.prover.hands.hands[node.hands[node.turn]]
        cdef const Play* wanted = play_at(&self.prover, node, number)
        cdef Play given
        while found < end:
            if kind_of(found) != PASS:
                given = play_from(&self.prover.hands, hand, &position.hands[position.trick.turn], found)
                if (given.rest == wanted.rest and given.family == wanted.family
                        and given.key == wanted.key):
                    move[0] = found[0]
                    return
            found += 1

    cdef int trace(self, Position position, int rank, Record* line) noexcept nogil:
        """Write down a line of play in which the value keeps its rank; return its length."""
        cdef int n = 0
        # Side 0 wins the test for the rank itself, side 1 the one above it.
        while (position.trick.turn != NO_SEAT
               and self.find_move(&position, rank + (position.trick.turn & 1), &line[n])):
            play(&position, &line[n])
            n += 1
        return n

    def solve(self, State state not None, ranks, int first, int low, int high, nodes, seconds):
        """Return (low, high, line, nodes): bounds of the rank of a deal's value, by tests.

        `ranks` are those of the values of the six outcomes for side 0: side 0 first and its other
        player second, third, last, then the same for side 1. The test "rank >= first" comes first,
        then those further out, as far as they lie between `low` and `high`. The line is empty
        unless the bounds meet, and runs to the end of the deal unless a limit stops it. Bounds that
        are given must be known to hold.
        """
        cdef Record[LINE_ROOM] line
        cdef Bounds bounds = Bounds(low, high)
        cdef int i, n = 0
        cdef Position position = state.position
        self.prepare(state, ranks, nodes, seconds)
        with nogil:
            bounds = self.narrow(&position, first, bounds)
            if bounds.low == bounds.high:
                n = self.trace(position, bounds.low, line)
        self.finish()
        return (bounds.low, bounds.high, [Move.wrap(&line[i]) for i in range(n)], self.prover.nodes)

    def test(self, State state not None, ranks, int rank, nodes, seconds):
        """Return (verdict, move, nodes): whether the rank of a deal's value is at least so high.

        The verdict is None where a limit stops the search. The move is one by which the side to
        move wins the test, None where it does not.
        """
        cdef Position position = state.position
        cdef Bounds bounds
        cdef Record record
        cdef bint is_found = False
        self.prepare(state, ranks, nodes, seconds)
        with nogil:
            bounds = self.narrow_once(&position, rank, Bounds(0, self.prover.top_rank))
            if bounds.high < rank if position.trick.turn & 1 else bounds.low >= rank:
                is_found = self.find_move(&position, rank, &record)
        self.finish()
        verdict = True if bounds.low >= rank else False if bounds.high < rank else None
        return verdict, Move.wrap(&record) if is_found else None, self.prover.nodes

    cdef int sort_out(
        self, const Position* position, const Record* listed, int n, Rated* rated, int* which
    ) noexcept nogil:
        """Find which of n moves leave equal positions: set each move's class, return how many there are."""
        cdef const Planes* held = &position.hands[position.trick.turn]
        cdef const Subhand* hand = &self.prover.hands.hands[intern(&self.prover.hands, held, NULL)]
        cdef Play given
        cdef int i, found, n_classes = 0
        for i in range(n):
            if kind_of(&listed[i]) == PASS:
                memset(&given, 0, sizeof(given))
                given.family = N_FAMILIES
            else:
                given = play_from(&self.prover.hands, hand, held, &listed[i])
            found = 0
            while found < n_classes and memcmp(&rated[found].play, &given, sizeof(given)):
                found += 1
            if found == n_classes:
                rated[found].play = given
                rated[found].move = listed[i]
                n_classes += 1
            which[i] = found
        return n_classes

    cdef void rate_classes(
        self, const Position* position, int first, int mode, Rated* rated, int n
    ) noexcept nogil:
        """Bound the rank of the position after each of n moves, as far as the mode asks."""
        cdef bint is_side_0 = not position.trick.turn & 1
        cdef Bounds asked = Bounds(0, self.prover.top_rank)
        cdef Bounds root = asked
        cdef Position after
        cdef int i
        if mode == SIGN:
            root = self.narrow_once(position, first, asked)
        else:
            root = self.narrow(position, first, asked)
        # No move is better for the side to move than the best one.
        if is_side_0:
            asked.high = root.high
        else:
            asked.low = root.low
        for i in range(n):
            after = position[0]
            play(&after, &rated[i].move)
            if mode == EXACT:
                rated[i].bounds = self.narrow(&after, first, asked)
            elif mode == BEST:
                rated[i].bounds = self.narrow_once(&after, root.low if is_side_0 else root.high + 1, asked)
            else:
                rated[i].bounds = self.narrow_once(&after, first, asked)

    def rate(self, State state not None, ranks, int first, mode, nodes, seconds):
        """Return (ratings, classes, nodes): of each legal move, in list order, (move, low, high).

        The bounds are those of the rank of the value after the move. In mode "exact" they meet; in
        mode "best" they tell which moves are best; in mode "sign" they lie on one side of `first`.
        Fewer things may be known where a limit stops the search. Moves that leave equal positions
        are of one class; `classes` has a number for each move, from 0 in the order of the list.
        """
        cdef Position position = state.position
        cdef Record* listed = NULL
        cdef Rated* rated = NULL
        cdef int* which = NULL
        cdef int i, n, n_classes, how = MODES[mode]
        cdef const Rated* known
        if position.trick.turn == NO_SEAT:
            return [], [], 0
        self.prepare(state, ranks, nodes, seconds)
        n = count(&position.hands[position.trick.turn], position.level, table_of(&position), position.options)
        try:
            listed = <Record*>malloc((n + OVERRUN) * sizeof(Record))
            rated = <Rated*>malloc(n * sizeof(Rated))
            which = <int*>malloc(n * sizeof(int))
            if listed == NULL or rated == NULL or which == NULL:
                raise MemoryError
            with nogil:
                moves(&position.hands[position.trick.turn], position.level, table_of(&position),
                      position.options, listed)
                n_classes = self.sort_out(&position, listed, n, rated, which)
                if self.prover.hands.is_full:      # and void: one hand's moves fit an empty room
                    refill(&self.prover)
                    n_classes = self.sort_out(&position, listed, n, rated, which)
                self.rate_classes(&position, first, how, rated, n_classes)
            self.finish()
            ratings = []
            for i in range(n):
                known = &rated[which[i]]
                ratings.append((Move.wrap(&listed[i]), known.bounds.low, known.bounds.high))
            return ratings, [which[i] for i in range(n)], self.prover.nodes
        finally:
            self.is_busy = False
            free(listed)
            free(rated)
            free(which)

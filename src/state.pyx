"""A deal in play: moves with their checks, history, payoff."""

from functools import lru_cache

from guandan.cards import CARDS
from guandan.combos import Kind
from guandan.errors import AmbiguousMoveError, IllegalMoveError, NotationError, StateError
from guandan.rules import Rules

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

cimport cython

from guandan.cards cimport (
    N_SEATS, NO_RANK, Hand, Planes, card_texts, check_bool, contains, level_text, read_cards, read_int,
    read_level, read_seed, shorten,
)
from guandan.combos cimport (
    FULL_HOUSE, MAX_READINGS, PASS, STRAIGHT, STRAIGHT_FLUSH, Move, Table, beats, cards_of, kind_of,
    rank_of, read_all, read_table, tag,
)
from guandan.movelist cimport MoveList, list_moves, read_suits
from guandan.observation cimport Observation, Play, look, read_observer, seat_of
from guandan.position cimport (
    NO_SEAT, deal_position, is_legal, key, pass_on, payoff, perft, play, play_out, table_of, undo,
    write_order,
)
from guandan.rng cimport Rng, next_bits, stream
from guandan.setup cimport (
    Setup, is_sound, position_of, problems_of, read_out, read_seat, read_setup, read_text, text_of,
)

__all__ = ["State"]

cdef enum:
    MOST_MOVES = 500           # more than the longest deal: 108 plays, three passes after each

cdef object DEFAULT = Rules()
cdef object KIND_WORDS = frozenset(kind.name.lower() for kind in Kind)


# Rules

cdef object read_rules(object rules):
    """A Rules, the default for None."""
    if rules is None:
        return DEFAULT
    if not isinstance(rules, Rules):
        raise TypeError(f'rules: want a Rules, such as Rules.preset("opengd"), got {shorten(rules)}')
    return rules


@lru_cache
def salt_of(rules):
    """Return what the rules add to keys: a hash of their text."""
    cdef Rng rng = Rng(0)
    for byte in repr(rules).encode():
        rng.state ^= <uint64_t>byte
        rng.state = next_bits(&rng)
    return rng.state


cdef uint64_t DEFAULT_SALT = salt_of(DEFAULT)


cdef int apply_rules(Position* position, object rules) except -1:
    """Set what of a position its rules say."""
    position.options = <uint16_t>rules.switches
    position.lead_next = rules.lead_after_out == "next"
    return 0


cdef int read_steps(object rules, int* steps) except -1:
    """The level steps for the partner's places."""
    steps[0], steps[1], steps[2] = rules.steps
    return 0


# Moves as they are given

cdef Record settle(Planes cards, int level, Table table, object rules) except *:
    """The move that cards shown alone are: the rules' `straight_reading` and `full_house_reading`.

    Readings that may not be played on the table are dropped; of several that are left, all of one
    kind, the rules may say which counts. The cards are not looked for in a hand.
    """
    cdef Record[MAX_READINGS] found
    cdef Record[MAX_READINGS] legal
    cdef int n = read_all(&cards, level, rules.switches, found)
    cdef int n_legal = 0
    cdef int i, kind
    cdef str way = "ask"
    for i in range(n):
        found[i].once |= cards.once
        found[i].twice |= cards.twice
        if table.kind == PASS or beats(Table(kind_of(&found[i]), rank_of(&found[i])), table, level):
            legal[n_legal] = found[i]
            n_legal += 1
    if n == 0:
        raise IllegalMoveError(f"{card_texts(&cards, ' ')} make no move at level {level_text(level)}")
    if n_legal == 0 and n > 1:
        raise IllegalMoveError(f"{card_texts(&cards, ' ')} do not beat {table_text(table)}: "
                               f"they make {moves_text(found, n)}")
    if n_legal == 0:
        raise IllegalMoveError(f"{moves_text(found, n)} does not beat {table_text(table)}")
    kind = kind_of(&legal[0])
    if n_legal > 1 and kind == kind_of(&legal[n_legal - 1]):   # they are in the order of kinds
        if kind == STRAIGHT or kind == STRAIGHT_FLUSH:
            way = rules.straight_reading
        elif kind == FULL_HOUSE:
            way = rules.full_house_reading
    if n_legal > 1 and way == "ask":
        raise AmbiguousMoveError(
            f"{card_texts(&cards, ' ')} can be several moves, say which: {moves_text(legal, n_legal)}")
    return legal[n_legal - 1 if way == "high" else 0]


cdef str moves_text(const Record* moves, int n):
    """Name some moves."""
    return ", ".join([str(Move.wrap(&moves[i])) for i in range(n)])


cdef str table_text(Table table):
    """Name what is to be beaten."""
    cdef Record record = tag(table.kind, table.rank)
    return f"the {Move.wrap(&record)} on the table"


cdef int require_cards(const Position* position, const Planes* cards, str text) except -1:
    """Raise IllegalMoveError unless the deal goes on and the turn holds the cards of a text."""
    cdef int turn = position.trick.turn
    cdef Planes lacking = Planes(0, 0)
    if turn == NO_SEAT:
        raise IllegalMoveError(f"{text}: the deal is over")
    if not contains(&position.hands[turn], cards):
        lacking.twice = cards.twice & ~position.hands[turn].once
        lacking.once = (cards.once & ~position.hands[turn].once
                        | cards.twice & ~position.hands[turn].twice)
        raise IllegalMoveError(f"{text}: seat {turn} lacks {card_texts(&lacking, ' ')}")
    return 0


cdef int refuse(const Position* position, const Record* move) except -1:
    """Raise IllegalMoveError with the reason why a move is not legal."""
    cdef str text = str(Move.wrap(move))
    cdef Planes cards = cards_of(move)
    require_cards(position, &cards, text)
    if kind_of(move) == PASS:
        raise IllegalMoveError(f"seat {position.trick.turn} leads and may not pass")
    if cards.once == 0:
        raise IllegalMoveError(f"{text} lacks its cards: say which are played")
    read_table(Move.wrap(move), position.level, position.options)      # where the cards make another
    raise IllegalMoveError(f"{text} does not beat {table_text(table_of(position))}")


cdef bint is_move_text(str text):
    """Whether a text is meant as a move's, and not as cards."""
    first = (text.split(maxsplit=1) or [""])[0]
    if first.lower() in KIND_WORDS:
        return True
    cards = all([first[i:i + 2].upper() in CARDS for i in range(0, len(first), 2)])
    return not first or first.islower() and not cards


# Deals in play

@cython.final
cdef class State:
    """A deal in play: hands, level, turn, table, seats out, rules, and the moves so far.

    `hands` are those of seats 0 to 3, each a Hand or what makes one; `level` a rank's text; `turn`
    the seat to move, None where the deal is over; `table` the Move to beat, or its text, with or
    without cards, None where the turn leads; `owner` the seat that played it; `out` the seats
    without cards, in the order in which they ran out. The order of play is 0, 1, 2, 3, 0; seats
    0 and 2 play against 1 and 3. `rules` is a Rules (default: jiangsu2023).

    A State changes as moves are played, and is for one thread at a time; `==` and `key` look at
    all but the table's cards and the history. Raises StateError with all that is wrong where no
    deal can come to the position, NotationError for text that cannot be read, TypeError for what
    is neither hands, seats nor rules.

    >>> state = State(["S3 C3", "S4 C4 HR", "D9", "SB"], level="2", turn=0)
    >>> state.push("pair 3 S3 C3"), state.push("S4 C4"), state.turn, state.out
    (Move.parse("pair 3 S3 C3"), Move.parse("pair 4 S4 C4"), 2, (0,))
    >>> str(state)
    '-/HR/D9/SB 2 2 1:pair:4:S4C4 0'
    """

    def __cinit__(self):
        self.position.trick.turn = NO_SEAT
        self.rules = DEFAULT
        self.salt = DEFAULT_SALT

    def __init__(self, hands, *, level, turn, table=None, owner=None, out=(), rules=None):
        chosen = read_rules(rules)
        cdef Setup setup = read_setup(hands, level, turn, table, owner, chosen.switches)
        cdef tuple seats = read_out(out)
        cdef list problems = problems_of(&setup, seats)
        if problems:
            raise StateError(problems)
        cdef Position position = position_of(&setup, seats)
        self.begin(&position, chosen)
        self.shown = setup.table

    def __dealloc__(self):
        free(self.past)

    cdef int begin(self, const Position* position, object rules) except -1:
        """Set the position under some rules, without a history."""
        self.rules = rules
        self.salt = salt_of(rules)
        self.position = position[0]
        apply_rules(&self.position, rules)
        self.shown = tag(PASS, NO_RANK)
        self.n_past = 0
        return 0

    @staticmethod
    def deal(level, seed, turn=None, rules=None):
        """Deal the hands of `deal_hands(seed)`; who leads is drawn by the seed unless `turn` is given.

        The level too is drawn where it is None. Another seed than an int from 0 to 2**64 - 1 raises
        ValueError, a level that is none NotationError, a turn that is no seat StateError.

        >>> State.deal(level="2", seed=7).turn
        3
        """
        cdef State state = State.__new__(State)
        cdef Position position = deal_position(read_seed(seed))
        if level is not None:
            position.level = <uint8_t>read_level(level)
        if turn is not None:
            position.trick.turn = <uint8_t>read_seat("turn", turn)
        state.begin(&position, read_rules(rules))
        return state

    @staticmethod
    def parse(text, rules=None):
        """Read a state's text: four hands, level, turn, table, seats out.

        Raises NotationError for what cannot be read, StateError for what cannot be.

        >>> State.parse("S4S5D9/SBHR/-/C2C2H3 7 0 3:pair:2 2").owner
        3
        """
        return State(**read_text(text), rules=rules)

    @property
    def hands(self):
        """The hands of seats 0 to 3, a tuple of Hand."""
        return tuple([Hand.wrap(self.position.hands[seat]) for seat in range(N_SEATS)])

    @property
    def level(self):
        """The level, a text."""
        return level_text(self.position.level)

    @property
    def turn(self):
        """The seat to move; None when the deal is over."""
        return seat_of(self.position.trick.turn)

    @property
    def table(self):
        """The Move to beat, with its cards where they are known; None where the turn leads."""
        return Move.wrap(&self.shown) if self.position.trick.kind != PASS else None

    @property
    def owner(self):
        """The seat that played the table; None where there is none."""
        return seat_of(self.position.trick.owner)

    @property
    def out(self):
        """The seats that have run out, in their order, a tuple."""
        return tuple([int(self.position.trick.out[place]) for place in range(self.position.trick.n_out)])

    @property
    @cython.critical_section
    def history(self):
        """The moves since the state was made, a tuple of Move; `pop` takes them back."""
        return tuple([Move.wrap(&self.past[i].move) for i in range(self.n_past)])

    @property
    def is_over(self):
        """Whether the deal is decided: three seats out, or both of one side first and second."""
        return self.position.trick.turn == NO_SEAT

    @property
    def order(self):
        """The four seats by place; None while playing.

        After a double the two others follow by number; they are last together.
        """
        cdef uint8_t[N_SEATS] order
        if not self.is_over:
            return None
        write_order(&self.position.trick, order)
        return int(order[0]), int(order[1]), int(order[2]), int(order[3])

    @property
    def payoff(self):
        """The level steps that side 0 wins, negative where side 1 wins them; None while playing."""
        cdef int[3] steps
        if not self.is_over:
            return None
        read_steps(self.rules, steps)
        return payoff(&self.position.trick, steps)

    @property
    def key(self):
        """A 64-bit hash, equal for equal states however reached and on every platform."""
        return key(&self.position) ^ self.salt

    @cython.critical_section
    def observe(self, seat):
        """Return what a seat knows, an Observation: its hand, and what all have seen.

        The moves before the state was made are not known. Raises StateError for an int that is no
        seat, TypeError for what is no int.

        >>> state = State.deal(level="2", seed=7)
        >>> state.observe(0)
        <Observation of seat 0: 27 cards at level 2, turn 3, 0 moves known>
        """
        cdef Observation seen = Observation.allocate(self.n_past, self.rules)
        cdef Py_ssize_t place
        look(&seen.view, &self.position, read_observer(seat), &self.shown)
        for place in range(self.n_past):
            seen.past[place] = Play(self.past[place].move, self.past[place].trick.turn)
        seen.note_past()
        return seen

    def legal_moves(self, suits="all"):
        """List the moves of the seat to move, as `legal_moves` does; none when the deal is over."""
        cdef int options = read_suits(suits) | self.position.options
        cdef int turn = self.position.trick.turn
        if turn == NO_SEAT:
            return MoveList.allocate(0, self.position.level)
        return list_moves(
            &self.position.hands[turn], self.position.level, table_of(&self.position), options)

    cdef Record read_move(self, object move) except *:
        """The move that is meant by a Move, by a move's text, or by cards alone."""
        cdef Move given
        cdef Planes cards
        try:
            if isinstance(move, str) and is_move_text(move):
                move = Move.parse(move)
            if isinstance(move, Move):
                given = move
                return given.record
            if isinstance(move, bytes) or not hasattr(move, "__iter__"):
                raise NotationError(f"{shorten(move)} is no move: give a Move, its text or its cards")
            cards = read_cards(move)
        except StateError as error:        # a third copy of a card
            raise IllegalMoveError(str(error)) from None
        if cards.once == 0:
            raise NotationError('no cards are no move: to pass write "pass"')
        require_cards(&self.position, &cards, card_texts(&cards, " "))
        return settle(cards, self.position.level, table_of(&self.position), self.rules)

    def is_legal(self, move):
        """Return whether `push` would play a move; NotationError for text that cannot be read."""
        cdef Record record
        try:
            record = self.read_move(move)
        except (AmbiguousMoveError, IllegalMoveError):
            return False
        return is_legal(&self.position, &record)

    @cython.critical_section
    def push(self, move):
        """Play a move for the seat to move and return it, a Move.

        `move` is a Move, a move's text, or cards alone: then the one reading that is legal here,
        or the one that the rules' `straight_reading` and `full_house_reading` choose.

        Raises IllegalMoveError for a move that is not legal here, saying why; AmbiguousMoveError
        for cards with several readings, listing them; NotationError for text that cannot be read.
        Nothing is changed then.

        >>> state = State(["S4 C5 D6 S7 H2", "SB", "HR", "S3"], level="2", turn=0)
        >>> state.push("S4 C5 D6 S7 H2")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        guandan.errors.AmbiguousMoveError: H2 S4 C5 D6 S7 can be several moves, say which: straight 7 ...
        """
        cdef Record record = self.read_move(move)
        if not is_legal(&self.position, &record):
            refuse(&self.position, &record)
        self.keep(&record)
        if kind_of(&record) != PASS:
            self.shown = record
        play(&self.position, &record)
        assert is_sound(&self.position)
        return move if isinstance(move, Move) else Move.wrap(&record)

    cdef int keep(self, const Record* move) except -1:
        """Put what takes a move back into the history."""
        cdef Past* past
        if self.n_past == self.room:
            past = <Past*>realloc(self.past, (2 * self.room + 32) * sizeof(Past))
            if past == NULL:
                raise MemoryError
            self.past = past
            self.room = 2 * self.room + 32
        self.past[self.n_past] = Past(move[0], self.position.trick, self.shown)
        self.n_past += 1
        return 0

    @cython.critical_section
    def skip(self):
        """Let the seat to move lose its turn, and return the pass that it makes.

        Where it leads the next seat still in does; everywhere else it is as if it had passed. The
        pass stands in the history, and `pop` takes it back. Raises IllegalMoveError where the deal
        is over.

        >>> state = State(["S3", "S4", "S5", "S6"], level="2", turn=0)
        >>> state.skip(), state.turn, state.table
        (Move.parse("pass"), 1, None)
        """
        cdef Record move = tag(PASS, NO_RANK)
        if self.position.trick.turn == NO_SEAT:
            raise IllegalMoveError("the deal is over, no seat has a turn to lose")
        self.keep(&move)
        pass_on(&self.position)
        assert is_sound(&self.position)
        return Move.wrap(&move)

    @cython.critical_section
    def pop(self):
        """Take the last move back and return it; IndexError where there is none."""
        cdef Past* last
        if self.n_past == 0:
            raise IndexError("no move has been played")
        self.n_past -= 1
        last = &self.past[self.n_past]
        undo(&self.position, &last.move, last.trick)
        self.shown = last.shown
        assert is_sound(&self.position)
        return Move.wrap(&last.move)

    @cython.critical_section
    def copy(self, history=True):
        """Return a copy that goes its own way; without the history if that is not needed."""
        cdef State state = State.__new__(State)
        state.position = self.position
        state.shown = self.shown
        state.rules = self.rules
        state.salt = self.salt
        if check_bool("history", history) and self.n_past:
            state.past = <Past*>realloc(NULL, self.n_past * sizeof(Past))
            if state.past == NULL:
                raise MemoryError
            memcpy(state.past, self.past, self.n_past * sizeof(Past))
            state.n_past = state.room = self.n_past
        return state

    def perft(self, depth):
        """Return the number of sequences of exactly `depth` legal moves, passes included.

        Sequences that the end of the deal cuts short do not count. A negative depth raises
        ValueError.

        >>> State.parse("S3C3/S4/HR/D2 5 0 - -").perft(2)
        5
        """
        cdef int most = min(read_int("depth", depth, 0), MOST_MOVES)
        cdef Position position = self.position
        cdef uint64_t total
        with nogil:
            total = perft(&position, most)
        return total

    def playout(self, seed):
        """Return the payoff after uniform random legal moves to the end of the deal.

        The state stays as it is. The same as `playouts([state], seed).payoffs[0]`.
        """
        cdef Rng rng = stream(read_seed(seed), 0)
        cdef Position position = self.position
        cdef int[3] steps
        read_steps(self.rules, steps)
        play_out(&position, &rng, NULL)
        return payoff(&position.trick, steps)

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        cdef State theirs = <State>other
        return (not memcmp(self.position.hands, theirs.position.hands, sizeof(self.position.hands))
                and not memcmp(&self.position.trick, &theirs.position.trick, sizeof(Trick))
                and self.position.level == theirs.position.level
                and self.rules == theirs.rules)

    __hash__ = None

    def __str__(self):
        return text_of(&self.position, &self.shown)

    def __repr__(self):
        rules = f", rules={self.rules!r}" if self.rules != DEFAULT else ""
        return f'State.parse("{self}"{rules})'

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef State first = self.copy()
        while first.n_past:
            first.pop()
        return replay, (str(first), self.rules, self.history)


cpdef State read_state(object state):
    """The State that an argument is; TypeError for what is none."""
    if not isinstance(state, State):
        raise TypeError(f"state: want a State, such as State.parse(text), got {shorten(state)}")
    return state


def replay(text, rules, moves):
    """Put a pickled State together again."""
    cdef State state = State.parse(text, rules)
    for move in moves:
        if move.size == 0 and state.table is None:
            state.skip()
        else:
            state.push(move)
    return state

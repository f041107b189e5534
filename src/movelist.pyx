"""Lists of moves, and the calls that make them."""

import numpy as np

from guandan.errors import IllegalMoveError, StateError

from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cimport cython
from cpython.buffer cimport PyBUF_WRITABLE

cimport guandan.movegen as movegen
from guandan.actions cimport set_ids
from guandan.arrays cimport Hands, Rows, rows_of
from guandan.cards cimport (
    N_KINDS_OF_CARD, Planes, int_of, level_text, read_cards, read_int, read_level, shorten, write_counts,
)
from guandan.combos cimport TAG_SHIFT, Move, Table, cards_of, read_table, same, switches_of
from guandan.movegen cimport OVERRUN, SUITS_ALL, SUITS_FLUSH, SUITS_ONE

__all__ = ["MoveBatch", "MoveList", "count_moves", "legal_moves", "legal_moves_batch", "nth_move"]

cdef dict _suits = {"all": SUITS_ALL, "flush": SUITS_FLUSH, "one": SUITS_ONE}


cdef int read_suits(object suits) except -1:
    """The Suits of a word."""
    mode = _suits.get(suits) if isinstance(suits, str) else None
    if mode is None:
        raise ValueError(f'suits {shorten(suits)}: want "all", "flush" or "one"')
    return <int>mode


cdef int read_options(object suits, object rules) except -1:
    """The options of the kernels for a `suits` word and a Rules."""
    return read_suits(suits) | switches_of(rules)


cdef struct Question:          # of which hand's moves is asked
    Planes hand
    int level
    int options
    Table table


cdef Question read_question(object hand, object level, object beat, object suits, object rules) except *:
    """The arguments that all calls for one hand share."""
    cdef Question asked
    asked.hand = read_cards(hand)
    if asked.hand.once == 0:
        raise StateError("an empty hand has no moves")
    asked.level = read_level(level)
    asked.options = read_options(suits, rules)
    asked.table = read_table(beat, asked.level, asked.options)
    return asked


cdef inline int count_of(const Question* asked) noexcept nogil:
    """How many moves there are."""
    return movegen.count(&asked.hand, asked.level, asked.table, asked.options)


# Lists

cdef void write_all_counts(const Record* moves, Py_ssize_t n, uint8_t* counts) noexcept nogil:
    """Write the copies of each kind of card of some moves, 54 counts a move."""
    cdef Planes cards
    cdef Py_ssize_t i
    for i in range(n):
        cards = cards_of(&moves[i])
        write_counts(&cards, &counts[i * N_KINDS_OF_CARD])


@cython.final
cdef class MoveList:
    """A sequence of moves in list order that cannot be written, over records of 16 bytes each.

    Indexing makes a Move; a slice, a mask or an array of indices makes a MoveList; `in` and
    `index` take a Move or its text. The arrays are made without a Python loop.

    >>> moves = legal_moves("S3 C3 H2", level="2")
    >>> len(moves), moves[3], moves.kinds
    (7, Move.parse("pair 3 S3 C3"), array([1, 1, 1, 2, 2, 2, 3], dtype=uint8))
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("a MoveList is made by legal_moves")

    def __dealloc__(self):
        if self.owner is None:
            free(self.records_begin)

    @staticmethod
    cdef MoveList allocate(Py_ssize_t n, int level):
        cdef MoveList moves = MoveList.__new__(MoveList)
        moves.n = n
        moves.level_code = level
        moves.records_begin = <Record*>malloc((n + OVERRUN) * sizeof(Record))
        if moves.records_begin == NULL:
            raise MemoryError
        return moves

    @staticmethod
    cdef MoveList view(Record* begin, Py_ssize_t n, int level, object owner):
        cdef MoveList moves = MoveList.__new__(MoveList)
        moves.n = n
        moves.level_code = level
        moves.records_begin = begin
        moves.owner = owner
        return moves

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        if flags & PyBUF_WRITABLE:
            raise BufferError("a MoveList cannot be written")
        self.shape[0], self.shape[1] = self.n, 2
        self.strides[0], self.strides[1] = sizeof(Record), 8
        buffer.buf = self.records_begin
        buffer.obj = self
        buffer.len = self.n * sizeof(Record)
        buffer.itemsize = 8
        buffer.readonly = 1
        buffer.ndim = 2
        buffer.format = "Q"
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL
        buffer.internal = NULL

    @property
    def records(self):
        """The records themselves, read-only uint64 of shape (n, 2): bits 0-53 the two planes, from
        56 on the kind and the rank code."""
        return np.asarray(memoryview(self)).view(np.uint64)

    @property
    def kinds(self):
        """The kinds of move, a new uint8 array of shape (n,)."""
        return (self.records[:, 0] >> np.uint64(TAG_SHIFT)).astype(np.uint8)

    @property
    def ranks(self):
        """The rank codes, a new uint8 array of shape (n,): 0..12, 13 "B", 14 "R", 15 none."""
        return (self.records[:, 1] >> np.uint64(TAG_SHIFT)).astype(np.uint8)

    @property
    def planes(self):
        """The planes of the cards, a new uint64 array of shape (n, 2)."""
        return self.records & np.uint64((1 << 54) - 1)

    @property
    def level(self):
        """The level at which these are moves, a text."""
        return level_text(self.level_code)

    @property
    def action_ids(self):
        """The ids of their abstract actions, places in `ACTIONS`: a new uint16 array of shape (n,)."""
        cdef uint16_t[::1] ids = np.empty(self.n, np.uint16)
        write_ids(self.records_begin, self.n, self.level_code, ids, 0)
        return np.asarray(ids)

    def counts(self):
        """Return the copies of each kind of card, a new uint8 array of shape (n, 54)."""
        counts = np.empty((self.n, N_KINDS_OF_CARD), np.uint8)
        cdef uint8_t[:, ::1] rows = counts
        if self.n:
            write_all_counts(self.records_begin, self.n, &rows[0, 0])
        return counts

    def index(self, move):
        """Return the place of a Move, or of a move's text; IllegalMoveError if it is not listed."""
        cdef Move wanted = move if isinstance(move, Move) else Move.parse(move)
        cdef Py_ssize_t place
        for place in range(self.n):
            if same(&self.records_begin[place], &wanted.record):
                return place
        raise IllegalMoveError(f"{wanted} is not one of these {self.n} moves")

    def __contains__(self, move):
        try:
            self.index(move)
        except IllegalMoveError:
            return False
        return True

    def __len__(self):
        return self.n

    def __getitem__(self, place):
        cdef Py_ssize_t index, start, stop, step
        if isinstance(place, slice):
            start, stop, step = place.indices(self.n)
            if step == 1:
                return MoveList.view(self.records_begin + start, max(0, stop - start), self.level_code,
                                     self if self.owner is None else self.owner)
            return move_list(self.records[place], self.level_code)
        if isinstance(place, (list, np.ndarray)):
            return move_list(self.records[place], self.level_code)
        number = int_of(place)
        if number is None:
            raise TypeError(f"index={shorten(place)}: want an int, a slice, a mask or an array of indices")
        place = number
        if not -self.n <= place < self.n:
            raise IndexError(f"index {shorten(place)} of a list of {self.n} moves")
        index = place
        if index < 0:
            index += self.n
        return Move.wrap(&self.records_begin[index])

    def __iter__(self):
        cdef Py_ssize_t place
        for place in range(self.n):
            yield Move.wrap(&self.records_begin[place])

    def __eq__(self, other):
        if not isinstance(other, MoveList):
            return NotImplemented
        cdef MoveList theirs = <MoveList>other
        return self.n == theirs.n and (self.n == 0 or not memcmp(
            self.records_begin, theirs.records_begin, self.n * sizeof(Record)))

    __hash__ = None

    def __repr__(self):
        shown = ", ".join(str(move) for move in self[:3])
        return f"<MoveList of {self.n} moves: {shown}{', ...' if self.n > 3 else ''}>"

    def __reduce__(self):
        return move_list, (np.array(self.records), self.level_code)


cdef int write_ids(
    const Record* moves, Py_ssize_t n, int level, uint16_t[::1] ids, Py_ssize_t at
) except -1:
    """Write the ids of some moves into an array from a place on."""
    if n and not set_ids(moves, n, level, &ids[at]):
        raise StateError("a record is no move: has its buffer been written over?")
    return 0


def move_list(records, level):
    """Copy records, uint64 of shape (n, 2), into a MoveList; the level is a rank code."""
    cdef const uint64_t[:, ::1] copied = np.ascontiguousarray(records, np.uint64)
    cdef MoveList moves = MoveList.allocate(copied.shape[0], level)
    if moves.n:
        memcpy(moves.records_begin, &copied[0, 0], moves.n * sizeof(Record))
    return moves


# One hand

cdef MoveList list_moves(const Planes* hand, int level, Table table, int options):
    """List the moves of a hand that is not empty."""
    cdef MoveList moves = MoveList.allocate(movegen.count(hand, level, table, options), level)
    movegen.moves(hand, level, table, options, moves.records_begin)
    return moves


def legal_moves(hand, level, beat=None, suits="all", rules=None):
    """List the moves of a hand at a level: the leads, or what may be played on `beat`.

    `hand` is a Hand or what makes one; `beat` a Move or a move's text, cards or not, and the
    replies begin with the pass. `suits` says which sets of cards are different moves: "all",
    "flush" (one for each that matters when all cards are open) or "one" (one for each set of
    ranks). `rules` is a Rules (default: jiangsu2023). The order is fixed: by kind, then rising
    key, then fewer wilds first.

    Raises StateError for an empty hand or a third copy of a card, NotationError for text that
    cannot be read, IllegalMoveError for a `beat` that cannot be, ValueError for another `suits`,
    TypeError for `rules` that are no Rules.

    >>> list(map(str, legal_moves("S3 C3 H2", level="2", beat="single 3")))
    ['pass', 'single 2 H2']
    """
    cdef Question asked = read_question(hand, level, beat, suits, rules)
    return list_moves(&asked.hand, asked.level, asked.table, asked.options)


def count_moves(hand, level, beat=None, suits="all", rules=None):
    """Return how many moves `legal_moves` lists for the same arguments, without listing them.

    >>> count_moves("S3 C3 H2", level="2", beat="single 3")
    2
    """
    cdef Question asked = read_question(hand, level, beat, suits, rules)
    return count_of(&asked)


def nth_move(hand, level, index, beat=None, suits="all", rules=None):
    """Return the move at an index of what `legal_moves` lists for the same arguments, without listing.

    An index that is not below `count_moves`, or is negative, raises IndexError.

    >>> nth_move("S3 C3 H2", "2", 3)
    Move.parse("pair 3 S3 C3")
    """
    cdef Question asked = read_question(hand, level, beat, suits, rules)
    cdef int n = count_of(&asked)
    cdef Record record
    place = read_int("index", index)
    if not 0 <= place < n:
        raise IndexError(f"index {shorten(place)} of {n} moves: want 0 to {n - 1}")
    record = movegen.nth(&asked.hand, asked.level, asked.table, asked.options, place)
    return Move.wrap(&record)


# Many hands

cdef bint list_within(
    const Planes* hand, int level, Table table, int options, Record* out, Py_ssize_t n, bint spare
) noexcept nogil:
    """List the n moves of a hand; False where there is no memory.

    A list may write a little past its end, into what is listed next; where that is not the
    caller's to write, `spare`, the list is made elsewhere and copied.
    """
    cdef Record* listed = <Record*>malloc((n + OVERRUN) * sizeof(Record)) if spare else out
    if listed == NULL:
        return False
    movegen.moves(hand, level, table, options, listed)
    if spare:
        memcpy(out, listed, n * sizeof(Record))
        free(listed)
    return True


@cython.final
cdef class MoveBatch:
    """The moves of many hands: their records one hand after another, and where each hand begins.

    `batch[i]` is the MoveList of hand i, over the same records. `kinds`, `ranks`, `planes`,
    `records`, `action_ids` and `counts()` are those of a MoveList, over all hands.
    """

    def __init__(self, *args, **kwargs):
        raise TypeError("a MoveBatch is made by legal_moves_batch")

    @staticmethod
    cdef MoveBatch of(MoveList moves, bytes levels, object offsets):
        cdef MoveBatch batch = MoveBatch.__new__(MoveBatch)
        batch.moves = moves
        batch.levels = levels
        offsets.flags.writeable = False    # the records of each hand are found by it
        batch.offsets = offsets
        return batch

    @property
    def records(self):
        """The records of all hands, read-only uint64 of shape (m, 2), not copied."""
        return self.moves.records

    @property
    def kinds(self):
        """The kinds of move, a new uint8 array of shape (m,)."""
        return self.moves.kinds

    @property
    def ranks(self):
        """The rank codes, a new uint8 array of shape (m,)."""
        return self.moves.ranks

    @property
    def planes(self):
        """The planes of the cards, a new uint64 array of shape (m, 2)."""
        return self.moves.planes

    @property
    def action_ids(self):
        """The ids of their abstract actions, a new uint16 array of shape (m,)."""
        cdef uint16_t[::1] ids = np.zeros(self.moves.n, np.uint16)
        cdef MoveList moves
        for moves in self:
            write_ids(moves.records_begin, moves.n, moves.level_code, ids,
                      moves.records_begin - self.moves.records_begin)
        return np.asarray(ids)

    def counts(self):
        """Return the copies of each kind of card, a new uint8 array of shape (m, 54)."""
        return self.moves.counts()

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, hand):
        n = len(self)
        place = read_int("hand", hand)
        if not -n <= place < n:
            raise IndexError(f"hand {shorten(place)} of a batch of {n}")
        place = place % n
        cdef MoveList moves = self.moves[self.offsets[place]:self.offsets[place + 1]]
        moves.level_code = self.levels[place]
        return moves

    def __iter__(self):
        return (self[hand] for hand in range(len(self)))

    def __repr__(self):
        return f"<MoveBatch of {len(self)} hands, {len(self.moves)} moves>"

    def __reduce__(self):
        return move_batch, (self.moves, self.levels, self.offsets)


def move_batch(MoveList moves, levels, offsets):
    """Put a pickled MoveBatch together again."""
    return MoveBatch.of(moves, levels, offsets)


@cython.final
cdef class Batch(Hands):
    """The hands of one call: counted, then listed piece by piece."""

    cdef Rows held_offsets, held_out
    cdef int64_t* offsets
    cdef Record* out
    cdef Py_ssize_t room

    cdef int take_out(self, object out) except -1:
        """Use an array for the records."""
        self.held_out = rows_of("out", out, "uint64", 2, -1, True)
        self.out = <Record*>self.held_out.data
        self.room = self.held_out.n
        return 0

    cdef void count(self) noexcept nogil:
        """Set the offsets."""
        cdef Py_ssize_t i
        self.offsets[0] = 0
        for i in range(self.n):
            self.offsets[i + 1] = self.offsets[i] + movegen.count(
                &self.hands[i], self.levels[i], self.table(i), self.options)

    cdef int list_hands(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """List the hands first to last - 1."""
        cdef int64_t limit = self.room if last == self.n else self.offsets[last]
        cdef int64_t end
        cdef Py_ssize_t i
        for i in range(first, last):
            end = self.offsets[i + 1]
            if not list_within(&self.hands[i], self.levels[i], self.table(i), self.options,
                               &self.out[self.offsets[i]], end - self.offsets[i], end + OVERRUN > limit):
                with gil:
                    raise MemoryError
        return 0

    def run(self, Py_ssize_t first, Py_ssize_t last):
        """List the hands first to last - 1 without the GIL."""
        if not 0 <= first <= last <= self.n:
            raise IndexError(f"hands {first} to {last} of {self.n}")
        with nogil:
            self.list_hands(first, last)

    cdef int run_threads(self, int threads) except -1:
        """List all hands, in as many pieces of about equal work as there are threads."""
        from concurrent.futures import ThreadPoolExecutor      # a tenth of the package's import time

        cuts = np.searchsorted(self.held_offsets.buffer.obj,
                               np.linspace(0, self.offsets[self.n], threads + 1)[1:threads]).tolist()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(self.run, [0, *cuts], [*cuts, self.n]))
        return 0


def legal_moves_batch(planes, levels, beats=None, suits="all", rules=None, threads=1, out=None):
    """List the moves of many hands in one call, without the GIL.

    `planes` is uint64 of shape (n, 2), a hand's two planes a row; `levels` one level, a sequence
    of n, or a uint8 array of n rank codes; `beats` uint8 of shape (n, 2), kind and rank of what
    each hand is to beat, kind 0 to lead. `out`, uint64 of shape (m, 2) and contiguous, receives
    the records; rows after the last move may be overwritten too, and a later call into the same
    array changes what this one returned. The result does not depend on `threads`. Returns a
    MoveBatch.

    Raises ValueError for an array of another dtype or shape and for an `out` that is too small
    (the message gives the size needed), StateError, NotationError or IllegalMoveError for the
    first hand, level or beat that cannot be, naming its row. Nothing is written then.

    >>> import numpy as np
    >>> hands = np.array([[0b11, 0b01], [0b11, 0]], np.uint64)
    >>> [len(moves) for moves in legal_moves_batch(hands, levels=["3", "2"])]
    [5, 3]
    """
    cdef Batch batch = Batch.__new__(Batch)
    cdef Py_ssize_t total
    n_threads = read_int("threads", threads, 1)
    batch.read(planes, levels, beats, read_options(suits, rules))
    offsets = np.empty(batch.n + 1, np.uint64)
    batch.held_offsets = rows_of("offsets", offsets, "uint64", 0, batch.n + 1, True)
    batch.offsets = <int64_t*>batch.held_offsets.data
    with nogil:
        batch.count()
    total = batch.offsets[batch.n]
    if out is None:
        out = np.empty((total + OVERRUN, 2), np.uint64)
    batch.take_out(out)
    if batch.room < total:
        raise ValueError(f"out: {batch.room} rows are too few, these hands need {total}")
    if n_threads == 1 or batch.n < 2:
        with nogil:
            batch.list_hands(0, batch.n)
    else:
        batch.run_threads(min(n_threads, batch.n))
    # The list of all hands has no level: each hand's list gets its own.
    return MoveBatch.of(MoveList.view(batch.out, total, 0, out),
                        (<const char*>batch.levels)[:batch.n], offsets.view(np.int64))

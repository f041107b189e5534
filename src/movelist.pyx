"""Lists of moves, and the calls that make them."""

import operator

import numpy as np

from guandan.errors import IllegalMoveError, NotationError, StateError

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)

cimport guandan.movegen as movegen
from guandan.cards cimport (
    N_RANKS, NO_RANK, Planes, card_bits, check_planes, read_cards, read_level, shorten,
)
from guandan.combos cimport (
    N_KINDS, PASS, TAG_SHIFT, Move, Table, check_table, is_key, read_table, same, switches_of,
)
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
    cdef MoveList allocate(Py_ssize_t n):
        cdef MoveList moves = MoveList.__new__(MoveList)
        moves.n = n
        moves.records_begin = <Record*>malloc((n + OVERRUN) * sizeof(Record))
        if moves.records_begin == NULL:
            raise MemoryError
        return moves

    @staticmethod
    cdef MoveList view(Record* begin, Py_ssize_t n, object owner):
        cdef MoveList moves = MoveList.__new__(MoveList)
        moves.n = n
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

    def counts(self):
        """Return the copies of each kind of card, a new uint8 array of shape (n, 54)."""
        planes = self.records.astype("<u8").view(np.uint8).reshape(self.n, 2, 8)
        bits = np.unpackbits(planes, axis=2, bitorder="little")[:, :, :54]
        return bits[:, 0] + bits[:, 1]

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
                return MoveList.view(self.records_begin + start, max(0, stop - start),
                                     self if self.owner is None else self.owner)
            return move_list(self.records[place])
        if isinstance(place, (list, np.ndarray)):
            return move_list(self.records[place])
        place = operator.index(place)
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
        return move_list, (np.array(self.records),)


def move_list(records):
    """Copy records, uint64 of shape (n, 2), into a MoveList."""
    cdef const uint64_t[:, ::1] copied = np.ascontiguousarray(records, np.uint64)
    cdef MoveList moves = MoveList.allocate(copied.shape[0])
    if moves.n:
        memcpy(moves.records_begin, &copied[0, 0], moves.n * sizeof(Record))
    return moves


# One hand

cdef MoveList list_moves(const Planes* hand, int level, Table table, int options):
    """List the moves of a hand that is not empty."""
    cdef MoveList moves = MoveList.allocate(movegen.count(hand, level, table, options))
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
    place = operator.index(index)
    if not 0 <= place < n:
        raise IndexError(f"index {shorten(place)} of {n} moves")
    record = movegen.nth(&asked.hand, asked.level, asked.table, asked.options, place)
    return Move.wrap(&record)


# Many hands

@cython.final
cdef class MoveBatch:
    """The moves of many hands: their records one hand after another, and where each hand begins.

    `batch[i]` is the MoveList of hand i, over the same records. `kinds`, `ranks`, `planes`,
    `records` and `counts()` are those of a MoveList, over all hands.
    """

    cdef MoveList moves
    cdef readonly object offsets
    """Where each hand's moves begin, and the end of the last: int64 of shape (n + 1,)."""

    def __init__(self, *args, **kwargs):
        raise TypeError("a MoveBatch is made by legal_moves_batch")

    @staticmethod
    cdef MoveBatch of(MoveList moves, object offsets):
        cdef MoveBatch batch = MoveBatch.__new__(MoveBatch)
        batch.moves = moves
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

    def counts(self):
        """Return the copies of each kind of card, a new uint8 array of shape (m, 54)."""
        return self.moves.counts()

    def __len__(self):
        return len(self.offsets) - 1

    def __getitem__(self, hand):
        n = len(self)
        place = operator.index(hand)
        if not -n <= place < n:
            raise IndexError(f"hand {shorten(place)} of a batch of {n}")
        place = place % n
        return self.moves[self.offsets[place]:self.offsets[place + 1]]

    def __iter__(self):
        return (self[hand] for hand in range(len(self)))

    def __repr__(self):
        return f"<MoveBatch of {len(self)} hands, {len(self.moves)} moves>"

    def __reduce__(self):
        return move_batch, (self.moves, self.offsets)


def move_batch(MoveList moves, offsets):
    """Put a pickled MoveBatch together again."""
    return MoveBatch.of(moves, offsets)


cdef class Rows:
    """The memory of a contiguous array, held while this lives: of the array itself, or a copy."""

    cdef Py_buffer buffer
    cdef void* data
    cdef Py_ssize_t n
    cdef bint copied

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)
        if self.copied:
            free(self.data)

    cdef bint read(self, object array, int itemsize, int width, Py_ssize_t n, bint writable) except -1:
        """Take an array's buffer; False where it is not one of such items and rows.

        The buffer tells all, and numpy's own checks cost more than listing a small hand.
        """
        cdef Py_buffer* have = &self.buffer
        cdef int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS
        try:
            PyObject_GetBuffer(array, have, flags | PyBUF_WRITABLE if writable else flags)
        except (BufferError, ValueError):
            return False
        if (have.itemsize != itemsize or have.ndim != (2 if width else 1)
                or not (have.format[0] in b"QL" if itemsize == 8 else have.format[0] == b"B")
                or width and have.shape[1] != width or n >= 0 and have.shape[0] != n):
            return False
        self.data, self.n = have.buf, have.shape[0]
        return True

    cdef int copy(self) except -1:
        """Put a copy in the place of the array, which others may write while it is used."""
        cdef void* copied = malloc(self.buffer.len + 1)
        if copied == NULL:
            raise MemoryError
        memcpy(copied, self.data, self.buffer.len)
        self.data, self.copied = copied, True
        return 0


cdef Rows rows_of(str name, object array, str dtype, int width, Py_ssize_t n, bint writable):
    """The memory of an array of n rows (any number if -1) of so many items, none for no dimension.

    An array that is written is used itself and has to be contiguous; another one is copied.
    """
    cdef Rows rows = Rows.__new__(Rows)
    cdef int itemsize = 8 if dtype == "uint64" else 1
    cdef bint right = False
    if isinstance(array, np.ndarray):
        right = rows.read(array, itemsize, width, n, writable)
        if not right and not writable and array.dtype == dtype:
            rows = Rows.__new__(Rows)
            right = rows.read(np.array(array, order="C"), itemsize, width, n, False)
    if not right:
        want = f"({'n' if n < 0 else n}, {width})" if width else f"({n},)"
        found = shorten(array)
        if isinstance(array, np.ndarray):
            found = f"{array.dtype} of shape {array.shape}"
            if writable and array.dtype == dtype and array.ndim == 2 and array.shape[1] == width:
                raise ValueError(f"{name}: want a contiguous, aligned array that can be written")
        raise ValueError(f"{name}: want a {dtype} array of shape {want}, got {found}")
    if not writable:
        rows.copy()
    return rows


cdef Rows read_levels(object levels, Py_ssize_t n):
    """The n rank codes of one level, a sequence of levels or an array of codes."""
    if isinstance(levels, np.ndarray):
        return rows_of("levels", levels, "uint8", 0, n, False)
    if isinstance(levels, str) or not isinstance(levels, (list, tuple)):
        return rows_of("levels", np.full(n, read_level(levels), np.uint8), "uint8", 0, n, False)
    if len(levels) != n:
        raise ValueError(f"levels: want one for each of {n} hands, got {len(levels)}")
    codes = np.empty(n, np.uint8)
    for place in range(n):
        try:
            codes[place] = read_level(levels[place])
        except NotationError as error:
            raise NotationError(f"levels[{place}]: {error}") from None
    return rows_of("levels", codes, "uint8", 0, n, False)


cdef inline Table table_at(const uint8_t* beats, Py_ssize_t i) noexcept nogil:
    """What hand i is to beat: nothing where there are no rows."""
    return Table(PASS, NO_RANK) if beats == NULL else Table(beats[2 * i], beats[2 * i + 1])


cdef bint can_be_listed(const Planes* hand, int level, Table table) noexcept nogil:
    """Whether a hand, a level and what is to be beaten are such at all."""
    if hand.once == 0 or hand.once & ~card_bits() or hand.twice & ~hand.once or level >= N_RANKS:
        return False
    return table.kind == PASS or (table.kind < N_KINDS and table.rank <= NO_RANK
                                  and is_key(table.kind, table.rank))


@cython.final
cdef class Batch:
    """The hands of one call: checked, counted, then listed piece by piece."""

    cdef Rows held_planes, held_levels, held_beats, held_offsets, held_out
    cdef const Planes* hands
    cdef const uint8_t* levels
    cdef const uint8_t* beats              # NULL: all lead
    cdef int options
    cdef Py_ssize_t n
    cdef int64_t* offsets
    cdef Record* out
    cdef Py_ssize_t room

    cdef int check(self) except -1:
        """Raise the error of the first hand that cannot be listed."""
        cdef Py_ssize_t i
        for i in range(self.n):
            if not can_be_listed(&self.hands[i], self.levels[i], table_at(self.beats, i)):
                self.refuse(i)
            if self.beats != NULL and self.beats[2 * i] != PASS:
                try:
                    check_table(table_at(self.beats, i), self.levels[i], self.options)
                except IllegalMoveError as error:
                    raise IllegalMoveError(f"beats[{i}]: {error}") from None
        return 0

    cdef int refuse(self, Py_ssize_t i) except -1:
        """Raise the error of hand i."""
        cdef Planes hand = self.hands[i]
        if hand.once == 0 and hand.twice == 0:
            raise StateError(f"planes[{i}]: an empty hand has no moves")
        try:
            check_planes(&hand)
        except StateError as error:
            raise StateError(f"planes[{i}]: {error}") from None
        if self.levels[i] >= N_RANKS:
            raise NotationError(f"levels[{i}] is {self.levels[i]}: want a rank code from 0 to 12")
        raise NotationError(f"beats[{i}] is [{self.beats[2 * i]}, {self.beats[2 * i + 1]}]: want the "
                            "kind and rank code of a move, or kind 0 for a lead")

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
                &self.hands[i], self.levels[i], table_at(self.beats, i), self.options)

    cdef int list_hands(self, Py_ssize_t first, Py_ssize_t last) except -1 nogil:
        """List the hands first to last - 1.

        A list may write a little past its end, into what is listed next; where that is not this
        call's to write, the list is made elsewhere and copied.
        """
        cdef int64_t limit = self.room if last == self.n else self.offsets[last]
        cdef int64_t n
        cdef Py_ssize_t i
        cdef Record* out
        cdef bint spare
        for i in range(first, last):
            n = self.offsets[i + 1] - self.offsets[i]
            spare = self.offsets[i + 1] + OVERRUN > limit
            out = <Record*>malloc((n + OVERRUN) * sizeof(Record)) if spare else &self.out[self.offsets[i]]
            if out == NULL:
                with gil:
                    raise MemoryError
            movegen.moves(&self.hands[i], self.levels[i], table_at(self.beats, i), self.options, out)
            if spare:
                memcpy(&self.out[self.offsets[i]], out, n * sizeof(Record))
                free(out)
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
    if operator.index(threads) < 1:
        raise ValueError(f"threads: want 1 or more, got {shorten(threads)}")
    batch.options = read_options(suits, rules)
    batch.held_planes = rows_of("planes", planes, "uint64", 2, -1, False)
    batch.n = batch.held_planes.n
    batch.hands = <const Planes*>batch.held_planes.data
    batch.held_levels = read_levels(levels, batch.n)
    batch.levels = <const uint8_t*>batch.held_levels.data
    if beats is not None:
        batch.held_beats = rows_of("beats", beats, "uint8", 2, batch.n, False)
        batch.beats = <const uint8_t*>batch.held_beats.data
    batch.check()
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
    if threads == 1 or batch.n < 2:
        with nogil:
            batch.list_hands(0, batch.n)
    else:
        batch.run_threads(min(threads, batch.n))
    return MoveBatch.of(MoveList.view(batch.out, total, out), offsets.view(np.int64))

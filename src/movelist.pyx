"""Lists of moves, and the calls that make them."""

import operator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from guandan.errors import IllegalMoveError, NotationError, StateError

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cimport guandan.movegen as movegen
from guandan.cards cimport Planes, N_RANKS, check_planes, read_cards, read_level, shorten
from guandan.combos cimport (
    N_KINDS, PASS, TAG_SHIFT, Move, Table, check_table, is_key, read_table, same, switches_of,
)
from guandan.movegen cimport OVERRUN, SUITS_ALL, SUITS_FLUSH, SUITS_ONE

__all__ = ["MoveBatch", "MoveList", "count_moves", "legal_moves", "legal_moves_batch", "nth_move"]

cdef dict _suits = {"all": SUITS_ALL, "flush": SUITS_FLUSH, "one": SUITS_ONE}


cdef int read_options(object suits, object rules) except -1:
    """The options of the kernels for a `suits` word and a Rules."""
    mode = _suits.get(suits) if isinstance(suits, str) else None
    if mode is None:
        raise ValueError(f'suits {shorten(suits)}: want "all", "flush" or "one"')
    return <int>mode | switches_of(rules)


cdef Planes read_holder(object hand) except *:
    """The cards of a hand that is to move."""
    cdef Planes cards = read_cards(hand)
    if cards.once == 0:
        raise StateError("an empty hand has no moves")
    return cards


# Lists

cdef class MoveList:
    """An immutable sequence of moves in list order, over records of 16 bytes each.

    Indexing makes a Move; a slice, a mask or an array of indices makes a MoveList; `in` and
    `index` take a Move or its text. The arrays are made without a Python loop.

    >>> moves = legal_moves("S3 C3 H2", level="2")
    >>> len(moves), moves[3], moves.kinds
    (7, Move.parse("pair 3 S3 C3"), array([1, 1, 1, 2, 2, 2, 3], dtype=uint8))
    """

    def __init__(self):
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
                return MoveList.view(self.records_begin + start, max(0, stop - start), self)
            return move_list(self.records[place])
        if isinstance(place, (list, np.ndarray)):
            return move_list(self.records[place])
        index = operator.index(place)
        if index < 0:
            index += self.n
        if not 0 <= index < self.n:
            raise IndexError(f"index {place} of a list of {self.n} moves")
        return Move.wrap(&self.records_begin[index])

    def __iter__(self):
        cdef Py_ssize_t place
        for place in range(self.n):
            yield Move.wrap(&self.records_begin[place])

    def __eq__(self, other):
        if not isinstance(other, MoveList):
            return NotImplemented
        cdef MoveList theirs = <MoveList>other
        return self.n == theirs.n and not memcmp(
            self.records_begin, theirs.records_begin, self.n * sizeof(Record))

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

def legal_moves(hand, level, beat=None, suits="all", rules=None):
    """List the moves of a hand at a level: the leads, or what may be played on `beat`.

    `hand` is a Hand or what makes one; `beat` a Move or a move's text, cards or not, and the
    replies begin with the pass. `suits` says which sets of cards are different moves: "all",
    "flush" (one for each that matters when all cards are open) or "one" (one for each set of
    ranks). `rules` is a Rules (default: jiangsu2023). The order is fixed: by kind, then rising
    key, then fewer wilds first.

    Raises StateError for an empty hand, NotationError for text that cannot be read,
    IllegalMoveError for a `beat` that cannot be, ValueError for another `suits`.

    >>> list(map(str, legal_moves("S3 C3 H2", level="2", beat="single 3")))
    ['pass', 'single 2 H2']
    """
    cdef Planes cards = read_holder(hand)
    cdef int code = read_level(level)
    cdef int options = read_options(suits, rules)
    cdef Table table = read_table(beat, code, options)
    cdef MoveList moves = MoveList.allocate(movegen.count(&cards, code, table, options))
    movegen.moves(&cards, code, table, options, moves.records_begin)
    return moves


def count_moves(hand, level, beat=None, suits="all", rules=None):
    """Return how many moves `legal_moves` lists for the same arguments, without listing them.

    >>> count_moves("S3 C3 H2", level="2", beat="single 3")
    2
    """
    cdef Planes cards = read_holder(hand)
    cdef int code = read_level(level)
    cdef int options = read_options(suits, rules)
    return movegen.count(&cards, code, read_table(beat, code, options), options)


def nth_move(hand, level, index, beat=None, suits="all", rules=None):
    """Return the move at an index of what `legal_moves` lists for the same arguments, without listing.

    An index that is not below `count_moves`, or is negative, raises IndexError.

    >>> nth_move("S3 C3 H2", "2", 3)
    Move.parse("pair 3 S3 C3")
    """
    cdef Planes cards = read_holder(hand)
    cdef int code = read_level(level)
    cdef int options = read_options(suits, rules)
    cdef Table table = read_table(beat, code, options)
    cdef int n = movegen.count(&cards, code, table, options)
    cdef Record record
    place = operator.index(index)
    if not 0 <= place < n:
        raise IndexError(f"index {place} of {n} moves")
    record = movegen.nth(&cards, code, table, options, place)
    return Move.wrap(&record)


# Many hands

class MoveBatch:
    """The moves of many hands: their records one hand after another, and where each hand begins.

    `batch[i]` is the MoveList of hand i, over the same records. `kinds`, `ranks`, `planes`,
    `records` and `counts()` are those of a MoveList, over all hands.
    """

    def __init__(self, records, offsets):
        """Take uint64 records of shape (m, 2) and the n + 1 int64 offsets of n hands."""
        self.offsets = offsets
        self._moves = view_records(records, int(offsets[len(offsets) - 1]))

    @property
    def records(self):
        """The records of all hands, uint64 of shape (m, 2), not copied."""
        return self._moves.records

    @property
    def kinds(self):
        """The kinds of move, a new uint8 array of shape (m,)."""
        return self._moves.kinds

    @property
    def ranks(self):
        """The rank codes, a new uint8 array of shape (m,)."""
        return self._moves.ranks

    @property
    def planes(self):
        """The planes of the cards, a new uint64 array of shape (m, 2)."""
        return self._moves.planes

    def counts(self):
        """Return the copies of each kind of card, a new uint8 array of shape (m, 54)."""
        return self._moves.counts()

    def __len__(self):
        """Return the number of hands."""
        return len(self.offsets) - 1

    def __getitem__(self, hand):
        """Return the MoveList of a hand."""
        place = operator.index(hand)
        if not -len(self) <= place < len(self):
            raise IndexError(f"hand {place} of a batch of {len(self)}")
        place %= len(self)
        return self._moves[self.offsets[place]:self.offsets[place + 1]]

    def __repr__(self):
        """Say how many hands and moves there are."""
        return f"<MoveBatch of {len(self)} hands, {len(self._moves)} moves>"


def view_records(records, Py_ssize_t n):
    """Make a MoveList over the first n rows of a contiguous array of records."""
    cdef const uint64_t[:, ::1] rows = records
    return MoveList.view(<Record*>&rows[0, 0] if n else NULL, n, records)


cdef class Batch:
    """The hands of one call, checked, ready to be listed piece by piece."""

    cdef const uint64_t[:, ::1] planes
    cdef uint8_t[::1] levels
    cdef const uint8_t[:, ::1] beats       # no rows: all lead
    cdef int options
    cdef int64_t[::1] offsets
    cdef uint64_t[:, ::1] out

    cdef inline Table table(self, Py_ssize_t i) noexcept nogil:
        cdef Table table = Table(PASS, 0)
        if self.beats.shape[0]:
            table.kind, table.rank = self.beats[i, 0], self.beats[i, 1]
        return table

    cdef Py_ssize_t first_bad(self) noexcept nogil:
        """The first hand that is empty, none or not to be listed; -1 if all are right."""
        cdef Py_ssize_t i
        cdef uint64_t once, twice
        for i in range(self.planes.shape[0]):
            once, twice = self.planes[i, 0], self.planes[i, 1]
            if once == 0 or once >> 54 or twice & ~once or self.levels[i] >= N_RANKS:
                return i
            if self.beats.shape[0] and self.beats[i, 0] != PASS and (
                    self.beats[i, 0] >= N_KINDS or not is_key(self.beats[i, 0], self.beats[i, 1] & 15)
                    or self.beats[i, 1] > 15):
                return i
        return -1

    cdef int check(self) except -1:
        """Raise the error of the first bad hand."""
        cdef Py_ssize_t i = self.first_bad()
        cdef Planes hand
        if i >= 0:
            hand = Planes(self.planes[i, 0], self.planes[i, 1])
            if hand.once == 0 and hand.twice == 0:
                raise StateError(f"planes[{i}]: an empty hand has no moves")
            try:
                check_planes(&hand)
            except StateError as error:
                raise StateError(f"planes[{i}]: {error}") from None
            if self.levels[i] >= N_RANKS:
                raise NotationError(f"levels[{i}] is {self.levels[i]}: want a rank code from 0 to 12")
            raise NotationError(f"beats[{i}] is {list(self.beats[i])}: want [kind, rank] of a move, "
                                "or kind 0 for a lead")
        for i in range(self.beats.shape[0]):
            if self.beats[i, 0] != PASS:
                check_table(self.table(i), self.levels[i], self.options)
        return 0

    cdef void count(self) noexcept nogil:
        """Set the offsets."""
        cdef Py_ssize_t i
        cdef Planes hand
        for i in range(self.planes.shape[0]):
            hand = Planes(self.planes[i, 0], self.planes[i, 1])
            self.offsets[i + 1] = self.offsets[i] + movegen.count(
                &hand, self.levels[i], self.table(i), self.options)

    def run(self, Py_ssize_t first, Py_ssize_t last):
        """List the hands first to last - 1, without the GIL.

        A list may write a little past its end, into what is listed next; where that is not this
        call's to write, the list is made elsewhere and copied.
        """
        cdef Py_ssize_t i
        cdef int64_t limit = self.out.shape[0] if last == self.planes.shape[0] else self.offsets[last]
        cdef int64_t n
        cdef Planes hand
        cdef Record* spare
        with nogil:
            for i in range(first, last):
                hand = Planes(self.planes[i, 0], self.planes[i, 1])
                if self.offsets[i + 1] + OVERRUN <= limit:
                    movegen.moves(&hand, self.levels[i], self.table(i), self.options,
                                  <Record*>&self.out[self.offsets[i], 0])
                    continue
                n = self.offsets[i + 1] - self.offsets[i]
                spare = <Record*>malloc((n + OVERRUN) * sizeof(Record))
                if spare == NULL:
                    with gil:
                        raise MemoryError
                movegen.moves(&hand, self.levels[i], self.table(i), self.options, spare)
                memcpy(&self.out[self.offsets[i], 0], spare, n * sizeof(Record))
                free(spare)


cdef object require_array(str name, object array, object dtype, tuple shape):
    """An array as it is, if it has this dtype and shape; None in the shape stands for any length."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != len(shape) or any(
            want is not None and want != have for want, have in zip(shape, array.shape)):
        have = (f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray)
                else shorten(array))
        want = ", ".join("n" if length is None else str(length) for length in shape)
        raise ValueError(f"{name}: want a {np.dtype(dtype).name} array of shape ({want}), got {have}")
    return array


cdef object read_levels(object levels, Py_ssize_t n):
    """A uint8 array of n rank codes, from one level, a sequence of levels or an array of codes."""
    if isinstance(levels, np.ndarray):
        return np.ascontiguousarray(require_array("levels", levels, np.uint8, (n,)))
    if isinstance(levels, str) or not isinstance(levels, (list, tuple)):
        return np.full(n, read_level(levels), np.uint8)
    if len(levels) != n:
        raise ValueError(f"levels: want one for each of {n} hands, got {len(levels)}")
    return np.array([read_level(level) for level in levels], np.uint8)


def legal_moves_batch(planes, levels, beats=None, suits="all", rules=None, threads=1, out=None):
    """List the moves of many hands in one call, without the GIL.

    `planes` is uint64 of shape (n, 2), a hand's two planes a row; `levels` one level, a sequence
    of n, or a uint8 array of n rank codes; `beats` uint8 of shape (n, 2), kind and rank of what
    each hand is to beat, kind 0 to lead. `out`, uint64 of shape (m, 2) and contiguous, receives
    the records; rows behind the last move may be overwritten too. The result does not depend on
    `threads`. Returns a MoveBatch.

    Raises ValueError for an array of another dtype or shape and for an `out` that is too small
    (the message gives the size needed), StateError, NotationError or IllegalMoveError for the
    first hand, level or beat that cannot be, naming its row. Nothing is written then.

    >>> import numpy as np
    >>> hands = np.array([[0b11, 0b01], [0b11, 0]], np.uint64)
    >>> [len(moves) for moves in legal_moves_batch(hands, levels=["3", "2"])]
    [5, 4]
    """
    cdef Batch batch = Batch.__new__(Batch)
    cdef Py_ssize_t n = len(require_array("planes", planes, np.uint64, (None, 2)))
    cdef int64_t total
    batch.options = read_options(suits, rules)
    batch.planes = np.ascontiguousarray(planes)
    batch.levels = read_levels(levels, n)
    batch.beats = np.empty((0, 2), np.uint8) if beats is None else np.ascontiguousarray(
        require_array("beats", beats, np.uint8, (n, 2)))
    if operator.index(threads) < 1:
        raise ValueError(f"threads: want 1 or more, got {threads}")
    batch.check()
    offsets = np.zeros(n + 1, np.int64)
    batch.offsets = offsets
    with nogil:
        batch.count()
    total = batch.offsets[n]
    if out is None:
        out = np.empty((total + OVERRUN, 2), np.uint64)
    else:
        require_array("out", out, np.uint64, (None, 2))
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError("out: want a contiguous array that can be written")
        if len(out) < total:
            raise ValueError(f"out: {len(out)} rows are too few, these hands need {total}")
    batch.out = out
    if threads == 1 or n < 2:
        batch.run(0, n)
    else:
        cuts = np.searchsorted(offsets, np.linspace(0, total, threads + 1)[1:threads]).tolist()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(batch.run, [0, *cuts], [*cuts, n]))
    return MoveBatch(out, offsets)

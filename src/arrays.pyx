"""Arrays of the caller's, read by their buffers."""

import numpy as np

from guandan.errors import IllegalMoveError, NotationError, StateError

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)

from guandan.cards cimport N_RANKS, card_bits, check_planes, read_level, shorten
from guandan.combos cimport N_KINDS, check_table, is_key

__all__ = []                   # names to cimport only

# The buffers' letters for the items that are asked for.
cdef dict FORMATS = {"uint64": b"QL", "uint8": b"B", "bool or uint8": b"?B"}


# Rows

@cython.final
cdef class Rows:
    """The memory of a contiguous array, held while this lives: of the array itself, or a copy."""

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)
        if self.copied:
            free(self.data)

    cdef bint take(self, object array, str dtype, int width, Py_ssize_t n, bint writable) except -1:
        """Take an array's buffer; False where it is not one of such items and rows.

        The buffer tells all, and numpy's own checks cost more than listing a small hand.
        """
        cdef Py_buffer* have = &self.buffer
        cdef int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS
        try:
            PyObject_GetBuffer(array, have, flags | PyBUF_WRITABLE if writable else flags)
        except (BufferError, ValueError):
            return False
        if (have.itemsize != (8 if dtype == "uint64" else 1) or have.ndim != (2 if width else 1)
                or have.format[0] not in <bytes>FORMATS[dtype]
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
    cdef bint right = False
    if isinstance(array, np.ndarray):
        right = rows.take(array, dtype, width, n, writable)
        if not right and not writable and array.dtype == dtype:
            rows = Rows.__new__(Rows)
            right = rows.take(np.array(array, order="C"), dtype, width, n, False)
    if not right:
        refuse_array(name, array, dtype, width, n, writable)
    if not writable:
        rows.copy()
    return rows


cdef int refuse_array(
    str name, object array, str dtype, int width, Py_ssize_t n, bint writable
) except -1:
    """Raise ValueError for an array that has no such rows."""
    want = f"({'n' if n < 0 else n}, {width})" if width else f"({n},)"
    found = shorten(array)
    if isinstance(array, np.ndarray):
        found = f"{array.dtype} of shape {array.shape}"
        if (writable and array.dtype.name in dtype.split(" or ") and array.dtype.isnative
                and array.ndim == (2 if width else 1) and (n < 0 or len(array) == n)
                and (not width or array.shape[1] == width)):
            raise ValueError(f"{name}: want a contiguous, aligned array that can be written")
    raise ValueError(f"{name}: want a {dtype} array of shape {want}, got {found}")


# Hands

cdef Rows read_levels(str name, object levels, Py_ssize_t n):
    """The n rank codes of one level, a sequence of levels or an array of codes."""
    if isinstance(levels, np.ndarray):
        return rows_of(name, levels, "uint8", 0, n, False)
    if isinstance(levels, str) or not isinstance(levels, (list, tuple)):
        return rows_of(name, np.full(n, read_level(levels), np.uint8), "uint8", 0, n, False)
    if len(levels) != n:
        raise ValueError(f"{name}: want one for each of {n}, got {len(levels)}")
    codes = np.empty(n, np.uint8)
    for place in range(n):
        try:
            codes[place] = read_level(levels[place])
        except NotationError as error:
            raise NotationError(f"{name}[{place}]: {error}") from None
    return rows_of(name, codes, "uint8", 0, n, False)


cdef bint is_asked_well(const Planes* hand, int level, Table table) noexcept nogil:
    """Whether a hand, a level and what is to be beaten are such at all."""
    if hand.once & ~card_bits() or hand.twice & ~hand.once or level >= N_RANKS:
        return False
    return table.kind == PASS or (table.kind < N_KINDS and table.rank <= NO_RANK
                                  and is_key(table.kind, table.rank))


cdef class Hands:
    """The hands of one call, with the level of each and what it is to beat."""

    cdef int read(self, object planes, object levels, object beats, int options) except -1:
        """Take the arrays, and raise the error of the first hand that has no moves."""
        cdef Py_ssize_t i
        self.options = options
        self.held_planes = rows_of("planes", planes, "uint64", 2, -1, False)
        self.n = self.held_planes.n
        self.hands = <const Planes*>self.held_planes.data
        self.held_levels = read_levels("levels", levels, self.n)
        self.levels = <const uint8_t*>self.held_levels.data
        if beats is not None:
            self.held_beats = rows_of("beats", beats, "uint8", 2, self.n, False)
            self.beats = <const uint8_t*>self.held_beats.data
        for i in range(self.n):
            if (not is_asked_well(&self.hands[i], self.levels[i], self.table(i))
                    or self.hands[i].once == 0 and not self.may_be_empty):
                self.refuse(i)
            if self.beats != NULL and self.beats[2 * i] != PASS:
                try:
                    check_table(self.table(i), self.levels[i], self.options)
                except IllegalMoveError as error:
                    raise IllegalMoveError(f"beats[{i}]: {error}") from None
        return 0

    cdef int refuse(self, Py_ssize_t i) except -1:
        """Raise the error of hand i."""
        cdef Planes hand = self.hands[i]
        if hand.once == 0 and hand.twice == 0 and not self.may_be_empty:
            raise StateError(f"planes[{i}]: an empty hand has no moves")
        try:
            check_planes(&hand)
        except StateError as error:
            raise StateError(f"planes[{i}]: {error}") from None
        if self.levels[i] >= N_RANKS:
            raise NotationError(f"levels[{i}] is {self.levels[i]}: want a rank code from 0 to 12")
        raise NotationError(f"beats[{i}] is [{self.beats[2 * i]}, {self.beats[2 * i + 1]}]: want the "
                            "kind and rank code of a move, or kind 0 for a lead")

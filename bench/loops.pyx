"""Loops over the kernels, so that a clock around one call times them and nothing else.

Built against the installed package, as any other Cython project would be. Each returns a number
that the caller checks.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport guandan.movegen as movegen
from guandan.actions cimport N_ACTIONS, set_mask
from guandan.cards cimport Planes
from guandan.combos cimport Record, Table
from guandan.features cimport DANZERO_SIZE, PLANES_SIZE, write_observation, write_planes
from guandan.observation cimport Observation, View
from guandan.rng cimport Rng, below

cdef enum:
    ROOM = 1 << 18


def list_moves(const uint64_t[:, ::1] planes, const uint8_t[::1] levels,
               const uint8_t[:, ::1] beats, int options=0):
    """List every hand's moves into one buffer; return how many there were."""
    cdef Record* room = <Record*>malloc(ROOM * sizeof(Record))
    cdef Py_ssize_t i, total = 0
    cdef Planes hand
    with nogil:
        for i in range(planes.shape[0]):
            hand = Planes(planes[i, 0], planes[i, 1])
            total += movegen.moves(&hand, levels[i], Table(beats[i, 0], beats[i, 1]), options, room) - room
    free(room)
    return total


def count_moves(const uint64_t[:, ::1] planes, const uint8_t[::1] levels,
                const uint8_t[:, ::1] beats, int options=0):
    """Count every hand's moves; return the sum."""
    cdef Py_ssize_t i, total = 0
    cdef Planes hand
    with nogil:
        for i in range(planes.shape[0]):
            hand = Planes(planes[i, 0], planes[i, 1])
            total += movegen.count(&hand, levels[i], Table(beats[i, 0], beats[i, 1]), options)
    return total


def pick_moves(const uint64_t[:, ::1] planes, const uint8_t[::1] levels,
               const uint8_t[:, ::1] beats, uint64_t seed, int options=0):
    """Draw one move of every hand by count and n-th; return the exclusive or of all records."""
    cdef Rng rng = Rng(seed)
    cdef Py_ssize_t i
    cdef uint64_t mix = 0
    cdef Planes hand
    cdef Record record
    cdef int n
    with nogil:
        for i in range(planes.shape[0]):
            hand = Planes(planes[i, 0], planes[i, 1])
            record = movegen.draw(
                &hand, levels[i], Table(beats[i, 0], beats[i, 1]), options, &rng, &n)
            mix ^= record.once ^ record.twice
    return mix


def mask_actions(const uint64_t[:, ::1] planes, const uint8_t[::1] levels,
                 const uint8_t[:, ::1] beats, int options=0):
    """Make the mask of every hand's actions into one place; return the sum of a byte of each."""
    cdef uint8_t[N_ACTIONS] mask
    cdef Py_ssize_t i, total = 0
    cdef Planes hand
    with nogil:
        for i in range(planes.shape[0]):
            hand = Planes(planes[i, 0], planes[i, 1])
            set_mask(&hand, levels[i], Table(beats[i, 0], beats[i, 1]), options, mask)
            total += mask[i % N_ACTIONS]
    return total


def fill_memory(const uint64_t[::1] lengths):
    """Set the memory of lists of these lengths; return how many records that are."""
    cdef Record* room = <Record*>malloc(ROOM * sizeof(Record))
    cdef volatile uint8_t* seen = <volatile uint8_t*>room
    cdef Py_ssize_t i, total = 0
    with nogil:
        for i in range(lengths.shape[0]):
            memset(room, <int>i, lengths[i] * sizeof(Record))
            total += lengths[i] + 0 * seen[i & 1]
    free(room)
    return total


def xor_of_drawn(list lists, uint64_t seed):
    """What `pick_moves` returns, from the lists themselves: one record of each, drawn alike."""
    cdef Rng rng = Rng(seed)
    cdef const uint64_t[:, :] records
    cdef uint64_t mix = 0
    cdef Py_ssize_t place
    for records in lists:
        place = below(&rng, <int>records.shape[0]) if records.shape[0] > 1 else 0
        mix ^= records[place, 0] ^ records[place, 1]
    return mix


cdef class Views:
    """The views of some observations, to be written again and again."""

    cdef View* views
    cdef Py_ssize_t n

    def __init__(self, list seen):
        self.n = len(seen)
        self.views = <View*>malloc(self.n * sizeof(View))
        for place in range(self.n):
            self.views[place] = (<Observation>seen[place]).view

    def __dealloc__(self):
        free(self.views)

    def write_observations(self, uint8_t[:, ::1] out):
        """Write the preset danzero_like of each, a row of 513; return how many there are."""
        assert out.shape[0] == self.n and out.shape[1] == DANZERO_SIZE
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                write_observation(&self.views[i], &out[i, 0])
        return self.n

    def write_planes(self, uint8_t[:, ::1] out):
        """Write the preset planes of each, a row of 4314; return how many there are."""
        assert out.shape[0] == self.n and out.shape[1] == PLANES_SIZE
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.n):
                write_planes(&self.views[i], &out[i, 0])
        return self.n

"""The places of a batch in one memory, and the threads that work on them."""

from libc.stdint cimport int64_t, uint8_t, uint16_t

from guandan.actions cimport N_ACTIONS
from guandan.combos cimport Record
from guandan.places cimport Between, Place, Plan
from guandan.rooms cimport Room

cdef enum:
    ALL_DONE = -1

cdef enum Work:
    COUNT = 0
    LIST = 1
    MASK = 2
    NAME = 3                   # the ids of all actions
    TAKE = 4                   # the moves at some places of the lists
    TAKE_IDS = 5
    STEP = 6
    OBSERVE = 7
    OBSERVE_PLANES = 8


cdef struct Task:              # what a call asks of each deal, and where it is written
    int work
    const int64_t* choices
    const int64_t* offsets
    const Record* listed       # the moves of all deals, NULL: not listed
    Record* records
    Py_ssize_t room            # for records
    uint8_t* values
    uint16_t* ids


cdef class Gate:
    cdef object lock
    cdef bint is_passed


cdef class Crew:
    cdef Gate lock             # of each call
    cdef Room room             # of the places, at a bound of cache lines
    cdef Place* places
    cdef Between* betweens
    cdef Record* plays         # of all places
    cdef Record* chosen        # by the call that is stepping
    cdef int64_t* begins       # of the ids of each deal's actions,
    cdef int64_t* counts       # and how many they are
    cdef Plan plan
    cdef readonly Py_ssize_t n
    """How many deals there are."""
    cdef readonly int threads
    """The number of threads that may work at a call."""
    cdef object pool           # of threads, and the process that has made them
    cdef object pool_process
    cdef Task task             # that threads share, piece by piece
    cdef int n_pieces
    cdef int n_taken
    cdef int n_done
    cdef Py_ssize_t refused    # the first deal so far that refuses, or ALL_DONE

    cdef int allocate(self, Py_ssize_t n) except -1
    cdef void join(self, Py_ssize_t i) noexcept
    cdef bint work_at(
        self, const Task* task, Py_ssize_t i, Py_ssize_t first, Py_ssize_t last
    ) noexcept nogil
    cdef bint list_moves(self, const Task* task, Py_ssize_t i, Py_ssize_t last) noexcept nogil
    cdef bint take(self, const Task* task, Py_ssize_t i) noexcept nogil
    cdef void name_actions(self, const Task* task, Py_ssize_t i, Py_ssize_t first) noexcept nogil
    cdef void write_features(self, const Task* task, Py_ssize_t i) noexcept nogil
    cdef Py_ssize_t work(self, const Task* task, Py_ssize_t first, Py_ssize_t last) noexcept nogil
    cdef int take_pieces(self) except -1
    cdef Py_ssize_t run(self, const Task* task) except -2
    cdef object helpers(self)

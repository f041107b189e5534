"""Many deals in play at once, for learners."""

from libc.stdint cimport int64_t

from guandan.combos cimport Record
from guandan.crew cimport Crew
from guandan.places cimport Deal, Place
from guandan.state cimport State


cdef class DealBatch(Crew):
    cdef readonly object seed
    """The seed of all that is drawn."""
    cdef readonly object rules
    """The Rules of all deals."""
    cdef object held           # the MoveBatch of all moves, where nobody can write its records
    cdef Record* listed        # those records, NULL: not listed since the last step
    cdef const int64_t* offsets

    cdef int plan_for(self, object matches, object auto_pass, int after) except -1
    cdef int count_all(self, int64_t* offsets) except -1
    cdef int refuse(self, Py_ssize_t i, object choice, bint by_id) except -1
    cdef object field(self, const void* first, Py_ssize_t apart, Py_ssize_t width)
    cdef object standing_of(self, const Deal* shown)
    cdef State state_of(self, const Deal* shown)
    cdef Deal shown(self, object deal, object ended) except *
    cdef Place* place_of(self, object deal) except NULL

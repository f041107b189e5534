"""A yes-or-no test of the outcome of a deal, proven by alpha-beta search.

Side 0 wants the test to hold, side 1 wants it to fail; the one whose turn it is looks for one play
that gives its side what it wants.
"""

from libc.stdint cimport uint32_t, uint64_t

from guandan.frames cimport Prover
from guandan.nodes cimport Node
from guandan.position cimport Position

# What may prune or merge, or only speed a search up; each can be left out.
cdef enum Technique:
    PROOFS = 1                 # the table
    SQUEEZE = 2                # ranks that nobody holds dropped where no run can be made
    SURE_LEADS = 4
    SURE_REPLIES = 8
    LOSERS = 16                # sure runs with plays that can be beaten
    CUTOFFS = 32               # the play that answered the same table before is tried first
    GLANCES = 64               # all children looked up before one is searched
    FORCED_PASSES = 128        # seats that cannot beat the table are skipped
    DROPPED_SUITS = 256        # hands equal but for suits that do not matter are one
    PATTERNS = 512             # the table of patterns, where nobody can make a run
    ALL_TECHNIQUES = 1023


cdef int make_prover(Prover* p, uint64_t room, uint32_t n_hands) except -1
cdef void free_prover(Prover* p) noexcept nogil
cdef uint64_t memory_of(const Prover* p) noexcept nogil
cdef void empty_prover(Prover* p, const Position* position) noexcept nogil
cdef int prove(Prover* p, const Node* root) noexcept nogil
cdef int settling_play(Prover* p, const Node* root) noexcept nogil

"""A yes-or-no test of the outcome of a deal, proven by alpha-beta search.

Side 0 wants the test to hold, side 1 wants it to fail; the one whose turn it is looks for one play
that gives its side what it wants.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from guandan.nodes cimport Node
from guandan.outcomes cimport Test
from guandan.position cimport Position
from guandan.proofs cimport Key, Proofs
from guandan.subhands cimport Subhands
from guandan.sureruns cimport Sureruns

cdef enum:
    PASS_PLAY = 0xffff         # numbers that are no play of a hand
    NO_PLAY = 0xfffe

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
    ALL_TECHNIQUES = 511


cdef struct Child:
    Node node
    uint32_t play              # that leads to it
    uint8_t has_key
    Key key


cdef struct Cutoff:            # a play that settled a hand before a table
    uint32_t tag
    uint16_t play


cdef struct Frame:             # a node whose children are being searched
    Node node
    Key key                    # of a lead
    uint64_t nodes             # counted before it
    Cutoff* cutoff             # where a play that settles it is remembered
    uint32_t cutoff_tag
    uint32_t first             # of its children
    uint32_t next              # child to search
    uint32_t play              # of the child in search
    uint16_t proofs_play       # to try first: of the table of proofs
    uint16_t cutoff_play       # and of the cutoffs
    uint8_t wants              # the verdict that the turn's side wants
    uint8_t is_unfolded        # whether its children have been made
    uint8_t has_searched       # whether a child was searched, not only looked up


cdef struct Prover:
    Subhands hands
    Proofs proofs
    Sureruns sureruns
    Cutoff* cutoffs
    uint32_t n_cutoffs         # a power of two
    Child* children            # of all frames, those of the top frame last
    uint32_t n_children
    Frame* frames
    int depth
    Test test
    int rank                   # of values, that the test asks for
    int top_rank
    int techniques
    uint16_t root_play         # the one that settled the last proof, NO_PLAY if none was tried
    uint64_t nodes             # counted since the limits were set
    uint64_t most_nodes
    uint64_t next_check
    uint64_t last_refill       # nodes counted when the room for hands was last emptied
    double deadline
    double next_signals        # when to ask for signals again
    bint* stop                 # set from another thread
    bint stopped               # by a limit, or by full room


cdef int make_prover(Prover* p, uint64_t proofs_room, uint32_t n_hands) except -1
cdef void free_prover(Prover* p) noexcept nogil
cdef void empty_prover(Prover* p, const Position* position) noexcept nogil
cdef bint refill(Prover* p) noexcept nogil
cdef void set_limits(Prover* p, uint64_t nodes, double seconds) noexcept nogil
cdef int prove(Prover* p, const Node* root) noexcept nogil
cdef int settling_play(Prover* p, const Node* root) noexcept nogil

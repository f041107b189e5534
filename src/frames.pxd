"""What a search holds: tables, and a stack of frames with their children."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from guandan.nodes cimport Node
from guandan.outcomes cimport Test
from guandan.patterns cimport Patterns
from guandan.proofs cimport Key, Proofs
from guandan.relations cimport Packed, Relations
from guandan.subhands cimport Play, Subhands
from guandan.sureruns cimport Sureruns

cdef enum:
    PASS_PLAY = 0xffff         # numbers that are no play of a hand
    NO_PLAY = 0xfffe

cdef enum:
    MOST_CHILDREN = 1 << 17    # of all frames together; and of those that are settled

# Which table a node has its key for.
cdef enum Keyed:
    NO_KEY = 0
    FOR_PROOFS = 1
    FOR_PATTERNS = 2


cdef struct Child:             # 64 bytes
    Node node
    uint32_t play              # that leads to it
    uint8_t keyed
    uint16_t seen              # as find_pattern has it
    Key key


cdef struct Known:             # a child that the table of patterns has settled, and not well for the turn
    Packed set                 # that settled it
    uint32_t play              # that leads to it


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
    uint32_t first_known       # of its children that are settled
    uint32_t play              # of the child in search
    uint16_t proofs_play       # to try first: of the table of proofs
    uint16_t cutoff_play       # and of the cutoffs
    uint8_t wants              # the verdict that the turn's side wants
    uint8_t is_unfolded        # whether its children have been made
    uint8_t has_searched       # whether a child was searched, not only looked up
    uint8_t keyed              # of a lead
    uint8_t collects           # whether its lead's verdict goes to the table of patterns
    uint8_t has_set            # whether a child has needed anything yet: until then the set is void
    Relations set              # that its verdict needs, if so: of the children so far


cdef struct Prover:
    Subhands hands
    Proofs proofs
    Patterns patterns
    Sureruns sureruns
    Cutoff* cutoffs
    uint32_t n_cutoffs         # a power of two
    Child* children            # of all frames, those of the top frame last
    uint32_t n_children
    Known* knowns              # the same
    uint32_t n_knowns
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
    uint32_t next_plays        # when so many plays are listed limits are looked at too
    uint64_t next_refill       # nodes before which emptying the room for hands again is in vain
    double deadline
    double next_signals        # when to ask for signals again
    bint* stop                 # set from another thread
    bint stopped               # by a limit, or by full room


cdef inline bint collects(const Prover* p) noexcept nogil:
    """Whether the frame on top collects what verdicts on its children need."""
    return p.depth > 0 and p.frames[p.depth - 1].collects


cdef inline const Play* play_at(Prover* p, const Node* node, uint32_t number) noexcept nogil:
    """A play of the turn, NULL for a pass."""
    if number == PASS_PLAY:
        return NULL
    return &p.hands.plays[p.hands.hands[node.hands[node.turn]].plays + number]

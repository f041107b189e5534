"""What verdicts need of the order of ranks, collected frame by frame for the table of patterns.

A verdict on a child of a frame that collects is added to the frame's set of relations before the
frame hears of it: where it is good for the frame's turn the child's needs replace the set, as the
one child is enough, else they join it, as all children are needed.
"""

from libc.stdint cimport uint64_t

from guandan.frames cimport Frame, Prover
from guandan.nodes cimport Node
from guandan.relations cimport Packed
from guandan.subhands cimport Play

cdef void collect_play(Prover* p, const Node* node, const Play* last) noexcept nogil
cdef void collect_run(
    Prover* p, const Node* node, const Play* reply, uint64_t most, int losers
) noexcept nogil
cdef void collect_pattern(Prover* p, const Node* child, const Packed* needed, int verdict) noexcept nogil
cdef void keep_known(Prover* p, const Frame* frame, const Packed* needed) noexcept nogil
cdef void collect_frame(Prover* p, const Frame* closed, int verdict) noexcept nogil
cdef void end_set(Prover* p, Frame* frame, bint is_settled) noexcept nogil
cdef void keep_pattern(Prover* p, const Frame* frame, int verdict) noexcept nogil

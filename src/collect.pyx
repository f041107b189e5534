"""Sets of relations joined and replaced along the stack of frames."""

from libc.stdint cimport uint32_t

from guandan.frames cimport MOST_CHILDREN, Known, play_at
from guandan.patterns cimport store_pattern
from guandan.relations cimport (
    Relations, clear, forbid, forbid_both, join, need_sure_run, need_to_beat, pack, unpack,
)
from guandan.subhands cimport LEAD, Subhands


cdef inline bint joins(const Frame* frame, int verdict) noexcept nogil:
    """Whether what a child's verdict needs joins what others need, instead of replacing it."""
    return frame.has_set and verdict != frame.wants


cdef inline Relations* set_for(Prover* p, int verdict) noexcept nogil:
    """Where to add what a child's verdict needs."""
    cdef Frame* frame = &p.frames[p.depth - 1]
    if not joins(frame, verdict):
        clear(&frame.set)
        frame.has_set = True
    return &frame.set


cdef inline void lift(
    Relations* set, Subhands* pool, const Node* node, const Node* child, const Play* play, int winner
) noexcept nogil:
    """Turn the relations of a child into those of its parent by a play, NULL for a pass.

    Seats skipped on the way to the child are as those that come to play.
    """
    cdef int family = node.family, key = node.key, owner = node.owner, seat, end
    if play != NULL:
        family = play.family
        key = play.key
        owner = node.turn
        if node.turn & 1 == winner:
            need_to_beat(set, node, play)
    if not node.skips:
        return
    end = owner if child.family == LEAD else child.turn
    seat = node.turn + 1 & 3
    while seat != end:
        if seat & 1 != winner:
            forbid(set, pool, node, seat, owner, family, key)
        seat = seat + 1 & 3


cdef inline void lift_to_frame(Prover* p, const Node* child, int verdict) noexcept nogil:
    """Add what the play to a child needs, where all that the child needs is there."""
    cdef Frame* frame = &p.frames[p.depth - 1]
    lift(&frame.set, &p.hands, &frame.node, child, play_at(p, &frame.node, frame.play), verdict ^ 1)


cdef void collect_play(Prover* p, const Node* node, const Play* last) noexcept nogil:
    """Collect for a child whose turn goes out by a reply, or leading, NULL."""
    cdef int verdict = ~node.turn & 1
    cdef Relations* set = set_for(p, verdict)
    if last != NULL:
        need_to_beat(set, node, last)
    lift_to_frame(p, node, verdict)


cdef void collect_run(
    Prover* p, const Node* node, const Play* reply, uint64_t most, int losers
) noexcept nogil:
    """Collect for a child whose turn has a sure run, after a reply that is not beaten, or leading, NULL."""
    cdef int verdict = ~node.turn & 1
    cdef Relations* set = set_for(p, verdict)
    cdef uint32_t number = node.hands[node.turn]
    if reply != NULL:
        number = reply.rest
        need_to_beat(set, node, reply)
        forbid_both(set, &p.hands, node, reply)
    need_sure_run(set, &p.sureruns, &p.hands, node, number, most, losers)
    lift_to_frame(p, node, verdict)


cdef void collect_pattern(Prover* p, const Node* child, const Packed* needed, int verdict) noexcept nogil:
    """Collect for a child that the table of patterns has settled."""
    unpack(needed, &p.hands, child.hands, verdict ^ 1, set_for(p, verdict))
    lift_to_frame(p, child, verdict)


cdef void keep_known(Prover* p, const Frame* frame, const Packed* needed) noexcept nogil:
    """Keep what the frame's play needs not to be good: only if none is it will matter."""
    if p.n_knowns == MOST_CHILDREN:
        p.hands.is_full = True
        return
    p.knowns[p.n_knowns].set = needed[0]
    p.knowns[p.n_knowns].play = frame.play
    p.n_knowns += 1


cdef inline void collect_known(Prover* p, Frame* frame) noexcept nogil:
    """Collect for all children that the table of patterns has settled, and not well for the turn."""
    cdef const Known* known
    cdef const Play* play
    cdef Node child = frame.node
    cdef uint32_t i
    child.family = LEAD
    for i in range(frame.first_known, p.n_knowns):
        known = &p.knowns[i]
        play = play_at(p, &frame.node, known.play)
        child.hands[child.turn] = frame.node.hands[child.turn] if play == NULL else play.rest
        unpack(&known.set, &p.hands, child.hands, frame.wants, &frame.set)
        lift(&frame.set, &p.hands, &frame.node, &child, play, frame.wants)


cdef void collect_frame(Prover* p, const Frame* closed, int verdict) noexcept nogil:
    """Collect for a child whose frame has closed."""
    cdef Frame* frame = &p.frames[p.depth - 1]
    if joins(frame, verdict):
        join(&frame.set, &closed.set)
    else:
        frame.set = closed.set
        frame.has_set = True
    lift_to_frame(p, &closed.node, verdict)


cdef void end_set(Prover* p, Frame* frame, bint is_settled) noexcept nogil:
    """Collect what a frame needs itself: its play settles the deal, or none is good for the turn."""
    cdef const Node* node = &frame.node
    if is_settled:
        clear(&frame.set)
        need_to_beat(&frame.set, node, play_at(p, node, frame.play))
        return
    if not frame.has_set:
        clear(&frame.set)
    collect_known(p, frame)
    if node.family != LEAD:
        forbid(&frame.set, &p.hands, node, node.turn, node.owner, node.family, node.key)


cdef void keep_pattern(Prover* p, const Frame* frame, int verdict) noexcept nogil:
    """Put what a lead's frame has collected into the table of patterns."""
    cdef Packed packed
    if p.hands.is_full:        # something may be missing
        return
    pack(&frame.set, &p.hands, frame.node.hands, verdict ^ 1, &packed)
    store_pattern(&p.patterns, &frame.key, &packed, verdict ^ 1, p.rank, p.nodes - frame.nodes)

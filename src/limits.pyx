"""Nodes, time and signals looked at while a search goes on."""

from guandan.clock cimport clock_seconds
from guandan.subhands cimport empty_pool
from guandan.sureruns cimport forget_sureruns

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() noexcept      # leaves its exception set

cdef enum:
    CHECK_EVERY = 1024         # nodes
    PLAYS_PER_CHECK = 1 << 16  # listed
    NODES_PER_REFILL = 64      # at least
    SIGNALS_EVERY = 20         # to the second


cdef bint refill(Prover* p) noexcept nogil:
    """Where the room for hands ran out, empty it, so that a search may start over; False if in vain.

    Proofs by the order of ranks are kept: it will come farther.
    """
    if not p.hands.is_full or p.nodes < p.next_refill:
        return False
    empty_pool(&p.hands, p.hands.level, p.hands.options)
    forget_sureruns(&p.sureruns)
    p.next_refill = p.nodes + NODES_PER_REFILL
    p.stopped = p.stop[0] or p.nodes >= p.most_nodes or clock_seconds() >= p.deadline
    return not p.stopped


cdef void set_limits(Prover* p, uint64_t nodes, double seconds) noexcept nogil:
    """Let searches go on for so many nodes and seconds, all together."""
    cdef double now = clock_seconds()
    p.nodes = p.next_refill = 0
    p.most_nodes = nodes
    p.deadline = now + seconds
    p.next_signals = now + 1.0 / SIGNALS_EVERY
    p.next_check = min(nodes, <uint64_t>CHECK_EVERY)
    p.next_plays = 0
    p.stopped = nodes == 0 or seconds <= 0 or p.hands.is_full


cdef int ask_for_signals() noexcept with gil:
    """Let Python handle signals; whether one raised, which is left set."""
    return check_signals() != 0


cdef void check_limits(Prover* p) noexcept nogil:
    """Stop where a limit is reached."""
    cdef double now
    p.next_check = min(p.most_nodes, p.nodes + CHECK_EVERY)
    p.next_plays = p.hands.n_plays + PLAYS_PER_CHECK
    if p.nodes >= p.most_nodes or p.stop[0]:
        p.stopped = True
        return
    now = clock_seconds()
    if now >= p.deadline:
        p.stopped = True
    elif now >= p.next_signals:
        p.next_signals = now + 1.0 / SIGNALS_EVERY
        if ask_for_signals():
            p.most_nodes = p.nodes     # and nothing starts the search again
            p.stopped = True

"""The search: an explicit stack of frames, children unfolded and looked up before any is searched."""

from libc.stdint cimport uint8_t, uint16_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from guandan.bits cimport mixed
from guandan.collect cimport (
    collect_frame, collect_pattern, collect_play, collect_run, end_set, keep_known, keep_pattern,
)
from guandan.combos cimport SUITS_ALL, SUITS_FLUSH
from guandan.frames cimport (
    FOR_PATTERNS, FOR_PROOFS, MOST_CHILDREN, NO_KEY, NO_PLAY, PASS_PLAY, Child, Cutoff, Frame, Known,
    collects,
)
from guandan.limits cimport check_limits
from guandan.nodes cimport beats_table, pass_turn, write_key
from guandan.outlines cimport Outline
from guandan.outcomes cimport FAILS, HOLDS, OPEN, next_stage
from guandan.patterns cimport (
    Listed, Pattern, empty_patterns, expect_list, find_pattern, free_patterns, make_patterns,
    write_shapes,
)
from guandan.proofs cimport (
    BUCKET, Key, Proof, empty_proofs, expect, find, free_proofs, make_proofs, store,
)
from guandan.subhands cimport (
    FAMILY_BOMB, LEAD, NO_CARDS, Play, Subhand, empty_pool, free_pool, hand_at, make_pool,
)
from guandan.sureruns cimport (
    MOST_LOSERS, Answer, forget_sureruns, free_sureruns, is_sure, make_sureruns,
)

cdef extern from "lanes.h" nogil:
    uint64_t lanes_max(uint64_t a, uint64_t b)

cdef enum:
    MOST_FRAMES = 512          # more than the longest deal has decisions
    N_CUTOFFS = 1 << 14
    WORK_PER_RUN = 1 << 14     # plays looked at for a sure run

# Room

cdef int make_prover(Prover* p, uint64_t room, uint32_t n_hands) except -1:
    """Get room for so many bytes of proofs and patterns, half for each, and so many hands."""
    memset(p, 0, sizeof(Prover))
    p.techniques = ALL_TECHNIQUES
    try:
        make_pool(&p.hands, n_hands)
        make_proofs(&p.proofs, room // 2)
        make_patterns(&p.patterns, room // 2)
        make_sureruns(&p.sureruns)
        p.n_cutoffs = N_CUTOFFS
        p.cutoffs = <Cutoff*>calloc(N_CUTOFFS, sizeof(Cutoff))
        p.children = <Child*>malloc(MOST_CHILDREN * sizeof(Child))
        p.knowns = <Known*>malloc(MOST_CHILDREN * sizeof(Known))
        p.frames = <Frame*>malloc(MOST_FRAMES * sizeof(Frame))
        if p.cutoffs == NULL or p.children == NULL or p.knowns == NULL or p.frames == NULL:
            raise MemoryError
    except MemoryError:
        free_prover(p)
        raise
    return 0


cdef void free_prover(Prover* p) noexcept nogil:
    """Give all room back."""
    free_pool(&p.hands)
    free_proofs(&p.proofs)
    free_patterns(&p.patterns)
    free_sureruns(&p.sureruns)
    free(p.cutoffs)
    free(p.children)
    free(p.knowns)
    free(p.frames)
    p.cutoffs = NULL
    p.children = NULL
    p.knowns = NULL
    p.frames = NULL


cdef void empty_prover(Prover* p, const Position* position) noexcept nogil:
    """Forget all, and take level and rules from a position."""
    cdef int suits = SUITS_FLUSH if p.techniques & DROPPED_SUITS else SUITS_ALL
    p.hands.age = 0            # no proof is left that names hands of another age
    empty_pool(&p.hands, position.level, position.options | suits)
    empty_proofs(&p.proofs)
    empty_patterns(&p.patterns)
    forget_sureruns(&p.sureruns)
    memset(p.cutoffs, 0, p.n_cutoffs * sizeof(Cutoff))


cdef uint64_t memory_of(const Prover* p) noexcept nogil:
    """The bytes of what has been used; a deep stack apart, which takes little."""
    return (p.hands.n_hands * (sizeof(Subhand) + sizeof(Outline))
            + p.hands.n_plays * (sizeof(Play) + sizeof(uint16_t))
            + p.hands.index_mask * sizeof(uint32_t)
            + p.proofs.n_buckets * BUCKET * sizeof(Proof)
            + p.patterns.n_buckets * BUCKET * sizeof(Listed)
            + p.patterns.patterns_end * sizeof(Pattern)
            + p.sureruns.n_answers * sizeof(Answer)
            + p.n_cutoffs * sizeof(Cutoff))


# Sure runs

cdef inline uint64_t opponents_most(Prover* p, const Node* node) noexcept nogil:
    """The greatest keys of both opponents of the turn."""
    return lanes_max(hand_at(&p.hands, node.hands[node.turn + 1 & 3]).most,
                     hand_at(&p.hands, node.hands[node.turn + 3 & 3]).most)


cdef inline int losers_allowed(Prover* p, const Node* node) noexcept nogil:
    """In how many tricks both opponents may play before one could go out."""
    cdef int losers = MOST_LOSERS if p.techniques & LOSERS else 0
    cdef int step
    cdef uint32_t hand
    for step in range(1, 4, 2):
        hand = node.hands[node.turn + step & 3]
        if hand != NO_CARDS:
            losers = min(losers, hand_at(&p.hands, hand).least_plays - 1)
    return losers


cdef inline bint has_sure_run(Prover* p, uint32_t number, uint64_t most, int losers) noexcept nogil:
    """Whether a hand that leads is a sure run, as far as some work shows."""
    cdef bint sure
    p.sureruns.work_left = WORK_PER_RUN
    sure = is_sure(&p.sureruns, &p.hands, number, most, losers)
    if p.sureruns.work_left < WORK_PER_RUN // 2:
        p.next_check = p.nodes     # that took long
    return sure


cdef inline bint may_be_sure(Prover* p, uint32_t number, uint64_t most) noexcept nogil:
    """Whether a hand has what no opponent beats; without it only one last play is a sure run."""
    cdef const Subhand* hand = hand_at(&p.hands, number)
    cdef uint64_t below
    if hand.goes_out or number == NO_CARDS:
        return True
    if most >> 56:
        most |= <uint64_t>0x00ffffffffffffff
    below = lanes_max(hand.most, lanes_max(most, <uint64_t>0x0101010101010101)) ^ hand.most
    return (below - <uint64_t>0x0101010101010101 & ~below & <uint64_t>0x8080808080808080) != 0     # a byte is 0


cdef const Play* sure_reply(Prover* p, const Node* node, const Subhand* hand) noexcept nogil:
    """A reply that no opponent can beat and that leaves a sure run, NULL if there is none."""
    cdef uint64_t most = opponents_most(p, node)
    cdef int losers = losers_allowed(p, node)
    cdef int bombs = <int>(most >> 56)
    cdef int beaten = bombs, i
    cdef const Play* play
    if node.family != FAMILY_BOMB and not bombs:
        beaten = <int>(most >> 8 * node.family & 255)
        for i in range(hand.start[node.family], hand.start[node.family + 1]):
            play = &p.hands.plays[hand.plays + i]
            if (play.key > node.key and play.key + 1 >= beaten
                    and may_be_sure(p, play.rest, most)
                    and has_sure_run(p, play.rest, most, losers)):
                return play
    for i in range(hand.start[FAMILY_BOMB], hand.start[FAMILY_BOMB + 1]):
        play = &p.hands.plays[hand.plays + i]
        if ((node.family != FAMILY_BOMB or play.key > node.key) and play.key + 1 >= bombs
                and may_be_sure(p, play.rest, most)
                and has_sure_run(p, play.rest, most, losers)):
            return play
    return NULL


# Entering a node

cdef const Play* last_play(Prover* p, const Node* node, const Subhand* hand) noexcept nogil:
    """A play that beats the table and empties the hand, NULL if there is none."""
    cdef const Play* play
    cdef int i
    if not hand.goes_out:
        return NULL
    for i in range(hand.start[node.family], hand.start[FAMILY_BOMB + 1]):
        play = &p.hands.plays[hand.plays + i]
        if play.rest == NO_CARDS and beats_table(node, play):
            return play
    return NULL


cdef inline void recall_cutoff(Prover* p, Frame* frame, const Subhand* hand) noexcept nogil:
    """Find what settled the same hand before, beside the same partner and before the same table."""
    cdef const Node* node = &frame.node
    cdef uint64_t hash = node.hands[node.turn] * <uint64_t>0x9e3779b97f4a7c15
    cdef int lowest = node.key
    frame.cutoff_play = NO_PLAY
    if node.family < FAMILY_BOMB:
        # All keys up to the lowest that beats the table ask for the same replies.
        lowest = hand.keys[node.family] >> (node.key + 1)
        lowest = (lowest & -lowest) << (node.key + 1)
    hash ^= (node.hands[node.turn + 2 & 3]) * <uint64_t>0xbf58476d1ce4e5b9
    hash += node.turn * 16 + (node.owner - node.turn & 3) + node.family * 256 + <uint64_t>lowest * 65536
    hash = mixed(hash)
    frame.cutoff = &p.cutoffs[hash & (p.n_cutoffs - 1)]
    frame.cutoff_tag = <uint32_t>(hash >> 32) | 1
    if frame.cutoff.tag == frame.cutoff_tag and p.techniques & CUTOFFS:
        frame.cutoff_play = frame.cutoff.play


cdef inline void open_frame(Prover* p, const Node* node, const Subhand* hand) noexcept nogil:
    """Begin to search the children of a node; its key is set already."""
    cdef Frame* frame = &p.frames[p.depth]
    frame.node = node[0]
    frame.nodes = p.nodes - 1
    frame.first = frame.next = p.n_children
    frame.first_known = p.n_knowns
    frame.wants = ~node.turn & 1
    frame.is_unfolded = False
    frame.has_searched = False
    frame.collects = frame.keyed == FOR_PATTERNS if node.family == LEAD else collects(p)
    frame.has_set = False
    recall_cutoff(p, frame, hand)
    p.depth += 1


cdef inline int write_lead(Prover* p, const Node* node, Key* key) noexcept nogil:
    """Write the key of a lead for the table that it belongs in, and return which one that is."""
    if p.techniques & PATTERNS and write_shapes(&p.hands, node, key):
        expect_list(&p.patterns, key)
        return FOR_PATTERNS
    if p.techniques & PROOFS:
        write_key(&p.hands, node, p.techniques & SQUEEZE, key)
        expect(&p.proofs, key)
        return FOR_PROOFS
    return NO_KEY


cdef inline int proven(Prover* p, const Key* key, const Proof** entry) noexcept nogil:
    """The verdict of the table of proofs, and its entry, NULL if there is none."""
    cdef const Proof* found = find(&p.proofs, key)
    entry[0] = found
    if found == NULL:
        return OPEN
    return HOLDS if (found.bounds & 15) >= p.rank else FAILS if found.bounds >> 4 < p.rank else OPEN


cdef int enter_lead(Prover* p, const Node* node, const Child* child) noexcept nogil:
    """Settle a lead at once, or open its frame."""
    cdef const Subhand* hand = hand_at(&p.hands, node.hands[node.turn])
    cdef Frame* frame = &p.frames[p.depth]
    cdef int wants = ~node.turn & 1
    cdef bint is_last = p.test.after[node.stage][node.turn & 1] == wants     # no more than to go out next
    cdef const Proof* proof
    cdef const Pattern* pattern
    cdef uint16_t seen = 0
    cdef int verdict
    if is_last and hand.goes_out:
        if collects(p):
            collect_play(p, node, NULL)
        return wants
    if child != NULL and child.keyed:
        frame.key = child.key
        frame.keyed = child.keyed
        seen = child.seen
    else:
        frame.keyed = <uint8_t>write_lead(p, node, &frame.key)
    if (is_last and p.techniques & SURE_LEADS
            and has_sure_run(p, node.hands[node.turn], opponents_most(p, node),
                             losers_allowed(p, node))):
        if collects(p):
            collect_run(p, node, NULL, opponents_most(p, node), losers_allowed(p, node))
        return wants
    frame.proofs_play = NO_PLAY
    if frame.keyed == FOR_PATTERNS:
        pattern = find_pattern(&p.patterns, &frame.key, &p.hands, node, p.rank, &seen)
        if pattern != NULL:
            verdict = pattern.winner ^ 1
            if collects(p):
                collect_pattern(p, node, &pattern.set, verdict)
            return verdict
    elif frame.keyed == FOR_PROOFS:
        verdict = proven(p, &frame.key, &proof)
        if verdict != OPEN:
            return verdict
        if proof != NULL and proof.play < hand.start[FAMILY_BOMB + 1]:
            frame.proofs_play = proof.play
    open_frame(p, node, hand)
    if frame.cutoff_play >= hand.start[FAMILY_BOMB + 1]:
        frame.cutoff_play = NO_PLAY
    return OPEN


cdef int enter_reply(Prover* p, const Node* node) noexcept nogil:
    """Settle a reply at once, or open its frame."""
    cdef const Subhand* hand = hand_at(&p.hands, node.hands[node.turn])
    cdef int wants = ~node.turn & 1
    cdef Frame* frame
    cdef const Play* play
    if p.test.after[node.stage][node.turn & 1] == wants:
        play = last_play(p, node, hand)
        if play != NULL:
            if collects(p):
                collect_play(p, node, play)
            return wants
        if p.techniques & SURE_REPLIES:
            play = sure_reply(p, node, hand)
            if play != NULL:
                if collects(p):
                    collect_run(p, node, play, opponents_most(p, node), losers_allowed(p, node))
                return wants
    open_frame(p, node, hand)
    frame = &p.frames[p.depth - 1]
    if frame.cutoff_play != PASS_PLAY and (
            frame.cutoff_play >= hand.start[FAMILY_BOMB + 1]
            or not beats_table(node, &p.hands.plays[hand.plays + frame.cutoff_play])):
        frame.cutoff_play = NO_PLAY
    return OPEN


cdef inline int enter(Prover* p, const Node* node, const Child* child) noexcept nogil:
    """Settle a node at once, or open its frame; NULL where it is nobody's child."""
    p.nodes += 1
    if p.nodes >= p.next_check or p.hands.n_plays >= p.next_plays:
        check_limits(p)
    return enter_lead(p, node, child) if node.family == LEAD else enter_reply(p, node)


# Frames

cdef inline int add_child(Prover* p, const Frame* frame, uint32_t number) noexcept nogil:
    """Append the child of a play; a verdict where the play settles the deal."""
    cdef Child* child = &p.children[p.n_children]
    cdef Node* node = &child.node
    cdef const Play* play
    cdef int verdict
    if p.n_children == MOST_CHILDREN - 1:
        p.hands.is_full = True
        return OPEN
    node[0] = frame.node
    child.play = number
    child.keyed = NO_KEY
    child.seen = 0
    if number != PASS_PLAY:
        play = &p.hands.plays[p.hands.hands[node.hands[node.turn]].plays + number]
        if play.rest == NO_CARDS:
            verdict = p.test.after[node.stage][node.turn & 1]
            if verdict != OPEN:
                return verdict
            node.stage = <uint8_t>next_stage(node.stage, node.turn & 1)
        node.hands[node.turn] = play.rest
        node.family = play.family
        node.key = play.key
        node.owner = node.turn
    pass_turn(&p.hands, node)
    if node.family == LEAD:
        child.keyed = <uint8_t>write_lead(p, node, &child.key)
    p.n_children += 1
    return OPEN


cdef inline bint try_play(Prover* p, Frame* frame, uint32_t number) noexcept nogil:
    """Append the child of a play; whether the play settles the frame at once."""
    if add_child(p, frame, number) != frame.wants:
        return False
    frame.play = number
    if frame.collects:
        end_set(p, frame, True)
    return True


cdef inline int look_up(Prover* p, Frame* frame, Child* child) noexcept nogil:
    """The verdict of the tables on a child; what it needs is collected, or kept where it is no good."""
    cdef const Pattern* pattern
    cdef const Proof* proof
    if child.keyed != FOR_PATTERNS:
        return proven(p, &child.key, &proof) if child.keyed == FOR_PROOFS else OPEN
    pattern = find_pattern(&p.patterns, &child.key, &p.hands, &child.node, p.rank, &child.seen)
    if pattern == NULL:
        return OPEN
    if frame.collects and pattern.winner == frame.wants:
        keep_known(p, frame, &pattern.set)
    elif frame.collects:
        collect_pattern(p, &child.node, &pattern.set, frame.wants)
    return pattern.winner ^ 1


cdef bint glance(Prover* p, Frame* frame) noexcept nogil:
    """Look children up, drop those that are no good; whether one settles the frame."""
    cdef uint32_t i, kept = frame.first
    cdef Child* child
    cdef int verdict
    for i in range(frame.first, p.n_children):
        child = &p.children[i]
        frame.play = child.play
        verdict = look_up(p, frame, child)
        if verdict == frame.wants:
            return True
        if verdict != OPEN:
            continue
        if kept != i:
            p.children[kept] = child[0]
        kept += 1
    p.n_children = kept
    return False


cdef bint try_leads(Prover* p, Frame* frame, const Subhand* hand) noexcept nogil:
    """Append a lead's children, what is likely to settle it first; whether a play settles it at once."""
    cdef const uint16_t* order = &p.hands.orders[hand.plays]
    cdef int i
    if frame.proofs_play != NO_PLAY and try_play(p, frame, frame.proofs_play):
        return True
    if (frame.cutoff_play != NO_PLAY and frame.cutoff_play != frame.proofs_play
            and try_play(p, frame, frame.cutoff_play)):
        return True
    for i in range(hand.start[FAMILY_BOMB + 1]):
        if order[i] != frame.proofs_play and order[i] != frame.cutoff_play and try_play(p, frame, order[i]):
            return True
    return False


cdef bint try_replies(Prover* p, Frame* frame, const Subhand* hand) noexcept nogil:
    """Append a reply's children, bombs late and the pass last; whether a play settles it at once."""
    cdef const Node* node = &frame.node
    cdef const Play* plays = &p.hands.plays[hand.plays]
    cdef int i
    if frame.cutoff_play != NO_PLAY and try_play(p, frame, frame.cutoff_play):
        return True
    for i in range(hand.start[node.family], hand.start[node.family + 1]):
        if plays[i].key > node.key and i != frame.cutoff_play and try_play(p, frame, i):
            return True
    if node.family != FAMILY_BOMB:
        for i in range(hand.start[FAMILY_BOMB], hand.start[FAMILY_BOMB + 1]):
            if i != frame.cutoff_play and try_play(p, frame, i):
                return True
    return frame.cutoff_play != PASS_PLAY and try_play(p, frame, PASS_PLAY)


cdef int unfold(Prover* p, Frame* frame) noexcept nogil:
    """Make the children of a frame: OPEN, or its verdict where one settles it or none is left."""
    cdef const Subhand* hand = hand_at(&p.hands, frame.node.hands[frame.node.turn])
    cdef bint is_settled
    frame.is_unfolded = True
    if frame.node.family == LEAD:
        is_settled = try_leads(p, frame, hand)
    else:
        is_settled = try_replies(p, frame, hand)
    if is_settled or p.techniques & GLANCES and glance(p, frame):
        return frame.wants
    return OPEN if p.n_children > frame.first else frame.wants ^ 1


cdef int close_frame(Prover* p, Frame* frame, int verdict) noexcept nogil:
    """Remember what a frame has shown, and return its verdict."""
    cdef bint is_won = verdict == frame.wants
    p.depth -= 1
    p.n_children = frame.first
    if p.hands.is_full:
        p.stopped = True
    if p.stopped:
        return verdict
    if frame.collects and not is_won:
        end_set(p, frame, False)
    p.n_knowns = frame.first_known
    # A play that the table of proofs named says little of the next position.
    if is_won and frame.has_searched and frame.play != frame.cutoff_play:
        frame.cutoff.tag = frame.cutoff_tag
        frame.cutoff.play = <uint16_t>frame.play
    if frame.node.family == LEAD and frame.keyed == FOR_PATTERNS:
        keep_pattern(p, frame, verdict)
    elif frame.node.family == LEAD and frame.keyed == FOR_PROOFS:
        store(&p.proofs, &frame.key, p.rank if verdict == HOLDS else 0,
              p.top_rank if verdict == HOLDS else p.rank - 1,
              <uint16_t>(frame.play if is_won else NO_PLAY), p.nodes - frame.nodes)
    if collects(p):
        collect_frame(p, frame, verdict)
    if p.depth == 0 and is_won:
        p.root_play = <uint16_t>frame.play
    return verdict


cdef int next_child(Prover* p, Frame* frame) noexcept nogil:
    """Enter the next child of the top frame, or close it where there is none."""
    cdef const Child* child
    cdef int verdict
    if frame.next == p.n_children:
        verdict = frame.wants ^ 1 if frame.is_unfolded else unfold(p, frame)
        if verdict != OPEN:
            return close_frame(p, frame, verdict)
    child = &p.children[frame.next]
    frame.next += 1
    frame.play = child.play
    frame.has_searched = True
    return enter(p, &child.node, child)


cdef int prove(Prover* p, const Node* root) noexcept nogil:
    """Return the verdict on a node; OPEN where a limit stopped the search.

    A verdict always concerns a child of the top frame: at once after it was entered, or when its
    own frame has closed.
    """
    cdef int verdict
    cdef Frame* frame
    p.depth = 0
    p.n_children = 0
    p.n_knowns = 0
    p.root_play = NO_PLAY
    if p.stopped:
        return OPEN
    verdict = enter(p, root, NULL)
    while not (p.stopped or p.hands.is_full):
        if p.depth == 0:
            return verdict
        frame = &p.frames[p.depth - 1]
        if verdict == frame.wants:
            verdict = close_frame(p, frame, verdict)
        else:
            verdict = next_child(p, frame)
    p.stopped = True
    return OPEN


cdef int look(Prover* p, const Node* node) noexcept nogil:
    """Return the verdict on a node where no children are needed for it, else OPEN."""
    p.depth = 0
    return enter(p, node, NULL)


cdef int settling_play_by(
    Prover* p, const Node* root, int (*judge)(Prover*, const Node*) noexcept nogil
) noexcept nogil:
    """Return the first play to whose child a judge gives the verdict that the turn wants, else NO_PLAY."""
    cdef const Subhand* hand = hand_at(&p.hands, root.hands[root.turn])
    cdef const uint16_t* order = &p.hands.orders[hand.plays]
    cdef bint is_lead = root.family == LEAD
    cdef int i, n = hand.start[FAMILY_BOMB + 1], number, verdict
    cdef Frame frame
    cdef Node node
    frame.node = root[0]
    frame.wants = ~root.turn & 1
    for i in range(n if is_lead else n + 1):
        number = PASS_PLAY if i == n else order[i] if is_lead else i
        if i < n and not is_lead and not beats_table(root, &p.hands.plays[hand.plays + i]):
            continue
        p.n_children = 0
        verdict = add_child(p, &frame, number)
        if verdict == OPEN:
            node = p.children[0].node
            p.n_children = 0
            verdict = judge(p, &node)
        if p.stopped or p.hands.is_full:
            p.stopped = True
            return NO_PLAY
        if verdict == frame.wants:
            return number
    return NO_PLAY


cdef int settling_play(Prover* p, const Node* root) noexcept nogil:
    """Return the play that gives the turn's side the verdict it wants, NO_PLAY where stopped.

    The test must be known to come out so.
    """
    cdef int number
    if prove(p, root) == OPEN or p.root_play != NO_PLAY:
        return p.root_play
    # A bound or the table settled it, and not by a play: one look finds it in most cases.
    number = settling_play_by(p, root, look)
    if number == NO_PLAY and not p.stopped:
        number = settling_play_by(p, root, prove)
    return number

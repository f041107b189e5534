"""The table of patterns: lists and patterns each start small and double as they fill, up to their room."""

from libc.string cimport memcpy, memset

from guandan.proofs cimport BUCKET_BYTES, spread, work_class
from guandan.relations cimport Allowed, is_weaker, is_within, weigh
from guandan.rooms cimport LINE, free_room, resize

cdef enum:
    LISTS_SHARE = 4            # lists take one byte of so many
    FIRST_BUCKETS = 256        # at first more than half of so many, if there is room
    FIRST_PATTERNS = 256
    LEAST_PATTERNS = 3
    MOST_PATTERNS = 1 << 31

# Room

cdef int make_patterns(Patterns* patterns, uint64_t room) except -1:
    """Start a table that takes no more than so many bytes."""
    memset(patterns, 0, sizeof(Patterns))
    patterns.most_buckets = max(1, room // (LISTS_SHARE * BUCKET_BYTES))
    patterns.most_patterns = <uint32_t>min(MOST_PATTERNS, max(
        LEAST_PATTERNS, (room - room // LISTS_SHARE) // sizeof(Pattern)))
    empty_patterns(patterns)
    if patterns.lists == NULL or patterns.patterns == NULL:
        free_patterns(patterns)
        raise MemoryError
    return 0


cdef void free_patterns(Patterns* patterns) noexcept nogil:
    """Give all room back."""
    free_room(&patterns.lists_room)
    free_room(&patterns.patterns_room)
    memset(patterns, 0, sizeof(Patterns))


cdef void empty_patterns(Patterns* patterns) noexcept nogil:
    """Forget all patterns; a table that has grown is small again, as a new one."""
    cdef uint64_t n_buckets = patterns.most_buckets
    cdef uint32_t end = min(patterns.most_patterns, <uint32_t>FIRST_PATTERNS)
    while n_buckets > FIRST_BUCKETS:
        n_buckets //= 2
    if n_buckets != patterns.n_buckets and resize(
            &patterns.lists_room, LINE, 0, n_buckets * BUCKET_BYTES):
        patterns.lists = <Listed*>patterns.lists_room.at
        patterns.n_buckets = n_buckets
    if end != patterns.patterns_end and resize(&patterns.patterns_room, LINE, 0, end * sizeof(Pattern)):
        patterns.patterns = <Pattern*>patterns.patterns_room.at
        patterns.patterns_end = end
    if patterns.lists != NULL:
        memset(patterns.lists, 0, patterns.n_buckets * BUCKET_BYTES)
    patterns.n_lists = 0
    patterns.n_patterns = 1
    patterns.free = 0
    patterns.clock = 0


# Lists

cdef inline Listed* find_list(const Patterns* patterns, const Key* key) noexcept nogil:
    """The list of a key, NULL if there is none."""
    cdef Listed* entry = &patterns.lists[place_of_list(patterns, key.hash)]
    cdef int i
    for i in range(BUCKET):
        if (entry[i].words[0] == key.words[0] and entry[i].words[1] == key.words[1]
                and entry[i].words[2] == key.words[2]):
            return &entry[i]
    return NULL


cdef void grow_lists(Patterns* patterns) noexcept nogil:
    """Double the room for lists, if that may be."""
    cdef uint64_t n = patterns.n_buckets
    if 2 * n > patterns.most_buckets:
        return
    if not resize(&patterns.lists_room, LINE, n * BUCKET_BYTES, 2 * n * BUCKET_BYTES):
        patterns.most_buckets = n
        return
    patterns.lists = <Listed*>patterns.lists_room.at
    patterns.n_buckets = 2 * n
    spread(patterns.lists, n)


cdef void release(Patterns* patterns, Listed* entry) noexcept nogil:
    """Free all patterns of a list."""
    cdef uint32_t number
    while entry.first:
        number = entry.first
        entry.first = patterns.patterns[number].next
        patterns.patterns[number].next = patterns.free
        patterns.free = number


cdef Listed* open_list(Patterns* patterns, const Key* key) noexcept nogil:
    """The list of a key; a new one takes a free place, else that of the list with the least work."""
    cdef Listed* entry = find_list(patterns, key)
    cdef Listed* bucket
    cdef int i
    if entry != NULL:
        return entry
    if patterns.n_lists > patterns.n_buckets:
        grow_lists(patterns)
    bucket = &patterns.lists[place_of_list(patterns, key.hash)]
    entry = bucket
    for i in range(1, BUCKET):
        if bucket[i].work < entry.work:
            entry = &bucket[i]
    patterns.n_lists += entry.work == 0
    release(patterns, entry)
    memcpy(entry.words, key.words, sizeof(key.words))
    entry.work = 0
    entry.stores = 0
    return entry


# Patterns

cdef const Pattern* find_pattern(
    Patterns* patterns, const Key* key, const Subhands* pool, const Node* node, int rank, uint16_t* seen
) noexcept nogil:
    """A pattern of a position that settles the test for a rank, NULL if there is none.

    It becomes the first of its list. Where there is none, `seen` is set, so that nothing is read
    again when the same is asked before more is stored; it is 0 at first.
    """
    cdef Listed* entry = find_list(patterns, key)
    cdef Pattern* pattern
    cdef Pattern* last = NULL
    cdef uint32_t number
    cdef Allowed allowed
    if entry == NULL or entry.stores == seen[0]:
        return NULL
    number = entry.first
    if number:
        weigh(pool, node.hands, &allowed)
    while number:
        pattern = &patterns.patterns[number]
        if ((pattern.rank <= rank if pattern.winner else pattern.rank >= rank)
                and is_within(&pattern.set, &allowed, pattern.winner)):
            if last != NULL:
                last.next = pattern.next
                pattern.next = entry.first
                entry.first = number
            return pattern
        last = pattern
        number = pattern.next
    seen[0] = entry.stores
    return NULL


cdef bint grow_patterns(Patterns* patterns) noexcept nogil:
    """Double the room for patterns; False where that may not be."""
    cdef uint32_t end = <uint32_t>min(<uint64_t>patterns.most_patterns, 2 * <uint64_t>patterns.patterns_end)
    if end == patterns.patterns_end:
        return False
    if not resize(
            &patterns.patterns_room, LINE, patterns.patterns_end * sizeof(Pattern), end * sizeof(Pattern)):
        patterns.most_patterns = patterns.patterns_end
        return False
    patterns.patterns = <Pattern*>patterns.patterns_room.at
    patterns.patterns_end = end
    return True


cdef uint32_t take_last(Patterns* patterns, Listed* entry) noexcept nogil:
    """Take the pattern of a list out of it that has not been of use for longest."""
    cdef uint32_t* link = &entry.first
    cdef uint32_t number
    while patterns.patterns[link[0]].next:
        link = &patterns.patterns[link[0]].next
    number = link[0]
    link[0] = 0
    return number


cdef uint32_t take_any(Patterns* patterns) noexcept nogil:
    """Take a pattern of a list with little work, of another bucket each time."""
    cdef Listed* bucket
    cdef Listed* entry
    cdef int i
    while True:
        patterns.clock = patterns.clock + 1 if patterns.clock + 1 < patterns.n_buckets else 0
        bucket = &patterns.lists[BUCKET * patterns.clock]
        entry = NULL
        for i in range(BUCKET):
            if bucket[i].first and (entry == NULL or bucket[i].work < entry.work):
                entry = &bucket[i]
        if entry != NULL:
            return take_last(patterns, entry)


cdef uint32_t new_pattern(Patterns* patterns, Listed* entry) noexcept nogil:
    """Get a free pattern for a list; where there is none left, one of its own gives way, or any."""
    cdef uint32_t number = patterns.free
    if number:
        patterns.free = patterns.patterns[number].next
        return number
    if patterns.n_patterns < patterns.patterns_end or grow_patterns(patterns):
        patterns.n_patterns += 1
        return patterns.n_patterns - 1
    return take_last(patterns, entry) if entry.first else take_any(patterns)


cdef void store_pattern(
    Patterns* patterns, const Key* key, const Packed* set, int winner, int rank, uint64_t work
) noexcept nogil:
    """Keep what a proof has shown, in place of a pattern that says no more, if there is one."""
    cdef Listed* entry = open_list(patterns, key)
    cdef Pattern* pattern
    cdef uint32_t number
    entry.work = <uint8_t>max(entry.work, work_class(work))
    entry.stores += 1 + (entry.stores == 0xffff)
    number = entry.first
    while number:
        pattern = &patterns.patterns[number]
        if (pattern.winner == winner and (pattern.rank >= rank if winner else pattern.rank <= rank)
                and is_weaker(set, &pattern.set)):
            break
        number = pattern.next
    else:
        number = new_pattern(patterns, entry)
        patterns.patterns[number].next = entry.first
        entry.first = number
    pattern = &patterns.patterns[number]
    pattern.set = set[0]
    pattern.winner = <uint8_t>winner
    pattern.rank = <uint8_t>rank

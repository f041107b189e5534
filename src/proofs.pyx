"""The table of proofs: it starts small and doubles as it fills, up to its room."""

from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

from guandan.rooms cimport free_room, resize

cdef enum:
    FIRST_BUCKETS = 512        # at first more than half of so many, if there is room
    LINE = 128                 # bytes of a bucket


cdef int make_proofs(Proofs* proofs, uint64_t room) except -1:
    """Start a table that never takes more than so many bytes."""
    memset(proofs, 0, sizeof(Proofs))
    proofs.most_buckets = max(1, room // LINE)
    empty_proofs(proofs)
    if proofs.entries == NULL:
        raise MemoryError
    return 0


cdef void free_proofs(Proofs* proofs) noexcept nogil:
    """Give all room back."""
    free_room(&proofs.room)
    memset(proofs, 0, sizeof(Proofs))


cdef void empty_proofs(Proofs* proofs) noexcept nogil:
    """Forget all entries; a table that has grown is small again, which is sooner done than to clear it."""
    cdef uint64_t n = proofs.most_buckets
    while n > FIRST_BUCKETS:
        n //= 2
    if n != proofs.n_buckets and resize(&proofs.room, LINE, 0, n * LINE):
        proofs.entries = <Proof*>proofs.room.at
        proofs.n_buckets = n
    proofs.n_used = 0
    if proofs.entries != NULL:
        memset(proofs.entries, 0, proofs.n_buckets * LINE)


cdef int work_class(uint64_t work) noexcept nogil:
    """A number from 1 to 255 that grows by four as the work doubles."""
    cdef int doublings = 0
    work += 4
    while work >= 8:
        work >>= 1
        doublings += 1
    return min(255, 1 + 4 * doublings + <int>(work & 3))


cdef void split_bucket(Proofs* proofs, uint64_t bucket) noexcept nogil:
    """Spread a bucket of the half as many over the two that take its place."""
    cdef Proof[BUCKET] held
    cdef Key key
    cdef int i
    memcpy(held, &proofs.entries[BUCKET * bucket], sizeof(held))
    memset(&proofs.entries[BUCKET * bucket], 0, sizeof(held))
    for i in range(BUCKET):
        if held[i].work:
            memcpy(key.words, held[i].words, sizeof(key.words))
            finish_key(&key)
            proofs.entries[BUCKET * bucket_of(proofs, key.hash) + i] = held[i]


cdef bint grow(Proofs* proofs) noexcept nogil:
    """Double the table in place; False where there is no room.

    From the last one down, the two buckets that take a bucket's place lie behind all that are
    still to be spread.
    """
    cdef uint64_t n = proofs.n_buckets
    cdef int64_t bucket
    if 2 * n > proofs.most_buckets:
        return False
    if not resize(&proofs.room, LINE, n * LINE, 2 * n * LINE):
        proofs.most_buckets = n
        return False
    proofs.entries = <Proof*>proofs.room.at
    memset(&proofs.entries[BUCKET * n], 0, n * LINE)
    proofs.n_buckets = 2 * n
    for bucket in range(<int64_t>n - 1, -1, -1):
        split_bucket(proofs, bucket)
    return True


cdef void store(
    Proofs* proofs, const Key* key, int low, int high, uint16_t play, uint64_t work
) noexcept nogil:
    """Keep bounds of a value's rank; where there is no room, in place of the cheapest proof."""
    cdef Proof* bucket = &proofs.entries[BUCKET * bucket_of(proofs, key.hash)]
    cdef Proof* entry = find(proofs, key)
    cdef int effort = work_class(work)
    cdef int i
    if entry != NULL:
        low = max(low, entry.bounds & 15)
        high = min(high, entry.bounds >> 4)
        entry.work = <uint8_t>max(effort, entry.work)
    else:
        entry = bucket
        for i in range(1, BUCKET):
            if bucket[i].work < entry.work:
                entry = &bucket[i]
        proofs.n_used += entry.work == 0
        memcpy(entry.words, key.words, sizeof(key.words))
        entry.tag = <uint32_t>key.hash
        entry.work = <uint8_t>effort
    entry.play = play
    entry.bounds = <uint8_t>(low | high << 4)
    if 2 * proofs.n_used > BUCKET * proofs.n_buckets:
        grow(proofs)

"""The table of proofs: it starts small and doubles as it fills, up to its room."""

from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

from guandan.rooms cimport free_room, resize

cdef enum:
    FIRST_BUCKETS = 512        # at first more than half of so many, if there is room


cdef int make_proofs(Proofs* proofs, uint64_t room) except -1:
    """Start a table that never takes more than so many bytes."""
    memset(proofs, 0, sizeof(Proofs))
    proofs.most_buckets = max(1, room // BUCKET_BYTES)
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
    if n != proofs.n_buckets and resize(&proofs.room, BUCKET_BYTES, 0, n * BUCKET_BYTES):
        proofs.entries = <Proof*>proofs.room.at
        proofs.n_buckets = n
    proofs.n_used = 0
    if proofs.entries != NULL:
        memset(proofs.entries, 0, proofs.n_buckets * BUCKET_BYTES)


cdef int work_class(uint64_t work) noexcept nogil:
    """A number from 1 to 255 that grows by four as the work doubles."""
    cdef int doublings = 0
    work += 4
    while work >= 8:
        work >>= 1
        doublings += 1
    return min(255, 1 + 4 * doublings + <int>(work & 3))


cdef void spread(void* table, uint64_t n) noexcept nogil:
    """Spread n buckets over twice as many, which take as much room again behind them.

    An entry begins with the words of its key and ends with a byte that is 0 where there is none.
    From the last bucket down, the two that take its place lie behind all that are still to be spread.
    """
    cdef uint8_t* buckets = <uint8_t*>table
    cdef uint8_t[BUCKET_BYTES] held
    cdef Key key
    cdef uint8_t* entry
    cdef uint64_t place
    cdef int64_t bucket
    cdef int i
    memset(&buckets[BUCKET_BYTES * n], 0, BUCKET_BYTES * n)
    for bucket in range(<int64_t>n - 1, -1, -1):
        memcpy(held, &buckets[BUCKET_BYTES * bucket], BUCKET_BYTES)
        memset(&buckets[BUCKET_BYTES * bucket], 0, BUCKET_BYTES)
        for i in range(BUCKET):
            entry = &held[ENTRY_BYTES * i]
            if entry[ENTRY_BYTES - 1]:
                memcpy(key.words, entry, sizeof(key.words))
                finish_key(&key)
                place = BUCKET_BYTES * bucket_of(2 * n, key.hash) + ENTRY_BYTES * i
                memcpy(&buckets[place], entry, ENTRY_BYTES)


cdef void grow(Proofs* proofs) noexcept nogil:
    """Double the table in place, if that may be."""
    cdef uint64_t n = proofs.n_buckets
    if 2 * n > proofs.most_buckets:
        return
    if not resize(&proofs.room, BUCKET_BYTES, n * BUCKET_BYTES, 2 * n * BUCKET_BYTES):
        proofs.most_buckets = n
        return
    proofs.entries = <Proof*>proofs.room.at
    proofs.n_buckets = 2 * n
    spread(proofs.entries, n)


cdef void store(
    Proofs* proofs, const Key* key, int low, int high, uint16_t play, uint64_t work
) noexcept nogil:
    """Keep bounds of a value's rank; where there is no room, in place of the cheapest proof."""
    cdef Proof* bucket = &proofs.entries[BUCKET * bucket_of(proofs.n_buckets, key.hash)]
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

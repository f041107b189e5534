"""What has been proven of positions in which a seat leads: a hash table in a bounded room.

Every entry holds the whole of its position and is found by that alone: no proof rests on a hash.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from guandan.rooms cimport Room, prefetch

cdef enum:
    BUCKET = 4                 # entries among which a position may stand: two cache lines
    ENTRY_BYTES = 32
    BUCKET_BYTES = BUCKET * ENTRY_BYTES
    N_WORDS = 3


cdef struct Key:
    uint64_t[N_WORDS] words    # a position without loss
    uint64_t hash


cdef struct Proof:             # an entry
    uint64_t[N_WORDS] words
    uint32_t tag               # of the hash
    uint16_t play              # the best known, a number among the leader's plays
    uint8_t bounds             # the value's rank: at least the low half, at most the high half
    uint8_t work               # how much the proof cost, roughly its logarithm; 0: no entry


cdef struct Proofs:
    Proof* entries             # at the start of a cache line
    Room room
    uint64_t n_buckets         # now
    uint64_t most_buckets      # that fit the room
    uint64_t n_used


cdef inline void finish_key(Key* key) noexcept nogil:
    """Set the hash of a key from its words."""
    cdef uint64_t hash = (key.words[0] ^ <uint64_t>0xd1342543de82ef95) * <uint64_t>0x9e3779b97f4a7c15
    hash ^= hash >> 29
    hash = (hash ^ key.words[1]) * <uint64_t>0xbf58476d1ce4e5b9
    hash ^= hash >> 31
    hash = (hash ^ key.words[2]) * <uint64_t>0x94d049bb133111eb
    hash ^= hash >> 30
    hash *= <uint64_t>0x9e3779b97f4a7c15
    key.hash = hash ^ hash >> 29


cdef inline uint64_t bucket_of(uint64_t n_buckets, uint64_t hash) noexcept nogil:
    """The bucket of a hash: of twice as many buckets it is this one's double or the one behind."""
    return (hash >> 32) * n_buckets >> 32


cdef inline void expect(const Proofs* proofs, const Key* key) noexcept nogil:
    """Fetch what `find` will read."""
    cdef const Proof* entry = &proofs.entries[BUCKET * bucket_of(proofs.n_buckets, key.hash)]
    prefetch(entry)


cdef inline Proof* find(const Proofs* proofs, const Key* key) noexcept nogil:
    """The entry of a position, NULL if there is none."""
    cdef Proof* entry = &proofs.entries[BUCKET * bucket_of(proofs.n_buckets, key.hash)]
    cdef int i
    for i in range(BUCKET):
        if (entry[i].tag == <uint32_t>key.hash and entry[i].work
                and entry[i].words[0] == key.words[0] and entry[i].words[1] == key.words[1]
                and entry[i].words[2] == key.words[2]):
            return &entry[i]
    return NULL


cdef int work_class(uint64_t work) noexcept nogil
cdef void spread(void* table, uint64_t n) noexcept nogil
cdef int make_proofs(Proofs* proofs, uint64_t room) except -1
cdef void free_proofs(Proofs* proofs) noexcept nogil
cdef void empty_proofs(Proofs* proofs) noexcept nogil
cdef void store(
    Proofs* proofs, const Key* key, int low, int high, uint16_t play, uint64_t work
) noexcept nogil

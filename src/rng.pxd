"""The package's one random generator: a seed gives the same draws on every platform, for ever.

Bits come from SplitMix64 (Steele, Lea and Flood 2014) whose state starts at the seed; a number
below n from the upper 32 bits by multiply, shift and reject (Lemire 2019); a shuffle swaps each
place, from the last down to the second, with one drawn at or below it (Durstenfeld 1964).
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef struct Rng:
    uint64_t state


cdef inline uint64_t next_bits(Rng* rng) noexcept nogil:
    """Draw 64 uniform bits."""
    rng.state += 0x9E3779B97F4A7C15ULL
    cdef uint64_t bits = rng.state
    bits = (bits ^ (bits >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    bits = (bits ^ (bits >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return bits ^ (bits >> 31)


cdef inline Rng stream(uint64_t seed, uint64_t number) noexcept nogil:
    """One of many generators of a seed, each as good as independent of the others and of Rng(seed)."""
    cdef Rng rng = Rng(seed)
    rng.state = next_bits(&rng) ^ number
    rng.state = next_bits(&rng)
    return rng


cdef inline uint32_t below(Rng* rng, uint32_t n) noexcept nogil:
    """Draw a uniform number from 0 to n - 1; n is at least 1."""
    cdef uint64_t product = (next_bits(rng) >> 32) * n
    cdef uint32_t reject
    if <uint32_t>product < n:
        reject = (0 - n) % n
        while <uint32_t>product < reject:
            product = (next_bits(rng) >> 32) * n
    return <uint32_t>(product >> 32)


cdef inline int choose(Rng* rng, int n) noexcept nogil:
    """Draw one of n choices; where there is but one, none is drawn."""
    return <int>below(rng, <uint32_t>n) if n > 1 else 0


cdef inline void shuffle(Rng* rng, uint8_t* items, int n) noexcept nogil:
    """Put the n items into a uniform random order."""
    cdef int place, other
    cdef uint8_t item
    for place in range(n - 1, 0, -1):
        other = <int>below(rng, <uint32_t>place + 1)
        item = items[place]
        items[place] = items[other]
        items[other] = item

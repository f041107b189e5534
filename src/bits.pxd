"""Bits of a 64-bit set: how many, the lowest, taking it out, and a hash of them all."""

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int guandan_popcount(unsigned __int64 bits) {
      bits -= bits >> 1 & 0x5555555555555555u;
      bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
      return (int)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
    }
    static inline int guandan_lowest(unsigned __int64 bits) {
      unsigned long index;
      _BitScanForward64(&index, bits);
      return (int)index;
    }
    #else
    #define guandan_popcount __builtin_popcountll
    #define guandan_lowest __builtin_ctzll
    #endif
    """
    int popcount "guandan_popcount"(uint64_t bits) noexcept nogil
    int lowest "guandan_lowest"(uint64_t bits) noexcept nogil    # of an empty set: undefined


cdef inline int pop(uint64_t* bits) noexcept nogil:
    """Take the lowest bit out of a set that is not empty and return its index."""
    cdef int index = lowest(bits[0])
    bits[0] &= bits[0] - 1
    return index


cdef inline uint64_t mixed(uint64_t bits) noexcept nogil:
    """A hash of 64 bits."""
    bits ^= bits >> 32
    bits *= <uint64_t>0xd6e8feb86659fd93
    bits ^= bits >> 32
    bits *= <uint64_t>0xd6e8feb86659fd93
    return bits ^ bits >> 32

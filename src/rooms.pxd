"""Rooms: memory that begins at a bound, as a table of cache lines wants it, and grows in place; and fetching ahead."""

from libc.stdlib cimport free, realloc
from libc.string cimport memmove


cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define guandan_prefetch(where) _mm_prefetch((const char *)(where), _MM_HINT_T0)
    #else
    #define guandan_prefetch(where) __builtin_prefetch(where)
    #endif
    """
    void prefetch "guandan_prefetch"(const void* where) noexcept nogil


cdef enum:
    LINE = 64                  # bytes of a cache line


cdef struct Room:              # all 0: none yet
    void* at                   # where it begins, a multiple of its bound
    void* block                # as it was allocated


cdef inline bint resize(Room* room, size_t bound, size_t held, size_t wanted) noexcept nogil:
    """Have a room of so many bytes and keep those held; False, and no change, where there is none."""
    cdef size_t offset = <size_t>room.at - <size_t>room.block
    cdef char* block = <char*>realloc(room.block, wanted + bound)
    if block == NULL:
        return False
    room.block = block
    room.at = <void*>(<size_t>block + bound - 1 & ~(bound - 1))
    if held and room.at != block + offset:
        memmove(room.at, block + offset, held)
    return True


cdef inline void free_room(Room* room) noexcept nogil:
    """Give a room back."""
    free(room.block)
    room.at = room.block = NULL

"""A clock that never goes back."""


cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static double guandan_clock(void) {
      LARGE_INTEGER now, per_second;
      QueryPerformanceCounter(&now);
      QueryPerformanceFrequency(&per_second);
      return (double)now.QuadPart / (double)per_second.QuadPart;
    }
    #else
    #include <time.h>
    static double guandan_clock(void) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double clock_seconds "guandan_clock"() noexcept nogil    # since some moment

/* What Cython cannot say: rows of 16-byte records and bytes of 16 ranks by vector instructions.

   Each function stands twice with one signature: with the instructions of x86-64-v2, and in
   plain C (GUANDAN_PORTABLE, or another processor). A row writes four records at a time, so it
   may write up to four past its end, and read up to four past the end of its list. */

#ifndef GUANDAN_LANES_H
#define GUANDAN_LANES_H

#include <stdint.h>
#include <string.h>

#if !defined(GUANDAN_PORTABLE) && defined(__SSE4_2__)
#define GUANDAN_VECTORS 1
#include <immintrin.h>
#else
#define GUANDAN_VECTORS 0
#endif

#if GUANDAN_VECTORS

static inline __m128i lanes_load(const void *from) { return _mm_loadu_si128((const __m128i *)from); }
static inline void lanes_store(void *to, __m128i value) { _mm_storeu_si128((__m128i *)to, value); }

/* out[i] = list[i] | tag */
static inline void lanes_row(void *out, const void *list, int n, uint64_t once, uint64_t twice) {
  const __m128i tag = _mm_set_epi64x((long long)twice, (long long)once);
  const __m128i *from = (const __m128i *)list, *end = from + n;
  __m128i *to = (__m128i *)out;
  do {
    __m128i a = lanes_load(from), b = lanes_load(from + 1);
    __m128i c = lanes_load(from + 2), d = lanes_load(from + 3);
    lanes_store(to, _mm_or_si128(a, tag));
    lanes_store(to + 1, _mm_or_si128(b, tag));
    lanes_store(to + 2, _mm_or_si128(c, tag));
    lanes_store(to + 3, _mm_or_si128(d, tag));
    from += 4;
    to += 4;
  } while (from < end);
}

/* out[i] = list[i] | tag, for a list of at most four */
static inline void lanes_short_row(void *out, const void *list, uint64_t once, uint64_t twice) {
  const __m128i tag = _mm_set_epi64x((long long)twice, (long long)once);
  const __m128i *from = (const __m128i *)list;
  __m128i *to = (__m128i *)out;
  __m128i a = lanes_load(from), b = lanes_load(from + 1);
  __m128i c = lanes_load(from + 2), d = lanes_load(from + 3);
  lanes_store(to, _mm_or_si128(a, tag));
  lanes_store(to + 1, _mm_or_si128(b, tag));
  lanes_store(to + 2, _mm_or_si128(c, tag));
  lanes_store(to + 3, _mm_or_si128(d, tag));
}

/* out[i] = list[i] << shift | tag, both halves shifted alike */
static inline void lanes_shifted_row(void *out, const void *list, int n, int shift, uint64_t once,
                                     uint64_t twice) {
  const __m128i tag = _mm_set_epi64x((long long)twice, (long long)once);
  const __m128i by = _mm_cvtsi32_si128(shift);
  const __m128i *from = (const __m128i *)list, *end = from + n;
  __m128i *to = (__m128i *)out;
  do {
    __m128i a = lanes_load(from), b = lanes_load(from + 1);
    __m128i c = lanes_load(from + 2), d = lanes_load(from + 3);
    lanes_store(to, _mm_or_si128(_mm_sll_epi64(a, by), tag));
    lanes_store(to + 1, _mm_or_si128(_mm_sll_epi64(b, by), tag));
    lanes_store(to + 2, _mm_or_si128(_mm_sll_epi64(c, by), tag));
    lanes_store(to + 3, _mm_or_si128(_mm_sll_epi64(d, by), tag));
    from += 4;
    to += 4;
  } while (from < end);
}

/* the same for a list of at most four */
static inline void lanes_short_shifted_row(void *out, const void *list, int shift, uint64_t once,
                                           uint64_t twice) {
  const __m128i tag = _mm_set_epi64x((long long)twice, (long long)once);
  const __m128i by = _mm_cvtsi32_si128(shift);
  const __m128i *from = (const __m128i *)list;
  __m128i *to = (__m128i *)out;
  __m128i a = lanes_load(from), b = lanes_load(from + 1);
  __m128i c = lanes_load(from + 2), d = lanes_load(from + 3);
  lanes_store(to, _mm_or_si128(_mm_sll_epi64(a, by), tag));
  lanes_store(to + 1, _mm_or_si128(_mm_sll_epi64(b, by), tag));
  lanes_store(to + 2, _mm_or_si128(_mm_sll_epi64(c, by), tag));
  lanes_store(to + 3, _mm_or_si128(_mm_sll_epi64(d, by), tag));
}

/* out[i * n_high + j] = low[i] | high[j], for a high list of one to four */
static inline void lanes_short_product(void *out, const void *low, int n_low, const void *high,
                                       int n_high) {
  const __m128i *outer = (const __m128i *)low, *outer_end = outer + n_low;
  const __m128i *inner = (const __m128i *)high;
  __m128i a = lanes_load(inner), b = lanes_load(inner + 1);
  __m128i c = lanes_load(inner + 2), d = lanes_load(inner + 3);
  __m128i *to = (__m128i *)out;
  for (; outer < outer_end; outer++) {
    __m128i one = lanes_load(outer);
    lanes_store(to, _mm_or_si128(a, one));
    lanes_store(to + 1, _mm_or_si128(b, one));
    lanes_store(to + 2, _mm_or_si128(c, one));
    lanes_store(to + 3, _mm_or_si128(d, one));
    to += n_high;
  }
}

/* out[i * n_high + j] = low[i] | high[j] | tag; n_high is at least 1 */
static inline void lanes_product(void *out, const void *low, int n_low, const void *high,
                                 int n_high, uint64_t once, uint64_t twice) {
  const __m128i tag = _mm_set_epi64x((long long)twice, (long long)once);
  const __m128i *outer = (const __m128i *)low, *outer_end = outer + n_low;
  const __m128i *inner = (const __m128i *)high;
  __m128i *to = (__m128i *)out;
  for (; outer < outer_end; outer++) {
    __m128i one = _mm_or_si128(lanes_load(outer), tag);
    int j = 0;
    do {
      __m128i a = lanes_load(inner + j), b = lanes_load(inner + j + 1);
      __m128i c = lanes_load(inner + j + 2), d = lanes_load(inner + j + 3);
      lanes_store(to + j, _mm_or_si128(a, one));
      lanes_store(to + j + 1, _mm_or_si128(b, one));
      lanes_store(to + j + 2, _mm_or_si128(c, one));
      lanes_store(to + j + 3, _mm_or_si128(d, one));
      j += 4;
    } while (j < n_high);
    to += n_high;
  }
}

/* out[i] = nibble i of plane */
static inline void lanes_nibbles(uint64_t plane, uint8_t *out) {
  const __m128i low = _mm_set1_epi8(15);
  __m128i x = _mm_cvtsi64_si128((long long)plane);
  __m128i even = _mm_and_si128(x, low), odd = _mm_and_si128(_mm_srli_epi16(x, 4), low);
  lanes_store(out, _mm_unpacklo_epi8(even, odd));
}

/* out[i] = how many of two planes have bit i, for the 54 kinds of card */
static inline void lanes_counts(uint64_t once, uint64_t twice, uint8_t *out) {
  const __m128i spread = _mm_set_epi64x(0x0101010101010101, 0);
  const __m128i bits = _mm_set1_epi64x((long long)0x8040201008040201);
  for (int i = 0; i < 4; i++) {
    const int from = i < 3 ? 16 * i : 38; /* the last sixteen overlap those before */
    __m128i a = _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)(once >> from)), spread);
    __m128i b = _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)(twice >> from)), spread);
    a = _mm_cmpeq_epi8(_mm_and_si128(a, bits), bits);
    b = _mm_cmpeq_epi8(_mm_and_si128(b, bits), bits);
    lanes_store(out + from, _mm_sub_epi8(_mm_setzero_si128(), _mm_add_epi8(a, b)));
  }
}

/* the greater of each two bytes */
static inline uint64_t lanes_max(uint64_t a, uint64_t b) {
  __m128i x = _mm_cvtsi64_si128((long long)a), y = _mm_cvtsi64_si128((long long)b);
  return (uint64_t)_mm_cvtsi128_si64(_mm_max_epu8(x, y));
}

/* the lesser of each two bytes */
static inline uint64_t lanes_min(uint64_t a, uint64_t b) {
  __m128i x = _mm_cvtsi64_si128((long long)a), y = _mm_cvtsi64_si128((long long)b);
  return (uint64_t)_mm_cvtsi128_si64(_mm_min_epu8(x, y));
}

/* out[i] = the 16 bytes of the i-th hand, three bits each, without those that are 0 in all four.
   Where any byte 15 is not 0, or fixed is set, bytes 12 to 15 stay where they are, and 1 is
   returned, else 0; -1 where a byte is 8. None is greater. Bytes 13 to 15 are at most 3.
   pack[set] holds 64 + i for each bit i of a set, in order. */
static inline int lanes_squeeze(const uint64_t *pack, const uint8_t *first, const uint8_t *second,
                                const uint8_t *third, const uint8_t *fourth, int fixed, uint64_t *out) {
  const __m128i zero = _mm_setzero_si128(), eights = _mm_set1_epi16(0x0801);
  const __m128i sixty_fours = _mm_set1_epi32(0x00400001), halves = _mm_set1_epi32(0x10000001);
  const __m128i low_half = _mm_set1_epi64x(0xffffff);
  __m128i a = lanes_load(first), b = lanes_load(second);
  __m128i c = lanes_load(third), d = lanes_load(fourth);
  __m128i any = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
  unsigned held = ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(any, zero)) & 0xffff;
  uint64_t low, high, tail = 0;
  int shift;
  if (_mm_movemask_epi8(_mm_slli_epi16(any, 4))) return -1;
  fixed = fixed || held >> 15;
  if (fixed) {
    held &= 0xfff;
    tail = 0x4f4e4d4c00000000u;
  }
  low = pack[held & 255];
  high = pack[held >> 8];
  high |= (high & 0x4040404040404040u) >> 3; /* bytes 8 to 15 */
  shift = 8 * __builtin_popcount(held & 255);
  if (shift < 64) {
    tail |= shift ? high >> (64 - shift) : 0;
    low |= high << shift;
  } else {
    tail |= high;
  }
  __m128i from = _mm_set_epi64x((long long)tail, (long long)low);
  from = _mm_or_si128(from, _mm_cmpeq_epi8(from, zero));
  a = _mm_madd_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(a, from), eights), sixty_fours);
  b = _mm_madd_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(b, from), eights), sixty_fours);
  c = _mm_madd_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(c, from), eights), sixty_fours);
  d = _mm_madd_epi16(_mm_maddubs_epi16(_mm_shuffle_epi8(d, from), eights), sixty_fours);
  /* 12 bits of four bytes in each of four lanes: both hands' to 24 bits in two, to 48 in one */
  a = _mm_madd_epi16(_mm_packus_epi32(a, b), halves);
  c = _mm_madd_epi16(_mm_packus_epi32(c, d), halves);
  a = _mm_or_si128(_mm_and_si128(a, low_half), _mm_andnot_si128(low_half, _mm_srli_epi64(a, 8)));
  c = _mm_or_si128(_mm_and_si128(c, low_half), _mm_andnot_si128(low_half, _mm_srli_epi64(c, 8)));
  lanes_store(out, a);
  lanes_store(out + 2, c);
  return fixed;
}

/* out[i] = table[index[i]], index below 16 */
static inline void lanes_look_up(const uint8_t *table, const uint8_t *index, uint8_t *out) {
  lanes_store(out, _mm_shuffle_epi8(lanes_load(table), lanes_load(index)));
}

/* out[i] = bytes[i + from], 0 behind the last */
#define lanes_widen(bytes, from, out)                                              \
  do {                                                                             \
    __m128i shifted = _mm_srli_si128(lanes_load(bytes), (from));                   \
    lanes_store((out), _mm_cvtepu8_epi16(shifted));                                \
    lanes_store((out) + 8, _mm_unpackhi_epi8(shifted, _mm_setzero_si128()));       \
  } while (0)

/* out[i] = bit i of bits, for 16 */
static inline void lanes_flags(int bits, uint8_t *out) {
  const __m128i each = _mm_set1_epi64x((long long)0x8040201008040201u);
  __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128(bits), _mm_set_epi64x(0x0101010101010101, 0));
  __m128i set = _mm_cmpeq_epi8(_mm_and_si128(spread, each), each);
  lanes_store(out, _mm_and_si128(set, _mm_set1_epi8(1)));
}

/* the sum of the 16 bytes of counts & mask */
static inline int lanes_sum(const uint8_t *counts, const uint8_t *mask) {
  __m128i sums = _mm_sad_epu8(_mm_and_si128(lanes_load(counts), lanes_load(mask)), _mm_setzero_si128());
  return _mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4);
}

/* bit i: counts[i] >= least, for least of at least 1 */
static inline int lanes_at_least(const uint8_t *counts, int least) {
  __m128i x = lanes_load(counts);
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(x, _mm_set1_epi8((char)least)), x));
}

/* The lane of 16 that an index falls into when each holds so many, 16 if it lies behind all; the
   index is then within the lane. The sum of the counts is below 65536
   (all 108 cards make 59,919 full houses). */
static inline int lanes_find(const uint16_t *counts, int without, int *index) {
  const __m128i left_out = _mm_set1_epi16((short)without);
  const __m128i lanes = _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7);
  __m128i a = _mm_andnot_si128(_mm_cmpeq_epi16(lanes, left_out), lanes_load(counts));
  __m128i b = _mm_andnot_si128(
      _mm_cmpeq_epi16(_mm_add_epi16(lanes, _mm_set1_epi16(8)), left_out), lanes_load(counts + 8));
  const __m128i wanted = _mm_set1_epi16((short)*index);
  uint16_t before[17] = {0};
  int passed;
  a = _mm_add_epi16(a, _mm_slli_si128(a, 2));
  b = _mm_add_epi16(b, _mm_slli_si128(b, 2));
  a = _mm_add_epi16(a, _mm_slli_si128(a, 4));
  b = _mm_add_epi16(b, _mm_slli_si128(b, 4));
  a = _mm_add_epi16(a, _mm_slli_si128(a, 8));
  b = _mm_add_epi16(b, _mm_slli_si128(b, 8));
  b = _mm_add_epi16(b, _mm_shuffle_epi8(a, _mm_set1_epi16(0x0f0e)));
  lanes_store(before + 1, a);
  lanes_store(before + 9, b);
  a = _mm_cmpeq_epi16(_mm_max_epu16(a, wanted), wanted);
  b = _mm_cmpeq_epi16(_mm_max_epu16(b, wanted), wanted);
  passed = __builtin_popcount((unsigned)_mm_movemask_epi8(_mm_packs_epi16(a, b)));
  *index -= before[passed];
  return passed;
}

/* the sum of 16 counts */
static inline int lanes_total(const uint16_t *counts) {
  const __m128i even = _mm_set1_epi32(0xffff);
  __m128i a = lanes_load(counts), b = lanes_load(counts + 8);
  a = _mm_add_epi32(_mm_and_si128(a, even), _mm_srli_epi32(a, 16));
  b = _mm_add_epi32(_mm_and_si128(b, even), _mm_srli_epi32(b, 16));
  a = _mm_add_epi32(a, b);
  a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
  a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0xb1));
  return _mm_cvtsi128_si32(a);
}

/* Sets of relations: see relations.pxd and outlines.pxd. A row has a byte for each of 16 places; a
   packed row has one for each of eight groups, none greater than 8. `places` are one more than the
   groups' places, 0 behind the last. */

/* row[i] = the greater of row[i] and value, for each i in bits */
static inline void lanes_raise(uint8_t *row, int bits, int value) {
  const __m128i each = _mm_set1_epi64x((long long)0x8040201008040201u);
  __m128i spread = _mm_shuffle_epi8(_mm_cvtsi32_si128(bits), _mm_set_epi64x(0x0101010101010101, 0));
  __m128i chosen = _mm_cmpeq_epi8(_mm_and_si128(spread, each), each);
  __m128i raised = _mm_and_si128(chosen, _mm_set1_epi8((char)value));
  lanes_store(row, _mm_max_epu8(lanes_load(row), raised));
}

/* the same as lanes_max for n rows */
static inline void lanes_join(uint8_t *rows, const uint8_t *others, int n) {
  for (int i = 0; i < n; i++, rows += 16, others += 16)
    lanes_store(rows, _mm_max_epu8(lanes_load(rows), lanes_load(others)));
}

/* out[i] = table[places[i] - 1], 0 for no place */
static inline uint64_t lanes_of_places(const uint8_t *table, uint64_t places) {
  __m128i from = _mm_add_epi8(_mm_cvtsi64_si128((long long)places), _mm_set1_epi8(-1));
  return (uint64_t)_mm_cvtsi128_si64(_mm_shuffle_epi8(lanes_load(table), from));
}

/* out[i] = up_to[row[places[i] - 1]], 0 for no place */
static inline uint64_t lanes_pack_above(const uint8_t *row, uint64_t places, const uint8_t *up_to) {
  __m128i from = _mm_add_epi8(_mm_cvtsi64_si128((long long)places), _mm_set1_epi8(-1));
  __m128i values = _mm_shuffle_epi8(lanes_load(row), from);
  return (uint64_t)_mm_cvtsi128_si64(_mm_shuffle_epi8(lanes_load(up_to), values));
}

/* out[i] = 8 - below[16 - row[places[i] - 1]], 0 for no place and where the row is 0 */
static inline uint64_t lanes_pack_not_above(const uint8_t *row, uint64_t places, const uint8_t *below) {
  __m128i from = _mm_add_epi8(_mm_cvtsi64_si128((long long)places), _mm_set1_epi8(-1));
  __m128i values = _mm_shuffle_epi8(lanes_load(row), from);
  __m128i counts = _mm_shuffle_epi8(lanes_load(below), _mm_sub_epi8(_mm_set1_epi8(16), values));
  __m128i set = _mm_cmpgt_epi8(values, _mm_setzero_si128());
  return (uint64_t)_mm_cvtsi128_si64(_mm_and_si128(_mm_sub_epi8(_mm_set1_epi8(8), counts), set));
}

/* row[i] = the greater of row[i] and places[packed[group[i]] - 1], 0 where either is none */
static inline void lanes_unpack_above(uint64_t packed, uint64_t places, const uint8_t *group,
                                      uint8_t *row) {
  __m128i from = _mm_add_epi8(_mm_cvtsi64_si128((long long)packed), _mm_set1_epi8(-1));
  __m128i values = _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)places), from);
  lanes_store(row, _mm_max_epu8(lanes_load(row), _mm_shuffle_epi8(values, lanes_load(group))));
}

/* row[i] = the greater of row[i] and 17 - places[8 - packed[group[i]]], 0 where that is 17 */
static inline void lanes_unpack_not_above(uint64_t packed, uint64_t places, const uint8_t *group,
                                          uint8_t *row) {
  __m128i from = _mm_sub_epi8(_mm_set1_epi8(8), _mm_cvtsi64_si128((long long)packed));
  __m128i values = _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)places), from);
  __m128i set = _mm_cmpgt_epi8(values, _mm_setzero_si128());
  values = _mm_and_si128(_mm_sub_epi8(_mm_set1_epi8(17), values), set);
  lanes_store(row, _mm_max_epu8(lanes_load(row), _mm_shuffle_epi8(values, lanes_load(group))));
}

/* whether no nibble of 6 words is greater than the byte: low nibbles' in most[0..5], high ones' behind */
static inline int lanes_nibbles_within(const uint64_t *nibbles, const uint64_t *most) {
  const __m128i low = _mm_set1_epi8(15);
  __m128i over = _mm_setzero_si128();
  for (int i = 0; i < 6; i += 2) {
    __m128i x = lanes_load(nibbles + i);
    over = _mm_or_si128(over, _mm_subs_epu8(_mm_and_si128(x, low), lanes_load(most + i)));
    x = _mm_and_si128(_mm_srli_epi16(x, 4), low);
    over = _mm_or_si128(over, _mm_subs_epu8(x, lanes_load(most + 6 + i)));
  }
  return _mm_testz_si128(over, over);
}

#else

static inline void lanes_row(void *out, const void *list, int n, uint64_t once, uint64_t twice) {
  uint64_t *to = (uint64_t *)out;
  const uint64_t *from = (const uint64_t *)list;
  for (int i = 0; i < n; i++) {
    to[2 * i] = from[2 * i] | once;
    to[2 * i + 1] = from[2 * i + 1] | twice;
  }
}

static inline void lanes_shifted_row(void *out, const void *list, int n, int shift, uint64_t once,
                                     uint64_t twice) {
  uint64_t *to = (uint64_t *)out;
  const uint64_t *from = (const uint64_t *)list;
  for (int i = 0; i < n; i++) {
    to[2 * i] = from[2 * i] << shift | once;
    to[2 * i + 1] = from[2 * i + 1] << shift | twice;
  }
}

static inline void lanes_short_row(void *out, const void *list, uint64_t once, uint64_t twice) {
  lanes_row(out, list, 4, once, twice);
}

static inline void lanes_short_shifted_row(void *out, const void *list, int shift, uint64_t once,
                                           uint64_t twice) {
  lanes_shifted_row(out, list, 4, shift, once, twice);
}

static inline void lanes_short_product(void *out, const void *low, int n_low, const void *high,
                                       int n_high) {
  uint64_t *to = (uint64_t *)out;
  const uint64_t *outer = (const uint64_t *)low;
  for (int i = 0; i < n_low; i++)
    lanes_row(to + 2 * i * n_high, high, n_high, outer[2 * i], outer[2 * i + 1]);
}

static inline void lanes_product(void *out, const void *low, int n_low, const void *high,
                                 int n_high, uint64_t once, uint64_t twice) {
  uint64_t *to = (uint64_t *)out;
  const uint64_t *outer = (const uint64_t *)low;
  for (int i = 0; i < n_low; i++)
    lanes_row(to + 2 * i * n_high, high, n_high, outer[2 * i] | once, outer[2 * i + 1] | twice);
}

static inline void lanes_nibbles(uint64_t plane, uint8_t *out) {
  for (int i = 0; i < 16; i++) out[i] = (uint8_t)(plane >> 4 * i & 15);
}

static inline void lanes_counts(uint64_t once, uint64_t twice, uint8_t *out) {
  for (int i = 0; i < 54; i++) out[i] = (uint8_t)((once >> i & 1) + (twice >> i & 1));
}

static inline uint64_t lanes_max(uint64_t a, uint64_t b) {
  uint64_t out = 0;
  for (int i = 0; i < 64; i += 8) {
    uint64_t x = a >> i & 255, y = b >> i & 255;
    out |= (x > y ? x : y) << i;
  }
  return out;
}

static inline uint64_t lanes_min(uint64_t a, uint64_t b) {
  uint64_t out = 0;
  for (int i = 0; i < 64; i += 8) {
    uint64_t x = a >> i & 255, y = b >> i & 255;
    out |= (x < y ? x : y) << i;
  }
  return out;
}

static inline int lanes_squeeze(const uint64_t *pack, const uint8_t *first, const uint8_t *second,
                                const uint8_t *third, const uint8_t *fourth, int fixed, uint64_t *out) {
  const uint8_t *hands[4] = {first, second, third, fourth};
  int to = 0;
  (void)pack;
  for (int hand = 0; hand < 4; hand++) {
    fixed = fixed || hands[hand][15];
    out[hand] = 0;
  }
  for (int i = 0; i < 16; i++) {
    int any = hands[0][i] | hands[1][i] | hands[2][i] | hands[3][i];
    if (any > 7) return -1;
    if (fixed && i >= 12) to = i;
    else if (!any) continue;
    for (int hand = 0; hand < 4; hand++) out[hand] |= (uint64_t)hands[hand][i] << 3 * to;
    to++;
  }
  return fixed;
}

static inline void lanes_look_up(const uint8_t *table, const uint8_t *index, uint8_t *out) {
  for (int i = 0; i < 16; i++) out[i] = table[index[i]];
}

static inline void lanes_widen(const uint8_t *bytes, int from, uint16_t *out) {
  for (int i = 0; i < 16; i++) out[i] = i + from < 16 ? bytes[i + from] : 0;
}

static inline void lanes_flags(int bits, uint8_t *out) {
  for (int i = 0; i < 16; i++) out[i] = (uint8_t)(bits >> i & 1);
}

static inline int lanes_sum(const uint8_t *counts, const uint8_t *mask) {
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += counts[i] & mask[i];
  return sum;
}

static inline int lanes_at_least(const uint8_t *counts, int least) {
  int bits = 0;
  for (int i = 0; i < 16; i++) bits |= (counts[i] >= least) << i;
  return bits;
}

static inline int lanes_find(const uint16_t *counts, int without, int *index) {
  int lane = 0;
  for (; lane < 16 && (lane == without || *index >= counts[lane]); lane++)
    if (lane != without) *index -= counts[lane];
  return lane;
}

static inline int lanes_total(const uint16_t *counts) {
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += counts[i];
  return sum;
}

static inline void lanes_raise(uint8_t *row, int bits, int value) {
  for (int i = 0; i < 16; i++)
    if (bits >> i & 1 && row[i] < value) row[i] = (uint8_t)value;
}

static inline void lanes_join(uint8_t *rows, const uint8_t *others, int n) {
  for (int i = 0; i < 16 * n; i++)
    if (rows[i] < others[i]) rows[i] = others[i];
}

static inline int lanes_byte(uint64_t bytes, int i) { return i < 8 ? (int)(bytes >> 8 * i & 255) : 0; }

static inline uint64_t lanes_of_places(const uint8_t *table, uint64_t places) {
  uint64_t out = 0;
  for (int i = 0; i < 8 && lanes_byte(places, i); i++)
    out |= (uint64_t)table[lanes_byte(places, i) - 1] << 8 * i;
  return out;
}

static inline uint64_t lanes_pack_above(const uint8_t *row, uint64_t places, const uint8_t *up_to) {
  uint64_t out = 0;
  for (int i = 0; i < 8 && lanes_byte(places, i); i++)
    out |= (uint64_t)up_to[row[lanes_byte(places, i) - 1]] << 8 * i;
  return out;
}

static inline uint64_t lanes_pack_not_above(const uint8_t *row, uint64_t places, const uint8_t *below) {
  uint64_t out = 0;
  for (int i = 0; i < 8 && lanes_byte(places, i); i++) {
    int value = row[lanes_byte(places, i) - 1];
    if (value) out |= (uint64_t)(8 - below[16 - value]) << 8 * i;
  }
  return out;
}

static inline void lanes_unpack_above(uint64_t packed, uint64_t places, const uint8_t *group,
                                      uint8_t *row) {
  for (int i = 0; i < 16; i++) {
    int value = group[i] < 8 ? lanes_byte(packed, group[i]) : 0;
    int place = value ? lanes_byte(places, value - 1) : 0;
    if (row[i] < place) row[i] = (uint8_t)place;
  }
}

static inline void lanes_unpack_not_above(uint64_t packed, uint64_t places, const uint8_t *group,
                                          uint8_t *row) {
  for (int i = 0; i < 16; i++) {
    int value = group[i] < 8 ? lanes_byte(packed, group[i]) : 0;
    int place = lanes_byte(places, 8 - value);
    if (place && row[i] < 17 - place) row[i] = (uint8_t)(17 - place);
  }
}

static inline int lanes_nibbles_within(const uint64_t *nibbles, const uint64_t *most) {
  for (int i = 0; i < 6; i++)
    for (int shift = 0; shift < 64; shift += 8) {
      if ((nibbles[i] >> shift & 15) > (most[i] >> shift & 255)) return 0;
      if ((nibbles[i] >> shift >> 4 & 15) > (most[i + 6] >> shift & 255)) return 0;
    }
  return 1;
}

#endif
#endif

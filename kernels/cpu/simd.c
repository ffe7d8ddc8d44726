/* Vector accumulators side by side.

   The reassociation that a compiler would need -ffast-math for is written
   out: U vectors of 64 bytes each carry their own sums, which hides the
   latency of an addition and uses the whole vector unit.  GCC lowers a 64-byte
   vector to what the processor has (one AVX-512, two AVX2, four SSE2 or NEON
   registers); where the compiler can, each function is compiled for several
   instruction sets and the loader picks one.  All of them add in the same
   order, so the bits do not depend on the instruction set.

   A strided vector, and long double, has no vector loads: U scalar
   accumulators do the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/catalog.h"
#include "kernels/cpu/combine.h"

#define VECTOR_BYTES 64

#if HAVE_TARGET_CLONES
#define CLONES __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__ ((always_inline))

/* Vector types that may start at any element: a whole vector, its half and its
   quarter.  */
#define VECTOR_OF(name, ctype, bytes)                                      \
  typedef ctype name                                                       \
    __attribute__ ((vector_size (bytes), aligned (__alignof__ (ctype)),    \
                    may_alias));
#define VECTOR(name, ctype)                                  \
  VECTOR_OF (name##_vector, ctype, VECTOR_BYTES)             \
  VECTOR_OF (name##_half, ctype, VECTOR_BYTES / 2)           \
  VECTOR_OF (name##_quarter, ctype, VECTOR_BYTES / 4)
VECTOR (f64, double)
VECTOR (f32, float)
VECTOR (u64, uint64_t)
VECTOR (u32, uint32_t)
VECTOR (u16, uint16_t)
VECTOR (u8, uint8_t)

/* How many elements to add before X is aligned to a whole vector.  A load
   across two cache lines costs two, so long vectors are worth it.  */
INLINE size_t
elements_to_alignment (const void *x, size_t size, size_t n)
{
  size_t past = (uintptr_t) x % VECTOR_BYTES;
  size_t head = past == 0 ? 0 : (VECTOR_BYTES - past) / size;
  return n >= 32 * (VECTOR_BYTES / size) ? head : 0;
}

/* One step of each mode: ADD_ adds vector or scalar X to accumulator K.  */
#define ADD_fast(type, s, c, x) ((s) = (type) ((s) + (x)))
#define ADD_compensated(type, s, c, x) GT_TWO_SUM (type, s, c, x)

/* Adds the upper half of the vectors S and C to their lower half, which are
   declared as HALF_S and HALF_C.  */
#define FOLD(mode, half, half_s, half_c, s, c)                                \
  half half_s, half_c, upper_##half_s, upper_##half_c;                        \
  memcpy (&half_s, &(s), sizeof (half));                                      \
  memcpy (&half_c, &(c), sizeof (half));                                      \
  memcpy (&upper_##half_s, (const char *) &(s) + sizeof (half), sizeof (half)); \
  memcpy (&upper_##half_c, (const char *) &(c) + sizeof (half), sizeof (half)); \
  ADD_##mode (half, half_s, half_c, upper_##half_s);                          \
  half_c += upper_##half_c

/* Accumulators S[U] and C[U] over a contiguous array; what does not fill a
   vector goes into the scalars HEAD_S and HEAD_C.  Then the lanes are added by
   halves.  C stays zero, and is optimised away, in fast mode.  */
#define CONTIGUOUS(mode, name, ctype)                                         \
  INLINE void mode##_##name##_contiguous (const ctype *x, size_t n,           \
                                          const unsigned u,                   \
                                          union gt_value *sum)                  \
  {                                                                           \
    enum { WIDTH = VECTOR_BYTES / sizeof (ctype) };                           \
    name##_vector s[16], c[16];                                               \
    ctype head_s = 0, head_c = 0;                                             \
    size_t i = 0, head = elements_to_alignment (x, sizeof (ctype), n);        \
    for (; i < head; i++)                                                     \
      ADD_##mode (ctype, head_s, head_c, x[i]);                               \
    _Pragma ("GCC unroll 16")                                                 \
    for (unsigned k = 0; k < u; k++)                                          \
      s[k] = c[k] = (name##_vector) {0};                                      \
    for (; n - i >= u * WIDTH; i += u * WIDTH)                                \
      {                                                                       \
        _Pragma ("GCC unroll 16")                                             \
        for (unsigned k = 0; k < u; k++)                                      \
          ADD_##mode (name##_vector, s[k], c[k],                              \
                      *(const name##_vector *) (x + i + k * WIDTH));          \
      }                                                                       \
    for (; n - i >= WIDTH; i += WIDTH)                                        \
      ADD_##mode (name##_vector, s[0], c[0],                                  \
                  *(const name##_vector *) (x + i));                          \
    for (; i < n; i++)                                                        \
      ADD_##mode (ctype, head_s, head_c, x[i]);                               \
    for (unsigned half = u / 2; half > 0; half /= 2)                          \
      {                                                                       \
        _Pragma ("GCC unroll 16")                                             \
        for (unsigned k = 0; k < half; k++)                                   \
          {                                                                   \
            ADD_##mode (name##_vector, s[k], c[k], s[k + half]);              \
            c[k] += c[k + half];                                              \
          }                                                                   \
      }                                                                       \
    FOLD (mode, name##_half, half_s, half_c, s[0], c[0]);                     \
    FOLD (mode, name##_quarter, quarter_s, quarter_c, half_s, half_c);        \
    ctype lane_s[WIDTH / 4], lane_c[WIDTH / 4];                               \
    memcpy (lane_s, &quarter_s, sizeof lane_s);                               \
    memcpy (lane_c, &quarter_c, sizeof lane_c);                               \
    for (unsigned half = WIDTH / 8; half > 0; half /= 2)                      \
      for (unsigned k = 0; k < half; k++)                                     \
        {                                                                     \
          ADD_##mode (ctype, lane_s[k], lane_c[k], lane_s[k + half]);         \
          lane_c[k] = (ctype) (lane_c[k] + lane_c[k + half]);                 \
        }                                                                     \
    ADD_##mode (ctype, lane_s[0], lane_c[0], head_s);                         \
    sum->name[0] = lane_s[0];                                                 \
    sum->name[1] = (ctype) (lane_c[0] + head_c);                              \
  }

/* U scalar accumulators over elements STRIDE apart.  */
#define STRIDED(mode, name, ctype)                                            \
  INLINE void mode##_##name##_strided (const ctype *x, size_t n,              \
                                       size_t stride, const unsigned u,       \
                                       union gt_value *sum)                     \
  {                                                                           \
    ctype s[16], c[16];                                                       \
    size_t i = 0;                                                             \
    _Pragma ("GCC unroll 16")                                                 \
    for (unsigned k = 0; k < u; k++)                                          \
      s[k] = c[k] = 0;                                                        \
    for (; n - i >= u; i += u)                                                \
      {                                                                       \
        _Pragma ("GCC unroll 16")                                             \
        for (unsigned k = 0; k < u; k++)                                      \
          ADD_##mode (ctype, s[k], c[k], x[(i + k) * stride]);                \
      }                                                                       \
    for (; i < n; i++)                                                        \
      ADD_##mode (ctype, s[0], c[0], x[i * stride]);                          \
    for (unsigned half = u / 2; half > 0; half /= 2)                          \
      {                                                                       \
        _Pragma ("GCC unroll 16")                                             \
        for (unsigned k = 0; k < half; k++)                                   \
          {                                                                   \
            ADD_##mode (ctype, s[k], c[k], s[k + half]);                      \
            c[k] = (ctype) (c[k] + c[k + half]);                              \
          }                                                                   \
      }                                                                       \
    sum->name[0] = s[0];                                                      \
    sum->name[1] = c[0];                                                      \
  }

/* Long double has no vectors: contiguous is a stride of one.  */
#define CONTIGUOUS_AS_STRIDED(mode, name, ctype)                              \
  INLINE void mode##_##name##_contiguous (const ctype *x, size_t n,           \
                                          const unsigned u,                   \
                                          union gt_value *sum)                  \
  {                                                                           \
    mode##_##name##_strided (x, n, 1, u, sum);                                \
  }

/* The entry points for one unroll factor.  */
#define ENTRY(mode, name, ctype, u, clones)                                   \
  clones static void mode##_##name##_contiguous_u##u (                        \
    const void *data, size_t n, size_t stride, union gt_value *sum)             \
  {                                                                           \
    (void) stride;                                                            \
    mode##_##name##_contiguous (data, n, u, sum);                             \
  }                                                                           \
  static void mode##_##name##_strided_u##u (                                  \
    const void *data, size_t n, size_t stride, union gt_value *sum)             \
  {                                                                           \
    mode##_##name##_strided (data, n, stride, u, sum);                        \
  }

#define ENTRIES(mode, name, ctype, clones) \
  ENTRY (mode, name, ctype, 1, clones)     \
  ENTRY (mode, name, ctype, 2, clones)     \
  ENTRY (mode, name, ctype, 4, clones)     \
  ENTRY (mode, name, ctype, 8, clones)     \
  ENTRY (mode, name, ctype, 16, clones)

#define VECTOR_KERNELS(mode, name, ctype) \
  STRIDED (mode, name, ctype)             \
  CONTIGUOUS (mode, name, ctype)          \
  ENTRIES (mode, name, ctype, CLONES)

#define NO_CLONES
#define SCALAR_KERNELS(mode, name, ctype)     \
  STRIDED (mode, name, ctype)                 \
  CONTIGUOUS_AS_STRIDED (mode, name, ctype)   \
  ENTRIES (mode, name, ctype, NO_CLONES)

VECTOR_KERNELS (fast, f64, double)
VECTOR_KERNELS (fast, f32, float)
SCALAR_KERNELS (fast, ldbl, long double)
VECTOR_KERNELS (fast, u64, uint64_t)
VECTOR_KERNELS (fast, u32, uint32_t)
VECTOR_KERNELS (fast, u16, uint16_t)
VECTOR_KERNELS (fast, u8, uint8_t)
VECTOR_KERNELS (compensated, f64, double)
VECTOR_KERNELS (compensated, f32, float)
SCALAR_KERNELS (compensated, ldbl, long double)

#define UNROLLS(stem) {stem##_u1, stem##_u2, stem##_u4, stem##_u8, stem##_u16}
#define LAYOUTS(stem)                                 \
  {                                                   \
    [GT_CONTIGUOUS] = UNROLLS (stem##_contiguous),    \
    [GT_STRIDED] = UNROLLS (stem##_strided)           \
  }

const struct gt_cpu_functions gt_cpu_simd = {
  .sum = {
#define X(id, name, ctype, real)                                   \
    [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast_##name),           \
                 [GT_MODE_COMPENSATED] = LAYOUTS (compensated_##name)},
    GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                   \
    [GT_##id] = {[GT_MODE_FAST] = LAYOUTS (fast_##name)},
    GT_INTEGER_ARITHMETICS (X)
#undef X
  }
};

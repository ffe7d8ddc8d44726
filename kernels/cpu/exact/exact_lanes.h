/* Vectors of doubles for exact sums, as wide as the registers of the instruction set.  (GCC
   would keep wider vectors in memory.)
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_CPU_EXACT_LANES_H
#define GT_KERNELS_CPU_EXACT_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/inline.h"
#include "kernels/cpu/isa/isa.h"

#if GT_VECTOR_BYTES == 64
#define LANES 8
#elif GT_VECTOR_BYTES == 32
#define LANES 4
#else
#define LANES 2
#endif

#define SIGN ((uint64_t) 1 << 63)
#define FRACTION (((uint64_t) 1 << 52) - 1)

/* Vectors of LANES doubles, their bits, and vectors of as many elements in memory at any
   address.  */
#define OF_LANES(lanes)                                                       \
  typedef double vector_##lanes __attribute__ ((vector_size (8 * lanes)));    \
  typedef uint64_t words_##lanes                                              \
    __attribute__ ((vector_size (8 * lanes), may_alias));                     \
  typedef double elements_f64_##lanes                                         \
    __attribute__ ((vector_size (8 * lanes), aligned (8), may_alias));        \
  typedef float elements_f32_##lanes                                          \
    __attribute__ ((vector_size (4 * lanes), aligned (4), may_alias));

/* The elements P[0], P[K], P[2 K], ... as doubles.  Contiguous elements use these, too: GCC 12
   converts all elements of such a list by one instruction, but needs several for
   __builtin_convertvector.  */
#define EVERY_2(p, k) (double) (p)[0], (double) (p)[k]
#define EVERY_4(p, k) \
  EVERY_2 (p, k), (double) (p)[2 * (k)], (double) (p)[3 * (k)]
#define EVERY_8(p, k)                                              \
  EVERY_4 (p, k), (double) (p)[4 * (k)], (double) (p)[5 * (k)],    \
    (double) (p)[6 * (k)], (double) (p)[7 * (k)]
OF_LANES (2)
#if LANES >= 4
OF_LANES (4)
#endif
#if LANES >= 8
OF_LANES (8)
#endif

/* The widest vectors.  */
typedef GT_PASTE (vector, LANES) vector;
typedef GT_PASTE (words, LANES) words;

INLINE vector
load_doubles (const double *x)
{
  return *(const GT_PASTE (elements_f64, LANES) *) x;
}

INLINE void
store_doubles (double *x, vector v)
{
  *(GT_PASTE (elements_f64, LANES) *) x = v;
}

INLINE void
store_words (uint64_t *x, words v)
{
  store_doubles ((double *) x, (vector) v);
}

/* A processor prefetches memory by itself, but not beyond the end of a page.  A plain sum has
   so few instructions that the processor reaches the next page before that matters.  An exact
   sum executes ten times as many instructions per cache line, so it prefetches the lines that
   are AHEAD bytes ahead.  */
#define LINE 64
#ifndef AHEAD
#define AHEAD 8192
#endif

/* Prefetches the cache lines AHEAD bytes after the BYTES bytes at X.  */
INLINE void
ask_ahead (const void *x, const size_t bytes)
{
  UNROLL
  for (size_t i = 0; i < bytes; i += LINE)
    __builtin_prefetch ((const void *) ((uintptr_t) x + AHEAD + i));
}

#define NUMBERS_2 {0, 1}
#define NUMBERS_4 {0, 1, 2, 3}
#define NUMBERS_8 {0, 1, 2, 3, 4, 5, 6, 7}

/* V with its first COUNT lanes set to zero, and V without signs.  */
#define LANES_FROM(lanes, count, v) \
  ((vector) ((words) (v) & (words) ((words) GT_PASTE (NUMBERS, lanes) >= (count))))
#define MAGNITUDES(lanes, v) ((vector) ((words) (v) & ~SIGN))

/* V with its lanes permuted: lane I becomes lane I ^ K.  */
#define MOVED_2(v, k) __builtin_shufflevector (v, v, 1, 0)
#define MOVED_4(v, k) __builtin_shufflevector (v, v, k, 1 ^ k, 2 ^ k, 3 ^ k)
#define MOVED_8(v, k) \
  __builtin_shufflevector (v, v, k, 1 ^ k, 2 ^ k, 3 ^ k, 4 ^ k, 5 ^ k, 6 ^ k, 7 ^ k)
#define MOVED(v, k) GT_PASTE (MOVED, LANES) (v, k)

/* The layout and the type of elements.  */
enum
{
  CONTIGUOUS = 0,
  STRIDED = 1,
  F64 = 0,
  F32 = 2,
  MAGNITUDE = 4 /* the magnitude of each element */
};

/* Returns elements I to I + LANES - 1.  */
INLINE vector
load_elements (const void *x, size_t i, size_t stride, const int form)
{
  const double *const d = (const double *) x + i * stride;
  const float *const f = (const float *) x + i * stride;
  const vector v
    = (form & (STRIDED | F32)) == F64 ? load_doubles (d)
      : form & F32 && !(form & STRIDED)
        ? (vector) {GT_PASTE (EVERY, LANES) (*(const GT_PASTE (elements_f32, LANES) *) f, 1)}
      : form & F32 ? (vector) {GT_PASTE (EVERY, LANES) (f, stride)}
                   : (vector) {GT_PASTE (EVERY, LANES) (d, stride)};

  return form & MAGNITUDE ? MAGNITUDES (LANES, v) : v;
}

/* The lower half and the upper half of V's lanes.  */
#define LOW_2(v) ((v)[0])
#define HIGH_2(v) ((v)[1])
#define LOW_4(v) {(v)[0], (v)[1]}
#define HIGH_4(v) {(v)[2], (v)[3]}
#define LOW_8(v) {(v)[0], (v)[1], (v)[2], (v)[3]}
#define HIGH_8(v) {(v)[4], (v)[5], (v)[6], (v)[7]}

/* The reduction of V's lanes by OP, by halves.  */
#define FOLD_2(type, op, v)                                    \
  __extension__ ({                                             \
    const type##_2 v_2 = (v);                                  \
    v_2[0] op v_2[1];                                          \
  })
#define FOLD_4(type, op, v)                                    \
  __extension__ ({                                             \
    const type##_4 v_4 = (v);                                  \
    const type##_2 low_2 = LOW_4 (v_4), high_2 = HIGH_4 (v_4); \
    FOLD_2 (type, op, low_2 op high_2);                        \
  })
#define FOLD_8(type, op, v)                                    \
  __extension__ ({                                             \
    const type##_8 v_8 = (v);                                  \
    const type##_4 low_4 = LOW_8 (v_8), high_4 = HIGH_8 (v_8); \
    FOLD_4 (type, op, low_4 op high_4);                        \
  })
#define FOLD(lanes, type, op, v) GT_PASTE (FOLD, lanes) (type, op, v)

#endif

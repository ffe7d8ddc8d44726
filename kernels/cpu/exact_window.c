/* Exact sums of numbers of similar size: windows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/exact.h"

/* A window is a stretch of binary digits cut into levels, each with its own
   accumulators.  Level 0 takes from a number the digits down to its unit, the
   next level takes from what is left, and so on; when nothing is left at the
   end the number was added exactly.  The method is that of S. M. Rump, T. Ogita
   and S. Oishi ("Accurate Floating-Point Summation", 2008: extraction by a large
   constant) in the form of J. Demmel and H. D. Nguyen ("Parallel Reproducible
   Summation", 2015: the constant is the accumulator itself), which is three
   additions a level,

     next = acc + x      taken = next - acc      x = x - taken      acc = next

   but the window is where the data are, and all of it is checked.

   Level l begins with acc = 1.5 * 2^k, k = top - 46 l.  While acc is in the
   binade [2^k, 2^(k+1)) it is a multiple of its unit u = 2^(k-52).

   * Taken is exact: next and acc are multiples of u in one binade.
   * What is left of x is exact: it is the rounding error of acc + x, which is
     a multiple of the smaller of u and of x's own unit, and no larger than x
     (acc was a candidate for next) or than u/2, so a double holds it.
   * In level 0 each next is compared with the first: no sign or exponent may
     differ, once, or the call fails.  So whatever the numbers are, infinities
     and NaN among them, level 0 is right when it says so, and top need only be
     a good guess.
   * In level l > 0 nothing need be compared.  What arrives is at most
     B = u'/2 = 2^(k-7), where u' is the unit above; as B is a multiple of u,
     what is taken is at most B too; and an accumulator takes at most 2^6 =
     GT_WINDOW_LENGTH numbers, so it moves by no more than 2^(k-1) either way.
     Should it arrive at 2^(k+1), then with the last number.
   * In the last level taken is compared with what arrived.  Any difference but
     that of +0 and -0 is a digit lost, and the call fails.

   When a call ends well the accumulators are read as integers: in one binade
   the bits of acc less those of 1.5 * 2^k count units, at most 2^51 of them
   (and 2^(k+1) follows on its binade).  They are added to the window's totals,
   where there is room for many calls.

   So L levels hold digits from 2^(top-1) down to 2^(top-6-46 L): one is enough
   for integers and for most floats, two for what random number generators give
   as doubles, three for exponents within +-40, four for +-65.  With top at
   most 1002 nothing overflows; with top at least GT_WINDOW_LOWEST the units are
   at least 2^-1074, so that each anchor is a normal number.  Sums and
   differences of subnormal numbers are exact.

   The text is compiled once for each instruction set, with vectors as wide as
   its registers (kernels/local.mk).  */

#define SIGN ((uint64_t) 1 << 63)
#define FRACTION (((uint64_t) 1 << 52) - 1)
#define INLINE static inline __attribute__ ((always_inline))

/* Vectors of LANES doubles, their bits, and as many elements in memory, which
   may start anywhere.  */
#define VECTORS(lanes)                                                        \
  typedef double vector_##lanes __attribute__ ((vector_size (8 * lanes)));    \
  typedef uint64_t words_##lanes                                              \
    __attribute__ ((vector_size (8 * lanes), may_alias));                     \
  typedef double f64_##lanes                                                  \
    __attribute__ ((vector_size (8 * lanes), aligned (8), may_alias));        \
  typedef float f32_##lanes                                                   \
    __attribute__ ((vector_size (4 * lanes), aligned (4), may_alias));        \
  typedef uint64_t f64_bits_##lanes                                           \
    __attribute__ ((vector_size (8 * lanes), aligned (8), may_alias));        \
  typedef uint32_t f32_bits_##lanes                                           \
    __attribute__ ((vector_size (4 * lanes), aligned (4), may_alias));
#if GT_VECTOR_BYTES == 64
VECTORS (8)
#endif
#if GT_VECTOR_BYTES >= 32
VECTORS (4)
#endif
VECTORS (2)

#define NUMBERS_8 {0, 1, 2, 3, 4, 5, 6, 7}
#define NUMBERS_4 {0, 1, 2, 3}
#define NUMBERS_2 {0, 1}

/* Element by element, since GCC 12 makes one instruction of that, and several
   of __builtin_convertvector.  */
#define WIDEN_2(v) {(double) v[0], (double) v[1]}
#define WIDEN_4(v) \
  {(double) v[0], (double) v[1], (double) v[2], (double) v[3]}
#define WIDEN_8(v)                                              \
  {(double) v[0], (double) v[1], (double) v[2], (double) v[3],  \
   (double) v[4], (double) v[5], (double) v[6], (double) v[7]}
#define LOAD(name, lanes, p)                               \
  __extension__ ({                                         \
    const name##_##lanes v_ = *(const name##_##lanes *) (p); \
    const vector_##lanes wide_ = WIDEN_##lanes (v_);       \
    wide_;                                                 \
  })

/* The last REST elements before END, REST < LANES, after zeros.  */
#define LOAD_LAST(name, lanes, end, rest)                                     \
  ((vector_##lanes) ((words_##lanes) LOAD (name, lanes, (end) - lanes)        \
                     & (words_##lanes) ((words_##lanes) NUMBERS_##lanes       \
                                        >= lanes - (rest))))

/* The accumulators of level L begin as 1.5 * 2^(top - L * GT_WINDOW_STEP).  */
INLINE uint64_t
anchor_bits (int top, unsigned l)
{
  return (uint64_t) (top - (int) l * GT_WINDOW_STEP + 1023) << 52
         | (uint64_t) 1 << 51;
}

/* The lanes of V together, by halves.  */
#define FOLD_8(type, op, v)                                                   \
  __extension__ ({                                                            \
    const type##_8 v8 = (v);                                                  \
    const type##_4 low_4 = {v8[0], v8[1], v8[2], v8[3]};                      \
    const type##_4 high_4 = {v8[4], v8[5], v8[6], v8[7]};                     \
    FOLD_4 (type, op, low_4 op high_4);                                       \
  })
#define FOLD_4(type, op, v)                                                   \
  __extension__ ({                                                            \
    const type##_4 v4 = (v);                                                  \
    const type##_2 low_2 = {v4[0], v4[1]}, high_2 = {v4[2], v4[3]};           \
    FOLD_2 (type, op, low_2 op high_2);                                       \
  })
#define FOLD_2(type, op, v)                                                   \
  __extension__ ({                                                            \
    const type##_2 v2 = (v);                                                  \
    v2[0] op v2[1];                                                           \
  })

/* Adds a vector to chain K.  */
#define STEP(lanes, levels, k, load)                                          \
  do                                                                          \
    {                                                                         \
      vector_##lanes rest_ = (load);                                          \
      _Pragma ("GCC unroll 4")                                                \
      for (unsigned l = 0; l < levels; l++)                                   \
        {                                                                     \
          vector_##lanes next_ = acc[l][k] + rest_;                           \
          vector_##lanes taken_ = next_ - acc[l][k];                          \
          if (l == 0)                                                         \
            drift |= (words_##lanes) next_ ^ anchor[0];                       \
          if (l == levels - 1)                                                \
            left |= (words_##lanes) taken_ ^ (words_##lanes) rest_;           \
          else                                                                \
            rest_ -= taken_;                                                  \
          acc[l][k] = next_;                                                  \
        }                                                                     \
    }                                                                         \
  while (0)

#define WINDOW(lanes, name, ctype, levels, u)                    \
  static unsigned add_##name##_l##levels##_u##u (              \
    const ctype *x, size_t n, struct gt_window *window)                       \
  {                                                                           \
    vector_##lanes acc[levels][u];                                            \
    words_##lanes anchor[levels], drift = {0}, left = {0};                    \
    unsigned needed = levels < GT_WINDOW_LEVELS ? levels : 1;                 \
                                                                              \
    _Pragma ("GCC unroll 4")                                                  \
    for (unsigned l = 0; l < levels; l++)                                     \
      {                                                                       \
        anchor[l] = (words_##lanes) {0} + anchor_bits (window->top, l);       \
        _Pragma ("GCC unroll 4")                                              \
        for (unsigned k = 0; k < u; k++)                                      \
          acc[l][k] = (vector_##lanes) anchor[l];                             \
      }                                                                       \
    for (; n >= u * lanes; n -= u * lanes, x += u * lanes)                    \
      {                                                                       \
        _Pragma ("GCC unroll 4")                                              \
        for (unsigned k = 0; k < u; k++)                                      \
          STEP (lanes, levels, k, LOAD (name, lanes, x + k * lanes));         \
      }                                                                       \
    for (; n >= lanes; n -= lanes, x += lanes)                                \
      STEP (lanes, levels, 0, LOAD (name, lanes, x));                         \
    if (n > 0)                                                                \
      STEP (lanes, levels, 0, LOAD_LAST (name, lanes, x + n, n));             \
    drift = (drift & ~FRACTION) | (left & ~SIGN);                             \
    if (FOLD_##lanes (words, |, drift))                                       \
      return 0;                                                               \
    _Pragma ("GCC unroll 4")                                                  \
    for (unsigned l = 0; l < levels; l++)                                     \
      {                                                                       \
        words_##lanes *total = (words_##lanes *) window->total[l];            \
        words_##lanes sum = {0}, touched = {0};                               \
        _Pragma ("GCC unroll 4")                                              \
        for (unsigned k = 0; k < u; k++)                                      \
          {                                                                   \
            sum += (words_##lanes) acc[l][k] - anchor[l];                     \
            touched |= (words_##lanes) acc[l][k] ^ anchor[l];                 \
          }                                                                   \
        *total += sum;                                                        \
        if (levels == GT_WINDOW_LEVELS && FOLD_##lanes (words, |, touched))   \
          needed = l + 1;                                                     \
      }                                                                       \
    return needed;                                                            \
  }

#define UNROLLED(lanes, name, ctype, u)                          \
  WINDOW (lanes, name, ctype, 1, u)                              \
  WINDOW (lanes, name, ctype, 2, u)                              \
  WINDOW (lanes, name, ctype, 3, u)                              \
  WINDOW (lanes, name, ctype, 4, u)                              \
  static unsigned add_##name##_u##u (const ctype *x, size_t n,        \
                                             struct gt_window *window)        \
  {                                                                           \
    switch (window->levels)                                                   \
      {                                                                       \
      case 1:                                                                 \
        return add_##name##_l1_u##u (x, n, window);                   \
      case 2:                                                                 \
        return add_##name##_l2_u##u (x, n, window);                   \
      case 3:                                                                 \
        return add_##name##_l3_u##u (x, n, window);                   \
      default:                                                                \
        return add_##name##_l4_u##u (x, n, window);                   \
      }                                                                       \
  }

/* A rounded sum will do: it is for guessing the top.  */
#define MAGNITUDE(lanes, name, ctype)                            \
  static double magnitude_##name (const ctype *x, size_t n)    \
  {                                                                           \
    vector_##lanes s[4] = {{0}, {0}, {0}, {0}};                               \
                                                                              \
    for (; n >= 4 * lanes; n -= 4 * lanes, x += 4 * lanes)                    \
      {                                                                       \
        _Pragma ("GCC unroll 4")                                              \
        for (unsigned k = 0; k < 4; k++)                                      \
          s[k] += (vector_##lanes) (                                          \
            (words_##lanes) LOAD (name, lanes, x + k * lanes) & ~SIGN);       \
      }                                                                       \
    for (; n >= lanes; n -= lanes, x += lanes)                                \
      s[0] += (vector_##lanes) ((words_##lanes) LOAD (name, lanes, x)         \
                                & ~SIGN);                                     \
    if (n > 0)                                                                \
      s[1] += (vector_##lanes) (                                              \
        (words_##lanes) LOAD_LAST (name, lanes, x + n, n) & ~SIGN);           \
    s[0] = (s[0] + s[1]) + (s[2] + s[3]);                                     \
    return FOLD_##lanes (vector, +, s[0]);                                    \
  }

/* All of it for a short vector: one accumulator a level.  */
#define SHORT(lanes, name, ctype, levels)                        \
  static int short_##name (const ctype *x, size_t n,           \
                                          struct gt_limbs *limbs)             \
  {                                                                           \
    vector_##lanes acc[levels][1], s = {0};                                   \
    words_##lanes anchor[levels], drift = {0}, left = {0};                    \
    const ctype *const end = x + n;                                           \
    const size_t rest = n % lanes;                                            \
    double m;                                                                 \
                                                                              \
    for (const ctype *p = x; end - p >= lanes; p += lanes)                    \
      s += (vector_##lanes) ((words_##lanes) LOAD (name, lanes, p) & ~SIGN);  \
    s += (vector_##lanes) ((words_##lanes) LOAD (name, lanes, end - lanes)    \
                           & ~SIGN);                                          \
    m = FOLD_##lanes (vector, +, s);                                          \
    if (!(m < GT_WINDOW_TOO_LARGE))                                           \
      return 0;                                                               \
    limbs->top = gt_window_top (m);                                           \
    for (unsigned l = levels; l < GT_WINDOW_LEVELS; l++)                      \
      limbs->m[l] = 0;                                                        \
    _Pragma ("GCC unroll 4")                                                  \
    for (unsigned l = 0; l < levels; l++)                                     \
      {                                                                       \
        anchor[l] = (words_##lanes) {0} + anchor_bits (limbs->top, l);        \
        acc[l][0] = (vector_##lanes) anchor[l];                               \
      }                                                                       \
    for (const ctype *p = x; end - p >= lanes; p += lanes)                    \
      STEP (lanes, levels, 0, LOAD (name, lanes, p));                         \
    if (rest > 0)                                                             \
      STEP (lanes, levels, 0, LOAD_LAST (name, lanes, end, rest));            \
    drift = (drift & ~FRACTION) | (left & ~SIGN);                             \
    _Pragma ("GCC unroll 4")                                                  \
    for (unsigned l = 0; l < levels; l++)                                     \
      limbs->m[l] = (int64_t) FOLD_##lanes (                                  \
        words, +, (words_##lanes) acc[l][0] - anchor[l]);                     \
    return FOLD_##lanes (words, |, drift) == 0;                               \
  }

#define SIGN_f64 63
#define SIGN_f32 31
#define EXPONENT_f64 ((uint64_t) 0x7ff << 52)
#define EXPONENT_f32 ((uint32_t) 0xff << 23)
/* Bins take every number for a normal one.  */
#define SURPLUS(lanes, name, ctype)                              \
  static int64_t surplus_##name (const ctype *x, size_t n)     \
  {                                                                           \
    name##_bits_##lanes bits, lowest, all = {0}, negative = {0};              \
    int64_t sum = 0;                                                          \
                                                                              \
    for (; n >= lanes; n -= lanes, x += lanes)                                \
      {                                                                       \
        bits = *(const name##_bits_##lanes *) x;                              \
        lowest = (name##_bits_##lanes) ((bits & EXPONENT_##name) == 0);       \
        all -= lowest;                                                        \
        negative += lowest & (bits >> SIGN_##name);                           \
      }                                                                       \
    for (unsigned i = 0; i < lanes; i++)                                      \
      sum += (int64_t) all[i] - 2 * (int64_t) negative[i];                    \
    for (; n > 0; n--, x++)                                                   \
      sum += fpclassify (*x) != FP_ZERO && fpclassify (*x) != FP_SUBNORMAL    \
               ? 0 : signbit (*x) ? -1 : 1;                                   \
    return sum;                                                               \
  }

#define ENGINE(lanes, name, ctype)                                            \
  UNROLLED (lanes, name, ctype, 1)                                            \
  UNROLLED (lanes, name, ctype, 2)                                            \
  UNROLLED (lanes, name, ctype, 4)                                            \
  MAGNITUDE (lanes, name, ctype)                                              \
  SHORT (lanes, name, ctype, GT_SHORT_LEVELS_##name)                          \
  SURPLUS (lanes, name, ctype)

#if GT_VECTOR_BYTES == 64
#define LANES 8
ENGINE (8, f64, double)
ENGINE (8, f32, float)
#elif GT_VECTOR_BYTES == 32
#define LANES 4
ENGINE (4, f64, double)
ENGINE (4, f32, float)
#else
#define LANES 2
ENGINE (2, f64, double)
ENGINE (2, f32, float)
#endif

const struct gt_window_isa GT_FOR_ISA (gt_window) = {
  .lanes = LANES,
#define X(name, ctype)                                               \
  .add_##name = {add_##name##_u1, add_##name##_u2, add_##name##_u4}, \
  .magnitude_##name = magnitude_##name,                              \
  .surplus_##name = surplus_##name,                                  \
  .add_short_##name = short_##name,                                  \
  .bins_add_##name = GT_FOR_ISA (gt_bins_add_##name),                \
  .bins_flush_##name = GT_FOR_ISA (gt_bins_flush_##name),
  GT_EXACT_TYPES (X)
#undef X
};

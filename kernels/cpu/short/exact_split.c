/* Elements of any type as sums of two doubles, for statistics of few of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/cpu/short/exact_short_sums.h"

/* As many at once as kernels/cpu/short/exact_statistics.c reads: what has been stored in one
   piece is handed on in one.  */
#if LANES >= 4
#define WIDTH 4
#define EACH(of) of (0), of (1), of (2), of (3)
#else
#define WIDTH 2
#define EACH(of) of (0), of (1)
#endif
#define VECTOR GT_PASTE (vector, WIDTH)
#define WORDS GT_PASTE (words, WIDTH)

INLINE void
put_at (double *to, VECTOR v)
{
  *(GT_PASTE (elements_f64, WIDTH) *) to = v;
}

#if defined __x86_64__ && LDBL_MANT_DIG == 64
enum { FIELD = DBL_MANT_DIG - 1, REST = LDBL_MANT_DIG - DBL_MANT_DIG };

/* Long doubles are less than 2^FARTHEST, and no less than 2^-FARTHEST if they are not 0: then
   there are SPARE bits of zeros before the exponent less the least one.  */
#define FARTHEST 512
#define SPARE 5
#define TO_EXPONENT 49 /* the sign is before it */

/* Long doubles that cannot be split are too large, too small or no numbers where a bit of the first SPARE is
   set; they are no zeros where any is.  */
struct wrong
{
  WORDS numbers, zeros;
};

/* The digits of WIDTH elements, and the words behind those.  */
INLINE void
load_extended (const long double *const x[WIDTH], WORDS *digits, WORDS *ends)
{
#define WORDS_AT(k) (*(const bits_f64_2 *) x[k])
#if WIDTH == 4
  const WORDS even = __builtin_shufflevector (WORDS_AT (0), WORDS_AT (2), 0, 1, 2, 3);
  const WORDS odd = __builtin_shufflevector (WORDS_AT (1), WORDS_AT (3), 0, 1, 2, 3);

  *digits = __builtin_shufflevector (even, odd, 0, 4, 2, 6);
  *ends = __builtin_shufflevector (even, odd, 1, 5, 3, 7);
#else
  *digits = __builtin_shufflevector (WORDS_AT (0), WORDS_AT (1), 0, 2);
  *ends = __builtin_shufflevector (WORDS_AT (0), WORDS_AT (1), 1, 3);
#endif
#undef WORDS_AT
}

/* By their bits, since what x87 converts goes through memory: the first 53 digits, and the
   others.  */
INLINE void
split_extended (WORDS digits, WORDS ends, VECTOR *h, VECTOR *l, struct wrong *wrong)
{
  const WORDS none = (WORDS) (digits == 0), field = ends << TO_EXPONENT;
  const WORDS above = field - ((uint64_t) (LDBL_MAX_EXP - 1 - FARTHEST) << TO_EXPONENT);
  const WORDS unit
    = ~none & ((ends << 48 & SIGN) | (ends - (LDBL_MAX_EXP - DBL_MAX_EXP)) << FIELD);
  /* A whole number below 2^52 in a double's last digits.  */
  const WORDS rest = (digits & ((1 << REST) - 1)) | (uint64_t) 0x433 << FIELD;

  wrong->numbers |= ~none & (above | (~digits & SIGN));
  wrong->zeros |= none & field;
  *h = (VECTOR) (unit | (digits >> REST & FRACTION));
  *l = (VECTOR) unit * 0x1p-63 * ((VECTOR) rest - 0x1p52);
}

INLINE int
are_numbers (const struct wrong *wrong)
{
  return !(FOLD (WIDTH, words, |, wrong->numbers) >> (64 - SPARE)
           | FOLD (WIDTH, words, |, wrong->zeros));
}
#else
struct wrong
{
  int any;
};

INLINE int
are_numbers (const struct wrong *wrong)
{
  return !wrong->any;
}
#endif

#define GT_TEMPLATE "kernels/cpu/short/exact_split.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

int
GT_FOR_ISA (gt_exact_split) (enum gt_arithmetic arithmetic, const void *x, size_t xs, size_t n,
                             double to[2][GT_FEW_ROOM])
{
  static int (*const of[GT_N_ARITHMETICS]) (const void *, size_t, size_t,
                                            double[2][GT_FEW_ROOM]) = {
#define X(id, name, ctype, real) [GT_##id] = split_##name,
    GT_ARITHMETICS (X)
#undef X
  };

  return of[arithmetic](x, xs, n, to);
}

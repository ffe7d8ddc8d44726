/* The statistics of one type of element, one for each row of src/functions.def: a
   template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "src/public/few.h"

/* WHAT, by the sums that PLANNED asks for, but of a few elements by FEW: in fast mode,
   and in exact mode what that can tell.  */
__attribute__ ((always_inline)) static inline double
NAMED (statistic, ) (const enum statistic what, gt_statistic *planned,
                     struct gt_few (*few) (const struct NAMED (few, ) *),
                     const TYPE *x, size_t x_stride, const TYPE *y,
                     size_t y_stride, size_t n, double given,
                     double given_next)
{
  const struct NAMED (few, ) s
    = {x, y, x_stride, y_stride, n, {given, given_next}};
  struct gt_sample sample;
  double result;

  if (UNLIKELY (n == 1)
      && is_told_of_one (what, ARITHMETIC,
                         (const long double[]) {(long double) *x,
                                                (long double) *y},
                         s.given, &result))
    return result;
  /* None are one less than 0, the most there is.  */
  if (LIKELY (n - 1 < (FEW & __atomic_load_n (&gt_fast_mask,
                                              __ATOMIC_RELAXED))))
    {
      result = (double) few (&s).value;
      if (LIKELY (!(ARITHMETIC == GT_LDBL || what >= STATISTIC_wmean)
                  || isfinite (result)))
        return result;
    }
  else if (n - 1 < few_of_exact (what) && few_are_exact (what)
           && gt_few_round (few (&s), n, &result))
    return result;
  gt_sample_init (&sample, ARITHMETIC, (struct gt_operand) {x, x_stride},
                  (struct gt_operand) {y, y_stride}, n);
  sample.given[0] = given;
  sample.given[1] = given_next;
  return gt_statistic_of (&sample, planned);
}

#if REAL
#define OF_STATS_REALS(name, result) ROW_##result (name)
#else
#define OF_STATS_REALS(name, result)
#endif
#include "src/functions.def"
#undef OF_STATS_REALS

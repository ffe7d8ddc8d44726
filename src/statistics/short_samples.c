/* The statistics of short samples of doubles or long doubles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/statistics/short_samples.h"

#include <string.h>

#include "kernels/cpu/wide/long_double.h"
#include "src/statistics/infinite.h"

#define FEW_NAMED(stem) stem
#define FEW_SAMPLE struct gt_few
#define FEW_X(s, i) ((long double) ((const double *) (s)->x)[(i) * (s)->x_stride])
#define FEW_Y(s, i) ((long double) ((const double *) (s)->y)[(i) * (s)->y_stride])
#include "src/statistics/short_samples.inc"

#define FEW_NAMED(stem) stem##_wide
#define FEW_SAMPLE struct gt_few
#define FEW_X(s, i) (((const long double *) (s)->x)[(i) * (s)->x_stride])
#define FEW_Y(s, i) (((const long double *) (s)->y)[(i) * (s)->y_stride])
#include "src/statistics/short_samples.inc"

/* Rounds a statistic if its error bound decides the rounding.  An error that is larger than
   the value does not, and may be too large for doubles, which would raise an exception.  */
INLINE int
take_exact (struct few_result few, double *to)
{
  double low, high;

  if (isgreater (few.error, fabsl (few.value)))
    return 0;
  low = (double) (few.value - few.error);
  high = (double) (few.value + few.error);
  *to = low;
  /* Compare bytes, because subnormals may be equal to 0 in this environment.  */
  return few.error == 0 || (low == low && memcmp (&low, &high, sizeof low) == 0);
}

INLINE int
take_fast (struct few_result few, double *to)
{
  *to = (double) few.value;
  return few.told || isfinite (*to);
}

/* Rounds a statistic of long doubles, whose mean is not a double, if the mean is near
   enough.  */
INLINE int
take_wide (struct few_result few, double *to)
{
  return take_fast (few, to) && (few.told || few.error == few.error);
}

/* Computes a mean distance from a given mean in double, like GSL.  */
INLINE int
take_distances (const struct gt_few *s, double *to)
{
  const double *x = s->x;
  double sum = 0;

  for (size_t n = s->n; n > 0; n--, x += s->x_stride)
    sum += fabs (*x - s->given[0]);
  *to = sum / (double) s->n;
  return isfinite (*to);
}

INLINE int
take (const struct gt_few *s, const struct gt_term *term, double *to)
{
  if (term->sums == GT_NONE)
    return 0;
  if (gt_few_is_double (term) && !s->exact && !s->wide)
    return take_distances (s, to);
  if (s->wide)
    return s->exact ? take_exact (few_wide (s, s->n, s->given, term, 1), to)
                    : take_wide (few_wide (s, s->n, s->given, term, 1), to);
  return s->exact ? take_exact (few (s, s->n, s->given, term, 1), to)
                  : take_fast (few (s, s->n, s->given, term, 0), to);
}

#define STATISTIC(name, ...)                             \
  int gt_few_##name (const struct gt_few *s, double *to) \
  { return take (s, &gt_term_##name, to); }
#include "kernels/statistics.def"

/* The exponents of long doubles whose powers stay in range.  */
#define LEAST_EXPONENT (-1200)
#define MOST_EXPONENT 1100

static int
are_ordinary (const struct gt_few *s, const struct gt_operand *v)
{
  size_t i = s->wide ? 0 : gt_quick_isa ()->ordinary (v, 0, s->n, 0, 1);

  for (; i < s->n && s->wide; i++)
    {
      const struct gt_long_factor x = gt_long_factor_of ((const long double *) v->data
                                                         + i * v->stride);
      const int exponent = x.position + GT_LDBL_LOWEST;

      if (!x.finite || !(gt_long_is_zero (&x)
                         || (exponent >= LEAST_EXPONENT && exponent <= MOST_EXPONENT)))
        return 0;
    }
  for (; i < s->n; i++)
    {
      const double x = fabs (((const double *) v->data)[i * v->stride]);

      if (!(isgreaterequal (x, DBL_MIN) && islessequal (x, DBL_MAX)) && x != 0)
        return 0;
    }
  return 1;
}

int
gt_few_are_ordinary (const struct gt_few *few)
{
  const struct gt_operand x = {few->x, few->x_stride}, y = {few->y, few->y_stride};

  return are_ordinary (few, &x)
         && ((x.data == y.data && x.stride == y.stride) || are_ordinary (few, &y));
}

/* Copies N doubles to TO; copies subnormal ones by their digits.  */
static void
widen (const double *x, size_t stride, size_t n, long double *to)
{
  for (size_t i = 0; i < n; i++)
    {
      const struct gt_factor f = gt_factor_f64 (x[i * stride]);

      to[i] = f.position ? (long double) x[i * stride]
                         : (long double) (f.negative ? -(int64_t) f.significand
                                                     : (int64_t) f.significand) * 0x1p-1074L;
    }
}

int
gt_few_unusual (gt_few_function *of, const struct gt_few *few, const struct gt_term *term,
                double *to)
{
  const struct gt_operand x = {few->x, few->x_stride}, y = {few->y, few->y_stride};
  const struct gt_task task = gt_task_of_pair (GT_SUM, few->wide ? GT_LDBL : GT_F64, GT_MODE_EXACT,
                                               x, y, few->n);
  struct gt_few copy = *few;
  union gt_few_copy x_copy, y_copy;

  if (term->sums == GT_NONE || gt_is_special (&task, term, few->given, to))
    return term->sums != GT_NONE;
  if (few->wide || few->n > GT_FEW_WIDE)
    return 0;
  widen (x.data, x.stride, few->n, x_copy.wide);
  if (y.data != x.data || y.stride != x.stride)
    widen (y.data, y.stride, few->n, y_copy.wide);
  copy.x = &x_copy;
  copy.y = y.data != x.data || y.stride != x.stride ? &y_copy : &x_copy;
  copy.x_stride = copy.y_stride = 1;
  copy.wide = 1;
  return of (&copy, to);
}

/* The statistics of a few elements of TYPE on the host, in long double as GSL computes
   them but without its division for each element: in less time than it takes to look
   up how to do better.  A template of src/public/each_type.h.

   Nothing overflows on the way, nor underflows, unless the elements are long doubles
   themselves.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define FEW_SAMPLE struct NAMED (few, )
#define X(s, i) ((long double) (s)->x[(i) * (s)->x_stride])
#define Y(s, i) ((long double) (s)->y[(i) * (s)->y_stride])

/* What the functions are given; Y and GIVEN where they take them.  */
FEW_SAMPLE
{
  const TYPE *x, *y;
  size_t x_stride, y_stride, n;
  double given[2];
};

/* A mean as a sum of two numbers, the first of them near the elements, so that what
   is left of those when both are taken off is right to the last digits.  */
struct NAMED (few_centre, )
{
  long double near, rest;
};
#define CENTRE struct NAMED (few_centre, )
#define LEFT(x, centre) ((x) - (centre).near - (centre).rest)
#define GIVEN(s) ((CENTRE) {(s)->given[0], 0})

/* ------------------------------------------------------------- One sample */

FEW_INLINE CENTRE
NAMED (few_centre, ) (const FEW_SAMPLE *s)
{
  const long double near = X (s, 0);
  long double sum = 0;

  for (size_t i = 1; i < s->n; i++)
    sum += X (s, i) - near;
  return (CENTRE) {near, sum / (long double) s->n};
}

FEW_INLINE long double
NAMED (few_squares, ) (const FEW_SAMPLE *s, CENTRE mean)
{
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    sum += LEFT (X (s, i), mean) * LEFT (X (s, i), mean);
  return sum;
}

FEW_INLINE long double
NAMED (few_spread, ) (const FEW_SAMPLE *s, CENTRE mean)
{
  return NAMED (few_squares, ) (s, mean) / ((long double) s->n - 1);
}

FEW_INLINE struct gt_few
NAMED (few_mean, ) (const FEW_SAMPLE *s)
{
  const long double n = (long double) s->n;
  long double sum = 0, magnitude = 0;

  for (size_t i = 0; i < s->n; i++)
    {
      sum += X (s, i);
      magnitude += __builtin_fabsl (X (s, i));
    }
  return (struct gt_few) {sum / n, magnitude / n, 0};
}

FEW_INLINE struct gt_few
NAMED (few_tss, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (NAMED (few_squares, ) (s, NAMED (few_centre, ) (s)));
}

FEW_INLINE struct gt_few
NAMED (few_variance, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (NAMED (few_spread, ) (s, NAMED (few_centre, ) (s)));
}

FEW_INLINE struct gt_few
NAMED (few_sd, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (sqrtl (NAMED (few_spread, ) (s, NAMED (few_centre, ) (s))));
}

FEW_INLINE struct gt_few
NAMED (few_tss_m, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (NAMED (few_squares, ) (s, GIVEN (s)));
}

FEW_INLINE struct gt_few
NAMED (few_variance_m, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (NAMED (few_spread, ) (s, GIVEN (s)));
}

FEW_INLINE struct gt_few
NAMED (few_sd_m, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (sqrtl (NAMED (few_spread, ) (s, GIVEN (s))));
}

FEW_INLINE struct gt_few
NAMED (few_variance_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (NAMED (few_squares, ) (s, GIVEN (s)) / (long double) s->n);
}

FEW_INLINE struct gt_few
NAMED (few_sd_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return gt_few_positive (sqrtl (NAMED (few_squares, ) (s, GIVEN (s))
                         / (long double) s->n));
}

FEW_INLINE struct gt_few
NAMED (few_distance, ) (const FEW_SAMPLE *s, CENTRE mean)
{
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    sum += __builtin_fabsl (LEFT (X (s, i), mean));
  return gt_few_of (sum / (long double) s->n);
}

FEW_INLINE struct gt_few
NAMED (few_absdev, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_distance, ) (s, NAMED (few_centre, ) (s));
}

FEW_INLINE struct gt_few
NAMED (few_absdev_m, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_distance, ) (s, GIVEN (s));
}

/* The mean of the third or fourth powers of what is left of elements when MEAN is
   taken off, divided by SD.  */
FEW_INLINE long double
NAMED (few_powers, ) (const FEW_SAMPLE *s, CENTRE mean, long double sd,
                      const int power)
{
  const long double r = 1 / sd;
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    {
      const long double t = LEFT (X (s, i), mean) * r;

      sum += power == 3 ? t * t * t : (t * t) * (t * t);
    }
  return sum / (long double) s->n;
}

FEW_INLINE long double
NAMED (few_moment, ) (const FEW_SAMPLE *s, const int power)
{
  const CENTRE mean = NAMED (few_centre, ) (s);

  return NAMED (few_powers, ) (s, mean, sqrtl (NAMED (few_spread, ) (s, mean)),
                               power);
}

FEW_INLINE struct gt_few
NAMED (few_skew, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_moment, ) (s, 3));
}

FEW_INLINE struct gt_few
NAMED (few_kurtosis, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_moment, ) (s, 4) - 3);
}

FEW_INLINE struct gt_few
NAMED (few_skew_m_sd, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_powers, ) (s, GIVEN (s), s->given[1], 3));
}

FEW_INLINE struct gt_few
NAMED (few_kurtosis_m_sd, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_powers, ) (s, GIVEN (s), s->given[1], 4) - 3);
}

FEW_INLINE struct gt_few
NAMED (few_lag1, ) (const FEW_SAMPLE *s, CENTRE mean)
{
  long double before = LEFT (X (s, 0), mean), q = 0, v = before * before;

  for (size_t i = 1; i < s->n; i++)
    {
      const long double now = LEFT (X (s, i), mean);

      q += before * now;
      v += now * now;
      before = now;
    }
  return gt_few_of (q / v);
}

FEW_INLINE struct gt_few
NAMED (few_lag1_autocorrelation, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_lag1, ) (s, NAMED (few_centre, ) (s));
}

FEW_INLINE struct gt_few
NAMED (few_lag1_autocorrelation_m, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_lag1, ) (s, GIVEN (s));
}

/* ------------------------------------------------------------- Two samples */

/* The sums of the squares and of the products about the means.  */
FEW_INLINE void
NAMED (few_products, ) (const FEW_SAMPLE *s, CENTRE a, CENTRE b,
                        long double sum[3])
{
  sum[0] = sum[1] = sum[2] = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      const long double d = LEFT (X (s, i), a), e = LEFT (Y (s, i), b);

      sum[0] += d * d;
      sum[1] += e * e;
      sum[2] += d * e;
    }
}

FEW_INLINE void
NAMED (few_centred, ) (const FEW_SAMPLE *s, long double sum[3])
{
  CENTRE a = {X (s, 0), 0}, b = {Y (s, 0), 0};

  for (size_t i = 1; i < s->n; i++)
    {
      a.rest += X (s, i) - a.near;
      b.rest += Y (s, i) - b.near;
    }
  sum[0] = 1 / (long double) s->n;
  a.rest *= sum[0];
  b.rest *= sum[0];
  NAMED (few_products, ) (s, a, b, sum);
}

FEW_INLINE struct gt_few
NAMED (few_covariance, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_centred, ) (s, sum);
  return gt_few_covariance (sum, s->n);
}

FEW_INLINE struct gt_few
NAMED (few_covariance_m, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_products, ) (s, GIVEN (s), (CENTRE) {s->given[1], 0}, sum);
  return gt_few_covariance (sum, s->n);
}

/* The correlation of two pairs: 1 or -1, and NaN where that of two points is not
   defined.  */
FEW_INLINE long double
NAMED (few_direction, ) (const FEW_SAMPLE *s)
{
  const long double d = X (s, 1) - X (s, 0), e = Y (s, 1) - Y (s, 0);

  if (d == 0 || e == 0 || !isfinite (d) || !isfinite (e))
    return NAN;
  return (d > 0) == (e > 0) ? 1 : -1;
}

FEW_INLINE struct gt_few
NAMED (few_correlation, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  if (s->n == 2)
    return gt_few_certain (NAMED (few_direction, ) (s));
  NAMED (few_centred, ) (s, sum);
  /* The product of long doubles' squares can overflow.  */
  return (struct gt_few) {sum[2] / (ARITHMETIC == GT_LDBL
                                      ? sqrtl (sum[0]) * sqrtl (sum[1])
                                      : sqrtl (sum[0] * sum[1])),
                          1, 1};
}

#if REAL
#include "src/public/few_weighted.h"
#endif

#undef FEW_SAMPLE
#undef X
#undef Y
#undef CENTRE
#undef LEFT
#undef GIVEN

/* The statistics of a few elements of TYPE on the host, in long double as GSL computes
   them but without its division for each element: in less time than it takes to look
   up how to do better.  A template of src/public/each_type.h.

   Nothing overflows on the way, nor underflows, unless the elements are long doubles
   themselves.  A mean is rounded to double only where a result is.
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

/* ------------------------------------------------------------- One sample */

static inline long double
NAMED (few_average, ) (const FEW_SAMPLE *s)
{
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    sum += X (s, i);
  return sum / (long double) s->n;
}

static inline long double
NAMED (few_squares, ) (const FEW_SAMPLE *s, long double mean)
{
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    sum += (X (s, i) - mean) * (X (s, i) - mean);
  return sum;
}

static inline long double
NAMED (few_spread, ) (const FEW_SAMPLE *s, long double mean)
{
  return NAMED (few_squares, ) (s, mean) / ((long double) s->n - 1);
}

static inline double
NAMED (few_mean, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_average, ) (s);
}

static inline double
NAMED (few_tss, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_squares, ) (s, NAMED (few_average, ) (s));
}

static inline double
NAMED (few_variance, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_spread, ) (s, NAMED (few_average, ) (s));
}

static inline double
NAMED (few_sd, ) (const FEW_SAMPLE *s)
{
  return (double) sqrtl (NAMED (few_spread, ) (s, NAMED (few_average, ) (s)));
}

static inline double
NAMED (few_tss_m, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_squares, ) (s, s->given[0]);
}

static inline double
NAMED (few_variance_m, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_spread, ) (s, s->given[0]);
}

static inline double
NAMED (few_sd_m, ) (const FEW_SAMPLE *s)
{
  return (double) sqrtl (NAMED (few_spread, ) (s, s->given[0]));
}

static inline double
NAMED (few_variance_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return (double) (NAMED (few_squares, ) (s, s->given[0]) / (long double) s->n);
}

static inline double
NAMED (few_sd_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return (double) sqrtl (NAMED (few_squares, ) (s, s->given[0])
                         / (long double) s->n);
}

static inline double
NAMED (few_distance, ) (const FEW_SAMPLE *s, long double mean)
{
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    sum += __builtin_fabsl (X (s, i) - mean);
  return (double) (sum / (long double) s->n);
}

static inline double
NAMED (few_absdev, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_distance, ) (s, NAMED (few_average, ) (s));
}

static inline double
NAMED (few_absdev_m, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_distance, ) (s, s->given[0]);
}

/* The mean of the third or fourth powers of what is left of elements when MEAN is
   taken off, divided by SD.  */
static inline long double
NAMED (few_powers, ) (const FEW_SAMPLE *s, long double mean, long double sd,
                      const int power)
{
  const long double r = 1 / sd;
  long double sum = 0;

  for (size_t i = 0; i < s->n; i++)
    {
      const long double t = (X (s, i) - mean) * r;

      sum += power == 3 ? t * t * t : (t * t) * (t * t);
    }
  return sum / (long double) s->n;
}

static inline long double
NAMED (few_moment, ) (const FEW_SAMPLE *s, const int power)
{
  const long double mean = NAMED (few_average, ) (s);

  return NAMED (few_powers, ) (s, mean, sqrtl (NAMED (few_spread, ) (s, mean)),
                               power);
}

static inline double
NAMED (few_skew, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_moment, ) (s, 3);
}

static inline double
NAMED (few_kurtosis, ) (const FEW_SAMPLE *s)
{
  return (double) (NAMED (few_moment, ) (s, 4) - 3);
}

static inline double
NAMED (few_skew_m_sd, ) (const FEW_SAMPLE *s)
{
  return (double) NAMED (few_powers, ) (s, s->given[0], s->given[1], 3);
}

static inline double
NAMED (few_kurtosis_m_sd, ) (const FEW_SAMPLE *s)
{
  return (double) (NAMED (few_powers, ) (s, s->given[0], s->given[1], 4) - 3);
}

static inline double
NAMED (few_lag1, ) (const FEW_SAMPLE *s, long double mean)
{
  long double before = X (s, 0) - mean, q = 0, v = before * before;

  for (size_t i = 1; i < s->n; i++)
    {
      const long double now = X (s, i) - mean;

      q += before * now;
      v += now * now;
      before = now;
    }
  return (double) (q / v);
}

static inline double
NAMED (few_lag1_autocorrelation, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_lag1, ) (s, NAMED (few_average, ) (s));
}

static inline double
NAMED (few_lag1_autocorrelation_m, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_lag1, ) (s, s->given[0]);
}

/* ------------------------------------------------------------- Two samples */

/* The sums of the squares and of the products about the means.  */
static inline void
NAMED (few_products, ) (const FEW_SAMPLE *s, long double a, long double b,
                        long double sum[3])
{
  sum[0] = sum[1] = sum[2] = 0;
  for (size_t i = 0; i < s->n; i++)
    {
      const long double d = X (s, i) - a, e = Y (s, i) - b;

      sum[0] += d * d;
      sum[1] += e * e;
      sum[2] += d * e;
    }
}

static inline void
NAMED (few_centred, ) (const FEW_SAMPLE *s, long double sum[3])
{
  long double a = 0, b = 0;

  for (size_t i = 0; i < s->n; i++)
    {
      a += X (s, i);
      b += Y (s, i);
    }
  NAMED (few_products, ) (s, a / (long double) s->n, b / (long double) s->n,
                          sum);
}

static inline double
NAMED (few_covariance, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_centred, ) (s, sum);
  return (double) (sum[2] / ((long double) s->n - 1));
}

static inline double
NAMED (few_covariance_m, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_products, ) (s, s->given[0], s->given[1], sum);
  return (double) (sum[2] / ((long double) s->n - 1));
}

static inline double
NAMED (few_correlation, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  if (s->n == 1)
    return NAN;
  NAMED (few_centred, ) (s, sum);
  return (double) (sum[2] / (sqrtl (sum[0]) * sqrtl (sum[1])));
}

#if REAL
#include "src/public/few_weighted.h"
#endif

#undef FEW_SAMPLE
#undef X
#undef Y

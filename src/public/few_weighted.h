/* The weighted statistics of a few elements of TYPE: part of src/public/few.h, where X
   are the weights and Y the data.  Elements whose weight is not positive are passed
   over; where none is positive the means are 0.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

FEW_INLINE struct gt_few
NAMED (few_wmean, ) (const FEW_SAMPLE *s)
{
  long double weights = 0, sum = 0, magnitude = 0;

  for (size_t i = 0; i < s->n; i++)
    if (X (s, i) > 0)
      {
        weights += X (s, i);
        sum += X (s, i) * Y (s, i);
        magnitude += X (s, i) * __builtin_fabsl (Y (s, i));
      }
  return weights > 0 ? (struct gt_few) {sum / weights, magnitude / weights, 0}
                     : gt_few_certain (0);
}

FEW_INLINE long double
NAMED (few_wsum, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_wmean, ) (s).value;
}

/* Sums of weights, of their squares, rounded as the sum of one is, and of weighted
   squares about MEAN.  */
FEW_INLINE void
NAMED (few_wsquares, ) (const FEW_SAMPLE *s, long double mean,
                        long double sum[3])
{
  sum[0] = sum[1] = sum[2] = 0;
  for (size_t i = 0; i < s->n; i++)
    if (X (s, i) > 0)
      {
        const long double d = Y (s, i) - mean;

        sum[0] += X (s, i);
        sum[1] += X (s, i) * X (s, i);
        sum[2] += X (s, i) * (d * d);
      }
}

/* An unbiased variance.  */
FEW_INLINE long double
NAMED (few_wspread, ) (const FEW_SAMPLE *s, long double mean)
{
  long double sum[3], square;

  NAMED (few_wsquares, ) (s, mean, sum);
  square = sum[0] * sum[0];
  return square / (square - sum[1]) * (sum[2] / sum[0]);
}

FEW_INLINE long double
NAMED (few_wfixed, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_wsquares, ) (s, s->given[0], sum);
  return sum[0] > 0 ? sum[2] / sum[0] : 0;
}

FEW_INLINE struct gt_few
NAMED (few_wtss, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_wsquares, ) (s, NAMED (few_wsum, ) (s), sum);
  return gt_few_of (sum[2]);
}

FEW_INLINE struct gt_few
NAMED (few_wvariance, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wspread, ) (s, NAMED (few_wsum, ) (s)));
}

FEW_INLINE struct gt_few
NAMED (few_wsd, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (sqrtl (NAMED (few_wspread, ) (s, NAMED (few_wsum, ) (s))));
}

FEW_INLINE struct gt_few
NAMED (few_wtss_m, ) (const FEW_SAMPLE *s)
{
  long double sum[3];

  NAMED (few_wsquares, ) (s, s->given[0], sum);
  return gt_few_of (sum[2]);
}

FEW_INLINE struct gt_few
NAMED (few_wvariance_m, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wspread, ) (s, s->given[0]));
}

FEW_INLINE struct gt_few
NAMED (few_wsd_m, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (sqrtl (NAMED (few_wspread, ) (s, s->given[0])));
}

FEW_INLINE struct gt_few
NAMED (few_wvariance_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wfixed, ) (s));
}

FEW_INLINE struct gt_few
NAMED (few_wsd_with_fixed_mean, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (sqrtl (NAMED (few_wfixed, ) (s)));
}

FEW_INLINE struct gt_few
NAMED (few_wdistance, ) (const FEW_SAMPLE *s, long double mean)
{
  long double weights = 0, sum = 0;

  for (size_t i = 0; i < s->n; i++)
    if (X (s, i) > 0)
      {
        weights += X (s, i);
        sum += X (s, i) * __builtin_fabsl (Y (s, i) - mean);
      }
  return gt_few_of (weights > 0 ? sum / weights : 0);
}

FEW_INLINE struct gt_few
NAMED (few_wabsdev, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_wdistance, ) (s, NAMED (few_wsum, ) (s));
}

FEW_INLINE struct gt_few
NAMED (few_wabsdev_m, ) (const FEW_SAMPLE *s)
{
  return NAMED (few_wdistance, ) (s, s->given[0]);
}

FEW_INLINE long double
NAMED (few_wpowers, ) (const FEW_SAMPLE *s, long double mean, long double sd,
                       const int power)
{
  const long double r = 1 / sd;
  long double weights = 0, sum = 0;

  for (size_t i = 0; i < s->n; i++)
    if (X (s, i) > 0)
      {
        const long double t = (Y (s, i) - mean) * r;

        weights += X (s, i);
        sum += X (s, i) * (power == 3 ? t * t * t : (t * t) * (t * t));
      }
  return weights > 0 ? sum / weights : 0;
}

FEW_INLINE long double
NAMED (few_wmoment, ) (const FEW_SAMPLE *s, const int power)
{
  const long double mean = NAMED (few_wsum, ) (s);

  return NAMED (few_wpowers, ) (
    s, mean, sqrtl (NAMED (few_wspread, ) (s, mean)), power);
}

FEW_INLINE struct gt_few
NAMED (few_wskew, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wmoment, ) (s, 3));
}

FEW_INLINE struct gt_few
NAMED (few_wkurtosis, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wmoment, ) (s, 4) - 3);
}

FEW_INLINE struct gt_few
NAMED (few_wskew_m_sd, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wpowers, ) (s, s->given[0], s->given[1], 3));
}

FEW_INLINE struct gt_few
NAMED (few_wkurtosis_m_sd, ) (const FEW_SAMPLE *s)
{
  return gt_few_of (NAMED (few_wpowers, ) (s, s->given[0], s->given[1], 4) - 3);
}

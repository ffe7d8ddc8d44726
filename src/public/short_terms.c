/* Exact sums of the terms of short samples: added in long double, and rounded if what
   that has lost leaves no doubt.  Where a long double is no more than a double, it
   always does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/short_terms.h"

#include <float.h>
#include <math.h>

/* Sums, and the magnitudes of what additions have lost: often nothing, and then a sum
   halfway between two doubles is known to be.  */
struct sums
{
  long double sum[3], lost[3];
};

static inline void
add (struct sums *sums, unsigned k, double term)
{
  const long double before = sums->sum[k], sum = before + term;
  const long double added = sum - before;

  sums->sum[k] = sum;
  sums->lost[k] += fabsl ((before - (sum - added)) + (term - added));
}

/* The third or the fourth power, in the order of the reductions' summaries, as
   kernels/cpu/exact_terms.h has it.  */
static inline double
power (double t, int fourth)
{
  return fourth ? (t * t) * (t * t) : t * t * t;
}

/* The terms of one element X, or of a pair.  */
static inline void
add_terms (struct sums *sums, enum gt_reduction reduction, double x, double y,
           double a, double r)
{
  const double d = x - a, e = y - a;

  switch (reduction)
    {
    case GT_LAG1:
      add (sums, 0, d * e);
      add (sums, 1, e * e);
      break;
    case GT_ABSDEV:
      add (sums, 0, fabs (d));
      break;
    default:
      add (sums, 0, power (d * r, reduction == GT_KURTOSIS));
      break;
    }
}

/* Those of a datum Y of weight W.  */
static inline void
add_weighed (struct sums *sums, enum gt_reduction reduction, double w, double y,
             double a, double r)
{
  const double d = y - a;

  if (!(w > 0))
    return;
  add (sums, 0, w);
  switch (reduction)
    {
    case GT_WSUM:
      add (sums, 1, w * y);
      break;
    case GT_WMOMENTS:
      add (sums, 1, w * w);
      add (sums, 2, w * (d * d));
      break;
    case GT_WABSDEV:
      add (sums, 1, w * fabs (d));
      break;
    default:
      add (sums, 1, w * power (d * r, reduction == GT_WKURTOSIS));
      break;
    }
}

int
gt_short_terms (const struct gt_sample *sample, enum gt_reduction reduction,
                double first, double sum[GT_MOST_SUMS])
{
  const struct gt_task *task = &sample->task;
  const size_t n = task->problem.n;
  const double a = task->shift[0], r = task->scale;
  const int two = gt_reductions[reduction].inputs == 2;
  double x[GT_SHORT_TERMS], y[GT_SHORT_TERMS];
  struct sums sums = {{0}, {0}};

  if (n > GT_SHORT_TERMS || sample->memory[0]
      || task->problem.arithmetic == GT_LDBL || !gt_fpenv_is_default (GT_LDBL))
    return 0;
  gt_sample_load (sample, 0, x);
  if (two)
    gt_sample_load (sample, 1, y);
  for (size_t i = 0; i < n; i++)
    if (reduction >= GT_WSUM)
      add_weighed (&sums, reduction, x[i], y[i], a, r);
    else
      add_terms (&sums, reduction, x[i], two ? y[i] : 0, a, r);
  add (&sums, 1, first);
  for (unsigned k = 0; k < gt_reductions[reduction].plain; k++)
    {
      /* More than a unit of the sum, or taking it off changes nothing.  */
      const long double error
        = sums.lost[k] > 0
            ? 2 * sums.lost[k] + fabsl (sums.sum[k]) * LDBL_EPSILON
            : sums.lost[k];

      sum[k] = (double) (sums.sum[k] - error);
      if (sum[k] != (double) (sums.sum[k] + error))
        return 0;
    }
  return 1;
}

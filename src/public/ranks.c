/* Medians, order statistics, robust scales and ranks of data on the host: GSL's functions,
   but for the correlation of ranks with their results and with what they leave in arrays.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_statistics.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/public/sorting.h"

/* The factor by which Sn is that of a normal distribution, for N elements (C. Croux and
   P. J. Rousseeuw, 1992, as in GSL).  */
static double
sn_of_normal (size_t n)
{
  static const double few[] = {1, 1, 0.743, 1.851, 0.954, 1.351, 0.993, 1.198, 1.005,
                               1.131};
  const double of_n = n < sizeof few / sizeof *few ? few[n]
                      : n % 2 == 1                 ? (double) n / ((double) n - 0.9)
                                                   : 1;

  return 1.1926 * of_n;
}

/* The same of Qn.  */
static double
qn_of_normal (size_t n)
{
  static const double few[] = {1, 1, .399356, .99365, .51321, .84401, .61220, .85877,
                               .66993, .87344, .72014, .88906, .75743};
  const double m = (double) n;
  double of_n;

  if (n < sizeof few / sizeof *few)
    of_n = few[n];
  else
    {
      of_n = n % 2 == 1 ? 1.60188 + (-2.1284 - 5.172 / m) / m
                        : 3.67561 + (1.9654 + (6.987 - 77.0 / m) / m) / m;
      of_n = 1.0 / (of_n / m + 1.0);
    }
  return 2.21914 * of_n;
}

/* Makes ranks of N sorted numbers; equal ones have the mean of theirs.  */
static void
rank (double *x, size_t n)
{
  for (size_t i = 0, next; i < n; i = next)
    {
      double sum = 0;

      for (next = i; next < n && (next == i || x[next] == x[i]); next++)
        sum += (double) next + 1;
      sum /= (double) (next - i);
      for (size_t k = i; k < next; k++)
        x[k] = sum;
    }
}

#if CHAR_MIN < 0
#define SELECT_CHAR gt_select_i8
#else
#define SELECT_CHAR gt_select_u8
#endif
#define SELECT                                                            \
  _Generic ((TYPE) 0, double: gt_select_f64, float: gt_select_f32,        \
            long double: gt_select_ldbl, int: gt_select_i32,              \
            unsigned int: gt_select_u32, long: gt_select_i64,             \
            unsigned long: gt_select_u64, short: gt_select_i16,           \
            unsigned short: gt_select_u16, char: SELECT_CHAR,             \
            unsigned char: gt_select_u8)
#define GT_TEMPLATE "src/public/ranks.inc"
#include "src/public/each_type.h"

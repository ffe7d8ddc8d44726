/* Means, sums of squares and what is made of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/moments.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/short/exact_short_sums.h"
#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/finish/wide.h"
#include "src/public/certain.h"
#include "src/public/elements.h"

/* A mean is too far off if its square is more than this many times what is left.  On a GPU
   another pass is another launch.  */
#define FAR 1
#define FAR_ON_GPU 15

static enum gt_arithmetic
arithmetic_of (const struct gt_sample *sample)
{
  return sample->task.problem.arithmetic;
}

static int
is_integer (const struct gt_sample *sample)
{
  return arithmetic_of (sample) > GT_LDBL;
}

static int
is_exact (const struct gt_sample *sample)
{
  return sample->mode == GT_MODE_EXACT;
}

/* Whether sums of the elements as they are leave no doubt, and come first.  */
static int
by_elements (const struct gt_sample *sample, int inputs)
{
  return is_exact (sample) || gt_sample_fills_caches (sample, inputs);
}

/* ----------------------------------------------------- Exact, of short ones */

static int
is_short (const struct gt_sample *sample)
{
  return sample->task.problem.n <= GT_CUTOFF_CASCADES
         && sample->memory[0] == NULL;
}

/* Whether kernels of short samples take this one as it is: they round the exact statistic
   without an accumulator, or return 0 where they cannot tell.  They want the environment
   that exact statistics are computed in.  */
static int
is_short_real (const struct gt_sample *sample)
{
  return arithmetic_of (sample) <= GT_F32 && is_short (sample);
}

static int
short_mean (const struct gt_sample *sample, double *to)
{
  return is_short_real (sample) && gt_short ()->mean (&sample->task, to);
}

static int
short_spread (const struct gt_sample *sample, enum gt_spread what, double *to)
{
  return is_short_real (sample) && gt_short ()->spread (&sample->task, what, to);
}

/* Whether kernels of short samples, which take doubles and floats, can be given this
   one: integers that doubles hold, where the environment is as it should be.  */
static int
is_short_task (const struct gt_sample *sample)
{
  return is_short (sample)
         && (!is_integer (sample)
             || (gt_element_size (arithmetic_of (sample)) <= 4
                 && gt_fpenv_is_default (GT_F64)));
}

/* Sums of products or of magnitudes about given means, over BY, and where ROOT is set the root of
   that.  */
static int
short_about (struct gt_sample *sample, enum gt_reduction reduction, double by,
             int root, double *to)
{
  struct gt_short_copy copy;
  const struct gt_task *task;

  sample->task.problem.reduction = reduction;
  sample->task.shift[0] = sample->given[0];
  sample->task.shift[1] = sample->given[1];
  task = is_short_task (sample) ? gt_sample_short (sample, &copy) : NULL;
  return task && gt_short ()->about (task, by, root, to);
}

/* Of more than these the sums of elements with their signs are quicker.  */
#define MOST_DISTANCES 192

int
gt_short_distance (struct gt_sample *sample, double *to)
{
  const struct gt_term *term = sample->term;

  return term->what == GT_TERM_ABSDEV && term->given && !term->weighted
         && sample->task.problem.n <= MOST_DISTANCES
         && short_about (sample, GT_ABSDEV, (double) sample->task.problem.n, 0, to);
}

static int
short_correlation (const struct gt_sample *sample, double *to)
{
  struct gt_short_copy copy;
  const int many = arithmetic_of (sample) == GT_F64 && sample->memory[0] == NULL
                   && sample->task.problem.n <= GT_CUTOFF_ANCHORED;
  const struct gt_task *task
    = many || is_short_task (sample) ? gt_sample_short (sample, &copy) : NULL;

  return task && gt_short ()->correlation (task, to);
}

/* ------------------------------------------------------------------- Means */

static double
exact_mean (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n;
  union gt_value value;
  double mean;

  if (short_mean (sample, &mean)
      || (sample->memory[0] == NULL && arithmetic_of (sample) == GT_F64
          && sample->task.x.stride == 1 && n > GT_CUTOFF_CASCADES
          && gt_elements_reduced (GT_SUM, sample->task.x.data, sample->task.x.data, n,
                                  (double) n, 0, &mean)))
    return mean;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_mean (sample->task.x, n);
  gt_sample_sums (sample, GT_SUM, GT_MODE_EXACT, &value);
  return gt_finish_mean (&value.super, n);
}

/* The integers up to here are doubles.  */
#define MOST_EXACT ((int64_t) 1 << 53)

/* S / n, of sums that a double holds by one division.  */
static double
mean_of_integers (const struct gt_integer_sums *sums, uint64_t n)
{
  const int64_t sum = (int64_t) sums->plain[0][0];

  return sums->plain[0][1] == (uint64_t) (sum >> 63) && -MOST_EXACT <= sum
             && sum <= MOST_EXACT && n <= (uint64_t) MOST_EXACT
           ? (double) sum / (double) n : gt_finish_integer_mean (sums, n);
}

static double
integer_mean (struct gt_sample *sample)
{
  union gt_value value;

  gt_sample_sums (sample, GT_TOTAL, GT_MODE_FAST, &value);
  return mean_of_integers (&value.integers, sample->task.problem.n);
}

/* Rounded on the way.  The zero makes -0 of nothing but -0 to +0.  */
static double
fast_mean (struct gt_sample *sample)
{
  const double n = (double) sample->task.problem.n;
  union gt_value value;

  switch (arithmetic_of (sample))
    {
    case GT_F64:
      gt_sample_sums (sample, GT_SUM, GT_MODE_FAST, &value);
      return (value.f64[0] + 0.0) / n;
    case GT_F32:
      gt_sample_sums (sample, GT_TOTAL, GT_MODE_FAST, &value);
      return (value.sums.s[0] + value.sums.c[0] + 0.0) / n;
    default:
      gt_sample_sums (sample, GT_SUM, GT_MODE_FAST, &value);
      return (double) ((value.ldbl[0] + 0.0L) / n);
    }
}

double
gt_mean (struct gt_sample *sample)
{
  uint32_t special;
  double mean;

  if (sample->task.problem.n == 0)
    return 0;
  if (is_integer (sample))
    return integer_mean (sample);
  if (is_exact (sample))
    return exact_mean (sample);
  mean = fast_mean (sample);
  if (isfinite (mean))
    return mean;
  special = gt_sample_special (sample, 0);
  return special ? gt_special_sum (special) : exact_mean (sample);
}

/* ------------------------------------------------- Squares about the mean */

/* Sums of squares about the mean, and the mean, as they come of rounded sums: that is SHIFT and
   what is LEFT of it.  */
struct spread
{
  double tss, shift, left;
};

/* Whether all elements on the host are A.  */
static int
all_are (const struct gt_sample *sample, long double a)
{
  const size_t n = sample->task.problem.n;

  for (size_t i = 0; i < n; i++)
    if (gt_sample_element (sample, 0, i) != a)
      return 0;
  return 1;
}

/* Whether all differences from A are 0 where their squares add up to Q: if that is 0 the
   squares may have underflowed, which those of floats do only if A is nearer to zero than
   floats are.  */
static int
is_nothing (const struct gt_sample *sample, double q, long double a)
{
  return q == 0
         && ((arithmetic_of (sample) == GT_F32 && !(a != 0 && fabsl (a) < 0x1p-160L))
             || (sample->memory[0] == NULL && all_are (sample, a)));
}

/* Takes the square of the mean off the sum SQUARES, S being the sum of the elements.  Returns
   whether enough digits are left.  */
static inline int
take_mean_off (const struct gt_sample *sample, const union gt_value *value,
               unsigned squares, unsigned s, double *left)
{
  const double n = (double) sample->task.problem.n, sum = gt_sum (sample, value, s);

  *left = gt_sum_less (sample, value, squares, s, s, n);
  return sum / n * sum <= (sample->memory[0] ? FAR_ON_GPU : FAR) * *left;
}

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_spread (struct gt_sample *sample, struct spread *spread)
{
  const double n = (double) sample->task.problem.n;
  double *const shift = sample->task.shift;

  *shift = gt_sample_shift (sample, 0);
  for (int pass = 0; pass < 2; pass++)
    {
      union gt_value value;
      double s, q;

      gt_sample_sums (sample, GT_MOMENTS, sample->mode, &value);
      s = gt_sum (sample, &value, 0);
      q = gt_sum (sample, &value, 1);
      *spread = (struct spread) {0, *shift, s / n};
      if (!gt_in_range (q))
        return is_nothing (sample, q, *shift);
      if (take_mean_off (sample, &value, 1, 0, &spread->tss))
        return 1;
      *shift += spread->left;
    }
  return 0;
}

/* Stores X in *TO if every number that differs from it by less than ERROR rounds to
   the same double; else returns 0.  */
static int
rounds (long double x, long double error, double *to)
{
  *to = (double) (x - error);
  return *to == (double) (x + error);
}

/* The spread of integers whose sum has at most 64 bits and whose numerator has at most 128:
   long doubles compute it to two units.  Returns 0 when that does not decide, or where the
   caller has set how long doubles are rounded, which fast mode leaves as it is.  */
static int
short_integer_spread (const struct gt_integer_sums *sums, uint64_t n,
                      enum gt_spread what, double *to)
{
  const int64_t s = (int64_t) sums->plain[0][0];
  const unsigned __int128 q
    = (unsigned __int128) sums->product[1] << 64 | sums->product[0];
  unsigned __int128 scaled, numerator;
  long double spread;

  if (sums->plain[0][1] != (uint64_t) (s >> 63) || sums->product[2]
      || __builtin_mul_overflow (q, n, &scaled)
      || !gt_fpenv_is_default (GT_LDBL))
    return 0;
  numerator = scaled - (unsigned __int128) ((__int128) s * s);
  spread = (long double) numerator / (long double) n;
  spread /= (long double) gt_spread_divisor (what, n);
  if (gt_spread_is_root (what))
    spread = sqrtl (spread);
  return rounds (spread, spread * 4 * LDBL_EPSILON, to);
}

static double
integer_spread (const struct gt_integer_sums *sums, uint64_t n,
                enum gt_spread what)
{
  double spread;

  return short_integer_spread (sums, n, what, &spread)
           ? spread : gt_finish_integer_spread (what, sums, n, NULL);
}

/* A spread of elements whose squares leave the range of doubles.  */
static int
moderate_spread (const struct gt_sample *sample, double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (sample->term);

  return gt_is_far (sample, 0) && gt_moderately (sample, &kind, gt_squares, to);
}

static double
exact_spread (struct gt_sample *sample, enum gt_spread what)
{
  const uint64_t n = sample->task.problem.n;
  union gt_value value;
  double spread;

  if (short_spread (sample, what, &spread) || gt_certain_on_gpu (sample, &spread)
      || moderate_spread (sample, &spread))
    return spread;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_spread (what, sample->task.x, sample->task.x, n, NULL);
  gt_sample_sums (sample, GT_MOMENTS, GT_MODE_EXACT, &value);
  return is_integer (sample) ? integer_spread (&value.integers, n, what)
                             : gt_finish_value (what, &value, 0, n, NULL);
}

static double
spread_of (struct gt_sample *sample, enum gt_spread what)
{
  const uint64_t n = sample->task.problem.n;
  struct spread spread;

  if (n == 1 && gt_spread_divisor (what, n) == 0)
    return NAN;
  if (is_integer (sample) || is_exact (sample)
      || !fast_spread (sample, &spread))
    return !is_exact (sample) && gt_sample_special (sample, 0)
             ? NAN : exact_spread (sample, what);
  spread.tss /= (double) gt_spread_divisor (what, n);
  return gt_spread_is_root (what) ? sqrt (spread.tss) : spread.tss;
}

struct gt_ball
gt_integer_mean (const struct gt_integer_sums *sums, uint64_t n)
{
  const __int128 sum
    = (__int128) ((unsigned __int128) sums->plain[0][1] << 64 | sums->plain[0][0]);
  const double h = (double) sum;

  return gt_ball_quotient (gt_ball_of (h, (double) (sum - (__int128) h), 0),
                           gt_ball_exactly ((double) n));
}

void
gt_mean_and_variance (struct gt_sample *sample, double *mean, double *rest, double *variance)
{
  const uint64_t n = sample->task.problem.n;
  struct spread spread;
  union gt_value value;

  *rest = 0;
  if (!is_integer (sample) && fast_spread (sample, &spread))
    {
      const struct gt_ball of_both = gt_ball_of (spread.shift, spread.left, 0);

      *mean = of_both.h;
      *rest = of_both.l;
      *variance = spread.tss / (double) (n - 1);
    }
  else if (gt_is_far (sample, 0))
    *mean = *variance = NAN;
  else if (short_mean (sample, mean) && short_spread (sample, GT_VARIANCE, variance))
    return;
  else if (arithmetic_of (sample) == GT_LDBL)
    {
      *mean = gt_wide_mean (sample->task.x, n);
      *variance = gt_wide_spread (GT_VARIANCE, sample->task.x, sample->task.x, n, NULL);
    }
  else
    {
      gt_sample_sums (sample, GT_MOMENTS, GT_MODE_EXACT, &value);
      if (is_integer (sample))
        {
          const struct gt_ball of_integers = gt_integer_mean (&value.integers, n);

          *mean = of_integers.h;
          *rest = of_integers.l;
          *variance = integer_spread (&value.integers, n, GT_VARIANCE);
        }
      else
        {
          *mean = gt_finish_mean (&value.exact.plain[0], n);
          *variance = gt_finish_value (GT_VARIANCE, &value, 0, n, NULL);
        }
    }
}

/* -------------------------------------------- Squares about a given mean */

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_spread_about (struct gt_sample *sample, double mean, double *tss)
{
  union gt_value value;

  sample->task.shift[0] = mean;
  gt_sample_sums (sample, GT_MOMENTS, sample->mode, &value);
  *tss = gt_sum (sample, &value, 1);
  return gt_in_range (*tss) || is_nothing (sample, *tss, mean);
}

static double
exact_spread_about (struct gt_sample *sample, enum gt_spread what, double mean)
{
  const double both[] = {mean, mean};
  const uint64_t n = sample->task.problem.n;
  union gt_value value;
  const double by = (double) gt_spread_divisor (what, n);
  double spread;

  if (by > 0
      && (short_about (sample, GT_MOMENTS, by,
                       gt_spread_is_root (what), &spread)
          || gt_certain_on_gpu (sample, &spread)
          || moderate_spread (sample, &spread)))
    return spread;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_spread (what, sample->task.x, sample->task.x, n, both);
  gt_sample_sums (sample, GT_MOMENTS, GT_MODE_EXACT, &value);
  return gt_finish_value (what, &value, is_integer (sample), n, both);
}

static double
spread_about (struct gt_sample *sample, enum gt_spread what)
{
  const double mean = sample->given[0];
  const uint64_t n = sample->task.problem.n;
  double tss;

  if (is_integer (sample) || is_exact (sample)
      || !fast_spread_about (sample, mean, &tss))
    return exact_spread_about (sample, what, mean);
  tss /= (double) gt_spread_divisor (what, n);
  return gt_spread_is_root (what) ? sqrt (tss) : tss;
}

double
gt_squares (struct gt_sample *sample)
{
  static const enum gt_spread of[GT_N_TERMS][2] = {
    [GT_TERM_TSS] = {GT_TSS, GT_TSS},
    [GT_TERM_VARIANCE] = {GT_VARIANCE, GT_SD},
    [GT_TERM_FIXED] = {GT_FIXED_VARIANCE, GT_FIXED_SD}
  };
  const struct gt_term *term = sample->term;
  const enum gt_spread what = of[term->what][term->root];

  double spread;

  if (sample->task.problem.n == 0)
    return 0;
  if (by_elements (sample, 1) && gt_elements_spread (sample, &spread))
    return spread;
  return term->given ? spread_about (sample, what) : spread_of (sample, what);
}

/* -------------------------------------------------------------- Two samples */

/* The sums of products and of squares about the means of two samples, as they come of
   rounded sums.  */
struct joint_spread
{
  double xy, xx, yy;
};

/* Doubles do not hold integers of 64 bits.  These lose digits of what is left if the square
   of their mean is more than this many times it.  */
#define FAR_INTEGERS 0x1p20

static int
are_rounded_away (const struct gt_sample *sample, const struct joint_spread *joint)
{
  const double n = (double) sample->task.problem.n, *shift = sample->task.shift;

  return is_integer (sample) && gt_element_size (arithmetic_of (sample)) == 8
         && (n * shift[0] * shift[0] > FAR_INTEGERS * joint->xx
             || n * shift[1] * shift[1] > FAR_INTEGERS * joint->yy);
}

/* Returns 0 when rounded sums cannot tell, because digits may have been lost where the
   result is 0.  The sums of squares show whether the shifts are near the means; a covariance of
   unrelated samples does not.  From memory the squares cost nothing.  */
static int
fast_joint_spread (struct gt_sample *sample, struct joint_spread *joint)
{
  const double n = (double) sample->task.problem.n;
  double *const shift = sample->task.shift;

  for (int i = 0; i < 2; i++)
    shift[i] = gt_sample_shift (sample, i);
  for (int pass = 0; pass < 2; pass++)
    {
      union gt_value value;
      int near;

      gt_sample_sums (sample, GT_CORRELATION, sample->mode, &value);
      if (!gt_in_range (gt_sum (sample, &value, 3))
          || !gt_in_range (gt_sum (sample, &value, 4)))
        return 0;
      near = take_mean_off (sample, &value, 3, 0, &joint->xx);
      near &= take_mean_off (sample, &value, 4, 1, &joint->yy);
      joint->xy = gt_sum_less (sample, &value, 2, 0, 1, n);
      if (near)
        return joint->xy != 0 && !are_rounded_away (sample, joint);
      for (unsigned i = 0; i < 2; i++)
        shift[i] += gt_sum (sample, &value, i) / n;
    }
  return 0;
}

/* The same of two samples, whose products do.  */
static int
moderate_joint (const struct gt_sample *sample, double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (sample->term);

  return (gt_is_far (sample, 1) || gt_is_far (sample, 0))
         && gt_moderately (sample, &kind, gt_joint, to);
}

static double
exact_covariance (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n;
  union gt_value value;
  double covariance;

  if ((is_exact (sample) && short_spread (sample, GT_COVARIANCE, &covariance))
      || gt_certain_on_gpu (sample, &covariance)
      || moderate_joint (sample, &covariance)
      || (!is_exact (sample) && short_spread (sample, GT_COVARIANCE, &covariance)))
    return covariance;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_spread (GT_COVARIANCE, sample->task.x, sample->task.y, n, NULL);
  gt_sample_sums (sample, GT_COMOMENTS, GT_MODE_EXACT, &value);
  return gt_finish_value (GT_COVARIANCE, &value, is_integer (sample), n, NULL);
}

/* Rounded sums do not decide two samples: EXACT computes them, and NaN is the answer where
   they are not finite.  */
static double
exact_or_nan (struct gt_sample *sample, gt_statistic *exact)
{
  return !is_exact (sample) && (gt_sample_special (sample, 0) || gt_sample_special (sample, 1))
           ? NAN : exact (sample);
}

static double
covariance_of (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n;
  struct joint_spread joint;

  if (n < 2)
    return n == 0 ? 0 : NAN;
  return is_integer (sample) || is_exact (sample)
             || !fast_joint_spread (sample, &joint)
           ? exact_or_nan (sample, exact_covariance)
           : joint.xy / (double) (n - 1);
}

/* Returns 0 when rounded sums cannot tell.  */
static int
fast_products_about (struct gt_sample *sample, double *products)
{
  union gt_value value;

  sample->task.shift[0] = sample->given[0];
  sample->task.shift[1] = sample->given[1];
  gt_sample_sums (sample, GT_COMOMENTS, sample->mode, &value);
  *products = gt_sum (sample, &value, 2);
  return gt_in_range (fabs (*products))
         || (arithmetic_of (sample) == GT_F32 && isfinite (*products));
}

static double
covariance_about (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n;
  union gt_value value;
  double products;

  if (n == 0)
    return 0;
  if (!is_integer (sample) && !is_exact (sample)
      && fast_products_about (sample, &products))
    return products / (double) (n - 1);
  if (n > 1
      && (short_about (sample, GT_COMOMENTS, (double) n - 1, 0, &products)
          || gt_certain_on_gpu (sample, &products)
          || moderate_joint (sample, &products)))
    return products;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_spread (GT_COVARIANCE, sample->task.x, sample->task.y, n,
                           sample->given);
  gt_sample_sums (sample, GT_COMOMENTS, GT_MODE_EXACT, &value);
  return gt_finish_value (GT_COVARIANCE, &value, is_integer (sample), n,
                          sample->given);
}

/* The exact sums of three passes: of the squares of x, of those of y, and of the
   products.  */
struct correlation_sums
{
  union gt_value x, y, xy;
};

static double
correlation_of (struct gt_sample *sample, struct correlation_sums *sums)
{
  const uint64_t n = sample->task.problem.n;
  struct gt_sample second = gt_sample_second (sample);
  const struct gt_exact_sums *x = &sums->x.exact, *y = &sums->y.exact;

  gt_sample_sums (sample, GT_MOMENTS, GT_MODE_EXACT, &sums->x);
  gt_sample_sums (&second, GT_MOMENTS, GT_MODE_EXACT, &sums->y);
  gt_sample_sums (sample, GT_COMOMENTS, GT_MODE_EXACT, &sums->xy);
  if (second.status)
    {
      sample->status = second.status;
      sample->why = second.why;
    }
  return is_integer (sample)
           ? gt_finish_integer_correlation (&sums->x.integers,
                                            &sums->y.integers,
                                            &sums->xy.integers, n)
           : gt_finish_correlation (&x->plain[0], &y->plain[0], &x->product,
                                    &y->product, &sums->xy.exact.product, n);
}

static double
exact_correlation (struct gt_sample *sample)
{
  struct correlation_sums *sums;
  double correlation;
  void *heap;

  if ((is_exact (sample) && short_correlation (sample, &correlation))
      || gt_certain_on_gpu (sample, &correlation)
      || moderate_joint (sample, &correlation)
      || (!is_exact (sample) && short_correlation (sample, &correlation)))
    return correlation;
  if (arithmetic_of (sample) == GT_LDBL)
    return gt_wide_correlation (sample->task.x, sample->task.y,
                                sample->task.problem.n);
  sums = GT_ROOM (heap, sizeof *sums);
  correlation = correlation_of (sample, sums);
  free (heap);
  return correlation;
}

static double
correlation (struct gt_sample *sample)
{
  struct joint_spread joint;

  if (sample->task.problem.n < 2)
    return NAN;
  return !is_exact (sample) && fast_joint_spread (sample, &joint)
           ? gt_correlation_of (joint.xy / (sqrt (joint.xx) * sqrt (joint.yy)))
           : exact_or_nan (sample, exact_correlation);
}

double
gt_joint (struct gt_sample *sample)
{
  double spread;

  if (by_elements (sample, 2) && gt_elements_spread (sample, &spread))
    return spread;
  return sample->term->what == GT_TERM_CORRELATION ? correlation (sample)
         : sample->term->given                     ? covariance_about (sample)
                                                   : covariance_of (sample);
}

/* Statistics by sums of the elements as they are.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/elements.h"

#include <stdlib.h>

#include "kernels/cpu/exact/exact.h"
#include "src/public/blocks.h"
#include "src/public/moments.h"
#include "src/route/reduce.h"

/* Elements up to which short sums of other kinds are as quick.  */
#define SPREAD_FROM 256
#define CORRELATION_FROM 4096

/* Blocks of more elements than sums with bounds have, which grow with the square of the length,
   and of such as are copied, so that the copies stay in the first cache.  */
#define BLOCK ((size_t) 1 << 13)
#define BLOCK_OF_COPIES ((size_t) 1 << 11)
#define LEAST_BLOCK (GT_CUTOFF_STATISTICS + 1) /* of less nothing is told */

/* As many times as far from zero as from each other elements leave the spreads about their means
   that short sums make in doubt.  */
#define FAR_OF_SHORT 0x1p14

/* Sums about zero hardly tell of elements that seem so many times as far from zero as from
   each other, by the power that is taken of them; and may not tell of such as are farther than
   NEAR.  */
static const double far[] = {[1] = 4096, [2] = 128, [3] = 6, [4] = 6};
#define NEAR 2

/* The terms of several sums, LESS being taken off x and y.  */
struct several
{
  enum gt_several what;
  enum gt_arithmetic arithmetic;
  struct gt_operand x, y;
  double about;
  const double *less;
};

/* Whether elements are doubles side by side, off which nothing is to be taken.  */
static int
are_plain (const struct several *s, int which)
{
  return s->arithmetic == GT_F64 && (which ? &s->y : &s->x)->stride == 1 && s->less[which] == 0;
}

/* N elements from BEGIN on, in TO unless they are plain; null where one has lost a digit.  */
static const double *
block_of (const struct several *s, int which, size_t begin, size_t n, double *to)
{
  const struct gt_operand *v = which ? &s->y : &s->x;
  const double *from = (const double *) v->data + begin;

  if (s->arithmetic == GT_F32)
    gt_exact_isa (GT_SUM)->widen ((const float *) v->data + begin * v->stride, v->stride, n, to);
  else if (s->arithmetic != GT_F64 || v->stride != 1)
    gt_sample_doubles (s->arithmetic, v, begin, n, to);
  if (s->arithmetic != GT_F64 || v->stride != 1)
    from = to;
  return s->less[which] == 0 || gt_exact_isa (GT_SUM)->less (from, n, s->less[which], to)
           ? (s->less[which] == 0 ? from : to) : NULL;
}

static int
take_elements (const struct several *s, const double *x, const double *y, size_t n,
               struct gt_ball *sums)
{
  return x && y && gt_short ()->several (s->what, x, y, n, s->about, sums);
}

static int
take_copies (const struct several *s, size_t begin, size_t n, struct gt_ball *sums)
{
  const int next = s->what == GT_SEVERAL_OF_NEIGHBOURS;
  double *const copies = malloc (2 * (n + 1) * sizeof *copies);
  const double *x, *y;
  int told = 0;

  if (copies)
    {
      x = block_of (s, 0, begin, n + (size_t) next, copies);
      y = next && x ? x + 1 : block_of (s, 1, begin, n, copies + n + 1);
      told = take_elements (s, x, y, n, sums);
    }
  free (copies);
  return told;
}

static int
take_several (const void *closure, size_t begin, size_t n, struct gt_ball *sums)
{
  const struct several *s = closure;

  return are_plain (s, 0) && are_plain (s, 1)
           ? take_elements (s, (const double *) s->x.data + begin,
                            (const double *) s->y.data + begin, n, sums)
           : take_copies (s, begin, n, sums);
}

int
gt_elements_are_doubles (const struct gt_sample *sample)
{
  const enum gt_arithmetic arithmetic = sample->task.problem.arithmetic;

  return sample->memory[0] == NULL
         && (arithmetic == GT_F64 || gt_element_size (arithmetic) < sizeof (double));
}

/* By blocks of BLOCK elements, or a few more, by as many threads as PROBLEM has if that is
   large.  */
static int
take_blocks (const struct several *s, size_t n, size_t block, const struct gt_problem *problem,
             struct gt_ball *sums)
{
  const unsigned threads = n > GT_CUTOFF_ANCHORED ? gt_reduce_threads (problem, 1) : 1;

  while (n > block && n % block != 0 && n % block < LEAST_BLOCK)
    block += 8;
  if (n > GT_CUTOFF_ANCHORED && threads)
    gt_reduce_note (gt_way_names[GT_WAY_CPU]);
  return threads
         && gt_blocks_sum (n, block, threads, take_several, s, GT_N_SUMS_OF, sums);
}

int
gt_elements_sums (const struct gt_sample *sample, enum gt_several what, int weighted,
                  double about, const double less[2], struct gt_ball sums[GT_N_SUMS_OF])
{
  const struct gt_task *task = &sample->task;
  const int two = weighted || what == GT_SEVERAL_OF_PAIRS || what == GT_SEVERAL_OF_TWO;
  const int next = what == GT_SEVERAL_OF_NEIGHBOURS;
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const size_t n = task->problem.n - (size_t) next;
  const struct gt_problem exact = {.reduction = GT_SUM, .arithmetic = GT_F64,
                                   .mode = GT_MODE_EXACT, .layout = GT_CONTIGUOUS, .n = n};
  struct several s = {what, arithmetic, task->x, two ? task->y : task->x, about, less};

  if (weighted)
    {
      s.x = task->y;
      s.y = task->x;
    }
  if (next)
    s.y.data = (const char *) s.x.data + s.x.stride * gt_element_size (arithmetic);
  return gt_elements_are_doubles (sample) && n >= LEAST_BLOCK
         && take_blocks (&s, n, are_plain (&s, 0) && are_plain (&s, 1) ? BLOCK : BLOCK_OF_COPIES,
                         &exact, sums);
}

int
gt_elements_serve (const struct gt_problem *problem)
{
  return problem->mode == GT_MODE_EXACT && problem->arithmetic == GT_F64
         && problem->layout == GT_CONTIGUOUS && problem->n > GT_CUTOFF_ANCHORED
         && (problem->reduction == GT_SUM || problem->reduction == GT_ASUM
             || problem->reduction == GT_SUMSQ || problem->reduction == GT_DOT);
}

int
gt_elements_reduced (enum gt_reduction reduction, const double *x, const double *y, size_t n,
                     double by, int root, double *to)
{
  static const struct
  {
    enum gt_several what;
    enum gt_sum_of sum;
  } of[GT_N_REDUCTIONS] = {
    [GT_SUM] = {GT_SEVERAL_PLAIN, GT_SUM_OF_X}, [GT_ASUM] = {GT_SEVERAL_SIZES, GT_SUM_OF_X},
    [GT_SUMSQ] = {GT_SEVERAL_SQUARES, GT_SUM_OF_XX},
    [GT_DOT] = {GT_SEVERAL_PRODUCTS, GT_SUM_OF_XY}
  };
  const struct gt_problem exact = {.reduction = reduction, .arithmetic = GT_F64,
                                   .mode = GT_MODE_EXACT, .layout = GT_CONTIGUOUS, .n = n};
  const double less[2] = {0, 0};
  const struct several s = {of[reduction].what, GT_F64, {x, 1}, {y, 1}, 0, less};
  struct gt_ball sums[GT_N_SUMS_OF], all;

  if (!gt_fpenv_is_default (GT_F64) || gt_reduce_asks_gpus (&exact)
      || !take_blocks (&s, n, BLOCK, &exact, sums))
    return 0;
  all = sums[of[reduction].sum];
  if (by != 1)
    all = gt_ball_quotient (all, gt_ball_exactly (by));
  if (root)
    all = gt_ball_root (all);
  return gt_in_range (fabs (all.h)) && gt_ball_round (all, to);
}

/* How many times as far from zero as from each other four elements of x (WHICH 0) or y seem,
   and their mean, which can be taken off all, and off GIVEN; else 0.  */
static double
distance (const struct gt_sample *sample, int which, double given, double *mean)
{
  double apart;
  const double about = gt_sample_middle (sample, which, &apart), left = given - about;

  *mean = about;
  return sample->term->given && (left + about != given || given - left != about)
           ? 0 : fabs (about) / apart;
}

int
gt_elements_are_about (const struct gt_term *term)
{
  return term->given
         && (term->what == GT_TERM_KURTOSIS
             || (term->weighted
                 && (term->what == GT_TERM_TSS || term->what == GT_TERM_FIXED)));
}

int
gt_elements_near_zero (struct gt_sample *sample, int again, double less[2])
{
  const struct gt_kind *const kind = &gt_kinds[sample->term->what];
  const double least = far[kind->power];
  int other = !again;

  less[0] = less[1] = 0;
  if (!gt_elements_are_doubles (sample) || sample->task.problem.n <= GT_CUTOFF_STATISTICS
      || gt_elements_are_about (sample->term))
    return other;
  for (int k = 0; k < 1 + (kind->form == GT_FORM_JOINT); k++)
    {
      double mean;
      const double d
        = distance (sample, k ? 1 : sample->term->weighted, sample->given[k], &mean);

      if (!(d > (again ? NEAR : least)))
        continue;
      other |= d <= least;
      less[k] = mean;
      sample->given[k] -= mean;
    }
  return other;
}

struct gt_ball
gt_elements_about (struct gt_ball xy, struct gt_ball x, struct gt_ball y, struct gt_ball a,
                   struct gt_ball b, struct gt_ball n)
{
  const struct gt_ball left = gt_ball_difference (y, gt_ball_product (n, b));

  return gt_ball_difference (gt_ball_difference (xy, gt_ball_product (a, left)),
                             gt_ball_product (b, x));
}

/* XY by the root of the product of the squares about the means A and B.  */
static struct gt_ball
correlation_of (const struct gt_ball *sums, struct gt_ball xy, struct gt_ball a,
                struct gt_ball b, struct gt_ball n)
{
  const struct gt_ball x = sums[GT_SUM_OF_X], y = sums[GT_SUM_OF_Y];
  const struct gt_ball xx = gt_elements_about (sums[GT_SUM_OF_XX], x, x, a, a, n);
  const struct gt_ball yy = gt_elements_about (sums[GT_SUM_OF_YY], y, y, b, b, n);

  return gt_in_range (xx.h * yy.h)
           ? gt_ball_quotient (xy, gt_ball_root (gt_ball_product (xx, yy)))
           : (struct gt_ball) {0, 0, (double) INFINITY};
}

/* AGAIN: of elements that are moved, which were not.  */
static int
take_spread (const struct gt_sample *sample, int again, double *to)
{
  const struct gt_term *term = sample->term;
  const int joint = gt_kinds[term->what].form == GT_FORM_JOINT;
  const int correlation = term->what == GT_TERM_CORRELATION;
  const struct gt_ball n = gt_ball_exactly ((double) sample->task.problem.n);
  const double unbiased = term->what == GT_TERM_VARIANCE || joint;
  struct gt_sample near = *sample;
  struct gt_ball sums[GT_N_SUMS_OF], a, b, all;
  const struct gt_ball *const y = &sums[joint ? GT_SUM_OF_Y : GT_SUM_OF_X];
  double less[2];

  if (!gt_elements_near_zero (&near, again, less)
      || !gt_elements_sums (&near, correlation ? GT_SEVERAL_OF_TWO
                                   : joint     ? GT_SEVERAL_OF_PAIRS
                                               : GT_SEVERAL_OF_ONE, 0, 0, less, sums))
    return 0;
  a = term->given ? gt_ball_exactly (near.given[0]) : gt_ball_quotient (sums[GT_SUM_OF_X], n);
  b = !joint        ? a
      : term->given ? gt_ball_exactly (near.given[1])
                    : gt_ball_quotient (*y, n);
  all = gt_elements_about (sums[joint ? GT_SUM_OF_XY : GT_SUM_OF_XX], sums[GT_SUM_OF_X], *y, a,
                           b, n);
  if (correlation)
    all = correlation_of (sums, all, a, b, n);
  else if (term->what != GT_TERM_TSS)
    all = gt_ball_quotient (all, gt_ball_exactly (n.h - unbiased));
  if (term->root)
    all = gt_ball_root (all);
  return gt_tells (sample, all, to);
}

int
gt_elements_spread (const struct gt_sample *sample, double *to)
{
  const struct gt_task *task = &sample->task;
  const int joint = gt_kinds[sample->term->what].form == GT_FORM_JOINT;
  const int has_short = sample->term->what == GT_TERM_CORRELATION
                        && task->problem.arithmetic == GT_F64 && task->x.stride == 1
                        && task->y.stride == 1;
  uint64_t least = has_short ? CORRELATION_FROM : SPREAD_FROM;
  double mean;

  /* Integers have exact sums that are quicker.  */
  if (task->problem.arithmetic > GT_F32 || !gt_elements_are_doubles (sample)
      || task->problem.n < LEAST_BLOCK)
    return 0;
  if (task->problem.n < least && !sample->term->given
      && (distance (sample, 0, 0, &mean) > FAR_OF_SHORT
          || (joint && distance (sample, 1, 0, &mean) > FAR_OF_SHORT)))
    least = LEAST_BLOCK;
  return task->problem.n >= least
         && (take_spread (sample, 0, to) || take_spread (sample, 1, to));
}

/* Where what a standard deviation is multiplied with stays in range.  */
#define LEAST_DEVIATION 0x1p-100
#define MOST_DEVIATION 0x1p100

/* The sums of powers 0 to P about nothing, T, become such as are about M, from the lowest on: T[0]
   is that of powers P in the end, and was that of squares, which is returned.  */
static struct gt_ball
take_off (struct gt_ball t[5], int p, struct gt_ball m)
{
  struct gt_ball squares = t[0];

  for (int taken = 1; taken <= p; taken++)
    {
      for (int j = 0; j <= p - taken; j++)
        t[j] = gt_ball_difference (t[j + 1], gt_ball_product (m, t[j]));
      if (taken == 2)
        squares = t[0];
    }
  return squares;
}

int
gt_elements_moment (const struct gt_sample *sample, const double less[2], struct gt_ball *to)
{
  const struct gt_term *term = sample->term;
  const int weighted = term->weighted, power = gt_kinds[term->what].power;
  /* Of cubes and fourth powers, without weights and with these, about their mean and a given
     one.  */
  static const enum gt_several of[2][2][2]
    = {{{GT_SEVERAL_CUBES, GT_SEVERAL_CUBES},
        {GT_SEVERAL_UNBIASED_CUBES, GT_SEVERAL_WEIGHTED_CUBES}},
       {{GT_SEVERAL_FOURTHS, GT_SEVERAL_ABOUT_FOURTHS},
        {GT_SEVERAL_UNBIASED_FOURTHS, GT_SEVERAL_WEIGHTED_ABOUT_FOURTHS}}};
  const enum gt_several what = of[power == 4][weighted][term->given != 0];
  const double n = (double) sample->task.problem.n, sd = fabs (sample->given[1]);
  struct gt_ball sums[GT_N_SUMS_OF], t[5], all, variance, root;

  if ((term->given && !(sd >= LEAST_DEVIATION && sd <= MOST_DEVIATION))
      || !gt_elements_sums (sample, what, weighted, sample->given[0], less, sums))
    return 0;
  all = weighted ? sums[GT_SUM_OF_Y] : gt_ball_exactly (n);
  t[0] = all;
  t[1] = sums[weighted ? GT_SUM_OF_XY : GT_SUM_OF_X];
  t[2] = sums[weighted ? GT_SUM_OF_YXX : GT_SUM_OF_XX];
  t[3] = sums[GT_SUM_OF_CUBES];
  t[4] = sums[GT_SUM_OF_FOURTHS];
  if (gt_elements_are_about (term))
    t[0] = sums[GT_SUM_OF_FOURTHS];
  else
    variance = take_off (t, power, term->given ? gt_ball_exactly (sample->given[0])
                                               : gt_ball_quotient (t[1], all));
  root = gt_ball_exactly (sample->given[1]);
  if (term->given)
    variance = gt_ball_product (root, root);
  else
    {
      variance = gt_ball_quotient (
        variance, weighted ? gt_ball_difference (
                               all, gt_ball_quotient (sums[GT_SUM_OF_YY], all))
                           : gt_ball_exactly (n - 1));
      root = gt_ball_root (variance);
    }
  *to = gt_ball_quotient (
    t[0], gt_ball_product (gt_ball_product (all, variance), power == 3 ? root : variance));
  if (gt_kinds[term->what].less)
    *to = gt_ball_difference (*to, gt_ball_exactly (gt_kinds[term->what].less));
  return 1;
}

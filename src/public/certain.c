/* The exact values of statistics, by sums of twice the precision and their bounds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/certain.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "src/cpu/parts.h"
#include "src/public/elements.h"
#include "src/public/moments.h"

__extension__ typedef unsigned __int128 bits128;

/* What plans goes deep: no function's balls are below another's.  */
#define APART __attribute__ ((noinline)) static

/* What is known of a sample on the way.  BLOCK is the most elements of a sum on the host,
   whose bound grows with its square; a GPU sums all at once.  Of a sample in pieces N
   elements are all, and the sample's those of one.  */
struct known
{
  struct gt_sample *sample;
  const gsltune_piece *piece; /* or null */
  const struct gt_term *term;
  uint64_t n, block;
  struct gt_ball weight;  /* the number of elements, or the sum of their weights */
  struct gt_ball squared; /* the sum of the weights' squares */
  struct gt_ball mean, tss;
  double spread; /* about the standard deviation; 0: not known */
};

/* Each of whose terms goes through N additions, a sum is off by less than this many times
   the sum of their magnitudes.  Of a compensated one, whose terms have twice the precision
   and are off by 64 u^2, the compensations, which are roundings of the partial sums that a
   term is part of, are themselves rounded twice for each; in fast mode there are these
   roundings alone.  */
static double
error_of (enum gt_mode mode, uint64_t n)
{
  const double roundings = ((double) n + 64) * 0x1p-53;

  return mode == GT_MODE_FAST ? 1.001 * roundings : 2 * roundings * roundings;
}

/* As many as the sample's last sums had, at most BLOCK on the host.  */
static uint64_t
additions_of (const struct gt_sample *sample, uint64_t block)
{
  const uint64_t n = sample->task.problem.n;

  return sample->memory[0] ? sample->additions : n < block ? n : block;
}

/* The most that the sums of any piece had.  */
static uint64_t
most_additions (const struct known *k)
{
  return k->piece ? k->block : additions_of (k->sample, k->block);
}

struct gt_ball
gt_sum_in (const struct gt_sample *sample, const union gt_value *value, unsigned k)
{
  const struct gt_problem *problem = &sample->task.problem;
  const struct gt_ball sum
    = gt_reductions[problem->reduction].algebra == GT_ALGEBRA_ADD
        ? gt_ball_of (value->f64[0], value->f64[1], 0) : gt_sum_doubled (sample, value, k);

  return gt_ball_widened (
    sum, (error_of (problem->mode, additions_of (sample, problem->n)) + GT_BALL_UNIT)
           * fabs (sum.h));
}

static void
sums_in (const struct gt_sample *sample, const union gt_value *value, unsigned count,
         struct gt_ball *to)
{
  for (unsigned i = 0; i < count; i++)
    to[i] = gt_sum_in (sample, value, i);
}

/* Values are large, and what plans goes deep: one is on the stack or the other.  */
APART void
take_quickly (struct gt_sample *sample, gt_cpu_function *function, unsigned count,
              struct gt_ball *to)
{
  union gt_value value;

  function (&sample->task, &value);
  sums_in (sample, &value, count, to);
}

APART void
take_planned (struct gt_sample *sample, unsigned count, struct gt_ball *to)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);

  gt_sample_sums_planned (sample, value);
  sums_in (sample, value, count, to);
  free (heap);
}

/* Sums of no more elements than a block has: short ones by the plan's function, as the
   environment is as kernels want it.  */
static void
take_block (struct gt_sample *sample, unsigned count, struct gt_ball *to)
{
  const struct gt_problem *problem = &sample->task.problem;
  gt_cpu_function *const function
    = sample->memory[0] ? NULL
      : gt_quick_find_in (problem->mode, problem->reduction, problem->arithmetic,
                          problem->layout, problem->n);

  if (function)
    take_quickly (sample, function, count, to);
  else
    take_planned (sample, count, to);
}

/* ------------------------------------------------------------------ Shifts

   A GPU takes a shift off floats without an error, and so in fewer operations, where both are
   multiples of the unit in the shift's last place and not too many (kernels/cuda/sums.cuh):
   it is given a rounded one, whose last digit tells that unit, and the rest apart.  */

#define SHIFT_DIGITS 44 /* below the mean's or the spread's first */

static int
is_of_floats_on_gpu (const struct known *k)
{
  return k->sample->memory[0] && k->sample->task.problem.arithmetic == GT_F32;
}

static double
shift_for (const struct known *k, double mean)
{
  const double scale = fmax (fabs (mean), k->spread);
  double unit;

  if (!is_of_floats_on_gpu (k) || mean == 0 || !gt_in_range (scale))
    return mean;
  unit = ldexp (1, ilogb (scale) - SHIFT_DIGITS);
  return (2 * floor (mean / (2 * unit)) + 1) * unit;
}

/* What the mean is more than its shift.  */
static double
rest_of (const struct known *k, struct gt_ball mean)
{
  return (mean.h - shift_for (k, mean.h)) + mean.l;
}

/* By how much the mean seems off in sums of powers of what is taken off it: by what is not
   known of it, and by what is rounded of terms whose second part the rest is, which are
   off by less than 8 2^-53 of it times the power, and of the second parts' sum.  */
static double
mean_error (const struct known *k)
{
  const double rounded = (2 * (double) additions_of (k->sample, k->block) + 64) * 0x1p-53;

  return k->mean.radius
         + (k->sample->memory[0] ? rounded * fabs (rest_of (k, k->mean)) : 0);
}

/* How far beyond the differences from the mean those are of which terms are made.  */
static double
mean_reach (const struct known *k)
{
  return k->mean.radius + 2 * fabs (rest_of (k, k->mean));
}

/* ------------------------------------------------------------ Blocks by a team

   The blocks, and so the sums and their bounds, are those of one thread.  */

struct blocks
{
  const struct gt_sample *sample; /* whose task has all elements */
  gt_cpu_function *function;
  unsigned count; /* sums of a block */
  size_t block;
  struct gt_parts parts;
  struct gt_ball *sums; /* of all blocks, in their order */
};

static void
take_claimed (void *closure, unsigned member)
{
  struct blocks *b = closure;
  struct gt_sample part = *b->sample;
  unsigned at = member % b->parts.parts;
  struct gt_piece piece;

  while (gt_parts_claim (&b->parts, &at, &piece))
    {
      part.task = gt_task_part (&b->sample->task, piece.begin, piece.n);
      take_quickly (&part, b->function, b->count,
                    b->sums + piece.begin / b->block * b->count);
    }
}

/* How many threads a sum of all elements has, or 1 where their plan may be another's.  */
static unsigned
team_for (const struct gt_sample *sample)
{
  const struct gt_problem *problem = &sample->task.problem;

  return sample->memory[0] || gt_env.device == GT_CHOOSE_CUDA
             || gt_plan_early (problem, sample->mode == GT_MODE_EXACT)
           ? 1 : gt_plan_find (gt_host_plans (), problem)->config.threads;
}

/* The sums of blocks of BLOCK elements, by several threads.  Returns 0 where there is but
   one, or no memory for what they share.  */
APART int
take_by_team (const struct gt_sample *sample, size_t block, unsigned count,
              struct gt_ball *sums)
{
  const size_t n = sample->task.problem.n, blocks = n / block + (n % block != 0);
  const unsigned threads = team_for (sample);
  struct gt_problem of_block = sample->task.problem;
  struct blocks b = {.sample = sample, .count = count, .block = block};
  int opened;

  if (threads < 2)
    return 0;
  of_block.n = block;
  b.function = gt_plan_find (gt_host_plans (), &of_block)->function;
  b.sums = malloc (blocks * count * sizeof *b.sums);
  gt_parts_cut_blocks (&b.parts, n, block, threads);
  opened = b.sums && gt_parts_open (&b.parts) == 0;
  if (opened)
    {
      gt_team_run (b.parts.parts, take_claimed, &b);
      gt_parts_close (&b.parts);
      for (unsigned i = 0; i < count; i++)
        sums[i] = b.sums[i];
      for (size_t k = count; k < blocks * count; k++)
        sums[k % count] = gt_ball_sum (sums[k % count], b.sums[k]);
    }
  free (b.sums);
  return opened;
}

/* Whether REDUCTION takes off what the shift lacks.  */
static int
has_rest (enum gt_reduction reduction)
{
  return gt_reductions[reduction].algebra == GT_ALGEBRA_TERMS && reduction != GT_CORRELATION;
}

/* Makes COUNT sums of one piece those of all.  */
static void
join (const struct known *k, unsigned count, struct gt_ball *sums)
{
  gsltune_bounded all[GT_MOST_SUMS];

  if (k->piece == NULL)
    return;
  for (unsigned i = 0; i < count; i++)
    all[i] = (gsltune_bounded) {sums[i].h, sums[i].l, sums[i].radius};
  k->piece->join (all, count, k->piece->params);
  for (unsigned i = 0; i < count; i++)
    sums[i] = (struct gt_ball) {all[i].sum, all[i].rest, all[i].bound};
}

/* What REDUCTION makes in MODE of one piece's elements less MEAN, times SCALE.  */
static void
take_own_sums (const struct known *k, enum gt_reduction reduction, enum gt_mode mode,
               struct gt_ball mean, double scale, struct gt_ball *sums)
{
  const unsigned count
    = gt_reductions[reduction].plain + gt_reductions[reduction].products;
  struct gt_task *const task = &k->sample->task;
  const struct gt_operand x = task->x, y = task->y;
  const uint64_t all = task->problem.n;
  struct gt_ball part[GT_MOST_SUMS];

  for (unsigned i = 0; i < count && all == 0; i++)
    sums[i] = gt_ball_exactly (0);
  if (all == 0)
    return;
  task->problem.reduction = reduction;
  task->problem.mode = mode;
  task->problem.layout
    = x.stride == 1 && (gt_reductions[reduction].inputs == 1 || y.stride == 1)
        ? GT_CONTIGUOUS : GT_STRIDED;
  task->shift[0] = has_rest (reduction) ? shift_for (k, mean.h) : mean.h;
  task->rest = has_rest (reduction) ? rest_of (k, mean) : mean.l;
  task->scale = scale;
  if (all > k->block && take_by_team (k->sample, k->block, count, sums))
    return;
  task->problem.n = all < k->block ? all : k->block;
  take_block (k->sample, count, sums);
  for (uint64_t begin = k->block; begin < all; begin += k->block)
    {
      const uint64_t n = all - begin < k->block ? all - begin : k->block;

      *task = gt_task_part (task, k->block, n);
      take_block (k->sample, count, part);
      for (unsigned i = 0; i < count; i++)
        sums[i] = gt_ball_sum (sums[i], part[i]);
    }
  task->x = x;
  task->y = y;
  task->origin = 0;
  task->problem.n = all;
}

/* The same of all pieces.  */
static void
take_sums (const struct known *k, enum gt_reduction reduction, enum gt_mode mode,
           struct gt_ball mean, double scale, struct gt_ball *sums)
{
  take_own_sums (k, reduction, mode, mean, scale, sums);
  join (k, gt_reductions[reduction].plain + gt_reductions[reduction].products, sums);
}

/* What the sums of x (WHICH 0) or y are best taken about first: of pieces no element is known
   to all.  */
static double
shift_of (const struct known *k, int which)
{
  return k->piece ? 0 : gt_sample_shift (k->sample, which);
}

/* What the bound of a sum of terms lacks whose magnitudes add up to MAGNITUDES.  */
static double
error_for (const struct known *k, double magnitudes)
{
  return (error_of (GT_MODE_COMPENSATED, most_additions (k)) + GT_BALL_UNIT)
         * (1.001 * magnitudes);
}

static double
within (struct gt_ball x)
{
  return fabs (x.h) + x.radius;
}

/* ------------------------------------------------------------------- Means */

/* A mean further off than this many times what is left squared is too far.  */
#define FAR 15

static int
spread_of_reals (struct known *k)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  struct gt_ball about = gt_ball_exactly (shift_for (k, shift_of (k, 0)));
  struct gt_ball sums[2], square;

  for (int pass = 0; pass < 2; pass++)
    {
      take_sums (k, GT_MOMENTS, GT_MODE_COMPENSATED, about, 0, sums);
      if (!gt_in_range (sums[1].h))
        return 0;
      sums[0] = gt_ball_widened (sums[0],
                                 error_for (k, sqrt (n.h * sums[1].h)));
      k->mean = gt_ball_sum (about, gt_ball_quotient (sums[0], n));
      square
        = gt_ball_quotient (gt_ball_product (sums[0], sums[0]), n);
      k->tss = gt_ball_difference (sums[1], square);
      k->spread = k->tss.h > 0 ? sqrt (k->tss.h / n.h) : 0;
      if (square.h <= FAR * k->tss.h)
        return 1;
      about = gt_ball_exactly (shift_for (k, k->mean.h));
    }
  return 0;
}

/* The sum of products P, S and T being the sums of their factors, less what their means
   add to it.  */
static struct gt_ball
about_means (const struct known *k, struct gt_ball p, struct gt_ball s, struct gt_ball t)
{
  return gt_ball_difference (
    p, gt_ball_quotient (gt_ball_product (s, t), gt_ball_exactly ((double) k->n)));
}

static struct gt_ball
ball_of_128 (bits128 x)
{
  const double h = (double) x;
  const bits128 back = (bits128) h;

  return gt_ball_of (h, x < back ? -(double) (back - x) : (double) (x - back),
                     h * 0x1p-104);
}

/* Of integers that doubles hold, and whose sums are within 128 bits: of all pieces the sums
   need not be, and are as balls.  */
static int
spread_from (struct known *k, const struct gt_integer_sums *sums)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  const int64_t s = (int64_t) sums->plain[0][0];
  const bits128 q = (bits128) sums->product[1] << 64 | sums->product[0];
  const int told = sums->plain[0][1] == (uint64_t) (s >> 63) && !sums->product[2] && !(q >> 106);
  struct gt_ball both[2];
  bits128 scaled;

  both[0] = ball_of_128 (s < 0 ? -(bits128) s : (bits128) s);
  if (s < 0)
    both[0] = gt_ball_negative (both[0]);
  both[1] = told ? ball_of_128 (q) : gt_ball_exactly (NAN);
  join (k, 2, both);
  k->mean = gt_ball_quotient (both[0], n);
  if (k->piece)
    k->tss = about_means (k, both[1], both[0], both[0]);
  else if (told && !__builtin_mul_overflow (q, k->n, &scaled))
    k->tss = gt_ball_quotient (ball_of_128 (scaled - (bits128) ((__int128) s * s)), n);
  else
    return 0;
  return k->tss.h > k->tss.radius;
}

APART int
spread_of_integers (struct known *k)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);
  int told;

  if (k->sample->task.problem.n)
    gt_sample_sums (k->sample, GT_MOMENTS, GT_MODE_EXACT, value);
  else
    memset (value, 0, sizeof *value);
  told = spread_from (k, &value->integers);
  free (heap);
  return told;
}

/* The mean, if it is not given, and what else is needed to know of all elements.  */
static int
take_spread (struct known *k)
{
  const struct gt_ball given = gt_ball_exactly (k->sample->given[0]);
  const enum gt_arithmetic arithmetic
    = k->sample->task.problem.arithmetic;

  k->weight = gt_ball_exactly ((double) k->n);
  if (k->n >> 53)
    return 0;
  if (arithmetic > GT_LDBL
      && (!k->term->given || gt_element_size (arithmetic) == 8)
      && !spread_of_integers (k))
    return 0;
  if (!k->term->given)
    return arithmetic > GT_LDBL || spread_of_reals (k);
  k->mean = given;
  k->spread = k->term->given == 2 ? fabs (k->sample->given[1]) : 0;
  return 1;
}

/* ------------------------------------------------- Squares and products

   Of reals on a GPU; elsewhere other kernels are quicker (src/public/moments.c).  */

APART int
squares (struct known *k, struct gt_ball *to)
{
  const enum gt_term_what what = k->term->what;
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  struct gt_ball sums[2];

  if (k->term->given)
    {
      const double about = shift_for (k, k->mean.h);
      const struct gt_ball rest = gt_ball_exactly (k->mean.h - about);

      take_sums (k, GT_MOMENTS, GT_MODE_COMPENSATED, gt_ball_exactly (about), 0, sums);
      sums[0] = gt_ball_widened (sums[0], error_for (k, sqrt (n.h * sums[1].h)));
      k->tss = rest.h == 0 ? sums[1]
                           : gt_elements_about (sums[1], sums[0], sums[0], rest, rest, n);
    }
  *to = what == GT_TERM_TSS     ? k->tss
        : what == GT_TERM_FIXED ? gt_ball_quotient (k->tss, n)
                                : gt_ball_quotient (k->tss, gt_ball_exactly (n.h - 1));
  return 1;
}

/* The sums about ABOUT, with their bounds; and whether these are of use.  */
static int
take_joint (struct known *k, const double about[2], struct gt_ball sums[5])
{
  const double n = (double) k->n;

  k->sample->task.shift[1] = about[1];
  take_sums (k, GT_CORRELATION, GT_MODE_COMPENSATED, gt_ball_exactly (about[0]), 0, sums);
  if (!gt_in_range (sums[3].h) || !gt_in_range (sums[4].h))
    return 0;
  for (int i = 0; i < 2; i++)
    sums[i] = gt_ball_widened (sums[i], error_for (k, sqrt (n) * sqrt (sums[3 + i].h)));
  sums[2] = gt_ball_widened (sums[2],
                             error_for (k, sqrt (sums[3].h) * sqrt (sums[4].h)));
  return 1;
}

APART int
joint (struct known *k, struct gt_ball *to)
{
  const struct gt_ball n = gt_ball_exactly ((double) k->n);
  const int given = k->term->given;
  struct gt_ball sums[5], square[2];
  double about[2];

  for (int i = 0; i < 2; i++)
    about[i] = shift_for (k, given ? k->sample->given[i] : shift_of (k, i));
  for (int pass = 0; pass < 2 && take_joint (k, about, sums); pass++)
    {
      int near = 1;

      for (int i = 0; i < 2 && !given; i++)
        {
          square[i] = about_means (k, sums[3 + i], sums[i], sums[i]);
          near &= sums[3 + i].h <= (FAR + 1) * square[i].h;
          about[i] = shift_for (k, about[i] + gt_ball_quotient (sums[i], n).h);
        }
      if (!near)
        continue;
      *to = given ? gt_elements_about (sums[2], sums[0], sums[1],
                                       gt_ball_exactly (k->sample->given[0] - about[0]),
                                       gt_ball_exactly (k->sample->given[1] - about[1]), n)
                  : about_means (k, sums[2], sums[0], sums[1]);
      *to = gt_ball_quotient (
        *to, k->term->what == GT_TERM_CORRELATION
               ? gt_ball_product (gt_ball_root (square[0]), gt_ball_root (square[1]))
               : gt_ball_exactly (n.h - 1));
      return 1;
    }
  return 0;
}

/* ------------------------------------------------------------------- Terms

   What a mean that is off by e changes in a sum of weighted powers of the differences from
   it is bounded by what it changes in each: |(|d| + e)^p - |d|^p| <= p e (|d| + e)^(p - 1),
   of which the sums are bounded by those of the squares and fourth powers (Cauchy and
   Schwarz).  */

/* Of the sum of W |d|, when that of W d^2 is SQUARES.  */
static double
spread_by (const struct known *k, double squares)
{
  const double w = within (k->weight), e = mean_error (k), reach = mean_reach (k);

  return 2 * e * sqrt (2 * w * (squares + w * reach * reach));
}

/* Whether SUM, the first of several that weights have, may be that of the weights.  */
static int
take_weight (struct known *k, struct gt_ball sum)
{
  if (!k->term->weighted)
    return 1;
  k->weight = sum;
  return sum.h >= 0x1p-440 && sum.h <= 0x1p490;
}

APART int
distance (struct known *k, struct gt_ball *to)
{
  struct gt_ball sums[2];

  take_sums (k, gt_term_sums (k->term), GT_MODE_COMPENSATED, k->mean, 0, sums);
  if (!take_weight (k, sums[0]))
    return 0;
  sums[0] = sums[k->term->weighted];
  *to = gt_ball_quotient (
    gt_ball_widened (sums[0], within (k->weight) * mean_error (k)), k->weight);
  return gt_in_range (sums[0].h);
}

/* A power of two near 1 / SD.  */
static double
scale_for (double sd)
{
  int exponent;

  frexp (sd, &exponent);
  return ldexp (1, -exponent);
}

/* The third or the fourth moment, where VARIANCE is given.  The squares of the differences
   add up to at most the root of the number of elements times that of the sum of the fourth
   powers.  */
APART int
moment (struct known *k, struct gt_ball variance, struct gt_ball *to)
{
  const struct gt_kind *kind = &gt_kinds[k->term->what];
  const int third = kind->power == 3, weighted = k->term->weighted;
  const double r = scale_for (sqrt (variance.h));
  struct gt_ball sums[2], fourth[2];
  double w, e, reach, root, squares, cubes;

  if (!gt_in_range (r) || !gt_in_range (variance.h))
    return 0;
  variance = gt_ball_scaled (gt_ball_scaled (variance, r), r);
  take_sums (k, gt_kinds[GT_TERM_KURTOSIS].sums[weighted],
             third ? GT_MODE_FAST : GT_MODE_COMPENSATED, k->mean, r, fourth);
  if (!take_weight (k, fourth[0]))
    return 0;
  w = within (k->weight);
  fourth[0] = fourth[weighted];
  if (!gt_in_range (fourth[0].h) || !gt_in_range (fourth[0].h / w))
    return 0;
  reach = mean_reach (k) * r;
  /* Fast sums are about the shift: what the rest adds to a norm is that of all of it.  */
  root = sqrt (fourth[0].h) + reach * sqrt (w) * (2 * sqrt (sqrt (fourth[0].h / w)) + reach);
  squares = 1.01 * sqrt (w) * root;
  cubes = 1.01 * sqrt (squares) * root;
  if (third)
    {
      take_sums (k, gt_term_sums (k->term), GT_MODE_COMPENSATED, k->mean, r, sums);
      if (!take_weight (k, sums[0]))
        return 0;
      e = mean_error (k) * r;
      *to = gt_ball_widened (sums[weighted],
                             error_for (k, cubes) + 6 * e * (squares + w * reach * reach));
      variance = gt_ball_product (variance, gt_ball_root (variance));
    }
  else
    {
      e = mean_error (k) * r;
      *to = gt_ball_widened (fourth[0], 16 * e * (cubes + w * reach * reach * reach));
      variance = gt_ball_product (variance, variance);
    }
  *to = gt_ball_quotient (*to, gt_ball_product (k->weight, variance));
  if (kind->less)
    *to = gt_ball_difference (*to, gt_ball_exactly (kind->less));
  return 1;
}

/* The same of a given standard deviation, whose sign counts.  */
static int
given_moment (struct known *k, struct gt_ball *to)
{
  const double sd = k->sample->given[1];
  const struct gt_ball square
    = gt_ball_product (gt_ball_exactly (sd), gt_ball_exactly (sd));

  if (!moment (k, square, to))
    return 0;
  if (gt_kinds[k->term->what].power == 3 && sd < 0)
    *to = gt_ball_negative (*to);
  return 1;
}

static int
moment_of_one (struct known *k, struct gt_ball *to)
{
  return k->term->given
           ? given_moment (k, to)
           : moment (k, gt_ball_quotient (k->tss,
                                          gt_ball_exactly ((double) k->n - 1)),
                     to);
}

APART int
autocorrelation (struct known *k, struct gt_ball *to)
{
  const long double x = gt_sample_first (k->sample, 0);
  const struct gt_ball first = gt_ball_difference (
    gt_ball_of ((double) x, (double) (x - (double) x), 0), k->mean);
  struct gt_sample pairs = gt_sample_neighbours (k->sample);
  struct known of_pairs = *k;
  struct gt_ball sums[2];
  double changed;

  of_pairs.sample = &pairs;
  take_sums (&of_pairs, GT_LAG1, GT_MODE_COMPENSATED, k->mean, 0, sums);
  sums[1] = gt_ball_sum (sums[1], gt_ball_product (first, first));
  if (!gt_in_range (sums[1].h))
    return 0;
  changed = spread_by (&of_pairs, sums[1].h);
  sums[0] = gt_ball_widened (sums[0], changed + error_for (&of_pairs, sums[1].h));
  *to = gt_ball_quotient (sums[0], gt_ball_widened (sums[1], changed));
  return 1;
}

/* ------------------------------------------------------------- With weights */

/* The mean, as far as its error is that of an operation.  How far the elements spread is not
   known yet: one of them may tell how large they are.  */
static int
take_weighted_mean (struct known *k)
{
  struct gt_ball sums[2];

  if (is_of_floats_on_gpu (k))
    k->spread = fabs (gt_sample_shift (k->sample, 1));
  k->mean = gt_ball_exactly (k->sample->given[0]);
  if (!k->term->given)
    {
      take_sums (k, GT_WSUM, GT_MODE_COMPENSATED, gt_ball_exactly (0), 0, sums);
      if (!take_weight (k, sums[0]))
        return 0;
      k->mean = gt_ball_quotient (sums[1], sums[0]);
    }
  return isfinite (k->mean.h) && isfinite (k->mean.l);
}

/* Widens the mean, whose products' magnitudes add up to MAGNITUDES.  */
static int
widen_mean (struct known *k, double magnitudes)
{
  if (!k->term->given)
    k->mean = gt_ball_widened (k->mean,
                               error_for (k, 2 * magnitudes) / k->weight.h);
  return k->term->given || gt_in_range (magnitudes);
}

/* The mean with its error, or the mean distance.  */
APART int
weighted_distance (struct known *k, struct gt_ball *to)
{
  struct gt_ball sums[2];

  if (!k->term->given)
    {
      take_sums (k, GT_WABSDEV, GT_MODE_FAST, gt_ball_exactly (0), 0, sums);
      if (!widen_mean (k, sums[1].h))
        return 0;
    }
  *to = k->mean;
  return k->term->what == GT_TERM_MEAN || distance (k, to);
}

/* The sum of squares, whose mean is in range as well: what underflows in a square is
   multiplied by its weight.  They bound the products of which the mean is made: the sum of
   w |y| is at most the root of that of w times that of w y^2.  */
static int
take_squares (struct known *k)
{
  const double m = k->mean.h;
  struct gt_ball sums[3];

  take_sums (k, GT_WMOMENTS, GT_MODE_COMPENSATED, k->mean, 0, sums);
  k->squared = sums[1];
  k->tss = sums[2];
  return take_weight (k, sums[0]) && gt_in_range (sums[1].h) && gt_in_range (sums[2].h)
         && gt_in_range (sums[2].h / sums[0].h)
         && widen_mean (k, sqrt (sums[0].h)
                             * sqrt (2 * sums[2].h + 2 * sums[0].h * m * m));
}

/* The sum of squares over W - Q / W, Q being the sum of the weights' squares: none of these
   underflows.  */
static struct gt_ball
weighted_variance (const struct known *k)
{
  return gt_ball_quotient (
    k->tss, gt_ball_difference (k->weight, gt_ball_quotient (k->squared, k->weight)));
}

APART int
of_weighted_squares (struct known *k, struct gt_ball *to)
{
  *to = weighted_variance (k);
  switch (k->term->what)
    {
    case GT_TERM_TSS:
      *to = k->tss;
      return 1;
    case GT_TERM_FIXED:
      *to = gt_ball_quotient (k->tss, k->weight);
      return 1;
    case GT_TERM_VARIANCE:
      return 1;
    default:
      return to->radius < to->h / 2 && moment (k, *to, to);
    }
}

static int
weighted_moments (struct known *k, struct gt_ball *to)
{
  if (k->term->given == 2)
    return given_moment (k, to);
  if (!take_squares (k))
    return 0;
  k->tss = gt_ball_widened (k->tss, spread_by (k, k->tss.h));
  return of_weighted_squares (k, to);
}

/* ------------------------------------------- By sums of the elements as they are */

#define LEAST_LEFT 0x1p-58 /* of a sum of squares its bound, at most */

static int
take_several (const struct known *k, enum gt_several what, double about,
              struct gt_ball sums[GT_N_SUMS_OF])
{
  return gt_elements_sums (k->sample, what, k->term->weighted, about, sums);
}

/* What SQUARES are about the mean, SUM being that of the elements.  */
static struct gt_ball
about_mean (const struct known *k, struct gt_ball squares, struct gt_ball sum)
{
  return gt_elements_about (squares, sum, sum, k->mean, k->mean, k->weight);
}

static void
set_mean (struct known *k, struct gt_ball sum)
{
  k->mean = k->term->given ? gt_ball_exactly (k->sample->given[0])
                           : gt_ball_quotient (sum, k->weight);
}

/* Elements that are the mean's leading part count as what they are less the mean.  */
static int
distance_quickly (struct known *k, struct gt_ball *to)
{
  const double about = k->mean.l > 0 ? nextafter (k->mean.h, INFINITY) : k->mean.h;
  struct gt_ball sums[GT_N_SUMS_OF];

  if (!take_several (k, k->term->weighted ? GT_SEVERAL_WEIGHTED_SIGNED : GT_SEVERAL_SIGNED,
                     about, sums))
    return 0;
  *to = gt_ball_difference (sums[GT_SUM_OF_XY],
                            gt_ball_product (sums[GT_SUM_OF_Y], k->mean));
  *to = gt_ball_quotient (gt_ball_widened (*to, 2 * within (k->weight) * k->mean.radius),
                          k->weight);
  return 1;
}

/* The products of neighbours are of all elements but the last with all but the first.  */
static int
autocorrelation_quickly (struct known *k, struct gt_ball *to)
{
  const double *x = k->sample->task.x.data;
  const struct gt_ball last = gt_ball_exactly (x[k->n - 1]);
  struct gt_ball sums[GT_N_SUMS_OF], sum, ends, all = k->weight;

  if (!take_several (k, GT_SEVERAL_OF_NEIGHBOURS, 0, sums))
    return 0;
  sum = gt_ball_sum (sums[GT_SUM_OF_X], last);
  set_mean (k, sum);
  k->tss = about_mean (k, gt_ball_sum (sums[GT_SUM_OF_XX], gt_ball_product (last, last)), sum);
  ends = gt_ball_scaled (gt_ball_sum (last, gt_ball_exactly (x[0])), 0.5);
  k->weight = gt_ball_exactly ((double) k->n - 1);
  *to = gt_ball_quotient (about_mean (k, sums[GT_SUM_OF_XY], gt_ball_difference (sum, ends)),
                          k->tss);
  k->weight = all;
  return k->tss.radius < LEAST_LEFT * k->tss.h;
}

/* Weight, mean and, if that is needed, what is left of the squares.  */
static int
take_elements (struct known *k, int squares)
{
  const int weighted = k->term->weighted;
  const enum gt_sum_of plain = weighted ? GT_SUM_OF_XY : GT_SUM_OF_X;
  struct gt_ball sums[GT_N_SUMS_OF];

  k->mean = gt_ball_exactly (k->sample->given[0]);
  if (!weighted && !squares && k->term->given)
    return 1;
  if (!take_several (k, !weighted ? GT_SEVERAL_OF_ONE
                        : squares ? GT_SEVERAL_WEIGHTED_SQUARES : GT_SEVERAL_WEIGHTED,
                     0, sums))
    return 0;
  if (weighted)
    k->weight = sums[GT_SUM_OF_Y];
  set_mean (k, sums[plain]);
  k->squared = sums[GT_SUM_OF_YY];
  k->tss = about_mean (k, sums[weighted ? GT_SUM_OF_YXX : GT_SUM_OF_XX], sums[plain]);
  return !squares || k->tss.radius < LEAST_LEFT * k->tss.h;
}

static int
tell_quickly (struct known *k, struct gt_ball *to)
{
  const struct gt_kind *kind = &gt_kinds[k->term->what];

  if (k->sample->task.problem.arithmetic != GT_F64)
    return 0;
  k->weight = gt_ball_exactly ((double) k->n);
  if (kind->form == GT_FORM_NEIGHBOURS)
    return autocorrelation_quickly (k, to);
  if (kind->power != 1 && k->term->given < 2)
    return take_elements (k, 1)
           && (k->term->weighted ? of_weighted_squares (k, to) : moment_of_one (k, to));
  if (!take_elements (k, 0))
    return 0;
  *to = k->mean;
  return kind->power != 1 ? given_moment (k, to)
         : k->term->what == GT_TERM_MEAN || distance_quickly (k, to);
}

/* ------------------------------------------------------------------------- */

static int
tell (struct known *k, struct gt_ball *to)
{
  const enum gt_form form = gt_kinds[k->term->what].form;

  if (form == GT_FORM_JOINT)
    return joint (k, to);
  if (k->term->weighted)
    {
      if (!take_weighted_mean (k))
        return 0;
      return gt_kinds[k->term->what].power == 1 ? weighted_distance (k, to)
                                                : weighted_moments (k, to);
    }
  if (!take_spread (k))
    return 0;
  return form == GT_FORM_NEIGHBOURS      ? autocorrelation (k, to)
         : form == GT_FORM_SQUARES       ? squares (k, to)
         : gt_term_is_scaled (k->term)   ? moment_of_one (k, to)
                                         : distance (k, to);
}

/* Sums of at most so many elements on the host: of more the bounds are too wide to be of
   use.  When these cannot tell, shorter ones can.  */
static const uint64_t blocks[] = {(uint64_t) 1 << 16, (uint64_t) 1 << 12};

static int
told_of (struct gt_sample *sample, const gsltune_piece *piece, double *rounded)
{
  const struct gt_term *const term = sample->term;
  const uint64_t n = piece ? piece->all : sample->task.problem.n;
  const int on_gpu = sample->memory[0] != NULL;
  struct gt_ball result;

  for (int i = on_gpu || piece ? 0 : -1; i < (on_gpu ? 1 : 2) && (i < 1 || n > blocks[i]); i++)
    {
      struct known k = {.sample = sample, .piece = piece, .term = term, .n = n,
                        .block = on_gpu ? n : blocks[i < 0 ? 0 : i]};

      if (i < 0 && !tell_quickly (&k, &result))
        continue;
      if (i >= 0 && !tell (&k, &result))
        break;
      if (term->root)
        result = gt_ball_root (result);
      if (gt_in_range (fabs (result.h))
          && (gt_ball_round (result, rounded)
              || (sample->mode != GT_MODE_EXACT
                  && result.radius < fabs (result.h) * DBL_EPSILON)))
        return 1;
    }
  return 0;
}

int
gt_certain_told (struct gt_sample *sample, double *rounded)
{
  return told_of (sample, NULL, rounded);
}

int
gt_certain_of_pieces (struct gt_sample *sample, const gsltune_piece *piece, double *rounded)
{
  return told_of (sample, piece, rounded);
}

/* By way of copies.  */
APART int
moderately (struct gt_sample *sample, double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (sample->term);
  struct gt_moderate moderate;
  double of_copies;
  int told;

  if (!gt_moderate_begin (sample, &kind, &moderate))
    return 0;
  told = gt_certain_told (&moderate.sample, &of_copies)
         && (gt_moderate_back (&moderate, of_copies, to)
             || (sample->mode != GT_MODE_EXACT && *to != 0));
  gt_moderate_end (&moderate);
  return told;
}

static double
certain_on_host (struct gt_sample *sample)
{
  double result;

  return gt_certain_told (sample, &result) || gt_term_settled (sample, &result)
             || moderately (sample, &result)
           ? result : gt_rational (sample);
}

double
gt_certain (struct gt_sample *sample)
{
  double result;

  if (sample->task.problem.n == 0)
    return gt_rational (sample);
  return sample->memory[0] && (gt_certain_told (sample, &result) || sample->status)
           ? result : gt_sample_on_host (sample, certain_on_host);
}

int
gt_certain_on_gpu (struct gt_sample *sample, double *to)
{
  return gt_is_real_on_gpu (sample) && gt_certain_told (sample, to);
}

/* Statistics of samples from sums in twice the precision.

   The elements are shifted and scaled.  The shift is one of the elements if a few elements
   seem far from zero; in a second attempt it is a given mean, or the mean that the first
   attempt has found.  The scale is a power of two, if powers would be out of range.  A formula
   computes a ball from the sums, and Ziv's test decides whether all of it rounds to one
   double.  If a ball contains zero, the power of two that all elements are multiples of
   decides whether the value is zero.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/statistics/statistic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/wide/two_sum.h"
#include "src/reduce/block_sums.h"
#include "src/reduce/exact_sums.h"
#include "src/statistics/infinite.h"
#include "src/route/reduce.h"

/* The number of elements that are converted at a time: FEW on the stack, otherwise as many as
   stay in the first-level cache.  */
#define FEW ((size_t) 64)
#define MOST_COPIES ((size_t) 1 << 11)

/* At this many elements or more, several threads add them up.  */
#define TEAM_FROM ((size_t) 1 << 16)

/* The elements are shifted if they seem this many times as far from zero as from each other;
   the factor depends on their power in the statistic.  */
static const double far[] = {[1] = 4096, [2] = 128, [3] = 6, [4] = 6};

/* A second attempt is useful if the square of the distance of the mean from the shift is more
   than this part of the elements' mean square about the shift.  */
#define NEAR 0.01

/* If the value is nearer to the middle between two doubles than this part of the last place,
   only whole numbers can decide the rounding.  */
#define MIDDLE 0x1p-10

/* The elements as they enter sums: minus a shift, in units of powers of two.  Y is the
   weights, or a second sample.  */
struct taken
{
  struct gt_sample *sample;
  struct gt_operand x, y;
  size_t n;
  int two, next; /* whether there is Y; whether Y is the successors of X */
  double shift[2];
  int unit[2];
  enum gt_set set;
  struct gt_ball about; /* the centre from which sides are determined */
};

/* ------------------------------------------------------------------ Sums */

/* Returns whether doubles can represent all elements, without scaling.  */
static int
are_doubles (const struct taken *t)
{
  const enum gt_arithmetic arithmetic = t->sample->task.problem.arithmetic;

  return t->unit[0] == 0 && t->unit[1] == 0
         && (gt_is_double_or_float (arithmetic) || gt_element_size (arithmetic) < 8);
}

/* Returns whether kernels can read the elements without a copy.  */
static int
is_plain (const struct taken *t)
{
  return t->sample->task.problem.arithmetic == GT_F64 && are_doubles (t) && t->x.stride == 1
         && (t->y.stride == 1 || !t->two);
}

/* Converts N elements of x (WHICH 0) or y, minus SHIFT.  */
static int
convert (const struct taken *t, int which, size_t begin, size_t n, double shift, double *x,
         double *rest, int *rested)
{
  const double scale = t->unit[which] ? ldexp (1, -t->unit[which]) : 1;

  return gt_quick_isa ()->convert (t->sample->task.problem.arithmetic, which ? &t->y : &t->x,
                                   begin, n, shift, scale, x, rest, rested);
}

/* A remainder below this, times its factors, is negligible compared with the least radius of a
   sum, 2^-490 for each element.  Multiplying subnormal numbers would take a hundred
   cycles.  */
#define LEAST_REST 0x1p-1000

static void
drop_tiny (double *rest, size_t n)
{
  const double least = LEAST_REST;
  uint64_t limit, bits;

  memcpy (&limit, &least, sizeof limit);
  for (size_t i = 0; i < n; i++)
    {
      memcpy (&bits, &rest[i], sizeof bits);
      if (bits << 1 < limit << 1)
        rest[i] = 0;
    }
}

/* Computes the sums from copies: MOVED copies have the shifts subtracted, otherwise kernels
   subtract the shifts.  ROOM has four parts of LENGTH doubles.  */
static int
take_copies (const struct taken *t, size_t begin, size_t n, int moved, double *room, size_t length,
             struct gt_ball *sums)
{
  double *const x = room, *const y = room + 2 * length;
  struct gt_quick q = {x, NULL, t->next ? x + 1 : t->two ? y : x, NULL, n, t->about.h, t->about.l,
                       moved ? 0 : t->shift[0], moved ? 0 : t->shift[!t->next], 0};
  int rested = 0;

  for (int k = 0; k < 1 + t->two; k++)
    {
      int own_rests = 0;

      if (!convert (t, k, begin, n + (size_t) t->next, moved ? t->shift[k] : 0, k ? y : x,
                    moved ? (k ? y : x) + length : NULL, &own_rests)
          || (k && own_rests && t->sample->term->weighted)) /* weights must be doubles */
        return 0;
      rested |= own_rests;
    }
  for (int k = 0; k < 1 + t->two && rested; k++)
    drop_tiny ((k ? y : x) + length, n + (size_t) t->next);
  q.x_rest = rested ? q.x + length : NULL;
  q.y_rest = rested ? q.y + length : NULL;
  return gt_quick_isa ()->sums (t->set, &q, sums);
}

/* Computes the sums of a block by kernels that read the elements without a copy and subtract
   the shifts, or from copies.  Moved copies allow any elements.  */
static int
take_block (const void *closure, size_t begin, size_t n, struct gt_ball *sums)
{
  const struct taken *t = closure;
  const int doubles = are_doubles (t), in_place = is_plain (t) && n >= GT_QUICK_LANES;
  const int moved = !doubles || t->shift[0] != 0 || t->shift[1] != 0;
  const double *const x = (const double *) t->x.data + begin;
  const struct gt_quick q = {.x = x, .n = n, .about = t->about.h, .about_rest = t->about.l,
                             .y = t->next ? x + 1 : (const double *) t->y.data + begin,
                             .x_shift = t->shift[0], .y_shift = t->shift[!t->next]};
  const size_t length = n + 1 + GT_QUICK_LANES;
  double few[4 * (FEW + 1 + GT_QUICK_LANES)], *room;
  void *heap = NULL;
  int told;

  if (in_place && gt_quick_isa ()->sums (t->set, &q, sums))
    return 1;
  room = n <= FEW ? few : GT_ROOM (heap, 4 * length * sizeof *room);
  told = (!in_place && doubles && take_copies (t, begin, n, 0, room, length, sums))
         || (moved && take_copies (t, begin, n, 1, room, length, sums));
  free (heap);
  return told;
}

/* Computes the sums of integers, and of their squares, by separate kernels.  Returns 0 if
   other sums are requested, or if the squares' sum has too many digits.  */
static int
take_integers (const struct taken *t, struct gt_ball sums[GT_N_MOMENTS])
{
  union gt_value value;
  const uint64_t *const sum = value.integers.plain[0], *const square = value.integers.product;
  const int squares = t->set == GT_SET_POWERS_2;

  if (!gt_is_integer (t->sample->task.problem.arithmetic) || t->shift[0] != 0
      || t->unit[0] != 0 || !(t->set == GT_SET_SUM || t->set == GT_SET_SHIFTED_SUM || squares))
    return 0;
  gt_sample_sums (t->sample, squares ? GT_MOMENTS : GT_TOTAL,
                  squares ? GT_MODE_EXACT : GT_MODE_FAST, &value);
  sums[GT_MOMENT_W] = sums[GT_MOMENT_YY] = sums[GT_MOMENT_2] = gt_ball_exactly (0);
  sums[GT_MOMENT_1] = gt_ball_of_integer (sum[0], sum[1]);
  if (squares)
    sums[GT_MOMENT_2] = gt_ball_of_integer (square[0], square[1]);
  return !squares || !(square[2] | square[1] >> 63);
}

/* Computes the sums by blocks, because bounds grow with the square of the length; several
   threads share many blocks.  */
static int
take_sums (const struct taken *t, struct gt_ball sums[GT_N_MOMENTS])
{
  const size_t n = t->n - (size_t) t->next;
  const size_t block = is_plain (t) ? GT_QUICK_BLOCK : MOST_COPIES;
  const struct gt_problem exact = {.reduction = GT_SUM, .arithmetic = GT_F64,
                                   .mode = GT_MODE_EXACT, .layout = GT_CONTIGUOUS, .n = n};
  unsigned threads = 1;

  if (take_integers (t, sums))
    return 1;
  if (n <= block)
    return take_block (t, 0, n, sums);
  if (n >= TEAM_FROM)
    {
      threads = gt_reduce_threads (&exact, 1);
      gt_reduce_note (gt_way_names[GT_WAY_CPU]);
    }
  return threads && gt_blocks_sum (n, block, threads, take_block, t, GT_N_MOMENTS, sums);
}

/* ---------------------------------------------------------------- Shifts and units */

/* Returns the first element of x or y if four elements seem TIMES as far from zero as from
   each other, otherwise 0.  */
static double
shift_of (const struct gt_sample *sample, const struct gt_operand *v, double times)
{
  const size_t step = sample->task.problem.n / 4;
  const double *const x = v->data;
  double of[4], mean, apart = 0;

  for (size_t k = 0; k < 4; k++)
    if (sample->task.problem.arithmetic == GT_F64)
      of[k] = x[k * step * v->stride];
    else
      gt_sample_doubles (sample->task.problem.arithmetic, v, k * step, 1, &of[k]);
  mean = of[0] / 4 + of[1] / 4 + (of[2] / 4 + of[3] / 4);
  for (size_t k = 0; k < 4; k++)
    apart = fabs (of[k] - mean) > apart ? fabs (of[k] - mean) : apart;
  return fabs (mean) > times * apart && fabs (mean) <= DBL_MAX ? of[0] : 0;
}

static void
begin (struct taken *t)
{
  const struct gt_sample *sample = t->sample;
  const struct gt_term *const term = sample->term;
  const enum gt_formula_form form = gt_kinds[term->what].form;
  const int joint = form == GT_FORM_JOINT;

  t->x = term->weighted ? sample->task.y : sample->task.x;
  t->y = term->weighted ? sample->task.x : sample->task.y;
  t->two = joint || term->weighted;
  t->next = form == GT_FORM_NEIGHBOURS;
  if (form == GT_FORM_MEAN || (form == GT_FORM_SQUARES && !term->weighted
                               && gt_is_integer (sample->task.problem.arithmetic)))
    return;
  for (int k = 0; k < 1 + joint; k++)
    t->shift[k] = shift_of (sample, k ? &t->y : &t->x, far[gt_kinds[term->what].power]);
}

/* Raises *GREATEST to the greatest magnitude of N numbers X, or to NaN, whose bits are the
   greatest.  Lowers *LOWEST to the value of their lowest bit; for a number with only one bit,
   to half of it or less.  */
static void
measure (const double *x, size_t n, double *greatest, double *lowest)
{
  double low = *lowest, others;
  uint64_t most, bits;

  memcpy (&most, greatest, sizeof most);
  for (size_t i = 0; i < n; i++)
    {
      const double size = fabs (x[i]);

      memcpy (&bits, &size, sizeof bits);
      most = bits > most ? bits : most;
      bits &= bits - 1;
      memcpy (&others, &bits, sizeof others);
      others = size == 0 ? low : size - others;
      low = others < low ? others : low;
    }
  memcpy (greatest, &most, sizeof most);
  *lowest = low;
}

/* Measures all elements of x or y and their remainders.  Returns 0 if a conversion fails.  */
static int
measure_all (const struct taken *t, int which, double *greatest, double *lowest)
{
  double h[FEW + GT_QUICK_LANES], l[FEW + GT_QUICK_LANES];
  int rested = 0;

  for (size_t begin = 0, n; begin < t->n; begin += n)
    {
      n = t->n - begin < FEW ? t->n - begin : FEW;
      if (!convert (t, which, begin, n, t->shift[which], h, l, &rested))
        return 0;
      measure (h, n, greatest, lowest);
      measure (l, rested ? n : 0, greatest, lowest);
    }
  return 1;
}

/* Chooses the power of two above the greatest element as the unit, if powers would be out of
   range.  Returns whether a unit has changed.  */
static int
take_units (struct taken *t)
{
  int changed = 0;

  for (int k = 0; k < 1 + t->two; k++)
    {
      double greatest = 0, lowest = 1;
      int exponent;

      if (!measure_all (t, k, &greatest, &lowest) || !(greatest <= DBL_MAX))
        return 0;
      frexp (greatest, &exponent);
      if (greatest == 0 || abs (exponent) < 8)
        continue;
      t->unit[k] = exponent > 1000 ? 1000 : exponent < -1023 ? -1023 : exponent;
      changed = 1;
    }
  return changed;
}

/* ------------------------------------------------------------- Zeros and ties */

/* Returns the power of two that all elements of x (WHICH 0) or y, and the given mean that is
   subtracted from them, are multiples of.  */
static double
unit_of (const struct taken *t, const struct gt_enclosed *e, int which)
{
  const struct gt_ball *const given = &e->given[which];
  double greatest = 0, lowest = 0x1p250;
  int exponent;

  if (!measure_all (t, which, &greatest, &lowest))
    return 0;
  if (e->formula.given && which <= (e->formula.form == GT_FORM_JOINT))
    measure ((const double[]) {given->h, given->l}, 2, &greatest, &lowest);
  frexp (lowest, &exponent);
  return ldexp (1, exponent - 1);
}

/* Returns the integer that divides the core to yield the statistic, or 0 if there is none.  */
static double
divisor_of (const struct gt_enclosed *e)
{
  const struct gt_formula *const f = &e->formula;
  const double n = (double) e->n, own = f->given ? 1 : f->power == 1 ? n : n * n;

  return f->weighted || f->root || e->n > 1 << 12                            ? 0
         : f->what == GT_TERM_TSS                                            ? own
         : f->what == GT_TERM_VARIANCE || f->what == GT_TERM_COVARIANCE ? own * (n - 1)
         : f->what == GT_TERM_FIXED || f->what == GT_TERM_ABSDEV        ? own * n
                                                                        : 0;
}

/* Decides the rounding if the only question is whether the statistic is exactly zero, or
   exactly halfway between two doubles.  The core minus that number times the divisor is a
   multiple of a grain, so that it is zero if it is less than the grain.  The skewness of two
   elements is zero.  */
static int
settle (const struct taken *t, const struct gt_enclosed *e, double *to)
{
  const struct gt_formula *f = &e->formula;
  const int own_mean = !f->given && f->form != GT_FORM_MEAN;
  const int at_zero = fabs (e->value.h) <= e->value.radius && !f->less;
  const double by = at_zero ? 1 : divisor_of (e);
  struct gt_ball middle = {0, 0, 0}, left;
  double grain, unit, weight;
  int exponent;

  *to = 0;
  if (!(e->value.radius <= DBL_MAX) || by == 0
      || !(at_zero || (e->unit == 0 && gt_in_range (fabs (e->value.h)))))
    return 0;
  if (f->what == GT_TERM_SKEW && !f->given && !f->weighted && t->n == 2)
    return at_zero;
  unit = unit_of (t, e, 0);
  weight = f->weighted ? unit_of (t, e, 1) : 1;
  grain = weight;
  for (int k = 0; k < f->power; k++)
    grain *= (k == 1 && f->form == GT_FORM_JOINT ? unit_of (t, e, 1) : unit)
             * (own_mean ? weight : 1);
  if (!at_zero)
    {
      frexp (e->value.h, &exponent);
      middle = (struct gt_ball) {e->value.h, copysign (ldexp (1, exponent - 54), e->value.l), 0};
      grain = fmin (grain, fabs (middle.l));
      *to = middle.h + middle.l;
    }
  left = gt_ball_difference (e->core, gt_ball_product (middle, gt_ball_exactly (by)));
  return (fabs (left.h) + fabs (left.l) + left.radius) * 1.01 < grain;
}

/* ------------------------------------------------------------------ Statistics */

static int
is_within (struct gt_ball sum, double least, double most)
{
  return sum.h == 0 ? sum.radius == 0 : fabs (sum.h) >= least && fabs (sum.h) <= most;
}

/* Adds the last element, which is only a successor in pairs, to sums of pairs.  */
static int
add_ends (const struct taken *t, struct gt_enclosed *e)
{
  struct gt_ball *const last = &e->sums[GT_MOMENT_LAST];

  for (int k = 0; k < 2; k++)
    {
      const size_t i = k ? t->n - 1 : 0;
      double h[GT_QUICK_LANES], l[GT_QUICK_LANES];
      int rested;

      *l = 0;
      if (are_doubles (t))
        {
          gt_sample_doubles (t->sample->task.problem.arithmetic, &t->x, i, 1, h);
          GT_TWO_SUM (double, *h, *l, -t->shift[0]);
        }
      else if (!convert (t, 0, i, 1, t->shift[0], h, l, &rested))
        return 0;
      e->sums[k ? GT_MOMENT_LAST : GT_MOMENT_FIRST] = gt_ball_of (h[0], l[0], 0);
    }
  e->sums[GT_MOMENT_1] = gt_ball_sum (e->sums[GT_MOMENT_1], *last);
  e->sums[GT_MOMENT_2] = gt_ball_sum (e->sums[GT_MOMENT_2], gt_ball_product (*last, *last));
  return is_within (*last, 0x1p-150, 0x1p150);
}

/* Computes the mean as the centre from which sides are determined.  */
static int
take_mean (struct taken *t)
{
  const int weighted = t->sample->term->weighted;
  struct gt_ball sums[GT_N_MOMENTS];

  t->set = weighted ? GT_SET_WEIGHTED_SUM : GT_SET_SHIFTED_SUM;
  if (!take_sums (t, sums))
    return 0;
  t->about = gt_ball_quotient (sums[GT_MOMENT_1], weighted ? sums[GT_MOMENT_W]
                                                           : gt_ball_exactly ((double) t->n));
  return isfinite (t->about.radius);
}

/* Stores H + L as an exact ball in units of 2^UNIT.  Returns 0 if a part is too small.  */
static int
take_exactly (double h, double l, int unit, struct gt_ball *to)
{
  *to = gt_ball_of (ldexp (h, -unit), ldexp (l, -unit), 0);
  return (h == 0 || fabs (to->h) >= 0x1p-100) && (l == 0 || fabs (to->l) >= 0x1p-100);
}

/* Stores the given means minus the shifts, and a given deviation.  */
static int
take_given (struct taken *t, struct gt_enclosed *e)
{
  const double *given = t->sample->given, deviation = ldexp (given[1], -t->unit[0]);
  const int means = e->formula.given - (e->formula.given == 2 && e->formula.form != GT_FORM_JOINT);

  for (int k = 0; k < means; k++)
    {
      double h = given[k], l = 0;

      GT_TWO_SUM (double, h, l, -t->shift[k]);
      if (!take_exactly (h, l, t->unit[k], &e->given[k]))
        return 0;
    }
  if (means)
    t->about = e->given[0];
  if (e->formula.given <= means)
    return 1;
  e->given[1] = gt_ball_exactly (deviation);
  return ldexp (deviation, t->unit[0]) == given[1] && fabs (deviation) >= 0x1p-150
         && fabs (deviation) <= 0x1p150;
}

/* Returns whether formulas, which raise sums to the fifth power, neither overflow nor
   underflow.  With weights, W^2 minus the sum of their squares may be much smaller than W^2,
   and its cube is a factor of the skewness: doc/exact.md.  */
static int
are_within (const struct gt_enclosed *e)
{
  const double least = e->formula.weighted ? 0x1p-100 : 0x1p-150;

  return is_within (e->sums[GT_MOMENT_W], 0x1p-10, 0x1p60)
         && is_within (e->sums[GT_MOMENT_2], least, 0x1p200)
         && is_within (e->sums[GT_MOMENT_YY], 0x1p-150, 0x1p200);
}

/* Stores a ball in E that contains the statistic.  Elements that are nearer to the mean than
   its error may count for the wrong side.  */
static int
enclose (struct taken *t, struct gt_enclosed *e)
{
  const struct gt_term *term = t->sample->term;
  struct gt_ball *const distances = &e->sums[GT_MOMENT_DISTANCES];

  e->formula = gt_formula_of (term);
  e->n = t->n;
  if (term->what == GT_TERM_ABSDEV && !term->given && !take_mean (t))
    return 0;
  t->set = gt_kinds[term->what].quick[term->weighted];
  e->x_unit = t->unit[0];
  e->y_unit = e->w_unit = t->unit[1];
  if (!take_given (t, e) || !take_sums (t, e->sums) || (t->next && !add_ends (t, e))
      || !are_within (e))
    return 0;
  if (term->what == GT_TERM_ABSDEV)
    *distances = gt_ball_widened (*distances, 2.04 * t->about.radius
                                                * (term->weighted ? fabs (e->sums[GT_MOMENT_W].h)
                                                                  : (double) e->n));
  gt_quick_isa ()->enclose (e);
  return (!term->weighted || e->sums[GT_MOMENT_W].h != 0)
         && (e->value.radius == 0 || isfinite (e->value.radius));
}

/* Moves the shifts to the given means, or to those that follow from the sums.  Returns 0 if
   the shifts are equal to, or near, these already.  */
static int
shift_again (struct taken *t, const struct gt_enclosed *e)
{
  const struct gt_formula *f = &e->formula;
  const enum gt_moment of[2][2] = {{GT_MOMENT_1, GT_MOMENT_2}, {GT_MOMENT_Y, GT_MOMENT_YY}};
  int changed = 0;

  for (int k = 0; k < 1 + (f->form == GT_FORM_JOINT); k++)
    {
      const double old = t->shift[k], given = t->sample->given[k];
      const double w = f->given ? 0 : f->weighted ? e->sums[GT_MOMENT_W].h : (double) e->n;
      const double mean = f->given ? 0 : e->sums[of[k][0]].h / w;

      if (f->given)
        t->shift[k]
          = gt_is_integer (t->sample->task.problem.arithmetic) ? rint (given) : given;
      else if (f->form != GT_FORM_MEAN && f->what != GT_TERM_ABSDEV
               && (f->what == GT_TERM_COVARIANCE
                   || !(mean * mean * w <= NEAR * e->sums[of[k][1]].h)))
        t->shift[k] += ldexp (mean, t->unit[k]);
      changed |= t->shift[k] != old;
    }
  return changed;
}

/* Rounds the value.  Returns 0 if the rounding is undecided.  */
static int
tell (const struct taken *t, const struct gt_enclosed *e, double *to)
{
  if (gt_ball_round_scaled (e->value, e->unit, to))
    return 1;
  *to = e->value.h + 0.0;
  if (e->value.radius == 0 && (e->value.h == 0 || !isfinite (e->value.h)))
    return 1;
  return t->sample->memory[0] == NULL && settle (t, e, to);
}

/* Encloses the statistic of elements whose powers are out of range: shifted by a given mean,
   which helps if elements are tiny and the mean is not, or in other units.  */
static int
enclose_in_range (struct taken *t, struct gt_enclosed *e)
{
  const double shift[2] = {t->shift[0], t->shift[1]};

  if (e->formula.given && shift_again (t, e) && (enclose (t, e) || (take_units (t) && enclose (t, e))))
    return 1;
  memcpy (t->shift, shift, sizeof shift);
  memset (t->unit, 0, sizeof t->unit);
  return take_units (t) && enclose (t, e);
}

/* Computes the statistic of a sample on the host.  */
static int
tell_host (struct gt_sample *sample, struct taken *t, struct gt_enclosed *e, double *to)
{
  if (t->n >> 53)
    return 0;
  begin (t);
  if (t->n <= (size_t) t->next)
    return 0;
  if (!enclose (t, e))
    {
      if (gt_is_special (&sample->task, sample->term, sample->given, to))
        return 1;
      if (!enclose_in_range (t, e))
        return 0;
    }
  if (tell (t, e, to))
    return 1;
  return !(e->value.radius < fabs (e->value.h) * (MIDDLE * DBL_EPSILON)) && shift_again (t, e)
         && enclose (t, e) && tell (t, e, to);
}

/* The largest relative error bounds of values that fast mode returns: of sums of squares, whose
   terms do not cancel, so that their bound is large only if weights do, and of all others.  */
#define FAST_SQUARES_ENOUGH 0x1p-36
#define FAST_ENOUGH 0x1p-16

/* Computes the statistic of a sample on a GPU; the shifts are already near the mean.  If the
   GPU fails, returns 0, as for an undecided rounding.  In fast mode, sums are rounded, and the
   bound need not decide the last digits.  */
static int
tell_device (struct gt_sample *sample, struct taken *t, struct gt_enclosed *e, double *to)
{
  *e = (struct gt_enclosed) {.formula = gt_formula_of (sample->term), .n = t->n};
  if (t->n < 2 || t->n >> 53 || !gt_device_sums (sample, t->shift, e) || !are_within (e))
    {
      sample->status = GSL_SUCCESS;
      return 0;
    }
  gt_quick_isa ()->enclose (e);
  if (!gt_in_range (fabs (e->value.h)))
    return 0;
  if (sample->mode != GT_MODE_FAST)
    return tell (t, e, to);
  *to = e->formula.what == GT_TERM_CORRELATION ? gt_correlation_of (e->value.h) : e->value.h;
  return e->value.radius <= (e->formula.form == GT_FORM_SQUARES ? FAST_SQUARES_ENOUGH : FAST_ENOUGH)
                              * fabs (e->value.h);
}

int
gt_quick_statistic (struct gt_sample *sample, double *to)
{
  struct taken t = {.sample = sample, .n = sample->task.problem.n};
  struct gt_enclosed e;

  return sample->memory[0] ? tell_device (sample, &t, &e, to) : tell_host (sample, &t, &e, to);
}

/* Returns the mean, from an exact sum; for integers whose sum is a double, by one
   division.  */
static double
mean_of (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n, most = (uint64_t) 1 << 53;
  const int integers = gt_is_integer (sample->task.problem.arithmetic);
  union gt_value value;
  const uint64_t *const sum = value.integers.plain[0];
  double mean;

  sample->task.problem.reduction = GT_SUM;
  if (sample->memory[0] == NULL && gt_is_double_or_float (sample->task.problem.arithmetic)
      && gt_exact_double (&sample->task, (double) n, 0, &mean))
    return mean;
  gt_sample_sums (sample, integers ? GT_TOTAL : GT_SUM,
                  integers ? GT_MODE_FAST : GT_MODE_EXACT, &value);
  if (!integers)
    return gt_finish_mean (&value.super, n).f64;
  return sum[1] + (sum[0] >> 63) == 0 && sum[0] + most <= 2 * most && n <= most
           ? (double) (int64_t) sum[0] / (double) n : gt_finish_integer_mean (sum, 2, n);
}

double
gt_exact_statistic (struct gt_sample *sample)
{
  const int mean = sample->term->what == GT_TERM_MEAN && !sample->term->weighted;
  double result;

  if (sample->task.problem.n > 0 && mean && sample->task.problem.arithmetic != GT_LDBL)
    return mean_of (sample);
  if (sample->task.problem.n > 0 && gt_quick_statistic (sample, &result))
    return result;
  return sample->memory[0] ? gt_sample_on_host (sample, gt_exact_statistic) : gt_rational (sample);
}

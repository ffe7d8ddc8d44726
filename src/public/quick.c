/* Statistics of samples by sums in twice the precision.

   The sums are those of the elements less a shift: if a few elements seem far from zero one of
   these, or in a second attempt a given mean or the one that the first has found; and times a
   power of two if powers would leave the range.  The formula makes a ball of them, and Ziv's
   test decides whether all of it rounds to one double.  If a ball has zero in it, the units that
   the elements are whole multiples of decide whether the value is zero.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/statistic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/wide/two_sum.h"
#include "src/public/blocks.h"
#include "src/public/exact_sums.h"
#include "src/route/reduce.h"

/* Elements that are converted at a time: few on the stack, else so many that they stay in the
   first cache.  */
#define FEW ((size_t) 64)
#define MOST_COPIES ((size_t) 1 << 11)

/* From so many elements on a team adds them up.  */
#define TEAM_FROM ((size_t) 1 << 16)

/* Elements that seem so many times as far from zero as from each other are shifted, by the power
   that is taken of them.  */
static const double far[] = {[1] = 4096, [2] = 128, [3] = 6, [4] = 6};

/* A second attempt helps if the mean is so many times as far from the shift as the elements are
   from the mean.  */
#define NEAR 0.01

/* Nearer to a double's middle than this part of its last place nothing but whole numbers tells.  */
#define MIDDLE 0x1p-10

/* How the elements are taken: less a shift, in units of powers of two.  Y are weights, or a
   second sample.  */
struct taken
{
  struct gt_sample *sample;
  struct gt_operand x, y;
  size_t n;
  int two, next; /* whether there are Y; those are the elements behind X */
  double shift[2];
  int unit[2];
  enum gt_set set;
  struct gt_ball about; /* what sides are told from */
};

/* ------------------------------------------------------------------ Sums */

/* Whether the elements are taken as they are.  */
static int
is_unmoved (const struct taken *t)
{
  return t->shift[0] == 0 && t->shift[1] == 0 && t->unit[0] == 0 && t->unit[1] == 0;
}

/* Whether the elements are doubles, or numbers that doubles hold.  */
static int
are_doubles (const struct taken *t)
{
  const enum gt_arithmetic arithmetic = t->sample->task.problem.arithmetic;

  return t->unit[0] == 0 && t->unit[1] == 0
         && (arithmetic <= GT_F32 || gt_element_size (arithmetic) < 8);
}

/* Whether kernels read the elements where they are.  */
static int
is_plain (const struct taken *t)
{
  return are_doubles (t) && t->sample->task.problem.arithmetic == GT_F64 && t->x.stride == 1
         && (t->y.stride == 1 || !t->two);
}

/* By kernels that take off the shifts.  */
static int
take_doubles (const struct taken *t, const double *x, const double *y, size_t n,
              struct gt_ball *sums)
{
  const struct gt_quick q = {.x = x, .y = t->next ? x + 1 : t->two ? y : x, .n = n,
                             .about = t->about.h, .about_rest = t->about.l,
                             .x_shift = t->shift[0], .y_shift = t->shift[!t->next]};

  return gt_quick_isa ()->sums (t->set, &q, sums);
}

/* N elements of x (WHICH 0) or y, less SHIFT.  */
static int
convert (const struct taken *t, int which, size_t begin, size_t n, double shift, double *x,
         double *rest, int *rested)
{
  const double scale = t->unit[which] ? ldexp (1, -t->unit[which]) : 1;

  return gt_quick_isa ()->convert (t->sample->task.problem.arithmetic, which ? &t->y : &t->x,
                                   begin, n, shift, scale, x, rest, rested);
}

/* By way of copies in ROOM, which has four parts of LENGTH: as they are, or less the shifts if
   differences need rests.  */
static int
take_copies (const struct taken *t, size_t begin, size_t n, double *room, size_t length,
             struct gt_ball *sums)
{
  double *const x = room, *const y = room + 2 * length;
  double *const x_rest = room + length, *const y_rest = room + 3 * length;
  struct gt_quick q = {x, x_rest, y, y_rest, n, t->about.h, t->about.l, 0, 0};
  int rested = 0;

  if (are_doubles (t) && !is_plain (t))
    {
      convert (t, 0, begin, n + (size_t) t->next, 0, x, NULL, &rested);
      if (t->two)
        convert (t, 1, begin, n, 0, y, NULL, &rested);
      if (take_doubles (t, x, y, n, sums))
        return 1;
    }
  if (are_doubles (t) && is_unmoved (t) && (!is_plain (t) || n >= GT_QUICK_LANES))
    return 0;
  if (!convert (t, 0, begin, n + (size_t) t->next, t->shift[0], x, x_rest, &rested)
      || (t->two && !convert (t, 1, begin, n, t->shift[1], y, y_rest, &rested)))
    return 0;
  if (!rested)
    q.x_rest = q.y_rest = NULL;
  if (t->next)
    {
      q.y = q.x + 1;
      q.y_rest = rested ? q.x_rest + 1 : NULL;
    }
  return gt_quick_isa ()->sums (t->set, &q, sums);
}

static int __attribute__ ((noinline))
take_many_copies (const struct taken *t, size_t begin, size_t n, struct gt_ball *sums)
{
  const size_t length = n + 1 + GT_QUICK_LANES;
  double *const room = malloc (4 * length * sizeof *room);
  const int told = room && take_copies (t, begin, n, room, length, sums);

  free (room);
  return told;
}

static int
take_block (const void *closure, size_t begin, size_t n, struct gt_ball *sums)
{
  const struct taken *t = closure;
  double few[4 * (FEW + 1 + GT_QUICK_LANES)];

  if (is_plain (t) && n >= GT_QUICK_LANES
      && take_doubles (t, (const double *) t->x.data + begin, (const double *) t->y.data + begin, n,
                       sums))
    return 1;
  return n <= FEW ? take_copies (t, begin, n, few, FEW + 1 + GT_QUICK_LANES, sums)
                  : take_many_copies (t, begin, n, sums);
}

__extension__ typedef unsigned __int128 bits128;

static struct gt_ball
ball_of_bits (bits128 x)
{
  const double h = (double) x;
  const bits128 back = (bits128) h;

  return gt_ball_of (h, x < back ? -(double) (back - x) : (double) (x - back), h * 0x1p-104);
}

struct gt_ball
gt_integer_sum (const uint64_t *word)
{
  const bits128 sum = (bits128) word[1] << 64 | word[0];

  return word[1] >> 63 ? gt_ball_negative (ball_of_bits (-sum)) : ball_of_bits (sum);
}

/* The sums of integers, and of their squares, which have kernels of their own.  Returns 0 if
   squares have too many digits.  */
static int
take_integers (const struct taken *t, struct gt_ball sums[GT_N_MOMENTS])
{
  union gt_value value;
  const struct gt_integer_sums *const integers = &value.integers;
  const int squares = t->set == GT_SET_POWERS_2;

  gt_sample_sums (t->sample, squares ? GT_MOMENTS : GT_TOTAL,
                  squares ? GT_MODE_EXACT : GT_MODE_FAST, &value);
  sums[GT_MOMENT_W] = sums[GT_MOMENT_YY] = sums[GT_MOMENT_2] = gt_ball_exactly (0);
  sums[GT_MOMENT_1] = gt_integer_sum (integers->plain[0]);
  if (squares)
    sums[GT_MOMENT_2] = gt_integer_sum (integers->product);
  return !squares || !(integers->product[2] | integers->product[1] >> 63);
}

static int
are_integers (const struct taken *t)
{
  return t->sample->task.problem.arithmetic > GT_LDBL && t->shift[0] == 0 && t->unit[0] == 0
         && (t->set == GT_SET_SUM || t->set == GT_SET_SHIFTED_SUM || t->set == GT_SET_POWERS_2);
}

/* By blocks, whose bounds grow with the square of their length, and if they are many by a
   team.  */
static int
take_sums (const struct taken *t, struct gt_ball sums[GT_N_MOMENTS])
{
  const size_t n = t->n - (size_t) t->next;
  const size_t block = is_plain (t) ? GT_QUICK_BLOCK : MOST_COPIES;
  const struct gt_problem exact = {.reduction = GT_SUM, .arithmetic = GT_F64,
                                   .mode = GT_MODE_EXACT, .layout = GT_CONTIGUOUS, .n = n};
  unsigned threads = 1;

  if (are_integers (t) && take_integers (t, sums))
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

/* Of four elements of x or y the one nearest to their mean, if they seem that FAR from zero;
   else 0.  */
static double
shift_of (const struct gt_sample *sample, const struct gt_operand *v, double times)
{
  const size_t step = sample->task.problem.n / 4 * v->stride;
  const double *const x = v->data;
  double of[4], mean, apart, nearest;

  if (sample->task.problem.arithmetic == GT_F64)
    for (size_t k = 0; k < 4; k++)
      of[k] = x[k * step];
  else
    for (size_t k = 0; k < 4; k++)
      gt_sample_doubles (sample->task.problem.arithmetic, v, sample->task.problem.n / 4 * k, 1,
                         &of[k]);
  mean = of[0] / 4 + of[1] / 4 + (of[2] / 4 + of[3] / 4);
  apart = fmax (fmax (fabs (of[0] - mean), fabs (of[1] - mean)),
                fmax (fabs (of[2] - mean), fabs (of[3] - mean)));
  if (!(fabs (mean) > times * apart && fabs (mean) <= DBL_MAX))
    return 0;
  nearest = of[0];
  for (size_t k = 1; k < 4; k++)
    if (fabs (of[k] - mean) < fabs (nearest - mean))
      nearest = of[k];
  return nearest;
}

static void
begin (struct taken *t, struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const enum gt_formula_form form = gt_kinds[term->what].form;
  const int joint = form == GT_FORM_JOINT;

  *t = (struct taken) {.sample = sample, .x = sample->task.x, .y = sample->task.y,
                       .n = sample->task.problem.n, .two = joint || term->weighted,
                       .next = form == GT_FORM_NEIGHBOURS};
  if (term->weighted)
    {
      t->x = sample->task.y;
      t->y = sample->task.x;
    }
  if (form == GT_FORM_MEAN || (form == GT_FORM_SQUARES && !term->weighted
                               && sample->task.problem.arithmetic > GT_LDBL))
    return;
  for (int k = 0; k < 1 + joint; k++)
    t->shift[k] = shift_of (sample, k ? &t->y : &t->x, far[gt_kinds[term->what].power]);
}

/* Calls FUNCTION for N elements of x or y, H, at a time, and for their rests if there are any.  */
static int
walk (const struct taken *t, int which, void (*function) (const double *x, size_t n, double *to),
      double *to)
{
  double h[FEW + GT_QUICK_LANES], l[FEW + GT_QUICK_LANES];
  int rested = 0;

  for (size_t begin = 0, n; begin < t->n; begin += n)
    {
      n = t->n - begin < FEW ? t->n - begin : FEW;
      if (!convert (t, which, begin, n, t->shift[which], h, l, &rested))
        return 0;
      function (h, n, to);
      if (rested)
        function (l, n, to);
    }
  return 1;
}

/* Raises *TO to the greatest magnitude of N numbers X.  The bits are compared: they have the order
   of the magnitudes, and NaNs come last.  */
static void
take_greatest (const double *x, size_t n, double *to)
{
  uint64_t greatest, bits;

  memcpy (&greatest, to, sizeof bits);
  for (size_t i = 0; i < n; i++)
    {
      memcpy (&bits, &x[i], sizeof bits);
      bits &= INT64_MAX;
      greatest = bits > greatest ? bits : greatest;
    }
  memcpy (to, &greatest, sizeof bits);
}

/* Takes the elements in units of the power of two above the greatest, if powers would leave the
   range.  */
static int
take_units (struct taken *t)
{
  int changed = 0;

  for (int k = 0; k < 1 + t->two; k++)
    {
      double greatest = 0;
      int exponent;

      if (!walk (t, k, take_greatest, &greatest) || !(greatest <= DBL_MAX))
        return 0;
      frexp (greatest, &exponent);
      if (greatest == 0 || abs (exponent) < 8)
        continue;
      t->unit[k] = exponent > 1000 ? 1000 : exponent < -1023 ? -1023 : exponent;
      changed = 1;
    }
  return changed;
}

/* ----------------------------------------------------------------------- Zeros */

/* Lowers *TO to the lowest bit of N numbers X: what one is more than without that bit, and of a
   power of two, of which the exponent changes, more than its half.  */
static void
take_lowest_bit (const double *x, size_t n, double *to)
{
  double lowest = *to;

  for (size_t i = 0; i < n; i++)
    {
      uint64_t bits;
      double others, bit;

      memcpy (&bits, &x[i], sizeof bits);
      bits &= bits - 1;
      memcpy (&others, &bits, sizeof others);
      bit = x[i] == 0 ? lowest : fabs (x[i] - others);
      lowest = bit < lowest ? bit : lowest;
    }
  *to = lowest;
}

/* Returns the power of two that all elements of x (WHICH 0) or y are whole multiples of, and the
   given mean that is subtracted from them.  */
static double
unit_of (const struct taken *t, const struct gt_enclosed *e, int which)
{
  const int joint = e->formula.form == GT_FORM_JOINT;
  double lowest = 0x1p250;
  int exponent;

  if (!walk (t, which, take_lowest_bit, &lowest))
    return 0;
  if (e->formula.given && which <= joint)
    {
      take_lowest_bit (&e->given[which].h, 1, &lowest);
      take_lowest_bit (&e->given[which].l, 1, &lowest);
    }
  frexp (lowest, &exponent);
  return ldexp (1, exponent - 1);
}

/* Whether the statistic, whose ball holds zero, is zero: the sum of products that it is a
   multiple of is a whole number of the products of units.  The skewness of two elements is
   zero.  */
static int
is_zero (const struct taken *t, const struct gt_enclosed *e)
{
  const struct gt_formula *f = &e->formula;
  const int own_mean = !f->given && f->form != GT_FORM_MEAN;
  double grain, unit, weight;

  if (!(fabs (e->value.h) <= e->value.radius && e->value.radius <= DBL_MAX) || f->less)
    return 0;
  if (f->what == GT_TERM_SKEW && !f->given && !f->weighted && t->n == 2)
    return 1;
  unit = unit_of (t, e, 0);
  weight = f->weighted ? unit_of (t, e, 1) : 1;
  grain = weight;
  for (int k = 0; k < f->power; k++)
    grain *= (k == 1 && f->form == GT_FORM_JOINT ? unit_of (t, e, 1) : unit)
             * (own_mean ? weight : 1);
  return (fabs (e->core.h) + fabs (e->core.l) + e->core.radius) * 1.01 < grain;
}

/* ------------------------------------------------------------------ Statistics */

static int
is_within (struct gt_ball sum, double least, double most)
{
  return sum.h == 0 || (fabs (sum.h) >= least && fabs (sum.h) <= most);
}

/* Element I, as it is taken.  */
static int
element (const struct taken *t, size_t i, struct gt_ball *to)
{
  double h[GT_QUICK_LANES], l[GT_QUICK_LANES];
  int rested = 0;
  const int told = convert (t, 0, i, 1, t->shift[0], h, l, &rested);

  *to = gt_ball_of (h[0], l[0], 0);
  return told;
}

/* Sums of pairs lack the last element, which is nobody's neighbour to the left.  */
static int
add_ends (const struct taken *t, struct gt_enclosed *e)
{
  struct gt_ball *const last = &e->sums[GT_MOMENT_LAST];

  if (!element (t, 0, &e->sums[GT_MOMENT_FIRST]) || !element (t, t->n - 1, last))
    return 0;
  if (!is_within (*last, 0x1p-150, 0x1p150))
    return 0;
  e->sums[GT_MOMENT_1] = gt_ball_sum (e->sums[GT_MOMENT_1], *last);
  e->sums[GT_MOMENT_2] = gt_ball_sum (e->sums[GT_MOMENT_2], gt_ball_product (*last, *last));
  return 1;
}

/* Sides are told from the mean.  */
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

/* Elements count on the wrong side of the mean if they are as near to it as that is off.  */
static void
allow_for_sides (const struct taken *t, struct gt_enclosed *e)
{
  const double weights = e->formula.weighted ? fabs (e->sums[GT_MOMENT_W].h) * 1.01
                                             : (double) e->n;

  e->sums[GT_MOMENT_DISTANCES]
    = gt_ball_widened (e->sums[GT_MOMENT_DISTANCES], 2.01 * t->about.radius * weights);
}

/* Whether X is zero or can be taken in units of 2^UNIT.  */
static int
is_left (double x, int unit)
{
  return x == 0 || fabs (ldexp (x, -unit)) >= 0x1p-100;
}

/* What given means are less the shifts, and a given deviation.  */
static int
take_given (struct taken *t, struct gt_enclosed *e)
{
  const double *given = t->sample->given;
  const int means = !e->formula.given ? 0 : e->formula.form == GT_FORM_JOINT ? 2 : 1;
  double deviation;

  for (int k = 0; k < means; k++)
    {
      double h = given[k], l = 0;

      GT_TWO_SUM (double, h, l, -t->shift[k]);
      if (!is_left (h, t->unit[k]) || !is_left (l, t->unit[k]))
        return 0;
      e->given[k] = gt_ball_of (ldexp (h, -t->unit[k]), ldexp (l, -t->unit[k]), 0);
    }
  if (means)
    t->about = e->given[0];
  if (e->formula.given <= means)
    return 1;
  deviation = ldexp (given[1], -t->unit[0]);
  e->given[1] = gt_ball_exactly (deviation);
  return ldexp (deviation, t->unit[0]) == given[1] && fabs (deviation) >= 0x1p-150
         && fabs (deviation) <= 0x1p150;
}

/* Tells whether formulas, which raise sums to the fifth power, neither over- nor underflow.  With
   weights W^2 less their squares' sum may be much smaller than W^2, and its cube is a factor of
   the skewness: doc/exact.md.  */
static int
are_within (const struct gt_enclosed *e)
{
  const double least = e->formula.weighted ? 0x1p-100 : 0x1p-150;

  return is_within (e->sums[GT_MOMENT_W], 0x1p-10, 0x1p60)
         && is_within (e->sums[GT_MOMENT_2], least, 0x1p200)
         && is_within (e->sums[GT_MOMENT_YY], 0x1p-150, 0x1p200);
}

/* Leaves in E the ball that the statistic is in.  */
static int
enclose (struct taken *t, struct gt_enclosed *e)
{
  const struct gt_term *term = t->sample->term;

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
    allow_for_sides (t, e);
  gt_quick_isa ()->enclose (e);
  return (!term->weighted || e->sums[GT_MOMENT_W].h != 0)
         && (e->value.radius == 0 || isfinite (e->value.radius));
}

/* Makes the given means the shifts, or those that the sums show.  Returns 0 if they are, or are near
   them, already.  */
static int
shift_again (struct taken *t, const struct gt_enclosed *e)
{
  const struct gt_formula *f = &e->formula;
  const double w = f->weighted ? e->sums[GT_MOMENT_W].h : (double) e->n;
  const enum gt_moment sums[2] = {GT_MOMENT_1, GT_MOMENT_Y};
  const enum gt_moment squares[2] = {GT_MOMENT_2, GT_MOMENT_YY};
  int changed = 0;

  for (int k = 0; k < 1 + (f->form == GT_FORM_JOINT) && f->given; k++)
    {
      const double given = t->sample->given[k];
      const double shift = t->sample->task.problem.arithmetic > GT_LDBL ? rint (given) : given;

      changed |= shift != t->shift[k];
      t->shift[k] = shift;
    }
  if (f->given || f->form == GT_FORM_MEAN || f->what == GT_TERM_ABSDEV)
    return changed;
  for (int k = 0; k < 1 + (f->form == GT_FORM_JOINT); k++)
    {
      const double mean = e->sums[sums[k]].h / w;

      if (f->what != GT_TERM_COVARIANCE && mean * mean * w <= NEAR * e->sums[squares[k]].h)
        continue;
      t->shift[k] += ldexp (mean, t->unit[k]);
      changed |= mean != 0;
    }
  return changed;
}

/* Rounds the value.  Returns 0 if there is a doubt to which double.  */
static int
tell (const struct taken *t, const struct gt_enclosed *e, double *to)
{
  if (gt_ball_round_scaled (e->value, e->unit, to))
    return 1;
  *to = e->value.h + 0.0;
  if (e->value.radius == 0 && (e->value.h == 0 || !isfinite (e->value.h)))
    return 1;
  *to = 0;
  return t->sample->memory[0] == NULL && is_zero (t, e);
}

/* Of a sample on the host.  */
static int
tell_host (struct gt_sample *sample, struct taken *t, struct gt_enclosed *e, double *to)
{
  const size_t least = 1 + (gt_kinds[sample->term->what].form == GT_FORM_NEIGHBOURS);
  int told;

  if (sample->task.problem.n < least || sample->task.problem.n >> 53
      || sample->task.problem.arithmetic == GT_LDBL)
    return 0;
  begin (t, sample);
  told = enclose (t, e);
  if (!told && take_units (t))
    told = enclose (t, e);
  if (!told || tell (t, e, to))
    return told;
  return !(e->value.radius < fabs (e->value.h) * (MIDDLE * DBL_EPSILON)) && shift_again (t, e)
         && enclose (t, e) && tell (t, e, to);
}

/* What fast mode allows of a value.  */
#define FAST_ENOUGH 0x1p-16

/* Of a sample on a GPU, whose sums have shifts that are near enough.  If the GPU fails, nothing is
   told, as if there were a doubt.  In fast mode the bound, of sums that are rounded, need not tell
   the last digits.  */
static int
tell_device (struct gt_sample *sample, double *to)
{
  struct taken t = {.sample = sample, .n = sample->task.problem.n};
  struct gt_enclosed e = {.formula = gt_formula_of (sample->term), .n = t.n};

  if (sample->task.problem.n < 2 || sample->task.problem.n >> 53
      || !gt_device_sums (sample, t.shift, &e) || !are_within (&e))
    {
      sample->status = GSL_SUCCESS;
      return 0;
    }
  gt_quick_isa ()->enclose (&e);
  if (!gt_in_range (fabs (e.value.h)))
    return 0;
  if (sample->mode != GT_MODE_FAST)
    return tell (&t, &e, to);
  *to = e.formula.what == GT_TERM_CORRELATION ? gt_correlation_of (e.value.h) : e.value.h;
  return e.value.radius <= FAST_ENOUGH * fabs (e.value.h);
}

int
gt_quick_statistic (struct gt_sample *sample, double *to)
{
  struct taken t;
  struct gt_enclosed e;

  return sample->memory[0] ? tell_device (sample, to) : tell_host (sample, &t, &e, to);
}

/* Whether the statistic is a mean without weights, whose sum has ways of its own.  */
static int
is_mean (const struct gt_sample *sample)
{
  return sample->term->what == GT_TERM_MEAN && !sample->term->weighted
         && sample->task.problem.n > 0;
}

/* The integers up to here are doubles.  */
#define MOST_EXACT ((int64_t) 1 << 53)

/* The mean by an exact sum: of integers, if a double holds it, by one division.  */
static double
mean_of (struct gt_sample *sample)
{
  const uint64_t n = sample->task.problem.n;
  const int integers = sample->task.problem.arithmetic > GT_LDBL;
  union gt_value value;
  int64_t sum;
  double mean;

  sample->task.problem.reduction = GT_SUM;
  if (sample->memory[0] == NULL && sample->task.problem.arithmetic <= GT_F32
      && gt_exact_double (&sample->task, (double) n, 0, &mean))
    return mean;
  gt_sample_sums (sample, integers ? GT_TOTAL : GT_SUM,
                  integers ? GT_MODE_FAST : GT_MODE_EXACT, &value);
  if (!integers)
    return gt_finish_mean (&value.super, n).f64;
  sum = (int64_t) value.integers.plain[0][0];
  return value.integers.plain[0][1] == (uint64_t) (sum >> 63) && -MOST_EXACT <= sum
             && sum <= MOST_EXACT && n <= (uint64_t) MOST_EXACT
           ? (double) sum / (double) n : gt_finish_integer_mean (value.integers.plain[0], 2, n);
}

static double
exact_on_host (struct gt_sample *sample)
{
  double result;

  if (is_mean (sample) && sample->task.problem.arithmetic != GT_LDBL)
    return mean_of (sample);
  return sample->task.problem.n > 0 && gt_quick_statistic (sample, &result)
           ? result : gt_rational (sample);
}

double
gt_exact_statistic (struct gt_sample *sample)
{
  double result;

  if (sample->memory[0] == NULL)
    return exact_on_host (sample);
  if (is_mean (sample))
    return mean_of (sample);
  return sample->task.problem.n > 0 && gt_quick_statistic (sample, &result)
           ? result : gt_sample_on_host (sample, exact_on_host);
}

/* Statistics in fast mode: the formulas of kernels/formula.inc in double, from rounded
   sums.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/statistics/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/inline.h"
#include "src/reduce/block_sums.h"
#include "src/statistics/infinite.h"
#include "src/route/reduce.h"

/* A shift is too far from the mean if the square of their distance is more than FAR times the
   variance, or FAR_OF_POWERS times for powers above the second.  */
#define FAR 1
#define FAR_OF_POWERS 0.5

/* A rounded mean is too far from zero for distances or weighted squares about it if its square
   is this many times theirs.  */
#define TOO_FAR 0x1p10

/* Doubles cannot represent all 64-bit integers.  The rounding matters if the square of the
   shift is more than this many times the variance.  */
#define FAR_INTEGERS 0x1p20

/* COPIES is the number of elements converted at a time.  TEAM_FROM elements or more are added
   up by several threads, in blocks of BLOCK elements.  */
#define COPIES ((size_t) 1024)
#define TEAM_FROM ((size_t) 1 << 16)
#define BLOCK ((size_t) 1 << 14)

/* Definitions that finish_formula expects; doubles need neither memory nor units.  */
enum
{
  WEIGHTS, SQUARES, SUM, GIVEN, DEVIATION, POWERS, BEFORE, WEIGHT, LEFT, A, B, C, D, ONE
};
#define NEIGHBOURS 0

struct unit
{
  int low;
};

/* A statistic of elements minus a SHIFT.  */
struct fast
{
  struct gt_sample *sample;
  struct gt_formula formula;
  const struct gt_operand *data[2]; /* [1]: the second sample, or the weights */
  uint64_t n;
  enum gt_set set;
  double shift[2], given[2];
  struct gt_ball sums[GT_N_MOMENTS];

  struct unit x, y, w;
  double weights, squares, sum, deviation, power[5];
};

static inline double
sum_of (const struct fast *f, unsigned which)
{
  return f->sums[which].h + f->sums[which].l;
}

#define less(r, to, a, b) ((void) (r), (void) (to), (a) - (b))
#define times(r, to, a, b) ((void) (r), (void) (to), (a) * (b))
#define sum_in(r, to, which, unit) ((void) (unit), sum_of (r, which))
#define count_in(r, to, n) ((double) (n))
#define given_in(r, to, i, unit) ((r)->given[i])
#define kept(r, to, a) ((void) (to), (a))
#define is_nothing(a) ((a) == 0)
#define signed_as(square, a) copysign (square, a)
#define quotient(r, over, under, unit, root) \
  ((void) (unit), (root) ? copysign (sqrt (fabs ((over) / (under))), over) : (over) / (under))

#define NUMBER double
#define FORMULA struct fast
#define VALUE double
#undef GT_FINISH_PART
#define GT_FINISH_PART INLINE
#include "kernels/formula.inc"

/* Computes TERM, a constant, from the sums.  */
INLINE double
finish_as (struct fast *f, const struct gt_term *term)
{
  f->formula = gt_formula_of (term);
  add_up (f);
  return finish_formula (f);
}

/* A function for each statistic, which contains only the code that this statistic needs.  */
#define STATISTIC(name, ...)                                              \
  static double __attribute__ ((noinline)) finish_##name (struct fast *f) \
  { return finish_as (f, &gt_term_##name); }
#include "kernels/statistics.def"

static double
finish (struct fast *f)
{
  static double (*const of[GT_N_TERMS][2][2][2]) (struct fast *) = {
#define STATISTIC(name, what, weighted, given, root, ...) \
  [GT_TERM_##what][weighted][given != 0][root] = finish_##name,
#include "kernels/statistics.def"
  };
  const struct gt_formula *const r = &f->formula;

  return of[r->what][r->weighted][r->given != 0][r->root](f);
}

/* ------------------------------------------------------------------ Sums */

static enum gt_arithmetic
arithmetic_of (const struct gt_sample *sample)
{
  return sample->task.problem.arithmetic;
}

static int
is_two (const struct fast *f)
{
  return f->formula.weighted || f->formula.form == GT_FORM_JOINT;
}

/* Returns whether kernels can read N of the elements without a copy.  */
static int
is_plain (const struct fast *f, size_t n)
{
  return gt_is_double_or_float (arithmetic_of (f->sample)) && n >= GT_QUICK_LANES
         && f->data[0]->stride == 1 && (f->data[1]->stride == 1 || !is_two (f));
}

struct copies
{
  double x[COPIES + 1 + GT_QUICK_LANES], y[COPIES + GT_QUICK_LANES];
};

/* Computes the sums from copies; long doubles are shifted when they are copied.  Lanes beyond
   the elements take part in computations before they are discarded, so they are set to zero,
   which raises no exception.  */
static void __attribute__ ((noinline))
take_copies (const struct fast *f, struct gt_quick q, size_t begin, struct gt_ball *sums)
{
  const enum gt_arithmetic arithmetic = arithmetic_of (f->sample);
  const int wide = arithmetic == GT_LDBL;
  const size_t end = begin + q.n, next = f->formula.form == GT_FORM_NEIGHBOURS;
  const double shift[2] = {wide ? q.x_shift : 0, wide && !f->formula.weighted ? q.y_shift : 0};
  void *heap;
  struct copies *const copies = GT_ROOM (heap, sizeof *copies);
  int rested, more = 0;

  q.x = copies->x;
  q.y = next ? copies->x + 1 : copies->y;
  if (wide)
    q.x_shift = q.y_shift = 0;
  for (; begin < end; begin += q.n, more = 1)
    {
      q.n = end - begin < COPIES ? end - begin : COPIES;
      gt_quick_isa ()->convert (arithmetic, f->data[0], begin, q.n + next, shift[0], 1,
                                copies->x, NULL, &rested);
      if (is_two (f))
        gt_quick_isa ()->convert (arithmetic, f->data[1], begin, q.n, shift[1], 1, copies->y,
                                  NULL, &rested);
      memset (copies->x + q.n + next, 0, GT_QUICK_LANES * sizeof *copies->x);
      memset (copies->y + q.n, 0, GT_QUICK_LANES * sizeof *copies->y);
      gt_quick_isa ()->fast (f->set, &q, f->formula.given, 0, more, sums);
    }
  free (heap);
}

static int
take_block (const void *closure, size_t begin, size_t n, struct gt_ball *sums)
{
  const struct fast *const f = closure;
  const size_t size = gt_element_size (arithmetic_of (f->sample));
  const char *const x = (const char *) f->data[0]->data + begin * size;
  const char *const y = (const char *) f->data[1]->data + begin * size;
  const int next = f->formula.form == GT_FORM_NEIGHBOURS;
  const struct gt_quick q = {.x = (const double *) (const void *) x,
                             .y = (const double *) (const void *) (next ? x + size : y),
                             .n = n, .x_shift = f->shift[0], .y_shift = f->shift[!next]};

  for (int k = 0; n < f->n && k < GT_N_MOMENTS; k++)
    sums[k] = gt_ball_exactly (0);
  if (is_plain (f, n))
    gt_quick_isa ()->fast (f->set, &q, f->formula.given, size == sizeof (float), 0, sums);
  else
    take_copies (f, q, begin, sums);
  return 1;
}

/* Adds the last element, which is only a successor in pairs of neighbours.  */
static void
add_last (struct fast *f)
{
  const double first = (double) (gt_sample_element (f->sample, 0, 0) - f->shift[0]);
  const double last = (double) (gt_sample_element (f->sample, 0, f->n - 1) - f->shift[0]);

  f->sums[GT_MOMENT_FIRST] = gt_ball_exactly (first);
  f->sums[GT_MOMENT_LAST] = gt_ball_exactly (last);
  f->sums[GT_MOMENT_1].l += last;
  f->sums[GT_MOMENT_2].l += last * last;
}

/* Computes the sums of a sample on the host: in blocks, by several threads, if there are many
   elements.  */
static int
take_sums (struct fast *f)
{
  const int next = f->formula.form == GT_FORM_NEIGHBOURS;
  const size_t n = f->n - (size_t) next;
  const struct gt_problem sum = {.reduction = GT_SUM, .arithmetic = GT_F64, .mode = GT_MODE_FAST,
                                 .layout = GT_CONTIGUOUS, .n = n};
  unsigned threads;

  if (n < TEAM_FROM)
    take_block (f, 0, n, f->sums);
  else
    {
      threads = gt_reduce_threads (&sum, 0);
      gt_reduce_note (gt_way_names[GT_WAY_CPU]);
      if (!gt_blocks_sum (n, BLOCK, threads ? threads : 1, take_block, f, GT_N_MOMENTS, f->sums))
        return 0;
    }
  if (next)
    add_last (f);
  return 1;
}

/* ---------------------------------------------------------------- Guards */

/* Sums may be NaN; comparisons with NaN must not raise an exception.  */

/* Returns whether SUM, which should not be zero, has lost nothing to the range of doubles, and
   whether formulas, which raise it to higher powers if the statistic's power is above two, do
   not, either.  */
static int
is_within (const struct fast *f, double sum)
{
  const double most = f->formula.power > 2 ? 0x1p150 : 0x1p400;

  return isgreaterequal (fabs (sum), 1 / most) && islessequal (fabs (sum), most);
}

/* Returns the sum that must be in range.  */
static enum gt_moment
first_sum (const struct fast *f)
{
  const struct gt_formula *const r = &f->formula;

  return r->form == GT_FORM_POWERS && r->power == 1 ? GT_MOMENT_DISTANCES
         : f->set == GT_SET_COVARIANCE              ? GT_MOMENT_PRODUCTS
         : r->form == GT_FORM_POWERS && !r->given   ? GT_MOMENT_2
                                                    : GT_MOMENT_1 + (unsigned) r->power - 1;
}

/* Returns whether the rounding of 64-bit integers to doubles matters.  */
static int
are_rounded_away (const struct fast *f)
{
  const double n = (double) f->n, *const shift = f->shift;
  const enum gt_arithmetic arithmetic = arithmetic_of (f->sample);
  const struct gt_formula *const r = &f->formula;
  double left;

  if (!gt_is_integer (arithmetic) || gt_element_size (arithmetic) < 8)
    return 0;
  left = r->form == GT_FORM_POWERS && r->power == 1
           ? sum_of (f, GT_MOMENT_DISTANCES) * sum_of (f, GT_MOMENT_DISTANCES) / n
         : r->form == GT_FORM_POWERS && r->given ? n * f->given[1] * f->given[1]
                                                 : sum_of (f, GT_MOMENT_2);
  return n * shift[0] * shift[0] > FAR_INTEGERS * left
         || (r->form == GT_FORM_JOINT
             && n * shift[1] * shift[1] > FAR_INTEGERS * sum_of (f, GT_MOMENT_YY));
}

static int
are_within (const struct fast *f)
{
  const struct gt_formula *const r = &f->formula;
  const double w = sum_of (f, GT_MOMENT_W);

  return is_within (f, sum_of (f, first_sum (f)))
         && (f->set != GT_SET_CORRELATION || is_within (f, sum_of (f, GT_MOMENT_YY)))
         && (!(r->form == GT_FORM_POWERS && r->given == 2) || is_within (f, f->given[1]))
         && (!r->weighted || (isgreaterequal (w, 0x1p-10) && islessequal (w, 0x1p60)))
         && !are_rounded_away (f);
}

/* Returns whether one weight outweighs the others, so that W^2 - Q loses digits.  */
static int
is_outweighed (const struct fast *f)
{
  const struct gt_formula *const r = &f->formula;
  const double w = sum_of (f, GT_MOMENT_W);

  return r->weighted
         && (r->what == GT_TERM_VARIANCE || (r->form == GT_FORM_POWERS && r->power > 1 && !r->given))
         && !isgreater (w * w - sum_of (f, GT_MOMENT_WW), w * w / 2);
}

/* Returns whether the means are near the shifts; otherwise moves the shifts to the means.  */
static int
are_near (struct fast *f, double far)
{
  static const enum gt_moment sums[2] = {GT_MOMENT_1, GT_MOMENT_Y};
  static const enum gt_moment squares[2] = {GT_MOMENT_2, GT_MOMENT_YY};
  const double w = f->formula.weighted ? sum_of (f, GT_MOMENT_W) : (double) f->n;
  int near = 1;

  for (int k = 0; k < 1 + (f->formula.form == GT_FORM_JOINT); k++)
    {
      const double s = sum_of (f, sums[k]), off = s * s;

      if (islessequal (off, far * (w * sum_of (f, squares[k]) - off)))
        continue;
      near = 0;
      f->shift[k] += s / w;
    }
  return near;
}

/* Returns whether one or two elements dominate a fast sum; the rounding errors of the elements
   that were added to them are then too large.  */
static int
is_of_few (const struct fast *f, double result)
{
  const struct gt_formula *const r = &f->formula;

  return r->form == GT_FORM_POWERS && r->power > 2 && !r->given
         && isgreater (3 * (r->power == 3 ? result * result : result), (double) f->n);
}

/* ------------------------------------------------------------- Statistics */

/* Computes a statistic from sums about the mean of some elements, or about the mean that
   follows from these sums.  */
static double
about_own_mean (struct fast *f)
{
  const double far = f->formula.power > 2 ? FAR_OF_POWERS : FAR;
  const int joint = f->formula.form == GT_FORM_JOINT;
  double result;

  for (int k = 0; k < 1 + joint && f->formula.form != GT_FORM_MEAN; k++)
    f->shift[k] = gt_sample_shift (f->sample, f->formula.weighted ? 1 : k);
  for (int pass = 0; pass < 2; pass++)
    {
      if (!take_sums (f) || !are_within (f) || is_outweighed (f))
        return NAN;
      if (f->formula.form != GT_FORM_MEAN && !are_near (f, far))
        continue;
      result = finish (f);
      return is_of_few (f, result)                    ? NAN
             : f->formula.what == GT_TERM_CORRELATION ? gt_correlation_of (result) : result;
    }
  return NAN;
}

/* Computes a statistic from sums about given means.  */
static double
about_given (struct fast *f)
{
  f->shift[0] = f->sample->given[0];
  if (f->formula.form == GT_FORM_JOINT)
    f->shift[1] = f->sample->given[1];
  else
    f->given[1] = f->sample->given[1];
  return take_sums (f) && are_within (f) && !is_outweighed (f) ? finish (f) : NAN;
}

/* Returns the mean for sums about it.  */
static double
mean_of (struct gt_sample *sample)
{
  const struct gt_term *const term = sample->term;
  double mean;

  sample->term = term->weighted ? &gt_term_wmean : &gt_term_mean;
  mean = gt_statistic_value (sample);
  sample->term = term;
  return mean;
}

/* Computes a statistic from sums about the rounded mean.  */
static double
about_mean (struct fast *f)
{
  const double mean = f->sample->given[0] = mean_of (f->sample);
  double result, squares;

  f->formula.given = 1;
  result = about_given (f);
  squares = f->formula.power == 1 ? result * result : sum_of (f, GT_MOMENT_2)
                                                      / (f->formula.weighted
                                                           ? sum_of (f, GT_MOMENT_W) : (double) f->n);
  return islessequal (mean * mean, TOO_FAR * squares) ? result : NAN;
}

/* Returns the statistic; NaN if rounded sums do not determine it, or an infinity if they are
   not finite.  */
static double
fast_statistic (struct gt_sample *sample)
{
  const struct gt_term *const term = sample->term;
  struct fast f;
  const struct gt_formula *const r = &f.formula;
  double result;

  f.sample = sample;
  f.formula = gt_formula_of (term);
  f.data[0] = term->weighted ? &sample->task.y : &sample->task.x;
  f.data[1] = term->weighted ? &sample->task.x : &sample->task.y;
  f.n = sample->task.problem.n;
  /* Long doubles whose squares are out of range may lose digits as doubles.  */
  f.set = r->what == GT_TERM_COVARIANCE && (!r->given || arithmetic_of (sample) == GT_LDBL)
            ? GT_SET_CORRELATION : gt_kinds[term->what].quick[term->weighted];
  f.shift[0] = f.shift[1] = f.given[0] = f.given[1] = 0;
  f.x.low = f.y.low = f.w.low = 0;
  f.sums[first_sum (&f)] = gt_ball_exactly (0);
  result = r->given                                     ? about_given (&f)
           : r->form == GT_FORM_POWERS && r->power == 1 ? about_mean (&f)
                                                        : about_own_mean (&f);
  return isfinite (sum_of (&f, first_sum (&f))) ? result : (double) INFINITY;
}

/* Returns the mean from the rounded sum.  Adding zero changes the sum of a sample that
   contains only -0 to +0.  */
static double
fast_mean (struct gt_sample *sample)
{
  const double n = (double) sample->task.problem.n;
  union gt_value value;

  gt_sample_sums (sample, arithmetic_of (sample) == GT_F32 ? GT_TOTAL : GT_SUM, GT_MODE_FAST,
                  &value);
  switch (arithmetic_of (sample))
    {
    case GT_F64:
      return (value.f64[0] + 0.0) / n;
    case GT_F32:
      return (value.sums.s[0] + value.sums.c[0] + 0.0) / n;
    default:
      return (double) ((value.ldbl[0] + 0.0L) / n);
    }
}

/* Returns whether fast mode computes the exact value, too: for integers, if the sums are
   exact, if they are on a GPU, or if there are few.  */
static int
is_exact_in_fast (const struct gt_sample *sample)
{
  const struct gt_term *const term = sample->term;
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return sample->task.problem.n < 2
         || (gt_is_integer (arithmetic_of (sample)) && !term->weighted
             && (sample->memory[0] || sample->task.problem.n <= GT_CUTOFF_FEW_INTEGERS
                 || form == GT_FORM_MEAN || form == GT_FORM_SQUARES
                 || term->what == GT_TERM_COVARIANCE));
}

/* Returns the statistic, or NaN or an infinity if rounded sums do not determine it.  */
static double
rounded (struct gt_sample *sample)
{
  const int is_mean = sample->term->what == GT_TERM_MEAN && !sample->term->weighted;
  double result;

  if (is_mean && (sample->memory[0] || arithmetic_of (sample) != GT_F32))
    return fast_mean (sample);
  if (sample->memory[0])
    return gt_quick_statistic (sample, &result) ? result : NAN;
  return fast_statistic (sample);
}

/* Returns the statistic in the sample's mode; exact values are computed in the floating-point
   environment of exact mode.  */
double
gt_statistic_value (struct gt_sample *sample)
{
  double result = NAN;

  if (sample->mode == GT_MODE_EXACT)
    return gt_exact_statistic (sample);
  if (!is_exact_in_fast (sample))
    result = rounded (sample);
  if (isfinite (result) || sample->status
      || (sample->memory[0] == NULL && sample->task.problem.n > 0
          && (isinf (result) || gt_kinds[sample->term->what].form == GT_FORM_MEAN)
          && gt_is_special (&sample->task, sample->term, sample->given, &result)))
    return result;
  sample->mode = GT_MODE_EXACT;
  return gt_statistic_alike (sample, gt_exact_statistic);
}

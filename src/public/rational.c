/* The exact values of statistics, by whole numbers: slow, and right whatever the elements
   are (kernels/rational.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/certain.h"
#include "src/public/few.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/setup.h"
#include "src/public/moments.h"
#include "src/public/rational.h"

static long double
weight_of (const struct gt_sample *sample, size_t i)
{
  return sample->term->weighted ? gt_sample_element (sample, 0, i) : 1;
}

static long double
datum_of (const struct gt_sample *sample, size_t i)
{
  return gt_sample_element (sample, sample->term->weighted, i);
}

/* ------------------------------------------------------------------ Looking */

static void
extend (struct reach *reach, long double x)
{
  int exponent;

  if (x == 0)
    return;
  frexpl (x, &exponent);
  if (exponent > reach->high)
    reach->high = exponent;
  if (exponent - LDBL_MANT_DIG < reach->low)
    reach->low = exponent - LDBL_MANT_DIG;
}

/* Nothing but zeros reaches nowhere.  */
static void
settle (struct reach *reach)
{
  if (reach->high < reach->low)
    reach->high = reach->low = 0;
}

/* Looks how far what counts in SAMPLE reaches, how many elements that are, and whether
   they DIFFER.  Returns whether there are only numbers.  */
static int
look (struct gt_rational *r, const struct gt_sample *sample, int *differ)
{
  const double *given = sample->given;
  const int n_given = sample->term->given;
  long double first = 0;

  r->x = r->w = (struct reach) {INT_MAX, INT_MIN};
  r->n = 0;
  *differ = 0;
  for (size_t i = 0; i < sample->task.problem.n; i++)
    {
      const long double w = weight_of (sample, i), x = datum_of (sample, i);

      if (!(w > 0))
        continue;
      if (!isfinite (w) || !isfinite (x))
        return 0;
      if (r->n++ == 0)
        first = x;
      *differ |= x != first;
      extend (&r->w, w);
      extend (&r->x, x);
    }
  for (int i = 0; i < n_given; i++)
    extend (&r->x, given[i]);
  settle (&r->w);
  settle (&r->x);
  return (n_given < 1 || isfinite (given[0]))
         && (n_given < 2 || (isfinite (given[1]) && given[1] != 0));
}

/* ------------------------------------------------------------------- Adding */

/* X in units of 2^UNIT.  */
static struct gt_whole
whole_from (uint64_t *to, long double x, int unit)
{
  struct gt_whole whole = {to, 2, 0, x < 0};
  int exponent;
  const long double fraction = ldexpl (frexpl (fabsl (x), &exponent), 64);

  to[1] = (uint64_t) fraction;
  to[0] = (uint64_t) ldexpl (fraction - (long double) to[1], 64);
  gt_whole_scale (&whole, 1);
  gt_whole_shift (&whole, exponent - 128 - unit);
  return whole;
}

/* Adds X, which is not in room D, to SUM, whose room AT is.  */
static void
add (const struct gt_rational *r, struct gt_whole *sum, unsigned at, struct gt_whole x)
{
  struct gt_whole total;

  x.negative = !x.negative;
  total = less (r, D, *sum, x);
  sum->word = memcpy (room (r, at), total.word,
                      (size_t) total.n * sizeof *total.word);
  sum->n = total.n;
  sum->low = total.low;
  sum->negative = total.negative;
}

static void
add_plain_sums (struct gt_rational *r, const struct gt_sample *sample)
{
  for (size_t i = 0; i < sample->task.problem.n; i++)
    if (weight_of (sample, i) > 0)
      {
        const struct gt_whole w = whole_from (room (r, A), weight_of (sample, i), r->w.low);
        const struct gt_whole x = whole_from (room (r, B), datum_of (sample, i), r->x.low);

        add (r, &r->weights, WEIGHTS, w);
        add (r, &r->sum, SUM, times (r, C, w, x));
        add (r, &r->squares, SQUARES, times (r, C, w, w));
      }
}

/* Datum I less the given mean; or, times the sum of the weights, less the sum of all.  */
static struct gt_whole
left_of (const struct gt_rational *r, const struct gt_sample *sample, size_t i)
{
  const struct gt_whole x = whole_from (room (r, A), datum_of (sample, i), r->x.low);

  return r->formula.given
           ? less (r, LEFT, x, r->given)
           : less (r, LEFT, times (r, B, r->weights, x), r->sum);
}

static void
add_power (struct gt_rational *r, unsigned power, struct gt_whole w, struct gt_whole d)
{
  add (r, &r->power[power], POWERS + power, times (r, C, w, d));
}

/* The sums that the statistic is made of.  */
static void
add_powers (struct gt_rational *r, struct gt_whole w, struct gt_whole d)
{
  const struct gt_formula *f = &r->formula;
  struct gt_whole square;

  if (f->power == 1)
    {
      d.negative = 0;
      add_power (r, 1, w, d);
      return;
    }
  square = times (r, A, d, d);
  add_power (r, 2, w, square);
  if (f->power == 3)
    add_power (r, 3, w, times (r, B, square, d));
  if (f->power == 4)
    add_power (r, 4, w, times (r, B, square, square));
  if (f->form == GT_FORM_NEIGHBOURS)
    {
      add_power (r, NEIGHBOURS, w, times (r, A, r->before, d));
      r->before = d;
      r->before.word = memcpy (room (r, BEFORE), d.word, (size_t) d.n * sizeof *d.word);
    }
}

static void
add_all (struct gt_rational *r, const struct gt_sample *sample)
{
  const struct gt_whole none = {room (r, A), 0, 0, 0};

  r->weights = r->squares = r->sum = r->before = none;
  for (unsigned k = 0; k < 5; k++)
    r->power[k] = none;
  if (r->formula.given)
    r->given = whole_from (room (r, GIVEN), sample->given[0], r->x.low);
  if (r->formula.given == 2)
    r->deviation = whole_from (room (r, DEVIATION), sample->given[1], r->x.low);
  add_plain_sums (r, sample);
  for (size_t i = 0; i < sample->task.problem.n; i++)
    if (weight_of (sample, i) > 0)
      add_powers (r, whole_from (room (r, WEIGHT), weight_of (sample, i), r->w.low),
                  left_of (r, sample, i));
}

/* ------------------------------------------------------------------- Others */

/* GSL's own way, in long double.  */
#define FEW_REAL long double
#define FEW_NAMED(stem) stem##_of_sample
#define FEW_SAMPLE struct gt_sample
#define FEW_X(s, i) gt_sample_element (s, 0, i)
#define FEW_Y(s, i) gt_sample_element (s, 1, i)
#define FEW_ARITHMETIC s->task.problem.arithmetic
#include "src/public/few.inc"

double
gt_term_plain (struct gt_sample *sample)
{
  return (double) few_of_sample (sample, sample->task.problem.n, sample->given,
                                 sample->term).value;
}

/* About the mean of equal elements.  */
static double
of_equals (const struct gt_sample *sample, size_t counted)
{
  const enum gt_term_what what = sample->term->what;

  return what == GT_TERM_TSS || gt_kinds[what].power == 1
             || (what == GT_TERM_VARIANCE && counted > 1) ? 0 : NAN;
}

/* Of doubles and floats, differences of which are nothing if they are equal alone.  */
static int
are_equal (struct gt_sample *sample)
{
  union gt_value value;

  if (sample->task.problem.arithmetic > GT_F32 || !gt_fpenv_is_default (GT_F64))
    return 0;
  sample->task.shift[0] = (double) gt_sample_first (sample, 0);
  gt_sample_sums (sample, GT_ABSDEV, GT_MODE_FAST, &value);
  return gt_sum (sample, &value, 0) == 0;
}

static int
have_no_weight (struct gt_sample *sample)
{
  union gt_value value;

  sample->task.shift[0] = 0;
  gt_sample_sums (sample, GT_WSUM, GT_MODE_FAST, &value);
  return gt_sum_long (sample, &value, 0) == 0;
}

int
gt_term_settled (struct gt_sample *sample, double *to)
{
  const struct gt_term *term = sample->term;
  const struct gt_formula formula = gt_formula_of (term);
  uint32_t special;

  if (sample->memory[0] || (term->given && !term->weighted))
    return 0;
  *to = gt_formula_of_none (&formula);
  if (term->weighted && have_no_weight (sample))
    return 1;
  special = gt_sample_special (sample, 0);
  *to = NAN;
  if (!term->weighted && special)
    return 1;
  /* A part of an infinite weight is NaN, and so is a mean with that.  */
  if (term->weighted && special & GT_SUPER_PLUS_INFINITY
      && !(term->what == GT_TERM_TSS && term->given))
    return 1;
  *to = of_equals (sample, sample->task.problem.n);
  return !term->weighted && are_equal (sample);
}

/* Of the longest numbers rooms take more than a stack may have.  Where memory is short
   one thread after the other takes these; fork waits for it.  */
static uint64_t spare[N_ROOMS * ROOM_WORDS (MOST_WORDS, MOST_WORDS)];

double
gt_rational_compute (struct gt_rational *r, const struct gt_sample *sample)
{
  uint64_t *heap;
  struct gt_setup setup;
  double result;

  r->words = ROOM_WORDS (words_of (&r->w), words_of (&r->x));
  heap = malloc (N_ROOMS * r->words * sizeof *heap);
  if (!heap)
    gt_setup_begin (&setup);
  r->rooms = heap ? heap : spare;
  if (sample)
    add_all (r, sample);
  else
    gt_rational_add_up (r);
  result = gt_rational_finish (r);
  if (!heap)
    gt_setup_end (&setup);
  free (heap);
  return result;
}

/* Returns 0 where there are others than numbers.  */
__attribute__ ((noinline)) static int
tell (struct gt_sample *sample, double *to)
{
  struct gt_rational r = {.formula = gt_formula_of (sample->term)};
  int differ;

  if (!look (&r, sample, &differ))
    return 0;
  if (r.n == 0)
    *to = gt_formula_of_none (&r.formula);
  else if (!differ && !r.formula.given && r.formula.what != GT_TERM_MEAN)
    *to = of_equals (sample, r.n);
  else
    *to = gt_rational_compute (&r, sample);
  return 1;
}

double
gt_rational (struct gt_sample *sample)
{
  double result;

  return tell (sample, &result) ? result : gt_term_plain (sample);
}

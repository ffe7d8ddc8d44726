/* The exact values of statistics, by whole numbers: slow, and right whatever the elements
   are (src/public/rational.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/certain.h"
#include "src/public/few.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/finish/comoments.h"
#include "src/base/setup.h"
#include "src/public/moments.h"
#include "src/public/rational.h"

static long double
weight_of (const struct gt_rational *r, size_t i)
{
  return r->term->weighted ? gt_sample_element (r->sample, 0, i) : 1;
}

static long double
datum_of (const struct gt_rational *r, size_t i)
{
  return gt_sample_element (r->sample, r->term->weighted, i);
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

/* Returns whether there are only numbers.  */
static int
look (struct gt_rational *r)
{
  const double *given = r->sample->given;
  const int n_given = r->term->given;
  long double first = 0;

  r->x = r->w = (struct reach) {INT_MAX, INT_MIN};
  r->counted = 0;
  r->differ = 0;
  for (size_t i = 0; i < r->sample->task.problem.n; i++)
    {
      const long double w = weight_of (r, i), x = datum_of (r, i);

      if (!(w > 0))
        continue;
      if (!isfinite (w) || !isfinite (x))
        return 0;
      if (r->counted++ == 0)
        first = x;
      r->differ |= x != first;
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
add_plain_sums (struct gt_rational *r)
{
  for (size_t i = 0; i < r->sample->task.problem.n; i++)
    if (weight_of (r, i) > 0)
      {
        const struct gt_whole w = whole_from (room (r, A), weight_of (r, i), r->w.low);
        const struct gt_whole x = whole_from (room (r, B), datum_of (r, i), r->x.low);

        add (r, &r->weights, WEIGHTS, w);
        add (r, &r->sum, SUM, times (r, C, w, x));
        add (r, &r->squares, SQUARES, times (r, C, w, w));
      }
}

/* Datum I less the given mean; or, times the sum of the weights, less the sum of all.  */
static struct gt_whole
left_of (const struct gt_rational *r, size_t i)
{
  const struct gt_whole x = whole_from (room (r, A), datum_of (r, i), r->x.low);

  return r->term->given
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
  const struct gt_kind *kind = &gt_kinds[r->term->what];
  struct gt_whole square;

  if (kind->power == 1)
    {
      d.negative = 0;
      add_power (r, 1, w, d);
      return;
    }
  square = times (r, A, d, d);
  add_power (r, 2, w, square);
  if (kind->power == 3)
    add_power (r, 3, w, times (r, B, square, d));
  if (kind->power == 4)
    add_power (r, 4, w, times (r, B, square, square));
  if (kind->form == GT_FORM_NEIGHBOURS)
    {
      add_power (r, NEIGHBOURS, w, times (r, A, r->before, d));
      r->before = d;
      r->before.word = memcpy (room (r, BEFORE), d.word, (size_t) d.n * sizeof *d.word);
    }
}

static void
add_all (struct gt_rational *r)
{
  const struct gt_whole none = {room (r, A), 0, 0, 0};

  r->weights = r->squares = r->sum = r->before = none;
  for (unsigned k = 0; k < 5; k++)
    r->power[k] = none;
  if (r->term->given)
    r->given = whole_from (room (r, GIVEN), r->sample->given[0], r->x.low);
  if (r->term->given == 2)
    r->deviation = whole_from (room (r, DEVIATION), r->sample->given[1], r->x.low);
  add_plain_sums (r);
  for (size_t i = 0; i < r->sample->task.problem.n; i++)
    if (weight_of (r, i) > 0)
      add_powers (r, whole_from (room (r, WEIGHT), weight_of (r, i), r->w.low),
                  left_of (r, i));
}

/* ---------------------------------------------------------------- Finishing */

/* OVER / UNDER in units of 2^UNIT, or its root.  */
static double
quotient (struct gt_whole over, struct gt_whole under, int unit, int root)
{
  const int negative = over.negative ^ under.negative;

  if (under.n == 0)
    return over.n == 0 ? NAN : negative ? -INFINITY : INFINITY;
  return gt_ratio_round (&(struct gt_ratio) {&over, &under, unit, root, negative});
}

/* X^K, K at least 1, by way of room BY.  */
static struct gt_whole
raised (const struct gt_rational *r, unsigned to, unsigned by, struct gt_whole x, int k)
{
  struct gt_whole power = x;

  while (--k > 0)
    power = times (r, k % 2 ? to : by, power, x);
  return power;
}

/* W^2 - Q.  */
static struct gt_whole
unbiased (const struct gt_rational *r, unsigned to)
{
  return less (r, to, times (r, A, r->weights, r->weights), r->squares);
}

/* A mean of powers P over those of the standard deviation: Pp / (W sd^p), or with
   V = W^2 - Q the root of Pp^2 V^p / (W^(p + 2) P2^p), which is Pp V^q / (W^(q + 1) P2^q)
   of even p = 2 q; less what its kind says.  */
static double
mean_of_powers (const struct gt_rational *r)
{
  const struct gt_kind *kind = &gt_kinds[r->term->what];
  const struct gt_whole w = r->weights;
  const int p = kind->power, root = p % 2 && !r->term->given, q = root ? p : p / 2;
  struct gt_whole over = r->power[p], under, off;

  if (r->term->given)
    under = times (r, C, w, raised (r, B, A, r->deviation, p));
  else
    {
      if (root)
        over = times (r, LEFT, over, over);
      over = times (r, D, over, raised (r, C, B, unbiased (r, BEFORE), q));
      over.negative = r->power[p].negative;
      under = raised (r, B, A, w, q + 1 + root);
      under = times (r, C, under, raised (r, LEFT, A, r->power[2], q));
    }
  if (kind->less)
    {
      off = under;
      off.word = memcpy (room (r, B), under.word, (size_t) under.n * sizeof *off.word);
      gt_whole_scale (&off, (uint64_t) kind->less);
      over = less (r, A, over, off);
    }
  return quotient (over, under, 0, root);
}

static double
variance (const struct gt_rational *r)
{
  const struct gt_whole w = r->weights, v = unbiased (r, B), squares = r->power[2];
  const int unit = 2 * r->x.low;

  return r->term->given
           ? quotient (times (r, C, squares, w), v, unit, r->term->root)
           : quotient (squares, times (r, C, w, v), unit, r->term->root);
}

static double
finish (const struct gt_rational *r)
{
  static uint64_t one_word[1] = {1};
  const struct gt_whole one = {one_word, 1, 0, 0}, w = r->weights;
  const struct gt_whole by = r->term->given ? one : w;
  const int unit = r->x.low;

  switch (r->term->what)
    {
    case GT_TERM_MEAN:
      return quotient (r->sum, w, unit, 0);
    case GT_TERM_TSS:
      return quotient (r->power[2], times (r, A, by, by), 2 * unit + r->w.low, 0);
    case GT_TERM_FIXED:
      return quotient (r->power[2], times (r, B, w, times (r, A, by, by)), 2 * unit,
                       r->term->root);
    case GT_TERM_VARIANCE:
    case GT_TERM_COVARIANCE:
      return variance (r);
    case GT_TERM_CORRELATION:
      return gt_comoments_correlate (room (r, A), room (r, B), r->power + 2);
    default:
      break;
    }
  if (gt_kinds[r->term->what].form == GT_FORM_NEIGHBOURS)
    return quotient (r->power[NEIGHBOURS], r->power[2], 0, 0);
  return gt_term_is_scaled (r->term)
           ? mean_of_powers (r) : quotient (r->power[1], times (r, A, w, by), unit, 0);
}

/* ------------------------------------------------------------------- Others */

/* GSL's own way, in long double.  */
#define NAMED(stem, rest) stem##_of_sample##rest
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

double
gt_rational_of_none (const struct gt_term *term)
{
  const struct gt_kind *kind = &gt_kinds[term->what];

  return (term->what == GT_TERM_VARIANCE && term->weighted)
             || term->what == GT_TERM_CORRELATION || kind->form == GT_FORM_NEIGHBOURS
             || (kind->form == GT_FORM_POWERS && kind->power == 1 && !term->weighted)
           ? NAN : -kind->less;
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
  uint32_t special;

  if (sample->memory[0] || (term->given && !term->weighted))
    return 0;
  *to = gt_rational_of_none (term);
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
gt_rational_compute (struct gt_rational *r, void add_up (struct gt_rational *))
{
  uint64_t *heap;
  struct gt_setup setup;
  double result;

  r->words = ROOM_WORDS (words_of (&r->w), words_of (&r->x));
  heap = malloc (N_ROOMS * r->words * sizeof *heap);
  if (!heap)
    gt_setup_begin (&setup);
  r->rooms = heap ? heap : spare;
  add_up (r);
  result = finish (r);
  if (!heap)
    gt_setup_end (&setup);
  free (heap);
  return result;
}

/* Returns 0 where there are others than numbers.  */
__attribute__ ((noinline)) static int
tell (struct gt_sample *sample, double *to)
{
  struct gt_rational r = {.sample = sample, .term = sample->term};

  if (!look (&r))
    return 0;
  if (r.counted == 0)
    *to = gt_rational_of_none (r.term);
  else if (!r.differ && !r.term->given && r.term->what != GT_TERM_MEAN)
    *to = of_equals (sample, r.counted);
  else
    *to = gt_rational_compute (&r, add_all);
  return 1;
}

double
gt_rational (struct gt_sample *sample)
{
  double result;

  return tell (sample, &result) ? result : gt_term_plain (sample);
}

/* Statistics of samples whose power sums there are, rounded once (kernels/rational.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/isa/room.h"
#include "src/prototypes.h"
#include "src/public/power_sums.h"
#include "src/public/rational.h"
#include "src/public/statistic.h"

/* ------------------------------------------------------------- Special ones */

/* A statistic of elements of which some are not finite does not depend on the finite ones, but
   for whether there are such.  So a few elements stand for all that have come.  */
struct representatives
{
  long double x[8], y[8];
  size_t n;
};

static void
add_representative (struct representatives *some, int which, long double special,
                    long double usual)
{
  some->x[some->n] = which == 0 ? special : usual;
  some->y[some->n++] = which == 1 ? special : 1;
}

static double
special (const gsltune_moments *m, struct gt_sample *sample)
{
  static const struct
  {
    uint32_t flag;
    long double element;
  } specials[] = {{GT_SUPER_PLUS_INFINITY, INFINITY},
                  {GT_SUPER_MINUS_INFINITY, -INFINITY},
                  {GT_SUPER_NAN, NAN}};
  const long double usual = sample->given[0] > 0 ? -1 : 1;
  const int weighted = sample->term->weighted;
  struct representatives some = {.n = 0};
  struct gt_operand x, y;
  uint64_t n;

  for (int which = 0; which < 2; which++)
    for (int k = 0; k < 3; k++)
      if (m->flags[which] & specials[k].flag)
        add_representative (&some, which, specials[k].element, usual);
  n = some.n + 2 < m->n ? some.n + 2 : m->n;
  while (some.n < n)
    add_representative (&some, -1, 0, usual);
  x = (struct gt_operand) {weighted ? some.y : some.x, 1};
  y = (struct gt_operand) {weighted ? some.x : some.y, 1};
  sample->task.problem.n = some.n;
  sample->task.x = x;
  sample->task.y = y;
  return gt_statistic_alike (sample, gt_statistic_value);
}

/* ------------------------------------------------------------- The functions */

/* Whether M is of distances from what TERM is about.  */
static int
has_centre (const gsltune_moments *m, const struct gt_sample *sample)
{
  const int unit = gt_moments_unit (m), weighted = sample->term->weighted;
  struct gt_whole all, d;

  if (m->power || m->is_given != sample->term->given)
    return 0;
  if (m->is_given)
    return m->mean == sample->given[0] || (isnan (m->mean) && isnan (sample->given[0]));
  if (m->flags[0] || m->flags[1])
    return 1;
  all = weighted ? gt_power_sum_whole (m->rooms[0], &m->sum[GT_MOMENT_W], unit)
                 : gt_whole_from_product (m->rooms[0], m->n, 1);
  d = gt_whole_difference (m->rooms[1], &all, &m->scale);
  if (d.n)
    return 0;
  all = gt_power_sum_whole (m->rooms[0], &m->sum[GT_MOMENT_1], weighted ? 2 * unit : unit);
  d = gt_whole_difference (m->rooms[1], &all, &m->centre);
  return d.n == 0;
}

static int
has (const gsltune_moments *m, const struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const struct gt_kind *kind = &gt_kinds[term->what];

  if (term->weighted != (m->kind == GSLTUNE_MOMENTS_WEIGHTED)
      || (kind->form == GT_FORM_JOINT) != (m->kind == GSLTUNE_MOMENTS_PAIRS)
      || (kind->form == GT_FORM_NEIGHBOURS && m->kind != GSLTUNE_MOMENTS_NEIGHBOURS))
    return 0;
  return kind->form == GT_FORM_POWERS && kind->power == 1 ? has_centre (m, sample)
                                                          : m->power >= kind->power;
}

double
gt_moments_statistic (const gsltune_moments *m, const struct gt_term *term,
                      const double given[2])
{
  const int unit = gt_moments_unit (m);
  const int high = m->wide ? LDBL_MAX_EXP : DBL_MAX_EXP;
  struct gt_rational r = {.formula = gt_formula_of (term), .about = {given[0], given[1]},
                          .sum_of = m->sum, .n = m->n, .x = {unit, high}, .y = {unit, high},
                          .w = {term->weighted ? unit : 0, high}};

  return gt_rational_compute (&r);
}

static double
statistic (const gsltune_moments *m, const struct gt_term *term, double given,
           double given_next)
{
  struct gt_sample sample;

  gt_sample_init (&sample, GT_LDBL, (struct gt_operand) {NULL, 1},
                  (struct gt_operand) {NULL, 1}, m->n);
  sample.mode = GT_MODE_EXACT;
  sample.term = term;
  sample.given[0] = given;
  sample.given[1] = given_next;
  if (!has (m, &sample))
    GSL_ERROR_VAL ("these are not the moments that the statistic is made of", GSL_EINVAL,
                   GSL_NAN);
  if (m->n == 0)
    return term->none;
  if (m->flags[0] | m->flags[1] || !isfinite (given) || !isfinite (given_next))
    return special (m, &sample);
  if (gt_term_is_scaled (term) && term->given && given_next == 0)
    return GSL_NAN;
  return gt_moments_statistic (m, term, sample.given);
}

/* ------------------------------------------------------------------ Sums */

/* A sum, rounded to a type.  Nothing is converted: a subnormal number could be lost on the
   way, or trap.  */
union rounded
{
  double f64;
  float f32;
  long double ldbl;
};

static union rounded
rounded_nan (enum gt_arithmetic to)
{
  return to == GT_F64   ? (union rounded) {.f64 = GSL_NAN}
         : to == GT_F32 ? (union rounded) {.f32 = NAN}
                        : (union rounded) {.ldbl = NAN};
}

static union rounded
round_words (const int64_t *word, const struct gt_power_sum *sum, uint32_t flags,
             enum gt_arithmetic to)
{
  const int n = sum->n, lowest = sum->lowest;
  union rounded rounded;
  uint64_t bits;
  uint32_t short_bits;

  if (to == GT_LDBL)
    rounded.ldbl = gt_long_encode (word, n, flags, GT_LDBL_LOWEST - lowest);
  else if (to == GT_F64)
    {
      bits = gt_super_encode (word, n, flags, -1074 - lowest, 53, GT_SUPER_INFINITY_F64);
      memcpy (&rounded.f64, &bits, sizeof bits);
    }
  else
    {
      short_bits = (uint32_t) gt_super_encode (word, n, flags, -149 - lowest, 24,
                                               GT_SUPER_INFINITY_F32);
      memcpy (&rounded.f32, &short_bits, sizeof short_bits);
    }
  return rounded;
}

static int
are_of_one_sample (const gsltune_moments *m)
{
  return m->kind == GSLTUNE_MOMENTS_PLAIN || m->kind == GSLTUNE_MOMENTS_NEIGHBOURS;
}

/* The sum of the elements, or of the products of pairs.  */
static union rounded
sum (const gsltune_moments *m, enum gt_arithmetic to)
{
  const struct gt_power_sum *const of
    = &m->sum[gt_moments_is_product (m) ? GT_MOMENT_PRODUCTS : GT_MOMENT_1];
  const size_t bytes = (size_t) of->n * sizeof *of->word;
  union rounded rounded;
  int64_t *word;
  void *heap;

  if (!(gt_moments_is_product (m) || (m->power && are_of_one_sample (m))))
    GSL_ERROR_VAL ("these moments have no sum", GSL_EINVAL, rounded_nan (to));
  word = memcpy (GT_ROOM (heap, bytes), of->word, bytes);
  gt_super_carry (word, of->n);
  rounded = round_words (word, of, m->flags[0], to);
  free (heap);
  return rounded;
}

double
gsltune_moments_sum (const gsltune_moments *m)
{
  return sum (m, GT_F64).f64;
}

float
gsltune_moments_sum_float (const gsltune_moments *m)
{
  return sum (m, GT_F32).f32;
}

long double
gsltune_moments_sum_long_double (const gsltune_moments *m)
{
  return sum (m, GT_LDBL).ldbl;
}

/* The square root of the sum of squares, or of the products of pairs.  */
static union rounded
norm (const gsltune_moments *m, enum gt_arithmetic to)
{
  const int products = gt_moments_is_product (m), unit = 2 * gt_moments_unit (m);
  const struct gt_power_sum *const of
    = &m->sum[products ? GT_MOMENT_PRODUCTS : GT_MOMENT_2];
  const uint32_t flags = m->flags[0];
  struct gt_whole whole;
  struct gt_ratio ratio = {&whole, NULL, unit, 1, 0};
  union rounded rounded = rounded_nan (to);
  void *heap;

  if (!(products || (m->power > 1 && are_of_one_sample (m))))
    GSL_ERROR_VAL ("these moments have no norm", GSL_EINVAL, rounded);
  if (flags && (products ? flags != GT_SUPER_PLUS_INFINITY : flags & GT_SUPER_NAN))
    return rounded;
  if (flags)
    return round_words (of->word, of, GT_SUPER_PLUS_INFINITY, to);
  whole = gt_power_sum_whole (GT_ROOM (heap, ((size_t) of->n / 2 + 2) * sizeof *whole.word), of,
                              unit);
  if (whole.n == 0 || !whole.negative)
    {
      if (to == GT_F64)
        rounded.f64 = gt_ratio_round (&ratio);
      else
        rounded.f32 = gt_ratio_round_float (&ratio);
    }
  free (heap);
  return rounded;
}

double
gsltune_moments_norm (const gsltune_moments *m)
{
  return norm (m, GT_F64).f64;
}

float
gsltune_moments_norm_float (const gsltune_moments *m)
{
  return norm (m, GT_F32).f32;
}

/* ------------------------------------------------------------ Statistics */

#define FUNCTION_OF(name, prototype)                                       \
  double gsltune_moments_##name GT_TAKES (prototype)                       \
  {                                                                        \
    return statistic (m, &gt_term_##name, GT_GIVEN (prototype));           \
  }
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, FUNCTION_OF (name, MOMENTS_##result))
#include "src/rows.inc"

/* Statistics of samples whose power sums there are, rounded once (kernels/rational.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/finish/finish.h"
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
  return m->power == 0 && m->is_given == sample->term->given
         && ((!m->is_given && m->flags[0] | m->flags[1])
             || gt_is_same_centre (m->centre, m->is_given ? gt_moments_centre_at (sample->given[0])
                                                          : gt_moments_mean (m)));
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

/* Stores the statistic, or NaN and returns an error code.  */
static int
statistic (const gsltune_moments *m, const struct gt_term *term, const double given[2], double *to)
{
  struct gt_sample sample;

  gt_sample_init (&sample, GT_LDBL, (struct gt_operand) {NULL, 1},
                  (struct gt_operand) {NULL, 1}, m->n);
  sample.mode = GT_MODE_EXACT;
  sample.term = term;
  sample.given[0] = given[0];
  sample.given[1] = given[1];
  *to = GSL_NAN;
  if (!has (m, &sample))
    GSL_ERROR ("these are not the moments that the statistic is made of", GSL_EINVAL);
  if (m->n == 0)
    *to = term->none;
  else if (m->flags[0] | m->flags[1] || !isfinite (given[0]) || !isfinite (given[1]))
    *to = special (m, &sample);
  else if (!gt_term_is_scaled (term) || !term->given || given[1] != 0)
    *to = gt_moments_statistic (m, term, given);
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------ Sums */

/* The sum of elements, of their squares if there is a ROOT, or of products of pairs.  */
static const struct gt_power_sum *
sum_for (const gsltune_moments *m, int root)
{
  const int products = gt_moments_is_product (m);

  if (!products && (m->kind > GSLTUNE_MOMENTS_NEIGHBOURS || m->power < 1 + root))
    GSL_ERROR_VAL ("these moments have no such sum", GSL_EINVAL, NULL);
  return &m->sum[products ? GT_MOMENT_PRODUCTS : root ? GT_MOMENT_2 : GT_MOMENT_1];
}

struct rounded
{
  double f64;
  float f32;
};

/* That, or the root of it, rounded to both.  */
static struct rounded
rounded (const gsltune_moments *m, int root)
{
  const struct gt_power_sum *const sum = sum_for (m, root);
  const int products = gt_moments_is_product (m);
  const int unit = (products || root ? 2 : 1) * gt_moments_unit (m);
  uint32_t flags = m->flags[0];
  struct gt_whole whole;
  struct rounded r = {NAN, NAN};
  void *heap;

  if (root && flags && (products ? flags != GT_SUPER_PLUS_INFINITY : flags & GT_SUPER_NAN))
    flags = GT_SUPER_NAN;
  else if (root && flags)
    flags = GT_SUPER_PLUS_INFINITY;
  if (sum == NULL)
    return r;
  if (flags)
    return (struct rounded) {gt_special_sum (flags), (float) gt_special_sum (flags)};
  whole = gt_power_sum_whole (GT_ROOM (heap, ((size_t) sum->n / 2 + 2) * sizeof *whole.word), sum,
                              unit);
  if (!root || !whole.negative)
    {
      const struct gt_ratio ratio = {&whole, NULL, unit, root, whole.negative};

      r = (struct rounded) {gt_ratio_round (&ratio), gt_ratio_round_float (&ratio)};
    }
  free (heap);
  return r;
}

double
gsltune_moments_sum (const gsltune_moments *m)
{
  return rounded (m, 0).f64;
}

float
gsltune_moments_sum_float (const gsltune_moments *m)
{
  return rounded (m, 0).f32;
}

long double
gsltune_moments_sum_long_double (const gsltune_moments *m)
{
  const struct gt_power_sum *const sum = sum_for (m, 0);
  const size_t bytes = sum ? (size_t) sum->n * sizeof *sum->word : 0;
  void *heap;
  long double x;
  int64_t *word;

  if (sum == NULL)
    return GSL_NAN;
  word = memcpy (GT_ROOM (heap, bytes), sum->word, bytes);
  gt_super_carry (word, sum->n);
  x = gt_long_encode (word, sum->n, m->flags[0], GT_LDBL_LOWEST - sum->lowest);
  free (heap);
  return x;
}

double
gsltune_moments_norm (const gsltune_moments *m)
{
  return rounded (m, 1).f64;
}

float
gsltune_moments_norm_float (const gsltune_moments *m)
{
  return rounded (m, 1).f32;
}

/* ------------------------------------------------------------ Statistics */

#define FUNCTION_OF(name, prototype)                                       \
  double gsltune_moments_##name GT_TAKES (prototype)                       \
  {                                                                        \
    double result;                                                         \
                                                                           \
    statistic (m, &gt_term_##name, (double[]) {GT_GIVEN (prototype)}, &result);  \
    return result;                                                         \
  }
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, FUNCTION_OF (name, MOMENTS_##result))
#include "src/rows.inc"

int
gsltune_moments_statistic (const gsltune_moments *m, const char *name, const double given[],
                           double *result)
{
  static const struct
  {
    const char *name;
    const struct gt_term *term;
  } all[] = {
#define STATISTIC(name, ...) {#name, &gt_term_##name},
#include "kernels/statistics.def"
  };

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp (all[i].name, name) == 0)
      return statistic (m, all[i].term,
                        (double[]) {all[i].term->given ? given[0] : 0,
                                    all[i].term->given > 1 ? given[1] : 0}, result);
  *result = GSL_NAN;
  GSL_ERROR ("there is no such statistic", GSL_EINVAL);
}

/* Statistics from power sums, and of samples by way of power sums, in whole numbers, rounded
   once (kernels/rational.h): correct for any elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/finish/finish.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/rational.h"
#include "src/prototypes.h"
#include "src/moments/moments.h"
#include "src/statistics/infinite.h"
#include "src/statistics/statistic.h"

/* ------------------------------------------------------------- The functions */

/* Returns the kind, the power and the centre of the moments that the sample's statistic needs;
   the centre is the given mean, if there is one.  */
static gsltune_moments
moments_for (const struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const struct gt_kind *kind = &gt_kinds[term->what];
  gsltune_moments like = {.wide = sample->task.problem.arithmetic == GT_LDBL};

  like.power = kind->form == GT_FORM_POWERS && kind->power == 1 ? 0 : kind->power;
  if (like.power == 0 && term->given)
    like.centre = gt_moments_centre_at (sample->given[0]);
  like.kind = term->weighted                       ? GSLTUNE_MOMENTS_WEIGHTED
              : kind->form == GT_FORM_JOINT      ? GSLTUNE_MOMENTS_PAIRS
              : kind->form == GT_FORM_NEIGHBOURS ? GSLTUNE_MOMENTS_NEIGHBOURS
                                                 : GSLTUNE_MOMENTS_PLAIN;
  return like;
}

/* Returns whether M has the sums that the sample's statistic needs; sums of distances must be
   about its centre.  Moments of neighbours contain plain sums, too.  */
static int
has (const gsltune_moments *m, const struct gt_sample *sample)
{
  const gsltune_moments wanted = moments_for (sample);

  if (m->kind != wanted.kind
      && !(m->kind == GSLTUNE_MOMENTS_NEIGHBOURS && wanted.kind == GSLTUNE_MOMENTS_PLAIN))
    return 0;
  if (wanted.power > 0)
    return m->power >= wanted.power;
  return m->power == 0 && m->is_given == sample->term->given
         && ((!m->is_given && m->flags[0] | m->flags[1])
             || gt_is_same_centre (m->centre, m->is_given ? wanted.centre : gt_moments_mean (m)));
}

/* Returns TERM about the GIVEN means from M, which has its sums and only finite elements.  */
static double
value_of (const gsltune_moments *m, const struct gt_term *term, const double given[2])
{
  const int unit = gt_moments_unit (m);
  struct gt_rational r
    = {.formula = gt_formula_of (term), .about = {given[0], given[1]}, .sum_of = m->sum, .n = m->n,
       .x = {unit}, .y = {unit}, .w = {term->weighted ? unit : 0},
       .words = GT_ROOM_WORDS (term->weighted, unit, m->wide ? LDBL_MAX_EXP : DBL_MAX_EXP)};
  void *heap;
  double value;

  r.rooms = GT_ROOM (heap, N_ROOMS * r.words * sizeof *r.rooms);
  value = gt_rational_value (&r);
  free (heap);
  return value;
}

/* Stores the statistic, or stores NaN and returns an error code.  */
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
    *to = gt_special_statistic (term, given, m->flags, m->n);
  else if (!gt_term_is_scaled (term) || !term->given || given[1] != 0)
    *to = value_of (m, term, given);
  return GSL_SUCCESS;
}

/* ------------------------------------------------------------------ Sums */

/* Returns whether M has only the sum of products of pairs; its first flags are then those of
   the products.  */
static int
is_product (const gsltune_moments *m)
{
  return m->kind == GSLTUNE_MOMENTS_PAIRS && m->power == 1;
}

/* Returns the sum of elements, of their squares if ROOT is 1, or of products of pairs.  */
static const struct gt_power_sum *
sum_for (const gsltune_moments *m, int root)
{
  const int products = is_product (m);

  if (!products && (m->kind > GSLTUNE_MOMENTS_NEIGHBOURS || m->power < 1 + root))
    GSL_ERROR_VAL ("these moments have no such sum", GSL_EINVAL, NULL);
  return &m->sum[products ? GT_MOMENT_PRODUCTS : root ? GT_MOMENT_2 : GT_MOMENT_1];
}

/* Returns that sum, or its root.  */
static struct gt_finished
finish (const gsltune_moments *m, int root)
{
  const struct gt_power_sum *const sum = sum_for (m, root);
  uint32_t flags = m->flags[0];

  if (sum == NULL)
    return (struct gt_finished) {GSL_NAN, (float) GSL_NAN};
  if (root && flags)
    flags = (is_product (m) ? flags == GT_SUPER_PLUS_INFINITY : flags < GT_SUPER_NAN)
              ? GT_SUPER_PLUS_INFINITY : GT_SUPER_NAN;
  return gt_finish (*sum, flags, 1, root);
}

double
gsltune_moments_sum (const gsltune_moments *m)
{
  return finish (m, 0).f64;
}

float
gsltune_moments_sum_float (const gsltune_moments *m)
{
  return finish (m, 0).f32;
}

long double
gsltune_moments_sum_long_double (const gsltune_moments *m)
{
  const struct gt_power_sum *const sum = sum_for (m, 0);

  return sum ? gt_finish_long_double (*sum, m->flags[0]) : (long double) GSL_NAN;
}

double
gsltune_moments_norm (const gsltune_moments *m)
{
  return finish (m, 1).f64;
}

float
gsltune_moments_norm_float (const gsltune_moments *m)
{
  return finish (m, 1).f32;
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

/* --------------------------------------------------- Statistics of samples */

/* Returns the statistic of a sample with only finite elements.  */
static double
tell (const struct gt_sample *sample)
{
  const gsltune_moments like = moments_for (sample);
  const size_t bytes = gt_moments_bytes (&like);
  gsltune_moments all = like, *m;
  void *heap;
  char *memory;
  double result;

  all.power = 1;
  memory = GT_ROOM (heap, bytes + gt_moments_bytes (&all));
  m = gt_moments_place (memory, &like);
  if (like.power == 0 && !sample->term->given)
    {
      gsltune_moments *const first = gt_moments_place (memory + bytes, &all);

      gt_moments_add (first, &sample->task, 0);
      m->centre = gt_moments_mean (first);
    }
  gt_moments_add (m, &sample->task, 0);
  result = m->n ? value_of (m, sample->term, sample->given) : sample->term->none;
  free (heap);
  return result;
}

/* Computes the statistic in the floating-point environment of long doubles, too; discards
   their exceptions in exact mode.  */
double
gt_rational (struct gt_sample *sample)
{
  const int flags = gt_fpenv_flags (GT_LDBL);
  struct gt_fpenv env;
  double result;

  gt_fpenv_enter (&env, GT_LDBL);
  if (sample->task.problem.n == 0)
    result = sample->term->none;
  else if (!gt_is_special (&sample->task, sample->term, sample->given, &result))
    result = tell (sample);
  gt_fpenv_leave (&env);
  if (sample->mode == GT_MODE_EXACT)
    gt_fpenv_lower_flags (GT_LDBL, flags);
  return result;
}

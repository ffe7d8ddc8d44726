/* Summarizes a vector in a few numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/summary.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/finish/finish.h"
#include "src/base/names.h"
#include "src/base/problem.h"
#include "src/cpu/backend_cpu.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/power_sums.h"
#include "tuning/measure/listed.h"
#include "tuning/text/cli.h"

/* Moments are exact, because the elements cannot be read again.  */
static struct gt_problem
problem_of (const struct gt_summary *summary, const struct gt_running *running)
{
  return gt_problem_for (running->reduction, summary->type,
                         running->reduction == GT_MOMENTS ? GT_MODE_EXACT
                                                          : summary->mode);
}

/* An exact sum of long doubles has no value that can be merged.  */
static int
is_wide (const struct gt_problem *problem)
{
  return problem->arithmetic == GT_LDBL && problem->mode == GT_MODE_EXACT;
}

static void
add (const struct gt_summary *summary, struct gt_running *running,
     const void *data, size_t n, size_t stride)
{
  const struct gt_problem problem = problem_of (summary, running);
  struct gt_task task = gt_task_of (problem.reduction, problem.arithmetic,
                                    problem.mode, data, n, stride);
  union gt_value value;

  if (is_wide (&problem))
    {
      gt_wide_add_array (&running->wide, data, n, stride);
      return;
    }
  task.origin = summary->count;
  gt_cpu_compute (gt_plan_find (gt_host_plans (), &task.problem), &task,
                  &value);
  if (running->begun)
    gt_value_merge (&task.problem, &running->value, &value);
  else
    running->value = value;
  running->begun = 1;
}

/* ------------------------------------------------------------------ Sums */

static struct gt_number
finish (const struct gt_summary *summary, struct gt_running *sum)
{
  const struct gt_problem problem = problem_of (summary, sum);

  if (is_wide (&problem))
    sum->value.ldbl[0] = gt_wide_round_long_double (&sum->wide);
  else
    gt_value_finish (&problem, &sum->value);
  return gt_number_of (summary->type, &sum->value);
}

/* ------------------------------------------------------------ Magnitudes */

#define BLOCK 1024

/* No kernel computes those of long double.  */
static void
add_long_double_magnitudes (struct gt_summary *summary, const long double *x,
                            size_t n, size_t stride)
{
  long double block[BLOCK];

  for (size_t begin = 0, m; begin < n; begin += m)
    {
      m = n - begin < BLOCK ? n - begin : BLOCK;
      for (size_t i = 0; i < m; i++)
        block[i] = fabsl (x[(begin + i) * stride]);
      add (summary, &summary->running_asum, block, m, 1);
    }
}

/* X's magnitude, where X is an integer's value modulo 2^64.  */
static inline uint64_t
magnitude (uint64_t x, int is_signed)
{
  const uint64_t sign = is_signed ? -(x >> 63) : 0;

  return (x ^ sign) - sign;
}

/* magnitudes_int and so on: their sum.  Inlined, so that contiguous elements
   have a loop of their own, of vectors.  */
#define X(id, name, infix, ctype, arithmetic)                               \
  static inline uint64_t                                                    \
  magnitudes##infix (const ctype *x, size_t n, size_t stride)               \
  {                                                                         \
    uint64_t sum = 0;                                                       \
                                                                            \
    _Pragma ("omp simd reduction (+ : sum)")                                \
    for (size_t i = 0; i < n; i++)                                          \
      sum += magnitude ((uint64_t) x[i * stride], (ctype) -1 < (ctype) 1);  \
    return sum;                                                             \
  }
GT_INTEGER_TYPES (X)
#undef X

static void
add_magnitudes (struct gt_summary *summary, const void *data, size_t n,
                size_t stride)
{
  uint64_t *sum = summary->running_asum.value.u64;

  switch (summary->type)
    {
    case GT_TYPE_DOUBLE:
    case GT_TYPE_FLOAT:
      add (summary, &summary->running_asum, data, n, stride);
      break;
    case GT_TYPE_LONG_DOUBLE:
      add_long_double_magnitudes (summary, data, n, stride);
      break;
#define X(id, name, infix, ctype, arithmetic)                             \
    case GT_TYPE_##id:                                                    \
      *sum += stride == 1 ? magnitudes##infix (data, n, 1)                \
                          : magnitudes##infix (data, n, stride);          \
      break;
      GT_INTEGER_TYPES (X)
#undef X
    default: /* complex numbers are not read */
      break;
    }
}

/* -------------------------------------------------------------- Extremes */

static void
take_extremes (struct gt_summary *summary, const void *data, size_t n,
               size_t stride)
{
  const union gt_value *value = &summary->running_extremes.value;
  const char *elements = (const char *) value;

  add (summary, &summary->running_extremes, data, n, stride);
  summary->min = (struct gt_extreme) {
    gt_number_of (summary->type, elements), value->where.index[0]
  };
  summary->max = (struct gt_extreme) {
    gt_number_of (summary->type, elements + gt_types[summary->type].size),
    value->where.index[1]
  };
}

/* --------------------------------------------------------------- Moments */

/* Of sums of integers.  */
static double
integer_norm (const struct gt_integer_sums *sums)
{
  uint64_t room[3];
  const struct gt_whole squares = gt_whole_from_words (room, sums->product, 3);
  const struct gt_ratio norm = {.over = &squares, .root = 1};

  return gt_ratio_round (&norm);
}

static double
wide_norm (const gsltune_moments *m)
{
  const struct gt_power_sum *const sum = &m->sum[GT_MOMENT_2];
  const int unit = 2 * gt_moments_unit (m);
  uint64_t *const room = gt_need (malloc (((size_t) sum->n / 2 + 2) * sizeof *room));
  const struct gt_whole squares = gt_power_sum_whole (room, sum, unit);
  const struct gt_ratio norm = {.over = &squares, .unit = unit, .root = 1};
  const double root = gt_ratio_round (&norm);

  free (room);
  return m->flags[0] & GT_SUPER_NAN ? NAN : m->flags[0] ? INFINITY : root;
}

static double
spread (const struct gt_summary *summary, enum gt_spread what)
{
  return gt_finish_value (what, &summary->running_moments.value,
                          !gt_arithmetics[gt_types[summary->type].arithmetic].real,
                          summary->count, NULL);
}

static void
finish_moments (struct gt_summary *summary)
{
  const union gt_value *value = &summary->running_moments.value;
  const uint64_t n = summary->count;

  if (n > 0 && summary->wide)
    {
      summary->nrm2 = wide_norm (summary->wide);
      summary->mean = gsltune_moments_mean (summary->wide);
      summary->tss = gsltune_moments_tss (summary->wide);
      summary->variance = gsltune_moments_variance (summary->wide);
      summary->sd = gsltune_moments_sd (summary->wide);
    }
  else if (n > 0)
    {
      const int real
        = gt_arithmetics[gt_types[summary->type].arithmetic].real;

      summary->nrm2 = real ? gt_finish_norm (&value->exact.product)
                           : integer_norm (&value->integers);
      summary->mean = real ? gt_finish_mean (&value->exact.plain[0], n)
                           : gt_finish_integer_mean (&value->integers, n);
      summary->tss = spread (summary, GT_TSS);
      summary->variance = spread (summary, GT_VARIANCE);
      summary->sd = spread (summary, GT_SD);
    }
}

/* ------------------------------------------------------------- Interface */

void
gt_summary_init (struct gt_summary *summary, enum gt_element_type type,
                 enum gt_mode mode)
{
  memset (summary, 0, sizeof *summary);
  summary->type = type;
  summary->mode = gt_mode_for (GT_SUM, gt_types[type].arithmetic, mode);
  summary->running_sum.reduction = GT_SUM;
  summary->running_asum.reduction
    = gt_reduction_has (GT_ASUM, gt_types[type].arithmetic) ? GT_ASUM : GT_SUM;
  summary->running_extremes.reduction = GT_MINMAX;
  summary->running_moments.reduction = GT_MOMENTS;
  if (type == GT_TYPE_LONG_DOUBLE)
    summary->wide = gt_need (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 2, 1));
}

void
gt_summary_clear (struct gt_summary *summary)
{
  gsltune_moments_free (summary->wide);
}

void
gt_summary_add_sum (struct gt_summary *summary, const void *data, size_t n,
                    size_t stride)
{
  add (summary, &summary->running_sum, data, n, stride);
  summary->count += n;
}

void
gt_summary_add (struct gt_summary *summary, const void *data, size_t n,
                size_t stride)
{
  if (summary->wide)
    gsltune_moments_add_long_double (summary->wide, data, stride, n);
  else
    add (summary, &summary->running_moments, data, n, stride);
  add_magnitudes (summary, data, n, stride);
  take_extremes (summary, data, n, stride);
  gt_summary_add_sum (summary, data, n, stride);
}

void
gt_summary_finish_sum (struct gt_summary *summary)
{
  summary->sum = finish (summary, &summary->running_sum);
}

void
gt_summary_finish (struct gt_summary *summary)
{
  finish_moments (summary);
  gt_summary_finish_sum (summary);
  if (gt_arithmetics[gt_types[summary->type].arithmetic].real)
    summary->asum = finish (summary, &summary->running_asum);
  else
    summary->asum
      = gt_number_of (GT_TYPE_ULONG, summary->running_asum.value.u64);
}

/* -------------------------------------------------- All elements, kept */

int
gt_kept_add (struct gt_kept *kept, const void *data, size_t n, size_t stride)
{
  struct gt_numbers *all = &kept->all;
  const size_t size = gt_types[all->type].size;
  char *to;

  if (gt_numbers_reserve (all, n))
    return -1;
  to = (char *) all->data + all->n * size;
  if (stride == 1)
    memcpy (to, data, n * size);
  else
    for (size_t i = 0; i < n; i++)
      memcpy (to + i * size, (const char *) data + i * stride * size, size);
  all->n += n;
  return 0;
}

/* The value of REDUCTION's function.  */
static double
statistic (const struct gt_kept *kept, enum gt_reduction reduction)
{
  const struct gt_listed *f = gt_listed_for (reduction, kept->all.type);
  const struct gt_operands operands
    = {.x = kept->all.data, .n = kept->all.n, .stride = {1, 1}};
  struct gt_answer answer;

  f->call (f->ours, &operands, &answer);
  return (double) gt_answer_value (f, &answer, 0);
}

void
gt_kept_finish (struct gt_kept *kept)
{
  kept->more = (struct gt_statistics) {
    statistic (kept, GT_ABSDEV), statistic (kept, GT_SKEW),
    statistic (kept, GT_KURTOSIS), statistic (kept, GT_LAG1)
  };
}

double
gt_kept_correlation (const struct gt_kept *x, const struct gt_kept *y)
{
  switch (x->all.type)
    {
#define X(id, name, infix, ctype, arithmetic)                                        \
    case GT_TYPE_##id:                                                               \
      return gsltune_stats##infix##_correlation (x->all.data, 1, y->all.data, 1, x->all.n);
      GT_ELEMENT_TYPES (X)
#undef X
    default: /* complex numbers are not read */
      return NAN;
    }
}

/* Sorts the numbers; 0 where one is NaN, which has no place.  */
static int
sort_numbers (struct gt_numbers *all)
{
  switch (all->type)
    {
#define X(id, name, infix, ctype, arithmetic)                                        \
    case GT_TYPE_##id:                                                               \
      {                                                                              \
        const ctype most = gsltune_stats##infix##_max (all->data, 1, all->n);        \
                                                                                     \
        gsltune_sort##infix (all->data, 1, all->n);                                  \
        return most == most;                                                         \
      }
      GT_ELEMENT_TYPES (X)
#undef X
    default:
      return 0;
    }
}

static double
quantile (const struct gt_numbers *sorted, double fraction)
{
  switch (sorted->type)
    {
#define X(id, name, infix, ctype, arithmetic)                                        \
    case GT_TYPE_##id:                                                               \
      return gsl_stats##infix##_quantile_from_sorted_data (sorted->data, 1, sorted->n, \
                                                           fraction);
      GT_ELEMENT_TYPES (X)
#undef X
    default:
      return NAN;
    }
}

void
gt_kept_quantiles (struct gt_kept *kept, const double *fractions, size_t n,
                   double *quantiles)
{
  const int ordered = n > 0 && kept->all.n > 0 && sort_numbers (&kept->all);

  for (size_t k = 0; k < n; k++)
    quantiles[k] = ordered ? quantile (&kept->all, fractions[k]) : NAN;
}

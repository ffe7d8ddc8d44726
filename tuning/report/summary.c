/* What is to be said of a vector in a few numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/summary.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_vector.h>

#include "kernels/cpu/combine.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/plan/plan.h"

void
gt_summary_init (struct gt_summary *summary, enum gt_element_type type,
                 enum gt_mode mode)
{
  memset (summary, 0, sizeof *summary);
  summary->type = type;
  summary->mode = gt_mode_for (GT_SUM, gt_types[type].arithmetic, mode);
}

/* ------------------------------------------------------------------ Sums */

/* An exact sum of long doubles has no value that can be merged.  */
static int
is_wide (const struct gt_summary *summary)
{
  return summary->type == GT_TYPE_LONG_DOUBLE
         && summary->mode == GT_MODE_EXACT;
}

static struct gt_task
task_of (const struct gt_summary *summary, const void *data, size_t n,
         size_t stride)
{
  const enum gt_arithmetic arithmetic
    = gt_arithmetic_for (GT_SUM, gt_types[summary->type].arithmetic);

  return gt_task_of (GT_SUM, arithmetic, summary->mode, data, n, stride);
}

static void
add (const struct gt_summary *summary, struct gt_running_sum *sum,
     const void *data, size_t n, size_t stride)
{
  const struct gt_task task = task_of (summary, data, n, stride);
  union gt_value value;

  if (is_wide (summary))
    {
      gt_wide_add_array (&sum->wide, data, n, stride);
      return;
    }
  gt_cpu_compute (gt_plan_find (gt_host_plans (), &task.problem), &task,
                  &value);
  gt_value_merge (&task.problem, &sum->value, &value);
}

static struct gt_number
finish (const struct gt_summary *summary, struct gt_running_sum *sum)
{
  if (is_wide (summary))
    sum->value.ldbl[0] = gt_wide_round_long_double (&sum->wide);
  else
    {
      const struct gt_task none = task_of (summary, NULL, 0, 1);

      gt_value_finish (&none.problem, &sum->value);
    }
  return gt_number_of (summary->type, &sum->value);
}

/* ------------------------------------------------------------ Magnitudes */

#define BLOCK 1024

/* add_magnitudes_float and so on.  */
#define X(id, name, ctype, real)                                          \
  static void                                                             \
  add_magnitudes_##name (struct gt_summary *summary, const ctype *x,      \
                         size_t n, size_t stride)                         \
  {                                                                       \
    ctype block[BLOCK];                                                   \
                                                                          \
    for (size_t begin = 0, m; begin < n; begin += m)                      \
      {                                                                   \
        m = n - begin < BLOCK ? n - begin : BLOCK;                        \
        for (size_t i = 0; i < m; i++)                                    \
          block[i] = (ctype) fabsl (x[(begin + i) * stride]);             \
        add (summary, &summary->running_asum, block, m, 1);               \
      }                                                                   \
  }
GT_REAL_ARITHMETICS (X)
#undef X

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
      add_magnitudes_f64 (summary, data, n, stride);
      break;
    case GT_TYPE_FLOAT:
      add_magnitudes_f32 (summary, data, n, stride);
      break;
    case GT_TYPE_LONG_DOUBLE:
      add_magnitudes_ldbl (summary, data, n, stride);
      break;
#define X(id, name, infix, ctype, arithmetic)                             \
    case GT_TYPE_##id:                                                    \
      *sum += stride == 1 ? magnitudes##infix (data, n, 1)                \
                          : magnitudes##infix (data, n, stride);          \
      break;
      GT_INTEGER_TYPES (X)
#undef X
    case GT_N_ELEMENT_TYPES:
      break;
    }
}

/* -------------------------------------------------------------- Extremes */

/* extremes_of_float and so on.  */
#define X(id, name, infix, ctype, arithmetic)                             \
  static void                                                             \
  extremes_of##infix (const void *data, size_t n, size_t stride,          \
                      size_t *min, size_t *max)                           \
  {                                                                       \
    gsl_vector##infix v = {n, stride, (ctype *) data, NULL, 0};           \
                                                                          \
    gsl_vector##infix##_minmax_index (&v, min, max);                      \
  }
GT_ELEMENT_TYPES (X)
#undef X

static void (*const extremes_functions[GT_N_ELEMENT_TYPES]) (
  const void *data, size_t n, size_t stride, size_t *min, size_t *max)
  = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = extremes_of##infix,
    GT_ELEMENT_TYPES (X)
#undef X
};

/* Whether A is less than B, both of one type.  */
static int
is_less (const struct gt_number *a, const struct gt_number *b)
{
  if (gt_arithmetics[gt_types[a->type].arithmetic].real)
    return a->real < b->real;
  return gt_type_is_signed[a->type]
           ? (long long) a->integer < (long long) b->integer
           : a->integer < b->integer;
}

/* Whether an element that comes after BEST is better.  */
static int
is_better (const struct gt_number *candidate, const struct gt_number *best,
           int greatest)
{
  if (isnan (candidate->real) || isnan (best->real))
    return !isnan (best->real);
  return greatest ? is_less (best, candidate) : is_less (candidate, best);
}

static void
take_extreme (struct gt_summary *summary, struct gt_extreme *best,
              int greatest, const void *element, size_t i)
{
  struct gt_number candidate = gt_number_of (summary->type, element);

  if (summary->count == 0 || is_better (&candidate, &best->number, greatest))
    *best = (struct gt_extreme) {candidate, summary->count + i};
}

static void
take_extremes (struct gt_summary *summary, const void *data, size_t n,
               size_t stride)
{
  const size_t step = stride * gt_types[summary->type].size;
  size_t min, max;

  extremes_functions[summary->type](data, n, stride, &min, &max);
  take_extreme (summary, &summary->min, 0, (const char *) data + min * step,
                min);
  take_extreme (summary, &summary->max, 1, (const char *) data + max * step,
                max);
}

/* ------------------------------------------------------------- Interface */

void
gt_summary_add (struct gt_summary *summary, const void *data, size_t n,
                size_t stride)
{
  add (summary, &summary->running_sum, data, n, stride);
  add_magnitudes (summary, data, n, stride);
  take_extremes (summary, data, n, stride);
  summary->count += n;
}

void
gt_summary_finish (struct gt_summary *summary)
{
  summary->sum = finish (summary, &summary->running_sum);
  if (gt_arithmetics[gt_types[summary->type].arithmetic].real)
    summary->asum = finish (summary, &summary->running_asum);
  else
    summary->asum
      = gt_number_of (GT_TYPE_ULONG, summary->running_asum.value.u64);
}

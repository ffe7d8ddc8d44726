/* GSL's own sums, to compare with.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/gsl_reference.h"

#include <gsl/gsl_vector.h>

#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/batches.h"
#include "tuning/measure/target.h"

#define X(id, name, infix, ctype, arithmetic)                          \
  static void sum_##id (const void *data, size_t n, size_t stride,     \
                        union gt_value *sum)                             \
  {                                                                    \
    gsl_vector##infix v = {n, stride, (ctype *) data, NULL, 0};        \
    const ctype s = gsl_vector##infix##_sum (&v);                      \
                                                                       \
    memcpy (sum, &s, sizeof s);                                        \
  }
GT_ELEMENT_TYPES (X)
#undef X

static const struct
{
  void (*sum) (const void *, size_t, size_t, union gt_value *);
  const char *name;
} sums[GT_N_ELEMENT_TYPES] = {
#define X(id, name, infix, ctype, arithmetic) \
  [GT_TYPE_##id] = {sum_##id, "gsl_vector" #infix "_sum"},
  GT_ELEMENT_TYPES (X)
#undef X
};

/* The first element type of an arithmetic.  */
static int
type_of (enum gt_arithmetic arithmetic)
{
  int type = 0;

  while (gt_arithmetic_for (GT_SUM, gt_types[type].arithmetic) != arithmetic)
    type++;
  return type;
}

const char *
gt_gsl_name (enum gt_arithmetic arithmetic)
{
  return sums[type_of (arithmetic)].name;
}

static size_t
stride_of (const struct gt_problem *problem)
{
  return problem->layout == GT_CONTIGUOUS ? 1 : GT_TUNED_STRIDE;
}

void
gt_gsl_sum (const struct gt_problem *problem, const void *data,
            union gt_value *sum)
{
  sums[type_of (problem->arithmetic)].sum (data, problem->n,
                                           stride_of (problem), sum);
}

struct runs
{
  const struct gt_problem *problem;
  const void *data;
};

static void
sum_often (void *closure, unsigned count)
{
  const struct runs *r = closure;
  union gt_value sum;

  for (unsigned k = 0; k < count; k++)
    gt_gsl_sum (r->problem, r->data, &sum);
}

double
gt_time_gsl (const struct gt_problem *problem, const void *data,
             double at_least)
{
  struct runs runs = {problem, data};

  return gt_time_batches (sum_often, &runs, at_least);
}

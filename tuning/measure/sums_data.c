/* The right results of several sums at once.

   Everything is gathered in accumulators that round nothing, whatever the mode, by code
   that shares nothing with the kernels.  Pairs of elements repeat with the data's
   period, which is prime: so the accumulators of one round are multiplied.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/cpu/sums/combine.h"
#include "kernels/cpu/sums/sums.h"
#include "tuning/measure/plain_terms.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

/* The sums of some elements.  Those of integers are in a value, which others have no
   use for.  */
struct gathered
{
  struct gt_superaccumulator plain[GT_MOST_SUMS];
  struct gt_product_accumulator product;
  union gt_value integers;
};

/* ------------------------------------------------------------ One element */

/* Adds X Y, exactly.  */
static void
add_product (struct gt_product_accumulator *acc, double x, double y)
{
  int ex, ey, at;
  unsigned_wide magnitude;
  int64_t sign = !signbit (x) == !signbit (y) ? 1 : -1;

  if (!isfinite (x) || !isfinite (y))
    {
      const double product = x * y;

      acc->flags |= gt_super_flag (isnan (product), product < 0);
      return;
    }
  magnitude = (unsigned_wide) (uint64_t) ldexp (fabs (frexp (x, &ex)), 53)
              * (uint64_t) ldexp (fabs (frexp (y, &ey)), 53);
  if (magnitude == 0)
    return;
  /* Digits below the last place of an accumulator are zeros, if there are any.  */
  for (at = ex + ey - 106 - GT_PRODUCT_LOWEST; at < 0; at++)
    magnitude >>= 1;
  for (int bit = at % 32, i = at / 32; magnitude; i++, bit = 0)
    {
      acc->word[i] += sign * (int64_t) ((uint32_t) magnitude << bit);
      magnitude >>= 32 - bit;
    }
  gt_product_noted (acc, 1);
}

/* As a value of integers, of one element.  */
static void
add_integers (const struct gt_task *task, const void *x, const void *y,
              union gt_value *sums)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const wide factor[2]
    = {(wide) gt_element (arithmetic, x),
       (wide) gt_element (arithmetic, info->inputs == 2 ? y : x)};
  const int negative = (factor[0] < 0) != (factor[1] < 0);
  const unsigned_wide product = (unsigned_wide) factor[0]
                                * (unsigned_wide) factor[1];
  union gt_value one;

  memset (&one.integers, 0, sizeof one.integers);
  for (unsigned k = 0; k < info->plain; k++)
    {
      one.integers.plain[k][0] = (uint64_t) factor[k];
      one.integers.plain[k][1] = (uint64_t) (factor[k] >> 64);
    }
  if (info->products)
    {
      one.integers.product[0] = (uint64_t) product;
      one.integers.product[1] = (uint64_t) (product >> 64);
      one.integers.product[2] = negative && product ? UINT64_MAX : 0;
    }
  gt_value_merge (&task->problem, sums, &one);
}

/* Sums of elements and of their products: less the shifts, but raw in exact mode.  */
static void
add_moments (const struct gt_task *task, double x, double y,
             struct gathered *sums)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const int raw = task->problem.mode == GT_MODE_EXACT || info->plain == 0
                  || !info->products;
  double v[2] = {x, info->inputs == 2 ? y : x};

  for (unsigned k = 0; k < 2 && !raw; k++)
    v[k] -= task->shift[info->inputs == 2 ? k : 0];
  for (unsigned k = 0; k < info->plain; k++)
    gt_super_add (&sums->plain[k], v[k]);
  if (info->products)
    add_product (&sums->product, v[0], v[1]);
}

static void
add_element (const struct gt_task *task, const void *x, const void *y,
             struct gathered *sums)
{
  const struct gt_problem *p = &task->problem;
  const double v = (double) gt_element (p->arithmetic, x);
  const double w
    = gt_inputs (p) == 2 ? (double) gt_element (p->arithmetic, y) : 0;
  double terms[GT_MOST_SUMS];

  if (gt_sums_are_integers (p))
    add_integers (task, x, y, &sums->integers);
  else if (gt_reductions[p->reduction].algebra == GT_ALGEBRA_MOMENTS)
    add_moments (task, v, w, sums);
  else
    for (unsigned k = gt_plain_terms (task, v, w, terms); k-- > 0;)
      gt_super_add (&sums->plain[k], terms[k]);
}

/* ------------------------------------------------------------------ Values */

static void
clear (struct gathered *sums)
{
  memset (sums->plain, 0, sizeof sums->plain);
  gt_product_clear (&sums->product);
  memset (&sums->integers.integers, 0, sizeof sums->integers.integers);
}

static void
merge (const struct gt_problem *problem, struct gathered *into,
       const struct gathered *from)
{
  for (unsigned k = 0; k < GT_MOST_SUMS; k++)
    gt_super_merge (&into->plain[k], &from->plain[k]);
  gt_product_merge (&into->product, &from->product);
  if (gt_sums_are_integers (problem))
    gt_value_merge (problem, &into->integers, &from->integers);
}

/* Adds ROUND to SUMS that many times.  */
static void
merge_often (const struct gt_problem *problem, struct gathered *sums,
             const struct gathered *round, uint64_t often)
{
  struct gathered power = *round;

  for (; often; often >>= 1)
    {
      if (often & 1)
        merge (problem, sums, &power);
      merge (problem, &power, &power);
    }
}

/* The sums as a value of PROBLEM.  */
static union gt_value
value_of (const struct gt_problem *problem, const struct gathered *sums)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  struct gt_problem exact = *problem;
  union gt_value value, rounded;

  memset (&value, 0, sizeof value);
  if (gt_sums_are_integers (problem))
    return sums->integers;
  if (problem->mode == GT_MODE_EXACT)
    {
      memcpy (value.exact.plain, sums->plain, sizeof value.exact.plain);
      value.exact.product = sums->product;
      return value;
    }
  exact.mode = GT_MODE_EXACT;
  exact.arithmetic = GT_F64;
  for (unsigned k = 0; k < info->plain + info->products; k++)
    {
      /* No value has an accumulator for each of many sums, so they are taken one
         after the other.  */
      const int product = k >= info->plain;
      double sum;

      exact.reduction = product ? GT_SUMSQ : GT_ABSDEV;
      rounded.exact.plain[0] = sums->plain[product ? 0 : k];
      rounded.exact.product = sums->product;
      sum = gt_value_sum (&exact, &rounded, 0);
      if (problem->arithmetic == GT_LDBL)
        value.long_sums.s[k] = sum;
      else
        value.sums.s[k] = sum;
    }
  return value;
}

/* ------------------------------------------------------------------- Tasks */

/* Sums of real numbers: those of a task in the repeated pattern of DATA that begins at BASE,
   or of its own elements where DATA is null.  */
static union gt_value
real_sums (const struct gt_data *data, const void *base, const struct gt_task *task)
{
  return data ? gt_data_sums (data, base, task) : gt_sums_one_by_one (task);
}

/* The exact product of parts A and B of complex numbers.  */
static struct gt_product_accumulator
product_of_parts (const struct gt_data *data, const void *base,
                  const struct gt_task *task, int a, int b)
{
  const enum gt_arithmetic part = gt_part_arithmetic (task->problem.arithmetic);
  const size_t size = gt_element_size (part);
  const struct gt_operand x
    = {(const char *) task->x.data + (size_t) a * size, 2 * task->x.stride};
  const struct gt_operand y
    = {(const char *) task->y.data + (size_t) b * size, 2 * task->y.stride};
  const struct gt_task of_parts
    = gt_task_of_pair (GT_DOT, part, GT_MODE_EXACT, x, y, task->problem.n);

  return real_sums (data, base, &of_parts).exact.product;
}

static union gt_value
complex_sums (const struct gt_data *data, const void *base, const struct gt_task *task)
{
  union gt_value value;

  memset (&value, 0, sizeof value);
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      {
        struct gt_product_accumulator product
          = product_of_parts (data, base, task, a, b);

        if ((a && b) != (a && task->scale < 0))
          gt_product_negate (&product);
        gt_product_merge (a == b ? &value.exact.product : &value.exact.imaginary,
                          &product);
      }
  if (task->problem.mode != GT_MODE_EXACT)
    {
      struct gt_problem exact = task->problem;
      union gt_value rounded = {.sums = {{0}, {0}}};

      exact.mode = GT_MODE_EXACT;
      for (unsigned k = 0; k < 2; k++)
        rounded.sums.s[k] = gt_value_sum (&exact, &value, k);
      value = rounded;
    }
  return value;
}

union gt_value
gt_sums_one_by_one (const struct gt_task *task)
{
  const size_t size = gt_element_size (task->problem.arithmetic);
  const char *x = task->x.data, *y = task->y.data;
  struct gathered sums;

  if (gt_is_complex (task->problem.arithmetic))
    return complex_sums (NULL, NULL, task);
  clear (&sums);
  for (uint64_t i = 0; i < task->problem.n; i++)
    add_element (task, x + i * task->x.stride * size,
                 y ? y + i * task->y.stride * size : NULL, &sums);
  return value_of (&task->problem, &sums);
}

static struct gt_walk
begin_walk (const struct gt_data *data, const void *base,
            const struct gt_operand *operand)
{
  return gt_walk_from (data, (uint64_t) ((const char *) operand->data
                                         - (const char *) base) / data->size,
                       operand->stride);
}

union gt_value
gt_data_sums (const struct gt_data *data, const void *base,
              const struct gt_task *task)
{
  const uint64_t n = task->problem.n, rounds = n / data->period;
  const uint64_t rest = n % data->period, most = rounds ? data->period : rest;
  const int two = gt_inputs (&task->problem) == 2;
  struct gt_walk x = begin_walk (data, base, &task->x), y = {0, 0};
  struct gathered round, sums;

  if (gt_is_complex (task->problem.arithmetic))
    return complex_sums (data, base, task);
  if (two)
    y = begin_walk (data, base, &task->y);
  clear (&round);
  clear (&sums);
  for (uint64_t i = 0; i < most; i++)
    {
      if (i == rest) /* those of the last round, which is not a whole one */
        sums = round;
      add_element (task, gt_walk_next (data, &x),
                   two ? gt_walk_next (data, &y) : NULL, &round);
    }
  if (rounds == 0)
    return value_of (&task->problem, &round);
  merge_often (&task->problem, &sums, &round, rounds);
  return value_of (&task->problem, &sums);
}

/* --------------------------------------------------------------- Comparing */

static int
same_double (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static int
same_plain (const struct gt_superaccumulator *a,
            const struct gt_superaccumulator *b)
{
  struct gt_superaccumulator x = *a, y = *b;

  if (x.flags || y.flags)
    return same_double (gt_super_round (&x), gt_super_round (&y));
  gt_super_normalise (&x);
  gt_super_normalise (&y);
  return memcmp (x.word, y.word, sizeof x.word) == 0;
}

static int
same_product (const struct gt_product_accumulator *a,
              const struct gt_product_accumulator *b)
{
  struct gt_product_accumulator x = *a, y = *b;

  gt_product_normalise (&x);
  gt_product_normalise (&y);
  return memcmp (x.word, y.word, sizeof x.word) == 0;
}

/* Whether sum K is the same.  A sum that has met an infinity or a NaN has no
   digits.  */
static int
same_sum (const struct gt_problem *problem, const union gt_value *result,
          const union gt_value *expected, unsigned k)
{
  const unsigned plain = gt_reductions[problem->reduction].plain;
  const struct gt_product_accumulator *const a
    = k > plain ? &result->exact.imaginary : &result->exact.product;
  const struct gt_product_accumulator *const b
    = k > plain ? &expected->exact.imaginary : &expected->exact.product;

  if (problem->mode == GT_MODE_EXACT && k < plain)
    return same_plain (&result->exact.plain[k], &expected->exact.plain[k]);
  if (problem->mode == GT_MODE_EXACT && !a->flags && !b->flags)
    return same_product (a, b);
  return same_double (gt_value_sum (problem, result, k),
                      gt_value_sum (problem, expected, k));
}

/* Returns the number of the first sum that differs, or how many there are if
   none does.  */
static unsigned
first_difference (const struct gt_problem *problem,
                  const union gt_value *result, const union gt_value *expected)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  const unsigned sums = info->plain + info->products;
  unsigned k = 0;

  while (k < sums && same_sum (problem, result, expected, k))
    k++;
  return k;
}

int
gt_sums_equal (const struct gt_problem *problem, const union gt_value *result,
               const union gt_value *expected)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];

  if (gt_sums_are_integers (problem))
    return memcmp (&result->integers, &expected->integers,
                   sizeof result->integers) == 0;
  return first_difference (problem, result, expected)
         == info->plain + info->products;
}

unsigned
gt_sums_text (const struct gt_problem *problem, const union gt_value *result,
              const union gt_value *expected, char *is, char *should,
              size_t size)
{
  const struct gt_reduction_info *info = &gt_reductions[problem->reduction];
  unsigned k = first_difference (problem, result, expected);

  if (k == info->plain + info->products) /* they round to the same */
    k = 0;
  snprintf (is, size, "%.17g", gt_value_sum (problem, result, k));
  snprintf (should, size, "%.17g", gt_value_sum (problem, expected, k));
  return k;
}

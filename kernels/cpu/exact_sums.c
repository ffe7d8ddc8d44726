/* Several exact sums at once: of elements, of products of two, and of terms.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>

#include "kernels/catalog.h"
#include "kernels/cpu/exact_terms.h"
#include "kernels/cpu/inline.h"
#include "kernels/cpu/products.h"
#include "kernels/cpu/sums.h"
#include "kernels/cpu/two_products.h"

/* A chunk of elements becomes chunks of doubles whose sums are wanted, and each of
   these goes to a run of the engines for plain sums (kernels/cpu/exact.h).

   A product of doubles is P + E, P the rounded product and E its rounding error.
   That is a double if nothing underflows: P and E are multiples of the product of
   the factors' last units.  If P is at least 2^-968 in magnitude the exponents of
   the factors add up to -969 or more, so that this unit is 2^-969-104 = 2^-1073 or
   more, and E is a multiple of the smallest number there is.  Where a product is
   smaller than that but not zero, overflows, or has a factor that is infinite or
   NaN, the whole chunk goes to the accumulator of products one by one.

   Products of floats are exact as doubles.  The sums of P and of E, and those of
   products of floats, are collected in a superaccumulator, in which no sum of
   2^64 doubles overflows, and from there moved to that of products.

   Buffers are short: the stacks of some programs' threads are.  */

#define CHUNK 256
#define UNROLL_INDEX 2
#define MOST_RUNS 4 /* two sums of elements, products and their errors */

extern const struct gt_exact_isa GT_FOR_ISA (gt_exact_isa);

/* ------------------------------------------------------------- Elements */

typedef void gather_function (double *to, const void *data, size_t stride,
                              size_t n);

#define AT_ONCE 16
#define GT_TEMPLATE "kernels/cpu/exact_gather.h"
#include "kernels/cpu/each_arithmetic.h"

static gather_function *const gathers[GT_N_ARITHMETICS] = {
#define X(id, name, ctype, real) [GT_##id] = gather_##name,
  GT_ARITHMETICS (X)
#undef X
};

/* N elements of OPERAND from element I on as doubles: where they lie, or in
   BUFFER, there with zeros up to a whole vector.  */
static const double *
elements (const struct gt_task *task, const struct gt_operand *operand,
          size_t i, size_t n, double *buffer)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const char *from = (const char *) operand->data
                     + i * operand->stride * gt_element_size (arithmetic);

  if (arithmetic == GT_F64 && operand->stride == 1 && n == CHUNK)
    return (const void *) from;
  gathers[arithmetic](buffer, from, operand->stride, n);
  for (; n % LANES != 0; n++)
    buffer[n] = 0;
  return buffer;
}

INLINE vector
load (const double *x)
{
  return *(const GT_PASTE (elements_f64, LANES) *) x;
}

INLINE void
store (double *x, vector v)
{
  *(GT_PASTE (elements_f64, LANES) *) x = v;
}

/* ----------------------------------------------------------------- Sums */

/* The sums of a task on their way; those of products and of their errors follow
   those of elements, and ROOM has the chunks of them.  */
struct work
{
  const struct gt_task *task;
  struct gt_exact_sums *sums;
  struct gt_exact_run run[MOST_RUNS];
  struct gt_superaccumulator products;
  double room[MOST_TERMS][CHUNK];
};

static void
add (struct work *work, unsigned k, const double *x, size_t n)
{
  gt_exact_run_add_f64 (&work->run[k], x, n, 1);
}

/* Whether each of N products can be taken apart.  */
static int
are_ordinary (const double *x, const double *y, size_t n)
{
  words bad = {0};

  for (size_t i = 0; i < n; i += LANES)
    bad |= two_product_fails (load (x + i), load (y + i));
  return FOLD (LANES, words, |, bad) == 0;
}

/* Leaves the products of X and Y in room 0, their errors in room 1.  */
INLINE void
multiply (struct work *work, const double *x, const double *y, size_t n,
          const int errors)
{
  for (size_t i = 0; i < n; i += LANES)
    {
      const vector p = load (x + i), q = load (y + i), product = p * q;

      if (errors)
        store (work->room[1] + i, product_error (p, q, product));
      store (work->room[0] + i, product);
    }
}

static void
add_products (struct work *work, const double *x, const double *y, size_t n,
              unsigned k)
{
  if (work->task->problem.arithmetic == GT_F32)
    multiply (work, x, y, n, 0);
  else if (are_ordinary (x, y, n))
    multiply (work, x, y, n, 1);
  else
    {
      gt_product_add_array_f64 (&work->sums->product, x, 1, y, 1, n);
      return;
    }
  add (work, k, work->room[0], n);
  if (work->task->problem.arithmetic != GT_F32)
    add (work, k + 1, work->room[1], n);
}

static void
add_moments (struct work *work, const double *x, const double *y, size_t n)
{
  const struct gt_reduction_info *info
    = &gt_reductions[work->task->problem.reduction];

  if (info->plain > 0)
    add (work, 0, x, n);
  if (info->plain > 1)
    add (work, 1, y, n);
  add_products (work, x, y, n, info->plain);
}

INLINE void
add_terms_of (struct work *work, const double *x, const double *y, size_t n,
              const enum gt_reduction reduction, const unsigned count)
{
  for (size_t i = 0; i < n; i += LANES)
    {
      vector term[MOST_TERMS];

      terms_of (term, load (x + i), load (y + i), work->task, reduction);
      UNROLL
      for (unsigned k = 0; k < count; k++)
        store (work->room[k] + i, term[k]);
    }
  for (unsigned k = 0; k < count; k++)
    add (work, k, work->room[k], n);
}

static void
add_terms (struct work *work, const double *x, const double *y, size_t n)
{
  switch (work->task->problem.reduction)
    {
#define REDUCTION(id, name, algebra, inputs, plain, ...)                  \
    case GT_##id:                                                         \
      if (GT_ALGEBRA_##algebra == GT_ALGEBRA_TERMS && plain <= MOST_TERMS) \
        add_terms_of (work, x, y, n, GT_##id, plain);                     \
      break;
#include "kernels/reductions.def"
#undef REDUCTION
    default:
      break;
    }
}

/* ---------------------------------------------------------------- Tasks */

/* Products and their errors share an accumulator.  Returns how many runs.  */
static unsigned
begin (struct work *work, const struct gt_task *task,
       struct gt_exact_sums *sums)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  const unsigned runs = info->plain + 2 * info->products;

  work->task = task;
  work->sums = sums;
  gt_sums_clear_exact (task->problem.reduction, sums);
  if (info->products)
    gt_super_clear (&work->products);
  for (unsigned k = 0; k < runs; k++)
    gt_exact_run_begin (&work->run[k], &GT_FOR_ISA (gt_exact_isa),
                        UNROLL_INDEX,
                        k < info->plain ? &sums->plain[k] : &work->products);
  return runs;
}

static void
exact_sums (const struct gt_task *task, union gt_value *value)
{
  const struct gt_reduction_info *info
    = &gt_reductions[task->problem.reduction];
  struct work work;
  const unsigned runs = begin (&work, task, &value->exact);
  double copy[2][CHUNK];

  for (size_t i = 0, n = task->problem.n, count; i < n; i += count)
    {
      const double *x, *y;

      count = n - i < CHUNK ? n - i : CHUNK;
      x = y = elements (task, &task->x, i, count, copy[0]);
      if (info->inputs == 2)
        y = elements (task, &task->y, i, count, copy[1]);
      if (info->algebra == GT_ALGEBRA_TERMS)
        add_terms (&work, x, y, count);
      else
        add_moments (&work, x, y, count);
    }
  for (unsigned k = 0; k < runs; k++)
    gt_exact_run_end_f64 (&work.run[k]);
  if (info->products)
    gt_product_merge_plain (&value->exact.product, &work.products);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact_sums) (const struct gt_problem *problem,
                                unsigned unroll)
{
  (void) problem;
  (void) unroll;
  return exact_sums;
}

/* Exact sums of vectors on the host, from sums in twice the precision.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/reduce/exact_sums.h"
#include "src/reduce/sample.h"

#include <float.h>
#include <math.h>

#include "kernels/cpu/quick/quick.h"
#include "kernels/cutoffs.h"
#include "src/base/fpenv.h"
#include "src/reduce/block_sums.h"
#include "src/route/reduce.h"

/* For each reduction, the set of sums that contains its sum, and that sum.  */
static const struct
{
  enum gt_set set;
  enum gt_moment sum;
} sums[GT_N_REDUCTIONS] = {
  [GT_SUM] = {GT_SET_SUM, GT_MOMENT_1}, [GT_ASUM] = {GT_SET_MAGNITUDES, GT_MOMENT_1},
  [GT_SUMSQ] = {GT_SET_SQUARES, GT_MOMENT_2}, [GT_DOT] = {GT_SET_PRODUCTS, GT_MOMENT_PRODUCTS},
  [GT_CDOT] = {GT_SET_COMPLEX, GT_MOMENT_PRODUCTS}
};

/* From so many neighbouring floats on, their sums in double take less time than those in twice
   the precision.  */
#define LEAST_FLOATS ((size_t) 2 * GT_QUICK_LANES)

/* ------------------------------------------------ Elements that are not finite */

static double
element_of (const struct gt_task *task, const struct gt_operand *x, size_t i)
{
  return gt_part_arithmetic (task->problem.arithmetic) == GT_F32
           ? (double) ((const float *) x->data)[i] : ((const double *) x->data)[i];
}

/* Returns the number of sums of a task: products of complex numbers have two parts.  */
static inline int
sums_of (const struct gt_task *task)
{
  return 1 + (task->problem.reduction == GT_CDOT);
}

/* Returns the part of a complex product that has the product of part K / 2 of x and part K % 2
   of y.  */
static inline int
part_of (int k)
{
  return k == 1 || k == 2;
}

/* Returns the sign of that product.  SCALE is that of x's imaginary parts.  */
static inline int
sign_of (int k, double scale)
{
  return k >= 2 && (k == 3) == (scale > 0) ? -1 : 1;
}

/* Returns the task of part OF_X of the complex numbers x and part OF_Y of y.  */
static struct gt_task
task_of_parts (const struct gt_task *task, size_t of_x, size_t of_y)
{
  const enum gt_reduction reduction = task->problem.reduction;
  const enum gt_arithmetic arithmetic = gt_part_arithmetic (task->problem.arithmetic);
  const size_t size = gt_element_size (arithmetic);
  const struct gt_operand x = {(const char *) task->x.data + of_x * size, 2 * task->x.stride};
  const struct gt_operand y = {(const char *) task->y.data + of_y * size, 2 * task->y.stride};

  return gt_task_of_pair (reduction == GT_CDOT ? GT_DOT : reduction, arithmetic, GT_MODE_EXACT, x,
                          y, task->problem.n);
}

/* Returns the sum of those terms of a task that are not finite because elements are not.  */
static double
special_sum (const struct gt_task *task)
{
  const struct gt_problem *const p = &task->problem;
  const struct gt_operand *const x = &task->x, *const y = p->reduction == GT_DOT ? &task->y : x;
  double sum = 0;

  for (size_t i = gt_next_special (task, y != x, 0); i < p->n && !isnan (sum);
       i = gt_next_special (task, y != x, i + 1))
    {
      const double a = element_of (task, x, i * x->stride);

      sum += p->reduction == GT_SUM ? a : a * element_of (task, y, i * y->stride);
    }
  return sum;
}

/* Stores the same for both parts of the sum of complex products.  */
static void
special_products (const struct gt_task *task, double sum[2])
{
  for (size_t i = 0; i < task->problem.n && !(isnan (sum[0]) && isnan (sum[1])); i++)
    {
      const size_t at = 2 * i * task->x.stride, y_at = 2 * i * task->y.stride;
      const double x[2] = {element_of (task, &task->x, at), element_of (task, &task->x, at + 1)};
      const double y[2] = {element_of (task, &task->y, y_at),
                           element_of (task, &task->y, y_at + 1)};
      const int finite_x[2] = {isfinite (x[0]), isfinite (x[1])};
      const int finite_y[2] = {isfinite (y[0]), isfinite (y[1])};

      for (int k = 0; k < 4 && !(finite_x[0] & finite_x[1] & finite_y[0] & finite_y[1]); k++)
        if (!finite_x[k / 2] || !finite_y[k % 2])
          sum[part_of (k)] += sign_of (k, task->scale) * x[k / 2] * y[k % 2];
    }
}

/* Stores the sum of a task and START if it is infinite or NaN because elements are; otherwise
   returns 0.  */
static int
take_special (const struct gt_task *task, double start, double *to)
{
  double sum[2] = {isfinite (start) ? 0 : start, 0};

  if (gt_part_arithmetic (task->problem.arithmetic) > GT_F32)
    return 0;
  if (task->problem.reduction == GT_CDOT)
    special_products (task, sum);
  else if (!gt_is_complex (task->problem.arithmetic))
    sum[0] += special_sum (task);
  else
    for (size_t k = 0; k < 2; k++)
      {
        const struct gt_task part = task_of_parts (task, k, k);

        sum[0] += special_sum (&part);
      }
  for (int k = 0; k < sums_of (task); k++)
    to[k] = isnan (sum[k]) ? NAN : sum[k];
  return !isfinite (sum[0]) || !isfinite (sum[1]);
}

/* Adds many contiguous doubles.  Returns 0 if the sum has no bound.  */
static int
take_doubles (const struct gt_task *task, struct gt_ball *sum)
{
  const enum gt_reduction reduction = task->problem.reduction;
  const int is_complex = gt_is_complex (task->problem.arithmetic);
  const struct gt_quick of = {.x = task->x.data, .n = task->problem.n << is_complex,
                              .y = gt_reductions[reduction].inputs == 2 ? task->y.data
                                                                        : task->x.data,
                              .conjugated = task->scale < 0};
  struct gt_ball all[GT_N_MOMENTS];
  const int told = gt_quick_isa ()->sums (sums[reduction].set, &of, all);
  double special[2];

  sum[0] = all[sums[reduction].sum];
  if (reduction == GT_CDOT)
    sum[1] = all[GT_MOMENT_LAST];
  return told || (!take_special (task, 0, special) && gt_quick_isa ()->direct (task, 0, sum));
}

/* Returns whether the elements are contiguous doubles.  */
static inline int
are_plain (const struct gt_task *task)
{
  return gt_part_arithmetic (task->problem.arithmetic) == GT_F64 && task->x.stride == 1
         && (gt_reductions[task->problem.reduction].inputs == 1 || task->y.stride == 1);
}

/* Returns the largest number of elements for which direct sums are faster.  */
static inline size_t
most_direct (const struct gt_task *task)
{
  return task->problem.reduction == GT_CDOT ? GT_CUTOFF_COMPLEX_DIRECT : GT_CUTOFF_DIRECT;
}

/* Adds N elements of a block from element BEGIN on.  */
static int
take_block (const void *closure, size_t begin, size_t n, struct gt_ball *sum)
{
  const struct gt_task *const task = closure;
  struct gt_task block = *task;
  const size_t bytes = begin * gt_element_size (block.problem.arithmetic);

  block.x.data = (const char *) block.x.data + bytes * block.x.stride;
  if (gt_reductions[block.problem.reduction].inputs == 2)
    block.y.data = (const char *) block.y.data + bytes * block.y.stride;
  block.problem.n = n;
  return are_plain (&block) && n > most_direct (task) ? take_doubles (&block, sum)
                                                    : gt_quick_isa ()->direct (&block, 0, sum);
}

int
gt_exact_serves (const struct gt_problem *problem)
{
  return problem->mode == GT_MODE_EXACT && problem->arithmetic <= GT_F32
         && problem->n > GT_CUTOFF_BLOCKS
         && (problem->reduction == GT_SUM || sums[problem->reduction].set != GT_SET_SUM);
}

/* Adds all blocks, each by TAKE, with several threads if there are many.  Returns 0 if GPUs must be
   considered.  */
static int __attribute__ ((noinline))
take_blocks (const struct gt_task *task, gt_block_function *take, struct gt_ball *sum)
{
  const size_t n = task->problem.n;
  const int is_complex = gt_is_complex (task->problem.arithmetic);
  const struct gt_task part = is_complex ? task_of_parts (task, 0, 0) : *task;
  struct gt_problem problem = part.problem;
  unsigned threads = 1;

  problem.mode = GT_MODE_EXACT;
  problem.layout = part.x.stride == 1 && (problem.reduction != GT_DOT || part.y.stride == 1)
                     ? GT_CONTIGUOUS : GT_STRIDED;
  if (n > GT_CUTOFF_BLOCKS)
    {
      if (gt_reduce_asks_gpus (&problem))
        return 0;
      threads = gt_reduce_threads (&problem, 1);
    }
  return threads && gt_blocks_sum (n, GT_QUICK_BLOCK, threads, take, task,
                                    sums_of (task), sum);
}

/* Stores a ball that contains START plus the task's sum of elements, magnitudes, squares or
   products, for N >= 1 doubles or floats.  For complex numbers it is the sum over both parts,
   or the two parts of the sum of products.  If the radius is 0 the sum is exact.  Returns 0 if
   the sum has no bound, or must be computed in another way.  */
static int
take_ball (const struct gt_task *task, double start, struct gt_ball *sum)
{
  const size_t n = task->problem.n;

  if (n - 1 >= (size_t) 1 << 53)
    return 0;
  if (n <= most_direct (task) || (n <= GT_QUICK_BLOCK && !are_plain (task)))
    return gt_quick_isa ()->direct (task, start, sum);
  if (!(n <= GT_QUICK_BLOCK ? take_doubles (task, sum) : take_blocks (task, take_block, sum)))
    return 0;
  if (start != 0)
    *sum = gt_ball_sum (*sum, gt_ball_exactly (start));
  return 1;
}

/* Records that a call was computed here, unless it has few elements.  Returns 1.  */
static int
noted (size_t n)
{
  if (n > GT_CUTOFF_BLOCKS)
    gt_reduce_note (gt_way_names[GT_WAY_CPU]);
  return 1;
}

/* ------------------------------------------------------------------- Rounding */

/* Returns whether X is a power of two.  */
static int
is_power (double x)
{
  int exponent;

  return frexp (x, &exponent) == 0.5;
}

int
gt_exact_to_double (struct gt_ball sum, double by, int root, double *to)
{
  const int is_exact = sum.radius == 0 && (sum.h == 0 || !root);

  *to = sum.h;
  if (is_exact && (sum.h == 0 || by == 1))
    return 1;
  if (!gt_in_range (fabs (sum.h)))
    return 0;
  *to = sum.h / by;
  if (is_exact && is_power (by))
    return 1;
  if (by != 1)
    sum = gt_ball_quotient (sum, gt_ball_exactly (by));
  if (root)
    sum = gt_ball_root (sum);
  return gt_ball_round (sum, to);
}

int
gt_exact_to_float (struct gt_ball sum, int root, float *to)
{
  double rounded;

  *to = (float) sum.h;
  if (sum.radius == 0 && sum.l == 0 && (sum.h == 0 || !root))
    return 1;
  if (!gt_in_range (fabs (sum.h)))
    return 0;
  if (root)
    sum = gt_ball_root (sum);
  *to = gt_ball_round_to_float (sum, &rounded) ? (float) rounded : 0;
  return *to != 0;
}

/* Adds N neighbouring floats of a block, their magnitudes or squares, in double, where a term goes
   through fewer than 64 additions (doc/exact.md).  */
static int
take_floats (const void *closure, size_t begin, size_t n, struct gt_ball *sum)
{
  const struct gt_task *const task = closure;
  const int is_signed = task->problem.reduction == GT_SUM;
  const void *const x = (const float *) task->x.data + begin;
  const struct gt_quick of = {.x = x, .y = x, .n = n};
  struct gt_ball all[GT_N_MOMENTS];

  gt_quick_isa ()->fast (is_signed ? GT_SET_SPAN : sums[task->problem.reduction].set, &of, 0, 1, 0,
                         all);
  *sum = all[sums[task->problem.reduction].sum];
  *sum = gt_ball_widened (*sum, 0x1p-47 * (is_signed ? all[GT_MOMENT_DISTANCES].h : sum->h));
  return isfinite (sum->radius);
}

/* Stores a sum of floats, or its ROOT, if sums in double decide its rounding.  */
static int
take_doubles_of_floats (const struct gt_task *task, int root, float *to)
{
  const struct gt_problem *const p = &task->problem;
  struct gt_ball sum;

  return p->arithmetic == GT_F32 && gt_reductions[p->reduction].inputs == 1
         && p->n >= LEAST_FLOATS && p->n >> 53 == 0 && task->x.stride == 1
         && take_blocks (task, take_floats, &sum)
         && gt_exact_to_float (sum, root, to);
}

/* Does the same for sums in twice the precision, or special elements.  */
static int
take_float (const struct gt_task *task, double start, int root, float *to)
{
  struct gt_ball sum[2];
  double special[2];

  if (take_ball (task, start, sum))
    return gt_exact_to_float (sum[0], root, &to[0])
           && (sums_of (task) == 1 || gt_exact_to_float (sum[1], root, &to[1]));
  if (!take_special (task, start, special))
    return 0;
  for (int k = 0; k < sums_of (task); k++)
    to[k] = (float) special[k];
  return 1;
}

int
gt_exact_float (const struct gt_task *task, float start, int root, float *to)
{
  return gt_fpenv_is_default (GT_F64)
         && (take_doubles_of_floats (task, root, to)
             || take_float (task, (double) start, root, to))
         && noted (task->problem.n);
}

/* The number of elements, or of parts of complex numbers, that are scaled at a time: if their
   products would be smaller than balls can represent.  */
#define SCALED ((size_t) 256)

struct tiny
{
  const struct gt_task *task;
  double scale[2];
};

/* Adds the products of N scaled elements from BEGIN on.  */
static int
take_scaled (const void *closure, size_t begin, size_t n, struct gt_ball *sum)
{
  const struct tiny *const tiny = closure;
  const struct gt_problem *const p = &tiny->task->problem;
  const struct gt_operand *const of[2] = {&tiny->task->x, &tiny->task->y};
  const size_t parts = gt_is_complex (p->arithmetic) ? 2 : 1;
  double room[2][SCALED];
  struct gt_task scaled
    = gt_task_of_pair (p->reduction, p->arithmetic, GT_MODE_EXACT,
                       (struct gt_operand) {room[0], 1}, (struct gt_operand) {room[1], 1}, n);

  scaled.scale = tiny->task->scale;
  for (size_t k = 0; k < gt_reductions[p->reduction].inputs; k++)
    {
      const double *x = (const double *) of[k]->data + begin * of[k]->stride * parts;

      for (size_t i = 0; i < n * parts; i += parts, x += of[k]->stride * parts)
        {
          room[k][i] = x[0] * tiny->scale[k];
          room[k][i + parts - 1] = x[parts - 1] * tiny->scale[k];
        }
    }
  return gt_quick_isa ()->direct (&scaled, 0, sum);
}

/* Adds the products of subnormal numbers to SUM, or subtracts them if SIGN is -1.  Returns 0 if
   an element is not subnormal.  */
static int
add_subnormal (const struct gt_task *task, int sign, __int128 *sum)
{
  const uint64_t *x = task->x.data, *y = task->y.data;

  for (size_t i = task->problem.n; i > 0; i--, x += task->x.stride, y += task->y.stride)
    {
      const int64_t a = (int64_t) (*x << 1 >> 1), b = (int64_t) (*y << 1 >> 1);
      const int64_t negative = (int64_t) (*x ^ *y) >> 63;

      if ((uint64_t) (a | b) >> 52)
        return 0;
      *sum += (__int128) (((a ^ negative) - negative) * sign) * b;
    }
  return 1;
}

/* Stores the sum of products of subnormal numbers, which is zero with the sign of the exact
   sum, because it is less than half the smallest number.  Returns 0 if an element is not
   subnormal.  */
static int
take_subnormal (const struct gt_task *task, double *to)
{
  const int parts = sums_of (task);
  __int128 sum[2] = {0, 0};

  if (task->problem.n >> 20)
    return 0;
  for (int k = 0; k < parts * parts; k++)
    {
      const struct gt_task part = parts == 2 ? task_of_parts (task, (size_t) k / 2, (size_t) k % 2)
                                             : *task;

      if (!add_subnormal (&part, parts == 2 ? sign_of (k, task->scale) : 1, &sum[part_of (k)]))
        return 0;
    }
  for (int k = 0; k < parts; k++)
    to[k] = sum[k] < 0 ? -0.0 : 0.0;
  return 1;
}

/* Returns the magnitude of the first element, or the sum of those of its parts.  */
static double
first_of (const struct gt_task *task, const struct gt_operand *x)
{
  const double *const first = x->data;

  return fabs (first[0]) + (gt_is_complex (task->problem.arithmetic) ? fabs (first[1]) : 0);
}

/* Computes a sum of products of doubles, or its ROOT, from scaled elements, if the first
   product is tiny, and rounds it.  Returns 0 if the rounding is undecided.  */
static int __attribute__ ((noinline))
take_tiny (const struct gt_task *task, int root, double *to)
{
  const int two = gt_reductions[task->problem.reduction].inputs == 2;
  const int is_complex = gt_is_complex (task->problem.arithmetic);
  const double x = first_of (task, &task->x), y = first_of (task, two ? &task->y : &task->x);
  const int x_small = x < 0x1p-450, y_small = y < 0x1p-450;
  const struct tiny tiny = {task, {x_small ? 0x1p900 : 1, y_small ? 0x1p900 : 1}};
  struct gt_ball sum[2];
  int told;

  if (two && take_subnormal (task, to))
    return 1;
  told = x != 0 && y != 0 && x * y < 0x1p-900
         && gt_blocks_sum (task->problem.n, is_complex ? SCALED / 2 : SCALED, 1, take_scaled, &tiny,
                           (unsigned) sums_of (task), sum);
  for (int k = 0; told && k < sums_of (task); k++)
    told = root ? gt_ball_round_scaled (gt_ball_root (sum[k]), -900, &to[k])
                : gt_ball_round_scaled (sum[k], -900 * (x_small + y_small), &to[k]);
  return told;
}

static int
take_double (const struct gt_task *task, double by, int root, double *to)
{
  struct gt_ball sum[2];

  return take_ball (task, 0, sum)
           ? gt_exact_to_double (sum[0], by, root, &to[0])
               && (sums_of (task) == 1 || gt_exact_to_double (sum[1], by, root, &to[1]))
           : take_special (task, 0, to);
}

int
gt_exact_double (const struct gt_task *task, double by, int root, double *to)
{
  const int products = gt_part_arithmetic (task->problem.arithmetic) == GT_F64
                       && task->problem.n > 0 && gt_reductions[task->problem.reduction].products;
  int small;

  if (!gt_fpenv_is_default (GT_F64))
    return 0;
  small = products && first_of (task, &task->x) < 0x1p-450;
  return ((small && take_tiny (task, root, to)) || take_double (task, by, root, to)
          || (products && !small && take_tiny (task, root, to)))
         && noted (task->problem.n);
}

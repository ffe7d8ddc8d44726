/* Exact sums of products of two elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>

#include "kernels/catalog.h"
#include "kernels/cpu/exact/exact_products.h"
#include "kernels/cpu/exact/exact_lanes.h"
#include "kernels/inline.h"
#include "kernels/cpu/wide/products.h"
#include "kernels/cpu/isa/room.h"
#include "kernels/cpu/sums/sums.h"
#include "kernels/cpu/exact/two_products.h"

/* Products go to windows of their own (kernels/cpu/exact/exact_products.c), which are tried as
   kernels/cpu/exact/exact_add.c tries plain ones: on few products, then on more; where few do
   not fit, the next go the general way.

   This is to take products apart first, into chunks of P, the rounded products, and
   of E, their rounding errors, which engines for plain sums then add up.  If
   anything in a chunk is too near to the ends of the range for that, its products go
   to the accumulator of products one by one.

   The sums of P and of E, and those of products of floats, are collected in a
   superaccumulator, in which no sum of 2^64 doubles overflows, and from there moved to
   that of products.

   What they take is in the heap: the stacks of some programs' threads are short.  */

#define CHUNK 256
#define COPIED 1024 /* elements copied together at once */
#define BLOCK GT_PRODUCT_BLOCK (LANES)
#define UNROLL_INDEX 2
#define TRIAL 128  /* products that tell whether windows suit */
#define LONGEST_RETREAT (TRIAL << 8)
#define FULL (256 / GT_PRODUCT_CHAINS) /* blocks added to a total */
#define SLACK 1.25 /* between sums of magnitudes of blocks alike */

extern const struct gt_exact_isa GT_FOR_ISA (gt_exact_isa);

/* ------------------------------------------------------------- Elements */

typedef void gather_function (double *to, const void *data, size_t stride,
                              size_t n);

#define AT_ONCE 16
#define GT_TEMPLATE "kernels/cpu/exact/exact_gather.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

static gather_function *const gathers[]
  = {[GT_F64] = gather_f64, [GT_F32] = gather_f32};

/* N elements of OPERAND from element I on as doubles: where they lie, if MAY_LIE,
   or in BUFFER, there with zeros up to a whole vector.  */
static const double *
elements (const struct gt_task *task, const struct gt_operand *operand,
          size_t i, size_t n, int may_lie, double *buffer)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const char *from = (const char *) operand->data
                     + i * operand->stride * gt_element_size (arithmetic);

  if (may_lie && arithmetic == GT_F64 && operand->stride == 1)
    return (const void *) from;
  gathers[arithmetic](buffer, from, operand->stride, n);
  for (; n % LANES != 0; n++)
    buffer[n] = 0;
  return buffer;
}

/* ----------------------------------------------------------------- Sums */

/* The sum of products in windows, see struct gt_exact_run.  */
struct product_run
{
  gt_product_window_function *add;
  struct gt_product_window window;
  unsigned full;
  size_t reach, retreat;
  size_t left; /* products that go the general way */
};

/* The sum of a task on its way: what goes the general way is cut into products and their
   errors, of which ROOM has the chunks and each has a run.  */
struct work
{
  const struct gt_task *task;
  struct gt_product_accumulator *sum;
  struct gt_exact_run run[2];
  struct product_run product_run;
  struct gt_superaccumulator products;
  double room[2][CHUNK];
  double copy[2][COPIED];
};

/* ------------------------------------------------------------- Products */

/* Moves what the window holds to the superaccumulator.  A level that was not used
   is given up.  */
static void
flush_products (struct work *work)
{
  struct gt_product_window *w = &work->product_run.window;

  if (!gt_window_flush (&work->products, w->total, w->levels,
                        GT_PRODUCT_UNIT (w->top, 0), GT_PRODUCT_STEP)
      && (w->levels == 3 || w->levels == 4))
    w->levels--;
  memset (w->total, 0, sizeof w->total);
  work->product_run.full = FULL;
}

/* The sum of magnitudes, rounded.  */
static double
magnitude_of_products (const double *x, const double *y, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += fabs (x[i] * y[i]);
  return sum;
}

/* Takes note of factors that are not finite.  */
static void
note_special (struct work *work, const double *x, const double *y, size_t n)
{
  work->sum->flags |= GT_FOR_ISA (gt_exact_special_f64) (x, 1, y, 1, n);
}

/* Tries the window as it is, or as the products at hand want it, which must be few
   for that.  */
static int
try_products (struct work *work, const double *x, const double *y, size_t n)
{
  static const unsigned levels[] = {3, 4, GT_PRODUCT_LEVELS};
  struct product_run *run = &work->product_run;
  double m;

  if (run->window.levels && run->add (x, y, n, &run->window))
    return 1;
  if (run->window.levels && n > TRIAL)
    return 0;
  m = magnitude_of_products (x, y, n);
  if (!(m < GT_WINDOW_TOO_LARGE))
    {
      note_special (work, x, y, n);
      return 0;
    }
  flush_products (work);
  run->window.top = gt_window_top (m * SLACK);
  if (run->window.top < GT_PRODUCT_LOWEST_TOP)
    run->window.top = GT_PRODUCT_LOWEST_TOP;
  for (unsigned k = 0; k < sizeof levels / sizeof *levels; k++)
    {
      run->window.levels = levels[k];
      if (run->add (x, y, n, &run->window))
        return 1;
    }
  return 0;
}

/* The same, and chooses how many are tried next, or go the general way.  */
static int
products_fit (struct work *work, const double *x, const double *y, size_t n)
{
  struct product_run *run = &work->product_run;

  if (try_products (work, x, y, n))
    {
      run->reach = 4 * run->reach < BLOCK ? 4 * run->reach : BLOCK;
      run->retreat = TRIAL;
      if (--run->full == 0)
        flush_products (work);
      return 1;
    }
  if (n > TRIAL)
    run->reach = TRIAL;
  else
    {
      run->left = run->retreat;
      run->retreat *= run->retreat < LONGEST_RETREAT ? 2 : 1;
    }
  return 0;
}

/* Whether each of N products can be taken apart.  */
static int
are_ordinary (const double *x, const double *y, size_t n)
{
  words bad = {0};

  for (size_t i = 0; i < n; i += LANES)
    bad |= two_product_fails (load_doubles (x + i), load_doubles (y + i));
  return FOLD (LANES, words, |, bad) == 0;
}

/* Leaves the products of X and Y in room 0, their errors in room 1.  */
INLINE void
multiply_elements (struct work *work, const double *x, const double *y, size_t n,
                   const int errors)
{
  for (size_t i = 0; i < n; i += LANES)
    {
      const vector p = load_doubles (x + i), q = load_doubles (y + i), product = p * q;

      if (errors)
        store_doubles (work->room[1] + i, product_error (p, q, product));
      store_doubles (work->room[0] + i, product);
    }
}

/* N <= CHUNK products the general way.  Less than a vector's at the end is not worth one.  */
static void
add_any_products (struct work *work, const double *x, const double *y, size_t n)
{
  const int floats = work->task->problem.arithmetic == GT_F32;
  size_t whole = n - n % LANES;

  if (floats)
    multiply_elements (work, x, y, whole, 0);
  else if (are_ordinary (x, y, whole))
    multiply_elements (work, x, y, whole, 1);
  else
    whole = 0;
  for (int k = 0; k < 1 + !floats; k++)
    gt_exact_run_add_f64 (&work->run[k], work->room[k], whole, 1);
  gt_product_add_array_f64 (work->sum, x + whole, 1, y + whole, 1, n - whole);
}

static void
add_products (struct work *work, const double *x, const double *y, size_t n)
{
  struct product_run *run = &work->product_run;

  if (n < LANES) /* in a buffer, with zeros behind */
    n = LANES;
  for (size_t i = 0, count; i < n; i += count)
    {
      count = n - i;
      if (work->sum->flags) /* what is finite changes nothing */
        {
          note_special (work, x + i, y + i, count);
          return;
        }
      if (run->left == 0)
        {
          count = count < run->reach ? count : run->reach;
          if (!products_fit (work, x + i, y + i, count))
            count = 0;
          continue;
        }
      count = count < run->left ? count : run->left;
      count = count < CHUNK ? count : CHUNK;
      add_any_products (work, x + i, y + i, count);
      run->left -= count;
    }
}

/* ---------------------------------------------------------------- Tasks */

/* Products and their errors share an accumulator.  */
static void
begin (struct work *work, const struct gt_task *task, struct gt_product_accumulator *sum)
{
  work->task = task;
  work->sum = sum;
  gt_product_clear (sum);
  gt_super_clear (&work->products);
  memset (&work->product_run, 0, sizeof work->product_run);
  work->product_run.add = task->problem.arithmetic == GT_F32
                            ? GT_FOR_ISA (gt_products_of_floats)
                            : GT_FOR_ISA (gt_products_of_doubles);
  work->product_run.full = FULL;
  work->product_run.reach = work->product_run.retreat = TRIAL;
  for (int k = 0; k < 2; k++)
    gt_exact_run_begin (&work->run[k], &GT_FOR_ISA (gt_exact_isa), UNROLL_INDEX,
                        &work->products);
}

/* Whether elements can be taken where they lie, in blocks.  */
static int
lie_well (const struct gt_task *task, unsigned inputs)
{
  return task->problem.arithmetic == GT_F64 && task->x.stride == 1
         && (inputs == 1 || task->y.stride == 1);
}

static void
exact_sums (const struct gt_task *task, union gt_value *value)
{
  const unsigned inputs = gt_reductions[task->problem.reduction].inputs;
  const size_t most = lie_well (task, inputs) ? BLOCK : COPIED;
  void *heap;
  struct work *work = GT_ROOM (heap, sizeof *work);

  begin (work, task, &value->exact.product);
  for (size_t i = 0, n = task->problem.n, count; i < n; i += count)
    {
      const double *x, *y;
      int may_lie;

      count = n - i < most ? n - i : most;
      may_lie = count >= LANES;
      x = y = elements (task, &task->x, i, count, may_lie, work->copy[0]);
      if (inputs == 2)
        y = elements (task, &task->y, i, count, may_lie, work->copy[1]);
      add_products (work, x, y, count);
    }
  for (int k = 0; k < 2; k++)
    gt_exact_run_end_f64 (&work->run[k]);
  flush_products (work);
  gt_product_merge_plain (&value->exact.product, &work->products);
  free (heap);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_exact_sums) (const struct gt_problem *problem,
                                unsigned unroll)
{
  (void) problem;
  (void) unroll;
  return exact_sums;
}

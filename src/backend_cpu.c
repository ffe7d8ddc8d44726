/* Runs CPU kernels: cuts a vector into one part a thread and adds the sums of
   the parts in their order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/backend_cpu.h"

#include <omp.h>

#include "kernels/cpu/combine.h"
#include "src/env.h"
#include "src/fpenv.h"
#include "src/names.h"

/* Parts begin on whole pages' worth of elements, so that threads share no
   cache line.  */
#define PART_BYTES 4096

/* A fast sum shorter than this is computed in the caller's floating-point
   environment, as gsl_vector_sum is: reading the control word waits for every
   addition before it, so that short sums could no longer overlap.  */
#define SHORT 4096

struct parts
{
  unsigned count;
  size_t length; /* elements of each but the last */
};

static struct parts
cut (size_t n, size_t size, unsigned threads)
{
  size_t unit = PART_BYTES / size;
  struct parts parts = {threads < GT_MAX_THREADS ? threads : GT_MAX_THREADS,
                        0};

  parts.length = n / parts.count / unit * unit;
  if (parts.length == 0)
    parts.count = 1;
  return parts;
}

static void
sum_part (const struct gt_plan *plan, const struct parts *parts, unsigned part,
          size_t size, const void *data, size_t n, size_t stride,
          union gt_sum *sum)
{
  size_t begin = part * parts->length;
  size_t end = part + 1 == parts->count ? n : begin + parts->length;

  plan->function ((const char *) data + begin * stride * size, end - begin,
                  stride, sum);
}

/* Exact sums are merged as they come: any order gives the same bits, and no
   room for the accumulators of all parts is needed.  */
__attribute__ ((noinline)) static void
sum_parts_exactly (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                   const void *data, size_t n, size_t stride,
                   union gt_sum *sum)
{
  size_t size = gt_arithmetics[arithmetic].size;
  struct parts parts = cut (n, size, plan->config.threads);
  int threads = gt_forked || omp_in_parallel () ? 1 : (int) parts.count;

  gt_super_clear (&sum->super);
#pragma omp parallel num_threads (threads) if (threads > 1)
  {
    unsigned team = (unsigned) omp_get_num_threads ();
    union gt_sum of_part;
    struct gt_fpenv env;

    gt_fpenv_enter (&env, arithmetic);
    for (unsigned k = (unsigned) omp_get_thread_num (); k < parts.count;
         k += team)
      {
        sum_part (plan, &parts, k, size, data, n, stride, &of_part);
#pragma omp critical (gt_exact_sum)
        gt_sum_merge (arithmetic, GT_MODE_EXACT, sum, &of_part);
      }
    gt_fpenv_leave (&env);
  }
}

/* Not inlined: a sum by one thread needs none of this frame.  */
__attribute__ ((noinline)) static void
sum_parts (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
           enum gt_mode mode, const void *data, size_t n, size_t stride,
           union gt_sum *sum)
{
  size_t size = gt_arithmetics[arithmetic].size;
  struct parts parts = cut (n, size, plan->config.threads);
  int threads = gt_forked || omp_in_parallel () ? 1 : (int) parts.count;
  union gt_sum of_part[GT_MAX_THREADS];
  struct gt_fpenv env;

#pragma omp parallel num_threads (threads) private (env) if (threads > 1)
  {
    unsigned team = (unsigned) omp_get_num_threads ();

    gt_fpenv_enter (&env, arithmetic);
    for (unsigned k = (unsigned) omp_get_thread_num (); k < parts.count;
         k += team)
      sum_part (plan, &parts, k, size, data, n, stride, &of_part[k]);
    gt_fpenv_leave (&env);
  }
  gt_fpenv_enter (&env, arithmetic);
  *sum = of_part[0];
  for (unsigned k = 1; k < parts.count; k++)
    gt_sum_merge (arithmetic, mode, sum, &of_part[k]);
  gt_fpenv_leave (&env);
}

void
gt_cpu_sum (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
            enum gt_mode mode, const void *data, size_t n, size_t stride,
            union gt_sum *sum)
{
  struct gt_fpenv env;

  if (plan->config.threads > 1 && mode == GT_MODE_EXACT)
    {
      sum_parts_exactly (plan, arithmetic, data, n, stride, sum);
      return;
    }
  if (plan->config.threads > 1)
    {
      sum_parts (plan, arithmetic, mode, data, n, stride, sum);
      return;
    }
  if (mode == GT_MODE_FAST && n < SHORT)
    {
      plan->function (data, n, stride, sum);
      return;
    }
  gt_fpenv_enter (&env, arithmetic);
  plan->function (data, n, stride, sum);
  gt_fpenv_leave (&env);
}

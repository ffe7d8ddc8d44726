/* Runs CPU kernels: cuts a vector into one part a thread and adds the sums of
   the parts in their order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/backend_cpu.h"

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/cpu/combine.h"
#include "src/fpenv.h"
#include "src/names.h"

/* Parts begin on whole pages' worth of elements, so that threads share no
   cache line.  */
#define PART_BYTES 4096

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

/* One sum by a team.  Part K is computed by whoever sets bit K of `claimed'
   first.  */
struct shared
{
  const struct gt_plan *plan;
  enum gt_arithmetic arithmetic;
  struct parts parts;
  const char *data;
  size_t n;
  size_t step; /* bytes from one element to the next */
  size_t stride;
  union gt_sum *of_part; /* of each part; exact mode: of all */
  pthread_mutex_t merging;
  _Alignas (64) _Atomic uint64_t claimed[GT_MAX_THREADS / 64];
};

/* Claims part FIRST, or the next after it, around the end, that nobody has.
   Returns it, or the number of parts when none is left.  */
static unsigned
claim (struct shared *s, unsigned first)
{
  for (unsigned i = 0, k = first; i < s->parts.count; i++)
    {
      _Atomic uint64_t *word = &s->claimed[k / 64];
      uint64_t bit = UINT64_C (1) << k % 64;

      if (!(atomic_load_explicit (word, memory_order_relaxed) & bit)
          && !(atomic_fetch_or_explicit (word, bit, memory_order_relaxed)
               & bit))
        return k;
      k = k + 1 < s->parts.count ? k + 1 : 0;
    }
  return s->parts.count;
}

static void
sum_part (const struct shared *s, unsigned part, union gt_sum *sum)
{
  size_t begin = part * s->parts.length;
  size_t end = part + 1 == s->parts.count ? s->n : begin + s->parts.length;

  s->plan->function (s->data + begin * s->step, end - begin, s->stride, sum);
}

/* Member M begins with part M, which was M's in the sum before: a vector that
   is added again lies in the cache of the core that adds it.  */
static void
sum_claimed (void *closure, unsigned member)
{
  struct shared *s = closure;
  struct gt_fpenv env;
  unsigned k = member;

  gt_fpenv_enter (&env, s->arithmetic);
  while ((k = claim (s, k)) < s->parts.count)
    sum_part (s, k, &s->of_part[k]);
  gt_fpenv_leave (&env);
}

/* Exact sums are merged as they come: any order gives the same bits, and no
   room for the accumulators of all parts is needed.  */
static void
sum_claimed_exactly (void *closure, unsigned member)
{
  struct shared *s = closure;
  union gt_sum of_part;
  struct gt_fpenv env;
  unsigned k = member;

  gt_fpenv_enter (&env, s->arithmetic);
  while ((k = claim (s, k)) < s->parts.count)
    {
      sum_part (s, k, &of_part);
      pthread_mutex_lock (&s->merging);
      gt_sum_merge (s->arithmetic, GT_MODE_EXACT, s->of_part, &of_part);
      pthread_mutex_unlock (&s->merging);
    }
  gt_fpenv_leave (&env);
}

static struct shared
share (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
       const void *data, size_t n, size_t stride, union gt_sum *of_part)
{
  size_t size = gt_arithmetics[arithmetic].size;

  return (struct shared) {.plan = plan,
                          .arithmetic = arithmetic,
                          .parts = cut (n, size, plan->config.threads),
                          .data = data,
                          .n = n,
                          .step = stride * size,
                          .stride = stride,
                          .of_part = of_part,
                          .merging = PTHREAD_MUTEX_INITIALIZER};
}

__attribute__ ((noinline)) static void
sum_parts_exactly (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                   const void *data, size_t n, size_t stride,
                   union gt_sum *sum)
{
  struct shared s = share (plan, arithmetic, data, n, stride, sum);

  gt_super_clear (&sum->super);
  gt_team_run (s.parts.count, sum_claimed_exactly, &s);
}

/* Not inlined: a sum by one thread needs none of this frame.  */
__attribute__ ((noinline)) static void
sum_parts (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
           enum gt_mode mode, const void *data, size_t n, size_t stride,
           union gt_sum *sum)
{
  union gt_sum of_part[GT_MAX_THREADS];
  struct shared s = share (plan, arithmetic, data, n, stride, of_part);
  struct gt_fpenv env;

  gt_team_run (s.parts.count, sum_claimed, &s);
  gt_fpenv_enter (&env, arithmetic);
  *sum = of_part[0];
  for (unsigned k = 1; k < s.parts.count; k++)
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
  if (mode == GT_MODE_FAST && n < GT_CALLERS_ENV)
    {
      plan->function (data, n, stride, sum);
      return;
    }
  gt_fpenv_enter (&env, arithmetic);
  plan->function (data, n, stride, sum);
  gt_fpenv_leave (&env);
}

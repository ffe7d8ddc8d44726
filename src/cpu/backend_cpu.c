/* Runs CPU kernels.  Several threads share a vector's parts and pieces
   (parts.h); the sums of the pieces are added in their order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/backend_cpu.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/parts.h"

/* Leading part and compensation of any arithmetic.  */
#define VALUE_BYTES (2 * sizeof (long double))

/* One sum by a team.  */
struct shared
{
  const struct gt_plan *plan;
  enum gt_arithmetic arithmetic;
  const char *data;
  size_t step;           /* bytes from one element to the next */
  size_t stride;
  char (*value)[VALUE_BYTES]; /* of each piece, by number; not exact mode */
  union gt_value *exact;   /* of all; exact mode */
  pthread_mutex_t merging;
  struct gt_parts parts;
};

/* -------------------------------------------------------------- Members */

static void
sum_piece (const struct shared *s, const struct gt_piece *piece,
           union gt_value *sum)
{
  s->plan->function (s->data + piece->begin * s->step, piece->n, s->stride,
                     sum);
}

/* Member M begins with part M.  */
static void
sum_claimed (void *closure, unsigned member)
{
  struct shared *s = closure;
  struct gt_fpenv env;
  struct gt_piece piece;
  union gt_value sum;

  gt_fpenv_enter (&env, s->arithmetic);
  while (gt_parts_claim (&s->parts, &member, &piece))
    {
      sum_piece (s, &piece, &sum);
      memcpy (s->value[piece.number], &sum, VALUE_BYTES);
    }
  gt_fpenv_leave (&env);
}

/* Exact sums are merged as they come: any order gives the same bits, and no
   room for the accumulators of all pieces is needed.  */
static void
sum_claimed_exactly (void *closure, unsigned member)
{
  struct shared *s = closure;
  union gt_value mine, sum;
  struct gt_piece piece;
  struct gt_fpenv env;

  if (!gt_parts_claim (&s->parts, &member, &piece))
    return;
  gt_fpenv_enter (&env, s->arithmetic);
  sum_piece (s, &piece, &mine);
  while (gt_parts_claim (&s->parts, &member, &piece))
    {
      sum_piece (s, &piece, &sum);
      gt_value_merge (s->arithmetic, GT_MODE_EXACT, &mine, &sum);
    }
  gt_fpenv_leave (&env);
  pthread_mutex_lock (&s->merging);
  gt_value_merge (s->arithmetic, GT_MODE_EXACT, s->exact, &mine);
  pthread_mutex_unlock (&s->merging);
}

/* ----------------------------------------------------------------- Sums */

static void
share (struct shared *s, const struct gt_plan *plan,
       enum gt_arithmetic arithmetic, enum gt_mode mode, const void *data,
       size_t n, size_t stride)
{
  s->plan = plan;
  s->arithmetic = arithmetic;
  s->data = data;
  s->step = stride * gt_arithmetics[arithmetic].size;
  s->stride = stride;
  gt_parts_cut (&s->parts, arithmetic, mode, n, stride, plan->config.threads);
}

__attribute__ ((noinline)) static void
sum_parts_exactly (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                   const void *data, size_t n, size_t stride,
                   union gt_value *sum)
{
  struct shared s;

  share (&s, plan, arithmetic, GT_MODE_EXACT, data, n, stride);
  s.exact = sum;
  pthread_mutex_init (&s.merging, NULL);
  gt_super_clear (&sum->super);
  gt_team_run (s.parts.parts, sum_claimed_exactly, &s);
  pthread_mutex_destroy (&s.merging);
}

/* Adds the sums of all pieces, in their order.  */
static void
add_up (const struct shared *s, enum gt_mode mode, union gt_value *sum)
{
  size_t numbers = gt_parts_numbers (&s->parts);
  struct gt_fpenv env;
  union gt_value one;

  gt_fpenv_enter (&env, s->arithmetic);
  memcpy (sum, s->value[0], VALUE_BYTES);
  for (size_t k = 1; k < numbers; k++)
    if (gt_parts_has (&s->parts, k))
      {
        memcpy (&one, s->value[k], VALUE_BYTES);
        gt_value_merge (s->arithmetic, mode, sum, &one);
      }
  gt_fpenv_leave (&env);
}

/* Not inlined: a sum by one thread needs none of this frame.  */
__attribute__ ((noinline)) static void
sum_parts (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
           enum gt_mode mode, const void *data, size_t n, size_t stride,
           union gt_value *sum)
{
  char few[GT_MAX_THREADS][VALUE_BYTES];
  struct shared s;
  void *many = NULL;

  share (&s, plan, arithmetic, mode, data, n, stride);
  s.value = few;
  if (gt_parts_numbers (&s.parts) > GT_MAX_THREADS)
    {
      many = malloc (gt_parts_numbers (&s.parts) * VALUE_BYTES);
      s.value = many;
    }
  if (s.value == NULL)
    {
      gt_parts_coarsen (&s.parts);
      s.value = few;
    }
  gt_team_run (s.parts.parts, sum_claimed, &s);
  add_up (&s, mode, sum);
  free (many);
}

void
gt_cpu_sum (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
            enum gt_mode mode, const void *data, size_t n, size_t stride,
            union gt_value *sum)
{
  struct gt_fpenv env;

  if (plan->config.threads > 1 && n > 0 && mode == GT_MODE_EXACT)
    {
      sum_parts_exactly (plan, arithmetic, data, n, stride, sum);
      return;
    }
  if (plan->config.threads > 1 && n > 0)
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

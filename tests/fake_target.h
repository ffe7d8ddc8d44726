/* A device that is not there: its sums are the oracle's, wrong where a test
   wants them wrong, and its times are what a test says.  Extremes, and several sums at
   once, are what a test computes, on data that is there.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_FAKE_TARGET_H
#define GT_TEST_FAKE_TARGET_H

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/search/sweep.h"

/* One sum asked of the fake.  */
struct fake_sum
{
  const struct gt_candidate *candidate;
  enum gt_mode mode;
  uint64_t offset, n, stride; /* elements */
  int cancelling;             /* of the data that cancels */
  unsigned special;           /* 1 + which of the special vectors; or 0 */
};

struct fake
{
  struct gt_target target; /* first: the operations get its address */
  char hard[GT_HARD_N * sizeof (long double)];
  char storage[8];            /* only their addresses count */
  /* Makes RESULT, which is right, wrong; or fails with -1 and the target's `why'.  */
  int (*tamper) (struct fake *, const struct fake_sum *, union gt_value *result);
  /* Computes a task of extremes or of several sums at once.  */
  void (*by_test) (struct fake *, const struct gt_task *,
                   union gt_value *result);
  /* The time of the next sum of a candidate; below 0: it fails.  */
  double (*clock) (struct fake *, const struct gt_candidate *);
  /* The same after a pause; null: a pause makes no difference.  */
  double (*clock_spaced) (struct fake *, const struct gt_candidate *);
  unsigned sums, timings;  /* so far */
  unsigned spaced;         /* timings after pauses */
  unsigned renewals;       /* of threads */
  int lost;
  void *context;           /* the test's own */
};

static inline void
fake_result (const struct fake *fake, const struct fake_sum *s,
             union gt_value *result)
{
  memset (result, 0, sizeof *result);
  if (s->special)
    *result = gt_data_special_sum (GT_SUM, fake->target.data.arithmetic,
                                   s->special - 1);
  else if (!s->cancelling)
    *result = gt_data_sum (&fake->target.data, s->offset, s->n, s->stride);
  else
    *result = gt_data_cancelling_sum (fake->target.data.arithmetic);
}

static inline int
fake_compute (struct gt_target *target, const struct gt_candidate *candidate,
              const struct gt_task *task, union gt_value *result)
{
  struct fake *fake = (struct fake *) target;
  const char *from = task->x.data;
  struct fake_sum s = {candidate, task->problem.mode, 0, task->problem.n,
                       task->x.stride, from == target->hard, 0};

  fake->sums++;
  if (gt_reductions[task->problem.reduction].algebra != GT_ALGEBRA_ADD)
    {
      memset (result, 0xcb, sizeof *result);
      fake->by_test (fake, task, result);
      return 0;
    }
  if (from > target->hard && from < target->hard + sizeof fake->hard)
    s.special = 1 + (unsigned) (((size_t) (from - target->hard)
                                 / target->data.size - GT_CANCELLING_N)
                                / GT_SPECIAL_N);
  else if (!s.cancelling)
    s.offset = (uint64_t) (from - target->buffer) / target->data.size;
  fake_result (fake, &s, result);
  return fake->tamper ? fake->tamper (fake, &s, result) : 0;
}

static inline int
fake_put (struct gt_target *target, uint64_t at, const void *from, size_t n)
{
  size_t size = target->data.size;

  assert_true ((at + n) * size <= target->bytes);
  memcpy (target->buffer + at * size, from, n * size);
  return 0;
}

static inline int
fake_time (struct gt_target *target, const struct gt_candidate *candidate,
           const struct gt_problem *problem, double at_least, double *seconds)
{
  struct fake *fake = (struct fake *) target;

  (void) problem;
  (void) at_least;
  fake->timings++;
  *seconds = fake->clock (fake, candidate);
  if (*seconds >= 0)
    return 0;
  snprintf (target->why, sizeof target->why, "timing: it fails");
  return -1;
}

static inline double
fake_time_spaced (struct gt_target *target,
                  const struct gt_candidate *candidate,
                  const struct gt_problem *problem)
{
  struct fake *fake = (struct fake *) target;

  (void) problem;
  fake->spaced++;
  return fake->clock_spaced ? fake->clock_spaced (fake, candidate)
                            : fake->clock (fake, candidate);
}

static inline void
fake_renew (struct gt_target *target)
{
  ((struct fake *) target)->renewals++;
}

static inline int
fake_lost (const struct gt_target *target)
{
  return ((const struct fake *) target)->lost;
}

/* BYTES of data of KIND seem to be there; not a GPU unless the test says so.  */
static inline void
fake_open_kind (struct fake *fake, enum gt_arithmetic arithmetic, size_t bytes,
                enum gt_data_kind kind)
{
  static const struct gt_target_ops ops
    = {.compute = fake_compute, .put = fake_put, .time = fake_time,
       .time_spaced = fake_time_spaced, .renew = fake_renew, .lost = fake_lost};

  memset (fake, 0, sizeof *fake);
  fake->target.ops = &ops;
  fake->target.device = gt_device_host ();
  /* Keeps gsl_vector_sum from being timed: there are no elements.  */
  fake->target.gpu = (struct gt_open_gpu *) (void *) fake->storage;
  fake->target.buffer = fake->storage;
  fake->target.hard = fake->hard;
  fake->target.bytes = bytes;
  fake->target.loaded = 1;
  assert_int_equal (gt_data_init (&fake->target.data,
                                  gt_part_arithmetic (arithmetic), kind), 0);
}

static inline void
fake_open (struct fake *fake, enum gt_arithmetic arithmetic, size_t bytes)
{
  fake_open_kind (fake, arithmetic, bytes, GT_DATA_WHOLE);
}

static inline void
fake_close (struct fake *fake)
{
  gt_data_clear (&fake->target.data);
}

#endif

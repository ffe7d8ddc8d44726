/* A device that is not there: its results are right, or wrong where a test wants them wrong,
   and its times are what a test says.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_FAKE_TARGET_H
#define GT_TEST_FAKE_TARGET_H

#include "src/base/names.h"
#include "tuning/measure/target.h"

struct fake
{
  struct gt_target target; /* first: the operations get its address */
  char storage[8];         /* only its address counts */
  /* Makes RESULT, which is right, wrong; or fails with -1 and the target's `why'.  */
  int (*tamper) (struct fake *, const struct gt_candidate *, union gt_value *result);
  /* The time of the next sum of a candidate; below 0: it fails.  */
  double (*clock) (struct fake *, const struct gt_candidate *);
  /* The same after a pause; null: a pause makes no difference.  */
  double (*clock_spaced) (struct fake *, const struct gt_candidate *);
  unsigned sums, timings;  /* so far */
  unsigned spaced;         /* timings after pauses */
  unsigned renewals;       /* of threads */
  int lost;
  uint64_t n;              /* of the sum that was timed last */
  void *context;           /* the test's own */
};

static inline int
fake_compute (struct gt_target *target, const struct gt_candidate *candidate,
              const struct gt_task *task, union gt_value *result)
{
  struct fake *fake = (struct fake *) target;

  fake->sums++;
  *result = gt_verify_expected (task);
  return fake->tamper ? fake->tamper (fake, candidate, result) : 0;
}

static inline int
fake_time (struct gt_target *target, const struct gt_candidate *candidate,
           const struct gt_problem *problem, double at_least, double *seconds)
{
  struct fake *fake = (struct fake *) target;

  (void) at_least;
  fake->n = problem->n;
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

/* BYTES of data are there; not on a GPU unless the test says so.  */
static inline void
fake_open (struct fake *fake, enum gt_arithmetic arithmetic, size_t bytes)
{
  static const struct gt_target_ops ops
    = {.compute = fake_compute, .time = fake_time, .time_spaced = fake_time_spaced,
       .renew = fake_renew, .lost = fake_lost};

  memset (fake, 0, sizeof *fake);
  fake->target.ops = &ops;
  fake->target.device = gt_device_host ();
  /* Keeps gsl_vector_sum from being timed.  */
  fake->target.gpu = (struct gt_open_gpu *) (void *) fake->storage;
  fake->target.buffer = fake->target.here = malloc (bytes);
  assert_non_null (fake->target.buffer);
  fake->target.bytes = fake->target.readable = bytes;
  fake->target.loaded = 1;
  assert_int_equal (gt_data_init (&fake->target.data, arithmetic, GT_DATA_WHOLE), 0);
  gt_data_fill (&fake->target.data, fake->target.buffer, bytes);
}

static inline void
fake_close (struct fake *fake)
{
  gt_data_clear (&fake->target.data);
  free (fake->target.buffer);
}

#endif

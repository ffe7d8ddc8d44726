/* Decides by what elements are sorted, indexed and selected, from which length on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/sort_ways.h"

#include <stdio.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/setup.h"
#include "src/plan/plan.h"

#define THREADS_FROM ((uint64_t) 1 << 18)

/* These are estimates.  Types of one byte have no index of ours; an index of a type of
   few values has ties soon.  */
#define X(id, name, ctype, real) [GT_##id] = {96, THREADS_FROM, 0},
#define INDEX(id, from) [GT_##id] = {from, THREADS_FROM, 0},
#define SELECT(id, name, ctype, real) [GT_##id] = {0, UINT64_MAX, 0},
struct gt_sort_from gt_sort_from[GT_N_SORT_JOBS][GT_N_ARITHMETICS] = {
  [GT_SORT_JOB_SORT] = {GT_ARITHMETICS (X)},
  [GT_SORT_JOB_INDEX]
  = {INDEX (F64, 768) INDEX (F32, 768) INDEX (LDBL, 768) INDEX (I64, 768) INDEX (U64, 768)
     INDEX (I32, 768) INDEX (U32, 768) INDEX (I16, 1536) INDEX (U16, 1536)
     INDEX (I8, UINT64_MAX) INDEX (U8, UINT64_MAX)},
  [GT_SORT_JOB_SELECT] = {GT_ARITHMETICS (SELECT)},
};
#undef X
#undef INDEX
#undef SELECT

static struct gt_sort_from estimated[GT_N_SORT_JOBS][GT_N_ARITHMETICS];
static unsigned char measured[GT_N_SORT_JOBS][GT_N_ARITHMETICS];
static const char *const job_names[GT_N_SORT_JOBS] = {"sort", "sort_index", "select"};

_Atomic uint64_t gt_sort_asked;

/* Unsigned integers take what signed ones do, and an index or a selection what those of numbers
   of the same size do.  */
enum gt_arithmetic
gt_sort_leader (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  const int real = !gt_is_integer (arithmetic);

  if (job == GT_SORT_JOB_SORT)
    return real ? arithmetic : size == 8 ? GT_I64 : GT_I32;
  return size >= 8 ? GT_F64 : real || (size == 4 && job == GT_SORT_JOB_INDEX) ? GT_F32
         : size == 4 ? GT_I32
         : size == 2 ? GT_I16
                     : (enum gt_arithmetic) GT_CHAR;
}

void
gt_sort_kind_text (enum gt_sort_job job, enum gt_arithmetic arithmetic,
                   char text[GT_STEP_KIND_SIZE])
{
  snprintf (text, GT_STEP_KIND_SIZE, "%s %s", job_names[job], gt_arithmetics[arithmetic].name);
}

/* ------------------------------------------------------------------ Profiles */

/* Sets TO, which other threads may be reading.  */
static void
set (struct gt_sort_from *to, uint64_t ours, uint64_t shared, unsigned threads)
{
  atomic_store (&to->ours, ours);
  atomic_store (&to->shared, shared);
  atomic_store (&to->threads, threads);
}

/* Sets TO as N steps say.  Those of a sort before vqsort are GSL's.  Returns 0 if none names
   GSL's function alone or a way that is there.  */
static int
follow (enum gt_sort_job job, enum gt_arithmetic arithmetic, const struct gt_step *steps,
        unsigned n, struct gt_sort_from *to)
{
  const char *const way = job == GT_SORT_JOB_SORT ? GT_STEP_VQSORT : GT_STEP_OWN;
  uint64_t ours = UINT64_MAX, shared = UINT64_MAX;
  unsigned threads = 1;
  int others = 0;

  for (unsigned k = 0; k < n; k++)
    {
      others |= strcmp (steps[k].way, GT_STEP_GSL) != 0;
      if (strcmp (steps[k].way, way) != 0)
        continue;
      if (ours == UINT64_MAX)
        ours = steps[k].from;
      if (steps[k].config.threads > 1 && shared == UINT64_MAX)
        shared = steps[k].from;
      threads = steps[k].config.threads > threads ? steps[k].config.threads : threads;
    }
  if (others && (ours == UINT64_MAX || !gt_sort_can_be_ours (job, arithmetic)))
    return 0;
  if (job == GT_SORT_JOB_INDEX && ours < GT_SORT_LEAST_INDEX)
    ours = GT_SORT_LEAST_INDEX;
  set (to, ours, shared, threads);
  return 1;
}

static void
read_profile (void)
{
  char kind[GT_STEP_KIND_SIZE];
  unsigned n;

  for (int job = 0; job < GT_N_SORT_JOBS; job++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      {
        struct gt_sort_from *const from = &gt_sort_from[job][a];
        const struct gt_step *steps;

        if (gt_is_complex ((enum gt_arithmetic) a))
          continue;
        gt_sort_kind_text ((enum gt_sort_job) job,
                           gt_sort_leader ((enum gt_sort_job) job, (enum gt_arithmetic) a), kind);
        steps = gt_host_steps (kind, &n);
        measured[job][a]
          = n > 0 && estimated[job][a].ours != UINT64_MAX
            && follow ((enum gt_sort_job) job, (enum gt_arithmetic) a, steps, n, from);
      }
}

static void
begin (void)
{
  memcpy (estimated, gt_sort_from, sizeof estimated);
  read_profile ();
}

static _Atomic unsigned changed; /* gt_steps_changed, when the profile was read */

void
gt_sort_prepare (void)
{
  static struct gt_once once;
  const unsigned now = atomic_load_explicit (&gt_steps_changed, memory_order_relaxed);

  gt_once (&once, begin);
  if (atomic_exchange (&changed, now) != now)
    gt_sort_force (GT_SORT_JOB_SORT, GT_F64, NULL);
  atomic_store (&gt_sort_asked, GT_SORT_EARLY);
}

int
gt_sort_is_measured (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  gt_sort_prepare ();
  return measured[job][arithmetic];
}

void
gt_sort_force (enum gt_sort_job job, enum gt_arithmetic arithmetic,
               const struct gt_sort_from *from)
{
  if (from)
    {
      set (&gt_sort_from[job][arithmetic], from->ours, from->shared, from->threads);
      return;
    }
  for (int j = 0; j < GT_N_SORT_JOBS; j++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      set (&gt_sort_from[j][a], estimated[j][a].ours, estimated[j][a].shared,
           estimated[j][a].threads);
  read_profile ();
}

/* --------------------------------------------------------------------- Ways */

unsigned
gt_sort_most_threads (void)
{
  const struct gt_plans *const plans = gt_host_plans ();
  const int there = plans->device ? plans->device->host.threads : 1;

  return (unsigned) (gt_env.threads > 0 && gt_env.threads < there ? gt_env.threads : there);
}

uint64_t
gt_sort_begins (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  return gt_sort_can_be_ours (job, arithmetic)
           ? atomic_load_explicit (&gt_sort_from[job][arithmetic].ours, memory_order_relaxed)
           : UINT64_MAX;
}

unsigned
gt_sort_threads (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n)
{
  const struct gt_sort_from *const from = &gt_sort_from[job][arithmetic];
  const unsigned threads = atomic_load_explicit (&from->threads, memory_order_relaxed);
  unsigned most;

  if (n < atomic_load_explicit (&from->shared, memory_order_relaxed))
    return 1;
  most = gt_sort_most_threads ();
  return threads > 0 && threads < most ? threads : most;
}

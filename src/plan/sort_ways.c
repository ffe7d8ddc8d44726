/* Chooses how elements are sorted, indexed and selected, depending on their number.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/sort_ways.h"

#include <stdio.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/base/setup.h"
#include "src/plan/model.h"
#include "src/plan/plan.h"

/* Nanoseconds that one thread takes for a byte; threads that sort are a team about so many
   times.  */
#define BYTE_NS 0.5
#define TEAMS 8

/* Estimates.  Types of one byte have no index of ours; an index of a type of few values has ties
   soon.  */
#define SORT(id, name, ctype, real) [GT_SORT_FUNCTION (GT_SORT_JOB_SORT, GT_##id)] = 40,
#define INDEX(id, from) [GT_SORT_FUNCTION (GT_SORT_JOB_INDEX, GT_##id)] = from,
#define SELECT(id, name, ctype, real) [GT_SORT_FUNCTION (GT_SORT_JOB_SELECT, GT_##id)] = 1,
#define ESTIMATES                                                                               \
  {                                                                                             \
    GT_ARITHMETICS (SORT) GT_ARITHMETICS (SELECT)                                               \
    INDEX (F64, 768) INDEX (F32, 768) INDEX (LDBL, 768) INDEX (I64, 768) INDEX (U64, 768)       \
    INDEX (I32, 768) INDEX (U32, 768) INDEX (I16, 1536) INDEX (U16, 1536)                       \
    INDEX (I8, UINT64_MAX) INDEX (U8, UINT64_MAX)                                               \
  }
#define N_FUNCTIONS (GT_N_SORT_JOBS * GT_N_ARITHMETICS)
_Atomic uint64_t gt_sort_from[N_FUNCTIONS] = ESTIMATES;
static const uint64_t estimates[N_FUNCTIONS] = ESTIMATES;

static const char *const job_names[GT_N_SORT_JOBS] = {"sort", "sort_index", "select"};

_Atomic uint64_t gt_sort_asked;

/* Returns the arithmetic whose measurements are used: unsigned integers share those of signed
   ones, and indexes and selections share those of numbers of the same size.  */
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

static enum gt_sort_job
job_of (unsigned function)
{
  return (enum gt_sort_job) (function / GT_N_ARITHMETICS);
}

static int
write_kind (unsigned function, unsigned kind, char text[GT_STEP_KIND_SIZE])
{
  const enum gt_sort_job job = job_of (function);
  const enum gt_arithmetic arithmetic = (enum gt_arithmetic) (function % GT_N_ARITHMETICS);

  (void) kind;
  if (estimates[function] == 0 || estimates[function] == UINT64_MAX
      || !gt_sort_can_be_ours (job, arithmetic))
    return 0;
  gt_sort_kind_text (job, gt_sort_leader (job, arithmetic), text);
  return 1;
}

static int
way_called (unsigned function, const char *name)
{
  const int is_sort = job_of (function) == GT_SORT_JOB_SORT;

  return strcmp (name, GT_STEP_GSL) == 0 ? 0
         : strcmp (name, is_sort ? GT_STEP_VQSORT : GT_STEP_OWN) == 0 ? GT_SORT_OURS : -1;
}

static struct gt_ready *_Atomic ready[N_FUNCTIONS];
static _Atomic int begun;

const struct gt_choices gt_sorts = {
  "sorts", N_FUNCTIONS, 1, write_kind, way_called, estimates, gt_sort_from, ready, &begun
};

void
gt_sort_prepare (void)
{
  atomic_store (&gt_sort_asked, GT_SORT_EARLY);
  gt_steps_begin (&gt_sorts);
}

/* --------------------------------------------------------------------- Ways */

uint64_t
gt_sort_begins (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  const unsigned function = GT_SORT_FUNCTION (job, arithmetic);

  gt_ready (&gt_sorts, function, 0);
  return gt_sort_can_be_ours (job, arithmetic)
           ? atomic_load_explicit (&gt_sort_from[function], memory_order_relaxed) : UINT64_MAX;
}

unsigned
gt_sort_threads (enum gt_sort_job job, enum gt_arithmetic arithmetic, size_t n)
{
  const struct gt_forced *const forced = gt_forced (&gt_sorts);
  const struct gt_model_work work = {
    .ns = (double) n * (double) gt_arithmetics[arithmetic].size * BYTE_NS / TEAMS
  };
  const struct gt_ready *steps;
  unsigned threads, most;

  if (forced)
    return forced->threads;
  if (atomic_load_explicit (&gt_sort_asked, memory_order_relaxed) < GT_SORT_EARLY)
    return 1;
  steps = gt_ready (&gt_sorts, GT_SORT_FUNCTION (job, arithmetic), 0);
  threads = steps && steps->n
              ? steps->steps[gt_ready_step (steps, n)].config.threads
              : gt_model_threads (&gt_device_host ()->host, &work, gt_most_threads ());
  if (threads == 1)
    return 1;
  most = gt_most_threads ();
  return threads < most ? threads : most;
}

/* The questions by what elements are sorted, indexed and selected fastest, from which length on.
   Each kind (src/plan/sort_ways.h) is asked for random data, and short data also in descending
   order, on which small sorts are slowest.

   Limitations.  Elements are contiguous, and in the caches, as far as they fit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/question.h"

#include <string.h>

#include "src/base/names.h"
#include "src/plan/model.h"
#include "src/plan/sort_ways.h"
#include "tuning/measure/procedures.h"
#include "tuning/measure/sorts.h"

#define THREADED 8192.0 /* elements */
#define LONG 4096       /* elements, which are in random order alone */
#define LONGEST 262144

static const uint64_t lengths[]
  = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096,
     8192, 16384, 32768, 65536, 131072, LONGEST};
#define N_LENGTHS (sizeof lengths / sizeof *lengths)

struct kind
{
  enum gt_sort_job job;
  enum gt_arithmetic arithmetic;
  enum gt_taken_id taken;
  const struct gt_question *question;
  struct gt_sort_data data;
  uint64_t expected[LONGEST]; /* elements or an index */
};

static enum gt_taken_id
taken_of (enum gt_sort_job job, enum gt_arithmetic arithmetic)
{
  static const char *const names[GT_N_SORT_JOBS] = {"sort", "sort_index", "select"};
  int id = GT_FIRST_SORT;

  while (strcmp (gt_taken[id].name, names[job]) != 0
         || gt_types[gt_taken[id].element].arithmetic != arithmetic)
    id++;
  return (enum gt_taken_id) id;
}

/* Threads have nothing to share in a selection.  */
static void
list_ways (enum gt_sort_job job, struct gt_question *q)
{
  const char *const ours = job == GT_SORT_JOB_SORT ? GT_STEP_VQSORT : GT_STEP_OWN;
  const unsigned all = job == GT_SORT_JOB_SELECT ? 1 : gt_most_threads ();

  gt_add_way (q, GT_STEP_GSL, 0, 1);
  for (unsigned threads = 1; threads <= all; threads = gt_next_threads (threads, all))
    gt_add_way (q, ours, GT_SORT_OURS, threads);
}

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct kind *const kind = closure;

  kind->job = (enum gt_sort_job) (k / GT_N_ARITHMETICS);
  kind->arithmetic = (enum gt_arithmetic) (k % GT_N_ARITHMETICS);
  kind->question = q;
  if (!options->procedures || gt_is_complex (kind->arithmetic)
      || !(options->arithmetics >> kind->arithmetic & 1)
      || gt_sort_leader (kind->job, kind->arithmetic) != kind->arithmetic
      || !gt_sort_can_be_ours (kind->job, kind->arithmetic)
      || (kind->job == GT_SORT_JOB_INDEX && gt_arithmetics[kind->arithmetic].size == 1))
    return 0;
  kind->taken = taken_of (kind->job, kind->arithmetic);
  gt_sort_kind_text (kind->job, kind->arithmetic, q->kind);
  list_ways (kind->job, q);
  for (size_t i = 0; i < N_LENGTHS; i++)
    if (kind->job != GT_SORT_JOB_INDEX || lengths[i] >= GT_SORT_LEAST_INDEX)
      {
        q->variants[q->sizes] = lengths[i] < LONG ? 2 : 1;
        q->size[q->sizes++] = (double) lengths[i];
      }
  return 1;
}

static int
prepare (void *closure, unsigned i, unsigned variant)
{
  struct kind *const kind = closure;

  return gt_sort_data_make (&kind->data, kind->taken,
                            variant ? GT_SORT_DESCENDING : GT_SORT_RANDOM,
                            (uint64_t) kind->question->size[i], SIZE_MAX) == 0 ? -1 : 0;
}

static void
release (void *closure)
{
  gt_sort_data_free (&((struct kind *) closure)->data);
}

static void
call (void *closure, unsigned way)
{
  struct kind *const kind = closure;
  const struct gt_procedure_pair *const pair = gt_procedure_functions (kind->taken);

  gt_sort_call (kind->taken, way ? pair->ours : pair->gsl, &kind->data);
}

/* A selection orders the elements differently from GSL's.  */
static int
check (void *closure, unsigned way, int first)
{
  struct kind *const kind = closure;
  const int index = kind->job == GT_SORT_JOB_INDEX;
  const void *const result = index ? kind->data.room : kind->data.data;
  const size_t size = kind->data.n * (index ? sizeof (size_t)
                                            : gt_arithmetics[kind->arithmetic].size);

  call (closure, way);
  if (first)
    memcpy (kind->expected, result, size);
  return kind->job == GT_SORT_JOB_SELECT || memcmp (kind->expected, result, size) == 0;
}

int
gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
               int resuming, int (*stop) (void))
{
  static const struct gt_question_family sorts
    = {.label = "CPU", .text = "sorts", .kinds = GT_N_SORT_JOBS * GT_N_ARITHMETICS, .ask = ask,
       .prepare = prepare, .release = release, .check = check, .call = call, .choices = &gt_sorts,
       .threaded = THREADED, .rising = 1};
  static struct kind kind;

  gt_sort_prepare ();
  return gt_questions_answer (&sorts, &kind, options, profile, resuming, stop);
}

/* Evaluates the counters of a program's calls.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/gains.h"
#include "tuning/measure/listed.h"

/* Lengths whose calls take a smaller share of the time than MATTERS are not measured.  All
   measurements together take about SECONDS, and one length at most MOST_SECONDS.  */
#define MATTERS 0.005
#define SECONDS 2.0
#define MOST_SECONDS 0.1

/* The relative uncertainty of a time because the data is not the program's own.  */
#define OTHER_DATA 0.1

double
gt_calls_seconds (const struct gt_counts_bucket *bucket)
{
  return bucket->timed == 0 ? 0
         : 1e-9 * (double) bucket->nanoseconds * (double) bucket->calls
             / (double) bucket->timed;
}

/* ------------------------------------------------------------------- Copy */

/* Terminates an array of text, in case the program has not.  */
#define END(array) ((array)[sizeof (array) - 1] = '\0')

struct gt_counts *
gt_calls_copy (const struct gt_counts *counts, const struct gt_counts *head)
{
  const size_t bytes = gt_counts_bytes (head);
  struct gt_counts *copy = malloc (bytes);

  if (copy == NULL)
    return NULL;
  memcpy (copy, counts, bytes);
  *copy = *head;
  copy->processes = counts->processes;
  copy->loaded = counts->loaded;
  copy->samples = counts->samples;
  copy->samples_within = counts->samples_within;
  copy->samples_beside = counts->samples_beside;
  for (uint32_t k = 0; k < copy->n_libraries; k++)
    END (gt_counts_libraries (copy)[k].object);
  for (uint32_t k = 0; k < copy->n_unreached; k++)
    {
      END (gt_counts_unreached (copy)[k].object);
      END (gt_counts_unreached (copy)[k].symbol);
    }
  return copy;
}

/* -------------------------------------------------------------- Functions */

static void
add_bucket (struct gt_counts_bucket *to, const struct gt_counts_bucket *more)
{
  to->calls += more->calls;
  to->elements += more->elements;
  to->strided += more->strided;
  for (int k = 0; k < 2; k++)
    to->strides[k] += more->strides[k];
  to->timed += more->timed;
  to->nanoseconds += more->nanoseconds;
}

static int
by_time (const void *a, const void *b)
{
  const struct gt_calls_of *x = a, *y = b;
  const double s = x->seconds + x->nested_seconds;
  const double t = y->seconds + y->nested_seconds;

  return s != t ? (s < t) - (s > t) : (x->id > y->id) - (x->id < y->id);
}

/* Adds the calls of SLOT, which are either NESTED in calls of other functions or not.  */
static void
add_slot (struct gt_calls_of *of, int nested, const struct gt_counts_slot *slot)
{
  for (unsigned k = 0; k < GT_N_OUTCOMES; k++)
    of->outcome[k] += slot->outcome[k];
  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    if (nested)
      {
        of->nested_calls += slot->bucket[k].calls;
        of->nested_seconds += gt_calls_seconds (&slot->bucket[k]);
      }
    else
      add_bucket (&of->length[k].counts, &slot->bucket[k]);
}

int
gt_calls_read (const struct gt_counts *counts, struct gt_calls *calls)
{
  const struct gt_counts_slot *const slots = gt_counts_slots (counts);

  memset (calls, 0, sizeof *calls);
  calls->functions = calloc (GT_N_TAKEN, sizeof *calls->functions);
  if (calls->functions == NULL || gt_calls_read_samples (counts, calls))
    return -1;
  for (unsigned id = 0; id < GT_N_TAKEN; id++)
    {
      struct gt_calls_of *const of = &calls->functions[calls->n];

      *of = (struct gt_calls_of) {.id = (enum gt_taken_id) id};
      for (unsigned s = 0; s < 2 * GT_COUNTS_STRIPES; s++)
        add_slot (of, s % 2, &slots[gt_counts_slot_of (id, s % 2, s / 2)]);
      for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
        {
          of->calls += of->length[k].counts.calls;
          of->seconds += gt_calls_seconds (&of->length[k].counts);
        }
      calls->n += of->calls + of->nested_calls > 0;
      calls->n_calls += of->calls + of->nested_calls;
      calls->n_nested += of->nested_calls;
      calls->seconds += of->seconds;
    }
  qsort (calls->functions, calls->n, sizeof *calls->functions, by_time);
  return 0;
}

void
gt_calls_clear (struct gt_calls *calls)
{
  free (calls->functions);
  free (calls->beside);
}

/* ------------------------------------------------------------------ Gains */

static int
matters (const struct gt_calls *calls, const struct gt_calls_length *length)
{
  return length->counts.calls > 0
         && gt_calls_seconds (&length->counts) >= MATTERS * calls->seconds;
}

/* Returns the stride to measure with: the calls' mean stride if most calls have one other than
   1, otherwise 1.  */
static uint64_t
stride_of (const struct gt_counts_bucket *bucket, int operand)
{
  return 2 * bucket->strided > bucket->calls
           ? bucket->strides[operand] / bucket->strided : 1;
}

/* Returns whether calls of the lengths in bucket K, which begins with a power of two, are left
   to GSL; the function is intercepted for FROM elements or more.  */
static int
is_left (const struct gt_calls_of *of, uint32_t from, unsigned k)
{
  if (from < GT_TAKEN_SIGNS && from & GT_TAKEN_UNBOUND)
    return of->outcome[GT_OUTCOME_PROGRAM] > 0
           || k < gt_counts_bucket_of (from & ~GT_TAKEN_UNBOUND);
  if (from < GT_TAKEN_SIGNS && from & GT_TAKEN_INSIDE)
    return of->outcome[GT_OUTCOME_SIGNS] > 0
           || k < gt_counts_bucket_of (from & ~GT_TAKEN_INSIDE);
  return from >= GT_TAKEN_SIGNS || k < gt_counts_bucket_of (from);
}

/* Measures one length.  A mode that leaves the function to GSL gains nothing.  */
static void
measure_length (struct gt_calls *calls, const struct gt_gains *gains, struct gt_calls_of *of,
                unsigned k, uint32_t (*from)[GT_N_TAKEN], double seconds, int is_report)
{
  const enum gt_taken_id id = of->id;
  struct gt_calls_length *const length = &of->length[k];
  const double taken = gt_calls_seconds (&length->counts);
  const uint64_t stride[]
    = {stride_of (&length->counts, 0), stride_of (&length->counts, 1)};
  struct gt_gain gain;

  if (gt_gain_measure (gains, id,
                       length->counts.elements / length->counts.calls,
                       stride, seconds, is_report, &gain)
      || gain.gsl <= 0)
    return;
  length->measured = 1;
  for (int m = 0; m < GT_N_CHOSEN_MODES; m++)
    {
      if (is_left (of, from[m][id], k))
        continue;
      length->gained[m] = is_report ? gain.gsl * (double) length->counts.calls - taken
                                    : taken * (1 - gain.ours[m] / gain.gsl);
      calls->gained[m] += length->gained[m];
      calls->doubt[m] += (gain.spread + OTHER_DATA)
                         * (is_report ? gain.gsl * (double) length->counts.calls : taken);
    }
}

const char *
gt_calls_measure (struct gt_calls *calls, const char *path, int is_report)
{
  struct gt_gains *gains;
  uint32_t from[GT_N_CHOSEN_MODES][GT_N_TAKEN];
  unsigned n = 0;

  for (int m = 0; m < GT_N_CHOSEN_MODES; m++)
    gt_taken_choose (getenv ("GSLTUNE_PRELOAD"), gt_mode_names[m], from[m]);
  gains = gt_gains_open (path);
  if (gains == NULL)
    return "libgsltune or GSL cannot be loaded";
  for (size_t f = 0; f < calls->n; f++)
    for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
      n += matters (calls, &calls->functions[f].length[k]);
  for (size_t f = 0; f < calls->n; f++)
    for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
      {
        struct gt_calls_of *const of = &calls->functions[f];
        const uint32_t most = from[GT_MODE_FAST][of->id]; /* other modes have no larger
                                                             number */

        if (is_left (of, most, k))
          {
            of->length[k].measured = 1; /* nothing is gained */
            if (most < GT_TAKEN_SLOWER)
              calls->n_few += of->length[k].counts.calls;
          }
        else if (matters (calls, &of->length[k]))
          measure_length (calls, gains, of, k, from, fmin (MOST_SECONDS, SECONDS / n), is_report);
      }
  gt_gains_close (gains);
  return NULL;
}

/* A program's calls: putting together what was counted.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/report/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/elf.h"
#include "tuning/measure/gains.h"
#include "tuning/measure/listed.h"

/* Calls that take a smaller share of the time than MATTERS are not measured.  All measuring
   takes about so many seconds, and that of one length at most so many.  */
#define MATTERS 0.005
#define SECONDS 2.0
#define MOST_SECONDS 0.1

/* So much of a time may be due to data that is not the program's own.  */
#define OTHER_DATA 0.1

double
gt_calls_seconds (const struct gt_counts_bucket *bucket)
{
  return bucket->timed == 0 ? 0
         : 1e-9 * (double) bucket->nanoseconds * (double) bucket->calls
             / (double) bucket->timed;
}

/* ------------------------------------------------------------------- Copy */

/* Text without an end ends with its array.  */
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
  for (uint32_t k = 0; k < copy->n_callers; k++)
    {
      END (gt_counts_callers (copy)[k].object);
      END (gt_counts_callers (copy)[k].symbol);
    }
  for (uint32_t k = 0; k < copy->n_unreached; k++)
    {
      END (gt_counts_unreached (copy)[k].object);
      END (gt_counts_unreached (copy)[k].symbol);
    }
  return copy;
}

/* ---------------------------------------------------------------- Callers */

/* The files that were read; one more takes the place of the oldest.  Callers come in no
   order, and reading a large file's symbols takes long.  */
struct names
{
  struct
  {
    char object[sizeof ((struct gt_counts_place *) 0)->object];
    struct gt_elf *elf;
  } file[16];
  unsigned next;
};
enum { N_FILES = sizeof ((struct names *) 0)->file
                 / sizeof *((struct names *) 0)->file };

/* The file at PATH, or null.  */
static const struct gt_elf *
look_into (struct names *names, const char *path)
{
  const unsigned next = names->next;

  for (unsigned k = 0; k < N_FILES; k++)
    if (strcmp (names->file[k].object, path) == 0)
      return names->file[k].elf;
  gt_elf_close (names->file[next].elf);
  names->file[next].elf = gt_elf_open (path);
  strcpy (names->file[next].object, path);
  names->next = (next + 1) % N_FILES;
  return names->file[next].elf;
}

/* Sets the name of a caller; one that has none keeps where it is.  */
static void
name_caller (const struct gt_counts_place *caller, struct names *names,
             struct gt_calls_from *from)
{
  const struct gt_elf *elf
    = caller->symbol[0] == '+' ? look_into (names, caller->object) : NULL;
  const char *name
    = elf ? gt_elf_function (elf, strtoull (caller->symbol + 1, NULL, 16))
          : NULL;

  strcpy (from->object, caller->object);
  snprintf (from->symbol, sizeof from->symbol, "%s",
            name ? name : caller->symbol);
}

static int
same_place (const struct gt_calls_from *a, const struct gt_calls_from *b)
{
  return a->id == b->id && a->nested == b->nested
         && strcmp (a->symbol, b->symbol) == 0
         && strcmp (a->object, b->object) == 0;
}

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

static void
add_slot (struct gt_calls_from *from, const struct gt_counts_slot *slot)
{
  struct gt_counts_slot *const to = &from->counts;

  if (slot->largest_stride > to->largest_stride)
    to->largest_stride = slot->largest_stride;
  for (unsigned k = 0; k < GT_N_OUTCOMES; k++)
    to->outcome[k] += slot->outcome[k];
  from->seconds = 0;
  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    {
      add_bucket (&to->bucket[k], &slot->bucket[k]);
      from->calls += slot->bucket[k].calls;
      from->strided += slot->bucket[k].strided;
      from->seconds += gt_calls_seconds (&to->bucket[k]);
    }
}

/* Takes slot K; 0 if nothing was counted there.  */
static int
take_slot (const struct gt_counts *counts, uint32_t k, struct names *names,
           struct gt_calls_from *from)
{
  const struct gt_counts_slot *slot = &gt_counts_slots (counts)[k];
  uint32_t caller = 0;

  memset (from, 0, sizeof *from);
  if (k < GT_COUNTS_OWN_SLOTS)
    {
      from->id = (enum gt_taken_id) (k / 2);
      from->nested = k % 2;
    }
  else if (slot->key == 0)
    return 0;
  else
    {
      from->id = (enum gt_taken_id) ((slot->key >> 33) - 1);
      from->nested = (slot->key & GT_COUNTS_NESTED) != 0;
      caller = (uint32_t) slot->key % GT_COUNTS_MOST_CALLERS;
    }
  add_slot (from, slot);
  if (from->calls == 0 || from->id >= GT_N_TAKEN
      || caller >= counts->n_callers)
    return 0;
  if (caller)
    name_caller (&gt_counts_callers (counts)[caller], names, from);
  else
    strcpy (from->object, "others");
  return 1;
}

/* Several places of one function, or several processes, count as one.  */
static int
read_slots (const struct gt_counts *counts, struct gt_calls *calls)
{
  struct names names = {0};
  size_t capacity = 0, k = 0;

  for (uint32_t s = 0; s < counts->n_slots; s++)
    {
      struct gt_calls_from *const more
        = calls->n_from < capacity
            ? calls->from
            : reallocarray (calls->from, capacity = 2 * capacity + 16,
                            sizeof *more);

      if (more == NULL)
        break;
      calls->from = more;
      if (!take_slot (counts, s, &names, &more[calls->n_from]))
        continue;
      for (k = 0; !same_place (&more[k], &more[calls->n_from]); k++)
        continue;
      if (k < calls->n_from)
        add_slot (&more[k], &more[calls->n_from].counts);
      else
        calls->n_from++;
    }
  for (k = 0; k < N_FILES; k++)
    gt_elf_close (names.file[k].elf);
  return calls->from ? 0 : -1;
}

/* -------------------------------------------------------------- Functions */

static int
by_function_and_time (const void *a, const void *b)
{
  const struct gt_calls_from *x = a, *y = b;

  return x->id != y->id ? (x->id > y->id) - (x->id < y->id)
         : x->seconds != y->seconds
           ? (x->seconds < y->seconds) - (x->seconds > y->seconds)
           : strcmp (x->symbol, y->symbol);
}

static int
by_time (const void *a, const void *b)
{
  const struct gt_calls_of *x = a, *y = b;
  const double s = x->seconds + x->nested_seconds;
  const double t = y->seconds + y->nested_seconds;

  return s != t ? (s < t) - (s > t) : (x->id > y->id) - (x->id < y->id);
}

static void
add_to_function (struct gt_calls_of *of, const struct gt_calls_from *from)
{
  of->n_from++;
  for (unsigned k = 0; k < GT_N_OUTCOMES; k++)
    of->outcome[k] += from->counts.outcome[k];
  if (from->nested)
    {
      of->nested_calls += from->calls;
      of->nested_seconds += from->seconds;
      return;
    }
  of->calls += from->calls;
  of->seconds += from->seconds;
  for (unsigned k = 0; k < GT_COUNTS_BUCKETS; k++)
    add_bucket (&of->length[k].counts, &from->counts.bucket[k]);
}

int
gt_calls_read (const struct gt_counts *counts, struct gt_calls *calls)
{
  memset (calls, 0, sizeof *calls);
  if (read_slots (counts, calls) || gt_calls_read_samples (counts, calls))
    return -1;
  qsort (calls->from, calls->n_from, sizeof *calls->from,
         by_function_and_time);
  calls->functions = calloc (calls->n_from + 1, sizeof *calls->functions);
  if (calls->functions == NULL)
    return -1;
  for (size_t k = 0; k < calls->n_from; k++)
    {
      const struct gt_calls_from *from = &calls->from[k];

      if (k == 0 || from->id != from[-1].id)
        calls->functions[calls->n++]
          = (struct gt_calls_of) {.id = from->id, .from = from};
      add_to_function (&calls->functions[calls->n - 1], from);
    }
  for (size_t k = 0; k < calls->n; k++)
    {
      calls->n_calls += calls->functions[k].calls;
      calls->n_nested += calls->functions[k].nested_calls;
      calls->seconds += calls->functions[k].seconds;
    }
  calls->n_calls += calls->n_nested;
  qsort (calls->functions, calls->n, sizeof *calls->functions, by_time);
  return 0;
}

void
gt_calls_clear (struct gt_calls *calls)
{
  free (calls->from);
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

/* Returns the stride that counts of an operand: the mean stride of calls of the mean
   length, where most calls have one.  */
static uint64_t
stride_of (const struct gt_counts_bucket *bucket, int operand)
{
  return 2 * bucket->strided > bucket->calls
           ? bucket->strides[operand] / bucket->strided : 1;
}

/* Whether calls of the lengths in bucket K, each of which begins with a power of two, are
   GSL's own.  */
static int
is_left (uint32_t from, unsigned k)
{
  return from >= GT_TAKEN_SLOWER || k < gt_counts_bucket_of (from);
}

/* A mode in which the function is left to GSL gains nothing.  */
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
      if (is_left (from[m][id], k))
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
        const uint32_t most = from[GT_MODE_FAST][of->id]; /* others have no more */

        if (is_left (most, k))
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

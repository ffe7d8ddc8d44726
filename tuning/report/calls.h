/* A program's calls, as `gsltune run --count' and `--report' show them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLS_H
#define GT_CALLS_H

#include <stdint.h>
#include <stdio.h>

#include "kernels/types.h"
#include "src/preload/counts.h"

/* Calls of one function of lengths in one bucket, nested ones left out.  */
struct gt_calls_length
{
  struct gt_counts_bucket counts;
  int measured;                /* whether the following is known */
  double gained[GT_N_CHOSEN_MODES]; /* seconds of the program's that a mode would save, of --report
                                  that it did; negative if it loses */
};

struct gt_calls_of
{
  enum gt_taken_id id;
  uint64_t calls, nested_calls;
  double seconds, nested_seconds; /* the first without nested calls' */
  uint64_t outcome[GT_N_OUTCOMES];
  struct gt_calls_length length[GT_COUNTS_BUCKETS];
};

/* A function of GSL that the program called, and that took time in none of these calls.  */
struct gt_calls_beside
{
  char name[96];
  uint64_t samples;
};

struct gt_calls
{
  struct gt_calls_of *functions; /* by their time */
  size_t n;
  struct gt_calls_beside *beside; /* by their time */
  size_t n_beside;
  uint64_t n_calls, n_nested; /* the former with the latter */
  double seconds;
  double gained[GT_N_CHOSEN_MODES];
  double doubt[GT_N_CHOSEN_MODES]; /* by so many seconds these may be wrong */
  uint64_t n_few; /* calls of so few elements that they stay GSL's own; of --count, and
                     without those made in the course of others */
};

/* The run as a whole.  */
struct gt_calls_run
{
  char *const *program; /* its words, null at the end */
  int is_report;        /* whether ours were called, not GSL's */
  double seconds, cpu_seconds;
  double lost; /* how often other work took the program's processor */
  int status; /* as of wait () */
  const char *no_gains; /* why gains were not measured, or null */
  const char *unloaded; /* why the object was not loaded, or null */
  const struct gt_counts *counts;
};

/* Returns a checked copy of what was counted, to be freed, or null when memory is
   short.  The program may have written anything there, and processes that it started
   may still do so; HEAD is what the memory began with.  */
struct gt_counts *gt_calls_copy (const struct gt_counts *counts,
                                 const struct gt_counts *head);

/* Adds up what was counted.  Returns 0, or -1 when memory is short.  */
int gt_calls_read (const struct gt_counts *counts, struct gt_calls *calls);
void gt_calls_clear (struct gt_calls *calls);

/* The time of a bucket's calls, by those of them that were timed.  */
double gt_calls_seconds (const struct gt_counts_bucket *bucket);

/* Measures what would be gained, or with --report was gained, wherever it matters, with the
   functions of the object at PATH.  Returns why it could not, or null.  */
const char *gt_calls_measure (struct gt_calls *calls, const char *path, int is_report);

/* The samples among what was counted, which gt_calls_read reads too; 0, or -1 when memory is
   short.  */
int gt_calls_read_samples (const struct gt_counts *counts, struct gt_calls *calls);

/* Says in two sentences what a user wants to know first: how much of the time is in GSL, and
   what each mode would make of it.  */
void gt_calls_print_shares (const struct gt_calls *calls, const struct gt_calls_run *run,
                            FILE *stream);

/* For people, and as JSON.  The latter returns 0, or -1 when memory is short or STREAM
   cannot be written.  */
void gt_calls_print (const struct gt_calls *calls,
                     const struct gt_calls_run *run, FILE *stream);
int gt_calls_print_json (const struct gt_calls *calls,
                         const struct gt_calls_run *run, FILE *stream);

#endif

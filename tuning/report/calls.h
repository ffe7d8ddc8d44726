/* A program's calls, as `gsltune run --count' and `--report' show them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CALLS_H
#define GT_CALLS_H

#include <stdint.h>
#include <stdio.h>

#include "kernels/types.h"
#include "src/preload/counts.h"

/* The calls of one function whose lengths belong to one bucket, without nested ones.  */
struct gt_calls_length
{
  struct gt_counts_bucket counts;
  int measured;                /* whether the following member is valid */
  double gained[GT_N_CHOSEN_MODES]; /* seconds that a mode would save, or with --report has
                                       saved; negative if it loses time */
};

struct gt_calls_of
{
  enum gt_taken_id id;
  uint64_t calls, nested_calls;
  double seconds, nested_seconds; /* the former without nested calls */
  uint64_t outcome[GT_N_OUTCOMES];
  struct gt_calls_length length[GT_COUNTS_BUCKETS];
};

/* A function of GSL that the program called and that took time outside all counted calls.  */
struct gt_calls_beside
{
  char name[96];
  uint64_t samples;
};

struct gt_calls
{
  struct gt_calls_of *functions; /* sorted by time */
  size_t n;
  struct gt_calls_beside *beside; /* sorted by time */
  size_t n_beside;
  uint64_t n_calls, n_nested; /* the former includes the latter */
  double seconds;
  double gained[GT_N_CHOSEN_MODES];
  double doubt[GT_N_CHOSEN_MODES]; /* the uncertainty of these, in seconds */
  uint64_t n_few; /* calls of so few elements that GSL's own function is called; with --count
                     only, and without nested calls */
};

/* The run as a whole.  */
struct gt_calls_run
{
  char *const *program; /* its words, and null */
  int is_report;        /* whether our functions were called, not GSL's */
  double seconds, cpu_seconds;
  double lost; /* how often other programs took the program's processor */
  int status; /* as from wait ()  */
  const char *no_gains; /* the reason why gains were not measured, or null */
  const char *unloaded; /* the reason why the object was not loaded, or null */
  const struct gt_counts *counts;
};

/* Returns a checked copy of the counters, which must be freed, or null if memory is short.
   The program may have overwritten them, and processes that it started may still do so; HEAD
   is the original head.  */
struct gt_counts *gt_calls_copy (const struct gt_counts *counts,
                                 const struct gt_counts *head);

/* Evaluates the counters.  Returns 0, or -1 if memory is short.  */
int gt_calls_read (const struct gt_counts *counts, struct gt_calls *calls);
void gt_calls_clear (struct gt_calls *calls);

/* Returns the time of all calls of a bucket, extrapolated from those that were timed.  */
double gt_calls_seconds (const struct gt_counts_bucket *bucket);

/* Measures the time that would be gained, or with --report was gained, for all lengths that
   matter, with the functions of the object at PATH.  Returns the reason for a failure, or
   null.  */
const char *gt_calls_measure (struct gt_calls *calls, const char *path, int is_report);

/* Evaluates the samples; gt_calls_read calls it.  Returns 0, or -1 if memory is short.  */
int gt_calls_read_samples (const struct gt_counts *counts, struct gt_calls *calls);

/* Prints two sentences: the share of the time that is spent in GSL, and the effect of each
   mode.  */
void gt_calls_print_shares (const struct gt_calls *calls, const struct gt_calls_run *run,
                            FILE *stream);

/* Print the calls for people, and as JSON.  gt_calls_print_json returns 0, or -1 if memory is
   short or STREAM cannot be written.  */
void gt_calls_print (const struct gt_calls *calls,
                     const struct gt_calls_run *run, FILE *stream);
int gt_calls_print_json (const struct gt_calls *calls,
                         const struct gt_calls_run *run, FILE *stream);

#endif

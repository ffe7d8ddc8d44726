/* Finds by what elements are sorted, indexed and selected fastest, from which length on.
   Algorithm.  Each kind (src/plan/sort_ways.h) is measured at growing lengths, of random data
   and of data in descending order, on which small sorts are slowest: GSL's function, and ours
   by each way, in turns; the median of some rounds counts.  The ways stand in an order, in
   which each costs more to begin than the one before it.  A length takes the last way that is
   better than the one before by enough for all data.  A way that is behind at two lengths in
   a row is measured no more.

   Limitations.  Elements lie side by side, and in the caches, as far as they fit.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/sorts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/plan/sort_ways.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/sorts.h"
#include "tuning/text/cli.h"
#include "tuning/text/progress.h"

enum
{
  BY_GSL,
  BY_OURS,
  BY_SOME, /* threads: twice as many each */
  MOST_WAYS = BY_SOME + 10,
  MOST_ROUNDS = 5,
  FEW_ROUNDS = 3
};
#define SAMPLE 10e-6             /* seconds a timing lasts at least */
#define THREADED ((size_t) 1 << 13) /* fewer are not worth two threads anywhere */
#define LONG ((size_t) 1 << 12)     /* in one order, with few rounds */

/* How many times as fast a way must be to take the place of the one before it, and how far
   behind the best it is not measured any more.  */
#define BETTER 1.05
#define BETTER_BY_THREADS 1.25
#define BEHIND 1.4

static const size_t lengths[]
  = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096,
     8192, 16384, 32768, 65536, 131072, 262144};
static const enum gt_sort_order orders[] = {GT_SORT_RANDOM, GT_SORT_DESCENDING};
enum
{
  N_LENGTHS = sizeof lengths / sizeof *lengths,
  N_ORDERS = sizeof orders / sizeof *orders
};

struct kind
{
  enum gt_sort_job job;
  enum gt_arithmetic arithmetic;
  enum gt_taken_id taken;
};

/* The findings at one length.  */
struct found
{
  size_t n;
  unsigned best;
  double seconds, gsl_seconds;
};

struct search
{
  struct kind kind;
  unsigned ways, threads[MOST_WAYS];
  unsigned behind[MOST_WAYS]; /* lengths in a row */
  char is_out[MOST_WAYS];
};

/* --------------------------------------------------------------------- Kinds */

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

/* Lists the kinds that are to be measured; returns how many.  */
static unsigned
list_kinds (const struct gt_tuner_options *options, const struct gt_profile *profile,
            int resuming, struct kind *list)
{
  char text[GT_STEP_KIND_SIZE];
  unsigned n = 0, known;

  for (int job = 0; job < GT_N_SORT_JOBS && options->procedures; job++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      {
        const struct kind kind = {(enum gt_sort_job) job, (enum gt_arithmetic) a, 0};

        if (gt_is_complex (kind.arithmetic) || !(options->arithmetics >> a & 1)
            || gt_sort_leader (kind.job, kind.arithmetic) != kind.arithmetic
            || !gt_sort_can_be_ours (kind.job, kind.arithmetic)
            || (kind.job == GT_SORT_JOB_INDEX && gt_arithmetics[a].size == 1))
          continue;
        gt_sort_kind_text (kind.job, kind.arithmetic, text);
        if (resuming && gt_profile_steps (profile, text, &known))
          continue;
        list[n] = kind;
        list[n++].taken = taken_of (kind.job, kind.arithmetic);
      }
  return n;
}

/* Threads have nothing to share in a selection.  */
static void
list_ways (struct search *s)
{
  const unsigned all = gt_sort_most_threads ();

  s->ways = BY_SOME;
  s->threads[BY_GSL] = s->threads[BY_OURS] = 1;
  if (s->kind.job == GT_SORT_JOB_SELECT)
    return;
  for (unsigned threads = 2; threads <= all && s->ways < MOST_WAYS;
       threads = threads < all && 2 * threads > all ? all : 2 * threads)
    s->threads[s->ways++] = threads;
}

/* --------------------------------------------------------------------- Timing */

static void
force (const struct search *s, unsigned way)
{
  const struct gt_sort_from from
    = {s->kind.job == GT_SORT_JOB_INDEX ? GT_SORT_LEAST_INDEX : 0,
       way >= BY_SOME ? 0 : UINT64_MAX, s->threads[way]};

  gt_sort_force (s->kind.job, s->kind.arithmetic, &from);
}

static double
time_calls (const struct search *s, unsigned way, const struct gt_sort_data *data,
            unsigned calls)
{
  const struct gt_sort_pair *const pair = gt_sort_functions (s->kind.taken);
  void *const function = way == BY_GSL ? pair->gsl : pair->ours;
  double begin;

  if (way != BY_GSL)
    force (s, way);
  begin = gt_now ();
  for (unsigned k = 0; k < calls; k++)
    {
      gt_sort_data_restore (s->kind.taken, data);
      gt_sort_call (s->kind.taken, function, data);
    }
  return (gt_now () - begin) / calls;
}

/* The median times of all ways, of those that are out infinity.  */
static void
time_ways (const struct search *s, const struct gt_sort_data *data, double seconds[MOST_WAYS])
{
  const unsigned rounds = data->n < LONG ? MOST_ROUNDS : FEW_ROUNDS;
  double round[MOST_WAYS][MOST_ROUNDS];
  unsigned calls[MOST_WAYS];

  for (unsigned r = 0; r < rounds; r++)
    for (unsigned w = 0; w < s->ways; w++)
      {
        double once = 0;

        if (s->is_out[w] || (w >= BY_SOME && data->n < THREADED))
          continue;
        if (r == 0)
          for (calls[w] = 1;
               (once = time_calls (s, w, data, calls[w])) * calls[w] < SAMPLE
               && calls[w] < 1u << 10;)
            calls[w] *= 2;
        round[w][r] = r == 0 && calls[w] == 1 ? once : time_calls (s, w, data, calls[w]);
      }
  for (unsigned w = 0; w < s->ways; w++)
    seconds[w] = s->is_out[w] || (w >= BY_SOME && data->n < THREADED)
                   ? (double) INFINITY : gt_median (round[w], rounds, NULL);
}

/* ------------------------------------------------------------------- Choosing */

static unsigned
choose (const struct search *s, const double seconds[MOST_WAYS])
{
  unsigned best = BY_GSL;

  for (unsigned w = BY_OURS; w < s->ways; w++)
    if (seconds[w] * (w >= BY_SOME ? BETTER_BY_THREADS : BETTER) < seconds[best])
      best = w;
  return best;
}

/* Leaves out ways that were too far behind twice in a row.  */
static void
leave_out (struct search *s, const double seconds[MOST_WAYS])
{
  double best = (double) INFINITY;

  for (unsigned w = BY_OURS; w < s->ways; w++)
    best = fmin (best, seconds[w]);
  for (unsigned w = 0; w < BY_SOME; w++)
    if (!s->is_out[w])
      {
        s->behind[w] = seconds[w] > BEHIND * best ? s->behind[w] + 1 : 0;
        s->is_out[w] = s->behind[w] >= 2;
      }
}

/* Returns 0 where memory is short.  */
static int
measure_length (struct search *s, size_t n, struct found *found)
{
  double worst[MOST_WAYS] = {0};

  *found = (struct found) {.n = n};
  for (int o = 0; o < (n < LONG ? N_ORDERS : 1); o++)
    {
      double seconds[MOST_WAYS];
      struct gt_sort_data data;
      unsigned best;

      if (gt_sort_data_make (&data, s->kind.taken, orders[o], n, SIZE_MAX) == 0)
        return 0;
      time_ways (s, &data, seconds);
      gt_sort_data_free (&data);
      /* All of our sorts are done with ordered data in one pass.  */
      best = choose (s, seconds);
      if (o > 0 && best != BY_GSL)
        continue;
      found->best = best;
      found->seconds = seconds[best];
      found->gsl_seconds = isfinite (seconds[BY_GSL]) ? seconds[BY_GSL] : 0;
      for (unsigned w = 0; w < s->ways && o == 0; w++)
        worst[w] = seconds[w];
    }
  leave_out (s, worst);
  return 1;
}

/* A way begins where no way before it in the list is better at a greater length, except for
   one length between others.  */
static void
smooth (struct found *found, unsigned n)
{
  for (unsigned i = 1; i + 1 < n; i++)
    if (found[i - 1].best == found[i + 1].best)
      found[i].best = found[i - 1].best;
  for (unsigned i = n; i-- > 1;)
    if (found[i - 1].best > found[i].best)
      found[i - 1].best = found[i].best;
}

static int
put_steps (const struct search *s, const struct found *found, unsigned n,
           struct gt_profile *profile)
{
  char kind[GT_STEP_KIND_SIZE];
  struct gt_step step = {.kind = kind, .config = {1, 0, 1, 0}};
  int failed = 0;

  gt_sort_kind_text (s->kind.job, s->kind.arithmetic, kind);
  gt_profile_drop (profile, kind);
  for (unsigned i = 0; i < n && !failed; i++)
    {
      const unsigned w = found[i].best;
      const struct gt_measured measured
        = {.seconds = found[i].seconds, .gsl_seconds = found[i].gsl_seconds};

      if (i > 0 && w == found[i - 1].best)
        continue;
      step.from = i ? found[i].n : 0;
      step.way = w == BY_GSL                        ? GT_STEP_GSL
                 : s->kind.job == GT_SORT_JOB_SORT ? GT_STEP_VQSORT
                                                   : GT_STEP_OWN;
      step.config.threads = s->threads[w];
      failed = gt_profile_put (profile, &step, &measured);
    }
  return failed;
}

/* Where there are fewer elements than a sample GSL makes the index.  */
static int
measure_kind (const struct kind *kind, struct gt_profile *profile, int (*stop) (void))
{
  struct search s = {.kind = *kind};
  struct found found[N_LENGTHS];
  unsigned n = 0;

  list_ways (&s);
  for (unsigned i = 0; i < N_LENGTHS; i++)
    {
      if (kind->job == GT_SORT_JOB_INDEX && i > 0 && lengths[i] < GT_SORT_LEAST_INDEX)
        continue;
      if (kind->job == GT_SORT_JOB_SELECT && lengths[i] > LONG)
        break;
      if (stop ())
        return 1;
      if (!measure_length (&s, lengths[i], &found[n++]))
        return -1;
    }
  smooth (found, n);
  return put_steps (&s, found, n, profile) ? -1 : 0;
}

int
gt_sorts_find (const struct gt_tuner_options *options, struct gt_profile *profile,
               int resuming, int (*stop) (void))
{
  struct kind list[GT_N_SORT_JOBS * GT_N_ARITHMETICS];
  const unsigned n = list_kinds (options, profile, resuming, list);
  struct gt_progress progress;
  char text[GT_STEP_KIND_SIZE];
  int status = 0;

  if (n == 0)
    return 1;
  gt_sort_prepare ();
  snprintf (text, sizeof text, "sorts, %u kinds", n);
  gt_progress_begin (&progress, "CPU", n, text);
  for (unsigned done = 0; done < n && status == 0; done++)
    {
      gt_sort_kind_text (list[done].job, list[done].arithmetic, text);
      gt_progress_show (&progress, done, text);
      status = measure_kind (&list[done], profile, stop);
      gt_sort_force (list[done].job, list[done].arithmetic, NULL);
    }
  gt_progress_end (&progress);
  if (status < 0)
    gt_error ("sorts are not measured: memory is short");
  return status == 0;
}

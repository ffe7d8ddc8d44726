/* A run of the tuner over devices and problems.

   What is finished is saved as it comes, in a profile marked unfinished; a
   run that finds such a profile goes on where it was left.  What was measured
   with more effort stands.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/tuner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/plan/plan.h"
#include "tuning/measure/clock.h"
#include "tuning/search/procedures.h"
#include "tuning/search/sorts.h"
#include "tuning/search/routes.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/cli.h"
#include "tuning/text/progress.h"

/* ------------------------------------------------------------- Stopping */

static volatile sig_atomic_t interrupted;
static double end;      /* of the time limit, gt_now; 0: none */
static double deadline; /* of the part of the run at hand; 0: none */
static int out_of_time; /* in any part */

static void
on_interrupt (int signal_number)
{
  (void) signal_number;
  interrupted = 1;
}

int
gt_tuner_interrupted (void)
{
  return interrupted;
}

int
gt_tuner_out_of_time (void)
{
  return out_of_time;
}

static int
stop (void)
{
  int late = deadline > 0 && gt_now () > deadline;

  out_of_time |= late;
  return interrupted || late;
}

/* Gives the part of the run that begins its share of the time left, which has
   to last for PARTS parts, so that no device starves another.  */
static void
begin_part (unsigned parts)
{
  deadline = end > 0 ? gt_now () + (end - gt_now ()) / parts : 0;
}

/* The first ^C ends the run in good order, and the second one at once.  A profile that grows
   longer than files may be is reported as an error and does not end the process.  */
static void
catch_interrupts (void)
{
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = (int) SA_RESETHAND};

  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  signal (SIGXFSZ, SIG_IGN);
}

/* --------------------------------------------------------------- Saving */

struct run
{
  const struct gt_tuner_options *options;
  struct gt_sweep sweep;
  struct gt_target *target;
  struct gt_tuned *tuned;
  struct gt_progress progress;
  double saved; /* gt_now of the last save */
};

#define SAVE_EVERY 2.0 /* seconds */

static int
choose_folder (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  if (gt_profile_folder_to_save (options->system_wide, tuned->folder,
                                 sizeof tuned->folder, tuned->trouble,
                                 sizeof tuned->trouble)
      == 0)
    return 0;
  tuned->folder[0] = '\0';
  return -1;
}

/* An empty profile is not saved.  Returns 0, or -1 with WHY.  */
static int
try_to_save (const struct gt_tuner_options *options, struct gt_tuned *tuned,
             int finished, char *why, size_t why_size)
{
  struct gt_profile *profile = &tuned->profile;

  if (tuned->folder[0] == '\0'
      || !gt_profile_says_something (profile))
    return 0;
  profile->unfinished = !finished;
  tuned->saved = gt_profile_save (profile, tuned->folder, options->system_wide,
                                  why, why_size)
                 == 0;
  return tuned->saved ? 0 : -1;
}

static void
save (const struct gt_tuner_options *options, struct gt_tuned *tuned,
      int finished)
{
  if (try_to_save (options, tuned, finished, tuned->trouble,
                   sizeof tuned->trouble))
    tuned->folder[0] = '\0';
}

/* Makes TUNED's profile one of DEVICE, with the entries that an earlier run left in the
   folder of this one: they are replaced as the problems are tuned again.  */
static void
take_up (const struct gt_tuner_options *options, const struct gt_device *device,
         struct gt_tuned *tuned)
{
  char path[sizeof tuned->folder + GT_SILICON_SIZE + 8], why[256];
  struct gt_profile *profile = &tuned->profile, earlier;

  tuned->device = device;
  gt_profile_init (profile, device);
  if (choose_folder (options, tuned))
    return;
  snprintf (path, sizeof path, "%s/%s.json", tuned->folder, profile->silicon);
  if (gt_profile_read (path, device, &earlier, why, sizeof why)
      != GT_PROFILE_OK)
    return;
  for (unsigned i = 0; i < earlier.n_entries; i++)
    gt_profile_put (profile, &earlier.entries[i]);
  for (unsigned i = 0; i < earlier.n_crossovers; i++)
    gt_profile_put_crossover (profile, &earlier.crossovers[i]);
  for (unsigned i = 0; i < earlier.n_steps; i++)
    gt_profile_put_step (profile, &earlier.steps[i]);
  profile->unfinished = earlier.unfinished;
  gt_profile_clear (&earlier);
}

/* Whether this problem need not be tuned again: an unfinished run has done it
   with no less effort, or any run with more.  */
static int
done_before (const struct gt_tuned *tuned, const struct gt_problem *problem,
             enum gt_effort effort, int resuming)
{
  const struct gt_entry *entry = gt_profile_find (&tuned->profile, problem);

  if (entry == NULL || entry->problem.n != problem->n)
    return 0;
  return entry->effort > effort || (resuming && entry->effort == effort);
}

/* ------------------------------------------------------------ One device */

#define MOST_TOLD 10

static void
tell_excluded (struct run *run, const struct gt_space *space)
{
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (!c->failed)
        continue;
      run->tuned->excluded++;
      if (run->tuned->excluded > MOST_TOLD && !run->options->verbose)
        continue;
      gt_progress_end (&run->progress);
      gt_error ("%s: %s is excluded: %s%s",
                gt_problem_text (&space->problem),
                gt_config_text (c->kernel, &c->config), c->why,
                run->tuned->excluded < MOST_TOLD || run->options->verbose
                  ? "" : "; further ones are told of with --verbose only");
    }
}

/* GSL's time on this machine's host, if it was measured.  Another machine's profile does not
   tell it.  */
static double
gsl_seconds (const struct gt_problem *problem)
{
  const struct gt_plans *host = gt_host_plans ();
  const struct gt_entry *entry
    = host->profile_found && host->profile.match == GT_MATCH_SILICON
        ? gt_profile_find (&host->profile, problem) : NULL;

  return entry && entry->problem.n == problem->n ? entry->gsl_seconds : 0;
}

/* Returns 0, or -1 when the device cannot go on.  */
static int
tune_problem (struct run *run, const struct gt_problem *problem)
{
  struct gt_tuned *tuned = run->tuned;
  struct gt_space space;
  struct gt_entry entry;
  const char *why = run->target->why, *text;
  enum gt_sweep_status status;

  if (gt_space_init (&space, problem, tuned->device, run->target->gpu))
    {
      snprintf (tuned->trouble, sizeof tuned->trouble,
                "memory is short, or the GPU has failed");
      return -1;
    }
  status = gt_sweep_run (&run->sweep, run->target, &space, &entry);
  if (status != GT_SWEEP_LOST)
    tell_excluded (run, &space);
  gt_space_clear (&space);
  text = gt_problem_text (problem);
  switch (status)
    {
    case GT_SWEEP_STOPPED:
      break;
    case GT_SWEEP_LOST:
      snprintf (tuned->trouble, sizeof tuned->trouble,
                "it failed for good in %s, %s", text, why);
      return -1;
    case GT_SWEEP_DONE:
      if (run->target->gpu)
        entry.gsl_seconds = gsl_seconds (problem);
      if (gt_profile_put (&tuned->profile, &entry) == 0)
        {
          tuned->done++;
          break;
        }
      why = "memory is short"; /* fall through */
    case GT_SWEEP_FAILED:
      tuned->failed++;
      gt_progress_end (&run->progress);
      gt_error ("%s could not be tuned: %s", text, why);
    }
  return 0;
}

/* Makes sure that the data of the first problem, and of those after it that share
   its type, length and kind of data, is there.  */
static int
load_data (struct run *run, const struct gt_problem *list, unsigned n)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < n && list[i].arithmetic == list[0].arithmetic
                       && list[i].n == list[0].n
                       && gt_data_kind_for (&list[i])
                            == gt_data_kind_for (&list[0]);
       i++)
    {
      uint64_t span = gt_problem_span (&list[i]);

      bytes = span > bytes ? span : bytes;
    }
  if (gt_target_load (run->target, &list[0], bytes) == 0)
    return 0;
  snprintf (run->tuned->trouble, sizeof run->tuned->trouble, "%s",
            run->target->why);
  return -1;
}

/* About how long PROBLEM takes, in units of the shortest one.  */
static double
weight (const struct gt_target *target, const struct gt_problem *problem)
{
  double unit = target->gpu ? 1 << 30 : 1 << 24; /* bytes */

  return 1 + (double) gt_problem_span (problem) / unit;
}

/* Leaves the problems of LIST that are still to be tuned, and counts the others as done.
   Returns how many are left.  */
static unsigned
leave_undone (struct run *run, struct gt_problem *list, unsigned n)
{
  struct gt_tuned *tuned = run->tuned;
  unsigned left = 0;

  for (unsigned i = 0; i < n; i++)
    if (!done_before (tuned, &list[i], run->options->effort, tuned->profile.unfinished))
      list[left++] = list[i];
  tuned->problems = n;
  tuned->done = tuned->resumed = n - left;
  return left;
}

static void
tune_problems (struct run *run, struct gt_problem *list, unsigned problems)
{
  struct gt_tuned *tuned = run->tuned;
  const unsigned n = leave_undone (run, list, problems);
  double done = 0, total = 0;
  char text[256], label[16] = "CPU", why[512];

  for (unsigned i = 0; i < n; i++)
    total += weight (run->target, &list[i]);
  if (run->target->gpu)
    snprintf (label, sizeof label, "GPU %d",
              run->target->device->gpu.ordinal);
  snprintf (text, sizeof text, "%s, %u problems",
            gt_device_name (tuned->device), problems);
  gt_progress_begin (&run->progress, label, total, text);
  for (unsigned i = 0; i < n && !stop (); i++)
    {
      gt_progress_show (&run->progress, done, gt_problem_text (&list[i]));
      if (load_data (run, list + i, n - i) || tune_problem (run, &list[i]))
        break;
      done += weight (run->target, &list[i]);
      if (gt_now () - run->saved > SAVE_EVERY)
        { /* a disk that is full now may have room at the end */
          try_to_save (run->options, tuned, 0, why, sizeof why);
          run->saved = gt_now ();
        }
    }
  gt_progress_end (&run->progress);
}

static int
complete (const struct gt_tuned *tuned)
{
  return !tuned->partial && tuned->done + tuned->failed == tuned->problems;
}

/* MORE: what belongs into the same profile is still to come.  */
static void
tune_device (const struct gt_tuner_options *options, struct gt_target *target,
             struct gt_tuned *tuned, int more)
{
  struct run run = {.options = options, .target = target, .tuned = tuned,
                    .saved = gt_now ()};
  struct gt_problem *list;
  unsigned n;

  run.sweep.effort = options->effort;
  run.sweep.stop = stop;
  take_up (options, target->device, tuned);
  tuned->resuming = tuned->profile.unfinished;
  tuned->partial = options->length
                   && (tuned->resuming || tuned->profile.n_entries == 0);
  list = gt_tuner_problems (tuned->device, options,
                            target->ops->capacity (target), &n);
  if (list == NULL)
    snprintf (tuned->trouble, sizeof tuned->trouble, "memory is short");
  else if (n == 0 && options->length)
    snprintf (tuned->trouble, sizeof tuned->trouble,
              "it has no room for vectors of that length");
  else if (n)
    tune_problems (&run, list, n);
  free (list);
  save (options, tuned, complete (tuned) && !more);
  gt_plans_adopt (tuned->device, &tuned->profile);
  tuned->timings = run.sweep.timings;
  tuned->disturbed = run.sweep.disturbed;
  gt_sweep_clear (&run.sweep);
}

/* ------------------------------------------------------- Device by device */

static unsigned
run_gpu (const struct gt_tuner_options *options, int index,
         struct gt_target *host, struct gt_tuned *host_tuned,
         struct gt_tuned *tuned, unsigned *parts)
{
  struct gt_target gpu;

  if (gt_target_gpu (&gpu, index))
    {
      gt_error ("GPU %d cannot be tuned: %s",
                gt_gpu_device (index)->gpu.ordinal, gpu.why);
      return 0;
    }
  begin_part ((*parts)--);
  tune_device (options, &gpu, tuned, 0);
  if (host_tuned && !interrupted && options->length == 0)
    {
      begin_part ((*parts)--);
      host_tuned->unfinished
        |= !gt_crossovers_find (options, host, &gpu, &host_tuned->profile,
                                host_tuned->resuming, stop);
    }
  gt_target_close (&gpu);
  return 1;
}

static void
run_all (const struct gt_tuner_options *options, struct gt_tuned *tuned, unsigned *n)
{
  const int gpus = options->gpus ? gt_gpu_count (NULL) : 0;
  struct gt_tuned *of_host = options->host ? &tuned[(*n)++] : NULL;
  unsigned devices = *n, parts;
  struct gt_target host;

  for (int i = 0; i < gpus; i++)
    devices += gt_tuner_wants_gpu (options, i) != 0;
  parts = of_host ? 2 * devices - 1 + (options->procedures != 0)
                  : devices; /* the crossovers of each GPU, and procedures */
  gt_target_host (&host);
  if (of_host)
    {
      begin_part (parts--);
      tune_device (options, &host, of_host, devices > 1 || options->procedures);
      if (options->procedures && !interrupted)
        {
          begin_part (parts--);
          of_host->unfinished
            |= !gt_procedures_find (options, &of_host->profile, of_host->resuming, stop)
               || !gt_sorts_find (options, &of_host->profile, of_host->resuming, stop);
          gt_plans_adopt (of_host->device, &of_host->profile);
        }
    }
  for (int i = 0; i < gpus && !interrupted; i++)
    if (gt_tuner_wants_gpu (options, i))
      *n += run_gpu (options, i, &host, of_host, &tuned[*n], &parts);
  if (of_host && (devices > 1 || options->procedures))
    save (options, of_host,
          complete (of_host) && !of_host->unfinished && !interrupted);
  gt_target_close (&host);
}

/* Takes the lock among tuners.  Returns a descriptor, GT_LOCK_HELD, or -1 when
   nothing can be saved.  */
static int
lock_folder (const struct gt_tuner_options *options, char *why,
             size_t why_size)
{
  struct gt_tuned where = {0};

  if (choose_folder (options, &where))
    {
      snprintf (why, why_size, "%.500s", where.trouble);
      return -1;
    }
  return gt_profile_lock (where.folder, options->system_wide, why, why_size);
}

unsigned
gt_tuner_run (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  double limit = options->time_limit != 0
                   ? options->time_limit
                   : gt_effort_levels[options->effort].time_limit;
  char why[512];
  int lock = lock_folder (options, why, sizeof why);
  unsigned n = 0;

  if (lock == GT_LOCK_HELD)
    gt_error ("%s", why);
  else if (lock < 0)
    gt_error ("nothing can be saved: %s: %s", why,
              gt_profile_save_advice (options->system_wide));
  else if (*why)
    gt_error ("%s", why);
  if (lock < 0)
    return 0;
  end = limit > 0 ? gt_now () + limit : 0;
  catch_interrupts ();
  run_all (options, tuned, &n);
  close (lock);
  return n;
}

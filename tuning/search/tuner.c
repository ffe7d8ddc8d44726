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
#include "src/profile/step_kind.h"
#include "tuning/measure/clock.h"
#include "tuning/search/question.h"
#include "tuning/store/findings.h"
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
  const struct gt_tuned *host; /* of a GPU's: the host, if it was tuned, too */
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

/* Empty findings are not saved.  Returns 0, or -1 with WHY.  */
static int
try_to_save (const struct gt_tuner_options *options, struct gt_tuned *tuned,
             int finished, char *why, size_t why_size)
{
  struct gt_profile *findings = &tuned->findings;

  if (tuned->folder[0] == '\0' || findings->n_steps == 0)
    return 0;
  findings->unfinished = !finished;
  tuned->saved = gt_findings_save (findings, tuned->device, tuned->folder,
                                   options->system_wide, why, why_size)
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

/* Makes TUNED's findings those of DEVICE that an earlier run left in the folder of this one: they
   are replaced as the problems are tuned again.  */
static void
take_up (const struct gt_tuner_options *options, const struct gt_device *device,
         struct gt_tuned *tuned)
{
  tuned->device = device;
  if (choose_folder (options, tuned))
    gt_profile_init (&tuned->findings, device);
  else
    gt_findings_take_up (tuned->folder, device, &tuned->findings);
}

/* Returns the figures of PROBLEM in FINDINGS, or null.  */
static const struct gt_measured *
figures_of (const struct gt_profile *findings, const struct gt_problem *problem)
{
  char kind[GT_STEP_KIND_SIZE];
  const struct gt_step *step;
  unsigned n;

  gt_step_kind_of_problem (problem, kind);
  step = gt_profile_steps (findings, kind, &n);
  if (step)
    step = gt_step_at (step, n, problem->n);
  return step && step->from == problem->n ? gt_measured_of (findings, step) : NULL;
}

/* Whether this problem need not be tuned again: an unfinished run has done it
   with no less effort, or any run with more.  */
static int
done_before (const struct gt_tuned *tuned, const struct gt_problem *problem,
             enum gt_effort effort, int resuming)
{
  const struct gt_measured *const before = figures_of (&tuned->findings, problem);

  return before
         && (before->effort > effort || (resuming && before->effort == effort));
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

/* Tells RUN's sweep what has won at the length before that of PROBLEM.  */
static void
look_back (struct run *run, const struct gt_problem *problem)
{
  char kind[GT_STEP_KIND_SIZE];
  const struct gt_step *step;
  struct gt_winner winner;
  unsigned n;

  gt_step_kind_of_problem (problem, kind);
  step = gt_profile_steps (&run->tuned->findings, kind, &n);
  if (step)
    step = gt_step_at (step, n, problem->n - 1);
  run->sweep.before = NULL;
  if (step == NULL || step->from >= problem->n
      || !gt_findings_winner (&run->tuned->findings, step, &winner))
    return;
  run->sweep.before = winner.kernel;
  run->sweep.before_config = winner.config;
}

/* Returns 0, or -1 when the device cannot go on.  */
static int
tune_problem (struct run *run, const struct gt_problem *problem)
{
  struct gt_tuned *tuned = run->tuned;
  struct gt_space space;
  struct gt_winner winner;
  const struct gt_measured *const of_host
    = run->host ? figures_of (&run->host->findings, problem) : NULL;
  const char *why = run->target->why, *text;
  enum gt_sweep_status status;

  if (gt_space_init (&space, problem, tuned->device, run->target->gpu))
    {
      snprintf (tuned->trouble, sizeof tuned->trouble,
                "memory is short, or the GPU has failed");
      return -1;
    }
  look_back (run, problem);
  status = gt_sweep_run (&run->sweep, run->target, &space, &winner);
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
      if (of_host)
        winner.measured.gsl_seconds = of_host->gsl_seconds;
      if (gt_findings_put (&tuned->findings, &winner) == 0)
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
    if (!done_before (tuned, &list[i], run->options->effort, tuned->findings.unfinished))
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

/* Tunes a device; HOST, of a GPU, is the host if that was tuned before.  MORE tells whether what
   belongs into the same findings is still to come.  */
static void
tune_device (const struct gt_tuner_options *options, struct gt_target *target,
             struct gt_tuned *tuned, const struct gt_tuned *host, int more)
{
  struct run run = {.options = options, .target = target, .tuned = tuned, .host = host,
                    .saved = gt_now ()};
  struct gt_problem *list;
  unsigned n;

  run.sweep.effort = options->effort;
  run.sweep.stop = stop;
  take_up (options, target->device, tuned);
  tuned->resuming = tuned->findings.unfinished;
  tuned->partial = options->length
                   && (tuned->resuming || tuned->findings.n_steps == 0);
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
  gt_findings_adopt (&tuned->findings, tuned->device);
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
  tune_device (options, &gpu, tuned, host_tuned, 0);
  if (host_tuned && !interrupted && options->length == 0)
    {
      begin_part ((*parts)--);
      host_tuned->unfinished
        |= !gt_routes_find (options, host, &gpu, &host_tuned->findings, host_tuned->resuming, stop);
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
      tune_device (options, &host, of_host, NULL, devices > 1 || options->procedures);
      if (options->procedures && !interrupted)
        {
          begin_part (parts--);
          of_host->unfinished
            |= !gt_procedures_find (options, &of_host->findings, of_host->resuming, stop)
               || !gt_sorts_find (options, &of_host->findings, of_host->resuming, stop)
               || !gt_factors_find (options, &of_host->findings, of_host->resuming, stop);
          gt_findings_adopt (&of_host->findings, of_host->device);
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

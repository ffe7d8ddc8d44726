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

#include "src/device/gpus.h"
#include "tuning/measure/clock.h"
#include "tuning/search/question.h"
#include "tuning/store/findings.h"
#include "tuning/store/profile_store.h"
#include "tuning/text/cli.h"

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

#define SAVE_EVERY 2.0 /* seconds */

static char folder[sizeof ((struct gt_tuned *) 0)->folder]; /* to save in */
static double saved; /* gt_now of the last save, or of the beginning */

/* Saves the findings of TUNED, unless they are empty.  A disk that is full now may have room at
   the end.  */
static void
save (const struct gt_tuner_options *options, struct gt_tuned *tuned, int finished, int at_end)
{
  char why[sizeof tuned->trouble];

  if (tuned->findings.n_steps == 0)
    return;
  tuned->findings.unfinished = !finished;
  tuned->saved = gt_findings_save (&tuned->findings, tuned->device, tuned->folder,
                                   options->system_wide, why, sizeof why)
                 == 0;
  if (tuned->saved || !at_end)
    return;
  tuned->folder[0] = '\0';
  memcpy (tuned->trouble, why, sizeof why);
}

static void
save_as_it_comes (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  if (gt_now () < saved + SAVE_EVERY)
    return;
  save (options, tuned, 0, 0);
  saved = gt_now ();
}

/* ------------------------------------------------------------ One device */

/* Leaves the problems of LIST that need to be tuned: an unfinished run has done the others
   with no less effort, or any run with more.  Returns how many are left.  */
static unsigned
leave_undone (const struct gt_tuner_options *options, const struct gt_tuned *tuned,
              struct gt_problem *list, unsigned n)
{
  unsigned left = 0;

  for (unsigned i = 0; i < n; i++)
    {
      const struct gt_measured *const before = gt_findings_of (&tuned->findings, &list[i]);

      if (before == NULL || before->effort < options->effort
          || (before->effort == options->effort && !tuned->resuming))
        list[left++] = list[i];
    }
  return left;
}

static int
complete (const struct gt_tuned *tuned)
{
  return !tuned->partial && tuned->done + tuned->failed == tuned->problems;
}

/* Tunes a device: what an earlier run has left in the folder is replaced as its problems are
   tuned again.  HOST, of a GPU, is the host if that was tuned before.  MORE tells whether what
   belongs into the same findings is still to come.  */
static void
tune_device (const struct gt_tuner_options *options, struct gt_target *target,
             struct gt_tuned *tuned, const struct gt_tuned *host, int more)
{
  struct gt_problem *list;
  unsigned n, left;

  tuned->device = target->device;
  memcpy (tuned->folder, folder, sizeof folder);
  gt_findings_take_up (folder, target->device, &tuned->findings);
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
    {
      left = leave_undone (options, tuned, list, n);
      tuned->problems = n;
      tuned->done = tuned->resumed = n - left;
      gt_reductions_find (options, target, list, left, tuned, host, save_as_it_comes, stop);
    }
  free (list);
  save (options, tuned, complete (tuned) && !more, 1);
  gt_findings_adopt (&tuned->findings, tuned->device);
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
    save (options, of_host, complete (of_host) && !of_host->unfinished && !interrupted, 1);
  gt_target_close (&host);
}

unsigned
gt_tuner_run (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  double limit = options->time_limit != 0
                   ? options->time_limit
                   : gt_effort_levels[options->effort].time_limit;
  char why[512];
  int lock = gt_profile_folder_to_save (options->system_wide, folder, sizeof folder, why,
                                        sizeof why);
  unsigned n = 0;

  if (lock == 0)
    lock = gt_profile_lock (folder, options->system_wide, why, sizeof why);
  if (lock == GT_LOCK_HELD)
    gt_error ("%s", why);
  else if (lock < 0)
    gt_error ("nothing can be saved: %s: %s", why,
              gt_profile_save_advice (options->system_wide));
  else if (*why)
    gt_error ("%s", why);
  if (lock < 0)
    return 0;
  saved = gt_now ();
  end = limit > 0 ? saved + limit : 0;
  catch_interrupts ();
  run_all (options, tuned, &n);
  close (lock);
  return n;
}

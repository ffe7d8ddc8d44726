/* A run of the tuner over devices and problems.

   What is finished is saved as it comes, in a profile marked unfinished; a
   run that finds such a profile goes on where it was left.  What was measured
   with more effort stands.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/tuner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/device_cuda.h"
#include "src/env.h"
#include "src/names.h"
#include "tuning/cli.h"
#include "tuning/clock.h"
#include "tuning/crossover.h"
#include "tuning/progress.h"
#include "tuning/table.h"

/* ------------------------------------------------------------- Stopping */

static volatile sig_atomic_t interrupted;
static double deadline; /* gt_now; 0: none */

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
  return deadline > 0 && gt_now () > deadline;
}

static int
stop (void)
{
  return interrupted || gt_tuner_out_of_time ();
}

/* The first ^C ends the run in good order; the second one, at once.  */
static void
catch_interrupts (void)
{
  struct sigaction action = {.sa_handler = on_interrupt,
                             .sa_flags = (int) SA_RESETHAND};

  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

/* ------------------------------------------------------------- Problems */

void
gt_problem_text (const struct gt_problem *problem, char *text, size_t size)
{
  snprintf (text, size, "%s, %s, %s, %s",
            gt_arithmetics[problem->arithmetic].types,
            gt_mode_names[problem->mode], gt_layout_names[problem->layout],
            gt_format_count (problem->n));
}

static int
asked_for (const struct gt_tuner_options *options,
           const struct gt_device *device, const struct gt_problem *p)
{
  if (!(options->arithmetics & 1u << p->arithmetic)
      || (device->kind == GT_CUDA && p->arithmetic == GT_LDBL))
    return 0;
  /* Integers have one mode, whichever is asked for.  */
  if (!gt_arithmetics[p->arithmetic].real)
    return p->mode == GT_MODE_FAST;
  return (options->modes & 1u << p->mode) != 0;
}

struct gt_problem *
gt_tuner_problems (const struct gt_device *device,
                   const struct gt_tuner_options *options, size_t capacity,
                   unsigned *n)
{
  const struct gt_effort_level *level = &gt_effort_levels[options->effort];
  int cuda = device->kind == GT_CUDA;
  unsigned first = cuda ? level->gpu_first : level->host_first;
  unsigned last = cuda ? level->gpu_last : level->host_last;
  unsigned step = cuda ? level->gpu_step : level->host_step;
  struct gt_problem *list
    = malloc (((last - first) / step + 1) * GT_N_ARITHMETICS * GT_N_MODES
              * GT_N_LAYOUTS * sizeof *list);

  *n = 0;
  for (unsigned k = first; list && k <= last; k += step)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      for (int m = 0; m < GT_N_MODES; m++)
        for (int l = 0; l < GT_N_LAYOUTS; l++)
          {
            struct gt_problem p = {(enum gt_arithmetic) a, (enum gt_mode) m,
                                   (enum gt_layout) l, (uint64_t) 1 << k};

            if (asked_for (options, device, &p)
                && gt_problem_span (&p) <= capacity)
              list[(*n)++] = p;
          }
  return list;
}

/* --------------------------------------------------------------- Saving */

/* Where this run saves: the system's folder, the one that the environment
   names, or the user's.  */
static int
choose_folder (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  enum gt_profile_place place = options->system_wide ? GT_PLACE_SYSTEM
                                : gt_env.profile_dir ? GT_PLACE_ENVIRONMENT
                                                     : GT_PLACE_USER;

  return gt_profile_folder (place, tuned->folder, sizeof tuned->folder,
                            tuned->trouble, sizeof tuned->trouble);
}

static void
save (const struct gt_tuner_options *options, struct gt_tuned *tuned,
      int finished)
{
  if (tuned->folder[0] == '\0')
    return;
  tuned->profile.unfinished = !finished;
  if (gt_profile_save (&tuned->profile, tuned->folder, options->system_wide,
                       tuned->trouble, sizeof tuned->trouble))
    tuned->folder[0] = '\0';
}

/* A profile that an earlier run left, in the folder of this one: its entries
   are the start.  They are replaced as the problems are tuned again.  */
static void
take_up (struct gt_tuned *tuned)
{
  char silicon[GT_SILICON_SIZE], why[256];
  char path[sizeof tuned->folder + sizeof silicon + 8];
  struct gt_profile earlier;

  if (tuned->folder[0] == '\0')
    return;
  gt_device_silicon (tuned->device, silicon);
  snprintf (path, sizeof path, "%s/%s.json", tuned->folder, silicon);
  if (gt_profile_read (path, tuned->device, &earlier, why, sizeof why)
      != GT_PROFILE_OK)
    return;
  for (unsigned i = 0; i < earlier.n_entries; i++)
    gt_profile_put (&tuned->profile, &earlier.entries[i]);
  for (unsigned i = 0; i < earlier.n_crossovers; i++)
    gt_profile_put_crossover (&tuned->profile, &earlier.crossovers[i]);
  tuned->profile.unfinished = earlier.unfinished;
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

struct run
{
  const struct gt_tuner_options *options;
  struct gt_sweep sweep;
  struct gt_target *target;
  struct gt_tuned *tuned;
  struct gt_progress progress;
  int resuming;
  double saved; /* gt_now of the last save */
};

#define SAVE_EVERY 2.0 /* seconds */
#define MOST_TOLD 10

static void
tell_excluded (struct run *run, const struct gt_space *space)
{
  char problem[128], config[96];

  gt_problem_text (&space->problem, problem, sizeof problem);
  for (unsigned i = 0; i < space->n; i++)
    {
      const struct gt_candidate *c = &space->candidate[i];

      if (!c->failed)
        continue;
      run->tuned->excluded++;
      if (run->tuned->excluded > MOST_TOLD && !run->options->verbose)
        continue;
      gt_config_text (c->kernel, &c->config, config, sizeof config);
      gt_progress_end (&run->progress);
      gt_error ("%s: %s is excluded: %s", problem, config, c->why);
    }
}

/* Returns 0, or -1 when the device cannot go on.  */
static int
tune_problem (struct run *run, const struct gt_problem *problem)
{
  struct gt_tuned *tuned = run->tuned;
  struct gt_space space;
  struct gt_entry entry;
  char why[256] = "";
  enum gt_sweep_status status = GT_SWEEP_FAILED;

  if (gt_space_init (&space, problem, tuned->device, run->target->gpu))
    {
      snprintf (tuned->trouble, sizeof tuned->trouble,
                "memory is short, or the GPU has failed");
      return -1;
    }
  status = gt_sweep_run (&run->sweep, run->target, &space, &entry, why,
                         sizeof why);
  tell_excluded (run, &space);
  gt_space_clear (&space);
  if (status == GT_SWEEP_DONE && gt_profile_put (&tuned->profile, &entry) == 0)
    tuned->done++;
  else if (status != GT_SWEEP_STOPPED)
    {
      tuned->failed++;
      gt_error ("a problem could not be tuned: %s", why);
    }
  return 0;
}

/* Makes sure that the data of PROBLEM, and of those after it that share its
   type and length, is there.  */
static int
load_data (struct run *run, const struct gt_problem *list, unsigned n)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < n && list[i].arithmetic == list[0].arithmetic
                       && list[i].n == list[0].n;
       i++)
    {
      uint64_t span = gt_problem_span (&list[i]);

      bytes = span > bytes ? span : bytes;
    }
  if (run->target->loaded
      && run->target->data.arithmetic == list[0].arithmetic
      && run->target->bytes >= bytes)
    return 0;
  return run->target->ops->load (run->target, list[0].arithmetic, bytes,
                                 run->tuned->trouble,
                                 sizeof run->tuned->trouble);
}

static void
tune_problems (struct run *run, const struct gt_problem *list, unsigned n)
{
  struct gt_tuned *tuned = run->tuned;
  char text[128];

  tuned->problems = n;
  gt_progress_begin (&run->progress, gt_device_name (tuned->device), n);
  for (unsigned i = 0; i < n && !stop (); i++)
    {
      if (done_before (tuned, &list[i], run->options->effort, run->resuming))
        {
          tuned->done++;
          tuned->resumed++;
        }
      else if (load_data (run, list + i, n - i) || tune_problem (run, &list[i]))
        break;
      if (gt_now () - run->saved > SAVE_EVERY)
        {
          save (run->options, tuned, 0);
          run->saved = gt_now ();
        }
      gt_problem_text (&list[i], text, sizeof text);
      gt_progress_step (&run->progress, text);
    }
  gt_progress_end (&run->progress);
}

static void
tune_device (const struct gt_tuner_options *options, struct gt_target *target,
             struct gt_tuned *tuned)
{
  struct run run = {.options = options, .target = target, .tuned = tuned,
                    .saved = gt_now ()};
  struct gt_problem *list;
  unsigned n;

  run.sweep.effort = options->effort;
  run.sweep.stop = stop;
  tuned->device = target->device;
  gt_profile_init (&tuned->profile, tuned->device);
  choose_folder (options, tuned);
  take_up (tuned);
  run.resuming = tuned->profile.unfinished;
  list = gt_tuner_problems (tuned->device, options,
                            target->ops->capacity (target), &n);
  if (list == NULL)
    snprintf (tuned->trouble, sizeof tuned->trouble, "memory is short");
  else
    tune_problems (&run, list, n);
  free (list);
  save (options, tuned, tuned->done + tuned->failed == tuned->problems);
  gt_plans_adopt (tuned->device, &tuned->profile);
  gt_sweep_clear (&run.sweep);
}

/* ---------------------------------------------------------- Crossovers */

static void
find_crossovers (const struct gt_tuner_options *options,
                 struct gt_target *host, struct gt_target *gpu,
                 struct gt_tuned *tuned)
{
  struct gt_sweep sweep = {.effort = options->effort, .stop = stop};
  struct gt_problem p = {.layout = GT_CONTIGUOUS, .n = (uint64_t) 1 << 26};
  char why[256];

  for (int a = 0; a < GT_N_ARITHMETICS && !stop (); a++)
    {
      size_t capacity = host->ops->capacity (host);
      uint64_t bytes = gt_arithmetics[a].size << 26;

      p.arithmetic = (enum gt_arithmetic) a;
      p.mode = gt_effective_mode (p.arithmetic, GT_MODE_COMPENSATED);
      if (!(options->arithmetics & 1u << a) || a == GT_LDBL)
        continue;
      if (host->ops->load (host, p.arithmetic,
                           bytes < capacity ? bytes : capacity, why,
                           sizeof why))
        {
          gt_error ("no crossover for %s: %s", gt_arithmetics[a].types, why);
          continue;
        }
      for (int m = 0; m < GT_N_MODES; m++)
        {
          struct gt_crossover crossover;
          int status;

          p.mode = (enum gt_mode) m;
          if (!asked_for (options, host->device, &p))
            continue;
          status = gt_crossover_find (&sweep, host, gpu, p.arithmetic, p.mode,
                                      &crossover, why, sizeof why);
          if (status == 0)
            gt_profile_put_crossover (&tuned->profile, &crossover);
          else if (status < 0)
            gt_error ("no crossover for %s: %s", gt_arithmetics[a].types, why);
        }
    }
}

/* ------------------------------------------------------------- Together */

/* Tunes the host, when asked, and leaves it open for the crossovers.  */
static unsigned
run_host (const struct gt_tuner_options *options, struct gt_target *host,
          struct gt_tuned *tuned)
{
  if (gt_target_host (host, tuned->trouble, sizeof tuned->trouble))
    return 0;
  if (!options->host)
    return 0;
  tune_device (options, host, tuned);
  return 1;
}

static unsigned
run_gpu (const struct gt_tuner_options *options, int index,
         struct gt_target *host, struct gt_tuned *host_tuned,
         struct gt_tuned *tuned)
{
  struct gt_target gpu;
  char why[256];

  if (gt_target_cuda (&gpu, index, why, sizeof why))
    {
      gt_error ("GPU %d cannot be tuned: %s", index, why);
      return 0;
    }
  tune_device (options, &gpu, tuned);
  if (host_tuned && !stop ())
    {
      find_crossovers (options, host, &gpu, host_tuned);
      save (options, host_tuned,
            host_tuned->done + host_tuned->failed == host_tuned->problems
              && !stop ());
    }
  gpu.ops->close (&gpu);
  gt_cuda_slot_release (gpu.gpu, gpu.slot);
  return 1;
}

static int
lock_folder (const struct gt_tuner_options *options, char *why,
             size_t why_size)
{
  struct gt_tuned where = {0};

  if (choose_folder (options, &where))
    return -1;
  return gt_profile_lock (where.folder, options->system_wide, why, why_size);
}

unsigned
gt_tuner_run (const struct gt_tuner_options *options, struct gt_tuned *tuned)
{
  double limit = options->time_limit != 0
                   ? options->time_limit
                   : gt_effort_levels[options->effort].time_limit;
  struct gt_target host;
  struct gt_tuned *host_tuned = NULL;
  char why[256] = "";
  int lock = lock_folder (options, why, sizeof why);
  unsigned n = 0;

  deadline = limit > 0 ? gt_now () + limit : 0;
  catch_interrupts ();
  n += run_host (options, &host, &tuned[n]);
  host_tuned = n ? &tuned[0] : NULL;
  for (int i = 0; options->gpus && i < gt_cuda_device_count (NULL); i++)
    if (options->ordinal < 0 || options->ordinal == i)
      n += run_gpu (options, i, &host, host_tuned, &tuned[n]);
  host.ops->close (&host);
  if (lock >= 0)
    close (lock);
  return n;
}

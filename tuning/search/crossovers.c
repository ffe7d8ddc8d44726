/* Crossovers: looking for the routes of every type, mode and place.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/routes.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/step_kind.h"
#include "tuning/text/cli.h"
#include "tuning/text/progress.h"

#define MOST_CROSSINGS (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES)

struct crossings
{
  const struct gt_tuner_options *options;
  struct gt_target *host, *gpu;
  struct gt_profile *profile; /* of the host */
  int resuming;
  struct gt_sweep sweep;
  struct gt_progress progress;
  struct gt_routes_seen seen;
};

/* The places in which the CPU finds data.  */
static const enum gt_place places[]
  = {GT_PLACE_HOST, GT_PLACE_PINNED, GT_PLACE_MANAGED};
#define N_PLACES (sizeof places / sizeof *places)

/* Whether an earlier, unfinished run has found those of this place.  */
static int
crossed_before (const struct crossings *run, const struct gt_problem *p,
                enum gt_place place)
{
  char silicon[GT_SILICON_SIZE], kind[GT_STEP_KIND_SIZE];
  unsigned n;

  if (!run->resuming)
    return 0;
  gt_device_silicon (run->gpu->device, silicon);
  gt_step_kind_of_route (p, place, silicon, kind);
  return gt_profile_steps (run->profile, kind, &n) != NULL;
}

static int
all_crossed_before (const struct crossings *run, const struct gt_problem *p)
{
  int all = 1;

  for (size_t i = 0; i < N_PLACES; i++)
    all &= crossed_before (run, p, places[i]);
  return all;
}

/* Puts what was found in place of what was known.  */
static int
keep_sequence (struct crossings *run, const struct gt_problem *p,
               enum gt_place place, const struct gt_route_finding *finding,
               unsigned n)
{
  struct gt_route_step sequence[GT_MOST_LENGTHS + 1];
  unsigned length = gt_routes_sequence (finding, n, sequence);
  char silicon[GT_SILICON_SIZE], kind[GT_STEP_KIND_SIZE];
  int failed = 0;

  gt_device_silicon (run->gpu->device, silicon);
  gt_step_kind_of_route (p, place, silicon, kind);
  gt_profile_drop (run->profile, kind);
  for (unsigned i = 0; i < length && !failed; i++)
    {
      const struct gt_route *const route = &sequence[i].route;
      const struct gt_step step = {
        .kind = kind, .way = gt_way_names[route->way], .from = sequence[i].from,
        .config = {route->threads ? route->threads : 1, 0, 1, 0}, .percent = route->percent,
        .chunk_kib = route->chunk_kib};

      failed = gt_profile_put (run->profile, &step, &sequence[i].measured);
    }
  return failed;
}

static void
tell_missing (struct crossings *run, const struct gt_problem *p)
{
  char kind[96];

  gt_problem_kind_text (p, kind, sizeof kind);
  gt_progress_end (&run->progress);
  gt_error ("no crossovers for %s: %s", kind, run->host->why);
}

/* The crossovers of one type, mode and place.  Returns 0, -1 after a message, or
   1 when stopped.  */
static int
find_sequence (struct crossings *run, const struct gt_problem *p,
               enum gt_place place)
{
  struct gt_route_finding finding[GT_MOST_LENGTHS];
  unsigned n;
  int status = gt_routes_measure (&run->sweep, run->host, run->gpu, p, place,
                                  &run->seen, finding, &n);

  if (status == 2)
    status = 0; /* what is not there needs no other route: N is 0 */
  if (status == 0 && keep_sequence (run, p, place, finding, n))
    {
      snprintf (run->host->why, sizeof run->host->why, "memory is short");
      status = -1;
    }
  if (status < 0)
    tell_missing (run, p);
  return status;
}

/* Those of one type and mode, in every place.  */
static int
find_sequences (struct crossings *run, const struct gt_problem *p)
{
  size_t capacity = run->host->ops->capacity (run->host);
  uint64_t bytes = gt_problem_span (p);
  int status = 0;

  if (gt_target_load (run->host, p, bytes < capacity ? bytes : capacity))
    {
      tell_missing (run, p);
      return -1;
    }
  for (size_t i = 0; i < N_PLACES && status <= 0; i++)
    if (!crossed_before (run, p, places[i]))
      status = find_sequence (run, p, places[i]);
  return status;
}

/* Lists the problems whose crossovers are to be found, and returns how many.  */
static unsigned
list_problems (const struct crossings *run, struct gt_problem list[MOST_CROSSINGS])
{
  const struct gt_tuner_options *options = run->options;
  unsigned n = 0;

  for (int i = 0; i < MOST_CROSSINGS; i++)
    {
      enum gt_reduction r
        = (enum gt_reduction) (i / (GT_N_ARITHMETICS * GT_N_MODES));
      enum gt_arithmetic a
        = (enum gt_arithmetic) (i / GT_N_MODES % GT_N_ARITHMETICS);
      struct gt_problem p
        = {r, a, gt_tuner_modes[i % GT_N_MODES], GT_CONTIGUOUS,
           gt_routes_last_bytes (options->effort) / gt_arithmetics[a].size
             / gt_reductions[r].inputs};

      if ((options->crossed & 1u << r)
          && gt_tuner_asked_for (options, run->gpu->device, &p)
          && gt_device_computes (GT_CPU, &p)
          && !all_crossed_before (run, &p))
        list[n++] = p;
    }
  return n;
}

int
gt_crossovers_find (const struct gt_tuner_options *options,
                    struct gt_target *host, struct gt_target *gpu,
                    struct gt_profile *profile, int resuming,
                    int (*stop) (void))
{
  struct crossings run = {options, host, gpu, profile, resuming,
                          {.effort = options->effort, .stop = stop}, {0},
                          {0}};
  struct gt_problem list[MOST_CROSSINGS];
  unsigned n = list_problems (&run, list);
  unsigned done = 0;
  char kind[96], text[128], label[16];

  snprintf (label, sizeof label, "GPU %d", gpu->device->gpu.ordinal);
  snprintf (text, sizeof text,
            "when to use it for host data, %u types and modes", n);
  gt_progress_begin (&run.progress, label, n, text);
  while (done < n && !gpu->ops->lost (gpu))
    {
      gt_problem_kind_text (&list[done], kind, sizeof kind);
      snprintf (text, sizeof text, "host data, %s", kind);
      gt_progress_show (&run.progress, done, text);
      if (find_sequences (&run, &list[done]) > 0)
        break;
      done++;
    }
  gt_progress_end (&run.progress);
  return done == n || gpu->ops->lost (gpu);
}

/* ------------------------------------ From findings to crossovers */

static int
counts (const struct gt_route_finding *finding, unsigned n, unsigned i)
{
  if (!finding[i].wins)
    return 0;
  return finding[i].wins > 1 || (i > 0 && finding[i - 1].wins)
         || (i + 1 < n && finding[i + 1].wins);
}

unsigned
gt_routes_sequence (const struct gt_route_finding *finding, unsigned n,
                    struct gt_route_step *sequence)
{
  static const struct gt_route cpu = {GT_WAY_CPU, 0, 0, 0};
  unsigned length = 1;

  sequence[0] = (struct gt_route_step) {.route = cpu};
  for (unsigned i = 0; i < n; i++)
    {
      int gpu = counts (finding, n, i);
      const struct gt_route *route = gpu ? &finding[i].route : &cpu;

      if (memcmp (route, &sequence[length - 1].route, sizeof *route) != 0)
        sequence[length++] = (struct gt_route_step) {
          .from = finding[i].n, .route = *route,
          .measured = {.seconds = gpu ? finding[i].seconds : finding[i].cpu_seconds,
                       .cpu_seconds = finding[i].cpu_seconds}};
    }
  return length;
}

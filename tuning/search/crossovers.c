/* Crossovers: the questions by which route host data is summed fastest, for every type, mode and
   place.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/search/routes.h"

#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "src/profile/step_kind.h"
#include "tuning/search/question.h"
#include "tuning/text/cli.h"
#include "tuning/text/progress.h"

struct crossings
{
  struct gt_target *host, *gpu;
  char silicon[GT_SILICON_SIZE]; /* of the GPU */
  struct gt_sweep sweep;
  struct gt_routes_seen seen;
  struct gt_problem problem; /* of the question at hand */
  enum gt_place place;
};

/* The places in which the CPU finds data.  */
static const enum gt_place places[] = {GT_PLACE_HOST, GT_PLACE_PINNED, GT_PLACE_MANAGED};
#define N_PLACES (sizeof places / sizeof *places)
#define KINDS (GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES * N_PLACES)

static int
ask (void *closure, unsigned k, const struct gt_tuner_options *options, struct gt_question *q)
{
  struct crossings *const run = closure;
  const enum gt_reduction r
    = (enum gt_reduction) (k / (GT_N_ARITHMETICS * GT_N_MODES * N_PLACES));
  const enum gt_arithmetic a
    = (enum gt_arithmetic) (k / (GT_N_MODES * N_PLACES) % GT_N_ARITHMETICS);

  run->place = places[k % N_PLACES];
  run->problem = (struct gt_problem) {
    r, a, gt_tuner_modes[k / N_PLACES % GT_N_MODES], GT_CONTIGUOUS,
    gt_routes_last_bytes (options->effort) / gt_arithmetics[a].size / gt_reductions[r].inputs};
  if (!(options->crossed & 1u << r)
      || !gt_tuner_asked_for (options, run->gpu->device, &run->problem)
      || !gt_device_computes (GT_CPU, &run->problem))
    return 0;
  gt_step_kind_of_route (&run->problem, run->place, run->silicon, q->kind);
  return 1;
}

/* Memory that this machine does not have needs no route but the CPU.  Returns 1 if the run is to
   stop; what cannot be found is reported and left out.  */
static int
answer (void *closure, const struct gt_question *q, struct gt_profile *profile,
        struct gt_progress *progress)
{
  struct crossings *const run = closure;
  struct gt_target *const host = run->host;
  const size_t capacity = host->ops->capacity (host);
  const uint64_t bytes = gt_problem_span (&run->problem);
  struct gt_route_finding finding[GT_MOST_LENGTHS];
  char kind[96];
  unsigned n = 0;
  int status;

  if (run->gpu->ops->lost (run->gpu))
    return 1;
  status = gt_target_load (host, &run->problem, bytes < capacity ? bytes : capacity);
  if (status == 0)
    status = gt_routes_measure (&run->sweep, host, run->gpu, &run->problem, run->place,
                                &run->seen, finding, &n);
  if (status != 1 && status >= 0 && gt_routes_put (finding, n, q->kind, profile))
    status = gt_profile_fail (host->why, sizeof host->why, "memory is short");
  if (status < 0)
    {
      gt_problem_kind_text (&run->problem, kind, sizeof kind);
      gt_progress_end (progress);
      gt_error ("no crossovers for %s: %s", kind, host->why);
    }
  return status == 1;
}

int
gt_crossovers_find (const struct gt_tuner_options *options, struct gt_target *host,
                    struct gt_target *gpu, struct gt_profile *profile, int resuming,
                    int (*stop) (void))
{
  struct crossings run
    = {.host = host, .gpu = gpu, .sweep = {.effort = options->effort, .stop = stop}};
  char label[16];
  const struct gt_family routes = {.label = label, .text = "when to use it for host data",
                                   .kinds = KINDS, .ask = ask, .answer = answer};

  gt_device_silicon (gpu->device, run.silicon);
  snprintf (label, sizeof label, "GPU %d", gpu->device->gpu.ordinal);
  return gt_questions_answer (&routes, &run, options, profile, resuming, stop)
         || gpu->ops->lost (gpu);
}

/* ------------------------------------ From findings to steps */

static int
counts (const struct gt_route_finding *finding, unsigned n, unsigned i)
{
  return finding[i].wins > 1
         || (finding[i].wins && ((i > 0 && finding[i - 1].wins)
                                 || (i + 1 < n && finding[i + 1].wins)));
}

int
gt_routes_put (const struct gt_route_finding *finding, unsigned n, const char *kind,
               struct gt_profile *profile)
{
  static const struct gt_route_finding none; /* the CPU */
  const struct gt_route *last = NULL;
  int failed = 0;

  gt_profile_drop (profile, kind);
  for (unsigned i = 0; i <= n && !failed; i++)
    {
      const struct gt_route_finding *const f = i ? &finding[i - 1] : &none;
      const int by_gpu = i && counts (finding, n, i - 1);
      const struct gt_route *const route = by_gpu ? &f->route : &none.route;
      const struct gt_step step = {
        .kind = kind, .way = gt_way_names[route->way], .from = f->n,
        .config = {route->threads ? route->threads : 1, 0, 1, 0}, .percent = route->percent,
        .chunk_kib = route->chunk_kib};

      if (last == NULL || memcmp (route, last, sizeof *route) != 0)
        failed = gt_profile_put (
          profile, &step,
          &(struct gt_measured) {.seconds = by_gpu ? f->seconds : f->cpu_seconds,
                                 .cpu_seconds = f->cpu_seconds});
      last = route;
    }
  return failed;
}

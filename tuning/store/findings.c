/* Findings of the tuner.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/plan/plan.h"
#include "src/profile/step_kind.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

/* ----------------------------------------------------------------- Winners */

/* Checks whether STEP was not measured with these findings: it was in the profile before.  */
static int
is_older (const struct gt_profile *findings, const struct gt_step *step)
{
  const struct gt_measured *const measured = gt_measured_of (findings, step);

  return measured == NULL || measured->candidates == 0;
}

int
gt_findings_put (struct gt_profile *findings, const struct gt_winner *winner)
{
  char kind[GT_STEP_KIND_SIZE];
  const struct gt_step *before;
  unsigned n;
  const struct gt_step step = {.kind = kind, .way = winner->kernel->name,
                               .from = winner->problem.n, .config = winner->config,
                               .version = winner->kernel->version};

  gt_step_kind_of_problem (&winner->problem, kind);
  before = gt_profile_steps (findings, kind, &n);
  if (before && is_older (findings, before))
    gt_profile_drop (findings, kind);
  return gt_profile_put (findings, &step, &winner->measured);
}

int
gt_findings_winner (const struct gt_profile *profile, const struct gt_step *step,
                    struct gt_winner *winner)
{
  const struct gt_measured *const measured = gt_measured_of (profile, step);
  struct gt_step_kind kind;

  if (gt_step_kind_read (step->kind, &kind, NULL, 0) <= 0 || kind.is_route)
    return 0;
  *winner = (struct gt_winner) {.problem = kind.problem, .config = step->config,
                                .kernel = gt_catalog_find (step->way, kind.problem.reduction)};
  winner->problem.n = step->from;
  if (measured)
    winner->measured = *measured;
  return winner->kernel != NULL;
}

const struct gt_measured *
gt_findings_of (const struct gt_profile *findings, const struct gt_problem *problem)
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

/* ---------------------------------------------------------------- Profiles */

/* Findings at lengths that differ by this factor say nothing.  Lengths that are never tuned
   are far from none.  */
#define FAR 16
#define LEAST 16
#define MOST ((uint64_t) 1 << 26)

/* Puts STEP into PROFILE, unless the last one of its kind is the same.  */
static int
put_unless_same (struct gt_profile *profile, const struct gt_step *step)
{
  unsigned n;
  const struct gt_step *const before = gt_profile_steps (profile, step->kind, &n);
  struct gt_step last;

  if (before)
    {
      last = before[n - 1];
      if (strcmp (last.way, step->way) == 0 && gt_config_equal (&last.config, &step->config)
          && last.percent == step->percent && last.chunk_kib == step->chunk_kib)
        return 0;
    }
  return gt_profile_put (profile, step, NULL);
}

/* Returns the least length that is nearer to TO's length than to FROM's.  If neither is, a GPU
   takes the longer one's configuration: its blocks are enough, and idle ones cost nothing.  A
   CPU takes the shorter one's, since threads cost more than they gain on fewer elements.  */
static uint64_t
between (const struct gt_step *from, const struct gt_step *to, const struct gt_device *device)
{
  const double middle = sqrt ((double) from->from) * sqrt ((double) to->from);

  return device->kind == GT_CUDA ? (uint64_t) ceil (middle) : (uint64_t) floor (middle) + 1;
}

/* Returns FOUND, a step of FINDINGS, or the estimate if that is the same.  */
static struct gt_step
or_estimate (const struct gt_profile *findings, const struct gt_step *found,
             const struct gt_device *device)
{
  const struct gt_kernel *kernel;
  struct gt_winner winner;
  struct gt_config config;

  if (gt_findings_winner (findings, found, &winner))
    {
      gt_estimate (device, &winner.problem, &kernel, &config);
      if (kernel == winner.kernel && gt_config_equal (&config, &winner.config))
        return (struct gt_step) {.kind = found->kind, .way = GT_STEP_ESTIMATE,
                                 .config = {1, 0, 1, 0}};
    }
  return *found;
}

/* Puts the N winners of one kind into PROFILE; STEPS are those of FINDINGS.  */
static int
put_winners (const struct gt_profile *findings, const struct gt_step *steps, unsigned n,
             const struct gt_device *device, struct gt_profile *profile)
{
  struct gt_step far = {.kind = steps->kind, .way = GT_STEP_ESTIMATE, .config = {1, 0, 1, 0}};
  const int starts_late = findings->unfinished && steps[0].from > LEAST * FAR;
  int failed = starts_late && put_unless_same (profile, &far);

  for (unsigned i = 0; i < n && !failed; i++)
    {
      struct gt_step step = or_estimate (findings, &steps[i], device);

      step.from = i ? between (&steps[i - 1], &steps[i], device)
                  : starts_late ? steps[0].from / FAR : 0;
      failed = put_unless_same (profile, &step);
    }
  far.from = steps[n - 1].from * FAR + 1;
  return failed || (findings->unfinished && steps[n - 1].from < MOST / FAR
                    && put_unless_same (profile, &far))
           ? -1 : 0;
}

/* Makes PROFILE an empty one with the texts of FINDINGS.  */
static void
copy_header (const struct gt_profile *findings, struct gt_profile *profile)
{
  memcpy (profile, findings, sizeof *profile);
  profile->steps = NULL;
  profile->measured = NULL;
  profile->kinds = profile->ways = (struct gt_words) {NULL, 0};
  profile->n_steps = 0;
}

int
gt_findings_profile (const struct gt_profile *findings, const struct gt_device *device,
                     struct gt_profile *profile)
{
  struct gt_step_kind kind;
  int failed = 0;
  unsigned n;

  copy_header (findings, profile);
  for (unsigned i = 0; i < findings->n_steps && !failed; i += n)
    {
      const struct gt_step *const steps = &findings->steps[i];

      gt_profile_steps (findings, steps->kind, &n);
      if (gt_step_kind_read (steps->kind, &kind, NULL, 0) > 0 && !kind.is_route
          && !is_older (findings, steps))
        failed = put_winners (findings, steps, n, device, profile);
      else
        for (unsigned k = 0; k < n && !failed; k++)
          failed = put_unless_same (profile, &steps[k]);
    }
  if (failed)
    gt_profile_clear (profile);
  return failed ? -1 : 0;
}

void
gt_findings_adopt (const struct gt_profile *findings, const struct gt_device *device)
{
  static struct gt_profile profile;

  if (gt_findings_profile (findings, device, &profile) == 0)
    gt_plans_adopt (device, &profile);
}

/* ------------------------------------------------------------------- Files */

/* Reads the file in FOLDER that is called after the silicon of DEVICE, with SUFFIX.  */
static enum gt_profile_status
read_file (const char *folder, const char *suffix, const struct gt_device *device,
           struct gt_profile *profile)
{
  char path[sizeof profile->path], silicon[GT_SILICON_SIZE];

  gt_device_silicon (device, silicon);
  gt_profile_empty (profile);
  if ((size_t) snprintf (path, sizeof path, "%s/%s%s", folder, silicon, suffix) >= sizeof path)
    return GT_PROFILE_ABSENT;
  return gt_profile_read (path, device, profile, NULL, 0);
}

enum gt_profile_status
gt_findings_read_beside (const struct gt_profile *profile, const struct gt_device *device,
                         struct gt_profile *findings)
{
  char folder[sizeof profile->path];
  const char *const slash = strrchr (profile->path, '/');

  gt_profile_empty (findings);
  if (slash == NULL || profile->match != GT_MATCH_SILICON)
    return GT_PROFILE_ABSENT;
  snprintf (folder, sizeof folder, "%.*s", (int) (slash - profile->path), profile->path);
  return read_file (folder, GT_MEASURED_SUFFIX, device, findings);
}

/* Adds the kinds that only the profile in FOLDER has.  */
static void
add_others (const char *folder, const struct gt_device *device, struct gt_profile *findings)
{
  static struct gt_profile old;
  static const struct gt_measured none;

  if (read_file (folder, GT_PROFILE_SUFFIX, device, &old) != GT_PROFILE_OK)
    return;
  for (unsigned i = 0, n, own; i < old.n_steps; i += n)
    {
      const struct gt_step *const steps = gt_profile_steps (&old, old.steps[i].kind, &n);

      gt_profile_steps (findings, steps->kind, &own);
      for (unsigned k = 0; k < n && own == 0; k++)
        gt_profile_put (findings, &steps[k], &none);
    }
  gt_profile_clear (&old);
}

void
gt_findings_take_up (const char *folder, const struct gt_device *device,
                     struct gt_profile *findings)
{
  if (read_file (folder, GT_MEASURED_SUFFIX, device, findings) != GT_PROFILE_OK)
    gt_profile_init (findings, device);
  gt_profile_stamp (findings, device);
  add_others (folder, device, findings);
}

int
gt_findings_save (const struct gt_profile *findings, const struct gt_device *device,
                  const char *folder, int system_wide, char *why, size_t why_size)
{
  static struct gt_profile profile;
  int failed;

  if (gt_findings_profile (findings, device, &profile))
    return gt_profile_fail (why, why_size, "memory is short");
  failed = gt_profile_save (findings, folder, system_wide, why, why_size)
           || gt_profile_save (&profile, folder, system_wide, why, why_size);
  gt_profile_clear (&profile);
  return failed ? -1 : 0;
}

/* Fuzz target: profiles are read, planned from, reported, written and read again.
   The device is the one that the text is for.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "kernels/resources.h"
#include "src/device/geometry.h"
#include "src/plan/plan.h"
#include "src/profile/profile_private.h"
#include "tests/profile_sample.h"
#include "tuning/measure/occupancy.h"
#include "tuning/report/report.h"
#include "tuning/store/profile_store.h"

/* ------------------------------------------------------------------- Plans */

static void
check_cpu (const struct gt_device *device, const struct gt_plan *plan)
{
  GT_FUZZ_CHECK (plan->config.threads >= 1);
  GT_FUZZ_CHECK (plan->config.threads <= (unsigned) device->host.threads);
  GT_FUZZ_CHECK (plan->function != NULL);
}

/* By what the compiler gave the kernel, where it was compiled for such a device.  */
static void
check_resources (const struct gt_device *device,
                 const struct gt_problem *problem, const struct gt_plan *plan,
                 unsigned shared)
{
  const struct gt_sm_limits *sm = &device->gpu.sm;
  const struct gt_kernel_resources *row;
  struct gt_occupancy occupancy;
  char symbol[128];

  gt_kernel_symbol (plan->kernel, problem, plan->config.unroll,
                    plan->config.block, symbol, sizeof symbol);
  row = gt_kernel_resources_find (gt_kernel_resources, symbol,
                                  10 * sm->cc_major + sm->cc_minor);
  if (row == NULL)
    return;
  gt_occupancy_compute (sm,
                        &(struct gt_occupancy_request) {
                          row->registers, (size_t) row->shared + shared,
                          (int) plan->config.block},
                        &occupancy);
  GT_FUZZ_CHECK (occupancy.active_blocks >= 1);
}

static void
check_gpu (const struct gt_device *device, const struct gt_problem *problem,
           const struct gt_plan *plan, int with_resources)
{
  const struct gt_sm_limits *sm = &device->gpu.sm;
  const struct gt_geometry geometry
    = gt_geometry_of (plan->kernel, &plan->config, problem, device->gpu.sms);

  GT_FUZZ_CHECK (plan->config.block >= 1);
  GT_FUZZ_CHECK (plan->config.block <= (unsigned) sm->max_threads_per_block);
  GT_FUZZ_CHECK (plan->config.block % (unsigned) sm->warp_size == 0);
  GT_FUZZ_CHECK (geometry.grid >= 1 && geometry.grid <= INT32_MAX);
  if (with_resources)
    check_resources (device, problem, plan, geometry.shared);
}

/* Whatever a profile holds, what is planned can be launched.  */
static void
check_plan (const struct gt_device *device, const struct gt_problem *problem,
            const struct gt_plan *plan, int with_resources)
{
  if (plan->kernel == NULL)
    return;
  GT_FUZZ_CHECK (plan->kernel->device == device->kind);
  GT_FUZZ_CHECK (gt_kernel_serves (plan->kernel, problem));
  GT_FUZZ_CHECK (plan->config.unroll & plan->kernel->unrolls);
  if (device->kind == GT_CPU)
    check_cpu (device, plan);
  else
    check_gpu (device, problem, plan, with_resources);
}

static void
check_plans (struct gt_plans *plans, enum gt_reduction reduction)
{
  const struct gt_plan *last = NULL;

  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        for (int k = 0; k < 64; k++)
          {
            struct gt_problem p
              = {reduction, (enum gt_arithmetic) a, GT_MODE_FAST,
                 (enum gt_layout) l, (uint64_t) 1 << k};
            const struct gt_plan *plan;

            if (!gt_reduction_has (reduction, p.arithmetic))
              continue;
            p.mode = gt_mode_for (reduction, p.arithmetic, (enum gt_mode) m);
            plan = gt_plan_find (plans, &p);
            /* Equal plans of other lengths need one look into the long table.  */
            check_plan (plans->device, &p, plan,
                        last == NULL || last->kernel != plan->kernel
                          || memcmp (&last->config, &plan->config,
                                     sizeof plan->config) != 0);
            last = plan;
          }
}

/* Plans the reduction of the first step that has one.  */
static void
plan (const struct gt_device *device, const struct gt_profile *profile)
{
  static struct gt_plans plans;
  struct gt_step_kind kind = {.is_route = 0};
  unsigned i = 0;

  while (i < profile->n_steps
         && gt_step_kind_read (profile->steps[i].kind, &kind, NULL, 0) <= 0)
    i++;
  plans.device = device;
  plans.profile = *profile;
  plans.profile_found = 1;
  check_plans (&plans, i < profile->n_steps ? kind.problem.reduction : GT_SUM);
  gt_plans_forget (&plans);
}

/* ------------------------------------------------------------ Round trips */

/* A profile that was read is written, and read as the same again.  */
static void
write_and_read (const struct gt_device *device,
                const struct gt_profile *profile)
{
  char *text, *again, why[256];
  struct gt_profile second;

  text = gt_profile_text (profile, why, sizeof why);
  GT_FUZZ_CHECK (text != NULL);
  GT_FUZZ_CHECK (gt_profile_parse (text, strlen (text), device, GT_MATCH_SILICON,
                                   &second, why,
                                   sizeof why) == GT_PROFILE_OK);
  GT_FUZZ_CHECK (second.rejected == 0);
  GT_FUZZ_CHECK (second.n_steps == profile->n_steps);
  again = gt_profile_text (&second, why, sizeof why);
  GT_FUZZ_CHECK (again != NULL && strcmp (text, again) == 0);
  gt_profile_clear (&second);
  free (text);
  free (again);
}

static void
report (const struct gt_device *device, const struct gt_profile *profile)
{
  json_t *const steps = gt_report_steps_json (device, profile, NULL, NULL);

  GT_FUZZ_CHECK (steps != NULL);
  json_decref (steps);
}

static void
try_device (const struct gt_device *device, const char *text, size_t size)
{
  struct gt_profile profile;
  char why[256] = "";

  if (gt_profile_parse (text, size, device, GT_MATCH_SILICON, &profile, why,
                        sizeof why)
      != GT_PROFILE_OK)
    {
      GT_FUZZ_CHECK (*why);
      gt_fuzz_check_words (why);
      GT_FUZZ_CHECK (profile.steps == NULL && profile.measured == NULL);
      return;
    }
  gt_fuzz_check_words (profile.rejected_why);
  gt_fuzz_check_words (profile.device_name);
  report (device, &profile);
  write_and_read (device, &profile);
  plan (device, &profile);
  gt_profile_clear (&profile);
}

int
gt_fuzz_profile (const uint8_t *data, size_t size)
{
  static struct gt_device devices[2];
  char *text = gt_fuzz_allocate (size);
  struct gt_profile header;
  char why[256], silicon[GT_SILICON_SIZE];

  if (devices[0].host.threads == 0)
    {
      devices[0] = sample_host ();
      devices[1] = sample_gpu ();
    }
  memcpy (text, data, size);
  if (gt_profile_parse (text, size, NULL, GT_MATCH_SILICON, &header, why,
                        sizeof why)
      == GT_PROFILE_OK)
    {
      for (int i = 0; i < 2; i++)
        {
          gt_device_silicon (&devices[i], silicon);
          if (strcmp (header.silicon, silicon) == 0)
            try_device (&devices[i], text, size);
        }
      gt_profile_clear (&header);
    }
  else
    {
      GT_FUZZ_CHECK (*why);
      gt_fuzz_check_words (why);
    }
  free (text);
  return 0;
}

/* Profiles that a tuner fills.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

static void
set_created (struct gt_profile *profile)
{
  time_t now = time (NULL);
  struct tm utc;

  if (gmtime_r (&now, &utc))
    strftime (profile->created, sizeof profile->created, "%Y-%m-%dT%H:%M:%SZ",
              &utc);
}

/* What times depend on but the device: the host, the system and the compiler.  Nothing
   that tells whose machine it is.  */
static void
set_machine (struct gt_profile *profile)
{
  const struct gt_host *host = &gt_device_host ()->host;
  struct utsname system;

  if (uname (&system))
    return;
  snprintf (profile->machine, sizeof profile->machine,
            "%.120s, %d threads, %.40s %.*s, compiled by " COMPILER,
            host->model, host->threads, system.sysname,
            (int) strcspn (system.release, "-"), system.release);
  gt_profile_printable (profile->machine);
}

void
gt_profile_init (struct gt_profile *profile, const struct gt_device *device)
{
  memset (profile, 0, sizeof *profile);
  gt_device_silicon (device, profile->silicon);
  snprintf (profile->device_name, sizeof profile->device_name, "%s",
            gt_device_name (device));
  gt_profile_printable (profile->device_name);
  if (device->kind == GT_CUDA)
    snprintf (profile->driver, sizeof profile->driver, "%d.%d",
              device->gpu.driver_version / 1000,
              device->gpu.driver_version % 1000 / 10);
  snprintf (profile->version, sizeof profile->version, "%s", PACKAGE_VERSION);
  set_created (profile);
  set_machine (profile);
}

void
gt_profile_drop_crossovers (struct gt_profile *profile,
                            const struct gt_crossover *crossover)
{
  struct gt_problem problem = {.reduction = crossover->reduction,
                               .arithmetic = crossover->arithmetic,
                               .mode = crossover->mode};
  unsigned n;
  const struct gt_crossover *found
    = gt_profile_crossovers (profile, &problem, crossover->place,
                             crossover->device, &n);
  struct gt_crossover *at;

  if (n == 0)
    return;
  at = profile->crossovers + (found - profile->crossovers);
  profile->n_crossovers -= n;
  memmove (at, at + n,
           (size_t) (profile->crossovers + profile->n_crossovers - at)
             * sizeof *at);
}

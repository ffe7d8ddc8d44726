/* Profiles written as JSON: keys in one order, numbers so that what is read
   back is written the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

/* Enough to tell times apart; fewer than a double has, so that a time which
   was converted to seconds and back is written as it was.  */
#define REAL_DIGITS 9

/* Adds to JSON the members of TABLE, of the entry or crossover at ITEM.  */
static int
add_numbers (json_t *json, const struct gt_profile_number *table,
             const void *item)
{
  int failed = 0;

  for (const struct gt_profile_number *number = table; number->key; number++)
    {
      const void *at = (const char *) item + number->offset;
      const double value = number->is_count ? 0 : *(const double *) at;

      if (number->is_count || !number->optional || value > 0)
        failed |= json_object_set_new (
          json, number->key, number->is_count
                               ? json_integer (*(const unsigned *) at)
                               : json_real (value * number->scale));
    }
  return failed;
}

/* JSON, or null where that FAILED.  */
static json_t *
whole (json_t *json, int failed)
{
  if (!failed)
    return json;
  json_decref (json);
  return NULL;
}

json_t *
gt_profile_entry_json (const struct gt_entry *entry)
{
  const struct gt_problem *p = &entry->problem;
  const struct gt_kernel *kernel = entry->kernel;
  struct gt_config config = entry->config;
  json_t *json = json_pack (
    "{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:i}", "operation",
    gt_reductions[p->reduction].name, "type", gt_arithmetics[p->arithmetic].name,
    "serves", gt_types_of (p->reduction, p->arithmetic), "mode",
    gt_mode_names[p->mode], "layout", gt_layout_names[p->layout], "place",
    gt_profile_place (kernel->device), "n", (json_int_t) p->n, "kernel",
    kernel->name, "version", (int) kernel->version);
  int failed = 0;

  for (size_t i = 0; i < GT_N_TUNABLES; i++)
    if (kernel->tunables & gt_profile_tunables[i].flag)
      failed |= json_object_set_new (json, gt_profile_tunables[i].key,
                                     json_integer (*gt_tunable_of (&config, i)));
  failed |= json_object_set_new (json, "effort",
                                 json_string (gt_effort_names[entry->effort]))
            || add_numbers (json, gt_entry_numbers, entry)
            || json_object_set_new (
              json, "occupancy_predicted",
              entry->occupancy_predicted < 0
                ? json_null () : json_boolean (entry->occupancy_predicted));
  return whole (json, failed);
}

/* Null for members that a way does not have, which are left out.  */
static json_t *
figure (unsigned value)
{
  return value ? json_integer (value) : NULL;
}

json_t *
gt_profile_crossover_json (const struct gt_crossover *c)
{
  const struct gt_problem *p = &c->problem;
  json_t *json = json_pack (
    "{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:o*, s:o*, s:o*}", "operation",
    gt_reductions[p->reduction].name, "type", gt_arithmetics[p->arithmetic].name,
    "serves", gt_types_of (p->reduction, p->arithmetic), "mode",
    gt_mode_names[p->mode], "place", gt_place_names[c->place], "device",
    c->device, "from", (json_int_t) p->n, "way", gt_way_names[c->route.way],
    "percent", figure (c->route.percent), "threads", figure (c->route.threads),
    "chunk_kib", figure (c->route.chunk_kib));

  return whole (json, add_numbers (json, gt_crossover_numbers, c));
}

json_t *
gt_profile_step_json (const struct gt_step *step)
{
  json_t *json = json_pack ("{s:s, s:I, s:s, s:i}", "call", step->kind, "from",
                            (json_int_t) step->from, "way", step->way, "threads",
                            (int) step->threads);

  return whole (json, add_numbers (json, gt_step_numbers, step));
}

/* The profile as JSON, or null.  Procedures are a CPU's.  */
static json_t *
profile_json (const struct gt_profile *profile)
{
  json_t *root = json_pack (
    "{s:i, s:s, s:s, s:s, s:b, s:{s:s, s:s, s:s}, s:[], s:[]}", "format",
    GT_PROFILE_FORMAT, "gsltune", profile->version, "created",
    profile->created, "machine", profile->machine, "unfinished",
    profile->unfinished, "device", "silicon", profile->silicon, "name",
    profile->device_name, "driver", profile->driver, "entries", "crossovers");
  json_t *entries = json_object_get (root, "entries");
  json_t *crossovers = json_object_get (root, "crossovers"), *steps = NULL;
  int failed = root == NULL;

  for (unsigned i = 0; i < profile->n_entries; i++)
    failed |= json_array_append_new (
      entries, gt_profile_entry_json (&profile->entries[i]));
  for (unsigned i = 0; i < profile->n_crossovers; i++)
    failed |= json_array_append_new (
      crossovers, gt_profile_crossover_json (&profile->crossovers[i]));
  if (profile->n_steps)
    failed |= json_object_set_new (root, "procedures", steps = json_array ());
  for (unsigned i = 0; i < profile->n_steps; i++)
    failed |= json_array_append_new (steps, gt_profile_step_json (&profile->steps[i]));
  return whole (root, failed);
}

char *
gt_profile_text (const struct gt_profile *profile, char *why, size_t why_size)
{
  json_t *root = profile_json (profile);
  char *text = NULL;

  if (root)
    text = json_dumps (root, JSON_INDENT (1) | JSON_ENSURE_ASCII
                               | JSON_REAL_PRECISION (REAL_DIGITS));
  json_decref (root);
  if (text == NULL)
    gt_profile_fail (why, why_size,
                     "the profile cannot be written as JSON: memory is short, "
                     "or a time is not finite");
  return text;
}

/* ------------------------------------------------- Profiles that a tuner fills */

static void
set_created (struct gt_profile *profile)
{
  time_t now = time (NULL);
  struct tm utc;

  if (gmtime_r (&now, &utc))
    strftime (profile->created, sizeof profile->created, "%Y-%m-%dT%H:%M:%SZ",
              &utc);
}

/* Times depend on the host, the system and the compiler, too.  These are written, and nothing
   that tells whose machine it is.  */
static void
set_machine (struct gt_profile *profile)
{
  const struct gt_host *host = &gt_device_host ()->host;
  struct utsname system;

  if (uname (&system))
    return;
  snprintf (profile->machine, sizeof profile->machine,
            "%.120s, %d threads, %.40s %.*s, compiled by " GT_COMPILER,
            host->model, host->threads, system.sysname,
            (int) strcspn (system.release, "-"), system.release);
  gt_make_ascii (profile->machine);
}

void
gt_profile_init (struct gt_profile *profile, const struct gt_device *device)
{
  memset (profile, 0, sizeof *profile);
  gt_device_silicon (device, profile->silicon);
  snprintf (profile->device_name, sizeof profile->device_name, "%s",
            gt_device_name (device));
  gt_make_ascii (profile->device_name);
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
  unsigned n;
  const struct gt_crossover *found
    = gt_profile_crossovers (profile, &crossover->problem, crossover->place,
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

void
gt_profile_drop_steps (struct gt_profile *profile, const char *kind)
{
  unsigned n;
  const struct gt_step *found = gt_profile_steps (profile, kind, &n);
  struct gt_step *at;

  if (n == 0)
    return;
  at = profile->steps + (found - profile->steps);
  profile->n_steps -= n;
  memmove (at, at + n, (size_t) (profile->steps + profile->n_steps - at) * sizeof *at);
}

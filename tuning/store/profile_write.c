/* Profiles written as JSON: keys in one order, numbers so that what is read
   back is written the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

/* Enough to tell times apart; fewer than a double has, so that a time which
   was converted to seconds and back is written as it was.  */
#define REAL_DIGITS 9

/* Adds to OBJECT the members of TABLE that ITEM has.  */
static int
add_members (json_t *object, const struct gt_profile_member *table, const void *item)
{
  int failed = 0;

  for (const struct gt_profile_member *m = table; m->key; m++)
    {
      const void *const at = (const char *) item + m->offset;
      const unsigned number = *(const unsigned *) at;
      json_t *json = NULL;

      if (m->form == GT_MEMBER_EFFORT)
        json = json_string (gt_effort_names[number]);
      else if (m->form == GT_MEMBER_COUNT && number != m->neutral)
        json = json_integer (number);
      else if (m->form != GT_MEMBER_COUNT && *(const double *) at > 0)
        json = json_real (*(const double *) at
                          * (m->form == GT_MEMBER_SECONDS ? GT_NANOSECONDS : 1));
      else
        continue;
      failed |= json_object_set_new (object, m->key, json);
    }
  return failed;
}

/* Returns the members of STEP and, unless it is null, of MEASURED; null when memory is short or a
   time is not finite.  */
static json_t *
members_json (const struct gt_step *step, const struct gt_measured *measured)
{
  json_t *const object = json_object ();

  if (add_members (object, gt_step_members, step) == 0
      && (measured == NULL || add_members (object, gt_measured_members, measured) == 0))
    return object;
  json_decref (object);
  return NULL;
}

json_t *
gt_step_json (const struct gt_profile *profile, const struct gt_step *step)
{
  json_t *const json = json_pack ("{s:s, s:I, s:s}", "kind", step->kind, "from",
                                  (json_int_t) step->from, "way", step->way);
  json_t *const members = members_json (step, gt_measured_of (profile, step));

  json_object_update (json, members);
  json_decref (members);
  return json;
}

/* Writes "[4096,"simd",{"version":2,"unroll":8}]".  */
static int
write_step (FILE *stream, const struct gt_profile *profile, const struct gt_step *step)
{
  json_t *const members = members_json (step, gt_measured_of (profile, step));
  json_t *const json = json_pack (json_object_size (members) ? "[I, s, o]" : "[I, s]",
                                  (json_int_t) step->from, step->way, members);
  char *const text = members && json
                       ? json_dumps (json, JSON_COMPACT | JSON_ENSURE_ASCII
                                             | JSON_REAL_PRECISION (REAL_DIGITS))
                       : NULL;

  if (text)
    fputs (text, stream);
  free (text);
  if (json_object_size (members) == 0)
    json_decref (members);
  json_decref (json);
  return text ? 0 : -1;
}

/* Writes a line for each kind.  */
static int
write_steps (FILE *stream, const struct gt_profile *profile)
{
  const char *kind = "";
  int failed = 0;

  for (unsigned i = 0; i < profile->n_steps && !failed; i++)
    {
      const struct gt_step *const step = &profile->steps[i];

      if (strcmp (step->kind, kind) != 0)
        fprintf (stream, "%s  \"%s\": [", i ? "],\n" : "", step->kind);
      else
        putc (',', stream);
      kind = step->kind;
      failed = write_step (stream, profile, step);
    }
  fputs (profile->n_steps ? "]\n }\n}" : " }\n}", stream);
  return failed;
}

/* Returns the members before the steps, as text without its last brace, to be freed; or null.  */
static char *
header_text (const struct gt_profile *profile)
{
  json_t *const root = json_pack (
    "{s:i, s:s, s:s, s:s, s:b, s:b, s:{s:s, s:s, s:s}}", "format", GT_PROFILE_FORMAT, "gsltune",
    profile->version, "created", profile->created, "machine", profile->machine, "unfinished",
    profile->unfinished, "measured", profile->measured != NULL, "device", "silicon",
    profile->silicon, "name", profile->device_name, "driver", profile->driver);
  char *const text = root ? json_dumps (root, JSON_INDENT (1) | JSON_ENSURE_ASCII) : NULL;

  if (text)
    text[strlen (text) - 2] = '\0';
  json_decref (root);
  return text;
}

char *
gt_profile_text (const struct gt_profile *profile, char *why, size_t why_size)
{
  char *const header = header_text (profile), *text = NULL;
  size_t size;
  FILE *const stream = header ? open_memstream (&text, &size) : NULL;
  int failed = stream == NULL;

  if (stream)
    {
      fprintf (stream, "%s,\n \"steps\": {\n", header);
      failed = write_steps (stream, profile);
      failed |= fclose (stream) != 0;
    }
  free (header);
  if (!failed)
    return text;
  free (text);
  gt_profile_fail (why, why_size,
                   "the profile cannot be written as JSON: memory is short, "
                   "or a time is not finite");
  return NULL;
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
gt_profile_drop_figures (struct gt_profile *profile)
{
  free (profile->measured);
  profile->measured = NULL;
}

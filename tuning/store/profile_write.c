/* Writes profiles as JSON: members in a fixed order, and numbers that are written in the same
   form after they are read.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/store/profile_store.h"

/* Returns the number of member M of a step with its figures in a file.  A time that is not
   finite becomes the longest.  */
static uint64_t
number_of (const struct gt_member *m, const struct gt_step *step, const struct gt_measured *measured)
{
  const void *const at = (const char *) (m->is_figure ? (const void *) measured : step) + m->offset;
  const double real = m->is_text       ? *(const char *) at != '\0'
                      : m->scale > 0 ? *(const double *) at * m->scale + 0.5 : *(const unsigned *) at;

  return real <= (double) m->max ? (uint64_t) real : m->max;
}

/* Returns the next of the members that a step of these figures, or of none, has: null after the last,
   with a null M the first.  NUMBER receives its number.  */
static const struct gt_member *
next_member (const struct gt_member *m, const struct gt_step *step,
             const struct gt_measured *measured, uint64_t *number)
{
  for (m = m ? m + 1 : gt_members; m->name && (measured || !m->is_figure); m++)
    if ((*number = number_of (m, step, measured)) > m->neutral || m->words)
      return m;
  return NULL;
}

json_t *
gt_step_json (const struct gt_profile *profile, const struct gt_step *step)
{
  const struct gt_measured *const measured = gt_measured_of (profile, step);
  json_t *const json = json_pack ("{s:s, s:I, s:s}", "kind", step->kind, "from",
                                  (json_int_t) step->from, "way", step->way);
  uint64_t number;

  for (const struct gt_member *m = NULL; (m = next_member (m, step, measured, &number)) != NULL;)
    json_object_set_new (json, m->name,
                         m->is_text ? json_string ((const char *) measured + m->offset)
                         : m->words ? json_string (m->words[number])
                                    : json_integer ((json_int_t) number));
  return json;
}

/* Writes "4096 OpenBLAS 0.3.21", without the way if it is that of the step BEFORE.  LIBRARY is the
   last way of several words, or null; of the same the first word alone is written.  */
static void
write_step (FILE *stream, const struct gt_step *step, const struct gt_measured *measured,
            const struct gt_step *before, const char **library)
{
  const size_t length = strlen (step->way), first = strcspn (step->way, " ");
  const int is_known = *library && strcmp (*library, step->way) == 0;
  uint64_t number;

  fprintf (stream, "%" PRIu64, step->from);
  if (before == NULL || strcmp (before->way, step->way) != 0)
    fprintf (stream, " %.*s", (int) (is_known ? first : length), step->way);
  *library = first < length ? step->way : *library;
  for (const struct gt_member *m = NULL; (m = next_member (m, step, measured, &number)) != NULL;)
    if (m->is_text)
      {
        fprintf (stream, " %s=", m->name);
        for (const char *c = (const char *) measured + m->offset; *c; c++)
          putc (*c == ' ' ? '+' : *c, stream);
      }
    else if (m->words)
      fprintf (stream, " %s=%s", m->name, m->words[number]);
    else
      fprintf (stream, " %s=%" PRIu64, m->name, number);
}

/* Checks whether the N steps A are those of another kind, B.  */
static int
are_same (const struct gt_step *a, const struct gt_step *b, unsigned n)
{
  unsigned k = 0;

  while (k < n && a[k].from == b[k].from && a[k].way == b[k].way && a[k].version == b[k].version
         && memcmp (&a[k].config, &b[k].config, sizeof a->config) == 0
         && a[k].percent == b[k].percent && a[k].chunk_kib == b[k].chunk_kib)
    k++;
  return k == n;
}

/* Returns the number of the first step of the next kind, from kind AT on, that has the same N steps as
   STEPS; that of all steps if there is none.  Figures are never the same.  */
static unsigned
next_same (const struct gt_profile *profile, const struct gt_step *steps, unsigned n, unsigned at)
{
  unsigned own;

  for (; at < profile->n_steps && !profile->measured; at += own)
    {
      gt_profile_steps (profile, profile->steps[at].kind, &own);
      if (own == n && are_same (&profile->steps[at], steps, n))
        return at;
    }
  return profile->n_steps;
}

/* Writes a line for the kinds with one list of steps: their names and a string of the steps.  */
static void
write_steps (FILE *stream, const struct gt_profile *profile)
{
  const char *library = NULL, *before = "";

  for (unsigned i = 0, n; i < profile->n_steps; i += n)
    {
      const struct gt_step *const steps = &profile->steps[i];

      gt_profile_steps (profile, steps->kind, &n);
      if (!profile->measured && next_same (profile, steps, n, 0) < i)
        continue;
      fprintf (stream, "%s  \"%s", before, steps->kind);
      for (unsigned k = next_same (profile, steps, n, i + n); k < profile->n_steps;
           k = next_same (profile, steps, n, k + n))
        fprintf (stream, ", %s", profile->steps[k].kind);
      fputs ("\": \"", stream);
      for (unsigned k = 0; k < n; k++)
        {
          fputs (k ? "; " : "", stream);
          write_step (stream, &steps[k], gt_measured_of (profile, &steps[k]),
                      k ? &steps[k - 1] : NULL, &library);
        }
      before = "\",\n";
    }
  fputs (profile->n_steps ? "\"\n }\n}" : " }\n}", stream);
}

char *
gt_profile_text (const struct gt_profile *profile, char *why, size_t why_size)
{
  json_t *const root = json_pack (
    "{s:i, s:s, s:s, s:s, s:b, s:b, s:{s:s, s:s, s:s}}", "format", GT_PROFILE_FORMAT, "gsltune",
    profile->version, "created", profile->created, "machine", profile->machine, "unfinished",
    profile->unfinished, "measured", profile->measured != NULL, "device", "silicon",
    profile->silicon, "name", profile->device_name, "driver", profile->driver);
  char *const header = root ? json_dumps (root, JSON_INDENT (1) | JSON_ENSURE_ASCII) : NULL;
  char *text = NULL;
  size_t size;
  FILE *const stream = header ? open_memstream (&text, &size) : NULL;

  if (stream)
    {
      /* Without its last brace.  */
      fprintf (stream, "%.*s,\n \"steps\": {\n", (int) strlen (header) - 2, header);
      write_steps (stream, profile);
    }
  free (header);
  json_decref (root);
  if (stream && fclose (stream) == 0)
    return text;
  free (text);
  gt_profile_fail (why, why_size, "the profile cannot be written as JSON: memory is short");
  return NULL;
}

/* ------------------------------------------------- Profiles that a tuner fills */

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
gt_profile_stamp (struct gt_profile *profile, const struct gt_device *device)
{
  const time_t now = time (NULL);
  struct tm utc;

  profile->rejected = profile->stale = 0;
  profile->path[0] = '\0';
  gt_device_silicon (device, profile->silicon);
  snprintf (profile->device_name, sizeof profile->device_name, "%s", gt_device_name (device));
  gt_make_ascii (profile->device_name);
  if (device->kind == GT_CUDA)
    snprintf (profile->driver, sizeof profile->driver, "%d.%d", device->gpu.driver_version / 1000,
              device->gpu.driver_version % 1000 / 10);
  snprintf (profile->version, sizeof profile->version, "%s", PACKAGE_VERSION);
  if (gmtime_r (&now, &utc))
    strftime (profile->created, sizeof profile->created, "%Y-%m-%dT%H:%M:%SZ", &utc);
  set_machine (profile);
}

void
gt_profile_init (struct gt_profile *profile, const struct gt_device *device)
{
  memset (profile, 0, sizeof *profile);
  gt_profile_stamp (profile, device);
}

void
gt_profile_drop_figures (struct gt_profile *profile)
{
  free (profile->measured);
  profile->measured = NULL;
}

/* Everything that was measured of a problem, a line of JSON for each, so that a run
   that is interrupted leaves what it has measured.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/measurements.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/clock.h"
#include "tuning/store/profile_store.h"

/* More digits than a clock has.  */
#define REAL_DIGITS 6

static const char *const timing_keys[GT_N_TIMINGS]
  = {"briefly_ns", "longer_ns", "spaced_ns"};

static const char *const verdict_words[GT_N_VERDICTS] = {
  [GT_KEPT] = "measured",
  [GT_PRUNED_LAUNCH] = "launch",
  [GT_PRUNED_SAME] = "same",
  [GT_PRUNED_IN_FLIGHT] = "in flight",
  [GT_PRUNED_WAVES] = "waves",
  [GT_PRUNED_THREADS] = "threads",
  [GT_PRUNED_UNAVAILABLE] = "unavailable",
};

void
gt_measurements_clear (struct gt_measurements *m)
{
  free (m->measured);
  m->measured = NULL;
  m->n = 0;
}

static double
median_of (const struct gt_measured *measured, enum gt_timing timing)
{
  double values[GT_REPEATS];

  memcpy (values, measured->seconds[timing],
          measured->n[timing] * sizeof *values);
  return gt_median (values, measured->n[timing], NULL);
}

double
gt_measured_score (const struct gt_measured *measured)
{
  double seconds = median_of (measured, GT_TIMED_LONGER);

  return measured->n[GT_TIMED_SPACED]
           ? sqrt (seconds * median_of (measured, GT_TIMED_SPACED))
           : seconds;
}

int
gt_measurements_path (const char *folder, const char *silicon, char *path,
                      size_t size)
{
  int length
    = snprintf (path, size, "%s/%s.measurements.jsonl", folder, silicon);

  return length >= 0 && (size_t) length < size ? 0 : -1;
}

/* ----------------------------------------------------------------- Writing */

static json_t *
times_json (const double *seconds, unsigned n)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < n; i++)
    json_array_append_new (list, json_real (1e9 * seconds[i]));
  return list;
}

/* Null when memory is short, as in all of these.  */
static json_t *
measured_json (const struct gt_measured *measured)
{
  const struct gt_candidate *c = &measured->candidate;
  json_t *json;
  int failed = 0;

  json = json_pack (
    "{s:s, s:i, s:i, s:i, s:i, s:i, s:I, s:f, s:f, s:i, s:i, s:i, s:s, s:b, s:s}",
    "kernel", c->kernel->name, "version", (int) c->kernel->version, "threads",
    (int) c->config.threads, "block", (int) c->config.block, "unroll", (int) c->config.unroll,
    "blocks_per_sm", (int) c->config.blocks_per_sm, "grid",
    (json_int_t) c->grid, "occupancy", c->occupancy, "bytes_in_flight",
    c->bytes_in_flight, "registers", c->registers, "shared", (int) c->shared,
    "spills", (int) c->spills, "verdict", verdict_words[c->verdict], "failed",
    c->failed, "why", c->why);
  for (int t = 0; json && t < GT_N_TIMINGS; t++)
    if (measured->n[t])
      failed |= json_object_set_new (json, timing_keys[t],
                                     times_json (measured->seconds[t],
                                                 measured->n[t]));
  if (!failed)
    return json;
  json_decref (json);
  return NULL;
}

static json_t *
measurements_json (const struct gt_measurements *m)
{
  const struct gt_problem *p = &m->problem;
  json_t *list = json_array ();

  for (unsigned i = 0; i < m->n; i++)
    if (json_array_append_new (list, measured_json (&m->measured[i])))
      {
        json_decref (list);
        return NULL;
      }
  return json_pack (
    "{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:s}, s:s, s:s, s:s, s:s, s:I, s:f, s:f,"
    " s:i, s:o}",
    "format", GT_MEASUREMENTS_FORMAT, "gsltune", m->version, "created",
    m->created, "machine", m->machine, "device", "silicon", m->silicon, "name",
    m->device_name, "driver", m->driver, "operation",
    gt_reductions[p->reduction].name, "type", gt_arithmetics[p->arithmetic].name,
    "mode", gt_mode_names[p->mode], "layout", gt_layout_names[p->layout], "n",
    (json_int_t) p->n, "briefly_s", m->at_least[GT_TIMED_BRIEFLY], "longer_s",
    m->at_least[GT_TIMED_LONGER], "default", (int) m->chosen_default,
    "candidates", list);
}

/* Where the last of the whole lines ends, of a file of SIZE bytes; -1 with errno.  */
static off_t
end_of_lines (int descriptor, off_t size)
{
  char block[4096];

  while (size > 0)
    {
      const size_t n
        = size < (off_t) sizeof block ? (size_t) size : sizeof block;
      const char *newline;

      size -= (off_t) n;
      if (gt_read_fully (descriptor, block, n, size))
        return -1;
      newline = memrchr (block, '\n', n);
      if (newline)
        return size + (newline - block) + 1;
    }
  return 0;
}

/* Writes TEXT from END on.  A line counts from its newline on, which is written when
   all else is on the disk.  */
static int
write_line (int descriptor, off_t end, const char *text)
{
  return gt_truncate_again (descriptor, end)
         || lseek (descriptor, end, SEEK_SET) < 0
         || gt_write_fully (descriptor, text, strlen (text))
         || gt_sync_again (descriptor) || gt_write_fully (descriptor, "\n", 1)
         || gt_sync_again (descriptor);
}

static int
sync_folder_of (const char *path)
{
  char folder[4096];
  const char *slash = strrchr (path, '/');
  int at, failed;

  snprintf (folder, sizeof folder, "%.*s", slash ? (int) (slash - path + 1) : 1,
            slash ? path : ".");
  at = gt_open_again (AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
  failed = at < 0 || gt_sync_again (at);
  if (at >= 0)
    close (at);
  return failed;
}

/* Opens PATH, or makes it with MODE, which IS_NEW tells.  The umask does not count: to
   set the permissions afterwards would leave them as they are when we are killed in
   between.  O_NONBLOCK: a FIFO must not keep us waiting.  */
static int
open_lines (const char *path, mode_t mode, int *is_new)
{
  const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK;
  const mode_t callers = umask (~mode & 0777);
  const int descriptor
    = gt_open_again (AT_FDCWD, path, flags | O_CREAT | O_EXCL, mode);

  umask (callers);
  *is_new = descriptor >= 0;
  return descriptor >= 0 || errno != EEXIST
           ? descriptor : gt_open_again (AT_FDCWD, path, flags, 0);
}

/* Appends TEXT as a line, in the place of what a killed tuner left of one.  When that
   fails, the file ends with the whole lines that it had.  */
static int
append_line (int descriptor, const char *text)
{
  struct stat file;
  off_t end;
  int error;

  if (fstat (descriptor, &file))
    return -1;
  if (!S_ISREG (file.st_mode))
    {
      errno = EINVAL;
      return -1;
    }
  end = end_of_lines (descriptor, file.st_size);
  if (end < 0)
    return -1;
  if (write_line (descriptor, end, text) == 0)
    return 0;
  error = errno;
  gt_truncate_again (descriptor, end);
  errno = error;
  return -1;
}

static int
append_to (const char *path, const char *text, mode_t mode)
{
  int is_new, error;
  const int descriptor = open_lines (path, mode, &is_new);
  const int failed = descriptor < 0 || sync_folder_of (path)
                     || append_line (descriptor, text);

  error = errno;
  if (failed && is_new)
    unlink (path);
  if (descriptor >= 0)
    close (descriptor);
  errno = error;
  return failed;
}

int
gt_measurements_append (const struct gt_measurements *m, const char *path,
                        int system_wide, char *why, size_t why_size)
{
  json_t *json = measurements_json (m);
  char *text = NULL;
  int failed;

  if (json)
    text = json_dumps (json, JSON_COMPACT | JSON_ENSURE_ASCII
                               | JSON_REAL_PRECISION (REAL_DIGITS));
  json_decref (json);
  if (text == NULL)
    return gt_profile_fail (why, why_size, "memory is short");
  failed = append_to (path, text, system_wide ? 0644 : 0600);
  free (text);
  return failed ? gt_profile_fail (why, why_size, "cannot write %s: %s", path,
                                   strerror (errno))
                : 0;
}

/* ----------------------------------------------------------------- Reading */

/* The message about the first fault of a line.  */
#define WHY 200

static double
real (const json_t *object, const char *key)
{
  double value = json_number_value (json_object_get (object, key));

  return value >= 0 && value < 1e15 ? value : 0;
}

static unsigned
whole (const json_t *object, const char *key)
{
  json_int_t value = json_integer_value (json_object_get (object, key));

  return value > 0 && value < 1 << 24 ? (unsigned) value : 0;
}

/* The number of the name at KEY; -1 after saying that there is none.  */
static int
name (char *why, const json_t *object, const char *key,
      int (*from_name) (const char *))
{
  const char *word = json_string_value (json_object_get (object, key));
  int number = word ? from_name (word) : -1;

  if (number < 0)
    snprintf (why, WHY, "\"%s\" is %s", key,
              word ? "unknown" : "missing");
  return number;
}

static int
verdict_from_name (const char *word)
{
  for (int v = 0; v < GT_N_VERDICTS; v++)
    if (strcmp (word, verdict_words[v]) == 0)
      return v;
  return -1;
}

static int
read_problem (char *why, const json_t *root, struct gt_problem *p)
{
  json_int_t n = json_integer_value (json_object_get (root, "n"));
  int r, a, m, l;

  if ((r = name (why, root, "operation", gt_reduction_from_name)) < 0
      || (a = name (why, root, "type", gt_arithmetic_from_name)) < 0
      || (m = name (why, root, "mode", gt_mode_from_name)) < 0
      || (l = name (why, root, "layout", gt_layout_from_name)) < 0)
    return -1;
  if (n <= 0 || (uint64_t) n > GT_PROFILE_MAX_N || !gt_reduction_has (r, a)
      || gt_mode_for (r, a, m) != (enum gt_mode) m)
    return gt_profile_fail (why, WHY, "there is no such problem");
  *p = (struct gt_problem) {r, a, m, l, (uint64_t) n};
  return 0;
}

static void
read_times (const json_t *list, struct gt_measured *measured,
            enum gt_timing timing)
{
  for (size_t i = 0; i < json_array_size (list) && i < GT_REPEATS; i++)
    {
      double ns = json_number_value (json_array_get (list, i));

      if (ns > 0 && ns < 1e15)
        measured->seconds[timing][measured->n[timing]++] = 1e-9 * ns;
    }
}

static int
read_measured (char *why, const json_t *object, enum gt_reduction reduction,
               struct gt_measured *measured)
{
  struct gt_candidate *c = &measured->candidate;
  const char *kernel = json_string_value (json_object_get (object, "kernel"));
  int verdict = name (why, object, "verdict", verdict_from_name);

  if (verdict < 0)
    return -1;
  c->kernel = kernel ? gt_catalog_find (kernel, reduction) : NULL;
  if (c->kernel == NULL)
    {
      snprintf (why, WHY, "kernel \"%.40s\" is unknown",
                kernel ? kernel : "");
      gt_make_ascii (why);
      return -1;
    }
  c->verdict = (enum gt_verdict) verdict;
  c->config = (struct gt_config) {whole (object, "threads"),
                                  whole (object, "block"),
                                  whole (object, "unroll"),
                                  whole (object, "blocks_per_sm")};
  c->grid = whole (object, "grid");
  c->occupancy = real (object, "occupancy");
  c->bytes_in_flight = real (object, "bytes_in_flight");
  c->registers = (int) whole (object, "registers");
  c->shared = whole (object, "shared");
  c->spills = whole (object, "spills");
  c->failed = json_is_true (json_object_get (object, "failed"));
  gt_read_recorded (object, "why", c->why, sizeof c->why);
  for (int t = 0; t < GT_N_TIMINGS; t++)
    read_times (json_object_get (object, timing_keys[t]), measured,
                (enum gt_timing) t);
  return 0;
}

static int
read_candidates (char *why, const json_t *list, struct gt_measurements *m)
{
  size_t n = json_array_size (list);

  if (n == 0 || n > 1 << 16 || m->chosen_default >= n)
    return gt_profile_fail (why, WHY, "there are no candidates");
  m->measured = calloc (n, sizeof *m->measured);
  if (m->measured == NULL)
    return gt_profile_fail (why, WHY, "memory is short");
  m->n = (unsigned) n;
  for (size_t i = 0; i < n; i++)
    if (read_measured (why, json_array_get (list, i), m->problem.reduction,
                       &m->measured[i]))
      return -1;
  return 0;
}

static int
read_line (char *why, const json_t *root, struct gt_measurements *m)
{
  const json_t *device = json_object_get (root, "device");

  memset (m, 0, sizeof *m);
  if (json_integer_value (json_object_get (root, "format"))
      != GT_MEASUREMENTS_FORMAT)
    return gt_profile_fail (why, WHY, "it is not of format %d", GT_MEASUREMENTS_FORMAT);
  gt_read_recorded (device, "silicon", m->silicon, sizeof m->silicon);
  gt_read_recorded (device, "name", m->device_name, sizeof m->device_name);
  gt_read_recorded (device, "driver", m->driver, sizeof m->driver);
  gt_read_recorded (root, "gsltune", m->version, sizeof m->version);
  gt_read_recorded (root, "created", m->created, sizeof m->created);
  gt_read_recorded (root, "machine", m->machine, sizeof m->machine);
  m->at_least[GT_TIMED_BRIEFLY] = real (root, "briefly_s");
  m->at_least[GT_TIMED_LONGER] = real (root, "longer_s");
  m->chosen_default = whole (root, "default");
  return read_problem (why, root, &m->problem)
         || read_candidates (why, json_object_get (root, "candidates"), m);
}

/* A longer line is not read: it would hold more candidates than there may be.  */
#define MOST_LINE ((size_t) 256 << 20)

struct text
{
  char *line; /* without its newline; not a string */
  size_t n, room;
};

/* Makes room for one more character.  Returns 0, or -1 with errno.  */
static int
grow (struct text *text)
{
  const size_t room = text->room ? 2 * text->room : 4096;
  char *line;

  if (text->n < text->room)
    return 0;
  if (room > MOST_LINE)
    {
      errno = EFBIG;
      return -1;
    }
  line = realloc (text->line, room);
  if (line == NULL)
    return -1;
  text->line = line;
  text->room = room;
  return 0;
}

/* Reads the next line.  Returns 1; 0 at the end, where one without a newline is what a
   killed tuner left; -1 with errno.  */
static int
next_line (FILE *stream, struct text *text)
{
  int c;

  for (text->n = 0; (c = getc_unlocked (stream)) != EOF && c != '\n';
       text->line[text->n++] = (char) c)
    if (grow (text))
      return -1;
  if (ferror (stream))
    return -1;
  return c == '\n';
}

/* Hands over what is in line number N of PATH.  */
static int
take_line (const struct text *text, const char *path, unsigned n,
           int (*take) (const struct gt_measurements *m, void *closure),
           void *closure, char *why, size_t why_size)
{
  struct gt_measurements m = {.n = 0};
  char what[WHY] = "it is not JSON";
  json_t *root = json_loadb (text->n ? text->line : "", text->n,
                             JSON_REJECT_DUPLICATES, NULL);
  int status;

  if (root == NULL || read_line (what, root, &m))
    status = gt_profile_fail (why, why_size, "%s, line %u: %s", path, n, what);
  else
    status = take (&m, closure);
  json_decref (root);
  gt_measurements_clear (&m);
  return status;
}

int
gt_measurements_read (const char *path,
                      int (*take) (const struct gt_measurements *m,
                                   void *closure),
                      void *closure, char *why, size_t why_size)
{
  FILE *stream = fopen (path, "re");
  struct text text = {NULL, 0, 0};
  int status = 0, there = stream ? 1 : -1;

  for (unsigned n = 1; there > 0 && status == 0; n++)
    {
      there = next_line (stream, &text);
      if (there > 0)
        status = take_line (&text, path, n, take, closure, why, why_size);
    }
  if (there < 0)
    status = gt_profile_fail (why, why_size, "cannot read %s: %s", path,
                              strerror (errno));
  free (text.line);
  if (stream)
    fclose (stream);
  return status;
}

/* Measurements in the formats of other tools: F.-J. Willemsen and others, "A methodology
   for comparing optimization algorithms for auto-tuning", Future Generation Computer
   Systems 159, 2024, names both.

   Both want the whole product of the parameters' values.  What is not in our search
   space, such as an unroll factor that a kernel has not, counts as a
   constraint that is not met.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/research/measurements_export.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/names.h"
#include "tuning/text/cli.h"

/* -------------------------------------------------------------- The space */

/* A GPU has no threads, a CPU has no blocks.  The kernel comes first.  */
static const struct parameter
{
  const char *name;
  int of_cpu, of_gpu;
} parameters[] = {{"kernel", 1, 1},
                  {"threads", 1, 0},
                  {"block_size_x", 0, 1},
                  {"unroll", 1, 1},
                  {"blocks_per_sm", 0, 1}};
#define N_PARAMETERS (sizeof parameters / sizeof *parameters)

static int
is_of_cpu (const struct gt_measurements *m)
{
  return m->measured[0].candidate.kernel->device == GT_CPU;
}

static int
is_there (const struct gt_measurements *m, size_t p)
{
  return is_of_cpu (m) ? parameters[p].of_cpu : parameters[p].of_gpu;
}

/* A point of the product.  */
struct point
{
  unsigned value[N_PARAMETERS];       /* a kernel's is its place in the catalogue */
  const struct gt_measured *measured; /* null: nothing */
  int right;                          /* that was right */
};

static struct point
point_of (const struct gt_measured *measured)
{
  const struct gt_config *c = &measured->candidate.config;

  return (struct point) {
    {(unsigned) (measured->candidate.kernel - gt_catalog), c->threads, c->block,
     c->unroll, c->blocks_per_sm},
    measured, gt_measured_works (measured)
  };
}

static json_t *
value_json (size_t p, unsigned value)
{
  return p == 0 ? json_string (gt_catalog[value].name) : json_integer (value);
}

/* The values that each parameter has anywhere in the space, in their order.  */
struct axes
{
  unsigned value[N_PARAMETERS][GT_N_KERNELS + 32];
  unsigned n[N_PARAMETERS];
};

static void
put_value (unsigned *list, unsigned *n, unsigned value)
{
  unsigned at = *n;

  for (unsigned k = 0; k < *n; k++)
    if (list[k] == value)
      return;
  if (at == GT_N_KERNELS + 32)
    return;
  for (; at > 0 && list[at - 1] > value; at--)
    list[at] = list[at - 1];
  list[at] = value;
  ++*n;
}

/* Fills AXES, and returns how many points their product has.  */
static size_t
find_axes (const struct gt_measurements *m, struct axes *axes)
{
  size_t points = 1;

  memset (axes, 0, sizeof *axes);
  for (unsigned i = 0; i < m->n; i++)
    for (size_t p = 0; p < N_PARAMETERS; p++)
      put_value (axes->value[p], &axes->n[p],
                 point_of (&m->measured[i]).value[p]);
  for (size_t p = 0; p < N_PARAMETERS; p++)
    points *= axes->n[p];
  return points;
}

size_t
gt_measurements_points (const struct gt_measurements *m)
{
  struct axes axes;

  return find_axes (m, &axes);
}

static struct point
point_at (const struct gt_measurements *m, const struct axes *axes, size_t i)
{
  struct point point = {.measured = NULL};

  for (size_t p = N_PARAMETERS; p-- > 0; i /= axes->n[p])
    point.value[p] = axes->value[p][i % axes->n[p]];
  for (unsigned k = 0; k < m->n; k++)
    {
      const struct point other = point_of (&m->measured[k]);

      if (memcmp (other.value, point.value, sizeof point.value) == 0)
        return other;
    }
  return point;
}

/* The point's parameters, a new object.  */
static json_t *
point_json (const struct gt_measurements *m, const struct point *point)
{
  json_t *json = json_object ();

  for (size_t p = 0; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      json_object_set_new (json, parameters[p].name,
                           value_json (p, point->value[p]));
  return json;
}

/* The name of a problem there, e.g. "sum_f64_fast_contiguous_16777216".  */
static void
name_of (const struct gt_measurements *m, char *text, size_t size)
{
  const struct gt_problem *p = &m->problem;

  snprintf (text, size, "%s_%s_%s_%s_%llu", gt_reductions[p->reduction].name,
            gt_arithmetics[p->arithmetic].name, gt_mode_names[p->mode],
            gt_layout_names[p->layout], (unsigned long long) p->n);
}

/* ------------------------------------------------- What was measured, in ms */

static double
milliseconds (const struct point *point, enum gt_timing timing)
{
  return 1e3 * gt_measured_median (point->measured, timing);
}

/* Every time, of what is right; and in *TOTAL what measuring them took: each timing as
   long as it was to last, or one sum.  */
static json_t *
runtimes_json (const struct gt_measurements *m, const struct point *point,
               double *total)
{
  const double at_least = m->at_least[GT_TIMED_LONGER];
  json_t *list = json_array ();

  *total = 0;
  for (unsigned i = 0; point->right && i < point->measured->n[GT_TIMED_LONGER];
       i++)
    {
      const double seconds = point->measured->seconds[GT_TIMED_LONGER][i];

      json_array_append_new (list, json_real (1e3 * seconds));
      *total += 1e3 * (seconds > at_least ? seconds : at_least);
    }
  return list;
}

/* A new object with what was measured beside the time.  */
static json_t *
others_json (const struct gt_measurements *m, const struct point *point)
{
  const struct gt_measured *measured = point->measured;
  json_t *json = json_object ();

  if (measured->n[GT_TIMED_SPACED])
    json_object_set_new (json, "time_after_pauses",
                         json_real (milliseconds (point, GT_TIMED_SPACED)));
  if (!is_of_cpu (m))
    {
      json_object_set_new (json, "occupancy",
                           json_real (measured->candidate.occupancy));
      json_object_set_new (json, "registers",
                           json_integer (measured->candidate.registers));
    }
  return json;
}

/* ------------------------------------------------------------- Kernel Tuner */

/* Puts the point into CACHE, under its values in the order of the parameters:
   "simd,2,8".  */
static int
add_to_cache (const struct gt_measurements *m, const struct point *point,
              json_t *cache)
{
  double total;
  json_t *json = point_json (m, point), *times = runtimes_json (m, point, &total);
  char key[128];
  int at = snprintf (key, sizeof key, "%s", gt_catalog[point->value[0]].name);

  for (size_t p = 1; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      at += snprintf (key + at, sizeof key - (size_t) at, ",%u",
                      point->value[p]);
  if (point->right)
    {
      json_object_set_new (json, "time",
                           json_real (milliseconds (point, GT_TIMED_LONGER)));
      json_object_set (json, "times", times);
      json_object_update_new (json, others_json (m, point));
    }
  else
    json_object_set_new (
      json, "time",
      json_string (point->measured && point->measured->candidate.failed
                     ? "RuntimeFailedConfig" : "InvalidConfig"));
  json_decref (times);
  json_object_update_new (
    json, json_pack ("{s:f, s:f, s:f, s:f, s:f, s:s}", "compile_time", 0.0,
                     "verification_time", 0.0, "benchmark_time", total,
                     "strategy_time", 0.0, "framework_time", 0.0, "timestamp",
                     m->created));
  return json_object_set_new (cache, key, json);
}

static json_t *
cache_json (const struct gt_measurements *m, const struct axes *axes,
            const char *name, json_t *cache)
{
  json_t *keys = json_array (), *values = json_object ();

  for (size_t p = 0; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      {
        json_t *list = json_array ();

        for (unsigned k = 0; k < axes->n[p]; k++)
          json_array_append_new (list, value_json (p, axes->value[p][k]));
        json_object_set_new (values, parameters[p].name, list);
        json_array_append_new (keys, json_string (parameters[p].name));
      }
  return json_pack ("{s:s, s:s, s:[I, i, i], s:o, s:o, s:s, s:o}", "device_name",
                    m->device_name, "kernel_name", name, "problem_size",
                    (json_int_t) m->problem.n, 1, 1, "tune_params_keys", keys,
                    "tune_params", values, "objective", "time", "cache", cache);
}

/* ----------------------------------------------------------------------- T4 */

static const char *
invalidity (const struct point *point)
{
  if (point->right)
    return "correct";
  if (point->measured == NULL || !point->measured->candidate.failed)
    return "constraints";
  return strncmp (point->measured->candidate.why, "wrong", 5) == 0
           ? "correctness" : "runtime";
}

static json_t *
measurements_of (const struct gt_measurements *m, const struct point *point)
{
  json_t *list = json_array (), *others, *value;
  const char *key;

  if (!point->right)
    return list;
  others = others_json (m, point);
  json_array_append_new (
    list, json_pack ("{s:s, s:f, s:s}", "name", "time", "value",
                     milliseconds (point, GT_TIMED_LONGER), "unit", "ms"));
  json_object_foreach (others, key, value)
    json_array_append_new (
      list, json_pack ("{s:s, s:O, s:s}", "name", key, "value", value, "unit",
                       strncmp (key, "time", 4) == 0 ? "ms" : ""));
  json_decref (others);
  return list;
}

static int
add_result (const struct gt_measurements *m, const struct point *point,
            json_t *results)
{
  const char *state = invalidity (point);
  double total;
  json_t *times = runtimes_json (m, point, &total);

  return json_array_append_new (
    results,
    json_pack ("{s:s, s:o, s:[s], s:{s:f, s:f, s:f, s:f, s:f, s:o}, s:s, s:i, s:o}",
               "timestamp", m->created, "configuration", point_json (m, point),
               "objectives", "time", "times", "compilation", 0.0, "benchmark",
               total, "framework", 0.0, "search_algorithm", 0.0, "validation",
               0.0, "runtimes", times, "invalidity", state, "correctness",
               strcmp (state, "correctness") != 0, "measurements",
               measurements_of (m, point)));
}

static json_t *
results_json (const struct gt_measurements *m, const struct axes *axes,
              const char *name, json_t *results)
{
  (void) axes;
  return json_pack (
    "{s:s, s:{s:s, s:s, s:s, s:s, s:s, s:s}, s:o}", "schema_version", "1.0.0",
    "metadata", "timeunit", "milliseconds", "kernel_name", name, "device_name",
    m->device_name, "driver", m->driver, "machine", m->machine, "gsltune",
    m->version, "results", results);
}

/* ------------------------------------------------------------------ Writing */

static const struct
{
  const char *name;
  json_t *(*list) (void); /* of points, empty */
  int (*add) (const struct gt_measurements *m, const struct point *point,
              json_t *list);
  json_t *(*whole) (const struct gt_measurements *m, const struct axes *axes,
                    const char *name, json_t *list); /* takes LIST */
} formats[] = {
  {"t4", json_array, add_result, results_json},
  {"kernel-tuner", json_object, add_to_cache, cache_json},
};

int
gt_export_format (const char *name)
{
  return gt_parse_name ("--format", "format", name, &formats[0].name,
                        sizeof *formats, sizeof formats / sizeof *formats);
}

json_t *
gt_measurements_export (const struct gt_measurements *m, int format)
{
  json_t *list = formats[format].list ();
  struct axes axes;
  char name[128];
  const size_t points = find_axes (m, &axes);

  name_of (m, name, sizeof name);
  for (size_t i = 0; i < points; i++)
    {
      const struct point point = point_at (m, &axes, i);

      if (formats[format].add (m, &point, list))
        {
          json_decref (list);
          return NULL;
        }
    }
  return formats[format].whole (m, &axes, name, list);
}

struct writer
{
  int format;
  const char *output;
  unsigned problems;
};

/* The device's name as a file's: "NVIDIA_H200.json".  */
static void
file_name (const char *device, char *name, size_t size)
{
  snprintf (name, size, "%s.json", *device ? device : "device");
  for (char *c = name; c < name + strlen (name) - 5; c++)
    if (!isascii (*c) || !isalnum (*c))
      *c = '_';
}

static int
make_folder (const char *path)
{
  if (mkdir (path, 0777) == 0 || errno == EEXIST)
    return 0;
  return gt_error ("cannot create the folder %s: %s", path, strerror (errno));
}

/* Returns 0, or 1 after a message.  */
static int
write_problem (const struct gt_measurements *m, void *closure)
{
  struct writer *writer = closure;
  char problem[128], device[160], path[4096];
  const size_t points = gt_measurements_points (m);
  json_t *json;
  int at, failed = 1;

  name_of (m, problem, sizeof problem);
  if (points > GT_MOST_POINTS)
    return gt_failed ("%s: its parameters have %zu combinations of values, more"
                      " than %d", problem, points, GT_MOST_POINTS);
  json = gt_measurements_export (m, writer->format);
  file_name (m->device_name, device, sizeof device);
  at = snprintf (path, sizeof path, "%s/%s", writer->output, problem);
  if (json == NULL || at < 0 || (size_t) at + sizeof device >= sizeof path)
    gt_error ("%s: %s", problem,
              json ? "the path is too long" : "memory is short");
  else if (make_folder (writer->output) == 0 && make_folder (path) == 0)
    {
      snprintf (path + at, sizeof path - (size_t) at, "/%s", device);
      failed = json_dump_file (json, path,
                               JSON_INDENT (1) | JSON_ENSURE_ASCII
                                 | JSON_REAL_PRECISION (9)) != 0;
      if (failed)
        gt_error ("cannot write %s: %s", path, strerror (errno));
    }
  json_decref (json);
  writer->problems += !failed;
  return failed;
}

/* Returns 0, or 1 after a message.  */
static int
export_file (struct writer *writer, const char *path)
{
  char why[4500];
  int status = gt_measurements_read (path, write_problem, writer, why,
                                     sizeof why);

  return status < 0 ? gt_failed ("%s", why) : status;
}

/* Those beside the profiles of this machine's devices, wherever these may be.  */
static int
export_own (struct writer *writer)
{
  char folder[4096], path[4096];
  int failed = 0;

  for (int i = 0; i < gt_device_count (); i++)
    for (enum gt_folder f = 0; f < GT_FOLDER_SHIPPED; f++)
      if (gt_profile_looked_at (f)
          && gt_profile_folder (f, folder, sizeof folder, NULL, 0) == 0
          && gt_measurements_path (folder, gt_silicon_of (gt_device_at (i)), path,
                                   sizeof path) == 0
          && access (path, R_OK) == 0)
        failed |= export_file (writer, path);
  return failed;
}

int
gt_export_measurements (int format, const char *output, char **file, int n)
{
  struct writer writer = {format, output, 0};
  int failed = 0;

  for (int i = 0; i < n; i++)
    failed |= export_file (&writer, file[i]);
  if (n == 0)
    failed = export_own (&writer);
  if (!failed && writer.problems == 0)
    return gt_failed ("there are no measurements: `gsltune tune --effort"
                      " exhaustive' keeps them");
  return failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}

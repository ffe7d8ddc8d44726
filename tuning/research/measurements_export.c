/* Measurements in the formats of other tools: F.-J. Willemsen and others, "A methodology
   for comparing optimization algorithms for auto-tuning", Future Generation Computer
   Systems 159, 2024, names both.

   Both want the whole product of the parameters' values.  What is not in our search
   space, such as an unroll factor that a kernel has not, counts as a
   constraint that is not met.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/research/measurements_export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "tuning/measure/statistics.h"
#include "tuning/text/cli.h"

/* The parameters beside the kernel.  A GPU has not the first, a CPU only it and the
   third.  */
static const struct parameter
{
  const char *name;
  size_t offset; /* in gt_config, an unsigned */
  enum gt_device_kind not_of;
} parameters[] = {
  {"threads", offsetof (struct gt_config, threads), GT_CUDA},
  {"block_size_x", offsetof (struct gt_config, block), GT_CPU},
  {"unroll", offsetof (struct gt_config, unroll), GT_CPU},
  {"blocks_per_sm", offsetof (struct gt_config, blocks_per_sm), GT_CPU},
};
#define N_PARAMETERS (sizeof parameters / sizeof *parameters)
#define UNROLL 2

static enum gt_device_kind
kind_of (const struct gt_measurements *m)
{
  return m->measured[0].candidate.kernel->device;
}

static int
is_there (const struct gt_measurements *m, size_t i)
{
  return i == UNROLL || parameters[i].not_of != kind_of (m);
}

static unsigned
value_of (const struct gt_config *config, size_t i)
{
  unsigned value;

  memcpy (&value, (const char *) config + parameters[i].offset, sizeof value);
  return value;
}

/* What a problem is called there, e.g. "sum_f64_fast_contiguous_16777216".  */
static void
name_of (const struct gt_measurements *m, char *text, size_t size)
{
  const struct gt_problem *p = &m->problem;

  snprintf (text, size, "%s_%s_%s_%s_%llu", gt_reductions[p->reduction].name,
            gt_arithmetics[p->arithmetic].name, gt_mode_names[p->mode],
            gt_layout_names[p->layout], (unsigned long long) p->n);
}

/* -------------------------------------------------------------- The space */

/* The values that each parameter has anywhere in the space.  */
struct axes
{
  const struct gt_kernel *kernel[GT_N_KERNELS];
  unsigned n_kernels;
  unsigned value[N_PARAMETERS][32];
  unsigned n[N_PARAMETERS];
};

static void
put_value (struct axes *axes, size_t i, unsigned value)
{
  unsigned at = axes->n[i];

  for (unsigned k = 0; k < axes->n[i]; k++)
    if (axes->value[i][k] == value)
      return;
  if (at == sizeof axes->value[i] / sizeof axes->value[i][0])
    return;
  for (; at > 0 && axes->value[i][at - 1] > value; at--)
    axes->value[i][at] = axes->value[i][at - 1];
  axes->value[i][at] = value;
  axes->n[i]++;
}

static void
find_axes (const struct gt_measurements *m, struct axes *axes)
{
  memset (axes, 0, sizeof *axes);
  for (unsigned i = 0; i < m->n; i++)
    {
      const struct gt_candidate *c = &m->measured[i].candidate;
      unsigned k = 0;

      while (k < axes->n_kernels && axes->kernel[k] != c->kernel)
        k++;
      if (k == axes->n_kernels && k < GT_N_KERNELS)
        axes->kernel[axes->n_kernels++] = c->kernel;
      for (size_t p = 0; p < N_PARAMETERS; p++)
        put_value (axes, p, value_of (&c->config, p));
    }
}

static size_t
count_points (const struct axes *axes)
{
  size_t points = axes->n_kernels;

  for (size_t p = 0; p < N_PARAMETERS; p++)
    points *= axes->n[p];
  return points;
}

size_t
gt_measurements_points (const struct gt_measurements *m)
{
  struct axes axes;

  find_axes (m, &axes);
  return count_points (&axes);
}

/* Calls TELL for every point of the product, with what was measured there or null.
   Returns 0, or what TELL returned.  */
static int
each_point (const struct gt_measurements *m, const struct axes *axes,
            int (*tell) (const struct gt_measurements *m,
                         const struct gt_candidate *point,
                         const struct gt_measured *measured, json_t *into),
            json_t *into)
{
  const size_t points = count_points (axes);
  int failed = 0;

  for (size_t i = 0; i < points && !failed; i++)
    {
      struct gt_candidate point = {.kernel = NULL};
      const struct gt_measured *found = NULL;
      size_t rest = i;

      for (size_t p = N_PARAMETERS; p-- > 0; rest /= axes->n[p])
        memcpy ((char *) &point.config + parameters[p].offset,
                &axes->value[p][rest % axes->n[p]], sizeof (unsigned));
      point.kernel = axes->kernel[rest];
      for (unsigned k = 0; k < m->n && found == NULL; k++)
        if (m->measured[k].candidate.kernel == point.kernel
            && gt_config_equal (&m->measured[k].candidate.config, &point.config))
          found = &m->measured[k];
      failed = tell (m, &point, found, into);
    }
  return failed;
}

/* The point's parameters, a new object.  */
static json_t *
point_json (const struct gt_measurements *m, const struct gt_candidate *point)
{
  json_t *json = json_pack ("{s:s}", "kernel", point->kernel->name);

  for (size_t p = 0; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      json_object_set_new (json, parameters[p].name,
                           json_integer (value_of (&point->config, p)));
  return json;
}

/* ---------------------------------------------------------------- The times */

static double
milliseconds (const struct gt_measured *measured, enum gt_timing timing)
{
  double values[GT_REPEATS];

  memcpy (values, measured->seconds[timing],
          measured->n[timing] * sizeof *values);
  return 1e3 * gt_median (values, measured->n[timing], NULL);
}

static json_t *
runtimes_json (const struct gt_measured *measured)
{
  json_t *list = json_array ();

  for (unsigned i = 0; i < measured->n[GT_TIMED_LONGER]; i++)
    json_array_append_new (
      list, json_real (1e3 * measured->seconds[GT_TIMED_LONGER][i]));
  return list;
}

/* What measuring took, in milliseconds: each timing as long as it was to last, or one
   sum.  */
static double
benchmark_time (const struct gt_measurements *m,
                const struct gt_measured *measured)
{
  double total = 0, at_least = m->at_least[GT_TIMED_LONGER];

  for (unsigned i = 0; i < measured->n[GT_TIMED_LONGER]; i++)
    total += measured->seconds[GT_TIMED_LONGER][i] > at_least
               ? measured->seconds[GT_TIMED_LONGER][i] : at_least;
  return 1e3 * total;
}

/* What was measured beside the time, into JSON.  */
static void
add_others (const struct gt_measurements *m, const struct gt_measured *measured,
            json_t *json)
{
  if (measured->n[GT_TIMED_SPACED])
    json_object_set_new (json, "time_after_pauses",
                         json_real (milliseconds (measured, GT_TIMED_SPACED)));
  if (kind_of (m) == GT_CPU)
    return;
  json_object_set_new (json, "occupancy",
                       json_real (measured->candidate.occupancy));
  json_object_set_new (json, "registers",
                       json_integer (measured->candidate.registers));
}

/* ------------------------------------------------------------- Kernel Tuner */

static const char *
error_of (const struct gt_measured *measured)
{
  if (measured && gt_measured_works (measured))
    return NULL;
  return measured && measured->candidate.failed ? "RuntimeFailedConfig"
                                                : "InvalidConfig";
}

/* "simd,2,8": the values in the order of the parameters.  */
static void
point_key (const struct gt_measurements *m, const struct gt_candidate *point,
           char *text, size_t size)
{
  int at = snprintf (text, size, "%s", point->kernel->name);

  for (size_t p = 0; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      at += snprintf (text + at, size - (size_t) at, ",%u",
                      value_of (&point->config, p));
}

static int
tell_kernel_tuner (const struct gt_measurements *m,
                   const struct gt_candidate *point,
                   const struct gt_measured *measured, json_t *into)
{
  const char *error = error_of (measured);
  json_t *json = point_json (m, point);
  char key[128];

  point_key (m, point, key, sizeof key);
  if (error)
    json_object_set_new (json, "time", json_string (error));
  else
    {
      json_object_set_new (json, "time",
                           json_real (milliseconds (measured, GT_TIMED_LONGER)));
      json_object_set_new (json, "times", runtimes_json (measured));
      add_others (m, measured, json);
    }
  json_object_update_new (
    json, json_pack ("{s:f, s:f, s:f, s:f, s:f, s:s}", "compile_time", 0.0,
                     "verification_time", 0.0, "benchmark_time",
                     error ? 0.0 : benchmark_time (m, measured),
                     "strategy_time", 0.0, "framework_time", 0.0, "timestamp",
                     m->created));
  return json_object_set_new (into, key, json);
}

/* The values of each parameter, and their order, in KEYS.  */
static json_t *
axes_json (const struct gt_measurements *m, const struct axes *axes,
           json_t *keys)
{
  json_t *json = json_object (), *list = json_array ();

  for (unsigned k = 0; k < axes->n_kernels; k++)
    json_array_append_new (list, json_string (axes->kernel[k]->name));
  json_object_set_new (json, "kernel", list);
  json_array_append_new (keys, json_string ("kernel"));
  for (size_t p = 0; p < N_PARAMETERS; p++)
    if (is_there (m, p))
      {
        list = json_array ();
        for (unsigned k = 0; k < axes->n[p]; k++)
          json_array_append_new (list, json_integer (axes->value[p][k]));
        json_object_set_new (json, parameters[p].name, list);
        json_array_append_new (keys, json_string (parameters[p].name));
      }
  return json;
}

json_t *
gt_measurements_kernel_tuner (const struct gt_measurements *m)
{
  json_t *keys = json_array (), *values, *cache = json_object ();
  struct axes axes;
  char name[128];

  name_of (m, name, sizeof name);
  find_axes (m, &axes);
  values = axes_json (m, &axes, keys);
  if (each_point (m, &axes, tell_kernel_tuner, cache))
    {
      json_decref (keys);
      json_decref (values);
      json_decref (cache);
      return NULL;
    }
  return json_pack ("{s:s, s:s, s:[I, i, i], s:o, s:o, s:s, s:o}", "device_name",
                    m->device_name, "kernel_name", name, "problem_size",
                    (json_int_t) m->problem.n, 1, 1, "tune_params_keys", keys,
                    "tune_params", values, "objective", "time", "cache", cache);
}

/* ----------------------------------------------------------------------- T4 */

static const char *
invalidity (const struct gt_measured *measured)
{
  if (measured == NULL || !measured->candidate.failed)
    return measured && gt_measured_works (measured) ? "correct" : "constraints";
  return strncmp (measured->candidate.why, "wrong", 5) == 0 ? "correctness"
                                                            : "runtime";
}

static json_t *
measurements_of (const struct gt_measurements *m,
                 const struct gt_measured *measured)
{
  json_t *list = json_array (), *others = json_object (), *value;
  const char *key;

  json_array_append_new (
    list, json_pack ("{s:s, s:f, s:s}", "name", "time", "value",
                     milliseconds (measured, GT_TIMED_LONGER), "unit", "ms"));
  add_others (m, measured, others);
  json_object_foreach (others, key, value)
    json_array_append_new (
      list, json_pack ("{s:s, s:O, s:s}", "name", key, "value", value, "unit",
                       strncmp (key, "time", 4) == 0 ? "ms" : ""));
  json_decref (others);
  return list;
}

static int
tell_t4 (const struct gt_measurements *m, const struct gt_candidate *point,
         const struct gt_measured *measured, json_t *into)
{
  const char *state = invalidity (measured);
  int right = strcmp (state, "correct") == 0;

  return json_array_append_new (
    into,
    json_pack ("{s:s, s:o, s:[s], s:{s:f, s:f, s:f, s:f, s:f, s:o}, s:s, s:i, s:o}",
               "timestamp", m->created, "configuration", point_json (m, point),
               "objectives", "time", "times", "compilation", 0.0, "benchmark",
               right ? benchmark_time (m, measured) : 0.0, "framework", 0.0,
               "search_algorithm", 0.0, "validation", 0.0, "runtimes",
               right ? runtimes_json (measured) : json_array (), "invalidity",
               state, "correctness", strcmp (state, "correctness") != 0,
               "measurements",
               right ? measurements_of (m, measured) : json_array ()));
}

json_t *
gt_measurements_t4 (const struct gt_measurements *m)
{
  json_t *results = json_array ();
  struct axes axes;
  char name[128];

  name_of (m, name, sizeof name);
  find_axes (m, &axes);
  if (each_point (m, &axes, tell_t4, results))
    {
      json_decref (results);
      return NULL;
    }
  return json_pack (
    "{s:s, s:{s:s, s:s, s:s, s:s, s:s, s:s}, s:o}", "schema_version", "1.0.0",
    "metadata", "timeunit", "milliseconds", "kernel_name", name, "device_name",
    m->device_name, "driver", m->driver, "machine", m->machine, "gsltune",
    m->version, "results", results);
}

/* -------------------------------------------------------------------- Files */

static const struct
{
  const char *name;
  json_t *(*json) (const struct gt_measurements *m);
} formats[] = {
  {"t4", gt_measurements_t4},
  {"kernel-tuner", gt_measurements_kernel_tuner},
};

int
gt_export_format (const char *name)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp (name, formats[i].name) == 0)
      return (int) i;
  return -1;
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
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')
          || (*c >= '0' && *c <= '9')))
      *c = '_';
}

static int
make_folder (const char *path)
{
  if (mkdir (path, 0777) == 0 || errno == EEXIST)
    return 0;
  return gt_error ("cannot create the folder %s: %s", path, strerror (errno));
}

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
    {
      gt_error ("%s: its parameters have %zu combinations of values, more than %d",
                problem, points, GT_MOST_POINTS);
      return 1;
    }
  json = formats[writer->format].json (m);
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
                                 | JSON_REAL_PRECISION (9));
      if (failed)
        gt_error ("cannot write %s: %s", path, strerror (errno));
    }
  json_decref (json);
  writer->problems += !failed;
  return failed ? 1 : 0;
}

/* Returns 0, or -1 after a message.  */
static int
export_file (struct writer *writer, const char *path)
{
  char why[4500];
  int status = gt_measurements_read (path, write_problem, writer, why,
                                     sizeof why);

  if (status < 0)
    gt_error ("%s", why);
  return status ? -1 : 0;
}

/* Those beside the profiles of this machine's devices, wherever these may be.  */
static int
export_own (struct writer *writer)
{
  char folder[4096], path[4096], silicon[GT_SILICON_SIZE];
  int failed = 0;

  for (int i = -1; i < gt_gpu_count (NULL); i++)
    for (enum gt_folder f = 0; f < GT_FOLDER_SHIPPED; f++)
      {
        gt_device_silicon (i < 0 ? gt_device_host () : gt_gpu_device (i),
                           silicon);
        if (gt_profile_looked_at (f)
            && gt_profile_folder (f, folder, sizeof folder, NULL, 0) == 0
            && gt_measurements_path (folder, silicon, path, sizeof path) == 0
            && access (path, R_OK) == 0)
          failed |= export_file (writer, path);
      }
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
    {
      gt_error ("there are no measurements: `gsltune tune --effort exhaustive'"
                " keeps them");
      failed = 1;
    }
  return failed ? GT_EXIT_FAILED : GT_EXIT_OK;
}

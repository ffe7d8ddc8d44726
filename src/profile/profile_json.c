/* Profiles read from JSON.  Nothing is trusted: a file can name only what is in
   the catalogue, and give only numbers that the device can launch, so the
   worst it can do is to be slow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/profile_private.h"

/* Counters are only reported; the bound keeps them readable.  */
#define MAX_COUNT 1000000

/* Profiles are nested three deep.  Jansson calls itself for each array and object
   within another, which a file could make more often than the stack of the
   caller's thread has room for.  */
#define MAX_NESTING 16

/* One object being read.  The functions below return -1 (or null) after
   saying why.  */
struct reader
{
  const json_t *object;
  const struct gt_device *device;
  int approximate; /* the profile is of another device */
  int stale;       /* the kernel is another now, or there is none */
  char why[200];
};

static int reject (struct reader *reader, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

static int
reject (struct reader *reader, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (reader->why, sizeof reader->why, format, arguments);
  va_end (arguments);
  return -1;
}

static const char *
read_string (struct reader *reader, const char *key)
{
  const char *value = json_string_value (json_object_get (reader->object, key));

  if (value == NULL)
    reject (reader, "\"%s\" is missing or not a string", key);
  return value;
}

static int
read_integer (struct reader *reader, const char *key, uint64_t min,
              uint64_t max, uint64_t *value)
{
  const json_t *json = json_object_get (reader->object, key);
  json_int_t number;

  if (!json_is_integer (json))
    return reject (reader, "\"%s\" is missing or not an integer", key);

  /* A negative number is above every MAX once it is unsigned.  */
  number = json_integer_value (json);
  if ((uint64_t) number < min || (uint64_t) number > max)
    return reject (reader,
                   "\"%s\" is %" JSON_INTEGER_FORMAT ", not %" PRIu64
                   " to %" PRIu64,
                   key, number, min, max);
  *value = (uint64_t) number;
  return 0;
}

static int
read_unsigned (struct reader *reader, const char *key, unsigned min,
               unsigned max, unsigned *value)
{
  uint64_t number = 0;

  if (read_integer (reader, key, min, max, &number))
    return -1;
  *value = (unsigned) number;
  return 0;
}

static int
read_real (struct reader *reader, const char *key, double max, double *value)
{
  const json_t *json = json_object_get (reader->object, key);
  double number;

  if (!json_is_number (json))
    return reject (reader, "\"%s\" is missing or not a number", key);

  number = json_number_value (json);
  if (!(number >= 0 && number <= max))
    return reject (reader, "\"%s\" is %g, not 0 to %g", key, number, max);
  *value = number;
  return 0;
}

/* The number of the name at KEY, as FROM_NAME tells it.  */
static int
read_name (struct reader *reader, const char *key,
           int (*from_name) (const char *))
{
  const char *name = read_string (reader, key);
  int number;

  if (name == NULL)
    return -1;
  number = from_name (name);
  return number >= 0
           ? number
           : reject (reader, "\"%s\" is \"%.40s\", which is unknown", key,
                     name);
}

/* The string at KEY must be EXPECTED.  */
static int
read_word (struct reader *reader, const char *key, const char *expected)
{
  const char *word = read_string (reader, key);

  if (word == NULL)
    return -1;
  if (strcmp (word, expected) != 0)
    return reject (reader, "\"%s\" is \"%.40s\", not \"%s\"", key, word,
                   expected);
  return 0;
}

static int
effort_from_name (const char *name)
{
  for (int effort = GT_EFFORT_QUICK; effort < GT_N_EFFORTS; effort++)
    if (strcmp (name, gt_effort_name (effort)) == 0)
      return effort;
  return -1;
}

/* Operation, type and mode, as entries and crossovers have them.  */
static int
read_operation (struct reader *reader, enum gt_reduction *reduction,
                enum gt_arithmetic *arithmetic, enum gt_mode *mode)
{
  int r = read_name (reader, "operation", gt_reduction_from_name), a, m;

  if (r < 0)
    return -1;
  a = read_name (reader, "type", gt_arithmetic_from_name);
  if (a < 0)
    return -1;
  m = read_name (reader, "mode", gt_mode_from_name);
  if (m < 0)
    return -1;
  if (!gt_reduction_has (r, a))
    return reject (reader, "there is no %s of type %s", gt_reductions[r].name,
                   gt_arithmetics[a].name);
  if (gt_mode_for (r, a, m) != (enum gt_mode) m)
    return reject (reader, "%s of type %s has no mode %s",
                   gt_reductions[r].name, gt_arithmetics[a].name,
                   gt_mode_names[m]);
  *reduction = r;
  *arithmetic = a;
  *mode = m;
  return 0;
}

static int
read_problem (struct reader *reader, struct gt_problem *problem)
{
  int layout;

  if (read_operation (reader, &problem->reduction, &problem->arithmetic,
                      &problem->mode))
    return -1;
  layout = read_name (reader, "layout", gt_layout_from_name);
  if (layout < 0)
    return -1;
  problem->layout = layout;
  return 0;
}

/* An entry without a version is of before there were any.  */
static int
read_version (struct reader *reader, const struct gt_kernel *kernel)
{
  uint64_t version = 0;

  if (json_object_get (reader->object, "version")
      && read_integer (reader, "version", 0, INT64_MAX, &version))
    return -1;
  reader->stale = version != kernel->version;
  if (reader->stale)
    return reject (reader, "kernel %s has changed: version %" PRIu64
                   ", now %u: tune again", kernel->name, version, kernel->version);
  return 0;
}

static int
read_kernel (struct reader *reader, struct gt_entry *entry)
{
  const struct gt_problem *problem = &entry->problem;
  const struct gt_sm_limits *sm = &reader->device->gpu.sm;
  const char *name = read_string (reader, "kernel");
  char why[128];

  if (name == NULL)
    return -1;
  entry->kernel = gt_catalog_find (name, problem->reduction);
  reader->stale = entry->kernel == NULL;
  if (entry->kernel == NULL)
    return reject (reader, "kernel \"%.40s\" is unknown", name);
  if (entry->kernel->device != reader->device->kind)
    return reject (reader, "kernel %s is for another kind of device",
                   entry->kernel->name);
  if (!gt_kernel_serves (entry->kernel, problem))
    return reject (reader, "kernel %s does not compute %s, %s, %s",
                   entry->kernel->name,
                   gt_arithmetics[problem->arithmetic].name,
                   gt_mode_names[problem->mode],
                   gt_layout_names[problem->layout]);

  if (reader->device->kind == GT_CUDA
      && gt_kernel_available (entry->kernel, 10 * sm->cc_major + sm->cc_minor,
                              why, sizeof why))
    return reject (reader, "kernel %s %s", entry->kernel->name, why);

  return read_version (reader, entry->kernel);
}

static int
power_of_two (unsigned value)
{
  return value != 0 && (value & (value - 1)) == 0;
}

/* The threads of another machine's CPU, of which there may be fewer here.  */
static int
read_threads (struct reader *reader, const struct gt_profile_tunable *tunable,
              unsigned *threads)
{
  unsigned most = tunable->max (reader->device);

  if (read_unsigned (reader, tunable->key, 1, MAX_COUNT, threads))
    return -1;
  if (*threads > most)
    *threads = most;
  return 0;
}

static int
read_tunable (struct reader *reader, const struct gt_profile_tunable *tunable,
              struct gt_entry *entry)
{
  unsigned *value = gt_profile_unsigned (entry, tunable->offset);

  *value = tunable->neutral;
  if (entry->kernel->tunables & tunable->flag)
    return reader->approximate && tunable->flag == GT_TUNE_THREADS
             ? read_threads (reader, tunable, value)
             : read_unsigned (reader, tunable->key, 1,
                              tunable->max (reader->device), value);
  if (json_object_get (reader->object, tunable->key) == NULL)
    return 0;
  return read_unsigned (reader, tunable->key, tunable->neutral,
                        tunable->neutral, value);
}

static int
check_block (struct reader *reader, const struct gt_entry *entry)
{
  unsigned block = entry->config.block;
  unsigned warp = (unsigned) reader->device->gpu.sm.warp_size;

  if (warp == 0 || block % warp != 0)
    return reject (reader, "\"block\" is %u, not a multiple of the warp, %u",
                   block, warp);
  return 0;
}

static int
read_config (struct reader *reader, struct gt_entry *entry)
{
  for (size_t i = 0; i < GT_N_TUNABLES; i++)
    if (read_tunable (reader, &gt_profile_tunables[i], entry))
      return -1;
  if (!power_of_two (entry->config.unroll)
      || !(entry->config.unroll & entry->kernel->unrolls))
    return reject (reader, "\"unroll\" is %u, which kernel %s does not have",
                   entry->config.unroll, entry->kernel->name);
  return entry->config.block ? check_block (reader, entry) : 0;
}

static int
read_predicted (struct reader *reader, struct gt_entry *entry)
{
  const json_t *predicted
    = json_object_get (reader->object, "occupancy_predicted");

  if (!json_is_boolean (predicted) && !json_is_null (predicted))
    return reject (reader,
                   "\"occupancy_predicted\" is not true, false or null");
  entry->occupancy_predicted
    = json_is_null (predicted) ? -1 : json_is_true (predicted);
  return 0;
}

static int
read_findings (struct reader *reader, struct gt_entry *entry)
{
  int effort = read_name (reader, "effort", effort_from_name);

  if (effort < 0)
    return -1;
  entry->effort = effort;
  for (size_t i = 0; i < GT_N_COUNTERS; i++)
    {
      const struct gt_profile_counter *counter = &gt_profile_counters[i];

      if (read_unsigned (reader, counter->key, 0, MAX_COUNT,
                         gt_profile_unsigned (entry, counter->offset)))
        return -1;
    }
  for (size_t i = 0; i < GT_N_MEASURES; i++)
    {
      const struct gt_profile_measure *measure = &gt_profile_measures[i];
      double *value = gt_profile_double (entry, measure->offset);

      if (measure->optional
          && json_object_get (reader->object, measure->key) == NULL)
        continue;
      if (read_real (reader, measure->key, measure->max, value))
        return -1;
      *value /= measure->scale;
    }
  return read_predicted (reader, entry);
}

static int
read_entry (struct reader *reader, struct gt_profile *profile)
{
  const char *place = gt_profile_place_word (reader->device->kind);
  struct gt_entry entry;

  memset (&entry, 0, sizeof entry);
  if (read_problem (reader, &entry.problem)
      || read_word (reader, "place", place)
      || read_integer (reader, "n", 1, GT_PROFILE_MAX_N, &entry.problem.n)
      || read_kernel (reader, &entry) || read_config (reader, &entry)
      || read_findings (reader, &entry))
    return -1;
  return gt_profile_put (profile, &entry)
           ? reject (reader, "memory is short")
           : 0;
}

static int
gpu_serves (const struct gt_crossover *crossover)
{
  struct gt_problem problem = {.reduction = crossover->reduction,
                               .arithmetic = crossover->arithmetic,
                               .mode = crossover->mode,
                               .layout = GT_CONTIGUOUS};

  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == GT_CUDA
        && gt_kernel_serves (&gt_catalog[i], &problem))
      return 1;
  return 0;
}

static int
read_route (struct reader *reader, enum gt_place place,
            struct gt_route *route)
{
  int threads = reader->device->host.threads;
  int way = read_name (reader, "way", gt_way_from_name);

  if (way < 0)
    return -1;
  if (!gt_way_serves (way, place))
    return reject (reader, "data in place %s cannot go the way %s",
                   gt_place_names[place], gt_way_names[way]);
  route->way = way;
  if (way == GT_WAY_CPU)
    return 0;
  if (read_unsigned (reader, "percent", 1, 100, &route->percent)
      || (way == GT_WAY_STAGED
          && read_unsigned (reader, "threads", 1,
                            threads > 0 ? (unsigned) threads : 0,
                            &route->threads)))
    return -1;
  return way == GT_WAY_DIRECT
           ? 0
           : read_unsigned (reader, "chunk_kib", GT_MIN_CHUNK_KIB,
                            GT_MAX_CHUNK_KIB, &route->chunk_kib);
}

static int
read_crossover (struct reader *reader, struct gt_profile *profile)
{
  struct gt_crossover crossover;
  const char *silicon;
  int place;

  memset (&crossover, 0, sizeof crossover);
  if (reader->device->kind != GT_CPU)
    return reject (reader, "crossovers belong in the profile of a CPU");
  if (read_operation (reader, &crossover.reduction, &crossover.arithmetic,
                      &crossover.mode))
    return -1;
  if (!gpu_serves (&crossover))
    return reject (reader, "no CUDA kernel computes %s, %s",
                   gt_arithmetics[crossover.arithmetic].name,
                   gt_mode_names[crossover.mode]);
  place = read_name (reader, "place", gt_place_from_name);
  if (place < 0)
    return -1;
  if (!gt_way_serves (GT_WAY_CPU, place))
    return reject (reader, "data in place %s has no other route",
                   gt_place_names[place]);
  crossover.place = place;
  silicon = read_string (reader, "device");
  if (silicon == NULL)
    return -1;
  if (!gt_profile_silicon_valid (silicon))
    return reject (reader, "\"device\" is no silicon key");
  memcpy (crossover.device, silicon, strlen (silicon) + 1);
  if (read_integer (reader, "from", 0, GT_PROFILE_MAX_N, &crossover.from)
      || read_route (reader, place, &crossover.route))
    return -1;
  for (size_t i = 0; i < GT_N_CROSSOVER_MEASURES; i++)
    {
      const struct gt_profile_measure *m = &gt_crossover_measures[i];
      double *value
        = (double *) (void *) ((char *) &crossover + m->offset);

      if (read_real (reader, m->key, m->max, value))
        return -1;
      *value /= m->scale;
    }
  return gt_profile_put_crossover (profile, &crossover)
           ? reject (reader, "memory is short")
           : 0;
}

static void
count_rejected (struct gt_profile *profile, unsigned rejected,
                const char *section, size_t index, const char *why)
{
  if (profile->rejected == 0)
    {
      snprintf (profile->rejected_why, sizeof profile->rejected_why,
                "%s %zu: %s", section, index + 1, why);
      gt_profile_printable (profile->rejected_why);
    }
  profile->rejected += rejected;
}

/* Reads the elements of one of the file's arrays with READ.  */
static void
read_array (struct gt_profile *profile, const struct gt_device *device,
            const json_t *array, const char *section,
            int (*read) (struct reader *, struct gt_profile *))
{
  int approximate = profile->match != GT_MATCH_SILICON;
  size_t length = json_array_size (array);

  for (size_t i = 0; i < length && i < GT_PROFILE_MAX_ENTRIES; i++)
    {
      struct reader reader = {json_array_get (array, i), device, approximate,
                              0, ""};
      int failed = json_is_object (reader.object)
                     ? read (&reader, profile)
                     : reject (&reader, "not an object");

      if (failed)
        count_rejected (profile, 1, section, i, reader.why);
      profile->stale += reader.stale != 0;
    }
  if (length > GT_PROFILE_MAX_ENTRIES)
    count_rejected (profile, (unsigned) (length - GT_PROFILE_MAX_ENTRIES),
                    section, GT_PROFILE_MAX_ENTRIES,
                    "more than are read of one file");
}

/* What is recorded for people and matched against nothing.  */
static void
read_recorded (const json_t *object, const char *key, char *text, size_t size)
{
  const char *value = json_string_value (json_object_get (object, key));

  snprintf (text, size, "%s", value ? value : "");
  gt_profile_printable (text);
}

static int
read_header (const json_t *root, struct gt_profile *profile, char *why,
             size_t why_size)
{
  const json_t *format = json_object_get (root, "format");
  const json_t *device = json_object_get (root, "device");
  const char *silicon = json_string_value (json_object_get (device, "silicon"));

  if (!json_is_integer (format))
    return gt_profile_fail (why, why_size,
                            "not a profile: it has no \"format\"");
  if (json_integer_value (format) != GT_PROFILE_FORMAT)
    return gt_profile_fail (why, why_size,
                            "of format %" JSON_INTEGER_FORMAT
                            "; this gsltune reads format %d",
                            json_integer_value (format), GT_PROFILE_FORMAT);
  if (silicon == NULL || !gt_profile_silicon_valid (silicon))
    return gt_profile_fail (why, why_size,
                            "not a profile: it names no silicon");
  if (!json_is_array (json_object_get (root, "entries"))
      || !json_is_array (json_object_get (root, "crossovers")))
    return gt_profile_fail (why, why_size,
                            "not a profile: \"entries\" or \"crossovers\" is "
                            "missing or not an array");

  memcpy (profile->silicon, silicon, strlen (silicon) + 1);
  read_recorded (device, "name", profile->device_name,
                 sizeof profile->device_name);
  read_recorded (device, "driver", profile->driver, sizeof profile->driver);
  read_recorded (root, "gsltune", profile->version, sizeof profile->version);
  read_recorded (root, "created", profile->created, sizeof profile->created);
  read_recorded (root, "machine", profile->machine, sizeof profile->machine);
  profile->unfinished = json_is_true (json_object_get (root, "unfinished"));
  return 0;
}

static enum gt_profile_status
read_root (const json_t *root, const struct gt_device *device,
           enum gt_match worst, struct gt_profile *profile, char *why,
           size_t why_size)
{
  char silicon[GT_SILICON_SIZE];
  double distance;

  if (read_header (root, profile, why, why_size))
    return GT_PROFILE_BROKEN;
  if (device == NULL)
    return GT_PROFILE_OK;

  gt_device_silicon (device, silicon);
  profile->match = gt_profile_match (silicon, profile->silicon, &distance);
  if (profile->match > worst)
    {
      gt_profile_fail (why, why_size, "tuned for %s (%s), not for %s",
                       profile->silicon, profile->device_name, silicon);
      return GT_PROFILE_FOREIGN;
    }
  read_array (profile, device, json_object_get (root, "entries"), "entry",
              read_entry);
  if (profile->match == GT_MATCH_SILICON)
    read_array (profile, device, json_object_get (root, "crossovers"),
                "crossover", read_crossover);
  return GT_PROFILE_OK;
}

/* How deep arrays and objects are nested in TEXT: what its brackets outside of
   strings say, whether or not it is JSON.  */
static size_t
nesting (const char *text, size_t size)
{
  size_t depth = 0, deepest = 0;
  int in_string = 0;

  for (size_t i = 0; i < size; i++)
    if (in_string && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      in_string = !in_string;
    else if (!in_string && (text[i] == '[' || text[i] == '{'))
      {
        depth++;
        deepest = depth > deepest ? depth : deepest;
      }
    else if (!in_string && (text[i] == ']' || text[i] == '}') && depth > 0)
      depth--;
  return deepest;
}

enum gt_profile_status
gt_profile_parse (const char *text, size_t size,
                  const struct gt_device *device, struct gt_profile *profile,
                  char *why, size_t why_size)
{
  return gt_profile_parse_like (text, size, device, GT_MATCH_SILICON, profile,
                                why, why_size);
}

enum gt_profile_status
gt_profile_parse_like (const char *text, size_t size,
                       const struct gt_device *device, enum gt_match worst,
                       struct gt_profile *profile, char *why, size_t why_size)
{
  enum gt_profile_status status = GT_PROFILE_BROKEN;
  int too_deep = nesting (text, size) > MAX_NESTING;
  json_error_t error;
  json_t *root = too_deep ? NULL
                          : json_loadb (text, size, JSON_REJECT_DUPLICATES,
                                        &error);

  memset (profile, 0, sizeof *profile);
  if (root)
    status = read_root (root, device, worst, profile, why, why_size);
  else if (too_deep)
    gt_profile_fail (why, why_size,
                     "not a profile: nested deeper than %d arrays and objects",
                     MAX_NESTING);
  else
    gt_profile_fail (why, why_size, "not JSON: line %d: %s", error.line,
                     error.text);
  json_decref (root);
  if (status != GT_PROFILE_OK)
    {
      gt_profile_clear (profile);
      if (why && why_size)
        gt_profile_printable (why);
    }
  return status;
}

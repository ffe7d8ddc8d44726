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

/* Counters are only reported; the bound keeps them readable.  Kernels are written for at
   most so many threads in a block.  Times are below a week, in nanoseconds; spreads are
   relative.  */
#define MAX_COUNT 1000000
#define MAX_BLOCK 1024
#define MAX_NANOSECONDS 6e14
#define MAX_SPREAD 1e6

/* Profiles are nested three deep.  Jansson calls itself for each array and object
   within another, which a file could make more often than the stack of the
   caller's thread has room for.  */
#define MAX_NESTING 16

/* ----------------------------------------------------------------- Members */

const struct gt_profile_tunable gt_profile_tunables[GT_N_TUNABLES] = {
  {"threads", GT_TUNE_THREADS, 1, offsetof (struct gt_config, threads)},
  {"block", GT_TUNE_BLOCK, 0, offsetof (struct gt_config, block)},
  {"unroll", GT_TUNE_UNROLL, 1, offsetof (struct gt_config, unroll)},
  {"blocks_per_sm", GT_TUNE_GRID, 0, offsetof (struct gt_config, blocks_per_sm)},
};

#define COUNT(member) \
  {#member, offsetof (struct gt_entry, member), 1, 1, MAX_COUNT, 0}
#define NANOSECONDS(owner, key, member, optional) \
  {key, offsetof (struct owner, member), 0, 1e9, MAX_NANOSECONDS, optional}

const struct gt_profile_number gt_entry_numbers[] = {
  COUNT (candidates),
  COUNT (pruned),
  COUNT (failed),
  NANOSECONDS (gt_entry, "median_ns", seconds, 0),
  {"spread", offsetof (struct gt_entry, spread), 0, 1, MAX_SPREAD, 0},
  NANOSECONDS (gt_entry, "default_ns", default_seconds, 0),
  NANOSECONDS (gt_entry, "gsl_ns", gsl_seconds, 0),
  NANOSECONDS (gt_entry, "call_ns", call_seconds, 1),
  NANOSECONDS (gt_entry, "one_reads_ns", one_reads, 1),
  NANOSECONDS (gt_entry, "all_read_ns", all_read, 1),
  {.key = NULL}
};

const struct gt_profile_number gt_crossover_numbers[] = {
  NANOSECONDS (gt_crossover, "median_ns", seconds, 0),
  NANOSECONDS (gt_crossover, "cpu_ns", cpu_seconds, 0),
  {.key = NULL}
};

const struct gt_profile_number gt_step_numbers[] = {
  NANOSECONDS (gt_step, "median_ns", seconds, 0),
  NANOSECONDS (gt_step, "gsl_ns", gsl_seconds, 0),
  {.key = NULL}
};

/* ----------------------------------------------------------------- Reading */

/* One object that is being read.  After an error, what is read is a value that one can go on
   with.  */
struct reader
{
  const json_t *object;
  const struct gt_device *device;
  int approximate; /* the profile is of another device */
  int stale;       /* the kernel is another now, or there is none */
  char why[200];   /* what was wrong first; "": nothing */
};

__attribute__ ((format (printf, 2, 3))) static void
reject (struct reader *reader, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (reader->why[0] == '\0')
    vsnprintf (reader->why, sizeof reader->why, format, arguments);
  va_end (arguments);
}

static const char *
read_string (struct reader *reader, const char *key)
{
  const char *value = json_string_value (json_object_get (reader->object, key));

  if (value == NULL)
    reject (reader, "\"%s\" is missing or not a string", key);
  return value ? value : "";
}

static uint64_t
read_integer (struct reader *reader, const char *key, uint64_t min,
              uint64_t max)
{
  const json_t *json = json_object_get (reader->object, key);
  const json_int_t number = json_integer_value (json);

  /* A negative number is above every MAX once it is unsigned.  */
  if (!json_is_integer (json))
    reject (reader, "\"%s\" is missing or not an integer", key);
  else if ((uint64_t) number < min || (uint64_t) number > max)
    reject (reader,
            "\"%s\" is %" JSON_INTEGER_FORMAT ", not %" PRIu64 " to %" PRIu64,
            key, number, min, max);
  return (uint64_t) number;
}

static double
read_real (struct reader *reader, const char *key, double max)
{
  const json_t *json = json_object_get (reader->object, key);
  const double number = json_number_value (json);

  if (!json_is_number (json))
    reject (reader, "\"%s\" is missing or not a number", key);
  else if (!(number >= 0 && number <= max))
    reject (reader, "\"%s\" is %g, not 0 to %g", key, number, max);
  return number;
}

/* The number of the name at KEY, as FROM_NAME tells it.  */
static unsigned
read_name (struct reader *reader, const char *key,
           int (*from_name) (const char *))
{
  const char *name = read_string (reader, key);
  const int number = from_name (name);

  if (number < 0)
    reject (reader, "\"%s\" is \"%.40s\", which is unknown", key, name);
  return number < 0 ? 0 : (unsigned) number;
}

static int
effort_from_name (const char *name)
{
  return gt_name_find (gt_effort_names, GT_N_EFFORTS, name);
}

/* The members of TABLE, in the entry or crossover at ITEM.  */
static void
read_numbers (struct reader *reader, const struct gt_profile_number *table,
              void *item)
{
  for (const struct gt_profile_number *number = table; number->key; number++)
    {
      char *at = (char *) item + number->offset;

      if (number->optional
          && json_object_get (reader->object, number->key) == NULL)
        continue;
      if (number->is_count)
        *(unsigned *) (void *) at
          = (unsigned) read_integer (reader, number->key, 0,
                                     (uint64_t) number->max);
      else
        *(double *) (void *) at
          = read_real (reader, number->key, number->max) / number->scale;
    }
}

/* Operation, type and mode, as entries and crossovers have them.  */
static struct gt_problem
read_problem (struct reader *reader)
{
  struct gt_problem p = {
    .reduction = read_name (reader, "operation", gt_reduction_from_name),
    .arithmetic = read_name (reader, "type", gt_arithmetic_from_name),
    .mode = read_name (reader, "mode", gt_mode_from_name),
    .layout = GT_CONTIGUOUS
  };
  const char *operation = gt_reductions[p.reduction].name;
  const char *type = gt_arithmetics[p.arithmetic].name;

  if (!gt_reduction_has (p.reduction, p.arithmetic))
    reject (reader, "there is no %s of type %s", operation, type);
  else if (gt_mode_for (p.reduction, p.arithmetic, p.mode) != p.mode)
    reject (reader, "%s of type %s has no mode %s", operation, type,
            gt_mode_names[p.mode]);
  return p;
}

/* ----------------------------------------------------------------- Entries */

/* An entry without a version is of before there were any.  */
static void
check_version (struct reader *reader, const struct gt_kernel *kernel)
{
  uint64_t version = 0;

  if (json_object_get (reader->object, "version"))
    version = read_integer (reader, "version", 0, INT64_MAX);
  if (reader->why[0])
    return;
  reader->stale = version != kernel->version;
  if (reader->stale)
    reject (reader, "kernel %s has changed: version %" PRIu64
            ", now %u: tune again", kernel->name, version, kernel->version);
}

static void
read_kernel (struct reader *reader, struct gt_entry *entry)
{
  const struct gt_problem *problem = &entry->problem;
  const struct gt_sm_limits *sm = &reader->device->gpu.sm;
  const char *name = read_string (reader, "kernel");
  char why[128];

  if (reader->why[0])
    return;
  entry->kernel = gt_catalog_find (name, problem->reduction);
  reader->stale = entry->kernel == NULL;
  if (entry->kernel == NULL)
    reject (reader, "kernel \"%.40s\" is unknown", name);
  else if (entry->kernel->device != reader->device->kind)
    reject (reader, "kernel %s is for another kind of device", name);
  else if (!gt_kernel_serves (entry->kernel, problem))
    reject (reader, "kernel %s does not compute %s, %s, %s", name,
            gt_arithmetics[problem->arithmetic].name,
            gt_mode_names[problem->mode], gt_layout_names[problem->layout]);
  else if (reader->device->kind == GT_CUDA
           && gt_kernel_available (entry->kernel,
                                   10 * sm->cc_major + sm->cc_minor, why,
                                   sizeof why))
    reject (reader, "kernel %s %s", name, why);
  else
    check_version (reader, entry->kernel);
}

/* The limit of DEVICE; one that is not known allows nothing.  */
static unsigned
most_of (const struct gt_device *device, unsigned tunable)
{
  const struct gt_sm_limits *sm = &device->gpu.sm;
  int most = 0;

  if (tunable == GT_TUNE_UNROLL)
    most = GT_UNROLL (GT_N_UNROLLS - 1);
  else if (device->kind == GT_CPU)
    most = tunable == GT_TUNE_THREADS ? device->host.threads : 0;
  else if (tunable == GT_TUNE_BLOCK)
    most = sm->max_threads_per_block < MAX_BLOCK ? sm->max_threads_per_block
                                                 : MAX_BLOCK;
  else if (tunable == GT_TUNE_GRID)
    most = sm->max_blocks_per_sm;
  return most > 0 ? (unsigned) most : 0;
}

/* Another machine's CPU may have more threads than this one.  */
static unsigned
read_tunable (struct reader *reader, const struct gt_profile_tunable *tunable,
              const struct gt_kernel *kernel)
{
  const unsigned most = most_of (reader->device, tunable->flag);
  const int others = reader->approximate && tunable->flag == GT_TUNE_THREADS;
  unsigned value = tunable->neutral;

  if (kernel->tunables & tunable->flag)
    {
      value = (unsigned) read_integer (reader, tunable->key, 1,
                                       others ? MAX_COUNT : most);
      return value < most ? value : most;
    }
  if (json_object_get (reader->object, tunable->key))
    read_integer (reader, tunable->key, value, value);
  return value;
}

static void
read_config (struct reader *reader, const struct gt_kernel *kernel,
             struct gt_config *config)
{
  const unsigned warp = (unsigned) reader->device->gpu.sm.warp_size;

  for (size_t i = 0; i < GT_N_TUNABLES; i++)
    *gt_tunable_of (config, i)
      = read_tunable (reader, &gt_profile_tunables[i], kernel);
  if (__builtin_popcount (config->unroll) != 1
      || !(config->unroll & kernel->unrolls))
    reject (reader, "\"unroll\" is %u, which kernel %s does not have",
            config->unroll, kernel->name);
  if (config->block && (warp == 0 || config->block % warp != 0))
    reject (reader, "\"block\" is %u, not a multiple of the warp, %u",
            config->block, warp);
}

static int
read_predicted (struct reader *reader)
{
  const json_t *predicted
    = json_object_get (reader->object, "occupancy_predicted");

  if (!json_is_boolean (predicted) && !json_is_null (predicted))
    reject (reader, "\"occupancy_predicted\" is not true, false or null");
  return json_is_null (predicted) ? -1 : json_is_true (predicted);
}

static void
read_entry (struct reader *reader, struct gt_profile *profile)
{
  struct gt_entry entry = {.problem = read_problem (reader)};
  const char *expected = gt_profile_place (reader->device->kind), *place;

  entry.problem.layout = read_name (reader, "layout", gt_layout_from_name);
  place = read_string (reader, "place");
  if (strcmp (place, expected) != 0)
    reject (reader, "\"place\" is \"%.40s\", not \"%s\"", place, expected);
  entry.problem.n = read_integer (reader, "n", 1, GT_PROFILE_MAX_N);
  read_kernel (reader, &entry);
  if (reader->why[0])
    return;
  read_config (reader, entry.kernel, &entry.config);
  entry.effort = read_name (reader, "effort", effort_from_name);
  read_numbers (reader, gt_entry_numbers, &entry);
  entry.occupancy_predicted = read_predicted (reader);
  if (reader->why[0] == '\0' && gt_profile_put (profile, &entry))
    reject (reader, "memory is short");
}

/* -------------------------------------------------------------- Crossovers */

static int
gpu_serves (const struct gt_problem *problem)
{
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == GT_CUDA
        && gt_kernel_serves (&gt_catalog[i], problem))
      return 1;
  return 0;
}

static struct gt_route
read_route (struct reader *reader, enum gt_place place)
{
  const int threads = reader->device->host.threads;
  struct gt_route route = {.way = read_name (reader, "way", gt_way_from_name)};

  if (!gt_way_serves (route.way, place))
    reject (reader, "data in place %s cannot go the way %s",
            gt_place_names[place], gt_way_names[route.way]);
  if (route.way != GT_WAY_CPU)
    route.percent = (unsigned) read_integer (reader, "percent", 1, 100);
  if (route.way == GT_WAY_STAGED)
    route.threads = (unsigned) read_integer (
      reader, "threads", 1, threads > 0 ? (unsigned) threads : 0);
  if (route.way == GT_WAY_STAGED || route.way == GT_WAY_COPY)
    route.chunk_kib = (unsigned) read_integer (
      reader, "chunk_kib", GT_MIN_CHUNK_KIB, GT_MAX_CHUNK_KIB);
  return route;
}

static void
read_crossover (struct reader *reader, struct gt_profile *profile)
{
  struct gt_crossover crossover = {.place = GT_PLACE_HOST};
  const struct gt_problem *problem = &crossover.problem;
  const char *silicon;

  if (reader->device->kind != GT_CPU)
    reject (reader, "crossovers belong in the profile of a CPU");
  crossover.problem = read_problem (reader);
  if (!gpu_serves (problem))
    reject (reader, "no CUDA kernel computes %s, %s",
            gt_arithmetics[problem->arithmetic].name,
            gt_mode_names[problem->mode]);
  crossover.place = read_name (reader, "place", gt_place_from_name);
  if (!gt_way_serves (GT_WAY_CPU, crossover.place))
    reject (reader, "data in place %s has no other route",
            gt_place_names[crossover.place]);
  silicon = read_string (reader, "device");
  if (!gt_profile_silicon_valid (silicon))
    reject (reader, "\"device\" is no silicon key");
  snprintf (crossover.device, sizeof crossover.device, "%s", silicon);
  crossover.problem.n = read_integer (reader, "from", 0, GT_PROFILE_MAX_N);
  crossover.route = read_route (reader, crossover.place);
  read_numbers (reader, gt_crossover_numbers, &crossover);
  if (reader->why[0] == '\0' && gt_profile_put_crossover (profile, &crossover))
    reject (reader, "memory is short");
}

/* ------------------------------------------------------------------- Steps */

/* Words of the characters that names are made of, a space between two.  Who uses them finds
   out which are known.  */
static void
read_words (struct reader *reader, const char *key, char *to, size_t size)
{
  const char *text = read_string (reader, key);
  const size_t length = strlen (text);

  if (length == 0 || length >= size
      || strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.- ")
           != length
      || text[0] == ' ' || text[length - 1] == ' ' || strstr (text, "  "))
    reject (reader, "\"%s\" is \"%.40s\", not one to %zu characters of words", key, text,
            size - 1);
  snprintf (to, size, "%s", text);
}

static void
read_step (struct reader *reader, struct gt_profile *profile)
{
  const int threads = reader->device->host.threads;
  struct gt_step step = {.from = 0};

  if (reader->device->kind != GT_CPU)
    reject (reader, "procedures belong in the profile of a CPU");
  read_words (reader, "call", step.kind, sizeof step.kind);
  step.from = read_integer (reader, "from", 0, GT_PROFILE_MAX_SIZE);
  read_words (reader, "way", step.way, sizeof step.way);
  step.threads = (unsigned) read_integer (reader, "threads", 1,
                                          threads > 0 ? (unsigned) threads : 0);
  read_numbers (reader, gt_step_numbers, &step);
  if (reader->why[0] == '\0' && gt_profile_put_step (profile, &step))
    reject (reader, "memory is short");
}

/* ------------------------------------------------------------------- Files */

static void
count_rejected (struct gt_profile *profile, unsigned rejected,
                const char *section, size_t index, const char *why)
{
  if (profile->rejected == 0)
    {
      snprintf (profile->rejected_why, sizeof profile->rejected_why,
                "%s %zu: %s", section, index + 1, why);
      gt_make_ascii (profile->rejected_why);
    }
  profile->rejected += rejected;
}

/* Reads the elements of one of the file's arrays with READ.  */
static void
read_array (struct gt_profile *profile, const struct gt_device *device,
            const json_t *array, const char *section,
            void (*read) (struct reader *, struct gt_profile *))
{
  size_t length = json_array_size (array);

  for (size_t i = 0; i < length && i < GT_PROFILE_MAX_ENTRIES; i++)
    {
      struct reader reader = {.object = json_array_get (array, i),
                              .device = device,
                              .approximate = profile->match != GT_MATCH_SILICON};

      if (json_is_object (reader.object))
        read (&reader, profile);
      else
        reject (&reader, "not an object");
      if (reader.why[0])
        count_rejected (profile, 1, section, i, reader.why);
      profile->stale += reader.stale != 0;
    }
  if (length > GT_PROFILE_MAX_ENTRIES)
    count_rejected (profile, (unsigned) (length - GT_PROFILE_MAX_ENTRIES),
                    section, GT_PROFILE_MAX_ENTRIES,
                    "more than are read of one file");
}

void
gt_read_recorded (const json_t *object, const char *key, char *text, size_t size)
{
  const char *value = json_string_value (json_object_get (object, key));

  snprintf (text, size, "%s", value ? value : "");
  gt_make_ascii (text);
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
  gt_read_recorded (device, "name", profile->device_name,
                    sizeof profile->device_name);
  gt_read_recorded (device, "driver", profile->driver, sizeof profile->driver);
  gt_read_recorded (root, "gsltune", profile->version, sizeof profile->version);
  gt_read_recorded (root, "created", profile->created, sizeof profile->created);
  gt_read_recorded (root, "machine", profile->machine, sizeof profile->machine);
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
    {
      read_array (profile, device, json_object_get (root, "crossovers"),
                  "crossover", read_crossover);
      read_array (profile, device, json_object_get (root, "procedures"),
                  "procedure", read_step);
    }
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
                  const struct gt_device *device, enum gt_match worst,
                  struct gt_profile *profile, char *why, size_t why_size)
{
  enum gt_profile_status status = GT_PROFILE_BROKEN;
  int too_deep = nesting (text, size) > MAX_NESTING;
  json_error_t error;
  json_t *root = too_deep ? NULL
                          : json_loadb (text, size, JSON_REJECT_DUPLICATES,
                                        &error);

  gt_profile_empty (profile);
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
        gt_make_ascii (why);
    }
  return status;
}

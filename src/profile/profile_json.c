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
#include "src/profile/step_kind.h"
#include "src/profile/profile_private.h"

/* Counters are only reported; the bound keeps them readable.  Kernels are written for at
   most so many threads in a block.  Times are below a week, in nanoseconds; spreads are
   relative.  */
#define MAX_COUNT 1000000
#define MAX_BLOCK 1024
#define MAX_NANOSECONDS 6e14
#define MAX_SPREAD 1e6

/* Profiles are nested five deep.  Jansson calls itself for each array and object
   within another, which a file could make more often than the stack of the
   caller's thread has room for.  */
#define MAX_NESTING 16

/* ----------------------------------------------------------------- Members */

#define OF_STEP(key, member, neutral) \
  {key, offsetof (struct gt_step, member), GT_MEMBER_COUNT, 0, neutral}
const struct gt_profile_member gt_step_members[] = {
  OF_STEP ("version", version, 0),
  OF_STEP ("threads", config.threads, 1),
  OF_STEP ("block", config.block, 0),
  OF_STEP ("unroll", config.unroll, 1),
  OF_STEP ("blocks_per_sm", config.blocks_per_sm, 0),
  OF_STEP ("percent", percent, 0),
  OF_STEP ("chunk_kib", chunk_kib, 0),
  {.key = NULL}
};

#define COUNT(member) {#member, offsetof (struct gt_measured, member), GT_MEMBER_COUNT, MAX_COUNT, 0}
#define NANOSECONDS(key, member) \
  {key, offsetof (struct gt_measured, member), GT_MEMBER_SECONDS, MAX_NANOSECONDS, 0}
const struct gt_profile_member gt_measured_members[] = {
  {"effort", offsetof (struct gt_measured, effort), GT_MEMBER_EFFORT, 0, 0},
  COUNT (candidates),
  COUNT (pruned),
  COUNT (failed),
  {"predicted", offsetof (struct gt_measured, predicted), GT_MEMBER_COUNT, 2, 0},
  NANOSECONDS ("median_ns", seconds),
  {"spread", offsetof (struct gt_measured, spread), GT_MEMBER_REAL, MAX_SPREAD, 0},
  NANOSECONDS ("default_ns", default_seconds),
  NANOSECONDS ("gsl_ns", gsl_seconds),
  NANOSECONDS ("cpu_ns", cpu_seconds),
  NANOSECONDS ("call_ns", call_seconds),
  NANOSECONDS ("one_reads_ns", one_reads),
  NANOSECONDS ("all_read_ns", all_read),
  {.key = NULL}
};

/* ----------------------------------------------------------------- Reading */

/* One step that is being read.  After an error, what is read is a value that one can go on
   with.  */
struct reader
{
  const json_t *members; /* the object that a step may end with; or null */
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

static uint64_t
read_integer (struct reader *reader, const json_t *json, const char *key, uint64_t min,
              uint64_t max)
{
  const json_int_t number = json_integer_value (json);

  /* A negative number is above every MAX once it is unsigned.  */
  if (!json_is_integer (json))
    reject (reader, "\"%s\" is not an integer", key);
  else if ((uint64_t) number < min || (uint64_t) number > max)
    reject (reader,
            "\"%s\" is %" JSON_INTEGER_FORMAT ", not %" PRIu64 " to %" PRIu64,
            key, number, min, max);
  return (uint64_t) number;
}

static double
read_real (struct reader *reader, const json_t *json, const char *key, double max)
{
  const double number = json_number_value (json);

  if (!json_is_number (json))
    reject (reader, "\"%s\" is not a number", key);
  else if (!(number >= 0 && number <= max))
    reject (reader, "\"%s\" is %g, not 0 to %g", key, number, max);
  return number;
}

static unsigned
read_effort (struct reader *reader, const json_t *json, const char *key)
{
  const char *const name = json_string_value (json);
  const int number = name ? gt_name_find (gt_effort_names, GT_N_EFFORTS, name) : -1;

  if (number < 0)
    reject (reader, "\"%s\" is \"%.40s\", which is unknown", key, name ? name : "");
  return number < 0 ? 0 : (unsigned) number;
}

/* Reads the members of TABLE into ITEM: neutral ones where there are none.  */
static void
read_fields (struct reader *reader, const struct gt_profile_member *table, void *item)
{
  for (const struct gt_profile_member *f = table; f->key; f++)
    {
      const json_t *const json = json_object_get (reader->members, f->key);
      char *const at = (char *) item + f->offset;
      unsigned *const number = (unsigned *) (void *) at;
      double *const real = (double *) (void *) at;

      if (f->form == GT_MEMBER_COUNT)
        *number = json ? (unsigned) read_integer (reader, json, f->key, 0,
                                                  f->max > 0 ? (uint64_t) f->max : UINT32_MAX)
                       : f->neutral;
      else if (json && f->form == GT_MEMBER_EFFORT)
        *number = read_effort (reader, json, f->key);
      else if (json)
        *real = read_real (reader, json, f->key, f->max)
                / (f->form == GT_MEMBER_SECONDS ? GT_NANOSECONDS : 1);
    }
}

/* ----------------------------------------------------------------- Kernels */

/* Checks that member KEY, which is VALUE, is one of MIN to MAX.  */
static void
check_range (struct reader *reader, const char *key, unsigned value, unsigned min, unsigned max)
{
  if (value < min || value > max)
    reject (reader, "\"%s\" is %u, not %u to %u", key, value, min, max);
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

/* Checks a tunable of KERNEL.  Another machine's CPU may have more threads than this one.  */
static void
check_tunable (struct reader *reader, const struct gt_kernel *kernel, const char *key,
               unsigned tunable, unsigned neutral, unsigned *value)
{
  const unsigned most = most_of (reader->device, tunable);
  const int others = reader->approximate && tunable == GT_TUNE_THREADS;

  if (!(kernel->tunables & tunable))
    check_range (reader, key, *value, neutral, neutral);
  else
    check_range (reader, key, *value, 1, others ? MAX_COUNT : most);
  if (kernel->tunables & tunable && *value > most)
    *value = most;
}

static void
check_config (struct reader *reader, const struct gt_kernel *kernel, struct gt_config *config)
{
  const unsigned warp = (unsigned) reader->device->gpu.sm.warp_size;

  check_tunable (reader, kernel, "threads", GT_TUNE_THREADS, 1, &config->threads);
  check_tunable (reader, kernel, "block", GT_TUNE_BLOCK, 0, &config->block);
  check_tunable (reader, kernel, "unroll", GT_TUNE_UNROLL, 1, &config->unroll);
  check_tunable (reader, kernel, "blocks_per_sm", GT_TUNE_GRID, 0, &config->blocks_per_sm);
  if (__builtin_popcount (config->unroll) != 1 || !(config->unroll & kernel->unrolls))
    reject (reader, "\"unroll\" is %u, which kernel %s does not have", config->unroll,
            kernel->name);
  if (config->block && (warp == 0 || config->block % warp != 0))
    reject (reader, "\"block\" is %u, not a multiple of the warp, %u", config->block, warp);
}

/* Checks a step of the reduction P.  */
static void
check_kernel (struct reader *reader, const struct gt_problem *p, struct gt_step *step)
{
  const struct gt_sm_limits *sm = &reader->device->gpu.sm;
  const struct gt_kernel *const kernel = gt_catalog_find (step->way, p->reduction);
  char why[128];

  if (strcmp (step->way, GT_STEP_ESTIMATE) == 0)
    return;
  reader->stale = kernel == NULL || step->version != kernel->version;
  if (kernel == NULL)
    reject (reader, "kernel \"%.40s\" is unknown", step->way);
  else if (kernel->device != reader->device->kind)
    reject (reader, "kernel %s is for another kind of device", step->way);
  else if (!gt_kernel_serves (kernel, p))
    reject (reader, "kernel %s does not compute %s, %s, %s", step->way,
            gt_arithmetics[p->arithmetic].name, gt_mode_names[p->mode],
            gt_layout_names[p->layout]);
  else if (reader->device->kind == GT_CUDA
           && gt_kernel_available (kernel, 10 * sm->cc_major + sm->cc_minor, why, sizeof why))
    reject (reader, "kernel %s %s", step->way, why);
  else if (reader->stale)
    reject (reader, "kernel %s has changed: version %u, now %u: tune again", kernel->name,
            step->version, kernel->version);
  else
    check_config (reader, kernel, &step->config);
}

/* ------------------------------------------------------------------ Routes */

static int
gpu_serves (const struct gt_problem *problem)
{
  for (unsigned i = 0; i < gt_catalog_size; i++)
    if (gt_catalog[i].device == GT_CUDA
        && gt_kernel_serves (&gt_catalog[i], problem))
      return 1;
  return 0;
}

/* Returns how many threads the host has.  */
static unsigned
most_threads (const struct reader *reader)
{
  const int threads = reader->device->host.threads;

  return threads > 0 ? (unsigned) threads : 0;
}

static void
check_route (struct reader *reader, const struct gt_step_kind *kind, const struct gt_step *step)
{
  const int way = gt_way_from_name (step->way);
  const int staged = way == GT_WAY_STAGED, in_pieces = staged || way == GT_WAY_COPY;

  if (!gpu_serves (&kind->problem))
    reject (reader, "no CUDA kernel computes %s, %s",
            gt_arithmetics[kind->problem.arithmetic].name, gt_mode_names[kind->problem.mode]);
  else if (way < 0)
    reject (reader, "way \"%.40s\" is unknown", step->way);
  else if (!gt_way_serves ((enum gt_way) way, kind->place))
    reject (reader, "data in place %s cannot go the way %s", gt_place_names[kind->place],
            step->way);
  if (way != GT_WAY_CPU)
    check_range (reader, "percent", step->percent, 1, 100);
  check_range (reader, "threads", step->config.threads, 1, staged ? most_threads (reader) : 1);
  if (in_pieces)
    check_range (reader, "chunk_kib", step->chunk_kib, GT_MIN_CHUNK_KIB, GT_MAX_CHUNK_KIB);
}

struct gt_route
gt_step_route (const struct gt_step *step)
{
  const enum gt_way way = (enum gt_way) gt_way_from_name (step->way);

  return (struct gt_route) {way, step->percent,
                            way == GT_WAY_STAGED ? step->config.threads : 0, step->chunk_kib};
}

/* ------------------------------------------------------------------- Steps */

/* Checks that TEXT, which is called KEY, is words of the characters that names are made of, a
   space between two.  Who uses them finds out which are known.  */
static void
check_words (struct reader *reader, const char *key, const char *text, size_t size)
{
  const size_t length = strlen (text);

  if (length == 0 || length >= size
      || strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.- ")
           != length
      || text[0] == ' ' || text[length - 1] == ' ' || strstr (text, "  "))
    reject (reader, "%s \"%.40s\" is not one to %zu characters of words", key, text,
            size - 1);
}

/* Checks STEP, whose kind is known to be words.  */
static void
check_step (struct reader *reader, struct gt_step *step)
{
  struct gt_step_kind kind;
  const int of_reduction
    = gt_step_kind_read (step->kind, &kind, reader->why, sizeof reader->why);

  check_words (reader, "way", step->way, GT_STEP_WAY_SIZE);
  if (reader->why[0])
    return;
  if (of_reduction > 0 && !kind.is_route)
    check_kernel (reader, &kind.problem, step);
  else if (reader->device->kind != GT_CPU)
    reject (reader, "routes and calls belong in the profile of a CPU");
  else if (of_reduction)
    check_route (reader, &kind, step);
  else
    check_range (reader, "threads", step->config.threads, 1, most_threads (reader));
}

/* Reads one step of KIND, an array of size, way and, where there are any, members.  */
static void
read_step (struct reader *reader, const char *kind, const json_t *json,
           struct gt_profile *profile, int has_figures)
{
  const char *const way = json_string_value (json_array_get (json, 1));
  struct gt_measured measured = {.seconds = 0};
  struct gt_step step = {.kind = kind, .way = way ? way : ""};

  reader->members = json_array_get (json, 2);
  if (!json_is_array (json) || way == NULL
      || (reader->members && !json_is_object (reader->members)))
    {
      reject (reader, "not an array of a size, a way and an object");
      return;
    }
  step.from = read_integer (reader, json_array_get (json, 0), "from", 0, GT_PROFILE_MAX_SIZE);
  read_fields (reader, gt_step_members, &step);
  if (has_figures)
    read_fields (reader, gt_measured_members, &measured);
  if (reader->why[0] == '\0')
    check_step (reader, &step);
  if (reader->why[0] == '\0'
      && gt_profile_put (profile, &step, has_figures ? &measured : NULL))
    reject (reader, "memory is short");
}

/* ------------------------------------------------------------------- Files */

static void
count_rejected (struct gt_profile *profile, const char *kind, const char *why)
{
  if (profile->rejected == 0)
    {
      snprintf (profile->rejected_why, sizeof profile->rejected_why, "%.50s: %.200s", kind, why);
      gt_make_ascii (profile->rejected_why);
    }
  profile->rejected++;
}

/* Reads the steps of one kind.  Of another device those of reductions say something of this
   one.  */
static void
read_kind (struct gt_profile *profile, const struct gt_device *device, const char *kind,
           const json_t *list, int has_figures)
{
  const int approximate = profile->match != GT_MATCH_SILICON;
  struct reader of_kind = {.device = device};
  struct gt_step_kind read;

  check_words (&of_kind, "kind", kind, GT_STEP_KIND_SIZE);
  if (of_kind.why[0] == '\0' && !json_is_array (list))
    reject (&of_kind, "not an array");
  if (of_kind.why[0])
    count_rejected (profile, kind, of_kind.why);
  else if (!approximate || (gt_step_kind_read (kind, &read, NULL, 0) > 0 && !read.is_route))
    for (size_t i = 0; i < json_array_size (list); i++)
      {
        struct reader reader = {.device = device, .approximate = approximate};

        if (profile->n_steps == GT_PROFILE_MAX_STEPS)
          reject (&reader, "more steps than are read of one file");
        else
          read_step (&reader, kind, json_array_get (list, i), profile, has_figures);
        if (reader.why[0])
          count_rejected (profile, kind, reader.why);
        profile->stale += reader.stale != 0;
      }
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
  if (!json_is_object (json_object_get (root, "steps")))
    return gt_profile_fail (why, why_size,
                            "not a profile: \"steps\" is missing or not an object");

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
  const char *kind;
  double distance;
  int has_figures;
  json_t *list;

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
  has_figures = json_is_true (json_object_get (root, "measured"));
  json_object_foreach (json_object_get (root, "steps"), kind, list)
    read_kind (profile, device, kind, list, has_figures);
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

/* Profiles read from JSON.  Nothing is trusted: a file can name only what is in
   the catalogue, and give only numbers that the device can launch, so the
   worst it can do is to be slow.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/profile/json.h"
#include "src/profile/step_kind.h"
#include "src/profile/profile_private.h"

/* Counters are only reported; the bound keeps them readable.  Kernels are written for at
   most so many threads in a block.  Times, in picoseconds, are of one call, and doubles tell all
   of them apart.  */
#define MAX_COUNT 1000000
#define MAX_BLOCK 1024
#define MAX_PICOSECONDS 1000000000000000u

/* ----------------------------------------------------------------- Members */

#define OF_STEP(name, member, neutral) \
  {name, 0, offsetof (struct gt_step, member), UINT32_MAX, neutral, 0, NULL, 0}
#define FIGURE(name, member, max, scale) \
  {name, 1, offsetof (struct gt_measured, member), max, 0, scale, NULL, 0}
#define TIME(name, member) FIGURE (name, member, MAX_PICOSECONDS, 1e12)
const struct gt_member gt_members[] = {
  OF_STEP ("version", version, 1),
  OF_STEP ("threads", config.threads, 1),
  OF_STEP ("block", config.block, 0),
  OF_STEP ("unroll", config.unroll, 1),
  OF_STEP ("blocks_per_sm", config.blocks_per_sm, 0),
  OF_STEP ("percent", percent, 0),
  OF_STEP ("chunk_kib", chunk_kib, 0),
  {"effort", 1, offsetof (struct gt_measured, effort), GT_N_EFFORTS - 1, 0, 0, gt_effort_names,
   0},
  FIGURE ("candidates", candidates, MAX_COUNT, 0),
  FIGURE ("pruned", pruned, MAX_COUNT, 0),
  FIGURE ("failed", failed, MAX_COUNT, 0),
  TIME ("median_ps", seconds),
  TIME ("default_ps", default_seconds),
  TIME ("gsl_ps", gsl_seconds),
  TIME ("cpu_ps", cpu_seconds),
  TIME ("call_ps", call_seconds),
  {"next", 1, offsetof (struct gt_measured, next), GT_NEXT_SIZE, 0, 0, NULL, 1},
  TIME ("next_ps", next_seconds),
  {.name = NULL}
};

/* ----------------------------------------------------------------- Reading */

/* The steps of one kind, and the one that is being read.  After an error, what is read is a
   value that one can go on with.  */
struct reader
{
  const struct gt_device *device;
  struct gt_profile *profile;
  const char *kind;
  const char *way;        /* of the step before */
  const char *library;    /* the last way of several words, a library with its version, or null */
  struct gt_step_kind of; /* the kind, of a reduction */
  int is_reduction;
  int approximate;        /* the profile is of another device */
  int has_figures;
  int stale;              /* the kernel is another now, or there is none */
  char format[16], measured[8]; /* of the header */
  char why[200];          /* what was wrong first; "": nothing */
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

/* Returns the number that TEXT, the value of NAME, is: at most MAX, which is at most 2^60.  */
static uint64_t
read_number (struct reader *reader, const char *name, const char *text, uint64_t max)
{
  const char *at = text;
  uint64_t number = 0;

  for (; *at >= '0' && *at <= '9' && number <= max; at++)
    number = 10 * number + (unsigned) (*at - '0');
  if (at != text && *at == '\0' && number <= max)
    return number;
  reject (reader, "\"%s\" is \"%.40s\", not an integer from 0 to %" PRIu64, name, text, max);
  return 0;
}

static int
is_of_name (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '-' && c <= '9' && c != '/')
         || c == '_';
}

/* Reads the text of member M to AT.  */
static void
read_names (struct reader *reader, const struct gt_member *m, const char *text, char *at)
{
  size_t length = 0;

  for (; length + 1 < m->max && (is_of_name (text[length]) || strchr ("+,/", text[length]))
         && text[length]; length++)
    at[length] = text[length] == '+' ? ' ' : text[length];
  at[length] = '\0';
  if (text[length])
    reject (reader, "\"%s\" is \"%.40s\", not fewer than %ju characters of names", m->name, text,
            (uintmax_t) m->max);
}

/* Reads member NAME, whose value is TEXT, into STEP or MEASURED.  */
static void
read_member (struct reader *reader, const char *name, const char *text, struct gt_step *step,
             struct gt_measured *measured)
{
  const struct gt_member *m = gt_members;
  uint64_t number = 0;
  int word;
  char *at;

  while (m->name && strcmp (m->name, name) != 0)
    m++;
  if (m->name == NULL || (m->is_figure && !reader->has_figures))
    {
      reject (reader, "\"%.40s\" is no member of a step", name);
      return;
    }
  at = (m->is_figure ? (char *) measured : (char *) step) + m->offset;
  if (m->is_text)
    {
      read_names (reader, m, text, at);
      return;
    }
  if (m->words == NULL)
    number = read_number (reader, name, text, m->max);
  else if ((word = gt_name_find (m->words, (int) m->max + 1, text)) >= 0)
    number = (uint64_t) word;
  else
    reject (reader, "\"%s\" is \"%.40s\", not %s to %s", name, text, m->words[0],
            m->words[m->max]);
  if (m->scale > 0)
    *(double *) (void *) at = (double) number / m->scale;
  else
    *(unsigned *) (void *) at = (unsigned) number;
}

/* ----------------------------------------------------------------- Kernels */

/* Checks that member KEY, which is VALUE, is one of MIN to MAX.  */
static void
check_range (struct reader *reader, const char *key, unsigned value, unsigned min, unsigned max)
{
  if (value < min || value > max)
    reject (reader, "\"%s\" is %u, not %u to %u", key, value, min, max);
}

/* Returns how many threads the host has; none on a GPU, or if that is not known.  */
static unsigned
most_threads (const struct reader *reader)
{
  const struct gt_device *const device = reader->device;

  return device->kind == GT_CPU && device->host.threads > 0 ? (unsigned) device->host.threads : 0;
}

/* Checks the tunables of KERNEL.  A limit that is not known allows nothing.  Another machine's CPU
   may have more threads than this one.  */
static void
check_config (struct reader *reader, const struct gt_kernel *kernel, struct gt_config *config)
{
  static const struct gt_sm_limits none;
  const struct gt_sm_limits *const sm
    = reader->device->kind == GT_CUDA ? &reader->device->gpu.sm : &none;
  const struct
  {
    const char *name;
    unsigned *value;
    unsigned tunable, neutral, most;
  } all[] = {
    {"threads", &config->threads, GT_TUNE_THREADS, 1, most_threads (reader)},
    {"block", &config->block, GT_TUNE_BLOCK, 0,
     (unsigned) (sm->max_threads_per_block < MAX_BLOCK ? sm->max_threads_per_block : MAX_BLOCK)},
    {"unroll", &config->unroll, GT_TUNE_UNROLL, 1, GT_UNROLL (GT_N_UNROLLS - 1)},
    {"blocks_per_sm", &config->blocks_per_sm, GT_TUNE_GRID, 0, (unsigned) sm->max_blocks_per_sm},
  };

  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!(kernel->tunables & all[i].tunable))
      check_range (reader, all[i].name, *all[i].value, all[i].neutral, all[i].neutral);
    else
      {
        const int others = reader->approximate && all[i].tunable == GT_TUNE_THREADS;

        check_range (reader, all[i].name, *all[i].value, 1, others ? MAX_COUNT : all[i].most);
        if (*all[i].value > all[i].most)
          *all[i].value = all[i].most;
      }
  if (__builtin_popcount (config->unroll) != 1 || !(config->unroll & kernel->unrolls))
    reject (reader, "\"unroll\" is %u, which kernel %s does not have", config->unroll,
            kernel->name);
  if (config->block && (sm->warp_size == 0 || config->block % (unsigned) sm->warp_size != 0))
    reject (reader, "\"block\" is %u, not a multiple of the warp, %d", config->block,
            sm->warp_size);
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

static void
check_route (struct reader *reader, const struct gt_step_kind *kind, const struct gt_step *step)
{
  const int way = gt_way_from_name (step->way);
  const int staged = way == GT_WAY_STAGED, in_pieces = staged || way == GT_WAY_COPY;

  if (!gt_device_computes (GT_CUDA, &kind->problem))
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

/* Returns whether TEXT, which is called KEY, is words of the characters that names are made of, a
   space between two.  Who uses them finds out which are known.  */
static int
check_words (struct reader *reader, const char *key, const char *text, size_t size)
{
  size_t length = 0;

  while (is_of_name (text[length])
         || (text[length] == ' ' && length > 0 && text[length - 1] != ' '
             && text[length + 1] != '\0'))
    length++;
  if (length > 0 && length < size && text[length] == '\0')
    return 1;
  reject (reader, "%s \"%.40s\" is not one to %zu characters of words", key, text, size - 1);
  return 0;
}

/* Checks STEP.  */
static void
check_step (struct reader *reader, struct gt_step *step)
{
  if (*step->way == '\0')
    reject (reader, "it has no way");
  else if (reader->is_reduction && !reader->of.is_route)
    check_kernel (reader, &reader->of.problem, step);
  else if (reader->device->kind != GT_CPU)
    reject (reader, "routes and calls belong in the profile of a CPU");
  else if (reader->is_reduction)
    check_route (reader, &reader->of, step);
  else
    check_range (reader, "threads", step->config.threads, 1, most_threads (reader));
}

/* Ends the word that *TEXT begins with before END, and moves *TEXT behind that.  Returns the word,
   or null after the last.  */
static char *
next_word (char **text, char end)
{
  char *const word = *text, *const at = word ? strchr (word, end) : NULL;

  if (at)
    *at = '\0';
  *text = at ? at + 1 : NULL;
  return word;
}

/* Returns WAY, or the library that it abbreviates: the last one whose first word it is.  */
static const char *
full_way (struct reader *reader, const char *way)
{
  const size_t length = strlen (way);

  if (strchr (way, ' '))
    reader->library = way;
  else if (reader->library && strncmp (reader->library, way, length) == 0
           && reader->library[length] == ' ')
    way = reader->library;
  return way;
}

/* Puts STEP into the profile, unless something is wrong with it.  */
static void
put_step (struct reader *reader, const struct gt_step *step, const struct gt_measured *measured)
{
  if (reader->why[0] == '\0' && reader->profile->n_steps == GT_PROFILE_MAX_STEPS)
    reject (reader, "more steps than are read of one file");
  if (reader->why[0] == '\0' && gt_profile_put (reader->profile, step, measured))
    reject (reader, "memory is short");
}

/* Reads the step TEXT, "4096 OpenBLAS 0.3.21 threads=2", which is changed.  Without a way it has
   that of the step before.  */
static void
read_step (struct reader *reader, char *text)
{
  struct gt_measured measured = {.seconds = 0};
  struct gt_step step = {.kind = reader->kind, .config = {1, 0, 1, 0}, .version = 1};
  const char *way = NULL;
  char *word, *value;
  int members = 0;

  text += *text == ' ';
  word = next_word (&text, ' ');
  step.from = read_number (reader, "from", word, GT_PROFILE_MAX_SIZE);
  while ((word = next_word (&text, ' ')) != NULL)
    if ((value = strchr (word, '=')) != NULL)
      {
        *value++ = '\0';
        read_member (reader, word, value, &step, &measured);
        members = 1;
      }
    else if (members)
      reject (reader, "\"%.40s\" has no value", word);
    else if (way)
      word[-1] = ' ';
    else
      way = word;
  if (way)
    reader->way = check_words (reader, "way", way, GT_STEP_WAY_SIZE) ? full_way (reader, way) : "";
  step.way = reader->way;
  if (reader->why[0] == '\0')
    check_step (reader, &step);
  put_step (reader, &step, reader->has_figures ? &measured : NULL);
}

/* ------------------------------------------------------------------- Files */

/* Counts what was rejected, and is ready for the next step.  */
static void
count_rejected (struct reader *reader)
{
  struct gt_profile *const profile = reader->profile;

  profile->stale += reader->stale != 0;
  if (reader->why[0] && profile->rejected++ == 0)
    {
      snprintf (profile->rejected_why, sizeof profile->rejected_why, "%.50s: %s", reader->kind,
                reader->why);
      gt_make_ascii (profile->rejected_why);
    }
  reader->stale = 0;
  reader->why[0] = '\0';
}

/* Makes READER's kind KIND.  Returns whether its steps are to be read: of another device those of
   reductions are.  */
static int
take_kind (struct reader *reader, const char *kind)
{
  unsigned n;

  reader->kind = kind;
  check_words (reader, "kind", kind, GT_STEP_KIND_SIZE);
  if (reader->why[0] == '\0')
    reader->is_reduction
      = gt_step_kind_read (kind, &reader->of, reader->why, sizeof reader->why);
  if (gt_profile_steps (reader->profile, kind, &n))
    reject (reader, "given twice");
  if (reader->why[0] == '\0')
    return !reader->approximate || (reader->is_reduction && !reader->of.is_route);
  count_rejected (reader);
  return 0;
}

/* Reads TEXT, the steps of KIND: "0 gsl; 4096 OpenBLAS 0.3.21; 65536 threads=2".  */
static void
read_kind (struct reader *reader, const char *kind, char *text)
{
  char *step;

  reader->way = "";
  if (take_kind (reader, kind))
    while ((step = next_word (&text, ';')) != NULL)
      {
        read_step (reader, step);
        count_rejected (reader);
      }
}

/* Gives KIND the N steps from number AT on, as far as they are right for it.  Returns how many steps
   they are moved by that.  */
static unsigned
copy_kind (struct reader *reader, unsigned at, unsigned n, const char *kind)
{
  struct gt_profile *const profile = reader->profile;
  const unsigned before = profile->n_steps;
  const int is_first = n && strcmp (kind, profile->steps[at].kind) < 0;

  for (unsigned k = 0; k < n; k++)
    {
      struct gt_step step = profile->steps[at + k + (is_first ? profile->n_steps - before : 0)];

      step.kind = kind;
      check_step (reader, &step);
      put_step (reader, &step, NULL);
      count_rejected (reader);
    }
  return is_first ? profile->n_steps - before : 0;
}

/* Reads the steps TEXT of all KINDS, which commas separate.  */
static void
read_kinds (struct reader *reader, char *kinds, char *text)
{
  struct gt_profile *const profile = reader->profile;
  const char *kind = next_word (&kinds, ',');
  const struct gt_step *steps;
  unsigned n, at;

  read_kind (reader, kind, text);
  steps = kinds ? gt_profile_steps (profile, kind, &n) : NULL;
  at = steps ? (unsigned) (steps - profile->steps) : 0;
  while (steps && (kind = next_word (&kinds, ',')) != NULL)
    {
      kind += *kind == ' ';
      if (take_kind (reader, kind))
        at += copy_kind (reader, at, n, kind);
    }
}

/* Copies the value of the member that is NAME of OBJECT to TEXT.  */
static void
take (const struct gt_json *json, const char *object, const char *name, char *text, size_t size)
{
  if (strcmp (json->name, name) != 0 || strcmp (json->object, object) != 0)
    return;
  snprintf (text, size, "%s", json->value);
  gt_make_ascii (text);
}

/* Reads a member that is no kind.  */
static void
read_header (const struct gt_json *json, struct reader *reader)
{
  struct gt_profile *const p = reader->profile;
  char unfinished[8] = "";

  take (json, "", "format", reader->format, sizeof reader->format);
  take (json, "", "gsltune", p->version, sizeof p->version);
  take (json, "", "created", p->created, sizeof p->created);
  take (json, "", "machine", p->machine, sizeof p->machine);
  take (json, "", "unfinished", unfinished, sizeof unfinished);
  take (json, "", "measured", reader->measured, sizeof reader->measured);
  take (json, "device", "silicon", p->silicon, sizeof p->silicon);
  take (json, "device", "name", p->device_name, sizeof p->device_name);
  take (json, "device", "driver", p->driver, sizeof p->driver);
  p->unfinished |= strcmp (unfinished, "true") == 0;
}

/* Checks the members before the steps.  */
static enum gt_profile_status
check_header (struct reader *reader, enum gt_match worst, char *why, size_t why_size)
{
  struct gt_profile *const profile = reader->profile;
  char silicon[GT_SILICON_SIZE];
  const int format = atoi (reader->format);
  double distance;

  reader->has_figures = strcmp (reader->measured, "true") == 0;
  if (format != GT_PROFILE_FORMAT)
    gt_profile_fail (why, why_size, format ? "of format %d; this gsltune reads format %d"
                                           : "not a profile: it has no \"format\"",
                     format, GT_PROFILE_FORMAT);
  else if (!gt_profile_silicon_valid (profile->silicon))
    gt_profile_fail (why, why_size, "not a profile: it names no silicon before its steps");
  else if (reader->device == NULL)
    return GT_PROFILE_OK;
  else
    {
      gt_device_silicon (reader->device, silicon);
      profile->match = gt_profile_match (silicon, profile->silicon, &distance);
      reader->approximate = profile->match != GT_MATCH_SILICON;
      if (profile->match <= worst)
        return GT_PROFILE_OK;
      gt_profile_fail (why, why_size, "tuned for %s (%s), not for %s",
                       profile->silicon, profile->device_name, silicon);
      return GT_PROFILE_FOREIGN;
    }
  return GT_PROFILE_BROKEN;
}

/* Reads TEXT, of SIZE bytes and a null byte, which is changed.  */
static enum gt_profile_status
read_text (struct reader *reader, char *text, size_t size, enum gt_match worst, char *why,
           size_t why_size)
{
  enum gt_profile_status status = GT_PROFILE_ABSENT;
  struct gt_json json;
  unsigned line = 1;

  gt_json_begin (&json, text);
  while (gt_json_next (&json))
    if (strcmp (json.object, "steps") != 0)
      read_header (&json, reader);
    else
      {
        if (status == GT_PROFILE_ABSENT)
          status = check_header (reader, worst, why, why_size);
        if (status != GT_PROFILE_OK)
          return status;
        if (reader->device)
          read_kinds (reader, json.name, json.value);
      }
  if (json.wrong == NULL && json.at == text + size)
    return status == GT_PROFILE_ABSENT ? check_header (reader, worst, why, why_size) : status;
  for (const char *at = text; at < json.at; at++)
    line += *at == '\n';
  gt_profile_fail (why, why_size, "not JSON: line %u: %s", line,
                   json.wrong ? json.wrong : "more follows the object");
  return GT_PROFILE_BROKEN;
}

enum gt_profile_status
gt_profile_parse (const char *text, size_t size, const struct gt_device *device,
                  enum gt_match worst, struct gt_profile *profile, char *why, size_t why_size)
{
  struct reader reader = {.device = device, .profile = profile};
  enum gt_profile_status status = GT_PROFILE_REFUSED;
  char *const copy = strndup (text, size);

  gt_profile_empty (profile);
  if (copy)
    status = read_text (&reader, copy, size, worst, why, why_size);
  else
    gt_profile_fail (why, why_size, "memory is short");
  free (copy);
  if (status != GT_PROFILE_OK)
    gt_profile_clear (profile);
  return status;
}

/* gsltune bench: times the library's functions as a program calls them, beside GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/base/problem.h"
#include "src/gsltune.h"
#include "tuning/command/commands.h"
#include "tuning/measure/called.h"
#include "tuning/measure/clock.h"
#include "tuning/measure/data.h"
#include "tuning/report/report.h"
#include "tuning/measure/target.h"
#include "tuning/text/table.h"

struct request
{
  enum gt_reduction operation;
  int type, mode;        /* -1: not given */
  uint64_t stride, most; /* elements; 0: not given */
  int json;
};

/* ------------------------------------------------------------ Measuring */

#define ROUNDS 7
#define SAMPLE 5e-4 /* seconds */

struct result
{
  size_t n;
  double gsl, ours, device; /* seconds; device 0: not measured */
};

/* Makes one device vector, or two if the function has two operands, or none if one of them
   cannot be made.  */
static void
make_device_vectors (const struct request *request, struct gt_operands *b,
                     void *device[2])
{
  const struct gt_listed_type *of = &gt_listed[request->type];
  struct gt_operands second = *b;

  second.x = b->y;
  device[0] = of->make (b);
  device[1] = device[0] && b->y ? of->make (&second) : NULL;
  if (device[0] && b->y && device[1] == NULL)
    {
      of->free (device[0]);
      device[0] = NULL;
    }
  b->device[0] = device[0];
  b->device[1] = device[1];
}

/* Times GSL's and our function in turn, so that disturbances affect both.  The first calls are
   not timed, because they may read profiles and start threads.  */
static struct result
measure (const struct request *request, struct gt_operands *b)
{
  const struct gt_listed *f = gt_listed_for (request->operation, request->type);
  const struct gt_listed *on_device
    = gt_listed_on_device (request->operation, request->type);
  double seconds[3][ROUNDS] = {0};
  struct gt_calls_by_address sides[3] = {{f, f->gsl, *b}, {f, f->ours, *b}};
  void *device[2] = {NULL, NULL};
  int n = 2;

  if (on_device)
    make_device_vectors (request, b, device);
  if (device[0])
    sides[n++] = (struct gt_calls_by_address) {on_device, on_device->ours, *b};
  for (int k = 0; k < n; k++)
    gt_call_by_address (&sides[k], 1);
  for (int r = 0; r < ROUNDS; r++)
    for (int k = 0; k < n; k++)
      seconds[k][r] = gt_time_batches (gt_call_by_address, &sides[k], SAMPLE);
  for (int k = 0; k < 2; k++)
    if (device[k])
      gt_listed[request->type].free (device[k]);
  return (struct result) {b->n, gt_median (seconds[0], ROUNDS),
                          gt_median (seconds[1], ROUNDS),
                          gt_median (seconds[2], ROUNDS)};
}

/* ------------------------------------------------------------ Reporting */

static void
add_row (struct gt_table *table, const struct result *r, size_t size)
{
  double bytes = (double) r->n * (double) size; /* SIZE is that of an element of all vectors */
  char device[64] = "-\t-";

  if (r->device > 0)
    snprintf (device, sizeof device, "%s\t%s", gt_format_seconds (r->device),
              gt_format_bandwidth (bytes / r->device));
  gt_table_printf (table, "%s\t%s\t%s\t%s\t%.2f\t%s", gt_format_count (r->n),
                   gt_format_seconds (r->gsl), gt_format_seconds (r->ours),
                   gt_format_bandwidth (bytes / r->ours), r->gsl / r->ours,
                   device);
}

static json_t *
result_json (const struct result *r)
{
  return json_pack ("{s:I, s:f, s:f, s:f, s:o}", "n", (json_int_t) r->n,
                    "gsl_seconds", r->gsl, "gsltune_seconds", r->ours,
                    "ratio", r->gsl / r->ours, "device_seconds",
                    gt_ratio_json (r->device));
}

/* Returns the I-th length to measure, or 0 after the last one, which is the requested
   length.  */
static size_t
length (unsigned i, size_t most)
{
  static const size_t lengths[]
    = {1, 2, 5, 10, 100, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20,
       1 << 22, 1 << 24, 1 << 26, 1 << 28};
  const unsigned count = sizeof lengths / sizeof lengths[0];

  if (i < count && lengths[i] < most)
    return lengths[i];
  return i == 0 || (i <= count && lengths[i - 1] < most) ? most : 0;
}

static struct gt_problem
problem_of (const struct request *request)
{
  return gt_problem_for (request->operation, (enum gt_element_type) request->type,
                         gt_mode_of_vectors ((enum gt_mode) gsltune_get_mode ()));
}

/* Describes the data.  Exact sums take longer for numbers with more digits or a wider
   range.  */
static const char *
data_words (const struct request *request)
{
  static const char *const words[] = {
    [GT_DATA_WHOLE] = "odd whole numbers",
    [GT_DATA_UNIFORM] = "numbers from 0 to 1",
    [GT_DATA_FULL] = "numbers from -1 to 1 with all digits",
    [GT_DATA_SMALL] = "small odd whole numbers"
  };
  const struct gt_problem problem = problem_of (request);

  return words[gt_data_kind_for (&problem)];
}

static int
bench (const struct request *request, void *data)
{
  const struct gt_type_info *type = &gt_types[request->type];
  const enum gt_reduction operation = request->operation;
  const enum gt_mode mode
    = gt_mode_of_vectors ((enum gt_mode) gsltune_get_mode ());
  const unsigned inputs = gt_reductions[operation].inputs;
  const size_t span = request->most * request->stride * type->size;
  struct gt_operands b = {.x = data, .stride = {request->stride, request->stride},
                          .y = inputs == 2 ? (char *) data + span : NULL};
  struct gt_table *table
    = gt_table_new ("rrrrrrr", "n\t%s\tgsltune\tbandwidth\tgain\ton the GPU\tbandwidth",
                    gt_listed_for (operation, request->type)->symbol);
  json_t *list = request->json ? json_array () : NULL;

  for (unsigned i = 0; (b.n = length (i, request->most)) > 0; i++)
    {
      struct result result = measure (request, &b);

      if (request->json)
        json_array_append_new (list, result_json (&result));
      else
        add_row (table, &result, inputs * type->size);
    }
  if (request->json)
    {
      gt_table_free (table);
      return gt_print_json (json_pack (
        "{s:s, s:s, s:s, s:I, s:o}", "operation", gt_reductions[operation].name,
        "type", type->name, "mode", gt_mode_name_for (operation, mode),
        "stride", (json_int_t) request->stride, "results", list));
    }
  printf ("%s%s%s%s, stride %llu, %s;\nmedians of %d interleaved timings\n\n",
          operation == GT_SUM ? "" : gt_reductions[operation].name,
          operation == GT_SUM ? "" : " of ", type->name,
          gt_mode_text (operation, mode, ", mode "),
          (unsigned long long) request->stride, data_words (request), ROUNDS);
  gt_table_print (table, stdout);
  return GT_EXIT_OK;
}

static int
prepare (const struct request *request)
{
  const struct gt_problem problem = problem_of (request);
  struct gt_data pattern;
  size_t elements, bytes;
  void *data = NULL;
  int status;

  if (__builtin_mul_overflow (request->most, request->stride, &elements)
      || __builtin_mul_overflow (elements,
                                 gt_types[request->type].size
                                   * gt_inputs (&problem), &bytes)
      || (data = malloc (bytes)) == NULL
      || gt_data_init (&pattern, problem.arithmetic,
                       gt_data_kind_for (&problem)))
    {
      free (data);
      return gt_failed ("no memory for %llu elements at stride %llu: choose a"
                        " smaller -n", (unsigned long long) request->most,
                        (unsigned long long) request->stride);
    }
  gt_data_fill (&pattern, data, bytes);
  gt_data_clear (&pattern);
  status = bench (request, data);
  free (data);
  return status;
}

/* -------------------------------------------------------------- Options */

/* Stores the operation.  A mean is computed from a sum or from a total; the function that is
   timed is that of the mean.  */
static void
take_operation (void *closure, const char *word)
{
  ((struct request *) closure)->operation
    = strcmp (word, "mean") == 0 ? GT_TOTAL : gt_parse_operation ("--operation", word);
}

static const struct gt_option options[] = {
  GT_TAKE ("operation", take_operation),
  GT_OPTION ("type", 0, GT_TYPE, type),
  GT_OPTION ("mode", 0, GT_MODE, mode),
  GT_COUNTED ("stride", 0, NULL, stride, 1, 1 << 20),
  GT_COUNTED ("length", 'n', "-n", most, 1, 1 << 28),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.operation = GT_SUM, .type = -1, .mode = -1};

  gt_cli_parse (self, argc, argv, &request);
  if (request.mode >= 0)
    gsltune_set_mode ((gsltune_mode) request.mode);
  if (request.type < 0)
    request.type = GT_TYPE_DOUBLE;
  if (request.stride == 0)
    request.stride = 1;
  if (gt_listed_for (request.operation, request.type) == NULL)
    gt_no_such_type ("bench", request.operation, request.type);
  if (request.most == 0)
    request.most = (uint64_t) 1 << 24;
  return prepare (&request);
}

const struct gt_command gt_cmd_bench = {
  .name = "bench",
  .summary = "gsltune beside GSL's own functions, over lengths",
  .usage = "[OPTION]...",
  .help
  = "Times GSL's function and gsltune's of the same vectors, in turn, and where\n"
    "there is a GPU that of a device vector, from call to result.\n\n"
    "  --operation NAME   sum (the default), "
    GT_OPERATIONS_HELP "\n"
    "                     (of sumsq nrm2 is timed, of total mean, of moments\n"
    "                     variance, of comoments covariance, of wsum wmean,\n"
    "                     of wmoments wvariance)\n"
    "  --type TYPE        element type (double)\n"
    "  --mode MODE        auto, exact, compensated or fast (what GSLTUNE_MODE\n"
    "                     says, or auto)\n"
    "  --stride S         distance of two elements, in elements (1)\n"
    "  -n, --length N     the longest vector (2^24)\n"
    "  --json             for programs\n"
    GT_COMMON_HELP ("          "),
  .options = options,
  .takes = "bench takes options only",
  .run = run,
};

/* gsltune sum: the sum of numbers in files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cpu/sums/combine.h"
#include "src/base/names.h"
#include "src/base/problem.h"
#include "src/cpu/backend_cpu.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tuning/command/commands.h"
#include "tuning/text/number.h"
#include "tuning/text/reader.h"

struct request
{
  int type; /* element type; -1: not given */
  int raw;  /* -1: text, else elements of this type as they lie in memory */
  int mode; /* -1: not given */
  uint64_t stride; /* elements 0, stride, 2 stride, ... are the vector */
  int hex;  /* prints a real sum in hexadecimal */
  int json; /* prints an object */
};

/* The sum of the elements so far.  */
struct adding
{
  enum gt_element_type type;
  struct gt_problem problem;
  uint64_t stride;
  uint64_t read;                        /* elements, of which each STRIDEth counts */
  uint64_t count;                       /* those that count */
  union gt_value value;                 /* not finished; set if COUNT is not 0 */
  gsltune_moments *wide;                /* in its place for exact sums of long doubles, whose
                                           values cannot be merged; else null */
};

/* Adds N elements at DATA, N at least 1.  */
static void
add (struct adding *adding, const void *data, size_t n)
{
  struct gt_task task = gt_task_of (adding->problem.reduction, adding->problem.arithmetic,
                                    adding->problem.mode, data, n, adding->stride);
  union gt_value value;

  if (adding->wide)
    {
      gsltune_moments_add_long_double (adding->wide, data, adding->stride, n);
      return;
    }
  gt_cpu_compute (gt_plan_find (gt_host_plans (), &task.problem), &task, &value);
  if (adding->count > 0)
    gt_value_merge (&task.problem, &adding->value, &value);
  else
    adding->value = value;
}

/* Takes a chunk, see tuning/text/reader.h.  */
static void
take_chunk (void *closure, const void *data, size_t n)
{
  struct adding *const adding = closure;
  const uint64_t past = adding->read % adding->stride;
  const uint64_t first = past ? adding->stride - past : 0;

  if (first < n)
    {
      const size_t count = (n - first - 1) / adding->stride + 1;

      add (adding, (const char *) data + first * gt_types[adding->type].size, count);
      adding->count += count;
    }
  adding->read += n;
}

static struct gt_number
finish (struct adding *adding)
{
  if (adding->wide)
    adding->value.ldbl[0] = gsltune_moments_sum_long_double (adding->wide);
  else
    gt_value_finish (&adding->problem, &adding->value);
  return gt_number_of (adding->type, &adding->value);
}

/* ---------------------------------------------------------------- The command */

static void
parse (const struct gt_command *self, int argc, char **argv, struct request *request)
{
  *request = (struct request) {.type = -1, .raw = -1, .mode = -1, .stride = 1};
  gt_cli_parse (self, argc, argv, request);
  if (request->mode >= 0)
    gsltune_set_mode ((gsltune_mode) request->mode);
  if (request->raw >= 0 && request->type >= 0 && request->raw != request->type)
    gt_usage ("%s: --raw %s contradicts --type %s: --raw alone is enough",
              self->name, gt_types[request->raw].name,
              gt_types[request->type].name);
  if (request->type < 0)
    request->type = request->raw < 0 ? GT_TYPE_DOUBLE : request->raw;
}

static int
print_sum (const struct request *request, const struct adding *adding,
           const struct gt_number *sum)
{
  char text[GT_NUMBER_SIZE];

  gt_number_format (sum, request->hex || request->json, text);
  if (!request->json)
    {
      puts (text);
      return GT_EXIT_OK;
    }
  return gt_print_json (
    json_pack ("{s:o, s:s*, s:I, s:s, s:s}", "sum", gt_number_to_json (sum), "hex",
               gt_arithmetics[adding->problem.arithmetic].real ? text : NULL, "n",
               (json_int_t) adding->count, "type", gt_types[adding->type].name, "mode",
               gt_mode_names[adding->problem.mode]));
}

static int
run_sum (const struct gt_command *self, int argc, char **argv)
{
  static char *standard_input[] = {"-", NULL};
  struct adding adding = {.count = 0};
  struct gt_numbers numbers = {.take = take_chunk, .closure = &adding};
  struct request request;
  struct gt_number sum;

  parse (self, argc, argv, &request);
  adding.type = numbers.type = (enum gt_element_type) request.type;
  adding.problem = gt_problem_for (GT_SUM, adding.type,
                                   gt_mode_of_vectors ((enum gt_mode) gsltune_get_mode ()));
  adding.stride = request.stride;
  if (adding.problem.arithmetic == GT_LDBL && adding.problem.mode == GT_MODE_EXACT)
    adding.wide = gt_need (gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 1));
  for (char **file = optind < argc ? argv + optind : standard_input; *file; file++)
    if (request.raw >= 0 ? gt_read_raw (&numbers, *file) : gt_read_text (&numbers, *file))
      return gt_failed ("%s", numbers.why);
  sum = finish (&adding);
  gsltune_moments_free (adding.wide);
  return print_sum (&request, &adding, &sum);
}

static const char sum_help[]
  = "Reads the FILEs one after the other as one vector; '-', or no FILE, is\n"
    "standard input.  Text is numbers separated by white space.  At the start of a\n"
    "line, or after white space, '#' begins a comment that lasts to the end of its\n"
    "line.  Anything else stops the command: nothing is summed past an error.\n\n"
    "Options:\n"
    "  --type TYPE    element type of the numbers (default double):\n"
    "                 double, float, long_double, int, uint, long, ulong,\n"
    "                 short, ushort, char, uchar\n"
    "  --raw TYPE     the FILEs are not text but elements of TYPE, as they lie in\n"
    "                 this machine's memory; compressed files, and text that begins\n"
    "                 with a byte order mark, are refused\n"
    "  --mode MODE    exact: the exact sum, rounded once; compensated, which loses\n"
    "                 next to nothing to rounding; or fast (default:\n"
    "                 $GSLTUNE_MODE, else exact); integers wrap in all\n"
    "  --stride S     sum elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --hex          print a real sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, type, mode\n"
    GT_COMMON_HELP ("      ") "\n"
    "The sum is printed with as many digits as it takes to read the same value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n"
    "  gsltune sum --raw float samples.bin\n";

static const struct gt_option sum_options[] = {
  GT_OPTION ("type", 0, GT_READ_TYPE, type),
  GT_OPTION ("raw", 0, GT_READ_TYPE, raw),
  GT_OPTION ("mode", 0, GT_MODE, mode),
  GT_COUNTED ("stride", 0, NULL, stride, 1, SIZE_MAX),
  GT_OPTION ("hex", 0, GT_FLAG, hex),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files, text or raw",
  .usage = "[OPTION]... [FILE]...",
  .help = sum_help,
  .options = sum_options,
  .run = run_sum,
};

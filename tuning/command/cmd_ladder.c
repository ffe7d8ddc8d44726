/* gsltune ladder: measures every rung of the reduction ladder.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/names.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/ladder/ladder.h"
#include "tuning/text/table.h"
#include "tuning/text/progress.h"

/* Up to this many elements the exact sum of uniform data is known.  */
#define MOST_ELEMENTS ((uint64_t) 1 << 31)

struct request
{
  enum gt_element_type type;
  uint64_t n;
  struct gt_device_word device;
  enum gt_effort effort;
  const struct gt_ladder_kernel *kernel; /* null: all rungs */
  const char *cuda; /* the folder of the CUDA Toolkit; null: search for one */
  int json;
};

/* -------------------------------------------------------------- Options */

/* Returns whether every rung of the ladder computes TYPE.  */
static int
on_the_ladder (int type)
{
  struct gt_problem problem = {
    .reduction = GT_SUM,
    .arithmetic = gt_arithmetic_for (GT_SUM, gt_types[type].arithmetic),
    .mode = GT_MODE_FAST,
    .layout = GT_CONTIGUOUS
  };

  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    if (!gt_kernel_serves (gt_ladder_catalog[i].kernel, &problem))
      return 0;
  return 1;
}

static void
take_type (void *request, const char *word)
{
  int type = gt_type_from_name (word);
  char valid[256] = "";

  for (int t = 0; t < GT_N_ELEMENT_TYPES; t++)
    if (on_the_ladder (t))
      gt_list_add (valid, sizeof valid, "%s", gt_types[t].name);
  if (type < 0 || !on_the_ladder (type))
    gt_usage ("--type: %s '%s': valid types are %s",
              type < 0 ? "unknown type" : "the ladder does not compute",
              gt_quote_word (word), valid);
  ((struct request *) request)->type = (enum gt_element_type) type;
}

static void
take_kernel (void *request, const char *word)
{
  const struct gt_ladder_kernel *rung = gt_ladder_find (word);
  char valid[1024] = "";

  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    gt_list_add (valid, sizeof valid, "%s", gt_ladder_catalog[i].kernel->name);
  if (rung == NULL)
    gt_usage ("--kernel: %s '%s': valid kernels are %s",
              gt_catalog_find (word, GT_SUM) ? "no rung of the ladder"
                                             : "unknown kernel",
              gt_quote_word (word), valid);
  ((struct request *) request)->kernel = rung;
}

static const struct gt_option options[] = {
  GT_COUNTED ("length", 'n', "-n", n, 1, MOST_ELEMENTS),
  GT_TAKE ("type", take_type),
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_OPTION ("effort", 0, GT_EFFORT, effort),
  GT_TAKE ("kernel", take_kernel),
  GT_OPTION ("cuda", 0, GT_WORD, cuda),
  GT_OPTION ("json", 0, GT_FLAG, json),
  GT_NO_MORE_OPTIONS
};

/* ------------------------------------------------------------- Measuring */

/* Measures the rungs of REPORT.  */
static int
measure (struct gt_ladder *ladder, struct gt_ladder_report *report,
         const struct gt_ladder_kernel *kernel, unsigned n)
{
  const char *name = gt_device_name (report->device);
  int terminal = isatty (STDERR_FILENO), failed = 0;
  struct gt_progress progress;

  if (terminal)
    gt_progress_begin (&progress, "ladder", n, name);
  for (; report->n < n && !failed; report->n++)
    {
      if (terminal)
        gt_progress_show (&progress, report->n,
                          kernel[report->n].kernel->name);
      failed = gt_ladder_measure (ladder, &kernel[report->n],
                                  &report->rung[report->n]);
    }
  if (terminal)
    gt_progress_end (&progress);
  if (failed)
    gt_error ("%s has failed at rung %d, %s: %s: start again, with a smaller -n"
              " or without that GPU", name, kernel[report->n - 1].rung,
              kernel[report->n - 1].kernel->name, report->rung[report->n - 1].why);
  return failed;
}

static int
climb (const struct request *request, struct gt_ladder *ladder)
{
  const struct gt_ladder_kernel *list
    = request->kernel ? request->kernel : gt_ladder_catalog;
  unsigned n = request->kernel ? 1 : gt_ladder_catalog_size;
  struct gt_ladder_report report = {.device = ladder->gpu.device,
                                    .type = request->type,
                                    .problem = ladder->problem};
  int status = GT_EXIT_FAILED;

  report.rung = gt_need (calloc (n, sizeof *report.rung));
  if (measure (ladder, &report, list, n) == 0)
    {
      status = GT_EXIT_OK;
      if (request->json)
        status = gt_print_json (gt_ladder_json (&report));
      else
        gt_ladder_print (&report);
    }
  for (unsigned i = 0; i < report.n; i++)
    gt_space_clear (&report.rung[i].space);
  free (report.rung);
  return status;
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request = {.type = GT_TYPE_INT, .n = (uint64_t) 1 << 22,
                            .device = {GT_CUDA, -1}, .effort = GT_EFFORT_NORMAL};
  const char *none = "";
  struct gt_ladder ladder;
  int gpu = 0, status;

  gt_cli_parse (self, argc, argv, &request);
  if (request.device.kind == GT_CPU)
    gt_usage ("--device: the ladder's kernels run on a GPU, not on 'cpu': valid devices are cuda,"
              " cuda:N");
  if (gt_gpu_count (&none) == 0)
    return gt_failed ("there is no GPU to measure: %s", none);
  if (request.device.ordinal >= 0)
    gpu = gt_require_gpu ("--device", request.device.ordinal);
  if (gt_ladder_open (&ladder, gpu,
                      gt_arithmetic_for (GT_SUM,
                                         gt_types[request.type].arithmetic),
                      request.n, request.effort, request.cuda))
    return gt_failed ("GPU %d cannot be used: %s",
                      gt_gpu_device (gpu)->gpu.ordinal, ladder.gpu.why);
  status = climb (&request, &ladder);
  gt_ladder_close (&ladder);
  return status;
}

const struct gt_command gt_cmd_ladder = {
  .name = "ladder",
  .summary = "each step from a naive GPU sum to the fastest, measured",
  .usage = "[OPTION]...",
  .help
  = "Measures the rungs of the reduction ladder on a GPU, from pairs added in\n"
    "place to one pass in clusters of blocks.  Each rung is tuned for itself, and\n"
    "does away with one thing that the rung before pays for.\n\n"
    "  -n, --length N     elements (2^22)\n"
    "  --type TYPE        double, float, int (the default) or uint\n"
    "  --device DEVICE    cuda (the first GPU, the default), or cuda:N\n"
    "  --effort LEVEL     quick, normal (the default), or thorough\n"
    "  --kernel NAME      only this rung\n"
    "  --cuda DIR         folder of the CUDA Toolkit whose device runtime the rung\n"
    "                     'recursive' is linked with; else that of CUDA_HOME or\n"
    "                     CUDA_PATH, or /usr/local/cuda\n"
    "  --json             for programs, with every configuration of the sweeps\n"
    GT_COMMON_HELP ("          ") "\n"
    "'over before' compares a form of a rung, in place or in shared memory, with\n"
    "the same form of the rung before where there is one, else with the fastest\n"
    "form of that rung.  A rung that is not available here says so in its row.\n",
  .options = options,
  .takes = "ladder takes options only",
  .run = run,
};

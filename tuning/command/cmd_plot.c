/* gsltune plot: writes data and a script for gnuplot from a profile.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "src/base/names.h"
#include "tuning/command/commands.h"
#include "tuning/measure/called.h"
#include "tuning/report/report.h"
#include "tuning/store/findings.h"
#include "tuning/search/problems.h"
#include "tuning/store/profile_store.h"

struct request
{
  struct gt_device_word device;
  enum gt_reduction reduction;
  int type; /* enum gt_element_type */
};

static enum gt_arithmetic
arithmetic_of (const struct request *request)
{
  return gt_arithmetic_for (request->reduction, gt_types[request->type].arithmetic);
}

/* Returns whether STEP is a point of the curve of MODE, and stores it in WINNER.  */
static int
is_drawn (const struct gt_profile *findings, const struct gt_step *step,
          const struct request *request, int mode, struct gt_winner *winner)
{
  const struct gt_problem *const p = &winner->problem;

  return gt_findings_winner (findings, step, winner) && p->reduction == request->reduction
         && p->arithmetic == arithmetic_of (request) && p->layout == GT_CONTIGUOUS
         && (int) p->mode == mode && gt_winner_call (winner) > 0;
}

/* Writes BYTES / SECONDS as GB/s, or a question mark if that was not measured.  */
static void
write_bandwidth (uint64_t bytes, double seconds)
{
  if (seconds > 0)
    printf (" %.6g", (double) bytes / 1e9 / seconds);
  else
    fputs (" ?", stdout);
}

static void
write_point (const struct gt_winner *winner)
{
  const uint64_t bytes = gt_problem_bytes (&winner->problem);

  printf ("%ju", (uintmax_t) winner->problem.n);
  write_bandwidth (bytes, gt_winner_call (winner));
  write_bandwidth (bytes, winner->measured.gsl_seconds);
  putchar ('\n');
}

/* Writes the data of one mode.  Returns the number of points.  */
static unsigned
write_data (const struct gt_profile *findings, const struct request *request, int mode)
{
  struct gt_winner winner;
  unsigned points = 0;

  for (unsigned i = 0; i < findings->n_steps; i++)
    if (is_drawn (findings, &findings->steps[i], request, mode, &winner))
      {
        if (points++ == 0)
          printf ("$%s << END\n# elements; GB/s: the winner, GSL\n",
                  gt_mode_names[mode]);
        write_point (&winner);
      }
  if (points > 0)
    puts ("END");
  return points;
}

/* Writes TEXT in gnuplot's syntax for text between single quotes.  */
static void
write_quoted (const char *text)
{
  for (; *text; text++)
    {
      if (*text == '\'')
        putchar ('\'');
      putchar ((unsigned char) *text < ' ' || *text == 0x7f ? '?' : *text);
    }
}

/* Writes the data and the script.  */
static int
draw (const struct gt_device *device, const struct gt_profile *profile,
      const struct request *request)
{
  const char *const operation = gt_reductions[request->reduction].name;
  const char *const type = gt_types[request->type].name;
  const char *first = NULL; /* a mode that has data */
  char curves[512] = "";

  for (int mode = 0; mode < GT_N_MODES; mode++)
    if (write_data (profile, request, mode) > 0)
      {
        first = first ? first : gt_mode_names[mode];
        gt_list_add (curves, sizeof curves, "$%s using 1:2 with linespoints title '%s'",
                     gt_mode_names[mode], gt_mode_names[mode]);
      }
  if (first == NULL)
    return gt_failed ("nothing was measured here about %s of contiguous elements of %s: run"
                      " 'gsltune tune --operation %s --type %s'", operation, type, operation,
                      type);
  printf ("set title '%s of %s, ", operation, type);
  write_quoted (profile->device_name);
  printf ("' noenhanced\nset xlabel 'elements'\nset ylabel 'bandwidth, GB/s'\n"
          "set datafile missing '?'\nset logscale x 2\nset logscale y\nset grid\n"
          "set key bottom right\nplot %s, \\\n", curves);
  if (device->kind == GT_CUDA)
    printf ("  %.6g with lines title 'memory, in theory'\n",
            gt_gpu_bandwidth (&device->gpu) / 1e9);
  else
    printf ("  $%s using 1:3 with linespoints title 'GSL'\n", first);
  return GT_EXIT_OK;
}

/* Returns the first device that --device selects.  */
static const struct gt_device *
chosen_device (const struct gt_device_word *word)
{
  int i = 0;

  gt_require_device (word);
  while (!gt_device_meant (word, gt_device_at (i)))
    i++;
  return gt_device_at (i);
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  static struct gt_profile profile;
  static struct gt_search search;
  struct request request = {{GT_CPU, -1}, GT_SUM, GT_TYPE_DOUBLE};
  const struct gt_device *device;
  int status;

  gt_cli_parse (self, argc, argv, &request);
  device = chosen_device (&request.device);
  if (gt_profile_search (device, &profile, &search))
    return gt_failed ("no profile for %s: run 'gsltune tune'", gt_device_name (device));
  status = draw (device, gt_report_findings (device, &profile), &request);
  gt_profile_clear (&profile);
  return status;
}

static const struct gt_option options[] = {
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_OPTION ("operation", 0, GT_OPERATION, reduction),
  GT_OPTION ("type", 0, GT_TYPE, type),
  GT_NO_MORE_OPTIONS
};

const struct gt_command gt_cmd_plot = {
  .name = "plot",
  .summary = "data and a script for gnuplot of what was measured",
  .usage = "[OPTION]...",
  .help
  = "Prints the bandwidth of one operation by the number of elements, as data\n"
    "within a script for gnuplot: that of the winner in each mode, and on a CPU of\n"
    "GSL, from the profile in use.  Nothing is measured anew.\n\n"
    "Options:\n"
    "  --device DEVICE   cpu (default), cuda, or cuda:N\n"
    "  --operation NAME  sum (default), dot, max, ...\n"
    "  --type TYPE       element type (default double)\n"
    GT_COMMON_HELP ("         ") "\n"
    "Example:\n"
    "  gsltune plot >sums.gp && gnuplot -p sums.gp\n",
  .options = options,
  .takes = "plot takes options only",
  .run = run,
};

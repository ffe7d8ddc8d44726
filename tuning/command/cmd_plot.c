/* gsltune plot: data and a script for gnuplot of what a profile holds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <getopt.h>
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

/* Columns of the data: the first is the number of elements.  */
enum
{
  BANDWIDTH = 2,
  GAIN,
  READABLE
};

static const struct picture
{
  const char *name, *title, *ordinate;
  int column;
} pictures[] = {
  {"bandwidth", "Bandwidth", "bandwidth, GB/s", BANDWIDTH},
  {"gain", "Gain over GSL", "times GSL's speed", GAIN},
};

static enum gt_arithmetic
arithmetic_of (const struct request *request)
{
  return gt_arithmetic_for (request->reduction, gt_types[request->type].arithmetic);
}

/* Returns whether STEP is a point of the curve of MODE, which WINNER becomes.  */
static int
is_drawn (const struct gt_profile *findings, const struct gt_step *step,
          const struct request *request, int mode, struct gt_winner *winner)
{
  const struct gt_problem *const p = &winner->problem;

  return gt_findings_winner (findings, step, winner) && p->reduction == request->reduction
         && p->arithmetic == arithmetic_of (request) && p->layout == GT_CONTIGUOUS
         && (int) p->mode == mode && gt_winner_call (winner) > 0;
}

/* Writes the quotient of what was measured, or a question mark for what was not.  */
static void
write_quotient (double over, double under)
{
  if (over > 0 && under > 0)
    printf (" %.6g", over / under);
  else
    fputs (" ?", stdout);
}

static void
write_point (const struct gt_winner *winner)
{
  const double call = gt_winner_call (winner);
  const double gigabytes = (double) gt_problem_bytes (&winner->problem) / 1e9;
  /* One thread may be faster than all: for short vectors the time of all is that of waking them.  */
  const double loads = winner->measured.all_read > 0 && winner->measured.all_read < winner->measured.one_reads
                         ? winner->measured.all_read : winner->measured.one_reads;

  printf ("%ju", (uintmax_t) winner->problem.n);
  write_quotient (gigabytes, call);
  write_quotient (winner->measured.gsl_seconds, call);
  write_quotient (gigabytes, loads);
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
          printf ("$%s << END\n# elements, GB/s, times GSL's speed, GB/s of loads alone\n",
                  gt_mode_names[mode]);
        write_point (&winner);
      }
  if (points > 0)
    puts ("END");
  return points;
}

/* Writes TEXT as gnuplot reads it between single quotes.  */
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

/* Writes the script, for the modes of which POINTS has some, FIRST being one of them.  */
static void
write_script (const struct gt_device *device, const struct gt_profile *profile,
              const struct request *request, const struct picture *picture,
              const unsigned points[GT_N_MODES], int first)
{
  printf ("set title '%s of %s, %s, ", picture->title, gt_reductions[request->reduction].name,
          gt_types[request->type].name);
  write_quoted (profile->device_name);
  printf ("' noenhanced\nset xlabel 'elements'\nset ylabel \"%s\"\nset datafile missing '?'\n"
          "set logscale x 2\nset logscale y\nset grid\nset key bottom right\nplot \\\n",
          picture->ordinate);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    if (points[mode] > 0)
      printf ("  $%s using 1:%d with linespoints title '%s', \\\n", gt_mode_names[mode],
              picture->column, gt_mode_names[mode]);
  if (picture->column == GAIN)
    puts ("  1 with lines title 'GSL'");
  else if (device->kind == GT_CUDA)
    printf ("  %.6g with lines title 'memory, in theory'\n",
            gt_gpu_bandwidth (&device->gpu) / 1e9);
  else
    printf ("  $%s using 1:%d with lines title 'loads alone'\n", gt_mode_names[first], READABLE);
}

static int
draw (const struct gt_device *device, const struct gt_profile *profile,
      const struct request *request, const struct picture *picture)
{
  unsigned points[GT_N_MODES];
  int first = -1;

  if (device->kind == GT_CUDA && picture->column == GAIN)
    return gt_failed ("a GPU's profile has no times of GSL, which computes on the CPU: give"
                      " --device cpu");
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      points[mode] = write_data (profile, request, mode);
      if (first < 0 && points[mode] > 0)
        first = mode;
    }
  if (first < 0)
    return gt_failed ("nothing was measured here about %s of contiguous elements of %s: run"
                      " 'gsltune tune --operation %s --type %s'",
                      gt_reductions[request->reduction].name, gt_types[request->type].name,
                      gt_reductions[request->reduction].name, gt_types[request->type].name);
  write_script (device, profile, request, picture, points, first);
  return GT_EXIT_OK;
}

/* The first device that --device names.  */
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
  const struct picture *picture = pictures;
  const struct gt_device *device;
  int status;

  gt_cli_parse (self, argc, argv, &request);
  if (argc - optind > 1)
    gt_usage ("plot: too many arguments: give one picture");
  if (optind < argc)
    picture += gt_parse_name ("plot", "picture", argv[optind], &pictures[0].name,
                              sizeof *pictures, sizeof pictures / sizeof *pictures);
  device = chosen_device (&request.device);
  if (gt_profile_search (device, &profile, &search))
    return gt_failed ("no profile for %s: run 'gsltune tune'", gt_device_name (device));
  status = draw (device, gt_report_findings (device, &profile), &request, picture);
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
  .usage = "[OPTION]... [PICTURE]",
  .help
  = "Prints what the profile in use has about one operation, by the number of\n"
    "elements, as data within a script for gnuplot.  Nothing is measured anew.\n"
    "PICTURE is what the script draws of the data, a curve for each mode:\n\n"
    "  bandwidth  (default) bandwidth of the winners, and on a CPU of loads alone\n"
    "  gain       how many times as fast as GSL the CPU's winners are\n\n"
    "Options:\n"
    "  --device DEVICE   cpu (default), cuda, or cuda:N\n"
    "  --operation NAME  sum (default), dot, max, ...\n"
    "  --type TYPE       element type (default double)\n"
    GT_COMMON_HELP ("         ") "\n"
    "Examples:\n"
    "  gsltune plot >sums.gp && gnuplot -p sums.gp\n"
    "  gsltune plot gain | gnuplot -e 'set terminal png' - >gains.png\n",
  .options = options,
  .run = run,
};

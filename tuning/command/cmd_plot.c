/* gsltune plot: pictures of what was measured.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/names.h"
#include "tuning/command/commands.h"
#include "tuning/report/plot.h"
#include "tuning/store/profile_exchange.h"
#include "tuning/store/profile_store.h"

struct request
{
  const char *output;         /* null: characters on standard output */
  const char *file;           /* null: the profile that this machine uses */
  struct gt_device_word device;
  struct gt_plot_choice choice;
  uint64_t n; /* of sweep and occupancy; 0: the longest that was measured */
};

/* ------------------------------------------------------------ What is drawn */

/* The device that --device names.  */
static const struct gt_device *
chosen_device (const struct request *request)
{
  int i = 0;

  gt_require_device (&request->device);
  while (!gt_device_meant (&request->device, gt_device_at (i)))
    i++;
  return gt_device_at (i);
}

/* Reads the profile, and makes DEVICE the one that it is for.  A file that the user names
   may be of any machine.  */
static int
read_profile (struct gt_gnuplot *plot, const struct request *request,
              struct gt_device *device, struct gt_profile *profile)
{
  static struct gt_search search;
  enum gt_profile_status status;
  char reason[256];

  if (request->file == NULL)
    {
      *device = *chosen_device (request);
      return gt_profile_search (device, profile, &search) == 0
               ? 0 : gt_gnuplot_fail (plot, "no profile for %s: run 'gsltune tune'",
                                      gt_device_name (device));
    }
  status = gt_exchange_profile (request->file, profile, reason, sizeof reason);
  return status == GT_PROFILE_OK
           ? gt_exchange_device (profile->silicon, device)
           : gt_gnuplot_fail (plot, "%.200s is %s: %s", request->file,
                              gt_profile_status_names[status], reason);
}

typedef int plot_profile (struct gt_gnuplot *, const struct gt_device *,
                          const struct gt_profile *,
                          const struct gt_plot_choice *);

static int
draw_profile (struct gt_gnuplot *plot, const struct request *request,
              plot_profile *draw)
{
  static struct gt_profile profile;
  static struct gt_device device;
  int status;

  if (read_profile (plot, request, &device, &profile))
    return -1;
  status = draw (plot, &device, &profile, &request->choice);
  gt_profile_clear (&profile);
  return status;
}

static int
draw_ladder (struct gt_gnuplot *plot, const struct request *request)
{
  json_error_t error;
  json_t *ladder;
  int status;

  if (request->file == NULL)
    gt_usage ("plot: ladder needs a file: 'gsltune ladder --json >ladder.json',"
              " then 'gsltune plot ladder ladder.json'");
  ladder = json_load_file (request->file, JSON_REJECT_DUPLICATES, &error);
  if (ladder == NULL)
    return gt_gnuplot_fail (plot, "%.200s: line %d: %.160s", request->file,
                            error.line, error.text);
  status = gt_plot_ladder (plot, ladder);
  json_decref (ladder);
  return status;
}

/* ------------------------------------------------------------ All measurements */

typedef int plot_measurements (struct gt_gnuplot *,
                               const struct gt_measurements *);

/* The search among the measurements is for the last of one length: the one that was asked
   for, else the longest.  */
struct sought
{
  const struct request *request;
  uint64_t n;            /* of what was found */
  unsigned found, seen;  /* its number, and that of the measurement at hand; 0:
                            none */
  plot_measurements *draw;
  struct gt_gnuplot *plot;
  int status;
};

static int
is_sought (const struct request *request, const struct gt_measurements *m)
{
  const struct gt_plot_choice *choice = &request->choice;
  const struct gt_problem *p = &m->problem;

  return p->reduction == choice->reduction && p->layout == GT_CONTIGUOUS
         && p->arithmetic
              == gt_arithmetic_for (choice->reduction,
                                    gt_types[choice->type].arithmetic)
         && (choice->mode < 0 || p->mode == (enum gt_mode) choice->mode)
         && (request->n == 0 || p->n == request->n);
}

static int
look (const struct gt_measurements *m, void *closure)
{
  struct sought *sought = closure;

  sought->seen++;
  if (is_sought (sought->request, m) && m->problem.n >= sought->n)
    {
      sought->n = m->problem.n;
      sought->found = sought->seen;
    }
  return 0;
}

static int
draw_found (const struct gt_measurements *m, void *closure)
{
  struct sought *sought = closure;

  if (++sought->seen == sought->found)
    sought->status = sought->draw (sought->plot, m);
  return 0;
}

/* The file of the device's measurements, beside the profile that is in use.  Returns 0, or
   -1.  */
static int
find_measurements (struct gt_gnuplot *plot, const struct request *request,
                   char *path, size_t size)
{
  char folder[4096];

  if (request->file != NULL)
    {
      snprintf (path, size, "%s", request->file);
      return 0;
    }
  if (gt_profile_folder_to_save (0, folder, sizeof folder, plot->why,
                                 sizeof plot->why))
    return -1;
  return gt_measurements_path (folder, gt_silicon_of (chosen_device (request)),
                               path, size) == 0
           ? 0 : gt_gnuplot_fail (plot, "the path of the measurements is too long");
}

static int
draw_measurements (struct gt_gnuplot *plot, const struct request *request,
                   plot_measurements *draw)
{
  struct sought sought
    = {.request = request, .draw = draw, .plot = plot, .status = -1};
  char path[4096];

  if (find_measurements (plot, request, path, sizeof path)
      || (access (path, F_OK) == 0
          && gt_measurements_read (path, look, &sought, plot->why,
                                   sizeof plot->why)))
    return -1;
  if (sought.found == 0)
    return gt_gnuplot_fail (plot, "%.200s has no measurements of that: run"
                            " 'gsltune tune --effort exhaustive --operation %s"
                            " --type %s'", path,
                            gt_reductions[request->choice.reduction].name,
                            gt_types[request->choice.type].name);
  sought.seen = 0;
  return gt_measurements_read (path, draw_found, &sought, plot->why,
                               sizeof plot->why)
           ? -1 : sought.status;
}

/* ------------------------------------------------------------ The pictures */

/* A picture is of a profile, of measurements, or, without either, of the ladder.  */
static const struct subject
{
  const char *name;
  plot_profile *of_profile;
  plot_measurements *of_measurements;
} subjects[] = {
  {"bandwidth", gt_plot_bandwidth, NULL},
  {"gain", gt_plot_gain, NULL},
  {"sweep", NULL, gt_plot_sweep},
  {"occupancy", NULL, gt_plot_occupancy},
  {"ladder", NULL, NULL},
};

static int
draw (struct gt_gnuplot *plot, const struct request *request,
      const struct subject *subject)
{
  return subject->of_profile ? draw_profile (plot, request, subject->of_profile)
         : subject->of_measurements
           ? draw_measurements (plot, request, subject->of_measurements)
           : draw_ladder (plot, request);
}

/* -------------------------------------------------------------- Options */

static const struct gt_option options[] = {
  GT_OPTION ("output", 'o', GT_WORD, output),
  GT_OPTION ("operation", 0, GT_OPERATION, choice.reduction),
  GT_OPTION ("type", 0, GT_TYPE, choice.type),
  GT_OPTION ("mode", 0, GT_MODE, choice.mode),
  GT_COUNTED ("length", 'n', NULL, n, 1, UINT64_MAX),
  GT_OPTION ("device", 0, GT_DEVICE, device),
  GT_NO_MORE_OPTIONS
};

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct request request
    = {.device = {GT_CPU, -1}, .choice = {GT_SUM, GT_TYPE_DOUBLE, -1}};
  const struct subject *subject = &subjects[0];
  struct gt_gnuplot plot;

  gt_cli_parse (self, argc, argv, &request);
  if (optind < argc)
    subject += gt_parse_name ("plot", "picture", argv[optind], &subjects[0].name,
                              sizeof *subjects,
                              sizeof subjects / sizeof *subjects);
  if (argc - optind > 1)
    request.file = argv[optind + 1];
  if (argc - optind > 2)
    gt_usage ("plot: too many arguments: give one picture, and one file at"
              " most");
  gt_gnuplot_begin (&plot, request.output);
  if (draw (&plot, &request, subject))
    {
      gt_gnuplot_drop (&plot);
      return gt_failed ("%s", plot.why);
    }
  return gt_gnuplot_end (&plot);
}

const struct gt_command gt_cmd_plot = {
  .name = "plot",
  .summary = "pictures of what was measured, by gnuplot",
  .usage = "[OPTION]... [PICTURE [FILE]]",
  .help
  = "Draws what was measured.  Nothing is measured anew.  PICTURE is one of\n\n"
    "  bandwidth  (default) bandwidth of the winners against the length, a curve\n"
    "             for each mode, below what memory and caches give; of the CPU\n"
    "             also the lengths from which on a GPU takes part\n"
    "  gain       how many times as fast as GSL the CPU's winners are; where they are\n"
    "             slower the ground is red\n"
    "  sweep      every candidate of one problem by its parameters, a colour for\n"
    "             each unroll factor, a shape for each kernel, the best one marked;\n"
    "             FILE is what 'gsltune tune --effort exhaustive' kept, else what it\n"
    "             kept for the device\n"
    "  occupancy  the same by theoretical occupancy: does it predict?\n"
    "  ladder     the rungs of the reduction ladder as bars; FILE is what\n"
    "             'gsltune ladder --json' printed\n\n"
    "For the first two FILE is a profile, of whatever machine, else the one that the\n"
    "library uses for --device.\n\n"
    "  -o, --output FILE  .svg, .png, .pdf: a picture; .txt: characters; .gp: the\n"
    "                     script for gnuplot, with the data; without this option\n"
    "                     characters on standard output\n"
    "  --device DEVICE    cpu (default), cuda, or cuda:N\n"
    "  --operation NAME   sum (default), dot, max, ...\n"
    "  --type TYPE        element type (default double)\n"
    "  --mode MODE        only this mode: exact, compensated or fast\n"
    "  -n, --length N     of sweep and occupancy: this length (default: the longest\n"
    "                     that was measured)\n"
    GT_COMMON_HELP ("          ") "\n"
    "gnuplot draws the pictures.  Where there is none in PATH the script is written\n"
    "beside FILE, and the exit status is 1.\n",
  .options = options,
  .run = run,
};

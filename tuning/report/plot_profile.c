/* Pictures of a profile: bandwidth, and the gain over GSL.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "src/base/names.h"
#include "tuning/measure/called.h"
#include "tuning/measure/target.h"
#include "tuning/report/plot.h"
#include "tuning/search/problems.h"

/* Colours that people who see fewer of them can tell apart: Okabe and Ito, "Color Universal
   Design", 2008.  Fast is drawn last, and its points hide the others where they meet.  */
#define CURVE "linespoints lw 2 ps 1.2 pt "
static const char *const mode_styles[GT_N_MODES]
  = {[GT_MODE_EXACT] = CURVE "7 lc rgb '#0072b2'",
     [GT_MODE_COMPENSATED] = CURVE "5 lc rgb '#d55e00'",
     [GT_MODE_FAST] = CURVE "9 lc rgb '#009e73'"};
#define CEILING "lines lw 2 dt 2 lc rgb '#666666'"

/* A curve: what it is called, how it is drawn, and its value for an entry; 0: none.  */
struct curve
{
  const char *name, *style;
  enum gt_mode mode;
  double (*value) (const struct gt_entry *entry);
};

/* -------------------------------------------------------------- Values */

static double
per_second (const struct gt_entry *entry, double seconds)
{
  return seconds > 0 ? (double) gt_problem_bytes (&entry->problem) / seconds / 1e9
                     : 0;
}

static double
bandwidth (const struct gt_entry *entry)
{
  return per_second (entry, gt_entry_call (entry));
}

/* What a loop that only loads reads, with as many threads as are faster: on short vectors
   the time of all threads is that of waking them.  */
static double
readable (const struct gt_entry *entry)
{
  double one = per_second (entry, entry->one_reads),
         all = per_second (entry, entry->all_read);

  return one > all ? one : all;
}

static double
gain (const struct gt_entry *entry)
{
  const double call = gt_entry_call (entry);

  return call > 0 ? entry->gsl_seconds / call : 0;
}

/* --------------------------------------------------------------- Curves */

static enum gt_arithmetic
arithmetic_of (const struct gt_plot_choice *choice)
{
  return gt_arithmetic_for (choice->reduction,
                            gt_types[choice->type].arithmetic);
}

static int
chosen (const struct gt_entry *entry, const struct gt_plot_choice *choice,
        enum gt_mode mode)
{
  const struct gt_problem *p = &entry->problem;

  return p->reduction == choice->reduction
         && p->arithmetic == arithmetic_of (choice)
         && p->layout == GT_CONTIGUOUS && p->mode == mode;
}

/* The points of CURVE, if there are any, as data block NUMBER.  Returns how many.  */
static unsigned
write_points (struct gt_gnuplot *plot, const struct gt_profile *profile,
              const struct gt_plot_choice *choice, const struct curve *curve,
              unsigned number)
{
  unsigned points = 0;

  for (unsigned i = 0; i < profile->n_entries; i++)
    {
      const struct gt_entry *entry = &profile->entries[i];

      if (!chosen (entry, choice, curve->mode) || !(curve->value (entry) > 0))
        continue;
      if (points++ == 0)
        fprintf (plot->script, "$curve%u << EOD\n", number);
      fprintf (plot->script, "%llu %.6g\n",
               (unsigned long long) entry->problem.n, curve->value (entry));
    }
  if (points > 0)
    fputs ("EOD\n", plot->script);
  return points;
}

/* The curves of every mode that was tuned, whose values VALUE gives.  Returns how many
   CURVES there are.  */
static unsigned
mode_curves (const struct gt_profile *profile,
             const struct gt_plot_choice *choice,
             double (*value) (const struct gt_entry *), struct curve *curves)
{
  const int several
    = gt_arithmetics[arithmetic_of (choice)].real
      && gt_reductions[choice->reduction].algebra != GT_ALGEBRA_ORDER;
  unsigned n = 0;

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      if (choice->mode >= 0 && mode != choice->mode && several)
        continue;
      for (unsigned i = 0; i < profile->n_entries; i++)
        if (chosen (&profile->entries[i], choice, (enum gt_mode) mode))
          {
            curves[n++] = (struct curve) {
              several ? gt_mode_names[mode] : "gsltune", mode_styles[mode],
              (enum gt_mode) mode, value};
            break;
          }
    }
  return n;
}

static void
write_frame (struct gt_gnuplot *plot, const struct gt_device *device,
             const struct gt_plot_choice *choice, const char *what,
             const char *ordinate)
{
  char title[256];

  snprintf (title, sizeof title, "%s of %s, %s, %s", what,
            gt_reductions[choice->reduction].name, gt_types[choice->type].name,
            gt_device_name (device));
  gt_gnuplot_frame (plot, title, NULL, ordinate);
  fputs ("set xlabel 'elements'\nset logscale x 2\nset logscale y 10\n"
         "set grid xtics lt 1 lw 1 lc rgb '#cccccc'\n", plot->script);
}

/* Writes the data of the N CURVES, and then draws them and what ALSO says.  Returns 0,
   or -1 when there is no point at all.  */
static int
write_curves (struct gt_gnuplot *plot, const struct gt_profile *profile,
              const struct gt_plot_choice *choice, const struct curve *curves,
              unsigned n, const char *also)
{
  const char *operation = gt_reductions[choice->reduction].name;
  const char *type = gt_types[choice->type].name, *before = "plot ";
  unsigned points[GT_N_MODES + 1], all = 0;

  for (unsigned i = 0; i < n; i++)
    all += points[i] = write_points (plot, profile, choice, &curves[i], i);
  if (all == 0)
    return gt_gnuplot_fail (plot, "the profile has nothing about %s of contiguous"
                            " elements of %s: run 'gsltune tune --operation %s"
                            " --type %s'", operation, type, operation, type);
  for (unsigned i = 0; i < n; i++)
    if (points[i])
      {
        fprintf (plot->script, "%s$curve%u with %s title ", before, i,
                 curves[i].style);
        gt_gnuplot_quote (plot, curves[i].name);
        before = ", \\\n  ";
      }
  fprintf (plot->script, "%s\n", also);
  return 0;
}

/* ------------------------------------------------------------- Pictures */

/* A line where a GPU begins to take part, with what it does there, for ordinary memory in
   the mode of the first curve.  Pinned and managed memory have lines of their own in
   'gsltune show --crossovers': more of them would hide the curves.  */
static void
write_crossovers (struct gt_gnuplot *plot, const struct gt_profile *profile,
                  const struct gt_plot_choice *choice, enum gt_mode mode)
{
  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];
      char route[96], text[160];

      if (c->reduction != choice->reduction || c->mode != mode
          || c->arithmetic != arithmetic_of (choice)
          || c->place != GT_PLACE_HOST || c->from == 0)
        continue;
      gt_route_text (&c->route, route, sizeof route);
      snprintf (text, sizeof text, " %s: %s", gt_mode_names[mode], route);
      fprintf (plot->script,
               "set arrow from %llu, graph 0 to %llu, graph 1 nohead dt 4 lc"
               " rgb '#666666'\nset label ",
               (unsigned long long) c->from, (unsigned long long) c->from);
      gt_gnuplot_quote (plot, text);
      fprintf (plot->script, " noenhanced at %llu, graph 0.05 rotate left\n",
               (unsigned long long) c->from);
    }
}

int
gt_plot_bandwidth (struct gt_gnuplot *plot, const struct gt_device *device,
                   const struct gt_profile *profile,
                   const struct gt_plot_choice *choice)
{
  struct curve curves[GT_N_MODES + 1];
  unsigned n = mode_curves (profile, choice, bandwidth, curves);
  double peak
    = device->kind == GT_CUDA ? gt_gpu_bandwidth (&device->gpu) / 1e9 : 0;
  char ceiling[128] = "";

  write_frame (plot, device, choice, "Bandwidth", "bandwidth, GB/s");
  if (device->kind == GT_CPU && n > 0)
    {
      write_crossovers (plot, profile, choice, curves[0].mode);
      curves[n++] = (struct curve) {"loads alone", CEILING, curves[0].mode,
                                    readable};
    }
  if (peak > 0)
    snprintf (ceiling, sizeof ceiling,
              ", \\\n  %.6g with " CEILING " title 'memory, in theory'", peak);
  return write_curves (plot, profile, choice, curves, n, ceiling);
}

int
gt_plot_gain (struct gt_gnuplot *plot, const struct gt_device *device,
              const struct gt_profile *profile,
              const struct gt_plot_choice *choice)
{
  struct curve curves[GT_N_MODES];
  unsigned n = mode_curves (profile, choice, gain, curves);

  if (device->kind == GT_CUDA)
    return gt_gnuplot_fail (plot, "a GPU's profile has no times of GSL, which"
                            " computes on the CPU: give --device cpu");
  write_frame (plot, device, choice, "Gain over GSL", "times GSL's speed");
  /* GSL's own line is never the picture's edge.  */
  fputs ("set logscale y 2\nset yrange [*<0.7:*]\n", plot->script);
  return write_curves (plot, profile, choice, curves, n,
                       ", \\\n  1 with " CEILING " title 'GSL'");
}

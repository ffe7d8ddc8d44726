/* Pictures of a profile, of everything that was measured of one problem, and of the
   reduction ladder.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
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

/* ------------------------------------------------------------ Of a profile */

/* Adds a last curve for the memory's theoretical bandwidth, GB/s, where that is known.  */
static const char *
theory (double peak)
{
  static char text[128];

  if (peak <= 0)
    return "";
  snprintf (text, sizeof text, ", \\\n  %.6g with " CEILING " title 'memory, in theory'", peak);
  return text;
}

/* A curve: what it is called, how it is drawn, and its value for an entry; 0: none.  */
struct curve
{
  const char *name, *style;
  enum gt_mode mode;
  double (*value) (const struct gt_entry *entry);
};

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

/* The bandwidth of a loop that only loads, by one thread or by all, whichever is faster: on
   short vectors the time of all threads is that of waking them.  */
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
write_frame (struct gt_gnuplot *plot, const struct gt_profile *profile,
             const struct gt_plot_choice *choice, const char *what,
             const char *ordinate)
{
  char title[256];

  snprintf (title, sizeof title, "%s of %s, %s, %s", what,
            gt_reductions[choice->reduction].name, gt_types[choice->type].name,
            profile->device_name);
  gt_gnuplot_frame (plot, title, NULL, ordinate);
  fputs ("set xlabel 'elements'\nset logscale x 2\nset logscale y 10\n"
         "set grid xtics\n", plot->script);
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

/* Draws a line where a GPU begins to take part, and says what it does there, for ordinary
   memory in the mode of the first curve.  Pinned and managed memory have lines of their
   own in 'gsltune show --crossovers': more of them would hide the curves.  */
static void
write_crossovers (struct gt_gnuplot *plot, const struct gt_profile *profile,
                  const struct gt_plot_choice *choice, enum gt_mode mode)
{
  const struct gt_problem curve
    = {choice->reduction, arithmetic_of (choice), mode, GT_CONTIGUOUS, 0};

  for (unsigned i = 0; i < profile->n_crossovers; i++)
    {
      const struct gt_crossover *c = &profile->crossovers[i];
      char route[96], text[160];

      const unsigned long long from = c->problem.n;

      if (!gt_crossover_serves (c, &curve, GT_PLACE_HOST) || from == 0)
        continue;
      gt_route_text (&c->route, route, sizeof route);
      snprintf (text, sizeof text, " %s: %s", gt_mode_names[mode], route);
      fprintf (plot->script,
               "set arrow from %llu, graph 0 to %llu, graph 1 nohead dt 4 lc"
               " rgb '#666666'\nset label ",
               from, from);
      gt_gnuplot_quote (plot, text);
      fprintf (plot->script, " noenhanced at %llu, graph 0.05 rotate left\n",
               from);
    }
}

int
gt_plot_bandwidth (struct gt_gnuplot *plot, const struct gt_device *device,
                   const struct gt_profile *profile,
                   const struct gt_plot_choice *choice)
{
  struct curve curves[GT_N_MODES + 1];
  unsigned n = mode_curves (profile, choice, bandwidth, curves);

  write_frame (plot, profile, choice, "Bandwidth", "bandwidth, GB/s");
  if (device->kind == GT_CPU && n > 0)
    {
      write_crossovers (plot, profile, choice, curves[0].mode);
      curves[n++] = (struct curve) {"loads alone", CEILING, curves[0].mode,
                                    readable};
    }
  return write_curves (plot, profile, choice, curves, n,
                       theory (device->kind == GT_CUDA
                                 ? gt_gpu_bandwidth (&device->gpu) / 1e9 : 0));
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
  write_frame (plot, profile, choice, "Gain over GSL", "times GSL's speed");
  /* GSL's own line is never the picture's edge: what lies below it is seen as a loss.  */
  fputs ("set logscale y 2\nset yrange [*<0.7:*]\n"
         "set object rectangle from graph 0, graph 0 to graph 1, first 1 behind"
         " fc rgb '#f6dcd6' fs solid noborder\n", plot->script);
  return write_curves (plot, profile, choice, curves, n,
                       ", \\\n  1 with " CEILING " title 'GSL, slower below'");
}

/* ---------------------------------------------------------- Of one problem */

/* Unroll factors, each a colour (Okabe and Ito's).  */
static const struct
{
  unsigned unroll;
  const char *colour;
} series[] = {{0, "#999999"}, {1, "#0072b2"}, {2, "#56b4e9"}, {4, "#009e73"},
              {8, "#e69f00"}, {16, "#d55e00"}, {32, "#cc79a7"}};
#define N_SERIES (sizeof series / sizeof *series)

/* Kernels, each a shape; there are fewer of one problem.  */
static const unsigned shapes[] = {7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* Where a candidate stands on the abscissa.  */
typedef double abscissa (const struct gt_measurements *m,
                         const struct gt_candidate *c);

static int
is_gpu (const struct gt_measurements *m)
{
  return m->n > 0 && m->measured[0].candidate.kernel->device == GT_CUDA;
}

/* Returns how many different values of blocks per SM are below C's, divided by how many
   there are, so that candidates of the same block size stand beside each other.  */
static double
rank_of_blocks (const struct gt_measurements *m, const struct gt_candidate *c)
{
  unsigned char seen[256] = {0};
  unsigned all = 0, below = 0;

  for (unsigned i = 0; i < m->n; i++)
    {
      unsigned blocks = m->measured[i].candidate.config.blocks_per_sm;

      if (blocks < sizeof seen && gt_measured_works (&m->measured[i]))
        seen[blocks] = 1;
    }
  for (unsigned i = 0; i < sizeof seen; i++)
    {
      all += seen[i];
      below += seen[i] && i < c->config.blocks_per_sm;
    }
  return all > 1 ? (double) below / (all - 1) : 0.5;
}

/* Moves candidates that would hide each other: one step to the right for each larger unroll
   factor, the middle one staying in its place.  */
static double
steps_aside (const struct gt_candidate *c)
{
  size_t s = 0;

  while (s + 1 < N_SERIES && series[s].unroll != c->config.unroll)
    s++;
  return (double) s - (N_SERIES - 1) / 2;
}

static double
by_parameter (const struct gt_measurements *m, const struct gt_candidate *c)
{
  if (!is_gpu (m))
    return c->config.threads + 0.08 * steps_aside (c);
  return log2 (c->config.block) + 0.7 * (rank_of_blocks (m, c) - 0.5)
         + 0.02 * steps_aside (c);
}

static double
by_occupancy (const struct gt_measurements *m, const struct gt_candidate *c)
{
  (void) m;
  return 100 * c->occupancy + 0.7 * steps_aside (c);
}

static const struct gt_measured *
best_of (const struct gt_measurements *m)
{
  const struct gt_measured *best = NULL;

  for (unsigned i = 0; i < m->n; i++)
    if (gt_measured_works (&m->measured[i])
        && (best == NULL
            || gt_measured_score (&m->measured[i]) < gt_measured_score (best)))
      best = &m->measured[i];
  return best;
}

static double
share_of_best (const struct gt_measured *best, const struct gt_measured *other)
{
  return 100 * gt_measured_score (best) / gt_measured_score (other);
}

/* The kernels among the candidates of a problem, each a shape.  */
struct kernels
{
  const struct gt_kernel *kernel[N_SHAPES];
  unsigned n;
};

static struct kernels
kernels_of (const struct gt_measurements *m)
{
  struct kernels k = {.n = 0};

  for (unsigned i = 0; i < m->n; i++)
    {
      const struct gt_kernel *kernel = m->measured[i].candidate.kernel;
      unsigned at = 0;

      while (at < k.n && k.kernel[at] != kernel)
        at++;
      if (at == k.n && k.n < N_SHAPES && gt_measured_works (&m->measured[i]))
        k.kernel[k.n++] = kernel;
    }
  return k;
}

/* The candidates of one kernel and unroll factor, as data block S_K.  Returns how many.  */
static unsigned
write_series (struct gt_gnuplot *plot, const struct gt_measurements *m,
              const struct gt_measured *best, abscissa *x,
              const struct kernels *kernels, size_t s, unsigned k)
{
  unsigned points = 0;

  for (unsigned i = 0; i < m->n; i++)
    {
      const struct gt_measured *one = &m->measured[i];

      if (!gt_measured_works (one)
          || one->candidate.kernel != kernels->kernel[k]
          || one->candidate.config.unroll != series[s].unroll)
        continue;
      if (points++ == 0)
        fprintf (plot->script, "$series%zu_%u << EOD\n", s, k);
      fprintf (plot->script, "%.4f %.2f\n", x (m, &one->candidate),
               share_of_best (best, one));
    }
  if (points > 0)
    fputs ("EOD\n", plot->script);
  return points;
}

static void
write_title (struct gt_gnuplot *plot, const struct gt_measurements *m,
             const struct gt_measured *best, const char *what)
{
  const struct gt_candidate *winner = &best->candidate;
  char title[400], second[128];

  snprintf (title, sizeof title, "%s: %s %s, %s", what,
            gt_reductions[m->problem.reduction].name, gt_problem_text (&m->problem),
            m->device_name);
  snprintf (second, sizeof second, "best: %s",
            gt_config_text (winner->kernel, &winner->config));
  gt_gnuplot_frame (plot, title, second, "speed, % of the best");
  fputs ("set format x '%g'\nset yrange [0:105]\n", plot->script);
}

/* Entries of the legend without points tell what colours and shapes stand for.  */
static void
write_legend (struct gt_gnuplot *plot, const struct kernels *kernels,
              const unsigned points[N_SERIES][N_SHAPES])
{
  for (size_t s = 0; s < N_SERIES; s++)
    {
      unsigned all = 0;

      for (unsigned k = 0; k < kernels->n; k++)
        all += points[s][k];
      if (all == 0)
        continue;
      fprintf (plot->script, "NaN with points pt 7 lc rgb '%s' title ",
               series[s].colour);
      if (series[s].unroll > 0)
        fprintf (plot->script, "'unroll %u', \\\n  ", series[s].unroll);
      else
        fputs ("'not unrolled', \\\n  ", plot->script);
    }
  for (unsigned k = 0; kernels->n > 1 && k < kernels->n; k++)
    {
      fprintf (plot->script, "NaN with points pt %u lc rgb 'black' title ",
               shapes[k]);
      gt_gnuplot_quote (plot, kernels->kernel[k]->name);
      fputs (" noenhanced, \\\n  ", plot->script);
    }
}

/* The best one, and the candidates of each kernel and unroll factor.  */
static void
write_candidates (struct gt_gnuplot *plot, const struct gt_measurements *m,
              const struct gt_measured *best, abscissa *x)
{
  const struct kernels kernels = kernels_of (m);
  unsigned points[N_SERIES][N_SHAPES] = {{0}};

  for (size_t s = 0; s < N_SERIES; s++)
    for (unsigned k = 0; k < kernels.n; k++)
      points[s][k] = write_series (plot, m, best, x, &kernels, s, k);
  fprintf (plot->script, "$best << EOD\n%.4f 100\nEOD\nplot ",
           x (m, &best->candidate));
  for (size_t s = 0; s < N_SERIES; s++)
    for (unsigned k = 0; k < kernels.n; k++)
      if (points[s][k] > 0)
        fprintf (plot->script,
                 "$series%zu_%u with points pt %u ps 1 lc rgb '%s' notitle, \\\n  ",
                 s, k, shapes[k], series[s].colour);
  write_legend (plot, &kernels, points);
  fputs ("$best with points pt 6 ps 2.2 lw 2 lc rgb 'black' title 'best'\n",
         plot->script);
}

/* The block sizes that were measured, as ticks, with a line before each but the first.  */
static void
write_blocks (struct gt_gnuplot *plot, const struct gt_measurements *m)
{
  double least = 10, most = 5; /* log2 */

  for (unsigned i = 0; i < m->n; i++)
    if (gt_measured_works (&m->measured[i]))
      {
        const double block = log2 (m->measured[i].candidate.config.block);

        least = fmax (5, fmin (block, least));
        most = fmin (10, fmax (block, most));
      }
  fputs ("set xlabel 'block size; within it, blocks per SM from few to many'\n"
         "set xtics ()\n",
         plot->script);
  for (int k = 5; k <= 10; k++)
    {
      if (k < least || k > most)
        continue;
      fprintf (plot->script, "set xtics add ('%d' %d)\n", 1 << k, k);
      if (k > least)
        fprintf (plot->script,
                 "set arrow from %g, graph 0 to %g, graph 1 nohead back lc rgb"
                 " '#cccccc'\n",
                 k - 0.5, k - 0.5);
    }
  fprintf (plot->script, "set xrange [%g:%g]\n", least - 0.5, most + 0.5);
}

/* Draws the candidates by their parameters or by their OCCUPANCY.  */
static int
plot_candidates (struct gt_gnuplot *plot, const struct gt_measurements *m,
                 int occupancy)
{
  const struct gt_measured *best = best_of (m);

  if (best == NULL)
    return gt_gnuplot_fail (plot, "no candidate of this problem was measured");
  if (occupancy && !is_gpu (m))
    return gt_gnuplot_fail (plot, "a CPU has no occupancy: give --device cuda");
  write_title (plot, m, best,
               occupancy ? "Speed and occupancy" : "Every candidate");
  if (occupancy)
    fputs ("set xlabel 'theoretical occupancy, %; unroll factors side by side'\n"
           "set xrange [0:105]\n", plot->script);
  else if (is_gpu (m))
    write_blocks (plot, m);
  else
    fputs ("set xlabel 'threads'\nset offsets 0.5, 0.5, 0, 0\nset xtics 1\n",
           plot->script);
  write_candidates (plot, m, best, occupancy ? by_occupancy : by_parameter);
  return 0;
}

int
gt_plot_sweep (struct gt_gnuplot *plot, const struct gt_measurements *m)
{
  return plot_candidates (plot, m, 0);
}

int
gt_plot_occupancy (struct gt_gnuplot *plot, const struct gt_measurements *m)
{
  return plot_candidates (plot, m, 1);
}

/* ------------------------------------------------------------- Of a ladder */

/* Writes the bar of RUNG; 0 when it has none.  */
static int
write_bar (struct gt_gnuplot *plot, const json_t *rung)
{
  const json_t *bandwidth = json_object_get (rung, "bandwidth");
  const char *kernel = json_string_value (json_object_get (rung, "kernel"));

  if (!json_is_real (bandwidth) || kernel == NULL)
    return 0;
  fprintf (plot->script, "%d ",
           (int) json_integer_value (json_object_get (rung, "rung")));
  gt_gnuplot_word (plot, kernel);
  fprintf (plot->script, " %.6g\n", json_real_value (bandwidth) / 1e9);
  return 1;
}

int
gt_plot_ladder (struct gt_gnuplot *plot, const json_t *ladder)
{
  const json_t *rungs = json_object_get (ladder, "rungs"), *rung;
  const char *device = json_string_value (json_object_get (ladder, "device")),
             *type = json_string_value (json_object_get (ladder, "type"));
  double peak
    = json_number_value (json_object_get (ladder, "bandwidth_peak")) / 1e9;
  char title[256];
  size_t i;
  int bars = 0;

  if (!json_is_array (rungs) || device == NULL || type == NULL)
    return gt_gnuplot_fail (plot, "this is not what 'gsltune ladder --json' prints");
  fputs ("$rungs << EOD\n", plot->script);
  json_array_foreach (rungs, i, rung)
    bars += write_bar (plot, rung);
  fputs ("EOD\n", plot->script);
  if (bars == 0)
    return gt_gnuplot_fail (plot, "no rung of this ladder was measured");
  snprintf (title, sizeof title, "The reduction ladder: %lld elements of %s, %s",
            (long long) json_integer_value (json_object_get (ladder, "n")),
            type, device);
  gt_gnuplot_frame (plot, title, NULL, "bandwidth, GB/s");
  fprintf (plot->script,
           "set yrange [0:*]\n"
           "set style fill solid 0.9\nset boxwidth 0.7\n"
           "set xtics rotate by 40 right noenhanced\nset lmargin 14\n"
           "plot $rungs using 0:3:xtic(2) with boxes lc rgb '#0072b2' notitle,"
           " \\\n"
           "  '' using 0:3:(sprintf ('%%.0f', $3)) with labels font ',11' offset 0,0.7"
           " notitle%s\n", theory (peak));
  return 0;
}

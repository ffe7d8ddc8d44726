/* Pictures of everything that was measured of one problem: how far each candidate is from
   the best one, by its parameters, and by its occupancy.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/report/plot.h"
#include "tuning/search/problems.h"

/* Unroll factors, each a colour (Okabe and Ito's, as in plot_profile.c).  */
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

/* How many different values of blocks per SM are below C's, over how many there are: so
   that candidates of the same block size stand beside each other.  */
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

/* What puts candidates beside each other that would hide each other: one step to the right
   for each larger unroll factor, the middle one in its place.  */
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
  char title[400], problem[128], config[96], second[128];

  gt_problem_text (&m->problem, problem, sizeof problem);
  snprintf (title, sizeof title, "%s: %s %s, %s", what,
            gt_reductions[m->problem.reduction].name, problem, m->device_name);
  gt_config_text (winner->kernel, &winner->config, config, sizeof config);
  snprintf (second, sizeof second, "best: %s", config);
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
write_points (struct gt_gnuplot *plot, const struct gt_measurements *m,
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
  write_points (plot, m, best, occupancy ? by_occupancy : by_parameter);
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

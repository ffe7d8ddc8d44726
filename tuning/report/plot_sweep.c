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

static double
by_parameter (const struct gt_measurements *m, const struct gt_candidate *c)
{
  if (!is_gpu (m))
    return c->config.threads;
  return log2 (c->config.block) + 0.7 * (rank_of_blocks (m, c) - 0.5);
}

static double
by_occupancy (const struct gt_measurements *m, const struct gt_candidate *c)
{
  (void) m;
  return 100 * c->occupancy;
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

/* The candidates of one unroll factor, as a data block.  Returns how many.  */
static unsigned
write_series (struct gt_gnuplot *plot, const struct gt_measurements *m,
              const struct gt_measured *best, abscissa *x, size_t s)
{
  unsigned points = 0;

  for (unsigned i = 0; i < m->n; i++)
    {
      const struct gt_measured *one = &m->measured[i];

      if (!gt_measured_works (one)
          || one->candidate.config.unroll != series[s].unroll)
        continue;
      if (points++ == 0)
        fprintf (plot->script, "$unroll%u << EOD\n", series[s].unroll);
      fprintf (plot->script, "%.4f %.2f\n", x (m, &one->candidate),
               share_of_best (best, one));
    }
  if (points > 0)
    fputs ("EOD\n", plot->script);
  return points;
}

static void
write_title (struct gt_gnuplot *plot, const struct gt_measurements *m,
             const char *what)
{
  char title[400], problem[128];

  gt_problem_text (&m->problem, problem, sizeof problem);
  snprintf (title, sizeof title, "%s: %s %s, %s", what,
            gt_reductions[m->problem.reduction].name, problem, m->device_name);
  fputs ("set title ", plot->script);
  gt_gnuplot_quote (plot, title);
  fputs (" noenhanced\nset ylabel 'speed, % of the best'\nset format x '%g'\n"
         "set yrange [0:105]\nset grid ytics lt 1 lw 1 lc rgb '#cccccc'\n"
         "set border 3\nset tics nomirror\n"
         "set key tmargin center horizontal samplen 1\n",
         plot->script);
}

/* The best one, with its name beside it, and the candidates of each unroll factor.  */
static void
write_points (struct gt_gnuplot *plot, const struct gt_measurements *m,
              const struct gt_measured *best, abscissa *x)
{
  const struct gt_candidate *winner = &best->candidate;
  unsigned points[N_SERIES];
  char config[96];

  for (size_t s = 0; s < N_SERIES; s++)
    points[s] = write_series (plot, m, best, x, s);
  gt_config_text (winner->kernel, &winner->config, config, sizeof config);
  fprintf (plot->script, "$best << EOD\n%.4f 100\nEOD\nplot ",
           x (m, winner));
  for (size_t s = 0; s < N_SERIES; s++)
    if (points[s] > 0 && series[s].unroll > 0)
      fprintf (plot->script,
               "$unroll%u with points pt 7 ps 1 lc rgb '%s' title"
               " 'unroll %u', \\\n  ",
               series[s].unroll, series[s].colour, series[s].unroll);
    else if (points[s] > 0)
      fprintf (plot->script,
               "$unroll0 with points pt 7 ps 1 lc rgb '%s' title"
               " 'not unrolled', \\\n  ",
               series[s].colour);
  fputs ("$best with points pt 6 ps 2 lw 2 lc rgb 'black' title ",
         plot->script);
  gt_gnuplot_quote (plot, config);
  fputs (" noenhanced\n", plot->script);
}

static int
nothing (char *why, size_t why_size)
{
  snprintf (why, why_size, "no candidate of this problem was measured");
  return -1;
}

int
gt_plot_sweep (struct gt_gnuplot *plot, const struct gt_measurements *m,
               char *why, size_t why_size)
{
  const struct gt_measured *best = best_of (m);

  if (best == NULL)
    return nothing (why, why_size);
  write_title (plot, m, "Every candidate");
  if (is_gpu (m))
    {
      fputs ("set xlabel 'block size; within it, blocks per SM from few to many'\n"
             "set xtics (",
             plot->script);
      for (int k = 5; k <= 10; k++)
        fprintf (plot->script, "%s'%d' %d", k > 5 ? ", " : "", 1 << k, k);
      fputs (")\nset xrange [4.5:10.5]\n", plot->script);
    }
  else
    fputs ("set xlabel 'threads'\nset offsets 0.5, 0.5, 0, 0\nset xtics 1\n",
           plot->script);
  write_points (plot, m, best, by_parameter);
  return 0;
}

int
gt_plot_occupancy (struct gt_gnuplot *plot, const struct gt_measurements *m,
                   char *why, size_t why_size)
{
  const struct gt_measured *best = best_of (m);

  if (best == NULL)
    return nothing (why, why_size);
  if (!is_gpu (m))
    {
      snprintf (why, why_size, "a CPU has no occupancy: give --device cuda");
      return -1;
    }
  write_title (plot, m, "Does occupancy predict?");
  fputs ("set xlabel 'theoretical occupancy, %'\nset xrange [0:105]\n",
         plot->script);
  write_points (plot, m, best, by_occupancy);
  return 0;
}

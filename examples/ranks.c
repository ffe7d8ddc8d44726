/* Describes columns of numbers as a program for measured data would: mean, deviation,
   median, median distance from it, quartiles, a histogram, and how the columns go together.
   It calls GSL alone.  Plain, and with the functions of gsltune in their place:

     cc ranks.c $(pkg-config --cflags --libs gsl) -o ranks
     ./ranks && gsltune run -- ./ranks

   The argument is the length of a column, or 100000.

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_fit.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#define COLUMNS 5

static void
describe (const double *x, size_t n, double *room)
{
  gsl_histogram *h = gsl_histogram_calloc_uniform (10, 0, 1);

  for (size_t i = 0; i < n; i++)
    {
      gsl_histogram_increment (h, x[i]);
      room[i] = x[i];
    }
  printf ("mean %.12g, deviation %.12g, median %.17g,", gsl_stats_mean (x, 1, n),
          gsl_stats_sd (x, 1, n), gsl_stats_median (room, 1, n));
  printf (" distance from it %.17g,", gsl_stats_mad0 (x, 1, n, room));
  for (size_t i = 0; i < n; i++)
    room[i] = x[i];
  gsl_sort (room, 1, n);
  printf (" quartiles %.17g %.17g, bin 3 %g\n",
          gsl_stats_quantile_from_sorted_data (room, 1, n, 0.25),
          gsl_stats_quantile_from_sorted_data (room, 1, n, 0.75), gsl_histogram_get (h, 3));
  gsl_histogram_free (h);
}

int
main (int argc, char **argv)
{
  const size_t n = argc > 1 ? strtoul (argv[1], NULL, 10) : 100000;
  gsl_rng *random = gsl_rng_alloc (gsl_rng_mt19937);
  double *x[COLUMNS], *room = malloc (2 * n * sizeof *room);
  double c0, c1, c00, c01, c11, squares;

  for (int k = 0; k < COLUMNS; k++)
    {
      x[k] = malloc (n * sizeof *x[k]);
      if (x[k] == NULL || room == NULL)
        return EXIT_FAILURE;
      for (size_t i = 0; i < n; i++)
        x[k][i] = k && i % 4 == 0 ? x[k - 1][i] : gsl_rng_uniform (random);
      describe (x[k], n, room);
    }
  gsl_fit_linear (x[0], 1, x[1], 1, n, &c0, &c1, &c00, &c01, &c11, &squares);
  printf ("column 1 is about %.6g + %.6g times column 0; of their ranks the correlation is"
          " %.10g\n", c0, c1, gsl_stats_spearman (x[0], 1, x[1], 1, n, room));
  for (int k = 0; k < COLUMNS; k++)
    free (x[k]);
  free (room);
  gsl_rng_free (random);
  return EXIT_SUCCESS;
}

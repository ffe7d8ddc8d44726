/* A program of GSL's users for the table "run" of the benchmark: what calls of few
   elements take.  Prints a line for each function and length: its number, the length,
   seconds of a call.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_statistics.h>
#include <stdio.h>

#include "bench/gsl_calls.h"
#include "tuning/measure/clock.h"

#define SAMPLES 15
#define CALLS 20000

static double data[GT_CALLS_LONGEST];
static volatile double sink;

static void
dot (gsl_vector *v)
{
  double product;

  gsl_blas_ddot (v, v, &product);
  sink = product;
}

static void
norm (gsl_vector *v)
{
  sink = gsl_blas_dnrm2 (v);
}

static void
mean (gsl_vector *v)
{
  sink = gsl_stats_mean (v->data, v->stride, v->size);
}

static void
variance (gsl_vector *v)
{
  sink = gsl_stats_variance (v->data, v->stride, v->size);
}

/* The least of some samples: what disturbs makes longer.  */
static double
seconds_of (void (*call) (gsl_vector *), gsl_vector *v)
{
  double least = 1e9;

  for (int s = 0; s < SAMPLES; s++)
    {
      const double begin = gt_now ();
      double seconds;

      for (int k = 0; k < CALLS; k++)
        call (v);
      seconds = (gt_now () - begin) / CALLS;
      if (seconds < least)
        least = seconds;
    }
  return least;
}

int
main (void)
{
  static void (*const calls[GT_CALLS_FUNCTIONS]) (gsl_vector *)
    = {dot, norm, mean, variance};

  for (int i = 0; i < GT_CALLS_LONGEST; i++)
    data[i] = 1 + 1 / (1. + i);
  for (int f = 0; f < GT_CALLS_FUNCTIONS; f++)
    for (size_t n = 1; n <= GT_CALLS_LONGEST; n *= 4)
      {
        gsl_vector v = {n, 1, data, NULL, 0};

        printf ("%d %zu %.4g\n", f, n, seconds_of (calls[f], &v));
      }
  return 0;
}

/* A program of GSL's users: for the table "run" of the benchmark what calls of few elements
   take, and for README.md's table of gains calls of as many elements as its arguments say.
   Prints a line for each function and length: its number, or its name where there are
   arguments, the length, seconds of a call.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gsl_calls.h"
#include "tuning/measure/clock.h"

#define SAMPLES 15
#define ELEMENTS 2000000 /* of a sample, unless calls are of few */
#define MOST_CALLS 20000
#define LONGEST 1000000

static double data[LONGEST], copy[LONGEST];
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

static void
sum (gsl_vector *v)
{
  sink = gsl_vector_sum (v);
}

static void
max (gsl_vector *v)
{
  sink = gsl_vector_max (v);
}

/* Sorts other elements in each call, lest the processor learn their order.  */
static void
sort (gsl_vector *v)
{
  static size_t from;

  from = from + v->size <= LONGEST - v->size ? from + v->size : 0;
  memcpy (copy, data + from, v->size * sizeof *copy);
  gsl_sort (copy, 1, v->size);
}

static const struct
{
  const char *name;
  void (*call) (gsl_vector *);
} functions[] = {
  {"gsl_blas_ddot", dot},   {"gsl_blas_dnrm2", norm},         /* those of the table "run" */
  {"gsl_stats_mean", mean}, {"gsl_stats_variance", variance},
  {"gsl_vector_sum", sum},  {"gsl_vector_max", max},
  {"gsl_sort", sort},
};
#define N_FUNCTIONS ((int) (sizeof functions / sizeof *functions))

/* The least of some samples: what disturbs makes longer.  */
static double
seconds_of (int function, size_t n)
{
  const size_t some = ELEMENTS / n;
  const int calls = some > MOST_CALLS ? MOST_CALLS : (int) some;
  gsl_vector v = {n, 1, data, NULL, 0};
  double least = 1e9;

  for (int s = 0; s < SAMPLES; s++)
    {
      const double begin = gt_now ();
      double seconds;

      for (int k = 0; k < calls; k++)
        functions[function].call (&v);
      seconds = (gt_now () - begin) / calls;
      if (seconds < least)
        least = seconds;
    }
  return least;
}

int
main (int argc, char **argv)
{
  for (size_t i = 0; i < LONGEST; i++)
    data[i] = drand48 ();
  for (int f = 0; f < GT_CALLS_FUNCTIONS && argc == 1; f++)
    for (size_t n = 1; n <= GT_CALLS_LONGEST; n *= 4)
      printf ("%d %zu %.4g\n", f, n, seconds_of (f, n));
  for (int f = 0; f < N_FUNCTIONS; f++)
    for (int i = 1; i < argc; i++)
      {
        const size_t n = strtoul (argv[i], NULL, 10);

        if (n == 0 || n > LONGEST)
          return 2;
        printf ("%s %zu %.4g\n", functions[f].name, n, seconds_of (f, n));
      }
  return 0;
}

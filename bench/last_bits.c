/* How often the functions that `gsltune run' takes give other bits than GSL's, and how
   far apart they are: bench/results/last-bits.md.

     bench/last-bits [normal]

   Vectors of random numbers, uniform between 0 and 1, or normal.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"

#define MOST 1000000

static double x[MOST], y[MOST];

/* ---------------------------------------------------------- The functions */

static gsl_vector
view (double *data, size_t n)
{
  return gsl_vector_view_array (data, n).vector;
}

#define OF_VECTOR(name, function)    \
  static double name (size_t n)      \
  {                                  \
    const gsl_vector v = view (x, n); \
    return function (&v);            \
  }
#define OF_ARRAY(name, function) \
  static double name (size_t n)  \
  {                              \
    return function (x, 1, n);   \
  }
#define OF_ARRAYS(name, function)    \
  static double name (size_t n)      \
  {                                  \
    return function (x, 1, y, 1, n); \
  }
#define BOTH(form, name) \
  form (gsl_##name##_of, gsl_##name) form (our_##name##_of, gsltune_##name)

BOTH (OF_VECTOR, vector_sum)
BOTH (OF_VECTOR, blas_dasum)
BOTH (OF_VECTOR, blas_dnrm2)
BOTH (OF_ARRAY, stats_mean)
BOTH (OF_ARRAY, stats_variance)
BOTH (OF_ARRAY, stats_sd)
BOTH (OF_ARRAY, stats_absdev)
BOTH (OF_ARRAY, stats_skew)
BOTH (OF_ARRAY, stats_kurtosis)
BOTH (OF_ARRAYS, stats_covariance)
BOTH (OF_ARRAYS, stats_correlation)

static double
gsl_blas_ddot_of (size_t n)
{
  const gsl_vector v = view (x, n), w = view (y, n);
  double result;

  gsl_blas_ddot (&v, &w, &result);
  return result;
}

static double
our_blas_ddot_of (size_t n)
{
  const gsl_vector v = view (x, n), w = view (y, n);
  double result;

  gsltune_blas_ddot (&v, &w, &result);
  return result;
}

static const struct
{
  const char *name;
  double (*gsl) (size_t n);
  double (*ours) (size_t n);
} functions[] = {
#define ROW(name) {"gsl_" #name, gsl_##name##_of, our_##name##_of}
  ROW (vector_sum),       ROW (blas_ddot),      ROW (blas_dnrm2),
  ROW (blas_dasum),       ROW (stats_mean),     ROW (stats_variance),
  ROW (stats_sd),         ROW (stats_absdev),   ROW (stats_skew),
  ROW (stats_kurtosis),   ROW (stats_covariance), ROW (stats_correlation),
};
#define N_FUNCTIONS (sizeof functions / sizeof *functions)

static const struct
{
  size_t n;
  int trials;
} lengths[] = {{4, 2000}, {16, 2000}, {100, 2000}, {1000, 1000},
               {10000, 500}, {1000000, 20}};
#define N_LENGTHS (sizeof lengths / sizeof *lengths)

static const struct
{
  const char *name;
  gsltune_mode mode;
} modes[] = {{"exact", GSLTUNE_MODE_EXACT},
             {"compensated", GSLTUNE_MODE_COMPENSATED},
             {"fast", GSLTUNE_MODE_FAST}};
#define N_MODES (sizeof modes / sizeof *modes)

/* ---------------------------------------------------------------- Counting */

static struct count
{
  int differ;
  uint64_t most; /* units in the last place */
} counts[N_MODES][N_FUNCTIONS][N_LENGTHS];

/* The place of A among the doubles, so that neighbours are one apart.  */
static int64_t
place (double a)
{
  int64_t bits;

  memcpy (&bits, &a, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

static void
compare (struct count *count, double a, double b)
{
  const int64_t p = place (a), q = place (b);
  const uint64_t apart = p < q ? (uint64_t) q - (uint64_t) p
                               : (uint64_t) p - (uint64_t) q;

  count->differ += apart > 0;
  if (apart > count->most)
    count->most = apart;
}

/* With all 53 bits; gsl_rng_uniform gives 32, whose sums need no rounding.  */
static double
uniform (gsl_rng *rng)
{
  const double high = (double) (gsl_rng_get (rng) >> 5);

  return (high * 0x1p26 + (double) (gsl_rng_get (rng) >> 6)) * 0x1p-53;
}

static void
fill (gsl_rng *rng, size_t n, int normal)
{
  for (size_t i = 0; i < n; i++)
    {
      x[i] = normal ? gsl_ran_gaussian (rng, 1) : uniform (rng);
      y[i] = normal ? gsl_ran_gaussian (rng, 1) : uniform (rng);
    }
}

static void
count_all (int normal)
{
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_mt19937);

  for (size_t l = 0; l < N_LENGTHS; l++)
    for (int trial = 0; trial < lengths[l].trials; trial++)
      {
        const size_t n = lengths[l].n;

        fill (rng, n, normal);
        for (size_t f = 0; f < N_FUNCTIONS; f++)
          {
            const double gsl = functions[f].gsl (n);

            for (size_t m = 0; m < N_MODES; m++)
              {
                gsltune_set_mode (modes[m].mode);
                compare (&counts[m][f][l], functions[f].ours (n), gsl);
              }
          }
      }
  gsl_rng_free (rng);
}

/* --------------------------------------------------------------- The table */

static void
print_mode (size_t m)
{
  printf ("\n| %s |", modes[m].name);
  for (size_t l = 0; l < N_LENGTHS; l++)
    printf (" %zu |", lengths[l].n);
  printf ("\n|---|");
  for (size_t l = 0; l < N_LENGTHS; l++)
    printf ("---:|");
  printf ("\n");
  for (size_t f = 0; f < N_FUNCTIONS; f++)
    {
      printf ("| `%s` |", functions[f].name);
      for (size_t l = 0; l < N_LENGTHS; l++)
        printf (" %.1f%%, %llu |",
                100.0 * counts[m][f][l].differ / lengths[l].trials,
                (unsigned long long) counts[m][f][l].most);
      printf ("\n");
    }
}

int
main (int argc, char **argv)
{
  const int normal = argc > 1 && strcmp (argv[1], "normal") == 0;

  if (argc > 1 + normal)
    {
      fprintf (stderr, "last-bits: give 'normal' or nothing\n");
      return 2;
    }
  count_all (normal);
  for (size_t m = 0; m < N_MODES; m++)
    print_mode (m);
  return EXIT_SUCCESS;
}

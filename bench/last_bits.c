/* How often the functions that `gsltune run' takes give other bits than GSL's, and how
   far apart they are: bench/results/last-bits.md.

     bench/last-bits [normal]

   Vectors of random numbers, uniform between 0 and 1, or normal.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "tuning/measure/listed.h"

#define MOST 1000000

static double x[MOST], y[MOST];

static const char *const functions[] = {
  "vector_sum", "blas_ddot", "blas_dnrm2", "blas_dasum", "stats_mean", "stats_variance",
  "stats_sd", "stats_absdev", "stats_skew", "stats_kurtosis", "stats_covariance",
  "stats_correlation"
};
#define N_FUNCTIONS (sizeof functions / sizeof *functions)

/* The result of FUNCTION, GSL's or ours, for N elements.  */
static double
value_of (const struct gt_listed *f, void *function, size_t n)
{
  const struct gt_operands o = {.x = x, .y = y, .n = n, .stride = {1, 1}};
  struct gt_answer answer;

  f->call (function, &o, &answer);
  return (double) gt_answer_value (f, &answer, 0);
}

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
            const struct gt_listed *listed = gt_listed_named (functions[f]);
            const double gsl = value_of (listed, listed->gsl, n);

            for (size_t m = 0; m < N_MODES; m++)
              {
                gsltune_set_mode (modes[m].mode);
                compare (&counts[m][f][l], value_of (listed, listed->ours, n), gsl);
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
      printf ("| `gsl_%s` |", functions[f]);
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

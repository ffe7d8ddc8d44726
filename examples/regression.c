/* Two regressions that are products of matrices: least squares of many rows, and one of
   many markers, as in a genome-wide study.  Both are computed by GSL's functions and, fast
   and exactly, by gsltune's, which have the same names and arguments.

     cc regression.c $(pkg-config --cflags --libs gsltune) -lm -o regression
     ./regression [ROWS [MARKERS]]

   In fast mode large products are those of a BLAS of the system; in exact mode each
   element of them is rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsltune.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 10, SAMPLES = 400, COVARIATES = 4, PLANTED = 77 };

/* The functions of one library, and the mode that they are to have.  */
struct blas
{
  const char *name;
  gsltune_mode mode;
  __typeof__ (gsl_blas_dsyrk) *dsyrk;
  __typeof__ (gsl_blas_dgemv) *dgemv;
  __typeof__ (gsl_blas_dgemm) *dgemm;
};

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static double
uniform (void)
{
  static unsigned long long state = 1;

  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (double) (state >> 11) * 0x1p-53 - 0.5;
}

/* The coefficients of Y in the columns of X: (X'X) B = X'Y, by Cholesky's method.  */
static void
least_squares (const struct blas *blas, const gsl_matrix *x, const gsl_vector *y,
               gsl_vector *b)
{
  gsl_matrix *square = gsl_matrix_calloc (x->size2, x->size2);

  blas->dsyrk (CblasLower, CblasTrans, 1, x, 0, square);
  blas->dgemv (CblasTrans, 1, x, y, 0, b);
  gsl_linalg_cholesky_decomp1 (square);
  gsl_linalg_cholesky_svx (square, b);
  gsl_matrix_free (square);
}

/* The marker, a row of G, that tells most of Y beside the covariates, whose columns in Q
   are orthonormal and in which Y has no part.  With what is left of a marker, g - Q Q'g,
   the regression's part of Y is (g'y)^2 / |g - Q Q'g|^2.  */
static size_t
best_marker (const struct blas *blas, const gsl_matrix *g, const gsl_matrix *q,
             const gsl_vector *y)
{
  gsl_matrix *left = gsl_matrix_alloc (g->size1, g->size2);
  gsl_matrix *parts = gsl_matrix_calloc (g->size1, q->size2);
  gsl_vector *scores = gsl_vector_calloc (g->size1);
  size_t best = 0;
  double most = -1;

  gsl_matrix_memcpy (left, g);
  blas->dgemm (CblasNoTrans, CblasNoTrans, 1, g, q, 0, parts);
  blas->dgemm (CblasNoTrans, CblasTrans, -1, parts, q, 1, left);
  blas->dgemv (CblasNoTrans, 1, left, y, 0, scores);
  for (size_t k = 0; k < g->size1; k++)
    {
      gsl_vector_view marker = gsl_matrix_row (left, k);
      const double norm = gsltune_blas_dnrm2 (&marker.vector);
      const double part = fabs (gsl_vector_get (scores, k)) / norm;

      if (norm > 0 && part > most)
        {
          most = part;
          best = k;
        }
    }
  gsl_matrix_free (left);
  gsl_matrix_free (parts);
  gsl_vector_free (scores);
  return best;
}

/* Orthonormal covariates: cosines of different frequencies.  */
static void
set_covariates (gsl_matrix *q)
{
  for (size_t i = 0; i < q->size1; i++)
    for (size_t k = 0; k < q->size2; k++)
      gsl_matrix_set (q, i, k, sqrt ((k ? 2.0 : 1.0) / (double) q->size1)
                                 * cos (M_PI * ((double) i + 0.5) * (double) k
                                        / (double) q->size1));
}

int
main (int argc, char **argv)
{
  const struct blas blas[]
    = {{"GSL", GSLTUNE_MODE_EXACT, gsl_blas_dsyrk, gsl_blas_dgemv, gsl_blas_dgemm},
       {"fast", GSLTUNE_MODE_FAST, gsltune_blas_dsyrk, gsltune_blas_dgemv,
        gsltune_blas_dgemm},
       {"exact", GSLTUNE_MODE_EXACT, gsltune_blas_dsyrk, gsltune_blas_dgemv,
        gsltune_blas_dgemm}};
  const size_t rows = argc > 1 ? strtoul (argv[1], NULL, 10) : 20000;
  const size_t markers = argc > 2 ? strtoul (argv[2], NULL, 10) : 500;
  gsl_matrix *x = gsl_matrix_alloc (rows, COLUMNS);
  gsl_vector *y = gsl_vector_alloc (rows), *b = gsl_vector_calloc (COLUMNS);
  gsl_matrix *g = gsl_matrix_alloc (markers, SAMPLES);
  gsl_matrix *q = gsl_matrix_alloc (SAMPLES, COVARIATES);
  gsl_vector *trait = gsl_vector_alloc (SAMPLES), *means = gsl_vector_calloc (COVARIATES);

  for (size_t i = 0; i < rows; i++)
    {
      double sum = 0.01 * uniform ();

      for (size_t k = 0; k < COLUMNS; k++)
        {
          gsl_matrix_set (x, i, k, uniform ());
          sum += (double) (k + 1) * gsl_matrix_get (x, i, k);
        }
      gsl_vector_set (y, i, sum);
    }
  set_covariates (q);
  for (size_t i = 0; i < SAMPLES; i++)
    {
      for (size_t k = 0; k < markers; k++) /* 0, 1 or 2 copies */
        gsl_matrix_set (g, k, i, (uniform () > 0) + (uniform () > 0));
      gsl_vector_set (trait, i, gsl_matrix_get (g, PLANTED % markers, i) + uniform ());
    }
  /* The covariates' part of the trait is taken away.  */
  gsl_blas_dgemv (CblasTrans, 1, q, trait, 0, means);
  gsl_blas_dgemv (CblasNoTrans, -1, q, means, 1, trait);

  for (size_t k = 0; k < sizeof blas / sizeof *blas; k++)
    {
      const double begin = now ();
      double middle;
      size_t best;

      gsltune_set_mode (blas[k].mode);
      least_squares (&blas[k], x, y, b);
      middle = now ();
      best = best_marker (&blas[k], g, q, trait);
      printf ("%s: coefficients %.2f to %.2f, marker %zu\n", blas[k].name,
              gsl_vector_get (b, 0), gsl_vector_get (b, COLUMNS - 1), best);
      fprintf (stderr, "%s: %.4f s, %.4f s\n", blas[k].name, middle - begin,
               now () - middle);
    }
  return 0;
}

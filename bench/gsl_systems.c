/* A program of GSL's users for the table "systems" of the benchmark: factorisations, least
   squares and eigenvalues of matrices.  Prints a line for each and each side: its number,
   the side, seconds of a call.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>

#include "bench/gsl_calls.h"
#include "tuning/measure/clock.h"

#define ENOUGH 0.03   /* seconds for which a call is repeated */
#define PARAMETERS 10  /* of least squares */
#define FIT (GT_SYSTEMS_FUNCTIONS - 1)

/* The systems, computed in the place of A, which has the side N, or N rows.  */
struct system
{
  gsl_matrix *a, *more;
  gsl_vector *x, *y;
  gsl_permutation *p;
  void *work;
};

static void
decompose_lu (struct system *s)
{
  int sign;

  gsl_linalg_LU_decomp (s->a, s->p, &sign);
}

static void
decompose_qr (struct system *s)
{
  gsl_linalg_QR_decomp (s->a, s->x);
}

static void
decompose_cholesky (struct system *s)
{
  gsl_linalg_cholesky_decomp1 (s->a);
}

static void
find_eigenvalues (struct system *s)
{
  gsl_eigen_symmv (s->a, s->x, s->more, s->work);
}

static void
fit (struct system *s)
{
  double squares;

  gsl_multifit_linear (s->a, s->y, s->x, s->more, &squares, s->work);
}

/* Symmetric, and its diagonal is large: all of these are well posed.  */
static double
element (size_t i, size_t j, size_t columns)
{
  const double x = sin ((double) ((i < j ? i * columns + j : j * columns + i) % 9973));

  return i == j ? (double) columns + x : x;
}

static void
fill (gsl_matrix *a)
{
  for (size_t i = 0; i < a->size1; i++)
    for (size_t j = 0; j < a->size2; j++)
      gsl_matrix_set (a, i, j, element (i, j, a->size2));
}

/* The least seconds: what disturbs makes longer.  */
static double
seconds_of (void (*call) (struct system *), struct system *s)
{
  double least = INFINITY, all = 0;

  do
    {
      double seconds;

      fill (s->a);
      seconds = gt_now ();
      call (s);
      seconds = gt_now () - seconds;
      least = fmin (least, seconds);
      all += seconds;
    }
  while (all < ENOUGH);
  return least;
}

static void
print (int function, size_t n, double seconds)
{
  printf ("%d %zu %.4g\n", function, n, seconds);
  fflush (stdout);
}

static void
measure_side (size_t n)
{
  static void (*const calls[]) (struct system *)
    = {decompose_lu, decompose_qr, decompose_cholesky, find_eigenvalues};
  struct system s = {.a = gsl_matrix_alloc (n, n), .more = gsl_matrix_alloc (n, n),
                     .x = gsl_vector_alloc (n), .p = gsl_permutation_alloc (n),
                     .work = gsl_eigen_symmv_alloc (n)};

  for (int f = 0; f < FIT; f++)
    print (f, n, seconds_of (calls[f], &s));
  gsl_matrix_free (s.a);
  gsl_matrix_free (s.more);
  gsl_vector_free (s.x);
  gsl_permutation_free (s.p);
  gsl_eigen_symmv_free (s.work);
}

static void
measure_fit (size_t rows)
{
  struct system s
    = {.a = gsl_matrix_alloc (rows, PARAMETERS),
       .more = gsl_matrix_alloc (PARAMETERS, PARAMETERS), .x = gsl_vector_alloc (PARAMETERS),
       .y = gsl_vector_alloc (rows), .work = gsl_multifit_linear_alloc (rows, PARAMETERS)};

  for (size_t i = 0; i < rows; i++)
    gsl_vector_set (s.y, i, sin ((double) i));
  print (FIT, rows, seconds_of (fit, &s));
  gsl_matrix_free (s.a);
  gsl_matrix_free (s.more);
  gsl_vector_free (s.x);
  gsl_vector_free (s.y);
  gsl_multifit_linear_free (s.work);
}

int
main (void)
{
  static const size_t sides[] = {16, 64, 256, 512};

  for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
    measure_side (sides[k]);
  measure_fit (20000);
  return 0;
}

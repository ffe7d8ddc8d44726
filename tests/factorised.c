/* A program of GSL's for tests/test_engines.sh that factorises matrices: "cholesky", also of
   one that is not positive definite; "fit", whose singular values GSL needs; "values",
   singular values for itself.  It prints what does not depend on what computes it, in few
   digits.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 300, ROWS = 400, COLUMNS = 60 };

static gsl_matrix *
drawn (size_t rows, size_t columns)
{
  gsl_matrix *const m = gsl_matrix_alloc (rows, columns);

  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < columns; k++)
      gsl_matrix_set (m, i, k,
                      sin (1.0 + 37.0 * (double) (i * columns + k)) + (i == k ? 30 : 0));
  return m;
}

static void
count (const char *reason, const char *file, int line, int code)
{
  (void) reason;
  (void) file;
  (void) line;
  printf ("error %d\n", code);
}

static void
cholesky (void)
{
  gsl_matrix *m = drawn (SIDE, SIDE);

  for (int k = 0; k < SIDE; k++)
    gsl_matrix_set (m, k, k, 2 * SIDE);
  for (int k = 0; k < 2; k++)
    {
      printf ("status %d", gsl_linalg_cholesky_decomp (m));
      printf (": %.8f %.8f\n", gsl_matrix_get (m, SIDE - 1, 1), gsl_matrix_get (m, 1, SIDE - 1));
      gsl_matrix_set (m, 150, 150, -1);
    }
}

static void
fit (void)
{
  gsl_matrix *const x = drawn (ROWS, COLUMNS);
  gsl_matrix *const covariance = gsl_matrix_alloc (COLUMNS, COLUMNS);
  gsl_vector *const y = gsl_vector_alloc (ROWS), *const c = gsl_vector_alloc (COLUMNS);
  double chisq;

  for (int i = 0; i < ROWS; i++)
    gsl_vector_set (y, (size_t) i, cos (i));
  printf ("status %d", gsl_multifit_linear (x, y, c, covariance, &chisq,
                                            gsl_multifit_linear_alloc (ROWS, COLUMNS)));
  printf (": %.8f %.8f %.8f\n", gsl_vector_get (c, 7), chisq, gsl_matrix_get (covariance, 3, 4));
}

static void
values (void)
{
  gsl_matrix *const a = drawn (ROWS, COLUMNS), *const v = gsl_matrix_alloc (COLUMNS, COLUMNS);
  gsl_matrix *const x = gsl_matrix_alloc (COLUMNS, COLUMNS);
  gsl_vector *const s = gsl_vector_alloc (COLUMNS), *const work = gsl_vector_alloc (COLUMNS);

  printf ("status %d", gsl_linalg_SV_decomp_mod (a, x, v, s, work));
  printf (": %.8f\n", gsl_vector_get (s, 3));
}

int
main (int n, char **args)
{
  gsl_set_error_handler (count);
  if (n > 1)
    (strcmp (args[1], "fit") == 0      ? fit
     : strcmp (args[1], "values") == 0 ? values : cholesky) ();
  return 0;
}

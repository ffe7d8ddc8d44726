/* Sums the columns of a matrix.  A column is a view with a stride: GSL's views
   work as they are, and nothing is copied.

     cc columns.c $(pkg-config --cflags --libs gsltune) -o columns && ./columns

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_matrix.h>
#include <gsltune.h>

int
main (void)
{
  const size_t rows = 100000, columns = 4;
  gsl_matrix *m = gsl_matrix_alloc (rows, columns);
  int wrong = 0;

  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      gsl_matrix_set (m, i, j, (double) (j + 1));

  for (size_t j = 0; j < columns; j++)
    {
      gsl_vector_const_view column = gsl_matrix_const_column (m, j);
      double sum = gsltune_vector_sum (&column.vector);

      printf ("column %zu: %.17g\n", j, sum);
      wrong += sum != (double) ((j + 1) * rows);
    }

  gsl_matrix_free (m);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

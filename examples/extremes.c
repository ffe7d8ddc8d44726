/* Finds the warmest and the coldest hour in a table of temperatures, a row a day and
   a column an hour: of the whole matrix, of one hour of all days, and of the days of
   summer.  Where GSL has gsl_..., this calls gsltune_...

     cc extremes.c $(pkg-config --cflags --libs gsltune) -o extremes && ./extremes

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_math.h>
#include <gsltune.h>

int
main (void)
{
  const size_t days = 365, hours = 24;
  gsl_matrix *m = gsl_matrix_alloc (days, hours);
  gsl_vector_const_view noon = gsl_matrix_const_column (m, 12);
  gsl_matrix_const_view summer
    = gsl_matrix_const_submatrix (m, 152, 6, 92, 12);
  size_t coldest_day, coldest_hour, warmest_day, warmest_hour;
  double min, max;
  int wrong = 0;

  for (size_t i = 0; i < days; i++)
    for (size_t j = 0; j < hours; j++)
      gsl_matrix_set (m, i, j,
                      10 - 12 * cos (2 * M_PI * (double) i / (double) days)
                        - 4 * cos (2 * M_PI * (double) j / (double) hours));

  gsltune_matrix_minmax (m, &min, &max);
  gsltune_matrix_minmax_index (m, &coldest_day, &coldest_hour, &warmest_day,
                               &warmest_hour);
  printf ("coldest: %.2f, day %zu, hour %zu\n", min, coldest_day, coldest_hour);
  printf ("warmest: %.2f, day %zu, hour %zu\n", max, warmest_day, warmest_hour);
  wrong += coldest_day != 0 || coldest_hour != 0 || warmest_hour != 12;

  /* A column is a vector with a stride; a part of a matrix keeps the distance of
     its rows.  */
  printf ("warmest noon: day %zu\n", gsltune_vector_max_index (&noon.vector));
  printf ("coldest by day in summer: %.2f\n",
          gsltune_matrix_min (&summer.matrix));
  wrong += gsltune_vector_max (&noon.vector) != max;
  wrong += gsltune_matrix_min (&summer.matrix)
           != gsl_matrix_min (&summer.matrix);

  /* A NaN stands for what was not measured, and comes before every number.  */
  gsl_matrix_set (m, 200, 3, GSL_NAN);
  printf ("with one hour missing: %g\n", gsltune_matrix_max (m));
  gsltune_matrix_max_index (m, &warmest_day, &warmest_hour);
  wrong += warmest_day != 200 || warmest_hour != 3;

  gsl_matrix_free (m);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

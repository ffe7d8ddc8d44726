/* Means and variances of the columns of a table, with GSL's functions alone:
   nothing in this program knows of gsltune.

     cc statistics.c $(pkg-config --cflags --libs gsl) -o statistics
     ./statistics [FILE]
     gsltune run -- ./statistics [FILE]
     gsltune run --mode fast -- ./statistics [FILE]

   The file has a table of numbers, as many in each line.  Without one there are
   ten columns of a million random numbers.  The last line tells how long the
   statistics took, without the reading.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics.h>

static void
stop (const char *file, const char *why)
{
  fprintf (stderr, "%s: %s\n", file, why);
  exit (EXIT_FAILURE);
}

/* How many numbers are in the first line.  */
static size_t
count_columns (FILE *file)
{
  size_t columns = 0;
  int c, before = ' ';

  while ((c = getc (file)) != EOF && c != '\n')
    {
      columns += isspace (before) && !isspace (c);
      before = c;
    }
  rewind (file);
  return columns;
}

static size_t
count_numbers (FILE *file)
{
  size_t numbers = 0;
  double ignored;

  while (fscanf (file, "%lf", &ignored) == 1)
    numbers++;
  return numbers;
}

/* The table, a column in each row of the matrix: so each lies in one piece.  */
static gsl_matrix *
read_table (const char *name)
{
  FILE *file = fopen (name, "r");
  size_t columns, numbers;
  gsl_matrix *table;

  if (file == NULL)
    stop (name, "cannot be opened");
  columns = count_columns (file);
  numbers = count_numbers (file);
  if (!feof (file) || columns == 0 || numbers % columns != 0)
    stop (name, "is no table of numbers");
  rewind (file);
  table = gsl_matrix_alloc (columns, numbers / columns);
  for (size_t k = 0; k < numbers; k++)
    if (fscanf (file, "%lf",
                gsl_matrix_ptr (table, k % columns, k / columns)) != 1)
      stop (name, "cannot be read again");
  fclose (file);
  return table;
}

static gsl_matrix *
make_table (size_t columns, size_t rows)
{
  gsl_matrix *table = gsl_matrix_alloc (columns, rows);
  gsl_rng *rng = gsl_rng_alloc (gsl_rng_mt19937);

  for (size_t j = 0; j < columns; j++)
    for (size_t i = 0; i < rows; i++)
      gsl_matrix_set (table, j, i,
                      (double) (j + 1) + gsl_ran_gaussian (rng, 1));
  gsl_rng_free (rng);
  return table;
}

static double
seconds (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

int
main (int argc, char **argv)
{
  gsl_matrix *table
    = argc > 1 ? read_table (argv[1]) : make_table (10, 1000000);
  gsl_vector *mean = gsl_vector_alloc (table->size1);
  gsl_vector *variance = gsl_vector_alloc (table->size1);
  double start = seconds (), end;

  for (size_t j = 0; j < table->size1; j++)
    {
      const double *column = gsl_matrix_const_ptr (table, j, 0);

      gsl_vector_set (mean, j, gsl_stats_mean (column, 1, table->size2));
      gsl_vector_set (variance, j,
                      gsl_stats_variance (column, 1, table->size2));
    }
  end = seconds ();

  for (size_t j = 0; j < table->size1; j++)
    printf ("column %zu: mean %.17g, variance %.17g\n", j,
            gsl_vector_get (mean, j), gsl_vector_get (variance, j));
  printf ("%zu x %zu numbers: %.6f s\n", table->size2, table->size1,
          end - start);

  gsl_vector_free (variance);
  gsl_vector_free (mean);
  gsl_matrix_free (table);
  return EXIT_SUCCESS;
}

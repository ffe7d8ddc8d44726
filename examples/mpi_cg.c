/* Conjugate gradients over many processes, with the same bits on any number of them.

   Solves A u = b, where A is the five-point matrix of - div (k grad u) on a square with a
   coefficient k that varies by a factor of a thousand.  The rows of the grid are shared out
   over the processes.  What a process computes of its own rows does not depend on how many
   there are; only the dot products are of all.  With gsltune_mpi_blas_ddot they have the
   same bits on any number of processes, and so do all iterates; with MPI_SUM of doubles
   they have not, and even the number of iterations may change.

     mpicc mpi_cg.c $(pkg-config --cflags --libs gsltune-mpi) -lm -o mpi_cg
     for n in 1 2 3 4 7; do mpiexec -n $n ./mpi_cg; done

   Method: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear
   systems", Journal of Research of the National Bureau of Standards 49, 1952.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_blas.h>
#include <gsltune-mpi.h>

#define SIDE 64 /* unknowns along a side */
#define MOST_ITERATIONS 2000
#define TOLERANCE 1e-9

static int rank, size;
static int first, rows; /* the rows of this process */

/* A dot product over all processes.  */
typedef double dot_product (const gsl_vector *x, const gsl_vector *y);

static double
same_bits (const gsl_vector *x, const gsl_vector *y)
{
  double result;

  gsltune_mpi_blas_ddot (x, y, &result, MPI_COMM_WORLD);
  return result;
}

static double
plain (const gsl_vector *x, const gsl_vector *y)
{
  double result;

  gsl_blas_ddot (x, y, &result);
  MPI_Allreduce (MPI_IN_PLACE, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return result;
}

/* The coefficient half way between two neighbours, of which the sum of rows is I and that
   of columns J.  */
static double
coefficient (int i, int j)
{
  return pow (10, 1.5 * sin (0.11 * i) * cos (0.07 * j));
}

static void *
get (size_t count, size_t bytes)
{
  void *memory = calloc (count, bytes);

  if (memory == NULL)
    MPI_Abort (MPI_COMM_WORLD, EXIT_FAILURE);
  return memory;
}

/* Puts the neighbours' rows before and behind those of P, a row more on each side.  */
static void
exchange (double *p)
{
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double *const end = p + (rows + 1) * SIDE;

  MPI_Sendrecv (p + SIDE, SIDE, MPI_DOUBLE, above, 0, end, SIDE, MPI_DOUBLE,
                below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (end - SIDE, SIDE, MPI_DOUBLE, below, 1, p, SIDE, MPI_DOUBLE,
                above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Q = A P; P has a row more on each side, and K what coefficient says for the edges of
   each cell: north, west, east, south.  */
static void
apply (const double *k, double *p, double *q)
{
  exchange (p);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < SIDE; j++)
      {
        const double *edge = k + 4 * (i * SIDE + j);
        const double *u = p + (i + 1) * SIDE + j;
        const double west = j > 0 ? u[-1] : 0, east = j < SIDE - 1 ? u[1] : 0;

        q[i * SIDE + j] = edge[0] * (*u - u[-SIDE]) + edge[1] * (*u - west)
                          + edge[2] * (*u - east) + edge[3] * (*u - u[SIDE]);
      }
}

/* One number for the bits of all elements, wherever they lie.  */
static uint64_t
hash (const double *u)
{
  uint64_t all = 0;

  for (int i = 0; i < rows * SIDE; i++)
    {
      uint64_t bits;

      memcpy (&bits, &u[i], sizeof bits);
      bits ^= (uint64_t) (first * SIDE + i) * 0x9e3779b97f4a7c15u;
      bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
      all ^= (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    }
  MPI_Allreduce (MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
  return all;
}

/* Solves, and prints what came of it.  */
static void
solve (const char *name, dot_product *dot, const double *k)
{
  const size_t n = (size_t) rows * SIDE;
  double *u = get (n + 1, sizeof *u), *r = get (n + 1, sizeof *r);
  double *q = get (n + 1, sizeof *q), *p = get (n + 2 * SIDE, sizeof *p);
  double *own = p + SIDE, old, rr;
  const gsl_vector vr = {n, 1, r, NULL, 0}, vq = {n, 1, q, NULL, 0},
                   vp = {n, 1, own, NULL, 0};
  int iteration = 0;

  for (size_t i = 0; i < n; i++)
    own[i] = r[i] = sin (1e-3 * (double) (first * SIDE + (int) i));
  old = rr = dot (&vr, &vr);
  while (sqrt (rr / old) > TOLERANCE && iteration < MOST_ITERATIONS)
    {
      const double before = rr;
      double step;

      apply (k, p, q);
      step = rr / dot (&vp, &vq);
      for (size_t i = 0; i < n; i++)
        {
          u[i] += step * own[i];
          r[i] -= step * q[i];
        }
      rr = dot (&vr, &vr);
      for (size_t i = 0; i < n; i++)
        own[i] = r[i] + rr / before * own[i];
      iteration++;
    }
  {
    const uint64_t bits = hash (u);

    if (rank == 0)
      printf ("%-22s %4d iterations, residual %.16e, solution %016llx\n", name,
              iteration, sqrt (rr), (unsigned long long) bits);
  }
  free (u);
  free (r);
  free (q);
  free (p);
}

int
main (int argc, char **argv)
{
  double *k;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (size > SIDE)
    {
      if (rank == 0)
        fprintf (stderr, "mpi_cg: there are %d rows: start fewer processes\n", SIDE);
      MPI_Finalize ();
      return EXIT_FAILURE;
    }
  first = SIDE * rank / size;
  rows = SIDE * (rank + 1) / size - first;
  k = get ((size_t) rows * SIDE * 4, sizeof *k);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < SIDE; j++)
      {
        double *edge = k + 4 * (i * SIDE + j);
        const int y = 2 * (first + i), x = 2 * j;

        edge[0] = coefficient (y - 1, x);
        edge[1] = coefficient (y, x - 1);
        edge[2] = coefficient (y, x + 1);
        edge[3] = coefficient (y + 1, x);
      }
  solve ("gsltune_mpi_blas_ddot", same_bits, k);
  solve ("MPI_SUM of doubles", plain, k);
  free (k);
  MPI_Finalize ();
  return EXIT_SUCCESS;
}

/* Mean and standard deviation of numbers that many processes have, each some of them.
   However they are shared out, the printed digits are the same; those of a plain
   MPI_Allreduce of the processes' sums are not.

     mpicc mpi_mean.c $(pkg-config --cflags --libs gsltune-mpi) -o mpi_mean
     mpiexec -n 4 ./mpi_mean

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsltune-mpi.h>

#define N 1000000

/* The element at INDEX: of any size, and of either sign.  */
static double
element (size_t index)
{
  return ldexp (sin ((double) index), (int) (index % 60));
}

int
main (int argc, char **argv)
{
  int rank, size;
  size_t begin, end;
  double *data, sum = 0, mean, sd;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  begin = (size_t) N * (size_t) rank / (size_t) size;
  end = (size_t) N * (size_t) (rank + 1) / (size_t) size;
  data = malloc ((end - begin + 1) * sizeof *data);
  if (data == NULL)
    MPI_Abort (MPI_COMM_WORLD, EXIT_FAILURE);
  for (size_t i = begin; i < end; i++)
    {
      data[i - begin] = element (i);
      sum += data[i - begin];
    }

  /* Every process calls, with what it has, and gets the result.  */
  mean = gsltune_mpi_stats_mean (data, 1, end - begin, MPI_COMM_WORLD);
  sd = gsltune_mpi_stats_sd (data, 1, end - begin, MPI_COMM_WORLD);
  MPI_Allreduce (MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

  if (rank == 0)
    {
      printf ("processes                   %d\n", size);
      printf ("gsltune_mpi_stats_mean      %.17g\n", mean);
      printf ("gsltune_mpi_stats_sd        %.17g\n", sd);
      printf ("mean by MPI_SUM of doubles  %.17g\n", sum / N);
    }
  free (data);
  MPI_Finalize ();
  return EXIT_SUCCESS;
}

/* Times of sums over processes: make bench/mpi && mpiexec -n 4 bench/mpi.

   Each side of a comparison is timed in turn, the slowest process counts, and the best of
   many turns is told: on a machine that does other things, too, the best is what
   repeats.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/mpi/gsltune-mpi.h"

#define TURNS 200

static int rank, size;

/* The call that is timed, and its operands.  */
struct work
{
  gsltune_moments *moments;
  double doubles[1];
  gsl_vector x, y;
  gsltune_device_vector *on_gpu;
};
typedef void side (struct work *work);

static void
plain_doubles (struct work *work)
{
  MPI_Allreduce (MPI_IN_PLACE, work->doubles, 1, MPI_DOUBLE, MPI_SUM,
                 MPI_COMM_WORLD);
}

static void
moments (struct work *work)
{
  gsltune_mpi_moments_merge (work->moments, MPI_COMM_WORLD);
}

static void
plain_dot (struct work *work)
{
  gsl_blas_ddot (&work->x, &work->y, work->doubles);
  MPI_Allreduce (MPI_IN_PLACE, work->doubles, 1, MPI_DOUBLE, MPI_SUM,
                 MPI_COMM_WORLD);
}

static void
own_dot (struct work *work)
{
  gsltune_blas_ddot (&work->x, &work->y, work->doubles);
}

static void
dot (struct work *work)
{
  gsltune_mpi_blas_ddot (&work->x, &work->y, work->doubles, MPI_COMM_WORLD);
}

/* The sum of a vector on a GPU of this process, and over all of them.  */
static void
own_gpu (struct work *work)
{
  gsltune_moments_reset (work->moments);
  gsltune_moments_add_device_vector (work->moments, work->on_gpu);
}

static void
of_gpu (struct work *work)
{
  own_gpu (work);
  moments (work);
}

/* The best microseconds of each of COUNT sides.  */
static void
contest (side *const *sides, int count, struct work *work, int turns,
         double *best)
{
  for (int turn = 0; turn < turns; turn++)
    for (int i = 0; i < count; i++)
      {
        double begun, time;

        MPI_Barrier (MPI_COMM_WORLD);
        begun = MPI_Wtime ();
        sides[i](work);
        time = 1e6 * (MPI_Wtime () - begun);
        MPI_Allreduce (MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX,
                       MPI_COMM_WORLD);
        if (turn == 0 || time < best[i])
          best[i] = time;
      }
}

static void
messages (struct work *work)
{
  static side *const sides[] = {plain_doubles, moments};
  double best[2];

  contest (sides, 2, work, TURNS, best);
  if (rank == 0)
    printf ("\n%d processes: MPI_Allreduce of a double %.1f us, gsltune_mpi_moments_merge of a sum "
            "%.1f us\n", size, best[0], best[1]);
}

static void
dots (struct work *work, size_t most)
{
  static side *const sides[] = {plain_dot, own_dot, dot};
  double exact[3], fast[3];

  if (rank == 0)
    printf ("\n%d processes, elements of each, microseconds\n\n"
            "| n | gsl_blas_ddot and MPI_Allreduce | exact: own part | exact: "
            "gsltune_mpi_blas_ddot | fast: own part | fast: "
            "gsltune_mpi_blas_ddot |\n|---:|---:|---:|---:|---:|---:|\n", size);
  for (size_t n = 16; n <= most; n *= 16)
    {
      work->x.size = work->y.size = n;
      gsltune_set_mode (GSLTUNE_MODE_FAST);
      contest (sides, 3, work, n > 100000 ? 20 : TURNS, fast);
      gsltune_set_mode (GSLTUNE_MODE_EXACT);
      contest (sides, 3, work, n > 100000 ? 20 : TURNS, exact);
      if (rank == 0)
        printf ("| %zu | %.1f | %.1f | %.1f | %.1f | %.1f |\n", n, exact[0],
                exact[1], exact[2], fast[1], fast[2]);
    }
}

/* A GPU for each process, as long as there are some.  */
static void
gpus (struct work *work, size_t n)
{
  static side *const sides[] = {own_gpu, of_gpu};
  const int count = gsltune_gpu_count ();
  double best[2];

  if (count == 0)
    return;
  work->x.size = n;
  work->on_gpu = gsltune_device_vector_alloc_on (n, rank % count);
  gsltune_device_vector_set (work->on_gpu, &work->x);
  contest (sides, 2, work, 20, best);
  gsltune_device_vector_free (work->on_gpu);
  if (rank == 0)
    printf ("\n%d processes, %d GPUs, %zu doubles of each process on its GPU: "
            "its own exact sum %.1f us, that of all %.1f us\n", size, count, n,
            best[0], best[1]);
}

int
main (int argc, char **argv)
{
  const size_t most = (size_t) 1 << (argc == 2 ? atoi (argv[1]) : 20);
  struct work work = {.x = {0, 1, NULL, NULL, 0}, .y = {0, 1, NULL, NULL, 0}};

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  work.x.data = malloc (most * sizeof (double));
  work.y.data = malloc (most * sizeof (double));
  work.moments = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  if (argc > 2 || most < 16 || !work.x.data || !work.y.data)
    {
      fprintf (stderr, "usage: bench/mpi [EXPONENT]: the most elements of a "
                       "process are 2^EXPONENT, 4 to 30\n");
      MPI_Abort (MPI_COMM_WORLD, 2);
    }
  for (size_t i = 0; i < most; i++)
    {
      work.x.data[i] = 1.0 / (double) (i + 1);
      work.y.data[i] = 1.0 - (double) (i % 7);
    }
  messages (&work);
  dots (&work, most);
  gpus (&work, most);
  gsltune_moments_free (work.moments);
  free (work.x.data);
  free (work.y.data);
  MPI_Finalize ();
  return 0;
}

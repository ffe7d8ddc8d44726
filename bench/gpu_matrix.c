/* Products of matrices that stay on a GPU, beside cuBLAS: a call, from its beginning to when
   the result is there, of both sides in turn; the median of the rounds' ratios counts.
   Usage: gpu-matrix [-c] [-v] [-m]
   -v leaves products with matrices out, -m those with vectors; -c compares 10^6 elements of
   two exact products with dot products of the CPU, exact as well.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/cublas.h"
#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "tuning/measure/clock.h"

#define N_OF(array) (sizeof (array) / sizeof *(array))
#define ROUNDS 31
#define SAMPLE 2e-3 /* seconds a timing lasts, about */
#define MOST 16384
#define ELEMENTS ((size_t) MOST * MOST)
#define SAMPLES 1000000

static struct gt_cublas *cublas; /* null: it is left out */
static struct gt_open_gpu *gpu;
static gsltune_device_matrix *memory[3];
static double *host;

enum { PEER, FAST, EXACT, N_SIDES };

/* The products that are timed: of one column one with a vector.  */
struct product
{
  size_t rows, columns, terms;
  int turn; /* of the first factor */
  gsltune_device_matrix_view a, b, c;
  gsltune_device_vector_view x, y;
};

static void
check (int failed, const char *what)
{
  if (failed)
    {
      fprintf (stderr, "gpu-matrix: %s fails\n", what);
      exit (1);
    }
}

static struct product
product_of (size_t rows, size_t columns, size_t terms, int turn)
{
  struct product p = {.rows = rows, .columns = columns, .terms = terms, .turn = turn};
  double *data[3];

  for (int k = 0; k < 3; k++)
    data[k] = gsltune_device_matrix_data (memory[k]);
  p.a = gsltune_device_matrix_view_array (data[0], turn ? terms : rows, turn ? rows : terms);
  p.b = gsltune_device_matrix_view_array (data[1], terms, columns);
  p.c = gsltune_device_matrix_view_array (data[2], rows, columns);
  p.x = gsltune_device_vector_view_array (data[1], 1, terms);
  p.y = gsltune_device_vector_view_array (data[2], 1, rows);
  return p;
}

/* cuBLAS's matrices are stored by columns: ours are their transposed ones.  */
static int
peer (struct product *p)
{
  const double *a = gsltune_device_matrix_data (&p->a.matrix);
  const double *b = gsltune_device_matrix_data (&p->b.matrix);
  double *c = gsltune_device_matrix_data (&p->c.matrix);
  const int turned = (int) (p->turn ? p->rows : p->terms);
  const int status
    = p->columns == 1
        ? gt_cublas_dgemv (cublas, !p->turn, turned,
                           (int) (p->turn ? p->terms : p->rows), a, b, c)
        : gt_cublas_dgemm (cublas, 0, p->turn, (int) p->columns, (int) p->rows,
                           (int) p->terms, b, (int) p->columns, a, turned, c);

  return status ? status : gt_gpus->synchronize (gpu, GT_DEFAULT_STREAM);
}

static int
call (struct product *p, int side)
{
  const CBLAS_TRANSPOSE_t turn = p->turn ? CblasTrans : CblasNoTrans;

  if (side == PEER)
    return peer (p);
  gsltune_set_mode (side == FAST ? GSLTUNE_MODE_FAST : GSLTUNE_MODE_EXACT);
  return p->columns == 1
           ? gsltune_device_blas_dgemv (turn, 1, &p->a.matrix, &p->x.vector, 0, &p->y.vector)
           : gsltune_device_blas_dgemm (turn, CblasNoTrans, 1, &p->a.matrix, &p->b.matrix, 0,
                                        &p->c.matrix);
}

static double
time_calls (struct product *p, int side, unsigned count)
{
  const double begin = gt_now ();

  for (unsigned k = 0; k < count; k++)
    check (call (p, side), side == PEER ? "cuBLAS" : "gsltune");
  return (gt_now () - begin) / count;
}

static int
ascending (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static double
median (double *x, unsigned n)
{
  qsort (x, n, sizeof *x, ascending);
  return x[n / 2];
}

/* The median seconds of each side, and of the ratios of the first to each.  */
static void
time_all (struct product *p, unsigned rounds, double *seconds, double *ratio)
{
  double all[N_SIDES][ROUNDS], of_peer[N_SIDES][ROUNDS];
  unsigned count[N_SIDES];

  for (int side = cublas ? PEER : FAST; side < N_SIDES; side++)
    {
      time_calls (p, side, 2);
      count[side] = (unsigned) fmin (200, fmax (1, SAMPLE / time_calls (p, side, 1)));
    }
  for (unsigned r = 0; r < rounds; r++)
    for (int side = 0; side < N_SIDES; side++)
      {
        all[side][r] = side == PEER && !cublas ? NAN : time_calls (p, side, count[side]);
        of_peer[side][r] = all[PEER][r] / all[side][r];
      }
  for (int side = 0; side < N_SIDES; side++)
    {
      seconds[side] = median (all[side], rounds);
      ratio[side] = median (of_peer[side], rounds);
    }
}

static void
vectors (void)
{
  static const size_t shapes[][2]
    = {{64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 1024}, {2048, 2048},
       {4096, 4096}, {8192, 8192}, {16384, 16384}, {4, 1000000}, {1000000, 4},
       {64, 100000}, {100000, 64}, {16, 16384}, {16384, 16}, {1000, 10000}, {10000, 1000}};
  double logs[N_SIDES] = {0};

  printf ("| rows | columns | | cuBLAS, us | fast, us | exact, us | fast to cuBLAS |"
          " exact to cuBLAS | fast, GB/s |\n|--:|--:|---|--:|--:|--:|--:|--:|--:|\n");
  for (size_t k = 0; k < N_OF (shapes); k++)
    for (int turn = 0; turn < 2; turn++)
      {
        const size_t *s = shapes[k];
        struct product p = product_of (s[turn], 1, s[!turn], turn);
        double seconds[N_SIDES], ratio[N_SIDES];

        time_all (&p, ROUNDS, seconds, ratio);
        printf ("| %zu | %zu | %s | %.2f | %.2f | %.2f | %.3f | %.3f | %.0f |\n", s[0], s[1],
                turn ? "T" : "N", seconds[PEER] * 1e6, seconds[FAST] * 1e6,
                seconds[EXACT] * 1e6, ratio[FAST], ratio[EXACT],
                8e-9 * (double) (s[0] * s[1]) / seconds[FAST]);
        fflush (stdout);
        for (int side = 0; side < N_SIDES; side++)
          logs[side] += log (ratio[side]) / (2 * N_OF (shapes));
      }
  printf ("\nThe geometric mean: fast %.3f, exact %.3f of cuBLAS.\n\n", exp (logs[FAST]),
          exp (logs[EXACT]));
}

static void
matrices (void)
{
  static const size_t sizes[] = {256, 512, 1024, 2048, 4096, 8192};

  printf ("| n | | cuBLAS, TFLOP/s | fast | exact |\n|--:|---|--:|--:|--:|\n");
  for (size_t k = 0; k < N_OF (sizes); k++)
    for (int turn = 0; turn < 2; turn++)
      {
        const double n = (double) sizes[k], work = 2e-12 * n * n * n;
        struct product p = product_of (sizes[k], sizes[k], sizes[k], turn);
        double seconds[N_SIDES], ratio[N_SIDES];

        time_all (&p, 7, seconds, ratio);
        printf ("| %zu | %s | %.1f | %.1f | %.2f |\n", sizes[k], turn ? "TN" : "NN",
                work / seconds[PEER], work / seconds[FAST], work / seconds[EXACT]);
        fflush (stdout);
      }
  printf ("\n");
}

static uint32_t
next (void)
{
  static uint64_t state = 1;

  state = state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (uint32_t) (state >> 32);
}

static void
compare (size_t n)
{
  struct product p = product_of (n, n, n, 0);
  double *const a = host, *const b = host + n * n, *const c = host + 2 * n * n;
  gsl_matrix_view to[3] = {gsl_matrix_view_array (a, n, n), gsl_matrix_view_array (b, n, n),
                           gsl_matrix_view_array (c, n, n)};
  size_t wrong = 0;

  check (call (&p, EXACT), "the exact product");
  check (gsltune_device_matrix_get (&p.a.matrix, &to[0].matrix)
           || gsltune_device_matrix_get (&p.b.matrix, &to[1].matrix)
           || gsltune_device_matrix_get (&p.c.matrix, &to[2].matrix),
         "copying");
  gsl_matrix_transpose (&to[1].matrix);
  for (size_t k = 0; k < SAMPLES; k++)
    {
      const size_t i = next () % n, j = next () % n;
      const gsl_vector x = {n, 1, a + i * n, NULL, 0}, y = {n, 1, b + j * n, NULL, 0};
      double dot;

      gsltune_blas_ddot (&x, &y, &dot);
      wrong += dot != c[i * n + j];
    }
  printf ("%zu x %zu: of %d elements %zu differ from exact dot products.\n", n, n, SAMPLES,
          wrong);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  int with_vectors = 1, with_matrices = 1, with_check = 0, option;
  const char *why = "";
  gsl_matrix all;

  while ((option = getopt (argc, argv, "cvm")) != -1)
    switch (option)
      {
      case 'c': with_check = 1; break;
      case 'v': with_matrices = 0; break;
      case 'm': with_vectors = 0; break;
      default: return 1;
      }
  gpu = gt_gpu_chosen (&why);
  cublas = gt_cublas_open (NULL, &why);
  host = malloc (ELEMENTS * sizeof *host);
  check (gpu == NULL || host == NULL, "opening a GPU, or memory,");
  if (cublas == NULL)
    printf ("cuBLAS is left out: %s.\n\n", why);
  for (size_t k = 0; k < ELEMENTS; k++)
    host[k] = (double) (int32_t) next () * 0x1p-31 + (double) next () * 0x1p-63;
  all = (gsl_matrix) {MOST, MOST, MOST, host, NULL, 0};
  for (int k = 0; k < 3; k++)
    {
      memory[k] = gsltune_device_matrix_alloc (MOST, MOST);
      check (memory[k] == NULL || !gsltune_device_matrix_on_gpu (memory[k])
               || gsltune_device_matrix_set (memory[k], &all),
             "memory of the GPU");
    }
  if (with_vectors)
    vectors ();
  if (with_matrices)
    matrices ();
  if (with_check)
    for (size_t n = 4096; n <= 8192; n *= 2)
      compare (n);
  return 0;
}

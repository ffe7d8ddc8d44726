/* Times of sums over several GPUs of one process: make bench/gpus && bench/gpus.

   As many doubles lie on one GPU, and shared out over the first two, three, ...; all sums
   of a row are timed in turn, and the best of the turns is told.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/gsltune.h"

#define MOST_GPUS 8
#define TURNS 30

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return 1e6 * (double) time.tv_sec + 1e-3 * (double) time.tv_nsec;
}

/* N elements of X on the first GPUS; returns 0 if there is no room.  */
static int
share_out (gsltune_device_vector **v, int gpus, double *x, size_t n)
{
  for (int g = 0; g < gpus; g++)
    {
      const size_t begin = n * (size_t) g / (size_t) gpus;
      const size_t end = n * (size_t) (g + 1) / (size_t) gpus;
      const gsl_vector part = {end - begin, 1, x + begin, NULL, 0};

      v[g] = gsltune_device_vector_alloc_on (end - begin, g);
      if (v[g] == NULL)
        return 0;
      gsltune_device_vector_set (v[g], &part);
    }
  return 1;
}

/* Prints a row: N elements on 1 to GPUS of them.  Returns whether all sums have the same
   bits, which they have in exact mode.  */
static int
row (double *x, size_t n, int gpus)
{
  gsltune_device_vector *v[MOST_GPUS + 1][MOST_GPUS] = {{NULL}};
  double best[MOST_GPUS + 1] = {0}, sum[MOST_GPUS + 1] = {0};
  int same = 1;

  for (int k = 1; k <= gpus; k++)
    if (!share_out (v[k], k, x, n))
      return 0;
  for (int turn = 0; turn < TURNS; turn++)
    for (int k = 1; k <= gpus; k++)
      {
        const double begun = now ();
        double time;

        sum[k] = gsltune_device_vector_sum_all (
          (const gsltune_device_vector *const *) v[k], (size_t) k);
        time = now () - begun;
        if (turn == 0 || time < best[k])
          best[k] = time;
      }
  printf ("| %zu |", n);
  for (int k = 1; k <= gpus; k++)
    {
      printf (" %.1f |", best[k]);
      same = same && memcmp (&sum[k], &sum[1], sizeof *sum) == 0;
      for (int g = 0; g < k; g++)
        gsltune_device_vector_free (v[k][g]);
    }
  printf ("\n");
  return same;
}

int
main (int argc, char **argv)
{
  static const char *const names[] = {"fast", "compensated", "exact"};
  const int exponent = argc == 2 ? atoi (argv[1]) : 28;
  const size_t most = (size_t) 1 << (exponent & 63);
  const int found = gsltune_gpu_count ();
  const int gpus = found < MOST_GPUS ? found : MOST_GPUS;
  double *x;
  int same = 1;

  if (argc > 2 || exponent < 10 || exponent > 34)
    {
      fprintf (stderr, "usage: bench/gpus [EXPONENT]: the most doubles are "
                       "2^EXPONENT, 10 to 34\n");
      return 2;
    }
  x = malloc (most * sizeof *x);
  if (gpus == 0 || x == NULL)
    {
      fprintf (stderr, "bench/gpus: there is %s\n",
               x ? "no GPU" : "not enough memory");
      return 1;
    }
  for (size_t i = 0; i < most; i++)
    x[i] = 1.0 / (double) (i + 1);
  for (int mode = 0; mode <= GSLTUNE_MODE_EXACT; mode += 2)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      printf ("\n%s sums, microseconds by the number of GPUs\n\n| n |",
              names[mode]);
      for (int k = 1; k <= gpus; k++)
        printf (" %d |", k);
      printf ("\n|---:|");
      for (int k = 1; k <= gpus; k++)
        printf ("---:|");
      printf ("\n");
      for (size_t n = 1 << 10; n <= most; n *= 8)
        {
          const int equal = row (x, n, gpus);

          same = same && (equal || mode != GSLTUNE_MODE_EXACT);
        }
    }
  printf ("\nexact sums have the same bits on any number of GPUs: %s\n",
          same ? "yes" : "NO");
  free (x);
  return !same;
}

/* The time of a process's first sum on a GPU: the library's image is loaded
   then, and decompressed.  Run it several times; compare with a build configured
   with NVCCFLAGS=--compress-mode=none.
   Usage: first-sum [fast|compensated|exact [ELEMENTS]]
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "tuning/measure/clock.h"

/* Calls to sum after the first: the figure beside it.  */
#define MORE 1000

static int
choose_mode (const char *word)
{
  static const struct
  {
    const char *name;
    gsltune_mode mode;
  } modes[] = {{"fast", GSLTUNE_MODE_FAST},
               {"compensated", GSLTUNE_MODE_COMPENSATED},
               {"exact", GSLTUNE_MODE_EXACT}};

  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (strcmp (word, modes[i].name) == 0)
      return gsltune_set_mode (modes[i].mode);
  return -1;
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "fast";
  size_t n = argc > 2 ? strtoul (argv[2], NULL, 10) : 4096;
  double begin = gt_now (), ready, summed, after, sum;
  gsl_vector *host;
  gsltune_device_vector *v;

  if (choose_mode (mode) || n == 0)
    {
      fputs ("usage: first-sum [fast|compensated|exact [ELEMENTS]]\n", stderr);
      return 2;
    }
  v = gsltune_device_vector_alloc (n);
  host = gsl_vector_alloc (n);
  if (v == NULL || host == NULL || !gsltune_device_vector_on_gpu (v))
    {
      fputs ("first-sum: no GPU\n", stderr);
      return 1;
    }
  gsl_vector_set_all (host, 1);
  gsltune_device_vector_set (v, host);
  ready = gt_now ();
  sum = gsltune_device_vector_sum (v);
  summed = gt_now ();
  for (int i = 0; i < MORE; i++)
    sum += gsltune_device_vector_sum (v);
  after = gt_now ();
  printf ("%s, %zu elements: vector %.1f ms, first sum %.2f ms, later ones"
          " %.2f us\n", mode, n, 1e3 * (ready - begin), 1e3 * (summed - ready),
          1e6 * (after - summed) / MORE);
  gsl_vector_free (host);
  gsltune_device_vector_free (v);
  return sum == (double) n * (MORE + 1) ? 0 : 1;
}

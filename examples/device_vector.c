/* Keeps a vector in the memory of the GPU, so that it is copied once and
   summed often.  Runs without a GPU too: the vector then stays in host memory.

     cc device_vector.c $(pkg-config --cflags --libs gsltune) -o device_vector

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsltune.h>

int
main (void)
{
  const size_t n = 1 << 20;
  gsl_vector *host = gsl_vector_alloc (n);
  gsltune_device_vector *device = gsltune_device_vector_alloc (n);
  int wrong = 0;

  printf ("%zu elements in the memory of the %s\n",
          gsltune_device_vector_size (device),
          gsltune_device_vector_on_gpu (device) ? "GPU" : "host");

  for (int round = 1; round <= 3; round++)
    {
      /* Small whole numbers: their sum is exact in any order.  */
      double expected = round * (n * (n + 1.0) / 2);

      for (size_t i = 0; i < n; i++)
        gsl_vector_set (host, i, round * (i + 1.0));

      /* One copy ...  */
      gsltune_device_vector_set (device, host);

      /* ... and as many sums as the program needs.  */
      for (int repeat = 0; repeat < 10; repeat++)
        wrong += gsltune_device_vector_sum (device) != expected;
      printf ("round %d: %.17g, expected %.17g\n", round,
              gsltune_device_vector_sum (device), expected);
    }

  gsltune_device_vector_free (device);
  gsl_vector_free (host);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

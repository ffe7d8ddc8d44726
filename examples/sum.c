/* Sums a gsl_vector with gsl_vector_sum, and with gsltune_vector_sum in all
   of its modes.

     cc sum.c $(pkg-config --cflags --libs gsltune) -o sum && ./sum

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsltune.h>

/* Pairs of a large whole number a and 1 - a, half a vector apart.  Each pair
   adds up to 1, so the exact sum is the number of pairs; but on the way the
   large halves grow past 2^53, where a double can no longer count by ones.  */
static void
fill_with_pairs (gsl_vector *v)
{
  size_t pairs = v->size / 2;
  unsigned long long random = 1;

  for (size_t i = 0; i < pairs; i++)
    {
      double a;

      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      a = (double) (random >> 14); /* below 2^50 */
      gsl_vector_set (v, i, a);
      gsl_vector_set (v, pairs + i, 1 - a);
    }
}

int
main (void)
{
  const size_t pairs = 500000;
  gsl_vector *v = gsl_vector_alloc (2 * pairs);
  double exact;

  fill_with_pairs (v);
  printf ("exact sum                       %zu\n", pairs);
  printf ("gsl_vector_sum                  %.17g\n", gsl_vector_sum (v));

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  printf ("gsltune_vector_sum, fast        %.17g\n", gsltune_vector_sum (v));


  gsltune_set_mode (GSLTUNE_MODE_EXACT); /* the default */
  exact = gsltune_vector_sum (v);
  printf ("gsltune_vector_sum, exact       %.17g\n", exact);

  gsl_vector_free (v);
  return exact == (double) pairs ? EXIT_SUCCESS : EXIT_FAILURE;
}

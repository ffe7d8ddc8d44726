/* Sums measurements that arrive again and again in the same vector.  Its memory
   is pinned, so that a GPU, where there is one, fetches it at full speed; the
   rest of the program is that of any GSL vector.

     cc pinned.c $(pkg-config --cflags --libs gsltune) -o pinned && ./pinned

   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <stdio.h>
#include <stdlib.h>

#include <gsltune.h>

int
main (void)
{
  const size_t n = 1 << 20;
  gsl_vector *v = gsltune_vector_alloc (n); /* where gsl_vector_alloc was */
  double *own = calloc (n, sizeof *own);
  gsl_vector_view view;
  int wrong = 0;

  if (own == NULL)
    return EXIT_FAILURE;

  /* Memory that comes from elsewhere can be pinned too.  That takes longer than
     a sum, so it is for memory that is summed often.  A refusal does no harm.  */
  view = gsl_vector_view_array (own, n);
  if (gsltune_vector_pin (&view.vector) != GSL_SUCCESS)
    printf ("the driver would not pin the second vector\n");

  for (int round = 1; round <= 3; round++)
    {
      double expected = round * (n * (n + 1.0) / 2);

      for (size_t i = 0; i < n; i++)
        gsl_vector_set (v, i, round * (i + 1.0));
      gsl_vector_memcpy (&view.vector, v);

      printf ("round %d: %.17g and %.17g, expected %.17g\n", round,
              gsltune_vector_sum (v), gsltune_vector_sum (&view.vector),
              expected);
      wrong += gsltune_vector_sum (v) != expected;
      wrong += gsltune_vector_sum (&view.vector) != expected;
    }

  gsltune_vector_unpin (&view.vector); /* before its memory is freed */
  free (own);
  gsltune_vector_free (v);             /* not gsl_vector_free */
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Products of random matrices with zeros, NaN and infinities, for tests/test_preload.sh: prints
   which elements of the results are NaN or infinite.  The argument is the number of calls of each
   function of BLAS.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/prototypes.h"

enum { MOST = 70 };

static uint64_t state = 1;

/* Returns one of the numbers 0 to N - 1.  */
static unsigned
any (unsigned n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (state >> 33) % n;
}

/* Returns a part of an element of an operand that has special ones or not.  */
static double
number (int special)
{
  static const double specials[] = {NAN, INFINITY, -INFINITY};

  if (special && any (60) == 0)
    return specials[any (3)];
  return any (3) == 0 ? 0 : (any (2) ? 1 : -1) * (1 + any (1000) / 1000.);
}

static double
scale (void)
{
  static const double usual[] = {0, 1, 1, -0.75};

  return usual[any (4)];
}

/* Functions of symmetric and of Hermitian matrices know one way to transpose.  */
static CBLAS_TRANSPOSE_t
turn (const char *name)
{
  const CBLAS_TRANSPOSE_t of_syrk[] = {CblasNoTrans, CblasTrans};
  const CBLAS_TRANSPOSE_t of_herk[] = {CblasNoTrans, CblasConjTrans};
  const CBLAS_TRANSPOSE_t of_others[] = {CblasNoTrans, CblasTrans, CblasConjTrans};

  return strstr (name, "syr") ? of_syrk[any (2)]
         : strstr (name, "her") ? of_herk[any (2)] : of_others[any (3)];
}

/* Prints a number that tells in which places of so many parts there is what.  */
static void
say (const char *name, unsigned call, uint64_t places)
{
  printf ("%s %u %016llx\n", name, call, (unsigned long long) places);
}

static uint64_t
add_place (uint64_t places, double x)
{
  const unsigned what = isnan (x) ? 3 : !isinf (x) ? 0 : x > 0 ? 1 : 2;

  return (places ^ what) * 1099511628211u;
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tests/preload/specials_of.inc"
#include "src/each_type.h"

int
main (int argc, char **argv)
{
  const unsigned calls = argc > 1 ? (unsigned) atoi (argv[1]) : 1;

  gsl_set_error_handler_off ();
  for (unsigned k = 0; k < calls; k++)
    {
      call_each (k);
      call_each_float (k);
      call_each_complex (k);
      call_each_complex_float (k);
    }
  return 0;
}

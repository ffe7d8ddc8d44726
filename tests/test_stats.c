/* Tests of the statistics (src/public/statistics.c): each gives what GSL's function
   of that name gives, to GSL's tolerance.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"

#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "tests/exact.h"

/* What GSL's own tests allow.  */
#define TOLERANCE 1e-10

enum kind
{
  AROUND_ZERO,
  FAR_FROM_ZERO,
  OF_MANY_SIZES,
  FEW_VALUES,
  N_KINDS
};

/* Of what cancels to about 0 the absolute error counts.  */
static int
agree (double ours, double gsl, double tolerance)
{
  if (isnan (ours) || isnan (gsl))
    return isnan (ours) && isnan (gsl);
  return ours == gsl
         || fabs (ours - gsl) <= tolerance * fmax (fabs (gsl), 1);
}

#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (name, result)
#define OF_VECTOR_ALL(...)
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_MATRIX_ALL(...)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)
#define GT_TEMPLATE "tests/stats_cases.inc"
#include "src/public/each_type.h"
#undef FUNCTION

static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 64,
                                 100, 511, 512, 513, 1000, 4097};
static const size_t strides[][2] = {{1, 1}, {1, 3}, {2, 1}, {5, 7}};

TEST (as_gsl)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      for (int kind = 0; kind < N_KINDS; kind++)
        {
#define X(id, type, infix, ctype, arithmetic) \
          cases##infix ((enum kind) kind, lengths[k], strides[s][0], strides[s][1]);
          GT_ELEMENT_TYPES (X)
#undef X
        }
}

int
main (void)
{
  gt_env.profile_dir = "/nonexistent";
  return run_unit_tests (NULL, NULL);
}

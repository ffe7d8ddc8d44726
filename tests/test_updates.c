/* Tests of src/blas/updates.c: what BLAS of level 1 writes has GSL's prototypes, and bit
   for bit what loops in plain C make that round each operation: with every instruction set,
   length, stride and alignment, of overlapping vectors too, of NaN, infinities, numbers that
   overflow or underflow, in another rounding mode; and nothing else in memory changes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>

#include "kernels/cpu/isa/isa.h"
#include "src/gsltune.h"
#include "src/prototypes.h"

/* Both functions have one prototype.  */
#define UPDATE_ROW(symbol, ...) SAME_PROTOTYPE (symbol)
#define SAME_PROTOTYPE(symbol)                                                \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_##symbol), __typeof__ (gsl_##symbol)), #symbol);
#include "src/preload/rows.inc"

enum
{
  MOST = 70,             /* elements of a vector */
  ROOM = 2 * 3 * 80,     /* parts of one and what lies around it */
  N_KINDS = 3            /* of numbers */
};

/* The function that is called, and the special elements.  */
enum update
{
  AXPY, SCAL, SCAL_REAL, SWAP, COPY, ROT, N_UPDATES
};

/* Where the vectors lie in memory of 2 ROOM parts.  */
struct scene
{
  size_t n, first[2], stride[2]; /* in elements */
};

static const double special[]
  = {0, -0.0, NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -1, FLT_MAX, 1e-40};
static const double factors[] = {0, -0.0, 1, -1, 0.7, NAN, INFINITY, 1e300, 1e-300, 3e38};

/* Number I of KIND: with many digits, of all sizes, or special.  */
static double
number (unsigned kind, size_t i)
{
  const double x = sin (1.0 + 37 * (double) i);

  return kind == 0   ? x
         : kind == 1 ? ldexp (x, (int) (i * 7919 % 2000) - 1000)
                     : special[(i * 5 + i / 12) % N_OF (special)];
}

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tests/updates_of.inc"
#include "src/each_type.h"

static void
try_all (const struct scene *scene)
{
  for (unsigned kind = 0; kind < N_KINDS; kind++)
    for (size_t f = 0; f < N_OF (factors); f++)
      {
        try (scene, kind, factors[f], factors[(f + 3) % N_OF (factors)]);
        try_float (scene, kind, factors[f], factors[(f + 3) % N_OF (factors)]);
        try_complex (scene, kind, factors[f], factors[(f + 3) % N_OF (factors)]);
        try_complex_float (scene, kind, factors[f], factors[(f + 3) % N_OF (factors)]);
      }
}

TEST (of_all_lengths)
{
  static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, MOST};

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        gt_isa_set_limit ((enum gt_isa) isa);
        for (size_t k = 0; k < N_OF (lengths); k++)
          try_all (&(struct scene) {lengths[k], {1 + k % 4, 84 + k % 3}, {1, 1}});
      }
}

TEST (of_all_strides)
{
  for (size_t s = 1; s <= 3; s++)
    for (size_t t = 1; t <= 3; t++)
      try_all (&(struct scene) {23, {2, 81}, {s, t}});
}

/* In GSL's order: what is written may be read.  */
TEST (of_vectors_that_overlap)
{
  static const size_t starts[][2]
    = {{4, 4}, {4, 5}, {5, 4}, {4, 11}, {11, 4}, {4, 36}, {36, 4}, {4, 37}};

  for (size_t k = 0; k < N_OF (starts); k++)
    try_all (&(struct scene) {33, {starts[k][0], starts[k][1]}, {1, 1}});
}

TEST (in_another_rounding_mode)
{
  fesetround (FE_DOWNWARD);
  try_all (&(struct scene) {37, {3, 84}, {1, 1}});
  fesetround (FE_TONEAREST);
}

TEST (of_different_lengths)
{
  double data[6] = {1, 2, 3, 4, 5, 6};
  gsl_vector x = {3, 1, data, NULL, 0}, y = {2, 1, data + 3, NULL, 0};

  gsl_set_error_handler_off ();
  assert_int_equal (gsltune_blas_daxpy (2, &x, &y), GSL_EBADLEN);
  assert_int_equal (gsltune_blas_dswap (&x, &y), GSL_EBADLEN);
  assert_int_equal (gsltune_blas_dcopy (&x, &y), GSL_EBADLEN);
  assert_int_equal (gsltune_blas_drot (&x, &y, 0.6, 0.8), GSL_EBADLEN);
  for (int k = 0; k < 6; k++)
    assert_true (data[k] == k + 1);
}

RUN_TESTS (NULL, NULL)

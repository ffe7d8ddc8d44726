/* Tests of src/public/blas_matrix.c: each procedure of BLAS levels 2 and 3 has GSL's
   prototype, and of whole numbers, of which all ways are exact, GSL's results, bit for bit,
   with whatever arguments; it reads and writes nothing else, and reports what GSL reports.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <string.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "src/prototypes.h"

#define SIDE 24
#define TDA 26

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_PROCEDURE_PROTOTYPES (X)
#undef X
};

/* The arguments of a call but its operands.  */
static struct
{
  size_t m, n, k;
  CBLAS_TRANSPOSE_t trans, trans_b;
  CBLAS_UPLO_t uplo;
  CBLAS_SIDE_t side;
  CBLAS_DIAG_t diag;
  double alpha, beta;
  int spoilt; /* whether a length does not fit */
} call;

/* Both functions have one prototype.  */
#define PROCEDURE_ROW(symbol, ...) SAME_PROTOTYPE (symbol)
#define SAME_PROTOTYPE(symbol)                                                \
  _Static_assert (__builtin_types_compatible_p (                              \
                    __typeof__ (gsltune_##symbol), __typeof__ (gsl_##symbol)), #symbol);
#include "src/preload/rows.inc"

#define BESIDE_GSL(symbol, prototype)                                                  \
  if (NAMED (is_known, ) (OF_##prototype))                                             \
    {                                                                                  \
      NAMED (sow, ) (&NAMED (ours, ), (unsigned) (call.m + 31 * call.k));              \
      NAMED (gsls, ) = NAMED (ours, );                                                 \
      status = NAMED (call, _by) (OF_##prototype, gsltune_##symbol, &NAMED (ours, ));  \
      NAMED (compare, ) (#symbol, status, NAMED (call, _by) (                          \
        OF_##prototype, gsl_##symbol, &NAMED (gsls, )));                               \
    }
#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tests/blas_of_type.inc"
#include "src/public/each_type.h"

static void
all_types (void)
{
  all ();
  all_float ();
  all_complex ();
  all_complex_float ();
}

/* Every combination of what is transposed, where, and how.  */
static void
all_arguments (void)
{
  static const CBLAS_TRANSPOSE_t turns[] = {CblasNoTrans, CblasTrans, CblasConjTrans};

  for (unsigned k = 0; k < 72; k++)
    {
      call.trans = turns[k % 3];
      call.trans_b = turns[k / 3 % 3];
      call.uplo = k / 9 % 2 ? CblasLower : CblasUpper;
      call.side = k / 18 % 2 ? CblasRight : CblasLeft;
      call.diag = k / 36 ? CblasUnit : CblasNonUnit;
      all_types ();
    }
}

static const size_t shapes[][3]
  = {{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 5, 3}, {5, 1, 4},
     {4, 4, 4}, {7, 9, 1}, {3, 2, 17}, {16, 16, 16}, {23, 17, 24}};

static void
all_shapes (gsltune_mode mode)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();

  gsltune_set_mode (mode);
  for (size_t s = 0; s < N_OF (shapes); s++)
    {
      call.m = shapes[s][0];
      call.n = shapes[s][1];
      call.k = shapes[s][2];
      for (call.alpha = -1; call.alpha <= 2; call.alpha++)
        for (call.beta = 0; call.beta <= 1; call.beta++)
          all_arguments ();
    }
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gsl_set_error_handler (before);
}

TEST (fast)
{
  all_shapes (GSLTUNE_MODE_FAST);
}

TEST (exact)
{
  all_shapes (GSLTUNE_MODE_EXACT);
}

TEST (lengths_that_do_not_fit)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();

  call.spoilt = 1;
  call.m = call.n = call.k = 5;
  all_arguments ();
  call.spoilt = 0;
  gsl_set_error_handler (before);
}

RUN_TESTS (NULL, NULL)

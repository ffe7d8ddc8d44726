/* Calling any function of GSL's.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/gsl_calls.h"

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>

#include "kernels/task.h"

/* Where results go, so that no compiler leaves a call out.  */
static union
{
  union gt_value value;
  size_t index[4];
} result;
#define RESULT(type) (*(volatile type *) &result)

/* What is passed for a mean and a standard deviation.  */
#define MEAN 0.5
#define SD 0.25

#define CALL static void
#define WITH void *function, const struct gt_gsl_operands *o

#define GT_TEMPLATE "tuning/measure/gsl_calls_of.inc"
#include "src/public/each_type.h"

/* ------------------------------------------------------------------ BLAS */

CALL
call_ddot (WITH)
{
  int (*f) (const gsl_vector *, const gsl_vector *, double *) = function;
  const gsl_vector x = view_x (o), y = view_y (o);

  f (&x, &y, (double *) &result);
}

CALL
call_sdot (WITH)
{
  int (*f) (const gsl_vector_float *, const gsl_vector_float *, float *)
    = function;
  const gsl_vector_float x = view_float_x (o), y = view_float_y (o);

  f (&x, &y, (float *) &result);
}

CALL
call_dsdot (WITH)
{
  int (*f) (const gsl_vector_float *, const gsl_vector_float *, double *)
    = function;
  const gsl_vector_float x = view_float_x (o), y = view_float_y (o);

  f (&x, &y, (double *) &result);
}

CALL
call_sdsdot (WITH)
{
  int (*f) (float, const gsl_vector_float *, const gsl_vector_float *, float *)
    = function;
  const gsl_vector_float x = view_float_x (o), y = view_float_y (o);

  f (1, &x, &y, (float *) &result);
}

/* Norms and sums of magnitudes are like a vector's sum; an index is
   CBLAS_INDEX_t, which is a size_t.  */
_Static_assert (sizeof (CBLAS_INDEX) == sizeof (size_t), "CBLAS_INDEX");
#define call_dnrm2 call_vector_VALUE
#define call_dasum call_vector_VALUE
#define call_idamax call_vector_INDEX
#define call_snrm2 call_vector_float_VALUE
#define call_sasum call_vector_float_VALUE
#define call_isamax call_vector_float_INDEX

#define TYPE_OF_ddot DOUBLE
#define TYPE_OF_dnrm2 DOUBLE
#define TYPE_OF_dasum DOUBLE
#define TYPE_OF_idamax DOUBLE
#define TYPE_OF_sdot FLOAT
#define TYPE_OF_dsdot FLOAT
#define TYPE_OF_sdsdot FLOAT
#define TYPE_OF_snrm2 FLOAT
#define TYPE_OF_sasum FLOAT
#define TYPE_OF_isamax FLOAT

/* ---------------------------------------------------------------- The table */

#define TYPE_OF_INFIX_ DOUBLE
#define TYPE_OF_INFIX__float FLOAT
#define TYPE_OF_INFIX__long_double LONG_DOUBLE
#define TYPE_OF_INFIX__int INT
#define TYPE_OF_INFIX__uint UINT
#define TYPE_OF_INFIX__long LONG
#define TYPE_OF_INFIX__ulong ULONG
#define TYPE_OF_INFIX__short SHORT
#define TYPE_OF_INFIX__ushort USHORT
#define TYPE_OF_INFIX__char CHAR
#define TYPE_OF_INFIX__uchar UCHAR

enum
{
  TWO_VALUE = 0,
  TWO_VALUES = 0,
  TWO_INDEX = 0,
  TWO_INDEXES = 0,
  TWO_DOUBLE = 0,
  TWO_DOUBLE_M = 0,
  TWO_DOUBLE_M_SD = 0,
  TWO_PAIR = 1,
  TWO_PAIR_M = 1,
  TWO_WEIGHTED = 1,
  TWO_WEIGHTED_M = 1,
  TWO_WEIGHTED_M_SD = 1,
  TWO_PRODUCT = 1,
  TWO_PRODUCT_FROM = 1
};

#define TYPE_ID(type) TYPE_ID_ (type)
#define TYPE_ID_(type) GT_TYPE_##type
#define CALL_blas(name, infix, result) \
  {call_##name, TYPE_ID (TYPE_OF_##name), 1, TWO_##result}
#define CALL_vector(name, infix, result) \
  {call_vector##infix##_##result, TYPE_ID (TYPE_OF_INFIX_##infix), 1, 0}
#define CALL_stats(name, infix, result) \
  {call_stats##infix##_##result, TYPE_ID (TYPE_OF_INFIX_##infix), 1, TWO_##result}
#define CALL_matrix(name, infix, result) \
  {call_matrix##infix##_##result, TYPE_ID (TYPE_OF_INFIX_##infix), 0, 0}

const struct gt_gsl_call gt_gsl_calls[GT_N_TAKEN] = {
#define ROW(symbol, family, name, type, reduction, result, real) \
  ROW_ (family, name, type, result)
#define ROW_(family, name, type, result) CALL_##family (name, type, result),
#include "src/preload/rows.inc"
#undef ROW_
};

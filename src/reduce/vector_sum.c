/* The public sums of host vectors, and the mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <math.h>

#include "kernels/cutoffs.h"
#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/reduce/exact_sums.h"
#include "src/route/reduce.h"

/* A branch that is taken costs a cycle, a tenth of the time for a sum of one element; for
   longer sums the cycle does not matter.  */
#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

#define NAMED(stem) GT_PASTE (stem, ID)
#define REDUCTION GT_SUM
#define LIFT(x) (x)

#define ID F64
#define TYPE double
#define EXACT(task, to) gt_exact_double (task, 1, 0, to)
#include "src/reduce/vector_sum.inc"

#define ID F32
#define TYPE float
#define EXACT(task, to) gt_exact_float (task, 0, 0, to)
#include "src/reduce/vector_sum.inc"

#define ID LDBL
#define TYPE long double
#include "src/reduce/vector_sum.inc"

#define ID U64
#define TYPE uint64_t
#include "src/reduce/vector_sum.inc"

#define ID U32
#define TYPE uint32_t
#include "src/reduce/vector_sum.inc"

#define ID U16
#define TYPE uint16_t
#include "src/reduce/vector_sum.inc"

#define ID U8
#define TYPE uint8_t
#include "src/reduce/vector_sum.inc"

/* Signed integers are added as unsigned ones, which wrap.  */
#define FUNCTION(function, vector, ctype, id)                               \
  ctype function (const vector *v)                                          \
  { return (ctype) sum_##id ((const void *) v->data, v->size, v->stride); }

FUNCTION (gsltune_vector_sum, gsl_vector, double, F64)
FUNCTION (gsltune_vector_float_sum, gsl_vector_float, float, F32)
FUNCTION (gsltune_vector_long_double_sum, gsl_vector_long_double, long double,
          LDBL)
FUNCTION (gsltune_vector_int_sum, gsl_vector_int, int, U32)
FUNCTION (gsltune_vector_uint_sum, gsl_vector_uint, unsigned int, U32)
FUNCTION (gsltune_vector_long_sum, gsl_vector_long, long, U64)
FUNCTION (gsltune_vector_ulong_sum, gsl_vector_ulong, unsigned long, U64)
FUNCTION (gsltune_vector_short_sum, gsl_vector_short, short, U16)
FUNCTION (gsltune_vector_ushort_sum, gsl_vector_ushort, unsigned short, U16)
FUNCTION (gsltune_vector_char_sum, gsl_vector_char, char, U8)
FUNCTION (gsltune_vector_uchar_sum, gsl_vector_uchar, unsigned char, U8)

int
gsltune_set_mode (gsltune_mode mode)
{
  if ((int) mode < 0 || (int) mode >= GT_N_CHOSEN_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  gt_set_mode ((enum gt_mode) mode);
  return GSL_SUCCESS;
}

int
gsltune_set_thread_mode (gsltune_mode mode)
{
  if ((int) mode < -1 || (int) mode >= GT_N_CHOSEN_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  gt_thread_modes = (int) mode < 0 ? &gt_process_modes : &gt_modes_of[mode];
  return GSL_SUCCESS;
}

gsltune_mode
gsltune_get_thread_mode (void)
{
  const struct gt_modes *const own = gt_thread_modes;

  return own == &gt_process_modes ? GSLTUNE_MODE_PROCESS : (gsltune_mode) own->chosen;
}

gsltune_mode
gsltune_get_mode (void)
{
  return (gsltune_mode) gt_mode_chosen ();
}

const char *
gsltune_version (void)
{
  return PACKAGE_VERSION;
}

const char *
gsltune_last_route (unsigned long *planned)
{
  const struct gt_reduce_last last = gt_reduce_last ();

  if (planned)
    *planned = last.planned;
  return last.route;
}

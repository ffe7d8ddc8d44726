/* All functions that src/functions.def lists.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/listed.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/prototypes.h"
#include "src/statistics/terms.h"

enum prototype
{
#define X(prototype) OF_##prototype,
  GT_HOST_PROTOTYPES (X)
  GT_DEVICE_PROTOTYPES (X)
  GT_COMPLEX_PROTOTYPES (X)
#undef X
};

/* The operands.  */
enum
{
  INPUTS_VECTOR = 1,
  INPUTS_VECTORS = 2,
  INPUTS_ARRAY = 1,
  INPUTS_ARRAYS = 2,
  INPUTS_MATRIX = 1,
  INPUTS_DEVICE = 1,
  INPUTS_DEVICES = 2
};

/* By the first given number.  */
enum
{
  GIVEN_0 = 0,
  GIVEN_mean = 1,
  GIVEN_mean1 = 1,
  GIVEN_alpha = 1
};

/* Stores the answer of a call.  */
#define TAKE_VALUE(call) *min = call
#define TAKE_NUMBER(call) *wide = call
#define TAKE_INDEX(call) *i = call
#define TAKE_VALUES(call) call
#define TAKE_INDEXES(call) call
#define TAKE_PLACES(call) call
#define TAKE_PRODUCT(call) a->status = call
#define TAKE_WIDE(call) a->status = call

#define GT_COMPLEX_TOO
#define GT_TEMPLATE "tuning/measure/listed_of.inc"
#include "src/each_type.h"

const struct gt_listed_type gt_listed[GT_N_TYPES] = {
#define X(id, name, infix, ctype, arithmetic)                                  \
  [GT_TYPE_##id] = {listed##infix, sizeof listed##infix / sizeof *listed##infix, \
                    device_make##infix, device_free##infix},
  GT_ELEMENT_TYPES (X)
  GT_COMPLEX_TYPES (X)
#undef X
};

long double
gt_answer_value (const struct gt_listed *f, const struct gt_answer *a, int k)
{
  const int is_double
    = f->answers == GT_ANSWERS_NUMBER || f->answers == GT_ANSWERS_WIDE;

  switch (is_double || f->type == GT_TYPE_COMPLEX  ? GT_TYPE_DOUBLE
          : f->type == GT_TYPE_COMPLEX_FLOAT ? GT_TYPE_FLOAT : f->type)
    {
#define X(id, name, infix, ctype, arithmetic)   \
    case GT_TYPE_##id:                          \
      return (long double) ((const ctype *) (const void *) a->value)[k];
    GT_ELEMENT_TYPES (X)
#undef X
    default:
      return 0;
    }
}

/* ---------------------------------------------------------------- Finding */

const struct gt_listed *
gt_listed_named (const char *symbol)
{
  for (int type = 0; type < GT_N_TYPES; type++)
    for (size_t k = 0; k < gt_listed[type].count; k++)
      if (strcmp (gt_listed[type].function[k].symbol + strlen ("gsl_"), symbol) == 0)
        return &gt_listed[type].function[k];
  return NULL;
}

/* Only the mean uses the total, and only sums of floats use the sums that decide these on a
   GPU.  */
static const struct gt_listed *
first_for (enum gt_reduction reduction, enum gt_element_type type, int on_device)
{
  const struct gt_listed *f = gt_listed[type].function;

  if (reduction == GT_SPAN)
    reduction = GT_SUM;
  for (size_t k = 0; k < gt_listed[type].count; k++)
    if ((f[k].family == GT_OF_DEVICE_VECTOR) == on_device
        && (reduction == GT_TOTAL ? strcmp (f[k].name, "mean") == 0
                                  : f[k].reduction == reduction))
      return &f[k];
  return NULL;
}

const struct gt_listed *
gt_listed_for (enum gt_reduction reduction, enum gt_element_type type)
{
  return first_for (reduction, type, 0);
}

const struct gt_listed *
gt_listed_on_device (enum gt_reduction reduction, enum gt_element_type type)
{
  return first_for (reduction, type, 1);
}

/* Returns null also for a char whose sign is not the platform's.  */
const struct gt_listed *
gt_listed_in (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  for (int type = 0; type < GT_N_TYPES; type++)
    if (gt_arithmetic_for (reduction, gt_types[type].arithmetic) == arithmetic)
      return gt_listed_for (reduction, (enum gt_element_type) type);
  return NULL;
}

/* The reductions as data.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KERNELS_REDUCTIONS_H
#define GT_KERNELS_REDUCTIONS_H

#include "kernels/types.h"

/* See reductions.def.  */
enum gt_reduction
{
#define REDUCTION(id, ...) GT_##id,
#include "kernels/reductions.def"
#undef REDUCTION
  GT_N_REDUCTIONS
};

enum gt_algebra
{
  GT_ALGEBRA_ADD,
  GT_ALGEBRA_ORDER,
  GT_ALGEBRA_MOMENTS,
  GT_ALGEBRA_COMPLEX
};

struct gt_reduction_info
{
  const char *name;          /* "sum", ...  */
  enum gt_algebra algebra;
  unsigned inputs;           /* vectors */
  unsigned plain, products;  /* sums of a value */
  unsigned arithmetics;      /* 1 << GT_F64 | ...  */
  unsigned modes;            /* 1 << GT_MODE_FAST | ...  */
  enum gt_reduction serves;  /* the reduction whose steps are used; itself: its own */
  const char *summary;
};

extern const struct gt_reduction_info gt_reductions[GT_N_REDUCTIONS];

/* Returns the number, or -1 for an unknown name.  */
int gt_reduction_from_name (const char *name);

/* Checks whether its steps are used for another reduction too.  */
int gt_reduction_leads (enum gt_reduction reduction);

static inline int
gt_reduction_has (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  return (gt_reductions[reduction].arithmetics & 1u << arithmetic) != 0;
}

/* Returns the arithmetic that REDUCTION uses for elements of ARITHMETIC: the unsigned one if
   the sign does not matter.  */
static inline enum gt_arithmetic
gt_arithmetic_for (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  const int is_signed = gt_is_signed_integer (arithmetic);

  return is_signed && !gt_reduction_has (reduction, arithmetic)
           ? (enum gt_arithmetic) (arithmetic - GT_I64 + GT_U64) : arithmetic;
}

/* Checks whether its values are several sums at once (struct gt_sums).  */
static inline int
gt_reduction_sums (enum gt_reduction reduction)
{
  return gt_reductions[reduction].algebra >= GT_ALGEBRA_MOMENTS;
}

/* Returns the mode of REDUCTION of ARITHMETIC if MODE is requested.  Extremes, which are not
   rounded, have one mode, and so have integers, which wrap or are wide enough for every sum.
   If exact results are made of compensated sums, exact mode computes these; a reduction
   without a compensated way is computed exactly.  */
static inline enum gt_mode
gt_mode_for (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
             enum gt_mode mode)
{
  const struct gt_reduction_info *info = &gt_reductions[reduction];

  if (gt_is_integer (arithmetic))
    return GT_MODE_FAST;
  if (mode != GT_MODE_FAST && !(info->modes & 1u << mode))
    mode = mode == GT_MODE_EXACT ? GT_MODE_COMPENSATED : GT_MODE_EXACT;
  return info->modes & 1u << mode ? mode : GT_MODE_FAST;
}

#endif

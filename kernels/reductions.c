/* The reductions as data: reductions.def.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/reductions.h"

#include <string.h>

#include "kernels/words.h"

const struct gt_reduction_info gt_reductions[GT_N_REDUCTIONS] = {
#define REDUCTION(id, name, algebra, inputs, plain, products, arithmetics, \
                  modes, serves, summary)                                 \
  [GT_##id] = {#name, GT_ALGEBRA_##algebra, inputs, plain, products, arithmetics, modes, \
               GT_##serves, summary},
#include "kernels/reductions.def"
#undef REDUCTION
};

int
gt_reduction_from_name (const char *name)
{
  for (int reduction = 0; reduction < GT_N_REDUCTIONS; reduction++)
    if (strcmp (gt_reductions[reduction].name, name) == 0)
      return reduction;
  return -1;
}

int
gt_reduction_leads (enum gt_reduction reduction)
{
  for (int other = 0; other < GT_N_REDUCTIONS; other++)
    if (gt_reductions[other].serves == reduction)
      return 1;
  return 0;
}

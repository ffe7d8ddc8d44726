/* The reductions as data: reductions.def.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/reductions.h"

#include <string.h>

#include "kernels/cutoffs.h"
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

const char *
gt_cutoff_way (const struct gt_problem *problem)
{
  static const struct
  {
    uint64_t most;
    unsigned reductions, arithmetics, modes;
    const char *summary;
  } cutoffs[] = {
#define CUTOFF(id, ...) {__VA_ARGS__},
#include "kernels/cutoffs.def"
#undef CUTOFF
  };

  for (unsigned k = 0; k < sizeof cutoffs / sizeof *cutoffs; k++)
    if (problem->n <= cutoffs[k].most
        && cutoffs[k].reductions >> problem->reduction & 1
        && cutoffs[k].arithmetics >> problem->arithmetic & 1
        && cutoffs[k].modes >> problem->mode & 1)
      return cutoffs[k].summary;
  return NULL;
}

/* How a rung of the ladder that is not the library's is launched.  Pure
   arithmetic.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUNG_PLAN_H
#define GT_RUNG_PLAN_H

#include "kernels/ladder/rungs.h"
#include "src/base/configuration.h"

/* The largest grid of a launch, in blocks.  */
#define GT_MAX_GRID 0x7fffffffu

struct gt_rung_plan
{
  uint64_t grid;    /* blocks of the first pass, which cover the data; 0: more
                       than a launch can have */
  uint64_t scratch; /* bytes of device memory between the data and the sum */
  uint64_t left_at; /* where in it, in bytes, the last pass leaves its sums */
  uint64_t left;    /* how many; more than one are for the host to add */
};

/* For the sum of N elements by RUNG in CONFIG.  */
struct gt_rung_plan gt_rung_plan (const struct gt_ladder_kernel *rung,
                                  const struct gt_config *config,
                                  enum gt_arithmetic arithmetic, uint64_t n);

/* Blocks that sum what GRID blocks have left.  */
uint64_t gt_rung_next_grid (const struct gt_config *config, uint64_t grid);

/* Bytes, in scratch memory, of the sums that GRID blocks leave.  */
uint64_t gt_rung_sums_bytes (enum gt_arithmetic arithmetic, uint64_t grid);

#endif

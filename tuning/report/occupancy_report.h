/* What `gsltune occupancy' prints.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TUNING_OCCUPANCY_REPORT_H
#define GT_TUNING_OCCUPANCY_REPORT_H

#include <jansson.h>
#include <stddef.h>

#include "kernels/resources.h"
#include "tuning/measure/occupancy.h"

/* What an SM offers, and whose.  */
struct gt_supply
{
  struct gt_sm_limits limits;
  char device[128]; /* "" for a bare compute capability */
};

/* What a kernel asks for.  */
struct gt_demand
{
  char symbol[128];  /* "" for given numbers */
  int registers;     /* a thread */
  size_t shared;     /* bytes a block, whatever its size */
  size_t shared_per_thread; /* bytes more for each thread of a block */
  int block;         /* threads */
  const struct gt_kernel_resources *compiled; /* null for given numbers */
};

/* The occupancy of blocks of BLOCK threads, whatever the demand's own.  */
struct gt_occupancy gt_demand_occupancy (const struct gt_supply *supply,
                                         const struct gt_demand *demand,
                                         int block);

/* Prints O, the demand's occupancy, step by step, and that of every other block
   size, for people.  */
void gt_print_occupancy (const struct gt_supply *supply,
                         const struct gt_demand *demand,
                         const struct gt_occupancy *o);

/* The same for programs; null when memory runs out.  */
json_t *gt_occupancy_to_json (const struct gt_supply *supply,
                              const struct gt_demand *demand,
                              const struct gt_occupancy *o);

#endif

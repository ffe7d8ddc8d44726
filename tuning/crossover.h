/* From which length on a GPU sums host data faster than the CPU does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CROSSOVER_H
#define GT_CROSSOVER_H

#include "tuning/sweep.h"

/* The longest vector that is looked at with some effort, in elements.  */
uint64_t gt_crossover_last (enum gt_effort effort);

/* Times both whole ways, from ordinary memory to a number, with the plans now
   in force, at lengths from 2^14 to the last that HOST holds.  HOST is the host's target, GPU the
   GPU's.  0, or -1 with WHY; 1 when stopped.  */
int gt_crossover_find (struct gt_sweep *sweep, struct gt_target *host,
                       struct gt_target *gpu, enum gt_arithmetic arithmetic,
                       enum gt_mode mode, struct gt_crossover *crossover,
                       char *why, size_t why_size);

/* The length from which on GPU_WINS stays true to the end, or GT_NEVER:
   an isolated win does not count.  */
uint64_t gt_crossover_of (const uint64_t *lengths, const int *gpu_wins,
                          unsigned n);

#endif

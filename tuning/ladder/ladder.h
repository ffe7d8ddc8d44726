/* The reduction ladder: every rung tuned for itself, what it computes, and telling of it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LADDER_H
#define GT_LADDER_H

#include <jansson.h>

#include "kernels/ladder/rungs.h"
#include "tuning/search/sweep.h"

/* A GPU with the data of one problem, for rung after rung.  */
struct gt_ladder
{
  struct gt_problem problem;  /* mode fast, contiguous */
  struct gt_target gpu;       /* with the tuner's data, to verify and to time */
  struct gt_target uniform;   /* the same GPU with uniform data, to see errors */
  struct gt_sweep sweep;
};

struct gt_rung
{
  const struct gt_ladder_kernel *kernel;
  struct gt_space space;              /* what was swept, with its times */
  const struct gt_candidate *winner;  /* of the space; null: not available */
  struct gt_winner found;              /* of the winner */
  union gt_value sum;                   /* of the uniform data, by the winner */
  double error;                       /* relative, of that sum */
  char why[256];                      /* it is not available */
};

/* Opens GPU number INDEX (as gt_gpu_device) for a fast sum of N contiguous
   elements.  TOOLKIT: as struct gt_rungs has it.  Returns 0, or -1 and the GPU's target
   says why.  */
int gt_ladder_open (struct gt_ladder *ladder, int index,
                    enum gt_arithmetic arithmetic, uint64_t n,
                    enum gt_effort effort, const char *toolkit);
void gt_ladder_close (struct gt_ladder *ladder);

/* Tunes KERNEL alone and lets it sum.  A rung that this GPU, driver or build does
   not have is no error: it has no winner, and RUNG->why.  Returns 0; -1, with
   RUNG->why, when the GPU has failed for good.  The caller clears RUNG's space.  */
int gt_ladder_measure (struct gt_ladder *ladder,
                       const struct gt_ladder_kernel *kernel,
                       struct gt_rung *rung);

/* ------------------------------------ Tables for people, JSON for programs */

struct gt_ladder_report
{
  const struct gt_device *device;
  enum gt_element_type type;
  struct gt_problem problem;
  struct gt_rung *rung; /* in the ladder's order */
  unsigned n;
};

/* The rung whose time RUNG's is compared with: the same form (in place, in shared
   memory, by shuffles) of the nearest rung below that this GPU has, where it has
   that form, else its fastest one.  Null: there is none below.  */
const struct gt_rung *gt_ladder_before (const struct gt_ladder_report *report,
                                        const struct gt_rung *rung);

/* All rungs: their speed, their resources, and what each removed.  */
void gt_ladder_print (const struct gt_ladder_report *report);

/* Null when memory is short.  */
json_t *gt_ladder_json (const struct gt_ladder_report *report);

#endif

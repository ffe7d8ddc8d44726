/* The reduction ladder: tunes each rung separately, sums with it and reports the results.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LADDER_H
#define GT_LADDER_H

#include <jansson.h>

#include "kernels/ladder/rungs.h"
#include "tuning/measure/target.h"
#include "tuning/search/space.h"

/* A GPU with the data of one problem, which all rungs use.  */
struct gt_ladder
{
  struct gt_problem problem;  /* mode fast, contiguous */
  struct gt_target gpu;       /* with the tuner's data, to verify and to time */
  struct gt_target uniform;   /* the same GPU with uniform data, to see errors */
  enum gt_effort effort;
};

struct gt_rung
{
  const struct gt_ladder_kernel *kernel;
  struct gt_space space;              /* the configurations that were swept, with their
                                         times */
  const struct gt_candidate *winner;  /* of the space; null: not available */
  union gt_value sum;                   /* of the uniform data, computed by the winner */
  double error;                       /* relative error of that sum */
  char why[256];                      /* the reason why it is not available */
};

/* Opens GPU number INDEX (as in gt_gpu_device) for a fast sum of N contiguous elements.
   TOOLKIT is as in struct gt_rungs.  Returns 0, or -1 with the reason in the GPU's target.  */
int gt_ladder_open (struct gt_ladder *ladder, int index,
                    enum gt_arithmetic arithmetic, uint64_t n,
                    enum gt_effort effort, const char *toolkit);
void gt_ladder_close (struct gt_ladder *ladder);

/* Tunes KERNEL alone and computes its sum.  If this GPU, driver or build cannot run a rung,
   that is no error: the rung has no winner, and RUNG->why.  Returns 0, or -1 with RUNG->why if
   the GPU has failed permanently.  The caller clears RUNG's space.  */
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

/* Returns the rung with which RUNG's time is compared: the nearest rung below it that this GPU
   has, in the same form (in place, in shared memory, by shuffles) if it has that form,
   otherwise in its fastest one.  Returns null if there is none.  */
const struct gt_rung *gt_ladder_before (const struct gt_ladder_report *report,
                                        const struct gt_rung *rung);

/* Prints all rungs: their speed, their resources, and the cost that each removes.  */
void gt_ladder_print (const struct gt_ladder_report *report);

/* Returns null if memory is short.  */
json_t *gt_ladder_json (const struct gt_ladder_report *report);

#endif

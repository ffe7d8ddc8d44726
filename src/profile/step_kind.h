/* Kinds of problems, as texts: the keys of steps.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_STEP_KIND_H
#define GT_STEP_KIND_H

#include "src/base/problem.h"
#include "src/base/route.h"
#include "src/profile/profile.h"

/* The kind of a reduction: PROBLEM of any length on the device of the profile, or the routes
   of data in PLACE to the GPU whose silicon key is DEVICE.  */
struct gt_step_kind
{
  struct gt_problem problem; /* with length 0 */
  int is_route;
  enum gt_place place;
  char device[GT_SILICON_SIZE];
};

/* Write "sum f64 fast contiguous", or "sum f64 fast host cuda-9.0-132sm-140gib-l2-60mib" with
   any DEVICE, which may be "".  */
void gt_step_kind_of_problem (const struct gt_problem *problem, char text[GT_STEP_KIND_SIZE]);
void gt_step_kind_of_route (const struct gt_problem *problem, enum gt_place place,
                       const char *device, char text[GT_STEP_KIND_SIZE]);

/* Reads TEXT.  Returns 1; 0 if its first word is not a reduction, so that it is the kind of
   other calls; or -1 with WHY.  */
int gt_step_kind_read (const char *text, struct gt_step_kind *kind, char *why, size_t why_size);

/* Returns the route of a step for routes.  */
struct gt_route gt_step_route (const struct gt_step *step);

#endif

/* The ladder, measured, as tables for people and as JSON for programs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LADDER_REPORT_H
#define GT_LADDER_REPORT_H

#include <jansson.h>

#include "tuning/ladder/ladder.h"
#include "tuning/text/gnuplot.h"
#include "tuning/text/number.h"

/* GSL's own sum of the uniform data, on the host.  */
struct gt_ladder_cpu
{
  const char *function; /* its name; null: not measured */
  union gt_value sum;
  double error;         /* relative */
  double seconds;
};

struct gt_ladder_report
{
  const struct gt_device *device;
  enum gt_element_type type;
  struct gt_problem problem;
  struct gt_rung *rung; /* in the ladder's order */
  unsigned n;
  struct gt_ladder_cpu cpu;
};

/* The rung whose time RUNG's is compared with: the same form (in place, in shared
   memory, by shuffles) of the nearest rung below that this GPU has, where it has
   that form, else its fastest one.  Null: there is none below.  */
const struct gt_rung *gt_ladder_before (const struct gt_ladder_report *report,
                                        const struct gt_rung *rung);

/* All rungs: their speed, their resources, and what each removed.  */
void gt_ladder_print (const struct gt_ladder_report *report);

/* The one rung there is, in full.  COLOURS: for a terminal that has them.  */
void gt_ladder_print_rung (const struct gt_ladder_report *report,
                           int colours);

/* Null when memory is short.  */
json_t *gt_ladder_json (const struct gt_ladder_report *report);

/* Member [0] of SUM as an element of TYPE.  */
void gt_ladder_sum_text (enum gt_element_type type, const union gt_value *sum,
                         char text[GT_NUMBER_SIZE]);

/* The rungs, as gt_ladder_json tells of them, as bars.  Returns 0, or -1
   where there is nothing to draw.  */
int gt_plot_ladder (struct gt_gnuplot *plot, const json_t *ladder);

#endif

/* Pictures of what was measured.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLOT_H
#define GT_PLOT_H

#include <jansson.h>

#include "src/profile/profile.h"
#include "tuning/store/measurements.h"
#include "tuning/text/gnuplot.h"

/* The part of a profile that is drawn: contiguous elements of one type, one operation.  */
struct gt_plot_choice
{
  enum gt_reduction reduction;
  enum gt_element_type type;
  int mode; /* enum gt_mode; -1: all */
};

/* Each returns 0, or -1 where there is nothing to draw, and PLOT says why.  */

/* The bandwidth of the winners against n, a curve for each mode, below what the memory or
   the caches give; and of a host the lengths from which on a GPU takes part.  */
int gt_plot_bandwidth (struct gt_gnuplot *plot, const struct gt_device *device,
                       const struct gt_profile *profile,
                       const struct gt_plot_choice *choice);

/* GSL's time over the winners', against n.  */
int gt_plot_gain (struct gt_gnuplot *plot, const struct gt_device *device,
                  const struct gt_profile *profile,
                  const struct gt_plot_choice *choice);

/* Every candidate of one problem, as `tune --effort exhaustive' measured it: its speed as
   a share of the best one's, by its parameters, or by its theoretical occupancy.  */
int gt_plot_sweep (struct gt_gnuplot *plot, const struct gt_measurements *m);
int gt_plot_occupancy (struct gt_gnuplot *plot, const struct gt_measurements *m);

/* The rungs, as gt_ladder_json tells of them, as bars.  */
int gt_plot_ladder (struct gt_gnuplot *plot, const json_t *ladder);

#endif

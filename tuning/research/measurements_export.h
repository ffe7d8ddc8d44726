/* Measurements in the formats of other tools.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MEASUREMENTS_EXPORT_H
#define GT_MEASUREMENTS_EXPORT_H

#include "tuning/store/measurements.h"

/* How many points the product of its parameters' values has.  What is exported has all of
   them: with more than GT_MOST_POINTS a file is not one of ours.  */
size_t gt_measurements_points (const struct gt_measurements *m);
#define GT_MOST_POINTS 65536

/* "kernel-tuner", Kernel Tuner's cache file, or "t4", the results of T4 1.0.0, the
   community's format (https://github.com/odgaard/TuningSchema).  Times in milliseconds.
   A new reference; null when memory is short.  */
json_t *gt_measurements_export (const struct gt_measurements *m, int format);

/* Number of the format called NAME; another name is wrong usage.  */
int gt_export_format (const char *name);

/* Writes what an exhaustive run has measured, in FORMAT, into the folder OUTPUT, a file
   for each problem: OUTPUT/PROBLEM/DEVICE.json.  It is read from the N files FILE,
   or, when there are none, from those beside this machine's profiles.  Returns
   the exit status, after messages.  */
int gt_export_measurements (int format, const char *output, char **file, int n);

#endif

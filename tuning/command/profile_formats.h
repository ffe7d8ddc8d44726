/* gsltune profile export --format: measurements for other tools.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROFILE_FORMATS_H
#define GT_PROFILE_FORMATS_H

/* Number of the format called NAME; -1: there is none.  */
int gt_export_format (const char *name);

/* Writes what an exhaustive run has measured, in FORMAT, into the folder OUTPUT, a file
   for each problem: OUTPUT/PROBLEM/DEVICE.json.  It is read from the N files FILE,
   or, when there are none, from those beside this machine's profiles.  Returns
   the exit status, after messages.  */
int gt_export_measurements (int format, const char *output, char **file, int n);

#endif

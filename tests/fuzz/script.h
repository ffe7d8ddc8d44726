/* Scripts for gnuplot that are made of what others wrote.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_FUZZ_SCRIPT_H
#define GT_FUZZ_SCRIPT_H

#include "tuning/text/gnuplot.h"

/* The script of PLOT, which is released, has no control characters, each of its data ends
   where it should, and it runs nothing.  */
void gt_fuzz_check_script (struct gt_gnuplot *plot);

#endif

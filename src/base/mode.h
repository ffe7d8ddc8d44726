/* The modes that programs choose among.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BASE_MODE_H
#define GT_BASE_MODE_H

#include "kernels/types.h"

/* The modes of kernels, and auto.  */
#define GT_MODE_AUTO ((enum gt_mode) GT_N_MODES)
enum
{
  GT_N_CHOSEN_MODES = GT_N_MODES + 1
};

/* Returns the mode of vectors while MODE is chosen.  Compensated sums, which kernels of GPUs make
   exact results of, are not the result of any function: exact ones are as fast, and no less
   accurate.  */
static inline enum gt_mode
gt_mode_of_vectors (enum gt_mode mode)
{
  return mode == GT_MODE_FAST ? mode : GT_MODE_EXACT;
}

/* Checks whether products of matrices are fast while MODE is chosen.  */
static inline int
gt_mode_has_fast_products (enum gt_mode mode)
{
  return mode == GT_MODE_AUTO || mode == GT_MODE_FAST;
}

#endif

/* Statistics that want the mean of all elements before they look at the first one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_KEPT_H
#define GT_KEPT_H

#include "tuning/text/number.h"

/* All elements that were added, one behind the other.  */
struct gt_kept
{
  enum gt_element_type type;
  void *data;
  size_t n, capacity; /* elements */
  /* Once finished, what gsltune_stats_absdev and its kin return in the mode in
     force.  */
  struct gt_number absdev, skew, kurtosis, lag1;
};

void gt_kept_init (struct gt_kept *kept, enum gt_element_type type);
void gt_kept_clear (struct gt_kept *kept);

/* Keeps a copy of N more elements, STRIDE apart.  Returns 0, or -1 when there is no
   memory for them.  */
int gt_kept_add (struct gt_kept *kept, const void *data, size_t n,
                  size_t stride);

void gt_kept_finish (struct gt_kept *kept);

#endif

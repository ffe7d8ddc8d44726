/* In place of share.c in a library built without CUDA: no route leads to a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/route/share.h"

int
gt_share_compute (const struct gt_scheme *scheme, const struct gt_task *task,
                  union gt_value *value)
{
  (void) scheme;
  (void) task;
  (void) value;
  return -1;
}

uint64_t
gt_share_failed_pieces (void)
{
  return 0;
}

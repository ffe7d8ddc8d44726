/* Common code of the public functions that sort.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PUBLIC_SORTING_H
#define GT_PUBLIC_SORTING_H

#include <stddef.h>
#include <stdint.h>

#include "src/plan/sort_ways.h"

/* The standard deviation of a normal distribution divided by its median absolute deviation: 1
   / Phi^-1 (3/4).  */
#define GT_MAD_OF_NORMAL 1.482602218505602

/* Memory for a call: up to 1 KiB is on the stack, more on the heap.  gt_sort_room_take returns
   null if memory is short or the scratch limit is exceeded.  */
struct gt_sort_room
{
  void *heap;
  _Alignas (16) char few[1024];
};
void *gt_sort_room_take (struct gt_sort_room *room, size_t n, size_t size);
void gt_sort_room_give (struct gt_sort_room *room);

/* Returns whether the N elements of SIZE bytes at A, STRIDE_A elements apart, share no byte
   with the elements at B, or with each other.  Otherwise GSL's result depends on the order of
   its exchanges.  */
int gt_sort_apart (const void *a, size_t stride_a, const void *b, size_t stride_b,
                   size_t n, size_t size);

#endif

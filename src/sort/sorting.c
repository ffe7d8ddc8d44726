/* Common code of the public functions that sort.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/sort/sorting.h"

#include <stdlib.h>

#include "src/base/env.h"

void *
gt_sort_room_take (struct gt_sort_room *room, size_t n, size_t size)
{
  room->heap = NULL;
  if (n <= sizeof room->few / size)
    return room->few;
  if (n <= gt_scratch_limit / size)
    room->heap = malloc (n * size);
  return room->heap;
}

void
gt_sort_room_give (struct gt_sort_room *room)
{
  free (room->heap);
}

int
gt_sort_apart (const void *a, size_t stride_a, const void *b, size_t stride_b,
               size_t n, size_t size)
{
  const uintptr_t from_a = (uintptr_t) a, from_b = (uintptr_t) b;
  const uintptr_t between = from_a < from_b ? from_b - from_a : from_a - from_b;
  const size_t first = from_a < from_b ? stride_a : stride_b;
  const uintptr_t step = stride_a * size;

  if (stride_a == 0 || stride_b == 0)
    return 0;
  return between >= ((n - 1) * first + 1) * size
         /* The elements alternate.  */
         || (stride_a == stride_b && between % step >= size
             && step - between % step >= size);
}

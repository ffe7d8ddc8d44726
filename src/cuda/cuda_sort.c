/* Sorting on a GPU: the launches of kernels/cuda/sort.cu.

   One block sorts a few elements.  Of more the digits are counted first, and then each pass orders
   them by 8 bits, from one half of the scratch memory to the other, the last one to their place.
   Nothing is waited for in between: where the counting finds that the order is undecided, the
   passes end without doing anything.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/sort_tiles.h"
#include "src/base/names.h"
#include "src/cuda/cuda_order.h"

/* Where the parts of scratch memory begin.  */
#define ALIGNMENT ((size_t) 256)

struct sort
{
  struct gt_ordering o;
  const struct gt_sorting *sorting;
  unsigned size, passes;
  uint64_t tile, portion; /* keys */
  uint64_t rows;          /* tiles of a portion */
  uint32_t flags;
  uintptr_t keys[2], with[2], tiles[2];
};

static size_t
take_part (size_t *bytes, size_t more)
{
  const size_t at = *bytes;

  *bytes += (more + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return at;
}

static CUresult
make_room (struct sort *s)
{
  const size_t n = s->sorting->n;
  size_t bytes = 0, control, keys[2], with[2], tiles[2];
  uintptr_t room;
  CUresult status;

  control = take_part (&bytes, sizeof (struct gt_sort_control));
  for (int k = 0; k < 2; k++)
    {
      keys[k] = take_part (&bytes, n * s->size);
      with[k] = take_part (&bytes, s->sorting->index ? n * sizeof (uint32_t) : 0);
      tiles[k] = take_part (&bytes, s->rows * GT_SORT_DIGITS * sizeof (uint32_t));
    }
  status = gt_cuda_order_room (&s->o, bytes, &room);
  s->o.args.partials = (void *) (room + control);
  for (int k = 0; k < 2; k++)
    {
      s->keys[k] = room + keys[k];
      s->with[k] = room + with[k];
      s->tiles[k] = room + tiles[k];
    }
  return status;
}

/* Pass P from portion AT on, which is launch LAUNCH of all.  Bytes are sorted by two passes, the
   second of which finds no bits left, so that the result is in its place again.  */
static CUresult
launch_pass (struct sort *s, unsigned p, uint64_t at, unsigned launch)
{
  const struct gt_sorting *const sorting = s->sorting;
  struct gt_kernel_args *const args = &s->o.args;
  const int first = p == 0, last = p == s->passes - 1, indexes = sorting->index != NULL;
  const uint64_t left = sorting->n - at * s->portion, n = left < s->portion ? left : s->portion;
  const uint64_t begin = at * s->portion;
  const uintptr_t from = s->keys[(p + 1) % 2], with = s->with[(p + 1) % 2];

  args->stride = first ? sorting->stride : 1;
  args->data = (const char *) (first ? (uintptr_t) sorting->data : from)
               + begin * args->stride * s->size;
  args->n = n;
  args->sort.to = (void *) s->keys[p % 2];
  args->sort.to_stride = 1;
  if (last && !indexes)
    {
      args->sort.to = sorting->data;
      args->sort.to_stride = sorting->stride;
    }
  if (last && sorting->stable)
    args->sort.to = NULL;
  args->sort.with = indexes && !first ? (const uint32_t *) with + begin : NULL;
  args->sort.with_to = !indexes ? NULL : last ? sorting->index : (void *) s->with[p % 2];
  args->sort.with_stride = sorting->index_stride;
  args->sort.tiles = (uint32_t *) s->tiles[launch % 2];
  args->sort.next_tiles = (uint32_t *) s->tiles[(launch + 1) % 2];
  args->sort.shift = 8 * p;
  args->sort.portion = (uint32_t) at;
  args->sort.step = launch + 1;
  args->sort.first = begin;
  args->sort.flags
    = s->flags | (first ? GT_SORT_FIRST : 0) | (last ? GT_SORT_LAST : 0);
  return gt_cuda_order_launch (&s->o, indexes ? GT_SORT_INDEX : GT_SORT_PASS, s->o.width,
                               n / s->tile + (n % s->tile != 0), GT_SORT_THREADS);
}

/* Behind the last pass of an index, whose keys are in order.  */
static CUresult
launch_ties (struct sort *s)
{
  s->o.args.data = (const void *) s->keys[(s->passes - 1) % 2];
  s->o.args.n = s->sorting->n;
  s->o.args.stride = 1;
  return gt_cuda_order_launch (&s->o, GT_SORT_TIES, s->o.width,
                               gt_cuda_order_grid (&s->o, s->sorting->n, GT_SORT_COUNT_THREADS),
                               GT_SORT_COUNT_THREADS);
}

static CUresult
sort_many (struct sort *s, uint32_t *answer)
{
  const struct gt_sorting *const sorting = s->sorting;
  const uint64_t portions = sorting->n / s->portion + (sorting->n % s->portion != 0);
  const int ties = sorting->index && !sorting->stable;
  uint32_t word[3] = {0, 0, 0};
  unsigned launch = 0;
  CUresult status = make_room (s);

  GT_THEN (status, s->o.gpu->driver->cuMemsetD8Async (
                     (CUdeviceptr) (uintptr_t) s->o.args.partials, 0,
                     sizeof (struct gt_sort_control), s->o.on));
  gt_cuda_order_ask (&s->o);
  s->o.args.sort.next_tiles = (uint32_t *) s->tiles[0];
  s->o.args.sort.next_rows = (uint32_t) s->rows;
  s->o.args.sort.flags = s->flags;
  GT_THEN (status, gt_cuda_order_launch (
                     &s->o, GT_SORT_COUNT, s->o.width,
                     gt_cuda_order_grid (&s->o, sorting->n, 4 * GT_SORT_COUNT_THREADS),
                     GT_SORT_COUNT_THREADS));
  for (unsigned p = 0; p < s->passes; p++)
    for (uint64_t at = 0; at < portions; at++)
      GT_THEN (status, launch_pass (s, p, at, launch++));
  if (ties)
    GT_THEN (status, launch_ties (s));
  GT_THEN (status, gt_cuda_order_await (&s->o, 0, ties ? 3 : 2, word));
  *answer = word[0] | word[2];
  return status;
}

static CUresult
sort_few (struct sort *s, uint32_t *answer)
{
  const struct gt_sorting *const sorting = s->sorting;
  const int indexes = sorting->index != NULL;
  CUresult status;

  s->o.args.sort.to = indexes ? NULL : sorting->data;
  s->o.args.sort.to_stride = sorting->stride;
  s->o.args.sort.with_to = sorting->index;
  s->o.args.sort.with_stride = sorting->index_stride;
  s->o.args.sort.flags = s->flags | GT_SORT_LAST;
  gt_cuda_order_ask (&s->o);
  status = gt_cuda_order_launch (&s->o, indexes ? GT_SORT_BLOCK_INDEX : GT_SORT_BLOCK,
                                 s->o.width, 1, GT_SORT_BLOCK_THREADS);
  GT_THEN (status, gt_cuda_order_await (&s->o, 1, 1, answer));
  return status;
}

static CUresult
sort_any (struct sort *s, enum gt_sorted_as *as)
{
  const struct gt_sorting *const sorting = s->sorting;
  const unsigned items
    = sorting->index ? GT_SORT_INDEX_ITEMS (s->size) : GT_SORT_ITEMS (s->size);
  struct gt_sort_args *const args = &s->o.args.sort;
  uint32_t answer = 0;
  CUresult status;

  /* Indexes travel in 32 bits.  */
  if (sorting->index && sorting->n > UINT32_MAX)
    return CUDA_ERROR_NOT_SUPPORTED;
  s->tile = (uint64_t) GT_SORT_THREADS * items;
  s->portion = s->o.gpu->sort_portion;
  s->rows = (sorting->n < s->portion ? sorting->n : s->portion) / s->tile + 1;
  s->passes = s->size == 1 ? 2 : s->size;
  s->flags = (gt_is_integer (sorting->arithmetic) ? 0 : GT_SORT_REAL)
             | (sorting->stable ? GT_SORT_STABLE : 0);
  s->o.args.data = sorting->data;
  s->o.args.n = sorting->n;
  s->o.args.stride = sorting->stride;
  gt_cuda_order_keys (sorting->arithmetic, &args->flip, &args->negative);
  status = sorting->n <= GT_SORT_BLOCK_THREADS * GT_SORT_BLOCK_ITEMS ? sort_few (s, &answer)
                                                                     : sort_many (s, &answer);
  *as = answer & GT_SORT_UNDECIDED                                   ? GT_SORT_IS_UNDECIDED
        : answer & GT_SORT_TIED && sorting->index && !sorting->stable ? GT_SORT_HAS_TIES
                                                                      : GT_SORTED;
  return status;
}

int
gt_cuda_sort (struct gt_open_gpu *gpu, const struct gt_sorting *sorting, void *stream,
              enum gt_sorted_as *as)
{
  struct sort s = {.sorting = sorting, .size = (unsigned) gt_arithmetics[sorting->arithmetic].size};
  CUresult status = gt_cuda_order_begin (gpu, stream, sorting->arithmetic, &s.o);

  GT_THEN (status, sort_any (&s, as));
  return gt_cuda_order_end (&s.o, status, "sorting");
}

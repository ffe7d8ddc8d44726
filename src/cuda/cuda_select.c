/* Selecting on a GPU: the launches of kernels/cuda/select.cu.

   One block selects among a few elements.  Of more there are a sample, two passes and the last
   step, which tells whether it was enough; where it was not, a pass at a time and the last step
   again, until it is: each pass makes the range of keys narrower, down to one.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "kernels/sort_tiles.h"
#include "src/base/names.h"
#include "src/cuda/cuda_order.h"

/* Keys that a sample leaves are fewer than this part of all, but where many are equal.  */
#define KEPT_PART 8

#define N_WORDS 5

/* More than there are launches of a selection: the numbers of another one's are none of its own.  */
#define LAUNCHES 64

static unsigned
source_of (const struct gt_selecting *selecting, const struct gt_ordering *o)
{
  return selecting->distances ? 4 : o->width;
}

static CUresult
make_room (struct gt_ordering *o, size_t size, int passes)
{
  struct gt_select_args *const select = &o->args.select;
  const size_t control = (sizeof (struct gt_select_control) + 255) / 256 * 256;
  uintptr_t room;
  CUresult status;

  select->most = passes ? o->args.n / KEPT_PART + GT_SELECT_FEW : 0;
  status = gt_cuda_order_room (o, control + 2 * select->most * size, &room);
  o->args.partials = (void *) room;
  for (int k = 0; k < 2; k++)
    select->kept[k] = (void *) (room + control + (size_t) k * select->most * size);
  return status;
}

static CUresult
launch_passes (struct gt_ordering *o, unsigned source, size_t size, unsigned count)
{
  const uint64_t each = (uint64_t) GT_SELECT_THREADS * GT_SELECT_EACH (size);
  CUresult status = CUDA_SUCCESS;

  for (unsigned k = 0; k < count; k++, o->args.select.step++)
    GT_THEN (status, gt_cuda_order_launch (o, GT_SELECT_PASS, source,
                                           gt_cuda_order_grid (o, o->args.n, each),
                                           GT_SELECT_THREADS));
  return status;
}

static CUresult
select_key (struct gt_ordering *o, const struct gt_selecting *selecting, uint32_t *word)
{
  const unsigned source = source_of (selecting, o);
  const size_t size = selecting->distances ? sizeof (double) : (size_t) 1 << o->width;
  const int passes = selecting->n > GT_SELECT_FEW;
  static uint32_t launches;
  CUresult status = make_room (o, size, passes);

  if (passes)
    {
      o->args.select.step = __atomic_fetch_add (&launches, LAUNCHES, __ATOMIC_RELAXED);
      GT_THEN (status, gt_cuda_order_launch (o, GT_SELECT_SAMPLED, source, 1,
                                             GT_SELECT_BLOCK_THREADS));
      o->args.select.step++;
      GT_THEN (status, launch_passes (o, source, size, 2));
    }
  for (;;)
    {
      gt_cuda_order_ask (o);
      GT_THEN (status, gt_cuda_order_launch (o, GT_SELECT_LAST, source, 1,
                                             GT_SELECT_BLOCK_THREADS));
      GT_THEN (status, gt_cuda_order_await (o, 1, N_WORDS, word));
      if (status != CUDA_SUCCESS || !(word[0] & GT_SELECT_MORE))
        return status;
      GT_THEN (status, launch_passes (o, source, size, 1));
    }
}

/* The element of a key.  */
static uint64_t
element_of (const struct gt_select_args *select, size_t size, const uint32_t *half)
{
  const uint64_t key = (uint64_t) half[1] << 32 | half[0];
  const uint64_t first = (uint64_t) 1 << (8 * size - 1);

  return key ^ select->flip ^ (key & first ? 0 : select->negative);
}

static CUresult
select_any (struct gt_ordering *o, const struct gt_selecting *selecting,
            struct gt_selected *selected)
{
  const enum gt_arithmetic keyed = selecting->distances ? GT_F64 : selecting->arithmetic;
  struct gt_select_args *const select = &o->args.select;
  uint32_t word[N_WORDS] = {0};
  CUresult status;

  o->args.data = selecting->data;
  o->args.n = selecting->n;
  o->args.stride = selecting->stride;
  select->rank = selecting->rank;
  select->middle = selecting->middle;
  select->element = selecting->arithmetic;
  select->flags = gt_is_integer (keyed) ? 0 : GT_SORT_REAL;
  gt_cuda_order_keys (keyed, &select->flip, &select->negative);
  status = select_key (o, selecting, word);
  for (int k = 0; k < 2; k++)
    selected->element[k] = element_of (select, gt_arithmetics[keyed].size, word + 1 + 2 * k);
  selected->has_next = (word[0] & GT_SELECT_NEXT) != 0;
  selected->nan = (word[0] & GT_SEEN_NAN) != 0;
  selected->zeros = (word[0] & GT_SEEN_MINUS_ZERO) && (word[0] & GT_SEEN_ZERO);
  return status;
}

int
gt_cuda_select (struct gt_open_gpu *gpu, const struct gt_selecting *selecting, void *stream,
                struct gt_selected *selected)
{
  struct gt_ordering o;
  CUresult status = gt_cuda_order_begin (gpu, stream, selecting->arithmetic, &o);

  GT_THEN (status, select_any (&o, selecting, selected));
  return gt_cuda_order_end (&o, status, "selecting");
}

/* Sorting and selecting of vectors that stay on a GPU; untyped.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/device_order.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"

int
gt_device_may_ask (const struct gsltune_device_memory *memory, int *status, const char **why)
{
  *status = memory->gpu ? gt_device_memory_check (memory, why) : GSL_SUCCESS;
  return memory->gpu && *status == GSL_SUCCESS && gt_gpus->usable (memory->gpu);
}

int
gt_device_is_with (const struct gsltune_device_memory *memory,
                   const struct gsltune_device_memory *other, int *status, const char **why)
{
  *status = GSL_SUCCESS;
  return memory->gpu == other->gpu && gt_device_may_ask (other, status, why)
         && (other->stream == NULL || other->stream == memory->stream
             || gt_gpus->synchronize (memory->gpu, other->stream) == 0);
}

int
gt_device_sort (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                const struct gsltune_device_memory *index, int stable, int *is_done,
                const char **why)
{
  const struct gt_sorting sorting
    = {.arithmetic = arithmetic, .data = memory->data, .n = memory->n, .stride = memory->stride,
       .index = index ? index->data : NULL, .index_stride = index ? index->stride : 1,
       .stable = stable};
  enum gt_sorted_as as;
  int status;

  *is_done = 0;
  if (!gt_device_may_ask (memory, &status, why))
    return status;
  if (index && !gt_device_is_with (memory, index, &status, why))
    return status;
  *is_done = gt_gpus->sort (memory->gpu, &sorting, memory->stream, &as) == 0 && as == GT_SORTED;
  return GSL_SUCCESS;
}

/* One rank; 0 if the GPU has failed or what is there is undecided.  A zero is not
   decided where zeros have both signs.  */
static int
select_one (const struct gsltune_device_memory *memory, const struct gt_selecting *selecting,
            struct gt_selected *selected)
{
  return gt_gpus->select (memory->gpu, selecting, memory->stream, selected) == 0
         && !selected->nan;
}

int
gt_device_select (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                  size_t k, int two, const double *middle, uint64_t element[2], int *is_done,
                  const char **why)
{
  struct gt_selecting selecting
    = {.arithmetic = arithmetic, .data = memory->data, .n = memory->n, .stride = memory->stride,
       .rank = k, .distances = middle != NULL, .middle = middle ? *middle : 0};
  const size_t size = middle ? sizeof (double) : gt_arithmetics[arithmetic].size;
  const uint64_t magnitude = ((uint64_t) 1 << (8 * size - 1)) - 1;
  struct gt_selected selected;
  int status, zeros;

  *is_done = 0;
  if (!gt_device_may_ask (memory, &status, why) || !select_one (memory, &selecting, &selected))
    return status;
  memcpy (element, selected.element, sizeof selected.element);
  zeros = selected.zeros;
  if (two && !selected.has_next)
    {
      selecting.rank++;
      if (!select_one (memory, &selecting, &selected))
        return status;
      element[1] = selected.element[0];
    }
  *is_done = !(zeros && ((element[0] & magnitude) == 0
                         || (two && (element[1] & magnitude) == 0)));
  return status;
}

void *
gt_device_copy (const struct gsltune_device_memory *memory, enum gt_arithmetic arithmetic,
                int *status, const char **why)
{
  void *copy = malloc (memory->n * gt_arithmetics[arithmetic].size + 1);

  *why = "failed to allocate space for the elements on the host";
  *status = GSL_ENOMEM;
  if (copy == NULL)
    return NULL;
  *why = "the GPU has failed and its elements are lost";
  gt_device_memory_note_copy (memory, memory->n);
  *status = gt_device_memory_get (memory, arithmetic, copy, 1, why);
  if (*status == GSL_SUCCESS)
    return copy;
  free (copy);
  return NULL;
}

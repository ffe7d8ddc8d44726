/* Looks up what the compiler gave a CUDA kernel.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/resources.h"

#include <stddef.h>
#include <string.h>

#if !HAVE_CUDA
const struct gt_kernel_resources gt_kernel_resources[] = {
  {0, 0, 0, 0, 0, 0}
};
#endif

const struct gt_kernel_resources *
gt_kernel_resources_find (const struct gt_kernel_resources *table,
                          const char *symbol, int cc)
{
  const struct gt_kernel_resources *best = NULL;

  for (const struct gt_kernel_resources *r = table; r->symbol; r++)
    if (r->cc <= cc && (best == NULL || r->cc > best->cc)
        && strcmp (r->symbol, symbol) == 0)
      best = r;
  return best;
}

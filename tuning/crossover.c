/* From which length on a GPU sums host data faster than the CPU does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/crossover.h"

#include <stdio.h>
#include <string.h>

#include "src/names.h"
#include "src/reduce.h"
#include "tuning/clock.h"

#define FIRST 14 /* log2 of the lengths compared */
#define LAST 26
#define STEP 2
#define ROUNDS 5
/* The GPU must win by this much: a tie goes to the CPU, which leaves the GPU
   to others.  */
#define MARGIN 0.95

uint64_t
gt_crossover_of (const uint64_t *lengths, const int *gpu_wins, unsigned n)
{
  uint64_t from = GT_NEVER;

  while (n > 0 && gpu_wins[n - 1])
    from = lengths[--n];
  return from;
}

/* Paired rounds at one length.  Returns 1 when the GPU wins, 0 when not, -1
   when it fails.  */
static int
compare (struct gt_target *host, struct gt_target *gpu,
         enum gt_arithmetic arithmetic, enum gt_mode mode, uint64_t n)
{
  double ratio[ROUNDS];
  union gt_sum sum;

  for (int r = -1; r < ROUNDS; r++) /* the first one warms up */
    {
      double t0 = gt_now (), t1;

      gt_reduce_cpu (arithmetic, mode, host->buffer, n, 1, &sum);
      t1 = gt_now ();
      if (gt_cuda_sum_host (gpu->gpu, arithmetic, mode, host->buffer, n, &sum))
        return -1;
      if (r >= 0)
        ratio[r] = (gt_now () - t1) / (t1 - t0);
    }
  return gt_median (ratio, ROUNDS, NULL) < MARGIN;
}

int
gt_crossover_find (struct gt_sweep *sweep, struct gt_target *host,
                   struct gt_target *gpu, enum gt_arithmetic arithmetic,
                   enum gt_mode mode, struct gt_crossover *crossover,
                   char *why, size_t why_size)
{
  uint64_t lengths[(LAST - FIRST) / STEP + 1];
  int wins[(LAST - FIRST) / STEP + 1];
  unsigned n = 0;

  *crossover = (struct gt_crossover) {arithmetic, mode, GT_CONTIGUOUS, "",
                                      GT_NEVER};
  gt_device_silicon (gpu->device, crossover->device);
  for (unsigned k = FIRST; k <= LAST; k += STEP)
    {
      if (((uint64_t) gt_arithmetics[arithmetic].size << k) > host->bytes)
        break;
      if (sweep->stop ())
        return 1;
      lengths[n] = (uint64_t) 1 << k;
      wins[n] = compare (host, gpu, arithmetic, mode, lengths[n]);
      if (wins[n] < 0)
        {
          snprintf (why, why_size, "the GPU failed on host data of 2^%u", k);
          return -1;
        }
      n++;
    }
  crossover->from = gt_crossover_of (lengths, wins, n);
  return 0;
}

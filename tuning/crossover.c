/* From which length on a GPU sums host data faster than the CPU does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/crossover.h"

#include <stdio.h>

#include "kernels/cpu/combine.h"
#include "src/names.h"
#include "src/reduce.h"
#include "tuning/clock.h"

#define FIRST 14 /* log2 of the lengths compared */
#define LAST 62
#define STEP 2
#define ROUNDS 5
#define CLEAR 4  /* a first round won by this factor decides */
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

uint64_t
gt_crossover_last (enum gt_effort effort)
{
  return (uint64_t) 1 << (gt_effort_levels[effort].host_last + STEP);
}

/* Sums N elements on the GPU, by way of a copy, and checks the result.
   Returns 0, or -1 with WHY.  */
static int
sum_there (struct gt_target *host, struct gt_target *gpu, enum gt_mode mode,
           uint64_t n, char *why, size_t why_size)
{
  enum gt_arithmetic arithmetic = host->data.arithmetic;
  union gt_sum sum, expected = gt_data_sum (&host->data, 0, n, 1);
  int status = gt_cuda_sum_host (gpu->gpu, arithmetic, mode, host->buffer, n,
                                 &sum);

  if (status)
    snprintf (why, why_size, "the GPU failed on %llu elements of host data: %s",
              (unsigned long long) n, gt_cuda_error (status));
  else
    {
      gt_sum_finish (arithmetic, mode, &sum);
      if (mode == GT_MODE_EXACT
            ? gt_sum_identical (arithmetic, &sum, &expected)
            : gt_sum_equal (arithmetic, &sum, &expected))
        return 0;
      snprintf (why, why_size,
                "the GPU's sum of %llu elements of host data is wrong",
                (unsigned long long) n);
    }
  return -1;
}

/* Paired rounds at one length.  Returns 1 when the GPU wins, 0 when not, -1
   with WHY when it fails.  */
static int
compare (struct gt_target *host, struct gt_target *gpu, enum gt_mode mode,
         uint64_t n, char *why, size_t why_size)
{
  enum gt_arithmetic arithmetic = host->data.arithmetic;
  double ratio[ROUNDS];
  union gt_sum sum;

  for (int r = -1; r < ROUNDS; r++)
    {
      double t0 = gt_now (), t1;

      gt_reduce_cpu (arithmetic, mode, host->buffer, n, 1, &sum);
      t1 = gt_now ();
      if (sum_there (host, gpu, mode, n, why, why_size))
        return -1;
      if (r < 0)
        continue; /* it warmed up */
      ratio[r] = (gt_now () - t1) / (t1 - t0);
      if (r == 0 && (ratio[r] > CLEAR || ratio[r] < 1.0 / CLEAR))
        return ratio[r] < 1;
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
  for (unsigned k = FIRST;
       k <= LAST && (uint64_t) 1 << k <= gt_crossover_last (sweep->effort);
       k += STEP)
    {
      if (((uint64_t) gt_arithmetics[arithmetic].size << k) > host->bytes)
        break;
      if (sweep->stop ())
        return 1;
      lengths[n] = (uint64_t) 1 << k;
      wins[n] = compare (host, gpu, mode, lengths[n], why, why_size);
      if (wins[n] < 0)
        return -1;
      n++;
    }
  crossover->from = gt_crossover_of (lengths, wins, n);
  return 0;
}

/* A model of the machine for problems that were not tuned.

   Its constants are rounded from what the tuner finds on Intel Xeons with 2 and 16 cores
   (profiles/); tests hold the numbers of threads that follow to these findings.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/plan/model.h"

#include "src/base/env.h"
#include "src/cpu/threads.h"

/* Nanoseconds that each member adds to those.  */
#define MEMBER_NS 500.0

/* Bytes per nanosecond that one thread reads from its own caches, and from one that it shares.  For
   K threads it is K times as much, from memory too: many threads read no more from there than half
   of them, but they lose nothing.  */
#define OWN_CACHE_RATE 40.0
#define SHARED_CACHE_RATE 20.0

/* Returns the nanoseconds that K threads take:
     wake (K) + max (bytes / bandwidth (level, K), ns / K)  */
static double
model_time (const struct gt_host *host, const struct gt_model_work *work, unsigned k)
{
  const double part = work->bytes / k;
  const double rate = part <= (double) host->l2       ? OWN_CACHE_RATE
                      : work->bytes <= (double) host->l3 ? SHARED_CACHE_RATE
                                                         : GT_MEMORY_RATE;
  const double reads = part / rate, computes = work->ns / k;

  return (k > 1 ? GT_WAKE_NS + k * MEMBER_NS : 0) + (reads > computes ? reads : computes);
}

unsigned
gt_next_threads (unsigned k, unsigned most)
{
  return k < most && 2 * k > most ? most : 2 * k;
}

unsigned
gt_model_threads_slowly (const struct gt_host *host, const struct gt_model_work *work, unsigned most)
{
  double least = model_time (host, work, 1);
  unsigned best = 1;

  for (unsigned k = 2; k <= most && least > GT_WAKE_NS; k = gt_next_threads (k, most))
    {
      const double time = model_time (host, work, k);

      if (time < least)
        {
          least = time;
          best = k;
        }
    }
  return best;
}

unsigned
gt_most_threads (void)
{
  const int threads = gt_env.threads ? gt_env.threads : gt_device_host ()->host.threads;

  return threads < 1 ? 1u : threads > GT_MAX_THREADS ? GT_MAX_THREADS : (unsigned) threads;
}

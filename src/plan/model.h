/* A model of the machine for problems that were not tuned.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PLAN_MODEL_H
#define GT_PLAN_MODEL_H

#include "src/device/device.h"

/* The work of a call: it moves BYTES from memory or caches, and its operations take one thread
   NS nanoseconds.  */
struct gt_model_work
{
  double bytes, ns;
};

/* Returns the next number of threads to consider after K: at most MOST if K is less.  */
unsigned gt_next_threads (unsigned k, unsigned most);

/* The nanoseconds for waking and ending a team: between the values for threads that are awake
   (2,000) and asleep (20,000).  */
#define GT_WAKE_NS 8000.0

/* The bytes that one thread reads from memory per nanosecond.  */
#define GT_MEMORY_RATE 10.0

/* Returns the number of threads of HOST, MOST at most, that take the least time.  */
unsigned gt_model_threads_slowly (const struct gt_host *host, const struct gt_model_work *work,
                                  unsigned most);

static inline unsigned
gt_model_threads (const struct gt_host *host, const struct gt_model_work *work, unsigned most)
{
  return work->ns < GT_WAKE_NS && work->bytes < GT_WAKE_NS * GT_MEMORY_RATE
           ? 1 : gt_model_threads_slowly (host, work, most);
}

/* Returns the maximum number of threads of a call: the environment's, or the machine's.  */
unsigned gt_most_threads (void);

#endif

/* A candidate: one configuration of the search space, with the results of the occupancy model
   and of measurements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CANDIDATE_H
#define GT_CANDIDATE_H

#include <string.h>

#include "src/base/configuration.h"
#include "src/profile/profile.h"

/* If a sum on a GPU has at most this many bytes from the first element to the last, it
   consists mostly of the launch.  Then the time until the caller has the result matters, which
   events around consecutive launches do not measure.  Such problems are timed from the call to
   the result.  */
#define GT_LAUNCH_BOUND_BYTES ((uint64_t) 2 << 20)

enum gt_verdict
{
  GT_KEPT,
  GT_PRUNED_LAUNCH,    /* cannot be launched on this device */
  GT_PRUNED_SAME,      /* the same launch as a simpler configuration */
  GT_PRUNED_IN_FLIGHT, /* too few bytes in flight to cover latency */
  GT_PRUNED_WAVES,     /* more than twice the blocks that fit at once */
  GT_PRUNED_UNAVAILABLE, /* this GPU, driver or build cannot run it: `why' */
  GT_N_VERDICTS
};

/* One line of text on each verdict.  */
extern const char *const gt_verdict_text[GT_N_VERDICTS];

struct gt_candidate
{
  const struct gt_kernel *kernel;
  struct gt_config config;
  enum gt_verdict verdict;
  /* The model's figures; CUDA only.  */
  uint64_t grid;           /* blocks of the first pass */
  double occupancy;        /* theoretical */
  const char *limiter;     /* the resource that limits it */
  double bytes_in_flight;  /* on the whole device */
  int registers;           /* per thread */
  size_t shared;           /* bytes per block, static and dynamic */
  size_t spills;           /* bytes per thread, in local memory */
  /* The measurements.  */
  double seconds;          /* of one sum; 0: not timed */
  int failed;              /* wrong or failing: excluded */
  char why[160];           /* of `failed' and of GT_PRUNED_UNAVAILABLE */
};

/* The best configuration of a kernel for one problem.  */
struct gt_winner
{
  struct gt_problem problem;
  const struct gt_kernel *kernel;
  struct gt_config config;
  struct gt_measured measured;
};

/* Returns the name of the mode whose results are computed from REDUCTION in MODE.  Exact
   results use compensated sums of terms.  */
const char *gt_mode_name_for (enum gt_reduction reduction, enum gt_mode mode);

/* Returns BEFORE followed by that name, in a static buffer; "" for extremes, which do not
   depend on the mode.  */
const char *gt_mode_text (enum gt_reduction reduction, enum gt_mode mode,
                          const char *before);

static inline int
gt_config_equal (const struct gt_config *a, const struct gt_config *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

/* Returns text such as "grid_stride 512 u4 2/SM" or "simd u8, 16 threads", in one of a few
   static buffers.  */
const char *gt_config_text (const struct gt_kernel *kernel,
                            const struct gt_config *config);

#endif

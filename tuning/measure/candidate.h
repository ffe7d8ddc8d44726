/* A candidate: one configuration of the search space, what the occupancy model
   says of it, and what was measured.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CANDIDATE_H
#define GT_CANDIDATE_H

#include <string.h>

#include "src/base/configuration.h"
#include "src/profile/profile.h"

/* Up to this many bytes, from the first element to the last, a launch is most of
   the time of a sum on a GPU.  Then it counts how long the caller waits, which
   events over launches back to back do not show.  Such problems are timed from
   the call to the result.  */
#define GT_LAUNCH_BOUND_BYTES ((uint64_t) 2 << 20)

enum gt_verdict
{
  GT_KEPT,
  GT_PRUNED_LAUNCH,    /* cannot be launched on this device */
  GT_PRUNED_SAME,      /* the same launch as a simpler configuration */
  GT_PRUNED_IN_FLIGHT, /* too few bytes in flight to cover latency */
  GT_PRUNED_WAVES,     /* more than twice the blocks that fit at once */
  GT_PRUNED_THREADS,   /* by what was timed with fewer threads */
  GT_PRUNED_UNAVAILABLE, /* this GPU, driver or build cannot: `why' */
  GT_N_VERDICTS
};

/* One line for people on each verdict.  */
extern const char *const gt_verdict_text[GT_N_VERDICTS];

struct gt_candidate
{
  const struct gt_kernel *kernel;
  struct gt_config config;
  enum gt_verdict verdict;
  /* The model's figures; CUDA only.  */
  uint64_t grid;           /* blocks of the first pass */
  double occupancy;        /* theoretical */
  const char *limiter;     /* what limits it */
  double bytes_in_flight;  /* on the whole device */
  int registers;           /* a thread */
  size_t shared;           /* bytes a block, static and dynamic */
  size_t spills;           /* bytes a thread, in local memory */
  /* The measurements.  */
  double seconds;          /* median of the last stage that timed it */
  double spread;           /* relative, of that stage */
  int failed;              /* wrong or failing: excluded */
  char why[160];           /* of `failed' and of GT_PRUNED_UNAVAILABLE */
};

/* The best configuration of a kernel that was found for one problem.  */
struct gt_winner
{
  struct gt_problem problem;
  const struct gt_kernel *kernel;
  struct gt_config config;
  struct gt_measured measured;
};

/* The name of the mode that results made of REDUCTION in MODE have: compensated sums of terms are
   for exact ones.  */
const char *gt_mode_name_for (enum gt_reduction reduction, enum gt_mode mode);

/* BEFORE and that name; "" where the mode makes no difference, of extremes.  In a
   static buffer.  */
const char *gt_mode_text (enum gt_reduction reduction, enum gt_mode mode,
                          const char *before);

static inline int
gt_config_equal (const struct gt_config *a, const struct gt_config *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

/* "grid_stride 512 u4 2/SM", "simd u8, 16 threads", in one of a few static buffers.  */
const char *gt_config_text (const struct gt_kernel *kernel,
                            const struct gt_config *config);

/* Negative, zero or positive: A is simpler than, like, or less simple than B.
   Simpler: fewer blocks or threads at work, smaller unroll, smaller block,
   earlier in the catalogue.  */
int gt_candidate_compare (const struct gt_candidate *a,
                          const struct gt_candidate *b);

#endif

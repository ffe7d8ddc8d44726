/* CUB in a build without it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/cub_sum.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct gt_cub *
gt_cub_open (int ordinal, uint64_t most, const char **why)
{
  *why = "not in this build, for want of nvcc or the CUDA runtime";
  return NULL;
}

void
gt_cub_close (struct gt_cub *cub)
{
}

const char *
gt_cub_version (void)
{
  return "";
}

void *
gt_cub_stream (struct gt_cub *cub)
{
  return NULL;
}

const char *
gt_cub_error (int status)
{
  return "CUB is not in this build";
}

int
gt_cub_compute (struct gt_cub *cub, const struct gt_cub_problem *problem,
                double *result)
{
  return -1;
}

int
gt_cub_time (struct gt_cub *cub, const struct gt_cub_problem *problem,
             unsigned count, unsigned windows, size_t step, double *seconds)
{
  return -1;
}

int
gt_cub_has_reproducible_sum (void)
{
  return 0;
}

int
gt_cub_enqueue (struct gt_cub *cub, const struct gt_cub_problem *problem)
{
  return -1;
}

int
gt_cub_enqueue_segments (struct gt_cub *cub, const double *data, uint64_t rows,
                         uint64_t length, double *sums)
{
  return -1;
}

int
gt_cub_time_calls (struct gt_cub *cub, int (*call) (void *closure), void *closure,
                   unsigned count, int as_graph, double *seconds)
{
  return -1;
}

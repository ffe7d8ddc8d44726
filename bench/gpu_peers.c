/* What the tables share that hold calls of device vectors to CUB, Thrust and cuBLAS.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/gpu_peers.h"

#include "src/base/names.h"
#include "tuning/measure/candidate.h"
#include "tuning/text/cli.h"

struct gt_run
gt_run_open (struct gt_bench_gpu *bench, const char **why)
{
  struct gt_run run = {bench, NULL};

  *why = "CUDA's runtime does not work";
  if (bench->cub)
    run.cublas = gt_cublas_open (gt_cub_stream (bench->cub), why);
  return run;
}

void
gt_run_close (struct gt_run *run)
{
  gt_cublas_close (run->cublas);
}

int
gt_check_cublas (int status)
{
  if (status)
    gt_error ("bench: cuBLAS fails with status %d", status);
  return status ? -1 : 0;
}

struct gsltune_device_memory
gt_run_memory (const struct gt_run *run, const char *data, uint64_t n)
{
  return (struct gsltune_device_memory) {.data = (void *) data, .n = n,
                                         .stride = 1, .gpu = run->bench->gpu};
}

int
gt_run_wrong (const char *who, enum gt_function what, uint64_t n,
              double result, double right)
{
  gt_error ("bench: wrong result of %s, %s, n = %llu: %.17g instead of %.17g",
            who, gt_function_names[what], (unsigned long long) n, result,
            right);
  return -1;
}

void
gt_run_fill (const struct gt_run *run, const struct gt_task *task,
             enum gt_function what, double peer, double ours,
             struct gt_row *row)
{
  const struct gt_plan *plan = gt_gpu_plan (run->bench, task);

  row->value[GT_PEERS_N] = (double) task->problem.n;
  row->value[GT_PEERS_FUNCTION] = what;
  row->value[GT_PEERS_SECONDS] = peer;
  row->value[GT_PEERS_OURS] = ours;
  row->value[GT_PEERS_SHARE] = ours / peer;
  gt_config_text (plan->kernel, &plan->config, row->remark,
                  sizeof row->remark);
}

/* What the tables share that hold calls of device vectors to CUB, Thrust and cuBLAS.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_GPU_PEERS_H
#define GT_BENCH_GPU_PEERS_H

#include "bench/cublas.h"
#include "bench/gpu.h"

/* Their first columns.  */
enum
{
  GT_PEERS_N,
  GT_PEERS_FUNCTION,
  GT_PEERS_SECONDS,
  GT_PEERS_OURS,
  GT_PEERS_SHARE,
  GT_PEERS_COLUMNS
};

#define GT_PEERS_FORM                                                           \
  [GT_PEERS_N] = {"n", "n", GT_UNIT_COUNT},                                     \
  [GT_PEERS_FUNCTION] = {"function", "function", GT_UNIT_FUNCTION},             \
  [GT_PEERS_SECONDS] = {"peer", "peer_seconds", GT_UNIT_SECONDS},               \
  [GT_PEERS_OURS] = {"gsltune", "gsltune_seconds", GT_UNIT_SECONDS},            \
  [GT_PEERS_SHARE] = {"gsltune/peer", "share_of_peer", GT_UNIT_SHARE}

struct gt_run
{
  struct gt_bench_gpu *bench;
  struct gt_cublas *cublas; /* null: left out */
};

/* Without CUDA's runtime at work, which CUB tells, cuBLAS is not tried.  WHY: why it is
   left out, static text.  */
struct gt_run gt_run_open (struct gt_bench_gpu *bench, const char **why);
void gt_run_close (struct gt_run *run);

/* Reports STATUS of cuBLAS: 0 or -1.  */
int gt_check_cublas (int status);

/* A device vector of the N elements at DATA: thousands of windows need none of their
   own.  */
struct gsltune_device_memory gt_run_memory (const struct gt_run *run,
                                            const char *data, uint64_t n);

/* Says that WHO's RESULT, of function WHAT of N elements, is wrong.  Returns -1.  */
int gt_run_wrong (const char *who, enum gt_function what, uint64_t n,
                  double result, double right);

/* Fills the first columns, and the remark with what TASK's plan is.  */
void gt_run_fill (const struct gt_run *run, const struct gt_task *task,
                  enum gt_function what, double peer, double ours,
                  struct gt_row *row);

#endif

/* Launches the rungs of the ladder on a GPU.  Rungs that are kernels of the library are
   launched by the library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUNG_LAUNCH_H
#define GT_RUNG_LAUNCH_H

#include "kernels/ladder/rungs.h"
#include "src/base/configuration.h"
#include "src/device/backend.h"

/* A launcher has the resources of rungs other than a slot: their images, which are loaded at
   first use, and scratch memory, which grows with the longest sum.  */
struct gt_rung_launcher;

/* As in struct gt_backend, functions that return an int return 0, or an error that
   gt_gpus->error can name.  The kernel of a PLAN is one of the ladder's.  */
struct gt_rungs
{
  /* Opens a launcher for the stream of SLOT on GPU.  TOOLKIT is the folder of the vendor's
     toolkit, whose device runtime one rung needs; if it is null, the toolkit is searched.
     Returns null if memory is short.  The caller closes the launcher before it releases the
     slot.  */
  struct gt_rung_launcher *(*open) (struct gt_open_gpu *gpu,
                                    struct gt_slot *slot, const char *toolkit);
  void (*close) (struct gt_rung_launcher *launcher);

  /* Returns 0 if this GPU and driver can run RUNG, or -1 with WHY.  Must be called before the
     rung is used.  */
  int (*available) (struct gt_rung_launcher *launcher,
                    const struct gt_ladder_kernel *rung, char *why,
                    size_t size);

  /* As in struct gt_backend.  */
  int (*resources) (struct gt_rung_launcher *launcher,
                    const struct gt_plan *plan,
                    const struct gt_problem *problem,
                    struct gt_resources *resources);

  /* Fills all memory between the data and the sum with a pattern that a correct kernel
     overwrites completely, then sums.  SUM is not finished.  */
  int (*sum) (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
              const struct gt_task *task, union gt_value *sum);

  /* As in struct gt_backend.  If the host adds the blocks' sums, the time includes copying and
     adding them.  */
  int (*time) (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
               const struct gt_task *task, unsigned count, unsigned windows,
               size_t step, double *seconds);
};

/* The rungs of this build's backend; null if no GPU can be opened.  */
extern const struct gt_rungs *const gt_rungs;

/* ------------------------------------------------- Plans: pure arithmetic */

/* The largest grid of a launch, in blocks.  */
#define GT_MAX_GRID 0x7fffffffu

struct gt_rung_plan
{
  uint64_t grid;    /* blocks of the first pass, which cover the data; 0: more than the maximum
                       of a launch */
  uint64_t scratch; /* bytes of device memory between the data and the sum */
  uint64_t left_at; /* the offset, in bytes, of the last pass's sums */
  uint64_t left;    /* the number of these sums; if there are several, the host adds them */
};

/* Returns the plan for the sum of N elements by RUNG in CONFIG.  */
struct gt_rung_plan gt_rung_plan (const struct gt_ladder_kernel *rung,
                                  const struct gt_config *config,
                                  enum gt_arithmetic arithmetic, uint64_t n);

/* Returns the number of blocks that add the sums of GRID blocks.  */
uint64_t gt_rung_next_grid (const struct gt_config *config, uint64_t grid);

/* Returns the bytes, in scratch memory, of the sums of GRID blocks.  */
uint64_t gt_rung_sums_bytes (enum gt_arithmetic arithmetic, uint64_t grid);

#endif

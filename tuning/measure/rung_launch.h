/* How the rungs of the ladder are launched, and launching them on a GPU.  Those that are
   kernels of the library are launched by it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RUNG_LAUNCH_H
#define GT_RUNG_LAUNCH_H

#include "kernels/ladder/rungs.h"
#include "src/base/configuration.h"
#include "src/device/backend.h"

/* A launcher has what rungs need besides a slot: their images, loaded as they are needed, and
   scratch memory, as much as the longest sum so far took.  */
struct gt_rung_launcher;

/* As in struct gt_backend, functions that return an int give 0, or what gt_gpus->error
   names.  The kernel of a PLAN is one of the ladder's.  */
struct gt_rungs
{
  /* Opens a launcher for the stream of SLOT on GPU.  TOOLKIT is the folder of the
     vendor's toolkit, whose device runtime one rung needs; null: one is looked for.  Null
     when memory is short.  The caller closes it before the slot is released.  */
  struct gt_rung_launcher *(*open) (struct gt_open_gpu *gpu,
                                    struct gt_slot *slot, const char *toolkit);
  void (*close) (struct gt_rung_launcher *launcher);

  /* Whether this GPU and driver can run RUNG: 0, or -1 with WHY.  To be asked before
     it is used.  */
  int (*available) (struct gt_rung_launcher *launcher,
                    const struct gt_ladder_kernel *rung, char *why,
                    size_t size);

  /* As in struct gt_backend.  */
  int (*resources) (struct gt_rung_launcher *launcher,
                    const struct gt_plan *plan,
                    const struct gt_problem *problem,
                    struct gt_resources *resources);

  /* Sums, after what lies between the data and the sum was filled with a pattern
     that no correct kernel leaves standing.  SUM is not finished.  */
  int (*sum) (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
              const struct gt_task *task, union gt_value *sum);

  /* As in struct gt_backend; where the blocks' sums are the host's to add, sending
     them and adding them counts.  */
  int (*time) (struct gt_rung_launcher *launcher, const struct gt_plan *plan,
               const struct gt_task *task, unsigned count, unsigned windows,
               size_t step, double *seconds);
};

/* Of this build's backend; null where no GPU can be opened.  */
extern const struct gt_rungs *const gt_rungs;

/* ------------------------------------------------- Plans: pure arithmetic */

/* The largest grid of a launch, in blocks.  */
#define GT_MAX_GRID 0x7fffffffu

struct gt_rung_plan
{
  uint64_t grid;    /* blocks of the first pass, which cover the data; 0: more
                       than a launch can have */
  uint64_t scratch; /* bytes of device memory between the data and the sum */
  uint64_t left_at; /* where in it, in bytes, the last pass leaves its sums */
  uint64_t left;    /* how many; more than one are for the host to add */
};

/* For the sum of N elements by RUNG in CONFIG.  */
struct gt_rung_plan gt_rung_plan (const struct gt_ladder_kernel *rung,
                                  const struct gt_config *config,
                                  enum gt_arithmetic arithmetic, uint64_t n);

/* Blocks that sum what GRID blocks have left.  */
uint64_t gt_rung_next_grid (const struct gt_config *config, uint64_t grid);

/* Bytes, in scratch memory, of the sums that GRID blocks leave.  */
uint64_t gt_rung_sums_bytes (enum gt_arithmetic arithmetic, uint64_t grid);

#endif

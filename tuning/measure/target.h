/* A device being tuned: its buffers filled with test data, and how to verify
   and to time a candidate on it.  target_cpu.c and target_gpu.c each end with
   one of these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TARGET_H
#define GT_TARGET_H

#include "src/device/device.h"
#include "tuning/measure/candidate.h"
#include "tuning/measure/data.h"

struct gt_target
{
  const struct gt_target_ops *ops;
  const struct gt_device *device;
  struct gt_open_gpu *gpu;        /* null on the host */
  int index;                  /* of the GPU, as gt_gpu_device */
  struct gt_slot *slot;  /* null on the host */
  struct gt_rung_launcher *launcher; /* of the ladder's rungs, which are timed
                                        on the device at every length; null: a
                                        GPU runs the library's kernels */
  struct gt_data data;        /* of the arithmetic now loaded */
  int loaded;                 /* whether data and buffer are filled */
  char *buffer;               /* test data; on the device for CUDA */
  char *here;                 /* the same, where the CPU reads it */
  size_t bytes;               /* of it */
  size_t room;                /* on the host: bytes allocated */
  double lacking;             /* of the last timing: the part of its time in which
                                 others had the processor; 1: there were too few
                                 for all who wanted one; 0 where nobody tells */
  struct gt_task known;       /* in HERE, and its right value */
  union gt_value expected;
  char why[256];              /* what has failed last */
};

/* Operations that can fail return 0, or -1 with the reason in the target.  */
struct gt_target_ops
{
  /* The most bytes a buffer may have on this device.  */
  size_t (*capacity) (const struct gt_target *target);
  /* Makes a buffer of BYTES, and what the CPU reads, and fills both with the target's
     data.  */
  int (*load) (struct gt_target *target, size_t bytes);
  /* Frees them, as far as they were made.  */
  void (*unload) (struct gt_target *target);
  /* Computes TASK, on elements of BUFFER, into VALUE, which is poisoned before and
     finished.  */
  int (*compute) (struct gt_target *target,
                  const struct gt_candidate *candidate,
                  const struct gt_task *task, union gt_value *value);
  /* The mean time of one sum of PROBLEM, over enough of them to last about
     AT_LEAST seconds.  */
  int (*time) (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, double at_least,
               double *seconds);
  /* The time of one sum, the median of GT_SPACED_SUMS, that comes after a pause in which
     the threads of the last one have fallen asleep.  Null where there are no
     threads.  */
  double (*time_spaced) (struct gt_target *target,
                         const struct gt_candidate *candidate,
                         const struct gt_problem *problem);
  /* Ends the threads: the next sum makes new ones.  Null where there are none.  */
  void (*renew) (struct gt_target *target);
  /* Whether an error has ended the device for this process: what fails from
     then on is no candidate's fault.  */
  int (*lost) (const struct gt_target *target);
};

#define GT_SPACED_SUMS 3
#define GT_PAUSE 150e-6 /* seconds: some times what threads stay awake for */

/* How far apart the elements of a strided problem lie when it is tuned.  */
#define GT_TUNED_STRIDE 2

/* Loads BYTES of data, or of GT_AWKWARD_N elements when that is more, in the place of
   what was there.  Returns 0, or -1 and says in the target why.  */
int gt_target_fill (struct gt_target *target, enum gt_data_kind kind,
                    enum gt_arithmetic arithmetic, size_t bytes);
/* Loads BYTES of the data that PROBLEM wants, unless they are there.  */
int gt_target_load (struct gt_target *target, const struct gt_problem *problem,
                    uint64_t bytes);

void gt_target_host (struct gt_target *target);
int gt_target_gpu (struct gt_target *target, int index);
/* Frees the data, and the slot.  */
void gt_target_close (struct gt_target *target);

/* Elements, gaps included, that the awkward lengths of the largest blocks reach over:
   those of a first vector, and of a second one behind it.  */
#define GT_AWKWARD_SECOND 99000
#define GT_AWKWARD_N (2 * GT_AWKWARD_SECOND)

/* Bytes that PROBLEM reads from, gaps included, by all its vectors.  */
uint64_t gt_problem_span (const struct gt_problem *problem);
/* Makes the task of PROBLEM as it is timed: its vectors lie one behind the other
   from FROM on, the second aligned as the first.  Shifts and scale are such that no
   term is zero, and that terms are rounded in exact mode only.  */
struct gt_task gt_problem_task (const struct gt_problem *problem,
                                const void *from);

/* The right value of TASK, which the CPU can read; its vectors are not empty where it asks
   for extremes.  */
union gt_value gt_verify_expected (const struct gt_task *task);
/* Whether RESULT, finished, is what is EXPECTED of PROBLEM.  */
int gt_verify_right (const struct gt_problem *problem,
                     const union gt_value *result,
                     const union gt_value *expected);

/* Compares CANDIDATE with what is right: at the length of PROBLEM, and, when AWKWARD is
   not 0, at the lengths, alignments and strides where kernels go wrong.  Of extremes the
   index is compared too.  The data of PROBLEM's arithmetic is loaded.  */
int gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, int awkward);
/* The awkward ones alone.  */
int gt_verify_awkward (struct gt_target *target,
                       const struct gt_candidate *candidate,
                       const struct gt_problem *problem);

#endif

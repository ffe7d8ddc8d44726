/* A device that is tuned: its buffers with test data, and operations that verify and time a
   candidate on it.  Each of target_cpu.c and target_gpu.c ends with such a table.
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
  int index;                  /* of the GPU, as in gt_gpu_device */
  struct gt_slot *slot;  /* null on the host */
  struct gt_rung_launcher *launcher; /* of the ladder's rungs, which are timed on the device at
                                        every length; null: a GPU runs the library's kernels */
  struct gt_data data;        /* of the loaded arithmetic */
  int loaded;                 /* whether data and buffer are filled */
  char *buffer;               /* test data; on the device for CUDA */
  char *here;                 /* a copy that the CPU can read */
  size_t bytes, readable;     /* those of the buffer and of the copy */
  size_t room;                /* bytes allocated for the copy */
  double lacking;             /* of the last timing: the share of time in which other programs
                                 had the processor; 1: there were more runnable threads than
                                 processors; 0 if the system does not report it */
  struct gt_task known;       /* the last task in HERE, and its correct value */
  union gt_value expected;
  char why[256];              /* the reason of the last failure */
};

/* Operations that can fail return 0, or -1 with the reason in the target.  */
struct gt_target_ops
{
  /* Returns the most bytes of a buffer on this device.  */
  size_t (*capacity) (const struct gt_target *target);
  /* Allocates a buffer of BYTES, and the copy for the CPU, and fills both with the target's
     data.  */
  int (*load) (struct gt_target *target, size_t bytes);
  /* Frees them, as far as they were allocated.  */
  void (*unload) (struct gt_target *target);
  /* Computes TASK, on elements of BUFFER, in VALUE, which is filled with a pattern before and
     is then finished.  */
  int (*compute) (struct gt_target *target,
                  const struct gt_candidate *candidate,
                  const struct gt_task *task, union gt_value *value);
  /* Measures the mean time of one sum of PROBLEM, over enough of them to last about AT_LEAST
     seconds.  */
  int (*time) (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, double at_least,
               double *seconds);
  /* Returns the time of one sum after a pause long enough for the threads of the last one to
     fall asleep, the median of GT_SPACED_SUMS.  Null if there are no threads.  */
  double (*time_spaced) (struct gt_target *target,
                         const struct gt_candidate *candidate,
                         const struct gt_problem *problem);
  /* Ends the threads, so that the next sum makes new ones.  Null if there are none.  */
  void (*renew) (struct gt_target *target);
  /* Returns whether an error has made the device unusable for this process; later failures are
     then not the candidate's.  */
  int (*lost) (const struct gt_target *target);
};

#define GT_SPACED_SUMS 3
#define GT_PAUSE 150e-6 /* seconds: several times as long as threads stay awake */

/* The stride of a strided problem that is tuned.  */
#define GT_TUNED_STRIDE 2

/* Loads BYTES of data, or of GT_AWKWARD_N elements if that is more, and replaces the earlier
   data.  Returns 0, or -1 with the reason in the target.  */
int gt_target_fill (struct gt_target *target, enum gt_data_kind kind,
                    enum gt_arithmetic arithmetic, size_t bytes);
/* Loads BYTES of the data for PROBLEM, unless they are loaded.  */
int gt_target_load (struct gt_target *target, const struct gt_problem *problem,
                    uint64_t bytes);

void gt_target_host (struct gt_target *target);
int gt_target_gpu (struct gt_target *target, int index);
/* Frees the data, and the slot.  */
void gt_target_close (struct gt_target *target);

/* The elements, including gaps, that the awkward lengths of the largest blocks span: those of
   a first vector, and of a second one after it.  */
#define GT_AWKWARD_SECOND 99000
#define GT_AWKWARD_N (2 * GT_AWKWARD_SECOND)

/* Returns the bytes that PROBLEM's vectors span, including gaps.  */
uint64_t gt_problem_span (const struct gt_problem *problem);
/* Returns the task of PROBLEM for timing: its vectors follow one another from FROM on, and the
   second is aligned like the first.  With its shifts and scale no term is zero, and terms are
   rounded only in exact mode.  */
struct gt_task gt_problem_task (const struct gt_problem *problem,
                                const void *from);

/* Returns the correct value of TASK, which the CPU can read; its vectors are not empty if it
   computes extremes.  */
union gt_value gt_verify_expected (const struct gt_task *task);
/* Returns whether RESULT, which is finished, is the EXPECTED one of PROBLEM.  */
int gt_verify_right (const struct gt_problem *problem,
                     const union gt_value *result,
                     const union gt_value *expected);

/* Compares CANDIDATE's results with the correct ones at the length of PROBLEM and, if AWKWARD
   is not 0, at the lengths, alignments and strides that are likely to reveal errors.  For
   extremes the index is compared, too.  The data of PROBLEM's arithmetic is loaded.  */
int gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, int awkward);

#endif

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
  enum gt_data_kind kind;     /* of data, to load next */
  struct gt_data data;        /* of the arithmetic now loaded */
  int loaded;                 /* whether data and buffer are filled */
  char *buffer;               /* test data; on the device for CUDA */
  size_t bytes;               /* of it */
  size_t room;                /* on the host: bytes allocated */
  double lacking;             /* of the last timing: the part of its time in which
                                 others had the processor; 1: there were too few
                                 for all who wanted one; 0 where nobody tells */
  char *hard;                 /* GT_HARD_N elements, likewise: those of
                                 gt_data_hard */
};

struct gt_target_ops
{
  /* The most bytes a buffer may have on this device.  */
  size_t (*capacity) (const struct gt_target *target);
  /* Makes a buffer of BYTES, or of GT_AWKWARD_N elements when that is more, and
     fills it with the data of ARITHMETIC.  Returns 0, or -1 with WHY.  */
  int (*load) (struct gt_target *target, enum gt_arithmetic arithmetic,
               size_t bytes, char *why, size_t why_size);
  /* Computes TASK, on elements of BUFFER or HARD, into VALUE, which is poisoned
     before and finished; 0, or -1 with WHY.  */
  int (*compute) (struct gt_target *target,
                  const struct gt_candidate *candidate,
                  const struct gt_task *task, union gt_value *value, char *why,
                  size_t why_size);
  /* Writes N elements, FROM being on the host, into the buffer at index AT, and
     waits until they are there; 0, or -1 with WHY.  */
  int (*put) (struct gt_target *target, uint64_t at, const void *from, size_t n,
              char *why, size_t why_size);
  /* The mean time of one sum of PROBLEM, over enough of them to last about
     AT_LEAST seconds; 0, or -1 with WHY.  */
  int (*time) (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, double at_least,
               double *seconds, char *why, size_t why_size);
  /* The time of one sum that comes after a pause in which the threads of the last one
     have fallen asleep.  Null where there are no threads.  */
  double (*time_spaced) (struct gt_target *target,
                         const struct gt_candidate *candidate,
                         const struct gt_problem *problem);
  /* Ends the threads: the next sum makes new ones.  Null where there are none.  */
  void (*renew) (struct gt_target *target);
  /* Whether an error has ended the device for this process: what fails from
     then on is no candidate's fault.  */
  int (*lost) (const struct gt_target *target);
  void (*close) (struct gt_target *target);
};

/* How far apart the elements of a strided problem lie when it is tuned.  */
#define GT_TUNED_STRIDE 2

/* Whether TARGET has BYTES of the data that PROBLEM wants; if not, says what kind to
   load.  */
static inline int
gt_target_has (struct gt_target *target, const struct gt_problem *problem,
               uint64_t bytes)
{
  target->kind = gt_data_kind_for (problem);
  return target->loaded && target->data.arithmetic == problem->arithmetic
         && target->data.kind == target->kind && target->bytes >= bytes;
}

/* Each returns 0, or -1 with WHY.  */
int gt_target_host (struct gt_target *target, char *why, size_t why_size);
int gt_target_gpu (struct gt_target *target, int index, char *why,
                   size_t why_size);

/* Elements, gaps included, that the awkward lengths of the largest blocks reach over:
   those of a first vector, and of a second one behind it.  */
#define GT_AWKWARD_SECOND 99000
#define GT_AWKWARD_N (2 * GT_AWKWARD_SECOND)

/* Bytes that PROBLEM reads from, gaps included, by all its vectors.  */
uint64_t gt_problem_span (const struct gt_problem *problem);
/* PROBLEM as it is timed, its vectors one behind the other from FROM on, the second
   aligned as the first.  Shifts and scale are such that no term is zero, or rounded
   but in exact mode.  */
struct gt_task gt_problem_task (const struct gt_problem *problem,
                                const void *from);

/* What is right for TASK, on the endless test data that begins at BASE; its vectors are
   not empty where it asks for extremes.  */
union gt_value gt_verify_expected (const struct gt_data *data, const void *base,
                                   const struct gt_task *task);
/* Whether RESULT, finished, is what is EXPECTED of PROBLEM.  */
int gt_verify_right (const struct gt_problem *problem,
                     const union gt_value *result,
                     const union gt_value *expected);

/* Writes what a message says of TASK, on the test data that begins at BASE, whose
   result IS something that it SHOULD not be.  */
void gt_verify_tell (const struct gt_task *task, const void *base, const char *is,
                     const char *should, char *why, size_t why_size);

/* Compares CANDIDATE with the exact oracle: at the length of PROBLEM, and, when
   AWKWARD is not 0, at the lengths, alignments and strides where kernels go
   wrong.  Of extremes the index is compared too, and what is hard to find is planted
   into the test data and taken out again.  Returns 0, or -1 with what is wrong in
   WHY.  The data of PROBLEM's arithmetic is loaded.  (verify.c)  */
int gt_verify (struct gt_target *target, const struct gt_candidate *candidate,
               const struct gt_problem *problem, int awkward, char *why,
               size_t why_size);
/* The awkward ones alone.  */
int gt_verify_awkward (struct gt_target *target,
                       const struct gt_candidate *candidate,
                       const struct gt_problem *problem, char *why,
                       size_t why_size);

/* What several sums at once are wrong in, whatever their lengths: rounding errors that
   are not compensated, weights that are none, numbers of all sizes and no numbers.
   0, or -1 with WHY.  (verify_sums.c)  */
int gt_verify_hard_sums (struct gt_target *target,
                         const struct gt_candidate *candidate,
                         const struct gt_problem *problem, char *why,
                         size_t why_size);

/* Plants what a search for extremes gets wrong among the N elements, STRIDE apart,
   from element OFFSET of the test data on; where THOROUGH, around the steps that
   kernels make in them, too.  Extremes alone.  0, or -1 with WHY.
   (verify_planted.c)  */
int gt_verify_planted (struct gt_target *target,
                       const struct gt_candidate *candidate,
                       const struct gt_problem *problem, uint64_t offset,
                       uint64_t n, uint64_t stride, int thorough, char *why,
                       size_t why_size);
/* The same in a vector of zeros, all equal but for their signs.  */
int gt_verify_zeros (struct gt_target *target,
                     const struct gt_candidate *candidate,
                     const struct gt_problem *problem, char *why,
                     size_t why_size);

#endif

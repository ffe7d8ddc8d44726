/* An opened GPU and its slots, for the files of the CUDA backend and for the
   launcher of the ladder's rungs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_CONTEXT_H
#define GT_CUDA_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/args.h"
#include "kernels/images.h"
#include "src/cuda/backend_cuda.h"
#include "src/cuda/cuda_driver.h"

/* Where results arrive: host memory mapped into the device's.  */
struct gt_mailbox
{
  struct gt_result result;
  _Alignas (64) struct gt_exact_result exact;
};

/* A slot's own memory on the device: what is zero between launches, and a place
   for sums that stay on the device.  */
#define GT_N_TICKETS 1024
struct gt_slot_memory
{
  uint32_t ticket;
  uint32_t matrix_ticket[GT_N_TICKETS]; /* of products with vectors, one for each group of
                                           elements, and of lines */
  struct gt_lines_control lines;
  _Alignas (128) int64_t super[GT_EXACT_MOST_WORDS];
  _Alignas (128) struct gt_mailbox kept;
};
#define GT_ZERO_BYTES offsetof (struct gt_slot_memory, kept)

/* Launches of one kernel in one grid and block (src/cuda/cuda_prepared.c).  */
struct gt_cuda_prepared
{
  CUfunction function; /* null: free */
  unsigned grid, block;
  unsigned used;       /* when it was last launched */
  CUgraph graph;       /* null: it is noted, not yet prepared */
  CUgraphNode node;
  CUgraphExec exec;    /* null: to be made */
  struct gt_kernel_args args; /* those that EXEC has */
};

/* How many of these a slot keeps, and how many it notes.  */
#define GT_N_PREPARED 8
#define GT_N_NOTED 4

/* The memory of a slot, all of it scratch.  */
enum gt_buffer
{
  GT_BUFFER_MAILBOX,    /* a struct gt_mailbox; mapped host memory */
  GT_BUFFER_MEMORY,     /* a struct gt_slot_memory; on the device */
  GT_BUFFER_PARTIALS,   /* partial sums; on the device */
  GT_BUFFER_STAGING,    /* where pieces of host data are copied to; on the device */
  GT_BUFFER_RING,       /* and from, when their own memory is pageable: pinned,
                           near the GPU */
  GT_N_BUFFERS
};

struct gt_cuda_buffer
{
  uintptr_t address; /* 0: none */
  size_t bytes;
};

struct gt_slot
{
  struct gt_slot *next;  /* of the spare ones */
  CUstream stream;
  CUevent begin, end;         /* for the tuner; made at first need */
  struct gt_mailbox *mailbox; /* in its buffer */
  CUdeviceptr mailbox_address; /* the same, as the device sees it */
  uint32_t tag;               /* that the next launch's words carry; the mailbox
                                 has none with it */
  int expecting;              /* a launch's words have not been taken out of it */
  unsigned exact;             /* words of the last launch's accumulators; 0: it was
                                 not exact */
  unsigned partials;          /* else, of how many its result is */
  int gave_up;                /* the last sum's kernel: GT_EXACT_GAVE_UP */
  CUdeviceptr memory;         /* a struct gt_slot_memory, in its buffer */
  int spoilt;                 /* a launch has failed: it may not be zero there */
  struct gt_cuda_buffer buffer[GT_N_BUFFERS];
  struct gt_cuda_prepared prepared[GT_N_PREPARED];
  struct gt_cuda_prepared noted[GT_N_NOTED];
  unsigned launches;          /* the clock of both */
  unsigned changes;           /* of arguments, since a graph was made */
};

/* Which vectors have numbers that differ too much in size for the kernel that an exact
   sum begins with.  So many of a GPU are remembered at most, one in place of another where both
   fall on one note, and for so many sums of each: then the data is looked at again, since
   it may have changed.  A program that sums the rows of a matrix has thousands of vectors;
   these notes are 32 KiB of host memory.  */
#define GT_N_RANGES 4096
#define GT_RANGE_SUMS 63

/* A vector's key above, and below it the sums for which the note still holds.  All
   zero: nothing is known.  */
struct gt_ranges
{
  _Atomic uint64_t note[GT_N_RANGES];
};

/* Of so many elements one kernel settles all by itself: that takes less than a second one's
   launch (src/cuda/cuda_keep.c).  */
#define GT_KEEP_FEW ((uint64_t) 1 << 20)

typedef _Atomic (CUfunction)
  gt_function_cache[GT_N_REDUCTIONS][GT_N_ARITHMETICS][GT_N_MODES]
                   [GT_N_LAYOUTS][GT_N_UNROLLS];

/* Sums of lines, which three kernels each gather (kernels/cuda/lines.cu), and then what
   settles them.  */
enum gt_lines_sum
{
  GT_LINES_SUM,
  GT_LINES_CERTAIN,
  GT_LINES_SPREAD,
  GT_LINES_MOMENTS,
  GT_LINES_EXTREME,
  GT_N_LINES_SUMS
};
enum gt_lines_kernel
{
  GT_LINES_TILES,
  GT_LINES_TEAMS,
  GT_LINES_COLUMNS,
  GT_N_LINES_KERNELS
};
enum gt_lines_type
{
  GT_LINES_F64,
  GT_LINES_F32,
  GT_LINES_U32, /* integers of 32 bits with and without a sign */
  GT_N_LINES_TYPES
};

/* Entry points of lines, for each of three types of elements, and of power sums.  */
enum gt_named
{
  GT_LINES,
  GT_LINES_SETTLE = GT_LINES + GT_N_LINES_TYPES * GT_N_LINES_KERNELS * GT_N_LINES_SUMS,
  GT_POWERS_PLAIN = GT_LINES_SETTLE + GT_N_LINES_TYPES,
  GT_POWERS_WEIGHTED,
  GT_POWERS_PAIRS,
  GT_POWERS_FINISH,
  GT_N_NAMED
};

/* Entry points of products of matrices: each for floats and doubles, fast and exact.  */
enum gt_matrix_kernel
{
  GT_MATRIX_ROWS,
  GT_MATRIX_LONG,
  GT_MATRIX_COLUMNS,
  GT_MATRIX_TILES,
  GT_MATRIX_SETTLE, /* from here on exact alone */
  GT_MATRIX_MEASURE,
  GT_MATRIX_CUT,
  GT_MATRIX_GATHER,
  GT_N_MATRIX_KERNELS
};

struct gt_open_gpu
{
  uint64_t exact_block; /* elements that a block may sum exactly at once */
  uint64_t keep_few;    /* elements whose exact result one kernel leaves on the device */
  _Atomic int overlaps; /* whether kernels of a stream may be launched before the one ahead
                           of them has ended: 0 not known yet, 1 they may, -1 not */
  const struct gt_cuda_driver *driver;
  const struct gt_device *device;
  CUdevice cu_device;
  CUcontext context;
  _Atomic int broken;   /* the context has failed for good */
  _Atomic size_t scratch_bytes; /* of device memory, in all slots */
  _Atomic int plain_only; /* it refuses prepared launches */
  struct gt_ranges ranges; /* of exact sums */
  pthread_mutex_t lock; /* guards what follows */
  struct gt_slot *spare;
  CUlibrary library[GT_N_KERNELS];
  CUlibrary image[GT_N_IMAGES];
  _Atomic (CUfunction) named[GT_N_NAMED]; /* of these images */
  _Atomic (CUfunction) matrix[GT_N_MATRIX_KERNELS][2][2]; /* single, exact */
  gt_function_cache function[GT_N_KERNELS];
  pthread_mutex_t blas_lock; /* guards cuBLAS's handle, and its use */
  void *blas;           /* null: none yet */
  int blas_refused;     /* it cannot be had, or has failed */
};

/* Makes CALL unless a call before it has failed: STATUS is that of the first that has.  */
#define GT_THEN(status, call) \
  ((void) ((status) == CUDA_SUCCESS && ((status) = (call))))

/* Makes the GPU's context current; puts the caller's back, if it was, marks the GPU broken
   where STATUS is an error that lasts, and returns it.  One follows the other, whatever
   happens.  Between them the thread's calls end no
   capture of a stream that the program has begun.  */
CUresult gt_cuda_enter (struct gt_open_gpu *gpu);
/* The same of another context on this GPU.  */
CUresult gt_cuda_enter_context (struct gt_open_gpu *gpu, CUcontext context);
int gt_cuda_leave (struct gt_open_gpu *gpu, CUresult status, const char *what);

/* Allocates BYTES in PLACE, and gives them back.  The context is current.  */
CUresult gt_cuda_allocate (const struct gt_cuda_driver *driver,
                           enum gt_place place, size_t bytes, void **address);
void gt_cuda_discard (const struct gt_cuda_driver *driver, enum gt_place place,
                      void *address);

/* Whether the same call may succeed after STATUS: errors of every other kind end
   the context.  */
int gt_cuda_passes (CUresult status);

/* Makes a buffer of the slot hold BYTES, within the limit of scratch memory; what
   it held is lost when it has to grow, and what spare slots hold is given back
   before the limit is reached.  The context is current.  */
CUresult gt_cuda_reserve (struct gt_open_gpu *gpu, struct gt_slot *slot,
                          enum gt_buffer which, size_t bytes);

/* Makes what has to be zero between launches zero, and waits for that.  The
   context is current.  */
CUresult gt_cuda_slot_clear (struct gt_open_gpu *gpu, struct gt_slot *slot);

/* Notes that the kernel that TASK began with gave up.  */
void gt_ranges_note (struct gt_ranges *ranges, const struct gt_task *task);

/* Whether it would give up again, as far as is known.  Counts
   this as one sum.  Thread-safe; a count that is lost does no harm.  */
int gt_ranges_wide (struct gt_ranges *ranges, const struct gt_task *task);

/* Prepared launches (src/cuda/cuda_prepared.c).  The launch of a kernel, in the words
   of the driver's graphs.  */
typedef CUDA_KERNEL_NODE_PARAMS gt_launch;

/* Launches by cuLaunchKernel.  The context is current.  */
CUresult gt_cuda_launch_plain (struct gt_open_gpu *gpu, const gt_launch *launch,
                               CUstream stream);

/* Launches by a graph when the slot has launched the like lately.  The caller waits
   for the result before it launches again from this slot.  */
CUresult gt_cuda_launch_prepared (struct gt_open_gpu *gpu,
                                  struct gt_slot *slot,
                                  const gt_launch *launch, CUstream stream);

/* Destroys the slot's graphs.  The context is current.  */
void gt_cuda_prepared_clear (struct gt_open_gpu *gpu, struct gt_slot *slot);

#endif

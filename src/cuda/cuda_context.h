/* An opened GPU and its slots, for the files of the CUDA backend and for the program that
   launches the ladder's rungs.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CUDA_CONTEXT_H
#define GT_CUDA_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "kernels/args.h"
#include "kernels/images.h"
#include "src/cuda/backend_cuda.h"
#include "src/cuda/cuda_driver.h"

/* Receives results: host memory that is mapped into the device's address space.  */
struct gt_mailbox
{
  struct gt_result result;
  _Alignas (64) struct gt_exact_result exact;
};

/* A slot's own memory on the device: words that are zero between launches, and room for sums
   that stay on the device.  */
#define GT_N_TICKETS 1024
struct gt_slot_memory
{
  uint32_t ticket;
  uint32_t lines_ticket[GT_N_TICKETS]; /* of lines, one for each group */
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
  unsigned used;       /* the time of its last launch, in launches of the slot */
  CUgraph graph;       /* null: the launch is noted, but not prepared yet */
  CUgraphNode node;
  CUgraphExec exec;    /* null: not instantiated yet */
  struct gt_kernel_args args; /* the arguments that EXEC has */
};

/* The numbers of prepared and of noted launches that a slot keeps.  */
#define GT_N_PREPARED 8
#define GT_N_NOTED 4

/* The memory of a slot; all of it counts as scratch memory.  */
enum gt_buffer
{
  GT_BUFFER_MAILBOX,    /* a struct gt_mailbox; mapped host memory */
  GT_BUFFER_MEMORY,     /* a struct gt_slot_memory; on the device */
  GT_BUFFER_PARTIALS,   /* partial sums; on the device */
  GT_BUFFER_STAGING,    /* copies of parts of host data; on the device */
  GT_BUFFER_RING,       /* copies of parts of pageable host data: pinned, near the GPU */
  GT_N_BUFFERS
};

struct gt_cuda_buffer
{
  uintptr_t address; /* 0: none */
  size_t bytes;
};

struct gt_slot
{
  struct gt_slot *next;  /* in the list of spare slots */
  CUstream stream;
  CUevent begin, end;         /* for the tuner; created at first use */
  struct gt_mailbox *mailbox; /* in its buffer */
  CUdeviceptr mailbox_address; /* its address on the device */
  uint32_t tag;               /* the tag of the next launch's words; the mailbox contains no
                                 word with it */
  int expecting;              /* whether words of a launch may not have been removed from it
                                 yet */
  unsigned exact;             /* words of the last launch's accumulators; 0 if it was not
                                 exact */
  unsigned partials;          /* otherwise the number of partial results */
  int gave_up;                /* the kernel of the last sum gave up: GT_EXACT_GAVE_UP */
  CUdeviceptr memory;         /* a struct gt_slot_memory, in its buffer */
  int spoilt;                 /* a launch has failed, so that the memory may contain other
                                 values than zeros */
  struct gt_cuda_buffer buffer[GT_N_BUFFERS];
  struct gt_cuda_prepared prepared[GT_N_PREPARED];
  struct gt_cuda_prepared noted[GT_N_NOTED];
  unsigned launches;          /* counts launches, for both lists */
  unsigned changes;           /* of arguments, since a graph was made */
};

/* Remembers the vectors whose range of numbers is too wide for the first kernel of exact sums.
   Each GPU has GT_N_RANGES notes; a new note replaces an older one in the same place.  A note
   holds for GT_RANGE_SUMS sums: then the first kernel is tried again, since the data may have
   changed.  A program that sums the rows of a matrix has thousands of vectors; these notes
   take 32 KiB of host memory.  */
#define GT_N_RANGES 4096
#define GT_RANGE_SUMS 63

/* The upper bits are a vector's key, the lower bits the number of sums for which the note
   still holds.  0: no note.  */
struct gt_ranges
{
  _Atomic uint64_t note[GT_N_RANGES];
};

/* Up to this number of elements, one kernel computes any exact sum alone, because it takes
   less time than the launch of a second kernel (src/cuda/cuda_keep.c).  */
#define GT_KEEP_FEW ((uint64_t) 1 << 20)

typedef _Atomic (CUfunction)
  gt_function_cache[GT_N_REDUCTIONS][GT_N_ARITHMETICS][GT_N_MODES]
                   [GT_N_LAYOUTS][GT_N_UNROLLS];

/* The sums of lines.  Each has three kernels (kernels/cuda/lines.cu) and one that computes
   undecided lines.  */
enum gt_lines_sum
{
  GT_LINES_SUM,
  GT_LINES_CERTAIN,
  GT_LINES_SPREAD,
  GT_LINES_MOMENTS,
  GT_LINES_EXTREME,
  GT_LINES_PRODUCT,         /* of reals, with a vector */
  GT_LINES_CERTAIN_PRODUCT,
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
  GT_LINES_U32, /* integers of 32 bits, signed or unsigned */
  GT_N_LINES_TYPES
};

/* Entry points of kernels for lines and for products of matrices, each for three types of
   elements, and for power sums.  */
enum gt_named
{
  GT_LINES,
  GT_LINES_SETTLE = GT_LINES + GT_N_LINES_TYPES * GT_N_LINES_KERNELS * GT_N_LINES_SUMS,
  GT_LINES_SETTLE_PRODUCTS = GT_LINES_SETTLE + GT_N_LINES_TYPES,
  GT_MATRIX_TILES = GT_LINES_SETTLE_PRODUCTS + GT_N_LINES_TYPES,
  GT_MATRIX_EXACT = GT_MATRIX_TILES + GT_N_LINES_TYPES,
  GT_MATRIX_SETTLE = GT_MATRIX_EXACT + GT_N_LINES_TYPES,
  GT_MATRIX_MEASURE = GT_MATRIX_SETTLE + GT_N_LINES_TYPES,
  GT_MATRIX_CUT = GT_MATRIX_MEASURE + GT_N_LINES_TYPES,
  GT_MATRIX_GATHER = GT_MATRIX_CUT + GT_N_LINES_TYPES,
  GT_POWERS_PLAIN = GT_MATRIX_GATHER + GT_N_LINES_TYPES,
  GT_POWERS_WEIGHTED,
  GT_POWERS_PAIRS,
  GT_POWERS_FINISH,
  GT_N_NAMED
};

struct gt_open_gpu
{
  uint64_t exact_block; /* elements that one block may sum exactly in one launch */
  uint64_t keep_few;    /* largest number of elements whose exact result one kernel leaves on
                           the device */
  _Atomic int overlaps; /* whether a kernel may be launched before the preceding one in its
                           stream has ended: 0 not known yet, 1 yes, -1 no */
  const struct gt_cuda_driver *driver;
  const struct gt_device *device;
  CUdevice cu_device;
  CUcontext context;
  _Atomic int broken;   /* the context has failed permanently */
  _Atomic size_t scratch_bytes; /* device memory of all slots */
  _Atomic int plain_only; /* the driver refuses prepared launches */
  struct gt_ranges ranges; /* of exact sums */
  pthread_mutex_t lock; /* guards the following members */
  struct gt_slot *spare;
  CUlibrary library[GT_N_KERNELS];
  CUlibrary image[GT_N_IMAGES];
  _Atomic (CUfunction) named[GT_N_NAMED]; /* the entry points of these images */
  gt_function_cache function[GT_N_KERNELS];
  pthread_mutex_t blas_lock; /* guards the handle of cuBLAS and its use */
  void *blas;           /* null: no handle yet */
  int blas_refused;     /* cuBLAS is not available, or has failed */
};

/* Makes CALL unless an earlier call has failed: STATUS is the status of the first that
   has.  */
#define GT_THEN(status, call) \
  ((void) ((status) == CUDA_SUCCESS && ((status) = (call))))

/* gt_cuda_enter makes the GPU's context current.  gt_cuda_leave restores the caller's context,
   marks the GPU as broken if STATUS is a permanent error, and returns STATUS.  Each call of
   the former must be followed by one of the latter.  Between them the thread's calls do not
   end the capture of a stream that the program has begun.  */
CUresult gt_cuda_enter (struct gt_open_gpu *gpu);
/* Does the same for another context on this GPU.  */
CUresult gt_cuda_enter_context (struct gt_open_gpu *gpu, CUcontext context);
int gt_cuda_leave (struct gt_open_gpu *gpu, CUresult status, const char *what);

/* Allocate BYTES in PLACE, and free them.  The context is current.  */
CUresult gt_cuda_allocate (const struct gt_cuda_driver *driver,
                           enum gt_place place, size_t bytes, void **address);
void gt_cuda_discard (const struct gt_cuda_driver *driver, enum gt_place place,
                      void *address);

/* Returns whether the same call may succeed after STATUS; all other errors make the context
   unusable.  */
int gt_cuda_passes (CUresult status);

/* Grows a buffer of the slot to BYTES, within the limit of scratch memory.  If it has to grow,
   its contents are lost.  Before the limit is reached, the memory of spare slots is freed.
   The context is current.  */
CUresult gt_cuda_reserve (struct gt_open_gpu *gpu, struct gt_slot *slot,
                          enum gt_buffer which, size_t bytes);

/* Clears the memory that must be zero between launches, and waits.  The context is
   current.  */
CUresult gt_cuda_slot_clear (struct gt_open_gpu *gpu, struct gt_slot *slot);

/* Notes that the first kernel of TASK gave up.  */
void gt_ranges_note (struct gt_ranges *ranges, const struct gt_task *task);

/* Returns whether the first kernel is expected to give up, by the notes, and counts this sum.
   Thread-safe; a lost count does no harm.  */
int gt_ranges_wide (struct gt_ranges *ranges, const struct gt_task *task);

/* Prepared launches (src/cuda/cuda_prepared.c).  Describes the launch of a kernel by the
   driver's type for graphs.  */
typedef CUDA_KERNEL_NODE_PARAMS gt_launch;

/* Launches by cuLaunchKernel.  The context is current.  */
CUresult gt_cuda_launch_plain (struct gt_open_gpu *gpu, const gt_launch *launch,
                               CUstream stream);

/* Launches by a graph if the slot has launched the same kernel, grid and block recently.  The
   caller waits for the result before it launches from this slot again.  */
CUresult gt_cuda_launch_prepared (struct gt_open_gpu *gpu,
                                  struct gt_slot *slot,
                                  const gt_launch *launch, CUstream stream);

/* Destroys the slot's graphs.  The context is current.  */
void gt_cuda_prepared_clear (struct gt_open_gpu *gpu, struct gt_slot *slot);

#endif

/* A backend computes on GPUs.  It is a table of operations for one vendor's driver; only the
   files in the table's own folder use that driver.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_H
#define GT_BACKEND_H

#include "kernels/args.h"
#include "kernels/cpu/matrix/across.h"
#include "src/base/configuration.h"
#include "src/base/route.h"
#include "src/device/device.h"

/* The backend's record of an open GPU (src/device/gpus.h).  */
struct gt_open_gpu;

/* A stream of the library's own, with the memory that one task at a time needs.  */
struct gt_slot;

/* A task that is being launched.  */
struct gt_pending
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  struct gt_plan plan;
  struct gt_task task;
  void *on;      /* the stream */
  uint64_t most; /* elements of a launch */
};

/* The resources of a kernel, as the driver reports them.  */
struct gt_resources
{
  int registers;           /* per thread */
  size_t shared;           /* bytes per block, static */
  size_t local;            /* bytes per thread: spills and arrays */
  int max_threads_per_block;
  int active_blocks;       /* per SM, as the driver reports for the given block */
};

/* A product of matrices in the memory of one GPU, C := alpha A B + beta C; a product with a
   vector has one column.  If alpha is 0, A and B are not read; if beta is 0, C is not read.
   The elements of a row of C are contiguous.  */
struct gt_device_product
{
  int single; /* the elements are floats, otherwise doubles */
  int exact;  /* each element is its exact value, rounded once */
  struct gt_matrix_operand a, b, c;
  uint64_t rows, columns, terms; /* there are no terms if alpha is 0, and vice versa */
  double alpha, beta;
};

/* Lines in the memory of one GPU: COUNT lines of LENGTH elements, STRIDE elements apart; each
   line begins STEP elements after the one before.  If OFFSETS is not null, it has COUNT + 1
   offsets on that GPU of segments of ALL elements.  Elements are doubles, floats or ints.
   Results are elements, doubles, or indexes of 64 bits, TO_STRIDE apart; the result of a
   segment without elements is zero.  If PRODUCT is not null, the lines are those of its A, its B
   is one column, and the results are its elements of C.  */
struct gt_device_lines
{
  const struct gt_device_product *product;
  enum gt_line_result result;
  enum gt_arithmetic arithmetic;
  int exact; /* each result is rounded once */
  const void *data;
  uint64_t count, length, step, stride;
  const uint64_t *offsets;
  uint64_t all;
  void *to;
  uint64_t to_stride;
};

/* Errors in segments that make their results unusable.  */
enum
{
  GT_LINES_ARE_WRONG = 1, /* offsets decrease or are greater than the number of all elements */
  GT_LINES_ARE_EMPTY = 2  /* some have no elements */
};

/* Sums of powers of N elements X, or of weights X and elements Y, or of two samples.  MOMENTS
   has a bit of enum gt_moment for each sum.  Neighbours are an element and its successor.  The
   statistic is FORMULA of the sums, without given numbers.  */
struct gt_powers
{
  enum gt_arithmetic arithmetic;
  uint64_t n;
  struct gt_operand x, y;
  uint32_t moments;
  struct gt_formula formula;
  /* If WORDS is not null, it is room on the host for the words of all these sums, one after
     the other (gt_power_sums_in), and *CONTROL receives the findings about the elements.  In
     this case there is no statistic, and keep waits.  */
  int64_t *words;
  size_t n_words;
  struct gt_powers_control *control;
};

/* A part of a sum of complex vectors: an exact sum of the real (0) or imaginary (1) parts of x
   and of y.  It is added to result TO, 0 or 1, together with the parts before it, as PART says
   (enum gt_finish_part).  */
struct gt_keeping_part
{
  unsigned char x, y, to, part;
};

/* A result that stays on the GPU of the elements: the result of TASK, finished as AS, in SIZE
   bytes at TO.  If both kinds of extremes are computed, TO[1] receives the largest; it also
   receives an imaginary part.  Exact sums are those of a task in exact mode.  PLAN is for the
   task, which is that of the first part if there are N_PARTS, two for each result.  If POWERS
   or LINES is not null, it describes the result instead.  */
struct gt_keeping
{
  const struct gt_powers *powers; /* null, or the power sums of the statistic to be kept */
  const struct gt_device_lines *lines; /* null, or lines, which have results of their own */
  const struct gt_keeping_part *parts;
  unsigned n_parts;
  struct gt_task task;
  enum gt_finish_as as;
  unsigned size;
  void *to[2];
  const struct gt_plan *plan;
  void *stream;  /* a user's stream, or its default stream */
  void *scratch; /* keep_bytes of memory on that GPU, zero at first, and used by no other
                    stream; null: from the stream's own pool */
};

enum gt_direction
{
  GT_TO_DEVICE,
  GT_TO_HOST,
  GT_ON_DEVICE
};

/* The default stream of the process, and that of the thread.  */
#define GT_DEFAULT_STREAM ((void *) 1)
#define GT_THREAD_STREAM ((void *) 2)

/* The alignment of inputs in a slot's buffers: a multiple of the lines of every cache.  */
#define GT_INPUT_ALIGNMENT 256

/* Functions that return an int return 0, or an error that `error' can name.  */
struct gt_backend
{
  /* Stores the GPUs of this process in *DEVICES, which stays valid, and returns their number;
     or returns 0 with the reason, a static text, in WHY.  Called once; uses no memory of any
     GPU.  */
  int (*discover) (struct gt_device **devices, const char **why);

  /* Opens DEVICE, one of those, at most once for each; returns null, with the reason in WHY,
     if that fails.  */
  struct gt_open_gpu *(*open) (const struct gt_device *device,
                               const char **why);
  const struct gt_device *(*device_of) (const struct gt_open_gpu *gpu);
  /* Returns whether the open GPU is usable: no error has made its context unusable.  */
  int (*usable) (const struct gt_open_gpu *gpu);
  /* Returns the name of an error, a static text.  */
  const char *(*error) (int status);

  /* Returns the place of all BYTES at DATA; if they are not in one place, it is host memory.
     Asks the driver if it is loaded in this process; otherwise all memory is host memory.
     Cannot fail.  */
  struct gt_location (*locate) (const void *data, size_t bytes);
  /* Returns the index of the GPU that can read ADDRESS, or -1.  */
  int (*index_of_address) (const void *address);
  /* Returns the address at which GPU reads DATA, which is in pinned or managed memory.  */
  const void *(*address) (struct gt_open_gpu *gpu, const void *data);

  /* Allocate and free memory in PLACE, any except host memory.  Every GPU reads pinned memory
     at the host's address.  Allocated memory is not initialised.  In a forked child, free does
     nothing.  */
  int (*alloc) (struct gt_open_gpu *gpu, enum gt_place place, size_t bytes,
                void **address);
  void (*free) (struct gt_open_gpu *gpu, enum gt_place place, void *address);
  int (*memory) (struct gt_open_gpu *gpu, size_t *free_bytes,
                 size_t *total_bytes);
  /* Pins BYTES of the caller's memory, which may already be pinned completely.  Unpin takes the
     address that was pinned.  */
  int (*pin) (struct gt_open_gpu *gpu, const void *address, size_t bytes);
  int (*unpin) (struct gt_open_gpu *gpu, const void *address);
  int (*copy) (struct gt_open_gpu *gpu, enum gt_direction direction, void *to,
               const void *from, size_t bytes);
  /* Copies between host and device N elements of SIZE bytes, which are STEP bytes apart on the
     device and contiguous on the host.  */
  int (*copy_strided) (struct gt_open_gpu *gpu, enum gt_direction direction,
                       void *to, const void *from, size_t step, size_t size,
                       size_t n);

  /* Waits for the work in STREAM, a user's stream.  */
  int (*synchronize) (struct gt_open_gpu *gpu, void *stream);
  /* Returns whether STREAM is being captured into a graph.  In this case work that is put into
     it does not run now, and waiting for it would end the capture.  */
  int (*captured) (struct gt_open_gpu *gpu, void *stream);

  /* Computes TASK with PLAN and waits for the result.  The data is at an address that the GPU
     can read; VALUE is not finished.  STREAM is a user's, or null for one of the library's
     own.  */
  int (*compute) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                  const struct gt_task *task, void *stream,
                  union gt_value *value);
  /* Do the same in two steps, so that several GPUs compute at the same time: begin launches
     TASK, end waits for its result.  If begin succeeds, the same thread must call end, even if
     other tasks fail; otherwise it must not.  */
  int (*begin) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                const struct gt_task *task, void *stream,
                struct gt_pending *pending);
  int (*end) (struct gt_pending *pending, union gt_value *value);
  /* Returns the largest number of elements of PROBLEM in one launch of PLAN.  */
  uint64_t (*most) (const struct gt_open_gpu *gpu, const struct gt_plan *plan,
                    const struct gt_problem *problem);

  /* Multiplies, after the earlier work in STREAM as above, and waits.  If this fails, *KEPT is
     set to whether C is unchanged.  */
  int (*multiply) (struct gt_open_gpu *gpu, const struct gt_device_product *product,
                   void *stream, int *kept);

  /* Computes results of lines, after the earlier work in STREAM as above, and waits.  There is
     at least one line of one element, and there are less than 2^30 lines.  *FOUND is set to
     the errors in segments.  */
  int (*lines) (struct gt_open_gpu *gpu, const struct gt_device_lines *lines, void *stream,
                unsigned *found);

  /* Puts the computation of KEEPING into its stream, in the context of that stream, without
     waiting.  The stream may be captured.  */
  int (*keep) (struct gt_open_gpu *gpu, const struct gt_keeping *keeping);
  size_t (*keep_bytes) (const struct gt_open_gpu *gpu);

  /* Sets BYTES at ADDRESS to zero, after the earlier work in STREAM, a user's stream.  */
  int (*clear) (struct gt_open_gpu *gpu, void *address, size_t bytes, void *stream);

  /* Reserves a slot for the caller, a spare or a new one, whose buffers for copies have at
     most MOST bytes; slot_release returns it.  Slots with larger buffers remain spare, so that
     their memory can be freed if memory is short.  */
  int (*slot_acquire) (struct gt_open_gpu *gpu, size_t most,
                       struct gt_slot **slot);
  void (*slot_release) (struct gt_open_gpu *gpu, struct gt_slot *slot);
  /* Grows the slot's buffers for copies by WAY to BYTES.  */
  int (*slot_reserve) (struct gt_open_gpu *gpu, struct gt_slot *slot,
                       enum gt_way way, size_t bytes);
  /* Launches TASK in the slot's stream, after copies of its data by WAY, without waiting.  An
     exact task has at most `most' elements.  */
  int (*start) (struct gt_open_gpu *gpu, struct gt_slot *slot, enum gt_way way,
                const struct gt_plan *plan, const struct gt_task *task);
  /* Returns whether the result of the last start has arrived; await waits for it.  */
  int (*arrived) (const struct gt_slot *slot);
  int (*await) (struct gt_open_gpu *gpu, struct gt_slot *slot,
                const struct gt_task *task, union gt_value *value);
  /* Frees the streams and the scratch memory that are not in use.  */
  void (*trim) (struct gt_open_gpu *gpu);

  /* For the tuner.  Stores the resources of PLAN's kernel for PROBLEM, as the driver reports
     them.  */
  int (*resources) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                    const struct gt_problem *problem,
                    struct gt_resources *resources);
  /* Fills the slot's partial sums and result with a pattern that a correct kernel overwrites
     completely.  */
  int (*poison) (struct gt_open_gpu *gpu, struct gt_slot *slot);
  /* Measures the seconds on the device from the beginning of the first of COUNT launches to
     the end of the last.  Launch k computes TASK with its data moved by (k mod WINDOWS) * STEP
     bytes.  The results stay in device memory.  */
  int (*time) (struct gt_open_gpu *gpu, struct gt_slot *slot,
               const struct gt_plan *plan, const struct gt_task *task,
               unsigned count, unsigned windows, size_t step, double *seconds);
};

/* The backend of this build; a build without any has one without GPUs.  */
extern const struct gt_backend *const gt_gpus;

/* Returns the room of N elements of SIZE bytes in a slot's buffers for copies.  */
static inline size_t
gt_slot_room (uint64_t n, size_t size)
{
  return (n * size + GT_INPUT_ALIGNMENT - 1) / GT_INPUT_ALIGNMENT
         * GT_INPUT_ALIGNMENT;
}

#endif

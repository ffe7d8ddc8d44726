/* A backend computes on GPUs.  It is a table of operations, one for each vendor's driver.
   Nothing but the table's own folder knows the driver behind it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BACKEND_H
#define GT_BACKEND_H

#include "kernels/args.h"
#include "kernels/cpu/matrix/across.h"
#include "src/base/configuration.h"
#include "src/base/route.h"
#include "src/device/device.h"

/* The backend's own record of a GPU that is opened (src/device/gpus.h).  */
struct gt_open_gpu;

/* A stream of the library's own, with the memory that one task at a time needs.  */
struct gt_slot;

/* A task of which a launch is under way.  */
struct gt_pending
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;
  struct gt_plan plan;
  struct gt_task task;
  void *on;      /* the stream */
  uint64_t most; /* elements of a launch */
};

/* The resources of a kernel, as the driver tells them.  */
struct gt_resources
{
  int registers;           /* a thread */
  size_t shared;           /* bytes a block, static */
  size_t local;            /* bytes a thread: spills and arrays */
  int max_threads_per_block;
  int active_blocks;       /* per SM, as the driver says, for the block asked */
};

/* A product of matrices that one GPU has, C := alpha A B + beta C, with a vector where
   there is one column.  Where alpha or beta is 0 what it would be multiplied by is not
   read.  Of C neighbours in a row lie side by side.  */
struct gt_device_product
{
  int single; /* the elements are floats, else doubles */
  int exact;  /* each element is rounded once, from what it is exactly */
  struct gt_matrix_operand a, b, c;
  uint64_t rows, columns, terms; /* no terms where alpha is 0, and the reverse */
  double alpha, beta;
};

/* Lines that one GPU has: COUNT of them, of LENGTH elements STRIDE apart, each STEP behind the
   one before; or where there are OFFSETS, COUNT + 1 of them on that GPU, segments of ALL
   elements STRIDE apart.  Elements are doubles, floats or ints.  Results
   are elements, doubles, or indexes of 64 bits, TO_STRIDE apart; that of a segment without
   elements is zero.  */
struct gt_device_lines
{
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

/* Findings about segments that forbid to use their results.  */
enum
{
  GT_LINES_ARE_WRONG = 1, /* offsets decrease or reach beyond all elements */
  GT_LINES_ARE_EMPTY = 2  /* some have no elements */
};

/* Sums of powers of N elements X, or of weights X and elements Y, or of both of two samples;
   MOMENTS has a bit for each that is wanted, enum gt_moment.  Neighbours are the elements and
   those behind them.  The statistic is FORMULA of these, which has no given numbers.  */
struct gt_powers
{
  enum gt_arithmetic arithmetic;
  uint64_t n;
  struct gt_operand x, y;
  uint32_t moments;
  struct gt_formula formula;
  /* Null; or on the host, for the words of all these sums, one after the other (gt_power_sums_in), and what
     is told of the elements.  Then there is no statistic, and keeping waits.  */
  int64_t *words;
  size_t n_words;
  struct gt_powers_control *control;
};

/* Of complex vectors an exact sum of real or imaginary parts, 0 or 1, of x and of y; it goes
   into result TO, 0 or 1, with those before it, as PART says (enum gt_finish_part).  */
struct gt_keeping_part
{
  unsigned char x, y, to, part;
};

/* A result that stays on the GPU that has the elements: of TASK, finished as AS, in SIZE
   bytes at TO; of extremes of both kinds the largest goes to TO[1], and so
   does an imaginary part.  Exact sums are those of a
   task in exact mode.  PLAN is one for the task, which is that of the first part where there
   are several: N_PARTS, two of each result.  Or what POWERS or LINES tell of.  */
struct gt_keeping
{
  const struct gt_powers *powers; /* null, or of which a statistic is to be kept */
  const struct gt_device_lines *lines; /* null, or with results of their own */
  const struct gt_keeping_part *parts;
  unsigned n_parts;
  struct gt_task task;
  enum gt_finish_as as;
  unsigned size;
  void *to[2];
  const struct gt_plan *plan;
  void *stream;  /* a user's, or its default stream */
  void *scratch; /* as many bytes on that GPU as keep_bytes says, zero at first, and no other
                    stream's; null: from the stream's own pool */
};

enum gt_direction
{
  GT_TO_DEVICE,
  GT_TO_HOST,
  GT_ON_DEVICE
};

/* A user's default stream, and the thread's.  */
#define GT_DEFAULT_STREAM ((void *) 1)
#define GT_THREAD_STREAM ((void *) 2)

/* Where the second input of a task begins in a slot's buffers: at a line of every
   cache, as the first does.  */
#define GT_INPUT_ALIGNMENT 256

/* Functions that return an int give 0, or what `error' names.  */
struct gt_backend
{
  /* The GPUs of this process, in *DEVICES, which stay: how many, or 0 with the reason,
     static text, in WHY.  Called once; takes no memory on any GPU.  */
  int (*discover) (struct gt_device **devices, const char **why);

  /* Opens DEVICE, one of those, which is called once for each; or null with WHY.  */
  struct gt_open_gpu *(*open) (const struct gt_device *device,
                               const char **why);
  const struct gt_device *(*device_of) (const struct gt_open_gpu *gpu);
  /* Whether no error has ended what was opened.  */
  int (*usable) (const struct gt_open_gpu *gpu);
  /* The name of an error, static text.  */
  const char *(*error) (int status);

  /* Where the BYTES at DATA lie: all of them, else it is host memory.  Asks the
     driver when something in this process has loaded it: otherwise nothing can be
     but host memory.  Cannot fail.  */
  struct gt_location (*locate) (const void *data, size_t bytes);
  /* The index of the GPU that can read ADDRESS, or -1.  */
  int (*index_of_address) (const void *address);
  /* The address at which GPU reads DATA, in pinned or managed memory.  */
  const void *(*address) (struct gt_open_gpu *gpu, const void *data);

  /* Memory in PLACE, any but that of the host, which every GPU reads at the host's
     address if it is pinned.  Allocating is not initialising.  In a forked child freeing
     does nothing.  */
  int (*alloc) (struct gt_open_gpu *gpu, enum gt_place place, size_t bytes,
                void **address);
  void (*free) (struct gt_open_gpu *gpu, enum gt_place place, void *address);
  int (*memory) (struct gt_open_gpu *gpu, size_t *free_bytes,
                 size_t *total_bytes);
  /* Pins BYTES of the caller's memory, which may be pinned already, as a whole; unpin
     takes the address that was pinned.  */
  int (*pin) (struct gt_open_gpu *gpu, const void *address, size_t bytes);
  int (*unpin) (struct gt_open_gpu *gpu, const void *address);
  int (*copy) (struct gt_open_gpu *gpu, enum gt_direction direction, void *to,
               const void *from, size_t bytes);
  /* Between host and device, N elements of SIZE bytes that lie STEP bytes apart on the
     device, and next to each other on the host.  */
  int (*copy_strided) (struct gt_open_gpu *gpu, enum gt_direction direction,
                       void *to, const void *from, size_t step, size_t size,
                       size_t n);

  /* Waits for the work in STREAM, a user's.  */
  int (*synchronize) (struct gt_open_gpu *gpu, void *stream);
  /* Whether STREAM is being captured into a graph: then nothing that is put into it now
     would run, and waiting for it would end the capture.  */
  int (*captured) (struct gt_open_gpu *gpu, void *stream);

  /* Computes TASK, whose data is at an address that the GPU can read, with PLAN;
     VALUE is not finished.  STREAM is a user's, or null for one of the library's own.
     Waits for the result.  */
  int (*compute) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                  const struct gt_task *task, void *stream,
                  union gt_value *value);
  /* The same in two steps, so that several GPUs compute at once: begin launches TASK,
     end waits for its result.  What was begun is to be ended, by the same thread,
     whatever happens to others; what could not be begun is not.  */
  int (*begin) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                const struct gt_task *task, void *stream,
                struct gt_pending *pending);
  int (*end) (struct gt_pending *pending, union gt_value *value);
  /* The most elements of PROBLEM that one launch of PLAN may take.  */
  uint64_t (*most) (const struct gt_open_gpu *gpu, const struct gt_plan *plan,
                    const struct gt_problem *problem);

  /* Multiplies, after the work in STREAM as above, and waits.  When it fails, KEPT tells
     whether C is as it was.  */
  int (*multiply) (struct gt_open_gpu *gpu, const struct gt_device_product *product,
                   void *stream, int *kept);

  /* Computes results of lines, after the work in STREAM as above, and waits; at least one line of
     one element, and less than 2^30.  FOUND tells what segments have.  */
  int (*lines) (struct gt_open_gpu *gpu, const struct gt_device_lines *lines, void *stream,
                unsigned *found);

  /* Puts what computes KEEPING into its stream, in that stream's context, and waits for nothing.
     The stream may be one that is being captured.  */
  int (*keep) (struct gt_open_gpu *gpu, const struct gt_keeping *keeping);
  size_t (*keep_bytes) (const struct gt_open_gpu *gpu);

  /* Makes BYTES at ADDRESS zero, behind the work in STREAM, a user's.  */
  int (*clear) (struct gt_open_gpu *gpu, void *address, size_t bytes, void *stream);

  /* Takes a slot for the caller alone, a spare one or a new one, whose buffers for
     copies have at most MOST bytes; gives it back.  Larger ones stay spare, where they
     are found when memory is short: a slot in use would keep them.  */
  int (*slot_acquire) (struct gt_open_gpu *gpu, size_t most,
                       struct gt_slot **slot);
  void (*slot_release) (struct gt_open_gpu *gpu, struct gt_slot *slot);
  /* Makes the slot's buffers for copies by WAY hold BYTES.  */
  int (*slot_reserve) (struct gt_open_gpu *gpu, struct gt_slot *slot,
                       enum gt_way way, size_t bytes);
  /* Launches TASK on the slot's stream, behind copies of its data by WAY, without
     waiting; an exact one has no more elements than `most'.  */
  int (*start) (struct gt_open_gpu *gpu, struct gt_slot *slot, enum gt_way way,
                const struct gt_plan *plan, const struct gt_task *task);
  /* Whether the result of what was last started is there; waits for it.  */
  int (*arrived) (const struct gt_slot *slot);
  int (*await) (struct gt_open_gpu *gpu, struct gt_slot *slot,
                const struct gt_task *task, union gt_value *value);
  /* Gives back the streams and the scratch memory that nothing is using.  */
  void (*trim) (struct gt_open_gpu *gpu);

  /* For the tuner.  What the driver says of the kernel that PLAN has for PROBLEM.  */
  int (*resources) (struct gt_open_gpu *gpu, const struct gt_plan *plan,
                    const struct gt_problem *problem,
                    struct gt_resources *resources);
  /* Fills the slot's partial sums and result with a pattern that no correct
     kernel leaves standing.  */
  int (*poison) (struct gt_open_gpu *gpu, struct gt_slot *slot);
  /* Seconds on the device from the first of COUNT launches to the end of the last,
     launch k over TASK with data moved by (k mod WINDOWS) * STEP bytes.  The results stay
     in device memory.  */
  int (*time) (struct gt_open_gpu *gpu, struct gt_slot *slot,
               const struct gt_plan *plan, const struct gt_task *task,
               unsigned count, unsigned windows, size_t step, double *seconds);
};

/* The backend of this build; without any, one that has no GPU.  */
extern const struct gt_backend *const gt_gpus;

/* The room that N elements of SIZE bytes take in a slot's buffers for copies.  */
static inline size_t
gt_slot_room (uint64_t n, size_t size)
{
  return (n * size + GT_INPUT_ALIGNMENT - 1) / GT_INPUT_ALIGNMENT
         * GT_INPUT_ALIGNMENT;
}

#endif

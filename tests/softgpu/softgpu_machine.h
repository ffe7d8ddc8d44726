/* The engine's inside: what there is of each thread, warp and block while a
   grid runs.  The engine places blocks (softgpu_engine.cc), a block runs its
   warps (softgpu_block.cc).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_MACHINE_H
#define GT_SOFTGPU_MACHINE_H

#include "tests/softgpu/softgpu.h"

#include "tests/softgpu/softgpu_engine.h"
#include "tests/softgpu/softgpu_fiber.h"

#include <vector>

namespace softgpu
{
enum
{
  warp_lanes = 32,
  max_threads = 1024,
  max_warps = max_threads / warp_lanes
};

struct warp;

struct thread : position
{
  fiber stack;
  struct warp *of;
  /* The barrier that it waits for.  */
  operation waits_for;
  unsigned mask, source;
  uint64_t value, answer;
  const char *file;
  int line;
};

struct warp
{
  unsigned index;
  unsigned live, ready; /* lanes that have not ended; that can run */
  unsigned in_exchange, at_barrier; /* lanes that wait */
};

/* Allocated once, and again used by every grid.  */
struct block
{
  thread threads[max_threads];
  warp warps[max_warps];
  unsigned order[max_warps], n_warps, cursor;
  unsigned rotate; /* the lane that is looked at first */
  uint3 index;
  void *dynamic;
  std::vector<unsigned char> shared; /* while another block runs */
  kernel_function *shared_of;        /* whose variables these are */
  const block *stored_by; /* since the last cluster barrier */
};

/* Everything a launch needs; allocated once.  */
struct machine
{
  block *blocks[max_cluster]; /* those of one cluster, by rank */
  unsigned n_blocks, n_threads; /* of a cluster, of a block */
  unsigned phase; /* cluster barriers that were passed */
  fiber host;
  const launch *running;
  uint64_t random;
  int code; /* of the failure */
};

extern machine *m;
extern block *b; /* that runs */

/* The running thread.  */
static inline thread *
self ()
{
  return static_cast<thread *> (const_cast<position *> (current));
}

/* Random bits.  */
uint64_t draw ();
/* As fail, but returns: for errors that are no single thread's.  */
void give_up (int code, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Ends the launch if the running thread owes a fence, as it must not when it meets
   others.  */
void check_fences ();
/* Ends the launch unless it is one of clusters.  */
void need_cluster (const char *function);

/* Whether a block has a thread that has not ended.  */
bool is_live (const block *of);
/* Lets all threads of the block run on.  */
void pass_barrier ();
/* The thread to run next; null when the block has ended, waits for its cluster
   or hangs.  */
thread *next_thread ();
/* The running thread has returned.  An ended lane counts as having met those
   that wait for it.  */
void end_thread (thread *t);
}

#endif

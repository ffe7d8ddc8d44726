/* The engine.  Blocks run one after the other, in shuffled order.  The blocks
   of a cluster take turns, each of them until all of its threads wait at a
   cluster barrier or have ended; the order is drawn anew after each barrier,
   and shared variables are put aside in between.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_machine.h"

#include <cuda.h>
#include <fenv.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include <algorithm>
#include <new>
#include <utility>

namespace softgpu
{
const position *current;
uint3 block_index;
dim3 block_size, grid_size;
uintptr_t load_begin, load_end;
machine *m;
block *b;

/* Marsaglia's xorshift64.  */
uint64_t
draw ()
{
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return m->random;
}

static void
report (const char *format, va_list arguments)
{
  char text[512];

  vsnprintf (text, sizeof text, format, arguments);
  fprintf (stderr, "softgpu: %s: block (%u, %u, %u): %s\n", m->running->name,
           block_index.x, block_index.y, block_index.z, text);
}

void
give_up (int code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  report (format, arguments);
  va_end (arguments);
  m->code = code;
}

void
fail (int code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  report (format, arguments);
  va_end (arguments);
  m->code = code;
  fiber_switch (&self ()->stack, &m->host);
  abort ();
}

/* A device takes any block for a cluster of its own; here it is a slip.  */
void
need_cluster (const char *function)
{
  if (m->running->cluster == 0)
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "%s in a kernel without GT_CLUSTER_DIMS", function);
}

void
check_load (const void *address, size_t size, size_t align)
{
  uintptr_t begin = reinterpret_cast<uintptr_t> (address);

  if (begin % align != 0)
    fail (CUDA_ERROR_MISALIGNED_ADDRESS,
          "thread %u loads %zu bytes at %p, not aligned to %zu",
          current->index.x, size, address, align);
  if (!find_readable (begin, size, &load_begin, &load_end))
    fail (CUDA_ERROR_ILLEGAL_ADDRESS,
          "thread %u loads %zu bytes at %p, outside of any allocation",
          current->index.x, size, address);
}

void *
dynamic_shared_memory ()
{
  return b->dynamic;
}

unsigned
cluster_rank ()
{
  need_cluster ("cluster_rank");
  return b->index.x % m->n_blocks;
}

/* Where block TO has the shared variable that this block has at ADDRESS.  */
static void *
remote_address (block *to, void *address, size_t size)
{
  uintptr_t at = reinterpret_cast<uintptr_t> (address);
  uintptr_t dynamic = reinterpret_cast<uintptr_t> (b->dynamic);
  ptrdiff_t offset = shared_offset (address, size);

  if (at >= dynamic && at - dynamic < m->running->dynamic_shared
      && size <= m->running->dynamic_shared - (at - dynamic))
    return static_cast<char *> (to->dynamic) + (at - dynamic);
  if (offset < 0)
    fail (CUDA_ERROR_INVALID_ADDRESS_SPACE,
          "thread %u: remote_store of %zu bytes at %p, which is not in a "
          "shared variable",
          current->index.x, size, address);
  return to == b ? address : to->shared.data () + offset;
}

/* Acts that a block may not do to another, whether or not it comes to harm in this
   order of the blocks.  */
void
remote_store (void *address, unsigned rank, const void *value, size_t size)
{
  need_cluster ("remote_store");
  if (rank >= m->n_blocks)
    fail (CUDA_ERROR_ILLEGAL_ADDRESS,
          "thread %u: remote_store to block %u of a cluster of %u",
          current->index.x, rank, m->n_blocks);
  block *to = m->blocks[rank];
  if (to != b && m->phase == 0)
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "thread %u: remote_store to block %u of the cluster, which may not "
          "have started: no cluster_wait lies before",
          current->index.x, rank);
  if (to != b && !is_live (to))
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "thread %u: remote_store to block %u of the cluster, which has "
          "ended",
          current->index.x, rank);
  memcpy (remote_address (to, address, size), value, size);
  if (to != b)
    to->stored_by = b;
}

static void
thread_main ()
{
  fiber_entered (&self ()->stack);
  m->running->kernel (m->running->args);
  end_thread (self ());
  abort ();
}

static void
start_threads ()
{
  const unsigned *size = m->running->block;

  b->n_warps = (m->n_threads + warp_lanes - 1) / warp_lanes;
  for (unsigned i = 0; i < b->n_warps; i++)
    {
      unsigned left = m->n_threads - i * warp_lanes;
      unsigned lanes = left < warp_lanes ? (1u << left) - 1 : UINT_MAX;
      b->warps[i] = warp{i, lanes, lanes, 0, 0};
      b->order[i] = i;
    }
  for (unsigned i = 0; i < m->n_threads; i++)
    {
      thread *t = &b->threads[i];
      t->index = uint3{i % size[0], i / size[0] % size[1],
                       i / size[0] / size[1]};
      t->lane = i % warp_lanes;
      t->of = &b->warps[i / warp_lanes];
      fiber_start (&t->stack, i, thread_main);
    }
}

/* Runs the block until it ends or waits for its cluster.  */
static void
take_turn ()
{
  block_index = b->index;
  if (m->phase == 0)
    poison_shared (m->running->kernel);
  else if (m->n_blocks > 1)
    load_shared (b->shared.data ());
  pass_barrier ();
  thread *first = next_thread ();
  current = first;
  fiber_switch (&m->host, &first->stack);
  if (m->n_blocks > 1 && is_live (b))
    save_shared (b->shared.data ());
}

/* A block that ends while another may still store into its shared memory: no
   cluster barrier told the one of the other.  */
static void
check_stores ()
{
  for (unsigned i = 0; i < m->n_blocks; i++)
    {
      b = m->blocks[i];
      block_index = b->index;
      if (b->stored_by && !is_live (b) && m->code == 0)
        give_up (CUDA_ERROR_LAUNCH_FAILED,
                 "ends with no cluster_wait after the remote_store of "
                 "block (%u, %u, %u) into its shared memory",
                 b->stored_by->index.x, b->stored_by->index.y,
                 b->stored_by->index.z);
      b->stored_by = nullptr;
    }
}

/* From the start or one cluster barrier to the next or the end: every block
   in turn.  False: all have ended, or one has failed.  */
static bool
run_phase ()
{
  unsigned order[max_cluster];
  bool live = false;

  for (unsigned i = 0; i < m->n_blocks; i++)
    order[i] = i;
  for (unsigned i = m->n_blocks; i > 1; i--)
    std::swap (order[i - 1], order[draw () % i]);
  for (unsigned i = 0; i < m->n_blocks && m->code == 0; i++)
    {
      b = m->blocks[order[i]];
      if (is_live (b))
        take_turn ();
      live |= is_live (b);
    }
  check_stores ();
  m->phase++;
  return live && m->code == 0;
}

/* For the lifetime of a block.  Exactly as large as asked for, so that ASan
   sees what lies beyond.  */
static bool
allocate_dynamic ()
{
  size_t size = m->running->dynamic_shared;

  b->dynamic = nullptr;
  if (size > 0 && posix_memalign (&b->dynamic, 16, size) != 0)
    return false;
  if (size > 0)
    memset (b->dynamic, 0xff, size);
  return true;
}

/* The blocks from INDEX on, which make up a cluster.  */
static int
run_cluster (uint3 index)
{
  bool enough = true;

  for (unsigned i = 0; i < m->n_blocks; i++, index.x++)
    {
      b = m->blocks[i];
      b->index = index;
      enough &= allocate_dynamic ();
      start_threads ();
    }
  m->phase = 0;
  if (!enough)
    m->code = CUDA_ERROR_OUT_OF_MEMORY;
  while (m->code == 0 && run_phase ())
    continue;
  for (unsigned i = 0; i < m->n_blocks; i++)
    {
      for (unsigned t = 0; t < m->n_threads && m->code != 0; t++)
        fiber_abandon (&m->blocks[i]->threads[t].stack);
      free (m->blocks[i]->dynamic);
    }
  return m->code;
}

static uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  return b == 0 ? a : common_divisor (b, a % b);
}

/* Visits every cluster once, in the order of an arithmetic progression modulo
   their number.  */
static int
run_grid ()
{
  const unsigned *grid = m->running->grid;
  const unsigned width = grid[0] / m->n_blocks;
  uint64_t clusters = (uint64_t) width * grid[1] * grid[2];
  uint64_t at = draw () % clusters, step = draw () % clusters | 1;
  int code = 0;

  while (common_divisor (step, clusters) != 1)
    step++;
  for (uint64_t i = 0; i < clusters && code == 0; i++)
    {
      code = run_cluster (uint3{(unsigned) (at % width) * m->n_blocks,
                                (unsigned) (at / width % grid[1]),
                                (unsigned) (at / width / grid[1])});
      at = (at + step) % clusters;
    }
  return code;
}

/* A block with its fibers.  One grid runs at a time, and stacks may be small.  */
static bool
prepare_block (block **at)
{
  static fiber *fibers[max_threads];

  if (!*at && !(*at = new (std::nothrow) block ()))
    return false;
  for (unsigned i = 0; i < m->n_threads; i++)
    fibers[i] = &(*at)->threads[i].stack;
  (*at)->stored_by = nullptr;
  if (m->n_blocks > 1 && (*at)->shared_of != m->running->kernel)
    {
      (*at)->shared.resize (shared_bytes (), 0xff);
      poison_copy ((*at)->shared_of, (*at)->shared.data ());
      (*at)->shared_of = m->running->kernel;
    }
  return fiber_stacks (fibers, m->n_threads);
}

static bool
prepare (const launch &l)
{
  if (!m && !(m = new (std::nothrow) machine ()))
    return false;
  m->n_blocks = std::max (l.cluster, 1u);
  m->n_threads = l.block[0] * l.block[1] * l.block[2];
  m->running = &l;
  for (unsigned i = 0; i < m->n_blocks; i++)
    if (!prepare_block (&m->blocks[i]))
      return false;
  m->code = 0;
  m->random = (l.seed + 1) * UINT64_C (0x9e3779b97f4a7c15) | 1;
  load_begin = UINTPTR_MAX;
  load_end = 0;
  block_size = dim3 (l.block[0], l.block[1], l.block[2]);
  grid_size = dim3 (l.grid[0], l.grid[1], l.grid[2]);
  return true;
}

/* A device rounds to nearest and keeps subnormals, whatever the host does.  */
static uint64_t threads_that_waited; /* of the grid that runs */

void
wait_for_stream ()
{
  threads_that_waited++;
}

static uint64_t
threads_of (const launch &l)
{
  uint64_t threads = 1;

  for (int i = 0; i < 3; i++)
    threads *= (uint64_t) l.grid[i] * l.block[i];
  return threads;
}

int
run (const launch &l)
{
  fenv_t saved;

  if (!prepare (l))
    return CUDA_ERROR_OUT_OF_MEMORY;
  fegetenv (&saved);
  fesetenv (FE_DFL_ENV);
  threads_that_waited = 0;
  int code = run_grid ();
  if (code == 0 && l.overlaps && threads_that_waited != threads_of (l))
    {
      fprintf (stderr, "softgpu: %s: launched early, and %llu of %llu threads wait\n", l.name,
               (unsigned long long) threads_that_waited, (unsigned long long) threads_of (l));
      code = CUDA_ERROR_LAUNCH_FAILED;
    }
  fesetenv (&saved);
  current = nullptr;
  return code;
}
}

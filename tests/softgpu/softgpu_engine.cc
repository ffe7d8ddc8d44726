/* The engine.  Blocks run one after the other, in shuffled order.  Within a
   block a warp runs until each of its lanes waits at a block barrier or has
   ended, then the next warp; warps and lanes take turns in an order that is
   drawn anew after each barrier, so that a missing barrier shows.  Lanes that
   wait for each other within a warp involve no other warp.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu.h"

#include "tests/softgpu/softgpu_engine.h"
#include "tests/softgpu/softgpu_fiber.h"

#include <cuda.h>
#include <fenv.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include <new>
#include <utility>

namespace softgpu
{
const position *current;
uint3 block_index;
dim3 block_size, grid_size;
uintptr_t load_begin, load_end;

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
  /* What it waits for.  */
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

/* Everything a launch needs; allocated once.  */
struct machine
{
  thread threads[max_threads];
  warp warps[max_warps];
  unsigned order[max_warps], n_warps, cursor;
  unsigned rotate; /* the lane that is looked at first */
  fiber host;
  const launch *running;
  uint64_t random;
  int code; /* of the failure */
  void *dynamic;
};
static machine *m;

/* Marsaglia's xorshift64.  */
static uint64_t
draw ()
{
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return m->random;
}

static thread *
self ()
{
  return static_cast<thread *> (const_cast<position *> (current));
}

static thread *
lane_of (const warp *w, unsigned lane)
{
  return &m->threads[w->index * warp_lanes + lane];
}

static void
report (const char *format, va_list arguments)
{
  char text[512];

  vsnprintf (text, sizeof text, format, arguments);
  fprintf (stderr, "softgpu: %s: block (%u, %u, %u): %s\n", m->running->name,
           block_index.x, block_index.y, block_index.z, text);
}

static void
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

/* The order of the warps and, within each, of the lanes, until the next
   barrier.  */
static void
shuffle_order ()
{
  for (unsigned i = m->n_warps; i > 1; i--)
    std::swap (m->order[i - 1], m->order[draw () % i]);
  m->rotate = draw () % warp_lanes;
  m->cursor = 0;
}

static const char *
waiting_for (const thread *t)
{
  switch (t->waits_for)
    {
    case op_syncwarp:
      return "__syncwarp";
    case op_shuffle:
      return "a shuffle";
    case op_vote:
      return "a vote";
    default:
      return "__syncthreads";
    }
}

static const thread *
first_waiting (unsigned warp::*lanes)
{
  for (unsigned i = 0; i < m->n_warps; i++)
    if (m->warps[i].*lanes)
      return lane_of (&m->warps[i], __builtin_ctz (m->warps[i].*lanes));
  return nullptr;
}

/* No lane can run, and not all of them wait at a block barrier.  */
static void
report_deadlock ()
{
  const thread *a = first_waiting (&warp::in_exchange);
  const thread *b = first_waiting (&warp::at_barrier);
  const warp *w = a->of;
  unsigned missing = a->mask & w->live & ~w->in_exchange;

  if (b)
    give_up (CUDA_ERROR_LAUNCH_FAILED,
             "warp %u, lane %u waits in %s of mask %#x for lanes %#x, while "
             "others wait at __syncthreads, %s:%d",
             w->index, a->lane, waiting_for (a), a->mask, missing, b->file,
             b->line);
  else
    give_up (CUDA_ERROR_LAUNCH_FAILED,
             "warp %u, lane %u waits in %s of mask %#x for lanes that are in "
             "another operation or have another mask",
             w->index, a->lane, waiting_for (a), a->mask);
}

/* Whether all waiting threads stand at the same __syncthreads.  */
static bool
same_barrier ()
{
  const thread *first = first_waiting (&warp::at_barrier);

  for (unsigned i = 0; i < m->n_warps; i++)
    for (unsigned left = m->warps[i].at_barrier; left; left &= left - 1)
      {
        const thread *t = lane_of (&m->warps[i], __builtin_ctz (left));
        if (t->line == first->line && strcmp (t->file, first->file) == 0)
          continue;
        give_up (CUDA_ERROR_LAUNCH_FAILED,
                 "threads of one block wait at two barriers, %s:%d and %s:%d",
                 first->file, first->line, t->file, t->line);
        return false;
      }
  return true;
}

/* Every warp has run as far as it can.  Opens the barrier that all wait at.
   False: the block has ended, or hangs.  */
static bool
open_barrier ()
{
  bool live = false, hangs = false;

  for (unsigned i = 0; i < m->n_warps; i++)
    {
      live |= m->warps[i].live != 0;
      hangs |= m->warps[i].live != m->warps[i].at_barrier;
    }
  if (hangs)
    report_deadlock ();
  if (!live || hangs || !same_barrier ())
    return false;
  for (unsigned i = 0; i < m->n_warps; i++)
    {
      m->warps[i].ready = m->warps[i].live;
      m->warps[i].at_barrier = 0;
    }
  shuffle_order ();
  return true;
}

/* Which lane of those ready in W comes next.  */
static thread *
pick (const warp *w)
{
  unsigned r = m->rotate;
  unsigned turned = r ? w->ready >> r | w->ready << (warp_lanes - r)
                      : w->ready;
  unsigned first = r & 1 ? __builtin_ctz (turned)
                         : warp_lanes - 1 - __builtin_clz (turned);

  return lane_of (w, (first + r) % warp_lanes);
}

/* The thread to run next; null when the block has ended or hangs.  */
static thread *
next_thread ()
{
  do
    for (; m->cursor < m->n_warps; m->cursor++)
      {
        const warp *w = &m->warps[m->order[m->cursor]];
        if (w->ready)
          return pick (w);
      }
  while (open_barrier ());
  return nullptr;
}

static void
leave (thread *t)
{
  thread *next = next_thread ();

  if (next == t)
    return;
  current = next;
  fiber_switch (&t->stack, next ? &next->stack : &m->host);
}

void
barrier (const char *file, int line)
{
  thread *t = self ();
  unsigned bit = 1u << t->lane;

  t->waits_for = op_none;
  t->file = file;
  t->line = line;
  t->of->ready &= ~bit;
  t->of->at_barrier |= bit;
  leave (t);
}

/* Whether all live lanes of T's mask have met it in the same operation.  */
static bool
all_met (const thread *t)
{
  const warp *w = t->of;
  unsigned need = t->mask & w->live;

  if ((w->in_exchange & need) != need)
    return false;
  for (unsigned left = need; left; left &= left - 1)
    {
      const thread *other = lane_of (w, __builtin_ctz (left));
      if (other->mask != t->mask || other->waits_for != t->waits_for)
        return false;
    }
  return true;
}

static unsigned
votes (const warp *w, unsigned lanes)
{
  unsigned set = 0;

  for (unsigned left = lanes; left; left &= left - 1)
    if (lane_of (w, __builtin_ctz (left))->value)
      set |= left & -left;
  return set;
}

/* Gives each lane that met T its answer.  A lane that does not take part has
   no defined value: poison.  */
static void
deliver (const thread *t)
{
  warp *w = t->of;
  unsigned met = t->mask & w->live;
  unsigned ballot = t->waits_for == op_vote ? votes (w, met) : 0;

  for (unsigned left = met; left; left &= left - 1)
    {
      thread *to = lane_of (w, __builtin_ctz (left));
      if (to->waits_for == op_vote)
        to->answer = ballot;
      else if (met >> to->source & 1)
        to->answer = lane_of (w, to->source)->value;
      else
        to->answer = ~UINT64_C (0);
    }
  w->in_exchange &= ~met;
  w->ready |= met;
}

uint64_t
exchange (operation kind, unsigned mask, uint64_t value, unsigned source)
{
  thread *t = self ();
  unsigned bit = 1u << t->lane;

  if (!(mask & bit))
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "warp %u: lane %u is not in its own mask %#x", t->of->index,
          t->lane, mask);
  t->waits_for = kind;
  t->mask = mask;
  t->value = value;
  t->source = source % warp_lanes;
  t->of->in_exchange |= bit;
  t->of->ready &= ~bit;
  if (all_met (t))
    deliver (t);
  else
    leave (t);
  return t->answer;
}

unsigned
live_lanes ()
{
  return self ()->of->live;
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
  return m->dynamic;
}

/* An ended lane counts as having met those that wait for it.  */
static void
end_thread (thread *t)
{
  warp *w = t->of;

  w->live &= ~(1u << t->lane);
  w->ready &= w->live;
  for (unsigned left = w->in_exchange; left; left &= left - 1)
    {
      const thread *waiting = lane_of (w, __builtin_ctz (left));
      if (w->in_exchange >> waiting->lane & 1 && all_met (waiting))
        deliver (waiting);
    }
  leave (t);
}

static void
thread_main ()
{
  fiber_entered (&self ()->stack);
  m->running->kernel (m->running->args);
  end_thread (self ());
  abort ();
}

/* For the lifetime of a block.  Exactly as large as asked for, so that ASan
   sees what lies beyond.  */
static bool
allocate_dynamic (size_t size)
{
  m->dynamic = nullptr;
  if (size > 0 && posix_memalign (&m->dynamic, 16, size) != 0)
    return false;
  if (size > 0)
    memset (m->dynamic, 0xff, size);
  return true;
}

static void
start_threads (unsigned count)
{
  const unsigned *size = m->running->block;

  m->n_warps = (count + warp_lanes - 1) / warp_lanes;
  for (unsigned i = 0; i < m->n_warps; i++)
    {
      unsigned left = count - i * warp_lanes;
      unsigned lanes = left < warp_lanes ? (1u << left) - 1 : UINT_MAX;
      m->warps[i] = warp{i, lanes, lanes, 0, 0};
      m->order[i] = i;
    }
  for (unsigned i = 0; i < count; i++)
    {
      thread *t = &m->threads[i];
      t->index = uint3{i % size[0], i / size[0] % size[1],
                       i / size[0] / size[1]};
      t->lane = i % warp_lanes;
      t->of = &m->warps[i / warp_lanes];
      fiber_start (&t->stack, i, thread_main);
    }
}

static int
run_block (unsigned count)
{
  poison_shared ();
  if (!allocate_dynamic (m->running->dynamic_shared))
    return CUDA_ERROR_OUT_OF_MEMORY;
  start_threads (count);
  shuffle_order ();
  thread *first = next_thread ();
  current = first;
  fiber_switch (&m->host, &first->stack);
  if (m->code != 0)
    for (unsigned i = 0; i < count; i++)
      fiber_abandon (&m->threads[i].stack);
  free (m->dynamic);
  return m->code;
}

static uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  return b == 0 ? a : common_divisor (b, a % b);
}

/* Visits every block once, in the order of an arithmetic progression modulo
   their number.  */
static int
run_grid (unsigned threads)
{
  const unsigned *grid = m->running->grid;
  uint64_t blocks = (uint64_t) grid[0] * grid[1] * grid[2];
  uint64_t at = draw () % blocks, step = draw () % blocks | 1;
  int code = 0;

  while (common_divisor (step, blocks) != 1)
    step++;
  for (uint64_t i = 0; i < blocks && code == 0; i++)
    {
      block_index = uint3{(unsigned) (at % grid[0]),
                          (unsigned) (at / grid[0] % grid[1]),
                          (unsigned) (at / grid[0] / grid[1])};
      code = run_block (threads);
      at = (at + step) % blocks;
    }
  return code;
}

static bool
prepare (const launch &l, unsigned threads)
{
  fiber *fibers[max_threads];

  if (!m && !(m = new (std::nothrow) machine ()))
    return false;
  for (unsigned i = 0; i < threads; i++)
    fibers[i] = &m->threads[i].stack;
  if (!fiber_stacks (fibers, threads))
    return false;
  m->running = &l;
  m->code = 0;
  m->random = (l.seed + 1) * UINT64_C (0x9e3779b97f4a7c15) | 1;
  load_begin = UINTPTR_MAX;
  load_end = 0;
  block_size = dim3 (l.block[0], l.block[1], l.block[2]);
  grid_size = dim3 (l.grid[0], l.grid[1], l.grid[2]);
  return true;
}

/* A device rounds to nearest and keeps subnormals, whatever the host does.  */
int
run (const launch &l)
{
  unsigned threads = l.block[0] * l.block[1] * l.block[2];
  fenv_t saved;

  if (!prepare (l, threads))
    return CUDA_ERROR_OUT_OF_MEMORY;
  fegetenv (&saved);
  fesetenv (FE_DFL_ENV);
  int code = run_grid (threads);
  fesetenv (&saved);
  current = nullptr;
  return code;
}
}

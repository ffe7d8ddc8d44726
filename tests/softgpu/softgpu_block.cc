/* Within a block a warp runs until each of its lanes waits at a barrier of the
   block or cluster or has ended, then the next warp; warps and lanes take turns
   in an order that is drawn anew after each barrier, so that a missing barrier
   shows.  Lanes that wait for each other within a warp involve no other warp.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_machine.h"

#include "src/cuda/cuda_driver.h"
#include "tests/softgpu/softgpu.h"

#include <cuda.h>

#include <utility>

namespace softgpu
{
static thread *
lane_of (const warp *w, unsigned lane)
{
  return &b->threads[w->index * warp_lanes + lane];
}

/* The order of the warps and, within each, of the lanes, until the next
   barrier.  */
static void
shuffle_order ()
{
  for (unsigned i = b->n_warps; i > 1; i--)
    std::swap (b->order[i - 1], b->order[draw () % i]);
  b->rotate = draw () % warp_lanes;
  b->cursor = 0;
}

static const char *
waiting_for (const thread *t)
{
  static const char *const names[]
    = {"__syncthreads", "cluster_wait", "__syncwarp", "a shuffle",
       "a vote"};

  return names[t->waits_for];
}

static const thread *
first_waiting (unsigned warp::*lanes)
{
  for (unsigned i = 0; i < b->n_warps; i++)
    if (b->warps[i].*lanes)
      return lane_of (&b->warps[i], __builtin_ctz (b->warps[i].*lanes));
  return nullptr;
}

/* No lane can run, and not all of them wait at a block barrier.  */
static void
report_deadlock ()
{
  const thread *a = first_waiting (&warp::in_exchange);
  const thread *other = first_waiting (&warp::at_barrier);
  const warp *w = a->of;
  unsigned missing = a->mask & w->live & ~w->in_exchange;

  if (other)
    give_up (CUDA_ERROR_LAUNCH_FAILED,
             "warp %u, lane %u waits in %s of mask %#x for lanes %#x, while "
             "others wait at %s, %s:%d",
             w->index, a->lane, waiting_for (a), a->mask, missing,
             waiting_for (other), other->file, other->line);
  else
    give_up (CUDA_ERROR_LAUNCH_FAILED,
             "warp %u, lane %u waits in %s of mask %#x for lanes that are in "
             "another operation or have another mask",
             w->index, a->lane, waiting_for (a), a->mask);
}

/* Whether all waiting threads stand at the same barrier.  */
static bool
same_barrier ()
{
  const thread *first = first_waiting (&warp::at_barrier);

  for (unsigned i = 0; i < b->n_warps; i++)
    for (unsigned left = b->warps[i].at_barrier; left; left &= left - 1)
      {
        const thread *t = lane_of (&b->warps[i], __builtin_ctz (left));
        if (t->waits_for == first->waits_for && t->line == first->line
            && (t->file == first->file || strcmp (t->file, first->file) == 0))
          continue;
        give_up (CUDA_ERROR_LAUNCH_FAILED,
                 "threads of one block wait at two barriers, %s %s:%d and "
                 "%s %s:%d",
                 waiting_for (first), first->file, first->line,
                 waiting_for (t), t->file, t->line);
        return false;
      }
  return true;
}

bool
is_live (const block *of)
{
  for (unsigned i = 0; i < of->n_warps; i++)
    if (of->warps[i].live)
      return true;
  return false;
}

void
pass_barrier ()
{
  for (unsigned i = 0; i < b->n_warps; i++)
    {
      b->warps[i].ready = b->warps[i].live;
      b->warps[i].at_barrier = 0;
    }
  shuffle_order ();
}

/* Every warp has run as far as it can.  Opens the block barrier that all wait
   at.  False: the block has ended, waits for its cluster, or hangs.  */
static bool
open_barrier ()
{
  bool hangs = false;

  for (unsigned i = 0; i < b->n_warps; i++)
    hangs |= b->warps[i].live != b->warps[i].at_barrier;
  if (hangs)
    report_deadlock ();
  if (!is_live (b) || hangs || !same_barrier ()
      || first_waiting (&warp::at_barrier)->waits_for == op_cluster_barrier)
    return false;
  pass_barrier ();
  return true;
}

/* Which lane of those ready in W comes next.  */
static thread *
pick (const warp *w)
{
  unsigned r = b->rotate;
  unsigned turned = r ? w->ready >> r | w->ready << (warp_lanes - r)
                      : w->ready;
  unsigned first = r & 1 ? __builtin_ctz (turned)
                         : warp_lanes - 1 - __builtin_clz (turned);

  return lane_of (w, (first + r) % warp_lanes);
}

thread *
next_thread ()
{
  do
    for (; b->cursor < b->n_warps; b->cursor++)
      {
        const warp *w = &b->warps[b->order[b->cursor]];
        if (w->ready)
          return pick (w);
      }
  while (open_barrier ());
  return nullptr;
}

/* ----------------------------------------------------------------- Promises
   of kernels, which no run on a CPU would miss: fences around a ticket, and that words
   which many blocks add to stay small.  */

/* Who has made a fence since the last ticket was taken; who has taken one and made
   none since.  */
static const thread *fenced, *owing;

void
fence ()
{
  fenced = self ();
  if (owing == fenced)
    owing = nullptr;
}

/* A block's results must be seen by who takes the last ticket.  */
void
check_ticket (const void *address)
{
  if (address != m->running->args.ticket)
    return;
  if (fenced != self ())
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "a ticket is taken without a fence before it");
  fenced = nullptr;
  owing = self ();
}

void
check_fences ()
{
  if (owing == self ())
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "what a ticket tells is passed on without a fence behind it");
}

/* Of each of a grid's accumulators 2^30 blocks may add to a word, which takes them in
   64 bits if none adds more than 2^33 (kernels/cuda/exact.cuh).  */
void
check_added (const void *address, unsigned long long value)
{
  const int64_t *const super = m->running->args.super;
  const int64_t most = INT64_C (1) << 33, added = (int64_t) value;

  if (super && address >= super && address < super + GT_EXACT_MOST_WORDS
      && (added > most || added < -most))
    fail (CUDA_ERROR_LAUNCH_FAILED,
          "%#llx is added to a word of the grid's accumulator", value);
}

/* ---------------------------------------------------------------- Meetings */

static void
leave (thread *t)
{
  /* Mostly another lane of the warp, whose turn it is.  */
  thread *next = t->of->ready ? pick (t->of) : next_thread ();

  if (next == t)
    return;
  current = next;
  fiber_switch (&t->stack, next ? &next->stack : &m->host);
}

void
barrier (operation kind, const char *file, int line)
{
  thread *t = self ();
  unsigned bit = 1u << t->lane;

  check_fences ();
  if (kind == op_cluster_barrier)
    need_cluster ("cluster_wait");
  t->waits_for = kind;
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

  check_fences ();
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

void
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
}

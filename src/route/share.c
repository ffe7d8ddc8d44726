/* Tasks that GPUs compute from host memory, alone or together with the CPU.
   The elements are divided in two: the first are the GPUs' share, the rest the CPU's, which is
   divided among its threads like any vector (parts.h).  The GPUs' share is divided into
   pieces, which lanes claim.  A lane is a slot, that is, a stream with its memory: its piece
   is copied and computed while the pieces of other lanes are on the bus.  There are three ways
   to transport a piece:

   direct   The kernel reads it in place; a GPU has one lane.
   copy     The GPU's copy engine copies it from pinned memory to the
            lane's buffer on the GPU.
   staged   A thread copies it from pageable memory to a ring of pinned
            buffers, from which the copy engine copies it.  Each thread that
            copies has two lanes of its own, and fills one while the other is
            on the bus.  Several threads write to the ring, because one thread
            is slower than the bus, and so is the driver's copy of pageable
            memory.

   One thread serves the lanes of `direct' and `copy': it polls them after each of the CPU's
   pieces that it has computed, and at the end waits for them.
   The CPU computes a piece if a GPU fails to compute it.  So a GPU that has no free memory,
   has failed or does not exist costs only time.
   Values are merged in the order of the pieces, in whichever order they were computed
   (tally.h).  So unless a piece is computed by another device, the bits depend only on the
   route, its pieces and its share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/route/share.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "src/cpu/backend_cpu.h"

/* The GPUs' share.  Its pieces have the first numbers of the tally.  */
struct gpu_share
{
  struct gt_task task;
  uint64_t length;             /* elements of each piece except the last */
  uint64_t count;              /* pieces */
  _Atomic uint64_t claimed;    /* pieces */
  _Atomic uint64_t looked_at;  /* pieces checked by the CPU at the end */
};

struct share
{
  const struct gt_scheme *scheme;
  unsigned serving;            /* members that serve lanes */
  struct gt_task on_gpus;      /* for `direct': the task at the addresses that the GPU reads */
  struct gpu_share gpus;
  struct gt_task cpu_task;     /* of the CPU's share */
  struct gt_parts parts;       /* its pieces */
  struct gt_cpu_share cpu;
  struct gt_tally tally;
};

struct lane
{
  struct gt_open_gpu *gpu;
  struct gt_slot *slot;   /* null: the lane has failed */
  struct gt_task task;         /* the task of its piece, at the addresses that the kernel
                                  reads */
  uint64_t piece;              /* the piece that is being computed */
  int busy;
};

/* --------------------------------------------------------------- Pieces */

static void
cut_gpu_share (struct gpu_share *gpus, const struct gt_task *task,
               const struct gt_scheme *scheme)
{
  uint64_t n = scheme->gpu_n, length = scheme->piece;

  gpus->task = gt_task_part (task, 0, n);
  gpus->length = length;
  gpus->count = n / length + (n % length != 0);
  gpus->claimed = gpus->looked_at = 0;
}

static int
claim (struct gpu_share *gpus, uint64_t *piece)
{
  if (gpus->claimed >= gpus->count)
    return 0;
  *piece = atomic_fetch_add (&gpus->claimed, 1);
  return *piece < gpus->count;
}

static struct gt_task
piece_of (const struct gpu_share *gpus, uint64_t piece)
{
  uint64_t begin = piece * gpus->length;
  uint64_t left = gpus->task.problem.n - begin;

  return gt_task_part (&gpus->task, begin,
                       left < gpus->length ? left : gpus->length);
}

/* ---------------------------------------------------------------- Lanes */

/* Returns the room of a lane: that of one piece, or of all elements if there are fewer.  Only
   few sizes are used, so that slots seldom have to grow.  */
static size_t
lane_bytes (const struct share *share)
{
  const unsigned inputs = gt_inputs (&share->gpus.task.problem);
  const size_t size = share->scheme->size;
  size_t piece = gt_slot_room (share->gpus.length, size) * inputs;
  size_t all = gt_slot_room (share->gpus.task.problem.n, size) * inputs;
  size_t bytes = (size_t) GT_MIN_CHUNK_KIB << 10;

  while (bytes < piece && bytes < all)
    bytes *= 2;
  return bytes < piece ? bytes : piece;
}

static void
close_lane (struct lane *lane)
{
  if (lane->slot)
    gt_gpus->slot_release (lane->gpu, lane->slot);
  lane->slot = NULL;
}

static void
open_lane (const struct share *share, struct gt_open_gpu *gpu,
           struct lane *lane)
{
  *lane = (struct lane) {.gpu = gpu};
  if (gt_gpus->slot_acquire (gpu, share->scheme->lane_most, &lane->slot))
    lane->slot = NULL;
  else if (gt_gpus->slot_reserve (gpu, lane->slot,
                                  share->scheme->choice.route.way,
                                  lane_bytes (share)))
    close_lane (lane);
}

static void
start_piece (const struct share *share, struct lane *lane, uint64_t piece)
{
  const struct gt_scheme *scheme = share->scheme;
  enum gt_way way = scheme->choice.route.way;

  lane->piece = piece;
  lane->task = piece_of (&share->gpus, piece);
  if (way == GT_WAY_DIRECT)
    lane->task = gt_task_part (&share->on_gpus, piece * share->gpus.length,
                               lane->task.problem.n);
  lane->busy = gt_gpus->start (lane->gpu, lane->slot, way, &scheme->gpu_plan,
                               &lane->task) == 0;
  if (!lane->busy)
    close_lane (lane);
}

/* Waits for the lane's piece, and stores its value.  */
static void
await_piece (struct share *share, struct lane *lane)
{
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);

  if (gt_gpus->await (lane->gpu, lane->slot, &lane->task, value))
    close_lane (lane);
  else
    gt_tally_take (&share->tally, lane->piece, value);
  lane->busy = 0;
  free (heap);
}

/* The lanes that one thread serves.  */
struct lanes
{
  struct share *share;
  struct lane *lane;
  unsigned count;
};

/* Stores the values that have arrived and gives idle lanes a piece; with WAIT, waits for each
   busy lane.  Returns the number of busy lanes.  */
static unsigned
serve (const struct lanes *lanes, int wait)
{
  unsigned busy = 0;
  uint64_t piece;

  for (unsigned i = 0; i < lanes->count; i++)
    {
      struct lane *lane = &lanes->lane[i];

      if (lane->busy && (wait || gt_gpus->arrived (lane->slot)))
        await_piece (lanes->share, lane);
      if (!lane->busy && lane->slot && claim (&lanes->share->gpus, &piece))
        start_piece (lanes->share, lane, piece);
      busy += lane->busy != 0;
    }
  return busy;
}

/* -------------------------------------------------------------- Threads */

static void
serve_between (void *lanes)
{
  serve (lanes, 0);
}

/* Serves the lanes of a member.  For the ways `direct' and `copy' this is member 0, which
   computes the CPU's pieces at the same time.  For `staged' these are the members that copy,
   which compute afterwards.  */
static void
serve_lanes (struct share *share, unsigned member)
{
  const struct gt_scheme *scheme = share->scheme;
  const enum gt_way way = scheme->choice.route.way;
  const unsigned most = way == GT_WAY_STAGED ? GT_STAGED_LANES
                        : way == GT_WAY_COPY ? GT_COPY_LANES * scheme->n_gpus
                                             : scheme->n_gpus;
  struct lanes lanes = {share, malloc (most * sizeof *lanes.lane), 0};
  unsigned *n = &lanes.count;

  for (; lanes.lane && *n < most && share->gpus.claimed + *n < share->gpus.count;
       (*n)++)
    open_lane (share,
               scheme->gpu[(way == GT_WAY_STAGED ? member : *n) % scheme->n_gpus],
               &lanes.lane[*n]);
  serve (&lanes, 0);
  if (way != GT_WAY_STAGED)
    gt_cpu_compute_share (&share->cpu, member, serve_between, &lanes);
  while (serve (&lanes, 1) > 0)
    continue;
  for (unsigned i = 0; i < *n; i++)
    close_lane (&lanes.lane[i]);
  free (lanes.lane);
}

static void
work (void *closure, unsigned member)
{
  struct share *share = closure;

  if (member < share->serving)
    serve_lanes (share, member);
  gt_cpu_compute_share (&share->cpu, member, NULL, NULL);
}

static _Atomic uint64_t failed_pieces;

uint64_t
gt_share_failed_pieces (void)
{
  return failed_pieces;
}

/* Computes on the CPU the pieces that the GPUs have not computed.  */
static void
compute_failed (void *closure, unsigned member)
{
  struct share *share = closure;
  struct gpu_share *gpus = &share->gpus;
  void *heap;
  union gt_value *value = GT_ROOM (heap, sizeof *value);
  uint64_t piece;

  (void) member;
  while ((piece = atomic_fetch_add (&gpus->looked_at, 1)) < gpus->count)
    if (!gt_tally_has (&share->tally, piece))
      {
        struct gt_task task = piece_of (gpus, piece);

        gt_cpu_compute_alone (&share->scheme->cpu_plan, &task, value);
        gt_tally_take (&share->tally, piece, value);
        failed_pieces++;
      }
  free (heap);
}

static int
all_done (const struct share *share)
{
  for (uint64_t piece = 0; piece < share->gpus.count; piece++)
    if (!gt_tally_has (&share->tally, piece))
      return 0;
  return 1;
}

/* --------------------------------------------------------------- Shares */

struct gt_task
gt_share_in_place (struct gt_open_gpu *gpu, const struct gt_task *task)
{
  struct gt_task there = *task;

  for (unsigned k = 0; k < gt_inputs (&task->problem); k++)
    {
      struct gt_operand *input = gt_task_input (&there, k);

      input->data = gt_gpus->address (gpu, input->data);
    }
  return there;
}

/* Divides the elements, and plans the CPU's share.  */
static void
divide (struct share *share, const struct gt_scheme *scheme,
        const struct gt_task *task)
{
  unsigned copying = scheme->choice.route.threads;
  const int staged = scheme->choice.route.way == GT_WAY_STAGED;

  share->scheme = scheme;
  if (scheme->choice.route.way == GT_WAY_DIRECT)
    share->on_gpus = gt_share_in_place (scheme->gpu[0], task);
  cut_gpu_share (&share->gpus, task, scheme);
  share->serving = !staged                       ? 1
                   : copying < share->gpus.count ? copying
                                                 : (unsigned) share->gpus.count;
  share->cpu_task = gt_task_part (task, scheme->gpu_n,
                                  task->problem.n - scheme->gpu_n);
  gt_parts_cut (&share->parts, &share->cpu_task, scheme->cpu_plan.config.threads);
  share->cpu = (struct gt_cpu_share) {&scheme->cpu_plan, &share->cpu_task,
                                      &share->parts, &share->tally,
                                      share->gpus.count};
}

static void
compute (struct share *share, union gt_value *value)
{
  unsigned threads = share->scheme->cpu_plan.config.threads, members = 1;

  if (share->cpu_task.problem.n > 0)
    members = threads;
  if (members < share->serving)
    members = share->serving;
  gt_team_run (members, work, share);
  if (!all_done (share))
    gt_team_run (threads, compute_failed, share);
  gt_tally_total (&share->tally, value);
}

int
gt_share_compute (const struct gt_scheme *scheme, const struct gt_task *task,
                  union gt_value *value)
{
  struct share share;
  int failed;

  divide (&share, scheme, task);
  if (gt_tally_open (&share.tally, &task->problem,
                     share.gpus.count + gt_parts_numbers (&share.parts),
                     value))
    return -1;
  failed = gt_parts_open (&share.parts);
  if (!failed)
    compute (&share, value);
  gt_parts_close (&share.parts);
  gt_tally_close (&share.tally);
  return failed;
}

/* Sums that GPUs compute from host memory, alone or sharing with the CPU.

   The elements are cut in two: the first are the GPUs' share, the rest the
   CPU's, which is cut for its threads as any vector is (parts.h).  The GPUs' is
   cut into pieces, which lanes claim.  A lane is a slot, that is a stream with its
   memory, in which a piece is copied and summed while other lanes' pieces are on
   the bus.  How a piece gets there:

   direct   the kernel reads it where it lies; one lane a GPU.
   copy     by the GPU's copy engine, from pinned memory, into the lane's
            buffer on the GPU.
   staged   by a thread, from pageable memory, into a ring: each thread that
            copies has lanes of its own, and fills one while the other is on
            the bus.  So the ring is written by several threads, which one
            thread, or the driver's own copy of pageable memory, would slow
            down.

   One thread keeps the lanes of `direct' and `copy' busy: it looks at them
   after each of the CPU's pieces that it has summed, and in the end waits.

   A piece that a GPU fails at is summed by the CPU, so a GPU that is full,
   lost, or not there at all costs time and nothing else.

   The order in which sums are added is that of the pieces, whoever computed them
   and whenever.  So as long as no piece changes hands the bits depend on the route
   alone, its pieces and its share; exact sums are merged as they come.  In exact
   mode GPUs use the kernel for numbers of any size: the bus is slower than it, and
   a lane has no time for a kernel that gives up.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/route/share.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/cpu/parts.h"
#include "src/cuda/cuda_launch.h"
#include "src/cuda/geometry.h"

#define COPY_LANES 4   /* of each GPU */
#define STAGED_LANES 2 /* of each thread that copies */
#define PAGE 4096
/* Rings and staging buffers leave this part of the limit, one in so many, to
   what every sum on a GPU needs.  */
#define RESERVE 8
/* A sum of fast or compensated mode, or of integers, as the GPU has it.  */
#define VALUE_BYTES sizeof (union gt_partial)

/* The GPUs' share.  */
struct pieces
{
  const char *data;
  uint64_t n;             /* elements */
  uint64_t length;        /* of every piece but the last */
  uint64_t count;         /* pieces */
  _Atomic uint64_t next;  /* to be claimed */
};

struct share
{
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  size_t size;                   /* of an element */
  const struct gt_route *route;
  struct gt_cuda **gpu;
  unsigned n_gpus;
  unsigned stagers;              /* members that copy */
  const char *address;           /* of the GPUs' share, as they see it */
  struct pieces there;
  const char *data;              /* of the CPU's share, */
  const struct gt_plan *plan;    /* its plan, */
  struct gt_parts here;          /* and its pieces */
  char (*value)[VALUE_BYTES];    /* the sum of each piece, THERE before HERE */
  unsigned char *done;           /* of the pieces THERE */
  _Atomic uint64_t next_undone;
  pthread_mutex_t lock;          /* guards EXACT */
  union gt_value exact;
};

struct lane
{
  struct gt_cuda *gpu;
  struct gt_cuda_slot *slot;     /* null: it has failed */
  struct gt_cuda_problem problem;
  uint64_t piece;                /* that is on its way */
  int busy;
};

/* --------------------------------------------------------------- Pieces */

static void
cut (struct pieces *pieces, const char *data, uint64_t n, uint64_t length)
{
  pieces->data = data;
  pieces->n = n;
  pieces->length = length;
  pieces->count = n / length + (n % length != 0);
  pieces->next = 0;
}

static int
claim (struct pieces *pieces, uint64_t *piece)
{
  if (pieces->next >= pieces->count)
    return 0;
  *piece = atomic_fetch_add (&pieces->next, 1);
  return *piece < pieces->count;
}

static uint64_t
length_of (const struct pieces *pieces, uint64_t piece)
{
  uint64_t left = pieces->n - piece * pieces->length;

  return left < pieces->length ? left : pieces->length;
}

/* Keeps the sum of piece INDEX, counted from the first THERE.  */
static void
keep (struct share *share, uint64_t index, const union gt_value *sum)
{
  if (share->mode != GT_MODE_EXACT)
    {
      memcpy (share->value[index], sum, VALUE_BYTES);
      return;
    }
  pthread_mutex_lock (&share->lock);
  gt_value_merge (share->arithmetic, share->mode, &share->exact, sum);
  pthread_mutex_unlock (&share->lock);
}

/* Sums the N elements at DATA, whose sum is number INDEX.  */
static void
sum_on_cpu (struct share *share, const char *data, size_t n, uint64_t index)
{
  struct gt_fpenv env;
  union gt_value sum;

  gt_fpenv_enter (&env, share->arithmetic);
  share->plan->function (data, n, 1, &sum);
  gt_fpenv_leave (&env);
  keep (share, index, &sum);
}

/* ---------------------------------------------------------------- Lanes */

/* The GPU's plan, if that delivers its result without the host's help.  */
void
gt_share_kernel (struct gt_cuda *gpu, enum gt_arithmetic arithmetic,
                 enum gt_mode mode, uint64_t length,
                 struct gt_cuda_problem *problem)
{
  const struct gt_plans *plans = gt_cuda_plans_of (gpu);
  const struct gt_device *device = gt_cuda_device_of (gpu);
  struct gt_problem p = {arithmetic, mode, GT_CONTIGUOUS, length};
  const struct gt_plan *plan
    = plans ? gt_plan_find (plans, arithmetic, mode, GT_CONTIGUOUS, length)
            : NULL;

  *problem = (struct gt_cuda_problem) {.arithmetic = arithmetic, .mode = mode,
                                       .stride = 1};
  if (mode == GT_MODE_EXACT)
    gt_estimate_any_range (device, arithmetic, &problem->kernel,
                           &problem->config);
  else if (plan && gt_single_pass (plan->kernel))
    {
      problem->kernel = plan->kernel;
      problem->config = plan->config;
    }
  else
    gt_estimate (device, &p, &problem->kernel, &problem->config);
}

/* The room that a lane needs: for one piece, or for all there is.  Few sizes, so
   that slots seldom need more than they have.  */
static size_t
lane_bytes (const struct share *share)
{
  size_t piece = share->there.length * share->size;
  size_t bytes = (size_t) GT_MIN_CHUNK_KIB << 10;

  while (bytes < piece && bytes < share->there.n * share->size)
    bytes *= 2;
  return bytes < piece ? bytes : piece;
}

static void
close_lane (struct lane *lane)
{
  if (lane->slot)
    gt_cuda_slot_release (lane->gpu, lane->slot);
  lane->slot = NULL;
}

static void
open_lane (const struct share *share, struct gt_cuda *gpu, struct lane *lane)
{
  size_t bytes = lane_bytes (share);
  CUresult status = CUDA_SUCCESS;

  *lane = (struct lane) {.gpu = gpu};
  if (gt_cuda_slot_acquire (gpu, &lane->slot))
    {
      lane->slot = NULL;
      return;
    }
  gt_share_kernel (gpu, share->arithmetic, share->mode, share->there.length,
                   &lane->problem);
  if (share->route->way == GT_WAY_DIRECT)
    return;
  status = gt_cuda_enter (gpu);
  if (status == CUDA_SUCCESS)
    {
      status = gt_cuda_reserve (gpu, lane->slot, GT_BUFFER_STAGING, bytes);
      if (status == CUDA_SUCCESS && share->route->way == GT_WAY_STAGED)
        status = gt_cuda_reserve (gpu, lane->slot, GT_BUFFER_RING, bytes);
      gt_cuda_leave (gpu);
    }
  if (gt_cuda_note (gpu, status, "preparing to copy"))
    close_lane (lane);
}

/* Brings the piece to where the lane's kernel reads it.  */
static CUresult
bring (const struct share *share, struct lane *lane)
{
  struct gt_cuda_slot *slot = lane->slot;
  uintptr_t staging = slot->buffer[GT_BUFFER_STAGING].address;
  uint64_t at = lane->piece * share->there.length * share->size;
  size_t bytes = lane->problem.n * share->size;
  const void *from = share->there.data + at;

  if (share->route->way == GT_WAY_DIRECT)
    {
      lane->problem.data = share->address + at;
      return CUDA_SUCCESS;
    }
  if (share->route->way == GT_WAY_STAGED)
    from = memcpy ((void *) slot->buffer[GT_BUFFER_RING].address, from, bytes);
  lane->problem.data = (const void *) staging;
  return lane->gpu->driver->cuMemcpyHtoDAsync (staging, from, bytes,
                                               slot->stream);
}

static void
begin (const struct share *share, struct lane *lane, uint64_t piece)
{
  struct gt_cuda_slot *slot = lane->slot;
  CUresult status = gt_cuda_enter (lane->gpu);

  lane->piece = piece;
  lane->problem.n = length_of (&share->there, piece);
  if (status == CUDA_SUCCESS)
    {
      status = bring (share, lane);
      if (status == CUDA_SUCCESS)
        status = gt_cuda_launch_on (lane->gpu, slot, &lane->problem,
                                    slot->mailbox_address, slot->stream);
      if (status != CUDA_SUCCESS)
        lane->gpu->driver->cuStreamSynchronize (slot->stream);
      gt_cuda_leave (lane->gpu);
    }
  lane->busy = status == CUDA_SUCCESS;
  if (gt_cuda_note (lane->gpu, status, "summing host data"))
    close_lane (lane);
}

/* Waits for the piece that is on its way, and keeps its sum.  */
static void
end (struct share *share, struct lane *lane)
{
  union gt_value sum;
  CUresult status = gt_cuda_enter (lane->gpu);

  if (status == CUDA_SUCCESS)
    {
      status = gt_cuda_wait (lane->gpu, lane->slot, share->arithmetic,
                             lane->slot->stream, &sum);
      gt_cuda_leave (lane->gpu);
    }
  lane->busy = 0;
  if (gt_cuda_note (lane->gpu, status, "summing host data"))
    {
      close_lane (lane);
      return;
    }
  keep (share, lane->piece, &sum);
  share->done[lane->piece] = 1;
}

/* Ends what has arrived and gives idle lanes a piece; with WAIT, waits for each
   that is busy.  Returns how many lanes are busy.  */
static unsigned
attend (struct share *share, struct lane *lane, unsigned n, int wait)
{
  unsigned busy = 0;
  uint64_t piece;

  for (unsigned i = 0; i < n; i++)
    {
      if (lane[i].busy && (wait || gt_cuda_arrived (lane[i].slot)))
        end (share, &lane[i]);
      if (!lane[i].busy && lane[i].slot && claim (&share->there, &piece))
        begin (share, &lane[i], piece);
      busy += lane[i].busy != 0;
    }
  return busy;
}

/* -------------------------------------------------------------- Threads */

/* Sums pieces of the CPU's share until there are none, as MEMBER of a team, and
   attends to the N lanes between.  */
static void
sum_here (struct share *share, unsigned member, struct lane *lane, unsigned n)
{
  unsigned part = member % share->here.parts;
  struct gt_piece piece;

  if (n > 0)
    attend (share, lane, n, 0);
  while (gt_parts_claim (&share->here, &part, &piece))
    {
      sum_on_cpu (share, share->data + piece.begin * share->size, piece.n,
                  share->there.count + piece.number);
      if (n > 0)
        attend (share, lane, n, 0);
    }
}

/* Member 0 of a team, `direct' and `copy'.  */
static void
drive (struct share *share)
{
  unsigned each = share->route->way == GT_WAY_COPY ? COPY_LANES : 1;
  unsigned n = 0, most = each * share->n_gpus;
  struct lane *lane = malloc (most * sizeof *lane);

  for (; lane && n < most && n < share->there.count; n++)
    open_lane (share, share->gpu[n % share->n_gpus], &lane[n]);
  sum_here (share, 0, lane, n);
  while (n > 0 && attend (share, lane, n, 1) > 0)
    continue;
  for (unsigned i = 0; i < n; i++)
    close_lane (&lane[i]);
  free (lane);
}

/* A member that copies, `staged'.  */
static void
stage (struct share *share, unsigned member)
{
  struct gt_cuda *gpu = share->gpu[member % share->n_gpus];
  struct lane lane[STAGED_LANES];
  unsigned opened = 0;
  uint64_t piece;

  for (unsigned i = 0; claim (&share->there, &piece);
       i = (i + 1) % STAGED_LANES)
    {
      if (opened <= i)
        open_lane (share, gpu, &lane[opened++]);
      else if (lane[i].busy)
        end (share, &lane[i]);
      if (lane[i].slot == NULL)
        break; /* the CPU will sum this piece */
      begin (share, &lane[i], piece);
    }
  for (unsigned i = 0; i < opened; i++)
    {
      if (lane[i].busy)
        end (share, &lane[i]);
      close_lane (&lane[i]);
    }
}

static void
work (void *closure, unsigned member)
{
  struct share *share = closure;

  if (share->route->way != GT_WAY_STAGED && member == 0)
    {
      drive (share);
      return;
    }
  if (member < share->stagers)
    stage (share, member);
  sum_here (share, member, NULL, 0);
}

static _Atomic uint64_t mended;

uint64_t
gt_share_mended (void)
{
  return mended;
}

/* What the GPUs have not done.  */
static void
mend (void *closure, unsigned member)
{
  struct share *share = closure;
  const struct pieces *there = &share->there;
  uint64_t piece;

  (void) member;
  while ((piece = atomic_fetch_add (&share->next_undone, 1)) < there->count)
    if (!share->done[piece])
      {
        sum_on_cpu (share, there->data + piece * there->length * share->size,
                    length_of (there, piece), piece);
        mended++;
      }
}

static int
all_done (const struct share *share)
{
  return memchr (share->done, 0, share->there.count) == NULL;
}

/* --------------------------------------------------------------- Shares */

uint64_t
gt_share_piece (struct gt_cuda *gpu, unsigned n_gpus,
                const struct gt_route *route, enum gt_arithmetic arithmetic,
                enum gt_mode mode, uint64_t there)
{
  size_t limit = gt_scratch_limit, bytes = (size_t) route->chunk_kib << 10;
  size_t size = gt_arithmetics[arithmetic].size, unit = PAGE / size;
  unsigned lanes = route->way == GT_WAY_STAGED
                     ? STAGED_LANES * route->threads : COPY_LANES * n_gpus;
  struct gt_cuda_problem problem;
  uint64_t length, most;

  if (route->way != GT_WAY_DIRECT)
    {
      limit = (limit - limit / RESERVE) / lanes;
      length = (bytes < limit ? bytes : limit) / size / unit * unit;
      return length ? length : unit;
    }
  gt_share_kernel (gpu, arithmetic, mode, there, &problem);
  most = gt_cuda_most (gpu, &problem);
  length = (there / n_gpus / unit + 1) * unit;
  return length < most ? length : most;
}

/* The cut lies between pages.  */
uint64_t
gt_share_there (const struct gt_route *route, uint64_t n,
                enum gt_arithmetic arithmetic)
{
  uint64_t unit = PAGE / gt_arithmetics[arithmetic].size;

  if (route->percent >= 100)
    return n;
  return (n / 100 * route->percent + n % 100 * route->percent / 100) / unit
         * unit;
}

static int
open_gpus (struct share *share, const struct gt_choice *choice)
{
  share->gpu = calloc (choice->n_gpus, sizeof *share->gpu);
  for (unsigned i = 0; share->gpu && i < choice->n_gpus; i++)
    {
      struct gt_cuda *gpu = gt_cuda_open (choice->gpu + (int) i, NULL);

      if (gpu)
        share->gpu[share->n_gpus++] = gpu;
    }
  return share->n_gpus ? 0 : -1;
}

/* Adds the sums of all pieces, in their order.  */
static void
add_up (const struct share *share, union gt_value *sum)
{
  uint64_t there = share->there.count;
  uint64_t count = there + gt_parts_numbers (&share->here);
  struct gt_fpenv env;
  union gt_value one;

  if (share->mode == GT_MODE_EXACT)
    {
      *sum = share->exact;
      return;
    }
  gt_fpenv_enter (&env, share->arithmetic);
  memcpy (sum, share->value[0], VALUE_BYTES);
  for (uint64_t k = 1; k < count; k++)
    if (k < there || gt_parts_has (&share->here, k - there))
      {
        memcpy (&one, share->value[k], VALUE_BYTES);
        gt_value_merge (share->arithmetic, share->mode, sum, &one);
      }
  gt_fpenv_leave (&env);
}

static void
sum_shares (struct share *share, union gt_value *sum)
{
  unsigned threads = share->plan->config.threads, members = 1;

  if (share->here.n > 0)
    members = threads;
  if (members < share->stagers)
    members = share->stagers;
  if (share->mode == GT_MODE_EXACT)
    gt_super_clear (&share->exact.super);
  gt_team_run (members, work, share);
  if (!all_done (share))
    gt_team_run (threads, mend, share);
  add_up (share, sum);
}

int
gt_share_sum (const struct gt_choice *choice, enum gt_arithmetic arithmetic,
              enum gt_mode mode, const void *data, uint64_t n,
              union gt_value *sum)
{
  struct share share = {.arithmetic = arithmetic, .mode = mode,
                        .size = gt_arithmetics[arithmetic].size,
                        .route = &choice->route,
                        .lock = PTHREAD_MUTEX_INITIALIZER};
  uint64_t there = gt_share_there (&choice->route, n, arithmetic);
  int failed = open_gpus (&share, choice);

  if (!failed && choice->route.way == GT_WAY_DIRECT)
    share.address = gt_cuda_address (share.gpu[0], data);
  if (!failed)
    {
      cut (&share.there, data, there,
           gt_share_piece (share.gpu[0], share.n_gpus, &choice->route,
                           arithmetic, mode, there));
      share.stagers = share.route->threads < share.there.count
                        ? share.route->threads
                        : (unsigned) share.there.count;
      share.data = share.there.data + there * share.size;
      share.plan = gt_plan_find (gt_host_plans (), arithmetic, mode,
                                 GT_CONTIGUOUS, n);
      gt_parts_cut (&share.here, arithmetic, mode, n - there, 1,
                    share.plan->config.threads);
      share.done = calloc (share.there.count + 1, 1);
      share.value = calloc (share.there.count
                              + gt_parts_numbers (&share.here),
                            VALUE_BYTES);
      failed = share.done == NULL || share.value == NULL;
    }
  if (!failed)
    sum_shares (&share, sum);
  free (share.done);
  free (share.value);
  free (share.gpu);
  return failed ? -1 : 0;
}

/* Measures the speed of a plain loop of vector loads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/ceiling.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "src/cpu/parts.h"
#include "tuning/measure/clock.h"

/* ---------------------------------------------------------------- Loops */

/* All machines of this architecture have these vectors: SSE2, NEON and the like.  */
#define NAME read_16
#define WIDTH 16
#define TARGET
#include "tuning/measure/ceiling_loop.inc"

#if defined __x86_64__
#define NAME read_32
#define WIDTH 32
#define TARGET __attribute__ ((target ("avx2")))
#include "tuning/measure/ceiling_loop.inc"

#define NAME read_64
#define WIDTH 64
#define TARGET __attribute__ ((target ("avx512f")))
#include "tuning/measure/ceiling_loop.inc"
#endif

unsigned
gt_ceiling_width (void)
{
#if defined __x86_64__
  if (__builtin_cpu_supports ("avx512f"))
    return 64;
  if (__builtin_cpu_supports ("avx2"))
    return 32;
#endif
  return 16;
}

static uint64_t
read_by_one (const char *data, size_t bytes)
{
  switch (gt_ceiling_width ())
    {
#if defined __x86_64__
    case 64:
      return read_64 (data, bytes);
    case 32:
      return read_32 (data, bytes);
#endif
    default:
      return read_16 (data, bytes);
    }
}

/* ----------------------------------------------------------------- Teams */

struct shared
{
  const char *data;
  _Atomic uint64_t all;
  struct gt_parts parts; /* of bytes */
};

static void
read_claimed (void *closure, unsigned member)
{
  struct shared *s = closure;
  const unsigned own = gt_parts_of (&s->parts, member);
  unsigned part = own;
  struct gt_piece piece;
  uint64_t mine = 0;

  while (gt_parts_claim (&s->parts, own, &part, &piece))
    mine ^= read_by_one (s->data + piece.begin, piece.n);
  atomic_fetch_xor (&s->all, mine);
}

uint64_t
gt_ceiling_read (const void *data, size_t bytes, unsigned threads)
{
  const struct gt_task task
    = gt_task_of (GT_SUM, GT_U8, GT_MODE_FAST, data, bytes, 1);
  struct shared s = {.data = data};

  if (threads < 2 || bytes == 0)
    return read_by_one (data, bytes);
  /* The data is divided as for sums; bytes can be divided like elements.  */
  gt_parts_cut (&s.parts, &task, threads);
  if (gt_parts_open (&s.parts))
    return read_by_one (data, bytes);
  gt_team_run (s.parts.parts, read_claimed, &s);
  gt_parts_close (&s.parts);
  return s.all;
}

/* ---------------------------------------------------------------- Timing */

/* The fastest of several readings is the limit, because it was disturbed least.  */
#define TIMINGS 3

struct reading
{
  const void *data;
  size_t bytes;
  unsigned threads;
};

static void
read_often (void *closure, unsigned count)
{
  const struct reading *r = closure;
  volatile uint64_t kept;

  for (unsigned k = 0; k < count; k++)
    kept = gt_ceiling_read (r->data, r->bytes, r->threads);
  (void) kept;
}

double
gt_ceiling_seconds (const void *data, size_t bytes, unsigned threads,
                    double at_least)
{
  struct reading reading = {data, bytes, threads};
  double best = INFINITY;

  for (int k = 0; k < TIMINGS; k++)
    best = fmin (best, gt_time_batches (read_often, &reading, at_least));
  return best;
}

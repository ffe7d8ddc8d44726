/* Reads memory by a plain loop of vector loads, by one thread or all.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/ceiling.h"

#include <stdatomic.h>
#include <string.h>

#include "src/cpu/parts.h"

/* ---------------------------------------------------------------- Loops */

/* All machines of this architecture have these vectors: SSE2, NEON and the like.  */
#define NAME read_16
#define WIDTH 16
#define TARGET
#include "bench/ceiling_loop.inc"

#if defined __x86_64__
#define NAME read_32
#define WIDTH 32
#define TARGET __attribute__ ((target ("avx2")))
#include "bench/ceiling_loop.inc"

#define NAME read_64
#define WIDTH 64
#define TARGET __attribute__ ((target ("avx512f")))
#include "bench/ceiling_loop.inc"
#endif

static uint64_t
read_by_one (const char *data, size_t bytes)
{
#if defined __x86_64__
  if (__builtin_cpu_supports ("avx512f"))
    return read_64 (data, bytes);
  if (__builtin_cpu_supports ("avx2"))
    return read_32 (data, bytes);
#endif
  return read_16 (data, bytes);
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

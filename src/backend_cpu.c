/* Runs CPU kernels.  A vector is cut into one part a thread, so that each core
   finds in its cache what it has read before, and long parts into pieces, so that
   a thread which is done, or comes first, takes over pieces of others: threads
   that begin late or are disturbed would otherwise hold all of them up, and on
   most machines some thread always is.  The sums of the pieces are added in their
   order.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/backend_cpu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/combine.h"
#include "src/fpenv.h"
#include "src/names.h"

/* Parts and pieces begin on whole pages' worth of elements, so that threads share
   no cache line.  */
#define UNIT_BYTES 4096

/* What a piece spans: the time it takes is ten times that of a claim and more,
   and much less than a thread's start is late.  Exact kernels set up more for
   each.  */
#define PIECE_BYTES ((size_t) 128 << 10)
#define EXACT_PIECE_BYTES ((size_t) 512 << 10)

/* Leading part and compensation of any arithmetic.  */
#define VALUE_BYTES (2 * sizeof (long double))

/* Of one part, alone in its cache line.  */
struct part
{
  _Alignas (64) _Atomic size_t next; /* piece to be claimed */
};

/* One sum by a team.  */
struct shared
{
  const struct gt_plan *plan;
  enum gt_arithmetic arithmetic;
  const char *data;
  size_t n;
  size_t step;           /* bytes from one element to the next */
  size_t stride;
  unsigned parts;
  size_t length;         /* elements of each part but the last */
  size_t piece;          /* elements of each piece but a part's last */
  size_t pieces;         /* of the last part, which is the longest */
  char (*value)[VALUE_BYTES]; /* of each piece, PIECES a part; not exact mode */
  union gt_sum *exact;   /* of all; exact mode */
  pthread_mutex_t merging;
  struct part part[GT_MAX_THREADS];
};

/* --------------------------------------------------------------- Pieces */

static size_t
part_length (const struct shared *s, unsigned part)
{
  return part + 1 == s->parts ? s->n - part * s->length : s->length;
}

static void
set_piece (struct shared *s, size_t length)
{
  size_t longest = part_length (s, s->parts - 1);

  s->piece = length ? length : UNIT_BYTES;
  s->pieces = longest / s->piece + (longest % s->piece != 0);
}

static void
cut (struct shared *s, unsigned threads, size_t size, size_t piece_bytes)
{
  size_t unit = UNIT_BYTES / size;

  s->parts = threads < GT_MAX_THREADS ? threads : GT_MAX_THREADS;
  s->length = s->n / s->parts / unit * unit;
  if (s->length == 0)
    s->parts = 1;
  set_piece (s, s->step ? piece_bytes / s->step / unit * unit : s->n);
  for (unsigned k = 0; k < s->parts; k++)
    atomic_init (&s->part[k].next, 0);
}

/* Claims a piece of PART, or of the first part after it, around the end, that has
   one left; PART becomes the part that it is of.  Returns 0 when there is none. */
static int
claim (struct shared *s, unsigned *part, size_t *begin, size_t *n)
{
  for (unsigned i = 0; i < s->parts; i++)
    {
      _Atomic size_t *next = &s->part[*part].next;
      size_t length = part_length (s, *part);

      if (atomic_load_explicit (next, memory_order_relaxed) * s->piece
          < length)
        {
          *begin = atomic_fetch_add_explicit (next, 1, memory_order_relaxed)
                   * s->piece;
          if (*begin < length)
            {
              *n = length - *begin < s->piece ? length - *begin : s->piece;
              return 1;
            }
        }
      *part = *part + 1 < s->parts ? *part + 1 : 0;
    }
  return 0;
}

static void
sum_piece (const struct shared *s, unsigned part, size_t begin, size_t n,
           union gt_sum *sum)
{
  s->plan->function (s->data + (part * s->length + begin) * s->step, n,
                     s->stride, sum);
}

/* -------------------------------------------------------------- Members */

/* Member M begins with part M.  */
static void
sum_claimed (void *closure, unsigned member)
{
  struct shared *s = closure;
  struct gt_fpenv env;
  unsigned part = member;
  size_t begin, n;
  union gt_sum sum;

  gt_fpenv_enter (&env, s->arithmetic);
  while (claim (s, &part, &begin, &n))
    {
      sum_piece (s, part, begin, n, &sum);
      memcpy (s->value[part * s->pieces + begin / s->piece], &sum,
              VALUE_BYTES);
    }
  gt_fpenv_leave (&env);
}

/* Exact sums are merged as they come: any order gives the same bits, and no
   room for the accumulators of all pieces is needed.  */
static void
sum_claimed_exactly (void *closure, unsigned member)
{
  struct shared *s = closure;
  union gt_sum mine, sum;
  struct gt_fpenv env;
  unsigned part = member;
  size_t begin, n;

  if (!claim (s, &part, &begin, &n))
    return;
  gt_fpenv_enter (&env, s->arithmetic);
  sum_piece (s, part, begin, n, &mine);
  while (claim (s, &part, &begin, &n))
    {
      sum_piece (s, part, begin, n, &sum);
      gt_sum_merge (s->arithmetic, GT_MODE_EXACT, &mine, &sum);
    }
  gt_fpenv_leave (&env);
  pthread_mutex_lock (&s->merging);
  gt_sum_merge (s->arithmetic, GT_MODE_EXACT, s->exact, &mine);
  pthread_mutex_unlock (&s->merging);
}

/* ----------------------------------------------------------------- Sums */

static void
share (struct shared *s, const struct gt_plan *plan,
       enum gt_arithmetic arithmetic, const void *data, size_t n,
       size_t stride, size_t piece_bytes)
{
  size_t size = gt_arithmetics[arithmetic].size;

  s->plan = plan;
  s->arithmetic = arithmetic;
  s->data = data;
  s->n = n;
  s->step = stride * size;
  s->stride = stride;
  cut (s, plan->config.threads, size, piece_bytes);
}

__attribute__ ((noinline)) static void
sum_parts_exactly (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                   const void *data, size_t n, size_t stride,
                   union gt_sum *sum)
{
  struct shared s;

  share (&s, plan, arithmetic, data, n, stride, EXACT_PIECE_BYTES);
  s.exact = sum;
  pthread_mutex_init (&s.merging, NULL);
  gt_super_clear (&sum->super);
  gt_team_run (s.parts, sum_claimed_exactly, &s);
  pthread_mutex_destroy (&s.merging);
}

/* Adds the sums of all pieces, in their order.  */
static void
add_up (const struct shared *s, enum gt_mode mode, union gt_sum *sum)
{
  struct gt_fpenv env;
  union gt_sum one;

  gt_fpenv_enter (&env, s->arithmetic);
  memcpy (sum, s->value[0], VALUE_BYTES);
  for (unsigned part = 0; part < s->parts; part++)
    for (size_t k = part == 0; k * s->piece < part_length (s, part); k++)
      {
        memcpy (&one, s->value[part * s->pieces + k], VALUE_BYTES);
        gt_sum_merge (s->arithmetic, mode, sum, &one);
      }
  gt_fpenv_leave (&env);
}

/* Not inlined: a sum by one thread needs none of this frame.  */
__attribute__ ((noinline)) static void
sum_parts (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
           enum gt_mode mode, const void *data, size_t n, size_t stride,
           union gt_sum *sum)
{
  char few[GT_MAX_THREADS][VALUE_BYTES];
  struct shared s;
  void *many = NULL;

  share (&s, plan, arithmetic, data, n, stride, PIECE_BYTES);
  s.value = few;
  if (s.parts * s.pieces > GT_MAX_THREADS)
    {
      many = malloc (s.parts * s.pieces * VALUE_BYTES);
      s.value = many;
    }
  if (s.value == NULL)
    {
      set_piece (&s, n);
      s.value = few;
    }
  gt_team_run (s.parts, sum_claimed, &s);
  add_up (&s, mode, sum);
  free (many);
}

void
gt_cpu_sum (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
            enum gt_mode mode, const void *data, size_t n, size_t stride,
            union gt_sum *sum)
{
  struct gt_fpenv env;

  if (plan->config.threads > 1 && n > 0 && mode == GT_MODE_EXACT)
    {
      sum_parts_exactly (plan, arithmetic, data, n, stride, sum);
      return;
    }
  if (plan->config.threads > 1 && n > 0)
    {
      sum_parts (plan, arithmetic, mode, data, n, stride, sum);
      return;
    }
  if (mode == GT_MODE_FAST && n < GT_CALLERS_ENV)
    {
      plan->function (data, n, stride, sum);
      return;
    }
  gt_fpenv_enter (&env, arithmetic);
  plan->function (data, n, stride, sum);
  gt_fpenv_leave (&env);
}

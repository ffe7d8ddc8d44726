/* A vector is divided into one part per thread, so that each core finds in its cache the
   elements that it has read before, and reads long stretches in order, which suits its
   prefetcher: from memory, pieces assigned in turn take a third longer.
   Long parts are divided into pieces, so that a thread that has finished, or begins early, can
   compute pieces of other parts.  Otherwise threads that begin late or are interrupted would
   delay the result, and on most machines some thread always is.  The last piece of a part
   whose thread has begun is left to that thread, for which the caller waits anyway and which
   has the piece in its cache: so threads that begin a little late keep their parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/cpu/parts.h"

#include <stdlib.h>

/* Parts and pieces begin at multiples of a page, so that threads share no cache line.  */
#define UNIT_BYTES 4096

/* The fewest bytes of a piece.  Kernels have a fixed cost per piece, exact ones a high one,
   and a search looks for the index at the end of each piece; but this time is still less than
   the delay of a thread that must be woken.  */
#define PIECE_BYTES ((size_t) 512 << 10)
/* The bytes that a core reads from its cache between the offer of a membership and the moment
   at which the thread that accepts it has read its task.  */
#define LEAD_BYTES ((size_t) 64 << 10)
/* The most pieces of a part, approximately; with more, merging their sums would take long.  */
#define MOST_PIECES 256

static size_t
part_length (const struct gt_parts *p, size_t part)
{
  return part + 1 == p->parts ? p->n - part * p->length : p->length;
}

static void
set_piece (struct gt_parts *p, size_t length)
{
  size_t longest = part_length (p, p->parts - 1);

  p->piece = length;
  p->pieces = longest / length + (longest % length != 0);
}

void
gt_parts_cut (struct gt_parts *p, const struct gt_task *task, unsigned threads)
{
  const struct gt_problem *problem = &task->problem;
  const uint64_t stride
    = gt_inputs (problem) > 1 && task->y.stride > task->x.stride
        ? task->y.stride : task->x.stride;
  size_t size = gt_element_size (problem->arithmetic);
  size_t unit = UNIT_BYTES / size, n = problem->n;
  size_t lead = LEAD_BYTES / size / gt_inputs (problem);
  size_t piece = stride ? PIECE_BYTES / size / stride / unit * unit : n;

  p->n = n;
  p->parts = threads < GT_MAX_THREADS ? threads : GT_MAX_THREADS;
  p->length = (n / 8 > lead ? n - lead : n) / p->parts / unit * unit;
  if (p->length == 0)
    p->parts = 1;
  if (piece < p->length / MOST_PIECES)
    piece = p->length / MOST_PIECES / unit * unit;
  set_piece (p, piece ? piece : unit);
  p->claims = NULL;
}

void
gt_parts_cut_blocks (struct gt_parts *p, size_t n, size_t block, unsigned threads)
{
  p->n = n;
  p->parts = threads < GT_MAX_THREADS ? threads : GT_MAX_THREADS;
  p->length = n / p->parts / block * block;
  if (p->length == 0)
    p->parts = 1;
  set_piece (p, block);
  p->claims = NULL;
}

int
gt_parts_open (struct gt_parts *p)
{
  p->claims = aligned_alloc (_Alignof (struct gt_claims),
                             p->parts * sizeof *p->claims);
  for (unsigned k = 0; p->claims && k < p->parts; k++)
    {
      atomic_init (&p->claims[k].count, 0);
      atomic_init (&p->claims[k].begun, 0);
    }
  return p->claims ? 0 : -1;
}

void
gt_parts_close (struct gt_parts *p)
{
  free (p->claims);
  p->claims = NULL;
}

size_t
gt_parts_numbers (const struct gt_parts *p)
{
  return p->parts * p->pieces;
}

int
gt_parts_piece (const struct gt_parts *p, size_t number,
                struct gt_piece *piece)
{
  size_t part = number / p->pieces, begin = number % p->pieces * p->piece;
  size_t length = part_length (p, part);

  if (begin >= length)
    return 0;
  piece->begin = part * p->length + begin;
  piece->n = length - begin < p->piece ? length - begin : p->piece;
  piece->number = number;
  return 1;
}

/* Returns the number of claimed pieces of PART below which a thread may claim another.  */
static size_t
claimable (const struct gt_parts *p, unsigned part, unsigned own)
{
  const size_t length = part_length (p, part);

  if (part == own
      || !atomic_load_explicit (&p->claims[part].begun, memory_order_relaxed))
    return p->pieces;
  return length ? (length - 1) / p->piece : 0;
}

int
gt_parts_claim (struct gt_parts *p, unsigned own, unsigned *part, struct gt_piece *claimed)
{
  if (*part == own)
    atomic_store_explicit (&p->claims[own].begun, 1, memory_order_relaxed);
  for (unsigned i = 0; i < p->parts; i++)
    {
      _Atomic size_t *count = &p->claims[*part].count;

      /* A thread that is late only reads the count, so that the final count is near the number
         of pieces.  */
      if (atomic_load_explicit (count, memory_order_relaxed) < claimable (p, *part, own))
        {
          size_t k = atomic_fetch_add_explicit (count, 1,
                                                memory_order_relaxed);

          if (k < p->pieces
              && gt_parts_piece (p, *part * p->pieces + k, claimed))
            return 1;
        }
      *part = *part + 1 < p->parts ? *part + 1 : 0;
    }
  return 0;
}

/* The division of a vector among threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PARTS_H
#define GT_PARTS_H

#include <stdatomic.h>
#include <stddef.h>

#include "kernels/task.h"
#include "src/cpu/threads.h"

/* The number of claimed pieces of a part, and whether its own thread has begun; alone in their
   cache line.  */
struct gt_claims
{
  _Alignas (64) _Atomic size_t count;
  _Atomic unsigned begun;
};

/* A vector of N elements, cut into a part for each thread and the parts into
   pieces.  Pieces are numbered in the order of their elements, with gaps: part p
   has the numbers from p * PIECES on.  */
struct gt_parts
{
  size_t n;
  unsigned parts;
  size_t length; /* elements of each part but the last, which may be longer */
  size_t piece;  /* elements of each piece but a part's last */
  size_t pieces; /* pieces of the last part: no part has more */
  struct gt_claims *claims; /* of each part */
};

/* One piece.  */
struct gt_piece
{
  size_t begin; /* its first element */
  size_t n;     /* elements */
  size_t number;
};

/* Returns the part of a team's MEMBER.  Member 0, the caller, begins first, so it has the last
   part.  */
static inline unsigned
gt_parts_of (const struct gt_parts *p, unsigned member)
{
  return p->parts - 1 - member % p->parts;
}

/* Divides the elements of TASK, whose address is not used, for THREADS.  */
void gt_parts_cut (struct gt_parts *p, const struct gt_task *task, unsigned threads);

/* Divides N elements into parts of whole blocks, and parts into blocks of BLOCK elements; the
   last may be shorter.  The blocks are the same for any number of THREADS.  */
void gt_parts_cut_blocks (struct gt_parts *p, size_t n, size_t block, unsigned threads);

/* Makes the pieces claimable, until gt_parts_close.  Returns 0, or -1 if memory is short.  */
int gt_parts_open (struct gt_parts *p);
void gt_parts_close (struct gt_parts *p);

/* Returns one more than the highest number of a piece.  */
size_t gt_parts_numbers (const struct gt_parts *p);

/* Finds the piece with that number; returns 0 if there is none.  */
int gt_parts_piece (const struct gt_parts *p, size_t number,
                    struct gt_piece *piece);

/* Claims a piece of *PART or, if none is left there, of the next part that has one, in cyclic
   order; *PART becomes that part.  A thread begins with its OWN part and keeps *PART from
   claim to claim.  Returns 0 if no piece is left except last pieces of parts whose threads
   have begun, which claim these themselves.  Thread-safe.  */
int gt_parts_claim (struct gt_parts *p, unsigned own, unsigned *part,
                    struct gt_piece *claimed);

#endif

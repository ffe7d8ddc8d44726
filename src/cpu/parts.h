/* How several threads share the elements of a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PARTS_H
#define GT_PARTS_H

#include <stdatomic.h>
#include <stddef.h>

#include "kernels/types.h"
#include "src/cpu/threads.h"

/* A vector of N elements, cut into a part for each thread and the parts into
   pieces.  Pieces are numbered in the order of their elements, with gaps: part p
   has the numbers from p * PIECES on.  */
struct gt_parts
{
  size_t n;
  unsigned parts;
  size_t length; /* elements of each part but the last, which may be longer */
  size_t piece;  /* elements of each piece but a part's last */
  size_t pieces; /* of the last part: no part has more */
  struct
  {
    _Alignas (64) _Atomic size_t next; /* to be claimed: alone in its line */
  } part[GT_MAX_THREADS];
};

/* What a thread has claimed.  */
struct gt_piece
{
  size_t begin; /* its first element */
  size_t n;     /* elements */
  size_t number;
};

/* Cuts N elements of ARITHMETIC, STRIDE apart, for THREADS to sum in MODE.  */
void gt_parts_cut (struct gt_parts *p, enum gt_arithmetic arithmetic,
                   enum gt_mode mode, size_t n, size_t stride,
                   unsigned threads);

/* Makes each part one piece.  */
void gt_parts_coarsen (struct gt_parts *p);

/* One more than the highest number of a piece.  */
size_t gt_parts_numbers (const struct gt_parts *p);

/* Whether there is a piece of that number.  */
int gt_parts_has (const struct gt_parts *p, size_t number);

/* Claims a piece of *PART or, if that has none left, of the next part that has,
   around the end; *PART becomes the part that it is of.  A thread begins with a
   part of its own and keeps *PART from claim to claim.  Returns 0 when no piece is
   left.  Thread-safe.  */
int gt_parts_claim (struct gt_parts *p, unsigned *part,
                    struct gt_piece *claimed);

#endif

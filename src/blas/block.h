/* Blocks of a product: what is between the matrices and the tiles.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_BLOCK_H
#define GT_MATRIX_BLOCK_H

#include <stdatomic.h>

#include "src/blas/work.h"

/* Rows and lanes of a block.  */
#define GT_BLOCK_ROWS ((size_t) 64)
#define GT_BLOCK_LANES ((size_t) 128)
/* Terms that are loaded at a time.  */
#define GT_BLOCK_TERMS ((size_t) 1024)
/* Lanes of a vector.  */
#define GT_LEAST_LANES 2
#define GT_MOST_LANES 8

struct gt_block;

/* A product or a solution, cut into blocks.  */
struct gt_blocks
{
  struct gt_work w;
  const struct gt_tiles *tiles;
  int plain;
  size_t block_rows, block_lanes, chunk; /* the most of a block, and terms at a time */
  size_t across, blocks;                 /* blocks of a row of blocks; all */
  size_t doubles;                        /* of a member's memory */
  unsigned members;
  double *memory;
  _Atomic size_t next;
  void (*each) (struct gt_block *k); /* computes a block */
};

/* A member's part of a block; the rows' and lanes' memory is that of the product's
   biggest block.  */
struct gt_block
{
  struct gt_blocks *p;
  size_t row, lane, rows, lanes, padded; /* PADDED: whole vectors */
  size_t begin, end;                     /* terms that are not zero for all */
  double *s[2], *l[2], *scale, *grains, *squares, *old[2], *lower, *upper;
  double *m[2]; /* of deep sums */
  double *row_scale, *row_grain, *row_squares, *a_room, *b_room[2];
  int plain;              /* whether sums are plain ones (tiles.h) */
  int measured, looked;   /* whether scales are known, and grains */
  int loaded;             /* whether A and B are those of all terms */
  char open[GT_BLOCK_ROWS]; /* rows where something is in doubt */
  const double *a[GT_BLOCK_ROWS];
  const double *b[2]; /* the lanes' terms, STEP from one term to the next */
  size_t step;
  /* Of a solution, whose blocks are of one row at a time: what is solved, as the lanes' terms;
     all terms of the row, and GT_LAID_LINES rows in ROOM; what the numerators are divided by,
     else 1, and if that is complex how far they are off.  */
  double *x, *apart, *room, divisor[2];
  const double *line;
};

static inline size_t
gt_whole_vectors (const struct gt_blocks *p, size_t lanes)
{
  return (lanes + p->tiles->lanes - 1) / p->tiles->lanes * p->tiles->lanes;
}

/* From one term to the next of the lanes that are laid out for a block: an odd number of
   vectors, so that terms do not compete for the same lines of the cache.  */
static inline size_t
gt_room_step (const struct gt_blocks *p, size_t padded)
{
  return (padded / p->tiles->lanes | 1) * p->tiles->lanes;
}

/* Whether a row's products with each lane are computed by themselves: of one row that is
   less than to lay out lanes side by side, unless they are neighbours.  */
int gt_is_row (const struct gt_blocks *p);

/* Whether any of C is written in ROWS rows of the block from I on and WIDTH lanes from
   AT on.  */
int gt_block_is_written (const struct gt_block *k, size_t i, size_t rows, size_t at,
                         size_t width);

/* Returns how many doubles P takes, and computes its blocks in such memory.  */
size_t gt_blocks_plan (struct gt_blocks *p);
void gt_blocks_run (struct gt_blocks *p, double *memory);

/* Loads and measures, anew.  */
void gt_block_measure (struct gt_block *k);

/* Leaves the sums of open rows in S and L, with the scales of what they are made of.  In
   doubt these are DEEP ones (tiles.h), with M and BITS too, or exact ones instead of plain
   ones: more has no product of floats.  */
void gt_block_multiply (struct gt_block *k, int doubt);

/* Finds out of what terms are multiples, in GRAINS and ROW_GRAIN, until then 0, and what is
   zero: its scale is 0 then.  */
void gt_block_look (struct gt_block *k);

/* Makes and stores the block's elements; what sums leave undecided goes to
   gt_settle_element.  */
void gt_block_compute (struct gt_block *k);

#endif

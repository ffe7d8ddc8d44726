/* Blocks of a product, the level between matrices and tiles.
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
/* Lanes of a block whose lanes are lines.  */
#define GT_BLOCK_LINES ((size_t) 32)

struct gt_block;

/* A product or a solution, divided into blocks.  */
struct gt_blocks
{
  struct gt_work w;
  const struct gt_tiles *tiles;
  int plain;
  int few;      /* whether the kernel for few terms computes all blocks */
  int by_lines; /* whether each block is one row, and its lanes' terms are contiguous: it is
                   not worthwhile to copy lanes side by side for one row */
  size_t block_rows, block_lanes, chunk; /* the largest block, and the number of terms at a
                                            time */
  size_t across, blocks;                 /* blocks in a row of blocks, and in all */
  size_t doubles;                        /* of a member's memory */
  unsigned members;
  double *memory;
  _Atomic size_t next;
  void (*each) (struct gt_block *k); /* computes a block */
};

/* The part of a block for one member.  The memory of rows and lanes is enough for the largest
   block of the product.  */
struct gt_block
{
  struct gt_blocks *p;
  size_t row, lane, rows, lanes, padded; /* PADDED: whole vectors */
  size_t begin, end;                     /* the range of terms that are not zero in all rows */
  double *s[2], *l[2], *scale, *grains, *squares, *old[2], *lower, *upper;
  double *m[2]; /* of deep sums */
  double *row_scale, *row_grain, *row_squares, *a_room, *b_room[2];
  enum gt_tile_sums kind;
  int measured, looked;   /* whether scales, and grains, are known */
  int loaded;             /* whether A and B contain all terms */
  char open[GT_BLOCK_ROWS]; /* the rows with elements in doubt */
  const double *a[GT_BLOCK_ROWS]; /* BY_LINES: the row in each form of gt_side_form, so that the
                                     lines need not change */
  const double *b[2]; /* the lanes' terms, STEP from one term to the next; BY_LINES: the lines,
                         STEP from one line to the next */
  size_t step;
  /* For a solution, whose blocks have one row: the unknowns solved so far, as the lanes'
     terms; all terms of the row, and room for GT_LAID_LINES rows; and the divisor of the
     numerators, otherwise 1, with its error if it is complex.  */
  double *x, *apart, *room, divisor[2];
  const double *line;
};

static inline size_t
gt_whole_vectors (const struct gt_blocks *p, size_t lanes)
{
  return (lanes + p->tiles->lanes - 1) / p->tiles->lanes * p->tiles->lanes;
}

/* Returns the distance from one term to the next of lanes that are copied for a block: an odd
   number of vectors, so that terms are in different sets of the cache.  */
static inline size_t
gt_room_step (const struct gt_blocks *p, size_t padded)
{
  return (padded / p->tiles->lanes | 1) * p->tiles->lanes;
}

/* Returns whether any element of C is written in ROWS rows of the block from I on and WIDTH
   lanes from AT on.  */
int gt_block_is_written (const struct gt_block *k, size_t i, size_t rows, size_t at,
                         size_t width);

/* Computes the blocks of P.  Returns 0 if nothing was done because memory is short.  */
int gt_blocks_run (struct gt_blocks *p);

/* Loads N terms of all rows and lanes, from FIRST on.  */
void gt_block_load (struct gt_block *k, size_t first, size_t n);

/* Stores the sums of open rows in S and L, with the scales of their terms.  For elements in
   doubt these are DEEP sums (tiles.h), with M and BITS, or for floats exact sums instead of
   plain ones.  */
void gt_block_multiply (struct gt_block *k, int doubt);

/* Finds powers of two that divide all terms, in GRAINS and ROW_GRAIN, which are 0 before, and
   the lines of zeros, whose scale becomes 0.  */
void gt_block_look (struct gt_block *k);

/* Computes and stores the block's elements.  Elements that the sums leave undecided are
   computed by gt_settle_element.  */
void gt_block_compute (struct gt_block *k);

/* Does the same for blocks of few terms and lanes (kernels/cpu/matrix/tiles.h), whose elements
   depend on no more than one sum and one old element.  */
void gt_block_compute_shortly (struct gt_block *k);

#endif

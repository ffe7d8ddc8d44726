/* Blocks of fast products (src/blas/plain.h), and the packing of their factors.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_PLAIN_CELL_H
#define GT_MATRIX_PLAIN_CELL_H

#include "src/blas/plain.h"
#include "src/blas/work.h"

/* A block of C that a member computes.  */
struct gt_cell
{
  const struct gt_plain_work *w;
  size_t row, rows, lane, lanes;
  size_t begin, n;          /* terms, of a chunk */
  char *slab, *packed;      /* memory for lanes and rows, */
  double *laid, *line;      /* and for lines as doubles */
  const char *a;            /* the chunk's terms of A_ROWS rows from A_FIRST on, */
  size_t a_first, a_rows;
  size_t a_line;            /* the distance of rows; 0: in panels of a tile's rows */
  size_t a_step;
  int adds;
};

/* Returns the number of pieces of N things if each has at most MOST.  */
static inline size_t
gt_pieces (size_t n, size_t most)
{
  return n <= most ? 1 : (n + most - 1) / most;
}

/* Describes COUNT pieces of BASE things each; EXTRA of the pieces have one more.  */
struct gt_split
{
  size_t count, base, extra;
};

static inline struct gt_split
gt_split (size_t n, size_t most)
{
  struct gt_split s = {gt_pieces (n, most), n, 0};

  if (s.count > 1)
    {
      s.base = n / s.count;
      s.extra = n - s.base * s.count;
    }
  return s;
}

/* Returns the beginning of piece I.  */
static inline size_t
gt_piece (const struct gt_split *s, size_t i)
{
  return i * s->base + gt_least (i, s->extra);
}

static inline char *
gt_in_c (const struct gt_plain_work *w, size_t row, size_t lane)
{
  return (char *) w->p->c + (row * w->p->row * w->parts + lane) * w->k->size;
}

static inline const char *
gt_in_factor (const struct gt_plain_work *w, const struct gt_plain_factor *f, size_t line,
              size_t term)
{
  return f->data + (line * f->line + term * f->step) * w->k->size;
}

/* Pack LANES lanes from LANE on in C's slab, and ROWS rows from FIRST on, unless the
   latter are read in place.  */
void gt_cell_pack_lanes (struct gt_cell *c, size_t lane, size_t lanes);
void gt_cell_load_rows (struct gt_cell *c, size_t first, size_t rows);

#endif

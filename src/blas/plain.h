/* Fast products by gsltune's tiles (kernels/cpu/matrix/plain.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_PLAIN_H
#define GT_MATRIX_PLAIN_H

#include "kernels/cpu/matrix/plain.h"
#include "src/blas/side.h"

/* The numbers of a factor, in rows or lanes.  */
struct gt_plain_factor
{
  const char *data;
  size_t line, step; /* the distances of rows or lanes, and of terms */
  int as_it_lies;    /* whether a tile, or the code that packs, reads the numbers in place;
                        otherwise SIDE is read */
  int packed;
  struct gt_side side;
};

#define GT_PLAIN_SMALL 2048

/* A product in progress.  All numbers are real: a row of C has a lane for each part of each
   element.  */
struct gt_plain_work
{
  const struct gt_product *p;
  struct gt_product changed; /* a changed copy of P, if necessary */
  const struct gt_plain *k;
  struct gt_plain_factor a, b;
  unsigned parts;            /* of an element */
  int times_vector;
  int is_whole;              /* whether neither a factor nor C is a triangle */
  size_t lanes, terms;
  size_t cell_rows, cell_lanes, across, cells; /* blocks of C */
  char *memory;              /* null: SMALL is enough */
  size_t room;               /* bytes for each member */
  _Alignas (64) char small[GT_PLAIN_SMALL];
};

/* Prepares P for MEMBERS members of a team, which compute cells 0 to W->cells - 1.  The
   elements of a row of C are contiguous, unless P is a real matrix times a vector.  TWICE is
   computed by two such works.  Returns whether there is enough memory; otherwise nothing is
   changed.  */
int gt_plain_begin (struct gt_plain_work *w, const struct gt_product *p, unsigned members);
void gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member);
void gt_plain_end (struct gt_plain_work *w);

#endif

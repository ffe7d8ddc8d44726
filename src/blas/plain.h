/* Fast products by tiles of our own (kernels/cpu/matrix/plain.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_MATRIX_PLAIN_H
#define GT_MATRIX_PLAIN_H

#include "kernels/cpu/matrix/plain.h"
#include "src/blas/side.h"

/* The numbers of a factor: of rows, or of lanes.  */
struct gt_plain_factor
{
  const char *data;
  size_t line, step; /* numbers from one row or lane to the next, and from term to term */
  int as_it_lies;    /* whether they are read there, by a tile or by what packs them; else SIDE is */
  int packed;
  struct gt_side side;
};

#define GT_PLAIN_SMALL 2048

/* A product on its way.  All is real: a row of C has a lane for each part of each element.  */
struct gt_plain_work
{
  const struct gt_product *p;
  struct gt_product changed; /* perhaps P */
  const struct gt_plain *k;
  struct gt_plain_factor a, b;
  unsigned parts;            /* of an element */
  int times_vector;
  int is_whole;              /* whether no factor nor C is a triangle */
  size_t lanes, terms;
  size_t cell_rows, cell_lanes, across, cells; /* blocks of C */
  char *memory;              /* null: SMALL is enough */
  size_t room;               /* bytes of each member */
  _Alignas (64) char small[GT_PLAIN_SMALL];
};

/* Prepares P for MEMBERS members of a team, which compute cells 0 to W->cells - 1.  The elements
   of a row of C lie side by side, unless P is a real matrix times a vector.  "Twice" takes two
   such works.  Returns whether there is memory; nothing is changed otherwise.  */
int gt_plain_begin (struct gt_plain_work *w, const struct gt_product *p, unsigned members);
void gt_plain_cell (struct gt_plain_work *w, size_t cell, unsigned member);
void gt_plain_end (struct gt_plain_work *w);

#endif

/* Products that are small or whose elements have few terms, correctly rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "kernels/cpu/matrix/plain.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/blas/block.h"

/* Elements with at most this many terms need no sums with bounds, for any number of
   elements.  */
#define FEW_TERMS 4
/* A product with more terms must have at most this many elements.  */
#define SMALL_ELEMENTS 64
/* Rows of a triangle that are computed at a time, with the lanes that any of them has.  */
#define TRIANGLE_ROWS 8

/* A product whose elements need no sums with bounds.  If the kernel can read its operands in
   place, S describes all of it; otherwise rows and lanes are copied.  */
struct shortly
{
  const struct gt_product *p;
  int turns, lies, in_place; /* IN_PLACE: the kernel may write to C before all of B is read */
  struct gt_short_product s;
  size_t b_column;
  int prepared; /* whether W describes the product */
  struct gt_work w;
  _Atomic size_t next; /* row */
};

/* Some rows, lanes, and old and new numbers.  */
struct short_rooms
{
  double a[GT_SHORT_LINES * GT_SHORT_TERMS], b[GT_SHORT_LINES * GT_SHORT_TERMS];
  double c[GT_SHORT_ELEMENTS], to[GT_SHORT_ELEMENTS];
  uint64_t doubt[GT_SHORT_LINES];
};

/* A part of a product.  */
struct part
{
  size_t row, rows, lane, lanes;
};

/* Points H's S to a product that the kernel can read in place, except for lanes whose
   elements are apart; returns 0 if it cannot.  */
static int
lies_shortly (const struct gt_product *p, int turns, struct shortly *h)
{
  if (p->arithmetic != GT_F64 || p->a.shape != GT_GENERAL || p->b.shape != GT_GENERAL
      || p->triangle != GT_WHOLE || p->twice)
    return 0;
  h->b_column = turns ? p->a.row : p->b.column;
  h->s = turns ? (struct gt_short_product) {
           .a = p->b.data, .b = p->a.data, .c = p->c, .a_row = p->b.column,
           .a_column = p->b.row, .b_row = p->a.column, .c_row = p->column, .c_column = p->row,
           .rows = p->columns, .columns = p->rows}
         : (struct gt_short_product) {
           .a = p->a.data, .b = p->b.data, .c = p->c, .a_row = p->a.row,
           .a_column = p->a.column, .b_row = p->b.row, .c_row = p->row, .c_column = p->column,
           .rows = p->rows, .columns = p->columns};
  return h->b_column == 1 || h->s.b_row == 1 || p->a.columns == 1 || h->s.columns == 1;
}

/* Copies LANES lanes from LANE on, unless they are contiguous.  */
static void
lay_lanes (const struct shortly *h, struct gt_short_product *s, size_t lane, size_t lanes,
           double *room)
{
  const double *b = h->s.b + lane * h->b_column;

  s->b = b;
  if (h->b_column == 1 || lanes == 1)
    return;
  gt_plain (0)->turn (b, h->b_column, lanes, h->s.terms, room, lanes);
  s->b = room;
  s->b_row = lanes;
}

static const struct gt_work *
prepare (struct shortly *h)
{
  if (!h->prepared)
    {
      const struct gt_product of = h->turns ? gt_product_turned (h->p) : *h->p;

      h->w.triangular = NULL;
      gt_work_of (&h->w, &of);
      h->prepared = 1;
    }
  return &h->w;
}

/* Computes the written elements that are in doubt, and then stores those of TO unless
   they are in C.  */
static void
end_shortly (const struct gt_work *w, const struct gt_short_product *s,
             const struct part *part, int in_place)
{
  const size_t diagonal = 2 * part->row + 1 - part->lane;
  size_t begin, end;

  for (size_t i = 0; i < part->rows; i++)
    if (s->doubt[i]
        && gt_work_written (w, part->row + i, part->lane, part->lanes, &begin, &end))
      for (size_t j = begin; j < end; j++)
        if (s->doubt[i] >> j & 1)
          s->to[i * s->to_row + j]
            = gt_settle_element (w, part->row + i, part->lane + j);
  for (size_t i = 0; i < part->rows && !in_place; i++)
    {
      double *const to = s->to + i * s->to_row;

      if (w->hermitian && diagonal + 2 * i < part->lanes)
        to[diagonal + 2 * i] = 0;
      if (gt_work_written (w, part->row + i, part->lane, part->lanes, &begin, &end))
        gt_work_store (w, part->row + i, part->lane + begin, end - begin, to + begin);
    }
}

static void
store_shortly (const struct gt_short_product *s, double *c)
{
  for (size_t i = 0; i < s->rows; i++)
    for (size_t j = 0; j < s->columns; j++)
      c[i * s->c_row + j * s->c_column] = s->to[i * s->to_row + j];
}

/* Loads the old elements of a part, unless the kernel can read and write them in place.
   Returns whether it can.  */
static int
load_olds (const struct gt_work *w, const struct part *part, struct gt_short_product *s,
           struct short_rooms *rooms, int in_place)
{
  const size_t last = part->row + part->rows - 1, lanes = part->lanes;
  size_t begin, end, first, after;

  s->c_column = 1;
  gt_work_lanes (w, last, &begin, &after);
  gt_work_lanes (w, part->row, &first, &end);
  if (in_place && !w->hermitian && begin <= part->lane && end >= part->lane + lanes
      && gt_work_lie (w, part->row, part->lane))
    {
      s->c = gt_work_lie (w, part->row, part->lane);
      s->c_row = w->row * w->a.parts;
      return 1;
    }
  s->c = rooms->c;
  s->c_row = lanes;
  for (size_t i = 0; i < part->rows && w->olds; i++)
    {
      memset (rooms->c + i * lanes, 0, lanes * sizeof *rooms->c);
      if (gt_work_written (w, part->row + i, part->lane, lanes, &begin, &end))
        gt_work_olds (w, part->row + i, part->lane + begin, end - begin, 0,
                      rooms->c + i * lanes + begin);
    }
  return 0;
}

/* Computes a part, whose rows and lanes are at A and B of S.  S is not copied, because
   reads of such a copy wait until it is written.  */
static void
compute_part (struct shortly *h, struct gt_short_product *s, const struct part *part,
              struct short_rooms *rooms)
{
  int in_place = h->in_place, doubtful;

  s->rows = part->rows;
  s->columns = part->lanes;
  if (h->lies)
    {
      s->c = (double *) h->p->c + part->row * s->c_row + part->lane * s->c_column;
      in_place = in_place && s->c_column == 1;
    }
  else
    in_place = load_olds (&h->w, part, s, rooms, in_place);
  s->to = in_place ? (double *) (uintptr_t) s->c : rooms->to;
  s->to_row = in_place ? s->c_row : GT_SHORT_STEP (s->columns);
  s->doubt = rooms->doubt;
  doubtful = gt_tiles ()->multiply_shortly (s);
  if (doubtful || (!h->lies && !in_place))
    end_shortly (prepare (h), s, part, in_place);
  else if (!in_place)
    store_shortly (s, (double *) (uintptr_t) s->c);
}

/* Computes the written part of ROWS rows from FIRST on, with S, a copy of H's.  */
static void
compute_rows (struct shortly *h, struct gt_short_product *s, size_t first, size_t rows,
              struct short_rooms *rooms)
{
  const struct gt_work *w = &h->w;
  const size_t end = first + rows, terms = s->terms, all = w->lanes;
  size_t begin, after;

  for (size_t i = 0; i < rows && !h->lies; i++)
    gt_side_load (&w->a, first + i, GT_AS_IT_IS, 0, terms, rooms->a + i * terms, 1);
  for (size_t lane = 0, lanes; lane < all; lane += lanes)
    {
      lanes = gt_least (all - lane, GT_SHORT_LINES);
      if (h->lies)
        lay_lanes (h, s, lane, lanes, rooms->b);
      else
        gt_side_lay_lanes (&w->b, lane, lanes, 0, 0, terms, rooms->b, s->b_row = lanes);
      for (struct part part = {.row = first}; part.row < end; part.row += part.rows)
        {
          size_t from, until;

          part.rows = gt_least (end - part.row, !h->lies && w->triangle
                                                  ? TRIANGLE_ROWS
                                                  : GT_SHORT_ELEMENTS / GT_SHORT_STEP (lanes));
          gt_work_lanes (w, part.row, &from, &after);
          gt_work_lanes (w, part.row + part.rows - 1, &begin, &until);
          part.lane = from > lane ? from : lane;
          until = gt_least (until, lane + lanes);
          if (until <= part.lane)
            continue;
          part.lanes = until - part.lane;
          s->a = h->lies ? h->s.a + part.row * s->a_row : rooms->a + (part.row - first) * terms;
          if (!h->lies)
            s->b = rooms->b + (part.lane - lane);
          compute_part (h, s, &part, rooms);
        }
    }
}

static void
compute_claims (void *closure, unsigned member)
{
  struct shortly *h = closure;
  struct gt_short_product s = h->s;
  struct short_rooms rooms;
  struct gt_fpenv env;
  size_t first;

  (void) member;
  gt_fpenv_enter (&env, GT_F64);
  while ((first = atomic_fetch_add (&h->next, GT_SHORT_LINES)) < h->s.rows)
    compute_rows (h, &s, first, gt_least (GT_SHORT_LINES, h->s.rows - first), &rooms);
  gt_fpenv_leave (&env);
}

/* Decides whether rows or columns become the lanes: the side with enough lanes.  */
int
gt_product_shortly (const struct gt_product *p)
{
  const unsigned parts = gt_parts_in (p->arithmetic);
  const size_t terms = p->a.columns * parts << !!p->twice;
  const int small = p->rows <= SMALL_ELEMENTS
                    && p->rows * p->columns * parts <= SMALL_ELEMENTS;
  struct short_rooms rooms;
  struct shortly h;

  if (terms == 0 || terms > GT_SHORT_TERMS || p->alpha.re == 0 || p->alpha.im != 0
      || p->beta.im != 0 || (!small && (terms > FEW_TERMS || p->c == p->b.data)))
    return 0;
  h.p = p;
  h.turns = p->columns < p->rows && p->columns * parts < GT_LEAST_LANES;
  h.lies = lies_shortly (p, h.turns, &h);
  h.in_place = p->c != p->b.data;
  h.prepared = 0;
  if (!h.lies)
    {
      const struct gt_work *const w = prepare (&h);

      h.s = (struct gt_short_product) {.rows = w->rows, .columns = w->lanes, .a_row = terms,
                                       .a_column = 1, .single = w->a.single};
    }
  h.s.terms = terms;
  h.s.divisor = 1;
  h.s.alpha = p->alpha.re;
  h.s.beta = p->beta.re;
  if (small && h.lies)
    {
      lay_lanes (&h, &h.s, 0, h.s.columns, rooms.b);
      compute_part (&h, &h.s, &(struct part) {0, h.s.rows, 0, h.s.columns}, &rooms);
    }
  else if (small)
    compute_rows (&h, &h.s, 0, h.s.rows, &rooms);
  else
    {
      prepare (&h);
      atomic_init (&h.next, 0);
      gt_team_run (gt_members_for ((double) h.s.rows * (double) h.s.columns * (double) terms,
                                   (h.s.rows + GT_SHORT_LINES - 1) / GT_SHORT_LINES),
                   compute_claims, &h);
    }
  return 1;
}

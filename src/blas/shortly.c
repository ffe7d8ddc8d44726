/* Products that are small or whose elements have few terms, correctly rounded.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/blas/block.h"

/* Elements with at most this many terms need no sums with bounds, for any number of
   elements.  */
#define FEW_TERMS 4
/* The most lanes of rows that are updated: there is room for their terms and for one more
   vector.  */
#define UPDATE_LANES (GT_SHORT_LINES * GT_SHORT_TERMS / FEW_TERMS - GT_MOST_LANES)

/* A product of few terms, whose elements need no sums with bounds.  S describes it if the
   kernel can read its operands in place, otherwise W.  */
struct shortly
{
  const struct gt_product *p;
  int turns, lies, updates; /* whether rows are updated in place */
  struct gt_short_product s;
  struct gt_work w;
  size_t lanes;        /* at a time */
  _Atomic size_t next; /* row */
};
/* Such a product is computed at once if it has at most this many elements.  */
#define SMALL_ELEMENTS 64

/* Some rows, lanes, and old and new numbers.  */
struct short_rooms
{
  double a[GT_SHORT_LINES * GT_SHORT_TERMS], b[GT_SHORT_LINES * GT_SHORT_TERMS];
  double c[GT_SHORT_ELEMENTS], to[GT_SHORT_ELEMENTS];
  uint64_t doubt[GT_SHORT_LINES];
  size_t laid; /* the first lane at B */
};

/* Points S to a product that the kernel can read in place; returns 0 if it cannot.  */
static int
lies_shortly (const struct gt_product *p, int turns, struct gt_short_product *s)
{
  if (p->arithmetic != GT_F64 || p->a.shape != GT_GENERAL || p->b.shape != GT_GENERAL
      || p->triangle != GT_WHOLE || p->twice)
    return 0;
  *s = turns ? (struct gt_short_product) {
         .a = p->b.data, .b = p->a.data, .c = p->c, .a_row = p->b.column, .a_column = p->b.row,
         .b_row = p->a.column, .b_column = p->a.row, .c_row = p->column, .c_column = p->row,
         .rows = p->columns, .columns = p->rows, .terms = p->a.columns}
       : (struct gt_short_product) {
         .a = p->a.data, .b = p->b.data, .c = p->c, .a_row = p->a.row, .a_column = p->a.column,
         .b_row = p->b.row, .b_column = p->b.column, .c_row = p->row, .c_column = p->column,
         .rows = p->rows, .columns = p->columns, .terms = p->a.columns};
  return 1;
}

/* Loads the part of ROWS rows from ROW on and COLUMNS lanes from LANE on.  */
static void
lay_out_shortly (const struct gt_work *w, struct gt_short_product *s, size_t row, size_t lane,
                 struct short_rooms *rooms)
{
  const size_t lanes = s->columns;
  size_t begin, end;

  s->a = rooms->a;
  s->b = rooms->b;
  s->c = rooms->c;
  s->a_row = s->terms = w->terms;
  s->b_row = s->c_row = lanes;
  s->a_column = s->b_column = s->c_column = 1;
  s->single = w->a.single;
  for (size_t i = 0; i < s->rows; i++)
    {
      gt_side_load (&w->a, row + i, GT_AS_IT_IS, 0, w->terms, rooms->a + i * w->terms, 1);
      memset (rooms->c + i * lanes, 0, lanes * sizeof *rooms->c);
      if (w->olds && gt_work_written (w, row + i, lane, lanes, &begin, &end))
        gt_work_olds (w, row + i, lane + begin, end - begin, 0, rooms->c + i * lanes + begin);
    }
  if (rooms->laid != lane)
    gt_side_lay_lanes (&w->b, lane, lanes, 0, 0, w->terms, rooms->b, lanes);
  rooms->laid = lane;
}

/* Settles the elements of a row from BEGIN to END that are in doubt.  */
static void
settle_shortly (const struct gt_work *w, uint64_t doubt, size_t row, size_t lane, size_t begin,
                size_t end, double *to)
{
  for (size_t j = begin; j < end; j++)
    if (doubt >> j & 1)
      {
        size_t first = 0, last = w->terms;

        gt_side_narrow (&w->a, row, 1, &first, &last);
        gt_side_narrow (&w->b, (lane + j) / w->b.parts, 1, &first, &last);
        to[j] = gt_settle_element (w, row, lane + j, first, last > first ? last : first);
      }
}

/* Settles the written elements that are in doubt, and then stores all, since B may be C.  */
static void
end_shortly (const struct gt_work *w, const struct gt_short_product *s, size_t row,
             size_t lane)
{
  const size_t step = GT_SHORT_STEP (s->columns);
  size_t begin, end;

  for (size_t i = 0; i < s->rows; i++)
    if (s->doubt[i] && gt_work_written (w, row + i, lane, s->columns, &begin, &end))
      settle_shortly (w, s->doubt[i], row + i, lane, begin, end, s->to + i * step);
  for (size_t i = 0; i < s->rows; i++)
    {
      if (w->hermitian && (row + i) * 2 + 1 - lane < s->columns)
        s->to[i * step + (row + i) * 2 + 1 - lane] = 0;
      if (gt_work_written (w, row + i, lane, s->columns, &begin, &end))
        gt_work_store (w, row + i, lane + begin, end - begin, s->to + i * step + begin);
    }
}

static void
prepare_short (struct gt_work *w, const struct gt_product *p, int turns)
{
  const struct gt_product of = turns ? gt_product_turned (p) : *p;

  w->triangular = NULL;
  gt_work_of (w, &of);
}

static void
store_shortly (const struct gt_short_product *s, size_t row, double *c)
{
  const double *from = s->to + row * GT_SHORT_STEP (s->columns);

  if (s->c_column == 1 && s->columns > GT_MOST_LANES)
    memcpy (c, from, s->columns * sizeof *c);
  else
    for (size_t j = 0; j < s->columns; j++)
      c[j * s->c_column] = from[j];
}

/* Computes ROWS rows from ROW on and LANES lanes from LANE on.  */
static void
compute_shortly (const struct shortly *h, size_t row, size_t rows, size_t lane, size_t lanes,
                 struct short_rooms *rooms)
{
  struct gt_short_product s = h->s;
  struct gt_work work;
  int doubt;

  s.rows = rows;
  s.columns = lanes;
  s.to = rooms->to;
  s.doubt = rooms->doubt;
  if (!h->lies)
    lay_out_shortly (&h->w, &s, row, lane, rooms);
  else
    {
      s.a += row * s.a_row;
      s.b += lane * s.b_column;
      s.c += row * s.c_row + lane * s.c_column;
    }
  doubt = gt_tiles ()->multiply_shortly (&s);
  if (h->lies && doubt)
    {
      prepare_short (&work, h->p, h->turns);
      end_shortly (&work, &s, row, lane);
    }
  else if (!h->lies)
    end_shortly (&h->w, &s, row, lane);
  else
    for (size_t i = 0; i < rows; i++)
      store_shortly (&s, i, (double *) h->p->c + (row + i) * s.c_row + lane * s.c_column);
}

/* Loads the terms of ROWS rows from ROW on, multiplied by alpha; the rounding errors follow
   all of them.  Returns whether all are moderate.  */
static int
load_terms (const struct gt_work *w, size_t row, size_t rows, double *a)
{
  const size_t all = rows * w->terms;
  const double alpha = w->coefficient[0];
  int moderate = 1;

  for (size_t i = 0; i < rows; i++)
    gt_side_load (&w->a, row + i, GT_AS_IT_IS, 0, w->terms, a + i * w->terms, 1);
  for (size_t k = 0; k < all; k++)
    {
      const double x = a[k];

      a[k] = alpha * x;
      a[all + k] = fma (alpha, x, -a[k]);
      moderate &= x == 0 || GT_MODERATE (fabs (a[k]));
    }
  return moderate;
}

/* Stores the terms of LANES lanes from LANE on, and returns whether all are moderate.  */
static int
lay_terms (const struct gt_work *w, size_t lane, size_t lanes, double *b)
{
  int moderate = 1;

  gt_side_lay_lanes (&w->b, lane, lanes, 0, 0, w->terms, b, lanes);
  for (size_t k = 0; k < lanes * w->terms; k++)
    moderate &= b[k] == 0 || GT_MODERATE (fabs (b[k]));
  return moderate;
}

/* Updates ROWS rows from ROW on, of LANES lanes from LANE on, whose terms are loaded.  */
static void
update_rows (const struct gt_work *w, size_t row, size_t rows, size_t lane, size_t lanes,
             struct short_rooms *rooms)
{
  const size_t size = w->a.single ? sizeof (float) : sizeof (double);
  struct gt_row_update u = {.step = lanes, .terms = w->terms, .single = w->a.single,
                            .adds = w->olds != 0, .doubt = rooms->doubt};
  size_t begin, end;

  for (size_t i = 0; i < rows; i++)
    {
      const size_t imaginary = 2 * (row + i) + 1;
      double x;

      if (!gt_work_written (w, row + i, lane, lanes, &begin, &end))
        continue;
      u.a = rooms->a + i * w->terms;
      u.rest = u.a + rows * w->terms;
      u.b = rooms->b + begin;
      u.n = end - begin;
      u.c = (char *) w->c + gt_work_at (w, row + i, lane + begin) * size;
      if (gt_tiles ()->update_row (&u))
        for (size_t j = 0; j < u.n; j++)
          if (rooms->doubt[j / 64] >> j % 64 & 1)
            {
              x = gt_settle_element (w, row + i, lane + begin + j, 0, w->terms);
              gt_work_store (w, row + i, lane + begin + j, 1, &x);
            }
      x = 0;
      if (w->hermitian && imaginary - lane < lanes)
        gt_work_store (w, row + i, imaginary, 1, &x);
    }
}

/* Computes rows from FIRST to END.  If their terms are not moderate, computes some at a
   time.  */
static void
compute_some_rows (const struct shortly *h, size_t first, size_t end, struct short_rooms *rooms)
{
  const size_t most = gt_least (GT_SHORT_ELEMENTS / GT_SHORT_STEP (h->lanes), GT_SHORT_LINES);
  int updates = h->updates && load_terms (&h->w, first, end - first, rooms->a);

  for (size_t lane = 0, lanes; lane < h->s.columns; lane += lanes)
    {
      lanes = gt_least (h->s.columns - lane, updates ? UPDATE_LANES : h->lanes);
      if (updates)
        {
          rooms->laid = SIZE_MAX;
          updates = lay_terms (&h->w, lane, lanes, rooms->b);
          if (updates)
            update_rows (&h->w, first, end - first, lane, lanes, rooms);
          else
            lanes = 0;
          continue;
        }
      for (size_t row = first, rows; row < end; row += rows)
        {
          rows = gt_least (end - row, most);
          compute_shortly (h, row, rows, lane, lanes, rooms);
        }
    }
}

static void
compute_short_rows (void *closure, unsigned member)
{
  struct shortly *h = closure;
  struct short_rooms rooms = {.laid = SIZE_MAX};
  struct gt_fpenv env;
  size_t first;

  (void) member;
  gt_fpenv_enter (&env, GT_F64);
  while ((first = atomic_fetch_add (&h->next, GT_SHORT_LINES)) < h->s.rows)
    compute_some_rows (h, first, gt_least (first + GT_SHORT_LINES, h->s.rows), &rooms);
  gt_fpenv_leave (&env);
}

/* Decides whether rows or columns become the lanes: the side with enough lanes.  */
int
gt_product_shortly (const struct gt_product *p)
{
  const unsigned parts = gt_parts_in (p->arithmetic);
  const int turns = p->columns < p->rows && p->columns * parts < GT_LEAST_LANES;
  const size_t terms = p->a.columns * parts << !!p->twice;
  const int small = p->rows <= SMALL_ELEMENTS
                    && p->rows * p->columns * parts <= SMALL_ELEMENTS;
  struct short_rooms rooms;
  struct shortly h;

  if (terms == 0 || terms > GT_SHORT_TERMS || p->alpha.re == 0 || p->alpha.im != 0
      || p->beta.im != 0 || (!small && (terms > FEW_TERMS || p->c == p->b.data)))
    return 0;
  h.p = p;
  h.turns = turns;
  h.lies = lies_shortly (p, turns, &h.s);
  if (!h.lies || !small)
    {
      prepare_short (&h.w, p, turns);
      h.s.rows = h.w.rows;
      h.s.columns = h.w.lanes;
    }
  h.s.divisor = 1;
  h.s.alpha = p->alpha.re;
  h.s.beta = p->beta.re;
  h.s.is_whole = p->a.shape == GT_GENERAL && p->b.shape == GT_GENERAL && isfinite (h.s.alpha)
                 && isfinite (h.s.beta);
  h.updates = !small && h.w.column == 1 && (p->beta.re == 0 || p->beta.re == 1);
  h.lanes = gt_least (h.s.columns, GT_SHORT_LINES);
  rooms.laid = SIZE_MAX;
  if (small)
    compute_shortly (&h, 0, h.s.rows, 0, h.s.columns, &rooms);
  else
    {
      atomic_init (&h.next, 0);
      gt_team_run (gt_members_for ((double) h.s.rows * (double) h.s.columns * (double) terms,
                                   (h.s.rows + GT_SHORT_LINES - 1) / GT_SHORT_LINES),
                   compute_short_rows, &h);
    }
  return 1;
}

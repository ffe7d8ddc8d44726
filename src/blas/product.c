/* Matrix products, correctly rounded.

   Elements of C are computed in blocks, each by one thread: the rows' terms and the lanes'
   are laid out as doubles where they do not lie so, measured, multiplied in tiles
   (kernels/cpu/matrix/tiles.h) and rounded (finish.c).  So the result depends on nothing but
   the numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/product.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/task.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/blas/block.h"

/* Floats with so few terms have sums in double that nearly always decide.  */
#define PLAIN_TERMS 2048
/* Memory for products of small matrices is on the stack.  */
#define SMALL_DOUBLES 1024
/* Elements of so few terms need no sums with bounds, however many they are.  */
#define FEW_TERMS 4

/* ------------------------------------------------------------------- Blocks */

static void
compute_block (struct gt_block *k)
{
  const struct gt_blocks *p = k->p;

  k->begin = 0;
  k->end = p->w.sums ? p->w.terms : 0;
  if (!gt_block_is_written (k, 0, k->rows, 0, k->lanes))
    return;
  gt_side_narrow (&p->w.a, k->row, k->rows, &k->begin, &k->end);
  gt_side_narrow (&p->w.b, k->lane / p->w.b.parts,
                  (k->lane + k->lanes - 1) / p->w.b.parts - k->lane / p->w.b.parts + 1,
                  &k->begin, &k->end);
  if (k->end < k->begin)
    k->end = k->begin;
  gt_block_compute (k);
}

static double *
cut (double *memory, size_t *at, size_t n)
{
  double *piece = memory ? memory + *at : NULL;

  *at += n;
  return piece;
}

/* The rooms of a block in MEMORY, or, if that is null, how many doubles they take.  */
static size_t
lay_out (struct gt_block *k, double *memory)
{
  const struct gt_blocks *p = k->p;
  const size_t rows = p->block_rows, lanes = gt_whole_vectors (p, p->block_lanes);
  double **of_lanes[] = {&k->scale, &k->grains, &k->squares, &k->lower, &k->upper,
                         &k->old[0], &k->old[1]};
  size_t at = 0;

  k->x = k->apart = k->room = NULL;
  if (p->w.triangular)
    {
      k->x = cut (memory, &at, (p->w.terms + 1) * lanes);
      k->apart = cut (memory, &at, lanes);
      k->room = cut (memory, &at, GT_LAID_LINES * gt_laid_step (p->w.terms));
    }
  for (unsigned i = 0; i < 5 + p->w.olds; i++)
    *of_lanes[i] = cut (memory, &at, lanes);
  for (unsigned sum = 0; sum < p->w.sums; sum++)
    {
      double **const sums[] = {&k->s[sum], &k->l[sum], &k->m[sum]};

      for (unsigned i = 0; i < 3; i++)
        *sums[i] = cut (memory, &at, rows * lanes);
      k->b_room[sum] = cut (memory, &at,
                            p->w.triangular ? 0
                            : gt_is_row (p) ? GT_LAID_LINES * gt_laid_step (p->chunk)
                                            : p->chunk * gt_room_step (p, lanes));
    }
  k->row_scale = cut (memory, &at, rows);
  k->row_grain = cut (memory, &at, rows);
  k->row_squares = cut (memory, &at, rows);
  k->a_room = cut (memory, &at,
                   gt_is_row (p) ? p->w.terms * p->w.b.parts * p->w.sums
                                 : rows * gt_laid_step (p->chunk));
  return at;
}

static void
compute (void *closure, unsigned member)
{
  struct gt_blocks *p = closure;
  struct gt_block k;
  struct gt_fpenv env;
  size_t number;

  k.p = p;
  k.line = NULL;
  k.divisor[0] = 1;
  k.step = 0;
  lay_out (&k, p->memory + member * p->doubles);
  gt_fpenv_enter (&env, GT_F64);
  while ((number = atomic_fetch_add (&p->next, 1)) < p->blocks)
    {
      k.row = number / p->across * p->block_rows;
      k.lane = number % p->across * p->block_lanes;
      k.rows = gt_least (p->w.rows - k.row, p->block_rows);
      k.lanes = gt_least (p->w.lanes - k.lane, p->block_lanes);
      k.padded = gt_whole_vectors (p, k.lanes);
      p->each (&k);
    }
  gt_fpenv_leave (&env);
}

/* Lines of the cache for each member.  */
size_t
gt_blocks_plan (struct gt_blocks *p)
{
  struct gt_block k = {.p = p};

  p->members = gt_members_for ((double) p->w.rows * (double) p->w.lanes
                                 * (double) (p->w.terms * p->w.sums + 1),
                               p->blocks);
  p->doubles = (lay_out (&k, NULL) + 7) / 8 * 8;
  return p->members * p->doubles;
}

void
gt_blocks_run (struct gt_blocks *p, double *memory)
{
  p->memory = memory;
  gt_team_run (p->members, compute, p);
}

/* ----------------------------------------------------------------- Products */

/* The product in turn, C' = B' A' (of TWICE, X and X' change places), so that there are
   lanes enough.  */
static struct gt_product
turned (const struct gt_product *p)
{
  struct gt_product t = *p;
  const struct gt_matrix c
    = gt_transposed ((struct gt_matrix) {.row = p->row, .column = p->column,
                                         .triangle = p->triangle});

  t.a = gt_transposed (p->b);
  t.b = gt_transposed (p->a);
  t.rows = p->columns;
  t.columns = p->rows;
  t.row = c.row;
  t.column = c.column;
  t.triangle = c.triangle;
  return t;
}

void
gt_work_of (struct gt_work *w, const struct gt_product *of)
{
  const struct gt_matrix columns = gt_transposed (of->b);
  const int conjugates = of->twice && of->hermitian;
  struct gt_matrix other[2] = {columns, of->a};

  other[0].conjugate ^= conjugates;
  other[1].conjugate ^= conjugates;
  w->a = gt_side_of (of->arithmetic, &of->a, of->twice ? &other[0] : NULL);
  w->b = gt_side_of (of->arithmetic, &columns, of->twice ? &other[1] : NULL);
  w->b.opposed = conjugates;
  w->rows = of->rows;
  w->lanes = of->columns * w->a.parts;
  w->terms = w->a.terms;
  w->c = of->c;
  w->row = of->row;
  w->column = of->column;
  w->triangle = of->triangle;
  w->hermitian = of->hermitian && w->a.parts == 2;
  gt_work_scalars (w, of->alpha, of->beta);
}

static void
prepare (struct gt_blocks *p, const struct gt_product *given)
{
  const int turns = given->columns < 8 && given->columns < given->rows;
  const struct gt_product of = turns ? turned (given) : *given;
  struct gt_work *w = &p->w;

  gt_work_of (w, &of);
  p->each = compute_block;
  p->tiles = gt_tiles ();
  p->plain = w->a.single && w->terms <= PLAIN_TERMS;
  p->block_rows = gt_least (w->rows, GT_BLOCK_ROWS);
  p->block_lanes = gt_least (w->lanes, GT_BLOCK_LANES);
  p->chunk = gt_least (w->terms, GT_BLOCK_TERMS);
  p->across = (w->lanes + p->block_lanes - 1) / p->block_lanes;
  p->blocks = p->across * ((w->rows + p->block_rows - 1) / p->block_rows);
}

/* In memory on the stack, if that is enough; returns whether there was memory.  */
static int
multiply_exactly (const struct gt_product *given)
{
  _Alignas (GT_ROOM_ALIGNMENT) double small[SMALL_DOUBLES];
  struct gt_blocks p = {.next = 0};
  void *heap = NULL;
  size_t doubles;

  prepare (&p, given);
  doubles = gt_blocks_plan (&p);
  if (doubles > SMALL_DOUBLES)
    heap = malloc (doubles * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  if (doubles > SMALL_DOUBLES && heap == NULL)
    return 0;
  gt_blocks_run (&p, heap ? gt_room_aligned (heap) : small);
  free (heap);
  return 1;
}

/* COUNT columns of B from FIRST on, which are columns of C, as a matrix of MOST columns at
   COPY.  */
static struct gt_product
copied_columns (const struct gt_product *p, size_t first, size_t count, size_t most,
                void *copy)
{
  const size_t size = gt_element_size (p->arithmetic);
  const size_t together = p->b.column == 1 ? count : 1;
  struct gt_product part = *p;

  for (size_t i = 0; i < p->b.rows; i++)
    for (size_t j = 0; j < count; j += together)
      memcpy ((char *) copy + (i * most + j) * size,
              (const char *) p->b.data + (i * p->b.row + (first + j) * p->b.column) * size,
              together * size);
  part.columns = part.b.columns = count;
  part.b.data = copy;
  part.b.row = most;
  part.b.column = 1;
  part.c = (char *) p->c + first * p->column * gt_element_size (p->arithmetic);
  return part;
}

/* As B is C, its columns are copied, some at a time; the memory is enough for each part.  */
static int
multiply_in_place (const struct gt_product *given)
{
  const size_t most = gt_least (given->columns, GT_BLOCK_LANES);
  const size_t bytes = given->b.rows * most * gt_element_size (given->arithmetic);
  struct gt_product part = *given;
  struct gt_blocks p = {.next = 0};
  void *copy = malloc (bytes ? bytes : 1), *heap;
  size_t doubles, last;

  part.columns = part.b.columns = most;
  prepare (&p, &part);
  doubles = gt_blocks_plan (&p);
  part.columns = part.b.columns = (given->columns - 1) % most + 1;
  prepare (&p, &part);
  last = gt_blocks_plan (&p);
  heap = malloc ((doubles > last ? doubles : last) * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
  for (size_t first = 0; copy && heap && first < given->columns; first += most)
    {
      part = copied_columns (given, first, gt_least (given->columns - first, most), most,
                             copy);
      prepare (&p, &part);
      gt_blocks_plan (&p);
      atomic_store (&p.next, 0);
      gt_blocks_run (&p, gt_room_aligned (heap));
    }
  free (heap);
  free (copy);
  return copy && heap;
}

/* A product of few terms, whose elements take no sums with bounds: S where its operands lie as
   the kernel reads them, or else W.  */
struct shortly
{
  const struct gt_product *p;
  int turns, lies;
  struct gt_short_product s;
  struct gt_work w;
  size_t lanes;        /* at a time */
  _Atomic size_t next; /* row */
};
/* Such a product of at most so many elements is computed at once.  */
#define SMALL_ELEMENTS 64

/* Some rows, lanes, and old and new numbers.  */
struct short_rooms
{
  double a[GT_SHORT_LINES * GT_SHORT_TERMS], b[GT_SHORT_LINES * GT_SHORT_TERMS];
  double c[GT_SHORT_ELEMENTS], to[GT_SHORT_ELEMENTS];
  uint64_t doubt[GT_SHORT_LINES];
  size_t laid; /* the first lane at B */
};

/* Points S to a product that the kernel reads as it lies.  Returns 0 if it does not.  */
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

/* Lays out the part of ROWS rows from ROW on and COLUMNS lanes from LANE on.  */
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

/* Settles those elements of a row from BEGIN to END that are in doubt.  */
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

/* Settles elements that are in doubt, of those that are written, and then, as B may be C,
   stores all.  */
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
  const struct gt_product of = turns ? turned (p) : *p;

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

/* ROWS rows from ROW on, LANES lanes from LANE on.  */
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

static void
compute_short_rows (void *closure, unsigned member)
{
  struct shortly *h = closure;
  struct short_rooms rooms = {.laid = SIZE_MAX};
  const size_t most = gt_least (GT_SHORT_ELEMENTS / GT_SHORT_STEP (h->lanes), GT_SHORT_LINES);
  struct gt_fpenv env;
  size_t first, rows, end;

  (void) member;
  gt_fpenv_enter (&env, GT_F64);
  while ((first = atomic_fetch_add (&h->next, GT_SHORT_LINES)) < h->s.rows)
    for (size_t lane = 0, lanes; lane < h->s.columns; lane += lanes)
      {
        lanes = gt_least (h->s.columns - lane, h->lanes);
        end = gt_least (first + GT_SHORT_LINES, h->s.rows);
        for (size_t row = first; row < end; row += rows)
          {
            rows = gt_least (end - row, most);
            compute_shortly (h, row, rows, lane, lanes, &rooms);
          }
      }
  gt_fpenv_leave (&env);
}

/* Whether it is done.  What has lanes enough as it is, or rows, decides which are lanes.  */
static int
multiply_shortly (const struct gt_product *p)
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
  if (!h.lies)
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

/* In place the rows of a triangle that need the most are the first.  */
static void
settle_all (const struct gt_product *p)
{
  const int descends = p->c == p->b.data && p->a.triangle == GT_LOWER;
  struct gt_work w = {.triangular = NULL};

  gt_work_of (&w, p);
  for (size_t i = 0; i < p->rows; i++)
    gt_settle_row (&w, descends ? p->rows - 1 - i : i, 0, w.sums ? w.terms : 0);
}

void
gt_product_exactly (const struct gt_product *p)
{
  if (p->rows == 0 || p->columns == 0 || multiply_shortly (p))
    return;
  if (!(p->c == p->b.data ? multiply_in_place : multiply_exactly) (p))
    settle_all (p);
}

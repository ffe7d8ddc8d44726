/* Matrix products, correctly rounded.
   Elements of C are computed in blocks, each by one thread.  The terms of rows and lanes are
   copied as doubles unless they are in that form, measured, multiplied in tiles
   (kernels/cpu/matrix/tiles.h) and rounded (finish.c).  So the result depends only on the
   numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/product.h"

#include <stdlib.h>

#include "kernels/cpu/isa/room.h"
#include "kernels/task.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/blas/block.h"

/* Sums of at most this many terms of floats nearly always decide in double precision.  */
#define PLAIN_TERMS 2048
/* Memory for products of small matrices is on the stack.  */
#define SMALL_DOUBLES 1024
/* Elements with at most this many terms are computed by the kernel for few terms, for any
   number of elements; with more terms, those of a product with at most this many elements.  */
#define FEW_TERMS 4
#define FEW_ELEMENTS 64

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

/* Assigns the memory of a block in MEMORY; if that is null, returns the number of doubles.  */
static size_t
lay_out (struct gt_block *k, double *memory)
{
  const struct gt_blocks *p = k->p;
  const struct gt_work *w = &p->w;
  const size_t rows = p->block_rows, lanes = gt_whole_vectors (p, p->block_lanes);
  const size_t all = rows * lanes, step = gt_laid_step (p->chunk);
  double **of_lanes[] = {&k->scale, &k->grains, &k->squares, &k->lower, &k->upper,
                         &k->old[0], &k->old[1]};
  size_t at = 0;

  k->x = k->apart = k->room = NULL;
  if (p->few)
    {
      k->lower = cut (memory, &at, lanes);
      k->b_room[0] = cut (memory, &at, p->chunk * gt_room_step (p, lanes));
      k->a_room = cut (memory, &at, rows * step);
      return at;
    }
  if (w->triangular)
    {
      k->x = cut (memory, &at, (w->terms + 1) * lanes);
      k->apart = cut (memory, &at, lanes);
      k->room = cut (memory, &at, GT_LAID_LINES * gt_laid_step (w->terms));
    }
  for (unsigned i = 0; i < 5 + w->olds; i++)
    *of_lanes[i] = cut (memory, &at, lanes);
  for (unsigned sum = 0; sum < w->sums; sum++)
    {
      double **const sums[] = {&k->s[sum], &k->l[sum], &k->m[sum]};

      for (unsigned i = 0; i < 3; i++)
        *sums[i] = cut (memory, &at, all);
      k->b_room[sum] = cut (memory, &at,
                            w->triangular ? 0
                            : p->by_lines ? p->block_lanes / w->b.parts * step
                                          : p->chunk * gt_room_step (p, lanes));
    }
  k->row_scale = cut (memory, &at, rows);
  k->row_grain = cut (memory, &at, rows);
  k->row_squares = cut (memory, &at, rows);
  k->a_room = cut (memory, &at, (p->by_lines ? w->b.parts * w->sums : rows) * step);
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

int
gt_blocks_run (struct gt_blocks *p)
{
  _Alignas (GT_ROOM_ALIGNMENT) double small[SMALL_DOUBLES];
  struct gt_block k;
  void *heap = NULL;

  p->members = gt_members_for ((double) p->w.rows * (double) p->w.lanes
                                 * (double) (p->w.terms * p->w.sums + 1),
                               p->blocks);
  k.p = p;
  p->doubles = (lay_out (&k, NULL) + 7) / 8 * 8; /* whole cache lines */
  p->memory = small;
  if (p->members * p->doubles > SMALL_DOUBLES)
    {
      heap = malloc (p->members * p->doubles * sizeof (double) + GT_ROOM_ALIGNMENT - 1);
      if (heap == NULL)
        return 0;
      p->memory = gt_room_aligned (heap);
    }
  atomic_init (&p->next, 0);
  gt_team_run (p->members, compute, p);
  free (heap);
  return 1;
}

/* ----------------------------------------------------------------- Products */

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
  w->triangular = NULL;
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
  const struct gt_product of = turns ? gt_product_turned (given) : *given;
  struct gt_work *w = &p->w;

  gt_work_of (w, &of);
  p->each = compute_block;
  p->tiles = gt_tiles ();
  p->plain = w->a.single && w->terms <= PLAIN_TERMS;
  p->few = w->sums == 1 && w->olds <= 1 && w->terms <= GT_SHORT_TERMS
           && (w->terms <= FEW_TERMS
               || (w->rows <= FEW_ELEMENTS && w->rows * w->lanes <= FEW_ELEMENTS));
  p->by_lines = !p->few && w->rows == 1 && w->b.halves == 1
                && (w->lanes == w->b.parts || !gt_side_are_neighbours (&w->b));
  p->block_rows = gt_least (w->rows, GT_BLOCK_ROWS);
  p->block_lanes = gt_least (w->lanes, p->few        ? GT_SHORT_COLUMNS
                                       : p->by_lines ? GT_BLOCK_LINES : GT_BLOCK_LANES);
  p->chunk = gt_least (w->terms, GT_BLOCK_TERMS);
  p->across = (w->lanes + p->block_lanes - 1) / p->block_lanes;
  p->blocks = p->across * ((w->rows + p->block_rows - 1) / p->block_rows);
}

static int
multiply_exactly (const struct gt_product *given)
{
  struct gt_blocks p;

  prepare (&p, given);
  return gt_blocks_run (&p);
}

/* Does so with a copy of B, which is C.  */
static int
multiply_in_place (const struct gt_product *given)
{
  const size_t size = gt_element_size (given->arithmetic);
  void *const copy = malloc (given->b.rows * given->b.columns * size);
  struct gt_product of = *given;
  int done = 0;

  if (copy)
    {
      gt_matrix_copy (&of.b, size, copy);
      done = multiply_exactly (&of);
    }
  free (copy);
  return done;
}

void
gt_product_exactly (const struct gt_product *p)
{
  struct gt_work w;

  if (p->rows == 0 || p->columns == 0
      || (p->c == p->b.data ? multiply_in_place : multiply_exactly) (p))
    return;
  gt_work_of (&w, p);
  /* If C is B, the rows of the triangle with the most terms are computed first.  */
  gt_settle_all (&w, p->c == p->b.data && p->a.triangle == GT_LOWER);
}

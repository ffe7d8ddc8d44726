/* A matrix times a vector, correctly rounded, where the matrix lies row by row, or column by
   column: without blocks, which cost more than a sum.

   Parts of complex numbers are products of real rows: A as it lies has re, im, re, im, ...,
   and the vector is laid out for each part as its products with these are to be.  Of columns
   both parts are computed at once (struct gt_tile_columns).  Rows of symmetric, Hermitian and
   triangular matrices are laid out some at a time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/vector.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/room.h"
#include "src/base/fpenv.h"
#include "src/cpu/threads.h"
#include "src/matrix/work.h"

/* Numbers of a block; doubles of the vector that are laid out on the stack.  */
#define ROWS ((size_t) 64)
#define SMALL_TERMS 256
#define FEW_ROWS 32
#define LAID_ROWS ((size_t) 16)
/* Vectors of columns that are added up at once.  */
#define COLUMN_VECTORS 4
#define MOST_LANES 8
/* Where more than one in so many elements have cancelled, others of a block take deep sums
   at once.  */
#define WORTH 8
/* Elements that are so small beside the norms were cancelled, others are ties.  */
#define CANCELLED 0x1p-30

struct times_vector
{
  const struct gt_product *p;
  const struct gt_tiles *tiles;
  const double *x[2];   /* of each part; of columns one for both */
  size_t terms;         /* real numbers of a row, */
  size_t step;          /* and from one row to the next, or from one term to the next */
  unsigned parts;       /* of a complex number, which are computed one after the other, */
  unsigned together;    /* or, of columns, together */
  int columns;
  struct gt_side laid;  /* rows that are laid out, of a block BLOCK */
  int lays;
  size_t block;
  double *room;         /* of each member */
  double x_scale;
  int has_zeros;        /* the vector */
  _Atomic size_t next;  /* row */
};

/* A block's rows, of one part, or its columns.  */
struct rows
{
  const struct times_vector *v;
  const double *a;
  size_t first, n; /* numbers of the result */
  unsigned part;
  double guess;    /* what scales may be, or 0 */
  double x_grain, s[ROWS], l[ROWS], m[ROWS], bits[ROWS], squares[ROWS], scale[ROWS],
    grains[ROWS], old[ROWS], lower[ROWS], upper[ROWS];
};

/* --------------------------------------------------------------- One vector

   What is in doubt of a vector of rows, from AT on, is looked at together.  */

static struct gt_tile_row
row_of (struct rows *k, size_t at, size_t n, int deep)
{
  const struct times_vector *v = k->v;
  const double alpha = v->p->alpha.re, beta = v->p->beta.re;
  const int ones = fabs (alpha) == 1 && (beta == 0 || fabs (beta) == 1);

  return (struct gt_tile_row) {
    .n = n, .sums = 1, .olds = beta != 0, .s = {k->s + at}, .l = {k->l + at},
    .m = {deep ? k->m + at : NULL},
    .bits = {deep && v->has_zeros && !v->columns ? k->bits + at : NULL}, .old = {k->old + at},
    .coefficient = {alpha}, .factor = {beta}, .divisor = 1, .scale = k->scale + at,
    .anchor = GT_TILE_ANCHOR * v->x_scale,
    .error
    = (deep ? gt_tile_deep_error (v->terms) : gt_tile_error (v->terms, 0)) * v->x_scale,
    .exact_from = (deep ? GT_TILE_DEEP_EXACT_FROM : GT_TILE_EXACT_FROM) * v->x_scale,
    .grain = k->x_grain, .grains = k->grains + at, .least = ones ? 0 : 0x1p-1000,
    .lower = k->lower + at, .upper = k->upper + at
  };
}

/* Those beyond the last row are the last.  */
static const double *
row_at (const struct rows *k, size_t i)
{
  return k->a + gt_least (i, k->n - 1) * k->v->step;
}

/* Numbers of the vector as it is laid out.  */
static size_t
numbers_of (const struct times_vector *v)
{
  return v->terms * v->together;
}

/* Of a lane's terms some at a time are laid side by side.  */
static double
grain_of_lane (const struct rows *k, size_t i)
{
  const struct times_vector *v = k->v;
  const unsigned parts = v->together;
  double some[ROWS], grain = (double) INFINITY;
  size_t n;

  for (size_t first = 0; first < v->terms; first += n)
    {
      n = gt_least (v->terms - first, ROWS);
      for (size_t t = 0; t < n; t++)
        some[t] = k->a[(first + t) / parts * v->step + i / parts * parts + t % parts];
      grain = v->tiles->grain (some, n, grain);
    }
  return grain;
}

/* Finds grains of the vector and of those of N rows from AT on that are in doubt, and what is
   zero.  */
static void
look_at (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;

  if (k->x_grain == 0)
    k->x_grain = v->tiles->grain (v->x[k->part], numbers_of (v), (double) INFINITY);
  for (size_t i = at; i < at + n; i++)
    {
      if (k->lower[i] == k->upper[i])
        continue;
      k->grains[i] = v->columns ? grain_of_lane (k, i)
                                : v->tiles->grain (row_at (k, i), v->terms, (double) INFINITY);
      if (k->squares[i] == 0 && k->grains[i] == (double) INFINITY)
        k->scale[i] = k->s[i] = k->l[i] = k->m[i] = k->bits[i] = 0;
    }
}

static struct gt_tile_columns
columns_of (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;

  return (struct gt_tile_columns) {
    .x = v->x[0], .a = k->a + at, .step = v->step, .terms = v->terms, .lanes = n,
    .pairs = v->together == 2, .x_anchor = GT_TILE_ANCHOR * v->x_scale, .guess = k->guess,
    .squares = k->squares + at, .scale = k->scale + at, .s = k->s + at, .m = k->m + at,
    .l = k->l + at
  };
}

/* Whole vectors of rows from AT on.  */
static void
add_rows_deeply (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;
  const size_t lanes = v->tiles->lanes, vectors = (n + lanes - 1) / lanes;
  const double *rows[MOST_LANES];
  double anchor[MOST_LANES];

  v->tiles->begin (k->s + at, k->l + at, k->scale + at, GT_TILE_ANCHOR * v->x_scale,
                   (unsigned) vectors);
  memset (k->m + at, 0, vectors * lanes * sizeof *k->m);
  memset (k->bits + at, 0, vectors * lanes * sizeof *k->bits);
  for (size_t i = at; i < at + n; i += lanes)
    {
      memcpy (anchor, k->s + i, lanes * sizeof *anchor);
      for (size_t first = 0, some; first < v->terms; first += some)
        {
          some = gt_least (v->terms - first, GT_TILE_TERMS);
          for (size_t t = 0; t < lanes; t++)
            rows[t] = row_at (k, i + t) + first;
          v->tiles->deep_dots (v->x[k->part] + first, rows, some, anchor, k->s + i, k->m + i,
                               k->l + i, v->has_zeros ? k->bits + i : NULL);
        }
    }
}

static void
add_deeply (struct rows *k, size_t at, size_t n)
{
  const struct gt_tile_columns columns = columns_of (k, at, n);

  if (k->v->columns)
    k->v->tiles->deep_columns (&columns);
  else
    add_rows_deeply (k, at, n);
}

static int
is_certain (struct rows *k, size_t at, size_t n, int deep)
{
  const struct gt_tile_row row = row_of (k, at, n, deep);

  return k->v->tiles->finish_precisely (&row);
}

/* Ends N elements from AT on: those with deep sums, DEEP, that are in doubt; or ties.  */
static void
end_vector (struct rows *k, size_t at, size_t n, int deep)
{
  struct gt_work w = {.triangular = NULL};

  look_at (k, at, n);
  if (is_certain (k, at, n, deep))
    return;
  if (!deep)
    {
      add_deeply (k, at, n);
      if (is_certain (k, at, n, 1))
        return;
    }
  gt_work_of (&w, k->v->p);
  for (size_t i = at; i < at + n; i++)
    if (!(k->lower[i] == k->upper[i]))
      {
        const size_t row = (k->first + i) / k->v->together;
        size_t begin = 0, end = w.terms;

        gt_side_narrow (&w.a, row, 1, &begin, &end);
        k->lower[i]
          = gt_settle_element (&w, row, k->part + i % k->v->together, begin, end);
      }
}

/* How many of N elements from AT on are in doubt, and of how many of these sums have
   cancelled.  */
static size_t
count_open (const struct rows *k, size_t at, size_t n, size_t *cancelled)
{
  size_t open = 0;

  for (size_t i = at; i < at + n; i++)
    if (!(k->lower[i] == k->upper[i]))
      {
        open++;
        *cancelled += fabs (k->lower[i]) < CANCELLED * k->v->x_scale * k->scale[i];
      }
  return open;
}

/* Ends N elements from AT on by deep sums.  */
static void
end_deeply (struct rows *k, size_t at, size_t n)
{
  const size_t lanes = k->v->tiles->lanes;
  size_t some, unused = 0;

  add_deeply (k, at, n);
  if (is_certain (k, at, n, 1))
    return;
  for (size_t i = at; i < at + n; i += lanes)
    {
      some = gt_least (at + n - i, lanes);
      if (count_open (k, i, some, &unused))
        end_vector (k, i, some, 1);
    }
}

/* Measures N rows from AT on, and adds them up unless X_ANCHOR is 0.  */
static void
add_rows (struct rows *k, size_t at, size_t n, double x_anchor)
{
  const struct times_vector *v = k->v;
  struct gt_tile_columns columns = columns_of (k, at, n);

  columns.x_anchor = x_anchor;
  if (v->columns)
    v->tiles->columns (&columns);
  else
    v->tiles->rows (v->x[k->part], x_anchor, k->guess, k->a + at * v->step, v->step, n, v->terms,
                  k->squares + at, k->scale + at, k->s + at, k->l + at);
}

/* Ends N elements from AT on; returns whether many of them have cancelled.  */
static int
end_some (struct rows *k, size_t at, size_t n)
{
  const size_t lanes = k->v->tiles->lanes;
  const struct gt_tile_row row = row_of (k, at, n, 0);
  size_t cancelled = 0, some;

  add_rows (k, at, n, row.anchor);
  if (k->v->tiles->finish (&row))
    return 0;
  count_open (k, at, n, &cancelled);
  if (cancelled > n / WORTH)
    {
      end_deeply (k, at, n);
      return 1;
    }
  for (size_t i = at; i < at + n; i += lanes)
    {
      some = gt_least (at + n - i, lanes);
      cancelled = 0;
      if (count_open (k, i, some, &cancelled) == 0)
        continue;
      if (cancelled)
        end_deeply (k, i, some);
      else
        end_vector (k, i, some, 0);
    }
  return 0;
}

/* Of many rows a vector tells by which sums the others begin, and about which norms they
   have.  */
static void
end_rows (struct rows *k)
{
  const size_t vectors = k->v->columns ? COLUMN_VECTORS : 1;
  const size_t n = k->n > FEW_ROWS ? vectors * k->v->tiles->lanes : k->n;
  int cancelled;

  k->x_grain = 0;
  memset (k->grains, 0, sizeof k->grains);
  cancelled = end_some (k, 0, n);
  k->guess = 0;
  for (size_t i = 0; i < n; i++)
    k->guess = 2 * k->scale[i] > k->guess ? 2 * k->scale[i] : k->guess;
  if (!cancelled && n < k->n)
    end_some (k, n, k->n - n);
  else if (n < k->n)
    {
      add_rows (k, n, k->n - n, 0);
      end_deeply (k, n, k->n - n);
    }
}

/* Where number I of a block is, from the block's first on.  */
static size_t
place_of (const struct times_vector *v, size_t i)
{
  const unsigned shift = v->together - 1;

  return ((i >> shift) * v->p->row * v->parts << shift) + (i & shift);
}

/* Numbers of the result that are computed by themselves.  */
static size_t
count_of (const struct times_vector *v)
{
  return v->p->rows * v->together;
}

/* Lays out the block's rows, and leaves in PART the product of these terms with theirs.  */
static void
lay_out_rows (struct times_vector *part, struct rows *k, double *room)
{
  size_t begin = 0, end = part->terms;

  gt_side_narrow (&part->laid, k->first, k->n, &begin, &end);
  part->terms = part->step = end - begin;
  for (unsigned i = 0; i < part->parts; i++)
    part->x[i] += begin;
  gt_side_lay_lines (&part->laid, k->first, k->n, begin, end, room, part->step);
  k->a = room;
  k->v = part;
}

static void
compute_part (struct rows *k, unsigned part)
{
  const struct times_vector *v = k->v;
  double *y = (double *) v->p->c + place_of (v, k->first) + part;

  k->part = part;
  for (size_t i = 0; v->p->beta.re != 0 && i < ROWS; i++)
    k->old[i] = i < k->n ? y[place_of (v, i)] : 0;
  end_rows (k);
  for (size_t i = 0; i < k->n; i++)
    y[place_of (v, i)] = k->lower[i];
}

static void
compute_block (const struct times_vector *v, struct rows *k, size_t first, double *room)
{
  struct times_vector part;

  k->v = v;
  k->a = (const double *) v->p->a.data + first * (v->columns ? 1 : v->step);
  k->first = first;
  k->n = gt_least (count_of (v) - first, v->block);
  if (v->lays)
    {
      part = *v;
      lay_out_rows (&part, k, room);
    }
  for (unsigned i = 0; i < v->parts; i++)
    compute_part (k, i);
}

/* Doubles of a member.  */
static size_t
room_of (const struct times_vector *v)
{
  return v->lays ? LAID_ROWS * v->terms : 0;
}

static void
compute (void *closure, unsigned member)
{
  struct times_vector *v = closure;
  struct rows k;
  struct gt_fpenv env;
  size_t first;

  k.guess = 0;
  gt_fpenv_enter (&env, GT_F64);
  while ((first = atomic_fetch_add (&v->next, v->block)) < count_of (v))
    compute_block (v, &k, first, v->room + member * room_of (v));
  gt_fpenv_leave (&env);
}

/* --------------------------------------------------------------- The vector */

/* Lays it out in ROOM, for each part.  */
static void
lay_out (struct times_vector *v, const struct gt_side *side, double *room)
{
  const int conjugates = side->parts == 2 && !v->lays && v->p->a.conjugate;

  for (unsigned part = 0; part < v->parts; part++, room += v->terms)
    {
      gt_side_load (side, 0,
                    v->parts == 1 ? GT_AS_IT_IS : (enum gt_form) (GT_REAL_PART + (int) part),
                    0, v->terms, room, 1);
      for (size_t i = 1; conjugates && i < v->terms; i += 2)
        room[i] = -room[i];
      v->x[part] = room;
    }
}

/* Lays it out in ROOM, each number as the factors of a pair of lanes and of the pair swapped,
   which stand for both parts of a product.  */
static void
lay_out_pairs (struct times_vector *v, const struct gt_side *side, double *room)
{
  const double sign = v->p->a.conjugate ? -1 : 1;

  gt_side_load (side, 0, GT_AS_IT_IS, 0, v->terms, room + v->terms, 1);
  for (size_t i = 0; i < v->terms; i += 2)
    {
      const double re = room[v->terms + i], im = room[v->terms + i + 1];
      double *to = room + 2 * i;

      to[0] = re;
      to[1] = sign * re;
      to[2] = -sign * im;
      to[3] = im;
    }
  v->x[0] = room;
}

static void
measure (struct times_vector *v)
{
  v->has_zeros = v->tiles->count (v->x[0], v->terms) < v->terms;
  v->x_scale
    = gt_scale_of (v->tiles->squares (v->x[0], numbers_of (v), 0) / v->together);
}

/* The vector where it is stored, as a row.  */
static struct gt_side
vector_of (const struct gt_product *p)
{
  const struct gt_matrix line = gt_transposed (p->b);

  return gt_side_of (p->arithmetic, &line, NULL);
}

/* Copies the vector of OF, which is the result too.  */
static void
copy_vector (struct gt_product *of, double *to)
{
  const struct gt_side side = vector_of (of);

  gt_side_load (&side, 0, GT_AS_IT_IS, 0, side.terms, to, 1);
  of->b = (struct gt_matrix) {.data = to, .rows = of->b.rows, .columns = 1, .row = 1,
                              .column = 1};
}

/* Returns 0 where memory is short.  */
static int
run (struct times_vector *v)
{
  const size_t blocks = (count_of (v) + v->block - 1) / v->block;
  const size_t vector = v->terms * v->parts * v->together;
  const unsigned members
    = gt_members_for ((double) v->p->rows * (double) vector, blocks);
  struct gt_side side = vector_of (v->p);
  const int in_place = v->p->c == v->p->b.data;
  const int lies = side.parts == 1 && (in_place || gt_side_line (&side, 0));
  const size_t copied = in_place ? v->terms : 0, laid = lies ? 0 : vector;
  const size_t doubles = copied + laid + members * room_of (v);
  double small[SMALL_TERMS], *memory = small;
  struct gt_product copy;
  void *heap = NULL;

  if (doubles > SMALL_TERMS)
    memory = heap = malloc (doubles * sizeof (double));
  if (memory == NULL)
    return 0;
  v->room = memory + copied + laid;
  if (in_place)
    {
      copy = *v->p;
      copy_vector (&copy, memory);
      side = vector_of (&copy);
      v->p = &copy;
    }
  if (lies)
    v->x[0] = gt_side_line (&side, 0);
  else
    (v->together == 2 ? lay_out_pairs : lay_out) (v, &side, memory + copied);
  measure (v);
  gt_team_run (members, compute, v);
  free (heap);
  return 1;
}

int
gt_times_vector (const struct gt_product *p)
{
  const unsigned parts = gt_parts_in (p->arithmetic);
  const int lays = p->a.shape != GT_GENERAL;
  const int columns = !lays && p->a.row == 1 && p->a.column != 1;
  struct times_vector v = {
    .p = p, .tiles = gt_tiles (), .parts = columns ? 1 : parts,
    .together = columns ? parts : 1, .columns = columns,
    .lays = lays, .block = lays ? LAID_ROWS : ROWS, .terms = p->a.columns * parts,
    .step = (columns ? p->a.column : p->a.row) * parts
  };

  if (p->columns != 1 || gt_part_arithmetic (p->arithmetic) == GT_F32
      || (p->a.column != 1 && !columns && !lays)
      || p->b.shape != GT_GENERAL || p->alpha.im != 0 || p->beta.im != 0
      || p->alpha.re == 0 || v.terms == 0 || p->triangle != GT_WHOLE || p->hermitian
      || p->twice || (p->c == p->b.data && !lays))
    return 0;
  if (lays)
    v.laid = gt_side_of (p->arithmetic, &p->a, NULL);
  return run (&v);
}

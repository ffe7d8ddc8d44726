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
#include "src/matrix/half.h"
#include "src/matrix/work.h"

/* Numbers of a block; doubles of the vector that are laid out on the stack.  */
#define ROWS ((size_t) 64)
#define SMALL_TERMS 512
/* Floats with so few terms are added in double first, where products are exact.  */
#define PLAIN_TERMS 2048
#define FEW_ROWS 32
/* Vectors of columns that are added up at once.  */
#define COLUMN_VECTORS 4
#define FEW_COLUMNS 16
#define MOST_LANES 8
/* If more than one in so many elements have cancelled, the others of a block take deep sums
   at once.  */
#define WORTH 8
/* Elements that are so small beside the norms have cancelled; others are ties.  */
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
  int columns, single, plain;
  const struct gt_side *laid; /* rows that are laid out, of a block BLOCK; or null */
  int half;                   /* unless they are added up as they lie */
  size_t block, blocks;
  double *room;         /* of each member */
  double x_scale;
  _Atomic size_t next;  /* block */
};

/* A block's rows, of one part, or its columns.  */
struct rows
{
  const struct times_vector *v;
  const void *a;   /* doubles, or floats where they lie */
  int single;
  size_t first, n; /* numbers of the result */
  unsigned part;
  double guess;    /* what scales may be, or 0 */
  int half;        /* whether V's HALF has decided so far */
  int has_zeros;   /* the vector, once something is in doubt */
  struct gt_tile_row row;
  double x_grain, s[ROWS], l[ROWS], m[ROWS], bits[ROWS], squares[ROWS], scale[ROWS],
    grains[ROWS], old[ROWS], lower[ROWS], upper[ROWS];
};

/* --------------------------------------------------------------- One vector

   What is in doubt of a vector of rows, from AT on, is looked at together.  */

/* Deep sums of floats have but two doubles.  */
static int
is_deepest (const struct times_vector *v, int deep)
{
  return deep && !v->single;
}

/* All that does not change from one vector to the next.  */
static void
begin_row (struct rows *k)
{
  const struct times_vector *v = k->v;
  const double alpha = v->p->alpha.re, beta = v->p->beta.re;
  const int ones = fabs (alpha) == 1 && (beta == 0 || fabs (beta) == 1);
  struct gt_tile_row *row = &k->row;

  row->sums = 1;
  row->terms = 0;
  row->olds = beta != 0;
  row->coefficient[0] = alpha;
  row->factor[0] = beta;
  row->divisor = 1;
  row->least = ones ? 0 : 0x1p-1000;
  row->single = v->single;
  row->apart = NULL;
}

static const struct gt_tile_row *
row_of (struct rows *k, size_t at, size_t n, int deep)
{
  const struct times_vector *v = k->v;
  const int deepest = is_deepest (v, deep), plain = v->plain && !deep;
  struct gt_tile_row *row = &k->row;

  row->n = n;
  row->s[0] = k->s + at;
  row->l[0] = k->l + at;
  row->m[0] = deepest ? k->m + at : NULL;
  row->bits[0] = deepest && k->has_zeros && !v->columns ? k->bits + at : NULL;
  row->old[0] = k->old + at;
  row->scale = k->scale + at;
  row->anchor = plain ? 0 : GT_TILE_ANCHOR * v->x_scale;
  row->error
    = (deepest ? gt_tile_deep_error (v->terms) : gt_tile_error (v->terms, plain)) * v->x_scale;
  row->exact_from = (deepest ? GT_TILE_DEEP_EXACT_FROM
                     : plain ? GT_TILE_PLAIN_EXACT_FROM
                             : GT_TILE_EXACT_FROM) * v->x_scale;
  row->grain = k->x_grain;
  row->grains = k->grains + at;
  row->lower = k->lower + at;
  row->upper = k->upper + at;
  return row;
}

/* Those beyond the last row are the last.  */
static const double *
row_at (const struct rows *k, size_t i)
{
  return (const double *) k->a + gt_least (i, k->n - 1) * k->v->step;
}

/* Numbers of the vector as it is laid out.  */
static size_t
numbers_of (const struct times_vector *v)
{
  return v->terms * v->together;
}

static double
number_at (const struct rows *k, size_t i)
{
  return k->single ? (double) ((const float *) k->a)[i] : ((const double *) k->a)[i];
}

/* Of a line's terms some at a time are laid side by side.  */
static double
grain_of (const struct rows *k, size_t i)
{
  const struct times_vector *v = k->v;
  const unsigned parts = v->together;
  double some[ROWS], grain = (double) INFINITY;
  size_t n;

  if (!v->columns && !k->single)
    return v->tiles->grain (row_at (k, i), v->terms, grain);
  for (size_t first = 0; first < v->terms; first += n)
    {
      n = gt_least (v->terms - first, ROWS);
      for (size_t t = first; t < first + n; t++)
        some[t - first]
          = number_at (k, v->columns ? t / parts * v->step + i / parts * parts + t % parts
                                     : i * v->step + t);
      grain = v->tiles->grain (some, n, grain);
    }
  return grain;
}

/* Before anything is known of grains.  */
static void
begin_doubt (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;

  memset (k->grains + at, 0, n * sizeof *k->grains);
  k->has_zeros = !v->columns && v->tiles->count (v->x[k->part], v->terms) < v->terms;
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
      k->grains[i] = grain_of (k, i);
      if (k->squares[i] == 0 && k->grains[i] == (double) INFINITY)
        k->scale[i] = k->s[i] = k->l[i] = k->m[i] = k->bits[i] = 0;
    }
}

static struct gt_tile_lines
lines_of (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;
  const size_t size = k->single ? sizeof (float) : sizeof (double);

  return (struct gt_tile_lines) {
    .x = v->x[k->part], .a = (const char *) k->a + at * (v->columns ? 1 : v->step) * size,
    .step = v->step, .terms = v->terms, .lines = n, .pairs = v->together == 2,
    .single = k->single, .x_anchor = GT_TILE_ANCHOR * v->x_scale, .guess = k->guess,
    .squares = k->squares + at, .scale = k->scale + at, .s = k->s + at, .m = k->m + at,
    .l = k->l + at
  };
}

/* Measures N lines from AT on, and adds them up unless X_ANCHOR is 0; or PLAIN.  The second part
   of a complex number has the first one's norms.  */
static void
add_lines (struct rows *k, size_t at, size_t n, double x_anchor, int plain)
{
  const struct times_vector *v = k->v;
  struct gt_tile_lines lines = lines_of (k, at, n);

  lines.x_anchor = x_anchor;
  lines.plain = plain;
  lines.measured = k->part > 0;
  (v->columns ? v->tiles->columns : v->tiles->rows) (&lines);
  k->guess = lines.guess;
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
                               k->l + i, k->has_zeros ? k->bits + i : NULL);
        }
    }
}

static void
add_deeply (struct rows *k, size_t at, size_t n)
{
  const struct times_vector *v = k->v;
  struct gt_tile_lines lines = lines_of (k, at, n);

  if (v->single)
    add_lines (k, at, n, lines.x_anchor, 0);
  else if (v->columns)
    v->tiles->deep_columns (&lines);
  else
    add_rows_deeply (k, at, n);
}

static int
is_certain (struct rows *k, size_t at, size_t n, int deep)
{
  return k->v->tiles->finish_precisely (row_of (k, at, n, deep));
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
        *cancelled += k->v->single
                      || fabs (k->lower[i]) < CANCELLED * k->v->x_scale * k->scale[i];
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

/* Ends N elements from AT on; returns whether many of them have cancelled.  */
static int
end_some (struct rows *k, size_t at, size_t n)
{
  const size_t lanes = k->v->tiles->lanes;
  const struct gt_tile_row *row = row_of (k, at, n, 0);
  size_t cancelled = 0, some;

  add_lines (k, at, n, row->anchor, k->v->plain);
  if (k->v->tiles->finish (row))
    return 0;
  begin_doubt (k, at, n);
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

/* Where there are many rows, a vector tells by which sums the others begin, and about how
   large their norms are.  */
static void
end_rows (struct rows *k)
{
  const size_t vectors = k->v->columns ? COLUMN_VECTORS : 1;
  const size_t lanes = k->v->tiles->lanes, n = k->n >= FEW_ROWS + lanes ? vectors * lanes : k->n;
  int cancelled;

  k->x_grain = 0;
  begin_row (k);
  cancelled = end_some (k, 0, n);
  if (!cancelled && n < k->n)
    end_some (k, n, k->n - n);
  else if (n < k->n)
    {
      begin_doubt (k, n, k->n - n);
      if (!k->v->single && k->part == 0)
        add_lines (k, n, k->n - n, 0, 0);
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

  gt_side_narrow (part->laid, k->first, k->n, &begin, &end);
  part->terms = end - begin;
  part->step = gt_laid_step (part->terms);
  for (unsigned i = 0; i < part->parts; i++)
    part->x[i] += begin;
  gt_side_lay_lines (part->laid, k->first, k->n, begin, end, room, part->step);
  k->a = room;
  k->v = part;
}

/* Ends them as they lie, if that decides.  */
static int
end_half (struct rows *k)
{
  struct gt_tile_lines lines = lines_of (k, 0, k->n);
  const int added = gt_half_add (&k->v->p->a, &lines, k->first);

  begin_row (k);
  k->guess = added ? lines.guess : 0;
  k->half = added && k->v->tiles->finish (row_of (k, 0, k->n, 0));
  return k->half;
}

/* Rows are laid out in ROOM, as those of LAID, if that must be.  */
static void
compute_part (struct rows *k, unsigned part, struct times_vector *laid, double *room)
{
  const struct times_vector *v = k->v;
  const size_t from = place_of (v, k->first) + part;
  double *y = (double *) v->p->c + from;
  float *singles = (float *) v->p->c + from;

  k->part = part;
  for (size_t i = 0; v->p->beta.re != 0 && i < ROWS; i++)
    k->old[i] = i >= k->n ? 0 : v->single ? (double) singles[place_of (v, i)]
                                          : y[place_of (v, i)];
  if (!(k->half && end_half (k)))
    {
      if (v->laid && part == 0)
        {
          *laid = *v;
          lay_out_rows (laid, k, room);
        }
      end_rows (k);
    }
  for (size_t i = 0; i < k->n; i++)
    if (v->single)
      singles[place_of (v, i)] = (float) k->lower[i];
    else
      y[place_of (v, i)] = k->lower[i];
}

static void
compute_block (const struct times_vector *v, struct rows *k, size_t first, double *room)
{
  struct times_vector laid;

  k->v = v;
  k->single = v->single && !v->laid;
  k->a = (const char *) v->p->a.data
         + first * (v->columns ? 1 : v->step) * (k->single ? sizeof (float) : sizeof (double));
  k->first = first;
  k->n = gt_least (count_of (v) - first, v->block);
  for (unsigned i = 0; i < v->parts; i++)
    compute_part (k, i, &laid, room);
}

/* Doubles of a member.  */
static size_t
room_of (const struct times_vector *v)
{
  return v->laid ? GT_LAID_LINES * gt_laid_step (v->terms) : 0;
}

static void
compute (void *closure, unsigned member)
{
  struct times_vector *v = closure;
  struct rows k;
  struct gt_fpenv env;
  size_t block;

  k.guess = 0;
  k.half = v->half;
  if (member > 0)
    gt_fpenv_enter (&env, GT_F64); /* the caller did so */
  for (block = v->blocks > 1 ? atomic_fetch_add (&v->next, 1) : 0; block < v->blocks;
       block = v->blocks > 1 ? atomic_fetch_add (&v->next, 1) : 1)
    compute_block (v, &k, block * v->block, v->room + member * room_of (v));
  if (member > 0)
    gt_fpenv_leave (&env);
}

/* --------------------------------------------------------------- The vector */

/* Lays it out in ROOM, for each part.  */
static void
lay_out (struct times_vector *v, const struct gt_side *side, double *room)
{
  const int conjugates = side->parts == 2 && !v->laid && v->p->a.conjugate;

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
  const size_t vector = v->terms * v->parts * v->together;
  const unsigned members
    = gt_members_for ((double) v->p->rows * (double) vector, v->blocks);
  const int in_place = v->p->c == v->p->b.data;
  const int lies
    = v->p->arithmetic == GT_F64 && (in_place || (v->p->b.row == 1 && !v->p->b.conjugate));
  const size_t copied = in_place ? v->terms : 0, laid = lies ? 0 : vector;
  const size_t doubles = copied + laid + members * room_of (v);
  double small[SMALL_TERMS], *memory = small;
  struct gt_product copy;
  struct gt_side side;
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
      v->p = &copy;
    }
  if (lies)
    v->x[0] = v->p->b.data;
  else
    {
      side = vector_of (v->p);
      (v->together == 2 ? lay_out_pairs : lay_out) (v, &side, memory + copied);
    }
  measure (v);
  gt_team_run (members, compute, v);
  free (heap);
  return 1;
}

int
gt_times_vector (const struct gt_product *p)
{
  const unsigned parts = gt_parts_in (p->arithmetic);
  const int single = gt_part_arithmetic (p->arithmetic) == GT_F32;
  const int lays = p->a.shape != GT_GENERAL;
  const int columns = !lays && p->a.row == 1 && p->a.column != 1;
  struct times_vector v = {
    .p = p, .tiles = gt_tiles (), .parts = columns ? 1 : parts,
    .together = columns ? parts : 1, .columns = columns, .single = single,
    .block = lays ? GT_LAID_LINES : ROWS, .terms = p->a.columns * parts,
    .step = (columns ? p->a.column : p->a.row) * parts
  };
  struct gt_side laid;

  if (p->columns != 1 || (p->a.column != 1 && !columns && !lays)
      || p->b.shape != GT_GENERAL || p->alpha.im != 0 || p->beta.im != 0
      || p->alpha.re == 0 || v.terms == 0 || p->triangle != GT_WHOLE || p->hermitian
      || p->twice || (p->c == p->b.data && (!lays || single)))
    return 0;
  v.plain = single && v.terms <= PLAIN_TERMS;
  /* Fewer columns than some vectors have lanes take as long as many: the last block has more.  */
  while (columns && count_of (&v) > ROWS && v.block > ROWS / 2
         && (count_of (&v) - 1) % v.block < FEW_COLUMNS - 1)
    v.block -= FEW_COLUMNS / 2;
  v.blocks = (count_of (&v) + v.block - 1) / v.block;
  if (lays)
    {
      laid = gt_side_of (p->arithmetic, &p->a, NULL);
      v.laid = &laid;
      v.half = gt_half_lies (p->arithmetic, &p->a);
    }
  return run (&v);
}

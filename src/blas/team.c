/* Products in fast mode by several threads.
   An engine's own threads wait for each other, so that a thread without a processor delays the
   others.  Here each block of the result is one call of the engine in one thread, and each
   free thread claims the next block.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/team.h"

#include <gsl/gsl_cblas.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/env.h"
#include "src/cpu/threads.h"
#include "src/blas/plain.h"

/* The number of blocks per member, since members may come late or not at all.  */
#define BLOCKS_A_MEMBER 4

size_t gt_team_least_side = 48;

/* The side of the result that is divided.  */
enum cut
{
  CUT_ROWS,
  CUT_COLUMNS,
  CUT_TRIANGLE /* the rows of a triangle, each with a square on the diagonal */
};

struct times
{
  int64_t clock, processor; /* nanoseconds; the second is of this thread */
};

struct job
{
  const struct gt_product *p;
  void *const *function; /* of the engine */
  struct gt_plain_work *tiles; /* its cells are the blocks; otherwise null */
  void (*compute) (const struct job *job, size_t begin, size_t n);
  enum cut cut;
  size_t side, block, blocks;
  size_t element; /* bytes */
  struct gt_matrix x; /* the vector factor of a matrix */
  size_t first, solved; /* of a system: the first row that is changed, and the first row of
                           x */
  struct times own_end; /* the time at which no blocks were left for the caller */
  _Atomic size_t next;
};

/* Returns N rows, or columns, of M from BEGIN on.  */
static struct gt_matrix
rows_of (const struct job *job, struct gt_matrix m, size_t begin, size_t n)
{
  m.data = (const char *) m.data + begin * m.row * job->element;
  m.rows = n;
  return m;
}

static struct gt_matrix
columns_of (const struct job *job, struct gt_matrix m, size_t begin, size_t n)
{
  m.data = (const char *) m.data + begin * m.column * job->element;
  m.columns = n;
  return m;
}

/* Returns C as a matrix.  */
static struct gt_matrix
result_of (const struct gt_product *p)
{
  return (struct gt_matrix) {.data = p->c, .rows = p->rows, .columns = p->columns,
                             .row = p->row, .column = p->column, .triangle = p->triangle};
}

/* The arguments of CBLAS for a matrix: the memory, by rows, and its transformations.  */
struct told
{
  const void *data;
  CBLAS_TRANSPOSE_t trans;
  CBLAS_UPLO_t uplo; /* of the matrix in memory */
  CBLAS_DIAG_t diag;
  int tda;
};

static struct told
tell (const struct gt_matrix *m)
{
  const int lies = m->column == 1 && m->row >= m->columns && !m->conjugate;
  const int upper = m->triangle == GT_UPPER;

  return (struct told) {
    m->data, lies ? CblasNoTrans : m->conjugate ? CblasConjTrans : CblasTrans,
    upper == lies ? CblasUpper : CblasLower, m->unit ? CblasUnit : CblasNonUnit,
    (int) (lies ? m->row : m->column)
  };
}

#define LETTER d
#define TYPE double
#define HAS_TWO_PARTS 0
#include "src/blas/team.inc"

#define LETTER s
#define TYPE float
#define HAS_TWO_PARTS 0
#include "src/blas/team.inc"

#define LETTER z
#define TYPE double
#define HAS_TWO_PARTS 1
#include "src/blas/team.inc"

#define LETTER c
#define TYPE float
#define HAS_TWO_PARTS 1
#include "src/blas/team.inc"

/* ------------------------------------------------------------------ Blocks */

static int64_t
nanoseconds (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct times
times_now (void)
{
  return (struct times) {nanoseconds (CLOCK_MONOTONIC),
                         nanoseconds (CLOCK_THREAD_CPUTIME_ID)};
}

/* In a triangle the last rows, or the first, are the longest: these come first.  */
static void
work (void *closure, unsigned member)
{
  struct job *const job = closure;
  const int from_end = job->cut == CUT_TRIANGLE && job->p->triangle == GT_LOWER;

  for (;;)
    {
      const size_t next = atomic_fetch_add_explicit (&job->next, 1, memory_order_relaxed);
      const size_t at = from_end ? job->blocks - 1 - next : next;
      size_t n = job->block;

      if (next >= job->blocks)
        break;
      if (n > job->side - at * job->block)
        n = job->side - at * job->block;
      if (job->tiles)
        gt_plain_cell (job->tiles, at, member);
      else
        job->compute (job, at * job->block, n);
    }
  if (member == 0)
    job->own_end = times_now ();
}

static void
cut (struct job *job, unsigned members)
{
  if (job->tiles)
    {
      job->side = job->blocks = job->tiles->cells;
      job->block = 1;
      return;
    }

  const size_t wanted = members == 1 ? 1 : (size_t) members * BLOCKS_A_MEMBER;
  const size_t most = job->side / gt_team_least_side;

  job->blocks = most == 0 ? 1 : wanted < most ? wanted : most;
  job->block = (job->side + job->blocks - 1) / job->blocks;
  job->blocks = (job->side + job->block - 1) / job->block;
}

/* The functions for each type.  */
static const struct type
{
  void (*block) (const struct job *, size_t, size_t);
  void (*shaped_rows) (const struct job *, size_t, size_t);
  void (*solve) (const struct job *, size_t, size_t);
  void (*solve_square) (const struct job *, size_t, size_t);
  void (*take_out) (const struct job *, size_t, size_t);
  size_t element;
} types[] = {
  [GT_F64] = {block_d, shaped_rows_d, solve_d, solve_square_d, take_out_d, sizeof (double)},
  [GT_F32] = {block_s, shaped_rows_s, solve_s, solve_square_s, take_out_s, sizeof (float)},
  [GT_CF64]
  = {block_z, shaped_rows_z, solve_z, solve_square_z, take_out_z, 2 * sizeof (double)},
  [GT_CF32]
  = {block_c, shaped_rows_c, solve_c, solve_square_c, take_out_c, 2 * sizeof (float)},
};

/* ------------------------------------------------------------ Whether to have a team
   A program whose own threads compute large products keeps the processors busy itself: its
   calls use one thread each, as long as they come from different threads.  And if a member was
   late with its last block, or has used the caller's processor, because the machine is busy,
   calls use one thread for a while, so that the waiting is a small part of the time.  */

#define FOLLOWING 32 /* calls with one thread after a call of another thread */
#define PAUSE 32     /* times the time of the waiting */

static _Atomic int64_t pause_end; /* nanoseconds of the clock */

static unsigned
threads_now (unsigned threads)
{
  static _Atomic uintptr_t last; /* the thread of the last call */
  static _Atomic unsigned following;
  const uintptr_t self = (uintptr_t) &gt_thread_modes;
  const uintptr_t before = atomic_exchange_explicit (&last, self, memory_order_relaxed);
  unsigned left = atomic_load_explicit (&following, memory_order_relaxed);

  if (before && before != self)
    left = FOLLOWING;
  else if (left)
    left--;
  atomic_store_explicit (&following, left, memory_order_relaxed);
  if (left)
    return 1;
  return gt_forced (&gt_products)
             || nanoseconds (CLOCK_MONOTONIC)
                  >= atomic_load_explicit (&pause_end, memory_order_relaxed)
           ? threads : 1;
}

/* Decides on a pause.  The caller computed from BEGIN on, finished its last block at OWN_END,
   and then waited for others.  A member that is not late has at most one block less than the
   caller.  */
static void
judge (const struct times *begin, const struct times *own_end)
{
  const int64_t now = nanoseconds (CLOCK_MONOTONIC);
  const int64_t computed = own_end->processor - begin->processor;
  const int64_t waited = now - begin->clock - computed;

  if (waited * 2 > computed)
    atomic_store_explicit (&pause_end, now + PAUSE * waited, memory_order_relaxed);
}

static void
offer (struct job *job, unsigned members)
{
  const int judges = members > 1 && !gt_forced (&gt_products);
  const struct times begin = judges ? times_now () : (struct times) {0};

  cut (job, members);
  atomic_store_explicit (&job->next, 0, memory_order_relaxed);
  gt_team_run (members < job->blocks ? members : (unsigned) job->blocks, work, job);
  if (judges)
    judge (&begin, &job->own_end);
}

/* ------------------------------------------------------------------ Products */

static int
is_one (struct gt_scalar s)
{
  return s.re == 1 && s.im == 0;
}

/* Returns whether P is the product that a function of level 2 computes with a symmetric,
   Hermitian or triangular matrix.  */
static int
is_shaped_rows (const struct gt_product *p)
{
  return p->columns == 1
         && (p->a.shape == GT_TRIANGULAR ? p->c == p->b.data && is_one (p->alpha)
             : p->arithmetic < GT_FIRST_COMPLEX ? p->a.shape == GT_SYMMETRIC
                                                : p->a.shape == GT_HERMITIAN);
}

#define BEYOND 32 /* bytes after a vector that libraries may read */

/* If the vector is C, rows need values that other members overwrite, so the vector is copied.
   If memory is short, there is one block.  */
static void
multiply_shaped (struct job *job, unsigned members)
{
  const struct gt_product *p = job->p;
  char *copy = NULL;

  job->cut = CUT_ROWS;
  job->side = p->rows;
  job->compute = types[p->arithmetic].shaped_rows;
  if (p->a.shape == GT_TRIANGULAR)
    {
      copy = malloc (p->rows * job->element + BEYOND);
      for (size_t i = 0; copy && i < p->rows; i++)
        memcpy (copy + i * job->element,
                (const char *) p->b.data + i * p->b.row * job->element, job->element);
      if (copy == NULL)
        {
          job->compute (job, 0, p->rows);
          return;
        }
      job->x.data = copy;
      job->x.row = 1;
    }
  offer (job, members);
  free (copy);
}

/* Solves some unknowns at a time, and then subtracts their terms from the other rows.  */
static void
solve_one (struct job *job, unsigned members)
{
  const struct type *type = &types[job->p->arithmetic];
  const size_t rows = job->p->rows;
  const int from_end = job->p->a.triangle == GT_UPPER;
  struct job steps = *job;

  steps.side = rows;
  cut (&steps, members);
  job->cut = CUT_ROWS;
  job->compute = type->take_out;
  for (size_t k = 0; k < steps.blocks; k++)
    {
      const size_t before = k * steps.block;
      const size_t n = rows - before < steps.block ? rows - before : steps.block;

      job->solved = from_end ? rows - before - n : before;
      type->solve_square (job, job->solved, n);
      job->x = rows_of (job, result_of (job->p), job->solved, n);
      job->first = from_end ? 0 : before + n;
      job->side = rows - before - n;
      if (job->side)
        offer (job, members);
    }
}

static void
run (const struct gt_product *p, const struct gt_blas_way *way, int solves)
{
  const unsigned threads = threads_now (way->threads);
  const int left = p->a.shape != GT_GENERAL, right = !solves && p->b.shape != GT_GENERAL;
  struct job job = {
    .p = p, .function = gt_engines ()->engine[way->engine].function, .x = p->b,
    .compute = solves ? types[p->arithmetic].solve : types[p->arithmetic].block,
    .element = types[p->arithmetic].element
  };
  struct gt_product real = *p;

  /* The conjugate of a real number is the number itself, and CBLAS has no argument for a
     conjugate matrix that is not transposed.  */
  if (p->arithmetic < GT_FIRST_COMPLEX)
    {
      real.a.conjugate = real.b.conjugate = 0;
      job.p = &real;
    }
  if (solves && p->columns == 1 && is_one (p->alpha)
      && !(job.p->a.conjugate && job.p->a.column == 1))
    solve_one (&job, threads);
  else if (!solves && left && is_shaped_rows (p))
    multiply_shaped (&job, threads);
  else
    {
      job.cut = p->triangle != GT_WHOLE          ? CUT_TRIANGLE
                : left || (!right && p->columns > p->rows) ? CUT_COLUMNS
                                                 : CUT_ROWS;
      job.side = job.cut == CUT_COLUMNS ? p->columns : p->rows;
      offer (&job, threads);
    }
}

/* Returns the second half of a product with TWICE: (alpha A B)' is conj (alpha) B' A', which
   is added to the first half.  */
static struct gt_product
other_half (const struct gt_product *p)
{
  struct gt_product other = *p;

  other.a = gt_transposed (p->b);
  other.b = gt_transposed (p->a);
  other.a.conjugate ^= p->hermitian;
  other.b.conjugate ^= p->hermitian;
  other.alpha.im = p->hermitian ? -p->alpha.im : p->alpha.im;
  other.beta = (struct gt_scalar) {1, 0};
  return other;
}

static void
compute_tiles (struct gt_plain_work *tiles, unsigned members)
{
  struct job job = {.p = tiles->p, .tiles = tiles, .cut = CUT_ROWS};

  if (tiles->cells == 1)
    gt_plain_cell (tiles, 0, 0);
  else
    offer (&job, members);
}

/* Returns 0 if nothing was done because memory is short.  */
__attribute__ ((noinline)) static int
run_twice (const struct gt_product *p, unsigned members)
{
  const struct gt_product other = other_half (p);
  struct gt_plain_work first, second;
  int done = gt_plain_begin (&first, p, members);

  if (done && (done = gt_plain_begin (&second, &other, members)) != 0)
    {
      compute_tiles (&first, members);
      compute_tiles (&second, members);
      gt_plain_end (&second);
    }
  gt_plain_end (&first);
  return done;
}

static int
run_tiles (const struct gt_product *p, unsigned threads)
{
  const unsigned members = threads > 1 ? threads_now (threads) : 1;
  struct gt_plain_work tiles;

  if (p->alpha.re == 0 && p->alpha.im == 0)
    return 0;
  if (p->twice)
    return run_twice (p, members);
  if (!gt_plain_begin (&tiles, p, members))
    return 0;
  compute_tiles (&tiles, members);
  gt_plain_end (&tiles);
  return 1;
}

/* Subtracts the terms of SOLVED unknowns X from the rows of C: C = ALPHA C - A X.  Tiles need
   contiguous elements in a row of C.  */
static void
take_out (const struct gt_product *of, const struct gt_matrix *a, const struct gt_matrix *x,
          const struct gt_matrix *c, unsigned threads)
{
  const struct gt_blas_way own = {NULL, 1, GT_OWN_ENGINE};
  const int turns = c->column != 1;
  const struct gt_matrix to = turns ? gt_transposed (*c) : *c;
  struct gt_product p = {.arithmetic = of->arithmetic, .a = turns ? gt_transposed (*x) : *a,
                         .b = turns ? gt_transposed (*a) : *x, .alpha = {-1, 0}, .beta = of->alpha,
                         .c = (void *) to.data, .rows = to.rows, .columns = to.columns,
                         .row = to.row, .column = to.column};

  if (!run_tiles (&p, threads))
    run (&p, &own, 0);
}

/* Solves SOLVED rows of a system at a time by the program's own function, and subtracts their
   terms from the next rows by tiles.  */
#define SOLVED ((size_t) 16)
static int
solve_by_tiles (const struct gt_product *p, unsigned threads)
{
  const int from_end = p->a.triangle == GT_UPPER;
  const struct type *type = &types[p->arithmetic];
  struct job job = {.element = type->element,
                    .function = gt_engines ()->engine[GT_OWN_ENGINE].function};

  if (p->columns == 1 || (p->alpha.re == 0 && p->alpha.im == 0))
    return 0;
  for (size_t before = 0, n; before < p->rows; before += n)
    {
      const size_t left = p->rows - before;
      size_t at, first;
      struct gt_product square = *p;
      struct gt_matrix a, c, x;

      square.a.conjugate &= p->arithmetic >= GT_FIRST_COMPLEX;
      n = left < SOLVED ? left : SOLVED;
      at = from_end ? left - n : before;
      first = from_end ? left : 0;
      c = rows_of (&job, result_of (p), at, n);
      a = rows_of (&job, square.a, at, n);
      x = rows_of (&job, result_of (p), first, before);
      square.a = columns_of (&job, a, at, n);
      square.c = (void *) c.data;
      square.rows = n;
      if (before > 0)
        {
          a = columns_of (&job, a, first, before);
          a.shape = GT_GENERAL;
          a.triangle = GT_WHOLE;
          take_out (p, &a, &x, &c, threads);
          square.alpha = (struct gt_scalar) {1, 0};
        }
      job.p = &square;
      type->solve (&job, 0, p->columns);
    }
  return 1;
}

int
gt_product_by_team (const struct gt_product *p, const struct gt_blas_way *way)
{
  if (way->engine == GT_TILES_ENGINE)
    return run_tiles (p, way->threads);
  run (p, way, 0);
  return 1;
}

int
gt_solve_by_team (const struct gt_product *p, const struct gt_blas_way *way)
{
  if (way->engine == GT_TILES_ENGINE)
    return solve_by_tiles (p, way->threads);
  run (p, way, 1);
  return 1;
}

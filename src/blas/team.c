/* Products in fast mode by gsltune's tiles and several threads.
   The threads of a library wait for each other, so that a thread without a processor delays
   the others.  Here each free thread claims the next block of the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/team.h"

#include <gsl/gsl_cblas.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "src/base/env.h"
#include "src/cpu/threads.h"
#include "src/blas/plain.h"
#include "src/blas/ways.h"
#include "src/blas/work.h"

struct times
{
  int64_t clock, processor; /* nanoseconds; the second is of this thread */
};

struct job
{
  struct gt_plain_work *tiles; /* whose cells are the blocks */
  struct times own_end; /* the time at which no blocks were left for the caller */
  _Atomic size_t next;
};

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

/* In a lower triangle the last rows are the longest: these come first.  */
static void
work (void *closure, unsigned member)
{
  struct job *const job = closure;
  const size_t cells = job->tiles->cells;
  const int from_end = job->tiles->p->triangle == GT_LOWER;

  for (size_t next; (next = atomic_fetch_add_explicit (&job->next, 1, memory_order_relaxed))
                    < cells;)
    gt_plain_cell (job->tiles, from_end ? cells - 1 - next : next, member);
  if (member == 0)
    job->own_end = times_now ();
}

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

/* ------------------------------------------------------------------ Products */

static void
compute (struct gt_plain_work *tiles, unsigned members)
{
  const int judges = members > 1 && tiles->cells > 1 && !gt_forced (&gt_products);
  const struct times begin = judges ? times_now () : (struct times) {0};
  struct job job = {.tiles = tiles};

  if (tiles->cells == 1)
    gt_plain_cell (tiles, 0, 0);
  else
    gt_team_run (members < tiles->cells ? members : (unsigned) tiles->cells, work, &job);
  if (judges)
    judge (&begin, &job.own_end);
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
  other.twice = 0;
  return other;
}

/* Returns 0 if nothing was done because memory is short.  */
static int
multiply (const struct gt_product *p, unsigned members)
{
  struct gt_plain_work tiles;

  if (!gt_plain_begin (&tiles, p, members))
    return 0;
  compute (&tiles, members);
  gt_plain_end (&tiles);
  return 1;
}

int
gt_product_by_team (const struct gt_product *p, unsigned threads)
{
  const unsigned members = threads > 1 ? threads_now (threads) : 1;
  struct gt_product other;

  if ((p->alpha.re == 0 && p->alpha.im == 0) || !multiply (p, members))
    return 0;
  if (p->twice)
    {
      other = other_half (p);
      if (!multiply (&other, members))
        gt_product_exactly (&other); /* which needs no memory */
    }
  return 1;
}

/* ------------------------------------------------------------------- Systems */

/* Solves a system of few rows by the program's own function.  If C is stored by columns, the
   system is X' A' = alpha C' for the stored matrices.  */
static void
solve_square (const struct gt_product *p)
{
  const int lies = p->column == 1 && p->row >= p->columns;
  const struct gt_matrix a = lies ? p->a : gt_transposed (p->a);
  const int is_stored = a.column == 1 && a.row >= a.columns && !a.conjugate;
  const CBLAS_SIDE_t side = lies ? CblasLeft : CblasRight;
  const CBLAS_UPLO_t uplo = (a.triangle == GT_UPPER) == is_stored ? CblasUpper : CblasLower;
  const CBLAS_TRANSPOSE_t trans
    = is_stored ? CblasNoTrans : a.conjugate ? CblasConjTrans : CblasTrans;
  const CBLAS_DIAG_t diag = a.unit ? CblasUnit : CblasNonUnit;
  const int rows = (int) (lies ? p->rows : p->columns);
  const int columns = (int) (lies ? p->columns : p->rows);
  const int tda = (int) (is_stored ? a.row : a.column);
  const int tdc = (int) (lies ? p->row : p->column);
  const float alpha[2] = {(float) p->alpha.re, (float) p->alpha.im};

  if (p->arithmetic == GT_F64)
    cblas_dtrsm (CblasRowMajor, side, uplo, trans, diag, rows, columns, p->alpha.re, a.data,
                 tda, p->c, tdc);
  else if (p->arithmetic == GT_F32)
    cblas_strsm (CblasRowMajor, side, uplo, trans, diag, rows, columns, alpha[0], a.data,
                 tda, p->c, tdc);
  else
    (p->arithmetic == GT_CF64 ? cblas_ztrsm : cblas_ctrsm)
      (CblasRowMajor, side, uplo, trans, diag, rows, columns,
       p->arithmetic == GT_CF64 ? (const void *) &p->alpha : alpha, a.data, tda, p->c, tdc);
}

/* Returns ROWS and COLUMNS of M from ROW and COLUMN on.  */
static struct gt_matrix
part_of (const struct gt_product *p, struct gt_matrix m, size_t row, size_t rows,
         size_t column, size_t columns)
{
  m.data = (const char *) m.data
           + (row * m.row + column * m.column) * gt_element_size (p->arithmetic);
  m.rows = rows;
  m.columns = columns;
  return m;
}

/* Subtracts the terms of solved unknowns X from the rows of C: C = ALPHA C - A X.  Tiles need
   contiguous elements in a row of C.  */
static void
take_out (const struct gt_product *of, const struct gt_matrix *a, const struct gt_matrix *x,
          const struct gt_matrix *c, unsigned threads)
{
  const int turns = c->column != 1;
  const struct gt_matrix to = turns ? gt_transposed (*c) : *c;
  const struct gt_product p
    = {.arithmetic = of->arithmetic, .a = turns ? gt_transposed (*x) : *a,
       .b = turns ? gt_transposed (*a) : *x, .alpha = {-1, 0}, .beta = of->alpha,
       .c = (void *) to.data, .rows = to.rows, .columns = to.columns, .row = to.row,
       .column = to.column};

  if (!gt_product_by_team (&p, threads))
    gt_product_exactly (&p);
}

/* The rows that are solved at a time; tiles subtract their terms from the next rows.  */
#define SOLVED ((size_t) 16)

int
gt_solve_by_team (const struct gt_product *p, unsigned threads)
{
  const int from_end = p->a.triangle == GT_UPPER;
  const struct gt_matrix all
    = {.data = p->c, .rows = p->rows, .columns = p->columns, .row = p->row,
       .column = p->column};
  struct gt_product square = *p;

  if (p->columns == 1 || (p->alpha.re == 0 && p->alpha.im == 0))
    return 0;
  for (size_t before = 0; before < p->rows; before += square.rows)
    {
      const size_t left = p->rows - before, n = gt_least (left, SOLVED);
      const size_t at = from_end ? left - n : before, first = from_end ? left : 0;
      const struct gt_matrix c = part_of (p, all, at, n, 0, p->columns);

      if (before > 0)
        {
          const struct gt_matrix x = part_of (p, all, first, before, 0, p->columns);
          struct gt_matrix a = part_of (p, p->a, at, n, first, before);

          a.shape = GT_GENERAL;
          a.triangle = GT_WHOLE;
          take_out (p, &a, &x, &c, threads);
          square.alpha = (struct gt_scalar) {1, 0};
        }
      square.a = part_of (p, p->a, at, n, at, n);
      /* CBLAS has no argument for a conjugate matrix that is not transposed.  */
      square.a.conjugate &= gt_is_complex (p->arithmetic);
      square.c = (void *) c.data;
      square.rows = n;
      solve_square (&square);
    }
  return 1;
}

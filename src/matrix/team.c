/* Products in fast mode by several threads.

   An engine's own threads wait for each other, so that one which does not get a processor
   holds up the rest.  Here each block of the result is a call of the engine by one thread,
   and whoever is free claims the next.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/matrix/team.h"

#include <gsl/gsl_cblas.h>
#include <stdatomic.h>

#include "src/cpu/threads.h"

/* So many blocks for a member, since members come late or not at all.  */
#define BLOCKS_A_MEMBER 4

size_t gt_team_least_side = 48;

/* Which side of the result is cut.  */
enum cut
{
  CUT_ROWS,
  CUT_COLUMNS,
  CUT_TRIANGLE /* rows of a triangle, of which each has a square on the diagonal */
};

struct job
{
  const struct gt_product *p;
  void *const *function; /* of the engine */
  void (*compute) (const struct job *job, size_t begin, size_t n);
  enum cut cut;
  size_t side, block, blocks;
  size_t element; /* bytes */
  _Atomic size_t next;
};

/* Rows of M, or columns.  */
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

static struct gt_matrix
turned (struct gt_matrix m)
{
  const struct gt_matrix t = m;

  m.rows = t.columns;
  m.columns = t.rows;
  m.row = t.column;
  m.column = t.row;
  m.triangle = t.triangle == GT_UPPER ? GT_LOWER
               : t.triangle == GT_LOWER ? GT_UPPER : GT_WHOLE;
  return m;
}

/* C as a matrix.  */
static struct gt_matrix
result_of (const struct gt_product *p)
{
  return (struct gt_matrix) {.data = p->c, .rows = p->rows, .columns = p->columns,
                             .row = p->row, .column = p->column, .triangle = p->triangle};
}

/* How CBLAS is told of a matrix: what lies in memory, by rows, and what is made of it.  */
struct told
{
  const void *data;
  CBLAS_TRANSPOSE_t trans;
  CBLAS_UPLO_t uplo; /* of what lies there */
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
#include "src/matrix/team.inc"

#define LETTER s
#define TYPE float
#define HAS_TWO_PARTS 0
#include "src/matrix/team.inc"

#define LETTER z
#define TYPE double
#define HAS_TWO_PARTS 1
#include "src/matrix/team.inc"

#define LETTER c
#define TYPE float
#define HAS_TWO_PARTS 1
#include "src/matrix/team.inc"

/* ------------------------------------------------------------------ Blocks */

/* Of a triangle the last rows are the longest, or the first: these are begun with.  */
static void
work (void *closure, unsigned member)
{
  struct job *const job = closure;
  const int from_end = job->cut == CUT_TRIANGLE && job->p->triangle == GT_LOWER;

  (void) member;
  for (;;)
    {
      const size_t next = atomic_fetch_add_explicit (&job->next, 1, memory_order_relaxed);
      const size_t at = from_end ? job->blocks - 1 - next : next;
      size_t n = job->block;

      if (next >= job->blocks)
        return;
      if (n > job->side - at * job->block)
        n = job->side - at * job->block;
      job->compute (job, at * job->block, n);
    }
}

static void
cut (struct job *job, unsigned members)
{
  const size_t wanted = (size_t) members * BLOCKS_A_MEMBER;
  const size_t most = job->side / gt_team_least_side;

  job->blocks = most == 0 ? 1 : wanted < most ? wanted : most;
  job->block = (job->side + job->blocks - 1) / job->blocks;
  job->blocks = (job->side + job->block - 1) / job->block;
}

static void
run (const struct gt_product *p, const struct gt_blas_way *way, int solves)
{
  static const struct
  {
    void (*product) (const struct job *, size_t, size_t);
    void (*solve) (const struct job *, size_t, size_t);
    size_t element;
  } types[] = {
    [GT_F64] = {block_d, solve_d, sizeof (double)},
    [GT_F32] = {block_s, solve_s, sizeof (float)},
    [GT_CF64] = {block_z, solve_z, 2 * sizeof (double)},
    [GT_CF32] = {block_c, solve_c, 2 * sizeof (float)},
  };
  const int left = p->a.shape != GT_GENERAL, right = !solves && p->b.shape != GT_GENERAL;
  struct job job = {
    .p = p, .function = gt_engines ()->engine[way->engine].function,
    .compute = solves ? types[p->arithmetic].solve : types[p->arithmetic].product,
    .element = types[p->arithmetic].element
  };
  struct gt_product real = *p;
  unsigned members = way->threads;

  /* A conjugate is no number of its own there, and CBLAS has no word for one that is not
     transposed.  */
  if (p->arithmetic < GT_FIRST_COMPLEX)
    {
      real.a.conjugate = real.b.conjugate = 0;
      job.p = &real;
    }
  job.cut = p->triangle != GT_WHOLE          ? CUT_TRIANGLE
            : left || (!right && p->columns > p->rows) ? CUT_COLUMNS
                                             : CUT_ROWS;
  job.side = job.cut == CUT_COLUMNS ? p->columns : p->rows;
  cut (&job, members);
  if (members > job.blocks)
    members = (unsigned) job.blocks;
  gt_team_run (members, work, &job);
}

void
gt_product_by_team (const struct gt_product *p, const struct gt_blas_way *way)
{
  run (p, way, 0);
}

void
gt_solve_by_team (const struct gt_product *p, const struct gt_blas_way *way)
{
  run (p, way, 1);
}

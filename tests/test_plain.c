/* Tests of src/blas/plain.c: products of random matrices by gsltune's tiles are within the bound
   of plain summation of the definition in long double, which shares no code with them: all types,
   shapes, turns and distances, by one thread and several, with each instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/exact.h"
#include "tests/unit.h"

#include "src/gsltune.h"
#include "src/blas/plain.h"
#include "src/blas/team.h"

#define LONGEST 420 /* numbers of a side */
#define GAP 3       /* elements between rows, at most */
#define MARK 77     /* what is between them */

static uint64_t seed = 5;

static size_t
below (size_t n)
{
  return (size_t) (random_word (&seed) % n);
}

static int
is_single (const struct gt_product *p)
{
  return gt_part_arithmetic (p->arithmetic) == GT_F32;
}

static double
part (const struct gt_product *p, const void *data, size_t i)
{
  return is_single (p) ? (double) ((const float *) data)[i] : ((const double *) data)[i];
}

static void
set (const struct gt_product *p, void *data, size_t i, double x)
{
  if (is_single (p))
    ((float *) data)[i] = (float) x;
  else
    ((double *) data)[i] = x;
}

/* The element that lies I from the first.  */
static complex long double
stored (const struct gt_product *p, const void *data, size_t i)
{
  if (gt_parts_in (p->arithmetic) == 1)
    return part (p, data, i);
  return part (p, data, 2 * i) + I * (complex long double) part (p, data, 2 * i + 1);
}

/* Element (I, J) of M.  */
static complex long double
element (const struct gt_product *p, const struct gt_matrix *m, size_t i, size_t j)
{
  const int there = i == j || m->shape == GT_GENERAL || (m->triangle == GT_UPPER) == (i < j);
  complex long double x = stored (p, m->data, i * m->row + j * m->column);

  if (!there && m->shape == GT_TRIANGULAR)
    return 0;
  if (!there)
    x = stored (p, m->data, j * m->row + i * m->column);
  if (i == j && m->shape == GT_TRIANGULAR && m->unit)
    return 1;
  if (m->shape == GT_HERMITIAN)
    x = i == j ? creall (x) : there ? x : conjl (x);
  return m->conjugate ? conjl (x) : x;
}

/* The element of C, and the bound of its error.  */
static complex long double
expected (const struct gt_product *p, size_t i, size_t j, complex long double old,
          long double *bound)
{
  const complex long double alpha = p->alpha.re + I * (complex long double) p->alpha.im;
  const complex long double beta = p->beta.re + I * (complex long double) p->beta.im;
  const int zero_beta = beta == 0;
  complex long double sum = 0;
  long double size = 0;

  for (size_t k = 0; k < p->a.columns; k++)
    {
      const complex long double x = element (p, &p->a, i, k) * element (p, &p->b, k, j);

      sum += alpha * x;
      size += cabsl (alpha) * cabsl (x);
      if (p->twice)
        {
          complex long double y
            = alpha * element (p, &p->a, j, k) * element (p, &p->b, k, i);

          sum += p->hermitian ? conjl (y) : y;
          size += cabsl (y);
        }
    }
  if (!zero_beta)
    {
      sum += beta * old;
      size += cabsl (beta * old);
    }
  if (p->hermitian && i == j)
    sum = creall (sum);
  *bound = size * (long double) (2 * p->a.columns + 8) * (is_single (p) ? FLT_EPSILON : DBL_EPSILON);
  return sum;
}

/* Memory for ROWS x COLUMNS elements with gaps, filled, and the matrix.  */
static struct gt_matrix
make (const struct gt_product *p, size_t rows, size_t columns)
{
  const int turns = (int) below (2);
  const size_t lines = turns ? columns : rows, length = turns ? rows : columns;
  const size_t tda = length + (below (2) ? below (GAP + 1) : 0);
  const size_t parts = gt_parts_in (p->arithmetic), n = lines * tda * parts;
  struct gt_matrix m = {.rows = rows, .columns = columns, .row = turns ? 1 : tda,
                        .column = turns ? tda : 1};
  void *data = malloc (n * sizeof (double) + 1);

  for (size_t i = 0; i < n; i++)
    set (p, data, i, i / parts % tda < length ? (double) below (2001) / 1000 - 1 : MARK);
  m.data = data;
  m.conjugate = parts == 2 && turns && below (2);
  return m;
}

static struct gt_matrix
make_shaped (const struct gt_product *p, size_t side)
{
  struct gt_matrix m = make (p, side, side);

  m.shape = (enum gt_matrix_shape) (1 + below (3));
  if (m.shape == GT_HERMITIAN && gt_parts_in (p->arithmetic) == 1)
    m.shape = GT_SYMMETRIC;
  m.conjugate &= m.shape == GT_TRIANGULAR;
  m.triangle = below (2) ? GT_UPPER : GT_LOWER;
  m.unit = m.shape == GT_TRIANGULAR && below (2);
  return m;
}

/* A side, most of them short.  */
static size_t
side (void)
{
  return 1 + below (below (4) == 0 ? LONGEST : below (2) ? 70 : 10);
}

static double
scalar (void)
{
  static const double some[] = {1, 0, -1, 0.5, 1, 2.25};

  return some[below (6)];
}

static int
lies_by_rows (const struct gt_matrix *c)
{
  return c->column == 1 && c->row >= c->columns;
}

/* What is to be computed: C's memory is that of C_MATRIX, or of the factor that it takes the place
   of.  */
static struct gt_product
draw (enum gt_arithmetic arithmetic, struct gt_matrix *c)
{
  const int kind = (int) below (5), is_complex = arithmetic >= GT_FIRST_COMPLEX;
  struct gt_product p = {.arithmetic = arithmetic, .rows = side (), .columns = side (), .column = 1};
  size_t k = side ();

  if (kind == 0 && below (3) == 0 && !is_complex)
    p.columns = 1;
  p.alpha.re = scalar ();
  p.alpha.re = p.alpha.re == 0 ? 3 : p.alpha.re;
  p.beta.re = scalar ();
  p.alpha.im = is_complex ? scalar () : 0;
  p.beta.im = is_complex && below (2) ? scalar () : 0;
  if (kind == 1) /* symm, trmm and the like on the left */
    {
      k = p.rows;
      p.a = make_shaped (&p, k);
    }
  else
    p.a = make (&p, p.rows, k);
  if (kind == 2)
    {
      p.columns = k;
      p.b = make_shaped (&p, k);
    }
  else if (kind == 3) /* syrk and herk */
    {
      p.columns = p.rows;
      p.triangle = below (2) ? GT_UPPER : GT_LOWER;
      p.hermitian = is_complex && below (2);
      p.b = gt_transposed (p.a);
      p.b.conjugate ^= p.hermitian;
      p.beta.im = p.hermitian ? 0 : p.beta.im;
      p.alpha.im = p.hermitian ? 0 : p.alpha.im;
    }
  else if (kind == 4) /* syr2k and her2k */
    {
      p.columns = p.rows;
      p.triangle = below (2) ? GT_UPPER : GT_LOWER;
      p.hermitian = is_complex && below (2);
      p.twice = 1;
      p.b = make (&p, k, p.columns);
      p.beta.im = p.hermitian ? 0 : p.beta.im;
    }
  else
    p.b = make (&p, k, p.columns);
  do
    {
      free ((void *) c->data);
      *c = make (&p, p.rows, p.columns);
    }
  while (p.columns > 1 && !lies_by_rows (c));
  p.c = (void *) c->data;
  p.row = c->row;
  p.column = c->column;
  return p;
}

/* Whether the element of C is written.  */
static int
is_written (const struct gt_product *p, size_t i, size_t j)
{
  return p->triangle == GT_WHOLE || i == j || (p->triangle == GT_UPPER) == (i < j);
}

/* Compares some elements of C, which was OLD, and all that should be as it was.  */
static void
compare (const struct gt_product *of, const struct gt_product *p, const void *old)
{
  const size_t every = 1 + p->rows * p->columns * p->a.columns / 200000;

  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->columns; j++)
      {
        const size_t at = i * p->row + j * p->column;
        const complex long double was = stored (p, old, at), is = stored (p, p->c, at);
        complex long double should = was;
        long double bound = 0;

        if (is_written (p, i, j))
          {
            if (below (every))
              continue;
            should = expected (of, i, j, was, &bound);
          }
        if (!(cabsl (is - should) <= bound))
          fail_msg ("%d: %zu x %zu x %zu, shapes %d, %d, conjugate %d, %d, steps %zu, %zu, triangle"
                    " %d, twice %d, beta %g + %g i, in place %d, element %zu, %zu: %Lg + %Lg i, not"
                    " %Lg + %Lg i; bound %Lg",
                    (int) p->arithmetic, p->rows, p->columns, p->a.columns, (int) p->a.shape,
                    (int) p->b.shape, p->a.conjugate, p->b.conjugate, p->a.column, p->b.column,
                    (int) p->triangle, p->twice, p->beta.re, p->beta.im,
                    (p->c == p->b.data) + 2 * (p->c == p->a.data), i, j, creall (is),
                    cimagl (is), creall (should), cimagl (should), bound);
      }
}

static size_t
bytes_of (const struct gt_product *p, const struct gt_matrix *c)
{
  const size_t elements = lies_by_rows (c) ? c->rows * c->row : c->columns * c->column;

  return elements * gt_parts_in (p->arithmetic)
         * (is_single (p) ? sizeof (float) : sizeof (double));
}

static void
check_gaps (const struct gt_product *p, const struct gt_matrix *c)
{
  const size_t parts = gt_parts_in (p->arithmetic);

  for (size_t i = 0; lies_by_rows (c) && i < c->rows; i++)
    for (size_t j = c->columns * parts; j < c->row * parts; j++)
      assert_true (part (p, c->data, i * c->row * parts + j) == MARK);
}

/* Computes P by THREADS threads, where C is what the general factor was if it is to be IN_PLACE,
   and compares.  */
static void
check (struct gt_product p, struct gt_matrix *c, unsigned threads)
{
  const struct gt_blas_way way = {.threads = threads, .engine = GT_TILES_ENGINE};
  const int in_place = (p.a.shape == GT_TRIANGULAR || p.b.shape == GT_TRIANGULAR) && below (2);
  const size_t bytes = bytes_of (&p, c);
  struct gt_matrix *const factor = p.a.shape == GT_TRIANGULAR ? &p.b : &p.a;
  struct gt_product of = p;
  char *old = malloc (bytes + 1);
  int done;

  memcpy (old, p.c, bytes);
  if (in_place)
    {
      p.beta = of.beta = (struct gt_scalar) {0, 0};
      *(factor == &p.b ? &of.b : &of.a)
        = (struct gt_matrix) {.data = old, .rows = p.rows, .columns = p.columns, .row = p.row,
                              .column = p.column};
      free ((void *) factor->data);
      *factor = factor == &p.b ? of.b : of.a;
      factor->data = p.c;
    }
  done = gt_product_by_team (&p, &way);
  assert_int_equal (done, 1);
  compare (&of, &p, old);
  check_gaps (&p, c);
  free (old);
  if (p.b.data != p.a.data && p.b.data != p.c)
    free ((void *) p.b.data);
  if (p.a.data != p.c)
    free ((void *) p.a.data);
}

static void
check_all (unsigned rounds)
{
  static const enum gt_arithmetic arithmetics[] = {GT_F64, GT_F32, GT_CF64, GT_CF32};
  static const struct gt_forced way = {GT_TILES_ENGINE, 3};
  struct gt_matrix c = {.data = NULL};

  gt_force (&gt_products, &way);
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < N_OF (arithmetics); k++)
      {
        const struct gt_product p = draw (arithmetics[k], &c);

        check (p, &c, r % 2 ? 3 : 1);
      }
  free ((void *) c.data);
  gt_force (&gt_products, NULL);
}

TEST (random_products)
{
  check_all (300);
}

TEST (random_products_with_each_instruction_set)
{
  for (int isa = gt_isa (); isa >= 0; isa--)
    {
      gt_isa_set_limit ((enum gt_isa) isa);
      check_all (120);
    }
  gt_isa_set_limit (GT_N_ISAS - 1);
}

/* The unknowns of random systems, from either side, multiplied by the matrix again, are the right
   sides.  */
static void
check_solution (enum gt_arithmetic arithmetic, unsigned threads)
{
  const struct gt_blas_way way = {.threads = threads, .engine = GT_TILES_ENGINE};
  struct gt_product p = {.arithmetic = arithmetic, .rows = side (), .columns = 1 + side ()};
  const size_t parts = gt_parts_in (arithmetic);
  struct gt_matrix c = make (&p, p.rows, p.columns);
  const size_t bytes = bytes_of (&p, &c);
  void *const old = malloc (bytes + 1);

  p.a = make (&p, p.rows, p.rows);
  p.a.conjugate = 0;
  p.a.shape = GT_TRIANGULAR;
  p.a.triangle = below (2) ? GT_UPPER : GT_LOWER;
  p.a.unit = below (2);
  for (size_t i = 0; i < p.rows; i++)
    for (size_t j = 0; j < p.rows; j++)
      for (size_t k = 0; k < parts; k++)
        {
          const size_t at = (i * p.a.row + j * p.a.column) * parts + k;

          set (&p, (void *) p.a.data, at,
               i == j ? 1 : part (&p, p.a.data, at) / (double) p.rows);
        }
  p.alpha.re = 2;
  p.alpha.im = parts == 2 ? 0.5 : 0;
  c.conjugate = 0;
  p.c = (void *) c.data;
  p.row = c.row;
  p.column = c.column;
  memcpy (old, p.c, bytes);
  assert_int_equal (gt_solve_by_team (&p, &way), 1);
  p.b = c;
  for (unsigned k = 0; k < 200; k++)
    {
      const size_t i = below (p.rows), j = below (p.columns);
      const complex long double alpha = p.alpha.re + I * (complex long double) p.alpha.im;
      const struct gt_product times = {.arithmetic = arithmetic, .a = p.a, .b = c, .alpha = {1, 0}};
      const complex long double should = alpha * stored (&p, old, i * p.row + j * p.column);
      long double bound;
      const complex long double is = expected (&times, i, j, 0, &bound);

      if (!(cabsl (is - should) <= 4 * bound + cabsl (should) * bound))
        fail_msg ("%d: %zu x %zu, triangle %d, step %zu: row %zu is %Lg off, bound %Lg", (int) arithmetic,
                  p.rows, p.columns, (int) p.a.triangle, p.column, i, cabsl (is - should), bound);
    }
  check_gaps (&p, &c);
  free (old);
  free ((void *) p.a.data);
  free ((void *) c.data);
}

TEST (random_systems)
{
  static const enum gt_arithmetic arithmetics[] = {GT_F64, GT_F32, GT_CF64, GT_CF32};

  for (unsigned r = 0; r < 200; r++)
    for (size_t k = 0; k < N_OF (arithmetics); k++)
      check_solution (arithmetics[k], r % 2 ? 3 : 1);
}

/* With beta 0 the old elements are not read; NaN and infinities reach the elements that depend on
   them, and no others.  */
TEST (special_numbers)
{
  enum { N = 37 };
  double a[N * N], b[N * N], c[N * N];
  gsl_matrix_view va = gsl_matrix_view_array (a, N, N), vb = gsl_matrix_view_array (b, N, N),
                  vc = gsl_matrix_view_array (c, N, N);
  const struct gt_forced way = {GT_TILES_ENGINE, 1};

  for (int i = 0; i < N * N; i++)
    {
      a[i] = b[i] = 1;
      c[i] = (double) NAN;
    }
  a[5 * N + 30] = (double) INFINITY;
  b[9 * N + 36] = (double) NAN;
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_force (&gt_products, &way);
  gsltune_blas_dgemm (CblasNoTrans, CblasNoTrans, 1, &va.matrix, &vb.matrix, 0, &vc.matrix);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (j == 36)
        assert_true (isnan (c[i * N + j]));
      else
        assert_true (c[i * N + j] == (i == 5 ? (double) INFINITY : N));
  gt_force (&gt_products, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

/* A product with a vector whose results are computed some at a time.  */
TEST (many_columns_by_vector)
{
  enum { M = 11, N = 2500 };
  static double a[M * N], x[M], y[N];
  gsl_matrix_view va = gsl_matrix_view_array (a, M, N);
  gsl_vector_view vx = gsl_vector_view_array (x, M), vy = gsl_vector_view_array (y, N);
  const struct gt_forced way = {GT_TILES_ENGINE, 1};

  for (int i = 0; i < M * N; i++)
    a[i] = i % 31;
  for (int i = 0; i < M; i++)
    x[i] = i - 4;
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_force (&gt_products, &way);
  gsltune_blas_dgemv (CblasTrans, 2, &va.matrix, &vx.vector, 0, &vy.vector);
  for (int j = 0; j < N; j++)
    {
      double sum = 0;

      for (int i = 0; i < M; i++)
        sum += 2 * a[i * N + j] * x[i];
      assert_true (y[j] == sum);
    }
  gt_force (&gt_products, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
}

/* Where the library asks for memory in vain GSL's function computes.  */
static int no_memory, left; /* blocks that are had before */
void *__real_malloc (size_t size);
void *__wrap_malloc (size_t size);
void *
__wrap_malloc (size_t size)
{
  return no_memory && left-- <= 0 ? NULL : __real_malloc (size);
}

TEST (without_memory)
{
  enum { N = 150 };
  gsl_matrix *const a = gsl_matrix_alloc (N, N), *const c = gsl_matrix_alloc (N, N);
  const struct gt_forced way = {GT_TILES_ENGINE, 2};

  gsl_matrix_set_all (a, 2);
  gsl_matrix_set_all (c, 1);
  gsltune_set_mode (GSLTUNE_MODE_FAST);
  gt_force (&gt_products, &way);
  no_memory = 1;
  gsltune_blas_dgemm (CblasNoTrans, CblasTrans, 1, a, a, 1, c);
  left = 1;
  gsltune_blas_dsyr2k (CblasUpper, CblasNoTrans, 1, a, a, 1, c);
  no_memory = 0;
  assert_true (gsl_matrix_get (c, 149, 0) == 4 * N + 1);
  assert_true (gsl_matrix_get (c, 0, 149) == 12 * N + 1);
  gt_force (&gt_products, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  gsl_matrix_free (a);
  gsl_matrix_free (c);
}

RUN_TESTS (NULL, NULL)

/* Tests of src/blas/plain.c: products of random matrices by gsltune's tiles are within the bound
   of plain summation of the definition in long double, which shares no code with them: all types,
   shapes, turns and distances, by one thread and several, with each instruction set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/matrix_cases.h"

#include "src/gsltune.h"
#include "src/blas/plain.h"
#include "src/blas/team.h"
#include "src/blas/ways.h"

#define LONGEST 420 /* numbers of a side */

static const enum gt_arithmetic arithmetics[] = {GT_F64, GT_F32, GT_CF64, GT_CF32};

static complex long double
element (const struct gt_product *p, const struct gt_matrix *m, const void *data, size_t i,
         size_t j)
{
  const struct entry e = entry_of (p->arithmetic, m, data, i, j);

  return e.part[0] + I * (complex long double) e.part[1];
}

/* The sum of the terms of (I, J) among those that A and B have, and that of their magnitudes.  */
static complex long double
product (const struct scene *s, size_t i, size_t j, long double *size)
{
  const struct gt_product *p = &s->p;
  const void *const a = s->in_place == 2 ? s->c.before : p->a.data;
  const void *const b = s->in_place == 1 ? s->c.before : p->b.data;
  complex long double sum = 0;

  for (size_t k = 0; k < p->a.columns; k++)
    {
      const complex long double x = element (p, &p->a, a, i, k) * element (p, &p->b, b, k, j);

      sum += x;
      *size += cabsl (x);
    }
  return sum;
}

/* The element of C, and the bound of its error.  */
static complex long double
expected (const struct scene *s, size_t i, size_t j, complex long double old,
          long double *bound)
{
  const struct gt_product *p = &s->p;
  const complex long double alpha = p->alpha.re + I * (complex long double) p->alpha.im;
  const complex long double beta = p->beta.re + I * (complex long double) p->beta.im;
  long double size = 0;
  complex long double sum = alpha * product (s, i, j, &size);

  if (p->twice)
    {
      const complex long double other = alpha * product (s, j, i, &size);

      sum += p->hermitian ? conjl (other) : other;
    }
  size *= cabsl (alpha);
  if (beta != 0)
    {
      sum += beta * old;
      size += cabsl (beta * old);
    }
  *bound = size * (long double) (2 * p->a.columns + 8)
           * (part_size (p->arithmetic) == sizeof (float) ? FLT_EPSILON : DBL_EPSILON);
  return p->hermitian && i == j ? creall (sum) : sum;
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

static void
hold_some (struct held *h, enum gt_arithmetic arithmetic, size_t rows, size_t columns)
{
  hold (h, arithmetic, rows, columns, (int) below (2), UNIFORM);
  h->m.conjugate = parts_of (arithmetic) == 2 && h->m.row == 1 && below (2);
}

static void
hold_shaped (struct held *h, enum gt_arithmetic arithmetic, size_t n)
{
  const int is_complex = parts_of (arithmetic) == 2;
  const enum gt_matrix_shape shape = (enum gt_matrix_shape) (1 + below (3));
  const enum gt_triangle triangle = below (2) ? GT_UPPER : GT_LOWER;

  hold_some (h, arithmetic, n, n);
  shape_as (h, shape == GT_HERMITIAN && !is_complex ? GT_SYMMETRIC : shape, triangle,
            shape == GT_TRIANGULAR && below (2));
  h->m.conjugate &= h->m.shape == GT_TRIANGULAR;
}

/* One of products that BLAS has: gemm, symm and trmm from either side, syrk and syr2k, and those
   of complex numbers.  */
static void
draw (struct scene *s, enum gt_arithmetic arithmetic)
{
  const int kind = (int) below (5), is_complex = parts_of (arithmetic) == 2;
  const int shaped_a = kind == 1, shaped_b = kind == 2, updates = kind > 2;
  const size_t rows = side (), terms = shaped_a ? rows : side ();
  const size_t columns = updates ? rows : shaped_b ? terms
                         : kind == 0 && below (3) == 0 && !is_complex ? 1 : side ();
  struct gt_product *const p = &s->p;

  *p = (struct gt_product) {.arithmetic = arithmetic, .rows = rows, .columns = columns,
                            .column = 1, .twice = kind == 4};
  if (shaped_a)
    hold_shaped (&s->a, arithmetic, rows);
  else
    hold_some (&s->a, arithmetic, rows, terms);
  if (shaped_b)
    hold_shaped (&s->b, arithmetic, terms);
  else
    hold_some (&s->b, arithmetic, terms, columns);
  hold (&s->c, arithmetic, rows, columns, 0, UNIFORM);
  p->a = s->a.m;
  p->b = s->b.m;
  p->c = (void *) (uintptr_t) s->c.m.data;
  p->row = s->c.m.row;
  p->alpha.re = scalar ();
  p->alpha.re = p->alpha.re == 0 ? 3 : p->alpha.re;
  p->beta.re = scalar ();
  p->alpha.im = is_complex ? scalar () : 0;
  p->beta.im = is_complex && below (2) ? scalar () : 0;
  if (updates)
    {
      p->triangle = below (2) ? GT_UPPER : GT_LOWER;
      p->hermitian = is_complex && below (2);
      p->beta.im = p->hermitian ? 0 : p->beta.im;
    }
  if (kind == 3)
    {
      p->b = gt_transposed (p->a);
      p->b.conjugate ^= p->hermitian;
      p->alpha.im = p->hermitian ? 0 : p->alpha.im;
    }
  s->in_place = (p->a.shape == GT_TRIANGULAR || p->b.shape == GT_TRIANGULAR) && below (2)
                  ? 1 + shaped_b : 0;
  if (s->in_place)
    {
      *(shaped_b ? &p->a : &p->b) = s->c.m;
      p->beta = (struct gt_scalar) {0, 0};
    }
}

/* Compares some elements of C, and all that should be as it was.  */
static void
compare (struct scene *s)
{
  const struct gt_product *p = &s->p;
  const size_t every = 1 + p->rows * p->columns * p->a.columns / 200000;
  const struct gt_matrix c = {.row = p->row, .column = p->column};

  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->columns; j++)
      if (is_in (p->triangle, i, j) && below ((unsigned) every) == 0)
        {
          long double bound;
          const complex long double should
            = expected (s, i, j, element (p, &c, s->c.before, i, j), &bound);
          const complex long double is = element (p, &c, p->c, i, j);

          if (!(cabsl (is - should) <= bound))
            fail_msg ("%d: %zu x %zu x %zu, shapes %d, %d, conjugate %d, %d, steps %zu, %zu, triangle"
                      " %d, twice %d, beta %g + %g i, in place %d, element %zu, %zu: %Lg + %Lg i, not"
                      " %Lg + %Lg i; bound %Lg",
                      (int) p->arithmetic, p->rows, p->columns, p->a.columns, (int) p->a.shape,
                      (int) p->b.shape, p->a.conjugate, p->b.conjugate, p->a.column, p->b.column,
                      (int) p->triangle, p->twice, p->beta.re, p->beta.im, s->in_place, i, j,
                      creall (is), cimagl (is), creall (should), cimagl (should), bound);
        }
  assert_true (all_else_is_as_it_was (s));
}

static void
check (struct scene *s, unsigned threads)
{
  assert_int_equal (gt_product_by_team (&s->p, threads), 1);
  compare (s);
  end_scene (s);
}

static void
check_all (unsigned rounds)
{
  static const struct gt_forced way = {GT_TILES_ENGINE, 3};

  gt_force (&gt_products, &way);
  for (unsigned r = 0; r < rounds; r++)
    for (size_t k = 0; k < N_OF (arithmetics); k++)
      {
        struct scene s;

        draw (&s, arithmetics[k]);
        check (&s, r % 2 ? 3 : 1);
      }
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
  const size_t n = side (), columns = 1 + side (), parts = parts_of (arithmetic);
  struct scene s = {.in_place = 0};
  struct gt_product *const p = &s.p;
  char *a;

  hold (&s.a, arithmetic, n, n, (int) below (2), UNIFORM);
  hold (&s.c, arithmetic, n, columns, (int) below (2), UNIFORM);
  a = (char *) (uintptr_t) s.a.m.data;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < parts; k++)
        {
          const size_t at = (i * s.a.m.row + j * s.a.m.column) * parts + k;

          put_part (arithmetic, a, at, i == j ? 1 : get_part (arithmetic, a, at) / (double) n);
        }
  shape_as (&s.a, GT_TRIANGULAR, below (2) ? GT_UPPER : GT_LOWER, (int) below (2));
  *p = (struct gt_product) {.arithmetic = arithmetic, .a = s.a.m,
                            .alpha = {2, parts == 2 ? 0.5 : 0},
                            .c = (void *) (uintptr_t) s.c.m.data, .rows = n,
                            .columns = columns,
                            .row = s.c.m.row, .column = s.c.m.column};
  assert_int_equal (gt_solve_by_team (p, threads), 1);
  for (unsigned k = 0; k < 200; k++)
    {
      const size_t i = below ((unsigned) n), j = below ((unsigned) columns);
      const struct scene times
        = {.p = {.arithmetic = arithmetic, .a = p->a, .b = s.c.m, .alpha = {1, 0}}};
      const complex long double alpha = p->alpha.re + I * (complex long double) p->alpha.im;
      const complex long double should = alpha * element (p, &s.c.m, s.c.before, i, j);
      long double bound;
      const complex long double is = expected (&times, i, j, 0, &bound);

      if (!(cabsl (is - should) <= 4 * bound + cabsl (should) * bound))
        fail_msg ("%d: %zu x %zu, triangle %d, step %zu: row %zu is %Lg off, bound %Lg", (int) arithmetic,
                  n, columns, (int) p->a.triangle, p->column, i, cabsl (is - should), bound);
    }
  assert_true (all_else_is_as_it_was (&s));
  end_scene (&s);
}

TEST (random_systems)
{
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

/* Products and triangular systems of matrices in exact mode, each element against MPFR
   (tests/matrix_cases.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/matrix_cases.h"

#include "kernels/cpu/isa/isa.h"
#include "src/base/env.h"

/* ------------------------------------------------------------------ Products */

static void
explain (const struct gt_product *p, size_t i, size_t j, double have, double want)
{
  printf ("# arithmetic %d, %zu x %zu x %zu, element %zu %zu: %a instead of %a; shapes %d"
          " %d, triangle %d, twice %d, hermitian %d, alpha %g %g, beta %g %g\n",
          (int) p->arithmetic, p->rows, p->a.columns, p->columns, i, j, have, want,
          (int) p->a.shape, (int) p->b.shape, (int) p->triangle, p->twice, p->hermitian,
          p->alpha.re, p->alpha.im, p->beta.re, p->beta.im);
}

/* Each element as EXPECTED has it, where it is written, and everything else as it was.  */
static void
check_written (struct scene *s, const struct entry *expected)
{
  const struct gt_product *const p = &s->p;
  const size_t parts = parts_of (p->arithmetic);
  int wrong = 0;

  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->columns; j++)
      for (size_t part = 0; is_in (p->triangle, i, j) && part < parts; part++)
        {
          const double have
            = get_part (p->arithmetic, p->c, (i * p->row + j * p->column) * parts + part);
          const double want = expected[i * p->columns + j].part[part];

          if (!same_number (have, want) && wrong++ < 3)
            explain (p, i, j, have, want);
        }
  assert_int_equal (wrong, 0);
  assert_true (all_else_is_as_it_was (s));
}

static void
check_product (struct scene *s)
{
  const struct gt_product *p = &s->p;
  struct entry *expected = malloc ((p->rows * p->columns + 1) * sizeof *expected);

  assert_non_null (expected);
  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->columns; j++)
      if (is_in (p->triangle, i, j))
        expected[i * p->columns + j] = expected_element (s, i, j);
  gt_product_exactly (p);
  check_written (s, expected);
  free (expected);
}

static struct gt_scalar
some_scalar (enum gt_arithmetic arithmetic)
{
  static const double numbers[]
    = {1, 1, 1, -1, 0, 0.5, 2, 3, -0.75, 0.1f, 0x1p-100f, 0x1.8p100f, 0x1.4p-149f};
  struct gt_scalar x = {numbers[below (N_OF (numbers))], 0};

  if (parts_of (arithmetic) == 2 && below (3) == 0)
    x.im = numbers[below (N_OF (numbers))];
  if (arithmetic == GT_F64 && below (12) == 0)
    x.re = below (2) ? 0x1.3p-1000 : 0x1.7p1000;
  if (below (60) == 0)
    x.re = below (2) ? (double) INFINITY : (double) NAN;
  return x;
}

static void
some_shape (struct held *h)
{
  const int complex = parts_of (h->arithmetic) == 2;
  const unsigned shape = h->m.rows == h->m.columns ? below (5) : 0;

  h->m.conjugate = (char) (complex && below (3) == 0);
  if (shape < 2)
    return;
  shape_as (h, shape == 2 ? GT_SYMMETRIC : shape == 3 && complex ? GT_HERMITIAN
                                                                 : GT_TRIANGULAR,
            below (2) ? GT_UPPER : GT_LOWER, shape > 2 && !(shape == 3 && complex) && below (2));
}

static void
make_scene_of (struct scene *s, enum gt_arithmetic arithmetic, size_t rows, size_t columns,
               size_t terms, enum kind kind, enum kind other)
{
  struct gt_product *p = &s->p;

  hold (&s->a, arithmetic, rows, terms, (int) below (2), kind);
  hold (&s->b, arithmetic, terms, columns, (int) below (2), other);
  hold (&s->c, arithmetic, rows, columns, (int) below (2),
        below (2) ? kind : (enum kind) below (N_KINDS));
  some_shape (&s->a);
  some_shape (&s->b);
  *p = (struct gt_product) {
    .arithmetic = arithmetic, .a = s->a.m, .b = s->b.m, .alpha = some_scalar (arithmetic),
    .beta = some_scalar (arithmetic), .c = (void *) (uintptr_t) s->c.m.data, .rows = rows,
    .columns = columns, .row = s->c.m.row, .column = s->c.m.column
  };
  if (rows == columns)
    {
      p->triangle = (enum gt_triangle) below (3);
      p->twice = below (3) == 0 && p->a.shape != GT_TRIANGULAR && p->b.shape != GT_TRIANGULAR;
      p->hermitian = parts_of (arithmetic) == 2 && below (2);
      p->beta.im = p->hermitian ? 0 : p->beta.im;
      /* The effect of an infinity on a sum depends on where it is applied.  */
      if (p->twice && !(isfinite (p->alpha.re) && isfinite (p->alpha.im)))
        p->alpha = (struct gt_scalar) {1, 0};
    }
  s->in_place = rows == terms && !p->twice && below (4) == 0;
  if (s->in_place)
    p->b = s->c.m;
}

static void
make_scene (struct scene *s, enum gt_arithmetic arithmetic, size_t rows, size_t columns,
            size_t terms)
{
  const enum kind kind = (enum kind) below (N_KINDS);

  make_scene_of (s, arithmetic, rows, columns, terms, kind,
                 below (3) ? kind : (enum kind) below (N_KINDS));
}

static size_t
some_size (unsigned most)
{
  return below (4) ? below (most + 1) : below (4);
}

static void
check_products (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      const size_t rows = some_size (most), terms = below (3) ? some_size (most) : rows;
      const size_t columns = below (3) ? some_size (most) : below (2) ? rows : terms;
      struct scene s;

      make_scene (&s, arithmetic, rows, columns, terms);
      check_product (&s);
      end_scene (&s);
    }
}

/* For each instruction set that this processor has.  */
static void
check_everywhere (void (*check) (enum gt_arithmetic, unsigned, int), unsigned most,
                  int count)
{
  static const enum gt_arithmetic arithmetics[] = {GT_F64, GT_F32, GT_CF64, GT_CF32};

  for (int isa = 0; isa < GT_N_ISAS; isa++)
    if (gt_isa_runs ((enum gt_isa) isa))
      {
        gt_isa_set_limit ((enum gt_isa) isa);
        for (unsigned k = 0; k < N_OF (arithmetics); k++)
          check (arithmetics[k], most, count);
      }
}

TEST (small_products_are_correctly_rounded)
{
  check_everywhere (check_products, 9, 700);
}

/* Of two upper triangles the elements below the diagonal are the old ones, however large, even
   beside an infinity.  */
TEST (elements_without_terms_are_old_ones)
{
  enum { SIDE = 4 };
  double a[SIDE * SIDE], c[SIDE * SIDE];
  const struct gt_matrix triangle = {.data = a, .rows = SIDE, .columns = SIDE, .row = SIDE,
                                     .column = 1, .shape = GT_TRIANGULAR, .triangle = GT_UPPER};
  const struct gt_product p = {.arithmetic = GT_F64, .a = triangle, .b = triangle, .c = c,
                               .alpha = {1, 0}, .beta = {-1, 0}, .rows = SIDE, .columns = SIDE,
                               .row = SIDE, .column = 1};

  for (size_t i = 0; i < SIDE * SIDE; i++)
    {
      a[i] = i == 0 ? (double) INFINITY : 1 / (double) (i + 3);
      c[i] = ldexp ((double) (i + 1) / 17, 1022);
    }
  gt_product_exactly (&p);
  for (size_t i = 0; i < SIDE; i++)
    for (size_t j = 0; j < i; j++)
      assert_true (c[i * SIDE + j] == -ldexp ((double) (i * SIDE + j + 1) / 17, 1022));
}

TEST (products_are_correctly_rounded)
{
  check_everywhere (check_products, 70, 12);
}

/* Elements of few terms, in several parts of rows and of columns.  */
static void
check_updates (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      const size_t rows = 1 + below (most), columns = below (2) ? rows : 1 + below (most);
      struct scene s;

      make_scene (&s, arithmetic, rows, columns, 1 + below (4));
      check_product (&s);
      end_scene (&s);
    }
}

TEST (updates_are_correctly_rounded)
{
  check_everywhere (check_updates, 180, 6);
}

/* Products of few terms, by a transposed matrix, whose last block has one column or lacks one.  */
TEST (the_last_block_has_one_column)
{
  enum { ROWS = 3, TERMS = 4, COLUMNS = 129 };
  double a[ROWS * TERMS], b[COLUMNS * TERMS], c[ROWS * COLUMNS];

  for (size_t i = 0; i < N_OF (a); i++)
    a[i] = (double) i + 1;
  for (size_t i = 0; i < N_OF (b); i++)
    b[i] = (double) i + 100;
  for (size_t n = 63; n <= COLUMNS; n += n % 64 == 1 ? 62 : 1)
    for (size_t terms = 1; terms <= TERMS; terms++)
      {
        const struct gt_product p
          = {.arithmetic = GT_F64, .alpha = {1, 0}, .rows = ROWS, .columns = n, .row = n,
             .column = 1, .c = c,
             .a = {.data = a, .rows = ROWS, .columns = terms, .row = terms, .column = 1},
             .b = {.data = b, .rows = terms, .columns = n, .row = 1, .column = terms}};

        gt_product_exactly (&p);
        for (size_t i = 0; i < ROWS * n; i++)
          {
            double sum = 0;

            for (size_t k = 0; k < terms; k++)
              sum += a[i / n * terms + k] * b[i % n * terms + k];
            assert_true (c[i] == sum);
          }
      }
}

/* The rest when the rounded product is taken off, and that when this is: nearly all
   elements are in doubt, and at last all are zero or what was below the last bit.  */
static void
check_residuals (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      struct scene s;

      make_scene (&s, arithmetic, some_size (most), some_size (most), some_size (most));
      s.p.alpha = (struct gt_scalar) {below (2) ? 1 : -0.75, 0};
      s.p.beta = (struct gt_scalar) {0, 0};
      check_product (&s);
      s.p.beta.re = -1;
      check_product (&s);
      s.p.alpha.re = -s.p.alpha.re;
      check_product (&s);
      end_scene (&s);
    }
}

TEST (residuals_are_correctly_rounded)
{
  check_everywhere (check_residuals, 9, 150);
  check_everywhere (check_residuals, 40, 20);
}

/* Rows whose norms are not what those of the rows before let guess.  */
static void
scatter_rows (struct held *h)
{
  const unsigned parts = parts_of (h->arithmetic);
  void *data = (void *) (uintptr_t) h->m.data;

  for (size_t i = 0; i < h->m.rows; i++)
    {
      const double factor = below (3) ? 1 : below (6) ? ldexp (1, 20 - (int) below (40)) : 0;

      for (size_t k = 0; k < h->m.columns * parts; k++)
        {
          const size_t at = (i * h->m.row + k / parts * h->m.column) * parts + k % parts;

          put_part (h->arithmetic, data, at, factor * get_part (h->arithmetic, data, at));
        }
    }
  memcpy (h->before, data, h->bytes);
}

/* A matrix times a vector, and what is left when that is taken off.  */
static void
check_vectors (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      const size_t rows = 1 + below (most);
      struct scene s;

      make_scene (&s, arithmetic, rows, 1,
                  i % 16 == 0  ? 257 + below (90)
                  : below (3) ? 1 + below (most)
                              : rows);
      if (below (3) == 0)
        scatter_rows (&s.a);
      check_product (&s);
      if (below (2))
        {
          s.p.alpha = (struct gt_scalar) {below (2) ? 1 : -0.75, 0};
          s.p.beta = (struct gt_scalar) {0, 0};
          check_product (&s);
        }
      s.p.beta = (struct gt_scalar) {-1, 0};
      check_product (&s);
      end_scene (&s);
    }
}

TEST (products_with_vectors_are_correctly_rounded)
{
  check_everywhere (check_vectors, 20, 130);
  check_everywhere (check_vectors, 110, 14);
}

/* Rows of which most terms are zeros, that meet any numbers: of some rows there are none
   but zeros, of some a few, of some more.  */
static void
check_sparse (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      const size_t terms = i % 8 == 0 ? 260 + below (90) : 1 + below (most);
      struct scene s;

      make_scene_of (&s, arithmetic, 8 + below (9), 1 + below (most), terms, RARE,
                     below (2) ? UNIFORM : (enum kind) below (N_KINDS));
      check_product (&s);
      s.p.beta.re = -1;
      check_product (&s);
      end_scene (&s);
    }
}

TEST (sparse_products_are_correctly_rounded)
{
  check_everywhere (check_sparse, 60, 9);
}

/* More than a block has, and than are added between two looks at the second doubles.  */
static void
check_long_products (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  static const size_t sizes[][3] = {{3, 5, 600}, {1, 19, 700}, {21, 1, 700}, {2, 150, 9},
                                    {2, 140, 2}, {70, 3, 300}, {2, 2, 2500}, {1, 300, 1},
                                    {75, 9, 12}, {80, 8, 9}, {540, 3, 1}};

  (void) most;
  for (unsigned i = 0; i < N_OF (sizes) * (unsigned) count; i++)
    {
      const size_t *size = sizes[i % N_OF (sizes)];
      struct scene s;

      make_scene (&s, arithmetic, size[0], size[1], size[2]);
      check_product (&s);
      end_scene (&s);
    }
}

TEST (long_products_are_correctly_rounded)
{
  check_everywhere (check_long_products, 0, 2);
}

/* -0 times 1 added to -0, with one row and with many.  */
TEST (exact_zeros_are_positive)
{
  for (unsigned rows = 1; rows < 8; rows += 6)
    {
      double x[7], ones[19], c[7 * 19];
      const struct gt_product p
        = {.arithmetic = GT_F64,
           .a = {.data = x, .rows = rows, .columns = 1, .row = 1, .column = 1},
           .b = {.data = ones, .rows = 1, .columns = 19, .row = 19, .column = 1},
           .alpha = {1, 0}, .beta = {1, 0}, .c = c, .rows = rows, .columns = 19, .row = 19,
           .column = 1};

      for (unsigned i = 0; i < rows; i++)
        x[i] = -0.0;
      for (unsigned j = 0; j < 19; j++)
        ones[j] = 1;
      for (unsigned i = 0; i < rows * 19; i++)
        c[i] = -0.0;
      gt_product_exactly (&p);
      for (unsigned i = 0; i < rows * 19; i++)
        assert_true (c[i] == 0 && !signbit (c[i]));
    }
}

/* Products of two terms below the normal numbers.  */
TEST (tiny_terms_are_correctly_rounded)
{
  double a[9][2], b[2][19], c[9][19];
  int whole_a[9][2], whole_b[2][19];
  const struct gt_product p
    = {.arithmetic = GT_F64,
       .a = {.data = a, .rows = 9, .columns = 2, .row = 2, .column = 1},
       .b = {.data = b, .rows = 2, .columns = 19, .row = 19, .column = 1}, .alpha = {1, 0},
       .c = c, .rows = 9, .columns = 19, .row = 19, .column = 1};

  for (unsigned k = 0; k < 2; k++)
    {
      for (unsigned i = 0; i < 9; i++)
        a[i][k] = ldexp (whole_a[i][k] = 1 + (int) below (1000), -700);
      for (unsigned j = 0; j < 19; j++)
        b[k][j] = ldexp (whole_b[k][j] = 1 + (int) below (1000), -390);
    }
  gt_product_exactly (&p);
  for (unsigned i = 0; i < 9; i++)
    for (unsigned j = 0; j < 19; j++)
      assert_true (c[i][j] == ldexp (whole_a[i][0] * whole_b[0][j] + whole_a[i][1] * whole_b[1][j],
                                     -1090));
}

/* All products are zero as doubles, and one of them is not.  */
TEST (a_sum_that_vanishes_keeps_its_sign)
{
  double a[20] = {1}, b[20][9], c[9];
  const struct gt_product p
    = {.arithmetic = GT_F64, .a = {.data = a, .rows = 1, .columns = 20, .row = 20, .column = 1},
       .b = {.data = b, .rows = 20, .columns = 9, .row = 9, .column = 1}, .alpha = {1, 0},
       .c = c, .rows = 1, .columns = 9, .row = 9, .column = 1};

  a[19] = 0x1p-600;
  for (unsigned j = 0; j < N_OF (c); j++)
    for (unsigned i = 0; i < 20; i++)
      b[i][j] = i == 1 ? 1 : i == 19 ? (j % 2 ? 0x1p-600 : -0x1p-600) : 0;
  gt_product_exactly (&p);
  for (unsigned j = 0; j < N_OF (c); j++)
    assert_true (c[j] == 0 && (signbit (c[j]) != 0) == (j % 2 == 0));
}

static const int thread_counts[] = {1, 2, 5};

/* C as THREADS make it, in OF's memory.  */
static void
compute_by (int threads, const struct gt_product *p, struct held *of,
            void (*function) (const struct gt_product *))
{
  const int before = gt_env.threads;

  memcpy (p->c, of->before, of->bytes);
  gt_env.threads = threads;
  function (p);
  gt_env.threads = before;
}

TEST (threads_change_no_bit)
{
  const size_t n = 260;
  struct scene s = {.in_place = 0};
  char *first = NULL;

  hold (&s.a, GT_F64, n, n, 0, ZEROS);
  hold (&s.c, GT_F64, n, n, 0, ZEROS);
  shape_as (&s.a, GT_TRIANGULAR, GT_UPPER, 1);
  for (int solves = 0; solves < 2; solves++)
    for (unsigned t = 0; t < N_OF (thread_counts); t++)
      {
        s.p = (struct gt_product) {
          .arithmetic = GT_F64, .a = s.a.m, .b = s.c.m, .alpha = {1, 0},
          .c = (void *) (uintptr_t) s.c.m.data, .rows = n, .columns = n,
          .row = s.c.m.row, .column = 1
        };
        compute_by (thread_counts[t], &s.p, &s.c,
                    solves ? gt_solve_exactly : gt_product_exactly);
        first = first ? first : malloc (s.c.bytes);
        assert_non_null (first);
        if (t == 0)
          memcpy (first, s.p.c, s.c.bytes);
        assert_int_equal (memcmp (first, s.p.c, s.c.bytes), 0);
      }
  free (first);
  end_scene (&s);
}

/* ----------------------------------------------------------------- Solutions */

/* The numerator of unknown (I, J), of which X has those that are solved: its parts.  */
static void
expected_numerator (const struct scene *s, const struct entry *x, size_t i, size_t j,
                    struct exact to[2])
{
  const struct gt_product *p = &s->p;
  const struct gt_matrix old = {.row = p->row, .column = p->column};
  const struct entry c = entry_of (p->arithmetic, &old, s->c.before, i, j);

  for (int part = 0; part < 2; part++)
    {
      begin_exact (&to[part]);
      add_exact (&to[part], p->alpha.re, c.part[part]);
      if (p->alpha.im != 0)
        add_exact (&to[part], part ? p->alpha.im : -p->alpha.im, c.part[1 - part]);
    }
  for (size_t k = 0; k < p->rows; k++)
    {
      const struct entry a = entry_of (p->arithmetic, &p->a, p->a.data, i, k);
      const struct entry y = x[k * p->columns + j];

      if (k == i || !is_in (p->a.triangle, i, k))
        continue;
      add_exact (&to[0], -a.part[0], y.part[0]);
      if (parts_of (p->arithmetic) == 1)
        continue;
      add_exact (&to[0], a.part[1], y.part[1]);
      add_exact (&to[1], -a.part[0], y.part[1]);
      add_exact (&to[1], -a.part[1], y.part[0]);
    }
}

static struct entry
expected_quotient (enum gt_arithmetic arithmetic, struct exact n[2], struct entry d,
                   int unit)
{
  const int complex = parts_of (arithmetic) == 2;
  const double re = d.part[0], im = complex ? d.part[1] : 0;
  struct entry q = {{0, 0}, 0};
  mpfr_t over, under, square;

  if (unit)
    {
      q.part[0] = round_exact (arithmetic, &n[0]);
      q.part[1] = round_exact (arithmetic, &n[1]);
      return q;
    }
  if (n[0].is_special || n[1].is_special || !isfinite (re) || !isfinite (im)
      || (re == 0 && im == 0))
    {
      const double x = round_exact (arithmetic, &n[0]), y = round_exact (arithmetic, &n[1]);

      q.part[0] = complex ? (x * re + y * im) / (re * re + im * im) : x / re;
      q.part[1] = complex ? (y * re - x * im) / (re * re + im * im) : 0;
      return q;
    }
  mpfr_inits2 (PRECISION, over, under, square, (mpfr_ptr) 0);
  for (int part = 0; part < 1 + complex; part++)
    {
      mpfr_mul_d (over, n[1 - part].sum, part ? -im : im, MPFR_RNDN);
      mpfr_mul_d (under, n[part].sum, re, MPFR_RNDN);
      assert_int_equal (mpfr_add (over, over, under, MPFR_RNDN), 0);
      mpfr_set_d (under, re, MPFR_RNDN);
      mpfr_sqr (under, under, MPFR_RNDN);
      mpfr_set_d (square, im, MPFR_RNDN);
      mpfr_sqr (square, square, MPFR_RNDN);
      mpfr_add (under, under, square, MPFR_RNDN);
      mpfr_div (over, over, under, MPFR_RNDN);
      q.part[part] = round_number (arithmetic, over);
    }
  mpfr_clears (over, under, square, (mpfr_ptr) 0);
  return q;
}

static void
check_solution (struct scene *s)
{
  const struct gt_product *p = &s->p;
  const size_t n = p->rows, columns = p->columns;
  struct entry *x = calloc (n * columns + 1, sizeof *x);

  assert_non_null (x);
  for (size_t t = 0; t < n * columns; t++)
    {
      const size_t i = p->a.triangle == GT_UPPER ? n - 1 - t / columns : t / columns;
      const size_t j = t % columns;
      struct exact to[2];

      expected_numerator (s, x, i, j, to);
      x[i * columns + j] = expected_quotient (
        p->arithmetic, to, entry_of (p->arithmetic, &p->a, p->a.data, i, i), p->a.unit);
      mpfr_clears (to[0].sum, to[1].sum, (mpfr_ptr) 0);
    }
  gt_solve_exactly (p);
  check_written (s, x);
  free (x);
}

static void
check_solutions (enum gt_arithmetic arithmetic, unsigned most, int count)
{
  for (int i = 0; i < count; i++)
    {
      const size_t rows = some_size (most), columns = below (3) ? some_size (most) : 1;
      const enum kind kind = (enum kind) below (N_KINDS);
      struct scene s = {.in_place = 0};

      hold (&s.a, arithmetic, rows, rows, (int) below (2), kind);
      hold (&s.c, arithmetic, rows, columns, (int) below (2),
            below (2) ? kind : (enum kind) below (N_KINDS));
      s.a.m.conjugate = parts_of (arithmetic) == 2 && below (2);
      shape_as (&s.a, GT_TRIANGULAR, below (2) ? GT_UPPER : GT_LOWER, (int) below (2));
      s.p = (struct gt_product) {
        .arithmetic = arithmetic, .a = s.a.m, .alpha = some_scalar (arithmetic),
        .c = (void *) (uintptr_t) s.c.m.data, .rows = rows, .columns = columns,
        .row = s.c.m.row, .column = s.c.m.column
      };
      if (s.p.alpha.re == 0 && s.p.alpha.im == 0)
        s.p.alpha.re = 1;
      check_solution (&s);
      end_scene (&s);
    }
}

TEST (small_solutions_are_correctly_rounded)
{
  check_everywhere (check_solutions, 9, 500);
}

TEST (solutions_are_correctly_rounded)
{
  check_everywhere (check_solutions, 70, 12);
}

TEST (long_solutions_are_correctly_rounded)
{
  check_everywhere (check_solutions, 300, 1);
}

/* ------------------------------------------------------------------- Memory */

void *__real_malloc (size_t size);
void *__wrap_malloc (size_t size);
static int calls_left = -1; /* of malloc that succeed; all, if below 0 */

void *
__wrap_malloc (size_t size)
{
  if (calls_left == 0)
    return NULL;
  calls_left -= calls_left > 0;
  return __real_malloc (size);
}

/* C as COUNT allocations allow.  */
static void
compute_with (struct scene *s, void (*function) (const struct gt_product *), int count)
{
  memcpy (s->p.c, s->c.before, s->c.bytes);
  calls_left = count;
  function (&s->p);
  calls_left = -1;
}

/* Products, in place, of both kinds of triangles, and solutions; of numbers that are decided
   and that are not.  */
TEST (without_memory_the_results_are_the_same)
{
  static const int counts[] = {0, 1, 2, 3, 1000};

  for (int way = 0; way < 24; way++)
    {
      void (*const function) (const struct gt_product *)
        = way / 8 == 2 ? gt_solve_exactly : gt_product_exactly;
      const enum gt_arithmetic arithmetic = way & 1 ? GT_CF64 : GT_F64;
      const enum kind kind = way & 2 ? CANCELLING : SPECIAL;
      const int in_place = way / 8 == 1, solves = way / 8 == 2;
      struct scene s = {.in_place = in_place};
      size_t numbers;
      double *expected;

      hold (&s.a, arithmetic, 30, 30, 0, kind);
      hold (&s.b, arithmetic, 30, 140, 0, kind);
      hold (&s.c, arithmetic, 30, 140, 0, kind);
      shape_as (&s.a, GT_TRIANGULAR, way & 4 ? GT_UPPER : GT_LOWER, 0);
      s.p = (struct gt_product) {
        .arithmetic = arithmetic, .a = s.a.m, .b = in_place ? s.c.m : s.b.m,
        .alpha = {1, arithmetic == GT_CF64}, .beta = {!in_place && !solves, 0},
        .c = (void *) (uintptr_t) s.c.m.data, .rows = 30, .columns = 140,
        .row = s.c.m.row, .column = s.c.m.column
      };
      expected = malloc (s.c.bytes);
      assert_non_null (expected);
      compute_with (&s, function, -1);
      memcpy (expected, s.p.c, s.c.bytes);
      numbers = s.c.bytes / sizeof *expected;
      for (unsigned t = 0; t < N_OF (counts); t++)
        {
          compute_with (&s, function, counts[t]);
          for (size_t i = 0; i < numbers; i++)
            assert_true (same_number (((double *) s.p.c)[i], expected[i]));
        }
      free (expected);
      end_scene (&s);
    }
}

RUN_TESTS (NULL, NULL)

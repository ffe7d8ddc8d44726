/* Matrices of every shape and kind of numbers, in memory that ends where a page does, and
   what products and solutions of them are: by GNU MPFR, with so many bits that nothing is
   rounded before the end.  It shares no code with the product.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_MATRIX_CASES_H
#define GT_TESTS_MATRIX_CASES_H

#include <mpfr.h>

#include "src/blas/product.h"
#include "tests/exact.h"
#include "tests/unit.h"

/* Bits of sums of products of three doubles, and more: then no quotient is nearer to the
   middle of two doubles than they tell, unless it is the middle.  */
#define PRECISION 7000

static uint64_t seed = 28;

static inline unsigned
below (unsigned n)
{
  return (unsigned) (random_word (&seed) % n);
}

/* ----------------------------------------------------------------- Numbers */

enum kind
{
  UNIFORM, WHOLE, SIGNS, MODERATE, WIDE, ANY_SIZE, TINY, HUGE_ONES, TIES, ZEROS,
  SQUARES_UNDERFLOW, CANCELLING, SPECIAL, FEW_BITS, SPARSE, RARE,
  N_KINDS
};

static inline double
scaled (int exponent)
{
  const double x = ldexp (1 + (double) (random_word (&seed) >> 12) * 0x1p-52, exponent);

  return below (2) ? x : -x;
}

/* RANGE is 8 times as far for doubles as for floats.  */
static inline double
number (enum kind kind, int range)
{
  static const int ties[] = {0, 0, -24, -25, -53, -54, -77, -106};
  static const double specials[] = {(double) INFINITY, -(double) INFINITY, (double) NAN, 0};
  double x;

  switch (kind)
    {
    case WHOLE:
      return (double) below (2001) - 1000;
    case SIGNS:
      return (double) below (3) - 1;
    case MODERATE:
      return scaled ((int) below (41) - 20);
    case WIDE:
      return scaled ((int) below ((unsigned) (60 * range)) - 30 * range);
    case ANY_SIZE:
      return scaled ((int) below ((unsigned) (260 * range)) - 133 * range);
    case TINY:
      return scaled (-127 * range - (int) below (40));
    case HUGE_ONES:
      return scaled (127 * range - (int) below (6));
    case TIES:
      x = ldexp (1 + below (2), ties[below (8)]);
      return below (2) ? x : -x;
    case ZEROS:
      return below (4) == 0 ? scaled (0) : below (2) ? 0.0 : -0.0;
    case SQUARES_UNDERFLOW:
      return scaled (-56 * range - (int) below (60));
    case CANCELLING:
      return scaled (0) + scaled (20 - (int) below (60));
    case SPECIAL:
      return below (25) ? scaled (0) : specials[below (4)];
    case FEW_BITS:
      return (double) (float) scaled (-(int) below (6));
    case SPARSE:
      return below (4) ? 0 : scaled (-(int) below (3));
    case RARE:
      return below (20) ? below (2) ? 0.0 : -0.0 : number (below (9) ? UNIFORM : SPECIAL, range);
    default:
      return scaled (-(int) below (3));
    }
}

/* ---------------------------------------------------------------- Matrices */

struct held
{
  struct gt_matrix m;
  enum gt_arithmetic arithmetic;
  char *pages, *before; /* BEFORE: what the data was */
  size_t size, bytes;   /* of the pages, of the data */
};

static inline unsigned
parts_of (enum gt_arithmetic arithmetic)
{
  return arithmetic >= GT_CF64 ? 2 : 1;
}

static inline size_t
part_size (enum gt_arithmetic arithmetic)
{
  return arithmetic == GT_F32 || arithmetic == GT_CF32 ? sizeof (float) : sizeof (double);
}

static inline double
get_part (enum gt_arithmetic arithmetic, const void *data, size_t at)
{
  return part_size (arithmetic) == sizeof (float) ? (double) ((const float *) data)[at]
                                                  : ((const double *) data)[at];
}

static inline void
put_part (enum gt_arithmetic arithmetic, void *data, size_t at, double x)
{
  if (part_size (arithmetic) == sizeof (float))
    ((float *) data)[at] = (float) x;
  else
    ((double *) data)[at] = x;
}

/* The last element is the last of a page, and no page follows.  What is no element is
   NaN.  */
static inline void
hold (struct held *h, enum gt_arithmetic arithmetic, size_t rows, size_t columns,
      int in_turn, enum kind kind)
{
  const size_t page = (size_t) sysconf (_SC_PAGESIZE), parts = parts_of (arithmetic);
  const size_t inner = in_turn ? rows : columns, outer = in_turn ? columns : rows;
  const size_t tda = inner + below (4), each = parts * part_size (arithmetic);
  const size_t elements = outer ? (outer - 1) * tda + inner : 0;
  const int range = part_size (arithmetic) == sizeof (float) ? 1 : 8;
  char *data;

  h->arithmetic = arithmetic;
  h->bytes = elements * each;
  h->size = (h->bytes + page - 1) / page * page + page;
  h->pages = mmap (NULL, h->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true (h->pages != MAP_FAILED
               && mprotect (h->pages + h->size - page, page, PROT_NONE) == 0);
  data = h->pages + h->size - page - h->bytes;
  memset (h->pages, 0xff, h->size - page);
  h->m = (struct gt_matrix) {.data = data, .rows = rows, .columns = columns,
                             .row = in_turn ? 1 : tda, .column = in_turn ? tda : 1};
  for (size_t i = 0; i < rows; i++)
    for (size_t k = 0; k < columns; k++)
      for (size_t part = 0; part < parts; part++)
        put_part (arithmetic, data, (i * h->m.row + k * h->m.column) * parts + part,
                  number (kind, range));
  h->before = malloc (h->bytes + 1);
  assert_non_null (h->before);
  memcpy (h->before, data, h->bytes);
}

static inline void
let_go (struct held *h)
{
  if (h->pages)
    munmap (h->pages, h->size);
  free (h->before);
}

/* Whether (I, K) is in a TRIANGLE.  */
static inline int
is_in (enum gt_triangle triangle, size_t i, size_t k)
{
  return triangle == GT_WHOLE || (triangle == GT_UPPER ? i <= k : i >= k);
}

/* Numbers that must not be read are NaN.  */
static inline void
shape_as (struct held *h, enum gt_matrix_shape shape, enum gt_triangle triangle, int unit)
{
  const size_t parts = parts_of (h->arithmetic);
  char *data = h->pages + h->size - (size_t) sysconf (_SC_PAGESIZE) - h->bytes;

  h->m.shape = shape;
  h->m.triangle = triangle;
  h->m.unit = (char) unit;
  for (size_t i = 0; shape != GT_GENERAL && i < h->m.rows; i++)
    for (size_t k = 0; k < h->m.columns; k++)
      for (size_t part = 0; part < parts; part++)
        if (!is_in (triangle, i, k) || (unit && i == k)
            || (shape == GT_HERMITIAN && i == k && part == 1))
          put_part (h->arithmetic, data,
                    (i * h->m.row + k * h->m.column) * parts + part, (double) NAN);
  memcpy (h->before, data, h->bytes);
}

/* Whether nothing of it has changed.  */
static inline int
is_as_it_was (const struct held *h)
{
  return memcmp (h->m.data, h->before, h->bytes) == 0;
}

/* A product or a system; B is what C was if it is IN_PLACE, or if that is 2 A.  */
struct scene
{
  struct held a, b, c;
  struct gt_product p;
  int in_place;
};

static inline void
end_scene (struct scene *s)
{
  let_go (&s->a);
  let_go (&s->b);
  let_go (&s->c);
}

/* Whether nothing has changed but the elements of C that are results, which count as old from now
   on.  */
static inline int
all_else_is_as_it_was (struct scene *s)
{
  const struct gt_product *const p = &s->p;
  const size_t bytes = parts_of (p->arithmetic) * part_size (p->arithmetic);

  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->columns; j++)
      if (is_in (p->triangle, i, j))
        {
          const size_t at = (i * p->row + j * p->column) * bytes;

          memcpy (s->c.before + at, (char *) p->c + at, bytes);
        }
  return is_as_it_was (&s->a) && (!s->b.pages || is_as_it_was (&s->b)) && is_as_it_was (&s->c);
}

/* ------------------------------------------------------------------ Elements */

struct entry
{
  double part[2];
  int is_real; /* it has no imaginary part, which makes no addend */
};

/* Element (I, K) of what M means, whose data is at DATA.  */
static inline struct entry
entry_of (enum gt_arithmetic arithmetic, const struct gt_matrix *m, const void *data,
          size_t i, size_t k)
{
  const size_t parts = parts_of (arithmetic);
  const int crossed = m->shape != GT_GENERAL && !is_in (m->triangle, i, k);
  const size_t at = crossed ? k * m->row + i * m->column : i * m->row + k * m->column;
  struct entry e = {{0, 0}, i == k && (m->shape == GT_HERMITIAN || m->unit)};

  if (m->shape == GT_TRIANGULAR && (crossed || (m->unit && i == k)))
    {
      e.part[0] = !crossed;
      return e;
    }
  for (size_t part = 0; part < parts; part++)
    e.part[part] = get_part (arithmetic, data, at * parts + part);
  if (e.is_real)
    e.part[1] = 0;
  if ((m->shape == GT_HERMITIAN && crossed) != (m->conjugate != 0))
    e.part[1] = -e.part[1];
  return e;
}

/* -------------------------------------------------------------- Exact numbers */

/* An exact number, and what those addends make that are not finite.  */
struct exact
{
  mpfr_t sum;
  double special;
  int is_special;
};

static inline void
begin_exact (struct exact *x)
{
  mpfr_init2 (x->sum, PRECISION);
  mpfr_set_zero (x->sum, 1);
  x->special = 0;
  x->is_special = 0;
}

/* Adds A B.  */
static inline void
add_exact (struct exact *x, double a, double b)
{
  mpfr_t p, q;

  if (!isfinite (a) || !isfinite (b))
    {
      x->special += a * b;
      x->is_special = 1;
      return;
    }
  mpfr_init2 (p, 53);
  mpfr_init2 (q, 106);
  mpfr_set_d (p, a, MPFR_RNDN);
  assert_int_equal (mpfr_mul_d (q, p, b, MPFR_RNDN), 0);
  assert_int_equal (mpfr_add (x->sum, x->sum, q, MPFR_RNDN), 0);
  mpfr_clear (p);
  mpfr_clear (q);
}

/* Adds C Y.  */
static inline void
add_times (struct exact *x, double c, const struct exact *y)
{
  mpfr_t p;

  if (y->is_special || !isfinite (c))
    {
      x->special += c * (y->is_special ? y->special : (double) mpfr_sgn (y->sum));
      x->is_special = 1;
      return;
    }
  mpfr_init2 (p, PRECISION);
  assert_int_equal (mpfr_mul_d (p, y->sum, c, MPFR_RNDN), 0);
  assert_int_equal (mpfr_add (x->sum, x->sum, p, MPFR_RNDN), 0);
  mpfr_clear (p);
}

static inline double
round_number (enum gt_arithmetic arithmetic, mpfr_t x)
{
  if (mpfr_zero_p (x))
    return 0;
  return part_size (arithmetic) == sizeof (float) ? (double) mpfr_get_flt (x, MPFR_RNDN)
                                                  : mpfr_get_d (x, MPFR_RNDN);
}

static inline double
round_exact (enum gt_arithmetic arithmetic, struct exact *x)
{
  return x->is_special ? x->special : round_number (arithmetic, x->sum);
}

static inline int
same_number (double x, double y)
{
  return isnan (x) ? isnan (y) : x == y && signbit (x) == signbit (y);
}

/* ------------------------------------------------------------------ Products */

/* (A B) at (I, J), or conjugate: *RE, *IM.  */
static inline void
multiply (const struct scene *s, size_t i, size_t j, struct exact *re, struct exact *im)
{
  const struct gt_product *p = &s->p;
  const void *b = s->in_place ? s->c.before : p->b.data;

  begin_exact (re);
  begin_exact (im);
  for (size_t k = 0; k < p->a.columns; k++)
    {
      const struct entry x = entry_of (p->arithmetic, &p->a, p->a.data, i, k);
      const struct entry y = entry_of (p->arithmetic, &p->b, b, k, j);

      /* Elements beyond a triangle are no addends.  */
      if ((p->a.shape == GT_TRIANGULAR && !is_in (p->a.triangle, i, k))
          || (p->b.shape == GT_TRIANGULAR && !is_in (p->b.triangle, k, j)))
        continue;
      add_exact (re, x.part[0], y.part[0]);
      if (parts_of (p->arithmetic) == 1)
        continue;
      if (!x.is_real && !y.is_real)
        add_exact (re, -x.part[1], y.part[1]);
      if (!y.is_real)
        add_exact (im, x.part[0], y.part[1]);
      if (!x.is_real)
        add_exact (im, x.part[1], y.part[0]);
    }
}

/* Adds ALPHA (RE + IM i), or the conjugate of that, to the parts of TO.  */
static inline void
add_complex (struct exact to[2], struct gt_scalar alpha, const struct exact *re,
             const struct exact *im, int conjugate)
{
  const double sign = conjugate ? -1 : 1;

  add_times (&to[0], alpha.re, re);
  add_times (&to[1], sign * alpha.re, im);
  if (alpha.im != 0)
    {
      add_times (&to[0], -alpha.im, im);
      add_times (&to[1], sign * alpha.im, re);
    }
}

/* Element (I, J) of C, as it is to be.  */
static inline struct entry
expected_element (const struct scene *s, size_t i, size_t j)
{
  const struct gt_product *p = &s->p;
  const struct gt_matrix old = {.row = p->row, .column = p->column};
  const struct entry c = entry_of (p->arithmetic, &old, s->c.before, i, j);
  struct exact to[2], re, im;
  struct entry e;

  begin_exact (&to[0]);
  begin_exact (&to[1]);
  for (int k = 0; k <= p->twice && p->a.columns && (p->alpha.re != 0 || p->alpha.im != 0); k++)
    {
      multiply (s, k ? j : i, k ? i : j, &re, &im);
      add_complex (to, p->alpha, &re, &im, k && p->hermitian);
      mpfr_clears (re.sum, im.sum, (mpfr_ptr) 0);
    }
  for (int part = 0; part < 2 && (p->beta.re != 0 || p->beta.im != 0); part++)
    {
      add_exact (&to[part], p->beta.re, c.part[part]);
      if (p->beta.im != 0)
        add_exact (&to[part], part ? p->beta.im : -p->beta.im, c.part[1 - part]);
    }
  for (int part = 0; part < 2; part++)
    {
      e.part[part] = round_exact (p->arithmetic, &to[part]);
      mpfr_clear (to[part].sum);
    }
  if (p->hermitian && i == j)
    e.part[1] = 0;
  return e;
}

#endif

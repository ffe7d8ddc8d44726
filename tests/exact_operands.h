/* Vectors of every kind of numbers whose products and sums are hard, lying among NaN:
   what the tests of exact sums of products are given.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_EXACT_OPERANDS_H
#define GT_TESTS_EXACT_OPERANDS_H

#include <float.h>

#include "kernels/task.h"
#include "tests/exact.h"

#define LONGEST 5000
#define ROOM (7 * LONGEST)

static uint64_t seed;

static inline unsigned
below (unsigned n)
{
  return (unsigned) (random_word (&seed) % n);
}

/* ------------------------------------------------------------------- Data */

static inline double
scaled (int exponent)
{
  const double x = 1 + (double) (random_word (&seed) >> 12) * 0x1p-52;

  return ldexp (below (2) ? x : -x, exponent);
}

static inline double
uniform (void)
{
  return (double) (random_word (&seed) >> 11) * 0x1p-53;
}

static inline double
of_both_signs (void)
{
  return uniform () - 0.5;
}

static inline double
moderate (void)
{
  return scaled ((int) below (81) - 40);
}

static inline double
wide (void)
{
  return scaled ((int) below (961) - 480);
}

/* Products that over- or underflow among them.  */
static inline double
of_any_size (void)
{
  return scaled ((int) below (2098) - 1074);
}

static inline double
subnormal (void)
{
  return scaled (-1020 - (int) below (54));
}

static inline double
huge (void)
{
  return scaled (1023 - (int) below (40));
}

/* Squares about where errors of products become subnormal, and vanish.  */
static inline double
square_underflows (void)
{
  return scaled (-480 - (int) below (12));
}

static inline double
square_vanishes (void)
{
  return scaled (-530 - (int) below (14));
}

static inline double
few_digits (void)
{
  return ldexp ((double) random_within (&seed, 9), (int) below (60) - 30);
}

static inline double
whole (void)
{
  return (double) random_within (&seed, 1000);
}

static inline double
with_zeros (void)
{
  return below (3) ? of_both_signs () : below (2) ? 0.0 : -0.0;
}

/* Halves of factors that overflow, beside zeros.  */
static inline double
huge_or_zero (void)
{
  return below (2) ? huge () : 0;
}

static inline double
special (void)
{
  static const double specials[]
    = {(double) INFINITY, -(double) INFINITY, (double) NAN, -0.0, 0,
       DBL_MAX, -DBL_MAX, 0x1p-1074, -0x1p-1022, 0x1p996, 0x1p-484};

  return below (40) ? of_both_signs ()
                    : specials[below (sizeof specials / sizeof *specials)];
}

static const struct
{
  const char *name;
  double (*number) (void);
} kinds[] = {
  {"uniform", uniform},
  {"of both signs", of_both_signs},
  {"moderate", moderate},
  {"wide", wide},
  {"of any size", of_any_size},
  {"subnormal", subnormal},
  {"huge", huge},
  {"square underflows", square_underflows},
  {"square vanishes", square_vanishes},
  {"few digits", few_digits},
  {"whole", whole},
  {"with zeros", with_zeros},
  {"huge or zero", huge_or_zero},
  {"special", special}
};
#define N_KINDS (sizeof kinds / sizeof kinds[0])
#define MIXED N_KINDS /* another kind now and then */

static inline const char *
kind_name (unsigned kind)
{
  return kind < N_KINDS ? kinds[kind].name : "mixed";
}

/* One vector, from which the kernel reads; NUMBER has its elements as doubles.  */
struct operand
{
  _Alignas (64) unsigned char room[8 * ROOM];
  void *data;
  double number[LONGEST];
  unsigned kind;
  size_t stride;
};

static struct operand first, second;

/* Of floats X is as far along in their range as it was in that of doubles; integers are
   random.  */
static inline void
put (struct operand *v, enum gt_arithmetic arithmetic, size_t i, double x)
{
  int exponent;

  if (arithmetic == GT_F32 && isfinite (x))
    {
      x = frexp (x, &exponent);
      x = ldexp (x, exponent / 8);
    }
  if (arithmetic <= GT_F32)
    put_element (arithmetic, v->data, i * v->stride, x);
  else
    put_integer (arithmetic, v->data, i * v->stride, random_word (&seed));
  v->number[i] = get_element (arithmetic, v->data, i * v->stride);
}

static inline void
fill (struct operand *v, enum gt_arithmetic arithmetic, unsigned kind,
      size_t n, size_t stride)
{
  const size_t size = gt_element_size (arithmetic);
  unsigned now = kind;

  memset (v->room, 0xff, (n * stride + 64) * size); /* NaN */
  v->data = v->room + below (9) * size;
  v->kind = kind;
  v->stride = stride;
  for (size_t i = 0; i < n; i++)
    {
      if (kind == MIXED && (i == 0 || below (150) == 0))
        now = below (N_KINDS);
      put (v, arithmetic, i, kinds[now].number ());
    }
}

#endif

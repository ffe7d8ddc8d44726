/* Dot products of complex numbers in fast mode: vectors of x with those of y, and with y's
   numbers the other way round.  Of either products every other one has the sign of the
   imaginary parts.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/isa/vectors.h"
#include "kernels/inline.h"

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME fast
#define TYPE double
#include "kernels/cpu/isa/vector_type.inc"
#define CHAINS 4

/* Of the lanes of V those of real parts and, SIGN times, those of imaginary ones.  */
INLINE double
fold_pairs (VECTOR v, double sign)
{
  double real = 0, imaginary = 0;

  for (unsigned k = 0; k < LANES; k += 2)
    {
      real += v[k];
      imaginary += v[k + 1];
    }
  return real + sign * imaginary;
}

/* N numbers of doubles, one after the other; of many, halves.  */
static void
add_doubles (const double *x, size_t xs, const double *y, size_t ys, size_t n,
             double sign, double sums[2])
{
  double real[2] = {0, 0}, imaginary[2] = {0, 0};

  if (n > 32)
    {
      add_doubles (x, xs, y, ys, n / 2, sign, real);
      add_doubles (x + n / 2 * xs, xs, y + n / 2 * ys, ys, n - n / 2, sign, imaginary);
      sums[0] = real[0] + imaginary[0];
      sums[1] = real[1] + imaginary[1];
      return;
    }
  for (size_t i = 0; i < n; i++, x += xs, y += ys)
    {
      const double a = x[0], b = sign * x[1];

      real[0] += a * y[0];
      real[1] += b * y[1];
      imaginary[0] += a * y[1];
      imaginary[1] += b * y[0];
    }
  sums[0] = real[0] - real[1];
  sums[1] = imaginary[0] + imaginary[1];
}

static void
add_floats (const float *x, size_t xs, const float *y, size_t ys, size_t n,
            double sign, double sums[2])
{
  double real[2] = {0, 0}, imaginary[2] = {0, 0};

  for (size_t i = 0; i < n; i++, x += xs, y += ys)
    {
      const double a = x[0], b = sign * x[1], c = y[0], d = y[1];

      real[0] += a * c;
      real[1] += b * d;
      imaginary[0] += a * d;
      imaginary[1] += b * c;
    }
  sums[0] = real[0] - real[1];
  sums[1] = imaginary[0] + imaginary[1];
}

static void
fast_f64 (const struct gt_task *task, union gt_value *value)
{
  const double *x = task->x.data, *y = task->y.data;
  VECTOR straight[CHAINS] = {{0}}, crossed[CHAINS] = {{0}};
  const int apart = task->x.stride != 1 || task->y.stride != 1;
  size_t n = task->problem.n;

  for (; !apart && n >= CHAINS * LANES / 2; n -= CHAINS * LANES / 2)
    {
      UNROLL
      for (unsigned k = 0; k < CHAINS; k++)
        {
          const VECTOR u = load_fast (x + k * LANES), v = load_fast (y + k * LANES);

          straight[k] += u * v;
          crossed[k] += u * (VECTOR) SWAP_WORDS (v);
        }
      x += CHAINS * LANES;
      y += CHAINS * LANES;
    }
  add_doubles (x, 2 * task->x.stride, y, 2 * task->y.stride, n, task->scale,
               value->sums.s);
  for (unsigned k = 1; k < CHAINS; k++)
    {
      straight[0] += straight[k];
      crossed[0] += crossed[k];
    }
  value->sums.s[0] += fold_pairs (straight[0], -task->scale);
  value->sums.s[1] += fold_pairs (crossed[0], task->scale);
  value->sums.c[0] = value->sums.c[1] = 0;
}

static void
fast_f32 (const struct gt_task *task, union gt_value *value)
{
  add_floats (task->x.data, 2 * task->x.stride, task->y.data, 2 * task->y.stride,
              task->problem.n, task->scale, value->sums.s);
  value->sums.c[0] = value->sums.c[1] = 0;
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_complex) (const struct gt_problem *problem, unsigned unroll)
{
  (void) unroll;
  return problem->arithmetic == GT_CF64 ? fast_f64 : fast_f32;
}

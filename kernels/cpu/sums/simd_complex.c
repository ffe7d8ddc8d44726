/* Dot products of complex numbers in fast mode: vectors of x are multiplied by those of y, and
   by those of y with the parts of each number exchanged.  In both products, SCALE determines
   the sign of every second lane.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/catalog.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/sums/vector_products.h"
#include "kernels/cpu/wide/two_sum.h"
#include "kernels/inline.h"

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME fast
#define TYPE double
#include "kernels/cpu/isa/vector_type.inc"
#define CHAINS 4

typedef double pair __attribute__ ((vector_size (16), aligned (8), may_alias));

/* Returns complex number I, which has parts of type double or float.  */
INLINE pair
number (struct gt_operand of, size_t i, const int floats)
{
  const float *const x = (const float *) of.data + 2 * i * of.stride;

  return floats ? (pair) {x[0], x[1]}
                : *(const pair *) ((const double *) of.data + 2 * i * of.stride);
}

/* Returns contiguous parts from part I on.  */
INLINE VECTOR
neighbours (const void *x, size_t i, const int floats)
{
  return floats ? load_f32 ((const float *) x + i) : load_fast ((const double *) x + i);
}

/* Returns the sum of the even lanes of V plus SIGN times the sum of the odd ones.  */
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

INLINE void
compute (const struct gt_task *task, union gt_value *value, const int floats)
{
  const struct gt_operand x = task->x, y = task->y;
  const size_t n = task->problem.n, turn = CHAINS * LANES / 2, most = floats ? n : SHORT_CHAIN;
  struct gt_sums *const sums = &value->sums;
  VECTOR total[2] = {{0}}, lost[2] = {{0}};
  size_t i = 0;

  while (x.stride == 1 && y.stride == 1 && n - i >= turn)
    {
      VECTOR straight[CHAINS] = {{0}}, crossed[CHAINS] = {{0}};

      for (size_t turns = 0; turns < most && n - i >= turn; turns++, i += turn)
        {
          UNROLL
          for (unsigned k = 0; k < CHAINS; k++)
            {
              const VECTOR u = neighbours (x.data, 2 * i + k * LANES, floats);
              const VECTOR v = neighbours (y.data, 2 * i + k * LANES, floats);

              straight[k] += u * v;
              crossed[k] += u * (VECTOR) SWAP_WORDS (v);
            }
        }
      for (unsigned k = 1; k < CHAINS; k++)
        {
          straight[0] += straight[k];
          crossed[0] += crossed[k];
        }
      ADD_TO_TOTAL (VECTOR, total[0], lost[0], straight[0]);
      ADD_TO_TOTAL (VECTOR, total[1], lost[1], crossed[0]);
    }
  for (unsigned k = 0; k < 2; k++)
    total[k] += (VECTOR) ((words) lost[k] & (words) (lost[k] == lost[k]));
  sums->s[0] = fold_pairs (total[0], -task->scale);
  sums->s[1] = fold_pairs (total[1], task->scale);
  sums->c[0] = sums->c[1] = 0;
  while (i < n)
    {
      const size_t end = n - i < most ? n : i + most;
      pair real = {0}, imaginary = {0};

      for (; i < end; i++)
        {
          const pair u = number (x, i, floats), v = number (y, i, floats);

          real += u * v;
          imaginary += u * (pair) {v[1], v[0]};
        }
      GT_TWO_SUM (double, sums->s[0], sums->c[0], real[0] - task->scale * real[1]);
      GT_TWO_SUM (double, sums->s[1], sums->c[1], imaginary[0] + task->scale * imaginary[1]);
    }
}

static void
fast_f64 (const struct gt_task *task, union gt_value *value)
{
  compute (task, value, 0);
}

static void
fast_f32 (const struct gt_task *task, union gt_value *value)
{
  compute (task, value, 1);
}

gt_cpu_function *
GT_FOR_ISA (gt_cpu_simd_complex) (const struct gt_problem *problem, unsigned unroll)
{
  (void) unroll;
  return problem->arithmetic == GT_CF64 ? fast_f64 : fast_f32;
}

/* The functions of hard_data.c for one arithmetic: a template of
   kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if REAL
static void
NAMED (cancelling) (void *buffer)
{
  const TYPE huge = (TYPE) ldexpl (1, (BYTES ? DBL_MANT_DIG : LDBL_MANT_DIG)
                                        + 16);
  const TYPE values[4] = {1, huge, 1, -huge};
  TYPE *x = buffer;

  for (size_t i = 0; i < GT_CANCELLING_N; i++)
    x[i] = values[i % 4];
}

/* A conversion may change the sign of a NaN, so each is made in its type.  */
static TYPE
NAMED (number) (enum number number)
{
  const TYPE largest = NAMED (LARGEST);
  const TYPE not_a_number = (TYPE) copysignl ((TYPE) NAN, 1);
  const TYPE numbers[]
    = {0, -(TYPE) 0, (TYPE) INFINITY, -(TYPE) INFINITY, not_a_number,
       -not_a_number, largest, -largest};

  return numbers[number];
}

static void
NAMED (specials) (void *buffer)
{
  TYPE *x = buffer;

  for (size_t i = 0; i < GT_N_SPECIALS * GT_SPECIAL_N; i++)
    x[i] = -(TYPE) 0;
  for (size_t i = 0; i < GT_N_SPECIALS; i++)
    for (size_t k = 0; k < 3; k++)
      x[i * GT_SPECIAL_N + places[k]] = NAMED (number) (specials[i].element[k]);
}

static void
NAMED (special_sum) (enum gt_reduction reduction, unsigned which,
                     union gt_value *sum)
{
  sum->NAME[0] = NAMED (number) (reduction == GT_ASUM
                                   ? specials[which].magnitudes
                                   : specials[which].sum);
}

/* (1 + e) (1 - e) is less than 1 by e e, which is less than a last digit.  */
static void
NAMED (products) (TYPE *x, TYPE *y)
{
  const int digits = BYTES == sizeof (float)    ? FLT_MANT_DIG
                     : BYTES == sizeof (double) ? DBL_MANT_DIG : LDBL_MANT_DIG;
  const TYPE e = (TYPE) ldexpl (1, -digits / 2 - 4);

  for (size_t i = 0; i < GT_PAIR_N; i++)
    {
      x[i] = i % 2 ? -1 : 1 + e;
      y[i] = i % 2 ? 1 : 1 - e;
    }
}

/* Whole numbers, and beside weights that are none what would spoil a sum.  */
static void
NAMED (weights) (TYPE *x, TYPE *y)
{
  static const enum number no_weights[]
    = {ZERO, MINUS_ZERO, QUIET_NAN, MINUS_NAN, MINUS_INFINITE, MINUS_LARGEST};
  static const enum number spoilt[]
    = {QUIET_NAN, INFINITE, LARGEST, MINUS_INFINITE, MINUS_NAN};
  uint64_t state = 7;

  for (size_t i = 0; i < GT_PAIR_N; i++)
    {
      const uint64_t r = gt_random (&state) >> 8;

      x[i] = (TYPE) (r % 8 + 1);
      y[i] = (TYPE) ((int) (r / 8 % 32) - 16);
      if (r / 256 % 4)
        continue;
      x[i] = NAMED (number) (no_weights[r % 6]);
      y[i] = NAMED (number) (spoilt[r / 8 % 5]);
    }
}

/* Of either sign, exponents from LEAST to LARGEST.  */
static void
NAMED (spread) (TYPE *x, TYPE *y, int least, int largest)
{
  uint64_t state = 11;

  for (size_t i = 0; i < 2 * GT_PAIR_N; i++)
    {
      const uint64_t r = gt_random (&state);
      const int exponent = (int) (r % (unsigned) (largest - least + 1)) + least;
      const TYPE v = (TYPE) ldexpl ((long double) (gt_random (&state) >> 11),
                                    exponent - 53);

      (i % 2 ? x : y)[i / 2] = r >> 63 ? -v : v;
    }
}

static void
NAMED (hard) (void *buffer)
{
  TYPE *x = buffer, *pair = x + GT_SIMPLE_HARD_N;

  NAMED (cancelling) (x);
  NAMED (specials) (x + GT_CANCELLING_N);
  NAMED (products) (pair, pair + GT_PAIR_N);
  pair += 2 * GT_PAIR_N;
  NAMED (weights) (pair, pair + GT_PAIR_N);
  pair += 2 * GT_PAIR_N;
  NAMED (spread) (pair, pair + GT_PAIR_N, NAMED (WIDE));
  pair += 2 * GT_PAIR_N;
  NAMED (spread) (pair, pair + GT_PAIR_N, NAMED (MODERATE));
  for (size_t i = 0; i < GT_CANCELLING_N; i++)
    x[GT_HARD_ONES_AT + i] = 1;
}
#endif

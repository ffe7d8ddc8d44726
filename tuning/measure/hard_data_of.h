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
#endif

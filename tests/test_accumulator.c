/* Tests of the accumulators (src/public/accumulator.c): sums of hard numbers of every
   real type are correctly rounded, whole and in pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/accumulator_cases.h"

/* ------------------------------------------------------------ Random cases */

static void
random_case (int thorough)
{
  unsigned kind = below (N_OF (kinds));
  size_t n = below (below (4) ? 10 : MOST);
  double x[MOST];

  kinds[kind].fill (x, n);
  if (n && below (8) == 0)
    x[below ((unsigned) n)] = below (2) ? -0.0 : 0.0;
  check_doubles (kinds[kind].name, x, n, thorough);
}

TEST (random_doubles)
{
  seed = 1;
  for (int i = 0; i < 1000000; i++)
    random_case (i % 16 == 0);
}

/* ---------------------------------------------- Ties at every bit position */

/* Significands of BITS bits: even, odd, all ones.  */
static long double
tie_number (unsigned which, int bits)
{
  long double first = ldexpl (1, bits - 1);

  return which == 0 ? first : which == 1 ? first + 1 : first - 1 + first;
}

/* Around the number SIGNIFICAND * 2^E and half a unit above and below it, by
   numbers as small as 2^LOWEST.  */
static void
check_ties (int bits, int e, int lowest)
{
  for (unsigned which = 0; which < 3; which++)
    for (int half = -1; half <= 1; half += 2)
      for (int nudge = -1; nudge <= 1; nudge++)
        {
          int small = lowest + (int) below ((unsigned) (e - lowest));
          long double x[3];

          x[0] = ldexpl (tie_number (which, bits), e);
          x[1] = ldexpl (half, e - 1);
          x[2] = ldexpl (nudge, below (2) ? small : lowest);
          if (below (2))
            for (int i = 0; i < 3; i++)
              x[i] = -x[i];
          oracle_reset (&wide);
          for (int i = 0; i < 3; i++)
            oracle_add_long_double (&wide, x[i]);
          gsltune_accumulator_reset (acc);
          gsltune_accumulator_add_vector_long_double (
            acc, &VIEW (_long_double, x, 3, 1));
          check_rounded ("tie", acc, &wide);
        }
}

/* From below the smallest number to the largest, for each precision.  */
TEST (ties)
{
  const int lowest = LDBL_MIN_EXP - LDBL_MANT_DIG;

  seed = 2;
  for (int e = -149 - 30; e <= 128; e++)
    check_ties (24, e, -1074);
  for (int e = -1074 - 60; e <= 1024 - 53; e++)
    check_ties (53, e, e - 2 - (int) below (60));
  for (int e = lowest - LDBL_MANT_DIG; e < lowest + 100; e++)
    check_ties (LDBL_MANT_DIG, e, e - 2);
  for (int e = lowest + 2; e < LDBL_MAX_EXP - LDBL_MANT_DIG;
       e += 1 + (int) below (20))
    check_ties (LDBL_MANT_DIG, e, lowest);
  check_ties (LDBL_MANT_DIG, LDBL_MAX_EXP - LDBL_MANT_DIG, lowest);
}

/* The same for doubles in the words of doubles, every position.  */
TEST (ties_of_doubles)
{
  seed = 3;
  for (int e = -1073; e <= 1024 - 53; e++)
    for (unsigned which = 0; which < 3; which++)
      for (int half = -1; half <= 1; half += 2)
        for (int nudge = -1; nudge <= 1; nudge++)
          {
            double x[3] = {ldexp ((double) tie_number (which, 53), e),
                           ldexp (half, e - 1),
                           ldexp (nudge, below (2) ? e - 2 : -1074)};

            check_doubles ("tie of doubles", x, 3, which == 0);
          }
}

/* --------------------------------------------------- Other types, together */

/* Of an exponent of RANGE from FIRST on, but below infinity.  */
static long double
any_long_double (int first, unsigned range)
{
  uint64_t high = random_word (&seed) >> 1, low = random_word (&seed);
  long double m = (long double) high + ldexpl ((long double) low, -64);
  int e = first + (int) below (range);

  return ldexpl (below (2) ? m : -m,
                 e < LDBL_MAX_EXP - 64 ? e : LDBL_MAX_EXP - 64);
}

TEST (mixed_types)
{
  const int lowest = LDBL_MIN_EXP - LDBL_MANT_DIG;
  const struct
  {
    int first;
    unsigned range;
  } exponents[] = {
    {lowest - 64, (unsigned) (LDBL_MAX_EXP - lowest)},
    {-150, 300}, {-5, 10}, {lowest - 64, 70}, {LDBL_MAX_EXP - 70, 8},
  };

  seed = 4;
  for (int round = 0; round < 60000; round++)
    {
      unsigned n = below (12), which = below (N_OF (exponents));

      oracle_reset (&wide);
      gsltune_accumulator_reset (acc);
      for (int i = 0; i < PIECES; i++)
        gsltune_accumulator_reset (pieces[i]);
      for (unsigned i = 0; i < n; i++)
        {
          gsltune_accumulator *sums[] = {acc, pieces[below (PIECES)]};
          long double l = any_long_double (exponents[which].first,
                                           exponents[which].range);
          uint32_t word = (uint32_t) random_word (&seed) & ~(1u << 30);
          double d = make_double (below (2), below (2047), random_word (&seed));
          unsigned type = which < 3 ? below (4) : 2;
          float f;

          memcpy (&f, &word, sizeof f);
          oracle_add_long_double (&wide, type == 0 ? f : type == 1 ? d : l);
          for (int k = 0; k < 2; k++)
            if (type == 0)
              gsltune_accumulator_add_vector_float (sums[k],
                                                    &VIEW (_float, &f, 1, 1));
            else if (type == 1)
              add_doubles (sums[k], &d, 1);
            else
              gsltune_accumulator_add_vector_long_double (
                sums[k], &VIEW (_long_double, &l, 1, 1));
        }
      check_rounded ("mixed types", acc, &wide);
      if (round % 4 == 0)
        check_same_form ("mixed types", merge_pieces (), acc);
    }
}

TEST (floats)
{
  seed = 5;
  for (int round = 0; round < 200000; round++)
    {
      float x[MOST];
      size_t n = below (MOST);
      uint32_t first = below (2) ? 0 : below (240), range = below (2) ? 3 : 15;

      oracle_reset (&narrow);
      for (size_t i = 0; i < n; i++)
        {
          uint32_t word = (uint32_t) random_word (&seed);
          uint32_t exponent = first + (word >> 23 & 0xff) % range;

          word = (word & 0x807fffffu) | exponent << 23;
          memcpy (&x[i], &word, sizeof *x);
          oracle_add (&narrow, x[i]);
        }
      gsltune_accumulator_reset (acc);
      gsltune_accumulator_add_vector_float (acc, &VIEW (_float, x, n, 1));
      check_float ("floats", gsltune_accumulator_round_float (acc),
                   oracle_round_float (&narrow));
    }
}

RUN_TESTS (set_up, tear_down)

/* Tests of tuning/measure/clock.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tuning/measure/clock.h"

TEST (median)
{
  static const struct
  {
    double values[8];
    unsigned n;
    double median, spread;
  } cases[] = {{{7}, 1, 7, 0},
               {{3, 1}, 2, 2, 0.5},
               {{9, 1, 5}, 3, 5, 0.8},
               {{4, 1, 3, 2}, 4, 2.5, 0.2},
               {{5, 1, 4, 2, 3}, 5, 3, 1.0 / 3},
               {{8, 7, 6, 5, 4, 3, 2, 1}, 8, 4.5, 1.5 / 4.5},
               {{2, 2, 2, 2, 2, 2, 2, 200}, 8, 2, 0},
               {{0, 0, 0}, 3, 0, 0}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      double values[8], spread = -1;

      memcpy (values, cases[i].values, sizeof values);
      assert_true (gt_median (values, cases[i].n, &spread) == cases[i].median);
      assert_true (spread > cases[i].spread - 1e-12 && spread < cases[i].spread + 1e-12);
      for (unsigned k = 1; k < cases[i].n; k++)
        assert_true (values[k - 1] <= values[k]);
      assert_true (gt_median (values, cases[i].n, NULL) == cases[i].median);
    }
}

/* The bounds of the sign test, from its tables.  */
TEST (bounds_of_the_median)
{
  static const struct
  {
    unsigned n, from_the_end; /* 0: none */
  } cases[] = {{1, 0}, {4, 0}, {5, 1}, {7, 1}, {8, 2}, {10, 2}, {11, 3},
               {13, 4}, {20, 6}, {25, 8}, {50, 19}, {64, 25}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      unsigned n = cases[i].n, k = cases[i].from_the_end;
      double values[64], low, high;

      for (unsigned v = 0; v < n; v++)
        values[v] = v + 1;
      gt_median_bounds (values, n, &low, &high);
      assert_true (low == k);
      assert_true (k ? high == n - k + 1 : high > 1e300);
    }
}

RUN_TESTS (NULL, NULL)

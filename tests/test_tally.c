/* Tests of src/cpu/tally.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/cpu/tally.h"

#define COUNT 5

/* The total of those pieces of COUNT whose bits are set in THERE: piece k comes to 10^k.  */
static int
total_of (unsigned there)
{
  static const double values[COUNT] = {1, 10, 100, 1000, 10000};
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000};
  struct gt_tally tally;
  union gt_value one, total;

  memset (&one, 0, sizeof one);
  memset (&total, 0, sizeof total);
  assert_int_equal (gt_tally_open (&tally, &problem, COUNT, &total), 0);
  for (size_t k = COUNT; k-- > 0;)
    {
      /* A piece that nobody computed has any value.  */
      memset (&tally.value[k], 0x55, sizeof *tally.value);
      one.f64[0] = values[k];
      if (there >> k & 1)
        gt_tally_take (&tally, k, &one);
      assert_int_equal (gt_tally_has (&tally, k), there >> k & 1);
    }
  gt_tally_total (&tally, &total);
  gt_tally_close (&tally);
  return (int) total.f64[0];
}

/* Whichever pieces have come, the first or the last may lack.  */
TEST (what_has_come_is_added)
{
  for (unsigned there = 1; there < 1u << COUNT; there++)
    {
      int expected = 0;

      for (unsigned k = 0, value = 1; k < COUNT; k++, value *= 10)
        expected += there >> k & 1 ? (int) value : 0;
      assert_int_equal (total_of (there), expected);
    }
}

RUN_TESTS (NULL, NULL)

/* Which vectors are remembered as ones whose numbers differ too much in size.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_ranges.h"

#define ROW_BYTES (1 << 19)

/* The sum of row I of a matrix; nothing reads its elements.  */
static struct gt_task
row (unsigned i)
{
  const uintptr_t address = UINT64_C (0x7f0000000000) + (uint64_t) i * ROW_BYTES;

  return gt_task_of (GT_SUM, GT_F64, GT_MODE_EXACT, (void *) address,
                     ROW_BYTES / sizeof (double), 1);
}

/* Of a thousand rows three in four at least are known; those that are not have a note
   that another row wrote over.  Rows that were never noted are not known.  */
TEST (rows_of_a_matrix_are_remembered)
{
  static struct gt_ranges ranges;
  const unsigned rows = 1024;
  unsigned known = 0;

  for (unsigned i = 0; i < rows; i++)
    {
      struct gt_task task = row (i);

      gt_ranges_note (&ranges, &task);
    }
  for (unsigned i = 0; i < rows; i++)
    {
      struct gt_task task = row (i), other = row (rows + i);

      known += gt_ranges_wide (&ranges, &task) != 0;
      assert_false (gt_ranges_wide (&ranges, &other));
    }
  assert_in_range (known, rows / 4 * 3, rows);
}

/* So many sums, and then the data is looked at again.  */
TEST (a_note_holds_for_so_many_sums)
{
  static struct gt_ranges ranges;
  struct gt_task task = row (0);

  assert_false (gt_ranges_wide (&ranges, &task));
  gt_ranges_note (&ranges, &task);
  for (unsigned k = 0; k < GT_RANGE_SUMS; k++)
    assert_true (gt_ranges_wide (&ranges, &task));
  assert_false (gt_ranges_wide (&ranges, &task));
}

RUN_TESTS (NULL, NULL)

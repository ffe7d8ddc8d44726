/* Tests of tuning/measure/rung_plan.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/sums.h"

#include "tuning/measure/rung_launch.h"

/* Worked out by hand.  One block leaves one sum, in 256 bytes; 33 blocks leave 33
   doubles in 512, which two blocks of 32 threads sum, which leave two, which one
   sums.  The host adds what BLOCK_SUMS and IN_PLACE leave; the copy of an in-place
   rung, whole tiles, lies behind it.  */
TEST (known_plans)
{
  static const struct
  {
    const char *rung;
    struct gt_config config;
    enum gt_arithmetic arithmetic;
    uint64_t n, grid, scratch, left_at, left;
  } cases[] = {
    {"multilevel", {1, 32, 2, 0}, GT_F64, 0, 1, 256, 0, 1},
    {"multilevel", {1, 32, 2, 0}, GT_F64, 64, 1, 256, 0, 1},
    {"multilevel", {1, 32, 2, 0}, GT_F64, 65, 2, 512, 256, 1},
    {"multilevel", {1, 32, 2, 0}, GT_F64, 64 * 65, 65, 768 + 256 + 256, 1024, 1},
    {"recursive", {1, 32, 2, 0}, GT_F64, 64 * 65, 65, 768 + 256 + 256, 1024, 1},
    {"recursive", {1, 32, 2, 0}, GT_U32, 64 * 65, 65, 512 + 256 + 256, 768, 1},
    {"unroll_blocks", {1, 32, 4, 0}, GT_F64, 1, 1, 256, 0, 1},
    {"unroll_blocks", {1, 32, 4, 0}, GT_F64, 129, 2, 256, 0, 2},
    {"unroll_blocks", {1, 32, 4, 0}, GT_F64, 128 * 33, 33, 512, 0, 33},
    {"unroll_blocks_in_place", {1, 32, 4, 0}, GT_F64, 1, 1, 256 + 1024, 0, 1},
    {"unroll_blocks_in_place", {1, 32, 4, 0}, GT_F64, 128 * 33, 33,
     512 + 33 * 1024, 0, 33},
    {"neighbored", {1, 32, 1, 0}, GT_F32, 33, 2, 256, 0, 2},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_rung_plan plan
        = gt_rung_plan (gt_ladder_find (cases[i].rung), &cases[i].config,
                        cases[i].arithmetic, cases[i].n);

      assert_int_equal (plan.grid, cases[i].grid);
      assert_int_equal (plan.scratch, cases[i].scratch);
      assert_int_equal (plan.left_at, cases[i].left_at);
      assert_int_equal (plan.left, cases[i].left);
    }
}

/* No launch has more than 2^31 - 1 blocks.  */
TEST (grids_are_bounded)
{
  const struct gt_ladder_kernel *rung = gt_ladder_find ("shuffle");
  struct gt_config config = {1, 32, 2, 0};
  const uint64_t most = (uint64_t) GT_MAX_GRID * 64;

  assert_int_equal (gt_rung_plan (rung, &config, GT_U32, most).grid, GT_MAX_GRID);
  assert_int_equal (gt_rung_plan (rung, &config, GT_U32, most + 1).grid, 0);
  assert_int_equal (gt_rung_plan (rung, &config, GT_U32, UINT64_MAX).grid, 0);
}

/* Rungs 1 to 12 in their order, the in-place form first, the last two the
   library's; every other has kernels, and the library none of their names.  */
TEST (catalogue)
{
  int last = 0, library = 0;

  for (unsigned i = 0; i < gt_ladder_catalog_size; i++)
    {
      const struct gt_ladder_kernel *rung = &gt_ladder_catalog[i];

      assert_in_range (rung->rung - last, last ? 0 : 1, 1);
      assert_true (rung->rung > last || rung->shape != GT_RUNG_IN_PLACE);
      last = rung->rung;
      assert_ptr_equal (gt_ladder_find (rung->kernel->name), rung);
      assert_ptr_equal (gt_ladder_of (rung->kernel), rung);
      assert_int_equal (rung->shape == GT_RUNG_LIBRARY,
                        sum_kernel (rung->kernel->name) != NULL);
      assert_int_equal (rung->shape == GT_RUNG_LIBRARY, rung->kernel->shape != GT_SHAPE_RUNG);
      library += rung->shape == GT_RUNG_LIBRARY;
#ifdef HAVE_CUDA
      assert_non_null (rung->kernel->image);
#endif
    }
  assert_int_equal (last, 12);
  assert_int_equal (library, 2);
  assert_null (gt_ladder_find ("simd"));
  assert_null (gt_ladder_of (sum_kernel ("exact_window")));
}

RUN_TESTS (NULL, NULL)

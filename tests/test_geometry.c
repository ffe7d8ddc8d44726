/* Tests of src/cuda/geometry.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/base/names.h"
#include "src/cuda/geometry.h"

#define N_OF(array) (sizeof (array) / sizeof *(array))

static const struct gt_kernel *
single_pass (void)
{
  return gt_catalog_find ("grid_stride");
}

static const struct gt_kernel *
multi_pass (void)
{
  return gt_catalog_find ("multilevel");
}

/* Worked out by hand.  */
static void
known_grids (void **state)
{
  static const struct
  {
    enum gt_arithmetic arithmetic;
    enum gt_layout layout;
    unsigned block, unroll, blocks_per_sm;
    uint64_t n, grid;
  } cases[] = {
    /* Two doubles a load, 256 loads a block.  */
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 0, 1},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 1, 1},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 512, 1},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 513, 2},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 5 * 512, 5},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 10 * 512 - 1, 10},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 1, 10 * 512 + 1, 10},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 3, 10 * 512 + 1, 11},
    {GT_F64, GT_CONTIGUOUS, 128, 2, 3, UINT64_MAX, 30},
    /* One element a load.  */
    {GT_F64, GT_STRIDED, 128, 2, 1, 256, 1},
    {GT_F64, GT_STRIDED, 128, 2, 1, 257, 2},
    {GT_F64, GT_STRIDED, 128, 2, 1, UINT64_MAX, 10},
    /* Sixteen bytes a load.  */
    {GT_U8, GT_CONTIGUOUS, 32, 1, 2, 512, 1},
    {GT_U8, GT_CONTIGUOUS, 32, 1, 2, 513, 2},
    {GT_U16, GT_CONTIGUOUS, 32, 16, 2, 4097, 2},
  };

  (void) state;
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_config config
        = {1, cases[i].block, cases[i].unroll, cases[i].blocks_per_sm};

      assert_int_equal (gt_grid (single_pass (), &config, cases[i].arithmetic,
                                 cases[i].layout, cases[i].n, 10),
                        cases[i].grid);
    }
}

/* A cluster kernel's grid is made of whole clusters, one at least.  */
static void
clusters_are_whole (void **state)
{
  const struct gt_kernel *cluster = gt_catalog_find ("cluster");
  struct gt_config config = {1, 128, 2, 1};
  static const struct
  {
    uint64_t n, grid;
  } cases[] = {{0, 8}, {1, 8}, {512, 8}, {8 * 512, 8}, {8 * 512 + 1, 8},
               {16 * 512, 16}, {23 * 512, 16}, {UINT64_MAX, 32}};

  (void) state;
  for (size_t i = 0; i < N_OF (cases); i++)
    assert_int_equal (gt_grid (cluster, &config, GT_F64, GT_CONTIGUOUS,
                               cases[i].n, 35), cases[i].grid);
  assert_int_equal (gt_scratch_bytes (cluster, &config, GT_F64, 16), 16 * 16);
}

/* One element a thread; no launch has more than 2^31 - 1 blocks.  */
static void
several_passes_cover_the_data (void **state)
{
  struct gt_config config = {1, 32, 1, 0};
  const uint64_t most = (uint64_t) GT_MAX_GRID * 32;

  (void) state;
  for (int l = 0; l < GT_N_LAYOUTS; l++)
    {
      enum gt_layout layout = (enum gt_layout) l;

      assert_int_equal (gt_grid (multi_pass (), &config, GT_F64, layout, 0, 1),
                        1);
      assert_int_equal (gt_grid (multi_pass (), &config, GT_F64, layout, 32,
                                 1), 1);
      assert_int_equal (gt_grid (multi_pass (), &config, GT_F64, layout, 33,
                                 1), 2);
      assert_int_equal (gt_grid (multi_pass (), &config, GT_U8, layout, most,
                                 1), GT_MAX_GRID);
      assert_int_equal (gt_grid (multi_pass (), &config, GT_U8, layout,
                                 most + 1, 1), 0);
      assert_int_equal (gt_grid (multi_pass (), &config, GT_U8, layout,
                                 UINT64_MAX, 1), 0);
    }
}

static void
partial_sums_have_room (void **state)
{
  struct gt_config config = {1, 32, 1, 1};

  (void) state;
  assert_int_equal (gt_scratch_bytes (single_pass (), &config, GT_F64, 1), 16);
  assert_int_equal (gt_scratch_bytes (single_pass (), &config, GT_U8, 132),
                    132 * 16);
  /* One block leaves nothing; 2 blocks leave 2 elements, in 256 bytes; 33
     blocks leave 33, which 2 blocks sum, which leave 2.  */
  assert_int_equal (gt_scratch_bytes (multi_pass (), &config, GT_F64, 1), 0);
  assert_int_equal (gt_scratch_bytes (multi_pass (), &config, GT_F64, 2), 256);
  assert_int_equal (gt_scratch_bytes (multi_pass (), &config, GT_F64, 33),
                    512 + 256);
  assert_int_equal (gt_scratch_bytes (multi_pass (), &config, GT_U8, 1025),
                    1280 + 256 + 256);
  assert_int_equal (gt_scratch_bytes (gt_catalog_find ("recursive"), &config,
                                      GT_F64, 33), 512 + 256);
}

/* The host adds the sums of more blocks than one, so that no further pass needs
   room; an in-place kernel's copy of whole tiles lies behind them.  */
static void
block_sums_and_copies_have_room (void **state)
{
  const struct gt_kernel *shared = gt_catalog_find ("unroll_blocks");
  const struct gt_kernel *in_place
    = gt_catalog_find ("unroll_blocks_in_place");
  struct gt_config config = {1, 32, 4, 0};

  (void) state;
  assert_int_equal (gt_block_sums (shared, 1), 0);
  assert_int_equal (gt_block_sums (shared, 2), 2);
  assert_int_equal (gt_block_sums (in_place, 3), 3);
  assert_int_equal (gt_block_sums (multi_pass (), 3), 0);
  assert_int_equal (gt_block_sums (single_pass (), 3), 0);
  assert_int_equal (gt_scratch_bytes (shared, &config, GT_F64, 1), 0);
  assert_int_equal (gt_scratch_bytes (shared, &config, GT_F64, 33), 512);
  assert_int_equal (gt_copy_offset (GT_F64, 1), 0);
  assert_int_equal (gt_copy_offset (GT_F64, 33), 512);
  assert_int_equal (gt_copy_offset (GT_F32, 64), 256);
  assert_int_equal (gt_scratch_bytes (in_place, &config, GT_F64, 1),
                    32 * 4 * 8);
  assert_int_equal (gt_scratch_bytes (in_place, &config, GT_F64, 33),
                    512 + 33 * 32 * 4 * 8);
}

/* So many that no block has more than it may, and not a few less.  */
static void
exact_launches_are_bounded (void **state)
{
  static const struct gt_config configs[]
    = {{1, 32, 1, 1}, {1, 512, 1, 4}, {1, 1024, 1, 32}};
  static const int sms[] = {1, 16, 132};
  const struct gt_kernel *kernel = gt_catalog_find ("exact_bins");

  (void) state;
  for (size_t c = 0; c < N_OF (configs); c++)
    for (size_t s = 0; s < N_OF (sms); s++)
      {
        uint64_t per_block = (uint64_t) 1 << 29;
        uint64_t most = gt_exact_most (&configs[c], sms[s], per_block);
        uint64_t grid = gt_grid (kernel, &configs[c], GT_F64, GT_STRIDED, most,
                                 sms[s]);

        assert_int_equal (most / grid, per_block);
        assert_int_equal (most % grid, 0);
      }
}

int
main (void)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (known_grids),
    cmocka_unit_test (several_passes_cover_the_data),
    cmocka_unit_test (clusters_are_whole),
    cmocka_unit_test (partial_sums_have_room),
    cmocka_unit_test (block_sums_and_copies_have_room),
    cmocka_unit_test (exact_launches_are_bounded),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}

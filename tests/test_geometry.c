/* Tests of src/device/geometry.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/sums.h"

#include "src/base/names.h"
#include "src/device/geometry.h"

static const struct gt_kernel *
single_pass (void)
{
  return sum_kernel ("grid_stride");
}

/* Worked out by hand.  */
TEST (known_grids)
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

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_config config
        = {1, cases[i].block, cases[i].unroll, cases[i].blocks_per_sm};

      struct gt_problem problem = {GT_SUM, cases[i].arithmetic, GT_MODE_FAST,
                                   cases[i].layout, cases[i].n};
      struct gt_geometry g
        = gt_geometry_of (single_pass (), &config, &problem, 10);

      assert_int_equal (g.grid, cases[i].grid);
      assert_int_equal (g.scratch, 16 * cases[i].grid);
      assert_int_equal (g.block, cases[i].block);
      assert_int_equal (g.shared, 0);
    }
}

/* Some thread has its share of the elements, and a tree has a step for each halving of a
   block: elements go through no fewer additions than is said.  */
TEST (additions_are_counted)
{
  struct gt_config config = {1, 128, 2, 1};

  for (uint64_t n = 1; n < (uint64_t) 1 << 40; n = 5 * n + 1)
    {
      struct gt_problem problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, n};
      const struct gt_geometry g = gt_geometry_of (single_pass (), &config, &problem, 10);
      const uint64_t threads = g.grid * g.block;

      assert_true (gt_geometry_additions (&g, &config, n) >= (n + threads - 1) / threads + 2 * 7);
    }
}

/* A cluster kernel's grid is made of whole clusters, one at least.  */
TEST (clusters_are_whole)
{
  const struct gt_kernel *cluster = sum_kernel ("cluster");
  struct gt_config config = {1, 128, 2, 1};
  static const struct
  {
    uint64_t n, grid;
  } cases[] = {{0, 8}, {1, 8}, {512, 8}, {8 * 512, 8}, {8 * 512 + 1, 8},
               {16 * 512, 16}, {23 * 512, 16}, {UINT64_MAX, 32}};

  for (size_t i = 0; i < N_OF (cases); i++)
    {
      struct gt_problem problem
        = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, cases[i].n};
      struct gt_geometry g = gt_geometry_of (cluster, &config, &problem, 35);

      assert_int_equal (g.grid, cases[i].grid);
      assert_int_equal (g.scratch, 16 * cases[i].grid);
    }
}

/* Exact kernels leave more, and exact_bins has its bins in shared memory.  */
TEST (exact_kernels_have_room)
{
  const struct gt_kernel *bins = sum_kernel ("exact_bins");
  const struct gt_kernel *words = gt_catalog_find ("exact_words", GT_MOMENTS);
  struct gt_config config = {1, 64, 1, 1};
  struct gt_problem problem
    = {GT_SUM, GT_F32, GT_MODE_EXACT, GT_STRIDED, 3 * 64};
  struct gt_geometry g = gt_geometry_of (bins, &config, &problem, 10);

  assert_int_equal (g.grid, 3);
  assert_int_equal (g.scratch, 3 * 64);
  assert_int_equal (g.shared, 64 * bins->shared * sizeof (float));

  problem.reduction = GT_MOMENTS;
  g = gt_geometry_of (words, &config, &problem, 10);
  assert_int_equal (g.scratch, 2 * 3 * 64);
  assert_int_equal (g.shared, 64 * 2 * words->shared * sizeof (double));
  problem.arithmetic = GT_F64;
  assert_int_equal (gt_geometry_of (words, &config, &problem, 10).shared,
                    64 * 3 * words->shared * sizeof (double));
}

/* A kernel that takes numbers of any size fits into the shared memory of every recorded
   kind of device, with as many threads as there is room for.  */
TEST (kernels_for_any_range_fit)
{
  static const struct gt_sm_limits sms[] = {
    {.shared_per_sm = 64 << 10, .shared_per_block_optin = 48 << 10},
    {.shared_per_sm = 164 << 10, .shared_per_block_optin = 163 << 10},
    {.shared_per_sm = 228 << 10, .shared_per_block_optin = 227 << 10}};
  static const enum gt_reduction some[]
    = {GT_SUM, GT_DOT, GT_SUMSQ, GT_MOMENTS, GT_COMOMENTS};

  for (size_t s = 0; s < N_OF (sms); s++)
    for (size_t r = 0; r < N_OF (some); r++)
      {
        struct gt_device device = {.kind = GT_CUDA, .gpu = {.sm = sms[s]}};
        struct gt_problem problem
          = {some[r], GT_F64, GT_MODE_EXACT, GT_STRIDED, 1 << 20};
        const struct gt_kernel *kernel;
        struct gt_config config;
        size_t a_thread;

        gt_any_range (&device, &problem, &kernel, &config);
        assert_non_null (kernel);
        a_thread = gt_kernel_shared (kernel, &problem);
        assert_true (config.block >= 32 && config.block % 32 == 0);
        assert_true (config.block * a_thread + (4 << 10) <= sms[s].shared_per_block_optin);
        assert_true (config.block == 512 || (config.block + 32) * a_thread + (8 << 10)
                          > sms[s].shared_per_block_optin);
        assert_true (config.blocks_per_sm >= 1);
      }
}

/* So many that no block has more than it may, and not a few less.  */
TEST (exact_launches_are_bounded)
{
  static const struct gt_config configs[]
    = {{1, 32, 1, 1}, {1, 512, 1, 4}, {1, 1024, 1, 32}};
  static const int sms[] = {1, 16, 132};
  const struct gt_kernel *kernel = sum_kernel ("exact_bins");

  for (size_t c = 0; c < N_OF (configs); c++)
    for (size_t s = 0; s < N_OF (sms); s++)
      {
        uint64_t per_block = (uint64_t) 1 << 29;
        uint64_t most = gt_exact_most (&configs[c], sms[s], per_block);
        struct gt_problem problem
          = {GT_SUM, GT_F64, GT_MODE_EXACT, GT_STRIDED, most};
        uint64_t grid
          = gt_geometry_of (kernel, &configs[c], &problem, sms[s]).grid;

        assert_int_equal (most / grid, per_block);
        assert_int_equal (most % grid, 0);
      }
}

RUN_TESTS (NULL, NULL)

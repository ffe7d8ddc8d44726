/* Tests of sorting and selecting in device vectors (src/public/device_sort.inc, kernels/cuda/
   sort.cuh and select.cuh): on the host, on the devices of tests/softgpu, and on the machine's
   own GPU where on_gpu.sh asks for that.  The oracle is GSL; that of a stable order, which GSL
   has not, is what such an order must be.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "tests/unit.h"

#include "kernels/sort_tiles.h"
#include "src/base/names.h"
#include "src/device/gpus.h"
#include "src/public/device_order.h"
#include "tests/device_vectors.h"

#if HAVE_CUDA
#include "src/cuda/cuda_context.h"
#endif

/* Beside what tests/sown.inc has.  */
enum
{
  RISING = 100,
  FALLING,
  ALL_EQUAL,
  MOSTLY_EQUAL,
  TWO_VALUES,
  SPREAD,
  N_DATA
};

#define GT_TEMPLATE "tests/device_order_cases.inc"
#include "src/public/each_type.h"

/* Each type, and each kind of data.  */
static void
all (size_t n, size_t stride)
{
  for (int data = 0; data < N_DATA; data == N_SOWN - 1 ? data = RISING : data++)
    {
#define X(id, name, infix, ctype, arithmetic) orders##infix (n, stride, data);
      GT_GPU_ELEMENT_TYPES (X)
#undef X
    }
}

static void
all_errors (void)
{
#define X(id, name, infix, ctype, arithmetic) errors##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

SCENARIO (few)
{
  static const size_t lengths[] = {0, 1, 2, 31, 1000};

  for (size_t k = 0; k < N_OF (lengths); k++)
    all (lengths[k], k % 2 ? 1 : 3);
  all_errors ();
}

/* As many as one block sorts, and one more; tiles of each kind, to their ends.  */
#define BLOCK ((size_t) GT_SORT_BLOCK_THREADS * GT_SORT_BLOCK_ITEMS)

SCENARIO (one_block)
{
  all (BLOCK - 1, 2);
  all (BLOCK, 1);
}

SCENARIO (tiles)
{
  all (BLOCK + 1, 1);
  all ((size_t) GT_SORT_THREADS * GT_SORT_ITEMS (8), 3);
  all ((size_t) GT_SORT_THREADS * GT_SORT_ITEMS (4) + 1, 1);
}

SCENARIO (many)
{
  all (GT_SELECT_FEW + 1, 1);
  all (3 * (size_t) GT_SORT_THREADS * GT_SORT_ITEMS (8) - 7, 2);
}

#if HAVE_CUDA
SCENARIO_TEST (gpus_decide, NOTHING, h200)
{
  static const size_t lengths[] = {2, BLOCK, BLOCK + 1, 20000};

  for (size_t k = 0; k < N_OF (lengths); k++)
    {
#define X(id, name, infix, ctype, arithmetic) is_decided##infix (lengths[k], k % 2 + 1);
      GT_GPU_ELEMENT_TYPES (X)
#undef X
    }
}

/* Launches of a pass follow one another.  */
SCENARIO_TEST (in_portions, NOTHING, h200)
{
  struct gt_open_gpu *const gpu = gt_gpu_open (0, NULL);

  CHECK (gpu);
  gpu->sort_portion = 6000;
  orders (17000, 1, SPREAD);
  orders_uchar (17000, 2, SPREAD);
  orders_float (12000, 1, FALLING);
  orders_short (30000, 1, TIED);
  gpu->sort_portion = GT_SORT_PORTION;
  is_decided (17000, 1);
}
#endif

TEST (on_the_host)
{
  EXPECT_SCENARIO ("few", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("many", "", "CUDA_VISIBLE_DEVICES=-1");
}

#if HAVE_CUDA
TEST (few_on_a_gpu)
{
  EXPECT_SCENARIO ("few", "", NOTHING, h200);
}

TEST (one_block_on_a_gpu)
{
  EXPECT_SCENARIO ("one_block", "", NOTHING, h200);
}

TEST (tiles_on_a_gpu)
{
  EXPECT_SCENARIO ("tiles", "", NOTHING, h200);
}

TEST (many_on_a_gpu)
{
  EXPECT_SCENARIO ("many", "", NOTHING, h200);
}

/* Without scratch memory, and with memory for the elements alone, the host does it.  */
SOFTGPU_TEST (no_scratch)
{
  EXPECT_SCENARIO ("one_block", "", "GSLTUNE_SCRATCH=100000", h200);
}

TEST (little_scratch)
{
  EXPECT_SCENARIO ("in_portions", "", "GSLTUNE_SCRATCH=200000", h200);
}
#endif

RUN_SCENARIOS (NULL, NULL)

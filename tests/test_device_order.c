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

static unsigned turn; /* of what a case does */
#define FEW 3

#define GT_TEMPLATE "tests/device_order_cases.inc"
#include "src/public/each_type.h"

/* Each type, and each kind of data; or the part PART of PARTS of all pairs of these.  */
static void
some (size_t n, size_t stride, unsigned part, unsigned parts)
{
  unsigned pair = 0;

  for (int data = 0; data < N_DATA; data == N_SOWN - 1 ? data = RISING : data++)
    {
#define X(id, name, infix, ctype, arithmetic) \
  if (pair++ % parts == part)                 \
    orders##infix (n, stride, data);
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
  for (unsigned n = 0; n < FEW; n++)
    some (n, FEW - n, n, FEW);
  for (unsigned part = 0; part < 3; part++)
    some (31 + 331 * part, 1 + part, part, 3);
  all_errors ();
}

/* As many as one block sorts, and one more; tiles of each kind, to their ends; as many as one
   block selects from, and one more.  Pairs of types and data take turns: PARTS is no divisor of
   how many types there are.  */
#define BLOCK ((size_t) GT_SORT_BLOCK_THREADS * GT_SORT_BLOCK_ITEMS)
#define TILE(size) ((size_t) GT_SORT_THREADS * GT_SORT_ITEMS (size))
#define PARTS 9

SCENARIO (edges)
{
  static const size_t lengths[]
    = {BLOCK - 1, BLOCK, BLOCK + 1, TILE (8), TILE (8) + 1, TILE (4) + 1, GT_SELECT_FEW,
       GT_SELECT_FEW + 1, 3 * TILE (8) - 7};

  for (unsigned k = 0; k < N_OF (lengths); k++)
    some (lengths[k], k % 2 ? 1 : 3, k, PARTS);
}

/* The same pairs at other lengths.  */
SCENARIO (more_edges)
{
  static const size_t lengths[]
    = {GT_SELECT_FEW, GT_SELECT_FEW + 1, 2 * TILE (4), 9001, 9002, 9003, 9004, 9005, BLOCK + 1};

  for (unsigned k = 0; k < N_OF (lengths); k++)
    some (lengths[k], k % 2 ? 1 : 2, k, PARTS);
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

/* Between a number that underflows and a zero the zero's sign decides, of which GSL's sort takes
   either.  */
SCENARIO_TEST (zero_behind, NOTHING, h200)
{
  gsltune_device_vector *const v = gsltune_device_vector_alloc (3);

  for (int turned = 0; turned < 2; turned++)
    {
      double x[] = {-0x1p-1074, turned ? 0.0 : -0.0, turned ? -0.0 : 0.0}, got, want;
      const gsl_vector host = VIEW (x, 3, 1);

      CHECK (gsltune_device_vector_set (v, &host) == GSL_SUCCESS);
      got = gsltune_device_vector_quantile (v, 0.375);
      gsl_sort (x, 1, 3);
      want = gsl_stats_quantile_from_sorted_data (x, 1, 3, 0.375);
      CHECK (got == 0 && want == 0 && signbit (got) == signbit (want));
    }
  gsltune_device_vector_free (v);
}

SCENARIO (undone)
{
  orders (9000, 1, SPREAD);
  orders_int (20000, 2, SPREAD);
}

/* A launch that fails, or of which nothing comes, leaves the elements to the host.  */
SCENARIO (a_sort)
{
  struct scene s;

  begin (&s, 9000, 1, SPREAD);
  sorts (&s);
  end (&s);
}

SCENARIO (an_index)
{
  struct scene_int s;

  begin_int (&s, 9000, 1, RISING);
  sorts_index_int (&s, 1, 1);
  end_int (&s);
}

SCENARIO (a_selection)
{
  struct scene s;

  begin (&s, 9000, 1, SPREAD);
  selects (&s, 1);
  end (&s);
}
#endif

TEST (on_the_host)
{
  EXPECT_SCENARIO ("few", "", "CUDA_VISIBLE_DEVICES=-1");
  EXPECT_SCENARIO ("edges", "", "CUDA_VISIBLE_DEVICES=-1");
}

#if HAVE_CUDA
TEST (few_on_a_gpu)
{
  EXPECT_SCENARIO ("few", "", NOTHING, h200);
}

TEST (edges_on_a_gpu)
{
  EXPECT_SCENARIO ("edges", "", NOTHING, h200);
}

TEST (more_edges_on_a_gpu)
{
  EXPECT_SCENARIO ("more_edges", "", NOTHING, h200);
}

/* Less than the vectors take: memory is taken for the call.  */
TEST (little_scratch)
{
  EXPECT_SCENARIO ("in_portions", "", "GSLTUNE_SCRATCH=200000", h200);
}

SOFTGPU_TEST (failing_launches)
{
  static const char *const names[] = {"a_sort", "an_index", "a_selection"};
  char fault[64];

  for (size_t k = 0; k < N_OF (names); k++)
    for (int call = 1; call <= 10; call++)
      {
        snprintf (fault, sizeof fault, "SOFTGPU_FAIL=cuLaunchKernel:%d=%s", call,
                  call % 2 ? "never" : "1");
        EXPECT_SCENARIO (names[k], "", fault, h200);
        snprintf (fault, sizeof fault, "SOFTGPU_FAIL=cuLaunchKernel:%d=%s", call,
                  call % 2 ? "1" : "never");
        EXPECT_SCENARIO (names[k], "", fault, h200);
      }
  /* An answer that comes after its call has failed is none of the next one's.  */
  for (int call = 1; call <= 4; call++)
    {
      snprintf (fault, sizeof fault, "SOFTGPU_FAIL=cuStreamSynchronize:%d=1", call);
      EXPECT_SCENARIO ("a_selection", "", "SOFTGPU_LATE=1", fault, h200);
    }
  EXPECT_SCENARIO ("a_sort", "", "SOFTGPU_LATE=1", h200);
  EXPECT_SCENARIO ("an_index", "", "SOFTGPU_LATE=1", h200);
  EXPECT_SCENARIO ("a_selection", "", "SOFTGPU_LATE=1", h200);
}

/* Memory for the elements alone: the host does it.  */
SOFTGPU_TEST (full_gpu)
{
  EXPECT_SCENARIO ("undone", "", "SOFTGPU_MEMORY=200000", h200);
}
#endif

RUN_SCENARIOS (NULL, NULL)

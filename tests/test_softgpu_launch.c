/* The soft GPU's launches from kernels, clusters of blocks, and what kernels'
   names tell.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"

/* A setting of its own for each seed; static storage.  */
static const char *const *
seed_setting (int seed)
{
  static char setting[32];
  static const char *const settings[] = {setting, NULL};

  snprintf (setting, sizeof setting, "SOFTGPU_SEED=%d", seed);
  return settings;
}

/* A grid, then what it launched, then what was to follow it; each of them
   whole.  */
static void
tails (void)
{
  static const unsigned order[][2]
    = {{1, 3}, {2, 4}, {4, 5}, {5, 5}, {3, 4}, {6, 5}, {7, 5}};
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_tail", 3, 64, 1, CUDA_SUCCESS);

  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    for (unsigned k = 0; k < order[i][1]; k++)
      CHECK (*seen++ == order[i][0]);
  CHECK (*seen == 0);
  testing_close (&gpu);
}

TEST (test_tails)
{
  for (int seed = 0; seed < 4; seed++)
    expect_passed (tails, seed_setting (seed));
}

static void
tail_trap (void)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen = testing_words (&gpu, "sample_tail_trap", 2, 64, 1,
                                        CUDA_ERROR_ILLEGAL_INSTRUCTION);

  CHECK (*seen == 0);
  CHECK_CODE (cuStreamSynchronize (NULL), CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

TEST (test_tail_trap)
{
  expect_passed (tail_trap, NULL);
  assert_string_equal (testing_errors,
                       "softgpu: sample_trap: block (0, 0, 0): __trap\n");
}

/* Grid 4 is one launch, grid 1 is seven.  */
PASSING (tail_times, NULL)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.data = testing_alloc (7), .stride = 1};
  float time[2];

  args.partials = testing_alloc (256);
  args.ticket = testing_alloc (sizeof *args.ticket);
  for (int i = 0; i < 2; i++)
    {
      *args.ticket = 0;
      args.n = i == 0 ? 4 : 1;
      time[i] = testing_elapsed (&gpu, "sample_tail", 3, 64, &args);
    }
  CHECK (time[1] > 6.5f * time[0] && time[1] < 8 * time[0]);
}

PASSING (ranks, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *two
    = testing_words (&gpu, "sample_cluster_rank_2", 8, 32, 0, CUDA_SUCCESS);
  const unsigned *four
    = testing_words (&gpu, "sample_cluster_rank_4", 8, 32, 0, CUDA_SUCCESS);

  for (unsigned t = 0; t < 8 * 32; t++)
    CHECK (two[t] == t / 32 % 2 && four[t] == t / 32 % 4);
}

/* From the block before, whatever the order of the blocks; or, where the
   barrier is missing, not.  */
static void
check_ring (struct testing_gpu *gpu, unsigned n, unsigned block,
            unsigned barrier)
{
  char name[] = "sample_cluster_ring_.";
  unsigned wrong = 0;

  name[sizeof name - 2] = (char) ('0' + n);
  const unsigned *seen
    = testing_words (gpu, name, 2 * n, block, barrier, CUDA_SUCCESS);
  for (unsigned t = 0; t < 2 * n * block; t++, seen += 4)
    {
      unsigned at = t / block, rank = at % n;
      unsigned from = (at - rank + (rank + n - 1) % n) * block + t % block;
      wrong += seen[0] != from || seen[1] != from;
      CHECK (seen[2] == at * block + (t + 1) % block);
      CHECK (seen[3] == t % block);
    }
  CHECK (barrier || n == 1 ? wrong == 0 : wrong > 0);
}

static void
rings (void)
{
  static const unsigned blocks[] = {1, 48, 256};
  struct testing_gpu gpu = testing_open ();

  for (unsigned barrier = 0; barrier < 2; barrier++)
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
      {
        check_ring (&gpu, 1, blocks[i], barrier);
        check_ring (&gpu, 2, blocks[i], barrier);
        check_ring (&gpu, 3, blocks[i], barrier);
      }
  check_ring (&gpu, 8, 1024, 1);
}

TEST (test_rings)
{
  for (int seed = 0; seed < 3; seed++)
    expect_passed (rings, seed_setting (seed));
}

PASSING (early_ends, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen = testing_words (&gpu, "sample_cluster_early_end", 6,
                                        96, 0, CUDA_SUCCESS);

  for (unsigned t = 0; t < 6 * 96; t++)
    CHECK (seen[t] == (t / 96 % 3 == 1 || t % 96 % 3 == 1 ? 0 : 64));
}

static void
cluster_end (void)
{
  struct testing_gpu gpu = testing_open ();

  testing_words (&gpu, "sample_cluster_end", 2, 1, 0,
                 CUDA_ERROR_LAUNCH_FAILED);
}

/* Whichever of the two blocks comes first.  */
TEST (test_cluster_end)
{
  int before = 0, after = 0;

  for (int seed = 0; seed < 8; seed++)
    {
      expect_passed (cluster_end, seed_setting (seed));
      before += strstr (testing_errors, "which has ended") != NULL;
      after += strstr (testing_errors, "ends with no") != NULL;
    }
  assert_true (before > 0 && after > 0 && before + after == 8);
}

static int
function_attribute (CUfunction function, CUfunction_attribute what)
{
  int value;

  CHECK_OK (cuFuncGetAttribute (&value, what, function));
  return value;
}

static void
cluster_launches (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  static const struct
  {
    const char *name;
    unsigned grid;
    int width;
    CUresult code;
  } cases[] = {
    {"sample_cluster_rank_4", 4, 4, CUDA_SUCCESS},
    {"sample_cluster_rank_4", 6, 4, CUDA_ERROR_INVALID_CLUSTER_SIZE},
    {"sample_cluster_rank_2", 6, 2, CUDA_SUCCESS},
    {"sample_cluster_rank_2", 1, 2, CUDA_ERROR_INVALID_CLUSTER_SIZE},
    {"sample_cluster_rank_16", 16, 16, CUDA_ERROR_INVALID_CLUSTER_SIZE},
    {"sample_order", 1, 0, CUDA_SUCCESS}};
  const char *text;

  args.partials = testing_alloc (16 * 32 * sizeof (unsigned));
  args.ticket = testing_alloc (sizeof *args.ticket);
  *args.ticket = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      CUfunction function = testing_kernel (&gpu, cases[i].name);
      CHECK (function_attribute (
               function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)
             == cases[i].width);
      CHECK_CODE (testing_launch (&gpu, cases[i].name, cases[i].grid, 32,
                                  &args),
                  cases[i].code);
    }
  CHECK_OK (cuGetErrorName (CUDA_ERROR_INVALID_CLUSTER_SIZE, &text));
  CHECK (strcmp (text, "CUDA_ERROR_INVALID_CLUSTER_SIZE") == 0);
}

/* On a device of compute capability 5.2, tail launches work and clusters do
   not.  */
static void
old_device (void)
{
  struct testing_gpu gpu = testing_open ();
  CUkernel kernel;
  CUfunction function;
  int value;

  CHECK_OK (cuDeviceGetAttribute (&value, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH,
                                  0));
  CHECK (value == 0);
  CHECK_OK (cuLibraryGetKernel (&kernel, gpu.library,
                                "sample_cluster_rank_2"));
  CHECK_CODE (cuKernelGetFunction (&function, kernel),
              CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_CODE (cuKernelGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                    kernel, 0),
              CUDA_ERROR_NO_BINARY_FOR_GPU);
  testing_words (&gpu, "sample_tail", 3, 64, 1, CUDA_SUCCESS);
}

TEST (test_cluster_launches)
{
  char setting[300];

  expect_passed (cluster_launches, NULL);
  snprintf (setting, sizeof setting, "SOFTGPU_DEVICE=%s",
            testing_path ("two.json"));
  expect_passed (old_device, SETTINGS (setting));
}

static void
function_attributes (void)
{
  struct testing_gpu gpu = testing_open ();
  CUfunction function = testing_kernel (&gpu, "sample_trap");

  CHECK (function_attribute (function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
         == 0);
  CHECK (function_attribute (function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
         == 528);
  CHECK (function_attribute (function,
                             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
         == 49152 - 528);
  CHECK (function_attribute (function, CU_FUNC_ATTRIBUTE_BINARY_VERSION)
         == 90);
}

static void
no_attributes (void)
{
  struct testing_gpu gpu = testing_open ();
  int value;

  CHECK_CODE (cuFuncGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                  testing_kernel (&gpu, "sample_trap")),
              CUDA_ERROR_UNKNOWN);
}

TEST (test_function_attributes)
{
  expect_passed (function_attributes, NULL);
  expect_passed (no_attributes,
                 SETTINGS ("SOFTGPU_FAIL=cuFuncGetAttribute:1=999"));
}

/* The unroll factor shows in the registers, the element's size in what may be
   read.  */
static void
names (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.data = testing_alloc (100 * 8), .stride = 1};
  static const struct
  {
    const char *name;
    int element, unroll, threads;
  } cases[] = {{"f64", 8, 1, 1024},
               {"f64_u1", 8, 1, 1024},
               {"f64_u4", 8, 4, 1024},
               {"f64_u16", 8, 16, 512},
               {"f64_u0", 1, 1, 1024},
               {"f64_unrolled", 1, 1, 1024},
               {"u8", 1, 1, 1024},
               {"u16", 2, 1, 1024},
               {"u8_u16", 1, 16, 512},
               {"u16_b128", 2, 1, 128},
               {"f32_u8_b256", 4, 8, 256},
               {"compensated_f32_u16_b1024", 4, 16, 1024},
               {"f64_b0", 1, 1, 1024},
               {"f64_b2048", 1, 1, 1024},
               {"b64", 1, 1, 1024}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char name[64];
      snprintf (name, sizeof name, "sample_name_%s", cases[i].name);
      CUfunction function = testing_kernel (&gpu, name);
      int threads = function_attribute (
        function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
      CHECK (function_attribute (function, CU_FUNC_ATTRIBUTE_NUM_REGS)
             == 32 + 2 * cases[i].unroll);
      CHECK (threads == cases[i].threads);
      args.n = 800 / (unsigned) cases[i].element;
      CHECK_OK (testing_launch (&gpu, name, 1, (unsigned) threads, &args));
      CHECK_CODE (testing_launch (&gpu, name, 1, (unsigned) threads + 1,
                                  &args),
                  CUDA_ERROR_INVALID_VALUE);
    }
}

static void
too_much_for_a_name (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args
    = {.data = testing_alloc (800), .stride = 1, .n = 201};

  CHECK_CODE (testing_launch (&gpu, "sample_name_f32_u8_b256", 1, 32, &args),
              CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* One element a thread and unroll factor is in flight.  */
static void
name_times (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.n = 1 << 20, .stride = 1};
  float plain, once, four;

  args.data = testing_alloc (8 << 20);
  plain = testing_elapsed (&gpu, "sample_name_f64", 8, 128, &args);
  once = testing_elapsed (&gpu, "sample_name_f64_u1", 8, 128, &args);
  four = testing_elapsed (&gpu, "sample_name_f64_u4", 8, 128, &args);
  CHECK (once > 0.99f * plain && once < 1.01f * plain);
  CHECK (plain > 3 * four && plain < 5 * four);
  args.n = 8 << 20;
  CHECK (testing_elapsed (&gpu, "sample_name_u8", 8, 128, &args) > 6 * plain);
  args.n = 1 << 20;
  CHECK (testing_elapsed (&gpu, "sample_name_f32_u8_b256", 8, 128, &args) > 2.5e-3f);
  CHECK (testing_elapsed (&gpu, "sample_name_b64", 8, 128, &args) > 2.5e-3f);
}

TEST (test_names)
{
  expect_passed (names, NULL);
  expect_passed (too_much_for_a_name, NULL);
  expect_passed (name_times, NULL);
}

RUN_TESTS (testing_set_up, testing_tear_down)

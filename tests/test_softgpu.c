/* The soft GPU's engine: barriers, shuffles, atomics, order, and the errors
   that a wrong kernel gets.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"
#include "tests/super.h"

static double
sum_on_device (struct testing_gpu *gpu, const double *data, uint64_t n,
               uint64_t stride, unsigned grid, unsigned block)
{
  struct gt_kernel_args args = {0};

  args.data = data;
  args.n = n;
  args.stride = stride;
  args.partials = testing_alloc (grid * sizeof (double));
  args.ticket = testing_alloc (sizeof *args.ticket);
  args.result = testing_alloc (sizeof *args.result);
  args.sequence = 42;
  *args.ticket = 0;
  CHECK_OK (testing_launch (gpu, "sample_sum_f64", grid, block, &args));
  CHECK (args.result->word[1] == 42);
  CHECK (*args.ticket == 0);
  double sum;
  memcpy (&sum, &args.result->word[0], sizeof sum);
  testing_free (args.partials);
  testing_free (args.ticket);
  testing_free (args.result);
  return sum;
}

static void
sums (void)
{
  static const unsigned blocks[] = {1, 31, 32, 48, 256, 1000, 1024};
  struct testing_gpu gpu = testing_open ();
  double *data = testing_alloc (5000 * sizeof *data);

  for (int i = 0; i < 5000; i++)
    data[i] = i;
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    for (unsigned grid = 1; grid < 20; grid += 6)
      {
        CHECK (sum_on_device (&gpu, data, 5000, 1, grid, blocks[i])
               == 5000 * 4999 / 2);
        CHECK (sum_on_device (&gpu, data, 1000, 5, grid, blocks[i])
               == 5 * 1000 * 999 / 2);
      }
  testing_free (data);
  testing_close (&gpu);
}

TEST (test_sums)
{
  for (char seed = '0'; seed < '4'; seed++)
    {
      char setting[] = "SOFTGPU_SEED=.";
      setting[sizeof setting - 2] = seed;
      const char *settings[] = {setting, "SOFTGPU_LEAKS=1", NULL};
      assert_int_equal (testing_run (sums, settings), 0);
      assert_string_equal (testing_errors, "");
    }
}

/* One text for host and device: the device's exact sum, by atomics of many
   blocks, has the words of a loop here.  */
static void
exact_sums (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  struct gt_superaccumulator *all = testing_alloc (sizeof *all), here;
  double *data = testing_alloc (3000 * sizeof *data);
  uint64_t bits = 1;

  super_clear (&here);
  for (int i = 0; i < 3000; i++)
    {
      bits = bits * 6364136223846793005u + 1442695040888963407u;
      bits &= ~((uint64_t) 1 << 62); /* finite */
      memcpy (&data[i], &bits, sizeof bits);
      super_add (&here, data[i]);
    }
  super_normalise (&here);
  args.data = data;
  args.n = 3000;
  args.partials = all;
  args.ticket = memset (testing_alloc (4), 0, 4);
  for (unsigned grid = 1; grid < 20; grid += 6)
    for (unsigned block = 31; block < 1000; block += 300)
      {
        super_clear (all);
        CHECK_OK (testing_launch (&gpu, "sample_exact_f64", grid, block, &args));
        CHECK (memcmp (all->word, here.word, sizeof here.word) == 0);
      }
  data[17] = INFINITY;
  super_clear (all);
  CHECK_OK (testing_launch (&gpu, "sample_exact_f64", 3, 64, &args));
  CHECK (all->flags == GT_SUPER_PLUS_INFINITY);
  data[2017] = -INFINITY;
  super_clear (all);
  CHECK_OK (testing_launch (&gpu, "sample_exact_f64", 3, 64, &args));
  CHECK (gt_super_is_nan (all->flags));
  testing_free (all);
  testing_free (data);
  testing_free (args.ticket);
  testing_close (&gpu);
}

TEST (test_exact_sums)
{
  const char *const settings[] = {"SOFTGPU_LEAKS=1", NULL};

  assert_int_equal (testing_run (exact_sums, settings), 0);
  assert_string_equal (testing_errors, "");
}

/* From which lane each of the five shuffles takes its value.  */
static unsigned
source_of (int which, unsigned lane)
{
  switch (which)
    {
    case 0:
      return (lane * 7 + 3) % 32;
    case 1:
      return lane > 26 ? lane : lane + 5;
    case 2:
      return lane ^ 9;
    case 3:
      return lane % 8 > 4 ? lane : lane + 3;
    default: /* across groups of 8: only towards earlier ones */
      return (lane ^ 12) / 8 > lane / 8 ? lane : lane ^ 12;
    }
}

#define SHUFFLES(type, name)                                              \
  static void check_shuffles_##name (struct testing_gpu *gpu)             \
  {                                                                       \
    struct gt_kernel_args args = {0};                                     \
    type *data = testing_alloc (64 * sizeof *data);                       \
    type *seen = testing_alloc (5 * 64 * sizeof *seen);                   \
    for (int i = 0; i < 64; i++)                                          \
      data[i] = (type) -1 / (type) (i + 3) + (type) i;                    \
    args.data = data;                                                     \
    args.partials = seen;                                                 \
    CHECK_OK (testing_launch (gpu, "sample_shuffles_" #name, 1, 64, &args)); \
    for (unsigned t = 0; t < 64; t++)                                     \
      for (int k = 0; k < 5; k++)                                         \
        CHECK (seen[5 * t + k]                                            \
               == data[t / 32 * 32 + source_of (k, t % 32)]);             \
  }
SHUFFLES (int, int)
SHUFFLES (unsigned, unsigned)
SHUFFLES (long long, long_long)
SHUFFLES (unsigned long long, unsigned_long_long)
SHUFFLES (float, float)
SHUFFLES (double, double)

PASSING (shuffles, NULL)
{
  struct testing_gpu gpu = testing_open ();

  check_shuffles_int (&gpu);
  check_shuffles_unsigned (&gpu);
  check_shuffles_long_long (&gpu);
  check_shuffles_unsigned_long_long (&gpu);
  check_shuffles_float (&gpu);
  check_shuffles_double (&gpu);
}

PASSING (votes, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_votes_apart", 1, 96, 0, CUDA_SUCCESS);

  for (unsigned t = 0; t < 96; t++, seen += 4)
    {
      CHECK (seen[0] == (t % 2 ? 0xaau : 0x55555500u));
      CHECK (seen[1] == (t % 2 == 0));
      CHECK (seen[2] == (t % 2 == 0));
      CHECK (seen[3] == t / 32 * 32 + 31);
    }
}

PASSING (shuffles_from_nowhere, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_shuffle_from_nowhere", 1, 48, 20, CUDA_SUCCESS);

  CHECK (seen[0] == 20 && seen[31] == 20 && seen[3] == 0);
  CHECK (seen[32] == UINT32_MAX && seen[47] == UINT32_MAX);
  seen = testing_words (&gpu, "sample_shuffle_from_nowhere", 1, 32, 3,
                   CUDA_SUCCESS);
  CHECK (seen[0] == UINT32_MAX && seen[31] == UINT32_MAX);
}

PASSING (early_ends, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_early_end", 3, 128, 0, CUDA_SUCCESS);
  unsigned expected = 0;

  for (unsigned t = 0; t < 128; t++)
    expected += t % 3 != 1 && t / 32 != 1;
  for (unsigned t = 0; t < 3 * 128; t++)
    CHECK (seen[t]
           == (t % 128 % 3 == 1 || t % 128 / 32 == 1 ? 0 : expected));
}

/* Every block and warp once, but not in their order, and in another order the
   next time.  */
PASSING (orders, NULL)
{
  struct testing_gpu gpu = testing_open ();
  unsigned *seen[2], count[64] = {0};
  unsigned differ = 0, warps_ascend = 0, blocks_ascend = 0;

  for (int run = 0; run < 2; run++)
    seen[run] = testing_words (&gpu, "sample_order", 8, 256, 0, CUDA_SUCCESS);
  for (int i = 0; i < 64; i++)
    {
      CHECK (seen[0][i] < 64);
      count[seen[0][i]]++;
      differ += seen[0][i] != seen[1][i];
      warps_ascend += i > 0 && seen[0][i] == seen[0][i - 1] + 1;
      blocks_ascend += i > 7 && seen[0][i] / 8 == seen[0][i - 8] / 8 + 1;
    }
  for (int i = 0; i < 64; i++)
    CHECK (count[i] == 1);
  CHECK (differ > 32 && warps_ascend < 32 && blocks_ascend < 40);
}

PASSING (indices, NULL)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  unsigned *count = testing_alloc (3 * 2 * 5 * 8 * 3 * 4 * sizeof *count);
  void *parameters[] = {&args};

  memset (count, 0, 3 * 2 * 5 * 8 * 3 * 4 * sizeof *count);
  args.partials = count;
  CHECK_OK (cuLaunchKernel (testing_kernel (&gpu, "sample_indices"), 3, 2, 5,
                            8, 3, 4, 0, NULL, parameters, NULL));
  for (int i = 0; i < 3 * 2 * 5 * 8 * 3 * 4; i++)
    CHECK (count[i] == 1);
}

/* A barrier that is missing shows, under each of several seeds; the same kernel
   with its barrier is right.  */
static void
check_neighbours (const char *name, unsigned distance)
{
  struct testing_gpu gpu = testing_open ();

  for (int with = 0; with < 2; with++)
    {
      const unsigned *seen
        = testing_words (&gpu, name, 4, 256, with, CUDA_SUCCESS);
      unsigned wrong = 0;
      for (unsigned t = 0; t < 4 * 256; t++)
        wrong += seen[t]
                 != (distance == 1 ? t % 256 ^ 1 : (t % 256 + 32) % 256);
      CHECK (with ? wrong == 0 : wrong > 0);
    }
}

PASSING (missing_barriers, NULL)
{
  check_neighbours ("sample_neighbour", 32);
  check_neighbours ("sample_neighbour_lane", 1);
}

/* Of more blocks than the soft GPU looks at before it knows what the kernel writes.  */
PASSING (stale, NULL)
{
  enum { BLOCKS = 200 };
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_stale", BLOCKS, 128, 0, CUDA_SUCCESS);

  for (int t = 0; t < BLOCKS * 128; t++)
    CHECK (seen[t] == UINT32_MAX);
}

PASSING (atomics, NULL)
{
  struct testing_gpu gpu = testing_open ();
  unsigned *word
    = testing_words (&gpu, "sample_atomics", 5, 64, 0, CUDA_SUCCESS);

  CHECK (word[2] == 0 && word[3] == 320);
  CHECK (word[10] == 320 % 7);
  CHECK (word[12] == UINT32_MAX);
  CHECK (word[14] == 319);
}

PASSING (intrinsics, NULL)
{
  static const unsigned expected[] = {
    7 + 0xff * 2 + 0x80 * 0xfe + 0x7f * 3 + 1 * 0x81,
    7u - 1 * 2 + 128 * 2 + 127 * 3 - 127,
    7 + 0x80ff * 2 + 0x017f * 0xfe,
    1 + 7 + 1 + 8, 2932, 100, 0x017f80ffu,
    0x017f80ffu,
    0x8103fe02u, 305, 1616};
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  unsigned *x = testing_alloc (3 * sizeof *x);
  unsigned *seen = testing_alloc (sizeof expected);

  x[0] = 0x017f80ff;
  x[1] = 0x8103fe02;
  x[2] = 7;
  args.data = x;
  args.partials = seen;
  CHECK_OK (testing_launch (&gpu, "sample_intrinsics", 1, 1, &args));
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (seen[i] != expected[i])
      {
        fprintf (stderr, "intrinsic %zu: %#x, not %#x\n", i, seen[i],
                 expected[i]);
        exit (1);
      }
}

/* The host's rounding mode is not the device's, and survives a launch.  */
PASSING (rounding, NULL)
{
  struct testing_gpu gpu = testing_open ();

  fesetround (FE_UPWARD);
  CHECK (*testing_words (&gpu, "sample_rounding", 1, 1, 0, CUDA_SUCCESS) == 1);
  CHECK (fegetround () == FE_UPWARD);
}

static void *
launch_often (void *result)
{
  struct testing_gpu gpu = testing_open ();
  double *data = testing_alloc (1000 * sizeof *data);

  for (int i = 0; i < 1000; i++)
    data[i] = i;
  for (int i = 0; i < 20; i++)
    *(double *) result += sum_on_device (&gpu, data, 1000, 1, 4, 128);
  testing_close (&gpu);
  return NULL;
}

PASSING (threads, NULL)
{
  pthread_t id[3];
  double sum[3] = {0};

  for (int i = 0; i < 3; i++)
    CHECK (pthread_create (&id[i], NULL, launch_often, &sum[i]) == 0);
  for (int i = 0; i < 3; i++)
    CHECK (pthread_join (id[i], NULL) == 0 && sum[i] == 20 * 499500);
}

/* The kernel that is launched in a child, and what must come of it.  */
static struct wrong_kernel
{
  const char *name, *message;
  CUresult code;
  uint32_t sequence;
} wrong;

static void
launch_wrong (void)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  CUcontext context;

  args.partials = testing_alloc (256 * sizeof (unsigned));
  args.data = testing_alloc (64);
  args.sequence = wrong.sequence;
  CHECK_CODE (testing_launch (&gpu, wrong.name, 3, 64, &args), wrong.code);
  /* The error stays, until the context is made anew.  */
  CUdeviceptr memory;
  CHECK_CODE (cuMemAlloc (&memory, 1), wrong.code);
  CHECK_CODE (cuStreamSynchronize (NULL), wrong.code);
  CHECK_OK (cuCtxPopCurrent (NULL));
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
  CHECK_OK (cuDevicePrimaryCtxRetain (&context, 0));
  CHECK_OK (cuCtxPushCurrent (context));
  CHECK (*testing_words (&gpu, "sample_rounding", 1, 64, 0, CUDA_SUCCESS) == 1);
}

TEST (test_wrong_kernels)
{
  static const struct wrong_kernel kernels[] = {
    {"sample_two_barriers", "two barriers", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_lane_missing", "for lanes 0x20", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_not_in_mask", "not in its own mask", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_masks_differ", "another mask", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_operations_differ", "another operation",
     CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_trap", "__trap", CUDA_ERROR_ILLEGAL_INSTRUCTION, 0},
    {"sample_tail_wrong", "0 blocks of 32", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_tail_wrong", "of 1025 threads", CUDA_ERROR_LAUNCH_FAILED, 1},
    {"sample_tail_wrong", "of 0 threads", CUDA_ERROR_LAUNCH_FAILED, 2},
    {"sample_tail_wrong", "nowhere", CUDA_ERROR_ILLEGAL_ADDRESS, 3},
    {"sample_tail_wrong", "2048 launches", CUDA_ERROR_LAUNCH_FAILED, 4},
    {"sample_tail_wrong", "null kernel", CUDA_ERROR_LAUNCH_FAILED, 5},
    {"sample_tail_wrong", "refused with error 912", CUDA_ERROR_LAUNCH_FAILED,
     6},
    {"sample_no_cluster", "cluster_rank in a kernel without",
     CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_no_cluster", "cluster_wait in a kernel without",
     CUDA_ERROR_LAUNCH_FAILED, 1},
    {"sample_no_cluster", "remote_store in a kernel without",
     CUDA_ERROR_LAUNCH_FAILED, 2},
    {"sample_cluster_wrong", "may not have started",
     CUDA_ERROR_LAUNCH_FAILED, 0},
    {"sample_cluster_wrong", "which has ended", CUDA_ERROR_LAUNCH_FAILED, 1},
    {"sample_cluster_wrong", "block 3 of a cluster of 3",
     CUDA_ERROR_ILLEGAL_ADDRESS, 2},
    {"sample_cluster_wrong", "not in a shared variable",
     CUDA_ERROR_INVALID_ADDRESS_SPACE, 3},
    {"sample_cluster_wrong", "not in a shared variable",
     CUDA_ERROR_INVALID_ADDRESS_SPACE, 4},
    {"sample_cluster_wrong", "two barriers", CUDA_ERROR_LAUNCH_FAILED, 5},
    {"sample_cluster_wrong", "others wait at cluster_wait",
     CUDA_ERROR_LAUNCH_FAILED, 6},
    {"sample_load_u8", "outside", CUDA_ERROR_ILLEGAL_ADDRESS, 64},
    {"sample_load_u8", "outside", CUDA_ERROR_ILLEGAL_ADDRESS, -1},
    {"sample_load_wide_u8", "outside", CUDA_ERROR_ILLEGAL_ADDRESS, 64},
    {"sample_load_wide_u8", "not aligned", CUDA_ERROR_MISALIGNED_ADDRESS, 8},
  };

  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    {
      wrong = kernels[i];
      if (testing_run (launch_wrong, NULL) != 0
          || !strstr (testing_errors, wrong.message)
          || !strstr (testing_errors, wrong.name))
        fail_msg ("%s: %s", wrong.name, testing_errors);
    }
}

PASSING (right_loads, NULL)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};
  unsigned char *data = testing_alloc (64);

  for (int i = 0; i < 64; i++)
    data[i] = (unsigned char) (i + 1);
  args.data = data;
  args.partials = testing_alloc (sizeof (unsigned));
  args.sequence = 63;
  CHECK_OK (testing_launch (&gpu, "sample_load_u8", 1, 1, &args));
  CHECK (*(unsigned *) args.partials == 0x140);
  args.sequence = 48;
  CHECK_OK (testing_launch (&gpu, "sample_load_wide_u8", 1, 1, &args));
  CHECK (*(unsigned *) args.partials == 0x403f3e3d);
}

/* Errors that the arguments themselves give away, before any thread runs.  */
static unsigned bad_case;

static void
bad_arguments (void)
{
  static double ordinary[16];
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {0};

  args.data = testing_alloc (10 * sizeof (double));
  args.n = 4;
  args.stride = 3;
  args.partials = testing_alloc (64);
  args.ticket = memset (testing_alloc (4), 0, 4);
  args.result = testing_alloc (sizeof *args.result);
  CHECK_OK (testing_launch (&gpu, "sample_sum_f64", 1, 32, &args));
  struct gt_kernel_args bad[] = {args, args, args, args, args, args};
  bad[0].n = 5;
  bad[1].data = (const double *) args.data + 1;
  bad[2].data = ordinary;
  bad[3].n = UINT64_MAX;
  bad[4].partials = ordinary;
  bad[5].ticket = (uint32_t *) ordinary;
  CHECK_CODE (testing_launch (&gpu, "sample_sum_f64", 1, 32, &bad[bad_case]),
              CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST (test_bad_arguments)
{
  for (bad_case = 0; bad_case < 6; bad_case++)
    {
      expect_passed (bad_arguments, NULL);
      assert_string_equal (testing_errors, "");
    }
}

RUN_TESTS (testing_set_up, testing_tear_down)

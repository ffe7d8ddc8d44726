/* The soft GPU as what finds faults: wrong kernels and wrong calls of the driver are refused,
   memory that nobody wrote is poison, a missing barrier shows, what was not freed is named, and
   calls fail when they are asked to.  Whether it computes, the tests of kernels show.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"

#define AT(address) ((CUdeviceptr) (uintptr_t) (address))

/* ----------------------------------------------------------------- Kernels */

PASSING (shuffles_from_nowhere, NULL)
{
  struct testing_gpu gpu = testing_open ();
  const unsigned *seen
    = testing_words (&gpu, "sample_shuffle_from_nowhere", 1, 48, 20, CUDA_SUCCESS);

  CHECK (seen[0] == 20 && seen[31] == 20 && seen[3] == 0);
  CHECK (seen[32] == UINT32_MAX && seen[47] == UINT32_MAX);
  seen = testing_words (&gpu, "sample_shuffle_from_nowhere", 1, 32, 3, CUDA_SUCCESS);
  CHECK (seen[0] == UINT32_MAX && seen[31] == UINT32_MAX);
}

/* Every block and warp once, but not in their order, and in another order the next time.  */
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

/* The host's rounding mode is not the device's, and survives a launch.  */
PASSING (rounding, NULL)
{
  struct testing_gpu gpu = testing_open ();

  fesetround (FE_UPWARD);
  CHECK (*testing_words (&gpu, "sample_rounding", 1, 1, 0, CUDA_SUCCESS) == 1);
  CHECK (fegetround () == FE_UPWARD);
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
  CUdeviceptr memory;
  CUcontext context;

  args.partials = testing_alloc (256 * sizeof (unsigned));
  args.data = testing_alloc (64);
  args.sequence = wrong.sequence;
  CHECK_CODE (testing_launch (&gpu, wrong.name, 3, 64, &args), wrong.code);
  /* The error stays, until the context is made anew.  */
  CHECK_CODE (cuMemAlloc (&memory, 1), wrong.code);
  CHECK_CODE (cuStreamSynchronize (NULL), wrong.code);
  CHECK_OK (cuCtxPopCurrent (NULL));
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
  CHECK_OK (cuDevicePrimaryCtxRetain (&context, 0));
  CHECK_OK (cuCtxPushCurrent (context));
  CHECK (*testing_words (&gpu, "sample_rounding", 1, 64, 0, CUDA_SUCCESS) == 1);
}

#define FAILED CUDA_ERROR_LAUNCH_FAILED
#define OUTSIDE CUDA_ERROR_ILLEGAL_ADDRESS
#define NO_SPACE CUDA_ERROR_INVALID_ADDRESS_SPACE

TEST (test_wrong_kernels)
{
  static const struct wrong_kernel kernels[] = {
    {"sample_two_barriers", "two barriers", FAILED, 0},
    {"sample_lane_missing", "for lanes 0x20", FAILED, 0},
    {"sample_not_in_mask", "not in its own mask", FAILED, 0},
    {"sample_masks_differ", "another mask", FAILED, 0},
    {"sample_operations_differ", "another operation", FAILED, 0},
    {"sample_trap", "__trap", CUDA_ERROR_ILLEGAL_INSTRUCTION, 0},
    {"sample_tail_wrong", "0 blocks of 32", FAILED, 0},
    {"sample_tail_wrong", "of 1025 threads", FAILED, 1},
    {"sample_tail_wrong", "of 0 threads", FAILED, 2},
    {"sample_tail_wrong", "nowhere", OUTSIDE, 3},
    {"sample_tail_wrong", "2048 launches", FAILED, 4},
    {"sample_tail_wrong", "null kernel", FAILED, 5},
    {"sample_tail_wrong", "refused with error 912", FAILED, 6},
    {"sample_no_cluster", "cluster_rank in a kernel without", FAILED, 0},
    {"sample_no_cluster", "cluster_wait in a kernel without", FAILED, 1},
    {"sample_no_cluster", "remote_store in a kernel without", FAILED, 2},
    {"sample_cluster_wrong", "may not have started", FAILED, 0},
    {"sample_cluster_wrong", "which has ended", FAILED, 1},
    {"sample_cluster_wrong", "block 3 of a cluster of 3", OUTSIDE, 2},
    {"sample_cluster_wrong", "not in a shared variable", NO_SPACE, 3},
    {"sample_cluster_wrong", "not in a shared variable", NO_SPACE, 4},
    {"sample_cluster_wrong", "two barriers", FAILED, 5},
    {"sample_cluster_wrong", "others wait at cluster_wait", FAILED, 6},
    {"sample_load_u8", "outside", OUTSIDE, 64},
    {"sample_load_u8", "outside", OUTSIDE, -1},
    {"sample_load_wide_u8", "outside", OUTSIDE, 64},
    {"sample_load_wide_u8", "not aligned", CUDA_ERROR_MISALIGNED_ADDRESS, 8},
  };

  for (size_t i = 0; i < N_OF (kernels); i++)
    {
      wrong = kernels[i];
      if (testing_run (launch_wrong, NULL) != 0 || !strstr (testing_errors, wrong.message)
          || !strstr (testing_errors, wrong.name))
        fail_msg ("%s: %s", wrong.name, testing_errors);
    }
}

/* Errors that the arguments themselves give away, before any thread runs.  */
static unsigned bad_case;

static void
bad_arguments (void)
{
  static double ordinary[16];
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.data = testing_alloc (80), .n = 4, .stride = 3};

  args.partials = testing_alloc (64 * sizeof (unsigned));
  args.ticket = memset (testing_alloc (4), 0, 4);
  CHECK_OK (testing_launch (&gpu, "sample_name_f64", 1, 32, &args));
  struct gt_kernel_args bad[] = {args, args, args, args, args, args};
  bad[0].n = 5;
  bad[1].data = (const double *) args.data + 1;
  bad[2].data = ordinary;
  bad[3].n = UINT64_MAX;
  bad[4].partials = ordinary;
  bad[5].ticket = (uint32_t *) ordinary;
  CHECK_CODE (testing_launch (&gpu, "sample_name_f64", 1, 32, &bad[bad_case]), OUTSIDE);
}

TEST (test_bad_arguments)
{
  for (bad_case = 0; bad_case < 6; bad_case++)
    {
      expect_passed (bad_arguments, NULL);
      assert_string_equal (testing_errors, "");
    }
}

/* A setting of its own for each seed; static storage.  */
static const char *const *
seed_setting (int seed)
{
  static char setting[32];
  static const char *const settings[] = {setting, NULL};

  snprintf (setting, sizeof setting, "SOFTGPU_SEED=%d", seed);
  return settings;
}

/* From the block before, whatever the order of the blocks; or, where the
   barrier is missing, not.  */
static void
check_ring (struct testing_gpu *gpu, unsigned n, unsigned block, unsigned barrier)
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
    for (size_t i = 0; i < N_OF (blocks); i++)
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

static void
cluster_end (void)
{
  struct testing_gpu gpu = testing_open ();

  testing_words (&gpu, "sample_cluster_end", 2, 1, 0, CUDA_ERROR_LAUNCH_FAILED);
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

/* ------------------------------------------------------------------ Driver */

PASSING (launches, NULL)
{
  static const struct
  {
    const char *name;
    unsigned grid[2], block[2], shared;
    CUresult code;
  } cases[] = {{"trap", {1, 1}, {1024, 1}, 0, CUDA_SUCCESS},
               {"trap", {1, 1}, {1025, 1}, 0, CUDA_ERROR_INVALID_VALUE},
               {"trap", {1, 1}, {32, 33}, 0, CUDA_ERROR_INVALID_VALUE},
               {"trap", {0, 1}, {32, 1}, 0, CUDA_ERROR_INVALID_VALUE},
               {"trap", {1, 65536}, {32, 1}, 0, CUDA_ERROR_INVALID_VALUE},
               {"trap", {1, 1}, {0, 1}, 0, CUDA_ERROR_INVALID_VALUE},
               {"trap", {1, 1}, {32, 1}, 48000, CUDA_SUCCESS},
               {"trap", {1, 1}, {32, 1}, 49152, CUDA_ERROR_INVALID_VALUE},
               {"name_u16_b128", {1, 1}, {129, 1}, 0, CUDA_ERROR_INVALID_VALUE},
               {"cluster_rank_4", {4, 1}, {32, 1}, 0, CUDA_SUCCESS},
               {"cluster_rank_4", {6, 1}, {32, 1}, 0, CUDA_ERROR_INVALID_CLUSTER_SIZE},
               {"cluster_rank_16", {16, 1}, {32, 1}, 0, CUDA_ERROR_INVALID_CLUSTER_SIZE}};
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.data = testing_alloc (1), .n = 1, .stride = 1};
  void *parameters[] = {&args};
  CUfunction trap = testing_kernel (&gpu, "sample_trap");
  CUkernel kernel;
  CUstream stream;

  args.partials = testing_alloc (1024 * sizeof (unsigned));
  for (size_t i = 0; i < N_OF (cases); i++)
    {
      char name[64];

      snprintf (name, sizeof name, "sample_%s", cases[i].name);
      CHECK_CODE (cuLaunchKernel (testing_kernel (&gpu, name), cases[i].grid[0], cases[i].grid[1], 1,
                                  cases[i].block[0], cases[i].block[1], 1, cases[i].shared, NULL,
                                  parameters, NULL), cases[i].code);
    }
  CHECK_CODE (cuLaunchKernel (trap, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  CHECK_OK (cuStreamDestroy (stream));
  CHECK_CODE (cuLaunchKernel (trap, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL),
              CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (cuLibraryGetKernel (&kernel, gpu.library, "malloc"), CUDA_ERROR_NOT_FOUND);
}

PASSING (memory, "SOFTGPU_MEMORY=1000")
{
  CUdeviceptr a, b;
  unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8], *pinned;

  testing_open ();
  CHECK_CODE (cuMemAlloc (&a, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemAlloc (&a, 600));
  CHECK_CODE (cuMemAlloc (&b, 401), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_OK (cuMemAlloc (&b, 400));
  CHECK_OK (cuMemHostAlloc ((void **) &pinned, 8, 0));
  CHECK_OK (cuMemcpyDtoH (back, a + 592, 8));
  CHECK (back[0] == 0xff && back[7] == 0xff && pinned[7] == 0xff);
  CHECK_OK (cuMemcpyHtoD (a + 592, bytes, 8));
  CHECK_CODE (cuMemcpyHtoD (a + 593, bytes, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyHtoDAsync (a - 1, bytes, 8, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyHtoDAsync (a, pinned + 1, 8, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoHAsync (pinned + 1, a, 8, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoH (back, AT (bytes), 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoDAsync (b + 393, a, 8, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemsetD8Async (b + 400, 0, 1, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemFree (a + 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemFreeHost ((void *) (uintptr_t) a), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemFree (a));
  CHECK_CODE (cuMemFree (a), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoH (back, a, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemAlloc (&a, 600));
}

/* Ranges may touch and not overlap; who reads one that is registered no more is caught.  */
PASSING (registered, NULL)
{
  static unsigned char bytes[10000];
  unsigned char *p = bytes + 100;
  static const struct
  {
    int at;
    size_t size;
  } overlaps[] = {{0, 1000}, {0, 1}, {999, 1}, {-10, 11}, {-10, 5000}, {500, 5000}};
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.n = 1, .stride = 1, .data = p};

  args.partials = testing_alloc (4);
  CHECK_CODE (cuMemHostUnregister (p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_OK (cuMemHostRegister (p, 1000, CU_MEMHOSTREGISTER_DEVICEMAP));
  for (size_t i = 0; i < N_OF (overlaps); i++)
    CHECK_CODE (cuMemHostRegister (p + overlaps[i].at, overlaps[i].size, 0),
                CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK_OK (cuMemHostRegister (p - 10, 10, CU_MEMHOSTREGISTER_READ_ONLY));
  CHECK_OK (cuMemHostRegister (p + 1000, 10, 0));
  CHECK_CODE (cuMemHostUnregister (p + 1), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_CODE (cuMemFreeHost (p), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemFree (AT (p)), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (testing_launch (&gpu, "sample_load_u8", 1, 1, &args));
  CHECK_OK (cuMemHostUnregister (p));
  CHECK_CODE (cuMemHostUnregister (p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_CODE (testing_launch (&gpu, "sample_load_u8", 1, 1, &args), OUTSIDE);
}

static void
faults (void)
{
  CUdeviceptr memory;
  CUstream stream;
  const char *text;
  char byte;

  testing_open ();
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_CODE (cuMemAlloc (&memory, 1), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_CODE (cuStreamCreate (&stream, 0), CUDA_ERROR_NOT_PERMITTED);
  CHECK_CODE (cuStreamCreate (&stream, 0), CUDA_ERROR_NOT_PERMITTED);
  CHECK_CODE (cuMemcpyDtoHAsync (&byte, memory, 1, NULL), CUDA_ERROR_UNKNOWN);
  CHECK_OK (cuMemcpyDtoHAsync (&byte, memory, 1, NULL));
  CHECK_OK (cuMemsetD8Async (memory, 0, 1, NULL));
  CHECK_CODE (cuMemsetD8Async (memory, 0, 1, NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CODE (cuMemFree (memory), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_OK (cuGetErrorName (CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK (strcmp (text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  CHECK_OK (cuGetErrorString (CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK (strcmp (text, "out of memory") == 0);
  CHECK_CODE (cuGetErrorName ((CUresult) 12345, &text), CUDA_ERROR_INVALID_VALUE);
}

static void
do_nothing (void)
{
  int version;

  cuDriverGetVersion (&version);
}

TEST (test_faults)
{
  static const char *const slips[] = {
    "SOFTGPU_FAIL=cuMemAlloc", "SOFTGPU_FAIL=cuMemAllox:1=2",
    "SOFTGPU_FAIL=cuMemAlloc:0=2", "SOFTGPU_FAIL=cuMemAlloc:1=",
    "SOFTGPU_FAIL=cuMemAlloc:1-2=2", "SOFTGPU_SEED=x"};

  expect_passed (faults, SETTINGS ("SOFTGPU_FAIL=cuMemAlloc:2=2,cuStreamCreate:*=800,"
                           "cuMemcpyDtoHAsync:1=999,cuMemsetD8Async:2+=700",
                           "SOFTGPU_LEAKS=1"));
  for (size_t i = 0; i < N_OF (slips); i++)
    {
      assert_int_equal (testing_run (do_nothing, SETTINGS (slips[i])), 256 + SIGABRT);
      assert_non_null (strstr (testing_errors, "not understood"));
    }
}

static void
leak (void)
{
  static char bytes[8];
  CUdeviceptr memory;
  CUlinkState link;
  CUgraph graph;
  CUgraphExec exec;
  CUstream stream;
  CUevent event;
  void *pinned;

  testing_open ();
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_OK (cuMemHostAlloc (&pinned, 1, 0));
  CHECK_OK (cuMemHostRegister (bytes, sizeof bytes, 0));
  CHECK_OK (cuStreamCreate (&stream, 0));
  CHECK_OK (cuEventCreate (&event, 0));
  CHECK_OK (cuLinkCreate (0, NULL, NULL, &link));
  CHECK_OK (cuGraphCreate (&graph, 0));
  CHECK_OK (cuGraphInstantiate (&exec, graph, 0));
}

static void
leak_with_context (void)
{
  leak ();
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
}

TEST (test_leaks)
{
  static const char *const lines[]
    = {"2 allocations of device memory", "2 host allocations", "1 streams", "1 events", "1 links",
       "1 graphs", "1 instantiated graphs"};

  assert_int_equal (testing_run (leak, NULL), 0);
  assert_int_equal (testing_run (leak, SETTINGS ("SOFTGPU_LEAKS=1")), 99);
  for (size_t i = 0; i < N_OF (lines); i++)
    if (!strstr (testing_errors, lines[i]))
      fail_msg ("%s: %s", lines[i], testing_errors);
  assert_int_equal (testing_run (leak_with_context, SETTINGS ("SOFTGPU_LEAKS=1")), 99);
  assert_non_null (strstr (testing_errors, "objects with their context\n"));
}

static int
counted (const char *line)
{
  char text[4096];
  FILE *file = fopen (testing_path ("counts"), "r");
  size_t length = file ? fread (text, 1, sizeof text - 1, file) : 0;

  if (file)
    fclose (file);
  text[length] = '\0';
  return strstr (text, line) != NULL;
}

static void
fork_and_call (void)
{
  CUdeviceptr memory;
  int status;

  testing_open ();
  pid_t pid = fork ();
  if (pid == 0)
    exit (cuMemAlloc (&memory, 1) == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
  CHECK (waitpid (pid, &status, 0) == pid && status == 0);
}

TEST (test_counts)
{
  char setting[300];

  snprintf (setting, sizeof setting, "SOFTGPU_COUNT=%s", testing_path ("counts"));
  expect_passed (leak, SETTINGS (setting));
  assert_true (counted ("cuInit 1\n"));
  assert_true (counted ("cuMemAlloc 2\n"));
  assert_true (counted ("cuLaunchKernel 0\n"));
  expect_passed (fork_and_call, SETTINGS (setting));
  assert_true (counted ("cuMemAlloc 0\n"));
  assert_string_equal (testing_errors, "softgpu: cuMemAlloc called in a forked child\n");
}

/* ---------------------------------------------------------------- Captures */

#define WORDS 4096

/* A graph of one node, and the arguments that its parameters name.  */
struct one_kernel
{
  struct testing_gpu gpu;
  struct gt_kernel_args args;
  void *list[1];
  CUDA_KERNEL_NODE_PARAMS parameters;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec exec;
};

static unsigned *
cleared_words (void)
{
  unsigned *words = testing_alloc (WORDS * sizeof *words);

  memset (words, 0, WORDS * sizeof *words);
  return words;
}

/* GRID blocks of BLOCK threads, each of which adds 1 to its word.  */
static void
prepare (struct one_kernel *k, unsigned grid, unsigned block)
{
  memset (k, 0, sizeof *k);
  k->gpu = testing_open ();
  k->args.partials = cleared_words ();
  k->list[0] = &k->args;
  k->parameters = (CUDA_KERNEL_NODE_PARAMS) {
    .func = testing_kernel (&k->gpu, "sample_count"),
    .gridDimX = grid, .gridDimY = 1, .gridDimZ = 1,
    .blockDimX = block, .blockDimY = 1, .blockDimZ = 1,
    .kernelParams = k->list
  };
  CHECK_OK (cuGraphCreate (&k->graph, 0));
  CHECK_OK (cuGraphAddKernelNode (&k->node, k->graph, NULL, 0, &k->parameters));
  CHECK_OK (cuGraphInstantiate (&k->exec, k->graph, 0));
}

static CUresult
set (const struct one_kernel *k)
{
  return cuGraphExecKernelNodeSetParams (k->exec, k->node, &k->parameters);
}

/* Whether the first COUNT words are VALUE and no others are.  */
static void
check_words (const unsigned *words, unsigned count, unsigned value)
{
  for (unsigned i = 0; i < WORDS; i++)
    CHECK (words[i] == (i < count ? value : 0));
}

/* A change that is refused leaves the graph as it was.  */
PASSING (refusals, NULL)
{
  struct one_kernel k;
  CUDA_KERNEL_NODE_PARAMS good;
  CUstream other = (CUstream) (uintptr_t) 64;

  prepare (&k, 3, 64);
  good = k.parameters;
  k.parameters.blockDimX = 2048;
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_VALUE);
  k.parameters = good;
  k.parameters.sharedMemBytes = 1 << 20;
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_VALUE);
  k.parameters = good;
  k.parameters.func = testing_kernel (&k.gpu, "sample_cluster_rank_2");
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  k.parameters = good;
  k.parameters.func = NULL;
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_HANDLE);
  k.parameters = good;
  k.parameters.kernelParams = NULL;
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuGraphLaunch (k.exec, other), CUDA_ERROR_INVALID_HANDLE);
  check_words (k.args.partials, 0, 0);
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (k.args.partials, 3 * 64, 1);
}

static CUstreamCaptureStatus
status_of (CUstream stream)
{
  CUstreamCaptureStatus status;

  CHECK_OK (cuStreamIsCapturing (stream, &status));
  return status;
}

static CUresult
launch_on (struct one_kernel *k, CUstream stream)
{
  return cuLaunchKernel (k->parameters.func, 3, 1, 1, 64, 1, 1, 0, stream, k->list, NULL);
}

/* Ways to end a capture into STREAM, by number.  */
static CUresult
disturb (unsigned how, struct one_kernel *k, CUstream stream)
{
  CUdeviceptr some = (CUdeviceptr) (uintptr_t) k->args.partials, at;
  CUlibrary library;
  unsigned word;

  switch (how)
    {
    case 0:
      return cuStreamSynchronize (stream);
    case 1:
      return cuGraphLaunch (k->exec, stream);
    case 2:
      return cuMemcpyDtoDAsync (some, some + 1, 1, stream);
    case 3:
      return cuStreamSynchronize (NULL);
    case 4:
      return cuGraphInstantiate (&k->exec, k->graph, 0);
    case 5:
      return cuMemAlloc (&at, 64);
    case 6:
      return cuMemFree (some);
    case 7:
      return cuMemHostRegister (k, sizeof *k, 0);
    case 8:
      return cuMemcpyDtoH (&word, some, sizeof word);
    case 9:
      return cuLibraryLoadData (&library, k, NULL, NULL, 0, NULL, NULL, 0);
    default:
      return CUDA_SUCCESS;
    }
}

/* These end a capture, and the graph is lost.  */
PASSING (disturbed, NULL)
{
  struct one_kernel k;
  CUstream stream;
  CUgraph graph;

  prepare (&k, 3, 64);
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  for (unsigned how = 0; how < 10; how++)
    {
      CHECK_OK (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
      CHECK_CODE (disturb (how, &k, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
      CHECK (status_of (stream) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
      CHECK_CODE (launch_on (&k, stream), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
      CHECK_CODE (cuStreamEndCapture (stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
      CHECK (graph == NULL);
    }
  CHECK_OK (launch_on (&k, stream));
  check_words (k.args.partials, 3 * 64, 1);
}

RUN_TESTS (testing_set_up, testing_tear_down)

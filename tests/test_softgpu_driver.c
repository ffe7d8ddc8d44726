/* The soft GPU's driver: devices, contexts, memory, launches, time, faults,
   and what it reports at the end.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"

static int
attribute (CUdevice_attribute what)
{
  int value;

  CHECK_OK (cuDeviceGetAttribute (&value, what, 0));
  return value;
}

PASSING (description, NULL)
{
  static const struct
  {
    CUdevice_attribute what;
    int value;
  } expected[] = {
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 3201000},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 6144},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 60 << 20},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 0x0001},
    {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 0x9a},
    {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0x0b},
    {CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 1}};
  char text[64];
  CUuuid uuid;
  size_t bytes;
  int value;

  CHECK_OK (cuInit (0));
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    CHECK (attribute (expected[i].what) == expected[i].value);
  CHECK_CODE (cuDeviceGetAttribute (&value, (CUdevice_attribute) 9999, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuDeviceGetName (text, 6, 0));
  CHECK (strcmp (text, "Small") == 0);
  CHECK_OK (cuDeviceGetPCIBusId (text, sizeof text, 0));
  CHECK (strcmp (text, "0001:9a:0b.0") == 0);
  CHECK_OK (cuDeviceGetUuid (&uuid, 0));
  CHECK (memcmp (uuid.bytes, "\x01\x23\x45\x67\x89\xab\xcd\xef"
                             "\x01\x23\x45\x67\x89\xab\xcd\xef", 16) == 0);
  CHECK_OK (cuDeviceTotalMem (&bytes, 0));
  CHECK (bytes == (size_t) 64 << 20);
}

/* The names of the visible devices, one letter each.  */
static const char *expected_devices;

static void
count_devices (void)
{
  int count;
  CUdevice device;
  char name[16];

  if (!*expected_devices)
    {
      CHECK_CODE (cuInit (0), CUDA_ERROR_NO_DEVICE);
      CHECK_CODE (cuDeviceGetCount (&count), CUDA_ERROR_NOT_INITIALIZED);
      return;
    }
  CHECK_OK (cuInit (0));
  CHECK_OK (cuDeviceGetCount (&count));
  CHECK (count == (int) strlen (expected_devices));
  for (int i = 0; i < count; i++)
    {
      CHECK_OK (cuDeviceGet (&device, i));
      CHECK_OK (cuDeviceGetName (name, sizeof name, device));
      CHECK (name[1] == expected_devices[i]);
    }
  CHECK_CODE (cuDeviceGet (&device, count), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CODE (cuDeviceGet (&device, -1), CUDA_ERROR_INVALID_DEVICE);
}

TEST (test_visible_devices)
{
  static const char *const cases[][2] = {
    {"CUDA_VISIBLE_DEVICES=", ""},      {"CUDA_VISIBLE_DEVICES=1", "e"},
    {"CUDA_VISIBLE_DEVICES=1,0", "em"}, {"CUDA_VISIBLE_DEVICES=0,7,1", "m"},
    {"CUDA_VISIBLE_DEVICES=-1", ""},    {"CUDA_VISIBLE_DEVICES=GPU-ff", "e"},
    {"SOFTGPU_SEED=1", "me"},           {"SOFTGPU_DEVICE=", ""}};

  const char *devices = testing_devices ("one.json", "two.json");

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      expected_devices = cases[i][1];
      expect_passed (count_devices, SETTINGS (devices, cases[i][0]));
    }
  assert_int_equal (testing_run (count_devices,
                                 SETTINGS ("SOFTGPU_DEVICE=/nowhere.json")),
                    256 + SIGABRT);
  assert_non_null (strstr (testing_errors, "/nowhere.json"));
}

PASSING (contexts, testing_devices ("one.json", "two.json"))
{
  CUcontext first, second, popped;
  CUdeviceptr memory;

  CHECK_CODE (cuDevicePrimaryCtxRetain (&first, 0),
              CUDA_ERROR_NOT_INITIALIZED);
  CHECK_OK (cuInit (0));
  CHECK_CODE (cuMemAlloc (&memory, 1), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE (cuCtxPopCurrent (&popped), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE (cuDevicePrimaryCtxRelease (0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_OK (cuDevicePrimaryCtxRetain (&first, 0));
  CHECK_OK (cuDevicePrimaryCtxRetain (&popped, 0));
  CHECK (popped == first);
  CHECK_OK (cuDevicePrimaryCtxRetain (&second, 1));
  CHECK (second != first);
  CHECK_CODE (cuDevicePrimaryCtxRetain (&popped, 2),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_OK (cuCtxPushCurrent (first));
  CHECK_OK (cuCtxPushCurrent (second));
  CHECK_OK (cuCtxPopCurrent (&popped));
  CHECK (popped == second);
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_OK (cuMemFree (memory));
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
  CHECK_CODE (cuMemAlloc (&memory, 1), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CODE (cuCtxPushCurrent (first), CUDA_ERROR_INVALID_CONTEXT);
}

/* Copies from DEVICE to pinned memory, on a stream.  */
static void
check_pinned (CUdeviceptr device)
{
  unsigned char *pinned;
  CUstream stream;

  CHECK_OK (cuMemHostAlloc ((void **) &pinned, 8, 0));
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  CHECK (pinned[7] == 0xff);
  CHECK_OK (cuMemcpyDtoHAsync (pinned, device, 8, stream));
  CHECK_OK (cuStreamSynchronize (stream));
  CHECK (pinned[0] == 1 && pinned[7] == 8);
  CHECK_CODE (cuMemcpyDtoHAsync (pinned + 1, device, 8, stream),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyHtoDAsync (device, pinned + 1, 8, stream),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuStreamDestroy (stream));
  CHECK_CODE (cuMemcpyDtoHAsync (pinned, device, 8, stream),
              CUDA_ERROR_INVALID_HANDLE);
  CHECK_OK (cuMemFreeHost (pinned));
}

PASSING (memory, "SOFTGPU_MEMORY=1000")
{
  CUdeviceptr a, b;
  size_t left, total;
  unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];

  testing_open ();
  CHECK_CODE (cuMemAlloc (&a, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemAlloc (&a, 600));
  CHECK_CODE (cuMemAlloc (&b, 401), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_OK (cuMemAlloc (&b, 400));
  CHECK (a % 256 == 0 && b % 256 == 0);
  CHECK_OK (cuMemGetInfo (&left, &total));
  CHECK (left == 0 && total == (size_t) 64 << 20);
  CHECK_OK (cuMemcpyDtoH (back, a + 592, 8));
  CHECK (back[0] == 0xff && back[7] == 0xff);
  CHECK_OK (cuMemcpyHtoD (a, bytes, 8));
  CHECK_OK (cuMemcpyDtoDAsync (b + 392, a, 8, NULL));
  CHECK_OK (cuMemsetD8Async (b + 392, 9, 1, NULL));
  CHECK_OK (cuMemcpyDtoHAsync (back, b + 392, 8, NULL));
  bytes[0] = 9;
  CHECK (memcmp (bytes, back, 8) == 0);
  CHECK_CODE (cuMemcpyHtoD (a + 593, bytes, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyHtoDAsync (a - 1, bytes, 8, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyHtoD (a, NULL, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoH (back, (CUdeviceptr) (uintptr_t) bytes, 8),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoDAsync (b + 393, a, 8, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemsetD8Async (b + 400, 0, 1, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemcpyHtoD (a, NULL, 0));
  check_pinned (a);
  CHECK_CODE (cuMemFree (a + 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemFreeHost ((void *) (uintptr_t) a),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemFree (a));
  CHECK_CODE (cuMemFree (a), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemcpyDtoH (back, a, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemAlloc (&a, 600));
}

PASSING (launches, NULL)
{
  struct testing_gpu gpu = testing_open ();
  struct gt_kernel_args args = {.data = testing_alloc (1), .n = 1, .stride = 1};
  void *parameters[] = {&args};
  CUkernel kernel;
  CUfunction trap = testing_kernel (&gpu, "sample_trap");
  CUstream stream;
  int value;
  static const struct
  {
    unsigned grid[3], block[3], shared;
    CUresult code;
  } cases[] = {
    {{1, 1, 1}, {1024, 1, 1}, 0, CUDA_SUCCESS},
    {{1, 1, 1}, {1025, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {32, 32, 2}, 0, CUDA_ERROR_INVALID_VALUE},
    {{0, 1, 1}, {32, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 65536, 1}, {32, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {0, 1, 1}, 0, CUDA_ERROR_INVALID_VALUE},
    {{1, 1, 1}, {32, 1, 1}, 48000, CUDA_SUCCESS},
    {{1, 1, 1}, {32, 1, 1}, 49152, CUDA_ERROR_INVALID_VALUE}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_CODE (cuLaunchKernel (trap, cases[i].grid[0], cases[i].grid[1],
                                cases[i].grid[2], cases[i].block[0],
                                cases[i].block[1], cases[i].block[2],
                                cases[i].shared, NULL, parameters, NULL),
                cases[i].code);
  CHECK_CODE (cuLaunchKernel (trap, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  CHECK_OK (cuLaunchKernel (trap, 1, 1, 1, 1, 1, 1, 0, stream, parameters,
                            NULL));
  CHECK_OK (cuStreamSynchronize (stream));
  CHECK_OK (cuStreamDestroy (stream));
  CHECK_CODE (cuLaunchKernel (trap, 1, 1, 1, 1, 1, 1, 0, stream, parameters,
                              NULL),
              CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (cuLibraryGetKernel (&kernel, gpu.library, "sample_none"),
              CUDA_ERROR_NOT_FOUND);
  CHECK_CODE (cuLibraryGetKernel (&kernel, gpu.library, "malloc"),
              CUDA_ERROR_NOT_FOUND);
  CHECK_CODE (cuLibraryGetKernel (&kernel, gpu.library, "cuInit"),
              CUDA_ERROR_NOT_FOUND);
  CHECK_OK (cuLibraryGetKernel (&kernel, gpu.library, "sample_trap"));
  CHECK_OK (cuKernelGetAttribute (&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel,
                                  0));
  CHECK (value == 34);
  CHECK_OK (cuOccupancyMaxActiveBlocksPerMultiprocessor (&value, trap, 1024,
                                                         0));
  CHECK (value == 1);
  CHECK_OK (cuOccupancyMaxActiveBlocksPerMultiprocessor (&value, trap, 32,
                                                         0));
  CHECK (value == 32);
  testing_close (&gpu);
}

/* Milliseconds of one launch of the trap that does not spring.  */
static float
launch_time (struct testing_gpu *gpu, unsigned grid, unsigned block,
             uint64_t n)
{
  struct gt_kernel_args args = {.n = n, .stride = 1};
  float time;

  args.data = testing_alloc (n);
  time = testing_elapsed (gpu, "sample_trap", grid, block, &args);
  testing_free ((void *) args.data);
  return time;
}

PASSING (times, "SOFTGPU_LEAKS=1")
{
  struct testing_gpu gpu = testing_open ();
  float once = launch_time (&gpu, 4, 256, 1 << 20);

  CHECK (once > 2.5e-3f);
  for (int i = 0; i < 3; i++)
    {
      float difference = launch_time (&gpu, 4, 256, 1 << 20) - once;
      CHECK (difference < 1e-6f && difference > -1e-6f);
    }
  CHECK (launch_time (&gpu, 4, 256, 1 << 21) > 1.5f * once);
  CHECK (launch_time (&gpu, 4, 512, 1 << 20) < once);
  CHECK (launch_time (&gpu, 2000, 32, 1) > 2.6e-3f);
  testing_close (&gpu);
}

static void
addresses (void)
{
  CUdriverProcAddressQueryResult found;
  void *function;
  int version;

  CHECK_OK (cuDriverGetVersion (&version));
  CHECK (version == 13000);
  CHECK_OK (cuGetProcAddress ("cuMemAlloc", &function, 3020, 0, &found));
  CHECK (function == (void *) cuMemAlloc
         && found == CU_GET_PROC_ADDRESS_SUCCESS);
  CHECK_OK (cuGetProcAddress ("cuLibraryLoadData", &function, 12000, 0, NULL));
  CHECK_CODE (cuGetProcAddress ("cuLibraryLoadData", &function, 11080, 0,
                                &found),
              CUDA_ERROR_NOT_FOUND);
  CHECK (!function && found == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_CODE (cuGetProcAddress ("cuNothing", &function, 12000, 0, &found),
              CUDA_ERROR_NOT_FOUND);
  CHECK (!function && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

static void
old_addresses (void)
{
  void *function;
  int version;

  CHECK_OK (cuDriverGetVersion (&version));
  CHECK (version == 11000);
  CHECK_CODE (cuGetProcAddress ("cuLibraryLoadData", &function, 12000, 0,
                                NULL),
              CUDA_ERROR_NOT_FOUND);
  CHECK_OK (cuGetProcAddress ("cuMemAlloc", &function, 3020, 0, NULL));
}

TEST (test_addresses)
{
  expect_passed (addresses, NULL);
  expect_passed (old_addresses, SETTINGS ("SOFTGPU_DRIVER_VERSION=11000"));
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
  CHECK_CODE (cuMemcpyDtoHAsync (&byte, memory, 1, NULL),
              CUDA_ERROR_UNKNOWN);
  CHECK_OK (cuMemcpyDtoHAsync (&byte, memory, 1, NULL));
  CHECK_OK (cuMemsetD8Async (memory, 0, 1, NULL));
  CHECK_CODE (cuMemsetD8Async (memory, 0, 1, NULL),
              CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CODE (cuMemFree (memory), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_OK (cuGetErrorName (CUDA_ERROR_ILLEGAL_ADDRESS, &text));
  CHECK (strcmp (text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
  CHECK_OK (cuGetErrorString (CUDA_ERROR_OUT_OF_MEMORY, &text));
  CHECK (strcmp (text, "out of memory") == 0);
  CHECK_CODE (cuGetErrorName ((CUresult) 12345, &text),
              CUDA_ERROR_INVALID_VALUE);
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

  expect_passed (faults,
                 SETTINGS ("SOFTGPU_FAIL=cuMemAlloc:2=2,cuStreamCreate:*=800,"
                           "cuMemcpyDtoHAsync:1=999,cuMemsetD8Async:2+=700",
                           "SOFTGPU_LEAKS=1"));
  for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
    {
      assert_int_equal (testing_run (do_nothing, SETTINGS (slips[i])),
                        256 + SIGABRT);
      assert_non_null (strstr (testing_errors, "not understood"));
    }
}

static void
leak (void)
{
  CUdeviceptr memory;
  CUstream stream;
  CUevent event;
  void *pinned;

  testing_open ();
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_OK (cuMemAlloc (&memory, 1));
  CHECK_OK (cuMemHostAlloc (&pinned, 1, 0));
  CHECK_OK (cuStreamCreate (&stream, 0));
  CHECK_OK (cuEventCreate (&event, 0));
}

static void
leak_with_context (void)
{
  leak ();
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
}

TEST (test_leaks)
{
  assert_int_equal (testing_run (leak, NULL), 0);
  assert_int_equal (testing_run (leak, SETTINGS ("SOFTGPU_LEAKS=1")), 99);
  assert_string_equal (testing_errors,
                       "softgpu: leaked 2 allocations of device memory\n"
                       "softgpu: leaked 1 host allocations\n"
                       "softgpu: leaked 1 streams\n"
                       "softgpu: leaked 1 events\n");
  assert_int_equal (testing_run (leak_with_context,
                                 SETTINGS ("SOFTGPU_LEAKS=1")),
                    99);
  assert_string_equal (testing_errors,
                       "softgpu: leaked 5 objects with their context\n");
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

  snprintf (setting, sizeof setting, "SOFTGPU_COUNT=%s",
            testing_path ("counts"));
  expect_passed (leak, SETTINGS (setting));
  assert_true (counted ("cuInit 1\n"));
  assert_true (counted ("cuMemAlloc 2\n"));
  assert_true (counted ("cuLaunchKernel 0\n"));
  expect_passed (fork_and_call, SETTINGS (setting));
  assert_true (counted ("cuMemAlloc 0\n"));
  assert_string_equal (testing_errors,
                       "softgpu: cuMemAlloc called in a forked child\n");
}

RUN_TESTS (testing_set_up, testing_tear_down)

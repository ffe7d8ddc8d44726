/* The soft GPU's memory: what the host registers, what managed memory
   remembers, what pointers tell, and all of it from several threads.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"

#define AT(address) ((CUdeviceptr) (uintptr_t) (address))
#define MAPPED (CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)

/* ----------------------------------------------------- Registered memory */

PASSING (registered, "SOFTGPU_LEAKS=1")
{
  static unsigned char bytes[10000];
  unsigned char *p = bytes + 100;
  static const struct
  {
    int at;
    size_t size;
    CUresult code;
  } cases[] = {
    {0, 1000, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {0, 1, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {999, 1, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {-10, 11, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {-10, 5000, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {500, 5000, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED},
    {2000, 0, CUDA_ERROR_INVALID_VALUE},
    {2000, SIZE_MAX, CUDA_ERROR_INVALID_VALUE}};

  memset (bytes, 7, sizeof bytes);
  testing_open ();
  CHECK_CODE (cuMemHostUnregister (p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_OK (cuMemHostRegister (p, 1000, MAPPED));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_CODE (cuMemHostRegister (p + cases[i].at, cases[i].size, MAPPED),
                cases[i].code);
  CHECK_OK (cuMemHostRegister (p - 10, 10, CU_MEMHOSTREGISTER_READ_ONLY));
  CHECK_OK (cuMemHostRegister (p + 1000, 10, 0));
  CHECK_CODE (cuMemHostRegister (p + 2000, 8, CU_MEMHOSTREGISTER_IOMEMORY),
              CUDA_ERROR_NOT_SUPPORTED);
  CHECK_CODE (cuMemHostRegister (p + 2000, 8, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemHostUnregister (p + 1),
              CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_CODE (cuMemFreeHost (p), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemFree (AT (p)), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuMemHostUnregister (p));
  CHECK_CODE (cuMemHostUnregister (p), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_OK (cuMemHostUnregister (p - 10));
  CHECK_OK (cuMemHostUnregister (p + 1000));
  for (size_t i = 0; i < sizeof bytes; i++)
    CHECK (bytes[i] == 7);
}

/* Memory that the driver gave.  */
static void
registered_allocations (void)
{
  void *pinned;
  CUdeviceptr device, managed;

  testing_open ();
  CHECK_OK (cuMemHostAlloc (&pinned, 64, 0));
  CHECK_OK (cuMemAlloc (&device, 64));
  CHECK_OK (cuMemAllocManaged (&managed, 64, CU_MEM_ATTACH_GLOBAL));
  CHECK_CODE (cuMemHostRegister (pinned, 64, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemHostRegister ((void *) (uintptr_t) device, 64, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemHostRegister ((void *) (uintptr_t) managed, 64, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemHostUnregister (pinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemHostUnregister ((void *) (uintptr_t) managed),
              CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

static void
registered_leak (void)
{
  static char bytes[8];

  testing_open ();
  CHECK_OK (cuMemHostRegister (bytes, sizeof bytes, 0));
}

/* The context takes the registration along, not the memory.  */
static void
registered_leak_with_context (void)
{
  static char bytes[8];
  CUcontext context;

  registered_leak ();
  CHECK_OK (cuMemHostRegister (bytes, sizeof bytes, 0));
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
  CHECK (bytes[7] == 0);
  CHECK_OK (cuDevicePrimaryCtxRetain (&context, 0));
  CHECK_CODE (cuMemHostUnregister (bytes),
              CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST (test_registered_allocations)
{
  expect_passed (registered_allocations, NULL);
  assert_int_equal (testing_run (registered_leak,
                                 SETTINGS ("SOFTGPU_LEAKS=1")),
                    99);
  assert_string_equal (testing_errors, "softgpu: leaked 1 host allocations\n");
  assert_int_equal (testing_run (registered_leak_with_context,
                                 SETTINGS ("SOFTGPU_LEAKS=1")),
                    99);
  assert_string_equal (testing_errors,
                       "softgpu: leaked 2 objects with their context\n");
}

/* ------------------------------------------------- Who reads what memory */

/* HOST holds 1, 2, ..., 16: a stream copies it, and a kernel reads it.  */
static void
check_read (struct testing_gpu *gpu, const unsigned char *host)
{
  struct gt_kernel_args args = {.n = 1, .stride = 1};
  CUdeviceptr copy;
  CUstream stream;

  CHECK_OK (cuMemAlloc (&copy, 16));
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  CHECK_OK (cuMemcpyHtoDAsync (copy, host, 16, stream));
  CHECK_OK (cuStreamQuery (stream));
  CHECK (memcmp ((void *) (uintptr_t) copy, host, 16) == 0);
  CHECK_OK (cuMemcpyHtoDAsync (copy, host + 8, 8, stream));
  CHECK_CODE (cuMemcpyHtoDAsync (copy, host + 8, 9, stream),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuStreamDestroy (stream));
  CHECK_CODE (cuStreamQuery (stream), CUDA_ERROR_INVALID_HANDLE);
  args.partials = testing_alloc (4);
  args.data = host;
  args.sequence = 15;
  CHECK_OK (testing_launch (gpu, "sample_load_u8", 1, 1, &args));
  CHECK (*(unsigned *) args.partials == (1u << 8 | 16));
  CHECK_OK (cuMemFree (copy));
  testing_free (args.partials);
}

static void
fill (unsigned char *to)
{
  for (int i = 0; i < 16; i++)
    to[i] = (unsigned char) (i + 1);
}

PASSING (reads, "SOFTGPU_LEAKS=1")
{
  struct testing_gpu gpu = testing_open ();
  static unsigned char ours[16];
  unsigned char *pinned;
  struct gt_kernel_args args = {.n = 1, .stride = 1, .data = ours};
  CUdeviceptr managed, mapped;

  CHECK_OK (cuMemHostAlloc ((void **) &pinned, 16, CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK_OK (cuMemAllocManaged (&managed, 16, CU_MEM_ATTACH_GLOBAL));
  CHECK_OK (cuMemHostRegister (ours, 16, MAPPED));
  CHECK_OK (cuMemHostGetDevicePointer (&mapped, ours, 0));
  CHECK (mapped == AT (ours));
  CHECK_OK (cuMemHostGetDevicePointer (&mapped, ours + 3, 0));
  CHECK (mapped == AT (ours + 3));
  CHECK_CODE (cuMemHostGetDevicePointer (&mapped, ours + 16, 0),
              CUDA_ERROR_INVALID_VALUE);
  fill (ours);
  fill (pinned);
  fill ((unsigned char *) (uintptr_t) managed);
  check_read (&gpu, ours);
  check_read (&gpu, pinned);
  check_read (&gpu, (unsigned char *) (uintptr_t) managed);
  CHECK_OK (cuMemHostUnregister (ours));
  CHECK_OK (cuMemFreeHost (pinned));
  CHECK_OK (cuMemFree (managed));
  args.partials = testing_alloc (4);
  CHECK_CODE (testing_launch (&gpu, "sample_load_u8", 1, 1, &args),
              CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* -------------------------------------------------------------- Pointers */

struct answers
{
  unsigned type, managed;
  int ordinal;
  CUcontext context;
  CUdeviceptr device, start;
  void *host;
  size_t size;
};

static struct answers
ask (CUdeviceptr at)
{
  struct answers a;
  CUpointer_attribute what[]
    = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,      CU_POINTER_ATTRIBUTE_IS_MANAGED,
       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,   CU_POINTER_ATTRIBUTE_CONTEXT,
       CU_POINTER_ATTRIBUTE_DEVICE_POINTER,   CU_POINTER_ATTRIBUTE_HOST_POINTER,
       CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *data[] = {&a.type,   &a.managed, &a.ordinal, &a.context,
                  &a.device, &a.host,    &a.start,   &a.size};

  memset (&a, 0xee, sizeof a);
  CHECK_OK (cuPointerGetAttributes (8, what, data, at));
  return a;
}

static void
check_answers (CUcontext context, void *base, unsigned type, unsigned managed,
               int on_host)
{
  struct answers a = ask (AT (base) + 5);
  unsigned word;

  CHECK (a.type == type && a.managed == managed);
  CHECK (a.ordinal == 1 && a.context == context);
  CHECK (a.device == AT (base) + 5 && a.start == AT (base) && a.size == 64);
  CHECK (a.host == (on_host ? (char *) base + 5 : NULL));
  CHECK_OK (cuPointerGetAttribute (&word, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   AT (base)));
  CHECK (word == type);
}

PASSING (pointers, testing_devices ("two.json", "one.json"))
{
  static char bytes[64];
  unsigned word;
  void *to[] = {&word, &word}, *pinned;
  CUcontext context;
  CUdeviceptr device, managed;

  CHECK_OK (cuInit (0));
  CHECK_OK (cuDevicePrimaryCtxRetain (&context, 1));
  CHECK_OK (cuCtxPushCurrent (context));
  CHECK_OK (cuMemAlloc (&device, 64));
  CHECK_OK (cuMemAllocManaged (&managed, 64, CU_MEM_ATTACH_GLOBAL));
  CHECK_OK (cuMemHostAlloc (&pinned, 64, 0));
  CHECK_OK (cuMemHostRegister (bytes, 64, MAPPED));
  check_answers (context, (void *) (uintptr_t) device, CU_MEMORYTYPE_DEVICE,
                 0, 0);
  check_answers (context, (void *) (uintptr_t) managed, CU_MEMORYTYPE_DEVICE,
                 1, 1);
  check_answers (context, pinned, CU_MEMORYTYPE_HOST, 0, 1);
  check_answers (context, bytes, CU_MEMORYTYPE_HOST, 0, 1);
  CHECK_OK (cuMemHostUnregister (bytes));
  struct answers a = ask (AT (bytes));
  CHECK (a.type == 0 && a.managed == 0 && a.ordinal == 0 && !a.context
         && a.device == 0 && a.start == 0 && !a.host && a.size == 0);
  a = ask (0);
  CHECK (a.type == 0 && a.size == 0);
  CHECK_CODE (cuPointerGetAttribute (to, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                     device),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuPointerGetAttribute (to, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                     device + 64),
              CUDA_ERROR_INVALID_VALUE);
}

/* -------------------------------------------------------- Managed memory */

#define PREFERRED CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION

PASSING (managed, NULL)
{
  const size_t size = 3 * 4096;
  CUdeviceptr at, device;
  CUdevice where = 0;

  testing_open ();
  CHECK_OK (cuMemAlloc (&device, size));
  CHECK_OK (cuMemAllocManaged (&at, size, CU_MEM_ATTACH_GLOBAL));
  CHECK_OK (cuMemRangeGetAttribute (&where, 4, PREFERRED, at + 5, size - 5));
  CHECK (where == CU_DEVICE_INVALID);
  CHECK_CODE (cuMemRangeGetAttribute (&where, 8, PREFERRED, at, size),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemRangeGetAttribute (&where, 4, PREFERRED, at, size + 1),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuMemRangeGetAttribute (&where, 4, PREFERRED, device, size),
              CUDA_ERROR_INVALID_VALUE);
}

/* --------------------------------------------------- Recorded attributes */

static int expected_attributes[5];

static void
attributes (void)
{
  static const CUdevice_attribute what[] = {
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
    CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM};
  int value;

  CHECK_OK (cuInit (0));
  for (int i = 0; i < 5; i++)
    {
      CHECK_OK (cuDeviceGetAttribute (&value, what[i], 0));
      CHECK (value == expected_attributes[i]);
    }
}

TEST (test_attributes)
{
  static const struct
  {
    const char *device;
    int value[5];
  } cases[] = {{"h200", {1, 1, 0, 0, 1}},
               {"gb10", {1, 1, 1, 1, 1}},
               {"gtx-970", {1, 0, 0, 0, 1}}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char setting[1024];

      snprintf (setting, sizeof setting,
                "SOFTGPU_DEVICE=%s/tests/devices/%s.json", getenv ("srcdir"),
                cases[i].device);
      memcpy (expected_attributes, cases[i].value,
              sizeof expected_attributes);
      expect_passed (attributes, SETTINGS (setting));
    }
}

/* --------------------------------------------------------------- Threads */

#define N_THREADS 4

static void *
use_memory (void *argument)
{
  unsigned char *ours = argument;
  CUcontext context;
  CUdeviceptr copy;

  CHECK_OK (cuDevicePrimaryCtxRetain (&context, 0));
  CHECK_OK (cuCtxPushCurrent (context));
  CHECK_OK (cuMemAlloc (&copy, 16));
  for (int i = 0; i < 2000; i++)
    {
      CHECK_OK (cuMemHostRegister (ours, 16, MAPPED));
      CHECK (ask (AT (ours)).start == AT (ours));
      CHECK_OK (cuMemcpyHtoDAsync (copy, ours, 16, NULL));
      CHECK_CODE (cuMemHostRegister (ours + 15, 1, MAPPED),
                  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
      CHECK_OK (cuMemHostUnregister (ours));
    }
  CHECK_OK (cuMemFree (copy));
  CHECK_OK (cuCtxPopCurrent (NULL));
  return NULL;
}

PASSING (threads, "SOFTGPU_LEAKS=1")
{
  static unsigned char bytes[N_THREADS][16];
  pthread_t thread[N_THREADS];

  testing_open ();
  for (int i = 0; i < N_THREADS; i++)
    CHECK (pthread_create (&thread[i], NULL, use_memory, bytes[i]) == 0);
  for (int i = 0; i < N_THREADS; i++)
    CHECK (pthread_join (thread[i], NULL) == 0);
}

RUN_TESTS (testing_set_up, testing_tear_down)

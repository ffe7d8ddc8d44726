/* The soft GPU's graphs: kernels launched again with other parameters, and
   streams that are being captured; and what its linker refuses, as a driver does.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "tests/softgpu/testing.h"

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
    .func = testing_kernel (&k->gpu, "sample_indices"),
    .gridDimX = grid, .gridDimY = 1, .gridDimZ = 1,
    .blockDimX = block, .blockDimY = 1, .blockDimZ = 1,
    .kernelParams = k->list
  };
  CHECK_OK (cuGraphCreate (&k->graph, 0));
  CHECK_OK (cuGraphAddKernelNode (&k->node, k->graph, NULL, 0,
                                  &k->parameters));
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

/* Nothing runs before it is launched; arguments are those at the time they were
   given.  */
PASSING (copies, NULL)
{
  struct one_kernel k;

  prepare (&k, 3, 64);
  unsigned *first = k.args.partials, *second = cleared_words ();
  k.args.partials = second;
  check_words (first, 0, 0);
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (first, 3 * 64, 2);
  check_words (second, 0, 0);
  CHECK_OK (set (&k));
  k.args.partials = first;
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (first, 3 * 64, 2);
  check_words (second, 3 * 64, 1);
}

/* All that describes a launch may change: its size, the kernel, the dynamic
   shared memory.  */
PASSING (changes, NULL)
{
  struct one_kernel k;
  const unsigned *words;

  prepare (&k, 3, 64);
  k.parameters.gridDimX = 2;
  k.parameters.blockDimX = 32;
  CHECK_OK (set (&k));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (k.args.partials, 2 * 32, 1);
  words = k.args.partials = cleared_words ();
  k.parameters.func = testing_kernel (&k.gpu, "sample_stale");
  k.parameters.sharedMemBytes = 4 * 32;
  CHECK_OK (set (&k));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (words, 2 * 32, UINT32_MAX);
  words = k.args.partials = cleared_words ();
  k.parameters.func = testing_kernel (&k.gpu, "sample_cluster_rank_4");
  k.parameters.gridDimX = 8;
  CHECK_OK (set (&k));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  for (unsigned t = 0; t < 8 * 32; t++)
    CHECK (words[t] == t / 32 % 4);
}

/* A node made for clusters runs no other kernel, and nobody is told.  */
PASSING (clusters, NULL)
{
  struct one_kernel k;
  CUDA_KERNEL_NODE_PARAMS plain;

  prepare (&k, 4, 32);
  plain = k.parameters;
  k.parameters.func = testing_kernel (&k.gpu, "sample_cluster_rank_4");
  CHECK_OK (cuGraphAddKernelNode (&k.node, k.graph, NULL, 0, &k.parameters));
  CHECK_OK (cuGraphInstantiate (&k.exec, k.graph, 0));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  for (unsigned t = 0; t < 4 * 32; t++)
    CHECK (((unsigned *) k.args.partials)[t] == t / 32);
  memset (k.args.partials, 0, WORDS * sizeof (unsigned));
  k.parameters = plain;
  CHECK_OK (set (&k));
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (k.args.partials, 4 * 32, 1); /* the first node's alone */
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

/* As cuLaunchKernel would find it.  */
PASSING (bad_arguments, NULL)
{
  struct one_kernel k;

  prepare (&k, 3, 64);
  k.args.data = &k;
  k.args.n = k.args.stride = 1;
  CHECK_OK (set (&k));
  CHECK_CODE (cuGraphLaunch (k.exec, NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_CODE (cuGraphDestroy (k.graph), CUDA_ERROR_ILLEGAL_ADDRESS);
}

PASSING (trap, NULL)
{
  struct one_kernel k;

  prepare (&k, 1, 32);
  k.parameters.func = testing_kernel (&k.gpu, "sample_trap");
  CHECK_OK (set (&k));
  CHECK_CODE (cuGraphLaunch (k.exec, NULL), CUDA_ERROR_ILLEGAL_INSTRUCTION);
  CHECK_CODE (cuStreamSynchronize (NULL), CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

/* A graph may go before what was made from it, which then is launched as it is;
   nothing that is gone is used.  */
static void
destroyed (void)
{
  struct one_kernel k;

  prepare (&k, 3, 64);
  CHECK_OK (cuGraphDestroy (k.graph));
  CHECK_CODE (cuGraphDestroy (k.graph), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (set (&k), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuGraphLaunch (k.exec, NULL));
  check_words (k.args.partials, 3 * 64, 1);
  CHECK_OK (cuGraphExecDestroy (k.exec));
  CHECK_CODE (cuGraphLaunch (k.exec, NULL), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE (cuGraphExecDestroy (k.exec), CUDA_ERROR_INVALID_VALUE);
  check_words (k.args.partials, 3 * 64, 1);
  testing_free (k.args.partials);
  testing_close (&k.gpu);
}

PASSING (unloaded, NULL)
{
  struct one_kernel k;

  prepare (&k, 3, 64);
  CHECK_OK (cuLibraryUnload (k.gpu.library));
  CHECK_CODE (cuGraphLaunch (k.exec, NULL), CUDA_ERROR_INVALID_HANDLE);
}

static void
leak (void)
{
  struct one_kernel k;

  prepare (&k, 1, 32);
  testing_free (k.args.partials);
}

static void
leak_with_context (void)
{
  leak ();
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
}

TEST (test_leaks)
{
  assert_int_equal (testing_run (leak, SETTINGS ("SOFTGPU_LEAKS=1")), 99);
  assert_string_equal (testing_errors, "softgpu: leaked 1 graphs\n"
                                       "softgpu: leaked 1 instantiated graphs\n");
  assert_int_equal (testing_run (leak_with_context,
                                 SETTINGS ("SOFTGPU_LEAKS=1")),
                    99);
  assert_string_equal (testing_errors,
                       "softgpu: leaked 2 objects with their context\n");
  expect_passed (destroyed, SETTINGS ("SOFTGPU_LEAKS=1"));
}

/* ------------------------------------------------------------- Captures */

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
  return cuLaunchKernel (k->parameters.func, 3, 1, 1, 64, 1, 1, 0, stream,
                         k->list, NULL);
}

/* A kernel launched into the stream runs when the graph does.  */
PASSING (captured, NULL)
{
  struct one_kernel k;
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;

  prepare (&k, 3, 64);
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  CHECK (status_of (stream) == CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK (status_of (NULL) == CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK_CODE (cuStreamEndCapture (stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  CHECK_OK (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK_CODE (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_ERROR_ILLEGAL_STATE);
  CHECK (status_of (stream) == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK_OK (launch_on (&k, stream));
  CHECK_OK (launch_on (&k, stream));
  check_words (k.args.partials, 0, 0);
  CHECK_OK (cuStreamEndCapture (stream, &graph));
  CHECK (status_of (stream) == CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK_OK (cuGraphInstantiate (&exec, graph, 0));
  CHECK_OK (cuGraphLaunch (exec, stream));
  check_words (k.args.partials, 3 * 64, 2);
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
      CHECK_CODE (disturb (how, &k, stream),
                  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
      CHECK (status_of (stream) == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
      CHECK_CODE (launch_on (&k, stream),
                  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
      CHECK_CODE (cuStreamEndCapture (stream, &graph),
                  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
      CHECK (graph == NULL);
    }
  CHECK_OK (launch_on (&k, stream));
  check_words (k.args.partials, 3 * 64, 1);
}

static CUresult
instantiate_in_mode (struct one_kernel *k, CUstreamCaptureMode mode)
{
  CUstreamCaptureMode before = mode;
  CUresult code;

  CHECK_OK (cuThreadExchangeStreamCaptureMode (&before));
  CHECK (before == CU_STREAM_CAPTURE_MODE_GLOBAL);
  code = cuGraphInstantiate (&k->exec, k->graph, 0);
  CHECK_OK (cuThreadExchangeStreamCaptureMode (&before));
  CHECK (before == mode);
  return code;
}

struct bystander
{
  struct one_kernel *k;
  CUstreamCaptureMode mode;
  CUresult code;
};

static void *
stand_by (void *argument)
{
  struct bystander *b = argument;

  CHECK_OK (cuCtxPushCurrent (b->k->gpu.context));
  b->code = instantiate_in_mode (b->k, b->mode);
  CHECK_OK (cuCtxPopCurrent (NULL));
  return NULL;
}

/* Whether a capture in one mode lets another thread, in its own mode, make a
   graph; and whether it lets its own thread.  */
PASSING (modes, NULL)
{
  enum
  {
    GLOBAL = CU_STREAM_CAPTURE_MODE_GLOBAL,
    LOCAL = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    RELAXED = CU_STREAM_CAPTURE_MODE_RELAXED
  };
  static const int others[3][3] = {{0, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  static const int own[3][3] = {{0, 0, 1}, {0, 0, 1}, {1, 1, 1}};
  struct one_kernel k;
  CUstream stream;
  CUgraph graph;

  prepare (&k, 3, 64);
  CHECK_OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  for (int capture = GLOBAL; capture <= RELAXED; capture++)
    for (int thread = GLOBAL; thread <= RELAXED; thread++)
      {
        struct bystander b = {&k, (CUstreamCaptureMode) thread, CUDA_SUCCESS};
        pthread_t other;
        CHECK_OK (cuStreamBeginCapture (stream,
                                        (CUstreamCaptureMode) capture));
        CHECK (!pthread_create (&other, NULL, stand_by, &b));
        CHECK (!pthread_join (other, NULL));
        CHECK ((b.code == CUDA_SUCCESS) == others[capture][thread]);
        cuStreamEndCapture (stream, &graph);
        CHECK_OK (cuStreamBeginCapture (stream,
                                        (CUstreamCaptureMode) capture));
        CHECK ((instantiate_in_mode (&k, (CUstreamCaptureMode) thread)
                == CUDA_SUCCESS)
               == own[capture][thread]);
        CHECK ((cuStreamEndCapture (stream, &graph) == CUDA_SUCCESS)
               == own[capture][thread]);
      }
}

/* -------------------------------------------------------------- Linking */

static int
run_links (void (*body) (void), const char *setting)
{
  int status = testing_run (body, SETTINGS ("SOFTGPU_LEAKS=1", setting));

  remove (testing_path ("lib.a"));
  return status;
}

/* A fat binary of nothing.  */
static unsigned char fat[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0,
                              8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

static CUresult
add_fat (CUlinkState link, size_t size)
{
  return cuLinkAddData (link, CU_JIT_INPUT_FATBINARY, fat, size, "name", 0,
                        NULL, NULL);
}

static CUresult
add_library (CUlinkState link, const char *path)
{
  return cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, path, 0, NULL, NULL);
}

/* An archive in the folder of recordings.  */
static const char *
archive (const char *text)
{
  const char *path = testing_path ("lib.a");
  FILE *file = fopen (path, "w");

  CHECK (file != NULL && fputs (text, file) >= 0 && fclose (file) == 0);
  return path;
}

static void
link_all (void)
{
  char log[100];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *) (uintptr_t) sizeof log};
  struct testing_gpu gpu = testing_open ();
  CUlibrary library;
  CUlinkState link;
  void *cubin = NULL;
  size_t size = 0;

  CHECK_OK (cuLinkCreate (2, options, values, &link));
  CHECK_OK (add_fat (link, sizeof fat));
  CHECK_OK (add_library (link, archive ("!<arch>\n")));
  CHECK_OK (cuLinkComplete (link, &cubin, &size));
  CHECK (cubin != NULL && size > 4 && memcmp (cubin, "\177ELF", 4) == 0);
  CHECK_OK (cuLibraryLoadData (&library, cubin, NULL, NULL, 0, NULL, NULL, 0));
  CHECK_OK (cuLinkDestroy (link));
  CHECK_OK (cuLibraryUnload (library));
  testing_close (&gpu);
}

static void
refuse_all (void)
{
  struct testing_gpu gpu = testing_open ();
  CUlinkState link;
  void *cubin;
  size_t size;

  CHECK_OK (cuLinkCreate (0, NULL, NULL, &link));
  CHECK_CODE (cuLinkComplete (link, &cubin, &size), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (add_fat (link, sizeof fat - 1), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (add_fat (link, 3), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CODE (add_library (link, "/nonexistent/libcudadevrt.a"),
              CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CODE (add_library (link, archive ("no archive")),
              CUDA_ERROR_INVALID_IMAGE);
  CHECK_OK (add_fat (link, sizeof fat));
  CHECK_OK (cuLinkComplete (link, &cubin, NULL));
  CHECK_CODE (add_fat (link, sizeof fat), CUDA_ERROR_INVALID_VALUE);
  CHECK_OK (cuLinkDestroy (link));
  CHECK_CODE (cuLinkDestroy (link), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (add_fat (link, sizeof fat), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CODE (cuLinkComplete (link, &cubin, &size), CUDA_ERROR_INVALID_HANDLE);
  testing_close (&gpu);
  CHECK_CODE (cuLinkCreate (0, NULL, NULL, &link), CUDA_ERROR_INVALID_CONTEXT);
}

static void
leave_one (void)
{
  struct testing_gpu gpu = testing_open ();
  CUlinkState link;

  CHECK_OK (cuLinkCreate (0, NULL, NULL, &link));
  CHECK (gpu.context != NULL);
}

TEST (test_links)
{
  if (run_links (link_all, "A=") != 0 || run_links (refuse_all, "A=") != 0)
    fail_msg ("%s", testing_errors);
  assert_int_equal (run_links (leave_one, "A="), 99);
  assert_non_null (strstr (testing_errors, "leaked 1 links"));
}

/* Each call fails when that is asked for.  */
TEST (test_link_failures)
{
  static const char *const settings[]
    = {"SOFTGPU_FAIL=cuLinkCreate:1=2", "SOFTGPU_FAIL=cuLinkAddData:1=2",
       "SOFTGPU_FAIL=cuLinkAddFile:1=2", "SOFTGPU_FAIL=cuLinkComplete:1=2",
       "SOFTGPU_FAIL=cuLinkDestroy:1=2"};

  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    {
      assert_int_not_equal (run_links (link_all, settings[i]), 0);
      if (strstr (testing_errors, " gives 2, not 0") == NULL)
        fail_msg ("%s: %s", settings[i], testing_errors);
    }
}

RUN_TESTS (testing_set_up, testing_tear_down)

/* Tests of what happens around sums on a GPU: streams, captures of streams, launches
   that were prepared, and threads.  On a device of tests/softgpu, and unchanged
   on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/cuda/cuda_context.h"
#include "src/device/gpus.h"
#include "tests/device_vectors.h"
#include "tests/sums.h"

static gsltune_device_vector *
filled (const gsl_vector *source)
{
  gsltune_device_vector *v = gsltune_device_vector_alloc (source->size);

  CHECK (v && gsltune_device_vector_set (v, source) == GSL_SUCCESS);
  return v;
}

/* -------------------------------------------------------------- Streams */

/* A sum waits for the work before it in its stream, and so does what is done with a view.  */
static void
sum_behind (const struct gt_cuda_driver *driver, CUstream stream, int *address, size_t n)
{
  CUdeviceptr memory = (CUdeviceptr) (uintptr_t) address;
  gsltune_device_vector_int_view view
    = gsltune_device_vector_int_view_array (address, n - 1, 2);
  gsl_vector_int *ends = gsl_vector_int_alloc (2);
  int sum;

  gsltune_device_vector_int_set_stream (&view.vector, stream);
  for (unsigned char byte = 1; byte < 10; byte++)
    {
      for (int again = 0; again < 10; again++)
        CHECK (!driver->cuMemsetD8Async (memory, 0xee, 4 * n, stream));
      CHECK (!driver->cuMemsetD8Async (memory, byte, 4 * n, stream));
      CHECK (gsltune_device_int_sum (address, 1, n, stream, &sum) == GSL_SUCCESS);
      CHECK (sum == (int) (n * byte * 0x01010101u));
      for (int again = 0; again < 10; again++)
        CHECK (!driver->cuMemsetD8Async (memory, 0xee, 4 * n, stream));
      CHECK (!driver->cuMemsetD8Async (memory, byte, 4 * n, stream));
      CHECK (gsltune_device_vector_int_sum (&view.vector) == 2 * byte * 0x01010101);
      for (int again = 0; again < 10; again++)
        CHECK (!driver->cuMemsetD8Async (memory, 0xee, 4 * n, stream));
      CHECK (!driver->cuMemsetD8Async (memory, byte, 4 * n, stream));
      CHECK (gsltune_device_vector_int_get (&view.vector, ends) == GSL_SUCCESS);
      CHECK (gsl_vector_int_get (ends, 0) == byte * 0x01010101);
      CHECK (gsl_vector_int_get (ends, 1) == byte * 0x01010101);
    }
  gsl_vector_int_free (ends);
}

SCENARIO_TEST (streams, NOTHING, h200)
{
  size_t n = on_real_gpu () ? 1 << 24 : 1 << 10;
  gsltune_device_vector_int *v = gsltune_device_vector_int_alloc (n);
  const struct gt_cuda_driver *driver = gt_cuda_driver (NULL);
  int *address = gsltune_device_vector_int_data (v);
  CUcontext context, popped;
  CUdevice device;
  CUstream stream;

  CHECK (driver && gsltune_device_vector_int_on_gpu (v));
  CHECK (!driver->cuDeviceGet (&device, 0));
  CHECK (!driver->cuDevicePrimaryCtxRetain (&context, device));
  CHECK (!driver->cuCtxPushCurrent (context));
  sum_behind (driver, NULL, address, n);
  CHECK (!driver->cuStreamCreate (&stream, CU_STREAM_DEFAULT));
  sum_behind (driver, stream, address, n);
  CHECK (!driver->cuStreamDestroy (stream));
  CHECK (!driver->cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  sum_behind (driver, stream, address, n);
  CHECK (!driver->cuStreamDestroy (stream));
  gsltune_device_vector_int_free (v);
  /* The caller's context is still the current one, and the only one.  */
  CHECK (!driver->cuCtxPopCurrent (&popped) && popped == context);
  CHECK (driver->cuCtxPopCurrent (&popped));
}

/* ------------------------------------------------------------- Captures */

/* A program that captures streams, as one linked with the driver.  */
struct capturer
{
  const struct gt_cuda_driver *driver;
  CUresult (*begin) (CUstream, CUstreamCaptureMode);
  CUresult (*end) (CUstream, CUgraph *);
  CUstream stream;
};

static void
open_capturer (struct capturer *c)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CUcontext context;
  CUdevice device;

  c->driver = gt_cuda_driver (NULL);
  CHECK (c->driver && library);
  *(void **) &c->begin = dlsym (library, "cuStreamBeginCapture_v2");
  *(void **) &c->end = dlsym (library, "cuStreamEndCapture");
  CHECK (c->begin && c->end);
  CHECK (!c->driver->cuDeviceGet (&device, 0));
  CHECK (!c->driver->cuDevicePrimaryCtxRetain (&context, device));
  CHECK (!c->driver->cuCtxPushCurrent (context));
  CHECK (!c->driver->cuStreamCreate (&c->stream, CU_STREAM_NON_BLOCKING));
  dlclose (library);
}

/* The capture is whole.  */
static void
end_capture (struct capturer *c)
{
  CUgraph graph;

  CHECK (!c->end (c->stream, &graph) && graph);
  CHECK (!c->driver->cuGraphDestroy (graph));
}

static void
close_capturer (struct capturer *c)
{
  CUcontext context;

  CHECK (!c->driver->cuStreamDestroy (c->stream));
  CHECK (!c->driver->cuCtxPopCurrent (&context));
}

/* A sum in a stream that is being captured is refused, and one elsewhere is
   summed; either leaves the capture whole.  */
SCENARIO_TEST (captured, NOTHING, h200)
{
  double x[1000], raw = 5, sum = put_exact (GT_F64, x, N_OF (x), 1, 8).f64[0];
  gsltune_device_vector *v = filled (&VIEW (x, N_OF (x), 1));
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  gsltune_device_vector_view view
    = gsltune_device_vector_view_array (gsltune_device_vector_data (v), 1, N_OF (x));
  gsl_vector whole = VIEW (x, N_OF (x), 1);
  struct capturer c;

  CHECK (gpu && gsltune_device_vector_on_gpu (v));
  open_capturer (&c);
  gsltune_device_vector_set_stream (&view.vector, c.stream);
  CHECK (gsltune_device_vector_sum (v) == sum);
  for (int mode = 0; mode <= CU_STREAM_CAPTURE_MODE_RELAXED; mode++)
    {
      CHECK (!c.begin (c.stream, (CUstreamCaptureMode) mode));
      CHECK (REPORTS (gsltune_device_sum (gsltune_device_vector_data (v),
                                          1, N_OF (x), c.stream, &raw), GSL_EINVAL));
      CHECK (REPORTS (gsltune_device_vector_set (&view.vector, &whole), GSL_EINVAL));
      CHECK (REPORTS (gsltune_device_vector_get (&view.vector, &whole), GSL_EINVAL));
      handler_calls = 0;
      CHECK (isnan (gsltune_device_vector_sum (&view.vector)));
      CHECK (handler_calls == 1 && handler_code == GSL_EINVAL);
      CHECK (gsltune_device_vector_sum (v) == sum);
      end_capture (&c);
    }
  CHECK (raw == 5 && gsltune_device_vector_on_gpu (v) && !gpu->plain_only);
  CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 1, N_OF (x),
                             c.stream, &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  CHECK (gsltune_device_vector_sum (&view.vector) == sum);
  gsltune_device_vector_free (v);
  close_capturer (&c);
}

/* Nor does a capture end because the library does something for the first time:
   opens a GPU, allocates and frees memory of every kind, loads kernels.  */
SCENARIO_TEST (captured_first, NOTHING, h200)
{
  double x[1000], sum = put_exact (GT_F64, x, N_OF (x), 1, 8).f64[0];
  gsltune_device_vector *v;
  gsl_vector *pinned;
  struct capturer c;

  open_capturer (&c);
  CHECK (!c.begin (c.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  v = filled (&VIEW (x, N_OF (x), 1));
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sum (v) == sum);
  pinned = gsltune_vector_alloc (N_OF (x));
  CHECK (pinned && gsltune_device_vector_get (v, pinned) == GSL_SUCCESS);
  CHECK (pinned->data[N_OF (x) - 1] == x[N_OF (x) - 1]);
  gsltune_vector_free (pinned);
  gsltune_device_vector_free (v);
  end_capture (&c);
  close_capturer (&c);
}

/* ------------------------------------------------- Launches, threads */

/* Integers wrap, so that any part of them has a sum that is easily told.  */
static uint32_t
sum_of (const uint32_t *x, size_t n, size_t stride)
{
  uint32_t sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += x[i * stride];
  return sum;
}

/* Sums on one slot that differ in whatever a launch can, so many that what was
   prepared for one has to serve others.  */
SCENARIO_TEST (in_turn, NOTHING, h200)
{
  static const struct
  {
    const char *kernel;
    struct gt_config config;
  } ways[] = {{"grid_stride", {1, 128, 4, 2}}, {"grid_stride", {1, 256, 4, 1}},
              {"grid_stride", {1, 256, 1, 1}}, {"cluster", {1, 128, 4, 1}},
              {"grid_stride", {1, 64, 2, 4}}, {"cluster", {1, 256, 4, 2}}};
  enum { N = 20000 };
  uint32_t *x = new_elements (GT_U32, N, 1);
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  int cluster = gpu && gt_gpus->device_of (gpu)->gpu.sm.cc_major >= 9;
  void *memory;

  put_exact (GT_U32, x, N, 1, 11);
  CHECK (gpu && !gt_gpus->alloc (gpu, GT_PLACE_DEVICE, 4 * N, &memory));
  CHECK (!gt_gpus->copy (gpu, GT_TO_DEVICE, memory, x, 4 * N));
  for (unsigned turn = 0; turn < 400; turn++)
    {
      unsigned way = turn / 3 % N_OF (ways);
      size_t from = turn % 7, stride = turn / 9 % 2 ? 3 : 1;
      size_t n = (turn % 11 ? 1000 * (1 + turn / 20 % 6) : 0) + turn % 2;
      struct gpu_sum g
        = gpu_sum_of (sum_kernel (ways[way].kernel), ways[way].config, GT_U32,
                      GT_MODE_FAST, (uint32_t *) memory + from, n, stride);
      union gt_value sum;

      if (g.plan.kernel->shape == GT_SHAPE_CLUSTER && !cluster)
        continue;
      CHECK (sum_served (g.plan.kernel, GT_U32, GT_MODE_FAST,
                               stride == 1 ? GT_CONTIGUOUS : GT_STRIDED));
      CHECK (gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum) == 0);
      CHECK (sum.u32[0] == sum_of (x + from, n, stride));
      g.plan.config.block = 2048; /* whoever launches it, and however often */
      CHECK (turn % 50 > 4 || gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum) != 0);
    }
  CHECK (gt_gpus->usable (gpu) && !gpu->plain_only);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (x);
}

/* Two kernels keep a sum in one stream: that of clusters was compiled for a device of 9.0 and
   waits for the stream itself; the other was compiled for an older one and does not.  */
SCENARIO_TEST (compiled_apart, "SOFTGPU_PTX=75", h200)
{
  static const char *const kernels[] = {"cluster", "grid_stride"};
  const struct gt_config config = {1, 128, 4, 1};
  enum { N = 20000 };
  uint32_t *x = new_elements (GT_U32, N, 1), kept;
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *memory, *to;

  put_exact (GT_U32, x, N, 1, 11);
  CHECK (gpu && !gt_gpus->alloc (gpu, GT_PLACE_DEVICE, 4 * N, &memory));
  CHECK (!gt_gpus->alloc (gpu, GT_PLACE_DEVICE, sizeof kept, &to));
  CHECK (!gt_gpus->copy (gpu, GT_TO_DEVICE, memory, x, 4 * N));
  for (size_t k = gt_gpus->device_of (gpu)->gpu.sm.cc_major < 9; k < N_OF (kernels); k++)
    {
      const struct gpu_sum g
        = gpu_sum_of (sum_kernel (kernels[k]), config, GT_U32, GT_MODE_FAST, memory, N, 1);
      const struct gt_keeping keeping = {
        .task = g.task, .plan = &g.plan, .as = GT_FINISH_ELEMENT, .size = sizeof kept,
        .to = {to}, .stream = GT_DEFAULT_STREAM};

      CHECK (!gt_gpus->keep (gpu, &keeping));
      CHECK (!gt_gpus->synchronize (gpu, GT_DEFAULT_STREAM));
      CHECK (!gt_gpus->copy (gpu, GT_TO_HOST, &kept, to, sizeof kept));
      CHECK (kept == sum_of (x, N, 1));
    }
  gt_gpus->free (gpu, GT_PLACE_DEVICE, to);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, memory);
  free (x);
}

#define WORKERS 8

struct worker
{
  pthread_t thread;
  size_t n;
  const gsltune_device_vector *shared;
  double shared_sum;
};

static void *
work (void *argument)
{
  struct worker *w = argument;
  double *x = new_elements (GT_F64, w->n, 1), sum, raw;
  gsltune_device_vector *v;

  sum = put_exact (GT_F64, x, w->n, 1, w->n).f64[0];
  v = filled (&VIEW (x, w->n, 1));
  for (int round = 0; round < 10; round++)
    {
      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      for (int again = 0; again < 3; again++)
        CHECK (gsltune_device_vector_sum (v) == sum);
      CHECK (gsltune_device_vector_sum (w->shared) == w->shared_sum);
      CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 1, w->n, NULL,
                                 &raw) == GSL_SUCCESS);
      CHECK (raw == sum);
      CHECK (gsltune_device_vector_set (v, &VIEW (x, w->n, 1)) == GSL_SUCCESS);
    }
  gsltune_device_vector_free (v);
  free (x);
  return NULL;
}

SCENARIO_TEST (threads, NOTHING, h200)
{
  double x[500];
  struct worker workers[WORKERS];
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 0).f64[0];
  gsltune_device_vector *shared = filled (&VIEW (x, N_OF (x), 1));

  for (size_t k = 0; k < WORKERS; k++)
    {
      workers[k].n = 100 + 300 * k;
      workers[k].shared = shared;
      workers[k].shared_sum = sum;
      CHECK (!pthread_create (&workers[k].thread, NULL, work, &workers[k]));
    }
  for (size_t k = 0; k < WORKERS; k++)
    CHECK (!pthread_join (workers[k].thread, NULL));
  gsltune_device_vector_free (shared);
}

RUN_SCENARIOS (NULL, NULL)

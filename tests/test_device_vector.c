/* Tests of vectors that stay on a GPU (src/public/device_vector.c,
   src/public/device_memory.c): on the host where there is no GPU, on the devices of
   tests/softgpu, and on the machine's own GPU where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>

#include "tests/unit.h"

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/handler.h"
#include "tests/scenario.h"
#include "tests/sums.h"

#if HAVE_CUDA
#include <dlfcn.h>

#include "src/cuda/cuda_context.h"
#endif

#define VIEW(infix, data, n, stride) \
  ((gsl_vector##infix) {n, stride, data, NULL, 0})

/* X(infix of the names, C type, arithmetic): the types that a GPU has.  */
#define DEVICE_TYPES(X)               \
  X (, double, F64)                   \
  X (_float, float, F32)              \
  X (_int, int, U32)                  \
  X (_uint, unsigned int, U32)        \
  X (_long, long, U64)                \
  X (_ulong, unsigned long, U64)      \
  X (_short, short, U16)              \
  X (_ushort, unsigned short, U16)    \
  X (_char, char, U8)                 \
  X (_uchar, unsigned char, U8)

static const size_t lengths[] = {0, 1, 2, 33, 1000, 4097};
static const size_t strides[] = {1, 2, 3, 17};

/* Whether CALL reports CODE, once, and returns it.  */
#define REPORTS(call, code)                                            \
  (handler_calls = 0, gsl_set_error_handler (note_error),              \
   (call) == (code) && handler_calls == 1 && handler_code == (code))

/* ------------------------------------------------ Scenarios of all types */

/* Host elements STRIDE apart, amid poison.  */
static void *
new_elements (enum gt_arithmetic arithmetic, size_t n, size_t stride)
{
  void *elements = malloc ((n * stride + 1) * gt_arithmetics[arithmetic].size);

  CHECK (elements);
  fill_poison (arithmetic, elements, n * stride + 1);
  return elements;
}

#define X(infix, ctype, id)                                                   \
  static gsltune_device_vector##infix *filled##infix (                        \
    const gsl_vector##infix *source)                                          \
  {                                                                           \
    gsltune_device_vector##infix *v                                           \
      = gsltune_device_vector##infix##_alloc (source->size);                  \
    CHECK (v);                                                                \
    CHECK (gsltune_device_vector##infix##_size (v) == source->size);          \
    CHECK (gsltune_device_vector##infix##_data (v));                          \
    CHECK (gsltune_device_vector##infix##_set (v, source) == GSL_SUCCESS);    \
    return v;                                                                 \
  }                                                                           \
                                                                              \
  static void there_and_back##infix (size_t n, size_t stride, int on_gpu)     \
  {                                                                           \
    size_t back = 20 - stride;                                                \
    ctype *x = new_elements (GT_##id, n, stride);                             \
    ctype *y = new_elements (GT_##id, n, back);                               \
    ctype *z = new_elements (GT_##id, n, back);                               \
    union gt_value sum = put_exact (GT_##id, x, n, stride, n);                  \
    gsltune_device_vector##infix *v                                           \
      = filled##infix (&VIEW (infix, x, n, stride));                          \
    CHECK (gsltune_device_vector##infix##_on_gpu (v) == on_gpu);              \
    CHECK (gsltune_device_vector##infix##_sum (v)                             \
           == GT_LEADING (sum, ctype));                                       \
    CHECK (gsltune_device_vector##infix##_get (v, &VIEW (infix, y, n, back))  \
           == GSL_SUCCESS);                                                   \
    for (size_t i = 0; i < n; i++)                                            \
      z[i * back] = x[i * stride];                                            \
    CHECK (memcmp (y, z, (n * back + 1) * sizeof (ctype)) == 0);              \
    gsltune_device_vector##infix##_free (v);                                  \
    free (x);                                                                 \
    free (y);                                                                 \
    free (z);                                                                 \
  }                                                                           \
                                                                              \
  static void lengths_differ##infix (void)                                    \
  {                                                                           \
    ctype x[4] = {1, 2, 3, 4};                                                \
    gsltune_device_vector##infix *v = filled##infix (&VIEW (infix, x, 3, 1)); \
    gsl_error_handler_t *before = gsl_set_error_handler (note_error);         \
    CHECK (REPORTS (gsltune_device_vector##infix##_set (                      \
                      v, &VIEW (infix, x, 4, 1)), GSL_EBADLEN));              \
    CHECK (REPORTS (gsltune_device_vector##infix##_get (                      \
                      v, &VIEW (infix, x, 2, 1)), GSL_EBADLEN));              \
    gsl_set_error_handler (before);                                           \
    CHECK (gsltune_device_vector##infix##_sum (v) == 6);                      \
    gsltune_device_vector##infix##_free (v);                                  \
    gsltune_device_vector##infix##_free (NULL);                               \
  }                                                                           \
                                                                              \
  static void all##infix (int on_gpu)                                         \
  {                                                                           \
    for (size_t k = 0; k < N_OF (lengths); k++)                               \
      for (size_t s = 0; s < N_OF (strides); s++)                             \
        there_and_back##infix (lengths[k], strides[s], on_gpu);               \
    lengths_differ##infix ();                                                 \
  }
DEVICE_TYPES (X)
#undef X

static void
all_types (int on_gpu)
{
#define X(infix, ctype, id) all##infix (on_gpu);
  DEVICE_TYPES (X)
#undef X
}

/* GSL's default error handler aborts: it is in force here.  */
static void
on_host (void)
{
  all_types (0);
}

/* More than there can be.  */
static void
no_memory (void)
{
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);
  gsltune_device_vector *v = gsltune_device_vector_alloc (SIZE_MAX / 4);

  CHECK (v == NULL && handler_calls == 1 && handler_code == GSL_ENOMEM);
  gsl_set_error_handler (before);
}

static void
raw_without_gpu (void)
{
  double x = 1, sum = 5;

  CHECK (REPORTS (gsltune_device_sum (&x, 1, 1, NULL, &sum), GSL_EINVAL));
  CHECK (REPORTS (gsltune_device_sum (&x, 1, 0, NULL, &sum), GSL_EINVAL));
  CHECK (REPORTS (gsltune_device_sum (&x, 1, 1, NULL, NULL), GSL_EINVAL));
  CHECK (gsltune_device_sum (NULL, 0, 1, NULL, &sum) == GSL_SUCCESS);
  CHECK (sum == 0);
}

#if HAVE_CUDA

/* ----------------------------------------------------- Scenarios on a GPU */

static void
on_gpu (void)
{
  all_types (1);
}

#define RAW_N 1000

/* Any part of a device vector, from any element, at any stride.  */
#define X(infix, ctype, id)                                                   \
  static void raw##infix (void)                                               \
  {                                                                           \
    ctype *x = new_elements (GT_##id, RAW_N, 1), result;                      \
    gsltune_device_vector##infix *v;                                          \
    const ctype *address;                                                     \
    put_exact (GT_##id, x, RAW_N, 1, 1);                                      \
    v = filled##infix (&VIEW (infix, x, RAW_N, 1));                           \
    address = gsltune_device_vector##infix##_data (v);                        \
    for (size_t from = 0; from < 20; from++)                                  \
      for (size_t s = 0; s < N_OF (strides); s++)                             \
        {                                                                     \
          size_t n = (RAW_N - from) / strides[s];                             \
          const ctype sum                                                     \
            = gsl_vector##infix##_sum (&VIEW (infix, x + from, n, strides[s])); \
          CHECK (gsltune_device##infix##_sum (address + from, n, strides[s],  \
                                              NULL, &result)                  \
                 == GSL_SUCCESS);                                             \
          CHECK (result == sum);                                              \
        }                                                                     \
    CHECK (REPORTS (gsltune_device##infix##_sum (address, 1, 0, NULL,         \
                                                 &result), GSL_EINVAL));      \
    CHECK (REPORTS (gsltune_device##infix##_sum (address, 1, 1, NULL, NULL),  \
                    GSL_EINVAL));                                             \
    CHECK (REPORTS (gsltune_device##infix##_sum (x, 1, 1, NULL, &result),     \
                    GSL_EINVAL));                                             \
    result = 5;                                                               \
    CHECK (gsltune_device##infix##_sum (NULL, 0, 1, NULL, &result)            \
           == GSL_SUCCESS);                                                   \
    CHECK (result == 0);                                                      \
    gsltune_device_vector##infix##_free (v);                                  \
    free (x);                                                                 \
  }
DEVICE_TYPES (X)
#undef X

static void
raw_addresses (void)
{
#define X(infix, ctype, id) raw##infix ();
  DEVICE_TYPES (X)
#undef X
}

/* A sum waits for the work before it in its stream.  */
static void
sum_behind (const struct gt_cuda_driver *driver, CUstream stream,
            unsigned int *address, size_t n)
{
  CUdeviceptr memory = (CUdeviceptr) (uintptr_t) address;
  unsigned int sum;

  for (unsigned char byte = 1; byte < 10; byte++)
    {
      for (int again = 0; again < 10; again++)
        CHECK (!driver->cuMemsetD8Async (memory, 0xee, 4 * n, stream));
      CHECK (!driver->cuMemsetD8Async (memory, byte, 4 * n, stream));
      CHECK (gsltune_device_uint_sum (address, n, 1, stream, &sum)
             == GSL_SUCCESS);
      CHECK (sum == (unsigned int) (n * byte * 0x01010101u));
    }
}

static void
streams (void)
{
  size_t n = on_real_gpu () ? 1 << 24 : 1 << 10;
  gsltune_device_vector_uint *v = gsltune_device_vector_uint_alloc (n);
  const struct gt_cuda_driver *driver = gt_cuda_driver (NULL);
  unsigned int *address = gsltune_device_vector_uint_data (v);
  CUcontext context, popped;
  CUdevice device;
  CUstream stream;

  CHECK (driver && gsltune_device_vector_uint_on_gpu (v));
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
  gsltune_device_vector_uint_free (v);
  /* The caller's context is still the current one, and the only one.  */
  CHECK (!driver->cuCtxPopCurrent (&popped) && popped == context);
  CHECK (driver->cuCtxPopCurrent (&popped));
}

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
static void
captured (void)
{
  double x[1000], raw = 5, sum = put_exact (GT_F64, x, N_OF (x), 1, 8).f64[0];
  gsltune_device_vector *v = filled (&VIEW (, x, N_OF (x), 1));
  struct gt_cuda *gpu = gt_cuda_open (0, NULL);
  struct capturer c;

  CHECK (gpu && gsltune_device_vector_on_gpu (v));
  open_capturer (&c);
  CHECK (gsltune_device_vector_sum (v) == sum);
  for (int mode = 0; mode <= CU_STREAM_CAPTURE_MODE_RELAXED; mode++)
    {
      CHECK (!c.begin (c.stream, (CUstreamCaptureMode) mode));
      CHECK (REPORTS (gsltune_device_sum (gsltune_device_vector_data (v),
                                          N_OF (x), 1, c.stream, &raw),
                      GSL_EINVAL));
      CHECK (gsltune_device_vector_sum (v) == sum);
      end_capture (&c);
    }
  CHECK (raw == 5 && gsltune_device_vector_on_gpu (v) && !gpu->plain_only);
  CHECK (gsltune_device_sum (gsltune_device_vector_data (v), N_OF (x), 1,
                             c.stream, &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  gsltune_device_vector_free (v);
  close_capturer (&c);
}

/* Nor does a capture end because the library does something for the first time:
   opens a GPU, allocates and frees memory of every kind, loads kernels.  */
static void
captured_first (void)
{
  double x[1000], sum = put_exact (GT_F64, x, N_OF (x), 1, 8).f64[0];
  gsltune_device_vector *v;
  gsl_vector *pinned;
  struct capturer c;

  open_capturer (&c);
  CHECK (!c.begin (c.stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  v = filled (&VIEW (, x, N_OF (x), 1));
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
static void
in_turn (void)
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
  struct gt_cuda *gpu = gt_cuda_open (0, NULL);
  int cluster = gpu && gt_cuda_device_of (gpu)->gpu.sm.cc_major >= 9;
  void *memory;

  put_exact (GT_U32, x, N, 1, 11);
  CHECK (gpu && !gt_cuda_alloc (gpu, 4 * N, &memory));
  CHECK (!gt_cuda_to_device (gpu, memory, x, 4 * N));
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
      CHECK (gt_cuda_compute (gpu, &g.plan, &g.task, NULL, &sum) == 0);
      CHECK (sum.u32[0] == sum_of (x + from, n, stride));
      g.plan.config.block = 2048; /* whoever launches it, and however often */
      CHECK (turn % 50 > 4 || gt_cuda_compute (gpu, &g.plan, &g.task, NULL, &sum) != 0);
    }
  CHECK (gt_cuda_usable (gpu) && !gpu->plain_only);
  gt_cuda_free (gpu, memory);
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
  v = filled (&VIEW (, x, w->n, 1));
  for (int round = 0; round < 10; round++)
    {
      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      for (int again = 0; again < 3; again++)
        CHECK (gsltune_device_vector_sum (v) == sum);
      CHECK (gsltune_device_vector_sum (w->shared) == w->shared_sum);
      CHECK (gsltune_device_sum (gsltune_device_vector_data (v), w->n, 1, NULL,
                                 &raw) == GSL_SUCCESS);
      CHECK (raw == sum);
      CHECK (gsltune_device_vector_set (v, &VIEW (, x, w->n, 1))
             == GSL_SUCCESS);
    }
  gsltune_device_vector_free (v);
  free (x);
  return NULL;
}

static void
threads (void)
{
  double x[500];
  struct worker workers[WORKERS];
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 0).f64[0];
  gsltune_device_vector *shared = filled (&VIEW (, x, N_OF (x), 1));

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

static void
compensated (void)
{
  double x[4000];
  float f[4000];
  union gt_value sum = put_cancelling (GT_F64, x, N_OF (x), 1, 2);
  union gt_value sum_f = put_cancelling (GT_F32, f, N_OF (f), 1, 3);
  gsltune_device_vector *v = filled (&VIEW (, x, N_OF (x), 1));
  gsltune_device_vector_float *w = filled_float (&VIEW (_float, f, N_OF (f),
                                                        1));

  gsltune_set_mode (GSLTUNE_MODE_FAST);
  CHECK (gsltune_device_vector_sum (v) != sum.f64[0]);
  for (int mode = GSLTUNE_MODE_COMPENSATED; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      CHECK (gsltune_device_vector_sum (v) == sum.f64[0]);
      CHECK (gsltune_device_vector_float_sum (w) == sum_f.f32[0]);
    }
  gsltune_device_vector_free (v);
  gsltune_device_vector_float_free (w);
}

/* A child may keep nothing that lies on a GPU, but sets and sums on.  */
static void
in_forked_child (gsltune_device_vector *v, const gsl_vector *source,
                 double sum)
{
  gsltune_device_vector *w;
  double raw;

  gsl_set_error_handler (note_error);
  CHECK (isnan (gsltune_device_vector_sum (v)));
  CHECK (handler_calls == 1 && handler_code == GSL_EFAILED);
  CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 1, 1, NULL, &raw)
         != GSL_SUCCESS);
  gsl_set_error_handler (NULL);
  CHECK (gsltune_device_vector_set (v, source) == GSL_SUCCESS);
  CHECK (!gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sum (v) == sum);
  w = filled (source);
  CHECK (!gsltune_device_vector_on_gpu (w));
  CHECK (gsltune_device_vector_sum (w) == sum);
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
}

static void
forked (void)
{
  double x[1000];
  gsl_vector source = VIEW (, x, N_OF (x), 1);
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 0).f64[0];
  gsltune_device_vector *v = filled (&source), *w = filled (&source);
  int status;
  pid_t child;

  CHECK (gsltune_device_vector_sum (v) == sum);
  fflush (NULL);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      alarm (60);
      in_forked_child (v, &source, sum);
      gsltune_device_vector_free (w);
      _exit (0);
    }
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sum (v) == sum);
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
}

/* 512 KiB on the GPU: a vector of 1 MiB goes to host memory, one of 80 kB does
   not.  */
static void
out_of_memory (void)
{
  size_t n = 1 << 17;
  double *x = new_elements (GT_F64, n, 1);
  gsl_vector large = VIEW (, x, n, 1), small = VIEW (, x, 10000, 1);
  gsltune_device_vector *v, *w;

  put_exact (GT_F64, x, n, 1, 6);
  v = filled (&large);
  w = filled (&small);
  CHECK (!gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_on_gpu (w));
  CHECK (gsltune_device_vector_sum (v) == gsl_vector_sum (&large));
  CHECK (gsltune_device_vector_sum (w) == gsl_vector_sum (&small));
  gsltune_device_vector_free (v);
  gsltune_device_vector_free (w);
  free (x);
}

/* Room for the elements, none for what their sum needs: they are copied
   back.  */
static void
out_of_scratch (void)
{
  double x[10000];
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 6).f64[0], raw;
  gsltune_device_vector *v = filled (&VIEW (, x, N_OF (x), 1));

  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sum (v) == sum);
  CHECK (gsltune_device_sum (gsltune_device_vector_data (v), N_OF (x), 1, NULL,
                             &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  gsltune_device_vector_free (v);
}

/* The environment chooses the second GPU; memory of the first is summed where
   it lies.  */
static void
two_gpus (void)
{
  double x[100], raw;
  double sum = put_exact (GT_F64, x, N_OF (x), 1, 6).f64[0];
  gsltune_device_vector *v = filled (&VIEW (, x, N_OF (x), 1));
  struct gt_cuda *first = gt_cuda_open (0, NULL);
  void *memory;

  CHECK (gt_cuda_index_of_address (gsltune_device_vector_data (v)) == 1);
  CHECK (gsltune_device_vector_sum (v) == sum);
  CHECK (first && gt_cuda_alloc (first, sizeof x, &memory) == 0);
  CHECK (gt_cuda_to_device (first, memory, x, sizeof x) == 0);
  CHECK (gt_cuda_index_of_address (memory) == 0);
  CHECK (gsltune_device_sum (memory, N_OF (x), 1, NULL, &raw) == GSL_SUCCESS);
  CHECK (raw == sum);
  gt_cuda_free (first, memory);
  gsltune_device_vector_free (v);
}

#endif

static const struct scenario scenarios[] = {
  {"on_host", on_host},
  {"no_memory", no_memory},
  {"raw_without_gpu", raw_without_gpu},
#if HAVE_CUDA
  {"on_gpu", on_gpu},
  {"raw_addresses", raw_addresses},
  {"streams", streams},
  {"captured", captured},
  {"captured_first", captured_first},
  {"in_turn", in_turn},
  {"threads", threads},
  {"compensated", compensated},
  {"forked", forked},
  {"out_of_memory", out_of_memory},
  {"out_of_scratch", out_of_scratch},
  {"two_gpus", two_gpus},
#endif
};

/* ------------------------------------------------------------------ Tests */

/* A setting that changes nothing.  */
#define NOTHING "GSLTUNE_LOG=quiet"

static char h200[4200], h200_and_a100[8400];

static void
without_a_gpu (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("on_host", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("raw_without_gpu", "", "CUDA_VISIBLE_DEVICES=");
  EXPECT_SCENARIO ("on_host", "", "GSLTUNE_DEVICE=cpu", h200);
  EXPECT_SCENARIO ("on_host", "", "GSLTUNE_DEVICE=cuda:77", h200);
}

#if HAVE_CUDA

static void
every_type_on_a_gpu (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("on_gpu", "", NOTHING, h200);
  EXPECT_SCENARIO ("on_gpu", "", "GSLTUNE_MODE=compensated", h200);
  EXPECT_SCENARIO ("on_gpu", "", "GSLTUNE_MODE=fast", h200);
}

#define ON_GPU(name)                          \
  static void name##_on_gpu (void **state)    \
  {                                           \
    (void) state;                             \
    EXPECT_SCENARIO (#name, "", NOTHING, h200); \
  }
ON_GPU (raw_addresses)
ON_GPU (streams)
ON_GPU (captured)
ON_GPU (captured_first)
ON_GPU (in_turn)
ON_GPU (threads)
ON_GPU (compensated)
ON_GPU (forked)

static void
full_gpus (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("out_of_memory", "", "SOFTGPU_MEMORY=524288", h200);
  EXPECT_SCENARIO ("out_of_scratch", "", "SOFTGPU_MEMORY=100000", h200);
  EXPECT_SCENARIO ("on_host", "", "SOFTGPU_MEMORY=0", h200);
}

static void
several_gpus (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("two_gpus", "", "GSLTUNE_DEVICE=cuda:1", h200_and_a100);
  EXPECT_SCENARIO ("on_host", "", "CUDA_VISIBLE_DEVICES=", h200_and_a100);
}

#endif

/* AddressSanitizer ends a program that asks for more than there can be.  */
static void
short_of_memory (void **state)
{
  (void) state;
  EXPECT_SCENARIO ("no_memory", "", "CUDA_VISIBLE_DEVICES=",
                   "ASAN_OPTIONS=allocator_may_return_null=1");
}

/* The tests that need the GPU come first: on the machine's own, they alone
   count.  */
int
main (int argc, char **argv)
{
  static const struct CMUnitTest gpu_tests[] = {
#if HAVE_CUDA
    cmocka_unit_test (every_type_on_a_gpu),
    cmocka_unit_test (raw_addresses_on_gpu),
    cmocka_unit_test (streams_on_gpu),
    cmocka_unit_test (captured_on_gpu),
    cmocka_unit_test (captured_first_on_gpu),
    cmocka_unit_test (in_turn_on_gpu),
    cmocka_unit_test (threads_on_gpu),
    cmocka_unit_test (compensated_on_gpu),
    cmocka_unit_test (forked_on_gpu),
#endif
    cmocka_unit_test (without_a_gpu),
  };
  static const struct CMUnitTest tests[] = {
#if HAVE_CUDA
    cmocka_unit_test (every_type_on_a_gpu),
    cmocka_unit_test (raw_addresses_on_gpu),
    cmocka_unit_test (streams_on_gpu),
    cmocka_unit_test (captured_on_gpu),
    cmocka_unit_test (captured_first_on_gpu),
    cmocka_unit_test (in_turn_on_gpu),
    cmocka_unit_test (threads_on_gpu),
    cmocka_unit_test (compensated_on_gpu),
    cmocka_unit_test (forked_on_gpu),
    cmocka_unit_test (full_gpus),
    cmocka_unit_test (several_gpus),
#endif
    cmocka_unit_test (without_a_gpu),
    cmocka_unit_test (short_of_memory),
  };

  scenario_main (argc, argv, scenarios, N_OF (scenarios));
  snprintf (h200, sizeof h200, "SOFTGPU_DEVICE=%s",
            source_file ("tests/devices/h200.json"));
  snprintf (h200_and_a100, sizeof h200_and_a100, "%s:%s", h200,
            source_file ("tests/devices/a100.json"));
  cmocka_set_message_output (CM_OUTPUT_TAP);
  return on_real_gpu () ? cmocka_run_group_tests (gpu_tests, NULL, NULL)
                        : cmocka_run_group_tests (tests, NULL, NULL);
}

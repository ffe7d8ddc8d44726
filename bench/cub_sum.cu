/* CUB's DeviceReduce behind C functions.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <cstdio>
#include <cstdlib>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 300100
#define HAS_REPRODUCIBLE_SUM 1
#include <cuda/execution.determinism.h>
#include <cuda/std/execution>
#include <cuda/stream_ref>
#else
#define HAS_REPRODUCIBLE_SUM 0
#endif
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "bench/cub_sum.h"

/* An index, or an element at its beginning.  */
struct result
{
  int64_t index;
  double value;
};

struct gt_cub
{
  cudaStream_t stream;
  cudaEvent_t begin, end;
  void *storage;       /* CUB's temporary storage */
  size_t storage_size; /* bytes */
  struct result *device_result;
  struct result *host_result; /* the same, in pinned host memory */
};

/* Lengths are passed as int: CUB then computes its offsets in 32 bits, the
   cheaper of its two ways.  */
template <typename T>
static cudaError_t
enqueue (gt_cub *cub, const gt_cub_problem *problem, const void *data)
{
  const T *from = static_cast<const T *> (data);
  T *value = reinterpret_cast<T *> (&cub->device_result->value);
  int n = static_cast<int> (problem->n);

  switch (problem->operation)
    {
    case GT_CUB_MAX:
      return cub::DeviceReduce::Max (cub->storage, cub->storage_size, from,
                                     value, n, cub->stream);
    case GT_CUB_ARG_MAX:
#if CUB_VERSION >= 300000
      return cub::DeviceReduce::ArgMax (cub->storage, cub->storage_size, from,
                                        value, &cub->device_result->index,
                                        problem->n, cub->stream);
#else /* the index comes first in the pair, as in a result */
      return cub::DeviceReduce::ArgMax (
        cub->storage, cub->storage_size, from,
        reinterpret_cast<cub::KeyValuePair<int, T> *> (cub->device_result), n,
        cub->stream);
#endif
    default:
      return cub::DeviceReduce::Sum (cub->storage, cub->storage_size, from,
                                     value, n, cub->stream);
    }
}

static cudaError_t
enqueue_any (gt_cub *cub, const gt_cub_problem *problem, const void *data)
{
  return problem->is_float ? enqueue<float> (cub, problem, data)
                           : enqueue<double> (cub, problem, data);
}

/* This form takes memory from the stream's pool.  */
static cudaError_t
enqueue_reproducible (gt_cub *cub, const gt_cub_problem *problem)
{
#if HAS_REPRODUCIBLE_SUM
  auto with = cuda::std::execution::env{
    cuda::stream_ref{cub->stream},
    cuda::execution::require (cuda::execution::determinism::gpu_to_gpu)};

  return cub::DeviceReduce::Reduce (static_cast<const double *> (problem->data),
                                    &cub->device_result->value, static_cast<int> (problem->n),
                                    cuda::std::plus<double>{}, 0.0, with);
#else
  (void) cub;
  (void) problem;
  return cudaErrorNotSupported;
#endif
}

int
gt_cub_has_reproducible_sum (void)
{
  return HAS_REPRODUCIBLE_SUM;
}

int
gt_cub_enqueue (gt_cub *cub, const gt_cub_problem *problem)
{
  return problem->operation == GT_CUB_REPRODUCIBLE_SUM
           ? enqueue_reproducible (cub, problem)
           : enqueue_any (cub, problem, problem->data);
}

/* Where row I begins.  */
struct row_begin
{
  uint64_t length;

  __host__ __device__ uint64_t
  operator() (uint64_t i) const
  {
    return i * length;
  }
};

int
gt_cub_enqueue_segments (gt_cub *cub, const double *data, uint64_t rows, uint64_t length,
                         double *sums)
{
  const auto begins = thrust::make_transform_iterator (thrust::counting_iterator<uint64_t> (0),
                                                       row_begin {length});
  size_t size = cub->storage_size;

  return cub::DeviceSegmentedReduce::Sum (cub->storage, size, data, sums, static_cast<int> (rows),
                                          begins, begins + 1, cub->stream);
}

/* The result, as a number.  */
static double
number (const gt_cub *cub, const gt_cub_problem *problem)
{
  const struct result *result = cub->host_result;

  if (problem->operation == GT_CUB_ARG_MAX)
    return static_cast<double> (CUB_VERSION >= 300000
                                  ? result->index
                                  : *reinterpret_cast<const int *> (result));
  return problem->is_float ? *reinterpret_cast<const float *> (&result->value)
                           : result->value;
}

/* Asked with no storage, CUB tells how much it needs.  */
static cudaError_t
allocate (gt_cub *cub, uint64_t most)
{
  size_t size = 0;
  cudaError_t status = cudaSuccess;

  for (int i = 0; i < 2 * (GT_CUB_ARG_MAX + 1) && status == cudaSuccess; i++)
    {
      gt_cub_problem problem
        = {i % 2, nullptr, most, static_cast<gt_cub_operation> (i / 2)};

      status = enqueue_any (cub, &problem, nullptr);
      size = size < cub->storage_size ? cub->storage_size : size;
    }
  cub->storage_size = size;
  if (status == cudaSuccess)
    status = cudaMalloc (&cub->storage, cub->storage_size);
  if (status == cudaSuccess)
    status = cudaMalloc (&cub->device_result, sizeof (struct result));
  if (status == cudaSuccess)
    status = cudaMallocHost (&cub->host_result, sizeof (struct result));
  return status;
}

static cudaError_t
prepare (gt_cub *cub, int ordinal, uint64_t most)
{
  cudaError_t status = cudaSetDevice (ordinal);

  if (status == cudaSuccess)
    status = cudaStreamCreateWithFlags (&cub->stream, cudaStreamNonBlocking);
  if (status == cudaSuccess)
    status = cudaEventCreate (&cub->begin);
  if (status == cudaSuccess)
    status = cudaEventCreate (&cub->end);
  return status == cudaSuccess ? allocate (cub, most) : status;
}

gt_cub *
gt_cub_open (int ordinal, uint64_t most, const char **why)
{
  gt_cub *cub = static_cast<gt_cub *> (calloc (1, sizeof *cub));
  cudaError_t status = cub ? prepare (cub, ordinal, most)
                           : cudaErrorMemoryAllocation;

  if (status == cudaSuccess)
    return cub;
  *why = cudaGetErrorString (status);
  gt_cub_close (cub);
  return nullptr;
}

void
gt_cub_close (gt_cub *cub)
{
  if (cub == nullptr)
    return;
  cudaFreeHost (cub->host_result);
  cudaFree (cub->device_result);
  cudaFree (cub->storage);
  if (cub->end)
    cudaEventDestroy (cub->end);
  if (cub->begin)
    cudaEventDestroy (cub->begin);
  if (cub->stream)
    cudaStreamDestroy (cub->stream);
  free (cub);
}

const char *
gt_cub_version (void)
{
  static char text[64];

  snprintf (text, sizeof text, "CUB %d.%d.%d, CUDA runtime %d.%d",
            CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION,
            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  return text;
}

void *
gt_cub_stream (gt_cub *cub)
{
  return cub->stream;
}

const char *
gt_cub_error (int status)
{
  return cudaGetErrorString (static_cast<cudaError_t> (status));
}

int
gt_cub_compute (gt_cub *cub, const gt_cub_problem *problem, double *result)
{
  cudaError_t status = enqueue_any (cub, problem, problem->data);

  if (status == cudaSuccess)
    status = cudaMemcpyAsync (cub->host_result, cub->device_result,
                              sizeof (struct result),
                              cudaMemcpyDeviceToHost, cub->stream);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize (cub->stream);
  *result = number (cub, problem);
  return status;
}

/* The seconds since CUB's begin was recorded, at the end of what is in its stream, unless
   STATUS is an error, which is kept.  */
static cudaError_t
end_timing (gt_cub *cub, cudaError_t status, double *seconds)
{
  float milliseconds = 0;

  if (status == cudaSuccess)
    status = cudaEventRecord (cub->end, cub->stream);
  if (status == cudaSuccess)
    status = cudaEventSynchronize (cub->end);
  if (status == cudaSuccess)
    status = cudaEventElapsedTime (&milliseconds, cub->begin, cub->end);
  *seconds = milliseconds * 1e-3;
  return status;
}

int
gt_cub_time (gt_cub *cub, const gt_cub_problem *problem, unsigned count,
             unsigned windows, size_t step, double *seconds)
{
  const char *data = static_cast<const char *> (problem->data);
  cudaError_t status = cudaEventRecord (cub->begin, cub->stream);

  for (unsigned k = 0; k < count && status == cudaSuccess; k++)
    status = enqueue_any (cub, problem, data + k % windows * step);
  return end_timing (cub, status, seconds);
}

/* COUNT calls as a graph.  */
static cudaError_t
capture (gt_cub *cub, int (*call) (void *closure), void *closure, unsigned count,
         cudaGraphExec_t *exec)
{
  cudaGraph_t graph = nullptr;
  cudaError_t status = cudaStreamBeginCapture (cub->stream, cudaStreamCaptureModeGlobal), ended;
  int failed = 0;

  if (status != cudaSuccess)
    return status;
  for (unsigned k = 0; k < count && !failed; k++)
    failed = call (closure);
  ended = cudaStreamEndCapture (cub->stream, &graph);
  status = failed ? cudaErrorUnknown : ended;
  if (status == cudaSuccess)
    status = cudaGraphInstantiate (exec, graph, 0);
  if (graph)
    cudaGraphDestroy (graph);
  return status;
}

int
gt_cub_time_calls (gt_cub *cub, int (*call) (void *closure), void *closure,
                   unsigned count, int as_graph, double *seconds)
{
  cudaGraphExec_t exec = nullptr;
  cudaError_t status = as_graph ? capture (cub, call, closure, count, &exec) : cudaSuccess;

  if (status == cudaSuccess && exec) /* the first time it is also brought to the device */
    status = cudaGraphLaunch (exec, cub->stream);
  if (status == cudaSuccess)
    status = cudaEventRecord (cub->begin, cub->stream);
  if (status == cudaSuccess && exec)
    status = cudaGraphLaunch (exec, cub->stream);
  for (unsigned k = 0; k < count && !exec && status == cudaSuccess; k++)
    status = call (closure) ? cudaErrorUnknown : cudaSuccess;
  status = end_timing (cub, status, seconds);
  if (exec)
    cudaGraphExecDestroy (exec);
  return status;
}

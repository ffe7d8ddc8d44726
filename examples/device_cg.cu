/* Conjugate gradients on a GPU, with dot products that stay there.

   Solves A u = b, where A is the five-point matrix of the Laplacian on a square.  The old way
   asks the host for each dot product: the GPU is idle while the answer travels.  Here
   gsltune_device_vector_dot_to leaves it in device memory, in the stream, where the next
   kernel reads it.  The host puts a round of iterations into the stream, as one graph,
   and waits for nothing but the residual behind each round.  The dot products are exact, so that
   the iterates of both ways have the same bits, on every GPU.

     nvcc device_cg.cu $(pkg-config --cflags --libs gsltune) -o device_cg

   Method: M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear
   systems", Journal of Research of the National Bureau of Standards 49, 1952.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <gsltune.h>

static const int side = 256; /* unknowns along a side */
static const size_t n = (size_t) side * side;
static const int round_length = 50, most_rounds = 40;
static const double tolerance = 1e-18; /* of the residual's square, of b's */

/* Device memory: vectors, and the numbers of two iterations, so that one has the other's.  */
static double *u, *r, *p, *q;
static struct numbers
{
  double rr[2], pq;
} *numbers;

static gsltune_device_vector_view of_r, of_p, of_q;
static gsltune_scratch *scratch;
static cudaStream_t stream;

static void
check (bool good, const char *what)
{
  if (good)
    return;
  fprintf (stderr, "device_cg: %s\n", what);
  exit (EXIT_FAILURE);
}

__global__ void
apply (const double *p, double *q)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  const int i = k / side, j = k % side;
  double sum;

  if (i >= side)
    return;
  sum = 4 * p[k];
  sum -= i > 0 ? p[k - side] : 0;
  sum -= i < side - 1 ? p[k + side] : 0;
  sum -= j > 0 ? p[k - 1] : 0;
  sum -= j < side - 1 ? p[k + 1] : 0;
  q[k] = sum;
}

/* u += alpha p and r -= alpha q, alpha being r.r over p.q.  */
__global__ void
advance (double *u, double *r, const double *p, const double *q, const double *rr, const double *pq)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  const double alpha = *pq == 0 ? 0 : *rr / *pq;

  if (k >= side * side)
    return;
  u[k] = fma (alpha, p[k], u[k]);
  r[k] = fma (-alpha, q[k], r[k]);
}

/* p = r + beta p, beta being the new r.r over the old.  */
__global__ void
turn (double *p, const double *r, const double *rr, const double *old)
{
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  const double beta = *old == 0 ? 0 : *rr / *old;

  if (k < side * side)
    p[k] = fma (beta, p[k], r[k]);
}

/* A dot product to device memory: put into the stream, or by way of the host.  */
typedef void dot_product (const gsltune_device_vector_view &x, const gsltune_device_vector_view &y,
                          double *to);

static void
in_stream (const gsltune_device_vector_view &x, const gsltune_device_vector_view &y, double *to)
{
  check (gsltune_device_vector_dot_to (&x.vector, &y.vector, to, stream, GSLTUNE_MODE_EXACT,
                                            scratch) == 0, "no dot product");
}

static void
by_host (const gsltune_device_vector_view &x, const gsltune_device_vector_view &y, double *to)
{
  double dot;

  check (gsltune_device_vector_dot (&x.vector, &y.vector, &dot) == 0, "no dot product");
  check (cudaMemcpyAsync (to, &dot, sizeof dot, cudaMemcpyHostToDevice, stream) == cudaSuccess,
         "no copy");
}

static void
iterate (dot_product *dot, int which)
{
  const unsigned blocks = (unsigned) ((n + 255) / 256);

  apply<<<blocks, 256, 0, stream>>> (p, q);
  dot (of_p, of_q, &numbers->pq);
  advance<<<blocks, 256, 0, stream>>> (u, r, p, q, &numbers->rr[which], &numbers->pq);
  dot (of_r, of_r, &numbers->rr[1 - which]);
  turn<<<blocks, 256, 0, stream>>> (p, r, &numbers->rr[1 - which], &numbers->rr[which]);
}

static void
one_round (dot_product *dot)
{
  for (int k = 0; k < round_length; k++)
    iterate (dot, k % 2);
}

static cudaGraphExec_t
captured_round ()
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;

  check (cudaStreamBeginCapture (stream, cudaStreamCaptureModeGlobal) == cudaSuccess, "no capture");
  one_round (in_stream);
  check (cudaStreamEndCapture (stream, &graph) == cudaSuccess
           && cudaGraphInstantiate (&exec, graph, 0) == cudaSuccess, "no graph");
  cudaGraphDestroy (graph);
  return exec;
}

/* Solves, by a graph of rounds if there is one; leaves the solution.  Returns seconds.  */
static double
solve (const char *how, dot_product *dot, cudaGraphExec_t graph, std::vector<double> &solution)
{
  const std::vector<double> b (n, 1.0 / n);
  double first = 0, now = 0;
  int rounds = 0;

  cudaMemcpy (r, b.data (), n * sizeof *r, cudaMemcpyHostToDevice);
  cudaMemcpy (p, b.data (), n * sizeof *p, cudaMemcpyHostToDevice);
  cudaMemset (u, 0, n * sizeof *u);
  cudaDeviceSynchronize ();
  const auto begin = std::chrono::steady_clock::now ();
  dot (of_r, of_r, &numbers->rr[0]);
  do
    {
      if (graph)
        check (cudaGraphLaunch (graph, stream) == cudaSuccess, "the graph does not run");
      else
        one_round (dot);
      check (cudaMemcpyAsync (&now, &numbers->rr[0], sizeof now, cudaMemcpyDeviceToHost, stream)
                 == cudaSuccess
               && cudaStreamSynchronize (stream) == cudaSuccess, "the GPU has failed");
      first = rounds == 0 ? 1.0 / n : first;
      rounds++;
    }
  while (now > tolerance * first && rounds < most_rounds);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now () - begin;
  cudaMemcpy (solution.data (), u, n * sizeof *u, cudaMemcpyDeviceToHost);
  printf ("%-26s %4d iterations, residual %.3g, %7.2f us an iteration\n", how, rounds * round_length,
          now / first, time.count () * 1e6 / (rounds * round_length));
  return time.count ();
}

static double *
memory (size_t count)
{
  void *address;

  check (cudaMalloc (&address, count * sizeof (double)) == cudaSuccess, "memory is short");
  return (double *) address;
}

static gsltune_device_vector_view
view_of (double *x)
{
  gsltune_device_vector_view view = gsltune_device_vector_view_array (x, 1, n);

  gsltune_device_vector_set_stream (&view.vector, stream);
  return view;
}

int
main ()
{
  std::vector<double> one (n), other (n);
  int count;

  if (cudaGetDeviceCount (&count) != cudaSuccess || count == 0)
    {
      puts ("there is no GPU");
      return EXIT_SUCCESS;
    }
  check (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking) == cudaSuccess, "no stream");
  u = memory (n);
  r = memory (n);
  p = memory (n);
  q = memory (n);
  numbers = (struct numbers *) memory (3);
  of_r = view_of (r);
  of_p = view_of (p);
  of_q = view_of (q);
  scratch = gsltune_scratch_alloc (0);
  check (scratch != nullptr, "no scratch memory");
  const cudaGraphExec_t graph = captured_round ();

  solve ("for the first time", by_host, nullptr, one);
  const double old_way = solve ("dot products by the host", by_host, nullptr, one);
  solve ("in the stream", in_stream, nullptr, other);
  const double new_way = solve ("in a graph", in_stream, graph, other);
  printf ("%.1f times as fast, and the same bits: %s\n", old_way / new_way,
          memcmp (one.data (), other.data (), n * sizeof (double)) == 0 ? "yes" : "no");
  return memcmp (one.data (), other.data (), n * sizeof (double)) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

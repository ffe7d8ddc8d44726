/* Tests of what the library waits for: on a soft GPU that does all work as late as it
   may (SOFTGPU_LATE), whoever forgets to wait reads what was there before.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/cuda/cuda_context.h"
#include "src/device/backend.h"
#include "tests/device_vectors.h"

#define N 1000

static const struct gt_cuda_driver *driver;
static double before[N], after[N], read_back[N];

/* A stream of the program's own, which waits for no other.  */
static CUstream
open_stream (void)
{
  CUcontext context;
  CUdevice device;
  CUstream stream;

  driver = gt_cuda_driver (NULL);
  CHECK (driver && !driver->cuInit (0) && !driver->cuDeviceGet (&device, 0));
  CHECK (!driver->cuDevicePrimaryCtxRetain (&context, device));
  CHECK (!driver->cuCtxPushCurrent (context));
  CHECK (!driver->cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  return stream;
}

/* All vectors of a scenario, for its end.  */
static gsltune_device_vector *made[32];
static size_t n_made;

static void
free_all (void)
{
  while (n_made > 0)
    gsltune_device_vector_free (made[--n_made]);
}

static gsltune_device_vector *
kept (gsltune_device_vector *v)
{
  CHECK (n_made < N_OF (made));
  made[n_made++] = v;
  return v;
}

static gsltune_device_vector *
vector_of (const double *x)
{
  gsltune_device_vector *v = kept (gsltune_device_vector_alloc (N));
  const gsl_vector view = VIEW ((double *) x, N, 1);

  gsl_set_error_handler (note_error);
  CHECK (v && gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_set (v, &view) == GSL_SUCCESS);
  return v;
}

static CUdeviceptr
address_of (gsltune_device_vector *v)
{
  return (CUdeviceptr) (uintptr_t) gsltune_device_vector_data (v);
}

static void
fill (void)
{
  for (size_t i = 0; i < N; i++)
    {
      before[i] = 1;
      after[i] = 3;
    }
}

/* Vector V is 1; work that its stream has not done yet makes it 3.  */
static void
change_late (gsltune_device_vector *v, CUstream stream)
{
  CHECK (!driver->cuMemcpyHtoDAsync (address_of (v), after, sizeof after, stream));
  gsltune_device_vector_set_stream (v, stream);
}

/* Elements that were set are there when they are summed, whatever way they went.  */
SCENARIO (set_and_sum)
{
  gsltune_device_vector *v;
  gsltune_device_vector_view view;
  const gsl_vector half = VIEW (after, N / 2, 1);

  fill ();
  v = vector_of (before);
  CHECK (gsltune_device_vector_sum (v) == N);
  CHECK (gsltune_device_vector_set (v, &VIEW (after, N, 1)) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_sum (v) == 3 * N);
  v = vector_of (before);
  view = gsltune_device_vector_view_array (gsltune_device_vector_data (v), 2, N / 2);
  CHECK (gsltune_device_vector_set (&view.vector, &half) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_sum (v) == 2 * N);
  free_all ();
}

/* A launch that fails has its elements copied back, but not before the stream has
   done what it was given.  */
SCENARIO (copied_back)
{
  CUstream stream = open_stream ();
  gsltune_device_vector *v;

  fill ();
  v = vector_of (before);
  change_late (v, stream);
  CHECK (gsltune_device_vector_sum (v) == 3 * N);
  free_all ();
}

/* A copy that replaces elements comes after work that still reads them.  */
SCENARIO (replaced)
{
  CUstream stream = open_stream ();
  gsltune_device_vector *v, *copy;

  fill ();
  v = vector_of (before);
  copy = vector_of (after);
  CHECK (!driver->cuMemcpyDtoDAsync (address_of (copy), address_of (v),
                                     sizeof before, stream));
  gsltune_device_vector_set_stream (v, stream);
  CHECK (gsltune_device_vector_set (v, &VIEW (after, N, 1)) == GSL_SUCCESS);
  CHECK (!driver->cuStreamSynchronize (stream));
  CHECK (gsltune_device_vector_sum (copy) == N);
  free_all ();
}

/* Reading comes after work that writes.  */
SCENARIO (read_later)
{
  CUstream stream = open_stream ();
  gsltune_device_vector *v;
  gsl_vector to = VIEW (read_back, N, 1);

  fill ();
  v = vector_of (before);
  change_late (v, stream);
  CHECK (gsltune_device_vector_get (v, &to) == GSL_SUCCESS);
  CHECK (read_back[0] == 3 && read_back[N - 1] == 3);
  free_all ();
}

/* Of two vectors each may have a stream.  */
SCENARIO (two_streams)
{
  CUstream first = open_stream (), second = open_stream ();
  gsltune_device_vector *x, *y;
  double product;

  fill ();
  for (int which = 0; which < 2; which++)
    {
      x = vector_of (before);
      y = vector_of (before);
      gsltune_device_vector_set_stream (x, first);
      gsltune_device_vector_set_stream (y, second);
      change_late (which ? y : x, which ? second : first);
      CHECK (gsltune_device_vector_dot (x, y, &product) == GSL_SUCCESS);
      CHECK (product == 3 * N);
    }
  y = vector_of (before);
  x = vector_of (before);
  change_late (y, second);
  CHECK (gsltune_device_vector_dot (x, y, &product) == GSL_SUCCESS);
  CHECK (product == 3 * N);
  free_all ();
}

/* A vector on two GPUs is copied back, after the work on it.  */
SCENARIO (two_gpus)
{
  const gsl_vector source = VIEW (before, N, 1);
  CUstream stream;
  gsltune_device_vector *x, *y;
  double product;

  if (gsltune_gpu_count () < 2)
    return;
  stream = open_stream ();
  fill ();
  y = kept (gsltune_device_vector_alloc_on (N, 1));
  CHECK (y && gsltune_device_vector_set (y, &source) == GSL_SUCCESS);
  for (int which = 0; which < 2; which++)
    {
      x = vector_of (before);
      change_late (x, stream);
      CHECK (gsltune_device_vector_dot (which ? y : x, which ? x : y, &product)
             == GSL_SUCCESS);
      CHECK (product == 3 * N);
    }
  free_all ();
}

/* The same of all vectors that are summed together.  */
SCENARIO (every_stream)
{
  CUstream stream[3] = {open_stream (), open_stream (), open_stream ()};
  gsltune_device_vector *v[3];

  fill ();
  for (int which = 0; which < 3; which++)
    {
      for (int i = 0; i < 3; i++)
        {
          v[i] = vector_of (before);
          gsltune_device_vector_set_stream (v[i], stream[i]);
        }
      change_late (v[which], stream[which]);
      CHECK (gsltune_device_vector_sum_all ((const gsltune_device_vector *const *) v, 3)
             == 5 * N);
    }
  free_all ();
}

/* Words of a sum that was given up come while the next one is awaited.  */
SCENARIO (given_up)
{
  gsltune_device_vector *v, *w;

  fill ();
  v = vector_of (before);
  w = vector_of (after);
  for (int again = 0; again < 8; again++)
    {
      CHECK (gsltune_device_vector_sum (v) == N);
      CHECK (gsltune_device_vector_sum (w) == 3 * N);
    }
  free_all ();
}

static const char *const every_mode[]
  = {"GSLTUNE_MODE=fast", "GSLTUNE_MODE=compensated", "GSLTUNE_MODE=exact"};
static const char late[] = "SOFTGPU_LATE=1";

TEST (every_scenario)
{
  for (size_t i = 0; i < n_scenarios; i++)
    for (size_t m = 0; m < N_OF (every_mode); m++)
      EXPECT_SCENARIO (scenarios[i].name, "", h200, late, every_mode[m]);
}

TEST (with_two_gpus)
{
  for (size_t m = 0; m < N_OF (every_mode); m++)
    EXPECT_SCENARIO ("two_gpus", "", h200_and_a100, late, every_mode[m]);
}

/* Where every launch fails, or the first one of each kind.  */
TEST (failing_launches)
{
  static const char *const fails[]
    = {"SOFTGPU_FAIL=cuLaunchKernel:*=1,cuGraphLaunch:*=1",
       "SOFTGPU_FAIL=cuLaunchKernel:2=1,cuGraphLaunch:1=1"};

  for (size_t i = 0; i < n_scenarios; i++)
    for (size_t f = 0; f < N_OF (fails); f++)
      EXPECT_SCENARIO (scenarios[i].name, "", h200, late, fails[f]);
}

/* A kernel that was launched, and for which the wait failed: its words are still to come.  */
TEST (failing_waits)
{
  static const char *const fails[]
    = {"SOFTGPU_FAIL=cuStreamSynchronize:4=1",
       "SOFTGPU_FAIL=cuStreamSynchronize:5=1",
       "SOFTGPU_FAIL=cuStreamSynchronize:6=1",
       "SOFTGPU_FAIL=cuStreamSynchronize:7=1"};

  for (size_t f = 0; f < N_OF (fails); f++)
    for (size_t m = 0; m < N_OF (every_mode); m++)
      EXPECT_SCENARIO ("given_up", "", h200, late, fails[f], every_mode[m]);
}

RUN_SCENARIOS (NULL, NULL)

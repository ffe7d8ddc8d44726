/* Sums on a GPU that fails: the driver of tests/softgpu fails as SOFTGPU_FAIL
   says, see test_faults.sh.  Each word of the command line is a part of the
   work; ends with 0 when every answer was right, or rightly refused.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <cuda.h>
#include <gsl/gsl_errno.h>

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/faulty_work.h"
#include "tests/handler.h"
#include "tests/scenario.h"

#define ROUNDS 3

/* Whether nothing that fails can lose what lies on the GPU.  */
static int strict;

/* The call that has just returned STATUS reported just that.  */
static int
refused (int status, int code)
{
  int as_documented = handler_calls == 1 && handler_code == code
                      && status == code;

  handler_calls = 0;
  return as_documented;
}

/* ------------------------------------------------------------------ Parts */

/* Host sums know no error: GSL's default handler, in force here, aborts.  */
#define X(suffix, infix, ctype, id)                                          \
  static void host_##suffix (uint64_t seed)                                  \
  {                                                                          \
    ctype x[N];                                                              \
    for (size_t n = 0; n <= N; n = n < 100 ? n + 33 : 3 * n)                 \
      {                                                                      \
        union gt_value sum = put_exact (GT_##id, x, n, 1, seed + n);           \
        CHECK (gsltune_vector##infix##_sum (&VIEW (infix, x, n))             \
               == GT_LEADING (sum, ctype));                                  \
      }                                                                      \
  }
X (double, , double, F64)
X (float, _float, float, F32)
X (long, _long, long, U64)
X (uint, _uint, unsigned int, U32)
X (short, _short, short, U16)
X (uchar, _uchar, unsigned char, U8)
#undef X

static void
host (void)
{
  for (int round = 0; round < ROUNDS; round++)
    {
      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      host_double (1);
      host_float (2);
      host_long (3);
      host_uint (4);
      host_short (5);
      host_uchar (6);
    }
}

static void
use_address (const double *address, CUstream stream, double expected)
{
  double sum;
  int status = gsltune_device_sum (address, N, 1, stream, &sum);

  CHECK (status == GSL_SUCCESS
           ? sum == expected
           : refused (status, handler_code)
               && (status == GSL_EFAILED || status == GSL_EINVAL));
}

/* Elements that are lost are reported; all else is right.  */
static void
use_vector (gsltune_device_vector *v, double *x, double expected)
{
  double y[N], sum;
  int status;

  sum = gsltune_device_vector_sum (v);
  CHECK (sum == expected
         || (isnan (sum) && !strict && refused (GSL_EFAILED, GSL_EFAILED)));
  if (gsltune_device_vector_on_gpu (v))
    {
      use_address (gsltune_device_vector_data (v), NULL, expected);
      use_address (gsltune_device_vector_data (v), CU_STREAM_PER_THREAD,
                   expected);
    }
  memset (y, 0, sizeof y);
  status = gsltune_device_vector_get (v, &VIEW (, y, N));
  CHECK (status == GSL_SUCCESS ? memcmp (x, y, sizeof x[0] * N) == 0
                               : !strict && refused (status, GSL_EFAILED));
}

static void
device (void)
{
  double x[N];
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  for (int round = 0; round < ROUNDS; round++)
    {
      double sum = put_exact (GT_F64, x, N, 1, (uint64_t) round).f64[0];
      gsltune_device_vector *v = gsltune_device_vector_alloc (N);

      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      CHECK (v && gsltune_device_vector_set (v, &VIEW (, x, N)) == GSL_SUCCESS);
      use_vector (v, x, sum);
      /* Set again, whatever has become of the GPU.  */
      CHECK (gsltune_device_vector_set (v, &VIEW (, x, N)) == GSL_SUCCESS);
      use_vector (v, x, sum);
      gsltune_device_vector_free (v);
    }
  CHECK (handler_calls == 0);
  gsl_set_error_handler (before);
}

/* Pinned or not, sums of host memory are right, and GSL's default handler is
   in force.  What cannot be unpinned stays so: hence static.  */
static void
pinned (void)
{
  static double x[N];

  for (int round = 0; round < ROUNDS; round++)
    {
      gsl_vector ours = VIEW (, x, N);
      double sum = put_exact (GT_F64, x, N, 1, (uint64_t) round).f64[0];
      gsl_vector *v = gsltune_vector_alloc (N), *w = gsltune_vector_calloc (N);
      int status = gsltune_vector_pin (&ours);

      gsltune_set_mode ((gsltune_mode) (round % GT_N_MODES));
      CHECK (status == GSL_SUCCESS || status == GSL_EFAILED);
      CHECK (v && w && gsltune_vector_sum (w) == 0);
      gsl_vector_memcpy (v, &ours);
      CHECK (gsltune_vector_sum (v) == sum);
      CHECK (gsltune_vector_sum (&ours) == sum);
      status = gsltune_vector_unpin (&ours);
      CHECK (status == GSL_SUCCESS || status == GSL_EFAILED);
      gsltune_vector_free (v);
      gsltune_vector_free (w);
      CHECK (gsltune_vector_sum (&ours) == sum);
    }
}

/* Memory of a place that cannot be had takes no part.  */
static void
route (void)
{
  struct gt_open_gpu *gpu = gt_gpu_open (0, NULL);
  void *managed = NULL;
  int pinned_too = gpu && gt_gpus->pin (gpu, pinned_data,
                                        sizeof pinned_data) == 0;
  int managed_too = gpu && gt_gpus->alloc (gpu, GT_PLACE_MANAGED, sizeof pinned_data,
                                           &managed) == 0;

  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      use_place (GT_PLACE_HOST, (enum gt_mode) mode, pageable_data);
      if (pinned_too)
        use_place (GT_PLACE_PINNED, (enum gt_mode) mode, pinned_data);
      if (managed_too)
        use_place (GT_PLACE_MANAGED, (enum gt_mode) mode, managed);
      if (mode == 0)
        gsltune_release (); /* what follows begins anew */
    }
  if (managed_too)
    gt_gpus->free (gpu, GT_PLACE_DEVICE, managed);
  if (pinned_too)
    gt_gpus->unpin (gpu, pinned_data);
  gsltune_release ();
  printf ("%u sums, %u not taken\n", asked, not_taken);
}

/* What a thousand sums leave behind is what one does.  */
static void
thousand (void)
{
  double x[10];
  double sum = put_exact (GT_F64, x, 10, 1, 1).f64[0], raw;
  gsltune_device_vector *v = gsltune_device_vector_alloc (10);

  CHECK (v && gsltune_device_vector_set (v, &VIEW (, x, 10)) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_on_gpu (v));
  for (int i = 0; i < 1000; i++)
    {
      CHECK (gsltune_device_vector_sum (v) == sum);
      CHECK (gsltune_device_sum (gsltune_device_vector_data (v), 9, 1, NULL,
                                 &raw) == GSL_SUCCESS);
      CHECK (raw == sum - x[9]);
      gsltune_set_mode (GSLTUNE_MODE_COMPENSATED); /* never the short way */
      CHECK (gsltune_vector_sum (&VIEW (, x, 10)) == sum);
    }
  gsltune_device_vector_free (v);
}

/* Nothing that was asked for lies on a GPU.  */
static void
no_gpu (void)
{
  gsltune_device_vector *v = gsltune_device_vector_alloc (10);
  const char *why = NULL;

  CHECK (v && !gsltune_device_vector_on_gpu (v));
  gsltune_device_vector_free (v);
  CHECK (gt_gpu_chosen (&why) == NULL && why);
  printf ("%s\n", why);
}

static void
be_strict (void)
{
  strict = 1;
}

int
main (int argc, char **argv)
{
  static const struct scenario parts[]
    = {{"host", host},         {"device", device}, {"tuner", tuner},
       {"thousand", thousand}, {"no_gpu", no_gpu}, {"strict", be_strict},
       {"pinned", pinned},     {"routes", route}};

  alarm (SCENARIO_SECONDS);
  for (int i = 1; i < argc; i++)
    {
      size_t k = 0;

      while (k < sizeof parts / sizeof *parts
             && strcmp (argv[i], parts[k].name))
        k++;
      if (k == sizeof parts / sizeof *parts)
        {
          fprintf (stderr, "faults: there is no part '%s'\n", argv[i]);
          return 2;
        }
      parts[k].run ();
    }
  return 0;
}

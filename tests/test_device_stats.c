/* Tests of products and statistics of device vectors (src/public/device_statistics.c):
   what they give on the host, bit for bit in exact mode, where there is no GPU, on a
   device of tests/softgpu, and on the machine's own where on_gpu.sh asks for that.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "tests/answers.h"
#include "tests/device_vectors.h"

static void
compare (const char *name, enum gt_element_type type, const struct gt_operands *b,
         double device, double host, double error)
{
  if (device == host || (isnan (device) && isnan (host))
      || (gsltune_get_mode () != GSLTUNE_MODE_EXACT
          && fabs (device - host) <= error * fmax (fabs (host), 1)))
    return;
  fprintf (stderr, "%s of %zu %s, %zu and %zu apart: %.17g instead of %.17g\n",
           name, b->n, gt_types[type].name, b->stride[0], b->stride[1], device, host);
  exit (1);
}

/* Every statistic of two device vectors against that of the same elements on the host.  */
static void
statistics_agree (enum gt_element_type type, const struct gt_operands *b)
{
  const struct gt_listed *f = gt_listed[type].function;
  struct gt_answer device, host;

  for (size_t k = 0; k < gt_listed[type].count; k++)
    if (f[k].family == GT_OF_DEVICE_VECTOR && f[k].answers == GT_ANSWERS_NUMBER)
      {
        const struct gt_listed *g = on_host (&f[k]);

        CHECK (g);
        f[k].call (f[k].ours, b, &device);
        g->call (g->ours, b, &host);
        compare (f[k].name, type, b, (double) gt_answer_value (&f[k], &device, 0),
                 (double) gt_answer_value (g, &host, 0), 1e-10);
      }
}

#define GT_TEMPLATE "tests/device_stats_cases.inc"
#include "src/public/each_type.h"

SCENARIO (statistics)
{
  static const size_t lengths[] = {1, 2, 3, 7, 33, 1000, 5000};

  for (size_t k = 0; k < N_OF (lengths); k++)
    {
#define X(id, name, infix, ctype, arithmetic) as_on_the_host##infix (lengths[k]);
      GT_GPU_ELEMENT_TYPES (X)
#undef X
    }
#define X(id, name, infix, ctype, arithmetic) lengths_differ##infix ();
  GT_GPU_ELEMENT_TYPES (X)
#undef X
}

#if HAVE_CUDA
/* Room for the elements, none for what computing takes: they are copied back.  */
SCENARIO (copied_back)
{
  static double x[9000];
  const gsl_vector all = VIEW (x, N_OF (x), 1);
  gsltune_device_vector *v = gsltune_device_vector_alloc (N_OF (x));
  double dot;

  for (size_t i = 0; i < N_OF (x); i++)
    x[i] = (double) (i % 7);
  CHECK (v && gsltune_device_vector_set (v, &all) == GSL_SUCCESS);
  CHECK (gsltune_device_vector_on_gpu (v));
  CHECK (gsltune_device_vector_sd (v) == gsltune_stats_sd (x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_lag1_autocorrelation (v)
         == gsltune_stats_lag1_autocorrelation (x, 1, N_OF (x)));
  CHECK (gsltune_device_vector_dot (v, v, &dot) == GSL_SUCCESS);
  CHECK (dot == gsltune_device_vector_tss_m (v, 0));
  gsltune_device_vector_free (v);
}
#endif

/* ------------------------------------------------------------------ Tests */

#if HAVE_CUDA
TEST (statistics_on_gpu)
{
  EXPECT_SCENARIO ("statistics", "", NOTHING, h200);
}

SOFTGPU_TEST (full_gpu)
{
  EXPECT_SCENARIO ("copied_back", "", "SOFTGPU_MEMORY=80000", h200);
}
#endif

TEST (without_a_gpu)
{
  EXPECT_SCENARIO ("statistics", "", "CUDA_VISIBLE_DEVICES=");
}

RUN_SCENARIOS (NULL, NULL)

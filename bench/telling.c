/* Results of GSL, NumPy, cuBLAS and gsltune in exact mode for a few telling vectors: a
   table for bench/results/telling.md.

   NumPy's column is what its documented algorithms give, computed here: of fewer than
   8 elements sums are added one after the other; mean is the sum by n, var the mean
   square of what is left when that is taken off, norm the root of the dot product,
   corrcoef the covariance by the roots of the variances, brought between -1 and 1.
   cuBLAS' column needs a GPU and the library (bench/cublas.h).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>

#include "bench/cublas.h"
#include "src/gsltune.h"

#define MOST 7

struct vectors
{
  double x[MOST], y[MOST];
  size_t n;
};

/* ------------------------------------------------------------------- NumPy */

static double
dot (const double *x, const double *y, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double
numpy_mean (const double *x, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum / (double) n;
}

static double
numpy_covariance (const double *x, const double *y, size_t n)
{
  const double a = numpy_mean (x, n), b = numpy_mean (y, n);
  double d[MOST], e[MOST];

  for (size_t i = 0; i < n; i++)
    {
      d[i] = x[i] - a;
      e[i] = y[i] - b;
    }
  return dot (d, e, n) / (double) (n - 1);
}

/* ------------------------------------------------------------------ cuBLAS */

static struct
{
  struct gt_cublas *handle; /* null where there is none */
  gsltune_device_vector *x, *y;
} gpu;

static void
open_cublas (void)
{
  const char *why;

  gpu.x = gsltune_device_vector_alloc (MOST);
  gpu.y = gsltune_device_vector_alloc (MOST);
  if (gsltune_device_vector_on_gpu (gpu.x))
    gpu.handle = gt_cublas_open (NULL, &why);
}

static void
load (gsltune_device_vector *v, const double *x)
{
  const gsl_vector source = {MOST, 1, (double *) x, NULL, 0};

  gsltune_device_vector_set (v, &source);
}

/* Returns 0 where there is no cuBLAS.  */
static int
cublas_dot (const struct vectors *v, double *result)
{
  if (gpu.handle == NULL)
    return 0;
  load (gpu.x, v->x);
  load (gpu.y, v->y);
  return gt_cublas_ddot (gpu.handle, gsltune_device_vector_data (gpu.x),
                         gsltune_device_vector_data (gpu.y), v->n, result)
         == 0;
}

static int
cublas_norm (const struct vectors *v, double *result)
{
  if (gpu.handle == NULL)
    return 0;
  load (gpu.x, v->x);
  return gt_cublas_dnrm2 (gpu.handle, gsltune_device_vector_data (gpu.x), v->n,
                          result)
         == 0;
}

/* --------------------------------------------------------------- Functions */

/* GSL's, NumPy's, and ours.  */
struct answers
{
  double gsl, numpy, ours;
};

static void
of_mean (const struct vectors *v, struct answers *a)
{
  a->gsl = gsl_stats_mean (v->x, 1, v->n);
  a->numpy = numpy_mean (v->x, v->n);
  a->ours = gsltune_stats_mean (v->x, 1, v->n);
}

static void
of_variance (const struct vectors *v, struct answers *a)
{
  a->gsl = gsl_stats_variance (v->x, 1, v->n);
  a->numpy = numpy_covariance (v->x, v->x, v->n);
  a->ours = gsltune_stats_variance (v->x, 1, v->n);
}

static void
of_sd (const struct vectors *v, struct answers *a)
{
  a->gsl = gsl_stats_sd (v->x, 1, v->n);
  a->numpy = sqrt (numpy_covariance (v->x, v->x, v->n));
  a->ours = gsltune_stats_sd (v->x, 1, v->n);
}

static void
of_covariance (const struct vectors *v, struct answers *a)
{
  a->gsl = gsl_stats_covariance (v->x, 1, v->y, 1, v->n);
  a->numpy = numpy_covariance (v->x, v->y, v->n);
  a->ours = gsltune_stats_covariance (v->x, 1, v->y, 1, v->n);
}

static void
of_correlation (const struct vectors *v, struct answers *a)
{
  const double r = numpy_covariance (v->x, v->y, v->n)
                   / sqrt (numpy_covariance (v->x, v->x, v->n))
                   / sqrt (numpy_covariance (v->y, v->y, v->n));

  a->gsl = gsl_stats_correlation (v->x, 1, v->y, 1, v->n);
  a->numpy = r > 1 ? 1 : r < -1 ? -1 : r;
  a->ours = gsltune_stats_correlation (v->x, 1, v->y, 1, v->n);
}

static void
of_dot (const struct vectors *v, struct answers *a)
{
  const gsl_vector x = {v->n, 1, (double *) v->x, NULL, 0};
  const gsl_vector y = {v->n, 1, (double *) v->y, NULL, 0};

  gsl_blas_ddot (&x, &y, &a->gsl);
  a->numpy = dot (v->x, v->y, v->n);
  gsltune_blas_ddot (&x, &y, &a->ours);
}

static void
of_norm (const struct vectors *v, struct answers *a)
{
  const gsl_vector x = {v->n, 1, (double *) v->x, NULL, 0};

  a->gsl = gsl_blas_dnrm2 (&x);
  a->numpy = sqrt (dot (v->x, v->x, v->n));
  a->ours = gsltune_blas_dnrm2 (&x);
}

/* ------------------------------------------------------------------- Table */

static const struct
{
  const char *what;
  void (*of) (const struct vectors *v, struct answers *a);
  int (*cublas) (const struct vectors *v, double *result);
  struct vectors v;
} rows[] = {
  {"mean {1e16, 1, -1e16}", of_mean, NULL, {{1e16, 1, -1e16}, {0}, 3}},
  {"mean {DBL_MAX, DBL_MAX}", of_mean, NULL, {{DBL_MAX, DBL_MAX}, {0}, 2}},
  {"variance {1e8 + 1, 1e8 + 2, 1e8 + 4}", of_variance, NULL,
   {{1e8 + 1, 1e8 + 2, 1e8 + 4}, {0}, 3}},
  {"variance {1e16, 1e16 + 2, 1e16 + 4, 1e16 + 4}", of_variance, NULL,
   {{1e16, 1e16 + 2, 1e16 + 4, 1e16 + 4}, {0}, 4}},
  {"sd {1e200, 2e200, 4e200}", of_sd, NULL, {{1e200, 2e200, 4e200}, {0}, 3}},
  {"sd {1e-200, 2e-200, 4e-200}", of_sd, NULL,
   {{1e-200, 2e-200, 4e-200}, {0}, 3}},
  {"covariance {1e16, 1, -1e16} {1, 1e16, 1}", of_covariance, NULL,
   {{1e16, 1, -1e16}, {1, 1e16, 1}, 3}},
  {"correlation {1, 2} {1, 2}", of_correlation, NULL, {{1, 2}, {1, 2}, 2}},
  {"correlation {1e200, 2e200, 3e200} {1, 2, 4}", of_correlation, NULL,
   {{1e200, 2e200, 3e200}, {1, 2, 4}, 3}},
  {"dot {1e16, 1, -1e16} {1, 1, 1}", of_dot, cublas_dot,
   {{1e16, 1, -1e16}, {1, 1, 1}, 3}},
  {"dot {1e200, 1, -1e200} {1e200, 1, 1e200}", of_dot, cublas_dot,
   {{1e200, 1, -1e200}, {1e200, 1, 1e200}, 3}},
  {"dot {0.1, -0.01} {0.1, 1}", of_dot, cublas_dot,
   {{0.1, -0.01}, {0.1, 1}, 2}},
  {"nrm2 {3e-200, 4e-200}", of_norm, cublas_norm, {{3e-200, 4e-200}, {0}, 2}},
  {"nrm2 {2^53, 2^27, 1, 5e-324}", of_norm, cublas_norm,
   {{0x1p53, 0x1p27, 1, 5e-324}, {0}, 4}},
  {"nrm2 {inf, inf}", of_norm, cublas_norm, {{INFINITY, INFINITY}, {0}, 2}},
};

/* NaN has a sign that nobody wants to know.  */
static void
print (double x)
{
  if (isnan (x))
    printf (" NaN |");
  else
    printf (" %.17g |", x);
}

int
main (void)
{
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  open_cublas ();
  puts ("| of | GSL | NumPy | cuBLAS | exact mode |\n|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      struct answers a;
      double from_cublas;

      rows[i].of (&rows[i].v, &a);
      printf ("| %s |", rows[i].what);
      print (a.gsl);
      print (a.numpy);
      if (rows[i].cublas == NULL)
        printf (" |");
      else if (rows[i].cublas (&rows[i].v, &from_cublas))
        print (from_cublas);
      else
        printf (" ? |");
      print (a.ours);
      puts ("");
    }
  gt_cublas_close (gpu.handle);
  gsltune_device_vector_free (gpu.x);
  gsltune_device_vector_free (gpu.y);
  return 0;
}

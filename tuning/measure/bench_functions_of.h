/* What gsltune bench times of one element type: a template of src/public/each_type.h.
   A result goes where the compiler cannot leave the call out.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )
#define DEVICE NAMED (gsltune_device_vector, )

static VECTOR
NAMED (view, _of) (const struct gt_bench_vector *v)
{
  return (VECTOR) {v->n, v->stride, v->data, NULL, 0};
}

static void
NAMED (gsl, _sum) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsl_vector, _sum) (&view);
}

static void
NAMED (gsl, _max) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsl_vector, _max) (&view);
}

static void
NAMED (gsl, _min) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsl_vector, _min) (&view);
}

static void
NAMED (gsl, _minmax) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  NAMED (gsl_vector, _minmax) (&view, (TYPE *) &result, (TYPE *) &result + 1);
}

static void
NAMED (ours, _sum) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsltune_vector, _sum) (&view);
}

static void
NAMED (ours, _max) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsltune_vector, _max) (&view);
}

static void
NAMED (ours, _min) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  *(volatile TYPE *) &result = NAMED (gsltune_vector, _min) (&view);
}

static void
NAMED (ours, _minmax) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  NAMED (gsltune_vector, _minmax) (&view, (TYPE *) &result,
                                   (TYPE *) &result + 1);
}

/* ------------------------------------------------------------ Statistics */

#define STATISTIC(who, library, what)                                        \
  static void NAMED (who, _##what) (const struct gt_bench_vector *v)         \
  {                                                                          \
    *(volatile double *) &result                                             \
      = NAMED (library, _##what) (v->data, v->stride, v->n);                 \
  }
#define STATISTIC_OF_TWO(who, library, what)                                 \
  static void NAMED (who, _##what) (const struct gt_bench_vector *v)         \
  {                                                                          \
    *(volatile double *) &result                                             \
      = NAMED (library, _##what) (v->data, v->stride, v->second, v->stride, v->n); \
  }
#define ON_BOTH(which, what) \
  which (gsl, gsl_stats, what) which (ours, gsltune_stats, what)

ON_BOTH (STATISTIC, mean)
ON_BOTH (STATISTIC, variance)
ON_BOTH (STATISTIC, lag1_autocorrelation)
ON_BOTH (STATISTIC, absdev)
ON_BOTH (STATISTIC, skew)
ON_BOTH (STATISTIC, kurtosis)
ON_BOTH (STATISTIC_OF_TWO, covariance)
ON_BOTH (STATISTIC_OF_TWO, correlation)
#if REAL /* the first are the weights */
ON_BOTH (STATISTIC_OF_TWO, wmean)
ON_BOTH (STATISTIC_OF_TWO, wvariance)
ON_BOTH (STATISTIC_OF_TWO, wabsdev)
ON_BOTH (STATISTIC_OF_TWO, wskew)
ON_BOTH (STATISTIC_OF_TWO, wkurtosis)
#endif

#if GPU
#define STATISTIC_ON_GPU(what)                                               \
  static void NAMED (device, _##what) (const struct gt_bench_vector *v)      \
  {                                                                          \
    *(volatile double *) &result                                             \
      = NAMED (gsltune_device_vector, _##what) (v->device);                  \
  }
#define STATISTIC_OF_TWO_ON_GPU(what)                                        \
  static void NAMED (device, _##what) (const struct gt_bench_vector *v)      \
  {                                                                          \
    *(volatile double *) &result                                             \
      = NAMED (gsltune_device_vector, _##what) (v->device, v->device_second); \
  }
STATISTIC_ON_GPU (mean)
STATISTIC_ON_GPU (variance)
STATISTIC_ON_GPU (lag1_autocorrelation)
STATISTIC_ON_GPU (absdev)
STATISTIC_ON_GPU (skew)
STATISTIC_ON_GPU (kurtosis)
STATISTIC_OF_TWO_ON_GPU (covariance)
STATISTIC_OF_TWO_ON_GPU (correlation)
#if REAL
STATISTIC_OF_TWO_ON_GPU (wmean)
STATISTIC_OF_TWO_ON_GPU (wvariance)
STATISTIC_OF_TWO_ON_GPU (wabsdev)
STATISTIC_OF_TWO_ON_GPU (wskew)
STATISTIC_OF_TWO_ON_GPU (wkurtosis)
#endif
#undef STATISTIC_ON_GPU
#undef STATISTIC_OF_TWO_ON_GPU

static void
NAMED (device, _sum) (const struct gt_bench_vector *v)
{
  *(volatile TYPE *) &result = NAMED (gsltune_device_vector, _sum) (v->device);
}

static void
NAMED (device, _max) (const struct gt_bench_vector *v)
{
  *(volatile TYPE *) &result = NAMED (gsltune_device_vector, _max) (v->device);
}

static void
NAMED (device, _min) (const struct gt_bench_vector *v)
{
  *(volatile TYPE *) &result = NAMED (gsltune_device_vector, _min) (v->device);
}

static void
NAMED (device, _minmax) (const struct gt_bench_vector *v)
{
  NAMED (gsltune_device_vector, _minmax) (v->device, (TYPE *) &result,
                                          (TYPE *) &result + 1);
}

static void
NAMED (device, _free) (void *device)
{
  NAMED (gsltune_device_vector, _free) (device);
}

static void *
NAMED (device, _make) (const struct gt_bench_vector *v)
{
  VECTOR view = NAMED (view, _of) (v);
  DEVICE *device = NAMED (gsltune_device_vector, _alloc) (v->n);

  if (NAMED (gsltune_device_vector, _on_gpu) (device)
      && NAMED (gsltune_device_vector, _set) (device, &view) == 0)
    return device;
  NAMED (gsltune_device_vector, _free) (device);
  return NULL;
}
#endif

#undef VECTOR
#undef DEVICE
#undef STATISTIC
#undef STATISTIC_OF_TWO
#undef ON_BOTH

/* What test_device_extremes.c tries with every element type that a GPU has: a template
   of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#include "tests/answers.h"
#include "tests/sown.h"

#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define DEVICE_VIEW NAMED (gsltune_device_vector, _view)
#define VECTOR NAMED (gsl_vector, )
#define OF(function) NAMED (gsltune_device_vector, function)
#define SUM_ARITHMETIC gt_arithmetic_for (GT_SUM, ARITHMETIC)

static void
NAMED (agree, ) (const char *name, const ANSWER *device, const ANSWER *gsl)
{
  if (NAMED (same, ) (device, gsl))
    return;
  fprintf (stderr, "%s: %Lg, %Lg at %zu, %zu, GSL has %Lg, %Lg at %zu, %zu\n",
           name, (long double) device->value[0], (long double) device->value[1],
           device->index[0], device->index[1], (long double) gsl->value[0],
           (long double) gsl->value[1], gsl->index[0], gsl->index[1]);
  exit (1);
}

/* Every row of functions.def for device vectors that all GPU types have.  */
static void
NAMED (agrees, ) (const DEVICE_VECTOR *v, const VECTOR *w)
{
  ANSWER d, g;

  NAMED (clear, ) (&d);
  NAMED (clear, ) (&g);
#define ROW_DEVICE_VECTOR_GPU(name, reduction, result)                      \
  if (gt_reductions[GT_##reduction].algebra == GT_ALGEBRA_ORDER)                    \
    {                                                                       \
      TAKE_##result (NAMED (gsltune_device_vector, _##name), v, &d);        \
      TAKE_##result (NAMED (gsl_vector, _##name), w, &g);                   \
      NAMED (agree, ) (#name, &d, &g);                                      \
    }
#define FUNCTION(family, name, reduction, result, types, ...)               \
  ROW_##family##_##types (name, reduction, result)
#include "src/functions.def"
#undef FUNCTION
#undef ROW_DEVICE_VECTOR_GPU
}

#if REAL
/* BLAS has a letter for the type.  */
static void
NAMED (magnitudes_agree, ) (const DEVICE_VECTOR *v, const VECTOR *w)
{
  const size_t at = sizeof (TYPE) == sizeof (double)
                      ? gsl_blas_idamax ((const void *) w)
                      : gsl_blas_isamax ((const void *) w);

  CHECK (OF (_iamax) (v) == at);
}

static void
NAMED (magnitudes_add, ) (const DEVICE_VECTOR *v, const TYPE *x, size_t n,
                          size_t stride)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += fabs ((double) x[i * stride]);
  CHECK (OF (_asum) (v) == (TYPE) sum);
}
#endif

/* A vector of its own, and views of it of any stride.  */
static void
NAMED (as_gsl, ) (size_t n, enum sown sown)
{
  TYPE *x = new_elements (ARITHMETIC, n, 1);
  const VECTOR whole = {n, 1, x, NULL, 0};
  DEVICE_VECTOR *v = OF (_alloc) (n);

  NAMED (sow, ) (x, n, 1, sown, n);
  CHECK (v && OF (_set) (v, &whole) == GSL_SUCCESS);
  CHECK (OF (_stride) (v) == 1);
  NAMED (agrees, ) (v, &whole);
  for (size_t s = 0; s < N_OF (strides) && OF (_on_gpu) (v); s++)
    {
      const size_t from = n > 3 ? 3 : 0;
      const size_t m = (n - from + strides[s] - 1) / strides[s];
      const VECTOR part = {m, strides[s], x + from, NULL, 0};
      DEVICE_VIEW view = OF (_view_array) ((TYPE *) OF (_data) (v) + from,
                                           strides[s], m);

      CHECK (OF (_size) (&view.vector) == m && OF (_on_gpu) (&view.vector));
      CHECK (OF (_stride) (&view.vector) == strides[s]);
      NAMED (agrees, ) (&view.vector, &part);
#if REAL
      NAMED (magnitudes_agree, ) (&view.vector, &part);
      if (sown == TIED)
        NAMED (magnitudes_add, ) (&view.vector, part.data, m, strides[s]);
#endif
    }
  OF (_free) (v);
  free (x);
}

#if HAVE_CUDA
/* Set writes the elements of a view and nothing else, get reads them.  */
static void
NAMED (copies, ) (size_t n, size_t stride)
{
  const size_t span = n * stride;
  TYPE *x = new_elements (SUM_ARITHMETIC, span, 1);
  TYPE *y = new_elements (SUM_ARITHMETIC, n, 2);
  TYPE *z = new_elements (SUM_ARITHMETIC, span, 1);
  VECTOR all = {span, 1, x, NULL, 0}, some = {n, 2, y, NULL, 0};
  VECTOR back = {span, 1, z, NULL, 0};
  const union gt_value sum = put_exact (SUM_ARITHMETIC, y, n, 2, n);
  DEVICE_VECTOR *v = OF (_alloc) (span);
  DEVICE_VIEW view;

  CHECK (v && OF (_set) (v, &all) == GSL_SUCCESS);
  view = OF (_view_array) (OF (_data) (v), stride, n);
  CHECK (OF (_set) (&view.vector, &some) == GSL_SUCCESS);
  CHECK (OF (_sum) (&view.vector) == GT_LEADING (sum, TYPE));
  CHECK (OF (_get) (v, &back) == GSL_SUCCESS);
  for (size_t i = 0; i < n; i++)
    x[i * stride] = y[2 * i];
  CHECK (memcmp (x, z, span * sizeof (TYPE)) == 0);
  some.stride = 1;
  CHECK (OF (_get) (&view.vector, &some) == GSL_SUCCESS);
  for (size_t i = 0; i < n; i++)
    CHECK (y[i] == x[i * stride]);
  OF (_free) (&view.vector);
  OF (_free) (v);
  free (x);
  free (y);
  free (z);
}
#endif

/* No elements, on a GPU or not.  */
static void
NAMED (empty, ) (void)
{
  DEVICE_VECTOR *v = OF (_alloc) (0);
  TYPE x[2] = {1, 1};
  size_t at[2] = {1, 1};

  CHECK (v && OF (_sum) (v) == 0);
#define IS_NONE(a) (REAL ? isnan ((double) (a)) : (a) == 0)
  CHECK (WITH_ERROR (x[0] = OF (_max) (v), GSL_EDOM) && IS_NONE (x[0]));
  CHECK (WITH_ERROR (x[0] = OF (_min) (v), GSL_EDOM) && IS_NONE (x[0]));
  CHECK (WITH_ERROR (OF (_minmax) (v, &x[0], &x[1]), GSL_EDOM));
  CHECK (IS_NONE (x[0]) && IS_NONE (x[1]));
  CHECK (WITH_ERROR (at[0] = OF (_max_index) (v), GSL_EDOM) && at[0] == 0);
  at[0] = 1;
  CHECK (WITH_ERROR (at[0] = OF (_min_index) (v), GSL_EDOM) && at[0] == 0);
  at[0] = 1;
  CHECK (WITH_ERROR (OF (_minmax_index) (v, &at[0], &at[1]), GSL_EDOM));
  CHECK (at[0] == 0 && at[1] == 0);
#if REAL
  CHECK (OF (_asum) (v) == 0 && OF (_iamax) (v) == 0);
#endif
#undef IS_NONE
  OF (_free) (v);
}

static void
NAMED (refusals, ) (void)
{
  TYPE x[4] = {1, 2, 3, 4};
  DEVICE_VIEW view = OF (_view_array) (NULL, 7, 0);

  CHECK (OF (_size) (&view.vector) == 0 && OF (_sum) (&view.vector) == 0);
  CHECK (WITH_ERROR (view = OF (_view_array) (x, 1, 4), GSL_EINVAL));
  CHECK (OF (_size) (&view.vector) == 0);
  CHECK (WITH_ERROR (OF (_max) (&view.vector), GSL_EDOM));
  CHECK (WITH_ERROR (OF (_view_array) (x, 0, 4), GSL_EINVAL));
  CHECK (WITH_ERROR (OF (_view_array) (x, SIZE_MAX / 2, 4), GSL_EINVAL));
}

static void
NAMED (all, ) (void)
{
  for (size_t k = 1; k < N_OF (lengths); k++)
    for (int sown = 0; sown < N_SOWN; sown++)
      NAMED (as_gsl, ) (lengths[k], (enum sown) sown);
  NAMED (empty, ) ();
  NAMED (refusals, ) ();
}

#if HAVE_CUDA
static void
NAMED (all_copies, ) (void)
{
  for (size_t s = 0; s < N_OF (strides); s++)
    for (size_t k = 1; k < N_OF (lengths); k++)
      NAMED (copies, ) (lengths[k], strides[s]);
}
#endif

#undef DEVICE_VECTOR
#undef DEVICE_VIEW
#undef VECTOR
#undef OF
#undef SUM_ARITHMETIC
#undef ANSWER
#endif

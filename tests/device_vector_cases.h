/* What test_device_vector.c tries with every element type that a GPU has: a template
   of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define VECTOR NAMED (gsl_vector, )
#define OF(function) NAMED (gsltune_device_vector, function)
#define SUM_ARITHMETIC gt_arithmetic_for (GT_SUM, ARITHMETIC)

static VECTOR
NAMED (view, ) (TYPE *data, size_t n, size_t stride)
{
  return (VECTOR) {n, stride, data, NULL, 0};
}

static DEVICE_VECTOR *
NAMED (filled, ) (const VECTOR *source)
{
  DEVICE_VECTOR *v = OF (_alloc) (source->size);

  CHECK (v);
  CHECK (OF (_size) (v) == source->size);
  CHECK (OF (_data) (v));
  CHECK (OF (_set) (v, source) == GSL_SUCCESS);
  return v;
}

static void
NAMED (there_and_back, ) (size_t n, size_t stride, int on_gpu)
{
  size_t back = 20 - stride;
  TYPE *x = new_elements (SUM_ARITHMETIC, n, stride);
  TYPE *y = new_elements (SUM_ARITHMETIC, n, back);
  TYPE *z = new_elements (SUM_ARITHMETIC, n, back);
  union gt_value sum = put_exact (SUM_ARITHMETIC, x, n, stride, n);
  const VECTOR source = NAMED (view, ) (x, n, stride);
  VECTOR destination = NAMED (view, ) (y, n, back);
  DEVICE_VECTOR *v = NAMED (filled, ) (&source);

  CHECK (OF (_on_gpu) (v) == on_gpu);
  CHECK (OF (_sum) (v) == GT_LEADING (sum, TYPE));
  CHECK (OF (_get) (v, &destination) == GSL_SUCCESS);
  for (size_t i = 0; i < n; i++)
    z[i * back] = x[i * stride];
  CHECK (memcmp (y, z, (n * back + 1) * sizeof (TYPE)) == 0);
  OF (_free) (v);
  free (x);
  free (y);
  free (z);
}

static void
NAMED (lengths_differ, ) (void)
{
  TYPE x[4] = {1, 2, 3, 4};
  const VECTOR three = NAMED (view, ) (x, 3, 1), four = NAMED (view, ) (x, 4, 1);
  VECTOR two = NAMED (view, ) (x, 2, 1);
  DEVICE_VECTOR *v = NAMED (filled, ) (&three);
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  CHECK (REPORTS (OF (_set) (v, &four), GSL_EBADLEN));
  CHECK (REPORTS (OF (_get) (v, &two), GSL_EBADLEN));
  gsl_set_error_handler (before);
  CHECK (OF (_sum) (v) == 6);
  OF (_free) (v);
  OF (_free) (NULL);
}

static void
NAMED (all, ) (int on_gpu)
{
  for (size_t k = 0; k < N_OF (lengths); k++)
    for (size_t s = 0; s < N_OF (strides); s++)
      NAMED (there_and_back, ) (lengths[k], strides[s], on_gpu);
  NAMED (lengths_differ, ) ();
}

#if HAVE_CUDA
/* Any part of a device vector, from any element, at any stride.  */
static void
NAMED (parts_of, ) (const TYPE *x, const TYPE *address)
{
  TYPE result;

  for (size_t from = 0; from < 20; from++)
    for (size_t s = 0; s < N_OF (strides); s++)
      {
        size_t n = (RAW_N - from) / strides[s];
        const VECTOR part = NAMED (view, ) ((TYPE *) x + from, n, strides[s]);

        CHECK (NAMED (gsltune_device, _sum) (address + from, n, strides[s], NULL,
                                             &result) == GSL_SUCCESS);
        CHECK (result == NAMED (gsl_vector, _sum) (&part));
      }
}

/* What a view shows is not its own.  */
static void
NAMED (view_is_kept, ) (DEVICE_VECTOR *v)
{
  const TYPE sum = OF (_sum) (v);
  NAMED (gsltune_device_vector, _view) view
    = OF (_view_array) (OF (_data) (v), 1, OF (_size) (v));

  CHECK (OF (_sum) (&view.vector) == sum);
  OF (_free) (&view.vector);
  OF (_free) (NAMED (filled, ) (&(VECTOR) {1, 1, &(TYPE) {1}, NULL, 0}));
  CHECK (OF (_sum) (v) == sum);
}

/* Views of more than there can be, behind ADDRESS or at all.  */
static void
NAMED (no_such_views, ) (TYPE *address)
{
  static const size_t shapes[][2]
    = {{1, SIZE_MAX / sizeof (TYPE)}, {1, SIZE_MAX}, {SIZE_MAX / 4, 9}};
  gsl_error_handler_t *before = gsl_set_error_handler (note_error);

  for (size_t k = 0; k < N_OF (shapes); k++)
    {
      NAMED (gsltune_device_vector, _view) view;

      handler_calls = 0;
      view = OF (_view_array) (address, shapes[k][0], shapes[k][1]);
      CHECK (handler_calls == 1 && handler_code == GSL_EINVAL);
      CHECK (OF (_size) (&view.vector) == 0);
    }
  gsl_set_error_handler (before);
}

static void
NAMED (raw, ) (void)
{
  TYPE *x = new_elements (SUM_ARITHMETIC, RAW_N, 1), result = 5;
  const VECTOR source = NAMED (view, ) (x, RAW_N, 1);
  DEVICE_VECTOR *v;
  const TYPE *address;

  put_exact (SUM_ARITHMETIC, x, RAW_N, 1, 1);
  v = NAMED (filled, ) (&source);
  address = OF (_data) (v);
  NAMED (parts_of, ) (x, address);
  CHECK (REPORTS (NAMED (gsltune_device, _sum) (address, 1, 0, NULL, &result),
                  GSL_EINVAL));
  CHECK (REPORTS (NAMED (gsltune_device, _sum) (address, 1, 1, NULL, NULL),
                  GSL_EINVAL));
  CHECK (REPORTS (NAMED (gsltune_device, _sum) (x, 1, 1, NULL, &result),
                  GSL_EINVAL));
  result = 5;
  CHECK (NAMED (gsltune_device, _sum) (NULL, 0, 1, NULL, &result)
         == GSL_SUCCESS);
  CHECK (result == 0);
  NAMED (view_is_kept, ) (v);
  NAMED (no_such_views, ) (OF (_data) (v));
  OF (_free) (v);
  free (x);
}
#endif

#undef DEVICE_VECTOR
#undef VECTOR
#undef OF
#undef SUM_ARITHMETIC
#endif

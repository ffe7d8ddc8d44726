/* Every statistic of device vectors of TYPE against that of the same elements on the
   host: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define OF(function) NAMED (gsltune_device_vector, function)

/* Two device vectors and where their elements are on the host.  */
struct NAMED (both, )
{
  const DEVICE_VECTOR *v, *w;
  const TYPE *x, *y;
  size_t n, x_stride, y_stride;
};

static void
NAMED (compare, ) (const char *name, const struct NAMED (both, ) *b,
                   double device, double host)
{
  if (device == host || (isnan (device) && isnan (host))
      || (gsltune_get_mode () != GSLTUNE_MODE_EXACT
          && fabs (device - host) <= 1e-10 * fmax (fabs (host), 1)))
    return;
  fprintf (stderr, "%s of %zu %s, %zu and %zu apart: %.17g instead of %.17g\n",
           name, b->n, gt_types[NAMED_BY (GT_TYPE_, ID, )].name, b->x_stride,
           b->y_stride, device, host);
  exit (1);
}

static void
NAMED (agree, ) (const struct NAMED (both, ) *b)
{
  const double mean = (double) b->x[0] / 2 + 1;

#define AGREE(name, device, host)                                     \
  NAMED (compare, ) (#name, b, OF (_##name) device,                   \
                     NAMED (gsltune_stats, _##name) host);
#define ONE b->x, b->x_stride, b->n
#define TWO b->x, b->x_stride, b->y, b->y_stride, b->n
#define ROW_DOUBLE(name) AGREE (name, (b->v), (ONE))
#define ROW_DOUBLE_M(name) AGREE (name, (b->v, mean), (ONE, mean))
#define ROW_DOUBLE_M_SD(name) AGREE (name, (b->v, mean, 3), (ONE, mean, 3))
#define ROW_PAIR(name) AGREE (name, (b->v, b->w), (TWO))
#define ROW_PAIR_M(name) AGREE (name, (b->v, b->w, mean, 3), (TWO, mean, 3))
#define ROW_WEIGHTED(name) AGREE (name, (b->v, b->w), (TWO))
#define ROW_WEIGHTED_M(name) AGREE (name, (b->v, b->w, mean), (TWO, mean))
#define ROW_WEIGHTED_M_SD(name) \
  AGREE (name, (b->v, b->w, mean, 3), (TWO, mean, 3))
#if REAL
#define ROW_OF_DEVICE_VECTOR_REAL(name, result) ROW_##result (name)
#else
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)
#endif
#include "src/functions.def"
#undef ROW_OF_DEVICE_VECTOR_REAL
#undef AGREE
}

#if REAL
/* BLAS has a letter for the type.  */
static void
NAMED (products_agree, ) (const struct NAMED (both, ) *b)
{
  const NAMED (gsl_vector, ) x = {b->n, b->x_stride, (TYPE *) b->x, NULL, 0};
  const NAMED (gsl_vector, ) y = {b->n, b->y_stride, (TYPE *) b->y, NULL, 0};
  const int wide = sizeof (TYPE) == sizeof (double);
  TYPE device = -1, host = -2;

  if (wide)
    gsltune_blas_ddot ((const void *) &x, (const void *) &y, (void *) &host);
  else
    gsltune_blas_sdot ((const void *) &x, (const void *) &y, (void *) &host);
  CHECK (OF (_dot) (b->v, b->w, &device) == GSL_SUCCESS);
  NAMED (compare, ) ("dot", b, (double) device, (double) host);
  host = (TYPE) (wide ? gsltune_blas_dnrm2 ((const void *) &x)
                      : (double) gsltune_blas_snrm2 ((const void *) &x));
  NAMED (compare, ) ("nrm2", b, (double) OF (_nrm2) (b->v), (double) host);
}
#endif

/* In every mode, of whole vectors and of views of other elements of them.  */
static void
NAMED (as_on_the_host, ) (size_t n)
{
  TYPE *x = new_elements (ARITHMETIC, n, 1), *y = new_elements (ARITHMETIC, n, 1);
  const NAMED (gsl_vector, ) on_host[2] = {{n, 1, x, NULL, 0},
                                           {n, 1, y, NULL, 0}};
  DEVICE_VECTOR *v = OF (_alloc) (n), *w = OF (_alloc) (n);
  struct NAMED (both, ) whole = {v, w, x, y, n, 1, 1};
  uint64_t seed = n;

  for (size_t i = 0; i < n; i++)
    {
      x[i] = (TYPE) (REAL ? (TYPE) ((int) (random_word (&seed) >> 40) - 5000000)
                          : (TYPE) random_word (&seed));
      y[i] = (TYPE) (x[i] / 3 + (TYPE) (random_word (&seed) >> 60));
    }
  CHECK (v && w && OF (_set) (v, &on_host[0]) == GSL_SUCCESS);
  CHECK (OF (_set) (w, &on_host[1]) == GSL_SUCCESS);
  for (int mode = 0; mode < GT_N_MODES; mode++)
    {
      gsltune_set_mode ((gsltune_mode) mode);
      NAMED (agree, ) (&whole);
#if REAL
      NAMED (products_agree, ) (&whole);
#endif
      if (n > 6 && OF (_on_gpu) (v))
        {
          NAMED (gsltune_device_vector, _view) a
            = OF (_view_array) ((TYPE *) OF (_data) (v) + 1, 2, n / 3);
          NAMED (gsltune_device_vector, _view) b
            = OF (_view_array) ((TYPE *) OF (_data) (w), 3, n / 3);
          const struct NAMED (both, ) parts
            = {&a.vector, &b.vector, x + 1, y, n / 3, 2, 3};

          NAMED (agree, ) (&parts);
#if REAL
          NAMED (products_agree, ) (&parts);
#endif
        }
    }
  OF (_free) (v);
  OF (_free) (w);
  free (x);
  free (y);
}

static void
NAMED (lengths_differ, ) (void)
{
  DEVICE_VECTOR *two = OF (_alloc) (2), *three = OF (_alloc) (3);
  double covariance = 1;

  CHECK (two && three);
  gsl_set_error_handler (note_error);
  handler_calls = 0;
  covariance = OF (_covariance) (two, three);
  CHECK (isnan (covariance) && handler_calls == 1
         && handler_code == GSL_EBADLEN);
#if REAL
  {
    TYPE dot = 7;

    CHECK (OF (_dot) (two, three, &dot) == GSL_EBADLEN && dot == 7);
    CHECK (handler_calls == 2);
  }
#endif
  gsl_set_error_handler (NULL);
  OF (_free) (two);
  OF (_free) (three);
}

#undef DEVICE_VECTOR
#undef OF
#endif

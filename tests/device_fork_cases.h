/* Every function of device vectors of TYPE in a child of fork(), where the elements
   are the parent's: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#define VECTOR NAMED (gsltune_device_vector, )
#define OF(function) NAMED (gsltune_device_vector, function)
#define NOTHING_THERE(x) ((x) != (x) || (x) == 0)

/* V and W are the parent's, or views of its memory.  */
static void
NAMED (refused, ) (const VECTOR *v, const VECTOR *w)
{
  const VECTOR *const both[2] = {v, w};
  TYPE x, y;
  size_t i, j;
  double number;

#define ROW_VALUE(name) \
  CHECK (REFUSED (x = OF (_##name) (v)) && NOTHING_THERE (x));
#define ROW_VALUES(name) \
  CHECK (REFUSED (OF (_##name) (v, &x, &y)) && NOTHING_THERE (x) \
         && NOTHING_THERE (y));
#define ROW_INDEX(name) CHECK (REFUSED (i = OF (_##name) (v)) && i == 0);
#define ROW_INDEXES(name) \
  CHECK (REFUSED (OF (_##name) (v, &i, &j)) && i == 0 && j == 0);
#define ROW_PRODUCT(name) \
  CHECK (REPORTS (OF (_##name) (v, w, &x), GSL_EFAILED));
#define ROW_DOUBLE(name) CHECK (REFUSED (number = OF (_##name) (v)) && isnan (number));
#define ROW_DOUBLE_M(name) \
  CHECK (REFUSED (number = OF (_##name) (v, 1)) && isnan (number));
#define ROW_DOUBLE_M_SD(name) \
  CHECK (REFUSED (number = OF (_##name) (v, 1, 2)) && isnan (number));
#define ROW_PAIR(name) CHECK (REFUSED (number = OF (_##name) (v, w)) && isnan (number));
#define ROW_PAIR_M(name) \
  CHECK (REFUSED (number = OF (_##name) (v, w, 1, 2)) && isnan (number));
#define ROW_WEIGHTED(name) ROW_PAIR (name)
#define ROW_WEIGHTED_M(name) \
  CHECK (REFUSED (number = OF (_##name) (v, w, 1)) && isnan (number));
#define ROW_WEIGHTED_M_SD(name) ROW_PAIR_M (name)
#if REAL
#define ROW_OF_DEVICE_VECTOR_REAL(name, result) ROW_##result (name)
#else
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)
#endif
#include "src/functions.def"
#undef ROW_OF_DEVICE_VECTOR_REAL
  CHECK (REFUSED (x = OF (_sum_all) (both, 2)) && NOTHING_THERE (x));
}

static void
NAMED (refused_by_address, ) (TYPE *address)
{
  NAMED (gsltune_device_vector, _view) view;
  TYPE x = 7;

  CHECK (REPORTS (NAMED (gsltune_device, _sum) (address, N, 1, NULL, &x),
                  GSL_EFAILED));
  CHECK (x == 7);
  CHECK (REFUSED (view = OF (_view_array) (address, 1, N)));
  CHECK (OF (_size) (&view.vector) == 0);
  /* What is wrong in itself is told as anywhere, and of nothing there is a sum.  */
  CHECK (REPORTS (NAMED (gsltune_device, _sum) (address, N, 0, NULL, &x),
                  GSL_EINVAL));
  CHECK (NAMED (gsltune_device, _sum) (address, 0, 1, NULL, &x) == GSL_SUCCESS);
  CHECK (x == 0);
}

static void
NAMED (in_child, ) (VECTOR *v, VECTOR *w, VECTOR *view)
{
  TYPE elements[N];
  NAMED (gsl_vector, ) x = {N, 1, elements, NULL, 0};
  VECTOR *own = OF (_alloc) (N);

  for (size_t i = 0; i < N; i++)
    elements[i] = (TYPE) (i % 2);
  NAMED (refused, ) (v, w);
  NAMED (refused, ) (view, view);
  NAMED (refused_by_address, ) (OF (_data) (v));
  CHECK (REPORTS (OF (_get) (v, &x), GSL_EFAILED));
  x.size = N / 2;
  CHECK (REPORTS (OF (_set) (view, &x), GSL_EFAILED));
  x.size = N;

  /* New elements go to host memory, from where on all is well.  */
  CHECK (OF (_set) (v, &x) == GSL_SUCCESS && !OF (_on_gpu) (v));
  CHECK (OF (_sum) (v) == N / 2 && OF (_mean) (v) == 0.5);
  CHECK (own && OF (_set) (own, &x) == GSL_SUCCESS && !OF (_on_gpu) (own));
  CHECK (OF (_sum) (own) == N / 2 && OF (_covariance) (v, own) > 0.25);
  OF (_free) (own);
  OF (_free) (v);
  OF (_free) (w);
}

static void
NAMED (forked, ) (void)
{
  TYPE elements[N];
  const NAMED (gsl_vector, ) x = {N, 1, elements, NULL, 0};
  VECTOR *v = OF (_alloc) (N), *w = OF (_alloc) (N);
  NAMED (gsltune_device_vector, _view) view;

  for (size_t i = 0; i < N; i++)
    elements[i] = (TYPE) (i % 5);
  CHECK (v && w && OF (_set) (v, &x) == GSL_SUCCESS);
  CHECK (OF (_set) (w, &x) == GSL_SUCCESS && OF (_on_gpu) (w));
  view = OF (_view_array) (OF (_data) (v), 2, N / 2);
  if (begin_child ())
    {
      NAMED (in_child, ) (v, w, &view.vector);
      _exit (0);
    }
  end_child ();
  CHECK (OF (_sum) (v) == 2 * N && OF (_max) (&view.vector) == 4);
  OF (_free) (v);
  OF (_free) (w);
}

#undef NOTHING_THERE
#undef OF
#undef VECTOR
#undef ROW_VALUE
#undef ROW_VALUES
#undef ROW_INDEX
#undef ROW_INDEXES
#undef ROW_PRODUCT
#undef ROW_DOUBLE
#undef ROW_DOUBLE_M
#undef ROW_DOUBLE_M_SD
#undef ROW_PAIR
#undef ROW_PAIR_M
#undef ROW_WEIGHTED
#undef ROW_WEIGHTED_M
#undef ROW_WEIGHTED_M_SD
#endif

/* The subjects of TYPE: a template of src/public/each_type.h, for tests/subjects.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define ASK(name)                                                           \
  static void NAMED (name, ) (const struct operands *o, int oracle,         \
                              struct answer *a)
#define OURS_OR_GSL(stem, name) \
  (oracle ? NAMED (gsl_##stem, name) : NAMED (gsltune_##stem, name))

/* -------------------------------------------------- Vectors and arrays on the host */

#define VECTOR NAMED (gsl_vector, )
#define HOST_VECTOR \
  const VECTOR v = {o->n, o->x_stride, (TYPE *) HOST_X, NULL, 0}; \
  TYPE t[2] = {0, 0};                                             \
  (void) v, (void) t;

#define ROW_OF_VECTOR_ALL(name, result)                 \
  ASK (vector_##name)                                   \
  {                                                     \
    HOST_VECTOR                                         \
    VECTOR_##result (OURS_OR_GSL (vector, _##name));    \
  }
#define ROW_OF_STATS_ALL(name, result)                  \
  ASK (stats_##name)                                    \
  {                                                     \
    HOST_VECTOR                                         \
    STATS_##result (OURS_OR_GSL (stats, _##name));      \
  }
#if REAL
#define ROW_OF_STATS_REALS(name, result) ROW_OF_STATS_ALL (name, result)
#else
#define ROW_OF_STATS_REALS(name, result)
#endif
/* Four rows, as far apart as they are long, gaps and all.  */
#define ROW_OF_MATRIX_ALL(name, result)                                     \
  ASK (matrix_##name)                                                       \
  {                                                                         \
    const size_t rows = o->n >= 4 ? 4 : 1, row = o->n / rows * o->x_stride; \
    const NAMED (gsl_matrix, ) m                                            \
      = {rows, o->x_stride == 1 ? row : 1, row, (TYPE *) HOST_X, NULL, 0};  \
    TYPE t[2] = {0, 0};                                                     \
    (void) t;                                                               \
    MATRIX_##result (OURS_OR_GSL (matrix, _##name));                        \
  }
#define ROW_OF_DEVICE_VECTOR_GPU(name, result)
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)
#include "src/functions.def"
#undef ROW_OF_VECTOR_ALL
#undef ROW_OF_STATS_ALL
#undef ROW_OF_STATS_REALS
#undef ROW_OF_MATRIX_ALL
#undef ROW_OF_DEVICE_VECTOR_GPU
#undef ROW_OF_DEVICE_VECTOR_REAL

/* ----------------------------------------------------- Sums and products in loops */

#define X_AT(i) ((const TYPE *) o->hx)[(i) * o->x_stride]
#define Y_AT(i) ((const TYPE *) o->hy)[(i) * o->y_stride]

#if REAL && GPU
static long double
NAMED (loop_asum, ) (const struct operands *o)
{
  long double sum = 0;

  for (size_t i = 0; i < o->n; i++)
    sum += fabsl ((long double) X_AT (i));
  return sum;
}
#endif

#if REAL
static long double
NAMED (loop_dot, ) (const struct operands *o)
{
  long double sum = 0;

  for (size_t i = 0; i < o->n; i++)
    sum += (long double) X_AT (i) * (long double) Y_AT (i);
  return sum;
}
#endif

static long double
NAMED (loop_squares, ) (const struct operands *o)
{
  long double sum = 0;

  for (size_t i = 0; i < o->n; i++)
    sum += (long double) X_AT (i) * (long double) X_AT (i);
  return sum;
}

static long double
NAMED (loop_sum, ) (const struct operands *o)
{
  long double sum = 0;

  for (size_t i = 0; i < o->n; i++)
    sum += (long double) X_AT (i);
  return sum;
}

/* ------------------------------------------------------------------ Accumulators */

ASK (accumulator_moments)
{
  const VECTOR v = {o->n, o->x_stride, (TYPE *) o->x, NULL, 0};
  gsltune_accumulator *sum, *squares;

  a->value[0] = NAMED (loop_sum, ) (o);
  a->value[1] = NAMED (loop_squares, ) (o);
  if (oracle)
    return;
  sum = gsltune_accumulator_alloc ();
  squares = gsltune_accumulator_alloc ();
  a->status = NAMED (gsltune_accumulator_add_moments, ) (sum, squares, &v);
  a->value[0] = gsltune_accumulator_round (sum);
  a->value[1] = gsltune_accumulator_round (squares);
  gsltune_accumulator_free (sum);
  gsltune_accumulator_free (squares);
}

#if REAL
/* The sum of the elements and of the products, the second by merging.  */
ASK (accumulator_sums)
{
  const VECTOR v = {o->n, o->x_stride, (TYPE *) o->x, NULL, 0};
  const VECTOR w = {o->n, o->y_stride, (TYPE *) o->y, NULL, 0};
  gsltune_accumulator *sum, *both;

  a->value[0] = NAMED (loop_sum, ) (o);
  a->value[1] = a->value[0] + NAMED (loop_dot, ) (o);
  if (oracle)
    return;
  sum = gsltune_accumulator_alloc ();
  both = gsltune_accumulator_alloc ();
  a->status = NAMED (gsltune_accumulator_add_vector, ) (sum, &v)
              || NAMED (gsltune_accumulator_add_products, ) (both, &v, &w)
              || gsltune_accumulator_merge (both, sum);
  a->value[0] = gsltune_accumulator_round_long_double (sum);
  a->value[1] = gsltune_accumulator_round_long_double (both);
  gsltune_accumulator_free (sum);
  gsltune_accumulator_free (both);
}
#endif

/* ---------------------------------------------------------- BLAS, and its oracles */

#if REAL && GPU
#define BLAS(stem, rest) NAMED_BY (stem, NAMED_BY (BLAS_LETTER_OF_, ID, ), rest)
#define BLAS_OPERANDS                                                   \
  const VECTOR v = {o->n, o->x_stride, (TYPE *) o->x, NULL, 0};         \
  const VECTOR w = {o->n, o->y_stride, (TYPE *) o->y, NULL, 0};         \
  (void) w;

static TYPE
NAMED (loop_nrm2, ) (const struct operands *o)
{
  return (TYPE) sqrt ((double) NAMED (loop_squares, ) (o));
}

static size_t
NAMED (loop_iamax, ) (const struct operands *o)
{
  size_t at = 0;

  for (size_t i = 1; i < o->n; i++)
    if (fabs ((double) X_AT (i)) > fabs ((double) X_AT (at)))
      at = i;
  return at;
}

ASK (blas_dot)
{
  TYPE dot = (TYPE) NAMED (loop_dot, ) (o);
  BLAS_OPERANDS

  if (!oracle)
    a->status = BLAS (gsltune_blas_, dot) (&v, &w, &dot);
  a->value[0] = dot;
}

/* Of floats the sum in double, and one with a number added.  */
ASK (blas_wide_dot)
{
  const int floats = sizeof (TYPE) == sizeof (float);
  double dot = (double) NAMED (loop_dot, ) (o);
  float from = (float) (dot + GIVEN_ALPHA);
  BLAS_OPERANDS

  if (!oracle && floats)
    {
      const void *x = &v, *y = &w;

      a->status = gsltune_blas_dsdot (x, y, &dot)
                  || gsltune_blas_sdsdot (GIVEN_ALPHA, x, y, &from);
    }
  a->value[0] = dot;
  a->value[1] = from;
}

ASK (blas_nrm2)
{
  BLAS_OPERANDS
  a->value[0] = oracle ? NAMED (loop_nrm2, ) (o)
                       : BLAS (gsltune_blas_, nrm2) (&v);
}

ASK (blas_asum)
{
  BLAS_OPERANDS
  a->value[0] = oracle ? (TYPE) NAMED (loop_asum, ) (o)
                       : BLAS (gsltune_blas_, asum) (&v);
}

ASK (blas_iamax)
{
  BLAS_OPERANDS
  a->index[0] = oracle ? NAMED (loop_iamax, ) (o)
                       : BLAS (gsltune_blas_i, amax) (&v);
}
#undef BLAS
#undef BLAS_OPERANDS
#endif

/* ---------------------------------------------------------------- Device vectors */

#if GPU
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define OF(function) NAMED (gsltune_device_vector, function)
#define BOTH_ON_DEVICE \
  const DEVICE_VECTOR *const vx = (const void *) o->vx; \
  const DEVICE_VECTOR *const vy = (const void *) o->vy; \
  (void) vx, (void) vy;

#define ROW_OF_VECTOR_ALL(name, result)
#define ROW_OF_STATS_ALL(name, result)
#define ROW_OF_STATS_REALS(name, result)
#define ROW_OF_MATRIX_ALL(name, result)
#define ROW_OF_DEVICE_VECTOR_GPU(name, result)          \
  ASK (device_##name)                                   \
  {                                                     \
    HOST_VECTOR                                         \
    BOTH_ON_DEVICE                                      \
    if (oracle)                                         \
      ORACLE_##result (name);                           \
    else                                                \
      DEVICE_##result (OF (_##name));                   \
  }
#if REAL
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)         \
  ASK (device_##name)                                   \
  {                                                     \
    HOST_VECTOR                                         \
    BOTH_ON_DEVICE                                      \
    if (oracle)                                         \
      LOOP_##result (name);                             \
    else                                                \
      DEVICE_##result (OF (_##name));                   \
  }
#else
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)
#endif
#include "src/functions.def"
#undef ROW_OF_VECTOR_ALL
#undef ROW_OF_STATS_ALL
#undef ROW_OF_STATS_REALS
#undef ROW_OF_MATRIX_ALL
#undef ROW_OF_DEVICE_VECTOR_GPU
#undef ROW_OF_DEVICE_VECTOR_REAL

/* All elements come back as they were.  */
ASK (device_get)
{
  BOTH_ON_DEVICE
  TYPE *y = oracle ? NULL : malloc (o->n * sizeof *y);
  VECTOR v = {o->n, 1, y, NULL, 0};
  int same = 1;

  a->index[0] = 1;
  if (oracle)
    return;
  a->status = OF (_get) (vx, &v);
  for (size_t i = 0; i < o->n && a->status == GSL_SUCCESS; i++)
    same &= y[i] == X_AT (i);
  a->index[0] = a->status == GSL_SUCCESS && same;
  free (y);
}

/* The first twice, and the second between.  */
ASK (device_sum_all)
{
  BOTH_ON_DEVICE
  const DEVICE_VECTOR *const all[] = {vx, vy, vx};
  TYPE sum = 0;

  for (size_t i = 0; i < o->n && oracle; i++)
    sum = (TYPE) (sum + X_AT (i) + X_AT (i) + Y_AT (i));
  a->value[0] = (long double) (oracle ? sum : OF (_sum_all) (all, 3));
}

ASK (raw_sum)
{
  HOST_VECTOR
  TYPE sum = (TYPE) 7;

  if (oracle)
    VECTOR_VALUE (NAMED (gsl_vector, _sum));
  else
    {
      a->status = NAMED (gsltune_device, _sum) (
        o->vx->data, o->n, o->vx->stride, o->stream, &sum);
      a->value[0] = (long double) sum;
    }
}

#if REAL
ASK (device_accumulators)
{
  BOTH_ON_DEVICE
  gsltune_accumulator *sum, *products;

  a->value[0] = NAMED (loop_sum, ) (o);
  a->value[1] = NAMED (loop_dot, ) (o);
  if (oracle)
    return;
  sum = gsltune_accumulator_alloc ();
  products = gsltune_accumulator_alloc ();
  a->status = NAMED (gsltune_accumulator_add_device_vector, ) (sum, vx);
  if (a->status == GSL_SUCCESS)
    a->status
      = NAMED (gsltune_accumulator_add_device_products, ) (products, vx, vy);
  a->value[0] = gsltune_accumulator_round (sum);
  a->value[1] = gsltune_accumulator_round (products);
  gsltune_accumulator_free (sum);
  gsltune_accumulator_free (products);
}
#endif

/* --------------------------------------------------------- What vectors are made of */

static struct gsltune_device_memory *
NAMED (do_alloc, ) (size_t n, int gpu)
{
  return (void *) (gpu < 0 ? OF (_alloc) (n) : OF (_alloc_on) (n, gpu));
}

static void
NAMED (do_free, ) (struct gsltune_device_memory *v)
{
  OF (_free) ((DEVICE_VECTOR *) v);
}

static int
NAMED (do_set, ) (struct gsltune_device_memory *v, const void *x, size_t stride)
{
  const VECTOR source = {v->n, stride, (TYPE *) x, NULL, 0};

  return OF (_set) ((DEVICE_VECTOR *) v, &source);
}

static int
NAMED (do_view, ) (void *address, size_t stride, size_t n,
                struct gsltune_device_memory *view)
{
  NAMED (gsltune_device_vector, _view) made;

  handler_calls = 0;
  made = OF (_view_array) (address, stride, n);
  *view = made.vector.memory;
  return handler_calls;
}
#endif

/* What is between the elements is not theirs.  */
static void
NAMED (do_fill, ) (void *x, size_t n, size_t stride, int positive, uint64_t seed)
{
  const int signs = REAL || (TYPE) -1 < (TYPE) 1;
  const int64_t limit = exact_limit (GT_F32, n) < 400 ? 20 : 100;
  TYPE *to = x;

  for (size_t i = 0; i < n * stride; i++)
    to[i] = REAL ? (TYPE) NAN : (TYPE) 119;
  for (size_t i = 0; i < n; i++)
    {
      const int64_t value = random_within (&seed, limit);

      to[i * stride] = (TYPE) (positive ? 1 + (value < 0 ? -value : value)
                               : signs ? value : value + limit);
    }
  if (n > 1 && to[0] == to[stride]) /* not all are the same */
    to[0] += 1;
}

/* ---------------------------------------------------------------------- The table */

#define ROW(domain, name, result) {#name, domain, KIND_##result, NAMED (name, )},
#define ROW_OF_VECTOR_ALL(name, result) ROW (ON_HOST, vector_##name, result)
#define ROW_OF_STATS_ALL(name, result) ROW (ON_HOST, stats_##name, result)
#define ROW_OF_MATRIX_ALL(name, result) ROW (ON_HOST, matrix_##name, result)
#if REAL
#define ROW_OF_STATS_REALS(name, result) ROW_OF_STATS_ALL (name, result)
#else
#define ROW_OF_STATS_REALS(name, result)
#endif
#if GPU
#define ROW_OF_DEVICE_VECTOR_GPU(name, result) ROW (ON_DEVICE, device_##name, result)
#else
#define ROW_OF_DEVICE_VECTOR_GPU(name, result)
#endif
#if GPU && REAL
#define ROW_OF_DEVICE_VECTOR_REAL(name, result) \
  ROW_OF_DEVICE_VECTOR_GPU (name, result)
#else
#define ROW_OF_DEVICE_VECTOR_REAL(name, result)
#endif

static const struct subject NAMED (ask, )[] = {
#include "src/functions.def"
  ROW (ON_HOST, accumulator_moments, VALUE)
#if REAL
  ROW (ON_HOST, accumulator_sums, VALUE)
#endif
#if GPU
  ROW (ON_DEVICE, device_get, VALUE)
  ROW (ON_DEVICE, device_sum_all, VALUE)
  ROW (RAW, raw_sum, VALUE)
#if REAL
  ROW (ON_DEVICE, device_accumulators, VALUE)
  ROW (ON_HOST, blas_dot, VALUE)
  ROW (ON_HOST, blas_wide_dot, VALUE)
  ROW (ON_HOST, blas_nrm2, VALUE)
  ROW (ON_HOST, blas_asum, VALUE)
  ROW (ON_HOST, blas_iamax, VALUE)
#endif
#endif
};

#undef ROW_OF_VECTOR_ALL
#undef ROW_OF_STATS_ALL
#undef ROW_OF_STATS_REALS
#undef ROW_OF_MATRIX_ALL
#undef ROW_OF_DEVICE_VECTOR_GPU
#undef ROW_OF_DEVICE_VECTOR_REAL
#undef ROW
#undef ASK
#undef OURS_OR_GSL
#undef HOST_VECTOR
#undef BOTH_ON_DEVICE
#undef VECTOR
#undef DEVICE_VECTOR
#undef OF
#undef X_AT
#undef Y_AT

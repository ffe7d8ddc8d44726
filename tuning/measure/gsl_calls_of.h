/* Calls of GSL's functions of one element type, one for each prototype that
   src/functions.def has: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )
#define MATRIX NAMED (gsl_matrix, )

static VECTOR
NAMED (view, _x) (const struct gt_gsl_operands *o)
{
  return (VECTOR) {o->n, o->stride[0], o->x, NULL, 0};
}

#if REAL && GPU /* the types of BLAS */
static VECTOR
NAMED (view, _y) (const struct gt_gsl_operands *o)
{
  return (VECTOR) {o->n, o->stride[1], o->y, NULL, 0};
}
#endif

CALL
NAMED (call_vector, _VALUE) (WITH)
{
  TYPE (*f) (const VECTOR *) = function;
  const VECTOR v = NAMED (view, _x) (o);

  RESULT (TYPE) = f (&v);
}

CALL
NAMED (call_vector, _VALUES) (WITH)
{
  void (*f) (const VECTOR *, TYPE *, TYPE *) = function;
  const VECTOR v = NAMED (view, _x) (o);

  f (&v, (TYPE *) &result, (TYPE *) &result + 1);
}

CALL
NAMED (call_vector, _INDEX) (WITH)
{
  size_t (*f) (const VECTOR *) = function;
  const VECTOR v = NAMED (view, _x) (o);

  RESULT (size_t) = f (&v);
}

CALL
NAMED (call_vector, _INDEXES) (WITH)
{
  void (*f) (const VECTOR *, size_t *, size_t *) = function;
  const VECTOR v = NAMED (view, _x) (o);

  f (&v, &result.index[0], &result.index[1]);
}

CALL
NAMED (call_stats, _VALUE) (WITH)
{
  TYPE (*f) (const TYPE *, size_t, size_t) = function;

  RESULT (TYPE) = f (o->x, o->stride[0], o->n);
}

CALL
NAMED (call_stats, _VALUES) (WITH)
{
  void (*f) (TYPE *, TYPE *, const TYPE *, size_t, size_t) = function;

  f ((TYPE *) &result, (TYPE *) &result + 1, o->x, o->stride[0], o->n);
}

CALL
NAMED (call_stats, _INDEX) (WITH)
{
  size_t (*f) (const TYPE *, size_t, size_t) = function;

  RESULT (size_t) = f (o->x, o->stride[0], o->n);
}

CALL
NAMED (call_stats, _INDEXES) (WITH)
{
  void (*f) (size_t *, size_t *, const TYPE *, size_t, size_t) = function;

  f (&result.index[0], &result.index[1], o->x, o->stride[0], o->n);
}

CALL
NAMED (call_stats, _DOUBLE) (WITH)
{
  double (*f) (const TYPE *, size_t, size_t) = function;

  RESULT (double) = f (o->x, o->stride[0], o->n);
}

CALL
NAMED (call_stats, _DOUBLE_M) (WITH)
{
  double (*f) (const TYPE *, size_t, size_t, double) = function;

  RESULT (double) = f (o->x, o->stride[0], o->n, MEAN);
}

CALL
NAMED (call_stats, _DOUBLE_M_SD) (WITH)
{
  double (*f) (const TYPE *, size_t, size_t, double, double) = function;

  RESULT (double) = f (o->x, o->stride[0], o->n, MEAN, SD);
}

CALL
NAMED (call_stats, _PAIR) (WITH)
{
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t) = function;

  RESULT (double) = f (o->x, o->stride[0], o->y, o->stride[1], o->n);
}

CALL
NAMED (call_stats, _PAIR_M) (WITH)
{
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double,
               double)
    = function;

  RESULT (double) = f (o->x, o->stride[0], o->y, o->stride[1], o->n, MEAN, SD);
}

#if REAL
CALL
NAMED (call_stats, _WEIGHTED) (WITH)
{
  NAMED (call_stats, _PAIR) (function, o);
}

CALL
NAMED (call_stats, _WEIGHTED_M) (WITH)
{
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double)
    = function;

  RESULT (double) = f (o->x, o->stride[0], o->y, o->stride[1], o->n, MEAN);
}

CALL
NAMED (call_stats, _WEIGHTED_M_SD) (WITH)
{
  NAMED (call_stats, _PAIR_M) (function, o);
}
#endif

/* About as many rows as columns.  */
static MATRIX
NAMED (matrix, _of) (const struct gt_gsl_operands *o)
{
  const size_t rows = o->n < 4 ? 1 : (size_t) sqrt ((double) o->n);
  const size_t columns = o->n / rows;

  return (MATRIX) {rows, columns, columns, o->x, NULL, 0};
}

CALL
NAMED (call_matrix, _VALUE) (WITH)
{
  TYPE (*f) (const MATRIX *) = function;
  const MATRIX m = NAMED (matrix, _of) (o);

  RESULT (TYPE) = f (&m);
}

CALL
NAMED (call_matrix, _VALUES) (WITH)
{
  void (*f) (const MATRIX *, TYPE *, TYPE *) = function;
  const MATRIX m = NAMED (matrix, _of) (o);

  f (&m, (TYPE *) &result, (TYPE *) &result + 1);
}

CALL
NAMED (call_matrix, _INDEX) (WITH)
{
  void (*f) (const MATRIX *, size_t *, size_t *) = function;
  const MATRIX m = NAMED (matrix, _of) (o);

  f (&m, &result.index[0], &result.index[1]);
}

CALL
NAMED (call_matrix, _INDEXES) (WITH)
{
  void (*f) (const MATRIX *, size_t *, size_t *, size_t *, size_t *)
    = function;
  const MATRIX m = NAMED (matrix, _of) (o);

  f (&m, &result.index[0], &result.index[1], &result.index[2],
     &result.index[3]);
}

#undef VECTOR
#undef MATRIX

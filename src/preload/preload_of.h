/* The functions that are taken of one type of element, a template of
   src/public/each_type.h: for each prototype one that makes the call, and the
   rows of src/functions.def.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */


#define VECTOR NAMED (gsl_vector, )
#define MATRIX NAMED (gsl_matrix, )

INLINE TYPE
NAMED (vector, _value) (enum gt_taken_id id, int defined, const VECTOR *v,
                        const void *caller)
{
  struct gt_call call;
  TYPE (*f) (const VECTOR *)
    = ENTER_VECTOR (&call, id, defined, v, caller);
  const TYPE result = f (v);

  gt_leave (&call);
  return result;
}

INLINE void
NAMED (vector, _values) (enum gt_taken_id id, const VECTOR *v, TYPE *min,
                         TYPE *max, const void *caller)
{
  struct gt_call call;
  void (*f) (const VECTOR *, TYPE *, TYPE *)
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);

  f (v, min, max);
  gt_leave (&call);
}

INLINE size_t
NAMED (vector, _index) (enum gt_taken_id id, const VECTOR *v,
                        const void *caller)
{
  struct gt_call call;
  size_t (*f) (const VECTOR *)
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);
  const size_t result = f (v);

  gt_leave (&call);
  return result;
}

INLINE void
NAMED (vector, _indexes) (enum gt_taken_id id, const VECTOR *v, size_t *min,
                          size_t *max, const void *caller)
{
  struct gt_call call;
  void (*f) (const VECTOR *, size_t *, size_t *)
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);

  f (v, min, max);
  gt_leave (&call);
}

INLINE TYPE
NAMED (stats, _value) (enum gt_taken_id id, const TYPE *data, size_t stride,
                       size_t n, const void *caller)
{
  struct gt_call call;
  TYPE (*f) (const TYPE *, size_t, size_t)
    = gt_enter (&call, id, n > 0, n, &stride, caller);
  const TYPE result = f (data, stride, n);

  gt_leave (&call);
  return result;
}

INLINE void
NAMED (stats, _values) (enum gt_taken_id id, TYPE *min, TYPE *max,
                        const TYPE *data, size_t stride, size_t n,
                        const void *caller)
{
  struct gt_call call;
  void (*f) (TYPE *, TYPE *, const TYPE *, size_t, size_t)
    = gt_enter (&call, id, n > 0, n, &stride, caller);

  f (min, max, data, stride, n);
  gt_leave (&call);
}

INLINE size_t
NAMED (stats, _index) (enum gt_taken_id id, const TYPE *data, size_t stride,
                       size_t n, const void *caller)
{
  struct gt_call call;
  size_t (*f) (const TYPE *, size_t, size_t)
    = gt_enter (&call, id, n > 0, n, &stride, caller);
  const size_t result = f (data, stride, n);

  gt_leave (&call);
  return result;
}

INLINE void
NAMED (stats, _indexes) (enum gt_taken_id id, size_t *min, size_t *max,
                         const TYPE *data, size_t stride, size_t n,
                         const void *caller)
{
  struct gt_call call;
  void (*f) (size_t *, size_t *, const TYPE *, size_t, size_t)
    = gt_enter (&call, id, n > 0, n, &stride, caller);

  f (min, max, data, stride, n);
  gt_leave (&call);
}

INLINE double
NAMED (one, ) (enum gt_taken_id id, const TYPE *data, size_t stride, size_t n,
               const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, size_t)
    = gt_enter (&call, id, 1, n, &stride, caller);
  const double result = f (data, stride, n);

  gt_leave (&call);
  return result;
}

INLINE double
NAMED (one, _m) (enum gt_taken_id id, const TYPE *data, size_t stride, size_t n,
                 double mean, const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, size_t, double)
    = gt_enter (&call, id, 1, n, &stride, caller);
  const double result = f (data, stride, n, mean);

  gt_leave (&call);
  return result;
}

INLINE double
NAMED (one, _m_sd) (enum gt_taken_id id, const TYPE *data, size_t stride,
                    size_t n, double mean, double sd, const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, size_t, double, double)
    = gt_enter (&call, id, 1, n, &stride, caller);
  const double result = f (data, stride, n, mean, sd);

  gt_leave (&call);
  return result;
}

INLINE double
NAMED (two, ) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
               size_t t, size_t n, const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t)
    = gt_enter (&call, id, 1, n, &s, caller);
  const double result = f (a, s, b, t, n);

  gt_leave (&call);
  return result;
}

INLINE double
NAMED (two, _m) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
                 size_t t, size_t n, double u, const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double)
    = gt_enter (&call, id, 1, n, &s, caller);
  const double result = f (a, s, b, t, n, u);

  gt_leave (&call);
  return result;
}

INLINE double
NAMED (two, _m_sd) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
                    size_t t, size_t n, double u, double v, const void *caller)
{
  struct gt_call call;
  double (*f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double,
               double)
    = gt_enter (&call, id, 1, n, &s, caller);
  const double result = f (a, s, b, t, n, u, v);

  gt_leave (&call);
  return result;
}

INLINE TYPE
NAMED (matrix, _value) (enum gt_taken_id id, const MATRIX *m,
                        const void *caller)
{
  struct gt_call call;
  TYPE (*f) (const MATRIX *)
    = ENTER_MATRIX (&call, id, m, caller);
  const TYPE result = f (m);

  gt_leave (&call);
  return result;
}

INLINE void
NAMED (matrix, _values) (enum gt_taken_id id, const MATRIX *m, TYPE *min,
                         TYPE *max, const void *caller)
{
  struct gt_call call;
  void (*f) (const MATRIX *, TYPE *, TYPE *)
    = ENTER_MATRIX (&call, id, m, caller);

  f (m, min, max);
  gt_leave (&call);
}

INLINE void
NAMED (matrix, _index) (enum gt_taken_id id, const MATRIX *m, size_t *i,
                        size_t *j, const void *caller)
{
  struct gt_call call;
  void (*f) (const MATRIX *, size_t *, size_t *)
    = ENTER_MATRIX (&call, id, m, caller);

  f (m, i, j);
  gt_leave (&call);
}

INLINE void
NAMED (matrix, _indexes) (enum gt_taken_id id, const MATRIX *m, size_t *i,
                          size_t *j, size_t *k, size_t *l, const void *caller)
{
  struct gt_call call;
  void (*f) (const MATRIX *, size_t *, size_t *, size_t *, size_t *)
    = ENTER_MATRIX (&call, id, m, caller);

  f (m, i, j, k, l);
  gt_leave (&call);
}

#include "src/preload/rows_of.h"

#undef VECTOR
#undef MATRIX

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
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, defined, v, caller);
  TYPE (*const f) (const VECTOR *) = turn.function;
  const TYPE result = f (v);

  gt_leave (&call, turn.way);
  return result;
}

INLINE void
NAMED (vector, _values) (enum gt_taken_id id, const VECTOR *v, TYPE *min,
                         TYPE *max, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);
  void (*const f) (const VECTOR *, TYPE *, TYPE *) = turn.function;

  f (v, min, max);
  gt_leave (&call, turn.way);
}

INLINE size_t
NAMED (vector, _index) (enum gt_taken_id id, const VECTOR *v,
                        const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);
  size_t (*const f) (const VECTOR *) = turn.function;
  const size_t result = f (v);

  gt_leave (&call, turn.way);
  return result;
}

INLINE void
NAMED (vector, _indexes) (enum gt_taken_id id, const VECTOR *v, size_t *min,
                          size_t *max, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_VECTOR (&call, id, v->size > 0, v, caller);
  void (*const f) (const VECTOR *, size_t *, size_t *) = turn.function;

  f (v, min, max);
  gt_leave (&call, turn.way);
}

INLINE TYPE
NAMED (stats, _value) (enum gt_taken_id id, const TYPE *data, size_t stride,
                       size_t n, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, n > 0, n, &stride, NULL, caller);
  TYPE (*const f) (const TYPE *, size_t, size_t) = turn.function;
  const TYPE result = f (data, stride, n);

  gt_leave (&call, turn.way);
  return result;
}

INLINE void
NAMED (stats, _values) (enum gt_taken_id id, TYPE *min, TYPE *max,
                        const TYPE *data, size_t stride, size_t n,
                        const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, n > 0, n, &stride, NULL, caller);
  void (*const f) (TYPE *, TYPE *, const TYPE *, size_t, size_t) = turn.function;

  f (min, max, data, stride, n);
  gt_leave (&call, turn.way);
}

INLINE size_t
NAMED (stats, _index) (enum gt_taken_id id, const TYPE *data, size_t stride,
                       size_t n, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, n > 0, n, &stride, NULL, caller);
  size_t (*const f) (const TYPE *, size_t, size_t) = turn.function;
  const size_t result = f (data, stride, n);

  gt_leave (&call, turn.way);
  return result;
}

INLINE void
NAMED (stats, _indexes) (enum gt_taken_id id, size_t *min, size_t *max,
                         const TYPE *data, size_t stride, size_t n,
                         const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, n > 0, n, &stride, NULL, caller);
  void (*const f) (size_t *, size_t *, const TYPE *, size_t, size_t) = turn.function;

  f (min, max, data, stride, n);
  gt_leave (&call, turn.way);
}

INLINE double
NAMED (one, ) (enum gt_taken_id id, const TYPE *data, size_t stride, size_t n,
               const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &stride, NULL, caller);
  double (*const f) (const TYPE *, size_t, size_t) = turn.function;
  const double result = f (data, stride, n);

  gt_leave (&call, turn.way);
  return result;
}

INLINE double
NAMED (one, _m) (enum gt_taken_id id, const TYPE *data, size_t stride, size_t n,
                 double mean, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &stride, NULL, caller);
  double (*const f) (const TYPE *, size_t, size_t, double) = turn.function;
  const double result = f (data, stride, n, mean);

  gt_leave (&call, turn.way);
  return result;
}

INLINE double
NAMED (one, _m_sd) (enum gt_taken_id id, const TYPE *data, size_t stride,
                    size_t n, double mean, double sd, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &stride, NULL, caller);
  double (*const f) (const TYPE *, size_t, size_t, double, double) = turn.function;
  const double result = f (data, stride, n, mean, sd);

  gt_leave (&call, turn.way);
  return result;
}

INLINE double
NAMED (two, ) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
               size_t t, size_t n, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &s, &t, caller);
  double (*const f) (const TYPE *, size_t, const TYPE *, size_t, size_t) = turn.function;
  const double result = f (a, s, b, t, n);

  gt_leave (&call, turn.way);
  return result;
}

INLINE double
NAMED (two, _m) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
                 size_t t, size_t n, double u, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &s, &t, caller);
  double (*const f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double) = turn.function;
  const double result = f (a, s, b, t, n, u);

  gt_leave (&call, turn.way);
  return result;
}

INLINE double
NAMED (two, _m_sd) (enum gt_taken_id id, const TYPE *a, size_t s, const TYPE *b,
                    size_t t, size_t n, double u, double v, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = gt_enter (&call, id, 1, n, &s, &t, caller);
  double (*const f) (const TYPE *, size_t, const TYPE *, size_t, size_t, double,
               double) = turn.function;
  const double result = f (a, s, b, t, n, u, v);

  gt_leave (&call, turn.way);
  return result;
}

INLINE TYPE
NAMED (matrix, _value) (enum gt_taken_id id, const MATRIX *m,
                        const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_MATRIX (&call, id, m, caller);
  TYPE (*const f) (const MATRIX *) = turn.function;
  const TYPE result = f (m);

  gt_leave (&call, turn.way);
  return result;
}

INLINE void
NAMED (matrix, _values) (enum gt_taken_id id, const MATRIX *m, TYPE *min,
                         TYPE *max, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_MATRIX (&call, id, m, caller);
  void (*const f) (const MATRIX *, TYPE *, TYPE *) = turn.function;

  f (m, min, max);
  gt_leave (&call, turn.way);
}

INLINE void
NAMED (matrix, _index) (enum gt_taken_id id, const MATRIX *m, size_t *i,
                        size_t *j, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_MATRIX (&call, id, m, caller);
  void (*const f) (const MATRIX *, size_t *, size_t *) = turn.function;

  f (m, i, j);
  gt_leave (&call, turn.way);
}

INLINE void
NAMED (matrix, _indexes) (enum gt_taken_id id, const MATRIX *m, size_t *i,
                          size_t *j, size_t *k, size_t *l, const void *caller)
{
  struct gt_call call;
  const struct gt_turn turn
    = ENTER_MATRIX (&call, id, m, caller);
  void (*const f) (const MATRIX *, size_t *, size_t *, size_t *, size_t *) = turn.function;

  f (m, i, j, k, l);
  gt_leave (&call, turn.way);
}

#include "src/preload/rows_of.h"

#undef VECTOR
#undef MATRIX

/* The extremes of one type of element: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "src/public/extreme_find.h"

/* --------------------------------------------- Elements at equal distances */

static TYPE
NAMED (value_of_many, ) (enum gt_reduction reduction, const TYPE *x, size_t n,
                         size_t stride)
{
  union gt_value value;

  if (n == 0)
    GSL_ERROR_VAL (NO_EXTREMES, GSL_EDOM, NONE);
  NAMED (find, ) (reduction, x, n, stride, &value);
  return GT_LEADING (value, TYPE);
}

static size_t
NAMED (index_of_many, ) (enum gt_reduction reduction, const TYPE *x, size_t n,
                         size_t stride)
{
  union gt_value value;

  if (n == 0)
    GSL_ERROR_VAL (NO_EXTREMES, GSL_EDOM, 0);
  NAMED (find, ) (reduction, x, n, stride, &value);
  return value.where.index[0];
}

static void
NAMED (values_of_many, ) (const TYPE *x, size_t n, size_t stride, TYPE *min,
                          TYPE *max)
{
  union gt_value value;

  *min = *max = NONE;
  if (n == 0)
    GSL_ERROR_VOID (NO_EXTREMES, GSL_EDOM);
  NAMED (find, ) (GT_MINMAX, x, n, stride, &value);
  *min = (&GT_LEADING (value, TYPE))[0];
  *max = (&GT_LEADING (value, TYPE))[1];
}

static void
NAMED (indexes_of_many, ) (const TYPE *x, size_t n, size_t stride, size_t *min,
                           size_t *max)
{
  union gt_value value;

  *min = *max = 0;
  if (n == 0)
    GSL_ERROR_VOID (NO_EXTREMES, GSL_EDOM);
  NAMED (find, ) (GT_MINMAX, x, n, stride, &value);
  *min = value.where.index[0];
  *max = value.where.index[1];
}

static inline TYPE
NAMED (extreme, ) (const enum gt_reduction reduction, const TYPE *x, size_t n,
                   size_t stride)
{
  return ARE_FEW (n) ? NAMED (short_value, ) (x, n, stride, reduction)
                     : NAMED (value_of_many, ) (reduction, x, n, stride);
}

static inline size_t
NAMED (extreme_index, ) (const enum gt_reduction reduction, const TYPE *x,
                         size_t n, size_t stride)
{
  return ARE_FEW (n) ? NAMED (short_index, ) (x, n, stride, reduction)
                     : NAMED (index_of_many, ) (reduction, x, n, stride);
}

static inline void
NAMED (extremes, ) (const TYPE *x, size_t n, size_t stride, TYPE *min,
                    TYPE *max)
{
  if (ARE_FEW (n))
    {
      const struct NAMED (values, ) v = NAMED (short_values, ) (x, n, stride);

      *min = v.min;
      *max = v.max;
    }
  else
    NAMED (values_of_many, ) (x, n, stride, min, max);
}

static inline void
NAMED (extreme_indexes, ) (const TYPE *x, size_t n, size_t stride, size_t *min,
                           size_t *max)
{
  if (ARE_FEW (n))
    {
      const struct indexes at = NAMED (short_indexes, ) (x, n, stride);

      *min = at.min;
      *max = at.max;
    }
  else
    NAMED (indexes_of_many, ) (x, n, stride, min, max);
}

/* ----------------------------------------------------------------- Vectors */

#define VECTOR NAMED (gsl_vector, )

/* gsltune_vector_max */
TYPE
NAMED (gsltune_vector, _max) (const VECTOR *v)
{
  return NAMED (extreme, ) (GT_MAX, v->data, v->size, v->stride);
}

/* gsltune_vector_min */
TYPE
NAMED (gsltune_vector, _min) (const VECTOR *v)
{
  return NAMED (extreme, ) (GT_MIN, v->data, v->size, v->stride);
}

/* gsltune_vector_minmax */
void
NAMED (gsltune_vector, _minmax) (const VECTOR *v, TYPE *min_out, TYPE *max_out)
{
  NAMED (extremes, ) (v->data, v->size, v->stride, min_out, max_out);
}

/* gsltune_vector_max_index */
size_t
NAMED (gsltune_vector, _max_index) (const VECTOR *v)
{
  return NAMED (extreme_index, ) (GT_MAX, v->data, v->size, v->stride);
}

/* gsltune_vector_min_index */
size_t
NAMED (gsltune_vector, _min_index) (const VECTOR *v)
{
  return NAMED (extreme_index, ) (GT_MIN, v->data, v->size, v->stride);
}

/* gsltune_vector_minmax_index */
void
NAMED (gsltune_vector, _minmax_index) (const VECTOR *v, size_t *imin,
                                       size_t *imax)
{
  NAMED (extreme_indexes, ) (v->data, v->size, v->stride, imin, imax);
}

#undef VECTOR

/* ------------------------------------------------------------------ Arrays */

/* gsltune_stats_max */
TYPE
NAMED (gsltune_stats, _max) (const TYPE data[], size_t stride, size_t n)
{
  return NAMED (extreme, ) (GT_MAX, data, n, stride);
}

/* gsltune_stats_min */
TYPE
NAMED (gsltune_stats, _min) (const TYPE data[], size_t stride, size_t n)
{
  return NAMED (extreme, ) (GT_MIN, data, n, stride);
}

/* gsltune_stats_minmax */
void
NAMED (gsltune_stats, _minmax) (TYPE *min, TYPE *max, const TYPE data[],
                                size_t stride, size_t n)
{
  NAMED (extremes, ) (data, n, stride, min, max);
}

/* gsltune_stats_max_index */
size_t
NAMED (gsltune_stats, _max_index) (const TYPE data[], size_t stride, size_t n)
{
  return NAMED (extreme_index, ) (GT_MAX, data, n, stride);
}

/* gsltune_stats_min_index */
size_t
NAMED (gsltune_stats, _min_index) (const TYPE data[], size_t stride, size_t n)
{
  return NAMED (extreme_index, ) (GT_MIN, data, n, stride);
}

/* gsltune_stats_minmax_index */
void
NAMED (gsltune_stats, _minmax_index) (size_t *min_index, size_t *max_index,
                                      const TYPE data[], size_t stride,
                                      size_t n)
{
  NAMED (extreme_indexes, ) (data, n, stride, min_index, max_index);
}

#include "src/public/matrix_extremes.h"

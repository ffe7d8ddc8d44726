/* GSL's functions of one element type: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static inline void
NAMED (call, _of) (TYPE (*function) (const NAMED (gsl_vector, ) *),
                   const void *data, size_t n, size_t stride,
                   union gt_value *value)
{
  const NAMED (gsl_vector, ) v = {n, stride, (TYPE *) data, NULL, 0};
  const TYPE result = function (&v);

  memcpy (value, &result, sizeof result);
}

static void
NAMED (sum, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _sum), data, n, stride, value);
}

static void
NAMED (max, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _max), data, n, stride, value);
}

static void
NAMED (min, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (call, _of) (NAMED (gsl_vector, _min), data, n, stride, value);
}

static void
NAMED (minmax, _of) (const void *data, size_t n, size_t stride,
                     union gt_value *value)
{
  NAMED (gsl_vector, ) v = {n, stride, (TYPE *) data, NULL, 0};
  TYPE both[2];

  NAMED (gsl_vector, _minmax) (&v, &both[0], &both[1]);
  memcpy (value, both, sizeof both);
}

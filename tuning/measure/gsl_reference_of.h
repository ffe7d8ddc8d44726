/* GSL's functions of one element type: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

static void
NAMED (sum, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (gsl_vector, ) v = {n, stride, (TYPE *) data, NULL, 0};
  const TYPE sum = NAMED (gsl_vector, _sum) (&v);

  memcpy (value, &sum, sizeof sum);
}

static void
NAMED (max, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (gsl_vector, ) v = {n, stride, (TYPE *) data, NULL, 0};
  const TYPE max = NAMED (gsl_vector, _max) (&v);

  memcpy (value, &max, sizeof max);
}

static void
NAMED (min, _of) (const void *data, size_t n, size_t stride,
                  union gt_value *value)
{
  NAMED (gsl_vector, ) v = {n, stride, (TYPE *) data, NULL, 0};
  const TYPE min = NAMED (gsl_vector, _min) (&v);

  memcpy (value, &min, sizeof min);
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

/* The statistics of device vectors of one type of element, one for each row of
   src/functions.def: a template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
static void
NAMED (device_sample, ) (struct gt_sample *sample,
                         const struct gsltune_device_memory *x,
                         const struct gsltune_device_memory *y)
{
  gt_sample_init (sample, ARITHMETIC, (struct gt_operand) {x->data, x->stride},
                  (struct gt_operand) {y->data, y->stride}, x->n);
  if (x->gpu || y->gpu)
    {
      sample->memory[0] = x;
      sample->memory[1] = y;
    }
}

static double
NAMED (device_statistic, ) (gt_statistic *what,
                            const struct gsltune_device_memory *x,
                            const struct gsltune_device_memory *y,
                            double given, double given_next)
{
  struct gt_sample sample;
  double result;

  NAMED (device_sample, ) (&sample, x, y);
  if (x->n != y->n)
    GSL_ERROR_VAL ("invalid length", GSL_EBADLEN, GSL_NAN);
  sample.given[0] = given;
  sample.given[1] = given_next;
  result = gt_statistic_of (&sample, what);
  if (sample.status)
    GSL_ERROR_VAL (sample.why, sample.status, GSL_NAN);
  return result;
}

#if REAL
/* gsltune_device_vector_dot */
int
NAMED (gsltune_device_vector, _dot) (const VECTOR *x, const VECTOR *y,
                                     TYPE *result)
{
  struct gt_sample sample;
  TYPE sum;

  NAMED (device_sample, ) (&sample, &x->memory, &y->memory);
  if (x->memory.n != y->memory.n)
    GSL_ERROR ("invalid length", GSL_EBADLEN);
  sample.task.single = ARITHMETIC == GT_F32;
  sum = ARITHMETIC == GT_F32 ? (TYPE) gt_dot_float (&sample, 0)
                             : (TYPE) gt_dot (&sample);
  if (sample.status)
    GSL_ERROR (sample.why, sample.status);
  *result = sum;
  return GSL_SUCCESS;
}

/* gsltune_device_vector_nrm2 */
TYPE
NAMED (gsltune_device_vector, _nrm2) (const VECTOR *v)
{
  struct gt_sample sample;
  TYPE norm;

  NAMED (device_sample, ) (&sample, &v->memory, &v->memory);
  norm = ARITHMETIC == GT_F32 ? (TYPE) gt_norm_float (&sample)
                              : (TYPE) gt_statistic_of (&sample, gt_norm);
  if (sample.status)
    GSL_ERROR_VAL (sample.why, sample.status, (TYPE) GSL_NAN);
  return norm;
}

#define OF_DEVICE_VECTOR_REAL(name, result) ROW_##result (name)
#else
#define OF_DEVICE_VECTOR_REAL(name, result)
#endif
#include "src/functions.def"
#undef OF_DEVICE_VECTOR_REAL
#endif

/* Samples, from which statistics are computed, on the host or on a GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/reduce/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/quick/quick.h"
#include "kernels/cpu/wide/long_double.h"
#include "kernels/inline.h"
#include "src/route/reduce.h"

void
gt_sample_sums_planned (struct gt_sample *sample, union gt_value *value)
{
  if (sample->memory[0] == NULL && sample->mode == GT_MODE_EXACT)
    gt_reduce_host_by_any_plan (&sample->task, value);
  else if (sample->memory[0] == NULL)
    gt_reduce_host_unfinished (&sample->task, value);
  else if (sample->status == GSL_SUCCESS)
    sample->status = gt_device_memory_sums (sample->memory, &sample->task,
                                            value, &sample->why);
  sample->additions = gt_reduce_last ().additions;
  if (sample->status != GSL_SUCCESS)
    memset (value, 0, sizeof *value);
}

long double
gt_operand_element (enum gt_arithmetic arithmetic, const struct gt_operand *operand, size_t i)
{
  i *= operand->stride;
  switch (arithmetic)
    {
    case GT_LDBL:
      return ((const long double *) operand->data)[i];
#define X(id, name, ctype, real) \
    case GT_##id:                \
      return (long double) ((const ctype *) operand->data)[i];
      X (F64, f64, double, 1)
      X (F32, f32, float, 1)
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

long double
gt_sample_element (const struct gt_sample *sample, int which, size_t i)
{
  return gt_operand_element (sample->task.problem.arithmetic,
                     which ? &sample->task.y : &sample->task.x, i);
}

#define OF_MIDDLE 8

/* Returns the mean of eight elements of x or y, spaced evenly.  */
INLINE double
middle_of (const struct gt_sample *sample, int which)
{
  const struct gt_operand *v = which ? &sample->task.y : &sample->task.x;
  const size_t step = sample->task.problem.n / OF_MIDDLE * v->stride;
  double sums[OF_MIDDLE];

  switch (sample->task.problem.arithmetic)
    {
#define X(id, name, ctype, real)                                \
    case GT_##id:                                               \
      UNROLL                                                    \
      for (size_t k = 0; k < OF_MIDDLE; k++)                    \
        sums[k] = (double) ((const ctype *) v->data)[k * step]; \
      break;
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
  UNROLL
  for (unsigned half = OF_MIDDLE / 2; half; half /= 2)
    {
      UNROLL
      for (unsigned k = 0; k < half; k++)
        sums[k] += sums[k + half];
    }
  return sums[0] / OF_MIDDLE;
}

void
gt_sample_doubles (enum gt_arithmetic arithmetic, const struct gt_operand *operand, size_t begin,
                   size_t n, double *to)
{
  const size_t stride = operand->stride;

  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                          \
    case GT_##id:                                                         \
      {                                                                   \
        const ctype *x = (const ctype *) operand->data + begin * stride;  \
                                                                          \
        for (size_t i = 0; i < n; i++)                                    \
          to[i] = (double) x[i * stride];                                 \
        break;                                                            \
      }
      GT_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

/* Returns whether x and y are the same elements, as in a single sample.  */
static int
are_same (const struct gt_sample *sample)
{
  return sample->task.x.data == sample->task.y.data
         && sample->task.x.stride == sample->task.y.stride;
}

/* Copies N elements of x or y from their memory and packs them.  */
static void
copy (struct gt_sample *sample, int which, size_t n, void *to)
{
  const struct gt_operand *operand
    = which ? &sample->task.y : &sample->task.x;
  struct gsltune_device_memory part = *sample->memory[which];
  int status;

  part.data = (void *) operand->data;
  part.stride = operand->stride;
  part.n = n;
  sample->why = "the GPU has failed and its elements are lost";
  status = gt_device_memory_get (&part, sample->task.problem.arithmetic, to, 1,
                                 &sample->why);
  if (status)
    sample->status = status;
}

/* Copying the first element from a GPU takes as long as another pass over this many elements:
   10 us on an H200.  */
#define COPY_LENGTH ((uint64_t) 1 << 20)

double
gt_sample_shift (struct gt_sample *sample, int which)
{
  long double first = 0;
  const struct gt_operand copied = {&first, 1};

  if (sample->memory[which] == NULL)
    return middle_of (sample, which);
  if (sample->task.problem.n <= COPY_LENGTH)
    return 0;
  copy (sample, which, 1, &first);
  return sample->status ? 0 : (double) gt_operand_element (sample->task.problem.arithmetic, &copied, 0);
}

double
gt_sample_on_host (struct gt_sample *sample, gt_statistic *statistic)
{
  const size_t n = sample->task.problem.n;
  const size_t bytes
    = n * gt_element_size (sample->task.problem.arithmetic);
  const int inputs = are_same (sample) ? 1 : 2;
  struct gt_sample host = *sample;
  char *elements;
  double result = 0;

  if (sample->memory[0] == NULL)
    return statistic (sample);
  elements = malloc (inputs * bytes);
  if (elements == NULL)
    {
      sample->status = GSL_EFAILED;
      sample->why = "memory for a copy of the elements is short";
      return 0;
    }
  gt_device_memory_note_copy (sample->memory[0], n);
  for (int i = 0; i < inputs; i++)
    copy (sample, i, n, elements + i * bytes);
  host.task.x = (struct gt_operand) {elements, 1};
  host.task.y
    = (struct gt_operand) {elements + (size_t) (inputs - 1) * bytes, 1};
  host.memory[0] = host.memory[1] = NULL;
  if (sample->status == GSL_SUCCESS)
    result = statistic (&host);
  free (elements);
  return result;
}

double
gt_statistic_alike (struct gt_sample *sample, gt_statistic *statistic)
{
  const enum gt_arithmetic arithmetic
    = sample->task.problem.arithmetic == GT_LDBL ? GT_LDBL : GT_F64;
  const int flags = gt_fpenv_flags (arithmetic);
  struct gt_fpenv env;
  double result;

  gt_fpenv_enter (&env, GT_F64);
  result = statistic (sample);
  gt_fpenv_leave (&env);
  if (sample->mode == GT_MODE_EXACT)
    gt_fpenv_lower_flags (arithmetic, flags);
  return result;
}

double
gt_sample_error (const struct gt_sample *sample, enum gt_mode mode)
{
  const double roundings = ((double) sample->additions + 64) * 0x1p-53;

  return mode == GT_MODE_FAST ? 1.001 * roundings : 2 * roundings * roundings;
}

struct gt_ball
gt_sum_in (const struct gt_sample *sample, const union gt_value *value, unsigned k)
{
  const struct gt_ball sum = gt_ball_of (value->sums.s[k], value->sums.c[k], 0);

  return gt_ball_widened (sum, (gt_sample_error (sample, sample->task.problem.mode) + GT_BALL_UNIT)
                                 * fabs (sum.h));
}

struct gt_long_factor
gt_operand_factor (enum gt_arithmetic arithmetic, const struct gt_operand *x, size_t i)
{
  struct gt_factor f;

  i *= x->stride;
  if (arithmetic == GT_LDBL)
    return gt_long_factor_of ((const long double *) x->data + i);
  if (gt_is_integer (arithmetic) || gt_is_complex (arithmetic))
    return (struct gt_long_factor) {{1}, 0, 0, 1};
  f = arithmetic == GT_F32 ? gt_factor_f32 (((const float *) x->data)[i])
                           : gt_factor_f64 (((const double *) x->data)[i]);
  return (struct gt_long_factor) {{f.significand}, 0, f.negative, f.finite};
}

size_t
gt_next_special (const struct gt_task *task, int two, size_t i)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  const size_t n = task->problem.n;

  if (gt_is_integer (arithmetic) || gt_is_complex (arithmetic))
    return n;
  while (i < n)
    {
      size_t end = n;

      if (gt_is_double_or_float (arithmetic))
        {
          gt_ordinary_function *const ordinary = gt_quick_isa ()->ordinary;
          const size_t at = ordinary (&task->x, i, n, arithmetic == GT_F32, 0);
          const size_t y_at = two ? ordinary (&task->y, i, n, arithmetic == GT_F32, 0) : at;

          i = at < y_at ? at : y_at;
          end = n - i < GT_QUICK_LANES ? n : i + GT_QUICK_LANES;
        }
      for (; i < end; i++)
        if (!gt_operand_factor (arithmetic, &task->x, i).finite
            || (two && !gt_operand_factor (arithmetic, &task->y, i).finite))
          return i;
    }
  return n;
}

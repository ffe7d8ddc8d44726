/* Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/moderate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/cpu/exact/exact.h"

/* Magnitudes about 1 stay: what cannot be told of them is so for another reason.  */
#define FAR 200

/* The factor and its reciprocal are normal numbers.  */
#define FARTHEST 1000

/* Copies take no more than 32 MiB each.  */
#define MOST ((uint64_t) 1 << 22)

struct gt_homogeneous
gt_term_kind (const struct gt_term *term)
{
  const int data = term->weighted, joint = term->what == GT_TERM_COVARIANCE;
  struct gt_homogeneous kind = {{0, 0}, 1 + data, term->given, {data, data}};

  if (gt_kinds[term->what].form == GT_FORM_JOINT)
    return (struct gt_homogeneous) {{joint, joint}, 2, term->given, {0, 1}};
  if (!gt_term_is_scaled (term) && gt_kinds[term->what].form != GT_FORM_NEIGHBOURS)
    kind.degree[data] = term->root ? 1 : gt_kinds[term->what].power;
  if (data && term->what == GT_TERM_TSS)
    kind.degree[0] = 1;
  return kind;
}

/* The exponent of the largest of the elements of x (WHICH 0) or y (1) and what is given
   of the kind, 0 if that is not far from 1, or not finite.  */
static int
exponent_of (const struct gt_sample *sample, const struct gt_homogeneous *of, int which)
{
  const struct gt_operand *v = which ? &sample->task.y : &sample->task.x;
  double most
    = gt_exact_isa (GT_SUM)->greatest (v->data, v->stride, sample->task.problem.n);
  int exponent;

  for (int i = 0; i < of->given; i++)
    if (of->given_of[i] == which)
      most = fmax (most, fabs (sample->given[i]));
  if (!(most > 0 && most <= DBL_MAX))
    return 0;
  frexp (most, &exponent);
  return abs (exponent) < FAR       ? 0
         : exponent > FARTHEST      ? FARTHEST
         : exponent < -FARTHEST     ? -FARTHEST
                                    : exponent;
}

/* Puts x or y times 2^-EXPONENT in TO and in the place of what is copied.  Returns
   whether no digit is lost.  */
static int
copy (struct gt_sample *sample, int which, int exponent, double *to)
{
  struct gt_operand *v = which ? &sample->task.y : &sample->task.x;
  const int exact
    = gt_exact_isa (GT_SUM)->scale (v->data, v->stride, sample->task.problem.n,
                                    ldexp (1, -exponent), to);

  *v = (struct gt_operand) {to, 1};
  return exact;
}

static int
copy_all (struct gt_moderate *moderate, const struct gt_homogeneous *of,
          const int *exponent, int copies)
{
  struct gt_sample *sample = &moderate->sample;

  for (int i = 0; i < of->given; i++)
    {
      const int e = exponent[of->given_of[i]];
      const double given = sample->given[i], moved = ldexp (given, -e);

      if (ldexp (moved, e) != given)
        return 0;
      sample->given[i] = moved;
    }
  if (!copy (sample, 0, exponent[0], moderate->copies[0]))
    return 0;
  if (copies == 1)
    sample->task.y = sample->task.x;
  return copies == 1 || copy (sample, 1, exponent[1], moderate->copies[1]);
}

int
gt_moderate_begin (const struct gt_sample *sample, const struct gt_homogeneous *of,
                   struct gt_moderate *moderate)
{
  const struct gt_task *task = &sample->task;
  const int copies = of->inputs == 1
                         || (task->x.data == task->y.data
                             && task->x.stride == task->y.stride) ? 1 : 2;
  const size_t room = task->problem.n + 1;
  int exponent[2];

  if (task->problem.arithmetic != GT_F64 || sample->memory[0] || task->problem.n == 0
      || task->problem.n > MOST || !gt_fpenv_is_default (GT_F64))
    return 0;
  exponent[0] = exponent[1] = exponent_of (sample, of, 0);
  if (copies == 2)
    exponent[1] = exponent_of (sample, of, 1);
  if (exponent[0] == 0 && exponent[1] == 0)
    return 0;
  moderate->sample = *sample;
  moderate->copies[0] = copies * room <= GT_MODERATE_ROOM
                          ? moderate->room : malloc (copies * room * sizeof (double));
  moderate->exponent
    = exponent[0] * of->degree[0] + exponent[1] * of->degree[1];
  if (moderate->copies[0] == NULL)
    return 0;
  moderate->copies[1] = moderate->copies[0] + (copies - 1) * room;
  if (copy_all (moderate, of, exponent, copies))
    return 1;
  gt_moderate_end (moderate);
  return 0;
}

void
gt_moderate_end (struct gt_moderate *moderate)
{
  if (moderate->copies[0] != moderate->room)
    free (moderate->copies[0]);
}

/* Rounding twice is rounding once unless the first yields the middle between two of the
   second, of which the greater may be the least normal number, or has left the normal ones: a
   zero of smaller copies may be what was lost.  */
int
gt_moderate_back (const struct gt_moderate *moderate, double of_copies, double *to)
{
  const int e = moderate->exponent;

  *to = ldexp (of_copies, e);
  if (isinf (of_copies) || (fabs (of_copies) < DBL_MIN && (of_copies != 0 || e > 0)))
    return 0;
  return of_copies == 0 || !(fabs (*to) <= DBL_MIN)
         || fabs (of_copies - ldexp (*to, -e)) != ldexp (1, -1075 - e);
}

double
gt_moderate_subnormal (struct gt_moderate *moderate, double sum)
{
  const double unit = ldexp (copysign (1, sum), -1022 - moderate->exponent);
  const uint64_t n = moderate->sample.task.problem.n++;

  if (moderate->copies[0] == moderate->copies[1])
    return 0;
  moderate->copies[0][n] = unit;
  moderate->copies[1][n] = 1;
  return unit;
}

int
gt_is_far (const struct gt_sample *sample, int products)
{
  const uint64_t n = sample->task.problem.n;
  const uint64_t at[] = {0, n / 2, n - 1};

  if (sample->task.problem.arithmetic != GT_F64 || sample->memory[0] || n == 0
      || !gt_fpenv_is_default (GT_F64))
    return 0;
  for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
    {
      const double x = fabs ((double) gt_sample_element (sample, 0, at[k]));
      const double y
        = products ? fabs ((double) gt_sample_element (sample, 1, at[k])) : x;

      if (x == 0 || y == 0
          || (isgreaterequal (x * y, 0x1p-900) && islessequal (x * y, 0x1p900)))
        return 0;
    }
  return 1;
}

int
gt_moderately (const struct gt_sample *sample, const struct gt_homogeneous *of,
               gt_statistic *statistic, double *to)
{
  struct gt_moderate moderate;
  int told;

  if (!gt_moderate_begin (sample, of, &moderate))
    return 0;
  told = gt_moderate_back (&moderate, statistic (&moderate.sample), to);
  gt_moderate_end (&moderate);
  return told || (sample->mode != GT_MODE_EXACT && *to != 0);
}

/* The exact values of statistics: by numbers with a bound, and in whole ones where these leave
   doubt.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/certain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "src/public/bounded.h"
#include "src/public/elements.h"
#include "src/public/moments.h"

/* Sums of at most so many elements on the host: of more the bounds are too wide to be of
   use.  When these cannot tell, shorter ones can.  */
static const uint64_t blocks[] = {(uint64_t) 1 << 16, (uint64_t) 1 << 12};

/* A bound so many times as small as a last place leaves doubt about a result in the middle
   between two doubles, or of 0, and about few others: then whole numbers decide at once.  */
#define MIDDLE 0x1p-10

/* The lowest bit of a number is what it is more than the number without that bit; of a power of
   two, of which the exponent changes, that is more than its half.  */
INLINE double
lower_bit (double least, double x)
{
  uint64_t bits;
  double others, bit;

  memcpy (&bits, &x, sizeof bits);
  bits &= bits - 1;
  memcpy (&others, &bits, sizeof others);
  bit = fabs (x - others);
  return bit < least && x != 0 ? bit : least;
}

/* A power of two of which all elements of x (WHICH 0) or y, and GIVEN, are multiples, unless it is
   0; *MOST is no less than any element.  */
static double
unit_of (const struct gt_sample *sample, int which, double given, double *most)
{
  enum { SOME = 64 };
  const struct gt_task *task = &sample->task;
  double some[SOME], least = lower_bit (0x1p250, given);
  uint64_t bits;

  *most = 0;
  for (size_t begin = 0, n; begin < task->problem.n; begin += n)
    {
      n = task->problem.n - begin < SOME ? task->problem.n - begin : SOME;
      gt_sample_doubles (task->problem.arithmetic, which ? &task->y : &task->x, begin, n, some);
      for (size_t i = 0; i < n; i++)
        {
          least = lower_bit (least, some[i]);
          *most = some[i] > *most ? some[i] : *most;
        }
    }
  memcpy (&bits, &least, sizeof bits);
  bits = bits >> (DBL_MANT_DIG - 1) << (DBL_MANT_DIG - 1);
  memcpy (&least, &bits, sizeof least);
  return least;
}

/* Whether RESULT is next to zero and so is zero: the sum that is divided for it, of elements or
   of cubes about a given mean, is a multiple of the product of the factors' units.  */
static int
is_zero (const struct gt_sample *sample, struct gt_ball result)
{
  const struct gt_term *term = sample->term;
  const int cubes = term->what == GT_TERM_SKEW && term->given;
  double unit, largest, weight = 1, most = 1;

  if (!(fabs (result.h) <= result.radius) || !(cubes || term->what == GT_TERM_MEAN)
      || !gt_elements_are_doubles (sample))
    return 0;
  unit = unit_of (sample, term->weighted, cubes ? sample->given[0] : 0, &largest);
  if (term->weighted)
    weight = unit_of (sample, 0, 0, &most);
  most *= (double) sample->task.problem.n;
  if (cubes)
    {
      const double sd = fabs (sample->given[1]);

      most *= sd * sd * sd;
      unit *= unit * unit;
    }
  unit *= weight;
  return gt_in_range (unit) && gt_in_range (most)
         && 3 * result.radius * most < unit;
}

/* By sums of the elements as they are, and up to MOST times by those of terms.  IN_DOUBT: no
   other sums need be tried.  */
static int
told_of (struct gt_sample *sample, int most, double *rounded, int *in_doubt)
{
  const struct gt_term *const term = sample->term;
  const uint64_t n = sample->task.problem.n;
  const int on_gpu = sample->memory[0] != NULL;
  struct gt_ball result;

  for (int i = on_gpu ? 0 : -2; i < most && (i < 1 || n > blocks[i]); i++)
    {
      struct gt_known k = {.sample = sample, .term = term, .n = n,
                           .block = on_gpu ? n : blocks[i < 0 ? 0 : i]};

      if (i < 0 && !gt_bounded_quickly (&k, i == -1, &result))
        continue;
      if (i >= 0 && !gt_bounded_term (&k, &result))
        break;
      if (term->root)
        result = gt_ball_root (result);
      *in_doubt = gt_in_range (fabs (result.h))
                  && result.radius < fabs (result.h) * (MIDDLE * DBL_EPSILON);
      if (gt_tells (sample, result, rounded))
        return 1;
      *rounded = 0;
      if (!on_gpu && is_zero (sample, result))
        return 1;
      if (*in_doubt)
        break;
    }
  return 0;
}

int
gt_certain_told (struct gt_sample *sample, double *rounded)
{
  int in_doubt;

  return told_of (sample, sample->memory[0] ? 1 : 2, rounded, &in_doubt);
}

int
gt_certain_quickly (struct gt_sample *sample, double *rounded)
{
  int in_doubt;

  return told_of (sample, 0, rounded, &in_doubt);
}

/* By way of copies.  */
GT_APART int
moderately (struct gt_sample *sample, double *to)
{
  const struct gt_homogeneous kind = gt_term_kind (sample->term);
  struct gt_moderate moderate;
  double of_copies;
  int told;

  if (!gt_moderate_begin (sample, &kind, &moderate))
    return 0;
  told = gt_certain_told (&moderate.sample, &of_copies)
         && (gt_moderate_back (&moderate, of_copies, to)
             || (sample->mode != GT_MODE_EXACT && *to != 0));
  gt_moderate_end (&moderate);
  return told;
}

/* Sums tell nothing of elements that are all equal, as a few of them show.  */
static double
certain_on_host (struct gt_sample *sample)
{
  double result, apart;
  int in_doubt = 0, equal;

  gt_sample_middle (sample, sample->term->weighted, &apart);
  equal = apart == 0;
  return (equal && gt_term_settled (sample, &result))
             || told_of (sample, 2, &result, &in_doubt)
             || (!in_doubt
                 && ((!equal && gt_term_settled (sample, &result))
                     || moderately (sample, &result)))
           ? result : gt_rational (sample);
}

double
gt_certain (struct gt_sample *sample)
{
  double result;

  if (sample->task.problem.n == 0)
    return gt_rational (sample);
  if (gt_short_distance (sample, &result))
    return result;
  return sample->memory[0] && (gt_certain_told (sample, &result) || sample->status)
           ? result : gt_sample_on_host (sample, certain_on_host);
}

int
gt_certain_on_gpu (struct gt_sample *sample, double *to)
{
  return gt_is_real_on_gpu (sample) && gt_certain_told (sample, to);
}

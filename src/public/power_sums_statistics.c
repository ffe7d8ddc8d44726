/* Statistics of samples whose power sums there are, rounded once.

   With W, S and T_k, the sums of the weights, of w x and of w x^k, and U_jk those of
   w x^j (W x - S)^k, U_j0 is T_j and U_j(k+1) is W U_(j+1)k - S U_jk.  U_0k is the sum of
   which the statistics are made (src/public/rational.h).  Likewise about a given mean m,
   with 1 and m for W and S.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/finish/comoments.h"
#include "kernels/cpu/wide/wide_superaccumulator.h"
#include "src/prototypes.h"
#include "src/public/power_sums.h"
#include "src/public/rational.h"
#include "src/public/terms.h"

/* Sum WHICH in units of 2^UNIT, in room TO.  */
static struct gt_whole
sum_in (const struct gt_rational *r, unsigned to, enum gt_moment which, int unit)
{
  return gt_moments_whole (room (r, to), r->moments, which, unit);
}

/* Times W or what stands for it, and S.  */
struct centre
{
  struct gt_whole scale, shift;
};

/* U_0k, for the term's power, and U_02.  */
static void
add_powers (struct gt_rational *r, const struct centre *c)
{
  const int power = gt_kinds[r->term->what].power, unit = r->x.low;
  struct gt_whole u[5];

  u[0] = r->weights;
  for (int j = 1; j <= power; j++)
    u[j] = sum_in (r, POWERS + (unsigned) j, GT_MOMENT_1 + (unsigned) j - 1,
                   j * unit + r->w.low);
  for (int k = 1; k <= power; k++)
    {
      for (int j = 0; j <= power - k; j++)
        u[j] = less (r, POWERS + (unsigned) j, times (r, A, c->scale, u[j + 1]),
                     times (r, B, c->shift, u[j]));
      if (k == 2 && power > 2)
        {
          r->power[2] = u[0];
          r->power[2].word = memcpy (room (r, WEIGHT), u[0].word,
                                     (size_t) u[0].n * sizeof *u[0].word);
        }
    }
  r->power[power] = u[0];
}

/* The sum of w |W x - S|.  */
static void
add_distances (struct gt_rational *r, const struct centre *c)
{
  const int unit = r->x.low;
  const struct gt_whole distances
    = sum_in (r, C, GT_MOMENT_DISTANCES, unit + r->w.low);
  const struct gt_whole sides = sum_in (r, D, GT_MOMENT_SIDES, r->w.low);

  r->power[1] = less (r, POWERS, times (r, A, c->scale, distances),
                      times (r, B, c->shift, sides));
}

/* The sum of (a x - b) (a y - e) over N pairs, where P, S and T are the sums of x y, of x
   and of y: a (a P - e S - b T) + n b e.  */
static struct gt_whole
product_about (const struct gt_rational *r, unsigned to, uint64_t n, const struct centre *c,
               struct gt_whole e, const struct gt_whole sums[3])
{
  struct gt_whole rest, off;

  rest = less (r, BEFORE, times (r, A, c->scale, sums[0]), times (r, B, e, sums[1]));
  rest = less (r, A, rest, times (r, B, c->shift, sums[2]));
  rest = times (r, B, c->scale, rest);
  off = times (r, A, c->shift, e);
  gt_whole_scale (&off, n);
  off.negative = !off.negative;
  return less (r, to, rest, off);
}

/* Neighbours are pairs of all elements but the last and all but the first.  */
static void
add_neighbours (struct gt_rational *r, const struct centre *c)
{
  const int unit = r->x.low;
  const struct gt_whole sums[3] = {
    sum_in (r, C, GT_MOMENT_PRODUCTS, 2 * unit),
    less (r, WEIGHT, r->sum, sum_in (r, D, GT_MOMENT_LAST, unit)),
    less (r, LEFT, r->sum, sum_in (r, D, GT_MOMENT_FIRST, unit)),
  };

  r->power[NEIGHBOURS]
    = product_about (r, POWERS + 4, r->moments->n - 1, c, c->shift, sums);
}

/* Both samples' sums, and their means for CENTRE.  */
static void
add_joint (struct gt_rational *r, const struct centre *c)
{
  const int unit = r->x.low;
  const uint64_t n = r->moments->n;
  const struct gt_whole s = r->sum, t = sum_in (r, D, GT_MOMENT_Y, unit);
  const struct gt_whole e
    = r->term->given ? gt_whole_from_double (room (r, DEVIATION), r->sample->given[1], unit)
                     : t;
  const struct centre second = {c->scale, e};
  struct gt_whole sums[3] = {sum_in (r, C, GT_MOMENT_PRODUCTS, 2 * unit), s, t};

  r->power[2] = product_about (r, POWERS + 2, n, c, e, sums);
  sums[0] = sum_in (r, C, GT_MOMENT_2, 2 * unit);
  sums[2] = s;
  r->power[3] = product_about (r, POWERS + 3, n, c, c->shift, sums);
  sums[0] = sum_in (r, C, GT_MOMENT_YY, 2 * unit);
  sums[1] = sums[2] = t;
  r->power[4] = product_about (r, POWERS + 4, n, &second, e, sums);
}

static void
add_up (struct gt_rational *r)
{
  static uint64_t one_word[1] = {1};
  const struct gt_term *term = r->term;
  const struct gt_kind *kind = &gt_kinds[term->what];
  const int unit = r->x.low;
  struct centre c;

  r->weights = gt_whole_from_product (room (r, WEIGHTS), r->moments->n, 1);
  r->squares = r->weights;
  if (term->weighted)
    r->weights = sum_in (r, WEIGHTS, GT_MOMENT_W, unit);
  if (term->weighted && r->moments->power)
    r->squares = sum_in (r, SQUARES, GT_MOMENT_WW, 2 * unit);
  r->sum = sum_in (r, SUM, GT_MOMENT_1, unit + r->w.low);
  c = (struct centre) {r->weights, r->sum};
  if (term->given)
    c = (struct centre) {
      {one_word, 1, 0, 0}, gt_whole_from_double (room (r, GIVEN), r->sample->given[0], unit)
    };
  if (term->given == 2 && kind->form == GT_FORM_POWERS)
    r->deviation = gt_whole_from_double (room (r, DEVIATION), r->sample->given[1], unit);
  if (kind->form == GT_FORM_JOINT)
    add_joint (r, &c);
  else if (kind->form == GT_FORM_POWERS && kind->power == 1)
    add_distances (r, &c);
  else if (kind->form != GT_FORM_MEAN)
    add_powers (r, &c);
  if (kind->form == GT_FORM_NEIGHBOURS)
    add_neighbours (r, &c);
}

/* ------------------------------------------------------------- Special ones */

/* A statistic of elements of which some are not finite does not depend on the finite ones, but
   for whether there are such.  So a few elements stand for all that have come.  */
struct representatives
{
  long double x[8], y[8];
  size_t n;
};

static void
add_representative (struct representatives *some, int which, long double special,
                    long double usual)
{
  some->x[some->n] = which == 0 ? special : usual;
  some->y[some->n++] = which == 1 ? special : 1;
}

static double
special (const gsltune_moments *m, struct gt_sample *sample)
{
  static const struct
  {
    uint32_t flag;
    long double element;
  } specials[] = {{GT_SUPER_PLUS_INFINITY, INFINITY},
                  {GT_SUPER_MINUS_INFINITY, -INFINITY},
                  {GT_SUPER_NAN, NAN}};
  const long double usual = sample->given[0] > 0 ? -1 : 1;
  const int weighted = sample->term->weighted;
  struct representatives some = {.n = 0};
  struct gt_operand x, y;
  uint64_t n;

  for (int which = 0; which < 2; which++)
    for (int k = 0; k < 3; k++)
      if (m->flags[which] & specials[k].flag)
        add_representative (&some, which, specials[k].element, usual);
  n = some.n + 2 < m->n ? some.n + 2 : m->n;
  while (some.n < n)
    add_representative (&some, -1, 0, usual);
  x = (struct gt_operand) {weighted ? some.y : some.x, 1};
  y = (struct gt_operand) {weighted ? some.x : some.y, 1};
  sample->task.problem.n = some.n;
  sample->task.x = x;
  sample->task.y = y;
  return gt_statistic_alike (sample, gt_statistic_for (sample->term));
}

/* ------------------------------------------------------------- The functions */

/* Whether M is of distances from what TERM is about.  */
static int
has_centre (const gsltune_moments *m, const struct gt_sample *sample)
{
  const int unit = gt_moments_unit (m), weighted = sample->term->weighted;
  struct gt_whole all, d;

  if (m->power || m->is_given != sample->term->given)
    return 0;
  if (m->is_given)
    return m->mean == sample->given[0] || (isnan (m->mean) && isnan (sample->given[0]));
  if (m->flags[0] || m->flags[1])
    return 1;
  all = weighted ? gt_moments_whole (m->rooms[0], m, GT_MOMENT_W, unit)
                 : gt_whole_from_product (m->rooms[0], m->n, 1);
  d = gt_whole_difference (m->rooms[1], &all, &m->scale);
  if (d.n)
    return 0;
  all = gt_moments_whole (m->rooms[0], m, GT_MOMENT_1, weighted ? 2 * unit : unit);
  d = gt_whole_difference (m->rooms[1], &all, &m->centre);
  return d.n == 0;
}

static int
has (const gsltune_moments *m, const struct gt_sample *sample)
{
  const struct gt_term *term = sample->term;
  const struct gt_kind *kind = &gt_kinds[term->what];

  if (term->weighted != (m->kind == GSLTUNE_MOMENTS_WEIGHTED)
      || (kind->form == GT_FORM_JOINT) != (m->kind == GSLTUNE_MOMENTS_PAIRS)
      || (kind->form == GT_FORM_NEIGHBOURS && m->kind != GSLTUNE_MOMENTS_NEIGHBOURS))
    return 0;
  return kind->form == GT_FORM_POWERS && kind->power == 1 ? has_centre (m, sample)
                                                          : m->power >= kind->power;
}

static double
statistic (const gsltune_moments *m, const struct gt_term *term, double given,
           double given_next)
{
  const int unit = gt_moments_unit (m);
  const int high = m->wide ? LDBL_MAX_EXP : DBL_MAX_EXP;
  struct gt_sample sample;
  struct gt_rational r = {.sample = &sample, .moments = m, .term = term,
                          .x = {unit, high}, .w = {term->weighted ? unit : 0, high}};

  gt_sample_init (&sample, GT_LDBL, (struct gt_operand) {NULL, 1},
                  (struct gt_operand) {NULL, 1}, m->n);
  sample.mode = GT_MODE_EXACT;
  sample.term = term;
  sample.given[0] = given;
  sample.given[1] = given_next;
  if (!has (m, &sample))
    GSL_ERROR_VAL ("these are not the moments that the statistic is made of", GSL_EINVAL,
                   GSL_NAN);
  if (m->n == 0)
    return gt_rational_of_none (term);
  if (m->flags[0] | m->flags[1] || !isfinite (given) || !isfinite (given_next))
    return special (m, &sample);
  if (gt_term_is_scaled (term) && term->given && given_next == 0)
    return GSL_NAN;
  return gt_rational_compute (&r, add_up);
}

#define FUNCTION_OF(name, prototype)                                       \
  double gsltune_moments_##name GT_TAKES (prototype)                       \
  {                                                                        \
    return statistic (m, &gt_term_##name, GT_GIVEN (prototype));           \
  }
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, FUNCTION_OF (name, MOMENTS_##result))
#include "src/rows.inc"

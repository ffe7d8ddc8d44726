/* Computes balls that contain the exact values of statistics, from sums in twice the
   precision.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/quick/quick.h"

/* Scalar arithmetic gains nothing from registers wider than AVX2's.  */
#if GT_VECTOR_BYTES < 64
/* Definitions that finish_formula expects; balls need no memory, so that the places are
   unused.  */
enum
{
  WEIGHTS, SQUARES, SUM, GIVEN, DEVIATION, POWERS, BEFORE, WEIGHT, LEFT, A, B, C, D, ONE
};
#define NEIGHBOURS 0

struct unit
{
  int low;
};

struct made
{
  struct gt_enclosed *e;
  struct gt_formula formula;
  uint64_t n;
  struct unit x, y, w;
  struct gt_ball weights, squares, sum, deviation, power[5];
};

INLINE struct gt_ball
less (const struct made *r, unsigned to, struct gt_ball x, struct gt_ball y)
{
  (void) r, (void) to;
  return gt_ball_difference (x, y);
}

INLINE struct gt_ball
times (const struct made *r, unsigned to, struct gt_ball x, struct gt_ball y)
{
  (void) r, (void) to;
  return gt_ball_product (x, y);
}

INLINE struct gt_ball
sum_in (const struct made *r, unsigned to, unsigned which, int unit)
{
  (void) to, (void) unit;
  return r->e->sums[which];
}

INLINE struct gt_ball
count_in (const struct made *r, unsigned to, uint64_t n)
{
  (void) r, (void) to;
  return gt_ball_exactly ((double) n);
}

INLINE struct gt_ball
given_in (const struct made *r, unsigned to, int which, int unit)
{
  (void) to, (void) unit;
  return r->e->given[which];
}

INLINE struct gt_ball
kept (const struct made *r, unsigned to, struct gt_ball x)
{
  (void) r, (void) to;
  return x;
}

INLINE int
is_nothing (struct gt_ball x)
{
  return x.h == 0 && x.radius == 0;
}

INLINE struct gt_ball
signed_as (struct gt_ball square, struct gt_ball x)
{
  return x.h < 0 ? gt_ball_negative (square) : square;
}

/* Returns the quotient, or its square root if ROOT, with exact zeros treated as in GSL's
   arithmetic: 0 divided by a number is exactly 0, and a number divided by 0 infinite or
   NaN.  */
INLINE struct gt_ball
quotient (const struct made *r, struct gt_ball over, struct gt_ball under, int unit, int root)
{
  struct gt_ball value;

  r->e->unit = root ? unit / 2 : unit;
  if (is_nothing (under))
    return (struct gt_ball) {over.h / 0.0, 0, over.radius == 0 ? 0 : (double) NAN};
  if (is_nothing (over) && fabs (under.h) > 2 * under.radius)
    return gt_ball_exactly (0);
  value = gt_ball_quotient (over, under);
  if (!root)
    return value;
  if (fabs (value.h) <= 2 * value.radius)
    return (struct gt_ball) {0, 0, 1.01 * sqrt (fabs (value.h) + value.radius)};
  value = gt_ball_root (value.h < 0 ? gt_ball_negative (value) : value);
  return over.h < 0 ? gt_ball_negative (value) : value;
}

#define NUMBER struct gt_ball
#define FORMULA struct made
#define VALUE struct gt_ball
#undef GT_FINISH_PART
#define GT_FINISH_PART INLINE
#include "kernels/formula.inc"

/* Computes E's value for FORMULA, which is a constant here.  */
INLINE void
enclose (struct gt_enclosed *e, const struct gt_formula formula)
{
  struct made r = {.e = e, .formula = formula, .n = e->n, .x = {e->x_unit}, .y = {e->y_unit},
                   .w = {e->w_unit}};

  add_up (&r);
  e->value = finish_formula (&r);
  e->core = r.power[formula.form == GT_FORM_NEIGHBOURS ? NEIGHBOURS : formula.power];
}

/* The forms of formulas as constants.  */
#define KIND(id, form, power, less, ...) \
  enum { FORM_##id = GT_FORM_##form, POWER_##id = power, LESS_##id = less };
#include "kernels/statistics.def"

/* A function for each statistic, which contains only the code that this statistic needs.  */
#define STATISTIC(name, what, weighted, given, root, ...)                          \
  static void __attribute__ ((noinline)) enclose_##name (struct gt_enclosed *e)    \
  { enclose (e, (struct gt_formula) {GT_TERM_##what,                               \
                                     (enum gt_formula_form) FORM_##what,           \
                                     POWER_##what, LESS_##what, weighted, given,   \
                                     root, 0}); }
#include "kernels/statistics.def"

void
GT_FOR_ISA (gt_quick_enclose) (struct gt_enclosed *e)
{
  static gt_enclose_function *const of[GT_N_TERMS][2][2][2] = {
#define STATISTIC(name, what, weighted, given, root, ...) \
  [GT_TERM_##what][weighted][given != 0][root] = enclose_##name,
#include "kernels/statistics.def"
  };
  const struct gt_formula *f = &e->formula;

  of[f->what][f->weighted][f->given != 0][f->root](e);
}
#endif

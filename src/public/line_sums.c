/* Answers that sums of many lines at once give (kernels/cpu/lanes/lanes.h): of columns, whose
   elements of one row lie side by side, and of short rows, which are laid so first.

   In exact mode a sum S comes with the sum C of what its additions lost, and the sum M of the
   magnitudes of what C's lost (two levels of the cascade of T. Ogita, S. M. Rump and
   S. Oishi, "Accurate Sum and Dot Product", SIAM Journal on Scientific Computing 26, 2005,
   section 4).  Mostly M is 0: then S + C is exact, and ties are known.  Else the exact sum is
   within M, but for the roundings of that, of S + C, and if all numbers there round to one,
   that is the answer (Ziv's test); or the line is computed alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/finish/ball.h"
#include "kernels/cpu/lanes/lanes.h"
#include "kernels/cpu/wide/two_sum.h"
#include "src/base/env.h"
#include "src/cpu/threads.h"
#include "src/public/lines.h"
#include "src/public/sorting.h"

/* Columns that a thread takes at a time; and how many columns should be side by side at least.  */
#define BLOCK ((size_t) 256)
#define NARROW ((size_t) 64)

/* Rows that are laid side by side, and how long they are at most, when longer ones are
   computed no slower alone.  */
#define ROWS_AT_A_TIME ((size_t) 64)
#define SHORT_ROW ((size_t) 16)
#define SHORT_ROW_IN_FAST_MODE ((size_t) 4)

/* Elements up to which the bound is proven, and parts of rows for each thread.  */
#define MOST ((size_t) 1 << 26)
#define PARTS 4

/* Means from here on, of sums up to there, do not underflow on the way.  */
#define LEAST_MEAN 0x1p-900
#define LARGEST_SUM 0x1p1000

struct sums
{
  const struct gt_lines *lines;
  const struct gt_line_function *f;
  char *to;
  size_t stride; /* bytes */
  int bounded;
  size_t room;   /* lines that a state has */
  size_t folds;  /* of so many rows one is made */
  size_t part, parts;     /* rows of such, and how many parts of all there are */
  size_t block, blocks;   /* lines */
  double *states;         /* of parts */
  _Atomic size_t next;
};

/* A part's sums of one line, of N elements.  */
struct sum
{
  double x[3];
  size_t n;
};

static void
put_together (const struct sums *s, struct sum *all, const struct sum *part)
{
  if (s->bounded)
    {
      double e = 0, d = 0;

      GT_TWO_SUM (double, all->x[0], e, part->x[0]);
      GT_TWO_SUM (double, all->x[1], d, e);
      all->x[2] += fabs (d) + part->x[2];
      d = 0;
      GT_TWO_SUM (double, all->x[1], d, part->x[1]);
      all->x[2] += fabs (d);
    }
  else if (gt_line_is_of_moments (s->f->of))
    {
      const double apart = part->x[0] - all->x[0];
      const double weight = (double) part->n / (double) (all->n + part->n);

      all->x[0] += apart * weight;
      all->x[1] += part->x[1] + apart * apart * (weight * (double) all->n);
    }
  else
    all->x[0] += part->x[0];
  all->n += part->n;
}

/* Whether N (H + L) is S + C, which are near each other: L is half a unit of H's last place,
   towards which the quotient is.  */
static int
is_tie (double s, double c, double n, double h, double l)
{
  const double p = n * h, p_error = gt_ball_product_error (n, h, p);
  double rest = s - p, lost = 0;

  GT_TWO_SUM (double, rest, lost, c);
  GT_TWO_SUM (double, rest, lost, -p_error);
  return lost == 0 && rest == n * l;
}

static int
is_power_of_two (double n)
{
  const uint64_t whole = (uint64_t) n;

  return (whole & (whole - 1)) == 0;
}

/* Whether X and C, which two doubles hold exactly where SLACK is 0, tell the mean of N: X's
   quotient, and what that leaves and C by N, which has three roundings.  */
static int
tells_mean (double x, double c, double slack, double n, double *to)
{
  const double by = 1 / n, h = x / n, p = h * n;
  const double l = ((x - p) - gt_ball_product_error (h, n, p) + c) * by;
  const double error
    = slack == 0 && is_power_of_two (n) ? 0 : slack * by * 1.01 + fabs (l) * 0x1p-50;
  double half;

  if (!(fabs (x) <= LARGEST_SUM && fabs (h) >= LEAST_MEAN))
    {
      *to = 0;
      return x == 0 && c == 0 && slack == 0;
    }
  *to = h + (l - error);
  if (*to == h + (l + error))
    return 1;
  if (slack != 0)
    return 0;
  half = (nextafter (h, l > 0 ? (double) INFINITY : -(double) INFINITY) - h) / 2;
  *to = h + half;
  return is_tie (x, c, n, h, half);
}

/* Whether SUM tells the answer, which is then *TO.  */
static int
tells (const struct sums *s, const struct sum *sum, double *to)
{
  const double x = sum->x[0], c = sum->x[1], n = (double) sum->n;
  const double slack = sum->x[2] == 0 ? 0 : sum->x[2] * 1.01 + fabs (c) * 0x1p-51;

  if (s->bounded && s->f->of == GT_LINE_OF_MEAN)
    return tells_mean (x, c, slack, n, to);
  if (s->bounded)
    {
      *to = x + (c - slack);
      return *to == x + (c + slack);
    }
  switch (s->f->of)
    {
    case GT_LINE_OF_MEAN:
      *to = x / n;
      break;
    case GT_LINE_OF_VARIANCE:
      *to = c / (n - 1);
      break;
    case GT_LINE_OF_SD:
      *to = sqrt (c / (n - 1));
      break;
    case GT_LINE_OF_SUM:
    case GT_LINE_OF_MAGNITUDES:
    case GT_LINE_ALONE:
      *to = x;
      break;
    }
  return isfinite (*to);
}

static void
finish (const struct sums *s, size_t line, const struct sum *sum)
{
  const struct gt_lines *const l = s->lines;
  double result = 0;

  if (tells (s, sum, &result))
    memcpy (s->to + line * s->stride, &result, sizeof result);
  else
    s->f->compute ((const double *) l->data + line * l->step, l->stride, l->length,
                   s->to + line * s->stride);
}

static void
add (const struct sums *s, double *const state[3], const double *x, size_t lines, size_t n,
     size_t step)
{
  const struct gt_lanes *const lanes = gt_lanes ();
  const int of_magnitudes = s->f->of == GT_LINE_OF_MAGNITUDES;

  if (s->bounded)
    lanes->add_bounded[of_magnitudes](state, x, lines, n, step);
  else if (gt_line_is_of_moments (s->f->of))
    lanes->add_moments (state, x, lines, n, step);
  else
    lanes->add[of_magnitudes](state, x, lines, n, step);
}

/* ------------------------------------------------------------------ Rows */

static void
sum_rows (const struct sums *s, size_t first, size_t count, double *laid)
{
  const size_t n = s->lines->length, step = s->lines->step;
  const double *const x = (const double *) s->lines->data + first * step;
  double sums[3][ROWS_AT_A_TIME] = {{0}};
  double *const state[] = {sums[0], sums[1], sums[2]};

  for (size_t k = 0; k < n; k++)
    for (size_t line = 0; line < count; line++)
      laid[k * ROWS_AT_A_TIME + line] = x[line * step + k];
  add (s, state, laid, count, n, ROWS_AT_A_TIME);
  for (size_t line = 0; line < count; line++)
    finish (s, first + line, &(struct sum) {{sums[0][line], sums[1][line], sums[2][line]}, n});
}

static void
work_on_rows (void *closure, unsigned member)
{
  struct sums *const s = closure;
  const size_t count = s->lines->count;
  double laid[SHORT_ROW * ROWS_AT_A_TIME];
  size_t first;

  (void) member;
  while ((first = atomic_fetch_add (&s->next, BLOCK)) < count)
    for (size_t end = first + BLOCK < count ? first + BLOCK : count; first < end;
         first += ROWS_AT_A_TIME)
      sum_rows (s, first, end - first < ROWS_AT_A_TIME ? end - first : ROWS_AT_A_TIME, laid);
}

/* --------------------------------------------------------------- Columns */

static void
state_of (const struct sums *s, size_t part, size_t line, double *state[3])
{
  for (unsigned k = 0; k < 3; k++)
    state[k] = s->states + (3 * part + k) * s->room + line;
}

/* The rows that are too few to be folded are a part of their own, the last.  */
static size_t
rest_of (const struct sums *s)
{
  return s->lines->length % s->folds;
}

static size_t
rows_of (const struct sums *s, size_t part)
{
  const size_t left = s->lines->length / s->folds - part * s->part;

  return part == s->parts ? rest_of (s) : left < s->part ? left : s->part;
}

static void
sum_part (const struct sums *s, size_t part, size_t first, size_t count)
{
  const struct gt_lines *const l = s->lines;
  const size_t folds = part == s->parts ? 1 : s->folds, step = l->stride * folds;
  const size_t at = part == s->parts ? (l->length - rest_of (s)) * l->stride
                                     : part * s->part * step;
  double *state[3];

  state_of (s, part, first, state);
  add (s, state, (const double *) l->data + at + first,
       s->folds == 1 ? count : l->count * folds, rows_of (s, part), step);
}

static void
finish_line (const struct sums *s, size_t line)
{
  const size_t parts = s->parts + (rest_of (s) > 0);
  struct sum all = {{0}, 0};

  for (size_t part = 0; part < parts; part++)
    for (size_t fold = 0; fold < (part == s->parts ? 1 : s->folds); fold++)
      {
        double *state[3];

        state_of (s, part, fold * s->lines->count + line, state);
        put_together (s, &all, &(struct sum) {{*state[0], *state[1], *state[2]},
                                              rows_of (s, part)});
      }
  finish (s, line, &all);
}

static void
work_on_columns (void *closure, unsigned member)
{
  struct sums *const s = closure;
  const struct gt_lines *const l = s->lines;
  size_t task;

  (void) member;
  while ((task = atomic_fetch_add (&s->next, 1)) < s->parts * s->blocks)
    {
      const size_t first = task / s->parts * s->block, left = l->count - first;
      const size_t end = first + (left < s->block ? left : s->block);

      sum_part (s, task % s->parts, first, end - first);
      if (task == 0 && rest_of (s))
        sum_part (s, s->parts, 0, l->count);
      for (size_t line = first; s->parts == 1 && line < end; line++)
        finish_line (s, line);
    }
}

/* Of narrow matrices several rows are one: as many as are gone through together, where these
   are whole rows, so that memory is read in its order.  */
static size_t
folds_of (const struct gt_lines *l)
{
  const size_t together = gt_lanes ()->together;
  const size_t wide = together % l->count == 0 ? together : NARROW;

  return l->stride == l->count && l->count < wide ? wide / l->count : 1;
}

/* Columns are cut into blocks, two for each thread but not narrow ones, and where these are
   fewer, rows into parts, of which each leaves sums to be put together.  */
static void
cut (struct sums *s, unsigned members)
{
  const struct gt_lines *const l = s->lines;
  const size_t narrow = folds_of (l);
  size_t block = (l->count / (2 * members) + GT_LANES - 1) / GT_LANES * GT_LANES;
  size_t parts;

  block = block < NARROW ? NARROW : block < BLOCK ? block : BLOCK;
  s->block = members == 1 || l->count < 2 * NARROW ? l->count : block;
  s->blocks = (l->count + s->block - 1) / s->block;
  s->folds = narrow < l->length ? narrow : 1;
  parts = members > 1 && s->blocks < 2 * members ? PARTS * members / s->blocks : 1;
  s->part = (l->length / s->folds + parts - 1) / parts;
  s->parts = (l->length / s->folds + s->part - 1) / s->part;
  s->room = (l->count * s->folds + GT_LANES - 1) / GT_LANES * GT_LANES;
}

static int
sum_columns (struct sums *s, unsigned members)
{
  struct gt_sort_room room;

  cut (s, members);
  s->states = gt_sort_room_take (&room, 3 * (s->parts + 1) * s->room, sizeof *s->states);
  if (s->states)
    {
      memset (s->states, 0, 3 * (s->parts + 1) * s->room * sizeof *s->states);
      gt_team_run (members, work_on_columns, s);
      for (size_t line = 0; s->parts > 1 && line < s->lines->count; line++)
        finish_line (s, line);
    }
  gt_sort_room_give (&room);
  return s->states != NULL;
}

int
gt_lines_sum (const struct gt_lines *l, const struct gt_line_function *f, void *to,
              size_t stride, unsigned members)
{
  const int fast = gt_mode_now () == GT_MODE_FAST;
  struct sums s = {.lines = l, .f = f, .to = to, .stride = stride, .bounded = !fast};

  if (f->of == GT_LINE_ALONE || f->arithmetic != GT_F64 || l->offsets
      || l->length < (gt_line_is_of_moments (f->of) ? 2 : 1) || l->length > MOST
      || (gt_line_is_of_moments (f->of) && !fast))
    return 0;
  if (l->step == 1 && l->stride > 1)
    return sum_columns (&s, members);
  if (l->stride != 1 || l->length > (fast ? SHORT_ROW_IN_FAST_MODE : SHORT_ROW))
    return 0;
  gt_team_run (members, work_on_rows, &s);
  return 1;
}

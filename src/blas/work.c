/* Functions shared by products and solutions.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/work.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "src/plan/model.h"

/* The exact products that one thread computes per nanosecond, with registers of 256 bits.  */
#define EXACT_RATE 6

/* Small products do not detect the machine.  */
unsigned
gt_members_for (double products, size_t blocks)
{
  const struct gt_model_work work = {.ns = products / EXACT_RATE};
  unsigned most;

  if (work.ns < GT_WAKE_NS || blocks < 2)
    return 1;
  most = gt_most_threads ();
  return gt_model_threads (&gt_device_host ()->host, &work,
                           blocks < most ? (unsigned) blocks : most);
}

struct gt_product
gt_product_turned (const struct gt_product *p)
{
  struct gt_product t = *p;
  const struct gt_matrix c
    = gt_transposed ((struct gt_matrix) {.row = p->row, .column = p->column,
                                         .triangle = p->triangle});

  t.a = gt_transposed (p->b);
  t.b = gt_transposed (p->a);
  t.rows = p->columns;
  t.columns = p->rows;
  t.row = c.row;
  t.column = c.column;
  t.triangle = c.triangle;
  return t;
}

void
gt_matrix_copy (struct gt_matrix *m, size_t size, void *to)
{
  const char *from = m->data;
  char *at = to;

  for (size_t i = 0; i < m->rows; i++, from += m->row * size, at += m->columns * size)
    if (m->column == 1)
      memcpy (at, from, m->columns * size);
    else
      for (size_t j = 0; j < m->columns; j++)
        memcpy (at + j * size, from + j * m->column * size, size);
  m->data = to;
  m->row = m->columns;
  m->column = 1;
}

double
gt_scale_of (double squares)
{
  uint64_t bits;
  double scale;

  if (!(squares >= GT_LEAST_SQUARES && squares <= GT_MOST_SQUARES))
    return (double) NAN;
  /* If b is the biased exponent, they are less than 2^(b - 1022).  */
  squares *= GT_SQUARES_MARGIN;
  memcpy (&bits, &squares, sizeof bits);
  bits = ((bits >> 52) + 1025) / 2 << 52;
  memcpy (&scale, &bits, sizeof scale);
  return scale;
}

/* --------------------------------------------------------------- Elements of C */

/* Moves N numbers between X and C's row, from LANE on: copies the old numbers, or those of i
   times the elements, to X, or stores X in C.  */
static void
move (const struct gt_work *w, size_t row, size_t lane, size_t n, double *x, const int which,
      const int stores)
{
  const unsigned parts = w->a.parts;
  double *const numbers = (double *) w->c + row * w->row + lane * w->column;

  if (parts == 1 && !w->a.single)
    for (size_t j = 0; j < n; j++)
      if (stores)
        numbers[j * w->column] = x[j];
      else
        x[j] = numbers[j * w->column];
  else
    for (size_t j = 0; j < n; j++)
      {
        const size_t part = (lane + j) & (parts - 1), element = (lane + j) >> (parts - 1);
        const size_t at = (row * w->row + element * w->column) * parts + (which ? part ^ 1 : part);

        if (stores && w->a.single)
          ((float *) w->c)[at] = (float) x[j];
        else if (stores)
          ((double *) w->c)[at] = x[j];
        else
          {
            x[j] = w->a.single ? (double) ((float *) w->c)[at] : ((double *) w->c)[at];
            x[j] = which && part == 0 ? -x[j] : x[j];
          }
      }
}

double *
gt_work_lie (const struct gt_work *w, size_t row, size_t lane)
{
  return w->column == 1 && !w->a.single ? (double *) w->c + row * w->row * w->a.parts + lane
                                        : NULL;
}

/* Does the same for floats.  */
static float *
floats_of (const struct gt_work *w, size_t row, size_t lane)
{
  return w->column == 1 && w->a.single ? (float *) w->c + row * w->row * w->a.parts + lane
                                       : NULL;
}

void
gt_work_olds (const struct gt_work *w, size_t row, size_t lane, size_t n, unsigned which,
              double *to)
{
  const double *there = gt_work_lie (w, row, lane);
  const float *floats = floats_of (w, row, lane);

  if (!which && there)
    memcpy (to, there, n * sizeof *to);
  else if (!which && floats)
    gt_tiles ()->widen (floats, n, to);
  else
    move (w, row, lane, n, to, which != 0, 0);
}

void
gt_work_store (const struct gt_work *w, size_t row, size_t lane, size_t n, double *x)
{
  double *there = gt_work_lie (w, row, lane);
  float *floats = floats_of (w, row, lane);

  if (there)
    memcpy (there, x, n * sizeof *x);
  else if (floats)
    gt_tiles ()->narrow (x, n, floats);
  else
    move (w, row, lane, n, x, 0, 1);
}

/* ------------------------------------------------------------------- Scalars */

static unsigned
take (double *to, struct gt_scalar x)
{
  to[0] = x.re;
  to[1] = x.im;
  return x.im != 0 ? 2 : x.re != 0;
}

void
gt_work_scalars (struct gt_work *w, struct gt_scalar alpha, struct gt_scalar beta)
{
  w->sums = w->terms ? take (w->coefficient, alpha) : 0;
  w->olds = take (w->factor, beta);
}

double
gt_work_least (const struct gt_work *w)
{
  int ones = 1;

  for (unsigned t = 0; t < w->sums; t++)
    ones &= fabs (w->coefficient[t]) == 1;
  for (unsigned t = 0; t < w->olds; t++)
    ones &= fabs (w->factor[t]) == 1;
  return ones ? 0 : 0x1p-1000;
}

void
gt_work_lanes (const struct gt_work *w, size_t row, size_t *begin, size_t *end)
{
  *begin = w->triangle == GT_UPPER ? row * w->a.parts : 0;
  *end = w->triangle == GT_LOWER ? (row + 1) * w->a.parts : w->lanes;
}

int
gt_work_written (const struct gt_work *w, size_t row, size_t lane, size_t lanes, size_t *begin,
                 size_t *end)
{
  gt_work_lanes (w, row, begin, end);
  *begin = *begin > lane ? *begin - lane : 0;
  *end = *end > lane ? gt_least (*end - lane, lanes) : 0;
  return *begin < *end;
}

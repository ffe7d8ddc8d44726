/* Lines of which each is a lane of vectors: columns, and short rows, which are turned into
   columns of a copy.  So short rows need no call each, and cache lines of columns are read
   once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/lines.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/matrix/tiles.h"
#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/public/statistic.h"

/* Lines whose results are computed together, a line a lane; bytes of copies of that many rows
   or fewer, in which each is a column; the least of these rows, and the longest of which sums
   are faster so.  */
#define TOGETHER ((size_t) 64)
#define TURNED (GT_LINES_TURNED * LEAST_TURNED)
#define LEAST_TURNED ((size_t) 16)
#define LONGEST_SUM ((size_t) 14)

/* Rows from which the number that is subtracted in variances is computed.  */
#define SHIFT_ROWS ((size_t) 8)

/* Row by row.  */
INLINE void
gather_of_size (const char *from, size_t step, size_t count, size_t n, char *to, size_t apart,
                const size_t size)
{
  for (size_t i = 0; i < n; i++)
    for (size_t line = 0; line < count; line++)
      memcpy (to + line * apart + i * size, from + i * step + line * size, size);
}

typedef uint32_t four __attribute__ ((vector_size (16)));
typedef uint32_t unaligned_four __attribute__ ((vector_size (16), aligned (4), may_alias));
#ifdef __clang__
#define FOUR(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define FOUR(a, b, ...) __builtin_shuffle (a, b, (four) {__VA_ARGS__})
#endif

/* The same for elements of four bytes: four rows and lines at a time.  */
static void
gather_fours (const char *from, size_t step, size_t count, size_t n, char *to, size_t apart)
{
  size_t i = 0, line;

  for (; n - i >= 4; i += 4, from += 4 * step)
    {
      char *there = to + 4 * i;

      for (line = 0; count - line >= 4; line += 4, there += 4 * apart)
        {
          const char *const x = from + 4 * line;
          const four a = *(const unaligned_four *) x, b = *(const unaligned_four *) (x + step);
          const four c = *(const unaligned_four *) (x + 2 * step);
          const four d = *(const unaligned_four *) (x + 3 * step);
          const four ab = FOUR (a, b, 0, 4, 1, 5), cd = FOUR (c, d, 0, 4, 1, 5);
          const four ba = FOUR (a, b, 2, 6, 3, 7), dc = FOUR (c, d, 2, 6, 3, 7);

          *(unaligned_four *) there = FOUR (ab, cd, 0, 1, 4, 5);
          *(unaligned_four *) (there + apart) = FOUR (ab, cd, 2, 3, 6, 7);
          *(unaligned_four *) (there + 2 * apart) = FOUR (ba, dc, 0, 1, 4, 5);
          *(unaligned_four *) (there + 3 * apart) = FOUR (ba, dc, 2, 3, 6, 7);
        }
      gather_of_size (from + 4 * line, step, count - line, 4, there, apart, 4);
    }
  gather_of_size (from, step, count, n - i, to + 4 * i, apart, 4);
}

static void
gather_eights (const char *from, size_t step, size_t count, size_t n, char *to, size_t apart)
{
  gt_tiles ()->turn ((const double *) (const void *) from, step / 8, n, count,
                     (double *) (void *) to, apart / 8);
}

void
gt_lines_gather (const char *from, size_t step, size_t count, size_t n, char *to,
                 size_t apart, size_t size)
{
  /* The last four lines are copied with some before them.  */
  const size_t rest = count > 4 ? count % 4 : 0, last = count - 4;

  if (size == 8)
    gather_eights (from, step, count - rest, n, to, apart);
  else if (size == 4)
    gather_fours (from, step, count - rest, n, to, apart);
  if (size == 8 && rest)
    gather_eights (from + last * 8, step, 4, n, to + last * apart, apart);
  else if (size == 4 && rest)
    gather_fours (from + last * 4, step, 4, n, to + last * apart, apart);
  else if (size == 16)
    gather_of_size (from, step, count, n, to, apart, 16);
  else if (size == 2)
    gather_of_size (from, step, count, n, to, apart, 2);
  else if (size == 1)
    gather_of_size (from, step, count, n, to, apart, 1);
}

static const struct gt_across_isa *const across_isas[GT_N_ISAS]
  = {GT_OF_EACH_ISA (&, gt_across)};

/* Returns the function for columns of which there are at least COUNT, or null if there are too
   few.  A vector of the instruction set N has 16 << N bytes.  */
static gt_across_function *
across_function (const struct gt_line_function *f, enum gt_across across, size_t count)
{
  const enum gt_arithmetic arithmetic
    = across == GT_ACROSS_SUM && f->arithmetic == GT_I32 ? GT_U32 : f->arithmetic;
  int isa = (int) gt_isa ();

  while (isa >= 0 && count * f->size < (size_t) 16 << isa)
    isa--;
  return isa < 0 ? NULL : across_isas[isa]->of[arithmetic];
}

/* Stores norms, variances or deviations of lines of doubles or floats, RESULT, a constant, by
   sums S and, of variances, those of squares Q.  Those that may be wrong are computed
   alone.  */
INLINE void
finish_as (const struct gt_lines_pass *p, const struct gt_lines *lines, const double *s,
           const double *q, char *to, const enum gt_line_result result)
{
  const double n = (double) lines->length;
  const int is_float = p->f->arithmetic == GT_F32;

  for (size_t j = 0; j < lines->count; j++, to += p->stride)
    {
      double value = result == GT_LINE_NRM2 ? s[j] : (q[j] - s[j] * s[j] / n) / (n - 1);
      const int is_right
        = result == GT_LINE_NRM2
            ? is_float || gt_in_range (value)
            : isgreaterequal (q[j], 0x1p-400) && islessequal (q[j], 0x1p400);

      if (result != GT_LINE_VARIANCE)
        value = sqrt (value);
      if (UNLIKELY (!is_right))
        p->f->compute (lines, j, 1, to, p->stride);
      else if (result == GT_LINE_NRM2 && is_float)
        *(float *) to = (float) value;
      else
        *(double *) to = value;
    }
}

/* Computes sums about the means of the first rows or, if one of these is farther from its column's
   mean than the deviation, about the means that the sums show.  N of these deviate no less than
   the first rows do, so their error is no larger.  */
static void
spread (gt_across_function *function, struct gt_columns *c, double *s, double *q)
{
  double shift[TOGETHER];
  struct gt_columns first = *c;
  int is_far = 1;

  first.n = c->n < SHIFT_ROWS ? c->n : SHIFT_ROWS;
  c->shift = shift;
  function (GT_ACROSS_MEAN, &first, shift, NULL);
  for (int pass = 0; pass < 2 && is_far; pass++)
    {
      function (GT_ACROSS_SPREAD, c, s, q);
      is_far = 0;
      for (size_t j = 0; j < c->count; j++)
        is_far |= isgreater (2 * s[j] * s[j], (double) c->n * q[j]);
      for (size_t j = 0; is_far && pass == 0 && j < c->count; j++)
        shift[j] += s[j] / (double) c->n;
    }
}

/* Computes LINES, TOGETHER at most, that are the columns C.  Returns 0 if they are to be
   computed one by one.  */
static int
compute_columns (const struct gt_lines_pass *p, struct gt_columns *c,
                 const struct gt_lines *lines, char *to)
{
  gt_across_function *const function = across_function (p->f, p->across, c->count);
  const size_t size = p->f->result_size;
  double s[TOGETHER], q[TOGETHER];

  if (function && p->across == GT_ACROSS_SPREAD)
    {
      spread (function, c, s, q);
      if (p->f->on_gpu == GT_LINE_SD)
        finish_as (p, lines, s, q, to, GT_LINE_SD);
      else
        finish_as (p, lines, s, q, to, GT_LINE_VARIANCE);
      return 1;
    }
  if (function && p->stride == size && p->across != GT_ACROSS_SQUARES)
    return function (p->across, c, to, NULL);
  if (function == NULL || !function (p->across, c, s, NULL))
    return 0;
  if (p->across == GT_ACROSS_SQUARES)
    finish_as (p, lines, s, q, to, GT_LINE_NRM2);
  else
    for (size_t j = 0; j < c->count; j++)
      memcpy (to + j * p->stride, (const char *) s + j * size, size);
  return 1;
}

/* Rows are turned into columns.  */
void
gt_lines_compute_together (const struct gt_lines_pass *p, size_t first, size_t count)
{
  const struct gt_lines *const l = p->lines;
  const size_t size = p->f->size, end = first + count;
  _Alignas (64) char turned[TURNED];

  for (size_t n; first < end; first += n)
    {
      const char *const x = l->data + first * l->step * size;
      char *const to = p->to + first * p->stride;

      n = end - first < p->most ? end - first : p->most;

      const struct gt_lines lines = {.data = x, .count = n, .length = l->length,
                                     .step = l->step, .stride = l->stride};
      struct gt_columns c = {x, l->stride, l->length, n, NULL};

      if (l->stride == 1)
        {
          gt_lines_gather (x, l->step * size, l->length, n, turned, p->most * size, size);
          c.x = turned;
          c.tda = p->most;
        }
      if (!compute_columns (p, &c, &lines, to))
        p->f->compute (&lines, 0, n, to, p->stride);
    }
}

/* Returns how lines are computed in one pass, or GT_ACROSS_NOTHING.  */
static enum gt_across
pass_of (const struct gt_line_function *f)
{
  static const enum gt_across of[] = {
    [GT_LINE_SUM] = GT_ACROSS_SUM, [GT_LINE_ASUM] = GT_ACROSS_SIZES,
    [GT_LINE_NRM2] = GT_ACROSS_SQUARES, [GT_LINE_MEAN] = GT_ACROSS_MEAN,
    [GT_LINE_VARIANCE] = GT_ACROSS_SPREAD, [GT_LINE_SD] = GT_ACROSS_SPREAD,
    [GT_LINE_MAX] = GT_ACROSS_MAX, [GT_LINE_MIN] = GT_ACROSS_MIN,
    [GT_LINE_MAX_INDEX] = GT_ACROSS_MAX_INDEX, [GT_LINE_MIN_INDEX] = GT_ACROSS_MIN_INDEX
  };
  const enum gt_across across = of[f->on_gpu];
  const int is_real = f->arithmetic <= GT_F32;

  return f->exchanges || across_function (f, across, LEAST_TURNED) == NULL
             || (across <= GT_ACROSS_SPREAD
                 && (is_real ? gt_mode_now () != GT_MODE_FAST : f->on_gpu != GT_LINE_SUM))
           ? GT_ACROSS_NOTHING : across;
}

/* Returns how many rows of a length are turned into columns at a time, or 0.  */
static size_t
most_turned (const struct gt_lines *l, const struct gt_line_function *f)
{
  const size_t most = TURNED / (l->length * f->size);

  return most < LEAST_TURNED || l->count < LEAST_TURNED
             || (f->on_gpu <= GT_LINE_NRM2 && l->length > LONGEST_SUM)
             || (f->on_gpu == GT_LINE_NRM2 && l->length < 3)
           ? 0 : most < TOGETHER ? most / 8 * 8 : TOGETHER;
}

void
gt_lines_plan (struct gt_lines_pass *p)
{
  const struct gt_lines *const l = p->lines;

  p->across = pass_of (p->f);
  if (p->across == GT_ACROSS_NOTHING || l->offsets || l->length == 0 || l->length >> 32
      || (p->across == GT_ACROSS_SPREAD && l->length == 1))
    p->most = 0;
  else if (l->stride == 1)
    p->most = most_turned (l, p->f);
  else
    p->most = l->step == 1 && l->count > 1 ? TOGETHER : 0;
}

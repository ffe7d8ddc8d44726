/* Functions of all rows or columns of a matrix, and of segments of a vector.

   The main loop (compute) processes a group of lines at a time.  Extremes, sums of integers
   and fast sums of columns and of short rows are computed together, each line in a lane of
   vectors, so that short rows need no calls of their own and cache lines of columns are read
   once.  For other lines, the function of one vector is called.  A group is copied first if
   its rows are to be transposed, if caches would not keep the cache lines that several columns
   share, or if the function exchanges elements.  If there are many lines, threads share them;
   if there are a few long ones, threads share each line as they share a vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/lines/lines.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/matrix/plain.h"
#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/cpu/parts.h"
#include "src/plan/model.h"
#include "src/statistics/statistic.h"

/* Measured overhead in nanoseconds for a line in a lane, in a call, and in a call for an exact
   sum; and the time per element of a median.  */
#define LANE_NS 1.0
#define CALL_NS 5.0
#define EXACT_CALL_NS 40.0
#define MEDIAN_NS 4.0

/* A thread claims lines for about CLAIM_NS nanoseconds at a time: long enough that the atomic
   operation costs little, short enough that a slow thread does not delay the others.  RATE is
   the assumed number of bytes that are added per nanosecond.  */
#define CLAIM_NS 8000.0
#define RATE 32.0

/* The maximum number of lines that are computed together: the number of bits in a word.  */
#define TOGETHER ((size_t) 64)

/* The minimum number of rows that are transposed, their maximum size in bytes, and the maximum
   length for which sums of transposed rows are faster, as measured: longer rows fill vectors
   of their own, and rows of three elements are copied one by one.  */
#define LEAST_TURNED ((size_t) 16)
#define LONGEST_TURNED ((size_t) 192)
#define LONGEST_SUM ((size_t) 12)

/* The number of rows from which the shift for variances is computed.  */
#define SHIFT_ROWS ((size_t) 8)

/* CACHED: columns of more bytes in all are copied, because caches do not keep their cache
   lines until the next column is read, unless they have fewer than FEW elements, which the
   first-level cache keeps.  COPIES: the bytes of copies that stay in a cache.  SMALL_COPIES:
   the bytes of copies on the stack.  */
#define CACHED ((size_t) 1 << 20)
#define FEW ((size_t) 256)
#define COPIES ((size_t) 1 << 18)
#define SMALL_COPIES (LONGEST_TURNED * LEAST_TURNED)

/* The bytes of a cache line.  */
#define LINE_BYTES 64

struct work
{
  const struct gt_lines *lines;
  const struct gt_line_function *f;
  char *to;       /* the address of the first result */
  size_t stride;  /* bytes from result to result */
  int in_lanes;   /* each line is computed in a lane of vectors */
  size_t group;   /* lines that are computed at a time; 0: all lines of a claim, without a
                     copy */
  size_t apart;   /* bytes between the lines of copies, or between their elements if rows are
                     transposed; 0: a group is not copied */
  size_t room;    /* bytes of a thread's copies */
  char *copies;   /* the copies of all threads */
  size_t claim;   /* lines that a thread claims at a time */
  size_t longest; /* the length of the longest line that one thread computes alone */
  unsigned members;
  struct gt_parts parts;
};

static size_t
rounded_up (size_t n, size_t unit)
{
  return (n + unit - 1) / unit * unit;
}

static size_t
elements_of (const struct gt_lines *l)
{
  return l->offsets ? l->offsets[l->count] - l->offsets[0] : l->count * l->length;
}

/* ---------------------------------------------------------------------- Copies */

/* Copies the elements row by row.  */
INLINE void
gather_of_size (const char *from, size_t step, size_t count, size_t n, char *to, size_t apart,
                const size_t size)
{
  for (size_t i = 0; i < n; i++)
    for (size_t line = 0; line < count; line++)
      memcpy (to + line * apart + i * size, from + i * step + line * size, size);
}

void
gt_lines_gather (const char *from, size_t step, size_t count, size_t n, char *to,
                 size_t apart, size_t size)
{
  /* The last four lines are copied as a group that overlaps the one before.  */
  const size_t rest = count > 4 ? count % 4 : 0, last = count - 4;
  const struct gt_plain *const plain = gt_plain (size == 4);

  if (size == 16)
    gather_of_size (from, step, count, n, to, apart, 16);
  else if (size == 2)
    gather_of_size (from, step, count, n, to, apart, 2);
  else if (size == 1)
    gather_of_size (from, step, count, n, to, apart, 1);
  else
    {
      plain->turn (from, step / size, n, count - rest, to, apart / size);
      if (rest)
        plain->turn (from + last * size, step / size, n, 4, to + last * apart, apart / size);
    }
}

size_t
gt_lines_apart (size_t n, size_t size)
{
  const size_t apart = n * size / LINE_BYTES + 1;

  /* At distances of a power of two, lines would share the same sets of a cache.  */
  return (apart + (apart % 2 == 0)) * LINE_BYTES;
}

/* Copies LINES and makes them refer to the copies: rows that are computed in lanes are
   transposed, the elements of all other lines become contiguous.  */
static void
copy_lines (const struct work *w, struct gt_lines *lines, char *copies)
{
  const size_t size = w->f->size, step = lines->step * size, stride = lines->stride * size;

  if (w->in_lanes)
    gt_lines_gather (lines->data, step, lines->length, lines->count, copies, w->apart, size);
  else if (lines->count == 1 && lines->stride == 1)
    memcpy (copies, lines->data, lines->length * size);
  else
    gt_lines_gather (lines->data, stride, lines->count, lines->length, copies, w->apart, size);
  lines->data = copies;
  lines->step = w->in_lanes ? 1 : w->apart / size;
  lines->stride = w->in_lanes ? w->apart / size : 1;
}

/* ----------------------------------------------------------------------- Lanes */

static const struct gt_across_isa *const across_isas[GT_N_ISAS]
  = {GT_OF_EACH_ISA (&, gt_across)};

static int
is_real (const struct gt_line_function *f)
{
  return f->arithmetic == GT_F64 || f->arithmetic == GT_F32;
}

/* Returns the function for COUNT columns, or null if they are too few.  A vector of the
   instruction set N has 16 << N bytes, lanes of sums of reals have eight.  */
static gt_across_function *
across_function (const struct gt_line_function *f, size_t count)
{
  const size_t lane
    = is_real (f) && !gt_line_is_extreme (f->result) ? sizeof (double) : f->size;
  int isa = (int) gt_isa ();

  while (isa >= 0 && count * lane < (size_t) 16 << isa)
    isa--;
  return isa < 0 ? NULL : across_isas[isa]->of[f->arithmetic];
}

/* Computes sums of differences from the means of the first rows or, if one of these is farther
   from its column's mean than the deviation, from the means that follow from the sums.  The N
   elements deviate from their mean no less than the first rows, so the error is no larger.  */
static void
spread (gt_across_function *function, struct gt_columns *c, double *s, double *q)
{
  double shift[TOGETHER];
  struct gt_columns first = *c;
  int is_far = 1;

  first.n = c->n < SHIFT_ROWS ? c->n : SHIFT_ROWS;
  c->shift = shift;
  function (GT_LINE_MEAN, &first, shift, NULL);
  for (int pass = 0; pass < 2 && is_far; pass++)
    {
      function (GT_LINE_VARIANCE, c, s, q);
      is_far = 0;
      for (size_t j = 0; j < c->count; j++)
        is_far |= isgreater (2 * s[j] * s[j], (double) c->n * q[j]);
      for (size_t j = 0; is_far && pass == 0 && j < c->count; j++)
        shift[j] += s[j] / (double) c->n;
    }
}

/* Stores norms, variances or deviations of N elements, computed from sums S and, for
   variances, sums of squares Q.  Returns a bit for each that may be wrong.  */
static uint64_t
finish (const struct work *w, double n, size_t count, const double *s, const double *q,
        char *to)
{
  const int is_norm = w->f->result == GT_LINE_NRM2;
  const int is_float = w->f->result_size == sizeof (float);
  uint64_t wrong = 0;

  for (size_t j = 0; j < count; j++, to += w->stride)
    {
      double value = is_norm ? s[j] : (q[j] - s[j] * s[j] / n) / (n - 1);

      if (!(is_norm ? is_float || gt_in_range (value)
                    : isgreaterequal (q[j], 0x1p-400) && islessequal (q[j], 0x1p400)))
        wrong |= UINT64_C (1) << j;
      if (w->f->result != GT_LINE_VARIANCE)
        value = sqrt (value);
      if (is_float)
        *(float *) to = (float) value;
      else
        *(double *) to = value;
    }
  return wrong;
}

/* Computes the columns C by vectors.  Returns a bit for each column that must be computed
   again.  */
static uint64_t
compute_columns (const struct work *w, struct gt_columns *c, char *to)
{
  gt_across_function *const function = across_function (w->f, c->count);
  const size_t size = w->f->result_size;
  const double n = (double) c->n;
  double s[TOGETHER], q[TOGETHER];
  uint64_t wrong;

  if (function == NULL)
    return UINT64_MAX >> (TOGETHER - c->count);
  if (w->f->result == GT_LINE_VARIANCE || w->f->result == GT_LINE_SD)
    {
      spread (function, c, s, q);
      return finish (w, n, c->count, s, q, to);
    }
  if (w->stride == size && w->f->result != GT_LINE_NRM2)
    return function (w->f->result, c, to, NULL);
  wrong = function (w->f->result, c, s, NULL);
  if (w->f->result == GT_LINE_NRM2)
    return wrong | finish (w, n, c->count, s, q, to);
  for (size_t j = 0; j < c->count; j++)
    memcpy (to + j * w->stride, (const char *) s + j * size, size);
  return wrong;
}

/* ------------------------------------------------------------------- The loop */

/* Computes COUNT lines on the thread of MEMBER.  */
static void
compute (const struct work *w, unsigned member, size_t first, size_t count)
{
  const struct gt_lines *const l = w->lines;
  const size_t end = first + count, size = w->f->size;

  if (w->group == 0)
    w->f->compute (l, first, count, w->to + first * w->stride, w->stride);
  for (size_t n; w->group && first < end; first += n)
    {
      const size_t left = end - first;
      char *const to = w->to + first * w->stride;

      /* The last two groups have about the same size.  */
      n = left > w->group && left < 2 * w->group ? rounded_up (left / 2, 8) : left;
      n = n < w->group ? n : w->group;

      struct gt_lines lines = {.data = gt_line_begin (l, first, size), .count = n,
                               .length = gt_line_length (l, first), .step = l->step,
                               .stride = l->stride};
      if (w->apart)
        copy_lines (w, &lines, w->copies + member * w->room);

      struct gt_columns c = {lines.data, lines.stride, lines.length, n, NULL};
      uint64_t alone = w->in_lanes ? compute_columns (w, &c, to) : 0;

      if (!w->in_lanes)
        w->f->compute (&lines, 0, n, to, w->stride);
      for (size_t j = 0; UNLIKELY (alone != 0); alone >>= 1, j++)
        if (alone & 1)
          w->f->compute (&lines, j, 1, to + j * w->stride, w->stride);
    }
}

/* Claims and computes lines, except those that are too long for one thread.  */
static void
work_on_claims (void *closure, unsigned member)
{
  struct work *const w = closure;
  const unsigned own = gt_parts_of (&w->parts, member);
  unsigned part = own;
  struct gt_piece piece;

  while (gt_parts_claim (&w->parts, own, &part, &piece))
    for (size_t line = piece.begin, next, end = line + piece.n; line < end; line = next + 1)
      {
        next = w->lines->offsets ? line : end;
        while (next < end && gt_line_length (w->lines, next) <= w->longest)
          next++;
        compute (w, member, line, next - line);
      }
}

/* Computes all lines by threads that claim some at a time.  Threads share the elements of a
   segment that is longer than a thread's share.  */
static void
share (struct work *w)
{
  const struct gt_lines *const l = w->lines;

  w->longest = elements_of (l) / w->members;
  gt_team_run (w->members, work_on_claims, w);
  for (size_t line = 0; l->offsets && line < l->count; line++)
    if (gt_line_length (l, line) > w->longest)
      compute (w, 0, line, 1);
  gt_parts_close (&w->parts);
}

/* ------------------------------------------------------------------- Decisions */

/* Returns whether F adds in the elements' type or, in fast mode, in double.  */
static int
has_plain_sums (const struct gt_line_function *f)
{
  return is_real (f) ? gt_fast_mask () != 0 : f->result == GT_LINE_SUM;
}

/* Returns whether columns, or transposed rows, are computed in lanes.  Calls are faster for
   variances of few elements; for other sums of columns of less than 32 bytes, because vectors
   would compute some twice; and for norms of one element.  Elements of less than 4 bytes are
   too narrow for indexes.  */
static int
has_lanes (const struct gt_lines *l, const struct gt_line_function *f)
{
  if (f->exchanges || l->offsets || l->length == 0 || l->length >> 32
      || across_function (f, l->count) == NULL)
    return 0;
  if (gt_line_is_extreme (f->result))
    return f->size >= 4 || !gt_line_is_index (f->result);
  if (f->result == GT_LINE_VARIANCE || f->result == GT_LINE_SD)
    return has_plain_sums (f) && l->length > 1 && l->length * l->count >= 8;
  return has_plain_sums (f) && l->count >= 32 / f->size
         && (l->length > 1 || f->result != GT_LINE_NRM2);
}

/* Returns the number of rows that are transposed at a time, or 0.  */
static size_t
most_turned (const struct gt_lines *l, const struct gt_line_function *f)
{
  const size_t most = SMALL_COPIES / (l->length * f->size);
  const int is_norm = f->result == GT_LINE_NRM2;
  const int is_sum = f->result == GT_LINE_SUM || f->result == GT_LINE_ASUM || is_norm;

  return most < LEAST_TURNED || l->count < LEAST_TURNED || f->size < 4
             || (is_sum && (l->length == 3 || l->length > LONGEST_SUM))
             || (is_norm && l->length < 4)
           ? 0 : most < TOGETHER ? most / 8 * 8 : TOGETHER;
}

/* Plans copies: as many columns as fit in a cache, but at least those of a cache line, within
   the scratch limit.  */
static void
plan_copies (struct work *w)
{
  const struct gt_lines *const l = w->lines;
  const size_t size = w->f->size, least = LINE_BYTES / size;
  size_t longest = l->length;

  for (size_t line = 0; l->offsets && line < l->count; line++)
    longest = gt_line_length (l, line) > longest ? gt_line_length (l, line) : longest;
  w->apart = gt_lines_apart (longest, size);
  w->group = 1;
  if (l->step == 1 && l->stride != 1 && longest != 0)
    {
      w->group = COPIES / w->apart / least * least;
      w->group = w->group < least ? least : w->group;
      w->group = w->group < l->count ? w->group : l->count;
      if (w->group > gt_scratch_limit / w->apart)
        w->group = gt_scratch_limit / w->apart ? gt_scratch_limit / w->apart : 1;
    }
  w->room = w->group * w->apart;
}

/* Decides how many lines are computed at a time, from their own memory or from copies, in
   lanes or by calls.  */
static void
plan_groups (struct work *w)
{
  const struct gt_lines *const l = w->lines;
  const enum gt_line_result result = w->f->result;
  const int is_sum = result == GT_LINE_SUM || result == GT_LINE_ASUM || result == GT_LINE_MEAN;

  w->group = w->apart = w->room = 0;
  w->in_lanes = has_lanes (l, w->f);
  if (w->in_lanes && l->step == 1 && (l->stride != 1 || l->length == 1))
    w->group = TOGETHER;
  else if (w->in_lanes && l->stride == 1)
    {
      w->group = most_turned (l, w->f);
      w->apart = w->group * w->f->size;
      w->room = w->apart * l->length;
    }
  w->in_lanes = w->group != 0;
  if (w->f->exchanges
      || (!w->in_lanes && !l->offsets && l->step == 1 && l->stride != 1
          && l->length >= (is_sum ? CACHED / LINE_BYTES : FEW)
          && l->count >= LINE_BYTES / w->f->size && elements_of (l) * w->f->size >= CACHED))
    plan_copies (w);
}

/* Decides how many threads share the lines, and how many lines each claims at a time; for
   columns, whole cache lines.  Lines that are each worth all threads are computed one after
   the other, each by all threads.  */
static void
plan_threads (struct work *w)
{
  const struct gt_lines *const l = w->lines;
  const int is_fast = gt_line_is_extreme (w->f->result) || has_plain_sums (w->f);
  const double count = (double) l->count, elements = (double) elements_of (l);
  const double each = w->in_lanes ? LANE_NS : is_fast ? CALL_NS : EXACT_CALL_NS;
  const struct gt_model_work work
    = {elements * (double) w->f->size,
       count * each + (w->f->exchanges ? elements * MEDIAN_NS : 0)};
  const struct gt_model_work line = {work.bytes / count, 0};
  size_t claims;

  w->members = 1;
  if (l->count == 1 || (work.ns < GT_WAKE_NS && work.bytes < GT_WAKE_NS * GT_MEMORY_RATE))
    return;

  const struct gt_host *const host = &gt_device_host ()->host;

  w->members = gt_model_threads (host, &work, gt_most_threads ());
  w->claim = (size_t) (CLAIM_NS * count / (work.ns + work.bytes / RATE)) + 1;
  if (w->group > 1)
    w->claim = rounded_up (w->claim, LINE_BYTES / w->f->size);
  claims = rounded_up (l->count, w->claim) / w->claim;
  w->members = w->members < claims ? w->members : (unsigned) claims;
  if (w->group == 0 && gt_model_threads (host, &line, w->members) == w->members)
    w->members = 1;
}

/* Allocates memory for copies, or uses HERE if they are small.  If memory is short, lines are
   computed without copies; returns 0 if that is not possible.  */
static int
find_room (struct work *w, char here[SMALL_COPIES])
{
  w->copies = here;
  if (w->members * w->room > SMALL_COPIES)
    w->copies = aligned_alloc (LINE_BYTES, rounded_up (w->members * w->room, LINE_BYTES));
  if (w->copies == NULL)
    w->group = 0;
  return w->copies || !w->f->exchanges;
}

/* Returns 0 if memory is short.  */
static int
compute_all (struct work *w)
{
  _Alignas (LINE_BYTES) char here[SMALL_COPIES];

  if (!find_room (w, here))
    return 0;
  if (w->members > 1)
    gt_parts_cut_blocks (&w->parts, w->lines->count, w->claim, w->members);
  if (w->members > 1 && gt_parts_open (&w->parts) == 0)
    share (w);
  else
    compute (w, 0, 0, w->lines->count);
  if (w->copies != here)
    free (w->copies);
  return 1;
}

/* ----------------------------------------------------------------------- Calls */

/* Stores TEXT in *WHY and returns CODE.  */
static int
refused (int code, const char *text, const char **why)
{
  *why = text;
  return code;
}

int
gt_lines_check (const struct gt_lines *lines, const struct gt_line_function *f, size_t count,
                const char **why)
{
  const size_t *const offsets = lines->offsets;
  int decreases = 0, is_empty = offsets == NULL && count != 0 && lines->length == 0;

  if (count != lines->count)
    return refused (GSL_EBADLEN, "the vector of results must have one element for each line", why);
  for (size_t i = 0; offsets && i < count; i++)
    {
      decreases |= offsets[i] > offsets[i + 1];
      is_empty |= offsets[i] == offsets[i + 1];
    }
  if (decreases)
    return refused (GSL_EINVAL, "the offsets of segments must not decrease", why);
  if (offsets && offsets[count] > lines->all)
    return refused (GSL_EINVAL,
                    "the offsets of segments must not be more than the vector's length", why);
  if (is_empty && !f->of_none)
    return refused (GSL_EDOM, "there are no elements, so none is the largest or smallest", why);
  return GSL_SUCCESS;
}

int
gt_lines_compute (const struct gt_lines *lines, const struct gt_line_function *f, void *to,
                  size_t stride, size_t count)
{
  const char *why;
  const int status = gt_lines_check (lines, f, count, &why);
  struct work w; /* not cleared, because that takes as long as computing a short line */
  struct gt_fpenv env;
  int is_done;

  if (status)
    GSL_ERROR (why, status);
  if (count == 0)
    return GSL_SUCCESS;
  w.lines = lines;
  w.f = f;
  w.to = to;
  w.stride = stride * f->result_size;
  plan_groups (&w);
  plan_threads (&w);
  if (w.group == 0 && w.members == 1)
    {
      f->compute (lines, 0, count, to, w.stride);
      return GSL_SUCCESS;
    }
  gt_fpenv_enter (&env, f->arithmetic);
  is_done = compute_all (&w);
  gt_fpenv_leave (&env);
  if (!is_done)
    GSL_ERROR ("there is no memory for a copy of a line, of which to find the median",
               GSL_ENOMEM);
  return GSL_SUCCESS;
}

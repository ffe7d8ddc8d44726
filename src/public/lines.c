/* Functions of all rows or columns of a matrix, and of segments of a vector.

   Extremes, sums of integers and fast sums of columns and of short rows are computed together
   (lines_together.c).  Any other line's answer is that of the function of one vector, called
   in a loop.  Threads share many lines; each of a few long ones is shared by threads as a
   vector is.  Columns that are read one after the other fetch each cache line once for each of
   its columns: if caches do not keep these lines, a few columns at a time are copied to have
   their elements side by side.  Functions that exchange elements get a copy of each line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/lines.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/parts.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/device_lines.h"

/* Elements that are worth a claim, and a thread of their own.  An element of lines that are
   computed in one pass costs an eighth of others, and such a line costs as much as so many
   elements.  */
#define CLAIM ((size_t) 1 << 12)
#define THREAD ((size_t) 1 << 14)
#define CHEAP 8
#define CHEAP_LINE 64

/* Bytes of columns that are read one after the other although they are not copied, since
   caches keep them; and of copies that should stay in a cache.  */
#define CACHED ((size_t) 1 << 20)
#define COPIES ((size_t) 1 << 18)

/* The bytes of a cache line.  */
#define LINE_BYTES 64

/* So few elements are computed line by line without a plan; and columns so short are not
   copied, whose cache lines stay in the nearest cache until all columns that they have parts
   of are read.  */
#define FEW ((size_t) 256)

/* Bytes of copies that a stack has room for.  */
#define SMALL_COPIES ((size_t) 2048)

struct work
{
  struct gt_lines_pass pass;
  size_t longest; /* elements of a line that one thread computes */
  size_t room;    /* lines that a member copies at a time, or 0 */
  size_t apart;   /* bytes from copy to copy */
  char *copies;   /* of each member */
  unsigned members;
  struct gt_parts parts;
};

/* Computes COUNT lines, of which MEMBER has room for copies if there is any.  */
static void
compute (const struct work *w, unsigned member, size_t first, size_t count)
{
  const struct gt_lines *const l = w->pass.lines;
  const size_t size = w->pass.f->size, end = first + count;

  if (w->pass.most)
    gt_lines_compute_together (&w->pass, first, count);
  else if (w->room == 0)
    w->pass.f->compute (l, first, count, w->pass.to + first * w->pass.stride, w->pass.stride);
  else
    for (size_t n; first < end; first += n)
      {
        char *const copies = w->copies + member * w->room * w->apart;

        n = end - first < w->room ? end - first : w->room;

        const struct gt_lines lines = {.data = copies, .count = n, .step = w->apart / size,
                                       .length = gt_line_length (l, first), .stride = 1};

        if (n == 1 && l->stride == 1)
          memcpy (copies, gt_line_begin (l, first, size), lines.length * size);
        else
          gt_lines_gather (gt_line_begin (l, first, size), l->stride * size, n, lines.length,
                           copies, w->apart, size);
        w->pass.f->compute (&lines, 0, n, w->pass.to + first * w->pass.stride, w->pass.stride);
      }
}

static void
work_on_claims (void *closure, unsigned member)
{
  struct work *const w = closure;
  const unsigned own = gt_parts_of (&w->parts, member);
  unsigned part = own;
  struct gt_piece piece;
  size_t line, end;

  while (gt_parts_claim (&w->parts, own, &part, &piece))
    {
      line = piece.begin;
      end = line + piece.n;
      if (w->longest == SIZE_MAX)
        compute (w, member, line, piece.n);
      else
        for (; line < end; line++)
          if (gt_line_length (w->pass.lines, line) <= w->longest)
            compute (w, member, line, 1);
    }
}

/* All elements of LINES.  */
static size_t
elements_of (const struct gt_lines *l)
{
  return l->offsets ? l->offsets[l->count] - l->offsets[0] : l->count * l->length;
}

unsigned
gt_lines_members (size_t elements, size_t claims)
{
  const size_t most = elements / THREAD;
  size_t members;

  if (most < 2 || claims < 2)
    return 1;

  const struct gt_plans *const plans = gt_host_plans ();

  members = plans->device ? (size_t) plans->device->host.threads : 1;
  if (gt_env.threads > 0 && (size_t) gt_env.threads < members)
    members = (size_t) gt_env.threads;
  members = members < most ? members : most;
  return (unsigned) (members < claims ? members : claims);
}

size_t
gt_lines_apart (size_t n, size_t size)
{
  const size_t apart = n * size / LINE_BYTES + 1;

  /* At distances of a power of two they would fall on the same sets of a cache.  */
  return (apart + (apart % 2 == 0)) * LINE_BYTES;
}

/* Lines that a thread claims at a time: of columns whole cache lines.  Segments may be of any
   lengths: a thread that has one long one leaves the others to others, one by one if they are
   few.  */
static size_t
claim_of (const struct work *w)
{
  const struct gt_lines *const l = w->pass.lines;
  const size_t length = elements_of (l) / l->count, group = LINE_BYTES / w->pass.f->size;
  const size_t lines = length < CLAIM ? CLAIM / (length + 1) : 1;

  return w->pass.most || w->room > 1 ? (lines + group - 1) / group * group : lines;
}

/* Columns that one pass after the other would read are copied, as many as fit a cache, but all
   that cache lines have, and as there may be memory for, if caches do not keep all of them, or
   functions exchange elements.  */
static void
lay_out_copies (struct work *w)
{
  const struct gt_lines *const l = w->pass.lines;
  const size_t group = LINE_BYTES / w->pass.f->size;
  const int is_sum = w->pass.f->on_gpu <= GT_LINE_ASUM || w->pass.f->on_gpu == GT_LINE_MEAN;
  size_t longest = l->length, room;

  w->room = w->pass.f->exchanges != 0;
  if (!w->room
      && (w->pass.most || l->offsets || l->step != 1 || l->stride == 1 || l->count < group
          || l->length < (is_sum ? CACHED / LINE_BYTES : FEW)
          || elements_of (l) * w->pass.f->size < CACHED))
    return;
  for (size_t line = 0; l->offsets && line < l->count; line++)
    longest = gt_line_length (l, line) > longest ? gt_line_length (l, line) : longest;
  w->apart = gt_lines_apart (longest, w->pass.f->size);
  if (l->step != 1 || l->stride == 1 || longest == 0 || l->count == 1)
    return;
  room = COPIES / w->apart / group * group;
  room = room < group ? group : room < l->count ? room : l->count;
  if (room > gt_scratch_limit / w->apart)
    room = gt_scratch_limit / w->apart;
  w->room = room > w->room ? room : w->room;
}

/* Takes memory for copies, HERE if they are small, before any result is written.  If it is
   short, one member computes lines one after the other.  Returns 0 if there is none for a copy
   of one line that needs it.  */
static int
take_copies (struct work *w, char here[SMALL_COPIES])
{
  if (w->room && w->members * w->room * w->apart <= SMALL_COPIES)
    w->copies = here;
  else if (w->room)
    w->copies = malloc (w->members * w->room * w->apart);
  if (w->copies || w->room == 0)
    return 1;
  w->members = 1;
  w->room = w->pass.f->exchanges != 0;
  w->copies = w->room ? malloc (w->apart) : NULL;
  return w->copies || w->room == 0;
}

/* Computes all lines by threads that claim some at a time.  Each of a few long lines, and a
   segment that has more than a thread's share, is shared by threads itself.  */
static void
share (struct work *w, size_t elements)
{
  const struct gt_lines *const l = w->pass.lines;

  w->longest = l->offsets ? elements / w->members : SIZE_MAX;
  gt_team_run (w->members, work_on_claims, w);
  for (size_t line = 0; w->longest != SIZE_MAX && line < l->count; line++)
    if (gt_line_length (l, line) > w->longest)
      compute (w, 0, line, 1);
  gt_parts_close (&w->parts);
}

/* Returns 0 if there is no memory.  */
static int
compute_all (struct work *w)
{
  const struct gt_lines *const l = w->pass.lines;
  const size_t elements = elements_of (l), lines = l->count;
  const int is_cheap = w->pass.across != GT_ACROSS_NOTHING;
  const size_t cost = is_cheap ? (elements + lines * CHEAP_LINE) / CHEAP : elements;
  char here[SMALL_COPIES];
  size_t claim = lines, claims;

  lay_out_copies (w);
  if (cost >= 2 * THREAD)
    {
      claim = claim_of (w);
      claims = (lines + claim - 1) / claim;
      w->members = gt_lines_members (cost, claims);
      if (!w->pass.most && claims == w->members && elements / lines >= THREAD * claims)
        w->members = 1;
    }
  if (!take_copies (w, here))
    return 0;
  if (w->members > 1)
    gt_parts_cut_blocks (&w->parts, lines, claim, w->members);
  if (w->members > 1 && gt_parts_open (&w->parts) == 0)
    share (w, elements);
  else
    compute (w, 0, 0, lines);
  if (w->copies != here)
    free (w->copies);
  return 1;
}

/* Returns whether lines are computed one by one by the calling thread, without a look at more:
   few elements, one line, and rows that are long but not many.  */
static int
are_plain (const struct gt_lines *l, const struct gt_line_function *f)
{
  const size_t elements = elements_of (l);

  return !f->exchanges
         && (elements <= FEW || l->count == 1
             || (elements < 2 * THREAD && (l->offsets || l->stride == 1)
                 && elements > l->count * (GT_LINES_TURNED)));
}

/* CODE, and WHY it is.  */
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
  if (count != lines->count)
    return refused (GSL_EBADLEN, "the vector of results must have one element for each line", why);
  for (size_t i = 0; lines->offsets && i < count; i++)
    if (lines->offsets[i] > lines->offsets[i + 1])
      return refused (GSL_EINVAL, "the offsets of segments must not decrease", why);
  if (lines->offsets && lines->offsets[count] > lines->all)
    return refused (GSL_EINVAL,
                    "the offsets of segments must not be more than the vector's length", why);
  for (size_t i = 0; !f->of_none && i < (lines->offsets ? count : count != 0); i++)
    if (gt_line_length (lines, i) == 0)
      return refused (GSL_EDOM, "there are no elements, so none is the largest or smallest", why);
  return GSL_SUCCESS;
}

int
gt_lines_compute (const struct gt_lines *lines, const struct gt_line_function *f, void *to,
                  size_t stride, size_t count)
{
  const size_t apart = stride * f->result_size;
  struct work w;
  struct gt_fpenv env;
  const char *why;
  const int status = gt_lines_check (lines, f, count, &why);
  int is_done;

  if (status)
    GSL_ERROR (why, status);
  if (count == 0)
    return GSL_SUCCESS;
  if (are_plain (lines, f))
    {
      f->compute (lines, 0, count, to, apart);
      return GSL_SUCCESS;
    }
  w = (struct work) {.pass = {lines, f, to, apart, GT_ACROSS_NOTHING, 0},
                     .longest = SIZE_MAX, .members = 1};
  gt_lines_plan (&w.pass);
  gt_fpenv_enter (&env, f->arithmetic);
  is_done = compute_all (&w);
  gt_fpenv_leave (&env);
  if (!is_done)
    GSL_ERROR ("there is no memory for a copy of a line, of which to find the median",
               GSL_ENOMEM);
  return GSL_SUCCESS;
}

/* The functions of a template's type, on the host: one of matrices' rows, one of their columns
   and one of segments.  */
#define X ((const TYPE *) (const void *) x)
#define VIEW (&(const NAMED (gsl_vector, )) {n, stride, (TYPE *) X, NULL, 0})
#define BLAS_OF(name) NAMED_BY (gsltune_blas_, LETTER, name)
#define COMPUTE(name, number, expression)                                                  \
  static void NAMED (compute, _##name) (const struct gt_lines *l, size_t first, size_t count, \
                                        char *to, size_t apart)                            \
  {                                                                                        \
    const size_t stride = l->stride, end = first + count;                                  \
    for (; first < end; first++, to += apart)                                              \
      {                                                                                    \
        const char *const x = gt_line_begin (l, first, sizeof (TYPE));                     \
        const size_t n = gt_line_length (l, first);                                        \
        (void) stride;                                                                     \
        *(number *) to = (number) (expression);                                            \
      }                                                                                    \
  }

#define LINES_OF(from, ...) \
  (&(const struct gt_lines) {.data = (const char *) (from)->data, __VA_ARGS__})
#define ROWS_OF(m) \
  LINES_OF (m, .count = m->size1, .length = m->size2, .step = m->tda, .stride = 1)
#define COLUMNS_OF(m) \
  LINES_OF (m, .count = m->size2, .length = m->size1, .step = 1, .stride = m->tda)
#define SEGMENTS_OF(v, ends, number) \
  LINES_OF (v, .count = number, .stride = v->stride, .offsets = ends, .all = v->size)
#define RESULTS result->data, result->stride, result->size
#define ON_HOST(name, vector, number, none, ...)                                           \
  static const struct gt_line_function NAMED (line, _##name)                               \
    = {.compute = NAMED (compute, _##name), .arithmetic = ARITHMETIC, .of_none = none,     \
       .size = sizeof (TYPE), .result_size = sizeof (number), __VA_ARGS__};                \
  int NAMED (gsltune_matrix, _row_##name) (const NAMED (gsl_matrix, ) *m, vector *result)  \
  { return gt_lines_compute (ROWS_OF (m), &NAMED (line, _##name), RESULTS); } \
  int NAMED (gsltune_matrix, _column_##name) (const NAMED (gsl_matrix, ) *m, vector *result) \
  { return gt_lines_compute (COLUMNS_OF (m), &NAMED (line, _##name), RESULTS); } \
  int NAMED (gsltune_vector, _segment_##name) (const NAMED (gsl_vector, ) *v,              \
    const size_t *offsets, size_t count, vector *result)                                   \
  { return gt_lines_compute (SEGMENTS_OF (v, offsets, count), &NAMED (line, _##name), RESULTS); }

/* The same of device vectors and matrices, and in streams.  */
#define HOW (&(const struct gt_stream_call) {.stream = stream, .mode = mode, .scratch = scratch})
#define DEVICE_MATRIX NAMED (gsltune_device_matrix, )
#define DEVICE_VECTOR NAMED (gsltune_device_vector, )
#define ON_A_DEVICE(name, vector)                                                           \
  int NAMED (gsltune_device_matrix, _row_##name) (const DEVICE_MATRIX *m, vector *result)  \
  { return gt_device_rows_compute (&m->table, &NAMED (line, _##name), &result->memory); }  \
  int NAMED (gsltune_device_matrix, _column_##name) (const DEVICE_MATRIX *m, vector *result) \
  { return gt_device_columns_compute (&m->table, &NAMED (line, _##name), &result->memory); } \
  int NAMED (gsltune_device_vector, _segment_##name) (                                     \
    const DEVICE_VECTOR *v, const gsltune_device_vector_ulong *offsets, vector *result)    \
  { return gt_device_segments_compute (&v->memory, &offsets->memory, &NAMED (line, _##name), &result->memory); }
#define IN_A_STREAM(name, vector)                                                           \
  int NAMED (gsltune_device_matrix, _row_##name##_to) (const DEVICE_MATRIX *m, vector *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch)                             \
  { return gt_device_lines_keep (&m->table, 0, &NAMED (line, _##name), &result->memory, HOW); } \
  int NAMED (gsltune_device_matrix, _column_##name##_to) (const DEVICE_MATRIX *m, vector *result, \
    void *stream, gsltune_mode mode, gsltune_scratch *scratch)                             \
  { return gt_device_lines_keep (&m->table, 1, &NAMED (line, _##name), &result->memory, HOW); } \
  int NAMED (gsltune_device_vector, _segment_##name##_to) (const DEVICE_VECTOR *v,         \
    const gsltune_device_vector_ulong *offsets, vector *result, void *stream,              \
    gsltune_mode mode, gsltune_scratch *scratch)                                           \
  { return gt_device_segments_keep (&v->memory, &offsets->memory, &NAMED (line, _##name), &result->memory, HOW); }

/* Keeps its text if either of two columns of a type is 1.  */
#define IF_EITHER(a, b, ...) IF_EITHER_ (a, b, __VA_ARGS__)
#define IF_EITHER_(a, b, ...) IF_##a##b (__VA_ARGS__)
#define IF_00(...)
#define IF_01(...) __VA_ARGS__
#define IF_10(...) __VA_ARGS__

#define STREAMS_DOUBLE 1
#define STREAMS_FLOAT 1
#define STREAMS_INT 1
#define RESULT_SAME NAMED (gsl_vector, ), NAMED (gsltune_device_vector, ), TYPE
#define RESULT_DOUBLE gsl_vector, gsltune_device_vector, double
#define RESULT_INDEX gsl_vector_ulong, gsltune_device_vector_ulong, unsigned long
#define EVERYWHERE(...) EVERYWHERE_OF (__VA_ARGS__)
#define EVERYWHERE_OF(name, vector, device_vector, number, on_gpu_as, none, expression)    \
  COMPUTE (name, number, expression)                                                       \
  ON_HOST (name, vector, number, none, .on_gpu = GT_LINE_##on_gpu_as)                      \
  ON_DEVICE (name, device_vector)                                                          \
  IN_STREAM (name, device_vector)
#define LINE_OF_ALL(...) EVERYWHERE (__VA_ARGS__)
#define LINE_OF_REAL(...) IF_EITHER (IS_DOUBLE, IS_FLOAT, EVERYWHERE (__VA_ARGS__))
#define LINE(name, types, result, on_gpu, none, expression) \
  LINE_OF_##types (name, RESULT_##result, on_gpu, none, expression)

#define GT_TEMPLATE "src/public/lines.inc"
#include "src/public/each_type.h"

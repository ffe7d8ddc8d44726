/* Functions of all rows or columns of a matrix, and of segments of a vector.

   A line's answer is that of the function of one vector, so it is right in exact mode as that
   is.  Lines are shared by threads where they are many; where they are few, and long, each
   is shared by threads as a vector is.  Columns that are read one after the other would fetch
   each cache line once for each of its columns: so a few of them together are copied to
   lie side by side, of which all passes that a statistic makes then read; sums and means make one,
   which takes less time than a copy.  Functions that exchange elements get a copy of each line.  In fast mode sums of many columns of doubles are rows added
   to rows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/lines.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/matrix/updates.h"
#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/device_lines.h"

/* Elements that are worth a claim, and a thread of their own.  */
#define CLAIM ((size_t) 1 << 12)
#define THREAD ((size_t) 1 << 14)

/* Bytes of copies that should stay in a cache.  */
#define COPIES ((size_t) 1 << 18)

/* The bytes of a cache line.  */
#define LINE_BYTES 64

/* The least and the most columns whose sums are made together.  */
#define NARROW ((size_t) 16)
#define WIDE ((size_t) 256)

struct work
{
  const struct gt_lines *lines;
  const struct gt_line_function *f;
  char *to;
  size_t stride;  /* bytes */
  size_t claim;   /* lines */
  size_t longest; /* elements of a line that one thread computes */
  int adds;       /* rows are added to rows, for the sums of WIDE lines at most at a time */
  size_t room;    /* lines that a member copies at a time, or 0 */
  size_t apart;   /* bytes from copy to copy */
  char *copies;   /* of each member */
  unsigned members;
  _Atomic size_t next;
};

static const char *
begin_of (const struct work *w, size_t line)
{
  const struct gt_lines *const l = w->lines;
  const size_t at = l->offsets ? l->offsets[line] * l->stride : line * l->step;

  return l->data + at * w->f->size;
}

static size_t
length_of (const struct gt_lines *l, size_t line)
{
  return l->offsets ? l->offsets[line + 1] - l->offsets[line] : l->length;
}

/* Row by row.  */
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
  if (size == 8)
    gather_of_size (from, step, count, n, to, apart, 8);
  else if (size == 4)
    gather_of_size (from, step, count, n, to, apart, 4);
  else if (size == 16)
    gather_of_size (from, step, count, n, to, apart, 16);
  else if (size == 2)
    gather_of_size (from, step, count, n, to, apart, 2);
  else
    gather_of_size (from, step, count, n, to, apart, 1);
}

/* Stores the sums or means of COUNT columns of doubles, WIDE at most.  What has become infinite or
   NaN is computed alone.  */
static void
add_rows (const struct work *w, size_t first, size_t count)
{
  const struct gt_lines *const l = w->lines;
  const double *const x = (const double *) l->data + first;
  double sums[WIDE] = {0};

  for (size_t i = 0; i < l->length; i++)
    gt_updates ()->axpy_f64 (1, x + i * l->stride, sums, count);
  for (size_t j = 0; j < count; j++)
    {
      const double result = w->f->of == GT_LINE_OF_MEAN ? sums[j] / (double) l->length : sums[j];
      char *const to = w->to + (first + j) * w->stride;

      if (isfinite (result))
        memcpy (to, &result, sizeof result);
      else
        w->f->compute (x + j, l->stride, l->length, to);
    }
}

/* Computes COUNT lines, of which MEMBER has room for copies, or one without.  */
static void
compute (const struct work *w, unsigned member, size_t first, size_t count)
{
  const size_t n = length_of (w->lines, first), size = w->f->size;
  size_t stride = w->lines->stride;
  const char *x = begin_of (w, first);
  char *copies;

  if (w->adds)
    {
      add_rows (w, first, count);
      return;
    }
  if (w->room)
    {
      copies = w->copies + member * w->room * w->apart;
      gt_lines_gather (x, stride * size, count, n, copies, w->apart, size);
      x = copies;
      stride = 1;
    }
  for (size_t line = 0; line < count; line++)
    w->f->compute (x + line * w->apart, stride, n, w->to + (first + line) * w->stride);
}

static void
work_on_claims (void *closure, unsigned member)
{
  struct work *const w = closure;
  const size_t most = w->adds ? WIDE : w->room ? w->room : 1, all = w->lines->count;
  size_t line, end, count;

  while ((line = atomic_fetch_add (&w->next, w->claim)) < all)
    for (end = all - line < w->claim ? all : line + w->claim; line < end; line += count)
      {
        count = end - line < most ? end - line : most;
        if (length_of (w->lines, line) <= w->longest)
          compute (w, member, line, count);
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

/* Segments may be of any lengths: a thread that has one long one leaves the others to
   others, one by one if they are few.  */
static size_t
claim_of (const struct gt_lines *l)
{
  const size_t length = elements_of (l) / l->count;

  return length < CLAIM ? CLAIM / (length + 1) : 1;
}

/* Columns, unless their elements lie side by side as they are, or rows are added, or one pass is all
   that they need, are copied, as many as fit a cache, but all that cache lines have, and as there may
   be memory for.  */
static void
lay_out_copies (struct work *w)
{
  const struct gt_lines *const l = w->lines;
  const size_t group = LINE_BYTES / w->f->size;
  size_t longest = l->length, room;

  if (w->adds)
    {
      room = l->count / gt_lines_members (elements_of (l), SIZE_MAX) / group * group;
      w->claim = room < group ? group : room < WIDE ? room : WIDE;
      return;
    }
  for (size_t line = 0; l->offsets && line < l->count; line++)
    longest = length_of (l, line) > longest ? length_of (l, line) : longest;
  w->apart = gt_lines_apart (longest, w->f->size);
  w->room = w->f->exchanges != 0;
  if (l->step != 1 || l->stride == 1 || longest == 0 || w->f->of != GT_LINE_ALONE)
    return;
  room = COPIES / w->apart / group * group;
  room = room < group ? group : room;
  if (room > gt_scratch_limit / w->apart)
    room = gt_scratch_limit / w->apart;
  w->claim = room > w->claim ? room : (w->claim + group - 1) / group * group;
  w->room = room > w->room ? room : w->room;
}

/* Takes memory for copies, before any result is written.  If it is short, one member computes lines
   one after the other.  Returns 0 if there is none for a copy of one line that needs it.  */
static int
take_copies (struct work *w)
{
  if (w->room)
    w->copies = malloc (w->members * w->room * w->apart);
  if (w->copies || w->room == 0)
    return 1;
  w->members = 1;
  w->longest = SIZE_MAX;
  w->room = w->f->exchanges != 0;
  w->copies = w->room ? malloc (w->apart) : NULL;
  return w->copies || w->room == 0;
}

/* Each of a few long lines, and a segment that has more than a thread's share, is shared by threads
   itself.  Returns 0 if there is no memory.  */
static int
compute_all (struct work *w)
{
  const struct gt_lines *const l = w->lines;
  size_t claims;

  w->claim = claim_of (l);
  w->adds = w->f->of != GT_LINE_ALONE && w->f->arithmetic == GT_F64 && !l->offsets && l->step == 1
            && l->stride != 1 && l->count >= NARROW && gt_mode_now () == GT_MODE_FAST;
  lay_out_copies (w);
  claims = (l->count + w->claim - 1) / w->claim;
  w->members = gt_lines_members (elements_of (l), claims);
  if (!w->adds && claims == w->members && elements_of (l) / l->count >= THREAD * claims)
    w->members = 1;
  w->longest = l->offsets && w->members > 1 ? elements_of (l) / w->members : SIZE_MAX;
  if (!take_copies (w))
    return 0;
  gt_team_run (w->members, work_on_claims, w);
  for (size_t line = 0; w->longest != SIZE_MAX && line < l->count; line++)
    if (length_of (l, line) > w->longest)
      compute (w, 0, line, 1);
  free (w->copies);
  return 1;
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
  for (size_t i = 0; !f->of_none && i < count; i++)
    if (length_of (lines, i) == 0)
      return refused (GSL_EDOM, "there are no elements, so none is the largest or smallest", why);
  return GSL_SUCCESS;
}

int
gt_lines_compute (struct gt_lines lines, const struct gt_line_function *f, void *to,
                  size_t stride, size_t count)
{
  struct work w = {.lines = &lines, .f = f, .to = to, .stride = stride * f->result_size};
  struct gt_fpenv env;
  const char *why;
  const int status = gt_lines_check (&lines, f, count, &why);
  int is_done;

  if (status)
    GSL_ERROR (why, status);
  if (count == 0)
    return GSL_SUCCESS;
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
#define X ((const TYPE *) x)
#define VIEW (&(const NAMED (gsl_vector, )) {n, stride, (TYPE *) x, NULL, 0})
#define BLAS_OF(name) NAMED_BY (gsltune_blas_, LETTER, name)
#define COMPUTE(name, vector, number, expression)                                        \
  static void NAMED (compute, _##name) (const void *x, size_t stride, size_t n, void *to) \
  { (void) stride; *(number *) to = (number) (expression); }

#define RESULTS result->data, result->stride, result->size
#define ON_HOST(name, vector, number, none, ...)                                           \
  static const struct gt_line_function NAMED (line, _##name)                               \
    = {.compute = NAMED (compute, _##name), .arithmetic = ARITHMETIC, .of_none = none,     \
       .size = sizeof (TYPE), .result_size = sizeof (number), __VA_ARGS__};                \
  int NAMED (gsltune_matrix, _row_##name) (const NAMED (gsl_matrix, ) *m, vector *result)  \
  { return gt_lines_compute (NAMED (rows, ) (m), &NAMED (line, _##name), RESULTS); }       \
  int NAMED (gsltune_matrix, _column_##name) (const NAMED (gsl_matrix, ) *m, vector *result) \
  { return gt_lines_compute (NAMED (columns, ) (m), &NAMED (line, _##name), RESULTS); }    \
  int NAMED (gsltune_vector, _segment_##name) (const NAMED (gsl_vector, ) *v,              \
    const size_t *offsets, size_t count, vector *result)                                   \
  { return gt_lines_compute (NAMED (segments, ) (v, offsets, count), &NAMED (line, _##name), RESULTS); }

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
#define EVERYWHERE_OF(name, vector, device_vector, number, on_gpu_as, of_sums, none, expression) \
  COMPUTE (name, vector, number, expression)                                               \
  ON_HOST (name, vector, number, none, .on_gpu = GT_LINE_##on_gpu_as, .of = GT_LINE_##of_sums) \
  ON_DEVICE (name, device_vector)                                                          \
  IN_STREAM (name, device_vector)
#define LINE_OF_ALL(...) EVERYWHERE (__VA_ARGS__)
#define LINE_OF_REAL(...) IF_EITHER (IS_DOUBLE, IS_FLOAT, EVERYWHERE (__VA_ARGS__))
#define LINE(name, types, result, on_gpu, of, none, expression) \
  LINE_OF_##types (name, RESULT_##result, on_gpu, of, none, expression)

#define GT_TEMPLATE "src/public/lines.inc"
#include "src/public/each_type.h"

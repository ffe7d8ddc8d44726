/* Functions of all rows or columns of a matrix, and of segments of a vector.

   A line's answer is that of the function of one vector, so it is right in exact mode as that
   is.  Lines are shared by threads where they are many; where they are few, and long, each
   is shared by threads as a vector is.  Columns that are read one after the other would fetch
   each cache line once for each of its columns: so a few of them together are copied to
   lie side by side, of which all passes that a statistic makes then read.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/public/lines.h"

#include <gsl/gsl_errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/inline.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/public/device_lines.h"
#include "src/public/sorting.h"

/* Elements that are worth a claim, and a thread of their own.  */
#define CLAIM ((size_t) 1 << 12)
#define THREAD ((size_t) 1 << 14)

/* Bytes of copies that should stay in a cache.  */
#define COPIES ((size_t) 1 << 18)

/* The bytes of a cache line.  */
#define LINE_BYTES 64

struct work
{
  const struct gt_lines *lines;
  const struct gt_line_function *f;
  char *to;
  size_t stride;  /* bytes */
  size_t claim;   /* lines */
  size_t longest; /* elements of a line that one thread computes */
  size_t room;    /* lines that are copied at a time, or 0 */
  size_t apart;   /* bytes, of their copies */
  char *copies;   /* where each member copies a line, if elements are exchanged, */
  size_t own;     /* so many bytes from the next one's; the first one's holds any line */
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

/* A copy of N elements by MEMBER.  */
static const char *
copy_of (const struct work *w, unsigned member, const char *x, size_t stride, size_t n)
{
  const size_t size = w->f->size;
  char *const copy = w->copies + (w->members - 1 - member) * w->own;

  for (size_t i = 0; i < n; i++)
    memcpy (copy + i * size, x + i * stride * size, size);
  return copy;
}

static void
compute (const struct work *w, unsigned member, size_t line)
{
  const size_t n = length_of (w->lines, line), stride = w->lines->stride;
  const char *const x = begin_of (w, line);

  if (w->f->exchanges)
    w->f->compute (copy_of (w, member, x, stride, n), 1, n, w->to + line * w->stride);
  else
    w->f->compute (x, stride, n, w->to + line * w->stride);
}

/* Squares of as many lines and elements as a cache line has, one beside the other.  */
INLINE void
gather_of_size (const char *from, size_t step, size_t count, size_t n, char *to, size_t apart,
                const size_t size)
{
  const size_t most = LINE_BYTES / size;

  for (size_t i = 0; i < n; i += most)
    for (size_t line = 0; line < count; line += most)
      {
        const size_t lines = count - line < most ? count - line : most;
        const size_t end = n - i < most ? n : i + most;

        for (size_t j = i; lines == most && j < end; j++)
          {
            UNROLL
            for (size_t k = 0; k < most; k++)
              memcpy (to + (line + k) * apart + j * size, from + j * step + (line + k) * size,
                      size);
          }
        for (size_t j = i; lines < most && j < end; j++)
          for (size_t k = 0; k < lines; k++)
            memcpy (to + (line + k) * apart + j * size, from + j * step + (line + k) * size,
                    size);
      }
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

/* Computes COUNT lines, of which ROOM holds as many as it has, APART bytes each.  */
static void
compute_gathered (const struct work *w, size_t first, size_t count, char *room)
{
  const size_t size = w->f->size, step = w->lines->stride * size, n = w->lines->length;

  for (size_t left = count, some; left > 0; left -= some, first += some)
    {
      some = left < w->room ? left : w->room;
      gt_lines_gather (begin_of (w, first), step, some, n, room, w->apart, size);
      for (size_t line = 0; line < some; line++)
        w->f->compute (room + line * w->apart, 1, n, w->to + (first + line) * w->stride);
    }
}

static void
work_on_claims (void *closure, unsigned member)
{
  struct work *const w = closure;
  struct gt_sort_room room;
  char *const copies = w->room ? gt_sort_room_take (&room, w->room, w->apart) : NULL;
  size_t first;

  while ((first = atomic_fetch_add (&w->next, w->claim)) < w->lines->count)
    {
      const size_t left = w->lines->count - first;
      const size_t count = left < w->claim ? left : w->claim;

      if (copies)
        compute_gathered (w, first, count, copies);
      for (size_t line = first; copies == NULL && line < first + count; line++)
        if (length_of (w->lines, line) <= w->longest)
          compute (w, member, line);
    }
  if (w->room)
    gt_sort_room_give (&room);
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

/* Each of a few long lines is shared by threads itself.  */
static unsigned
members_for (const struct gt_lines *l, size_t claims)
{
  const unsigned members = gt_lines_members (elements_of (l), claims);

  return claims == members && elements_of (l) / l->count >= THREAD * members ? 1 : members;
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

/* Columns, unless they lie side by side as they are, are copied, as many as fit a cache,
   but all that cache lines have, and as there may be memory for.  */
static void
lay_out_copies (struct work *w)
{
  const size_t group = LINE_BYTES / w->f->size, n = w->lines->length;

  if (w->lines->step != 1 || w->lines->stride == 1 || n == 0)
    return;
  w->apart = gt_lines_apart (n, w->f->size);
  w->room = COPIES / w->apart / group * group;
  w->room = w->room < group ? group : w->room;
  if (w->room > gt_scratch_limit / w->apart)
    w->room = gt_scratch_limit / w->apart;
  w->claim = w->room > w->claim ? w->room : (w->claim + group - 1) / group * group;
}

/* Memory for copies of lines, before any result is written: of the longest one by the first
   member, and of those that the others compute.  If it is short there is one member.  Returns 0
   if there is none.  */
static int
take_copies (struct work *w)
{
  const size_t size = w->f->size;
  size_t longest = 0, all; /* bytes */

  for (size_t line = 0; line < w->lines->count; line++)
    longest = length_of (w->lines, line) > longest ? length_of (w->lines, line) : longest;
  w->own = gt_lines_apart (longest < w->longest ? longest : w->longest, size);
  all = (w->members - 1) * w->own + longest * size;
  w->copies = malloc (all + 1);
  if (w->copies == NULL && w->members > 1)
    {
      w->members = 1;
      w->longest = SIZE_MAX;
      w->copies = malloc (longest * size);
    }
  return w->copies != NULL;
}

/* A segment that has more than a thread's share is shared by threads itself.  Returns 0 if there
   is no memory.  */
static int
compute_all (struct work *w)
{
  const struct gt_lines *const l = w->lines;

  w->claim = claim_of (l);
  lay_out_copies (w);
  w->members = members_for (l, (l->count + w->claim - 1) / w->claim);
  w->longest = l->offsets && w->members > 1 ? elements_of (l) / w->members : SIZE_MAX;
  if (w->f->exchanges && !take_copies (w))
    return 0;
  gt_team_run (w->members, work_on_claims, w);
  for (size_t line = 0; w->longest != SIZE_MAX && line < l->count; line++)
    if (length_of (l, line) > w->longest)
      compute (w, 0, line);
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
  is_done = gt_lines_sum (&lines, f, to, w.stride,
                          gt_lines_members (elements_of (&lines), SIZE_MAX))
            || compute_all (&w);
  gt_fpenv_leave (&env);
  if (!is_done)
    GSL_ERROR ("there is no memory for a copy of a line, of which to find the median",
               GSL_ENOMEM);
  return GSL_SUCCESS;
}

/* Keeps its text if either of two columns of a type is 1.  */
#define IF_EITHER(a, b, ...) IF_EITHER_ (a, b, __VA_ARGS__)
#define IF_EITHER_(a, b, ...) IF_##a##b (__VA_ARGS__)
#define IF_00(...)
#define IF_01(...) __VA_ARGS__
#define IF_10(...) __VA_ARGS__

#define BLAS_BY(letter, name) BLAS_BY_ (letter, name)
#define BLAS_BY_(letter, name) gsltune_blas_##letter##name

#define GT_TEMPLATE "src/public/lines.inc"
#include "src/public/each_type.h"

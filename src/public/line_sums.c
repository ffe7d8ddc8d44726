/* Sums and means of many columns of doubles at once (kernels/cpu/lanes/lanes.h).

   In exact mode each sum S has the sum C of the errors of its additions, and the sum M of the
   magnitudes of the errors of C's additions (two levels of the cascade of T. Ogita, S. M. Rump and
   S. Oishi, "Accurate Sum and Dot Product", SIAM Journal on Scientific Computing 26, 2005,
   section 4).  Mostly M is 0: then S + C is exact, and ties are known.  Else the exact sum is
   within M, but for the roundings of that, of S + C, and if all numbers there round to one,
   that is the answer (Ziv's test); or the column is computed alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/lanes/lanes.h"
#include "src/base/env.h"
#include "src/cpu/threads.h"
#include "src/public/exact_sums.h"
#include "src/public/lines.h"

/* Columns from which on they are summed side by side; the least block of a thread's.  */
#define NARROW ((size_t) 16)
#define LEAST_BLOCK ((size_t) 64)

/* Elements up to which the bound is proven, and parts of rows for each thread.  */
#define MOST ((size_t) 1 << 26)
#define PARTS 4

struct sums
{
  const struct gt_lines *lines;
  const struct gt_line_function *f;
  char *to;
  size_t stride; /* bytes */
  int bounded;
  size_t block, blocks; /* columns of a block */
  size_t part, parts;   /* rows of a part */
  gt_lanes_sums *kept;  /* of the blocks of each part, if there are several parts */
  _Atomic size_t next;
};

/* Adds the sums of a part, and its rounding errors, as rows to those of the parts before it.  */
static void
add_part (const struct sums *s, gt_lanes_sums all, gt_lanes_sums part, size_t columns)
{
  gt_lanes_isas[gt_isa ()](all, part[0], columns, s->bounded ? 2 : 1, GT_LANES_BLOCK, s->bounded, 0);
  for (size_t j = 0; s->bounded && j < columns; j++)
    all[2][j] += part[2][j];
}

/* Stores the result of column J.  Returns 0 if its sums leave a doubt.  */
static int
tells (const struct sums *s, gt_lanes_sums sums, size_t j, double *to)
{
  const double sum = sums[0][j], lost = sums[1][j];
  const double by = s->f->of == GT_LINE_OF_MEAN ? (double) s->lines->length : 1;
  const double bound = sums[2][j] == 0 ? 0 : sums[2][j] * 1.01 + fabs (lost) * 0x1p-51;

  *to = sum / by;
  return s->bounded ? gt_exact_to_double (gt_ball_of (sum, lost, bound), by, 0, to)
                    : isfinite (*to);
}

/* Stores the results of so many COLUMNS from FIRST on.  */
static void
finish (const struct sums *s, gt_lanes_sums sums, size_t first, size_t columns)
{
  const struct gt_lines *const l = s->lines;

  for (size_t j = 0; j < columns; j++)
    {
      char *const to = s->to + (first + j) * s->stride;
      double result;

      if (tells (s, sums, j, &result))
        memcpy (to, &result, sizeof result);
      else
        s->f->compute ((const double *) l->data + first + j, l->stride, l->length, to);
    }
}

static size_t
columns_of (const struct sums *s, size_t block)
{
  const size_t left = s->lines->count - block * s->block;

  return left < s->block ? left : s->block;
}

static void
work (void *closure, unsigned member)
{
  struct sums *const s = closure;
  const struct gt_lines *const l = s->lines;
  gt_lanes_sums own;
  size_t task;

  (void) member;
  while ((task = atomic_fetch_add (&s->next, 1)) < s->parts * s->blocks)
    {
      const size_t block = task / s->parts, row = task % s->parts * s->part;
      const size_t first = block * s->block, rows = l->length - row;
      double (*const sums)[GT_LANES_BLOCK] = s->kept ? s->kept[task] : own;

      memset (sums, 0, sizeof own);
      gt_lanes_isas[gt_isa ()](sums, (const double *) l->data + row * l->stride + first,
                               columns_of (s, block), rows < s->part ? rows : s->part,
                               l->stride, s->bounded, s->f->of == GT_LINE_OF_MAGNITUDES);
      if (s->parts == 1)
        finish (s, sums, first, columns_of (s, block));
    }
}

/* Cuts columns into blocks, two for each thread but not narrow ones; and rows into parts if there
   are fewer blocks, each of which leaves sums.  */
static void
cut (struct sums *s, unsigned members)
{
  const struct gt_lines *const l = s->lines;
  const size_t wanted = l->count / (2 * members) / LEAST_BLOCK * LEAST_BLOCK;
  size_t parts;

  s->block = wanted < LEAST_BLOCK ? LEAST_BLOCK : wanted < GT_LANES_BLOCK ? wanted : GT_LANES_BLOCK;
  s->blocks = (l->count + s->block - 1) / s->block;
  parts = members > 1 && s->blocks < 2 * members ? PARTS * members / s->blocks : 1;
  s->part = (l->length + parts - 1) / parts;
  s->parts = (l->length + s->part - 1) / s->part;
}

int
gt_lines_sum (const struct gt_lines *l, const struct gt_line_function *f, void *to,
              size_t stride, unsigned members)
{
  struct sums s = {.lines = l, .f = f, .to = to, .stride = stride,
                   .bounded = gt_mode_now () != GT_MODE_FAST};

  if (f->of == GT_LINE_ALONE || f->arithmetic != GT_F64 || l->offsets || l->step != 1
      || l->stride == 1 || l->count < NARROW || l->length < 1 || l->length > MOST)
    return 0;
  cut (&s, members);
  if (s.parts > 1)
    {
      s.kept = malloc (s.parts * s.blocks * sizeof *s.kept);
      if (s.kept == NULL)
        return 0;
    }
  gt_team_run (members, work, &s);
  for (size_t block = 0; s.kept && block < s.blocks; block++)
    {
      for (size_t part = 1; part < s.parts; part++)
        add_part (&s, s.kept[block * s.parts], s.kept[block * s.parts + part],
                  columns_of (&s, block));
      finish (&s, s.kept[block * s.parts], block * s.block, columns_of (&s, block));
    }
  free (s.kept);
  return 1;
}

/* Matrices as vectors of real numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/side.h"

#include <string.h>

#include "kernels/cpu/matrix/plain.h"
#include "kernels/cpu/matrix/tiles.h"
#include "kernels/inline.h"

/* ------------------------------------------------------------------ Loading */

static int
is_whole (const struct gt_side *side)
{
  return side->halves == 1 && side->half[0].shape == GT_GENERAL;
}

int
gt_side_are_neighbours (const struct gt_side *side)
{
  return is_whole (side) && side->half[0].row == 1;
}

/* Returns whether the terms of a line in the form GT_AS_IT_IS are contiguous in memory, as
   doubles or floats.  */
static int
is_line (const struct gt_side *side)
{
  return is_whole (side) && !side->half[0].conjugate && side->half[0].column == 1;
}

/* Elements of a line, STRIDE apart, and the changes of their parts.  */
struct run
{
  const void *data;
  size_t at, stride, n;
  double re, im; /* signs */
  int swapped;
};

INLINE double
number (const void *data, size_t i, const int single)
{
  return single ? (double) ((const float *) data)[i] : ((const double *) data)[i];
}

static void
copy_together (const void *data, size_t at, size_t n, int single, double *to)
{
  if (single)
    gt_tiles ()->widen ((const float *) data + at, n, to);
  else
    memcpy (to, (const double *) data + at, n * sizeof *to);
}

INLINE void
copy (const struct run *run, double *to, size_t step, const unsigned parts,
      const int single)
{
  size_t at = run->at * parts;

  if (run->stride == 1 && step == 1 && run->re == 1 && run->im == 1 && !run->swapped)
    {
      copy_together (run->data, at, run->n * parts, single, to);
      return;
    }
  for (size_t i = 0; i < run->n; i++, at += run->stride * parts, to += step * parts)
    if (parts == 1)
      to[0] = number (run->data, at, single);
    else
      {
        to[run->swapped ? step : 0] = run->re * number (run->data, at, single);
        to[run->swapped ? 0 : step] = run->im * number (run->data, at + 1, single);
      }
}

static void
copy_run (const struct gt_side *side, const struct run *run, double *to, size_t step)
{
  if (side->parts == 1 && side->single)
    copy (run, to, step, 1, 1);
  else if (side->parts == 1)
    copy (run, to, step, 1, 0);
  else if (side->single)
    copy (run, to, step, 2, 1);
  else
    copy (run, to, step, 2, 0);
}

/* Loads the element of the diagonal, which is special in all matrices except general ones.  */
static void
load_diagonal (const struct gt_side *side, const struct gt_matrix *m,
               const struct run *run, double *to, size_t step)
{
  const int is_one = m->unit && m->shape == GT_TRIANGULAR;

  if (is_one)
    to[run->swapped ? step : 0] = run->re;
  else
    copy_run (side, run, to, step);
  if (side->parts == 2 && (is_one || m->shape == GT_HERMITIAN))
    to[run->swapped ? 0 : step] = 0;
}

/* Loads elements [BEGIN, END) of row LINE of M, which are on one side of the diagonal or on
   it; THERE says whether they are stored.  */
static void
load_piece (const struct gt_side *side, const struct gt_matrix *m, struct run run,
            size_t line, size_t begin, size_t end, int there, double *to, size_t step)
{
  run.data = m->data;
  run.n = end - begin;
  if (!there && m->shape == GT_TRIANGULAR)
    {
      for (size_t i = 0; i < run.n * side->parts; i++)
        to[i * step] = 0;
      return;
    }
  run.stride = there ? m->column : m->row;
  run.at = there ? line * m->row + begin * m->column
                 : line * m->column + begin * m->row;
  if (!there && m->shape == GT_HERMITIAN)
    run.im = -run.im;
  if (begin == line && run.n == 1 && m->shape != GT_GENERAL)
    load_diagonal (side, m, &run, to, step);
  else
    copy_run (side, &run, to, step);
}

/* Loads elements [BEGIN, END) of row LINE of M.  */
static void
load_row (const struct gt_side *side, const struct gt_matrix *m, struct run run,
          size_t line, size_t begin, size_t end, double *to, size_t step)
{
  const size_t bounds[4] = {0, line, line + 1, m->columns};
  const int there[3] = {m->triangle != GT_UPPER, 1, m->triangle != GT_LOWER};

  if (m->conjugate)
    run.im = -run.im;
  if (m->shape == GT_GENERAL)
    {
      load_piece (side, m, run, line, begin, end, 1, to, step);
      return;
    }
  for (unsigned k = 0; k < 3; k++)
    {
      const size_t from = begin > bounds[k] ? begin : bounds[k];
      const size_t until = end < bounds[k + 1] ? end : bounds[k + 1];

      if (from < until)
        load_piece (side, m, run, line, from, until, there[k],
                    to + (from - begin) * side->parts * step, step);
    }
}

static const struct run runs[] = {
  [GT_AS_IT_IS] = {.re = 1, .im = 1},
  [GT_REAL_PART] = {.re = 1, .im = -1},
  [GT_IMAGINARY] = {.re = 1, .im = 1, .swapped = 1},
  [GT_TURNED_REAL] = {.re = -1, .im = -1, .swapped = 1},
  [GT_TURNED_IMAGINARY] = {.re = 1, .im = -1}
};

size_t
gt_side_left_out (const struct gt_side *side, unsigned half, size_t line, enum gt_form form)
{
  const struct gt_matrix *m = &side->half[half];
  const int has_real_diagonal
    = m->shape == GT_HERMITIAN || (m->shape == GT_TRIANGULAR && m->unit);

  return side->parts == 2 && half < side->halves && has_real_diagonal
           ? 2 * (half * side->half[0].columns + line) + !runs[form].swapped : SIZE_MAX;
}

void
gt_side_load (const struct gt_side *side, size_t line, enum gt_form form, size_t first,
              size_t n, double *to, size_t step)
{
  const size_t begin = first / side->parts, end = begin + n / side->parts;
  const size_t split = side->half[0].columns;
  const size_t at = line * side->half[0].row * side->parts + first;
  struct run run = runs[form];

  if (form == GT_AS_IT_IS && step == 1 && is_line (side))
    {
      copy_together (side->half[0].data, at, n, side->single, to);
      return;
    }
  if (begin < split)
    load_row (side, &side->half[0], run, line, begin, end < split ? end : split, to,
              step);
  if (end <= split)
    return;
  if (side->opposed && (form == GT_TURNED_REAL || form == GT_TURNED_IMAGINARY))
    {
      run.re = -run.re;
      run.im = -run.im;
    }
  if (begin < split)
    to += (split - begin) * side->parts * step;
  load_row (side, &side->half[1], run, line, begin < split ? 0 : begin - split,
            end - split, to, step);
}

/* ------------------------------------------------------------- Reading in place */

/* Stores the terms RE and IM of N / 2 complex numbers of neighbouring lines, which are at
   FROM, in the forms of a SUM.  */
static void
lay_pair (const double *from, size_t n, unsigned sum, double sign, double *re, double *im)
{
  const struct gt_tiles *tiles = gt_tiles ();

  tiles->lay_pairs (from, n, 1, sum ? -sign : sign, sum != 0, re);
  tiles->lay_pairs (from, n, sum ? -1 : 1, -sign, sum == 0, im);
}

/* Stores the terms of general matrices, term by term.  */
static void
lay_terms (const struct gt_side *side, size_t lane, size_t lanes, unsigned sum, size_t first,
           size_t n, double *to, size_t step)
{
  const struct gt_matrix *m = &side->half[0];
  const unsigned parts = side->parts;
  const int lies = parts == 2 && !side->single && m->row == 1;
  struct run run = {.data = m->data, .stride = m->row, .n = lanes / parts, .re = 1, .im = 1};
  double *odd = to + step * (parts - 1);

  for (size_t i = 0; i < n; i += parts, odd += parts * step)
    {
      run.at = lane / parts * m->row + (first + i) / parts * m->column;
      if (!lies)
        copy_run (side, &run, odd, 1);
      if (parts == 2)
        lay_pair (lies ? (const double *) m->data + 2 * run.at : odd, lanes, sum,
                  m->conjugate ? -1 : 1, odd - step, odd);
    }
}

void
gt_side_lay_lanes (const struct gt_side *side, size_t lane, size_t lanes, unsigned sum,
                   size_t first, size_t n, double *to, size_t step)
{
  const struct gt_matrix *m = &side->half[0];
  const unsigned parts = side->parts;

  if (parts == 1 && !side->single && is_line (side))
    gt_plain (0)->turn ((const double *) m->data + lane * m->row + first, m->row, lanes, n, to,
                        step);
  else if (gt_side_are_neighbours (side) || (is_whole (side) && n < lanes))
    lay_terms (side, lane, lanes, sum, first, n, to, step);
  else
    for (size_t j = 0; j < lanes; j++)
      gt_side_load (side, (lane + j) / parts, gt_side_form (side, lane + j, sum), first, n,
                    to + j, step);
}

/* The place for elements [BEGIN, END) of rows from FIRST on, of a matrix of doubles whose rows
   or columns are contiguous.  */
struct window
{
  const struct gt_matrix *m;
  size_t first, begin, end;
  double *to;
  size_t step;
};

/* Stores elements [FROM, UNTIL) of LINES rows from I on, within the window: as they are
   STORED, from ACROSS the diagonal, or as ZEROS.  */
enum whence { STORED, ACROSS, ZEROS };

static void
lay_piece (const struct window *w, enum whence whence, size_t i, size_t lines, size_t from,
           size_t until)
{
  const struct gt_matrix *m = w->m;
  const size_t begin = from > w->begin ? from : w->begin;
  const size_t end = until < w->end ? until : w->end;
  const size_t row = whence == ACROSS ? m->column : m->row;
  const size_t column = whence == ACROSS ? m->row : m->column;
  const double *data = (const double *) m->data + i * row + begin * column;
  double *to = w->to + (i - w->first) * w->step + (begin - w->begin);

  if (begin >= end)
    return;
  if (whence != ZEROS && column != 1)
    {
      gt_plain (0)->turn (data, column, end - begin, lines, to, w->step);
      return;
    }
  for (size_t k = 0; k < lines; k++, data += row, to += w->step)
    if (whence == ZEROS)
      memset (to, 0, (end - begin) * sizeof *to);
    else
      memcpy (to, data, (end - begin) * sizeof *to);
}

/* Stores the square on the diagonal.  */
static void
lay_square (const struct window *w, size_t first, size_t n)
{
  const struct gt_matrix *m = w->m;
  const double *data = m->data;
  const size_t begin = first > w->begin ? first : w->begin;
  const size_t end = first + n < w->end ? first + n : w->end;

  for (size_t i = first; i < first + n; i++)
    for (size_t j = begin; j < end; j++)
      {
        const int there = i == j || (m->triangle == GT_UPPER) == (i < j);
        double *to = w->to + (i - w->first) * w->step + (j - w->begin);

        if (m->unit && m->shape == GT_TRIANGULAR && i == j)
          *to = 1;
        else if (!there && m->shape == GT_TRIANGULAR)
          *to = 0;
        else
          *to = there ? data[i * m->row + j * m->column] : data[j * m->row + i * m->column];
      }
}

/* Next to the diagonal, this many lines are copied at a time.  */
#define SQUARE ((size_t) 4)

void
gt_side_lay_lines (const struct gt_side *side, size_t first, size_t lines, size_t begin,
                   size_t end, double *to, size_t step)
{
  const struct gt_matrix *m = &side->half[0];
  const struct window w = {m, first, begin, end, to, step};
  const enum whence other = m->shape == GT_TRIANGULAR ? ZEROS : ACROSS;
  const enum whence before = m->triangle == GT_UPPER ? other : STORED;
  const enum whence after = m->triangle == GT_UPPER ? STORED : other;
  const size_t last = first + lines;
  const int whole = side->parts == 1 && !side->single && side->halves == 1
                    && (m->column == 1 || m->row == 1);

  for (size_t i = 0; !whole && i < lines; i++)
    gt_side_load (side, first + i, GT_AS_IT_IS, begin, end - begin, to + i * step, 1);
  if (whole && m->shape == GT_GENERAL)
    lay_piece (&w, STORED, first, lines, begin, end);
  if (!whole || m->shape == GT_GENERAL)
    return;
  lay_piece (&w, before, first, lines, begin, first);
  lay_piece (&w, after, first, lines, last, end);
  for (size_t i = first, n; i < last; i += n)
    {
      n = last - i < SQUARE ? last - i : SQUARE;
      lay_piece (&w, before, i, n, first, i);
      lay_square (&w, i, n);
      lay_piece (&w, after, i, n, i + n, last);
    }
}

const double *
gt_side_line (const struct gt_side *side, size_t line)
{
  const struct gt_matrix *m = &side->half[0];

  return is_line (side) && !side->single
           ? (const double *) m->data + line * m->row * side->parts : NULL;
}

const double *
gt_side_lanes (const struct gt_side *side, size_t line, size_t *step)
{
  const struct gt_matrix *m = &side->half[0];

  *step = m->column;
  return gt_side_are_neighbours (side) && !side->single && side->parts == 1
           ? (const double *) m->data + line : NULL;
}

void
gt_side_narrow (const struct gt_side *side, size_t first, size_t lines, size_t *begin,
                size_t *end)
{
  const struct gt_matrix *m = &side->half[0];
  const size_t from = first * side->parts, until = (first + lines) * side->parts;

  if (m->shape != GT_TRIANGULAR || side->halves > 1)
    return;
  if (m->triangle == GT_UPPER && *begin < from)
    *begin = from;
  if (m->triangle == GT_LOWER && *end > until)
    *end = until;
}

/* Blocks whose elements have few terms, which need no sums with bounds.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/blas/block.h"

/* Computes the elements in doubt of row I, whose numbers from lane BEGIN on are at TO.  The
   imaginary part of a Hermitian matrix's diagonal is 0 in any case.  */
static void
end_row (struct gt_block *k, size_t i, size_t begin, size_t n, uint64_t doubt, double *to)
{
  const struct gt_work *w = &k->p->w;
  const size_t row = k->row + i, lane = k->lane + begin, diagonal = 2 * row + 1 - lane;

  if (w->hermitian && diagonal < n)
    {
      to[diagonal] = 0;
      doubt &= ~((uint64_t) 1 << diagonal);
    }
  for (size_t j = 0; doubt && j < n; j++)
    if (doubt >> j & 1)
      to[j] = gt_settle_element (w, row, lane + j);
}

/* Rows are read and written in place, all at once if no triangle is written, or are copied one
   by one.  */
void
gt_block_compute_shortly (struct gt_block *k)
{
  const struct gt_work *w = &k->p->w;
  uint64_t doubt[GT_BLOCK_ROWS];
  struct gt_short_product s
    = {.rows = 1, .terms = k->end - k->begin, .alpha = w->coefficient[0],
       .beta = w->olds ? w->factor[0] : 0, .divisor = k->divisor[0], .single = w->a.single,
       .doubt = doubt};
  size_t begin, end;

  gt_block_load (k, k->begin, s.terms);
  s.b_row = k->p->by_lines ? 1 : k->step;
  s.a_row = k->rows > 1 ? (size_t) (k->a[1] - k->a[0]) : 0;
  for (size_t i = 0; i < k->rows; i += s.rows)
    {
      double *there;

      if (!gt_work_written (w, k->row + i, k->lane, k->lanes, &begin, &end))
        continue;
      there = gt_work_lie (w, k->row + i, k->lane + begin);
      s.a = k->a[i];
      s.b = k->b[0] + begin;
      s.columns = end - begin;
      if (there && w->triangle == GT_WHOLE)
        s.rows = k->rows;
      s.c = s.to = there ? there : k->lower;
      s.c_row = s.to_row = w->row * w->a.parts;
      if (there == NULL && w->olds)
        gt_work_olds (w, k->row + i, k->lane + begin, s.columns, 0, k->lower);
      if (k->p->tiles->multiply_shortly (&s) || w->hermitian)
        for (size_t j = 0; j < s.rows; j++)
          end_row (k, i + j, begin, s.columns, doubt[j], s.to + j * s.to_row);
      if (there == NULL)
        gt_work_store (w, k->row + i, k->lane + begin, s.columns, k->lower);
    }
}

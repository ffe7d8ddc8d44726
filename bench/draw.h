/* Problems drawn at random, each by the seed and its number alone.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_BENCH_DRAW_H
#define GT_BENCH_DRAW_H

#include "bench/line_calls.h"
#include "src/base/mode.h"
#include "src/base/route.h"
#include "tuning/measure/listed.h"
#include "tuning/measure/procedures.h"
#include "tuning/measure/sorts.h"

enum gt_drawn_kind
{
  GT_DRAWN_LISTED,  /* one answer of host elements */
  GT_DRAWN_LINES,   /* rows, columns, segments */
  GT_DRAWN_PRODUCT, /* BLAS of levels 2 and 3 */
  GT_DRAWN_SORT,
  GT_DRAWN_UPDATE,  /* what BLAS of level 1 changes */
  GT_DRAWN_DEVICE,  /* one answer of device vectors */
  GT_N_DRAWN_KINDS
};

enum gt_numbers
{
  GT_ORDINARY, /* between -1 and 1 */
  GT_ONE_NAN,
  GT_ONE_INFINITY,
  GT_ZEROS,
  GT_SUBNORMALS,
  GT_CANCELLING, /* each but for its last bits the negative of the one before */
  GT_EXPONENTS,  /* times 2^-40 to 2^40 */
  GT_N_NUMBERS
};

struct gt_drawn
{
  unsigned number;
  enum gt_drawn_kind kind;
  enum gt_mode mode; /* GT_MODE_AUTO, too */
  enum gt_element_type type;
  enum gt_numbers numbers;
  enum gt_place place;
  int all_threads; /* else 1 */
  uint64_t seed;   /* of the elements */
  const struct gt_listed *listed;
  const struct gt_bench_line *line;
  enum gt_taken_id id; /* of the last three host kinds */
  size_t n, stride[2];
  size_t offset;       /* elements before the first one */
  enum gt_lines_kind lines_kind;
  size_t count, length, gap; /* of lines, of rows of matrices */
  int equal;                 /* whether segments are equally long */
  struct gt_procedure_call call;
  enum gt_sort_order order;
};

/* Draws problem NUMBER of SEED.  HAS_GPU: some lie in memory that a GPU needs.  */
void gt_draw (uint64_t seed, unsigned number, int has_gpu, struct gt_drawn *d);

/* Returns whether the mode makes the promises of fast mode for this problem.  */
static inline int
gt_drawn_is_fast (const struct gt_drawn *d)
{
  return d->kind == GT_DRAWN_PRODUCT ? gt_mode_has_fast_products (d->mode)
                                     : d->mode == GT_MODE_FAST;
}

/* The name of its function, "gsl_stats_mean" or "gsltune_matrix_row_sum", and everything else
   that was drawn.  */
#define GT_DRAWN_TEXT 200
void gt_drawn_text (const struct gt_drawn *d, char text[GT_DRAWN_TEXT]);

#endif

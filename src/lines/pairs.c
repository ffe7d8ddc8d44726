/* Covariances and correlations of all pairs of a matrix's columns; each is that of the
   function of two arrays.  Threads share the rows of the result.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdatomic.h>

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/threads.h"
#include "src/gsltune.h"
#include "src/plan/model.h"
#include "src/lines/lines.h"
#include "src/sort/sorting.h"

/* Nanoseconds for an element of two columns, of all pairs in both orders; only half of these
   are computed.  */
#define PAIR_NS 0.3

struct pairs
{
  double (*of) (const void *x, size_t x_stride, const void *y, size_t y_stride, size_t n);
  const char *data;
  size_t size, count, n, tda; /* bytes of an element; columns and their elements */
  gsl_matrix *result;
  char *copies;               /* of the columns, APART bytes for each, or null */
  size_t apart;
  _Atomic size_t next;
};

static const char *
column_of (const struct pairs *p, size_t column)
{
  return p->copies ? p->copies + column * p->apart : p->data + column * p->size;
}

static void
work_on_pairs (void *closure, unsigned member)
{
  struct pairs *const p = closure;
  const size_t stride = p->copies ? 1 : p->tda;
  size_t i;

  (void) member;
  while ((i = atomic_fetch_add (&p->next, 1)) < p->count)
    for (size_t j = i; j < p->count; j++)
      {
        const double pair = p->of (column_of (p, i), stride, column_of (p, j), stride, p->n);

        gsl_matrix_set (p->result, i, j, pair);
        gsl_matrix_set (p->result, j, i, pair);
      }
}

static int
compute_pairs (struct pairs *p, enum gt_arithmetic arithmetic)
{
  const struct gt_model_work work
    = {.ns = PAIR_NS * (double) p->count * (double) p->count * (double) p->n};
  unsigned members;
  struct gt_sort_room room;
  struct gt_fpenv env;

  if (p->result->size1 != p->count || p->result->size2 != p->count)
    GSL_ERROR ("the matrix of results must have a row and a column for each column",
               GSL_EBADLEN);
  if (p->count == 0)
    return GSL_SUCCESS;
  p->apart = gt_lines_apart (p->n, p->size);
  p->copies = gt_sort_room_take (&room, p->count, p->apart);
  if (p->copies)
    gt_lines_gather (p->data, p->tda * p->size, p->count, p->n, p->copies, p->apart, p->size);
  gt_fpenv_enter (&env, arithmetic);
  members = gt_model_threads (&gt_device_host ()->host, &work, gt_most_threads ());
  gt_team_run (members < p->count ? members : (unsigned) p->count, work_on_pairs, p);
  gt_fpenv_leave (&env);
  gt_sort_room_give (&room);
  return GSL_SUCCESS;
}

#define GT_TEMPLATE "src/lines/pairs.inc"
#include "src/each_type.h"

/* The public functions of samples in pieces.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/public/certain.h"

void
gsltune_bounded_add (gsltune_bounded *to, const gsltune_bounded *x)
{
  const struct gt_ball sum = gt_ball_sum ((struct gt_ball) {to->sum, to->rest, to->bound},
                                          (struct gt_ball) {x->sum, x->rest, x->bound});

  *to = (gsltune_bounded) {sum.h, sum.l, sum.radius};
}

static const struct gt_term *
term_of (const char *statistic)
{
  static const struct
  {
    const char *name;
    const struct gt_term *term;
  } terms[] = {
#define STATISTIC(name, ...) {#name, &gt_term_##name},
#include "kernels/statistics.def"
  };

  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    if (strcmp (statistic, terms[i].name) == 0)
      return terms[i].term;
  return NULL;
}

/* Whether bounds are tried.  */
static int
is_tried (const struct gt_term *term)
{
  const enum gt_formula_form form = gt_kinds[term->what].form;

  return term->weighted || (form != GT_FORM_MEAN && form != GT_FORM_NEIGHBOURS);
}

/* Those of one sample have its elements twice (src/public/sample.h).  */
static void
take_piece (struct gt_sample *sample, enum gt_arithmetic arithmetic,
            const struct gt_term *term, const gsltune_piece *piece)
{
  const int two = term->weighted || gt_kinds[term->what].form == GT_FORM_JOINT;
  const struct gt_operand x = {piece->data1, piece->stride1};
  const struct gt_operand y = {piece->data2, piece->stride2};

  gt_sample_init (sample, arithmetic, x, two ? y : x, piece->n);
  sample->mode = GT_MODE_EXACT;
  sample->term = term;
  sample->given[0] = piece->given[0];
  sample->given[1] = piece->given[1];
}

int
gsltune_piece_statistic (const char *type, const char *statistic, const gsltune_piece *piece,
                         double *result)
{
  const int number = gt_type_from_name (type);
  const enum gt_arithmetic arithmetic
    = number < 0 ? GT_FIRST_COMPLEX : gt_types[number].arithmetic;
  const struct gt_term *const term = term_of (statistic);
  struct gt_fpenv env, of_long_doubles;
  struct gt_sample sample;
  int told;

  if (gt_is_complex (arithmetic) || term == NULL
      || (term->weighted && gt_is_integer (arithmetic)))
    GSL_ERROR ("there is no such statistic of such elements", GSL_EINVAL);
  take_piece (&sample, arithmetic, term, piece);
  gt_fpenv_enter (&env, GT_F64);
  gt_fpenv_enter (&of_long_doubles, GT_LDBL);
  told = piece->all && is_tried (term) && gt_certain_of_pieces (&sample, piece, result);
  gt_fpenv_leave (&of_long_doubles);
  gt_fpenv_leave (&env);
  return told ? GSL_SUCCESS : GSL_CONTINUE;
}

/* gsltune_accumulator_add_moments and its siblings, for one type of element: a template
   of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

int
NAMED (gsltune_accumulator_add_moments, ) (gsltune_accumulator *sum,
                                           gsltune_accumulator *squares,
                                           const NAMED (gsl_vector, ) *v)
{
  return add_moments (sum, squares, ARITHMETIC,
                      (struct gt_operand) {v->data, v->stride}, v->size);
}

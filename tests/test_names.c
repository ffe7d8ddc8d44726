/* Tests of src/base/names.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "src/base/names.h"
#include "src/base/problem.h"

TEST (types_round_trip)
{
  for (int type = 0; type < GT_N_TYPES; type++)
    assert_int_equal (gt_type_from_name (gt_types[type].name), type);
  assert_string_equal (gt_types[GT_TYPE_DOUBLE].name, "double");
  assert_string_equal (gt_types[GT_TYPE_UCHAR].name, "uchar");
  assert_int_equal (GT_N_ELEMENT_TYPES, 11);
}

TEST (types_have_the_size_of_gsl_elements)
{
#define X(id, name, infix, ctype, arithmetic)                       \
  assert_int_equal (gt_types[GT_TYPE_##id].size,                    \
                    sizeof *((gsl_vector##infix *) 0)->data);
  GT_ELEMENT_TYPES (X)
#undef X
  for (int type = 0; type < GT_N_TYPES; type++)
    assert_int_equal (gt_types[type].size, gt_arithmetics[gt_types[type].arithmetic].size);
}

TEST (types_take_space_and_hyphen)
{
  assert_int_equal (gt_type_from_name ("long double"), GT_TYPE_LONG_DOUBLE);
  assert_int_equal (gt_type_from_name ("long-double"), GT_TYPE_LONG_DOUBLE);
  assert_int_equal (gt_type_from_name ("long_double"), GT_TYPE_LONG_DOUBLE);
}

TEST (unknown_names_are_refused)
{
  static const char *const words[]
    = {"",       " ",         "doubl",  "doubles", "Double",
       "long_",  "longdouble", "-1",     "long.double"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    {
      assert_int_equal (gt_type_from_name (words[i]), -1);
      assert_int_equal (gt_arithmetic_from_name (words[i]), -1);
      assert_int_equal (gt_mode_from_name (words[i]), -1);
      assert_int_equal (gt_layout_from_name (words[i]), -1);
    }
}

TEST (other_names_round_trip)
{
  for (int i = 0; i < GT_N_ARITHMETICS; i++)
    assert_int_equal (gt_arithmetic_from_name (gt_arithmetics[i].name), i);
  for (int i = 0; i < GT_N_MODES; i++)
    assert_int_equal (gt_mode_from_name (gt_mode_names[i]), i);
  for (int i = 0; i < GT_N_LAYOUTS; i++)
    assert_int_equal (gt_layout_from_name (gt_layout_names[i]), i);
  assert_int_equal (gt_mode_from_name ("compensated"), GT_MODE_COMPENSATED);
  assert_int_equal (gt_layout_from_name ("strided"), GT_STRIDED);
  assert_int_equal (gt_arithmetic_from_name ("u16"), GT_U16);
}

/* The lists of types that arithmetics show are written by hand.  */
static void
check_types (enum gt_reduction reduction, enum gt_arithmetic arithmetic)
{
  char list[64] = "";

  for (int type = 0; type < GT_N_TYPES; type++)
    if (gt_arithmetic_for (reduction, gt_types[type].arithmetic) == arithmetic)
      {
        strcat (list, *list ? ", " : "");
        strcat (list, gt_types[type].name);
      }
  assert_string_equal (gt_types_of (reduction, arithmetic), list);
}

TEST (arithmetics_list_their_types)
{
  for (int r = 0; r < GT_N_REDUCTIONS; r++)
    for (int a = 0; a < GT_N_ARITHMETICS; a++)
      if (gt_reduction_has ((enum gt_reduction) r, (enum gt_arithmetic) a))
        check_types ((enum gt_reduction) r, (enum gt_arithmetic) a);
}

TEST (integers_have_one_mode)
{
  assert_int_equal (gt_mode_for (GT_SUM, GT_F64, GT_MODE_COMPENSATED), GT_MODE_EXACT);
  assert_int_equal (gt_mode_for (GT_SUM, GT_LDBL, GT_MODE_EXACT), GT_MODE_EXACT);
  assert_int_equal (gt_mode_for (GT_SUM, GT_U8, GT_MODE_COMPENSATED), GT_MODE_FAST);
  assert_int_equal (gt_mode_for (GT_SUM, GT_U64, GT_MODE_COMPENSATED), GT_MODE_FAST);
}

/* Programs' vectors have two modes.  */
TEST (compensated_and_auto_are_exact)
{
  assert_int_equal (gt_mode_of_vectors (GT_MODE_FAST), GT_MODE_FAST);
  assert_int_equal (gt_mode_of_vectors (GT_MODE_COMPENSATED), GT_MODE_EXACT);
  assert_int_equal (gt_mode_of_vectors (GT_MODE_EXACT), GT_MODE_EXACT);
  assert_int_equal (gt_mode_of_vectors (GT_MODE_AUTO), GT_MODE_EXACT);
  assert_int_equal (gt_problem_for (GT_SUM, GT_TYPE_DOUBLE, GT_MODE_COMPENSATED).mode,
                    GT_MODE_EXACT);
}

/* Bytes from the first element to the end of the last, where there are so many.  */
TEST (spans_fit_into_memory)
{
  const size_t half = SIZE_MAX / 2 + 1;
  size_t bytes;

  assert_int_equal (gt_span (GT_F64, 3, 5, &bytes), 0);
  assert_int_equal (bytes, 88);
  assert_int_equal (gt_span (GT_U8, half, 1, &bytes), 0);
  assert_int_equal (bytes, half);
  assert_int_equal (gt_span (GT_F64, half, 2, &bytes), -1);
  assert_int_equal (gt_span (GT_U8, 2, SIZE_MAX, &bytes), -1);
  assert_int_equal (gt_span (GT_U16, half, 1, &bytes), -1);
  assert_int_equal (gt_span (GT_F64, SIZE_MAX / 8 + 2, 1, &bytes), -1);
}

RUN_TESTS (NULL, NULL)

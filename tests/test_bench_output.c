/* Tests of bench/output.c: which rows a bar is for, and how it is reached.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "bench/output.h"

static const struct gt_form form = {
  .name = "functions",
  .title = "made up",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"function", "function", GT_UNIT_FUNCTION},
              {"time", "seconds", GT_UNIT_SECONDS},
              {"gain", "ratio", GT_UNIT_GAIN}},
  .second = 1,
  .bars = {{"norm", 3, 1.2, 8, 8, GT_FUNCTION_NRM2},
           {"dot", 3, 1, 4, 8, GT_FUNCTION_DOT},
           {"all", 2, 6.5e-6, 0, UINT64_MAX, GT_ANY}},
  .means = {{"mean", 3, 0.5, 4, 8, GT_FUNCTION_NRM2}},
};

static struct gt_sheet sheet = {
  .form = &form,
  .n_rows = 6,
  .rows = {{{2, GT_FUNCTION_DOT, 1e-6, 0.1}, ""},
           {{4, GT_FUNCTION_DOT, 2e-6, 0.9}, ""},
           {{8, GT_FUNCTION_DOT, 6e-6, 1.1}, ""},
           {{4, GT_FUNCTION_NRM2, 1e-6, 0.3}, ""},
           {{8, GT_FUNCTION_NRM2, 5e-6, 1.2}, ""},
           {{8, GT_FUNCTION_MEAN, 3e-6, NAN}, ""}},
};

/* The sheet's words about bar I.  */
static void
expect_bar (size_t i, double worst, json_int_t at, const char *function, json_type reached)
{
  json_t *object = gt_sheet_json (&sheet);
  json_t *bar = json_array_get (json_object_get (object, "bars"), i);

  assert_non_null (bar);
  assert_true (json_real_value (json_object_get (bar, "worst")) == worst);
  assert_int_equal (json_integer_value (json_object_get (bar, "at")), at);
  assert_string_equal (json_string_value (json_object_get (bar, "function")),
                       function);
  assert_int_equal (json_typeof (json_object_get (bar, "reached")), reached);
  json_decref (object);
}

TEST (bars_are_for_a_function)
{
  expect_bar (0, 1.2, 8, "nrm2", JSON_TRUE);
  expect_bar (1, 0.9, 4, "dot", JSON_FALSE);
}

TEST (bars_of_times)
{
  expect_bar (2, 6e-6, 8, "dot", JSON_TRUE);
  sheet.rows[5].value[2] = 7e-6;
  expect_bar (2, 7e-6, 8, "mean", JSON_FALSE);
  sheet.rows[5].value[2] = 3e-6;
}

/* Of 0.3 and 1.2: the geometric mean is 0.6, the other one 0.75.  */
TEST (means)
{
  json_t *object = gt_sheet_json (&sheet);
  json_t *mean = json_array_get (json_object_get (object, "means"), 0);

  assert_non_null (mean);
  assert_true (
    fabs (json_real_value (json_object_get (mean, "mean")) - 0.6) < 1e-12);
  assert_int_equal (json_integer_value (json_object_get (mean, "rows")), 2);
  assert_true (json_is_true (json_object_get (mean, "reached")));
  json_decref (object);
}

TEST (bars_count_what_is_short)
{
  json_t *object = gt_sheet_json (&sheet);
  json_t *bar = json_array_get (json_object_get (object, "bars"), 1);

  assert_int_equal (json_integer_value (json_object_get (bar, "rows")), 2);
  assert_int_equal (json_integer_value (json_object_get (bar, "short")), 1);
  bar = json_array_get (json_object_get (object, "bars"), 2);
  assert_int_equal (json_integer_value (json_object_get (bar, "rows")), 6);
  assert_int_equal (json_integer_value (json_object_get (bar, "short")), 0);
  json_decref (object);
}

TEST (bars_of_nothing)
{
  json_t *object, *bar;

  sheet.n_rows = 3;
  object = gt_sheet_json (&sheet);
  bar = json_array_get (json_object_get (object, "bars"), 0);
  assert_true (json_is_null (json_object_get (bar, "worst")));
  assert_true (json_is_null (json_object_get (bar, "reached")));
  assert_null (json_object_get (bar, "place"));
  bar = json_array_get (json_object_get (object, "means"), 0);
  assert_true (json_is_null (json_object_get (bar, "mean")));
  json_decref (object);
  sheet.n_rows = 6;
}

TEST (places_are_words)
{
  json_t *object = gt_sheet_json (&sheet);
  json_t *row = json_array_get (json_object_get (object, "rows"), 5);

  assert_string_equal (json_string_value (json_object_get (row, "function")),
                       "mean");
  assert_int_equal (json_integer_value (json_object_get (row, "n")), 8);
  assert_true (json_is_null (json_object_get (row, "ratio")));
  json_decref (object);
}

RUN_TESTS (NULL, NULL)

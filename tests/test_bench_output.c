/* Tests of bench/output.c: which rows a bar is for, and how it is reached.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "bench/output.h"
#include "src/base/route.h"

static const struct gt_form form = {
  .name = "places",
  .title = "made up",
  .columns = {{"n", "n", GT_UNIT_COUNT},
              {"place", "place", GT_UNIT_PLACE},
              {"time", "seconds", GT_UNIT_SECONDS},
              {"gain", "ratio", GT_UNIT_GAIN}},
  .second = 1,
  .bars = {{"pinned", 3, 1.2, 8, 8, 0, GT_PLACE_PINNED},
           {"host", 3, 1, 4, 8, 0, GT_PLACE_HOST},
           {"all", 2, 6.5e-6, 0, UINT64_MAX, 16, GT_ANY}},
  .means = {{"mean", 3, 0.5, 4, 8, 0, GT_PLACE_PINNED}},
};

static struct gt_sheet sheet = {
  .form = &form,
  .n_rows = 6,
  .rows = {{{2, GT_PLACE_HOST, 1e-6, 0.1}, ""},
           {{4, GT_PLACE_HOST, 2e-6, 0.9}, ""},
           {{8, GT_PLACE_HOST, 6e-6, 1.1}, ""},
           {{4, GT_PLACE_PINNED, 1e-6, 0.3}, ""},
           {{8, GT_PLACE_PINNED, 5e-6, 1.2}, ""},
           {{8, GT_PLACE_MANAGED, 3e-6, NAN}, ""}},
};

/* The sheet's words about bar I, on a machine with CORES.  */
static void
expect_bar (size_t i, int cores, double worst, json_int_t at,
            const char *place, json_type reached)
{
  json_t *object = gt_sheet_json (&sheet, cores);
  json_t *bar = json_array_get (json_object_get (object, "bars"), i);

  assert_non_null (bar);
  assert_true (json_real_value (json_object_get (bar, "worst")) == worst);
  assert_int_equal (json_integer_value (json_object_get (bar, "at")), at);
  assert_string_equal (json_string_value (json_object_get (bar, "place")),
                       place);
  assert_int_equal (json_typeof (json_object_get (bar, "reached")), reached);
  json_decref (object);
}

TEST (bars_are_for_a_place)
{
  expect_bar (0, 1, 1.2, 8, "pinned", JSON_TRUE);
  expect_bar (1, 1, 0.9, 4, "host", JSON_FALSE);
}

TEST (bars_of_times)
{
  expect_bar (2, 16, 6e-6, 8, "host", JSON_TRUE);
  expect_bar (2, 15, 6e-6, 8, "host", JSON_NULL);
  sheet.rows[5].value[2] = 7e-6;
  expect_bar (2, 16, 7e-6, 8, "managed", JSON_FALSE);
  sheet.rows[5].value[2] = 3e-6;
}

/* Of 0.3 and 1.2: the geometric mean is 0.6, the other one 0.75.  */
TEST (means)
{
  json_t *object = gt_sheet_json (&sheet, 1);
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
  json_t *object = gt_sheet_json (&sheet, 1);
  json_t *bar = json_array_get (json_object_get (object, "bars"), 1);

  assert_int_equal (json_integer_value (json_object_get (bar, "rows")), 2);
  assert_int_equal (json_integer_value (json_object_get (bar, "short")), 1);
  bar = json_array_get (json_object_get (object, "bars"), 2);
  assert_int_equal (json_integer_value (json_object_get (bar, "rows")), 6);
  assert_int_equal (json_integer_value (json_object_get (bar, "short")), 0);
  json_decref (object);
}

TEST (faults_beyond_the_room_are_counted)
{
  json_t *object, *faults;

  for (int i = 0; i < GT_SHEET_FAULTS + 3; i++)
    gt_sheet_fault (&sheet, "n = %d: slow", i);
  object = gt_sheet_json (&sheet, 1);
  faults = json_object_get (object, "should_not_be");
  assert_int_equal (json_array_size (faults), GT_SHEET_FAULTS);
  assert_string_equal (json_string_value (json_array_get (faults, 1)),
                       "n = 1: slow");
  assert_int_equal (
    json_integer_value (json_object_get (object, "n_should_not_be")),
    GT_SHEET_FAULTS + 3);
  json_decref (object);
  sheet.n_faults = 0;
}

TEST (bars_of_nothing)
{
  json_t *object, *bar;

  sheet.n_rows = 3;
  object = gt_sheet_json (&sheet, 1);
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
  json_t *object = gt_sheet_json (&sheet, 1);
  json_t *row = json_array_get (json_object_get (object, "rows"), 5);

  assert_string_equal (json_string_value (json_object_get (row, "place")),
                       "managed");
  assert_int_equal (json_integer_value (json_object_get (row, "n")), 8);
  assert_true (json_is_null (json_object_get (row, "ratio")));
  json_decref (object);
}

RUN_TESTS (NULL, NULL)

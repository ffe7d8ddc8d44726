/* Tests of tuning/text/table.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"

#include "src/base/printable.h"
#include "tuning/text/table.h"

/* Prints TABLE, frees it, and compares.  */
static void
expect_table (struct gt_table *table, const char *expected)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream (&text, &size);

  assert_non_null (table);
  assert_non_null (stream);
  gt_table_print (table, stream);
  fclose (stream);
  gt_table_free (table);
  assert_string_equal (text, expected);
  free (text);
}

static void
columns_are_aligned (void **state)
{
  static const char *const headings[] = {"name", "n", "note", NULL};
  static const char *const row[] = {"a", "12345", "first"};
  struct gt_table *table = gt_table_new (headings, "lrl");

  (void) state;
  gt_table_row (table, row);
  gt_table_printf (table, "%s\t%d\t%s", "longer", 7, "x");
  expect_table (table, "name        n  note\n"
                       "------  -----  -----\n"
                       "a       12345  first\n"
                       "longer      7  x\n");
}

static void
no_line_ends_in_blanks (void **state)
{
  static const char *const headings[] = {"a", "bb", "c", NULL};
  struct gt_table *table = gt_table_new (headings, "llr");

  (void) state;
  gt_table_printf (table, "%s", "only one");
  gt_table_printf (table, "\t\t%d", 1000);
  gt_table_printf (table, "x\ty\t");
  gt_table_printf (table, "%s", "");
  expect_table (table, "a         bb     c\n"
                       "--------  --  ----\n"
                       "only one\n"
                       "              1000\n"
                       "x         y\n"
                       "\n");
}

static void
widths_count_characters (void **state)
{
  static const char *const headings[] = {"\xc2\xb5s", "r", NULL};
  struct gt_table *table = gt_table_new (headings, "lr");

  (void) state;
  gt_table_printf (table, "abc\t\xc2\xb1\xe2\x89\xa4");
  gt_table_printf (table, "\xe2\x89\xa4\tzz");
  expect_table (table, "\xc2\xb5s    r\n"
                       "---  --\n"
                       "abc  \xc2\xb1\xe2\x89\xa4\n"
                       "\xe2\x89\xa4    zz\n");
}

static void
a_spanning_cell_widens_no_column (void **state)
{
  static const char *const headings[] = {"n", "a", "b", NULL};
  struct gt_table *table = gt_table_new (headings, "rrl");

  (void) state;
  gt_table_printf (table, "1\tmuch longer than its column");
  gt_table_span (table, 1);
  gt_table_printf (table, "20\tx\ty");
  expect_table (table, " n  a  b\n"
                       "--  -  -\n"
                       " 1  much longer than its column\n"
                       "20  x  y\n");
}

static void
colours_have_no_width (void **state)
{
  static const char *const headings[] = {"a", "b", NULL};
  struct gt_table *table = gt_table_new (headings, "rr");

  (void) state;
  gt_table_printf (table, "1\t2");
  gt_table_colour (table, 0, "1;32");
  gt_table_printf (table, "30\t4");
  expect_table (table, " a  b\n"
                       "--  -\n"
                       " \033[1;32m1\033[m  2\n"
                       "30  4\n");
}

static void
control_bytes_are_shown_as_question_marks (void **state)
{
  static const char *const headings[] = {"name", NULL};
  static const char *const row[] = {"\033[2Jevil\n\x7f"};
  struct gt_table *table = gt_table_new (headings, "l");

  (void) state;
  gt_table_row (table, row);
  expect_table (table, "name\n----------\n?[2Jevil??\n");
}

static void
assert_printable (const char *text, const char *kept, const char *expected)
{
  char copy[64];

  strcpy (copy, text);
  gt_make_printable (copy, kept);
  assert_string_equal (copy, expected);
}

/* Control characters of one and of two bytes, and what is no UTF-8.  */
static void
terminals_obey_nothing (void **state)
{
  (void) state;
  assert_printable ("a\033[31m\r\x7f\n", "", "a?[31m???");
  assert_printable ("a\n\tb\033", "\n\t", "a\n\tb?");
  assert_printable ("gr\303\266\303\237e \342\202\254 \360\237\230\200", "",
                    "gr\303\266\303\237e \342\202\254 \360\237\230\200");
  assert_printable ("\302\23331m \23331m \302\240", "", "??31m ?31m \302\240");
  assert_printable ("\340\200\233 \300\233 \303", "", "??? ?? ?");
  assert_printable ("\303\033[1m \360\237\230", "", "??[1m ???");
  assert_printable ("", "", "");
}

static void
many_rows (void **state)
{
  static const char *const headings[] = {"n", NULL};
  struct gt_table *table = gt_table_new (headings, "r");
  char expected[8192] = "   n\n----\n";
  char *end = expected + strlen (expected);

  (void) state;
  for (int i = 0; i < 1001; i++)
    {
      gt_table_printf (table, "%d", i);
      end += sprintf (end, "%4d\n", i);
    }
  expect_table (table, expected);
}

static void
null_tables_are_harmless (void **state)
{
  static const char *const row[] = {"x"};

  (void) state;
  gt_table_free (NULL);
  gt_table_row (NULL, row);
  gt_table_printf (NULL, "%d", 1);
}

static void
seconds (void **state)
{
  (void) state;
  assert_string_equal (gt_format_seconds (0), "0 s");
  assert_string_equal (gt_format_seconds (1.25e-6), "1.25 us");
  assert_string_equal (gt_format_seconds (3e-10), "0.3 ns");
  assert_string_equal (gt_format_seconds (9.994e-7), "999 ns");
  assert_string_equal (gt_format_seconds (9.996e-7), "1 us");
  assert_string_equal (gt_format_seconds (0.0472), "47.2 ms");
  assert_string_equal (gt_format_seconds (12), "12 s");
  assert_string_equal (gt_format_seconds (12345), "12345 s");
  assert_string_equal (gt_format_seconds (NAN), "-");
}

static void
bytes_and_bandwidths (void **state)
{
  (void) state;
  assert_string_equal (gt_format_bytes (0), "0 B");
  assert_string_equal (gt_format_bytes (1000), "1000 B");
  assert_string_equal (gt_format_bytes (65536), "64 KiB");
  assert_string_equal (gt_format_bytes (1023.9 * 1024), "1 MiB");
  assert_string_equal (gt_format_bytes (0x1p47), "128 TiB");
  assert_string_equal (gt_format_bandwidth (4.65e12), "4.65 TB/s");
  assert_string_equal (gt_format_bandwidth (457e9), "457 GB/s");
  assert_string_equal (gt_format_bandwidth (INFINITY), "-");
}

static void
counts (void **state)
{
  (void) state;
  assert_string_equal (gt_format_count (0), "0");
  assert_string_equal (gt_format_count (512), "512");
  assert_string_equal (gt_format_count (1024), "2^10");
  assert_string_equal (gt_format_count (1000000), "1000000");
  assert_string_equal (gt_format_count (1ULL << 63), "2^63");
  assert_string_equal (gt_format_count (~0ULL), "18446744073709551615");
}

static void
eight_numbers_live_at_once (void **state)
{
  const char *text[8];
  char expected[2] = "0";

  (void) state;
  for (int i = 0; i < 8; i++)
    text[i] = gt_format_count (i);
  for (int i = 0; i < 8; i++, expected[0]++)
    assert_string_equal (text[i], expected);
}

int
main (void)
{
  static const struct CMUnitTest tests[] = {
    cmocka_unit_test (columns_are_aligned),
    cmocka_unit_test (no_line_ends_in_blanks),
    cmocka_unit_test (widths_count_characters),
    cmocka_unit_test (a_spanning_cell_widens_no_column),
    cmocka_unit_test (colours_have_no_width),
    cmocka_unit_test (control_bytes_are_shown_as_question_marks),
    cmocka_unit_test (terminals_obey_nothing),
    cmocka_unit_test (many_rows),
    cmocka_unit_test (null_tables_are_harmless),
    cmocka_unit_test (seconds),
    cmocka_unit_test (bytes_and_bandwidths),
    cmocka_unit_test (counts),
    cmocka_unit_test (eight_numbers_live_at_once),
  };

  cmocka_set_message_output (CM_OUTPUT_TAP);
  return cmocka_run_group_tests (tests, NULL, NULL);
}

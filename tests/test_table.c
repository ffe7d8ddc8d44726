/* Tests of tuning/text/table.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/base/log.h"
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
  assert_string_equal (text, expected);
  free (text);
}

TEST (columns_are_aligned)
{
  struct gt_table *table = gt_table_new ("lrl", "name\tn\tnote");

  gt_table_printf (table, "a");
  gt_table_cell (table, "%d", 12345);
  gt_table_cell (table, "first");
  gt_table_cell (table, "longer");
  gt_table_cell (table, "7");
  gt_table_cell (table, "x");
  expect_table (table, "name        n  note\n"
                       "------  -----  -----\n"
                       "a       12345  first\n"
                       "longer      7  x\n");
}

TEST (no_line_ends_in_blanks)
{
  struct gt_table *table = gt_table_new ("llr", "a\tbb\tc");

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

TEST (widths_count_characters)
{
  struct gt_table *table = gt_table_new ("lr", "\xc2\xb5s\tr");

  gt_table_printf (table, "abc\t\xc2\xb1\xe2\x89\xa4");
  gt_table_printf (table, "\xe2\x89\xa4\tzz");
  expect_table (table, "\xc2\xb5s    r\n"
                       "---  --\n"
                       "abc  \xc2\xb1\xe2\x89\xa4\n"
                       "\xe2\x89\xa4    zz\n");
}

TEST (a_spanning_cell_widens_no_column)
{
  struct gt_table *table = gt_table_new ("rrl", "n\ta\tb");

  gt_table_printf (table, "1\tmuch longer than its column");
  gt_table_span (table);
  gt_table_printf (table, "20\tx\ty");
  expect_table (table, " n  a  b\n"
                       "--  -  -\n"
                       " 1  much longer than its column\n"
                       "20  x  y\n");
}

TEST (control_bytes_are_shown_as_question_marks)
{
  struct gt_table *table = gt_table_new ("l", "name");

  gt_table_printf (table, "\033[2Jevil\n\x7f");
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
TEST (terminals_obey_nothing)
{
  assert_printable ("a\033[31m\r\x7f\n", "", "a?[31m???");
  assert_printable ("a\n\tb\033", "\n\t", "a\n\tb?");
  assert_printable ("gr\303\266\303\237e \342\202\254 \360\237\230\200", "",
                    "gr\303\266\303\237e \342\202\254 \360\237\230\200");
  assert_printable ("\302\23331m \23331m \302\240", "", "??31m ?31m \302\240");
  assert_printable ("\340\200\233 \300\233 \303", "", "??? ?? ?");
  assert_printable ("\303\033[1m \360\237\230", "", "??[1m ???");
  assert_printable ("", "", "");
}

TEST (many_rows)
{
  struct gt_table *table = gt_table_new ("r", "n");
  char expected[8192] = "   n\n----\n";
  char *end = expected + strlen (expected);

  for (int i = 0; i < 1001; i++)
    {
      gt_table_printf (table, "%d", i);
      end += sprintf (end, "%4d\n", i);
    }
  expect_table (table, expected);
}

/* Cells that there is no column for are left out.  */
TEST (rows_have_no_more_cells_than_columns)
{
  struct gt_table *table = gt_table_new ("l", "n");

  gt_table_printf (table, "a\tb");
  gt_table_printf (table, "c");
  expect_table (table, "n\n-\na\nc\n");
}

TEST (seconds)
{
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

TEST (bytes_and_bandwidths)
{
  assert_string_equal (gt_format_bytes (0), "0 B");
  assert_string_equal (gt_format_bytes (1000), "1000 B");
  assert_string_equal (gt_format_bytes (65536), "64 KiB");
  assert_string_equal (gt_format_bytes (1023.9 * 1024), "1 MiB");
  assert_string_equal (gt_format_bytes (0x1p47), "128 TiB");
  assert_string_equal (gt_format_bandwidth (4.65e12), "4.65 TB/s");
  assert_string_equal (gt_format_bandwidth (457e9), "457 GB/s");
  assert_string_equal (gt_format_bandwidth (INFINITY), "-");
}

TEST (counts)
{
  assert_string_equal (gt_format_count (0), "0");
  assert_string_equal (gt_format_count (512), "512");
  assert_string_equal (gt_format_count (1024), "2^10");
  assert_string_equal (gt_format_count (1000000), "1000000");
  assert_string_equal (gt_format_count (1ULL << 63), "2^63");
  assert_string_equal (gt_format_count (~0ULL), "18446744073709551615");
}

TEST (eight_numbers_live_at_once)
{
  const char *text[8];
  char expected[2] = "0";

  for (int i = 0; i < 8; i++)
    text[i] = gt_format_count (i);
  for (int i = 0; i < 8; i++, expected[0]++)
    assert_string_equal (text[i], expected);
}

RUN_TESTS (NULL, NULL)

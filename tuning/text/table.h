/* Tables for people on standard output.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TABLE_H
#define GT_TABLE_H

#include <stdio.h>

struct gt_table;

/* Returns a new table.  ALIGN has one letter for each column, 'l' or 'r'; HEADINGS is the
   first row, see gt_table_printf.  If memory is short, this and the following functions end
   the command.  */
struct gt_table *gt_table_new (const char *align, const char *headings, ...)
  __attribute__ ((format (printf, 2, 3)));
void gt_table_free (struct gt_table *table);

/* Adds a row, whose columns are separated by '\t'; missing columns at the end are empty.  */
void gt_table_printf (struct gt_table *table, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Adds the next cell to the row, or the first to a new row if the row is complete.  */
void gt_table_cell (struct gt_table *table, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Adds a line across all columns that describes the rows below it, unless it equals the line
   of the rows above.  */
void gt_table_group (struct gt_table *table, const char *text);
int gt_table_has_rows (const struct gt_table *table);

/* Excludes the last cell from the width of its column; it must be the last one of its row.  */
void gt_table_span (struct gt_table *table);

/* Prints the heading, a rule, and the rows, with columns two spaces apart and no trailing
   blanks, and frees TABLE.  Widths are in UTF-8 characters.  */
void gt_table_print (struct gt_table *table, FILE *stream);

/* Return numbers for people, in a ring of 8 static buffers: "1.25 us", "64 KiB", "4.65 TB/s",
   "2^20" or "1000000".  */
const char *gt_format_seconds (double seconds);
const char *gt_format_bytes (double bytes);
const char *gt_format_bandwidth (double bytes_per_second);
const char *gt_format_count (unsigned long long n);
/* Returns a share or a ratio, or a dash if it is not above 0, because it was not measured.  */
const char *gt_format_ratio (double ratio, const char *format);
/* Returns the shortest decimal number that reads back as X; a whole number is printed in full
   if that adds no digits: 250, not 2.5e+02.  Returns "inf", "-inf" or "nan" if X is not
   finite.  */
enum { GT_DOUBLE_SIZE = 32 };
const char *gt_format_double (double x);

#endif

/* Tables for people on standard output.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TABLE_H
#define GT_TABLE_H

#include <stdio.h>

struct gt_table;

/* ALIGN: one letter a column, 'l' or 'r'.  HEADINGS: the first row, see
   gt_table_printf.  Memory that is short ends the command, here and below.  */
struct gt_table *gt_table_new (const char *align, const char *headings, ...)
  __attribute__ ((format (printf, 2, 3)));
void gt_table_free (struct gt_table *table);

/* Begins a row, columns separated by '\t'; those that are missing in the end are empty.  */
void gt_table_printf (struct gt_table *table, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));
/* Adds the next cell to the row, or the first to a new one where it is full.  */
void gt_table_cell (struct gt_table *table, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Adds a line of its own across all columns, which names what the rows below it have in
   common, unless the rows above have the same in common.  */
void gt_table_group (struct gt_table *table, const char *text);
int gt_table_has_rows (const struct gt_table *table);

/* Leaves the cell added last out of its column's width: the row ends with it.  */
void gt_table_span (struct gt_table *table);

/* Prints the heading, a rule, and the rows, columns two spaces apart, no
   trailing blanks, and releases TABLE.  Widths count UTF-8 characters.  */
void gt_table_print (struct gt_table *table, FILE *stream);

/* Numbers for people, into a ring of static buffers (8 of them):
   "1.25 us", "64 KiB", "4.65 TB/s", "2^20" or "1000000".  */
const char *gt_format_seconds (double seconds);
const char *gt_format_bytes (double bytes);
const char *gt_format_bandwidth (double bytes_per_second);
const char *gt_format_count (unsigned long long n);
/* A share or a ratio; a dash where it was not measured, and so is not above
   0.  */
const char *gt_format_ratio (double ratio, const char *format);
/* The shortest decimal that reads back, but a whole number in full as long as that invents no
   digits: 250, not 2.5e+02.  "inf", "-inf" or "nan" if X is none.  */
enum { GT_DOUBLE_SIZE = 32 };
const char *gt_format_double (double x);

#endif

/* Tables for people on standard output.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/log.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

struct cell
{
  char *text; /* allocated, not null */
  int spans;  /* extends over the rest of its row */
};

struct gt_table
{
  size_t columns;
  size_t n;           /* the number of cells, row by row; the first row is the heading */
  size_t group;       /* the cell of the current group's line */
  struct cell *cells;
  char *align;
};

/* Returns the number of UTF-8 characters: every byte except continuation bytes begins one.  */
static size_t
width (const char *text)
{
  size_t count = 0;

  for (; *text; text++)
    count += ((unsigned char) *text & 0xC0) != 0x80;
  return count;
}

static void
add_cell (struct gt_table *table, const char *text)
{
  char *copy = gt_need (strdup (text));

  gt_make_printable (copy, "");
  table->cells = gt_need (reallocarray (table->cells, table->n + 1,
                                        sizeof *table->cells));
  table->cells[table->n++] = (struct cell) {.text = copy};
}

static void
end_row (struct gt_table *table)
{
  while (table->n % table->columns)
    add_cell (table, "");
}

static void
add_row (struct gt_table *table, const char *format, va_list arguments)
{
  char *text = gt_vtext (format, arguments), *rest = text;

  end_row (table);
  for (size_t i = 0; i < table->columns && rest; i++)
    add_cell (table, strsep (&rest, "\t"));
  free (text);
}

struct gt_table *
gt_table_new (const char *align, const char *headings, ...)
{
  struct gt_table *table = gt_need (calloc (1, sizeof *table));
  va_list arguments;

  table->columns = strlen (align);
  table->group = SIZE_MAX;
  table->align = gt_need (strdup (align));
  va_start (arguments, headings);
  add_row (table, headings, arguments);
  va_end (arguments);
  return table;
}

void
gt_table_free (struct gt_table *table)
{
  for (size_t i = 0; i < table->n; i++)
    free (table->cells[i].text);
  free (table->cells);
  free (table->align);
  free (table);
}

void
gt_table_printf (struct gt_table *table, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_row (table, format, arguments);
  va_end (arguments);
}

void
gt_table_cell (struct gt_table *table, const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = gt_vtext (format, arguments);
  va_end (arguments);
  add_cell (table, text);
  free (text);
}

void
gt_table_span (struct gt_table *table)
{
  table->cells[table->n - 1].spans = 1;
}

void
gt_table_group (struct gt_table *table, const char *text)
{
  if (table->group < table->n
      && strcmp (table->cells[table->group].text, text) == 0)
    return;
  gt_table_printf (table, "%s", text);
  gt_table_span (table);
  table->group = table->n - 1;
}

int
gt_table_has_rows (const struct gt_table *table)
{
  return table->n > table->columns;
}

/* Prints one row.  Blanks are delayed until a text follows, so that no line ends with one.  */
static void
print_row (const struct gt_table *table, const struct cell *cells,
           const size_t *widths, FILE *stream)
{
  size_t blanks = 0;

  for (size_t i = 0; i < table->columns; i++)
    {
      size_t padding = cells[i].spans ? 0 : widths[i] - width (cells[i].text);
      int right = table->align[i] == 'r' && !cells[i].spans;

      if (*cells[i].text == '\0')
        {
          blanks += widths[i] + 2;
          continue;
        }
      blanks += right ? padding : 0;
      fprintf (stream, "%*s", (int) blanks, "");
      fputs (cells[i].text, stream);
      blanks = 2 + (right ? 0 : padding);
    }
  putc ('\n', stream);
}

static void
print_rule (const struct gt_table *table, const size_t *widths, FILE *stream)
{
  for (size_t i = 0; i < table->columns; i++)
    {
      if (i > 0)
        fputs ("  ", stream);
      for (size_t k = 0; k < widths[i]; k++)
        putc ('-', stream);
    }
  putc ('\n', stream);
}

void
gt_table_print (struct gt_table *table, FILE *stream)
{
  size_t *widths = gt_need (calloc (table->columns, sizeof *widths));

  end_row (table);
  for (size_t i = 0; i < table->n; i++)
    {
      size_t w = width (table->cells[i].text);

      if (!table->cells[i].spans && widths[i % table->columns] < w)
        widths[i % table->columns] = w;
    }
  for (size_t i = 0; i < table->n; i += table->columns)
    {
      print_row (table, &table->cells[i], widths, stream);
      if (i == 0)
        print_rule (table, widths, stream);
    }
  free (widths);
  gt_table_free (table);
}

/* ---------------------------------------------------- Numbers for people */

#define RING 8
#define RING_TEXT GT_DOUBLE_SIZE

static char *
next_buffer (void)
{
  static char ring[RING][RING_TEXT];
  static unsigned turn;

  return ring[turn++ % RING];
}

/* Returns VALUE, whose unit is UNITS[0], with three significant digits in the largest unit in
   which it is at least one.  */
static const char *
format_scaled (double value, double base, const char *const *units)
{
  char *text = next_buffer ();

  if (!isfinite (value))
    return "-";
  while (units[1] && fabs (value) >= (base == 1024 ? 1023.5 : 999.5))
    {
      value /= base;
      units++;
    }
  snprintf (text, RING_TEXT, fabs (value) >= 999.5 ? "%.0f %s" : "%.3g %s",
            value, *units);
  return text;
}

const char *
gt_format_seconds (double seconds)
{
  static const char *const units[] = {"ns", "us", "ms", "s", NULL};

  return seconds == 0 ? "0 s" : format_scaled (seconds * 1e9, 1000, units);
}

const char *
gt_format_bytes (double bytes)
{
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};

  return format_scaled (bytes, 1024, units);
}

const char *
gt_format_bandwidth (double bytes_per_second)
{
  static const char *const units[]
    = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL};

  return format_scaled (bytes_per_second, 1000, units);
}

const char *
gt_format_count (unsigned long long n)
{
  char *text = next_buffer ();

  if (n >= 1024 && (n & (n - 1)) == 0)
    snprintf (text, RING_TEXT, "2^%d", __builtin_ctzll (n));
  else
    snprintf (text, RING_TEXT, "%llu", n);
  return text;
}

const char *
gt_format_ratio (double ratio, const char *format)
{
  char *text = next_buffer ();

  snprintf (text, RING_TEXT, ratio > 0 ? format : "-", ratio);
  return text;
}

const char *
gt_format_double (double x)
{
  char *text = next_buffer ();
  int digits = 0, exponent;

  if (!isfinite (x))
    return isnan (x) ? "nan" : x > 0 ? "inf" : "-inf";
  do
    snprintf (text, RING_TEXT, "%.*e", digits, x);
  while (digits++ < DBL_DECIMAL_DIG - 1 && strtod (text, NULL) != x);
  exponent = atoi (strchr (text, 'e') + 1);
  if (exponent >= digits && exponent < DBL_DECIMAL_DIG)
    digits = exponent + 1;
  snprintf (text, RING_TEXT, "%.*g", digits, x);
  return text;
}

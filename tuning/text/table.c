/* Tables for people on standard output.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/printable.h"
#include "tuning/text/cli.h"
#include "tuning/text/table.h"

struct cell
{
  char *text;         /* allocated, not null */
  const char *colour; /* null: the terminal's own */
  int spans;          /* runs over the rest of its row */
};

struct gt_table
{
  size_t columns;
  size_t rows;     /* the heading is row 0 */
  size_t capacity; /* rows */
  struct cell *cells; /* row by row */
  char *align;
  int incomplete;  /* memory was short for a row */
};

/* Characters of UTF-8: every byte but continuation bytes begins one.  */
static size_t
width (const char *text)
{
  size_t count = 0;

  for (; *text; text++)
    count += ((unsigned char) *text & 0xC0) != 0x80;
  return count;
}

static char *
copy_cell (const char *text)
{
  char *copy = strdup (text);

  if (copy)
    gt_make_printable (copy, "");
  return copy;
}

static int
reserve_row (struct gt_table *table)
{
  size_t capacity = table->capacity ? 2 * table->capacity : 16;
  struct cell *cells;

  if (table->rows < table->capacity)
    return 0;
  cells = reallocarray (table->cells, capacity,
                        table->columns * sizeof *cells);
  if (cells == NULL)
    return -1;
  table->cells = cells;
  table->capacity = capacity;
  return 0;
}

static int
add_row (struct gt_table *table, const char *const *cells)
{
  struct cell *row;

  if (reserve_row (table))
    return -1;
  row = table->cells + table->rows * table->columns;
  for (size_t i = 0; i < table->columns; i++)
    {
      row[i] = (struct cell) {.text = copy_cell (cells[i])};
      if (row[i].text == NULL)
        {
          while (i > 0)
            free (row[--i].text);
          return -1;
        }
    }
  table->rows++;
  return 0;
}

struct gt_table *
gt_table_new (const char *const *headings, const char *align)
{
  struct gt_table *table = calloc (1, sizeof *table);

  if (table == NULL)
    return NULL;
  table->columns = strlen (align);
  table->align = strdup (align);
  if (table->align == NULL || add_row (table, headings))
    {
      gt_table_free (table);
      return NULL;
    }
  return table;
}

void
gt_table_free (struct gt_table *table)
{
  if (table == NULL)
    return;
  for (size_t i = 0; i < table->rows * table->columns; i++)
    free (table->cells[i].text);
  free (table->cells);
  free (table->align);
  free (table);
}

void
gt_table_row (struct gt_table *table, const char *const *cells)
{
  if (table && add_row (table, cells))
    table->incomplete = 1;
}

/* Adds the row whose cells TEXT holds, separated by tabs; missing ones are
   empty.  Modifies TEXT.  */
static int
add_text (struct gt_table *table, char *text)
{
  const char **cells = calloc (table->columns, sizeof *cells);
  int status;

  if (cells == NULL)
    return -1;
  for (size_t i = 0; i < table->columns; i++)
    cells[i] = text ? strsep (&text, "\t") : "";
  status = add_row (table, cells);
  free (cells);
  return status;
}

void
gt_table_printf (struct gt_table *table, const char *format, ...)
{
  va_list arguments;
  char *text;
  int length;

  if (table == NULL)
    return;
  va_start (arguments, format);
  length = vasprintf (&text, format, arguments);
  va_end (arguments);
  if (length < 0)
    {
      table->incomplete = 1;
      return;
    }
  if (add_text (table, text))
    table->incomplete = 1;
  free (text);
}

/* The cell of COLUMN in the row added last; null when there is none.  */
static struct cell *
last_cell (struct gt_table *table, size_t column)
{
  return table && !table->incomplete
           ? table->cells + (table->rows - 1) * table->columns + column : NULL;
}

void
gt_table_colour (struct gt_table *table, size_t column, const char *colour)
{
  struct cell *cell = last_cell (table, column);

  if (cell)
    cell->colour = colour;
}

void
gt_table_span (struct gt_table *table, size_t column)
{
  struct cell *cell = last_cell (table, column);

  if (cell)
    cell->spans = 1;
}

void
gt_table_group (struct gt_table *table, const char *text)
{
  if (table == NULL || table->incomplete)
    return;
  const char **cells = calloc (table->columns, sizeof *cells);

  for (size_t i = 0; cells && i < table->columns; i++)
    cells[i] = i ? "" : text;
  if (cells)
    gt_table_row (table, cells);
  else
    table->incomplete = 1;
  free (cells);
  gt_table_span (table, 0);
}

static void
print_cell (const struct cell *cell, FILE *stream)
{
  if (cell->colour)
    fprintf (stream, "\033[%sm%s\033[m", cell->colour, cell->text);
  else
    fputs (cell->text, stream);
}

/* Prints one row.  Blanks are held back until something follows them, so that
   no line ends in one.  */
static void
print_row (const struct gt_table *table, size_t row, const size_t *widths,
           FILE *stream)
{
  const struct cell *cells = table->cells + row * table->columns;
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
      print_cell (&cells[i], stream);
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
gt_table_print (const struct gt_table *table, FILE *stream)
{
  size_t *widths = table ? calloc (table->columns, sizeof *widths) : NULL;

  if (widths == NULL)
    {
      gt_error ("not enough memory to print a table");
      return;
    }
  for (size_t i = 0; i < table->rows * table->columns; i++)
    {
      size_t w = width (table->cells[i].text);

      if (!table->cells[i].spans && widths[i % table->columns] < w)
        widths[i % table->columns] = w;
    }
  print_row (table, 0, widths, stream);
  print_rule (table, widths, stream);
  for (size_t row = 1; row < table->rows; row++)
    print_row (table, row, widths, stream);
  free (widths);
  if (table->incomplete)
    gt_error ("not enough memory: rows are missing from this table");
}

void
gt_print_item (int columns, const char *label, const char *format, ...)
{
  va_list arguments;

  printf ("  %-*s  ", columns, label);
  va_start (arguments, format);
  vprintf (format, arguments);
  va_end (arguments);
  putchar ('\n');
}

void
gt_table_finish (struct gt_table *table, FILE *stream)
{
  gt_table_print (table, stream);
  gt_table_free (table);
}

int
gt_want_colours (void)
{
  const char *no_color = getenv ("NO_COLOR"), *term = getenv ("TERM");

  return isatty (STDOUT_FILENO) && (no_color == NULL || *no_color == '\0')
         && term && strcmp (term, "dumb") != 0;
}

/* ---------------------------------------------------- Numbers for people */

#define RING 8
#define RING_TEXT 32

static char *
next_buffer (void)
{
  static char ring[RING][RING_TEXT];
  static unsigned turn;

  return ring[turn++ % RING];
}

/* VALUE, which is in UNITS[0], with three significant digits in the largest
   unit that leaves it at one or more.  */
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

/* What the benchmark prints.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning/table.h"

#define MAX_CELLS 13 /* the columns and the remark */
#define CELL_SIZE 96

static unsigned
count_columns (const struct gt_form *form)
{
  unsigned n = 0;

  while (form->columns[n].heading)
    n++;
  return n;
}

/* Returns TEXT.  */
static const char *
format_value (enum gt_unit unit, double value, char text[CELL_SIZE])
{
  if (isnan (value))
    strcpy (text, "-");
  else if (unit == GT_UNIT_GAIN || unit == GT_UNIT_SHARE)
    snprintf (text, CELL_SIZE, "%.3f", value);
  else
    snprintf (text, CELL_SIZE, "%s",
              unit == GT_UNIT_COUNT
                ? gt_format_count ((unsigned long long) value)
              : unit == GT_UNIT_SECONDS ? gt_format_seconds (value)
                                        : gt_format_bandwidth (value));
  return text;
}

/* -------------------------------------------------------------- Header */

void
gt_facts_print (const struct gt_fact *facts, unsigned n, enum gt_format format)
{
  for (unsigned i = 0; i < n; i++)
    if (format == GT_FORMAT_MARKDOWN)
      printf ("- %s: %s\n", facts[i].key, facts[i].text);
    else
      printf ("%-12s %s\n", facts[i].key, facts[i].text);
  putchar ('\n');
}

json_t *
gt_facts_json (const struct gt_fact *facts, unsigned n)
{
  json_t *object = json_object ();

  for (unsigned i = 0; i < n; i++)
    json_object_set_new (object, facts[i].key, json_string (facts[i].text));
  return object;
}

/* -------------------------------------------------------------- Sheets */

static void
print_markdown_row (const char *const *cells)
{
  for (; *cells; cells++)
    printf ("| %s ", *cells);
  puts ("|");
}

/* Figures stand to the right, the remark to the left.  */
static void
print_markdown_rule (const struct gt_form *form)
{
  for (unsigned i = 0; i < count_columns (form); i++)
    fputs ("|---:", stdout);
  puts (form->remark ? "|:---|" : "|");
}

/* The cells of ROW, null-terminated, in CELLS; null: the headings.  */
static void
make_cells (const struct gt_form *form, const struct gt_row *row,
            char text[MAX_CELLS][CELL_SIZE], const char *cells[MAX_CELLS + 1])
{
  unsigned n = count_columns (form);

  for (unsigned i = 0; i < n; i++)
    cells[i] = row == NULL ? form->columns[i].heading
                           : format_value (form->columns[i].unit,
                                           row->value[i], text[i]);
  if (form->remark)
    cells[n++] = row ? row->remark : form->remark;
  cells[n] = NULL;
}

static void
print_markdown (const struct gt_sheet *sheet)
{
  char text[MAX_CELLS][CELL_SIZE];
  const char *cells[MAX_CELLS + 1];

  make_cells (sheet->form, NULL, text, cells);
  print_markdown_row (cells);
  print_markdown_rule (sheet->form);
  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      make_cells (sheet->form, &sheet->rows[i], text, cells);
      print_markdown_row (cells);
    }
}

static void
print_text (const struct gt_sheet *sheet)
{
  char text[MAX_CELLS][CELL_SIZE], align[MAX_CELLS + 1] = "";
  const char *cells[MAX_CELLS + 1];
  struct gt_table *table;

  memset (align, 'r', count_columns (sheet->form));
  if (sheet->form->remark)
    strcat (align, "l");
  make_cells (sheet->form, NULL, text, cells);
  table = gt_table_new (cells, align);
  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      make_cells (sheet->form, &sheet->rows[i], text, cells);
      gt_table_row (table, cells);
    }
  gt_table_print (table, stdout);
  gt_table_free (table);
}

void
gt_sheet_print (const struct gt_sheet *sheet, enum gt_format format)
{
  printf (format == GT_FORMAT_MARKDOWN ? "### %s\n\n%s.\n\n"
                                       : "%s: %s\n\n",
          sheet->form->name, sheet->form->title);
  if (sheet->n_rows && format == GT_FORMAT_MARKDOWN)
    print_markdown (sheet);
  else if (sheet->n_rows)
    print_text (sheet);
  if (*sheet->note)
    printf ("%s%s\n", sheet->n_rows ? "\n" : "", sheet->note);
  putchar ('\n');
  fflush (stdout);
}

/* ---------------------------------------------------------------- Bars */

struct worst
{
  int found;
  double value;
  uint64_t n;    /* where */
  uint64_t last; /* the largest n measured */
};

static int
less_is_better (const struct gt_form *form, unsigned column)
{
  enum gt_unit unit = form->columns[column].unit;

  return unit == GT_UNIT_SECONDS || unit == GT_UNIT_SHARE;
}

static struct worst
find_worst (const struct gt_sheet *sheet, unsigned column, uint64_t from,
            uint64_t to)
{
  struct worst worst = {0};

  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      double value = sheet->rows[i].value[column];
      uint64_t n = (uint64_t) sheet->rows[i].value[0];

      if (isnan (value) || n < from || n > to)
        continue;
      if (!worst.found
          || (less_is_better (sheet->form, column) ? value > worst.value
                                                   : value < worst.value))
        {
          worst.value = value;
          worst.n = n;
        }
      worst.found = 1;
      worst.last = n;
    }
  return worst;
}

static int
meets (const struct gt_form *form, const struct gt_bar *bar, double value)
{
  return less_is_better (form, bar->column) ? value <= bar->bound
                                            : value >= bar->bound;
}

static void
print_bar (const struct gt_sheet *sheet, const struct gt_bar *bar, int cores)
{
  const struct gt_form *form = sheet->form;
  struct worst worst = find_worst (sheet, bar->column, bar->from, bar->to);
  char text[CELL_SIZE];

  printf ("- bar: %s: %s: ", form->name, bar->text);
  if (!worst.found)
    {
      puts ("not measured");
      return;
    }
  if (cores < bar->cores)
    printf ("not comparable, this machine has %d cores; ", cores);
  else
    fputs (meets (form, bar, worst.value) ? "reached " : "MISSED ", stdout);
  printf ("%s at %s = %s",
          format_value (form->columns[bar->column].unit, worst.value, text),
          form->columns[0].heading, gt_format_count (worst.n));
  if (worst.last < bar->to && bar->to != UINT64_MAX)
    printf (" (measured up to %s)", gt_format_count (worst.last));
  putchar ('\n');
}

void
gt_bars_print (const struct gt_sheet *sheet, int cores)
{
  const struct gt_form *form = sheet->form;
  char text[CELL_SIZE];

  for (unsigned i = 0; form->columns[i].heading; i++)
    {
      enum gt_unit unit = form->columns[i].unit;
      struct worst worst = find_worst (sheet, i, 0, UINT64_MAX);

      if (worst.found && (unit == GT_UNIT_GAIN || unit == GT_UNIT_SHARE))
        printf ("- worst: %s: %s: %s at %s = %s\n", form->name,
                form->columns[i].heading,
                format_value (unit, worst.value, text),
                form->columns[0].heading, gt_format_count (worst.n));
    }
  for (const struct gt_bar *bar = form->bars; bar->text; bar++)
    print_bar (sheet, bar, cores);
}

/* ---------------------------------------------------------------- JSON */

static json_t *
row_json (const struct gt_form *form, const struct gt_row *row)
{
  json_t *object = json_object ();

  for (unsigned i = 0; form->columns[i].heading; i++)
    {
      double value = row->value[i];
      json_t *figure = isnan (value) ? json_null ()
                       : form->columns[i].unit == GT_UNIT_COUNT
                         ? json_integer ((json_int_t) value)
                         : json_real (value);

      json_object_set_new (object, form->columns[i].key, figure);
    }
  if (form->remark)
    json_object_set_new (object, "remark", json_string (row->remark));
  return object;
}

static json_t *
bar_json (const struct gt_sheet *sheet, const struct gt_bar *bar, int cores)
{
  struct worst worst = find_worst (sheet, bar->column, bar->from, bar->to);
  int judged = worst.found && cores >= bar->cores;

  return json_pack (
    "{s:s, s:s, s:f, s:o, s:o, s:o}", "bar", bar->text, "column",
    sheet->form->columns[bar->column].key, "bound", bar->bound, "worst",
    worst.found ? json_real (worst.value) : json_null (), "at",
    worst.found ? json_integer ((json_int_t) worst.n) : json_null (),
    "reached",
    judged ? json_boolean (meets (sheet->form, bar, worst.value))
           : json_null ());
}

json_t *
gt_sheet_json (const struct gt_sheet *sheet, int cores)
{
  json_t *rows = json_array (), *bars = json_array ();

  for (unsigned i = 0; i < sheet->n_rows; i++)
    json_array_append_new (rows, row_json (sheet->form, &sheet->rows[i]));
  for (const struct gt_bar *bar = sheet->form->bars; bar->text; bar++)
    json_array_append_new (bars, bar_json (sheet, bar, cores));
  return json_pack ("{s:s, s:s, s:s, s:o, s:o}", "name", sheet->form->name,
                    "title", sheet->form->title, "note", sheet->note, "rows",
                    rows, "bars", bars);
}

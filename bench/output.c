/* The benchmark's output.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "bench/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning/text/table.h"

#define MAX_CELLS (GT_COLUMNS + 1) /* and the remark */
#define CELL_SIZE 96

static unsigned
count_columns (const struct gt_form *form)
{
  unsigned n = 0;

  while (form->columns[n].heading)
    n++;
  return n;
}

const char *const gt_function_names[GT_N_NAMES] = {
#define X(id, name) #name,
  GT_BENCH_FUNCTIONS (X) GT_BENCH_SYSTEMS (X)
#undef X
};

/* Returns TEXT.  */
static const char *
format_value (enum gt_unit unit, double value, char text[CELL_SIZE])
{
  if (isnan (value))
    strcpy (text, "-");
  else if (unit == GT_UNIT_GAIN || unit == GT_UNIT_SHARE)
    snprintf (text, CELL_SIZE, "%.3f", value);
  else if (unit == GT_UNIT_FUNCTION)
    snprintf (text, CELL_SIZE, "%s", gt_function_names[(int) value]);
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

/* ALIGN: a letter a column, as gt_table_new takes them.  */
static void
print_markdown_rule (const char *align)
{
  for (; *align; align++)
    fputs (*align == 'r' ? "|---:" : "|:---", stdout);
  puts ("|");
}

static int
less_is_better (const struct gt_form *form, unsigned column)
{
  enum gt_unit unit = form->columns[column].unit;

  return unit == GT_UNIT_SECONDS || unit == GT_UNIT_SHARE;
}

static int
meets (const struct gt_form *form, unsigned column, double bound, double value)
{
  return less_is_better (form, column) ? value <= bound : value >= bound;
}

/* The cells of ROW, null-terminated, in CELLS; null: the headings.  Figures are aligned to the
   right, the remark to the left.  */
static void
make_cells (const struct gt_form *form, const struct gt_row *row,
            char text[MAX_CELLS][CELL_SIZE], const char *cells[MAX_CELLS + 1],
            char align[MAX_CELLS + 1])
{
  unsigned n = count_columns (form);

  for (unsigned i = 0; i < n; i++)
    cells[i] = row == NULL ? form->columns[i].heading
                           : format_value (form->columns[i].unit, row->value[i], text[i]);
  memset (align, 'r', n);
  if (form->remark)
    {
      align[n] = 'l';
      cells[n++] = row ? row->remark : form->remark;
    }
  align[n] = '\0';
  cells[n] = NULL;
}

static void
print_markdown (const struct gt_sheet *sheet)
{
  char text[MAX_CELLS][CELL_SIZE], align[MAX_CELLS + 1];
  const char *cells[MAX_CELLS + 1];

  make_cells (sheet->form, NULL, text, cells, align);
  print_markdown_row (cells);
  print_markdown_rule (align);
  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      make_cells (sheet->form, &sheet->rows[i], text, cells, align);
      print_markdown_row (cells);
    }
}

static void
print_text (const struct gt_sheet *sheet)
{
  char text[MAX_CELLS][CELL_SIZE], align[MAX_CELLS + 1];
  const char *cells[MAX_CELLS + 1];
  struct gt_table *table;

  make_cells (sheet->form, NULL, text, cells, align);
  table = gt_table_new (align, "%s", cells[0]);
  for (unsigned k = 1; cells[k]; k++)
    gt_table_cell (table, "%s", cells[k]);
  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      make_cells (sheet->form, &sheet->rows[i], text, cells, align);
      for (unsigned k = 0; cells[k]; k++)
        gt_table_cell (table, "%s", cells[k]);
    }
  gt_table_print (table, stdout);
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
  const struct gt_row *row; /* where; null: not measured */
  double value;
  uint64_t last;            /* the largest n measured */
  unsigned n, missed;       /* rows, and those beyond the bound */
  double mean;              /* the geometric one */
};

static int
concerns (const struct gt_form *form, const struct gt_bar *bar,
          const struct gt_row *row)
{
  uint64_t n = (uint64_t) row->value[0];

  return !isnan (row->value[bar->column]) && n >= bar->from && n <= bar->to
         && (bar->second == GT_ANY || (int) row->value[form->second] == bar->second);
}

static struct worst
find_worst (const struct gt_sheet *sheet, const struct gt_bar *bar)
{
  struct worst worst = {0};
  double logarithms = 0;

  for (unsigned i = 0; i < sheet->n_rows; i++)
    {
      double value = sheet->rows[i].value[bar->column];
      uint64_t n = (uint64_t) sheet->rows[i].value[0];

      if (!concerns (sheet->form, bar, &sheet->rows[i]))
        continue;
      worst.n++;
      worst.missed += !meets (sheet->form, bar->column, bar->bound, value);
      logarithms += log (value);
      if (worst.row == NULL
          || !meets (sheet->form, bar->column, worst.value, value))
        {
          worst.row = &sheet->rows[i];
          worst.value = value;
        }
      if (n > worst.last)
        worst.last = n;
    }
  worst.mean = exp (logarithms / worst.n);
  return worst;
}

static void
print_where (const struct gt_form *form, const struct gt_row *row)
{
  const struct gt_column *second = &form->columns[form->second];
  char text[CELL_SIZE];

  printf (" at %s = %s", form->columns[0].heading,
          gt_format_count ((unsigned long long) row->value[0]));
  if (form->second)
    printf (", %s %s", second->heading,
            format_value (second->unit, row->value[form->second], text));
}

/* The beginning of a bar's line, up to VALUE; returns 0 when there is none, since
   nothing was measured.  */
static int
print_verdict (const struct gt_form *form, const struct gt_bar *bar,
               const struct worst *worst, double value)
{
  char text[CELL_SIZE];

  printf ("- bar: %s: %s: ", form->name, bar->text);
  if (worst->row == NULL)
    {
      puts ("not measured");
      return 0;
    }
  fputs (meets (form, bar->column, bar->bound, value) ? "reached " : "MISSED ", stdout);
  fputs (format_value (form->columns[bar->column].unit, value, text), stdout);
  return 1;
}

static void
print_bar (const struct gt_sheet *sheet, const struct gt_bar *bar)
{
  const struct gt_form *form = sheet->form;
  struct worst worst = find_worst (sheet, bar);

  if (!print_verdict (form, bar, &worst, worst.value))
    return;
  print_where (form, worst.row);
  if (worst.missed && worst.n > 1)
    printf (" (%u of %u short)", worst.missed, worst.n);
  if (worst.last < bar->to && bar->to != UINT64_MAX)
    printf (" (measured up to %s)", gt_format_count (worst.last));
  putchar ('\n');
}

static void
print_mean (const struct gt_sheet *sheet, const struct gt_bar *bar)
{
  struct worst worst = find_worst (sheet, bar);

  if (print_verdict (sheet->form, bar, &worst, worst.mean))
    printf (" over %u lengths\n", worst.n);
}

void
gt_bars_print (const struct gt_sheet *sheet)
{
  const struct gt_form *form = sheet->form;
  char text[CELL_SIZE];

  for (unsigned i = 0; form->columns[i].heading; i++)
    {
      enum gt_unit unit = form->columns[i].unit;
      struct gt_bar all = {NULL, i, 0, 0, UINT64_MAX, GT_ANY};
      struct worst worst = find_worst (sheet, &all);

      if (worst.row == NULL
          || (unit != GT_UNIT_GAIN && unit != GT_UNIT_SHARE))
        continue;
      printf ("- worst: %s: %s: %s", form->name, form->columns[i].heading,
              format_value (unit, worst.value, text));
      print_where (form, worst.row);
      putchar ('\n');
    }
  for (const struct gt_bar *bar = form->bars; bar->text; bar++)
    print_bar (sheet, bar);
  for (const struct gt_bar *bar = form->means; bar->text; bar++)
    print_mean (sheet, bar);
}

/* ---------------------------------------------------------------- JSON */

static void
add_figure (json_t *object, const struct gt_column *column, double value)
{
  json_t *figure = isnan (value) ? json_null ()
                   : column->unit == GT_UNIT_COUNT
                     ? json_integer ((json_int_t) value)
                   : column->unit == GT_UNIT_FUNCTION
                     ? json_string (gt_function_names[(int) value])
                     : json_real (value);

  json_object_set_new (object, column->key, figure);
}

static json_t *
row_json (const struct gt_form *form, const struct gt_row *row)
{
  json_t *object = json_object ();

  for (unsigned i = 0; form->columns[i].heading; i++)
    add_figure (object, &form->columns[i], row->value[i]);
  if (form->remark)
    json_object_set_new (object, "remark", json_string (row->remark));
  return object;
}

/* The line about any bar: the figure KEY, VALUE, was held to it.  */
static json_t *
verdict_json (const struct gt_form *form, const struct gt_bar *bar,
              const struct worst *worst, const char *key, double value)
{
  return json_pack (
    "{s:s, s:s, s:f, s:o, s:o}", "bar", bar->text, "column",
    form->columns[bar->column].key, "bound", bar->bound, key,
    worst->row ? json_real (value) : json_null (), "reached",
    worst->row ? json_boolean (meets (form, bar->column, bar->bound, value)) : json_null ());
}

static json_t *
bar_json (const struct gt_sheet *sheet, const struct gt_bar *bar)
{
  const struct gt_form *form = sheet->form;
  struct worst worst = find_worst (sheet, bar);
  json_t *object
    = verdict_json (form, bar, &worst, "worst", worst.value);

  json_object_set_new (object, "at",
                       worst.row
                         ? json_integer ((json_int_t) worst.row->value[0])
                         : json_null ());
  json_object_set_new (object, "rows", json_integer (worst.n));
  json_object_set_new (object, "short", json_integer (worst.missed));
  if (form->second && worst.row)
    add_figure (object, &form->columns[form->second],
                worst.row->value[form->second]);
  return object;
}

static json_t *
mean_json (const struct gt_sheet *sheet, const struct gt_bar *bar)
{
  struct worst worst = find_worst (sheet, bar);
  json_t *object
    = verdict_json (sheet->form, bar, &worst, "mean", worst.mean);

  json_object_set_new (object, "rows", json_integer (worst.n));
  return object;
}

json_t *
gt_sheet_json (const struct gt_sheet *sheet)
{
  json_t *rows = json_array (), *bars = json_array ();
  json_t *means = json_array ();

  for (unsigned i = 0; i < sheet->n_rows; i++)
    json_array_append_new (rows, row_json (sheet->form, &sheet->rows[i]));
  for (const struct gt_bar *bar = sheet->form->bars; bar->text; bar++)
    json_array_append_new (bars, bar_json (sheet, bar));
  for (const struct gt_bar *bar = sheet->form->means; bar->text; bar++)
    json_array_append_new (means, mean_json (sheet, bar));
  return json_pack ("{s:s, s:s, s:s, s:o, s:o, s:o}", "name", sheet->form->name, "title",
                    sheet->form->title, "note", sheet->note, "rows", rows, "bars", bars,
                    "means", means);
}

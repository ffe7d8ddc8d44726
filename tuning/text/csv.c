/* Reading columns of numbers from files of CSV.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/text/cli.h"
#include "tuning/text/csv.h"
#include "tuning/text/decimal.h"
#include "tuning/text/source.h"

/* A file being read.  */
struct table
{
  struct gt_source source;
  struct gt_csv *csv;
  char **first;               /* the cells of its first record, until it has ended */
  struct gt_csv_column **of;  /* by place: what a cell is for, or null */
  size_t width;               /* cells of a record; 0 before the first has ended */
  size_t at;                  /* the next cell's place */
};

/* The end of a cell.  */
enum ending
{
  DELIMITER,
  LINE,
  UNKNOWN, /* its end has not been read yet */
  WRONG    /* and there is a message */
};

struct cell
{
  char *from, *to, *next; /* NEXT: of the next one */
  uintmax_t lines;        /* inside quotes */
};

static int
is_blank (const struct table *t, char c)
{
  return (c == ' ' || c == '\t') && c != t->csv->delimiter;
}

/* Where a message is about the cell at T->at.  */
static void
name_cell (struct table *t)
{
  const struct gt_csv_column *const column = t->at < t->width ? t->of[t->at] : NULL;

  t->source.at = t->at;
  t->source.column = column ? column->shown : "";
}

static enum ending
wrong (struct table *t, const char *what)
{
  name_cell (t);
  gt_source_fail (&t->source, t->source.line, "%s", what);
  return WRONG;
}

/* ------------------------------------------------------------------ Cells */

/* Tells how a cell ends, by the text at P, behind its blanks.  */
static enum ending
look_behind (const struct table *t, char *p, const char *end, int last, struct cell *cell)
{
  if (p < end && *p == t->csv->delimiter)
    {
      cell->next = p + 1;
      return DELIMITER;
    }
  p += p < end && *p == '\r';
  if (p == end && !last)
    return UNKNOWN;
  cell->next = p + (p < end);
  return p == end || *p == '\n' ? LINE : WRONG;
}

/* The quoted cell behind whose first quote is P.  */
static enum ending
quoted_cell (struct table *t, char *p, char *end, int last, struct cell *cell)
{
  enum ending ending;

  cell->from = p;
  for (; p < end; p++)
    {
      cell->lines += *p == '\n';
      if (*p == '"' && p + 1 < end && p[1] == '"')
        p++;
      else if (*p == '"')
        break;
    }
  if (p >= end)
    return last ? wrong (t, "a quote begins here and does not end: write two for one inside")
                : UNKNOWN;
  cell->to = p++;
  while (p < end && is_blank (t, *p))
    p++;
  ending = look_behind (t, p, end, last, cell);
  return ending == WRONG ? wrong (t, "text behind a quoted cell: write two quotes for one inside")
                         : ending;
}

/* The cell at P, in what has been read up to END.  */
static enum ending
any_cell (struct table *t, char *p, char *end, int last, struct cell *cell)
{
  const char delimiter = t->csv->delimiter;

  *cell = (struct cell) {0};
  while (p < end && is_blank (t, *p))
    p++;
  if (p < end && *p == '"')
    return quoted_cell (t, p + 1, end, last, cell);
  cell->from = p;
  while (p < end && *p != delimiter && *p != '\n' && *p != '\0')
    p++;
  if (p < end && *p == '\0')
    return wrong (t, "a NUL byte: this is not text; read binary data with --raw TYPE");
  if (p == end && !last)
    return UNKNOWN;
  cell->to = p;
  while (cell->to > cell->from && (is_blank (t, cell->to[-1]) || cell->to[-1] == '\r'))
    cell->to--;
  return look_behind (t, p, end, last, cell);
}

/* Appends the number in a cell.  */
static int
take_cell (struct table *t, struct gt_csv_column *column, char *from, char *to)
{
  name_cell (t);
  t->source.numbers = column->numbers;
  if (from == to)
    return gt_source_fail (&t->source, t->source.line,
                           "nothing is there: for a number that is not known write nan");
  return gt_source_take (&t->source, from, to);
}

/* The number at P, if it is a double of few digits that a delimiter or a line's end
   follows: then returns where the next cell begins, else null.  */
static char *
take_quickly (struct table *t, struct gt_csv_column *column, char *p, const char *end,
              enum ending *ending)
{
  struct gt_numbers *const numbers = column->numbers;
  double value;
  char *const q = (char *) gt_decimal (p, end, &value);

  if (q == NULL || q >= end || numbers->n == numbers->capacity
      || (*q != t->csv->delimiter && *q != '\n'))
    return NULL;
  ((double *) numbers->data)[numbers->n] = value;
  if (numbers->line)
    numbers->line[numbers->n] = t->source.line;
  numbers->n++;
  *ending = *q == '\n' ? LINE : DELIMITER;
  return q + 1;
}

/* ---------------------------------------------------------- The first record */

/* Keeps the cell at T->at, its quotes resolved.  */
static int
keep_cell (struct table *t, const struct cell *cell)
{
  char **more = realloc (t->first, (t->at + 1) * sizeof *more), *to;

  if (more)
    t->first = more;
  to = more ? malloc ((size_t) (cell->to - cell->from) + 1) : NULL;
  if (to == NULL)
    return gt_source_fail (&t->source, 0, "not enough memory to read it");
  t->first[t->at] = to;
  for (const char *p = cell->from; p < cell->to; p++)
    {
      p += p + 1 < cell->to && p[0] == '"' && p[1] == '"';
      *to++ = *p;
    }
  *to = '\0';
  return 0;
}

static int
is_number (const char *text)
{
  char *end;

  strtod (text, &end);
  return end > text && *end == '\0';
}

/* The place of the column that LENGTH bytes at NAME tell, or the width.  */
static size_t
find (const struct table *t, int names, const char *name, size_t length)
{
  size_t i = 0, number = 0;

  for (; names && i < t->width; i++)
    if (strlen (t->first[i]) == length && memcmp (t->first[i], name, length) == 0)
      return i;
  for (i = 0; i < length && name[i] >= '0' && name[i] <= '9' && number <= t->width; i++)
    number = 10 * number + (size_t) (name[i] - '0');
  return length > 0 && i == length && number > 0 && number <= t->width ? number - 1
                                                                        : t->width;
}

static int
add_column (struct table *t, size_t at)
{
  struct gt_csv *csv = t->csv;
  struct gt_csv_column *column = &csv->column[csv->n];

  for (size_t k = 0; k < csv->n; k++)
    if (csv->column[k].at == at)
      return gt_source_fail (&t->source, 0, "--columns: column %zu is named twice", at + 1);
  csv->n++;
  column->at = at;
  column->name = csv->has_header ? gt_text ("%s", t->first[at]) : gt_text ("%zu", at + 1);
  column->shown = csv->has_header
                    ? gt_text (" (%s)", gt_quote (t->first[at], strlen (t->first[at])))
                    : gt_text ("%s", "");
  return 0;
}

/* LENGTH bytes at NAME name none.  */
static int
no_column (struct table *t, const char *name, size_t length)
{
  char names[300] = "";
  int has_comma = 0;

  for (size_t i = 0; t->csv->has_header && i < t->width; i++)
    {
      gt_list_add (names, sizeof names, "%s", gt_quote (t->first[i], strlen (t->first[i])));
      has_comma |= strchr (t->first[i], ',') != NULL;
    }
  return gt_source_fail (&t->source, t->source.line,
                         "--columns: there is no column '%s': there are %zu%s%s%s",
                         gt_quote (name, length), t->width,
                         t->csv->has_header ? ": " : " and no names", names,
                         has_comma ? "; one whose name has a comma is told by its number"
                         : t->width == 1 ? "; does --delimiter say what is between them?" : "");
}

/* Those that are wanted, in that order.  */
static int
choose_columns (struct table *t)
{
  struct gt_csv *csv = t->csv;
  const char *word = csv->wanted;

  csv->column = gt_need (calloc (t->width, sizeof *csv->column));
  for (size_t i = 0; word == NULL && i < t->width; i++)
    add_column (t, i);
  for (size_t length; word; word = word[length] ? word + length + 1 : NULL)
    {
      size_t at;

      length = strcspn (word, ",");
      at = find (t, csv->has_header, word, length);
      if (at == t->width)
        return no_column (t, word, length);
      if (add_column (t, at))
        return -1;
    }
  csv->start (csv->closure, csv);
  return 0;
}

/* Finds in a further file the columns of the first.  */
static int
find_columns (struct table *t, int header)
{
  struct gt_csv *csv = t->csv;

  if (header != csv->has_header)
    return gt_source_fail (&t->source, t->source.line,
                           header ? "a header, which the files before have not"
                                  : "no header, which the files before have");
  for (size_t k = 0; k < csv->n; k++)
    {
      struct gt_csv_column *column = &csv->column[k];

      if (header)
        column->at = find (t, 1, column->name, strlen (column->name));
      if (column->at >= t->width)
        return gt_source_fail (&t->source, t->source.line,
                               "there is no column '%s', which the files before have",
                               gt_quote (column->name, strlen (column->name)));
    }
  return 0;
}

/* Called when the first record has ended: the columns are known, and, where there is no
   header, their first numbers.  */
static int
begin_table (struct table *t)
{
  int header = 0, status;

  t->width = t->at + 1;
  for (size_t i = 0; i < t->width; i++)
    header |= !is_number (t->first[i]);
  t->of = calloc (t->width, sizeof (struct gt_csv_column *));
  if (t->of == NULL)
    return gt_source_fail (&t->source, 0, "not enough memory to read it");
  if (t->csv->column == NULL)
    {
      t->csv->has_header = header;
      status = choose_columns (t);
    }
  else
    status = find_columns (t, header);
  for (size_t k = 0; k < t->csv->n && status == 0; k++)
    {
      struct gt_csv_column *column = &t->csv->column[k];

      t->of[column->at] = column;
      t->at = column->at;
      if (!header)
        status = take_cell (t, column, t->first[t->at],
                            t->first[t->at] + strlen (t->first[t->at]));
    }
  return status;
}

/* ------------------------------------------------------------------ Records */

static int
end_record (struct table *t)
{
  if (t->width == 0)
    {
      if (begin_table (t))
        return -1;
    }
  else if (t->at + 1 != t->width)
    {
      t->source.column = NULL;
      return gt_source_fail (&t->source, t->source.line, "%zu cells: the first line has %zu",
                             t->at + 1, t->width);
    }
  t->at = 0;
  t->source.line++;
  return 0;
}

/* Takes the cell at P.  */
static enum ending
next_cell (struct table *t, char **p, char *end, int last)
{
  struct gt_csv_column *const column = t->at < t->width ? t->of[t->at] : NULL;
  enum ending ending;
  struct cell cell;

  if (column && t->csv->type == GT_TYPE_DOUBLE)
    {
      char *const next = take_quickly (t, column, *p, end, &ending);

      if (next)
        {
          *p = next;
          return ending;
        }
    }
  ending = any_cell (t, *p, end, last, &cell);
  if (ending == UNKNOWN || ending == WRONG)
    return ending;
  if (t->width == 0 ? keep_cell (t, &cell)
                    : column && take_cell (t, column, cell.from, cell.to))
    return WRONG;
  t->source.line += cell.lines;
  *p = cell.next;
  return ending;
}

/* Takes what has been read up to END.  Returns where the bytes not taken begin, or null
   after an error.  */
static char *
take_cells (struct table *t, char *p, char *end, int last)
{
  *end = '\0'; /* no number goes on there */
  for (;;)
    {
      enum ending ending;

      for (; t->at == 0 && p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n'));
           p++)
        t->source.line += *p == '\n';
      if (p == end && (!last || t->at == 0))
        return p;
      ending = next_cell (t, &p, end, last);
      if (ending == UNKNOWN)
        return p;
      if (ending == WRONG || (ending == LINE && end_record (t)))
        return NULL;
      t->at += ending == DELIMITER;
    }
}

/* BUFFER holds GT_SOURCE_BUFFER bytes and one more.  */
static int
read_cells (struct table *t, char *buffer)
{
  size_t kept = 0;
  int begun = 0;
  ssize_t got;

  do
    {
      char *rest = buffer, *end;

      got = gt_source_read (&t->source, buffer + kept, GT_SOURCE_BUFFER - kept);
      if (got < 0)
        return -1;
      end = buffer + kept + got;
      if (!begun && end - buffer >= 3 && memcmp (buffer, "\xef\xbb\xbf", 3) == 0)
        rest += 3;
      if (begun || end - buffer >= 3 || got == 0)
        {
          begun = 1;
          rest = take_cells (t, rest, end, got == 0);
        }
      if (rest == NULL)
        return -1;
      kept = (size_t) (end - rest);
      if (kept == GT_SOURCE_BUFFER)
        return wrong (t, "no cell is that long"), -1;
      memmove (buffer, rest, kept);
    }
  while (got > 0);
  return 0;
}

int
gt_csv_read (struct gt_csv *csv, const char *file, char *why, size_t why_size)
{
  struct table t = {.csv = csv};
  char *buffer;
  int status;

  if (gt_source_open (&t.source, NULL, file, why, why_size))
    return -1;
  t.source.line = 1;
  buffer = malloc (GT_SOURCE_BUFFER + 1);
  status = buffer ? read_cells (&t, buffer)
                  : gt_source_fail (&t.source, 0, "not enough memory to read it");
  for (size_t i = 0; t.first && i < (t.width ? t.width : t.at); i++)
    free (t.first[i]);
  free (t.first);
  free (t.of);
  free (buffer);
  gt_source_close (&t.source);
  return status;
}

void
gt_csv_clear (struct gt_csv *csv)
{
  for (size_t k = 0; k < csv->n; k++)
    {
      free (csv->column[k].name);
      free (csv->column[k].shown);
    }
  free (csv->column);
  csv->column = NULL;
  csv->n = 0;
}

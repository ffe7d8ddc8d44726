/* Vectors of numbers in files, for gsltune sum and gsltune stats.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/columns.h"

/* A character that no number has, and no quotation, or tab by its name.  */
void
gt_columns_take_delimiter (void *request, const char *word)
{
  const char c = strcmp (word, "tab") == 0 ? '\t' : *word;

  if (c == '\0' || (word[1] != '\0' && c != '\t'))
    gt_usage ("--delimiter: '%s' is not one character, or tab", word);
  if (strchr ("\"\r\n+-.#", c) || isalnum ((unsigned char) c) || (c & 0x80))
    gt_usage ("--delimiter: '%s' may be in a cell: take e.g. ',', ';' or tab", word);
  ((struct request *) request)->delimiter = c;
}

static int
is_csv (const struct request *request)
{
  return request->delimiter || request->columns;
}

void
gt_columns_parse (const struct gt_command *self, int argc, char **argv,
                  struct request *request)
{
  static char *standard_input[] = {"-", NULL};

  *request = (struct request) {.type = -1, .raw = -1, .mode = -1, .stride = 1};
  gt_cli_parse (self, argc, argv, request);
  if (request->mode >= 0)
    gsltune_set_mode ((gsltune_mode) request->mode);
  if (request->raw >= 0 && request->type >= 0 && request->raw != request->type)
    gt_usage ("%s: --raw %s contradicts --type %s: --raw alone is enough",
              self->name, gt_types[request->raw].name,
              gt_types[request->type].name);
  if (request->type < 0)
    request->type = request->raw < 0 ? GT_TYPE_DOUBLE : request->raw;
  if (request->raw >= 0 && is_csv (request))
    gt_usage ("%s: --delimiter and --columns are of text, which --raw is not", self->name);
  request->files = optind < argc ? argv + optind : standard_input;
}

/* ---------------------------------------------------------------- Reading */

static void
start (struct gt_columns *columns, size_t n)
{
  columns->numbers = gt_need (calloc (n, sizeof *columns->numbers));
  columns->n = n;
  for (size_t k = 0; k < n; k++)
    columns->prepare (columns, k);
}

/* See tuning/text/csv.h.  */
static void
start_csv (void *closure, struct gt_csv *csv)
{
  struct gt_columns *const columns = closure;

  start (columns, csv->n);
  for (size_t k = 0; k < csv->n; k++)
    csv->column[k].numbers = &columns->numbers[k];
}

static int
read_file (struct gt_columns *columns, const char *file)
{
  static char why[GT_READER_WHY_SIZE];
  const int status
    = columns->csv ? gt_csv_read (&columns->file, file, why, sizeof why)
      : columns->request->raw >= 0
        ? gt_read_raw (columns->numbers, file, why, sizeof why)
        : gt_read_text (columns->numbers, file, why, sizeof why);

  return status ? gt_error ("%s", why) : 0;
}

int
gt_columns_read (struct gt_columns *columns)
{
  const struct request *const request = columns->request;
  int failed = 0;

  columns->csv = is_csv (request);
  columns->file = (struct gt_csv) {
    .delimiter = request->delimiter ? (char) request->delimiter : ',',
    .wanted = request->columns,
    .type = (enum gt_element_type) request->type,
    .start = start_csv,
    .closure = columns
  };
  if (!columns->csv)
    start (columns, 1);
  for (size_t i = 0; request->files[i] && !failed; i++)
    {
      if (columns->begin)
        columns->begin (columns, i);
      failed = read_file (columns, request->files[i]);
    }
  if (!failed && columns->n == 0)
    failed = gt_error ("no line was read, and so no column");
  return failed;
}

void
gt_columns_clear (struct gt_columns *columns)
{
  for (size_t k = 0; k < columns->n; k++)
    gt_numbers_clear (&columns->numbers[k]);
  free (columns->numbers);
  gt_csv_clear (&columns->file);
}

/* ---------------------------------------------------------------- Printing */

size_t
gt_columns_counted (uint64_t before, size_t n, uint64_t stride, size_t *first)
{
  const uint64_t past = before % stride;

  *first = past ? stride - past : 0;
  return *first < n ? (n - *first - 1) / stride + 1 : 0;
}

const char *
gt_columns_name (const struct gt_columns *columns, size_t k)
{
  const char *const name = columns->file.column[k].name;

  return gt_quote (name, strlen (name));
}

json_t *
gt_columns_to_json (const struct gt_columns *columns,
                    json_t *(*to_json) (const struct gt_columns *columns, size_t k))
{
  json_t *all;

  if (!columns->csv)
    return to_json (columns, 0);
  all = json_array ();
  for (size_t k = 0; k < columns->n; k++)
    {
      json_t *const name = json_string (columns->file.column[k].name);
      json_t *const object = to_json (columns, k);

      gt_json_set (object, "name", name ? name : json_null ());
      json_array_append_new (all, object);
    }
  return json_pack ("{s:o}", "columns", all);
}

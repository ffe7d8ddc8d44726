/* gsltune sum: the sum of numbers in files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/columns.h"
#include "tuning/report/summary.h"
#include "tuning/text/number.h"
#include "tuning/text/table.h"

/* The sum of what was read of a column.  */
struct adding
{
  struct gt_summary summary;
  uint64_t stride;
  uint64_t read; /* elements, of which each STRIDEth counts */
};

/* Takes a chunk, see tuning/text/reader.h.  */
static void
take_chunk (void *closure, const void *data, size_t n, const uintmax_t *line)
{
  struct adding *const adding = closure;
  size_t first;
  const size_t count = gt_columns_counted (adding->read, n, adding->stride, &first);

  (void) line;
  if (count > 0)
    gt_summary_add_sum (&adding->summary,
                        (const char *) data + first * gt_types[adding->summary.type].size,
                        count, adding->stride);
  adding->read += n;
}

static const struct gt_summary *
summary_of (const struct gt_columns *columns, size_t k)
{
  const struct adding *const *const adding = columns->closure;

  return &(*adding)[k].summary;
}

static json_t *
sum_to_json (const struct gt_columns *columns, size_t k)
{
  const struct gt_summary *const summary = summary_of (columns, k);
  char text[GT_NUMBER_SIZE];

  gt_number_format (&summary->sum, 1, text);
  return json_pack (
    "{s:o, s:s*, s:I, s:s, s:s}", "sum", gt_number_to_json (&summary->sum), "hex",
    gt_arithmetics[gt_types[summary->type].arithmetic].real ? text : NULL, "n",
    (json_int_t) summary->count, "type", gt_types[summary->type].name, "mode",
    gt_mode_names[summary->mode]);
}

/* One number alone has no table.  */
static int
print_sums (const struct gt_columns *columns)
{
  struct gt_table *const table = gt_table_new ("lr", "\tsum");
  char text[GT_NUMBER_SIZE];

  for (size_t k = 0; k < columns->n; k++)
    {
      gt_number_format (&summary_of (columns, k)->sum, columns->request->hex, text);
      if (columns->n > 1)
        gt_table_printf (table, "%s\t%s", gt_columns_name (columns, k), text);
    }
  if (columns->n > 1)
    gt_table_print (table, stdout);
  else
    {
      gt_table_free (table);
      puts (text);
    }
  return GT_EXIT_OK;
}

static void
prepare (struct gt_columns *columns, size_t k)
{
  struct adding **const adding = columns->closure;
  const enum gt_element_type type = (enum gt_element_type) columns->request->type;

  if (k == 0)
    *adding = gt_need (calloc (columns->n, sizeof **adding));
  (*adding)[k].stride = columns->request->stride;
  gt_summary_init (&(*adding)[k].summary, type, (enum gt_mode) gsltune_get_mode ());
  gt_numbers_init_chunks (&columns->numbers[k], type, take_chunk, &(*adding)[k]);
}

static int
run_sum (const struct gt_command *self, int argc, char **argv)
{
  struct request request;
  struct adding *adding = NULL;
  struct gt_columns columns = {.request = &request, .prepare = prepare, .closure = &adding};
  int status = GT_EXIT_FAILED;

  gt_columns_parse (self, argc, argv, &request);
  if (gt_columns_read (&columns) == 0)
    {
      for (size_t k = 0; k < columns.n; k++)
        {
          gt_numbers_flush (&columns.numbers[k]);
          gt_summary_finish_sum (&adding[k].summary);
        }
      status = request.json ? gt_print_json (gt_columns_to_json (&columns, sum_to_json))
                            : print_sums (&columns);
    }
  for (size_t k = 0; k < columns.n; k++)
    gt_summary_clear (&adding[k].summary);
  free (adding);
  gt_columns_clear (&columns);
  return status;
}

static const char sum_help[]
  = GT_FILES_HELP "nothing is summed past an error.\n\n" GT_COLUMNS_HELP
    "  --stride S     sum elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --hex          print a real sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, type, mode; of CSV one with an\n"
    "                 array of these for the columns, each with its name\n"
    GT_COMMON_HELP ("      ") "\n"
    "The sum is printed with as many digits as it takes to read the same value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n"
    "  gsltune sum --columns price,tax sales.csv\n"
    "  gsltune sum --raw float samples.bin\n";

static const struct gt_option sum_options[] = {GT_COLUMNS_OPTIONS, GT_NO_MORE_OPTIONS};

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files: text, CSV or raw",
  .usage = "[OPTION]... [FILE]...",
  .help = sum_help,
  .options = sum_options,
  .run = run_sum,
};

/* gsltune sum: the sum of numbers in files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/columns.h"
#include "tuning/measure/listed.h"
#include "tuning/text/number.h"
#include "tuning/text/table.h"

/* The sum of column K, of every stride-th element; *N becomes how many these are.  */
static struct gt_number
sum_of (const struct gt_columns *columns, size_t k, size_t *n)
{
  const struct gt_numbers *const numbers = &columns->numbers[k];
  const struct gt_listed *const f = gt_listed_for (GT_SUM, numbers->type);
  const uint64_t stride = columns->request->stride;
  const struct gt_operands operands
    = {.x = numbers->data,
       .n = numbers->n ? (numbers->n - 1) / stride + 1 : 0,
       .stride = {stride, 1}};
  struct gt_answer answer;

  f->call (f->ours, &operands, &answer);
  *n = operands.n;
  return gt_number_of (numbers->type, answer.value);
}

static json_t *
sum_to_json (const struct gt_columns *columns, size_t k)
{
  size_t n;
  const struct gt_number sum = sum_of (columns, k, &n);
  const enum gt_arithmetic arithmetic = gt_types[sum.type].arithmetic;
  const enum gt_mode mode
    = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gsltune_get_mode ());
  char text[GT_NUMBER_SIZE];

  gt_number_format (&sum, 1, text);
  return json_pack (
    "{s:o, s:s*, s:I, s:s, s:s}", "sum", gt_number_to_json (&sum), "hex",
    gt_arithmetics[arithmetic].real ? text : NULL, "n", (json_int_t) n, "type",
    gt_types[sum.type].name, "mode", gt_mode_names[mode]);
}

/* One number alone has no table.  */
static int
print_sums (const struct gt_columns *columns)
{
  struct gt_table *const table = gt_table_new ("lr", "\tsum");
  char text[GT_NUMBER_SIZE];

  for (size_t k = 0, n; k < columns->n; k++)
    {
      const struct gt_number sum = sum_of (columns, k, &n);

      gt_number_format (&sum, columns->request->hex, text);
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
  gt_numbers_init (&columns->numbers[k], (enum gt_element_type) columns->request->type);
}

static int
run_sum (const struct gt_command *self, int argc, char **argv)
{
  struct request request;
  struct gt_columns columns = {.request = &request, .prepare = prepare};
  int status = GT_EXIT_FAILED;

  gt_columns_parse (self, argc, argv, &request);
  if (gt_columns_read (&columns) == 0)
    status = request.json ? gt_print_json (gt_columns_to_json (&columns, sum_to_json))
                          : print_sums (&columns);
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

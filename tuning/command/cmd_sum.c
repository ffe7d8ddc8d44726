/* gsltune sum: the sum of numbers in files, through the public interface.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "src/base/names.h"
#include "src/gsltune.h"
#include "tuning/command/commands.h"
#include "tuning/command/input.h"
#include "tuning/text/number.h"

/* sum_of_float and so on: the sum of N elements.  */
#define X(id, name, infix, ctype, arithmetic)                       \
  static struct gt_number                                           \
  sum_of##infix (void *data, size_t n, size_t stride)               \
  {                                                                 \
    gsl_vector##infix vector                                        \
      = {.size = n, .stride = stride, .data = data};                \
    ctype sum = gsltune_vector##infix##_sum (&vector);              \
                                                                    \
    return gt_number_of (GT_TYPE_##id, &sum);                       \
  }
GT_ELEMENT_TYPES (X)
#undef X

static struct gt_number (*const sum_functions[GT_N_ELEMENT_TYPES]) (
  void *data, size_t n, size_t stride)
  = {
#define X(id, name, infix, ctype, arithmetic) [GT_TYPE_##id] = sum_of##infix,
    GT_ELEMENT_TYPES (X)
#undef X
};

static json_t *
sum_json (const struct gt_number *sum, size_t n)
{
  enum gt_arithmetic arithmetic = gt_types[sum->type].arithmetic;
  enum gt_mode mode
    = gt_mode_for (GT_SUM, arithmetic, (enum gt_mode) gsltune_get_mode ());
  char hex[GT_NUMBER_SIZE];

  gt_number_format (sum, 1, hex);
  return json_pack ("{s:o, s:s*, s:I, s:s, s:s}", "sum", gt_number_to_json (sum),
                    "hex", gt_arithmetics[arithmetic].real ? hex : NULL, "n",
                    (json_int_t) n, "type", gt_types[sum->type].name, "mode",
                    gt_mode_names[mode]);
}

static int
print_sum (const struct gt_input *input, const struct gt_number *sum, size_t n)
{
  char text[GT_NUMBER_SIZE];

  if (input->json)
    return gt_print_json (sum_json (sum, n));
  gt_number_format (sum, input->hex, text);
  puts (text);
  return GT_EXIT_OK;
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  struct gt_input input;
  struct gt_numbers numbers;
  struct gt_number sum;
  int failed = 0, status = GT_EXIT_FAILED;
  size_t n;

  gt_input_parse (self, argc, argv, &input);
  gt_numbers_init (&numbers, (enum gt_element_type) input.type);
  for (char **file = gt_input_files (argv + optind); *file && !failed; file++)
    failed = gt_input_read (&input, *file, &numbers);
  if (!failed)
    {
      n = numbers.n ? (numbers.n - 1) / input.stride + 1 : 0;
      sum = sum_functions[input.type](numbers.data, n, input.stride);
      status = print_sum (&input, &sum, n);
    }
  gt_numbers_clear (&numbers);
  return status;
}

static const char help[]
  = GT_INPUT_FILES_HELP "nothing is summed past an error.\n\n"
    "Options:\n" GT_INPUT_OPTIONS_HELP
    "  --stride S     sum elements 0, S, 2S, ... of the vector (default 1)\n"
    "  --hex          print a real sum as a hexadecimal float, e.g. 0x1.8p+1\n"
    "  --json         print an object: sum, hex, n, type, mode\n"
    "  --help         print this text\n"
    "  --version      print the version\n\n"
    "The sum is printed with as many digits as it takes to read the same value back.\n\n"
    "Examples:\n"
    "  gsltune sum data.txt\n"
    "  cut -f2 table.tsv | gsltune sum --mode fast\n"
    "  gsltune sum --raw float samples.bin\n";

static const struct gt_option options[] = {GT_INPUT_OPTIONS, GT_NO_MORE_OPTIONS};

const struct gt_command gt_cmd_sum = {
  .name = "sum",
  .summary = "the sum of numbers in files, text or raw",
  .usage = "[OPTION]... [FILE]...",
  .help = help,
  .options = options,
  .run = run,
};

/* The numbers that a subcommand reads from files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/input.h"

#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"

static void
take (struct gt_input *input, int option)
{
  switch (option)
    {
    case GT_OPT_TYPE:
      input->type = gt_parse_type ("--type", optarg);
      break;
    case GT_OPT_RAW:
      input->raw = gt_parse_type ("--raw", optarg);
      break;
    case GT_OPT_MODE:
      gsltune_set_mode ((gsltune_mode) gt_parse_mode ("--mode", optarg));
      break;
    case GT_OPT_STRIDE:
      input->stride = gt_parse_count ("--stride", optarg, 1, SIZE_MAX);
      break;
    case GT_OPT_HEX:
      input->hex = 1;
      break;
    case GT_OPT_JSON:
      input->json = 1;
      break;
    case GT_OPT_ONCE:
      input->once = 1;
      break;
    }
}

void
gt_input_parse (const struct gt_command *self, int argc, char **argv,
                struct gt_input *input)
{
  int option;

  *input = (struct gt_input) {.type = -1, .raw = -1, .stride = 1};
  while ((option = gt_cli_next (self, argc, argv, "")) != -1)
    take (input, option);
  if (input->raw >= 0 && input->type >= 0 && input->raw != input->type)
    gt_usage ("%s: --raw %s contradicts --type %s: --raw alone is enough",
              self->name, gt_types[input->raw].name,
              gt_types[input->type].name);
  if (input->type < 0)
    input->type = input->raw < 0 ? GT_TYPE_DOUBLE : input->raw;
}

char **
gt_input_files (char **files)
{
  static char *standard_input[] = {"-", NULL};

  return *files ? files : standard_input;
}

const char *
gt_input_name (const char *file)
{
  return strcmp (file, "-") == 0 ? "standard input" : file;
}

int
gt_input_read (const struct gt_input *input, const char *file,
               struct gt_numbers *numbers)
{
  static char why[GT_READER_WHY_SIZE];
  int status = input->raw >= 0
                 ? gt_read_raw (numbers, file, why, sizeof why)
                 : gt_read_text (numbers, file, why, sizeof why);

  if (status)
    gt_error ("%s", why);
  return status;
}

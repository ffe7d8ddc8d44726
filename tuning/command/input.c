/* The numbers that a subcommand reads from files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/input.h"

#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"

enum
{
  OPT_TYPE = 1,
  OPT_RAW,
  OPT_MODE,
  OPT_STRIDE,
  OPT_HEX,
  OPT_JSON
};

const struct option gt_input_options[] = {
  GT_COMMON_OPTIONS,
  {"type", required_argument, 0, OPT_TYPE},
  {"raw", required_argument, 0, OPT_RAW},
  {"mode", required_argument, 0, OPT_MODE},
  {"stride", required_argument, 0, OPT_STRIDE},
  {"hex", no_argument, 0, OPT_HEX},
  {"json", no_argument, 0, OPT_JSON},
  {0, 0, 0, 0},
};

static void
take (struct gt_input *input, int option)
{
  switch (option)
    {
    case OPT_TYPE:
      input->type = gt_parse_type ("--type", optarg);
      break;
    case OPT_RAW:
      input->raw = gt_parse_type ("--raw", optarg);
      break;
    case OPT_MODE:
      gsltune_set_mode ((gsltune_mode) gt_parse_mode ("--mode", optarg));
      break;
    case OPT_STRIDE:
      input->stride = gt_parse_count ("--stride", optarg, 1, SIZE_MAX);
      break;
    case OPT_HEX:
      input->hex = 1;
      break;
    case OPT_JSON:
      input->json = 1;
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

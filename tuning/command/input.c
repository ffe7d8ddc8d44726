/* The numbers that a subcommand reads from files.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/command/input.h"

#include <string.h>

#include "src/base/names.h"
#include "src/gsltune.h"

void
gt_input_parse (const struct gt_command *self, int argc, char **argv,
                struct gt_input *input)
{
  *input = (struct gt_input) {.type = -1, .raw = -1, .mode = -1, .stride = 1};
  gt_cli_parse (self, argc, argv, input);
  if (input->mode >= 0)
    gsltune_set_mode ((gsltune_mode) input->mode);
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

/* The numbers that a subcommand reads from files, and the options that say how, and
   how it prints what it makes of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_INPUT_H
#define GT_INPUT_H

#include "tuning/text/cli.h"
#include "tuning/text/reader.h"

struct gt_input
{
  int type; /* element type; -1: not given */
  int raw;  /* -1: text, else elements of this type as they lie in memory */
  int mode; /* -1: not given */
  uint64_t stride; /* elements 0, stride, 2 stride, ... are the vector */
  int hex;       /* prints real numbers in hexadecimal */
  int json;      /* prints an object */
  int once;      /* keeps no element */
};

/* The options that all have, for the table of a struct gt_command.  */
#define GT_INPUT_OPTION(name, kind, member) \
  {name, 0, kind, offsetof (struct gt_input, member), 0, 0, NULL, NULL}
#define GT_INPUT_OPTIONS                                                       \
  GT_INPUT_OPTION ("type", GT_TYPE, type),                                     \
  GT_INPUT_OPTION ("raw", GT_TYPE, raw),                                       \
  GT_INPUT_OPTION ("mode", GT_MODE, mode),                                     \
  {"stride", 0, GT_COUNT, offsetof (struct gt_input, stride), 1, SIZE_MAX,     \
   NULL, NULL},                                                                \
  GT_INPUT_OPTION ("hex", GT_FLAG, hex),                                       \
  GT_INPUT_OPTION ("json", GT_FLAG, json)

/* For the help text: the files, and the first options.  */
#define GT_INPUT_FILES_HELP \
  "Reads the FILEs one after the other as one vector; '-', or no FILE, is\n" \
  "standard input.  Text is numbers separated by white space, where '#' begins a\n" \
  "comment that lasts to the end of its line.  What cannot be read stops the\n" \
  "command: "
#define GT_INPUT_OPTIONS_HELP \
  "  --type TYPE    element type of the numbers (default double):\n" \
  "                 double, float, long_double, int, uint, long, ulong,\n" \
  "                 short, ushort, char, uchar\n" \
  "  --raw TYPE     the FILEs are not text but elements of TYPE, as they lie in\n" \
  "                 this machine's memory\n" \
  "  --mode MODE    exact: the exact sum, rounded once; compensated, which loses\n" \
  "                 next to nothing to rounding; or fast (default:\n" \
  "                 $GSLTUNE_MODE, else exact); integers wrap in all\n"

/* Takes the options of SELF, and settles the type; --mode is set for the whole
   process.  Contradictions are wrong usage.  The files are at ARGV + optind.  */
void gt_input_parse (const struct gt_command *self, int argc, char **argv,
                     struct gt_input *input);

/* The files to read: FILES, else standard input.  */
char **gt_input_files (char **files);

/* What messages call FILE.  */
const char *gt_input_name (const char *file);

/* Appends FILE to NUMBERS.  Returns 0, or -1 after a message.  */
int gt_input_read (const struct gt_input *input, const char *file,
                   struct gt_numbers *numbers);

#endif

/* What all subcommands share: exit status, messages, and the parsing of
   names and numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CLI_H
#define GT_CLI_H

#include <getopt.h>
#include <jansson.h>
#include <stdint.h>

#include "src/profile/profile.h"

enum
{
  GT_EXIT_OK = 0,
  GT_EXIT_FAILED = 1,
  GT_EXIT_USAGE = 2
};

/* One subcommand; cmd_NAME.c ends with its one exported object, gt_cmd_NAME,
   and main.c lists them.  `run' gets argv[0] = "gsltune NAME" and returns the
   exit status.  --help and --version are handled by gt_cli_next.  */
struct gt_command
{
  const char *name;
  const char *summary; /* one line for `gsltune --help' */
  const char *usage;   /* after "Usage: gsltune NAME" */
  const char *help;    /* the options, as shown by --help */
  const struct option *options;
  int (*run) (const struct gt_command *self, int argc, char **argv);
};

/* getopt_long over SELF->options with short options SHORT_OPTIONS (may be ""; a plus
   sign first ends the options at the first word that is none).
   Returns the option's value, -1 at the end.  On an unknown option prints a
   message naming the valid ones and exits with status 2.  --help prints and
   exits with 0.  Every options table begins with GT_COMMON_OPTIONS.  */
#define GT_OPT_HELP 1000
#define GT_OPT_VERSION 1001
#define GT_COMMON_OPTIONS               \
  {"help", no_argument, 0, GT_OPT_HELP},  \
  {"version", no_argument, 0, GT_OPT_VERSION}
int gt_cli_next (const struct gt_command *self, int argc, char **argv,
                 const char *short_options);

/* What --version prints: version, licence, compiled CUDA kernels.  */
void gt_print_version (void);

/* "gsltune: MESSAGE" on standard error.  Messages read
   "what went wrong: what to do".  */
void gt_error (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* The same, then exit with status 2.  */
_Noreturn void gt_usage (const char *format, ...)
  __attribute__ ((format (printf, 1, 2)));

/* The N bytes at BYTES as a message shows them: unprintable ones as \xNN, cut
   short after 40.  Returns QUOTED.  */
#define GT_QUOTED_SIZE 192
const char *gt_quote (char quoted[GT_QUOTED_SIZE], const char *bytes, size_t n);

/* Each parses or exits with status 2 and a message that names OPTION, the bad
   word and what is allowed.  */
enum gt_element_type gt_parse_type (const char *option, const char *word);
enum gt_mode gt_parse_mode (const char *option, const char *word);
enum gt_reduction gt_parse_operation (const char *option, const char *word);
/* The element types that OPERATION has, joined by commas, in TEXT.  */
#define GT_TYPES_SIZE 128
const char *gt_operation_types (enum gt_reduction operation,
                                char text[GT_TYPES_SIZE]);
/* Names joined by commas, or "all"; returns their mask, 1 << GT_SUM | ...  */
unsigned gt_parse_operations (const char *option, const char *list);
/* Plain decimals, and 2^K, 1e6, and the suffixes Ki, Mi, Gi.  */
uint64_t gt_parse_count (const char *option, const char *word, uint64_t min,
                         uint64_t max);
/* cpu, cuda or cuda:N.  */
struct gt_device_word
{
  enum gt_device_kind kind;
  int ordinal; /* N, CUDA's number; -1: all */
};
struct gt_device_word gt_parse_device (const char *option, const char *word);
/* The index (gt_cuda_device) of the GPU that CUDA calls ORDINAL.  */
int gt_require_gpu (const char *option, int ordinal);
/* quick, normal, thorough or exhaustive, up to MOST.  */
enum gt_effort gt_parse_effort (const char *option, const char *word,
                                enum gt_effort most);
/* A positive number of seconds, e.g. 90 or 0.5.  */
double gt_parse_seconds (const char *option, const char *word);

/* Prints VALUE indented, with a newline, in the order of its keys' insertion,
   releases it, and returns GT_EXIT_OK, or GT_EXIT_FAILED with a message when
   standard output cannot be written.  */
int gt_print_json (json_t *value);

/* At the end of a subcommand: GT_EXIT_OK, or GT_EXIT_FAILED with a message
   when standard output could not be written (a full disk, say).  */
int gt_finish_stdout (void);

#endif

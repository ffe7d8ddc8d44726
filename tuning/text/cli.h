/* Common code of all subcommands: exit status, messages, and the parsing of names and
   numbers.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CLI_H
#define GT_CLI_H

#include <getopt.h>
#include <jansson.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "src/profile/profile.h"

enum
{
  GT_EXIT_OK = 0,
  GT_EXIT_FAILED = 1,
  GT_EXIT_USAGE = 2
};

/* The type of an option's value in the subcommand's request.  */
enum gt_option_kind
{
  GT_FLAG,       /* int, set to 1; the option has no argument */
  GT_WORD,       /* const char *, the argument itself */
  GT_COUNT,      /* uint64_t, from `least' to `most' */
  GT_SECONDS,    /* double */
  GT_TYPE,       /* int, enum gt_element_type */
  GT_MODE,       /* int, enum gt_mode */
  GT_OPERATION,  /* enum gt_reduction */
  GT_OPERATIONS, /* unsigned; the bits of the listed operations are set */
  GT_EFFORT,     /* enum gt_effort */
  GT_DEVICE,     /* struct gt_device_word */
  GT_TAKEN       /* the function `take' processes the argument */
};

struct gt_option
{
  const char *name; /* without the two dashes */
  char letter;      /* the short option, or 0 */
  enum gt_option_kind kind;
  size_t at;        /* the offset in the request */
  uint64_t least, most;
  const char *called; /* the option's name in messages about its argument; null: "--NAME" */
  void (*take) (void *request, const char *word);
};

/* Rows of such a table, for the struct request of a file.  */
#define GT_OPTION(name, letter, kind, member) \
  {name, letter, kind, offsetof (struct request, member), 0, 0, NULL, NULL}
#define GT_COUNTED(name, letter, called, member, least, most)              \
  {name, letter, GT_COUNT, offsetof (struct request, member), least, most, \
   called, NULL}
#define GT_TAKE(name, take) {name, 0, GT_TAKEN, 0, 0, 0, NULL, take}
#define GT_NO_MORE_OPTIONS {NULL, 0, GT_FLAG, 0, 0, 0, NULL, NULL}

/* The last lines of the list of options in a help text; PAD aligns the second column.  */
#define GT_COMMON_HELP(pad)            \
  "  --help   " pad "print this text\n" \
  "  --version" pad "print the version\n"

/* The rows of a subcommand that has only --json; its request is an int.  */
extern const struct gt_option gt_json_alone[];

/* One subcommand.  Each cmd_NAME.c exports one object, gt_cmd_NAME, at its end, and main.c
   lists them.  `run' receives argv[0] = "gsltune NAME" and returns the exit status.  All
   subcommands have --help and --version besides their own options.  */
struct gt_command
{
  const char *name;
  const char *summary; /* one line for `gsltune --help' */
  const char *usage;   /* after "Usage: gsltune NAME" */
  const char *help;    /* the options, as shown by --help */
  const struct gt_option *options; /* up to GT_NO_MORE_OPTIONS */
  const char *takes;   /* the text of the message about any other word; null: words are
                          accepted */
  int ends_at_word;    /* the first word that is not an option ends the options */
  int (*run) (const struct gt_command *self, int argc, char **argv);
};

/* Fills REQUEST from the options in ARGV; optind is then the index of the first other word.
   If an option is unknown, or if the environment contains a value that the library would
   ignore, prints a message that names the valid ones and exits with status 2.  --help prints
   the help text and exits with status 0.  */
void gt_cli_parse (const struct gt_command *self, int argc, char **argv,
                   void *request);

/* Prints version, licence and compute capabilities, for --version.  */
void gt_print_version (void);

/* Prints "gsltune: MESSAGE" on standard error.  Messages have the form "what went wrong: what
   to do".  Returns -1.  */
int gt_error (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* gt_failed prints a message and returns GT_EXIT_FAILED; gt_fatal and gt_usage end the
   command, with that status or GT_EXIT_USAGE.  */
#define gt_failed(...) (gt_error (__VA_ARGS__), GT_EXIT_FAILED)
#define gt_fatal(...) (gt_error (__VA_ARGS__), exit (GT_EXIT_FAILED))
#define gt_usage(...) (gt_error (__VA_ARGS__), exit (GT_EXIT_USAGE))

/* Returns MEMORY; if an allocation has failed and it is null, ends the command with a
   message.  */
void *gt_need (void *memory);
/* Returns the text that printf would print, allocated.  */
char *gt_text (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
char *gt_vtext (const char *format, va_list arguments);

/* Return the N bytes at BYTES, or a string, for a message: unprintable bytes as \xNN,
   truncated after 40 bytes.  The result is in one of a few static buffers.  */
const char *gt_quote (const char *bytes, size_t n);
const char *gt_quote_word (const char *word);

/* Appends a word to the list TEXT, of SIZE bytes, after a comma unless it is the first;
   truncates the text if it does not fit.  */
void gt_list_add (char *text, size_t size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* Returns the reduction of the function with GSL's name NAME ("mean", "ddot"), or -1.  */
int gt_reduction_of_function (const char *name);

/* The following functions parse a word; if it is invalid, they exit with status 2 and a
   message that names OPTION, the word and the valid values.  */
enum gt_element_type gt_parse_type (const char *option, const char *word);
/* Returns the index of WORD among N names in structures of STEP bytes; NAMES is the address of
   the first.  WHAT is the kind of the name: "mode".  */
int gt_parse_name (const char *option, const char *what, const char *word,
                   const void *names, size_t step, int n);
enum gt_mode gt_parse_mode (const char *option, const char *word);
enum gt_reduction gt_parse_operation (const char *option, const char *word);
/* Returns the element types that OPERATION supports, joined by commas.  */
const char *gt_operation_types (enum gt_reduction operation);
/* Reports that OPERATION does not support TYPE, and which types it supports.  */
_Noreturn void gt_no_such_type (const char *subcommand,
                                enum gt_reduction operation, int type);
/* Parses names joined by commas, or "all"; returns their mask, 1 << GT_SUM | ...  */
unsigned gt_parse_operations (const char *option, const char *list);
/* Parses plain decimals, 2^K, 1e6, and numbers with the suffixes Ki, Mi, Gi.  */
uint64_t gt_parse_count (const char *option, const char *word, uint64_t min,
                         uint64_t max);
/* cpu, cuda or cuda:N.  */
struct gt_device_word
{
  enum gt_device_kind kind;
  int ordinal; /* N, CUDA's number; -1: all */
};
struct gt_device_word gt_parse_device (const char *option, const char *word);
#define GT_ANY_DEVICE ((struct gt_device_word) {(enum gt_device_kind) -1, -1})
/* Ends the command if WORD, the argument of --device, names a GPU that does not exist: with
   the status of a failure if there is no GPU, otherwise with that of wrong usage.  */
void gt_require_device (const struct gt_device_word *word);
/* gt_device_count and gt_device_at return the devices of this machine, the host first;
   gt_device_meant returns whether WORD selects DEVICE.  */
int gt_device_count (void);
const struct gt_device *gt_device_at (int i);
/* Returns DEVICE's silicon key, in a static buffer.  */
const char *gt_silicon_of (const struct gt_device *device);
int gt_device_meant (const struct gt_device_word *word,
                     const struct gt_device *device);
/* Returns the index (gt_gpu_device) of the GPU that CUDA calls ORDINAL.  */
int gt_require_gpu (const char *option, int ordinal);

/* Prints VALUE indented, with a newline, its keys in the order of their insertion, and
   releases it.  Returns GT_EXIT_OK, or GT_EXIT_FAILED after a message if standard output
   cannot be written.  */
int gt_print_json (json_t *value);
/* Sets a member, whose reference OBJECT takes over; ends the command if memory is short.  */
void gt_json_set (json_t *object, const char *name, json_t *member);

/* Writes SIZE bytes of TEXT to the file NAME, or to standard output if NAME is null.  The name
   is not passed to any other program, which might interpret it as a command.  Returns an exit
   status, after a message if writing failed.  */
int gt_write_text (const char *name, const char *text, size_t size);

/* Flushes standard output at the end of a subcommand: returns GT_EXIT_OK, or GT_EXIT_FAILED
   after a message if it cannot be written (for example, because a disk is full).  */
int gt_finish_stdout (void);

#endif

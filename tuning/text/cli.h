/* All subcommands share these: exit status, messages, and the parsing of
   names and numbers.
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

/* The type that the word of an option becomes, in the subcommand's request.  */
enum gt_option_kind
{
  GT_FLAG,       /* no word: int, 1 */
  GT_WORD,       /* const char *, as it is */
  GT_COUNT,      /* uint64_t, from `least' to `most' */
  GT_SECONDS,    /* double */
  GT_TYPE,       /* int, enum gt_element_type */
  GT_MODE,       /* int, enum gt_mode */
  GT_OPERATION,  /* enum gt_reduction */
  GT_OPERATIONS, /* unsigned, to whose bits those of the list are added */
  GT_EFFORT,     /* enum gt_effort */
  GT_DEVICE,     /* struct gt_device_word */
  GT_TAKEN       /* what `take' makes of it */
};

struct gt_option
{
  const char *name; /* after two dashes */
  char letter;      /* after one, or 0 */
  enum gt_option_kind kind;
  size_t at;        /* where in the request */
  uint64_t least, most;
  const char *called; /* by messages about its word; null: "--NAME" */
  void (*take) (void *request, const char *word);
};

/* Rows of such a table, for a file's own struct request.  */
#define GT_OPTION(name, letter, kind, member) \
  {name, letter, kind, offsetof (struct request, member), 0, 0, NULL, NULL}
#define GT_COUNTED(name, letter, called, member, least, most)              \
  {name, letter, GT_COUNT, offsetof (struct request, member), least, most, \
   called, NULL}
#define GT_TAKE(name, take) {name, 0, GT_TAKEN, 0, 0, 0, NULL, take}
#define GT_NO_MORE_OPTIONS {NULL, 0, GT_FLAG, 0, 0, 0, NULL, NULL}

/* The end of the options' list in a help text, its second column behind PAD.  */
#define GT_COMMON_HELP(pad)            \
  "  --help   " pad "print this text\n" \
  "  --version" pad "print the version\n"

/* The rows of a subcommand that has only --json; its request is an int.  */
extern const struct gt_option gt_json_alone[];

/* One subcommand; cmd_NAME.c ends with its one exported object, gt_cmd_NAME,
   and main.c lists them.  `run' gets argv[0] = "gsltune NAME" and returns the
   exit status.  Every one has --help and --version besides its options.  */
struct gt_command
{
  const char *name;
  const char *summary; /* one line for `gsltune --help' */
  const char *usage;   /* after "Usage: gsltune NAME" */
  const char *help;    /* the options, as shown by --help */
  const struct gt_option *options; /* up to GT_NO_MORE_OPTIONS */
  const char *takes;   /* what a message about any other word says; null: it takes some */
  int ends_at_word;    /* the first word that is no option ends them */
  int (*run) (const struct gt_command *self, int argc, char **argv);
};

/* Fills REQUEST from the options in ARGV, of which optind is then the first other word.
   On an unknown option, or a value of the environment that the library would ignore,
   prints a message naming the valid ones and exits with status 2.  --help prints and
   exits with 0.  */
void gt_cli_parse (const struct gt_command *self, int argc, char **argv,
                   void *request);

/* Prints version, licence and compiled CUDA kernels, for --version.  */
void gt_print_version (void);

/* "gsltune: MESSAGE" on standard error.  Messages read
   "what went wrong: what to do".  Returns -1, as what has failed does.  */
int gt_error (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
/* The first also returns GT_EXIT_FAILED, as a subcommand does; the others end the
   command, with that status or with that of wrong usage.  */
#define gt_failed(...) (gt_error (__VA_ARGS__), GT_EXIT_FAILED)
#define gt_fatal(...) (gt_error (__VA_ARGS__), exit (GT_EXIT_FAILED))
#define gt_usage(...) (gt_error (__VA_ARGS__), exit (GT_EXIT_USAGE))

/* MEMORY, which was allocated; null ends the command with a message.  */
void *gt_need (void *memory);
/* The text that printf would print, allocated.  */
char *gt_text (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
char *gt_vtext (const char *format, va_list arguments);

/* The N bytes at BYTES as a message shows them: unprintable ones as \xNN, cut
   short after 40; or those of a string.  In one of a few static buffers.  */
const char *gt_quote (const char *bytes, size_t n);
const char *gt_quote_word (const char *word);

/* Appends a word to the list TEXT, of SIZE bytes, after a comma where it is not the
   first; what has no room is left out.  */
void gt_list_add (char *text, size_t size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* The reduction that a function of this name asks for, GSL's word for it ("mean",
   "ddot"), or -1.  */
int gt_reduction_of_function (const char *name);

/* Each parses or exits with status 2 and a message that names OPTION, the bad
   word and what is allowed.  */
enum gt_element_type gt_parse_type (const char *option, const char *word);
/* The index of WORD among the N names that lie STEP bytes apart from NAMES on.  WHAT it
   is: "mode".  */
int gt_parse_name (const char *option, const char *what, const char *word,
                   const void *names, size_t step, int n);
enum gt_mode gt_parse_mode (const char *option, const char *word);
enum gt_reduction gt_parse_operation (const char *option, const char *word);
/* The element types that OPERATION has, joined by commas.  */
const char *gt_operation_types (enum gt_reduction operation);
/* Says that OPERATION is not of TYPE, and of which it is.  */
_Noreturn void gt_no_such_type (const char *subcommand,
                                enum gt_reduction operation, int type);
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
#define GT_ANY_DEVICE ((struct gt_device_word) {(enum gt_device_kind) -1, -1})
/* Ends the command where WORD, of --device, names a GPU that does not exist: as failed
   where there is none at all, else as used wrongly.  */
void gt_require_device (const struct gt_device_word *word);
/* The devices of this machine, the host first, and whether WORD means DEVICE.  */
int gt_device_count (void);
const struct gt_device *gt_device_at (int i);
/* Its silicon key, in one static buffer.  */
const char *gt_silicon_of (const struct gt_device *device);
int gt_device_meant (const struct gt_device_word *word,
                     const struct gt_device *device);
/* The index (gt_gpu_device) of the GPU that CUDA calls ORDINAL.  */
int gt_require_gpu (const char *option, int ordinal);
enum gt_effort gt_parse_effort (const char *option, const char *word);

/* Prints VALUE indented, with a newline, in the order of its keys' insertion,
   releases it, and returns GT_EXIT_OK, or GT_EXIT_FAILED with a message when
   standard output cannot be written.  */
int gt_print_json (json_t *value);
/* Sets a member, which is an allocated object that becomes OBJECT's; memory that is short
   ends the command.  */
void gt_json_set (json_t *object, const char *name, json_t *member);

/* Writes SIZE bytes of TEXT to the file NAME, or to standard output where that is null.
   No other program ever hears the name, which it might read as a command or as another
   one.  Returns an exit status, after a message.  */
int gt_write_text (const char *name, const char *text, size_t size);

/* At the end of a subcommand: GT_EXIT_OK, or GT_EXIT_FAILED with a message
   when standard output could not be written (a full disk, say).  */
int gt_finish_stdout (void);

#endif

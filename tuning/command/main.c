/* The gsltune command: its subcommands and its own --help.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/plan/plan.h"
#include "tuning/command/commands.h"

static const struct gt_command *const commands[] = {
  &gt_cmd_tune,      &gt_cmd_run,  &gt_cmd_show,    &gt_cmd_explain,
  &gt_cmd_sum,       &gt_cmd_doctor, &gt_cmd_plot,
  &gt_cmd_profile,   &gt_cmd_devices, &gt_cmd_bench, &gt_cmd_occupancy,
  &gt_cmd_ladder,
};
#define N_COMMANDS (sizeof commands / sizeof *commands)

static const char introduction[]
  = "Usage: gsltune SUBCOMMAND [OPTION]...\n"
    "Runs programs that use the GNU Scientific Library with faster functions in the\n"
    "place of GSL's, and finds out which way of computing them is fastest on this\n"
    "machine, for these and for programs that call gsltune_X instead of gsl_X.\n\n"
    "The usual order of use:\n"
    "  gsltune run --count -- PROGRAM\n"
    "                     see what a GSL program has to gain\n"
    "  gsltune tune       once per machine: measure and save the winners\n"
    "  gsltune run -- PROGRAM\n"
    "                     run a GSL program with the tuned functions\n"
    "  gsltune show       look at what was saved\n"
    "  gsltune explain    see what the library will do for one vector, and why\n"
    "  gsltune doctor     see what was found here, and what to report\n\n"
    "Subcommands:\n";

static const char conclusion[]
  = "\n"
    "Options:\n"
    "  --help     print this text; 'gsltune SUBCOMMAND --help' says more\n"
    "  --version  print the version, the licence and the CUDA support\n\n"
    "Environment, read by the library too:\n"
    "  GSLTUNE_MODE         auto (default: exact sums, fast products of matrices),\n"
    "                       exact, compensated or fast; under 'gsltune run'\n"
    "                       gsl, and FUNCTION=MODE after a comma, too\n"
    "  GSLTUNE_DEVICE       auto (default), cpu, cuda (long vectors over all GPUs),\n"
    "                       or cuda:N for GPU number N\n"
    "  GSLTUNE_THREADS      CPU threads to use at most; else OMP_NUM_THREADS\n"
    "  GSLTUNE_ISA          best instruction set to use: baseline, avx2 or avx512\n"
    "  GSLTUNE_SCRATCH      scratch memory to use at most on each GPU, and pinned on\n"
    "                       the host: bytes, or a number followed by K, M or G\n"
    "  GSLTUNE_PROFILE_DIR  folder of the saved winners, an absolute path; else\n"
    "                       $XDG_DATA_HOME/gsltune or ~/.local/share/gsltune\n"
    "  GSLTUNE_PRELOAD      under 'gsltune run': functions to take, or with a minus\n"
    "                       sign to leave to GSL, e.g. stats,-skew\n"
    "  GSLTUNE_LOG          messages on standard error: quiet (default), notice\n"
    "                       or debug\n\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage.\n"
    "Report bugs to: " BUG_URL "\n";

static void
print_help (FILE *stream)
{
  fputs (introduction, stream);
  for (size_t i = 0; i < N_COMMANDS; i++)
    fprintf (stream, "  %-9s  %s\n", commands[i]->name, commands[i]->summary);
  fputs (conclusion, stream);
}

static _Noreturn void
unknown_word (const char *word)
{
  char valid[256] = "";

  if (*word == '-')
    gt_usage ("unknown option '%s': before a subcommand, valid options are --help, --version;"
              " see 'gsltune --help'", gt_quote_word (word));
  for (size_t i = 0; i < N_COMMANDS; i++)
    gt_list_add (valid, sizeof valid, "%s", commands[i]->name);
  gt_usage ("unknown subcommand '%s': valid subcommands are %s; see 'gsltune --help'",
            gt_quote_word (word), valid);
}

/* Opens /dev/null on each closed standard descriptor, so that a file that is opened later does
   not receive the output for that stream.  The descriptor does not permit the direction of the
   stream, so that using the stream is an error.  */
static void
occupy_standard_descriptors (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) == -1 && errno == EBADF)
      (void) !open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int
run_command (const struct gt_command *command, int argc, char **argv)
{
  char name[64];
  int status;

  snprintf (name, sizeof name, "gsltune %s", command->name);
  argv[0] = name;
  optind = 0; /* makes glibc's getopt start again */
  status = command->run (command, argc, argv);
  return status == GT_EXIT_OK ? gt_finish_stdout () : status;
}

/* Converts "-h" to "--help", and "help COMMAND" to "COMMAND --help".  */
static void
understand_help (int argc, char **argv)
{
  static char option[] = "--help";

  if (argc > 2 && strcmp (argv[1], "help") == 0)
    {
      argv[1] = argv[2];
      argv[2] = option;
    }
  else if (strcmp (argv[1], "help") == 0)
    argv[1] = option;
  for (int i = 1; i < argc && i < 3; i++)
    if (strcmp (argv[i], "-h") == 0)
      argv[i] = option;
}

int
main (int argc, char **argv)
{
  occupy_standard_descriptors ();
  gt_findings_kept = 1;
  if (argc < 2)
    {
      print_help (stderr);
      return GT_EXIT_USAGE;
    }
  understand_help (argc, argv);
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp (argv[1], commands[i]->name) == 0)
      return run_command (commands[i], argc - 1, argv + 1);
  if (strcmp (argv[1], "--help") == 0)
    print_help (stdout);
  else if (strcmp (argv[1], "--version") == 0)
    gt_print_version ();
  else
    unknown_word (argv[1]);
  return gt_finish_stdout ();
}

/* Pictures, drawn by gnuplot.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuning/text/cli.h"
#include "tuning/text/gnuplot.h"

/* The ends of files' names, and gnuplot's terminals that draw such files; null: the script
   alone is wanted.  */
static const struct
{
  const char *suffix, *terminal;
} formats[] = {
  {"svg", "svg size 900,560 background rgb 'white' font 'sans-serif,14'"},
  {"png", "pngcairo size 1200,750 font 'sans-serif,15'"},
  {"pdf", "pdfcairo size 8in,5in font 'sans-serif,13'"},
  {"txt", "dumb size 79,30"},
  {"gp", NULL},
  {"plt", NULL},
};

static const char *
suffix_of (const char *name)
{
  const char *dot = strrchr (name, '.');

  return dot != NULL && strchr (dot, '/') == NULL ? dot + 1 : "";
}

/* The index in `formats' that NAME asks for.  */
static size_t
format_of (const char *name)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp (suffix_of (name), formats[i].suffix) == 0)
      return i;
  gt_usage ("plot: --output '%s': the name must end with .svg, .png, .pdf, .txt"
            " (characters) or .gp (the script of gnuplot)",
            gt_quote_word (name));
}

/* Characters for a terminal, as large as it is.  */
static void
write_dumb (struct gt_gnuplot *plot)
{
  struct winsize size = {.ws_col = 80, .ws_row = 31};

  if (isatty (STDOUT_FILENO) && ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    size.ws_col = 80;
  if (size.ws_col < 40 || size.ws_row < 12)
    size = (struct winsize) {.ws_col = 80, .ws_row = 31};
  fprintf (plot->script, "set terminal dumb size %d,%d\n", size.ws_col - 1,
           size.ws_row - 1);
}

void
gt_gnuplot_quote (struct gt_gnuplot *plot, const char *text)
{
  putc ('\'', plot->script);
  for (; *text != '\0'; text++)
    {
      if (*text == '\'')
        putc ('\'', plot->script);
      putc (*text == '\n' ? ' ' : (unsigned char) *text < ' ' || *text == 0x7f
                                   ? '?' : *text,
            plot->script);
    }
  putc ('\'', plot->script);
}

void
gt_gnuplot_word (struct gt_gnuplot *plot, const char *text)
{
  putc ('"', plot->script);
  for (; *text != '\0'; text++)
    putc (isalnum ((unsigned char) *text) || strchr ("_-+.:/ ", *text) ? *text
                                                                      : '?',
          plot->script);
  putc ('"', plot->script);
}

/* The legend is below the picture, where it hides no data: each sample, and to its right
   what it stands for.  Lines of type 0 are dotted, and of characters dots, which no curve
   is made of.  */
static int
is_of_characters (const char *output)
{
  return output == NULL || strcasecmp (suffix_of (output), "txt") == 0;
}

/* Pictures of characters have no room beside the ordinate, so that the title says what it
   shows.  */
void
gt_gnuplot_frame (struct gt_gnuplot *plot, const char *title,
                  const char *second, const char *ordinate)
{
  char *const whole = is_of_characters (plot->output)
                        ? gt_text ("%s: %s", title, ordinate) : gt_text ("%s", title);

  fputs ("set title ", plot->script);
  gt_gnuplot_quote (plot, whole);
  free (whole);
  if (second)
    {
      fputs (" . \"\\n\" . ", plot->script);
      gt_gnuplot_quote (plot, second);
    }
  fputs (" noenhanced\nset ylabel ", plot->script);
  gt_gnuplot_quote (plot, ordinate);
  fputs ("\nset grid ytics lt 0 lw 1 lc rgb '#aaaaaa'\nset border 3\n"
         "set tics nomirror\nset key bmargin center horizontal Left reverse samplen 2"
         " height 1\n",
         plot->script);
}

void
gt_gnuplot_begin (struct gt_gnuplot *plot, const char *output)
{
  const char *terminal
    = output != NULL ? formats[format_of (output)].terminal : NULL;

  *plot = (struct gt_gnuplot) {.output = output};
  plot->script = gt_need (open_memstream (&plot->text, &plot->size));
  /* Characters have no superscripts.  */
  fprintf (plot->script, "set format x '%s'\n",
           is_of_characters (output) ? "2^%L" : "2^{%L}");
  if (output == NULL)
    write_dumb (plot);
  else if (terminal != NULL)
    fprintf (plot->script, "set terminal %s\n", terminal);
  plot->terminal_size = (size_t) ftell (plot->script);
}

/* ------------------------------------------------------------- Drawing */

/* There is no gnuplot: the script says what it would draw.  In double quotes gnuplot reads
   each character by its number, so that no name is a command.  */
static int
leave_script (const struct gt_gnuplot *plot)
{
  char path[4096], *text;
  const char *output = plot->output;
  size_t size;
  FILE *script;
  int status;

  if (output == NULL)
    return gt_failed ("there is no gnuplot in PATH, which draws: install it, or"
                      " write the script with --output FILE.gp");
  script = open_memstream (&text, &size);
  if (script == NULL)
    return gt_failed ("not enough memory");
  fprintf (script, "%.*sset output \"%s", (int) plot->terminal_size, plot->text,
           *output == '|' ? "./" : "");
  for (const char *c = output; *c != '\0'; c++)
    fprintf (script, isalnum ((unsigned char) *c) || strchr ("_-+./", *c)
                       ? "%c" : "\\%03o", (unsigned char) *c);
  fprintf (script, "\"\n%s", plot->text + plot->terminal_size);
  status = fclose (script);
  snprintf (path, sizeof path, "%.*sgp", (int) (suffix_of (output) - output),
            output);
  if (status == 0 && gt_write_text (path, text, size) == GT_EXIT_OK)
    gt_error ("there is no gnuplot in PATH, which draws: the script is in %s;"
              " where gnuplot is installed, 'gnuplot %s' makes %s",
              path, path, output);
  free (text);
  return GT_EXIT_FAILED;
}

/* A file in memory with SIZE bytes of TEXT; or null.  */
static FILE *
memory_file (const char *text, size_t size)
{
  const int descriptor = memfd_create ("gsltune-plot", MFD_CLOEXEC);
  FILE *file = descriptor >= 0 ? fdopen (descriptor, "w+") : NULL;

  if (file
      && (fwrite (text, 1, size, file) != size || fseek (file, 0, SEEK_SET)))
    {
      fclose (file);
      file = NULL;
    }
  return file;
}

#define NO_GNUPLOT 127

/* Runs gnuplot, which reads SCRIPT and writes to PICTURE.  Returns its exit status,
   NO_GNUPLOT, or -1.  */
static int
run_gnuplot (FILE *script, FILE *picture)
{
  static const char program[] = "gnuplot";
  char *words[] = {(char *) program, (char *) "-", NULL};
  posix_spawn_file_actions_t files;
  pid_t child;
  int status = -1, trouble;

  if (script == NULL || picture == NULL
      || posix_spawn_file_actions_init (&files) != 0)
    return -1;
  trouble
    = posix_spawn_file_actions_adddup2 (&files, fileno (script), STDIN_FILENO);
  if (trouble == 0)
    trouble = posix_spawn_file_actions_adddup2 (&files, fileno (picture),
                                                STDOUT_FILENO);
  if (trouble == 0)
    trouble = posix_spawnp (&child, program, &files, NULL, words, environ);
  posix_spawn_file_actions_destroy (&files);
  if (trouble != 0)
    return trouble == ENOENT ? NO_GNUPLOT : -1;
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

/* Writes what is in the file PICTURE.  */
static int
write_picture (const struct gt_gnuplot *plot, int picture)
{
  const off_t size = lseek (picture, 0, SEEK_END);
  void *text = size > 0 ? mmap (NULL, (size_t) size, PROT_READ, MAP_SHARED,
                                picture, 0)
                        : MAP_FAILED;
  int status;

  if (text == MAP_FAILED)
    return gt_failed ("gnuplot drew nothing");
  status = gt_write_text (plot->output, text, (size_t) size);
  munmap (text, (size_t) size);
  return status;
}

static int
draw (const struct gt_gnuplot *plot)
{
  FILE *script = memory_file (plot->text, plot->size);
  FILE *picture = memory_file ("", 0);
  const int ended = run_gnuplot (script, picture);
  const int status
    = ended == 0            ? write_picture (plot, fileno (picture))
      : ended == NO_GNUPLOT ? leave_script (plot)
      : gt_failed ("gnuplot failed: 'gsltune plot' with --output FILE.gp writes"
                   " the script that it was given");

  if (script)
    fclose (script);
  if (picture)
    fclose (picture);
  return status;
}

int
gt_gnuplot_end (struct gt_gnuplot *plot)
{
  int status = GT_EXIT_FAILED;

  if (fclose (plot->script) != 0)
    gt_error ("not enough memory");
  else if (plot->output != NULL
           && formats[format_of (plot->output)].terminal == NULL)
    status = gt_write_text (plot->output, plot->text, plot->size);
  else
    status = draw (plot);
  free (plot->text);
  return status;
}

void
gt_gnuplot_drop (struct gt_gnuplot *plot)
{
  fclose (plot->script);
  free (plot->text);
}

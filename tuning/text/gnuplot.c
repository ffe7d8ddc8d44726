/* Pictures, drawn by gnuplot.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tuning/text/cli.h"
#include "tuning/text/gnuplot.h"

#include <ctype.h>
/* What a file's name ends with, and the terminal of gnuplot that draws it; null: none,
   the script is what is wanted.  */
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
  char quoted[GT_QUOTED_SIZE];

  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp (suffix_of (name), formats[i].suffix) == 0)
      return i;
  gt_usage ("plot: --output '%s': the name must end with .svg, .png, .pdf, .txt"
            " (characters) or .gp (the script of gnuplot)",
            gt_quote (quoted, name, strlen (name)));
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

int
gt_gnuplot_begin (struct gt_gnuplot *plot, const char *output)
{
  *plot = (struct gt_gnuplot) {.output = output};
  const char *terminal
    = output != NULL ? formats[format_of (output)].terminal : NULL;

  plot->script = open_memstream (&plot->text, &plot->size);
  if (plot->script == NULL)
    return -1;
  /* Characters have no superscripts.  */
  fprintf (plot->script, "set format x '%s'\n",
           output == NULL || strcasecmp (suffix_of (output), "txt") == 0
             ? "2^%L" : "2^{%L}");
  if (output == NULL)
    write_dumb (plot);
  else if (terminal != NULL)
    {
      fprintf (plot->script, "set terminal %s\nset output ", terminal);
      gt_gnuplot_quote (plot, output);
      putc ('\n', plot->script);
    }
  return 0;
}

/* ------------------------------------------------------------- Drawing */

static int
write_script (const struct gt_gnuplot *plot, const char *path)
{
  FILE *file = fopen (path, "we");
  int written = file != NULL
                && fwrite (plot->text, 1, plot->size, file) == plot->size;

  if (file != NULL && fclose (file) != 0)
    written = 0;
  if (written)
    return GT_EXIT_OK;
  gt_error ("%s: %s", path, strerror (errno));
  return GT_EXIT_FAILED;
}

/* There is no gnuplot: the script says what it would draw.  */
static int
leave_script (const struct gt_gnuplot *plot)
{
  char path[4096];
  int stem;

  if (plot->output == NULL)
    {
      gt_error ("there is no gnuplot in PATH, which draws: install it, or write"
                " the script with --output FILE.gp");
      return GT_EXIT_FAILED;
    }
  stem = (int) (suffix_of (plot->output) - plot->output);
  snprintf (path, sizeof path, "%.*sgp", stem, plot->output);
  if (write_script (plot, path) != GT_EXIT_OK)
    return GT_EXIT_FAILED;
  gt_error ("there is no gnuplot in PATH, which draws: the script is in %s; where"
            " gnuplot is installed, 'gnuplot %s' makes %s",
            path, path, plot->output);
  return GT_EXIT_FAILED;
}

static int
draw (const struct gt_gnuplot *plot)
{
  void (*before) (int) = signal (SIGPIPE, SIG_IGN);
  FILE *gnuplot;
  int status;

  fflush (stdout);
  gnuplot = popen ("command -v gnuplot >/dev/null 2>&1 || exit 127; exec gnuplot"
                   " -",
                   "we");
  if (gnuplot == NULL)
    status = -1;
  else
    {
      fwrite (plot->text, 1, plot->size, gnuplot);
      status = pclose (gnuplot);
    }
  signal (SIGPIPE, before);
  if (status == 0)
    return GT_EXIT_OK;
  if (status != -1 && WIFEXITED (status) && WEXITSTATUS (status) == 127)
    return leave_script (plot);
  gt_error ("gnuplot failed: 'gsltune plot' with --output FILE.gp writes the"
            " script that it was given");
  return GT_EXIT_FAILED;
}

int
gt_gnuplot_end (struct gt_gnuplot *plot)
{
  int status = GT_EXIT_FAILED;

  if (fclose (plot->script) != 0)
    gt_error ("not enough memory");
  else if (plot->output != NULL
           && formats[format_of (plot->output)].terminal == NULL)
    status = write_script (plot, plot->output);
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

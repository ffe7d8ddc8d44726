/* Pictures, drawn by gnuplot, a program that is looked for when it is needed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_GNUPLOT_H
#define GT_GNUPLOT_H

#include <stdio.h>

#include "src/profile/profile_private.h"

/* A script in the making.  Write commands and data to `script'.  */
struct gt_gnuplot
{
  FILE *script;
  char *text; /* what was written, after the end */
  size_t size;
  size_t terminal_size; /* of the text, up to the choice of a terminal */
  const char *output;
  char why[512]; /* there is nothing to draw */
};

/* Begins a picture for the file OUTPUT: svg, png, pdf or txt by its name's end; gp, or
   plt: the script alone; null: characters on standard output.  Ends the command with a
   usage message at another name.  */
void gt_gnuplot_begin (struct gt_gnuplot *plot, const char *output);

/* Says in PLOT why there is nothing to draw; -1.  */
#define gt_gnuplot_fail(plot, ...) \
  gt_profile_fail ((plot)->why, sizeof (plot)->why, __VA_ARGS__)

/* The title, the grid and the legend that all pictures have; SECOND: a second line of the
   title, or null.  */
void gt_gnuplot_frame (struct gt_gnuplot *plot, const char *title,
                       const char *second, const char *ordinate);

/* Writes TEXT as gnuplot reads it, in quotes.  */
void gt_gnuplot_quote (struct gt_gnuplot *plot, const char *text);

/* Writes TEXT as a word among data, in quotes: letters, digits and some punctuation, '?' for
   everything else, since a new line could end the data and begin a command.  */
void gt_gnuplot_word (struct gt_gnuplot *plot, const char *text);

/* Draws, and releases the script.  Where there is no gnuplot the script is written beside
   OUTPUT, with the data, and a message says so.  Returns an exit status.  */
int gt_gnuplot_end (struct gt_gnuplot *plot);

/* Releases the script, and draws nothing.  */
void gt_gnuplot_drop (struct gt_gnuplot *plot);

#endif

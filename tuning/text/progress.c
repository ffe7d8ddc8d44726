/* Shows the progress of a long run.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/text/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tuning/measure/clock.h"

#define BAR 12   /* the width of the bar in characters */
#define LINE 80  /* the width that every terminal has, and a null byte */

void
gt_progress_begin (struct gt_progress *progress, const char *label,
                   double total, const char *what)
{
  *progress = (struct gt_progress) {.label = label, .total = total};
  progress->begun = gt_now ();
  progress->terminal = isatty (STDERR_FILENO);
  if (!progress->terminal)
    fprintf (stderr, "%s: %s\n", label, what);
}

/* Returns the time left, assuming a constant speed.  */
static const char *
left (const struct gt_progress *progress, double share, char text[32])
{
  double taken = gt_now () - progress->begun;
  unsigned seconds;

  strcpy (text, "");
  if (share > 0)
    {
      seconds = (unsigned) (taken / share * (1 - share) + 0.5);
      snprintf (text, 32, "%u:%02u left", seconds / 60, seconds % 60);
    }
  return text;
}

static void
show_bar (const struct gt_progress *progress, double share, const char *eta,
          const char *now_at)
{
  char line[LINE], bar[BAR + 1];

  memset (bar, ' ', BAR);
  memset (bar, '#', (size_t) (BAR * share));
  bar[BAR] = '\0';
  snprintf (line, sizeof line, "%s [%s] %3.0f%%  %s%s%s", progress->label, bar,
            100 * share, eta, *eta ? "  " : "", now_at);
  fprintf (stderr, "\r\033[K%s", line);
  fflush (stderr);
}

void
gt_progress_show (struct gt_progress *progress, double done,
                  const char *now_at)
{
  double share = progress->total > 0 && done < progress->total
                   ? done / progress->total : 1;
  unsigned tenths = (unsigned) (10 * share);
  char eta[32];

  left (progress, share, eta);
  if (progress->terminal)
    show_bar (progress, share, eta, now_at);
  else if (tenths > progress->told && tenths < 10)
    fprintf (stderr, "%s: %u0%% done, %s\n", progress->label, tenths, eta);
  progress->told = tenths;
}

void
gt_progress_end (struct gt_progress *progress)
{
  if (progress->terminal)
    fputs ("\r\033[K", stderr);
}

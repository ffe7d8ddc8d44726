/* How far a long run is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "tuning/clock.h"

#define BAR 30 /* characters */

void
gt_progress_begin (struct gt_progress *progress, const char *label,
                   unsigned total)
{
  *progress = (struct gt_progress) {.label = label, .total = total};
  progress->begun = gt_now ();
  progress->terminal = isatty (STDERR_FILENO);
  if (!progress->terminal)
    fprintf (stderr, "%s: %u problems\n", label, total);
}

/* Seconds left, if the rest goes as fast as what is done.  */
static unsigned
left (const struct gt_progress *progress)
{
  double taken = gt_now () - progress->begun;

  return (unsigned) (taken / progress->done
                     * (progress->total - progress->done) + 0.5);
}

void
gt_progress_step (struct gt_progress *progress, const char *now_at)
{
  unsigned tenths, filled, eta;

  progress->done++;
  eta = left (progress);
  if (progress->terminal)
    {
      filled = BAR * progress->done / progress->total;
      fprintf (stderr, "\r\033[K%s [%.*s%*s] %3u%%  %u:%02u left  %s",
               progress->label, (int) filled, "##############################",
               (int) (BAR - filled), "",
               100 * progress->done / progress->total, eta / 60, eta % 60,
               now_at);
      fflush (stderr);
      return;
    }
  tenths = 10 * progress->done / progress->total;
  if (tenths > progress->told && progress->done < progress->total)
    fprintf (stderr, "%s: %u0%% done, %u:%02u left\n", progress->label, tenths,
             eta / 60, eta % 60);
  progress->told = tenths;
}

void
gt_progress_end (struct gt_progress *progress)
{
  if (progress->terminal)
    fputs ("\r\033[K", stderr);
}

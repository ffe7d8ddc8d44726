/* Colours on terminals.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tuning/text/colour.h"

int
gt_want_colours (void)
{
  const char *no_color = getenv ("NO_COLOR"), *term = getenv ("TERM");

  return isatty (STDOUT_FILENO) && (no_color == NULL || *no_color == '\0')
         && term && strcmp (term, "dumb") != 0;
}

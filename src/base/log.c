/* Messages of the library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/base/env.h"

void
gt_log (enum gt_log_level level, const char *format, ...)
{
  char line[512];
  va_list arguments;

  if (level > gt_env.log)
    return;
  va_start (arguments, format);
  vsnprintf (line, sizeof line, format, arguments);
  va_end (arguments);
  /* One call, so that lines of several threads do not mix.  */
  fprintf (stderr, "gsltune: %s\n", line);
}

/* Messages of the library.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/env.h"
#include "src/base/printable.h"

void
gt_log (enum gt_log_level level, const char *format, ...)
{
  static const char start[] = "gsltune: ";
  enum { START = sizeof start - 1 };
  char few[320], *line = few;
  va_list arguments, again;
  int length;

  if (level > gt_env.log)
    return;
  va_start (arguments, format);
  va_copy (again, arguments);
  length = vsnprintf (few + START, sizeof few - START - 1, format, arguments);
  if (length >= (int) sizeof few - START - 1)
    line = malloc (START + (size_t) length + 2);
  if (line && line != few)
    vsnprintf (line + START, (size_t) length + 1, format, again);
  va_end (again);
  va_end (arguments);
  if (line == NULL || length < 0)
    return;
  gt_make_printable (line + START, "");
  memcpy (line, start, START);
  memcpy (line + START + length, "\n", 2);
  /* One call, so that lines of several threads do not mix; and not fprintf, which
     takes 8 KiB of stack for what has no buffer.  */
  fputs (line, stderr);
  if (line != few)
    free (line);
}

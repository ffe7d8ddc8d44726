/* Messages of the library, and text of others in them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum gt_log_level gt_log_wanted;

/* Returns the number of bytes of the character at TEXT in UTF-8.  Returns 0 if it is not a
   character, or is a control character, some of them with two bytes, or has a longer encoding
   than necessary.  */
static size_t
shown (const unsigned char *text)
{
  const size_t bytes = *text < 0x80   ? 1
                       : *text < 0xC2 ? 0
                       : *text < 0xE0 ? 2
                       : *text < 0xF0 ? 3
                       : *text < 0xF5 ? 4
                                      : 0;

  for (size_t k = 1; k < bytes; k++)
    if ((text[k] & 0xC0) != 0x80)
      return 0;
  return *text < ' ' || *text == 0x7F || (*text == 0xC2 && text[1] < 0xA0)
             || (*text == 0xE0 && text[1] < 0xA0)
             || (*text == 0xF0 && text[1] < 0x90)
           ? 0 : bytes;
}

void
gt_make_printable (char *text, const char *kept)
{
  while (*text)
    {
      const size_t bytes = shown ((const unsigned char *) text);

      if (bytes == 0 && strchr (kept, *text) == NULL)
        *text = '?';
      text += bytes ? bytes : 1;
    }
}

void
gt_make_ascii (char *text)
{
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

int
gt_profile_fail (char *why, size_t why_size, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (why && why_size)
    vsnprintf (why, why_size, format, arguments);
  va_end (arguments);
  return -1;
}

void
gt_log (enum gt_log_level level, const char *format, ...)
{
  static const char start[] = "gsltune: ";
  enum { START = sizeof start - 1 };
  char few[320], *line = few;
  va_list arguments, again;
  int length;

  if (level > gt_log_wanted)
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
  /* A single call, so that lines of several threads do not mix.  fprintf would take 8 KiB of
     stack for a stream without a buffer.  */
  fputs (line, stderr);
  if (line != few)
    free (line);
}

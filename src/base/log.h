/* Messages of the library: standard error only, quiet unless GSLTUNE_LOG asks; reasons;
   and text of others in them, as names of files and devices.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LOG_H
#define GT_LOG_H

#include <stddef.h>

enum gt_log_level
{
  GT_LOG_QUIET,
  GT_LOG_NOTICE,
  GT_LOG_DEBUG
};
extern enum gt_log_level gt_log_wanted; /* GSLTUNE_LOG */

/* Prints "gsltune: MESSAGE" when LEVEL is asked for.  */
void gt_log (enum gt_log_level level, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Puts a question mark in the place of each byte of TEXT that a terminal might obey:
   control characters but those in KEPT, and what is no UTF-8.  */
void gt_make_printable (char *text, const char *kept);

/* Leaves nothing but printable ASCII: the same for every other byte.  */
void gt_make_ascii (char *text);

/* Writes the reason into WHY and returns -1.  */
int gt_profile_fail (char *why, size_t why_size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif

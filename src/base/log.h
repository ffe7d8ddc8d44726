/* Messages of the library on standard error, none unless GSLTUNE_LOG requests them; reasons of
   failures; foreign text in messages, such as names of files and devices.
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

/* Prints "gsltune: MESSAGE" if LEVEL is requested.  */
void gt_log (enum gt_log_level level, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Replaces each byte of TEXT that a terminal might interpret by a question mark: control
   characters except those in KEPT, and bytes that are not UTF-8.  */
void gt_make_printable (char *text, const char *kept);

/* Replaces every byte that is not printable ASCII by a question mark.  */
void gt_make_ascii (char *text);

/* Writes the reason to WHY and returns -1.  */
int gt_profile_fail (char *why, size_t why_size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif

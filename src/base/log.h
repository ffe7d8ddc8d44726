/* Messages of the library: standard error only, quiet unless GSLTUNE_LOG asks.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_LOG_H
#define GT_LOG_H

enum gt_log_level
{
  GT_LOG_QUIET,
  GT_LOG_NOTICE,
  GT_LOG_DEBUG
};

/* Prints "gsltune: MESSAGE" when LEVEL is asked for.  */
void gt_log (enum gt_log_level level, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

#endif

/* Text of others, as names of files and devices, on a terminal; and reasons.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PRINTABLE_H
#define GT_PRINTABLE_H

#include <stddef.h>

/* Puts a question mark in the place of each byte of TEXT that a terminal might obey:
   control characters but those in KEPT, and what is no UTF-8.  */
void gt_make_printable (char *text, const char *kept);

/* Leaves nothing but printable ASCII: the same for every other byte.  */
void gt_make_ascii (char *text);

/* Writes the reason into WHY and returns -1.  */
int gt_profile_fail (char *why, size_t why_size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif

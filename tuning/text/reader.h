/* Reads numbers from files, as text or raw.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_READER_H
#define GT_READER_H

#include <stddef.h>

#include "kernels/types.h"

#define GT_READER_WHY_SIZE 8192

/* Where the numbers of files go.  */
struct gt_numbers
{
  enum gt_element_type type;
  void (*take) (void *closure, const void *data, size_t n); /* the next N elements, N at least 1 */
  void *closure;
  char why[GT_READER_WHY_SIZE]; /* the message of a read that failed */
};

/* Both read FILE to its end, or standard input if FILE is "-", in little memory: each chunk of
   numbers goes to NUMBERS->take.  They return 0, or -1 with a message that names the file.  Both
   refuse compressed files, and text in UTF-16 or UTF-32 if it begins with a byte order mark.  */

/* Text: numbers separated by white space.  `#' at the start of a word begins a comment, which
   lasts to the end of the line; lines end with LF, CR LF or CR.  A byte order mark of UTF-8 is
   passed over.  Reals are what strtod takes, correctly rounded: decimal, hexadecimal, inf, nan;
   too large a value is an error, too small a one becomes zero or subnormal.  Integers: decimal or
   0x, in the range of the type.  The decimal point is that of the C locale, which the process must
   not have left.  */
int gt_read_text (struct gt_numbers *numbers, const char *file);

/* Raw: elements as they lie in this machine's memory.  */
int gt_read_raw (struct gt_numbers *numbers, const char *file);

#endif

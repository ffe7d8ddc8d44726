/* Reading vectors of numbers from files, as text or raw.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_READER_H
#define GT_READER_H

#include <stddef.h>

#include "kernels/types.h"

/* Takes the next N elements of a vector that is read in chunks.  LINE[i] is the
   line of element i in its file; null when the file is raw.  */
typedef void gt_numbers_function (void *closure, const void *data, size_t n,
                                  const uintmax_t *line);

/* One vector, which every read appends to.  */
struct gt_numbers
{
  enum gt_element_type type;
  void *data;       /* n elements; null when nothing was read */
  size_t n;
  size_t capacity;  /* elements allocated at `data'; 0 when it is a mapping */
  size_t mapped;    /* bytes of the file mapped at `data', else 0 */
  /* Of a vector that is read in chunks, else null.  */
  gt_numbers_function *take;
  void *closure;
  uintmax_t *line;  /* of each element that there is room for; text alone */
};

void gt_numbers_init (struct gt_numbers *numbers, enum gt_element_type type);
void gt_numbers_clear (struct gt_numbers *numbers);
/* Makes room for MORE elements behind those that there are, or returns -1.  */
int gt_numbers_reserve (struct gt_numbers *numbers, size_t more);

/* In place of gt_numbers_init, for a vector of any length in little memory:
   what is read goes to TAKE, with CLOSURE, a chunk at a time, and NUMBERS holds
   one chunk at most.  Files may end within a chunk; gt_numbers_flush, after the
   last of them, gives TAKE what is left.  */
void gt_numbers_init_chunks (struct gt_numbers *numbers,
                             enum gt_element_type type,
                             gt_numbers_function *take, void *closure);
void gt_numbers_flush (struct gt_numbers *numbers);

/* Both read FILE, "-" being standard input, to its end.  They return 0, or -1
   with a message in WHY that names the file; NUMBERS then still needs
   gt_numbers_clear, and what it holds is not to be used.  */
#define GT_READER_WHY_SIZE 8192

/* Text: numbers separated by white space; `#' begins a comment that lasts to
   the end of the line.  Reals as strtod takes them, correctly rounded:
   decimal, hexadecimal, inf, nan; too large a value is an error, too small a
   one becomes zero or subnormal.  Integers: decimal or 0x, in the range of the
   type.  The decimal point is that of the C locale, which the process must
   not have left.  */
int gt_read_text (struct gt_numbers *numbers, const char *file, char *why,
                  size_t why_size);

/* Raw: elements as they lie in this machine's memory.  A regular file is
   mapped, not copied, when NUMBERS is empty and not read in chunks; if another process then truncates
   it, reading beyond its new end prints a message and ends the process with
   status 1.  */
int gt_read_raw (struct gt_numbers *numbers, const char *file, char *why,
                 size_t why_size);

#endif

/* A file being read: what the readers of text, of raw elements and of CSV share.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOURCE_H
#define GT_SOURCE_H

#include <stdint.h>
#include <sys/types.h>

#include "tuning/text/reader.h"

/* Bytes read at a time; also the limit to the length of a number.  */
#define GT_SOURCE_BUFFER ((size_t) 1 << 18)

struct gt_source
{
  const char *name; /* for messages */
  int fd;
  char *why;
  size_t why_size;
  struct gt_numbers *numbers; /* where the next number goes */
  uintmax_t line;   /* 0: it is no text */
  int in_comment;
  const char *column; /* of CSV: for messages, " (NAME)" or nothing; else null */
  size_t at;          /* and its place, from 0 */
};

/* Both return 0, or -1 with a message.  */
int gt_source_open (struct gt_source *source, struct gt_numbers *numbers,
                    const char *file, char *why, size_t why_size);
/* Makes room for at least one more element, where there is none.  */
int gt_source_room (struct gt_source *source);
void gt_source_close (struct gt_source *source);

/* Reads up to SIZE bytes; 0 at the end of the file, -1 with a message.  */
ssize_t gt_source_read (struct gt_source *source, void *buffer, size_t size);

/* Appends the number from TOKEN to END, which is writable and is put back; -1 with a
   message.  */
int gt_source_take (struct gt_source *source, char *token, char *end);

/* Writes "NAME:LINE: MESSAGE", or "NAME: MESSAGE" for line 0, and returns -1.  */
int gt_source_fail (struct gt_source *source, uintmax_t line, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

#endif

/* Reading columns of numbers from files of CSV (RFC 4180): cells between delimiters, one
   record a line.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CSV_H
#define GT_CSV_H

#include <stddef.h>

#include "tuning/text/reader.h"

struct gt_csv_column
{
  char *name;                 /* of the header, or its number */
  char *shown;                /* for messages: " (NAME)", or nothing */
  size_t at;                  /* in the file that is being read, from 0 */
  struct gt_numbers *numbers; /* where its numbers go */
};

struct gt_csv
{
  char delimiter;
  const char *wanted; /* names, or numbers from 1, separated by commas; null: all */
  enum gt_element_type type;
  /* Called once, when the columns are known: gives each its vector.  */
  void (*start) (void *closure, struct gt_csv *csv);
  void *closure;
  int has_header;
  struct gt_csv_column *column; /* null before that */
  size_t n;
};

/* Reads FILE, "-" being standard input, to its end.  Its first record is a header if a
   cell of it is no number; then the next file has one, with the same names, at
   whatever places.  Blanks around cells, empty lines and a byte order mark are passed over.
   A cell may stand in quotes, where two quotes are one.  Returns 0, or -1 with a message in
   WHY that names the file, and the line and the column.  */
int gt_csv_read (struct gt_csv *csv, const char *file, char *why, size_t why_size);

/* Frees the columns, not their vectors.  */
void gt_csv_clear (struct gt_csv *csv);

#endif

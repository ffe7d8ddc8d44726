/* Records: the answer of a subcommand as named fields.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RECORD_H
#define GT_RECORD_H

#include <jansson.h>

/* Fields are printed immediately, or collected in an object for --json.  */
struct gt_record
{
  json_t *json; /* null: fields are printed */
  int columns;  /* the width of labels */
};

/* Returns a record that is printed with labels of COLUMNS characters, or is an object if
   IS_JSON.  */
struct gt_record gt_record_new (int columns, int is_json);

/* Each adds field KEY.  Its label is KEY with blanks in place of '_'.  A text becomes a JSON
   string.  A number is printed after the text of FORMAT.  */
void gt_record_text (const struct gt_record *record, const char *key, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
void gt_record_number (const struct gt_record *record, const char *key, long long number,
                       const char *format, ...) __attribute__ ((format (printf, 4, 5)));
/* Adds a field that is only printed, not part of JSON.  If LABEL is empty, the text continues
   the line above.  */
void gt_record_note (const struct gt_record *record, const char *label, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* Adds a field that is only part of JSON; the record takes over VALUE.  */
void gt_record_value (const struct gt_record *record, const char *key, json_t *value);

#endif

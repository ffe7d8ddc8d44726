/* Records: the answer of a subcommand as named fields.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_RECORD_H
#define GT_RECORD_H

#include <jansson.h>

/* Fields are printed as they come, or collected in an object for --json.  */
struct gt_record
{
  json_t *json; /* null: they are printed */
  int columns;  /* for labels */
};

/* A record that is printed with labels of COLUMNS characters, or is an object if IS_JSON.  */
struct gt_record gt_record_new (int columns, int is_json);

/* Each adds field KEY.  Its label is KEY with blanks in place of '_'.  A text is a string for
   programs.  A number is printed after the text of FORMAT.  */
void gt_record_text (const struct gt_record *record, const char *key, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
void gt_record_number (const struct gt_record *record, const char *key, long long number,
                       const char *format, ...) __attribute__ ((format (printf, 4, 5)));
/* A field for people alone; after a label that is empty the text continues the line above.  */
void gt_record_note (const struct gt_record *record, const char *label, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));
/* A field for programs alone, whose VALUE becomes the record's.  */
void gt_record_value (const struct gt_record *record, const char *key, json_t *value);

#endif

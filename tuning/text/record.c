/* Records: the answer of a subcommand as named fields.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/text/record.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/base/log.h"
#include "tuning/text/cli.h"

struct gt_record
gt_record_new (int columns, int is_json)
{
  return (struct gt_record) {is_json ? gt_need (json_object ()) : NULL, columns};
}

static void
print_line (const struct gt_record *record, const char *key, const char *text)
{
  char label[64];
  int n = 0;

  for (; key[n] && n < (int) sizeof label - 1; n++)
    label[n] = key[n] == '_' ? ' ' : key[n];
  label[n] = '\0';
  printf ("  %-*s  %s\n", record->columns, label, text);
}

void
gt_record_text (const struct gt_record *record, const char *key, const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = gt_vtext (format, arguments);
  va_end (arguments);
  gt_make_printable (text, "\n");
  if (record->json == NULL)
    print_line (record, key, text);
  else if (json_object_set_new (record->json, key, json_string (text)))
    json_object_set_new (record->json, key, json_string ("?")); /* not UTF-8 */
  free (text);
}

void
gt_record_number (const struct gt_record *record, const char *key, long long number,
                  const char *format, ...)
{
  va_list arguments;
  char *text;

  gt_record_value (record, key, json_integer (number));
  va_start (arguments, format);
  text = gt_vtext (format, arguments);
  va_end (arguments);
  gt_record_note (record, key, "%s%lld", text, number);
  free (text);
}

void
gt_record_note (const struct gt_record *record, const char *label, const char *format, ...)
{
  va_list arguments;
  char *text;

  if (record->json)
    return;
  va_start (arguments, format);
  text = gt_vtext (format, arguments);
  va_end (arguments);
  print_line (record, label, text);
  free (text);
}

void
gt_record_value (const struct gt_record *record, const char *key, json_t *value)
{
  if (record->json)
    gt_json_set (record->json, key, value);
  else
    json_decref (value);
}

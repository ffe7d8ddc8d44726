/* Reads recorded devices, tests/devices/NAME.json.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TESTS_DEVICE_RECORD_H
#define GT_TESTS_DEVICE_RECORD_H

#include <stdio.h>
#include <string.h>

#include "tuning/store/device_record.h"

static int
gt_read_field (const json_t *value, const struct gt_field *field, struct gt_device *device)
{
  char *const at = (char *) device + field->offset;
  struct gt_sm_limits *const sm = &device->gpu.sm;
  const char *const text = json_string_value (value);

  switch (field->form)
    {
    case GT_FIELD_TEXT:
      return text && stpcpy (at, text) ? 0 : -1;
    case GT_FIELD_BOOLEAN:
      *(int *) at = json_is_true (value);
      return json_is_boolean (value) ? 0 : -1;
    case GT_FIELD_SIZE:
    case GT_FIELD_BYTES:
      *(size_t *) at = (size_t) json_integer_value (value);
      return json_is_integer (value) ? 0 : -1;
    case GT_FIELD_CAPABILITY:
      return text && sscanf (text, "%d.%d", &sm->cc_major, &sm->cc_minor) == 2 ? 0 : -1;
    case GT_FIELD_BANDWIDTH:
    case GT_FIELD_SILICON:
      return 0;
    default:
      *(int *) at = (int) json_integer_value (value);
      return json_is_integer (value) ? 0 : -1;
    }
}

/* Reads the file at PATH.  Its numbers are trusted.  Returns null, or what is wrong: the name
   of the member that is missing or of another kind, or what the reader of JSON says.  */
static const char *
gt_device_read (const char *path, struct gt_device *device)
{
  static json_error_t error;
  json_t *json = json_load_file (path, JSON_REJECT_DUPLICATES, &error);
  const char *const kind = json_string_value (json_object_get (json, "kind"));
  const char *wrong = json == NULL ? error.text : kind ? NULL : "kind";

  memset (device, 0, sizeof *device);
  device->kind = kind && strcmp (kind, "cuda") == 0 ? GT_CUDA : GT_CPU;
  for (const struct gt_field *f = gt_device_fields (device->kind); f->key && wrong == NULL; f++)
    if (gt_read_field (json_object_get (json, f->key), f, device))
      wrong = f->key;
  json_decref (json);
  return wrong;
}

#endif

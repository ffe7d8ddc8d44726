/* The properties of a device, as `gsltune devices' prints them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_RECORD_H
#define GT_DEVICE_RECORD_H

#include <jansson.h>

#include "src/device/device.h"

enum gt_field_form
{
  GT_FIELD_TEXT,    /* char[]; people read `text' instead of "", or no line if that is null */
  GT_FIELD_BOOLEAN, /* int, 0 or 1 */
  GT_FIELD_INT,     /* int, unknown if not positive; `text' is the format for people */
  GT_FIELD_SEVERAL, /* the same; no line if it is not greater than 1 */
  GT_FIELD_NODE,    /* int, unknown if negative */
  GT_FIELD_KHZ,     /* int */
  GT_FIELD_DRIVER,  /* int, 13000 for 13.0 */
  GT_FIELD_SIZE,    /* size_t; `text' is the format for people */
  GT_FIELD_BYTES,   /* size_t, unknown if 0 */
  /* These fields are computed.  */
  GT_FIELD_CAPABILITY,
  GT_FIELD_BANDWIDTH,
  GT_FIELD_SILICON
};

/* A member of the record, and a line for people.  */
struct gt_field
{
  const char *key;   /* of the record; null after the last */
  const char *label; /* of the line; null: there is none */
  enum gt_field_form form;
  size_t offset;     /* in struct gt_device */
  const char *text;
};

/* Returns the fields of the host or of GPUs.  */
const struct gt_field *gt_device_fields (enum gt_device_kind kind);

/* Returns the object that `gsltune devices --json' prints for DEVICE and that the files in
   tests/devices have, a new reference, or null if memory is short.  */
json_t *gt_device_to_json (const struct gt_device *device);

#endif

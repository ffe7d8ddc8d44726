/* Records of devices, in JSON.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_RECORD_H
#define GT_DEVICE_RECORD_H

#include <jansson.h>

#include "src/device/device.h"

/* The form that `gsltune devices --json' prints and tests/devices holds.
   gt_device_to_json returns a new reference, null when memory is short.
   gt_device_from_json returns 0, or -1 with a message in WHY.  */
json_t *gt_device_to_json (const struct gt_device *device);
int gt_device_from_json (const json_t *json, struct gt_device *device,
                         char *why, size_t why_size);

#endif

/* Devices as JSON: what `gsltune devices --json' prints, and what tests/devices
   holds.  One table says which keys there are and what they may hold.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/device_record.h"

#include <stdio.h>
#include <string.h>

#include "src/profile/profile_private.h"

enum form
{
  FORM_INT,     /* int */
  FORM_SIZE,    /* size_t */
  FORM_BOOLEAN, /* int, 0 or 1 */
  FORM_TEXT     /* char[max + 1] */
};

struct field
{
  const char *key;
  enum form form;
  size_t offset;      /* in struct gt_device */
  long long min, max; /* text: length */
};

#define TIB (1LL << 40)
#define GIB (1LL << 30)
#define TEXT(key, member, min)                                        \
  {key, FORM_TEXT, offsetof (struct gt_device, member), min,           \
   (long long) sizeof ((struct gt_device *) NULL)->member - 1}
#define INT(key, member, min, max) \
  {key, FORM_INT, offsetof (struct gt_device, member), min, max}
#define SIZE(key, member, min, max) \
  {key, FORM_SIZE, offsetof (struct gt_device, member), min, max}
#define BOOLEAN(key, member) \
  {key, FORM_BOOLEAN, offsetof (struct gt_device, member), 0, 1}

static const struct field host_fields[] = {
  TEXT ("model", host.model, 1),
  TEXT ("instruction_sets", host.isa, 0),
  INT ("packages", host.packages, 1, 4096),
  INT ("cores", host.cores, 1, 65536),
  INT ("hardware_threads", host.threads, 1, 65536),
  SIZE ("l1d_bytes", host.l1d, 0, GIB),
  SIZE ("l2_bytes", host.l2, 0, 64 * GIB),
  SIZE ("l3_bytes", host.l3, 0, 64 * GIB),
  INT ("l3_instances", host.l3_instances, 0, 65536),
  SIZE ("memory_bytes", host.memory, 0, 4096 * TIB),
  {NULL, FORM_INT, 0, 0, 0}
};

/* The compute capability, "9.0", goes before these.  */
static const struct field gpu_fields[] = {
  TEXT ("name", gpu.name, 1),
  TEXT ("uuid", gpu.uuid, 0),
  TEXT ("pci_address", gpu.pci, 0),
  TEXT ("mig_profile", gpu.mig, 0),
  INT ("ordinal", gpu.ordinal, 0, 4095),
  INT ("driver_version", gpu.driver_version, 0, 1000000),
  INT ("sm_count", gpu.sms, 1, 4096),
  INT ("warp_size_threads", gpu.sm.warp_size, 32, 32),
  INT ("warp_allocation_granularity", gpu.sm.warp_allocation_granularity, 1,
       16),
  INT ("max_threads_per_block", gpu.sm.max_threads_per_block, 32, 1024),
  INT ("max_threads_per_sm", gpu.sm.max_threads_per_sm, 32, 8192),
  INT ("max_blocks_per_sm", gpu.sm.max_blocks_per_sm, 1, 256),
  INT ("registers_per_sm", gpu.sm.registers_per_sm, 4096, 1 << 24),
  INT ("registers_per_block", gpu.sm.registers_per_block, 4096, 1 << 24),
  INT ("max_registers_per_thread", gpu.sm.max_registers_per_thread, 16, 1024),
  INT ("register_allocation_unit", gpu.sm.register_allocation_unit, 1, 4096),
  SIZE ("shared_per_sm_bytes", gpu.sm.shared_per_sm, 1024, 16 << 20),
  SIZE ("shared_per_block_bytes", gpu.sm.shared_per_block, 1024, 16 << 20),
  SIZE ("shared_per_block_optin_bytes", gpu.sm.shared_per_block_optin, 1024,
        16 << 20),
  SIZE ("shared_reserved_per_block_bytes", gpu.sm.shared_reserved_per_block, 0,
        65536),
  SIZE ("shared_allocation_unit_bytes", gpu.sm.shared_allocation_unit, 1,
        65536),
  INT ("sm_clock_khz", gpu.sm_clock_khz, 0, 100000000),
  INT ("memory_clock_khz", gpu.memory_clock_khz, 0, 100000000),
  INT ("memory_bus_bits", gpu.memory_bus_bits, 0, 65536),
  SIZE ("l2_bytes", gpu.l2, 0, 64 * GIB),
  SIZE ("memory_bytes", gpu.memory, 1 << 20, 4096 * TIB),
  BOOLEAN ("integrated", gpu.integrated),
  BOOLEAN ("pageable_access", gpu.pageable_access),
  INT ("numa_node", gpu.numa_node, -1, 65535),
  {NULL, FORM_INT, 0, 0, 0}
};

/* -------------------------------------------------------------- Writing */

static json_t *
field_to_json (const struct gt_device *device, const struct field *field)
{
  const char *at = (const char *) device + field->offset;

  switch (field->form)
    {
    case FORM_INT:
      return json_integer (*(const int *) at);
    case FORM_SIZE:
      return json_integer ((json_int_t) * (const size_t *) at);
    case FORM_BOOLEAN:
      return json_boolean (*(const int *) at);
    case FORM_TEXT:
      return json_string (at);
    }
  return NULL;
}

json_t *
gt_device_to_json (const struct gt_device *device)
{
  const struct gt_sm_limits *sm = &device->gpu.sm;
  const int is_gpu = device->kind == GT_CUDA;
  int failed = 0;
  json_t *json
    = is_gpu ? json_pack ("{s:s, s:o}", "kind", "cuda", "compute_capability",
                          json_sprintf ("%d.%d", sm->cc_major, sm->cc_minor))
             : json_pack ("{s:s}", "kind", "cpu");

  for (const struct field *f = is_gpu ? gpu_fields : host_fields; f->key; f++)
    failed |= json_object_set_new (json, f->key, field_to_json (device, f));
  if (!failed)
    return json;
  json_decref (json);
  return NULL;
}

/* -------------------------------------------------------------- Reading */

struct complaint
{
  char *why;
  size_t size;
};

#define complain(to, ...) gt_profile_fail ((to)->why, (to)->size, __VA_ARGS__)

static int
read_number (const json_t *value, const struct field *field, char *at,
             const struct complaint *to)
{
  json_int_t number;

  if (!json_is_integer (value))
    return complain (to, "\"%s\" is %s: give a whole number from %lld to %lld",
                     field->key, value == NULL ? "missing" : "no whole number",
                     field->min, field->max);
  number = json_integer_value (value);
  if (number < field->min || number > field->max)
    return complain (to, "\"%s\" is %lld: allowed are %lld to %lld",
                     field->key, (long long) number, field->min, field->max);
  if (field->form == FORM_SIZE)
    *(size_t *) at = (size_t) number;
  else
    *(int *) at = (int) number;
  return 0;
}

static int
read_boolean (const json_t *value, const struct field *field, char *at,
              const struct complaint *to)
{
  if (!json_is_boolean (value))
    return complain (to, "\"%s\" is %s: give true or false", field->key,
                     value == NULL ? "missing" : "no truth value");
  *(int *) at = json_is_true (value);
  return 0;
}

/* Printable ASCII alone: these words reach terminals and file names.  */
static int
is_plain (const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~')
      return 0;
  return 1;
}

static int
read_text (const json_t *value, const struct field *field, char *at,
           const struct complaint *to)
{
  const char *text = json_string_value (value);
  size_t length = json_string_length (value);

  if (text == NULL)
    return complain (to, "\"%s\" is %s: give a text of %lld to %lld characters",
                     field->key, value == NULL ? "missing" : "no text",
                     field->min, field->max);
  if (length < (size_t) field->min || length > (size_t) field->max)
    return complain (to, "\"%s\" has %zu characters: allowed are %lld to %lld",
                     field->key, length, field->min, field->max);
  if (!is_plain (text, length))
    return complain (to, "\"%s\" holds a character that is not printable ASCII",
                     field->key);
  memcpy (at, text, length + 1);
  return 0;
}

static int
read_fields (const json_t *json, struct gt_device *device,
             const struct field *field, const struct complaint *to)
{
  for (; field->key != NULL; field++)
    {
      const json_t *value = json_object_get (json, field->key);
      char *at = (char *) device + field->offset;
      int status = field->form == FORM_TEXT
                     ? read_text (value, field, at, to)
                   : field->form == FORM_BOOLEAN
                     ? read_boolean (value, field, at, to)
                     : read_number (value, field, at, to);

      if (status != 0)
        return -1;
    }
  return 0;
}

static int
read_capability (const json_t *json, struct gt_sm_limits *sm,
                 const struct complaint *to)
{
  const json_t *value = json_object_get (json, "compute_capability");
  const char *text = json_string_value (value);
  int end = 0;

  if (text == NULL
      || sscanf (text, "%2d.%1d%n", &sm->cc_major, &sm->cc_minor, &end) != 2
      || (size_t) end != json_string_length (value) || sm->cc_major < 1
      || sm->cc_minor < 0)
    return complain (to, "\"compute_capability\" is %s: give a text like "
                         "\"9.0\", from \"1.0\" to \"99.9\"",
                     value == NULL ? "missing" : "no compute capability");
  return 0;
}

/* Checks what no single number shows.  */
static int
check_gpu (const struct gt_gpu *gpu, const struct complaint *to)
{
  const struct gt_sm_limits *sm = &gpu->sm;

  if (sm->shared_per_block > sm->shared_per_block_optin
      || sm->shared_per_block_optin > sm->shared_per_sm)
    return complain (to, "\"shared_per_block_bytes\" <= "
                         "\"shared_per_block_optin_bytes\" <= "
                         "\"shared_per_sm_bytes\" does not hold");
  if (sm->registers_per_block > sm->registers_per_sm)
    return complain (to, "\"registers_per_block\" is more than "
                         "\"registers_per_sm\"");
  if (sm->max_threads_per_block > sm->max_threads_per_sm)
    return complain (to, "\"max_threads_per_block\" is more than "
                         "\"max_threads_per_sm\"");
  return 0;
}

/* Keys that are not in the tables, such as derived values, are passed over.  */
int
gt_device_from_json (const json_t *json, struct gt_device *device, char *why,
                     size_t why_size)
{
  const struct complaint to = {why, why_size};
  const char *kind = json_string_value (json_object_get (json, "kind"));
  const int is_gpu = kind != NULL && strcmp (kind, "cuda") == 0;
  struct gt_device read;

  memset (&read, 0, sizeof read);
  if (!json_is_object (json))
    return complain (&to, "a device is a JSON object");
  if (!is_gpu && (kind == NULL || strcmp (kind, "cpu") != 0))
    return complain (&to, "\"kind\" is %s: give \"cpu\" or \"cuda\"",
                     kind == NULL ? "missing" : "unknown");
  read.kind = is_gpu ? GT_CUDA : GT_CPU;
  if ((is_gpu && read_capability (json, &read.gpu.sm, &to))
      || read_fields (json, &read, is_gpu ? gpu_fields : host_fields, &to)
      || (is_gpu && check_gpu (&read.gpu, &to)))
    return -1;
  if (!is_gpu && read.host.cores > read.host.threads)
    return complain (&to, "\"cores\" is more than \"hardware_threads\"");
  *device = read;
  return 0;
}

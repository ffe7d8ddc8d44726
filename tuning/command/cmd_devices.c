/* gsltune devices: describes each device of this machine.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>

#include "src/device/device.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/store/device_record.h"
#include "tuning/text/record.h"
#include "tuning/text/table.h"

/* ----------------------------------------------------------- For people */

static const struct gt_record lines = {NULL, 26};
#define item(...) gt_record_note (&lines, __VA_ARGS__)

static void
print_bytes (const char *label, long long bytes)
{
  if (bytes == 0)
    item (label, "unknown");
  else if (bytes % 1024 == 0 || bytes > 1 << 20)
    item (label, "%s", gt_format_bytes ((double) bytes));
  else
    item (label, "%lld bytes", bytes);
}

static void
print_number (const struct gt_field *f, long long number)
{
  const char *const label = f->label;

  if (f->form == GT_FIELD_BYTES)
    print_bytes (label, number);
  else if (f->form == GT_FIELD_DRIVER)
    item (label, "%lld.%lld", number / 1000, number % 1000 / 10);
  else if (f->form == GT_FIELD_KHZ)
    item (label, number <= 0 ? "unknown" : "%lld MHz", (number + 500) / 1000);
  else if (f->form == GT_FIELD_NODE)
    item (label, number < 0 ? "unknown" : "%lld", number);
  else if (f->form == GT_FIELD_INT)
    item (label, number <= 0 ? "unknown" : f->text, number);
  else if (f->form != GT_FIELD_SEVERAL || number > 1)
    item (label, f->text, number);
}

static void
print_field (const struct gt_field *f, const json_t *value)
{
  const char *const text = json_string_value (value);
  const double real = json_real_value (value);

  if (json_is_integer (value))
    print_number (f, json_integer_value (value));
  else if (json_is_boolean (value))
    item (f->label, json_is_true (value) ? "yes" : "no");
  else if (json_is_real (value))
    item (f->label, "%s", real > 0 ? gt_format_bandwidth (real) : "unknown");
  else if (*text != '\0' || f->text)
    item (f->label, "%s", *text != '\0' ? text : f->text);
}

static void
print_device (const struct gt_device *device, const json_t *record)
{
  if (device->kind == GT_CUDA)
    printf ("\ncuda:%d: %s\n", device->gpu.ordinal, device->gpu.name);
  else
    printf ("cpu: %s\n", device->host.model);
  for (const struct gt_field *f = gt_device_fields (device->kind); f->key; f++)
    if (f->label)
      print_field (f, json_object_get (record, f->key));
}

/* ------------------------------------------------------------------ Main */

/* Returns device I, with hwloc's NUMA node if the driver does not report one.  */
static struct gt_device
device_at (int i)
{
  struct gt_device device = *gt_device_at (i);

  if (device.kind == GT_CUDA && device.gpu.numa_node < 0 && device.gpu.pci[0] != '\0')
    device.gpu.numa_node = gt_host_numa_of_pci (device.gpu.pci);
  return device;
}

static int
run (const struct gt_command *self, int argc, char **argv)
{
  json_t *devices = json_array ();
  int json = 0, usable;
  const char *why = "";

  gt_cli_parse (self, argc, argv, &json);
  usable = gt_gpu_count (&why) > 0;
  for (int i = 0; i < gt_device_count (); i++)
    {
      const struct gt_device device = device_at (i);
      json_t *record = gt_need (gt_device_to_json (&device));

      if (!json)
        print_device (&device, record);
      json_array_append_new (devices, record);
    }
  if (json)
    return gt_print_json (json_pack ("{s:o, s:{s:b, s:s?}}", "devices", devices, "cuda", "usable",
                                     usable, "reason", usable ? NULL : why));
  json_decref (devices);
  if (!usable)
    printf ("\nno CUDA GPU: %s\n", why);
  return GT_EXIT_OK;
}

const struct gt_command gt_cmd_devices = {
  .name = "devices",
  .summary = "what each device of this machine is",
  .usage = "[--json]",
  .help = "Lists the host and every CUDA GPU of this process. \"Usable\" counts"
          " what the\nprocess may use, by its affinity and its control"
          " group.\n\n"
          "  --json     print one record a device\n"
          GT_COMMON_HELP ("  "),
  .options = gt_json_alone,
  .takes = "this subcommand takes options alone",
  .run = run,
};

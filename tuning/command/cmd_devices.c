/* gsltune devices: what each device of this machine is.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "src/device/device.h"
#include "src/device/gpus.h"
#include "tuning/command/commands.h"
#include "tuning/store/device_record.h"
#include "tuning/text/table.h"

/* ----------------------------------------------------------- For people */

#define item(...) gt_print_item (26, __VA_ARGS__)

static void
item_bytes (const char *label, size_t bytes)
{
  if (bytes == 0)
    item (label, "unknown");
  else if (bytes % 1024 == 0 || bytes > 1 << 20)
    item (label, "%s", gt_format_bytes ((double) bytes));
  else
    item (label, "%zu bytes", bytes);
}

static void
item_number (const char *label, const char *format, int number)
{
  char text[64];

  snprintf (text, sizeof text, number > 0 ? format : "unknown", number);
  item (label, "%s", text);
}

static void
print_host (const struct gt_device *device)
{
  const struct gt_host *host = &device->host;

  printf ("cpu: %s\n", host->model);
  item ("packages", "%d", host->packages);
  item ("usable cores", "%d", host->cores);
  item ("usable hardware threads", "%d", host->threads);
  item ("instruction sets", "%s", *host->isa != '\0' ? host->isa : "baseline");
  item_bytes ("L1 data cache", host->l1d);
  item_bytes ("L2 cache", host->l2);
  item_bytes ("L3 cache", host->l3);
  if (host->l3_instances > 1)
    item ("L3 caches in use", "%d", host->l3_instances);
  item_bytes ("memory", host->memory);
  item ("silicon key", "%s", gt_silicon_of (device));
}

static void
print_sm (const struct gt_sm_limits *sm)
{
  item ("warp size", "%d threads", sm->warp_size);
  item ("warp allocation", "in multiples of %d",
        sm->warp_allocation_granularity);
  item ("threads per SM", "%d", sm->max_threads_per_sm);
  item ("threads per block", "at most %d", sm->max_threads_per_block);
  item ("blocks per SM", "at most %d", sm->max_blocks_per_sm);
  item ("registers per SM", "%d", sm->registers_per_sm);
  item ("registers per block", "at most %d", sm->registers_per_block);
  item ("registers per thread", "at most %d", sm->max_registers_per_thread);
  item ("register allocation", "in multiples of %d, per warp",
        sm->register_allocation_unit);
  item ("shared memory per SM", "%zu bytes", sm->shared_per_sm);
  item ("shared memory per block", "%zu bytes, %zu when opted in",
        sm->shared_per_block, sm->shared_per_block_optin);
  item ("shared memory reserved", "%zu bytes per block",
        sm->shared_reserved_per_block);
  item ("shared memory allocation", "in multiples of %zu bytes",
        sm->shared_allocation_unit);
}

/* The driver's own answer where it has one, else hwloc's.  */
static int
numa_node (const struct gt_gpu *gpu)
{
  return gpu->numa_node >= 0 || gpu->pci[0] == '\0'
           ? gpu->numa_node
           : gt_host_numa_of_pci (gpu->pci);
}

static void
print_memory (const struct gt_gpu *gpu)
{
  double bandwidth = gt_gpu_bandwidth (gpu);

  item_bytes ("memory", gpu->memory);
  item_number ("memory clock", "%d MHz", (gpu->memory_clock_khz + 500) / 1000);
  item_number ("memory bus", "%d bits", gpu->memory_bus_bits);
  item ("theoretical bandwidth", "%s",
        bandwidth > 0.0 ? gt_format_bandwidth (bandwidth) : "unknown");
  item_bytes ("L2 cache", gpu->l2);
  item ("shares the host's memory", "%s", gpu->integrated ? "yes" : "no");
  item ("reads pageable memory", "%s", gpu->pageable_access ? "yes" : "no");
}

static void
print_gpu (const struct gt_device *device)
{
  const struct gt_gpu *gpu = &device->gpu;
  int node = numa_node (gpu);

  printf ("\ncuda:%d: %s\n", gpu->ordinal, gpu->name);
  item ("compute capability", "%d.%d", gpu->sm.cc_major, gpu->sm.cc_minor);
  item ("SMs", "%d", gpu->sms);
  item_number ("SM clock", "%d MHz", (gpu->sm_clock_khz + 500) / 1000);
  print_sm (&gpu->sm);
  print_memory (gpu);
  if (gpu->mig[0] != '\0')
    item ("MIG profile", "%s", gpu->mig);
  item ("PCI address", "%s", gpu->pci[0] != '\0' ? gpu->pci : "unknown");
  if (node >= 0)
    item ("nearest NUMA node", "%d", node);
  else
    item ("nearest NUMA node", "unknown");
  item ("UUID", "%s", gpu->uuid[0] != '\0' ? gpu->uuid : "unknown");
  item ("driver supports CUDA", "%d.%d", gpu->driver_version / 1000,
        gpu->driver_version % 1000 / 10);
  item ("silicon key", "%s", gt_silicon_of (device));
}

/* --------------------------------------------------------- For programs */

/* The record, and what is derived from it.  Null when memory is short.  */
static json_t *
full_record (const struct gt_device *device)
{
  struct gt_device copy = *device;
  json_t *json;

  if (copy.kind == GT_CUDA)
    copy.gpu.numa_node = numa_node (&copy.gpu);
  json = gt_need (gt_device_to_json (&copy));
  gt_json_set (json, "silicon", json_string (gt_silicon_of (device)));
  if (copy.kind == GT_CUDA)
    gt_json_set (json, "theoretical_bandwidth_bytes_per_second",
                 json_real (gt_gpu_bandwidth (&copy.gpu)));
  return json;
}

static int
print_json (int n_gpus, const char *why)
{
  json_t *devices = json_array ();

  for (int i = 0; i < gt_device_count (); i++)
    json_array_append_new (devices, full_record (gt_device_at (i)));
  return gt_print_json (json_pack ("{s:o, s:{s:b, s:s?}}", "devices", devices,
                                   "cuda", "usable", n_gpus > 0, "reason",
                                   n_gpus > 0 ? NULL : why));
}

/* ------------------------------------------------------------------ Main */

static int
run (const struct gt_command *self, int argc, char **argv)
{
  int json = 0;
  const char *why = "";
  int n_gpus;

  gt_cli_parse (self, argc, argv, &json);
  n_gpus = gt_gpu_count (&why);
  if (json)
    return print_json (n_gpus, why);
  print_host (gt_device_host ());
  for (int i = 0; i < n_gpus; i++)
    print_gpu (gt_gpu_device (i));
  if (n_gpus == 0)
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
          "  --json     print one record a device, in the form that\n"
          "             'gsltune occupancy --record' reads\n"
          GT_COMMON_HELP ("  "),
  .options = gt_json_alone,
  .takes = "this subcommand takes options alone",
  .run = run,
};

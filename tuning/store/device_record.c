/* The fields of a device.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/store/device_record.h"

#define HOST(key, label, form, member, text) \
  {key, label, GT_FIELD_##form, offsetof (struct gt_device, host.member), text}
#define GPU(key, label, form, member, text) \
  {key, label, GT_FIELD_##form, offsetof (struct gt_device, gpu.member), text}
#define COMPUTED(key, label, form) {key, label, GT_FIELD_##form, 0, NULL}

static const struct gt_field host_fields[] = {
  HOST ("model", NULL, TEXT, model, NULL),
  HOST ("packages", "packages", INT, packages, "%lld"),
  HOST ("cores", "usable cores", INT, cores, "%lld"),
  HOST ("hardware_threads", "usable hardware threads", INT, threads, "%lld"),
  HOST ("instruction_sets", "instruction sets", TEXT, isa, "baseline"),
  HOST ("l1d_bytes", "L1 data cache", BYTES, l1d, NULL),
  HOST ("l2_bytes", "L2 cache", BYTES, l2, NULL),
  HOST ("l3_bytes", "L3 cache", BYTES, l3, NULL),
  HOST ("l3_instances", "L3 caches in use", SEVERAL, l3_instances, "%lld"),
  HOST ("memory_bytes", "memory", BYTES, memory, NULL),
  COMPUTED ("silicon", "silicon key", SILICON),
  COMPUTED (NULL, NULL, TEXT)
};

static const struct gt_field gpu_fields[] = {
  GPU ("name", NULL, TEXT, name, NULL),
  GPU ("ordinal", NULL, INT, ordinal, NULL),
  COMPUTED ("compute_capability", "compute capability", CAPABILITY),
  GPU ("sm_count", "SMs", INT, sms, "%lld"),
  GPU ("sm_clock_khz", "SM clock", KHZ, sm_clock_khz, NULL),
  GPU ("warp_size_threads", "warp size", INT, sm.warp_size, "%lld threads"),
  GPU ("warp_allocation_granularity", "warp allocation", INT, sm.warp_allocation_granularity,
       "in multiples of %lld"),
  GPU ("max_threads_per_sm", "threads per SM", INT, sm.max_threads_per_sm, "%lld"),
  GPU ("max_threads_per_block", "threads per block", INT, sm.max_threads_per_block, "at most %lld"),
  GPU ("max_blocks_per_sm", "blocks per SM", INT, sm.max_blocks_per_sm, "at most %lld"),
  GPU ("registers_per_sm", "registers per SM", INT, sm.registers_per_sm, "%lld"),
  GPU ("registers_per_block", "registers per block", INT, sm.registers_per_block, "at most %lld"),
  GPU ("max_registers_per_thread", "registers per thread", INT, sm.max_registers_per_thread,
       "at most %lld"),
  GPU ("register_allocation_unit", "register allocation", INT, sm.register_allocation_unit,
       "in multiples of %lld, per warp"),
  GPU ("shared_per_sm_bytes", "shared memory per SM", SIZE, sm.shared_per_sm, "%lld bytes"),
  GPU ("shared_per_block_bytes", "shared memory per block", SIZE, sm.shared_per_block,
       "%lld bytes"),
  GPU ("shared_per_block_optin_bytes", "", SIZE, sm.shared_per_block_optin,
       "%lld bytes when opted in"),
  GPU ("shared_reserved_per_block_bytes", "shared memory reserved", SIZE,
       sm.shared_reserved_per_block, "%lld bytes per block"),
  GPU ("shared_allocation_unit_bytes", "shared memory allocation", SIZE,
       sm.shared_allocation_unit, "in multiples of %lld bytes"),
  GPU ("memory_bytes", "memory", BYTES, memory, NULL),
  GPU ("memory_clock_khz", "memory clock", KHZ, memory_clock_khz, NULL),
  GPU ("memory_bus_bits", "memory bus", INT, memory_bus_bits, "%lld bits"),
  COMPUTED ("theoretical_bandwidth_bytes_per_second", "theoretical bandwidth", BANDWIDTH),
  GPU ("l2_bytes", "L2 cache", BYTES, l2, NULL),
  GPU ("integrated", "shares the host's memory", BOOLEAN, integrated, NULL),
  GPU ("pageable_access", "reads pageable memory", BOOLEAN, pageable_access, NULL),
  GPU ("mig_profile", "MIG profile", TEXT, mig, NULL),
  GPU ("pci_address", "PCI address", TEXT, pci, "unknown"),
  GPU ("numa_node", "nearest NUMA node", NODE, numa_node, NULL),
  GPU ("uuid", "UUID", TEXT, uuid, "unknown"),
  GPU ("driver_version", "driver supports CUDA", DRIVER, driver_version, NULL),
  COMPUTED ("silicon", "silicon key", SILICON),
  COMPUTED (NULL, NULL, TEXT)
};

const struct gt_field *
gt_device_fields (enum gt_device_kind kind)
{
  return kind == GT_CUDA ? gpu_fields : host_fields;
}

static json_t *
field_to_json (const struct gt_device *device, const struct gt_field *field)
{
  const void *at = (const char *) device + field->offset;
  char silicon[GT_SILICON_SIZE];

  switch (field->form)
    {
    case GT_FIELD_TEXT:
      return json_string (at);
    case GT_FIELD_BOOLEAN:
      return json_boolean (*(const int *) at);
    case GT_FIELD_SIZE:
    case GT_FIELD_BYTES:
      return json_integer ((json_int_t) * (const size_t *) at);
    case GT_FIELD_CAPABILITY:
      return json_sprintf ("%d.%d", device->gpu.sm.cc_major, device->gpu.sm.cc_minor);
    case GT_FIELD_BANDWIDTH:
      return json_real (gt_gpu_bandwidth (&device->gpu));
    case GT_FIELD_SILICON:
      gt_device_silicon (device, silicon);
      return json_string (silicon);
    default:
      return json_integer (*(const int *) at);
    }
}

json_t *
gt_device_to_json (const struct gt_device *device)
{
  json_t *json = json_pack ("{s:s}", "kind", device->kind == GT_CUDA ? "cuda" : "cpu");
  int failed = 0;

  for (const struct gt_field *f = gt_device_fields (device->kind); f->key; f++)
    failed |= json_object_set_new (json, f->key, field_to_json (device, f));
  if (!failed)
    return json;
  json_decref (json);
  return NULL;
}

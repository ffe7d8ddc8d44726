/* The recorded devices, and what the driver says of them.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/softgpu_state.h"
extern "C"
{
#include "tests/device_record.h"
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <sstream>

namespace softgpu
{
[[noreturn]] static void
refuse (const std::string &path, const char *why)
{
  fprintf (stderr, "softgpu: SOFTGPU_DEVICE: %s: %s\n", path.c_str (), why);
  abort ();
}

static softgpu_device *
new_device (const gt_gpu &gpu)
{
  softgpu_device *device = new softgpu_device ();

  device->gpu = gpu;
  device->primary.device = device;
  device->available = (size_t) std::min<uint64_t> (
    gpu.memory, environment_number ("SOFTGPU_MEMORY", gpu.memory));
  device->slower = (double) environment_number ("SOFTGPU_SLOWER", 1);
  return device;
}

static softgpu_device *
read_device (const std::string &path)
{
  gt_device device;
  const char *wrong = gt_device_read (path.c_str (), &device);

  if (wrong)
    refuse (path, wrong);
  if (device.kind != GT_CUDA)
    refuse (path, "not a CUDA device");
  return new_device (device.gpu);
}

static std::vector<std::string>
split (const char *text, char separator)
{
  std::vector<std::string> words;
  std::istringstream stream (text ? text : "");
  std::string word;

  while (std::getline (stream, word, separator))
    words.push_back (word);
  return words;
}

/* An index, or the beginning of a UUID.  */
static softgpu_device *
find_visible (const std::vector<softgpu_device *> &all,
              const std::string &word)
{
  char *end;
  unsigned long index = strtoul (word.c_str (), &end, 10);

  if (word.empty ())
    return nullptr;
  if (*end == '\0')
    return index < all.size () ? all[index] : nullptr;
  for (softgpu_device *device : all)
    if (strncmp (device->gpu.uuid, word.c_str (), word.size ()) == 0)
      return device;
  return nullptr;
}

/* The first entry that names no device ends the list, as CUDA has it.  */
void
load_devices ()
{
  std::vector<softgpu_device *> &all = the ().recorded;
  std::vector<softgpu_device *> &visible = the ().devices;
  const char *selection = getenv ("CUDA_VISIBLE_DEVICES");

  for (const std::string &path : split (getenv ("SOFTGPU_DEVICE"), ':'))
    all.push_back (read_device (path));
  if (!selection)
    visible = all;
  for (const std::string &word : split (selection, ','))
    {
      softgpu_device *device = find_visible (all, word);
      if (!device)
        break;
      visible.push_back (device);
    }
}

softgpu_device *
device_of (CUdevice number)
{
  const std::vector<softgpu_device *> &all = the ().devices;

  return number >= 0 && (size_t) number < all.size () ? all[number] : nullptr;
}

static int
pci_part (const gt_gpu &g, int which)
{
  unsigned part[3] = {0, 0, 0};

  sscanf (g.pci, "%x:%x:%x", &part[0], &part[1], &part[2]);
  return (int) part[which];
}

/* Those that somebody asks for.  */
struct attribute
{
  CUdevice_attribute number;
  int (*value) (const gt_gpu &g);
};

#define ANSWER(name, expression)                                          \
  {CU_DEVICE_ATTRIBUTE_##name,                                            \
   [] (const gt_gpu &g) -> int { (void) g; return (int) (expression); }}
static const attribute attributes[] = {
  ANSWER (MULTIPROCESSOR_COUNT, g.sms),
  ANSWER (WARP_SIZE, g.sm.warp_size),
  ANSWER (MAX_THREADS_PER_BLOCK, g.sm.max_threads_per_block),
  ANSWER (MAX_THREADS_PER_MULTIPROCESSOR, g.sm.max_threads_per_sm),
  ANSWER (MAX_BLOCKS_PER_MULTIPROCESSOR, g.sm.max_blocks_per_sm),
  ANSWER (MAX_REGISTERS_PER_MULTIPROCESSOR, g.sm.registers_per_sm),
  ANSWER (MAX_REGISTERS_PER_BLOCK, g.sm.registers_per_block),
  ANSWER (MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, g.sm.shared_per_sm),
  ANSWER (MAX_SHARED_MEMORY_PER_BLOCK, g.sm.shared_per_block),
  ANSWER (MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, g.sm.shared_per_block_optin),
  ANSWER (RESERVED_SHARED_MEMORY_PER_BLOCK, g.sm.shared_reserved_per_block),
  ANSWER (CLOCK_RATE, g.sm_clock_khz),
  ANSWER (MEMORY_CLOCK_RATE, g.memory_clock_khz),
  ANSWER (GLOBAL_MEMORY_BUS_WIDTH, g.memory_bus_bits),
  ANSWER (L2_CACHE_SIZE, g.l2),
  ANSWER (COMPUTE_CAPABILITY_MAJOR, g.sm.cc_major),
  ANSWER (COMPUTE_CAPABILITY_MINOR, g.sm.cc_minor),
  ANSWER (INTEGRATED, g.integrated),
  ANSWER (UNIFIED_ADDRESSING, 1),
  ANSWER (MANAGED_MEMORY, 1),
  ANSWER (CONCURRENT_MANAGED_ACCESS, g.sm.cc_major >= 6),
  ANSWER (PAGEABLE_MEMORY_ACCESS, g.pageable_access),
  ANSWER (PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
          g.pageable_access && g.integrated),
  ANSWER (CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1),
  ANSWER (CLUSTER_LAUNCH, g.sm.cc_major >= 9),
  ANSWER (PCI_DOMAIN_ID, pci_part (g, 0)),
  ANSWER (PCI_BUS_ID, pci_part (g, 1)),
  ANSWER (PCI_DEVICE_ID, pci_part (g, 2)),
  ANSWER (HOST_NUMA_ID, g.numa_node),
};

static CUresult
get_attribute (int *value, int number, const gt_gpu &gpu)
{
  for (const attribute &known : attributes)
    if (known.number == number)
      {
        *value = known.value (gpu);
        return CUDA_SUCCESS;
      }
  return CUDA_ERROR_INVALID_VALUE;
}

/* The hexadecimal digits after "GPU-" or "MIG-".  */
static CUresult
get_uuid (CUuuid *uuid, const gt_gpu &gpu)
{
  const char *text = strchr (gpu.uuid, '-');
  int digits = 0;

  memset (uuid, 0, sizeof *uuid);
  for (text = text ? text : ""; *text && digits < 32; text++)
    {
      char word[2] = {*text, '\0'}, *end;
      unsigned long digit = strtoul (word, &end, 16);
      if (*text == '-' || *end != '\0')
        continue;
      unsigned char byte = (unsigned char) uuid->bytes[digits / 2];
      uuid->bytes[digits / 2] = (char) (byte << 4 | digit);
      digits++;
    }
  return CUDA_SUCCESS;
}

static CUresult
copy_text (char *to, int size, const char *from)
{
  if (!to || size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  snprintf (to, (size_t) size, "%s", from);
  return CUDA_SUCCESS;
}

/* A call about device NUMBER that delivers through RESULT.  */
template <class F>
static CUresult
ask (softgpu_entry entry, const void *result, CUdevice number, F body)
{
  return call (entry, NEED_INIT, [&] {
    const softgpu_device *device = device_of (number);
    if (!device)
      return CUDA_ERROR_INVALID_DEVICE;
    return result ? body (device->gpu) : CUDA_ERROR_INVALID_VALUE;
  });
}
}

using namespace softgpu;

CUresult CUDAAPI
cuDeviceGetCount (int *count)
{
  return call (ENTRY_cuDeviceGetCount, NEED_INIT, [&] {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = (int) the ().devices.size ();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuDeviceGet (CUdevice *device, int ordinal)
{
  return ask (ENTRY_cuDeviceGet, device, ordinal, [&] (const gt_gpu &) {
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuDeviceGetName (char *name, int size, CUdevice device)
{
  return ask (ENTRY_cuDeviceGetName, name, device, [&] (const gt_gpu &gpu)
              { return copy_text (name, size, gpu.name); });
}

CUresult CUDAAPI
cuDeviceGetUuid (CUuuid *uuid, CUdevice device)
{
  return ask (ENTRY_cuDeviceGetUuid, uuid, device, [&] (const gt_gpu &gpu)
              { return get_uuid (uuid, gpu); });
}

CUresult CUDAAPI
cuDeviceGetAttribute (int *value, CUdevice_attribute number, CUdevice device)
{
  return ask (ENTRY_cuDeviceGetAttribute, value, device,
              [&] (const gt_gpu &gpu)
              { return get_attribute (value, number_of (number), gpu); });
}

CUresult CUDAAPI
cuDeviceTotalMem (size_t *bytes, CUdevice device)
{
  return ask (ENTRY_cuDeviceTotalMem, bytes, device, [&] (const gt_gpu &gpu) {
    *bytes = gpu.memory;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI
cuDeviceGetPCIBusId (char *id, int size, CUdevice device)
{
  return ask (ENTRY_cuDeviceGetPCIBusId, id, device, [&] (const gt_gpu &gpu)
              { return copy_text (id, size, gpu.pci); });
}

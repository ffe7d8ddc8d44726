/* The description of a device: the host's CPU or one CUDA GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_DEVICE_H
#define GT_DEVICE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/catalog.h"
#include "src/device/sm_limits.h"

struct gt_host
{
  char model[128];      /* the processor's name of itself */
  char isa[128];        /* instruction sets that matter here: "sse2 avx2 avx512f" */
  int packages;         /* in which this process may use processors */
  int cores;            /* physical, that this process may use */
  int threads;          /* hardware threads that this process may use, after
                           affinity and cgroup limits */
  size_t l1d, l2, l3;   /* bytes of one instance; 0: none or unknown */
  int l3_instances;     /* within what this process may use */
  size_t memory;        /* bytes */
};

struct gt_gpu
{
  int ordinal;          /* CUDA's number for it in this process */
  char name[128];
  char uuid[48];        /* "GPU-..." */
  char pci[16];         /* "0000:01:00.0" */
  char mig[32];         /* MIG profile, "" when not a slice */
  int driver_version;   /* 13000 for 13.0 */
  int sms;
  struct gt_sm_limits sm;
  int sm_clock_khz, memory_clock_khz;
  int memory_bus_bits;
  size_t l2;            /* bytes */
  size_t memory;        /* bytes */
  int integrated;       /* shares the host's memory */
  int pageable_access;  /* reads ordinary host memory by itself */
  int numa_node;        /* nearest, -1: unknown */
};

struct gt_device
{
  enum gt_device_kind kind;
  union
  {
    struct gt_host host;
    struct gt_gpu gpu;
  };
};

/* Describes the host from /sys, or from hwloc if that is not enough.  Cannot fail: an unknown
   property has its smallest sensible value.  The results of the first call are kept.  */
const struct gt_device *gt_device_host (void);

/* Lets THREAD run on every processor that the process may use, even if its creator is bound to
   some of them.  If that fails THREAD is unchanged.  */
void gt_device_host_bind (pthread_t thread);

/* Returns the NUMA node nearest to the PCI device at ADDRESS ("0000:01:00.0"), or -1 if it is
   unknown.  */
int gt_host_numa_of_pci (const char *address);

/* Returns the theoretical memory bandwidth in bytes per second, from bus width and clock (two
   transfers a clock); 0 if unknown.  */
double gt_gpu_bandwidth (const struct gt_gpu *gpu);

/* Returns a name for people: the CPU's model or the GPU's name.  */
const char *gt_device_name (const struct gt_device *device);

/* Returns the silicon key, which is equal for devices that share a profile, e.g.
   "cuda-9.0-132sm-140gib-l2-60mib" or "cpu-amd-epyc-9b14-2t-...".  Only
   [a-z0-9.-]; also the profile's file name without ".json".  */
#define GT_SILICON_SIZE 160
void gt_device_silicon (const struct gt_device *device,
                        char silicon[GT_SILICON_SIZE]);

/* Fills DEVICE from silicon KEY: for a CPU its model, cores, threads, caches and instruction
   sets, as the key spells them; for a GPU its compute capability with the resulting limits,
   SMs, memory, L2 cache and slice.  Returns 0, or -1 if KEY is not a key, or was
   truncated.  */
int gt_device_from_silicon (const char *key, struct gt_device *device);

#endif

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
  char model[128];      /* as the processor names itself */
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

/* Discovers the host: through /sys, or hwloc where that does not tell.  Cannot fail: what
   cannot be found out is given its smallest sensible value.  Answers of the first call
   are kept.  */
const struct gt_device *gt_device_host (void);

/* Lets THREAD run on every processor that the process may use, whatever its
   creator is bound to.  If that fails THREAD stays as it is.  */
void gt_device_host_bind (pthread_t thread);

/* The NUMA node nearest to the PCI device at ADDRESS ("0000:01:00.0"), or -1
   when that is not known.  */
int gt_host_numa_of_pci (const char *address);

/* Theoretical memory bandwidth in bytes per second, from bus width and clock
   (two transfers a clock); 0 when unknown.  */
double gt_gpu_bandwidth (const struct gt_gpu *gpu);

/* A name for people: the CPU's model or the GPU's name.  */
const char *gt_device_name (const struct gt_device *device);

/* The silicon key: equal for devices that one profile serves.  E.g.
   "cuda-9.0-132sm-140gib-l2-60mib" or "cpu-amd-epyc-9b14-2t-...".  Only
   [a-z0-9.-]; also the profile's file name without ".json".  */
#define GT_SILICON_SIZE 160
void gt_device_silicon (const struct gt_device *device,
                        char silicon[GT_SILICON_SIZE]);

/* Makes DEVICE one of silicon KEY, with what the key tells of it: of a CPU the model,
   its cores, threads, caches and instruction sets, as the key spells them; of a GPU the
   compute capability and the limits that follow, SMs, memory, L2 cache and slice.
   Returns 0, or -1 where KEY tells nothing: it is none, or was cut.  */
int gt_device_from_silicon (const char *key, struct gt_device *device);

#endif

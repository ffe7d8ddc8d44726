/* Questions of a program to the soft GPU that has it in its process: found by dlsym in the
   driver's library, so that the same program runs with a real driver, which has none
   of this.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_SOFTGPU_HOOKS_H
#define GT_SOFTGPU_HOOKS_H

#ifdef __cplusplus
extern "C" {
#endif

enum softgpu_number
{
#define ENTRY_POINT(name, version) SOFTGPU_##name,
#include "tests/softgpu/entry_points.def"
#undef ENTRY_POINT
  SOFTGPU_N_ENTRIES
};

/* The memory that the process holds.  */
enum softgpu_held
{
  SOFTGPU_DEVICE_BYTES,
  SOFTGPU_DEVICE_RANGES,
  SOFTGPU_HOST_BYTES, /* pinned */
  SOFTGPU_HOST_RANGES,
  SOFTGPU_STREAMS,
  SOFTGPU_EVENTS,
  SOFTGPU_GRAPHS,
  SOFTGPU_LIBRARIES,
  SOFTGPU_N_HELD
};

struct softgpu_report
{
  unsigned long struck; /* calls that met a fault, or a full device */
  unsigned long calls[SOFTGPU_N_ENTRIES];
  unsigned long at_strike[SOFTGPU_N_ENTRIES]; /* calls when the first did */
  unsigned long held[SOFTGPU_N_HELD];
};

typedef void softgpu_report_function (struct softgpu_report *report);

/* Replaces the faults by those of TEXT, in the words of SOFTGPU_FAIL; calls are
   counted from now on.  */
typedef void softgpu_set_faults_function (const char *text);

/* Managed memory at ADDRESS seems to be given to a device by advice, and by a prefetch:
   ordinals, or CU_DEVICE_CPU, or CU_DEVICE_INVALID.  */
typedef void softgpu_give_memory_function (const void *address, int preferred,
                                           int prefetched);

__attribute__ ((visibility ("default"))) softgpu_report_function softgpu_report;
__attribute__ ((visibility ("default")))
softgpu_set_faults_function softgpu_set_faults;
__attribute__ ((visibility ("default")))
softgpu_give_memory_function softgpu_give_memory;

#ifdef __cplusplus
}
#endif

#endif

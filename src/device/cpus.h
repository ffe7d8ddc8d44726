/* The processors that a process may use, as Linux tells of them in /sys and /proc, and
   how much of their time.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CPUS_H
#define GT_CPUS_H

#include <sched.h>

#include "src/device/device.h"

/* Linux can have no more.  */
#define GT_MOST_CPUS 8192

struct gt_cpus
{
  cpu_set_t set[GT_MOST_CPUS / CPU_SETSIZE];
};

int gt_cpus_count (const struct gt_cpus *cpus);

/* Sets CPUS to those that any thread of this process may run on.  ROOT is put before
   every path here: "" but for tests.  Returns 0, or -1 where the system does not
   tell.  */
int gt_cpus_usable (const char *root, struct gt_cpus *cpus);

/* Sets threads, cores, packages and caches of HOST to those of CPUS.  Reads some ten
   files, and two more for each core.  Returns 0, or -1 where the system does not tell
   of cores or of the first cache.  To be called within a setup.  */
int gt_cpus_describe (const char *root, const struct gt_cpus *cpus,
                      struct gt_host *host);

/* The smallest quota on the way from the process's group up to the root of its
   hierarchy, in CPUs (1.5: 150 ms in every 100), of version 2 (cpu.max) and
   version 1 (cpu.cfs_quota_us); 0 when there is none or it cannot be read.
   ROOT is put before every path: "" but for tests.  */
double gt_cgroup_cpu_quota (const char *root);

#endif

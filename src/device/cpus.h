/* The processors that a process may use, and its share of their time, from Linux's /sys and
   /proc.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CPUS_H
#define GT_CPUS_H

#include <sched.h>

#include "src/device/device.h"

/* The maximum of Linux.  */
#define GT_MOST_CPUS 8192

struct gt_cpus
{
  cpu_set_t set[GT_MOST_CPUS / CPU_SETSIZE];
};

int gt_cpus_count (const struct gt_cpus *cpus);

/* Sets CPUS to the processors that any thread of this process may run on.  ROOT is a prefix of
   every path: "" except in tests.  Returns 0, or -1 if the system does not report them.  */
int gt_cpus_usable (const char *root, struct gt_cpus *cpus);

/* Sets threads, cores, packages and caches of HOST to those of CPUS.  Reads about ten files,
   and two more for each core.  Returns 0, or -1 if the system does not report the cores or the
   first cache.  To be called within a setup.  */
int gt_cpus_describe (const char *root, const struct gt_cpus *cpus,
                      struct gt_host *host);

/* Returns the smallest quota between the process's group and the root of its hierarchy, in
   CPUs (1.5: 150 ms in every 100), of version 2 (cpu.max) and version 1 (cpu.cfs_quota_us); 0
   when there is none or it cannot be read.  ROOT is a prefix of every path: "" except in
   tests.  */
double gt_cgroup_cpu_quota (const char *root);

#endif

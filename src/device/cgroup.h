/* The CPU time that Linux control groups grant this process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_CGROUP_H
#define GT_CGROUP_H

/* The smallest quota on the way from the process's group up to the root of its
   hierarchy, in CPUs (1.5: 150 ms in every 100), of version 2 (cpu.max) and
   version 1 (cpu.cfs_quota_us); 0 when there is none or it cannot be read.
   ROOT is put before every path: "" but for tests.  */
double gt_cgroup_cpu_quota (const char *root);

#endif

/* Tests of src/device/cgroup.c: how many CPUs control groups leave to this process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/device/cgroup.h"
#include "tests/false_root.h"

#define MOUNT_V2(group) \
  "22 1 0:20 / /proc rw - proc proc rw\n" \
  "30 22 0:26 " group " /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define MOUNT_V1(group) \
  "31 22 0:27 / /cg/pids rw - cgroup cgroup rw,pids\n" \
  "32 22 0:28 " group " /cg/cpu rw - cgroup cgroup rw,cpuacct,cpu\n"

static void
assert_quota (double expected)
{
  double quota = gt_cgroup_cpu_quota (tree);

  if (quota < expected - 1e-9 || quota > expected + 1e-9)
    fail_msg ("%g CPUs instead of %g", quota, expected);
}

TEST_WITH (quota_v2, make_tree, drop_tree)
{
  assert_quota (0.0); /* no /proc at all */
  put ("/proc/self/cgroup", "0::/a/b\n");
  assert_quota (0.0); /* no mount */
  put ("/proc/self/mountinfo", MOUNT_V2 ("/"));
  assert_quota (0.0); /* no files */
  put ("/cg/a/b/cpu.max", "max 100000\n");
  assert_quota (0.0);
  put ("/cg/a/b/cpu.max", "400000 100000\n");
  assert_quota (4.0);
  put ("/cg/a/cpu.max", "150000 100000\n"); /* a smaller one above */
  assert_quota (1.5);
  put ("/cg/cpu.max", "200000 100000\n");
  assert_quota (1.5);
  put ("/cpu.max", "1 100000\n"); /* above the mount: not a group */
  assert_quota (1.5);
  put ("/cg/a/cpu.max", "-5 100000\n");
  put ("/cg/a/b/cpu.max", "rubbish\n");
  assert_quota (2.0);
  put ("/cg/cpu.max", "200000 0\n");
  assert_quota (0.0);
  put ("/cg/cpu.max", "inf 100000\n");
  assert_quota (0.0);
  put ("/cg/cpu.max", "nan 100000\n");
  assert_quota (0.0);
}

TEST_WITH (quota_v1, make_tree, drop_tree)
{
  put ("/proc/self/cgroup", "5:pids:/x\n4:cpuset:/y\n3:cpu,cpuacct:/a/b\n");
  put ("/proc/self/mountinfo", MOUNT_V1 ("/"));
  put ("/cg/cpu/a/b/cpu.cfs_quota_us", "-1\n");
  put ("/cg/cpu/a/b/cpu.cfs_period_us", "100000\n");
  assert_quota (0.0);
  put ("/cg/cpu/a/cpu.cfs_quota_us", "50000\n");
  assert_quota (0.0); /* no period */
  put ("/cg/cpu/a/cpu.cfs_period_us", "20000\n");
  assert_quota (2.5);
  put ("/cg/cpu/y/cpu.cfs_quota_us", "1\n"); /* of another controller */
  put ("/cg/cpu/y/cpu.cfs_period_us", "100000\n");
  assert_quota (2.5);
}

/* A container sees its own group mounted, under a path from outside.  */
TEST_WITH (quota_in_container, make_tree, drop_tree)
{
  put ("/proc/self/cgroup", "0::/box/17/job\n");
  put ("/proc/self/mountinfo", MOUNT_V2 ("/box/17"));
  put ("/cg/job/cpu.max", "300000 100000\n");
  put ("/cg/cpu.max", "600000 100000\n");
  assert_quota (3.0);
  put ("/proc/self/cgroup", "0::/elsewhere\n");
  assert_quota (6.0);
}

TEST_WITH (quota_of_both, make_tree, drop_tree)
{
  put ("/proc/self/cgroup", "3:cpu,cpuacct:/\n0::/\n");
  put ("/proc/self/mountinfo", MOUNT_V1 ("/") MOUNT_V2 ("/"));
  put ("/cg/cpu/cpu.cfs_quota_us", "250000\n");
  put ("/cg/cpu/cpu.cfs_period_us", "100000\n");
  assert_quota (2.5);
  put ("/cg/cpu.max", "100000 100000\n");
  assert_quota (1.0);
}

RUN_TESTS (NULL, NULL)

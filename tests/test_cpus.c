/* Tests of src/device/cpus.c: machines as /sys tells of them, and this one as hwloc sees
   it; and how many CPUs control groups leave to this process.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>

#include "tests/unit.h"

#include "src/device/cpus.h"
#include "tests/false_root.h"

/* Writes TEXT to NAME in the folder of CPU.  */
static void
put_cpu (unsigned cpu, const char *name, const char *text)
{
  char path[128], line[64];

  snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", cpu, name);
  snprintf (line, sizeof line, "%s\n", text);
  put (path, line);
}

static void
put_cache (unsigned cpu, const char *index, const char *level,
           const char *type, const char *size, const char *shared)
{
  const struct
  {
    const char *name, *text;
  } files[] = {{"level", level}, {"type", type}, {"size", size},
               {"shared_cpu_list", shared}};
  char name[64];

  for (size_t i = 0; i < N_OF (files); i++)
    {
      snprintf (name, sizeof name, "cache/%s/%s", index, files[i].name);
      put_cpu (cpu, name, files[i].text);
    }
}

/* Two packages of two cores of two threads, 0 and 4 the first's, each package with a
   third cache.  */
static void
put_machine (void)
{
  static const char *const cores[] = {"0,4", "1,5", "2,6", "3,7"};
  static const char *const packages[] = {"0-1,4-5", "2-3,6-7"};

  for (unsigned cpu = 0; cpu < 8; cpu++)
    {
      const char *package = packages[cpu % 4 / 2];

      put_cpu (cpu, "topology/thread_siblings_list", cores[cpu % 4]);
      put_cpu (cpu, "topology/core_siblings_list", package);
      put_cache (cpu, "index0", "1", "Instruction", "64K", cores[cpu % 4]);
      put_cache (cpu, "index1", "1", "Data", "48K", cores[cpu % 4]);
      put_cache (cpu, "index2", "2", "Unified", "2048K", cores[cpu % 4]);
      put_cache (cpu, "index3", "3", "Unified", "32M", package);
      put_cache (cpu, "index4", "4", "Unified", "128M", "0-7");
    }
}

static struct gt_cpus
cpus_of (unsigned mask)
{
  struct gt_cpus cpus;

  memset (&cpus, 0, sizeof cpus);
  for (unsigned cpu = 0; cpu < 32; cpu++)
    if (mask >> cpu & 1)
      CPU_SET (cpu, cpus.set);
  return cpus;
}

static void
assert_host (unsigned mask, int threads, int cores, int packages, int thirds)
{
  const struct gt_cpus cpus = cpus_of (mask);
  struct gt_host host;

  memset (&host, 0x77, sizeof host);
  assert_int_equal (gt_cpus_describe (tree, &cpus, &host), 0);
  assert_int_equal (host.threads, threads);
  assert_int_equal (host.cores, cores);
  assert_int_equal (host.packages, packages);
  assert_int_equal (host.l3_instances, thirds);
  assert_int_equal (host.l1d, 48 << 10);
  assert_int_equal (host.l2, 2 << 20);
  assert_int_equal (host.l3, 32 << 20);
}

TEST_WITH (machines, make_tree, drop_tree)
{
  put_machine ();
  assert_host (0xff, 8, 4, 2, 2);
  assert_host (0x33, 4, 2, 1, 1);
  assert_host (0x80, 1, 1, 1, 1);
  assert_host (0x0f, 4, 4, 2, 2);
}

/* A processor that is not told of is not there, and lists may be anything.  */
TEST_WITH (silent_machines, make_tree, drop_tree)
{
  static const char *const lists[]
    = {"", "x", "1", "0-", "0-99999999999999999999", "9999", "-1", "0,,1"};
  const struct gt_cpus one = cpus_of (1), none = cpus_of (0),
                       far = cpus_of (1u << 20);
  struct gt_host host;

  put_machine ();
  assert_int_equal (gt_cpus_describe (tree, &far, &host), -1);
  assert_int_equal (gt_cpus_describe (tree, &none, &host), -1);
  assert_int_equal (gt_cpus_describe ("/nonexistent", &one, &host), -1);
  for (size_t i = 0; i < N_OF (lists); i++)
    {
      put_cpu (0, "topology/thread_siblings_list", lists[i]);
      assert_int_equal (gt_cpus_describe (tree, &one, &host), -1);
    }
  put_machine ();
  put_cache (0, "index3", "3", "Unified", "none", "nobody");
  assert_int_equal (gt_cpus_describe (tree, &one, &host), 0);
  assert_int_equal (host.l3, 0);
  assert_int_equal (host.l3_instances, 0);
  put_cache (0, "index1", "1", "Data", "0K", "0");
  assert_int_equal (gt_cpus_describe (tree, &one, &host), -1);
}

static int
count (hwloc_topology_t topology, hwloc_obj_type_t type)
{
  return hwloc_get_nbobjs_by_type (topology, type);
}

static size_t
size (hwloc_topology_t topology, hwloc_obj_type_t type)
{
  const hwloc_obj_t cache = hwloc_get_obj_by_type (topology, type, 0);

  return cache ? (size_t) cache->attr->cache.size : 0;
}

/* hwloc, restricted to the processors of this process, is the oracle.  */
TEST (this_machine)
{
  hwloc_topology_t topology;
  hwloc_bitmap_t mask = hwloc_bitmap_alloc ();
  struct gt_cpus cpus;
  struct gt_host host;

  assert_int_equal (gt_cpus_usable ("", &cpus), 0);
  if (gt_cpus_describe ("", &cpus, &host) != 0)
    SKIP ("/sys does not describe the processors, and hwloc is asked");
  assert_int_equal (hwloc_topology_init (&topology), 0);
  assert_int_equal (hwloc_topology_set_components (
      topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86"), 0);
  assert_int_equal (hwloc_topology_load (topology), 0);
  hwloc_cpuset_from_glibc_sched_affinity (topology, mask, cpus.set, sizeof cpus.set);
  assert_int_equal (hwloc_topology_restrict (topology, mask, 0), 0);
  assert_int_equal (host.threads, count (topology, HWLOC_OBJ_PU));
  assert_int_equal (host.cores, count (topology, HWLOC_OBJ_CORE));
  assert_int_equal (host.packages, count (topology, HWLOC_OBJ_PACKAGE));
  assert_int_equal (host.l3_instances, count (topology, HWLOC_OBJ_L3CACHE));
  assert_int_equal (host.l1d, size (topology, HWLOC_OBJ_L1CACHE));
  assert_int_equal (host.l2, size (topology, HWLOC_OBJ_L2CACHE));
  assert_int_equal (host.l3, size (topology, HWLOC_OBJ_L3CACHE));
  hwloc_topology_destroy (topology);
  hwloc_bitmap_free (mask);
}

/* --------------------------------------------------------- Control groups */

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

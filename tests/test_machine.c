/* Tests of tuning/measure/machine_host.c: what of a host is unfit for tuning.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/false_root.h"
#include "tuning/measure/machine.h"

static struct gt_host host = {.cores = 4, .threads = 4};

/* The finding about SUBJECT is VERDICT and says TEXT; advice comes with what is to be
   done, and with nothing else.  */
static void
assert_found (const char *subject, enum gt_fitness fitness, const char *text)
{
  struct gt_finding findings[GT_MOST_FINDINGS];
  size_t n = gt_machine_host (tree, &host, findings);

  assert_in_range (n, 1, GT_MOST_FINDINGS);
  for (size_t i = 0; i < n; i++)
    if (strcmp (findings[i].subject, subject) == 0)
      {
        if (findings[i].fitness != fitness
            || strstr (findings[i].found, text) == NULL)
          fail_msg ("%s: %s: %s", subject,
                    gt_fitness_name (findings[i].fitness), findings[i].found);
        assert_true ((findings[i].advice != NULL)
                     == (fitness == GT_FITNESS_NOTE
                         || fitness == GT_FITNESS_CARE));
        return;
      }
  fail_msg ("nothing about %s", subject);
}

/* A machine without /proc and /sys tells nothing, which is said.  */
TEST_WITH (nothing_is_told, make_tree, drop_tree)
{
  assert_found ("other programs", GT_FITNESS_UNKNOWN, "/proc/loadavg");
  assert_found ("frequency governor", GT_FITNESS_UNKNOWN, "");
  assert_found ("turbo", GT_FITNESS_UNKNOWN, "");
  assert_found ("CPU quota", GT_FITNESS_GOOD, "no quota");
  assert_found ("virtual machine", GT_FITNESS_GOOD, "none");
  assert_found ("free memory", GT_FITNESS_UNKNOWN, "");
  assert_found ("huge pages", GT_FITNESS_UNKNOWN, "");
  assert_found ("clock", GT_FITNESS_UNKNOWN, "");
}

#define CPU "/sys/devices/system/cpu/"

TEST_WITH (clocks, make_tree, drop_tree)
{
  put (CPU "cpu0/cpufreq/scaling_governor", "performance\n");
  put (CPU "cpu2/cpufreq/scaling_governor", "performance\n");
  assert_found ("frequency governor", GT_FITNESS_GOOD, "performance");
  put (CPU "cpu3/cpufreq/scaling_governor", "powersave\n");
  assert_found ("frequency governor", GT_FITNESS_CARE,
                "powersave on 1 of 3 processors");
  put (CPU "cpufreq/boost", "1\n");
  assert_found ("turbo", GT_FITNESS_NOTE, "on");
  put (CPU "cpufreq/boost", "0\n");
  assert_found ("turbo", GT_FITNESS_GOOD, "off");
  put (CPU "intel_pstate/no_turbo", "0\n");
  assert_found ("turbo", GT_FITNESS_NOTE, "on");
  put (CPU "intel_pstate/no_turbo", "1\n");
  assert_found ("turbo", GT_FITNESS_GOOD, "off");
  put ("/sys/devices/system/clocksource/clocksource0/current_clocksource",
       "tsc\n");
  assert_found ("clock", GT_FITNESS_GOOD, "tsc");
  put ("/sys/devices/system/clocksource/clocksource0/current_clocksource",
       "hpet\n");
  assert_found ("clock", GT_FITNESS_CARE, "hpet");
}

TEST_WITH (others, make_tree, drop_tree)
{
  static const char *const no_loads[]
    = {"rubbish\n", "nan 0.50 0.10 1/300 4711\n", "-nan(0x8) 0.50\n",
       "inf 0.50\n", "-inf 0.50\n", "1e999 0.50\n", "-1.20 0.50\n"};

  put ("/proc/loadavg", "0.20 0.50 9.00 1/300 4711\n");
  assert_found ("other programs", GT_FITNESS_GOOD, "0.20");
  put ("/proc/loadavg", "1.20 0.50 0.10 1/300 4711\n");
  assert_found ("other programs", GT_FITNESS_NOTE, "1.20");
  assert_false (gt_machine_busy (tree, &host));
  put ("/proc/loadavg", "2.00 0.50 0.10 1/300 4711\n");
  assert_true (gt_machine_busy (tree, &host));
  assert_found ("other programs", GT_FITNESS_CARE, "2.00");
  for (size_t i = 0; i < N_OF (no_loads); i++)
    {
      put ("/proc/loadavg", no_loads[i]);
      assert_found ("other programs", GT_FITNESS_UNKNOWN, "/proc/loadavg");
      assert_false (gt_machine_busy (tree, &host));
    }
  put ("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor sse2\n");
  put ("/proc/stat", "cpu  90 0 5 900 0 0 0 5 0 0\ncpu0 1 1\n");
  assert_found ("virtual machine", GT_FITNESS_NOTE, "0.5%");
  put ("/proc/stat", "cpu  90 0 5 805 0 0 0 100 0 0\n");
  assert_found ("virtual machine", GT_FITNESS_CARE, "10.0%");
  put ("/proc/cpuinfo", "flags\t\t: fpu sse2\n");
  assert_found ("virtual machine", GT_FITNESS_GOOD, "none");
}

TEST_WITH (memory, make_tree, drop_tree)
{
  put ("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 4194304 kB\n");
  assert_found ("free memory", GT_FITNESS_GOOD, "4.0 GiB");
  put ("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 1048576 kB\n");
  assert_found ("free memory", GT_FITNESS_CARE, "1.0 GiB");
  put ("/sys/kernel/mm/transparent_hugepage/enabled",
       "always [madvise] never\n");
  assert_found ("huge pages", GT_FITNESS_GOOD, "[madvise]");
  put ("/sys/kernel/mm/transparent_hugepage/enabled",
       "always madvise [never]\n");
  assert_found ("huge pages", GT_FITNESS_NOTE, "never");
}

TEST_WITH (threads, make_tree, drop_tree)
{
  assert_found ("hardware threads", GT_FITNESS_GOOD, "one thread a core");
  host.threads = 8;
  assert_found ("hardware threads", GT_FITNESS_NOTE,
                "8 threads share 4 cores");
  host.threads = 4;
  put ("/proc/self/cgroup", "0::/a\n");
  put ("/proc/self/mountinfo",
       "22 1 0:20 / /proc rw - proc proc rw\n"
       "30 22 0:26 / /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  put ("/cg/a/cpu.max", "150000 100000\n");
  assert_found ("CPU quota", GT_FITNESS_NOTE, "1.50 CPUs");
}

/* Words of files end up on terminals.  */
TEST_WITH (control_characters, make_tree, drop_tree)
{
  put (CPU "cpu0/cpufreq/scaling_governor", "\033[2J\007\n");
  assert_found ("frequency governor", GT_FITNESS_CARE, "?[2J? on 1 of 1");
  put ("/sys/kernel/mm/transparent_hugepage/enabled", "\377\033c\n");
  assert_found ("huge pages", GT_FITNESS_GOOD, "??c");
  put ("/sys/kernel/mm/transparent_hugepage/enabled", "\n");
  assert_found ("huge pages", GT_FITNESS_UNKNOWN, "the kernel does not tell");
}

RUN_TESTS (NULL, NULL)

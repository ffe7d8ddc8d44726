/* Finds out what makes the host unfit for tuning.  Files: proc(5); "CPU Performance Scaling",
   "Simultaneous Multithreading" and "Transparent Hugepage Support" of the Linux kernel's
   documentation.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/device/cpus.h"
#include "src/profile/profile_private.h"
#include "tuning/measure/machine.h"

const char *
gt_fitness_name (enum gt_fitness fitness)
{
  static const char *const names[GT_N_FITNESS]
    = {"good", "note", "care", "unknown"};

  return names[fitness];
}

enum gt_fitness
gt_machine_tell (struct gt_finding *finding, enum gt_fitness fitness,
                 const char *advice, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (finding->found, sizeof finding->found, format, arguments);
  va_end (arguments);
  gt_make_ascii (finding->found);
  finding->fitness = fitness;
  finding->advice = fitness == GT_FITNESS_GOOD ? NULL : advice;
  return fitness;
}

struct host
{
  const char *root;
  const struct gt_host *host;
};

/* The first line of PATH that begins with WORD, without its end; 0 when the file cannot be
   read, or has none, or that is empty.  */
static int
find_line (const struct host *h, const char *path, const char *word, char *line,
           int size)
{
  char whole[512];
  FILE *file;
  int found = 0;

  snprintf (whole, sizeof whole, "%s%s", h->root, path);
  file = fopen (whole, "re");
  if (file == NULL)
    return 0;
  while (!found && fgets (line, size, file) != NULL)
    found = strncmp (line, word, strlen (word)) == 0;
  fclose (file);
  if (found)
    line[strcspn (line, "\n")] = '\0';
  return found && *line != '\0';
}

static int
read_line (const struct host *h, const char *path, char *line, int size)
{
  return find_line (h, path, "", line, size);
}

/* ----------------------------------------------------------- The checks */

static enum gt_fitness
governor (const struct host *h, struct gt_finding *finding)
{
  char path[96], line[64], other[64] = "";
  int cpus = 0, others = 0;

  /* Processors that are offline leave gaps in the numbers.  */
  for (int cpu = 0; cpu < 4096; cpu++)
    {
      snprintf (path, sizeof path,
                "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
      if (!read_line (h, path, line, sizeof line))
        continue;
      cpus++;
      if (strcmp (line, "performance") == 0)
        continue;
      others++;
      strcpy (other, line);
    }
  if (cpus == 0)
    return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL,
                "the kernel does not manage the clock here");
  if (others == 0)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "performance");
  return gt_machine_tell (finding, GT_FITNESS_CARE,
              "Run 'cpupower frequency-set -g performance' as root before you"
              " tune.",
              "%s on %d of %d processors", other, others, cpus);
}

static enum gt_fitness
turbo (const struct host *h, struct gt_finding *finding)
{
  static const char *const files[]
    = {"/sys/devices/system/cpu/intel_pstate/no_turbo",
       "/sys/devices/system/cpu/cpufreq/boost"};
  char line[16];

  for (int i = 0; i < 2; i++)
    if (read_line (h, files[i], line, sizeof line))
      {
        /* The first file says "no turbo", the second "boost".  */
        int on = (line[0] == '0') == (i == 0);

        return gt_machine_tell (finding, on ? GT_FITNESS_NOTE : GT_FITNESS_GOOD,
                    on ? "If two tunings disagree, switch it off while you tune"
                         " (cpupower set, or the firmware)."
                       : NULL,
                    on ? "on: the clock depends on heat and on how many cores"
                         " work"
                       : "off");
      }
  return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL, "the kernel does not tell");
}

static enum gt_fitness
smt (const struct host *h, struct gt_finding *finding)
{
  if (h->host->threads <= h->host->cores)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL,
                "one thread a core for this process");
  return gt_machine_tell (finding, GT_FITNESS_NOTE,
              "Leave it on if your programs run with it; keep the siblings idle"
              " while you tune.",
              "on: %d threads share %d cores", h->host->threads,
              h->host->cores);
}

/* Of the last minute; -1 where it cannot be read.  */
static double
load_of (const struct host *h)
{
  char line[128];
  double load;

  return read_line (h, "/proc/loadavg", line, sizeof line)
             && sscanf (line, "%lf", &load) == 1 && isfinite (load)
             && load >= 0.0
           ? load : -1.0;
}

static int
is_busy (const struct host *h, double load)
{
  return load >= 0.5 && load >= 0.5 * h->host->threads;
}

int
gt_machine_busy (const char *root, const struct gt_host *host)
{
  const struct host h = {root, host};

  return is_busy (&h, load_of (&h));
}

static enum gt_fitness
other_load (const struct host *h, struct gt_finding *finding)
{
  const double load = load_of (h);

  if (load < 0.0)
    return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL, "/proc/loadavg cannot be"
                                                   " read");
  if (load < 0.5)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL,
                "load %.2f in the last minute", load);
  return gt_machine_tell (finding,
              is_busy (h, load) ? GT_FITNESS_CARE : GT_FITNESS_NOTE,
              "Tune when nothing else runs: 'top' shows what does.",
              "load %.2f in the last minute, on %d threads", load,
              h->host->threads);
}

static enum gt_fitness
quota (const struct host *h, struct gt_finding *finding)
{
  double cpus = gt_cgroup_cpu_quota (h->root);

  if (cpus == 0.0)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "no quota");
  return gt_machine_tell (finding, GT_FITNESS_NOTE,
              "Tune with the quota that your programs will have.",
              "a control group grants %.2f CPUs; sums use %d threads at most",
              cpus, h->host->threads);
}

/* The share of time since the start that the hypervisor gave to others.  */
static double
stolen (const struct host *h)
{
  unsigned long long t[8] = {0}, all = 0;
  char line[256];

  if (!read_line (h, "/proc/stat", line, sizeof line)
      || sscanf (line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", t, t + 1,
                 t + 2, t + 3, t + 4, t + 5, t + 6, t + 7)
           != 8)
    return 0.0;
  for (int i = 0; i < 8; i++)
    all += t[i];
  return all > 0 ? (double) t[7] / (double) all : 0.0;
}

static enum gt_fitness
hypervisor (const struct host *h, struct gt_finding *finding)
{
  double share = 100.0 * stolen (h);
  char flags[8192];

  if (!find_line (h, "/proc/cpuinfo", "flags", flags, sizeof flags)
      || strstr (flags, " hypervisor") == NULL)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "none is seen");
  return gt_machine_tell (finding, share >= 1.0 ? GT_FITNESS_CARE : GT_FITNESS_NOTE,
              "Neighbours may use the same caches and memory: tune twice, and"
              " compare.",
              "yes; it took %.1f%% of the time for others", share);
}

static enum gt_fitness
huge_pages (const struct host *h, struct gt_finding *finding)
{
  char line[64];

  if (!read_line (h, "/sys/kernel/mm/transparent_hugepage/enabled", line,
                  sizeof line))
    return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL, "the kernel does not tell");
  if (strstr (line, "[never]") == NULL)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "%s", line);
  return gt_machine_tell (finding, GT_FITNESS_NOTE,
              "Tune with the setting that your programs will have.",
              "never: long vectors lie in pages of 4 KiB");
}

static enum gt_fitness
clock_source (const struct host *h, struct gt_finding *finding)
{
  static const char *const slow[] = {"hpet", "acpi_pm", "jiffies",
                                     "refined-jiffies", NULL};
  char line[64];

  if (!read_line (h,
                  "/sys/devices/system/clocksource/clocksource0/"
                  "current_clocksource",
                  line, sizeof line))
    return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL, "the kernel does not tell");
  for (int i = 0; slow[i] != NULL; i++)
    if (strcmp (line, slow[i]) == 0)
      return gt_machine_tell (finding, GT_FITNESS_CARE,
                  "Reading this clock is a system call: see why the kernel gave"
                  " up the TSC ('dmesg').",
                  "%s", line);
  return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "%s", line);
}

static enum gt_fitness
free_memory (const struct host *h, struct gt_finding *finding)
{
  unsigned long long kib = 0;
  char line[128];

  if (!find_line (h, "/proc/meminfo", "MemAvailable:", line, sizeof line)
      || sscanf (line, "MemAvailable: %llu kB", &kib) != 1)
    return gt_machine_tell (finding, GT_FITNESS_UNKNOWN, NULL,
                "/proc/meminfo does not tell");
  if (kib >= 2ull << 20)
    return gt_machine_tell (finding, GT_FITNESS_GOOD, NULL, "%.1f GiB available",
                (double) kib / (1 << 20));
  return gt_machine_tell (finding, GT_FITNESS_CARE,
              "Long vectors may be swapped out or not fit: stop other programs"
              " first.",
              "%.1f GiB available", (double) kib / (1 << 20));
}

size_t
gt_machine_host (const char *root, const struct gt_host *host,
                 struct gt_finding findings[GT_MOST_FINDINGS])
{
  static const struct
  {
    const char *subject;
    enum gt_fitness (*look) (const struct host *, struct gt_finding *);
  } checks[] = {
    {"other programs", other_load},  {"frequency governor", governor},
    {"turbo", turbo},                {"hardware threads", smt},
    {"CPU quota", quota},            {"virtual machine", hypervisor},
    {"free memory", free_memory},    {"huge pages", huge_pages},
    {"clock", clock_source},
  };
  const struct host h = {root, host};
  size_t n = sizeof checks / sizeof *checks;

  for (size_t i = 0; i < n; i++)
    {
      findings[i].subject = checks[i].subject;
      checks[i].look (&h, &findings[i]);
    }
  return n;
}

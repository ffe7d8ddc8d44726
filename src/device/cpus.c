/* The processors that a process may use.  Formats: the kernel's "ABI testing symbols",
   /sys/devices/system/cpu, and cpuset(7), "List format".
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/cpus.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
gt_cpus_count (const struct gt_cpus *cpus)
{
  return CPU_COUNT_S (sizeof cpus->set, cpus->set);
}

static int
has (const struct gt_cpus *cpus, unsigned cpu)
{
  return CPU_ISSET_S (cpu, sizeof cpus->set, cpus->set);
}

/* Puts the processors of LIST, "0-3,8", into CPUS.  Returns 0, or -1 where it is none,
   or lacks CPU, of which it tells.  */
static int
take_list (const char *list, unsigned cpu, struct gt_cpus *cpus)
{
  char *end = (char *) list;

  do
    {
      const char *at = end + (*end == ',');
      unsigned long first = strtoul (at, &end, 10), last = first;

      if (end > at && *end == '-')
        {
          at = end + 1;
          last = strtoul (at, &end, 10);
        }
      if (end == at || last >= GT_MOST_CPUS)
        return -1;
      for (; first <= last; first++)
        CPU_SET_S (first, sizeof cpus->set, cpus->set);
    }
  while (*end == ',');
  return has (cpus, cpu) ? 0 : -1;
}

/* The text of FILE in the folder of processor CPU.  */
static int
read_text (const char *root, unsigned cpu, const char *file, char *text,
           size_t size)
{
  char path[512];
  ssize_t length = -1;
  int descriptor;

  if ((size_t) snprintf (path, sizeof path, "%s/sys/devices/system/cpu/cpu%u/%s",
                         root, cpu, file) >= sizeof path)
    return -1;
  descriptor = open (path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return -1;
  length = read (descriptor, text, size - 1);
  close (descriptor);
  if (length <= 0 || (size_t) length == size - 1)
    return -1;
  text[length] = '\0';
  return 0;
}

/* Groups of processors that share something.  */
struct groups
{
  struct gt_cpus seen;
  int n;
};

/* Counts CPU's group, which FILE lists, unless it has been.  One that is not told of is
   none.  */
static void
count_group (struct groups *groups, const char *root, unsigned cpu,
             const char *file)
{
  char list[4096];

  if (!has (&groups->seen, cpu)
      && read_text (root, cpu, file, list, sizeof list) == 0)
    groups->n += take_list (list, cpu, &groups->seen) == 0;
}

/* -------------------------------------------------------------- Affinity */

/* Adds the processors that thread THREAD may run on, 0: this one.  */
static int
add_thread (pid_t thread, struct gt_cpus *cpus)
{
  struct gt_cpus more;

  if (sched_getaffinity (thread, sizeof more.set, more.set) != 0)
    return -1;
  CPU_OR_S (sizeof cpus->set, cpus->set, cpus->set, more.set);
  return 0;
}

int
gt_cpus_usable (const char *root, struct gt_cpus *cpus)
{
  char path[512];
  const struct dirent *task;
  DIR *tasks = NULL;

  memset (cpus, 0, sizeof *cpus);
  if (add_thread (0, cpus) != 0)
    return -1;
  if ((size_t) snprintf (path, sizeof path, "%s/proc/self/task", root)
      < sizeof path)
    tasks = opendir (path);
  while (tasks && (task = readdir (tasks)))
    if (atoi (task->d_name) > 0)
      add_thread (atoi (task->d_name), cpus);
  if (tasks)
    closedir (tasks);
  return 0;
}

/* ---------------------------------------------------------------- Caches */

/* "48K" in bytes; 0 where it is no size.  */
static size_t
size_of (const char *text)
{
  char *end;
  const unsigned long number = strtoul (text, &end, 10);

  return (size_t) number << (*end == 'M' ? 20 : *end == 'K' ? 10 : 0);
}

/* Reads what the system tells of cache NUMBER of CPU, and keeps it in HOST unless it is
   one of instructions.  Returns its level, or 0: there is none.  */
static int
read_cache (const char *root, unsigned cpu, unsigned number,
            struct gt_host *host)
{
  size_t *const sizes[] = {NULL, &host->l1d, &host->l2, &host->l3};
  char file[64], level[32], type[32], size[32];

  snprintf (file, sizeof file, "cache/index%u/level", number);
  if (read_text (root, cpu, file, level, sizeof level))
    return 0;
  snprintf (file, sizeof file, "cache/index%u/type", number);
  if (read_text (root, cpu, file, type, sizeof type) || type[0] == 'I'
      || level[0] < '1' || level[0] > '3')
    return -1;
  snprintf (file, sizeof file, "cache/index%u/size", number);
  if (read_text (root, cpu, file, size, sizeof size) == 0)
    *sizes[level[0] - '0'] = size_of (size);
  return level[0] - '0';
}

/* Sizes in HOST are of CPU's caches.  Returns the number of its third, or -1.  */
static int
read_caches (const char *root, unsigned cpu, struct gt_host *host)
{
  int third = -1, level;

  host->l1d = host->l2 = host->l3 = 0;
  for (unsigned k = 0; k < 16 && (level = read_cache (root, cpu, k, host)); k++)
    if (level == 3)
      third = (int) k;
  return third;
}

int
gt_cpus_describe (const char *root, const struct gt_cpus *cpus,
                  struct gt_host *host)
{
  static struct groups cores, packages, thirds; /* of setups, one at a time */
  char third_list[64];
  int third = -1, first = 1;

  memset (&cores, 0, sizeof cores);
  memset (&packages, 0, sizeof packages);
  memset (&thirds, 0, sizeof thirds);
  host->l1d = 0;
  for (unsigned cpu = 0; cpu < GT_MOST_CPUS; cpu++)
    {
      if (!has (cpus, cpu))
        continue;
      if (first)
        third = read_caches (root, cpu, host);
      first = 0;
      count_group (&cores, root, cpu, "topology/thread_siblings_list");
      count_group (&packages, root, cpu, "topology/core_siblings_list");
      snprintf (third_list, sizeof third_list, "cache/index%d/shared_cpu_list",
                third);
      if (third >= 0)
        count_group (&thirds, root, cpu, third_list);
    }
  host->threads = gt_cpus_count (cpus);
  host->cores = cores.n;
  host->packages = packages.n;
  host->l3_instances = thirds.n;
  return host->cores > 0 && host->l1d > 0 ? 0 : -1;
}

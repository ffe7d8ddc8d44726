/* The processors that a process may use.  Formats: the kernel's "ABI testing symbols",
   /sys/devices/system/cpu and /sys/bus/pci, and cpuset(7), "List format"; of control groups
   proc_pid_mountinfo(5), cgroups(7), and the kernel's "Control Group v2" and "CFS
   Bandwidth Control".
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/cpus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
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

/* Puts the processors of LIST, "0-3,8", into CPUS.  Returns 0, or -1 if it is no such list
   or does not have CPU.  */
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

/* Reads the text of the file whose path is given by FORMAT and the following arguments.  */
__attribute__ ((format (printf, 3, 4))) static int
read_text (char *text, size_t size, const char *format, ...)
{
  char *path;
  ssize_t length = -1;
  int descriptor = -1;
  va_list arguments;

  va_start (arguments, format);
  if (vasprintf (&path, format, arguments) >= 0)
    {
      descriptor = open (path, O_RDONLY | O_CLOEXEC);
      free (path);
    }
  va_end (arguments);
  if (descriptor < 0)
    return -1;
  length = read (descriptor, text, size - 1);
  close (descriptor);
  if (length <= 0 || (size_t) length == size - 1)
    return -1;
  text[length] = '\0';
  return 0;
}

#define CPU_FOLDER "%s/sys/devices/system/cpu/cpu%u/"

/* Groups of processors that share a core, a package or a cache.  */
struct groups
{
  struct gt_cpus seen;
  int n;
};

/* Counts CPU's group, which FILE lists, unless it has been counted.  A group that the system
   does not describe is not counted.  */
static void
count_group (struct groups *groups, const char *root, unsigned cpu,
             const char *file)
{
  char list[4096];

  if (!has (&groups->seen, cpu)
      && read_text (list, sizeof list, CPU_FOLDER "%s", root, cpu, file) == 0)
    groups->n += take_list (list, cpu, &groups->seen) == 0;
}

/* -------------------------------------------------------------- Affinity */

/* Adds the processors on which thread THREAD may run; 0 is the calling thread.  */
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

/* Returns the bytes of a size such as "48K", or 0 if TEXT is not a size.  */
static size_t
size_of (const char *text)
{
  char *end;
  const unsigned long number = strtoul (text, &end, 10);

  return (size_t) number << (*end == 'M' ? 20 : *end == 'K' ? 10 : 0);
}

/* Reads the system's description of cache NUMBER of CPU, and stores it in HOST unless it is a
   cache of instructions.  Returns its level, or 0 if there is no such cache.  */
static int
read_cache (const char *root, unsigned cpu, unsigned number,
            struct gt_host *host)
{
  static const char folder[] = CPU_FOLDER "cache/index%u/%s";
  size_t *const sizes[] = {NULL, &host->l1d, &host->l2, &host->l3};
  char level[32], type[32], size[32];

  if (read_text (level, sizeof level, folder, root, cpu, number, "level"))
    return 0;
  if (read_text (type, sizeof type, folder, root, cpu, number, "type")
      || type[0] == 'I' || level[0] < '1' || level[0] > '3')
    return -1;
  if (read_text (size, sizeof size, folder, root, cpu, number, "size") == 0)
    *sizes[level[0] - '0'] = size_of (size);
  return level[0] - '0';
}

/* Sets the sizes in HOST to those of CPU's caches.  Returns the number of its third-level
   cache, or -1.  */
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
  static struct groups cores, packages, thirds; /* used within setups, one at a time */
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

/* ------------------------------------------------------------ NUMA nodes */

/* A device that the system knows, but assigns to no node, is near the only node if the machine
   has a single one.  */
int
gt_host_numa_of_pci (const char *address)
{
  unsigned domain, bus, device, function;
  const int error = errno;
  char text[32];
  int node = -1;

  if (sscanf (address, "%8x:%2x:%2x.%1x", &domain, &bus, &device, &function) == 4
      && read_text (text, sizeof text,
                    "/sys/bus/pci/devices/%04x:%02x:%02x.%x/numa_node", domain,
                    bus, device, function) == 0)
    node = text[0] != '-' ? atoi (text)
           : read_text (text, sizeof text, "%s",
                        "/sys/devices/system/node/online") == 0
             && strcmp (text, "0\n") == 0 ? 0 : -1;
  errno = error;
  return node;
}

/* -------------------------------------------------------- Control groups */

enum
{
  PATH_SIZE = 4096
};

/* Returns whether the comma-separated LIST contains WORD.  */
static int
lists (const char *list, const char *word)
{
  size_t length = strlen (word);

  for (const char *at = list; at != NULL; at = strchr (at, ','))
    {
      at += *at == ',';
      if (strncmp (at, word, length) == 0
          && (at[length] == ',' || at[length] == '\0'))
        return 1;
    }
  return 0;
}

/* Returns FIRST and SECOND concatenated, to be freed, or null.  */
static char *
joined (const char *first, const char *second)
{
  char *whole;

  return asprintf (&whole, "%s%s", first, second) < 0 ? NULL : whole;
}

/* Reads two numbers from the beginning of the file NAME in FOLDER, and returns how many there
   are.  */
static int
read_numbers (const char *folder, const char *name, double *first,
              double *second)
{
  char text[128];

  return read_text (text, sizeof text, "%s%s", folder, name) == 0
           ? sscanf (text, "%lf %lf", first, second) : 0;
}

/* Returns the quota in CPUs; 0 if the numbers are not those of a quota.  */
static double
cpus (double quota, double period)
{
  const double share = quota / period;

  return quota > 0.0 && period > 0.0 && isfinite (share) ? share : 0.0;
}

/* Returns the quota of this folder in CPUs, or 0 if there is none.  */
static double
quota_in (const char *folder, int version)
{
  double quota, period, none;
  int found; /* "max 100000" in version 2 and -1 in version 1 are no quota */

  if (version == 2)
    found = read_numbers (folder, "/cpu.max", &quota, &period) == 2;
  else
    found = read_numbers (folder, "/cpu.cfs_quota_us", &quota, &none) > 0
            && read_numbers (folder, "/cpu.cfs_period_us", &period, &none) > 0;
  return found ? cpus (quota, period) : 0.0;
}

/* Returns the smallest quota in MOUNT/GROUP and the folders above it, up to MOUNT.  */
static double
smallest_quota (const char *mount, const char *group, int version)
{
  char *folder = joined (mount, group);
  size_t top = strlen (mount);
  double smallest = 0.0;

  while (folder != NULL)
    {
      const double quota = quota_in (folder, version);
      char *slash;

      if (quota > 0.0 && (smallest == 0.0 || quota < smallest))
        smallest = quota;
      slash = strrchr (folder, '/');
      if (slash == NULL || (size_t) (slash - folder) < top)
        break;
      *slash = '\0';
    }
  free (folder);
  return smallest;
}

/* The hierarchy of version 2, or that of the controller "cpu" of version 1.  */
struct hierarchy
{
  int version;
  char own[PATH_SIZE];   /* the group of this process */
  char group[PATH_SIZE]; /* the group that is mounted */
  char point[PATH_SIZE]; /* the mount point */
  char options[PATH_SIZE];
};

/* Parses one line of cgroup, such as "4:cpu,cpuacct:/a/b" or "0::/a/b".  Returns whether it
   belongs to the hierarchy.  */
static int
parse_group (char *line, struct hierarchy *h)
{
  char *controllers = strchr (line, ':'), *where;

  if (controllers == NULL || (where = strchr (++controllers, ':')) == NULL)
    return 0;
  *where++ = '\0';
  where[strcspn (where, "\n")] = '\0';
  return snprintf (h->own, sizeof h->own, "%s", where) < PATH_SIZE
         && (h->version == 2 ? *controllers == '\0' : lists (controllers, "cpu"));
}

/* Parses one line of mountinfo: "ID PARENT MAJOR:MINOR GROUP POINT ... - TYPE SOURCE OPTIONS".
   Returns whether it mounts the hierarchy.  */
static int
parse_mount (char *line, struct hierarchy *h)
{
  char type[32];
  const char *tail = strstr (line, " - ");

  if (tail == NULL
      || sscanf (tail, " - %31s %*s %4095s", type, h->options) != 2
      || sscanf (line, "%*s %*s %*s %4095s %4095s", h->group, h->point) != 2)
    return 0;
  return h->version == 2 ? strcmp (type, "cgroup2") == 0
                         : strcmp (type, "cgroup") == 0
                             && lists (h->options, "cpu");
}

/* Applies PARSE to the lines of the file NAME until it accepts one.  Returns whether it
   does.  */
static int
find_line (const char *root, const char *name,
           int (*parse) (char *line, struct hierarchy *h), struct hierarchy *h)
{
  char *path = joined (root, name), *line = NULL;
  FILE *file = path ? fopen (path, "re") : NULL;
  size_t size = 0;
  int found = 0;

  while (file != NULL && !found && getline (&line, &size, file) > 0)
    found = parse (line, h);
  free (line);
  free (path);
  if (file != NULL)
    fclose (file);
  return found;
}

/* Returns the path of the own group below the mount point.  In a container only its own group
   may be mounted, with a path that is valid outside; in this case the root of the mount is
   used.  */
static const char *
below_mount (const struct hierarchy *h)
{
  size_t length = strlen (h->group);

  if (strcmp (h->group, "/") == 0)
    return strcmp (h->own, "/") == 0 ? "" : h->own;
  if (strncmp (h->own, h->group, length) == 0 && h->own[length] == '/')
    return h->own + length;
  return "";
}

static double
quota_of_version (const char *root, int version)
{
  struct hierarchy *h = calloc (1, sizeof *h);
  char *point = NULL;
  double quota = 0.0;

  if (h != NULL)
    h->version = version;
  if (h != NULL && find_line (root, "/proc/self/cgroup", parse_group, h)
      && find_line (root, "/proc/self/mountinfo", parse_mount, h)
      && strstr (h->own, "..") == NULL)
    point = joined (root, h->point);
  if (point != NULL)
    quota = smallest_quota (point, below_mount (h), version);
  free (point);
  free (h);
  return quota;
}

double
gt_cgroup_cpu_quota (const char *root)
{
  double v2 = quota_of_version (root, 2), v1 = quota_of_version (root, 1);

  if (v1 > 0.0 && v2 > 0.0)
    return v1 < v2 ? v1 : v2;
  return v1 > 0.0 ? v1 : v2;
}

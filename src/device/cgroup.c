/* The CPU quota of Linux control groups.  Formats: proc_pid_mountinfo(5),
   cgroups(7), and the kernel's "Control Group v2" and "CFS Bandwidth Control".
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/cgroup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PATH_SIZE = 4096
};

/* Whether the comma-separated LIST has WORD in it.  */
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

/* FIRST and SECOND joined, to be freed, or null.  */
static char *
joined (const char *first, const char *second)
{
  char *whole;

  return asprintf (&whole, "%s%s", first, second) < 0 ? NULL : whole;
}

/* Opens FOLDER with NAME behind it, or returns null.  */
static FILE *
open_in (const char *folder, const char *name)
{
  char *path = joined (folder, name);
  FILE *file = path != NULL ? fopen (path, "re") : NULL;

  free (path);
  return file;
}

/* How many of the two numbers FOLDER with NAME behind it begins with.  */
static int
read_numbers (const char *folder, const char *name, double *first,
              double *second)
{
  FILE *file = open_in (folder, name);
  int found;

  if (file == NULL)
    return 0;
  found = fscanf (file, "%lf %lf", first, second);
  fclose (file);
  return found;
}

/* In CPUs; 0 where these are not the numbers of a quota.  */
static double
cpus (double quota, double period)
{
  const double share = quota / period;

  return quota > 0.0 && period > 0.0 && isfinite (share) ? share : 0.0;
}

/* In CPUs; 0: no quota in this folder.  */
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

/* The smallest quota in MOUNT/GROUP and the folders above, up to MOUNT.  */
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

/* The group of this process, to be freed, or null: in version 2, or among version
   1's that of the controller "cpu".  Lines read "4:cpu,cpuacct:/a/b",
   "0::/a/b".  */
static char *
own_group (const char *root, int version)
{
  FILE *file = open_in (root, "/proc/self/cgroup");
  char *line = NULL, *group = NULL;
  size_t size = 0;

  if (file == NULL)
    return NULL;
  while (group == NULL && getline (&line, &size, file) > 0)
    {
      char *controllers = strchr (line, ':'), *where;

      if (controllers == NULL
          || (where = strchr (++controllers, ':')) == NULL)
        continue;
      *where++ = '\0';
      where[strcspn (where, "\n")] = '\0';
      if (version == 2 ? *controllers == '\0' : lists (controllers, "cpu"))
        group = strdup (where);
    }
  free (line);
  fclose (file);
  return group;
}

struct mount
{
  char group[PATH_SIZE]; /* the group that is mounted */
  char point[PATH_SIZE]; /* where */
  char options[PATH_SIZE];
};

/* One line of mountinfo: "ID PARENT MAJOR:MINOR GROUP POINT ... - TYPE SOURCE
   OPTIONS".  Whether it mounts the hierarchy looked for.  */
static int
parse_mount (const char *line, int version, struct mount *mount)
{
  char type[32];
  const char *tail = strstr (line, " - ");

  if (tail == NULL
      || sscanf (tail, " - %31s %*s %4095s", type, mount->options) != 2
      || sscanf (line, "%*s %*s %*s %4095s %4095s", mount->group,
                 mount->point) != 2)
    return 0;
  return version == 2 ? strcmp (type, "cgroup2") == 0
                      : strcmp (type, "cgroup") == 0
                          && lists (mount->options, "cpu");
}

/* To be freed, or null.  */
static struct mount *
find_mount (const char *root, int version)
{
  FILE *file = open_in (root, "/proc/self/mountinfo");
  struct mount *mount = malloc (sizeof *mount);
  char *line = NULL;
  size_t size = 0;
  int found = 0;

  while (file != NULL && mount != NULL && !found
         && getline (&line, &size, file) > 0)
    found = parse_mount (line, version, mount);
  free (line);
  if (file != NULL)
    fclose (file);
  if (found)
    return mount;
  free (mount);
  return NULL;
}

/* GROUP as seen below the mount.  A container may see only its own group
   mounted, under a path from outside; then its root stands for it.  */
static const char *
below_mount (const struct mount *mount, const char *group)
{
  size_t length = strlen (mount->group);

  if (strcmp (mount->group, "/") == 0)
    return strcmp (group, "/") == 0 ? "" : group;
  if (strncmp (group, mount->group, length) == 0 && group[length] == '/')
    return group + length;
  return "";
}

static double
quota_of_version (const char *root, int version)
{
  char *group = own_group (root, version), *point = NULL;
  struct mount *mount = group ? find_mount (root, version) : NULL;
  double quota = 0.0;

  if (mount != NULL && strstr (group, "..") == NULL)
    point = joined (root, mount->point);
  if (point != NULL)
    quota = smallest_quota (point, below_mount (mount, group), version);
  free (point);
  free (mount);
  free (group);
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

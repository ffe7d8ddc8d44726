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

/* Version 2, or of version 1 the hierarchy of the controller "cpu".  */
struct hierarchy
{
  int version;
  char own[PATH_SIZE];   /* the group of this process */
  char group[PATH_SIZE]; /* the group that is mounted */
  char point[PATH_SIZE]; /* where */
  char options[PATH_SIZE];
};

/* One line of cgroup: "4:cpu,cpuacct:/a/b", "0::/a/b".  Whether it is of the
   hierarchy.  */
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

/* One line of mountinfo: "ID PARENT MAJOR:MINOR GROUP POINT ... - TYPE SOURCE
   OPTIONS".  Whether it mounts the hierarchy.  */
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

/* Whether the file NAME has a line that PARSE takes, the first one.  */
static int
find_line (const char *root, const char *name,
           int (*parse) (char *line, struct hierarchy *h), struct hierarchy *h)
{
  FILE *file = open_in (root, name);
  char *line = NULL;
  size_t size = 0;
  int found = 0;

  while (file != NULL && !found && getline (&line, &size, file) > 0)
    found = parse (line, h);
  free (line);
  if (file != NULL)
    fclose (file);
  return found;
}

/* The own group as seen below the mount.  A container may see only its own group
   mounted, under a path from outside; then its root stands for it.  */
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

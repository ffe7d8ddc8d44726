/* The host, as described by the system, the control groups and the processor.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/device.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernels/cpu/isa/isa.h"
#include "src/base/setup.h"
#include "src/device/cpus.h"

/* ---------------------------------------------------------------- Names */

/* Copies TEXT without control characters and outer blanks; characters other than ASCII become
   '?', so that records are always valid JSON.  */
static void
copy_clean (char *to, size_t size, const char *text)
{
  size_t n = 0;

  text += strspn (text, " \t");
  for (; *text != '\0' && n + 1 < size; text++)
    if ((unsigned char) *text >= 0x80)
      to[n++] = '?';
    else if (*text >= ' ' && *text != 0x7f)
      to[n++] = *text;
  while (n > 0 && to[n - 1] == ' ')
    n--;
  to[n] = '\0';
}

/* Reads the value of the first line "KEY : VALUE" of /proc/cpuinfo.  */
static int
cpuinfo (const char *key, char *value, size_t size)
{
  char line[512];
  size_t length = strlen (key);
  FILE *file = fopen ("/proc/cpuinfo", "re");
  int found = 0;

  if (file == NULL)
    return -1;
  while (!found && fgets (line, sizeof line, file) != NULL)
    {
      const char *rest = line + length;

      if (strncmp (line, key, length) != 0)
        continue;
      rest += strspn (rest, " \t");
      if (*rest != ':')
        continue;
      copy_clean (value, size, rest + 1);
      found = *value != '\0';
    }
  fclose (file);
  return found ? 0 : -1;
}

/* Finds the kernel's name for the processor.  On Arm there are only numbers; the last resort
   is the type of machine, such as "riscv64".  */
static void
find_model (char *model, size_t size)
{
  char implementer[32], part[32];
  struct utsname names;

  if (cpuinfo ("model name", model, size) == 0
      || cpuinfo ("cpu", model, size) == 0) /* the key on POWER */
    return;
  if (cpuinfo ("CPU implementer", implementer, sizeof implementer) == 0
      && cpuinfo ("CPU part", part, sizeof part) == 0)
    snprintf (model, size, "Arm implementer %s part %s", implementer, part);
  else if (uname (&names) == 0)
    copy_clean (model, size, names.machine);
  else
    snprintf (model, size, "unknown");
}

static void
append (char *list, size_t size, const char *word)
{
  size_t length = strlen (list);

  snprintf (list + length, size - length, "%s%s", length > 0 ? " " : "", word);
}

/* The silicon key omits instruction sets that GSLTUNE_ISA excludes.  Otherwise a profile that
   was tuned without them would be considered the best for this processor.  */
static void
find_isa (char *isa, size_t size)
{
  *isa = '\0';
#if defined __x86_64__ || defined __i386__
  __builtin_cpu_init ();
#define TRY(name)                  \
  if (__builtin_cpu_supports (name)) \
    append (isa, size, name)
  TRY ("sse2");
  TRY ("sse4.2");
  TRY ("avx");
#if HAVE_X86_ISAS
  if (!gt_isa_within_limit (GT_ISA_AVX2))
    return;
#endif
  TRY ("avx2");
  TRY ("fma");
#if HAVE_X86_ISAS
  if (!gt_isa_within_limit (GT_ISA_AVX512))
    return;
#endif
  TRY ("avx512f");
  TRY ("avx512bw");
  TRY ("avx512vl");
#undef TRY
#elif defined __aarch64__
  if (getauxval (AT_HWCAP) & HWCAP_ASIMD)
    append (isa, size, "neon");
  if (getauxval (AT_HWCAP) & HWCAP_SVE)
    append (isa, size, "sve");
  if (getauxval (AT_HWCAP2) & HWCAP2_SVE2)
    append (isa, size, "sve2");
#else
  (void) append;
  (void) size;
#endif
}

/* ------------------------------------------------------- Without hwloc */

static size_t
system_value (int name)
{
  long value = sysconf (name);

  return value > 0 ? (size_t) value : 0;
}

static size_t
system_memory (void)
{
  return system_value (_SC_PHYS_PAGES) * system_value (_SC_PAGESIZE);
}

/* The processors counted in host.threads, before a quota.  */
static struct gt_cpus the_cpus;

/* Describes the host by the C library.  This is used if hwloc fails, and in set-user-ID
   programs, because the environment can make hwloc load plug-ins.  */
static void
describe_plainly (struct gt_host *host)
{
  host->threads = gt_cpus_usable ("", &the_cpus) == 0
                    ? gt_cpus_count (&the_cpus)
                    : (int) system_value (_SC_NPROCESSORS_ONLN);
  host->cores = host->threads;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  host->l1d = system_value (_SC_LEVEL1_DCACHE_SIZE);
  host->l2 = system_value (_SC_LEVEL2_CACHE_SIZE);
  host->l3 = system_value (_SC_LEVEL3_CACHE_SIZE);
#endif
  host->l3_instances = host->l3 > 0;
}

/* ---------------------------------------------------------- With hwloc */

/* Returns whether the system reports the affinity.  If it does not, for instance because of a
   filter of system calls, hwloc would ask again forever.  (EINVAL: there are more processors
   than the set has.)  */
static int
tells_affinity (void)
{
  cpu_set_t cpus;

  return sched_getaffinity (0, sizeof cpus, &cpus) == 0 || errno == EINVAL;
}

/* Returns whether the system describes its processors in the files that hwloc reads.  If it
   does not, as in some containers, hwloc would complain on standard error, so it must not be
   called.  */
static int
has_sysfs (void)
{
  static const char *const folders[]
    = {"/sys/bus/cpu/devices/cpu0/topology",
       "/sys/devices/system/cpu/cpu0/topology"};
  const char *root = secure_getenv ("HWLOC_FSROOT");
  char path[512];

  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if ((size_t) snprintf (path, sizeof path, "%s%s", root ? root : "",
                           folders[i]) < sizeof path
        && access (path, R_OK | X_OK) == 0)
      return 1;
  return 0;
}

/* Returns the number of objects of TYPE that have a hardware thread in MASK, and stores the
   first of them in FIRST.  */
static int
count_usable (hwloc_topology_t topology, hwloc_obj_type_t type,
              hwloc_const_cpuset_t mask, hwloc_obj_t *first)
{
  hwloc_obj_t object = NULL;
  int count = 0;

  *first = NULL;
  while ((object = hwloc_get_next_obj_by_type (topology, type, object))
         != NULL)
    if (object->cpuset != NULL
        && hwloc_bitmap_intersects (object->cpuset, mask))
      {
        if (count++ == 0)
          *first = object;
      }
  return count;
}

static size_t
cache_of (hwloc_topology_t topology, hwloc_obj_type_t type,
          hwloc_const_cpuset_t mask, int *instances)
{
  hwloc_obj_t cache;

  *instances = count_usable (topology, type, mask, &cache);
  return cache != NULL ? (size_t) cache->attr->cache.size : 0;
}

/* Returns the hardware threads that this process may use: those of its whole binding, not only
   those of the calling thread.  */
static hwloc_bitmap_t
usable_threads (hwloc_topology_t topology)
{
  hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset (topology);
  hwloc_bitmap_t mask = hwloc_bitmap_alloc ();

  if (mask == NULL)
    return NULL;
  if (hwloc_get_cpubind (topology, mask, HWLOC_CPUBIND_PROCESS) != 0
      || !hwloc_bitmap_intersects (mask, allowed))
    hwloc_bitmap_copy (mask, allowed);
  hwloc_bitmap_and (mask, mask, allowed);
  return mask;
}

static void
describe_topology (hwloc_topology_t topology, hwloc_const_cpuset_t mask,
                   struct gt_host *host)
{
  hwloc_obj_t package
    = hwloc_get_obj_by_type (topology, HWLOC_OBJ_PACKAGE, 0);
  hwloc_obj_t first;
  const char *model;
  int ignored;

  host->packages = hwloc_get_nbobjs_by_type (topology, HWLOC_OBJ_PACKAGE);
  host->cores = count_usable (topology, HWLOC_OBJ_CORE, mask, &first);
  host->threads = count_usable (topology, HWLOC_OBJ_PU, mask, &first);
  hwloc_cpuset_to_glibc_sched_affinity (topology, mask, the_cpus.set,
                                        sizeof the_cpus.set);
  host->l1d = cache_of (topology, HWLOC_OBJ_L1CACHE, mask, &ignored);
  host->l2 = cache_of (topology, HWLOC_OBJ_L2CACHE, mask, &ignored);
  host->l3 = cache_of (topology, HWLOC_OBJ_L3CACHE, mask,
                       &host->l3_instances);
  host->memory = (size_t) hwloc_get_root_obj (topology)->total_memory;
  model = package ? hwloc_obj_get_info_by_name (package, "CPUModel") : NULL;
  if (model)
    copy_clean (host->model, sizeof host->model, model);
}

/* Describes HOST by hwloc, with all its components except WITHOUT, or with all.  By default
   hwloc does not search for I/O devices, so this uses no GPU.  */
static int
describe_by_others (const char *without, struct gt_host *host)
{
  hwloc_topology_t topology;
  hwloc_bitmap_t mask;
  int status = -1;

  if (hwloc_topology_init (&topology) != 0)
    return -1;
  if (without)
    hwloc_topology_set_components (
      topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, without);
  if (hwloc_topology_load (topology) == 0
      && (mask = usable_threads (topology)) != NULL)
    {
      describe_topology (topology, mask, host);
      hwloc_bitmap_free (mask);
      status = 0;
    }
  hwloc_topology_destroy (topology);
  return status;
}

/* Returns whether the environment makes hwloc describe another machine or read other
   files.  */
static int
environment_has_topology (void)
{
  static const char *const names[]
    = {"HWLOC_COMPONENTS", "HWLOC_FSROOT", "HWLOC_SYNTHETIC", "HWLOC_XMLFILE"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (secure_getenv (names[i]))
      return 1;
  return 0;
}

/* The component "x86" of hwloc binds the calling thread to each processor in turn and executes
   CPUID there.  The component "linux" reads the same information from the system, unless the
   system does not describe the caches.  If there is no /sys, "linux" would complain on
   standard error.  */
static int
describe_with_hwloc (struct gt_host *host)
{
  const int system = has_sysfs ();

  if (system && describe_by_others ("x86", host) == 0 && host->cores > 0
      && host->l1d > 0)
    return 0;
  return describe_by_others (system ? NULL : "linux", host);
}

/* ------------------------------------------------------------ With /sys */

/* hwloc opens its plug-ins and reads every file of every processor, which takes milliseconds,
   so it is used only if /sys is not enough.  */
static int
describe_with_sysfs (struct gt_host *host)
{
  return environment_has_topology () || gt_cpus_usable ("", &the_cpus)
             || gt_cpus_describe ("", &the_cpus, host) ? -1 : 0;
}

/* ------------------------------------------------------------- The host */

static int
at_least_one (int count)
{
  return count > 0 ? count : 1;
}

/* Threads beyond the quota would be stopped in every period.  */
static void
apply_quota (struct gt_host *host)
{
  double quota = gt_cgroup_cpu_quota ("");

  if (quota > 0.0 && quota < host->threads)
    host->threads = at_least_one ((int) quota);
  if (host->cores < 1 || host->cores > host->threads)
    host->cores = host->threads;
}

static struct gt_device the_host = {.kind = GT_CPU};

static void
discover (void)
{
  struct gt_host *host = &the_host.host;

  memset (host, 0, sizeof *host);
  if (describe_with_sysfs (host) != 0
      && (gt_setup_plain || getauxval (AT_SECURE) || !tells_affinity ()
          || describe_with_hwloc (host) != 0))
    describe_plainly (host);
  /* If memory is added while the system runs, hwloc's nodes report less than there is.  */
  if (host->memory < system_memory ())
    host->memory = system_memory ();
  if (host->model[0] == '\0')
    find_model (host->model, sizeof host->model);
  find_isa (host->isa, sizeof host->isa);
  host->packages = at_least_one (host->packages);
  host->threads = at_least_one (host->threads);
  apply_quota (host);
}

const struct gt_device *
gt_device_host (void)
{
  static struct gt_once once;

  gt_once (&once, discover);
  return &the_host;
}

/* A machine may have more processors than the set; in this case the set is empty.  */
void
gt_device_host_bind (pthread_t thread)
{
  gt_device_host ();
  if (gt_cpus_count (&the_cpus) > 0)
    pthread_setaffinity_np (thread, sizeof the_cpus.set, the_cpus.set);
}

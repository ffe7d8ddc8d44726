/* The host, as described by the system, the control groups and the processor.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/device/device.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
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

/* ----------------------------------------------------------- Processors */

static size_t
system_value (int name)
{
  long value = sysconf (name);

  return value > 0 ? (size_t) value : 0;
}

/* The processors counted in host.threads, before a quota.  */
static struct gt_cpus the_cpus;

/* Describes the processors and caches by the files of the system.  The C library provides what
   these do not contain, as in some containers.  */
static void
describe (struct gt_host *host)
{
  if (gt_cpus_usable ("", &the_cpus) == 0)
    gt_cpus_describe ("", &the_cpus, host);
  else
    host->threads = (int) system_value (_SC_NPROCESSORS_ONLN);
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (host->l1d == 0)
    {
      host->l1d = system_value (_SC_LEVEL1_DCACHE_SIZE);
      host->l2 = system_value (_SC_LEVEL2_CACHE_SIZE);
      host->l3 = system_value (_SC_LEVEL3_CACHE_SIZE);
    }
#endif
  if (host->l3_instances == 0)
    host->l3_instances = host->l3 > 0;
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
  describe (host);
  host->memory = system_value (_SC_PHYS_PAGES) * system_value (_SC_PAGESIZE);
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

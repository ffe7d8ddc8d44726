/* Tests of src/device*.c: records, silicon keys, bandwidth, the host, and the
   GPUs where there are any.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <sched.h>
#include <sys/syscall.h>

#include "tests/device_record.h"
#include "tests/unit.h"

#include "src/device/cpus.h"
#include "src/device/device.h"
#include "src/device/gpus.h"

/* -------------------------------------------------------------- Helpers */

static const char *
path_of (const char *name)
{
  static char path[1024];
  const char *srcdir = getenv ("srcdir");

  snprintf (path, sizeof path, "%s/tests/devices/%s.json", srcdir ? srcdir : ".", name);
  return path;
}

static struct gt_device
recorded (const char *name)
{
  struct gt_device device;
  const char *wrong = gt_device_read (path_of (name), &device);

  if (wrong)
    fail_msg ("%s: %s", name, wrong);
  return device;
}

static const char *
silicon_of (const struct gt_device *device)
{
  static char silicon[4][GT_SILICON_SIZE];
  static unsigned turn;
  char *s = silicon[turn++ % 4];

  memset (s, 'X', GT_SILICON_SIZE);
  gt_device_silicon (device, s);
  assert_true (strnlen (s, GT_SILICON_SIZE) < GT_SILICON_SIZE);
  assert_int_equal (strspn (s, "abcdefghijklmnopqrstuvwxyz0123456789.-"), strlen (s));
  assert_true (s[0] != '.' && s[0] != '-');
  return s;
}

static const char *const record_names[]
  = {"gtx-970", "v100", "a100",        "rtx-4090",
     "h200",    "gb10", "h200-mig-3g", "host-epyc"};
enum { N_RECORDS = sizeof record_names / sizeof *record_names };

/* -------------------------------------------------------------- Records */

/* A record has all that is known of a device, its key and bandwidth too; the order does not
   count.  */
TEST (test_round_trip)
{
  for (int i = 0; i < N_RECORDS; i++)
    {
      struct gt_device device = recorded (record_names[i]);
      json_t *original = json_load_file (path_of (record_names[i]), 0, NULL);
      json_t *json = gt_device_to_json (&device);

      assert_non_null (json);
      assert_true (json_equal (json, original));
      json_decref (json);
      json_decref (original);
    }
}

/* ------------------------------------------- Keys, names and bandwidth */

TEST (test_twins)
{
  struct gt_device a = recorded ("h200"), b = a;

  b.gpu.ordinal = 7;
  strcpy (b.gpu.uuid, "GPU-ffffffff-0000-4000-8000-000000000000");
  strcpy (b.gpu.pci, "0000:9a:00.0");
  strcpy (b.gpu.name, "NVIDIA H200 NVL");
  b.gpu.driver_version = 12080;
  b.gpu.sm_clock_khz -= 100000;
  b.gpu.memory_clock_khz = 0;
  b.gpu.numa_node = 1;
  b.gpu.memory -= (size_t) 100 << 20; /* what ECC or a driver keeps */
  assert_string_equal (silicon_of (&a), silicon_of (&b));
}

#define DIFFERENT(record, change)                        \
  do                                                     \
    {                                                    \
      struct gt_device a = recorded (record), b = a;     \
      struct gt_gpu *gpu = &b.gpu;                       \
      struct gt_host *host = &b.host;                    \
      (void) gpu, (void) host;                           \
      change;                                            \
      assert_string_not_equal (silicon_of (&a), silicon_of (&b)); \
    }                                                    \
  while (0)

TEST (test_different_silicon)
{
  DIFFERENT ("h200", gpu->sm.cc_major = 10);
  DIFFERENT ("h200", gpu->sm.cc_minor = 3);
  DIFFERENT ("h200", gpu->sms = 114);
  DIFFERENT ("h200", gpu->memory = (size_t) 80 << 30);
  DIFFERENT ("h200", gpu->l2 = (size_t) 50 << 20);
  DIFFERENT ("h200", strcpy (gpu->mig, "1g.18gb"));
  DIFFERENT ("host-epyc", strcpy (host->model, "Neoverse"));
  DIFFERENT ("host-epyc", strcpy (host->isa, "sse2"));
  DIFFERENT ("host-epyc", host->cores = 8);
  DIFFERENT ("host-epyc", host->threads = 16);
  DIFFERENT ("host-epyc", host->l1d = 49152);
  DIFFERENT ("host-epyc", host->l2 = 2 << 20);
  DIFFERENT ("host-epyc", host->l3 = 0);
  DIFFERENT ("host-epyc", host->l3_instances = 1);
  for (int i = 0; i < N_RECORDS; i++)
    for (int k = 0; k < i; k++)
      {
        struct gt_device a = recorded (record_names[i]);
        struct gt_device b = recorded (record_names[k]);

        assert_string_not_equal (silicon_of (&a), silicon_of (&b));
      }
}

TEST (test_words_in_keys)
{
  struct gt_device device = recorded ("host-epyc");

  strcpy (device.host.isa, "");
  strcpy (device.host.model, " ..Intel(R) Xeon(TM)  CPU/../@ 2.00GHz ");
  assert_string_equal (silicon_of (&device), "cpu-intel-xeon-cpu-..-2.00ghz-16c-32t-l1-32kib"
                       "-l2-1mib-l3-32mibx2");
  assert_null (strchr (silicon_of (&device), '/'));
}

/* Keys that are too long are cut, yet differ where the whole would.  */
TEST (test_long_keys)
{
  struct gt_device a = recorded ("host-epyc"), b;
  size_t last = sizeof a.host.model - 2;

  memset (a.host.model, 'm', sizeof a.host.model - 1);
  b = a;
  b.host.model[last] = 'n';
  assert_string_not_equal (silicon_of (&a), silicon_of (&b));
  assert_non_null (strstr (silicon_of (&a), "-16c-32t-"));
  assert_non_null (strstr (silicon_of (&a), "avx512vl-"));

  memset (a.host.isa, 'i', sizeof a.host.isa - 1);
  b = a;
  b.host.isa[last] = 'j';
  assert_string_not_equal (silicon_of (&a), silicon_of (&b));
}

/* Data sheets, in GB/s.  */
TEST (test_bandwidth)
{
  static const struct
  {
    const char *record;
    double gbs;
  } sheet[] = {{"gtx-970", 224}, {"v100", 900},  {"a100", 1555},
               {"rtx-4090", 1008}, {"h200", 4800}, {"h200-mig-3g", 2400},
               {"gb10", 273}};
  struct gt_device unknown = recorded ("h200");

  for (size_t i = 0; i < sizeof sheet / sizeof *sheet; i++)
    {
      struct gt_device device = recorded (sheet[i].record);
      double ratio = gt_gpu_bandwidth (&device.gpu) / (sheet[i].gbs * 1e9);

      if (!(ratio > 0.97 && ratio < 1.03))
        fail_msg ("%s: %g of its data sheet", sheet[i].record, ratio);
    }
  unknown.gpu.memory_clock_khz = 0;
  assert_true (gt_gpu_bandwidth (&unknown.gpu) == 0.0);
  unknown = recorded ("h200");
  unknown.gpu.memory_bus_bits = 0;
  assert_true (gt_gpu_bandwidth (&unknown.gpu) == 0.0);
}

/* --------------------------------------------------------------- The host */

/* Runs CHECK in a child, which may change its environment before the host is
   discovered; CHECK returns 0 when all is well.  */
static void
in_child (int (*check) (void))
{
  int status;
  pid_t child = fork ();

  assert_true (child >= 0);
  if (child == 0)
    _exit (check ());
  while (waitpid (child, &status, 0) < 0)
    assert_int_equal (errno, EINTR);
  assert_true (WIFEXITED (status));
  assert_int_equal (WEXITSTATUS (status), 0);
}

static int
within_quota (int threads)
{
  double quota = gt_cgroup_cpu_quota ("");

  if (quota > 0.0 && quota < threads)
    return quota < 2.0 ? 1 : (int) quota;
  return threads;
}

/* Returns the number of the first line that does not hold.  */
static int
check_invented_machine (void)
{
  const struct gt_host *host;

  setenv ("HWLOC_SYNTHETIC", "pack:2 numa:1 l3:2 l2:2 l1d:1 core:1 pu:2", 1);
  host = &gt_device_host ()->host;
  return host->packages != 2                  ? 1
         : host->threads != within_quota (16) ? 2
         : host->cores != within_quota (8) && host->cores != host->threads ? 3
         : host->l3_instances != 4            ? 4
         : host->l1d == 0 || host->l2 == 0    ? 5
         : *host->model == '\0'               ? 6
                                              : 0;
}

static int
check_bound_to_one (void)
{
  cpu_set_t all, one;
  int cpu = 0;

  if (sched_getaffinity (0, sizeof all, &all) != 0)
    return 0; /* more CPUs than the set holds */
  while (!CPU_ISSET (cpu, &all))
    cpu++;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  if (sched_setaffinity (0, sizeof one, &one) != 0)
    return 1;
  return gt_device_host ()->host.threads != 1 ? 2
         : gt_device_host ()->host.cores != 1 ? 3
                                              : 0;
}

/* How often a thread was bound to processors.  hwloc comes here, too.  */
static int bindings;

__attribute__ ((visibility ("default"))) int
sched_setaffinity (pid_t pid, size_t size, const cpu_set_t *set)
{
  bindings++;
  return (int) syscall (SYS_sched_setaffinity, pid, size, set);
}

/* The thread that asks is the program's own.  */
static int
check_left_alone (void)
{
  return gt_device_host ()->host.l1d > 0 && bindings > 0;
}

static int
check_no_topology (void)
{
  setenv ("HWLOC_COMPONENTS", "stop", 1); /* nothing left to discover with */
  return gt_device_host ()->host.threads < 1    ? 1
         : gt_device_host ()->host.memory == 0  ? 2
         : *gt_device_host ()->host.model == 0  ? 3
                                                : 0;
}

TEST (test_host_in_children)
{
  in_child (check_invented_machine);
  in_child (check_bound_to_one);
  in_child (check_left_alone);
  in_child (check_no_topology);
}

TEST (test_host)
{
  const struct gt_device *device = gt_device_host ();
  const struct gt_host *host = &device->host;

  assert_ptr_equal (device, gt_device_host ());
  assert_int_equal (device->kind, GT_CPU);
  assert_true (host->packages >= 1);
  assert_true (host->threads >= 1);
  assert_true (host->threads <= sysconf (_SC_NPROCESSORS_CONF));
  assert_true (host->cores >= 1 && host->cores <= host->threads);
  assert_true (host->memory > 0);
  assert_true (strlen (silicon_of (device)) > strlen ("cpu-1c-1t"));
#ifdef __x86_64__
  assert_non_null (strstr (host->isa, "sse2"));
#endif
}

TEST (test_numa)
{
  assert_int_equal (gt_host_numa_of_pci ("ffff:ff:1f.7"), -1);
  assert_int_equal (gt_host_numa_of_pci ("no address"), -1);
  assert_int_equal (gt_host_numa_of_pci (""), -1);
}

/* -------------------------------------------------------------- The GPUs */

TEST (test_gpus)
{
  const char *why = NULL;
  int count = gt_gpu_count (&why);

  assert_int_equal (count, gt_gpu_count (NULL));
  assert_null (gt_gpu_device (-1));
  assert_null (gt_gpu_device (count));
  if (count == 0)
    {
      assert_non_null (why);
      assert_true (*why != '\0');
      if (getenv ("GSLTUNE_TEST_REAL_GPU")) /* set by on_gpu.sh */
        fail_msg ("no GPU: %s", why);
    }
  for (int i = 0; i < count; i++)
    {
      const struct gt_device *device = gt_gpu_device (i);

      assert_int_equal (device->kind, GT_CUDA);
      assert_true (strncmp (silicon_of (device), "cuda-", 5) == 0);
    }
}

RUN_TESTS (NULL, NULL)

/* Tests of src/device*.c: records, silicon keys, bandwidth, the host, and the
   GPUs where there are any.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <sched.h>
#include <sys/syscall.h>

#include "tests/unit.h"

#include "src/device/cpus.h"
#include "src/device/device.h"
#include "src/device/gpus.h"
#include "tuning/store/device_record.h"

/* -------------------------------------------------------------- Helpers */

static json_t *
load (const char *name)
{
  const char *srcdir = getenv ("srcdir");
  char path[1024];
  json_t *json;

  snprintf (path, sizeof path, "%s/tests/devices/%s.json",
            srcdir != NULL ? srcdir : ".", name);
  json = json_load_file (path, 0, NULL);
  if (json == NULL)
    fail_msg ("cannot read %s", path);
  return json;
}

static struct gt_device
recorded (const char *name)
{
  struct gt_device device;
  char why[256] = "";
  json_t *json = load (name);

  if (gt_device_from_json (json, &device, why, sizeof why) != 0)
    fail_msg ("%s: %s", name, why);
  json_decref (json);
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
  assert_int_equal (strspn (s, "abcdefghijklmnopqrstuvwxyz0123456789.-"),
                    strlen (s));
  assert_true (s[0] != '.' && s[0] != '-');
  return s;
}

/* Not by their bytes: there is padding.  */
static void
assert_same_device (const struct gt_device *a, const struct gt_device *b)
{
  json_t *of_a = gt_device_to_json (a), *of_b = gt_device_to_json (b);

  assert_non_null (of_a);
  assert_true (json_equal (of_a, of_b));
  json_decref (of_a);
  json_decref (of_b);
}

static const char *const record_names[]
  = {"gtx-970", "v100", "a100",        "rtx-4090",
     "h200",    "gb10", "h200-mig-3g", "host-epyc"};
enum { N_RECORDS = sizeof record_names / sizeof *record_names };

/* -------------------------------------------------------------- Records */

TEST (test_round_trip)
{
  for (int i = 0; i < N_RECORDS; i++)
    {
      struct gt_device device = recorded (record_names[i]), again;
      json_t *original = load (record_names[i]);
      json_t *json = gt_device_to_json (&device);
      char why[256];

      assert_non_null (json);
      assert_true (json_equal (json, original));
      assert_int_equal (gt_device_from_json (json, &again, why, sizeof why), 0);
      assert_same_device (&device, &again);
      json_decref (json);
      json_decref (original);
    }
}

/* Every key that a record has must be there: none is quietly 0.  */
TEST (test_missing_keys)
{
  for (int i = 0; i < N_RECORDS; i++)
    {
      json_t *json = load (record_names[i]), *value;
      const char *key;

      json_object_foreach (json, key, value)
        {
          json_t *less = json_copy (json);
          char quoted[80], why[256] = "";
          struct gt_device device;

          snprintf (quoted, sizeof quoted, "\"%s\"", key);
          assert_int_equal (json_object_del (less, key), 0);
          assert_int_equal (
            gt_device_from_json (less, &device, why, sizeof why), -1);
          assert_non_null (strstr (why, quoted));
          assert_non_null (strstr (why, "missing"));
          json_decref (less);
        }
      json_decref (json);
    }
}

struct hostile
{
  const char *record, *key, *value; /* JSON */
};

static const struct hostile hostile[] = {
  {"h200", "kind", "\"opencl\""},
  {"h200", "kind", "3"},
  {"h200", "compute_capability", "9.0"},
  {"h200", "compute_capability", "\"9\""},
  {"h200", "compute_capability", "\"9.0a\""},
  {"h200", "compute_capability", "\"-9.0\""},
  {"h200", "compute_capability", "\"9.-1\""},
  {"h200", "compute_capability", "\"999999999999.0\""},
  {"h200", "sm_count", "0"},
  {"h200", "sm_count", "-132"},
  {"h200", "sm_count", "132.0"},
  {"h200", "sm_count", "\"132\""},
  {"h200", "sm_count", "9223372036854775807"},
  {"h200", "sm_count", "4294967428"},
  {"h200", "warp_size_threads", "0"},
  {"h200", "warp_size_threads", "64"},
  {"h200", "warp_allocation_granularity", "0"},
  {"h200", "register_allocation_unit", "0"},
  {"h200", "shared_allocation_unit_bytes", "0"},
  {"h200", "shared_allocation_unit_bytes", "-128"},
  {"h200", "max_threads_per_block", "2048"},
  {"h200", "max_threads_per_block", "0"},
  {"h200", "max_threads_per_sm", "992"},
  {"h200", "max_blocks_per_sm", "0"},
  {"h200", "registers_per_sm", "32768"},
  {"h200", "shared_per_block_bytes", "233472"},
  {"h200", "shared_per_sm_bytes", "65536"},
  {"h200", "l2_bytes", "-1"},
  {"h200", "memory_bytes", "0"},
  {"h200", "integrated", "0"},
  {"h200", "numa_node", "-2"},
  {"h200", "name", "\"\""},
  {"h200", "name", "\"a\\u001b[31m\""},
  {"h200", "name", "\"a\\u00e9\""},
  {"h200", "mig_profile", "\"0123456789012345678901234567890123\""},
  {"h200", "pci_address", "\"0000000000000000:00\""},
  {"h200", "uuid", "null"},
  {"host-epyc", "model", "\"\""},
  {"host-epyc", "cores", "0"},
  {"host-epyc", "cores", "33"},
  {"host-epyc", "hardware_threads", "70000"},
  {"host-epyc", "packages", "true"},
  {"host-epyc", "l1d_bytes", "-1"},
  {"host-epyc", "instruction_sets", "[]"},
};

TEST (test_hostile_records)
{
  for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
    {
      const struct hostile *h = &hostile[i];
      json_t *json = load (h->record);
      json_t *value = json_loads (h->value, JSON_DECODE_ANY, NULL);
      struct gt_device device;
      char why[256] = "";

      assert_non_null (value);
      json_object_set_new (json, h->key, value);
      memset (&device, 0x5a, sizeof device);
      if (gt_device_from_json (json, &device, why, sizeof why) == 0)
        fail_msg ("%s = %s was accepted", h->key, h->value);
      assert_non_null (strstr (why, h->key));
      assert_int_equal (device.kind, 0x5a5a5a5a); /* untouched */
      json_decref (json);
    }
}

TEST (test_no_object)
{
  static const char *const texts[] = {"[]", "null", "3", "{}"};
  struct gt_device device;
  char why[8];

  for (int i = 0; i < 4; i++)
    {
      json_t *json = json_loads (texts[i], JSON_DECODE_ANY, NULL);

      assert_int_equal (gt_device_from_json (json, &device, why, sizeof why),
                        -1);
      assert_true (strnlen (why, sizeof why) == sizeof why - 1); /* cut off */
      json_decref (json);
    }
  assert_int_equal (gt_device_from_json (NULL, &device, why, sizeof why), -1);
}

/* ------------------------------------------- Keys, names and bandwidth */

TEST (test_known_keys)
{
  static const struct
  {
    const char *record, *silicon;
  } known[] = {
    {"gtx-970", "cuda-5.2-13sm-4gib-l2-1792kib"},
    {"h200", "cuda-9.0-132sm-140gib-l2-60mib"},
    {"h200-mig-3g", "cuda-9.0-60sm-70gib-l2-30mib-mig-3g.71gb"},
    {"host-epyc", "cpu-amd-epyc-9b14-96-core-processor-16c-32t-l1-32kib-l2-1mib"
                  "-l3-32mibx2-sse2-sse4.2-avx-avx2-fma-avx512f-avx512bw"
                  "-avx512vl"},
  };

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    {
      struct gt_device device = recorded (known[i].record);

      assert_string_equal (silicon_of (&device), known[i].silicon);
    }
}

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
  assert_string_equal (silicon_of (&device),
                       "cpu-intel-xeon-cpu-..-2.00ghz-16c-32t-l1-32kib"
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

TEST (test_names)
{
  struct gt_device gpu = recorded ("h200"), host = recorded ("host-epyc");

  assert_string_equal (gt_device_name (&gpu), "NVIDIA H200");
  assert_string_equal (gt_device_name (&host),
                       "AMD EPYC 9B14 96-Core Processor");
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
  struct gt_device again;
  json_t *json;
  char why[256] = "";

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
  json = gt_device_to_json (device);
  if (gt_device_from_json (json, &again, why, sizeof why) != 0)
    fail_msg ("the host's own record: %s", why);
  assert_same_device (device, &again);
  json_decref (json);
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
      struct gt_device again;
      json_t *json = gt_device_to_json (device);
      char problem[256] = "";

      assert_int_equal (device->kind, GT_CUDA);
      if (gt_device_from_json (json, &again, problem, sizeof problem) != 0)
        fail_msg ("GPU %d: %s", i, problem);
      assert_same_device (device, &again);
      assert_true (strncmp (silicon_of (device), "cuda-", 5) == 0);
      json_decref (json);
    }
}

RUN_TESTS (NULL, NULL)

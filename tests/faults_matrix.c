/* The driver's matrix: every call of every entry point fails with every code, alone
   and in pairs, from one call on, late, or in that nothing is done; and memory is
   misaligned or too little.  Every answer is right or refused as documented, nothing
   crashes, hangs, or stays behind.

     faults_matrix [-j PROCESSES] [-s SHARE] [PART...]

   runs the parts (matrix_parts.h), of their settings one in SHARE, and if
   that is not all, those of a few variants.

   Each setting has a process of its own, for a library that has lost its GPU does not
   take it back.  The processes are forked from this one, which has the driver of
   tests/softgpu loaded, but has called neither it nor the library.  A run without
   faults tells how often each variant of a part calls each entry point: what is never
   called is not made to fail.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>

#include "tests/softgpu/softgpu_hooks.h"
#include "tests/matrix_parts.h"
#include "tuning/measure/clock.h"

#define MOST_CALLS 12
#define MOST_VARIANTS 90
#define MOST_PROCESSES 256
#define PAIRS 3 /* second faults that are tried behind one first */
#define FEW_VARIANTS 12

static const int codes[] = {
  CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY,
  CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED,
  CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_NO_DEVICE,
  CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_IMAGE,
  CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_NO_BINARY_FOR_GPU,
  CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_OPERATING_SYSTEM,
  CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_NOT_FOUND, CUDA_ERROR_NOT_READY,
  CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
  CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_MISALIGNED_ADDRESS,
  CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_NOT_SUPPORTED,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, CUDA_ERROR_SYSTEM_NOT_READY,
  CUDA_ERROR_UNKNOWN
};
#define N_CODES (sizeof codes / sizeof *codes)
_Static_assert (N_CODES == 24, "as the documentation says");

/* Those that a device reports when it has come to the work: they end the context.  */
static const int late_codes[] = {
  CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_ILLEGAL_ADDRESS,
  CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_ASSERT,
  CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION,
  CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_ADDRESS_SPACE,
  CUDA_ERROR_INVALID_PC, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_UNKNOWN
};
#define N_LATE_CODES (sizeof late_codes / sizeof *late_codes)

static const char *const entry_names[] = {
#define ENTRY_POINT(name, version) #name,
#include "tests/softgpu/entry_points.def"
#undef ENTRY_POINT
};
/* Those that the library uses come first.  */
enum
{
#define ENTRY_POINT(name, version) USED_##name,
#include "src/cuda/entry_points.def"
#undef ENTRY_POINT
  N_USED
};

enum kind
{
  AT,         /* one call */
  FROM,       /* and all that follow */
  PAIR,
  NEVER,      /* a launch that does not run */
  LATE,       /* an error that shows later */
  MISALIGNED,
  MEMORY,     /* too little of it */
  N_KINDS
};
static const char *const kind_names[N_KINDS]
  = {"one call", "from one call on", "pairs", "launches that never run",
     "errors that show later", "misaligned memory", "too little memory"};

struct setting
{
  unsigned char part, kind, entry, call, code, variant;
  unsigned memory;
  char fail[200];
};

struct counts
{
  _Atomic unsigned long runs, struck, answers, refusals, failed;
};

/* The memory that all processes share.  */
static struct shared
{
  _Atomic unsigned long next; /* setting */
  struct counts part[N_PARTS], kind[N_KINDS];
  struct found found[MOST_PROCESSES];
} *shared;

static softgpu_report_function *get_report;
static int said; /* where the process of a setting says what is wrong */

/* ---------------------------------------------------------------- One setting */

/* Errors that end a context, in tests/softgpu as on a device.  */
static int
ends_context (int code)
{
  switch (code)
    {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_LAUNCH_FAILED:
      return 1;
    default:
      return 0;
    }
}

/* Whether an entry point is needed to give back what was taken.  */
static int
gives_back (unsigned entry)
{
  switch (entry)
    {
    case USED_cuMemFree:
    case USED_cuMemFreeHost:
    case USED_cuMemHostUnregister:
    case USED_cuStreamDestroy:
    case USED_cuEventDestroy:
    case USED_cuLinkDestroy:
    case USED_cuGraphDestroy:
    case USED_cuGraphExecDestroy:
    case USED_cuCtxPushCurrent:
    case USED_cuCtxPopCurrent:
      return 1;
    default:
      return 0;
    }
}

/* Whether elements on the GPU can still be had when that entry point fails.  */
static int
fetches (unsigned entry)
{
  return entry == USED_cuMemcpyDtoH || entry == USED_cuMemcpy2D
         || entry == USED_cuStreamSynchronize || entry == USED_cuCtxPushCurrent
         || entry == USED_cuCtxPopCurrent;
}

static int
may_refuse (const struct setting *s)
{
  return !parts[s->part].keeps || s->kind > FROM || fetches (s->entry)
         || ends_context (codes[s->code]);
}

static void
set_devices (const struct part *part)
{
  char names[8192] = "";

  for (int i = 0; i < 2 && part->devices[i]; i++)
    {
      char file[64];
      size_t length = strlen (names);

      snprintf (file, sizeof file, "tests/devices/%s.json", part->devices[i]);
      snprintf (names + length, sizeof names - length, "%s%s", i ? ":" : "",
                source_file (file));
    }
  setenv ("SOFTGPU_DEVICE", names, 1);
}

/* In a process of its own.  The library notes a fork, but nothing of it has run: the
   child is as good as new.  */
static void
work (const struct setting *s)
{
  const struct variant v = variant_of (s->variant);
  char bytes[24];

  gt_forked = 0;
  gt_mark = NULL;
  launches_vanish = s->kind == NEVER;
  dup2 (said, STDERR_FILENO);
  set_devices (&parts[s->part]);
  setenv ("SOFTGPU_FAIL", s->fail, 1);
  setenv ("SOFTGPU_LEAKS", s->kind == PAIR || gives_back (s->entry) ? "0" : "1", 1);
  if (s->kind == MEMORY)
    {
      snprintf (bytes, sizeof bytes, "%u", s->memory);
      setenv ("SOFTGPU_MEMORY", bytes, 1);
    }
  alarm (SCENARIO_SECONDS);
  parts[s->part].run (&v);
  gsltune_release ();
  get_report (&found->report);
  CHECK (found->refusals == 0 || may_refuse (s));
  exit (0);
}

static void
complain (const struct setting *s, int status)
{
  char text[2000];
  ssize_t length = pread (said, text, sizeof text - 1, 0);

  text[length < 0 ? 0 : length] = '\0';
  printf ("%s, variant %u, SOFTGPU_FAIL=%s", parts[s->part].name, s->variant, s->fail);
  if (s->kind == MEMORY)
    printf (" SOFTGPU_MEMORY=%u", s->memory);
  if (WIFSIGNALED (status))
    printf (": signal %d", WTERMSIG (status));
  else
    printf (": status %d", WEXITSTATUS (status));
  printf (": %s\n", text);
  fflush (stdout);
}

/* Memory that the driver has misplaced is found by kernels, which tests/softgpu reports.  */
static int
is_quiet (const struct setting *s)
{
  return s->kind == MISALIGNED || lseek (said, 0, SEEK_END) == 0;
}

/* Returns whether all was well.  */
static int
run (const struct setting *s)
{
  int status = -1;
  pid_t child;

  memset (found, 0, sizeof *found);
  if (ftruncate (said, 0) != 0 || lseek (said, 0, SEEK_SET) != 0)
    return 0;
  child = fork ();
  if (child == 0)
    work (s);
  if (child < 0 || waitpid (child, &status, 0) != child)
    return 0;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0 && is_quiet (s))
    return 1;
  complain (s, status);
  return 0;
}

/* ------------------------------------------------------------- All settings */

static struct setting *settings;
static size_t n_settings, room;
static unsigned long unreachable[N_PARTS], reachable[N_PARTS];
static unsigned share = 1;

/* How often variants call entry points when nothing fails.  */
static unsigned calls[N_PARTS][MOST_VARIANTS][N_USED];

static uint64_t
mix (uint64_t a, uint64_t b)
{
  uint64_t seed = a * 1000003 + b;

  return random_word (&seed);
}

static void
add (struct setting s)
{
  static uint64_t offered;

  if (mix (s.part, offered++) % share)
    return;
  if (n_settings == room)
    {
      room = room ? 2 * room : 4096;
      settings = realloc (settings, room * sizeof *settings);
      if (settings == NULL)
        abort ();
    }
  settings[n_settings++] = s;
}

static unsigned
count_variants (unsigned part)
{
  const unsigned all = parts[part].variants;

  return share == 1 || all < FEW_VARIANTS ? all : FEW_VARIANTS;
}

/* Far from each other, so that the first few have every type, length and mode.  */
static unsigned
nth_variant (unsigned part, uint64_t n)
{
  return (unsigned) (n % count_variants (part) * 7 % parts[part].variants);
}

/* A variant of the part that calls the entry point so often; -1: none does.  */
static int
variant_for (unsigned part, unsigned entry, unsigned call, uint64_t turn)
{
  for (unsigned i = 0; i < count_variants (part); i++)
    if (calls[part][nth_variant (part, turn + i)][entry] >= call)
      return (int) nth_variant (part, turn + i);
  return -1;
}

/* One fault at CALL, or from there on, of every kind that the entry point knows.  */
static void
add_faults (unsigned part, unsigned entry, unsigned call)
{
  static const char *const fates[] = {"lost", "wait", "done"};
  struct setting s = {.part = (unsigned char) part,
                      .entry = (unsigned char) entry,
                      .call = (unsigned char) call};
  const char *name = entry_names[entry];
  uint64_t turn = mix (part * 100 + entry, call);
  const int launches
    = entry == USED_cuLaunchKernel || entry == USED_cuGraphLaunch;
  const int queues = launches || entry == USED_cuMemcpyHtoDAsync
                     || entry == USED_cuMemcpyDtoHAsync
                     || entry == USED_cuMemcpyDtoDAsync
                     || entry == USED_cuMemsetD8Async;
  const int allocates = entry == USED_cuMemAlloc
                        || entry == USED_cuMemHostAlloc
                        || entry == USED_cuMemAllocManaged;
#define ADD(the_kind, ...)                                                  \
  (s.kind = the_kind,                                                       \
   s.variant = (unsigned char) variant_for (part, entry, call, turn++ * 37), \
   snprintf (s.fail, sizeof s.fail, __VA_ARGS__), add (s))

  for (s.code = 0; s.code < N_CODES; s.code++)
    {
      ADD (AT, "%s:%u=%d", name, call, codes[s.code]);
      ADD (FROM, "%s:%u+=%d", name, call, codes[s.code]);
    }
  for (size_t i = 0; i < 3 * N_LATE_CODES && queues; i++)
    ADD (LATE, "%s:%u=%s-%d", name, call, fates[i % 3], late_codes[i / 3]);
  s.code = 0;
  if (launches)
    {
      ADD (NEVER, "%s:%u=never", name, call);
      ADD (NEVER, "%s:%u+=never", name, call);
    }
  if (allocates)
    {
      ADD (MISALIGNED, "%s:%u=misaligned", name, call);
      ADD (MISALIGNED, "%s:%u+=misaligned", name, call);
    }
#undef ADD
}

static void
add_part (unsigned part)
{
  struct setting s = {.part = (unsigned char) part, .kind = MEMORY};

  for (unsigned entry = 0; entry < N_USED; entry++)
    for (unsigned call = 1; call <= MOST_CALLS; call++)
      if (variant_for (part, entry, call, 0) < 0)
        unreachable[part]++;
      else
        {
          reachable[part]++;
          add_faults (part, entry, call);
        }
  for (unsigned i = 0; i < 120; i++)
    {
      s.memory = (unsigned) (1000 * (pow (1.08, i) - 1));
      s.variant = (unsigned char) nth_variant (part, i);
      add (s);
    }
}

/* ------------------------------------------------------------- Processes */

static void
note (const struct setting *s, int well)
{
  struct counts *const both[] = {&shared->part[s->part],
                                 &shared->kind[s->kind]};

  for (int i = 0; i < 2; i++)
    {
      both[i]->runs++;
      both[i]->struck += found->report.struck > 0;
      both[i]->answers += found->answers;
      both[i]->refusals += found->refusals;
      both[i]->failed += !well;
    }
}

/* A second fault, at a call that comes after the first has struck.  */
static void
run_pairs (const struct setting *first)
{
  const struct softgpu_report report = found->report;
  uint64_t turn = mix (first->entry * 64u + first->call, first->code);

  for (unsigned tries = 0, done = 0; tries < 4 * N_USED && done < PAIRS;
       tries++)
    {
      const uint64_t word = random_word (&turn);
      const unsigned entry = (unsigned) (word % N_USED);
      struct setting s = *first;

      if (report.calls[entry] <= report.at_strike[entry])
        continue;
      s.kind = PAIR;
      snprintf (s.fail, sizeof s.fail, "%.80s,%.60s:%lu%s=%d", first->fail,
                entry_names[entry], report.at_strike[entry] + 1,
                word >> 40 & 1 ? "+" : "", codes[(word >> 48) % N_CODES]);
      note (&s, run (&s));
      done++;
    }
}

static int
has_pairs (const struct setting *s)
{
  return s->kind == AT && (codes[s->code] == CUDA_ERROR_OUT_OF_MEMORY
                           || codes[s->code] == CUDA_ERROR_ILLEGAL_ADDRESS
                           || codes[s->code] == CUDA_ERROR_UNKNOWN);
}

static void
serve (unsigned process)
{
  unsigned long i;

  found = &shared->found[process];
  said = memfd_create ("said", 0);
  while (said >= 0 && (i = shared->next++) < n_settings)
    {
      const struct setting *s = &settings[i];
      int well = run (s);

      note (s, well);
      if (well && has_pairs (s) && found->report.struck)
        run_pairs (s);
    }
  fflush (stdout);
  _exit (said < 0);
}

/* Returns how many processes failed.  */
static int
run_all (unsigned processes)
{
  int failed = 0, status;

  fflush (stdout);
  for (unsigned p = 0; p < processes; p++)
    switch (fork ())
      {
      case -1:
        failed++;
        break;
      case 0:
        serve (p);
      }
  while (wait (&status) > 0)
    failed += status != 0;
  return failed;
}

/* The calls of each variant.  Without faults nothing is refused.  */
static int
probe (unsigned part)
{
  struct setting s = {.part = (unsigned char) part, .kind = AT,
                      .entry = USED_cuInit};

  for (unsigned i = 0; i < count_variants (part); i++)
    {
      const unsigned v = nth_variant (part, i);

      s.variant = (unsigned char) v;
      if (!run (&s) || found->refusals || !found->answers
          || !found->report.calls[USED_cuLaunchKernel])
        return -1;
      for (unsigned e = 0; e < N_USED; e++)
        calls[part][v][e] = (unsigned) found->report.calls[e];
    }
  return 0;
}

/* --------------------------------------------------------------- The report */

static void
print_counts (const char *name, const struct counts *c)
{
  printf ("%-24s %9lu %9lu %6.2f%% %10lu %9lu %7lu", name, c->runs, c->struck,
          c->runs ? 100.0 * (double) c->struck / (double) c->runs : 0.0,
          c->answers, c->refusals, c->failed);
}

#define HEADING "%-24s %9s %9s %7s %10s %9s %7s"

static unsigned long
print_report (void)
{
  struct counts all = {0};

  printf (HEADING " %s\n", "part", "runs", "struck", "share", "answers",
          "refusals", "failed", "calls reached, not reached");
  for (unsigned p = 0; p < N_PARTS; p++)
    if (shared->part[p].runs)
      {
        const struct counts *c = &shared->part[p];

        print_counts (parts[p].name, c);
        printf (" %lu, %lu\n", reachable[p], unreachable[p]);
        all.runs += c->runs;
        all.struck += c->struck;
        all.answers += c->answers;
        all.refusals += c->refusals;
        all.failed += c->failed;
      }
  for (unsigned k = 0; k < N_KINDS; k++)
    {
      print_counts (kind_names[k], &shared->kind[k]);
      putchar ('\n');
    }
  print_counts ("all", &all);
  putchar ('\n');
  return all.failed;
}

static int
named (unsigned part, char **names, int count)
{
  for (int i = 0; i < count; i++)
    if (strcmp (names[i], parts[part].name) == 0)
      return 1;
  return count == 0;
}

/* The driver is loaded here, once for all; so are the settings that all share.  */
static int
prepare (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);
  char toolkit[4200];

  get_report = driver ? (softgpu_report_function *) dlsym (driver, "softgpu_report")
                      : NULL;
  if (get_report == NULL)
    return -1;
  snprintf (toolkit, sizeof toolkit, "%s/../toolkit", getenv ("softgpu"));
  setenv ("CUDA_HOME", toolkit, 1);
  unsetenv ("CUDA_VISIBLE_DEVICES");
  gt_env.profile_dir = "/nonexistent";
  gt_env.device = GT_CHOOSE_CUDA;
  gt_env.all_gpus = 1;
  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  found = shared->found;
  said = memfd_create ("said", 0);
  return shared == MAP_FAILED || said < 0 ? -1 : 0;
}

int
main (int argc, char **argv)
{
  cpu_set_t mine;
  double begin = gt_now ();
  unsigned processes = 2;
  int option, failed;

  if (sched_getaffinity (0, sizeof mine, &mine) == 0)
    processes = (unsigned) CPU_COUNT (&mine);
  while ((option = getopt (argc, argv, "j:s:")) != -1)
    if (option == 'j')
      processes = (unsigned) atoi (optarg);
    else if (option == 's')
      share = (unsigned) atoi (optarg);
    else
      return 2;
  if (processes < 1 || processes > MOST_PROCESSES || share < 1 || prepare ())
    {
      fprintf (stderr, "faults_matrix: needs the driver of tests/softgpu\n");
      return 2;
    }
  for (unsigned p = 0; p < N_PARTS; p++)
    if (named (p, argv + optind, argc - optind))
      {
        if (probe (p))
          {
            printf ("%s fails without any fault, or does not use the GPU\n", parts[p].name);
            return 1;
          }
        add_part (p);
      }
  failed = run_all (processes);
  failed += print_report () > 0;
  printf ("%.0f s, %u processes\n", gt_now () - begin, processes);
  return failed != 0;
}

/* Shared by the tests of the soft GPU.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/softgpu/testing.h"

#include "src/device/device.h"
#include "tuning/store/device_record.h"

static char folder[200];
char testing_errors[4096];

void
testing_failed (const char *file, int line, const char *what)
{
  fprintf (stderr, "%s:%d: does not hold: %s\n", file, line, what);
  exit (1);
}

void
testing_check_code (const char *file, int line, const char *what,
                    CUresult code, CUresult expected)
{
  if (code == expected)
    return;
  fprintf (stderr, "%s:%d: %s gives %d, not %d\n", file, line, what, code, expected);
  exit (1);
}

const char *
testing_path (const char *name)
{
  static char path[sizeof folder + 32];

  snprintf (path, sizeof path, "%s/%s", folder, name);
  return path;
}

static struct gt_device
small_h200 (void)
{
  struct gt_device device;
  struct gt_gpu *gpu = &device.gpu;

  memset (&device, 0, sizeof device);
  device.kind = GT_CUDA;
  strcpy (gpu->name, "Small H200");
  strcpy (gpu->uuid, "GPU-01234567-89ab-cdef-0123-456789abcdef");
  strcpy (gpu->pci, "0001:9a:0b.0");
  gpu->driver_version = 13000;
  gpu->sms = 4;
  gt_sm_limits_for_cc (9, 0, &gpu->sm);
  gpu->sm_clock_khz = 1980000;
  gpu->memory_clock_khz = 3201000;
  gpu->memory_bus_bits = 6144;
  gpu->l2 = (size_t) 60 << 20;
  gpu->memory = (size_t) 64 << 20;
  gpu->numa_node = 1;
  return device;
}

static int
write_recording (const char *name, const struct gt_device *device)
{
  json_t *json = gt_device_to_json (device);
  int code = json ? json_dump_file (json, testing_path (name), 0) : -1;

  json_decref (json);
  return code;
}

int
testing_set_up (void **state)
{
  struct gt_device device = small_h200 ();
  const char *root = getenv ("TMPDIR");

  (void) state;
  unsetenv ("CUDA_VISIBLE_DEVICES");
  snprintf (folder, sizeof folder, "%s/gsltune-softgpu-XXXXXX", root && *root ? root : "/tmp");
  return mkdtemp (folder) ? write_recording ("one.json", &device) : -1;
}

int
testing_tear_down (void **state)
{
  static const char *const names[]
    = {"one.json", "errors", "counts"};

  (void) state;
  for (size_t i = 0; i < N_OF (names); i++)
    unlink (testing_path (names[i]));
  return rmdir (folder);
}

/* cmocka would go on with the next test, in the child.  */
static const int caught[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};

static _Noreturn void
child (void (*body) (void), const char *const *settings)
{
  if (!freopen (testing_path ("errors"), "w", stderr))
    _exit (2);
  for (size_t i = 0; i < N_OF (caught); i++)
    signal (caught[i], SIG_DFL);
  setvbuf (stderr, NULL, _IONBF, 0); /* a crash must not take it along */
  setenv ("SOFTGPU_DEVICE", testing_path ("one.json"), 1);
  for (; settings && *settings; settings++)
    {
      char *word = strdup (*settings), *value = strchr (word, '=');
      *value = '\0';
      setenv (word, value + 1, 1);
      free (word);
    }
  body ();
  exit (0);
}

static void
read_errors (void)
{
  FILE *file = fopen (testing_path ("errors"), "r");
  size_t length = 0;

  if (file)
    {
      length = fread (testing_errors, 1, sizeof testing_errors - 1, file);
      fclose (file);
    }
  testing_errors[length] = '\0';
}

int
testing_run (void (*body) (void), const char *const *settings)
{
  int status;

  fflush (NULL);
  pid_t pid = fork ();
  if (pid == 0)
    child (body, settings);
  if (pid < 0 || waitpid (pid, &status, 0) != pid)
    return -1;
  read_errors ();
  return WIFEXITED (status) ? WEXITSTATUS (status) : 256 + WTERMSIG (status);
}

struct testing_gpu
testing_open (void)
{
  struct testing_gpu gpu;

  CHECK_OK (cuInit (0));
  CHECK_OK (cuDevicePrimaryCtxRetain (&gpu.context, 0));
  CHECK_OK (cuCtxPushCurrent (gpu.context));
  CHECK_OK (cuLibraryLoadData (&gpu.library, "image", NULL, NULL, 0, NULL, NULL, 0));
  return gpu;
}

void
testing_close (struct testing_gpu *gpu)
{
  CHECK_OK (cuLibraryUnload (gpu->library));
  CHECK_OK (cuCtxPopCurrent (NULL));
  CHECK_OK (cuDevicePrimaryCtxRelease (0));
}

CUfunction
testing_kernel (struct testing_gpu *gpu, const char *name)
{
  CUkernel kernel;
  CUfunction function;

  CHECK_OK (cuLibraryGetKernel (&kernel, gpu->library, name));
  CHECK_OK (cuKernelGetFunction (&function, kernel));
  return function;
}

CUresult
testing_launch (struct testing_gpu *gpu, const char *name, unsigned grid,
                unsigned block, const struct gt_kernel_args *args)
{
  struct gt_kernel_args copy = *args;
  void *parameters[] = {&copy};

  return cuLaunchKernel (testing_kernel (gpu, name), grid, 1, 1, block, 1, 1,
                         4 * block, NULL, parameters, NULL);
}

void *
testing_alloc (size_t size)
{
  CUdeviceptr memory;

  CHECK_OK (cuMemAlloc (&memory, size));
  return (void *) (uintptr_t) memory;
}

void
testing_free (void *memory)
{
  CHECK_OK (cuMemFree ((CUdeviceptr) (uintptr_t) memory));
}

unsigned *
testing_words (struct testing_gpu *gpu, const char *name, unsigned grid,
               unsigned block, uint64_t n, CUresult expected)
{
  struct gt_kernel_args args = {0};
  size_t size = (size_t) grid * block * 8 * sizeof (unsigned);

  args.partials = testing_alloc (size);
  args.ticket = testing_alloc (sizeof *args.ticket);
  args.data = testing_alloc (16);
  memset (args.partials, 0, size);
  *args.ticket = 0;
  args.n = n;
  CHECK_CODE (testing_launch (gpu, name, grid, block, &args), expected);
  return args.partials;
}

/* Tests of the shared library in a program that opens and closes it again and
   again, as a plug-in's host does: what it has taken by the first round it has after
   the last one, and no more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <gsl/gsl_vector.h>

#include "tests/unit.h"

#include "tests/own_folder.h"
#include "tests/scenario.h"

/* LeakSanitizer does not survive libraries that come and go.  */
#define NO_LEAK_CHECK "ASAN_OPTIONS=detect_leaks=0"

#define N 300000
#define ROUNDS 6

static double data[N];

/* ---------------------------------------------------------- What is held */

struct held
{
  unsigned threads, descriptors, mappings;
};

static unsigned
entries_of (const char *path)
{
  DIR *stream = opendir (path);
  unsigned n = 0;

  CHECK (stream);
  while (readdir (stream))
    n++;
  closedir (stream);
  return n;
}

/* Mappings of files: the library's and what it has opened.  Others come and go with
   the C library's stacks and heaps.  */
static unsigned
count_mappings (void)
{
  FILE *stream = fopen ("/proc/self/maps", "r");
  char line[4352];
  unsigned n = 0;

  CHECK (stream);
  while (fgets (line, sizeof line, stream))
    n += strchr (line, '/') != NULL;
  fclose (stream);
  return n;
}

static struct held
look (void)
{
  return (struct held) {entries_of ("/proc/self/task"),
                        entries_of ("/proc/self/fd"), count_mappings ()};
}

/* ------------------------------------------------------------- A round */

static void
library_path (const char *name, char path[4096])
{
  const char *builddir = getenv ("builddir");

  snprintf (path, 4096, "%s/.libs/%s", builddir ? builddir : ".", name);
}

/* Opens the library, sums in each mode, and closes it.  Returns whether its code is
   still there.  */
static int
open_sum_close (void)
{
  char path[4096];
  const gsl_vector v = {N, 1, data, NULL, 0};
  double (*sum) (const gsl_vector *);
  void (*set_mode) (int);
  void *library, *there;

  library_path ("libgsltune.so", path);
  library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fprintf (stderr, "%s\n", dlerror ());
  CHECK (library);
  *(void **) &sum = dlsym (library, "gsltune_vector_sum");
  *(void **) &set_mode = dlsym (library, "gsltune_set_mode");
  CHECK (sum && set_mode);
  for (int mode = 0; mode < 3; mode++)
    {
      set_mode (mode);
      CHECK (sum (&v) == N);
    }
  CHECK (dlclose (library) == 0);
  there = dlopen (path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (there)
    dlclose (there);
  return there != NULL;
}

static void
prepare (void)
{
  for (size_t i = 0; i < N; i++)
    data[i] = 1;
}

SCENARIO (once)
{
  prepare ();
  open_sum_close ();
}

SCENARIO (often)
{
  struct held first, last;

  prepare ();
  CHECK (open_sum_close ());
  first = look ();
  for (int round = 1; round < ROUNDS; round++)
    CHECK (open_sum_close ());
  last = look ();
  CHECK (first.threads == last.threads);
  CHECK (first.descriptors == last.descriptors);
  CHECK (first.mappings == last.mappings);
}

/* The object that `gsltune run' preloads.  */
SCENARIO (preload_object)
{
  struct held first = {0}, last = {0};
  char path[4096];
  void *object;

  library_path ("gsltune-preload.so", path);
  for (int round = 0; round < ROUNDS; round++)
    {
      object = dlopen (path, RTLD_NOW | RTLD_LOCAL);
      CHECK (object && dlclose (object) == 0);
      last = look ();
      first = round == 0 ? last : first;
    }
  CHECK (first.threads == last.threads);
  CHECK (first.descriptors == last.descriptors);
  CHECK (first.mappings == last.mappings);
}

/* ---------------------------------------------------------------- Tests */

TEST (on_the_cpu)
{
  EXPECT_SCENARIO ("often", "", "GSLTUNE_THREADS=4", "GSLTUNE_DEVICE=cpu", NO_LEAK_CHECK);
}

TEST (preloaded)
{
  EXPECT_SCENARIO ("preload_object", "", "GSLTUNE_DEVICE=cpu", NO_LEAK_CHECK);
}

#if HAVE_CUDA

/* Many rounds ask a driver for as much as one.  The machine's own does
   not count its calls.  */
TEST (on_a_gpu)
{
  static const char *const taken[]
    = {"cuDevicePrimaryCtxRetain", "cuStreamCreate", "cuLibraryLoadData",
       "cuMemAlloc", "cuMemHostAlloc", "cuMemHostRegister"};
  char base[64], counts[2][128], device[4200];

  if (on_real_gpu ())
    {
      EXPECT_SCENARIO ("often", "", "GSLTUNE_DEVICE=cuda", NO_LEAK_CHECK);
      return;
    }
  make_test_folder (base);
  snprintf (device, sizeof device, "SOFTGPU_DEVICE=%s",
            source_file ("tests/devices/h200.json"));
  for (int i = 0; i < 2; i++)
    {
      snprintf (counts[i], sizeof counts[i], "SOFTGPU_COUNT=%s/%d", base, i);
      EXPECT_SCENARIO (i ? "often" : "once", "", device, counts[i],
                       "GSLTUNE_DEVICE=cuda", NO_LEAK_CHECK);
    }
  assert_true (driver_calls (counts[0], "cuLaunchKernel") > 0);
  assert_true (driver_calls (counts[0], "cuStreamCreate") > 0);
  for (size_t i = 0; i < N_OF (taken); i++)
    assert_int_equal (driver_calls (counts[1], taken[i]), driver_calls (counts[0], taken[i]));
  remove_folder (base);
}

#endif

RUN_SCENARIOS (NULL, NULL)

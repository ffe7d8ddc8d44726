/* Tests of what the first calls of a process do besides computing: a short program's find
   out nothing about the machine, the results are the same bits before it is known and
   after, and no message is taken from dlerror or put there.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <dirent.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_statistics.h>
#include <hwloc.h>

#include "tests/unit.h"

#include "src/device/gpus.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "tests/scenario_folder.h"

#define N 4096

static double x[N], y[N];
static int whole[N];

/* ------------------------------------------------------------- Counting */

/* How often the library has looked at a file or a folder, or asked hwloc.  */
static _Atomic int looks;

int
openat (int at, const char *path, int flags, ...)
{
  int (*next) (int, const char *, int, ...);

  looks++;
  *(void **) &next = replaced_function ("openat");
  return next (at, path, flags);
}

int
open (const char *path, int flags, ...)
{
  looks++;
  return openat (AT_FDCWD, path, flags);
}

DIR *
opendir (const char *path)
{
  DIR *(*next) (const char *);

  looks++;
  *(void **) &next = replaced_function ("opendir");
  return next (path);
}

FILE *
fopen (const char *path, const char *mode)
{
  FILE *(*next) (const char *, const char *);

  looks++;
  *(void **) &next = replaced_function ("fopen");
  return next (path, mode);
}

/* Its plug-ins look for a symbol that is not found.  */
int
hwloc_topology_init (hwloc_topology_t *topology)
{
  int (*next) (hwloc_topology_t *);

  looks++;
  *(void **) &next = replaced_function ("hwloc_topology_init");
  CHECK (!dlsym (RTLD_DEFAULT, "a symbol of a plug-in's"));
  return next (topology);
}

/* ------------------------------------------------------------ Scenarios */

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    {
      x[i] = 0.1 * (i % 977) - 3;
      y[i] = 1.0 / (i + 1);
      whole[i] = i * 7919;
    }
}

/* Results that no plan has a part in.  */
struct answers
{
  double max, sum, dot, variance, kurtosis;
  size_t at;
  int ints;
};

static struct answers
extremes (void)
{
  const gsl_vector u = {N, 1, x, NULL, 0};
  const gsl_vector_int w = {N, 1, whole, NULL, 0};
  struct answers a;

  memset (&a, 0, sizeof a);
  a.max = gsltune_vector_max (&u);
  a.at = gsltune_vector_min_index (&u);
  a.ints = gsltune_vector_int_sum (&w);
  return a;
}

static struct answers
all (void)
{
  const gsl_vector u = {N, 1, x, NULL, 0}, v = {N, 1, y, NULL, 0};
  struct answers a = extremes ();

  a.sum = gsltune_vector_sum (&u);
  gsltune_blas_ddot (&u, &v, &a.dot);
  a.variance = gsltune_stats_variance (x, 1, N);
  a.kurtosis = gsltune_stats_kurtosis (y, 1, N);
  return a;
}

/* GET's answers find out nothing at first, and at last they do.  */
static void
learn_late (struct answers (*get) (void))
{
  struct answers first, later;
  unsigned calls = 1;

  fill ();
  first = get ();
  CHECK (looks == 0 && !gt_plans_host.made);
  for (; !gt_plans_host.made; calls++)
    {
      later = get ();
      CHECK (memcmp (&first, &later, sizeof first) == 0);
      CHECK (calls < GT_EARLY_BYTES / N);
    }
  CHECK (looks > 0 && calls > 100);
  later = get ();
  CHECK (memcmp (&first, &later, sizeof first) == 0);
}

SCENARIO (exact)
{
  learn_late (all);
}

SCENARIO (fast)
{
  learn_late (extremes);
}

/* Sums that depend on the plan are computed by the one plan that this process has.  */
SCENARIO (planned)
{
  const gsl_vector u = {N, 1, x, NULL, 0};

  fill ();
  gsltune_vector_sum (&u);
  CHECK (looks > 0 && gt_plans_host.made);
}

/* So much work in one call pays.  */
SCENARIO (much)
{
  const size_t n = GT_EARLY_BYTES / sizeof (double);
  double *z = calloc (n, sizeof *z);
  const gsl_vector u = {n, 1, z, NULL, 0};

  CHECK (z && gsltune_vector_max (&u) == 0 && gt_plans_host.made);
  free (z);
}

static void
find_out_everything (void)
{
  gt_host_plans ();
  CHECK (gt_plans_host.made && gt_gpu_count (NULL) >= 0);
}

SCENARIO (no_message)
{
  find_out_everything ();
  CHECK (dlerror () == NULL && looks > 0);
}

SCENARIO (own_message)
{
  char *expected;
  const char *told;

  CHECK (!dlopen ("/no/such/library", RTLD_NOW));
  expected = strdup (dlerror ());
  CHECK (!dlopen ("/no/such/library", RTLD_NOW));
  find_out_everything ();
  told = dlerror ();
  CHECK (expected && told && strcmp (told, expected) == 0 && !dlerror ());
  free (expected);
}

/* ---------------------------------------------------------------- Tests */

TEST (short_programs)
{
  EXPECT_SCENARIO ("exact", "", profiles);
  EXPECT_SCENARIO ("fast", "", profiles, "GSLTUNE_MODE=fast");
}

TEST (longer_programs)
{
  EXPECT_SCENARIO ("planned", "", profiles, "GSLTUNE_MODE=fast");
  EXPECT_SCENARIO ("much", "", profiles);
}

/* Without a driver, and where hwloc is asked.  */
TEST (messages)
{
  static const char *const names[] = {"no_message", "own_message"};

  for (size_t i = 0; i < N_OF (names); i++)
    {
      EXPECT_SCENARIO (names[i], "", profiles, "SOFTGPU_DEVICE=");
      EXPECT_SCENARIO (names[i], "", profiles, "LD_LIBRARY_PATH=", "CUDA_VISIBLE_DEVICES=",
                       "HWLOC_SYNTHETIC=pack:4 [numa] core:2 pu:1");
    }
}

RUN_SCENARIOS (set_up, tear_down)

/* Tests of floating-point environments: whatever the caller has set, one bit at a
   time, a computation of one thread or of several gives the bits that it gives
   without, and leaves what was set.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"
#include "src/route/reduce.h"
#include "tests/sums.h"
#include "tests/sums.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

/* Two pieces of an exact sum for each of two threads.  */
#define N ((size_t) 1 << 18)
#define THREADS 2

/* ------------------------------------------------------ Where memory is short */

static int memory_is_short;

void *
aligned_alloc (size_t alignment, size_t size)
{
  void *memory;

  return memory_is_short || posix_memalign (&memory, alignment, size) ? NULL
                                                                      : memory;
}

/* --------------------------------------------------------------- Environments */

/* The settings: the rounding, traps, and bits of MXCSR and of the x87's control word.  */
static const struct environment
{
  const char *name;
  int rounding, traps;
  unsigned mxcsr;
  unsigned short x87;
} environments[] = {
  {"upward", FE_UPWARD, 0, 0, 0},
  {"downward", FE_DOWNWARD, 0, 0, 0},
  {"toward zero", FE_TOWARDZERO, 0, 0, 0},
  {"traps", FE_TONEAREST, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT, 0, 0},
#if defined __x86_64__
  {"flush to zero", FE_TONEAREST, 0, 0x8000, 0},
  {"denormals are zero", FE_TONEAREST, 0, 0x0040, 0},
  {"53 bits of precision", FE_TONEAREST, 0, 0, 0x0100},
  {"inexact traps in SSE", FE_TONEAREST, 0, 0x1000, 0},
  {"inexact traps in x87", FE_TONEAREST, 0, 0, 0x0020},
#endif
};

static void
set (const struct environment *to)
{
#if defined __x86_64__
  fenv_t env;

  fegetenv (&env);
  env.__control_word = (unsigned short) (env.__control_word ^ to->x87);
  fesetenv (&env);
  _mm_setcsr (_mm_getcsr () ^ to->mxcsr);
#endif
  fesetround (to->rounding);
  feenableexcept (to->traps);
}

/* Flags are no settings.  */
static unsigned
settings (void)
{
#if defined __x86_64__
  unsigned short x87;

  __asm__ volatile ("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr () & 0xffc0) | (unsigned) x87 << 16;
#else
  return (unsigned) fegetround () | (unsigned) fegetexcept () << 16;
#endif
}

/* ----------------------------------------------------------------------- Data */

static char data[N * sizeof (long double)];

static const double least_f64 = 0x1p-1074;
static const float least_f32 = 0x1p-149f;
static const long double least_ldbl = LDBL_TRUE_MIN;

/* Tenths, in which every addition rounds; or the least numbers that there are.  */
#define X(id, name, ctype, real)                              \
  static void fill_##name (int least)                         \
  {                                                           \
    for (size_t i = 0; i < N; i++)                            \
      ((ctype *) data)[i]                                     \
        = least ? least_##name : (ctype) (i % 7 + 1) / 10;    \
  }
GT_REAL_ARITHMETICS (X)
#undef X

static void
fill (enum gt_arithmetic arithmetic, int least)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) case GT_##id: fill_##name (least); break;
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

/* ---------------------------------------------------------------------- Tasks */

/* One way to compute a sum or an extreme.  */
struct way
{
  const char *name;
  unsigned threads;
  int short_of_memory;
  size_t rows; /* of a matrix; or 0 */
};

static const struct way ways[] = {
  {"one thread", 1, 0, 0},
  {"a team", THREADS, 0, 0},
  {"a team without memory", THREADS, 1, 0},
  {"rows of a matrix", THREADS, 0, 64},
  {"rows by one thread", 1, 0, 64},
};

static void
compute (const struct way *way, const struct gt_kernel *kernel,
         const struct gt_task *task, union gt_value *value)
{
  const struct gt_plan plan = {
    .kernel = kernel,
    .config = {.threads = way->threads, .unroll = 1},
    .function = gt_kernel_function (kernel, &task->problem, 1)
  };
  struct gt_task row = *task;

  memory_is_short = way->short_of_memory;
  if (way->rows)
    {
      row.problem.n = N / way->rows;
      gt_cpu_compute_rows (&plan, &row, way->rows, row.problem.n, value);
    }
  else
    {
      gt_cpu_compute (&plan, task, value);
      gt_reduce_finish (&task->problem, value);
    }
  memory_is_short = 0;
}

static void
check (const struct way *way, const struct gt_kernel *kernel, const struct gt_task *task)
{
  const enum gt_arithmetic arithmetic = task->problem.arithmetic;
  union gt_value expected, is;
  unsigned before, after;
  fenv_t env;

  compute (way, kernel, task, &expected);
  for (size_t e = 0; e < N_OF (environments); e++)
    {
      fegetenv (&env);
      feclearexcept (FE_ALL_EXCEPT);
      set (&environments[e]);
      before = settings ();
      compute (way, kernel, task, &is);
      after = settings ();
      fesetenv (&env);
      if (!same_bits (arithmetic, &is, &expected))
        fail_msg ("%s of %s, %s, by %s: other bits with %s",
                  kernel->name, gt_arithmetics[arithmetic].name,
                  gt_mode_names[task->problem.mode], way->name, environments[e].name);
      if (after != before)
        fail_msg ("%s of %s, %s, by %s: %s, %#x, is %#x afterwards",
                  kernel->name, gt_arithmetics[arithmetic].name,
                  gt_mode_names[task->problem.mode], way->name,
                  environments[e].name, before, after);
    }
}

/* Every way that there is to compute a task of REDUCTION.  */
static void
check_task (const struct gt_task *task)
{
  unsigned count = 0;

  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (size_t w = 0; w < N_OF (ways); w++)
      {
        const struct gt_kernel *kernel = &gt_catalog[k];
        const int searches
          = gt_reductions[task->problem.reduction].algebra == GT_ALGEBRA_ORDER;

        if (kernel->device != GT_CPU || !gt_kernel_serves (kernel, &task->problem)
            || !(kernel->unrolls & 1) || (ways[w].rows && !searches)
            || (ways[w].threads > 1 && !(kernel->tunables & GT_TUNE_THREADS)))
          continue;
        check (&ways[w], kernel, task);
        count++;
      }
  assert_true (count > 0);
}

static void
check_reduction (enum gt_reduction reduction)
{
  for (int a = 0; a < GT_FIRST_COMPLEX; a++)
    for (int mode = 0; mode < GT_N_MODES; mode++)
      for (int least = 0; least < 2; least++)
        {
          const enum gt_arithmetic arithmetic = (enum gt_arithmetic) a;
          struct gt_task task;

          if (!gt_arithmetics[a].real
              || gt_mode_for (reduction, arithmetic, (enum gt_mode) mode)
                   != (enum gt_mode) mode)
            continue;
          task = gt_task_of (reduction, arithmetic, (enum gt_mode) mode, data, N, 1);
          if (!gt_device_computes (GT_CPU, &task.problem))
            continue;
          fill (arithmetic, least);
          check_task (&task);
        }
}

TEST (sums)
{
  check_reduction (GT_SUM);
}

TEST (extremes)
{
  check_reduction (GT_MINMAX);
}

RUN_TESTS (NULL, NULL)

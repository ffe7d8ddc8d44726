/* Vectors between fences, and the CPU's functions for several sums at once, for
   the tests of these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef TESTS_SUMS_KERNELS_H
#define TESTS_SUMS_KERNELS_H

#include "tests/unit.h"

#include "kernels/catalog.h"
#include "kernels/cpu/sums/combine.h"
#include "src/cpu/backend_cpu.h"
#include "tests/exact.h"

/* Memory between two pages that nobody may touch.  */
struct fenced
{
  char *begin, *end;
};

static inline struct fenced
make_fenced (size_t bytes)
{
  const size_t page = (size_t) getpagesize ();
  const size_t whole = (bytes + page - 1) / page * page;
  char *memory = mmap (NULL, whole + 2 * page, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  assert_true (memory != MAP_FAILED);
  assert_int_equal (mprotect (memory, page, PROT_NONE), 0);
  assert_int_equal (mprotect (memory + page + whole, page, PROT_NONE), 0);
  return (struct fenced) {memory + page, memory + page + whole};
}

/* N elements STRIDE apart that begin at one fence or end at the other.  */
static inline void *
in_fenced (const struct fenced *fenced, enum gt_arithmetic a, size_t n,
           size_t stride, int at_end)
{
  const size_t span = n ? (n - 1) * stride + 1 : 0;

  assert_true (span * gt_element_size (a) <= (size_t) (fenced->end - fenced->begin));
  return at_end ? fenced->end - span * gt_element_size (a) : fenced->begin;
}

/* A function of the catalogue's.  */
struct cpu_function
{
  const struct gt_kernel *kernel;
  enum gt_isa isa;
  unsigned unroll;
};

static inline union gt_value
computed_by (const struct cpu_function *f, unsigned threads, const struct gt_task *task)
{
  const struct gt_plan plan = {
    .kernel = f->kernel,
    .config = {.threads = threads, .unroll = f->unroll},
    .function = f->kernel->find[f->isa](&task->problem, f->unroll)
  };
  union gt_value value;

  assert_non_null (plan.function);
  memset (&value, 0xcb, sizeof value);
  gt_cpu_compute (&plan, task, &value);
  return value;
}

/* Calls CHECK for every function of the catalogue that computes TASK's problem,
   in both layouts where it is contiguous; returns how many there are.  */
typedef void check_function (const struct cpu_function *f,
                             const struct gt_task *task, const void *closure);

static inline unsigned
for_each_function (const struct gt_task *task, check_function *check, const void *closure)
{
  struct gt_task each = *task;
  unsigned count = 0;

  for (int l = task->problem.layout; l < GT_N_LAYOUTS; l++)
    for (unsigned k = 0; k < gt_catalog_size; k++)
      for (int isa = 0; isa < GT_N_ISAS; isa++)
        for (unsigned u = 0; u < GT_N_UNROLLS; u++)
          {
            const struct cpu_function f
              = {&gt_catalog[k], (enum gt_isa) isa, GT_UNROLL (u)};

            each.problem.layout = (enum gt_layout) l;
            if (f.kernel->device != GT_CPU || !(f.kernel->unrolls & f.unroll)
                || !gt_isa_runs (f.isa) || !gt_kernel_serves (f.kernel, &each.problem))
              continue;
            check (&f, &each, closure);
            count += isa == 0;
          }
  return count;
}

/* Whether a value is what a test expects.  */
struct comparison
{
  void (*compare) (const struct cpu_function *f,
                   const struct gt_task *task, const union gt_value *got,
                   const void *expected);
  const void *expected;
};

/* Functions for for_each_function, whose closure is a comparison: of the whole,  */
static inline void
check_whole (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  const struct comparison *with = closure;
  const union gt_value value = computed_by (f, 1, task);

  with->compare (f, task, &value, with->expected);
}

/* and as parts that follow each other, and by threads.  Exact sums of long doubles are of the whole
   only.  Of the numbers of threads one is more than there are parts.  */
static inline void
check_parts (const struct cpu_function *f, const struct gt_task *task, const void *closure)
{
  static const unsigned threads[] = {2, 3, 8, 61};
  const struct comparison *with = closure;
  const uint64_t n = task->problem.n, cut = n / 3;
  const struct gt_task first = gt_task_part (task, 0, cut);
  const struct gt_task second = gt_task_part (task, cut, n - cut);
  const union gt_value rest = computed_by (f, 1, &second);
  union gt_value value = computed_by (f, 1, &first);

  if (task->problem.mode == GT_MODE_EXACT && task->problem.arithmetic == GT_LDBL)
    return;
  gt_value_merge (&task->problem, &value, &rest);
  with->compare (f, task, &value, with->expected);
  for (size_t t = 0; t < sizeof threads / sizeof *threads && f->kernel->tunables & GT_TUNE_THREADS; t++)
    {
      value = computed_by (f, threads[t], task);
      with->compare (f, task, &value, with->expected);
    }
}

static inline void
fail_at (const struct cpu_function *f,
         const struct gt_task *task, unsigned k, double got, double expected)
{
  const struct gt_problem *p = &task->problem;

  fail_msg ("%s of %s, %s, %s, %s, %s, n = %zu, strides %zu and %zu: sum %u is"
            " %.17g, not %.17g", gt_reductions[p->reduction].name,
            gt_arithmetics[p->arithmetic].name, gt_mode_names[p->mode],
            gt_layout_names[p->layout], f->kernel->name, gt_isa_names[f->isa],
            (size_t) p->n, (size_t) task->x.stride, (size_t) task->y.stride, k, got, expected);
}

#endif

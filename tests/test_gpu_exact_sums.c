/* Tests of several exact sums at once on a GPU: every entry point of every such reduction
   leaves the accumulators that adding one element after the other gives, word for word.  On a
   device of tests/softgpu, or on the machine's own GPU where on_gpu.sh asks for that.

   With the argument `long' and a number, so many random cases more.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "src/device/geometry.h"
#include "tests/gpu_subjects.h"
#include "tests/gpu_sums_data.h"

static unsigned long cases;
static uint64_t seed = 20261122;

FIXTURE (find_exact)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    for (int r = 0; r < GT_N_REDUCTIONS; r++)
      for (int a = 0; a < GT_FIRST_COMPLEX && gt_reduction_sums (r); a++)
        for (int l = 0; l < GT_N_LAYOUTS; l++)
          add_subjects ((struct subject) {.kernel = &gt_catalog[k],
                                          .reduction = (enum gt_reduction) r,
                                          .arithmetic = (enum gt_arithmetic) a,
                                          .mode = GT_MODE_EXACT,
                                          .layout = (enum gt_layout) l});
  return n_subjects ? 0 : -1;
}

/* ------------------------------------------------------------------ Cases */

/* A block of this size has the shared memory that it needs.  */
static int
fits (const struct subject *s, unsigned block)
{
  const struct gt_problem problem = problem_of (s);
  const struct gt_sm_limits *sm = &gt_gpus->device_of (gpu)->gpu.sm;

  return block * gt_kernel_shared (s->kernel, &problem) + (4 << 10)
         <= sm->shared_per_block_optin;
}

static struct gt_config
config_of (struct subject *s)
{
  struct gt_config config;

  do
    config = next_config (s);
  while (!fits (s, config.block));
  return config;
}

static unsigned
some_below (unsigned limit)
{
  return (unsigned) below (&seed, (int) limit);
}

/* N elements of KIND, or integers, anywhere: the GPU's sums are those of the host.  */
static void
check_case (struct subject *s, unsigned kind, size_t n)
{
  const size_t most = s->layout == GT_STRIDED ? 4 : 1;
  const struct gt_config config = config_of (s);
  struct gt_plan plan = {.kernel = s->kernel, .config = config};
  struct data d = {
    .reduction = s->reduction, .arithmetic = s->arithmetic, .kind = DRAWN + kind, .n = n,
    .stride = {1 + some_below (most), 1 + some_below (most)}, .offset = {some_below (20), some_below (20)}
  };
  struct gt_exact_sums expected;
  union gt_value value;
  int status, differs;

  make_data (&d, random_word (&seed));
  d.task.problem.mode = d.host.problem.mode = GT_MODE_EXACT;
  d.task.problem.layout = s->layout;
  oracle_sums (&d.host, &expected);
  memset (&value, 0xcb, sizeof value);
  status = gt_gpus->compute (gpu, &plan, &d.task, NULL, &value);
  if (status)
    fail_msg ("%s %s: %s", gt_reductions[s->reduction].name, s->kernel->name, gt_gpus->error (status));
  differs = oracle_differs (s->reduction, &value.exact, &expected);
  if (differs >= 0)
    {
      union gt_value right = {.exact = expected};

      fail_msg ("%s %s %s, kind %u, block %u, %u blocks per SM, n = %zu, strides %zu and %zu, from"
                " %zu and %zu: sum %d is about %.17g instead of %.17g",
                gt_reductions[s->reduction].name, s->kernel->name, gt_arithmetics[s->arithmetic].name,
                kind, config.block, config.blocks_per_sm, n, d.stride[0], d.stride[1], d.offset[0],
                d.offset[1], differs, gt_value_sum (&d.task.problem, &value, (unsigned) differs),
                gt_value_sum (&d.task.problem, &right, (unsigned) differs));
    }
  free_data (&d);
}

/* Whether elements of a subject are of kinds: integers are of one.  */
static int
has_kinds (const struct subject *s)
{
  return s->arithmetic <= GT_LDBL;
}

TEST (accumulators_are_right)
{
  for (unsigned k = 0; k < n_subjects; k++)
    for (unsigned kind = k % 2; kind < N_KINDS; kind += 2)
      if (kind < 2 || has_kinds (&subjects[k]))
        check_case (&subjects[k], kind, 1 + some_below (3000));
}

TEST (short_vectors)
{
  static const size_t lengths[] = {0, 1, 2, 31, 32, 33, 65};

  for (unsigned k = 0; k < n_subjects; k++)
    for (unsigned l = 0; l < N_OF (lengths); l++)
      check_case (&subjects[k], (k + l) % N_KINDS, lengths[l]);
}

/* A launch of any exact kernel takes no more elements than its blocks may.  */
TEST (the_longest_launches)
{
  for (unsigned k = 0; k < n_subjects; k++)
    {
      const struct subject *s = &subjects[k];
      const struct gt_plan plan
        = {.kernel = s->kernel, .config = {1, 128, s->unroll, 2}};
      struct gt_problem problem = problem_of (s);

      problem.n = UINT64_MAX;
      assert_true (gt_gpus->most (gpu, &plan, &problem)
                   == gt_exact_most (&plan.config, gpu->device->gpu.sms, GT_EXACT_BLOCK));
    }
}

/* A block may take next to nothing, so that many launches follow one another, each
   of which finds the grid's accumulators empty.  */
TEST (many_launches)
{
  uint64_t before = gpu->exact_block;

  gpu->exact_block = 2;
  for (unsigned k = 0; k < n_subjects; k += 1 + some_below (3))
    check_case (&subjects[k], some_below (N_KINDS), 2000);
  gpu->exact_block = before;
}

/* A kernel that gives up is followed by one that does not.  */
TEST (any_range_takes_over)
{
  for (unsigned k = 0; k < n_subjects; k++)
    if (has_kinds (&subjects[k]) && subjects[k].kernel->shared == 0)
      {
        memset (&gpu->ranges, 0, sizeof gpu->ranges);
        check_case (&subjects[k], ALL_SIZES, 40000);
      }
}

TEST (random_cases)
{
  for (unsigned long c = 0; c < cases; c++)
    check_case (&subjects[some_below (n_subjects)], some_below (N_KINDS),
                some_below (some_below (50) ? 700 : 60000));
}

int
main (int argc, char **argv)
{
  if (argc > 2 && strcmp (argv[1], "long") == 0)
    {
      cases = strtoul (argv[2], NULL, 10);
      argc = 1;
    }
  prepare_for_gpu (argc, argv);
  return run_unit_tests (find_exact, NULL);
}

/* Every entry point of the library's CUDA kernels, or of the ladder's own rungs,
   launched in configurations that take turns, for the tests that compare their
   sums with what is right.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_GPU_SUBJECTS_H
#define GT_TEST_GPU_SUBJECTS_H

#include "kernels/cpu/sums/combine.h"
#include "src/cuda/cuda_context.h"
#include "src/device/gpus.h"
#include "tests/exact.h"
#include "tests/scenario.h"
#include "tests/sums.h"
#include "tests/super.h"
#include "tuning/measure/rung_launch.h"

static const unsigned blocks[]
  = {32, 64, 96, 128, 256, 416, 512, 736, 1024};
static const unsigned blocks_per_sm[] = {1, 2, 5, 16, 32};

static struct gt_open_gpu *gpu;
static struct gt_slot *rung_slot;
static struct gt_rung_launcher *launcher; /* null: the library's kernels */
static const char *left_out = "";

/* ------------------------------------------------------- Every entry point */

/* One entry point, and how often it was launched.  */
struct subject
{
  const struct gt_kernel *kernel;
  enum gt_reduction reduction;
  enum gt_arithmetic arithmetic;
  enum gt_mode mode;
  enum gt_layout layout;
  unsigned unroll;
  unsigned max_block;
  unsigned turn;
};

static struct subject subjects[512];
static unsigned n_subjects;

static inline struct gt_problem
problem_of (const struct subject *s)
{
  return (struct gt_problem) {s->reduction, s->arithmetic, s->mode, s->layout,
                              0};
}

static inline struct gt_resources
resources_of (const struct subject *s, unsigned block)
{
  struct gt_plan plan = {.kernel = s->kernel,
                         .config = {1, block, s->unroll, 1}};
  struct gt_problem problem = problem_of (s);
  struct gt_resources resources;

  assert_int_equal (launcher ? gt_rungs->resources (launcher, &plan, &problem, &resources)
                      : gt_gpus->resources (gpu, &plan, &problem, &resources), 0);
  return resources;
}

/* Whether an entry point takes part: under AddressSanitizer, to which every fiber is a
   stack of its own, of each kernel only the one with the largest unroll factor.  */
static inline int
takes_part (const struct subject *s)
{
#if defined __SANITIZE_ADDRESS__
  const int all = 0;
#else
  const int all = 1;
#endif

  return (s->kernel->unrolls & s->unroll)
         && (all || 2 * s->unroll > s->kernel->unrolls);
}

static inline void
add_subjects (struct subject s)
{
  struct gt_problem problem = problem_of (&s);

  if (s.kernel->device != GT_CUDA || strcmp (s.kernel->name, left_out) == 0
      || !gt_kernel_serves (s.kernel, &problem))
    return;
  for (unsigned u = 0; u < GT_N_UNROLLS; u++)
    {
      s.unroll = GT_UNROLL (u);
      if (!takes_part (&s))
        continue;
      assert_true (n_subjects < N_OF (subjects));
      s.max_block
        = s.kernel->tunables & GT_TUNE_STATIC
            ? 1024 : (unsigned) resources_of (&s, 32).max_threads_per_block;
      s.turn = n_subjects; /* so that they start with different blocks */
      subjects[n_subjects++] = s;
    }
}

static inline int
open_gpu (void)
{
  const char *why;

  gpu = gt_gpu_open (0, &why);
  if (gpu == NULL)
    print_error ("no GPU: %s\n", why);
  return gpu ? 0 : -1;
}

static inline void
add_kernel (const struct gt_kernel *kernel, enum gt_reduction reduction)
{
  for (int a = 0; a < GT_N_ARITHMETICS; a++)
    for (int m = 0; m < GT_N_MODES; m++)
      for (int l = 0; l < GT_N_LAYOUTS; l++)
        add_subjects ((struct subject) {.kernel = kernel, .reduction = reduction,
                                        .arithmetic = (enum gt_arithmetic) a,
                                        .mode = (enum gt_mode) m,
                                        .layout = (enum gt_layout) l});
}

FIXTURE (find_subjects)
{
  if (open_gpu ())
    return -1;
  for (unsigned k = 0; k < gt_catalog_size; k++)
    {
      add_kernel (&gt_catalog[k], GT_SUM);
      add_kernel (&gt_catalog[k], GT_ASUM);
    }
  return n_subjects ? 0 : -1;
}

/* The rungs instead.  */
FIXTURE (find_rungs)
{
  char why[160];

  if (open_gpu () || gt_gpus->slot_acquire (gpu, SIZE_MAX, &rung_slot))
    return -1;
  launcher = gt_rungs->open (gpu, rung_slot, NULL);
  for (unsigned k = 0; k < gt_ladder_catalog_size && launcher; k++)
    if (gt_ladder_catalog[k].shape == GT_RUNG_LIBRARY)
      continue;
    else if (gt_rungs->available (launcher, &gt_ladder_catalog[k], why, sizeof why))
      print_message ("# not tested: %s: %s\n", gt_ladder_catalog[k].kernel->name, why);
    else
      add_kernel (gt_ladder_catalog[k].kernel, GT_SUM);
  return n_subjects ? 0 : -1;
}

FIXTURE (leave_rungs)
{
  gt_rungs->close (launcher);
  gt_gpus->slot_release (gpu, rung_slot);
  return 0;
}

/* Whether the kernel of S takes blocks of that size.  */
static inline int
takes_block (const struct subject *s, unsigned block)
{
  int power_of_two = (block & (block - 1)) == 0;

  if (block > s->max_block)
    return 0;
  if (s->kernel->tunables & GT_TUNE_STATIC)
    return power_of_two && block >= GT_MIN_STATIC_BLOCK;
  return power_of_two || s->kernel->shape != GT_SHAPE_RUNG;
}

/* The next configuration of S: block sizes and grids take turns.  */
static inline struct gt_config
next_config (struct subject *s)
{
  struct gt_config config = {.threads = 1, .unroll = s->unroll};

  do
    {
      config.block = blocks[s->turn % N_OF (blocks)];
      config.blocks_per_sm = blocks_per_sm[s->turn % N_OF (blocks_per_sm)];
      s->turn++;
    }
  while (!takes_block (s, config.block));
  return config;
}

/* Data on the GPU, and what they sum to, and their magnitudes if these are to be added, too.  */
struct problem
{
  enum gt_arithmetic arithmetic;
  size_t n, stride, offset;
  void *memory;
  union gt_value expected, magnitudes;
  int has_magnitudes;
};

/* Sets what the magnitudes of P's elements, the first of which is FIRST, sum to.  */
static inline void
expect_magnitudes (struct problem *p, const void *first)
{
  p->has_magnitudes = p->arithmetic <= GT_F32 && !launcher;
  super_clear (&p->magnitudes.super);
  for (size_t i = 0; i < p->n && p->has_magnitudes; i++)
    super_add (&p->magnitudes.super, fabs (get_element (p->arithmetic, first, i * p->stride)));
  if (p->has_magnitudes)
    finish_sum (p->arithmetic, GT_MODE_EXACT, &p->magnitudes);
}

/* The sum starts with nothing left of the one before, and with the kernel that it
   is to test.  */
static inline void
poison (void)
{
  struct gt_slot *slot;

  if (launcher)
    return; /* gt_rung_sum does it */
  memset (&gpu->ranges, 0, sizeof gpu->ranges);
  assert_int_equal (gt_gpus->slot_acquire (gpu, SIZE_MAX, &slot), 0);
  assert_int_equal (gt_gpus->poison (gpu, slot), 0);
  gt_gpus->slot_release (gpu, slot);
}

static inline union gt_value
sum_on_gpu (const struct subject *s, const struct gt_config *config, const struct problem *p)
{
  size_t size = gt_arithmetics[p->arithmetic].size;
  struct gpu_sum g
    = gpu_sum_of (s->kernel, *config, p->arithmetic, s->mode,
                  (char *) p->memory + p->offset * size, p->n, p->stride);
  union gt_value sum;
  int status;

  g.task.problem.reduction = s->reduction;
  memset (&sum, 0xcb, sizeof sum);
  status = launcher ? gt_rungs->sum (launcher, &g.plan, &g.task, &sum)
                    : gt_gpus->compute (gpu, &g.plan, &g.task, NULL, &sum);
  if (status)
    fail_msg ("%s %s u%u, block %u: %s", s->kernel->name,
              gt_arithmetics[s->arithmetic].name, s->unroll, config->block,
              gt_gpus->error (status));
  finish_sum (s->arithmetic, s->mode, &sum);
  return sum;
}

static inline void
check_sum (struct subject *s, const struct problem *p)
{
  const union gt_value *const expected
    = s->reduction == GT_ASUM ? &p->magnitudes : &p->expected;
  struct gt_config config = next_config (s);
  union gt_value sum;

  poison ();
  sum = sum_on_gpu (s, &config, p);
  if (!same_sum (s->arithmetic, &sum, expected))
    fail_msg ("%s %s %s %s u%u, block %u, %u blocks per SM, n = %zu, stride %zu,"
              " from element %zu: %s instead of %s",
              gt_reductions[s->reduction].name, s->kernel->name,
              gt_arithmetics[s->arithmetic].name, gt_mode_names[s->mode], s->unroll, config.block,
              config.blocks_per_sm, p->n, p->stride, p->offset, sum_text (s->arithmetic, &sum),
              sum_text (s->arithmetic, expected));
}

/* Whether of each kernel only the entry point with the largest unroll factor is tested.  */
static int only_largest;

#define EXACTLY (1u << GT_MODE_EXACT)
#define ALL_MODES (~0u)

/* Whether S computes vectors as P's in one of MODES, and takes part.  */
static inline int
computes (const struct subject *s, const struct problem *p, unsigned modes)
{
  return s->arithmetic == p->arithmetic && modes >> s->mode & 1
         && s->layout == gt_layout_of (p->stride)
         && (s->reduction == GT_SUM || (p->has_magnitudes && !only_largest))
         && (!only_largest || 2 * s->unroll > s->kernel->unrolls);
}

/* Hands P to every entry point that computes it in one of MODES.  */
static inline void
check_all (const struct problem *p, unsigned modes)
{
  for (unsigned k = 0; k < n_subjects; k++)
    if (computes (&subjects[k], p, modes))
      check_sum (&subjects[k], p);
}

/* Moves COUNT elements to the GPU, to memory that ends with them.  */
static inline void *
to_gpu (enum gt_arithmetic arithmetic, const void *elements, size_t count)
{
  size_t bytes = count * gt_arithmetics[arithmetic].size;
  void *memory;

  assert_int_equal (gt_gpus->alloc (gpu, GT_PLACE_DEVICE, bytes, &memory), 0);
  assert_int_equal (gt_gpus->copy (gpu, GT_TO_DEVICE, memory, elements, bytes), 0);
  return memory;
}

/* The same of COUNT elements on the host, which are freed.  */
static inline void
check_elements (struct problem *p, void *elements, size_t count, unsigned modes)
{
  p->memory = to_gpu (p->arithmetic, elements, count);
  check_all (p, modes);
  gt_gpus->free (gpu, GT_PLACE_DEVICE, p->memory);
  free (elements);
}

/* Room for the elements of P among poison, *COUNT in all.  */
static inline char *
room_for (const struct problem *p, size_t *count)
{
  char *elements;

  *count = p->offset + (p->n ? (p->n - 1) * p->stride + 1 : 1);
  elements = malloc (*count * gt_element_size (p->arithmetic));
  assert_non_null (elements);
  fill_poison (p->arithmetic, elements, *count);
  return elements;
}

/* The magnitudes of whole numbers and quarters add without rounding, too.  */
static inline void
check_exact (enum gt_arithmetic arithmetic, size_t n, size_t stride, size_t offset)
{
  struct problem p = {arithmetic, n, stride, offset, .memory = NULL};
  size_t count;
  char *elements = room_for (&p, &count);
  char *first = elements + offset * gt_element_size (arithmetic);

  p.expected = put_exact (arithmetic, first, n, stride, n + offset);
  expect_magnitudes (&p, first);
  check_elements (&p, elements, count, ALL_MODES);
}

/* The sum of N elements, FILL but for A at a third and B at the end.  */
static inline void
check_special (enum gt_arithmetic arithmetic, size_t n, double fill, double a,
               double b, double sum)
{
  struct problem p = {arithmetic, n, 1, 0, .memory = NULL};
  size_t count;
  char *elements = room_for (&p, &count);

  for (size_t i = 0; i < n; i++)
    put_element (arithmetic, elements, i, i == n - 1 ? b : i == n / 3 ? a : fill);
  put_element (arithmetic, &p.expected, 0, sum);
  expect_magnitudes (&p, elements);
  check_elements (&p, elements, count, ALL_MODES);
}

/* Before anything else: no profile, and a device of tests/softgpu unless the machine's own GPU
   is to be tested.  Arguments of the program are: the tests of the first's name, `*' and `?'
   as in a shell; and the name of a kernel to leave out.  */
static inline void
prepare_for_gpu (int argc, char **argv)
{
  char toolkit[4200];

  gt_env.profile_dir = "/nonexistent";
  if (!on_real_gpu ())
    {
      setenv ("SOFTGPU_DEVICE", source_file ("tests/devices/h200.json"), 1);
      setenv ("SOFTGPU_SEED", "7", 0); /* another order than the default's */
      if (getenv ("softgpu"))
        {
          snprintf (toolkit, sizeof toolkit, "%s/../toolkit", getenv ("softgpu"));
          setenv ("CUDA_HOME", toolkit, 1);
        }
      unsetenv ("CUDA_VISIBLE_DEVICES");
    }
  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  if (argc > 2)
    left_out = argv[2];
  cmocka_set_message_output (CM_OUTPUT_TAP);
}

#define RUN_GPU_TESTS(set_up, tear_down)                                        \
  int main (int argc, char **argv)                                              \
  {                                                                             \
    prepare_for_gpu (argc, argv);                                               \
    return run_unit_tests (set_up, tear_down);                                  \
  }

#endif

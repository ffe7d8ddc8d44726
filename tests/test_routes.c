/* Tests of tuning/search/routes.c: which route it finds, where sums take as long as a
   test says, by a clock that only they move on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/fake_target.h"
#include "tests/own_clock.h"
#include "src/plan/choose.h"
#include "tuning/search/question.h"

#define BYTES ((size_t) 128 << 10) /* of the one length that is looked at */
#define CPU_TIME 4000000           /* nanoseconds of a sum by the CPU */
#define MOST_ROUTES 64

/* ----------------------------------------------------------- The machine */

/* A route and how often it was taken.  */
struct taken
{
  struct gt_route route;
  unsigned times;
};

static struct fake host, gpu;
static struct gt_device cpu_device, gpu_device;
static struct taken taken[MOST_ROUTES];
static unsigned n_taken;
static enum gt_way wrong_way = GT_WAY_CPU; /* whose sums are wrong; GT_WAY_CPU: none */

/* The nanoseconds of a sum by ROUTE, after it was taken so many TIMES.  */
static int64_t (*route_time) (const struct gt_route *route, unsigned times);

static void
sum_of (const struct gt_task *task, union gt_value *sum)
{
  *sum = gt_verify_expected (task);
}

void __wrap_gt_reduce_cpu (const struct gt_task *task, union gt_value *sum);
int __wrap_gt_reduce_routed (const struct gt_choice *choice,
                             const struct gt_task *task, union gt_value *sum);

void
__wrap_gt_reduce_cpu (const struct gt_task *task, union gt_value *sum)
{
  now += CPU_TIME;
  sum_of (task, sum);
}

static struct taken *
find (const struct gt_route *route)
{
  for (unsigned i = 0; i < n_taken; i++)
    if (memcmp (&taken[i].route, route, sizeof *route) == 0)
      return &taken[i];
  assert_true (n_taken < MOST_ROUTES);
  taken[n_taken] = (struct taken) {.route = *route};
  return &taken[n_taken++];
}

int
__wrap_gt_reduce_routed (const struct gt_choice *choice,
                         const struct gt_task *task, union gt_value *sum)
{
  now += route_time (&choice->route, find (&choice->route)->times++);
  sum_of (task, sum);
  if (choice->route.way == wrong_way && wrong_way != GT_WAY_CPU)
    sum->f64[0] += 1;
  return 0;
}

/* Leaves one question, for data on the host.  */
static const struct gt_profile *answers;

static int
stop (void)
{
  return answers->n_steps > 0;
}

static size_t
capacity (const struct gt_target *target)
{
  (void) target;
  return BYTES;
}

/* Finds the steps for sums of doubles where routes take the times of TIME.  */
static void
measure (int64_t (*time) (const struct gt_route *, unsigned), struct gt_profile *profile)
{
  const struct gt_tuner_options options
    = {.effort = GT_EFFORT_NORMAL, .reductions = 1u << GT_SUM, .crossed = 1u << GT_SUM,
       .arithmetics = 1u << GT_F64, .modes = 1u << GT_MODE_FAST};
  struct gt_target_ops ops;

  fake_open (&host, GT_F64, BYTES);
  fake_open (&gpu, GT_F64, BYTES);
  ops = *host.target.ops;
  ops.capacity = capacity;
  host.target.ops = &ops;
  host.target.readable = SIZE_MAX; /* no more is loaded */
  cpu_device = (struct gt_device) {.host.threads = 2};
  gpu_device = (struct gt_device) {.kind = GT_CUDA, .gpu.pageable_access = 1};
  host.target.device = &cpu_device;
  gpu.target.device = &gpu_device;
  memset (taken, 0, sizeof taken);
  n_taken = 0;
  route_time = time;
  gt_profile_empty (profile);
  now = 0;
  answers = profile;
  assert_false (gt_routes_find (&options, &host.target, &gpu.target, profile, 0, stop));
  now = -1;
  fake_close (&host);
  fake_close (&gpu);
}

/* Expects that data on the host goes WAY with PERCENT, and that its sums take so many
   NANOSECONDS.  */
static void
expect (int64_t (*time) (const struct gt_route *, unsigned), enum gt_way way,
        unsigned percent, double nanoseconds)
{
  static struct gt_profile profile;
  const struct gt_step *step;
  unsigned n;

  measure (time, &profile);
  step = gt_profile_first (&profile, "sum f64 fast host ");
  assert_non_null (step);
  assert_non_null (gt_profile_steps (&profile, step->kind, &n));
  step = gt_step_at (step, n, BYTES / sizeof (double));
  assert_string_equal (step->way, gt_way_names[way]);
  assert_int_equal (step->percent, percent);
  assert_true (gt_measured_of (&profile, step)->seconds > 1e-9 * nanoseconds * (1 - 1e-6)
               && gt_measured_of (&profile, step)->seconds < 1e-9 * nanoseconds * (1 + 1e-6));
  assert_true (gt_measured_of (&profile, step)->cpu_seconds > 0.999e-9 * CPU_TIME);
  gt_profile_clear (&profile);
}

/* ---------------------------------------------------------------- Tests */

/* Without pauses direct sums take half the CPU's time, and cold more than twice it.  */
static int64_t
cold_at_first (const struct gt_route *route, unsigned times)
{
  if (route->way != GT_WAY_DIRECT || route->percent < 100)
    return 2 * CPU_TIME;
  return times == 0 ? CPU_TIME * 5 / 2 : CPU_TIME / 2;
}

TEST (the_first_sum_does_not_count)
{
  expect (cold_at_first, GT_WAY_DIRECT, 100, CPU_TIME / 2);
}

/* One thread that copies is quicker than direct sums as long as the search lasts, and no
   longer.  */
static int64_t
tiring (const struct gt_route *route, unsigned times)
{
  if (route->percent < 100)
    return 2 * CPU_TIME;
  if (route->way == GT_WAY_DIRECT)
    return CPU_TIME * 3 / 5;
  return route->threads == 1 && times < 4 ? CPU_TIME / 2 : 2 * CPU_TIME;
}

TEST (the_second_best_meets_the_cpu_too)
{
  expect (tiring, GT_WAY_DIRECT, 100, CPU_TIME * 3 / 5);
}

/* The CPU, which has the rest, takes its part of its time.  */
static int64_t
shared (const struct gt_route *route, unsigned times)
{
  const int64_t by_gpu = CPU_TIME * route->percent / 100;
  const int64_t by_cpu = CPU_TIME - by_gpu;

  (void) times;
  if (route->way != GT_WAY_DIRECT)
    return 2 * CPU_TIME;
  return by_gpu > by_cpu ? by_gpu : by_cpu;
}

TEST (halves_are_quicker_than_all)
{
  expect (shared, GT_WAY_DIRECT, 50, CPU_TIME / 2);
}

/* Direct sums alone take four times as long as the CPU, which is no reason against a share.  */
static int64_t
slow_alone (const struct gt_route *route, unsigned times)
{
  (void) times;
  if (route->way != GT_WAY_DIRECT)
    return 9 * CPU_TIME;
  return route->percent == 100 ? 4 * CPU_TIME : CPU_TIME * 9 / 10;
}

TEST (a_share_of_a_slow_way_pays)
{
  expect (slow_alone, GT_WAY_DIRECT, 18, CPU_TIME * 9 / 10);
}

/* Nearly as long as the CPU.  */
static int64_t
a_tie (const struct gt_route *route, unsigned times)
{
  (void) times;
  return route->way == GT_WAY_DIRECT && route->percent == 100
           ? CPU_TIME * 97 / 100 : 2 * CPU_TIME;
}

TEST (a_tie_goes_to_the_cpu)
{
  expect (a_tie, GT_WAY_CPU, 0, CPU_TIME);
}

/* Direct sums are the quickest, and then those of threads that copy.  */
static int64_t
two_pay (const struct gt_route *route, unsigned times)
{
  (void) times;
  if (route->percent < 100)
    return 2 * CPU_TIME;
  return route->way == GT_WAY_DIRECT ? CPU_TIME / 4 : CPU_TIME / 2;
}

TEST (a_wrong_sum_leaves_its_way_out)
{
  wrong_way = GT_WAY_DIRECT;
  expect (two_pay, GT_WAY_STAGED, 100, CPU_TIME / 2);
  wrong_way = GT_WAY_CPU;
  expect (two_pay, GT_WAY_DIRECT, 100, CPU_TIME / 4);
}

RUN_TESTS (NULL, NULL)

/* Tests of tuning/search/routes.c: which route it finds, where sums take as long as a
   test says, by a clock that only they move on.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"

#include "tests/fake_target.h"
#include "tests/own_clock.h"
#include "tuning/search/routes.h"

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
static enum gt_way wrong_way; /* whose sums are wrong; GT_WAY_CPU: none */

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

static int
never (void)
{
  return 0;
}

/* The crossovers found where routes take the times of TIME.  */
static int
measure (int64_t (*time) (const struct gt_route *, unsigned),
         struct gt_route_finding *finding)
{
  static struct gt_routes_seen seen;
  struct gt_route_finding findings[GT_MOST_LENGTHS];
  struct gt_sweep sweep = {.effort = GT_EFFORT_NORMAL, .stop = never};
  const struct gt_problem problem
    = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 0};
  unsigned n;
  int status;

  fake_open (&host, GT_F64, BYTES);
  fake_open (&gpu, GT_F64, BYTES);
  cpu_device = (struct gt_device) {.host.threads = 2};
  gpu_device = (struct gt_device) {.gpu.pageable_access = 1};
  host.target.device = &cpu_device;
  gpu.target.device = &gpu_device;
  memset (taken, 0, sizeof taken);
  n_taken = 0;
  seen.n = 0;
  route_time = time;
  host.target.why[0] = '\0';
  now = 0;
  status = gt_routes_measure (&sweep, &host.target, &gpu.target, &problem,
                              GT_PLACE_HOST, &seen, findings, &n);
  now = -1;
  fake_close (&host);
  fake_close (&gpu);
  if (status == 0)
    {
      assert_int_equal (n, 1);
      *finding = findings[0];
      assert_int_equal (finding->n, BYTES / sizeof (double));
    }
  return status;
}

/* That WAY with PERCENT is found, whose sums take TIME, and whether it WINS.  */
static void
expect (int64_t (*time) (const struct gt_route *, unsigned), enum gt_way way,
        unsigned percent, double nanoseconds, unsigned wins)
{
  struct gt_route_finding finding;

  assert_int_equal (measure (time, &finding), 0);
  assert_int_equal (finding.route.way, way);
  assert_int_equal (finding.route.percent, percent);
  assert_true (finding.seconds > 1e-9 * nanoseconds * (1 - 1e-6)
               && finding.seconds < 1e-9 * nanoseconds * (1 + 1e-6));
  assert_int_equal (finding.wins, wins);
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
  expect (cold_at_first, GT_WAY_DIRECT, 100, CPU_TIME / 2, 2);
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
  expect (tiring, GT_WAY_DIRECT, 100, CPU_TIME * 3 / 5, 2);
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
  expect (shared, GT_WAY_DIRECT, 50, CPU_TIME / 2, 2);
}

/* Nearly as long as the CPU.  */
static int64_t
a_tie (const struct gt_route *route, unsigned times)
{
  (void) times;
  return route->way == GT_WAY_DIRECT && route->percent == 100
           ? CPU_TIME * 19 / 20 : 2 * CPU_TIME;
}

TEST (a_tie_goes_to_the_cpu)
{
  expect (a_tie, GT_WAY_DIRECT, 100, CPU_TIME * 19 / 20, 0);
}

TEST (a_wrong_sum_ends_it)
{
  struct gt_route_finding finding;

  wrong_way = GT_WAY_STAGED;
  assert_int_equal (measure (a_tie, &finding), -1);
  wrong_way = GT_WAY_CPU;
  assert_non_null (strstr (host.target.why, "host memory, staged"));
  assert_non_null (strstr (host.target.why, "a wrong one of 16384 elements"));
}

RUN_TESTS (NULL, NULL)

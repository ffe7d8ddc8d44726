/* A sweep on a device whose times are what a test says.  Include after
   tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_SWEEP_SCENE_H
#define GT_TEST_SWEEP_SCENE_H

#include <stdlib.h>

#include "tests/fake_target.h"
#include "tests/sums.h"

#define MOST 16

/* A sweep over candidates whose true times are known.  Candidate I runs with
   I + 1 blocks per SM: the lower, the simpler.  */
struct scene
{
  struct fake fake; /* first: its context is the scene */
  struct gt_space space;
  struct gt_candidate candidate[MOST];
  struct gt_sweep sweep;
  struct gt_winner entry;
  double seconds[MOST];    /* below 0: timing fails */
  unsigned timed[MOST];    /* so far */
  unsigned fails_from[MOST]; /* this timing and later ones fail; 0: none */
  unsigned wrong;          /* a bit for each whose sums are wrong */
  unsigned failing;        /* a bit for each that cannot be launched */
  unsigned fatal;          /* a bit for each whose failure is the end */
  double jitter;           /* relative, at random */
  double wobble;           /* relative, in turn none, up, down */
  unsigned noise_every;    /* every so many timings takes ten times as long */
  uint64_t random;
};

static unsigned stop_after; /* timings and sums; 0: never */
static const struct fake *stop_of;

static inline int
stop (void)
{
  return stop_after && stop_of->sums + stop_of->timings >= stop_after;
}

static inline int
tamper (struct fake *fake, const struct gt_candidate *c, union gt_value *result)
{
  struct scene *scene = fake->context;
  unsigned bit = 1u << (c - scene->candidate);

  if (scene->failing & bit)
    {
      fake->lost |= (scene->fatal & bit) != 0;
      snprintf (fake->target.why, sizeof fake->target.why, "launching: it fails");
      return -1;
    }
  if (scene->wrong & bit)
    result->f64[0] += 1;
  return 0;
}

static inline double
next_random (struct scene *scene)
{
  scene->random = scene->random * 6364136223846793005u + 1442695040888963407u;
  return (double) (scene->random >> 40) / (1 << 24) * 2 - 1;
}

static inline double
tell_time (struct fake *fake, const struct gt_candidate *c)
{
  struct scene *scene = fake->context;
  size_t i = (size_t) (c - scene->candidate);
  double seconds = scene->seconds[i];

  scene->timed[i]++;
  if (scene->fails_from[i] && scene->timed[i] >= scene->fails_from[i])
    {
      fake->lost |= (scene->fatal >> i & 1) != 0;
      return -1;
    }
  if (scene->noise_every && scene->timed[i] % scene->noise_every == 0)
    seconds *= 10;
  seconds *= 1 + scene->wobble * (scene->timed[i] % 3 - 1.0);
  return seconds * (1 + scene->jitter * next_random (scene));
}

/* Sets the scene: N candidates with these true times in microseconds, the
   default among them.  */
static inline struct scene *
scene_open (unsigned n, const double *microseconds, unsigned chosen_default)
{
  struct scene *scene = calloc (1, sizeof *scene);

  assert_non_null (scene);
  assert_true (n <= MOST);
  fake_open (&scene->fake, GT_F64, (size_t) 8 << 20);
  scene->fake.context = scene;
  scene->fake.tamper = tamper;
  scene->fake.clock = tell_time;
  scene->space = (struct gt_space) {
    .problem = {GT_SUM, GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1 << 20},
    .candidate = scene->candidate,
    .n = n,
    .chosen_default = chosen_default
  };
  for (unsigned i = 0; i < n; i++)
    {
      scene->candidate[i] = (struct gt_candidate) {
        .kernel = sum_kernel ("grid_stride"),
        .config = {1, 128, 1, i + 1},
        .grid = 100 * (i + 1),
        .occupancy = 0.5
      };
      scene->seconds[i] = microseconds[i] * 1e-6;
    }
  scene->sweep = (struct gt_sweep) {.effort = GT_EFFORT_NORMAL, .stop = stop};
  scene->random = 1;
  stop_after = 0;
  stop_of = &scene->fake;
  return scene;
}

static inline enum gt_sweep_status
scene_run (struct scene *scene)
{
  memset (&scene->entry, 0, sizeof scene->entry);
  scene->fake.target.why[0] = '\0';
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].failed = 0;
      scene->timed[i] = 0;
    }
  return gt_sweep_run (&scene->sweep, &scene->fake.target, &scene->space,
                       &scene->entry);
}

static inline void
scene_close (struct scene *scene)
{
  gt_sweep_clear (&scene->sweep);
  fake_close (&scene->fake);
  free (scene);
}

/* Opens SCENE with N_OF times and the default.  */
#define OPEN(chosen_default, ...)                                       \
  scene_open (N_OF (((const double[]) {__VA_ARGS__})),                  \
              (const double[]) {__VA_ARGS__}, chosen_default)

static inline void
expect_winner (struct scene *scene, unsigned winner)
{
  enum gt_sweep_status status = scene_run (scene);

  if (status != GT_SWEEP_DONE)
    fail_msg ("status %d: %s", (int) status, scene->fake.target.why);
  assert_int_equal (scene->entry.config.blocks_per_sm, winner + 1);
  assert_ptr_equal (scene->entry.kernel, sum_kernel ("grid_stride"));
}

static inline void
expect_close (double is, double should)
{
  if (is < 0.97 * should || is > 1.03 * should)
    fail_msg ("%g instead of %g", is, should);
}

/* Candidates of one kernel with a number of threads each.  */
static inline void
set_threads (struct scene *scene, const unsigned *threads)
{
  for (unsigned i = 0; i < scene->space.n; i++)
    {
      scene->candidate[i].kernel = sum_kernel ("simd");
      scene->candidate[i].config = (struct gt_config) {threads[i], 0, 4, 0};
      scene->candidate[i].grid = 0;
      scene->candidate[i].seconds = 0;
      scene->candidate[i].verdict = GT_KEPT;
    }
}

static inline void
expect_threads (struct scene *scene, unsigned threads)
{
  assert_int_equal (scene_run (scene), GT_SWEEP_DONE);
  assert_int_equal (scene->entry.config.threads, threads);
}

#endif

/* Many callers at once: threads that sum, search, multiply and accumulate host,
   pinned and device vectors of random lengths, while modes and the limit of
   scratch memory change and the pool is released.  Elements are small whole
   numbers, so that every mode has the same answer, which is known.

   stress [SUMS [SEED [CALLERS]]]

   For ThreadSanitizer (make check-tsan) and for a pool whose steps are
   disturbed (make check-threads).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/gsltune.h"
#include "src/plan/plan.h"

/* Elements, and strides.  Sums stay below 2^24, for float.  */
#define N 200000
#define STRIDES 3
#define MOST_CALLERS 64

static double data[N];
static float floats[N];
static int ints[N];
static int prefix[STRIDES + 1][N + 1]; /* sums of every so manieth */
static int squares[N + 1];

static _Atomic long left;  /* sums still to be tried */
static _Atomic long tried[16];
static _Atomic long wrong;

struct caller
{
  pthread_t thread;
  uint64_t random;
  gsltune_moments *moments;
  gsl_vector *pinned;
  gsltune_device_vector *device;
};

/* Marsaglia's xorshift64.  */
static uint64_t
draw (struct caller *c, uint64_t below)
{
  c->random ^= c->random << 13;
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  return (c->random >> 11) % below;
}

/* A stretch of the data: lengths of every magnitude.  */
struct stretch
{
  size_t begin, n, stride;
  int sum, squares;
};

static struct stretch
draw_stretch (struct caller *c)
{
  struct stretch s = {.stride = draw (c, 4) ? 1 : 1 + draw (c, STRIDES)};
  size_t end;

  s.n = 1 + draw (c, (uint64_t) 1 << (draw (c, 2) ? draw (c, 14)
                                                  : 14 + draw (c, 4)));
  if (s.n > (N - 1) / s.stride)
    s.n = (N - 1) / s.stride;
  s.begin = draw (c, N - (s.n - 1) * s.stride);
  end = s.begin + (s.n - 1) * s.stride;
  s.sum = prefix[s.stride][end + 1]
          - (s.begin >= s.stride ? prefix[s.stride][s.begin + 1 - s.stride]
                                 : 0);
  s.squares = squares[end + 1] - squares[s.begin];
  return s;
}

static gsl_vector
part (const struct stretch *s)
{
  return (gsl_vector) {s->n, s->stride, data + s->begin, NULL, 0};
}

/* ------------------------------------------------- What is tried: 1 if right */

static int
sum_doubles (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector v = part (&s);

  return gsltune_vector_sum (&v) == s.sum;
}

static int
sum_floats (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector_float v = {s.n, s.stride, floats + s.begin, NULL, 0};

  return gsltune_vector_float_sum (&v) == (float) s.sum;
}

static int
sum_ints (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector_int v = {s.n, s.stride, ints + s.begin, NULL, 0};

  return gsltune_vector_int_sum (&v) == s.sum;
}

static int
mean_of_doubles (struct caller *c)
{
  struct stretch s = draw_stretch (c);

  return fabs (gsltune_stats_mean (data + s.begin, s.stride, s.n)
               - (double) s.sum / (double) s.n) < 1e-12;
}

static int
multiply (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector v = part (&s);
  double dot;

  if (s.stride > 1)
    return 1;
  return gsltune_blas_ddot (&v, &v, &dot) == 0 && dot == s.squares;
}

static int
find_greatest (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector v = part (&s);
  size_t at = gsltune_vector_max_index (&v);

  for (size_t i = 0; i < at; i++)
    if (data[s.begin + i * s.stride] >= data[s.begin + at * s.stride])
      return 0;
  return at < s.n
         && gsltune_vector_max (&v) == data[s.begin + at * s.stride];
}

static int
accumulate (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  gsl_vector v = part (&s);

  return gsltune_moments_reset (c->moments) == 0
         && gsltune_moments_add (c->moments, v.data, v.stride, v.size) == 0
         && gsltune_moments_sum (c->moments) == s.sum;
}

static int
sum_pinned (struct caller *c)
{
  struct stretch s = draw_stretch (c);
  size_t n = s.n < c->pinned->size ? s.n : c->pinned->size;
  gsl_vector_const_view v = gsl_vector_const_subvector (c->pinned, 0, n);

  return gsltune_vector_sum (&v.vector) == prefix[1][n];
}

static int
sum_device (struct caller *c)
{
  return c->device == NULL
         || gsltune_device_vector_sum (c->device)
              == prefix[1][c->pinned->size];
}

static int
set_mode (struct caller *c)
{
  gsltune_set_mode ((gsltune_mode) draw (c, 3));
  return (unsigned) gsltune_get_mode () < 3;
}

static int
set_limit (struct caller *c)
{
  gsltune_set_scratch_limit ((size_t) 1 << (16 + draw (c, 11)));
  return gsltune_get_scratch_limit () >= 1 << 16;
}

static int
release (struct caller *c)
{
  if (draw (c, 8) == 0)
    gsltune_release ();
  return 1;
}

static const struct
{
  const char *name;
  int (*try) (struct caller *c);
  unsigned share; /* of 100 */
} actions[] = {
  {"sums of doubles", sum_doubles, 35},
  {"sums of floats", sum_floats, 10},
  {"sums of ints", sum_ints, 10},
  {"means", mean_of_doubles, 8},
  {"products", multiply, 8},
  {"searches", find_greatest, 8},
  {"moments", accumulate, 6},
  {"sums of pinned vectors", sum_pinned, 5},
  {"sums of device vectors", sum_device, 2},
  {"changes of the mode", set_mode, 5},
  {"changes of the limit", set_limit, 1},
  {"releases", release, 2},
};

/* ---------------------------------------------------------------- Callers */

static size_t
draw_action (struct caller *c)
{
  unsigned at = (unsigned) draw (c, 100);
  size_t i = 0;

  while (at >= actions[i].share)
    at -= actions[i++].share;
  return i;
}

static void *
call (void *argument)
{
  struct caller *c = argument;

  while (atomic_fetch_sub (&left, 1) > 0)
    {
      size_t i = draw_action (c);

      tried[i]++;
      if (!actions[i].try (c) && wrong++ < 10)
        fprintf (stderr, "wrong: %s\n", actions[i].name);
    }
  return NULL;
}

static int
start_caller (struct caller *c, uint64_t seed)
{
  size_t n = 5000;

  c->random = (seed + 1) * UINT64_C (0x9e3779b97f4a7c15) | 1;
  c->moments = gsltune_moments_alloc (GSLTUNE_MOMENTS_PLAIN, 1, 0);
  c->pinned = gsltune_vector_alloc (n);
  if (c->moments == NULL || c->pinned == NULL)
    return -1;
  for (size_t i = 0; i < n; i++)
    gsl_vector_set (c->pinned, i, data[i]);
  c->device = gsltune_device_vector_alloc (n);
  if (c->device && gsltune_device_vector_set (c->device, c->pinned))
    return -1;
  return pthread_create (&c->thread, NULL, call, c);
}

static void
end_caller (struct caller *c)
{
  pthread_join (c->thread, NULL);
  gsltune_moments_free (c->moments);
  gsltune_device_vector_free (c->device);
  gsltune_vector_free (c->pinned);
}

/* Plans by which what is worth it at all is shared by several threads.  */
static void
share_out (void)
{
  struct gt_problem p;

  for (int i = 0; i < GT_N_REDUCTIONS * GT_N_ARITHMETICS * GT_N_MODES
                      * GT_N_LAYOUTS; i++)
    for (unsigned k = 10; k < 18; k++)
      {
        struct gt_plan *plan;

        p = (struct gt_problem) {
          .reduction = (enum gt_reduction) (i % GT_N_REDUCTIONS),
          .arithmetic
          = (enum gt_arithmetic) (i / GT_N_REDUCTIONS % GT_N_ARITHMETICS),
          .mode = (enum gt_mode) (i / GT_N_REDUCTIONS / GT_N_ARITHMETICS
                                  % GT_N_MODES),
          .layout = (enum gt_layout) (i / GT_N_REDUCTIONS / GT_N_ARITHMETICS
                                      / GT_N_MODES),
          .n = (uint64_t) 1 << k};
        plan = &gt_plan_to_change (&p)->plan;
        if (plan->kernel && plan->kernel->tunables & GT_TUNE_THREADS)
          plan->config.threads = 2 + k % 3;
      }
}

static void
make_data (void)
{
  for (size_t i = 0; i < N; i++)
    {
      ints[i] = (int) (i * 2654435761u >> 7 & 15) - 7;
      data[i] = ints[i];
      floats[i] = (float) ints[i];
      for (size_t s = 1; s <= STRIDES; s++)
        prefix[s][i + 1] = ints[i] + (i >= s ? prefix[s][i + 1 - s] : 0);
      squares[i + 1] = squares[i] + ints[i] * ints[i];
    }
}

static long
argument (int argc, char **argv, int i, long otherwise)
{
  return argc > i ? atol (argv[i]) : otherwise;
}

int
main (int argc, char **argv)
{
  static struct caller callers[MOST_CALLERS];
  long sums = argument (argc, argv, 1, 2000), seed = argument (argc, argv, 2, 1);
  long count = argument (argc, argv, 3, 8);

  if (sums < 1 || count < 1 || count > MOST_CALLERS)
    {
      fputs ("usage: stress [SUMS [SEED [CALLERS]]], CALLERS from 1 to 64\n",
             stderr);
      return 2;
    }
  gsl_set_error_handler_off ();
  make_data ();
  share_out ();
  left = sums;
  for (long i = 0; i < count; i++)
    if (start_caller (&callers[i], (uint64_t) (seed * 1000 + i)))
      {
        fputs ("a caller could not be started\n", stderr);
        return 2;
      }
  for (long i = 0; i < count; i++)
    end_caller (&callers[i]);
  gsltune_release ();
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    printf ("# %8ld %s\n", (long) tried[i], actions[i].name);
  printf ("1..1\n%sok 1 - %ld calls by %ld callers, seed %ld, %ld wrong\n",
          wrong ? "not " : "", sums, count, seed, (long) wrong);
  return wrong != 0;
}

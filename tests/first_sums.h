/* The findings of processes' first sums, from profiles and by estimates, for the
   tests that look at how they do it: scenarios that sum, and the profiles that they
   meet.  Include after tests/unit.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_FIRST_SUMS_H
#define GT_TEST_FIRST_SUMS_H

#include <gsl/gsl_vector.h>

#include "src/gsltune.h"
#include "tests/exact.h"
#include "tests/profile_sample.h"
#include "tests/scenario_folder.h"
#include "tuning/store/profile_store.h"

/* ------------------------------------------------------------ Scenarios */

#define LONGEST 400000

/* Lengths of every path through the CPU.  */
static const size_t first_lengths[] = {1, 7, 40, 700, 5000, LONGEST / 3};

/* Threes: whole numbers, so that no sum of a caller's own would trap.  */
static double doubles[LONGEST];
static float floats[LONGEST];
static int ints[LONGEST];

static inline void
fill_with_threes (void)
{
  for (size_t i = 0; i < LONGEST; i++)
    {
      doubles[i] = floats[i] = 3;
      ints[i] = 3;
    }
}

static inline void
sum_doubles (size_t n, size_t stride)
{
  gsl_vector x = {n, stride, doubles, NULL, 0};

  CHECK (gsltune_vector_sum (&x) == 3.0 * (double) n);
}

static inline void
sum_floats (size_t n, size_t stride)
{
  gsl_vector_float x = {n, stride, floats, NULL, 0};

  CHECK (gsltune_vector_float_sum (&x) == 3.0f * (float) n);
}

static inline void
sum_ints (size_t n, size_t stride)
{
  gsl_vector_int x = {n, stride, ints, NULL, 0};

  CHECK (gsltune_vector_int_sum (&x) == (int) (3 * n));
}

/* Sums of every length, in both layouts, by SUM.  */
static inline void
sum_lengths (void (*sum) (size_t n, size_t stride))
{
  for (size_t i = 0; i < N_OF (first_lengths); i++)
    for (size_t stride = 1; stride <= 3; stride += 2)
      sum (first_lengths[i], stride);
}

/* A device vector, and the driver and profile that it needs.  */
static inline void
sum_device_vector (void)
{
  gsl_vector v = {1000, 1, doubles, NULL, 0};
  gsltune_device_vector *x = gsltune_device_vector_alloc (1000);

  CHECK (x && gsltune_device_vector_set (x, &v) == 0);
  CHECK (gsltune_device_vector_on_gpu (x));
  CHECK (gsltune_device_vector_sum (x) == 3000);
  gsltune_device_vector_free (x);
}

/* ------------------------------------------------------------- Profiles */

static const char *const every_mode[]
  = {"GSLTUNE_MODE=exact", "GSLTUNE_MODE=compensated", "GSLTUNE_MODE=fast",
     "GSLTUNE_MODE="};

/* Makes PROFILE findings of DEVICE: a winner and, of the host, routes.  */
static inline void
init_small_profile (struct gt_profile *profile, const struct gt_device *device)
{
  int gpu = device->kind == GT_CUDA;
  struct gt_winner winner
    = sample_winner (gpu ? "grid_stride" : "simd", GT_F64, GT_MODE_FAST, GT_CONTIGUOUS, 1000,
                    gpu ? (struct gt_config) {1, 96, 4, 2} : (struct gt_config) {1, 0, 8, 0});

  gt_profile_init (profile, device);
  assert_int_equal (gt_findings_put (profile, &winner), 0);
  if (!gpu)
    put_sample_routes (profile);
}

/* Puts TEXT into the place of DEVICE's profile.  */
static inline void
write_profile (const struct gt_device *device, const char *text)
{
  char silicon[GT_SILICON_SIZE], path[512];
  FILE *file;

  gt_device_silicon (device, silicon);
  snprintf (path, sizeof path, "%s/%s.json", base, silicon);
  file = fopen (path, "w");
  assert_non_null (file);
  assert_true (fputs (text, file) >= 0);
  assert_int_equal (fclose (file), 0);
  assert_int_equal (chmod (path, 0600), 0);
}

/* The library has read its environment by now: only the soft GPU's is set.  */
FIXTURE (set_up_gpu)
{
  int failed = set_up (state);

  if (!on_real_gpu ())
    putenv (h200);
  return failed;
}

#endif

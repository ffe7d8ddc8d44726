/* Fuzz target: moments that were saved as portable forms.  What
   is refused leaves them as they were; what is accepted is saved and loaded as the same, goes
   on, and has statistics that elements can have.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "src/prototypes.h"
#include "src/gsltune.h"

static const double numbers[] = {3, -1e300, 0x1p-1074, 7};

static void
add (gsltune_moments *m)
{
  if (gsltune_moments_add (m, numbers, 1, 4))
    gsltune_moments_add_pairs (m, numbers, 1, numbers, 1, 4);
}

static uint8_t *
saved (const gsltune_moments *m)
{
  const size_t size = gsltune_moments_size (m);
  uint8_t *form = gt_fuzz_allocate (size);

  GT_FUZZ_CHECK (gsltune_moments_save (m, form, size) == GSL_SUCCESS);
  return form;
}

/* Some elements have no square or distance below 0, and are correlated by at most 1.  */
static void
check_possible (const gsltune_moments *m)
{
  GT_FUZZ_CHECK (!(gsltune_moments_tss (m) < 0 || gsltune_moments_wtss (m) < 0
                   || gsltune_moments_variance (m) < 0 || gsltune_moments_wabsdev_m (m, 0.1) < 0
                   || gsltune_moments_absdev_m (m, 0.1) < 0
                   || fabs (gsltune_moments_correlation (m)) > 1));
}

/* All that M has, and more that it has not.  */
static void
finish (const gsltune_moments *m)
{
  const double mean = 0.1, sd = 3, mean1 = mean, mean2 = sd;

#define FINISH(name, result) gsltune_moments_##name GT_PASSES (MOMENTS_##result);
#define STATS_ROW(name, reduction, result, ...) \
  GT_IF_NUMBER (STATS_##result, FINISH (name, result))
#include "src/rows.inc"
}

/* Moments of nothing and their siblings of distances.  */
static gsltune_moments *
new_moments (uint8_t kind, uint8_t power)
{
  gsltune_moments *m
    = power % 6 == 5
        ? gsltune_moments_alloc_about_mean ((gsltune_moments_kind) (kind % 4), 0.1, kind & 4)
        : gsltune_moments_alloc ((gsltune_moments_kind) (kind % 4), power % 6, kind & 4);

  return m ? m : gsltune_moments_alloc (GSLTUNE_MOMENTS_NEIGHBOURS, 2, 0);
}

int
gt_fuzz_moments (const uint8_t *data, size_t size)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t kind = gt_fuzz_byte (&bytes), power = gt_fuzz_byte (&bytes);
  gsltune_moments *m = new_moments (kind, power), *again = new_moments (kind, power);
  const size_t length = gsltune_moments_size (m);
  void *given = gt_fuzz_allocate (length);
  uint8_t *form, *second;
  int status;

  add (m);
  form = saved (m);
  gt_fuzz_take (&bytes, given, length);
  status = gsltune_moments_load (m, given, length);
  second = saved (m);
  check_possible (m);
  GT_FUZZ_CHECK (status != GSL_SUCCESS || memcmp (given, second, length) == 0);
  GT_FUZZ_CHECK (status == GSL_SUCCESS
                 || memcmp (form, second, gsltune_moments_size (m)) == 0);
  GT_FUZZ_CHECK (gsltune_moments_load (again, second, gsltune_moments_size (m))
                 == GSL_SUCCESS);
  free (form);
  form = saved (again);
  GT_FUZZ_CHECK (memcmp (form, second, gsltune_moments_size (m)) == 0);
  finish (m);
  add (m);
  gsltune_moments_merge (m, again);
  gsltune_moments_merge (m, m);
  finish (m);
  free (form);
  free (second);
  free (given);
  gsltune_moments_free (m);
  gsltune_moments_free (again);
  gsl_set_error_handler (before);
  return 0;
}

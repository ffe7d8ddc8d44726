/* Fuzz target: moments that were saved as portable forms.  What is refused leaves them as they
   were; what is accepted goes on, whatever it has.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>

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

/* All that M has, and more that it has not.  */
static void
finish (const gsltune_moments *m)
{
  static const char *const names[] = {
#define STATISTIC(name, ...) #name,
#include "kernels/statistics.def"
  };
  double x;

  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    gsltune_moments_statistic (m, names[k], (const double[]) {0.1, 3}, &x);
  gsltune_moments_sum (m);
  gsltune_moments_sum_long_double (m);
  gsltune_moments_norm (m);
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

/* Gives FORM the check that it should have, so that what is behind that is tried, too.  */
static void
forge (uint8_t *form, size_t size)
{
  uint32_t hash = 0x811c9dc5;

  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (i / 4 == 3 ? 0 : form[i])) * 0x01000193;
  for (int k = 0; k < 4; k++)
    form[12 + k] = (uint8_t) (hash >> 8 * k);
}

int
gt_fuzz_moments (const uint8_t *data, size_t size)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t kind = gt_fuzz_byte (&bytes), power = gt_fuzz_byte (&bytes);
  gsltune_moments *m = new_moments (kind, power), *again = new_moments (kind, power);
  const size_t length = gsltune_moments_size (m);
  uint8_t *given = gt_fuzz_allocate (length), *form, *second;
  int status;

  add (m);
  form = saved (m);
  gt_fuzz_take (&bytes, given, length);
  if (kind & 8)
    memcpy (given, form, 12);
  if (power & 8)
    forge (given, length);
  status = gsltune_moments_load (m, given, length);
  second = saved (m);
  GT_FUZZ_CHECK (status == GSL_SUCCESS || memcmp (form, second, length) == 0);
  GT_FUZZ_CHECK (gsltune_moments_load (again, second, length) == GSL_SUCCESS);
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

/* Fuzz target: accumulators that were saved as portable forms, and words that were
   added, as MPI brings them.  What is refused leaves the accumulator as it was; what is
   accepted is saved and loaded as the same.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "kernels/cpu/wide/products.h"
#include "src/gsltune.h"

/* Of all ranges and versions.  */
enum
{
  MOST_WORDS = 2061,
  SIZE_1 = 16 + 4 * GT_WIDE_WORDS,
  SIZE_2 = 16 + 4 * GT_WIDE_PRODUCT_WORDS
};

static void
save (const gsltune_accumulator *acc, uint8_t *form)
{
  GT_FUZZ_CHECK (gsltune_accumulator_save (acc, form,
                                           gsltune_accumulator_size ())
                 == GSL_SUCCESS);
}

static gsltune_accumulator *
new_accumulator (void)
{
  gsltune_accumulator *acc = gsltune_accumulator_alloc ();

  GT_FUZZ_CHECK (acc != NULL);
  return acc;
}

static int
same_double (double x, double y)
{
  return memcmp (&x, &y, sizeof x) == 0 || (x != x && y != y);
}

/* An accumulator that was loaded is saved as it was, but in the last version.  */
static void
check_same (const gsltune_accumulator *acc, const uint8_t *data, size_t size)
{
  uint8_t *form = gt_fuzz_allocate (SIZE_2);

  save (acc, form);
  GT_FUZZ_CHECK (size != SIZE_2 || memcmp (form, data, size) == 0);
  free (form);
}

/* Equal sums have equal forms, are rounded to the same, and come back.  */
static void
check_form (const gsltune_accumulator *acc)
{
  const size_t size = gsltune_accumulator_size ();
  gsltune_accumulator *again = new_accumulator ();
  uint8_t *form = gt_fuzz_allocate (size), *second = gt_fuzz_allocate (size);

  save (acc, form);
  GT_FUZZ_CHECK (gsltune_accumulator_load (again, form, size) == GSL_SUCCESS);
  save (again, second);
  GT_FUZZ_CHECK (memcmp (form, second, size) == 0);
  GT_FUZZ_CHECK (same_double (gsltune_accumulator_round (acc),
                              gsltune_accumulator_round (again)));
  GT_FUZZ_CHECK (same_double ((double) gsltune_accumulator_round_float (acc),
                              (double)
                                gsltune_accumulator_round_float (again)));
  GT_FUZZ_CHECK (gsltune_accumulator_round_long_double (acc)
                   == gsltune_accumulator_round_long_double (again)
                 || gsltune_accumulator_round_long_double (acc)
                      != gsltune_accumulator_round_long_double (acc));
  gsltune_accumulator_free (again);
  free (form);
  free (second);
}

/* An accumulator that has been given something goes on as it should: one more is added,
   and taken away again.  */
static void
check_adding (gsltune_accumulator *acc)
{
  const size_t size = gsltune_accumulator_size ();
  uint8_t *before = gt_fuzz_allocate (size), *after = gt_fuzz_allocate (size);
  double x[2] = {0x1.8p600, -0x1.8p600};
  const gsl_vector v = {2, 1, x, NULL, 0};

  save (acc, before);
  gsltune_accumulator_add_vector (acc, &v);
  save (acc, after);
  GT_FUZZ_CHECK (memcmp (before, after, size) == 0);
  free (before);
  free (after);
}

/* Loads or sets into an accumulator that holds 3, with the error handler off.  */
static void
try_form (const uint8_t *data, size_t size)
{
  gsltune_accumulator *acc = new_accumulator ();
  double three = 3;

  gsltune_accumulator_add_vector (acc, &(gsl_vector) {1, 1, &three, NULL, 0});
  if (gsltune_accumulator_load (acc, data, size) == GSL_SUCCESS)
    {
      check_same (acc, data, size);
      check_form (acc);
      check_adding (acc);
    }
  else
    GT_FUZZ_CHECK (gsltune_accumulator_round (acc) == 3);
  gsltune_accumulator_free (acc);
}

static void
try_words (struct gt_fuzz_bytes *bytes, gsltune_range range)
{
  gsltune_accumulator *acc = new_accumulator ();
  int64_t *words = gt_fuzz_allocate (MOST_WORDS * sizeof *words);
  double three = 3;

  gt_fuzz_take (bytes, words, MOST_WORDS * sizeof *words);
  gsltune_accumulator_add_vector (acc, &(gsl_vector) {1, 1, &three, NULL, 0});
  if (gsltune_accumulator_set_words (acc, range, words) == GSL_SUCCESS)
    {
      GT_FUZZ_CHECK (gsltune_accumulator_range (acc) <= range);
      GT_FUZZ_CHECK (gsltune_accumulator_get_words (acc, range, words)
                     == GSL_SUCCESS);
      check_form (acc);
      check_adding (acc);
    }
  else
    GT_FUZZ_CHECK (gsltune_accumulator_round (acc) == 3);
  gsltune_accumulator_free (acc);
  free (words);
}

/* The form as it is, or as long as those of a version are.  */
static void
try_length (struct gt_fuzz_bytes *bytes, unsigned version)
{
  const size_t left = (size_t) (bytes->end - bytes->at);
  const size_t size = version == 0 ? left : version == 1 ? SIZE_1 : SIZE_2;
  uint8_t *form = gt_fuzz_allocate (size);

  gt_fuzz_take (bytes, form, size);
  try_form (form, size);
  free (form);
}

/* The first byte says what the others are: words of a range, or a form; what is missing
   is zeros.  */
int
gt_fuzz_accumulator (const uint8_t *data, size_t size)
{
  gsl_error_handler_t *before = gsl_set_error_handler_off ();
  struct gt_fuzz_bytes bytes = {data, data + size};
  const uint8_t first = gt_fuzz_byte (&bytes);

  if (first < 64)
    try_words (&bytes, (gsltune_range) (first % 4));
  else
    try_length (&bytes, first % 3);
  gsl_set_error_handler (before);
  return 0;
}

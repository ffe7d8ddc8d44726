/* Tests of the portable form of accumulators (src/public/accumulator_form.c).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/wide/products.h"
#include "tests/accumulator_cases.h"
#include "tests/handler.h"

/* The form of 2^BIT in units of its lowest bit, negative or not.  */
static void
make_form (unsigned char *form, int bit, int negative)
{
  memset (form, 0, FORM);
  memcpy (form, "gsltacc\002", 8);
  form[16 + bit / 8] = (unsigned char) (1 << bit % 8);
  if (negative)
    {
      form[16 + bit / 8] = (unsigned char) -form[16 + bit / 8];
      memset (form + 16 + bit / 8 + 1, 0xff, FORM - 16 - (size_t) bit / 8 - 1);
    }
}

/* Every power of two that a sum can be; a number's bits, and those of what is
   loaded and saved, are where the header says.  */
TEST (forms_of_powers)
{
  unsigned char form[FORM], again[FORM];

  for (int bit = 22; bit < 65778 + 64; bit++)
    for (int negative = 0; negative < 2; negative++)
      {
        double x = ldexp (negative ? -1 : 1, bit - 33010);

        make_form (form, bit, negative);
        assert_int_equal (gsltune_accumulator_load (acc, form, FORM),
                          GSL_SUCCESS);
        save (acc, again);
        assert_memory_equal (again, form, FORM);
        check_double ("power", gsltune_accumulator_round (acc), x);
        check_long_double ("power", gsltune_accumulator_round_long_double (acc),
                           ldexpl (negative ? -1 : 1, bit - 33010));
        if (x == 0 || isinf (x))
          continue;
        gsltune_accumulator_reset (acc);
        add_doubles (acc, &x, 1);
        save (acc, again);
        assert_memory_equal (again, form, FORM);
      }
}

/* Digits that are all the same look like a sign, when it is 0 or -1.  */
TEST (forms_of_one_digit)
{
  unsigned char form[FORM], again[FORM];

  for (int digit = 0; digit < 4; digit++)
    for (int from = 1; from < GT_WIDE_PRODUCT_WORDS; from++)
      {
        make_form (form, 32, 0);
        form[20] = 0;
        for (int i = from; i < GT_WIDE_PRODUCT_WORDS; i++)
          form[16 + 4 * i] = (unsigned char) (16 * digit);
        assert_int_equal (gsltune_accumulator_load (acc, form, FORM),
                          GSL_SUCCESS);
        save (acc, again);
        assert_memory_equal (again, form, FORM);
      }
}

static void
expect_bad (unsigned char *form, size_t size, int code)
{
  unsigned char before[FORM], after[FORM];
  int calls = handler_calls;

  save (acc, before);
  assert_int_equal (gsltune_accumulator_load (acc, form, size), code);
  assert_int_equal (handler_calls, calls + 1);
  assert_int_equal (handler_code, code);
  save (acc, after);
  assert_memory_equal (before, after, FORM);
}

/* Whether a form is taken whose last digit is DIGIT.  */
static int
takes_last_digit (unsigned char *form, int32_t digit)
{
  for (int k = 0; k < 4; k++)
    form[FORM - 4 + k] = (unsigned char) ((uint32_t) digit >> 8 * k);
  return gsltune_accumulator_load (acc, form, FORM) == GSL_SUCCESS;
}

TEST (bad_forms)
{
  gsl_error_handler_t *old = gsl_set_error_handler (note_error);
  static const size_t sizes[] = {0, 16, FORM - 1, FORM + 1};
  unsigned char form[FORM + 1];
  const double x = 1.5;

  assert_int_equal (gsltune_accumulator_size (), FORM);
  gsltune_accumulator_reset (acc);
  add_doubles (acc, &x, 1);
  make_form (form, 20000, 0);
  for (size_t i = 0; i < N_OF (sizes); i++)
    {
      expect_bad (form, sizes[i], GSL_EBADLEN);
      assert_int_equal (gsltune_accumulator_save (acc, form, sizes[i]),
                        GSL_EBADLEN);
    }
  for (int bit = 0; bit < 8 * 16; bit++) /* of the head */
    {
      make_form (form, 20000, 0);
      form[bit / 8] ^= (unsigned char) (1 << bit % 8);
      expect_bad (form, FORM, GSL_EINVAL);
    }
  for (int bit = 0; bit < 22; bit++) /* below all numbers */
    {
      make_form (form, 20000, 0);
      form[16 + bit / 8] = (unsigned char) (1 << bit % 8);
      expect_bad (form, FORM, GSL_EINVAL);
    }
  for (form[8] = 1; form[8] <= 3; form[8]++) /* digits of a special value */
    expect_bad (form, FORM, GSL_EINVAL);
  memset (form + 16, 0, FORM - 16);
  for (form[8] = 255; form[8] > 3; form[8]--) /* no such kind */
    expect_bad (form, FORM, GSL_EINVAL);
  make_form (form, 20000, 0);
  assert_true (takes_last_digit (form, (1 << 18) - 1));
  assert_true (takes_last_digit (form, -(1 << 18)));
  assert_false (takes_last_digit (form, 1 << 18));
  assert_false (takes_last_digit (form, -(1 << 18) - 1));
  assert_false (takes_last_digit (form, INT32_MIN));
  gsl_set_error_handler (old);
}

RUN_TESTS (set_up, tear_down)

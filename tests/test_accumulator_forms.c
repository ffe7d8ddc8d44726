/* Tests of the portable form of accumulators (src/public/accumulator.c), and of
   that of version 1.
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

#define OLD_FORM 4136 /* bytes of version 1 */

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
  assert_int_equal (gsltune_accumulator_save (acc, form, OLD_FORM),
                    GSL_EBADLEN);
  for (int bit = 0; bit < 8 * 16; bit++) /* of the head */
    {
      make_form (form, 20000, 0);
      form[bit / 8] ^= (unsigned char) (1 << bit % 8);
      expect_bad (form, FORM, GSL_EINVAL);
    }
  make_form (form, 20000, 0); /* of the other version's length */
  expect_bad (form, OLD_FORM, GSL_EINVAL);
  form[7] = 1;
  expect_bad (form, FORM, GSL_EINVAL);
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

/* -------------------------------------------------------------- Version 1 */

/* The bytes that version 1 saved, BYTE*TIMES for bytes that come again: of nothing; of
   1e300, -0.1, 5e-324 and 3; of these and x87's 1e4000, -1e-4000 and 0.1; of
   their opposites, but for the three smallest; of infinity, of minus infinity,
   of both.  */
static const struct
{
  const char *form;
  double rounded;
} old_forms[] = {
  {"67 73 6c 74 61 63*2 01 00*4128", 0},
  {"67 73 6c 74 61 63*2 01 00*1936 01 00*126 98 99*6 0b 00*117 70 d6 01 20 f2 90 "
   "5f 00*1933", 1e300},
  {"67 73 6c 74 61 63*2 01 00*402 d2 3f 86 cd 63 14 1e fb ff*1526 00*125 80 66 fe "
   "ff*6 0b 00*117 70 d6 01 20 f2 90 5f 00*1528 84 31 56 f9 8f 0c ea 46 03 00*396",
   INFINITY},
  {"67 73 6c 74 61 63*2 01 00*1936 01 00*126 98 99*6 0b 00*117 90 29 fe df 0d 6f "
   "a0 ff*1933", -1e300},
  {"67 73 6c 74 61 63*2 01 00*402 2e c0 79 32 9c eb e1 04 00*1526 01 00*124 80 99 "
   "31 33*6 0b 00*117 90 29 fe df 0d 6f a0 ff*1528 7b ce a9 06 70 f3 15 b9 fc "
   "ff*396", -INFINITY},
  {"67 73 6c 74 61 63*2 01*2 00*4127", INFINITY},
  {"67 73 6c 74 61 63*2 01 02 00*4127", -INFINITY},
  {"67 73 6c 74 61 63*2 01 03 00*4127", NAN},
};

static void
read_old_form (unsigned char *form, const char *text)
{
  size_t at = 0;
  char *end;

  while (*text)
    {
      const unsigned long byte = strtoul (text, &end, 16);
      const unsigned long times = *end == '*' ? strtoul (end + 1, &end, 10) : 1;

      assert_true (at + times <= OLD_FORM);
      memset (form + at, (int) byte, times);
      at += times;
      text = end;
    }
  assert_int_equal (at, OLD_FORM);
}

/* Their integers are the same, in units of 2^-16498 and of 2^-33010.  */
TEST (old_forms_are_read)
{
  const size_t begin = 16 + (33010 - 16498) / 8, end = begin + OLD_FORM - 16;
  unsigned char old[OLD_FORM], form[FORM], expected[FORM];

  for (size_t i = 0; i < N_OF (old_forms); i++)
    {
      read_old_form (old, old_forms[i].form);
      assert_int_equal (gsltune_accumulator_load (acc, old, OLD_FORM),
                        GSL_SUCCESS);
      check_double ("old form", gsltune_accumulator_round (acc),
                    old_forms[i].rounded);
      save (acc, form);
      memset (expected, 0, FORM);
      memcpy (expected, old, 16);
      expected[7] = 2;
      memcpy (expected + begin, old + 16, OLD_FORM - 16);
      memset (expected + end, old[OLD_FORM - 1] & 0x80 ? 0xff : 0, FORM - end);
      assert_memory_equal (form, expected, FORM);
    }
}

/* Digits that no sum of long doubles has.  */
TEST (bad_old_forms)
{
  gsl_error_handler_t *old = gsl_set_error_handler (note_error);
  unsigned char form[FORM];

  for (int bit = 0; bit < 4; bit++)
    {
      read_old_form (form, old_forms[1].form);
      form[16] = (unsigned char) (1 << bit);
      expect_bad (form, OLD_FORM, GSL_EINVAL);
    }
  read_old_form (form, old_forms[1].form);
  form[OLD_FORM - 2] = 4;
  expect_bad (form, OLD_FORM, GSL_EINVAL);
  form[OLD_FORM - 2] = 3;
  assert_int_equal (gsltune_accumulator_load (acc, form, OLD_FORM),
                    GSL_SUCCESS);
  read_old_form (form, old_forms[5].form);
  form[OLD_FORM - 10] = 1;
  expect_bad (form, OLD_FORM, GSL_EINVAL);
  gsl_set_error_handler (old);
}

RUN_TESTS (set_up, tear_down)

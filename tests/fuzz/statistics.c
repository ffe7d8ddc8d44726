/* Fuzz target: statistics of any elements, with any weights, about any means and
   deviations.  In exact mode they are the exact value, rounded once, as whole numbers of
   GNU MP have it; in compensated mode within what is promised of it.  An input is the type,
   the strides, two given numbers, and pairs of elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <gsl/gsl_errno.h>

#include "src/gsltune.h"
#include "tests/oracle.h"
#include "tests/stats_all.h"

enum { MOST = 40, MOST_STRIDE = 2 };

/* A finite number: two bytes have the exponent of its unit, of long doubles within the
   range of doubles, eight more its digits and its sign.  */
static long double
take_number (struct gt_fuzz_bytes *bytes, enum gt_element_type type)
{
  int64_t digits;
  uint16_t exponent;

  gt_fuzz_take (bytes, &exponent, sizeof exponent);
  gt_fuzz_take (bytes, &digits, sizeof digits);
  switch (type)
    {
    case GT_TYPE_DOUBLE:
      return (double) ldexpl ((long double) (digits >> 11), exponent % 2046 - 1074);
    case GT_TYPE_FLOAT:
      return (float) ldexpl ((long double) (digits >> 40), exponent % 254 - 149);
    case GT_TYPE_LONG_DOUBLE:
      return ldexpl ((long double) digits, exponent % 2035 - 1074);
    default:
      return digits >> (exponent & 63);
    }
}

static void
put (void *to, enum gt_element_type type, size_t at, long double x)
{
  switch (type)
    {
    case GT_TYPE_DOUBLE:
      ((double *) to)[at] = (double) x;
      break;
    case GT_TYPE_FLOAT:
      ((float *) to)[at] = (float) x;
      break;
    case GT_TYPE_LONG_DOUBLE:
      ((long double *) to)[at] = x;
      break;
    default:
      ((long *) to)[at] = (long) x;
      break;
    }
}

static void
check_statistic (int k, struct oracle *o, double of_exact, double of_compensated)
{
  mpfr_t exact;

  mpfr_init (exact);
  if (oracle_value (exact, o, statistic_names[k], 0) && !mpfr_nan_p (exact))
    GT_FUZZ_CHECK (of_exact == mpfr_get_d (exact, MPFR_RNDN));
  GT_FUZZ_CHECK (memcmp (&of_exact, &of_compensated, sizeof of_exact) == 0
                 || (isnan (of_exact) && isnan (of_compensated)));
  mpfr_clear (exact);
}

int
gt_fuzz_statistics (const uint8_t *data, size_t size)
{
  static const enum gt_element_type types[]
    = {GT_TYPE_DOUBLE, GT_TYPE_FLOAT, GT_TYPE_LONG_DOUBLE, GT_TYPE_LONG};
  static struct oracle oracle;
  static _Alignas (long double) unsigned char
    elements[2][MOST * MOST_STRIDE * sizeof (long double)];
  struct gt_fuzz_bytes bytes = {data, data + size};
  const enum gt_element_type type = types[gt_fuzz_byte (&bytes) % 4];
  const uint8_t strides = gt_fuzz_byte (&bytes);
  const size_t xs = 1 + strides % MOST_STRIDE, ys = 1 + strides / 16 % MOST_STRIDE;
  const gsltune_mode before = gsltune_get_mode ();
  double given[2], of_exact[N_STATISTICS], of_compensated[N_STATISTICS];
  size_t n = 0;

  for (int i = 0; i < 2; i++)
    given[i] = (double) take_number (&bytes, GT_TYPE_DOUBLE);
  if (given[1] == 0)
    given[1] = 1;
  for (; n < MOST && (n == 0 || !gt_fuzz_is_at_end (&bytes)); n++)
    {
      put (elements[0], type, n * xs, take_number (&bytes, type));
      put (elements[1], type, n * ys, take_number (&bytes, type));
    }
  if (oracle.x == NULL)
    oracle_begin (&oracle);
  oracle_load (&oracle, type, elements[0], xs, elements[1], ys, n, given);
  gsltune_set_mode (GSLTUNE_MODE_COMPENSATED);
  statistics (type, elements[0], xs, elements[1], ys, n, given[0], given[1],
              of_compensated, NULL);
  gsltune_set_mode (GSLTUNE_MODE_EXACT);
  statistics (type, elements[0], xs, elements[1], ys, n, given[0], given[1], of_exact,
              NULL);
  gsltune_set_mode (before);
  for (int k = 0; k < N_STATISTICS && !(type == GT_TYPE_LONG && is_weighted (k)); k++)
    check_statistic (k, &oracle, of_exact[k], of_compensated[k]);
  return 0;
}

/* Sorting of data on the host, with GSL's results.

   Sorted elements do not depend on the algorithm, except for NaN and for zeros of both signs,
   which are left to GSL's own functions.  In an index, and in a second vector that is sorted
   with the first, the order of equal elements is specific to GSL's heapsort: if there are
   ties, its exchanges are performed.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_sort_vector.h>
#include <string.h>

#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/cpu/sort.h"
#include "src/gsltune.h"
#include "src/sort/sorting.h"

/* The number of keys that are examined before a sort.  */
#define SAMPLE GT_SORT_LEAST_INDEX

typedef unsigned __int128 wide;

/* Returns a key: all bits of a negative number inverted, otherwise only the sign bit.  The
   keys of -0 and +0 are equal.  */
static inline uint64_t
key_of_double (double x)
{
  const uint64_t sign = (uint64_t) 1 << 63;
  uint64_t bits;

  memcpy (&bits, &x, sizeof bits);
  return bits == sign ? sign : bits & sign ? ~bits : bits | sign;
}

static inline uint32_t
key_of_float (float x)
{
  const uint32_t sign = (uint32_t) 1 << 31;
  uint32_t bits;

  memcpy (&bits, &x, sizeof bits);
  return bits == sign ? sign : bits & sign ? ~bits : bits | sign;
}

/* Long doubles of 80 bits have such keys, too, with 48 bits for indexes; other formats are
   left to GSL.  If the first bit of a significand is set and the exponent is stored as 0, the
   exponent is 1.  */
#if LDBL_MANT_DIG == 64
#define LDBL_SHIFT 48
static inline wide
key_of_long_double (long double x)
{
  const wide sign = (wide) 1 << 79;
  struct
  {
    uint64_t significand;
    uint16_t exponent;
  } parts;
  wide magnitude;

  memcpy (&parts, &x, 10);
  magnitude = (wide) (parts.exponent & 0x7fff) << 64 | parts.significand;
  if (magnitude >> 63 == 1)
    magnitude |= (wide) 1 << 64;
  return __builtin_signbit (x) ? sign - magnitude : sign + magnitude;
}
#else
#define LDBL_SHIFT 0
static inline wide
key_of_long_double (long double x)
{
  return x != 0;
}
#endif

#define GT_TEMPLATE "src/sort/sort.inc"
#include "src/each_type.h"

/* Decimal numbers of few digits.  A number of up to 19 digits is a whole number m below
   2^64 times a power of ten.  If both are doubles one operation of theirs rounds it
   rightly (W. D. Clinger, "How to read floating point numbers accurately", Programming
   Language Design and Implementation, 1990).  Otherwise one operation of long doubles,
   which both are, is off by at most half a unit: where the numbers on both sides round to
   one double, so does the exact value between them.  Digits behind the point are taken
   eight at a time (D. Lemire, "Number parsing at a gigabyte per second", Software:
   Practice and Experience, 2021).
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <endian.h>
#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tuning/text/decimal.h"

#define MOST_DIGITS 19
#define MOST_POWER 22

/* 5^22 is the last below 2^53.  */
static const double powers[MOST_POWER + 1]
  = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* VALUE becomes M 10^POWER.  Returns whether that is certain.  */
static inline int
scale (uint64_t m, int power, double *value)
{
  const double by = powers[power < 0 ? -power : power];
  long double near;

  if (m >> DBL_MANT_DIG == 0)
    {
      *value = power < 0 ? (double) m / by : (double) m * by;
      return 1;
    }
  near = power < 0 ? (long double) m / by : (long double) m * by;
  *value = (double) (near * (1 - LDBL_EPSILON));
  return *value == (double) (near * (1 + LDBL_EPSILON));
}

static inline int
is_digit (char c)
{
  return (unsigned char) (c - '0') < 10;
}

/* The eight digits in a word, the first of them in its lowest byte.  */
static inline uint64_t
eight_digits (uint64_t word)
{
  const uint64_t pair = 10 * word + (word >> 8), apart = 0xff000000ff;

  return ((pair & apart) * (100 + (1000000ul << 32))
          + (pair >> 16 & apart) * (1 + (10000ul << 32))) >> 32;
}

/* Appends to *M the digits from P on, before END, and returns where they end.  The lowest
   byte of `others' that is not 0 is that of the first other character.  */
static inline const char *
digits (const char *p, const char *end, uint64_t *m)
{
  static const uint32_t tens[]
    = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  int n = 8;

  while (n == 8 && end - p >= 8)
    {
      uint64_t word, others;

      memcpy (&word, p, sizeof word);
      word = le64toh (word) ^ 0x3030303030303030;
      others = (word | (word + 0x7676767676767676)) & 0x8080808080808080;
      n = others ? __builtin_ctzl (others) / 8 : 8;
      *m = *m * tens[n] + (n ? eight_digits (word << (64 - 8 * n)) : 0);
      p += n;
    }
  for (; n == 8 && is_digit (*p); p++)
    *m = 10 * *m + (uint64_t) (*p - '0');
  return p;
}

/* The exponent at TEXT behind its `e', or null: where it begins otherwise.  */
static const char *
exponent (const char *text, ptrdiff_t *power)
{
  const int negative = *text == '-';
  int e = 0;

  text += *text == '-' || *text == '+';
  if (!is_digit (*text))
    return NULL;
  for (; is_digit (*text); text++)
    if (e < 10000)
      e = 10 * e + (*text - '0');
  *power += negative ? -e : e;
  return text;
}

const char *
gt_decimal (const char *text, const char *last, double *value)
{
  const int negative = *text == '-';
  const char *p = text + (*text == '-' || *text == '+'), *end;
  uint64_t m = 0;
  ptrdiff_t n, power = 0;

  for (end = p; is_digit (*end); end++)
    m = 10 * m + (uint64_t) (*end - '0');
  n = end - p;
  if (*end == '.')
    {
      const char *const fraction = end + 1;

      end = digits (fraction, last, &m);
      n += end - fraction;
      power = fraction - end;
    }
  if (n > MOST_DIGITS) /* zeros that lead count for none */
    for (; p < end && (*p == '0' || *p == '.'); p++)
      n -= *p == '0';
  if (n == 0 || n > MOST_DIGITS)
    return NULL;
  if (*end == 'e' || *end == 'E')
    end = exponent (end + 1, &power);
  if (end == NULL || power < -MOST_POWER || power > MOST_POWER
      || !scale (m, (int) power, value))
    return NULL;
  *value *= 1 - 2 * negative;
  return end;
}

/* Decimal numbers of few digits.  A number of up to 19 digits is a whole number m below
   2^64 times a power of ten.  If both are doubles one operation of theirs rounds it
   rightly (W. D. Clinger, "How to read floating point numbers accurately", Programming
   Language Design and Implementation, 1990).  Otherwise the product, or a quotient of at
   least 63 bits whose lowest one tells of a remainder, is made in integers and then
   rounded once.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "tuning/text/decimal.h"

#define MOST_DIGITS 19
#define MOST_POWER 19

static const uint64_t powers[MOST_POWER + 1]
  = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
     10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
     1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
     10000000000000000000u};

/* M / 10^POWER.  */
static double
quotient (uint64_t m, int power)
{
  const int shift = __builtin_clzll (m);
  const uint64_t by = powers[power], whole = (m << shift) / by;
  const unsigned __int128 rest = (unsigned __int128) ((m << shift) % by) << 64;
  const uint64_t part = (uint64_t) (rest / by);
  const unsigned __int128 q
    = (unsigned __int128) whole << 64 | part | (rest % by != 0);

  return ldexp ((double) q, -64 - shift);
}

static double
scaled (uint64_t m, int power)
{
  if (m >> 53 == 0)
    return power < 0 ? (double) m / (double) powers[-power]
                     : (double) ((unsigned __int128) m * powers[power]);
  return power < 0 ? quotient (m, -power)
                   : (double) ((unsigned __int128) m * powers[power]);
}

static inline int
is_digit (char c)
{
  return (unsigned char) (c - '0') < 10;
}

/* The exponent at TEXT behind its `e', or null: where it begins otherwise.  */
static const char *
exponent (const char *text, int *power)
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
gt_decimal (const char *text, double *value)
{
  const int negative = *text == '-';
  const char *p = text + (*text == '-' || *text == '+'), *first, *end;
  uint64_t m = 0;
  int power = 0, some;

  for (first = p; *first == '0'; first++)
    continue;
  some = first > p;
  for (end = first; is_digit (*end); end++)
    m = 10 * m + (uint64_t) (*end - '0');
  p = end;
  if (*p == '.')
    {
      const char *const point = p++;

      if (end == first)
        for (; *p == '0'; p++)
          some = 1;
      first = end > first ? first + 1 : p; /* the point is no digit */
      for (end = p; is_digit (*end); end++)
        m = 10 * m + (uint64_t) (*end - '0');
      power = (int) (point + 1 - end);
      if (point + 1 - end < -100000)
        return NULL;
    }
  if (end - first > MOST_DIGITS || !(some || end > first))
    return NULL;
  if (*end == 'e' || *end == 'E')
    end = exponent (end + 1, &power);
  if (end == NULL || power < -MOST_POWER || power > MOST_POWER)
    return NULL;
  *value = m ? scaled (m, power) : 0;
  if (negative)
    *value = -*value;
  return end;
}

/* The extremes of test data, and elements that are planted into it.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/base/names.h"

/* ------------------------------------------------------------- Elements */

/* Whether element X, which comes after BEST, takes its place in a search for the
   largest magnitude, or the largest, or the least element.  */
static int
beats (enum gt_reduction reduction, enum gt_arithmetic arithmetic, const void *x,
       const void *best)
{
  const long double a = gt_element (arithmetic, x),
                    b = gt_element (arithmetic, best);

  if (reduction == GT_AMAX)
    return fabsl (a) > (isnan (b) ? 0 : fabsl (b));
  if (isnan (a) || isnan (b))
    return !isnan (b);
  return reduction == GT_MAX ? a > b : a < b;
}

static void
zero_or_nan (enum gt_arithmetic arithmetic, enum gt_special number,
             void *element)
{
  const int is_nan
    = number == GT_NUMBER_NAN || number == GT_NUMBER_OTHER_NAN;
  const double f64[] = {0, -0.0, __builtin_nan ("0x12345"),
                        -__builtin_nan ("0x54321")};
  const float f32[] = {0, -0.0f, __builtin_nanf ("0x12345"),
                       -__builtin_nanf ("0x54321")};
  const long double ldbl[] = {0, -0.0L, __builtin_nanl ("0x12345"),
                              -__builtin_nanl ("0x54321")};
  const unsigned which = (is_nan ? 2 : 0)
                         + (number == GT_NUMBER_MINUS_ZERO
                            || number == GT_NUMBER_OTHER_NAN);

  memset (element, 0, gt_arithmetics[arithmetic].size);
  if (arithmetic == GT_F64)
    memcpy (element, &f64[which], sizeof *f64);
  else if (arithmetic == GT_F32)
    memcpy (element, &f32[which], sizeof *f32);
  else if (arithmetic == GT_LDBL)
    memcpy (element, &ldbl[which], sizeof *ldbl);
}

void
gt_data_number (enum gt_arithmetic arithmetic, enum gt_special number,
                void *element)
{
  const int largest = number == GT_NUMBER_LARGEST;
  const size_t size = gt_arithmetics[arithmetic].size;
  unsigned char *bytes = element;

  if (number != GT_NUMBER_LARGEST && number != GT_NUMBER_LEAST)
    {
      zero_or_nan (arithmetic, number, element);
      return;
    }
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                          \
    case GT_##id:                                                         \
      *(ctype *) element = largest ? (ctype) INFINITY : -(ctype) INFINITY; \
      return;
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      break;
    }
  /* Of signed integers the least is the sign bit alone.  */
  memset (bytes, largest ? 0xff : 0, size);
  if (arithmetic >= GT_N_SIGNLESS)
    bytes[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : size - 1] ^= 0x80;
}

/* ------------------------------------------------------------ Extremes */

/* Makes the element X, of index AT, number WHICH of VALUE.  */
static void
put (enum gt_arithmetic arithmetic, union gt_value *value, unsigned which,
     const void *x, uint64_t at)
{
  const size_t size = gt_arithmetics[arithmetic].size;

  memcpy ((char *) value + which * size, x, size);
  value->where.index[which] = at;
}

/* The searches that a reduction stands for.  */
static unsigned
searches (enum gt_reduction reduction, enum gt_reduction search[2])
{
  int both = reduction == GT_MINMAX;

  search[0] = both ? GT_MIN : reduction;
  search[1] = GT_MAX;
  return both ? 2 : 1;
}

/* A walk that is longer than the period meets nothing new.  */
union gt_value
gt_data_extreme (const struct gt_data *data, enum gt_reduction reduction,
                 uint64_t offset, uint64_t n, uint64_t stride)
{
  enum gt_reduction search[2];
  unsigned count = searches (reduction, search);
  union gt_value value;

  memset (&value, 0, sizeof value);
  for (unsigned s = 0; s < count; s++)
    {
      struct gt_walk walk = gt_walk_from (data, offset, stride);
      const void *best = gt_walk_next (data, &walk);
      uint64_t at = 0;

      for (uint64_t i = 1; i < n && i < data->period; i++)
        {
          const void *x = gt_walk_next (data, &walk);

          if (beats (search[s], data->arithmetic, x, best))
            {
              best = x;
              at = i;
            }
        }
      put (data->arithmetic, &value, s, best, at);
    }
  return value;
}

union gt_value
gt_plants_extreme (enum gt_arithmetic arithmetic, enum gt_reduction reduction,
                   const struct gt_plant *plant, unsigned count)
{
  enum gt_reduction search[2];
  unsigned n = searches (reduction, search);
  union gt_value value;
  long double x, best; /* room for an element, aligned */

  memset (&value, 0, sizeof value);
  for (unsigned s = 0; s < n; s++)
    for (unsigned i = 0; i < count; i++)
      {
        gt_data_number (arithmetic, plant[i].number, &x);
        if (i > 0 && !beats (search[s], arithmetic, &x, &best))
          continue;
        memcpy (&best, &x, sizeof best);
        put (arithmetic, &value, s, &x, plant[i].at);
      }
  return value;
}

/* --------------------------------------------------------------- Results */

int
gt_extreme_identical (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                      const union gt_value *a, const union gt_value *b)
{
  enum gt_reduction search[2];
  unsigned n = searches (reduction, search);
  const size_t size = gt_arithmetics[arithmetic].size;

  for (unsigned s = 0; s < n; s++)
    if (a->where.index[s] != b->where.index[s]
        || memcmp ((const char *) a + s * size, (const char *) b + s * size,
                   gt_element_bytes (arithmetic)) != 0)
      return 0;
  return 1;
}

void
gt_extreme_text (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                 const union gt_value *value, char *text, size_t size)
{
  enum gt_reduction search[2];
  unsigned n = searches (reduction, search);
  size_t used = 0;

  for (unsigned s = 0; s < n && used < size; s++)
    {
      union gt_value one;
      char element[48];

      memset (&one, 0, sizeof one);
      memcpy (&one, (const char *) value + s * gt_arithmetics[arithmetic].size,
              gt_arithmetics[arithmetic].size);
      gt_value_text (arithmetic, &one, element, sizeof element);
      used += (size_t) snprintf (text + used, size - used, "%s%s at %llu",
                                 s ? " and " : "", element,
                                 (unsigned long long) value->where.index[s]);
    }
}

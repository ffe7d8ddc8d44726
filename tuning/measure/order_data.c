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

#define NAN_f64 __builtin_nan
#define NAN_f32 __builtin_nanf
#define NAN_ldbl __builtin_nanl

void
gt_data_number (enum gt_arithmetic arithmetic, enum gt_special number,
                void *element)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  const int extreme = number == GT_NUMBER_LARGEST || number == GT_NUMBER_LEAST;
  unsigned char *bytes = element;

  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                          \
    case GT_##id:                                                         \
      {                                                                   \
        const ctype numbers[]                                             \
          = {INFINITY, -INFINITY, 0, -(ctype) 0, NAN_##name ("0x12345"),  \
             -NAN_##name ("0x54321")};                                    \
                                                                          \
        memcpy (element, &numbers[number], size);                         \
        return;                                                           \
      }
      GT_REAL_ARITHMETICS (X)
#undef X
    default: /* of signed integers the least is the sign bit alone */
      memset (bytes, number == GT_NUMBER_LARGEST ? 0xff : 0, size);
      if (extreme && gt_is_signed_integer (arithmetic))
        bytes[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : size - 1] ^= 0x80;
    }
}

/* ------------------------------------------------------------ Extremes */

/* The searches that a reduction stands for.  */
static unsigned
searches (enum gt_reduction reduction, enum gt_reduction search[2])
{
  int both = reduction == GT_MINMAX;

  search[0] = both ? GT_MIN : reduction;
  search[1] = GT_MAX;
  return both ? 2 : 1;
}

/* Takes the element X, of index AT, into VALUE, what was found before it, where it wins;
   the FIRST always does.  */
static void
take (enum gt_reduction reduction, enum gt_arithmetic arithmetic, const void *x,
      uint64_t at, int first, union gt_value *value)
{
  const size_t size = gt_arithmetics[arithmetic].size;
  enum gt_reduction search[2];
  unsigned n = searches (reduction, search);

  for (unsigned s = 0; s < n; s++)
    {
      char *best = (char *) value + s * size;

      if (!first && !beats (search[s], arithmetic, x, best))
        continue;
      memcpy (best, x, size);
      value->where.index[s] = at;
    }
}

/* A walk that is longer than the period meets no new element.  */
union gt_value
gt_data_extreme (const struct gt_data *data, enum gt_reduction reduction,
                 uint64_t offset, uint64_t n, uint64_t stride)
{
  struct gt_walk walk = gt_walk_from (data, offset, stride);
  union gt_value value;

  memset (&value, 0, sizeof value);
  for (uint64_t i = 0; i < n && i < data->period; i++)
    take (reduction, data->arithmetic, gt_walk_next (data, &walk), i, i == 0,
          &value);
  return value;
}

/* Rounded as the type is.  */
static long double
complex_magnitude (enum gt_arithmetic arithmetic, const void *real, const void *imaginary)
{
  const double sum = fabs ((double) gt_element (arithmetic, real))
                     + fabs ((double) gt_element (arithmetic, imaginary));

  return arithmetic == GT_F32 ? (float) sum : sum;
}

static void
put_magnitude (enum gt_arithmetic arithmetic, union gt_value *value, long double x,
               uint64_t at)
{
  if (arithmetic == GT_F32)
    value->f32[0] = (float) x;
  else
    value->f64[0] = (double) x;
  value->where.index[0] = at;
}

union gt_value
gt_data_complex_extreme (const struct gt_data *data, uint64_t offset, uint64_t n,
                         uint64_t stride)
{
  struct gt_walk real = gt_walk_from (data, offset, 2 * stride);
  struct gt_walk imaginary = gt_walk_from (data, offset + 1, 2 * stride);
  long double most = -1;
  union gt_value value;

  memset (&value, 0, sizeof value);
  for (uint64_t i = 0; i < n && i < data->period; i++)
    {
      const void *x = gt_walk_next (data, &real);
      const long double magnitude
        = complex_magnitude (data->arithmetic, x, gt_walk_next (data, &imaginary));

      if (magnitude > most)
        {
          most = magnitude;
          put_magnitude (data->arithmetic, &value, magnitude, i);
        }
    }
  return value;
}

/* In a complex number the real part is planted, and the imaginary part makes none
   larger.  */
union gt_value
gt_plants_extreme (enum gt_arithmetic arithmetic, enum gt_reduction reduction,
                   const struct gt_plant *plant, unsigned count)
{
  const enum gt_arithmetic part = gt_part_arithmetic (arithmetic);
  union gt_value value;
  long double x; /* room for an element, aligned */

  memset (&value, 0, sizeof value);
  for (unsigned i = 0; i < count; i++)
    {
      gt_data_number (part, plant[i].number, &x);
      take (reduction, part, &x, plant[i].at, i == 0, &value);
    }
  if (gt_is_complex (arithmetic))
    put_magnitude (part, &value, fabsl (gt_element (part, &value)), value.where.index[0]);
  return value;
}

/* --------------------------------------------------------------- Results */

int
gt_extreme_identical (enum gt_reduction reduction, enum gt_arithmetic arithmetic,
                      const union gt_value *a, const union gt_value *b)
{
  enum gt_reduction search[2];
  unsigned n = searches (reduction, search);
  size_t size;

  arithmetic = gt_part_arithmetic (arithmetic);
  size = gt_arithmetics[arithmetic].size;
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

  arithmetic = gt_part_arithmetic (arithmetic);
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

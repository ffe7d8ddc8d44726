/* Test data whose sums are known exactly.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/sums/sums.h"
#include "src/base/names.h"

#define PERIOD 99991 /* prime */

/* Real elements are drawn between -RANGE and RANGE: random partial sums of 2^31 of them need
   far fewer digits than each arithmetic has.  */
#define RANGE_F64 (1 << 20)
#define RANGE_F32 8
#define RANGE_LDBL (1 << 20)

/* The units of uniform data.  For floats they are below the last digit of a float near 1, so
   that each element is exact; for other types they are fine enough to be rounded often.  */
#define UNIT_BITS_F32 24
#define UNIT_BITS 32

/* The digits of small data are in units of two.  */
#define SMALL_BITS 4

/* The digits of full data: the sum of a period's elements, some hundred times as large as one
   element, must fit into 64 bits.  */
#define FULL_BITS_F32 23
#define FULL_BITS 51

/* Marsaglia's xorshift generator, with the shifts 13, 7, 17 ("Xorshift RNGs",
   Journal of Statistical Software 8, 2003).  */
uint64_t
gt_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

__extension__ typedef __int128 wide;

/* Sets X, an element of DATA's arithmetic, to UNITS, rounded once.  */
static void
put_units (const struct gt_data *data, void *x, wide units)
{
  switch (data->arithmetic)
    {
#define X(id, name, ctype, real)                                           \
    case GT_##id:                                                          \
      *(ctype *) x                                                         \
        = real ? (ctype) units * (ctype) data->unit : (ctype) units;       \
      break;
      GT_ARITHMETICS (X)
#undef X
    default: /* complex numbers use the data of their parts */
      break;
    }
}

static void
set_element (const struct gt_data *data, size_t i, int64_t units)
{
  put_units (data, (char *) data->pattern + i * data->size, units);
}

long double
gt_element (enum gt_arithmetic arithmetic, const void *x)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id:                \
      return *(const ctype *) x;
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Returns the units of element I, modulo 2^64.  */
static int64_t
element (const struct gt_data *data, size_t i)
{
  const long double units
    = gt_element (data->arithmetic, (char *) data->pattern + i * data->size)
      / data->unit;

  return units < 0 ? (int64_t) units : (int64_t) (uint64_t) units;
}

static int64_t
draw (enum gt_arithmetic arithmetic, uint64_t *state)
{
  int64_t range;

  switch (arithmetic)
    {
#define X(id, name, ctype, real) \
    case GT_##id:                \
      range = RANGE_##id;        \
      break;
      GT_REAL_ARITHMETICS (X)
#undef X
    default: /* integers wrap, so that any odd bits can be used */
      return (int64_t) (gt_random (state) | 1);
    }
  return 2 * ((int64_t) (gt_random (state) >> 33) % range) - range + 1;
}

/* If the sum of a period were far from zero, its repetition would make long sums too large to
   be exact.  So the elements are shifted, by even steps, until a period sums to one.  */
static void
level (const struct gt_data *data)
{
  int64_t excess = -1, steps, count = (int64_t) data->period;

  for (size_t i = 0; i < data->period; i++)
    excess += element (data, i);
  steps = excess / 2; /* an odd number of odd elements has an odd sum */
  for (size_t i = 0; i < data->period; i++)
    {
      int64_t more = (int64_t) i < llabs (steps % count)
                       ? (steps > 0) - (steps < 0) : 0;

      set_element (data, i, element (data, i) - 2 * (steps / count + more));
    }
}

static int
unit_bits (enum gt_arithmetic arithmetic, enum gt_data_kind kind)
{
  if (kind == GT_DATA_UNIFORM)
    return arithmetic == GT_F32 ? UNIT_BITS_F32 : UNIT_BITS;
  if (kind == GT_DATA_FULL)
    return arithmetic == GT_F32 ? FULL_BITS_F32 : FULL_BITS;
  return 0;
}

/* Returns an element of KIND, in units of 2^-BITS.  */
static int64_t
draw_unit (enum gt_arithmetic arithmetic, enum gt_data_kind kind, int bits,
           uint64_t *state)
{
  if (kind == GT_DATA_WHOLE)
    return draw (arithmetic, state);
  if (kind == GT_DATA_SMALL)
    return 2 * (int64_t) (gt_random (state) >> (64 - SMALL_BITS)) + 1
           - (arithmetic >= GT_U64 && arithmetic < GT_N_SIGNLESS ? 0 : 1 << SMALL_BITS);
  if (kind == GT_DATA_UNIFORM)
    return (int64_t) (gt_random (state) >> (64 - bits));
  return 2 * (int64_t) (gt_random (state) >> (64 - bits)) - ((int64_t) 1 << bits)
         + 1;
}

int
gt_data_init (struct gt_data *data, enum gt_arithmetic arithmetic,
              enum gt_data_kind kind)
{
  uint64_t state = 0x9e3779b97f4a7c15u;
  int bits;

  data->kind = gt_arithmetics[arithmetic].real || kind == GT_DATA_SMALL
                 ? kind : GT_DATA_WHOLE;
  bits = unit_bits (arithmetic, data->kind);
  data->unit = ldexpl (1, -bits);
  data->arithmetic = arithmetic;
  data->size = gt_arithmetics[arithmetic].size;
  data->period = PERIOD;
  data->pattern = malloc (data->period * data->size);
  if (data->pattern == NULL)
    return -1;
  for (size_t i = 0; i < data->period; i++)
    set_element (data, i, draw_unit (arithmetic, data->kind, bits, &state));
  if (gt_arithmetics[arithmetic].real && data->kind != GT_DATA_UNIFORM)
    level (data);
  return 0;
}

enum gt_data_kind
gt_data_kind_for (const struct gt_problem *problem)
{
  if (problem->mode == GT_MODE_EXACT)
    return gt_arithmetics[problem->arithmetic].real ? GT_DATA_FULL
                                                    : GT_DATA_WHOLE;
  return gt_reduction_sums (problem->reduction)
             && !gt_sums_are_integers (problem)
           ? GT_DATA_SMALL : GT_DATA_WHOLE;
}

void
gt_data_clear (struct gt_data *data)
{
  free (data->pattern);
  data->pattern = NULL;
}

void
gt_data_fill (const struct gt_data *data, void *buffer, size_t bytes)
{
  size_t period = data->period * data->size;

  for (size_t at = 0; at < bytes; at += period)
    memcpy ((char *) buffer + at, data->pattern,
            bytes - at < period ? bytes - at : period);
}

/* Returns the sum of N elements of the endless pattern, STRIDE apart.  Since the period is
   prime, each element occurs once before the first repeats, for any stride that is not a
   multiple of the period.  */
static wide
sum_units (const struct gt_data *data, uint64_t offset, uint64_t n, uint64_t stride)
{
  const uint64_t rest = n % data->period;
  uint64_t at = offset % data->period;
  wide total = 0, begun = 0;

  for (uint64_t i = 0; i < (n < data->period ? n : data->period); i++)
    {
      const int64_t units = element (data, at);

      at = (at + stride % data->period) % data->period;
      begun += i < rest ? units : 0; /* of the last round, which is incomplete */
      total += units;
    }
  return n < data->period ? total : n / data->period * total + begun;
}

union gt_value
gt_data_sum (const struct gt_data *data, uint64_t offset, uint64_t n,
             uint64_t stride)
{
  union gt_value sum = {{0}};

  put_units (data, &sum, (int64_t) sum_units (data, offset, n, stride));
  return sum;
}

double
gt_data_error (const struct gt_data *data, uint64_t n, const union gt_value *sum)
{
  const long double exact = (int64_t) sum_units (data, 0, n, 1) * data->unit;
  const union gt_value right = gt_data_sum (data, 0, n, 1);

  if (gt_arithmetics[data->arithmetic].real)
    return (double) fabsl ((gt_element (data->arithmetic, sum) - exact)
                           / (exact != 0 ? exact : 1));
  return gt_element (data->arithmetic, sum) == gt_element (data->arithmetic, &right)
           ? 0 : 1;
}

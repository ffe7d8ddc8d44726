/* Data whose sum is exact in any order of the additions, lying among poison:
   an element left out, taken twice or taken from outside shows.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_TEST_EXACT_H
#define GT_TEST_EXACT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "src/cpu/backend_cpu.h"

/* The splitmix64 generator (G. Steele, D. Lea, C. Flood, "Fast splittable
   pseudorandom number generators", 2014).  */
static inline uint64_t
random_word (uint64_t *seed)
{
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* A whole number in [-LIMIT, LIMIT].  */
static inline int64_t
random_within (uint64_t *seed, int64_t limit)
{
  return (int64_t) (random_word (seed) % (uint64_t) (2 * limit + 1)) - limit;
}

/* Element I of DATA becomes what X, or an integer what BITS are in its type.  */
static inline void
put_element (enum gt_arithmetic arithmetic, void *data, size_t i, double x)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)        \
    case GT_##id:                       \
      ((ctype *) data)[i] = (ctype) x;  \
      break;
      GT_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

static inline void
put_integer (enum gt_arithmetic arithmetic, void *data, size_t i, uint64_t bits)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)           \
    case GT_##id:                          \
      ((ctype *) data)[i] = (ctype) bits;  \
      break;
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      break;
    }
}

/* Element I of DATA.  */
static inline double
get_element (enum gt_arithmetic arithmetic, const void *data, size_t i)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                  \
    case GT_##id:                                 \
      return (double) ((const ctype *) data)[i];
      GT_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* N numbers within this sum exactly in float, whatever their order.  */
static inline int64_t
exact_limit (enum gt_arithmetic arithmetic, size_t n)
{
  int64_t all = arithmetic == GT_F32 ? 1 << 24 : (int64_t) 1 << 52;
  int64_t limit = n ? all / (int64_t) n : all;
  return limit > 1 << 20 ? 1 << 20 : limit;
}

/* Fills COUNT elements with what must not be added: NaN, and integers that
   nothing cancels.  */
static inline void
fill_poison (enum gt_arithmetic arithmetic, void *buffer, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (gt_arithmetics[arithmetic].real)
      put_element (arithmetic, buffer, i, (double) NAN);
    else
      put_integer (arithmetic, buffer, i, 0xb35b9dc3u);
}

/* Writes N elements STRIDE apart and returns their sum: real ones are whole
   numbers and a quarter, integers have any bits and wrap.  */
static inline union gt_value
put_exact (enum gt_arithmetic arithmetic, void *data, size_t n, size_t stride, uint64_t seed)
{
  int64_t limit = exact_limit (arithmetic, n), total = 0;
  union gt_value sum;

  memset (&sum, 0, sizeof sum);
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                      \
    case GT_##id:                                                     \
      for (size_t i = 0; i < n; i++)                                  \
        {                                                             \
          int64_t value = random_within (&seed, limit);               \
          ((ctype *) data)[i * stride] = (ctype) value / 4;           \
          total += value;                                             \
        }                                                             \
      sum.name[0] = (ctype) total / 4;                                \
      break;
      GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                      \
    case GT_##id:                                                     \
      for (size_t i = 0; i < n; i++)                                  \
        {                                                             \
          ctype value = (ctype) random_word (&seed);                  \
          ((ctype *) data)[i * stride] = value;                       \
          sum.name[0] = (ctype) ((uint64_t) sum.name[0]               \
                                 + (uint64_t) value);                 \
        }                                                             \
      break;
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      break;
    }
  return sum;
}

/* Writes N elements STRIDE apart, N a multiple of 4, real, whose sum a plain
   loop gets wrong: whole numbers of very different size that cancel, shuffled,
   among small ones.  All rounding errors are whole numbers too, few enough
   that a compensation holds them exactly, so a compensated sum is exact.  */
static inline union gt_value
put_cancelling (enum gt_arithmetic arithmetic, void *data, size_t n,
                size_t stride, uint64_t seed)
{
  unsigned bits = arithmetic == GT_F32 ? 26 : arithmetic == GT_F64 ? 60 : 70;
  int64_t total = 0;
  union gt_value sum;

  memset (&sum, 0, sizeof sum);
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                              \
    case GT_##id:                                                             \
      {                                                                       \
        ctype *x = data;                                                      \
        for (size_t i = 0; i < n; i += 4)                                     \
          {                                                                   \
            unsigned up = (unsigned) (random_word (&seed) % (bits - 10));     \
            ctype huge                                                        \
              = (ctype) ldexp ((double) random_within (&seed, 1 << 10),       \
                               (int) up);                                     \
            int64_t a = random_within (&seed, 100);                           \
            int64_t b = random_within (&seed, 100);                           \
            x[i * stride] = huge;                                             \
            x[(i + 1) * stride] = (ctype) a;                                  \
            x[(i + 2) * stride] = -huge;                                      \
            x[(i + 3) * stride] = (ctype) b;                                  \
            total += a + b;                                                   \
          }                                                                   \
        for (size_t i = n; i > 1; i--)                                        \
          {                                                                   \
            size_t k = random_word (&seed) % i;                               \
            ctype other = x[k * stride];                                      \
            x[k * stride] = x[(i - 1) * stride];                              \
            x[(i - 1) * stride] = other;                                      \
          }                                                                   \
        sum.name[0] = (ctype) total;                                          \
        break;                                                                \
      }
      GT_REAL_ARITHMETICS (X)
#undef X
    default:
      abort ();
    }
  return sum;
}

/* Whether member [0] of both is the same: NaN like NaN, but -0 unlike +0.  */
static inline int
same_sum (enum gt_arithmetic arithmetic, const union gt_value *a, const union gt_value *b)
{
  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                             \
    case GT_##id:                                                            \
      return isnan (a->name[0])                                              \
               ? isnan (b->name[0])                                          \
               : a->name[0] == b->name[0]                                    \
                   && signbit (a->name[0]) == signbit (b->name[0]);
      GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real) \
    case GT_##id:                \
      return a->name[0] == b->name[0];
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      return 0;
    }
}

/* Member [0] as text; one of four static buffers in turn.  */
static inline const char *
sum_text (enum gt_arithmetic arithmetic, const union gt_value *sum)
{
  static char texts[4][64];
  static unsigned turn;
  char *text = texts[turn++ % 4];

  switch (arithmetic)
    {
#define X(id, name, ctype, real)                                 \
    case GT_##id:                                                \
      snprintf (text, 64, "%.21Lg", (long double) sum->name[0]); \
      break;
      GT_REAL_ARITHMETICS (X)
#undef X
#define X(id, name, ctype, real)                                       \
    case GT_##id:                                                      \
      snprintf (text, 64, "%llu", (unsigned long long) sum->name[0]);  \
      break;
      GT_INTEGER_ARITHMETICS (X)
#undef X
    default:
      break;
    }
  return text;
}

/* Computes N elements by PLAN; VALUE is not finished.  */
static inline void
compute_on_cpu (const struct gt_plan *plan, enum gt_arithmetic arithmetic,
                enum gt_mode mode, const void *data, size_t n, size_t stride,
                union gt_value *value)
{
  struct gt_task task = gt_task_of (GT_SUM, arithmetic, mode, data, n, stride);

  gt_cpu_compute (plan, &task, value);
}

#endif

/* Examines the operands of a product.  Numbers are examined as integers: floating-point
   operations would raise exceptions, and signals if the program has enabled these.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "src/preload/seen.h"

#include <stdint.h>
#include <string.h>

/* At most MOST_NUMBERS of LOOKED_AT elements may differ from zero.  If 1% of a matrix's
   elements differ, it is rejected in one of thirty cases; if 10% do, almost always.  */
#define LOOKED_AT 64
#define MOST_NUMBERS 2
#define LEAST_PRODUCTS ((size_t) 1 << 15)

/* The positions are multiples of two odd numbers, which are spread over the matrix.  */
int
gt_is_sparse (const void *data, size_t rows, size_t columns, size_t tda, size_t size,
              size_t products)
{
  static const char zeros[2 * sizeof (double)];
  int numbers = 0;

  if (products < LEAST_PRODUCTS)
    return 0;
  for (uint32_t k = 1; k <= LOOKED_AT && numbers <= MOST_NUMBERS; k++)
    {
      const size_t i = (size_t) ((uint64_t) (k * UINT32_C (0x9e3779b1)) * rows >> 32);
      const size_t j = (size_t) ((uint64_t) (k * UINT32_C (0x85ebca77)) * columns >> 32);

      numbers += memcmp ((const char *) data + (i * tda + j) * size, zeros, size) != 0;
    }
  return numbers <= MOST_NUMBERS;
}

/* 64 bits are a double or two floats.  If all bits of an exponent are set, adding its lowest
   bit carries into the bit above.  */
static const struct format
{
  uint64_t exponent, lowest, above;
} of_double = {UINT64_C (0x7ff0000000000000), UINT64_C (0x0010000000000000),
               UINT64_C (0x8000000000000000)},
  of_float = {UINT64_C (0x7f8000007f800000), UINT64_C (0x0080000000800000),
              UINT64_C (0x8000000080000000)};

/* Returns a number that has bits of format->above if any of the numbers in BYTES bytes at DATA
   is NaN or infinite.  Vectors wider than the registers of all x86-64 processors would stay in
   memory.  */
static inline uint64_t
sum_of (const char *data, size_t bytes, const struct format *format)
{
  typedef uint64_t words __attribute__ ((vector_size (2 * sizeof (uint64_t))));
  words first = {0}, second = {0}, two[2];
  uint64_t one, sum = 0;
  size_t k = 0;

  if (bytes == sizeof one) /* an element of a vector with a stride */
    {
      memcpy (&one, data, sizeof one);
      return (one & format->exponent) + format->lowest;
    }
  for (; bytes - k >= sizeof two; k += sizeof two)
    {
      memcpy (two, data + k, sizeof two);
      first |= (two[0] & format->exponent) + format->lowest;
      second |= (two[1] & format->exponent) + format->lowest;
    }
  if (k > 0)
    {
      first |= second;
      sum = first[0] | first[1];
    }
  for (; bytes - k >= sizeof one; k += sizeof one)
    {
      memcpy (&one, data + k, sizeof one);
      sum |= (one & format->exponent) + format->lowest;
    }
  if (k < bytes) /* a float */
    {
      one = 0;
      memcpy (&one, data + k, sizeof (float));
      sum |= (one & format->exponent) + format->lowest;
    }
  return sum;
}

int
gt_has_special (const struct gt_seen list[])
{
  for (; list->data; list++)
    {
      const struct format *const format = list->part == sizeof (float) ? &of_float : &of_double;
      const int together = list->tda == list->columns;
      const size_t rows = together ? 1 : list->rows;
      const size_t bytes = list->columns * list->size * (together ? list->rows : 1);
      const size_t step = list->tda * list->size;
      const char *row = list->data;
      uint64_t sum = 0;

      for (size_t i = 0; i < rows; i++, row += step)
        sum |= sum_of (row, bytes, format);
      if (sum & format->above)
        return 1;
    }
  return 0;
}

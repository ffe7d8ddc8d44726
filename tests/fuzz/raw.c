/* Fuzz target: raw numbers, as gsltune sum and stats read them.  An input is the type,
   in how many files it comes, and the bytes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/names.h"
#include "tuning/text/reader.h"

struct taken
{
  const uint8_t *at;
  size_t n, size;
};

static void
take (void *closure, const void *data, size_t n, const uintmax_t *line)
{
  struct taken *taken = closure;

  GT_FUZZ_CHECK (line == NULL);
  GT_FUZZ_CHECK (memcmp (data, taken->at + taken->n * taken->size,
                         n * taken->size) == 0);
  taken->n += n;
}

/* Whether all of the PARTS of the bytes were taken.  */
static int
read_parts (struct gt_numbers *numbers, const uint8_t *data, size_t size,
            unsigned parts)
{
  char why[GT_READER_WHY_SIZE] = "";
  const size_t part = size / parts;

  for (unsigned k = 0; k < parts; k++)
    {
      const uint8_t *begin = data + k * part;
      const size_t n = k + 1 < parts ? part : size - k * part;

      if (gt_read_raw (numbers, gt_fuzz_file (k, begin, n), why, sizeof why))
        {
          GT_FUZZ_CHECK (n % gt_types[numbers->type].size != 0 && *why);
          return 0;
        }
    }
  return 1;
}

int
gt_fuzz_raw (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const enum gt_element_type type
    = (enum gt_element_type) (gt_fuzz_byte (&bytes) % GT_N_ELEMENT_TYPES);
  const unsigned parts = 1 + gt_fuzz_byte (&bytes) % GT_FUZZ_FILES;
  const size_t length = (size_t) (bytes.end - bytes.at);
  struct taken taken = {bytes.at, 0, gt_types[type].size};
  struct gt_numbers numbers;

  gt_numbers_init (&numbers, type);
  if (read_parts (&numbers, bytes.at, length, parts))
    {
      GT_FUZZ_CHECK (numbers.n * taken.size == length);
      GT_FUZZ_CHECK (length == 0
                     || memcmp (numbers.data, bytes.at, length) == 0);
    }
  gt_numbers_clear (&numbers);

  gt_numbers_init_chunks (&numbers, type, take, &taken);
  if (read_parts (&numbers, bytes.at, length, parts))
    {
      gt_numbers_flush (&numbers);
      GT_FUZZ_CHECK (taken.n * taken.size == length);
    }
  gt_numbers_clear (&numbers);
  return 0;
}

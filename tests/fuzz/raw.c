/* Fuzz target: raw numbers, as gsltune sum reads them.  An input is the type,
   in how many files it comes, and the bytes.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "src/base/names.h"
#include "tuning/text/reader.h"

struct taken
{
  const uint8_t *at;
  size_t n, size;
};

static void
take (void *closure, const void *data, size_t n)
{
  struct taken *taken = closure;

  GT_FUZZ_CHECK (memcmp (data, taken->at + taken->n * taken->size,
                         n * taken->size) == 0);
  taken->n += n;
}

/* Whether a file of these bytes may be refused: it is compressed, or begins with a byte order
   mark.  */
static int
is_other (const uint8_t *data, size_t n)
{
  static const char *const begins[] = {"\x1f\x8b\x08", "BZh", "\xfd" "7zXZ", "\x28\xb5\x2f\xfd",
                                       "\x04\x22\x4d\x18", "PK\x03\x04", "\xff\xfe", "\xfe\xff",
                                       "\xef\xbb\xbf"};

  for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
    if (n >= strlen (begins[k]) && memcmp (data, begins[k], strlen (begins[k])) == 0)
      return 1;
  return n >= 4 && memcmp (data, "\0\0\xfe\xff", 4) == 0;
}

/* Reads the bytes, which lie in PARTS files.  */
static void
read_parts (struct gt_numbers *numbers, const uint8_t *data, size_t size,
            unsigned parts)
{
  const struct taken *const taken = numbers->closure;
  const size_t part = size / parts;

  for (unsigned k = 0; k < parts; k++)
    {
      const uint8_t *begin = data + k * part;
      const size_t n = k + 1 < parts ? part : size - k * part;

      if (gt_read_raw (numbers, gt_fuzz_file (k, begin, n)))
        {
          GT_FUZZ_CHECK (n % taken->size != 0 || is_other (begin, n));
          gt_fuzz_check_words (numbers->why);
          return;
        }
    }
  GT_FUZZ_CHECK (taken->n * taken->size == size);
}

int
gt_fuzz_raw (const uint8_t *data, size_t size)
{
  struct gt_fuzz_bytes bytes = {data, data + size};
  const enum gt_element_type type
    = (enum gt_element_type) (gt_fuzz_byte (&bytes) % GT_N_ELEMENT_TYPES);
  const unsigned parts = 1 + gt_fuzz_byte (&bytes) % GT_FUZZ_FILES;
  struct taken taken = {bytes.at, 0, gt_types[type].size};
  struct gt_numbers numbers = {.type = type, .take = take, .closure = &taken};

  read_parts (&numbers, bytes.at, (size_t) (bytes.end - bytes.at), parts);
  return 0;
}

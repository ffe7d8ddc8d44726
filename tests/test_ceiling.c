/* Tests of bench/ceiling.c: the loop that nothing is faster than must
   have read everything.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tests/unit.h"
#include "bench/ceiling.h"

#define MOST_BYTES 100000

/* The text that gt_ceiling_read leaves, word for word.  */
static uint64_t
expected (const unsigned char *data, size_t bytes)
{
  uint64_t all = 0, word;
  size_t i = 0;

  for (; i + sizeof word <= bytes; i += sizeof word)
    {
      memcpy (&word, data + i, sizeof word);
      all ^= word;
    }
  for (; i < bytes; i++)
    all ^= data[i];
  return all;
}

static unsigned char *
make_data (void)
{
  unsigned char *data = malloc (MOST_BYTES);
  uint32_t state = 1;

  assert_non_null (data);
  for (size_t i = 0; i < MOST_BYTES; i++)
    {
      state = state * 1664525u + 1013904223u;
      data[i] = (unsigned char) (state >> 24);
    }
  return data;
}

TEST (every_byte_is_read)
{
  unsigned char *data = make_data ();

  for (size_t bytes = 0; bytes < 1500; bytes++)
    for (size_t offset = 0; offset < 3; offset++)
      assert_int_equal (gt_ceiling_read (data + offset, bytes, 1),
                        expected (data + offset, bytes));
  for (unsigned threads = 2; threads < 5; threads++)
    for (size_t bytes = 0; bytes < MOST_BYTES; bytes += 4099)
      assert_int_equal (gt_ceiling_read (data, bytes, threads), expected (data, bytes));
  free (data);
}

RUN_TESTS (NULL, NULL)

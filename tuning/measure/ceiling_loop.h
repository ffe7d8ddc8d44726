/* The loop of ceiling.c, included once for each width of a vector.  NAME, WIDTH
   in bytes and TARGET, an attribute, are defined before.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Eight accumulators: enough that no load waits for an operation before it.  The
   operation is the cheapest there is, so that the loads alone count.  */
TARGET static uint64_t
NAME (const char *x, size_t bytes)
{
  typedef uint64_t vector
    __attribute__ ((vector_size (WIDTH), aligned (1), may_alias));
  vector a = {0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  const char *end = x + bytes;
  uint64_t word = 0, all = 0;

  for (; end - x >= 8 * WIDTH; x += 8 * WIDTH)
    {
      const vector *v = (const vector *) (const void *) x;

      a ^= v[0];
      b ^= v[1];
      c ^= v[2];
      d ^= v[3];
      e ^= v[4];
      f ^= v[5];
      g ^= v[6];
      h ^= v[7];
    }
  for (; end - x >= WIDTH; x += WIDTH)
    a ^= *(const vector *) (const void *) x;
  a ^= b ^ c ^ d ^ e ^ f ^ g ^ h;
  for (unsigned i = 0; i < WIDTH / sizeof all; i++)
    all ^= a[i];
  for (; end - x >= (ptrdiff_t) sizeof word; x += sizeof word)
    {
      memcpy (&word, x, sizeof word);
      all ^= word;
    }
  for (; x < end; x++)
    all ^= (unsigned char) *x;
  return all;
}

#undef NAME
#undef WIDTH
#undef TARGET

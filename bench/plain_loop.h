/* The plain loop over one element type for one instruction set; included by
   plain_types.h with ELEMENT, VALUE, VECTOR, TARGET, BYTES and NAME defined.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

typedef ELEMENT NAME (wide)
  __attribute__ ((vector_size (BYTES), aligned (sizeof (ELEMENT)), may_alias));

/* Eight accumulators hide the latency of an addition.  They are named one by one:
   compilers keep an array of vectors in memory.  */
TARGET static VALUE
NAME (plain) (const VECTOR *v)
{
  enum { LANES = BYTES / sizeof (ELEMENT) };
  const ELEMENT *x = (const ELEMENT *) v->data;
  size_t n = v->size;
  NAME (wide) a = {0}, b = {0}, c = {0}, d = {0};
  NAME (wide) e = {0}, f = {0}, g = {0}, h = {0};
  ELEMENT sum = 0;

  for (; n >= 8 * LANES; n -= 8 * LANES, x += 8 * LANES)
    {
      const NAME (wide) *w = (const NAME (wide) *) x;

      a += w[0];
      b += w[1];
      c += w[2];
      d += w[3];
      e += w[4];
      f += w[5];
      g += w[6];
      h += w[7];
    }
  for (; n >= LANES; n -= LANES, x += LANES)
    a += *(const NAME (wide) *) x;
  a += b + c + d + e + f + g + h;
  for (int lane = 0; lane < LANES; lane++)
    sum += a[lane];
  for (; n > 0; n--)
    sum += *x++;
  return (VALUE) sum;
}

#undef ELEMENT
#undef VALUE
#undef VECTOR
#undef NAME

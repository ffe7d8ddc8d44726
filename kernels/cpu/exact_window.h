/* What windows and bins ask of blocks of elements of TYPE, whose arithmetic is
   NAME and whose bits are a WORD.  Included by exact_window.c for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

INLINE vector
NAMED (load) (const TYPE *x)
{
  const GT_PASTE (NAMED (elements), LANES) *v = (const void *) x;

  return (vector) {GT_PASTE (EVERY, LANES) (*v, 1)};
}

/* The last COUNT elements before END, COUNT < LANES, after zeros.  */
INLINE vector
NAMED (load_last) (const TYPE *end, size_t count)
{
  return LANES_FROM (LANES, LANES - count, NAMED (load) (end - LANES));
}

INLINE unsigned
NAMED (add_levels) (const TYPE *x, size_t n, struct gt_window *window,
                    const unsigned levels, const unsigned u,
                    const int magnitudes)
{
  struct levels a;

  begin (&a, window->top, levels, u);
  for (; n >= u * LANES; n -= u * LANES, x += u * LANES)
    {
      ask_ahead (x, u * LANES * sizeof *x);
      UNROLL
      for (unsigned k = 0; k < u; k++)
        take (&a, LIFT (NAMED (load) (x + k * LANES)), levels, k);
    }
  for (; n >= LANES; n -= LANES, x += LANES)
    take (&a, LIFT (NAMED (load) (x)), levels, 0);
  if (n > 0)
    take (&a, LIFT (NAMED (load_last) (x + n, n)), levels, 0);
  return end (&a, window, levels, u);
}

INLINE unsigned
NAMED (add) (const TYPE *x, size_t n, struct gt_window *window,
             const unsigned u, const int magnitudes)
{
  switch (window->levels)
    {
    case 1:
      return NAMED (add_levels) (x, n, window, 1, u, magnitudes);
    case 2:
      return NAMED (add_levels) (x, n, window, 2, u, magnitudes);
    case 3:
      return NAMED (add_levels) (x, n, window, 3, u, magnitudes);
    default:
      return NAMED (add_levels) (x, n, window, 4, u, magnitudes);
    }
}

ENTRY (add, 1, 0)
ENTRY (add, 2, 0)
ENTRY (add, 4, 0)
ENTRY (add_magnitudes, 1, 1)
ENTRY (add_magnitudes, 2, 1)
ENTRY (add_magnitudes, 4, 1)

/* A rounded sum will do: it is for guessing the top.  */
static double
NAMED (magnitude) (const TYPE *x, size_t n)
{
  vector s[4] = {{0}, {0}, {0}, {0}};

  for (; n >= 4 * LANES; n -= 4 * LANES, x += 4 * LANES)
    {
      UNROLL
      for (unsigned k = 0; k < 4; k++)
        s[k] += MAGNITUDES (LANES, NAMED (load) (x + k * LANES));
    }
  for (; n >= LANES; n -= LANES, x += LANES)
    s[0] += MAGNITUDES (LANES, NAMED (load) (x));
  if (n > 0)
    s[1] += MAGNITUDES (LANES, NAMED (load_last) (x + n, n));
  s[0] = (s[0] + s[1]) + (s[2] + s[3]);
  return FOLD (LANES, vector, +, s[0]);
}

/* Bins take every number for a normal one.  */
INLINE int64_t
NAMED (surplus_of) (const TYPE *x, size_t n, const int magnitudes)
{
  typedef GT_PASTE (NAMED (bits), LANES) bits;
  const int sign = 8 * sizeof (WORD) - 1;
  const int fraction = sizeof (WORD) == 8 ? 52 : 23;
  const WORD exponent = ((WORD) 1 << sign) - ((WORD) 1 << fraction);
  bits all = {0}, negative = {0};
  int64_t sum = 0;

  for (; n >= LANES; n -= LANES, x += LANES)
    {
      const bits v = *(const bits *) x;
      const bits lowest = (bits) ((v & exponent) == 0);

      all -= lowest;
      if (!magnitudes)
        negative += lowest & (v >> sign);
    }
  for (unsigned i = 0; i < LANES; i++)
    sum += (int64_t) all[i] - 2 * (int64_t) negative[i];
  for (; n > 0; n--, x++)
    sum += fpclassify (*x) != FP_ZERO && fpclassify (*x) != FP_SUBNORMAL
             ? 0 : !magnitudes && signbit (*x) ? -1 : 1;
  return sum;
}

static int64_t
NAMED (surplus) (const TYPE *x, size_t n)
{
  return NAMED (surplus_of) (x, n, 0);
}

static int64_t
NAMED (surplus_magnitudes) (const TYPE *x, size_t n)
{
  return NAMED (surplus_of) (x, n, 1);
}

#undef NAME
#undef TYPE
#undef WORD

/* Vectors of one arithmetic with extremes wherever they are awkward, and where
   a plain loop finds them: a template of kernels/cpu/each_arithmetic.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if REAL
/* A NaN of its own for each I: sign and payload tell it from others; of double
   and float every third is a signalling one.  */
static TYPE
NAMED (some_nan) (size_t i)
{
  TYPE x = i % 2 ? (TYPE) NAN : -(TYPE) NAN;
  unsigned char bytes[sizeof x];
  const uint16_t payload = (uint16_t) (i + 1);

  memcpy (bytes, &x, sizeof x);
  memcpy (bytes, &payload, sizeof payload);
  if (i % 3 == 0 && BYTES != 0)
    bytes[BYTES == 8 ? 6 : 2] ^= BYTES == 8 ? 0x08 : 0x40;
  memcpy (&x, bytes, sizeof x);
  return x;
}
#endif

static TYPE
NAMED (some_element) (enum data_kind kind, size_t i, uint64_t *seed)
{
  const uint64_t r = random_bits (seed);
#if REAL
  const TYPE sign = r >> 40 & 1 ? -1 : 1;
#endif

  switch (kind)
    {
    case RISING:
      return (TYPE) i;
    case FALLING:
      return (TYPE) -(TYPE) i;
#if REAL
    case ZEROS:
      return sign * (TYPE) 0;
    case ALL_NAN:
      return NAMED (some_nan) (i);
    case TIES:
      return sign * (r % 64 == 0 ? (TYPE) INFINITY : (TYPE) (r >> 50 & 7));
    case SOWN_WITH_NAN:
      return r % 99 == 0 ? NAMED (some_nan) (i) : sign * (TYPE) (r >> 50 & 7);
    case WIDE:
      return sign * (TYPE) (r >> 41);
#else
    case ZEROS:
      return 0;
    case ALL_NAN: /* what is least and greatest, with sign and without */
      return (TYPE) ((r >> 40 & 1)
                     - (r & 1 ? (uint64_t) 1 << (8 * BYTES - 1) : 0));
    case TIES:
    case SOWN_WITH_NAN:
      return (TYPE) (r >> 60);
    case WIDE:
      return (TYPE) r;
#endif
    default:
      return (TYPE) (r >> 58); /* what is planted stands out from this */
    }
}

/* Fills what lies between the elements with what would win if it were looked
   at.  */
static void
NAMED (fill) (void *data, size_t n, size_t stride, enum data_kind kind,
              uint64_t seed)
{
  TYPE *const x = data;

  for (size_t i = 0; i < (n - 1) * stride + 1; i++)
#if REAL
    x[i] = NAMED (some_nan) (i);
#else
    x[i] = i % 2 ? (TYPE) -1 : (TYPE) ((uint64_t) 1 << (8 * BYTES - 1));
#endif
  for (size_t i = 0; i < n; i++)
    x[i * stride] = NAMED (some_element) (kind, i, &seed);
  if (kind != PLANTED)
    return;
  for (unsigned k = 0; k < 2; k++)
    {
      x[random_bits (&seed) % n * stride] = 100;
      x[random_bits (&seed) % n * stride] = SIGNED || REAL ? (TYPE) -100 : 0;
    }
#if REAL
  if (random_bits (&seed) % 4 == 0)
    for (unsigned k = 0; k < 2; k++)
      {
        const size_t i = random_bits (&seed) % n;

        x[i * stride] = NAMED (some_nan) (i);
      }
#endif
}

/* As the loops of gsl_vector_max_index and gsl_vector_min_index.  */
static size_t
NAMED (first_extreme) (const TYPE *x, size_t n, size_t stride, int smallest)
{
  TYPE best = x[0];
  size_t at = 0;

  for (size_t i = 0; i < n; i++)
    {
      const TYPE v = x[i * stride];

      if (smallest ? v < best : v > best)
        {
          best = v;
          at = i;
        }
#if REAL
      if (isnan (v))
        return i;
#endif
    }
  return at;
}

#if REAL && VECTORS
/* As the loop of cblas_idamax.  */
static size_t
NAMED (first_magnitude) (const TYPE *x, size_t n, size_t stride)
{
  TYPE best = 0;
  size_t at = 0;

  for (size_t i = 0; i < n; i++)
    if ((TYPE) fabs ((double) x[i * stride]) > best)
      {
        best = (TYPE) fabs ((double) x[i * stride]);
        at = i;
      }
  return at;
}
#endif

static void
NAMED (expect) (const void *data, size_t n, size_t stride,
                struct expected *expected)
{
  expected->most = NAMED (first_extreme) (data, n, stride, 0);
  expected->least = NAMED (first_extreme) (data, n, stride, 1);
#if REAL && VECTORS
  expected->magnitude = NAMED (first_magnitude) (data, n, stride);
#endif
}

static void
NAMED (expect_of_gsl) (const void *data, size_t n, size_t stride,
                       struct expected *expected)
{
  const NAMED (GSL) (view) v
    = NAMED (GSL) (view_array_with_stride) ((void *) data, stride, n);
  size_t least, most;

  expected->most = NAMED (GSL) (max_index) (&v.vector);
  expected->least = NAMED (GSL) (min_index) (&v.vector);
  NAMED (GSL) (minmax_index) (&v.vector, &least, &most);
  assert_int_equal (least, expected->least);
  assert_int_equal (most, expected->most);
#if REAL && BYTES == 8
  expected->magnitude = gsl_blas_idamax (&v.vector);
#elif REAL && BYTES == 4
  expected->magnitude = gsl_blas_isamax (&v.vector);
#endif
}

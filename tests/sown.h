/* Elements of TYPE sown with what makes extremes hard: a template of
   src/public/each_type.h, after tests/exact.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if !defined GT_TEST_SOWN
#define GT_TEST_SOWN
/* What is among the elements.  */
enum sown
{
  TIED,       /* few different ones */
  ZEROS,      /* of both signs */
  LESS,       /* the same and what is less */
  MORE,       /* the same and what is more */
  INFINITIES, /* integers: the least and the greatest */
  WIDE,       /* many different ones */
  FEW_NAN,
  ALL_NAN,
  N_SOWN
};
#endif

#if REAL
/* A NaN that sign and payload tell from others.  */
static TYPE
NAMED (some_nan, ) (unsigned payload)
{
  TYPE x = payload % 2 ? (TYPE) NAN : -(TYPE) NAN;
  unsigned char low = (unsigned char) (1 + payload % 250);

  memcpy (&x, &low, 1);
  return x;
}

static TYPE
NAMED (some_element, ) (enum sown sown, uint64_t bits)
{
  const TYPE sign = bits >> 60 & 1 ? -1 : 1, tied = sign * (TYPE) (bits >> 32 & 3);

  switch (sown)
    {
    case ZEROS:
      return sign * (TYPE) 0;
    case LESS:
    case MORE:
      return bits % 3 ? sown == LESS ? -1 : 1 : sign * (TYPE) 0;
    case INFINITIES:
      return bits % 16 ? tied : sign * (TYPE) INFINITY;
    case FEW_NAN:
      return bits % 50 ? tied : NAMED (some_nan, ) ((unsigned) (bits >> 40));
    case ALL_NAN:
      return NAMED (some_nan, ) ((unsigned) (bits >> 40));
    case WIDE:
      return sign * (TYPE) (bits >> 36) / 3;
    default:
      return tied;
    }
}
#else
static TYPE
NAMED (some_element, ) (enum sown sown, uint64_t bits)
{
  switch (sown)
    {
    case ZEROS:
      return 0;
    case WIDE:
    case ALL_NAN:
      return (TYPE) bits;
    case INFINITIES: /* what is least and greatest, with a sign and without */
      return (TYPE) (bits % 16 ? bits >> 60
                     : (bits >> 8 & 1)
                         - ((uint64_t) 1 << (8 * sizeof (TYPE) - 1)));
    default:
      return (TYPE) (bits >> 60);
    }
}
#endif

/* N elements STRIDE apart.  */
static void
NAMED (sow, ) (TYPE *x, size_t n, size_t stride, enum sown sown, uint64_t seed)
{
  for (size_t i = 0; i < n; i++)
    x[i * stride] = NAMED (some_element, ) (sown, random_word (&seed));
}

/* Bins of elements of TYPE, whose arithmetic is NAME and whose bits are a WORD,
   FRACTION of them a fraction.  ADD_ONE adds an element to a superaccumulator.
   Included by exact_bins.c for each.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

/* Adds the significand of *X to its bin, as if it were normal; MAGNITUDES: as
   if it were positive, too.  */
INLINE void
NAMED (add) (uint64_t *sum, const TYPE *x, struct gt_superaccumulator *acc,
             const int magnitudes)
{
  const uint64_t hidden = (uint64_t) 1 << FRACTION;
  WORD bits;
  unsigned h;
  uint64_t m;

  memcpy (&bits, x, sizeof bits);
  h = (unsigned) (bits >> FRACTION);
  if (magnitudes)
    h &= (unsigned) GT_PASTE (GT_BINS, NAME) / 2 - 1;
  m = (bits & (hidden - 1)) | hidden;
  if (__builtin_expect (__builtin_add_overflow (sum[h], m, &sum[h]), 0))
    carry (&NAMED (layout), sum, h, acc);
}

/* Infinities and NaN cannot be told apart in a bin: when there are any, they
   are looked for.  */
static uint64_t
NAMED (take_special) (struct NAMED (gt_bins) *bins)
{
  const unsigned all = sizeof bins->sum[0] / sizeof bins->sum[0][0];
  uint64_t any = 0;

  for (unsigned k = 0; k < 2; k++)
    for (unsigned h = all / 2 - 1; h < all; h += all / 2)
      {
        any |= bins->sum[k][h];
        bins->sum[k][h] = 0;
      }
  return any;
}

INLINE void
NAMED (add_all) (struct NAMED (gt_bins) *bins, const TYPE *x, size_t n,
                 int64_t surplus, struct gt_superaccumulator *acc,
                 const int magnitudes)
{
  size_t i = 0;

  for (; n - i >= 4; i += 4) /* neighbours need not wait for each other */
    {
      __builtin_prefetch (
        (const void *) ((uintptr_t) (x + i) + n * sizeof *x));
      NAMED (add) (bins->sum[0], x + i, acc, magnitudes);
      NAMED (add) (bins->sum[1], x + i + 1, acc, magnitudes);
      NAMED (add) (bins->sum[0], x + i + 2, acc, magnitudes);
      NAMED (add) (bins->sum[1], x + i + 3, acc, magnitudes);
    }
  for (; i < n; i++)
    NAMED (add) (bins->sum[0], x + i, acc, magnitudes);
  gt_super_add_scaled (acc, -surplus, NAMED (layout).unit + FRACTION);
  if (NAMED (take_special) (bins) == 0)
    return;
  for (i = 0; i < n; i++)
    if (x[i] - x[i] != 0)
      ADD_ONE (acc, magnitudes ? NAMED (MAGNITUDE) (x[i]) : x[i]);
}

void
GT_FOR_ISA (NAMED (gt_bins_add)) (struct NAMED (gt_bins) *bins,
                                  const TYPE *x, size_t n, int64_t surplus,
                                  struct gt_superaccumulator *acc)
{
  NAMED (add_all) (bins, x, n, surplus, acc, 0);
}

void
GT_FOR_ISA (NAMED (gt_bins_add_magnitudes)) (struct NAMED (gt_bins) *bins,
                                             const TYPE *x, size_t n,
                                             int64_t surplus,
                                             struct gt_superaccumulator *acc)
{
  NAMED (add_all) (bins, x, n, surplus, acc, 1);
}

void
GT_FOR_ISA (NAMED (gt_bins_flush)) (struct NAMED (gt_bins) *bins,
                                    struct gt_superaccumulator *acc)
{
  flush (bins->sum[0], bins->sum[1], &NAMED (layout), acc);
}

#undef NAME
#undef TYPE
#undef WORD
#undef FRACTION
#undef ADD_ONE

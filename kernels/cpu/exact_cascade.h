/* Sums of short vectors by vectors of WIDTH lanes: cascades of TwoSum.
   Included by exact_short.c once for each width, narrower ones first.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define WIDE(stem) GT_PASTE (stem, WIDTH)
#if WIDTH == 8
#define NARROW(stem) stem##_4
#define FOLDS 3
#elif WIDTH == 4
#define NARROW(stem) stem##_2
#define FOLDS 2
#else
#define NARROW(stem) stem##_1
#define FOLDS 1
#endif
#define LOW(v) WIDE (LOW) (v)
#define HIGH(v) WIDE (HIGH) (v)

/* In each lane a sum S, the sum C of its rounding errors, and the sum M of
   their magnitudes.  */
struct WIDE (cascade)
{
  WIDE (vector) s, c, m;
};

INLINE void
WIDE (add) (struct WIDE (cascade) *a, WIDE (vector) x)
{
  WIDE (vector) e;

  TWO_SUM (WIDE (vector), a->s, e, x);
  a->c += e;
  a->m += MAGNITUDES (WIDTH, e);
}

/* Adds the upper lanes to the lower.  */
INLINE struct NARROW (cascade)
WIDE (fold) (struct WIDE (cascade) a)
{
  const NARROW (vector) high_s = HIGH (a.s);
  const NARROW (vector) low_c = LOW (a.c), high_c = HIGH (a.c);
  const NARROW (vector) low_m = LOW (a.m), high_m = HIGH (a.m);
  struct NARROW (cascade) half = {LOW (a.s), low_c + high_c, low_m + high_m};

  NARROW (add) (&half, high_s);
  return half;
}

INLINE struct cascade_1
WIDE (folded) (struct WIDE (cascade) a)
{
#if WIDTH == 2
  return fold_2 (a);
#else
  return NARROW (folded) (WIDE (fold) (a));
#endif
}

/* Elements I to I + WIDTH - 1.  */
INLINE WIDE (vector)
WIDE (load_numbers) (const void *x, size_t i, size_t stride, const int form)
{
  const double *const d = (const double *) x + i * stride;
  const float *const f = (const float *) x + i * stride;
  const WIDE (elements_f64) *const ds = (const WIDE (elements_f64) *) d;
  const WIDE (elements_f32) *const fs = (const WIDE (elements_f32) *) f;

  switch (form & (STRIDED | F32))
    {
    case CONTIGUOUS | F64:
      return (WIDE (vector)) {WIDE (EVERY) (*ds, 1)};
    case CONTIGUOUS | F32:
      return (WIDE (vector)) {WIDE (EVERY) (*fs, 1)};
    case STRIDED | F64:
      return (WIDE (vector)) {WIDE (EVERY) (d, stride)};
    default:
      return (WIDE (vector)) {WIDE (EVERY) (f, stride)};
    }
}

INLINE WIDE (vector)
WIDE (load) (const void *x, size_t i, size_t stride, const int form)
{
  const WIDE (vector) v = WIDE (load_numbers) (x, i, stride, form);

  return form & MAGNITUDE ? MAGNITUDES (WIDTH, v) : v;
}

/* Of N >= WIDTH elements.  An error goes through (N - 1) / WIDTH - 1 additions
   here, as the first is added to nothing, and two in each fold.  The last
   vector may begin with elements of the one before.  */
INLINE struct WIDE (cascade)
WIDE (walk) (const void *x, size_t n, size_t stride, const int form)
{
  struct WIDE (cascade) a = {WIDE (load) (x, 0, stride, form), {0}, {0}};
  size_t i = WIDTH;

  for (; n - i >= WIDTH; i += WIDTH)
    WIDE (add) (&a, WIDE (load) (x, i, stride, form));
  if (i < n)
    {
      const WIDE (vector) last = WIDE (load) (x, n - WIDTH, stride, form);

      WIDE (add) (&a, LANES_FROM (WIDTH, i - (n - WIDTH), last));
    }
  return a;
}

/* Whether each of N >= WIDTH elements is zero or of magnitude M at least.  */
INLINE int
WIDE (all_from) (const void *x, size_t n, size_t stride, const int form,
                 double m)
{
  const WIDE (vector) least = (WIDE (vector)) {0} + m;
  WIDE (words) bad = {0};

  for (size_t i = 0;; i += WIDTH)
    {
      const size_t at = n - i < WIDTH ? n - WIDTH : i;
      const WIDE (vector) v = WIDE (load) (x, at, stride, form);

      bad |= (WIDE (words)) (v != 0)
             & ~(WIDE (words)) (MAGNITUDES (WIDTH, v) >= least);
      if (n - at == WIDTH)
        return FOLD (WIDTH, words, |, bad) == 0;
    }
}

/* Sums N >= WIDTH elements, as gt_exact_short is to.  */
INLINE int
WIDE (sum) (const void *x, size_t n, size_t stride, const int form, void *sum)
{
  const struct cascade_1 a
    = WIDE (folded) (WIDE (walk) (x, n, stride, form));
  const long additions = (long) (n / WIDTH) - 1 + 2 * FOLDS;
  const double slack = a.m * ((double) (additions + 2) * 0x1p-53);
  double special;

  if (LIKELY (form & F32 ? decide_f32 (&a, slack, sum)
                         : decide_f64 (&a, slack, sum)))
    return 1;
  if (decide_special (a.s, x, stride, form & MAGNITUDE ? x : NULL, stride, n,
                      form, &special))
    {
      if (form & F32)
        *(float *) sum = (float) special;
      else
        *(double *) sum = special;
      return 1;
    }
  if (!WIDE (all_from) (x, n, stride, form, a.m))
    return 0;
  if (form & F32)
    *(float *) sum = round_f32 (&a);
  else
    *(double *) sum = a.s + a.c;
  return 1;
}

#undef WIDE
#undef NARROW
#undef FOLDS
#undef LOW
#undef HIGH
#undef WIDTH

/* Sorting, selecting and merging of elements that lie side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sort/sort.h"

#include <limits.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/inline.h"

/* As many elements a partition looks through at a time.  */
#define BLOCK 64

#define SWAP(a, b)         \
  do                       \
    {                      \
      const TYPE t_ = (a); \
      (a) = (b);           \
      (b) = t_;            \
    }                      \
  while (0)

#define LESS(a, b) ((a) < (b))
#define GT_TEMPLATE "kernels/cpu/sort/elements.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

typedef unsigned __int128 wide;
#define NAMED(stem) GT_PASTE (stem, NAME)
#define WIDE
#define NAME u128
#define TYPE wide
#include "kernels/cpu/sort/elements.inc"
#undef NAME
#undef TYPE
#undef LESS

/* Keys alone.  */
#define LESS(a, b) ((a) >> 32 < (b) >> 32)
#define NAME narrow
#define TYPE uint64_t
#include "kernels/cpu/sort/heap.inc"
#undef NAME
#undef TYPE
#undef LESS
#define LESS(a, b) ((a) >> 48 < (b) >> 48)
#define NAME wide
#define TYPE wide
#include "kernels/cpu/sort/heap.inc"

void
gt_sort_as_gsl (uint64_t *x, size_t n)
{
  heapsort_narrow (x, n);
}

void
gt_sort_wide_as_gsl (wide *x, size_t n)
{
  heapsort_wide (x, n);
}

/* Bytes are counted; SIGN is what makes them unsigned.  */
static void
sort_bytes (unsigned char *x, size_t n, unsigned char sign)
{
  size_t count[UCHAR_MAX + 1] = {0};

  for (size_t i = 0; i < n; i++)
    count[x[i] ^ sign]++;
  for (size_t value = 0; value <= UCHAR_MAX; value++)
    {
      memset (x, (int) (value ^ sign), count[value]);
      x += count[value];
    }
}

static void
sort_u8 (void *x, size_t n)
{
  if (n < GT_SORT_QUICKSORT_FROM)
    insertion_u8 (x, n);
  else
    sort_bytes (x, n, 0);
}

static void
sort_i8 (void *x, size_t n)
{
  if (n < GT_SORT_QUICKSORT_FROM)
    insertion_i8 (x, n);
  else
    sort_bytes (x, n, 0x80);
}

static const struct kind
{
  size_t size;
  gt_sort_function *sort;
  void (*merge) (const struct gt_sorted *sorted, size_t first, size_t count,
                 void *merged);
} kinds[GT_N_SORT_KINDS] = {
#define X(id, name, ctype, real) [GT_##id] = {sizeof (ctype), sort_##name, merge_##name},
  GT_ARITHMETICS (X)
#undef X
  [GT_SORT_WIDE] = {sizeof (wide), sort_u128, merge_u128},
  [GT_SORT_WIDEST] = {sizeof (wide), sort_u128, merge_u128}
};

size_t
gt_sort_size (unsigned kind)
{
  return kinds[kind].size;
}

void
gt_sort_merge (unsigned kind, const struct gt_sorted *sorted, size_t first,
               size_t count, void *merged)
{
  kinds[kind].merge (sorted, first, count, merged);
}

const struct gt_vqsorts *
gt_sort_vqsorts (void)
{
#if HAVE_VQSORT
  static const struct gt_vqsorts *const of[GT_N_ISAS]
    = {NULL, &gt_vqsorts_avx2, &gt_vqsorts_avx512};

  /* What processors with AVX2 have beside it, but for a few.  */
  return __builtin_cpu_supports ("bmi") && __builtin_cpu_supports ("bmi2")
           ? of[gt_isa ()] : NULL;
#else
  return NULL;
#endif
}

static gt_sort_function *
vqsort_of (unsigned kind)
{
  const struct gt_vqsorts *const vqsorts = gt_sort_vqsorts ();

  if (vqsorts)
    switch (kind)
      {
#define X(id, name, ctype) case GT_##id: return vqsorts->name;
        GT_VQSORT_KINDS (X)
#undef X
        case GT_SORT_WIDE: return vqsorts->u128;
      }
  return NULL;
}

void
gt_sort_elements (unsigned kind, void *x, size_t n)
{
  gt_sort_function *const vqsort
    = n < GT_SORT_VQSORT_FROM ? NULL : vqsort_of (kind);

  (vqsort ? vqsort : kinds[kind].sort) (x, n);
}

/* ------------------------------------------------- What GSL's own sort decides */

typedef int undecided (const void *x, size_t n);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f64);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f32);

/* Long doubles have no vectors.  */
static int
undecided_ldbl (const long double *x, size_t n)
{
  int nan = 0, zeros = 0;

  for (size_t i = 0; i < n; i++)
    {
      nan |= x[i] != x[i];
      zeros |= x[i] == 0 ? 1 << !__builtin_signbit (x[i]) : 0;
    }
  return nan || zeros == 3;
}

int
gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n)
{
  static undecided *const f64[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f64)};
  static undecided *const f32[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f32)};

  return arithmetic == GT_F64    ? f64[gt_isa ()](x, n)
         : arithmetic == GT_F32  ? f32[gt_isa ()](x, n)
         : arithmetic == GT_LDBL ? undecided_ldbl (x, n)
                                 : 0;
}

/* Sorting, selecting and dividing of elements that lie side by side.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sort/sort.h"

#include <limits.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/inline.h"

/* As many elements a partition looks through at a time, where it has so many.  */
#define BLOCK 64
#define BLOCKS_FROM 2048

/* From so many numbers of two bytes on it is quicker to put each where its bytes say.  */
#define TWO_BYTES_FROM 2048

/* Where so many are passed over one after the other, it is likely that more are.  */
#define PASSED 4

#define SWAP(a, b)         \
  do                       \
    {                      \
      const TYPE t_ = (a); \
      (a) = (b);           \
      (b) = t_;            \
    }                      \
  while (0)

enum
{
#define X(id, name, ctype, real) KIND_##name = GT_##id,
  GT_ARITHMETICS (X)
#undef X
  KIND_u128 = GT_SORT_WIDE
};

static void sort_two_bytes (uint16_t *x, size_t n, unsigned sign);

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
#undef NAMED
#undef NAME
#undef TYPE
#undef LESS

void
gt_sort_as_gsl (uint64_t *x, size_t n)
{
  heapsort_narrow (x, n);
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

/* Numbers of two bytes, of which the upper one is HIGH.  */
static void
sort_low_bytes (uint16_t *x, size_t n, unsigned high)
{
  size_t count[UCHAR_MAX + 1] = {0};

  if (n < GT_SORT_QUICKSORT_FROM)
    {
      insertion_u16 (x, n);
      return;
    }
  for (size_t i = 0; i < n; i++)
    count[x[i] & UCHAR_MAX]++;
  for (unsigned low = 0; low <= UCHAR_MAX; low++)
    for (size_t k = 0; k < count[low]; k++)
      *x++ = (uint16_t) (high << 8 | low);
}

/* Numbers of two bytes are exchanged until each is among those that share its upper one
   (P. M. McIlroy, K. Bostic and M. D. McIlroy, "Engineering radix sort", 1993); the lower
   ones are counted.  SIGN is what makes the upper ones unsigned.  */
static void
sort_two_bytes (uint16_t *x, size_t n, unsigned sign)
{
  size_t next[UCHAR_MAX + 1], end[UCHAR_MAX + 1] = {0}, begin = 0;

  for (size_t i = 0; i < n; i++)
    end[x[i] >> 8 ^ sign]++;
  for (unsigned high = 0; high <= UCHAR_MAX; high++)
    {
      next[high] = begin;
      begin = end[high] += begin;
    }
  for (unsigned high = 0; high <= UCHAR_MAX; high++)
    for (; next[high] < end[high]; next[high]++)
      {
        uint16_t v = x[next[high]];

        for (unsigned to; (to = v >> 8 ^ sign) != high; next[to]++)
          {
            const uint16_t there = x[next[to]];

            x[next[to]] = v;
            v = there;
          }
        x[next[high]] = v;
      }
  begin = 0;
  for (unsigned high = 0; high <= UCHAR_MAX; begin = end[high++])
    sort_low_bytes (x + begin, end[high] - begin, high ^ sign);
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
  int (*settle) (void *x, size_t n);
  gt_sort_function *sort;
  size_t (*divide) (void *x, size_t n, const void *pivot);
} kinds[GT_N_SORT_KINDS] = {
#define X(id, name, ctype, real) [GT_##id] = {sizeof (ctype), settle_##name, sort_##name, divide_##name},
  GT_ARITHMETICS (X)
#undef X
  [GT_SORT_WIDE] = {sizeof (wide), settle_u128, sort_u128, divide_u128}
};

size_t
gt_sort_size (unsigned kind)
{
  return kinds[kind].size;
}

size_t
gt_sort_divide (unsigned kind, void *x, size_t n, const void *pivot)
{
  return kinds[kind].divide (x, n, pivot);
}

/* vqsort for the instruction set in use, or null.  */
static const struct gt_vqsorts *
vqsorts (void)
{
#if HAVE_VQSORT
  static const struct gt_vqsorts *const of[GT_N_ISAS]
    = {NULL, &gt_vqsorts_avx2, &gt_vqsorts_avx512};

  /* All but a few processors with AVX2 have these beside it.  */
  return __builtin_cpu_supports ("bmi") && __builtin_cpu_supports ("bmi2")
           ? of[gt_isa ()] : NULL;
#else
  return NULL;
#endif
}

static gt_sort_function *
vqsort_of (unsigned kind)
{
  const struct gt_vqsorts *const of = vqsorts ();

  if (of)
    switch (kind)
      {
#define X(id, name, ctype) case GT_##id: return of->name;
        GT_VQSORT_KINDS (X)
#undef X
        case GT_SORT_WIDE: return of->u128;
      }
  return NULL;
}

int
gt_sort_has_vqsort (unsigned kind)
{
  return vqsort_of (kind) != NULL;
}

void
gt_sort_elements (unsigned kind, void *x, size_t n, size_t vqsort_from)
{
  gt_sort_function *vqsort;

  if (n < 2 || kinds[kind].settle (x, n))
    return;
  vqsort = n < vqsort_from ? NULL : vqsort_of (kind);
  (vqsort ? vqsort : kinds[kind].sort) (x, n);
}

typedef gt_sort_run_function *run_of (unsigned kind);
run_of GT_OF_EACH_ISA (, gt_sort_run_of);

gt_sort_run_function *
gt_sort_run (unsigned kind)
{
  static run_of *const of[] = {GT_OF_EACH_ISA (, gt_sort_run_of)};

  return of[gt_isa ()](kind);
}

/* ------------------------------------------------- What GSL's own sort decides */

typedef int undecided (const void *x, size_t n);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f64);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f32);

#define GT_TEMPLATE "kernels/cpu/sort/few.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

int
gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n)
{
  static undecided *const f64[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f64)};
  static undecided *const f32[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f32)};

  const int few = n < GT_SORT_QUICKSORT_FROM;

  return arithmetic == GT_F64    ? few ? few_undecided_f64 (x, n) : f64[gt_isa ()](x, n)
         : arithmetic == GT_F32  ? few ? few_undecided_f32 (x, n) : f32[gt_isa ()](x, n)
         : arithmetic == GT_LDBL ? few_undecided_ldbl (x, n)
                                 : 0;
}

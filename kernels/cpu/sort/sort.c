/* Sorting, dividing and selecting of contiguous elements.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "kernels/cpu/sort/sort.h"

#include "kernels/cpu/isa/isa.h"
#include "kernels/inline.h"

/* The number of elements of a block of the partition; ranges of BLOCKS_FROM elements or more
   are partitioned by blocks.  */
#define BLOCK 64
#define BLOCKS_FROM 2048

#define SWAP(a, b)         \
  do                       \
    {                      \
      const TYPE t_ = (a); \
      (a) = (b);           \
      (b) = t_;            \
    }                      \
  while (0)

typedef unsigned __int128 wide;

#define GT_TEMPLATE "kernels/cpu/sort/select.inc"
#include "kernels/cpu/isa/each_arithmetic.h"

#define NAMED(stem) GT_PASTE (stem, NAME)
#define NAME u128
#define TYPE wide
#include "kernels/cpu/sort/divide.inc"
#undef NAME
#undef TYPE
#undef NAMED

/* ------------------------------------------------------------------ By vqsort */

static const struct kind
{
  size_t size;
  int (*settle) (void *x, size_t n);
  size_t (*divide) (void *x, size_t n, const void *pivot);
} kinds[GT_N_SORT_KINDS] = {
#define X(id, name, ctype) [GT_##id] = {sizeof (ctype), settle_##name, divide_##name},
  GT_VQSORT_KINDS (X)
#undef X
  [GT_SORT_WIDE] = {sizeof (wide), settle_u128, divide_u128}
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

/* Returns vqsort for the instruction set in use, or null.  */
static const struct gt_vqsorts *
vqsorts (void)
{
#if HAVE_VQSORT
  static const struct gt_vqsorts *const of[GT_N_ISAS]
    = {NULL, &gt_vqsorts_avx2, &gt_vqsorts_avx512};

  /* Almost all processors with AVX2 have both extensions.  */
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
gt_sort_elements (unsigned kind, void *x, size_t n)
{
  if (n > 1 && !kinds[kind].settle (x, n))
    vqsort_of (kind) (x, n);
}

/* ----------------------------------------------------- The order of GSL's sort */

/* Inserts V into the heap of the elements up to LAST, whose root is free.  Child K has the
   children 2 K and 2 K + 1, and root 0 has only the child 1, as in GSL.  The path of larger
   children is followed to the end, and V moves up from there: this mispredicts less than a
   comparison with V at each step, and yields the same heap (I. Wegener, "Bottom-up heapsort",
   Theoretical Computer Science 118, 1993).  */
static inline void
sift (uint64_t *x, size_t last, size_t root, uint64_t v)
{
  size_t k;

  if (root == 0)
    {
      if (last == 0 || v >> 32 >= x[1] >> 32)
        {
          x[0] = v;
          return;
        }
      x[0] = x[1];
      root = 1;
    }
  for (k = root; 2 * k < last;)
    {
      __builtin_prefetch (x + 8 * k);
      k = 2 * k + (size_t) (x[2 * k] >> 32 < x[2 * k + 1] >> 32);
    }
  if (2 * k == last)
    k = last;
  while (k > root && v >> 32 >= x[k] >> 32)
    k /= 2;
  for (; k > root; k /= 2)
    {
      const uint64_t there = x[k];

      x[k] = v;
      v = there;
    }
  x[root] = v;
}

void
gt_sort_as_gsl (uint64_t *x, size_t n)
{
  for (size_t root = (n - 1) / 2 + 1; root-- > 0;)
    sift (x, n - 1, root, x[root]);
  for (size_t last = n - 1; last > 0; last--)
    {
      const uint64_t v = x[last];

      x[last] = x[0];
      sift (x, last - 1, 0, v);
    }
}

typedef int undecided (const void *x, size_t n);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f64);
undecided GT_OF_EACH_ISA (, gt_sort_undecided_f32);

int
gt_sort_undecided (enum gt_arithmetic arithmetic, const void *x, size_t n)
{
  static undecided *const f64[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f64)};
  static undecided *const f32[] = {GT_OF_EACH_ISA (, gt_sort_undecided_f32)};

  return arithmetic == GT_F64   ? f64[gt_isa ()](x, n)
         : arithmetic == GT_F32 ? f32[gt_isa ()](x, n)
                                : 0;
}

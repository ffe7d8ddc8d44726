/* Problems as keys, which plans and profiles compare, sort and hash.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#ifndef GT_PROBLEM_H
#define GT_PROBLEM_H

#include "kernels/task.h"
#include "src/base/mode.h"
#include "src/base/names.h"

/* Returns the problem of REDUCTION for contiguous elements of TYPE in MODE, or the reduction's
   only mode; its length is 0.  */
static inline struct gt_problem
gt_problem_for (enum gt_reduction reduction, enum gt_element_type type,
                enum gt_mode mode)
{
  const enum gt_arithmetic arithmetic
    = gt_arithmetic_for (reduction, gt_types[type].arithmetic);

  return (struct gt_problem) {
    .reduction = reduction,
    .arithmetic = arithmetic,
    .mode = gt_mode_for (reduction, arithmetic, gt_mode_of_vectors (mode))
  };
}

/* Lengths are planned by class: the class of n is log2 n, rounded; the class of 0 is 0.  */
#define GT_N_CLASSES 65
static inline unsigned
gt_size_class (uint64_t n)
{
  unsigned k;

  n += n == 0;
  k = 63 ^ (unsigned) __builtin_clzll (n);
  return k + (unsigned) (n << 1 >> k & 1);
}

/* The longest vector of class K, and the length that a plan of the class is made for.  */
#define GT_LONGEST(k) ((((uint64_t) 3 << (k)) - 1) / 2)
#define GT_CLASS_N(k) ((k) < 64 ? (uint64_t) 1 << (k) : UINT64_MAX)

/* A key consists, from the lowest bits, of the class of the length, in seven bits; the layout;
   mode, arithmetic and reduction.  There is room above for the classes of two more
   lengths.  */
_Static_assert (GT_N_LAYOUTS <= 4 && GT_N_MODES <= 4 && GT_N_ARITHMETICS <= 16
                  && GT_N_REDUCTIONS <= 256, "a key has bits for all of them");
static inline uint64_t
gt_problem_family (const struct gt_problem *problem)
{
  return (uint64_t) problem->reduction << 15 | (uint64_t) problem->arithmetic << 11
         | (uint64_t) problem->mode << 9;
}

/* Checks whether the two differ in length alone.  */
static inline int
gt_problem_alike (const struct gt_problem *a, const struct gt_problem *b)
{
  return gt_problem_family (a) == gt_problem_family (b) && a->layout == b->layout;
}

static inline unsigned
gt_problem_member (const struct gt_problem *problem)
{
  return (unsigned) problem->layout << 7 | gt_size_class (problem->n);
}

static inline uint64_t
gt_problem_key (const struct gt_problem *problem)
{
  return gt_problem_family (problem) + gt_problem_member (problem);
}

/* Returns a number below SLOTS, a power of two, for the key.  Problems that differ in length
   and layout alone are neighbours and never collide; the compiler mostly knows the other
   parts.  */
static inline size_t
gt_problem_slot (const struct gt_problem *problem, size_t slots)
{
  const uint64_t begin = gt_problem_family (problem) * 0x9e3779b97f4a7c15u >> 48;

  return (begin + gt_problem_member (problem)) & (slots - 1);
}

#endif

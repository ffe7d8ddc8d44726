/* The public sums of host vectors, and the mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "kernels/cpu/exact.h"
#include "src/base/env.h"
#include "src/base/fpenv.h"
#include "src/base/names.h"
#include "src/gsltune.h"
#include "src/plan/plan.h"
#include "src/route/reduce.h"

#define CONCATENATE_(a, b) a##b
#define CONCATENATE(a, b) CONCATENATE_ (a, b)
#define MEMBER(arithmetic) CONCATENATE (GT_MEMBER_, arithmetic)

/* What an arithmetic adds in: signed integers as unsigned ones, which wrap.  */
#define WORD(arithmetic) \
  __typeof__ (((union gt_value *) 0)->MEMBER (arithmetic)[0])

/* Whether an arithmetic has modes, and its exact sums of short vectors: long
   double has no quicker way than the general one.  */
#define REAL_F64 1
#define REAL_F32 1
#define REAL_LDBL 1
#define REAL_U64 0
#define REAL_U32 0
#define REAL_U16 0
#define REAL_U8 0
#define EXACT_SHORT_F64 gt_exact_short_f64
#define EXACT_SHORT_F32 gt_exact_short_f32
#define EXACT_SHORT_LDBL no_exact_short
#define EXACT_SHORT_U64 no_exact_short
#define EXACT_SHORT_U32 no_exact_short
#define EXACT_SHORT_U16 no_exact_short
#define EXACT_SHORT_U8 no_exact_short

static inline int
no_exact_short (const void *x, size_t n, size_t stride, void *sum)
{
  (void) x;
  (void) n;
  (void) stride;
  (void) sum;
  return 0;
}

/* All ones where sums are fast, else 0.  */
#define FAST_MASK(arithmetic)                                           \
  (REAL_##arithmetic ? __atomic_load_n (&gt_fast_mask, __ATOMIC_RELAXED) \
                     : SIZE_MAX)

/* A branch that is taken costs a cycle, a tenth of the sum of one element; longer
   sums can afford it.  */
#define LIKELY(condition) __builtin_expect (condition, 1)
#define UNLIKELY(condition) __builtin_expect (condition, 0)

/* For each type: a sum in two chains of additions, which up to GT_SHORT_...
   takes less time than looking up how to do better; an exact sum of few
   elements, which gives up, returning 0, where the caller's floating-point
   environment or the elements are out of the ordinary; the sum of what is not
   short; and the public function, which needs no stack for what is.  Up to three
   elements one chain is quickest.  Up to two are added exactly by one rounding;
   the zero before them makes a single -0 to +0.  */
#define X(id, name, infix, ctype, arithmetic)                                 \
  static inline ctype sum##infix##_short (const ctype *x, size_t n,           \
                                          size_t stride)                      \
  {                                                                           \
    WORD (arithmetic) s = 0, t = 0;                                           \
    if (LIKELY (n < 4))                                                       \
      {                                                                       \
        if (UNLIKELY (n == 0))                                                \
          return 0;                                                           \
        s = (WORD (arithmetic)) (s + x[0]);                                   \
        if (LIKELY (n == 1))                                                  \
          return (ctype) s;                                                   \
        s = (WORD (arithmetic)) (s + x[stride]);                              \
        if (UNLIKELY (n == 3))                                                \
          s = (WORD (arithmetic)) (s + x[2 * stride]);                        \
        return (ctype) s;                                                     \
      }                                                                       \
    for (; n >= 4; n -= 4, x += 4 * stride)                                   \
      {                                                                       \
        s = (WORD (arithmetic)) (s + x[0]);                                   \
        t = (WORD (arithmetic)) (t + x[stride]);                              \
        s = (WORD (arithmetic)) (s + x[2 * stride]);                          \
        t = (WORD (arithmetic)) (t + x[3 * stride]);                          \
      }                                                                       \
    if (n & 2)                                                                \
      {                                                                       \
        s = (WORD (arithmetic)) (s + x[0]);                                   \
        t = (WORD (arithmetic)) (t + x[stride]);                              \
        x += 2 * stride;                                                      \
      }                                                                       \
    if (n & 1)                                                                \
      s = (WORD (arithmetic)) (s + x[0]);                                     \
    return (ctype) (WORD (arithmetic)) (s + t);                               \
  }                                                                           \
                                                                              \
  static inline int sum##infix##_exact (const ctype *x, size_t n,             \
                                        size_t stride, ctype *sum)            \
  {                                                                           \
    WORD (arithmetic) s = 0;                                                  \
    if (!gt_fpenv_is_default (GT_##arithmetic))                               \
      return 0;                                                               \
    if (n > 2)                                                                \
      return EXACT_SHORT_##arithmetic (x, n, stride, sum);                    \
    if (n > 0)                                                                \
      s = (WORD (arithmetic)) (s + x[0]);                                     \
    if (n > 1)                                                                \
      s = (WORD (arithmetic)) (s + x[stride]);                                \
    *sum = (ctype) s;                                                         \
    return s == s; /* not NaN */                                              \
  }                                                                           \
                                                                              \
  __attribute__ ((noinline)) static ctype sum##infix##_longer (               \
    const gsl_vector##infix *v)                                               \
  {                                                                           \
    union gt_value sum;                                                         \
    ctype exact;                                                              \
    gt_cpu_function *function = NULL;                                         \
    if (FAST_MASK (arithmetic))                                               \
      function = gt_quick_find (                                              \
        GT_##arithmetic, v->stride == 1 ? GT_CONTIGUOUS : GT_STRIDED,         \
        v->size);                                                             \
    else if (v->size <= __atomic_load_n (&gt_exact_length, __ATOMIC_RELAXED)  \
             && sum##infix##_exact (v->data, v->size, v->stride, &exact))     \
      return exact;                                                           \
    if (function)                                                             \
      function (v->data, v->size, v->stride, &sum);                           \
    else                                                                      \
      {                                                                       \
        const struct gt_task task                                             \
          = gt_task_of (GT_##arithmetic,                                      \
                        gt_effective_mode (GT_##arithmetic,                   \
                                           (enum gt_mode) gt_mode_now),       \
                        v->data, v->size, v->stride);                         \
                                                                              \
        gt_reduce_host (&task, &sum);                                         \
      }                                                                       \
    return (ctype) sum.MEMBER (arithmetic)[0];                                \
  }                                                                           \
                                                                              \
  ctype gsltune_vector##infix##_sum (const gsl_vector##infix *v)              \
  {                                                                           \
    if (LIKELY (v->size <= (GT_SHORT_##arithmetic & FAST_MASK (arithmetic)))) \
      return sum##infix##_short (v->data, v->size, v->stride);                \
    return sum##infix##_longer (v);                                           \
  }
GT_ELEMENT_TYPES (X)
#undef X

int
gsltune_set_mode (gsltune_mode mode)
{
  if ((int) mode < 0 || (int) mode >= GT_N_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  gt_set_mode ((enum gt_mode) mode);
  return GSL_SUCCESS;
}

gsltune_mode
gsltune_get_mode (void)
{
  return (gsltune_mode) atomic_load (&gt_mode_now);
}

const char *
gsltune_version (void)
{
  return PACKAGE_VERSION;
}

/* The public sums of host vectors, and the mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/env.h"
#include "src/gsltune.h"
#include "src/reduce.h"

#define CONCATENATE_(a, b) a##b
#define CONCATENATE(a, b) CONCATENATE_ (a, b)
#define MEMBER(arithmetic) CONCATENATE (GT_MEMBER_, arithmetic)

/* What an arithmetic adds in: signed integers as unsigned ones, which wrap.  */
#define WORD(arithmetic) \
  __typeof__ (((union gt_sum *) 0)->MEMBER (arithmetic)[0])

/* For each type: a sum in two chains of additions, which up to gt_short_length
   takes less time than looking up how to do better; the planned sum; and the
   public function.  Up to three elements one chain is quickest.  */
#define X(id, name, infix, ctype, arithmetic)                                 \
  static inline ctype sum##infix##_short (const ctype *x, size_t n,           \
                                          size_t stride)                      \
  {                                                                           \
    WORD (arithmetic) s = 0, t = 0;                                           \
    if (n < 4)                                                                \
      {                                                                       \
        if (n > 0)                                                            \
          s = (WORD (arithmetic)) (s + x[0]);                                 \
        if (n > 1)                                                            \
          s = (WORD (arithmetic)) (s + x[stride]);                            \
        if (n > 2)                                                            \
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
  __attribute__ ((noinline)) static ctype sum##infix##_planned (              \
    const gsl_vector##infix *v)                                               \
  {                                                                           \
    union gt_sum sum;                                                         \
    gt_reduce_host (GT_##arithmetic, v->data, v->size, v->stride, &sum);      \
    return (ctype) sum.MEMBER (arithmetic)[0];                                \
  }                                                                           \
                                                                              \
  ctype gsltune_vector##infix##_sum (const gsl_vector##infix *v)              \
  {                                                                           \
    size_t n = v->size;                                                       \
    if (n <= __atomic_load_n (&gt_short_length, __ATOMIC_RELAXED))            \
      return sum##infix##_short (v->data, n, v->stride);                      \
    return sum##infix##_planned (v);                                          \
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

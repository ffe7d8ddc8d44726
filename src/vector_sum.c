/* The public sums of host vectors, and the mode.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>

#include "src/env.h"
#include "src/gsltune.h"
#include "src/reduce.h"

/* Up to this length a chain of additions takes less time than looking up how
   to do better.  */
#define SHORT 16

#define CONCATENATE_(a, b) a##b
#define CONCATENATE(a, b) CONCATENATE_ (a, b)
#define MEMBER(arithmetic) CONCATENATE (GT_MEMBER_, arithmetic)

/* What an arithmetic adds in: signed integers as unsigned ones, which wrap.  */
#define WORD(arithmetic) \
  __typeof__ (((union gt_sum *) 0)->MEMBER (arithmetic)[0])

#define X(id, name, infix, ctype, arithmetic)                               \
  ctype gsltune_vector##infix##_sum (const gsl_vector##infix *v)            \
  {                                                                         \
    union gt_sum sum;                                                       \
    if (v->size <= SHORT                                                    \
        && atomic_load_explicit (&gt_mode_now, memory_order_relaxed)        \
             == GT_MODE_FAST)                                               \
      {                                                                     \
        WORD (arithmetic) s = 0;                                            \
        for (size_t i = 0; i < v->size; i++)                                \
          s = (WORD (arithmetic)) (s + v->data[i * v->stride]);             \
        return (ctype) s;                                                   \
      }                                                                     \
    gt_reduce_host (GT_##arithmetic, v->data, v->size, v->stride, &sum);    \
    return (ctype) sum.MEMBER (arithmetic)[0];                              \
  }
GT_ELEMENT_TYPES (X)
#undef X

int
gsltune_set_mode (gsltune_mode mode)
{
  if ((int) mode < 0 || (int) mode >= GT_N_MODES)
    GSL_ERROR ("this is no mode of gsltune", GSL_EINVAL);
  atomic_store (&gt_mode_now, (int) mode);
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

/* The public vectors in pinned memory: types around pinned_memory.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

#include "src/gsltune.h"
#include "src/public/pinned_memory.h"

/* A user sees the first member alone.  It does not own its block, so that
   gsl_vector_free, called by mistake, gives nothing to free() but this.  */
#define PINNED_VECTOR(id, name, infix, ctype, arithmetic)                     \
  struct pinned##infix                                                        \
  {                                                                           \
    gsl_vector##infix vector;                                                 \
    gsl_block##infix block;                                                   \
    struct gt_pinned_memory memory;                                           \
  };                                                                          \
                                                                              \
  static gsl_vector##infix *make##infix (size_t n, int clear)                 \
  {                                                                           \
    struct pinned##infix *pinned = malloc (sizeof *pinned);                   \
    if (pinned == NULL                                                        \
        || gt_pinned_memory_alloc (&pinned->memory, GT_##arithmetic, n,       \
                                   clear))                                    \
      {                                                                       \
        free (pinned);                                                        \
        GSL_ERROR_NULL ("failed to allocate space for a pinned vector",       \
                        GSL_ENOMEM);                                          \
      }                                                                       \
    pinned->block = (gsl_block##infix) {n, pinned->memory.data};              \
    pinned->vector = (gsl_vector##infix) {n, 1, pinned->memory.data,          \
                                          &pinned->block, 0};                 \
    return &pinned->vector;                                                   \
  }                                                                           \
                                                                              \
  gsl_vector##infix *gsltune_vector##infix##_alloc (size_t n)                 \
  {                                                                           \
    return make##infix (n, 0);                                                \
  }                                                                           \
                                                                              \
  gsl_vector##infix *gsltune_vector##infix##_calloc (size_t n)                \
  {                                                                           \
    return make##infix (n, 1);                                                \
  }                                                                           \
                                                                              \
  void gsltune_vector##infix##_free (gsl_vector##infix *v)                    \
  {                                                                           \
    if (v)                                                                    \
      gt_pinned_memory_free (&((struct pinned##infix *) v)->memory);          \
    free (v);                                                                 \
  }                                                                           \
                                                                              \
  int gsltune_vector##infix##_pin (const gsl_vector##infix *v)                \
  {                                                                           \
    return gt_pinned_memory_pin (GT_##arithmetic, v->data, v->size,           \
                                 v->stride) ? GSL_EFAILED : GSL_SUCCESS;      \
  }                                                                           \
                                                                              \
  int gsltune_vector##infix##_unpin (const gsl_vector##infix *v)              \
  {                                                                           \
    return gt_pinned_memory_unpin (GT_##arithmetic, v->data, v->size)         \
             ? GSL_EFAILED : GSL_SUCCESS;                                     \
  }
GT_ELEMENT_TYPES (PINNED_VECTOR)

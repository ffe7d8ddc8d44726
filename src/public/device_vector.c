/* The public vectors that stay on a GPU: types around device_memory.c.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>

#include "src/gsltune.h"
#include "src/public/device_memory.h"

/* What a sum returns when its elements are lost.  */
#define LOST(ctype) ((ctype) ((ctype) 0.5 > 0 ? GSL_NAN : 0))

#define DEVICE_VECTOR(infix, ctype, arithmetic)                               \
  struct gsltune_device_vector##infix##_struct                                \
  {                                                                           \
    struct gt_device_memory memory;                                           \
  };                                                                          \
                                                                              \
  gsltune_device_vector##infix *gsltune_device_vector##infix##_alloc (        \
    size_t n)                                                                 \
  {                                                                           \
    struct gt_device_memory *memory                                           \
      = gt_device_memory_alloc (GT_##arithmetic, n);                          \
    if (memory == NULL)                                                       \
      GSL_ERROR_NULL ("failed to allocate space for a device vector",         \
                      GSL_ENOMEM);                                            \
    return (gsltune_device_vector##infix *) memory;                           \
  }                                                                           \
                                                                              \
  void gsltune_device_vector##infix##_free (gsltune_device_vector##infix *v)  \
  {                                                                           \
    gt_device_memory_free ((struct gt_device_memory *) v);                    \
  }                                                                           \
                                                                              \
  int gsltune_device_vector##infix##_set (gsltune_device_vector##infix *v,    \
                                          const gsl_vector##infix *source)    \
  {                                                                           \
    if (source->size != v->memory.n)                                          \
      GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);                \
    if (gt_device_memory_set (&v->memory, GT_##arithmetic, source->data,      \
                              source->stride))                                \
      GSL_ERROR ("the GPU has failed", GSL_EFAILED);                          \
    return GSL_SUCCESS;                                                       \
  }                                                                           \
                                                                              \
  int gsltune_device_vector##infix##_get (                                    \
    const gsltune_device_vector##infix *v, gsl_vector##infix *destination)    \
  {                                                                           \
    if (destination->size != v->memory.n)                                     \
      GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);                \
    if (gt_device_memory_get (&v->memory, GT_##arithmetic, destination->data, \
                              destination->stride))                           \
      GSL_ERROR ("the GPU has failed", GSL_EFAILED);                          \
    return GSL_SUCCESS;                                                       \
  }                                                                           \
                                                                              \
  size_t gsltune_device_vector##infix##_size (                                \
    const gsltune_device_vector##infix *v)                                    \
  {                                                                           \
    return v->memory.n;                                                       \
  }                                                                           \
                                                                              \
  int gsltune_device_vector##infix##_on_gpu (                                 \
    const gsltune_device_vector##infix *v)                                    \
  {                                                                           \
    return v->memory.gpu != NULL;                                             \
  }                                                                           \
                                                                              \
  void *gsltune_device_vector##infix##_data (                                 \
    gsltune_device_vector##infix *v)                                          \
  {                                                                           \
    return v->memory.data;                                                    \
  }                                                                           \
                                                                              \
  ctype gsltune_device_vector##infix##_sum (                                  \
    const gsltune_device_vector##infix *v)                                    \
  {                                                                           \
    union gt_value sum;                                                         \
    if (gt_device_memory_sum (&v->memory, GT_##arithmetic, &sum))             \
      GSL_ERROR_VAL ("the GPU has failed and its elements are lost",          \
                     GSL_EFAILED, LOST (ctype));                              \
    return GT_LEADING (sum, ctype);                                           \
  }                                                                           \
                                                                              \
  int gsltune_device##infix##_sum (const ctype *address, size_t n,            \
                                   size_t stride, void *stream,               \
                                   ctype *result)                             \
  {                                                                           \
    union gt_value sum;                                                         \
    const char *why;                                                          \
    int status;                                                               \
    if (result == NULL)                                                       \
      GSL_ERROR ("no place for the result", GSL_EINVAL);                      \
    status = gt_device_address_sum (GT_##arithmetic, address, n, stride,      \
                                    stream, &sum, &why);                      \
    if (status)                                                               \
      GSL_ERROR (why, status);                                                \
    *result = GT_LEADING (sum, ctype);                                        \
    return GSL_SUCCESS;                                                       \
  }

#define X(id, name, infix, ctype, arithmetic) \
  DEVICE_VECTOR (infix, ctype, arithmetic)
GT_GPU_ELEMENT_TYPES (X)
#undef X

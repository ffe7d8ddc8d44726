/* gsltune_device_vector_alloc and its siblings, for one type of element: a template
   of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#define VECTOR NAMED (gsltune_device_vector, )

struct NAMED (gsltune_device_vector, _struct)
{
  struct gt_device_memory memory;
};

/* gsltune_device_vector_alloc */
VECTOR *
NAMED (gsltune_device_vector, _alloc) (size_t n)
{
  struct gt_device_memory *memory = gt_device_memory_alloc (ARITHMETIC, n);

  if (memory == NULL)
    GSL_ERROR_NULL ("failed to allocate space for a device vector",
                    GSL_ENOMEM);
  return (VECTOR *) memory;
}

/* gsltune_device_vector_free */
void
NAMED (gsltune_device_vector, _free) (VECTOR *v)
{
  gt_device_memory_free ((struct gt_device_memory *) v);
}

/* gsltune_device_vector_set */
int
NAMED (gsltune_device_vector, _set) (VECTOR *v,
                                     const NAMED (gsl_vector, ) *source)
{
  if (source->size != v->memory.n)
    GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);
  if (gt_device_memory_set (&v->memory, ARITHMETIC, source->data,
                            source->stride))
    GSL_ERROR ("the GPU has failed", GSL_EFAILED);
  return GSL_SUCCESS;
}

/* gsltune_device_vector_get */
int
NAMED (gsltune_device_vector, _get) (const VECTOR *v,
                                     NAMED (gsl_vector, ) *destination)
{
  if (destination->size != v->memory.n)
    GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);
  if (gt_device_memory_get (&v->memory, ARITHMETIC, destination->data,
                            destination->stride))
    GSL_ERROR ("the GPU has failed", GSL_EFAILED);
  return GSL_SUCCESS;
}

/* gsltune_device_vector_size */
size_t
NAMED (gsltune_device_vector, _size) (const VECTOR *v)
{
  return v->memory.n;
}

/* gsltune_device_vector_on_gpu */
int
NAMED (gsltune_device_vector, _on_gpu) (const VECTOR *v)
{
  return v->memory.gpu != NULL;
}

/* gsltune_device_vector_data */
void *
NAMED (gsltune_device_vector, _data) (VECTOR *v)
{
  return v->memory.data;
}

/* gsltune_device_vector_sum.  When the elements are lost it returns NaN, or 0
   where there is none.  */
TYPE
NAMED (gsltune_device_vector, _sum) (const VECTOR *v)
{
  union gt_value sum;

  if (gt_device_memory_sum (&v->memory, ARITHMETIC, &sum))
    GSL_ERROR_VAL ("the GPU has failed and its elements are lost", GSL_EFAILED,
                   gt_arithmetics[ARITHMETIC].real ? (TYPE) GSL_NAN : 0);
  return GT_LEADING (sum, TYPE);
}

/* gsltune_device_sum */
int
NAMED (gsltune_device, _sum) (const TYPE *address, size_t n, size_t stride,
                              void *stream, TYPE *result)
{
  union gt_value sum;
  const char *why;
  int status;

  if (result == NULL)
    GSL_ERROR ("no place for the result", GSL_EINVAL);
  status = gt_device_address_sum (ARITHMETIC, address, n, stride, stream, &sum,
                                  &why);
  if (status)
    GSL_ERROR (why, status);
  *result = GT_LEADING (sum, TYPE);
  return GSL_SUCCESS;
}

#undef VECTOR
#endif

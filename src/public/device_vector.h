/* gsltune_device_vector_alloc and its siblings, for one type of element: a template
   of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#if GPU
#define VECTOR NAMED (gsltune_device_vector, )
#define VIEW NAMED (gsltune_device_vector, _view)
#define NONE (REAL ? (TYPE) GSL_NAN : 0)

static VECTOR *
NAMED (alloc_on, ) (struct gt_cuda *gpu, size_t n)
{
  struct gsltune_device_memory *memory
    = gt_device_memory_alloc (gpu, ARITHMETIC, n);

  if (memory == NULL)
    GSL_ERROR_NULL ("failed to allocate space for a device vector",
                    GSL_ENOMEM);
  return (VECTOR *) memory;
}

/* gsltune_device_vector_alloc */
VECTOR *
NAMED (gsltune_device_vector, _alloc) (size_t n)
{
  return NAMED (alloc_on, ) (gt_cuda_chosen (NULL), n);
}

/* gsltune_device_vector_alloc_on */
VECTOR *
NAMED (gsltune_device_vector, _alloc_on) (size_t n, int gpu)
{
  const int count = gsltune_gpu_count ();

  if (gpu < 0 || (count > 0 && gpu >= count))
    GSL_ERROR_NULL ("there is no GPU of this number", GSL_EINVAL);
  return NAMED (alloc_on, ) (count > 0 ? gt_cuda_open (gpu, NULL) : NULL, n);
}

/* gsltune_device_vector_free */
void
NAMED (gsltune_device_vector, _free) (VECTOR *v)
{
  gt_device_memory_free ((struct gsltune_device_memory *) v);
}

/* gsltune_device_vector_view_array */
VIEW
NAMED (gsltune_device_vector, _view_array) (TYPE *address, size_t stride,
                                            size_t n)
{
  VIEW view;
  const char *why;
  const int status = gt_device_memory_view (&view.vector.memory, ARITHMETIC,
                                            address, stride, n, &why);

  if (status)
    GSL_ERROR_VAL (why, status, view);
  return view;
}

/* gsltune_device_vector_set_stream */
void
NAMED (gsltune_device_vector, _set_stream) (VECTOR *v, void *stream)
{
  gt_device_memory_set_stream (&v->memory, stream);
}

/* gsltune_device_vector_set */
int
NAMED (gsltune_device_vector, _set) (VECTOR *v,
                                     const NAMED (gsl_vector, ) *source)
{
  const char *why = "the GPU has failed";
  int status;

  if (source->size != v->memory.n)
    GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);
  status = gt_device_memory_set (&v->memory, ARITHMETIC, source->data,
                                 source->stride, &why);
  if (status)
    GSL_ERROR (why, status);
  return GSL_SUCCESS;
}

/* gsltune_device_vector_get */
int
NAMED (gsltune_device_vector, _get) (const VECTOR *v,
                                     NAMED (gsl_vector, ) *destination)
{
  const char *why = "the GPU has failed";
  int status;

  if (destination->size != v->memory.n)
    GSL_ERROR ("the vectors differ in length", GSL_EBADLEN);
  status = gt_device_memory_get (&v->memory, ARITHMETIC, destination->data,
                                 destination->stride, &why);
  if (status)
    GSL_ERROR (why, status);
  return GSL_SUCCESS;
}

/* gsltune_device_vector_size */
size_t
NAMED (gsltune_device_vector, _size) (const VECTOR *v)
{
  return v->memory.n;
}

/* gsltune_device_vector_stride */
size_t
NAMED (gsltune_device_vector, _stride) (const VECTOR *v)
{
  return v->memory.stride;
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

/* Reports what is wrong, once.  */
static int
NAMED (reduce, ) (const VECTOR *v, enum gt_reduction reduction,
                  union gt_value *value)
{
  const char *why;
  const int status
    = gt_device_memory_reduce (&v->memory, reduction, ARITHMETIC, value, &why);

  if (status)
    GSL_ERROR (why, status);
  return GSL_SUCCESS;
}

static TYPE
NAMED (value, ) (const VECTOR *v, enum gt_reduction reduction)
{
  union gt_value value;

  return NAMED (reduce, ) (v, reduction, &value) ? NONE
                                                 : GT_LEADING (value, TYPE);
}

static size_t
NAMED (index_of, ) (const VECTOR *v, enum gt_reduction reduction)
{
  union gt_value value;

  return NAMED (reduce, ) (v, reduction, &value) ? 0 : value.where.index[0];
}

/* gsltune_device_vector_sum */
TYPE
NAMED (gsltune_device_vector, _sum) (const VECTOR *v)
{
  return NAMED (value, ) (v, GT_SUM);
}

/* gsltune_device_vector_sum_all */
TYPE
NAMED (gsltune_device_vector, _sum_all) (const VECTOR *const vectors[],
                                         size_t count)
{
  union gt_value value;
  const char *why;
  const int status
    = gt_device_memory_sum_all (vectors, count, ARITHMETIC, &value, &why);

  if (status)
    GSL_ERROR_VAL (why, status, NONE);
  return GT_LEADING (value, TYPE);
}

#if REAL
/* gsltune_device_vector_asum */
TYPE
NAMED (gsltune_device_vector, _asum) (const VECTOR *v)
{
  return NAMED (value, ) (v, GT_ASUM);
}

/* gsltune_device_vector_iamax */
size_t
NAMED (gsltune_device_vector, _iamax) (const VECTOR *v)
{
  return NAMED (index_of, ) (v, GT_AMAX);
}
#endif

/* gsltune_device_vector_max */
TYPE
NAMED (gsltune_device_vector, _max) (const VECTOR *v)
{
  return NAMED (value, ) (v, GT_MAX);
}

/* gsltune_device_vector_min */
TYPE
NAMED (gsltune_device_vector, _min) (const VECTOR *v)
{
  return NAMED (value, ) (v, GT_MIN);
}

/* gsltune_device_vector_minmax */
void
NAMED (gsltune_device_vector, _minmax) (const VECTOR *v, TYPE *min_out,
                                        TYPE *max_out)
{
  union gt_value value;
  const TYPE *const element = &GT_LEADING (value, TYPE);
  const int failed = NAMED (reduce, ) (v, GT_MINMAX, &value);

  *min_out = failed ? NONE : element[0];
  *max_out = failed ? NONE : element[1];
}

/* gsltune_device_vector_max_index */
size_t
NAMED (gsltune_device_vector, _max_index) (const VECTOR *v)
{
  return NAMED (index_of, ) (v, GT_MAX);
}

/* gsltune_device_vector_min_index */
size_t
NAMED (gsltune_device_vector, _min_index) (const VECTOR *v)
{
  return NAMED (index_of, ) (v, GT_MIN);
}

/* gsltune_device_vector_minmax_index */
void
NAMED (gsltune_device_vector, _minmax_index) (const VECTOR *v, size_t *imin,
                                              size_t *imax)
{
  union gt_value value;
  const int failed = NAMED (reduce, ) (v, GT_MINMAX, &value);

  *imin = failed ? 0 : value.where.index[0];
  *imax = failed ? 0 : value.where.index[1];
}

/* gsltune_device_sum */
int
NAMED (gsltune_device, _sum) (const TYPE *address, size_t n, size_t stride,
                              void *stream, TYPE *result)
{
  struct gsltune_device_memory view;
  union gt_value sum;
  const char *why;
  int status;

  if (result == NULL)
    GSL_ERROR ("no place for the result", GSL_EINVAL);
  status = gt_device_memory_view (&view, ARITHMETIC, address, stride, n, &why);
  gt_device_memory_set_stream (&view, stream);
  if (status == GSL_SUCCESS)
    status = gt_device_memory_reduce (&view, GT_SUM, ARITHMETIC, &sum, &why);
  if (status)
    GSL_ERROR (why, status);
  *result = GT_LEADING (sum, TYPE);
  return GSL_SUCCESS;
}

#undef NONE
#undef VIEW
#undef VECTOR
#endif

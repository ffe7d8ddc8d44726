/* gsltune_vector_alloc and its siblings, for one type of element: a template of
   src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )

/* A user sees the first member alone.  It does not own its block, so that
   gsl_vector_free, called by mistake, gives nothing to free() but this.  */
struct NAMED (pinned, )
{
  VECTOR vector;
  NAMED (gsl_block, ) block;
  struct gt_pinned_memory memory;
};

static VECTOR *
NAMED (make, ) (size_t n, int clear)
{
  struct NAMED (pinned, ) *pinned = malloc (sizeof *pinned);

  if (pinned == NULL
      || gt_pinned_memory_alloc (&pinned->memory, ARITHMETIC, n, clear))
    {
      free (pinned);
      GSL_ERROR_NULL ("failed to allocate space for a pinned vector",
                      GSL_ENOMEM);
    }
  pinned->block = (NAMED (gsl_block, )) {n, pinned->memory.data};
  pinned->vector = (VECTOR) {n, 1, pinned->memory.data, &pinned->block, 0};
  return &pinned->vector;
}

/* gsltune_vector_alloc */
VECTOR *
NAMED (gsltune_vector, _alloc) (size_t n)
{
  return NAMED (make, ) (n, 0);
}

/* gsltune_vector_calloc */
VECTOR *
NAMED (gsltune_vector, _calloc) (size_t n)
{
  return NAMED (make, ) (n, 1);
}

/* gsltune_vector_free */
void
NAMED (gsltune_vector, _free) (VECTOR *v)
{
  if (v)
    gt_pinned_memory_free (&((struct NAMED (pinned, ) *) v)->memory);
  free (v);
}

/* gsltune_vector_pin */
int
NAMED (gsltune_vector, _pin) (const VECTOR *v)
{
  return gt_pinned_memory_pin (ARITHMETIC, v->data, v->size, v->stride)
           ? GSL_EFAILED : GSL_SUCCESS;
}

/* gsltune_vector_unpin */
int
NAMED (gsltune_vector, _unpin) (const VECTOR *v)
{
  return gt_pinned_memory_unpin (ARITHMETIC, v->data, v->size)
           ? GSL_EFAILED : GSL_SUCCESS;
}

#undef VECTOR

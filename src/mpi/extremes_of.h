/* Extremes over processes, of one type of element: a template of
   src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define VECTOR NAMED (gsl_vector, )
#define RECORD struct NAMED (record, )
#define NONE (REAL ? (TYPE) GSL_NAN : 0)

RECORD
{
  struct record_head head;
  TYPE value;
};

/* The first NaN, else the extreme, and the first of equal ones.  */
static int
NAMED (is_better, ) (const RECORD *a, const RECORD *b)
{
  const int a_is_nan = REAL && isnan ((double) a->value);
  const int b_is_nan = REAL && isnan ((double) b->value);

  if (!a->head.exists || !b->head.exists)
    return a->head.exists > b->head.exists;
  if (a_is_nan || b_is_nan)
    return a_is_nan
           && (!b_is_nan || comes_before (&a->head, &b->head));
  if (a->value == b->value)
    return comes_before (&a->head, &b->head);
  return a->head.kind == SMALLEST ? a->value < b->value : a->value > b->value;
}

static void
NAMED (better, ) (void *in, void *in_out, int *length, MPI_Datatype *type)
{
  const RECORD *from = in;
  RECORD *to = in_out;

  (void) type;
  for (int i = 0; i < *length; i++)
    if (NAMED (is_better, ) (&from[i], &to[i]))
      to[i] = from[i];
}

static void
NAMED (fill, ) (RECORD *record, enum kind kind, int exists, TYPE value,
                 size_t index)
{
  memset (record, 0, sizeof *record);
  record->head.kind = kind;
  record->head.exists = exists != 0;
  record->head.index = index;
  record->value = value;
}

/* Replaces COUNT records, of the N elements of this process, by the best of all
   processes, which FUNCTION is to find.  Returns a GSL error code, the same on all of
   them.  */
static int
NAMED (best, ) (enum gt_mpi_function function, RECORD *records, int count,
                size_t n, MPI_Comm comm, const char **why)
{
  const int64_t signature
    = gt_mpi_signature (function, (int) ARITHMETIC, 0);
  const int status
    = gt_mpi_agree (signature, (size_t) count, GSL_SUCCESS, comm, why);
  uint64_t offset = 0;
  int rank = 0;

  if (status)
    return status;
  *why = "MPI has failed";
  if (MPI_Comm_rank (comm, &rank) != MPI_SUCCESS
      || (wants_index (function) && find_offset (n, rank, comm, &offset)))
    return GSL_EFAILED;
  for (int i = 0; i < count; i++)
    {
      records[i].head.rank = (uint64_t) rank;
      records[i].head.index += offset;
    }
  return find_best (records, count, sizeof *records, NAMED (better, ), comm)
           ? GSL_EFAILED : GSL_SUCCESS;
}

/* The extreme KIND of V.  */
static void
NAMED (local, ) (RECORD *record, enum kind kind, const VECTOR *v)
{
  const size_t at = v->size == 0       ? 0
                    : kind == SMALLEST ? NAMED (gsltune_vector, _min_index) (v)
                                       : NAMED (gsltune_vector, _max_index) (v);

  NAMED (fill, ) (record, kind, v->size > 0,
                   v->size ? v->data[at * v->stride] : 0, at);
}

/* Both extremes of V, the smallest first.  */
static void
NAMED (local_both, ) (RECORD *records, const VECTOR *v)
{
  size_t imin = 0, imax = 0;
  TYPE min = 0, max = 0;

  if (v->size)
    {
      NAMED (gsltune_vector, _minmax_index) (v, &imin, &imax);
      min = v->data[imin * v->stride];
      max = v->data[imax * v->stride];
    }
  NAMED (fill, ) (&records[0], SMALLEST, v->size > 0, min, imin);
  NAMED (fill, ) (&records[1], LARGEST, v->size > 0, max, imax);
}

static TYPE
NAMED (value, ) (enum gt_mpi_function function, enum kind kind,
                 const VECTOR *v, MPI_Comm comm)
{
  RECORD record;
  const char *why;
  int status;

  NAMED (local, ) (&record, kind, v);
  status = NAMED (best, ) (function, &record, 1, v->size, comm, &why);
  if (status)
    GSL_ERROR_VAL (why, status, NONE);
  if (!record.head.exists)
    GSL_ERROR_VAL (no_elements, GSL_EDOM, NONE);
  return record.value;
}

/* The index in the elements of all processes, in the order of their ranks, of the best
   RECORD, which FUNCTION is to find; N elements are those of this process.  */
static size_t
NAMED (index_of, ) (enum gt_mpi_function function, RECORD *record, size_t n,
                    MPI_Comm comm)
{
  const char *why;
  const int status = NAMED (best, ) (function, record, 1, n, comm, &why);

  if (status)
    GSL_ERROR_VAL (why, status, 0);
  if (!record->head.exists && record->head.kind != LARGEST_MAGNITUDE)
    GSL_ERROR_VAL (no_elements, GSL_EDOM, 0);
  return (size_t) record->head.index;
}

/* gsltune_mpi_vector_max */
TYPE
NAMED (gsltune_mpi_vector, _max) (const VECTOR *v, MPI_Comm comm)
{
  return NAMED (value, ) (GT_MPI_MAX, LARGEST, v, comm);
}

/* gsltune_mpi_vector_min */
TYPE
NAMED (gsltune_mpi_vector, _min) (const VECTOR *v, MPI_Comm comm)
{
  return NAMED (value, ) (GT_MPI_MIN, SMALLEST, v, comm);
}

/* gsltune_mpi_vector_minmax */
void
NAMED (gsltune_mpi_vector, _minmax) (const VECTOR *v, TYPE *min_out,
                                     TYPE *max_out, MPI_Comm comm)
{
  RECORD records[2];
  const char *why;
  int status;

  NAMED (local_both, ) (records, v);
  status = NAMED (best, ) (GT_MPI_MINMAX, records, 2, v->size, comm, &why);
  *min_out = *max_out = NONE;
  if (status)
    GSL_ERROR_VOID (why, status);
  if (!records[0].head.exists)
    GSL_ERROR_VOID (no_elements, GSL_EDOM);
  *min_out = records[0].value;
  *max_out = records[1].value;
}

/* gsltune_mpi_vector_max_index */
size_t
NAMED (gsltune_mpi_vector, _max_index) (const VECTOR *v, MPI_Comm comm)
{
  RECORD record;

  NAMED (local, ) (&record, LARGEST, v);
  return NAMED (index_of, ) (GT_MPI_MAX_INDEX, &record, v->size, comm);
}

/* gsltune_mpi_vector_min_index */
size_t
NAMED (gsltune_mpi_vector, _min_index) (const VECTOR *v, MPI_Comm comm)
{
  RECORD record;

  NAMED (local, ) (&record, SMALLEST, v);
  return NAMED (index_of, ) (GT_MPI_MIN_INDEX, &record, v->size, comm);
}

/* gsltune_mpi_vector_minmax_index */
void
NAMED (gsltune_mpi_vector, _minmax_index) (const VECTOR *v, size_t *imin,
                                           size_t *imax, MPI_Comm comm)
{
  RECORD records[2];
  const char *why;
  int status;

  NAMED (local_both, ) (records, v);
  status
    = NAMED (best, ) (GT_MPI_MINMAX_INDEX, records, 2, v->size, comm, &why);
  *imin = *imax = 0;
  if (status)
    GSL_ERROR_VOID (why, status);
  if (!records[0].head.exists)
    GSL_ERROR_VOID (no_elements, GSL_EDOM);
  *imin = (size_t) records[0].head.index;
  *imax = (size_t) records[1].head.index;
}

#undef VECTOR
#undef RECORD
#undef NONE

/* Calls the factorisations of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/factors.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/prototypes.h"

#define FACTOR_ROW(symbol, ...) ROW_ (symbol)
#define ROW_(symbol)                                  \
  [GT_TAKEN_##symbol - GT_FIRST_FACTOR]               \
    = {(void *) gsl_##symbol, (void *) gsltune_##symbol},
static const struct gt_procedure_pair functions[] = {
#include "src/preload/rows.inc"
#undef ROW_
};

const struct gt_procedure_pair *
gt_factor_functions (enum gt_taken_id id)
{
  return &functions[id - GT_FIRST_FACTOR];
}

static int
is_complex (enum gt_taken_id id)
{
  return id == GT_TAKEN_eigen_herm || id == GT_TAKEN_eigen_hermv;
}

static int
is_square (enum gt_taken_id id)
{
  return id < GT_TAKEN_linalg_QR_decomp || id >= GT_TAKEN_eigen_symm;
}

/* ------------------------------------------------------------------- Data */

#define NEEDS_WORKSPACE(X) \
  X (symm) X (symmv) X (herm) X (hermv) X (nonsymm) X (nonsymmv)

static void *
workspace_of (enum gt_taken_id id, size_t n)
{
  switch ((int) id)
    {
#define X(name)                \
  case GT_TAKEN_eigen_##name:  \
    return gsl_eigen_##name##_alloc (n);
      NEEDS_WORKSPACE (X)
#undef X
    default:
      return NULL;
    }
}

static void
free_workspace (enum gt_taken_id id, void *workspace)
{
  switch ((int) id)
    {
#define X(name)                             \
  case GT_TAKEN_eigen_##name:               \
    gsl_eigen_##name##_free (workspace);    \
    break;
      NEEDS_WORKSPACE (X)
#undef X
    default:
      break;
    }
}

void
gt_factor_data_free (enum gt_taken_id id, struct gt_factor_data *data)
{
  if (data->workspace)
    free_workspace (id, data->workspace);
  free (data->memory);
}

/* Numbers between -1 and 1, and more on the diagonal of a positive definite matrix.  */
static void
fill (enum gt_taken_id id, struct gt_factor_data *data)
{
  const size_t each = is_complex (id) ? 2 : 1, row = each * data->columns;
  uint64_t state = 1;

  for (size_t i = 0; i < data->rows * row; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      data->source[i] = (double) (int64_t) state * 0x1p-63;
    }
  if (is_square (id))
    for (size_t i = 0; i < data->rows; i++)
      data->source[i * (row + each)] += (double) data->rows;
}

double
gt_factor_data_make (struct gt_factor_data *data, enum gt_taken_id id, uint64_t n,
                     const uint64_t sides[2], size_t most_bytes)
{
  size_t rows = sides[0] ? sides[0] : 1, columns = sides[1] && !is_square (id) ? sides[1] : rows;
  size_t area, square;
  double *at;

  while (rows * columns > most_bytes / 32)
    *(rows < columns ? &columns : &rows) /= 2;
  if (is_square (id))
    columns = rows;
  area = 2 * rows * columns;
  square = 2 * columns * columns;
  *data = (struct gt_factor_data) {.rows = rows, .columns = columns};
  data->memory = at = calloc (2 * area + 2 * square + 4 * columns, sizeof *at);
  data->workspace = workspace_of (id, columns);
  if (at == NULL || (id >= GT_TAKEN_eigen_symm && data->workspace == NULL))
    {
      gt_factor_data_free (id, data);
      return 0;
    }
  data->source = at;
  data->a = gsl_matrix_view_array (at + area, rows, columns).matrix;
  data->za = gsl_matrix_complex_view_array (at + area, rows, columns).matrix;
  at += 2 * area;
  data->v = gsl_matrix_view_array (at, columns, columns).matrix;
  data->zv = gsl_matrix_complex_view_array (at, columns, columns).matrix;
  data->x = gsl_matrix_view_array (at + square, columns, columns).matrix;
  at += 2 * square;
  data->s = gsl_vector_view_array (at, rows < columns && !is_square (id) ? rows : columns).vector;
  data->values = gsl_vector_complex_view_array (at, columns).vector;
  data->work = gsl_vector_view_array (at + 2 * columns, columns).vector;
  fill (id, data);
  return (double) n / ((double) rows * (double) columns * (double) data->s.size);
}

/* ------------------------------------------------------------------- Calls */

int
gt_factor_call (enum gt_taken_id id, void *function, struct gt_factor_data *data)
{
  gsl_matrix *const a = &data->a;
  gsl_vector *const s = &data->s;
  void *const w = data->workspace;

  memcpy (a->data, data->source,
          (is_complex (id) ? 2 : 1) * data->rows * data->columns * sizeof (double));
#define CALL(prototype, ...) GT_AS (FACTOR_##prototype, function) (__VA_ARGS__)
  switch ((int) id)
    {
    case GT_TAKEN_linalg_QR_decomp:
      return CALL (QR, a, s);
    case GT_TAKEN_linalg_QR_decomp_r:
      return CALL (QR_R, a, &data->v);
    case GT_TAKEN_linalg_SV_decomp:
      return CALL (SV, a, &data->v, s, &data->work);
    case GT_TAKEN_linalg_SV_decomp_mod:
      return CALL (SV_MOD, a, &data->x, &data->v, s, &data->work);
    case GT_TAKEN_eigen_symm:
      return CALL (SYMM, a, s, w);
    case GT_TAKEN_eigen_symmv:
      return CALL (SYMMV, a, s, &data->v, w);
    case GT_TAKEN_eigen_herm:
      return CALL (HERM, &data->za, s, w);
    case GT_TAKEN_eigen_hermv:
      return CALL (HERMV, &data->za, s, &data->zv, w);
    case GT_TAKEN_eigen_nonsymm:
      return CALL (NONSYMM, a, &data->values, w);
    case GT_TAKEN_eigen_nonsymmv:
      return CALL (NONSYMMV, a, &data->values, &data->zv, w);
    default:
      return CALL (CHOLESKY, a);
    }
}

const double *
gt_factor_result (enum gt_taken_id id, const struct gt_factor_data *data, size_t *n, size_t *each)
{
  const int is_complex_value = id >= GT_TAKEN_eigen_nonsymm;

  *each = is_complex_value ? 2 : id < GT_TAKEN_linalg_SV_decomp ? data->rows * data->columns : 1;
  *n = id < GT_TAKEN_linalg_SV_decomp ? 1 : data->columns;
  return id < GT_TAKEN_linalg_SV_decomp ? data->a.data : data->s.data;
}

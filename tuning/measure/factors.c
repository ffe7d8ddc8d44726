/* Calls the factorisations of src/procedures.def by their addresses.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "config.h"

#include "tuning/measure/factors.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/gsltune.h"
#include "src/prototypes.h"

/* The functions that allocate and free workspaces.  */
static void *const workspaces[][2] = {
#define WORKSPACE(name) {(void *) gsl_eigen_##name##_alloc, (void *) gsl_eigen_##name##_free},
  WORKSPACE (symm) WORKSPACE (symmv) WORKSPACE (herm) WORKSPACE (hermv) WORKSPACE (nonsymm)
  WORKSPACE (nonsymmv)
};

static int
is_square (enum gt_taken_id id)
{
  return id < GT_TAKEN_linalg_QR_decomp || id >= GT_TAKEN_eigen_symm;
}

void
gt_factor_data_free (enum gt_taken_id id, struct gt_factor_data *data)
{
  if (data->workspace)
    ((void (*) (void *)) workspaces[id - GT_TAKEN_eigen_symm][1]) (data->workspace);
  free (data->memory);
}

/* All matrices have room for complex numbers.  The diagonals make square ones positive
   definite.  */
double
gt_factor_data_make (struct gt_factor_data *data, enum gt_taken_id id, uint64_t n,
                     const uint64_t sides[2], size_t most_bytes)
{
  const int each = id == GT_TAKEN_eigen_herm || id == GT_TAKEN_eigen_hermv ? 2 : 1;
  size_t rows = sides[0] ? sides[0] : 1, columns = sides[1] ? sides[1] : 1;
  uint64_t state = 1;

  while (rows * columns > most_bytes / 64)
    *(rows < columns ? &columns : &rows) /= 2;
  if (is_square (id))
    columns = rows;
  *data = (struct gt_factor_data) {.rows = rows, .columns = columns};
  data->memory = calloc (4 * (rows + columns + 1) * columns, sizeof *data->memory);
  if (id >= GT_TAKEN_eigen_symm)
    data->workspace
      = ((void *(*) (size_t)) workspaces[id - GT_TAKEN_eigen_symm][0]) (columns);
  if (data->memory == NULL)
    return 0;
  for (size_t i = 0; i < (size_t) each * rows * columns; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      data->memory[i] = (double) (int64_t) state * 0x1p-63;
    }
  for (size_t i = 0; is_square (id) && i < rows; i++)
    data->memory[(size_t) each * i * (rows + 1)] += (double) rows;
  return (double) n / ((double) rows * (double) columns * fmin ((double) rows, (double) columns));
}

/* The pointers have the names of arguments in src/prototypes.h.  */
double
gt_factor_call (enum gt_taken_id id, void *function, const struct gt_factor_data *data)
{
  const size_t m = data->rows, n = data->columns, area = 2 * m * n, square = 2 * n * n;
  double *const at = data->memory + area, *const results = at + area + 2 * square;
  gsl_matrix real[] = {gsl_matrix_view_array (at, m, n).matrix,
                       gsl_matrix_view_array (at + area, n, n).matrix,
                       gsl_matrix_view_array (at + area + square, n, n).matrix};
  gsl_matrix_complex wide[] = {gsl_matrix_complex_view_array (at, m, n).matrix,
                               gsl_matrix_complex_view_array (at + area, n, n).matrix};
  gsl_vector vectors[] = {gsl_vector_view_array (results, m < n ? m : n).vector,
                          gsl_vector_view_array (results + 2 * n, n).vector};
  gsl_vector_complex values = gsl_vector_complex_view_array (results, n).vector;
  const int is_wide = id == GT_TAKEN_eigen_herm || id == GT_TAKEN_eigen_hermv;
  const int is_last = id >= GT_TAKEN_eigen_nonsymm;
  void *const a = is_wide ? (void *) wide : real, *const v = &real[1], *const x = &real[2];
  void *const t = v, *const s = vectors, *const tau = s, *const work = &vectors[1];
  void *const eval = is_last ? (void *) &values : s, *const w = data->workspace;
  void *const evec = is_wide || is_last ? (void *) &wide[1] : v;
  const int has_values = id >= GT_TAKEN_linalg_SV_decomp;
  double sum = 0;

  memcpy (at, data->memory, area * sizeof *at);
  switch ((int) id)
    {
#define FACTOR_ROW(symbol, family, name, infix, bits, prototype, from) \
  CALLED (GT_TAKEN_##symbol, prototype)
#define CALLED(number, prototype)                         \
  case number:                                            \
    GT_AS (prototype, function) GT_PASSES (prototype);    \
    break;
#include "src/preload/rows.inc"
    default:
      break;
    }
  for (size_t i = 0; i < (has_values ? (is_last ? 2 : 1) * n : m * n); i++)
    sum += fabs (has_values ? results[i] : at[i]);
  return sum;
}

/* The extremes of matrices of TYPE, whose rows lie `tda' elements apart: included by
   src/public/extremes.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define MATRIX NAMED (gsl_matrix, )

/* An element and its place.  */
#define CELL struct NAMED (cell, )
CELL
{
  TYPE value;
  size_t i, j;
};

/* Those of a matrix: of maxima and minima the first is meant.  */
#define CELLS struct NAMED (cells, )
CELLS
{
  CELL first, second;
};

/* Few elements, in GSL's order.  REDUCTION is one of all three.  */
static inline CELLS
NAMED (short_cells, ) (const MATRIX *m, const enum gt_reduction reduction)
{
  const enum gt_reduction first = reduction == GT_MAX ? GT_MAX : GT_MIN;
  const TYPE *row = m->data;
  CELLS best = {{row[0], 0, 0}, {row[0], 0, 0}};

  for (size_t i = 0; i < m->size1; i++, row += m->tda)
    for (size_t j = 0; j < m->size2; j++)
      {
        const CELL cell = {row[j], i, j};

        if (NAMED (better, ) (cell.value, best.first.value, first))
          best.first = cell;
        else if (reduction == GT_MINMAX
                 && NAMED (better, ) (cell.value, best.second.value, GT_MAX))
          best.second = cell;
        else if (NAMED (is_nan, ) (cell.value))
          return (CELLS) {cell, cell};
      }
  return best;
}

/* A matrix without gaps between its rows, or of one row or one column, is a
   vector.  */
static void
NAMED (find_in_matrix, ) (enum gt_reduction reduction, const MATRIX *m,
                          union gt_value *value)
{
  const size_t rows = m->size1, n = m->size2;

  if (m->tda == n || rows == 1)
    NAMED (find, ) (reduction, m->data, rows * n, 1, value);
  else if (n == 1)
    NAMED (find, ) (reduction, m->data, rows, m->tda, value);
  else
    {
      const struct gt_task row
        = gt_task_of (reduction, ARITHMETIC, GT_MODE_FAST, m->data, n, 1);

      gt_reduce_rows (&row, rows, m->tda, value);
    }
}

static CELLS
NAMED (cells_of_many, ) (const MATRIX *m, enum gt_reduction reduction)
{
  const size_t n = m->size2;
  const TYPE *element;
  union gt_value value;
  const size_t *const index = value.where.index;

  if (m->size1 * n == 0)
    GSL_ERROR_VAL (NO_EXTREMES, GSL_EDOM,
                   ((CELLS) {{NONE, 0, 0}, {NONE, 0, 0}}));
  value.where.index[1] = 0;
  NAMED (find_in_matrix, ) (reduction, m, &value);
  element = &GT_LEADING (value, TYPE);
  return (CELLS) {{element[0], index[0] / n, index[0] % n},
                  {element[reduction == GT_MINMAX], index[1] / n,
                   index[1] % n}};
}

static inline CELLS
NAMED (extreme_cells, ) (const MATRIX *m, const enum gt_reduction reduction)
{
  return ARE_FEW (m->size1 * m->size2)
           ? NAMED (short_cells, ) (m, reduction)
           : NAMED (cells_of_many, ) (m, reduction);
}

/* gsltune_matrix_max */
TYPE
NAMED (gsltune_matrix, _max) (const MATRIX *m)
{
  return NAMED (extreme_cells, ) (m, GT_MAX).first.value;
}

/* gsltune_matrix_min */
TYPE
NAMED (gsltune_matrix, _min) (const MATRIX *m)
{
  return NAMED (extreme_cells, ) (m, GT_MIN).first.value;
}

/* gsltune_matrix_minmax */
void
NAMED (gsltune_matrix, _minmax) (const MATRIX *m, TYPE *min_out, TYPE *max_out)
{
  const CELLS found = NAMED (extreme_cells, ) (m, GT_MINMAX);

  *min_out = found.first.value;
  *max_out = found.second.value;
}

/* gsltune_matrix_max_index */
void
NAMED (gsltune_matrix, _max_index) (const MATRIX *m, size_t *imax,
                                    size_t *jmax)
{
  const CELL cell = NAMED (extreme_cells, ) (m, GT_MAX).first;

  *imax = cell.i;
  *jmax = cell.j;
}

/* gsltune_matrix_min_index */
void
NAMED (gsltune_matrix, _min_index) (const MATRIX *m, size_t *imin,
                                    size_t *jmin)
{
  const CELL cell = NAMED (extreme_cells, ) (m, GT_MIN).first;

  *imin = cell.i;
  *jmin = cell.j;
}

/* gsltune_matrix_minmax_index */
void
NAMED (gsltune_matrix, _minmax_index) (const MATRIX *m, size_t *imin,
                                       size_t *jmin, size_t *imax,
                                       size_t *jmax)
{
  const CELLS found = NAMED (extreme_cells, ) (m, GT_MINMAX);

  *imin = found.first.i;
  *jmin = found.first.j;
  *imax = found.second.i;
  *jmax = found.second.j;
}

#undef CELLS
#undef CELL
#undef MATRIX

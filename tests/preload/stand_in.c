/* What stands for libgsltune: see tests/preload/stand_in.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "tests/preload/stand_in.h"

struct note gsltune_note;

#define NOTE(...) \
  gsltune_note = (struct note) {gsltune_note.calls + 1, __VA_ARGS__}

/* ---------------------------------------------------------------- BLAS */

double
gsltune_blas_dnrm2 (const gsl_vector *x)
{
  NOTE (GT_TAKEN_blas_dnrm2, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

float
gsltune_blas_snrm2 (const gsl_vector_float *x)
{
  NOTE (GT_TAKEN_blas_snrm2, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

double
gsltune_blas_dasum (const gsl_vector *x)
{
  NOTE (GT_TAKEN_blas_dasum, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

float
gsltune_blas_sasum (const gsl_vector_float *x)
{
  NOTE (GT_TAKEN_blas_sasum, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

CBLAS_INDEX_t
gsltune_blas_idamax (const gsl_vector *x)
{
  NOTE (GT_TAKEN_blas_idamax, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

CBLAS_INDEX_t
gsltune_blas_isamax (const gsl_vector_float *x)
{
  NOTE (GT_TAKEN_blas_isamax, x, 0, 0, 0, 0, 0, 0);
  return ANSWER;
}

int
gsltune_blas_ddot (const gsl_vector *x, const gsl_vector *y, double *to)
{
  NOTE (GT_TAKEN_blas_ddot, x, y, 0, 0, 0, 0, 0);
  *to = ANSWER;
  return 0;
}

int
gsltune_blas_sdot (const gsl_vector_float *x, const gsl_vector_float *y,
                   float *to)
{
  NOTE (GT_TAKEN_blas_sdot, x, y, 0, 0, 0, 0, 0);
  *to = ANSWER;
  return 0;
}

int
gsltune_blas_dsdot (const gsl_vector_float *x, const gsl_vector_float *y,
                    double *to)
{
  NOTE (GT_TAKEN_blas_dsdot, x, y, 0, 0, 0, 0, 0);
  *to = ANSWER;
  return 0;
}

int
gsltune_blas_sdsdot (float alpha, const gsl_vector_float *x,
                     const gsl_vector_float *y, float *to)
{
  NOTE (GT_TAKEN_blas_sdsdot, x, y, 0, 0, 0, (double) alpha, 0);
  *to = ANSWER;
  return 0;
}

/* ------------------------------------------------------ Every other row */

#define VECTOR_(name) NAMED (gsltune_vector, _##name)
#define VECTOR_NOTE(name) NOTE (VECTOR_ID (name), v, 0, 0, 0, 0, 0, 0)
#define VECTOR_VALUE(name)                                                 \
  TYPE VECTOR_ (name) (const VECTOR *v)                                    \
  { VECTOR_NOTE (name); return ANSWER; }
#define VECTOR_VALUES(name)                                                \
  void VECTOR_ (name) (const VECTOR *v, TYPE *min, TYPE *max)              \
  { VECTOR_NOTE (name); *min = ANSWER; *max = ANSWER + 1; }
#define VECTOR_INDEX(name)                                                 \
  size_t VECTOR_ (name) (const VECTOR *v)                                  \
  { VECTOR_NOTE (name); return ANSWER; }
#define VECTOR_INDEXES(name)                                               \
  void VECTOR_ (name) (const VECTOR *v, size_t *min, size_t *max)          \
  { VECTOR_NOTE (name); *min = ANSWER; *max = ANSWER + 1; }

#define STATS_(name) NAMED (gsltune_stats, _##name)
#define ARRAY const TYPE x[], size_t s, size_t n
#define STATS_NOTE(name, u, v) NOTE (STATS_ID (name), x, 0, s, 0, n, u, v)
#define STATS_VALUE(name)                                                  \
  TYPE STATS_ (name) (ARRAY)                                               \
  { STATS_NOTE (name, 0, 0); return ANSWER; }
#define STATS_VALUES(name)                                                 \
  void STATS_ (name) (TYPE *min, TYPE *max, ARRAY)                         \
  { STATS_NOTE (name, 0, 0); *min = ANSWER; *max = ANSWER + 1; }
#define STATS_INDEX(name)                                                  \
  size_t STATS_ (name) (ARRAY)                                             \
  { STATS_NOTE (name, 0, 0); return ANSWER; }
#define STATS_INDEXES(name)                                                \
  void STATS_ (name) (size_t *min, size_t *max, ARRAY)                     \
  { STATS_NOTE (name, 0, 0); *min = ANSWER; *max = ANSWER + 1; }
#define STATS_DOUBLE(name)                                                 \
  double STATS_ (name) (ARRAY)                                             \
  { STATS_NOTE (name, 0, 0); return ANSWER; }
#define STATS_DOUBLE_M(name)                                               \
  double STATS_ (name) (ARRAY, double u)                                   \
  { STATS_NOTE (name, u, 0); return ANSWER; }
#define STATS_DOUBLE_M_SD(name)                                            \
  double STATS_ (name) (ARRAY, double u, double v)                         \
  { STATS_NOTE (name, u, v); return ANSWER; }

#define ARRAYS const TYPE x[], size_t s, const TYPE y[], size_t t, size_t n
#define PAIR_NOTE(name, u, v) NOTE (STATS_ID (name), x, y, s, t, n, u, v)
#define STATS_PAIR(name)                                                   \
  double STATS_ (name) (ARRAYS)                                            \
  { PAIR_NOTE (name, 0, 0); return ANSWER; }
#define STATS_PAIR_M(name)                                                 \
  double STATS_ (name) (ARRAYS, double u, double v)                        \
  { PAIR_NOTE (name, u, v); return ANSWER; }
#define STATS_WEIGHTED STATS_PAIR
#define STATS_WEIGHTED_M(name)                                             \
  double STATS_ (name) (ARRAYS, double u)                                  \
  { PAIR_NOTE (name, u, 0); return ANSWER; }
#define STATS_WEIGHTED_M_SD STATS_PAIR_M

#define MATRIX_(name) NAMED (gsltune_matrix, _##name)
#define MATRIX_NOTE(name) NOTE (MATRIX_ID (name), m, 0, 0, 0, 0, 0, 0)
#define MATRIX_VALUE(name)                                                 \
  TYPE MATRIX_ (name) (const MATRIX *m)                                    \
  { MATRIX_NOTE (name); return ANSWER; }
#define MATRIX_VALUES(name)                                                \
  void MATRIX_ (name) (const MATRIX *m, TYPE *min, TYPE *max)              \
  { MATRIX_NOTE (name); *min = ANSWER; *max = ANSWER + 1; }
#define MATRIX_INDEX(name)                                                 \
  void MATRIX_ (name) (const MATRIX *m, size_t *i, size_t *j)              \
  { MATRIX_NOTE (name); *i = ANSWER; *j = ANSWER + 1; }
#define MATRIX_INDEXES(name)                                               \
  void MATRIX_ (name) (const MATRIX *m, size_t *i, size_t *j, size_t *k,   \
                       size_t *l)                                          \
  { MATRIX_NOTE (name); *i = ANSWER; *j = ANSWER + 1; *k = ANSWER + 2;     \
    *l = ANSWER + 3; }

#define GT_TEMPLATE "src/preload/rows_of.inc"
#include "src/public/each_type.h"

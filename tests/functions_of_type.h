/* Every function of src/functions.def for elements of TYPE, against GSL's own: a
   template of src/public/each_type.h.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#include "tests/answers.h"
#include "tests/sown.h"

#define VECTOR NAMED (gsl_vector, )
#define MATRIX NAMED (gsl_matrix, )
static void
NAMED (compare, ) (const char *name, const char *what, const ANSWER *ours,
                   const ANSWER *gsl)
{
  if (!NAMED (same, ) (ours, gsl))
    fail_msg ("%s%s, %s: %.21Lg, %.21Lg at %zu, %zu, %zu, %zu instead of"
              " GSL's %.21Lg, %.21Lg at %zu, %zu, %zu, %zu",
              gt_types[NAMED_BY (GT_TYPE_, ID, )].name, name, what,
              (long double) ours->value[0], (long double) ours->value[1],
              ours->index[0], ours->index[1], ours->index[2], ours->index[3],
              (long double) gsl->value[0], (long double) gsl->value[1],
              gsl->index[0], gsl->index[1], gsl->index[2], gsl->index[3]);
}

/* What no elements give.  */
static void
NAMED (compare_empty, ) (const char *name, const ANSWER *ours, int values,
                         int indexes, int code)
{
  ANSWER expected;

  NAMED (clear, ) (&expected);
  for (int k = 0; k < values; k++)
    expected.value[k] = ours->value[k];
  for (int k = 0; k < indexes; k++)
    expected.index[k] = 0;
  NAMED (compare, ) (name, "no elements", ours, &expected);
  for (int k = 0; k < values; k++)
#if REAL
    if (code ? !isnan (ours->value[k]) : ours->value[k] != 0)
#else
    if (ours->value[k] != 0)
#endif
      fail_msg ("%s of no elements is %Lg", name,
                (long double) ours->value[k]);
  if (handler_calls != (code != 0) || (code && handler_code != code))
    fail_msg ("%s of no elements: the handler was called %d times, with %d",
              name, handler_calls, handler_code);
}

/* Whether elements of TYPE have a function.  */
#define IF_ALL(statement) statement
#if REAL
#define IF_REALS(statement) statement
#else
#define IF_REALS(statement)
#endif

static void
NAMED (vector_agrees, ) (const VECTOR *v, const char *what)
{
  ANSWER o, g;

  NAMED (clear, ) (&o);
  NAMED (clear, ) (&g);
#define VECTOR_ROW(name, reduction, result, ...)                            \
  AGREE (NAMED (gsltune_vector, _##name), NAMED (gsl_vector, _##name),      \
         OF_VECTOR_##result, NAMED (GT_TAKEN_vector, _##name), what)
#define STATS_ROW(name, reduction, result, types, ...)                      \
  IF_##types (AGREE (NAMED (gsltune_stats, _##name), NAMED (gsl_stats, _##name), \
                     OF_STATS_##result, NAMED (GT_TAKEN_stats, _##name), what))
#define BLAS_ROW NOTHING
#define MATRIX_ROW NOTHING
#define DEVICE_VECTOR_ROW NOTHING
#define FUNCTION(family, ...) family##_ROW (__VA_ARGS__)
#include "src/functions.def"
#undef VECTOR_ROW
#undef STATS_ROW
#undef MATRIX_ROW
}

static void
NAMED (matrix_agrees, ) (const MATRIX *m, const char *what)
{
  ANSWER o, g;

  NAMED (clear, ) (&o);
  NAMED (clear, ) (&g);
#define VECTOR_ROW NOTHING
#define STATS_ROW NOTHING
#define MATRIX_ROW(name, reduction, result, ...)                            \
  AGREE (NAMED (gsltune_matrix, _##name), NAMED (gsl_matrix, _##name),      \
         OF_MATRIX_##result, NAMED (GT_TAKEN_matrix, _##name), what)
#include "src/functions.def"
#undef VECTOR_ROW
#undef STATS_ROW
#undef MATRIX_ROW
}

/* With an error handler that returns.  */
static void
NAMED (empty, ) (const VECTOR *v, const MATRIX *m)
{
  ANSWER o;

#define VECTOR_ROW(name, reduction, result, types, empty, ...)              \
  EMPTY (NAMED (gsltune_vector, _##name), OF_VECTOR_##result, result, 1, empty)
#define STATS_ROW(name, reduction, result, types, empty, ...)               \
  IF_##types (EMPTY_##result (NAMED (gsltune_stats, _##name),               \
                              OF_STATS_##result, result, 1, empty))
#define MATRIX_ROW(name, reduction, result, types, empty, ...)              \
  EMPTY (NAMED (gsltune_matrix, _##name), OF_MATRIX_##result, result, 2, empty)
#include "src/functions.def"
#undef VECTOR_ROW
#undef STATS_ROW
#undef BLAS_ROW
#undef MATRIX_ROW
#undef DEVICE_VECTOR_ROW
#undef FUNCTION
}

#undef IF_REALS

/* Elements that end where memory does, so that one read too many is the last.  */
static void
NAMED (vectors, ) (size_t n, size_t stride)
{
  const size_t span = (n - 1) * stride + 1;
  TYPE *x = (TYPE *) fence_end - span;
  const VECTOR v = {n, stride, x, NULL, 0};
  char what[100];

  for (int sown = 0; sown < N_SOWN; sown++)
    {
      NAMED (sow, ) (x, span, 1, ALL_NAN, n);
      NAMED (sow, ) (x, n, stride, (enum sown) sown, n * stride);
      snprintf (what, sizeof what, "n = %zu, stride %zu, data %d", n, stride,
                sown);
      NAMED (vector_agrees, ) (&v, what);
    }
}

static void
NAMED (matrices, ) (size_t rows, size_t n, size_t tda)
{
  const size_t span = (rows - 1) * tda + n;
  TYPE *x = (TYPE *) fence_end - span;
  const MATRIX m = {rows, n, tda, x, NULL, 0};
  char what[100];

  for (int sown = 0; sown < N_SOWN; sown++)
    {
      NAMED (sow, ) (x, span, 1, ALL_NAN, n);
      for (size_t i = 0; i < rows; i++)
        NAMED (sow, ) (x + i * tda, n, 1, (enum sown) sown, rows * n + i);
      snprintf (what, sizeof what, "%zu rows of %zu, %zu apart, data %d", rows,
                n, tda, sown);
      NAMED (matrix_agrees, ) (&m, what);
    }
}

#undef VECTOR
#undef MATRIX
#undef ANSWER

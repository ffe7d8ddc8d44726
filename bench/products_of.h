/* The functions that the tables "products" and "never-slower elements" time, of one
   library and one element type: a template of theirs, which define

     LIBRARY  gsl or gsltune
     INFIX    what GSL's names have for the type: nothing, _float or _int
     NAME     the type's name
     TYPE     its C type
     LETTER   of BLAS, where REAL is 1

   Each takes a vector of the type, whatever its pointer says, so that all are called
   alike; what needs two finds the other one in `second', and what is given a mean and a
   standard deviation takes MEAN and DEVIATION.  Weights are the first vector.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define PASTE(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) PASTE (a, b, c, d)
#define VECTOR JOIN (gsl_vector, INFIX, , )
#define VECTOR_OF(v) ((const VECTOR *) (const void *) (v))
#define NAMED(what) JOIN (LIBRARY, what, _, NAME)
#define STATS(what) JOIN (LIBRARY, _stats, INFIX, what)
#define DATA(v) ((const TYPE *) (const void *) (v)->data)
#define ONE DATA (v), v->stride, v->size
#define TWO DATA (v), v->stride, DATA (&second), second.stride, v->size

#if REAL
static double
NAMED (_dot) (const gsl_vector *v)
{
  TYPE result;

  JOIN (LIBRARY, _blas_, LETTER, dot) (VECTOR_OF (v), VECTOR_OF (&second),
                                       &result);
  return (double) result;
}

static double
NAMED (_nrm2) (const gsl_vector *v)
{
  return (double) JOIN (LIBRARY, _blas_, LETTER, nrm2) (VECTOR_OF (v));
}
#endif

#define STATISTIC(name, ...)                                        \
  static double NAMED (_##name) (const gsl_vector *v)               \
  { return STATS (_##name) (__VA_ARGS__); }
#define ROW_DOUBLE(name) STATISTIC (name, ONE)
#define ROW_DOUBLE_M(name) STATISTIC (name, ONE, MEAN)
#define ROW_DOUBLE_M_SD(name) STATISTIC (name, ONE, MEAN, DEVIATION)
#define ROW_PAIR(name) STATISTIC (name, TWO)
#define ROW_PAIR_M(name) STATISTIC (name, TWO, MEAN, MEAN)
#define ROW_WEIGHTED(name) STATISTIC (name, TWO)
#define ROW_WEIGHTED_M(name) STATISTIC (name, TWO, MEAN)
#define ROW_WEIGHTED_M_SD(name) STATISTIC (name, TWO, MEAN, DEVIATION)
#define ROW_VALUE(name)
#define ROW_VALUES(name)
#define ROW_INDEX(name)
#define ROW_INDEXES(name)
#define OF_STATS_ALL(name, result) ROW_##result (name)
#if REAL
#define OF_STATS_REALS(name, result) ROW_##result (name)
#else
#define OF_STATS_REALS(name, result)
#endif
#define FUNCTION(family, name, reduction, result, types, ...) \
  OF_##family##_##types (name, result)
#define OF_VECTOR_ALL(...)
#define OF_BLAS_DOUBLE(...)
#define OF_BLAS_FLOAT(...)
#define OF_MATRIX_ALL(...)
#define OF_DEVICE_VECTOR_GPU(...)
#define OF_DEVICE_VECTOR_REAL(...)
#include "src/functions.def"

#undef STATISTIC
#undef ROW_DOUBLE
#undef ROW_DOUBLE_M
#undef ROW_DOUBLE_M_SD
#undef ROW_PAIR
#undef ROW_PAIR_M
#undef ROW_WEIGHTED
#undef ROW_WEIGHTED_M
#undef ROW_WEIGHTED_M_SD
#undef ROW_VALUE
#undef ROW_VALUES
#undef ROW_INDEX
#undef ROW_INDEXES
#undef OF_STATS_ALL
#undef OF_STATS_REALS
#undef FUNCTION
#undef OF_VECTOR_ALL
#undef OF_BLAS_DOUBLE
#undef OF_BLAS_FLOAT
#undef OF_MATRIX_ALL
#undef OF_DEVICE_VECTOR_GPU
#undef OF_DEVICE_VECTOR_REAL
#undef PASTE
#undef JOIN
#undef VECTOR
#undef VECTOR_OF
#undef NAMED
#undef STATS
#undef DATA
#undef ONE
#undef TWO

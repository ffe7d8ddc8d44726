/* The functions that the table "products" times, of one library and one element type: a
   template of bench_products.c, which defines

     LIBRARY  gsl or gsltune
     INFIX    what GSL's names have for the type: nothing, _float or _int
     NAME     the type's name
     TYPE     its C type
     LETTER   of BLAS, where REAL is 1

   Each takes a vector of the type, whatever its pointer says, so that all are called
   alike; what needs two finds the other one in `second'.
   Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.  */

#define PASTE(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) PASTE (a, b, c, d)
#define VECTOR JOIN (gsl_vector, INFIX, , )
#define VECTOR_OF(v) ((const VECTOR *) (const void *) (v))
#define NAMED(what) JOIN (LIBRARY, what, _, NAME)
#define STATS(what) JOIN (LIBRARY, _stats, INFIX, what)
#define DATA(v) ((const TYPE *) (const void *) (v)->data)

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

static double
NAMED (_mean) (const gsl_vector *v)
{
  return STATS (_mean) (DATA (v), 1, v->size);
}

static double
NAMED (_variance) (const gsl_vector *v)
{
  return STATS (_variance) (DATA (v), 1, v->size);
}

static double
NAMED (_covariance) (const gsl_vector *v)
{
  return STATS (_covariance) (DATA (v), 1, DATA (&second), 1, v->size);
}

static double
NAMED (_correlation) (const gsl_vector *v)
{
  return STATS (_correlation) (DATA (v), 1, DATA (&second), 1, v->size);
}

static double
NAMED (_absdev) (const gsl_vector *v)
{
  return STATS (_absdev) (DATA (v), 1, v->size);
}

static double
NAMED (_skew) (const gsl_vector *v)
{
  return STATS (_skew) (DATA (v), 1, v->size);
}

static double
NAMED (_kurtosis) (const gsl_vector *v)
{
  return STATS (_kurtosis) (DATA (v), 1, v->size);
}

#undef PASTE
#undef JOIN
#undef VECTOR
#undef VECTOR_OF
#undef NAMED
#undef STATS
#undef DATA
